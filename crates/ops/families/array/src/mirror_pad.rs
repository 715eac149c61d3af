//! `MirrorPad` and its gradient: padding that mirrors the tensor.

use super::pad::{infer, margins, padded};
use crate::moves::{Axis, Layout, Mover, rearrange};
use crate::prelude::*;
use crate::rules::first;
use smallvec::SmallVec;

/// `REFLECT` mirrors about the outermost element, `SYMMETRIC` about the edge beyond it.
const MODES: &[&str] = &["REFLECT", "SYMMETRIC"];

attrs! {
    /// Pads `input` with its mirror image: `paddings[i]` gives the number of positions before and after along axis `i`.
    pub struct MirrorPad {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `paddings`.
        index: DType = Attr::dtype("Tpaddings", sets::INDEX).or_type(DType::I32),
        /// Whether the outermost element is mirrored too (`SYMMETRIC`) or not (`REFLECT`).
        mode: String = Attr::one_of("mode", MODES),
    }
}

attrs! {
    /// Gradient of `MirrorPad`: folds the padding back onto the elements it mirrors.
    pub struct MirrorPadGrad {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::NUMBERS),
        /// Element type of `paddings`.
        index: DType = Attr::dtype("Tpaddings", sets::INDEX).or_type(DType::I32),
        /// Whether the outermost element is mirrored too (`SYMMETRIC`) or not (`REFLECT`).
        mode: String = Attr::one_of("mode", MODES),
    }
}

/// 1 if the outermost element is not mirrored.
fn offset(mode: &str) -> usize {
    usize::from(mode == "REFLECT")
}

fn check(offset: usize, size: usize, (before, after): (usize, usize)) -> Result<()> {
    if before.saturating_add(offset) > size || after.saturating_add(offset) > size {
        let than = if offset == 1 { "less than" } else { "no greater than" };
        return Err(Error::invalid(format!("paddings must be {than} the dimension size: {before}, {after}, {size}")));
    }
    Ok(())
}

pub static MIRROR_PAD: Def<MirrorPad> = op::<MirrorPad>("MirrorPad")
    .keeps_finite()
    .inputs(&[arg("input", of("T")), arg("paddings", of("Tpaddings"))])
    .outputs(&[arg("output", of("T"))])
    .shape(|_, cx| infer(cx))
    .gradient(|op, g| {
        let back = MirrorPadGrad { dtype: op.dtype, index: op.index, mode: op.mode.clone() };
        first(g, MIRROR_PAD_GRAD.node(g, &back, &[g.dy(0), g.input(1)]))
    })
    .kernel(mirror_pad::<Cpu>)
    .heavy()
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

/// The kernel of `MirrorPad`, on any device that moves elements.
pub fn mirror_pad<D: Mover>(op: &MirrorPad, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let input = cx.input(0)?;
    let (shape, offset) = (input.shape(), offset(&op.mode));
    let margins = margins(cx.input(1)?, shape.rank())?;
    for (&size, &margin) in shape.iter().zip(&margins) {
        check(offset, size, margin)?;
    }
    let whole = padded(shape, &margins)?;
    let out = if whole == *shape {
        cx.take(0)?
    } else {
        let axes = shape.iter().zip(shape.strides()).zip(&margins);
        let layout = Layout::new(axes.map(|((&d, s), &(before, after))| {
            let s = s as isize;
            let first = (before as isize - 1 + offset as isize) * s;
            let last = (d as isize - 1 - offset as isize) * s;
            Axis::default().copy(before, first, -s).copy(d, 0, s).copy(after, last, -s)
        }));
        rearrange(cx, input, &layout, &whole, None)?
    };
    cx.set(0, out);
    Ok(())
}

