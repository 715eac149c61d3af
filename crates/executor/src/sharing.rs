//! Which of a thread's ready nodes are given to other threads.

use crate::activation::Ready;
use crate::ranks::Ranks;
use std::cmp::Reverse;

/// Nodes with less dependent work than this many nanoseconds are never handed to another thread one by one.
pub(crate) const WORTH_SHARING: u32 = 10_000;
/// Number of nodes of the list that are examined for one that is worth handing over.
pub(crate) const LOOKED_AT: usize = 64;

/// What to hand over.
#[derive(Default)]
pub(crate) struct Give {
    /// Nodes that are worth a thread each.
    pub(crate) each: Vec<Ready>,
    /// Nodes for one thread.
    pub(crate) together: Vec<Ready>,
}

/// The urgency of a node: later iterations of a loop wait for the earlier ones anyway; within an iteration, the node
/// with the longest path to the end goes first.
pub(crate) fn urgency(ranks: &Ranks, ready: &Ready) -> (Reverse<u64>, u32) {
    (Reverse(ready.iteration()), ranks.path(ready.node))
}

/// Takes the nodes for other threads out of `ready`; `free` threads are free. The last one, which this thread fires
/// next, stays.
///
/// A node is worth a thread if the work that depends on it is expensive, even if it is cheap itself. The most urgent go
/// first. If this thread is about to be busy for long, cheap nodes with longer paths to the end than the successors of
/// the busy node go too, all to one thread: together they may start something expensive.
pub(crate) fn choose(ranks: &Ranks, ready: &mut Vec<Ready>, free: usize, cost: impl Fn(&Ready) -> u32) -> Give {
    let mut give = Give::default();
    while give.each.len() < free {
        let Some(last) = ready.len().checked_sub(1) else { return give };
        let window = last.saturating_sub(LOOKED_AT)..last;
        let worth = window.filter(|&i| ranks.hanging(ready[i].node) >= WORTH_SHARING);
        // Among equals, the oldest.
        let Some(best) = worth.rev().max_by_key(|&i| urgency(ranks, &ready[i])) else { break };
        give.each.push(ready.remove(best));
    }
    let Some((next, others)) = ready.split_last() else { return give };
    let busy = cost(next);
    if give.each.is_empty() && busy >= WORTH_SHARING {
        let enough = (ranks.path(next.node) - busy.min(ranks.path(next.node))).saturating_add(WORTH_SHARING);
        let (first, last) = (others.len().saturating_sub(LOOKED_AT), others.len());
        let leads_far = |r: &mut Ready| ranks.path(r.node) >= enough;
        give.together = ready.extract_if(first..last, leads_far).collect();
    }
    give
}

