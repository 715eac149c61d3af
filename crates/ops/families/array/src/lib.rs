//! Ops that make, move and reshape tensors.

#[macro_use]
extern crate levada_ops_core;

#[cfg(test)]
use levada_ops_core::testing;
use levada_ops_core::{flow, moves, prelude, variant_tensors};

mod keys;

pub use dynamic_stitch::stitched_shape;
pub use matrix_band_part::band_limits;

family! {
    batch_to_space: BatchToSpace, BatchToSpaceND;
    bitcast: Bitcast;
    broadcast_args: BroadcastArgs, BroadcastGradientArgs;
    broadcast_to: BroadcastTo;
    bucketize: Bucketize;
    concat: Concat, ConcatV2;
    concat_offset: ConcatOffset;
    constant: Const;
    copies: Copy, CopyHost, DebugGradientIdentity, DeepCopy, GuaranteeConst;
    diag: Diag, DiagPart;
    dynamic_partition: DynamicPartition;
    dynamic_stitch: DynamicStitch, ParallelDynamicStitch;
    empty: Empty;
    ensure_shape: EnsureShape;
    expand_dims: ExpandDims;
    fill: Fill;
    gather: Gather, GatherV2;
    gather_nd: GatherNd;
    identity: Identity, PreventGradient, Snapshot, StopGradient;
    identity_n: IdentityN;
    inplace: InplaceAdd, InplaceSub, InplaceUpdate;
    invert_permutation: InvertPermutation;
    like: OnesLike, ZerosLike;
    lin_space: LinSpace;
    list_diff: ListDiff;
    matrix_band_part: BatchMatrixBandPart, MatrixBandPart;
    matrix_diag: BatchMatrixDiag, BatchMatrixDiagPart, BatchMatrixSetDiag, MatrixDiag, MatrixDiagPart, MatrixDiagPartV2,
        MatrixDiagPartV3, MatrixDiagV2, MatrixDiagV3, MatrixSetDiag, MatrixSetDiagV2, MatrixSetDiagV3;
    mirror_pad: MirrorPad, MirrorPadGrad;
    one_hot: OneHot;
    pack: Pack, Unpack;
    pad: Pad, PadV2;
    parallel_concat: ParallelConcat;
    placeholder: Placeholder, PlaceholderWithDefault;
    range: Range;
    reshape: Reshape;
    reverse: Reverse, ReverseV2;
    reverse_sequence: ReverseSequence;
    roll: Roll;
    scatter_nd: ScatterNd, ScatterNdNonAliasingAdd, TensorScatterAdd, TensorScatterMax, TensorScatterMin,
        TensorScatterSub, TensorScatterUpdate;
    search_sorted: LowerBound, UpperBound;
    shape: Rank, Shape, ShapeN, Size;
    slice: Slice;
    space_to_batch: SpaceToBatch, SpaceToBatchND;
    space_to_depth: DepthToSpace, SpaceToDepth;
    split: Split, SplitV;
    squeeze: Squeeze;
    strided_slice: StridedSlice;
    strided_slice_grad: StridedSliceGrad;
    tensor_strided_slice_update: TensorStridedSliceUpdate;
    tile: Tile;
    transpose: ConjugateTranspose, Transpose;
    unique: Unique, UniqueV2, UniqueWithCounts, UniqueWithCountsV2;
    unravel_index: UnravelIndex;
    where_true: Where;
}

pub use gather::gather_along;
pub use gather_nd::{POLICIES, gather_slices};
pub use scatter_nd::{Update, scatter};
pub use scatter_nd::{Vectors, check};
