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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{run, run_on};

    fn count(values: &[f32], range: &[f32], bins: i32) -> Result<Vec<i32>> {
        let op = HISTOGRAM_FIXED_WIDTH.of(HistogramFixedWidth { values: F32, dtype: I32 });
        let inputs = vec![Tensor::vector(values.to_vec()), Tensor::vector(range.to_vec()), Tensor::scalar(bins)];
        Ok(run(op, inputs, &[I32])?[0].slice()?.to_vec())
    }

    #[test]
    fn parts_of_many_values_are_counted_side_by_side() {
        let values: Vec<f32> =
            (0..400_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 8) as f32 * 1e-6 - 3.0).collect();
        let counted = |values: &[f32], threads: usize, dtype: DType| {
            let op = HISTOGRAM_FIXED_WIDTH.of(HistogramFixedWidth { values: F32, dtype });
            let range = Tensor::vector(vec![0.0f32, 10.0]);
            let inputs = vec![Tensor::vector(values.to_vec()), range, Tensor::scalar(37)];
            run_on(threads, op, inputs, &[dtype])
        };
        let mut expected = vec![0; 37];
        for &x in &values {
            expected[((f64::from(x).max(0.0) / (10.0 / 37.0)) as usize).min(36)] += 1;
        }
        for threads in [1, 2, 5] {
            assert_eq!(counted(&values, threads, I32).unwrap()[0].slice::<i32>().unwrap(), expected);
        }
        let wide = counted(&values, 3, I64).unwrap();
        assert!(wide[0].slice::<i64>().unwrap().iter().copied().eq(expected.iter().map(|&n| i64::from(n))));
        let mut values = values;
        values[399_999] = f32::NAN;
        assert_eq!(counted(&values, 3, I32).unwrap_err().code(), Code::InvalidArgument);
    }

    #[test]
    fn values_are_counted() {
        assert_eq!(count(&[-1., 0., 1.5, 2., 5., 15.], &[0., 5.], 5).unwrap(), [2, 1, 1, 0, 2]);
        let (nan, inf) = (f32::NAN, f32::INFINITY);
        assert_eq!(count(&[-inf, inf], &[0., 5.], 2).unwrap(), [1, 1]);
        for (values, range, bins) in [
            (1., &[5., 5.][..], 1),
            (1., &[0., nan], 1),
            (1., &[0., 5.], 0),
            (nan, &[0., 5.], 2),
            (1., &[0., 5., 6.], 1),
        ] {
            assert_eq!(count(&[values], range, bins).unwrap_err().code(), Code::InvalidArgument);
        }
    }
}
