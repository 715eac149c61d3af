//! `HistogramFixedWidth`: a histogram with bins of equal width.

use crate::prelude::*;
use crate::rules::never;
use DType::*;

attrs! {
    /// Splits `value_range` into `nbins` bins of equal width and counts the `values` in each; values outside the range
    /// count in the first or last bin.
    pub struct HistogramFixedWidth {
        /// Element type of `values`.
        values: DType = Attr::dtype("T", &[I32, I64, F32, F64]),
        /// Element type of the counts.
        dtype: DType = Attr::dtype("dtype", sets::INDEX).or_type(I32),
    }
}

pub static HISTOGRAM_FIXED_WIDTH: Def<HistogramFixedWidth> = op("HistogramFixedWidth")
    .inputs(&[arg("values", of("T")), arg("value_range", of("T")), arg("nbins", is(I32))])
    .outputs(&[arg("out", of("dtype"))])
    .shape(infer)
    .gradient(|_, g| never(g))
    .kernel(histogram);

fn infer(_: &HistogramFixedWidth, cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.with_rank(1, 1)?.merge(&PartialShape::vector(Some(2)))?;
    cx.with_rank(2, 0)?;
    let bins = match cx.constant_i64s(2).as_deref() {
        Some(&[n]) if n <= 0 => return Err(Error::invalid(format!("Requires nbins > 0: {n}"))),
        Some(&[n]) => Some(n as usize),
        _ => None,
    };
    cx.output_vector(0, bins);
    Ok(())
}

fn histogram(op: &HistogramFixedWidth, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (range, bins) = (cx.input(1)?.shape(), cx.input(2)?);
    if range.dims() != [2] {
        return Err(Error::invalid("value_range should be a vector of 2 elements.").found(format!("shape {range}")));
    }
    if !bins.shape().is_scalar() {
        return Err(Error::invalid("nbins should be a scalar.").found(format!("shape {}", bins.shape())));
    }
    let n = bins.to_i64s()?[0];
    if n <= 0 {
        return Err(Error::invalid(format!("nbins should be a positive number, but got '{n}'")));
    }
    let shape = Shape::vector(n as usize);
    dispatch!(op.values, reals, |T| match op.dtype {
        I64 => cx.produce::<i64>(0, &shape, |cx, out| count::<T, i64>(cx, out)),
        _ => cx.produce::<i32>(0, &shape, |cx, out| count::<T, i32>(cx, out)),
    }, else unsupported(cx, op.values))
}

fn count<T: Real, O: Number>(cx: &Cx<'_, '_>, bins: &mut [O]) -> Result<()> {
    let range = cx.slice::<T>(1)?;
    let (low, high) = (range[0], range[1]);
    if low >= high || low.is_nan() || high.is_nan() {
        return Err(Error::invalid(format!(
            "value_range should satisfy value_range[0] < value_range[1], but got {range:?}"
        )));
    }
    // The bin width is a double, as in TensorFlow.
    let (origin, step) = (low.to_f64(), (high.to_f64() - low.to_f64()) / bins.len() as f64);
    let (values, n) = (cx.slice::<T>(0)?, bins.len());
    bins.fill(O::zero());
    // Counts a slice of the values; returns true if there is no NaN among them.
    let tally = |values: &[T], bins: &mut [O]| {
        let mut places = [0; BLOCK];
        values.chunks(BLOCK).all(|values| {
            let known = vectorized_for!(T, places_of(values, low, (origin, step), (n - 1) as f64, &mut places));
            for &place in places.iter().take(if known { values.len() } else { 0 }) {
                let bin = &mut bins[place as usize];
                *bin = bin.add(O::one());
            }
            known
        })
    };
    let nanos = 1.0;
    // Separate counts per part are worth their memory if there are far fewer bins than values.
    let parts = if n <= values.len() / 8 { cx.pool().parts(values.len(), nanos).min(cx.pool().shares()) } else { 1 };
    let known = if parts == 1 {
        tally(values, bins)
    } else {
        let each = values.len().div_ceil(parts);
        let mut counts: Vec<(bool, Vec<O>)> = (0..parts).map(|_| (true, vec![O::zero(); n])).collect();
        cx.pool().for_chunks(&mut counts, 1, each as f64 * nanos, |first, counts| {
            for (values, (known, bins)) in values.chunks(each).skip(first).zip(counts) {
                *known = tally(values, bins);
            }
        });
        for (_, counts) in &counts {
            bins.iter_mut().zip(counts).for_each(|(bin, &count)| *bin = bin.add(count));
        }
        counts.iter().all(|(known, _)| *known)
    };
    if !known {
        return Err(Error::invalid("values must not contain NaN"));
    }
    Ok(())
}

/// Number of values whose bins are computed before they are counted.
const BLOCK: usize = 256;

/// Returns the bin of each value; returns false if one is NaN.
#[inline(always)]
fn places_of<T: Real>(values: &[T], low: T, (origin, step): (f64, f64), last: f64, places: &mut [i32; BLOCK]) -> bool {
    let mut known = true;
    for (place, &x) in places.iter_mut().zip(values) {
        known &= !x.is_nan();
        let x = if x < low { low } else { x };
        *place = ((x.to_f64() - origin) / step).min(last) as i32;
    }
    known
}
