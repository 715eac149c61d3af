// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `linalg`.

use crate::node::{Input, Node, Ops, common, one_output, string};
use levada_graph::DType;
use levada_builder::Output;

impl Ops<'_> {
    /// Solves `matrix * output = rhs`, where the rows of `matrix` are the diagonals of triangular matrices: the main diagonal first and the subdiagonals after it if `lower`, otherwise the main diagonal last. Column `j` holds the elements of matrix row `j`.
    ///
    /// - `matrix`: a tensor of `T`
    /// - `rhs`: a tensor of `T`
    ///
    /// `T` is float32, float64, complex64, complex128, float16.
    pub fn banded_triangular_solve(&self, matrix: impl Input, rhs: impl Input) -> BandedTriangularSolve<'_> {
        BandedTriangularSolve(Node::new(self, "BandedTriangularSolve").input(matrix).input(rhs))
    }

    /// Legacy name of `Cholesky`.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is float32, float64.
    ///
    /// It has no gradient.
    pub fn batch_cholesky(&self, input: impl Input) -> BatchCholesky<'_> {
        BatchCholesky(Node::new(self, "BatchCholesky").input(input))
    }

    /// Legacy name of `CholeskyGrad`.
    ///
    /// - `l`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    ///
    /// `T` is float32, float64.
    ///
    /// It has no gradient.
    pub fn batch_cholesky_grad(&self, l: impl Input, grad: impl Input) -> BatchCholeskyGrad<'_> {
        BatchCholeskyGrad(Node::new(self, "BatchCholeskyGrad").input(l).input(grad))
    }

    /// Multiplies the matrices in the last two axes; the batch axes must be equal.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any float or complex number, int32, int64.
    pub fn batch_mat_mul(&self, x: impl Input, y: impl Input) -> BatchMatMul<'_> {
        BatchMatMul(Node::new(self, "BatchMatMul").input(x).input(y))
    }

    /// Multiplies the matrices in the last two axes; the batch axes are broadcast.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any float or complex number, int32, uint8, int16, int64, uint16, uint32, uint64.
    pub fn batch_mat_mul_v2(&self, x: impl Input, y: impl Input) -> BatchMatMulV2<'_> {
        BatchMatMulV2(Node::new(self, "BatchMatMulV2").input(x).input(y))
    }

    /// As `BatchMatMulV2`, with separate element types for the factors and the result.
    ///
    /// - `x`: a tensor of `Ta`
    /// - `y`: a tensor of `Tb`
    /// - `tout`: Element type of the result. Allowed: any float or complex number, int32, int16, int64.
    ///
    /// `Ta` is any float or complex number, int32, uint8, int16, int8, int64. `Tb` is any float or complex number, int32, uint8, int16, int8, int64.
    pub fn batch_mat_mul_v3(&self, x: impl Input, y: impl Input, tout: DType) -> BatchMatMulV3<'_> {
        let mut node = Node::new(self, "BatchMatMulV3").input(x).input(y);
        node.set("Tout", tout);
        BatchMatMulV3(node)
    }

    /// Legacy name of `MatrixDeterminant`.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is float32, float64, complex64, complex128.
    ///
    /// It has no gradient.
    pub fn batch_matrix_determinant(&self, input: impl Input) -> BatchMatrixDeterminant<'_> {
        BatchMatrixDeterminant(Node::new(self, "BatchMatrixDeterminant").input(input))
    }

    /// Legacy name of `MatrixInverse`.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is float32, float64.
    ///
    /// It has no gradient.
    pub fn batch_matrix_inverse(&self, input: impl Input) -> BatchMatrixInverse<'_> {
        BatchMatrixInverse(Node::new(self, "BatchMatrixInverse").input(input))
    }

    /// Legacy name of `MatrixSolve`.
    ///
    /// - `matrix`: a tensor of `T`
    /// - `rhs`: a tensor of `T`
    ///
    /// `T` is float32, float64.
    ///
    /// It has no gradient.
    pub fn batch_matrix_solve(&self, matrix: impl Input, rhs: impl Input) -> BatchMatrixSolve<'_> {
        BatchMatrixSolve(Node::new(self, "BatchMatrixSolve").input(matrix).input(rhs))
    }

    /// Legacy name of `MatrixSolveLs`.
    ///
    /// - `matrix`: a tensor of `T`
    /// - `rhs`: a tensor of `T`
    /// - `l2_regularizer`: a tensor of float64
    ///
    /// `T` is float32, float64.
    ///
    /// It has no gradient.
    pub fn batch_matrix_solve_ls(&self, matrix: impl Input, rhs: impl Input, l2_regularizer: impl Input) -> BatchMatrixSolveLs<'_> {
        BatchMatrixSolveLs(Node::new(self, "BatchMatrixSolveLs").input(matrix).input(rhs).input(l2_regularizer))
    }

    /// Legacy name of `MatrixTriangularSolve`.
    ///
    /// - `matrix`: a tensor of `T`
    /// - `rhs`: a tensor of `T`
    ///
    /// `T` is float32, float64.
    ///
    /// It has no gradient.
    pub fn batch_matrix_triangular_solve(&self, matrix: impl Input, rhs: impl Input) -> BatchMatrixTriangularSolve<'_> {
        BatchMatrixTriangularSolve(Node::new(self, "BatchMatrixTriangularSolve").input(matrix).input(rhs))
    }

    /// Legacy name of `SelfAdjointEig`.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is float32, float64.
    ///
    /// It has no gradient.
    pub fn batch_self_adjoint_eig(&self, input: impl Input) -> BatchSelfAdjointEig<'_> {
        BatchSelfAdjointEig(Node::new(self, "BatchSelfAdjointEig").input(input))
    }

    /// Legacy name of `SelfAdjointEigV2`.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is float32, float64.
    ///
    /// It has no gradient.
    pub fn batch_self_adjoint_eig_v2(&self, input: impl Input) -> BatchSelfAdjointEigV2<'_> {
        BatchSelfAdjointEigV2(Node::new(self, "BatchSelfAdjointEigV2").input(input))
    }

    /// Legacy name of `Svd`.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is float32, float64, complex64, complex128.
    ///
    /// It has no gradient.
    pub fn batch_svd(&self, input: impl Input) -> BatchSvd<'_> {
        BatchSvd(Node::new(self, "BatchSvd").input(input))
    }

    /// The Cholesky factor: the lower triangular `l` of `input = l l^H`; NaN for a matrix that is not positive definite.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is float32, float64, complex64, complex128, float16.
    pub fn cholesky(&self, input: impl Input) -> Cholesky<'_> {
        Cholesky(Node::new(self, "Cholesky").input(input))
    }

    /// The gradient of `Cholesky` with respect to its input, from its output and the output's gradient.
    ///
    /// - `l`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    ///
    /// `T` is float32, float64, float16.
    ///
    /// It has no gradient.
    pub fn cholesky_grad(&self, l: impl Input, grad: impl Input) -> CholeskyGrad<'_> {
        CholeskyGrad(Node::new(self, "CholeskyGrad").input(l).input(grad))
    }

    /// Computes the eigenvalues of square matrices, in no particular order, and the corresponding unit eigenvectors as columns.
    ///
    /// - `input`: a tensor of `T`
    /// - `tout`: Element type of the results. Allowed: complex64, complex128.
    ///
    /// `T` is float32, float64, complex64, complex128.
    pub fn eig(&self, input: impl Input, tout: DType) -> Eig<'_> {
        let mut node = Node::new(self, "Eig").input(input);
        node.set("Tout", tout);
        Eig(node)
    }

    /// Tensor contraction in Einstein summation notation: multiplies one or two tensors with labelled axes, sums over labels absent from the result, and orders the result's axes by its labels.
    ///
    /// - `inputs`: any number of tensors of `T`
    /// - `equation`: The subscripts, such as `ij,jk->ik`.
    ///
    /// `T` is any dtype.
    pub fn einsum(&self, inputs: impl IntoIterator<Item = impl Input>, equation: impl AsRef<[u8]>) -> Einsum<'_> {
        let mut node = Node::new(self, "Einsum").list(inputs);
        node.set("equation", string(equation));
        Einsum(node)
    }

    /// The sign and the logarithm of the absolute value of the determinants of square matrices.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is float32, float64, complex64, complex128, float16.
    pub fn log_matrix_determinant(&self, input: impl Input) -> LogMatrixDeterminant<'_> {
        LogMatrixDeterminant(Node::new(self, "LogMatrixDeterminant").input(input))
    }

    /// Computes the LU decomposition of square matrices: `lu` holds a unit lower and an upper triangle whose product is the matrix with its rows in the order `p`.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is float32, float64, complex64, complex128, float16.
    ///
    /// It has no gradient.
    pub fn lu(&self, input: impl Input) -> Lu<'_> {
        Lu(Node::new(self, "Lu").input(input))
    }

    /// Multiplies the matrices `a` and `b`, each optionally transposed.
    ///
    /// - `a`: a tensor of `T`
    /// - `b`: a tensor of `T`
    ///
    /// `T` is any float or complex number, int32, uint8, int64, uint16, uint32, uint64.
    pub fn mat_mul(&self, a: impl Input, b: impl Input) -> MatMul<'_> {
        MatMul(Node::new(self, "MatMul").input(a).input(b))
    }

    /// The determinants of square matrices.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is float32, float64, complex64, complex128, float16.
    pub fn matrix_determinant(&self, input: impl Input) -> MatrixDeterminant<'_> {
        MatrixDeterminant(Node::new(self, "MatrixDeterminant").input(input))
    }

    /// The exponential of square matrices.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is float32, float64, complex64, complex128, float16.
    ///
    /// It has no gradient.
    pub fn matrix_exponential(&self, input: impl Input) -> MatrixExponential<'_> {
        MatrixExponential(Node::new(self, "MatrixExponential").input(input))
    }

    /// The inverses of square matrices.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is float32, float64, complex64, complex128, float16.
    pub fn matrix_inverse(&self, input: impl Input) -> MatrixInverse<'_> {
        MatrixInverse(Node::new(self, "MatrixInverse").input(input))
    }

    /// The principal logarithm of square matrices.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is complex64, complex128.
    ///
    /// It has no gradient.
    pub fn matrix_logarithm(&self, input: impl Input) -> MatrixLogarithm<'_> {
        MatrixLogarithm(Node::new(self, "MatrixLogarithm").input(input))
    }

    /// Solves the linear systems `matrix * output = rhs` for square matrices.
    ///
    /// - `matrix`: a tensor of `T`
    /// - `rhs`: a tensor of `T`
    ///
    /// `T` is float32, float64, complex64, complex128, float16.
    pub fn matrix_solve(&self, matrix: impl Input, rhs: impl Input) -> MatrixSolve<'_> {
        MatrixSolve(Node::new(self, "MatrixSolve").input(matrix).input(rhs))
    }

    /// Solves linear systems in the least-squares sense, minimizing the squared residual plus `l2_regularizer` times the squared norm of the solution; of several minimizers returns the one with the least norm.
    ///
    /// - `matrix`: a tensor of `T`
    /// - `rhs`: a tensor of `T`
    /// - `l2_regularizer`: a tensor of float64
    ///
    /// `T` is float32, float64, complex64, complex128, float16.
    pub fn matrix_solve_ls(&self, matrix: impl Input, rhs: impl Input, l2_regularizer: impl Input) -> MatrixSolveLs<'_> {
        MatrixSolveLs(Node::new(self, "MatrixSolveLs").input(matrix).input(rhs).input(l2_regularizer))
    }

    /// The principal square root of square matrices, whose eigenvalues have positive real parts; NaN if there is none.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is float32, float64, complex64, complex128, float16.
    pub fn matrix_square_root(&self, input: impl Input) -> MatrixSquareRoot<'_> {
        MatrixSquareRoot(Node::new(self, "MatrixSquareRoot").input(input))
    }

    /// Solves the linear systems `matrix * output = rhs` for triangular matrices; batch axes are broadcast.
    ///
    /// - `matrix`: a tensor of `T`
    /// - `rhs`: a tensor of `T`
    ///
    /// `T` is any float or complex number.
    pub fn matrix_triangular_solve(&self, matrix: impl Input, rhs: impl Input) -> MatrixTriangularSolve<'_> {
        MatrixTriangularSolve(Node::new(self, "MatrixTriangularSolve").input(matrix).input(rhs))
    }

    /// Computes the QR decomposition of matrices: `q` has orthonormal columns, `r` is upper triangular.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is float32, float64, complex64, complex128, float16.
    pub fn qr(&self, input: impl Input) -> Qr<'_> {
        Qr(Node::new(self, "Qr").input(input))
    }

    /// Computes the eigenvalues of self-adjoint matrices in the first row of the output and the eigenvectors below it.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is float32, float64, float16.
    ///
    /// It has no gradient.
    pub fn self_adjoint_eig(&self, input: impl Input) -> SelfAdjointEig<'_> {
        SelfAdjointEig(Node::new(self, "SelfAdjointEig").input(input))
    }

    /// Computes the eigenvalues of self-adjoint matrices in ascending order and the corresponding eigenvectors as columns. Only the lower triangles are read.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is float32, float64, complex64, complex128, float16.
    pub fn self_adjoint_eig_v2(&self, input: impl Input) -> SelfAdjointEigV2<'_> {
        SelfAdjointEigV2(Node::new(self, "SelfAdjointEigV2").input(input))
    }

    /// Computes the singular value decomposition `u * diagonal(s) * v^H` of matrices, with `s` in descending order.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is float32, float64, complex64, complex128, float16.
    pub fn svd(&self, input: impl Input) -> Svd<'_> {
        Svd(Node::new(self, "Svd").input(input))
    }

    /// Multiplies tridiagonal matrices, given as their three diagonals (each as a matrix of one row), with `rhs`.
    ///
    /// - `superdiag`: a tensor of `T`
    /// - `maindiag`: a tensor of `T`
    /// - `subdiag`: a tensor of `T`
    /// - `rhs`: a tensor of `T`
    ///
    /// `T` is float32, float64, complex64, complex128.
    pub fn tridiagonal_mat_mul(&self, superdiag: impl Input, maindiag: impl Input, subdiag: impl Input, rhs: impl Input) -> TridiagonalMatMul<'_> {
        TridiagonalMatMul(Node::new(self, "TridiagonalMatMul").input(superdiag).input(maindiag).input(subdiag).input(rhs))
    }

    /// Solves tridiagonal systems. The rows of `diagonals` are the superdiagonal, the diagonal and the subdiagonal; the last element of the first row and the first of the last row are ignored.
    ///
    /// - `diagonals`: a tensor of `T`
    /// - `rhs`: a tensor of `T`
    ///
    /// `T` is float32, float64, complex64, complex128.
    pub fn tridiagonal_solve(&self, diagonals: impl Input, rhs: impl Input) -> TridiagonalSolve<'_> {
        TridiagonalSolve(Node::new(self, "TridiagonalSolve").input(diagonals).input(rhs))
    }

    /// Computes the eigenvalues of self-adjoint matrices in ascending order and the corresponding eigenvectors as columns.
    ///
    /// - `a`: a tensor of `T`
    /// - `lower`: If true, the lower triangles are read, otherwise the upper ones.
    /// - `max_iter`: XLA's iteration limit; ignored.
    /// - `epsilon`: XLA's tolerance; ignored.
    ///
    /// `T` is any number, also quantized.
    ///
    /// It has no gradient.
    pub fn xla_self_adjoint_eig(&self, a: impl Input, lower: bool, max_iter: i64, epsilon: f32) -> XlaSelfAdjointEig<'_> {
        let mut node = Node::new(self, "XlaSelfAdjointEig").input(a);
        node.set("lower", lower);
        node.set("max_iter", max_iter);
        node.set("epsilon", epsilon);
        XlaSelfAdjointEig(node)
    }

    /// Computes the singular value decomposition `u * diagonal(s) * v^H` of matrices, with square `u` and `v` and `s` in descending order.
    ///
    /// - `a`: a tensor of `T`
    /// - `max_iter`: XLA's iteration limit; ignored.
    /// - `epsilon`: XLA's tolerance; ignored.
    /// - `precision_config`: XLA's precision of products; ignored.
    ///
    /// `T` is any number, also quantized.
    ///
    /// It has no gradient.
    pub fn xla_svd(&self, a: impl Input, max_iter: i64, epsilon: f32, precision_config: impl AsRef<[u8]>) -> XlaSvd<'_> {
        let mut node = Node::new(self, "XlaSvd").input(a);
        node.set("max_iter", max_iter);
        node.set("epsilon", epsilon);
        node.set("precision_config", string(precision_config));
        XlaSvd(node)
    }
}

