// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `array`.

use crate::node::{Input, Node, Ops, common, one_output, string, strings};
use levada_graph::{DType, PartialShape, Tensor};
use levada_builder::Output;

impl Ops<'_> {
    /// Name of `MatrixBandPart` in old graphs.
    ///
    /// - `input`: a tensor of `T`
    /// - `num_lower`: a tensor of int64
    /// - `num_upper`: a tensor of int64
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn batch_matrix_band_part(&self, input: impl Input, num_lower: impl Input, num_upper: impl Input) -> BatchMatrixBandPart<'_> {
        BatchMatrixBandPart(Node::new(self, "BatchMatrixBandPart").input(input).input(num_lower).input(num_upper))
    }

    /// Name of `MatrixDiag` in old graphs.
    ///
    /// - `diagonal`: a tensor of `T`
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn batch_matrix_diag(&self, diagonal: impl Input) -> BatchMatrixDiag<'_> {
        BatchMatrixDiag(Node::new(self, "BatchMatrixDiag").input(diagonal))
    }

    /// Name of `MatrixDiagPart` in old graphs.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn batch_matrix_diag_part(&self, input: impl Input) -> BatchMatrixDiagPart<'_> {
        BatchMatrixDiagPart(Node::new(self, "BatchMatrixDiagPart").input(input))
    }

    /// Name of `MatrixSetDiag` in old graphs.
    ///
    /// - `input`: a tensor of `T`
    /// - `diagonal`: a tensor of `T`
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn batch_matrix_set_diag(&self, input: impl Input, diagonal: impl Input) -> BatchMatrixSetDiag<'_> {
        BatchMatrixSetDiag(Node::new(self, "BatchMatrixSetDiag").input(input).input(diagonal))
    }

    /// `BatchToSpaceND` for images, with square blocks.
    ///
    /// - `input`: a tensor of `T`
    /// - `crops`: a tensor of `Tidx`
    /// - `block_size`: Side length of a block. At least 2.
    ///
    /// `T` is any dtype. `Tidx` is int32, int64.
    pub fn batch_to_space(&self, input: impl Input, crops: impl Input, block_size: i64) -> BatchToSpace<'_> {
        let mut node = Node::new(self, "BatchToSpace").input(input).input(crops);
        node.set("block_size", block_size);
        BatchToSpace(node)
    }

    /// Rearranges the batch axis into blocks of shape `block_shape` along the axes after the first, then removes `crops` from the start and end of each.
    ///
    /// - `input`: a tensor of `T`
    /// - `block_shape`: a tensor of `Tblock_shape`
    /// - `crops`: a tensor of `Tcrops`
    ///
    /// `T` is any dtype. `Tblock_shape` is int32, int64. `Tcrops` is int32, int64.
    pub fn batch_to_space_nd(&self, input: impl Input, block_shape: impl Input, crops: impl Input) -> BatchToSpaceND<'_> {
        BatchToSpaceND(Node::new(self, "BatchToSpaceND").input(input).input(block_shape).input(crops))
    }

    /// Reinterprets the bytes of `input` as `type`. A smaller element type adds a trailing axis; a larger one consumes the last axis.
    ///
    /// - `input`: a tensor of `T`
    /// - `type_`: Element type of the result. Allowed: any number, also quantized.
    ///
    /// `T` is any number, also quantized.
    pub fn bitcast(&self, input: impl Input, type_: DType) -> Bitcast<'_> {
        let mut node = Node::new(self, "Bitcast").input(input);
        node.set("type", type_);
        Bitcast(node)
    }

    /// Returns the shape that results from broadcasting the shapes `s0` and `s1` together.
    ///
    /// - `s0`: a tensor of `T`
    /// - `s1`: a tensor of `T`
    ///
    /// `T` is int32, int64.
    pub fn broadcast_args(&self, s0: impl Input, s1: impl Input) -> BroadcastArgs<'_> {
        BroadcastArgs(Node::new(self, "BroadcastArgs").input(s0).input(s1))
    }

    /// Returns the axes over which the gradients of two operands of shapes `s0` and `s1` must be summed.
    ///
    /// - `s0`: a tensor of `T`
    /// - `s1`: a tensor of `T`
    ///
    /// `T` is int32, int64.
    pub fn broadcast_gradient_args(&self, s0: impl Input, s1: impl Input) -> BroadcastGradientArgs<'_> {
        BroadcastGradientArgs(Node::new(self, "BroadcastGradientArgs").input(s0).input(s1))
    }

    /// Broadcasts `input` to the shape `shape`.
    ///
    /// - `input`: a tensor of `T`
    /// - `shape`: a tensor of `Tidx`
    ///
    /// `T` is any dtype. `Tidx` is int32, int64.
    pub fn broadcast_to(&self, input: impl Input, shape: impl Input) -> BroadcastTo<'_> {
        BroadcastTo(Node::new(self, "BroadcastTo").input(input).input(shape))
    }

    /// Returns for each element the index of its bucket: the number of `boundaries` that are less than or equal to it.
    ///
    /// - `input`: a tensor of `T`
    /// - `boundaries`: The boundaries, in ascending order.
    ///
    /// `T` is float32, float64, int32, int64.
    pub fn bucketize(&self, input: impl Input, boundaries: &[f32]) -> Bucketize<'_> {
        let mut node = Node::new(self, "Bucketize").input(input);
        node.set("boundaries", boundaries.to_vec());
        Bucketize(node)
    }

    /// Concatenates `values` along axis `concat_dim`.
    ///
    /// - `concat_dim`: a tensor of int32
    /// - `values`: any number of tensors of `T`
    ///
    /// `T` is any dtype.
    pub fn concat(&self, concat_dim: impl Input, values: impl IntoIterator<Item = impl Input>) -> Concat<'_> {
        Concat(Node::new(self, "Concat").input(concat_dim).list(values))
    }

    /// Returns for each shape the offset at which such a tensor starts when all are concatenated along `concat_dim`.
    ///
    /// - `concat_dim`: a tensor of int32
    /// - `shape`: any number of tensors of `shape_type`
    ///
    /// `shape_type` is int32, int64.
    pub fn concat_offset(&self, concat_dim: impl Input, shape: impl IntoIterator<Item = impl Input>) -> ConcatOffset<'_> {
        ConcatOffset(Node::new(self, "ConcatOffset").input(concat_dim).list(shape))
    }

    /// Concatenates `values` along axis `axis`.
    ///
    /// - `values`: any number of tensors of `T`
    /// - `axis`: a tensor of `Tidx`
    ///
    /// `T` is any dtype. `Tidx` is int32, int64.
    pub fn concat_v2(&self, values: impl IntoIterator<Item = impl Input>, axis: impl Input) -> ConcatV2<'_> {
        ConcatV2(Node::new(self, "ConcatV2").list(values).input(axis))
    }

    /// Like `Transpose`, and conjugates complex numbers.
    ///
    /// - `x`: a tensor of `T`
    /// - `perm`: a tensor of `Tperm`
    ///
    /// `T` is any dtype. `Tperm` is int32, int64.
    pub fn conjugate_transpose(&self, x: impl Input, perm: impl Input) -> ConjugateTranspose<'_> {
        ConjugateTranspose(Node::new(self, "ConjugateTranspose").input(x).input(perm))
    }

    /// Returns the constant `value`.
    ///
    /// - `value`: The tensor.
    /// - `dtype`: Element type of the tensor. Allowed: any dtype.
    pub fn const_(&self, value: impl Into<Tensor>, dtype: DType) -> Const<'_> {
        let mut node = Node::new(self, "Const");
        node.set("value", Into::<Tensor>::into(value));
        node.set("dtype", dtype);
        Const(node)
    }

    /// Returns a copy of its input.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn copy(&self, input: impl Input) -> Copy<'_> {
        Copy(Node::new(self, "Copy").input(input))
    }

    /// Returns a copy of its input on the host.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn copy_host(&self, input: impl Input) -> CopyHost<'_> {
        CopyHost(Node::new(self, "CopyHost").input(input))
    }

    /// Returns its input; marks a gradient for debuggers.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn debug_gradient_identity(&self, input: impl Input) -> DebugGradientIdentity<'_> {
        DebugGradientIdentity(Node::new(self, "DebugGradientIdentity").input(input))
    }

    /// Returns a copy of its input.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn deep_copy(&self, x: impl Input) -> DeepCopy<'_> {
        DeepCopy(Node::new(self, "DeepCopy").input(x))
    }

    /// Moves channels into blocks of `block_size` x `block_size` pixels.
    ///
    /// - `input`: a tensor of `T`
    /// - `block_size`: Side length of a block. At least 2.
    ///
    /// `T` is any dtype.
    pub fn depth_to_space(&self, input: impl Input, block_size: i64) -> DepthToSpace<'_> {
        let mut node = Node::new(self, "DepthToSpace").input(input);
        node.set("block_size", block_size);
        DepthToSpace(node)
    }

    /// Builds a tensor of shape `[d.., d..]` that holds `diagonal`, of shape `[d..]`, where both halves of the index agree, and 0 elsewhere.
    ///
    /// - `diagonal`: a tensor of `T`
    ///
    /// `T` is any float or complex number, int32, int64.
    pub fn diag(&self, diagonal: impl Input) -> Diag<'_> {
        Diag(Node::new(self, "Diag").input(diagonal))
    }

    /// Returns the elements of a tensor of shape `[d.., d..]` for which both halves of the index agree.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any float or complex number, int32, int64.
    pub fn diag_part(&self, input: impl Input) -> DiagPart<'_> {
        DiagPart(Node::new(self, "DiagPart").input(input))
    }

    /// Splits `data` into `num_partitions` tensors: tensor `i` holds, in order, the slices whose entry in `partitions` is `i`.
    ///
    /// - `data`: a tensor of `T`
    /// - `partitions`: a tensor of int32
    /// - `num_partitions`: Number of partitions. At least 1.
    ///
    /// `T` is any dtype.
    pub fn dynamic_partition(&self, data: impl Input, partitions: impl Input, num_partitions: i64) -> DynamicPartition<'_> {
        let mut node = Node::new(self, "DynamicPartition").input(data).input(partitions);
        node.set("num_partitions", num_partitions);
        DynamicPartition(node)
    }

    /// Builds a tensor whose row `indices[i][j]` is `data[i][j]`; the last one wins where an index is repeated.
    ///
    /// - `indices`: any number of tensors of int32
    /// - `data`: any number of tensors of `T`
    ///
    /// `T` is any dtype.
    pub fn dynamic_stitch(&self, indices: impl IntoIterator<Item = impl Input>, data: impl IntoIterator<Item = impl Input>) -> DynamicStitch<'_> {
        DynamicStitch(Node::new(self, "DynamicStitch").list(indices).list(data))
    }

    /// Returns a tensor of shape `shape`. Its elements are zero whether or not `init` is set, so that runs are reproducible.
    ///
    /// - `shape`: a tensor of int32
    /// - `dtype`: Element type. Allowed: any dtype.
    pub fn empty(&self, shape: impl Input, dtype: DType) -> Empty<'_> {
        let mut node = Node::new(self, "Empty").input(shape);
        node.set("dtype", dtype);
        Empty(node)
    }

    /// Returns its input; fails if the input's shape is not compatible with `shape`.
    ///
    /// - `input`: a tensor of `T`
    /// - `shape`: The required shape.
    ///
    /// `T` is any dtype.
    pub fn ensure_shape(&self, input: impl Input, shape: impl Into<PartialShape>) -> EnsureShape<'_> {
        let mut node = Node::new(self, "EnsureShape").input(input);
        node.set("shape", Into::<PartialShape>::into(shape));
        EnsureShape(node)
    }

    /// Inserts an axis of size 1 before axis `dim`; a negative `dim` counts from the end of the result.
    ///
    /// - `input`: a tensor of `T`
    /// - `dim`: a tensor of `Tdim`
    ///
    /// `T` is any dtype. `Tdim` is int32, int64.
    pub fn expand_dims(&self, input: impl Input, dim: impl Input) -> ExpandDims<'_> {
        ExpandDims(Node::new(self, "ExpandDims").input(input).input(dim))
    }

    /// Stands in for a result that only another branch of a conditional produces; its value is never used.
    ///
    /// - `dtype`: Element type. Allowed: any dtype.
    /// - `shape`: The shape, as far as it is known; unknown sizes are taken as zero.
    ///
    /// It has no gradient.
    pub fn fake_param(&self, dtype: DType, shape: impl Into<PartialShape>) -> FakeParam<'_> {
        let mut node = Node::new(self, "FakeParam");
        node.set("dtype", dtype);
        node.set("shape", Into::<PartialShape>::into(shape));
        FakeParam(node)
    }

    /// Returns a tensor of shape `dims` whose elements are all `value`.
    ///
    /// - `dims`: a tensor of `index_type`
    /// - `value`: a tensor of `T`
    ///
    /// `T` is any dtype. `index_type` is int32, int64.
    pub fn fill(&self, dims: impl Input, value: impl Input) -> Fill<'_> {
        Fill(Node::new(self, "Fill").input(dims).input(value))
    }

    /// Gathers the rows of `params` that `indices` selects.
    ///
    /// - `params`: a tensor of `Tparams`
    /// - `indices`: a tensor of `Tindices`
    ///
    /// `Tparams` is any dtype. `Tindices` is int32, int64.
    pub fn gather(&self, params: impl Input, indices: impl Input) -> Gather<'_> {
        Gather(Node::new(self, "Gather").input(params).input(indices))
    }

    /// Gathers the slices of `params` at the index tuples in the last axis of `indices`.
    ///
    /// - `params`: a tensor of `Tparams`
    /// - `indices`: a tensor of `Tindices`
    ///
    /// `Tparams` is any dtype. `Tindices` is int32, int16, int64.
    pub fn gather_nd(&self, params: impl Input, indices: impl Input) -> GatherNd<'_> {
        GatherNd(Node::new(self, "GatherNd").input(params).input(indices))
    }

    /// Gathers the slices of `params` along `axis` that `indices` selects; the first `batch_dims` axes are batch axes.
    ///
    /// - `params`: a tensor of `Tparams`
    /// - `indices`: a tensor of `Tindices`
    /// - `axis`: a tensor of `Taxis`
    ///
    /// `Tparams` is any dtype. `Tindices` is int32, int16, int64. `Taxis` is int32, int64.
    pub fn gather_v2(&self, params: impl Input, indices: impl Input, axis: impl Input) -> GatherV2<'_> {
        GatherV2(Node::new(self, "GatherV2").input(params).input(indices).input(axis))
    }

    /// Returns its input and promises that its value never changes.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn guarantee_const(&self, input: impl Input) -> GuaranteeConst<'_> {
        GuaranteeConst(Node::new(self, "GuaranteeConst").input(input))
    }

    /// Returns its input.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn identity(&self, input: impl Input) -> Identity<'_> {
        Identity(Node::new(self, "Identity").input(input))
    }

    /// Returns its inputs.
    ///
    /// - `input`: any number of tensors of any dtypes
    ///
    /// `T` is any dtype.
    pub fn identity_n(&self, input: impl IntoIterator<Item = impl Input>) -> IdentityN<'_> {
        IdentityN(Node::new(self, "IdentityN").list(input))
    }

    /// Returns `x` with the rows `v` added to the rows `i`.
    ///
    /// - `x`: a tensor of `T`
    /// - `i`: a tensor of int32
    /// - `v`: a tensor of `T`
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn inplace_add(&self, x: impl Input, i: impl Input, v: impl Input) -> InplaceAdd<'_> {
        InplaceAdd(Node::new(self, "InplaceAdd").input(x).input(i).input(v))
    }

    /// Returns `x` with the rows `v` subtracted from the rows `i`.
    ///
    /// - `x`: a tensor of `T`
    /// - `i`: a tensor of int32
    /// - `v`: a tensor of `T`
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn inplace_sub(&self, x: impl Input, i: impl Input, v: impl Input) -> InplaceSub<'_> {
        InplaceSub(Node::new(self, "InplaceSub").input(x).input(i).input(v))
    }

    /// Returns `x` with the rows `i` replaced by `v`.
    ///
    /// - `x`: a tensor of `T`
    /// - `i`: a tensor of int32
    /// - `v`: a tensor of `T`
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn inplace_update(&self, x: impl Input, i: impl Input, v: impl Input) -> InplaceUpdate<'_> {
        InplaceUpdate(Node::new(self, "InplaceUpdate").input(x).input(i).input(v))
    }

    /// Returns the inverse `y` of the permutation `x`: `y[x[i]] = i`.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is int32, int64.
    pub fn invert_permutation(&self, x: impl Input) -> InvertPermutation<'_> {
        InvertPermutation(Node::new(self, "InvertPermutation").input(x))
    }

    /// Returns `num` evenly spaced values from `start` to `stop`.
    ///
    /// - `start`: a tensor of `T`
    /// - `stop`: a tensor of `T`
    /// - `num`: a tensor of `Tidx`
    ///
    /// `T` is any float. `Tidx` is int32, int64.
    pub fn lin_space(&self, start: impl Input, stop: impl Input, num: impl Input) -> LinSpace<'_> {
        LinSpace(Node::new(self, "LinSpace").input(start).input(stop).input(num))
    }

    /// Returns the elements of `x` that are not in `y`, in order, and their indices in `x`.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn list_diff(&self, x: impl Input, y: impl Input) -> ListDiff<'_> {
        ListDiff(Node::new(self, "ListDiff").input(x).input(y))
    }

    /// Returns for each value the number of elements of its sorted row that are less than it.
    ///
    /// - `sorted_inputs`: a tensor of `T`
    /// - `values`: a tensor of `T`
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn lower_bound(&self, sorted_inputs: impl Input, values: impl Input) -> LowerBound<'_> {
        LowerBound(Node::new(self, "LowerBound").input(sorted_inputs).input(values))
    }

    /// Returns `input` with all elements more than `num_lower` below or `num_upper` above the main diagonal set to zero; a negative number keeps that whole triangle.
    ///
    /// - `input`: a tensor of `T`
    /// - `num_lower`: a tensor of `Tindex`
    /// - `num_upper`: a tensor of `Tindex`
    ///
    /// `T` is any dtype. `Tindex` is int32, int64.
    pub fn matrix_band_part(&self, input: impl Input, num_lower: impl Input, num_upper: impl Input) -> MatrixBandPart<'_> {
        MatrixBandPart(Node::new(self, "MatrixBandPart").input(input).input(num_lower).input(num_upper))
    }

    /// Builds square matrices with `diagonal` as the main diagonal and zeros elsewhere.
    ///
    /// - `diagonal`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn matrix_diag(&self, diagonal: impl Input) -> MatrixDiag<'_> {
        MatrixDiag(Node::new(self, "MatrixDiag").input(diagonal))
    }

    /// Returns the main diagonals of matrices.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn matrix_diag_part(&self, input: impl Input) -> MatrixDiagPart<'_> {
        MatrixDiagPart(Node::new(self, "MatrixDiagPart").input(input))
    }

    /// Returns the diagonals `k` of matrices, shorter ones left-aligned.
    ///
    /// - `input`: a tensor of `T`
    /// - `k`: a tensor of int32
    /// - `padding_value`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn matrix_diag_part_v2(&self, input: impl Input, k: impl Input, padding_value: impl Input) -> MatrixDiagPartV2<'_> {
        MatrixDiagPartV2(Node::new(self, "MatrixDiagPartV2").input(input).input(k).input(padding_value))
    }

    /// Returns the diagonals `k` of matrices.
    ///
    /// - `input`: a tensor of `T`
    /// - `k`: a tensor of int32
    /// - `padding_value`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn matrix_diag_part_v3(&self, input: impl Input, k: impl Input, padding_value: impl Input) -> MatrixDiagPartV3<'_> {
        MatrixDiagPartV3(Node::new(self, "MatrixDiagPartV3").input(input).input(k).input(padding_value))
    }

    /// Builds matrices with the given diagonals `k`, shorter ones left-aligned, and `padding_value` elsewhere.
    ///
    /// - `diagonal`: a tensor of `T`
    /// - `k`: a tensor of int32
    /// - `num_rows`: a tensor of int32
    /// - `num_cols`: a tensor of int32
    /// - `padding_value`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn matrix_diag_v2(&self, diagonal: impl Input, k: impl Input, num_rows: impl Input, num_cols: impl Input, padding_value: impl Input) -> MatrixDiagV2<'_> {
        MatrixDiagV2(Node::new(self, "MatrixDiagV2").input(diagonal).input(k).input(num_rows).input(num_cols).input(padding_value))
    }

    /// Builds matrices with the given diagonals `k` and `padding_value` elsewhere.
    ///
    /// - `diagonal`: a tensor of `T`
    /// - `k`: a tensor of int32
    /// - `num_rows`: a tensor of int32
    /// - `num_cols`: a tensor of int32
    /// - `padding_value`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn matrix_diag_v3(&self, diagonal: impl Input, k: impl Input, num_rows: impl Input, num_cols: impl Input, padding_value: impl Input) -> MatrixDiagV3<'_> {
        MatrixDiagV3(Node::new(self, "MatrixDiagV3").input(diagonal).input(k).input(num_rows).input(num_cols).input(padding_value))
    }

    /// Replaces the main diagonals of matrices.
    ///
    /// - `input`: a tensor of `T`
    /// - `diagonal`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn matrix_set_diag(&self, input: impl Input, diagonal: impl Input) -> MatrixSetDiag<'_> {
        MatrixSetDiag(Node::new(self, "MatrixSetDiag").input(input).input(diagonal))
    }

    /// Replaces the diagonals `k` of matrices; shorter ones are left-aligned.
    ///
    /// - `input`: a tensor of `T`
    /// - `diagonal`: a tensor of `T`
    /// - `k`: a tensor of int32
    ///
    /// `T` is any dtype.
    pub fn matrix_set_diag_v2(&self, input: impl Input, diagonal: impl Input, k: impl Input) -> MatrixSetDiagV2<'_> {
        MatrixSetDiagV2(Node::new(self, "MatrixSetDiagV2").input(input).input(diagonal).input(k))
    }

    /// Replaces the diagonals `k` of matrices.
    ///
    /// - `input`: a tensor of `T`
    /// - `diagonal`: a tensor of `T`
    /// - `k`: a tensor of int32
    ///
    /// `T` is any dtype.
    pub fn matrix_set_diag_v3(&self, input: impl Input, diagonal: impl Input, k: impl Input) -> MatrixSetDiagV3<'_> {
        MatrixSetDiagV3(Node::new(self, "MatrixSetDiagV3").input(input).input(diagonal).input(k))
    }

    /// Pads `input` with its mirror image: `paddings[i]` gives the number of positions before and after along axis `i`.
    ///
    /// - `input`: a tensor of `T`
    /// - `paddings`: a tensor of `Tpaddings`
    /// - `mode`: Whether the outermost element is mirrored too (`SYMMETRIC`) or not (`REFLECT`). One of `"REFLECT"`, `"SYMMETRIC"`.
    ///
    /// `T` is any dtype. `Tpaddings` is int32, int64.
    pub fn mirror_pad(&self, input: impl Input, paddings: impl Input, mode: impl AsRef<[u8]>) -> MirrorPad<'_> {
        let mut node = Node::new(self, "MirrorPad").input(input).input(paddings);
        node.set("mode", string(mode));
        MirrorPad(node)
    }

    /// Gradient of `MirrorPad`: folds the padding back onto the elements it mirrors.
    ///
    /// - `input`: a tensor of `T`
    /// - `paddings`: a tensor of `Tpaddings`
    /// - `mode`: Whether the outermost element is mirrored too (`SYMMETRIC`) or not (`REFLECT`). One of `"REFLECT"`, `"SYMMETRIC"`.
    ///
    /// `T` is any number. `Tpaddings` is int32, int64.
    pub fn mirror_pad_grad(&self, input: impl Input, paddings: impl Input, mode: impl AsRef<[u8]>) -> MirrorPadGrad<'_> {
        let mut node = Node::new(self, "MirrorPadGrad").input(input).input(paddings);
        node.set("mode", string(mode));
        MirrorPadGrad(node)
    }

    /// Adds a new axis `axis` of size `depth` that holds `on_value` at the position given by the index and `off_value` elsewhere.
    ///
    /// - `indices`: a tensor of `TI`
    /// - `depth`: a tensor of int32
    /// - `on_value`: a tensor of `T`
    /// - `off_value`: a tensor of `T`
    ///
    /// `T` is any dtype. `TI` is int32, uint8, int8, int64.
    pub fn one_hot(&self, indices: impl Input, depth: impl Input, on_value: impl Input, off_value: impl Input) -> OneHot<'_> {
        OneHot(Node::new(self, "OneHot").input(indices).input(depth).input(on_value).input(off_value))
    }

    /// Returns ones in the shape of `x`.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any number, bool.
    pub fn ones_like(&self, x: impl Input) -> OnesLike<'_> {
        OnesLike(Node::new(self, "OnesLike").input(x))
    }

    /// Stacks `values` along a new axis `axis`.
    ///
    /// - `values`: any number of tensors of `T`
    ///
    /// `T` is any dtype.
    pub fn pack(&self, values: impl IntoIterator<Item = impl Input>) -> Pack<'_> {
        Pack(Node::new(self, "Pack").list(values))
    }

    /// Pads `input` with zeros: `paddings[i]` gives the number of positions before and after along axis `i`.
    ///
    /// - `input`: a tensor of `T`
    /// - `paddings`: a tensor of `Tpaddings`
    ///
    /// `T` is any dtype. `Tpaddings` is int32, int64.
    pub fn pad(&self, input: impl Input, paddings: impl Input) -> Pad<'_> {
        Pad(Node::new(self, "Pad").input(input).input(paddings))
    }

    /// Like `Pad`, with `constant_values` instead of zeros.
    ///
    /// - `input`: a tensor of `T`
    /// - `paddings`: a tensor of `Tpaddings`
    /// - `constant_values`: a tensor of `T`
    ///
    /// `T` is any dtype. `Tpaddings` is int32, int64.
    pub fn pad_v2(&self, input: impl Input, paddings: impl Input, constant_values: impl Input) -> PadV2<'_> {
        PadV2(Node::new(self, "PadV2").input(input).input(paddings).input(constant_values))
    }

    /// Concatenates `values`, each of one row, along axis 0.
    ///
    /// - `values`: any number of tensors of `T`
    /// - `shape`: Shape of the result.
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn parallel_concat(&self, values: impl IntoIterator<Item = impl Input>, shape: impl Into<PartialShape>) -> ParallelConcat<'_> {
        let mut node = Node::new(self, "ParallelConcat").list(values);
        node.set("shape", Into::<PartialShape>::into(shape));
        ParallelConcat(node)
    }

    /// Builds a tensor whose row `indices[i][j]` is `data[i][j]`; any may win where an index is repeated.
    ///
    /// - `indices`: any number of tensors of int32
    /// - `data`: any number of tensors of `T`
    ///
    /// `T` is any dtype.
    pub fn parallel_dynamic_stitch(&self, indices: impl IntoIterator<Item = impl Input>, data: impl IntoIterator<Item = impl Input>) -> ParallelDynamicStitch<'_> {
        ParallelDynamicStitch(Node::new(self, "ParallelDynamicStitch").list(indices).list(data))
    }

    /// A tensor that must be fed.
    ///
    /// - `dtype`: Element type of the fed tensor. Allowed: any dtype.
    pub fn placeholder(&self, dtype: DType) -> Placeholder<'_> {
        let mut node = Node::new(self, "Placeholder");
        node.set("dtype", dtype);
        Placeholder(node)
    }

    /// A tensor that must be fed.
    ///
    /// - `dtype`: Element type of the fed tensor. Allowed: any dtype.
    /// - `shape`: Shape of the fed tensor.
    ///
    /// It has no gradient.
    pub fn placeholder_v2(&self, dtype: DType, shape: impl Into<PartialShape>) -> PlaceholderV2<'_> {
        let mut node = Node::new(self, "PlaceholderV2");
        node.set("dtype", dtype);
        node.set("shape", Into::<PartialShape>::into(shape));
        PlaceholderV2(node)
    }

    /// Returns its input unless another value is fed.
    ///
    /// - `input`: a tensor of `dtype`
    /// - `shape`: Shape of the default and of the fed tensor.
    ///
    /// `dtype` is any dtype.
    pub fn placeholder_with_default(&self, input: impl Input, shape: impl Into<PartialShape>) -> PlaceholderWithDefault<'_> {
        let mut node = Node::new(self, "PlaceholderWithDefault").input(input);
        node.set("shape", Into::<PartialShape>::into(shape));
        PlaceholderWithDefault(node)
    }

    /// Returns its input; requesting a gradient through it is an error.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn prevent_gradient(&self, input: impl Input) -> PreventGradient<'_> {
        PreventGradient(Node::new(self, "PreventGradient").input(input))
    }

    /// Returns the sequence `start`, `start + delta`, ... up to but not including `limit`.
    ///
    /// - `start`: a tensor of `Tidx`
    /// - `limit`: a tensor of `Tidx`
    /// - `delta`: a tensor of `Tidx`
    ///
    /// `Tidx` is any integer or float.
    pub fn range(&self, start: impl Input, limit: impl Input, delta: impl Input) -> Range<'_> {
        Range(Node::new(self, "Range").input(start).input(limit).input(delta))
    }

    /// Returns the number of axes of the input.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn rank(&self, input: impl Input) -> Rank<'_> {
        Rank(Node::new(self, "Rank").input(input))
    }

    /// Reshapes `tensor` to `shape`; one size may be -1, which is inferred from the others.
    ///
    /// - `tensor`: a tensor of `T`
    /// - `shape`: a tensor of `Tshape`
    ///
    /// `T` is any dtype. `Tshape` is int32, int64.
    pub fn reshape(&self, tensor: impl Input, shape: impl Input) -> Reshape<'_> {
        Reshape(Node::new(self, "Reshape").input(tensor).input(shape))
    }

    /// Reverses `tensor` along the axes for which `dims` is true.
    ///
    /// - `tensor`: a tensor of `T`
    /// - `dims`: a tensor of bool
    ///
    /// `T` is any number, string, bool.
    pub fn reverse(&self, tensor: impl Input, dims: impl Input) -> Reverse<'_> {
        Reverse(Node::new(self, "Reverse").input(tensor).input(dims))
    }

    /// Reverses the first `seq_lengths[b]` positions along `seq_dim` for each index `b` along `batch_dim`.
    ///
    /// - `input`: a tensor of `T`
    /// - `seq_lengths`: a tensor of `Tlen`
    /// - `seq_dim`: The axis to reverse along.
    ///
    /// `T` is any dtype. `Tlen` is int32, int64.
    pub fn reverse_sequence(&self, input: impl Input, seq_lengths: impl Input, seq_dim: i64) -> ReverseSequence<'_> {
        let mut node = Node::new(self, "ReverseSequence").input(input).input(seq_lengths);
        node.set("seq_dim", seq_dim);
        ReverseSequence(node)
    }

    /// Reverses `tensor` along the axes in `axis`.
    ///
    /// - `tensor`: a tensor of `T`
    /// - `axis`: a tensor of `Tidx`
    ///
    /// `Tidx` is int32, int64. `T` is any number, string, bool.
    pub fn reverse_v2(&self, tensor: impl Input, axis: impl Input) -> ReverseV2<'_> {
        ReverseV2(Node::new(self, "ReverseV2").input(tensor).input(axis))
    }

    /// Shifts the elements of `input` by `shift[i]` along `axis[i]`; elements shifted past the end wrap around to the start.
    ///
    /// - `input`: a tensor of `T`
    /// - `shift`: a tensor of `Tshift`
    /// - `axis`: a tensor of `Taxis`
    ///
    /// `T` is any dtype. `Tshift` is int32, int64. `Taxis` is int32, int64.
    pub fn roll(&self, input: impl Input, shift: impl Input, axis: impl Input) -> Roll<'_> {
        Roll(Node::new(self, "Roll").input(input).input(shift).input(axis))
    }

    /// Returns a tensor of shape `shape` that holds the sums of the slices `updates` at the index tuples `indices`, and 0 elsewhere.
    ///
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    /// - `shape`: a tensor of `Tindices`
    ///
    /// `T` is any dtype. `Tindices` is int32, int16, int64.
    pub fn scatter_nd(&self, indices: impl Input, updates: impl Input, shape: impl Input) -> ScatterNd<'_> {
        ScatterNd(Node::new(self, "ScatterNd").input(indices).input(updates).input(shape))
    }

    /// Returns `input` with `updates` added at the index tuples `indices`.
    ///
    /// - `input`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any dtype. `Tindices` is int32, int64.
    pub fn scatter_nd_non_aliasing_add(&self, input: impl Input, indices: impl Input, updates: impl Input) -> ScatterNdNonAliasingAdd<'_> {
        ScatterNdNonAliasingAdd(Node::new(self, "ScatterNdNonAliasingAdd").input(input).input(indices).input(updates))
    }

    /// Returns the shape of the input.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn shape(&self, input: impl Input) -> Shape<'_> {
        Shape(Node::new(self, "Shape").input(input))
    }

    /// Returns the shape of each input.
    ///
    /// - `input`: any number of tensors of `T`
    ///
    /// `T` is any dtype.
    pub fn shape_n(&self, input: impl IntoIterator<Item = impl Input>) -> ShapeN<'_> {
        ShapeN(Node::new(self, "ShapeN").list(input))
    }

    /// Returns the number of elements of the input.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn size(&self, input: impl Input) -> Size<'_> {
        Size(Node::new(self, "Size").input(input))
    }

    /// Returns `size[i]` positions of each axis `i`, starting at `begin[i]`; a size of -1 means all remaining positions.
    ///
    /// - `input`: a tensor of `T`
    /// - `begin`: a tensor of `Index`
    /// - `size`: a tensor of `Index`
    ///
    /// `T` is any dtype. `Index` is int32, int64.
    pub fn slice(&self, input: impl Input, begin: impl Input, size: impl Input) -> Slice<'_> {
        Slice(Node::new(self, "Slice").input(input).input(begin).input(size))
    }

    /// Returns a snapshot of its input, which later changes to the variable do not affect.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn snapshot(&self, input: impl Input) -> Snapshot<'_> {
        Snapshot(Node::new(self, "Snapshot").input(input))
    }

    /// `SpaceToBatchND` for images, with square blocks.
    ///
    /// - `input`: a tensor of `T`
    /// - `paddings`: a tensor of `Tpaddings`
    /// - `block_size`: Side length of a block. At least 2.
    ///
    /// `T` is any dtype. `Tpaddings` is int32, int64.
    pub fn space_to_batch(&self, input: impl Input, paddings: impl Input, block_size: i64) -> SpaceToBatch<'_> {
        let mut node = Node::new(self, "SpaceToBatch").input(input).input(paddings);
        node.set("block_size", block_size);
        SpaceToBatch(node)
    }

    /// Pads the axes after the first by `paddings`, divides them into blocks of shape `block_shape`, and moves each position within a block into a batch of its own.
    ///
    /// - `input`: a tensor of `T`
    /// - `block_shape`: a tensor of `Tblock_shape`
    /// - `paddings`: a tensor of `Tpaddings`
    ///
    /// `T` is any dtype. `Tblock_shape` is int32, int64. `Tpaddings` is int32, int64.
    pub fn space_to_batch_nd(&self, input: impl Input, block_shape: impl Input, paddings: impl Input) -> SpaceToBatchND<'_> {
        SpaceToBatchND(Node::new(self, "SpaceToBatchND").input(input).input(block_shape).input(paddings))
    }

    /// Moves blocks of `block_size` x `block_size` pixels into the channels.
    ///
    /// - `input`: a tensor of `T`
    /// - `block_size`: Side length of a block. At least 2.
    ///
    /// `T` is any dtype.
    pub fn space_to_depth(&self, input: impl Input, block_size: i64) -> SpaceToDepth<'_> {
        let mut node = Node::new(self, "SpaceToDepth").input(input);
        node.set("block_size", block_size);
        SpaceToDepth(node)
    }

    /// Splits `value` into `num_split` equal pieces along axis `split_dim`.
    ///
    /// - `split_dim`: a tensor of int32
    /// - `value`: a tensor of `T`
    /// - `num_split`: Number of pieces. At least 1.
    ///
    /// `T` is any dtype.
    pub fn split(&self, split_dim: impl Input, value: impl Input, num_split: i64) -> Split<'_> {
        let mut node = Node::new(self, "Split").input(split_dim).input(value);
        node.set("num_split", num_split);
        Split(node)
    }

    /// Splits `value` along axis `split_dim` into pieces of sizes `size_splits`, one of which may be -1 for the remainder.
    ///
    /// - `value`: a tensor of `T`
    /// - `size_splits`: a tensor of `Tlen`
    /// - `split_dim`: a tensor of int32
    /// - `num_split`: Number of pieces. At least 1.
    ///
    /// `T` is any dtype. `Tlen` is int32, int8, int64.
    pub fn split_v(&self, value: impl Input, size_splits: impl Input, split_dim: impl Input, num_split: i64) -> SplitV<'_> {
        let mut node = Node::new(self, "SplitV").input(value).input(size_splits).input(split_dim);
        node.set("num_split", num_split);
        SplitV(node)
    }

    /// Removes the axes `squeeze_dims`, which must be of size 1; if none are given, all axes of size 1.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn squeeze(&self, input: impl Input) -> Squeeze<'_> {
        Squeeze(Node::new(self, "Squeeze").input(input))
    }

    /// Returns its input and stops gradients from flowing through it.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn stop_gradient(&self, input: impl Input) -> StopGradient<'_> {
        StopGradient(Node::new(self, "StopGradient").input(input))
    }

    /// Returns the elements of `input` from `begin` to `end` in steps of `strides` along each axis.
    ///
    /// - `input`: a tensor of `T`
    /// - `begin`: a tensor of `Index`
    /// - `end`: a tensor of `Index`
    /// - `strides`: a tensor of `Index`
    ///
    /// `T` is any dtype. `Index` is int32, int16, int64.
    pub fn strided_slice(&self, input: impl Input, begin: impl Input, end: impl Input, strides: impl Input) -> StridedSlice<'_> {
        StridedSlice(Node::new(self, "StridedSlice").input(input).input(begin).input(end).input(strides))
    }

    /// Returns a tensor of shape `shape` that holds `dy` at the positions of the slice, and 0 elsewhere.
    ///
    /// - `shape`: a tensor of `Index`
    /// - `begin`: a tensor of `Index`
    /// - `end`: a tensor of `Index`
    /// - `strides`: a tensor of `Index`
    /// - `dy`: a tensor of `T`
    ///
    /// `T` is any dtype. `Index` is int32, int64.
    pub fn strided_slice_grad(&self, shape: impl Input, begin: impl Input, end: impl Input, strides: impl Input, dy: impl Input) -> StridedSliceGrad<'_> {
        StridedSliceGrad(Node::new(self, "StridedSliceGrad").input(shape).input(begin).input(end).input(strides).input(dy))
    }

    /// Returns `tensor` with `updates` added at the index tuples `indices`.
    ///
    /// - `tensor`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any dtype. `Tindices` is int32, int64.
    pub fn tensor_scatter_add(&self, tensor: impl Input, indices: impl Input, updates: impl Input) -> TensorScatterAdd<'_> {
        TensorScatterAdd(Node::new(self, "TensorScatterAdd").input(tensor).input(indices).input(updates))
    }

    /// Takes the elementwise maximum of `tensor` and `updates` at the index tuples `indices`.
    ///
    /// - `tensor`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any dtype. `Tindices` is int32, int64.
    pub fn tensor_scatter_max(&self, tensor: impl Input, indices: impl Input, updates: impl Input) -> TensorScatterMax<'_> {
        TensorScatterMax(Node::new(self, "TensorScatterMax").input(tensor).input(indices).input(updates))
    }

    /// Takes the elementwise minimum of `tensor` and `updates` at the index tuples `indices`.
    ///
    /// - `tensor`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any dtype. `Tindices` is int32, int64.
    pub fn tensor_scatter_min(&self, tensor: impl Input, indices: impl Input, updates: impl Input) -> TensorScatterMin<'_> {
        TensorScatterMin(Node::new(self, "TensorScatterMin").input(tensor).input(indices).input(updates))
    }

    /// Returns `tensor` with `updates` subtracted at the index tuples `indices`.
    ///
    /// - `tensor`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any dtype. `Tindices` is int32, int64.
    pub fn tensor_scatter_sub(&self, tensor: impl Input, indices: impl Input, updates: impl Input) -> TensorScatterSub<'_> {
        TensorScatterSub(Node::new(self, "TensorScatterSub").input(tensor).input(indices).input(updates))
    }

    /// Returns `tensor` with the slices at the index tuples `indices` replaced by `updates`.
    ///
    /// - `tensor`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any dtype. `Tindices` is int32, int16, int64, uint16.
    pub fn tensor_scatter_update(&self, tensor: impl Input, indices: impl Input, updates: impl Input) -> TensorScatterUpdate<'_> {
        TensorScatterUpdate(Node::new(self, "TensorScatterUpdate").input(tensor).input(indices).input(updates))
    }

    /// Returns `input` with the slice replaced by `value`, which is broadcast.
    ///
    /// - `input`: a tensor of `T`
    /// - `begin`: a tensor of `Index`
    /// - `end`: a tensor of `Index`
    /// - `strides`: a tensor of `Index`
    /// - `value`: a tensor of `T`
    ///
    /// `T` is any dtype. `Index` is int32, int64.
    pub fn tensor_strided_slice_update(&self, input: impl Input, begin: impl Input, end: impl Input, strides: impl Input, value: impl Input) -> TensorStridedSliceUpdate<'_> {
        TensorStridedSliceUpdate(Node::new(self, "TensorStridedSliceUpdate").input(input).input(begin).input(end).input(strides).input(value))
    }

    /// Repeats `input` `multiples[i]` times along axis `i`.
    ///
    /// - `input`: a tensor of `T`
    /// - `multiples`: a tensor of `Tmultiples`
    ///
    /// `T` is any dtype. `Tmultiples` is int32, int64.
    pub fn tile(&self, input: impl Input, multiples: impl Input) -> Tile<'_> {
        Tile(Node::new(self, "Tile").input(input).input(multiples))
    }

    /// The gradient of `Tile` in old graphs: sums over all repetitions.
    ///
    /// - `input`: a tensor of `T`
    /// - `multiples`: a tensor of int32
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn tile_grad(&self, input: impl Input, multiples: impl Input) -> TileGrad<'_> {
        TileGrad(Node::new(self, "TileGrad").input(input).input(multiples))
    }

    /// Permutes the axes: axis `i` of the result is axis `perm[i]` of `x`.
    ///
    /// - `x`: a tensor of `T`
    /// - `perm`: a tensor of `Tperm`
    ///
    /// `T` is any dtype. `Tperm` is int32, int64.
    pub fn transpose(&self, x: impl Input, perm: impl Input) -> Transpose<'_> {
        Transpose(Node::new(self, "Transpose").input(x).input(perm))
    }

    /// Returns the distinct values of `x` in order of first occurrence, and for each element the index of its value.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn unique(&self, x: impl Input) -> Unique<'_> {
        Unique(Node::new(self, "Unique").input(x))
    }

    /// Returns the distinct slices along `axis`, and for each slice its index.
    ///
    /// - `x`: a tensor of `T`
    /// - `axis`: a tensor of `Taxis`
    ///
    /// `T` is any dtype. `Taxis` is int32, int64.
    pub fn unique_v2(&self, x: impl Input, axis: impl Input) -> UniqueV2<'_> {
        UniqueV2(Node::new(self, "UniqueV2").input(x).input(axis))
    }

    /// Like `Unique`, with the number of occurrences of each value.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn unique_with_counts(&self, x: impl Input) -> UniqueWithCounts<'_> {
        UniqueWithCounts(Node::new(self, "UniqueWithCounts").input(x))
    }

    /// Like `UniqueV2`, with the number of occurrences of each slice.
    ///
    /// - `x`: a tensor of `T`
    /// - `axis`: a tensor of `Taxis`
    ///
    /// `T` is any dtype. `Taxis` is int32, int64.
    ///
    /// It has no gradient.
    pub fn unique_with_counts_v2(&self, x: impl Input, axis: impl Input) -> UniqueWithCountsV2<'_> {
        UniqueWithCountsV2(Node::new(self, "UniqueWithCountsV2").input(x).input(axis))
    }

    /// Unstacks `value` along axis `axis` into `num` tensors.
    ///
    /// - `value`: a tensor of `T`
    /// - `num`: Number of tensors. At least 0.
    ///
    /// `T` is any dtype.
    pub fn unpack(&self, value: impl Input, num: i64) -> Unpack<'_> {
        let mut node = Node::new(self, "Unpack").input(value);
        node.set("num", num);
        Unpack(node)
    }

    /// Converts each of the flat `indices` to its position along each axis of an array of shape `dims`.
    ///
    /// - `indices`: a tensor of `Tidx`
    /// - `dims`: a tensor of `Tidx`
    ///
    /// `Tidx` is int32, int64.
    pub fn unravel_index(&self, indices: impl Input, dims: impl Input) -> UnravelIndex<'_> {
        UnravelIndex(Node::new(self, "UnravelIndex").input(indices).input(dims))
    }

    /// Returns for each value the number of elements of its sorted row that are less than or equal to it.
    ///
    /// - `sorted_inputs`: a tensor of `T`
    /// - `values`: a tensor of `T`
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn upper_bound(&self, sorted_inputs: impl Input, values: impl Input) -> UpperBound<'_> {
        UpperBound(Node::new(self, "UpperBound").input(sorted_inputs).input(values))
    }

    /// Returns the index tuples of the elements that are true or nonzero, one per row, in row-major order.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any number, also quantized, bool.
    pub fn where_(&self, input: impl Input) -> Where<'_> {
        Where(Node::new(self, "Where").input(input))
    }

    /// Returns zeros in the shape of `x`; for variants, the zero of each one's kind.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn zeros_like(&self, x: impl Input) -> ZerosLike<'_> {
        ZerosLike(Node::new(self, "ZerosLike").input(x))
    }
}

