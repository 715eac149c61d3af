//! The chain of nodes that determined when a step ended, and what every nanosecond of the step was spent on.

use super::{Causes, order, table};
use crate::device::Work;
use crate::event::{Awaited, NodeEvent, StepTrace};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What time was spent on, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spent {
    /// Kernels ran.
    pub kernel_ns: u64,
    /// A node was ready, but no worker took it: its worker ran something outside the step.
    pub worker_ns: u64,
    /// A node, or the end of the step, waited for a device, a timer, or a thread other than the workers.
    pub device_ns: u64,
    /// A node waited at a queue or similar resource for another step, or for its caller.
    pub queue_ns: u64,
    /// Anything else: the executor passed on values, or started or ended the step.
    pub overhead_ns: u64,
}

impl Spent {
    /// The total.
    pub fn total_ns(&self) -> u64 {
        self.kernel_ns + self.worker_ns + self.device_ns + self.queue_ns + self.overhead_ns
    }

    fn add(&mut self, other: &Spent) {
        self.kernel_ns += other.kernel_ns;
        self.worker_ns += other.worker_ns;
        self.device_ns += other.device_ns;
        self.queue_ns += other.queue_ns;
        self.overhead_ns += other.overhead_ns;
    }

    fn columns(&self) -> [String; 5] {
        [self.kernel_ns, self.worker_ns, self.device_ns, self.queue_ns, self.overhead_ns].map(order::micros)
    }

    fn json(&self) -> Value {
        let us = |ns: u64| ns as f64 / 1e3;
        json!({
            "kernel_us": us(self.kernel_ns), "worker_us": us(self.worker_ns), "device_us": us(self.device_ns),
            "queue_us": us(self.queue_ns), "overhead_us": us(self.overhead_ns),
        })
    }
}

/// A node of a critical path.
#[derive(Clone, PartialEq, Debug)]
pub struct Stretch<'a> {
    /// The node.
    pub event: &'a NodeEvent,
    /// What the time on the path since the end of the previous node was spent on.
    pub spent: Spent,
    /// What the worker it waited for ran in the meantime, and for how many nanoseconds; longest first. The step is
    /// given if it is another one.
    pub meanwhile: Vec<(&'a NodeEvent, Option<&'a StepTrace>, u64)>,
}

/// The chain that determined when a step ended.
#[derive(Clone, PartialEq, Debug)]
pub struct Path<'a> {
    /// The step.
    pub step: &'a StepTrace,
    /// Its nodes, in order.
    pub nodes: Vec<Stretch<'a>>,
    /// What the time after the last node was spent on: devices that still had work, and the end of the step.
    pub after: Spent,
}

impl Path<'_> {
    /// What the whole step's time was spent on; adds up to [`StepTrace::wall_ns`].
    pub fn spent(&self) -> Spent {
        let mut all = self.after;
        self.nodes.iter().for_each(|n| all.add(&n.spent));
        all
    }
}

/// How many events of a worker to search backwards for one that started earlier.
const FAR: usize = 64;

/// A time range in which a worker ran a node.
struct Busy<'a> {
    step: usize,
    number: usize,
    event: &'a NodeEvent,
    from: u64,
    to: u64,
}

/// What ran on each worker in all steps, by start.
fn workers(steps: &[StepTrace]) -> HashMap<u32, Vec<Busy<'_>>> {
    let mut workers: HashMap<u32, Vec<Busy<'_>>> = HashMap::new();
    for (step, trace) in steps.iter().enumerate() {
        let zero = trace.start_unix_ns();
        for (number, event) in trace.events.iter().enumerate().filter(|(_, e)| !e.dead) {
            for (worker, from, to) in event.parts() {
                workers.entry(worker).or_default().push(Busy { step, number, event, from: zero + from, to: zero + to });
            }
        }
    }
    workers.values_mut().for_each(|list| list.sort_by_key(|b| (b.from, b.to)));
    workers
}

