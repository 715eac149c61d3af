//! Forms regions: replaces groups of nodes on one device that can run as a unit by one node each.
//!
//! Nodes are grouped only if that changes neither the results nor whether a step terminates:
//!
//! - They are on one device and in one frame, and the device permits it for all of them ([`Join`]).
//! - They are alive together: they depend on the same outputs of control flow, and on the same nodes that may wait for
//!   something, so that none of them waits for what only another needs. In a loop this holds in every iteration, since
//!   what an iteration receives comes from a `Merge` or a `Switch`.
//! - No path leads out of the group and back in.

use super::region_order::changes_last;
use crate::draft::{Draft, DraftNode, NodeIx, Port};
use crate::pass::{ALL, Pass, PassCx};
use levada_executor::NodeKind;
use levada_graph::spec::Role;
use levada_graph::{EdgeType, Result, Tensor};
use levada_kernel::region::{Member, Source};
use levada_kernel::transfer::RECV;
use levada_kernel::{Join, Region};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The maximum number of barriers that are tracked for a node.
const MOST_BARRIERS: usize = 128;
/// The maximum number of node classes in which groups are formed, largest classes first.
const MOST_CLASSES: usize = 32;
/// Initial cost estimate of a region, in nanoseconds.
const COST: u32 = 30_000;
/// Stands for an output number: a control edge.
const CONTROL: u32 = u32::MAX;

/// A region needs all its inputs before it starts, which a partial run cannot provide.
pub(crate) const PASS: Pass = Pass {
    name: "regions",
    is_on: |cx| cx.options.regions && !cx.partial,
    needs: ALL,
    keeps: ALL,
    gives: &[],
    for_traces: false,
    run,
};

fn run(draft: &mut Draft<'_>, cx: &PassCx<'_>) -> Result<bool> {
    let Some((groups, links)) = find(draft, cx) else { return Ok(false) };
    let groups = (0..).zip(&groups).filter(|(_, members)| !members.is_empty());
    let made: Vec<_> = groups.map(|(g, members)| (members, region(draft, cx, &links, g, members))).collect();
    let mut new_port: HashMap<Port, Port> = HashMap::new();
    let mut new_number: HashMap<NodeIx, NodeIx> = HashMap::new();
    for (members, NewRegion { node, outputs }) in made {
        let at = draft.replace(members, node);
        new_number.extend(members.iter().map(|&member| (member, at)));
        new_port.extend(outputs.iter().copied().zip((0..).map(|output| Port { node: at, output })));
    }
    draft.redirect(
        |port| new_port.get(&port).copied().unwrap_or(port),
        |before| new_number.get(&before).copied().unwrap_or(before),
    );
    Ok(true)
}

/// The edges between running nodes within one loop iteration, and the groups that the nodes are in.
pub(super) struct Links {
    running: Vec<bool>,
    /// The successors of a node by data or control, each once.
    pub(super) after: Vec<Vec<NodeIx>>,
    /// The predecessors of a node by data or control, each once.
    pub(super) before: Vec<Vec<NodeIx>>,
    /// By node number, the node's group number plus the number of nodes; its own number if it is in no group.
    pub(super) group: Vec<u32>,
}

/// Finds the groups, with members in the order in which they run; some may be empty.
fn find(draft: &Draft<'_>, cx: &PassCx<'_>) -> Option<(Vec<Vec<NodeIx>>, Links)> {
    let count = draft.nodes.len();
    // Without a device that joins nodes there is nothing to do.
    if draft.nodes.iter().filter(|n| n.exists() && matches!(n.join, Join::Reads | Join::Changes)).count() < 2 {
        return None;
    }
    let mut links = Links::of(draft, draft.running());
    let can_receive =
        |node: &DraftNode<'_>| node.op != RECV || cx.placement.devices[node.device as usize].receives().is_some();
    let may_join =
        |&at: &NodeIx| matches!(links.join(draft, at), Join::Reads | Join::Changes) && can_receive(draft.node(at));
    let members: Vec<NodeIx> = (0..count as NodeIx).filter(may_join).collect();
    if members.len() < 2 {
        return None;
    }
    let order = links.sorted(count)?;
    let (barriers, sets) = barriers(draft, &order, &links)?;
    let mut classes: BTreeMap<(u32, u32, u32), Vec<NodeIx>> = BTreeMap::new();
    for at in members {
        let node = draft.node(at);
        classes.entry((node.device, node.frame, barriers[at as usize])).or_default().push(at);
    }
    let mut classes: Vec<Vec<NodeIx>> = classes.into_values().filter(|c| c.len() > 1).collect();
    classes.sort_by_key(|c| std::cmp::Reverse(c.len()));
    let mut groups: Vec<Vec<NodeIx>> = Vec::new();
    for class in classes.iter().take(MOST_CLASSES) {
        let order = links.sorted(count + groups.len())?;
        for level in links.levels(&order, class) {
            let number = (count + groups.len()) as u32;
            level.iter().for_each(|&at| links.group[at as usize] = number);
            groups.push(level);
        }
    }
    if groups.is_empty() {
        return None;
    }
    let die_together = |a: NodeIx, b: NodeIx| {
        let deaths = |at: NodeIx| {
            sets[barriers[at as usize] as usize].iter().filter(|(barrier, _)| leaves_dead(draft.node(*barrier)))
        };
        !draft.has_control_flow || barriers[a as usize] == barriers[b as usize] || deaths(a).eq(deaths(b))
    };
    take_late_reads(draft, &mut links, &mut groups, die_together);
    if groups.iter().all(Vec::is_empty) {
        return None;
    }
    // Groups that form a cycle could not run.
    links.sorted(count + groups.len())?;
    let mut position = vec![0usize; count];
    order.iter().enumerate().for_each(|(i, &at)| position[at as usize] = i);
    for (g, group) in groups.iter_mut().enumerate() {
        group.sort_by_key(|&at| position[at as usize]);
        changes_last(draft, &links, (count + g) as u32, group);
    }
    Some((groups, links))
}

