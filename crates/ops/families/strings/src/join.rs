//! `StringJoin`: joins strings element-wise.

use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// Joins the elements of `inputs`, with `separator` between them; scalars are broadcast.
    pub struct StringJoin {
        /// Number of inputs.
        n: i64 = Attr::int("N").at_least(0),
        /// Separator.
        separator: Bytes = Attr::string("separator").or_str(""),
    }
}

/// Returns the concatenated strings, with `separator` between them.
///
/// # Errors
/// `RESOURCE_EXHAUSTED` if memory runs out: strings are shared, so the result may be far larger than the parts.
pub(super) fn join(parts: &[&Bytes], separator: &[u8]) -> Result<Bytes> {
    let separators = separator.len() * parts.len().saturating_sub(1);
    let length = parts.iter().map(|p| p.len()).fold(separators, usize::saturating_add);
    let mut joined = Vec::new();
    joined
        .try_reserve_exact(length)
        .map_err(|_| Error::resource_exhausted(format!("no memory for a string of {length} bytes")))?;
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            joined.extend_from_slice(separator);
        }
        joined.extend_from_slice(part);
    }
    Ok(Bytes::from(joined))
}

pub static STRING_JOIN: Def<StringJoin> = op("StringJoin")
    .inputs(&[arg("inputs", is(DType::Str)).times("N")])
    .outputs(&[arg("output", is(DType::Str))])
    .shape(shape)
    .gradient(|_, g| never(g))
    .kernel(string_join);

fn shape(_: &StringJoin, cx: &mut ShapeCx<'_>) -> Result<()> {
    let mut shape = PartialShape::scalar();
    let inputs: Vec<PartialShape> = (0..cx.num_inputs()).map(|i| cx.input(i)).collect();
    for input in &inputs {
        if input.rank().is_none() {
            shape = PartialShape::Unknown;
        }
    }
    for input in inputs.iter().filter(|s| s.rank().is_some_and(|r| r > 0)) {
        shape = if shape.rank() == Some(0) { input.clone() } else { shape.merge(input)? };
    }
    cx.output(0, shape);
    Ok(())
}

fn string_join(op: &StringJoin, cx: &mut Cx<'_, '_>) -> Result<()> {
    let inputs = cx.inputs_from(0)?;
    let mut shape = Shape::scalar();
    for input in inputs.iter().map(|t| t.shape()).filter(|s| !s.is_scalar()) {
        if !shape.is_scalar() && shape != *input {
            return Err(Error::invalid(format!("Input shapes do not match: {shape} vs. {input}")));
        }
        shape = input.clone();
    }
    let parts: Result<Vec<&[Bytes]>> = inputs.iter().map(|t| t.slice()).collect();
    let parts = parts?;
    // Strings are shared, so the result may be far larger than the parts.
    let n = shape.num_elements();
    let of_part = |p: &&[Bytes]| {
        let bytes = p.iter().map(Bytes::len).sum::<usize>();
        bytes.saturating_mul(if p.len() == 1 { n } else { 1 })
    };
    let separators = op.separator.len().saturating_mul(n).saturating_mul(parts.len().saturating_sub(1));
    cx.check_strings(parts.iter().map(of_part).fold(separators, usize::saturating_add))?;
    let mut joined = Vec::with_capacity(n);
    for i in 0..shape.num_elements() {
        let of_element: Vec<&Bytes> = parts.iter().map(|p| &p[if p.len() == 1 { 0 } else { i }]).collect();
        joined.push(join(&of_element, &op.separator)?);
    }
    cx.set(0, Tensor::from_vec(shape, joined)?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(inputs: Vec<Tensor>) -> Result<Tensor> {
        let op = STRING_JOIN.of(StringJoin { n: inputs.len() as i64, separator: Bytes::from_static(b"-") });
        Ok(crate::testing::run(op, inputs, &[DType::Str])?.remove(0))
    }

    fn strings(values: &[&'static str]) -> Tensor {
        Tensor::vector(values.iter().map(|v| Bytes::from_static(v.as_bytes())).collect())
    }

    #[test]
    fn scalars_go_with_every_element() {
        let joined = run(vec![Tensor::string("a"), strings(&["x", "y"]), strings(&["1", "2"])]).unwrap();
        assert_eq!(joined, strings(&["a-x-1", "a-y-2"]));
        assert_eq!(run(vec![strings(&["x"]), strings(&["y", "z"])]).unwrap_err().code(), Code::InvalidArgument);
    }
}
