//! Singular value decompositions, and eigenvalues of self-adjoint matrices, in double precision.
//!
//! In: one row-major matrix of finite values. Out: vectors of values, or `None` if the iteration does not converge. It
//! is a separate crate so that `faer`'s generic code is compiled once, and not with every change of the op library. It
//! knows no tensors.
//!
//! ```
//! let found = levada_decompose::Decompose::svd(&[3.0, 0.0, 0.0, 4.0f64], 2, 2, Some(false)).unwrap();
//! assert!((found.values[0] - 4.0).abs() < 1e-12);
//! ```

use faer::{Mat, MatRef, Side};
use num_complex::Complex64;

/// A matrix as `left * diagonal(values) * right^H`. Without vectors only `values` is filled.
pub struct Svd<T> {
    /// Singular values, the largest first.
    pub values: Vec<f64>,
    /// Left vectors as columns, row-major.
    pub left: Vec<T>,
    /// Right vectors as columns, row-major.
    pub right: Vec<T>,
}

/// An element type of matrices that can be decomposed.
pub trait Decompose: Sized {
    /// Decomposes a matrix. `vectors`: `None` for the singular values only, `Some(true)` for square matrices of
    /// vectors.
    fn svd(matrix: &[Self], rows: usize, cols: usize, vectors: Option<bool>) -> Option<Svd<Self>>;

    /// Eigenvalues, in ascending order, of the self-adjoint matrix of size `n` whose lower triangle this is, and the
    /// eigenvectors as columns, row-major; these are left empty unless `vectors`.
    fn self_adjoint(matrix: &[Self], n: usize, vectors: bool) -> Option<(Vec<f64>, Vec<Self>)>;
}

fn row_major<T: Copy>(matrix: MatRef<'_, T>) -> Vec<T> {
    let (rows, cols) = (matrix.nrows(), matrix.ncols());
    (0..rows).flat_map(|i| (0..cols).map(move |j| matrix[(i, j)])).collect()
}

macro_rules! decompose {
    ($($ty:ty: |$v:ident| $real:expr;)*) => {$(
        impl Decompose for $ty {
            fn svd(matrix: &[Self], rows: usize, cols: usize, vectors: Option<bool>) -> Option<Svd<Self>> {
                let matrix = MatRef::from_row_major_slice(matrix, rows, cols);
                let Some(full) = vectors else {
                    let values = matrix.singular_values().ok()?;
                    return Some(Svd { values, left: Vec::new(), right: Vec::new() });
                };
                let found = if full { matrix.svd() } else { matrix.thin_svd() }.ok()?;
                let values = found.S().column_vector().iter().map(|&$v| $real).collect();
                Some(Svd { values, left: row_major(found.U()), right: row_major(found.V()) })
            }

            fn self_adjoint(matrix: &[Self], n: usize, vectors: bool) -> Option<(Vec<f64>, Vec<Self>)> {
                let matrix: Mat<Self> = MatRef::from_row_major_slice(matrix, n, n).to_owned();
                if !vectors {
                    return Some((matrix.self_adjoint_eigenvalues(Side::Lower).ok()?, Vec::new()));
                }
                let found = matrix.self_adjoint_eigen(Side::Lower).ok()?;
                let values = found.S().column_vector().iter().map(|&$v| $real).collect();
                Some((values, row_major(found.U())))
            }
        }
    )*};
}

decompose! {
    f64: |v| v;
    Complex64: |v| v.re;
}
