//! Codes: the elements of a quantized type, and the values that they stand for within a range.
//!
//! The smallest code stands for the minimum of the range, the largest for its maximum, and the range is adjusted so
//! that zero is a code. There are two implementations: double precision for single elements ([`to_float`],
//! [`from_float`]) and single precision for whole tensors ([`ToFloat`], [`FromFloat`]). Their results occasionally
//! differ by one code, so each op uses the one that TensorFlow uses for it.

use crate::prelude::*;

/// The type that stores a quantized type.
pub trait Code: Element + Copy + Ord {
    /// The smallest code.
    const SMALLEST: i64;
    /// The largest code.
    const LARGEST: i64;
    /// Number of codes.
    const STEPS: i64 = Self::LARGEST - Self::SMALLEST + 1;
    /// Returns the code as an integer.
    fn wide(self) -> i64;
    /// Returns the low bits of an integer as a code.
    fn wrap(value: i64) -> Self;
}

macro_rules! codes {
    ($($ty:ty),*) => {$(
        impl Code for $ty {
            const SMALLEST: i64 = <$ty>::MIN as i64;
            const LARGEST: i64 = <$ty>::MAX as i64;
            #[inline(always)]
            fn wide(self) -> i64 { self.into() }
            #[inline(always)]
            fn wrap(value: i64) -> Self { value as $ty }
        }
    )*};
}

codes!(i8, u8, i16, u16, i32);

/// Returns the smaller of two values, or the first if they cannot be compared.
#[inline(always)]
pub fn least<T: PartialOrd>(a: T, b: T) -> T {
    if b < a { b } else { a }
}

/// Returns the larger of two values, or the first if they cannot be compared.
#[inline(always)]
pub fn greatest<T: PartialOrd>(a: T, b: T) -> T {
    if a < b { b } else { a }
}

/// Converts a float to an integer; values out of range and NaN become the smallest one.
#[inline(always)]
pub fn to_i64(value: f64) -> i64 {
    if value < 9_223_372_036_854_775_808.0 { value as i64 } else { i64::MIN }
}

/// Converts a float to an integer; values out of range and NaN become the smallest one.
#[inline(always)]
pub fn to_i32(value: f32) -> i32 {
    if value < 2_147_483_648.0 { value as i32 } else { i32::MIN }
}

/// Returns the code for a value, not clamped to the codes of the type.
pub fn from_float_unclamped<T: Code>(value: f32, (min, max): (f32, f32)) -> i64 {
    if min == max {
        return T::SMALLEST;
    }
    let steps = T::STEPS as f64;
    let adjust = steps / (steps - 1.0);
    let scale = steps / (f64::from(max - min) * adjust);
    let code = (f64::from(value) * scale).round() - (f64::from(min) * scale).round();
    to_i64(code).wrapping_add(T::SMALLEST)
}

/// Returns the code for a value.
pub fn from_float<T: Code>(value: f32, range: (f32, f32)) -> T {
    T::wrap(from_float_unclamped::<T>(value, range).clamp(T::SMALLEST, T::LARGEST))
}

/// Returns the value of a code.
pub fn to_float<T: Code>(code: T, (min, max): (f32, f32)) -> f32 {
    if min == max {
        return min;
    }
    let steps = T::STEPS as f64;
    let adjust = steps / (steps - 1.0);
    let scale = f64::from(max - min) * adjust / steps;
    let offset = (code.wide() - T::SMALLEST) as f64;
    let rounded = (min / scale as f32).round() * scale as f32;
    (f64::from(rounded) + offset * scale) as f32
}

/// Returns the distance between the values of two adjacent codes of `T` in a range.
fn level<T: Code>((min, max): (f32, f32)) -> f32 {
    (max - min) / (T::STEPS - 1) as f32
}

/// Returns the range of products of codes of `A` and `B` as codes of int32.
pub fn range_of_products<A: Code, B: Code>(a: (f32, f32), b: (f32, f32)) -> (f32, f32) {
    let level = level::<A>(a) * level::<B>(b);
    (level * i32::SMALLEST as f32, level * i32::LARGEST as f32)
}

/// Converts the codes of a type in a range to values, in single precision.
#[derive(Clone, Copy)]
pub struct ToFloat {
    scale: f32,
    offset: f32,
}

impl ToFloat {
    /// For codes of `T` in this range.
    pub fn new<T: Code>((min, max): (f32, f32)) -> ToFloat {
        let scale = (f64::from(max - min) / (T::STEPS - 1) as f64) as f32;
        let rounded = if max == min { min } else { (min / scale).round() * scale };
        ToFloat { scale, offset: rounded - T::SMALLEST as f32 * scale }
    }

    /// Returns the value of a code.
    #[inline(always)]
    pub fn call<T: Code>(self, code: T) -> f32 {
        self.offset + code.wide() as f32 * self.scale
    }
}

/// Converts values to codes of a type in a range, in single precision.
#[derive(Clone, Copy)]
pub struct FromFloat {
    scale: f32,
    offset: f32,
    lower: f32,
    upper: f32,
}

