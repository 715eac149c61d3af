//! Operations of variants on the tensors that they hold.

use crate::prelude::*;
use levada_graph::{Variant, VariantValue};
use levada_kernel::Io;

/// Zeros of the dtype and shape of a tensor; for variants, the zero of their kind.
///
/// # Errors
/// `INVALID_ARGUMENT` for dtypes without a zero, `INTERNAL` for variants of a kind without one.
pub fn zeros_like(tensor: &Tensor) -> Result<Tensor> {
    if matches!(tensor.dtype(), DType::Str | DType::Resource) {
        return Err(Error::invalid(format!("Trying to compute zeros_like for unsupported dtype {}", tensor.dtype())));
    }
    if tensor.dtype() != DType::Variant {
        check_memory(tensor)?;
        return Tensor::try_zeros(tensor.dtype(), tensor.shape().clone());
    }
    let zeros: Result<Vec<Variant>> = tensor.slice::<Variant>()?.iter().map(Variant::zeros_like).collect();
    Tensor::from_vec(tensor.shape().clone(), zeros?)
}

/// Checks that the run may allocate as much memory as this tensor occupies.
fn check_memory(like: &Tensor) -> Result<()> {
    levada_kernel::lane::meter().map_or(Ok(()), |meter| meter.check(like.num_bytes()))
}

/// Applies [`zeros_like`] to each tensor; tensors that share memory yield zeros that share memory, as do tensors of
/// the same shape.
///
/// # Errors
/// See [`zeros_like`].
pub fn zeros_like_each<'a>(tensors: impl Iterator<Item = Option<&'a Tensor>>) -> Result<Vec<Option<Tensor>>> {
    let mut last: Option<Tensor> = None;
    let mut zeros = |tensor: &Tensor| {
        let plain = tensor.dtype().is_plain();
        match &last {
            Some(zeros) if plain && zeros.dtype() == tensor.dtype() && zeros.shape() == tensor.shape() => {
                Ok(zeros.clone())
            }
            _ => {
                let zeros = zeros_like(tensor)?;
                last = Some(zeros.clone());
                Ok(zeros)
            }
        }
    };
    tensors.map(|tensor| tensor.map(&mut zeros).transpose()).collect()
}

/// Applies [`add`] to each pair; identical pairs share one sum. The sum of a tensor and nothing is the tensor.
///
/// # Errors
/// See [`add`].
pub fn add_each<'a>(
    pairs: impl Iterator<Item = (Option<&'a Tensor>, Option<&'a Tensor>)>,
) -> Result<Vec<Option<Tensor>>> {
    let mut last: Option<(&Tensor, &Tensor, Tensor)> = None;
    let mut sum = |a: &'a Tensor, b: &'a Tensor| match &last {
        Some((c, d, sum)) if a.is_same(c) && b.is_same(d) => Ok(sum.clone()),
        _ => {
            let sum = add(a, b)?;
            last = Some((a, b, sum.clone()));
            Ok(sum)
        }
    };
    let one = |pair: (Option<&'a Tensor>, Option<&'a Tensor>)| match pair {
        (Some(a), Some(b)) => sum(a, b).map(Some),
        (a, b) => Ok(a.or(b).cloned()),
    };
    pairs.map(one).collect()
}

/// Returns the sum of two tensors.
///
/// # Errors
/// `INVALID_ARGUMENT` if their dtypes or shapes differ, or they cannot be added.
pub fn add(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    if a.dtype() != b.dtype() || a.shape() != b.shape() {
        return Err(Error::invalid(format!(
            "Trying to add two tensors with incompatible element types or shapes. One is {}{} and the other is {}{}.",
            a.dtype(),
            a.shape(),
            b.dtype(),
            b.shape()
        )));
    }
    if a.dtype() == DType::Variant {
        let pairs = a.slice::<Variant>()?.iter().zip(b.slice::<Variant>()?);
        let sums: Result<Vec<Variant>> = pairs.map(|(a, b)| a.add(b)).collect();
        return Tensor::from_vec(a.shape().clone(), sums?);
    }
    check_memory(a)?;
    let mut sum = a.clone();
    dispatch!(sum.dtype(), numbers, |T| {
        let b = b.slice::<T>()?;
        sum.slice_mut::<T>()?.iter_mut().zip(b).for_each(|(s, &v)| *s = Number::add(*s, v));
    }, else return Err(Error::invalid(format!("Trying to add unsupported dtype {}", sum.dtype()))));
    Ok(sum)
}

