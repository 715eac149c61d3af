//! ONNX's element types, by number. Levada has no dtypes below 16 bits except int8 and uint8: integers of 4 and 2 bits
//! are stored in int8 and uint8, floats of 8, 6 and 4 bits as their codes in uint8.

use crate::base::{Base, read};
use crate::prelude::*;

/// A float of at most 8 bits: sign, exponent and fraction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SmallFloat {
    fraction: u32,
    bias: i32,
    /// The code of the maximum finite value.
    largest: u8,
    /// Whether the code with only the sign bit is NaN, so that zero has no sign.
    unsigned_zero: bool,
    nan: Option<u8>,
    infinity: Option<u8>,
    sign: u8,
}

/// How an element type of ONNX is stored.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Format {
    /// As a Levada dtype.
    Plain,
    /// As an int8 or uint8 within these limits, with this many significant bits.
    Integer { least: i64, greatest: i64, bits: u32 },
    /// As a code in a uint8.
    Float(SmallFloat),
    /// As a power of two: an exponent in a uint8.
    Exponent,
}

const fn float(fraction: u32, bias: i32, largest: u8, sign: u8) -> SmallFloat {
    SmallFloat { fraction, bias, largest, unsigned_zero: false, nan: None, infinity: None, sign }
}

impl Format {
    /// The format of ONNX element type `number`.
    pub(crate) fn of(number: i64) -> Format {
        let integer = |least, greatest, bits| Format::Integer { least, greatest, bits };
        let unsigned_zero = |f: SmallFloat| Format::Float(SmallFloat { unsigned_zero: true, nan: Some(0x80), ..f });
        match number {
            2 => integer(0, 255, 8),
            3 => integer(-128, 127, 8),
            4 => integer(0, 65535, 16),
            5 => integer(-32768, 32767, 16),
            17 => Format::Float(SmallFloat { nan: Some(0x7f), ..float(3, 7, 0x7e, 0x80) }),
            18 => unsigned_zero(float(3, 8, 0x7f, 0x80)),
            19 => Format::Float(SmallFloat { nan: Some(0x7e), infinity: Some(0x7c), ..float(2, 15, 0x7b, 0x80) }),
            20 => unsigned_zero(float(2, 16, 0x7f, 0x80)),
            21 => integer(0, 15, 4),
            22 => integer(-8, 7, 4),
            23 => Format::Float(float(1, 1, 0x7, 0x8)),
            24 => Format::Exponent,
            25 => integer(0, 3, 2),
            26 => integer(-2, 1, 2),
            27 => Format::Float(float(3, 1, 0x1f, 0x20)),
            28 => Format::Float(float(2, 3, 0x1f, 0x20)),
            _ => Format::Plain,
        }
    }
}

impl SmallFloat {
    /// Decodes a code to its value.
    pub(crate) fn decode(&self, code: u8) -> f32 {
        let (sign, rest) = (code & self.sign != 0, code & (self.sign - 1));
        if self.nan.is_some_and(|nan| code == nan || (!self.unsigned_zero && rest == nan))
            || (self.infinity.is_some_and(|i| rest > i))
        {
            return f32::NAN;
        }
        if self.infinity == Some(rest) {
            return if sign { f32::NEG_INFINITY } else { f32::INFINITY };
        }
        let (exponent, fraction) = (i32::from(rest) >> self.fraction, f32::from(rest & ((1 << self.fraction) - 1)));
        let step = |exponent: i32| 2f32.powi(exponent - self.bias - self.fraction as i32);
        let value = match exponent {
            0 => fraction * step(1),
            _ => (fraction + (1u32 << self.fraction) as f32) * step(exponent),
        };
        if sign { -value } else { value }
    }

    /// Encodes the nearest value, ties to even.
    pub(crate) fn encode(&self, x: f32, saturate: bool) -> u8 {
        let sign = if x.is_sign_negative() { self.sign } else { 0 };
        if x.is_nan() {
            return match self.nan {
                Some(nan) if self.unsigned_zero => nan,
                Some(nan) => nan | sign,
                None => self.sign,
            };
        }
        let x = f64::from(x.abs());
        let least = 1 - self.bias;
        let exponent = if x > 0.0 && x.is_finite() { (x.log2().floor() as i32).max(least) } else { least };
        let steps = (x / 2f64.powi(exponent - self.fraction as i32)).round_ties_even();
        let code = (f64::from((exponent + self.bias - 1) << self.fraction) + steps).min(1024.0) as u32;
        if code <= u32::from(self.largest) {
            return if code == 0 && self.unsigned_zero { 0 } else { code as u8 | sign };
        }
        // Formats with neither NaN nor infinity always saturate.
        match (saturate, self.infinity, self.nan) {
            (false, Some(infinity), _) => infinity | sign,
            (false, None, Some(nan)) if self.unsigned_zero => nan,
            (false, None, Some(nan)) => nan | sign,
            _ => self.largest | sign,
        }
    }
}

