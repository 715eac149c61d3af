// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `array`.

use crate::node::{Input, Node, Ops, common, one_output, string, strings};
use levada_graph::{DType, PartialShape, Tensor};
use levada_builder::Output;

impl Ops<'_> {
    /// The name of `MatrixBandPart` in old graphs.
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

    /// The name of `MatrixDiag` in old graphs.
    ///
    /// - `diagonal`: a tensor of `T`
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn batch_matrix_diag(&self, diagonal: impl Input) -> BatchMatrixDiag<'_> {
        BatchMatrixDiag(Node::new(self, "BatchMatrixDiag").input(diagonal))
    }

    /// The name of `MatrixDiagPart` in old graphs.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn batch_matrix_diag_part(&self, input: impl Input) -> BatchMatrixDiagPart<'_> {
        BatchMatrixDiagPart(Node::new(self, "BatchMatrixDiagPart").input(input))
    }

    /// The name of `MatrixSetDiag` in old graphs.
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

    /// `BatchToSpaceND` to images, with square blocks.
    ///
    /// - `input`: a tensor of `T`
    /// - `crops`: a tensor of `Tidx`
    /// - `block_size`: Side of a block. At least 2.
    ///
    /// `T` is any dtype. `Tidx` is int32, int64.
    pub fn batch_to_space(&self, input: impl Input, crops: impl Input, block_size: i64) -> BatchToSpace<'_> {
        let mut node = Node::new(self, "BatchToSpace").input(input).input(crops);
        node.set("block_size", block_size);
        BatchToSpace(node)
    }

    /// Puts batches together to blocks of `block_shape` in the axes after the first, and cuts `crops` off.
    ///
    /// - `input`: a tensor of `T`
    /// - `block_shape`: a tensor of `Tblock_shape`
    /// - `crops`: a tensor of `Tcrops`
    ///
    /// `T` is any dtype. `Tblock_shape` is int32, int64. `Tcrops` is int32, int64.
    pub fn batch_to_space_nd(&self, input: impl Input, block_shape: impl Input, crops: impl Input) -> BatchToSpaceND<'_> {
        BatchToSpaceND(Node::new(self, "BatchToSpaceND").input(input).input(block_shape).input(crops))
    }

    /// The bytes of `input` read as `type`. Where its elements are smaller there is one more axis, where they are larger the last axis goes away.
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

    /// The shape that tensors of the shapes `s0` and `s1` take when broadcast together.
    ///
    /// - `s0`: a tensor of `T`
    /// - `s1`: a tensor of `T`
    ///
    /// `T` is int32, int64.
    pub fn broadcast_args(&self, s0: impl Input, s1: impl Input) -> BroadcastArgs<'_> {
        BroadcastArgs(Node::new(self, "BroadcastArgs").input(s0).input(s1))
    }

    /// The axes over which the gradients of two operands of shapes `s0` and `s1` are summed up.
    ///
    /// - `s0`: a tensor of `T`
    /// - `s1`: a tensor of `T`
    ///
    /// `T` is int32, int64.
    pub fn broadcast_gradient_args(&self, s0: impl Input, s1: impl Input) -> BroadcastGradientArgs<'_> {
        BroadcastGradientArgs(Node::new(self, "BroadcastGradientArgs").input(s0).input(s1))
    }

    /// `input` broadcast to the shape `shape`.
    ///
    /// - `input`: a tensor of `T`
    /// - `shape`: a tensor of `Tidx`
    ///
    /// `T` is any dtype. `Tidx` is int32, int64.
    pub fn broadcast_to(&self, input: impl Input, shape: impl Input) -> BroadcastTo<'_> {
        BroadcastTo(Node::new(self, "BroadcastTo").input(input).input(shape))
    }

    /// For each element the number of `boundaries` that are not greater.
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

    /// `values` one after the other along axis `concat_dim`.
    ///
    /// - `concat_dim`: a tensor of int32
    /// - `values`: tensors of `T`, any number
    ///
    /// `T` is any dtype.
    pub fn concat(&self, concat_dim: impl Input, values: impl IntoIterator<Item = impl Input>) -> Concat<'_> {
        Concat(Node::new(self, "Concat").input(concat_dim).list(values))
    }

    /// For each of the shapes the offset of such a tensor in the concatenation of all along `concat_dim`.
    ///
    /// - `concat_dim`: a tensor of int32
    /// - `shape`: tensors of `shape_type`, any number
    ///
    /// `shape_type` is int32, int64.
    pub fn concat_offset(&self, concat_dim: impl Input, shape: impl IntoIterator<Item = impl Input>) -> ConcatOffset<'_> {
        ConcatOffset(Node::new(self, "ConcatOffset").input(concat_dim).list(shape))
    }

    /// `values` one after the other along axis `axis`.
    ///
    /// - `values`: tensors of `T`, any number
    /// - `axis`: a tensor of `Tidx`
    ///
    /// `T` is any dtype. `Tidx` is int32, int64.
    pub fn concat_v2(&self, values: impl IntoIterator<Item = impl Input>, axis: impl Input) -> ConcatV2<'_> {
        ConcatV2(Node::new(self, "ConcatV2").list(values).input(axis))
    }

    /// As `Transpose`, and complex numbers are conjugated.
    ///
    /// - `x`: a tensor of `T`
    /// - `perm`: a tensor of `Tperm`
    ///
    /// `T` is any dtype. `Tperm` is int32, int64.
    pub fn conjugate_transpose(&self, x: impl Input, perm: impl Input) -> ConjugateTranspose<'_> {
        ConjugateTranspose(Node::new(self, "ConjugateTranspose").input(x).input(perm))
    }

    /// Gives `value`.
    ///
    /// - `value`: The tensor.
    /// - `dtype`: Its element type. Allowed: any dtype.
    pub fn const_(&self, value: impl Into<Tensor>, dtype: DType) -> Const<'_> {
        let mut node = Node::new(self, "Const");
        node.set("value", Into::<Tensor>::into(value));
        node.set("dtype", dtype);
        Const(node)
    }

    /// A copy of its input.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn copy(&self, input: impl Input) -> Copy<'_> {
        Copy(Node::new(self, "Copy").input(input))
    }

    /// A copy of its input on the host.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn copy_host(&self, input: impl Input) -> CopyHost<'_> {
        CopyHost(Node::new(self, "CopyHost").input(input))
    }

    /// Gives its input; debuggers find gradients by it.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn debug_gradient_identity(&self, input: impl Input) -> DebugGradientIdentity<'_> {
        DebugGradientIdentity(Node::new(self, "DebugGradientIdentity").input(input))
    }

    /// A copy of its input.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn deep_copy(&self, x: impl Input) -> DeepCopy<'_> {
        DeepCopy(Node::new(self, "DeepCopy").input(x))
    }

    /// Makes blocks of `block_size` by `block_size` pixels out of the channels.
    ///
    /// - `input`: a tensor of `T`
    /// - `block_size`: Side of a block. At least 2.
    ///
    /// `T` is any dtype.
    pub fn depth_to_space(&self, input: impl Input, block_size: i64) -> DepthToSpace<'_> {
        let mut node = Node::new(self, "DepthToSpace").input(input);
        node.set("block_size", block_size);
        DepthToSpace(node)
    }

    /// A tensor of shape `[d.., d..]` that is `diagonal`, of shape `[d..]`, where both halves of the index agree.
    ///
    /// - `diagonal`: a tensor of `T`
    ///
    /// `T` is any float or complex number, int32, int64.
    pub fn diag(&self, diagonal: impl Input) -> Diag<'_> {
        Diag(Node::new(self, "Diag").input(diagonal))
    }

    /// The elements of a tensor of shape `[d.., d..]` where both halves of the index agree.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any float or complex number, int32, int64.
    pub fn diag_part(&self, input: impl Input) -> DiagPart<'_> {
        DiagPart(Node::new(self, "DiagPart").input(input))
    }

    /// For each partition the slices of `data` whose entry of `partitions` names it, in order.
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

    /// A tensor whose row `indices[i][j]` is `data[i][j]`; of several for one row the last counts.
    ///
    /// - `indices`: tensors of int32, any number
    /// - `data`: tensors of `T`, any number
    ///
    /// `T` is any dtype.
    pub fn dynamic_stitch(&self, indices: impl IntoIterator<Item = impl Input>, data: impl IntoIterator<Item = impl Input>) -> DynamicStitch<'_> {
        DynamicStitch(Node::new(self, "DynamicStitch").list(indices).list(data))
    }

    /// A tensor of shape `shape`. Its elements are zeros, whether or not `init` asks for it, so that runs agree.
    ///
    /// - `shape`: a tensor of int32
    /// - `dtype`: Element type. Allowed: any dtype.
    pub fn empty(&self, shape: impl Input, dtype: DType) -> Empty<'_> {
        let mut node = Node::new(self, "Empty").input(shape);
        node.set("dtype", dtype);
        Empty(node)
    }

    /// Gives its input, which must be of the shape `shape`.
    ///
    /// - `input`: a tensor of `T`
    /// - `shape`: The shape.
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

    /// Stands for a result that only another branch of a conditional has, and that nobody looks at.
    ///
    /// - `dtype`: Element type. Allowed: any dtype.
    /// - `shape`: Its shape, as far as it is known; sizes that are not known are zero.
    ///
    /// It has no gradient.
    pub fn fake_param(&self, dtype: DType, shape: impl Into<PartialShape>) -> FakeParam<'_> {
        let mut node = Node::new(self, "FakeParam");
        node.set("dtype", dtype);
        node.set("shape", Into::<PartialShape>::into(shape));
        FakeParam(node)
    }

    /// A tensor of shape `dims` of which every element is `value`.
    ///
    /// - `dims`: a tensor of `index_type`
    /// - `value`: a tensor of `T`
    ///
    /// `T` is any dtype. `index_type` is int32, int64.
    pub fn fill(&self, dims: impl Input, value: impl Input) -> Fill<'_> {
        Fill(Node::new(self, "Fill").input(dims).input(value))
    }

    /// The rows of `params` that `indices` name.
    ///
    /// - `params`: a tensor of `Tparams`
    /// - `indices`: a tensor of `Tindices`
    ///
    /// `Tparams` is any dtype. `Tindices` is int32, int64.
    pub fn gather(&self, params: impl Input, indices: impl Input) -> Gather<'_> {
        Gather(Node::new(self, "Gather").input(params).input(indices))
    }

    /// The slices of `params` at the index tuples in the last axis of `indices`.
    ///
    /// - `params`: a tensor of `Tparams`
    /// - `indices`: a tensor of `Tindices`
    ///
    /// `Tparams` is any dtype. `Tindices` is int32, int16, int64.
    pub fn gather_nd(&self, params: impl Input, indices: impl Input) -> GatherNd<'_> {
        GatherNd(Node::new(self, "GatherNd").input(params).input(indices))
    }

    /// The slices along `axis` of `params` that `indices` name; the first `batch_dims` axes are walked together.
    ///
    /// - `params`: a tensor of `Tparams`
    /// - `indices`: a tensor of `Tindices`
    /// - `axis`: a tensor of `Taxis`
    ///
    /// `Tparams` is any dtype. `Tindices` is int32, int16, int64. `Taxis` is int32, int64.
    pub fn gather_v2(&self, params: impl Input, indices: impl Input, axis: impl Input) -> GatherV2<'_> {
        GatherV2(Node::new(self, "GatherV2").input(params).input(indices).input(axis))
    }

    /// Gives its input, which never changes.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn guarantee_const(&self, input: impl Input) -> GuaranteeConst<'_> {
        GuaranteeConst(Node::new(self, "GuaranteeConst").input(input))
    }

    /// Gives its input.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn identity(&self, input: impl Input) -> Identity<'_> {
        Identity(Node::new(self, "Identity").input(input))
    }

    /// Gives its inputs.
    ///
    /// - `input`: tensors of any number and dtypes
    ///
    /// `T` is any dtype.
    pub fn identity_n(&self, input: impl IntoIterator<Item = impl Input>) -> IdentityN<'_> {
        IdentityN(Node::new(self, "IdentityN").list(input))
    }

    /// `x` with the rows `v` added to the rows `i`.
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

    /// `x` with the rows `v` subtracted from the rows `i`.
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

    /// `x` with the rows `v` in place of the rows `i`.
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

    /// `y` such that `y[x[i]] = i`.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is int32, int64.
    pub fn invert_permutation(&self, x: impl Input) -> InvertPermutation<'_> {
        InvertPermutation(Node::new(self, "InvertPermutation").input(x))
    }

    /// `num` numbers from `start` to `stop`.
    ///
    /// - `start`: a tensor of `T`
    /// - `stop`: a tensor of `T`
    /// - `num`: a tensor of `Tidx`
    ///
    /// `T` is any float. `Tidx` is int32, int64.
    pub fn lin_space(&self, start: impl Input, stop: impl Input, num: impl Input) -> LinSpace<'_> {
        LinSpace(Node::new(self, "LinSpace").input(start).input(stop).input(num))
    }

    /// The elements of `x` that are not in `y`, in order, and where in `x` they are.
    ///
    /// - `x`: a tensor of `T`
    /// - `y`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn list_diff(&self, x: impl Input, y: impl Input) -> ListDiff<'_> {
        ListDiff(Node::new(self, "ListDiff").input(x).input(y))
    }

    /// For each value the number of elements of its sorted row that are less.
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

    /// `input` with zeros further than `num_lower` below and `num_upper` above the main diagonal; negative keeps all.
    ///
    /// - `input`: a tensor of `T`
    /// - `num_lower`: a tensor of `Tindex`
    /// - `num_upper`: a tensor of `Tindex`
    ///
    /// `T` is any dtype. `Tindex` is int32, int64.
    pub fn matrix_band_part(&self, input: impl Input, num_lower: impl Input, num_upper: impl Input) -> MatrixBandPart<'_> {
        MatrixBandPart(Node::new(self, "MatrixBandPart").input(input).input(num_lower).input(num_upper))
    }

    /// Square matrices with `diagonal` as main diagonal and zeros elsewhere.
    ///
    /// - `diagonal`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn matrix_diag(&self, diagonal: impl Input) -> MatrixDiag<'_> {
        MatrixDiag(Node::new(self, "MatrixDiag").input(diagonal))
    }

    /// The main diagonals of matrices.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn matrix_diag_part(&self, input: impl Input) -> MatrixDiagPart<'_> {
        MatrixDiagPart(Node::new(self, "MatrixDiagPart").input(input))
    }

    /// The diagonals `k` of matrices, those that are shorter at the left.
    ///
    /// - `input`: a tensor of `T`
    /// - `k`: a tensor of int32
    /// - `padding_value`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn matrix_diag_part_v2(&self, input: impl Input, k: impl Input, padding_value: impl Input) -> MatrixDiagPartV2<'_> {
        MatrixDiagPartV2(Node::new(self, "MatrixDiagPartV2").input(input).input(k).input(padding_value))
    }

    /// The diagonals `k` of matrices.
    ///
    /// - `input`: a tensor of `T`
    /// - `k`: a tensor of int32
    /// - `padding_value`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn matrix_diag_part_v3(&self, input: impl Input, k: impl Input, padding_value: impl Input) -> MatrixDiagPartV3<'_> {
        MatrixDiagPartV3(Node::new(self, "MatrixDiagPartV3").input(input).input(k).input(padding_value))
    }

    /// Matrices with the diagonals `k` given, those that are shorter at the left, and `padding_value` elsewhere.
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

    /// Matrices with the diagonals `k` given and `padding_value` elsewhere.
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

    /// Matrices with another main diagonal.
    ///
    /// - `input`: a tensor of `T`
    /// - `diagonal`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn matrix_set_diag(&self, input: impl Input, diagonal: impl Input) -> MatrixSetDiag<'_> {
        MatrixSetDiag(Node::new(self, "MatrixSetDiag").input(input).input(diagonal))
    }

    /// Matrices with other diagonals `k`, those that are shorter at the left.
    ///
    /// - `input`: a tensor of `T`
    /// - `diagonal`: a tensor of `T`
    /// - `k`: a tensor of int32
    ///
    /// `T` is any dtype.
    pub fn matrix_set_diag_v2(&self, input: impl Input, diagonal: impl Input, k: impl Input) -> MatrixSetDiagV2<'_> {
        MatrixSetDiagV2(Node::new(self, "MatrixSetDiagV2").input(input).input(diagonal).input(k))
    }

    /// Matrices with other diagonals `k`.
    ///
    /// - `input`: a tensor of `T`
    /// - `diagonal`: a tensor of `T`
    /// - `k`: a tensor of int32
    ///
    /// `T` is any dtype.
    pub fn matrix_set_diag_v3(&self, input: impl Input, diagonal: impl Input, k: impl Input) -> MatrixSetDiagV3<'_> {
        MatrixSetDiagV3(Node::new(self, "MatrixSetDiagV3").input(input).input(diagonal).input(k))
    }

    /// `input` with its mirror image around it: `paddings[i]` says how much before and after along axis `i`.
    ///
    /// - `input`: a tensor of `T`
    /// - `paddings`: a tensor of `Tpaddings`
    /// - `mode`: Whether the outermost element is mirrored too. One of `"REFLECT"`, `"SYMMETRIC"`.
    ///
    /// `T` is any dtype. `Tpaddings` is int32, int64.
    pub fn mirror_pad(&self, input: impl Input, paddings: impl Input, mode: impl AsRef<[u8]>) -> MirrorPad<'_> {
        let mut node = Node::new(self, "MirrorPad").input(input).input(paddings);
        node.set("mode", string(mode));
        MirrorPad(node)
    }

    /// Folds the margins back: the gradient of `MirrorPad`.
    ///
    /// - `input`: a tensor of `T`
    /// - `paddings`: a tensor of `Tpaddings`
    /// - `mode`: Whether the outermost element is mirrored too. One of `"REFLECT"`, `"SYMMETRIC"`.
    ///
    /// `T` is any number. `Tpaddings` is int32, int64.
    pub fn mirror_pad_grad(&self, input: impl Input, paddings: impl Input, mode: impl AsRef<[u8]>) -> MirrorPadGrad<'_> {
        let mut node = Node::new(self, "MirrorPadGrad").input(input).input(paddings);
        node.set("mode", string(mode));
        MirrorPadGrad(node)
    }

    /// A new axis `axis` of size `depth`, `on_value` at the position that the index says and `off_value` elsewhere.
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

    /// Ones in the shape of `x`.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any number, bool.
    pub fn ones_like(&self, x: impl Input) -> OnesLike<'_> {
        OnesLike(Node::new(self, "OnesLike").input(x))
    }

    /// `values` side by side along a new axis `axis`.
    ///
    /// - `values`: tensors of `T`, any number
    ///
    /// `T` is any dtype.
    pub fn pack(&self, values: impl IntoIterator<Item = impl Input>) -> Pack<'_> {
        Pack(Node::new(self, "Pack").list(values))
    }

    /// `input` with zeros around it: `paddings[i]` says how many before and after along axis `i`.
    ///
    /// - `input`: a tensor of `T`
    /// - `paddings`: a tensor of `Tpaddings`
    ///
    /// `T` is any dtype. `Tpaddings` is int32, int64.
    pub fn pad(&self, input: impl Input, paddings: impl Input) -> Pad<'_> {
        Pad(Node::new(self, "Pad").input(input).input(paddings))
    }

    /// As `Pad`, with `constant_values` instead of zeros.
    ///
    /// - `input`: a tensor of `T`
    /// - `paddings`: a tensor of `Tpaddings`
    /// - `constant_values`: a tensor of `T`
    ///
    /// `T` is any dtype. `Tpaddings` is int32, int64.
    pub fn pad_v2(&self, input: impl Input, paddings: impl Input, constant_values: impl Input) -> PadV2<'_> {
        PadV2(Node::new(self, "PadV2").input(input).input(paddings).input(constant_values))
    }

    /// `values`, each of one row, one after the other.
    ///
    /// - `values`: tensors of `T`, any number
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

    /// A tensor whose row `indices[i][j]` is `data[i][j]`; of several for one row any may count.
    ///
    /// - `indices`: tensors of int32, any number
    /// - `data`: tensors of `T`, any number
    ///
    /// `T` is any dtype.
    pub fn parallel_dynamic_stitch(&self, indices: impl IntoIterator<Item = impl Input>, data: impl IntoIterator<Item = impl Input>) -> ParallelDynamicStitch<'_> {
        ParallelDynamicStitch(Node::new(self, "ParallelDynamicStitch").list(indices).list(data))
    }

    /// Stands for a tensor that must be fed.
    ///
    /// - `dtype`: Element type of what is fed. Allowed: any dtype.
    pub fn placeholder(&self, dtype: DType) -> Placeholder<'_> {
        let mut node = Node::new(self, "Placeholder");
        node.set("dtype", dtype);
        Placeholder(node)
    }

    /// Stands for a tensor that must be fed.
    ///
    /// - `dtype`: Element type of what is fed. Allowed: any dtype.
    /// - `shape`: Shape of what is fed.
    ///
    /// It has no gradient.
    pub fn placeholder_v2(&self, dtype: DType, shape: impl Into<PartialShape>) -> PlaceholderV2<'_> {
        let mut node = Node::new(self, "PlaceholderV2");
        node.set("dtype", dtype);
        node.set("shape", Into::<PartialShape>::into(shape));
        PlaceholderV2(node)
    }

    /// Gives its input unless another value is fed.
    ///
    /// - `input`: a tensor of `dtype`
    /// - `shape`: Shape of the default and of what is fed.
    ///
    /// `dtype` is any dtype.
    pub fn placeholder_with_default(&self, input: impl Input, shape: impl Into<PartialShape>) -> PlaceholderWithDefault<'_> {
        let mut node = Node::new(self, "PlaceholderWithDefault").input(input);
        node.set("shape", Into::<PartialShape>::into(shape));
        PlaceholderWithDefault(node)
    }

    /// Gives its input; asking for a gradient through it is an error.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn prevent_gradient(&self, input: impl Input) -> PreventGradient<'_> {
        PreventGradient(Node::new(self, "PreventGradient").input(input))
    }

    /// `start`, `start + delta`, ... up to `limit`, which is not included.
    ///
    /// - `start`: a tensor of `Tidx`
    /// - `limit`: a tensor of `Tidx`
    /// - `delta`: a tensor of `Tidx`
    ///
    /// `Tidx` is any integer or float.
    pub fn range(&self, start: impl Input, limit: impl Input, delta: impl Input) -> Range<'_> {
        Range(Node::new(self, "Range").input(start).input(limit).input(delta))
    }

    /// The number of axes of the input.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn rank(&self, input: impl Input) -> Rank<'_> {
        Rank(Node::new(self, "Rank").input(input))
    }

    /// Gives `tensor` the shape `shape`, of which one size may be -1 and follows from the others.
    ///
    /// - `tensor`: a tensor of `T`
    /// - `shape`: a tensor of `Tshape`
    ///
    /// `T` is any dtype. `Tshape` is int32, int64.
    pub fn reshape(&self, tensor: impl Input, shape: impl Input) -> Reshape<'_> {
        Reshape(Node::new(self, "Reshape").input(tensor).input(shape))
    }

    /// `tensor` with the axes turned around for which `dims` is true.
    ///
    /// - `tensor`: a tensor of `T`
    /// - `dims`: a tensor of bool
    ///
    /// `T` is any number, string, bool.
    pub fn reverse(&self, tensor: impl Input, dims: impl Input) -> Reverse<'_> {
        Reverse(Node::new(self, "Reverse").input(tensor).input(dims))
    }

    /// `input` with the first `seq_lengths[b]` positions along `seq_dim` turned around, for each `b` of `batch_dim`.
    ///
    /// - `input`: a tensor of `T`
    /// - `seq_lengths`: a tensor of `Tlen`
    /// - `seq_dim`: The axis that is turned around.
    ///
    /// `T` is any dtype. `Tlen` is int32, int64.
    pub fn reverse_sequence(&self, input: impl Input, seq_lengths: impl Input, seq_dim: i64) -> ReverseSequence<'_> {
        let mut node = Node::new(self, "ReverseSequence").input(input).input(seq_lengths);
        node.set("seq_dim", seq_dim);
        ReverseSequence(node)
    }

    /// `tensor` with the axes `axis` turned around.
    ///
    /// - `tensor`: a tensor of `T`
    /// - `axis`: a tensor of `Tidx`
    ///
    /// `Tidx` is int32, int64. `T` is any number, string, bool.
    pub fn reverse_v2(&self, tensor: impl Input, axis: impl Input) -> ReverseV2<'_> {
        ReverseV2(Node::new(self, "ReverseV2").input(tensor).input(axis))
    }

    /// `input` with its elements moved by `shift[i]` along `axis[i]`; what leaves at the end comes back in front.
    ///
    /// - `input`: a tensor of `T`
    /// - `shift`: a tensor of `Tshift`
    /// - `axis`: a tensor of `Taxis`
    ///
    /// `T` is any dtype. `Tshift` is int32, int64. `Taxis` is int32, int64.
    pub fn roll(&self, input: impl Input, shift: impl Input, axis: impl Input) -> Roll<'_> {
        Roll(Node::new(self, "Roll").input(input).input(shift).input(axis))
    }

    /// A tensor of shape `shape` that is 0 but for the sum of the slices `updates` at the index tuples `indices`.
    ///
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    /// - `shape`: a tensor of `Tindices`
    ///
    /// `T` is any dtype. `Tindices` is int32, int16, int64.
    pub fn scatter_nd(&self, indices: impl Input, updates: impl Input, shape: impl Input) -> ScatterNd<'_> {
        ScatterNd(Node::new(self, "ScatterNd").input(indices).input(updates).input(shape))
    }

    /// `input` with `updates` added at the index tuples `indices`.
    ///
    /// - `input`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any dtype. `Tindices` is int32, int64.
    pub fn scatter_nd_non_aliasing_add(&self, input: impl Input, indices: impl Input, updates: impl Input) -> ScatterNdNonAliasingAdd<'_> {
        ScatterNdNonAliasingAdd(Node::new(self, "ScatterNdNonAliasingAdd").input(input).input(indices).input(updates))
    }

    /// The sizes of the input's axes.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn shape(&self, input: impl Input) -> Shape<'_> {
        Shape(Node::new(self, "Shape").input(input))
    }

    /// The sizes of the axes of each input.
    ///
    /// - `input`: tensors of `T`, any number
    ///
    /// `T` is any dtype.
    pub fn shape_n(&self, input: impl IntoIterator<Item = impl Input>) -> ShapeN<'_> {
        ShapeN(Node::new(self, "ShapeN").list(input))
    }

    /// The number of elements of the input.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn size(&self, input: impl Input) -> Size<'_> {
        Size(Node::new(self, "Size").input(input))
    }

    /// `size[i]` positions of axis `i` from `begin[i]` on; -1 stands for all that follow.
    ///
    /// - `input`: a tensor of `T`
    /// - `begin`: a tensor of `Index`
    /// - `size`: a tensor of `Index`
    ///
    /// `T` is any dtype. `Index` is int32, int64.
    pub fn slice(&self, input: impl Input, begin: impl Input, size: impl Input) -> Slice<'_> {
        Slice(Node::new(self, "Slice").input(input).input(begin).input(size))
    }

    /// Gives its input as it is now, whatever becomes of the variable behind it.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn snapshot(&self, input: impl Input) -> Snapshot<'_> {
        Snapshot(Node::new(self, "Snapshot").input(input))
    }

    /// `SpaceToBatchND` of images, with square blocks.
    ///
    /// - `input`: a tensor of `T`
    /// - `paddings`: a tensor of `Tpaddings`
    /// - `block_size`: Side of a block. At least 2.
    ///
    /// `T` is any dtype. `Tpaddings` is int32, int64.
    pub fn space_to_batch(&self, input: impl Input, paddings: impl Input, block_size: i64) -> SpaceToBatch<'_> {
        let mut node = Node::new(self, "SpaceToBatch").input(input).input(paddings);
        node.set("block_size", block_size);
        SpaceToBatch(node)
    }

    /// Pads the axes after the first by `paddings`, cuts them into blocks of `block_shape`, and gathers what is at the same place in its block in a batch of its own.
    ///
    /// - `input`: a tensor of `T`
    /// - `block_shape`: a tensor of `Tblock_shape`
    /// - `paddings`: a tensor of `Tpaddings`
    ///
    /// `T` is any dtype. `Tblock_shape` is int32, int64. `Tpaddings` is int32, int64.
    pub fn space_to_batch_nd(&self, input: impl Input, block_shape: impl Input, paddings: impl Input) -> SpaceToBatchND<'_> {
        SpaceToBatchND(Node::new(self, "SpaceToBatchND").input(input).input(block_shape).input(paddings))
    }

    /// Moves blocks of `block_size` by `block_size` pixels into the channels.
    ///
    /// - `input`: a tensor of `T`
    /// - `block_size`: Side of a block. At least 2.
    ///
    /// `T` is any dtype.
    pub fn space_to_depth(&self, input: impl Input, block_size: i64) -> SpaceToDepth<'_> {
        let mut node = Node::new(self, "SpaceToDepth").input(input);
        node.set("block_size", block_size);
        SpaceToDepth(node)
    }

    /// `value` cut into `num_split` equal pieces along axis `split_dim`.
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

    /// `value` cut along axis `split_dim` into pieces of `size_splits`, one of which may be -1: what is left.
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

    /// Drops the axes `squeeze_dims`, which must be of size 1; without any, all axes of size 1.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn squeeze(&self, input: impl Input) -> Squeeze<'_> {
        Squeeze(Node::new(self, "Squeeze").input(input))
    }

    /// Gives its input; gradients stop here.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn stop_gradient(&self, input: impl Input) -> StopGradient<'_> {
        StopGradient(Node::new(self, "StopGradient").input(input))
    }

    /// The elements of `input` from `begin` to `end`, `strides` apart, axis by axis.
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

    /// A tensor of shape `shape` that is `dy` where the slice takes from it, and 0 elsewhere.
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

    /// `tensor` with `updates` added at the index tuples `indices`.
    ///
    /// - `tensor`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any dtype. `Tindices` is int32, int64.
    pub fn tensor_scatter_add(&self, tensor: impl Input, indices: impl Input, updates: impl Input) -> TensorScatterAdd<'_> {
        TensorScatterAdd(Node::new(self, "TensorScatterAdd").input(tensor).input(indices).input(updates))
    }

    /// `tensor` with the larger of what is there and `updates` at the index tuples `indices`.
    ///
    /// - `tensor`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any dtype. `Tindices` is int32, int64.
    pub fn tensor_scatter_max(&self, tensor: impl Input, indices: impl Input, updates: impl Input) -> TensorScatterMax<'_> {
        TensorScatterMax(Node::new(self, "TensorScatterMax").input(tensor).input(indices).input(updates))
    }

    /// `tensor` with the smaller of what is there and `updates` at the index tuples `indices`.
    ///
    /// - `tensor`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any dtype. `Tindices` is int32, int64.
    pub fn tensor_scatter_min(&self, tensor: impl Input, indices: impl Input, updates: impl Input) -> TensorScatterMin<'_> {
        TensorScatterMin(Node::new(self, "TensorScatterMin").input(tensor).input(indices).input(updates))
    }

    /// `tensor` with `updates` subtracted at the index tuples `indices`.
    ///
    /// - `tensor`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any dtype. `Tindices` is int32, int64.
    pub fn tensor_scatter_sub(&self, tensor: impl Input, indices: impl Input, updates: impl Input) -> TensorScatterSub<'_> {
        TensorScatterSub(Node::new(self, "TensorScatterSub").input(tensor).input(indices).input(updates))
    }

    /// `tensor` with `updates` in place of what is there at the index tuples `indices`.
    ///
    /// - `tensor`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `updates`: a tensor of `T`
    ///
    /// `T` is any dtype. `Tindices` is int32, int16, int64, uint16.
    pub fn tensor_scatter_update(&self, tensor: impl Input, indices: impl Input, updates: impl Input) -> TensorScatterUpdate<'_> {
        TensorScatterUpdate(Node::new(self, "TensorScatterUpdate").input(tensor).input(indices).input(updates))
    }

    /// `input` with `value`, broadcast, in place of the slice.
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

    /// Repeats `input` along axis `i` as many times as `multiples[i]` says.
    ///
    /// - `input`: a tensor of `T`
    /// - `multiples`: a tensor of `Tmultiples`
    ///
    /// `T` is any dtype. `Tmultiples` is int32, int64.
    pub fn tile(&self, input: impl Input, multiples: impl Input) -> Tile<'_> {
        Tile(Node::new(self, "Tile").input(input).input(multiples))
    }

    /// The gradient of `Tile` in old graphs: the sum of all repetitions.
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

    /// Axis `i` of the result is axis `perm[i]` of `x`.
    ///
    /// - `x`: a tensor of `T`
    /// - `perm`: a tensor of `Tperm`
    ///
    /// `T` is any dtype. `Tperm` is int32, int64.
    pub fn transpose(&self, x: impl Input, perm: impl Input) -> Transpose<'_> {
        Transpose(Node::new(self, "Transpose").input(x).input(perm))
    }

    /// The values of `x`, each once, in the order of their first places, and for each element which value it is.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn unique(&self, x: impl Input) -> Unique<'_> {
        Unique(Node::new(self, "Unique").input(x))
    }

    /// The slices along `axis`, each once, and for each slice which it is.
    ///
    /// - `x`: a tensor of `T`
    /// - `axis`: a tensor of `Taxis`
    ///
    /// `T` is any dtype. `Taxis` is int32, int64.
    pub fn unique_v2(&self, x: impl Input, axis: impl Input) -> UniqueV2<'_> {
        UniqueV2(Node::new(self, "UniqueV2").input(x).input(axis))
    }

    /// As `Unique`, and how often each value comes.
    ///
    /// - `x`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn unique_with_counts(&self, x: impl Input) -> UniqueWithCounts<'_> {
        UniqueWithCounts(Node::new(self, "UniqueWithCounts").input(x))
    }

    /// As `UniqueV2`, and how often each slice comes.
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

    /// The tensors that lie side by side along axis `axis`.
    ///
    /// - `value`: a tensor of `T`
    /// - `num`: How many there are. At least 0.
    ///
    /// `T` is any dtype.
    pub fn unpack(&self, value: impl Input, num: i64) -> Unpack<'_> {
        let mut node = Node::new(self, "Unpack").input(value);
        node.set("num", num);
        Unpack(node)
    }

    /// For each of `indices` its position along each axis of an array of shape `dims`.
    ///
    /// - `indices`: a tensor of `Tidx`
    /// - `dims`: a tensor of `Tidx`
    ///
    /// `Tidx` is int32, int64.
    pub fn unravel_index(&self, indices: impl Input, dims: impl Input) -> UnravelIndex<'_> {
        UnravelIndex(Node::new(self, "UnravelIndex").input(indices).input(dims))
    }

    /// For each value the number of elements of its sorted row that are not greater.
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

    /// The indices of the elements that are true or not zero, one row each, in row-major order.
    ///
    /// - `input`: a tensor of `T`
    ///
    /// `T` is any number, also quantized, bool.
    pub fn where_(&self, input: impl Input) -> Where<'_> {
        Where(Node::new(self, "Where").input(input))
    }

    /// Zeros in the shape of `x`; for variants what their kind takes for zero.
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
    /// Adds the node to the graph; gives its outputs.
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
    /// Adds the node to the graph; gives its outputs.
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

    /// What debuggers do with it. Default: none.
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

    /// What debuggers do with it. Default: none.
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
    /// Adds the node to the graph; gives its outputs.
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
    /// Whether the elements must be zeros. Default: `false`.
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
    /// Without meaning: indices are always checked. Default: `true`.
    pub fn validate_indices(mut self, validate_indices: bool) -> Self {
        self.0.set("validate_indices", validate_indices);
        self
    }
}

