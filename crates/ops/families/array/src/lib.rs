//! Ops that create, move and reshape tensors.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{elementwise, flow, moves, prelude, rules, variant_tensors};

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
    copies = COPY, DEBUG_GRADIENT_IDENTITY, DEEP_COPY, GUARANTEE_CONST;
    diag = DIAG, DIAG_PART;
    dynamic_partition = DYNAMIC_PARTITION;
    dynamic_stitch = DYNAMIC_STITCH;
    eager_const = EAGER_CONST;
    empty = EMPTY;
    ensure_shape = ENSURE_SHAPE;
    expand_dims = EXPAND_DIMS;
    fake_param = FAKE_PARAM;
    fill = FILL;
    gather = GATHER;
    gather_nd = GATHER_ND;
    identity = IDENTITY, PREVENT_GRADIENT, SNAPSHOT, STOP_GRADIENT;
    identity_n = IDENTITY_N;
    inplace = INPLACE_ADD, INPLACE_SUB, INPLACE_UPDATE;
    invert_permutation = INVERT_PERMUTATION;
    like = ONES_LIKE, ZEROS_LIKE;
    lin_space = LIN_SPACE;
    list_diff = LIST_DIFF;
    matrix_band_part = MATRIX_BAND_PART;
    matrix_diag = MATRIX_DIAG, MATRIX_DIAG_PART, MATRIX_DIAG_PART_V3, MATRIX_DIAG_V3, MATRIX_SET_DIAG, MATRIX_SET_DIAG_V3;
    mirror_pad = MIRROR_PAD, MIRROR_PAD_GRAD;
    one_hot = ONE_HOT;
    pack = PACK, UNPACK;
    pad = PAD;
    parallel_concat = PARALLEL_CONCAT;
    placeholder = PLACEHOLDER, PLACEHOLDER_WITH_DEFAULT;
    placeholder_v2 = PLACEHOLDER_V2;
    range = RANGE;
    reshape = RESHAPE;
    reverse = REVERSE, REVERSE_V2;
    reverse_sequence = REVERSE_SEQUENCE;
    roll = ROLL;
    scatter_nd = SCATTER_ND, SCATTER_ND_NON_ALIASING_ADD, TENSOR_SCATTER_ADD, TENSOR_SCATTER_MAX, TENSOR_SCATTER_MIN,
        TENSOR_SCATTER_SUB, TENSOR_SCATTER_UPDATE;
    search_sorted = LOWER_BOUND, UPPER_BOUND;
    shape = RANK, SHAPE, SHAPE_N, SIZE;
    slice = SLICE;
    space_to_batch = SPACE_TO_BATCH, SPACE_TO_BATCH_ND;
    space_to_depth = DEPTH_TO_SPACE, SPACE_TO_DEPTH;
    split = SPLIT, SPLIT_V;
    squeeze = SQUEEZE;
    strided_slice = STRIDED_SLICE;
    strided_slice_grad = STRIDED_SLICE_GRAD;
    tensor_strided_slice_update = TENSOR_STRIDED_SLICE_UPDATE;
    tile = TILE, TILE_GRAD;
    transpose = CONJUGATE_TRANSPOSE, TRANSPOSE;
    unique = UNIQUE;
    unravel_index = UNRAVEL_INDEX;
    where_true = WHERE;
}

pub use gather::gather_along;
pub use gather_nd::{gather_slices, ignores_bad_indices};
pub use scatter_nd::{Update, scatter};
pub use scatter_nd::{Vectors, check};
