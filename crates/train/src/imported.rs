//! Makes input pipelines of existing graphs deterministic: what [`super::Batch::ordered`] does, applied to a graph that
//! already has its queue runners.

use super::ordered::stateful;
use levada_builder::{Builder, Output};
use levada_compile::infer::infer;
use levada_compile::{Signature, prune};
use levada_graph::collections::queue_runners;
use levada_graph::def::NodeDef;
use levada_graph::graph::split_endpoint;
use levada_graph::spec::Role;
use levada_graph::{Act, AttrValue, Endpoint, Error, Graph, NodeId, Registry, Result, Tensor};
use levada_session::waiting::{is_handle, own_name, waitable_name};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Ops without side effects or randomness: several runs may share such a node, in any order.
const LOOKS: &[&str] = &[
    "ReadVariableOp",
    "VariableShape",
    "LookupTableFind",
    "LookupTableFindV2",
    "LookupTableSize",
    "LookupTableSizeV2",
    "Assert",
    "Print",
    "PrintV2",
];

/// Makes every queue that several runs of queue runners feed keep the order of sequential runs, for any number of
/// threads; several enqueue ops take turns. Stateful nodes before an enqueue, such as reads and dequeues, then run in
/// that order, and the rest of the pipeline still runs in parallel. A shuffling queue always waits until it is full,
/// since the element that it returns depends on how many there are. Queues that are already in order are unchanged.
///
/// # Errors
/// `INVALID_ARGUMENT` with every node that makes an order impossible: a random op without a seed, a reader or queue
/// that several queues draw from, a priority queue, a read under a condition, ...
pub fn order_queues(graph: Graph, registry: &Arc<Registry>) -> Result<Graph> {
    let feedings = feedings(&graph)?;
    let mut faults = Faults::default();
    let lanes: Vec<Vec<Lane>> = feedings.iter().map(|feeding| lanes(&graph, feeding, &mut faults)).collect();
    find_races(&graph, &lanes, &mut faults);
    let shuffles = queues(&graph, &feedings, &mut faults);
    if let Some(error) = Error::join(faults.0) {
        return Err(error);
    }
    let mut b = Builder::on(graph, registry.clone());
    for (queue, attrs) in shuffles {
        let node = b.graph().node(queue);
        let (def, inputs) =
            (NodeDef { op: node.op_name().to_owned(), attrs, ..NodeDef::default() }, node.inputs.clone());
        b.graph_mut().replace(registry, queue, &def, inputs)?;
    }
    for (feeding, lanes) in feedings.iter().zip(&lanes).filter(|(feeding, _)| feeding.runs > 1) {
        let ordered = |lane: &Lane| b.graph().node(lane.put).op_name() == ORDERED;
        if !lanes.iter().any(ordered) {
            rewrite(&mut b, registry, feeding, lanes)?;
        }
    }
    b.finish()
}

/// The enqueue op that keeps an order.
const ORDERED: &str = "OrderedEnqueue";

/// A queue, and the nodes that queue runners run for it.
struct Feeding {
    queue: NodeId,
    /// The name that other nodes use for it.
    place: String,
    /// The number of concurrent runs.
    runs: usize,
    targets: Vec<NodeId>,
}

/// One of the enqueue ops of a queue.
struct Lane {
    put: NodeId,
    /// True if it enqueues batches.
    many: bool,
    /// The stateful nodes that it depends on.
    section: Vec<NodeId>,
}

#[derive(Default)]
struct Faults(Vec<Error>);

impl Faults {
    fn add(&mut self, graph: &Graph, at: NodeId, text: String, help: &str) {
        let node = graph.node(at);
        let error = Error::invalid(text).at_node(&node.name, node.op_name()).help(help);
        if self.0.iter().all(|known| known.message() != error.message()) {
            self.0.push(error);
        }
    }
}