/// The critical path of each step. Every node on it started after the one before it had ended: it took its output, or
/// waited for its worker. Other waits of a node are listed with it.
pub fn critical_paths(steps: &[StepTrace]) -> Vec<Path<'_>> {
    let workers = workers(steps);
    (0..steps.len()).map(|i| Walk::of(steps, i, &workers).path()).collect()
}

/// The critical path of one step.
pub fn critical_path(step: &StepTrace) -> Path<'_> {
    let steps = std::slice::from_ref(step);
    Walk::of(steps, 0, &workers(steps)).path()
}

/// Walks from the end of a step back to its start. Whatever the times are, each nanosecond is counted once.
struct Walk<'a, 'w> {
    steps: &'a [StepTrace],
    number: usize,
    step: &'a StepTrace,
    causes: Causes<'a>,
    workers: &'w HashMap<u32, Vec<Busy<'a>>>,
    /// By node and function, when copies to the host that the node waited for were in progress.
    copies: HashMap<(&'a str, &'a str), Vec<(u64, u64)>>,
    /// The time before this has not been accounted for.
    left: u64,
    seen: HashSet<usize>,
    nodes: Vec<Stretch<'a>>,
}

impl<'a, 'w> Walk<'a, 'w> {
    fn of(steps: &'a [StepTrace], number: usize, workers: &'w HashMap<u32, Vec<Busy<'a>>>) -> Walk<'a, 'w> {
        let step = &steps[number];
        let mut copies: HashMap<(&str, &str), Vec<(u64, u64)>> = HashMap::new();
        for e in step.device_events.iter().filter(|e| matches!(e.work, Work::CopyOut { .. })) {
            copies.entry((&e.node, &e.function)).or_default().push((e.queued_ns, e.end_ns));
        }
        let causes = Causes::of(step);
        let (left, seen, nodes) = (step.wall_ns, HashSet::new(), Vec::new());
        Walk { steps, number, step, causes, workers, copies, left, seen, nodes }
    }

