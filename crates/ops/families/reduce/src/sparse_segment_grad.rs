//! `SparseSegmentSumGrad`, `SparseSegmentMeanGrad`, `SparseSegmentSqrtNGrad` and their later versions, which return
//! only the selected rows.

use super::segments::rows_of;
use super::sparse_segment::{Scale, pairs};
use crate::prelude::*;
use crate::rules::{Handles, LOWER_BOUND, expand, first};

attrs! {
    /// Computes the gradient of the sparse segment reduction with respect to `data`, which has `output_dim0` rows.
    pub struct SparseSegmentGrad {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS),
        /// Element type of `indices`.
        index: DType = Attr::dtype("Tidx", sets::INDEX).or_type(DType::I32),
        /// Element type of `segment_ids`.
        segment: DType = Attr::dtype("Tsegmentids", sets::INDEX).or_type(DType::I32),
    }
}

const fn inputs(rows: &'static str) -> [Arg; 4] {
    [arg("grad", of("T")), arg("indices", of("Tidx")), arg("segment_ids", of("Tsegmentids")), arg(rows, is(DType::I32))]
}

const INPUTS: &[Arg] = &inputs("output_dim0");
const INPUTS_V2: &[Arg] = &inputs("dense_output_dim0");
const OUTPUTS: &[Arg] = &[arg("output", of("T"))];
const OUTPUTS_V2: &[Arg] = &[arg("output", of("T")), arg("sorted_unique_indices", of("Tidx"))];

const fn gradient(
    name: &'static str,
    kernel: fn(&SparseSegmentGrad, &mut Cx<'_, '_>) -> Result<()>,
) -> Def<SparseSegmentGrad> {
    op(name).inputs(INPUTS).outputs(OUTPUTS).shape(infer).kernel(kernel).heavy()
}

/// Returns the gradient is the reduction itself, with as many segments as there are gradient rows.
fn reduction(g: &GradCx, name: &str) -> Grads {
    let indices = g.input(1);
    let picks = match g.num_outputs() {
        1 => indices,
        // The position of each index among the selected rows.
        _ => {
            let places = LOWER_BOUND.call([expand(g, g.output(1), 0), expand(g, indices, 0)]);
            places.reshape(g.ints(&[-1]))
        }
    };
    first(g, g.op(name, &[g.dy(0), picks, g.input(2), g.input(0).rows()]))
}

const fn second(name: &'static str) -> Form {
    form(name).inputs(INPUTS_V2).outputs(OUTPUTS_V2).doc(
        "Computes the gradient of the sparse segment reduction with respect to the selected rows of `data`, and their \
        indices.",
    )
}

pub static SPARSE_SEGMENT_SUM_GRAD: Def<SparseSegmentGrad> =
    gradient("SparseSegmentSumGrad", |op, cx| compute(op, cx, Scale::Sum))
        .also(&[second("SparseSegmentSumGradV2")])
        .gradient(|_, g| reduction(g, "SparseSegmentSumWithNumSegments"));

pub static SPARSE_SEGMENT_MEAN_GRAD: Def<SparseSegmentGrad> =
    gradient("SparseSegmentMeanGrad", |op, cx| compute(op, cx, Scale::Mean))
        .also(&[second("SparseSegmentMeanGradV2")])
        .gradient(|_, g| reduction(g, "SparseSegmentMeanWithNumSegments"));

pub static SPARSE_SEGMENT_SQRT_N_GRAD: Def<SparseSegmentGrad> =
    gradient("SparseSegmentSqrtNGrad", |op, cx| compute(op, cx, Scale::SqrtN))
        .also(&[second("SparseSegmentSqrtNGradV2")])
        .gradient(|_, g| reduction(g, "SparseSegmentSqrtNWithNumSegments"));

fn infer(_: &SparseSegmentGrad, cx: &mut ShapeCx<'_>) -> Result<()> {
    let rows = infer_rows(cx)?;
    let picks = cx.num_outputs() > 1;
    if let Some(dims) = cx.input(0).dims() {
        let rows = if picks { None } else { rows };
        cx.output(0, PartialShape::new(std::iter::once(rows).chain(dims[1..].iter().copied())));
    }
    if picks {
        cx.output_vector(1, None);
    }
    Ok(())
}

fn compute(op: &SparseSegmentGrad, cx: &mut Cx<'_, '_>, scale: Scale) -> Result<()> {
    let (mut segments, mut rows) = Segments::new(cx, scale)?;
    if cx.num_outputs() > 1 {
        let unique = segments.compact();
        rows = unique.len();
        dispatch!(op.index, index, |I| cx.produce::<I>(1, &Shape::vector(rows), |_, out| {
            out.iter_mut().zip(&unique).for_each(|(o, &i)| *o = i as I);
            Ok(())
        }), else unsupported(cx, op.index))?;
    }
    dispatch!(op.dtype, floats, |T| segments.scatter::<T>(cx, rows), else unsupported(cx, op.dtype))
}

