//! Fuses the cells of recurrent and gated layers: replaces elementwise nodes that take the outputs of a split, or whose
//! outputs are concatenated, by one node each, which reads and writes the pieces where they lie in the whole tensors.
//! Unlike the groups of [`fuse`](super::fuse), a cell may have several outputs, so it covers the nodes whose values a
//! gradient needs later, too.
//!
//! A cell is convex: no path leaves it and comes back, so that it can wait for all its inputs before it gives any
//! output. All results of a loop count as if they depended on all that enters it. Nodes may also wait for others in ways that the graph does not show, as those of queues do: if an input of a
//! cell depends on such a node, all outputs do, so that none of them can be what it waits for. All nodes of a cell are
//! dead together.

use super::deadness::Deadness;
use super::fuse::strip;
use crate::draft::{Draft, DraftNode, NodeIx, Port, cost};
use crate::pass::{ALL, Fact, Pass, PassCx};
use levada_executor::NodeKind;
use levada_graph::spec::Role;
use levada_graph::{DType, EdgeType, Result};
use levada_kernel::group::{FuseLimits, Origin};
use levada_kernel::{Basic, Group, SplitOutput, Strip};
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

pub(crate) const PASS: Pass = Pass {
    name: "cells",
    is_on: |cx| cx.options.fuse && !cx.partial,
    needs: &[Fact::Frames, Fact::References],
    keeps: ALL,
    gives: &[],
    for_traces: true,
    run,
};

/// The maximum number of nodes that are seen on paths out of cells.
const BUDGET: usize = 1 << 21;
/// The maximum distance of a cell's nodes from the one that it grows from, by number: so that a search for paths between
/// them is short, and a cell does not extend from a layer to its gradient.
const NEAR: NodeIx = 256;
/// The maximum number of nodes that may wait for others.
const WAITING: usize = 16;

fn run(draft: &mut Draft<'_>, cx: &PassCx<'_>) -> Result<bool> {
    let is_one = |at: &NodeIx| is_split(draft, *at) || is_join(draft, *at);
    let ends: Vec<NodeIx> = draft.existing().filter(is_one).collect();
    if ends.is_empty() {
        return Ok(false);
    }
    let Some(search) = Search::new(draft, cx) else { return Ok(false) };
    let cells = search.all(&ends);
    if cells.is_empty() {
        return Ok(false);
    }
    let Some(order) = search.order(&cells) else { return Ok(false) };
    let made: Vec<Made<'_>> = cells.iter().filter_map(|cell| search.made(cx, cell)).collect();
    if made.len() != cells.len() {
        return Ok(false);
    }
    let mut ports: HashMap<Port, Port> = HashMap::new();
    // The first cell that reads outputs of each split.
    let mut splits: BTreeMap<NodeIx, NodeIx> = BTreeMap::new();
    for Made { node, members, outputs, windows } in made {
        let at = draft.replace(&members, node);
        ports.extend(outputs.iter().zip(0..).map(|(&from, output)| (from, Port { node: at, output })));
        windows.into_iter().for_each(|split| {
            splits.entry(split).or_insert(at);
        });
    }
    draft.redirect(|port| ports.get(&port).copied().unwrap_or(port), |before| before);
    draft.reorder(&order);
    let new = |at: NodeIx| order[at as usize];
    remove_unused(draft, splits.into_iter().map(|(split, cell)| (new(split), new(cell))).collect());
    Ok(true)
}

/// True for a node that may wait for another one that it does not depend on.
fn may_wait(draft: &Draft<'_>, at: NodeIx) -> bool {
    draft.node(at).graph_node().is_some_and(|node| {
        let spec = node.spec();
        let is_step = spec.store.is_some() || spec.effect.is_some();
        matches!(spec.role, Role::Send | Role::Recv) || (node.op.is_stateful() && !is_step)
    })
}

