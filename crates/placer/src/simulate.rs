//! Simulates a placed graph on described devices: when every node starts and ends, what crosses each link, and how much
//! memory is used.
//!
//! A device with a processor of its own runs its ready tasks one after the other, in the order in which they became
//! ready. Devices in a pool share its threads as in the executor: the newest ready task first, with expensive ones
//! handed to idle threads. A link carries one transfer at a time; a tensor is transferred once for each destination.

use crate::problem::{CONTROL, Problem};
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap, VecDeque};

/// Tasks of at least this many nanoseconds are handed to other threads.
const WORTH_SHARING: f64 = 10_000.0;
/// A tensor has left the cache if its first consumer starts after this many other tasks of its pool; this costs
/// [`COLD_NS`] nanoseconds.
const COLD_AFTER: u32 = 1_000;
const COLD_NS: f64 = 50.0;
/// Steps cheaper than this run on one thread.
const WORTH_THREADS: f64 = 50_000.0;

/// A task that ran.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    /// When it started, in nanoseconds.
    pub start: f64,
    /// When it ended.
    pub end: f64,
    /// Number of the thread among those of its device or pool.
    pub thread: u32,
    /// The last thing that it waited for: a task, or `u32::MAX`.
    pub after: u32,
}

/// A tensor that was transferred between devices.
#[derive(Clone, Copy, Debug)]
pub struct Transfer {
    /// The task that produced it.
    pub task: u32,
    /// The output's number; [`CONTROL`] for an ordering only.
    pub output: u32,
    /// The source device.
    pub from: u32,
    /// The destination device.
    pub to: u32,
    /// When it started.
    pub start: f64,
    /// When it ended.
    pub end: f64,
    /// Its size.
    pub bytes: f64,
}

/// A tensor in memory: task, output, bytes.
pub type LiveTensor = (u32, u32, f64);

/// A simulated step.
#[derive(Clone, Debug, Default)]
pub struct Simulation {
    /// The duration of the step in nanoseconds.
    pub makespan: f64,
    /// The span of every task.
    pub spans: Vec<Span>,
    /// Every transfer, sorted by start.
    pub transfers: Vec<Transfer>,
    /// The busy time of each device, in nanoseconds.
    pub busy: Vec<f64>,
    /// The peak memory of each device, in bytes.
    pub peak: Vec<f64>,
    /// The tensors on each device at its peak.
    pub at_peak: Vec<Vec<LiveTensor>>,
}

#[derive(Clone, Copy, PartialEq)]
enum What {
    /// A task ends: task, lane.
    End(u32, u32),
    /// A transfer ends: its number.
    Arrive(u32),
}

#[derive(Clone, Copy, PartialEq)]
struct Event {
    at: f64,
    number: u64,
    what: What,
}

impl Eq for Event {}
impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Event) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Event {
    /// Earliest first.
    fn cmp(&self, other: &Event) -> Ordering {
        other.at.total_cmp(&self.at).then(other.number.cmp(&self.number))
    }
}

/// A processor or a thread.
struct Lane {
    pool: Option<usize>,
    busy: bool,
    ready: VecDeque<u32>,
}

struct State<'p, 'a> {
    problem: &'p Problem<'a>,
    device: &'p [u32],
    lanes: Vec<Lane>,
    /// The first lane of each device, and of each pool.
    own: Vec<u32>,
    pools: Vec<(u32, u32)>,
    /// When the threads of each pool finish the task that was split over all of them.
    split: Vec<f64>,
    events: BinaryHeap<Event>,
    waits: Vec<u32>,
    /// The number of consumers of an output on a device that have not ended.
    users: HashMap<(u32, u32, u32), u32>,
    links: Vec<f64>,
    memory: Vec<f64>,
    /// The number of events so far; breaks ties between simultaneous events.
    count: u64,
    /// The number of tasks that have started, and that number when each task ended.
    started: u32,
    ended: Vec<u32>,
    /// The peak memory of each device, known from an earlier run that kept no lists.
    peaks: Option<&'p [f64]>,
    held: Vec<HashMap<(u32, u32), f64>>,
    out: Simulation,
}

/// Simulates a step with the tasks on these devices.
pub fn simulate(problem: &Problem<'_>, device: &[u32]) -> Simulation {
    let first = run(problem, device, None);
    run(problem, device, Some(&first.peak))
}