/// A node of [`BandedTriangularSolve`](Ops::banded_triangular_solve) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BandedTriangularSolve<'a>(Node<'a>);

impl BandedTriangularSolve<'_> {
    /// If true, the other diagonals lie below the main one. Default: `true`.
    pub fn lower(mut self, lower: bool) -> Self {
        self.0.set("lower", lower);
        self
    }

    /// If true, solves with the conjugate transpose. Default: `false`.
    pub fn adjoint(mut self, adjoint: bool) -> Self {
        self.0.set("adjoint", adjoint);
        self
    }
}

/// A node of [`BatchCholesky`](Ops::batch_cholesky) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchCholesky<'a>(Node<'a>);

/// A node of [`BatchCholeskyGrad`](Ops::batch_cholesky_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchCholeskyGrad<'a>(Node<'a>);

/// A node of [`BatchMatMul`](Ops::batch_mat_mul) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchMatMul<'a>(Node<'a>);

impl BatchMatMul<'_> {
    /// If true, uses the conjugate transpose of `x`. Default: `false`.
    pub fn adj_x(mut self, adj_x: bool) -> Self {
        self.0.set("adj_x", adj_x);
        self
    }

    /// If true, uses the conjugate transpose of `y`. Default: `false`.
    pub fn adj_y(mut self, adj_y: bool) -> Self {
        self.0.set("adj_y", adj_y);
        self
    }

    /// Whether `x` is a gradient; a hint without effect here. Default: `false`.
    pub fn grad_x(mut self, grad_x: bool) -> Self {
        self.0.set("grad_x", grad_x);
        self
    }

    /// Whether `y` is a gradient; a hint without effect here. Default: `false`.
    pub fn grad_y(mut self, grad_y: bool) -> Self {
        self.0.set("grad_y", grad_y);
        self
    }
}

