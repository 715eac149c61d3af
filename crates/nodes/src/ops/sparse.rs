// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `sparse`.

use crate::node::{Input, Node, Ops, common, one_output, string};
use levada_graph::DType;
use levada_builder::Output;

impl Ops<'_> {
    /// Returns the row pointers, column indices and values of CSR matrix number `index` of a batch.
    ///
    /// - `csr_sparse_matrix`: a tensor of variant
    /// - `index`: a tensor of int32
    /// - `type_`: Element type. Allowed: float32, float64, complex64, complex128.
    ///
    /// It has no gradient.
    pub fn csr_sparse_matrix_components(&self, csr_sparse_matrix: impl Input, index: impl Input, type_: DType) -> CSRSparseMatrixComponents<'_> {
        let mut node = Node::new(self, "CSRSparseMatrixComponents").input(csr_sparse_matrix).input(index);
        node.set("type", type_);
        CSRSparseMatrixComponents(node)
    }

    /// Converts a CSR matrix to a dense tensor.
    ///
    /// - `sparse_input`: a tensor of variant
    /// - `type_`: Element type. Allowed: float32, float64, complex64, complex128.
    pub fn csr_sparse_matrix_to_dense(&self, sparse_input: impl Input, type_: DType) -> CSRSparseMatrixToDense<'_> {
        let mut node = Node::new(self, "CSRSparseMatrixToDense").input(sparse_input);
        node.set("type", type_);
        CSRSparseMatrixToDense(node)
    }

    /// Converts a CSR matrix to a sparse tensor.
    ///
    /// - `sparse_matrix`: a tensor of variant
    /// - `type_`: Element type. Allowed: float32, float64, complex64, complex128.
    pub fn csr_sparse_matrix_to_sparse_tensor(&self, sparse_matrix: impl Input, type_: DType) -> CSRSparseMatrixToSparseTensor<'_> {
        let mut node = Node::new(self, "CSRSparseMatrixToSparseTensor").input(sparse_matrix);
        node.set("type", type_);
        CSRSparseMatrixToSparseTensor(node)
    }

    /// Counts the occurrences of each value in a vector or in each row of a matrix.
    ///
    /// - `values`: a tensor of `T`
    /// - `weights`: a tensor of `output_type`
    /// - `binary_output`: Whether to return 1 for each value that occurs, instead of counts.
    ///
    /// `T` is int32, int64. `output_type` is float32, float64, int32, int64.
    ///
    /// It has no gradient.
    pub fn dense_count_sparse_output(&self, values: impl Input, weights: impl Input, binary_output: bool) -> DenseCountSparseOutput<'_> {
        let mut node = Node::new(self, "DenseCountSparseOutput").input(values).input(weights);
        node.set("binary_output", binary_output);
        DenseCountSparseOutput(node)
    }

    /// Returns a CSR matrix of the elements of `dense_input` at `indices`, which must be in row-major order.
    ///
    /// - `dense_input`: a tensor of `T`
    /// - `indices`: a tensor of int64
    ///
    /// `T` is float32, float64, complex64, complex128.
    pub fn dense_to_csr_sparse_matrix(&self, dense_input: impl Input, indices: impl Input) -> DenseToCSRSparseMatrix<'_> {
        DenseToCSRSparseMatrix(Node::new(self, "DenseToCSRSparseMatrix").input(dense_input).input(indices))
    }

    /// Deserializes the rows made by `SerializeManySparse` into one sparse tensor.
    ///
    /// - `serialized_sparse`: a tensor of string
    /// - `dtype`: Element type. Allowed: any dtype.
    ///
    /// It has no gradient.
    pub fn deserialize_many_sparse(&self, serialized_sparse: impl Input, dtype: DType) -> DeserializeManySparse<'_> {
        let mut node = Node::new(self, "DeserializeManySparse").input(serialized_sparse);
        node.set("dtype", dtype);
        DeserializeManySparse(node)
    }

    /// Deserializes sparse tensors made by `SerializeSparse`; all axes but the last become leading axes of the result.
    ///
    /// - `serialized_sparse`: a tensor of `Tserialized`
    /// - `dtype`: Element type. Allowed: any dtype.
    ///
    /// `Tserialized` is string, variant.
    ///
    /// It has no gradient.
    pub fn deserialize_sparse(&self, serialized_sparse: impl Input, dtype: DType) -> DeserializeSparse<'_> {
        let mut node = Node::new(self, "DeserializeSparse").input(serialized_sparse);
        node.set("dtype", dtype);
        DeserializeSparse(node)
    }

    /// Returns the elements of `input` at the positions of the elements of `pattern`; zero if `input` has none there.
    ///
    /// - `input`: a tensor of variant
    /// - `pattern`: a tensor of variant
    /// - `type_`: Element type. Allowed: float32, float64, complex64, complex128.
    pub fn levada_sparse_matrix_pick(&self, input: impl Input, pattern: impl Input, type_: DType) -> LevadaSparseMatrixPick<'_> {
        let mut node = Node::new(self, "LevadaSparseMatrixPick").input(input).input(pattern);
        node.set("type", type_);
        LevadaSparseMatrixPick(node)
    }

    /// Counts the occurrences of each value in each row of a ragged matrix.
    ///
    /// - `splits`: a tensor of int64
    /// - `values`: a tensor of `T`
    /// - `weights`: a tensor of `output_type`
    /// - `binary_output`: Whether to return 1 for each value that occurs, instead of counts.
    ///
    /// `T` is int32, int64. `output_type` is float32, float64, int32, int64.
    ///
    /// It has no gradient.
    pub fn ragged_count_sparse_output(&self, splits: impl Input, values: impl Input, weights: impl Input, binary_output: bool) -> RaggedCountSparseOutput<'_> {
        let mut node = Node::new(self, "RaggedCountSparseOutput").input(splits).input(values).input(weights);
        node.set("binary_output", binary_output);
        RaggedCountSparseOutput(node)
    }

    /// Returns every combination of one feature per column, row by row, as a ragged tensor; hashed if `hashed_output`.
    ///
    /// - `ragged_values`: any number of tensors of any dtypes
    /// - `ragged_row_splits`: any number of tensors of any dtypes
    /// - `sparse_indices`: any number of tensors of int64
    /// - `sparse_values`: any number of tensors of any dtypes
    /// - `sparse_shape`: any number of tensors of int64
    /// - `dense_inputs`: any number of tensors of any dtypes
    /// - `input_order`: Kind of each column in order: `R`, `S` or `D`.
    /// - `hashed_output`: Whether the output is hashes instead of strings.
    /// - `num_buckets`: Modulus of the hashes; 0 for the maximum int64. At least 0.
    /// - `hash_key`: Initial value of the hash.
    /// - `out_values_type`: Element type of the result. Allowed: string, int64.
    /// - `out_row_splits_type`: Element type of the result's row splits. Allowed: int32, int64.
    ///
    /// `ragged_values_types` is string, int64. `ragged_splits_types` is int32, int64. `sparse_values_types` is string, int64. `dense_types` is string, int64.
    ///
    /// It has no gradient.
    pub fn ragged_cross(&self, ragged_values: impl IntoIterator<Item = impl Input>, ragged_row_splits: impl IntoIterator<Item = impl Input>, sparse_indices: impl IntoIterator<Item = impl Input>, sparse_values: impl IntoIterator<Item = impl Input>, sparse_shape: impl IntoIterator<Item = impl Input>, dense_inputs: impl IntoIterator<Item = impl Input>, input_order: impl AsRef<[u8]>, hashed_output: bool, num_buckets: i64, hash_key: i64, out_values_type: DType, out_row_splits_type: DType) -> RaggedCross<'_> {
        let mut node = Node::new(self, "RaggedCross").list(ragged_values).list(ragged_row_splits).list(sparse_indices).list(sparse_values).list(sparse_shape).list(dense_inputs);
        node.set("input_order", string(input_order));
        node.set("hashed_output", hashed_output);
        node.set("num_buckets", num_buckets);
        node.set("hash_key", hash_key);
        node.set("out_values_type", out_values_type);
        node.set("out_row_splits_type", out_row_splits_type);
        RaggedCross(node)
    }

    /// Inserts `default_value` in every empty row of a ragged matrix.
    ///
    /// - `value_rowids`: a tensor of int64
    /// - `values`: a tensor of `T`
    /// - `nrows`: a tensor of int64
    /// - `default_value`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn ragged_fill_empty_rows(&self, value_rowids: impl Input, values: impl Input, nrows: impl Input, default_value: impl Input) -> RaggedFillEmptyRows<'_> {
        RaggedFillEmptyRows(Node::new(self, "RaggedFillEmptyRows").input(value_rowids).input(values).input(nrows).input(default_value))
    }

    /// Computes the gradients of `RaggedFillEmptyRows` with respect to the values and the default value.
    ///
    /// - `reverse_index_map`: a tensor of int64
    /// - `grad_values`: a tensor of `T`
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn ragged_fill_empty_rows_grad(&self, reverse_index_map: impl Input, grad_values: impl Input) -> RaggedFillEmptyRowsGrad<'_> {
        RaggedFillEmptyRowsGrad(Node::new(self, "RaggedFillEmptyRowsGrad").input(reverse_index_map).input(grad_values))
    }

    /// Serializes each row of a sparse tensor as three strings or variants.
    ///
    /// - `sparse_indices`: a tensor of int64
    /// - `sparse_values`: a tensor of `T`
    /// - `sparse_shape`: a tensor of int64
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn serialize_many_sparse(&self, sparse_indices: impl Input, sparse_values: impl Input, sparse_shape: impl Input) -> SerializeManySparse<'_> {
        SerializeManySparse(Node::new(self, "SerializeManySparse").input(sparse_indices).input(sparse_values).input(sparse_shape))
    }

    /// Serializes a sparse tensor as three strings or variants: its indices, values and shape.
    ///
    /// - `sparse_indices`: a tensor of int64
    /// - `sparse_values`: a tensor of `T`
    /// - `sparse_shape`: a tensor of int64
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn serialize_sparse(&self, sparse_indices: impl Input, sparse_values: impl Input, sparse_shape: impl Input) -> SerializeSparse<'_> {
        SerializeSparse(Node::new(self, "SerializeSparse").input(sparse_indices).input(sparse_values).input(sparse_shape))
    }

    /// Adds two sparse tensors. Sums of two elements that are less than `thresh` in magnitude are dropped.
    ///
    /// - `a_indices`: a tensor of int64
    /// - `a_values`: a tensor of `T`
    /// - `a_shape`: a tensor of int64
    /// - `b_indices`: a tensor of int64
    /// - `b_values`: a tensor of `T`
    /// - `b_shape`: a tensor of int64
    /// - `thresh`: a tensor of `Treal`
    ///
    /// `T` is any number, also quantized. `Treal` is any integer or float.
    pub fn sparse_add(&self, a_indices: impl Input, a_values: impl Input, a_shape: impl Input, b_indices: impl Input, b_values: impl Input, b_shape: impl Input, thresh: impl Input) -> SparseAdd<'_> {
        SparseAdd(Node::new(self, "SparseAdd").input(a_indices).input(a_values).input(a_shape).input(b_indices).input(b_values).input(b_shape).input(thresh))
    }

    /// Computes the gradients of `SparseAdd` with respect to the values of the operands.
    ///
    /// - `backprop_val_grad`: a tensor of `T`
    /// - `a_indices`: a tensor of int64
    /// - `b_indices`: a tensor of int64
    /// - `sum_indices`: a tensor of int64
    ///
    /// `T` is any number, also quantized.
    pub fn sparse_add_grad(&self, backprop_val_grad: impl Input, a_indices: impl Input, b_indices: impl Input, sum_indices: impl Input) -> SparseAddGrad<'_> {
        SparseAddGrad(Node::new(self, "SparseAddGrad").input(backprop_val_grad).input(a_indices).input(b_indices).input(sum_indices))
    }

    /// Concatenates sparse tensors along axis `concat_dim`. The elements of the result are in row-major order.
    ///
    /// - `indices`: any number of tensors of int64
    /// - `values`: any number of tensors of `T`
    /// - `shapes`: any number of tensors of int64
    /// - `concat_dim`: The axis; a negative one counts from the end.
    ///
    /// `T` is any dtype.
    pub fn sparse_concat(&self, indices: impl IntoIterator<Item = impl Input>, values: impl IntoIterator<Item = impl Input>, shapes: impl IntoIterator<Item = impl Input>, concat_dim: i64) -> SparseConcat<'_> {
        let mut node = Node::new(self, "SparseConcat").list(indices).list(values).list(shapes);
        node.set("concat_dim", concat_dim);
        SparseConcat(node)
    }

    /// Counts the occurrences of each value in a sparse vector or in each row of a sparse tensor.
    ///
    /// - `indices`: a tensor of int64
    /// - `values`: a tensor of `T`
    /// - `dense_shape`: a tensor of int64
    /// - `weights`: a tensor of `output_type`
    /// - `binary_output`: Whether to return 1 for each value that occurs, instead of counts.
    ///
    /// `T` is int32, int64. `output_type` is float32, float64, int32, int64.
    ///
    /// It has no gradient.
    pub fn sparse_count_sparse_output(&self, indices: impl Input, values: impl Input, dense_shape: impl Input, weights: impl Input, binary_output: bool) -> SparseCountSparseOutput<'_> {
        let mut node = Node::new(self, "SparseCountSparseOutput").input(indices).input(values).input(dense_shape).input(weights);
        node.set("binary_output", binary_output);
        SparseCountSparseOutput(node)
    }

    /// Returns every combination of one feature per column, row by row; hashed if `hashed_output`.
    ///
    /// - `indices`: any number of tensors of int64
    /// - `values`: any number of tensors of any dtypes
    /// - `shapes`: any number of tensors of int64
    /// - `dense_inputs`: any number of tensors of any dtypes
    /// - `hashed_output`: Whether the output is hashes instead of strings.
    /// - `num_buckets`: Modulus of the hashes; 0 for the maximum int64. At least 0.
    /// - `hash_key`: Initial value of the hash.
    /// - `out_type`: Element type of the result. Allowed: string, int64.
    /// - `internal_type`: Type that the features are converted to. Allowed: string, int64.
    ///
    /// `sparse_types` is string, int64. `dense_types` is string, int64.
    ///
    /// It has no gradient.
    pub fn sparse_cross(&self, indices: impl IntoIterator<Item = impl Input>, values: impl IntoIterator<Item = impl Input>, shapes: impl IntoIterator<Item = impl Input>, dense_inputs: impl IntoIterator<Item = impl Input>, hashed_output: bool, num_buckets: i64, hash_key: i64, out_type: DType, internal_type: DType) -> SparseCross<'_> {
        let mut node = Node::new(self, "SparseCross").list(indices).list(values).list(shapes).list(dense_inputs);
        node.set("hashed_output", hashed_output);
        node.set("num_buckets", num_buckets);
        node.set("hash_key", hash_key);
        node.set("out_type", out_type);
        node.set("internal_type", internal_type);
        SparseCross(node)
    }

    /// Returns every combination of one feature per column, row by row, hashed.
    ///
    /// - `indices`: any number of tensors of int64
    /// - `values`: any number of tensors of any dtypes
    /// - `shapes`: any number of tensors of int64
    /// - `dense_inputs`: any number of tensors of any dtypes
    /// - `num_buckets`: a tensor of int64
    /// - `strong_hash`: a tensor of bool
    /// - `salt`: a tensor of int64
    ///
    /// `sparse_types` is string, int64. `dense_types` is string, int64.
    ///
    /// It has no gradient.
    pub fn sparse_cross_hashed(&self, indices: impl IntoIterator<Item = impl Input>, values: impl IntoIterator<Item = impl Input>, shapes: impl IntoIterator<Item = impl Input>, dense_inputs: impl IntoIterator<Item = impl Input>, num_buckets: impl Input, strong_hash: impl Input, salt: impl Input) -> SparseCrossHashed<'_> {
        SparseCrossHashed(Node::new(self, "SparseCrossHashed").list(indices).list(values).list(shapes).list(dense_inputs).input(num_buckets).input(strong_hash).input(salt))
    }

    /// Returns every combination of one feature per column, row by row, joined with the separator `sep`.
    ///
    /// - `indices`: any number of tensors of int64
    /// - `values`: any number of tensors of any dtypes
    /// - `shapes`: any number of tensors of int64
    /// - `dense_inputs`: any number of tensors of any dtypes
    /// - `sep`: a tensor of string
    ///
    /// `sparse_types` is string, int64. `dense_types` is string, int64.
    ///
    /// It has no gradient.
    pub fn sparse_cross_v2(&self, indices: impl IntoIterator<Item = impl Input>, values: impl IntoIterator<Item = impl Input>, shapes: impl IntoIterator<Item = impl Input>, dense_inputs: impl IntoIterator<Item = impl Input>, sep: impl Input) -> SparseCrossV2<'_> {
        SparseCrossV2(Node::new(self, "SparseCrossV2").list(indices).list(values).list(shapes).list(dense_inputs).input(sep))
    }

    /// Adds the elements of `dense` to the values of a sparse tensor at the same positions. Other positions stay empty.
    ///
    /// - `sp_indices`: a tensor of int64
    /// - `sp_values`: a tensor of `T`
    /// - `sp_shape`: a tensor of int64
    /// - `dense`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn sparse_dense_cwise_add(&self, sp_indices: impl Input, sp_values: impl Input, sp_shape: impl Input, dense: impl Input) -> SparseDenseCwiseAdd<'_> {
        SparseDenseCwiseAdd(Node::new(self, "SparseDenseCwiseAdd").input(sp_indices).input(sp_values).input(sp_shape).input(dense))
    }

    /// Divides the values of a sparse tensor by the elements of `dense` at the same positions.
    ///
    /// - `sp_indices`: a tensor of int64
    /// - `sp_values`: a tensor of `T`
    /// - `sp_shape`: a tensor of int64
    /// - `dense`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn sparse_dense_cwise_div(&self, sp_indices: impl Input, sp_values: impl Input, sp_shape: impl Input, dense: impl Input) -> SparseDenseCwiseDiv<'_> {
        SparseDenseCwiseDiv(Node::new(self, "SparseDenseCwiseDiv").input(sp_indices).input(sp_values).input(sp_shape).input(dense))
    }

    /// Multiplies the values of a sparse tensor by the elements of `dense` at the same positions.
    ///
    /// - `sp_indices`: a tensor of int64
    /// - `sp_values`: a tensor of `T`
    /// - `sp_shape`: a tensor of int64
    /// - `dense`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn sparse_dense_cwise_mul(&self, sp_indices: impl Input, sp_values: impl Input, sp_shape: impl Input, dense: impl Input) -> SparseDenseCwiseMul<'_> {
        SparseDenseCwiseMul(Node::new(self, "SparseDenseCwiseMul").input(sp_indices).input(sp_values).input(sp_shape).input(dense))
    }

    /// Inserts `default_value` at the start of every empty row of a sparse tensor.
    ///
    /// - `indices`: a tensor of int64
    /// - `values`: a tensor of `T`
    /// - `dense_shape`: a tensor of int64
    /// - `default_value`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn sparse_fill_empty_rows(&self, indices: impl Input, values: impl Input, dense_shape: impl Input, default_value: impl Input) -> SparseFillEmptyRows<'_> {
        SparseFillEmptyRows(Node::new(self, "SparseFillEmptyRows").input(indices).input(values).input(dense_shape).input(default_value))
    }

    /// Computes the gradients of `SparseFillEmptyRows` with respect to the values and the default value.
    ///
    /// - `reverse_index_map`: a tensor of int64
    /// - `grad_values`: a tensor of `T`
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn sparse_fill_empty_rows_grad(&self, reverse_index_map: impl Input, grad_values: impl Input) -> SparseFillEmptyRowsGrad<'_> {
        SparseFillEmptyRowsGrad(Node::new(self, "SparseFillEmptyRowsGrad").input(reverse_index_map).input(grad_values))
    }

    /// Multiplies two dense matrices; hints tell which of them contain many zeros.
    ///
    /// - `a`: a tensor of `Ta`
    /// - `b`: a tensor of `Tb`
    ///
    /// `Ta` is float32, bfloat16. `Tb` is float32, bfloat16.
    pub fn sparse_mat_mul(&self, a: impl Input, b: impl Input) -> SparseMatMul<'_> {
        SparseMatMul(Node::new(self, "SparseMatMul").input(a).input(b))
    }

    /// Returns `alpha` times one CSR matrix plus `beta` times another.
    ///
    /// - `a`: a tensor of variant
    /// - `b`: a tensor of variant
    /// - `alpha`: a tensor of `T`
    /// - `beta`: a tensor of `T`
    ///
    /// `T` is float32, float64, complex64, complex128.
    pub fn sparse_matrix_add(&self, a: impl Input, b: impl Input, alpha: impl Input, beta: impl Input) -> SparseMatrixAdd<'_> {
        SparseMatrixAdd(Node::new(self, "SparseMatrixAdd").input(a).input(b).input(alpha).input(beta))
    }

    /// Multiplies a CSR matrix by a dense matrix, or the matrices of two batches.
    ///
    /// - `a`: a tensor of variant
    /// - `b`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn sparse_matrix_mat_mul(&self, a: impl Input, b: impl Input) -> SparseMatrixMatMul<'_> {
        SparseMatrixMatMul(Node::new(self, "SparseMatrixMatMul").input(a).input(b))
    }

    /// Multiplies the CSR matrix `a` by the scalar `b`, or each matrix of the batch `a` by one of the elements of `b`, of shape `[batch, 1, 1]`.
    ///
    /// - `a`: a tensor of variant
    /// - `b`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn sparse_matrix_mul(&self, a: impl Input, b: impl Input) -> SparseMatrixMul<'_> {
        SparseMatrixMul(Node::new(self, "SparseMatrixMul").input(a).input(b))
    }

    /// Returns the number of stored elements of a CSR matrix, or of each matrix of a batch.
    ///
    /// - `sparse_matrix`: a tensor of variant
    pub fn sparse_matrix_nnz(&self, sparse_matrix: impl Input) -> SparseMatrixNNZ<'_> {
        SparseMatrixNNZ(Node::new(self, "SparseMatrixNNZ").input(sparse_matrix))
    }

    /// Computes a fill-reducing ordering of a symmetric CSR matrix, or of each matrix of a batch, by minimum degree: each step eliminates a row with the fewest neighbors.
    ///
    /// - `input`: a tensor of variant
    ///
    /// It has no gradient.
    pub fn sparse_matrix_ordering_amd(&self, input: impl Input) -> SparseMatrixOrderingAMD<'_> {
        SparseMatrixOrderingAMD(Node::new(self, "SparseMatrixOrderingAMD").input(input))
    }

    /// Computes softmax over the stored elements of each row of a CSR matrix.
    ///
    /// - `logits`: a tensor of variant
    /// - `type_`: Element type. Allowed: float32, float64.
    pub fn sparse_matrix_softmax(&self, logits: impl Input, type_: DType) -> SparseMatrixSoftmax<'_> {
        let mut node = Node::new(self, "SparseMatrixSoftmax").input(logits);
        node.set("type", type_);
        SparseMatrixSoftmax(node)
    }

    /// Computes the gradient of `SparseMatrixSoftmax`.
    ///
    /// - `softmax`: a tensor of variant
    /// - `grad_softmax`: a tensor of variant
    /// - `type_`: Element type. Allowed: float32, float64.
    ///
    /// It has no gradient.
    pub fn sparse_matrix_softmax_grad(&self, softmax: impl Input, grad_softmax: impl Input, type_: DType) -> SparseMatrixSoftmaxGrad<'_> {
        let mut node = Node::new(self, "SparseMatrixSoftmaxGrad").input(softmax).input(grad_softmax);
        node.set("type", type_);
        SparseMatrixSoftmaxGrad(node)
    }

    /// Computes the lower triangular Cholesky factor of a positive definite CSR matrix with its rows and columns permuted by `permutation`, or of each matrix of a batch.
    ///
    /// - `input`: a tensor of variant
    /// - `permutation`: a tensor of int32
    /// - `type_`: Element type. Allowed: float32, float64, complex64, complex128.
    ///
    /// It has no gradient.
    pub fn sparse_matrix_sparse_cholesky(&self, input: impl Input, permutation: impl Input, type_: DType) -> SparseMatrixSparseCholesky<'_> {
        let mut node = Node::new(self, "SparseMatrixSparseCholesky").input(input).input(permutation);
        node.set("type", type_);
        SparseMatrixSparseCholesky(node)
    }

    /// Multiplies two CSR matrices, or the matrices of two batches.
    ///
    /// - `a`: a tensor of variant
    /// - `b`: a tensor of variant
    /// - `type_`: Element type. Allowed: float32, float64, complex64, complex128.
    pub fn sparse_matrix_sparse_mat_mul(&self, a: impl Input, b: impl Input, type_: DType) -> SparseMatrixSparseMatMul<'_> {
        let mut node = Node::new(self, "SparseMatrixSparseMatMul").input(a).input(b);
        node.set("type", type_);
        SparseMatrixSparseMatMul(node)
    }

    /// Transposes a CSR matrix, or each matrix of a batch.
    ///
    /// - `input`: a tensor of variant
    /// - `type_`: Element type. Allowed: float32, float64, complex64, complex128.
    pub fn sparse_matrix_transpose(&self, input: impl Input, type_: DType) -> SparseMatrixTranspose<'_> {
        let mut node = Node::new(self, "SparseMatrixTranspose").input(input);
        node.set("type", type_);
        SparseMatrixTranspose(node)
    }

    /// Returns a CSR matrix, or a batch of them, without elements.
    ///
    /// - `dense_shape`: a tensor of int64
    /// - `type_`: Element type. Allowed: float32, float64, complex64, complex128.
    pub fn sparse_matrix_zeros(&self, dense_shape: impl Input, type_: DType) -> SparseMatrixZeros<'_> {
        let mut node = Node::new(self, "SparseMatrixZeros").input(dense_shape);
        node.set("type", type_);
        SparseMatrixZeros(node)
    }

    /// Returns the maximum of the stored elements along axes; 0 if there are none.
    ///
    /// - `input_indices`: a tensor of int64
    /// - `input_values`: a tensor of `T`
    /// - `input_shape`: a tensor of int64
    /// - `reduction_axes`: a tensor of int32
    ///
    /// `T` is any integer or float.
    ///
    /// It has no gradient.
    pub fn sparse_reduce_max(&self, input_indices: impl Input, input_values: impl Input, input_shape: impl Input, reduction_axes: impl Input) -> SparseReduceMax<'_> {
        SparseReduceMax(Node::new(self, "SparseReduceMax").input(input_indices).input(input_values).input(input_shape).input(reduction_axes))
    }

    /// Returns the maximum of the stored elements along axes, as a sparse tensor.
    ///
    /// - `input_indices`: a tensor of int64
    /// - `input_values`: a tensor of `T`
    /// - `input_shape`: a tensor of int64
    /// - `reduction_axes`: a tensor of int32
    ///
    /// `T` is any integer or float.
    ///
    /// It has no gradient.
    pub fn sparse_reduce_max_sparse(&self, input_indices: impl Input, input_values: impl Input, input_shape: impl Input, reduction_axes: impl Input) -> SparseReduceMaxSparse<'_> {
        SparseReduceMaxSparse(Node::new(self, "SparseReduceMaxSparse").input(input_indices).input(input_values).input(input_shape).input(reduction_axes))
    }

    /// Returns the sum of the elements along axes.
    ///
    /// - `input_indices`: a tensor of int64
    /// - `input_values`: a tensor of `T`
    /// - `input_shape`: a tensor of int64
    /// - `reduction_axes`: a tensor of int32
    ///
    /// `T` is any number, also quantized.
    pub fn sparse_reduce_sum(&self, input_indices: impl Input, input_values: impl Input, input_shape: impl Input, reduction_axes: impl Input) -> SparseReduceSum<'_> {
        SparseReduceSum(Node::new(self, "SparseReduceSum").input(input_indices).input(input_values).input(input_shape).input(reduction_axes))
    }

    /// Returns the sum of the elements along axes, as a sparse tensor.
    ///
    /// - `input_indices`: a tensor of int64
    /// - `input_values`: a tensor of `T`
    /// - `input_shape`: a tensor of int64
    /// - `reduction_axes`: a tensor of int32
    ///
    /// `T` is any number, also quantized.
    ///
    /// It has no gradient.
    pub fn sparse_reduce_sum_sparse(&self, input_indices: impl Input, input_values: impl Input, input_shape: impl Input, reduction_axes: impl Input) -> SparseReduceSumSparse<'_> {
        SparseReduceSumSparse(Node::new(self, "SparseReduceSumSparse").input(input_indices).input(input_values).input(input_shape).input(reduction_axes))
    }

    /// Reorders the elements of a sparse tensor into row-major order.
    ///
    /// - `input_indices`: a tensor of int64
    /// - `input_values`: a tensor of `T`
    /// - `input_shape`: a tensor of int64
    ///
    /// `T` is any dtype.
    pub fn sparse_reorder(&self, input_indices: impl Input, input_values: impl Input, input_shape: impl Input) -> SparseReorder<'_> {
        SparseReorder(Node::new(self, "SparseReorder").input(input_indices).input(input_values).input(input_shape))
    }

    /// Returns the indices of the elements of a sparse tensor reshaped to `new_shape`, in which one size may be -1.
    ///
    /// - `input_indices`: a tensor of int64
    /// - `input_shape`: a tensor of int64
    /// - `new_shape`: a tensor of int64
    ///
    /// It has no gradient.
    pub fn sparse_reshape(&self, input_indices: impl Input, input_shape: impl Input, new_shape: impl Input) -> SparseReshape<'_> {
        SparseReshape(Node::new(self, "SparseReshape").input(input_indices).input(input_shape).input(new_shape))
    }

    /// Returns the slice of a sparse tensor that begins at `start` and has size `size`, clipped to the tensor.
    ///
    /// - `indices`: a tensor of int64
    /// - `values`: a tensor of `T`
    /// - `shape`: a tensor of int64
    /// - `start`: a tensor of int64
    /// - `size`: a tensor of int64
    ///
    /// `T` is any dtype.
    pub fn sparse_slice(&self, indices: impl Input, values: impl Input, shape: impl Input, start: impl Input, size: impl Input) -> SparseSlice<'_> {
        SparseSlice(Node::new(self, "SparseSlice").input(indices).input(values).input(shape).input(start).input(size))
    }

    /// Computes the gradient of `SparseSlice` with respect to the values of the input.
    ///
    /// - `backprop_val_grad`: a tensor of `T`
    /// - `input_indices`: a tensor of int64
    /// - `input_start`: a tensor of int64
    /// - `output_indices`: a tensor of int64
    ///
    /// `T` is any number, also quantized.
    ///
    /// It has no gradient.
    pub fn sparse_slice_grad(&self, backprop_val_grad: impl Input, input_indices: impl Input, input_start: impl Input, output_indices: impl Input) -> SparseSliceGrad<'_> {
        SparseSliceGrad(Node::new(self, "SparseSliceGrad").input(backprop_val_grad).input(input_indices).input(input_start).input(output_indices))
    }

    /// Computes softmax along the last axis over the stored elements.
    ///
    /// - `sp_indices`: a tensor of int64
    /// - `sp_values`: a tensor of `T`
    /// - `sp_shape`: a tensor of int64
    ///
    /// `T` is float32, float64, float16.
    pub fn sparse_softmax(&self, sp_indices: impl Input, sp_values: impl Input, sp_shape: impl Input) -> SparseSoftmax<'_> {
        SparseSoftmax(Node::new(self, "SparseSoftmax").input(sp_indices).input(sp_values).input(sp_shape))
    }

    /// Returns the element-wise maximum of two sparse tensors; missing elements count as 0.
    ///
    /// - `a_indices`: a tensor of int64
    /// - `a_values`: a tensor of `T`
    /// - `a_shape`: a tensor of int64
    /// - `b_indices`: a tensor of int64
    /// - `b_values`: a tensor of `T`
    /// - `b_shape`: a tensor of int64
    ///
    /// `T` is any integer or float.
    ///
    /// It has no gradient.
    pub fn sparse_sparse_maximum(&self, a_indices: impl Input, a_values: impl Input, a_shape: impl Input, b_indices: impl Input, b_values: impl Input, b_shape: impl Input) -> SparseSparseMaximum<'_> {
        SparseSparseMaximum(Node::new(self, "SparseSparseMaximum").input(a_indices).input(a_values).input(a_shape).input(b_indices).input(b_values).input(b_shape))
    }

    /// Returns the element-wise minimum of two sparse tensors; missing elements count as 0.
    ///
    /// - `a_indices`: a tensor of int64
    /// - `a_values`: a tensor of `T`
    /// - `a_shape`: a tensor of int64
    /// - `b_indices`: a tensor of int64
    /// - `b_values`: a tensor of `T`
    /// - `b_shape`: a tensor of int64
    ///
    /// `T` is any integer or float.
    ///
    /// It has no gradient.
    pub fn sparse_sparse_minimum(&self, a_indices: impl Input, a_values: impl Input, a_shape: impl Input, b_indices: impl Input, b_values: impl Input, b_shape: impl Input) -> SparseSparseMinimum<'_> {
        SparseSparseMinimum(Node::new(self, "SparseSparseMinimum").input(a_indices).input(a_values).input(a_shape).input(b_indices).input(b_values).input(b_shape))
    }

    /// Splits a sparse tensor into `num_split` parts along axis `split_dim`; if the split is uneven, the first parts are one larger.
    ///
    /// - `split_dim`: a tensor of int64
    /// - `indices`: a tensor of int64
    /// - `values`: a tensor of `T`
    /// - `shape`: a tensor of int64
    /// - `num_split`: Number of parts. At least 1.
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn sparse_split(&self, split_dim: impl Input, indices: impl Input, values: impl Input, shape: impl Input, num_split: i64) -> SparseSplit<'_> {
        let mut node = Node::new(self, "SparseSplit").input(split_dim).input(indices).input(values).input(shape);
        node.set("num_split", num_split);
        SparseSplit(node)
    }

    /// Returns the sum of a sparse tensor and a dense one of the same shape.
    ///
    /// - `a_indices`: a tensor of `Tindices`
    /// - `a_values`: a tensor of `T`
    /// - `a_shape`: a tensor of `Tindices`
    /// - `b`: a tensor of `T`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn sparse_tensor_dense_add(&self, a_indices: impl Input, a_values: impl Input, a_shape: impl Input, b: impl Input) -> SparseTensorDenseAdd<'_> {
        SparseTensorDenseAdd(Node::new(self, "SparseTensorDenseAdd").input(a_indices).input(a_values).input(a_shape).input(b))
    }

    /// Multiplies a sparse matrix by a dense one.
    ///
    /// - `a_indices`: a tensor of `Tindices`
    /// - `a_values`: a tensor of `T`
    /// - `a_shape`: a tensor of int64
    /// - `b`: a tensor of `T`
    ///
    /// `T` is any dtype. `Tindices` is int32, int64.
    pub fn sparse_tensor_dense_mat_mul(&self, a_indices: impl Input, a_values: impl Input, a_shape: impl Input, b: impl Input) -> SparseTensorDenseMatMul<'_> {
        SparseTensorDenseMatMul(Node::new(self, "SparseTensorDenseMatMul").input(a_indices).input(a_values).input(a_shape).input(b))
    }

    /// Converts a sparse tensor of rank 2, or of rank 3 for a batch, to a CSR matrix. Its elements must be in row-major order.
    ///
    /// - `indices`: a tensor of int64
    /// - `values`: a tensor of `T`
    /// - `dense_shape`: a tensor of int64
    ///
    /// `T` is float32, float64, complex64, complex128.
    pub fn sparse_tensor_to_csr_sparse_matrix(&self, indices: impl Input, values: impl Input, dense_shape: impl Input) -> SparseTensorToCSRSparseMatrix<'_> {
        SparseTensorToCSRSparseMatrix(Node::new(self, "SparseTensorToCSRSparseMatrix").input(indices).input(values).input(dense_shape))
    }

    /// Returns a tensor filled with `default_value` that holds `sparse_values` at `sparse_indices`; for duplicate indices, the last value wins.
    ///
    /// - `sparse_indices`: a tensor of `Tindices`
    /// - `output_shape`: a tensor of `Tindices`
    /// - `sparse_values`: a tensor of `T`
    /// - `default_value`: a tensor of `T`
    ///
    /// `T` is any dtype. `Tindices` is int32, int64.
    pub fn sparse_to_dense(&self, sparse_indices: impl Input, output_shape: impl Input, sparse_values: impl Input, default_value: impl Input) -> SparseToDense<'_> {
        SparseToDense(Node::new(self, "SparseToDense").input(sparse_indices).input(output_shape).input(sparse_values).input(default_value))
    }
}