/// The queues that queue runners feed. Names of missing nodes are reported when the runners are started.
fn feedings(graph: &Graph) -> Result<Vec<Feeding>> {
    let mut all: Vec<Feeding> = Vec::new();
    for def in queue_runners(&graph.collections)? {
        let Some(queue) = graph.find(split_endpoint(&def.queue).0) else { continue };
        let place = own_name(graph, queue);
        let known = all.iter().position(|f| f.place == place).unwrap_or_else(|| {
            all.push(Feeding { queue, place, runs: 0, targets: Vec::new() });
            all.len() - 1
        });
        let feeding = &mut all[known];
        feeding.runs += def.enqueue.len();
        let targets = def.enqueue.iter().filter_map(|name| graph.find(split_endpoint(name).0));
        for target in targets {
            if !feeding.targets.contains(&target) {
                feeding.targets.push(target);
            }
        }
    }
    Ok(all)
}

/// `start` and the nodes that it depends on; the search ends at nodes for which `stop` is true.
fn before(graph: &Graph, start: NodeId, stop: impl Fn(NodeId) -> bool) -> HashSet<NodeId> {
    let mut seen = HashSet::from([start]);
    let mut open = vec![start];
    while let Some(id) = open.pop() {
        if stop(id) {
            continue;
        }
        let node = graph.node(id);
        let inputs = node.inputs.iter().map(|e| e.node).chain(node.control_inputs.iter().copied());
        open.extend(inputs.filter(|input| seen.insert(*input)));
    }
    seen
}

fn lanes(graph: &Graph, feeding: &Feeding, faults: &mut Faults) -> Vec<Lane> {
    let several = feeding.runs > 1;
    let queue = &feeding.place;
    let mut lanes: Vec<Lane> = Vec::new();
    for &target in &feeding.targets {
        let feeds = |&id: &NodeId| {
            graph.node(id).spec().act == Some(Act::Put) && waitable_name(graph, id).as_ref() == Some(queue)
        };
        let mut puts: Vec<NodeId> = before(graph, target, |_| false).into_iter().filter(feeds).collect();
        puts.sort_unstable();
        let put = match puts[..] {
            [put] => put,
            [] if !several => continue,
            [] => {
                let text = format!("nothing that it runs enqueues into {queue} outside of functions");
                faults.add(graph, target, text, "a queue keeps an order if its runners run enqueue ops");
                continue;
            }
            [_, second, ..] => {
                let text = format!("{} runs more than one enqueue into {queue}", graph.node(target).name);
                faults.add(graph, second, text, "list each enqueue separately in the queue runner");
                continue;
            }
        };
        let node = graph.node(put);
        let many = match node.op_name() {
            "QueueEnqueueV2" | ORDERED => false,
            "QueueEnqueueManyV2" => true,
            _ if !several => false,
            _ => {
                let text = format!("it enqueues into {queue} in an undefined order: it takes its queue by reference");
                faults.add(
                    graph,
                    put,
                    text,
                    "export the graph with TensorFlow 1.0 or later, whose queues have handles",
                );
                continue;
            }
        };
        if lanes.iter().any(|lane| lane.put == put) {
            continue;
        }
        let inputs = node.inputs.iter().map(|e| e.node).chain(node.control_inputs.iter().copied());
        let mut section: Vec<NodeId> = stateful(graph, inputs).into_iter().collect();
        section.sort_unstable();
        if several {
            check_section(graph, queue, &lanes, &mut section, faults);
        }
        lanes.push(Lane { put, many, section });
    }
    lanes
}