    fn path(mut self) -> Path<'a> {
        let events = &self.step.events;
        let last = (0..events.len()).max_by_key(|&i| {
            let e = &events[i];
            (e.end_ns.min(self.step.wall_ns), e.function.is_empty(), e.start_ns)
        });
        let end = last.map_or(0, |i| events[i].end_ns);
        let device = self.step.device_events.iter().map(|e| e.end_ns).max().unwrap_or(0);
        let mut after = Spent::default();
        if device > end {
            after.overhead_ns += self.take(device);
            after.device_ns += self.take(end);
        }
        after.overhead_ns += self.take(end);
        if let Some(last) = last {
            self.chain(last, 0);
        } else {
            after.overhead_ns += self.take(0);
        }
        self.nodes.reverse();
        Path { step: self.step, nodes: self.nodes, after }
    }

    /// Takes the time back to `to`.
    fn take(&mut self, to: u64) -> u64 {
        let to = to.min(self.left);
        std::mem::replace(&mut self.left, to) - to
    }

    /// Same as [`Walk::take`], for a node's run: splits it into waiting for copies to the host, and the rest.
    fn take_run(&mut self, event: &NodeEvent, to: u64) -> (u64, u64) {
        let until = self.left;
        let all = self.take(to);
        let from = self.left;
        let copies = self.copies.get(&(&*event.node, &*event.function)).map_or(&[][..], Vec::as_slice);
        let waited: u64 = copies.iter().map(|&(a, b)| b.min(until).saturating_sub(a.max(from))).sum();
        let waited = waited.min(all);
        (waited, all - waited)
    }

    /// Walks from `first` back to a node that nothing released, or to `floor`.
    fn chain(&mut self, first: usize, floor: u64) {
        let mut next = Some(first);
        while let Some(i) = next.filter(|&i| self.seen.insert(i)) {
            let event = &self.step.events[i];
            let mut spent = Spent::default();
            let at = self.nodes.len();
            self.nodes.push(Stretch { event, spent, meanwhile: Vec::new() });
            let mut meanwhile = Vec::new();
            let (mut served, mut busy) = (None, None);
            if let Some(pause) = &event.pause {
                let before = self.left;
                let (device, kernel) = self.take_run(event, pause.to_ns.max(floor));
                (spent.device_ns, spent.kernel_ns) = (device, kernel);
                meanwhile = self.meanwhile(event.worker, pause.served_ns, pause.to_ns.min(self.left));
                spent.worker_ns += self.take(pause.served_ns.max(floor));
                served = (!pause.elsewhere && !pause.by.is_empty() && before > pause.from_ns)
                    .then(|| self.causes.run_at(&pause.by, pause.served_ns))
                    .flatten()
                    .filter(|by| !self.seen.contains(by));
                if served.is_none() {
                    let from = pause.from_ns.max(floor);
                    if pause.awaited == Awaited::Call {
                        while let Some(inside) = self.causes.last_inside(&event.function, from, self.left) {
                            if self.seen.contains(&inside) {
                                break;
                            }
                            spent.overhead_ns += self.take(self.step.events[inside].end_ns);
                            self.chain(inside, from);
                        }
                        spent.overhead_ns += self.take(from);
                    } else if matches!(pause.awaited, Awaited::Resource | Awaited::Feed) {
                        spent.queue_ns += self.take(from);
                    } else {
                        spent.device_ns += self.take(from);
                    }
                }
            }
            if served.is_none() {
                let (device, kernel) = self.take_run(event, event.start_ns.max(floor));
                spent.device_ns += device;
                spent.kernel_ns += kernel;
                let worker = event.parts().next().map_or(event.worker, |(worker, ..)| worker);
                busy = self.before(worker, event.ready_ns.max(floor), self.left);
                let until = busy.map_or(event.ready_ns, |(_, end)| end);
                let others = self.meanwhile(worker, until, self.left);
                match (busy, others.is_empty()) {
                    // The worker switches from one node to the next.
                    (Some(_), true) => spent.overhead_ns += self.take(until),
                    _ => spent.worker_ns += self.take(until.max(floor)),
                }
                meanwhile.extend(others);
            }
            if let Some((before, _)) = busy {
                meanwhile.sort_by_key(|&(.., ns)| std::cmp::Reverse(ns));
                (self.nodes[at].spent, self.nodes[at].meanwhile) = (spent, meanwhile);
                next = Some(before);
                continue;
            }
            let by = served.or_else(|| self.causes.released(i)).filter(|by| !self.seen.contains(by));
            let until = by.filter(|_| served.is_none()).map_or(floor, |by| self.step.events[by].end_ns.max(floor));
            if served.is_none() && (by.is_some() || floor == 0) {
                spent.overhead_ns += self.take(until);
            }
            meanwhile.sort_by_key(|&(.., ns)| std::cmp::Reverse(ns));
            self.nodes[at].spent = spent;
            self.nodes[at].meanwhile = meanwhile;
            next = by.filter(|_| self.left > floor);
        }
    }

    /// The last node of the step that a worker finished between two times, and when it ended.
    fn before(&self, worker: u32, from: u64, to: u64) -> Option<(usize, u64)> {
        let zero = self.step.start_unix_ns();
        let list = self.workers.get(&worker)?;
        let end = list.partition_point(|b| b.from < zero + to);
        let near =
            list[..end].iter().rev().take(FAR).filter(|b| b.step == self.number && !self.seen.contains(&b.number));
        let ended = near.filter(|b| b.to > zero + from && b.to <= zero + to);
        ended.max_by_key(|b| b.to).map(|b| (b.number, b.to - zero))
    }

    /// What a worker ran between two times.
    fn meanwhile(&self, worker: u32, from: u64, to: u64) -> Vec<(&'a NodeEvent, Option<&'a StepTrace>, u64)> {
        if to <= from {
            return Vec::new();
        }
        let Some(list) = self.workers.get(&worker) else { return Vec::new() };
        let zero = self.step.start_unix_ns();
        let (from, to) = (zero + from, zero + to);
        let end = list.partition_point(|b| b.from < to);
        let start = list[..end].partition_point(|b| b.from < from).saturating_sub(FAR);
        let mut found: Vec<(&Busy<'a>, u64)> = Vec::new();
        for busy in &list[start..end] {
            // Callers' threads all have the number 0.
            if busy.step != self.number && worker == 0 {
                continue;
            }
            let ns = busy.to.min(to).saturating_sub(busy.from.max(from));
            if ns > 0 {
                found.push((busy, ns));
            }
        }
        let other = |b: &Busy<'_>| (b.step != self.number).then(|| &self.steps[b.step]);
        found.into_iter().map(|(b, ns)| (b.event, other(b), ns)).collect()
    }
}

