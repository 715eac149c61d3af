//! Sort keys of a single type, so that sorting is compiled once for all dtypes.

use crate::prelude::*;

/// A real dtype whose elements have sort keys.
pub(super) trait Sorted: Real {
    /// A key that is larger for a larger element; arbitrary for NaN.
    fn ascending(self) -> u64;
}

macro_rules! sorted {
    ($($($ty:ty)*: |$v:ident| $key:expr;)*) => {$($(
        impl Sorted for $ty {
            #[inline(always)]
            fn ascending(self) -> u64 {
                let $v = self;
                $key
            }
        }
    )*)*};
}

sorted! {
    u8 u16 u32 u64: |v| v as u64;
    i8 i16 i32 i64: |v| v as i64 as u64 ^ 1 << 63;
    f16 bf16 f32 f64: |v| of_float(v.to_f64());
}

fn of_float(v: f64) -> u64 {
    // Both zeros have the same key.
    let bits = (v + 0.0).to_bits();
    if v < 0.0 { !bits } else { bits | 1 << 63 }
}

/// The key of an element in descending order with NaN first.
pub(super) fn descending<T: Sorted>(v: T) -> u64 {
    if v.is_nan() { 0 } else { !v.ascending() }
}

/// Writes the positions of the smallest keys in ascending order; of equal keys the earlier position comes first.
pub(super) fn places(keys: impl Iterator<Item = u64>, found: &mut [usize]) {
    fn sort(mut keys: Vec<(u64, usize)>, found: &mut [usize]) {
        keys.sort_unstable();
        found.iter_mut().zip(keys).for_each(|(found, (_, i))| *found = i);
    }
    sort(keys.zip(0..).collect(), found);
}

/// The position of the key with `n` others before it.
pub(super) fn nth(keys: impl Iterator<Item = u64>, n: usize) -> usize {
    fn select(mut keys: Vec<(u64, usize)>, n: usize) -> usize {
        keys.select_nth_unstable(n).1.1
    }
    select(keys.zip(0..).collect(), n)
}
