//! Elements by size.

use crate::prelude::*;
use levada_graph::{Handle, Variant};

/// An element that is moved but never interpreted: an unsigned integer as wide as the dtype, or an object.
pub trait Cell: Clone + Default + Send + Sync + 'static {
    /// Returns the elements of `tensor`, whose size must match.
    fn cells(tensor: &Tensor) -> Result<&[Self]>;
    /// Returns the elements of `tensor`, mutably.
    fn cells_mut(tensor: &mut Tensor) -> Result<&mut [Self]>;
    /// Cells of 4 bytes as integers.
    fn words(_: &[Self]) -> Option<&[u32]> {
        None
    }
    /// Like [`Cell::words`], mutably.
    fn words_mut(_: &mut [Self]) -> Option<&mut [u32]> {
        None
    }
}

macro_rules! words {
    ($($ty:ty),*) => {$(
        impl Cell for $ty {
            #[inline]
            fn cells(tensor: &Tensor) -> Result<&[Self]> {
                let bytes = tensor.bytes().ok_or_else(|| not_here(tensor.dtype()))?;
                bytemuck::try_cast_slice(bytes).map_err(|_| not_here(tensor.dtype()))
            }
            #[inline]
            fn cells_mut(tensor: &mut Tensor) -> Result<&mut [Self]> {
                let dtype = tensor.dtype();
                let bytes = tensor.bytes_mut().ok_or_else(|| not_here(dtype))?;
                bytemuck::try_cast_slice_mut(bytes).map_err(|_| not_here(dtype))
            }
            #[inline]
            fn words(cells: &[Self]) -> Option<&[u32]> {
                if size_of::<Self>() == 4 { bytemuck::try_cast_slice(cells).ok() } else { None }
            }
            #[inline]
            fn words_mut(cells: &mut [Self]) -> Option<&mut [u32]> {
                if size_of::<Self>() == 4 { bytemuck::try_cast_slice_mut(cells).ok() } else { None }
            }
        }
    )*};
}

words!(u8, u16, u32, u64, [u64; 2]);

macro_rules! objects {
    ($($ty:ty),*) => {$(
        impl Cell for $ty {
            #[inline]
            fn cells(tensor: &Tensor) -> Result<&[Self]> { tensor.slice() }
            #[inline]
            fn cells_mut(tensor: &mut Tensor) -> Result<&mut [Self]> { tensor.slice_mut() }
        }
    )*};
}

objects!(Bytes, Handle, Variant);

#[cold]
fn not_here(dtype: DType) -> Error {
    Error::internal(format!("the elements of a {dtype} tensor cannot be read on the host"))
}

/// The element size of a tensor of any plain dtype, or its kind of object: determines the [`Cell`].
#[derive(Clone, Copy)]
pub enum Width {
    /// 1 byte.
    One,
    /// 2 bytes.
    Two,
    /// 4 bytes.
    Four,
    /// 8 bytes.
    Eight,
    /// 16 bytes.
    Sixteen,
    /// Strings.
    Str,
    /// Resource handles.
    Resource,
    /// Variants.
    Variant,
}

impl Width {
    /// Returns the width of elements of `dtype`.
    pub fn of(dtype: DType) -> Width {
        match (dtype, dtype.size()) {
            (DType::Str, _) => Width::Str,
            (DType::Resource, _) => Width::Resource,
            (DType::Variant, _) => Width::Variant,
            (_, 1) => Width::One,
            (_, 2) => Width::Two,
            (_, 4) => Width::Four,
            (_, 8) => Width::Eight,
            _ => Width::Sixteen,
        }
    }
}

/// Expands `$body` with `$T` as the [`Cell`] of `$dtype`.
#[macro_export]
macro_rules! cells {
    ($dtype:expr, |$T:ident| $body:expr) => {
        match $crate::moves::Width::of($dtype) {
            #[allow(clippy::clone_on_copy)]
            $crate::moves::Width::One => {
                type $T = u8;
                $body
            }
            #[allow(clippy::clone_on_copy)]
            $crate::moves::Width::Two => {
                type $T = u16;
                $body
            }
            #[allow(clippy::clone_on_copy)]
            $crate::moves::Width::Four => {
                type $T = u32;
                $body
            }
            #[allow(clippy::clone_on_copy)]
            $crate::moves::Width::Eight => {
                type $T = u64;
                $body
            }
            #[allow(clippy::clone_on_copy)]
            $crate::moves::Width::Sixteen => {
                type $T = [u64; 2];
                $body
            }
            #[allow(clippy::clone_on_copy)]
            $crate::moves::Width::Str => {
                type $T = levada_graph::Bytes;
                $body
            }
            #[allow(clippy::clone_on_copy)]
            $crate::moves::Width::Resource => {
                type $T = levada_graph::Handle;
                $body
            }
            #[allow(clippy::clone_on_copy)]
            $crate::moves::Width::Variant => {
                type $T = levada_graph::Variant;
                $body
            }
        }
    };
}
