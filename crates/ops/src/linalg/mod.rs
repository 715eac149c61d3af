//! Ops of linear algebra.

mod contract;
mod equation;
pub(crate) mod gemm;
mod matrix;
mod schur;

pub use einsum::Labels;

family! {
    banded: BandedTriangularSolve;
    batch_mat_mul: BatchMatMul, BatchMatMulV2, BatchMatMulV3;
    cholesky: BatchCholesky, BatchCholeskyGrad, Cholesky, CholeskyGrad;
    eig: Eig;
    einsum: Einsum;
    functions: MatrixExponential, MatrixLogarithm, MatrixSquareRoot;
    lu: Lu;
    mat_mul: MatMul;
    qr: Qr;
    self_adjoint_eig: BatchSelfAdjointEig, BatchSelfAdjointEigV2, SelfAdjointEig, SelfAdjointEigV2;
    solve: BatchMatrixDeterminant, BatchMatrixInverse, BatchMatrixSolve, LogMatrixDeterminant, MatrixDeterminant,
        MatrixInverse, MatrixSolve;
    solve_ls: BatchMatrixSolveLs, MatrixSolveLs;
    svd: BatchSvd, Svd;
    triangular: BatchMatrixTriangularSolve, MatrixTriangularSolve;
    tridiagonal: TridiagonalMatMul, TridiagonalSolve;
}
