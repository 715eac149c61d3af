//! Traces as packed columns: what ran, on which track, why it started when it did, and what memory it held.

use crate::body::Body;
use crate::nodes::Index;
use crate::pack::{Column, Columns, Texts};
use levada_graph::spec::Role;
use levada_trace::report::{Causes, advice, bottleneck, pipelines_text};
use levada_trace::{Awaited, DeviceEvent, Iteration, NodeEvent, QueueTrace, StepTrace, TensorDescription, Trace};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};

/// The maximum number of lanes for events of one track that run at the same time, such as a call and its callees.
const LANES: usize = 16;
/// The maximum number of separate tracks for steps that run at the same time.
const SLOTS: usize = 32;
/// Tolerance when deciding whether steps follow each other, as their starts are known only to the microsecond.
const TOLERANCE: u64 = 2_000;
/// Numbers up to this are represented exactly in the page.
const LARGEST: u64 = 1 << 52;
const NONE: u32 = u32::MAX;

const DEAD: u64 = 1;
const FAILED: u64 = 2;
const WORK: u64 = 4;
const APPROXIMATE: u64 = 8;
const ON_PATH: u64 = 16;
const COPY: u64 = 32;

/// An event of a node or of a device.
struct Event {
    node: u32,
    text: u64,
    track: TrackKey,
    step: u32,
    lane: u32,
    ready: u64,
    start: u64,
    end: u64,
    frame: u64,
    number: u64,
    flags: u64,
    inputs: u64,
    outputs: u64,
    bytes: u64,
    /// The event that produced the last input, or requested the work.
    cause: u32,
    slack: u64,
    freed: u64,
    /// How long it waited after it had started, and how much of that was waiting for a worker to resume.
    paused: u64,
    resumed: u64,
    /// In words, what it waited at and what ended the wait.
    why: u64,
}

/// Device, then nodes before the device's own queues, then slot, then worker and queue runner, or name of the device
/// queue.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct TrackKey {
    device: String,
    is_work: bool,
    slot: u32,
    worker: u32,
    queue: String,
}

/// Packs the totals of nodes into columns that the page reads first, the events into columns that it reads later, and
/// returns everything else as JSON.
pub fn pack(trace: &Trace, bodies: &[Body], index: &Index<'_>, first: &mut Columns, columns: &mut Columns) -> Value {
    let mut texts = Texts::default();
    texts.number("");
    let mut others = Others::new(bodies);
    let base = trace.steps.iter().map(|s| s.start_unix_us).min().unwrap_or(0);
    let base =
        trace.queues.iter().map(|q| q.start_unix_us).fold(base, |base, q| if q > 0 { base.min(q) } else { base });
    let offset = |us: u64| us.saturating_sub(base).saturating_mul(1000).min(LARGEST);
    let offset_of = |s: &StepTrace| offset(s.start_unix_us).saturating_add(u64::from(s.start_rest_ns)).min(LARGEST);
    let mut events: Vec<Event> = Vec::new();
    let mut steps = Vec::new();
    let mut slots: Vec<u64> = Vec::new();
    let mut order: Vec<usize> = (0..trace.steps.len()).collect();
    order.sort_by_key(|&i| trace.steps[i].start_unix_ns());
    for (number, step) in order.into_iter().map(|i| &trace.steps[i]).enumerate() {
        let start = offset_of(step);
        // The tracks of a queue runner contain all its steps.
        let slot = match slots.iter().position(|&end| end <= start.saturating_add(TOLERANCE)) {
            _ if !step.runner.is_empty() => 0,
            Some(slot) => slot,
            None if slots.len() < SLOTS => {
                slots.push(0);
                slots.len() - 1
            }
            None => SLOTS - 1,
        };
        let ends = step.events.iter().map(|e| e.end_ns).chain(step.device_events.iter().map(|e| e.end_ns));
        let wall = ends.fold(step.wall_ns, u64::max).min(LARGEST);
        if step.runner.is_empty() {
            slots[slot] = slots[slot].max(start.saturating_add(wall));
        }
        let first = events.len();
        let place = Place { step: number as u32, slot: slot as u32, start, runner: &step.runner };
        let mut reader = Reader { texts: &mut texts, others: &mut others, index, place: &place };
        events.extend(step.events.iter().map(|e| reader.node(e)));
        events.extend(step.device_events.iter().map(|e| reader.work(e)));
        explain(step, bodies, index, &mut events[first..], first as u32, start.saturating_add(wall));
        let own = &events[first..];
        steps.push(json!({
            "id": step.step_id,
            "runner": step.runner,
            "start": start,
            "wall": wall,
            "threads": step.threads,
            "nodes": step.num_nodes(),
            "events": own.len(),
            "lost": step.device_events_lost,
        }));
    }
    lanes(&mut events);
    let mut order: Vec<u32> = (0..events.len() as u32).collect();
    order.sort_by(|&a, &b| {
        let key = |i: u32| (&events[i as usize].track, events[i as usize].lane, events[i as usize].start, i);
        key(a).cmp(&key(b))
    });
    let mut place = vec![0u32; events.len()];
    order.iter().zip(0..).for_each(|(&event, at)| place[event as usize] = at);
    totals_of_nodes(&events, &mut texts, first);
    let computed_as_one = fused(trace, index);
    let end = events.iter().map(|e| e.end).max().unwrap_or(0);
    let tracks = write(&events, &order, &place, columns);
    let queues: Vec<Value> =
        trace.queues.iter().enumerate().map(|(i, q)| queue(i, q, offset(q.start_unix_us), index, columns)).collect();
    json!({
        "base_unix_us": base,
        "events": events.len(),
        "end": end,
        "steps": steps,
        "tracks": tracks,
        "texts": texts.json(),
        "others": others.names,
        "fused": computed_as_one,
        "queues": queues,
        "pipelines": pipelines_text(&trace.pipelines),
        "bottleneck": bottleneck(&trace.queues, trace.workers.as_ref()).map(|b| json!({"text": b.text, "confidence": b.confidence})),
        "left_out": trace.steps_left_out,
    })
}

