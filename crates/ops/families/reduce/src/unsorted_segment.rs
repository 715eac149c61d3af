//! `UnsortedSegmentSum` and its siblings: reductions of rows with segment ids in any order.

use super::segments::{Fold, MaxRows, MinRows, ProdRows, SumRows, num_segments, segment_extremum, segment_product};
use crate::prelude::*;
use crate::rules::{Handles, concat, first, int};
use levada_kernel::Pool;

attrs! {
    /// The attrs of reductions over unsorted segments.
    pub struct UnsortedSegment {
        /// Element type of `data`.
        dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
        /// Element type of `segment_ids`.
        index: DType = Attr::dtype("Tindices", &[DType::I16, DType::I32, DType::I64]),
        /// Element type of `num_segments`.
        num: DType = Attr::dtype("Tnumsegments", sets::INDEX).or_type(DType::I32),
    }
}

const INPUTS: &[Arg] =
    &[arg("data", of("T")), arg("segment_ids", of("Tindices")), arg("num_segments", of("Tnumsegments"))];
const OUTPUTS: &[Arg] = &[arg("output", of("T"))];

const fn segments(
    name: &'static str,
    kernel: fn(&UnsortedSegment, &mut Cx<'_, '_>) -> Result<()>,
) -> Def<UnsortedSegment> {
    op(name)
        .inputs(INPUTS)
        .outputs(OUTPUTS)
        .shape(infer)
        .host_inputs(&[2])
        .kernel(kernel)
        .heavy()
        .supports(|op| op.dtype.is_storage())
}

pub static UNSORTED_SEGMENT_SUM: Def<UnsortedSegment> = segments(
    "UnsortedSegmentSum",
    |op, cx| dispatch!(op.dtype, numbers, |T| reduce::<T, SumRows>(cx), else unsupported(cx, op.dtype)),
)
.doc("Returns the sum of the elements of each segment. Elements with negative segment ids are dropped.")
.gradient(|_, g| first(g, gather_if_positive(g.dy(0), g.input(1))))
.batch(|_, b| examples_apart(b));

pub static UNSORTED_SEGMENT_PROD: Def<UnsortedSegment> = segments(
    "UnsortedSegmentProd",
    |op, cx| dispatch!(op.dtype, numbers, |T| reduce::<T, ProdRows>(cx), else unsupported(cx, op.dtype)),
)
.doc("Returns the product of the elements of each segment. Elements with negative segment ids are dropped.")
.attrs(&[Attr::dtype("Tindices", sets::INDEX)])
.gradient(|_, g| {
    let (ids, n) = (g.input(1), g.input(2));
    let fold = |op: &str, x: V<'_>| g.op(op, &[g.value(x.at), ids, n]);
    let (sum, product) = (UNSORTED_SEGMENT_SUM.name(), UNSORTED_SEGMENT_PROD.name());
    segment_product(g, &|x| fold(sum, x), &|x| fold(product, x), &|rows| gather_if_positive(rows, ids))
})
.batch(|_, b| examples_apart(b));

pub static UNSORTED_SEGMENT_MIN: Def<UnsortedSegment> = segments(
    "UnsortedSegmentMin",
    |op, cx| dispatch!(op.dtype, reals, |T| reduce::<T, MinRows>(cx), else unsupported(cx, op.dtype)),
)
.doc("Returns the minimum of the elements of each segment. Elements with negative segment ids are dropped.")
.attrs(&[Attr::dtype("T", sets::REALS), Attr::dtype("Tindices", sets::INDEX)])
.gradient(|_, g| segment_extremum(g, UNSORTED_SEGMENT_SUM.name(), gather_if_positive))
.batch(|_, b| examples_apart(b));

pub static UNSORTED_SEGMENT_MAX: Def<UnsortedSegment> = segments(
    "UnsortedSegmentMax",
    |op, cx| dispatch!(op.dtype, reals, |T| reduce::<T, MaxRows>(cx), else unsupported(cx, op.dtype)),
)
.doc("Returns the maximum of the elements of each segment. Elements with negative segment ids are dropped.")
.attrs(&[Attr::dtype("T", sets::REALS), Attr::dtype("Tindices", sets::INDEX)])
.gradient(|_, g| segment_extremum(g, UNSORTED_SEGMENT_SUM.name(), gather_if_positive))
.batch(|_, b| examples_apart(b));