/// A node of [`BatchMatrixBandPart`](Ops::batch_matrix_band_part) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchMatrixBandPart<'a>(Node<'a>);

/// A node of [`BatchMatrixDiag`](Ops::batch_matrix_diag) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchMatrixDiag<'a>(Node<'a>);

/// A node of [`BatchMatrixDiagPart`](Ops::batch_matrix_diag_part) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchMatrixDiagPart<'a>(Node<'a>);

/// A node of [`BatchMatrixSetDiag`](Ops::batch_matrix_set_diag) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchMatrixSetDiag<'a>(Node<'a>);

/// A node of [`BatchToSpace`](Ops::batch_to_space) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchToSpace<'a>(Node<'a>);

/// A node of [`BatchToSpaceND`](Ops::batch_to_space_nd) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchToSpaceND<'a>(Node<'a>);

/// A node of [`Bitcast`](Ops::bitcast) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Bitcast<'a>(Node<'a>);

/// A node of [`BroadcastArgs`](Ops::broadcast_args) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BroadcastArgs<'a>(Node<'a>);

/// A node of [`BroadcastGradientArgs`](Ops::broadcast_gradient_args) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BroadcastGradientArgs<'a>(Node<'a>);

impl BroadcastGradientArgs<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> BroadcastGradientArgsOutputs {
        let mut outputs = self.0.outputs();
        BroadcastGradientArgsOutputs { r0: outputs.one(), r1: outputs.one() }
    }
}

