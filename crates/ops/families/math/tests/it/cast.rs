//! `Cast`.

use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;
use levada_ops_math::types::*;

fn cast(x: Tensor, to: DType, truncate: bool) -> Tensor {
    run(CAST.of(Cast { from: x.dtype(), to, truncate }), vec![x], &[to]).unwrap().remove(0)
}

#[test]
fn floats_that_do_not_fit() {
    let x = Tensor::vector(vec![f32::NAN, 3e9, -1.5, 300.7, 1e19, -70000.0]);
    let to = |d| cast(x.clone(), d, false);
    let (min, low) = (i32::MIN, i64::MIN);
    assert_eq!(to(DType::I32), Tensor::vector(vec![min, min, -1, 300, min, -70000]));
    assert_eq!(to(DType::I8), Tensor::vector(vec![0i8, 0, -1, 44, 0, -112]));
    assert_eq!(to(DType::U8), Tensor::vector(vec![0u8, 0, 255, 44, 0, 144]));
    assert_eq!(to(DType::U32), Tensor::vector(vec![0u32, 3_000_000_000, u32::MAX, 300, 0, 4_294_897_296]));
    assert_eq!(to(DType::I64), Tensor::vector(vec![low, 3_000_000_000, -1, 300, low, -70000]));
    let u = [1 << 63, 3_000_000_000, u64::MAX, 300, 9_999_999_980_506_447_872, 18_446_744_073_709_481_616u64];
    assert_eq!(to(DType::U64), Tensor::vector(u.to_vec()));
    assert_eq!(to(DType::Bool), Tensor::vector(vec![true; 6]));
}

#[test]
fn every_pair_of_plain_types_keeps_small_numbers() {
    let plain: Vec<DType> = DType::ALL.iter().copied().filter(|d| d.is_plain() && !d.is_narrow()).collect();
    let one = Tensor::from_vec(Shape::new([2, 300]).unwrap(), vec![1i32; 600]).unwrap();
    for &from in &plain {
        for &to in &plain {
            let there = cast(cast(one.clone(), from, false), to, false);
            assert_eq!(there.dtype(), to);
            assert_eq!(cast(there, DType::I32, false), one, "{from} to {to}");
        }
    }
}

#[test]
fn truncation_does_not_round() {
    let x = Tensor::vector(vec![1.999_999_9f32, -1.999_999_9, f32::NAN]);
    let y = cast(cast(x.clone(), DType::BF16, true), DType::F32, false);
    assert_eq!(&y.slice::<f32>().unwrap()[..2], [1.992_187_5, -1.992_187_5]);
    assert!(y.slice::<f32>().unwrap()[2].is_nan());
    let y = cast(cast(x, DType::BF16, false), DType::F32, false);
    assert_eq!(&y.slice::<f32>().unwrap()[..2], [2.0, -2.0]);
}
