//! `Concat` and `ConcatV2`: concatenate tensors along an axis.

use super::concat_offset::{CONCAT_OFFSET, ConcatOffset};
use super::slice::SLICE;
use super::split::{SPLIT_V, SplitV};
use crate::moves::{Mover, axis_of, is_scalar_like};
use crate::prelude::*;
use crate::rules::{Handles, NONE};
use smallvec::SmallVec;

attrs! {
    /// Concatenates `values` along axis `concat_dim`.
    pub struct Concat {
        /// Number of tensors.
        count: i64 = Attr::int("N").at_least(2),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

attrs! {
    /// Concatenates `values` along axis `axis`.
    pub struct ConcatV2 {
        /// Number of tensors.
        count: i64 = Attr::int("N").at_least(2),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `axis`.
        index: DType = Attr::dtype("Tidx", sets::INDEX).or_type(DType::I32),
    }
}

/// Infers the shape of the concatenation of inputs `first .. first + count` along the axis given by input `axis`.
fn infer(cx: &mut ShapeCx<'_>, first: usize, count: usize, axis: usize) -> Result<()> {
    let shapes: Vec<PartialShape> = (first..first + count).map(|i| cx.input(i)).collect();
    let Some(rank) = shapes.iter().find_map(PartialShape::rank) else { return Ok(()) };
    if let Some(other) = shapes.iter().filter_map(PartialShape::rank).find(|&r| r != rank) {
        return Err(Error::invalid(format!("ConcatOp : Ranks of all input tensors should match: {rank} vs. {other}")));
    }
    let axis = match cx.constant_i64s(axis).as_deref() {
        Some([axis]) => axis_of(*axis, rank).ok_or_else(|| no_axis(*axis, rank))?,
        _ => {
            cx.output(0, PartialShape::of_rank(rank));
            return Ok(());
        }
    };
    let mut merged = PartialShape::of_rank(rank);
    let mut total = Some(0usize);
    for shape in &shapes {
        let size = shape.dim(axis as isize);
        total = total.zip(size).and_then(|(a, b)| a.checked_add(b));
        if let Some(dims) = shape.dims() {
            let others = dims.iter().enumerate().map(|(i, &d)| if i == axis { None } else { d });
            merged = merged.merge(&PartialShape::new(others))?;
        }
    }
    if let PartialShape::Ranked(dims) = &mut merged {
        dims[axis] = total;
    }
    cx.output(0, merged);
    Ok(())
}

fn no_axis(axis: i64, rank: usize) -> Error {
    Error::invalid(format!(
        "ConcatOp : Expected concatenating dimensions in the range [-{rank}, {rank}), but got {axis}"
    ))
}

/// Concatenates inputs `first .. first + count` along the axis given by input `axis`.
fn compute<D: Mover>(
    cx: &mut KernelCx<'_, '_, D>,
    first: usize,
    count: usize,
    axis: usize,
    dtype: DType,
) -> Result<()> {
    let axis = cx.input(axis)?;
    if !is_scalar_like(axis) {
        return Err(Error::invalid(format!("Concat dim tensor should be a scalar, but got shape {}", axis.shape())));
    }
    let axis = axis.to_i64s()?[0];
    let mut parts: SmallVec<[&Tensor; 8]> = SmallVec::with_capacity(count);
    for i in first..first + count {
        parts.push(cx.input(i)?);
    }
    let dims = parts[0].shape().dims();
    let rank = dims.len();
    let axis = axis_of(axis, rank).ok_or_else(|| no_axis(axis, rank))?;
    let mut total = 0usize;
    for (i, part) in parts.iter().enumerate() {
        let shape = part.shape();
        if shape.rank() != rank {
            return Err(Error::invalid(format!(
                "ConcatOp : Ranks of all input tensors should match: shape[0] = {} vs. shape[{i}] = {shape}",
                parts[0].shape()
            )));
        }
        if (0..rank).any(|d| d != axis && shape[d] != dims[d]) {
            return Err(Error::invalid(format!(
                "ConcatOp : Dimension {axis} in both shapes must be equal: shape[0] = {} vs. shape[{i}] = {shape}",
                parts[0].shape()
            )));
        }
        total = total.checked_add(shape[axis]).ok_or_else(|| Error::invalid("the concatenation is too long"))?;
    }
    let shape = Shape::new(dims.iter().enumerate().map(|(i, &d)| if i == axis { total } else { d }))?;
    if let Some(whole) = parts.iter().position(|p| p.shape() == &shape) {
        drop(parts);
        let out = cx.take(first + whole)?;
        cx.set(0, out);
        return Ok(());
    }
    let out = D::join(cx, &parts, axis, &shape, dtype)?;
    drop(parts);
    cx.set(0, out);
    Ok(())
}

pub static CONCAT: Def<Concat> = op::<Concat>("Concat")
    .keeps_finite()
    .inputs(&[arg("concat_dim", is(DType::I32)), arg("values", of("T")).times("N")])
    .outputs(&[arg("output", of("T"))])
    .counts("T")
    .shape(|_, cx| infer(cx, 1, cx.num_inputs().saturating_sub(1), 0))
    .gradient(|op, g| {
        let inputs = g.inputs();
        let mut grads = vec![NONE];
        grads.extend(parts(op.dtype, g.dy(0), &inputs[1..], inputs[0]));
        grads
    })
    .kernel(concat::<Cpu>)
    .heavy()
    .host_inputs(&[0])
    .batch(|_, b| {
        let mut inputs = vec![axes_behind(b, 0, 1, 0)?];
        inputs.extend((1..b.num_inputs()).map(|i| b.each(i)));
        b.one(b.again(&inputs))
    });

/// The kernel of `Concat`, on any device that moves elements.
pub fn concat<D: Mover>(op: &Concat, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    compute(cx, 1, cx.num_inputs() - 1, 0, op.dtype)
}

pub static CONCAT_V2: Def<ConcatV2> = op::<ConcatV2>("ConcatV2")
    .keeps_finite()
    .inputs(&[arg("values", of("T")).times("N"), arg("axis", of("Tidx"))])
    .outputs(&[arg("output", of("T"))])
    .counts("T")
    .shape(|_, cx| {
        let count = cx.num_inputs().saturating_sub(1);
        infer(cx, 0, count, count)
    })
    .gradient(|op, g| {
        let inputs = g.inputs();
        let (axis, values) = (inputs[inputs.len() - 1], &inputs[..inputs.len() - 1]);
        let mut grads = parts(op.dtype, g.dy(0), values, axis);
        grads.push(NONE);
        grads
    })
    .kernel(concat_v2::<Cpu>)
    .strip(|op| (op.dtype == DType::F32).then_some(Strip::Join))
    .heavy()
    .host_inputs(&[-1])
    .batch(|_, b| {
        let last = b.num_inputs() - 1;
        let mut inputs: Vec<V<'_>> = (0..last).map(|i| b.each(i)).collect();
        inputs.push(axes_behind(b, last, 0, 0)?);
        b.one(b.again(&inputs))
    });

/// The kernel of `ConcatV2`, on any device that moves elements.
pub fn concat_v2<D: Mover>(op: &ConcatV2, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let count = cx.num_inputs() - 1;
    compute(cx, 0, count, count, op.dtype)
}

/// Returns the parts of `dy` that belong to the values of a concatenation along `axis`.
fn parts<'g>(dtype: DType, dy: V<'g>, values: &[V<'g>], axis: V<'g>) -> Grads {
    if values.len() == 1 {
        return vec![dy.into()];
    }
    let g = dy.cx();
    let fixed = axis.fixed_ints().and_then(|a| a.first().copied());
    let rank = values.iter().find_map(|v| v.rank());
    let sizes: Option<Vec<i32>> = match (fixed, rank) {
        (Some(axis), Some(rank)) => {
            let at = usize::try_from(if axis < 0 { axis + rank as i64 } else { axis }).unwrap_or(0);
            values.iter().map(|v| i32::try_from(v.shape().dims()?.get(at).copied()??).ok()).collect()
        }
        _ => None,
    };
    if let Some(sizes) = sizes {
        let split = SplitV { count: values.len() as i64, dtype, sizes: DType::I32 };
        let all = SPLIT_V.node(g, &split, &[dy, g.ints(&sizes), axis.cast(DType::I32)]);
        return (0..values.len()).map(|i| all.out(i).into()).collect();
    }
    let shapes: Vec<V<'g>> = values.iter().map(|v| v.dims()).collect();
    let mut inputs = vec![axis.cast(DType::I32).floor_mod(values[0].rank_value())];
    inputs.extend(&shapes);
    let offset = ConcatOffset { count: values.len() as i64, index: DType::I32 };
    let offsets = CONCAT_OFFSET.node(g, &offset, &inputs);
    shapes.iter().enumerate().map(|(i, &shape)| SLICE.call([dy, offsets.out(i), shape]).into()).collect()
}