impl Links {
    fn of(draft: &Draft<'_>, running: Vec<bool>) -> Links {
        let count = draft.nodes.len();
        let (mut after, mut before) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for at in (0..count as NodeIx).filter(|&at| running[at as usize]) {
            let node = draft.node(at);
            let sources = node.inputs.iter().map(|p| p.node).chain(node.controls.iter().copied());
            let is_back = |source: NodeIx| {
                node.role() == Some(Role::Merge) && draft.node(source).role() == Some(Role::NextIteration)
            };
            let mut sources: Vec<NodeIx> =
                sources.filter(|&source| running[source as usize] && !is_back(source)).collect();
            sources.sort_unstable();
            sources.dedup();
            sources.iter().for_each(|&source| after[source as usize].push(at));
            before[at as usize] = sources;
        }
        Links { running, after, before, group: (0..count as u32).collect() }
    }

    /// How a node may run together with others.
    pub(super) fn join(&self, draft: &Draft<'_>, at: NodeIx) -> Join {
        let node = draft.node(at);
        let has_refs =
            !node.reads_refs.is_empty() || node.input_types.iter().chain(&*node.output_types).any(|t| t.is_ref);
        let joins = self.running[at as usize] && is_plain(node) && !has_refs;
        if joins { node.join } else { Join::Never }
    }

    /// A topological order of the nodes and groups; `None` if there is a cycle. `numbers`: the total number of nodes
    /// and groups.
    fn sorted(&self, numbers: usize) -> Option<Vec<u32>> {
        let mut members: Vec<SmallVec<[NodeIx; 1]>> = vec![SmallVec::new(); numbers];
        let mut awaited = vec![0usize; numbers];
        for (at, &group) in (0..).zip(&self.group).filter(|(at, _)| self.running[*at as usize]) {
            members[group as usize].push(at);
            awaited[group as usize] +=
                self.before[at as usize].iter().filter(|&&b| self.group[b as usize] != group).count();
        }
        let exists = |&number: &u32| !members[number as usize].is_empty();
        let all = (0..numbers as u32).filter(exists).count();
        let mut open: BTreeSet<u32> =
            (0..numbers as u32).filter(exists).filter(|&number| awaited[number as usize] == 0).collect();
        let mut order = Vec::with_capacity(all);
        while let Some(number) = open.pop_first() {
            order.push(number);
            for &to in members[number as usize].iter().flat_map(|&at| &self.after[at as usize]) {
                let to = self.group[to as usize];
                if to != number {
                    awaited[to as usize] -= 1;
                    if awaited[to as usize] == 0 {
                        open.insert(to);
                    }
                }
            }
        }
        (order.len() == all).then_some(order)
    }