/// A node of [`CSRSparseMatrixComponents`](Ops::csr_sparse_matrix_components) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CSRSparseMatrixComponents<'a>(Node<'a>);

impl CSRSparseMatrixComponents<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> CSRSparseMatrixComponentsOutputs {
        let mut outputs = self.0.outputs();
        CSRSparseMatrixComponentsOutputs { row_ptrs: outputs.one(), col_inds: outputs.one(), values: outputs.one() }
    }
}

/// The outputs of [`CSRSparseMatrixComponents`](Ops::csr_sparse_matrix_components).
#[derive(Clone, Copy, Debug)]
pub struct CSRSparseMatrixComponentsOutputs {
    /// A tensor of int32.
    pub row_ptrs: Output,
    /// A tensor of int32.
    pub col_inds: Output,
    /// A tensor of `type`.
    pub values: Output,
}

/// A node of [`CSRSparseMatrixToDense`](Ops::csr_sparse_matrix_to_dense) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CSRSparseMatrixToDense<'a>(Node<'a>);

/// A node of [`CSRSparseMatrixToSparseTensor`](Ops::csr_sparse_matrix_to_sparse_tensor) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CSRSparseMatrixToSparseTensor<'a>(Node<'a>);

impl CSRSparseMatrixToSparseTensor<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> CSRSparseMatrixToSparseTensorOutputs {
        let mut outputs = self.0.outputs();
        CSRSparseMatrixToSparseTensorOutputs { indices: outputs.one(), values: outputs.one(), dense_shape: outputs.one() }
    }
}

