//! Looks for NaNs and infinities among the elements of tensors.

use crate::pool::Pool;
use levada_graph::{DType, Tensor};
use std::sync::atomic::{AtomicBool, Ordering};

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sought {
    /// NaNs.
    NaN,
    /// NaNs and infinities.
    NonFinite,
}

/// What was found in a tensor.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Found {
    /// Number of the first element, in row-major order.
    pub first: usize,
    /// Its value; for a complex number, the real and imaginary parts.
    pub value: (f64, Option<f64>),
    /// How many elements are NaN.
    pub nans: usize,
    /// How many are infinite and not NaN.
    pub infinities: usize,
}

/// Minimum number of bytes that a thread searches.
const PART: usize = 1 << 18;

/// Nanoseconds per byte.
const NANOS: f64 = 0.02;

/// True for the types of elements that may be NaN or infinite.
pub fn can_hold(dtype: DType) -> bool {
    dtype.is_float() || dtype.is_complex() || (dtype.is_narrow_float() && dtype != DType::F4E2M1)
}

/// True if an element is what is sought. Threads of `pool` share the work if that is faster.
pub fn holds(tensor: &Tensor, sought: Sought, pool: &Pool) -> bool {
    let dtype = tensor.dtype();
    let Some(bytes) = tensor.bytes().filter(|_| can_hold(dtype)) else { return false };
    if bytes.len() < 2 * PART {
        return any(bytes, dtype, sought);
    }
    let found = AtomicBool::new(false);
    pool.for_ranges(bytes.len().div_ceil(PART), NANOS * PART as f64, |parts| {
        let part = &bytes[parts.start * PART..(parts.end * PART).min(bytes.len())];
        if any(part, dtype, sought) {
            found.store(true, Ordering::Relaxed);
        }
    });
    found.into_inner()
}

/// True if an element of these bytes is what is sought. The loops are compiled for the widest vectors of the machine.
pub fn any(bytes: &[u8], dtype: DType, sought: Sought) -> bool {
    pulp::Arch::new().dispatch(
        #[inline(always)]
        || any_of(bytes, dtype, sought),
    )
}

#[inline(always)]
fn any_of(bytes: &[u8], dtype: DType, sought: Sought) -> bool {
    // Without their signs, floats are ordered as their bits: infinity, then NaNs.
    let nan = u8::from(sought == Sought::NaN);
    match dtype {
        DType::F32 | DType::C64 => {
            greatest(bytes, |b| u32::from_ne_bytes(b) << 1, u32::max) >= 0xff00_0000 + u32::from(nan)
        }
        DType::F64 | DType::C128 => {
            let least = 0xffe0_0000_0000_0000 + u64::from(nan);
            greatest(bytes, |b| u64::from(u64::from_ne_bytes(b) << 1 >= least), |a, b| a | b) == 1
        }
        DType::F16 => greatest(bytes, |b| u16::from_ne_bytes(b) << 1, u16::max) >= 0xf800 + u16::from(nan),
        DType::BF16 => greatest(bytes, |b| u16::from_ne_bytes(b) << 1, u16::max) >= 0xff00 + u16::from(nan),
        _ => {
            let is = |value: f32| if nan == 1 { value.is_nan() } else { !value.is_finite() };
            greatest(bytes, |[b]| u8::from(is(dtype.narrow_value(b))), u8::max) == 1
        }
    }
}

/// The maximum of `of` over the elements of `N` bytes, in a loop without branches.
#[inline(always)]
fn greatest<const N: usize, T: Copy + Default>(bytes: &[u8], of: impl Fn([u8; N]) -> T, max: impl Fn(T, T) -> T) -> T {
    let (elements, _) = bytes.as_chunks::<N>();
    elements.iter().fold(T::default(), |greatest, element| max(greatest, of(*element)))
}

/// Finds what is sought in a tensor; `None` if there is none.
pub fn find(tensor: &Tensor, sought: Sought) -> Option<Found> {
    let bytes = tensor.bytes().filter(|_| can_hold(tensor.dtype()))?;
    let mut found: Option<Found> = None;
    for (i, element) in bytes.chunks_exact(tensor.dtype().size()).enumerate() {
        let value = number(element, tensor.dtype());
        let of_both = |is: fn(f64) -> bool| is(value.0) || value.1.is_some_and(is);
        let (nan, infinite) = (of_both(f64::is_nan), of_both(f64::is_infinite));
        if !nan && (!infinite || sought == Sought::NaN) {
            continue;
        }
        let all = found.get_or_insert(Found { first: i, value, nans: 0, infinities: 0 });
        if nan {
            all.nans += 1;
        } else {
            all.infinities += 1;
        }
    }
    found
}

