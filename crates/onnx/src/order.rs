//! The order in which the nodes of a graph are converted.

use crate::proto::{GraphProto, NodeProto};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};

/// The nodes with their numbers in topological order. Files have this order unless a tool appended nodes, as those that
/// convert models to float16 do: then each node comes after those that compute its inputs, otherwise as in the file.
/// Nodes on a cycle, and those after it, come last.
pub(crate) fn ordered(nodes: &[NodeProto]) -> Vec<(usize, &NodeProto)> {
    let mut makers: HashMap<&str, usize> = HashMap::new();
    for (i, node) in nodes.iter().enumerate() {
        makers.extend(node.output.iter().filter(|name| !name.is_empty()).map(|name| (&name[..], i)));
    }
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut missing = vec![0; nodes.len()];
    let mut is_ordered = true;
    for (i, node) in nodes.iter().enumerate() {
        let mut used = BTreeSet::new();
        collect(node, &mut |name| used.extend(makers.get(name).copied()));
        for maker in used {
            is_ordered &= maker < i;
            users[maker].push(i);
            missing[i] += 1;
        }
    }
    if is_ordered {
        return nodes.iter().enumerate().collect();
    }
    let mut ready: BinaryHeap<Reverse<usize>> =
        missing.iter().enumerate().filter(|(_, missing)| **missing == 0).map(|(i, _)| Reverse(i)).collect();
    let mut order = Vec::with_capacity(nodes.len());
    while let Some(Reverse(i)) = ready.pop() {
        order.push((i, &nodes[i]));
        for &user in &users[i] {
            missing[user] -= 1;
            if missing[user] == 0 {
                ready.push(Reverse(user));
            }
        }
    }
    order.extend(nodes.iter().enumerate().filter(|(i, _)| missing[*i] > 0));
    order
}

/// Calls `take` with the names of values that a node may use: its inputs, and those in its bodies.
fn collect<'n>(node: &'n NodeProto, take: &mut impl FnMut(&'n str)) {
    node.input.iter().for_each(|name| take(name));
    for body in node.attribute.iter().flat_map(|attr| attr.g.iter().chain(&attr.graphs)) {
        within(body, take);
    }
}

fn within<'n>(body: &'n GraphProto, take: &mut impl FnMut(&'n str)) {
    body.output.iter().for_each(|value| take(&value.name));
    for node in &body.node {
        collect(node, take);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::AttributeProto;

    /// A node from inputs to outputs, with a body that uses some values.
    fn node(inputs: &[&str], outputs: &[&str], inner: &[&str]) -> NodeProto {
        let strings = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        let body = GraphProto {
            node: vec![NodeProto { input: strings(inner), ..NodeProto::default() }],
            ..GraphProto::default()
        };
        let attribute = vec![AttributeProto { g: Some(body), ..AttributeProto::default() }];
        NodeProto { input: strings(inputs), output: strings(outputs), attribute, ..NodeProto::default() }
    }

    fn numbers(nodes: &[NodeProto]) -> Vec<usize> {
        ordered(nodes).into_iter().map(|(i, _)| i).collect()
    }

    #[test]
    fn nodes_come_after_those_that_compute_their_inputs() {
        let tidy = [node(&["x"], &["a"], &[]), node(&["a", ""], &["b", ""], &[]), node(&["b"], &["c"], &["a"])];
        assert_eq!(numbers(&tidy), [0, 1, 2]);
        let appended = [node(&["x16"], &["a"], &[]), node(&["a"], &["b"], &["c"]), node(&["x"], &["x16", "c"], &[])];
        assert_eq!(numbers(&appended), [2, 0, 1]);
        let circle =
            [node(&["b"], &["a"], &[]), node(&["a"], &["b"], &[]), node(&["d"], &["c"], &[]), node(&[], &["d"], &[])];
        assert_eq!(numbers(&circle), [3, 2, 0, 1]);
        let own = [node(&["a"], &["a"], &[])];
        assert_eq!(numbers(&own), [0]);
    }
}
