//! `ParseSequenceExample`, `ParseSequenceExampleV2` and `ParseSingleSequenceExample`: sequence example features as
//! tensors.

use super::columns::{Batch, Cell};
use super::example::{Named, sequence_example};
use super::lists::{self, List};
use super::parse_example::{
    FEATURES, Layout, Wanted, checked_names, dense_columns, infer_columns, lengths, not_parsed, ragged_columns,
    read_all, sparse_columns, transposed,
};
use crate::prelude::*;
use std::collections::HashSet;

/// The feature lists to read from a message.
#[derive(Default)]
struct WantedLists {
    sparse: Vec<(Bytes, DType)>,
    dense: Vec<DenseList>,
    ragged: Vec<(Bytes, DType, DType)>,
}

/// A dense column of feature lists.
struct DenseList {
    key: Bytes,
    dtype: DType,
    shape: Shape,
    missing_is_empty: bool,
}

impl WantedLists {
    fn keys(&self) -> impl Iterator<Item = &Bytes> {
        let dense = self.dense.iter().map(|d| &d.key);
        self.sparse.iter().map(|s| &s.0).chain(dense).chain(self.ragged.iter().map(|r| &r.0))
    }

    fn lists(&self, source: &Bytes, named: &Named<'_>) -> Result<Vec<List>> {
        self.keys().map(|key| lists::read(source, named.get(&key[..]))).collect()
    }

    /// Sets the outputs from output `first` on; `with_lengths` if dense columns have an output for their lengths.
    fn write(
        &self,
        cx: &mut Cx<'_, '_>,
        batch: &Batch<'_>,
        columns: &[Vec<List>],
        first: usize,
        with_lengths: bool,
    ) -> Result<()> {
        let of = |dtype: DType| Error::unimplemented(format!("features of type {dtype}"));
        let (sparse_columns, rest) = columns.split_at(self.sparse.len());
        let (dense_columns, ragged_columns) = rest.split_at(self.dense.len());
        let n = self.sparse.len();
        for (i, ((key, dtype), column)) in self.sparse.iter().zip(sparse_columns).enumerate() {
            let parts = features!(*dtype, |T| lists::sparse::<T>(batch, key, column)?, else return Err(of(*dtype)));
            for (part, tensor) in parts.into_iter().enumerate() {
                cx.set(first + part * n + i, tensor);
            }
        }
        let (first, n) = (first + 3 * n, self.dense.len());
        for (i, (list, column)) in self.dense.iter().zip(dense_columns).enumerate() {
            let [values, lengths] = features!(list.dtype,
                |T| lists::dense::<T>(batch, &list.key, column, &list.shape, list.missing_is_empty)?,
                else return Err(of(list.dtype)));
            cx.set(first + i, values);
            if with_lengths {
                cx.set(first + n + i, lengths);
            }
        }
        let (first, n) = (first + 2 * n, self.ragged.len());
        for (i, ((key, dtype, split), column)) in self.ragged.iter().zip(ragged_columns).enumerate() {
            let parts =
                features!(*dtype, |T| lists::ragged::<T>(batch, key, column, *split)?, else return Err(of(*dtype)));
            for (part, tensor) in parts.into_iter().enumerate() {
                cx.set(first + part * n + i, tensor);
            }
        }
        Ok(())
    }
}

/// Checks that no key is requested twice.
fn check_unique<'a>(what: &str, keys: impl Iterator<Item = &'a Bytes>) -> Result<()> {
    let mut seen = HashSet::new();
    for key in keys {
        if !seen.insert(key) {
            let key = String::from_utf8_lossy(key);
            return Err(Error::invalid(format!("duplicate {what} feature key {key}")));
        }
    }
    Ok(())
}