/// An element as a number; for a complex one, both parts.
fn number(element: &[u8], dtype: DType) -> (f64, Option<f64>) {
    let halves = element.split_at(element.len() / 2);
    match dtype {
        DType::C64 => (real(halves.0, DType::F32), Some(real(halves.1, DType::F32))),
        DType::C128 => (real(halves.0, DType::F64), Some(real(halves.1, DType::F64))),
        _ => (real(element, dtype), None),
    }
}

fn real(element: &[u8], dtype: DType) -> f64 {
    match (dtype, element) {
        (DType::F64, &[a, b, c, d, e, f, g, h]) => f64::from_ne_bytes([a, b, c, d, e, f, g, h]),
        (DType::F32, &[a, b, c, d]) => f64::from(f32::from_ne_bytes([a, b, c, d])),
        (DType::BF16, &[a, b]) => f64::from(f32::from_bits(u32::from(u16::from_ne_bytes([a, b])) << 16)),
        (DType::F16, &[a, b]) => half(u16::from_ne_bytes([a, b])),
        (_, &[byte]) => f64::from(dtype.narrow_value(byte)),
        _ => 0.0,
    }
}

/// The value of a half.
fn half(bits: u16) -> f64 {
    let (exponent, mantissa) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
    let size = match exponent {
        0x1f if mantissa == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        0 => mantissa * 2f64.powi(-24),
        _ => (1024.0 + mantissa) * 2f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;
    use levada_graph::Shape;

    fn of(dtype: DType, bytes: &[u8]) -> Tensor {
        let shape = Shape::new([bytes.len() / dtype.size()]).unwrap();
        Tensor::from_bytes(dtype, shape, bytes).unwrap()
    }

    #[test]
    fn every_bit_pattern_of_two_bytes_is_told_as_its_value_is() {
        let pool = Pool::new(1);
        for dtype in [DType::F16, DType::BF16] {
            for bits in 0..=u16::MAX {
                let tensor = of(dtype, &bits.to_ne_bytes());
                let value = real(&bits.to_ne_bytes(), dtype);
                assert_eq!(holds(&tensor, Sought::NaN, &pool), value.is_nan(), "{dtype} {bits:x}");
                assert_eq!(holds(&tensor, Sought::NonFinite, &pool), !value.is_finite(), "{dtype} {bits:x}");
            }
        }
        assert_eq!((half(0x3c00), half(0xc000), half(0x0001)), (1.0, -2.0, 2f64.powi(-24)));
    }

    #[test]
    fn one_element_among_many_is_found_wherever_it_is() {
        let pool = Pool::new(2);
        for count in [1, 3, 1000, 1 << 18] {
            for at in [0, count / 2, count - 1] {
                for (value, is_nan) in [(f32::NAN, true), (f32::NEG_INFINITY, false)] {
                    let mut values = vec![1f32; count];
                    values[at] = value;
                    let tensor = Tensor::vector(values);
                    assert!(holds(&tensor, Sought::NonFinite, &pool));
                    assert_eq!(holds(&tensor, Sought::NaN, &pool), is_nan);
                    let found = find(&tensor, Sought::NonFinite).unwrap();
                    assert_eq!((found.first, found.nans, found.infinities), (at, is_nan.into(), (!is_nan).into()));
                }
            }
            assert!(!holds(&Tensor::vector(vec![f32::MAX; count]), Sought::NonFinite, &pool));
        }
    }

    #[test]
    fn parts_of_complex_numbers_and_narrow_floats_count() {
        let pool = Pool::new(1);
        let pair = [1f64.to_ne_bytes(), f64::NAN.to_ne_bytes()].concat();
        let complex = of(DType::C128, &pair);
        assert!(holds(&complex, Sought::NaN, &pool));
        assert!(find(&complex, Sought::NaN).unwrap().value.1.unwrap().is_nan());
        let infinite = of(DType::F8E5M2, &[0x3c, 0x7c]);
        assert!(holds(&infinite, Sought::NonFinite, &pool) && !holds(&infinite, Sought::NaN, &pool));
        assert!(!holds(&Tensor::vector(vec![i32::MAX, -1]), Sought::NonFinite, &pool));
    }
}