/// Gathers rows of `values` by `ids`; zeros if an id is negative.
fn gather_if_positive<'g>(values: V<'g>, ids: V<'g>) -> V<'g> {
    let g = values.cx();
    let rows = values.gather(ids.maximum(ids.zeros_like()));
    let positive = ids.at_least(ids.zeros_like());
    // As many trailing axes of size 1 as the rows have axes.
    let ones = int(g, 1).fill((rows.rank_found() - positive.rank_found()).reshape(g.ints(&[1])));
    rows.where_true(positive.reshape(concat(g, &[positive.dims(), ones], 0)))
}

fn infer(_: &UnsortedSegment, cx: &mut ShapeCx<'_>) -> Result<()> {
    let (data, ids) = (cx.input(0), cx.input(1));
    cx.with_rank(2, 0)?;
    let (Some(data), Some(ids)) = (data.dims(), ids.dims()) else { return Ok(()) };
    if data.len() < ids.len() {
        return Err(Error::invalid("data must have at least the rank of segment_ids"));
    }
    PartialShape::new(data[..ids.len()].iter().copied()).merge(&PartialShape::new(ids.iter().copied()))?;
    let rows = match cx.constant_i64s(2).as_deref() {
        Some(&[n]) if n < 0 => return Err(Error::invalid(format!("num_segments = {n} must not be negative."))),
        Some(&[n]) => Some(n as usize),
        _ => None,
    };
    cx.output(0, PartialShape::new(std::iter::once(rows).chain(data[ids.len()..].iter().copied())));
    Ok(())
}

/// Row size in bytes below which one thread adds all rows.
const SHORT: usize = 256;

/// Folds into accumulators that start as the result for no rows. Of two values that cannot be compared, the later
/// wins.
fn reduce<T: Number, F: Unsorted<T>>(cx: &mut Cx<'_, '_>) -> Result<()> {
    let (data, ids) = (cx.input(0)?, cx.input(1)?);
    let rows = num_segments(cx, 2)?;
    if !data.shape().starts_with(ids.shape()) {
        return Err(Error::invalid(format!(
            "data.shape = {} does not start with segment_ids.shape = {}",
            data.shape(),
            ids.shape()
        )));
    }
    let row = &data.shape()[ids.shape().rank()..];
    let width: usize = row.iter().product();
    let shape = Shape::new(std::iter::once(rows).chain(row.iter().copied()))?;
    let ids = ids.to_i64s()?;
    if data.num_elements() > 0
        && let Some(i) = ids.iter().position(|&id| id >= rows as i64)
    {
        return Err(Error::invalid(format!("segment_ids[{i}] = {} is out of range [0, {rows})", ids[i])));
    }
    cx.produce::<T>(0, &shape, |cx, out| {
        let data = cx.slice::<T>(0)?;
        out.fill(F::of_nothing());
        if data.is_empty() || out.is_empty() {
            return Ok(());
        }
        let cost = 1.0 + (data.len() / rows.max(1)) as f64;
        // Scattered access to short rows on several threads takes longer than sequential access on one.
        let is_short = width * size_of::<T>() < SHORT;
        let parts = Parts::of(cx.pool(), &ids, rows, if is_short { 0.0 } else { cost });
        let each = width << parts.shift;
        let cost = cost * (1u64 << parts.shift) as f64;
        cx.pool().for_chunks(out, each, cost, |first, out| {
            for (part, out) in (first..).zip(out.chunks_mut(each)) {
                let start = part << parts.shift;
                let mut wide: Vec<F::Acc> = out.iter().map(|&x| F::widen(x)).collect();
                if width == 1 {
                    parts.for_each(part, |row, id| wide[id - start] = F::step(wide[id - start], data[row]));
                } else {
                    parts.for_each(part, |row, id| {
                        let (at, row) = ((id - start) * width, row * width);
                        let row = &data[row..row + width];
                        wide[at..at + width].iter_mut().zip(row).for_each(|(acc, &x)| *acc = F::step(*acc, x));
                    });
                }
                out.iter_mut().zip(wide).for_each(|(o, acc)| *o = F::finish(acc, 1));
            }
        });
        Ok(())
    })
}

/// Parts of `1 << shift` segments, with the rows of each in order, so that additions happen in row order.
struct Parts<'a> {
    ids: &'a [i64],
    shift: u32,
    count: usize,
    /// Rows by piece of the ids, then by part; empty if all segments are one part.
    rows: Vec<Vec<usize>>,
}

