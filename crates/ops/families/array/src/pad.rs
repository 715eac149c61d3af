//! `Pad` and `PadV2`: padding around a tensor.

use super::slice::SLICE;
use crate::moves::{Axis, Layout, Mover, rearrange};
use crate::prelude::*;
use crate::rules::{concat, first, range};

attrs! {
    /// Pads `input` with zeros: `paddings[i]` gives the number of positions before and after along axis `i`.
    pub struct Pad {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `paddings`.
        index: DType = Attr::dtype("Tpaddings", sets::INDEX).or_type(DType::I32),
    }
}

/// Parses `paddings` for `rank` axes: the amount before and after each.
pub(super) fn margins(paddings: &Tensor, rank: usize) -> Result<Vec<(usize, usize)>> {
    let shape = paddings.shape();
    if shape.rank() != 2 || shape[1] != 2 {
        return Err(Error::invalid(format!("paddings must be a matrix with 2 columns: {shape}")));
    }
    if shape[0] != rank {
        return Err(Error::invalid(format!(
            "The first dimension of paddings must be the rank of inputs{shape} for rank {rank}"
        )));
    }
    let values = paddings.to_i64s()?;
    let pair = |p: &[i64]| Some((usize::try_from(p[0]).ok()?, usize::try_from(p[1]).ok()?));
    let pairs: Option<Vec<_>> = values.chunks_exact(2).map(pair).collect();
    pairs.ok_or_else(|| Error::invalid(format!("Paddings must be non-negative: {values:?}")))
}

/// Returns the shape with this padding added.
pub(super) fn padded(shape: &Shape, margins: &[(usize, usize)]) -> Result<Shape> {
    let size = |(&d, &(a, b)): (&usize, &(usize, usize))| d.checked_add(a)?.checked_add(b);
    let sizes: Option<Vec<usize>> = shape.iter().zip(margins).map(size).collect();
    Shape::new(sizes.ok_or_else(|| Error::invalid("the padded tensor has too many elements"))?)
}

/// Infers the shape of input 0 padded by input 1.
pub(super) fn infer(cx: &mut ShapeCx<'_>) -> Result<()> {
    let (input, paddings) = (cx.input(0), cx.with_rank(1, 2)?);
    let rank = input.rank().or(paddings.dim(0));
    let shape = match (input.dims(), cx.constant(1)) {
        (Some(dims), Some(constant)) => {
            let margins = margins(constant, dims.len())?;
            let size = |(d, &(a, b)): (&Dim, &(usize, usize))| d.and_then(|d| d.checked_add(a)?.checked_add(b));
            PartialShape::new(dims.iter().zip(&margins).map(size))
        }
        _ => rank.map_or(PartialShape::Unknown, PartialShape::of_rank),
    };
    cx.output(0, shape);
    Ok(())
}

pub static PAD: Def<Pad> = op::<Pad>("Pad")
    .keeps_finite()
    .inputs(&[arg("input", of("T")), arg("paddings", of("Tpaddings"))])
    .outputs(&[arg("output", of("T"))])
    .also(&[form("PadV2").doc("Like `Pad`, with `constant_values` instead of zeros.").inputs(&[
        arg("input", of("T")),
        arg("paddings", of("Tpaddings")),
        arg("constant_values", of("T")),
    ])])
    .shape(|_, cx| infer(cx))
    .gradient(|_, g| {
        let (x, paddings, dy) = (g.input(0), g.input(1).cast(DType::I32), g.dy(0));
        let rank = x.rank_value().reshape(g.ints(&[1]));
        let before = SLICE.call([paddings, g.ints(&[0, 0]), concat(g, &[rank, g.ints(&[1])], 0)]);
        let dx = SLICE.call([dy, before.reshape(g.ints(&[-1])), x.shape_value()]);
        let mut grads = first(g, dx);
        if let Some(value) = grads.get_mut(2) {
            // The padding value receives the gradients of all padding elements.
            let around = dy - PAD.call([dx, g.input(1)]);
            *value = around.sum(range(g, dy.rank_value())).into();
        }
        grads
    })
    .kernel(pad::<Cpu>)
    .heavy()
    .margin_input(1)
    .host_inputs(&[1])
    .batch(|op, b| {
        if b.any_varies(1..b.num_inputs()) {
            return None;
        }
        let none = Tensor::zeros(op.index, Shape::new([1, 2]).ok()?);
        let mut inputs = b.inputs();
        inputs[1] = b.concat(&[b.g().constant(none), inputs[1]]);
        b.one(b.again(&inputs))
    });

/// The kernel of `Pad`, on any device that moves elements.
pub fn pad<D: Mover>(_: &Pad, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let (input, paddings) = (cx.input(0)?, cx.input(1)?);
    let shape = input.shape();
    let margins = margins(paddings, shape.rank())?;
    let value = if cx.num_inputs() > 2 { Some(cx.input(2)?) } else { None };
    if let Some(value) = value.filter(|v| !v.shape().is_scalar()) {
        return Err(Error::invalid(format!("constant_values must be a scalar. Found: {}", value.shape())));
    }
    let whole = padded(shape, &margins)?;
    let out = if whole == *shape {
        cx.take(0)?
    } else {
        let axes = shape.iter().zip(shape.strides()).zip(&margins);
        let layout = Layout::new(axes.map(|((&d, s), &(a, b))| Axis::default().fill(a).copy(d, 0, s as isize).fill(b)));
        rearrange(cx, input, &layout, &whole, value)?
    };
    cx.set(0, out);
    Ok(())
}