/// Same as [`simulate`], without lists of live tensors.
pub(crate) fn estimate(problem: &Problem<'_>, device: &[u32]) -> Simulation {
    run(problem, device, None)
}

fn run(problem: &Problem<'_>, device: &[u32], peaks: Option<&[f64]>) -> Simulation {
    let cluster = problem.cluster;
    let (n, devices) = (problem.len(), cluster.len());
    let total: f64 = (0..n as u32).map(|t| problem.nanos(t, device[t as usize])).sum();
    let mut lanes = Vec::new();
    let pools: Vec<(u32, u32)> = cluster
        .pools
        .iter()
        .enumerate()
        .map(|(pool, &threads)| {
            let first = lanes.len() as u32;
            let threads = if total < WORTH_THREADS { 1 } else { threads };
            lanes.extend((0..threads).map(|_| Lane { pool: Some(pool), busy: false, ready: VecDeque::new() }));
            (first, lanes.len() as u32)
        })
        .collect();
    let own = cluster
        .devices
        .iter()
        .map(|d| match d.pool {
            Some(pool) => pools[pool].0,
            None => {
                lanes.push(Lane { pool: None, busy: false, ready: VecDeque::new() });
                lanes.len() as u32 - 1
            }
        })
        .collect();
    let split = vec![0.0; pools.len()];
    let mut state = State {
        problem,
        device,
        lanes,
        own,
        pools,
        split,
        events: BinaryHeap::new(),
        waits: (0..n as u32).map(|t| problem.waits(t)).collect(),
        users: HashMap::new(),
        links: vec![0.0; devices * devices],
        memory: vec![0.0; devices],
        count: 0,
        started: 0,
        ended: vec![0; n],
        peaks,
        held: vec![HashMap::new(); if peaks.is_some() { devices } else { 0 }],
        out: Simulation {
            makespan: 0.0,
            spans: vec![Span { after: u32::MAX, ..Span::default() }; n],
            transfers: Vec::new(),
            busy: vec![0.0; devices],
            peak: vec![0.0; devices],
            at_peak: vec![Vec::new(); devices],
        },
    };
    for task in 0..n as u32 {
        let resident = problem.costs[task as usize].resident;
        if resident > 0.0 {
            state.take(device[task as usize], (task, CONTROL), resident);
        }
        state.take_copies(task);
    }
    // Roots are queued as in the executor: the first one on top.
    for task in (0..n as u32).rev().filter(|&t| problem.waits(t) == 0) {
        let lane = state.own[device[task as usize] as usize];
        if state.lanes[lane as usize].pool.is_some() {
            state.lanes[lane as usize].ready.push_back(task);
        } else {
            state.lanes[lane as usize].ready.push_front(task);
        }
    }
    for lane in 0..state.lanes.len() as u32 {
        state.share(lane, 0.0);
        state.start_next(lane, 0.0);
    }
    while let Some(event) = state.events.pop() {
        state.out.makespan = state.out.makespan.max(event.at);
        match event.what {
            What::End(task, lane) => state.end(task, lane, event.at),
            What::Arrive(transfer) => state.arrive(transfer, event.at),
        }
    }
    state.out
}

impl State<'_, '_> {
    fn push(&mut self, at: f64, what: What) {
        self.count += 1;
        self.events.push(Event { at, number: self.count, what });
    }

    fn take(&mut self, device: u32, tensor: (u32, u32), bytes: f64) {
        let d = device as usize;
        self.memory[d] += bytes;
        if self.peaks.is_some() {
            self.held[d].insert(tensor, bytes);
        }
        if self.memory[d] > self.out.peak[d] {
            self.out.peak[d] = self.memory[d];
            if self.peaks.is_some_and(|peaks| self.memory[d] >= peaks[d]) {
                let mut list: Vec<LiveTensor> = self.held[d].iter().map(|(&(t, o), &b)| (t, o, b)).collect();
                list.sort_by(|a, b| b.2.total_cmp(&a.2).then((a.0, a.1).cmp(&(b.0, b.1))));
                self.out.at_peak[d] = list;
            }
        }
    }

