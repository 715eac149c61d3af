//! Computes scalars together: elementwise nodes on scalars that become ready at the same moment run as one node,
//! whatever edges there are between them, and whichever host-memory devices they are on. A node that stacks some of
//! them into a vector is part of it.
//!
//! The sources of such a node are the other nodes that it depends on, reached through such nodes only. It becomes ready
//! when they have run. Nodes with the same sources become ready together, so that none waits for what only another
//! needs, and are dead together. No path leads out of them and back: it would lead through a source that depends on
//! itself, or through a node that has exactly their sources and is therefore one of them.

use super::regions::is_plain;
use crate::draft::{self, Draft, DraftNode, NodeIx, Port, cost};
use crate::infer;
use crate::pass::{ALL, Pass, PassCx};
use levada_graph::attr::Attrs as AttrMap;
use levada_graph::spec::Role;
use levada_graph::{AnyOp, EdgeType, PartialShape, Result, Tensor};
use levada_kernel::group::Origin;
use levada_kernel::region::{Member, REGION, Source};
use levada_kernel::scalars::fits_register;
use levada_kernel::{AnyKernel, Piecewise, Region, ScalarRegion};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::sync::Arc;

/// The maximum number of sources that are tracked for a node; a node with more becomes a source itself.
const MOST_SOURCES: usize = 16;
/// The maximum number of kernels of the same op that a kernel is compared with.
const MOST_COMPARED: usize = 64;
/// Stands for an output number: a control edge.
const CONTROL: u32 = u32::MAX;
/// Stands for a group number: no group.
const NO_GROUP: u32 = u32::MAX;

/// The combined node needs all its inputs before it starts, which a partial run cannot provide.
pub(crate) const PASS: Pass = Pass {
    name: "scalars",
    is_on: |cx| cx.options.fuse && !cx.options.watched && !cx.partial,
    needs: ALL,
    keeps: ALL,
    gives: &[],
    for_traces: false,
    run,
};

fn run(draft: &mut Draft<'_>, cx: &PassCx<'_>) -> Result<bool> {
    let Some(groups) = find(draft, cx) else { return Ok(false) };
    let leaving = groups.leaving(draft);
    let mut moved: HashMap<Port, Port> = HashMap::new();
    let mut at_of = vec![None; groups.members.len()];
    let mut kernels = Kernels::default();
    for (number, members) in groups.members.iter().enumerate() {
        let Some((node, outputs)) = region(draft, cx, &mut kernels, (&groups, number as u32), &leaving[number]) else {
            continue;
        };
        let at = draft.replace(members, node);
        at_of[number] = Some(at);
        moved.extend(outputs.into_iter().map(|(port, output)| (port, Port { node: at, output })));
    }
    draft.redirect(
        |port| moved.get(&port).copied().unwrap_or(port),
        |before| {
            let group = groups.of.get(before as usize).copied().unwrap_or(NO_GROUP);
            at_of.get(group as usize).copied().flatten().unwrap_or(before)
        },
    );
    Ok(at_of.iter().any(Option::is_some))
}

/// The nodes that become ready together.
struct Groups {
    /// In the order in which they run.
    members: Vec<Vec<NodeIx>>,
    /// By node number, the number of its group.
    of: Vec<u32>,
}

/// Finds the groups of more than one node; `None` if there are none.
fn find(draft: &Draft<'_>, cx: &PassCx<'_>) -> Option<Groups> {
    let on_host: Vec<bool> = cx.placement.devices.iter().map(|d| d.memory().is_none() && d.fuses().is_some()).collect();
    let running = draft.running();
    let mut may: Vec<bool> = (0..)
        .zip(&draft.nodes)
        .map(|(at, n)| running[at] && on_host[n.device as usize] && is_elementwise(draft, n))
        .collect();
    if may.iter().filter(|may| **may).count() < 2 {
        return None;
    }
    keep_scalars(draft, cx, &mut may);
    let mut sets = Sets::default();
    let mut groups = Groups { members: Vec::new(), of: vec![NO_GROUP; draft.nodes.len()] };
    let mut numbers: HashMap<u32, usize> = HashMap::new();
    let mut sources: Vec<Option<u32>> = vec![None; draft.nodes.len()];
    for at in draft.existing().filter(|&at| may[at as usize]) {
        let Some(set) = sets.of(draft, at, &sources) else { continue };
        sources[at as usize] = Some(set);
        let number = *numbers.entry(set).or_insert(groups.members.len());
        if number == groups.members.len() {
            groups.members.push(Vec::new());
        }
        groups.members[number].push(at);
    }
    groups.members.retain(|members| members.len() > 1);
    for (number, members) in (0..).zip(&groups.members) {
        members.iter().for_each(|&at| groups.of[at as usize] = number);
    }
    let stacks: Vec<(NodeIx, u32)> = draft
        .existing()
        .filter(|&at| running[at as usize] && on_host[draft.node(at).device as usize])
        .filter_map(|at| Some((at, groups.stacked_by(draft, draft.node(at))?)))
        .collect();
    for (at, number) in stacks {
        groups.members[number as usize].push(at);
        groups.of[at as usize] = number;
    }
    (!groups.members.is_empty()).then_some(groups)
}

