//! The maximum that can be alive at the same time: a maximum weight closure, found as a minimum cut.
//!
//! Each node of the step has two events, its start and its end. A moment of the step is a set of events that have
//! happened, closed under precedence: the end of a node comes after its start, its start after the ends of the nodes
//! before it. A tensor counts from the start of the node that makes it to the end of its last consumer, so the weight
//! of a moment is the sum of what has started minus what has ended. If each tensor has a single last consumer, the
//! heaviest closed set is the exact answer, over all orders and any number of workers.
//!
//! If any of several consumers may be the last, choosing one for each tensor makes the exact answer hard (Touati,
//! "Register saturation in instruction level parallelism", 2005). Such a tensor first counts until something starts
//! that needs all of its consumers to have ended. The result is never below the true one. If it counts a tensor whose
//! consumers have all ended, each of them is tried as the last, most promising first, while the budget lasts; choices
//! that were not tried count with their bounds.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

/// A directed graph with capacities, for Dinic's algorithm.
struct Flow {
    to: Vec<u32>,
    capacity: Vec<u64>,
    next: Vec<u32>,
    first: Vec<u32>,
    level: Vec<u32>,
    at: Vec<u32>,
}

const NONE: u32 = u32::MAX;
const INFINITE: u64 = u64::MAX / 4;

impl Flow {
    fn new(vertices: usize) -> Flow {
        Flow {
            to: Vec::new(),
            capacity: Vec::new(),
            next: Vec::new(),
            first: vec![NONE; vertices],
            level: vec![0; vertices],
            at: vec![0; vertices],
        }
    }

    fn edge(&mut self, from: u32, to: u32, capacity: u64) {
        for (a, b, c) in [(from, to, capacity), (to, from, 0)] {
            self.to.push(b);
            self.capacity.push(c);
            self.next.push(self.first[a as usize]);
            self.first[a as usize] = self.to.len() as u32 - 1;
        }
    }

    /// Computes distances from the source; true if the sink can be reached.
    fn search(&mut self, source: u32, sink: u32, work: &mut u64) -> bool {
        self.level.fill(NONE);
        self.level[source as usize] = 0;
        let mut queue = VecDeque::from([source]);
        while let Some(v) = queue.pop_front() {
            let mut e = self.first[v as usize];
            while e != NONE {
                *work = work.saturating_sub(1);
                let to = self.to[e as usize] as usize;
                if self.capacity[e as usize] > 0 && self.level[to] == NONE {
                    self.level[to] = self.level[v as usize] + 1;
                    queue.push_back(to as u32);
                }
                e = self.next[e as usize];
            }
        }
        self.level[sink as usize] != NONE
    }

    /// Pushes flow along one shortest path; returns the amount.
    fn augment(&mut self, source: u32, sink: u32, path: &mut Vec<u32>, work: &mut u64) -> u64 {
        path.clear();
        let mut v = source;
        while v != sink {
            *work = work.saturating_sub(1);
            let e = self.at[v as usize];
            if e == NONE {
                // A dead end: no path leads through it anymore.
                let Some(back) = path.pop() else { return 0 };
                v = self.to[(back ^ 1) as usize];
                self.at[v as usize] = self.next[back as usize];
                continue;
            }
            let to = self.to[e as usize];
            if self.capacity[e as usize] > 0 && self.level[to as usize] == self.level[v as usize] + 1 {
                path.push(e);
                v = to;
            } else {
                self.at[v as usize] = self.next[e as usize];
            }
        }
        let pushed = path.iter().map(|&e| self.capacity[e as usize]).min().unwrap_or(0);
        for &e in path.iter() {
            self.capacity[e as usize] -= pushed;
            self.capacity[(e ^ 1) as usize] += pushed;
        }
        pushed
    }

    /// The maximum flow, or as much of it as is found within `work` steps. Leaves the levels of the nodes that the
    /// source still reaches set.
    fn run(&mut self, source: u32, sink: u32, work: &mut u64) -> (u64, bool) {
        let (mut flow, mut path) = (0, Vec::new());
        while self.search(source, sink, work) {
            self.at.copy_from_slice(&self.first);
            loop {
                if *work == 0 {
                    return (flow, false);
                }
                match self.augment(source, sink, &mut path, work) {
                    0 => break,
                    pushed => flow += pushed,
                }
            }
        }
        (flow, true)
    }
}

