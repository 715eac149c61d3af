//! `ParseExample`, `ParseExampleV2` and `ParseSingleExample`: example features as tensors.

use super::columns::{Batch, Cell, Dense, dense, ragged, sparse};
use super::example::{Named, Values, example};
use crate::prelude::*;

/// Rough cost of parsing an example, in nanoseconds.
const NANOS_PER_EXAMPLE: f64 = 3000.0;

/// The features to read from one message.
#[derive(Default)]
pub(super) struct Wanted {
    pub sparse: Vec<(Bytes, DType)>,
    pub dense: Vec<(Bytes, DType, Dense, Tensor)>,
    pub ragged: Vec<(Bytes, DType, DType)>,
}

impl Wanted {
    pub(super) fn keys(&self) -> impl Iterator<Item = &Bytes> {
        let dense = self.dense.iter().map(|d| &d.0);
        self.sparse.iter().map(|s| &s.0).chain(dense).chain(self.ragged.iter().map(|r| &r.0))
    }

    /// Returns one cell per key from the features of one message.
    pub(super) fn cells(&self, source: &Bytes, features: &Named<'_>) -> Result<Vec<Cell>> {
        self.keys().map(|key| features.get(&key[..]).map_or(Ok(None), |f| Values::read(source, f))).collect()
    }

    /// Builds the outputs from the cells of every key; `set` receives each with its index.
    pub(super) fn write(
        &self,
        batch: &Batch<'_>,
        columns: &[Vec<Cell>],
        outputs: Layout,
        set: &mut dyn FnMut(usize, Tensor),
    ) -> Result<()> {
        let of = |dtype: DType| Error::unimplemented(format!("features of type {dtype}"));
        let (sparse_columns, rest) = columns.split_at(self.sparse.len());
        let (dense_columns, ragged_columns) = rest.split_at(self.dense.len());
        for (i, ((key, dtype), cells)) in self.sparse.iter().zip(sparse_columns).enumerate() {
            let parts = features!(*dtype, |T| sparse::<T>(batch, key, cells)?, else return Err(of(*dtype)));
            for (part, tensor) in parts.into_iter().enumerate() {
                set(outputs.sparse + part * self.sparse.len() + i, tensor);
            }
        }
        for (i, ((key, dtype, layout, default), cells)) in self.dense.iter().zip(dense_columns).enumerate() {
            let tensor =
                features!(*dtype, |T| dense::<T>(batch, key, cells, layout, default)?, else return Err(of(*dtype)));
            set(outputs.dense + i, tensor);
        }
        for (i, ((key, dtype, split), cells)) in self.ragged.iter().zip(ragged_columns).enumerate() {
            let [values, splits] =
                features!(*dtype, |T| ragged::<T>(batch, key, cells, *split)?, else return Err(of(*dtype)));
            set(outputs.ragged + i, values);
            set(outputs.ragged + self.ragged.len() + i, splits);
        }
        Ok(())
    }
}

/// Index of the first output of each kind.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub sparse: usize,
    pub dense: usize,
    pub ragged: usize,
}

/// Transposes rows, one per example, into columns, one per key.
pub(super) fn transposed(rows: Vec<Vec<Cell>>, keys: usize) -> Vec<Vec<Cell>> {
    let mut columns: Vec<Vec<Cell>> = (0..keys).map(|_| Vec::with_capacity(rows.len())).collect();
    for row in rows {
        columns.iter_mut().zip(row).for_each(|(column, cell)| column.push(cell));
    }
    columns
}

/// The error for bytes that cannot be parsed as a message, with the message's name.
pub(super) fn not_parsed(what: &str, error: Error) -> Error {
    if error.code() != Code::InvalidArgument {
        return error;
    }
    Error::invalid(format!("Could not parse {what} input"))
}

/// Parses every message of `serialized` with `read`, in parallel if worthwhile.
pub(super) fn read_all<R: Send>(
    cx: &Cx<'_, '_>,
    serialized: &[Bytes],
    read: impl Fn(&Bytes) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let mut results: Vec<Option<Result<R>>> = serialized.iter().map(|_| None).collect();
    cx.pool().for_chunks(&mut results, 1, NANOS_PER_EXAMPLE, |first, piece| {
        for (result, message) in piece.iter_mut().zip(&serialized[first..]) {
            *result = Some(read(message));
        }
    });
    results.into_iter().map(|r| r.unwrap_or_else(|| Err(Error::internal("an example was left out")))).collect()
}

