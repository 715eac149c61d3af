//! `Substr`: substrings.

use super::length::{UNITS, is_trail};
use crate::prelude::*;

attrs! {
    /// Returns the `len` bytes or characters of each string starting at `pos`, which counts from the end if negative.
    pub struct Substr {
        /// Element type of `pos` and `len`.
        index: DType = Attr::dtype("T", sets::INDEX),
        /// Whether to count bytes or UTF-8 characters.
        unit: String = Attr::one_of("unit", UNITS).or_str("BYTE"),
    }
}

pub static SUBSTR: Def<Substr> = op("Substr")
    .inputs(&[arg("input", is(DType::Str)), arg("pos", of("T")), arg("len", of("T"))])
    .outputs(&[arg("output", is(DType::Str))])
    .shape(shape)
    .kernel(substr);

fn shape(_: &Substr, cx: &mut ShapeCx<'_>) -> Result<()> {
    let (pos, len) = (cx.input(1), cx.input(2));
    if let (Some(p), Some(l)) = (pos.rank(), len.rank())
        && p != l
    {
        return Err(Error::invalid(format!("pos and len must have the same rank, found {p} and {l}")));
    }
    pos.merge(&len)?;
    cx.broadcast()
}

fn substr(op: &Substr, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (input, pos, len) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    if pos.shape() != len.shape() {
        let (p, l) = (pos.shape(), len.shape());
        return Err(Error::invalid(format!("pos and len should have the same shape, got: {p} vs. {l}")));
    }
    let shape = input.shape().broadcast(pos.shape())?;
    if !pos.shape().is_scalar() && input.shape() != pos.shape() && shape.rank() > 2 {
        return Err(Error::unimplemented(format!("Substr broadcast not implemented for {} dimensions", shape.rank())));
    }
    let part: Part = if op.unit == "BYTE" { bytes } else { characters };
    let view = input.view::<Bytes>()?;
    let strings = view.broadcast(shape.dims()).ok_or_else(|| Error::internal("strings cannot be broadcast"))?;
    let (pos, len) = (Tensor::from_vec(pos.shape().clone(), pos.to_i64s()?)?, Tensor::vector(len.to_i64s()?));
    let len = len.reshaped(pos.shape().clone())?;
    let (pos, len) = (pos.view::<i64>()?, len.view::<i64>()?);
    let wide = || Error::internal("positions cannot be broadcast");
    let pos = pos.broadcast(shape.dims()).ok_or_else(wide)?;
    let len = len.broadcast(shape.dims()).ok_or_else(wide)?;
    let mut parts = Vec::with_capacity(shape.num_elements());
    for (i, ((string, &pos), &len)) in strings.iter().zip(pos.iter()).zip(len.iter()).enumerate() {
        let (from, to) = part(string, pos, len).ok_or_else(|| {
            let text = String::from_utf8_lossy(string);
            Error::invalid(format!("pos {pos} out of range for string '{text}' at index {i}"))
        })?;
        parts.push(string.slice(from..to));
    }
    cx.set(0, Tensor::from_vec(shape, parts)?);
    Ok(())
}

/// The range of bytes from a position, up to a length; `None` if the position is out of range.
type Part = fn(&[u8], i64, i64) -> Option<(usize, usize)>;

/// Returns the start and end of `len` bytes from `pos`; a negative `len` takes all.
fn bytes(s: &[u8], pos: i64, len: i64) -> Option<(usize, usize)> {
    let from = if pos < 0 { (s.len() as i64).checked_add(pos)? } else { pos };
    let from = usize::try_from(from).ok().filter(|f| *f <= s.len())?;
    let len = usize::try_from(len).unwrap_or(usize::MAX);
    Some((from, from.saturating_add(len).min(s.len())))
}

/// Returns the start and end of `len` characters from `pos`.
fn characters(s: &[u8], pos: i64, len: i64) -> Option<(usize, usize)> {
    if pos >= 0 {
        let (from, whole) = forward(s, 0, pos);
        return whole.then(|| (from, forward(s, from, len).0));
    }
    let skipped = pos.checked_neg()?.checked_sub(len)?.max(0);
    let (to, whole) = backward(s, s.len(), skipped);
    let (from, also_whole) = backward(s, to, pos.checked_neg()? - skipped);
    (whole && also_whole).then_some((from, to))
}

/// Returns the position `count` characters after `at`, and whether there are that many.
fn forward(s: &[u8], mut at: usize, count: i64) -> (usize, bool) {
    let mut counted = 0;
    while counted < count && at < s.len() {
        at += 1;
        while at < s.len() && is_trail(s[at]) {
            at += 1;
        }
        counted += 1;
    }
    (at, counted == count)
}

/// Returns the position `count` characters before `at`, and whether there are that many.
fn backward(s: &[u8], mut at: usize, count: i64) -> (usize, bool) {
    let mut counted = 0;
    while counted < count && at > 0 {
        at -= 1;
        while at > 0 && is_trail(s[at]) {
            at -= 1;
        }
        counted += 1;
    }
    (at, counted == count)
}
