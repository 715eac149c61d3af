//! Beam search for the most probable label sequences, and its update for each step of scores.

use crate::log_sum::Log;
use crate::prelude::*;
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

/// Number of sequences extended between two checks.
const CHECK_EVERY: usize = 1024;

/// Log probabilities of a sequence: the total, that of ending with a blank, and that of ending with its last label.
#[derive(Clone, Copy)]
struct Odds<T> {
    total: T,
    blank: T,
    label: T,
}

impl<T: Log> Odds<T> {
    const NONE: Odds<T> = Odds { total: T::ZERO, blank: T::ZERO, label: T::ZERO };
}

/// A label sequence: its parent sequence extended by one label.
struct Node<T> {
    /// `None` for the empty sequence.
    parent: Option<usize>,
    label: i32,
    /// Odds before this step.
    before: Odds<T>,
    /// Odds after this step; `NONE` if the sequence is not in the beam.
    now: Odds<T>,
}

impl<T: Log> Node<T> {
    fn new(parent: Option<usize>, label: i32) -> Node<T> {
        Node { parent, label, before: Odds::NONE, now: Odds::NONE }
    }

    fn is_in_beam(&self) -> bool {
        self.now.total != T::ZERO
    }
}

/// A sequence in the beam, ordered so that the least probable one is the maximum.
struct Leaf<T> {
    total: T,
    node: usize,
}

impl<T: Log> Ord for Leaf<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.total.partial_cmp(&self.total).unwrap_or(Ordering::Equal).then(self.node.cmp(&other.node))
    }
}

impl<T: Log> PartialOrd for Leaf<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Log> PartialEq for Leaf<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T: Log> Eq for Leaf<T> {}

/// The most probable sequences so far.
pub(crate) struct Beam<T> {
    width: usize,
    nodes: Vec<Node<T>>,
    children: HashMap<(usize, i32), usize>,
    leaves: BinaryHeap<Leaf<T>>,
}

impl<T: Log> Beam<T> {
    /// Returns a beam of the empty sequence only, with room for `width` sequences.
    pub(crate) fn new(width: usize) -> Beam<T> {
        let mut root = Node::new(None, -1);
        root.now = Odds { total: T::zero(), blank: T::zero(), label: T::ZERO };
        let leaves = BinaryHeap::from([Leaf { total: T::zero(), node: 0 }]);
        Beam { width, nodes: vec![root], children: HashMap::new(), leaves }
    }

    /// Memory taken for each sequence seen, in bytes.
    pub(crate) const NODE: usize = size_of::<Node<T>>() + 2 * size_of::<((usize, i32), usize)>();

    /// Whether a sequence of this probability would be in the beam.
    fn has_room_for(&self, total: T) -> bool {
        let bottom = self.leaves.peek().map(|leaf| leaf.total);
        total > T::ZERO && (self.leaves.len() < self.width || bottom.is_some_and(|bottom| total > bottom))
    }

    /// Updates the beam with the scores of one step, the last of which is the blank's; they need not be normalized.
    /// `check` is called periodically with the number of sequences seen.
    ///
    /// # Errors
    /// Those of `check`.
    pub(crate) fn step(&mut self, scores: &[T], mut check: impl FnMut(usize) -> Result<()>) -> Result<()> {
        let best = scores.iter().copied().fold(T::ZERO, |best, score| if score > best { score } else { best });
        // The log partition function: subtracting it from the scores gives log probabilities.
        let offset = best + scores.iter().fold(T::zero(), |sum, &score| sum + (score - best).exp()).ln();
        let Some((blank, labels)) = scores.split_last() else { return Ok(()) };
        let branches = std::mem::take(&mut self.leaves).into_sorted_vec();
        let branches: Vec<usize> = branches.into_iter().map(|leaf| leaf.node).collect();
        for &b in &branches {
            self.nodes[b].before = self.nodes[b].now;
        }
        for &b in &branches {
            let mut now = self.nodes[b].now;
            let node = &self.nodes[b];
            if let Some(parent) = node.parent.map(|parent| &self.nodes[parent]) {
                if parent.is_in_beam() {
                    let grown = if node.label == parent.label { parent.before.blank } else { parent.before.total };
                    now.label = now.label.log_sum(grown);
                }
                now.label = now.label + (labels[node.label as usize] - offset);
            }
            now.blank = node.before.total + (*blank - offset);
            now.total = now.blank.log_sum(now.label);
            self.nodes[b].now = now;
            self.leaves.push(Leaf { total: now.total, node: b });
        }
        for (i, &b) in branches.iter().enumerate() {
            if i % CHECK_EVERY == 0 {
                check(self.nodes.len())?;
            }
            let Node { before, label: last, .. } = self.nodes[b];
            if !self.has_room_for(before.total) {
                continue;
            }
            for (label, score) in (0..).zip(labels) {
                let known = self.children.get(&(b, label)).copied();
                if known.is_some_and(|child| self.nodes[child].is_in_beam()) {
                    continue;
                }
                let grown = if label == last { before.blank } else { before.total };
                let total = *score - offset + grown;
                if !self.has_room_for(total) {
                    // A sequence that leaves the beam in this step and does not come back must not grow either.
                    if let Some(child) = known {
                        self.nodes[child].before = Odds::NONE;
                    }
                    continue;
                }
                let child = known.unwrap_or_else(|| {
                    self.nodes.push(Node::new(Some(b), label));
                    self.children.insert((b, label), self.nodes.len() - 1);
                    self.nodes.len() - 1
                });
                if self.leaves.len() == self.width
                    && let Some(bottom) = self.leaves.pop()
                {
                    self.nodes[bottom.node].now = Odds::NONE;
                }
                self.nodes[child].now = Odds { total, blank: T::ZERO, label: total };
                self.leaves.push(Leaf { total, node: child });
            }
        }
        Ok(())
    }

    /// Returns the sequences in the beam, the most probable first, with their log probabilities. With `merge_repeated`,
    /// repeated labels are merged into one.
    pub(crate) fn paths(self, merge_repeated: bool) -> Vec<(Vec<i32>, T)> {
        let Beam { nodes, leaves, .. } = self;
        let labels = |leaf: Leaf<T>| {
            let (mut labels, mut node) = (Vec::new(), &nodes[leaf.node]);
            while let Some(parent) = node.parent {
                labels.push(node.label);
                node = &nodes[parent];
            }
            if merge_repeated {
                labels.dedup();
            }
            labels.reverse();
            (labels, leaf.total)
        };
        leaves.into_sorted_vec().into_iter().map(labels).collect()
    }
}
