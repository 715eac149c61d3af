//! Frees nodes that forward one of several values after all of them have been computed, as `tuple` makes them for
//! gradients: each forwards its value immediately. This is done only if everything involved is stateless and dead
//! together, and if no variable could be read at a different time, so that the results stay the same.
//!
//! The nodes that such a node waited for may then run after its consumers, which may write variables. So every node
//! that they depend on and that reads or writes state must be one that the forwarded value itself depends on. Nodes
//! that were only waited for, and whose results are unused, do not run.

use super::deadness::Deadness;
use super::no_ops::only_orders;
use crate::draft::{Draft, NodeIx};
use crate::pass::{ALL, Fact, Pass, PassCx};
use levada_graph::Result;
use levada_graph::spec::Role;
use std::collections::HashMap;

pub(crate) const PASS: Pass = Pass {
    name: "joins",
    is_on: |cx| cx.options.bypass_no_ops && !cx.partial,
    needs: &[Fact::Frames, Fact::References],
    keeps: ALL,
    gives: &[],
    for_traces: false,
    run,
};

/// The maximum number of words for sets of nodes with state.
const MOST_WORDS: usize = 1 << 21;

/// True if a draft has nodes that the pass may free and that later passes can then optimize further.
pub(crate) fn may_free(draft: &Draft<'_>, cx: &PassCx<'_>) -> bool {
    (PASS.is_on)(cx) && candidates(draft).next().is_some()
}

fn run(draft: &mut Draft<'_>, _: &PassCx<'_>) -> Result<bool> {
    let candidates: Vec<NodeIx> = candidates(draft).collect();
    if candidates.is_empty() {
        return Ok(false);
    }
    let deadness = Deadness::find(draft, &draft.running());
    let mut behind = if candidates.iter().any(|&at| draft.node(at).frame == 0) { Behind::find(draft) } else { None };
    let has_state = frames_with_state(draft);
    let mut uses = Uses::of(draft);
    let mut changed = false;
    for at in candidates {
        let node = draft.node(at);
        let given = node.inputs[0].node;
        let keeps_order = match (node.frame, &mut behind) {
            (0, Some(behind)) => node.controls.iter().all(|&join| behind.has_all_of(draft, &uses, given, join)),
            (0, None) => false,
            (frame, _) => !has_state[frame as usize],
        };
        if !keeps_order || deadness.of(at) != deadness.of(given) {
            continue;
        }
        changed = true;
        for before in std::mem::take(&mut draft.nodes[at as usize].controls) {
            uses.control[before as usize] -= 1;
            if uses.is_none(before) {
                let joined = draft.node(before).controls.clone();
                draft.remove(before);
                joined.iter().for_each(|&before| uses.control[before as usize] -= 1);
                joined.into_iter().for_each(|before| uses.remove_unused(draft, before));
            }
        }
    }
    Ok(changed)
}

/// By frame number, whether there is state in the iterations of a loop or of the loops inside it. Stacks and tensor
/// arrays do not count: they have an order of their own.
fn frames_with_state(draft: &Draft<'_>) -> Vec<bool> {
    let mut found = vec![false; draft.frames.len()];
    for at in draft.existing() {
        let has_state = || {
            let node = draft.node(at).graph_node();
            node.is_some_and(|n| n.op.is_stateful() && n.spec().store.is_none()) || reads_variables(draft, at)
        };
        let mut frame = draft.node(at).frame as usize;
        if frame != 0 && !found[frame] && has_state() {
            // The loops around a marked one are marked as well.
            while frame != 0 && !found[frame] {
                found[frame] = true;
                frame = draft.frames[frame].parent as usize;
            }
        }
    }
    found
}

/// How many consumers nodes have, by data and by control.
struct Uses {
    data: Vec<usize>,
    control: Vec<usize>,
}

impl Uses {
    fn of(draft: &Draft<'_>) -> Uses {
        let mut uses = Uses { data: vec![0; draft.nodes.len()], control: vec![0; draft.nodes.len()] };
        for at in draft.existing() {
            draft.node(at).inputs.iter().for_each(|port| uses.data[port.node as usize] += 1);
            draft.node(at).controls.iter().for_each(|&before| uses.control[before as usize] += 1);
        }
        uses
    }

    fn is_none(&self, at: NodeIx) -> bool {
        self.data[at as usize] == 0 && self.control[at as usize] == 0
    }

    /// Removes an unused node, and everything that is used only by it: results that were only waited for.
    fn remove_unused(&mut self, draft: &mut Draft<'_>, at: NodeIx) {
        let mut unused = vec![at];
        while let Some(at) = unused.pop() {
            let node = draft.node(at);
            if !node.exists() || node.is_pinned || !self.is_none(at) || !is_stateless(draft, at) {
                continue;
            }
            let (inputs, controls) = (node.inputs.clone(), node.controls.clone());
            inputs.iter().for_each(|port| self.data[port.node as usize] -= 1);
            controls.iter().for_each(|&before| self.control[before as usize] -= 1);
            draft.remove(at);
            unused.extend(inputs.iter().map(|port| port.node).chain(controls));
        }
    }
}

