//! Equations of `Einsum`: `ij,jk->ik`, `...ii->...i`.

use crate::prelude::*;

/// An axis label: a character of the equation, or the index of an axis covered by an ellipsis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Label {
    /// A character.
    Named(u8),
    /// An ellipsis axis, counted from the last.
    Ellipsis(usize),
}

/// The labels of an equation; `None` represents an ellipsis.
pub(super) struct Equation {
    /// Per input.
    pub inputs: Vec<Vec<Option<u8>>>,
    /// For the result.
    pub output: Vec<Option<u8>>,
}

impl Equation {
    /// Parses an equation for `n` inputs.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the text is not an equation or has a different number of inputs.
    pub(super) fn parse(text: &str, n: usize) -> Result<Equation> {
        let fault = |message: String| Error::invalid(message).attr("equation").found(format!("{text:?}"));
        let Some((left, right)) = text.split_once("->").filter(|(_, right)| !right.contains("->")) else {
            return Err(fault("Expecting exactly one '->' in einsum equation".to_owned()));
        };
        let inputs: Vec<&str> = left.split(',').collect();
        if inputs.len() > 2 {
            return Err(fault(format!("Expecting 1 or 2 input subscripts but got: {}", inputs.len())));
        }
        if inputs.len() != n {
            return Err(fault(format!("Expected {} inputs but got: {n}", inputs.len())));
        }
        let labels = |text: &str| {
            let bytes = text.as_bytes();
            let mut out = Vec::with_capacity(bytes.len());
            let mut i = 0;
            while i < bytes.len() {
                if bytes[i] != b'.' {
                    out.push(Some(bytes[i]));
                    i += 1;
                } else if bytes[i..].starts_with(b"...") && !out.contains(&None) {
                    out.push(None);
                    i += 3;
                } else {
                    return Err(fault("Expected at most one ellipsis (...) in each subscript".to_owned()));
                }
            }
            Ok(out)
        };
        let inputs = inputs.into_iter().map(labels).collect::<Result<Vec<_>>>()?;
        let output = labels(right)?;
        let known = |label: &Option<u8>| label.is_none() || inputs.iter().any(|i| i.contains(label));
        if let Some(Some(label)) = output.iter().find(|label| !known(label)) {
            return Err(fault(format!(
                "the output subscripts have the label '{}', which is not in the input subscripts",
                char::from(*label)
            )));
        }
        Ok(Equation { inputs, output })
    }

    /// The labels of input `i`'s `rank` axes.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the input has too few or too many axes.
    pub(super) fn input(&self, i: usize, rank: usize) -> Result<Vec<Label>> {
        let labels = &self.inputs[i];
        let named = labels.iter().flatten().count();
        let extra = match (rank.checked_sub(named), labels.contains(&None)) {
            (Some(0), false) => 0,
            (Some(extra), true) => extra,
            _ => {
                return Err(Error::invalid(format!("input {i} of the einsum has the wrong rank"))
                    .expected(format!("{named} axes{}", if labels.contains(&None) { " or more" } else { "" }))
                    .found(format!("{rank} axes")));
            }
        };
        Ok(expand(labels, extra))
    }

    /// The labels of the result's axes if the longest ellipsis covers `extra` axes.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the result has no ellipsis for them.
    pub(super) fn output(&self, extra: usize) -> Result<Vec<Label>> {
        if extra > 0 && !self.output.contains(&None) {
            return Err(Error::invalid(
                "the output subscripts need an ellipsis for the axes that it stands for in the inputs",
            ));
        }
        Ok(expand(&self.output, extra))
    }
}

fn expand(labels: &[Option<u8>], extra: usize) -> Vec<Label> {
    let one = |label: &Option<u8>| match label {
        Some(name) => vec![Label::Named(*name)],
        None => (0..extra).rev().map(Label::Ellipsis).collect(),
    };
    labels.iter().flat_map(one).collect()
}

/// Number of axes the longest ellipsis covers.
pub(super) fn ellipsis_axes<'a>(inputs: impl IntoIterator<Item = &'a Vec<Label>>) -> usize {
    let count = |labels: &'a Vec<Label>| labels.iter().filter(|l| matches!(l, Label::Ellipsis(_))).count();
    inputs.into_iter().map(count).max().unwrap_or(0)
}
