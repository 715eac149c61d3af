//! `DenseCountSparseOutput`, `SparseCountSparseOutput`, `RaggedCountSparseOutput`: counts of each value per row, as a
//! sparse tensor.

use crate::coo::{self, Coo};
use crate::prelude::*;
use DType::*;
use std::collections::BTreeMap;

attrs! {
    /// The attrs of ops that count values.
    pub struct SparseCount {
        /// Element type of the values.
        index: DType = Attr::dtype("T", sets::INDEX),
        /// Minimum size of a row of the result; -1 for no minimum.
        minlength: i64 = Attr::int("minlength").at_least(-1).or_int(-1),
        /// Maximum size of a row of the result, larger values are not counted; -1 for no maximum.
        maxlength: i64 = Attr::int("maxlength").at_least(-1).or_int(-1),
        /// Whether to return 1 for each value that occurs, instead of counts.
        binary_output: bool = Attr::bool("binary_output"),
        /// Element type of the result.
        dtype: DType = Attr::dtype("output_type", &[I32, I64, F32, F64]),
    }
}

const VALUES: Arg = arg("values", of("T"));
const WEIGHTS: Arg = arg("weights", of("output_type"));

const OUTPUTS: &[Arg] =
    &[arg("output_indices", is(I64)), arg("output_values", of("output_type")), arg("output_dense_shape", is(I64))];

const fn counting(name: &'static str, kernel: fn(&SparseCount, &mut Cx<'_, '_>) -> Result<()>) -> Def<SparseCount> {
    op::<SparseCount>(name).outputs(OUTPUTS).kernel(kernel).heavy()
}

fn infer(cx: &mut ShapeCx<'_>, rank: Option<usize>) {
    cx.output(0, PartialShape::new([None, rank]));
    cx.output_vector(1, None);
    cx.output_vector(2, rank);
}

pub static DENSE_COUNT_SPARSE_OUTPUT: Def<SparseCount> = counting("DenseCountSparseOutput", dense_count)
    .doc("Counts the occurrences of each value in a vector or in each row of a matrix.")
    .inputs(&[VALUES, WEIGHTS])
    .shape(|_, cx| {
        let rank = cx.input(0).rank();
        infer(cx, rank);
        Ok(())
    });

fn dense_count(op: &SparseCount, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = cx.input(0)?.shape().clone();
    let (rows, width) = match *shape.dims() {
        [n] => (None, n),
        [rows, n] => (Some(rows), n),
        _ => {
            return Err(Error::invalid(format!("Input must be a 1 or 2-dimensional tensor. Got: {shape}")));
        }
    };
    if rows == Some(0) {
        return Err(Error::invalid("Invalid input: Shapes dimension cannot be 0."));
    }
    check_weights(cx.input(1)?, &shape)?;
    op.count(cx, 0, 1, rows, |i| i / width.max(1))
}

pub static RAGGED_COUNT_SPARSE_OUTPUT: Def<SparseCount> = counting("RaggedCountSparseOutput", ragged_count)
    .doc("Counts the occurrences of each value in each row of a ragged matrix.")
    .inputs(&[arg("splits", is(I64)), VALUES, WEIGHTS])
    .shape(|_, cx| {
        infer(cx, Some(2));
        Ok(())
    });

fn ragged_count(op: &SparseCount, cx: &mut Cx<'_, '_>) -> Result<()> {
    let splits = cx.slice::<i64>(0)?;
    let n = cx.input(1)?.num_elements();
    check_weights(cx.input(2)?, cx.input(1)?.shape())?;
    let (&[first, .., last], rows) = (splits, splits.len().wrapping_sub(1)) else {
        return Err(Error::invalid("Must provide at least 2 elements for the splits argument"));
    };
    if first != 0 {
        return Err(Error::invalid(format!("Splits must start with 0, not with {first}")));
    }
    if last != n as i64 {
        return Err(Error::invalid(format!("Splits must end with the number of values, got {last} instead of {n}")));
    }
    let mut row = 0;
    let mut row_of = Vec::with_capacity(n);
    for i in 0..n as i64 {
        while row < splits.len() && i >= splits[row] {
            row += 1;
        }
        row_of.push(row - 1);
    }
    op.count(cx, 1, 2, Some(rows), |i| row_of[i])
}

