//! Simplifies control flow: constants whose control inputs only make them dead with their branch become known before
//! the run, and nodes in loops that only forward their input are bypassed.

use super::fold::constant;
use crate::draft::{Draft, NodeIx, Port};
use crate::pass::{ALL, Fact, Pass, PassCx};
use levada_graph::Result;
use levada_graph::spec::Role;
use std::collections::HashMap;

/// The maximum number of edges to search back for a dependency.
const DEPTH: u32 = 4;

pub(crate) const PASS: Pass = Pass {
    name: "loops",
    is_on: |cx| cx.options.simplify_loops,
    needs: &[Fact::Frames],
    keeps: ALL,
    gives: &[],
    for_traces: true,
    run,
};

fn run(draft: &mut Draft<'_>, _: &PassCx<'_>) -> Result<bool> {
    if !draft.has_control_flow {
        return Ok(false);
    }
    let constants = free_constants(draft);
    let skipped = skip(draft);
    Ok(constants || skipped)
}

/// Redirects the consumers of forwarding nodes in loops to those nodes' inputs.
fn skip(draft: &mut Draft<'_>) -> bool {
    let mut is_awaited = vec![false; draft.nodes.len()];
    for before in draft.nodes.iter().flat_map(|n| &n.controls) {
        is_awaited[*before as usize] = true;
    }
    let skipped: HashMap<NodeIx, Port> = draft.existing().filter_map(|at| Some((at, passed_on(draft, at)?))).collect();
    if skipped.is_empty() {
        return false;
    }
    let given = |mut port: Port| {
        while let Some(&source) = skipped.get(&port.node) {
            port = source;
        }
        port
    };
    draft.redirect(given, |before| before);
    for &at in skipped.keys().filter(|at| !is_awaited[**at as usize]) {
        draft.remove(at);
    }
    true
}

/// The input of a node that is in a loop and only forwards it.
fn passed_on(draft: &Draft<'_>, at: NodeIx) -> Option<Port> {
    let node = draft.node(at);
    let given = *node.inputs.first()?;
    let source = draft.node(given.node);
    let passes = node.graph_node()?.spec().forwards
        && node.frame != 0
        && node.values.is_none()
        && !node.is_pinned
        && node.controls.is_empty()
        && !source.is_feed()
        && source.values.is_none()
        && !source.output_types[given.output as usize].is_ref
        && source.device == node.device;
    passes.then_some(given)
}

/// A constant is dead if one of its control inputs is. If its consumers also depend on all of these by other paths, the
/// constant need not run.
fn free_constants(draft: &mut Draft<'_>) -> bool {
    let is_candidate = |at: &NodeIx| {
        let node = draft.node(*at);
        node.role() == Some(Role::Const)
            && !node.controls.is_empty()
            && !node.is_pinned
            && node.graph_node().is_some_and(|n| constant(n).is_some())
    };
    let mut consumers: HashMap<NodeIx, Vec<NodeIx>> =
        draft.existing().filter(is_candidate).map(|at| (at, Vec::new())).collect();
    if consumers.is_empty() {
        return false;
    }
    let mut candidates: Vec<NodeIx> = consumers.keys().copied().collect();
    candidates.sort_unstable();
    let mut is_awaited = vec![false; draft.nodes.len()];
    for at in draft.existing() {
        for input in &draft.node(at).inputs {
            if let Some(consumers) = consumers.get_mut(&input.node) {
                consumers.push(at);
            }
        }
        draft.node(at).controls.iter().for_each(|&before| is_awaited[before as usize] = true);
    }
    let mut changed = false;
    for at in candidates.into_iter().filter(|&at| !is_awaited[at as usize]) {
        let awaited = &draft.node(at).controls;
        let is_free = consumers[&at].iter().all(|&consumer| {
            matches!(draft.node(consumer).role(), Some(Role::Plain | Role::Switch | Role::Call))
                && awaited.iter().all(|&before| depends(draft, consumer, before, DEPTH))
        });
        if let (true, Some(node)) = (is_free, draft.node(at).graph_node()) {
            let values = constant(node).map(|value| [value.clone()].into());
            draft.nodes[at as usize].values = values;
            draft.nodes[at as usize].controls.clear();
            changed = true;
        }
    }
    changed
}

/// True if `node` runs after `on`, in the same iteration, and is dead whenever `on` is.
fn depends(draft: &Draft<'_>, node: NodeIx, on: NodeIx, depth: u32) -> bool {
    let node = draft.node(node);
    let mut sources = node.inputs.iter().map(|p| p.node).chain(node.controls.iter().copied());
    sources.any(|source| {
        let goes_on = || matches!(draft.node(source).role(), Some(Role::Plain | Role::Switch | Role::LoopCond));
        source == on || (depth > 0 && goes_on() && depends(draft, source, on, depth - 1))
    })
}
