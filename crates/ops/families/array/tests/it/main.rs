//! Ops of this family, run one at a time.

mod range;
mod reshape;
mod strided_slice;
mod where_true;
