//! C's `printf` conversions of numbers, and TensorFlow's short form of floats.

use levada_graph::{Error, Result};

/// Upper bound for the number of digits after the decimal point in the exact expansion of an `f64`.
const MOST_DIGITS: usize = 1100;

/// The conversion of a float.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// `%f`
    Fixed,
    /// `%e`
    Scientific,
    /// `%g`
    General,
}

/// Flag, width and precision of a conversion: the part between `%` and its letter.
#[derive(Clone, Copy, Default, Debug)]
pub struct Format {
    /// One of `-`, `+`, `0`, `#` and space.
    pub flag: Option<u8>,
    /// Minimum number of bytes.
    pub width: usize,
    /// Digits after the decimal point, significant digits for `%g`, maximum number of bytes for `%s`.
    pub precision: Option<usize>,
}

impl Format {
    /// Returns `%f`, `%e` or `%g` of `value`.
    pub fn float(&self, value: f64, notation: Notation) -> Result<Vec<u8>> {
        let magnitude = value.abs();
        let alternate = self.flag == Some(b'#');
        let digits = if value.is_nan() {
            "nan".to_owned()
        } else if magnitude.is_infinite() {
            "inf".to_owned()
        } else {
            let precision = self.precision.unwrap_or(6);
            match notation {
                Notation::Fixed => fixed(magnitude, precision, alternate)?,
                Notation::Scientific => scientific(magnitude, precision, alternate)?,
                Notation::General => general(magnitude, precision, alternate)?,
            }
        };
        let negative = value.is_sign_negative() && !value.is_nan();
        self.pad(self.sign(negative), digits.as_bytes(), value.is_finite())
    }

    /// Returns `%d` of `value`.
    pub fn signed(&self, value: i64) -> Result<Vec<u8>> {
        self.pad(self.sign(value < 0), value.unsigned_abs().to_string().as_bytes(), true)
    }

    /// Returns `%u` of `value`, which never shows a sign.
    pub fn unsigned(&self, value: u64) -> Result<Vec<u8>> {
        self.pad("", value.to_string().as_bytes(), true)
    }

    /// Returns `%s` of `value`; zero bytes are not special.
    pub fn bytes(&self, value: &[u8]) -> Result<Vec<u8>> {
        let kept = self.precision.map_or(value.len(), |p| p.min(value.len()));
        self.pad("", &value[..kept], false)
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.flag) {
            (true, _) => "-",
            (false, Some(b'+')) => "+",
            (false, Some(b' ')) => " ",
            _ => "",
        }
    }

    fn pad(&self, sign: &str, body: &[u8], zeros: bool) -> Result<Vec<u8>> {
        let len = sign.len() + body.len();
        let missing = self.width.saturating_sub(len);
        let mut out = Vec::new();
        reserve(&mut out, len + missing)?;
        match self.flag {
            Some(b'-') => {
                out.extend_from_slice(sign.as_bytes());
                out.extend_from_slice(body);
                out.resize(len + missing, b' ');
            }
            Some(b'0') if zeros => {
                out.extend_from_slice(sign.as_bytes());
                out.resize(sign.len() + missing, b'0');
                out.extend_from_slice(body);
            }
            _ => {
                out.resize(missing, b' ');
                out.extend_from_slice(sign.as_bytes());
                out.extend_from_slice(body);
            }
        }
        Ok(out)
    }
}

fn reserve(out: &mut Vec<u8>, len: usize) -> Result<()> {
    out.try_reserve_exact(len).map_err(|_| Error::resource_exhausted(format!("no memory for a text of {len} bytes")))
}

/// Appends `zeros` zeros to `digits`.
fn extended(digits: String, zeros: usize) -> Result<String> {
    let mut digits = digits;
    digits
        .try_reserve_exact(zeros)
        .map_err(|_| Error::resource_exhausted(format!("no memory for a number of {zeros} digits")))?;
    digits.extend(std::iter::repeat_n('0', zeros));
    Ok(digits)
}

fn fixed(value: f64, precision: usize, alternate: bool) -> Result<String> {
    let digits = format!("{value:.*}", precision.min(MOST_DIGITS));
    let digits = extended(digits, precision.saturating_sub(MOST_DIGITS))?;
    Ok(if alternate && precision == 0 { digits + "." } else { digits })
}

/// Returns the mantissa with `precision` digits after the decimal point, and the exponent.
fn mantissa(value: f64, precision: usize) -> Result<(String, i32)> {
    let text = format!("{value:.*e}", precision.min(MOST_DIGITS));
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent = exponent.parse().map_err(|_| Error::internal("an exponent is not a number"))?;
    Ok((extended(mantissa.to_owned(), precision.saturating_sub(MOST_DIGITS))?, exponent))
}

