//! `SegmentSum`, `SegmentMean`, `SegmentProd`, `SegmentMin`, `SegmentMax` and their later versions: reductions of
//! consecutive rows, with sorted segment ids.

use super::segments::{
    Fold, MaxRows, MeanRows, MinRows, ProdRows, SumRows, num_segments, rows_of, segment_extremum, segment_product,
};
use crate::prelude::*;
use crate::rules::{Handles, concat, first, int};

attrs! {
    /// The attrs of reductions over sorted segments.
    pub struct Segment {
        /// Element type of `data`.
        dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
        /// Element type of `segment_ids`.
        index: DType = Attr::dtype("Tindices", sets::INDEX),
        /// Element type of `num_segments`.
        num: DType = Attr::dtype("Tnumsegments", sets::INDEX).or_type(DType::I32),
    }
}

const INPUTS: &[Arg] = &[arg("data", of("T")), arg("segment_ids", of("Tindices"))];
const INPUTS_V2: &[Arg] =
    &[arg("data", of("T")), arg("segment_ids", of("Tindices")), arg("num_segments", of("Tnumsegments"))];
const OUTPUTS: &[Arg] = &[arg("output", of("T"))];

const fn segments(name: &'static str, kernel: fn(&Segment, &mut Cx<'_, '_>) -> Result<()>) -> Def<Segment> {
    op(name)
        .inputs(INPUTS)
        .without(&["Tnumsegments"])
        .outputs(OUTPUTS)
        .shape(infer)
        .kernel(kernel)
        .heavy()
        .supports(|op| op.dtype.is_storage())
}

const fn second(name: &'static str) -> Form {
    form(name).inputs(INPUTS_V2).not_differentiable()
}

pub static SEGMENT_SUM: Def<Segment> = segments(
    "SegmentSum",
    |op, cx| dispatch!(op.dtype, numbers, |T| reduce::<T, SumRows>(cx), else unsupported(cx, op.dtype)),
)
.doc("Returns the sum of the rows of each segment.")
.also(&[second("SegmentSumV2").doc("Returns the sum of the rows of each of `num_segments` segments.")])
.gradient(|_, g| first(g, g.dy(0).gather(g.input(1))));

pub static SEGMENT_MEAN: Def<Segment> = segments(
    "SegmentMean",
    |op, cx| dispatch!(op.dtype, numbers, |T| reduce::<T, MeanRows>(cx), else unsupported(cx, op.dtype)),
)
.doc("Returns the mean of the rows of each segment.")
.gradient(|_, g| {
    let (x, ids, dy) = (g.input(0), g.input(1), g.dy(0));
    let count = g.op(SEGMENT_SUM.name(), &[ids.ones_like().cast(x.dtype()), ids]);
    let ones = int(g, 1).fill((x.rank_found() - 1.0).reshape(g.ints(&[1])));
    let count = count.reshape(concat(g, &[count.dims(), ones], 0));
    first(g, (dy / count).gather(ids))
});

pub static SEGMENT_PROD: Def<Segment> = segments(
    "SegmentProd",
    |op, cx| dispatch!(op.dtype, numbers, |T| reduce::<T, ProdRows>(cx), else unsupported(cx, op.dtype)),
)
.doc("Returns the product of the rows of each segment.")
.also(&[second("SegmentProdV2").doc("Returns the product of the rows of each of `num_segments` segments.")])
.gradient(|_, g| {
    let ids = g.input(1);
    let fold = |op: &str, x: V<'_>| g.op(op, &[g.value(x.at), ids]);
    segment_product(g, &|x| fold(SEGMENT_SUM.name(), x), &|x| fold(SEGMENT_PROD.name(), x), &|rows| rows.gather(ids))
});

pub static SEGMENT_MIN: Def<Segment> = segments(
    "SegmentMin",
    |op, cx| dispatch!(op.dtype, reals, |T| reduce::<T, MinRows>(cx), else unsupported(cx, op.dtype)),
)
.doc("Returns the element-wise minimum of the rows of each segment.")
.attrs(&[Attr::dtype("T", sets::REALS)])
.also(&[second("SegmentMinV2").doc("Returns the element-wise minimum of the rows of each of `num_segments` segments.")])
.gradient(|_, g| segment_extremum(g, SEGMENT_SUM.name(), |rows, ids| rows.gather(ids)));