/// A node of [`BatchMatMulV2`](Ops::batch_mat_mul_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchMatMulV2<'a>(Node<'a>);

impl BatchMatMulV2<'_> {
    /// If true, uses the conjugate transpose of `x`. Default: `false`.
    pub fn adj_x(mut self, adj_x: bool) -> Self {
        self.0.set("adj_x", adj_x);
        self
    }

    /// If true, uses the conjugate transpose of `y`. Default: `false`.
    pub fn adj_y(mut self, adj_y: bool) -> Self {
        self.0.set("adj_y", adj_y);
        self
    }

    /// Whether `x` is a gradient; a hint without effect here. Default: `false`.
    pub fn grad_x(mut self, grad_x: bool) -> Self {
        self.0.set("grad_x", grad_x);
        self
    }

    /// Whether `y` is a gradient; a hint without effect here. Default: `false`.
    pub fn grad_y(mut self, grad_y: bool) -> Self {
        self.0.set("grad_y", grad_y);
        self
    }
}

/// A node of [`BatchMatMulV3`](Ops::batch_mat_mul_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchMatMulV3<'a>(Node<'a>);

impl BatchMatMulV3<'_> {
    /// If true, uses the conjugate transpose of `x`. Default: `false`.
    pub fn adj_x(mut self, adj_x: bool) -> Self {
        self.0.set("adj_x", adj_x);
        self
    }

    /// If true, uses the conjugate transpose of `y`. Default: `false`.
    pub fn adj_y(mut self, adj_y: bool) -> Self {
        self.0.set("adj_y", adj_y);
        self
    }

    /// Whether `x` is a gradient; a hint without effect here. Default: `false`.
    pub fn grad_x(mut self, grad_x: bool) -> Self {
        self.0.set("grad_x", grad_x);
        self
    }

    /// Whether `y` is a gradient; a hint without effect here. Default: `false`.
    pub fn grad_y(mut self, grad_y: bool) -> Self {
        self.0.set("grad_y", grad_y);
        self
    }
}

