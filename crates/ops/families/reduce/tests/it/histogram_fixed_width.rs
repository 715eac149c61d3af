//! `HistogramFixedWidth`.

use levada_ops_core::prelude::DType::{F32, I32, I64};
use levada_ops_core::prelude::*;
use levada_ops_core::testing::{run, run_on};
use levada_ops_reduce::types::*;

fn count(values: &[f32], range: &[f32], bins: i32) -> Result<Vec<i32>> {
    let op = HISTOGRAM_FIXED_WIDTH.of(HistogramFixedWidth { values: F32, dtype: I32 });
    let inputs = vec![Tensor::vector(values.to_vec()), Tensor::vector(range.to_vec()), Tensor::scalar(bins)];
    Ok(run(op, inputs, &[I32])?[0].slice()?.to_vec())
}

#[test]
fn parts_of_many_values_are_counted_side_by_side() {
    let values: Vec<f32> = (0..400_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 8) as f32 * 1e-6 - 3.0).collect();
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
    for (values, range, bins) in
        [(1., &[5., 5.][..], 1), (1., &[0., nan], 1), (1., &[0., 5.], 0), (nan, &[0., 5.], 2), (1., &[0., 5., 6.], 1)]
    {
        assert_eq!(count(&[values], range, bins).unwrap_err().code(), Code::InvalidArgument);
    }
}