/// Parses the sequence examples of `serialized` and sets the outputs.
fn parse(
    cx: &mut Cx<'_, '_>,
    serialized: &Tensor,
    names: &[Bytes],
    context: &Wanted,
    lists: &WantedLists,
    with_lengths: bool,
) -> Result<()> {
    check_unique("Context", context.keys())?;
    check_unique("Sequence", lists.keys())?;
    let messages = serialized.slice::<Bytes>()?;
    let rows = read_all(cx, messages, |message| {
        let read = || {
            let (features, named) = sequence_example(message)?;
            Ok((context.cells(message, &features)?, lists.lists(message, &named)?))
        };
        read().map_err(|e| not_parsed("sequence example", e))
    })?;
    let (cells, rows): (Vec<Vec<Cell>>, Vec<Vec<List>>) = rows.into_iter().unzip();
    let cells = transposed(cells, context.keys().count());
    let mut columns: Vec<Vec<List>> = lists.keys().map(|_| Vec::with_capacity(rows.len())).collect();
    for row in rows {
        columns.iter_mut().zip(row).for_each(|(column, list)| column.push(list));
    }
    let batch = Batch { size: messages.len(), single: serialized.shape().is_scalar(), sequences: true, names };
    let dense = 3 * context.sparse.len();
    let ragged = dense + context.dense.len();
    context.write(&batch, &cells, Layout { sparse: 0, dense, ragged }, &mut |i, tensor| cx.set(i, tensor))?;
    lists.write(cx, &batch, &columns, ragged + 2 * context.ragged.len(), with_lengths)
}

/// The dense columns of feature lists.
fn dense_lists(
    keys: Vec<Bytes>,
    dtypes: &[DType],
    shapes: &[PartialShape],
    missing_is_empty: impl Fn(usize, &Bytes) -> bool,
) -> Result<Vec<DenseList>> {
    if keys.len() != dtypes.len() {
        return Err(lengths("feature_list_dense_keys", keys.len(), "feature_list_dense_types", dtypes.len()));
    }
    if keys.len() != shapes.len() {
        return Err(lengths("feature_list_dense_keys", keys.len(), "feature_list_dense_shapes", shapes.len()));
    }
    let mut columns = Vec::with_capacity(keys.len());
    for (i, ((key, &dtype), shape)) in keys.into_iter().zip(dtypes).zip(shapes).enumerate() {
        let missing_is_empty = missing_is_empty(i, &key);
        columns.push(DenseList { key, dtype, shape: defined(shape)?, missing_is_empty });
    }
    Ok(columns)
}

fn defined(shape: &PartialShape) -> Result<Shape> {
    shape.known().ok_or_else(|| Error::invalid(format!("Shape {shape} is not fully defined")))
}

/// Shapes of the feature list outputs from output `first` on.
fn infer_lists(
    cx: &mut ShapeCx<'_>,
    first: usize,
    examples: &PartialShape,
    sparse: usize,
    dense_shapes: &[PartialShape],
    with_lengths: bool,
) -> Result<usize> {
    let rank = examples.rank().map(|r| r + 2);
    for i in 0..sparse {
        cx.output(first + i, PartialShape::new([None, rank]));
        cx.output_vector(first + sparse + i, None);
        cx.output_vector(first + 2 * sparse + i, rank);
    }
    let (dense, n) = (first + 3 * sparse, dense_shapes.len());
    for (i, shape) in dense_shapes.iter().enumerate() {
        let inner = PartialShape::vector(None).concat(&PartialShape::from(&defined(shape)?));
        cx.output(dense + i, examples.concat(&inner));
        if with_lengths {
            cx.output(dense + n + i, examples.clone());
        }
    }
    Ok(dense + n + if with_lengths { n } else { 0 })
}

fn not_a_vector(shape: &Shape) -> Error {
    Error::invalid(format!("Expected serialized to be a scalar or vector, got shape: {shape}"))
}

