//! `SparseCross`, `SparseCrossV2`, `SparseCrossHashed` and `RaggedCross`: feature crosses of a row, as strings or
//! hashes.

use crate::coo;
use crate::hash::{fingerprint, sip};
use crate::prelude::*;
use DType::*;
use std::borrow::Cow;

const FEATURES: &[DType] = &[I64, Str];

macro_rules! outputs {
    ($ty:expr) => {
        &[arg("output_indices", is(I64)), arg("output_values", $ty), arg("output_shape", is(I64))]
    };
}

fn infer(cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.output(0, PartialShape::new([None, Some(2)]));
    cx.output_vector(1, None);
    cx.output_vector(2, Some(2));
    Ok(())
}

attrs! {
    /// Returns every combination of one feature per column, row by row; hashed if `hashed_output`.
    pub struct SparseCross {
        /// Number of sparse columns.
        n: i64 = Attr::int("N").at_least(0),
        /// Whether the output is hashes instead of strings.
        hashed: bool = Attr::bool("hashed_output"),
        /// Modulus of the hashes; 0 for the maximum int64.
        buckets: i64 = Attr::int("num_buckets").at_least(0),
        /// Initial value of the hash.
        key: i64 = Attr::int("hash_key"),
        /// Element types of the sparse columns.
        sparse: Vec<DType> = Attr::dtypes("sparse_types", FEATURES).at_least(0),
        /// Element types of the dense columns.
        dense: Vec<DType> = Attr::dtypes("dense_types", FEATURES).at_least(0),
        /// Element type of the result.
        out: DType = Attr::dtype("out_type", FEATURES),
        /// Type that the features are converted to.
        internal: DType = Attr::dtype("internal_type", FEATURES),
    }
}

pub static SPARSE_CROSS: Def<SparseCross> = op("SparseCross")
    .inputs(&[
        arg("indices", is(I64)).times("N"),
        arg("values", each("sparse_types")),
        arg("shapes", is(I64)).times("N"),
        arg("dense_inputs", each("dense_types")),
    ])
    .outputs(outputs!(of("out_type")))
    .shape(|_, cx| infer(cx))
    .kernel(sparse_cross)
    .heavy();

fn sparse_cross(op: &SparseCross, cx: &mut Cx<'_, '_>) -> Result<()> {
    if op.internal == Str && op.sparse.iter().chain(&op.dense).any(|&dtype| dtype != Str) {
        return Err(Error::invalid("Input values should be of internal type string but received int64"));
    }
    let columns = Columns::new(cx, op.n, 0, cx.num_inputs(), 0)?;
    if op.out == Str {
        return columns.texts(cx, b"_X_").and_then(|made| made.set(cx));
    }
    let key = op.key as u64;
    columns.hashes(cx, Hashing::From(key), op.buckets).and_then(|made| made.set(cx))
}

attrs! {
    /// Returns every combination of one feature per column, row by row, joined with the separator `sep`.
    pub struct SparseCrossV2 {
        /// Number of sparse columns.
        n: i64 = Attr::int("N").at_least(0),
        /// Element types of the sparse columns.
        sparse: Vec<DType> = Attr::dtypes("sparse_types", FEATURES).at_least(0),
        /// Element types of the dense columns.
        dense: Vec<DType> = Attr::dtypes("dense_types", FEATURES).at_least(0),
    }
}

pub static SPARSE_CROSS_V2: Def<SparseCrossV2> = op("SparseCrossV2")
    .inputs(&[
        arg("indices", is(I64)).times("N"),
        arg("values", each("sparse_types")),
        arg("shapes", is(I64)).times("N"),
        arg("dense_inputs", each("dense_types")),
        arg("sep", is(Str)),
    ])
    .outputs(outputs!(is(Str)))
    .shape(|_, cx| infer(cx))
    .kernel(sparse_cross_v2)
    .heavy();

fn sparse_cross_v2(op: &SparseCrossV2, cx: &mut Cx<'_, '_>) -> Result<()> {
    let last = cx.num_inputs().saturating_sub(1);
    let sep = scalar::<Bytes>(cx, last, "separator")?;
    Columns::new(cx, op.n, 0, last, 0)?.texts(cx, &sep).and_then(|made| made.set(cx))
}

