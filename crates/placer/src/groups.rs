//! Nodes that must share a device: colocation classes, references and resource handles with their users, and which
//! devices each such group may go to. The rules, their order and the messages are those of TensorFlow's placer.

use crate::constraint::{Constraint, Link};
use crate::target::{Kinds, Targets};
use levada_graph::device::DeviceName;
use levada_graph::graph::Node;
use levada_graph::spec::{Role, Ty};
use levada_graph::{AttrList, AttrValue, DType, Error, Graph, NodeId, Result};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The kernels that exist: the set of device types that have one for a node.
pub type Supports<'a> = dyn Fn(&Node) -> Kinds + 'a;

/// The input of a placement.
pub struct Request<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// The devices.
    pub targets: &'a Targets,
    /// Which types of devices have a kernel for a node.
    pub supports: &'a Supports<'a>,
    /// True if a node whose device does not exist or has no kernel for it may go elsewhere.
    pub soft: bool,
    /// The device to prefer.
    pub default: u32,
}

/// Nodes that must share a device.
#[derive(Clone, Debug)]
pub struct Group {
    /// The combined device request of its nodes.
    pub requested: Rc<DeviceName>,
    /// The device request of the nodes that create its references and resources.
    resource: Rc<DeviceName>,
    /// Types of devices that have kernels for all of its nodes.
    pub kinds: Kinds,
    size: u32,
}

/// The groups of a graph.
pub struct Groups {
    parent: Vec<u32>,
    /// By node number; valid only for roots.
    groups: Vec<Group>,
    /// The reasons why nodes are in the same group.
    pub links: Vec<Link>,
    /// Colocations that soft placement ignores.
    pub dropped: Vec<Constraint>,
}

/// A failure to place: TensorFlow's error, and the nodes involved.
pub struct Refusal {
    /// The error to report.
    pub error: Error,
    /// Nodes whose own constraints, or whose groups' constraints, contradict each other.
    pub nodes: Vec<NodeId>,
}

impl Groups {
    /// Finds the groups of `nodes` (in topological order), without the constraints in `dropped`.
    ///
    /// # Errors
    /// An error if nodes that must share a device ask for different ones.
    pub fn find(request: &Request<'_>, nodes: &[NodeId], dropped: &HashSet<Constraint>) -> Result<Groups, Refusal> {
        let graph = request.graph;
        let any = Rc::new(DeviceName::default());
        let empty = Group { requested: any.clone(), resource: any.clone(), kinds: Kinds::ALL, size: 1 };
        let mut this = Groups {
            parent: (0..graph.len() as u32).collect(),
            groups: vec![empty; graph.len()],
            links: Vec::new(),
            dropped: Vec::new(),
        };
        this.read_requests(request, nodes, dropped, &any)?;
        let within: Option<HashSet<NodeId>> = (nodes.len() < graph.len()).then(|| nodes.iter().copied().collect());
        let inside = |id: &NodeId| within.as_ref().is_none_or(|w| w.contains(id));
        for &id in nodes {
            let node = graph.node(id);
            for (i, input) in node.inputs.iter().enumerate() {
                if !is_shared_state(node, i) || !inside(&input.node) {
                    continue;
                }
                let link = Link { a: id, b: input.node, constraint: Constraint::Edge { node: id, input: i as u32 } };
                if !dropped.contains(&link.constraint) {
                    this.join_across_state(request, link)?;
                }
            }
        }
        this.join_classes(request, nodes, dropped)?;
        Ok(this)
    }

    fn read_requests(
        &mut self,
        request: &Request<'_>,
        nodes: &[NodeId],
        dropped: &HashSet<Constraint>,
        any: &Rc<DeviceName>,
    ) -> Result<(), Refusal> {
        let mut read: HashMap<&str, Option<Rc<DeviceName>>> = HashMap::new();
        let (mut faults, mut faulty) = (Vec::new(), Vec::new());
        for &id in nodes {
            let node = request.graph.node(id);
            let group = &mut self.groups[id.index()];
            group.kinds = (request.supports)(node);
            if node.device.is_empty() || dropped.contains(&Constraint::Device(id)) {
                continue;
            }
            let name = read.entry(&node.device).or_insert_with(|| DeviceName::parse(&node.device).ok().map(Rc::new));
            let Some(name) = name else {
                let error = DeviceName::parse(&node.device).err().unwrap_or_else(|| Error::internal("no name"));
                let message = format!("{} in node: {}", error.message(), node.name);
                faults.push(renamed(error, message).at_node(&node.name, node.op_name()));
                faulty.push(id);
                continue;
            };
            group.requested = name.clone();
            if makes_shared_state(node) {
                group.resource = name.clone();
            } else {
                group.resource = any.clone();
            }
        }
        match Error::join(faults) {
            Some(error) => Err(Refusal { error, nodes: faulty }),
            None => Ok(()),
        }
    }