/// Nodes that ran but are not in the graph, such as receives; their numbers follow those of the graph.
struct Others {
    first: u32,
    numbers: HashMap<String, u32>,
    names: Vec<String>,
}

impl Others {
    fn new(bodies: &[Body]) -> Others {
        let first = bodies.iter().map(|body| body.nodes.len() as u32).sum();
        Others { first, numbers: HashMap::new(), names: Vec::new() }
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.first + self.names.len() as u32;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

/// The position of a step among the others.
struct Place<'a> {
    step: u32,
    slot: u32,
    start: u64,
    runner: &'a str,
}

struct Reader<'a> {
    texts: &'a mut Texts,
    others: &'a mut Others,
    index: &'a Index<'a>,
    place: &'a Place<'a>,
}

impl Reader<'_> {
    fn number_of(&mut self, function: &str, node: &str) -> u32 {
        self.index.find_in(function, node).unwrap_or_else(|| self.others.number(node))
    }

    fn event(&mut self, node: u32, text: &str, times: [u64; 3], iteration: Option<&Iteration>) -> Event {
        let at = |ns: u64| self.place.start.saturating_add(ns).min(LARGEST);
        let [ready, start, end] = times.map(at);
        Event {
            node,
            text: self.texts.number(text),
            track: TrackKey {
                device: String::new(),
                is_work: false,
                slot: self.place.slot,
                worker: 0,
                queue: self.place.runner.to_owned(),
            },
            step: self.place.step,
            lane: 0,
            ready: ready.min(start),
            start,
            end: end.max(start),
            frame: iteration.map_or(0, |i| self.texts.number(&i.frame)),
            number: iteration.map_or(0, |i| i.number.min(LARGEST)),
            flags: 0,
            inputs: 0,
            outputs: 0,
            bytes: 0,
            cause: NONE,
            slack: 0,
            freed: 0,
            paused: 0,
            resumed: 0,
            why: 0,
        }
    }

    fn node(&mut self, e: &NodeEvent) -> Event {
        let node = self.number_of(&e.function, &e.node);
        let text = match (&e.error, e.fused.len()) {
            (Some(error), _) => format!("{}\nfailed: {error}", e.op),
            (None, 0 | 1) => e.op.to_string(),
            (None, _) => format!("{}\ncomputed as one: {}", e.op_label(), e.fused.join(", ")),
        };
        // A paused event is drawn from when it resumed; the line before it shows the wait.
        let start = e.pause.as_ref().map_or(e.start_ns, |p| p.to_ns);
        let mut event = self.event(node, &text, [e.ready_ns, start, e.end_ns], e.iteration.as_ref());
        if let Some(pause) = &e.pause {
            event.paused = pause.to_ns.saturating_sub(pause.from_ns).min(event.start - event.ready);
            event.resumed = pause.to_ns.saturating_sub(pause.served_ns).min(event.paused);
            let at = match (&*pause.at, pause.awaited) {
                ("", Awaited::Resource) => "at a queue or the like".to_owned(),
                ("", Awaited::Call) => "for the function that it had called".to_owned(),
                ("", Awaited::Send) => "for a value from another device".to_owned(),
                ("", Awaited::Feed) => "for its caller to feed it".to_owned(),
                ("", Awaited::External) => "for a timer, a device or another thread".to_owned(),
                (at, _) => format!("at {at}"),
            };
            let by = match (&*pause.by, pause.elsewhere) {
                ("", _) => String::new(),
                (by, false) => format!(" until {by} ran"),
                (by, true) => format!(" until {by} ran in another step"),
            };
            event.why = self.texts.number(&format!("{at}{by}"));
        }
        event.track.device = e.device.to_string();
        event.track.worker = e.worker;
        event.flags = u64::from(e.dead) * DEAD + u64::from(e.error.is_some()) * FAILED;
        event.inputs = self.texts.number(&describe(&e.inputs));
        event.outputs = self.texts.number(&describe(&e.outputs));
        event.bytes = e.outputs.iter().flatten().fold(0, |sum: u64, t| sum.saturating_add(t.bytes)).min(LARGEST);
        event
    }

    fn work(&mut self, e: &DeviceEvent) -> Event {
        let node = self.number_of(&e.function, &e.node);
        let text = match e.work.bytes() {
            Some(bytes) => format!("{}\n{bytes} bytes", e.work.name()),
            None => e.work.name().to_owned(),
        };
        let mut event = self.event(node, &text, [e.queued_ns, e.start_ns, e.end_ns], e.iteration.as_ref());
        event.track = TrackKey {
            device: e.device.to_string(),
            is_work: true,
            slot: self.place.slot,
            worker: e.worker,
            queue: e.track.to_string(),
        };
        let is_copy = u64::from(e.work.bytes().is_some()) * COPY;
        event.flags = WORK + u64::from(e.approximate) * APPROXIMATE + is_copy;
        event
    }
}