attrs! {
    /// Parses `SequenceExample` messages into the context features and feature lists named by the key inputs.
    pub struct ParseSequenceExampleV2 {
        /// Number of sparse context features.
        context_sparse: i64 = Attr::int("Ncontext_sparse").or_int(0).at_least(0),
        /// Dtypes of the dense context features.
        context_dense_types: Vec<DType> = Attr::dtypes("Tcontext_dense", FEATURES).or_empty().at_least(0),
        /// Dtypes of the sparse context features.
        context_sparse_types: Vec<DType> = Attr::dtypes("context_sparse_types", FEATURES).or_empty().at_least(0),
        /// Dtypes of the ragged context features.
        context_ragged_value_types: Vec<DType> = Attr::dtypes("context_ragged_value_types", FEATURES).or_empty().at_least(0),
        /// Dtypes of the ragged context features' row splits.
        context_ragged_split_types: Vec<DType> =
            Attr::dtypes("context_ragged_split_types", sets::INDEX).or_empty().at_least(0),
        /// Shapes of the dense context features.
        context_dense_shapes: Vec<PartialShape> = Attr::shapes("context_dense_shapes").or_empty().at_least(0),
        /// Number of sparse feature lists.
        list_sparse: i64 = Attr::int("Nfeature_list_sparse").or_int(0).at_least(0),
        /// Number of dense feature lists.
        list_dense: i64 = Attr::int("Nfeature_list_dense").or_int(0).at_least(0),
        /// Dtypes of the dense feature lists.
        list_dense_types: Vec<DType> = Attr::dtypes("feature_list_dense_types", FEATURES).or_empty().at_least(0),
        /// Dtypes of the sparse feature lists.
        list_sparse_types: Vec<DType> = Attr::dtypes("feature_list_sparse_types", FEATURES).or_empty().at_least(0),
        /// Dtypes of the ragged feature lists.
        list_ragged_value_types: Vec<DType> =
            Attr::dtypes("feature_list_ragged_value_types", FEATURES).or_empty().at_least(0),
        /// Dtypes of the ragged feature lists' row splits.
        list_ragged_split_types: Vec<DType> =
            Attr::dtypes("feature_list_ragged_split_types", sets::INDEX).or_empty().at_least(0),
        /// Shapes of one step of the dense feature lists.
        list_dense_shapes: Vec<PartialShape> = Attr::shapes("feature_list_dense_shapes").or_empty().at_least(0),
    }
}

pub static PARSE_SEQUENCE_EXAMPLE_V2: Def<ParseSequenceExampleV2> = op("ParseSequenceExampleV2")
    .inputs(&[
        arg("serialized", is(DType::Str)),
        arg("debug_name", is(DType::Str)),
        arg("context_sparse_keys", is(DType::Str)),
        arg("context_dense_keys", is(DType::Str)),
        arg("context_ragged_keys", is(DType::Str)),
        arg("feature_list_sparse_keys", is(DType::Str)),
        arg("feature_list_dense_keys", is(DType::Str)),
        arg("feature_list_ragged_keys", is(DType::Str)),
        arg("feature_list_dense_missing_assumed_empty", is(DType::Bool)),
        arg("context_dense_defaults", each("Tcontext_dense")),
    ])
    .outputs(&[
        arg("context_sparse_indices", is(DType::I64)).times("Ncontext_sparse"),
        arg("context_sparse_values", each("context_sparse_types")),
        arg("context_sparse_shapes", is(DType::I64)).times("Ncontext_sparse"),
        arg("context_dense_values", each("Tcontext_dense")),
        arg("context_ragged_values", each("context_ragged_value_types")),
        arg("context_ragged_row_splits", each("context_ragged_split_types")),
        arg("feature_list_sparse_indices", is(DType::I64)).times("Nfeature_list_sparse"),
        arg("feature_list_sparse_values", each("feature_list_sparse_types")),
        arg("feature_list_sparse_shapes", is(DType::I64)).times("Nfeature_list_sparse"),
        arg("feature_list_dense_values", each("feature_list_dense_types")),
        arg("feature_list_dense_lengths", is(DType::I64)).times("Nfeature_list_dense"),
        arg("feature_list_ragged_values", each("feature_list_ragged_value_types")),
        arg("feature_list_ragged_outer_splits", each("feature_list_ragged_split_types")),
        arg("feature_list_ragged_inner_splits", each("feature_list_ragged_split_types")),
    ])
    .shape(|op: &ParseSequenceExampleV2, cx| {
        let examples = cx.input(0);
        let context_sparse = op.context_sparse_types.len();
        let ragged = infer_columns(cx, 0, &examples, context_sparse, &op.context_dense_shapes)?;
        let first = ragged + 2 * op.context_ragged_value_types.len();
        infer_lists(cx, first, &examples, op.list_sparse_types.len(), &op.list_dense_shapes, true).map(drop)
    })
    .kernel(parse_sequence_example_v2)
    .heavy();