/// Checks `names` against `serialized` and returns them; empty if there are none.
pub(super) fn checked_names(names: &Tensor, serialized: &Tensor) -> Result<Vec<Bytes>> {
    if names.num_elements() > 0 && names.shape() != serialized.shape() {
        return Err(Error::invalid(format!(
            "Expected names have the same shape as serialized: name.shape={}, serialized.shape={}",
            names.shape(),
            serialized.shape()
        )));
    }
    Ok(names.slice::<Bytes>()?.to_vec())
}

/// Parses the examples of `serialized` and sets the outputs.
fn parse(cx: &mut Cx<'_, '_>, serialized: &Tensor, names: &[Bytes], wanted: &Wanted) -> Result<()> {
    let messages = serialized.slice::<Bytes>()?;
    let rows = read_all(cx, messages, |message| {
        let features = example(message).and_then(|features| wanted.cells(message, &features));
        features.map_err(|e| not_parsed("example", e))
    })?;
    let columns = transposed(rows, wanted.keys().count());
    let batch = Batch { size: messages.len(), single: serialized.shape().is_scalar(), sequences: false, names };
    let n = wanted.sparse.len();
    let layout = Layout { sparse: 0, dense: 3 * n, ragged: 3 * n + wanted.dense.len() };
    wanted.write(&batch, &columns, layout, &mut |i, tensor| cx.set(i, tensor))
}

/// Features to read from examples: the keys and dtypes of sparse features, the keys, shapes and defaults of dense
/// features, and the keys, value dtypes and split dtypes of ragged features.
pub struct Features(Wanted);

impl Features {
    /// Specifies features by their keys.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if a default does not fit or the numbers of keys and dtypes differ.
    pub fn new(
        (sparse, sparse_types): (Vec<Bytes>, &[DType]),
        (dense, dense_shapes, defaults): (Vec<Bytes>, &[PartialShape], Vec<Tensor>),
        (ragged, values, splits): (Vec<Bytes>, &[DType], &[DType]),
    ) -> Result<Features> {
        let types: Vec<DType> = defaults.iter().map(Tensor::dtype).collect();
        Ok(Features(Wanted {
            sparse: sparse_columns(sparse, sparse_types)?,
            dense: columns_of(dense, &types, dense_shapes, defaults.into_iter().map(Ok))?,
            ragged: ragged_columns(ragged, values, splits)?,
        }))
    }

    /// Reads the features from a vector of examples: the indices, then the values, then the dense shapes of all sparse
    /// features, the dense features, then the values and the splits of all ragged features.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if an example cannot be parsed or lacks a required feature.
    pub fn read(&self, serialized: &Tensor) -> Result<Vec<Tensor>> {
        let messages = serialized.slice::<Bytes>()?;
        let read = |message: &Bytes| {
            let features = example(message).and_then(|features| self.0.cells(message, &features));
            features.map_err(|e| not_parsed("example", e))
        };
        let rows = messages.iter().map(read).collect::<Result<_>>()?;
        let columns = transposed(rows, self.0.keys().count());
        let batch = Batch { size: messages.len(), single: false, sequences: false, names: &[] };
        let (sparse, dense) = (3 * self.0.sparse.len(), self.0.dense.len());
        let mut outputs = vec![None; sparse + dense + 2 * self.0.ragged.len()];
        let layout = Layout { sparse: 0, dense: sparse, ragged: sparse + dense };
        self.0.write(&batch, &columns, layout, &mut |i, tensor| outputs[i] = Some(tensor))?;
        outputs.into_iter().collect::<Option<_>>().ok_or_else(|| Error::internal("a feature was left out"))
    }
}

/// Pairs dense keys with their attrs; the defaults are the inputs from `first_default` on.
pub(super) fn dense_columns(
    cx: &Cx<'_, '_>,
    keys: Vec<Bytes>,
    dtypes: &[DType],
    shapes: &[PartialShape],
    first_default: usize,
) -> Result<Vec<(Bytes, DType, Dense, Tensor)>> {
    let defaults = (first_default..).map(|i| cx.input(i).cloned());
    columns_of(keys, dtypes, shapes, defaults)
}

