//! Ops of this family, run one at a time.

mod arg_max;
mod bincount;
mod fold;
mod histogram_fixed_width;
mod l2_loss;
mod scan;
mod segment;
mod sparse_segment;
mod sparse_segment_grad;
mod unsorted_segment;
