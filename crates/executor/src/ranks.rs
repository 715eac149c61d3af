//! What depends on each node of a plan: the work that cannot begin before it, and its longest path to the end.

use crate::plan::{FETCH, NodeIx, NodeKind, Plan};
use std::sync::atomic::{AtomicU32, Ordering};

/// Both, in nanoseconds, for each node. The order and the dominators are computed once; the values follow the measured
/// costs.
pub(crate) struct Ranks {
    /// The nodes in topological order, ignoring edges to the next iteration of a loop.
    order: Box<[NodeIx]>,
    /// The immediate dominator of each node: the last node that every path to it leads through; the number of nodes if
    /// there is none.
    dominators: Box<[NodeIx]>,
    /// Relaxed, both: estimates, of which a step may see a partial update.
    hanging: Box<[AtomicU32]>,
    path: Box<[AtomicU32]>,
}

/// The successors of a node. An edge to the next iteration of a loop leads back.
fn after(plan: &Plan, node: NodeIx) -> impl Iterator<Item = NodeIx> {
    let node = &plan.nodes[node as usize];
    let (edges, controls) = match node.kind {
        NodeKind::NextIteration => (0..0, 0..0),
        _ => (node.edges.range(), node.controls.range()),
    };
    let data = plan.edges[edges].iter().map(|e| e.node).filter(|&to| to != FETCH);
    data.chain(plan.controls[controls].iter().copied())
}

impl Ranks {
    /// Computes the order and the dominators; [`Ranks::weigh`] must follow. Takes O(n log n) time for n edges.
    pub(crate) fn of(plan: &Plan) -> Ranks {
        let count = plan.nodes.len();
        let mut awaited = vec![0u32; count];
        for node in 0..count as NodeIx {
            after(plan, node).for_each(|to| awaited[to as usize] += 1);
        }
        let mut order: Vec<NodeIx> = (0..count as NodeIx).filter(|&n| awaited[n as usize] == 0).collect();
        let mut tree = Tree::of(count);
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            next += 1;
            tree.settle(node);
            for to in after(plan, node) {
                tree.reach(to, node);
                awaited[to as usize] -= 1;
                if awaited[to as usize] == 0 {
                    order.push(to);
                }
            }
        }
        let zeros = || (0..count).map(|_| AtomicU32::new(0)).collect();
        tree.parent.truncate(count);
        Ranks { order: order.into(), dominators: tree.parent.into(), hanging: zeros(), path: zeros() }
    }

    /// Updates the values from the nodes' current costs.
    pub(crate) fn weigh(&self, plan: &Plan) {
        let cost = |node: NodeIx| u64::from(plan.nodes[node as usize].cost.nanos());
        let shareable = |node: NodeIx| u64::from(plan.nodes[node as usize].cost.shareable());
        let clamp = |nanos: u64| u32::try_from(nanos).unwrap_or(u32::MAX);
        // One more for nodes without a dominator.
        let mut hanging = vec![0u64; plan.nodes.len() + 1];
        for &node in self.order.iter().rev() {
            let at = node as usize;
            hanging[at] += shareable(node);
            hanging[self.dominators[at] as usize] += hanging[at];
            self.hanging[at].store(clamp(hanging[at]), Ordering::Relaxed);
            let longest = after(plan, node).map(|to| self.path(to)).max().unwrap_or(0);
            self.path[at].store(clamp(cost(node) + u64::from(longest)), Ordering::Relaxed);
        }
    }

    /// The shareable cost of the node and of everything it dominates: the work of a thread that is given the node.
    pub(crate) fn hanging(&self, node: NodeIx) -> u32 {
        self.hanging[node as usize].load(Ordering::Relaxed)
    }

    /// The cost of the longest path from the node to the end.
    pub(crate) fn path(&self, node: NodeIx) -> u32 {
        self.path[node as usize].load(Ordering::Relaxed)
    }
}

/// The dominator tree while it grows. Each node has a pointer to a far ancestor, so that two nodes meet after O(log n)
/// steps (Myers, "An applicative random-access stack", 1983).
struct Tree {
    /// [`NodeIx::MAX`] for a node that has not been reached. The last one is the root.
    parent: Vec<NodeIx>,
    jump: Vec<NodeIx>,
    depth: Vec<u32>,
}

impl Tree {
    fn of(count: usize) -> Tree {
        let root = count as NodeIx;
        let mut parent = vec![NodeIx::MAX; count + 1];
        parent[count] = root;
        Tree { parent, jump: vec![root; count + 1], depth: vec![0; count + 1] }
    }

    /// `from`, which is settled, leads to `node`.
    fn reach(&mut self, node: NodeIx, from: NodeIx) {
        let known = self.parent[node as usize];
        self.parent[node as usize] = if known == NodeIx::MAX { from } else { self.meet(known, from) };
    }