/// How values between powers of two are rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RoundMode {
    Up,
    Down,
    Nearest,
}

/// The code of a power of two near `x`.
fn encode_exponent(x: f32, saturate: bool, round: RoundMode) -> u8 {
    if x.is_nan() || x < 0.0 {
        return 255;
    }
    if x.is_infinite() {
        return if saturate { 254 } else { 255 };
    }
    let bits = x.to_bits();
    let (exponent, fraction) = ((bits >> 23) as u16, bits & 0x7f_ffff);
    let half = 0x40_0000;
    // Below the minimum normal number the bits represent 2^-126: code 0 is 2^-127.
    let up = match round {
        RoundMode::Up if exponent == 0 => fraction > half,
        RoundMode::Up => fraction > 0,
        RoundMode::Down => false,
        RoundMode::Nearest if exponent == 0 => fraction > half,
        RoundMode::Nearest => fraction >= half,
    };
    match exponent + u16::from(up) {
        255.. if saturate => 254,
        255.. => 255,
        code => code as u8,
    }
}

/// The values of a tensor stored in format `number`.
///
/// # Errors
/// `UNIMPLEMENTED` for dtypes that are not real.
pub(crate) fn decode<B: Base>(tensor: &Tensor, number: i64) -> Result<Vec<B>> {
    let table: Vec<B> = match Format::of(number) {
        Format::Float(format) => (0..=255u8).map(|code| B::of(f64::from(format.decode(code)))).collect(),
        Format::Exponent => {
            let value = |code: u8| if code == 255 { f64::NAN } else { 2f64.powi(i32::from(code) - 127) };
            (0..=255u8).map(|code| B::of(value(code))).collect()
        }
        _ => return Ok(read::<B>(tensor)?.into_owned()),
    };
    Ok(tensor.slice::<u8>()?.iter().map(|&code| table[usize::from(code)]).collect())
}

/// Creates a tensor of `dtype` from values stored in format `number`. Integers are truncated; those of 4 and 2 bits
/// wrap.
///
/// # Errors
/// `UNIMPLEMENTED` for dtypes that are not real.
pub(crate) fn encode(
    cx: &Cx<'_, '_>,
    (number, dtype): (i64, DType),
    shape: &Shape,
    values: Vec<f64>,
    saturate: bool,
    round: RoundMode,
) -> Result<Tensor> {
    let mut out = cx.alloc(dtype, shape)?;
    match Format::of(number) {
        Format::Float(format) => {
            let codes = values.iter().map(|&v| format.encode(v as f32, saturate));
            out.slice_mut::<u8>()?.iter_mut().zip(codes).for_each(|(o, code)| *o = code);
        }
        Format::Exponent => {
            let codes = values.iter().map(|&v| encode_exponent(v as f32, saturate, round));
            out.slice_mut::<u8>()?.iter_mut().zip(codes).for_each(|(o, code)| *o = code);
        }
        Format::Integer { least, bits: bits @ (2 | 4), .. } => {
            let wrapped = values.iter().map(|&v| {
                let low = (v as i64) & ((1 << bits) - 1);
                if least < 0 && low >= 1 << (bits - 1) { low - (1 << bits) } else { low }
            });
            match dtype {
                DType::I8 => out.slice_mut::<i8>()?.iter_mut().zip(wrapped).for_each(|(o, v)| *o = v as i8),
                _ => out.slice_mut::<u8>()?.iter_mut().zip(wrapped).for_each(|(o, v)| *o = v as u8),
            }
        }
        _ if dtype == DType::Bool => {
            out.slice_mut::<bool>()?.iter_mut().zip(&values).for_each(|(o, v)| *o = *v != 0.0);
        }
        _ => out = crate::base::write(cx, dtype, shape, values)?,
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats() -> impl Iterator<Item = SmallFloat> {
        (0..30).filter_map(|number| match Format::of(number) {
            Format::Float(format) => Some(format),
            _ => None,
        })
    }

    #[test]
    fn every_code_is_the_code_of_its_value() {
        for format in floats() {
            for code in 0..=(2 * (format.sign as u16) - 1) as u8 {
                let value = format.decode(code);
                if value.is_nan() {
                    assert!(format.decode(format.encode(value, true)).is_nan(), "{format:?} {code}");
                } else {
                    assert_eq!(format.encode(value, false), code, "{format:?} {value}");
                }
            }
        }
    }

    #[test]
    fn values_between_two_codes_go_to_the_nearer() {
        for format in floats() {
            for code in 0..format.largest {
                let (a, b) = (format.decode(code), format.decode(code + 1));
                let middle = (a + b) / 2.0;
                assert_eq!(format.encode(middle, true), code + (code & 1), "{format:?} {middle}");
                assert_eq!(format.encode(middle - (b - a) / 8.0, true), code, "{format:?}");
                assert_eq!(format.encode(middle + (b - a) / 8.0, true), code + 1, "{format:?}");
            }
            assert_eq!(format.encode(1e30, true), format.largest, "{format:?}");
        }
    }
}
