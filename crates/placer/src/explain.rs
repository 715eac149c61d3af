//! Explains a node's device: the chain of rules that led to it.

use crate::constraint::Constraint;
use crate::first_fit::{NOWHERE, Placement, Rule};
use crate::groups::{Groups, Request};
use levada_graph::device::DeviceName;
use levada_graph::graph::Node;
use levada_graph::{AttrValue, Bytes, NodeId};
use serde::Serialize;
use std::collections::{HashMap, VecDeque};

/// The explanation of a node's device.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// Name of the node.
    pub node: String,
    /// Name of its op.
    pub op: String,
    /// Full name of its device.
    pub device: String,
    /// What the node asks for; empty for any device.
    pub requested: String,
    /// Types of devices with a kernel for the node.
    pub kernels: Vec<String>,
    /// The combined device request of its group.
    pub group_requested: String,
    /// Number of nodes in its group.
    pub group_size: usize,
    /// Devices that the group could go to, best first.
    pub candidates: Vec<String>,
    /// The name of the last rule: `group`, `only`, `first`, `with-input`, `with-consumers`, `cost`.
    pub rule: &'static str,
    /// The node's requests that are not met, as sentences.
    pub unmet: Vec<String>,
    /// The chain of rules, as sentences.
    pub because: Vec<String>,
}

/// A node's unmet requests, as sentences: its device and, with soft placement, its colocation with other nodes.
pub fn unmet(request: &Request<'_>, placement: &Placement, groups: &Groups, id: NodeId) -> Vec<String> {
    let (graph, device) = (request.graph, placement.device[id.index()]);
    let node = graph.node(id);
    let mut out = Vec::new();
    if let Ok(name) = DeviceName::parse(&node.device)
        && device != NOWHERE
        && !name.matches(&request.targets.get(device).name)
    {
        let why = if request.targets.iter().all(|t| !name.matches(&t.name)) {
            "there is no such device".to_owned()
        } else if request.targets.fitting(&name, (request.supports)(node), request.default).is_empty() {
            format!("{} has no kernel for it", node.op_name())
        } else {
            "the nodes that it is colocated with are elsewhere".to_owned()
        };
        out.push(format!("its request for {:?} cannot be met: {why}", node.device));
    }
    let classes = groups.dropped.iter().filter(|c| c.node() == id && matches!(c, Constraint::Class { .. }));
    out.extend(classes.map(|class| format!("{}, which cannot be met", class.describe(graph))));
    out
}

/// The maximum number of group members that are named.
const NAMED: usize = 8;

