//! Orders of the nodes: the one expected of the executor, and ones that need less memory.

use crate::cut::{Life, heaviest};
use crate::lives::{first_after_all, followers, latest};
use crate::model::Model;
use crate::{ControlEdge, Peak, Plan, rows};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::sync::Arc;

/// The maximum number of control edges to try, and of search steps for each bound.
const MOST_EDGES: usize = 200;
const WORK: u64 = 40_000_000;
/// The budget, in steps, for finding what comes after all consumers of tensors that have several.
const REACH: u64 = 20_000_000;

impl Model {
    /// The predecessors of each node.
    pub(crate) fn before(&self) -> Vec<Vec<u32>> {
        self.instances.iter().map(|i| i.before.clone()).collect()
    }

    /// The lifetime of each tensor.
    pub(crate) fn lives(&self) -> Vec<Life> {
        lives(&self.before(), self.buffers.iter().map(|b| (b.bytes, b.from, b.until.clone(), b.stays)))
    }

    /// Names of the nodes that satisfy `wanted`, each once.
    pub(crate) fn names(&self, wanted: impl Fn(usize) -> bool) -> Vec<Arc<str>> {
        let mut seen = HashSet::new();
        let chosen = (0..self.instances.len()).filter(|&v| wanted(v));
        chosen.filter_map(|v| self.instances[v].name.clone()).filter(|name| seen.insert(name.clone())).collect()
    }
}

/// Lifetimes of tensors: bytes, producer, consumers, and whether it stays.
fn lives(before: &[Vec<u32>], tensors: impl Iterator<Item = (u64, u32, Vec<u32>, bool)>) -> Vec<Life> {
    let after = followers(before);
    let mut work = REACH;
    tensors
        .map(|(bytes, from, until, stays)| {
            let last = match (stays, until.is_empty()) {
                (true, _) => Vec::new(),
                (false, true) => vec![from],
                (false, false) => latest(before, &until),
            };
            let after = match last.len() > 1 && bytes > 0 {
                true => first_after_all(&after, &last, &mut work).unwrap_or_default(),
                false => Vec::new(),
            };
            Life { bytes, from, last, after }
        })
        .collect()
}

/// Memory use while the nodes run in the executor's order.
pub(crate) struct Timeline {
    /// By place: the maximum number of bytes, and the tensors alive and the nodes running then.
    peaks: Vec<(u64, Vec<u32>, Vec<u32>)>,
}

/// Tensors by the nodes that make and use them, while nodes run.
struct Memory<'m> {
    model: &'m Model,
    made: Vec<Vec<u32>>,
    used: Vec<Vec<u32>>,
    left: Vec<u32>,
    now: Vec<u64>,
}

