//! Which nodes are dead together: what is known before the run of the branches that nodes are on.

use crate::fuse::Look;
use levada_graph::graph::Node;
use levada_graph::spec::Role;
use levada_graph::{Endpoint, NodeId};
use std::collections::HashMap;

/// When a node is dead. Equal ones are equal at any time; of different ones nothing is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Death {
    /// Never.
    Never,
    /// As all nodes on this branch, which is a number in [`Deaths::branches`].
    With(u32),
    /// As nothing else: a number of its own.
    Alone(u32),
}

/// One side of the switches on one condition.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Branch {
    condition: Endpoint,
    side: u32,
    /// When the switches themselves are dead, and then both sides.
    around: Death,
}

/// When nodes are dead, by node number.
pub(crate) struct Deaths {
    nodes: Vec<Death>,
    branches: Vec<Branch>,
    numbers: HashMap<Branch, u32>,
}

impl Deaths {
    /// Of the nodes that run, inputs before consumers.
    pub(crate) fn find(look: &Look<'_>, running: &[NodeId]) -> Deaths {
        let nodes = if look.flow.has_control_flow { look.graph.len() } else { 0 };
        let mut deaths = Deaths { nodes: vec![Death::Never; nodes], branches: Vec::new(), numbers: HashMap::new() };
        if nodes > 0 {
            for &id in running {
                deaths.nodes[id.index()] = deaths.of_node(look, id);
            }
        }
        deaths
    }

    /// When a node is dead.
    pub(crate) fn of(&self, id: NodeId) -> Death {
        self.nodes.get(id.index()).copied().unwrap_or(Death::Never)
    }

    fn of_node(&mut self, look: &Look<'_>, id: NodeId) -> Death {
        let node = look.graph.node(id);
        let alone = Death::Alone(id.index() as u32);
        let position = |id: NodeId| look.pruned.position[id.index()];
        // What comes over the back edge of a loop is as alive as what entered it.
        let sources: Vec<Endpoint> = look.inputs(node).filter(|e| position(e.node) < position(id)).collect();
        let mut all: Vec<Death> = sources.iter().map(|&e| self.of_endpoint(look, e)).collect();
        match node.spec().role {
            Role::Merge if sources.len() == node.inputs.len() => return self.merged(&all).unwrap_or(alone),
            Role::ControlTrigger => return Death::Never,
            Role::Exit => {
                return match all[..] {
                    [Death::With(branch)] => self.branches[branch as usize].around,
                    _ => alone,
                };
            }
            Role::Send | Role::Recv => return alone,
            _ => {}
        }
        let controls = node.control_inputs.iter().map(|&c| look.rewritten.runs_as(c));
        all.extend(controls.filter(|&c| !look.rewritten.is_constant(c)).map(|c| self.of(c)));
        all.into_iter().try_fold(Death::Never, |a, b| self.either(a, b)).unwrap_or(alone)
    }

    fn of_endpoint(&mut self, look: &Look<'_>, source: Endpoint) -> Death {
        if look.pruned.feeds.contains_key(&source) || look.rewritten.constant(source).is_some() {
            return Death::Never;
        }
        let node: &Node = look.graph.node(source.node);
        match (node.spec().role, node.inputs.get(1)) {
            (Role::Switch, Some(&condition)) => {
                let fed = look.pruned.feeds.contains_key(&condition);
                let condition = if fed { condition } else { look.rewritten.source(condition) };
                self.branch(Branch { condition, side: source.output, around: self.of(source.node) })
            }
            _ => self.of(source.node),
        }
    }

    fn branch(&mut self, branch: Branch) -> Death {
        let next = self.branches.len() as u32;
        let number = *self.numbers.entry(branch).or_insert(next);
        if number == next {
            self.branches.push(branch);
        }
        Death::With(number)
    }

    /// When at least one of two is dead; `None` where that is something new.
    fn either(&self, a: Death, b: Death) -> Option<Death> {
        match () {
            () if self.is_around(a, b) => Some(b),
            () if self.is_around(b, a) => Some(a),
            () => None,
        }
    }

    /// True where `inner` is dead whenever `outer` is.
    fn is_around(&self, outer: Death, mut inner: Death) -> bool {
        loop {
            match inner {
                _ if outer == inner || outer == Death::Never => return true,
                Death::With(branch) => inner = self.branches[branch as usize].around,
                _ => return false,
            }
        }
    }

    /// When a merge of both sides of a condition is dead.
    fn merged(&self, inputs: &[Death]) -> Option<Death> {
        let [Death::With(a), Death::With(b)] = *inputs else { return None };
        let (a, b) = (self.branches[a as usize], self.branches[b as usize]);
        let both = a.condition == b.condition && a.around == b.around && a.side + b.side == 1;
        both.then_some(a.around)
    }
}
