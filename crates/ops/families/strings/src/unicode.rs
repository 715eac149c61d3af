//! Conversion of byte strings to and from characters, in the encodings of the Unicode ops.

use crate::prelude::*;
use encoding_rs::DecoderResult;

/// The default replacement for invalid input.
const REPLACEMENT: u32 = 0xfffd;

/// Returned for trailing bytes that are neither a character nor invalid, such as a lone byte order mark.
const NOTHING_READ: u32 = 0xffff;

/// A character encoding.
#[derive(Clone, Copy)]
enum Encoding {
    Utf8,
    /// Units of two bytes; `None` until the byte order is known from the first string.
    Utf16(Option<Order>),
    /// Units of four bytes; `None` until the byte order is known from the first string.
    Utf32(Option<Order>),
    Latin1,
    Ascii,
    /// A legacy encoding.
    Other(&'static encoding_rs::Encoding),
}

#[derive(Clone, Copy, PartialEq)]
enum Order {
    BigEndian,
    LittleEndian,
}

/// Decodes strings, one after the other, in one encoding.
pub(super) struct Decoder(Encoding);

/// A decoded character.
pub(super) struct Decoded {
    /// Its code point; that of the replacement character for invalid input.
    pub code: u32,
    /// Number of bytes consumed.
    pub bytes: usize,
    /// Whether the bytes are invalid.
    pub fault: bool,
}

impl Decoder {
    /// Returns a decoder for the named encoding.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for an unknown encoding.
    pub(super) fn new(name: &str) -> Result<Decoder> {
        use Order::{BigEndian, LittleEndian};
        let plain: String = name.to_ascii_lowercase().chars().filter(|c| !matches!(c, '-' | '_' | ' ')).collect();
        let encoding = match &*plain {
            "utf8" => Encoding::Utf8,
            "utf16" => Encoding::Utf16(None),
            "utf16be" => Encoding::Utf16(Some(BigEndian)),
            "utf16le" => Encoding::Utf16(Some(LittleEndian)),
            "utf32" => Encoding::Utf32(None),
            "utf32be" => Encoding::Utf32(Some(BigEndian)),
            "utf32le" => Encoding::Utf32(Some(LittleEndian)),
            "latin1" | "iso88591" | "l1" | "8859_1" | "ibm819" | "cp819" => Encoding::Latin1,
            "ascii" | "usascii" | "ascii7" | "iso646us" | "us" | "cp367" | "ibm367" => Encoding::Ascii,
            _ => {
                let label = name.replace('_', "-");
                let found = encoding_rs::Encoding::for_label(name.as_bytes())
                    .or_else(|| encoding_rs::Encoding::for_label(label.as_bytes()))
                    .filter(|e| *e != encoding_rs::REPLACEMENT && *e != encoding_rs::X_USER_DEFINED);
                Encoding::Other(found.ok_or_else(|| {
                    Error::invalid(format!("Could not create converter for input encoding: {name}"))
                        .attr("input_encoding")
                        .help("UTF-8, UTF-16, UTF-32, US-ASCII, ISO-8859-x and the encodings of web pages are known")
                })?)
            }
        };
        Ok(Decoder(encoding))
    }

    /// Passes the characters of `s` to `emit`.
    pub(super) fn decode(&mut self, s: &[u8], mut emit: impl FnMut(Decoded)) {
        let fault = |bytes| Decoded { code: REPLACEMENT, bytes, fault: true };
        let good = |code, bytes| Decoded { code, bytes, fault: false };
        match &mut self.0 {
            Encoding::Utf8 => {
                for chunk in s.utf8_chunks() {
                    chunk.valid().chars().for_each(|c| emit(good(c.into(), c.len_utf8())));
                    if !chunk.invalid().is_empty() {
                        emit(fault(chunk.invalid().len()));
                    }
                }
            }
            Encoding::Latin1 => s.iter().for_each(|b| emit(good(u32::from(*b), 1))),
            Encoding::Ascii => s.iter().for_each(|b| emit(if b.is_ascii() { good((*b).into(), 1) } else { fault(1) })),
            Encoding::Utf16(order) => {
                let mut marks = mark(order, s, &[0xfe, 0xff], &[0xff, 0xfe]);
                let read = |pair: &[u8]| match order {
                    Some(Order::LittleEndian) => u32::from(u16::from_le_bytes([pair[0], pair[1]])),
                    _ => u32::from(u16::from_be_bytes([pair[0], pair[1]])),
                };
                if marks > 0 && marks == s.len() {
                    emit(good(NOTHING_READ, marks));
                }
                let mut rest = &s[marks..];
                while !rest.is_empty() {
                    let second = rest.get(2..4).map(read).filter(|low| (0xdc00..0xe000).contains(low));
                    let (mut decoded, used) = match (rest.get(..2).map(read), second) {
                        (None, _) => (fault(1), 1),
                        (Some(high @ 0xd800..0xdc00), Some(low)) => {
                            (good(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00), 4), 4)
                        }
                        (Some(0xd800..0xdc00), None) if rest.len() == 3 => (fault(3), 3),
                        (Some(0xd800..0xe000), _) => (fault(2), 2),
                        (Some(unit), _) => (good(unit, 2), 2),
                    };
                    decoded.bytes += std::mem::take(&mut marks);
                    emit(decoded);
                    rest = &rest[used..];
                }
            }
            Encoding::Utf32(order) => {
                let mut marks = mark(order, s, &[0, 0, 0xfe, 0xff], &[0xff, 0xfe, 0, 0]);
                if marks > 0 && marks == s.len() {
                    emit(good(NOTHING_READ, marks));
                }
                for unit in s[marks..].chunks(4) {
                    let code = <[u8; 4]>::try_from(unit).ok().map(|bytes| match order {
                        Some(Order::LittleEndian) => u32::from_le_bytes(bytes),
                        _ => u32::from_be_bytes(bytes),
                    });
                    let mut decoded = match code.filter(|c| char::from_u32(*c).is_some()) {
                        Some(code) => good(code, 4),
                        None => fault(unit.len()),
                    };
                    decoded.bytes += std::mem::take(&mut marks);
                    emit(decoded);
                }
            }
            Encoding::Other(encoding) => older(encoding, s, emit),
        }
    }
}