/// Makes the splits that nothing takes any more members of these cells.
fn remove_unused(draft: &mut Draft<'_>, mut splits: BTreeMap<NodeIx, NodeIx>) {
    for at in draft.existing() {
        let node = draft.node(at);
        node.inputs.iter().map(|port| port.node).chain(node.controls.iter().copied()).for_each(|before| {
            splits.remove(&before);
        });
    }
    for (split, cell) in splits {
        let (name, op) = (draft.node(split).name.clone(), draft.node(split).op);
        draft.remove(split);
        let node = &mut draft.nodes[cell as usize];
        node.members = std::iter::once(name).chain(node.computes().iter().cloned()).collect();
        node.member_ops = std::iter::once(op).chain(node.computes_ops().iter().copied()).collect();
    }
}

/// True for a node of float32 or bool that computes its outputs from its inputs alone and does not depend on others.
fn is_plain(draft: &Draft<'_>, at: NodeIx) -> bool {
    let node = draft.node(at);
    let is_good = |t: &EdgeType| !t.is_ref && matches!(t.dtype, DType::F32 | DType::Bool);
    node.exists()
        && node.values.is_none()
        && !node.is_pinned
        && node.controls.is_empty()
        && !node.inputs.is_empty()
        && node.output_types.iter().all(is_good)
        && node.graph_node().is_some_and(|n| n.spec().role == Role::Plain && !n.op.is_stateful())
        && !node.inputs.iter().any(|port| draft.ref_ports.contains(port))
}

/// True for a node that splits a tensor into equal pieces along an axis known before the run.
fn is_split(draft: &Draft<'_>, at: NodeIx) -> bool {
    let axis = || draft.node(at).inputs.first().and_then(|&port| draft.value(port));
    is_plain(draft, at) && matches!(strip(draft, draft.node(at)), Some(Strip::Split)) && axis().is_some()
}

/// True for a node that concatenates tensors along an axis known before the run.
fn is_join(draft: &Draft<'_>, at: NodeIx) -> bool {
    let axis = || draft.node(at).inputs.last().and_then(|&port| draft.value(port));
    is_plain(draft, at) && matches!(strip(draft, draft.node(at)), Some(Strip::Join)) && axis().is_some()
}

/// A cell before it is a node: its elementwise nodes and the concatenations of their outputs.
type Members = BTreeSet<NodeIx>;

/// A cell as a node.
struct Made<'g> {
    node: DraftNode<'g>,
    members: Vec<NodeIx>,
    /// The members' ports that its outputs replace.
    outputs: Vec<Port>,
    /// The splits whose outputs it reads where they lie.
    windows: Vec<NodeIx>,
}

/// A set of frames, as bits.
type Frames = u128;

/// Which nodes come before and after loops.
struct Loops {
    /// By node number, the frames that a path from the node enters.
    entered: Vec<Frames>,
    /// By node number, the frames from which a path leads to the node.
    left: Vec<Frames>,
    /// By frame, the frames that a path from a result of its loop enters, through other loops as well, and itself.
    reached: Vec<Frames>,
}

impl Loops {
    /// `after`: the consumers of each node, except along the back edges of loops. `None` if there are too many frames.
    fn find(draft: &Draft<'_>, after: &[Vec<NodeIx>]) -> Option<Loops> {
        let (nodes, frames) = (draft.nodes.len(), draft.frames.len());
        if frames > Frames::BITS as usize {
            return None;
        }
        let (mut entered, mut left) = (vec![0; nodes], vec![0; nodes]);
        for at in draft.existing() {
            let (frame, after) = (draft.node(at).frame, &after[at as usize]);
            match draft.node(at).kind {
                NodeKind::Exit => left[at as usize] = 1 << frame,
                NodeKind::Enter(_) => after.iter().for_each(|&to| entered[at as usize] |= 1 << draft.node(to).frame),
                _ => {}
            }
        }
        // Most nodes come after those that they depend on, so that few rounds are needed.
        let mut changed = frames > 1;
        while changed {
            changed = false;
            let mut add = |all: &mut [Frames], from: usize, to: usize| {
                let sum = all[to] | all[from];
                changed |= std::mem::replace(&mut all[to], sum) != sum;
            };
            for (at, after) in after.iter().enumerate() {
                after.iter().for_each(|&to| add(&mut left, at, to as usize));
            }
            for (at, after) in after.iter().enumerate().rev() {
                after.iter().for_each(|&to| add(&mut entered, to as usize, at));
            }
        }
        let mut reached: Vec<Frames> = (0..frames).map(|frame| 1 << frame).collect();
        for at in draft.existing().filter(|&at| draft.node(at).kind == NodeKind::Exit) {
            reached[draft.node(at).frame as usize] |= entered[at as usize];
        }
        for via in 0..frames {
            for frame in 0..frames {
                if reached[frame] >> via & 1 == 1 {
                    reached[frame] |= reached[via];
                }
            }
        }
        Some(Loops { entered, left, reached })
    }

