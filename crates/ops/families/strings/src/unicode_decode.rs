//! `UnicodeDecode` and `UnicodeDecodeWithOffsets`: decode strings to rows of code points.

use super::unicode::{Decoder, ERRORS, Policy, fault};
use crate::prelude::*;

/// The decoded characters of all strings.
#[derive(Default)]
struct Characters {
    splits: Vec<i64>,
    codes: Vec<i32>,
    offsets: Vec<i64>,
}

fn decode(input: &Tensor, encoding: &str, policy: &Policy) -> Result<Characters> {
    let mut decoder = Decoder::new(encoding)?;
    let mut read = Characters { splits: vec![0], ..Characters::default() };
    let mut failed = false;
    for string in input.slice::<Bytes>()? {
        let mut offset = 0;
        decoder.decode(string, |decoded| {
            failed |= decoded.fault && policy.is_strict();
            if let Some(code) = policy.apply(&decoded) {
                read.codes.push(code as i32);
                read.offsets.push(offset);
            }
            offset += decoded.bytes as i64;
        });
        read.splits.push(read.codes.len() as i64);
    }
    if failed { Err(fault()) } else { Ok(read) }
}

attrs! {
    /// Decodes strings to code points; row splits delimit the strings.
    pub struct UnicodeDecode {
        /// Encoding of the strings.
        input_encoding: String = Attr::string("input_encoding"),
        /// Handling of invalid input.
        errors: String = Attr::one_of("errors", ERRORS).or_str("replace"),
        /// Replacement for invalid input, as a code point.
        replacement_char: i64 = Attr::int("replacement_char").or_int(65533),
        /// Whether to replace control characters as well.
        replace_control_characters: bool = Attr::bool("replace_control_characters").or_bool(false),
        /// Element type of the splits.
        splits: DType = Attr::dtype("Tsplits", sets::INDEX).or_type(DType::I64),
    }
}

const SPLITS: Arg = arg("row_splits", of("Tsplits"));
const VALUES: Arg = arg("char_values", is(DType::I32));

pub static UNICODE_DECODE: Def<UnicodeDecode> = op("UnicodeDecode")
    .inputs(&[arg("input", is(DType::Str))])
    .outputs(&[SPLITS, VALUES])
    .also(&[form("UnicodeDecodeWithOffsets")
        .outputs(&[SPLITS, VALUES, arg("char_to_byte_starts", is(DType::I64))])
        .doc("Decodes strings to code points and the byte offset of each; row splits delimit the strings.")])
    .shape(|_, cx| {
        let strings = cx.input(0).num_elements();
        cx.output_vector(0, strings.map(|n| n + 1));
        cx.output_vector(1, None);
        cx.output_vector(2, None);
        Ok(())
    })
    .kernel(unicode_decode);

fn unicode_decode(op: &UnicodeDecode, cx: &mut Cx<'_, '_>) -> Result<()> {
    let policy = Policy::new(&op.errors, op.replacement_char, op.replace_control_characters)?;
    let read = decode(cx.input(0)?, &op.input_encoding, &policy)?;
    cx.set(
        0,
        match op.splits {
            DType::I32 => Tensor::vector(read.splits.into_iter().map(|s| s as i32).collect()),
            _ => Tensor::vector(read.splits),
        },
    );
    cx.set(1, Tensor::vector(read.codes));
    if cx.num_outputs() > 2 {
        cx.set(2, Tensor::vector(read.offsets));
    }
    Ok(())
}