const HEADER: [&str; 5] = ["kernel us", "worker us", "device us", "queue us", "overhead us"];

/// A critical path as a table that adds up to the step.
pub fn critical_path_table(path: &Path<'_>) -> String {
    /// The number of nodes to name that kept a worker busy.
    const NAMED: usize = 2;
    let mut rows = Vec::new();
    let row = |start: String, spent: [String; 5], worker: String, node: String, op: String| {
        let [kernel, waited, device, queue, overhead] = spent;
        [start, kernel, waited, device, queue, overhead, worker, node, op]
    };
    let none = || std::array::from_fn(|_| String::new());
    for n in &path.nodes {
        let e = n.event;
        rows.push(row(
            order::micros(e.start_ns),
            n.spent.columns(),
            e.worker.to_string(),
            order::place(e),
            e.op_label(),
        ));
        for (busy, step, ns) in n.meanwhile.iter().take(NAMED) {
            let mut spent: [String; 5] = none();
            spent[1] = format!("({})", order::micros(*ns));
            let of = step.map_or_else(String::new, |step| format!(", {}", step.label()));
            let node = format!("  its worker ran {}{of}", order::place(busy));
            rows.push(row(String::new(), spent, String::new(), node, busy.op_label()));
        }
        if n.meanwhile.len() > NAMED {
            let more = format!("  and {} more", n.meanwhile.len() - NAMED);
            rows.push(row(String::new(), none(), String::new(), more, String::new()));
        }
    }
    let end = "end of the step".to_owned();
    rows.push(row(String::new(), path.after.columns(), String::new(), end, String::new()));
    let [a, b, c, d, e] = HEADER;
    let mut text = table::format(["start us", a, b, c, d, e, "worker", "node", "op"], "rrrrrrrll", rows);
    text.push_str(&format!("{}: {}\n", path.step.label(), in_words(&path.spent())));
    text
}

/// `217.0 us = 180.0 in kernels (83%) + ...`.
fn in_words(spent: &Spent) -> String {
    let total = spent.total_ns();
    let part = |ns: u64, what: &str| {
        (ns > 0).then(|| format!("{} {what} ({:.0}%)", order::micros(ns), 100.0 * ns as f64 / total.max(1) as f64))
    };
    let parts = [
        part(spent.kernel_ns, "in kernels"),
        part(spent.worker_ns, "waiting for a worker"),
        part(spent.device_ns, "waiting for devices"),
        part(spent.queue_ns, "waiting at queues"),
        part(spent.overhead_ns, "overhead"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!("{} us = {}", order::micros(total), parts.join(" + "))
}

/// Totals over the critical paths of steps with the same origin.
struct Together<'a> {
    steps: usize,
    spent: Spent,
    after: Spent,
    /// By node and op: the number of occurrences, and what the time was spent on.
    nodes: BTreeMap<(&'a str, String), (usize, Spent)>,
}

fn together<'a>(paths: &[&Path<'a>]) -> Together<'a> {
    let mut all =
        Together { steps: paths.len(), spent: Spent::default(), after: Spent::default(), nodes: BTreeMap::new() };
    for path in paths {
        all.spent.add(&path.spent());
        all.after.add(&path.after);
        for n in &path.nodes {
            let (times, spent) = all.nodes.entry((&n.event.node, n.event.op_label())).or_default();
            *times += 1;
            spent.add(&n.spent);
        }
    }
    all
}