/// As [`dense_columns`], with the given defaults.
fn columns_of(
    keys: Vec<Bytes>,
    dtypes: &[DType],
    shapes: &[PartialShape],
    defaults: impl Iterator<Item = Result<Tensor>>,
) -> Result<Vec<(Bytes, DType, Dense, Tensor)>> {
    if keys.len() != dtypes.len() {
        return Err(lengths("dense_keys", keys.len(), "dense_types", dtypes.len()));
    }
    if keys.len() != shapes.len() {
        return Err(lengths("dense_keys", keys.len(), "dense_shapes", shapes.len()));
    }
    let mut columns = Vec::with_capacity(keys.len());
    for (i, (((key, &dtype), shape), default)) in keys.into_iter().zip(dtypes).zip(shapes).zip(defaults).enumerate() {
        let (layout, default) = (Dense::of(shape, i)?, default?);
        layout.check_default(&default, shape, i)?;
        columns.push((key, dtype, layout, default));
    }
    Ok(columns)
}

/// Pairs sparse keys with their dtypes.
pub(super) fn sparse_columns(keys: Vec<Bytes>, dtypes: &[DType]) -> Result<Vec<(Bytes, DType)>> {
    if keys.len() != dtypes.len() {
        return Err(lengths("sparse_keys", keys.len(), "sparse_types", dtypes.len()));
    }
    Ok(keys.into_iter().zip(dtypes.iter().copied()).collect())
}

/// Pairs ragged keys with their dtypes.
pub(super) fn ragged_columns(
    keys: Vec<Bytes>,
    values: &[DType],
    splits: &[DType],
) -> Result<Vec<(Bytes, DType, DType)>> {
    if keys.len() != values.len() {
        return Err(lengths("ragged_keys", keys.len(), "ragged_value_types", values.len()));
    }
    if keys.len() != splits.len() {
        return Err(lengths("ragged_keys", keys.len(), "ragged_split_types", splits.len()));
    }
    Ok(keys.into_iter().zip(values).zip(splits).map(|((k, v), s)| (k, *v, *s)).collect())
}

pub(super) fn lengths(a: &str, n: usize, b: &str, m: usize) -> Error {
    Error::invalid(format!("Expected len({a}) == len({b}) but got: {n} vs. {m}"))
}

/// Shapes of the sparse outputs from output `first` on and of the dense ones after them.
pub(super) fn infer_columns(
    cx: &mut ShapeCx<'_>,
    first: usize,
    examples: &PartialShape,
    sparse: usize,
    dense_shapes: &[PartialShape],
) -> Result<usize> {
    let rank = examples.rank().map(|r| r + 1);
    for i in 0..sparse {
        cx.output(first + i, PartialShape::new([None, rank]));
        cx.output_vector(first + sparse + i, None);
        cx.output_vector(first + 2 * sparse + i, rank);
    }
    let dense = first + 3 * sparse;
    for (i, shape) in dense_shapes.iter().enumerate() {
        let output = Dense::of(shape, i)?.output(examples);
        cx.output(dense + i, output);
    }
    Ok(dense + dense_shapes.len())
}

/// Dtypes that features can have.
pub(super) const FEATURES: &[DType] = &[DType::F32, DType::I64, DType::Str];

attrs! {
    /// Parses a vector of `Example` messages, or a single one, into the features named by the key inputs.
    pub struct ParseExampleV2 {
        /// Dtypes of the dense features.
        dense_types: Vec<DType> = Attr::dtypes("Tdense", FEATURES).at_least(0),
        /// Number of sparse features.
        num_sparse: i64 = Attr::int("num_sparse").at_least(0),
        /// Dtypes of the sparse features.
        sparse_types: Vec<DType> = Attr::dtypes("sparse_types", FEATURES).at_least(0),
        /// Dtypes of the ragged features.
        ragged_value_types: Vec<DType> = Attr::dtypes("ragged_value_types", FEATURES).at_least(0),
        /// Dtypes of the ragged features' row splits.
        ragged_split_types: Vec<DType> = Attr::dtypes("ragged_split_types", sets::INDEX).at_least(0),
        /// Shapes of the dense features; the first size may be unknown.
        dense_shapes: Vec<PartialShape> = Attr::shapes("dense_shapes").at_least(0),
    }
}

