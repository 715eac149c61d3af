//! The splits of ragged axes, and rows of values.

use crate::moves::Cell;
use crate::prelude::*;
use std::ops::Range;

/// Returns row splits as a vector of int32 or int64.
///
/// # Errors
/// `INVALID_ARGUMENT` if one does not fit into int32.
pub(super) fn splits(dtype: DType, numbers: Vec<i64>) -> Result<Tensor> {
    if dtype == DType::I64 {
        return Ok(Tensor::vector(numbers));
    }
    let narrow =
        |n: i64| i32::try_from(n).map_err(|_| Error::invalid(format!("the row split {n} does not fit into int32")));
    Ok(Tensor::vector(numbers.into_iter().map(narrow).collect::<Result<Vec<i32>>>()?))
}

/// Returns the splits in input `i`, which must be a nonempty vector.
///
/// # Errors
/// `INVALID_ARGUMENT` for anything else.
pub(super) fn read(cx: &Cx<'_, '_>, i: usize) -> Result<Vec<i64>> {
    let tensor = cx.input(i)?;
    if tensor.shape().rank() != 1 {
        return Err(Error::invalid(format!("ragged splits must be a vector, got shape {}", tensor.shape())));
    }
    if tensor.num_elements() == 0 {
        return Err(Error::invalid("ragged splits may not be empty."));
    }
    tensor.to_i64s()
}

/// Checks that splits begin with 0, do not decrease, and end with the number of `values` below them.
///
/// # Errors
/// `INVALID_ARGUMENT` otherwise.
pub(super) fn check(splits: &[i64], values: usize) -> Result<()> {
    let (first, last) = (splits.first().copied().unwrap_or(0), splits.last().copied().unwrap_or(0));
    if first != 0 {
        return Err(Error::invalid(format!(
            "Invalid ragged splits: first element of ragged splits must be 0 but is {first}"
        )));
    }
    if let Some(at) = (1..splits.len()).find(|&i| splits[i] < splits[i - 1]) {
        return Err(Error::invalid(format!(
            "Invalid ragged splits: ragged splits must be monotonically increasing, but ragged_splits[{at}]={} is \
             smaller than row_splits[{}]={}",
            splits[at],
            at - 1,
            splits[at - 1]
        )));
    }
    if last != values as i64 {
        return Err(Error::invalid(format!(
            "Invalid ragged splits: last element of ragged splits must be the number of ragged values({values}) but is \
             {last}"
        )));
    }
    Ok(())
}

/// Concatenates these rows of `values`.
///
/// # Errors
/// `INVALID_ARGUMENT` for a scalar, `RESOURCE_EXHAUSTED` if there is not enough memory.
pub(super) fn take(cx: &Cx<'_, '_>, values: &Tensor, rows: &[Range<usize>]) -> Result<Tensor> {
    let Some((_, row)) = values.shape().split_first() else {
        return Err(Error::invalid("the values must have at least one axis"));
    };
    let width: usize = row.iter().product();
    let total = rows.iter().try_fold(0usize, |n, r| n.checked_add(r.len()));
    let total = total.ok_or_else(|| Error::invalid("there are too many rows"))?;
    let shape = Shape::new(std::iter::once(total).chain(row.iter().copied()))?;
    let mut out = cx.alloc(values.dtype(), &shape)?;
    cells!(values.dtype(), |T| {
        let (from, mut to) = (T::cells(values)?, T::cells_mut(&mut out)?);
        for range in rows {
            let part = &from[range.start * width..range.end * width];
            let (here, rest) = to.split_at_mut(part.len());
            here.clone_from_slice(part);
            to = rest;
        }
    });
    Ok(out)
}