    /// True if a path from some of these nodes leads through loops to one of them.
    fn lead_back(&self, nodes: &Members) -> bool {
        let all = |of: &[Frames]| nodes.iter().fold(0, |all, &at| all | of[at as usize]);
        let (entered, left) = (all(&self.entered), all(&self.left));
        (0..).zip(&self.reached).any(|(frame, reached)| entered >> frame & 1 == 1 && reached & left != 0)
    }
}

/// What the search for cells needs to know of a draft.
struct Search<'d, 'g> {
    draft: &'d Draft<'g>,
    limits: Vec<Option<FuseLimits>>,
    deadness: Deadness,
    /// By node number, the consumers by data or control, except along the back edges of loops.
    after: Vec<Vec<NodeIx>>,
    /// By node number, whether others wait for it by control.
    is_before: Vec<bool>,
    /// For each node that may wait for others, by node number, whether the node depends on it.
    waiting: Vec<Vec<bool>>,
    loops: Loops,
    /// By node number, whether the node can be an elementwise member.
    is_member: Vec<bool>,
    /// How many more nodes may be seen on paths out of cells.
    budget: Cell<usize>,
}

impl<'d, 'g> Search<'d, 'g> {
    /// `None` if a node comes before one that it depends on, or if many nodes or nodes in loops may wait for others.
    fn new(draft: &'d Draft<'g>, cx: &PassCx<'_>) -> Option<Search<'d, 'g>> {
        let mut after: Vec<Vec<NodeIx>> = vec![Vec::new(); draft.nodes.len()];
        let mut is_before = vec![false; draft.nodes.len()];
        for at in draft.existing() {
            let node = draft.node(at);
            for before in node.inputs.iter().map(|port| port.node).chain(node.controls.iter().copied()) {
                let (source, is_source) = (draft.node(before), draft.node(before).inputs.is_empty());
                if source.kind == NodeKind::NextIteration {
                    continue;
                }
                if before > at && !is_source {
                    return None;
                }
                after[before as usize].push(at);
            }
            node.controls.iter().for_each(|&before| is_before[before as usize] = true);
        }
        let may_wait: Vec<NodeIx> = draft.existing().filter(|&at| may_wait(draft, at)).collect();
        if may_wait.len() > WAITING || may_wait.iter().any(|&at| draft.node(at).frame != 0) {
            return None;
        }
        let waiting = may_wait.into_iter().map(|at| {
            let mut depends = vec![false; draft.nodes.len()];
            let mut next = vec![at];
            while let Some(at) = next.pop() {
                if !std::mem::replace(&mut depends[at as usize], true) {
                    next.extend(&after[at as usize]);
                }
            }
            depends
        });
        let waiting = waiting.collect();
        let loops = Loops::find(draft, &after)?;
        let running = draft.running();
        let limits: Vec<Option<FuseLimits>> = cx.placement.devices.iter().map(|device| device.fuses()).collect();
        let is_member = |at: NodeIx| {
            let node = draft.node(at);
            let is_elementwise = || match strip(draft, draft.node(at)) {
                Some(Strip::Basic(basic)) => basic != Basic::Identity,
                Some(Strip::Series { .. } | Strip::Each(_)) => true,
                _ => false,
            };
            running[at as usize]
                && limits[node.device as usize].is_some()
                && !is_before[at as usize]
                && node.output_types.len() == 1
                && is_plain(draft, at)
                && is_elementwise()
        };
        let is_member = (0..draft.nodes.len() as NodeIx).map(is_member).collect();
        let deadness = Deadness::find(draft, &running);
        let budget = Cell::new(BUDGET);
        Some(Search { draft, limits, deadness, after, is_before, waiting, loops, is_member, budget })
    }

