//! What a life takes place in: its session, how many act in it, and how it is disturbed.

use crate::dice::Dice;
use levada_graph::{Error, QueueRunnerDef, Registry, Result, read};
use levada_kernel::{AnyDevice, Arena, CpuDevice};
use levada_session::{Session, SessionOptions};
use std::sync::{Arc, OnceLock};

/// What decides a life.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) kind: &'static str,
    pub(crate) capacity: usize,
    /// How many elements stay in the queue until it is closed.
    pub(crate) stay: usize,
    /// Whether what is put into the one queue is taken out of another, to which steps and runners pass it on.
    pub(crate) passes_on: bool,
    /// How many enqueues the runner has; 0 for no runner.
    pub(crate) runner: usize,
    pub(crate) actors: usize,
    /// Operations of each.
    pub(crate) operations: usize,
    /// One in so many runs has a token that may be cancelled.
    pub(crate) cancels: usize,
    /// One in so many runs has a deadline.
    pub(crate) deadlines: usize,
    /// One in so many operations closes a queue.
    pub(crate) closes: usize,
    /// One in so many operations ends the session.
    pub(crate) ends: usize,
    pub(crate) closed_world: bool,
    threads: usize,
    plain: bool,
    disorder: Option<u64>,
    seed: u64,
}

impl World {
    pub(crate) fn of(seed: u64) -> World {
        let dice = &mut Dice::of(seed, 0);
        let kind = dice.one_of(&["FIFOQueueV2", "FIFOQueueV2", "RandomShuffleQueueV2", "PaddingFIFOQueueV2"]);
        let capacity = 1 + dice.below(6);
        let passes_on = dice.once_in(3);
        World {
            kind,
            capacity,
            stay: if kind == "RandomShuffleQueueV2" { dice.below(capacity) } else { 0 },
            passes_on,
            runner: if passes_on { dice.below(4) } else { 0 },
            actors: 2 + dice.below(4),
            operations: 8 + dice.below(40),
            cancels: dice.one_of(&[0, 4, 12]),
            deadlines: dice.one_of(&[0, 4, 12]),
            closes: dice.one_of(&[0, 40, 200]),
            ends: if dice.once_in(8) { 60 } else { 0 },
            closed_world: dice.once_in(6),
            threads: 1 + dice.below(3),
            plain: dice.once_in(2),
            disorder: dice.once_in(2).then_some(seed),
            seed,
        }
    }

    /// True where elements leave in the order in which they came.
    pub(crate) fn keeps_order(&self) -> bool {
        !self.passes_on && self.kind != "RandomShuffleQueueV2"
    }

    /// The queue that is taken from.
    pub(crate) fn out(&self) -> &'static str {
        if self.passes_on { "r" } else { "q" }
    }

    pub(crate) fn runner_def(&self) -> QueueRunnerDef {
        QueueRunnerDef {
            queue: "r".to_owned(),
            enqueue: vec!["pass_on".to_owned(); self.runner],
            close: "close_r".to_owned(),
            cancel: "close_r_now".to_owned(),
            closed_by: vec![levada_graph::Code::OutOfRange],
        }
    }

    fn graph(&self) -> String {
        let (kind, capacity, out) = (self.kind, self.capacity, self.out());
        let more = match kind {
            "RandomShuffleQueueV2" => {
                format!(r#", "min_after_dequeue": {}, "seed": 1, "seed2": {}"#, self.stay, self.seed % 1000)
            }
            _ => String::new(),
        };
        format!(
            r#"{{"node": [
        {{"name": "q", "op": "{kind}", "attr": {{"component_types": ["int64"], "shapes": [[]], "capacity": {capacity}{more}}}}},
        {{"name": "r", "op": "FIFOQueueV2", "attr": {{"component_types": ["int64"], "shapes": [[]], "capacity": {capacity}}}}},
        {{"name": "x", "op": "Placeholder", "attr": {{"dtype": "int64"}}}},
        {{"name": "n", "op": "Placeholder", "attr": {{"dtype": "int32", "shape": []}}}},
        {{"name": "put", "op": "QueueEnqueueV2", "input": ["q", "x"]}},
        {{"name": "put_many", "op": "QueueEnqueueManyV2", "input": ["q", "x"]}},
        {{"name": "take", "op": "QueueDequeueV2", "input": ["{out}"], "attr": {{"component_types": ["int64"]}}}},
        {{"name": "take_many", "op": "QueueDequeueManyV2", "input": ["{out}", "n"], "attr": {{"component_types": ["int64"]}}}},
        {{"name": "take_up_to", "op": "QueueDequeueUpToV2", "input": ["{out}", "n"], "attr": {{"component_types": ["int64"]}}}},
        {{"name": "rest", "op": "QueueDequeueUpToV2", "input": ["q", "n"], "attr": {{"component_types": ["int64"]}}}},
        {{"name": "size", "op": "QueueSizeV2", "input": ["{out}"]}},
        {{"name": "is_closed", "op": "QueueIsClosedV2", "input": ["q"]}},
        {{"name": "close", "op": "QueueCloseV2", "input": ["q"]}},
        {{"name": "close_now", "op": "QueueCloseV2", "input": ["q"], "attr": {{"cancel_pending_enqueues": true}}}},
        {{"name": "next", "op": "QueueDequeueV2", "input": ["q"], "attr": {{"component_types": ["int64"]}}}},
        {{"name": "pass_on", "op": "QueueEnqueueV2", "input": ["r", "next"]}},
        {{"name": "close_r", "op": "QueueCloseV2", "input": ["r"]}},
        {{"name": "close_r_now", "op": "QueueCloseV2", "input": ["r"], "attr": {{"cancel_pending_enqueues": true}}}},
        {WORK}]}}"#
        )
    }

    /// The session, in its first moment.
    pub(crate) fn session(&self) -> Result<Session> {
        let (registry, devices) = machine();
        let graph = read::json(self.graph().as_bytes(), &registry)?;
        let options = SessionOptions {
            threads: self.threads,
            plain: self.plain,
            closed_world: self.closed_world,
            disorder: self.disorder,
            ..SessionOptions::default()
        };
        Session::with_devices(graph, registry, devices, options)
    }
}