fn parse_sequence_example_v2(op: &ParseSequenceExampleV2, cx: &mut Cx<'_, '_>) -> Result<()> {
    let serialized = cx.input(0)?.clone();
    if serialized.shape().rank() > 1 {
        return Err(not_a_vector(serialized.shape()));
    }
    let names = checked_names(cx.input(1)?, &serialized)?;
    let keys = |i: usize| -> Result<Vec<Bytes>> { Ok(cx.slice::<Bytes>(i)?.to_vec()) };
    let context = Wanted {
        sparse: sparse_columns(keys(2)?, &op.context_sparse_types)?,
        dense: dense_columns(cx, keys(3)?, &op.context_dense_types, &op.context_dense_shapes, 9)?,
        ragged: ragged_columns(keys(4)?, &op.context_ragged_value_types, &op.context_ragged_split_types)?,
    };
    let missing_is_empty = cx.slice::<bool>(8)?;
    let dense_keys = keys(6)?;
    if missing_is_empty.len() != dense_keys.len() {
        return Err(lengths(
            "feature_list_dense_missing_assumed_empty",
            missing_is_empty.len(),
            "feature_list_dense_keys",
            dense_keys.len(),
        ));
    }
    let lists = WantedLists {
        sparse: sparse_columns(keys(5)?, &op.list_sparse_types)?,
        dense: dense_lists(dense_keys, &op.list_dense_types, &op.list_dense_shapes, |i, _| missing_is_empty[i])?,
        ragged: ragged_columns(keys(7)?, &op.list_ragged_value_types, &op.list_ragged_split_types)?,
    };
    parse(cx, &serialized, &names, &context, &lists, true)
}

attrs! {
    /// Parses a vector of `SequenceExample` messages into context features and feature lists.
    pub struct ParseSequenceExample {
        /// Names of the dense feature lists that are treated as empty if missing.
        missing_assumed_empty: Vec<Bytes> = Attr::strings("feature_list_dense_missing_assumed_empty").at_least(0),
        /// Names of the sparse context features.
        context_sparse_keys: Vec<Bytes> = Attr::strings("context_sparse_keys").at_least(0),
        /// Names of the dense context features.
        context_dense_keys: Vec<Bytes> = Attr::strings("context_dense_keys").at_least(0),
        /// Names of the sparse feature lists.
        list_sparse_keys: Vec<Bytes> = Attr::strings("feature_list_sparse_keys").at_least(0),
        /// Names of the dense feature lists.
        list_dense_keys: Vec<Bytes> = Attr::strings("feature_list_dense_keys").at_least(0),
        /// Number of sparse context features.
        context_sparse: i64 = Attr::int("Ncontext_sparse").or_int(0).at_least(0),
        /// Number of dense context features.
        context_dense: i64 = Attr::int("Ncontext_dense").or_int(0).at_least(0),
        /// Number of sparse feature lists.
        list_sparse: i64 = Attr::int("Nfeature_list_sparse").or_int(0).at_least(0),
        /// Number of dense feature lists.
        list_dense: i64 = Attr::int("Nfeature_list_dense").or_int(0).at_least(0),
        /// Dtypes of the sparse context features.
        context_sparse_types: Vec<DType> = Attr::dtypes("context_sparse_types", FEATURES).or_empty().at_least(0),
        /// Dtypes of the dense context features.
        context_dense_types: Vec<DType> = Attr::dtypes("Tcontext_dense", FEATURES).or_empty().at_least(0),
        /// Dtypes of the dense feature lists.
        list_dense_types: Vec<DType> = Attr::dtypes("feature_list_dense_types", FEATURES).or_empty().at_least(0),
        /// Shapes of the dense context features.
        context_dense_shapes: Vec<PartialShape> = Attr::shapes("context_dense_shapes").or_empty().at_least(0),
        /// Dtypes of the sparse feature lists.
        list_sparse_types: Vec<DType> = Attr::dtypes("feature_list_sparse_types", FEATURES).or_empty().at_least(0),
        /// Shapes of one step of the dense feature lists.
        list_dense_shapes: Vec<PartialShape> = Attr::shapes("feature_list_dense_shapes").or_empty().at_least(0),
    }
}

