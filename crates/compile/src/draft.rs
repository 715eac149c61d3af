//! The graph that the passes work on: the needed nodes, compact and mutable.
//!
//! Node numbers: first the nodes of the graph, inputs before consumers except for the back edges of loops; then one for
//! each feed and each fetch; then the nodes that passes append. They change only in [`Draft::reorder`]. A node that
//! replaces several others takes the number of the last of them, which preserves the order. A removed node keeps its
//! number and is skipped.

use crate::prune::{Pruned, stands_for_its_feed};
use crate::{Placement, Signature, infer};
use levada_executor::NodeKind;
use levada_graph::graph::Node;
use levada_graph::spec::Role;
use levada_graph::{AttrValue, DType, EdgeType, Endpoint, Error, Graph, NodeId, PartialShape, Result, Tensor};
use levada_kernel::{AnyKernel, Cost, Group, Join, NodeMeta, Used, device::no_kernel};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Initial cost estimates in nanoseconds, used until a kernel has been measured.
const CHEAP: u32 = 60;
const HEAVY: u32 = 30_000;

/// Number of a node in a draft.
pub(crate) type NodeIx = u32;

/// An output of a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Port {
    pub(crate) node: NodeIx,
    pub(crate) output: u32,
}

/// Where a node comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin<'g> {
    /// A node of the graph.
    Graph(&'g Node),
    /// The stand-in for the feed with this number.
    Feed(usize),
    /// Takes the value of the fetch with this number.
    Fetch(usize),
    /// Created by a pass.
    Pass,
}

/// A node. Feeds and fetches are nodes without kernels, which the plan keeps in lists of their own, except in partial
/// runs.
pub(crate) struct DraftNode<'g> {
    pub(crate) origin: Origin<'g>,
    pub(crate) name: Arc<str>,
    pub(crate) op: &'static str,
    /// What the executor does with it.
    pub(crate) kind: NodeKind,
    pub(crate) kernel: Option<Arc<dyn AnyKernel>>,
    /// Its inputs, one for each of `input_types`.
    pub(crate) inputs: SmallVec<[Port; 2]>,
    pub(crate) input_types: Cow<'g, [EdgeType]>,
    pub(crate) output_types: Cow<'g, [EdgeType]>,
    /// The nodes that must run first, each once, in order.
    pub(crate) controls: SmallVec<[NodeIx; 2]>,
    /// The number of its device.
    pub(crate) device: u32,
    /// The number of its frame.
    pub(crate) frame: u32,
    /// How its device lets it run together with other nodes.
    pub(crate) join: Join,
    /// Estimated cost in nanoseconds.
    pub(crate) cost: u32,
    /// The names of all graph nodes that it computes, if there is more than one.
    pub(crate) members: Box<[Arc<str>]>,
    /// These nodes, with their kernels.
    pub(crate) group: Option<Arc<Group>>,
    /// The ops of these nodes, in the same order, if traces may show them.
    pub(crate) member_ops: Box<[&'static str]>,
    /// Inputs that carry references and that the kernel must read as values.
    pub(crate) reads_refs: Box<[u32]>,
    /// Its outputs, if they are known before the run. The node then runs only to feed merges, which must see the value
    /// arrive.
    pub(crate) values: Option<Box<[Tensor]>>,
    /// True for targets and nodes with fed outputs, which must run unchanged.
    pub(crate) is_pinned: bool,
    /// True if the run names it, so that it runs as a whole, however few of its outputs are used.
    pub(crate) is_whole: bool,
    /// Set by [`Draft::remove`].
    pub(crate) is_removed: bool,
}

/// A loop, or the root frame outside all loops.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) name: Arc<str>,
    /// The enclosing frame; its own number for the outermost.
    pub(crate) parent: u32,
    pub(crate) parallel_iterations: u32,
}

/// An endpoint that is fed.
pub(crate) struct Feed {
    pub(crate) name: Arc<str>,
    pub(crate) dtype: DType,
    pub(crate) shape: PartialShape,
}