/// The outputs of [`BroadcastGradientArgs`](Ops::broadcast_gradient_args).
#[derive(Clone, Copy, Debug)]
pub struct BroadcastGradientArgsOutputs {
    /// A tensor of `T`.
    pub r0: Output,
    /// A tensor of `T`.
    pub r1: Output,
}

/// A node of [`BroadcastTo`](Ops::broadcast_to) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BroadcastTo<'a>(Node<'a>);

/// A node of [`Bucketize`](Ops::bucketize) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Bucketize<'a>(Node<'a>);

/// A node of [`Concat`](Ops::concat) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Concat<'a>(Node<'a>);

/// A node of [`ConcatOffset`](Ops::concat_offset) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ConcatOffset<'a>(Node<'a>);

impl ConcatOffset<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`ConcatV2`](Ops::concat_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ConcatV2<'a>(Node<'a>);

/// A node of [`ConjugateTranspose`](Ops::conjugate_transpose) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ConjugateTranspose<'a>(Node<'a>);

/// A node of [`Const`](Ops::const_) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Const<'a>(Node<'a>);

/// A node of [`Copy`](Ops::copy) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Copy<'a>(Node<'a>);

impl Copy<'_> {
    /// Name of the tensor, for debuggers. Default: `""`.
    pub fn tensor_name(mut self, tensor_name: impl AsRef<[u8]>) -> Self {
        self.0.set("tensor_name", string(tensor_name));
        self
    }

    /// What debuggers do with the tensor. Default: none.
    pub fn debug_ops_spec(mut self, debug_ops_spec: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("debug_ops_spec", strings(debug_ops_spec));
        self
    }
}

