//! Why a graph cannot be placed: minimal sets of conflicting constraints, and edits that resolve them.

use crate::constraint::Constraint;
use crate::first_fit::place;
use crate::groups::{Refusal, Request, is_shared_state};
use crate::order::topological;
use crate::target::Targets;
use levada_graph::device::DeviceName;
use levada_graph::graph::Node;
use levada_graph::{AttrList, AttrValue, Error, Graph, NodeId};
use std::collections::{HashMap, HashSet, VecDeque};

/// An edit that lets the graph be placed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Edit {
    /// Remove the device of these nodes.
    DropDevice(Vec<NodeId>),
    /// Set the device of these nodes to this one.
    SetDevice(Vec<NodeId>, String),
    /// Remove an entry of the node's `_class`.
    DropClass(NodeId, u32),
    /// Place softly.
    Soft,
    /// Add this device.
    AddDevice(String),
}

/// Conflicting constraints.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// A minimal set: if any one of them is removed, the others can be met.
    pub constraints: Vec<Constraint>,
    /// Further nodes that ask for the same unavailable device, each a contradiction on its own; the edits cover all of
    /// them.
    pub same: Vec<NodeId>,
    /// TensorFlow's message.
    pub message: String,
    /// Edits, each of which resolves this conflict. A graph with several conflicts needs one of these and the first
    /// edit of each other conflict, or [`Edit::Soft`], which resolves all of them if it is listed.
    pub edits: Vec<Edit>,
}

/// Finds every conflict of a refused request.
pub fn conflicts(request: &Request<'_>) -> Vec<Conflict> {
    let nodes = topological(request.graph);
    let mut dropped: HashSet<Constraint> = HashSet::new();
    let mut found: Vec<(Conflict, Vec<Constraint>)> = Vec::new();
    while let Err(refusal) = place(request, &nodes, &dropped) {
        let constraints = minimize(request, &nodes, &refusal, &dropped);
        let is_editable = |c: &&Constraint| !matches!(c, Constraint::Edge { .. });
        // Prefer a constraint whose removal makes the whole graph placeable: then there is no other conflict to report.
        let cures = |c: &&Constraint| place(request, &nodes, &with(&dropped, **c)).is_ok();
        let editable = || constraints.iter().filter(is_editable);
        let Some(&cure) = editable().find(cures).or(editable().next()).or(constraints.first()) else { break };
        let same = match constraints[..] {
            [Constraint::Device(id)] => asking_in_vain(request, id),
            _ => Vec::new(),
        };
        let cure: Vec<Constraint> = same.iter().map(|&id| Constraint::Device(id)).chain([cure]).collect();
        dropped.extend(&cure);
        let message = refusal.error.message().to_owned();
        found.push((Conflict { constraints, same, message, edits: Vec::new() }, cure));
    }
    let cures: Vec<Vec<Constraint>> = found.iter().map(|(_, cure)| cure.clone()).collect();
    let mut out = Vec::new();
    for (i, (mut conflict, cure)) in found.into_iter().enumerate() {
        let others = cures.iter().enumerate().filter(|(j, _)| *j != i).flat_map(|(_, cure)| cure);
        let others: HashSet<Constraint> = others.copied().collect();
        let proposed = proposals(request, &nodes, &conflict, &others);
        conflict.edits = proposed.into_iter().filter(|e| cures_all(request, &nodes, e, &others)).collect();
        if !others.is_empty() {
            // The edits that were assumed when other conflicts were tried come first.
            conflict.edits.sort_by_key(|edit| !edit.drops(&cure));
        }
        out.push(conflict);
    }
    out
}

/// The other nodes that cannot get the device that `id` asks for, for the same reason: no device has that name, or none
/// of that name has a kernel for the op.
fn asking_in_vain(request: &Request<'_>, id: NodeId) -> Vec<NodeId> {
    let asking = request.graph.node(id);
    let Ok(name) = DeviceName::parse(&asking.device) else { return Vec::new() };
    let is_missing = request.targets.iter().all(|t| !name.matches(&t.name));
    let in_vain = |node: &Node| request.targets.fitting(&name, (request.supports)(node), request.default).is_empty();
    let others = request.graph.nodes().filter(|(other, node)| *other != id && node.device == asking.device);
    others
        .filter(|(_, node)| in_vain(node) && (is_missing || node.op_name() == asking.op_name()))
        .map(|(other, _)| other)
        .collect()
}

