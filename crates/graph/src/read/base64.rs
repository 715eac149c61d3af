//! Base64 as proto JSON readers accept it: either alphabet, padded or not.

use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::engine::{DecodePaddingMode, Engine};
use std::borrow::Cow;

/// Decodes `text`.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    engine(text).1.decode(&*one_alphabet(text)).ok()
}

/// Decodes `text` into `out`; false if it is not base64 or not of that length.
pub(crate) fn decode_into(text: &str, out: &mut [u8]) -> bool {
    let expected = out.len();
    engine(text).1.decode_slice(&*one_alphabet(text), out).is_ok_and(|n| n == expected)
}

fn engine(text: &str) -> (bool, &'static GeneralPurpose) {
    const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    static STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);
    static URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT);
    let url_safe = text.bytes().any(|b| b == b'-' || b == b'_');
    (url_safe, if url_safe { &URL_SAFE } else { &STANDARD })
}

/// The text in one alphabet: if both are mixed, as TensorFlow's reader allows, in the URL-safe one.
fn one_alphabet(text: &str) -> Cow<'_, [u8]> {
    if engine(text).0 && text.bytes().any(|b| b == b'+' || b == b'/') {
        let swap = |b| match b {
            b'+' => b'-',
            b'/' => b'_',
            b => b,
        };
        return text.bytes().map(swap).collect();
    }
    Cow::Borrowed(text.as_bytes())
}
