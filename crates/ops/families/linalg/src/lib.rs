//! Linear algebra ops.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::prelude;

mod contract;
mod equation;
#[cfg_attr(not(feature = "decompositions"), allow(dead_code))]
mod matrix;
mod nodes;
mod schur;

pub use einsum::{Labels, shape as einsum_shape, sum_of_products};

family! {
    banded = BANDED_TRIANGULAR_SOLVE;
    batch_mat_mul = BATCH_MAT_MUL, BATCH_MAT_MUL_V3;
    cholesky = CHOLESKY, CHOLESKY_GRAD;
    eig = EIG;
    einsum = EINSUM;
    functions = MATRIX_EXPONENTIAL, MATRIX_LOGARITHM, MATRIX_SQUARE_ROOT;
    lu = LU;
    mat_mul = MAT_MUL;
    qr = QR;
    #[cfg(feature = "decompositions")]
    self_adjoint_eig = SELF_ADJOINT_EIG, SELF_ADJOINT_EIG_V2, XLA_SELF_ADJOINT_EIG;
    solve = LOG_MATRIX_DETERMINANT, MATRIX_DETERMINANT, MATRIX_INVERSE, MATRIX_SOLVE;
    #[cfg(feature = "decompositions")]
    solve_ls = MATRIX_SOLVE_LS;
    #[cfg(feature = "decompositions")]
    svd = SVD, XLA_SVD;
    triangular = MATRIX_TRIANGULAR_SOLVE;
    tridiagonal = TRIDIAGONAL_MAT_MUL, TRIDIAGONAL_SOLVE;
}