/// A node of [`BatchMatrixDeterminant`](Ops::batch_matrix_determinant) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchMatrixDeterminant<'a>(Node<'a>);

/// A node of [`BatchMatrixInverse`](Ops::batch_matrix_inverse) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchMatrixInverse<'a>(Node<'a>);

impl BatchMatrixInverse<'_> {
    /// If true, returns the conjugate transposes of the inverses. Default: `false`.
    pub fn adjoint(mut self, adjoint: bool) -> Self {
        self.0.set("adjoint", adjoint);
        self
    }
}

/// A node of [`BatchMatrixSolve`](Ops::batch_matrix_solve) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchMatrixSolve<'a>(Node<'a>);

impl BatchMatrixSolve<'_> {
    /// If true, solves with the conjugate transpose. Default: `false`.
    pub fn adjoint(mut self, adjoint: bool) -> Self {
        self.0.set("adjoint", adjoint);
        self
    }
}

/// A node of [`BatchMatrixSolveLs`](Ops::batch_matrix_solve_ls) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchMatrixSolveLs<'a>(Node<'a>);

impl BatchMatrixSolveLs<'_> {
    /// If true, solves the normal equations, which requires matrices of full rank. Default: `true`.
    pub fn fast(mut self, fast: bool) -> Self {
        self.0.set("fast", fast);
        self
    }
}