/// A tensor: its size, its producer, and its consumers.
#[derive(Clone, Debug)]
pub(crate) struct Life {
    pub(crate) bytes: u64,
    pub(crate) from: u32,
    /// The consumers that may be the last; none if it stays until the end of the step.
    pub(crate) last: Vec<u32>,
    /// The first nodes that need all of them to have ended.
    pub(crate) after: Vec<u32>,
}

/// A moment of the step.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    /// Bytes alive, or an upper bound.
    pub(crate) bytes: u64,
    /// By node: 0 not started, 1 running, 2 ended.
    pub(crate) state: Vec<u8>,
    /// Numbers of the tensors that are alive.
    pub(crate) alive: Vec<u32>,
    /// True if no order has more alive, and some order has as much.
    pub(crate) exact: bool,
}

/// A choice of last consumers, and the moment that it leads to.
struct Choice {
    bytes: u64,
    /// By tensor: its last consumer; [`NONE`] if not chosen.
    chosen: Vec<u32>,
    moment: Moment,
}

impl PartialEq for Choice {
    fn eq(&self, other: &Choice) -> bool {
        self.bytes == other.bytes
    }
}
impl Eq for Choice {}
impl PartialOrd for Choice {
    fn partial_cmp(&self, other: &Choice) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Choice {
    fn cmp(&self, other: &Choice) -> Ordering {
        self.bytes.cmp(&other.bytes)
    }
}

/// The heaviest moment of a step in which node `v` comes after those in `before[v]`, found within about `work` steps.
pub(crate) fn heaviest(before: &[Vec<u32>], lives: &[Life], mut work: u64) -> Moment {
    let open = vec![NONE; lives.len()];
    let first = solve(before, lives, &open, &mut work);
    let mut heap = BinaryHeap::from([Choice { bytes: first.bytes, chosen: open, moment: first }]);
    loop {
        let Some(mut best) = heap.pop() else {
            return Moment { bytes: 0, state: vec![0; before.len()], alive: Vec::new(), exact: true };
        };
        let state = &best.moment.state;
        let is_over = |life: &Life| life.last.len() > 1 && life.last.iter().all(|&c| state[c as usize] == 2);
        let wrong = best
            .moment
            .alive
            .iter()
            .copied()
            .filter(|&b| best.chosen[b as usize] == NONE && is_over(&lives[b as usize]));
        let Some(worst) = wrong.max_by_key(|&b| lives[b as usize].bytes) else {
            best.moment.bytes = best.bytes;
            return best.moment;
        };
        if work == 0 || !best.moment.exact {
            best.moment.exact = false;
            return best.moment;
        }
        for &last in &lives[worst as usize].last {
            let mut chosen = best.chosen.clone();
            chosen[worst as usize] = last;
            let moment = solve(before, lives, &chosen, &mut work);
            // A bound that was not found in time is no better than that of the choice it was derived from.
            let bytes = moment.bytes.min(best.bytes);
            heap.push(Choice { bytes, chosen, moment: Moment { bytes, ..moment } });
        }
    }
}

fn solve(before: &[Vec<u32>], lives: &[Life], chosen: &[u32], work: &mut u64) -> Moment {
    let nodes = before.len() as u32;
    let (start, end) = (|v: u32| 2 * v, |v: u32| 2 * v + 1);
    let open: Vec<u32> =
        (0..lives.len() as u32).filter(|&b| chosen[b as usize] == NONE && lives[b as usize].last.len() > 1).collect();
    let (source, sink) = (2 * nodes + open.len() as u32, 2 * nodes + open.len() as u32 + 1);
    let mut flow = Flow::new(sink as usize + 1);
    let mut weight = vec![0i64; source as usize];
    let mut number = 2 * nodes;
    for (b, life) in (0u32..).zip(lives) {
        weight[start(life.from) as usize] += life.bytes as i64;
        let death = match (life.last.as_slice(), chosen[b as usize]) {
            ([], _) => continue,
            ([only], _) => end(*only),
            (_, NONE) => {
                for &after in &life.after {
                    flow.edge(start(after), number, INFINITE);
                }
                number += 1;
                number - 1
            }
            (_, last) => end(last),
        };
        weight[death as usize] -= life.bytes as i64;
    }
    for (v, before) in (0u32..).zip(before) {
        flow.edge(end(v), start(v), INFINITE);
        for &u in before {
            flow.edge(start(v), end(u), INFINITE);
        }
    }
    let mut most = 0u64;
    for (v, &w) in (0u32..).zip(&weight) {
        match w.cmp(&0) {
            Ordering::Greater => {
                most += w as u64;
                flow.edge(source, v, w as u64);
            }
            Ordering::Less => flow.edge(v, sink, w.unsigned_abs()),
            Ordering::Equal => {}
        }
    }
    let (cut, exact) = flow.run(source, sink, work);
    let happened = |v: u32| exact && flow.level[v as usize] != NONE;
    let state: Vec<u8> = (0..nodes).map(|v| u8::from(happened(start(v))) + u8::from(happened(end(v)))).collect();
    let mut number = 2 * nodes;
    let mut alive = Vec::new();
    for (b, life) in (0u32..).zip(lives) {
        let over = match (life.last.as_slice(), chosen[b as usize]) {
            ([], _) => false,
            ([only], _) => state[*only as usize] == 2,
            (_, NONE) => {
                number += 1;
                happened(number - 1)
            }
            (_, last) => state[last as usize] == 2,
        };
        if state[life.from as usize] > 0 && !over && life.bytes > 0 {
            alive.push(b);
        }
    }
    Moment { bytes: most - cut, state, alive, exact }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORK: u64 = 1 << 30;

    fn life(bytes: u64, from: u32, last: &[u32]) -> Life {
        Life { bytes, from, last: last.to_vec(), after: Vec::new() }
    }

    /// Tries every moment of a small step.
    fn by_hand(before: &[Vec<u32>], lives: &[Life]) -> u64 {
        let nodes = before.len() as u32;
        let mut most = 0;
        'all: for code in 0..3u32.pow(nodes) {
            let state: Vec<u32> = (0..nodes).map(|v| code / 3u32.pow(v) % 3).collect();
            for (v, before) in before.iter().enumerate() {
                if state[v] > 0 && before.iter().any(|&u| state[u as usize] < 2) {
                    continue 'all;
                }
            }
            let alive = |l: &&Life| {
                state[l.from as usize] > 0 && (l.last.is_empty() || l.last.iter().any(|&c| state[c as usize] < 2))
            };
            most = most.max(lives.iter().filter(alive).map(|l| l.bytes).sum());
        }
        most
    }