/// The working graph of the compiler.
pub(crate) struct Draft<'g> {
    pub(crate) nodes: Vec<DraftNode<'g>>,
    pub(crate) feeds: Vec<Feed>,
    /// Number of the first feed's node; all smaller numbers are nodes of the graph.
    pub(crate) first_feed: NodeIx,
    /// The frames, outermost first. Filled by the pass `frames`.
    pub(crate) frames: Vec<Frame>,
    /// True if values may be dead.
    pub(crate) has_control_flow: bool,
    /// The outputs that may carry references to variables. Filled by the pass `references`.
    pub(crate) ref_ports: HashSet<Port>,
}

impl<'g> DraftNode<'g> {
    /// A node made by a pass, without inputs and outputs.
    pub(crate) fn new(name: Arc<str>, op: &'static str, kernel: Option<Arc<dyn AnyKernel>>) -> DraftNode<'g> {
        DraftNode {
            origin: Origin::Pass,
            name,
            op,
            kind: NodeKind::Plain,
            kernel,
            inputs: SmallVec::new(),
            input_types: Cow::Borrowed(&[]),
            output_types: Cow::Borrowed(&[]),
            controls: SmallVec::new(),
            device: 0,
            frame: 0,
            join: Join::Never,
            cost: CHEAP,
            members: Box::default(),
            group: None,
            member_ops: Box::default(),
            reads_refs: Box::default(),
            values: None,
            is_pinned: false,
            is_whole: false,
            is_removed: false,
        }
    }

    fn of_graph(node: &'g Node, kernel: Arc<dyn AnyKernel>) -> DraftNode<'g> {
        let flag = |name: &str| matches!(node.attrs.get(name), Some(AttrValue::B(true)));
        let kind = match node.spec().role {
            Role::Merge => NodeKind::Merge,
            Role::Switch if node.output_types.len() == 2 => NodeKind::Switch,
            Role::Enter => NodeKind::Enter(flag("is_constant")),
            Role::Exit => NodeKind::Exit,
            Role::NextIteration => NodeKind::NextIteration,
            Role::ControlTrigger => NodeKind::ControlTrigger,
            Role::Send | Role::Recv => NodeKind::Transfer,
            _ => NodeKind::Plain,
        };
        DraftNode {
            origin: Origin::Graph(node),
            kind,
            cost: cost(&*kernel, 1),
            input_types: Cow::Borrowed(&node.input_types),
            output_types: Cow::Borrowed(&node.output_types),
            ..DraftNode::new(node.name.clone(), node.spec().name, Some(kernel))
        }
    }

    /// The graph node that it represents.
    pub(crate) fn graph_node(&self) -> Option<&'g Node> {
        if let Origin::Graph(node) = self.origin { Some(node) } else { None }
    }

    /// Its role: [`Role::Plain`] for nodes made by passes, `None` for feeds and fetches.
    pub(crate) fn role(&self) -> Option<Role> {
        match self.origin {
            Origin::Graph(node) => Some(node.spec().role),
            Origin::Pass => Some(Role::Plain),
            Origin::Feed(_) | Origin::Fetch(_) => None,
        }
    }

    /// True until a pass removes it.
    pub(crate) fn exists(&self) -> bool {
        !self.is_removed
    }

    pub(crate) fn is_feed(&self) -> bool {
        matches!(self.origin, Origin::Feed(_))
    }

    pub(crate) fn is_fetch(&self) -> bool {
        matches!(self.origin, Origin::Fetch(_))
    }

    /// The names of the graph nodes that it computes.
    pub(crate) fn computes(&self) -> &[Arc<str>] {
        if self.members.is_empty() { std::slice::from_ref(&self.name) } else { &self.members }
    }

    /// The ops of the graph nodes that it computes.
    pub(crate) fn computes_ops(&self) -> &[&'static str] {
        if self.member_ops.is_empty() { std::slice::from_ref(&self.op) } else { &self.member_ops }
    }

    /// Its metadata for plans and kernels. `device`: the name of its device.
    pub(crate) fn meta(&self, device: Arc<str>) -> NodeMeta {
        let outputs = self.output_types.iter().map(|t| t.dtype).collect();
        NodeMeta { name: self.name.clone(), op: self.op, device, outputs, used: None, in_loop: self.frame != 0 }
    }

    /// Sorts the control inputs and drops duplicates and self-edges.
    fn tidy_controls(&mut self, own: NodeIx) {
        self.controls.retain(|c| *c != own);
        if self.controls.len() > 1 {
            self.controls.sort_unstable();
            self.controls.dedup();
        }
    }
}

/// A first estimate of the cost of a kernel that computes this many nodes, in nanoseconds.
pub(crate) fn cost(kernel: &dyn AnyKernel, nodes: usize) -> u32 {
    if kernel.cost() == Cost::Heavy { HEAVY } else { CHEAP * nodes as u32 }
}

impl<'g> Draft<'g> {
    /// The draft of the nodes that a graph's run needs, with their kernels.
    ///
    /// # Errors
    /// `UNIMPLEMENTED`, naming every needed node that has no kernel or is not supported.
    pub(crate) fn new(
        graph: &'g Graph,
        signature: &Signature,
        pruned: &Pruned,
        placement: &Placement<'_>,
    ) -> Result<Draft<'g>> {
        let kernels = kernels(graph, pruned, placement)?;
        let first_feed = pruned.order.len() as NodeIx;
        let at = |node: NodeId| pruned.position(node).expect("what a node needs is needed");
        let port = |e: &Endpoint| match pruned.feeds.get(e) {
            Some(&feed) => Port { node: first_feed + feed as NodeIx, output: 0 },
            None => Port { node: at(e.node), output: e.output },
        };
        let count = pruned.order.len() + signature.feeds.len() + signature.fetches.len();
        let mut nodes: Vec<DraftNode<'g>> = Vec::with_capacity(count);
        for (&id, kernel) in pruned.order.iter().zip(kernels) {
            let node = graph.node(id);
            let mut draft = DraftNode::of_graph(node, kernel);
            draft.inputs.extend(node.inputs.iter().map(&port));
            for &before in &node.control_inputs {
                draft.controls.extend(pruned.position(before));
                if stands_for_its_feed(graph, before, &pruned.feeds) {
                    draft.controls.push(port(&Endpoint::from(before)).node);
                }
            }
            draft.device = placement.number(id);
            draft.join = placement.of(id).joins(&node.op);
            draft.tidy_controls(nodes.len() as NodeIx);
            nodes.push(draft);
        }
        let pinned = signature.targets.iter().copied().chain(signature.feeds.iter().map(|e| e.node));
        for at in pinned.filter_map(|id| pruned.position(id)) {
            nodes[at as usize].is_pinned = true;
        }
        let named = signature.targets.iter().copied().chain(signature.fetches.iter().map(|e| e.node));
        for at in named.filter(|_| !signature.of_function).filter_map(|id| pruned.position(id)) {
            nodes[at as usize].is_whole = true;
        }
        let mut feeds = Vec::with_capacity(signature.feeds.len());
        for ((i, &endpoint), shape) in signature.feeds.iter().enumerate().zip(infer::fed_shapes(graph, signature)) {
            let node = graph.node(endpoint.node);
            let ty = node.output_types[endpoint.output as usize];
            feeds.push(Feed { name: graph.endpoint_name(endpoint).into(), dtype: ty.dtype, shape });
            let mut feed = DraftNode::new(node.name.clone(), "feed", None);
            (feed.origin, feed.output_types) = (Origin::Feed(i), vec![ty].into());
            nodes.push(feed);
        }
        for (i, endpoint) in signature.fetches.iter().enumerate() {
            let ty = graph.node(endpoint.node).output_types[endpoint.output as usize];
            let mut fetch = DraftNode::new(graph.endpoint_name(*endpoint).into(), "fetch", None);
            (fetch.origin, fetch.input_types) = (Origin::Fetch(i), vec![ty].into());
            fetch.inputs.push(port(endpoint));
            nodes.push(fetch);
        }
        let has_control_flow = nodes.iter().any(|n| n.role().is_some_and(is_control_flow));
        Ok(Draft { nodes, feeds, first_feed, frames: Vec::new(), has_control_flow, ref_ports: HashSet::new() })
    }

