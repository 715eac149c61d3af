//! Ops that make, move and reshape tensors.

#[macro_use]
extern crate levada_ops_core;

#[cfg(test)]
use levada_ops_core::testing;
use levada_ops_core::{flow, moves, prelude, variant_tensors};

mod keys;

pub use dynamic_stitch::stitched_shape;
pub use matrix_band_part::band_limits;
pub use reshape::resolve as reshaped;

family! {
    batch_to_space = BATCH_TO_SPACE, BATCH_TO_SPACE_ND;
    bitcast = BITCAST;
    broadcast_args = BROADCAST_ARGS, BROADCAST_GRADIENT_ARGS;
    broadcast_to = BROADCAST_TO;
    bucketize = BUCKETIZE;
    concat = CONCAT, CONCAT_V2;
    concat_offset = CONCAT_OFFSET;
    constant = CONST;
    copies: Copy, CopyHost, DebugGradientIdentity, DeepCopy, GuaranteeConst;
    diag = DIAG, DIAG_PART;
    dynamic_partition = DYNAMIC_PARTITION;
    dynamic_stitch: DynamicStitch, ParallelDynamicStitch;
    empty = EMPTY;
    ensure_shape = ENSURE_SHAPE;
    expand_dims: ExpandDims;
    fill = FILL;
    gather = GATHER, GATHER_V2;
    gather_nd = GATHER_ND;
    identity: Identity, PreventGradient, Snapshot, StopGradient;
    identity_n: IdentityN;
    inplace: InplaceAdd, InplaceSub, InplaceUpdate;
    invert_permutation = INVERT_PERMUTATION;
    like: OnesLike, ZerosLike;
    lin_space = LIN_SPACE;
    list_diff = LIST_DIFF;
    matrix_band_part: BatchMatrixBandPart, MatrixBandPart;
    matrix_diag: BatchMatrixDiag, BatchMatrixDiagPart, BatchMatrixSetDiag, MatrixDiag, MatrixDiagPart, MatrixDiagPartV2,
        MatrixDiagPartV3, MatrixDiagV2, MatrixDiagV3, MatrixSetDiag, MatrixSetDiagV2, MatrixSetDiagV3;
    mirror_pad = MIRROR_PAD, MIRROR_PAD_GRAD;
    one_hot = ONE_HOT;
    pack = PACK, UNPACK;
    pad = PAD, PAD_V2;
    parallel_concat = PARALLEL_CONCAT;
    placeholder: Placeholder = PLACEHOLDER_WITH_DEFAULT;
    range = RANGE;
    reshape: Reshape;
    reverse = REVERSE, REVERSE_V2;
    reverse_sequence = REVERSE_SEQUENCE;
    roll = ROLL;
    scatter_nd: ScatterNdNonAliasingAdd, TensorScatterAdd, TensorScatterMax, TensorScatterMin, TensorScatterSub, TensorScatterUpdate = SCATTER_ND;
    search_sorted: LowerBound, UpperBound;
    shape: Rank, Shape, ShapeN, Size;
    slice = SLICE;
    space_to_batch = SPACE_TO_BATCH, SPACE_TO_BATCH_ND;
    space_to_depth = DEPTH_TO_SPACE, SPACE_TO_DEPTH;
    split = SPLIT, SPLIT_V;
    squeeze: Squeeze;
    strided_slice = STRIDED_SLICE;
    strided_slice_grad = STRIDED_SLICE_GRAD;
    tensor_strided_slice_update = TENSOR_STRIDED_SLICE_UPDATE;
    tile = TILE;
    transpose = CONJUGATE_TRANSPOSE, TRANSPOSE;
    unique: Unique, UniqueV2, UniqueWithCounts, UniqueWithCountsV2;
    unravel_index = UNRAVEL_INDEX;
    where_true = WHERE;
}

pub use gather::gather_along;
pub use gather_nd::{POLICIES, gather_slices};
pub use scatter_nd::{Update, scatter};
pub use scatter_nd::{Vectors, check};