/// Arithmetic without queues: `sums` of the placeholders `a` and `b`, a conditional `either`, and a loop that counts to `a`.
const WORK: &str = r#"
    {"name": "a", "op": "Placeholder", "attr": {"dtype": "int64", "shape": []}},
    {"name": "b", "op": "Placeholder", "attr": {"dtype": "int64", "shape": []}},
    {"name": "p", "op": "Placeholder", "attr": {"dtype": "bool", "shape": []}},
    {"name": "one", "op": "Const", "attr": {"dtype": "int64", "value": 1}},
    {"name": "zero", "op": "Const", "attr": {"dtype": "int64", "value": 0}},
    {"name": "plus", "op": "AddV2", "input": ["a", "b"]},
    {"name": "minus", "op": "Sub", "input": ["a", "b"]},
    {"name": "twice", "op": "AddV2", "input": ["a", "a"]},
    {"name": "product", "op": "Mul", "input": ["plus", "minus"]},
    {"name": "sums", "op": "AddV2", "input": ["product", "twice"]},
    {"name": "switch", "op": "Switch", "input": ["a", "p"]},
    {"name": "doubled", "op": "AddV2", "input": ["switch:1", "switch:1"]},
    {"name": "same", "op": "Identity", "input": ["switch:0"]},
    {"name": "either", "op": "Merge", "input": ["same", "doubled"]},
    {"name": "begin", "op": "Enter", "input": ["zero"], "attr": {"frame_name": "count"}},
    {"name": "until", "op": "Enter", "input": ["a"], "attr": {"frame_name": "count", "is_constant": true}},
    {"name": "step", "op": "Enter", "input": ["one"], "attr": {"frame_name": "count", "is_constant": true}},
    {"name": "i", "op": "Merge", "input": ["begin", "again"]},
    {"name": "less", "op": "Less", "input": ["i", "until"]},
    {"name": "goes_on", "op": "LoopCond", "input": ["less"]},
    {"name": "turn", "op": "Switch", "input": ["i", "goes_on"]},
    {"name": "more", "op": "AddV2", "input": ["turn:1", "step"]},
    {"name": "again", "op": "NextIteration", "input": ["more"]},
    {"name": "counted", "op": "Exit", "input": ["turn:0"]}"#;

/// The ops and devices of all sessions.
fn machine() -> (Arc<Registry>, Vec<Arc<dyn AnyDevice>>) {
    static REGISTRY: OnceLock<Arc<Registry>> = OnceLock::new();
    let entries = || {
        let control = levada_ops_control::ops().into_iter().chain(levada_ops_queues::ops());
        control.chain(levada_ops_array::ops()).chain(levada_ops_math::ops())
    };
    let registry = REGISTRY.get_or_init(|| Arc::new(Registry::new(entries().map(|entry| entry.def)))).clone();
    // The kernels are looked up by name; the device is of one life, as nothing of a scheduler may outlive it.
    let device = CpuDevice::new(0, Arena::new(1 << 30, 1 << 20), entries().map(|entry| entry.cpu));
    (registry, vec![Arc::new(device)])
}

/// What an error of a life says, for a failure.
pub(crate) fn said<T>(result: std::result::Result<T, Error>) -> String {
    result.err().map_or_else(|| "nothing".to_owned(), |error| error.to_string())
}