/// The outputs of [`CSRSparseMatrixToSparseTensor`](Ops::csr_sparse_matrix_to_sparse_tensor).
#[derive(Clone, Copy, Debug)]
pub struct CSRSparseMatrixToSparseTensorOutputs {
    /// A tensor of int64.
    pub indices: Output,
    /// A tensor of `type`.
    pub values: Output,
    /// A tensor of int64.
    pub dense_shape: Output,
}

/// A node of [`DenseCountSparseOutput`](Ops::dense_count_sparse_output) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DenseCountSparseOutput<'a>(Node<'a>);

impl DenseCountSparseOutput<'_> {
    /// Minimum size of a row of the result; -1 for no minimum. At least -1. Default: `-1`.
    pub fn minlength(mut self, minlength: i64) -> Self {
        self.0.set("minlength", minlength);
        self
    }

    /// Maximum size of a row of the result, larger values are not counted; -1 for no maximum. At least -1. Default: `-1`.
    pub fn maxlength(mut self, maxlength: i64) -> Self {
        self.0.set("maxlength", maxlength);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> DenseCountSparseOutputOutputs {
        let mut outputs = self.0.outputs();
        DenseCountSparseOutputOutputs { output_indices: outputs.one(), output_values: outputs.one(), output_dense_shape: outputs.one() }
    }
}