    /// Joins the nodes at both ends of an edge that carries a reference or a resource. If they ask for different
    /// devices, the request of the node that the state comes from wins.
    fn join_across_state(&mut self, request: &Request<'_>, link: Link) -> Result<(), Refusal> {
        let (source, target) = (self.root(link.b), self.root(link.a));
        if source == target {
            self.links.push(link);
            return Ok(());
        }
        let (from, to) = (&self.groups[source as usize], &self.groups[target as usize]);
        if from.resource.conflict(&to.resource).is_some() {
            let name = |id: NodeId| &request.graph.node(id).name;
            let message = format!(
                "Cannot place the graph because a reference or resource edge connects colocation groups with \
                 incompatible resource devices: {} vs {}. The edge src node is {} , and the dst node is {}",
                from.resource,
                to.resource,
                name(link.b),
                name(link.a)
            );
            return Err(self.refused(request, Error::invalid(message), link));
        }
        if from.requested.conflict(&to.requested).is_some() {
            let mut requested = (*from.requested).clone();
            requested.override_with(&to.resource);
            self.groups[target as usize].requested = Rc::new(requested);
        }
        self.join(request, link)
    }

    fn join_classes(
        &mut self,
        request: &Request<'_>,
        nodes: &[NodeId],
        dropped: &HashSet<Constraint>,
    ) -> Result<(), Refusal> {
        let graph = request.graph;
        let has_class = |id: &&NodeId| graph.node(**id).attrs.get("_class").is_some();
        // Only nodes that others name need an entry.
        let mut first: HashMap<&[u8], NodeId> = HashMap::new();
        if !nodes.iter().any(|id| has_class(&id)) {
            return Ok(());
        }
        for &id in nodes {
            let node = graph.node(id);
            if let Some(AttrValue::List(AttrList::S(classes))) = node.attrs.get("_class") {
                for (i, class) in classes.iter().enumerate() {
                    let Some(group) = class.strip_prefix(b"loc:@") else { continue };
                    let constraint = Constraint::Class { node: id, class: i as u32 };
                    if dropped.contains(&constraint) {
                        continue;
                    }
                    self.join_class(request, &mut first, group, id, constraint)?;
                }
            }
            self.join_class(request, &mut first, node.name.as_bytes(), id, Constraint::Name(id))?;
        }
        Ok(())
    }