/// A node of [`CopyHost`](Ops::copy_host) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CopyHost<'a>(Node<'a>);

impl CopyHost<'_> {
    /// Name of the tensor, for debuggers. Default: `""`.
    pub fn tensor_name(mut self, tensor_name: impl AsRef<[u8]>) -> Self {
        self.0.set("tensor_name", string(tensor_name));
        self
    }

    /// What debuggers do with the tensor. Default: none.
    pub fn debug_ops_spec(mut self, debug_ops_spec: &[impl AsRef<[u8]>]) -> Self {
        self.0.set("debug_ops_spec", strings(debug_ops_spec));
        self
    }
}

/// A node of [`DebugGradientIdentity`](Ops::debug_gradient_identity) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DebugGradientIdentity<'a>(Node<'a>);

/// A node of [`DeepCopy`](Ops::deep_copy) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DeepCopy<'a>(Node<'a>);

/// A node of [`DepthToSpace`](Ops::depth_to_space) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DepthToSpace<'a>(Node<'a>);

impl DepthToSpace<'_> {
    /// Order of the axes. One of `"NHWC"`, `"NCHW"`, `"NCHW_VECT_C"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }
}

/// A node of [`Diag`](Ops::diag) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Diag<'a>(Node<'a>);

/// A node of [`DiagPart`](Ops::diag_part) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DiagPart<'a>(Node<'a>);