/// The outputs of [`DenseCountSparseOutput`](Ops::dense_count_sparse_output).
#[derive(Clone, Copy, Debug)]
pub struct DenseCountSparseOutputOutputs {
    /// A tensor of int64.
    pub output_indices: Output,
    /// A tensor of `output_type`.
    pub output_values: Output,
    /// A tensor of int64.
    pub output_dense_shape: Output,
}

/// A node of [`DenseToCSRSparseMatrix`](Ops::dense_to_csr_sparse_matrix) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DenseToCSRSparseMatrix<'a>(Node<'a>);

/// A node of [`DeserializeManySparse`](Ops::deserialize_many_sparse) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DeserializeManySparse<'a>(Node<'a>);

impl DeserializeManySparse<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> DeserializeManySparseOutputs {
        let mut outputs = self.0.outputs();
        DeserializeManySparseOutputs { sparse_indices: outputs.one(), sparse_values: outputs.one(), sparse_shape: outputs.one() }
    }
}

/// The outputs of [`DeserializeManySparse`](Ops::deserialize_many_sparse).
#[derive(Clone, Copy, Debug)]
pub struct DeserializeManySparseOutputs {
    /// A tensor of int64.
    pub sparse_indices: Output,
    /// A tensor of `dtype`.
    pub sparse_values: Output,
    /// A tensor of int64.
    pub sparse_shape: Output,
}