/// A node of [`GatherNd`](Ops::gather_nd) that is being described.
#[must_use = "it is no node before it is added"]
pub struct GatherNd<'a>(Node<'a>);

impl GatherNd<'_> {
    /// What happens to indices out of bounds: an error, or with `IGNORE` zeros. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`GatherV2`](Ops::gather_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct GatherV2<'a>(Node<'a>);

impl GatherV2<'_> {
    /// Number of leading axes that `params` and `indices` share; a negative one counts from the end of `indices`. Default: `0`.
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
    /// Adds the node to the graph; gives its outputs.
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
    /// Element type of the places. Allowed: int32, int64. Default: int32.
    pub fn out_idx(mut self, out_idx: DType) -> Self {
        self.0.set("out_idx", out_idx);
        self
    }

    /// Adds the node to the graph; gives its outputs.
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
    /// How diagonals shorter than the longest are placed in their rows. One of `"LEFT_RIGHT"`, `"RIGHT_LEFT"`, `"LEFT_LEFT"`, `"RIGHT_RIGHT"`. Default: `"RIGHT_LEFT"`.
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
    /// How diagonals shorter than the longest are placed in their rows. One of `"LEFT_RIGHT"`, `"RIGHT_LEFT"`, `"LEFT_LEFT"`, `"RIGHT_RIGHT"`. Default: `"RIGHT_LEFT"`.
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
    /// How diagonals shorter than the longest are placed in their rows. One of `"LEFT_RIGHT"`, `"RIGHT_LEFT"`, `"LEFT_LEFT"`, `"RIGHT_RIGHT"`. Default: `"RIGHT_LEFT"`.
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
    /// The new axis; -1 for the last. Default: `-1`.
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
    /// The new axis; a negative one counts from the end of the result. Default: `0`.
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
    /// Shape of what is fed. Default: not known.
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
    /// Said when a gradient is asked for. Default: `""`.
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
    /// The axis of the batch. Default: `0`.
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
    /// What happens to indices out of bounds: an error, or with `IGNORE` nothing. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`ScatterNdNonAliasingAdd`](Ops::scatter_nd_non_aliasing_add) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ScatterNdNonAliasingAdd<'a>(Node<'a>);