attrs! {
    /// Returns every combination of one feature per column, row by row, hashed.
    pub struct SparseCrossHashed {
        /// Number of sparse columns.
        n: i64 = Attr::int("N").at_least(0),
        /// Element types of the sparse columns.
        sparse: Vec<DType> = Attr::dtypes("sparse_types", FEATURES).at_least(0),
        /// Element types of the dense columns.
        dense: Vec<DType> = Attr::dtypes("dense_types", FEATURES).at_least(0),
    }
}

pub static SPARSE_CROSS_HASHED: Def<SparseCrossHashed> = op("SparseCrossHashed")
    .inputs(&[
        arg("indices", is(I64)).times("N"),
        arg("values", each("sparse_types")),
        arg("shapes", is(I64)).times("N"),
        arg("dense_inputs", each("dense_types")),
        arg("num_buckets", is(I64)),
        arg("strong_hash", is(Bool)),
        arg("salt", is(I64)),
    ])
    .outputs(outputs!(is(I64)))
    .shape(|_, cx| infer(cx))
    .kernel(sparse_cross_hashed)
    .heavy();

fn sparse_cross_hashed(op: &SparseCrossHashed, cx: &mut Cx<'_, '_>) -> Result<()> {
    let first = cx.num_inputs().saturating_sub(3);
    let buckets = scalar::<i64>(cx, first, "num_buckets")?;
    let strong = scalar::<bool>(cx, first + 1, "strong_hash")?;
    let salt = cx.input(first + 2)?;
    let &[low, high] = salt.slice::<i64>()? else {
        return Err(Error::invalid(format!("Input \"salt\" must have length 2 but has shape {}", salt.shape())));
    };
    if buckets < 0 {
        return Err(Error::invalid(format!("Input \"num_buckets\" must be >= 0, but is {buckets}")));
    }
    let hashing = if strong { Hashing::Strong([low as u64, high as u64]) } else { Hashing::Weak };
    Columns::new(cx, op.n, 0, first, 0)?.hashes(cx, hashing, buckets).and_then(|made| made.set(cx))
}

attrs! {
    /// Returns every combination of one feature per column, row by row, as a ragged tensor; hashed if `hashed_output`.
    pub struct RaggedCross {
        /// Number of sparse columns.
        n: i64 = Attr::int("Nsparse").at_least(0),
        /// Kind of each column in order: `R`, `S` or `D`.
        order: Bytes = Attr::string("input_order"),
        /// Whether the output is hashes instead of strings.
        hashed: bool = Attr::bool("hashed_output"),
        /// Modulus of the hashes; 0 for the maximum int64.
        buckets: i64 = Attr::int("num_buckets").at_least(0),
        /// Initial value of the hash.
        key: i64 = Attr::int("hash_key"),
        /// Element types of the ragged columns.
        ragged: Vec<DType> = Attr::dtypes("ragged_values_types", FEATURES).at_least(0),
        /// Element types of their row splits.
        ragged_splits: Vec<DType> = Attr::dtypes("ragged_splits_types", sets::INDEX).at_least(0),
        /// Element types of the sparse columns.
        sparse: Vec<DType> = Attr::dtypes("sparse_values_types", FEATURES).at_least(0),
        /// Element types of the dense columns.
        dense: Vec<DType> = Attr::dtypes("dense_types", FEATURES).at_least(0),
        /// Element type of the result.
        out: DType = Attr::dtype("out_values_type", FEATURES),
        /// Element type of the result's row splits.
        splits: DType = Attr::dtype("out_row_splits_type", sets::INDEX),
    }
}

pub static RAGGED_CROSS: Def<RaggedCross> = op("RaggedCross")
    .inputs(&[
        arg("ragged_values", each("ragged_values_types")),
        arg("ragged_row_splits", each("ragged_splits_types")),
        arg("sparse_indices", is(I64)).times("Nsparse"),
        arg("sparse_values", each("sparse_values_types")),
        arg("sparse_shape", is(I64)).times("Nsparse"),
        arg("dense_inputs", each("dense_types")),
    ])
    .outputs(&[arg("output_values", of("out_values_type")), arg("output_row_splits", of("out_row_splits_type"))])
    .shape(|_, cx| {
        cx.output_vector(0, None);
        cx.output_vector(1, None);
        Ok(())
    })
    .kernel(ragged_cross)
    .heavy();