impl Groups {
    /// The group whose members a node stacks into a vector; `None` if the node has other inputs that are computed in
    /// the run.
    fn stacked_by(&self, draft: &Draft<'_>, node: &DraftNode<'_>) -> Option<u32> {
        let is_alone = node.graph_node().is_some_and(|n| n.spec().role == Role::Plain && !n.op.is_stateful());
        let is_free = node.frame == 0 && !node.is_pinned && node.controls.is_empty() && node.reads_refs.is_empty();
        let stacks = node.kernel.as_ref().is_some_and(|kernel| kernel.stacks());
        let [output] = &*node.output_types else { return None };
        if !is_alone || !is_free || !stacks || output.is_ref || !fits_register(output.dtype) {
            return None;
        }
        let mut from = node.inputs.iter().filter(|port| draft.value(**port).is_none()).map(|port| self.of(port.node));
        let number = from.next().filter(|&number| number != NO_GROUP && from.all(|other| other == number))?;
        let mut known = node.inputs.iter().filter_map(|&port| draft.value(port));
        known.all(|value| value.shape().is_scalar()).then_some(number)
    }
}

/// True for an elementwise node, or a group of them, whose tensors all fit into registers if they are scalars.
fn is_elementwise(draft: &Draft<'_>, node: &DraftNode<'_>) -> bool {
    let fits = |t: &EdgeType| !t.is_ref && fits_register(t.dtype);
    let is_alone = || node.graph_node().is_some_and(|n| n.spec().role == Role::Plain && !n.op.is_stateful());
    let computes = match &node.group {
        Some(group) => group.parts.iter().all(|part| {
            part.kernel.piecewise() != Piecewise::No && part.meta.outputs.iter().all(|&dtype| fits_register(dtype))
        }),
        None => is_alone() && (passes_on(node) || node.kernel.as_ref().is_some_and(|k| k.piecewise() != Piecewise::No)),
    };
    computes
        && node.frame == 0
        && !node.is_pinned
        && node.reads_refs.is_empty()
        && node.output_types.len() == 1
        && !node.inputs.is_empty()
        && node.output_types.iter().chain(&*node.input_types).all(fits)
        && !node.inputs.iter().any(|port| draft.ref_ports.contains(port))
        && !(passes_on(node) && draft.value(node.inputs[0]).is_some())
}

/// True for a node that only forwards its input.
fn passes_on(node: &DraftNode<'_>) -> bool {
    node.inputs.len() == 1 && node.graph_node().is_some_and(|n| n.spec().forwards)
}