/// A node of [`DynamicPartition`](Ops::dynamic_partition) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DynamicPartition<'a>(Node<'a>);

impl DynamicPartition<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`DynamicStitch`](Ops::dynamic_stitch) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DynamicStitch<'a>(Node<'a>);

/// A node of [`Empty`](Ops::empty) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Empty<'a>(Node<'a>);

impl Empty<'_> {
    /// Whether the elements must be zero. Default: `false`.
    pub fn init(mut self, init: bool) -> Self {
        self.0.set("init", init);
        self
    }
}

/// A node of [`EnsureShape`](Ops::ensure_shape) that is being described.
#[must_use = "it is no node before it is added"]
pub struct EnsureShape<'a>(Node<'a>);

/// A node of [`ExpandDims`](Ops::expand_dims) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ExpandDims<'a>(Node<'a>);

/// A node of [`FakeParam`](Ops::fake_param) that is being described.
#[must_use = "it is no node before it is added"]
pub struct FakeParam<'a>(Node<'a>);

/// A node of [`Fill`](Ops::fill) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Fill<'a>(Node<'a>);

/// A node of [`Gather`](Ops::gather) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Gather<'a>(Node<'a>);

impl Gather<'_> {
    /// Ignored: indices are always checked. Default: `true`.
    pub fn validate_indices(mut self, validate_indices: bool) -> Self {
        self.0.set("validate_indices", validate_indices);
        self
    }
}

