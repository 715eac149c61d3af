//! Lifetimes of tensors: which of their consumers may be the last, and what comes after all of them. Node numbers
//! increase along every edge.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};

/// The nodes after each node.
pub(crate) fn followers(before: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut after = vec![Vec::new(); before.len()];
    for (v, before) in (0u32..).zip(before) {
        before.iter().for_each(|&u| after[u as usize].push(v));
    }
    after
}

/// The nodes that none of the others comes after: any of them may be the last to end.
pub(crate) fn latest(before: &[Vec<u32>], nodes: &[u32]) -> Vec<u32> {
    let mut all = nodes.to_vec();
    all.sort_unstable();
    all.dedup();
    let Some(&least) = all.first().filter(|_| all.len() > 1) else { return all };
    let mut seen: HashSet<u32> = HashSet::new();
    let mut stack = all.clone();
    while let Some(v) = stack.pop() {
        for &u in before[v as usize].iter().filter(|&&u| u >= least) {
            if seen.insert(u) && all.binary_search(&u).is_err() {
                stack.push(u);
            }
        }
    }
    all.retain(|v| !seen.contains(v));
    all
}

/// The first nodes that come after all of `nodes`; `None` if they are not found within the remaining work.
pub(crate) fn first_after_all(after: &[Vec<u32>], nodes: &[u32], work: &mut u64) -> Option<Vec<u32>> {
    if nodes.len() > 64 {
        return None;
    }
    let all = u64::MAX >> (64 - nodes.len());
    // By node, which of `nodes` it comes after. Smaller numbers come first, so the predecessors of a node are known.
    let mut reached: BTreeMap<u32, u64> = BTreeMap::new();
    let mut queue: BinaryHeap<Reverse<u32>> = nodes.iter().copied().map(Reverse).collect();
    let own: BTreeMap<u32, u64> = nodes.iter().zip(0..).map(|(&v, i)| (v, 1 << i)).collect();
    let mut done: HashSet<u32> = HashSet::new();
    let mut found = Vec::new();
    while let Some(Reverse(v)) = queue.pop() {
        if !done.insert(v) {
            continue;
        }
        let mask = reached.get(&v).copied().unwrap_or(0);
        if mask == all {
            found.push(v);
            continue;
        }
        let mask = mask | own.get(&v).copied().unwrap_or(0);
        for &to in &after[v as usize] {
            *work = work.checked_sub(1)?;
            *reached.entry(to).or_default() |= mask;
            queue.push(Reverse(to));
        }
    }
    Some(found)
}