fn ragged_cross(op: &RaggedCross, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (ragged, sparse) = (op.ragged.len(), op.sparse.len());
    if op.ragged_splits.len() != ragged || usize::try_from(op.n) != Ok(sparse) {
        return Err(Error::invalid("ragged and sparse columns must have as many types as there are columns"));
    }
    let (columns, splits) = {
        let mut columns = Columns::new(cx, op.n, 2 * ragged, cx.num_inputs(), ragged)?;
        columns.reorder(&op.order, [ragged, sparse, op.dense.len()])?;
        let mut end = 0;
        let ends = columns.counts.iter().map(|count| {
            end += *count as i64;
            end
        });
        let splits = std::iter::once(0).chain(ends.collect::<Vec<i64>>()).collect::<Vec<i64>>();
        let made = match op.out {
            Str => columns.texts(cx, b"_X_")?,
            _ => columns.hashes(cx, Hashing::From(op.key as u64), op.buckets)?,
        };
        (made.values, splits)
    };
    let splits = match op.splits {
        I32 => {
            let narrow = splits.iter().map(|&at| i32::try_from(at)).collect::<std::result::Result<Vec<i32>, _>>();
            Tensor::vector(narrow.map_err(|_| {
                Error::invalid("row splits of the combinations do not fit into int32").help("ask for int64")
            })?)
        }
        _ => Tensor::vector(splits),
    };
    cx.set(0, columns);
    cx.set(1, splits);
    Ok(())
}

fn scalar<T: Element>(cx: &Cx<'_, '_>, i: usize, what: &str) -> Result<T> {
    let input = cx.input(i)?;
    if !input.shape().is_scalar() {
        return Err(
            Error::invalid(format!("Input {what:?} must be a scalar.")).found(format!("shape {}", input.shape()))
        );
    }
    input.item()
}

/// How features are hashed.
#[derive(Clone, Copy)]
enum Hashing {
    /// As `SparseCross` does, with this initial value.
    From(u64),
    /// As `SparseCrossHashed` does without a key.
    Weak,
    /// As `SparseCrossHashed` does with a key.
    Strong([u64; 2]),
}

/// A column of features.
struct Column<'a> {
    values: &'a Tensor,
    /// For each row the range of its features in `values`; `None` for a dense column, with this number per row.
    rows: Option<Vec<std::ops::Range<usize>>>,
    width: usize,
}

impl Column<'_> {
    fn row(&self, row: usize) -> std::ops::Range<usize> {
        self.rows.as_ref().map_or(row * self.width..(row + 1) * self.width, |rows| rows[row].clone())
    }

    fn text(&self, at: usize) -> Result<Cow<'_, [u8]>> {
        Ok(match self.values.dtype() {
            Str => Cow::Borrowed(&self.values.slice::<Bytes>()?[at][..]),
            _ => Cow::Owned(self.values.slice::<i64>()?[at].to_string().into_bytes()),
        })
    }

    fn hash(&self, at: usize, hashing: Hashing) -> Result<u64> {
        let hash = |bytes: &[u8]| match hashing {
            Hashing::Strong(key) => sip(key, bytes),
            _ => fingerprint(bytes),
        };
        if self.values.dtype() == Str {
            return Ok(hash(&self.values.slice::<Bytes>()?[at]));
        }
        let number = self.values.slice::<i64>()?[at];
        // As in TensorFlow, `SparseCrossHashed` hashes the lower four bytes of integers in sparse columns as a string.
        Ok(match (hashing, &self.rows) {
            (Hashing::Weak | Hashing::Strong(_), Some(_)) => hash(&number.to_le_bytes()[..4]),
            _ => number as u64,
        })
    }
}

/// Combines two fingerprints.
fn cat(a: u64, b: u64) -> u64 {
    const MUL: u64 = 0xc6a4_a793_5bd1_e995;
    let mix = |v: u64| v ^ v >> 47;
    let mut out = a ^ MUL;
    out ^= mix(b.wrapping_mul(MUL)).wrapping_mul(MUL);
    out = out.wrapping_mul(MUL);
    mix(mix(out).wrapping_mul(MUL))
}

