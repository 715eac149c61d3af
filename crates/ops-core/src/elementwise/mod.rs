//! Loops over tensors element by element, written once for every op that needs them.
//!
//! An op says what it does to one element ([`Map1`], [`Map2`]); the engines here ([`unary`], [`binary`], [`operand`])
//! know broadcasting, taking over an input's memory, splitting over threads, wide vector registers and the half
//! types, which compute as `f32`.

#[macro_use]
mod declare;
pub mod binary;
mod half_block;
pub mod operand;
pub mod unary;
pub mod vector_math;

pub use binary::Map2;
pub use operand::Operand;
pub use unary::Map1;

use levada_graph::{DType, Error};

/// Elements that are handled at a time where they must be copied to a small buffer first. A multiple of every vector.
const BLOCK: usize = 512;

/// Nanoseconds that loading or storing a byte costs, roughly, in a loop over large arrays.
const NANOS_PER_BYTE: f64 = 0.05;

/// The dtypes that the runners of the engines take, named as the runners are.
pub mod group {
    use levada_graph::DType::{self, *};

    /// Every number.
    pub const NUMBERS: &[DType] = levada_graph::sets::NUMBERS;
    /// Numbers that are not complex.
    pub const REALS: &[DType] = levada_graph::sets::REALS;
    /// Integers.
    pub const INTEGERS: &[DType] = levada_graph::sets::INTEGERS;
    /// Floating point numbers.
    pub const FLOATS: &[DType] = levada_graph::sets::FLOATS;
    /// Floating point and complex numbers.
    pub const FLOATS_COMPLEX: &[DType] = levada_graph::sets::FLOATS_COMPLEX;
    /// Dtypes whose elements can be compared for equality.
    pub const EQUATABLE: &[DType] =
        &[F32, F64, I32, U8, I16, I8, Str, C64, I64, Bool, QI8, QU8, QI32, BF16, QI16, QU16, U16, C128, F16, U32, U64];
}

/// The error for a dtype without a kernel: `UNIMPLEMENTED`.
#[cold]
pub fn no_kernel(dtype: DType) -> Error {
    Error::unimplemented(format!("there is no kernel for elements of type {dtype}"))
}