/// A node of [`BatchMatrixTriangularSolve`](Ops::batch_matrix_triangular_solve) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchMatrixTriangularSolve<'a>(Node<'a>);

impl BatchMatrixTriangularSolve<'_> {
    /// If true, the lower triangle is used, otherwise the upper one. Default: `true`.
    pub fn lower(mut self, lower: bool) -> Self {
        self.0.set("lower", lower);
        self
    }

    /// If true, solves with the conjugate transpose. Default: `false`.
    pub fn adjoint(mut self, adjoint: bool) -> Self {
        self.0.set("adjoint", adjoint);
        self
    }
}

/// A node of [`BatchSelfAdjointEig`](Ops::batch_self_adjoint_eig) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchSelfAdjointEig<'a>(Node<'a>);

/// A node of [`BatchSelfAdjointEigV2`](Ops::batch_self_adjoint_eig_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchSelfAdjointEigV2<'a>(Node<'a>);

impl BatchSelfAdjointEigV2<'_> {
    /// If true, eigenvectors are computed as well. Default: `true`.
    pub fn compute_v(mut self, compute_v: bool) -> Self {
        self.0.set("compute_v", compute_v);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> BatchSelfAdjointEigV2Outputs {
        let mut outputs = self.0.outputs();
        BatchSelfAdjointEigV2Outputs { e: outputs.one(), v: outputs.one() }
    }
}

