//! Resolves input strings: which output feeds which input.

use super::names::{Hints, legal_name};
use super::{Faults, Known, Suspects};
use crate::def::GraphDef;
use crate::error::Error;
use crate::graph::{Endpoint, Graph, Node, NodeId, split_endpoint};
use crate::spec::Role;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// The context of the nodes: the graph that they are added to, and mappings of their inputs.
#[derive(Clone, Copy, Default)]
pub(crate) struct Outside<'g> {
    /// The graph that the nodes are added to.
    pub graph: Option<&'g Graph>,
    /// True if inputs may name the nodes of that graph, and names must differ from theirs.
    pub by_name: bool,
    /// Replacements for inputs of the nodes: `x:0` or, for control inputs, `^x`.
    pub map: Option<&'g InputMap>,
    /// Nodes that must run before any of the nodes.
    pub control: &'g [NodeId],
    /// True if attrs may name functions that the library does not have.
    pub any_function: bool,
}

/// Endpoints (`x:1`) and, for control inputs, nodes (`^x`) that replace inputs.
#[derive(Default)]
pub(crate) struct InputMap {
    pub data: HashMap<(String, u32), Endpoint>,
    pub control: HashMap<String, NodeId>,
    /// Keys of `data` that some input uses.
    pub used: RefCell<HashSet<(String, u32)>>,
    /// Keys of `control` that some input uses.
    pub used_control: RefCell<HashSet<String>>,
}

impl InputMap {
    fn data(&self, name: &str, output: u32) -> Option<Endpoint> {
        let key = (name.to_owned(), output);
        let endpoint = self.data.get(&key).copied()?;
        self.used.borrow_mut().insert(key);
        Some(endpoint)
    }

    fn control(&self, name: &str) -> Option<NodeId> {
        let id = self.control.get(name).copied()?;
        self.used_control.borrow_mut().insert(name.to_owned());
        Some(id)
    }
}

impl<'g> Outside<'g> {
    /// Number of nodes outside.
    pub fn len(&self) -> usize {
        self.graph.map_or(0, Graph::len)
    }

    fn find(&self, name: &str) -> Option<NodeId> {
        if self.by_name { self.graph?.find(name) } else { None }
    }
}

/// The source of a data input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// This output of this node, which need not exist.
    Inside { node: u32, output: u32 },
    /// An endpoint of the graph that the nodes are added to, which need not exist.
    Outside(Endpoint),
    /// None; reported already.
    Unknown,
}

/// The source of a control input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Before {
    Inside(u32),
    Outside(NodeId),
}

/// The inputs of all nodes, as flat arrays.
pub(crate) struct Links<'d> {
    data: Vec<Source>,
    /// Position of each data input among the input strings of its node, where control inputs may come first.
    positions: Vec<u32>,
    data_starts: Vec<usize>,
    control: Vec<Before>,
    control_starts: Vec<usize>,
    names: HashMap<&'d str, u32>,
    outside: Outside<'d>,
}

