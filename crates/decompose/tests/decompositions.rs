//! Decompositions rebuild their matrices.

use levada_decompose::Decompose;
use num_complex::Complex64;

#[test]
fn vectors_rebuild_the_matrix() {
    let (rows, cols) = (5, 3);
    let a: Vec<Complex64> = (0..15).map(|i| Complex64::new((i * i % 7) as f64, (i % 4) as f64)).collect();
    let svd = Decompose::svd(&a, rows, cols, Some(true)).unwrap();
    assert_eq!((svd.left.len(), svd.right.len()), (25, 9));
    for i in 0..rows {
        for j in 0..cols {
            let sum: Complex64 =
                (0..3).map(|k| svd.left[i * 5 + k] * svd.values[k] * svd.right[j * 3 + k].conj()).sum();
            assert!((sum - a[i * cols + j]).norm() < 1e-12);
        }
    }
}

#[test]
fn eigenvalues_ascend() {
    let (values, vectors) = Decompose::self_adjoint(&[1.0, 99.0, 2.0, 1.0f64], 2, true).unwrap();
    assert!((values[0] + 1.0).abs() < 1e-12 && (values[1] - 3.0).abs() < 1e-12);
    assert_eq!(vectors.len(), 4);
}