    /// Settles a node, once all its predecessors are known.
    fn settle(&mut self, node: NodeIx) {
        let at = node as usize;
        let root = (self.parent.len() - 1) as NodeIx;
        if self.parent[at] == NodeIx::MAX {
            self.parent[at] = root;
        }
        let parent = self.parent[at] as usize;
        let jump = self.jump[parent] as usize;
        let far = self.jump[jump] as usize;
        let even = self.depth[parent] - self.depth[jump] == self.depth[jump] - self.depth[far];
        self.depth[at] = self.depth[parent] + 1;
        self.jump[at] = if even { far } else { parent } as NodeIx;
    }

    /// The lowest common ancestor of both, or one of them.
    fn meet(&self, a: NodeIx, b: NodeIx) -> NodeIx {
        let (mut a, mut b) = (a as usize, b as usize);
        if self.depth[a] < self.depth[b] {
            std::mem::swap(&mut a, &mut b);
        }
        while self.depth[a] > self.depth[b] {
            let jump = self.jump[a] as usize;
            a = if self.depth[jump] >= self.depth[b] { jump } else { self.parent[a] as usize };
        }
        while a != b {
            let apart = self.jump[a] != self.jump[b];
            (a, b) = match apart {
                true => (self.jump[a] as usize, self.jump[b] as usize),
                false => (self.parent[a] as usize, self.parent[b] as usize),
            };
        }
        a as NodeIx
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Sketch;

    fn ranks(sketch: &Sketch) -> (Vec<u32>, Vec<u32>) {
        let plan = sketch.plan();
        let ranks = Ranks::of(&plan);
        ranks.weigh(&plan);
        let all = || 0..plan.nodes.len() as NodeIx;
        (all().map(|n| ranks.hanging(n)).collect(), all().map(|n| ranks.path(n)).collect())
    }

    #[test]
    fn a_branch_hangs_on_its_first_node_and_the_join_on_none() {
        // 0 -> 1 -> 4, 2 -> 3 -> 4
        let sketch = Sketch::of(&[1, 30, 2, 50, 7]).edges(&[(0, 1), (1, 4), (2, 3), (3, 4)]);
        assert_eq!(ranks(&sketch), (vec![31, 30, 52, 50, 7], vec![38, 37, 59, 57, 7]));
    }

    #[test]
    fn what_parts_and_joins_again_hangs_on_where_it_parted() {
        // 0 -> {1, 2} -> 3 -> 4, and 5 -> 4
        let sketch = Sketch::of(&[1, 2, 3, 40, 5, 6]).edges(&[(0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (5, 4)]);
        assert_eq!(ranks(&sketch), (vec![46, 2, 3, 40, 5, 6], vec![49, 47, 48, 45, 5, 11]));
    }

    #[test]
    fn controls_count_and_loops_end() {
        let sketch = Sketch::of(&[1, 10, 100]).edges(&[(0, 1)]).controls(&[(1, 2)]);
        assert_eq!(ranks(&sketch), (vec![111, 110, 100], vec![111, 110, 100]));
        // Enter, Merge, a node, NextIteration, which leads back
        let sketch = Sketch::of(&[1, 1, 10, 1]).edges(&[(0, 1), (1, 2), (2, 3), (3, 1)]);
        let sketch = sketch.kind(1, NodeKind::Merge).kind(3, NodeKind::NextIteration);
        assert_eq!(ranks(&sketch).0, [13, 12, 11, 1]);
    }

    #[test]
    fn dominators_are_those_that_a_search_finds() {
        // Random graphs of 40 nodes; removing a dominator cuts off everything it dominates.
        let mut seed = 1u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        for _ in 0..50 {
            let mut edges = Vec::new();
            for to in 1..40u32 {
                for _ in 0..random(3) {
                    let edge = (random(u64::from(to)) as u32, to);
                    if !edges.contains(&edge) {
                        edges.push(edge);
                    }
                }
            }
            let plan = Sketch::of(&[1; 40]).edges(&edges).plan();
            let ranks = Ranks::of(&plan);
            ranks.weigh(&plan);
            for node in 0..40 {
                let mut reached = [false; 40];
                for to in 0..40u32 {
                    let ways = edges.iter().filter(|e| e.1 == to);
                    let mut known = ways.clone().filter(|e| e.0 != node && reached[e.0 as usize]);
                    reached[to as usize] = to != node && (ways.count() == 0 || known.next().is_some());
                }
                assert_eq!(
                    ranks.hanging(node) as usize,
                    reached.iter().filter(|r| !**r).count(),
                    "{node} of {edges:?}"
                );
            }
        }
    }

    #[test]
    fn chains_and_ladders_of_a_hundred_thousand_nodes_take_no_time_to_speak_of() {
        let count = 100_000u32;
        let chain: Vec<(u32, u32)> = (1..count).map(|i| (i - 1, i)).collect();
        let rungs = (2..count).map(|i| (i - 2, i));
        let ladder: Vec<(u32, u32)> = chain.iter().copied().chain(rungs).collect();
        for edges in [chain, ladder] {
            let (hanging, path) = ranks(&Sketch::of(&vec![1; count as usize]).edges(&edges));
            assert_eq!((hanging[0], path[0]), (count, count));
        }
    }
}
