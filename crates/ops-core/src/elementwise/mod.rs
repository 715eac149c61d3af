//! Element-wise loops over tensors, written once for every op that needs them.
//!
//! An op defines its function of one element ([`Map1`], [`Map2`], which [`map1!`](crate::map1) and
//! [`map2!`](crate::map2) create); the engines here ([`mod@unary`], [`mod@binary`], [`operand`]) handle broadcasting,
//! in-place updates, threads, vector registers and the half types, which compute as `f32`. The definitions of such ops
//! are made by [`unary()`](define::unary), [`binary()`](define::binary) and [`comparison`].

pub mod binary;
mod coefficients;
#[macro_use]
pub mod define;
mod half_block;
pub mod operand;
pub mod unary;
pub mod vector_math;
pub mod wide_math;

pub use binary::Map2;
pub use define::{
    Compute, Elementwise, FLOATS, FLOATS_COMPLEX, INTEGERS, NUMBERS, REALS, basic, binary, comparison, each, series,
    unary,
};
pub use operand::Operand;
pub use unary::Map1;

use levada_graph::{DType, Error};

/// Number of elements processed at a time if they must first be copied to a small buffer. A multiple of every vector
/// length.
const BLOCK: usize = 512;

/// Approximate cost of loading or storing a byte in a loop over large arrays, in nanoseconds.
const NANOS_PER_BYTE: f64 = 0.05;

/// Returns the error for a dtype without a kernel: `UNIMPLEMENTED`.
#[cold]
pub fn no_kernel(dtype: DType) -> Error {
    Error::unimplemented(format!("there is no kernel for elements of type {dtype}"))
}
