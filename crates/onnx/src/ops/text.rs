//! Strings.

use super::prelude::*;
use crate::cx::GivenAttrs;

pub(crate) const OPERATORS: &[Operator] = &[
    op("RegexFullMatch", &[20], regex_full_match),
    op("StringConcat", &[20], string_concat),
    op("StringNormalizer", &[10], string_normalizer),
    op("StringSplit", &[20], string_split),
    op("TfIdfVectorizer", &[9], tf_idf_vectorizer),
];

fn string_concat(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, y) = (cx.input(0)?, cx.input(1)?);
    Ok(vec![cx.op("OnnxStringConcat", &[&x, &y])?])
}

fn string_normalizer(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let given = cx.given_texts(GivenAttrs::default(), &["case_change_action"])?;
    let given = cx.given_flags(given, &["is_case_sensitive"])?;
    let given = cx.given_string_lists(given, &["stopwords"])?;
    Ok(vec![cx.node("OnnxStringNormalizer").input(&x).with(given).add()?])
}

fn string_split(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let given = cx.given_texts(GivenAttrs::default(), &["delimiter"])?;
    let given = cx.given_ints(given, &["maxsplit"])?;
    cx.node("OnnxStringSplit").input(&x).with(given).all()
}

fn regex_full_match(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let pattern = cx.text_or("pattern", "")?;
    Ok(vec![cx.node("StaticRegexFullMatch").input(&x).text("pattern", &pattern).add()?.of_elem(Elem::BOOL)])
}

fn tf_idf_vectorizer(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let given = cx.given_ints(GivenAttrs::default(), &["max_gram_length", "max_skip_count", "min_gram_length"])?;
    let given = cx.given_texts(given, &["mode"])?;
    let given = cx.given_int_lists(given, &["ngram_counts", "ngram_indexes", "pool_int64s"])?;
    let given = cx.given_string_lists(given, &["pool_strings"])?;
    let given = cx.given_float_lists(given, &["weights"])?;
    Ok(vec![cx.node("OnnxTfIdfVectorizer").input(&x).with(given).add()?.of_elem(Elem::FLOAT)])
}
