//! Finds which nodes act on which resources, from the graph, and which runs they are in.

use super::{Ahead, Partner, RunnerState, WaitingNode, Whereabouts, counter};
use crate::queue_runner::RunnerStatus;
use levada_graph::attr::{AttrList, Attrs};
use levada_graph::collections::queue_runners;
use levada_graph::{Act, AttrValue, DType, EdgeType, Graph, NodeId, Registry};
use levada_kernel::watch::{Need, ParkedNode, Sleeper, WaitableState};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A step that sleeps.
pub(super) struct Run {
    step: u64,
    pub(super) parked: Vec<ParkedNode>,
    /// Its nodes that wait for functions they called, and those of a partial run's feeds.
    calling: Vec<Arc<str>>,
    /// Its nodes, each with the waiting node it comes after.
    nodes: HashMap<Arc<str>, Option<Arc<str>>>,
}

impl Run {
    pub(super) fn of(step: &Arc<dyn Sleeper>) -> Run {
        let parked = step.parked();
        let mut nodes: HashMap<Arc<str>, Option<Arc<str>>> = step.nodes().into_iter().map(|n| (n, None)).collect();
        let unfed = step.unfed();
        for waits in parked.iter().map(|p| &p.node).chain(&unfed) {
            for node in step.behind(waits) {
                nodes.entry(node).or_default().get_or_insert_with(|| waits.clone());
            }
        }
        let calling = step.calling().into_iter().chain(unfed).collect();
        Run { step: step.number(), parked, calling, nodes }
    }

    fn whereabouts(&self, node: &str) -> Option<Whereabouts> {
        let behind = self.nodes.get(node)?;
        if self.parked.iter().map(|p| &p.node).chain(&self.calling).any(|n| &**n == node) {
            return Some(Whereabouts::Waits(self.step));
        }
        Some(match behind {
            Some(behind) => Whereabouts::Behind(self.step, behind.to_string()),
            None => Whereabouts::Ran(self.step),
        })
    }
}

/// The nodes of a graph that act on resources.
pub(super) struct Sites<'g> {
    graph: &'g Graph,
    /// By name of the resource, with their acts.
    actors: HashMap<String, Vec<(NodeId, Act)>>,
    /// The queue runners that nodes belong to.
    runners: HashMap<NodeId, RunnerState>,
}

impl<'g> Sites<'g> {
    pub(super) fn of(graph: &'g Graph, registry: &Registry, runners: Vec<RunnerStatus>) -> Sites<'g> {
        let mut actors: HashMap<String, Vec<(NodeId, Act)>> = HashMap::new();
        let functions = acts_of_functions(graph, registry);
        for (id, node) in graph.nodes() {
            match node.spec().act {
                Some(Act::Make) => {}
                Some(act) => {
                    if let Some(name) = waitable_name(graph, id) {
                        actors.entry(name).or_default().push((id, act));
                    }
                }
                // A call acts on the handles that it is given.
                None if !functions.is_empty() => {
                    let acts: HashSet<Act> =
                        called(&node.attrs).filter_map(|f| functions.get(f)).flatten().copied().collect();
                    if acts.is_empty() {
                        continue;
                    }
                    let handles = node.inputs.iter().zip(&node.input_types).filter(|(_, ty)| is_handle(ty));
                    let names: HashSet<String> = handles.filter_map(|(e, _)| handle_name(graph, e.node)).collect();
                    for name in names {
                        actors.entry(name).or_default().extend(acts.iter().map(|&act| (id, act)));
                    }
                }
                None => {}
            }
        }
        Sites { graph, actors, runners: runner_states(graph, runners) }
    }
}

/// The functions that attrs name.
fn called(attrs: &Attrs) -> impl Iterator<Item = &str> {
    attrs.iter().flat_map(|(_, value)| {
        let functions = match value {
            AttrValue::Func(function) => std::slice::from_ref(function),
            AttrValue::List(AttrList::Func(functions)) => functions.as_slice(),
            _ => &[],
        };
        functions.iter().map(|f| f.name.as_str())
    })
}

/// The acts of the nodes of each function on resources, including those of the functions that it calls.
fn acts_of_functions<'g>(graph: &'g Graph, registry: &Registry) -> HashMap<&'g str, HashSet<Act>> {
    let mut acts: HashMap<&str, HashSet<Act>> = HashMap::new();
    let functions = &graph.library.functions;
    for function in functions {
        let own = function.nodes.iter().filter_map(|node| registry.get(&node.op)?.spec.act);
        acts.insert(&function.signature.name, own.filter(|&act| act != Act::Make).collect());
    }
    // One round for each level of nested calls; with recursion, as many rounds as there are functions suffice.
    for _ in 0..functions.len() {
        let mut grown = false;
        for function in functions {
            let callees = function.nodes.iter().flat_map(|n| called(&n.attrs).chain([n.op.as_str()]));
            let more: HashSet<Act> = callees.filter_map(|f| acts.get(f)).flatten().copied().collect();
            let own = acts.entry(&function.signature.name).or_default();
            let before = own.len();
            own.extend(more);
            grown |= own.len() > before;
        }
        if !grown {
            break;
        }
    }
    acts.retain(|_, acts| !acts.is_empty());
    acts
}

