//! Characters in and out of byte strings: the encodings that the Unicode ops know.

use crate::prelude::*;
use encoding_rs::DecoderResult;

/// What stands for a fault where nothing else was asked for.
const REPLACEMENT: u32 = 0xfffd;

/// What comes of bytes at the end of a string that are neither a character nor a fault, such as a byte order mark alone.
const NOTHING_READ: u32 = 0xffff;

/// A way to write characters as bytes.
#[derive(Clone, Copy)]
enum Encoding {
    Utf8,
    /// Two bytes a unit; `None` until the first string says which byte comes first.
    Utf16(Option<Order>),
    /// Four bytes a unit; `None` until the first string says which byte comes first.
    Utf32(Option<Order>),
    Latin1,
    Ascii,
    /// One of the older encodings.
    Other(&'static encoding_rs::Encoding),
}

#[derive(Clone, Copy, PartialEq)]
enum Order {
    BigEndian,
    LittleEndian,
}

/// Reads strings, one after the other, in one encoding.
pub(super) struct Decoder(Encoding);

/// A character that was read.
pub(super) struct Decoded {
    /// Its number; that of the replacement character for a fault.
    pub code: u32,
    /// Bytes it took.
    pub bytes: usize,
    /// True for bytes that stand for no character.
    pub fault: bool,
}

impl Decoder {
    /// A decoder for the encoding of this name.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` where no such encoding is known.
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

    /// Hands the characters of `s` to `emit`.
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

/// Finds out which byte comes first, unless that is known, and how many bytes at the start of `s` say so.
fn mark(order: &mut Option<Order>, s: &[u8], big: &[u8], little: &[u8]) -> usize {
    if order.is_some() || s.is_empty() {
        return 0;
    }
    let little_endian = s.starts_with(little);
    *order = Some(if little_endian { Order::LittleEndian } else { Order::BigEndian });
    if little_endian || s.starts_with(big) { big.len() } else { 0 }
}

/// Reads an older encoding byte by byte, to learn which bytes each character took.
fn older(encoding: &'static encoding_rs::Encoding, s: &[u8], mut emit: impl FnMut(Decoded)) {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    // Where the character that is being read starts.
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
                    // Bytes behind the fault, and those not read yet, belong to what follows.
                    let fault_end = end.saturating_sub(usize::from(after) + input.len()).max(start);
                    emit(Decoded { code: REPLACEMENT, bytes: fault_end - start, fault: true });
                    start = fault_end;
                }
            }
        }
    }
}

/// What to do with faults.
pub(super) struct Policy {
    replacement: u32,
    ignore: bool,
    strict: bool,
    /// Whether control characters count as faults.
    controls: bool,
}

/// What the attr `errors` may say.
pub(super) const ERRORS: &[&str] = &["strict", "replace", "ignore"];

impl Policy {
    /// The policy that a node's attrs ask for.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a replacement that is no character.
    pub(super) fn new(errors: &str, replacement: i64, controls: bool) -> Result<Policy> {
        let replacement = u32::try_from(replacement).ok().filter(|c| *c <= 0x10ffff).ok_or_else(|| {
            Error::invalid("replacement_char out of unicode codepoint range").attr("replacement_char")
        })?;
        Ok(Policy { replacement, ignore: errors == "ignore", strict: errors == "strict", controls })
    }

    /// What to write for a character; `None` for nothing.
    pub(super) fn apply(&self, decoded: &Decoded) -> Option<u32> {
        if !decoded.fault && !self.is_control(decoded) {
            return Some(decoded.code);
        }
        self.replacement()
    }

    /// What to write for a number of no character; `None` for nothing.
    pub(super) fn replacement(&self) -> Option<u32> {
        (!self.ignore).then_some(self.replacement)
    }

    /// True for a control character, where these count as faults.
    pub(super) fn is_control(&self, decoded: &Decoded) -> bool {
        self.controls && decoded.code <= 0x1f
    }

    /// True where a fault fails the node.
    pub(super) fn is_strict(&self) -> bool {
        self.strict
    }
}

/// The error of a fault where faults are not allowed.
pub(super) fn fault() -> Error {
    Error::invalid("Invalid formatting on input string")
}

/// The encodings that can be written.
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
