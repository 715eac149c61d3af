//! Ops on sparse tensors: the indices `[n, rank]` of the elements that are there, their values `[n]` and the sizes of the
//! whole.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{coo, hash, moves, prelude, rows};

mod groups;

family! {
    add: SparseAdd, SparseAddGrad;
    concat: SparseConcat;
    count: DenseCountSparseOutput, RaggedCountSparseOutput, SparseCountSparseOutput;
    cross: SparseCross, SparseCrossHashed, SparseCrossV2;
    cwise: SparseDenseCwiseAdd, SparseDenseCwiseDiv, SparseDenseCwiseMul;
    extremum: SparseSparseMaximum, SparseSparseMinimum;
    fill_empty_rows: RaggedFillEmptyRows, RaggedFillEmptyRowsGrad, SparseFillEmptyRows, SparseFillEmptyRowsGrad;
    mat_mul: SparseMatMul;
    reduce: SparseReduceMax, SparseReduceMaxSparse, SparseReduceSum, SparseReduceSumSparse;
    reorder: SparseReorder;
    reshape: SparseReshape;
    serialize: DeserializeManySparse, DeserializeSparse, SerializeManySparse, SerializeSparse;
    slice: SparseSlice, SparseSliceGrad;
    softmax: SparseSoftmax;
    split: SparseSplit;
    tensor_dense_add: SparseTensorDenseAdd;
    tensor_dense_mat_mul: SparseTensorDenseMatMul;
    to_dense: SparseToDense;
}
