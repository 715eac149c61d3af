//! Feature columns: the values of one key in every example, as tensors.

use super::example::{FeatureValue, Values};
use crate::prelude::*;

/// An example's feature; `None` if it has none of that name.
pub(super) type Cell = Option<Values>;

/// The examples being parsed, for messages and output shapes.
pub(super) struct Batch<'a> {
    /// Number of examples.
    pub size: usize,
    /// True for a scalar rather than a vector of examples; outputs then have no batch axis.
    pub single: bool,
    /// True for sequence examples.
    pub sequences: bool,
    /// Names of the examples; may be empty.
    pub names: &'a [Bytes],
}

impl Batch<'_> {
    fn name(&self, i: usize) -> String {
        self.names.get(i).map_or_else(|| "<unknown>".to_owned(), |n| String::from_utf8_lossy(n).into_owned())
    }

    /// Returns the values of example `i`, which must have type `T`.
    pub(super) fn typed<'v, T: FeatureValue>(&self, i: usize, key: &[u8], values: &'v Values) -> Result<&'v [T]> {
        T::of(values).ok_or_else(|| {
            self.fault(
                i,
                key,
                &format!("Data types don't match. Expected type: {}, Actual type: {}", T::DTYPE, values.dtype()),
            )
        })
    }

    /// The error for an invalid feature.
    #[cold]
    pub(super) fn fault(&self, i: usize, key: &[u8], what: &str) -> Error {
        Error::invalid(format!("Name: {}, Key: {}, Index: {i}.  {what}", self.name(i), String::from_utf8_lossy(key)))
    }

    /// The error for a missing feature.
    #[cold]
    pub(super) fn missing(&self, i: usize, key: &[u8], kind: &str, dtype: DType) -> Error {
        Error::invalid(format!(
            "Name: {}, {kind}: {} (data type: {dtype}) is required but could not be found.",
            self.name(i),
            String::from_utf8_lossy(key)
        ))
    }

    /// `inner` with a batch axis of this size prepended.
    fn shape(&self, size: usize, inner: &[usize]) -> Result<Shape> {
        let outer = if self.single { None } else { Some(size) };
        Shape::new(outer.into_iter().chain(inner.iter().copied()))
    }
}

/// Layout of the values of a dense column.
pub(super) struct Dense {
    /// Sizes of the axes, without the first if it varies.
    pub inner: Vec<usize>,
    /// True if the example determines the length of the first axis.
    pub varies: bool,
    /// Number of values per example, or per row of the first axis if that varies.
    pub stride: usize,
}

impl Dense {
    /// The layout specified by element `i` of the attr `dense_shapes`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if any size but the first is unknown.
    pub(super) fn of(shape: &PartialShape, i: usize) -> Result<Dense> {
        let wrong = || {
            Error::invalid(format!("dense_shapes[{i}] has unknown rank or unknown inner dimensions: {shape}"))
                .attr("dense_shapes")
        };
        let dims = shape.dims().ok_or_else(wrong)?;
        let varies = dims.first() == Some(&None);
        let inner: Option<Vec<usize>> = dims[usize::from(varies)..].iter().copied().collect();
        let inner = inner.ok_or_else(wrong)?;
        let stride = Shape::new(inner.iter().copied())?.num_elements();
        Ok(Dense { inner, varies, stride })
    }

    /// Checks this column's default.
    pub(super) fn check_default(&self, default: &Tensor, shape: &PartialShape, i: usize) -> Result<()> {
        let found = default.shape();
        if self.varies && default.num_elements() != 1 {
            return Err(Error::invalid(format!(
                "dense_shape[{i}] is a variable length shape: {shape}, therefore def_value[{i}] must contain a single \
                 element (the padding element).  But its shape is: {found}"
            )));
        }
        if !self.varies && default.num_elements() > 0 && !shape.accepts(found) {
            return Err(Error::invalid(format!(
                "def_value[{i}].shape() == {found} is not compatible with dense_shapes_[{i}] == {shape}"
            )));
        }
        Ok(())
    }

    /// The statically known shape of this column's output.
    pub(super) fn output(&self, examples: &PartialShape) -> PartialShape {
        let first = self.varies.then_some(None);
        examples.concat(&PartialShape::new(first.into_iter().chain(self.inner.iter().map(|d| Some(*d)))))
    }
}