    fn join_class<'g>(
        &mut self,
        request: &Request<'g>,
        first: &mut HashMap<&'g [u8], NodeId>,
        group: &'g [u8],
        id: NodeId,
        constraint: Constraint,
    ) -> Result<(), Refusal> {
        let first = *first.entry(group).or_insert(id);
        if first == id {
            return Ok(());
        }
        match self.join(request, Link { a: id, b: first, constraint }) {
            Err(refusal) if !request.soft => Err(refusal),
            // With soft placement an impossible colocation is ignored.
            Err(_) => {
                self.links.pop();
                self.dropped.push(constraint);
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    fn join(&mut self, request: &Request<'_>, link: Link) -> Result<(), Refusal> {
        let (a, b) = (self.root(link.a), self.root(link.b));
        self.links.push(link);
        if a == b {
            return Ok(());
        }
        let (x, y) = (&self.groups[a as usize], &self.groups[b as usize]);
        let name = |id: NodeId| format!("{{{{colocation_node {}}}}}", request.graph.node(id).name);
        let colocate = || format!("Cannot colocate nodes {} and {}", name(link.a), name(link.b));
        let kinds = x.kinds & y.kinds;
        if kinds.is_empty() {
            let message = format!(
                "{} because no device type supports both of those nodes and the other nodes colocated with them.",
                colocate()
            );
            self.links.pop();
            return Err(self.refused(request, Error::invalid(message), link));
        }
        // The larger group's name comes first in messages, as TensorFlow's ranks order them in the common case.
        let (root, child) = if x.size >= y.size { (a, b) } else { (b, a) };
        let (x, y) = (&self.groups[root as usize], &self.groups[child as usize]);
        let merge = |x: &Rc<DeviceName>, y: &Rc<DeviceName>, soft| -> Result<Rc<DeviceName>> {
            if Rc::ptr_eq(x, y) || y.is_any() {
                return Ok(x.clone());
            }
            if x.is_any() {
                return Ok(y.clone());
            }
            let mut merged = (**x).clone();
            merged.merge(y, soft)?;
            Ok(Rc::new(merged))
        };
        let merged = merge(&x.requested, &y.requested, request.soft)
            .and_then(|requested| Ok((requested, merge(&x.resource, &y.resource, false)?)))
            .map(|(requested, resource)| (with_resource(requested, &resource), resource));
        match merged {
            Err(error) => {
                let message = format!("{}: {}", colocate(), error.message());
                self.links.pop();
                Err(self.refused(request, renamed(error, message), link))
            }
            Ok((requested, resource)) => {
                let size = x.size + y.size;
                self.groups[root as usize] = Group { requested, resource, kinds, size };
                self.parent[child as usize] = root;
                Ok(())
            }
        }
    }

    fn refused(&mut self, request: &Request<'_>, error: Error, link: Link) -> Refusal {
        let node = request.graph.node(link.a);
        let nodes = vec![link.a, link.b];
        // Both ends are part of the conflict, even if they were not joined.
        self.links.push(link);
        Refusal { error: error.at_node(&node.name, node.op_name()), nodes }
    }

    /// The number of the node that represents the group of `node`.
    pub fn root(&self, node: NodeId) -> u32 {
        let mut at = node.index() as u32;
        while self.parent[at as usize] != at {
            at = self.parent[at as usize];
        }
        at
    }

    /// The group of a node.
    pub fn of(&self, node: NodeId) -> &Group {
        &self.groups[self.root(node) as usize]
    }

    /// The devices that a group may go to, best first.
    ///
    /// # Errors
    /// An error if there are none; it names `node`.
    pub fn candidates(&self, request: &Request<'_>, node: NodeId) -> Result<Vec<u32>, Refusal> {
        let group = self.of(node);
        let fitting = |name: &DeviceName| request.targets.fitting(name, group.kinds, request.default);
        let found = fitting(&group.requested);
        if !found.is_empty() {
            return Ok(found);
        }
        if request.soft {
            let mut name = group.requested.any_of_task();
            name.override_with(&group.resource);
            for name in [name, group.requested.any_of_task()] {
                let found = fitting(&name);
                if !found.is_empty() {
                    return Ok(found);
                }
            }
        }
        Err(Refusal { error: self.no_device(request, node), nodes: vec![node] })
    }

    fn no_device(&self, request: &Request<'_>, id: NodeId) -> Error {
        let (node, group) = (request.graph.node(id), self.of(id));
        let available = request.targets.names().collect::<Vec<_>>().join(", ");
        let own = DeviceName::parse(&node.device).unwrap_or_default();
        let why = if own == *group.requested && !own.is_any() {
            if request.targets.iter().all(|t| !own.matches(&t.name)) {
                format!(
                    "{{{{node {}}}}} was explicitly assigned to {} but available devices are [ {available} ]. Make sure \
                     the device specification refers to a valid device.",
                    node.name, node.device
                )
            } else {
                let kind = own.kind.as_deref().map_or_else(|| "such".to_owned(), str::to_owned);
                format!(
                    "Could not satisfy explicit device specification '{}' because no supported kernel for {kind} devices is \
                     available.",
                    node.device
                )
            }
        } else {
            format!(
                "Could not satisfy explicit device specification '{}' because the node {{{{colocation_node {}}}}} was \
                 colocated with a group of nodes that required incompatible device '{}'. All available devices [{available}].",
                node.device, node.name, group.requested
            )
        };
        Error::invalid(format!("Cannot assign a device for operation {}: {why}", node.name))
            .at_node(&node.name, node.op_name())
            .help("`levada place` lists the conflicting constraints and the changes that would resolve them")
    }
}

/// The device that a group asks for; the request of the node that creates its state takes precedence.
fn with_resource(requested: Rc<DeviceName>, resource: &DeviceName) -> Rc<DeviceName> {
    if resource.is_any() || resource.matches(&requested) {
        return requested;
    }
    let mut requested = (*requested).clone();
    requested.override_with(resource);
    Rc::new(requested)
}

fn renamed(mut error: Error, message: String) -> Error {
    error.fault_mut().message = message;
    error
}

/// True if input `i` of `node` is state that its users must share a device with.
pub fn is_shared_state(node: &Node, i: usize) -> bool {
    let ty = node.input_types[i];
    if ty.is_ref {
        return true;
    }
    if ty.dtype != DType::Resource || node.spec().role == Role::Call {
        return false;
    }
    // A resource among inputs of arbitrary types may be a handle on any device if the op only forwards it. A dataset
    // passes it to its function, which runs where the dataset is.
    let any_types = || node.spec().inputs.iter().position(|arg| matches!(arg.ty, Ty::Each(_)));
    let calls = || node.attrs.iter().any(|(_, value)| matches!(value, AttrValue::Func(_)));
    any_types().is_none_or(|first| i < first) || calls()
}

/// True for a node without inputs that makes a reference or a resource.
fn makes_shared_state(node: &Node) -> bool {
    node.inputs.is_empty()
        && node.output_types.len() == 1
        && (node.output_types[0].is_ref || node.output_types[0].dtype == DType::Resource)
}
