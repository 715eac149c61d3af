//! Finds elementwise nodes that are computed as one, so that what they hand to each other need not go through memory.
//!
//! A group is a node and such nodes before it as give their outputs to nodes of the group only, and that nothing else
//! waits for. Then nothing outside of the group can lie between two of its nodes, and who waits for its inputs has waited
//! for those of the last node anyway. All its nodes are dead together: a node that would run where the last one is dead
//! could fail there.

use crate::deaths::Deaths;
use crate::flow::Flow;
use crate::prune::Pruned;
use crate::refs::Refs;
use crate::rewrite::{Rewritten, meta};
use crate::{Places, Signature};
use levada_graph::graph::Node;
use levada_graph::spec::Role;
use levada_graph::{EdgeType, Endpoint, Graph, NodeId, Tensor};
use levada_kernel::group::{FuseLimits, Origin};
use levada_kernel::{AnyKernel, Group, Piecewise};
use std::collections::HashMap;
use std::sync::Arc;

/// What is known of the graph when groups are looked for.
pub(crate) struct Look<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) signature: &'a Signature,
    pub(crate) pruned: &'a Pruned,
    pub(crate) rewritten: &'a Rewritten,
    pub(crate) flow: &'a Flow,
    pub(crate) refs: &'a Refs,
    pub(crate) places: &'a Places<'a>,
    pub(crate) kernels: &'a [Option<Arc<dyn AnyKernel>>],
}

/// Nodes that run as one.
pub(crate) struct Fused {
    /// The nodes, each after those it depends on.
    pub(crate) members: Vec<NodeId>,
    /// What they take from outside, each once, and the types of it.
    pub(crate) inputs: Vec<Endpoint>,
    pub(crate) types: Vec<EdgeType>,
    pub(crate) kernel: Arc<dyn AnyKernel>,
}

impl Fused {
    /// The nodes but the last.
    pub(crate) fn inside(&self) -> &[NodeId] {
        self.members.split_last().map_or(&[], |(_, inside)| inside)
    }
}

/// A group that grows.
struct Growing {
    /// The last node first.
    members: Vec<NodeId>,
    /// What is taken from nodes outside, each once.
    inputs: Vec<Endpoint>,
}

const NONE: u32 = u32::MAX;
/// Marks a node whose consumers are not all in one group.
const MANY: u32 = u32::MAX - 1;

/// The groups, by their last nodes. `running`: the nodes that run, inputs before consumers.
pub(crate) fn find(look: &Look<'_>, running: &[NodeId]) -> HashMap<NodeId, Fused> {
    let limits: Vec<Option<FuseLimits>> = look.places.devices.iter().map(|d| d.fuses()).collect();
    let mut groups: Vec<Growing> = Vec::new();
    // By node number: the group that all consumers seen so far are in.
    let mut wanted_by = vec![NONE; look.graph.len()];
    for fetch in &look.signature.fetches {
        wanted_by[look.rewritten.source(*fetch).node.index()] = MANY;
    }
    for feed in &look.signature.feeds {
        wanted_by[feed.node.index()] = MANY;
    }
    for target in &look.signature.targets {
        wanted_by[look.rewritten.runs_as(*target).index()] = MANY;
    }
    for &id in running {
        for &control in &look.graph.node(id).control_inputs {
            wanted_by[look.rewritten.runs_as(control).index()] = MANY;
        }
    }
    let deaths = Deaths::find(look, running);
    // From the end, so that a node's consumers come before it.
    for &id in running.iter().rev() {
        let node = look.graph.node(id);
        let limits =
            limits[(look.places.number(id) as usize).min(limits.len() - 1)].filter(|_| look.can_fuse(id, node));
        let mut own = MANY;
        if let Some(limits) = limits {
            let inputs: Vec<Endpoint> = look.inputs(node).collect();
            let joined =
                groups.get_mut(wanted_by[id.index()] as usize).filter(|g| look.fits(g, id, &inputs, limits, &deaths));
            own = match joined {
                Some(group) => {
                    group.join(id, inputs);
                    wanted_by[id.index()]
                }
                None => {
                    let mut group = Growing { members: Vec::new(), inputs: Vec::new() };
                    group.join(id, inputs);
                    groups.push(group);
                    groups.len() as u32 - 1
                }
            };
        }
        for source in look.inputs(node) {
            let wanted = &mut wanted_by[source.node.index()];
            *wanted = if *wanted == NONE || *wanted == own { own } else { MANY };
        }
    }
    let large = groups.into_iter().filter(|g| g.members.len() > 1);
    large.filter_map(|g| Some((*g.members.first()?, look.finish(g)?))).collect()
}