impl ScatterNdNonAliasingAdd<'_> {
    /// What happens to indices out of bounds: an error, or with `IGNORE` nothing. Default: `""`.
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

    /// Adds the node to the graph; gives its outputs.
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
    /// Adds the node to the graph; gives its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`SplitV`](Ops::split_v) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SplitV<'a>(Node<'a>);

impl SplitV<'_> {
    /// Adds the node to the graph; gives its outputs.
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
    /// Bit `i` set: ignore `begin[i]` and start at the end of the axis that the stride leaves. Default: `0`.
    pub fn begin_mask(mut self, begin_mask: i64) -> Self {
        self.0.set("begin_mask", begin_mask);
        self
    }

    /// Bit `i` set: ignore `end[i]` and go to the other end of the axis. Default: `0`.
    pub fn end_mask(mut self, end_mask: i64) -> Self {
        self.0.set("end_mask", end_mask);
        self
    }

    /// Bit `i` set: entry `i` stands for as many whole axes as are left. Default: `0`.
    pub fn ellipsis_mask(mut self, ellipsis_mask: i64) -> Self {
        self.0.set("ellipsis_mask", ellipsis_mask);
        self
    }

    /// Bit `i` set: entry `i` is a new axis of size 1. Default: `0`.
    pub fn new_axis_mask(mut self, new_axis_mask: i64) -> Self {
        self.0.set("new_axis_mask", new_axis_mask);
        self
    }

    /// Bit `i` set: entry `i` picks one index, and the axis goes away. Default: `0`.
    pub fn shrink_axis_mask(mut self, shrink_axis_mask: i64) -> Self {
        self.0.set("shrink_axis_mask", shrink_axis_mask);
        self
    }
}

