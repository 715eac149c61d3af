//! Feature list columns: the values of one key in every sequence example, each a list of features, as tensors.

use super::columns::{Batch, Cell, no_splits, splits};
use super::example::{FeatureValue, Values, feature_list};
use crate::prelude::*;

/// A sequence example's list; `None` if it has none of that name.
pub(super) type List = Option<Vec<Cell>>;

/// Parses a list from its message.
pub(super) fn read(source: &Bytes, message: Option<&&[u8]>) -> Result<List> {
    message.map(|bytes| feature_list(source, bytes)).transpose()
}

fn typed<'v, T: FeatureValue>(batch: &Batch<'_>, i: usize, key: &[u8], values: &'v Values) -> Result<&'v [T]> {
    T::of(values).ok_or_else(|| {
        batch.fault(i, key, &format!("Data types don't match. Expected type: {}, Actual: {}", T::DTYPE, values.dtype()))
    })
}

/// Builds a dense column: the features of every step, padded with zeros, and the number of steps in each example.
///
/// # Errors
/// `INVALID_ARGUMENT` if a feature does not fill `shape`, or if a list is missing without `missing_is_empty`.
pub(super) fn dense<T: FeatureValue>(
    batch: &Batch<'_>,
    key: &[u8],
    lists: &[List],
    shape: &Shape,
    missing_is_empty: bool,
) -> Result<[Tensor; 2]> {
    let stride = shape.num_elements();
    let steps = lists.iter().map(|l| l.as_ref().map_or(0, Vec::len)).max().unwrap_or(0);
    let outer = if batch.single { vec![steps] } else { vec![batch.size, steps] };
    let shape = Shape::new(outer.into_iter().chain(shape.iter().copied()))?;
    let mut values: Vec<T> = Vec::new();
    values
        .try_reserve_exact(shape.num_elements())
        .map_err(|_| Error::resource_exhausted(format!("no memory for features of shape {shape}")))?;
    let mut lengths = Vec::with_capacity(lists.len());
    for (i, list) in lists.iter().enumerate() {
        let end = values.len() + steps * stride;
        if list.is_none() && !missing_is_empty {
            return Err(batch
                .missing(i, key, "Feature list", T::DTYPE)
                .help("list it in feature_list_dense_missing_assumed_empty to treat it as empty if it is missing"));
        }
        for (step, feature) in list.iter().flatten().enumerate() {
            let found = feature.as_ref().map_or(Ok(&[][..]), |f| typed::<T>(batch, i, key, f))?;
            if found.len() != stride {
                return Err(batch.fault(
                    step,
                    key,
                    &format!("Number of values != expected.  values size: {} but {stride} are needed", found.len()),
                ));
            }
            values.extend_from_slice(found);
        }
        values.resize(end, T::default());
        lengths.push(list.as_ref().map_or(0, Vec::len) as i64);
    }
    let lengths =
        if batch.single { Tensor::scalar(lengths.first().copied().unwrap_or(0)) } else { Tensor::vector(lengths) };
    Ok([Tensor::from_vec(shape, values)?, lengths])
}

/// Builds a sparse column: indices, values and dense shape.
pub(super) fn sparse<T: FeatureValue>(batch: &Batch<'_>, key: &[u8], lists: &[List]) -> Result<[Tensor; 3]> {
    let (mut places, mut values) = (Vec::new(), Vec::new());
    let (mut steps, mut longest) = (0, 0);
    for (i, list) in lists.iter().enumerate() {
        let Some(list) = list else { continue };
        steps = steps.max(list.len());
        for (step, feature) in list.iter().enumerate() {
            let Some(feature) = feature else { continue };
            let found = typed::<T>(batch, i, key, feature)?;
            longest = longest.max(found.len());
            for position in 0..found.len() {
                if !batch.single {
                    places.push(i as i64);
                }
                places.extend([step as i64, position as i64]);
            }
            values.extend_from_slice(found);
        }
    }
    let rank = if batch.single { 2 } else { 3 };
    let places = Tensor::from_vec(Shape::new([values.len(), rank])?, places)?;
    let mut shape = vec![steps as i64, longest as i64];
    if !batch.single {
        shape.insert(0, batch.size as i64);
    }
    Ok([places, Tensor::vector(values), Tensor::vector(shape)])
}

/// Builds a ragged column: values, the row splits of examples, and the row splits of steps.
pub(super) fn ragged<T: FeatureValue>(
    batch: &Batch<'_>,
    key: &[u8],
    lists: &[List],
    split: DType,
) -> Result<[Tensor; 3]> {
    let (mut values, mut outer, mut inner) = (Vec::new(), vec![0], vec![0]);
    for (i, list) in lists.iter().enumerate() {
        for feature in list.iter().flatten() {
            if let Some(feature) = feature {
                values.extend_from_slice(typed::<T>(batch, i, key, feature)?);
            }
            inner.push(values.len() as i64);
        }
        outer.push(inner.len() as i64 - 1);
    }
    let outer = if batch.single { no_splits(split)? } else { splits(split, outer) };
    Ok([Tensor::vector(values), outer, splits(split, inner)])
}