/// If the last node is expensive, swaps it with the last cheap one, so that this is fired first: nodes that may be given to
/// other threads become ready sooner, and iterations end sooner, so that later ones may begin.
pub(crate) fn cheap_last(ready: &mut [Ready], cost: impl Fn(&Ready) -> u32) {
    let Some(last) = ready.len().checked_sub(1).filter(|&last| last > 0) else { return };
    let is_cheap = |ready: &Ready| cost(ready) < WORTH_SHARING;
    if is_cheap(&ready[last]) {
        return;
    }
    let first = last.saturating_sub(LOOKED_AT);
    if let Some(cheap) = ready[first..last].iter().rposition(is_cheap) {
        ready.swap(first + cheap, last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frames::ready_in;
    use crate::plan::NodeCost;
    use crate::testing::Sketch;

    /// The nodes that are given away from these; the last one is to stay.
    fn given(sketch: &Sketch, ready: &[u32], free: usize) -> (Vec<u32>, Vec<u32>) {
        let plan = sketch.plan();
        let ranks = Ranks::of(&plan);
        ranks.weigh(&plan);
        let mut list = ready.iter().map(|&node| Ready::of(node)).collect();
        let give = choose(&ranks, &mut list, free, |r| plan.nodes[r.node as usize].cost.shareable());
        let numbers = |list: Vec<Ready>| list.iter().map(|r| r.node).collect::<Vec<_>>();
        assert_eq!(list.len() + give.each.len() + give.together.len(), ready.len());
        (numbers(give.each), numbers(give.together))
    }

    #[test]
    fn a_branch_is_given_by_its_cheap_first_node() {
        let branches = Sketch::of(&[100, 3_000_000, 100, 3_000_000]).edges(&[(0, 1), (2, 3)]);
        assert_eq!(given(&branches, &[0, 2], 1), (vec![0], vec![]));
        assert_eq!(given(&branches, &[0, 3], 1), (vec![0], vec![]));
        let cheap = Sketch::of(&[100, 200, 100, 300]).edges(&[(0, 1), (2, 3)]);
        assert_eq!(given(&cheap, &[0, 2], 1), (vec![], vec![]));
    }

    #[test]
    fn the_longest_way_goes_first_and_the_newest_node_stays() {
        let nodes = Sketch::of(&[20_000, 40_000, 30_000, 90_000]);
        assert_eq!(given(&nodes, &[0, 1, 2, 3], 2), (vec![1, 2], vec![]));
        assert_eq!(given(&nodes, &[3], 2), (vec![], vec![]));
    }

    #[test]
    fn earlier_iterations_go_before_longer_ways() {
        let plan = Sketch::of(&[90_000, 20_000, 30_000]).plan();
        let ranks = Ranks::of(&plan);
        ranks.weigh(&plan);
        let mut list = [ready_in(7, 0), ready_in(5, 1), ready_in(5, 2), ready_in(6, 0)];
        list.sort_by_key(|r| urgency(&ranks, r));
        let order: Vec<(u64, u32)> = list.iter().rev().map(|r| (r.iteration(), r.node)).collect();
        assert_eq!(order, [(5, 2), (5, 1), (6, 0), (7, 0)]);
        let mut list = vec![ready_in(7, 0), ready_in(6, 1), ready_in(5, 2)];
        let give = choose(&ranks, &mut list, 1, |r| plan.nodes[r.node as usize].cost.shareable());
        assert_eq!(give.each.iter().map(|r| r.iteration()).collect::<Vec<_>>(), [6]);
    }

    #[test]
    fn cheap_nodes_are_fired_before_expensive_ones() {
        let costs = [100, 20_000, 200, 30_000, 40_000];
        let order = |nodes: &[u32]| {
            let mut list: Vec<Ready> = nodes.iter().map(|&node| Ready::of(node)).collect();
            cheap_last(&mut list, |r| costs[r.node as usize]);
            list.iter().map(|r| r.node).collect::<Vec<_>>()
        };
        assert_eq!(order(&[0, 1, 2, 3, 4]), [0, 1, 4, 3, 2]);
        assert_eq!(order(&[1, 3, 4]), [1, 3, 4]);
        assert_eq!(order(&[1, 0, 2]), [1, 0, 2]);
        assert_eq!(order(&[4]), [4]);
        // Only some are looked at.
        let mut many = vec![0];
        many.resize(LOOKED_AT + 2, 1);
        assert_eq!(order(&many), many);
    }

    #[test]
    fn what_is_only_queued_stays_on_its_thread() {
        let nodes = Sketch::of(&[100, 40_000, 30_000]);
        let plan = nodes.plan();
        let observed = NodeCost::of_queueing(40_000);
        assert_eq!((observed.nanos(), observed.shareable()), (40_000, 40_000));
        // The time of the first run includes the compilation of its program.
        observed.observe(90_000_000);
        assert_eq!((observed.nanos(), observed.shareable()), (20_000, 0));
        observed.observe(6_000);
        assert_eq!((observed.nanos(), observed.shareable()), (6_000, 0));
        let ranks = Ranks::of(&plan);
        ranks.weigh(&plan);
        let mut list = [0, 1, 2].map(Ready::of).into();
        let give = choose(&ranks, &mut list, 0, |_| observed.shareable());
        assert!(give.each.is_empty() && give.together.is_empty());
    }

    #[test]
    fn cheap_nodes_that_meet_go_together_while_this_thread_is_busy() {
        // 0 and 1 meet in 2; 3 is the other branch.
        let branches = Sketch::of(&[100, 100, 3_000_000, 3_000_000]).edges(&[(0, 2), (1, 2)]);
        assert_eq!(given(&branches, &[0, 1, 3], 1), (vec![], vec![0, 1]));
        // What also waits for the busy node is not worth it.
        let joined = Sketch::of(&[100, 100, 3_000_000, 3_000_000]).edges(&[(0, 2), (1, 2), (3, 2)]);
        assert_eq!(given(&joined, &[0, 1, 3], 1), (vec![], vec![]));
    }
}