/// Formats tensors as text.
fn describe(tensors: &[Option<TensorDescription>]) -> String {
    let text = |t: &Option<TensorDescription>| t.as_ref().map_or_else(|| "–".to_owned(), ToString::to_string);
    tensors.iter().take(32).map(text).collect::<Vec<_>>().join(" ")
}

/// Finds for the events of a step the last thing that each waited for, how much later each could have ended, when its
/// outputs were last needed, and the chain that determined when the step ended.
fn explain(step: &StepTrace, bodies: &[Body], index: &Index<'_>, events: &mut [Event], first: u32, end: u64) {
    let nodes = step.events.len();
    let mut runs: HashMap<&str, Vec<u32>> = HashMap::new();
    for (i, e) in step.events.iter().enumerate() {
        for node in e.nodes() {
            runs.entry(node).or_default().push(i as u32);
        }
    }
    runs.values_mut().for_each(|runs| runs.sort_by_key(|&i| events[i as usize].end));
    let mut sources: HashMap<&str, Vec<&str>> = HashMap::new();
    for (from, to) in &step.edges {
        sources.entry(to).or_default().push(from);
    }
    let shown = |id: u32| {
        let body = index.starts.partition_point(|&start| start <= id).checked_sub(1)?;
        Some((&bodies[body], bodies[body].nodes.get((id - index.starts[body]) as usize)?))
    };
    // Device work follows the node that requested it.
    let causes_of = |e: usize, events: &[Event]| -> Vec<u32> {
        let mut causes = Vec::new();
        let last_run = |name: &str| {
            let runs = runs.get(name)?;
            let ended = runs.partition_point(|&i| events[i as usize].end <= events[e].start);
            runs[..ended].last().copied().filter(|&i| i as usize != e)
        };
        if e >= nodes {
            if let Some(asked) = runs.get(&*step.device_events[e - nodes].node) {
                let at = asked.partition_point(|&i| events[i as usize].end < events[e].ready);
                causes.extend(asked.get(at).filter(|i| events[**i as usize].start <= events[e].ready));
            }
            return causes;
        }
        let event = &step.events[e];
        for node in event.nodes() {
            if let Some(from) = sources.get(&**node) {
                causes.extend(
                    from.iter().filter(|name| !event.fused.iter().any(|n| **n == ***name)).filter_map(|n| last_run(n)),
                );
            } else if let Some((body, own)) = index.find_in(&event.function, node).and_then(shown) {
                let from = own.inputs.iter().map(|&(n, _)| n).chain(own.controls.iter().copied());
                causes.extend(from.filter_map(|n| {
                    let name = &body.nodes[n as usize].name;
                    match event.function.is_empty() {
                        true => last_run(name),
                        false => last_run(&format!("{}/{name}", event.function)),
                    }
                }));
            }
        }
        causes
    };
    let causes: Vec<Vec<u32>> = (0..events.len()).map(|e| causes_of(e, events)).collect();
    let mut latest = vec![end; events.len()];
    let mut needed: Vec<Option<u64>> = vec![None; events.len()];
    let mut by_start: Vec<u32> = (0..events.len() as u32).collect();
    by_start.sort_by_key(|&i| std::cmp::Reverse((events[i as usize].start, events[i as usize].end, i)));
    for e in by_start.into_iter().map(|i| i as usize) {
        let own = if e < nodes { shown(events[e].node) } else { None };
        let spec = own.and_then(|(_, node)| node.spec);
        let forwards = spec.is_some_and(|s| s.forwards);
        let until = needed[e].unwrap_or(events[e].end);
        let begin_by = latest[e].saturating_sub(events[e].end - events[e].start);
        for &cause in &causes[e] {
            let from = cause as usize;
            latest[from] = latest[from].min(begin_by);
            // Control edges do not keep outputs alive.
            let takes = own.is_none_or(|(body, node)| {
                let name = &*step.events[from].node;
                let function = &*step.events[e].function;
                let name = name.strip_prefix(function).and_then(|n| n.strip_prefix('/')).unwrap_or(name);
                let is = |n: u32| *body.nodes[n as usize].name == *name;
                node.inputs.iter().any(|&(n, _)| is(n)) || !node.controls.iter().any(|&n| is(n))
            });
            if takes {
                let until = if forwards { until } else { events[e].end };
                needed[from] = Some(needed[from].map_or(until, |t| t.max(until)));
            }
        }
        events[e].slack = latest[e].saturating_sub(events[e].end);
        let is_held = own.is_some_and(|(_, node)| {
            node.is_state || node.is_reference || node.spec.is_some_and(|s| s.role == Role::Const)
        });
        if forwards || is_held {
            events[e].bytes = 0;
        }
        // An output that nothing consumes is a result, which the step holds until it ends.
        events[e].freed = needed[e].unwrap_or(end).max(events[e].end);
    }
    let mut on_worker: HashMap<(bool, &str, &str, u32), Vec<u32>> = HashMap::new();
    let key = |e: usize| match e.checked_sub(nodes).map(|i| &step.device_events[i]) {
        None => (false, "", String::new(), step.events[e].worker),
        Some(work) => (true, &*work.device, work.track.to_string(), 0),
    };
    let queues: Vec<String> = (0..events.len()).map(|e| key(e).2).collect();
    for (e, queue) in queues.iter().enumerate() {
        let (is_work, device, _, worker) = key(e);
        on_worker.entry((is_work, device, queue, worker)).or_default().push(e as u32);
    }
    on_worker.values_mut().for_each(|list| list.sort_by_key(|&i| events[i as usize].end));
    let mut at = (0..events.len()).max_by_key(|&i| (events[i].end, events[i].start));
    while let Some(e) = at {
        events[e].flags |= ON_PATH;
        let (is_work, device, _, worker) = key(e);
        let before = on_worker.get(&(is_work, device, queues[e].as_str(), worker)).and_then(|list| {
            let ended = list.partition_point(|&i| events[i as usize].end <= events[e].start);
            list[..ended].last().copied()
        });
        let cause = causes[e].iter().copied().max_by_key(|&c| events[c as usize].end);
        let later = cause.into_iter().chain(before).max_by_key(|&c| (events[c as usize].end, Some(c) == cause));
        at =
            later.map(|c| c as usize).filter(|&c| events[c].flags & ON_PATH == 0 && events[c].start <= events[e].start);
    }
    let recorded = Causes::of(step);
    for (e, causes) in causes.iter().enumerate() {
        let recorded = step.events.get(e).filter(|e| !e.released_by.is_empty()).and_then(|_| recorded.released(e));
        let last = causes.iter().copied().max_by_key(|&c| events[c as usize].end);
        let last = recorded.map(|c| c as u32).or(last);
        events[e].cause = last.map_or(NONE, |c| c + first);
    }
}