/// Builds a dense column.
pub(super) fn dense<T: FeatureValue>(
    batch: &Batch<'_>,
    key: &[u8],
    cells: &[Cell],
    layout: &Dense,
    default: &Tensor,
) -> Result<Tensor> {
    let default = default.slice::<T>()?;
    let mut rows: Vec<Option<&[T]>> = Vec::with_capacity(cells.len());
    for (i, cell) in cells.iter().enumerate() {
        let Some(values) = cell else {
            if !layout.varies && default.len() != layout.stride {
                return Err(batch.missing(i, key, "Feature", T::DTYPE));
            }
            rows.push(None);
            continue;
        };
        let values = batch.typed::<T>(i, key, values)?;
        let n = values.len();
        if layout.varies && (layout.stride == 0 || n % layout.stride != 0) {
            return Err(batch.fault(
                i,
                key,
                &format!(
                    "Number of {} values is not a multiple of stride length. Saw {n} values but the stride is {}",
                    T::WORD,
                    layout.stride
                ),
            ));
        }
        if !layout.varies && n != layout.stride {
            let shape = &layout.inner;
            return Err(batch.fault(
                i,
                key,
                &format!("Number of {} values != expected.  Values size: {n} but output shape: {shape:?}", T::WORD),
            ));
        }
        rows.push(Some(values));
    }
    let longest = rows.iter().map(|r| r.map_or(0, <[T]>::len)).max().unwrap_or(0);
    let mut inner = layout.inner.clone();
    let width = if layout.varies {
        inner.insert(0, longest.checked_div(layout.stride).unwrap_or(0));
        longest
    } else {
        layout.stride
    };
    let shape = batch.shape(batch.size, &inner)?;
    let mut out = Vec::new();
    out.try_reserve_exact(shape.num_elements()).map_err(|_| no_memory(&shape))?;
    for row in rows {
        let end = out.len() + width;
        match row {
            Some(values) => out.extend_from_slice(values),
            None if !layout.varies => out.extend_from_slice(default),
            None => {}
        }
        // Only columns with a varying first axis have short rows.
        out.resize(end, default.first().cloned().unwrap_or_default());
    }
    Tensor::from_vec(shape, out)
}

fn no_memory(shape: &Shape) -> Error {
    Error::resource_exhausted(format!("no memory for features of shape {shape}"))
}

/// Builds a sparse column: indices, values and dense shape.
pub(super) fn sparse<T: FeatureValue>(batch: &Batch<'_>, key: &[u8], cells: &[Cell]) -> Result<[Tensor; 3]> {
    let (mut places, mut values, mut longest) = (Vec::new(), Vec::new(), 0);
    for (i, cell) in cells.iter().enumerate() {
        let Some(cell) = cell else { continue };
        let found = batch.typed::<T>(i, key, cell)?;
        for position in 0..found.len() as i64 {
            if !batch.single {
                places.push(i as i64);
            }
            places.push(position);
        }
        longest = longest.max(found.len());
        values.extend_from_slice(found);
    }
    let rank = if batch.single { 1 } else { 2 };
    let places = Tensor::from_vec(Shape::new([values.len(), rank])?, places)?;
    let shape = match batch.single {
        true => vec![longest as i64],
        false => vec![batch.size as i64, longest as i64],
    };
    Ok([places, Tensor::vector(values), Tensor::vector(shape)])
}

/// Row splits converted to `dtype`.
pub(super) fn splits(dtype: DType, splits: Vec<i64>) -> Tensor {
    match dtype {
        DType::I32 => Tensor::vector(splits.into_iter().map(|s| s as i32).collect()),
        _ => Tensor::vector(splits),
    }
}

/// The placeholder TensorFlow returns instead of row splits for a single sequence example: a meaningless number.
pub(super) fn no_splits(dtype: DType) -> Result<Tensor> {
    splits(dtype, vec![0]).reshaped(Shape::scalar())
}

/// Builds a ragged column: values and row splits (empty for a single example).
pub(super) fn ragged<T: FeatureValue>(
    batch: &Batch<'_>,
    key: &[u8],
    cells: &[Cell],
    split: DType,
) -> Result<[Tensor; 2]> {
    let (mut values, mut starts) = (Vec::new(), vec![0]);
    for (i, cell) in cells.iter().enumerate() {
        if let Some(cell) = cell {
            values.extend_from_slice(batch.typed::<T>(i, key, cell)?);
        }
        starts.push(values.len() as i64);
    }
    let starts = match (batch.single, batch.sequences) {
        (false, _) => splits(split, starts),
        (true, false) => splits(split, Vec::new()),
        (true, true) => no_splits(split)?,
    };
    Ok([Tensor::vector(values), starts])
}
