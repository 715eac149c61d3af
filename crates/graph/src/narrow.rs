//! Narrow dtypes: floats of 8 and 4 bits and integers of 4 and 2 bits.
//!
//! An element takes a byte, in its low bits if the type has fewer than 8. Tensors of these types are stored and moved
//! as bytes; computations cast them first.

use crate::dtype::DType;

/// The meaning of the codes at the end of a float's range.
#[derive(Clone, Copy, PartialEq)]
enum Ends {
    /// The largest exponent is that of infinities and NaNs.
    Ieee,
    /// The largest magnitude is NaN, and there are no infinities.
    Finite,
    /// Negative zero is NaN, and there are no infinities.
    Unsigned,
    /// Every code is a number.
    Numbers,
}

/// The layout of a narrow float.
#[derive(Clone, Copy)]
struct Float {
    exponent: u32,
    mantissa: u32,
    bias: i32,
    ends: Ends,
}

impl Float {
    const fn of(dtype: DType) -> Option<Float> {
        let (exponent, mantissa, bias, ends) = match dtype {
            DType::F8E5M2 => (5, 2, 15, Ends::Ieee),
            DType::F8E4M3 => (4, 3, 7, Ends::Finite),
            DType::F8E4M3Uz => (4, 3, 8, Ends::Unsigned),
            DType::F8E4M3B11 => (4, 3, 11, Ends::Unsigned),
            DType::F8E5M2Uz => (5, 2, 16, Ends::Unsigned),
            DType::F4E2M1 => (2, 1, 1, Ends::Numbers),
            _ => return None,
        };
        Some(Float { exponent, mantissa, bias, ends })
    }

    fn sign(self) -> u8 {
        1 << (self.exponent + self.mantissa)
    }

    fn value(self, bits: u8) -> f32 {
        let magnitude = bits & (self.sign() - 1);
        let negative = bits & self.sign() != 0;
        let nan = match self.ends {
            Ends::Ieee => magnitude > self.infinity(),
            Ends::Finite => magnitude == self.sign() - 1,
            Ends::Unsigned => negative && magnitude == 0,
            Ends::Numbers => false,
        };
        let exponent = i32::from(magnitude >> self.mantissa);
        let fraction = f32::from(magnitude & ((1 << self.mantissa) - 1));
        let one = f32::from(1u8 << self.mantissa);
        let value = match exponent {
            _ if nan => f32::NAN,
            _ if self.ends == Ends::Ieee && magnitude == self.infinity() => f32::INFINITY,
            0 => fraction / one * 2f32.powi(1 - self.bias),
            _ => (1.0 + fraction / one) * 2f32.powi(exponent - self.bias),
        };
        if negative { -value } else { value }
    }

    /// The code of infinity, in a type that has it.
    fn infinity(self) -> u8 {
        ((1 << self.exponent) - 1) << self.mantissa
    }

    /// The code of the largest finite number.
    fn largest(self) -> u8 {
        match self.ends {
            Ends::Ieee => self.infinity() - 1,
            Ends::Finite => self.sign() - 2,
            Ends::Unsigned | Ends::Numbers => self.sign() - 1,
        }
    }

    fn bits(self, value: f64) -> u8 {
        let sign = if value.is_sign_negative() { self.sign() } else { 0 };
        if value.is_nan() {
            return match self.ends {
                Ends::Ieee => sign | (self.infinity() + (1 << (self.mantissa - 1))),
                Ends::Finite => sign | (self.sign() - 1),
                Ends::Unsigned => self.sign(),
                Ends::Numbers => sign ^ self.sign(),
            };
        }
        let magnitude = value.abs();
        let least = 1 - self.bias;
        let largest = u64::from(self.largest());
        let code = if magnitude.is_infinite() {
            largest + 1
        } else {
            let exponent = (((magnitude.to_bits() >> 52) as i32) - 1023).max(least);
            // The quotient is exact, since only the exponent changes; the steps of the next exponent continue those of
            // this one.
            let steps = (magnitude / 2f64.powi(exponent - self.mantissa as i32)).round_ties_even();
            (((exponent - least) as u64) << self.mantissa) + steps as u64
        };
        if code <= largest {
            let negative_zero = self.ends == Ends::Unsigned && code == 0;
            return if negative_zero { 0 } else { sign | code as u8 };
        }
        match self.ends {
            Ends::Ieee => sign | self.infinity(),
            Ends::Finite => sign | (self.sign() - 1),
            Ends::Unsigned => self.sign(),
            Ends::Numbers => sign | self.largest(),
        }
    }
}

