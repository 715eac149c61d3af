//! Parsing of numbers, with surrounding whitespace allowed.

/// Returns whether a byte is whitespace, as in C.
pub fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// Strips leading and trailing whitespace.
pub fn trimmed(mut text: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = text
        && is_space(first)
    {
        text = rest;
    }
    while let [rest @ .., last] = text
        && is_space(last)
    {
        text = rest;
    }
    text
}

/// A number type that can be parsed.
pub trait Parse: Sized {
    /// Returns the number in `text`; `None` if there is none, or for an integer out of range.
    fn parse(text: &[u8]) -> Option<Self>;
}

macro_rules! integers {
    ($($ty:ty),*) => {$(
        impl Parse for $ty {
            fn parse(text: &[u8]) -> Option<$ty> {
                std::str::from_utf8(trimmed(text)).ok()?.parse().ok()
            }
        }
    )*};
}

integers!(i32, i64, u32, u64);

macro_rules! floats {
    ($($ty:ty),*) => {$(
        impl Parse for $ty {
            fn parse(text: &[u8]) -> Option<$ty> {
                let text = std::str::from_utf8(trimmed(text)).ok()?;
                let (sign, digits) = match text.as_bytes().first()? {
                    b'-' => (-1.0, &text[1..]),
                    b'+' => (1.0, &text[1..]),
                    _ => (1.0, text),
                };
                match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
                    Some("") => None,
                    Some(hex) => {
                        let value = hex.chars().try_fold(0f64, |v, c| Some(v * 16.0 + f64::from(c.to_digit(16)?)))?;
                        Some((sign * value) as $ty)
                    }
                    None => text.parse().ok(),
                }
            }
        }
    )*};
}

floats!(f32, f64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_tensorflow_reads_them() {
        for (text, value) in
            [("  1 ", Some(1.0)), (".5", Some(0.5)), ("0x10", Some(16.0)), ("1e400", Some(f32::INFINITY))]
        {
            assert_eq!(f32::parse(text.as_bytes()), value);
        }
        for text in ["", "  ", "1 2", "1_0", "1e", "1f", "infinit", "--1", "0x", "1\0"] {
            assert_eq!(f32::parse(text.as_bytes()), None, "{text:?}");
        }
        assert!(f64::parse(b"NaN").is_some_and(f64::is_nan));
        assert_eq!(f64::parse(b"-Infinity"), Some(f64::NEG_INFINITY));
        assert_eq!(i32::parse(b" -2147483648\n"), Some(i32::MIN));
        assert_eq!(i32::parse(b"2147483648"), None);
        assert_eq!(u32::parse(b"-0"), None);
        assert_eq!(u64::parse(b"+1"), Some(1));
    }
}
