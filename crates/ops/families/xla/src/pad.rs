//! `XlaPad`: padding around a tensor and between its elements.

use crate::moves::{Axis, Layout, rearrange};
use crate::numbers::vector;
use crate::prelude::*;

attrs! {
    /// Pads `operand` along each axis with `padding_low` elements before, `padding_high` after and `padding_interior`
    /// between its elements, all equal to `padding_value`. Negative padding removes elements.
    pub struct XlaPad {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of the padding sizes.
        index: DType = Attr::dtype("Tindices", sets::INDEX),
    }
}

pub static XLA_PAD: Def<XlaPad> = op::<XlaPad>("XlaPad")
    .inputs(&[
        arg("input", of("T")),
        arg("padding_value", of("T")),
        arg("padding_low", of("Tindices")),
        arg("padding_high", of("Tindices")),
        arg("padding_interior", of("Tindices")),
    ])
    .outputs(&[arg("output", of("T"))])
    .shape(|_, cx| {
        let input = cx.input(0);
        cx.with_rank(1, 0)?;
        let (Some(dims), Some(low), Some(high), Some(inside)) =
            (input.dims(), cx.constant_i64s(2), cx.constant_i64s(3), cx.constant_i64s(4))
        else {
            let shape = input.rank().map_or(PartialShape::Unknown, PartialShape::of_rank);
            cx.output(0, shape);
            return Ok(());
        };
        let margins = low.iter().zip(&high).zip(&inside);
        let sizes =
            dims.iter().zip(margins).map(|(dim, ((&low, &high), &inside))| padded((*dim)?, [low, high, inside]));
        let shape = if [&low, &high, &inside].iter().all(|all| all.len() == dims.len()) {
            PartialShape::new(sizes.collect::<Vec<Dim>>())
        } else {
            PartialShape::of_rank(dims.len())
        };
        cx.output(0, shape);
        Ok(())
    })
    .kernel(|_, cx| {
        let input = cx.input(0)?;
        let shape = input.shape();
        let margins = [vector(cx, 2, "padding_low", shape.rank())?, vector(cx, 3, "padding_high", shape.rank())?];
        let inside = vector(cx, 4, "padding_interior", shape.rank())?;
        let mut axes = Vec::new();
        let mut sizes = Vec::new();
        for (i, (&size, stride)) in shape.iter().zip(shape.strides()).enumerate() {
            let margin = [margins[0][i], margins[1][i], inside[i]];
            let whole = padded(size, margin).ok_or_else(|| {
                Error::invalid(format!("axis {i} of {size} elements cannot be padded"))
                    .expected("no negative padding between elements, and padding that leaves a nonnegative size")
                    .found(format!("{} before, {} behind, {} between", margin[0], margin[1], margin[2]))
            })?;
            sizes.push(whole);
            axes.push((size, stride as isize, margin));
        }
        let whole = Shape::new(sizes.iter().copied())?;
        cx.device.arena.check(whole.num_elements().saturating_mul(input.dtype().size()))?;
        let axes = axes.into_iter().zip(sizes).map(|((size, stride, margin), whole)| axis(size, stride, margin, whole));
        let pad = cx.input(1)?;
        if !pad.shape().is_scalar() {
            return Err(Error::invalid("padding_value must be a scalar").found(format!("shape {}", pad.shape())));
        }
        let out = rearrange(cx, input, &Layout::new(axes), &whole, Some(pad))?;
        cx.set(0, out);
        Ok(())
    })
    .heavy();

/// Returns the padded size of an axis, with padding before, after and between its elements; `None` if it is invalid.
pub fn padded(size: usize, [low, high, inside]: [i64; 3]) -> Dim {
    let inside = usize::try_from(inside).ok()?;
    let spread = size.checked_add(size.saturating_sub(1).checked_mul(inside)?)?;
    usize::try_from(i64::try_from(spread).ok()?.checked_add(low)?.checked_add(high)?).ok()
}

/// Returns an axis of `size` elements with stride `stride`, padded to `whole`.
pub fn axis(size: usize, stride: isize, [low, high, inside]: [i64; 3], whole: usize) -> Axis {
    if inside == 0 {
        let front = low.max(0) as usize;
        let behind = high.max(0) as usize;
        let cut = usize::try_from(-low).unwrap_or(0);
        let kept = whole.saturating_sub(front + behind).min(size.saturating_sub(cut));
        return match low >= -(size as i64) && high >= -(size as i64) {
            true => Axis::default()
                .fill(front.min(whole))
                .copy(kept, cut as isize * stride, stride)
                .fill(whole - kept - front.min(whole)),
            false => Axis::default().fill(whole),
        };
    }
    let every = inside as i128 + 1;
    let element = |at: usize| {
        let from = at as i128 - i128::from(low);
        (from >= 0 && from % every == 0 && from / every < size as i128).then_some((from / every) as isize)
    };
    (0..whole).fold(Axis::default(), |axis, at| match element(at) {
        Some(from) => axis.copy(1, from * stride, stride),
        None => axis.fill(1),
    })
}