/// Keeps only those of these nodes whose inputs are all known to be scalars.
fn keep_scalars(draft: &Draft<'_>, cx: &PassCx<'_>, may: &mut [bool]) {
    let mut is_needed = may.to_vec();
    for at in draft.existing().rev().filter(|&at| draft.node(at).values.is_none()) {
        if is_needed[at as usize] {
            draft.node(at).inputs.iter().for_each(|port| is_needed[port.node as usize] = true);
        }
    }
    let mut shapes: Vec<Vec<PartialShape>> = vec![Vec::new(); draft.nodes.len()];
    for at in draft.existing().filter(|&at| is_needed[at as usize]) {
        let node = draft.node(at);
        let of = |port: &Port| {
            let source = draft.node(port.node);
            match (draft.value(*port), source.origin) {
                (Some(value), _) => PartialShape::from(value.shape()),
                (None, draft::Origin::Feed(feed)) => draft.feeds[feed].shape.clone(),
                (None, _) if may[port.node as usize] && port.node < at => PartialShape::scalar(),
                (None, _) => shapes[port.node as usize].get(port.output as usize).cloned().unwrap_or_default(),
            }
        };
        let inputs: Vec<PartialShape> = node.inputs.iter().map(of).collect();
        if may[at as usize] && inputs.iter().all(|shape| shape.rank() == Some(0)) {
            continue;
        }
        may[at as usize] = false;
        shapes[at as usize] = if let Some(of_graph) = node.graph_node() {
            let constants: Vec<Option<&Tensor>> = node.inputs.iter().map(|&port| draft.value(port)).collect();
            infer::outputs(cx.graph, of_graph, &inputs, &constants).0
        } else if node
            .group
            .as_ref()
            .is_some_and(|g| g.parts.iter().all(|p| p.kernel.piecewise() == Piecewise::Broadcast))
        {
            let shape = inputs.iter().try_fold(PartialShape::scalar(), |all, shape| all.broadcast(shape));
            vec![shape.unwrap_or_default()]
        } else {
            Vec::new()
        };
    }
}

/// Interned sets of sources.
#[derive(Default)]
struct Sets {
    all: Vec<SmallVec<[Port; 4]>>,
    numbers: HashMap<SmallVec<[Port; 4]>, u32>,
}

impl Sets {
    /// The number of a node's set; `None` if it has too many sources. `known`: the sets of the nodes before it.
    fn of(&mut self, draft: &Draft<'_>, at: NodeIx, known: &[Option<u32>]) -> Option<u32> {
        let node = draft.node(at);
        let control = |&before: &NodeIx| Port { node: before, output: CONTROL };
        let before = node.inputs.iter().copied().chain(node.controls.iter().map(control));
        let mut only = None;
        let mut all: SmallVec<[Port; 16]> = SmallVec::new();
        for port in before {
            let source = draft.node(port.node);
            match known[port.node as usize] {
                _ if source.is_feed() || source.values.is_some() => {}
                Some(set) if only == Some(set) => {}
                Some(set) => {
                    only = only.or(Some(set));
                    all.extend(self.all[set as usize].iter().copied());
                }
                // All outputs of a plain node appear at the same time and are dead together.
                None if is_plain(source) => all.push(Port { node: port.node, output: 0 }),
                None => all.push(port),
            }
        }
        all.sort_unstable();
        all.dedup();
        if all.len() > MOST_SOURCES {
            return None;
        }
        let next = self.all.len() as u32;
        let set: SmallVec<[Port; 4]> = all.into_iter().collect();
        let number = *self.numbers.entry(set.clone()).or_insert(next);
        if number == next {
            self.all.push(set);
        }
        Some(number)
    }
}

impl Groups {
    fn of(&self, at: NodeIx) -> u32 {
        self.of[at as usize]
    }

    /// The outputs of each group that nodes outside it take, each once.
    fn leaving(&self, draft: &Draft<'_>) -> Vec<Vec<Port>> {
        let mut leaving: Vec<Vec<Port>> = vec![Vec::new(); self.members.len()];
        let mut is_listed = vec![false; draft.nodes.len()];
        for at in draft.existing() {
            for port in &draft.node(at).inputs {
                let group = self.of(port.node);
                let leaves = group != NO_GROUP && group != self.of(at);
                if leaves && !std::mem::replace(&mut is_listed[port.node as usize], true) {
                    leaving[group as usize].push(*port);
                }
            }
        }
        leaving
    }
}