fn with(dropped: &HashSet<Constraint>, constraint: Constraint) -> HashSet<Constraint> {
    dropped.iter().copied().chain([constraint]).collect()
}

/// A minimal set of unsatisfiable constraints around a failure.
fn minimize(
    request: &Request<'_>,
    order: &[NodeId],
    refusal: &Refusal,
    dropped: &HashSet<Constraint>,
) -> Vec<Constraint> {
    let (nodes, distance) = component(request.graph, &refusal.nodes, dropped);
    let inside: Vec<NodeId> = order.iter().copied().filter(|id| nodes.contains(id)).collect();
    let mut all: Vec<Constraint> = inside.iter().flat_map(|&id| constraints_of(request.graph, id)).collect();
    all.retain(|c| !dropped.contains(c));
    // Constraints far from the refusal are dropped first, so that those near it remain.
    all.sort_by_key(|c| std::cmp::Reverse(distance.get(&c.node()).copied().unwrap_or(u32::MAX)));
    let fails = |kept: &[Constraint]| {
        let kept: HashSet<Constraint> = kept.iter().copied().collect();
        let without = all.iter().copied().filter(|c| !kept.contains(c)).chain(dropped.iter().copied()).collect();
        place(request, &inside, &without).is_err()
    };
    // Edges cannot be removed without changing what the graph computes: what they imply is not listed separately.
    let (edges, editable): (Vec<Constraint>, Vec<Constraint>) =
        all.iter().partition(|c| matches!(c, Constraint::Edge { .. }));
    let mut kept = shrink(editable, &edges, &fails);
    let edges = shrink(edges, &kept, &fails);
    kept.extend(edges);
    kept.sort_by_key(|c| (distance.get(&c.node()).copied().unwrap_or(u32::MAX), *c));
    kept
}

/// A minimal subset of `kept` that still fails together with `fixed`.
fn shrink(mut kept: Vec<Constraint>, fixed: &[Constraint], fails: &dyn Fn(&[Constraint]) -> bool) -> Vec<Constraint> {
    let mut size = kept.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        let mut changed = false;
        while at < kept.len() {
            let end = (at + size).min(kept.len());
            let rest: Vec<Constraint> = kept[..at].iter().chain(&kept[end..]).copied().collect();
            if fails(&[&rest, fixed].concat()) {
                kept = rest;
                changed = true;
            } else {
                at = end;
            }
        }
        // Overrides across edges may make one removal possible only after another: repeat until nothing changes.
        size = match size {
            1 if changed => 1,
            size => size / 2,
        };
    }
    kept
}

fn constraints_of(graph: &Graph, id: NodeId) -> Vec<Constraint> {
    let node = graph.node(id);
    let mut out = Vec::new();
    if !node.device.is_empty() {
        out.push(Constraint::Device(id));
    }
    for class in 0..classes(graph, id).len() as u32 {
        out.push(Constraint::Class { node: id, class });
    }
    let edges = (0..node.inputs.len()).filter(|&i| is_shared_state(node, i));
    out.extend(edges.map(|i| Constraint::Edge { node: id, input: i as u32 }));
    out
}

/// Names of the groups in a node's `_class`; empty for entries that are not colocations.
fn classes(graph: &Graph, id: NodeId) -> Vec<&str> {
    match graph.node(id).attrs.get("_class") {
        Some(AttrValue::List(AttrList::S(list))) => list
            .iter()
            .map(|c| c.strip_prefix(b"loc:@").and_then(|c| std::str::from_utf8(c).ok()).unwrap_or_default())
            .collect(),
        _ => Vec::new(),
    }
}