/// Checks the ranks of the inputs and returns the number of rows of `data`, if statically known.
fn infer_rows(cx: &mut ShapeCx<'_>) -> Result<Dim> {
    cx.rank_at_least(0, 1)?;
    cx.with_rank(1, 1)?.merge(&cx.with_rank(2, 1)?)?;
    cx.with_rank(3, 0)?;
    match cx.constant_i64s(3).as_deref() {
        Some(&[n]) if n < 0 => Err(Error::invalid("Cannot specify a negative value for output_dim0")),
        Some(&[n]) => Ok(Some(n as usize)),
        _ => Ok(None),
    }
}

/// How rows of the gradient are accumulated into rows of the result.
struct Segments {
    /// The row of the result for each selection.
    indices: Vec<i64>,
    /// The row of the gradient for each selection.
    ids: Vec<i64>,
    /// The divisor of each row of the gradient.
    divisors: Vec<f64>,
}

impl Segments {
    /// Returns the segments, and the number of rows of `data`.
    fn new(cx: &Cx<'_, '_>, scale: Scale) -> Result<(Segments, usize)> {
        let (indices, ids) = pairs(cx)?;
        let rows = cx.input(3)?;
        if !rows.shape().is_scalar() {
            return Err(Error::invalid("output_dim0 should be a scalar.").found(format!("shape {}", rows.shape())));
        }
        let rows = usize::try_from(rows.to_i64s()?[0])
            .map_err(|_| Error::invalid("Cannot specify a negative value for output_dim0"))?;
        let Some(&segments) = cx.input(0)?.shape().first() else {
            return Err(Error::invalid("the gradient must be at least rank 1"));
        };
        if let Some(id) = ids.iter().find(|&&id| id < 0 || id >= segments as i64) {
            return Err(Error::invalid(format!("Segment id {id} out of range [0, {segments}).")));
        }
        if let Some(i) = indices.iter().find(|&&i| i < 0 || i >= rows as i64) {
            return Err(Error::invalid(format!("Index {i} out of range [0, {rows}).")));
        }
        cx.device.arena.check(segments.saturating_mul(2 * size_of::<usize>()))?;
        let mut counts = vec![0usize; segments];
        ids.iter().for_each(|&id| counts[id as usize] += 1);
        let divisors = counts.into_iter().map(|n| scale.divisor(n.max(1))).collect();
        Ok((Segments { indices, ids, divisors }, rows))
    }

    /// Removes unused rows of the result. Returns the original indices of the remaining rows, sorted.
    fn compact(&mut self) -> Vec<i64> {
        let mut unique = self.indices.clone();
        unique.sort_unstable();
        unique.dedup();
        for i in &mut self.indices {
            *i = unique.partition_point(|u| u < i) as i64;
        }
        unique
    }

    fn scatter<T: Float>(&self, cx: &mut Cx<'_, '_>, rows: usize) -> Result<()> {
        let row = &cx.input(0)?.shape()[1..];
        let width: usize = row.iter().product();
        let shape = rows_of(rows, row)?;
        cx.produce::<T>(0, &shape, |cx, out| {
            let grad = cx.slice::<T>(0)?;
            let mut sums = vec![T::Base::zero(); out.len()];
            let cost = 1.0 + (self.ids.len() * width) as f64 / rows.max(1) as f64;
            cx.pool().for_chunks(&mut sums, width, cost, |first, sums| {
                let mine = first as i64..(first + sums.len() / width) as i64;
                for (&i, &id) in self.indices.iter().zip(&self.ids) {
                    if !mine.contains(&i) {
                        continue;
                    }
                    let scale = base::<T>(1.0 / self.divisors[id as usize]);
                    let at = (i - mine.start) as usize * width;
                    let grad = &grad[id as usize * width..(id as usize + 1) * width];
                    for (sum, g) in sums[at..at + width].iter_mut().zip(grad) {
                        *sum = sum.add(g.base().mul(scale));
                    }
                }
            });
            out.iter_mut().zip(sums).for_each(|(o, sum)| *o = T::of_base(sum));
            Ok(())
        })
    }
}

fn base<T: Float>(x: f64) -> T::Base {
    <T::Base as num_traits::NumCast>::from(x).unwrap_or_else(num_traits::Float::nan)
}