/// Kernels by op name: ops with equal attrs share one.
#[derive(Default)]
struct Kernels(HashMap<&'static str, Vec<Shared>>);

/// A kernel and the attrs that it was built from.
struct Shared {
    attrs: AttrMap,
    kernel: Arc<dyn AnyKernel>,
}

impl Kernels {
    fn shared(&mut self, op: &dyn AnyOp, kernel: &Arc<dyn AnyKernel>) -> Arc<dyn AnyKernel> {
        let attrs = op.encode();
        let known = self.0.entry(op.spec().name).or_default();
        match known.iter().rev().take(MOST_COMPARED).find(|shared| shared.attrs == attrs) {
            Some(shared) => shared.kernel.clone(),
            None => {
                known.push(Shared { attrs, kernel: kernel.clone() });
                kernel.clone()
            }
        }
    }
}

/// A node that computes a group, and which of its outputs replaces each value that leaves the group.
fn region<'g>(
    draft: &Draft<'g>,
    cx: &PassCx<'_>,
    kernels: &mut Kernels,
    (groups, number): (&Groups, u32),
    leaving: &[Port],
) -> Option<(DraftNode<'g>, Vec<(Port, u32)>)> {
    let members = &groups.members[number as usize];
    let on = draft.node(*members.first()?).device;
    let is_inside = |port: &Port| groups.of(port.node) == number;
    // The inputs from outside, each once.
    let mut inputs: SmallVec<[Port; 2]> = SmallVec::new();
    let mut input_types = Vec::new();
    let mut constants: Vec<Tensor> = Vec::new();
    let mut outside: HashMap<Port, Source> = HashMap::new();
    for node in members.iter().map(|&at| draft.node(at)) {
        for (port, ty) in node.inputs.iter().zip(&*node.input_types).filter(|(port, _)| !is_inside(port)) {
            outside.entry(*port).or_insert_with(|| match draft.value(*port) {
                Some(value) => {
                    constants.push(value.clone());
                    Source::Constant(constants.len() as u32 - 1)
                }
                None => {
                    inputs.push(*port);
                    input_types.push(*ty);
                    Source::Value(inputs.len() as u32 - 1)
                }
            });
        }
    }
    let mut inside: HashMap<NodeIx, Source> = HashMap::with_capacity(members.len());
    let mut of_region: Vec<Member> = Vec::with_capacity(members.len());
    let first = inputs.len() as u32;
    for &at in members {
        let node = draft.node(at);
        let of = |port: &Port| if is_inside(port) { inside.get(&port.node) } else { outside.get(port) }.copied();
        let sources = node.inputs.iter().map(of).collect::<Option<SmallVec<[Source; 4]>>>()?;
        let mut add = |op: &dyn AnyOp, kernel: &Arc<dyn AnyKernel>, meta, inputs| {
            let kernel = kernels.shared(op, kernel);
            let value = first + of_region.len() as u32;
            of_region.push(Member { kernel, meta, inputs, outputs: value..value + 1 });
            Source::Value(value)
        };
        let value = match &node.group {
            Some(group) => {
                let mut parts: SmallVec<[Source; 8]> = SmallVec::new();
                for part in &group.parts {
                    let of = |origin| match origin {
                        Origin::Input(i) => sources.get(i).copied(),
                        Origin::Part(p) => parts.get(p).copied(),
                    };
                    let inputs = part.inputs.iter().map(|source| of(source.origin)).collect::<Option<_>>()?;
                    parts.push(add(&*part.op, &part.kernel, part.meta.clone(), inputs));
                }
                parts.pop()?
            }
            None if passes_on(node) => sources[0],
            None => {
                let (op, kernel) = (&*node.graph_node()?.op, node.kernel.as_ref()?);
                add(
                    op,
                    kernel,
                    node.meta(cx.placement.devices[node.device as usize].name().clone()),
                    sources.into_vec().into(),
                )
            }
        };
        inside.insert(at, value);
    }
    let mut leaves: Vec<u32> = Vec::new();
    let mut types: Vec<EdgeType> = Vec::new();
    let mut outputs: Vec<(Port, u32)> = Vec::new();
    let mut known: HashMap<u32, u32> = HashMap::new();
    for &port in leaving {
        let Source::Value(value) = *inside.get(&port.node)? else { return None };
        let output = *known.entry(value).or_insert_with(|| {
            leaves.push(value);
            types.push(draft.node(port.node).output_types[0]);
            leaves.len() as u32 - 1
        });
        outputs.push((port, output));
    }
    let region = Region::new(of_region, first, leaves, constants);
    let (name, count) = (region.name(), region.members.len());
    let kernel = Arc::new(ScalarRegion::new(region, input_types.iter().map(|ty: &EdgeType| ty.dtype).collect())?);
    let node = DraftNode {
        inputs,
        input_types: input_types.into(),
        output_types: types.into(),
        device: on,
        cost: cost(&*kernel, count),
        members: members.iter().flat_map(|&at| draft.node(at).computes()).cloned().collect(),
        ..DraftNode::new(name, REGION, Some(kernel))
    };
    Some((node, outputs))
}
