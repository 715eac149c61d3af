//! Ops of linear algebra.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::prelude;
#[cfg(test)]
use levada_ops_core::testing;

mod contract;
mod equation;
#[cfg_attr(not(feature = "decompositions"), allow(dead_code))]
mod matrix;
mod schur;

pub use einsum::Labels;

family! {
    banded = BANDED_TRIANGULAR_SOLVE;
    batch_mat_mul: BatchMatMul, BatchMatMulV2, BatchMatMulV3;
    cholesky: BatchCholesky, BatchCholeskyGrad, Cholesky, CholeskyGrad;
    eig = EIG;
    einsum: Einsum;
    functions: MatrixExponential, MatrixLogarithm, MatrixSquareRoot;
    lu = LU;
    mat_mul: MatMul;
    qr = QR;
    #[cfg(feature = "decompositions")]
    self_adjoint_eig: BatchSelfAdjointEig, BatchSelfAdjointEigV2, SelfAdjointEig, SelfAdjointEigV2;
    solve: BatchMatrixDeterminant, BatchMatrixInverse, BatchMatrixSolve, LogMatrixDeterminant, MatrixDeterminant,
        MatrixInverse, MatrixSolve;
    #[cfg(feature = "decompositions")]
    solve_ls: BatchMatrixSolveLs, MatrixSolveLs;
    #[cfg(feature = "decompositions")]
    svd: BatchSvd, Svd;
    triangular: BatchMatrixTriangularSolve, MatrixTriangularSolve;
    tridiagonal = TRIDIAGONAL_MAT_MUL, TRIDIAGONAL_SOLVE;
}