    /// Splits a class into groups that no path leaves and re-enters.
    fn levels(&self, order: &[u32], class: &[NodeIx]) -> Vec<Vec<NodeIx>> {
        let numbers = order.iter().max().map_or(0, |&number| number as usize + 1);
        let mut is_member = vec![false; numbers];
        class.iter().for_each(|&at| is_member[at as usize] = true);
        let mut members: Vec<SmallVec<[NodeIx; 1]>> = vec![SmallVec::new(); numbers];
        for (at, &group) in (0..).zip(&self.group).filter(|(at, _)| self.running[*at as usize]) {
            members[group as usize].push(at);
        }
        let mut level = vec![0u32; numbers];
        let mut found: BTreeMap<u32, Vec<NodeIx>> = BTreeMap::new();
        for &number in order {
            for &before in members[number as usize].iter().flat_map(|&at| &self.before[at as usize]) {
                let before = self.group[before as usize] as usize;
                let leaves = u32::from(is_member[before] && !is_member[number as usize]);
                if before as u32 != number {
                    level[number as usize] = level[number as usize].max(level[before] + leaves);
                }
            }
            if is_member[number as usize] {
                found.entry(level[number as usize]).or_default().push(number);
            }
        }
        found.into_values().filter(|group| group.len() > 1).collect()
    }
}

/// True for a node that takes no part in control flow.
pub(super) fn is_plain(node: &DraftNode<'_>) -> bool {
    node.kind == NodeKind::Plain && matches!(node.role(), Some(Role::Plain | Role::Const))
}

/// True for a node that may wait for something or leave outputs dead.
fn is_barrier(node: &DraftNode<'_>) -> bool {
    let waits = node.graph_node().is_some_and(|n| n.op.is_stateful() && node.join == Join::Never);
    waits || leaves_dead(node)
}

/// True for a node that may leave outputs dead. Loop invariants do not count: they are as dead or alive inside as
/// outside.
fn leaves_dead(node: &DraftNode<'_>) -> bool {
    !(is_plain(node) || node.role() == Some(Role::Placeholder) || node.kind == NodeKind::Enter(true))
}

/// Outputs of barriers, control edges included, in order.
type BarrierSet = Vec<(NodeIx, u32)>;

/// For each node the number of the set of barriers that it depends on, and the sets. What comes before a barrier is not
/// included: the barrier stands for it. `None` if there are too many.
fn barriers(draft: &Draft<'_>, order: &[NodeIx], links: &Links) -> Option<(Vec<u32>, Vec<BarrierSet>)> {
    let mut sets: Vec<BarrierSet> = vec![Vec::new()];
    let mut numbers: HashMap<BarrierSet, u32> = HashMap::from([(Vec::new(), 0)]);
    let mut of = vec![0u32; draft.nodes.len()];
    for &at in order {
        let node = draft.node(at);
        let data = node.inputs.iter().map(|p| (p.node, p.output));
        let edges = data.chain(node.controls.iter().map(|&before| (before, CONTROL)));
        let mut set: BTreeSet<(NodeIx, u32)> = BTreeSet::new();
        let mut seen: SmallVec<[u32; 4]> = SmallVec::new();
        for (source, output) in edges.filter(|(source, _)| links.running[*source as usize]) {
            let before = of[source as usize];
            if is_barrier(draft.node(source)) {
                set.insert((source, output));
            } else if !seen.contains(&before) {
                seen.push(before);
                set.extend(&sets[before as usize]);
            }
        }
        if set.len() > MOST_BARRIERS {
            return None;
        }
        let set: Vec<_> = set.into_iter().collect();
        let next = sets.len() as u32;
        of[at as usize] = *numbers.entry(set).or_insert_with_key(|set| {
            sets.push(set.clone());
            next
        });
    }
    Some((of, sets))
}

/// Moves nodes that only one group needs into that group, ahead of its members: a variable is read where its value is
/// used, so that nothing else holds the value when it changes. A node that would run even if the group is dead stays
/// outside, since it may fail. Groups that are left with one node are emptied.
fn take_late_reads(
    draft: &Draft<'_>,
    links: &mut Links,
    groups: &mut [Vec<NodeIx>],
    die_together: impl Fn(NodeIx, NodeIx) -> bool,
) {
    let count = draft.nodes.len();
    let mut is_fetched = vec![false; count];
    let fetches = draft.nodes.iter().filter(|n| n.exists() && n.is_fetch());
    fetches.flat_map(|n| &n.inputs).for_each(|port| is_fetched[port.node as usize] = true);
    for at in (0..count).filter(|&at| !is_fetched[at]) {
        let node = &draft.nodes[at];
        if links.join(draft, at as NodeIx) != Join::Reads {
            continue;
        }
        let mut users = links.after[at].iter().map(|&to| links.group[to as usize]);
        let Some(group) = users.next().filter(|&g| g as usize >= count && users.all(|u| u == g)) else { continue };
        let Some(&first) = groups[group as usize - count].first() else { continue };
        let is_alike = draft.node(first).device == node.device
            && draft.node(first).frame == node.frame
            && group != links.group[at]
            && die_together(at as NodeIx, first);
        let comes_first = |&b: &NodeIx| links.before[b as usize].is_empty() && links.group[b as usize] == b;
        if is_alike && links.before[at].iter().all(comes_first) {
            if let Some(left) = (links.group[at] as usize).checked_sub(count) {
                groups[left].retain(|&member| member as usize != at);
            }
            links.group[at] = group;
            groups[group as usize - count].push(at as NodeIx);
        }
    }
    for group in groups {
        if let [alone] = group[..] {
            links.group[alone as usize] = alone;
            group.clear();
        }
    }
}