    /// The cells at these splits and concatenations.
    fn all(&self, ends: &[NodeIx]) -> Vec<Members> {
        let mut taken: HashSet<NodeIx> = HashSet::new();
        let mut cells = Vec::new();
        for &end in ends {
            let near: Vec<NodeIx> = match is_split(self.draft, end) {
                true => self.after[end as usize].clone(),
                false => self.pieces(end).collect(),
            };
            let mut here: Vec<Members> = Vec::new();
            let mut seeds: Vec<NodeIx> = near.iter().copied().filter(|&at| self.is_member[at as usize]).collect();
            seeds.retain(|at| !taken.contains(at));
            while !seeds.is_empty() {
                let cell = self.cell(&seeds, &taken).unwrap_or_default();
                seeds.remove(0);
                seeds.retain(|at| !cell.contains(at));
                taken.extend(cell.iter().copied());
                here.extend(Some(cell).filter(|cell| !cell.is_empty()));
            }
            // A single node is worth it if the split need not run.
            if !near.iter().all(|at| taken.contains(at)) {
                let (single, larger): (Vec<Members>, Vec<Members>) = here.into_iter().partition(|cell| cell.len() == 1);
                here = larger;
                single.iter().flatten().for_each(|at| {
                    taken.remove(at);
                });
            }
            cells.extend(here);
        }
        cells
    }