impl FromFloat {
    /// For codes of `T` in this range.
    pub fn new<T: Code>((min, max): (f32, f32)) -> FromFloat {
        let scale = if max == min { 0.0 } else { ((T::STEPS - 1) as f64 / f64::from(max - min)) as f32 };
        FromFloat {
            scale,
            offset: (min * scale).round() - T::SMALLEST as f32,
            lower: T::SMALLEST as f32,
            // The largest float below the end of int32.
            upper: (T::LARGEST as f32).min(2_147_483_520.0),
        }
    }

    /// Returns the code for a value.
    #[inline(always)]
    pub fn call<T: Code>(self, value: f32) -> T {
        let code = (value * self.scale).round() - self.offset;
        T::wrap(to_i32(least(greatest(code, self.lower), self.upper)).into())
    }
}

/// Converts codes of one range to codes of another.
#[derive(Clone, Copy)]
pub struct Recode {
    from: ToFloat,
    to: FromFloat,
}

impl Recode {
    /// From codes of `A` in the range `from` to codes of `B` in the range `to`.
    pub fn new<A: Code, B: Code>(from: (f32, f32), to: (f32, f32)) -> Recode {
        Recode { from: ToFloat::new::<A>(from), to: FromFloat::new::<B>(to) }
    }

    /// Converts a code.
    #[inline(always)]
    pub fn call<A: Code, B: Code>(self, code: A) -> B {
        self.to.call(self.from.call(code))
    }
}

/// Converts codes of uint8 to codes of int32; adjacent codes stay equally far apart.
#[derive(Clone, Copy)]
pub struct Widen {
    first: i64,
    step: i32,
}

impl Widen {
    /// From one range to another.
    pub fn new(from: (f32, f32), to: (f32, f32)) -> Widen {
        let code = |code: u8| from_float_unclamped::<i32>(to_float(code, from), to);
        let first = code(0);
        Widen { first, step: code(1).wrapping_sub(first) as i32 }
    }

    /// Converts a code.
    #[inline(always)]
    pub fn call(self, code: u8) -> i32 {
        let code = self.first.wrapping_add(i64::from(code) * i64::from(self.step));
        code.clamp(i32::SMALLEST, i32::LARGEST) as i32
    }
}

/// Converts codes of int32 to codes of uint8, in fixed-point arithmetic.
#[derive(Clone, Copy)]
pub struct Narrow {
    scale: i64,
    offset: i64,
}

impl Narrow {
    const SHIFT: u32 = 16;

    /// From one range to another.
    pub fn new((min, max): (f32, f32), to: (f32, f32)) -> Narrow {
        let one = f64::from(1 << Narrow::SHIFT);
        let (range, output) = (max - min, to.1 - to.0);
        let middle = (f64::from(min + max) / 2.0) as f32;
        let (scale, reciprocal, first) = if output == 0.0 {
            (0, 0.0, 0)
        } else {
            (
                to_i64(255.0 * one * f64::from(range) / f64::from(output)),
                (255.0 / f64::from(output)) as f32,
                to_i64(one * (f64::from(to.0) * 255.0) / f64::from(output)),
            )
        };
        let middle = to_i64((middle * reciprocal * one as f32).into());
        Narrow { scale, offset: middle.wrapping_sub(first).wrapping_add(1 << (Narrow::SHIFT - 1)) }
    }

    /// Converts a code.
    #[inline(always)]
    pub fn call(self, code: i32) -> u8 {
        let code = (i64::from(code).wrapping_mul(self.scale) >> 32).wrapping_add(self.offset);
        (code >> Narrow::SHIFT).clamp(0, 255) as u8
    }
}

/// Expands `$body` with `$T` as the storage type of the quantized type `$dtype`, which must be one of the five.
macro_rules! of_code {
    ($dtype:expr, |$T:ident| $body:expr, else $else:expr) => {
        match $dtype {
            DType::QI8 => {
                type $T = i8;
                $body
            }
            DType::QU8 => {
                type $T = u8;
                $body
            }
            DType::QI16 => {
                type $T = i16;
                $body
            }
            DType::QU16 => {
                type $T = u16;
                $body
            }
            DType::QI32 => {
                type $T = i32;
                $body
            }
            _ => $else,
        }
    };
}

pub(crate) use of_code;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        fn check<T: Code>(range: (f32, f32)) {
            for code in [T::SMALLEST, T::SMALLEST + 1, 0.max(T::SMALLEST), T::LARGEST - 1, T::LARGEST] {
                let value = to_float(T::wrap(code), range);
                assert_eq!(from_float::<T>(value, range), T::wrap(code), "{code} {value}");
                if T::STEPS <= 1 << 16 {
                    let recode = Recode::new::<T, T>(range, range);
                    assert_eq!(recode.call::<T, T>(T::wrap(code)), T::wrap(code));
                }
            }
        }
        for range in [(-1.0, 1.5), (0.0, 6.0), (-0.3, 12.7)] {
            check::<i8>(range);
            check::<u8>(range);
            check::<i16>(range);
            check::<u16>(range);
        }
    }
}
