//! `RegexReplace`, `RegexFullMatch` and their static forms.

use super::elementwise::{has_room, map};
use super::regex::{Compiled, Rewrite, replace};
use crate::prelude::*;
use crate::rules::never;
use regex::bytes::Regex;

/// Returns the string in input `i`, which must be a scalar.
fn scalar(cx: &Cx<'_, '_>, i: usize, name: &str) -> Result<Bytes> {
    let input = cx.input(i)?;
    if !input.shape().is_scalar() {
        return Err(Error::invalid(format!("{name} must be scalar, but received {}", input.shape())));
    }
    input.item()
}

fn full_match(cx: &mut Cx<'_, '_>, regex: &Regex) -> Result<()> {
    let input = cx.input(0)?;
    let mut matches = Vec::with_capacity(input.num_elements());
    for strings in input.slice::<Bytes>()?.chunks(64) {
        cx.step().check()?;
        matches.extend(strings.iter().map(|s| regex.is_match(s)));
    }
    let output = Tensor::from_vec(input.shape().clone(), matches)?;
    cx.set(0, output);
    Ok(())
}

attrs! {
    /// Replaces matches of `pattern` by `rewrite`, in which `\1` stands for the first group.
    pub struct RegexReplace {
        /// Whether to replace every match instead of only the first.
        replace_global: bool = Attr::bool("replace_global").or_bool(true),
    }
}

pub static REGEX_REPLACE: Def<RegexReplace> = op::<RegexReplace>("RegexReplace")
    .inputs(&[arg("input", is(DType::Str)), arg("pattern", is(DType::Str)), arg("rewrite", is(DType::Str))])
    .outputs(&[arg("output", is(DType::Str))])
    .shape(|_, cx| {
        cx.with_rank(1, 0)?;
        cx.with_rank(2, 0)?;
        cx.same_as_input(0);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(regex_replace)
    .batch(levada_ops_core::batch::first_alone);

fn regex_replace(op: &RegexReplace, cx: &mut Cx<'_, '_>) -> Result<()> {
    let pattern = scalar(cx, 1, "Pattern")?;
    let rewrite = Rewrite::new(&scalar(cx, 2, "Rewrite")?);
    let regex = cx.node_state(Compiled::default)?.get(&pattern, false)?;
    map(cx, |cx, s| replace(&regex, s, &rewrite, op.replace_global, |bytes| has_room(cx, bytes)))
}

attrs! {
    /// Replaces matches of `pattern` by `rewrite`, in which `\1` stands for the first group.
    pub struct StaticRegexReplace {
        /// Regular expression to search for.
        pattern: Bytes = Attr::string("pattern"),
        /// Replacement.
        rewrite: Bytes = Attr::string("rewrite"),
        /// Whether to replace every match instead of only the first.
        replace_global: bool = Attr::bool("replace_global").or_bool(true),
    }
}

pub static STATIC_REGEX_REPLACE: Def<StaticRegexReplace> = op::<StaticRegexReplace>("StaticRegexReplace")
    .inputs(&[arg("input", is(DType::Str))])
    .outputs(&[arg("output", is(DType::Str))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(static_regex_replace)
    .batch(elementwise);

fn static_regex_replace(op: &StaticRegexReplace, cx: &mut Cx<'_, '_>) -> Result<()> {
    let regex = cx.node_state(Compiled::default)?.get(&op.pattern, false)?;
    let rewrite = Rewrite::new(&op.rewrite);
    map(cx, |cx, s| replace(&regex, s, &rewrite, op.replace_global, |bytes| has_room(cx, bytes)))
}

attrs! {
    /// Returns for each string whether all of it matches `pattern`.
    pub struct RegexFullMatch {}
}

pub static REGEX_FULL_MATCH: Def<RegexFullMatch> = op::<RegexFullMatch>("RegexFullMatch")
    .inputs(&[arg("input", is(DType::Str)), arg("pattern", is(DType::Str))])
    .outputs(&[arg("output", is(DType::Bool))])
    .shape(|_, cx| {
        cx.with_rank(1, 0)?;
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(regex_full_match)
    .batch(levada_ops_core::batch::first_alone);

fn regex_full_match(_: &RegexFullMatch, cx: &mut Cx<'_, '_>) -> Result<()> {
    let pattern = scalar(cx, 1, "Pattern")?;
    let regex = cx.node_state(Compiled::default)?.get(&pattern, true)?;
    full_match(cx, &regex)
}

attrs! {
    /// Returns for each string whether all of it matches `pattern`.
    pub struct StaticRegexFullMatch {
        /// Regular expression to match.
        pattern: Bytes = Attr::string("pattern"),
    }
}

pub static STATIC_REGEX_FULL_MATCH: Def<StaticRegexFullMatch> = op::<StaticRegexFullMatch>("StaticRegexFullMatch")
    .inputs(&[arg("input", is(DType::Str))])
    .outputs(&[arg("output", is(DType::Bool))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(static_regex_full_match)
    .batch(elementwise);

fn static_regex_full_match(op: &StaticRegexFullMatch, cx: &mut Cx<'_, '_>) -> Result<()> {
    let regex = cx.node_state(Compiled::default)?.get(&op.pattern, true)?;
    full_match(cx, &regex)
}