/// A node of [`DeserializeSparse`](Ops::deserialize_sparse) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DeserializeSparse<'a>(Node<'a>);

impl DeserializeSparse<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> DeserializeSparseOutputs {
        let mut outputs = self.0.outputs();
        DeserializeSparseOutputs { sparse_indices: outputs.one(), sparse_values: outputs.one(), sparse_shape: outputs.one() }
    }
}

/// The outputs of [`DeserializeSparse`](Ops::deserialize_sparse).
#[derive(Clone, Copy, Debug)]
pub struct DeserializeSparseOutputs {
    /// A tensor of int64.
    pub sparse_indices: Output,
    /// A tensor of `dtype`.
    pub sparse_values: Output,
    /// A tensor of int64.
    pub sparse_shape: Output,
}

/// A node of [`LevadaSparseMatrixPick`](Ops::levada_sparse_matrix_pick) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LevadaSparseMatrixPick<'a>(Node<'a>);

/// A node of [`RaggedCountSparseOutput`](Ops::ragged_count_sparse_output) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RaggedCountSparseOutput<'a>(Node<'a>);

impl RaggedCountSparseOutput<'_> {
    /// Minimum size of a row of the result; -1 for no minimum. At least -1. Default: `-1`.
    pub fn minlength(mut self, minlength: i64) -> Self {
        self.0.set("minlength", minlength);
        self
    }

    /// Maximum size of a row of the result, larger values are not counted; -1 for no maximum. At least -1. Default: `-1`.
    pub fn maxlength(mut self, maxlength: i64) -> Self {
        self.0.set("maxlength", maxlength);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> RaggedCountSparseOutputOutputs {
        let mut outputs = self.0.outputs();
        RaggedCountSparseOutputOutputs { output_indices: outputs.one(), output_values: outputs.one(), output_dense_shape: outputs.one() }
    }
}

/// The outputs of [`RaggedCountSparseOutput`](Ops::ragged_count_sparse_output).
#[derive(Clone, Copy, Debug)]
pub struct RaggedCountSparseOutputOutputs {
    /// A tensor of int64.
    pub output_indices: Output,
    /// A tensor of `output_type`.
    pub output_values: Output,
    /// A tensor of int64.
    pub output_dense_shape: Output,
}

/// A node of [`RaggedCross`](Ops::ragged_cross) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RaggedCross<'a>(Node<'a>);