/// A region and the ports that become its outputs, in order.
struct NewRegion<'g> {
    node: DraftNode<'g>,
    outputs: Vec<Port>,
}

/// The node for a group with members in the order in which they run.
fn region<'g>(draft: &Draft<'g>, cx: &PassCx<'_>, links: &Links, group: u32, members: &[NodeIx]) -> NewRegion<'g> {
    let group = draft.nodes.len() as u32 + group;
    let first = draft.node(members.first().copied().unwrap_or_default());
    let device = &cx.placement.devices[first.device as usize];
    let is_inside = |port: Port| links.group[port.node as usize] == group;
    let (inputs, input_types) = inputs(draft, members, is_inside);
    let mut values: HashMap<Port, u32> = inputs.iter().copied().zip(0..).collect();
    let mut next = inputs.len() as u32;
    let mut constants: Vec<Tensor> = Vec::new();
    let receives = device.receives();
    let mut of_region = Vec::with_capacity(members.len());
    for &at in members {
        let node = draft.node(at);
        let mut sources = Vec::with_capacity(node.inputs.len());
        for &port in &node.inputs {
            sources.push(match draft.value(port) {
                Some(value) => {
                    constants.push(value.clone());
                    Source::Constant(constants.len() as u32 - 1)
                }
                None => Source::Value(values.get(&port).copied().unwrap_or_default()),
            });
        }
        let first_output = next;
        for output in 0..node.output_types.len() as u32 {
            values.insert(Port { node: at, output }, next);
            next += 1;
        }
        let own = if node.op == RECV { receives.clone() } else { None };
        if let Some(kernel) = own.or_else(|| node.kernel.clone()) {
            let meta = node.meta(device.name().clone());
            of_region.push(Member { kernel, meta, inputs: sources.into(), outputs: first_output..next });
        }
    }
    let outputs = outputs(draft, links, members, is_inside);
    let leaving = outputs.iter().map(|port| values[port]).collect();
    let region = Region::new(of_region, inputs.len() as u32, leaving, constants);
    let meta = region.meta(&**device);
    let types = meta.outputs.iter().map(|&dtype| EdgeType { dtype, is_ref: false });
    let node = DraftNode {
        inputs,
        input_types: input_types.into(),
        output_types: types.collect(),
        device: first.device,
        frame: first.frame,
        cost: COST,
        members: members.iter().flat_map(|&at| draft.node(at).computes()).cloned().collect(),
        ..DraftNode::new(meta.name, meta.op, Some(device.region(region)))
    };
    NewRegion { node, outputs }
}

/// A group's inputs from outside that are not known before the run, each once.
fn inputs(
    draft: &Draft<'_>,
    members: &[NodeIx],
    is_inside: impl Fn(Port) -> bool,
) -> (SmallVec<[Port; 2]>, Vec<EdgeType>) {
    let (mut inputs, mut types) = (SmallVec::new(), Vec::new());
    let mut seen: std::collections::HashSet<Port> = std::collections::HashSet::new();
    for node in members.iter().map(|&at| draft.node(at)) {
        for (&port, &ty) in node.inputs.iter().zip(&*node.input_types) {
            if !is_inside(port) && draft.value(port).is_none() && seen.insert(port) {
                inputs.push(port);
                types.push(ty);
            }
        }
    }
    (inputs, types)
}

/// The outputs of members that nodes or fetches outside the group take, in order.
fn outputs(draft: &Draft<'_>, links: &Links, members: &[NodeIx], is_inside: impl Fn(Port) -> bool) -> Vec<Port> {
    let fetches = draft.first_fetch()..draft.nodes.len() as NodeIx;
    let fetches = fetches.take_while(|&at| draft.node(at).is_fetch());
    let users = members.iter().flat_map(|&at| &links.after[at as usize]).copied().chain(fetches);
    let outside = users.filter(|&at| !is_inside(Port { node: at, output: 0 }));
    let ports = outside.flat_map(|at| draft.node(at).inputs.iter().copied()).filter(|&port| is_inside(port));
    ports.collect::<BTreeSet<_>>().into_iter().collect()
}
