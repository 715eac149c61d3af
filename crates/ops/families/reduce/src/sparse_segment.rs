//! `SparseSegmentSum`, `SparseSegmentMean`, `SparseSegmentSqrtN`, also with a number of segments: reductions of rows
//! selected by index.

use super::segments::{num_segments, rows_of};
use super::sparse_segment_grad::{SPARSE_SEGMENT_MEAN_GRAD, SPARSE_SEGMENT_SQRT_N_GRAD, SPARSE_SEGMENT_SUM_GRAD};
use super::unsorted_segment::UNSORTED_SEGMENT_SUM;
use crate::prelude::*;
use crate::rules::{Handles, first, never};

/// The divisor of a segment's sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scale {
    /// One.
    Sum,
    /// The number of rows.
    Mean,
    /// The square root of the number of rows.
    SqrtN,
}

impl Scale {
    /// Returns the divisor for `count` rows.
    pub(super) fn divisor(self, count: usize) -> f64 {
        match self {
            Scale::Sum => 1.0,
            Scale::Mean => count as f64,
            Scale::SqrtN => (count as f64).sqrt(),
        }
    }
}

attrs! {
    /// The attrs of reductions of selected rows.
    pub struct SparseSegment {
        /// Element type of `data`.
        dtype: DType = Attr::dtype("T", sets::REALS),
        /// Element type of `indices`.
        index: DType = Attr::dtype("Tidx", sets::INDEX).or_type(DType::I32),
        /// Element type of `num_segments`.
        num: DType = Attr::dtype("Tnumsegments", sets::INDEX).or_type(DType::I32),
        /// Element type of `segment_ids`.
        segment: DType = Attr::dtype("Tsegmentids", sets::INDEX).or_type(DType::I32),
        /// Whether the gradient covers only the selected rows.
        sparse_gradient: bool = Attr::bool("sparse_gradient").or_bool(false),
    }
}

const INPUTS: &[Arg] = &[arg("data", of("T")), arg("indices", of("Tidx")), arg("segment_ids", of("Tsegmentids"))];
const INPUTS_WITH_NUM: &[Arg] = &[
    arg("data", of("T")),
    arg("indices", of("Tidx")),
    arg("segment_ids", of("Tsegmentids")),
    arg("num_segments", of("Tnumsegments")),
];
const OUTPUTS: &[Arg] = &[arg("output", of("T"))];

const fn segments(name: &'static str, kernel: fn(&SparseSegment, &mut Cx<'_, '_>) -> Result<()>) -> Def<SparseSegment> {
    op(name).inputs(INPUTS).without(&["Tnumsegments"]).outputs(OUTPUTS).shape(infer).kernel(kernel).heavy()
}

const fn with_num(name: &'static str) -> Form {
    form(name).inputs(INPUTS_WITH_NUM)
}

pub static SPARSE_SEGMENT_SUM: Def<SparseSegment> = segments(
    "SparseSegmentSum",
    |op, cx| dispatch!(op.dtype, reals, |T| reduce::<T>(cx, Scale::Sum), else unsupported(cx, op.dtype)),
)
.doc("Returns the sum of the rows of each segment, selected from `data` by `indices`.")
.also(&[with_num("SparseSegmentSumWithNumSegments")
    .doc("Returns the sum of the rows of each of `num_segments` segments, selected from `data` by `indices`.")])
.gradient(|op, g| {
    if op.sparse_gradient {
        return picked(op, g, SPARSE_SEGMENT_SUM_GRAD.name());
    }
    let rows = g.dy(0).gather(g.input(2));
    first(g, g.op(UNSORTED_SEGMENT_SUM.name(), &[rows, g.input(1), g.input(0).rows()]))
});

pub static SPARSE_SEGMENT_MEAN: Def<SparseSegment> = segments(
    "SparseSegmentMean",
    |op, cx| dispatch!(op.dtype, floats, |T| reduce::<T>(cx, Scale::Mean), else unsupported(cx, op.dtype)),
)
.doc("Returns the mean of the rows of each segment, selected from `data` by `indices`.")
.also(&[with_num("SparseSegmentMeanWithNumSegments")
    .doc("Returns the mean of the rows of each of `num_segments` segments, selected from `data` by `indices`.")])
.attrs(&[Attr::dtype("T", sets::FLOATS)])
.gradient(|op, g| picked(op, g, SPARSE_SEGMENT_MEAN_GRAD.name()));

pub static SPARSE_SEGMENT_SQRT_N: Def<SparseSegment> = segments(
    "SparseSegmentSqrtN",
    |op, cx| dispatch!(op.dtype, floats, |T| reduce::<T>(cx, Scale::SqrtN), else unsupported(cx, op.dtype)),
)
.doc(
    "Returns the sum of the rows of each segment divided by the square root of their number; `indices` selects the \
    rows from `data`.",
)
.also(&[with_num("SparseSegmentSqrtNWithNumSegments").doc(
    "Returns the sum of the rows of each of `num_segments` segments divided by the square root of their number; \
    `indices` selects the rows from `data`.",
)])
.attrs(&[Attr::dtype("T", sets::FLOATS)])
.gradient(|op, g| picked(op, g, SPARSE_SEGMENT_SQRT_N_GRAD.name()));