impl RaggedCross<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> RaggedCrossOutputs {
        let mut outputs = self.0.outputs();
        RaggedCrossOutputs { output_values: outputs.one(), output_row_splits: outputs.one() }
    }
}

/// The outputs of [`RaggedCross`](Ops::ragged_cross).
#[derive(Clone, Copy, Debug)]
pub struct RaggedCrossOutputs {
    /// A tensor of `out_values_type`.
    pub output_values: Output,
    /// A tensor of `out_row_splits_type`.
    pub output_row_splits: Output,
}

/// A node of [`RaggedFillEmptyRows`](Ops::ragged_fill_empty_rows) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RaggedFillEmptyRows<'a>(Node<'a>);

impl RaggedFillEmptyRows<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> RaggedFillEmptyRowsOutputs {
        let mut outputs = self.0.outputs();
        RaggedFillEmptyRowsOutputs { output_value_rowids: outputs.one(), output_values: outputs.one(), empty_row_indicator: outputs.one(), reverse_index_map: outputs.one() }
    }
}

/// The outputs of [`RaggedFillEmptyRows`](Ops::ragged_fill_empty_rows).
#[derive(Clone, Copy, Debug)]
pub struct RaggedFillEmptyRowsOutputs {
    /// A tensor of int64.
    pub output_value_rowids: Output,
    /// A tensor of `T`.
    pub output_values: Output,
    /// A tensor of bool.
    pub empty_row_indicator: Output,
    /// A tensor of int64.
    pub reverse_index_map: Output,
}

/// A node of [`RaggedFillEmptyRowsGrad`](Ops::ragged_fill_empty_rows_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RaggedFillEmptyRowsGrad<'a>(Node<'a>);

impl RaggedFillEmptyRowsGrad<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> RaggedFillEmptyRowsGradOutputs {
        let mut outputs = self.0.outputs();
        RaggedFillEmptyRowsGradOutputs { d_values: outputs.one(), d_default_value: outputs.one() }
    }
}

/// The outputs of [`RaggedFillEmptyRowsGrad`](Ops::ragged_fill_empty_rows_grad).
#[derive(Clone, Copy, Debug)]
pub struct RaggedFillEmptyRowsGradOutputs {
    /// A tensor of `T`.
    pub d_values: Output,
    /// A tensor of `T`.
    pub d_default_value: Output,
}

/// A node of [`SerializeManySparse`](Ops::serialize_many_sparse) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SerializeManySparse<'a>(Node<'a>);

impl SerializeManySparse<'_> {
    /// Output type: string or variant. Allowed: string, variant. Default: string.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }
}

/// A node of [`SerializeSparse`](Ops::serialize_sparse) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SerializeSparse<'a>(Node<'a>);

impl SerializeSparse<'_> {
    /// Output type: string or variant. Allowed: string, variant. Default: string.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }
}

/// A node of [`SparseAdd`](Ops::sparse_add) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseAdd<'a>(Node<'a>);

impl SparseAdd<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SparseAddOutputs {
        let mut outputs = self.0.outputs();
        SparseAddOutputs { sum_indices: outputs.one(), sum_values: outputs.one(), sum_shape: outputs.one() }
    }
}

/// The outputs of [`SparseAdd`](Ops::sparse_add).
#[derive(Clone, Copy, Debug)]
pub struct SparseAddOutputs {
    /// A tensor of int64.
    pub sum_indices: Output,
    /// A tensor of `T`.
    pub sum_values: Output,
    /// A tensor of int64.
    pub sum_shape: Output,
}

/// A node of [`SparseAddGrad`](Ops::sparse_add_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseAddGrad<'a>(Node<'a>);

impl SparseAddGrad<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SparseAddGradOutputs {
        let mut outputs = self.0.outputs();
        SparseAddGradOutputs { a_val_grad: outputs.one(), b_val_grad: outputs.one() }
    }
}

/// The outputs of [`SparseAddGrad`](Ops::sparse_add_grad).
#[derive(Clone, Copy, Debug)]
pub struct SparseAddGradOutputs {
    /// A tensor of `T`.
    pub a_val_grad: Output,
    /// A tensor of `T`.
    pub b_val_grad: Output,
}

/// A node of [`SparseConcat`](Ops::sparse_concat) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseConcat<'a>(Node<'a>);

impl SparseConcat<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SparseConcatOutputs {
        let mut outputs = self.0.outputs();
        SparseConcatOutputs { output_indices: outputs.one(), output_values: outputs.one(), output_shape: outputs.one() }
    }
}

/// The outputs of [`SparseConcat`](Ops::sparse_concat).
#[derive(Clone, Copy, Debug)]
pub struct SparseConcatOutputs {
    /// A tensor of int64.
    pub output_indices: Output,
    /// A tensor of `T`.
    pub output_values: Output,
    /// A tensor of int64.
    pub output_shape: Output,
}

/// A node of [`SparseCountSparseOutput`](Ops::sparse_count_sparse_output) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseCountSparseOutput<'a>(Node<'a>);

impl SparseCountSparseOutput<'_> {
    /// Minimum size of a row of the result; -1 for no minimum. At least -1. Default: `-1`.
    pub fn minlength(mut self, minlength: i64) -> Self {
        self.0.set("minlength", minlength);
        self
    }

    /// Maximum size of a row of the result, larger values are not counted; -1 for no maximum. At least -1. Default: `-1`.
    pub fn maxlength(mut self, maxlength: i64) -> Self {
        self.0.set("maxlength", maxlength);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SparseCountSparseOutputOutputs {
        let mut outputs = self.0.outputs();
        SparseCountSparseOutputOutputs { output_indices: outputs.one(), output_values: outputs.one(), output_dense_shape: outputs.one() }
    }
}

/// The outputs of [`SparseCountSparseOutput`](Ops::sparse_count_sparse_output).
#[derive(Clone, Copy, Debug)]
pub struct SparseCountSparseOutputOutputs {
    /// A tensor of int64.
    pub output_indices: Output,
    /// A tensor of `output_type`.
    pub output_values: Output,
    /// A tensor of int64.
    pub output_dense_shape: Output,
}

/// A node of [`SparseCross`](Ops::sparse_cross) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseCross<'a>(Node<'a>);

impl SparseCross<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SparseCrossOutputs {
        let mut outputs = self.0.outputs();
        SparseCrossOutputs { output_indices: outputs.one(), output_values: outputs.one(), output_shape: outputs.one() }
    }
}

/// The outputs of [`SparseCross`](Ops::sparse_cross).
#[derive(Clone, Copy, Debug)]
pub struct SparseCrossOutputs {
    /// A tensor of int64.
    pub output_indices: Output,
    /// A tensor of `out_type`.
    pub output_values: Output,
    /// A tensor of int64.
    pub output_shape: Output,
}

/// A node of [`SparseCrossHashed`](Ops::sparse_cross_hashed) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseCrossHashed<'a>(Node<'a>);

impl SparseCrossHashed<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SparseCrossHashedOutputs {
        let mut outputs = self.0.outputs();
        SparseCrossHashedOutputs { output_indices: outputs.one(), output_values: outputs.one(), output_shape: outputs.one() }
    }
}

/// The outputs of [`SparseCrossHashed`](Ops::sparse_cross_hashed).
#[derive(Clone, Copy, Debug)]
pub struct SparseCrossHashedOutputs {
    /// A tensor of int64.
    pub output_indices: Output,
    /// A tensor of int64.
    pub output_values: Output,
    /// A tensor of int64.
    pub output_shape: Output,
}

/// A node of [`SparseCrossV2`](Ops::sparse_cross_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseCrossV2<'a>(Node<'a>);

impl SparseCrossV2<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SparseCrossV2Outputs {
        let mut outputs = self.0.outputs();
        SparseCrossV2Outputs { output_indices: outputs.one(), output_values: outputs.one(), output_shape: outputs.one() }
    }
}

/// The outputs of [`SparseCrossV2`](Ops::sparse_cross_v2).
#[derive(Clone, Copy, Debug)]
pub struct SparseCrossV2Outputs {
    /// A tensor of int64.
    pub output_indices: Output,
    /// A tensor of string.
    pub output_values: Output,
    /// A tensor of int64.
    pub output_shape: Output,
}

/// A node of [`SparseDenseCwiseAdd`](Ops::sparse_dense_cwise_add) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseDenseCwiseAdd<'a>(Node<'a>);

/// A node of [`SparseDenseCwiseDiv`](Ops::sparse_dense_cwise_div) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseDenseCwiseDiv<'a>(Node<'a>);

/// A node of [`SparseDenseCwiseMul`](Ops::sparse_dense_cwise_mul) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseDenseCwiseMul<'a>(Node<'a>);

/// A node of [`SparseFillEmptyRows`](Ops::sparse_fill_empty_rows) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseFillEmptyRows<'a>(Node<'a>);

