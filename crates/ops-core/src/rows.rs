//! Tensors assembled from rows.

use crate::prelude::*;
use levada_kernel::Arena;
use std::sync::Arc;

/// Concatenates the elements of `parts` to a tensor of shape `shape`.
///
/// # Errors
/// `INVALID_ARGUMENT` if the parts have other dtypes or do not fill the shape, `RESOURCE_EXHAUSTED` if there is not
/// enough memory.
pub fn join<'a>(
    arena: &Arc<Arena>,
    dtype: DType,
    shape: Shape,
    parts: impl Iterator<Item = &'a Tensor>,
) -> Result<Tensor> {
    let mut out = arena.tensor(dtype, shape)?;
    let mut at = 0;
    if let Some(bytes) = out.bytes_mut() {
        for part in parts {
            let part =
                part.bytes().filter(|p| part.dtype() == dtype && at + p.len() <= bytes.len()).ok_or_else(misfit)?;
            bytes[at..at + part.len()].copy_from_slice(part);
            at += part.len();
        }
        return if at == bytes.len() { Ok(out) } else { Err(misfit()) };
    }
    dispatch!(dtype, any, |T| {
        let items = out.slice_mut::<T>()?;
        for part in parts {
            let part = part.slice::<T>()?;
            items.get_mut(at..at + part.len()).ok_or_else(misfit)?.clone_from_slice(part);
            at += part.len();
        }
        if at != items.len() {
            return Err(misfit());
        }
    }, else return Err(misfit()));
    Ok(out)
}

#[cold]
fn misfit() -> Error {
    Error::invalid("the parts do not fill the whole")
}

/// Returns the shape of `n` stacked elements of shape `shape`.
pub fn batch_shape(n: usize, shape: &Shape) -> Result<Shape> {
    Shape::new(std::iter::once(n).chain(shape.iter().copied()))
}

/// Stacks `parts` as rows, each padded with zeros at the end of every axis to the shape `row`.
///
/// # Errors
/// See [`join`].
pub fn pad<'a>(
    arena: &Arc<Arena>,
    dtype: DType,
    row: &Shape,
    parts: impl ExactSizeIterator<Item = &'a Tensor>,
) -> Result<Tensor> {
    fn place<T: Clone>(out: &mut [T], row: &[usize], part: &[T], dims: &[usize]) {
        match (row, dims) {
            ([_, row_rest @ ..], [n, dims_rest @ ..]) if !row_rest.is_empty() => {
                let (step, part_step) = (row_rest.iter().product::<usize>(), dims_rest.iter().product::<usize>());
                for i in 0..*n {
                    place(&mut out[i * step..], row_rest, &part[i * part_step..(i + 1) * part_step], dims_rest);
                }
            }
            _ => out[..part.len()].clone_from_slice(part),
        }
    }
    let mut out = arena.zeros(dtype, batch_shape(parts.len(), row)?)?;
    let step = row.num_elements();
    dispatch!(dtype, any, |T| {
        let items = out.slice_mut::<T>()?;
        for (i, part) in parts.enumerate() {
            if part.shape().rank() != row.rank() || part.shape().iter().zip(row.iter()).any(|(p, r)| p > r) {
                return Err(misfit());
            }
            place(&mut items[i * step..(i + 1) * step], row, part.slice::<T>()?, part.shape());
        }
    }, else return Err(misfit()));
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_joined_and_padded() {
        let arena = Arena::for_this_machine();
        let a = Tensor::from_vec(Shape::new([1, 2]).unwrap(), vec![1i32, 2]).unwrap();
        let b = Tensor::from_vec(Shape::new([2, 1]).unwrap(), vec![3i32, 4]).unwrap();
        let joined = join(&arena, DType::I32, Shape::vector(4), [&a, &b].into_iter()).unwrap();
        assert_eq!(joined.slice::<i32>().unwrap(), [1, 2, 3, 4]);
        assert!(join(&arena, DType::I32, Shape::vector(3), [&a, &b].into_iter()).is_err());
        assert!(join(&arena, DType::F32, Shape::vector(4), [&a, &b].into_iter()).is_err());
        let padded = pad(&arena, DType::I32, &Shape::new([2, 3]).unwrap(), [&a, &b].into_iter()).unwrap();
        assert_eq!(padded.slice::<i32>().unwrap(), [1, 2, 0, 0, 0, 0, 3, 0, 0, 4, 0, 0]);
        let words = Tensor::vector(vec![Bytes::from_static(b"x")]);
        let scalar = Tensor::string("y");
        let joined = join(&arena, DType::Str, Shape::vector(2), [&words, &scalar].into_iter()).unwrap();
        assert_eq!(joined.slice::<Bytes>().unwrap(), ["x", "y"]);
    }
}
