//! Nodes that use the same state in no defined order.

use crate::access::{Kind, Resource};
use crate::order::{Reach, before};
use crate::{Finding, Fix, Rule, Subject};
use levada_graph::{Graph, NodeId};
use std::collections::HashSet;

/// The number of users that are compared at a time.
const GROUP: usize = 1024;
/// The maximum number of users of one variable or queue that are compared.
const MOST_USERS: usize = 4096;
/// The maximum number of races reported for one variable or queue.
const MOST_TOLD: usize = 20;

/// The users of one variable or queue.
type Users<'a> = (Resource, &'a [(NodeId, Kind)]);

/// All races of a graph.
pub fn find(subject: &Subject<'_>) -> Vec<Finding> {
    let runs: HashSet<NodeId> = subject.order.nodes.iter().copied().collect();
    let of_run = subject.accesses.users.iter().map(|(resource, users)| {
        let users = users.iter().copied().filter(|(id, _)| runs.contains(id)).take(MOST_USERS);
        (*resource, users.collect::<Vec<_>>())
    });
    let shared: Vec<(Resource, Vec<(NodeId, Kind)>)> =
        of_run.filter(|(_, users)| users.len() > 1 && users.iter().any(|(_, kind)| *kind != Kind::Reads)).collect();
    let mut findings = Vec::new();
    let mut group: Vec<Users<'_>> = Vec::new();
    let mut size = 0;
    for (resource, users) in &shared {
        if size + users.len() > GROUP && size > 0 {
            findings.extend(among(subject, &std::mem::take(&mut group)));
            size = 0;
        }
        size += users.len();
        group.push((*resource, users));
    }
    findings.extend(among(subject, &group));
    findings
}

/// The races among the users of some variables and queues.
fn among(subject: &Subject<'_>, group: &[Users<'_>]) -> Vec<Finding> {
    let (graph, order) = (subject.graph, &subject.order);
    let members: Vec<NodeId> = group.iter().flat_map(|(_, users)| users.iter().map(|(id, _)| *id)).collect();
    if members.is_empty() {
        return Vec::new();
    }
    let reach = Reach::of(graph, order, &members);
    let ends = if subject.run.is_some() { Vec::new() } else { ends(subject) };
    let together =
        |i: usize, j: usize| subject.run.is_some() || ends.iter().any(|&e| reach.has(e, i) && reach.has(e, j));
    let mut findings = Vec::new();
    let mut first = 0;
    for (resource, users) in group {
        let mut told = 0;
        // It reads the value only if there already was one; with this guard, either order is intended.
        let guarded =
            |id: NodeId, kind: Kind| kind == Kind::Reads && subject.accesses.is_guarded(graph, order, id, *resource);
        for (i, &(a, of_a)) in users.iter().enumerate() {
            for (j, &(b, of_b)) in users.iter().enumerate().skip(i + 1) {
                let clash = clashes(graph, *resource, of_a, of_b)
                    && !reach.has(b, first + i)
                    && !reach.has(a, first + j)
                    && !order.exclude(a, b)
                    && !guarded(a, of_a)
                    && !guarded(b, of_b)
                    && together(first + i, first + j);
                if clash && told < MOST_TOLD {
                    told += 1;
                    findings.push(race(graph, *resource, (a, of_a), (b, of_b)));
                }
            }
        }
        first += users.len();
    }
    findings
}

/// The nodes that nothing waits for.
fn ends(subject: &Subject<'_>) -> Vec<NodeId> {
    let nodes = &subject.order.nodes;
    let awaited: HashSet<NodeId> = nodes.iter().flat_map(|id| before(subject.graph, *id)).collect();
    nodes.iter().copied().filter(|id| !awaited.contains(id)).collect()
}

fn clashes(graph: &Graph, resource: Resource, a: Kind, b: Kind) -> bool {
    match (a, b) {
        (Kind::Changes, Kind::Changes | Kind::Reads) | (Kind::Reads, Kind::Changes) => true,
        // A shuffling queue has no order to lose.
        (Kind::Puts, Kind::Puts) => graph.node(resource.0).attrs.get("min_after_dequeue").is_none(),
        (Kind::Puts, Kind::Closes) | (Kind::Closes, Kind::Puts) => true,
        _ => false,
    }
}

fn race(graph: &Graph, resource: Resource, a: (NodeId, Kind), b: (NodeId, Kind)) -> Finding {
    // The node that changes the state comes second.
    let ((first, of_first), (second, of_second)) = if a.1 > b.1 { (b, a) } else { (a, b) };
    let name = |id: NodeId| graph.node(id).name.to_string();
    let (x, y, state) = (name(first), name(second), name(resource.0));
    let verb = |kind: Kind| match kind {
        Kind::Reads => "reads",
        Kind::Changes => "changes",
        Kind::Takes => "takes from",
        Kind::Puts => "puts into",
        Kind::Closes => "closes",
    };
    let message = match of_first == of_second {
        true => format!(
            "{x} and {y} both {} {state}, in no defined order",
            verb(of_first).replace("changes", "change").replace("puts", "put")
        ),
        false => format!("{x} {} {state} and {y} {} it, in no defined order", verb(of_first), verb(of_second)),
    };
    let fix =
        |node: &str, before: &str, so_that: String| Fix { node: node.to_owned(), input: format!("^{before}"), so_that };
    let (effects, so_that) = match (of_first, of_second) {
        (Kind::Reads, _) => (
            [
                format!("{x} first: it returns the value from before {y}"),
                format!("{y} first: {x} returns the value that {y} leaves"),
            ],
            [format!("{x} returns the value from before {y}"), format!("{x} returns the value that {y} leaves")],
        ),
        (Kind::Changes, _) => (
            [format!("{x} first: the value of {y} remains"), format!("{y} first: the value of {x} remains")],
            [format!("{y} changes what {x} leaves"), format!("{x} changes what {y} leaves")],
        ),
        (_, Kind::Closes) => (
            [
                format!("{x} first: its elements are in the queue"),
                format!("{y} first: {x} fails, as the queue is closed"),
            ],
            [format!("{x} still finds the queue open"), format!("{x} finds the queue closed")],
        ),
        _ => (
            [format!("{x} first: its elements come out first"), format!("{y} first: its elements come out first")],
            [format!("the elements of {x} come out first"), format!("the elements of {y} come out first")],
        ),
    };
    let [in_order, reversed] = so_that;
    Finding {
        resource: Some(state),
        effects: effects.into(),
        fixes: vec![fix(&y, &x, in_order), fix(&x, &y, reversed)],
        ..Finding::new(Rule::Race, vec![x.clone(), y.clone()], message)
    }
}
