//! What a pass is, and how passes are run.

use crate::draft::Draft;
use crate::passes::PASSES;
use crate::{CompileOptions, Placement};
use levada_graph::{Error, Graph, Result};
use levada_kernel::Env;
use std::sync::Arc;

/// A pass: a transformation of a draft, or an analysis of it.
pub(crate) struct Pass {
    /// A verb, or the noun for what it finds.
    pub(crate) name: &'static str,
    /// Whether the options turn it on.
    pub(crate) is_on: fn(&PassCx<'_>) -> bool,
    /// What must hold before it.
    pub(crate) needs: &'static [Fact],
    /// What still holds after it if it held before.
    pub(crate) keeps: &'static [Fact],
    /// What holds after it.
    pub(crate) gives: &'static [Fact],
    /// False for a pass that would hide nodes from a trace. Such a pass runs only for plans of untraced steps.
    pub(crate) for_traces: bool,
    /// Runs the pass; true if the draft changed.
    pub(crate) run: fn(&mut Draft<'_>, &PassCx<'_>) -> Result<bool>,
}

/// Invariants that passes rely on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fact {
    /// Each node has its frame.
    Frames,
    /// The outputs that may carry references, and the nodes that read them, are known.
    References,
    /// Each value is where its consumers need it: no edge crosses devices or memories.
    Transfers,
}

/// All facts.
pub(crate) const ALL: &[Fact] = &[Fact::Frames, Fact::References, Fact::Transfers];

/// The inputs of a pass besides the draft.
#[derive(Clone, Copy)]
pub(crate) struct PassCx<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) placement: Placement<'a>,
    /// What constants are folded with.
    pub(crate) env: &'a Arc<Env>,
    pub(crate) options: &'a CompileOptions,
    /// True for a partial run.
    pub(crate) partial: bool,
}

/// Runs the passes that are on and selected by `chosen`, and updates `facts`. True if one of them changed the draft.
///
/// # Errors
/// Any error of a pass; `INTERNAL` if the list has a pass before one that it depends on.
pub(crate) fn run(
    draft: &mut Draft<'_>,
    cx: &PassCx<'_>,
    facts: &mut Vec<Fact>,
    chosen: impl Fn(&Pass) -> bool,
) -> Result<bool> {
    let mut changed = false;
    for pass in PASSES.iter().filter(|p| (p.is_on)(cx) && chosen(p)) {
        if let Some(missing) = pass.needs.iter().find(|fact| !facts.contains(fact)) {
            return Err(Error::internal(format!("the pass {} needs {missing:?}", pass.name)));
        }
        changed |= (pass.run)(draft, cx)?;
        facts.retain(|fact| pass.keeps.contains(fact));
        facts.extend(pass.gives);
    }
    Ok(changed)
}
