//! `RegexReplace`, `RegexFullMatch` and their static forms.

use super::elementwise::map;
use super::regex::{Compiled, Rewrite, replace};
use crate::prelude::*;
use regex::bytes::Regex;

/// The string in input `i`, which must be a scalar.
fn scalar(cx: &Cx<'_, '_>, i: usize, name: &str) -> Result<Bytes> {
    let input = cx.input(i)?;
    if !input.shape().is_scalar() {
        return Err(Error::invalid(format!("{name} must be scalar, but received {}", input.shape())));
    }
    input.item()
}

fn full_match(cx: &mut Cx<'_, '_>, regex: &Regex) -> Result<()> {
    let input = cx.input(0)?;
    let matches = input.slice::<Bytes>()?.iter().map(|s| regex.is_match(s)).collect();
    let output = Tensor::from_vec(input.shape().clone(), matches)?;
    cx.set(0, output);
    Ok(())
}

attrs! {
    /// Replaces what matches `pattern` by `rewrite`, in which `\1` stands for the first group.
    pub struct RegexReplace {
        /// Whether to replace every match or the first.
        replace_global: bool = Attr::bool("replace_global").or_bool(true),
    }
}

impl Op for RegexReplace {
    const SPEC: Spec = Spec {
        name: "RegexReplace",
        inputs: &[arg("input", is(DType::Str)), arg("pattern", is(DType::Str)), arg("rewrite", is(DType::Str))],
        outputs: &[arg("output", is(DType::Str))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.with_rank(1, 0)?;
        cx.with_rank(2, 0)?;
        cx.same_as_input(0);
        Ok(())
    }
}

impl Kernel<Cpu> for RegexReplace {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let pattern = scalar(cx, 1, "Pattern")?;
        let rewrite = Rewrite::new(&scalar(cx, 2, "Rewrite")?);
        let regex = cx.node_state(Compiled::default)?.get(&pattern, false)?;
        map(cx, |s| Ok(replace(&regex, s, &rewrite, self.replace_global)))
    }
}

attrs! {
    /// Replaces what matches `pattern` by `rewrite`, in which `\1` stands for the first group.
    pub struct StaticRegexReplace {
        /// What to look for.
        pattern: Bytes = Attr::string("pattern"),
        /// What to put in its place.
        rewrite: Bytes = Attr::string("rewrite"),
        /// Whether to replace every match or the first.
        replace_global: bool = Attr::bool("replace_global").or_bool(true),
    }
}

impl Op for StaticRegexReplace {
    const SPEC: Spec = Spec {
        name: "StaticRegexReplace",
        inputs: &[arg("input", is(DType::Str))],
        outputs: &[arg("output", is(DType::Str))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.same_as_input(0);
        Ok(())
    }
}

impl Kernel<Cpu> for StaticRegexReplace {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let regex = cx.node_state(Compiled::default)?.get(&self.pattern, false)?;
        let rewrite = Rewrite::new(&self.rewrite);
        map(cx, |s| Ok(replace(&regex, s, &rewrite, self.replace_global)))
    }
}

attrs! {
    /// Says of each string whether all of it matches `pattern`.
    pub struct RegexFullMatch {}
}

impl Op for RegexFullMatch {
    const SPEC: Spec = Spec {
        name: "RegexFullMatch",
        inputs: &[arg("input", is(DType::Str)), arg("pattern", is(DType::Str))],
        outputs: &[arg("output", is(DType::Bool))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.with_rank(1, 0)?;
        cx.same_as_input(0);
        Ok(())
    }
}

impl Kernel<Cpu> for RegexFullMatch {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let pattern = scalar(cx, 1, "Pattern")?;
        let regex = cx.node_state(Compiled::default)?.get(&pattern, true)?;
        full_match(cx, &regex)
    }
}

attrs! {
    /// Says of each string whether all of it matches `pattern`.
    pub struct StaticRegexFullMatch {
        /// What to compare with.
        pattern: Bytes = Attr::string("pattern"),
    }
}

impl Op for StaticRegexFullMatch {
    const SPEC: Spec = Spec {
        name: "StaticRegexFullMatch",
        inputs: &[arg("input", is(DType::Str))],
        outputs: &[arg("output", is(DType::Bool))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.same_as_input(0);
        Ok(())
    }
}

impl Kernel<Cpu> for StaticRegexFullMatch {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let regex = cx.node_state(Compiled::default)?.get(&self.pattern, true)?;
        full_match(cx, &regex)
    }
}