/// Every node connected with `start` by constraints, and its distance.
fn component(
    graph: &Graph,
    start: &[NodeId],
    dropped: &HashSet<Constraint>,
) -> (HashSet<NodeId>, HashMap<NodeId, u32>) {
    let mut by_class: HashMap<&str, Vec<NodeId>> = HashMap::new();
    for id in graph.ids() {
        for (i, class) in classes(graph, id).into_iter().enumerate() {
            if !class.is_empty() && !dropped.contains(&Constraint::Class { node: id, class: i as u32 }) {
                by_class.entry(class).or_default().push(id);
            }
        }
    }
    let mut distance: HashMap<NodeId, u32> = start.iter().map(|&id| (id, 0)).collect();
    let mut queue: VecDeque<NodeId> = start.iter().copied().collect();
    while let Some(id) = queue.pop_front() {
        let far = distance[&id];
        let node = graph.node(id);
        let mut near: Vec<NodeId> = Vec::new();
        let own: Vec<&str> = classes(graph, id).into_iter().chain([&*node.name]).collect();
        for class in own {
            near.extend(by_class.get(class).into_iter().flatten());
            near.extend(graph.find(class));
        }
        near.extend((0..node.inputs.len()).filter(|&i| is_shared_state(node, i)).map(|i| node.inputs[i].node));
        for to in graph.dag().neighbors(id) {
            let consumer = graph.node(to);
            let shares = |(i, e): (usize, &levada_graph::Endpoint)| e.node == id && is_shared_state(consumer, i);
            if consumer.inputs.iter().enumerate().any(shares) {
                near.push(to);
            }
        }
        for to in near {
            if let std::collections::hash_map::Entry::Vacant(new) = distance.entry(to) {
                new.insert(far + 1);
                queue.push_back(to);
            }
        }
    }
    (distance.keys().copied().collect(), distance)
}

/// Edits that might resolve a conflict.
fn proposals(request: &Request<'_>, nodes: &[NodeId], conflict: &Conflict, others: &HashSet<Constraint>) -> Vec<Edit> {
    let mut edits = Vec::new();
    for &constraint in &conflict.constraints {
        match constraint {
            Constraint::Device(id) => {
                let ids: Vec<NodeId> = [id].into_iter().chain(conflict.same.iter().copied()).collect();
                let mut without = others.clone();
                without.extend(ids.iter().map(|&id| Constraint::Device(id)));
                if let Ok((placement, _)) = place(request, nodes, &without) {
                    let device = request.targets.get(placement.device[id.index()]).name.clone();
                    let short = DeviceName { job: None, replica: None, task: None, ..device };
                    edits.push(Edit::SetDevice(ids.clone(), short.to_string()));
                }
                edits.push(Edit::DropDevice(ids));
                if let Ok(name) = DeviceName::parse(&request.graph.node(id).device) {
                    edits.extend(missing_device(request.targets, &name).map(Edit::AddDevice));
                }
            }
            Constraint::Class { node, class } => edits.push(Edit::DropClass(node, class)),
            Constraint::Edge { .. } | Constraint::Name(_) => {}
        }
    }
    if !request.soft {
        edits.push(Edit::Soft);
    }
    edits.dedup();
    edits
}

/// The full name of the missing CPU device that `name` asks for.
fn missing_device(targets: &Targets, name: &DeviceName) -> Option<String> {
    let is_cpu = name.kind.as_deref() == Some("CPU");
    let full = DeviceName { id: Some(name.id.unwrap_or(0)), ..DeviceName::local("CPU", 0) };
    let fits = is_cpu && name.matches(&full) && full.id.is_some_and(|id| id < 64);
    (fits && targets.iter().all(|t| t.name != full)).then(|| full.to_string())
}