/// The outputs of [`BatchSelfAdjointEigV2`](Ops::batch_self_adjoint_eig_v2).
#[derive(Clone, Copy, Debug)]
pub struct BatchSelfAdjointEigV2Outputs {
    /// A tensor of `T`.
    pub e: Output,
    /// A tensor of `T`.
    pub v: Output,
}

/// A node of [`BatchSvd`](Ops::batch_svd) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchSvd<'a>(Node<'a>);

impl BatchSvd<'_> {
    /// If true, the singular vectors are computed as well. Default: `true`.
    pub fn compute_uv(mut self, compute_uv: bool) -> Self {
        self.0.set("compute_uv", compute_uv);
        self
    }

    /// If true, `u` and `v` are square. Default: `false`.
    pub fn full_matrices(mut self, full_matrices: bool) -> Self {
        self.0.set("full_matrices", full_matrices);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> BatchSvdOutputs {
        let mut outputs = self.0.outputs();
        BatchSvdOutputs { s: outputs.one(), u: outputs.one(), v: outputs.one() }
    }
}

/// The outputs of [`BatchSvd`](Ops::batch_svd).
#[derive(Clone, Copy, Debug)]
pub struct BatchSvdOutputs {
    /// A tensor of `T`.
    pub s: Output,
    /// A tensor of `T`.
    pub u: Output,
    /// A tensor of `T`.
    pub v: Output,
}

/// A node of [`Cholesky`](Ops::cholesky) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Cholesky<'a>(Node<'a>);

/// A node of [`CholeskyGrad`](Ops::cholesky_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CholeskyGrad<'a>(Node<'a>);

/// A node of [`Eig`](Ops::eig) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Eig<'a>(Node<'a>);

impl Eig<'_> {
    /// If true, eigenvectors are computed as well. Default: `true`.
    pub fn compute_v(mut self, compute_v: bool) -> Self {
        self.0.set("compute_v", compute_v);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> EigOutputs {
        let mut outputs = self.0.outputs();
        EigOutputs { e: outputs.one(), v: outputs.one() }
    }
}

/// The outputs of [`Eig`](Ops::eig).
#[derive(Clone, Copy, Debug)]
pub struct EigOutputs {
    /// A tensor of `Tout`.
    pub e: Output,
    /// A tensor of `Tout`.
    pub v: Output,
}

/// A node of [`Einsum`](Ops::einsum) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Einsum<'a>(Node<'a>);

/// A node of [`LogMatrixDeterminant`](Ops::log_matrix_determinant) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LogMatrixDeterminant<'a>(Node<'a>);

impl LogMatrixDeterminant<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> LogMatrixDeterminantOutputs {
        let mut outputs = self.0.outputs();
        LogMatrixDeterminantOutputs { sign: outputs.one(), log_abs_determinant: outputs.one() }
    }
}

/// The outputs of [`LogMatrixDeterminant`](Ops::log_matrix_determinant).
#[derive(Clone, Copy, Debug)]
pub struct LogMatrixDeterminantOutputs {
    /// A tensor of `T`.
    pub sign: Output,
    /// A tensor of `T`.
    pub log_abs_determinant: Output,
}

/// A node of [`Lu`](Ops::lu) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Lu<'a>(Node<'a>);

impl Lu<'_> {
    /// Element type of `p`. Allowed: int32, int64. Default: int32.
    pub fn output_idx_type(mut self, output_idx_type: DType) -> Self {
        self.0.set("output_idx_type", output_idx_type);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> LuOutputs {
        let mut outputs = self.0.outputs();
        LuOutputs { lu: outputs.one(), p: outputs.one() }
    }
}

/// The outputs of [`Lu`](Ops::lu).
#[derive(Clone, Copy, Debug)]
pub struct LuOutputs {
    /// A tensor of `T`.
    pub lu: Output,
    /// A tensor of `output_idx_type`.
    pub p: Output,
}

/// A node of [`MatMul`](Ops::mat_mul) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MatMul<'a>(Node<'a>);

impl MatMul<'_> {
    /// If true, `a` is transposed. Default: `false`.
    pub fn transpose_a(mut self, transpose_a: bool) -> Self {
        self.0.set("transpose_a", transpose_a);
        self
    }

    /// If true, `b` is transposed. Default: `false`.
    pub fn transpose_b(mut self, transpose_b: bool) -> Self {
        self.0.set("transpose_b", transpose_b);
        self
    }

    /// Whether `a` is a gradient; a hint without effect here. Default: `false`.
    pub fn grad_a(mut self, grad_a: bool) -> Self {
        self.0.set("grad_a", grad_a);
        self
    }

    /// Whether `b` is a gradient; a hint without effect here. Default: `false`.
    pub fn grad_b(mut self, grad_b: bool) -> Self {
        self.0.set("grad_b", grad_b);
        self
    }
}

