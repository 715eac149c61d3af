//! `StringLength`: counts bytes or characters.

use crate::prelude::*;

/// Units of positions and lengths.
pub(super) const UNITS: &[&str] = &["BYTE", "UTF8_CHAR"];

attrs! {
    /// Returns the length of each string.
    pub struct StringLength {
        /// Whether to count bytes or UTF-8 characters.
        unit: String = Attr::one_of("unit", UNITS).or_str("BYTE"),
    }
}

pub static STRING_LENGTH: Def<StringLength> = op::<StringLength>("StringLength")
    .inputs(&[arg("input", is(DType::Str))])
    .outputs(&[arg("output", is(DType::I32))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(string_length)
    .batch(elementwise);

fn string_length(op: &StringLength, cx: &mut Cx<'_, '_>) -> Result<()> {
    let input = cx.input(0)?;
    let length = |s: &Bytes| match op.unit == "BYTE" {
        true => s.len() as i32,
        false => s.iter().filter(|b| !is_trail(**b)).count() as i32,
    };
    let lengths = input.slice::<Bytes>()?.iter().map(length).collect();
    let output = Tensor::from_vec(input.shape().clone(), lengths)?;
    cx.set(0, output);
    Ok(())
}

/// Returns whether a byte continues a UTF-8 character.
pub(super) fn is_trail(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}