/// Reports nodes that cannot run in the order of tickets, and drops those that need not.
fn check_section(graph: &Graph, queue: &str, others: &[Lane], section: &mut Vec<NodeId>, faults: &mut Faults) {
    let is_look = |id: NodeId| LOOKS.contains(&graph.node(id).op_name());
    section.retain(|&id| {
        let shared = others.iter().find(|lane| lane.section.contains(&id));
        let Some(shared) = shared else { return true };
        if !is_look(id) {
            let other = &graph.node(shared.put).name;
            let text = format!("two enqueues into {queue} share it, {other} and another, so their order is undefined");
            faults.add(graph, id, text, "give each enqueue a node of its own");
        }
        false
    });
    for &id in section.iter() {
        let ends = |id: NodeId| matches!(graph.node(id).spec().role, Role::Merge | Role::Exit);
        let under = before(graph, id, ends);
        let gate = under.iter().find(|&&n| matches!(graph.node(n).spec().role, Role::Switch | Role::Enter));
        if let Some(&gate) = gate.filter(|_| !is_look(id)) {
            let text =
                format!("it runs under a condition or in a loop ({}), which has no order", graph.node(gate).name);
            faults.add(graph, id, text, "take it out of the condition, and let the condition decide what is enqueued");
        }
    }
}

/// The node that makes the resource that an endpoint refers to.
fn maker(graph: &Graph, handle: Endpoint) -> NodeId {
    let mut at = handle.node;
    // Outside loops, handles are passed on along acyclic paths.
    for _ in 0..graph.len() {
        let node = graph.node(at);
        match node.inputs.first().filter(|_| node.input_types.first().is_some_and(is_handle)) {
            Some(input) if node.spec().act != Some(Act::Make) => at = input.node,
            _ => break,
        }
    }
    at
}

/// Reports random ops without seeds, and resources that pipelines draw from in an undefined order.
fn find_races(graph: &Graph, lanes: &[Vec<Lane>], faults: &mut Faults) {
    // The user of each resource: the queue's number, and a node.
    let mut users: HashMap<(&str, String), (usize, NodeId)> = HashMap::new();
    let key = |made: NodeId| (graph.node(made).op_name(), own_name(graph, made));
    let handles = |id: NodeId| {
        let node = graph.node(id);
        let inputs = node.inputs.iter().zip(&node.input_types).filter(|(_, ty)| is_handle(ty));
        inputs.map(|(input, _)| maker(graph, *input)).collect::<Vec<_>>()
    };
    let advice = "let one queue draw from it, or leave out --ordered";
    let sections =
        lanes.iter().enumerate().flat_map(|(i, l)| l.iter().flat_map(move |l| l.section.iter().map(move |&n| (i, n))));
    let sections: Vec<(usize, NodeId)> = sections.collect();
    for &(i, id) in &sections {
        let node = graph.node(id);
        if LOOKS.contains(&node.op_name()) {
            continue;
        }
        if is_unseeded(graph, id) {
            no_seed(graph, id, faults);
        }
        for made in handles(id) {
            if node.spec().act.is_none() && graph.node(made).spec().act == Some(Act::Make) {
                let text = format!("its result for {} depends on the timing of threads", graph.node(made).name);
                faults.add(graph, id, text, "do not enqueue values that depend on how full a queue is");
                continue;
            }
            let (other, first) = *users.entry(key(made)).or_insert((i, id));
            if other != i {
                let (made, first) = (&graph.node(made).name, &graph.node(first).name);
                let text = format!(
                    "it draws from {made} in an undefined order relative to {first}, which feeds another queue"
                );
                faults.add(graph, id, text, advice);
            }
        }
    }
    let inside: HashSet<NodeId> = sections.iter().map(|(_, id)| *id).collect();
    let takes = graph.nodes().filter(|(id, node)| node.spec().act == Some(Act::Take) && !inside.contains(id));
    for (id, _) in takes {
        for made in handles(id) {
            if let Some((_, first)) = users.get(&key(made)) {
                let (made, first) = (&graph.node(made).name, &graph.node(*first).name);
                let text = format!(
                    "it draws from {made} in an undefined order relative to {first}, which a queue runner runs"
                );
                faults.add(graph, id, text, advice);
            }
        }
    }
}

/// True for a node that yields different values in every session. A shuffle of a single element, such as the name of
/// the only file of a pipeline, does not.
fn is_unseeded(graph: &Graph, id: NodeId) -> bool {
    if graph.node(id).op_name() == "RandomShuffle" && shuffles_one(graph, id) {
        return false;
    }
    let attrs = graph.node(id).op.encode();
    ["seed", "seed2"].iter().all(|seed| matches!(attrs.get(seed), Some(AttrValue::I(0))))
}

