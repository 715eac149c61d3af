//! `Bincount`, `DenseBincount`, `RaggedBincount`, `SparseBincount`: counts of the occurrences of each value.

use crate::prelude::*;
use crate::rules::never;
use DType::*;
use levada_kernel::Pool;
use std::sync::atomic::{AtomicBool, Ordering};

const WEIGHTS: &[DType] = &[I32, I64, F32, F64];

attrs! {
    /// Counts the occurrences of each integer in `[0, size)` in `arr`, or sums their `weights`.
    pub struct Bincount {
        /// Element type of `weights`.
        dtype: DType = Attr::dtype("T", WEIGHTS),
    }
}

pub static BINCOUNT: Def<Bincount> = op("Bincount")
    .inputs(&[arg("arr", is(I32)), arg("size", is(I32)), arg("weights", of("T"))])
    .outputs(&[arg("bins", of("T"))])
    .shape(|_, cx| {
        let size = known_size(cx, 1)?;
        cx.output_vector(0, size);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(|op, cx| {
        let size = size(cx, 1)?;
        if count_alone(cx, op.dtype, size)? {
            return Ok(());
        }
        let values = cx.i64s(0)?;
        check_weights(cx.input(2)?, values.len())?;
        count(cx, op.dtype, 2, &Shape::vector(size), &values, false, |_| 0)
    });

attrs! {
    /// The attrs of counts per row.
    pub struct Counts {
        /// Element type of the values.
        index: DType = Attr::dtype("Tidx", sets::INDEX),
        /// Element type of `weights`.
        dtype: DType = Attr::dtype("T", WEIGHTS),
        /// Whether to return 1 for values that occur and 0 for others, instead of counts.
        binary_output: bool = Attr::bool("binary_output").or_bool(false),
    }
}

pub static DENSE_BINCOUNT: Def<Counts> = op("DenseBincount")
    .doc(
        "Counts the occurrences of each integer in `[0, size)` in a vector or in each row of a matrix, or sums their \
        `weights`.",
    )
    .inputs(&[arg("input", of("Tidx")), arg("size", of("Tidx")), arg("weights", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .shape(infer_dense)
    .gradient(|_, g| never(g))
    .kernel(dense);

pub static RAGGED_BINCOUNT: Def<Counts> = op("RaggedBincount")
    .doc(
        "Counts the occurrences of each integer in `[0, size)` in each row of a ragged matrix, or sums their \
        `weights`.",
    )
    .inputs(&[arg("splits", is(I64)), arg("values", of("Tidx")), arg("size", of("Tidx")), arg("weights", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .shape(infer_ragged)
    .kernel(ragged);

pub static SPARSE_BINCOUNT: Def<Counts> = op("SparseBincount")
    .doc(
        "Counts the occurrences of each integer in `[0, size)` in a sparse vector or in each row of a sparse matrix, \
        or sums their `weights`.",
    )
    .inputs(&[
        arg("indices", is(I64)),
        arg("values", of("Tidx")),
        arg("dense_shape", is(I64)),
        arg("size", of("Tidx")),
        arg("weights", of("T")),
    ])
    .outputs(&[arg("output", of("T"))])
    .shape(infer_sparse)
    .kernel(sparse);

/// Returns the number of bins, if statically known.
fn known_size(cx: &mut ShapeCx<'_>, i: usize) -> Result<Dim> {
    cx.with_rank(i, 0)?;
    match cx.constant_i64s(i).as_deref() {
        Some(&[n]) if n < 0 => Err(Error::invalid(format!("size ({n}) must be non-negative"))),
        Some(&[n]) => Ok(Some(n as usize)),
        _ => Ok(None),
    }
}

fn infer_dense(_: &Counts, cx: &mut ShapeCx<'_>) -> Result<()> {
    let size = known_size(cx, 1)?;
    match cx.input(0).dims() {
        Some([rows, _]) => cx.output(0, PartialShape::new([*rows, size])),
        Some([] | [_]) => cx.output_vector(0, size),
        Some(dims) => {
            return Err(Error::invalid("Shape must be at most rank 2").found(format!("rank {}", dims.len())));
        }
        None => {}
    }
    Ok(())
}

fn infer_ragged(_: &Counts, cx: &mut ShapeCx<'_>) -> Result<()> {
    let size = known_size(cx, 2)?;
    cx.output(0, PartialShape::new([cx.input(0).dim(0).and_then(|n| n.checked_sub(1)), size]));
    Ok(())
}

fn infer_sparse(_: &Counts, cx: &mut ShapeCx<'_>) -> Result<()> {
    let size = known_size(cx, 3)?;
    match (cx.input(2).dim(0), cx.constant_i64s(2)) {
        (Some(1), _) => cx.output_vector(0, size),
        (Some(_), Some(dims)) => cx.output(0, PartialShape::new([usize::try_from(dims[0]).ok(), size])),
        (Some(_), None) => cx.output(0, PartialShape::new([None, size])),
        (None, _) => {}
    }
    Ok(())
}

/// Returns the number of bins, from input `i`.
fn size(cx: &Cx<'_, '_>, i: usize) -> Result<usize> {
    let t = cx.input(i)?;
    if !t.shape().is_scalar() {
        return Err(Error::invalid(format!("Shape must be rank 0 but is rank {}", t.shape().rank())));
    }
    let n = t.to_i64s()?[0];
    usize::try_from(n).map_err(|_| Error::invalid(format!("size ({n}) must be non-negative")))
}

fn check_weights(weights: &Tensor, n: usize) -> Result<()> {
    if weights.num_elements() == 0 || weights.num_elements() == n {
        return Ok(());
    }
    Err(Error::invalid("there must be one weight per value, or none")
        .expected(format!("{n} weights"))
        .found(weights.num_elements()))
}

fn dense(op: &Counts, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (dtype, binary) = (op.dtype, op.binary_output);
    let size = size(cx, 1)?;
    let input = cx.input(0)?.shape().clone();
    if input.rank() > 2 {
        return Err(Error::invalid(format!("Shape must be at most rank 2 but is rank {}", input.rank())));
    }
    let weights = cx.input(2)?.shape();
    if weights.num_elements() > 0 && *weights != input {
        return Err(Error::invalid("`weights` must be the same shape as `arr` or a length-0 `Tensor`")
            .found(format!("shapes {weights} and {input}")));
    }
    if input.rank() < 2 && !binary && count_alone(cx, dtype, size)? {
        return Ok(());
    }
    let values = cx.i64s(0)?;
    match input.dims() {
        &[rows, cols] => count(cx, dtype, 2, &Shape::new([rows, size])?, &values, binary, |i| i / cols),
        _ => count(cx, dtype, 2, &Shape::vector(size), &values, binary, |_| 0),
    }
}

fn ragged(op: &Counts, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (dtype, binary) = (op.dtype, op.binary_output);
    let size = size(cx, 2)?;
    let (splits, values) = (cx.i64s(0)?, cx.i64s(1)?);
    match (splits.first(), splits.last()) {
        (Some(0), Some(&last)) if last == values.len() as i64 => {}
        (None, _) => return Err(Error::invalid("Splits must be non-empty")),
        (Some(0), _) => {
            return Err(Error::invalid("Splits must end with the number of values")
                .expected(values.len())
                .found(splits[splits.len() - 1]));
        }
        (Some(first), _) => return Err(Error::invalid(format!("Splits must start with 0, not with {first}"))),
    }
    if splits.windows(2).any(|w| w[0] > w[1]) {
        return Err(Error::invalid("Splits must not decrease"));
    }
    check_weights(cx.input(3)?, values.len())?;
    let shape = Shape::new([splits.len() - 1, size])?;
    let row = |i: usize| splits.partition_point(|&s| s <= i as i64) - 1;
    count(cx, dtype, 3, &shape, &values, binary, row)
}

fn sparse(op: &Counts, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (dtype, binary) = (op.dtype, op.binary_output);
    let size = size(cx, 3)?;
    let (indices, dense) = (cx.input(0)?.shape().clone(), cx.input(2)?.shape().clone());
    let values = cx.input(1)?.shape().clone();
    let fits = indices.rank() == 2 && values.rank() == 1 && dense.rank() == 1;
    if !fits || indices[0] != values[0] || indices[1] != dense[0] || dense[0] == 0 {
        return Err(Error::invalid("indices, values and dense_shape do not make a sparse tensor")
            .found(format!("shapes {indices}, {values} and {dense}")));
    }
    let dense = Shape::from_signed(&cx.i64s(2)?)?;
    let indices = cx.i64s(0)?;
    for index in indices.chunks_exact(dense.rank()) {
        if index.iter().zip(dense.iter()).any(|(&i, &d)| i < 0 || i >= d as i64) {
            return Err(Error::invalid(format!("the index {index:?} is out of bounds of the shape {dense}")));
        }
    }
    let values = cx.i64s(1)?;
    check_weights(cx.input(4)?, values.len())?;
    if dense.rank() == 1 {
        return count(cx, dtype, 4, &Shape::vector(size), &values, binary, |_| 0);
    }
    let row = |i: usize| indices[i * dense.rank()] as usize;
    count(cx, dtype, 4, &Shape::new([dense[0], size])?, &values, binary, row)
}

/// Minimum number of values per thread for separate counts, and the maximum number of bins.
const SHARE: usize = 1 << 15;
const MOST_BINS: usize = 1 << 14;

/// Returns the number of occurrences of each value below `bins`; `None` if a value is negative.
fn occurrences(pool: &Pool, values: &[i32], bins: usize) -> Option<Vec<u32>> {
    let parts = pool.shares().min(values.len() / SHARE).max(1);
    // Two sets of counters, for even and odd positions: repeated values would stall on the preceding update of the
    // same counter.
    let mut counts = vec![0u32; parts * 2 * (bins + 1)];
    let valid = AtomicBool::new(true);
    let size = values.len().div_ceil(parts);
    pool.for_chunks(&mut counts, 2 * (bins + 1), size as f64, |first, piece| {
        for (part, counts) in (first..).zip(piece.chunks_exact_mut(2 * (bins + 1))) {
            let (even, odd) = counts.split_at_mut(bins + 1);
            let values = &values[(part * size).min(values.len())..((part + 1) * size).min(values.len())];
            let mut least = 0;
            let (pairs, rest) = values.as_chunks::<2>();
            for &[a, b] in pairs {
                least = least.min(a).min(b);
                even[(a as usize).min(bins)] += 1;
                odd[(b as usize).min(bins)] += 1;
            }
            for &a in rest {
                least = least.min(a);
                even[(a as usize).min(bins)] += 1;
            }
            if least < 0 {
                valid.store(false, Ordering::Relaxed);
            }
        }
    });
    let mut sums = counts[..bins].to_vec();
    for counts in counts.chunks_exact(bins + 1).skip(1) {
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    valid.into_inner().then_some(sums)
}

/// Counts the values of input 0 in `size` bins if there are neither weights nor rows; otherwise returns false.
fn count_alone(cx: &mut Cx<'_, '_>, dtype: DType, size: usize) -> Result<bool> {
    let values = cx.input(0)?;
    if values.dtype() != I32 || cx.input(2)?.num_elements() > 0 || size > MOST_BINS {
        return Ok(false);
    }
    // Sums of ones are exact up to the last integer below which the type represents all integers.
    if dtype == F32 && values.num_elements() > 1 << 24 || values.num_elements() > u32::MAX as usize {
        return Ok(false);
    }
    let counts = occurrences(cx.pool(), values.slice::<i32>()?, size).ok_or_else(negative)?;
    dispatch!(dtype, reals, |T| cx.produce::<T>(0, &Shape::vector(size), |_, out| {
        out.iter_mut().zip(&counts).for_each(|(o, &count)| *o = T::from_usize(count as usize));
        Ok(())
    }), else unsupported(cx, dtype))?;
    Ok(true)
}

fn negative() -> Error {
    Error::invalid("Input arr must be non-negative!")
}

/// Sums the weights in input `weights` in as many bins as the last axis of `shape` has; `row(i)` is the row of the
/// result that value number `i` belongs to.
fn count(
    cx: &mut Cx<'_, '_>,
    dtype: DType,
    weights: usize,
    shape: &Shape,
    values: &[i64],
    binary: bool,
    row: impl Fn(usize) -> usize,
) -> Result<()> {
    if values.iter().any(|&v| v < 0) {
        return Err(negative());
    }
    let size = shape.last().copied().unwrap_or(0);
    dispatch!(dtype, reals, |T| cx.produce::<T>(0, shape, |cx, out| {
        let weights = cx.slice::<T>(weights)?;
        out.fill(T::zero());
        for (i, &v) in values.iter().enumerate().filter(|(_, v)| **v < size as i64) {
            let bin = &mut out[row(i) * size + v as usize];
            *bin = match weights.get(i) {
                _ if binary => T::one(),
                Some(&w) => bin.add(w),
                None => bin.add(T::one()),
            };
        }
        Ok(())
    }), else unsupported(cx, dtype))
}