/// A node of [`StridedSliceGrad`](Ops::strided_slice_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct StridedSliceGrad<'a>(Node<'a>);

impl StridedSliceGrad<'_> {
    /// Bit `i` set: ignore `begin[i]` and start at the end of the axis that the stride leaves. Default: `0`.
    pub fn begin_mask(mut self, begin_mask: i64) -> Self {
        self.0.set("begin_mask", begin_mask);
        self
    }

    /// Bit `i` set: ignore `end[i]` and go to the other end of the axis. Default: `0`.
    pub fn end_mask(mut self, end_mask: i64) -> Self {
        self.0.set("end_mask", end_mask);
        self
    }

    /// Bit `i` set: entry `i` stands for as many whole axes as are left. Default: `0`.
    pub fn ellipsis_mask(mut self, ellipsis_mask: i64) -> Self {
        self.0.set("ellipsis_mask", ellipsis_mask);
        self
    }

    /// Bit `i` set: entry `i` is a new axis of size 1. Default: `0`.
    pub fn new_axis_mask(mut self, new_axis_mask: i64) -> Self {
        self.0.set("new_axis_mask", new_axis_mask);
        self
    }

    /// Bit `i` set: entry `i` picks one index, and the axis goes away. Default: `0`.
    pub fn shrink_axis_mask(mut self, shrink_axis_mask: i64) -> Self {
        self.0.set("shrink_axis_mask", shrink_axis_mask);
        self
    }
}

