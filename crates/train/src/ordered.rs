//! Enqueues that keep the order of their runs.

use super::Queue;
use super::batch::selected;
use levada_builder::{Builder, Output};
use levada_graph::{Act, DType, Error, Graph, NodeId};
use std::collections::HashSet;

/// The stateful nodes among these and the nodes they depend on: their effects must be in order. Nodes that only make a
/// resource are excluded.
pub(super) fn stateful(graph: &Graph, nodes: impl IntoIterator<Item = NodeId>) -> HashSet<NodeId> {
    let mut seen: HashSet<NodeId> = nodes.into_iter().collect();
    let mut open: Vec<NodeId> = seen.iter().copied().collect();
    while let Some(id) = open.pop() {
        let node = graph.node(id);
        let inputs = node.inputs.iter().map(|e| e.node).chain(node.control_inputs.iter().copied());
        open.extend(inputs.filter(|input| seen.insert(*input)));
    }
    let makes = |id: NodeId| {
        let node = graph.node(id);
        let handles = node.output_types.iter().all(|ty| ty.is_ref || ty.dtype == DType::Resource);
        node.spec().act == Some(Act::Make) || (node.inputs.is_empty() && handles && !node.output_types.is_empty())
    };
    seen.into_iter().filter(|id| graph.node(*id).spec().stateful && !makes(*id)).collect()
}

/// An enqueue for each list of tensors. `keep` selects what is enqueued: a bool, or one for each row.
pub(super) fn enqueues(
    b: &mut Builder,
    scope: &str,
    queue: &Queue,
    lists: &[&[Output]],
    keep: Option<Output>,
    many: bool,
) -> Vec<Output> {
    let Some(keep) = keep else { return Vec::new() };
    let each = b.shape(keep).rank() == Some(1);
    let lanes = lists.len() as i64;
    let mut taken: HashSet<NodeId> = HashSet::new();
    let mut all = Vec::new();
    for (lane, list) in lists.iter().enumerate() {
        let (kept, keep, many) = match each {
            false => (list.to_vec(), keep, many),
            true => {
                let always = b.constant(levada_graph::Tensor::scalar(true));
                (selected(b, list, keep), always, true)
            }
        };
        let inputs: Vec<Output> = kept.iter().copied().chain([keep]).collect();
        let mut section: Vec<NodeId> =
            stateful(b.graph(), inputs.iter().filter_map(|t| t.node())).into_iter().collect();
        section.sort_unstable();
        if let Some(shared) = section.iter().find(|id| taken.contains(id)) {
            let name = b.graph().node(*shared).name.clone();
            let error = Error::invalid(format!("{scope}: two of the lists share {name}, so their order is undefined"));
            all.push(b.fault(error.help("give each list a node of its own, or leave out `ordered`")));
            continue;
        }
        taken.extend(section.iter().copied());
        let enter = b.node("OrderedEnter").name("enter").attr("lane", lane as i64).attr("lanes", lanes);
        let enter = enter.attr("shared_name", format!("{scope}/order")).add();
        if let Some(enter) = enter.node() {
            section.iter().for_each(|id| b.graph_mut().add_control(enter, *id));
        }
        let leave = section
            .iter()
            .fold(b.node("OrderedLeave").name("leave").input(enter), |node, id| node.after(Output::of(*id)));
        let leave = leave.add();
        let types = Queue::types(b, &kept);
        let name = format!("{}_{}", queue.name, if many { "EnqueueMany" } else { "enqueue" });
        let enqueue = b.node("OrderedEnqueue").name(&name).inputs([queue.handle, leave, keep]).inputs(kept);
        all.push(enqueue.attr("Tcomponents", types).attr("many", many).add());
    }
    all
}