/// Explains a node's device.
pub fn explain(request: &Request<'_>, placement: &Placement, groups: &Groups, id: NodeId) -> Explanation {
    let graph = request.graph;
    let node = graph.node(id);
    let name = |id: NodeId| graph.node(id).name.to_string();
    let device = request.targets.get(placement.device[id.index()]).text.to_string();
    let mut because = Vec::new();
    if node.device.is_empty() {
        because.push("it asks for no device".to_owned());
    } else {
        because.push(format!("it asks for {:?}", node.device));
    }
    let unmet = unmet(request, placement, groups, id);
    because.extend(unmet.iter().cloned());
    let kinds = request.targets.kinds().iter().enumerate();
    let own = (request.supports)(node);
    let kernels: Vec<String> = kinds.filter(|(i, _)| own.contains(*i as u32)).map(|(_, k)| k.clone()).collect();
    because.push(format!("{} has kernels for {}", node.op_name(), kernels.join(", ")));
    let root = groups.root(id);
    let members: Vec<NodeId> = graph.ids().filter(|&m| groups.root(m) == root).collect();
    let group = groups.of(id);
    if members.len() > 1 {
        let others: Vec<String> = members.iter().filter(|&&m| m != id).take(NAMED).map(|&m| name(m)).collect();
        let more = (members.len() - 1).saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        because.push(format!("it shares a device with {}{more}", others.join(", ")));
        let asks = |m: &&NodeId| **m != id && !graph.node(**m).device.is_empty();
        if let Some(&asking) = members.iter().find(asks) {
            let path = path(groups, id, asking);
            because.extend(path.into_iter().map(|c| c.describe(graph)));
            because.push(format!("{} asks for {:?}", name(asking), graph.node(asking).device));
        }
    }
    let requested = group.requested.to_string();
    if members.len() > 1 && !requested.is_empty() {
        because.push(format!("together they ask for {requested:?}"));
    }
    let candidates: Vec<String> = groups
        .candidates(request, id)
        .unwrap_or_default()
        .into_iter()
        .map(|c| request.targets.get(c).text.to_string())
        .collect();
    let first_of = |n: usize| match n {
        1 => "no other device fits".to_owned(),
        n => format!("it is the first of {n} devices that fit"),
    };
    let rule = match placement.rule[id.index()] {
        Some(Rule::Group(first)) => {
            let before = format!("{} was placed before", name(first));
            because.push(match shared_name(request, groups, id, first) {
                Some(shared) => format!("{before}, and {shared}, whose state is on one device"),
                None => format!("{before}, and its group goes with it"),
            });
            match placement.rule[first.index()] {
                Some(Rule::WithInput(input)) => because.push(format!(
                    "{0} looks only at the shape of {1}, so it is where {1} is",
                    name(first),
                    name(input)
                )),
                Some(Rule::WithControls(before)) => because.push(format!(
                    "{} only orders others, so it is with the nodes that it waits for, such as {}",
                    name(first),
                    name(before)
                )),
                Some(Rule::WithConsumers(user)) => because.push(format!(
                    "{} has no inputs, so it is with its consumers, such as {}",
                    name(first),
                    name(user)
                )),
                Some(Rule::Cost(n)) => because.push(format!("the cost model chose among {n} devices")),
                _ => because.push(first_of(candidates.len())),
            }
            "group"
        }
        Some(Rule::WithInput(input)) => {
            because.push(format!("it looks only at the shape of {0}, so it is where {0} is", name(input)));
            "with-input"
        }
        Some(Rule::WithControls(before)) => {
            let text =
                format!("it only orders others, so it is with the nodes that it waits for, such as {}", name(before));
            because.push(text);
            "with-controls"
        }
        Some(Rule::WithConsumers(user)) => {
            because.push(format!("it has no inputs, so it is with its consumers, such as {}", name(user)));
            "with-consumers"
        }
        Some(Rule::Cost(1)) => {
            because.push(first_of(1));
            "only"
        }
        Some(Rule::Cost(n)) => {
            because.push(format!("the cost model chose among {n} devices"));
            "cost"
        }
        Some(Rule::First(1)) | None => {
            because.push(first_of(1));
            "only"
        }
        Some(Rule::First(n)) => {
            because.push(first_of(n as usize));
            "first"
        }
    };
    Explanation {
        node: node.name.to_string(),
        op: node.op_name().to_owned(),
        device,
        requested: node.device.clone(),
        kernels,
        group_requested: requested,
        group_size: members.len(),
        candidates,
        rule,
        unmet,
        because,
    }
}

/// The reason why two nodes of different groups share a device: their groups have state with the same name, directly or
/// through further groups.
fn shared_name(request: &Request<'_>, groups: &Groups, id: NodeId, first: NodeId) -> Option<String> {
    let (own, other) = (groups.root(id), groups.root(first));
    if own == other {
        return None;
    }
    let shared = |node: &Node| match node.attrs.get("shared_name") {
        Some(AttrValue::S(name)) if node.op.is_stateful() && !name.is_empty() => Some(name.clone()),
        _ => None,
    };
    let named: Vec<(NodeId, u32, Bytes)> =
        request.graph.nodes().filter_map(|(node, def)| Some((node, groups.root(node), shared(def)?))).collect();
    let (mine, _, name) = named.iter().find(|(_, root, _)| *root == own)?;
    let with = |target: Option<u32>| {
        named.iter().find(|(_, root, text)| *root != own && text == name && target.is_none_or(|t| t == *root))
    };
    let (theirs, ..) = with(Some(other)).or_else(|| with(None))?;
    let node = |id: &NodeId| &request.graph.node(*id).name;
    Some(format!("{} and {} have the shared_name {:?}", node(mine), node(theirs), String::from_utf8_lossy(name)))
}

/// The shortest chain of constraints that connects two nodes of a group.
fn path(groups: &Groups, from: NodeId, to: NodeId) -> Vec<Constraint> {
    let mut near: HashMap<NodeId, Vec<(NodeId, Constraint)>> = HashMap::new();
    for link in &groups.links {
        near.entry(link.a).or_default().push((link.b, link.constraint));
        near.entry(link.b).or_default().push((link.a, link.constraint));
    }
    let mut came: HashMap<NodeId, (NodeId, Constraint)> = HashMap::new();
    let mut queue = VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        if at == to {
            break;
        }
        for &(next, constraint) in near.get(&at).into_iter().flatten() {
            if next != from && !came.contains_key(&next) {
                came.insert(next, (at, constraint));
                queue.push_back(next);
            }
        }
    }
    let mut chain = Vec::new();
    let mut at = to;
    while let Some(&(before, constraint)) = came.get(&at) {
        if !matches!(constraint, Constraint::Name(_)) {
            chain.push(constraint);
        }
        at = before;
        if at == from {
            break;
        }
    }
    chain.reverse();
    chain
}