/// The paths of callers' steps, then those of each queue runner's.
fn by_origin<'p, 'a>(paths: &'p [Path<'a>]) -> BTreeMap<&'a str, Vec<&'p Path<'a>>> {
    let mut origins: BTreeMap<&str, Vec<&Path<'_>>> = BTreeMap::new();
    for path in paths {
        origins.entry(&path.step.runner).or_default().push(path);
    }
    origins
}

/// What the time of several steps was spent on: a line for each step, and the nodes of all paths combined.
pub fn critical_paths_text(paths: &[Path<'_>]) -> String {
    /// With more steps, only the first and the last are shown.
    const MOST_STEPS: usize = 12;
    const MOST_NODES: usize = 30;
    let mut sections = Vec::new();
    for (runner, paths) in by_origin(paths) {
        let all = together(&paths);
        let mut text = match runner {
            "" => String::new(),
            runner => format!("steps of the runner of `{runner}`\n"),
        };
        let left_out = paths.len().saturating_sub(MOST_STEPS);
        let shown = paths
            .iter()
            .enumerate()
            .filter(|(i, _)| left_out == 0 || *i < MOST_STEPS / 2 || *i >= MOST_STEPS / 2 + left_out);
        let mut rows: Vec<[String; 7]> = shown
            .map(|(_, path)| {
                let [kernel, worker, device, queue, overhead] = path.spent().columns();
                let id = path.step.step_id.to_string();
                [id, order::micros(path.step.wall_ns), kernel, worker, device, queue, overhead]
            })
            .collect();
        if left_out > 0 {
            let mut row: [String; 7] = std::array::from_fn(|_| String::new());
            row[0] = format!("{left_out} more");
            rows.insert(MOST_STEPS / 2, row);
        }
        let [a, b, c, d, e] = HEADER;
        text.push_str(&table::format(["step", "took us", a, b, c, d, e], "rrrrrrr", rows));
        text.push_str(&format!("{} steps: {}\n\n", all.steps, in_words(&all.spent)));
        let mut nodes: Vec<_> = all.nodes.iter().collect();
        nodes.sort_by_key(|(_, (_, spent))| std::cmp::Reverse(spent.total_ns()));
        let rest = nodes.split_off(nodes.len().min(MOST_NODES));
        let row = |times: String, spent: &Spent, node: String, op: String| {
            let [kernel, worker, device, queue, overhead] = spent.columns();
            [times, order::micros(spent.total_ns()), kernel, worker, device, queue, overhead, node, op]
        };
        let mut rows: Vec<[String; 9]> = nodes
            .into_iter()
            .map(|((node, op), (times, spent))| row(times.to_string(), spent, (*node).to_owned(), op.clone()))
            .collect();
        if !rest.is_empty() {
            let mut spent = Spent::default();
            rest.iter().for_each(|(_, (_, s))| spent.add(s));
            rows.push(row(String::new(), &spent, format!("{} more nodes", rest.len()), String::new()));
        }
        rows.push(row(String::new(), &all.after, "ends of steps".to_owned(), String::new()));
        text.push_str(&table::format(["times", "us", a, b, c, d, e, "node", "op"], "rrrrrrrll", rows));
        sections.push(text);
    }
    sections.join("\n")
}

/// Critical paths as one JSON object: what each step's time was spent on, and the nodes of its path.
pub fn critical_paths_json(paths: &[Path<'_>]) -> String {
    let us = |ns: u64| ns as f64 / 1e3;
    let steps: Vec<Value> = paths
        .iter()
        .map(|path| {
            let nodes: Vec<Value> = path
                .nodes
                .iter()
                .map(|n| {
                    let e = n.event;
                    let meanwhile: Vec<Value> = n
                        .meanwhile
                        .iter()
                        .map(|(busy, step, ns)| {
                            let (id, runner) = step.map_or((None, None), |s| (Some(s.step_id), Some(&*s.runner)));
                            json!({"node": &*busy.node, "op": busy.op_label(), "us": us(*ns), "step": id, "runner": runner})
                        })
                        .collect();
                    json!({
                        "node": &*e.node, "op": e.op_label(), "device": &*e.device, "worker": e.worker, "start_us": us(e.start_ns),
                        "end_us": us(e.end_ns), "iteration": e.iteration, "spent": n.spent.json(), "worker_ran": meanwhile,
                    })
                })
                .collect();
            json!({
                "step": path.step.step_id, "runner": path.step.runner, "wall_us": us(path.step.wall_ns),
                "spent": path.spent().json(), "after": path.after.json(), "nodes": nodes,
            })
        })
        .collect();
    let paths: Vec<&Path<'_>> = paths.iter().collect();
    format!("{}\n", json!({"version": 1, "spent": together(&paths).spent.json(), "steps": steps}))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Edge, Pause};

    fn event(node: &'static str, worker: u32, times: [u64; 3], released_by: &str) -> NodeEvent {
        let [ready_ns, start_ns, end_ns] = times;
        NodeEvent {
            worker,
            ready_ns,
            start_ns,
            end_ns,
            released_by: released_by.into(),
            ..NodeEvent::new(node.into(), "NoOp")
        }
    }

    fn step(wall_ns: u64, mut events: Vec<NodeEvent>) -> StepTrace {
        events.sort_by_key(|e| (e.start_ns, e.end_ns));
        StepTrace { step_id: 7, wall_ns, events, ..StepTrace::default() }
    }

    fn names<'a>(path: &Path<'a>) -> Vec<&'a str> {
        path.nodes.iter().map(|n| &*n.event.node).collect()
    }

    fn adds_up(path: &Path<'_>) {
        assert_eq!(path.spent().total_ns(), path.step.wall_ns, "{path:#?}");
    }

    #[test]
    fn the_path_follows_the_input_that_arrived_last() {
        let events = [("a", 0, 5), ("slow", 5, 50), ("quick", 5, 6), ("b", 51, 60)];
        let events = events.map(|(node, start, end)| event(node, 0, [start, start, end], "")).to_vec();
        let edges: Vec<Edge> = [("a", "slow"), ("a", "quick"), ("slow", "b"), ("quick", "b")]
            .iter()
            .map(|&(a, b)| (a.into(), b.into()))
            .collect();
        let step = StepTrace { edges, ..step(61, events) };
        let path = critical_path(&step);
        assert_eq!(names(&path), ["a", "slow", "b"]);
        adds_up(&path);
        assert_eq!((path.spent().kernel_ns, path.spent().overhead_ns), (59, 2));
    }

    #[test]
    fn what_kept_the_worker_busy_is_named() {
        let step = step(
            1000,
            vec![
                event("a", 0, [10, 12, 20], ""),
                event("matmul", 0, [10, 22, 900], "a"),
                event("b", 0, [21, 905, 990], "a"),
            ],
        );
        let path = critical_path(&step);
        adds_up(&path);
        assert_eq!(names(&path), ["a", "matmul", "b"]);
        let spent = [(8, 2, 10), (878, 0, 2), (85, 0, 5)];
        let found = path.nodes.iter().map(|n| (n.spent.kernel_ns, n.spent.worker_ns, n.spent.overhead_ns));
        assert_eq!(found.collect::<Vec<_>>(), spent);
        assert!(critical_path_table(&path).contains("step 7: 1.0 us = 1.0 in kernels (97%)"));
        // What its worker did in another step is not part of the path.
        let one = step_at(0, vec![event("b", 1, [21, 905, 990], "")]);
        let other = StepTrace { runner: "put".to_owned(), ..step_at(0, vec![event("slow", 1, [0, 100, 900], "")]) };
        let steps = [one, other];
        let path = &critical_paths(&steps)[0];
        adds_up(path);
        assert_eq!((path.nodes[0].spent.worker_ns, path.nodes[0].spent.overhead_ns), (884, 21));
        assert_eq!((&*path.nodes[0].meanwhile[0].0.node, path.nodes[0].meanwhile[0].2), ("slow", 800));
        let text = critical_path_table(path);
        assert!(text.contains("its worker ran slow, step 7 of the runner of `put`"), "{text}");
    }

    fn step_at(start_unix_us: u64, events: Vec<NodeEvent>) -> StepTrace {
        StepTrace { start_unix_us, ..step(1000, events) }
    }

    #[test]
    fn waiting_is_told_apart_from_running() {
        let pause = |by: &str, elsewhere, awaited| {
            let (at, by) = (String::new(), by.to_owned());
            Some(Box::new(Pause { worker: 0, from_ns: 12, served_ns: 80, to_ns: 90, awaited, at, by, elsewhere }))
        };
        let take = |pause| NodeEvent { pause, ..event("take", 0, [5, 10, 95], "") };
        let waits = step(100, vec![take(pause("put", true, Awaited::Resource))]);
        let path = critical_path(&waits);
        adds_up(&path);
        let spent = Spent { kernel_ns: 7, worker_ns: 15, queue_ns: 68, overhead_ns: 5, device_ns: 0 };
        assert_eq!(path.nodes[0].spent, spent);
        assert_eq!(path.after.overhead_ns, 5);
        // If a node of the same step ends the wait, the path continues there.
        let served = step(100, vec![take(pause("put", false, Awaited::Resource)), event("put", 1, [40, 50, 85], "")]);
        let path = critical_path(&served);
        adds_up(&path);
        assert_eq!(names(&path), ["put", "take"]);
        assert_eq!((path.nodes[0].spent.kernel_ns, path.nodes[1].spent.kernel_ns), (30, 5));
        // The nodes of called functions are part of the path, once per loop iteration.
        let inner = |name, times| NodeEvent { function: "f".into(), ..event(name, 0, times, "") };
        let calls = step(
            100,
            vec![take(pause("", false, Awaited::Call)), inner("f/x", [20, 20, 30]), inner("f/y", [40, 45, 70])],
        );
        let path = critical_path(&calls);
        adds_up(&path);
        assert_eq!(path.spent().kernel_ns, 7 + 10 + 25);
        assert_eq!(names(&path).len(), 3);
    }

    #[test]
    fn steps_add_up_together_and_whatever_the_times_are() {
        let wild = step(
            50,
            vec![
                event("a", 0, [90, 3, 1], "b"),
                event("b", 3, [0, 40, 70], "a"),
                NodeEvent {
                    pause: Some(Box::new(Pause { to_ns: 99, from_ns: 7, ..Pause::default() })),
                    ..event("c", 0, [4, 9, 2], "c")
                },
            ],
        );
        let runner = StepTrace { runner: "put".to_owned(), ..step(20, vec![event("put", 1, [0, 1, 9], "")]) };
        let steps = vec![wild, runner, step(0, Vec::new())];
        let paths = critical_paths(&steps);
        paths.iter().for_each(adds_up);
        let text = critical_paths_text(&paths);
        assert!(text.contains("steps of the runner of `put`") && text.contains("2 steps: 0.1 us = "), "{text}");
        let json: Value = serde_json::from_str(&critical_paths_json(&paths)).unwrap();
        assert_eq!(json["steps"][1]["runner"], "put");
        assert_eq!(json["steps"][1]["nodes"][0]["spent"]["kernel_us"], 0.008);
    }
}