/// A node of [`GatherNd`](Ops::gather_nd) that is being described.
#[must_use = "it is no node before it is added"]
pub struct GatherNd<'a>(Node<'a>);

impl GatherNd<'_> {
    /// Handling of out-of-bounds indices: an error by default, zeros with `IGNORE`. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`GatherV2`](Ops::gather_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct GatherV2<'a>(Node<'a>);

impl GatherV2<'_> {
    /// Number of leading axes that `params` and `indices` share; a negative value counts from the end of `indices`. Default: `0`.
    pub fn batch_dims(mut self, batch_dims: i64) -> Self {
        self.0.set("batch_dims", batch_dims);
        self
    }
}

/// A node of [`GuaranteeConst`](Ops::guarantee_const) that is being described.
#[must_use = "it is no node before it is added"]
pub struct GuaranteeConst<'a>(Node<'a>);

/// A node of [`Identity`](Ops::identity) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Identity<'a>(Node<'a>);

/// A node of [`IdentityN`](Ops::identity_n) that is being described.
#[must_use = "it is no node before it is added"]
pub struct IdentityN<'a>(Node<'a>);

impl IdentityN<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`InplaceAdd`](Ops::inplace_add) that is being described.
#[must_use = "it is no node before it is added"]
pub struct InplaceAdd<'a>(Node<'a>);

/// A node of [`InplaceSub`](Ops::inplace_sub) that is being described.
#[must_use = "it is no node before it is added"]
pub struct InplaceSub<'a>(Node<'a>);

/// A node of [`InplaceUpdate`](Ops::inplace_update) that is being described.
#[must_use = "it is no node before it is added"]
pub struct InplaceUpdate<'a>(Node<'a>);

/// A node of [`InvertPermutation`](Ops::invert_permutation) that is being described.
#[must_use = "it is no node before it is added"]
pub struct InvertPermutation<'a>(Node<'a>);

/// A node of [`LinSpace`](Ops::lin_space) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LinSpace<'a>(Node<'a>);

/// A node of [`ListDiff`](Ops::list_diff) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ListDiff<'a>(Node<'a>);

impl ListDiff<'_> {
    /// Element type of the indices. Allowed: int32, int64. Default: int32.
    pub fn out_idx(mut self, out_idx: DType) -> Self {
        self.0.set("out_idx", out_idx);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> ListDiffOutputs {
        let mut outputs = self.0.outputs();
        ListDiffOutputs { out: outputs.one(), idx: outputs.one() }
    }
}

/// The outputs of [`ListDiff`](Ops::list_diff).
#[derive(Clone, Copy, Debug)]
pub struct ListDiffOutputs {
    /// A tensor of `T`.
    pub out: Output,
    /// A tensor of `out_idx`.
    pub idx: Output,
}

/// A node of [`LowerBound`](Ops::lower_bound) that is being described.
#[must_use = "it is no node before it is added"]
pub struct LowerBound<'a>(Node<'a>);

impl LowerBound<'_> {
    /// Element type of the result. Allowed: int32, int64. Default: int32.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }
}

/// A node of [`MatrixBandPart`](Ops::matrix_band_part) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MatrixBandPart<'a>(Node<'a>);

/// A node of [`MatrixDiag`](Ops::matrix_diag) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MatrixDiag<'a>(Node<'a>);

/// A node of [`MatrixDiagPart`](Ops::matrix_diag_part) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MatrixDiagPart<'a>(Node<'a>);

/// A node of [`MatrixDiagPartV2`](Ops::matrix_diag_part_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MatrixDiagPartV2<'a>(Node<'a>);

/// A node of [`MatrixDiagPartV3`](Ops::matrix_diag_part_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MatrixDiagPartV3<'a>(Node<'a>);

impl MatrixDiagPartV3<'_> {
    /// Alignment of diagonals shorter than the longest within their rows: superdiagonals, then subdiagonals. One of `"LEFT_RIGHT"`, `"RIGHT_LEFT"`, `"LEFT_LEFT"`, `"RIGHT_RIGHT"`. Default: `"RIGHT_LEFT"`.
    pub fn align(mut self, align: impl AsRef<[u8]>) -> Self {
        self.0.set("align", string(align));
        self
    }
}

/// A node of [`MatrixDiagV2`](Ops::matrix_diag_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MatrixDiagV2<'a>(Node<'a>);

/// A node of [`MatrixDiagV3`](Ops::matrix_diag_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MatrixDiagV3<'a>(Node<'a>);

impl MatrixDiagV3<'_> {
    /// Alignment of diagonals shorter than the longest within their rows: superdiagonals, then subdiagonals. One of `"LEFT_RIGHT"`, `"RIGHT_LEFT"`, `"LEFT_LEFT"`, `"RIGHT_RIGHT"`. Default: `"RIGHT_LEFT"`.
    pub fn align(mut self, align: impl AsRef<[u8]>) -> Self {
        self.0.set("align", string(align));
        self
    }
}

/// A node of [`MatrixSetDiag`](Ops::matrix_set_diag) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MatrixSetDiag<'a>(Node<'a>);

/// A node of [`MatrixSetDiagV2`](Ops::matrix_set_diag_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MatrixSetDiagV2<'a>(Node<'a>);

/// A node of [`MatrixSetDiagV3`](Ops::matrix_set_diag_v3) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MatrixSetDiagV3<'a>(Node<'a>);

impl MatrixSetDiagV3<'_> {
    /// Alignment of diagonals shorter than the longest within their rows: superdiagonals, then subdiagonals. One of `"LEFT_RIGHT"`, `"RIGHT_LEFT"`, `"LEFT_LEFT"`, `"RIGHT_RIGHT"`. Default: `"RIGHT_LEFT"`.
    pub fn align(mut self, align: impl AsRef<[u8]>) -> Self {
        self.0.set("align", string(align));
        self
    }
}

/// A node of [`MirrorPad`](Ops::mirror_pad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MirrorPad<'a>(Node<'a>);

/// A node of [`MirrorPadGrad`](Ops::mirror_pad_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct MirrorPadGrad<'a>(Node<'a>);

/// A node of [`OneHot`](Ops::one_hot) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OneHot<'a>(Node<'a>);

impl OneHot<'_> {
    /// Position of the new axis; -1 for the last. Default: `-1`.
    pub fn axis(mut self, axis: i64) -> Self {
        self.0.set("axis", axis);
        self
    }
}

/// A node of [`OnesLike`](Ops::ones_like) that is being described.
#[must_use = "it is no node before it is added"]
pub struct OnesLike<'a>(Node<'a>);

/// A node of [`Pack`](Ops::pack) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Pack<'a>(Node<'a>);