/// A node of [`MatrixDeterminant`](Ops::matrix_determinant) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MatrixDeterminant<'a>(Node<'a>);

/// A node of [`MatrixExponential`](Ops::matrix_exponential) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MatrixExponential<'a>(Node<'a>);

/// A node of [`MatrixInverse`](Ops::matrix_inverse) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MatrixInverse<'a>(Node<'a>);

impl MatrixInverse<'_> {
    /// If true, returns the conjugate transposes of the inverses. Default: `false`.
    pub fn adjoint(mut self, adjoint: bool) -> Self {
        self.0.set("adjoint", adjoint);
        self
    }
}

/// A node of [`MatrixLogarithm`](Ops::matrix_logarithm) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MatrixLogarithm<'a>(Node<'a>);

/// A node of [`MatrixSolve`](Ops::matrix_solve) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MatrixSolve<'a>(Node<'a>);

impl MatrixSolve<'_> {
    /// If true, solves with the conjugate transpose. Default: `false`.
    pub fn adjoint(mut self, adjoint: bool) -> Self {
        self.0.set("adjoint", adjoint);
        self
    }
}

/// A node of [`MatrixSolveLs`](Ops::matrix_solve_ls) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MatrixSolveLs<'a>(Node<'a>);

impl MatrixSolveLs<'_> {
    /// If true, solves the normal equations, which requires matrices of full rank. Default: `true`.
    pub fn fast(mut self, fast: bool) -> Self {
        self.0.set("fast", fast);
        self
    }
}

/// A node of [`MatrixSquareRoot`](Ops::matrix_square_root) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MatrixSquareRoot<'a>(Node<'a>);

/// A node of [`MatrixTriangularSolve`](Ops::matrix_triangular_solve) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MatrixTriangularSolve<'a>(Node<'a>);

impl MatrixTriangularSolve<'_> {
    /// If true, the lower triangle is used, otherwise the upper one. Default: `true`.
    pub fn lower(mut self, lower: bool) -> Self {
        self.0.set("lower", lower);
        self
    }

    /// If true, solves with the conjugate transpose. Default: `false`.
    pub fn adjoint(mut self, adjoint: bool) -> Self {
        self.0.set("adjoint", adjoint);
        self
    }
}

/// A node of [`Qr`](Ops::qr) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Qr<'a>(Node<'a>);

impl Qr<'_> {
    /// If true, `q` is square. Default: `false`.
    pub fn full_matrices(mut self, full_matrices: bool) -> Self {
        self.0.set("full_matrices", full_matrices);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> QrOutputs {
        let mut outputs = self.0.outputs();
        QrOutputs { q: outputs.one(), r: outputs.one() }
    }
}

/// The outputs of [`Qr`](Ops::qr).
#[derive(Clone, Copy, Debug)]
pub struct QrOutputs {
    /// A tensor of `T`.
    pub q: Output,
    /// A tensor of `T`.
    pub r: Output,
}

/// A node of [`SelfAdjointEig`](Ops::self_adjoint_eig) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SelfAdjointEig<'a>(Node<'a>);

/// A node of [`SelfAdjointEigV2`](Ops::self_adjoint_eig_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SelfAdjointEigV2<'a>(Node<'a>);

impl SelfAdjointEigV2<'_> {
    /// If true, eigenvectors are computed as well. Default: `true`.
    pub fn compute_v(mut self, compute_v: bool) -> Self {
        self.0.set("compute_v", compute_v);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SelfAdjointEigV2Outputs {
        let mut outputs = self.0.outputs();
        SelfAdjointEigV2Outputs { e: outputs.one(), v: outputs.one() }
    }
}

/// The outputs of [`SelfAdjointEigV2`](Ops::self_adjoint_eig_v2).
#[derive(Clone, Copy, Debug)]
pub struct SelfAdjointEigV2Outputs {
    /// A tensor of `T`.
    pub e: Output,
    /// A tensor of `T`.
    pub v: Output,
}

/// A node of [`Svd`](Ops::svd) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Svd<'a>(Node<'a>);