/// Distributes events of a track that run at the same time over lanes.
fn lanes(events: &mut [Event]) {
    let mut tracks: BTreeMap<TrackKey, Vec<u32>> = BTreeMap::new();
    for (i, event) in events.iter().enumerate() {
        tracks.entry(event.track.clone()).or_default().push(i as u32);
    }
    for mut list in tracks.into_values() {
        list.sort_by_key(|&i| (events[i as usize].start, std::cmp::Reverse(events[i as usize].end)));
        let mut ends: Vec<u64> = Vec::new();
        for i in list {
            let event = &mut events[i as usize];
            let lane = ends.iter().position(|&end| end <= event.start).unwrap_or_else(|| ends.len().min(LANES - 1));
            if lane == ends.len() {
                ends.push(0);
            }
            ends[lane] = ends[lane].max(event.end);
            event.lane = lane as u32;
        }
    }
}

/// Writes the columns; returns the tracks, each with the first event and the number of events of each lane.
fn write(events: &[Event], order: &[u32], place: &[u32], columns: &mut Columns) -> Vec<Value> {
    let mut tracks: Vec<Value> = Vec::new();
    let mut lanes: Vec<(usize, usize)> = Vec::new();
    let mut named: BTreeMap<&str, Column> = BTreeMap::new();
    let mut before: Option<&Event> = None;
    let track = |key: &TrackKey, lanes: &mut Vec<(usize, usize)>| {
        let lanes = std::mem::take(lanes);
        json!([key.device, key.is_work, key.slot, key.worker, key.queue, lanes])
    };
    for (at, &event) in order.iter().enumerate() {
        let e = &events[event as usize];
        let is_same_track = before.is_some_and(|b| b.track == e.track);
        let is_same_lane = is_same_track && before.is_some_and(|b| b.lane == e.lane);
        if let Some(b) = before.filter(|_| !is_same_track) {
            tracks.push(track(&b.track, &mut lanes));
        }
        if !is_same_lane {
            lanes.push((at, 0));
        }
        lanes.last_mut().expect("one was pushed").1 += 1;
        let mut put = |column: &'static str, n: u64| named.entry(column).or_default().push(n);
        put("start", e.start - before.filter(|_| is_same_lane).map_or(0, |b| b.start));
        put("took", e.end - e.start);
        put("wait", e.start - e.ready);
        put("node", u64::from(e.node));
        put("text", e.text);
        put("step", u64::from(e.step));
        put("frame", e.frame);
        put("number", e.number);
        put("flags", e.flags);
        put("inputs", e.inputs);
        put("outputs", e.outputs);
        put("bytes", e.bytes);
        put("held", e.freed - e.end);
        put("slack", e.slack);
        put("paused", e.paused);
        put("resumed", e.resumed);
        put("why", e.why);
        let cause = if e.cause == NONE { 0 } else { at as i64 - i64::from(place[e.cause as usize]) };
        named.entry("cause").or_default().push_signed(cause);
        before = Some(e);
    }
    tracks.extend(before.map(|b| track(&b.track, &mut lanes)));
    for (name, column) in named {
        columns.add(&format!("event_{name}"), order.len(), column);
    }
    tracks
}

