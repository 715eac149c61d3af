//! The setting of a life: its session, its number of actors, and its disturbances.

use crate::dice::Dice;
use levada_graph::{Error, QueueRunnerDef, Registry, Result, read};
use levada_kernel::{AnyDevice, Arena, CpuDevice};
use levada_session::{Session, SessionOptions};
use std::sync::{Arc, OnceLock};

/// What determines a life.
#[derive(Clone, Debug)]
pub(crate) struct World {
    pub(crate) kind: &'static str,
    /// Whether elements have a second component, which is the negative of the first.
    pub(crate) pairs: bool,
    pub(crate) capacity: usize,
    /// Whether there are also a staging area, a barrier and an accumulator.
    pub(crate) places: bool,
    /// One in this many runs that cannot wait forever is a call of a callable; and one in this many is traced.
    pub(crate) callables: usize,
    pub(crate) traces: usize,
    /// How many elements stay in the queue until it is closed.
    pub(crate) stay: usize,
    /// Whether elements are put into one queue and taken out of another, to which steps and runners move them.
    pub(crate) passes_on: bool,
    /// Number of enqueue ops of the runner; 0 for no runner.
    pub(crate) runner: usize,
    pub(crate) actors: usize,
    /// Operations of each actor.
    pub(crate) operations: usize,
    /// One in this many runs has a token that may be cancelled.
    pub(crate) cancels: usize,
    /// One in this many runs has a deadline.
    pub(crate) deadlines: usize,
    /// One in this many operations closes a queue.
    pub(crate) closes: usize,
    /// One in this many operations ends the session.
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
        let kinds = ["FIFOQueueV2", "FIFOQueueV2", "RandomShuffleQueueV2", "PaddingFIFOQueueV2", "PriorityQueueV2"];
        let kind = dice.one_of(&kinds);
        let capacity = 1 + dice.below(6);
        let passes_on = dice.once_in(3);
        World {
            kind,
            // The first of two is the priority.
            pairs: dice.once_in(2) || kind == "PriorityQueueV2",
            capacity,
            places: dice.once_in(2),
            callables: dice.one_of(&[0, 3]),
            traces: dice.one_of(&[0, 0, 6]),
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

    /// True if elements leave in the order in which they came; those that came later have lower priority.
    pub(crate) fn keeps_order(&self) -> bool {
        !self.passes_on && self.kind != "RandomShuffleQueueV2"
    }

    /// The queue that elements are taken from.
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
        let (types, scalars) = if self.pairs { (r#""int64", "int64""#, "[], []") } else { (r#""int64""#, "[]") };
        let (x, next) = if self.pairs { (r#""x", "y""#, r#""next", "next:1""#) } else { (r#""x""#, r#""next""#) };
        let (of_q, more) = match kind {
            "RandomShuffleQueueV2" => {
                let seed2 = self.seed % 1000;
                let more = format!(r#", "min_after_dequeue": {}, "seed": 1, "seed2": {seed2}"#, self.stay);
                ((types, scalars), more)
            }
            // Its first component is not among them.
            "PriorityQueueV2" => ((r#""int64""#, "[]"), String::new()),
            _ => ((types, scalars), String::new()),
        };
        let (of_types, of_scalars) = of_q;
        let taking = |name: &str, from: &str| {
            format!(
                r#"{{"name": "{name}", "op": "QueueDequeueV2", "input": ["{from}"], "attr": {{"component_types": [{types}]}}}},"#
            )
        };
        let many = |name: &str, op: &str, from: &str| {
            format!(
                r#"{{"name": "{name}", "op": "{op}", "input": ["{from}", "n"], "attr": {{"component_types": [{types}]}}}},"#
            )
        };
        let takes = [
            taking("take", out),
            taking("next", "q"),
            many("take_many", "QueueDequeueManyV2", out),
            many("take_up_to", "QueueDequeueUpToV2", out),
            many("rest", "QueueDequeueUpToV2", "q"),
        ]
        .concat();
        let places = if self.places { PLACES } else { "" };
        format!(
            r#"{{"node": [
        {{"name": "q", "op": "{kind}", "attr": {{"component_types": [{of_types}], "shapes": [{of_scalars}], "capacity": {capacity}{more}}}}},
        {{"name": "r", "op": "FIFOQueueV2", "attr": {{"component_types": [{types}], "shapes": [{scalars}], "capacity": {capacity}}}}},
        {{"name": "x", "op": "Placeholder", "attr": {{"dtype": "int64"}}}},
        {{"name": "y", "op": "Neg", "input": ["x"]}},
        {{"name": "n", "op": "Placeholder", "attr": {{"dtype": "int32", "shape": []}}}},
        {{"name": "put", "op": "QueueEnqueueV2", "input": ["q", {x}]}},
        {{"name": "put_many", "op": "QueueEnqueueManyV2", "input": ["q", {x}]}},
        {takes}
        {{"name": "take_in_call", "op": "StatefulPartitionedCall", "input": ["{out}"],
          "attr": {{"Tin": ["resource"], "Tout": [{types}], "f": {{"func": {{"name": "taking"}}}}}}}},
        {{"name": "size", "op": "QueueSizeV2", "input": ["{out}"]}},
        {{"name": "is_closed", "op": "QueueIsClosedV2", "input": ["q"]}},
        {{"name": "close", "op": "QueueCloseV2", "input": ["q"]}},
        {{"name": "close_now", "op": "QueueCloseV2", "input": ["q"], "attr": {{"cancel_pending_enqueues": true}}}},
        {{"name": "pass_on", "op": "QueueEnqueueV2", "input": ["r", {next}]}},
        {{"name": "close_r", "op": "QueueCloseV2", "input": ["r"]}},
        {{"name": "close_r_now", "op": "QueueCloseV2", "input": ["r"], "attr": {{"cancel_pending_enqueues": true}}}},
        {places}
        {WORK}],
        "library": {{"function": [{}, {DOUBLES}, {IS_LESS}, {ADDS_ONE}]}}}}"#,
            self.taking()
        )
    }

    /// A function that takes an element out of the queue that is its argument.
    fn taking(&self) -> String {
        let (outputs, types, ret) = match self.pairs {
            true => (
                r#"{"name": "e", "type": "DT_INT64"}, {"name": "f", "type": "DT_INT64"}"#,
                r#""DT_INT64", "DT_INT64""#,
                r#""e": "inner:components:0", "f": "inner:components:1""#,
            ),
            false => (r#"{"name": "e", "type": "DT_INT64"}"#, r#""DT_INT64""#, r#""e": "inner:components:0""#),
        };
        format!(
            r#"{{"signature": {{"name": "taking", "inputArg": [{{"name": "h", "type": "DT_RESOURCE"}}],
                "outputArg": [{outputs}], "isStateful": true}},
            "nodeDef": [{{"name": "inner", "op": "QueueDequeueV2", "input": ["h"],
                "attr": {{"component_types": {{"list": {{"type": [{types}]}}}}}}}}],
            "ret": {{{ret}}}}}"#
        )
    }

    /// The initial session.
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

/// A staging area with room for two, a barrier of two components, and an accumulator.
const PLACES: &str = r#"
    {"name": "key", "op": "Placeholder", "attr": {"dtype": "string", "shape": [1]}},
    {"name": "values", "op": "Placeholder", "attr": {"dtype": "int64", "shape": [1]}},
    {"name": "stage", "op": "Stage", "input": ["x"], "attr": {"dtypes": ["int64"], "capacity": 2, "shared_name": "area"}},
    {"name": "unstage", "op": "Unstage", "attr": {"dtypes": ["int64"], "capacity": 2, "shared_name": "area"}},
    {"name": "staged", "op": "StageSize", "attr": {"dtypes": ["int64"], "capacity": 2, "shared_name": "area"}},
    {"name": "barrier", "op": "Barrier", "attr": {"component_types": ["int64", "int64"], "shapes": [[], []]}},
    {"name": "insert_0", "op": "BarrierInsertMany", "input": ["barrier", "key", "values"], "attr": {"T": "int64", "component_index": 0}},
    {"name": "insert_1", "op": "BarrierInsertMany", "input": ["barrier", "key", "values"], "attr": {"T": "int64", "component_index": 1}},
    {"name": "meet", "op": "BarrierTakeMany", "input": ["barrier", "n"], "attr": {"component_types": ["int64", "int64"]}},
    {"name": "met", "op": "BarrierReadySize", "input": ["barrier"]},
    {"name": "unit", "op": "Const", "attr": {"dtype": "float64", "value": 1}},
    {"name": "sum", "op": "ConditionalAccumulator", "attr": {"dtype": "float64", "shape": [], "reduction_type": "SUM"}},
    {"name": "late", "op": "Const", "attr": {"dtype": "int64", "value": 1000000}},
    {"name": "add", "op": "AccumulatorApplyGradient", "input": ["sum", "late", "unit"], "attr": {"dtype": "float64"}},
    {"name": "total", "op": "AccumulatorTakeGradient", "input": ["sum", "n"], "attr": {"dtype": "float64"}},
    {"name": "added", "op": "AccumulatorNumAccumulated", "input": ["sum"]},"#;

/// Functions of an integer.
const DOUBLES: &str = r#"{"signature": {"name": "doubles", "inputArg": [{"name": "x", "type": "DT_INT64"}],
    "outputArg": [{"name": "y", "type": "DT_INT64"}]},
    "nodeDef": [{"name": "twice", "op": "AddV2", "input": ["x", "x"], "attr": {"T": {"type": "DT_INT64"}}}],
    "ret": {"y": "twice:z:0"}}"#;