impl DType {
    /// True for the floats of 8 and 4 bits and the integers of 4 and 2 bits, which are stored and moved as bytes.
    #[inline]
    pub const fn is_narrow(self) -> bool {
        // Their numbers come last.
        self as u8 >= DType::F8E5M2 as u8
    }

    /// True for the floats of 8 and 4 bits.
    pub const fn is_narrow_float(self) -> bool {
        Float::of(self).is_some()
    }

    /// Bits of an element of a narrow type; 0 for other types.
    pub const fn narrow_bits(self) -> u32 {
        match self {
            DType::I4 | DType::U4 => 4,
            DType::I2 | DType::U2 => 2,
            _ => match Float::of(self) {
                Some(float) => 1 + float.exponent + float.mantissa,
                None => 0,
            },
        }
    }

    /// Clears the unused bits of a byte that holds an element of a narrow type.
    pub(crate) const fn masked(self, byte: u8) -> u8 {
        match self.narrow_bits() {
            0 | 8 => byte,
            bits => byte & ((1 << bits) - 1),
        }
    }

    /// The dtype of [`Tensor::widened`](crate::Tensor::widened) for this type: it can represent all its values.
    pub const fn wide(self) -> DType {
        match self {
            DType::I4 | DType::I2 => DType::I8,
            DType::U4 | DType::U2 => DType::U8,
            _ if self.is_narrow() => DType::F32,
            _ => self,
        }
    }

    /// The value of a byte of a tensor of this narrow type. NaN for a type that is not narrow.
    pub fn narrow_value(self, byte: u8) -> f32 {
        match (self, Float::of(self)) {
            (_, Some(float)) => float.value(byte),
            (DType::I4, _) => f32::from((byte << 4) as i8 >> 4),
            (DType::I2, _) => f32::from((byte << 6) as i8 >> 6),
            (DType::U4 | DType::U2, _) => f32::from(self.masked(byte)),
            _ => f32::NAN,
        }
    }

    /// The byte of a tensor of this narrow type for a number. Floats are rounded to nearest, ties to even; values that
    /// are too large become infinity, or NaN in types without infinities. Integers lose their fraction and their high
    /// bits.
    pub fn narrow_byte(self, value: f64) -> u8 {
        match Float::of(self) {
            Some(float) => float.bits(value),
            None => self.masked(value as i64 as u8),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_is_its_number() {
        for &dtype in DType::ALL.iter().filter(|d| d.is_narrow()) {
            for byte in 0..=(0xffu8 >> (8 - dtype.narrow_bits())) {
                let value = dtype.narrow_value(byte);
                let again = dtype.narrow_byte(value.into());
                assert!(again == byte || value.is_nan() && dtype.narrow_value(again).is_nan(), "{dtype} {byte:#x}");
            }
        }
    }

    #[test]
    fn halves_go_to_even_and_all_between_to_the_nearest() {
        for &dtype in DType::ALL.iter().filter(|d| d.is_narrow_float()) {
            let largest = Float::of(dtype).unwrap().largest();
            for byte in 0..largest {
                let (low, high) = (f64::from(dtype.narrow_value(byte)), f64::from(dtype.narrow_value(byte + 1)));
                let middle = f64::midpoint(low, high);
                assert_eq!(dtype.narrow_byte(middle), byte + byte % 2, "{dtype} {middle}");
                assert_eq!(dtype.narrow_byte(middle.next_down()), byte);
                assert_eq!(dtype.narrow_byte(middle.next_up()), byte + 1);
            }
        }
    }
}
