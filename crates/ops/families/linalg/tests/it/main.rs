//! Ops of this family, run one at a time.

mod batch_mat_mul;
mod einsum;
mod functions;
mod mat_mul;
mod qr;
mod triangular;
