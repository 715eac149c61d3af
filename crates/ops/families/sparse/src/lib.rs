//! Ops on sparse tensors: the indices `[n, rank]` of the elements that are there, their values `[n]` and the sizes of the
//! whole.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{coo, hash, moves, prelude, rows};

mod groups;

family! {
    add = SPARSE_ADD, SPARSE_ADD_GRAD;
    concat = SPARSE_CONCAT;
    count: DenseCountSparseOutput, RaggedCountSparseOutput, SparseCountSparseOutput;
    cross = SPARSE_CROSS, SPARSE_CROSS_HASHED, SPARSE_CROSS_V2;
    cwise: SparseDenseCwiseAdd, SparseDenseCwiseDiv, SparseDenseCwiseMul;
    extremum: SparseSparseMaximum, SparseSparseMinimum;
    fill_empty_rows: RaggedFillEmptyRowsGrad, SparseFillEmptyRowsGrad = RAGGED_FILL_EMPTY_ROWS, SPARSE_FILL_EMPTY_ROWS;
    mat_mul = SPARSE_MAT_MUL;
    reduce: SparseReduceMax, SparseReduceMaxSparse, SparseReduceSum, SparseReduceSumSparse;
    reorder = SPARSE_REORDER;
    reshape = SPARSE_RESHAPE;
    serialize: SerializeManySparse, SerializeSparse = DESERIALIZE_MANY_SPARSE, DESERIALIZE_SPARSE;
    slice = SPARSE_SLICE, SPARSE_SLICE_GRAD;
    softmax = SPARSE_SOFTMAX;
    split = SPARSE_SPLIT;
    tensor_dense_add = SPARSE_TENSOR_DENSE_ADD;
    tensor_dense_mat_mul = SPARSE_TENSOR_DENSE_MAT_MUL;
    to_dense = SPARSE_TO_DENSE;
}