/// A node of [`TensorScatterAdd`](Ops::tensor_scatter_add) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorScatterAdd<'a>(Node<'a>);

impl TensorScatterAdd<'_> {
    /// What happens to indices out of bounds: an error, or with `IGNORE` nothing. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`TensorScatterMax`](Ops::tensor_scatter_max) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorScatterMax<'a>(Node<'a>);

impl TensorScatterMax<'_> {
    /// What happens to indices out of bounds: an error, or with `IGNORE` nothing. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`TensorScatterMin`](Ops::tensor_scatter_min) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorScatterMin<'a>(Node<'a>);

impl TensorScatterMin<'_> {
    /// What happens to indices out of bounds: an error, or with `IGNORE` nothing. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`TensorScatterSub`](Ops::tensor_scatter_sub) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorScatterSub<'a>(Node<'a>);

impl TensorScatterSub<'_> {
    /// What happens to indices out of bounds: an error, or with `IGNORE` nothing. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`TensorScatterUpdate`](Ops::tensor_scatter_update) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorScatterUpdate<'a>(Node<'a>);

impl TensorScatterUpdate<'_> {
    /// What happens to indices out of bounds: an error, or with `IGNORE` nothing. Default: `""`.
    pub fn bad_indices_policy(mut self, bad_indices_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("bad_indices_policy", string(bad_indices_policy));
        self
    }
}