impl<'a> Parts<'a> {
    /// Parts for parallel execution, if a segment takes `cost` nanoseconds.
    fn of(pool: &Pool, ids: &'a [i64], segments: usize, cost: f64) -> Parts<'a> {
        let parts = pool.parts(segments, cost);
        let shift = segments.div_ceil(parts).next_power_of_two().trailing_zeros();
        let count = segments.div_ceil(1 << shift);
        let mut rows = Vec::new();
        if count > 1 {
            let piece = ids.len().div_ceil(parts).max(1);
            rows.resize_with(ids.len().div_ceil(piece) * count, Vec::new);
            pool.for_chunks(&mut rows, count, 2.0 * piece as f64, |first, rows| {
                for (from, rows) in (first..).map(|i| i * piece).zip(rows.chunks_exact_mut(count)) {
                    for (row, &id) in (from..).zip(&ids[from..ids.len().min(from + piece)]) {
                        if let Ok(id) = usize::try_from(id) {
                            rows[id >> shift].push(row);
                        }
                    }
                }
            });
        }
        Parts { ids, shift, count, rows }
    }

    /// Calls `f` with each row of a part and its segment.
    fn for_each(&self, part: usize, mut f: impl FnMut(usize, usize)) {
        if self.count == 1 {
            let rows = self.ids.iter().enumerate();
            return rows.for_each(|(row, &id)| usize::try_from(id).into_iter().for_each(|id| f(row, id)));
        }
        let rows = self.rows.iter().skip(part).step_by(self.count).flatten();
        rows.for_each(|&row| f(row, self.ids[row] as usize));
    }
}

/// A fold that can continue from a result.
trait Unsorted<T>: Fold<T> {
    fn widen(x: T) -> Self::Acc;
    fn step(acc: Self::Acc, x: T) -> Self::Acc;
}

impl<T: Number> Unsorted<T> for SumRows {
    fn widen(x: T) -> T::Wide {
        x.widen()
    }
    #[inline(always)]
    fn step(acc: T::Wide, x: T) -> T::Wide {
        Self::merge(acc, x)
    }
}

impl<T: Number> Unsorted<T> for ProdRows {
    fn widen(x: T) -> T::Wide {
        x.widen()
    }
    #[inline(always)]
    fn step(acc: T::Wide, x: T) -> T::Wide {
        Self::merge(acc, x)
    }
}

impl<T: Real> Unsorted<T> for MinRows {
    fn widen(x: T) -> T {
        x
    }
    #[inline(always)]
    fn step(acc: T, x: T) -> T {
        if acc < x { acc } else { x }
    }
}

impl<T: Real> Unsorted<T> for MaxRows {
    fn widen(x: T) -> T {
        x
    }
    #[inline(always)]
    fn step(acc: T, x: T) -> T {
        if acc > x { acc } else { x }
    }
}

/// The batching rule: each example gets its own range of segment ids.
fn examples_apart(b: &BatchCx<'_>) -> Batched {
    let (g, rank) = (b.g(), i32::try_from(b.rank(1)?).ok()?);
    if b.varies(2) {
        return None;
    }
    let ids = b.each(1);
    let count = b.input(2).cast(ids.dtype());
    let all = count * b.size().cast(ids.dtype());
    let ones = vec![1; rank as usize];
    let rows = crate::rules::range(g, b.size()).cast(ids.dtype()).reshape(g.ints(&[&[-1], &ones[..]].concat()));
    // Ids that drop a row still drop it, and ids that are out of range stay out of range.
    let apart = ids + rows * count;
    let high = (ids.zeros_like() + all).select(crate::rules::GREATER_EQUAL.call([ids, count]), apart);
    let numbers = ids.select(ids.less(ids.like(0.0)), high);
    let data = b.each(0);
    let inner = b.dims(data).slice1(rank + 1, -1);
    let flat = numbers.reshape(g.ints(&[-1]));
    let size = b.dims(flat);
    let made = b.again(&[data.reshape(b.concat(&[size, inner])), flat, all]);
    let count = b.input(2).cast(DType::I32).reshape(g.ints(&[1]));
    b.one(made.reshape(b.concat(&[b.size1(), count, inner])))
}