pub static SPARSE_COUNT_SPARSE_OUTPUT: Def<SparseCount> = counting("SparseCountSparseOutput", sparse_count)
    .doc("Counts the occurrences of each value in a sparse vector or in each row of a sparse tensor.")
    .inputs(&[arg("indices", is(I64)), VALUES, arg("dense_shape", is(I64)), WEIGHTS])
    .shape(|_, cx| {
        let rank = cx.with_rank(2, 1)?.dim(0).map(|n| n.min(2));
        infer(cx, rank);
        Ok(())
    });

fn sparse_count(op: &SparseCount, cx: &mut Cx<'_, '_>) -> Result<()> {
    let sparse = Coo::input(cx, 0)?;
    check_weights(cx.input(3)?, sparse.values.shape())?;
    if sparse.rank == 0 {
        return Err(Error::invalid("the dense shape must have at least one dimension"));
    }
    for i in 0..sparse.len {
        if !coo::within(sparse.row(i), sparse.shape) {
            return Err(Error::invalid(format!(
                "Invalid index value at {i}: {:?} is not within the dense shape {:?}",
                sparse.row(i),
                sparse.shape
            )));
        }
    }
    if sparse.rank == 1 {
        return op.count(cx, 1, 3, None, |_| 0);
    }
    let rows = sparse.shape[0];
    if !(1..=i64::from(i32::MAX)).contains(&rows) {
        return Err(Error::invalid(format!("Cannot allocate {rows} batches, is the dense shape too wide?")));
    }
    let row_of: Vec<usize> = (0..sparse.len).map(|i| sparse.row(i)[0] as usize).collect();
    op.count(cx, 1, 3, Some(rows as usize), |i| row_of[i])
}

fn check_weights(weights: &Tensor, shape: &Shape) -> Result<()> {
    if weights.num_elements() == 0 || weights.shape() == shape {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "Weights and values must have the same shape. Weight shape: {}; values shape: {shape}",
        weights.shape()
    )))
}

impl SparseCount {
    /// Counts the values of input `values` with the weights of input `weights`; `row(i)` is the row that value number
    /// `i` belongs to. A result without rows is a vector.
    fn count(
        &self,
        cx: &mut Cx<'_, '_>,
        values: usize,
        weights: usize,
        rows: Option<usize>,
        row: impl Fn(usize) -> usize,
    ) -> Result<()> {
        let numbers = cx.i64s(values)?;
        if numbers.iter().any(|&v| v < 0) {
            return Err(Error::invalid("Input values must all be non-negative"));
        }
        let counted = |v: i64| self.maxlength < 0 || v < self.maxlength;
        let mut places: BTreeMap<(usize, i64), Vec<usize>> = BTreeMap::new();
        for (i, &v) in numbers.iter().enumerate().filter(|(_, v)| counted(**v)) {
            places.entry((row(i), v)).or_default().push(i);
        }
        let highest = places.keys().map(|&(_, v)| v).max().unwrap_or(0);
        let size = if self.maxlength >= 0 { self.maxlength } else { highest.wrapping_add(1).max(self.minlength) };
        let mut indices = Vec::with_capacity(places.len() * 2);
        for &(row, v) in places.keys() {
            if rows.is_some() {
                indices.push(row as i64);
            }
            indices.push(v);
        }
        let rank = if rows.is_some() { 2 } else { 1 };
        let sums = dispatch!(self.dtype, reals, |T| {
            let weights = cx.slice::<T>(weights)?;
            let sum = |all: &Vec<usize>| match weights.is_empty() {
                _ if self.binary_output => T::one(),
                true => T::from_usize(all.len()),
                false => all.iter().fold(T::zero(), |sum, &i| sum.add(weights[i])),
            };
            Tensor::vector(places.values().map(sum).collect::<Vec<T>>())
        }, else return Err(coo::unsupported("counting", self.dtype)));
        cx.set(0, coo::indices(rank, places.len(), indices)?);
        cx.set(1, sums);
        cx.set(2, Tensor::vector(rows.map(|r| r as i64).into_iter().chain([size]).collect()));
        Ok(())
    }
}