pub static SEGMENT_MAX: Def<Segment> = segments(
    "SegmentMax",
    |op, cx| dispatch!(op.dtype, reals, |T| reduce::<T, MaxRows>(cx), else unsupported(cx, op.dtype)),
)
.doc("Returns the element-wise maximum of the rows of each segment.")
.attrs(&[Attr::dtype("T", sets::REALS)])
.also(&[second("SegmentMaxV2").doc("Returns the element-wise maximum of the rows of each of `num_segments` segments.")])
.gradient(|_, g| segment_extremum(g, SEGMENT_SUM.name(), |rows, ids| rows.gather(ids)));

fn infer(_: &Segment, cx: &mut ShapeCx<'_>) -> Result<()> {
    let data = cx.rank_at_least(0, 1)?;
    cx.with_rank(1, 1)?;
    let Some(dims) = data.dims() else { return Ok(()) };
    let rows = match cx.constant_i64s(2).as_deref() {
        Some(&[n]) => usize::try_from(n).ok(),
        _ => None,
    };
    cx.output(0, PartialShape::new(std::iter::once(rows).chain(dims[1..].iter().copied())));
    Ok(())
}

/// Returns the segment id of each row of the input, in ascending order, and the shape of the output. In the first
/// versions, the last segment id determines the number of output rows.
///
/// # Errors
/// `INVALID_ARGUMENT` for inputs of incompatible shapes and for segment ids that do not ascend.
fn check(cx: &Cx<'_, '_>) -> Result<(Vec<i64>, Shape)> {
    let num = if cx.num_inputs() > 2 { Some(num_segments(cx, 2)?) } else { None };
    let (data, ids) = (cx.input(0)?, cx.input(1)?);
    if ids.shape().rank() != 1 {
        return Err(Error::invalid("segment_ids should be a vector.").found(format!("shape {}", ids.shape())));
    }
    if data.shape().is_scalar() {
        return Err(Error::invalid("data must be at least rank 1"));
    }
    let ids = ids.to_i64s()?;
    if ids.len() != data.shape()[0] {
        return Err(Error::invalid("segment_ids should be the same size as dimension 0 of input.")
            .expected(format!("{} segment ids", data.shape()[0]))
            .found(ids.len()));
    }
    let last = ids.last().copied().unwrap_or(-1);
    if ids.first().is_some_and(|&id| id < 0) || last < -1 || (last < 0 && !ids.is_empty()) {
        return Err(Error::invalid("segment ids must be >= 0"));
    }
    if ids.windows(2).any(|w| w[0] > w[1]) {
        return Err(Error::invalid("segment ids are not increasing"));
    }
    let rows = num.unwrap_or((last + 1) as usize);
    if last >= rows as i64 {
        return Err(Error::invalid(format!("Segment id {last} out of range [0, {rows})")));
    }
    let shape = rows_of(rows, &data.shape()[1..])?;
    Ok((ids, shape))
}

/// The first versions set segments without rows to zero (one for products); with `num_segments` given, they are set to
/// the result of an empty reduction.
fn reduce<T: Number, F: Fold<T>>(cx: &mut Cx<'_, '_>) -> Result<()> {
    let (ids, shape) = check(cx)?;
    let (rows, width) = (shape[0], shape[1..].iter().product::<usize>());
    let empty = if cx.num_inputs() > 2 { F::of_nothing() } else { F::missing() };
    cx.produce::<T>(0, &shape, |cx, out| {
        let data = cx.slice::<T>(0)?;
        // The start of each segment's rows, plus one entry for the end of the last.
        let cost = (ids.len() * width) as f64 / rows.max(1) as f64;
        cx.pool().for_chunks(out, width, 5.0 + cost, |first, out| {
            let mut at = ids.partition_point(|&id| id < first as i64);
            let mut accs = vec![F::start(); width];
            for (i, out) in out.chunks_exact_mut(width).enumerate() {
                let id = (first + i) as i64;
                let end = at + ids[at..].iter().take_while(|&&other| other == id).count();
                match end - at {
                    0 => out.fill(empty),
                    // As in TensorFlow, a single row is copied, including NaN.
                    1 => out.copy_from_slice(&data[at * width..end * width]),
                    count => {
                        accs.fill(F::start());
                        for row in data[at * width..end * width].chunks_exact(width) {
                            accs.iter_mut().zip(row).for_each(|(acc, &x)| *acc = F::merge(*acc, x));
                        }
                        out.iter_mut().zip(&accs).for_each(|(o, &acc)| *o = F::finish(acc, count));
                    }
                }
                at = end;
            }
        });
        Ok(())
    })
}
