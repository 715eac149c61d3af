//! Simplifies control flow: constants whose control inputs only make them dead with their branch become known before
//! the run, as does what is computed from them, and nodes in loops that only forward their input are bypassed.

use super::fold::{compute, constant};
use crate::draft::{Draft, NodeIx, Port};
use crate::pass::{ALL, Fact, Pass, PassCx};
use levada_graph::spec::Role;
use levada_graph::{Result, Tensor};
use std::collections::{BTreeMap, HashMap, HashSet};

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

fn run(draft: &mut Draft<'_>, cx: &PassCx<'_>) -> Result<bool> {
    if !draft.has_control_flow {
        return Ok(false);
    }
    let constants = free_constants(draft, cx);
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

/// A node whose value is known, but which has to wait for others, as it is dead if one of them is.
struct Waiting {
    values: Box<[Tensor]>,
    awaited: Vec<NodeIx>,
}

/// A constant is dead if one of its control inputs is, and so is what is computed from constants. If the consumers of such
/// a node also depend on all of these by other paths, it need not run.
fn free_constants(draft: &mut Draft<'_>, cx: &PassCx<'_>) -> bool {
    let mut waiting: BTreeMap<NodeIx, Waiting> = BTreeMap::new();
    for at in draft.existing() {
        waiting.extend(waits(draft, cx, at, &waiting).map(|node| (at, node)));
    }
    if waiting.is_empty() {
        return false;
    }
    let mut consumers: HashMap<NodeIx, Vec<NodeIx>> = HashMap::new();
    let mut is_awaited = vec![false; draft.nodes.len()];
    for at in draft.existing() {
        for input in draft.node(at).inputs.iter().filter(|input| waiting.contains_key(&input.node)) {
            consumers.entry(input.node).or_default().push(at);
        }
        draft.node(at).controls.iter().for_each(|&before| is_awaited[before as usize] = true);
    }
    let mut free: HashSet<NodeIx> = HashSet::new();
    // Consumers first.
    for (&at, node) in waiting.iter().rev().filter(|(at, _)| !is_awaited[**at as usize]) {
        let waits_itself = |consumer: NodeIx| {
            matches!(draft.node(consumer).role(), Some(Role::Plain | Role::Switch | Role::Call))
                && node.awaited.iter().all(|&before| depends(draft, consumer, before, DEPTH))
        };
        let mut all = consumers.get(&at).into_iter().flatten();
        if all.all(|&consumer| free.contains(&consumer) || waits_itself(consumer)) {
            free.insert(at);
        }
    }
    let changed = !free.is_empty();
    for at in free {
        draft.nodes[at as usize].values = waiting.remove(&at).map(|node| node.values);
        draft.nodes[at as usize].controls.clear();
    }
    changed
}

/// What a node waits for, and its value, if that is known apart from this.
fn waits(draft: &Draft<'_>, cx: &PassCx<'_>, at: NodeIx, known: &BTreeMap<NodeIx, Waiting>) -> Option<Waiting> {
    let node = draft.node(at);
    let of_graph = node.graph_node().filter(|_| !node.is_pinned && node.values.is_none())?;
    let awaited = node.controls.iter().copied();
    match node.role() {
        Some(Role::Const) if !node.controls.is_empty() => {
            Some(Waiting { values: [constant(of_graph)?.clone()].into(), awaited: awaited.collect() })
        }
        Some(Role::Plain) if node.inputs.iter().any(|port| known.contains_key(&port.node)) => {
            let value = |port: Port| match known.get(&port.node) {
                Some(node) => node.values.get(port.output as usize),
                None => draft.value(port),
            };
            let of_inputs = node.inputs.iter().filter_map(|port| known.get(&port.node)).flat_map(|node| &node.awaited);
            let mut awaited: Vec<NodeIx> = awaited.chain(of_inputs.copied()).collect();
            awaited.sort_unstable();
            awaited.dedup();
            Some(Waiting { values: compute(node, of_graph, cx, value)?, awaited })
        }
        _ => None,
    }
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