impl SparseFillEmptyRows<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SparseFillEmptyRowsOutputs {
        let mut outputs = self.0.outputs();
        SparseFillEmptyRowsOutputs { output_indices: outputs.one(), output_values: outputs.one(), empty_row_indicator: outputs.one(), reverse_index_map: outputs.one() }
    }
}

/// The outputs of [`SparseFillEmptyRows`](Ops::sparse_fill_empty_rows).
#[derive(Clone, Copy, Debug)]
pub struct SparseFillEmptyRowsOutputs {
    /// A tensor of int64.
    pub output_indices: Output,
    /// A tensor of `T`.
    pub output_values: Output,
    /// A tensor of bool.
    pub empty_row_indicator: Output,
    /// A tensor of int64.
    pub reverse_index_map: Output,
}

/// A node of [`SparseFillEmptyRowsGrad`](Ops::sparse_fill_empty_rows_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseFillEmptyRowsGrad<'a>(Node<'a>);

impl SparseFillEmptyRowsGrad<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SparseFillEmptyRowsGradOutputs {
        let mut outputs = self.0.outputs();
        SparseFillEmptyRowsGradOutputs { d_values: outputs.one(), d_default_value: outputs.one() }
    }
}

/// The outputs of [`SparseFillEmptyRowsGrad`](Ops::sparse_fill_empty_rows_grad).
#[derive(Clone, Copy, Debug)]
pub struct SparseFillEmptyRowsGradOutputs {
    /// A tensor of `T`.
    pub d_values: Output,
    /// A tensor of `T`.
    pub d_default_value: Output,
}

/// A node of [`SparseMatMul`](Ops::sparse_mat_mul) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseMatMul<'a>(Node<'a>);

impl SparseMatMul<'_> {
    /// Whether `a` is transposed. Default: `false`.
    pub fn transpose_a(mut self, transpose_a: bool) -> Self {
        self.0.set("transpose_a", transpose_a);
        self
    }

    /// Whether `b` is transposed. Default: `false`.
    pub fn transpose_b(mut self, transpose_b: bool) -> Self {
        self.0.set("transpose_b", transpose_b);
        self
    }

    /// Whether `a` contains many zeros. Default: `false`.
    pub fn a_is_sparse(mut self, a_is_sparse: bool) -> Self {
        self.0.set("a_is_sparse", a_is_sparse);
        self
    }

    /// Whether `b` contains many zeros. Default: `false`.
    pub fn b_is_sparse(mut self, b_is_sparse: bool) -> Self {
        self.0.set("b_is_sparse", b_is_sparse);
        self
    }
}

/// A node of [`SparseMatrixAdd`](Ops::sparse_matrix_add) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseMatrixAdd<'a>(Node<'a>);

/// A node of [`SparseMatrixMatMul`](Ops::sparse_matrix_mat_mul) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseMatrixMatMul<'a>(Node<'a>);

impl SparseMatrixMatMul<'_> {
    /// Whether `a` is transposed. Default: `false`.
    pub fn transpose_a(mut self, transpose_a: bool) -> Self {
        self.0.set("transpose_a", transpose_a);
        self
    }

    /// Whether `b` is transposed. Default: `false`.
    pub fn transpose_b(mut self, transpose_b: bool) -> Self {
        self.0.set("transpose_b", transpose_b);
        self
    }

    /// Whether `a` is replaced by its conjugate transpose. Default: `false`.
    pub fn adjoint_a(mut self, adjoint_a: bool) -> Self {
        self.0.set("adjoint_a", adjoint_a);
        self
    }

    /// Whether `b` is replaced by its conjugate transpose. Default: `false`.
    pub fn adjoint_b(mut self, adjoint_b: bool) -> Self {
        self.0.set("adjoint_b", adjoint_b);
        self
    }

    /// Whether the product is transposed. Default: `false`.
    pub fn transpose_output(mut self, transpose_output: bool) -> Self {
        self.0.set("transpose_output", transpose_output);
        self
    }

    /// Whether the product is conjugated. Default: `false`.
    pub fn conjugate_output(mut self, conjugate_output: bool) -> Self {
        self.0.set("conjugate_output", conjugate_output);
        self
    }
}

/// A node of [`SparseMatrixMul`](Ops::sparse_matrix_mul) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseMatrixMul<'a>(Node<'a>);

/// A node of [`SparseMatrixNNZ`](Ops::sparse_matrix_nnz) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseMatrixNNZ<'a>(Node<'a>);

/// A node of [`SparseMatrixOrderingAMD`](Ops::sparse_matrix_ordering_amd) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseMatrixOrderingAMD<'a>(Node<'a>);

/// A node of [`SparseMatrixSoftmax`](Ops::sparse_matrix_softmax) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseMatrixSoftmax<'a>(Node<'a>);

/// A node of [`SparseMatrixSoftmaxGrad`](Ops::sparse_matrix_softmax_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseMatrixSoftmaxGrad<'a>(Node<'a>);

/// A node of [`SparseMatrixSparseCholesky`](Ops::sparse_matrix_sparse_cholesky) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseMatrixSparseCholesky<'a>(Node<'a>);

/// A node of [`SparseMatrixSparseMatMul`](Ops::sparse_matrix_sparse_mat_mul) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseMatrixSparseMatMul<'a>(Node<'a>);

impl SparseMatrixSparseMatMul<'_> {
    /// Whether `a` is transposed. Default: `false`.
    pub fn transpose_a(mut self, transpose_a: bool) -> Self {
        self.0.set("transpose_a", transpose_a);
        self
    }

    /// Whether `b` is transposed. Default: `false`.
    pub fn transpose_b(mut self, transpose_b: bool) -> Self {
        self.0.set("transpose_b", transpose_b);
        self
    }

    /// Whether `a` is replaced by its conjugate transpose. Default: `false`.
    pub fn adjoint_a(mut self, adjoint_a: bool) -> Self {
        self.0.set("adjoint_a", adjoint_a);
        self
    }

    /// Whether `b` is replaced by its conjugate transpose. Default: `false`.
    pub fn adjoint_b(mut self, adjoint_b: bool) -> Self {
        self.0.set("adjoint_b", adjoint_b);
        self
    }
}

/// A node of [`SparseMatrixTranspose`](Ops::sparse_matrix_transpose) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseMatrixTranspose<'a>(Node<'a>);

impl SparseMatrixTranspose<'_> {
    /// Whether to return the conjugate transpose. Default: `false`.
    pub fn conjugate(mut self, conjugate: bool) -> Self {
        self.0.set("conjugate", conjugate);
        self
    }
}

/// A node of [`SparseMatrixZeros`](Ops::sparse_matrix_zeros) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseMatrixZeros<'a>(Node<'a>);

/// A node of [`SparseReduceMax`](Ops::sparse_reduce_max) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseReduceMax<'a>(Node<'a>);

impl SparseReduceMax<'_> {
    /// Whether to keep the reduced axes, with size 1. Default: `false`.
    pub fn keep_dims(mut self, keep_dims: bool) -> Self {
        self.0.set("keep_dims", keep_dims);
        self
    }
}

/// A node of [`SparseReduceMaxSparse`](Ops::sparse_reduce_max_sparse) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseReduceMaxSparse<'a>(Node<'a>);

impl SparseReduceMaxSparse<'_> {
    /// Whether to keep the reduced axes, with size 1. Default: `false`.
    pub fn keep_dims(mut self, keep_dims: bool) -> Self {
        self.0.set("keep_dims", keep_dims);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SparseReduceMaxSparseOutputs {
        let mut outputs = self.0.outputs();
        SparseReduceMaxSparseOutputs { output_indices: outputs.one(), output_values: outputs.one(), output_shape: outputs.one() }
    }
}

/// The outputs of [`SparseReduceMaxSparse`](Ops::sparse_reduce_max_sparse).
#[derive(Clone, Copy, Debug)]
pub struct SparseReduceMaxSparseOutputs {
    /// A tensor of int64.
    pub output_indices: Output,
    /// A tensor of `T`.
    pub output_values: Output,
    /// A tensor of int64.
    pub output_shape: Output,
}

/// A node of [`SparseReduceSum`](Ops::sparse_reduce_sum) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseReduceSum<'a>(Node<'a>);

impl SparseReduceSum<'_> {
    /// Whether to keep the reduced axes, with size 1. Default: `false`.
    pub fn keep_dims(mut self, keep_dims: bool) -> Self {
        self.0.set("keep_dims", keep_dims);
        self
    }
}

/// A node of [`SparseReduceSumSparse`](Ops::sparse_reduce_sum_sparse) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseReduceSumSparse<'a>(Node<'a>);

impl SparseReduceSumSparse<'_> {
    /// Whether to keep the reduced axes, with size 1. Default: `false`.
    pub fn keep_dims(mut self, keep_dims: bool) -> Self {
        self.0.set("keep_dims", keep_dims);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SparseReduceSumSparseOutputs {
        let mut outputs = self.0.outputs();
        SparseReduceSumSparseOutputs { output_indices: outputs.one(), output_values: outputs.one(), output_shape: outputs.one() }
    }
}

