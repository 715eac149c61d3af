//! `UnicodeEncode`: encodes rows of code points as strings.

use super::unicode::{OUTPUT_ENCODINGS, Policy, encode};
use crate::prelude::*;

attrs! {
    /// Encodes each row of code points as a string; `input_splits` delimit the rows.
    pub struct UnicodeEncode {
        /// Handling of invalid code points.
        errors: String = Attr::one_of("errors", &["ignore", "replace", "strict"]).or_str("replace"),
        /// Encoding of the output.
        output_encoding: String = Attr::one_of("output_encoding", OUTPUT_ENCODINGS),
        /// Replacement for invalid code points.
        replacement_char: i64 = Attr::int("replacement_char").or_int(65533),
        /// Element type of the splits.
        splits: DType = Attr::dtype("Tsplits", sets::INDEX).or_type(DType::I64),
    }
}

pub static UNICODE_ENCODE: Def<UnicodeEncode> = op("UnicodeEncode")
    .inputs(&[arg("input_values", is(DType::I32)), arg("input_splits", of("Tsplits"))])
    .outputs(&[arg("output", is(DType::Str))])
    .shape(|_, cx| {
        cx.with_rank(0, 1)?;
        let splits = cx.with_rank(1, 1)?.dim(0);
        cx.output_vector(0, splits.and_then(|n| n.checked_sub(1)));
        Ok(())
    })
    .kernel(unicode_encode);

fn unicode_encode(op: &UnicodeEncode, cx: &mut Cx<'_, '_>) -> Result<()> {
    let policy = Policy::new(&op.errors, op.replacement_char, false)?;
    let (values, splits) = (cx.input(0)?, cx.input(1)?);
    if values.shape().rank() != 1 || splits.shape().rank() != 1 {
        return Err(Error::invalid("Both the input_tensor and input_splits should be of rank 1."));
    }
    let (values, splits) = (values.slice::<i32>()?, splits.to_i64s()?);
    match (splits.first(), splits.last()) {
        (Some(0), Some(last)) if *last == values.len() as i64 => {}
        (None, _) => return Err(Error::invalid("Input_splits should contain elements")),
        (Some(0), _) => {
            return Err(Error::invalid("Last value in input_splits must be equal to length of input_tensor."));
        }
        _ => return Err(Error::invalid("First value in input_splits must be zero.")),
    }
    if splits.windows(2).any(|pair| pair[0] > pair[1]) {
        return Err(Error::invalid("Values in input_splits must be equal or in ascending order."));
    }
    let mut strings = Vec::with_capacity(splits.len() - 1);
    for row in splits.windows(2) {
        let mut string = Vec::new();
        for &value in &values[row[0] as usize..row[1] as usize] {
            let code = u32::try_from(value).ok().filter(|c| char::from_u32(*c).is_some());
            let written = match code {
                None if policy.is_strict() => {
                    return Err(Error::invalid("Code point is out of range for Unicode, or is a surrogate."));
                }
                None => policy.replacement(),
                code => code,
            };
            if let Some(code) = written {
                encode(&mut string, &op.output_encoding, code);
            }
        }
        strings.push(Bytes::from(string));
    }
    cx.set(0, Tensor::vector(strings));
    Ok(())
}
