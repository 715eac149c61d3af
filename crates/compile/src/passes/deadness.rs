//! Finds which nodes are dead together, as far as their branches are known before the run.

use crate::draft::{Draft, NodeIx, Port};
use levada_graph::spec::Role;
use std::collections::HashMap;

/// When a node is dead. Nodes with equal conditions are dead at the same time; different conditions say nothing about
/// each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum DeadWhen {
    /// It is never dead.
    Never,
    /// Like all nodes on this branch, a number in [`Deadness::branches`].
    Branch(u32),
    /// Under a condition of its own, with the number of a node.
    Own(NodeIx),
}

/// One side of the switches on one predicate.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Branch {
    predicate: Port,
    side: u32,
    /// When the switches themselves are dead, and thus both sides.
    outer: DeadWhen,
}

/// When nodes are dead.
pub(super) struct Deadness {
    /// By node number; empty without control flow.
    nodes: Vec<DeadWhen>,
    branches: Vec<Branch>,
    numbers: HashMap<Branch, u32>,
}

impl Deadness {
    /// Covers the nodes that run; in the draft they come after their inputs.
    pub(super) fn find(draft: &Draft<'_>, running: &[bool]) -> Deadness {
        let count = if draft.has_control_flow { draft.nodes.len() } else { 0 };
        let mut found = Deadness { nodes: vec![DeadWhen::Never; count], branches: Vec::new(), numbers: HashMap::new() };
        for at in (0..count).filter(|&at| running[at]) {
            found.nodes[at] = found.of_node(draft, at as NodeIx);
        }
        found
    }

    /// When a node is dead.
    pub(super) fn of(&self, at: NodeIx) -> DeadWhen {
        self.nodes.get(at as usize).copied().unwrap_or(DeadWhen::Never)
    }

    fn of_node(&mut self, draft: &Draft<'_>, at: NodeIx) -> DeadWhen {
        let node = draft.node(at);
        let own = DeadWhen::Own(at);
        // A value from the back edge of a loop is dead exactly when the value that entered the loop is.
        let is_seen = |port: &&Port| port.node < at || draft.node(port.node).is_feed();
        let mut all: Vec<DeadWhen> =
            node.inputs.iter().filter(is_seen).map(|&port| self.of_port(draft, port)).collect();
        match node.role() {
            Some(Role::Merge) if all.len() == node.inputs.len() => return self.merged(&all).unwrap_or(own),
            Some(Role::ControlTrigger) => return DeadWhen::Never,
            Some(Role::Exit) => {
                return match all[..] {
                    [DeadWhen::Branch(branch)] => self.branches[branch as usize].outer,
                    _ => own,
                };
            }
            Some(Role::Send | Role::Recv) => return own,
            _ => {}
        }
        all.extend(node.controls.iter().map(|&before| self.of(before)));
        all.into_iter().try_fold(DeadWhen::Never, |a, b| self.either(a, b)).unwrap_or(own)
    }

    fn of_port(&mut self, draft: &Draft<'_>, port: Port) -> DeadWhen {
        let source = draft.node(port.node);
        if source.is_feed() || source.values.is_some() {
            return DeadWhen::Never;
        }
        match (source.role(), source.inputs.get(1)) {
            (Some(Role::Switch), Some(&predicate)) => {
                self.branch(Branch { predicate, side: port.output, outer: self.of(port.node) })
            }
            _ => self.of(port.node),
        }
    }

    fn branch(&mut self, branch: Branch) -> DeadWhen {
        let next = self.branches.len() as u32;
        let number = *self.numbers.entry(branch).or_insert(next);
        if number == next {
            self.branches.push(branch);
        }
        DeadWhen::Branch(number)
    }

    /// When at least one of two is dead; `None` if that is a new condition.
    fn either(&self, a: DeadWhen, b: DeadWhen) -> Option<DeadWhen> {
        match () {
            () if self.is_outside(a, b) => Some(b),
            () if self.is_outside(b, a) => Some(a),
            () => None,
        }
    }

    /// True if `inner` is dead whenever `outer` is.
    fn is_outside(&self, outer: DeadWhen, mut inner: DeadWhen) -> bool {
        loop {
            match inner {
                _ if outer == inner || outer == DeadWhen::Never => return true,
                DeadWhen::Branch(branch) => inner = self.branches[branch as usize].outer,
                _ => return false,
            }
        }
    }

    /// When a merge of both sides of a predicate is dead.
    fn merged(&self, inputs: &[DeadWhen]) -> Option<DeadWhen> {
        let [DeadWhen::Branch(a), DeadWhen::Branch(b)] = *inputs else { return None };
        let (a, b) = (self.branches[a as usize], self.branches[b as usize]);
        let both = a.predicate == b.predicate && a.outer == b.outer && a.side + b.side == 1;
        both.then_some(a.outer)
    }
}
