//! Ops of this family, run one at a time.

mod conv;
mod convolution;
mod dilation2d;
mod fused_pad;
mod winograd;
