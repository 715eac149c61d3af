//! `Select` and `SelectV2`: elementwise choice between two tensors.

use crate::elementwise::Operand;
use crate::prelude::*;
use crate::rules::{Handles, NONE, reduce_to};
use levada_ops_core::vectorized;
use num_traits::{PrimInt, WrappingSub};

attrs! {
    /// The attrs of select ops.
    pub struct Selection {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

const INPUTS: &[Arg] = &[arg("condition", is(DType::Bool)), arg("t", of("T")), arg("e", of("T"))];
const OUTPUTS: &[Arg] = &[arg("output", of("T"))];

pub static SELECT: Def<Selection> = op::<Selection>("Select")
    .keeps_finite()
    .doc(
        "`t` where `condition` is true and `e` where it is false. `t` and `e` have the same shape; `condition` has that \
         shape too, or is a scalar, or has one element per row of `t` and `e`.",
    )
    .inputs(INPUTS)
    .outputs(OUTPUTS)
    .shape(|_, cx| {
        let merged = cx.input(1).merge(&cx.input(2))?;
        let condition = cx.input(0);
        match (condition.rank(), merged.rank()) {
            (None | Some(0), _) | (_, None) => {}
            (Some(1), Some(rank)) if rank != 1 => {
                let rows = PartialShape::vector(merged.dim(0));
                if rank == 0 || !rows.is_compatible(&condition) {
                    return Err(Error::invalid(format!(
                        "a condition of shape {condition} cannot select from {merged}"
                    )));
                }
            }
            _ => {
                merged.merge(&condition)?;
            }
        }
        cx.output(0, merged);
        Ok(())
    })
    .gradient(|op, g| {
        let (c, dy) = (g.input(0), g.dy(0));
        let zeros = g.input(1).zeros_like();
        let part = |t: V<'_>, e: V<'_>| SELECT.node(g, op, &[c, g.value(t.at), g.value(e.at)]).into();
        vec![NONE, part(dy, zeros), part(zeros, dy)]
    })
    .kernel(|op, cx| {
        let (condition, t, e) = (cx.input(0)?.shape(), cx.input(1)?.shape(), cx.input(2)?.shape());
        if t != e {
            return Err(Error::invalid(format!(
                "'t' and 'e' must have the same size, but received shapes {t} and {e}"
            )));
        }
        let whole = condition == t;
        let rows = condition.rank() == 1 && !t.is_scalar() && condition[0] == t[0];
        if condition.is_scalar() {
            let chosen = if cx.scalar::<bool>(0)? { 1 } else { 2 };
            let out = cx.take(chosen)?;
            cx.set(0, out);
            return Ok(());
        }
        if !whole && !rows {
            return Err(Error::invalid(format!(
                "'condition' must be a scalar, or have the shape of 't' or one element for each of its rows; \
                 condition: {condition}, t: {t}"
            )));
        }
        let shape = t.clone();
        let spread = if whole {
            shape.clone()
        } else {
            Shape::new(shape.iter().enumerate().map(|(i, &d)| if i == 0 { d } else { 1 }))?
        };
        select(op.dtype, spread, shape, cx)
    })
    .piecewise(|op| if op.dtype.is_plain() { Piecewise::Alike } else { Piecewise::No })
    .strip(strip)
    .batch(|op, b| match (b.rank(0)?, b.rank(1)?, b.rank(2)?) {
        (c, x, y) if c == x && c == y => leading(op, b),
        // A condition with one bool per example selects rows.
        (0, x, y) if x == y && b.varies(0) => leading(op, b),
        (0, x, y) if x == y => b.one(b.again(&[b.input(0), b.each(1), b.each(2)])),
        _ => None,
    });

pub static SELECT_V2: Def<Selection> = op::<Selection>("SelectV2")
    .keeps_finite()
    .doc("`t` where `condition` is true and `e` where it is false, all three broadcast together.")
    .inputs(INPUTS)
    .outputs(OUTPUTS)
    .primitive(Primitive::Select)
    .shape(|_, cx| {
        let shape = cx.input(1).broadcast(&cx.input(2))?.broadcast(&cx.input(0))?;
        cx.output(0, shape);
        Ok(())
    })
    .gradient(|_, g| {
        let (c, x, y, dy) = (g.input(0), g.input(1), g.input(2), g.dy(0));
        let zeros = dy.zeros_like();
        vec![NONE, reduce_to(dy.select(c, zeros), x).into(), reduce_to(zeros.select(c, dy), y).into()]
    })
    .kernel(|op, cx| {
        let (condition, t, e) = (cx.input(0)?.shape(), cx.input(1)?.shape(), cx.input(2)?.shape());
        let shape = t.broadcast(e)?.broadcast(condition)?;
        if condition.is_scalar() {
            let chosen = if cx.scalar::<bool>(0)? { 1 } else { 2 };
            if *cx.input(chosen)?.shape() == shape {
                let out = cx.take(chosen)?;
                cx.set(0, out);
                return Ok(());
            }
        }
        let spread = condition.clone();
        select(op.dtype, spread, shape, cx)
    })
    .piecewise(|op| if op.dtype.is_plain() { Piecewise::Broadcast } else { Piecewise::No })
    .strip(strip)
    .batch(elementwise);

/// `e` with the bits flipped in which `t` differs, where the condition is true.
fn strip(op: &Selection) -> Option<Strip> {
    let then = &[(Basic::Xor, 2), (Basic::And, 0), (Basic::Xor, 2)];
    (op.dtype == DType::F32).then_some(Strip::Series { first: 1, then })
}

/// Selects by the elements of the condition, read as if it had shape `spread`.
fn select(dtype: DType, spread: Shape, shape: Shape, cx: &mut Cx<'_, '_>) -> Result<()> {
    // Only the size of plain elements matters here.
    let as_bits = |bits: DType| [1, 2].map(|i| cx.input(i).and_then(|t| t.clone().reinterpreted(bits)));
    let out = match (dtype, dtype.size()) {
        (DType::Str, _) => pick_from::<Bytes>(&spread, &shape, cx)?,
        (DType::Resource, _) => pick_from::<levada_graph::Handle>(&spread, &shape, cx)?,
        (DType::Variant, _) => pick_from::<levada_graph::Variant>(&spread, &shape, cx)?,
        (_, 1) => pick::<u8>(as_bits(DType::U8), &spread, &shape, cx, blend)?,
        (_, 2) => pick::<u16>(as_bits(DType::U16), &spread, &shape, cx, blend)?,
        (_, 4) => pick::<u32>(as_bits(DType::U32), &spread, &shape, cx, blend)?,
        (_, 8) => pick::<u64>(as_bits(DType::U64), &spread, &shape, cx, blend)?,
        _ => pick_from::<Complex64>(&spread, &shape, cx)?,
    };
    let out = if dtype.is_plain() { out.reinterpreted(dtype)? } else { out };
    cx.set(0, out);
    Ok(())
}

fn pick_from<T: Element>(spread: &Shape, shape: &Shape, cx: &Cx<'_, '_>) -> Result<Tensor> {
    pick::<T>([cx.input(1).cloned(), cx.input(2).cloned()], spread, shape, cx, |condition, t, e, out| {
        for (((out, c), t), e) in out.iter_mut().zip(condition).zip(t).zip(e) {
            out.clone_from(if *c { t } else { e });
        }
    })
}

/// Selects elements that are only bits, by masks: the compiler turns a choice into branches or a choice of addresses.
fn blend<T: PrimInt + WrappingSub + From<bool>>(condition: &[bool], t: &[T], e: &[T], out: &mut [T]) {
    vectorized!(for (((out, &c), &t), &e) in out.iter_mut().zip(condition).zip(t).zip(e) {
        let mask = T::zero().wrapping_sub(&<T as From<bool>>::from(c));
        *out = t & mask | e & !mask;
    });
}

/// Selects between slices of the same length.
type Pick<T> = fn(&[bool], &[T], &[T], &mut [T]);

fn pick<T: Element>(
    [t, e]: [Result<Tensor>; 2],
    spread: &Shape,
    shape: &Shape,
    cx: &Cx<'_, '_>,
    pick: Pick<T>,
) -> Result<Tensor> {
    let (t, e) = (t?, e?);
    let (condition, from_t, from_e) = (cx.slice::<bool>(0)?, t.slice::<T>()?, e.slice::<T>()?);
    let mut out = cx.alloc(T::DTYPE, shape)?;
    cx.pool().for_chunks(out.slice_mut::<T>()?, 1, 0.5, |first, out| {
        let mut condition = Operand::new(condition, spread, shape, out.len());
        let mut from_t = Operand::new(from_t, t.shape(), shape, out.len());
        let mut from_e = Operand::new(from_e, e.shape(), shape, out.len());
        let mut at = 0;
        while at < out.len() {
            let c = condition.piece(first + at, out.len() - at);
            let t = from_t.piece(first + at, c.len());
            let e = from_e.piece(first + at, t.len());
            let n = e.len();
            pick(&c[..n], &t[..n], e, &mut out[at..at + n]);
            at += n;
        }
    });
    Ok(out)
}