    fn give_back(&mut self, device: u32, tensor: (u32, u32), bytes: f64) {
        self.memory[device as usize] -= bytes;
        if self.peaks.is_some() {
            self.held[device as usize].remove(&tensor);
        }
    }

    /// Accounts for outputs that exist before the step: they have been copied to where they are needed, and stay there.
    fn take_copies(&mut self, task: u32) {
        let cost = &self.problem.costs[task as usize];
        if !cost.is_ready() || !cost.is_kept() {
            return;
        }
        let own = self.device[task as usize];
        let mut copies: Vec<(u32, u32)> = self
            .problem
            .leaving(task)
            .iter()
            .filter(|e| e.output != CONTROL)
            .map(|e| (self.device[e.to as usize], e.output))
            .filter(|&(to, _)| to != own && !self.problem.cluster.link(own, to).is_shared_memory())
            .collect();
        copies.sort_unstable();
        copies.dedup();
        for (to, output) in copies {
            self.take(to, (task, output), cost.outputs.get(output as usize).copied().unwrap_or(0.0));
        }
    }

    /// True if an output takes memory on a device only while it is in use.
    fn is_passing(&self, task: u32, device: u32) -> bool {
        let cost = &self.problem.costs[task as usize];
        !cost.is_kept() || device != self.device[task as usize] && !cost.is_ready()
    }

    /// Starts the next task on an idle lane.
    fn start_next(&mut self, lane: u32, now: f64) {
        let l = &mut self.lanes[lane as usize];
        if l.busy {
            return;
        }
        // Threads take the newest, processors the oldest.
        let Some(task) = (if l.pool.is_some() { l.ready.pop_back() } else { l.ready.pop_front() }) else { return };
        l.busy = true;
        let device = self.device[task as usize];
        let mut nanos = self.problem.nanos(task, device);
        for (o, &bytes) in self.problem.costs[task as usize].outputs.iter().enumerate() {
            if bytes > 0.0 && self.is_passing(task, device) {
                self.take(device, (task, o as u32), bytes);
            }
        }
        // The thread that made a tensor hands it over if no copy is needed.
        nanos += self.hand_overs(task, device);
        self.started += 1;
        if self.lanes[lane as usize].pool.is_some() && self.problem.len() > COLD_AFTER as usize {
            nanos += COLD_NS * self.cold(task) as f64;
        }
        self.out.busy[device as usize] += nanos;
        if let Some(pool) = self.lanes[lane as usize].pool.filter(|_| self.problem.costs[task as usize].is_wide()) {
            nanos += (self.split[pool] - now).max(0.0);
            self.split[pool] = now + nanos;
        }
        let first = self.lanes[lane as usize].pool.map_or(lane, |p| self.pools[p].0);
        let span = &mut self.out.spans[task as usize];
        (span.start, span.end, span.thread) = (now, now + nanos, lane - first);
        self.push(now + nanos, What::End(task, lane));
    }

    /// The number of inputs that a task is the first to use, a long time after they were made.
    fn cold(&mut self, task: u32) -> usize {
        let is_cold =
            |e: &&crate::problem::Edge| e.output != CONTROL && self.started - self.ended[e.from as usize] > COLD_AFTER;
        let cold: Vec<u32> = self.problem.entering(task).filter(is_cold).map(|e| e.from).collect();
        // A tensor that has been used once is warm.
        cold.iter().for_each(|&from| self.ended[from as usize] = self.started);
        cold.len()
    }

    fn hand_overs(&self, task: u32, device: u32) -> f64 {
        let mut nanos = 0.0;
        if self.problem.costs[task as usize].is_ready() {
            return nanos;
        }
        let mut before: Option<(u32, u64)> = None;
        for edge in self.problem.leaving(task) {
            let to = self.device[edge.to as usize];
            let link = self.problem.cluster.link(device, to);
            if to == device || !link.is_shared_memory() {
                continue;
            }
            let (output, mut seen) = before.filter(|(o, _)| *o == edge.output).unwrap_or((edge.output, 0));
            if seen >> (to % 64) & 1 == 0 {
                nanos += link.latency_ns;
                seen |= 1 << (to % 64);
            }
            before = Some((output, seen));
        }
        nanos
    }