/// The nodes that queue runners run, each with the state of its runner.
fn runner_states(graph: &Graph, started: Vec<RunnerStatus>) -> HashMap<NodeId, RunnerState> {
    /// For runners beyond this number only the nodes they name are considered.
    const MOST: usize = 100;
    // Runners that cannot be parsed were never started; starting them reports their faults.
    let defs = queue_runners(&graph.collections).unwrap_or_default();
    let never = defs.into_iter().filter(|def| started.iter().all(|s| s.def != *def));
    let all: Vec<RunnerStatus> = never.map(|def| RunnerStatus { def, running: 0, ended_with: None }).collect();
    let fresh = all.len();
    let mut states = HashMap::new();
    for (i, status) in all.into_iter().chain(started).enumerate() {
        let state = match status.ended_with {
            _ if i < fresh => RunnerState::NeverStarted,
            _ if status.running > 0 => RunnerState::Running,
            Some(error) => RunnerState::Ended(error),
            None => RunnerState::Stopped,
        };
        let names = status.def.enqueue.iter().chain([&status.def.close, &status.def.cancel]);
        let mut open: Vec<NodeId> = names.filter_map(|name| graph.find(name)).collect();
        let acts = |id: &NodeId| matches!(graph.node(*id).spec().act, Some(Act::Put | Act::Close));
        let mut seen: HashSet<NodeId> = open.iter().copied().collect();
        while let Some(id) = open.pop() {
            if acts(&id) {
                states.insert(id, state.clone());
            } else if i < MOST {
                // A node that groups others: the acting nodes precede it.
                let node = graph.node(id);
                let before = node.inputs.iter().map(|e| e.node).chain(node.control_inputs.iter().copied());
                open.extend(before.filter(|id| seen.insert(*id)));
            }
        }
    }
    states
}

/// True for references and handles of resources.
pub fn is_handle(ty: &EdgeType) -> bool {
    ty.is_ref || matches!(ty.dtype, DType::Resource | DType::Variant)
}

/// The name of the resource on which a node acts: found at the node itself, or at the one that makes its handle.
pub fn waitable_name(graph: &Graph, node: NodeId) -> Option<String> {
    let id = node;
    let node = graph.node(id);
    node.spec().act?;
    let handles: Vec<NodeId> =
        node.inputs.iter().zip(&node.input_types).filter(|(_, ty)| is_handle(ty)).map(|(e, _)| e.node).collect();
    // Staging areas have no handles, and a reader's first handle is not that of a resource.
    match handles.is_empty() {
        true => Some(own_name(graph, id)),
        false => handles.into_iter().find_map(|handle| handle_name(graph, handle)),
    }
}

/// The name of the resource whose handle a node has or passes on.
fn handle_name(graph: &Graph, node: NodeId) -> Option<String> {
    /// Longer chains of nodes that pass on a handle do not occur in practice.
    const MOST: usize = 1000;
    let mut at = node;
    for _ in 0..MOST {
        let node = graph.node(at);
        if node.spec().act == Some(Act::Make) {
            return Some(own_name(graph, at));
        }
        node.input_types.first().filter(|ty| is_handle(ty))?;
        at = node.inputs.first()?.node;
    }
    None
}

/// The name, from its attrs, of the resource that a node makes or acts on.
pub fn own_name(graph: &Graph, node: NodeId) -> String {
    let node = graph.node(node);
    match node.attrs.get("shared_name") {
        Some(AttrValue::S(shared)) if !shared.is_empty() => String::from_utf8_lossy(shared).into_owned(),
        _ => node.name.to_string(),
    }
}

