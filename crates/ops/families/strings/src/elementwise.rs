//! Ops that map each string to another: `StringLower`, `StringUpper`, `StringStrip`.

use crate::prelude::*;
use crate::text::parse::trimmed;

/// Number of string bytes between checks for available memory and for cancellation.
pub(super) const LOOK_EVERY: usize = 1 << 20;

/// Checks that there is memory for strings of `bytes` bytes, and that the run is not cancelled.
pub(super) fn has_room(cx: &Cx<'_, '_>, bytes: usize) -> Result<()> {
    cx.step().check()?;
    cx.check_strings(bytes)
}

/// Sets output 0 to input 0 with `f` applied to every string.
pub(super) fn map(cx: &mut Cx<'_, '_>, f: impl Fn(&Cx<'_, '_>, &Bytes) -> Result<Bytes>) -> Result<()> {
    let input = cx.input(0)?;
    let mut strings = Vec::with_capacity(input.num_elements());
    // Counts the bytes read and the bytes produced: either may be many.
    let (mut bytes, mut looked) = (0, 0);
    for string in input.slice::<Bytes>()? {
        let made = f(cx, string)?;
        bytes += made.len();
        looked += made.len().max(string.len()) + 1;
        if looked > LOOK_EVERY {
            has_room(cx, bytes)?;
            looked = 0;
        }
        strings.push(made);
    }
    let output = Tensor::from_vec(input.shape().clone(), strings)?;
    cx.set(0, output);
    Ok(())
}

attrs! {
    /// The attrs of ops that change the case of letters.
    pub struct LetterCase {
        /// Empty to change only ASCII letters, `utf-8` to change all.
        encoding: Bytes = Attr::string("encoding").or_str(""),
    }
}

const INPUTS: &[Arg] = &[arg("input", is(DType::Str))];
const OUTPUTS: &[Arg] = &[arg("output", is(DType::Str))];

const fn letters(name: &'static str, kernel: fn(&LetterCase, &mut Cx<'_, '_>) -> Result<()>) -> Def<LetterCase> {
    op::<LetterCase>(name).inputs(INPUTS).outputs(OUTPUTS).shape(same_as_input).kernel(kernel)
}

pub static STRING_LOWER: Def<LetterCase> =
    letters("StringLower", |op, cx| op.change(cx, <[u8]>::to_ascii_lowercase, str::to_lowercase))
        .doc("Converts letters to lower case.")
        .batch(elementwise);

pub static STRING_UPPER: Def<LetterCase> =
    letters("StringUpper", |op, cx| op.change(cx, <[u8]>::to_ascii_uppercase, str::to_uppercase))
        .doc("Converts letters to upper case.")
        .batch(elementwise);

impl LetterCase {
    fn change(&self, cx: &mut Cx<'_, '_>, ascii: fn(&[u8]) -> Vec<u8>, all: fn(&str) -> String) -> Result<()> {
        match &self.encoding[..] {
            b"" => map(cx, |_, s| Ok(Bytes::from(ascii(s)))),
            b"utf-8" => map(cx, |_, s| Ok(Bytes::from(all(&String::from_utf8_lossy(s))))),
            other => Err(Error::invalid(format!(
                "only utf-8 or '' (no encoding) is supported, received {}",
                String::from_utf8_lossy(other)
            ))
            .attr("encoding")),
        }
    }
}

attrs! {
    /// Strips leading and trailing whitespace.
    pub struct StringStrip {}
}

pub static STRING_STRIP: Def<StringStrip> = op::<StringStrip>("StringStrip")
    .inputs(&[arg("input", is(DType::Str))])
    .outputs(&[arg("output", is(DType::Str))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(|_, cx| map(cx, |_, s| Ok(s.slice_ref(trimmed(s)))))
    .batch(elementwise);