/// True if a node is known to shuffle at most one element.
fn shuffles_one(graph: &Graph, id: NodeId) -> bool {
    let Some(&shuffled) = graph.node(id).inputs.first() else { return false };
    let signature = Signature { fetches: vec![shuffled], ..Signature::default() };
    let Ok(pruned) = prune(graph, &signature) else { return false };
    infer(graph, &pruned).0.get(shuffled).dim(0).is_some_and(|size| size <= 1)
}

fn no_seed(graph: &Graph, id: NodeId, faults: &mut Faults) {
    let name = &graph.node(id).name;
    let text = format!("{name} has no seed, so it draws different numbers in every session");
    faults.add(graph, id, text, "set its attr `seed`, or build the graph after tf.compat.v1.set_random_seed");
}

/// Reports queues whose elements leave in an order that depends on when they arrived; returns the attrs of those for
/// which that can be fixed.
fn queues(graph: &Graph, feedings: &[Feeding], faults: &mut Faults) -> Vec<(NodeId, levada_graph::attr::Attrs)> {
    let mut changed = Vec::new();
    for feeding in feedings {
        let (id, node) = (feeding.queue, graph.node(feeding.queue));
        if matches!(node.op_name(), "PriorityQueue" | "PriorityQueueV2") {
            let text = "which of its elements comes first depends on how many are there".to_owned();
            faults.add(graph, id, text, "use a first-in-first-out queue");
        }
        let attrs = node.op.encode();
        if attrs.get("min_after_dequeue").is_none() {
            continue;
        }
        if is_unseeded(graph, id) {
            no_seed(graph, id, faults);
        }
        match attrs.get("capacity") {
            Some(&AttrValue::I(capacity)) if capacity > 0 => {
                let mut attrs = node.attrs.clone();
                attrs.set("min_after_dequeue", AttrValue::I(capacity - 1));
                changed.push((id, attrs));
            }
            _ => {
                let text = "it shuffles what is in it, and without a capacity it is never full".to_owned();
                faults.add(graph, id, text, "give it a capacity");
            }
        }
    }
    changed
}

/// Makes the enqueues of a queue take tickets.
fn rewrite(b: &mut Builder, registry: &Registry, feeding: &Feeding, lanes: &[Lane]) -> Result<()> {
    let queue = b.graph().node(feeding.queue).name.to_string();
    b.outside(|b| {
        b.new_scope(&format!("{queue}/ordered"), |b, scope| {
            let keep = b.constant(Tensor::scalar(true));
            for (number, lane) in lanes.iter().enumerate() {
                let enter = b.node("OrderedEnter").name("enter").attr("lane", number as i64);
                let enter = enter.attr("lanes", lanes.len() as i64).attr("shared_name", scope.to_owned()).add();
                if let Some(enter) = enter.node() {
                    lane.section.iter().for_each(|id| b.graph_mut().add_control(enter, *id));
                }
                let leave = b.node("OrderedLeave").name("leave").input(enter);
                let leave = lane.section.iter().fold(leave, |node, id| node.after(Output::of(*id))).add();
                let (Some(leave), Some(keep)) = (leave.endpoint(), keep.endpoint()) else { continue };
                let node = b.graph().node(lane.put);
                let mut attrs = node.attrs.clone();
                attrs.remove("timeout_ms");
                attrs.set("many", AttrValue::B(lane.many));
                let inputs =
                    [node.inputs[0], leave, keep].into_iter().chain(node.inputs[1..].iter().copied()).collect();
                let def = NodeDef { name: node.name.to_string(), op: ORDERED.to_owned(), attrs, ..NodeDef::default() };
                b.graph_mut().replace(registry, lane.put, &def, inputs)?;
            }
            Ok(())
        })
    })
}