/// True for a graph node that takes no part in control flow and has no state.
fn is_stateless(draft: &Draft<'_>, at: NodeIx) -> bool {
    draft.node(at).graph_node().is_some_and(|node| node.spec().role == Role::Plain && !node.op.is_stateful())
}

/// The nodes that forward their only input and wait for nodes that only join it with others. Each join is examined
/// once, however many nodes wait for it.
fn candidates(draft: &Draft<'_>) -> impl Iterator<Item = NodeIx> {
    let mut joins: HashMap<NodeIx, bool> = HashMap::new();
    let only_joins = |at: NodeIx| {
        only_orders(draft.node(at)) && draft.node(at).controls.iter().all(|&before| is_stateless(draft, before))
    };
    draft.existing().filter(move |&at| {
        let node = draft.node(at);
        let [given] = node.inputs[..] else { return false };
        !node.controls.is_empty()
            && !node.is_pinned
            && node.graph_node().is_some_and(|node| node.spec().forwards)
            && node.controls.iter().all(|&before| {
                let join = draft.node(before);
                join.frame == node.frame
                    && join.controls.binary_search(&given.node).is_ok()
                    && *joins.entry(before).or_insert_with(|| only_joins(before))
            })
    })
}

/// True for a node that takes a variable as an input to read.
fn reads_variables(draft: &Draft<'_>, at: NodeIx) -> bool {
    let node = draft.node(at);
    !node.reads_refs.is_empty() || node.inputs.iter().any(|port| draft.ref_ports.contains(port))
}

/// For each node, a bit set of the nodes with state that it depends on, itself included.
struct Behind {
    /// The bit of each node with state.
    stateful: HashMap<NodeIx, usize>,
    sets: Vec<Box<[u64]>>,
    /// By node number.
    set: Vec<u32>,
    /// For each join that was queried, the union of the sets of all nodes that it joins.
    joined: HashMap<NodeIx, Box<[u64]>>,
}

impl Behind {
    /// `None` if that would take too long, or if values come from loops and branches.
    fn find(draft: &Draft<'_>) -> Option<Behind> {
        if draft.has_control_flow {
            return None;
        }
        let has_state = |at: NodeIx| {
            draft.node(at).graph_node().is_some_and(|node| node.op.is_stateful()) || reads_variables(draft, at)
        };
        let stateful: HashMap<NodeIx, usize> = draft.existing().filter(|&at| has_state(at)).zip(0..).collect();
        let words = stateful.len().div_ceil(64);
        if words.saturating_mul(draft.nodes.len()) > MOST_WORDS {
            return None;
        }
        let none: Box<[u64]> = vec![0; words].into();
        let mut behind = Behind { stateful, sets: vec![none], set: vec![0; draft.nodes.len()], joined: HashMap::new() };
        let mut numbers: HashMap<Box<[u64]>, u32> = HashMap::from([(behind.sets[0].clone(), 0)]);
        for at in draft.existing() {
            let node = draft.node(at);
            let mut set = behind.sets[0].clone();
            for before in node.inputs.iter().map(|port| port.node).chain(node.controls.iter().copied()) {
                set.iter_mut().zip(&*behind.sets[behind.set[before as usize] as usize]).for_each(|(a, b)| *a |= b);
            }
            if let Some(&bit) = behind.stateful.get(&at) {
                set[bit / 64] |= 1 << (bit % 64);
            }
            behind.set[at as usize] = *numbers.entry(set).or_insert_with_key(|set| {
                behind.sets.push(set.clone());
                behind.sets.len() as u32 - 1
            });
        }
        Some(behind)
    }

    /// True if `node` depends on every node with state that the inputs of `join` depend on. Nodes used only by joins
    /// may read at any time.
    fn has_all_of(&mut self, draft: &Draft<'_>, uses: &Uses, node: NodeIx, join: NodeIx) -> bool {
        let Behind { stateful, sets, set, joined } = self;
        let of = |at: NodeIx| &*sets[set[at as usize] as usize];
        let all = joined.entry(join).or_insert_with(|| {
            let mut all: Box<[u64]> = vec![0; sets[0].len()].into();
            for &other in &draft.node(join).controls {
                let own = stateful.get(&other).filter(|_| uses.data[other as usize] == 0);
                for (word, (a, b)) in all.iter_mut().zip(of(other)).enumerate() {
                    let own = own.filter(|&&bit| bit / 64 == word).map_or(0, |bit| 1 << (bit % 64));
                    *a |= b & !own;
                }
            }
            all
        });
        of(node).iter().zip(&**all).all(|(a, b)| a & b == *b)
    }
}
