//! `MatrixExponential`, `MatrixLogarithm` and `MatrixSquareRoot`.

use levada_kernel::Def;
use levada_ops_core::prelude::{Complex64, DType, Shape, Tensor};
use levada_ops_core::testing::run;
use levada_ops_linalg::types::*;

fn apply(def: &'static Def<Square>, a: Tensor) -> Tensor {
    run(def.of(Square { dtype: DType::C128 }), vec![a], &[DType::C128]).unwrap().remove(0)
}

fn squared(a: &Tensor) -> Tensor {
    let a = a.slice::<Complex64>().unwrap();
    let sum = |i: usize| (0..4).map(|k| a[i / 4 * 4 + k] * a[k * 4 + i % 4]).sum::<Complex64>();
    Tensor::from_vec(Shape::new([4, 4]).unwrap(), (0..16).map(sum).collect()).unwrap()
}

#[track_caller]
fn check(found: &Tensor, expected: &Tensor, within: f64) {
    let (a, b) = (found.slice::<Complex64>().unwrap(), expected.slice::<Complex64>().unwrap());
    assert!(a.iter().zip(b).all(|(a, b)| (a - b).norm() < within), "{found} {expected}");
}

#[test]
fn the_logarithm_undoes_the_exponential() {
    let numbers = (0..16).map(|i| Complex64::new((i * 7 % 5) as f64 * 0.1, (i % 3) as f64 * 0.2)).collect();
    let a = Tensor::from_vec(Shape::new([4, 4]).unwrap(), numbers).unwrap();
    check(&apply(&MATRIX_LOGARITHM, apply(&MATRIX_EXPONENTIAL, a.clone())), &a, 1e-12);
    let square = squared(&a);
    check(&squared(&apply(&MATRIX_SQUARE_ROOT, square.clone())), &square, 1e-10);
}
