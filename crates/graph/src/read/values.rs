//! How a list of values fills a tensor: the common part of JSON and protobuf.

use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::shape::Shape;
use crate::tensor::{Element, Tensor};
use bytes::Bytes;

/// Bytes that tensors of repeated values may take in one file: the maximum size of a protobuf file.
pub(crate) const EXPANSION_LIMIT: usize = 1 << 31;

/// A tensor of `values`; the last one is repeated to fill the shape, surplus ones are ignored, and an empty list gives
/// zeros. Repeated values count against `budget`.
///
/// # Errors
/// `RESOURCE_EXHAUSTED` if the repeated values would exceed the budget or the available memory.
pub(crate) fn fill<T: Element>(dtype: DType, shape: Shape, mut values: Vec<T>, budget: &mut usize) -> Result<Tensor> {
    let n = shape.num_elements();
    if n > values.len() {
        expand(dtype, &shape, n - values.len(), budget)?;
    }
    if values.is_empty() {
        return Tensor::try_zeros(dtype, shape);
    }
    if n > values.len() {
        values.try_reserve_exact(n - values.len()).map_err(|_| too_large(dtype, &shape))?;
        let last = values[values.len() - 1].clone();
        values.resize(n, last);
    }
    values.truncate(n);
    let tensor = Tensor::from_vec(shape, values)?;
    if dtype == T::DTYPE { Ok(tensor) } else { tensor.reinterpreted(dtype) }
}

/// Deducts the bytes of `n` repeated elements from the budget.
pub(crate) fn expand(dtype: DType, shape: &Shape, n: usize, budget: &mut usize) -> Result<()> {
    let size = if dtype.is_plain() { dtype.size() } else { size_of::<Bytes>() };
    let bytes = n.checked_mul(size).filter(|b| b <= budget).ok_or_else(|| too_large(dtype, shape))?;
    *budget -= bytes;
    Ok(())
}

fn too_large(dtype: DType, shape: &Shape) -> Error {
    Error::new(crate::Code::ResourceExhausted, format!("a tensor of {dtype} and shape {shape} is too large"))
        .help("feed large tensors instead of repeating one value in the graph")
}

/// A tensor from raw bytes, as stored in `tensor_content`: elements in little-endian order, or for strings their
/// lengths as varints followed by their bytes.
///
/// # Errors
/// `INVALID_ARGUMENT` if the bytes are not exactly those of the shape.
pub(crate) fn from_content(dtype: DType, shape: Shape, content: &[u8]) -> Result<Tensor> {
    if dtype == DType::Str {
        let strings = string_list(content, shape.num_elements()).ok_or_else(|| {
            Error::invalid(format!("tensorContent does not hold the strings of a tensor of shape {shape}"))
        })?;
        return Tensor::from_vec(shape, strings);
    }
    Tensor::from_bytes(dtype, shape, content)
}

fn string_list(content: &[u8], n: usize) -> Option<Vec<Bytes>> {
    // Every string takes at least one byte for its length.
    if n > content.len() {
        return None;
    }
    let mut rest = content;
    let mut lengths = Vec::with_capacity(n);
    for _ in 0..n {
        let (mut length, mut shift) = (0usize, 0u32);
        loop {
            let (&byte, after) = rest.split_first()?;
            rest = after;
            length |= usize::from(byte & 0x7f).checked_shl(shift)?;
            shift += 7;
            if byte < 0x80 {
                break;
            }
            if shift > 28 {
                return None;
            }
        }
        lengths.push(length);
    }
    let mut strings = Vec::with_capacity(n);
    for length in lengths {
        let (string, after) = rest.split_at_checked(length)?;
        strings.push(Bytes::copy_from_slice(string));
        rest = after;
    }
    rest.is_empty().then_some(strings)
}