    /// A node by number.
    pub(crate) fn node(&self, at: NodeIx) -> &DraftNode<'g> {
        &self.nodes[at as usize]
    }

    /// The numbers of the nodes that have not been removed.
    pub(crate) fn existing(&self) -> impl DoubleEndedIterator<Item = NodeIx> {
        (0..self.nodes.len() as NodeIx).filter(|&at| self.node(at).exists())
    }

    /// Number of the first fetch's node.
    pub(crate) fn first_fetch(&self) -> NodeIx {
        self.first_feed + self.feeds.len() as NodeIx
    }

    /// The names of the fetches, in order.
    pub(crate) fn fetch_names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.nodes[self.first_fetch() as usize..].iter().take_while(|n| n.is_fetch()).map(|n| &n.name)
    }

    /// The value of an output, if it is known before the run.
    pub(crate) fn value(&self, port: Port) -> Option<&Tensor> {
        self.node(port.node).values.as_ref()?.get(port.output as usize)
    }

    /// By node number, whether the node runs: nodes whose outputs are known before the run do not, unless a merge takes
    /// them.
    pub(crate) fn running(&self) -> Vec<bool> {
        let mut running: Vec<bool> =
            self.nodes.iter().map(|n| n.exists() && n.kernel.is_some() && n.values.is_none()).collect();
        if self.has_control_flow {
            let merges = self.nodes.iter().filter(|n| n.exists() && n.kind == NodeKind::Merge);
            for source in merges.flat_map(|n| &n.inputs).filter(|p| self.node(p.node).kernel.is_some()) {
                running[source.node as usize] = true;
            }
        }
        running
    }

    /// For each node that calls functions, which of its outputs are used; nodes that run as a whole are left out.
    pub(crate) fn used(&self) -> HashMap<NodeIx, Arc<Used>> {
        let calls = self.existing().filter(|&at| self.node(at).role() == Some(Role::Call) && !self.node(at).is_whole);
        let nothing = |node: &DraftNode<'_>| Used {
            outputs: vec![false; node.output_types.len()].into(),
            controls: node.is_pinned,
        };
        let mut used: HashMap<NodeIx, Used> = calls.map(|at| (at, nothing(self.node(at)))).collect();
        if used.is_empty() {
            return HashMap::new();
        }
        for node in self.nodes.iter().filter(|node| node.exists()) {
            for port in &node.inputs {
                if let Some(used) = used.get_mut(&port.node) {
                    used.outputs[port.output as usize] = true;
                }
            }
            for before in &node.controls {
                if let Some(used) = used.get_mut(before) {
                    used.controls = true;
                }
            }
        }
        let is_part = |used: &Used| !used.controls || used.outputs.contains(&false);
        used.into_iter().filter(|(_, used)| is_part(used)).map(|(at, used)| (at, Arc::new(used))).collect()
    }

    /// Appends a node and returns its number.
    pub(crate) fn append(&mut self, node: DraftNode<'g>) -> NodeIx {
        self.nodes.push(node);
        self.nodes.len() as NodeIx - 1
    }

    /// Removes a node without consumers.
    pub(crate) fn remove(&mut self, at: NodeIx) {
        let node = &mut self.nodes[at as usize];
        (node.is_removed, node.inputs, node.controls) = (true, SmallVec::new(), SmallVec::new());
    }

    /// Replaces several nodes by one, which gets their control inputs and the number of the last of them. Returns that
    /// number; use [`Draft::redirect`] to replace the outputs of the others.
    pub(crate) fn replace(&mut self, members: &[NodeIx], mut node: DraftNode<'g>) -> NodeIx {
        let mut sorted = members.to_vec();
        sorted.sort_unstable();
        let at = sorted.last().copied().unwrap_or_default();
        for &member in members {
            let before = self.node(member).controls.iter().copied();
            node.controls.extend(before.filter(|c| sorted.binary_search(c).is_err()));
            self.remove(member);
        }
        node.tidy_controls(at);
        self.nodes[at as usize] = node;
        at
    }

    /// Gives each node the number that `order` has for it: for feeds, fetches and nodes that passes appended the same as
    /// before.
    pub(crate) fn reorder(&mut self, order: &[NodeIx]) {
        let new = |at: NodeIx| order[at as usize];
        let port = |port: Port| Port { node: new(port.node), ..port };
        self.ref_ports = self.ref_ports.iter().map(|&old| port(old)).collect();
        let mut nodes: Vec<(NodeIx, DraftNode<'g>)> = order.iter().copied().zip(self.nodes.drain(..)).collect();
        nodes.sort_unstable_by_key(|&(at, _)| at);
        self.nodes = nodes.into_iter().map(|(_, node)| node).collect();
        // Last, since a node is told from those that it waits for by its number.
        self.redirect(port, new);
    }

    /// Replaces every input and control input by what `port` and `control` return for it.
    pub(crate) fn redirect(&mut self, port: impl Fn(Port) -> Port, control: impl Fn(NodeIx) -> NodeIx) {
        for (at, node) in self.nodes.iter_mut().enumerate().filter(|(_, n)| !n.is_removed) {
            node.inputs.iter_mut().for_each(|input| *input = port(*input));
            node.controls.iter_mut().for_each(|before| *before = control(*before));
            node.tidy_controls(at as NodeIx);
        }
    }
}