/// The columns that are crossed.
struct Columns<'a> {
    columns: Vec<Column<'a>>,
    /// Number of combinations per row.
    counts: Vec<usize>,
}

/// The outputs.
struct Made {
    indices: Tensor,
    values: Tensor,
    shape: Tensor,
}

impl Made {
    fn set(self, cx: &mut Cx<'_, '_>) -> Result<()> {
        cx.set(0, self.indices);
        cx.set(1, self.values);
        cx.set(2, self.shape);
        Ok(())
    }
}

impl<'a> Columns<'a> {
    /// Collects `ragged` ragged columns starting at the first input, `n` sparse ones starting at input `first`, then
    /// dense ones up to input `end`.
    fn new(cx: &'a Cx<'_, '_>, n: i64, first: usize, end: usize, ragged: usize) -> Result<Columns<'a>> {
        let n = usize::try_from(n).unwrap_or(0);
        let sparse =
            |i: usize| Ok::<_, Error>((cx.input(first + i)?, cx.input(first + n + i)?, cx.input(first + 2 * n + i)?));
        let mut batch = None;
        let mut same = |rows: i64| match *batch.get_or_insert(rows) {
            first if first == rows => Ok(()),
            first => Err(Error::invalid(format!("Expected batch size {first} got {rows}"))),
        };
        for i in 0..ragged {
            same(coo::vector(cx.input(ragged + i)?, "ragged_row_splits")? as i64 - 1)?;
            coo::vector(cx.input(i)?, "ragged_values")?;
        }
        for i in 0..n {
            let (indices, values, shape) = sparse(i)?;
            let (len, rank) = coo::matrix(indices, "indices")?;
            if rank != 2 {
                return Err(Error::invalid(format!("Expected D2 of index to be 2 got {rank} at position {i}")));
            }
            if coo::vector(values, "values")? != len {
                return Err(Error::invalid(format!(
                    "Expected size of values to be {len} got {} at position {i}",
                    values.num_elements()
                )));
            }
            if coo::vector(shape, "shapes")? != 2 {
                return Err(Error::invalid(format!(
                    "shape should imply a 2D tensor, but got {:?} at position {i}",
                    shape.slice::<i64>()?
                )));
            }
            same(shape.slice::<i64>()?[0])?;
        }
        for i in first + 3 * n..end {
            let dense = cx.input(i)?.shape();
            if dense.rank() != 2 {
                return Err(Error::invalid(format!("Dense inputs should be a matrix but received shape {dense}")));
            }
            same(dense[0] as i64)?;
        }
        let Some(batch) = batch else { return Err(Error::invalid("there is nothing to cross")) };
        let batch = coo::dense_shape(&[batch])?[0];
        // The number of rows says nothing about available memory.
        cx.device.arena.check(batch.saturating_mul((ragged + n + 1) * size_of::<std::ops::Range<usize>>()))?;
        let mut columns = Vec::new();
        for i in 0..ragged {
            let values = cx.input(i)?;
            let splits = cx.input(ragged + i)?.to_i64s()?;
            let (begins, ends) = (splits.first() == Some(&0), splits.last() == Some(&(values.num_elements() as i64)));
            if !begins || !ends || splits.windows(2).any(|pair| pair[0] > pair[1]) {
                return Err(Error::invalid(format!(
                    "the row splits of ragged column {i} must rise from 0 to its size"
                ))
                .expected(format!("{} at the end", values.num_elements()))
                .found(format!("{splits:?}")));
            }
            let rows = splits.windows(2).map(|pair| pair[0] as usize..pair[1] as usize).collect();
            columns.push(Column { values, rows: Some(rows), width: 0 });
        }
        for i in 0..n {
            let (indices, values, _) = sparse(i)?;
            let indices = indices.slice::<i64>()?;
            let mut at = 0;
            let mut rows = Vec::with_capacity(batch);
            for row in 0..batch as i64 {
                let start = at;
                while at < values.num_elements() && indices[2 * at] == row {
                    at += 1;
                }
                rows.push(start..at);
            }
            columns.push(Column { values, rows: Some(rows), width: 0 });
        }
        for i in first + 3 * n..end {
            let values = cx.input(i)?;
            columns.push(Column { values, rows: None, width: values.shape()[1] });
        }
        let count = |row: usize| columns.iter().try_fold(1usize, |n, c| n.checked_mul(c.row(row).len()));
        let too_many = || Error::invalid("there are too many combinations");
        let counts: Vec<usize> = (0..batch).map(|row| count(row).ok_or_else(too_many)).collect::<Result<_>>()?;
        Ok(Columns { columns, counts })
    }

    /// Reorders the columns, given the counts of ragged, sparse and dense ones, into the order of the letters.
    fn reorder(&mut self, order: &[u8], counts: [usize; 3]) -> Result<()> {
        let mut next = [0, counts[0], counts[0] + counts[1]];
        let ends = [next[1], next[2], self.columns.len()];
        let mut places = Vec::new();
        for letter in order {
            let kind = b"RSD".iter().position(|kind| kind == letter).filter(|&kind| next[kind] < ends[kind]);
            let kind = kind
                .ok_or_else(|| Error::invalid("input_order must have a letter for each column").attr("input_order"))?;
            places.push(next[kind]);
            next[kind] += 1;
        }
        if places.len() != self.columns.len() {
            return Err(Error::invalid("input_order must have a letter for each column")
                .attr("input_order")
                .expected(self.columns.len())
                .found(places.len()));
        }
        let mut columns: Vec<Option<Column<'a>>> = std::mem::take(&mut self.columns).into_iter().map(Some).collect();
        self.columns = places.into_iter().filter_map(|place| columns[place].take()).collect();
        Ok(())
    }

    /// Calls `make` with the features of every combination, by position in their columns; the last column varies
    /// fastest.
    fn cross<T: Element>(&self, cx: &Cx<'_, '_>, mut make: impl FnMut(&[usize]) -> Result<T>) -> Result<Made> {
        let too_many = || Error::invalid("there are too many combinations");
        let total = self.counts.iter().try_fold(0usize, |n, &c| n.checked_add(c)).ok_or_else(too_many)?;
        cx.device.arena.check(total.saturating_mul(16 + 40))?;
        let mut values = cx.alloc(T::DTYPE, &Shape::vector(total))?;
        let mut indices = cx.alloc(I64, &Shape::new([total, 2])?)?;
        let (to, index) = (values.slice_mut::<T>()?, indices.slice_mut::<i64>()?);
        let mut at = 0;
        for (row, &count) in self.counts.iter().enumerate() {
            let ranges: Vec<_> = self.columns.iter().map(|c| c.row(row)).collect();
            let mut places: Vec<usize> = ranges.iter().map(|r| r.start).collect();
            for i in 0..count {
                to[at] = make(&places)?;
                index[2 * at..2 * at + 2].copy_from_slice(&[row as i64, i as i64]);
                at += 1;
                for (place, range) in places.iter_mut().zip(&ranges).rev() {
                    *place += 1;
                    if *place < range.end {
                        break;
                    }
                    *place = range.start;
                }
            }
        }
        let most = self.counts.iter().copied().max().unwrap_or(0);
        Ok(Made { indices, values, shape: Tensor::vector(vec![self.counts.len() as i64, most as i64]) })
    }

    fn texts(&self, cx: &Cx<'_, '_>, sep: &[u8]) -> Result<Made> {
        self.cross::<Bytes>(cx, |places| {
            let mut text = Vec::new();
            for (i, (column, &at)) in self.columns.iter().zip(places).enumerate() {
                if i > 0 {
                    text.extend_from_slice(sep);
                }
                text.extend_from_slice(&column.text(at)?);
            }
            Ok(text.into())
        })
    }

    fn hashes(&self, cx: &Cx<'_, '_>, hashing: Hashing, buckets: i64) -> Result<Made> {
        let modulo = if buckets > 0 { buckets as u64 } else { i64::MAX as u64 };
        let first = if let Hashing::From(first) = hashing { Some(first) } else { None };
        self.cross::<i64>(cx, |places| {
            let mut hash = first;
            for (column, &at) in self.columns.iter().zip(places) {
                let feature = column.hash(at, hashing)?;
                hash = Some(hash.map_or(feature, |hash| cat(hash, feature)));
            }
            Ok((hash.unwrap_or(0) % modulo) as i64)
        })
    }
}