/// Returns the gradient computed by the named op, or by its second version if it covers only the selected rows.
fn picked(op: &SparseSegment, g: &GradCx, name: &str) -> Grads {
    let inputs = [g.dy(0), g.input(1), g.input(2), g.input(0).rows()];
    if !op.sparse_gradient {
        return first(g, g.op(name, &inputs));
    }
    let rows = g.op(&format!("{name}V2"), &inputs);
    let mut grads = never(g);
    grads[0] = Some(Grad::Slices { values: rows.at, indices: rows.out(1).at, shape: g.input(0).dims().at });
    grads
}

fn infer(_: &SparseSegment, cx: &mut ShapeCx<'_>) -> Result<()> {
    let data = cx.rank_at_least(0, 1)?;
    cx.with_rank(1, 1)?.merge(&cx.with_rank(2, 1)?)?;
    let rows = match cx.constant_i64s(3).as_deref() {
        Some(&[n]) if n < 0 => return Err(Error::invalid("Cannot specify a negative value for num_segments")),
        Some(&[n]) => Some(n as usize),
        _ => None,
    };
    if let Some(dims) = data.dims() {
        cx.output(0, PartialShape::new(std::iter::once(rows).chain(dims[1..].iter().copied())));
    }
    Ok(())
}

/// Returns the indices and segment ids in inputs 1 and 2, which must be vectors of the same length.
pub(super) fn pairs(cx: &Cx<'_, '_>) -> Result<(Vec<i64>, Vec<i64>)> {
    let (indices, ids) = (cx.input(1)?, cx.input(2)?);
    for (name, t) in [("indices", indices), ("segment_ids", ids)] {
        if t.shape().rank() != 1 {
            return Err(Error::invalid(format!("{name} should be a vector.")).found(format!("shape {}", t.shape())));
        }
    }
    let (indices, ids) = (indices.to_i64s()?, ids.to_i64s()?);
    if indices.len() != ids.len() {
        return Err(Error::invalid("segment_ids and indices should have same size.").found(format!(
            "{} and {}",
            ids.len(),
            indices.len()
        )));
    }
    Ok((indices, ids))
}

/// A type whose sums can be divided by a float; never called for integers.
trait Scaled: Number {
    fn scaled(total: Self::Wide, divisor: f64) -> Self;
}

macro_rules! scaled {
    ($($ty:ty: |$t:ident, $d:ident| $result:expr;)*) => {$(
        impl Scaled for $ty {
            #[inline(always)]
            #[allow(unused_variables)]
            fn scaled($t: Self::Wide, $d: f64) -> $ty {
                $result
            }
        }
    )*};
}

scaled! {
    i8: |t, d| t;
    i16: |t, d| t;
    i32: |t, d| t;
    i64: |t, d| t;
    u8: |t, d| t;
    u16: |t, d| t;
    u32: |t, d| t;
    u64: |t, d| t;
    f16: |t, d| f16::from_f32(t / d as f32);
    bf16: |t, d| bf16::from_f32(t / d as f32);
    f32: |t, d| t / d as f32;
    f64: |t, d| t / d;
}

fn reduce<T: Scaled>(cx: &mut Cx<'_, '_>, scale: Scale) -> Result<()> {
    let num = if cx.num_inputs() > 3 { Some(num_segments(cx, 3)?) } else { None };
    let (indices, ids) = pairs(cx)?;
    let data = cx.input(0)?;
    let Some(&data_rows) = data.shape().first() else {
        return Err(Error::invalid("input must be at least rank 1"));
    };
    let last = ids.last().copied().unwrap_or(-1);
    if ids.first().is_some_and(|&id| id < 0) || (last < 0 && !ids.is_empty()) {
        return Err(Error::invalid("segment ids must be >= 0"));
    }
    if ids.windows(2).any(|w| w[0] > w[1]) {
        return Err(Error::invalid("segment ids are not increasing"));
    }
    if num.is_some_and(|n| last >= n as i64) {
        return Err(Error::invalid("segment ids must be < num_segments"));
    }
    if let Some(i) = indices.iter().position(|&row| row < 0 || row >= data_rows as i64) {
        return Err(Error::invalid(format!("Bad: indices[{i}] == {} out of range [0, {data_rows})", indices[i])));
    }
    let rows = num.unwrap_or((last + 1) as usize);
    let width: usize = data.shape()[1..].iter().product();
    let shape = rows_of(rows, &data.shape()[1..])?;
    cx.produce::<T>(0, &shape, |cx, out| {
        let data = cx.slice::<T>(0)?;
        let cost = 5.0 + (ids.len() * width) as f64 / rows.max(1) as f64;
        cx.pool().for_chunks(out, width, cost, |first, out| {
            let mut at = ids.partition_point(|&id| id < first as i64);
            let mut sums = vec![T::Wide::zero(); width];
            for (i, out) in out.chunks_exact_mut(width).enumerate() {
                let id = (first + i) as i64;
                let end = at + ids[at..].iter().take_while(|&&other| other == id).count();
                sums.fill(T::Wide::zero());
                for &row in &indices[at..end] {
                    let row = &data[row as usize * width..(row as usize + 1) * width];
                    sums.iter_mut().zip(row).for_each(|(sum, x)| *sum = sum.add(x.widen()));
                }
                let divisor = scale.divisor((end - at).max(1));
                out.iter_mut().zip(&sums).for_each(|(o, &sum)| *o = T::scaled(sum, divisor));
                at = end;
            }
        });
        Ok(())
    })
}