pub static PARSE_EXAMPLE_V2: Def<ParseExampleV2> = op("ParseExampleV2")
    .inputs(&[
        arg("serialized", is(DType::Str)),
        arg("names", is(DType::Str)),
        arg("sparse_keys", is(DType::Str)),
        arg("dense_keys", is(DType::Str)),
        arg("ragged_keys", is(DType::Str)),
        arg("dense_defaults", each("Tdense")),
    ])
    .outputs(&[
        arg("sparse_indices", is(DType::I64)).times("num_sparse"),
        arg("sparse_values", each("sparse_types")),
        arg("sparse_shapes", is(DType::I64)).times("num_sparse"),
        arg("dense_values", each("Tdense")),
        arg("ragged_values", each("ragged_value_types")),
        arg("ragged_row_splits", each("ragged_split_types")),
    ])
    .shape(parse_example_v2_shape)
    .kernel(parse_example_v2)
    .heavy();

fn parse_example_v2_shape(op: &ParseExampleV2, cx: &mut ShapeCx<'_>) -> Result<()> {
    let examples = cx.input(0);
    if op.sparse_types.len() as i64 != op.num_sparse {
        return Err(Error::invalid("len(sparse_keys) != len(sparse_types)"));
    }
    let ragged = infer_columns(cx, 0, &examples, op.sparse_types.len(), &op.dense_shapes)?;
    let n = op.ragged_value_types.len();
    let splits = match examples.rank() {
        Some(0) => Some(0),
        Some(_) => examples.dim(0).map(|n| n + 1),
        None => None,
    };
    for i in 0..n {
        cx.output_vector(ragged + i, None);
        cx.output_vector(ragged + n + i, splits);
    }
    Ok(())
}

fn parse_example_v2(op: &ParseExampleV2, cx: &mut Cx<'_, '_>) -> Result<()> {
    let serialized = cx.input(0)?.clone();
    if serialized.shape().rank() > 1 {
        let shape = serialized.shape();
        return Err(Error::invalid(format!("Expected serialized to be a scalar or vector, got shape: {shape}")));
    }
    let names = checked_names(cx.input(1)?, &serialized)?;
    let keys = |i: usize| -> Result<Vec<Bytes>> { Ok(cx.slice::<Bytes>(i)?.to_vec()) };
    if op.num_sparse != op.sparse_types.len() as i64 {
        return Err(Error::invalid("len(sparse_keys) != len(sparse_types)"));
    }
    let wanted = Wanted {
        sparse: sparse_columns(keys(2)?, &op.sparse_types)?,
        dense: dense_columns(cx, keys(3)?, &op.dense_types, &op.dense_shapes, 5)?,
        ragged: ragged_columns(keys(4)?, &op.ragged_value_types, &op.ragged_split_types)?,
    };
    parse(cx, &serialized, &names, &wanted)
}

attrs! {
    /// Parses a vector of `Example` messages into the features named by the key inputs.
    pub struct ParseExample {
        /// Number of sparse features.
        num_sparse: i64 = Attr::int("Nsparse").at_least(0),
        /// Number of dense features.
        num_dense: i64 = Attr::int("Ndense").at_least(0),
        /// Dtypes of the sparse features.
        sparse_types: Vec<DType> = Attr::dtypes("sparse_types", FEATURES).at_least(0),
        /// Dtypes of the dense features.
        dense_types: Vec<DType> = Attr::dtypes("Tdense", FEATURES).at_least(0),
        /// Shapes of the dense features; the first size may be unknown.
        dense_shapes: Vec<PartialShape> = Attr::shapes("dense_shapes").at_least(0),
    }
}