pub(super) fn waiting(sites: &Sites<'_>, runs: &[Run], parked: &ParkedNode, need: Need) -> WaitingNode {
    let mut resource = parked.resource.state();
    let own = sites.graph.find(&parked.node);
    // Staging areas, mutexes and readers do not know their names.
    if resource.name.is_empty()
        && let Some(name) = own.and_then(|id| place_name(sites.graph, id, &need))
    {
        resource.name = name;
    }
    let wanted = counter(need.act);
    let ahead = parked.resource.ahead(parked.waiter).map(|ahead| {
        let waits = |run: &&Run| run.parked.iter().any(|p| p.node == ahead.node);
        let step = match ahead.step {
            Some(step) => runs.iter().find(|run| run.step == step),
            None => runs.iter().find(waits),
        };
        let (node, step) = (ahead.node.to_string(), step.map(|run| run.step));
        Ahead { node, step, has_it: ahead.has_it, waits: None }
    });
    let mut partners = Vec::new();
    // The holder of a turn gives it up with the node that takes the value it got.
    if let Some(Ahead { node, step: Some(step), has_it: true, .. }) = &ahead
        && let Some(holder) = sites.graph.find(node)
        && let Some(run) = runs.iter().find(|run| run.step == *step)
    {
        for id in takers(sites.graph, holder) {
            let node = sites.graph.node(id);
            let is = run.whereabouts(&node.name).unwrap_or(Whereabouts::NotRun);
            if matches!(is, Whereabouts::Ran(_)) {
                continue;
            }
            let (op, runner) = (node.spec().name, sites.runners.get(&id).cloned());
            partners.push(Partner { node: node.name.to_string(), op, act: wanted, gives_up: true, is, runner });
        }
    }
    // Nodes of a sequence or a reader do not act on what is waited for, so there are no other actors.
    let actors = sites.actors.get(&resource.name).filter(|_| own.is_none_or(|id| !need.turn || acts(sites.graph, id)));
    let given_up = !partners.is_empty();
    for &(id, act) in actors.into_iter().flatten().filter(|_| !given_up) {
        let node = sites.graph.node(id);
        if act != wanted && !(act == Act::Close && need.act == Act::Take) {
            continue;
        }
        let is = runs.iter().find_map(|run| run.whereabouts(&node.name)).unwrap_or(Whereabouts::NotRun);
        let runner = sites.runners.get(&id).cloned();
        let (node, op) = (node.name.to_string(), node.spec().name);
        partners.push(Partner { node, op, act, gives_up: need.turn, is, runner });
    }
    // Nodes that are in a run come first, and putting before closing.
    partners.sort_by_key(|p| (p.act == Act::Close, p.is == Whereabouts::NotRun));
    let obstacle = parked.resource.obstacle(parked.waiter).or_else(|| obstacle(&resource, &need));
    WaitingNode {
        step: parked.step,
        node: parked.node.to_string(),
        op: parked.op,
        waited: parked.since.elapsed(),
        resource,
        need,
        obstacle,
        ahead,
        partners,
    }
}

/// True if a node acts on the place where it waits for its turn, rather than on a queue that it needs then.
fn acts(graph: &Graph, node: NodeId) -> bool {
    let node = graph.node(node);
    let first = node.inputs.first().map(|e| graph.node(e.node));
    node.spec().act.is_some() && first.is_some_and(|first| first.spec().act.is_some())
}

/// The name of the place where a node waits, which does not know its own name.
fn place_name(graph: &Graph, node: NodeId, need: &Need) -> Option<String> {
    if need.turn && !acts(graph, node) {
        // The first handle is that of the reader.
        let maker = graph.node(node).inputs.first()?.node;
        return Some(own_name(graph, maker));
    }
    waitable_name(graph, node)
}

/// The nodes that take, one after the other, the value that a node got in its turn.
fn takers(graph: &Graph, holder: NodeId) -> Vec<NodeId> {
    let mut found: Vec<NodeId> = Vec::new();
    let mut open = vec![holder];
    while let Some(from) = open.pop() {
        for (id, node) in graph.nodes() {
            let takes = node.inputs.iter().any(|e| {
                let ty = graph.node(e.node).output_types.get(e.output as usize);
                e.node == from && ty.is_some_and(|ty| ty.dtype == DType::Variant)
            });
            if takes && !found.contains(&id) {
                found.push(id);
                open.push(id);
            }
        }
    }
    found
}

/// The property of the resource that prevents progress.
fn obstacle(resource: &WaitableState, need: &Need) -> Option<String> {
    let (n, capacity) = (need.elements, resource.capacity?);
    let room = capacity.saturating_sub(if need.act == Act::Take { resource.min_after_dequeue } else { 0 });
    if n <= room || need.act == Act::Close {
        return None;
    }
    let partner = if need.act == Act::Take { "put more" } else { "take some" };
    let stay = match resource.min_after_dequeue {
        stay if stay > 0 && need.act == Act::Take => format!(", of which {stay} must stay"),
        _ => String::new(),
    };
    Some(format!("it needs {n} but the capacity is {capacity}{stay}, so another node must {partner} meanwhile"))
}