impl<'m> Memory<'m> {
    fn new(model: &'m Model) -> Memory<'m> {
        let count = model.instances.len();
        let (mut made, mut used) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        let mut left = Vec::with_capacity(model.buffers.len());
        for (b, buffer) in (0u32..).zip(&model.buffers) {
            made[buffer.from as usize].push(b);
            let mut until = buffer.until.clone();
            until.sort_unstable();
            until.dedup();
            if until.is_empty() && !buffer.stays {
                until.push(buffer.from);
            }
            until.iter().for_each(|&v| used[v as usize].push(b));
            left.push(until.len() as u32 + u32::from(buffer.stays));
        }
        Memory { model, made, used, left, now: vec![0; model.places.len()] }
    }

    fn start(&mut self, v: u32) {
        for &b in &self.made[v as usize] {
            let buffer = &self.model.buffers[b as usize];
            self.now[buffer.place as usize] += buffer.bytes;
        }
    }

    fn end(&mut self, v: u32) {
        for &b in &self.used[v as usize] {
            self.left[b as usize] -= 1;
            if self.left[b as usize] == 0 {
                let buffer = &self.model.buffers[b as usize];
                self.now[buffer.place as usize] -= buffer.bytes;
            }
        }
    }

    /// The memory that running a node would add on a place, and the change that would remain afterwards.
    fn effect(&self, v: u32, place: u32) -> (u64, i64) {
        let bytes = |b: &&u32| self.model.buffers[**b as usize].place == place;
        let size = |b: &u32| self.model.buffers[*b as usize].bytes;
        let added: u64 = self.made[v as usize].iter().filter(bytes).map(size).sum();
        let is_last = |b: &&u32| self.left[**b as usize] == 1;
        let freed: u64 = self.used[v as usize].iter().filter(bytes).filter(is_last).map(size).sum();
        (added, added as i64 - freed as i64)
    }
}

impl Timeline {
    /// Runs the nodes as the executor does on this many threads: each takes the node that became ready last.
    pub(crate) fn of(model: &Model, threads: usize) -> Timeline {
        let mut memory = Memory::new(model);
        let mut peaks: Vec<(u64, Vec<u32>, Vec<u32>)> = vec![(0, Vec::new(), Vec::new()); model.places.len()];
        let mut awaited: Vec<u32> = model.instances.iter().map(|i| i.before.len() as u32).collect();
        let mut ready: Vec<u32> = (0..awaited.len() as u32).filter(|&v| awaited[v as usize] == 0).collect();
        ready.sort_by_key(|&v| model.instances[v as usize].root);
        // Ends of running nodes, earliest first.
        let mut running: BinaryHeap<Reverse<(u64, u32)>> = BinaryHeap::new();
        let (mut now, mut order) = (0u64, Vec::new());
        let mut at_peak = vec![0usize; model.places.len()];
        loop {
            while running.len() < threads.max(1) {
                let Some(v) = ready.pop() else { break };
                memory.start(v);
                order.push((v, true));
                for (place, peak) in peaks.iter_mut().enumerate() {
                    if memory.now[place] > peak.0 {
                        (peak.0, at_peak[place]) = (memory.now[place], order.len());
                    }
                }
                running.push(Reverse((now + u64::from(model.instances[v as usize].nanos), v)));
            }
            let Some(Reverse((end, v))) = running.pop() else { break };
            now = end;
            memory.end(v);
            order.push((v, false));
            for &to in &model.instances[v as usize].after {
                awaited[to as usize] -= 1;
                if awaited[to as usize] == 0 {
                    ready.push(to);
                }
            }
        }
        for (place, peak) in peaks.iter_mut().enumerate() {
            (peak.1, peak.2) = alive(model, place as u32, &order[..at_peak[place]]);
        }
        Timeline { peaks }
    }

