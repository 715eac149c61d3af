//! Axes and sizes given by tensors and attrs.

use super::Cell;
use crate::prelude::*;

pub use levada_kernel::axis_of;

/// For shape functions: the axis of a tensor of this rank that the constant input `i` gives.
///
/// # Errors
/// `INVALID_ARGUMENT` if there is no such axis.
pub fn partial_axis(cx: &ShapeCx<'_>, i: usize, rank: usize) -> Result<Option<usize>> {
    match cx.constant_i64s(i).as_deref() {
        Some([axis]) => match axis_of(*axis, rank) {
            Some(axis) => Ok(Some(axis)),
            None => Err(Error::invalid(format!("there is no axis {axis} in a tensor of rank {rank}"))),
        },
        _ => Ok(None),
    }
}

/// Returns whether it is a scalar or, as TensorFlow's older kernels allow, a vector of one element.
pub fn is_scalar_like(tensor: &Tensor) -> bool {
    tensor.shape().is_scalar() || tensor.shape().dims() == [1]
}

/// Returns these sizes as a vector of int32 or int64.
///
/// # Errors
/// `INVALID_ARGUMENT` if one does not fit into int32.
pub fn dims_tensor(dtype: DType, dims: &[usize]) -> Result<Tensor> {
    let mut out = Tensor::zeros(dtype, Shape::vector(dims.len()));
    if dtype == DType::I32 {
        for (o, &d) in out.slice_mut::<i32>()?.iter_mut().zip(dims) {
            *o = i32::try_from(d)
                .map_err(|_| Error::invalid(format!("the size {d} does not fit into int32")).help("ask for int64"))?;
        }
    } else {
        out.slice_mut::<i64>()?.iter_mut().zip(dims).for_each(|(o, &d)| *o = d as i64);
    }
    Ok(out)
}

/// Returns the shape given by a tensor of sizes: a vector, or a scalar for a vector of that size.
///
/// # Errors
/// `INVALID_ARGUMENT` for another rank, negative sizes and too many elements. `what` names the tensor.
pub fn shape_of_dims(dims: &Tensor, what: &str) -> Result<Shape> {
    if dims.shape().rank() > 1 {
        return Err(Error::invalid(format!("{what} must be a vector, got shape {}", dims.shape())));
    }
    Shape::from_signed(&dims.to_i64s()?)
}

/// Indices below `limit`, as `usize`.
///
/// # Errors
/// `INVALID_ARGUMENT` that names the first index that is negative or too large.
pub fn positions(indices: &Tensor, limit: usize) -> Result<Vec<usize>> {
    fn check<T: Element + Copy + Into<i64>>(indices: &Tensor, limit: usize) -> Result<Vec<usize>> {
        let found = indices.slice::<T>()?;
        let is_wrong = |&index: &T| index.into() as u64 >= limit as u64;
        // All are compared, which takes less time than a branch for each.
        if found.iter().fold(false, |any, index| any | is_wrong(index))
            && let Some(at) = found.iter().position(is_wrong)
        {
            let (place, index): (_, i64) = (place_of(at, indices.shape()), found[at].into());
            return Err(Error::invalid(format!("indices{place} = {index} is not in [0, {limit})")));
        }
        let mut out = Vec::new();
        let none = |_| Error::resource_exhausted(format!("no memory for {} positions", found.len()));
        out.try_reserve_exact(found.len()).map_err(none)?;
        out.extend(found.iter().map(|&index| index.into() as usize));
        Ok(out)
    }
    match indices.dtype() {
        DType::I64 => check::<i64>(indices, limit),
        DType::I32 => check::<i32>(indices, limit),
        DType::I16 => check::<i16>(indices, limit),
        DType::I8 => check::<i8>(indices, limit),
        DType::U8 => check::<u8>(indices, limit),
        DType::U16 => check::<u16>(indices, limit),
        other => Err(Error::unimplemented(format!("indices of type {other}"))),
    }
}

/// Returns the index of element number `at` as in messages: `[2,0]`, and empty for a scalar.
pub fn place_of(at: usize, shape: &Shape) -> String {
    if shape.is_scalar() {
        return String::new();
    }
    let index = shape.iter().zip(shape.strides()).map(|(&d, s)| (at / s.max(1) % d.max(1)).to_string());
    format!("[{}]", index.collect::<Vec<_>>().join(","))
}

/// Returns input `i` for modification: the input itself if it is not shared, otherwise a copy.
///
/// # Errors
/// `RESOURCE_EXHAUSTED` if there is not enough memory.
pub fn owned(cx: &mut Cx<'_, '_>, i: usize) -> Result<Tensor> {
    let (dtype, shape) = (cx.input(i)?.dtype(), cx.input(i)?.shape().clone());
    let (mut out, taken) = cx.forward_or_alloc(i, dtype, &shape)?;
    if !taken {
        cells!(dtype, |T| T::cells_mut(&mut out)?.clone_from_slice(T::cells(cx.input(i)?)?));
    }
    Ok(out)
}