impl<'d> Links<'d> {
    /// Resolves the inputs to nodes. Illegal and duplicate names, unknown inputs and data inputs after control inputs
    /// are faults.
    pub fn of(def: &'d GraphDef, suspects: &Suspects, outside: Outside<'d>, faults: &mut Faults<'_>) -> Links<'d> {
        let mut links = Links {
            data: Vec::new(),
            positions: Vec::new(),
            data_starts: vec![0],
            control: Vec::new(),
            control_starts: vec![0],
            names: HashMap::with_capacity(def.nodes.len()),
            outside,
        };
        links.name_nodes(def, suspects, faults);
        let mut hints = Hints::new(def, outside);
        // For each node the last one that waits for it, from 1: a duplicate edge adds nothing.
        let mut followed = vec![0u32; def.nodes.len()];
        let mut followed_outside: HashSet<NodeId> = HashSet::new();
        for (i, node) in def.nodes.iter().enumerate() {
            let mut misplaced = None;
            let (mut has_control, mut follows) = (false, false);
            followed_outside.clear();
            let mut is_new = |before: Before| match before {
                Before::Inside(from) => std::mem::replace(&mut followed[from as usize], i as u32 + 1) != i as u32 + 1,
                Before::Outside(id) => followed_outside.insert(id),
            };
            for (position, text) in node.inputs.iter().enumerate() {
                if let Some(name) = text.strip_prefix('^') {
                    has_control = true;
                    match links.before(name) {
                        Some(before) => {
                            follows |= matches!(before, Before::Inside(_));
                            if is_new(before) {
                                links.control.push(before);
                            }
                        }
                        None => faults.push(i, hints.unknown(text, position)),
                    }
                    continue;
                }
                if misplaced.is_none() && has_control {
                    misplaced = Some((position, text));
                }
                let source = links.source(text);
                match source {
                    Source::Unknown => faults.push(i, hints.unknown(text, position)),
                    Source::Inside { .. } => follows = true,
                    Source::Outside(_) => {}
                }
                links.data.push(source);
                links.positions.push(position as u32);
            }
            // Nodes that follow others inherit their dependencies.
            if !follows {
                let more = outside.control.iter().map(|&id| Before::Outside(id));
                links.control.extend(more.filter(|&before| is_new(before)));
            }
            if let Some((position, text)) = misplaced {
                faults.push(
                    i,
                    Error::invalid("a data input follows a control input")
                        .path(format!("input[{position}]"))
                        .expected("the control inputs last")
                        .found(format!("{text:?} after {:?}", node.inputs[position - 1]))
                        .help("move the inputs that begin with ^ to the end of the list"),
                );
            }
            links.data_starts.push(links.data.len());
            links.control_starts.push(links.control.len());
        }
        links
    }

    fn name_nodes(&mut self, def: &'d GraphDef, suspects: &Suspects, faults: &mut Faults<'_>) {
        for (i, node) in def.nodes.iter().enumerate() {
            if suspects.get(&i).is_some_and(|b| b.name) {
                continue;
            }
            if let Err(error) = legal_name(&node.name) {
                faults.push(i, error);
            }
            if let Some(&first) = self.names.get(&*node.name) {
                faults.push(
                    i,
                    Error::invalid(format!("two nodes are named {}", node.name))
                        .path("name")
                        .found(format!("node[{first}] has this name too"))
                        .help("give one of the two another name"),
                );
                continue;
            }
            self.names.insert(&node.name, i as u32);
            if self.outside.find(&node.name).is_some() {
                faults.push(
                    i,
                    Error::invalid(format!("the graph already has a node named {}", node.name))
                        .path("name")
                        .help("nodes can be added to a graph, not replaced"),
                );
            }
        }
    }

    fn source(&self, text: &str) -> Source {
        let (name, output) = split_endpoint(text);
        if let Some(endpoint) = self.outside.map.and_then(|map| map.data(name, output)) {
            return Source::Outside(endpoint);
        }
        // A colon is not legal in a name, but a node whose name has one must still be found.
        let named = self.names.get(name).map(|&n| (n, output)).or_else(|| self.names.get(text).map(|&n| (n, 0)));
        match (named, self.outside.find(name)) {
            (Some((node, output)), _) => Source::Inside { node, output },
            (None, Some(node)) => Source::Outside(Endpoint::new(node, output)),
            (None, None) => Source::Unknown,
        }
    }

    fn before(&self, name: &str) -> Option<Before> {
        if let Some(id) = self.outside.map.and_then(|map| map.control(name)) {
            return Some(Before::Outside(id));
        }
        let inside = self.names.get(name).map(|&i| Before::Inside(i));
        inside.or_else(|| self.outside.find(name).map(Before::Outside))
    }

    /// True if a node has this name, inside or outside.
    pub fn has(&self, name: &str) -> bool {
        self.names.contains_key(name) || self.outside.find(name).is_some()
    }

    /// A node of the graph that the nodes are added to.
    pub fn outside_node(&self, id: NodeId) -> Option<&'d Node> {
        self.outside.graph.map(|graph| graph.node(id))
    }

    /// Data inputs of a node.
    pub fn data(&self, node: usize) -> &[Source] {
        &self.data[self.data_starts[node]..self.data_starts[node + 1]]
    }

    /// The control inputs of a node that are inside.
    pub fn control(&self, node: usize) -> impl Iterator<Item = usize> {
        self.control[self.control_starts[node]..self.control_starts[node + 1]].iter().filter_map(
            |before| match before {
                Before::Inside(i) => Some(*i as usize),
                Before::Outside(_) => None,
            },
        )
    }

    /// The inputs of a node by the numbers that the nodes will have, after those outside.
    pub fn wiring(&self, node: usize) -> (Vec<Endpoint>, Vec<NodeId>) {
        let base = self.outside.len();
        let inside = |i: u32| NodeId::new(base + i as usize);
        let data = self.data(node).iter().filter_map(|source| match *source {
            Source::Inside { node, output } => Some(Endpoint::new(inside(node), output)),
            Source::Outside(endpoint) => Some(endpoint),
            Source::Unknown => None,
        });
        let control = &self.control[self.control_starts[node]..self.control_starts[node + 1]];
        let control = control.iter().map(|before| match *before {
            Before::Inside(i) => inside(i),
            Before::Outside(id) => id,
        });
        (data.collect(), control.collect())
    }

    /// Position of data input `input` among the input strings of `node`.
    pub fn position(&self, node: usize, input: usize) -> usize {
        self.positions[self.data_starts[node] + input] as usize
    }

    /// True for the edge from a NextIteration to a Merge, which closes a loop.
    pub fn is_back_edge(&self, node: usize, input: usize, ops: &[Known<'_>]) -> bool {
        ops[node].role() == Some(Role::Merge)
            && matches!(self.data(node)[input], Source::Inside { node: from, .. }
                if ops[from as usize].role() == Some(Role::NextIteration))
    }
}
