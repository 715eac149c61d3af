//! `UnicodeDecode` and `UnicodeDecodeWithOffsets`: strings as rows of characters' numbers.

use super::unicode::{Decoder, ERRORS, Policy, fault};
use crate::prelude::*;

/// What is read from all strings together.
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

macro_rules! decoders {
    ($($(#[doc = $doc:literal])* $name:ident: [$($output:expr),*], $offsets:literal;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Encoding of the strings.
                input_encoding: String = Attr::string("input_encoding"),
                /// What to do with bytes that stand for no character.
                errors: String = Attr::one_of("errors", ERRORS).or_str("replace"),
                /// What to put in their place.
                replacement_char: i64 = Attr::int("replacement_char").or_int(65533),
                /// Whether to treat control characters like them.
                replace_control_characters: bool = Attr::bool("replace_control_characters").or_bool(false),
                /// Element type of the splits.
                splits: DType = Attr::dtype("Tsplits", sets::INDEX).or_type(DType::I64),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("input", is(DType::Str))],
                outputs: &[$($output),*],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                let strings = cx.input(0).num_elements();
                cx.output_vector(0, strings.map(|n| n + 1));
                cx.output_vector(1, None);
                cx.output_vector(2, None);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let policy = Policy::new(&self.errors, self.replacement_char, self.replace_control_characters)?;
                let read = decode(cx.input(0)?, &self.input_encoding, &policy)?;
                cx.set(0, match self.splits {
                    DType::I32 => Tensor::vector(read.splits.into_iter().map(|s| s as i32).collect()),
                    _ => Tensor::vector(read.splits),
                });
                cx.set(1, Tensor::vector(read.codes));
                if $offsets {
                    cx.set(2, Tensor::vector(read.offsets));
                }
                Ok(())
            }
        }
    )*};
}

decoders! {
    /// Gives the characters' numbers, and where each string's start among them.
    UnicodeDecode: [arg("row_splits", of("Tsplits")), arg("char_values", is(DType::I32))], false;
    /// Gives the characters' numbers, where each string's start among them, and the byte at which each starts.
    UnicodeDecodeWithOffsets: [
        arg("row_splits", of("Tsplits")), arg("char_values", is(DType::I32)), arg("char_to_byte_starts", is(DType::I64))
    ], true;
}
