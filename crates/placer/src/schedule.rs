//! The list-scheduling placers. Each decides the device of every group by scheduling its first task.
//!
//! - [`heft`]: Topcuoglu, Hariri, Wu, "Performance-effective and low-complexity task scheduling for heterogeneous
//!   computing", IEEE TPDS 13(3), 2002: tasks by upward rank, each on the device where it ends first.
//! - [`etf`] and [`sct`] with memory limits: Jeon, Cai, Srivastava, Jiang, Ke, Meng, Xie, Gupta, "Baechi: Fast Device
//!   Placement of Machine Learning Graphs", SoCC 2020. m-ETF picks the task and device with the earliest start (Hwang,
//!   Chow, Anger, Lee, 1989); m-SCT does the same with favourite children that stay with their parents (Hanen, Munier,
//!   1995). Favourites are matched greedily by transfer time, instead of by a linear program.

use crate::problem::{CONTROL, Problem};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A float as a heap key.
#[derive(Clone, Copy, PartialEq)]
struct Key(f64);

impl Eq for Key {}
impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Key {
    fn cmp(&self, other: &Key) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// A partial schedule.
struct Schedule<'p, 'a> {
    problem: &'p Problem<'a>,
    /// The device of each group; `u32::MAX` while it is undecided.
    group: Vec<u32>,
    end: Vec<f64>,
    /// When each processor or thread is free, by device; the threads of a pool share one list.
    free: Vec<Vec<f64>>,
    lane: Vec<usize>,
    memory: Vec<f64>,
    limit: Vec<f64>,
    /// The bytes that each group takes on its device if nothing is ever freed.
    bytes: Vec<f64>,
    is_limited: bool,
}

impl<'p, 'a> Schedule<'p, 'a> {
    fn new(problem: &'p Problem<'a>, tight: bool) -> Schedule<'p, 'a> {
        let cluster = problem.cluster;
        let mut free: Vec<Vec<f64>> = cluster.pools.iter().map(|&threads| vec![0.0; threads]).collect();
        let lane = cluster
            .devices
            .iter()
            .map(|d| {
                d.pool.unwrap_or_else(|| {
                    free.push(vec![0.0]);
                    free.len() - 1
                })
            })
            .collect();
        let limit: Vec<f64> = cluster.devices.iter().map(|d| if tight { d.memory } else { f64::INFINITY }).collect();
        let mut bytes = vec![0.0; problem.candidates.len()];
        for (cost, &group) in problem.costs.iter().zip(&problem.group) {
            bytes[group as usize] += cost.held();
        }
        Schedule {
            problem,
            group: vec![u32::MAX; problem.candidates.len()],
            end: vec![0.0; problem.len()],
            free,
            lane,
            memory: vec![0.0; cluster.len()],
            is_limited: limit.iter().any(|l| l.is_finite()),
            limit,
            bytes,
        }
    }

    fn device(&self, task: u32) -> u32 {
        self.group[self.problem.group[task as usize] as usize]
    }

    /// The earliest start of a task on a device.
    fn start(&self, task: u32, device: u32) -> f64 {
        let arrive = |e: &crate::problem::Edge| {
            self.end[e.from as usize] + self.problem.transfer(e, self.device(e.from), device)
        };
        let inputs = self.problem.entering(task).map(arrive).fold(0.0, f64::max);
        let free = self.free[self.lane[device as usize]].iter().copied().fold(f64::INFINITY, f64::min);
        inputs.max(free)
    }

    /// Collects the devices that a task may still go to in `found`.
    fn choices(&self, task: u32, found: &mut Vec<u32>) {
        found.clear();
        let group = self.problem.group[task as usize] as usize;
        if self.group[group] != u32::MAX {
            return found.push(self.group[group]);
        }
        let candidates = &self.problem.candidates[group];
        if candidates.len() == 1 || !self.is_limited {
            return found.extend_from_slice(candidates);
        }
        let fits = |d: u32| self.memory[d as usize] + self.bytes[group] <= self.limit[d as usize];
        found.extend(candidates.iter().copied().filter(|&d| fits(d)));
        if found.is_empty() {
            // If none has room, the one with the most.
            let room = |d: &u32| self.limit[*d as usize] - self.memory[*d as usize];
            found.extend(candidates.iter().copied().max_by(|a, b| room(a).total_cmp(&room(b))));
        }
    }

    fn assign(&mut self, task: u32, device: u32) {
        let group = self.problem.group[task as usize];
        if self.group[group as usize] == u32::MAX {
            self.group[group as usize] = device;
            self.memory[device as usize] += self.bytes[group as usize];
        }
        let start = self.start(task, device);
        self.end[task as usize] = start + self.problem.nanos(task, device);
        let end = self.end[task as usize];
        let free = &mut self.free[self.lane[device as usize]];
        if let Some(first) = free.iter_mut().min_by(|a, b| a.total_cmp(b)) {
            *first = end;
        }
    }
}

/// The device of every group, by heterogeneous earliest finish time. `tight`: apply memory limits.
pub fn heft(problem: &Problem<'_>, tight: bool) -> Vec<u32> {
    let n = problem.len();
    let devices = problem.cluster.len() as u32;
    let mean_time = |t: u32| {
        let candidates = &problem.candidates[problem.group[t as usize] as usize];
        candidates.iter().map(|&d| problem.nanos(t, d)).sum::<f64>() / candidates.len() as f64
    };
    let pairs: Vec<(u32, u32)> =
        (0..devices).flat_map(|a| (0..devices).map(move |b| (a, b))).filter(|(a, b)| a != b).collect();
    let mean =
        |f: &dyn Fn(u32, u32) -> f64| pairs.iter().map(|&(a, b)| f(a, b)).sum::<f64>() / pairs.len().max(1) as f64;
    let latency = mean(&|a, b| problem.cluster.link(a, b).latency_ns);
    let per_byte = mean(&|a, b| 1e9 / problem.cluster.link(a, b).bandwidth);
    let mut rank = vec![0.0; n];
    for t in (0..n as u32).rev() {
        let after = problem.leaving(t).iter().map(|e| latency + per_byte * problem.bytes(e) + rank[e.to as usize]);
        rank[t as usize] = mean_time(t) + after.fold(0.0, f64::max);
    }
    let mut order: Vec<u32> = (0..n as u32).collect();
    // Ranks decrease along every edge, except for tasks that take no time; ties are broken by graph order.
    order.sort_by(|&a, &b| rank[b as usize].total_cmp(&rank[a as usize]).then(a.cmp(&b)));
    let mut schedule = Schedule::new(problem, tight);
    let mut choices = Vec::new();
    for task in order {
        let ends = |&d: &u32| schedule.start(task, d) + problem.nanos(task, d);
        schedule.choices(task, &mut choices);
        let best = choices.iter().copied().min_by(|a, b| ends(a).total_cmp(&ends(b))).unwrap_or(0);
        schedule.assign(task, best);
    }
    schedule.group
}

/// The device of every group, by earliest task first with memory limits (m-ETF).
pub fn etf(problem: &Problem<'_>, tight: bool) -> Vec<u32> {
    earliest(problem, tight, &vec![u32::MAX; problem.len()])
}

/// The device of every group, by small communication times with memory limits (m-SCT).
pub fn sct(problem: &Problem<'_>, tight: bool) -> Vec<u32> {
    let n = problem.len();
    let devices = problem.cluster.len() as u32;
    let worst = |e: &crate::problem::Edge| {
        let all = (0..devices).flat_map(|a| (0..devices).map(move |b| (a, b)));
        all.map(|(a, b)| problem.transfer(e, a, b)).fold(0.0, f64::max)
    };
    let mut edges: Vec<(f64, u32, u32)> =
        problem.edges.iter().filter(|e| e.output != CONTROL).map(|e| (worst(e), e.from, e.to)).collect();
    edges.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut favourite = vec![u32::MAX; n];
    let mut parent = vec![u32::MAX; n];
    for (_, from, to) in edges {
        if favourite[from as usize] == u32::MAX && parent[to as usize] == u32::MAX {
            favourite[from as usize] = to;
            parent[to as usize] = from;
        }
    }
    earliest(problem, tight, &parent)
}

/// The number of ready tasks that are compared before one is chosen.
const LOOK: usize = 6;

/// Repeatedly schedules the task that can start earliest, on the device where it can. A task with a favourite parent
/// stays with it unless it could start elsewhere before the parent's transfer would finish.
fn earliest(problem: &Problem<'_>, tight: bool, parent: &[u32]) -> Vec<u32> {
    let n = problem.len();
    let mut schedule = Schedule::new(problem, tight);
    let mut waits: Vec<u32> = (0..n as u32).map(|t| problem.waits(t)).collect();
    let mut choices: Vec<u32> = Vec::new();
    let mut best = |schedule: &Schedule<'_, '_>, task: u32| -> (f64, u32) {
        schedule.choices(task, &mut choices);
        let starts = choices.iter().map(|&d| (schedule.start(task, d), problem.nanos(task, d), d));
        let first = starts.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let (start, _, device) = first.unwrap_or((0.0, 0.0, 0));
        let with = match parent[task as usize] {
            u32::MAX => None,
            p => Some(schedule.device(p)).filter(|d| choices.contains(d)),
        };
        match with {
            Some(home) if home != device => {
                let (here, there) = (schedule.start(task, home), start);
                // Staying is worth the time that the transfer of the parent's tensor would take.
                let saved = problem.entering(task).find(|e| e.from == parent[task as usize]);
                let saved = saved.map_or(0.0, |e| problem.transfer(e, home, device));
                if here <= there + saved { (here, home) } else { (there, device) }
            }
            _ => (start, device),
        }
    };
    let mut ready: BinaryHeap<Reverse<(Key, u32)>> = BinaryHeap::new();
    for task in (0..n as u32).filter(|&t| problem.waits(t) == 0) {
        ready.push(Reverse((Key(best(&schedule, task).0), task)));
    }
    let mut looked_at: Vec<(Key, u32, u32)> = Vec::with_capacity(LOOK);
    while !ready.is_empty() {
        // Starts only get later as other tasks are scheduled: take the one of the first few that can start earliest.
        looked_at.clear();
        while looked_at.len() < LOOK {
            let Some(Reverse((Key(start), task))) = ready.pop() else { break };
            let (now, device) = best(&schedule, task);
            looked_at.push((Key(now), task, device));
            if now <= start {
                break;
            }
        }
        let Some(&(_, task, device)) = looked_at.iter().min() else { break };
        ready.extend(looked_at.iter().filter(|l| l.1 != task).map(|l| Reverse((l.0, l.1))));
        schedule.assign(task, device);
        for edge in problem.leaving(task) {
            let waits = &mut waits[edge.to as usize];
            *waits -= 1;
            if *waits == 0 {
                ready.push(Reverse((Key(best(&schedule, edge.to).0), edge.to)));
            }
        }
    }
    schedule.group
}
