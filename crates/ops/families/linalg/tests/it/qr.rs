//! `Qr`.

use levada_ops_core::prelude::{Complex32, Complex64, Element, Shape, Tensor};
use levada_ops_core::testing::run_on;
use levada_ops_linalg::types::*;

/// The factors of a matrix of these numbers.
fn factors<T: Element>(rows: usize, cols: usize, full_matrices: bool, numbers: Vec<T>) -> [Tensor; 2] {
    let a = Tensor::from_vec(Shape::new([rows, cols]).unwrap(), numbers).unwrap();
    let op = QR.of(Qr { full_matrices, dtype: T::DTYPE });
    run_on(2, op, vec![a], &[T::DTYPE; 2]).unwrap().try_into().unwrap()
}

/// Checks that the factors have the right form and multiply to the matrix.
fn check<T: Element>(
    rows: usize,
    cols: usize,
    full: bool,
    within: f64,
    of: fn(Complex64) -> T,
    wide: fn(&T) -> Complex64,
) {
    let number = |i: usize| ((i * i * 31 + i * 17) % 101) as f64 / 50.0 - 1.0;
    let numbers: Vec<T> = (0..rows * cols).map(|i| of(Complex64::new(number(i), number(i + 7)))).collect();
    let a: Vec<Complex64> = numbers.iter().map(wide).collect();
    let [q, r] = factors(rows, cols, full, numbers);
    let inner = if full { rows } else { rows.min(cols) };
    assert_eq!((q.shape().dims(), r.shape().dims()), (&[rows, inner][..], &[inner, cols][..]));
    let [q, r] = [q, r].map(|m| m.slice::<T>().unwrap().iter().map(wide).collect::<Vec<_>>());
    let near = |found: Complex64, expected: Complex64, what: &str| {
        let off = (found - expected).norm();
        assert!(off < within, "{what} of {rows} x {cols} of {} is off by {off}", T::DTYPE);
    };
    for i in 0..rows {
        for j in 0..cols {
            let product = (0..inner).map(|k| q[i * inner + k] * r[k * cols + j]).sum();
            near(product, a[i * cols + j], "q r");
        }
    }
    for i in 0..inner {
        for j in 0..inner {
            let product = (0..rows).map(|k| q[k * inner + i].conj() * q[k * inner + j]).sum();
            near(product, Complex64::from(f64::from(u8::from(i == j))), "q^H q");
        }
        assert!(r[i * cols..][..cols.min(i)].iter().all(|v| *v == Complex64::from(0.0)));
    }
}

#[test]
fn the_product_of_the_factors_is_the_matrix() {
    // Within a panel, several panels, with a remainder, and with more rows or more columns.
    for (rows, cols) in [(1, 1), (5, 3), (16, 16), (17, 17), (40, 40), (70, 33), (33, 70), (50, 16), (16, 50), (48, 32)]
    {
        for full in [false, true] {
            check::<f32>(rows, cols, full, 1e-4, |x| x.re as f32, |&x| f64::from(x).into());
            check::<f64>(rows, cols, full, 1e-12, |x| x.re, |&x| x.into());
            let narrow = |x: Complex64| Complex32::new(x.re as f32, x.im as f32);
            check::<Complex32>(rows, cols, full, 1e-4, narrow, |x| Complex64::new(x.re.into(), x.im.into()));
            check::<Complex64>(rows, cols, full, 1e-12, |x| x, |&x| x);
        }
    }
}

#[test]
fn matrices_of_zeros_are_factored() {
    let [q, r] = factors(40, 40, false, vec![0f64; 40 * 40]);
    assert!(r.slice::<f64>().unwrap().iter().all(|v| *v == 0.0));
    let is_one = |i: usize| f64::from(u8::from(i.is_multiple_of(41)));
    assert!(q.slice::<f64>().unwrap().iter().enumerate().all(|(i, v)| *v == is_one(i)));
}
