//! `StringSplit` and `StringSplitV2`: split a vector of strings into the rows of a sparse matrix.

use crate::prelude::*;
use crate::rules::never;
use crate::text::parse::is_space;

/// Sets the three outputs: the indices of the parts, the parts, and the shape of the matrix.
fn split(cx: &mut Cx<'_, '_>, what: &str, parts: impl Fn(&Bytes, &[u8]) -> Vec<Bytes>) -> Result<()> {
    let (input, delimiter) = (cx.input(0)?, cx.input(1)?);
    if input.shape().rank() != 1 {
        return Err(Error::invalid(format!("input must be a vector, got shape: {}", input.shape())));
    }
    if !delimiter.shape().is_scalar() {
        return Err(Error::invalid(format!("{what} must be a scalar, got shape: {}", delimiter.shape())));
    }
    let delimiter = delimiter.item::<Bytes>()?;
    let strings = input.slice::<Bytes>()?;
    let (mut places, mut values, mut longest) = (Vec::new(), Vec::new(), 0);
    for (row, string) in strings.iter().enumerate() {
        let parts = parts(string, &delimiter);
        longest = longest.max(parts.len());
        places.extend((0..parts.len()).flat_map(|column| [row as i64, column as i64]));
        values.extend(parts);
    }
    let shape = Tensor::vector(vec![strings.len() as i64, longest as i64]);
    cx.set(0, Tensor::from_vec(Shape::new([values.len(), 2])?, places)?);
    cx.set(1, Tensor::vector(values));
    cx.set(2, shape);
    Ok(())
}

fn infer(cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.with_rank(0, 1)?;
    cx.with_rank(1, 0)?;
    cx.output(0, PartialShape::new([None, Some(2)]));
    cx.output_vector(1, None);
    cx.output_vector(2, Some(2));
    Ok(())
}

const OUTPUTS: &[Arg] = &[arg("indices", is(DType::I64)), arg("values", is(DType::Str)), arg("shape", is(DType::I64))];

attrs! {
    /// Splits strings at every byte in `delimiter`; an empty delimiter splits into bytes.
    pub struct StringSplit {
        /// Whether to drop empty parts.
        skip_empty: bool = Attr::bool("skip_empty").or_bool(true),
    }
}

pub static STRING_SPLIT: Def<StringSplit> = op("StringSplit")
    .inputs(&[arg("input", is(DType::Str)), arg("delimiter", is(DType::Str))])
    .outputs(OUTPUTS)
    .shape(|_, cx| infer(cx))
    .gradient(|_, g| never(g))
    .kernel(string_split);

fn string_split(op: &StringSplit, cx: &mut Cx<'_, '_>) -> Result<()> {
    split(cx, "delimiter", |string, delimiter| {
        if string.is_empty() {
            return Vec::new();
        }
        if delimiter.is_empty() {
            return (0..string.len()).map(|i| string.slice(i..i + 1)).collect();
        }
        let parts = string.split(|b| delimiter.contains(b)).filter(|p| !op.skip_empty || !p.is_empty());
        parts.map(|p| string.slice_ref(p)).collect()
    })
}

attrs! {
    /// Splits strings at every occurrence of `sep`, or at whitespace if it is empty, like Python's `str.split`.
    pub struct StringSplitV2 {
        /// Maximum number of splits; negative for no limit.
        maxsplit: i64 = Attr::int("maxsplit").or_int(-1),
    }
}

pub static STRING_SPLIT_V2: Def<StringSplitV2> = op("StringSplitV2")
    .inputs(&[arg("input", is(DType::Str)), arg("sep", is(DType::Str))])
    .outputs(OUTPUTS)
    .shape(|_, cx| infer(cx))
    .kernel(string_split_v2);

fn string_split_v2(op: &StringSplitV2, cx: &mut Cx<'_, '_>) -> Result<()> {
    let most = usize::try_from(op.maxsplit).unwrap_or(usize::MAX);
    split(cx, "sep", |string, separator| match (most, separator) {
        (0, _) => vec![string.clone()],
        (_, b"") => at_blanks(string, most),
        _ => at_separators(string, separator, most),
    })
}

fn at_blanks(string: &Bytes, most: usize) -> Vec<Bytes> {
    let without_blanks = |s: &[u8]| s.iter().position(|b| !is_space(b)).unwrap_or(s.len());
    let mut parts = Vec::new();
    let mut rest = without_blanks(string);
    while rest < string.len() {
        if parts.len() == most {
            break;
        }
        let end = string[rest..].iter().position(is_space).map_or(string.len(), |n| rest + n);
        parts.push(string.slice(rest..end));
        rest = end + without_blanks(&string[end..]);
    }
    // After the last split, TensorFlow keeps the remainder even if it is empty.
    if parts.len() == most {
        parts.push(string.slice(rest..));
    }
    parts
}

fn at_separators(string: &Bytes, separator: &[u8], most: usize) -> Vec<Bytes> {
    let mut parts = Vec::new();
    let mut rest = 0;
    while parts.len() < most {
        let Some(found) = find(&string[rest..], separator) else { break };
        parts.push(string.slice(rest..rest + found));
        rest += found + separator.len();
    }
    parts.push(string.slice(rest..));
    parts
}

/// Returns the position of the first occurrence of `wanted`, which is not empty, in `s`.
fn find(s: &[u8], wanted: &[u8]) -> Option<usize> {
    s.windows(wanted.len()).position(|w| w == wanted)
}