pub static PARSE_SEQUENCE_EXAMPLE: Def<ParseSequenceExample> = op("ParseSequenceExample")
    .inputs(&[
        arg("serialized", is(DType::Str)),
        arg("debug_name", is(DType::Str)),
        arg("context_dense_defaults", each("Tcontext_dense")),
    ])
    .outputs(&[
        arg("context_sparse_indices", is(DType::I64)).times("Ncontext_sparse"),
        arg("context_sparse_values", each("context_sparse_types")),
        arg("context_sparse_shapes", is(DType::I64)).times("Ncontext_sparse"),
        arg("context_dense_values", each("Tcontext_dense")),
        arg("feature_list_sparse_indices", is(DType::I64)).times("Nfeature_list_sparse"),
        arg("feature_list_sparse_values", each("feature_list_sparse_types")),
        arg("feature_list_sparse_shapes", is(DType::I64)).times("Nfeature_list_sparse"),
        arg("feature_list_dense_values", each("feature_list_dense_types")),
        arg("feature_list_dense_lengths", is(DType::I64)).times("Nfeature_list_dense"),
    ])
    .shape(|op: &ParseSequenceExample, cx| {
        let examples = cx.with_rank(0, 1)?;
        let first = infer_columns(cx, 0, &examples, op.context_sparse_types.len(), &op.context_dense_shapes)?;
        infer_lists(cx, first, &examples, op.list_sparse_types.len(), &op.list_dense_shapes, true).map(drop)
    })
    .kernel(parse_sequence_example)
    .heavy();

fn parse_sequence_example(op: &ParseSequenceExample, cx: &mut Cx<'_, '_>) -> Result<()> {
    let serialized = cx.input(0)?.clone();
    if serialized.shape().rank() != 1 {
        let shape = serialized.shape();
        return Err(Error::invalid(format!("Expected serialized to be a vector, got shape: {shape}")));
    }
    let names = checked_names(cx.input(1)?, &serialized)?;
    let context = Wanted {
        sparse: sparse_columns(op.context_sparse_keys.clone(), &op.context_sparse_types)?,
        dense: dense_columns(cx, op.context_dense_keys.clone(), &op.context_dense_types, &op.context_dense_shapes, 2)?,
        ragged: Vec::new(),
    };
    let empty = |_, key: &Bytes| op.missing_assumed_empty.contains(key);
    let lists = WantedLists {
        sparse: sparse_columns(op.list_sparse_keys.clone(), &op.list_sparse_types)?,
        dense: dense_lists(op.list_dense_keys.clone(), &op.list_dense_types, &op.list_dense_shapes, empty)?,
        ragged: Vec::new(),
    };
    parse(cx, &serialized, &names, &context, &lists, true)
}

attrs! {
    /// Parses a single `SequenceExample` message into context features and feature lists.
    pub struct ParseSingleSequenceExample {
        /// Number of sparse context features.
        context_sparse: i64 = Attr::int("Ncontext_sparse").or_int(0).at_least(0),
        /// Number of dense context features.
        context_dense: i64 = Attr::int("Ncontext_dense").or_int(0).at_least(0),
        /// Number of sparse feature lists.
        list_sparse: i64 = Attr::int("Nfeature_list_sparse").or_int(0).at_least(0),
        /// Number of dense feature lists.
        list_dense: i64 = Attr::int("Nfeature_list_dense").or_int(0).at_least(0),
        /// Dtypes of the sparse context features.
        context_sparse_types: Vec<DType> = Attr::dtypes("context_sparse_types", FEATURES).or_empty().at_least(0),
        /// Dtypes of the dense context features.
        context_dense_types: Vec<DType> = Attr::dtypes("Tcontext_dense", FEATURES).or_empty().at_least(0),
        /// Dtypes of the dense feature lists.
        list_dense_types: Vec<DType> = Attr::dtypes("feature_list_dense_types", FEATURES).or_empty().at_least(0),
        /// Shapes of the dense context features.
        context_dense_shapes: Vec<PartialShape> = Attr::shapes("context_dense_shapes").or_empty().at_least(0),
        /// Dtypes of the sparse feature lists.
        list_sparse_types: Vec<DType> = Attr::dtypes("feature_list_sparse_types", FEATURES).or_empty().at_least(0),
        /// Shapes of one step of the dense feature lists.
        list_dense_shapes: Vec<PartialShape> = Attr::shapes("feature_list_dense_shapes").or_empty().at_least(0),
    }
}