impl Growing {
    fn join(&mut self, id: NodeId, inputs: Vec<Endpoint>) {
        self.inputs.retain(|e| e.node != id);
        for input in inputs {
            if !self.inputs.contains(&input) {
                self.inputs.push(input);
            }
        }
        self.members.push(id);
    }
}

impl Look<'_> {
    /// Where a node's inputs come from, fed and known ones too.
    pub(crate) fn inputs(&self, node: &Node) -> impl Iterator<Item = Endpoint> {
        let fed = |e: &Endpoint| self.pruned.feeds.contains_key(e);
        node.inputs.iter().map(move |e| if fed(e) { *e } else { self.rewritten.source(*e) })
    }

    /// The value of an endpoint that is known before the run.
    fn known(&self, source: Endpoint) -> Option<&Tensor> {
        if self.pruned.feeds.contains_key(&source) { None } else { self.rewritten.constant(source) }
    }

    /// True for a node that can be in a group.
    fn can_fuse(&self, id: NodeId, node: &Node) -> bool {
        let kernel = self.kernels[id.index()].as_ref();
        let plain = |t: &EdgeType| !t.is_ref && t.dtype.is_plain();
        kernel.is_some_and(|k| k.piecewise() != Piecewise::No)
            && node.spec().role == Role::Plain
            && !node.op.is_stateful()
            && node.output_types.len() == 1
            && !node.inputs.is_empty()
            && node.output_types.iter().chain(&node.input_types).all(plain)
            && !node.inputs.iter().any(|e| self.refs.carries(*e))
    }

    /// True where a node can join a group in which all its consumers are.
    fn fits(&self, group: &Growing, id: NodeId, inputs: &[Endpoint], limits: FuseLimits, deaths: &Deaths) -> bool {
        let frame = |id: NodeId| self.flow.frame[self.pruned.position[id.index()] as usize];
        // Whatever a group has of scalars that are known before the run, a device need not be given as tensors.
        let counts = |e: &&Endpoint| !self.known(**e).is_some_and(|t| t.num_elements() == 1 && t.dtype().size() <= 4);
        let kept = group.inputs.iter().filter(|e| e.node != id).filter(counts).count();
        let new = inputs.iter().filter(|e| !group.inputs.contains(e)).filter(counts).count();
        group.members.len() < limits.parts
            && kept + new <= limits.inputs
            && group.members.first().is_some_and(|&last| {
                self.places.number(last) == self.places.number(id)
                    && frame(last) == frame(id)
                    && deaths.of(last) == deaths.of(id)
            })
    }

    /// The kernel of a group; `None` where the device has none.
    fn finish(&self, group: Growing) -> Option<Fused> {
        let Growing { mut members, inputs } = group;
        members.reverse();
        // The order of the plan, in which inputs come first.
        let last = *members.last()?;
        members.sort_by_key(|id| self.pruned.position[id.index()]);
        if members.last() != Some(&last) {
            return None;
        }
        let number: HashMap<NodeId, usize> = members.iter().copied().zip(0..).collect();
        let place: HashMap<Endpoint, usize> = inputs.iter().copied().zip(0..).collect();
        let mut types: Vec<Option<EdgeType>> = vec![None; inputs.len()];
        let mut parts = Vec::with_capacity(members.len());
        for &id in &members {
            let node = self.graph.node(id);
            let mut origins = Vec::with_capacity(node.inputs.len());
            for (source, ty) in self.inputs(node).zip(&node.input_types) {
                origins.push(match place.get(&source) {
                    Some(&i) => {
                        types[i] = Some(*ty);
                        Origin::Input(i)
                    }
                    None => Origin::Part(*number.get(&source.node)?),
                });
            }
            let meta = meta(node, self.places.of(id).name().clone());
            parts.push((node.op.clone(), self.kernels[id.index()].clone()?, meta, origins));
        }
        let known = inputs.iter().map(|e| self.known(*e).cloned()).collect();
        let kernel = self.places.of(last).fuse(&Arc::new(Group::new(parts, known)))?;
        Some(Fused { members, inputs, types: types.into_iter().collect::<Option<_>>()?, kernel })
    }
}