/// A node of [`TensorStridedSliceUpdate`](Ops::tensor_strided_slice_update) that is being described.
#[must_use = "it is no node before it is added"]
pub struct TensorStridedSliceUpdate<'a>(Node<'a>);

impl TensorStridedSliceUpdate<'_> {
    /// Bit `i` set: ignore `begin[i]` and start at the end of the axis that the stride leaves. Default: `0`.
    pub fn begin_mask(mut self, begin_mask: i64) -> Self {
        self.0.set("begin_mask", begin_mask);
        self
    }

    /// Bit `i` set: ignore `end[i]` and go to the other end of the axis. Default: `0`.
    pub fn end_mask(mut self, end_mask: i64) -> Self {
        self.0.set("end_mask", end_mask);
        self
    }

    /// Bit `i` set: entry `i` stands for as many whole axes as are left. Default: `0`.
    pub fn ellipsis_mask(mut self, ellipsis_mask: i64) -> Self {
        self.0.set("ellipsis_mask", ellipsis_mask);
        self
    }

    /// Bit `i` set: entry `i` is a new axis of size 1. Default: `0`.
    pub fn new_axis_mask(mut self, new_axis_mask: i64) -> Self {
        self.0.set("new_axis_mask", new_axis_mask);
        self
    }

    /// Bit `i` set: entry `i` picks one index, and the axis goes away. Default: `0`.
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
    /// Element type of the numbers that come out. Allowed: int32, int64. Default: int32.
    pub fn out_idx(mut self, out_idx: DType) -> Self {
        self.0.set("out_idx", out_idx);
        self
    }

    /// Adds the node to the graph; gives its outputs.
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
    /// Element type of the numbers that come out. Allowed: int32, int64. Default: int32.
    pub fn out_idx(mut self, out_idx: DType) -> Self {
        self.0.set("out_idx", out_idx);
        self
    }

    /// Adds the node to the graph; gives its outputs.
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
    /// Element type of the numbers that come out. Allowed: int32, int64. Default: int32.
    pub fn out_idx(mut self, out_idx: DType) -> Self {
        self.0.set("out_idx", out_idx);
        self
    }

    /// Adds the node to the graph; gives its outputs.
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
    /// Element type of the numbers that come out. Allowed: int32, int64. Default: int32.
    pub fn out_idx(mut self, out_idx: DType) -> Self {
        self.0.set("out_idx", out_idx);
        self
    }

    /// Adds the node to the graph; gives its outputs.
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
    /// The axis; a negative one counts from the end. Default: `0`.
    pub fn axis(mut self, axis: i64) -> Self {
        self.0.set("axis", axis);
        self
    }

    /// Adds the node to the graph; gives its outputs.
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