pub static PARSE_SINGLE_SEQUENCE_EXAMPLE: Def<ParseSingleSequenceExample> = op("ParseSingleSequenceExample")
    .inputs(&[
        arg("serialized", is(DType::Str)),
        arg("feature_list_dense_missing_assumed_empty", is(DType::Str)),
        arg("context_sparse_keys", is(DType::Str)).times("Ncontext_sparse"),
        arg("context_dense_keys", is(DType::Str)).times("Ncontext_dense"),
        arg("feature_list_sparse_keys", is(DType::Str)).times("Nfeature_list_sparse"),
        arg("feature_list_dense_keys", is(DType::Str)).times("Nfeature_list_dense"),
        arg("context_dense_defaults", each("Tcontext_dense")),
        arg("debug_name", is(DType::Str)),
    ])
    .outputs(&[
        arg("context_sparse_indices", is(DType::I64)).times("Ncontext_sparse"),
        arg("context_sparse_values", each("context_sparse_types")),
        arg("context_sparse_shapes", is(DType::I64)).times("Ncontext_sparse"),
        arg("context_dense_values", each("Tcontext_dense")),
        arg("feature_list_sparse_indices", is(DType::I64)).times("Nfeature_list_sparse"),
        arg("feature_list_sparse_values", each("feature_list_sparse_types")),
        arg("feature_list_sparse_shapes", is(DType::I64)).times("Nfeature_list_sparse"),
        arg("feature_list_dense_values", each("feature_list_dense_types")),
    ])
    .shape(|op: &ParseSingleSequenceExample, cx| {
        let example = cx.with_rank(0, 0)?;
        let first = infer_columns(cx, 0, &example, op.context_sparse_types.len(), &op.context_dense_shapes)?;
        infer_lists(cx, first, &example, op.list_sparse_types.len(), &op.list_dense_shapes, false).map(drop)
    })
    .kernel(parse_single_sequence_example)
    .heavy();

fn parse_single_sequence_example(op: &ParseSingleSequenceExample, cx: &mut Cx<'_, '_>) -> Result<()> {
    let serialized = cx.input(0)?.clone();
    if !serialized.shape().is_scalar() {
        let shape = serialized.shape();
        return Err(Error::invalid(format!("Expected serialized to be a scalar, got shape: {shape}")));
    }
    let counts = [
        op.context_sparse_types.len(),
        op.context_dense_types.len(),
        op.list_sparse_types.len(),
        op.list_dense_types.len(),
    ];
    let mut next = 2;
    let mut keys = counts.iter().map(|n| {
        let range = next..next + n;
        next += n;
        range.map(|i| cx.scalar::<Bytes>(i)).collect::<Result<Vec<_>>>()
    });
    let mut take = || keys.next().unwrap_or_else(|| Ok(Vec::new()));
    let (context_sparse, context_dense, list_sparse, list_dense) = (take()?, take()?, take()?, take()?);
    drop(keys);
    let missing: HashSet<Bytes> = cx.slice::<Bytes>(1)?.iter().cloned().collect();
    let names = cx.slice::<Bytes>(next + counts[1])?.to_vec();
    let context = Wanted {
        sparse: sparse_columns(context_sparse, &op.context_sparse_types)?,
        dense: dense_columns(cx, context_dense, &op.context_dense_types, &op.context_dense_shapes, next)?,
        ragged: Vec::new(),
    };
    let empty = |_, key: &Bytes| missing.contains(key);
    let lists = WantedLists {
        sparse: sparse_columns(list_sparse, &op.list_sparse_types)?,
        dense: dense_lists(list_dense, &op.list_dense_types, &op.list_dense_shapes, empty)?,
        ragged: Vec::new(),
    };
    parse(cx, &serialized, &names, &context, &lists, false)
}
