//! Tensor elements as hash map keys.

use crate::prelude::*;
use std::hash::Hash;

/// An element type whose values can be looked up in a hash map.
pub(super) trait Key: Element {
    /// The key type of the hash map.
    type Of<'a>: Hash + Eq;
    /// The key; `None` for NaN, which equals nothing.
    fn key(&self) -> Option<Self::Of<'_>>;
}

macro_rules! exact {
    ($($ty:ty),*) => {$(
        impl Key for $ty {
            type Of<'a> = $ty;
            fn key(&self) -> Option<$ty> { Some(*self) }
        }
    )*};
}

exact!(i8, i16, i32, i64, u8, u16, u32, u64, bool);

macro_rules! floats {
    ($($ty:ty: $bits:ty, |$v:ident| $value:expr;)*) => {$(
        impl Key for $ty {
            type Of<'a> = $bits;
            fn key(&self) -> Option<$bits> {
                let $v = *self;
                if $v.is_nan() { None } else { Some($value.to_bits()) }
            }
        }
    )*};
}

floats! {
    // Adding zero turns -0 into 0, which it compares equal to.
    f32: u32, |v| (v + 0.0);
    f64: u64, |v| (v + 0.0);
    // TensorFlow distinguishes -0 from 0 for these two types.
    f16: u16, |v| v;
    bf16: u16, |v| v;
}

impl Key for Bytes {
    type Of<'a> = &'a [u8];
    fn key(&self) -> Option<&[u8]> {
        Some(self)
    }
}

/// Runs `$body` with `$T` bound to the Rust type of `$dtype`, for dtypes that are a [`Key`].
macro_rules! keyed {
    ($dtype:expr, |$T:ident| $body:expr, else $else:expr) => {
        match $dtype {
            DType::Str => {
                type $T = Bytes;
                $body
            }
            DType::Bool => {
                type $T = bool;
                $body
            }
            other => dispatch!(other, reals, |$T| $body, else $else),
        }
    };
}
pub(super) use keyed;