impl Svd<'_> {
    /// If true, the singular vectors are computed as well. Default: `true`.
    pub fn compute_uv(mut self, compute_uv: bool) -> Self {
        self.0.set("compute_uv", compute_uv);
        self
    }

    /// If true, `u` and `v` are square. Default: `false`.
    pub fn full_matrices(mut self, full_matrices: bool) -> Self {
        self.0.set("full_matrices", full_matrices);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SvdOutputs {
        let mut outputs = self.0.outputs();
        SvdOutputs { s: outputs.one(), u: outputs.one(), v: outputs.one() }
    }
}

/// The outputs of [`Svd`](Ops::svd).
#[derive(Clone, Copy, Debug)]
pub struct SvdOutputs {
    /// A tensor of `T`.
    pub s: Output,
    /// A tensor of `T`.
    pub u: Output,
    /// A tensor of `T`.
    pub v: Output,
}

/// A node of [`TridiagonalMatMul`](Ops::tridiagonal_mat_mul) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TridiagonalMatMul<'a>(Node<'a>);

/// A node of [`TridiagonalSolve`](Ops::tridiagonal_solve) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TridiagonalSolve<'a>(Node<'a>);

impl TridiagonalSolve<'_> {
    /// If true, uses partial pivoting. Default: `true`.
    pub fn partial_pivoting(mut self, partial_pivoting: bool) -> Self {
        self.0.set("partial_pivoting", partial_pivoting);
        self
    }

    /// If true, perturbs pivots close to zero instead of returning NaN. Default: `false`.
    pub fn perturb_singular(mut self, perturb_singular: bool) -> Self {
        self.0.set("perturb_singular", perturb_singular);
        self
    }
}

/// A node of [`XlaSelfAdjointEig`](Ops::xla_self_adjoint_eig) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaSelfAdjointEig<'a>(Node<'a>);

impl XlaSelfAdjointEig<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> XlaSelfAdjointEigOutputs {
        let mut outputs = self.0.outputs();
        XlaSelfAdjointEigOutputs { w: outputs.one(), v: outputs.one() }
    }
}

/// The outputs of [`XlaSelfAdjointEig`](Ops::xla_self_adjoint_eig).
#[derive(Clone, Copy, Debug)]
pub struct XlaSelfAdjointEigOutputs {
    /// A tensor of `T`.
    pub w: Output,
    /// A tensor of `T`.
    pub v: Output,
}

/// A node of [`XlaSvd`](Ops::xla_svd) that is being described.
#[must_use = "it is no node before it is added"]
pub struct XlaSvd<'a>(Node<'a>);

impl XlaSvd<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> XlaSvdOutputs {
        let mut outputs = self.0.outputs();
        XlaSvdOutputs { s: outputs.one(), u: outputs.one(), v: outputs.one() }
    }
}

/// The outputs of [`XlaSvd`](Ops::xla_svd).
#[derive(Clone, Copy, Debug)]
pub struct XlaSvdOutputs {
    /// A tensor of `T`.
    pub s: Output,
    /// A tensor of `T`.
    pub u: Output,
    /// A tensor of `T`.
    pub v: Output,
}

common! {
    BandedTriangularSolve
    BatchCholesky
    BatchCholeskyGrad
    BatchMatMul
    BatchMatMulV2
    BatchMatMulV3
    BatchMatrixDeterminant
    BatchMatrixInverse
    BatchMatrixSolve
    BatchMatrixSolveLs
    BatchMatrixTriangularSolve
    BatchSelfAdjointEig
    BatchSelfAdjointEigV2
    BatchSvd
    Cholesky
    CholeskyGrad
    Eig
    Einsum
    LogMatrixDeterminant
    Lu
    MatMul
    MatrixDeterminant
    MatrixExponential
    MatrixInverse
    MatrixLogarithm
    MatrixSolve
    MatrixSolveLs
    MatrixSquareRoot
    MatrixTriangularSolve
    Qr
    SelfAdjointEig
    SelfAdjointEigV2
    Svd
    TridiagonalMatMul
    TridiagonalSolve
    XlaSelfAdjointEig
    XlaSvd
}

one_output! {
    BandedTriangularSolve
    BatchCholesky
    BatchCholeskyGrad
    BatchMatMul
    BatchMatMulV2
    BatchMatMulV3
    BatchMatrixDeterminant
    BatchMatrixInverse
    BatchMatrixSolve
    BatchMatrixSolveLs
    BatchMatrixTriangularSolve
    BatchSelfAdjointEig
    Cholesky
    CholeskyGrad
    Einsum
    MatMul
    MatrixDeterminant
    MatrixExponential
    MatrixInverse
    MatrixLogarithm
    MatrixSolve
    MatrixSolveLs
    MatrixSquareRoot
    MatrixTriangularSolve
    SelfAdjointEig
    TridiagonalMatMul
    TridiagonalSolve
}
