//! Ops that turn each string into another: `StringLower`, `StringUpper`, `StringStrip`.

use crate::prelude::*;
use crate::text::parse::trimmed;

/// Sets output 0 to input 0 with every string replaced by what `f` makes of it.
pub(super) fn map(cx: &mut Cx<'_, '_>, f: impl Fn(&Bytes) -> Result<Bytes>) -> Result<()> {
    let input = cx.input(0)?;
    let shape = input.shape().clone();
    let strings: Result<Vec<Bytes>> = input.slice::<Bytes>()?.iter().map(f).collect();
    let output = Tensor::from_vec(shape, strings?)?;
    cx.set(0, output);
    Ok(())
}

macro_rules! cases {
    ($($(#[doc = $doc:literal])* $name:ident: $ascii:ident, $unicode:ident;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Empty to change ASCII letters only, `utf-8` to change all.
                encoding: Bytes = Attr::string("encoding").or_str(""),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("input", is(DType::Str))],
                outputs: &[arg("output", is(DType::Str))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.same_as_input(0);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                match &self.encoding[..] {
                    b"" => map(cx, |s| Ok(Bytes::from(s.$ascii()))),
                    b"utf-8" => map(cx, |s| Ok(Bytes::from(String::from_utf8_lossy(s).$unicode()))),
                    other => Err(Error::invalid(format!(
                        "only utf-8 or '' (no encoding) is supported, received {}",
                        String::from_utf8_lossy(other)
                    ))
                    .attr("encoding")),
                }
            }
        }
    )*};
}

cases! {
    /// Writes letters small.
    StringLower: to_ascii_lowercase, to_lowercase;
    /// Writes letters large.
    StringUpper: to_ascii_uppercase, to_uppercase;
}

attrs! {
    /// Takes blanks off both ends.
    pub struct StringStrip {}
}

pub static STRING_STRIP: Def<StringStrip> = op("StringStrip")
    .inputs(&[arg("input", is(DType::Str))])
    .outputs(&[arg("output", is(DType::Str))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(|_, cx| map(cx, |s| Ok(s.slice_ref(trimmed(s)))));

