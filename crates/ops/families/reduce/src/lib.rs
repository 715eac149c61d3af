//! Ops that reduce or scan along axes, and segment reductions.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{prelude, rules};

mod segments;

pub use arg_max::arg_axis;
pub use scan::scan_axis;

family! {
    arg_max = ARG_MAX, ARG_MIN;
    bincount = BINCOUNT, DENSE_BINCOUNT, RAGGED_BINCOUNT, SPARSE_BINCOUNT;
    fold = ALL, ANY, EUCLIDEAN_NORM, MAX, MEAN, MIN, PROD, SUM;
    histogram_fixed_width = HISTOGRAM_FIXED_WIDTH;
    l2_loss = L2_LOSS;
    scan = CUMPROD, CUMSUM, CUMULATIVE_LOGSUMEXP;
    segment = SEGMENT_MAX, SEGMENT_MEAN, SEGMENT_MIN, SEGMENT_PROD, SEGMENT_SUM;
    sparse_segment = SPARSE_SEGMENT_MEAN, SPARSE_SEGMENT_SQRT_N, SPARSE_SEGMENT_SUM;
    sparse_segment_grad = SPARSE_SEGMENT_MEAN_GRAD, SPARSE_SEGMENT_SQRT_N_GRAD, SPARSE_SEGMENT_SUM_GRAD;
    unsorted_segment = UNSORTED_SEGMENT_MAX, UNSORTED_SEGMENT_MIN, UNSORTED_SEGMENT_PROD, UNSORTED_SEGMENT_SUM;
}