impl Pack<'_> {
    /// Position of the new axis; a negative value counts from the end of the result. Default: `0`.
    pub fn axis(mut self, axis: i64) -> Self {
        self.0.set("axis", axis);
        self
    }
}

/// A node of [`Pad`](Ops::pad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Pad<'a>(Node<'a>);

/// A node of [`PadV2`](Ops::pad_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct PadV2<'a>(Node<'a>);

/// A node of [`ParallelConcat`](Ops::parallel_concat) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ParallelConcat<'a>(Node<'a>);

/// A node of [`ParallelDynamicStitch`](Ops::parallel_dynamic_stitch) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ParallelDynamicStitch<'a>(Node<'a>);

/// A node of [`Placeholder`](Ops::placeholder) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Placeholder<'a>(Node<'a>);

impl Placeholder<'_> {
    /// Shape of the fed tensor. Default: not known.
    pub fn shape(mut self, shape: impl Into<PartialShape>) -> Self {
        self.0.set("shape", Into::<PartialShape>::into(shape));
        self
    }
}

/// A node of [`PlaceholderV2`](Ops::placeholder_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct PlaceholderV2<'a>(Node<'a>);

/// A node of [`PlaceholderWithDefault`](Ops::placeholder_with_default) that is being described.
#[must_use = "it is no node before it is added"]
pub struct PlaceholderWithDefault<'a>(Node<'a>);

/// A node of [`PreventGradient`](Ops::prevent_gradient) that is being described.
#[must_use = "it is no node before it is added"]
pub struct PreventGradient<'a>(Node<'a>);

impl PreventGradient<'_> {
    /// Message of the error that asking for the gradient raises. Default: `""`.
    pub fn message(mut self, message: impl AsRef<[u8]>) -> Self {
        self.0.set("message", string(message));
        self
    }
}

/// A node of [`Range`](Ops::range) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Range<'a>(Node<'a>);

/// A node of [`Rank`](Ops::rank) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Rank<'a>(Node<'a>);

/// A node of [`Reshape`](Ops::reshape) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Reshape<'a>(Node<'a>);

/// A node of [`Reverse`](Ops::reverse) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Reverse<'a>(Node<'a>);

/// A node of [`ReverseSequence`](Ops::reverse_sequence) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReverseSequence<'a>(Node<'a>);

impl ReverseSequence<'_> {
    /// The batch axis. Default: `0`.
    pub fn batch_dim(mut self, batch_dim: i64) -> Self {
        self.0.set("batch_dim", batch_dim);
        self
    }
}

/// A node of [`ReverseV2`](Ops::reverse_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ReverseV2<'a>(Node<'a>);

/// A node of [`Roll`](Ops::roll) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Roll<'a>(Node<'a>);

/// A node of [`ScatterNd`](Ops::scatter_nd) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ScatterNd<'a>(Node<'a>);

impl ScatterNd<'_> {
    /// Handling of out-of-bounds indices: an error by default; with `IGNORE` their updates are skipped. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`ScatterNdNonAliasingAdd`](Ops::scatter_nd_non_aliasing_add) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ScatterNdNonAliasingAdd<'a>(Node<'a>);

impl ScatterNdNonAliasingAdd<'_> {
    /// Handling of out-of-bounds indices: an error by default; with `IGNORE` their updates are skipped. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`Shape`](Ops::shape) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Shape<'a>(Node<'a>);

impl Shape<'_> {
    /// Element type of the result. Allowed: int32, int64. Default: int32.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }
}

/// A node of [`ShapeN`](Ops::shape_n) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ShapeN<'a>(Node<'a>);

impl ShapeN<'_> {
    /// Element type of the results. Allowed: int32, int64. Default: int32.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`Size`](Ops::size) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Size<'a>(Node<'a>);

impl Size<'_> {
    /// Element type of the result. Allowed: int32, int64. Default: int32.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }
}

/// A node of [`Slice`](Ops::slice) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Slice<'a>(Node<'a>);

/// A node of [`Snapshot`](Ops::snapshot) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Snapshot<'a>(Node<'a>);

/// A node of [`SpaceToBatch`](Ops::space_to_batch) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SpaceToBatch<'a>(Node<'a>);

/// A node of [`SpaceToBatchND`](Ops::space_to_batch_nd) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SpaceToBatchND<'a>(Node<'a>);

/// A node of [`SpaceToDepth`](Ops::space_to_depth) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SpaceToDepth<'a>(Node<'a>);

impl SpaceToDepth<'_> {
    /// Order of the axes. One of `"NHWC"`, `"NCHW"`, `"NCHW_VECT_C"`. Default: `"NHWC"`.
    pub fn data_format(mut self, data_format: impl AsRef<[u8]>) -> Self {
        self.0.set("data_format", string(data_format));
        self
    }
}

/// A node of [`Split`](Ops::split) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Split<'a>(Node<'a>);

impl Split<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`SplitV`](Ops::split_v) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SplitV<'a>(Node<'a>);

impl SplitV<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`Squeeze`](Ops::squeeze) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Squeeze<'a>(Node<'a>);

impl Squeeze<'_> {
    /// The axes; negative ones count from the end. Default: none.
    pub fn squeeze_dims(mut self, squeeze_dims: &[i64]) -> Self {
        self.0.set("squeeze_dims", squeeze_dims.to_vec());
        self
    }
}

/// A node of [`StopGradient`](Ops::stop_gradient) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StopGradient<'a>(Node<'a>);

/// A node of [`StridedSlice`](Ops::strided_slice) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StridedSlice<'a>(Node<'a>);

impl StridedSlice<'_> {
    /// Bit `i` set: ignore `begin[i]` and start at the first element in the direction of the stride. Default: `0`.
    pub fn begin_mask(mut self, begin_mask: i64) -> Self {
        self.0.set("begin_mask", begin_mask);
        self
    }

    /// Bit `i` set: ignore `end[i]` and continue to the last element in the direction of the stride. Default: `0`.
    pub fn end_mask(mut self, end_mask: i64) -> Self {
        self.0.set("end_mask", end_mask);
        self
    }

    /// Bit `i` set: entry `i` is an ellipsis, which stands for all remaining axes. Default: `0`.
    pub fn ellipsis_mask(mut self, ellipsis_mask: i64) -> Self {
        self.0.set("ellipsis_mask", ellipsis_mask);
        self
    }

    /// Bit `i` set: entry `i` is a new axis of size 1. Default: `0`.
    pub fn new_axis_mask(mut self, new_axis_mask: i64) -> Self {
        self.0.set("new_axis_mask", new_axis_mask);
        self
    }

    /// Bit `i` set: entry `i` selects one index and removes the axis. Default: `0`.
    pub fn shrink_axis_mask(mut self, shrink_axis_mask: i64) -> Self {
        self.0.set("shrink_axis_mask", shrink_axis_mask);
        self
    }
}

/// A node of [`StridedSliceGrad`](Ops::strided_slice_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StridedSliceGrad<'a>(Node<'a>);

impl StridedSliceGrad<'_> {
    /// Bit `i` set: ignore `begin[i]` and start at the first element in the direction of the stride. Default: `0`.
    pub fn begin_mask(mut self, begin_mask: i64) -> Self {
        self.0.set("begin_mask", begin_mask);
        self
    }

    /// Bit `i` set: ignore `end[i]` and continue to the last element in the direction of the stride. Default: `0`.
    pub fn end_mask(mut self, end_mask: i64) -> Self {
        self.0.set("end_mask", end_mask);
        self
    }

    /// Bit `i` set: entry `i` is an ellipsis, which stands for all remaining axes. Default: `0`.
    pub fn ellipsis_mask(mut self, ellipsis_mask: i64) -> Self {
        self.0.set("ellipsis_mask", ellipsis_mask);
        self
    }

    /// Bit `i` set: entry `i` is a new axis of size 1. Default: `0`.
    pub fn new_axis_mask(mut self, new_axis_mask: i64) -> Self {
        self.0.set("new_axis_mask", new_axis_mask);
        self
    }

    /// Bit `i` set: entry `i` selects one index and removes the axis. Default: `0`.
    pub fn shrink_axis_mask(mut self, shrink_axis_mask: i64) -> Self {
        self.0.set("shrink_axis_mask", shrink_axis_mask);
        self
    }
}

/// A node of [`TensorScatterAdd`](Ops::tensor_scatter_add) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorScatterAdd<'a>(Node<'a>);

impl TensorScatterAdd<'_> {
    /// Handling of out-of-bounds indices: an error by default; with `IGNORE` their updates are skipped. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`TensorScatterMax`](Ops::tensor_scatter_max) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorScatterMax<'a>(Node<'a>);

impl TensorScatterMax<'_> {
    /// Handling of out-of-bounds indices: an error by default; with `IGNORE` their updates are skipped. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`TensorScatterMin`](Ops::tensor_scatter_min) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorScatterMin<'a>(Node<'a>);

impl TensorScatterMin<'_> {
    /// Handling of out-of-bounds indices: an error by default; with `IGNORE` their updates are skipped. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`TensorScatterSub`](Ops::tensor_scatter_sub) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorScatterSub<'a>(Node<'a>);

impl TensorScatterSub<'_> {
    /// Handling of out-of-bounds indices: an error by default; with `IGNORE` their updates are skipped. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`TensorScatterUpdate`](Ops::tensor_scatter_update) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorScatterUpdate<'a>(Node<'a>);

impl TensorScatterUpdate<'_> {
    /// Handling of out-of-bounds indices: an error by default; with `IGNORE` their updates are skipped. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`TensorStridedSliceUpdate`](Ops::tensor_strided_slice_update) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorStridedSliceUpdate<'a>(Node<'a>);

