//! `StringFormat`: fills tensors into a template.

use crate::prelude::*;
use crate::text::summarize;

attrs! {
    /// Replaces the placeholders of the template by the inputs.
    pub struct StringFormat {
        /// Dtypes of `inputs`.
        dtypes: Vec<DType> = Attr::dtypes("T", sets::ANY).at_least(0),
        /// Template with placeholders.
        template: Bytes = Attr::string("template").or_str("%s"),
        /// Placeholder for an input in the template.
        placeholder: Bytes = Attr::string("placeholder").or_str("%s"),
        /// Number of elements to show at both ends of an axis; negative for all.
        summarize: i64 = Attr::int("summarize").or_int(3),
    }
}

pub static STRING_FORMAT: Def<StringFormat> = op("StringFormat")
    .inputs(&[arg("inputs", each("T"))])
    .outputs(&[arg("output", is(DType::Str))])
    .shape(|op: &StringFormat, cx| {
        op.pieces(cx.num_inputs())?;
        cx.output_scalar(0);
        Ok(())
    })
    .kernel(string_format);

fn string_format(op: &StringFormat, cx: &mut Cx<'_, '_>) -> Result<()> {
    let pieces = op.pieces(cx.num_inputs())?;
    let mut out = pieces[0].to_vec();
    for (i, piece) in pieces[1..].iter().enumerate() {
        let input = cx.input(i)?;
        cx.step().check()?;
        if input.dtype() == DType::Str && op.summarize < 0 {
            cx.check_strings(out.len().saturating_add(input.num_bytes()))?;
        }
        let text = summarize::nested(input, op.summarize)?;
        cx.check_strings(out.len().saturating_add(text.len()))?;
        out.extend_from_slice(&text);
        out.extend_from_slice(piece);
    }
    cx.set(0, Tensor::string(out));
    Ok(())
}

impl StringFormat {
    /// Returns the pieces of the template between placeholders: one more than `inputs`.
    fn pieces(&self, inputs: usize) -> Result<Vec<&[u8]>> {
        let (template, placeholder) = (&self.template[..], &self.placeholder[..]);
        let mut pieces = Vec::new();
        let mut rest = template;
        if placeholder.is_empty() {
            pieces.extend(template.chunks(1));
            if template.is_empty() {
                pieces.push(template);
            }
        } else {
            while let Some(at) = rest.windows(placeholder.len()).position(|w| w == placeholder) {
                pieces.push(&rest[..at]);
                rest = &rest[at + placeholder.len()..];
            }
            pieces.push(rest);
        }
        if pieces.len() != inputs + 1 {
            return Err(Error::invalid(format!(
                "num placeholders in template and num inputs must match: {} vs. {inputs}",
                pieces.len() - 1
            ))
            .attr("template"));
        }
        Ok(pieces)
    }
}
