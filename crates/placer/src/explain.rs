//! Why a node is where it is: the chain of rules that led there.

use crate::first_fit::{Placement, Rule};
use crate::groups::{Groups, Request};
use levada_graph::NodeId;
use serde::Serialize;
use std::collections::{HashMap, VecDeque};

/// Why a node is where it is.
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
    /// What its group asks for, all together.
    pub group_requested: String,
    /// Number of nodes in its group.
    pub group_size: usize,
    /// Devices that the group could go to, the best first.
    pub candidates: Vec<String>,
    /// The name of the last rule: `group`, `only`, `first`, `with-input`, `with-consumers`, `cost`.
    pub rule: &'static str,
    /// The chain of rules, as sentences.
    pub because: Vec<String>,
}

/// Members of a group that are named at most.
const NAMED: usize = 8;

/// Explains where a node is.
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
            because.push(format!("{} was placed before, and its group goes with it", name(first)));
            match placement.rule[first.index()] {
                Some(Rule::WithInput(input)) => because.push(format!(
                    "{0} looks only at the shape of {1}, so it is where {1} is",
                    name(first),
                    name(input)
                )),
                Some(Rule::WithConsumers(user)) => because.push(format!(
                    "{} has no inputs, so it is where its consumers such as {} are",
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
        Some(Rule::WithConsumers(user)) => {
            because.push(format!("it has no inputs, so it is where its consumers such as {} are", name(user)));
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
        because,
    }
}

/// The shortest chain of constraints that ties two nodes of a group.
fn path(groups: &Groups, from: NodeId, to: NodeId) -> Vec<crate::constraint::Constraint> {
    let mut near: HashMap<NodeId, Vec<(NodeId, crate::constraint::Constraint)>> = HashMap::new();
    for link in &groups.links {
        near.entry(link.a).or_default().push((link.b, link.constraint));
        near.entry(link.b).or_default().push((link.a, link.constraint));
    }
    let mut came: HashMap<NodeId, (NodeId, crate::constraint::Constraint)> = HashMap::new();
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
        if !matches!(constraint, crate::constraint::Constraint::Name(_)) {
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
