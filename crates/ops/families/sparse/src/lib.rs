//! Ops on sparse tensors, which consist of the indices `[n, rank]` of their elements, the values `[n]` and the dense
//! shape.

#[macro_use]
extern crate levada_ops_core;

use levada_graph::grad::{GradCx, Grads, V};
use levada_ops_core::{coo, hash, moves, prelude, rows, rules};

pub use serialize::encode;

mod groups;
mod matrices;

/// Gradients with respect to input `i` only, the values of a sparse tensor.
fn values_only(g: &GradCx, i: usize, grad: V<'_>) -> Grads {
    let mut grads = rules::never(g);
    grads[i] = grad.into();
    grads
}

family! {
    add = SPARSE_ADD, SPARSE_ADD_GRAD;
    concat = SPARSE_CONCAT;
    count = DENSE_COUNT_SPARSE_OUTPUT, RAGGED_COUNT_SPARSE_OUTPUT, SPARSE_COUNT_SPARSE_OUTPUT;
    cross = RAGGED_CROSS, SPARSE_CROSS, SPARSE_CROSS_HASHED, SPARSE_CROSS_V2;
    csr = CSR_SPARSE_MATRIX_COMPONENTS, CSR_SPARSE_MATRIX_TO_DENSE, CSR_SPARSE_MATRIX_TO_SPARSE_TENSOR, DENSE_TO_CSR_SPARSE_MATRIX,
        SPARSE_MATRIX_NNZ, SPARSE_MATRIX_ZEROS, SPARSE_TENSOR_TO_CSR_SPARSE_MATRIX;
    csr_arithmetic = LEVADA_SPARSE_MATRIX_PICK, SPARSE_MATRIX_ADD, SPARSE_MATRIX_MUL, SPARSE_MATRIX_SOFTMAX, SPARSE_MATRIX_SOFTMAX_GRAD,
        SPARSE_MATRIX_TRANSPOSE;
    csr_cholesky = SPARSE_MATRIX_ORDERING_AMD, SPARSE_MATRIX_SPARSE_CHOLESKY;
    csr_product = SPARSE_MATRIX_MAT_MUL, SPARSE_MATRIX_SPARSE_MAT_MUL;
    cwise = SPARSE_DENSE_CWISE_ADD, SPARSE_DENSE_CWISE_DIV, SPARSE_DENSE_CWISE_MUL;
    extremum = SPARSE_SPARSE_MAXIMUM, SPARSE_SPARSE_MINIMUM;
    fill_empty_rows = RAGGED_FILL_EMPTY_ROWS, SPARSE_FILL_EMPTY_ROWS, SPARSE_FILL_EMPTY_ROWS_GRAD;
    mat_mul = SPARSE_MAT_MUL;
    reduce = SPARSE_REDUCE_MAX, SPARSE_REDUCE_SUM;
    reorder = SPARSE_REORDER;
    reshape = SPARSE_RESHAPE;
    serialize = DESERIALIZE_MANY_SPARSE, DESERIALIZE_SPARSE, SERIALIZE_MANY_SPARSE, SERIALIZE_SPARSE;
    slice = SPARSE_SLICE, SPARSE_SLICE_GRAD;
    softmax = SPARSE_SOFTMAX;
    split = SPARSE_SPLIT;
    tensor_dense_add = SPARSE_TENSOR_DENSE_ADD;
    tensor_dense_mat_mul = SPARSE_TENSOR_DENSE_MAT_MUL;
    to_dense = SPARSE_TO_DENSE;
}