/// True if the graph can be placed after the edit, with the other conflicts resolved.
fn cures_all(request: &Request<'_>, nodes: &[NodeId], edit: &Edit, others: &HashSet<Constraint>) -> bool {
    let mut dropped = others.clone();
    match edit {
        Edit::DropDevice(ids) => {
            dropped.extend(ids.iter().map(|&id| Constraint::Device(id)));
            place(request, nodes, &dropped).is_ok()
        }
        Edit::DropClass(node, class) => {
            dropped.insert(Constraint::Class { node: *node, class: *class });
            place(request, nodes, &dropped).is_ok()
        }
        Edit::SetDevice(ids, device) => {
            let mut graph = request.graph.clone();
            ids.iter().for_each(|&id| graph.node_mut(id).device.clone_from(device));
            place(&Request { graph: &graph, ..*request }, nodes, &dropped).is_ok()
        }
        // Soft placement is proposed only if it resolves everything.
        Edit::Soft => place(&Request { soft: true, ..*request }, nodes, &HashSet::new()).is_ok(),
        Edit::AddDevice(name) => {
            let added = name.rsplit(':').next().and_then(|id| id.parse::<u32>().ok()).unwrap_or(0);
            // Devices of a type are numbered without gaps.
            let all: Vec<String> = (0..=added).map(|i| DeviceName::local("CPU", i).to_string()).collect();
            let new: Vec<&str> = all.iter().map(String::as_str).collect();
            let old: Vec<&str> = request.targets.names().filter(|n| !new.contains(n)).collect();
            let targets = Targets::new(new.into_iter().chain(old));
            targets.is_ok_and(|targets| place(&Request { targets: &targets, ..*request }, nodes, &dropped).is_ok())
        }
    }
}

impl Edit {
    fn drops(&self, cure: &[Constraint]) -> bool {
        match self {
            Edit::DropDevice(ids) => ids.iter().all(|&id| cure.contains(&Constraint::Device(id))),
            &Edit::DropClass(node, class) => cure.contains(&Constraint::Class { node, class }),
            _ => false,
        }
    }

    /// As a sentence.
    pub fn describe(&self, graph: &Graph) -> String {
        match self {
            Edit::DropDevice(ids) => format!("remove the device from {}", names(graph, ids)),
            Edit::SetDevice(ids, device) => format!("set the device of {} to {device:?}", names(graph, ids)),
            Edit::DropClass(node, class) => {
                let constraint = Constraint::Class { node: *node, class: *class };
                let name = &graph.node(*node).name;
                format!("remove {:?} from the attr _class of {name}", constraint.class_text(graph))
            }
            Edit::Soft => "allow soft placement (--soft)".to_owned(),
            Edit::AddDevice(name) => match name.rsplit(':').next().and_then(|id| id.parse::<u32>().ok()) {
                Some(id) => format!("use more devices (--devices cpu:{})", id + 1),
                None => format!("add the device {name}"),
            },
        }
    }
}

impl Conflict {
    /// The conflict, a sentence for each constraint.
    pub fn describe(&self, graph: &Graph) -> Vec<String> {
        match self.constraints[..] {
            [Constraint::Device(id)] if !self.same.is_empty() => {
                let ids: Vec<NodeId> = [id].into_iter().chain(self.same.iter().copied()).collect();
                let device = &graph.node(id).device;
                vec![format!("{} nodes ask for the device {device:?}: {}", ids.len(), names(graph, &ids))]
            }
            _ => self.constraints.iter().map(|c| c.describe(graph)).collect(),
        }
    }
}

/// The maximum number of nodes that are named in a list.
const NAMED: usize = 3;

/// `a`, `a, b`, `a, b, c and 17 more`.
fn names(graph: &Graph, ids: &[NodeId]) -> String {
    let first: Vec<&str> = ids.iter().take(NAMED).map(|&id| &*graph.node(id).name).collect();
    match ids.len().saturating_sub(NAMED) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

/// The error for a failed placement, with the conflicts and how to resolve them.
pub fn refusal_error(request: &Request<'_>, error: Error, conflicts: &[Conflict]) -> Error {
    let Some(conflict) = conflicts.first() else { return error };
    let found = conflict.describe(request.graph).join("; ");
    let help = conflict.edits.iter().map(|e| e.describe(request.graph)).collect::<Vec<_>>().join(", or ");
    let error = error.found(found);
    if help.is_empty() { error } else { error.help(help) }
}
