//! Queues at which nodes wait forever.

use crate::access::{Kind, Resource};
use crate::order::Reach;
use crate::{Finding, Rule, Subject};
use levada_graph::spec::Role;
use levada_graph::{AttrValue, Graph, NodeId};

/// The maximum number of users of a queue; queues with more are skipped.
const MOST_USERS: usize = 4096;

/// All queues at which a run is certain to hang.
pub fn find(subject: &Subject<'_>) -> Vec<Finding> {
    let graph = subject.graph;
    let queues = subject.accesses.users.iter().filter(|(resource, users)| {
        // It is unknown how others use a parameter.
        let known = graph.node(resource.0).spec().role != Role::Arg;
        known && users.iter().any(|(_, kind)| *kind > Kind::Changes) && users.len() <= MOST_USERS
    });
    queues.filter_map(|(resource, users)| of_queue(subject, *resource, users)).collect()
}

fn of_queue(subject: &Subject<'_>, queue: Resource, users: &[(NodeId, Kind)]) -> Option<Finding> {
    let graph = subject.graph;
    let name = |id: NodeId| graph.node(id).name.to_string();
    let all = |kind: Kind| users.iter().filter(move |(_, k)| *k == kind).map(|(id, _)| *id).collect::<Vec<_>>();
    let (puts, takes, closes) = (all(Kind::Puts), all(Kind::Takes), all(Kind::Closes));
    let stall = |nodes: Vec<String>, message: String, help: &str| Finding {
        resource: Some(name(queue.0)),
        help: Some(help.to_owned()),
        ..Finding::new(Rule::Stall, nodes, message)
    };
    let int = |attr: &str| int(graph, queue.0, attr);
    let capacity = int("capacity").filter(|&c| c > 0);
    if let (Some(capacity), Some(least)) = (capacity, int("min_after_dequeue"))
        && least >= capacity
        && !takes.is_empty()
    {
        let message = format!(
            "the queue {} keeps {least} elements after a dequeue and has room for {capacity}, so nothing can be taken until it is closed",
            name(queue.0)
        );
        return Some(stall(
            takes.iter().map(|t| name(*t)).collect(),
            message,
            "make capacity larger than min_after_dequeue",
        ));
    }
    let first = *takes.first()?;
    if puts.is_empty() {
        let until = if closes.is_empty() { "forever" } else { "until it is closed" };
        let message = format!("nothing puts anything into the queue {}: {} waits {until}", name(queue.0), name(first));
        let help = "add the nodes that fill it; a queue that another graph fills by its shared_name is not a fault";
        return Some(stall(takes.iter().map(|t| name(*t)).collect(), message, help));
    }
    if !closes.is_empty() {
        return None;
    }
    let members: Vec<NodeId> = takes.iter().chain(&puts).copied().collect();
    let reach = Reach::of(graph, &subject.order, &members);
    let after_a_take = |put: NodeId| (0..takes.len()).any(|i| reach.has(put, i));
    if puts.iter().all(|put| after_a_take(*put)) {
        let message = format!(
            "every node that puts into the queue {} waits for one that takes from it: {} for {}",
            name(queue.0),
            name(puts[0]),
            name(first)
        );
        let nodes = takes.iter().chain(&puts).map(|id| name(*id)).collect();
        return Some(stall(nodes, message, "fill it in a separate run first, or take from it last"));
    }
    // One take, and more puts before it than there is room for.
    let ([take], Some(capacity)) = (&takes[..], capacity) else { return None };
    let before: Vec<NodeId> =
        puts.iter().enumerate().filter(|(i, _)| reach.has(*take, 1 + i)).map(|(_, p)| *p).collect();
    let all_run = before.iter().all(|a| before.iter().all(|b| !subject.order.exclude(*a, *b)));
    if before.len() as i64 <= capacity || !all_run {
        return None;
    }
    let message = format!(
        "{} nodes put elements into the queue {} before {} takes any, and it has room for {capacity}",
        before.len(),
        name(queue.0),
        name(*take)
    );
    let nodes = before.iter().chain([take]).map(|id| name(*id)).collect();
    Some(stall(nodes, message, "raise its capacity, or take from it in a separate run"))
}

fn int(graph: &Graph, id: NodeId, attr: &str) -> Option<i64> {
    match graph.node(id).attrs.get(attr) {
        Some(AttrValue::I(value)) => Some(*value),
        _ => None,
    }
}
