//! TensorFlow's rule: the first device that fits, with three exceptions. A node without inputs goes where its consumers
//! are. A node that uses only shapes stays where its input is. A node that only orders others, and prefers the CPU,
//! stays with the nodes that it waits for if they are all on one device, so that the CPU need not wait for another
//! device.

use crate::constraint::Constraint;
use crate::groups::{Groups, Refusal, Request};
use crate::order::topological;
use levada_graph::graph::Node;
use levada_graph::{Graph, NodeId};
use std::collections::{HashMap, HashSet};

/// The rule that decided a node's device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// Its group was decided by this node.
    Group(NodeId),
    /// The first of this many devices that fit.
    First(u32),
    /// It uses only the shape of this node's output.
    WithInput(NodeId),
    /// It only orders others, and all nodes that it waits for are there, such as this one.
    WithControls(NodeId),
    /// It has no inputs, and all its consumers are there.
    WithConsumers(NodeId),
    /// The cost model's choice among this many devices.
    Cost(u32),
}

/// The device of every node, and why.
#[derive(Clone, Debug, Default)]
pub struct Placement {
    /// The device number by node number; [`NOWHERE`] for nodes that were not placed.
    pub device: Vec<u32>,
    /// The deciding rule, by node number.
    pub rule: Vec<Option<Rule>>,
}

/// The device number of a node that was not placed.
pub const NOWHERE: u32 = u32::MAX;

/// Places every node of the graph.
///
/// # Errors
/// The same as TensorFlow's: `INVALID_ARGUMENT` if constraints contradict each other or a device does not exist.
pub fn first_fit(request: &Request<'_>) -> Result<(Placement, Groups), Refusal> {
    let nodes = topological(request.graph);
    place(request, &nodes, &HashSet::new())
}

/// Places `nodes`, which are in topological order, without the constraints in `dropped`.
pub(crate) fn place(
    request: &Request<'_>,
    nodes: &[NodeId],
    dropped: &HashSet<Constraint>,
) -> Result<(Placement, Groups), Refusal> {
    let graph = request.graph;
    let groups = Groups::find(request, nodes, dropped)?;
    let mut placement = Placement { device: vec![NOWHERE; graph.len()], rule: vec![None; graph.len()] };
    let mut decided: HashMap<u32, (u32, NodeId)> = HashMap::new();
    let mut second = Vec::new();
    // Most nodes have no constraints: the devices that fit are found once for each set of device types.
    let mut anywhere: HashMap<u32, Vec<u32>> = HashMap::new();
    let mut later = false;
    loop {
        let pass: Vec<NodeId> = if later { std::mem::take(&mut second) } else { nodes.to_vec() };
        for id in pass {
            let node = graph.node(id);
            if !later && is_generator(node) {
                second.push(id);
                continue;
            }
            let root = groups.root(id);
            if let Some(&(device, first)) = decided.get(&root) {
                placement.device[id.index()] = device;
                placement.rule[id.index()] = Some(Rule::Group(first));
                continue;
            }
            let group = groups.of(id);
            let found;
            let candidates = if group.requested.is_any() && !group.kinds.is_empty() {
                match anywhere.entry(group.kinds.0) {
                    std::collections::hash_map::Entry::Occupied(known) => &*known.into_mut(),
                    std::collections::hash_map::Entry::Vacant(new) => &*new.insert(groups.candidates(request, id)?),
                }
            } else {
                found = groups.candidates(request, id)?;
                &found
            };
            let wish = match later {
                true => with_consumers(graph, &placement, id),
                false => with_input(graph, &placement, id)
                    .or_else(|| with_controls(graph, &placement, id).filter(|_| group.kinds.has_cpu_first())),
            };
            let (device, rule) = match wish.filter(|(device, _)| candidates.contains(device)) {
                Some(found) => found,
                None => (candidates[0], Rule::First(candidates.len() as u32)),
            };
            placement.device[id.index()] = device;
            placement.rule[id.index()] = Some(rule);
            decided.insert(root, (device, id));
        }
        if later {
            return Ok((placement, groups));
        }
        later = true;
    }
}

/// True for a node without inputs and with one output.
fn is_generator(node: &Node) -> bool {
    node.inputs.is_empty() && node.output_types.len() == 1 && !node.output_types[0].is_ref
}

fn with_input(graph: &Graph, placement: &Placement, id: NodeId) -> Option<(u32, Rule)> {
    let node = graph.node(id);
    let input = node.inputs.first().filter(|_| node.spec().metadata)?.node;
    let device = placement.device[input.index()];
    (device != NOWHERE).then_some((device, Rule::WithInput(input)))
}

/// Not at the end of a graph: a run that requests such a node waits until everything before it is done.
fn with_controls(graph: &Graph, placement: &Placement, id: NodeId) -> Option<(u32, Rule)> {
    let node = graph.node(id);
    let only_orders = node.inputs.is_empty() && node.output_types.is_empty();
    let first = *node.control_inputs.first().filter(|_| only_orders)?;
    let device = placement.device[first.index()];
    let same = device != NOWHERE && node.control_inputs.iter().all(|c| placement.device[c.index()] == device);
    let is_end = graph.dag().neighbors(id).next().is_none();
    (same && !is_end).then_some((device, Rule::WithControls(first)))
}

fn with_consumers(graph: &Graph, placement: &Placement, id: NodeId) -> Option<(u32, Rule)> {
    let mut consumers = graph.dag().neighbors(id);
    let first = consumers.next()?;
    let device = placement.device[first.index()];
    let same = device != NOWHERE && consumers.all(|c| placement.device[c.index()] == device);
    same.then_some((device, Rule::WithConsumers(first)))
}