pub static PARSE_EXAMPLE: Def<ParseExample> = op("ParseExample")
    .inputs(&[
        arg("serialized", is(DType::Str)),
        arg("names", is(DType::Str)),
        arg("sparse_keys", is(DType::Str)).times("Nsparse"),
        arg("dense_keys", is(DType::Str)).times("Ndense"),
        arg("dense_defaults", each("Tdense")),
    ])
    .outputs(&[
        arg("sparse_indices", is(DType::I64)).times("Nsparse"),
        arg("sparse_values", each("sparse_types")),
        arg("sparse_shapes", is(DType::I64)).times("Nsparse"),
        arg("dense_values", each("Tdense")),
    ])
    .shape(|op: &ParseExample, cx| {
        let examples = cx.with_rank(0, 1)?;
        if op.sparse_types.len() as i64 != op.num_sparse {
            return Err(Error::invalid("len(sparse_keys) != len(sparse_types)"));
        }
        infer_columns(cx, 0, &examples, op.sparse_types.len(), &op.dense_shapes).map(drop)
    })
    .kernel(parse_example)
    .heavy();

fn parse_example(op: &ParseExample, cx: &mut Cx<'_, '_>) -> Result<()> {
    let serialized = cx.input(0)?.clone();
    if serialized.shape().rank() != 1 {
        let shape = serialized.shape();
        return Err(Error::invalid(format!("Expected serialized to be a vector, got shape: {shape}")));
    }
    let names = checked_names(cx.input(1)?, &serialized)?;
    let (sparse, dense) = (op.sparse_types.len(), op.dense_types.len());
    let keys = |first: usize, n: usize| (first..first + n).map(|i| cx.scalar::<Bytes>(i)).collect::<Result<Vec<_>>>();
    let wanted = Wanted {
        sparse: sparse_columns(keys(2, sparse)?, &op.sparse_types)?,
        dense: dense_columns(cx, keys(2 + sparse, dense)?, &op.dense_types, &op.dense_shapes, 2 + sparse + dense)?,
        ragged: Vec::new(),
    };
    parse(cx, &serialized, &names, &wanted)
}

attrs! {
    /// Parses a single `Example` message into features.
    pub struct ParseSingleExample {
        /// Number of sparse features.
        num_sparse: i64 = Attr::int("num_sparse").at_least(0),
        /// Names of the sparse features.
        sparse_keys: Vec<Bytes> = Attr::strings("sparse_keys").at_least(0),
        /// Names of the dense features.
        dense_keys: Vec<Bytes> = Attr::strings("dense_keys").at_least(0),
        /// Dtypes of the sparse features.
        sparse_types: Vec<DType> = Attr::dtypes("sparse_types", FEATURES).at_least(0),
        /// Dtypes of the dense features.
        dense_types: Vec<DType> = Attr::dtypes("Tdense", FEATURES).at_least(0),
        /// Shapes of the dense features; the first size may be unknown.
        dense_shapes: Vec<PartialShape> = Attr::shapes("dense_shapes").at_least(0),
    }
}

pub static PARSE_SINGLE_EXAMPLE: Def<ParseSingleExample> = op("ParseSingleExample")
    .inputs(&[arg("serialized", is(DType::Str)), arg("dense_defaults", each("Tdense"))])
    .outputs(&[
        arg("sparse_indices", is(DType::I64)).times("num_sparse"),
        arg("sparse_values", each("sparse_types")),
        arg("sparse_shapes", is(DType::I64)).times("num_sparse"),
        arg("dense_values", each("Tdense")),
    ])
    .shape(|op: &ParseSingleExample, cx| {
        let example = cx.with_rank(0, 0)?;
        if op.sparse_types.len() as i64 != op.num_sparse {
            return Err(Error::invalid("len(sparse_keys) != len(sparse_types)"));
        }
        infer_columns(cx, 0, &example, op.sparse_types.len(), &op.dense_shapes).map(drop)
    })
    .kernel(parse_single_example);

fn parse_single_example(op: &ParseSingleExample, cx: &mut Cx<'_, '_>) -> Result<()> {
    let serialized = cx.input(0)?.clone();
    if !serialized.shape().is_scalar() {
        let shape = serialized.shape();
        return Err(Error::invalid(format!("Expected serialized to be a scalar, got shape: {shape}")));
    }
    let wanted = Wanted {
        sparse: sparse_columns(op.sparse_keys.clone(), &op.sparse_types)?,
        dense: dense_columns(cx, op.dense_keys.clone(), &op.dense_types, &op.dense_shapes, 1)?,
        ragged: Vec::new(),
    };
    parse(cx, &serialized, &[], &wanted)
}