/// Returns the value of kind `T` in input `i`, which must be a scalar; `what` names the kind.
///
/// # Errors
/// `INVALID_ARGUMENT` if it is something else.
pub fn value<'a, T: VariantValue>(cx: &'a Io<'_>, i: usize, what: &str) -> Result<&'a T> {
    let input = cx.input(i)?;
    if !input.shape().is_scalar() {
        return Err(Error::invalid(format!("Input {what} must be a scalar saw: {}", input.shape())));
    }
    let found = input.slice::<Variant>()?.first();
    found.and_then(Variant::get).ok_or_else(|| not_a(what, found))
}

/// Returns the error for a variant that is not a `what`.
pub fn not_a(what: &str, found: Option<&Variant>) -> Error {
    Error::invalid(format!("Input handle is not a {what}. Saw: '{found:?}'"))
}

/// Modifies the value of kind `T` in input `i`, which must be a scalar, in place if it is not shared, and sets it as
/// output 0.
///
/// # Errors
/// See [`value`], and any error of `change`.
pub fn change<T: VariantValue + Clone>(
    cx: &mut Io<'_>,
    i: usize,
    what: &str,
    change: impl FnOnce(&mut T) -> Result<()>,
) -> Result<()> {
    value::<T>(cx, i, what)?;
    let mut handle = cx.take(i)?;
    if handle.is_unique()
        && let Some(value) = handle.slice_mut::<Variant>()?.first_mut().and_then(Variant::get_mut::<T>)
    {
        change(value)?;
        cx.set(0, handle);
        return Ok(());
    }
    let held = handle.item::<Variant>()?;
    let mut value = held.get::<T>().ok_or_else(|| not_a(what, Some(&held)))?.clone();
    change(&mut value)?;
    cx.set(0, Tensor::scalar(Variant::new(value)));
    Ok(())
}

/// Returns the shape given by a tensor: a vector of sizes, with -1 for unknown ones, or the scalar -1 for an unknown
/// shape.
///
/// # Errors
/// `INVALID_ARGUMENT` for anything else.
pub fn described_shape(tensor: &Tensor) -> Result<PartialShape> {
    let dims = tensor.to_i64s()?;
    match (tensor.shape().rank(), dims.as_slice()) {
        (0, [-1]) => return Ok(PartialShape::Unknown),
        (0, _) => {
            return Err(Error::invalid(
                "The only valid scalar shape tensor is the fully unknown shape specified as -1.",
            ));
        }
        (1, _) => {}
        (rank, _) => {
            return Err(Error::invalid(format!("Shape must be at most rank 1 but is rank {rank}")));
        }
    }
    if let Some(dim) = dims.iter().find(|&&d| d < -1) {
        return Err(Error::invalid(format!("Expected shape dimensions to be non-negative or -1, got {dim}")));
    }
    if dims.len() > levada_graph::shape::MAX_RANK {
        return Err(Error::invalid(format!("Shape has too many dimensions: {}", dims.len())));
    }
    let shape = PartialShape::from_signed(&dims);
    if dims.iter().all(|&d| d >= 0) {
        Shape::from_signed(&dims)?;
    }
    Ok(shape)
}

/// Returns the statically known shape given by constant input `i`.
pub fn constant_shape(cx: &ShapeCx<'_>, i: usize) -> PartialShape {
    match (cx.constant(i), cx.input(i).rank()) {
        (Some(value), _) => described_shape(value).unwrap_or_default(),
        (None, Some(1)) => cx.constant_shape(i),
        (None, _) => PartialShape::Unknown,
    }
}