    /// The peak of a place, without what is there all the time.
    pub(crate) fn peak(&self, model: &Model, place: u32) -> Peak {
        let (bytes, alive, running) = &self.peaks[place as usize];
        let running = model.names(|v| running.contains(&(v as u32)));
        Peak { bytes: *bytes, alive: rows(model, alive.iter().copied()), running, is_exact: true }
    }
}

/// What is alive on a place after these starts and ends, and what is running.
fn alive(model: &Model, place: u32, order: &[(u32, bool)]) -> (Vec<u32>, Vec<u32>) {
    let mut memory = Memory::new(model);
    let (mut alive, mut running) = (HashSet::new(), HashSet::new());
    for &(v, starts) in order {
        if starts {
            running.insert(v);
            memory.start(v);
            alive.extend(memory.made[v as usize].iter().copied());
        } else {
            running.remove(&v);
            memory.end(v);
            for b in &memory.used[v as usize] {
                if memory.left[*b as usize] == 0 {
                    alive.remove(b);
                }
            }
        }
    }
    let mut alive: Vec<u32> = alive.into_iter().filter(|&b| model.buffers[b as usize].place == place).collect();
    alive.sort_unstable();
    let mut running: Vec<u32> = running.into_iter().collect();
    running.sort_unstable();
    (alive, running)
}

/// The maximum number of ready nodes that are compared: those that became ready last.
const COMPARED: usize = 1024;

/// A sequential order of the nodes that keeps memory low: always picks the ready node that frees most. Returns the
/// order and its peak.
fn frugal(model: &Model, place: u32) -> (Vec<u32>, u64) {
    in_order(model, place, |ready, memory| {
        // Ties go to the node that became ready last, which continues with the tensors at hand.
        let cost = |&(at, &v): &(usize, &u32)| {
            let (added, kept) = memory.effect(v, place);
            (kept.max(0), added, kept, Reverse(at))
        };
        let (at, _) = ready.iter().enumerate().rev().take(COMPARED).min_by_key(cost)?;
        Some(ready.remove(at))
    })
}

/// The executor's order on one thread.
fn usual(model: &Model, place: u32) -> (Vec<u32>, u64) {
    in_order(model, place, |ready, _| ready.pop())
}

/// The sequential order that results if `pick` chooses among the ready nodes, and its peak.
fn in_order(
    model: &Model,
    place: u32,
    mut pick: impl FnMut(&mut Vec<u32>, &Memory<'_>) -> Option<u32>,
) -> (Vec<u32>, u64) {
    let mut memory = Memory::new(model);
    let mut awaited: Vec<u32> = model.instances.iter().map(|i| i.before.len() as u32).collect();
    let mut ready: Vec<u32> = (0..awaited.len() as u32).filter(|&v| awaited[v as usize] == 0).collect();
    ready.sort_by_key(|&v| model.instances[v as usize].root);
    let (mut order, mut peak) = (Vec::with_capacity(awaited.len()), 0);
    while let Some(v) = pick(&mut ready, &memory) {
        memory.start(v);
        peak = peak.max(memory.now[place as usize]);
        memory.end(v);
        order.push(v);
        for &to in &model.instances[v as usize].after {
            awaited[to as usize] -= 1;
            if awaited[to as usize] == 0 {
                ready.push(to);
            }
        }
    }
    (order, peak)
}

/// Control edges that keep a place within a limit in any order.
pub(crate) fn within(model: &Model, place: u32, limit: u64) -> Option<Plan> {
    let fixed: u64 = model.fixed.iter().filter(|f| f.place == place).map(|f| f.alive.bytes).sum();
    let room = limit.checked_sub(fixed)?;
    let (order, peak) = [frugal(model, place), usual(model, place)].into_iter().min_by_key(|(_, peak)| *peak)?;
    if peak > room {
        return None;
    }
    // Numbers in this order increase along every edge, including the added ones.
    let mut number = vec![0u32; order.len()];
    (0u32..).zip(&order).for_each(|(n, &v)| number[v as usize] = n);
    let mut before: Vec<Vec<u32>> = order
        .iter()
        .map(|&v| model.instances[v as usize].before.iter().map(|&u| number[u as usize]).collect())
        .collect();
    let tensors: Vec<(u64, u32, Vec<u32>, bool)> = model
        .buffers
        .iter()
        .map(|b| {
            let bytes = if b.place == place { b.bytes } else { 0 };
            (bytes, number[b.from as usize], b.until.iter().map(|&v| number[v as usize]).collect(), b.stays)
        })
        .collect();
    let name = |v: u32| model.instances[order[v as usize] as usize].orderable.clone();
    let mut edges: Vec<ControlEdge> = Vec::new();
    loop {
        let lives = lives(&before, tensors.iter().cloned());
        let moment = heaviest(&before, &lives, WORK);
        if moment.bytes <= room {
            return Some(Plan { edges, bytes: moment.bytes + fixed });
        }
        // Two tensors that are alive together, but not in this order: the second one has to wait until the first is
        // freed.
        let (mut best, mut most) = (None, 0);
        for &first in &moment.alive {
            let life = &lives[first as usize];
            let Some(&end) = life.last.iter().max() else { continue };
            if life.last.iter().any(|&v| name(v).is_none()) {
                continue;
            }
            for &second in &moment.alive {
                let other = &lives[second as usize];
                let gain = life.bytes.min(other.bytes);
                if end < other.from && gain > most && name(other.from).is_some() {
                    (best, most) = (Some((first, second)), gain);
                }
            }
        }
        let (first, second) = best?;
        let waits = lives[second as usize].from;
        for &v in &lives[first as usize].last {
            before[waits as usize].push(v);
            if let (Some(node), Some(after)) = (name(waits), name(v)) {
                edges.push(ControlEdge { node, after });
            }
        }
        if edges.len() > MOST_EDGES {
            return None;
        }
    }
}