/// Determines the byte order, unless it is known, and returns the length of the byte order mark at the start of `s`.
fn mark(order: &mut Option<Order>, s: &[u8], big: &[u8], little: &[u8]) -> usize {
    if order.is_some() || s.is_empty() {
        return 0;
    }
    let little_endian = s.starts_with(little);
    *order = Some(if little_endian { Order::LittleEndian } else { Order::BigEndian });
    if little_endian || s.starts_with(big) { big.len() } else { 0 }
}

/// Decodes a legacy encoding byte by byte, to find out which bytes belong to each character.
fn older(encoding: &'static encoding_rs::Encoding, s: &[u8], mut emit: impl FnMut(Decoded)) {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    // Start of the character being read.
    let mut start = 0;
    for at in 0..=s.len() {
        let last = at == s.len();
        let mut input = if last { &[][..] } else { &s[at..at + 1] };
        loop {
            let mut units = [0u16; 8];
            let (result, read, written) = decoder.decode_to_utf16_without_replacement(input, &mut units, last);
            input = &input[read..];
            let end = if last { at } else { at + 1 };
            for code in char::decode_utf16(units[..written].iter().copied()) {
                let code = code.map_or(REPLACEMENT, u32::from);
                emit(Decoded { code, bytes: end - start, fault: false });
                start = end;
            }
            match result {
                DecoderResult::InputEmpty => {
                    if last && end > start {
                        emit(Decoded { code: NOTHING_READ, bytes: end - start, fault: false });
                    }
                    break;
                }
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(_, after) => {
                    // Bytes after the invalid ones, and those not read yet, belong to what follows.
                    let fault_end = end.saturating_sub(usize::from(after) + input.len()).max(start);
                    emit(Decoded { code: REPLACEMENT, bytes: fault_end - start, fault: true });
                    start = fault_end;
                }
            }
        }
    }
}

/// How invalid input is handled.
pub(super) struct Policy {
    replacement: u32,
    ignore: bool,
    strict: bool,
    /// Whether control characters count as invalid.
    controls: bool,
}

/// Values of the attr `errors`.
pub(super) const ERRORS: &[&str] = &["strict", "replace", "ignore"];

impl Policy {
    /// Returns the policy given by a node's attrs.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a replacement that is not a code point.
    pub(super) fn new(errors: &str, replacement: i64, controls: bool) -> Result<Policy> {
        let replacement = u32::try_from(replacement).ok().filter(|c| *c <= 0x10ffff).ok_or_else(|| {
            Error::invalid("replacement_char out of unicode codepoint range").attr("replacement_char")
        })?;
        Ok(Policy { replacement, ignore: errors == "ignore", strict: errors == "strict", controls })
    }

    /// Returns the code point to write for a character; `None` for nothing.
    pub(super) fn apply(&self, decoded: &Decoded) -> Option<u32> {
        if !decoded.fault && !self.is_control(decoded) {
            return Some(decoded.code);
        }
        self.replacement()
    }

    /// Returns the code point to write for an invalid one; `None` for nothing.
    pub(super) fn replacement(&self) -> Option<u32> {
        (!self.ignore).then_some(self.replacement)
    }

    /// Returns whether it is a control character and these count as invalid.
    pub(super) fn is_control(&self, decoded: &Decoded) -> bool {
        self.controls && decoded.code <= 0x1f
    }

    /// Returns whether invalid input fails the node.
    pub(super) fn is_strict(&self) -> bool {
        self.strict
    }
}

/// Returns the error for invalid input in strict mode.
pub(super) fn fault() -> Error {
    Error::invalid("Invalid formatting on input string")
}

/// The encodings of outputs.
pub(super) const OUTPUT_ENCODINGS: &[&str] = &["UTF-8", "UTF-16-BE", "UTF-32-BE"];

/// Adds a character to `out` in one of [`OUTPUT_ENCODINGS`].
pub(super) fn encode(out: &mut Vec<u8>, encoding: &str, code: u32) {
    let mut push_unit = |unit: u32| out.extend_from_slice(&(unit as u16).to_be_bytes());
    match encoding {
        "UTF-16-BE" if code > 0xffff => {
            push_unit(0xd800 + ((code - 0x10000) >> 10));
            push_unit(0xdc00 + ((code - 0x10000) & 0x3ff));
        }
        "UTF-16-BE" => push_unit(code),
        "UTF-32-BE" => out.extend_from_slice(&code.to_be_bytes()),
        _ => {
            let c = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
}