pub static MIRROR_PAD_GRAD: Def<MirrorPadGrad> = op::<MirrorPadGrad>("MirrorPadGrad")
    .inputs(&[arg("input", of("T")), arg("paddings", of("Tpaddings"))])
    .outputs(&[arg("output", of("T"))])
    .shape(mirror_pad_grad_shape)
    .gradient(|op, g| {
        let again = MirrorPad { dtype: op.dtype, index: op.index, mode: op.mode.clone() };
        first(g, MIRROR_PAD.node(g, &again, &[g.dy(0), g.input(1)]))
    })
    .kernel(mirror_pad_grad)
    .heavy()
    .batch(|op, b| {
        if b.any_varies(1..b.num_inputs()) {
            return None;
        }
        let none = Tensor::zeros(op.index, Shape::new([1, 2]).ok()?);
        let mut inputs = b.inputs();
        inputs[1] = b.concat(&[b.g().constant(none), inputs[1]]);
        b.one(b.again(&inputs))
    });

fn mirror_pad_grad_shape(_: &MirrorPadGrad, cx: &mut ShapeCx<'_>) -> Result<()> {
    let input = cx.input(0);
    let Some(dims) = input.dims() else { return Ok(()) };
    let shape = match cx.constant(1) {
        Some(constant) => {
            let margins = margins(constant, dims.len())?;
            let size = |(d, &(a, b)): (&Dim, &(usize, usize))| d.and_then(|d| d.checked_sub(a)?.checked_sub(b));
            PartialShape::new(dims.iter().zip(&margins).map(size))
        }
        None => PartialShape::of_rank(dims.len()),
    };
    cx.output(0, shape);
    Ok(())
}

fn mirror_pad_grad(op: &MirrorPadGrad, cx: &mut Cx<'_, '_>) -> Result<()> {
    let input = cx.input(0)?;
    let (shape, offset) = (input.shape(), offset(&op.mode));
    let margins = margins(cx.input(1)?, shape.rank())?;
    let mut sizes: SmallVec<[usize; 4]> = SmallVec::new();
    for (&size, &(before, after)) in shape.iter().zip(&margins) {
        let left = size.checked_sub(before).and_then(|s| s.checked_sub(after)).ok_or_else(|| {
            Error::invalid(format!(
                "Total paddings must be no greater than the input dimension size: {before}, {after}, {size}"
            ))
        })?;
        check(offset, left, (before, after))?;
        sizes.push(left);
    }
    let inner = Shape::new(sizes)?;
    // For each axis, the offset in elements of the result that each position of the input is folded to.
    let targets: Vec<Vec<usize>> = (0..shape.rank())
        .map(|axis| {
            let ((before, _), size, stride) = (margins[axis], inner[axis], inner.strides()[axis]);
            let fold = |i: usize| match i.checked_sub(before) {
                None => before - 1 - i + offset,
                Some(i) if i < size => i,
                Some(i) => 2 * size - 1 - i - offset,
            };
            (0..shape[axis]).map(|i| fold(i) * stride).collect()
        })
        .collect();
    let mut out = cx.zeros(op.dtype, &inner)?;
    dispatch!(op.dtype, numbers, |T| {
        fold::<T>(input.slice()?, &targets, 0, out.slice_mut()?);
    }, else return Err(Error::unimplemented(format!("MirrorPadGrad of {}", op.dtype))));
    cx.set(0, out);
    Ok(())
}

/// Adds the elements of `src` to those of `out` at the sums of their axes' `targets`, plus `at`.
fn fold<T: Number>(src: &[T], targets: &[Vec<usize>], at: usize, out: &mut [T]) {
    match targets {
        [] => src.iter().for_each(|v| out[at] = out[at].add(*v)),
        [last] => src.iter().zip(last).for_each(|(v, to)| out[at + to] = out[at + to].add(*v)),
        [first, rest @ ..] if !src.is_empty() => {
            let width = src.len() / first.len();
            src.chunks_exact(width).zip(first).for_each(|(row, to)| fold(row, rest, at + to, out));
        }
        _ => (),
    }
}