/// The outputs of [`SparseReduceSumSparse`](Ops::sparse_reduce_sum_sparse).
#[derive(Clone, Copy, Debug)]
pub struct SparseReduceSumSparseOutputs {
    /// A tensor of int64.
    pub output_indices: Output,
    /// A tensor of `T`.
    pub output_values: Output,
    /// A tensor of int64.
    pub output_shape: Output,
}

/// A node of [`SparseReorder`](Ops::sparse_reorder) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseReorder<'a>(Node<'a>);

impl SparseReorder<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SparseReorderOutputs {
        let mut outputs = self.0.outputs();
        SparseReorderOutputs { output_indices: outputs.one(), output_values: outputs.one() }
    }
}

/// The outputs of [`SparseReorder`](Ops::sparse_reorder).
#[derive(Clone, Copy, Debug)]
pub struct SparseReorderOutputs {
    /// A tensor of int64.
    pub output_indices: Output,
    /// A tensor of `T`.
    pub output_values: Output,
}

/// A node of [`SparseReshape`](Ops::sparse_reshape) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseReshape<'a>(Node<'a>);

impl SparseReshape<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SparseReshapeOutputs {
        let mut outputs = self.0.outputs();
        SparseReshapeOutputs { output_indices: outputs.one(), output_shape: outputs.one() }
    }
}

/// The outputs of [`SparseReshape`](Ops::sparse_reshape).
#[derive(Clone, Copy, Debug)]
pub struct SparseReshapeOutputs {
    /// A tensor of int64.
    pub output_indices: Output,
    /// A tensor of int64.
    pub output_shape: Output,
}

/// A node of [`SparseSlice`](Ops::sparse_slice) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseSlice<'a>(Node<'a>);

impl SparseSlice<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SparseSliceOutputs {
        let mut outputs = self.0.outputs();
        SparseSliceOutputs { output_indices: outputs.one(), output_values: outputs.one(), output_shape: outputs.one() }
    }
}

/// The outputs of [`SparseSlice`](Ops::sparse_slice).
#[derive(Clone, Copy, Debug)]
pub struct SparseSliceOutputs {
    /// A tensor of int64.
    pub output_indices: Output,
    /// A tensor of `T`.
    pub output_values: Output,
    /// A tensor of int64.
    pub output_shape: Output,
}

/// A node of [`SparseSliceGrad`](Ops::sparse_slice_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseSliceGrad<'a>(Node<'a>);

/// A node of [`SparseSoftmax`](Ops::sparse_softmax) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseSoftmax<'a>(Node<'a>);

/// A node of [`SparseSparseMaximum`](Ops::sparse_sparse_maximum) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseSparseMaximum<'a>(Node<'a>);

impl SparseSparseMaximum<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SparseSparseMaximumOutputs {
        let mut outputs = self.0.outputs();
        SparseSparseMaximumOutputs { output_indices: outputs.one(), output_values: outputs.one() }
    }
}

/// The outputs of [`SparseSparseMaximum`](Ops::sparse_sparse_maximum).
#[derive(Clone, Copy, Debug)]
pub struct SparseSparseMaximumOutputs {
    /// A tensor of int64.
    pub output_indices: Output,
    /// A tensor of `T`.
    pub output_values: Output,
}

/// A node of [`SparseSparseMinimum`](Ops::sparse_sparse_minimum) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseSparseMinimum<'a>(Node<'a>);

impl SparseSparseMinimum<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SparseSparseMinimumOutputs {
        let mut outputs = self.0.outputs();
        SparseSparseMinimumOutputs { output_indices: outputs.one(), output_values: outputs.one() }
    }
}

/// The outputs of [`SparseSparseMinimum`](Ops::sparse_sparse_minimum).
#[derive(Clone, Copy, Debug)]
pub struct SparseSparseMinimumOutputs {
    /// A tensor of int64.
    pub output_indices: Output,
    /// A tensor of `T`.
    pub output_values: Output,
}

/// A node of [`SparseSplit`](Ops::sparse_split) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseSplit<'a>(Node<'a>);

impl SparseSplit<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SparseSplitOutputs {
        let mut outputs = self.0.outputs();
        SparseSplitOutputs { output_indices: outputs.list(), output_values: outputs.list(), output_shape: outputs.list() }
    }
}

/// The outputs of [`SparseSplit`](Ops::sparse_split).
#[derive(Clone, Debug)]
pub struct SparseSplitOutputs {
    /// Any number of tensors of int64.
    pub output_indices: Vec<Output>,
    /// Any number of tensors of `T`.
    pub output_values: Vec<Output>,
    /// Any number of tensors of int64.
    pub output_shape: Vec<Output>,
}

/// A node of [`SparseTensorDenseAdd`](Ops::sparse_tensor_dense_add) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseTensorDenseAdd<'a>(Node<'a>);

/// A node of [`SparseTensorDenseMatMul`](Ops::sparse_tensor_dense_mat_mul) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseTensorDenseMatMul<'a>(Node<'a>);

impl SparseTensorDenseMatMul<'_> {
    /// Whether to use the adjoint of the sparse matrix. Default: `false`.
    pub fn adjoint_a(mut self, adjoint_a: bool) -> Self {
        self.0.set("adjoint_a", adjoint_a);
        self
    }

    /// Whether to use the adjoint of the dense matrix. Default: `false`.
    pub fn adjoint_b(mut self, adjoint_b: bool) -> Self {
        self.0.set("adjoint_b", adjoint_b);
        self
    }
}

/// A node of [`SparseTensorToCSRSparseMatrix`](Ops::sparse_tensor_to_csr_sparse_matrix) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseTensorToCSRSparseMatrix<'a>(Node<'a>);

/// A node of [`SparseToDense`](Ops::sparse_to_dense) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseToDense<'a>(Node<'a>);

impl SparseToDense<'_> {
    /// Whether to require sorted indices without duplicates. Default: `true`.
    pub fn validate_indices(mut self, validate_indices: bool) -> Self {
        self.0.set("validate_indices", validate_indices);
        self
    }
}

common! {
    CSRSparseMatrixComponents
    CSRSparseMatrixToDense
    CSRSparseMatrixToSparseTensor
    DenseCountSparseOutput
    DenseToCSRSparseMatrix
    DeserializeManySparse
    DeserializeSparse
    LevadaSparseMatrixPick
    RaggedCountSparseOutput
    RaggedCross
    RaggedFillEmptyRows
    RaggedFillEmptyRowsGrad
    SerializeManySparse
    SerializeSparse
    SparseAdd
    SparseAddGrad
    SparseConcat
    SparseCountSparseOutput
    SparseCross
    SparseCrossHashed
    SparseCrossV2
    SparseDenseCwiseAdd
    SparseDenseCwiseDiv
    SparseDenseCwiseMul
    SparseFillEmptyRows
    SparseFillEmptyRowsGrad
    SparseMatMul
    SparseMatrixAdd
    SparseMatrixMatMul
    SparseMatrixMul
    SparseMatrixNNZ
    SparseMatrixOrderingAMD
    SparseMatrixSoftmax
    SparseMatrixSoftmaxGrad
    SparseMatrixSparseCholesky
    SparseMatrixSparseMatMul
    SparseMatrixTranspose
    SparseMatrixZeros
    SparseReduceMax
    SparseReduceMaxSparse
    SparseReduceSum
    SparseReduceSumSparse
    SparseReorder
    SparseReshape
    SparseSlice
    SparseSliceGrad
    SparseSoftmax
    SparseSparseMaximum
    SparseSparseMinimum
    SparseSplit
    SparseTensorDenseAdd
    SparseTensorDenseMatMul
    SparseTensorToCSRSparseMatrix
    SparseToDense
}

one_output! {
    CSRSparseMatrixToDense
    DenseToCSRSparseMatrix
    LevadaSparseMatrixPick
    SerializeManySparse
    SerializeSparse
    SparseDenseCwiseAdd
    SparseDenseCwiseDiv
    SparseDenseCwiseMul
    SparseMatMul
    SparseMatrixAdd
    SparseMatrixMatMul
    SparseMatrixMul
    SparseMatrixNNZ
    SparseMatrixOrderingAMD
    SparseMatrixSoftmax
    SparseMatrixSoftmaxGrad
    SparseMatrixSparseCholesky
    SparseMatrixSparseMatMul
    SparseMatrixTranspose
    SparseMatrixZeros
    SparseReduceMax
    SparseReduceSum
    SparseSliceGrad
    SparseSoftmax
    SparseTensorDenseAdd
    SparseTensorDenseMatMul
    SparseTensorToCSRSparseMatrix
    SparseToDense
}