    /// The nodes whose outputs a node concatenates.
    fn pieces(&self, join: NodeIx) -> impl Iterator<Item = NodeIx> + '_ {
        let inputs = &self.draft.node(join).inputs;
        inputs.iter().take(inputs.len().saturating_sub(1)).map(|port| port.node)
    }

    /// The outputs of splits that members take.
    fn windows<'c>(&'c self, cell: &'c Members) -> impl Iterator<Item = Port> + 'c {
        cell.iter().map(|&at| self.draft.node(at)).flat_map(|node| {
            let is_near = |port: &Port| self.draft.node(port.node).device == node.device;
            node.inputs.iter().copied().filter(is_near).filter(|port| is_split(self.draft, port.node))
        })
    }

    /// The cell that grows from some nodes.
    fn cell(&self, seeds: &[NodeIx], taken: &HashSet<NodeIx>) -> Option<Members> {
        let &first = seeds.first()?;
        let most = self.limits[self.draft.node(first).device as usize]?.parts;
        let is_alike = |at: NodeIx| {
            let (a, b) = (self.draft.node(at), self.draft.node(first));
            (a.device, a.frame) == (b.device, b.frame)
                && self.deadness.of(at) == self.deadness.of(first)
                && at.abs_diff(first) <= NEAR
        };
        let is_free = |at: NodeIx| self.is_member[at as usize] && !taken.contains(&at) && is_alike(at);
        let mut cell: Members = Members::new();
        let mut next: VecDeque<NodeIx> = seeds.iter().copied().collect();
        while let Some(at) = next.pop_front() {
            if cell.contains(&at) || !is_free(at) || cell.len() == most {
                continue;
            }
            // Groups with reductions are larger without a cell in them.
            let near =
                || self.after[at as usize].iter().copied().chain(self.draft.node(at).inputs.iter().map(|p| p.node));
            if near().any(|near| matches!(strip(self.draft, self.draft.node(near)), Some(Strip::Row(_)))) {
                return None;
            }
            cell.insert(at);
            next.extend(near());
        }
        let joins: BTreeSet<NodeIx> = cell
            .iter()
            .flat_map(|&at| &self.after[at as usize])
            .copied()
            .filter(|&at| {
                is_join(self.draft, at) && !self.is_before[at as usize] && is_alike(at) && !taken.contains(&at)
            })
            .collect();
        loop {
            let is_whole = |&join: &NodeIx| self.pieces(join).all(|piece| cell.contains(&piece));
            let whole: Members = cell.iter().copied().chain(joins.iter().copied().filter(is_whole)).collect();
            let back = self.come_back(&whole)?;
            if back.is_empty() {
                cell = whole;
                break;
            }
            let before = cell.len();
            cell.retain(|at| !back.contains(at));
            if cell.len() == before {
                // Only concatenations are reached from outside.
                break;
            }
        }
        // A node whose output only other groups take is better a part of these.
        let is_for_others = |cell: &Members, at: NodeIx| {
            let after = &self.after[at as usize];
            let is_other =
                |after: &NodeIx| !cell.contains(after) && self.is_member[*after as usize] && is_alike(*after);
            self.is_member[at as usize] && !after.is_empty() && after.iter().all(is_other)
        };
        while let Some(&at) = cell.iter().rev().find(|&&at| is_for_others(&cell, at)) {
            cell.remove(&at);
        }
        let is_seen = |&at: &NodeIx| self.after[at as usize].iter().any(|after| !cell.contains(after));
        let is_single = |&at: &NodeIx| self.draft.node(at).output_types.iter().all(|t| t.dtype == DType::F32);
        let may_wait = |depends: &Vec<bool>| {
            let depends = |at: &NodeIx| depends[*at as usize];
            cell.iter().any(depends) && !cell.iter().filter(|at| is_seen(at)).all(depends)
        };
        let is_good = cell.iter().filter(|at| is_seen(at)).all(is_single);
        if !is_good || self.waiting.iter().any(may_wait) || self.loops.lead_back(&cell) {
            return None;
        }
        let has_joins = cell.iter().any(|&at| !self.is_member[at as usize]);
        let windows: HashSet<Port> = self.windows(&cell).collect();
        let is_one = has_joins || !windows.is_empty();
        (is_one && cell.len() + windows.len() <= most).then_some(cell)
    }

    /// The members that are reached by a path that leaves the cell; `None` if it takes too long to find them.
    fn come_back(&self, cell: &Members) -> Option<HashSet<NodeIx>> {
        let &last = cell.last()?;
        let outside = cell.iter().flat_map(|&at| &self.after[at as usize]).copied().filter(|at| !cell.contains(at));
        let mut next: Vec<NodeIx> = outside.collect();
        let mut seen: HashSet<NodeIx> = HashSet::new();
        while let Some(at) = next.pop() {
            // Nodes come after those that they depend on.
            if at <= last && seen.insert(at) {
                self.budget.set(self.budget.get().checked_sub(1)?);
                next.extend(&self.after[at as usize]);
            }
        }
        seen.retain(|at| cell.contains(at));
        Some(seen)
    }

    /// A new number for each node, such that all come after those that they depend on once each cell is one node, with
    /// the number of its last member; `None` if the cells depend on each other in a circle.
    fn order(&self, cells: &[Members]) -> Option<Vec<NodeIx>> {
        let count = self.draft.first_feed as usize;
        let mut whole: Vec<NodeIx> = (0..self.draft.nodes.len() as NodeIx).collect();
        for cell in cells {
            cell.iter().for_each(|&at| whole[at as usize] = cell.last().copied().unwrap_or(at));
        }
        let mut waits = vec![0usize; count];
        for at in 0..count {
            for &after in &self.after[at] {
                let to = whole[after as usize] as usize;
                if to != whole[at] as usize && to < count {
                    waits[to] += 1;
                }
            }
        }
        let mut members: HashMap<NodeIx, &Members> = HashMap::new();
        cells.iter().for_each(|cell| {
            members.extend(cell.last().map(|&last| (last, cell)));
        });
        let is_single = |at: NodeIx| whole[at as usize] == at;
        let mut ready: BinaryHeap<Reverse<NodeIx>> =
            (0..count as NodeIx).filter(|&at| is_single(at) && waits[at as usize] == 0).map(Reverse).collect();
        let mut order: Vec<NodeIx> = (0..self.draft.nodes.len() as NodeIx).collect();
        let mut placed = 0;
        while let Some(Reverse(at)) = ready.pop() {
            let all: Vec<NodeIx> = members.get(&at).map_or_else(|| vec![at], |cell| cell.iter().copied().collect());
            for member in all {
                order[member as usize] = placed;
                placed += 1;
                for &after in &self.after[member as usize] {
                    let to = whole[after as usize];
                    if to != at && (to as usize) < count {
                        waits[to as usize] -= 1;
                        if waits[to as usize] == 0 {
                            ready.push(Reverse(to));
                        }
                    }
                }
            }
        }
        (placed as usize == count).then_some(order)
    }

    /// The node that computes a cell; `None` if the device has none.
    fn made(&self, cx: &PassCx<'_>, cell: &Members) -> Option<Made<'g>> {
        let draft = self.draft;
        let last = draft.node(*cell.last()?);
        let device = &cx.placement.devices[last.device as usize];
        let mut inputs: Vec<Port> = Vec::new();
        let mut types: Vec<EdgeType> = Vec::new();
        let mut input = |port: Port, ty: EdgeType| {
            let at = inputs.iter().position(|&other| other == port).unwrap_or(inputs.len());
            if at == inputs.len() {
                inputs.push(port);
                types.push(ty);
            }
            Origin::Input(at)
        };
        let mut parts = Vec::new();
        let mut part_of: HashMap<Port, usize> = HashMap::new();
        for port in self.windows(cell) {
            if part_of.contains_key(&port) {
                continue;
            }
            let split = draft.node(port.node);
            let (&axis, &tensor) = (split.inputs.first()?, split.inputs.get(1)?);
            let meta = split.meta(device.name().clone());
            let mut own = meta.clone();
            own.outputs = [DType::F32].into_iter().collect();
            let of = SplitOutput {
                kernel: split.kernel.clone()?,
                meta,
                axis: draft.value(axis)?.clone(),
                index: port.output as usize,
            };
            let origin = input(tensor, split.input_types[1]);
            part_of.insert(port, parts.len());
            parts.push((split.graph_node()?.op.clone(), device.window(of)?, own, vec![origin]));
        }
        for &at in cell {
            let node = draft.node(at);
            let origins = node.inputs.iter().zip(&*node.input_types).map(|(&port, &ty)| match part_of.get(&port) {
                Some(&part) => Origin::Part(part),
                None => input(port, ty),
            });
            let origins = origins.collect();
            part_of.insert(Port { node: at, output: 0 }, parts.len());
            parts.push((
                node.graph_node()?.op.clone(),
                node.kernel.clone()?,
                node.meta(device.name().clone()),
                origins,
            ));
        }
        let is_seen = |at: NodeIx| self.after[at as usize].iter().any(|after| !cell.contains(after));
        let outputs: Vec<Port> = cell.iter().filter(|&&at| is_seen(at)).map(|&node| Port { node, output: 0 }).collect();
        let shown: Box<[usize]> = outputs.iter().map(|port| part_of[port]).collect();
        // A loop's back edge does not count as a use above, but a node of a cell is not what goes along it.
        if shown.last().copied() != parts.len().checked_sub(1) {
            return None;
        }
        let known = inputs.iter().map(|port| draft.value(*port).cloned()).collect();
        let group = Arc::new(Group::with_outputs(parts, known, Some(shown)));
        let kernel = device.fuse(&group)?;
        let windows: Vec<NodeIx> = self.windows(cell).map(|port| port.node).collect();
        let node = DraftNode {
            inputs: inputs.into(),
            input_types: types.into(),
            output_types: outputs.iter().map(|port| draft.node(port.node).output_types[0]).collect::<Vec<_>>().into(),
            device: last.device,
            frame: last.frame,
            join: last.join,
            cost: cost(&*kernel, cell.len()),
            members: cell.iter().filter(|_| cell.len() > 1).map(|&at| draft.node(at).name.clone()).collect(),
            group: Some(group),
            member_ops: cell.iter().filter(|_| cell.len() > 1).map(|&at| draft.node(at).op).collect(),
            ..DraftNode::new(last.name.clone(), last.op, Some(kernel))
        };
        Some(Made { node, members: cell.iter().copied().collect(), outputs, windows })
    }
}