/// True for roles that make values dead or handle dead inputs specially.
fn is_control_flow(role: Role) -> bool {
    !matches!(role, Role::Plain | Role::Const | Role::Placeholder | Role::Call | Role::Arg | Role::Retval)
}

/// The kernel of every needed node, in order.
fn kernels(graph: &Graph, pruned: &Pruned, placement: &Placement<'_>) -> Result<Vec<Arc<dyn AnyKernel>>> {
    if placement.devices.is_empty() {
        return Err(Error::internal("there is no device"));
    }
    let unsupported = graph.unsupported_among(pruned.order.iter().copied());
    let mut faults: Vec<Error> = unsupported.iter().flat_map(Error::all).cloned().collect();
    let mut kernels = Vec::with_capacity(pruned.order.len());
    for &id in &pruned.order {
        let node = graph.node(id);
        if node.unsupported().is_none() {
            match kernel(node, id, placement) {
                Ok(kernel) => kernels.push(kernel),
                Err(error) => faults.push(error.at_node(&node.name, node.op_name())),
            }
        }
    }
    match Error::join(faults) {
        Some(error) => Err(error),
        None => Ok(kernels),
    }
}

/// The kernel of a node; if the node has an attr `_kernel`, the kernel with that label.
fn kernel(node: &Node, id: NodeId, placement: &Placement<'_>) -> Result<Arc<dyn AnyKernel>> {
    let device = placement.of(id);
    let kernel = device.kernel(&node.op).ok_or_else(|| no_kernel(node.op_name(), device.name()))?;
    let Some(AttrValue::S(label)) = node.attrs.get("_kernel") else { return Ok(kernel) };
    if label.is_empty() || kernel.labels().iter().any(|l| l.as_bytes() == &label[..]) {
        return Ok(kernel);
    }
    let label = String::from_utf8_lossy(label);
    let error = Error::invalid(format!("no kernel of {} has the label {label:?}", node.op_name())).attr("_kernel");
    Err(error.help("leave the attr _kernel out"))
}
