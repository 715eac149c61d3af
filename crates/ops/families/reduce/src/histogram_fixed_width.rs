//! `HistogramFixedWidth`: how many values fall into each of equal parts of a range.

use crate::prelude::*;
use crate::rules::never;
use DType::*;

attrs! {
    /// Cuts `value_range` into `nbins` equal parts and counts `values` in each; values outside count in the first or
    /// last.
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
    // Sizes of the parts are doubles, as in TensorFlow.
    let step = (high.to_f64() - low.to_f64()) / bins.len() as f64;
    let last = (bins.len() - 1) as f64;
    bins.fill(O::zero());
    for &x in cx.slice::<T>(0)? {
        if x.is_nan() {
            return Err(Error::invalid("values must not contain NaN"));
        }
        let x = if x < low { low } else { x };
        let bin = &mut bins[((x.to_f64() - low.to_f64()) / step).min(last) as usize];
        *bin = bin.add(O::one());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run;

    fn count(values: &[f32], range: &[f32], bins: i32) -> Result<Vec<i32>> {
        let op = HISTOGRAM_FIXED_WIDTH.of(HistogramFixedWidth { values: F32, dtype: I32 });
        let inputs = vec![Tensor::vector(values.to_vec()), Tensor::vector(range.to_vec()), Tensor::scalar(bins)];
        Ok(run(op, inputs, &[I32])?[0].slice()?.to_vec())
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