const IS_LESS: &str = r#"{"signature": {"name": "is_less",
    "inputArg": [{"name": "i", "type": "DT_INT64"}, {"name": "most", "type": "DT_INT64"}],
    "outputArg": [{"name": "less", "type": "DT_BOOL"}]},
    "nodeDef": [{"name": "compare", "op": "Less", "input": ["i", "most"], "attr": {"T": {"type": "DT_INT64"}}}],
    "ret": {"less": "compare:z:0"}}"#;
const ADDS_ONE: &str = r#"{"signature": {"name": "adds_one",
    "inputArg": [{"name": "i", "type": "DT_INT64"}, {"name": "most", "type": "DT_INT64"}],
    "outputArg": [{"name": "j", "type": "DT_INT64"}, {"name": "same", "type": "DT_INT64"}]},
    "nodeDef": [
        {"name": "one", "op": "Const", "attr": {"dtype": {"type": "DT_INT64"},
            "value": {"tensor": {"dtype": "DT_INT64", "tensorShape": {}, "int64Val": ["1"]}}}},
        {"name": "plus", "op": "AddV2", "input": ["i", "one:output:0"], "attr": {"T": {"type": "DT_INT64"}}}],
    "ret": {"j": "plus:z:0", "same": "most"}}"#;

/// Arithmetic without queues: `sums` of the placeholders `a` and `b`, a conditional `either`, a loop that counts to
/// `a`, the same loop of functions, and a call.
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
    {"name": "counted", "op": "Exit", "input": ["turn:0"]},
    {"name": "repeated", "op": "While", "input": ["zero", "a"], "attr": {"T": ["int64", "int64"],
        "cond": {"func": {"name": "is_less"}}, "body": {"func": {"name": "adds_one"}}}},
    {"name": "doubled_in_call", "op": "PartitionedCall", "input": ["a"],
        "attr": {"Tin": ["int64"], "Tout": ["int64"], "f": {"func": {"name": "doubles"}}}}"#;

/// The ops and devices of all sessions.
pub(crate) fn machine() -> (Arc<Registry>, Vec<Arc<dyn AnyDevice>>) {
    static REGISTRY: OnceLock<Arc<Registry>> = OnceLock::new();
    let entries = || {
        let control = levada_ops_control::ops().into_iter().chain(levada_ops_queues::ops());
        control.chain(levada_ops_array::ops()).chain(levada_ops_math::ops())
    };
    let registry = REGISTRY.get_or_init(|| Arc::new(Registry::new(entries().map(|entry| entry.def)))).clone();
    // The kernels are looked up by name; the device belongs to one life, as nothing of a scheduler may outlive it.
    let device = CpuDevice::new(0, Arena::new(1 << 30, 1 << 20), entries().map(|entry| entry.cpu));
    (registry, vec![Arc::new(device)])
}

/// The error of a life, for a failure message.
pub(crate) fn said<T>(result: std::result::Result<T, Error>) -> String {
    result.err().map_or_else(|| "nothing".to_owned(), |error| error.to_string())
}
