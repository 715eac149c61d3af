//! `MatrixTriangularSolve` and `Cholesky` of matrices of several blocks.

use levada_ops_core::prelude::{Complex32, Complex64, Element, Shape, Tensor};
use levada_ops_core::testing::run_on;
use levada_ops_linalg::types::*;

/// A matrix whose diagonal dominates.
fn matrix(n: usize) -> Vec<Complex64> {
    let number = |i: usize| ((i * i * 31 + i * 17) % 101) as f64 / 50.0 - 1.0;
    let of = |i: usize| Complex64::new(number(i) / n as f64, number(i + 7) / n as f64);
    (0..n * n).map(|i| if i % (n + 1) == 0 { Complex64::from(2.0) + of(i).re } else { of(i) }).collect()
}

fn tensor<T: Element>(rows: usize, cols: usize, numbers: &[Complex64], of: fn(Complex64) -> T) -> Tensor {
    Tensor::from_vec(Shape::new([rows, cols]).unwrap(), numbers.iter().map(|&v| of(v)).collect()).unwrap()
}

/// The numbers of a matrix in these types, which real ones do not change.
fn rounded<T: Element>(numbers: &[Complex64], of: fn(Complex64) -> T, wide: fn(&T) -> Complex64) -> Vec<Complex64> {
    numbers.iter().map(|&v| wide(&of(v))).collect()
}

fn near(found: &[Complex64], expected: &[Complex64], within: f64, what: &str) {
    let off = found.iter().zip(expected).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    assert!(found.len() == expected.len() && off < within, "{what} is off by {off}");
}

fn check_solve<T: Element>(n: usize, k: usize, within: f64, of: fn(Complex64) -> T, wide: fn(&T) -> Complex64) {
    let (a, x) = (rounded(&matrix(n), of, wide), &matrix(n.max(k))[..n * k]);
    let x = rounded(x, of, wide);
    for (lower, adjoint, threads) in [(true, false, 1), (true, true, 2), (false, false, 3), (false, true, 2)] {
        let inside = |i: usize, j: usize| if lower { j <= i } else { j >= i };
        let element = |i: usize, j: usize| match (inside(i, j), inside(j, i)) {
            (true, _) if !adjoint => a[i * n + j],
            (_, true) if adjoint => a[j * n + i].conj(),
            _ => Complex64::from(0.0),
        };
        let mut b = vec![Complex64::from(0.0); n * k];
        for (i, row) in b.chunks_exact_mut(k).enumerate() {
            for j in 0..n {
                row.iter_mut().zip(&x[j * k..]).for_each(|(b, x)| *b += element(i, j) * x);
            }
        }
        let op = MATRIX_TRIANGULAR_SOLVE.of(MatrixTriangularSolve { lower, adjoint, dtype: T::DTYPE, broadcast: true });
        let inputs = vec![tensor(n, n, &a, of), tensor(n, k, &b, of)];
        let found = run_on(threads, op, inputs, &[T::DTYPE]).unwrap();
        let found: Vec<Complex64> = found[0].slice::<T>().unwrap().iter().map(wide).collect();
        near(&found, &x, within, &format!("the solution of {n} rows, {k} columns, {lower} {adjoint}"));
    }
}

fn check_factor<T: Element>(n: usize, within: f64, of: fn(Complex64) -> T, wide: fn(&T) -> Complex64) {
    let half = rounded(&matrix(n), of, wide);
    let mut a = vec![Complex64::from(0.0); n * n];
    for (i, row) in a.chunks_exact_mut(n).enumerate() {
        for (j, a) in row.iter_mut().enumerate() {
            *a = (0..n).map(|m| half[i * n + m] * half[j * n + m].conj()).sum();
        }
    }
    for threads in [1, 3] {
        let op = CHOLESKY.of(Square { dtype: T::DTYPE });
        let found = run_on(threads, op, vec![tensor(n, n, &a, of)], &[T::DTYPE]).unwrap();
        let l: Vec<Complex64> = found[0].slice::<T>().unwrap().iter().map(wide).collect();
        let product = |i: usize, j: usize| (0..n).map(|m| l[i * n + m] * l[j * n + m].conj()).sum();
        let products: Vec<Complex64> = (0..n * n).map(|at| product(at / n, at % n)).collect();
        near(&products, &a, within, &format!("l l^H of {n} rows"));
        assert!((0..n).all(|i| l[i * n + i + 1..(i + 1) * n].iter().all(|v| v.norm() == 0.0)));
    }
}

#[test]
fn solutions_multiply_to_the_right_hand_sides() {
    for (n, k) in [(1, 1), (5, 3), (64, 128), (65, 129), (130, 1), (130, 300), (200, 40)] {
        check_solve::<f32>(n, k, 1e-4, |x| x.re as f32, |&x| f64::from(x).into());
        check_solve::<f64>(n, k, 1e-12, |x| x.re, |&x| x.into());
        let narrow = |x: Complex64| Complex32::new(x.re as f32, x.im as f32);
        check_solve::<Complex32>(n, k, 1e-4, narrow, |x| Complex64::new(x.re.into(), x.im.into()));
        check_solve::<Complex64>(n, k, 1e-12, |x| x, |&x| x);
    }
}

#[test]
fn factors_multiply_to_the_matrix() {
    for n in [1, 3, 63, 64, 65, 150, 200] {
        check_factor::<f32>(n, 1e-4, |x| x.re as f32, |&x| f64::from(x).into());
        check_factor::<f64>(n, 1e-12, |x| x.re, |&x| x.into());
        check_factor::<Complex64>(n, 1e-12, |x| x, |&x| x);
    }
}