    fn end(&mut self, task: u32, lane: u32, now: f64) {
        self.lanes[lane as usize].busy = false;
        self.ended[task as usize] = self.started;
        let device = self.device[task as usize];
        // Inputs that are not needed anymore.
        let entering: Vec<(u32, u32)> =
            self.problem.entering(task).filter(|e| e.output != CONTROL).map(|e| (e.from, e.output)).collect();
        for (from, output) in entering {
            self.release(from, output, device);
        }
        let leaving: Vec<crate::problem::Edge> = self.problem.leaving(task).to_vec();
        // The number of users of each output here, and its other destinations.
        let mut i = 0;
        let outputs = self.problem.costs[task as usize].outputs.len() as u32;
        let mut seen = 0u32;
        while i < leaving.len() {
            let output = leaving[i].output;
            let end = leaving[i..].iter().position(|e| e.output != output).map_or(leaving.len(), |p| i + p);
            if output != CONTROL {
                (seen..output).for_each(|o| self.drop_output(task, o, device));
                seen = output + 1;
            }
            let mut to: Vec<u32> = leaving[i..end].iter().map(|e| self.device[e.to as usize]).collect();
            to.sort_unstable();
            let mut here = 0;
            let mut at = 0;
            while at < to.len() {
                let target = to[at];
                let count = to[at..].iter().take_while(|&&t| t == target).count();
                at += count;
                let link = self.problem.cluster.link(device, target);
                if target == device || link.is_shared_memory() {
                    here += count as u32;
                    if target != device {
                        let bytes = self.problem.bytes(&leaving[i]);
                        let transfer = Transfer { task, output, from: device, to: target, start: now, end: now, bytes };
                        self.out.transfers.push(transfer);
                    }
                    continue;
                }
                here += 1;
                self.users.insert((task, output, target), count as u32);
                self.send(task, output, device, target, now);
            }
            if output != CONTROL {
                self.users.insert((task, output, device), here);
            }
            i = end;
        }
        (seen..outputs).for_each(|o| self.drop_output(task, o, device));
        for edge in &leaving {
            let target = self.device[edge.to as usize];
            if target == device || self.problem.cluster.link(device, target).is_shared_memory() {
                self.ready(edge.to, task, lane, now);
            }
        }
        self.share(lane, now);
        self.start_next(lane, now);
    }

    /// Frees an output without consumers.
    fn drop_output(&mut self, task: u32, output: u32, device: u32) {
        let bytes = self.problem.costs[task as usize].outputs[output as usize];
        if bytes > 0.0 && self.is_passing(task, device) {
            self.give_back(device, (task, output), bytes);
        }
    }

    /// One user of an output on a device has ended. An output that shares its maker's memory is counted on the maker's
    /// device.
    fn release(&mut self, task: u32, output: u32, device: u32) {
        let maker = self.device[task as usize];
        let at = if self.problem.cluster.link(maker, device).is_shared_memory() { maker } else { device };
        let Some(left) = self.users.get_mut(&(task, output, at)) else { return };
        *left -= 1;
        if *left == 0 {
            self.users.remove(&(task, output, at));
            let bytes = self.problem.costs[task as usize].outputs.get(output as usize).copied().unwrap_or(0.0);
            if bytes > 0.0 && self.is_passing(task, at) {
                self.give_back(at, (task, output), bytes);
            }
        }
    }

    fn send(&mut self, task: u32, output: u32, from: u32, to: u32, now: f64) {
        let edge = crate::problem::Edge { from: task, to: task, output };
        let bytes = self.problem.bytes(&edge);
        let link = self.problem.cluster.link(from, to);
        let free = &mut self.links[from as usize * self.problem.cluster.len() + to as usize];
        let start = free.max(now);
        // An output that exists before the step has been transferred before it.
        let (start, end) = match self.problem.costs[task as usize].is_ready() {
            true => (now, now),
            false => (start, start + link.nanos(bytes)),
        };
        *free = free.max(end);
        if bytes > 0.0 && self.is_passing(task, to) {
            self.take(to, (task, output), bytes);
        }
        self.out.transfers.push(Transfer { task, output, from, to, start, end, bytes });
        self.push(end, What::Arrive(self.out.transfers.len() as u32 - 1));
    }