/// Nodes without an event of their own because they were fused, each with the node whose event covers it.
fn fused(trace: &Trace, index: &Index<'_>) -> BTreeMap<u32, u32> {
    let mut fused = BTreeMap::new();
    for e in trace.steps.iter().flat_map(|step| &step.events).filter(|e| !e.fused.is_empty()) {
        let Some(own) = index.find_in(&e.function, &e.node) else { continue };
        let parts = e.fused.iter().filter_map(|name| index.find_in(&e.function, name));
        fused.extend(parts.filter(|&part| part != own).map(|part| (part, own)));
    }
    fused
}

/// The totals of each node over all its runs, for those that ran: number; nanoseconds running, waiting and of device
/// work; runs; maximum bytes of a run; minimum slack plus one, or 0; whether it is on the critical path; device and op.
fn totals_of_nodes(events: &[Event], texts: &mut Texts, columns: &mut Columns) {
    #[derive(Default)]
    struct Total {
        time: u64,
        wait: u64,
        work: u64,
        runs: u64,
        bytes: u64,
        slack: u64,
        is_on_path: bool,
        device: u64,
        op: u64,
    }
    let mut totals: BTreeMap<u32, Total> = BTreeMap::new();
    for e in events {
        let total = totals.entry(e.node).or_insert_with(|| Total { op: e.text, ..Total::default() });
        let took = e.end - e.start;
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more).min(LARGEST);
        total.is_on_path |= e.flags & ON_PATH != 0;
        if e.flags & WORK != 0 {
            add(&mut total.work, took);
        } else if e.flags & DEAD == 0 {
            add(&mut total.time, took);
            add(&mut total.wait, e.start - e.ready);
            total.slack = if total.runs == 0 { e.slack + 1 } else { total.slack.min(e.slack + 1) };
            total.runs += 1;
            total.bytes = total.bytes.max(e.bytes);
            if total.device == 0 {
                total.device = texts.number(&e.track.device);
            }
        }
    }
    let mut named: BTreeMap<&str, Column> = BTreeMap::new();
    let mut before = 0;
    for (&node, total) in &totals {
        let mut put = |column: &'static str, n: u64| named.entry(column).or_default().push(n);
        put("node", u64::from(node - before));
        put("time", total.time);
        put("wait", total.wait);
        put("work", total.work);
        put("runs", total.runs);
        put("bytes", total.bytes);
        put("slack", total.slack);
        put("path", u64::from(total.is_on_path));
        put("device", total.device);
        put("op", total.op);
        before = node;
    }
    for (name, column) in named {
        columns.add(&format!("total_{name}"), totals.len(), column);
    }
}

