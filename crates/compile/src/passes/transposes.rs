//! Cancels transposes: what takes the result of a transpose that undoes another one takes the input of the first, as
//! around nodes that were given images with another order of axes than the nodes before them.

use crate::draft::{Draft, NodeIx, Port};
use crate::pass::{ALL, Fact, Pass, PassCx};
use levada_graph::Result;
use levada_kernel::Stage;
use std::collections::{HashMap, HashSet};

pub(crate) const PASS: Pass = Pass {
    name: "transposes",
    is_on: |cx| cx.options.fuse,
    needs: &[Fact::Frames, Fact::References],
    keeps: ALL,
    gives: &[],
    for_traces: true,
    run,
};

fn run(draft: &mut Draft<'_>, _: &PassCx<'_>) -> Result<bool> {
    let moves = |at: &NodeIx| draft.node(*at).kernel.as_ref().is_some_and(|k| k.stage() == Some(Stage::Moves));
    let transposes: Vec<NodeIx> = draft.existing().filter(moves).collect();
    let originals: HashMap<NodeIx, Port> =
        transposes.iter().filter_map(|&at| Some((at, original(draft, at)?))).collect();
    if originals.is_empty() {
        return Ok(false);
    }
    for node in draft.nodes.iter_mut().filter(|node| node.exists() && !node.is_fetch()) {
        for port in &mut node.inputs {
            while let Some(&original) = originals.get(&port.node) {
                *port = original;
            }
        }
    }
    // From the last on, since the removal of one may leave another without consumers.
    let mut consumed: HashSet<NodeIx> = HashSet::new();
    let mut left = transposes.into_iter().rev().peekable();
    for at in draft.existing().rev().collect::<Vec<_>>() {
        let node = draft.node(at);
        if left.next_if_eq(&at).is_some() && !consumed.contains(&at) && !node.is_pinned {
            draft.remove(at);
            continue;
        }
        consumed.extend(node.inputs.iter().map(|port| port.node).chain(node.controls.iter().copied()));
    }
    Ok(true)
}

/// The value that a transpose of a transpose returns unchanged.
fn original(draft: &Draft<'_>, at: NodeIx) -> Option<Port> {
    let second = draft.node(at);
    let (from, outer) = permutation(draft, at)?;
    let (original, inner) = permutation(draft, from.node)?;
    let first = draft.node(from.node);
    let undoes = inner.len() == outer.len() && outer.iter().enumerate().all(|(i, &axis)| inner.get(axis) == Some(&i));
    // In a loop, a consumer may come before what it consumes.
    let is_alike = first.device == second.device
        && draft.node(original.node).device == first.device
        && (first.frame, second.frame) == (0, 0)
        && first.controls.is_empty()
        && second.controls.is_empty();
    let is_ref = [from, original].iter().any(|port| draft.ref_ports.contains(port));
    (undoes && is_alike && !is_ref && !second.is_pinned).then_some(original)
}

/// What a node permutes the axes of, and how.
fn permutation(draft: &Draft<'_>, at: NodeIx) -> Option<(Port, Vec<usize>)> {
    let node = draft.node(at);
    let moves = node.values.is_none() && node.kernel.as_ref()?.stage() == Some(Stage::Moves);
    let &[from, order] = &node.inputs[..] else { return None };
    let order = draft.value(order).filter(|_| moves)?.to_i64s().ok()?;
    let rank = order.len() as i64;
    let axis = |axis: &i64| usize::try_from(if *axis < 0 { axis + rank } else { *axis }).ok();
    Some((from, order.iter().map(axis).collect::<Option<_>>()?))
}
