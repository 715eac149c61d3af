//! Conversion of floats to integers as x86 performs it, so that loops over it are vectorized: the conversions of the
//! language saturate, for which there are no vector instructions.

#![allow(unsafe_code)]

/// A float that can be converted.
pub trait Truncate: Copy {
    /// The value without its fraction; `i32::MIN` if that is no `i32`, or for NaN.
    fn to_i32(self) -> i32;
    /// The value without its fraction; `i64::MIN` if that is no `i64`, or for NaN.
    fn to_i64(self) -> i64;
}

macro_rules! truncate {
    ($($float:ty),*) => {$(
        impl Truncate for $float {
            #[inline(always)]
            fn to_i32(self) -> i32 {
                let fits = self.abs() < 2_147_483_648.0;
                // SAFETY: the value is finite and within the range of the type.
                let value = unsafe { (if fits { self } else { 0.0 }).to_int_unchecked::<i32>() };
                if fits { value } else { i32::MIN }
            }
            #[inline(always)]
            fn to_i64(self) -> i64 {
                let fits = self.abs() < 9_223_372_036_854_775_808.0;
                // SAFETY: the value is finite and within the range of the type.
                let value = unsafe { (if fits { self } else { 0.0 }).to_int_unchecked::<i64>() };
                if fits { value } else { i64::MIN }
            }
        }
    )*};
}

truncate!(f32, f64);

#[cfg(test)]
mod tests {
    use super::*;

    /// The language saturates, and NaN becomes 0.
    fn same<F: Truncate + Into<f64> + std::fmt::Display>(x: F) {
        let wide: f64 = x.into();
        let expected = if wide < 2_147_483_648.0 { wide as i32 } else { i32::MIN };
        assert_eq!(x.to_i32(), expected, "{x}");
        let expected = if wide < 9_223_372_036_854_775_808.0 { wide as i64 } else { i64::MIN };
        assert_eq!(x.to_i64(), expected, "{x}");
    }

    #[test]
    fn floats_are_truncated_where_they_fit() {
        let limits = [2_147_483_648.0, 4_294_967_296.0, 9_223_372_036_854_775_808.0, 1.8446744073709552e19];
        let near = limits.into_iter().flat_map(|x: f64| [x.next_down(), x, x.next_up()]);
        let some = [0.0, 0.99, 1.0, 2.5, 1e10, 3e38, 1e300, f64::INFINITY, f64::NAN, 5e-324];
        for x in near.chain(some).flat_map(|x| [x, -x]) {
            same(x);
            same(x as f32);
            same((x as f32).next_down());
        }
    }
}
