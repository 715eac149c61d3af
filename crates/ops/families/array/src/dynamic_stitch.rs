//! `DynamicStitch` and `ParallelDynamicStitch`: interleave slices of several tensors by index.

use crate::moves::Cell;
use crate::prelude::*;
use crate::rules::{Handles, NONE};

attrs! {
    /// Builds a tensor whose row `indices[i][j]` is `data[i][j]`; the last one wins where an index is repeated.
    pub struct Stitch {
        /// Number of tensors.
        count: i64 = Attr::int("N").at_least(1),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static DYNAMIC_STITCH: Def<Stitch> = op("DynamicStitch")
    .inputs(&[arg("indices", is(DType::I32)).times("N"), arg("data", of("T")).times("N")])
    .outputs(&[arg("merged", of("T"))])
    .also(&[form("ParallelDynamicStitch")
        .doc("Builds a tensor whose row `indices[i][j]` is `data[i][j]`; any may win where an index is repeated.")])
    .counts("T")
    .shape(shape)
    .gradient(|_, g| {
        let n = g.num_inputs() / 2;
        let rows = (0..n).map(|i| g.dy(0).gather(g.input(i)).into());
        std::iter::repeat_n(NONE, n).chain(rows).collect()
    })
    .kernel(|op, cx| {
        let out = stitch(cx, op.dtype)?;
        cx.set(0, out);
        Ok(())
    })
    .heavy();

fn shape(_: &Stitch, cx: &mut ShapeCx<'_>) -> Result<()> {
    let count = cx.num_inputs() / 2;
    let mut rows = PartialShape::Unknown;
    let mut largest = Some(-1);
    for i in 0..count {
        largest = largest.zip(cx.constant_i64s(i)).map(|(m, v): (i64, _)| v.into_iter().fold(m, i64::max));
        let (prefix, data) = (cx.input(i), cx.input(count + i));
        if let (Some(prefix), Some(dims)) = (prefix.rank(), data.dims()) {
            let rest = dims.get(prefix..).ok_or_else(|| Error::invalid("data.shape must start with indices.shape"))?;
            rows = rows.merge(&PartialShape::new(rest.iter().copied()))?;
        }
    }
    let size = largest.and_then(|m| usize::try_from(m + 1).ok());
    cx.output(0, PartialShape::vector(size).concat(&rows));
    Ok(())
}

/// Returns the shape of the merged slices and the number of elements per slice.
///
/// # Errors
/// `INVALID_ARGUMENT` if the shapes of indices and slices do not match.
pub fn stitched_shape(cx: &levada_kernel::Io<'_>) -> Result<(Shape, usize)> {
    let count = cx.num_inputs() / 2;
    let mut rest: Option<&[usize]> = None;
    let mut largest = -1;
    for i in 0..count {
        let (indices, data) = (cx.input(i)?, cx.input(count + i)?);
        let (prefix, whole) = (indices.shape(), data.shape());
        if !whole.starts_with(prefix) {
            return Err(Error::invalid(format!(
                "data[{i}].shape = {whole} does not start with indices[{i}].shape = {prefix}"
            )));
        }
        let own = &whole[prefix.rank()..];
        if rest.is_some_and(|rest| rest != own) {
            return Err(Error::invalid(format!(
                "Need data[0].shape[{}:] = data[{i}].shape[{}:], got data[0].shape = {}, data[{i}].shape = {whole}",
                cx.input(0)?.shape().rank(),
                prefix.rank(),
                cx.input(count)?.shape()
            )));
        }
        rest = Some(own);
        for &index in indices.slice::<i32>()? {
            if index < 0 {
                return Err(Error::invalid(format!("indices[{i}] is out of range: {index}")));
            }
            largest = largest.max(i64::from(index));
        }
    }
    let rest = rest.unwrap_or(&[]);
    let shape = Shape::new(std::iter::once((largest + 1) as usize).chain(rest.iter().copied()))?;
    Ok((shape, rest.iter().product()))
}

fn stitch(cx: &Cx<'_, '_>, dtype: DType) -> Result<Tensor> {
    let count = cx.num_inputs() / 2;
    let (shape, width) = stitched_shape(cx)?;
    // Rows that no index refers to are zero.
    let mut out = cx.zeros(dtype, &shape)?;
    if width > 0 {
        cells!(dtype, |T| {
            let to = T::cells_mut(&mut out)?;
            for i in 0..count {
                let rows = T::cells(cx.input(count + i)?)?.chunks_exact(width);
                for (&index, row) in cx.slice::<i32>(i)?.iter().zip(rows) {
                    let at = index as usize * width;
                    to[at..at + width].clone_from_slice(row);
                }
            }
        });
    }
    Ok(out)
}
