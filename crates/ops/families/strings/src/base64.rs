//! `EncodeBase64` and `DecodeBase64`, with the URL-safe alphabet.

use super::elementwise::map;
use crate::prelude::*;
use crate::rules::never;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

attrs! {
    /// Encodes strings in Base64.
    pub struct EncodeBase64 {
        /// Whether to pad to groups of four characters with `=`.
        pad: bool = Attr::bool("pad").or_bool(false),
    }
}

pub static ENCODE_BASE64: Def<EncodeBase64> = op::<EncodeBase64>("EncodeBase64")
    .inputs(&[arg("input", is(DType::Str))])
    .outputs(&[arg("output", is(DType::Str))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(|op: &EncodeBase64, cx| map(cx, |_, s| Ok(encode(s, op.pad))))
    .batch(elementwise);

fn encode(s: &[u8], pad: bool) -> Bytes {
    let mut out = Vec::with_capacity(s.len().div_ceil(3) * 4);
    for group in s.chunks(3) {
        let byte = |i: usize| u32::from(group.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        out.extend((0..=group.len()).map(|i| ALPHABET[(bits >> (18 - 6 * i) & 63) as usize]));
        if pad {
            out.resize(out.len() + 3 - group.len(), b'=');
        }
    }
    Bytes::from(out)
}

attrs! {
    /// Decodes strings from Base64, with or without padding.
    pub struct DecodeBase64 {}
}

pub static DECODE_BASE64: Def<DecodeBase64> = op::<DecodeBase64>("DecodeBase64")
    .inputs(&[arg("input", is(DType::Str))])
    .outputs(&[arg("output", is(DType::Str))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(|_, cx| map(cx, |_, s| decode(s)))
    .batch(elementwise);

fn decode(s: &[u8]) -> Result<Bytes> {
    if s.len() % 4 == 1 {
        return Err(Error::invalid("Base64 string length cannot be 1 modulo 4."));
    }
    let padded = s.len().is_multiple_of(4);
    let s = match s {
        [rest @ .., b'=', b'='] | [rest @ .., b'='] if padded => rest,
        _ => s,
    };
    let mut out = Vec::with_capacity(s.len() / 4 * 3 + 3);
    for group in s.chunks(4) {
        let mut bits = 0u32;
        for (i, &character) in group.iter().enumerate() {
            let value = match character {
                b'A'..=b'Z' => character - b'A',
                b'a'..=b'z' => character - b'a' + 26,
                b'0'..=b'9' => character - b'0' + 52,
                b'-' => 62,
                b'_' => 63,
                _ => return Err(Error::invalid("Invalid character found in base64.")),
            };
            bits |= u32::from(value) << (18 - 6 * i);
        }
        out.extend_from_slice(&bits.to_be_bytes()[1..group.len()]);
    }
    Ok(Bytes::from(out))
}