fn queue(number: usize, queue: &QueueTrace, start: u64, index: &Index<'_>, columns: &mut Columns) -> Value {
    let (mut times, mut sizes) = (Column::default(), Column::default());
    let mut before = 0;
    for &(time, size) in &queue.sizes {
        let time = time.clamp(before, LARGEST.max(before));
        times.push(time - before);
        sizes.push(size.min(LARGEST));
        before = time;
    }
    columns.add(&format!("queue_{number}_time"), queue.sizes.len(), times);
    columns.add(&format!("queue_{number}_size"), queue.sizes.len(), sizes);
    let actors = queue.actors.iter().map(|a| {
        json!({
            "node": a.node, "id": index.find(&a.node), "op": a.op, "act": a.act, "times": a.times,
            "waits": a.waits, "total_ns": a.total_ns, "longest_ns": a.longest_ns,
        })
    });
    json!({
        "name": queue.name, "kind": queue.kind, "capacity": queue.capacity, "id": index.find(&queue.name),
        "start": start, "span_ns": queue.span_ns, "full_ns": queue.full_ns, "empty_ns": queue.empty_ns,
        "mean": if queue.mean_size.is_finite() { queue.mean_size } else { 0.0 },
        "largest": queue.largest, "actors": actors.collect::<Vec<_>>(), "advice": advice(queue),
    })
}

/// The totals of each node over all steps of another trace: number or -1, name, op, device, runs, nanoseconds. Only the
/// steps of callers count.
pub fn totals(trace: &Trace, index: &Index<'_>) -> Value {
    let mut totals: BTreeMap<(&str, &str), (i64, &str, u64, u64)> = BTreeMap::new();
    for e in trace.steps.iter().flat_map(|step| &step.events).filter(|e| !e.dead) {
        let id = index.find_in(&e.function, &e.node).map_or(-1, i64::from);
        let total = totals.entry((&e.node, &e.device)).or_insert((id, &e.op, 0, 0));
        total.2 += 1;
        total.3 = total.3.saturating_add(e.duration_ns()).min(LARGEST);
    }
    let rows = totals.into_iter().map(|((name, device), (id, op, runs, ns))| json!([id, name, op, device, runs, ns]));
    json!({
        "steps": trace.callers().count(),
        "wall": trace.callers().fold(0u64, |sum, s| sum.saturating_add(s.wall_ns)).min(LARGEST),
        "nodes": rows.collect::<Vec<_>>(),
    })
}