    fn arrive(&mut self, transfer: u32, now: f64) {
        let Transfer { task, output, from, to, .. } = self.out.transfers[transfer as usize];
        if output != CONTROL {
            self.release(task, output, from);
        } else {
            self.users.remove(&(task, output, to));
        }
        let targets: Vec<u32> = self
            .problem
            .leaving(task)
            .iter()
            .filter(|e| e.output == output && self.device[e.to as usize] == to)
            .map(|e| e.to)
            .collect();
        let lane = self.own[to as usize];
        for target in targets {
            self.ready(target, task, lane, now);
        }
        let lanes = match self.problem.cluster.devices[to as usize].pool {
            Some(pool) => self.pools[pool].0..self.pools[pool].1,
            None => lane..lane + 1,
        };
        // Any idle thread takes it.
        let idle = lanes.clone().find(|&l| !self.lanes[l as usize].busy);
        if let Some(idle) = idle {
            if idle != lane {
                let ready = std::mem::take(&mut self.lanes[lane as usize].ready);
                self.lanes[idle as usize].ready.extend(ready);
            }
            self.share(idle, now);
            self.start_next(idle, now);
        }
    }

    fn ready(&mut self, task: u32, after: u32, lane: u32, _now: f64) {
        let waits = &mut self.waits[task as usize];
        *waits -= 1;
        if *waits > 0 {
            return;
        }
        self.out.spans[task as usize].after = after;
        let own = self.own[self.device[task as usize] as usize];
        let same_pool =
            self.lanes[lane as usize].pool.is_some() && self.lanes[lane as usize].pool == self.lanes[own as usize].pool;
        let lane = if same_pool { lane } else { own };
        self.lanes[lane as usize].ready.push_back(task);
        if lane == own && !same_pool {
            self.start_next(lane, _now);
        }
    }

    /// Hands expensive tasks of a thread to idle ones of its pool; this one keeps the newest.
    fn share(&mut self, lane: u32, now: f64) {
        let Some(pool) = self.lanes[lane as usize].pool else { return };
        let (first, last) = self.pools[pool];
        for other in first..last {
            if other == lane || self.lanes[other as usize].busy || !self.lanes[other as usize].ready.is_empty() {
                continue;
            }
            let ready = &self.lanes[lane as usize].ready;
            let is_expensive = |&t: &u32| self.problem.nanos(t, self.device[t as usize]) >= WORTH_SHARING;
            let last = ready.len().saturating_sub(1);
            let Some(at) = ready.iter().take(last).position(is_expensive) else { break };
            if let Some(task) = self.lanes[lane as usize].ready.remove(at) {
                self.lanes[other as usize].ready.push_back(task);
                self.start_next(other, now);
            }
        }
    }
}

impl Simulation {
    /// True if every device has enough memory.
    pub fn fits(&self, problem: &Problem<'_>) -> bool {
        self.peak.iter().zip(&problem.cluster.devices).all(|(peak, d)| *peak <= d.memory)
    }

    /// Bytes above the limits, summed over the devices.
    pub fn excess(&self, problem: &Problem<'_>) -> f64 {
        self.peak.iter().zip(&problem.cluster.devices).map(|(peak, d)| (peak - d.memory).max(0.0)).sum()
    }

    /// The critical path: the chain of tasks that determined the end of the step, from its start.
    pub fn critical_path(&self) -> Vec<u32> {
        let last = (0..self.spans.len()).max_by(|&a, &b| self.spans[a].end.total_cmp(&self.spans[b].end));
        let mut path: Vec<u32> = Vec::new();
        let mut at = last.map_or(u32::MAX, |t| t as u32);
        while at != u32::MAX {
            path.push(at);
            at = self.spans[at as usize].after;
        }
        path.reverse();
        path
    }

    /// Traffic of each link: source, destination, number of transfers, bytes.
    pub fn links(&self) -> Vec<(u32, u32, usize, f64)> {
        let mut links: std::collections::BTreeMap<(u32, u32), (usize, f64)> = Default::default();
        for t in &self.transfers {
            let entry = links.entry((t.from, t.to)).or_default();
            entry.0 += 1;
            entry.1 += t.bytes;
        }
        links.into_iter().map(|((from, to), (n, bytes))| (from, to, n, bytes)).collect()
    }
}