impl TensorStridedSliceUpdate<'_> {
    /// Bit `i` set: ignore `begin[i]` and start at the first element in the direction of the stride. Default: `0`.
    pub fn begin_mask(mut self, begin_mask: i64) -> Self {
        self.0.set("begin_mask", begin_mask);
        self
    }

    /// Bit `i` set: ignore `end[i]` and continue to the last element in the direction of the stride. Default: `0`.
    pub fn end_mask(mut self, end_mask: i64) -> Self {
        self.0.set("end_mask", end_mask);
        self
    }

    /// Bit `i` set: entry `i` is an ellipsis, which stands for all remaining axes. Default: `0`.
    pub fn ellipsis_mask(mut self, ellipsis_mask: i64) -> Self {
        self.0.set("ellipsis_mask", ellipsis_mask);
        self
    }

    /// Bit `i` set: entry `i` is a new axis of size 1. Default: `0`.
    pub fn new_axis_mask(mut self, new_axis_mask: i64) -> Self {
        self.0.set("new_axis_mask", new_axis_mask);
        self
    }

    /// Bit `i` set: entry `i` selects one index and removes the axis. Default: `0`.
    pub fn shrink_axis_mask(mut self, shrink_axis_mask: i64) -> Self {
        self.0.set("shrink_axis_mask", shrink_axis_mask);
        self
    }
}

/// A node of [`Tile`](Ops::tile) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Tile<'a>(Node<'a>);

/// A node of [`TileGrad`](Ops::tile_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TileGrad<'a>(Node<'a>);

/// A node of [`Transpose`](Ops::transpose) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Transpose<'a>(Node<'a>);

/// A node of [`Unique`](Ops::unique) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Unique<'a>(Node<'a>);

impl Unique<'_> {
    /// Element type of the indices and counts. Allowed: int32, int64. Default: int32.
    pub fn out_idx(mut self, out_idx: DType) -> Self {
        self.0.set("out_idx", out_idx);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> UniqueOutputs {
        let mut outputs = self.0.outputs();
        UniqueOutputs { y: outputs.one(), idx: outputs.one() }
    }
}

/// The outputs of [`Unique`](Ops::unique).
#[derive(Clone, Copy, Debug)]
pub struct UniqueOutputs {
    /// A tensor of `T`.
    pub y: Output,
    /// A tensor of `out_idx`.
    pub idx: Output,
}

/// A node of [`UniqueV2`](Ops::unique_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UniqueV2<'a>(Node<'a>);

impl UniqueV2<'_> {
    /// Element type of the indices and counts. Allowed: int32, int64. Default: int32.
    pub fn out_idx(mut self, out_idx: DType) -> Self {
        self.0.set("out_idx", out_idx);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> UniqueV2Outputs {
        let mut outputs = self.0.outputs();
        UniqueV2Outputs { y: outputs.one(), idx: outputs.one() }
    }
}

/// The outputs of [`UniqueV2`](Ops::unique_v2).
#[derive(Clone, Copy, Debug)]
pub struct UniqueV2Outputs {
    /// A tensor of `T`.
    pub y: Output,
    /// A tensor of `out_idx`.
    pub idx: Output,
}

/// A node of [`UniqueWithCounts`](Ops::unique_with_counts) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UniqueWithCounts<'a>(Node<'a>);

impl UniqueWithCounts<'_> {
    /// Element type of the indices and counts. Allowed: int32, int64. Default: int32.
    pub fn out_idx(mut self, out_idx: DType) -> Self {
        self.0.set("out_idx", out_idx);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> UniqueWithCountsOutputs {
        let mut outputs = self.0.outputs();
        UniqueWithCountsOutputs { y: outputs.one(), idx: outputs.one(), count: outputs.one() }
    }
}

/// The outputs of [`UniqueWithCounts`](Ops::unique_with_counts).
#[derive(Clone, Copy, Debug)]
pub struct UniqueWithCountsOutputs {
    /// A tensor of `T`.
    pub y: Output,
    /// A tensor of `out_idx`.
    pub idx: Output,
    /// A tensor of `out_idx`.
    pub count: Output,
}

/// A node of [`UniqueWithCountsV2`](Ops::unique_with_counts_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UniqueWithCountsV2<'a>(Node<'a>);

impl UniqueWithCountsV2<'_> {
    /// Element type of the indices and counts. Allowed: int32, int64. Default: int32.
    pub fn out_idx(mut self, out_idx: DType) -> Self {
        self.0.set("out_idx", out_idx);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> UniqueWithCountsV2Outputs {
        let mut outputs = self.0.outputs();
        UniqueWithCountsV2Outputs { y: outputs.one(), idx: outputs.one(), count: outputs.one() }
    }
}

/// The outputs of [`UniqueWithCountsV2`](Ops::unique_with_counts_v2).
#[derive(Clone, Copy, Debug)]
pub struct UniqueWithCountsV2Outputs {
    /// A tensor of `T`.
    pub y: Output,
    /// A tensor of `out_idx`.
    pub idx: Output,
    /// A tensor of `out_idx`.
    pub count: Output,
}

/// A node of [`Unpack`](Ops::unpack) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Unpack<'a>(Node<'a>);

impl Unpack<'_> {
    /// The axis; a negative value counts from the end. Default: `0`.
    pub fn axis(mut self, axis: i64) -> Self {
        self.0.set("axis", axis);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`UnravelIndex`](Ops::unravel_index) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UnravelIndex<'a>(Node<'a>);

/// A node of [`UpperBound`](Ops::upper_bound) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UpperBound<'a>(Node<'a>);

impl UpperBound<'_> {
    /// Element type of the result. Allowed: int32, int64. Default: int32.
    pub fn out_type(mut self, out_type: DType) -> Self {
        self.0.set("out_type", out_type);
        self
    }
}

/// A node of [`Where`](Ops::where_) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Where<'a>(Node<'a>);

/// A node of [`ZerosLike`](Ops::zeros_like) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ZerosLike<'a>(Node<'a>);

common! {
    BatchMatrixBandPart
    BatchMatrixDiag
    BatchMatrixDiagPart
    BatchMatrixSetDiag
    BatchToSpace
    BatchToSpaceND
    Bitcast
    BroadcastArgs
    BroadcastGradientArgs
    BroadcastTo
    Bucketize
    Concat
    ConcatOffset
    ConcatV2
    ConjugateTranspose
    Const
    Copy
    CopyHost
    DebugGradientIdentity
    DeepCopy
    DepthToSpace
    Diag
    DiagPart
    DynamicPartition
    DynamicStitch
    Empty
    EnsureShape
    ExpandDims
    FakeParam
    Fill
    Gather
    GatherNd
    GatherV2
    GuaranteeConst
    Identity
    IdentityN
    InplaceAdd
    InplaceSub
    InplaceUpdate
    InvertPermutation
    LinSpace
    ListDiff
    LowerBound
    MatrixBandPart
    MatrixDiag
    MatrixDiagPart
    MatrixDiagPartV2
    MatrixDiagPartV3
    MatrixDiagV2
    MatrixDiagV3
    MatrixSetDiag
    MatrixSetDiagV2
    MatrixSetDiagV3
    MirrorPad
    MirrorPadGrad
    OneHot
    OnesLike
    Pack
    Pad
    PadV2
    ParallelConcat
    ParallelDynamicStitch
    Placeholder
    PlaceholderV2
    PlaceholderWithDefault
    PreventGradient
    Range
    Rank
    Reshape
    Reverse
    ReverseSequence
    ReverseV2
    Roll
    ScatterNd
    ScatterNdNonAliasingAdd
    Shape
    ShapeN
    Size
    Slice
    Snapshot
    SpaceToBatch
    SpaceToBatchND
    SpaceToDepth
    Split
    SplitV
    Squeeze
    StopGradient
    StridedSlice
    StridedSliceGrad
    TensorScatterAdd
    TensorScatterMax
    TensorScatterMin
    TensorScatterSub
    TensorScatterUpdate
    TensorStridedSliceUpdate
    Tile
    TileGrad
    Transpose
    Unique
    UniqueV2
    UniqueWithCounts
    UniqueWithCountsV2
    Unpack
    UnravelIndex
    UpperBound
    Where
    ZerosLike
}

one_output! {
    BatchMatrixBandPart
    BatchMatrixDiag
    BatchMatrixDiagPart
    BatchMatrixSetDiag
    BatchToSpace
    BatchToSpaceND
    Bitcast
    BroadcastArgs
    BroadcastTo
    Bucketize
    Concat
    ConcatV2
    ConjugateTranspose
    Const
    Copy
    CopyHost
    DebugGradientIdentity
    DeepCopy
    DepthToSpace
    Diag
    DiagPart
    DynamicStitch
    Empty
    EnsureShape
    ExpandDims
    FakeParam
    Fill
    Gather
    GatherNd
    GatherV2
    GuaranteeConst
    Identity
    InplaceAdd
    InplaceSub
    InplaceUpdate
    InvertPermutation
    LinSpace
    LowerBound
    MatrixBandPart
    MatrixDiag
    MatrixDiagPart
    MatrixDiagPartV2
    MatrixDiagPartV3
    MatrixDiagV2
    MatrixDiagV3
    MatrixSetDiag
    MatrixSetDiagV2
    MatrixSetDiagV3
    MirrorPad
    MirrorPadGrad
    OneHot
    OnesLike
    Pack
    Pad
    PadV2
    ParallelConcat
    ParallelDynamicStitch
    Placeholder
    PlaceholderV2
    PlaceholderWithDefault
    PreventGradient
    Range
    Rank
    Reshape
    Reverse
    ReverseSequence
    ReverseV2
    Roll
    ScatterNd
    ScatterNdNonAliasingAdd
    Shape
    Size
    Slice
    Snapshot
    SpaceToBatch
    SpaceToBatchND
    SpaceToDepth
    Squeeze
    StopGradient
    StridedSlice
    StridedSliceGrad
    TensorScatterAdd
    TensorScatterMax
    TensorScatterMin
    TensorScatterSub
    TensorScatterUpdate
    TensorStridedSliceUpdate
    Tile
    TileGrad
    Transpose
    UnravelIndex
    UpperBound
    Where
    ZerosLike
}
