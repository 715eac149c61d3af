//! `Split` and `SplitV`: split a tensor along an axis.

use super::concat::{CONCAT_V2, ConcatV2};
use crate::moves::{Axis, Layout, Mover, axis_of, rearrange};
use crate::prelude::*;
use crate::rules::NONE;

attrs! {
    /// Splits `value` into `num_split` equal pieces along axis `split_dim`.
    pub struct Split {
        /// Number of pieces.
        count: i64 = Attr::int("num_split").at_least(1),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

attrs! {
    /// Splits `value` along axis `split_dim` into pieces of sizes `size_splits`, one of which may be -1 for the
    /// remainder.
    pub struct SplitV {
        /// Number of pieces.
        count: i64 = Attr::int("num_split").at_least(1),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `size_splits`.
        sizes: DType = Attr::dtype("Tlen", &[DType::I8, DType::I32, DType::I64]).or_type(DType::I64),
    }
}

fn no_axis(axis: i64, rank: usize) -> Error {
    Error::invalid(format!("-input rank(-{rank}) <= split_dim < input rank ({rank}), but got {axis}"))
}

/// Returns the axis given by input `i` for a tensor of this rank.
fn split_axis<D: Mover>(cx: &KernelCx<'_, '_, D>, i: usize, rank: usize) -> Result<usize> {
    let axis = cx.i64s(i)?;
    let [axis] = axis[..] else { return Err(Error::invalid("split_dim_tensor must have exactly one element.")) };
    axis_of(axis, rank).ok_or_else(|| no_axis(axis, rank))
}

fn equal_size(size: usize, axis: usize, count: usize) -> Result<usize> {
    if !size.is_multiple_of(count) {
        return Err(Error::invalid(format!(
            "Number of ways to split should evenly divide the split dimension, but got split_dim {axis} (size = {size}) \
             and num_split {count}"
        ))
        .help("use SplitV for pieces of different sizes"));
    }
    Ok(size / count)
}

/// Resolves the sizes of the pieces of an axis of size `whole`; one of them may be -1.
fn resolve(sizes: &mut [i64], whole: usize) -> Result<()> {
    let wrong = |sizes: &[i64]| {
        Error::invalid(format!(
            "Determined shape must either match input shape along split_dim exactly if fully specified, or be less than \
             the size of the input along split_dim if not fully specified.  Got: {sizes:?} for {whole}"
        ))
        .expected(format!("sizes that add up to {whole}"))
        .help("give -1 for one of the sizes to let it be the rest")
    };
    let whole = whole as i64;
    if sizes.iter().filter(|&&s| s == -1).count() > 1 {
        return Err(Error::invalid("There can only be one -1 in the input.")
            .found(format!("{sizes:?}"))
            .help("give all sizes but one"));
    }
    if let Some(s) = sizes.iter().find(|&&s| s < -1) {
        return Err(Error::invalid(format!("Split size at index must be >= 0 or -1. Got: {s}")));
    }
    let known =
        sizes.iter().filter(|&&s| s > 0).try_fold(0i64, |a, &s| a.checked_add(s)).ok_or_else(|| wrong(sizes))?;
    match sizes.iter().position(|&s| s == -1) {
        Some(at) if known <= whole => sizes[at] = whole - known,
        None if known == whole => (),
        _ => return Err(wrong(sizes)),
    }
    Ok(())
}

/// Sets output `i` to the next `sizes[i]` positions along axis `axis` of `value` after those of the previous outputs.
fn cut<D: Mover>(cx: &mut KernelCx<'_, '_, D>, value: Tensor, axis: usize, sizes: &[i64]) -> Result<()> {
    let dims = value.shape().dims().to_vec();
    let outer: usize = dims[..axis].iter().product();
    if sizes.len() == 1 {
        cx.set(0, value);
        return Ok(());
    }
    // Pieces that consist of whole rows share the elements.
    let rows = if outer == 1 { Some(value.clone().reshaped(Shape::new(dims[axis..].iter().copied())?)?) } else { None };
    let strides = value.shape().strides();
    let mut at = 0usize;
    for (i, &size) in sizes.iter().enumerate() {
        let size = size as usize;
        let shape = Shape::new(dims.iter().enumerate().map(|(d, &n)| if d == axis { size } else { n }))?;
        let piece = match &rows {
            Some(rows) => rows.rows(at..at + size)?.reshaped(shape)?,
            None => {
                let axes = dims.iter().zip(&strides).enumerate().map(|(d, (&n, &s))| match d == axis {
                    true => Axis::strided(size, (at * s) as isize, s as isize),
                    false => Axis::strided(n, 0, s as isize),
                });
                rearrange(cx, &value, &Layout::new(axes), &shape, None)?
            }
        };
        cx.set(i, piece);
        at += size;
    }
    Ok(())
}

pub static SPLIT: Def<Split> = op::<Split>("Split")
    .views()
    .inputs(&[arg("split_dim", is(DType::I32)), arg("value", of("T"))])
    .outputs(&[arg("output", of("T")).times("num_split")])
    .counts("T")
    .shape(split_shape)
    .gradient(|op, g| vec![NONE, joined(g, op.dtype, 0).into()])
    .kernel(split::<Cpu>)
    .strip(|op| (op.dtype == DType::F32).then_some(Strip::Split))
    .heavy()
    .host_inputs(&[0])
    .batch(|_, b| b.all(b.again(&[axes_behind(b, 0, 1, 0)?, b.input(1)])));

fn split_shape(op: &Split, cx: &mut ShapeCx<'_>) -> Result<()> {
    let value = cx.input(1);
    let Some(dims) = value.dims() else { return Ok(()) };
    let shape = match cx.constant_i64s(0).as_deref() {
        Some([axis]) => {
            let axis = axis_of(*axis, dims.len()).ok_or_else(|| no_axis(*axis, dims.len()))?;
            let size = dims[axis].map(|d| equal_size(d, axis, op.count as usize)).transpose()?;
            PartialShape::new(dims.iter().enumerate().map(|(i, &d)| if i == axis { size } else { d }))
        }
        _ => PartialShape::of_rank(dims.len()),
    };
    (0..cx.num_outputs()).for_each(|i| cx.output(i, shape.clone()));
    Ok(())
}

/// The kernel of `Split`, on any device that moves elements.
pub fn split<D: Mover>(op: &Split, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let shape = cx.input(1)?.shape();
    let dim = cx.input(0)?.shape();
    if !dim.is_scalar() {
        return Err(Error::invalid(format!("split_dim must be a scalar but has rank {}", dim.rank())));
    }
    let axis = split_axis(cx, 0, shape.rank())?;
    let size = equal_size(shape[axis], axis, op.count as usize)?;
    let value = cx.take(1)?;
    cut(cx, value, axis, &vec![size as i64; op.count as usize])
}

pub static SPLIT_V: Def<SplitV> = op::<SplitV>("SplitV")
    .views()
    .inputs(&[arg("value", of("T")), arg("size_splits", of("Tlen")), arg("split_dim", is(DType::I32))])
    .outputs(&[arg("output", of("T")).times("num_split")])
    .shape(split_v_shape)
    .gradient(|op, g| vec![joined(g, op.dtype, 2).into(), NONE, NONE])
    .kernel(split_v::<Cpu>)
    .heavy()
    .host_inputs(&[1, 2])
    .batch(|_, b| {
        if b.varies(1) {
            return None;
        }
        b.all(b.again(&[b.input(0), b.input(1), axes_behind(b, 2, 0, 0)?]))
    });

fn split_v_shape(_: &SplitV, cx: &mut ShapeCx<'_>) -> Result<()> {
    let value = cx.input(0);
    let Some(dims) = value.dims() else { return Ok(()) };
    let axis = match cx.constant_i64s(2).as_deref() {
        Some([axis]) => Some(axis_of(*axis, dims.len()).ok_or_else(|| no_axis(*axis, dims.len()))?),
        _ => None,
    };
    let sizes = match (cx.constant_i64s(1), axis.and_then(|a| dims[a])) {
        (Some(mut sizes), Some(whole)) => {
            resolve(&mut sizes, whole)?;
            Some(sizes)
        }
        (sizes, _) => sizes,
    };
    for i in 0..cx.num_outputs() {
        let Some(axis) = axis else {
            cx.output(i, PartialShape::of_rank(dims.len()));
            continue;
        };
        let size = sizes.as_ref().and_then(|s| s.get(i)).and_then(|&s| usize::try_from(s).ok());
        cx.output(i, PartialShape::new(dims.iter().enumerate().map(|(d, &n)| if d == axis { size } else { n })));
    }
    Ok(())
}

/// Concatenates the gradients of the pieces along the axis given by input `axis`.
fn joined(g: &GradCx, dtype: DType, axis: usize) -> V<'_> {
    let mut pieces: Vec<V<'_>> = (0..g.num_outputs()).map(|i| g.dy(i)).collect();
    if let [piece] = pieces[..] {
        return piece;
    }
    let attrs = ConcatV2 { count: pieces.len() as i64, dtype, index: DType::I32 };
    pieces.push(g.input(axis));
    CONCAT_V2.node(g, &attrs, &pieces)
}

/// The kernel of `SplitV`, on any device that moves elements.
pub fn split_v<D: Mover>(op: &SplitV, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let sizes = cx.input(1)?;
    if sizes.shape().rank() != 1 || sizes.num_elements() as i64 != op.count {
        return Err(Error::invalid(format!(
            "size of the split_tensor must be 1-D and have the same elements as outputs got {}-D and {} elements",
            sizes.shape().rank(),
            sizes.num_elements()
        )));
    }
    let mut sizes = sizes.to_i64s()?;
    let shape = cx.input(0)?.shape();
    if shape.is_scalar() {
        return Err(Error::invalid("Can't split a 0 dimensional tensor"));
    }
    let axis = split_axis(cx, 2, shape.rank())?;
    resolve(&mut sizes, shape[axis])?;
    let value = cx.take(0)?;
    cut(cx, value, axis, &sizes)
}