    #[test]
    fn a_chain_holds_an_input_and_an_output() {
        let before = [vec![], vec![0], vec![1], vec![2]];
        let lives = [life(5, 0, &[1]), life(7, 1, &[2]), life(1, 2, &[3])];
        let moment = heaviest(&before, &lives, WORK);
        assert_eq!((moment.bytes, moment.exact, moment.alive), (12, true, vec![0, 1]));
        assert_eq!(moment.state, [2, 1, 0, 0]);
    }

    #[test]
    fn random_steps_agree_with_going_through_all_moments() {
        let mut seed = 7u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        for _ in 0..200 {
            let nodes = 7u32;
            let mut before: Vec<Vec<u32>> = vec![Vec::new(); nodes as usize];
            let mut lives = Vec::new();
            for v in 0..nodes {
                let mut last = Vec::new();
                for to in v + 1..nodes {
                    if random(3) == 0 {
                        before[to as usize].push(v);
                        last.push(to);
                    }
                }
                let last = crate::lives::latest(&before, &last);
                lives.push(Life { bytes: random(9), from: v, last, after: Vec::new() });
            }
            let after = crate::lives::followers(&before);
            for life in lives.iter_mut().filter(|l| l.last.len() > 1) {
                life.after = crate::lives::first_after_all(&after, &life.last, &mut 1_000_000u64).unwrap_or_default();
            }
            let moment = heaviest(&before, &lives, WORK);
            assert!(moment.exact);
            assert_eq!(moment.bytes, by_hand(&before, &lives), "{before:?} {lives:?}");
            // With too little time, the result is not below the exact one.
            let early = heaviest(&before, &lives, 1);
            assert!(early.bytes >= moment.bytes);
        }
    }
}
