//! Constraints on the device of a node.

use levada_graph::{AttrList, AttrValue, Graph, NodeId};

/// A constraint in the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Constraint {
    /// The node's device string.
    Device(NodeId),
    /// An entry of the node's `_class`.
    Class {
        /// The node.
        node: NodeId,
        /// The index of the entry.
        class: u32,
    },
    /// An input that carries a reference or a resource.
    Edge {
        /// The node.
        node: NodeId,
        /// The index of the input.
        input: u32,
    },
    /// The node is in the group of its own name; always present.
    Name(NodeId),
}

/// Two nodes that share a device, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// The node with the constraint.
    pub a: NodeId,
    /// The other node.
    pub b: NodeId,
    /// Why.
    pub constraint: Constraint,
}

impl Constraint {
    /// The node with the constraint.
    pub fn node(self) -> NodeId {
        match self {
            Constraint::Device(node) | Constraint::Name(node) => node,
            Constraint::Class { node, .. } | Constraint::Edge { node, .. } => node,
        }
    }

    /// The `_class` entry of a colocation, as text.
    pub fn class_text(self, graph: &Graph) -> String {
        match self {
            Constraint::Class { node, class } => match graph.node(node).attrs.get("_class") {
                Some(AttrValue::List(AttrList::S(list))) => {
                    list.get(class as usize).map(|s| String::from_utf8_lossy(s).into_owned()).unwrap_or_default()
                }
                _ => String::new(),
            },
            _ => String::new(),
        }
    }

    /// As a sentence.
    pub fn describe(self, graph: &Graph) -> String {
        let name = &graph.node(self.node()).name;
        match self {
            Constraint::Device(id) => format!("{name} asks for the device {:?}", graph.node(id).device),
            Constraint::Class { .. } => format!("{name} asks to be colocated with {} (_class)", self.class_text(graph)),
            Constraint::Edge { node, input } => {
                let source = graph.node(node).inputs[input as usize];
                let what = if graph.node(node).input_types[input as usize].is_ref { "reference" } else { "resource" };
                format!("{name} takes the {what} {} as input {input}", graph.endpoint_name(source))
            }
            Constraint::Name(_) => format!("{name} is in the group of its own name"),
        }
    }
}