fn with_exponent(mantissa: &str, exponent: i32) -> String {
    format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.unsigned_abs())
}

fn scientific(value: f64, precision: usize, alternate: bool) -> Result<String> {
    let (mut digits, exponent) = mantissa(value, precision)?;
    if alternate && precision == 0 {
        digits.push('.');
    }
    Ok(with_exponent(&digits, exponent))
}

fn general(value: f64, precision: usize, alternate: bool) -> Result<String> {
    let significant = precision.max(1);
    let (digits, exponent) = mantissa(value, significant - 1)?;
    let in_range = exponent >= -4 && i64::from(exponent) < significant as i64;
    if in_range {
        let after_point = (significant as i64 - 1 - i64::from(exponent)) as usize;
        let digits = fixed(value, after_point, alternate)?;
        return Ok(if alternate { digits } else { stripped(&digits).to_owned() });
    }
    if alternate {
        return scientific(value, significant - 1, true);
    }
    Ok(with_exponent(stripped(&digits), exponent))
}

/// Strips trailing zeros after the decimal point, and a trailing decimal point.
fn stripped(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

/// Returns `value` with enough digits to restore it: 6, otherwise 9.
pub fn short_f32(value: f32) -> String {
    short(f64::from(value), 6, 9, |text| text.parse::<f32>().ok() == Some(value))
}

/// Returns `value` with enough digits to restore it: 15, otherwise 17.
pub fn short_f64(value: f64) -> String {
    short(value, 15, 17, |text| text.parse::<f64>().ok() == Some(value))
}

fn short(value: f64, few: usize, many: usize, exact: impl Fn(&str) -> bool) -> String {
    let write = |precision| {
        let format = Format { precision: Some(precision), ..Format::default() };
        format.float(value, Notation::General).map_or_else(|_| String::new(), |b| String::from_utf8_lossy(&b).into())
    };
    let text: String = write(few);
    if !value.is_finite() || exact(&text) { text } else { write(many) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(flag: Option<u8>, width: usize, precision: Option<usize>, notation: Notation, value: f64) -> String {
        let bytes = Format { flag, width, precision }.float(value, notation).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn floats_are_written_as_c_writes_them() {
        use Notation::*;
        type Case = (Option<u8>, usize, Option<usize>, Notation, f64, &'static str);
        let cases: &[Case] = &[
            (None, 0, None, Fixed, 0.1, "0.100000"),
            (None, 0, None, Fixed, 1e10, "10000000000.000000"),
            (None, 0, Some(0), Fixed, -2.5, "-2"),
            (Some(b'0'), 12, None, Fixed, -2.5, "-0002.500000"),
            (Some(b'0'), 12, None, Fixed, f64::NEG_INFINITY, "        -inf"),
            (Some(b'+'), 0, None, Fixed, f64::NAN, "+nan"),
            (Some(b'-'), 12, None, Fixed, 0.1, "0.100000    "),
            (Some(b'#'), 0, Some(0), Fixed, 0.1, "0."),
            (None, 0, Some(0), Scientific, 1.0 / 3.0, "3e-01"),
            (None, 0, None, Scientific, -0.0, "-0.000000e+00"),
            (None, 0, None, General, 1.0 / 3.0, "0.333333"),
            (None, 0, None, General, 1e10, "1e+10"),
            (None, 0, Some(0), General, -2.5, "-2"),
            (Some(b'#'), 0, Some(3), General, 1e10, "1.00e+10"),
            (Some(b'#'), 0, Some(3), General, 0.1, "0.100"),
            (None, 0, None, General, 999_999.5, "1e+06"),
            (None, 0, None, General, 0.0001, "0.0001"),
            (None, 0, None, General, 0.00001, "1e-05"),
            (None, 0, None, General, 100_000.0, "100000"),
        ];
        for &(flag, width, precision, notation, value, expected) in cases {
            assert_eq!(text(flag, width, precision, notation, value), expected);
        }
        assert_eq!(text(None, 0, Some(3000), Fixed, 0.5).len(), 3002);
    }

    #[test]
    fn short_floats_read_back() {
        assert_eq!(short_f32(0.1), "0.1");
        assert_eq!(short_f32(1.0 / 3.0), "0.333333343");
        assert_eq!(short_f32(1e10), "1e+10");
        assert_eq!(short_f32(123_456_789.0), "123456792");
        assert_eq!(short_f64(1e10), "10000000000");
        assert_eq!(short_f64(1.0 / 3.0), "0.33333333333333331");
        assert_eq!(short_f64(f64::NEG_INFINITY), "-inf");
    }
}
