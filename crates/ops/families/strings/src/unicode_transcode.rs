//! `UnicodeTranscode`: converts strings from one encoding to another.

use super::elementwise::map;
use super::unicode::{Decoder, ERRORS, OUTPUT_ENCODINGS, Policy, encode, fault};
use crate::prelude::*;
use std::cell::RefCell;

attrs! {
    /// Transcodes strings to another encoding.
    pub struct UnicodeTranscode {
        /// Encoding of the strings.
        input_encoding: String = Attr::string("input_encoding"),
        /// Encoding of the output.
        output_encoding: String = Attr::one_of("output_encoding", OUTPUT_ENCODINGS),
        /// Handling of invalid input.
        errors: String = Attr::one_of("errors", ERRORS).or_str("replace"),
        /// Replacement for invalid input, as a code point.
        replacement_char: i64 = Attr::int("replacement_char").or_int(65533),
        /// Whether to replace control characters as well.
        replace_control_characters: bool = Attr::bool("replace_control_characters").or_bool(false),
    }
}

pub static UNICODE_TRANSCODE: Def<UnicodeTranscode> = op::<UnicodeTranscode>("UnicodeTranscode")
    .inputs(&[arg("input", is(DType::Str))])
    .outputs(&[arg("output", is(DType::Str))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(unicode_transcode);

fn unicode_transcode(op: &UnicodeTranscode, cx: &mut Cx<'_, '_>) -> Result<()> {
    let policy = Policy::new(&op.errors, op.replacement_char, op.replace_control_characters)?;
    let decoder = RefCell::new(Decoder::new(&op.input_encoding)?);
    map(cx, |_, string| {
        let mut out = Vec::with_capacity(string.len());
        let mut failed = false;
        decoder.borrow_mut().decode(string, |decoded| {
            failed |= policy.is_strict() && (decoded.fault || policy.is_control(&decoded));
            if let Some(code) = policy.apply(&decoded) {
                encode(&mut out, &op.output_encoding, code);
            }
        });
        if failed { Err(fault()) } else { Ok(Bytes::from(out)) }
    })
}
