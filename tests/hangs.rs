//! Graphs that hang, made from seeds: each is reported in under a second, with the node that waits, the resource, and
//! why the nodes that could end the wait do not. And runs that only wait for a slow producer, which are not reported.

use levada::graph::collections;
use levada::graph::read;
use levada::session::waiting::{RunnerState, WaitingNode};
use levada::{
    Builder, Code, Coordinator, DType, Error, Output, PartialShape, QueueRunnerDef, Session, SessionOptions, Tensor,
    Waiting,
};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Random numbers from a seed (SplitMix64).
struct Seeds(u64);

impl Seeds {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }
}

/// A graph that hangs, and its expected report.
#[derive(Default)]
struct Hang {
    nodes: Vec<Value>,
    functions: Vec<Value>,
    /// Runs before, one after the other.
    before: Vec<String>,
    /// The targets of the run that hangs.
    targets: Vec<String>,
    /// Further runs that hang at the same time.
    others: Vec<String>,
    /// The node that waits.
    node: String,
    /// True if another node is an equally good answer.
    symmetric: bool,
    /// The resource where it waits: kind and name.
    place: (&'static str, String),
    /// The first node that could end the wait, if any.
    partner: Option<String>,
    /// Text that the report must have.
    says: Vec<String>,
}

const TAKES: [&str; 1] = ["int32"];

impl Hang {
    fn node(&mut self, name: &str, op: &str, input: &[&str], attr: Value) {
        self.nodes.push(json!({"name": name, "op": op, "input": input, "attr": attr}));
    }

    fn queue(&mut self, name: &str, op: &str, capacity: u64, more: Value) {
        let mut attr = json!({"component_types": ["int32"], "shapes": [[]], "capacity": capacity});
        attr.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.node(name, op, &[], attr);
    }

    fn fifo(&mut self, name: &str, capacity: u64) {
        self.queue(name, "FIFOQueueV2", capacity, json!({}));
    }

    fn constant(&mut self, name: &str, value: Value) {
        self.typed(name, "int32", value);
    }

    fn typed(&mut self, name: &str, dtype: &str, value: Value) {
        self.node(name, "Const", &[], json!({"dtype": dtype, "value": value}));
    }

    fn dequeue(&mut self, name: &str, queue: &str, after: &[&str]) {
        let inputs: Vec<String> = [queue.to_owned()].into_iter().chain(after.iter().map(|a| format!("^{a}"))).collect();
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        self.node(name, "QueueDequeueV2", &inputs, json!({"component_types": TAKES}));
    }

    fn enqueue(&mut self, name: &str, queue: &str, value: &str, after: &[&str]) {
        let inputs: Vec<String> =
            [queue.to_owned(), value.to_owned()].into_iter().chain(after.iter().map(|a| format!("^{a}"))).collect();
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        self.node(name, "QueueEnqueueV2", &inputs, json!({}));
    }

    /// Enqueues `n` numbers together.
    fn fill(&mut self, name: &str, queue: &str, n: u64) {
        self.constant(&format!("{name}_values"), json!((0..n).collect::<Vec<_>>()));
        self.node(name, "QueueEnqueueManyV2", &[queue, &format!("{name}_values")], json!({}));
    }

    fn batch(&mut self, name: &str, op: &str, queue: &str, n: u64, after: &[&str]) {
        self.constant(&format!("{name}_n"), json!(n));
        let inputs: Vec<String> =
            [queue.to_owned(), format!("{name}_n")].into_iter().chain(after.iter().map(|a| format!("^{a}"))).collect();
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        self.node(name, op, &inputs, json!({"component_types": TAKES}));
    }

    /// A chain of `n` sums after `from`.
    fn chain(&mut self, name: &str, from: &str, n: u64) -> String {
        let mut last = from.to_owned();
        for i in 0..n {
            let next = format!("{name}{i}");
            self.node(&next, "AddV2", &[&last, &last], json!({}));
            last = next;
        }
        last
    }
}

type Pattern = fn(&mut Seeds, &mut Hang);

/// The kinds of hangs. `q`, `take` and `put` are names that every seed puts into its own scope.
const PATTERNS: &[(&str, Pattern)] = &[
    ("a queue that nobody fills", |r, h| {
        let kind = r.below(3) as usize;
        let (op, kind) = [
            ("FIFOQueueV2", "FIFOQueue"),
            ("PaddingFIFOQueueV2", "PaddingFIFOQueue"),
            ("RandomShuffleQueueV2", "RandomShuffleQueue"),
        ][kind];
        h.queue("q", op, r.between(1, 50), json!({}));
        h.dequeue("take", "q", &[]);
        (h.node, h.place) = ("take".into(), (kind, "q".into()));
        h.says.push("no node of the graph puts anything into it".into());
        h.targets.push("take".into());
    }),
    ("a queue of references that nobody fills", |r, h| {
        h.queue("q", "FIFOQueue", r.between(1, 50), json!({"shared_name": "the_queue"}));
        h.node("take", "QueueDequeue", &["q"], json!({"component_types": TAKES}));
        h.constant("one", json!(1));
        h.node("put", "QueueEnqueue", &["q", "one"], json!({}));
        (h.node, h.place, h.partner) = ("take".into(), ("FIFOQueue", "the_queue".into()), Some("put".into()));
        h.targets.push("take".into());
    }),
    ("an enqueue that no run has", |r, h| {
        h.fifo("q", r.between(1, 9));
        h.constant("one", json!(1));
        h.enqueue("put", "q", "one", &[]);
        h.dequeue("take", "q", &[]);
        let last = h.chain("sum", "take", r.below(5));
        (h.node, h.place, h.partner) = ("take".into(), ("FIFOQueue", "q".into()), Some("put".into()));
        h.says.push("no run in progress includes it".into());
        h.targets.push(last);
    }),
    ("an enqueue behind the dequeue", |r, h| {
        h.fifo("q", r.between(1, 9));
        h.constant("one", json!(1));
        h.dequeue("take", "q", &[]);
        let last = h.chain("sum", "take", r.between(1, 6));
        h.enqueue("put", "q", "one", &[&last]);
        (h.node, h.place, h.partner) = ("take".into(), ("FIFOQueue", "q".into()), Some("put".into()));
        h.says.push("it comes after `take`".into());
        h.targets.extend(["put".into(), last]);
    }),
    ("an enqueue of what is dequeued", |r, h| {
        h.fifo("q", r.between(1, 9));
        h.dequeue("take", "q", &[]);
        let last = h.chain("sum", "take", r.between(0, 6));
        h.enqueue("put", "q", &last, &[]);
        (h.node, h.place, h.partner) = ("take".into(), ("FIFOQueue", "q".into()), Some("put".into()));
        h.says.push("it comes after `take`".into());
        h.targets.push("put".into());
    }),
    ("a full queue", |r, h| {
        let capacity = r.between(1, 20);
        h.fifo("q", capacity);
        h.fill("put", "q", capacity + r.between(1, 9));
        if r.below(2) == 0 {
            h.dequeue("take", "q", &[]);
            h.partner = Some("take".into());
        } else {
            h.says.push("no node of the graph takes anything out of it".into());
        }
        (h.node, h.place) = ("put".into(), ("FIFOQueue", "q".into()));
        h.says.push(format!("({capacity} so far)"));
        h.targets.push("put".into());
    }),
    ("a queue that was full before", |r, h| {
        let capacity = r.between(1, 20);
        h.fifo("q", capacity);
        h.fill("fill", "q", capacity);
        h.constant("one", json!(1));
        h.enqueue("put", "q", "one", &[]);
        h.dequeue("take", "q", &["put"]);
        h.before.push("fill".into());
        (h.node, h.place, h.partner) = ("put".into(), ("FIFOQueue", "q".into()), Some("take".into()));
        h.says.push("it comes after `put`".into());
        h.targets.push("take".into());
    }),
    ("a batch of more than comes", |r, h| {
        let n = r.between(1, 20);
        h.fifo("q", 100);
        h.fill("put", "q", n);
        h.batch("take", "QueueDequeueManyV2", "q", n + r.between(1, 50), &[]);
        (h.node, h.place, h.partner) = ("take".into(), ("FIFOQueue", "q".into()), Some("put".into()));
        h.says.extend(["it has run already".into(), format!("({n} so far)")]);
        h.targets.extend(["put".into(), "take".into()]);
    }),
    ("a batch of more than there is room for", |r, h| {
        let capacity = r.between(2, 20);
        h.fifo("q", capacity);
        h.fill("put", "q", 1);
        h.batch("take", "QueueDequeueManyV2", "q", capacity + 1, &[]);
        (h.node, h.place, h.partner) = ("take".into(), ("FIFOQueue", "q".into()), Some("put".into()));
        h.says.push(format!("it needs {} but the capacity is {capacity}", capacity + 1));
        h.targets.push("take".into());
    }),
    ("a smaller batch of a queue that is not closed", |r, h| {
        h.fifo("q", 100);
        h.fill("put", "q", 3);
        h.batch("take", "QueueDequeueUpToV2", "q", r.between(4, 60), &[]);
        h.node("close", "QueueCloseV2", &["q", "^take"], json!({}));
        (h.node, h.place, h.partner) = ("take".into(), ("FIFOQueue", "q".into()), Some("put".into()));
        h.says.push("`close` (QueueCloseV2) closes it, but it comes after `take`".into());
        h.targets.extend(["put".into(), "close".into()]);
    }),
    ("elements that must stay", |r, h| {
        let stay = r.between(1, 20);
        h.queue("q", "RandomShuffleQueueV2", stay + 10, json!({"min_after_dequeue": stay, "seed": 1}));
        h.fill("put", "q", stay);
        h.before.push("put".into());
        h.dequeue("take", "q", &[]);
        (h.node, h.place, h.partner) = ("take".into(), ("RandomShuffleQueue", "q".into()), Some("put".into()));
        h.says.push(format!("{stay} must stay"));
        h.targets.push("take".into());
    }),
    ("a priority queue that nobody fills", |r, h| {
        h.node(
            "q",
            "PriorityQueueV2",
            &[],
            json!({"component_types": ["int32"], "shapes": [[]], "capacity": r.between(1, 9)}),
        );
        h.node("take", "QueueDequeueV2", &["q"], json!({"component_types": ["int64", "int32"]}));
        (h.node, h.place) = ("take".into(), ("PriorityQueue", "q".into()));
        h.targets.push("take".into());
    }),
    ("a barrier with incomplete keys", |r, h| {
        let n = r.between(1, 5);
        let keys: Vec<String> = (0..n).map(|i| format!("key{i}")).collect();
        h.node("b", "Barrier", &[], json!({"component_types": ["int32", "int32"], "shapes": [[], []]}));
        h.typed("keys", "string", json!(keys));
        h.constant("values", json!((0..n).collect::<Vec<_>>()));
        let component = r.below(2);
        h.node("put", "BarrierInsertMany", &["b", "keys", "values"], json!({"component_index": component}));
        h.constant("n", json!(1));
        let same_run = r.below(2) == 0;
        let inputs: &[&str] = if same_run { &["b", "n", "^put"] } else { &["b", "n"] };
        h.node("take", "BarrierTakeMany", inputs, json!({"component_types": ["int32", "int32"]}));
        h.says.push(match same_run {
            true => "`put` has run and was not enough".into(),
            false => "let `put` provide the missing elements".into(),
        });
        h.before.extend((!same_run).then(|| "put".into()));
        (h.node, h.place, h.partner) = ("take".into(), ("Barrier", "b".into()), Some("put".into()));
        h.says.push(format!("0 elements, {n} more incomplete"));
        h.says.push(format!("{n} lack{} component {}", if n == 1 { "s" } else { "" }, 1 - component));
        h.targets.push("take".into());
    }),
    ("a staging area that nobody fills", |r, h| {
        let attr = json!({"dtypes": ["int32"], "shared_name": "area", "capacity": r.below(4)});
        h.node("take", "Unstage", &[], attr.clone());
        h.constant("one", json!(1));
        h.node("put", "Stage", &["one", "^take"], attr);
        (h.node, h.place, h.partner) = ("take".into(), ("Stage", "area".into()), Some("put".into()));
        h.says.push("it comes after `take`".into());
        h.targets.push("put".into());
    }),
    ("a staging area that is full", |r, h| {
        let capacity = r.between(1, 5);
        let attr = json!({"dtypes": ["int32"], "shared_name": "area", "capacity": capacity});
        h.constant("one", json!(1));
        h.node("fill", "Stage", &["one"], attr.clone());
        h.before.extend((0..capacity).map(|_| "fill".to_owned()));
        h.node("put", "Stage", &["one"], attr.clone());
        h.node("take", "Unstage", &[], attr);
        (h.node, h.place, h.partner) = ("put".into(), ("Stage", "area".into()), Some("take".into()));
        h.says.push(format!("{capacity} of {capacity} elements"));
        h.targets.push("put".into());
    }),
    ("a look at what is not staged", |r, h| {
        let attr = json!({"dtypes": ["int32"], "shared_name": "area"});
        h.constant("at", json!(r.between(1, 9)));
        h.constant("one", json!(1));
        h.node("put", "Stage", &["one"], attr.clone());
        h.node("take", "StagePeek", &["at"], attr);
        h.before.push("put".into());
        (h.node, h.place, h.partner) = ("take".into(), ("Stage", "area".into()), Some("put".into()));
        h.targets.push("take".into());
    }),
    ("a key that never comes", |r, h| {
        let op = |op: &str, ordered: bool| if ordered { format!("Ordered{op}") } else { op.to_owned() };
        let ordered = r.below(2) == 0;
        let (there, wanted) = (r.below(50), r.between(50, 99));
        h.typed("there", "int64", json!(there));
        h.typed("wanted", "int64", json!(wanted));
        h.constant("at", json!([0]));
        h.constant("one", json!(1));
        let attr = json!({"dtypes": ["int32"], "shared_name": "map"});
        let mut fake = attr.clone();
        fake["fake_dtypes"] = json!(["int32"]);
        h.node("put", &op("MapStage", ordered), &["there", "at", "one"], fake);
        h.node("take", &op("MapUnstage", ordered), &["wanted", "at"], attr);
        h.before.push("put".into());
        let kind = if ordered { "OrderedMapStage" } else { "MapStage" };
        (h.node, h.place, h.partner) = ("take".into(), (kind, "map".into()), Some("put".into()));
        h.says.push(format!("the element with key {wanted}"));
        h.targets.push("take".into());
    }),
    ("a key of which a part never comes", |r, h| {
        h.typed("key", "int64", json!(r.below(50)));
        h.constant("first", json!([0]));
        h.constant("both", json!([0, 1]));
        h.constant("one", json!(1));
        let attr = json!({"dtypes": ["int32", "int32"], "shared_name": "map"});
        let mut fake = attr.clone();
        fake["fake_dtypes"] = json!(["int32"]);
        h.node("put", "MapStage", &["key", "first", "one"], fake);
        h.node("take", "MapUnstage", &["key", "both"], attr);
        (h.node, h.place, h.partner) = ("take".into(), ("MapStage", "map".into()), Some("put".into()));
        h.says.extend(["1 more incomplete".into(), "it has run already".into()]);
        h.targets.extend(["put".into(), "take".into()]);
    }),
    ("too few gradients", |r, h| {
        let n = r.between(1, 4);
        h.node("acc", "ResourceConditionalAccumulator", &[], json!({"dtype": "float32", "shape": []}));
        h.typed("step", "int64", json!(0));
        h.typed("gradient", "float32", json!(1.5));
        h.node("put", "ResourceAccumulatorApplyGradient", &["acc", "step", "gradient"], json!({}));
        h.constant("n", json!(n + 1));
        h.node("take", "ResourceAccumulatorTakeGradient", &["acc", "n"], json!({"dtype": "float32"}));
        h.before.extend((0..n).map(|_| "put".to_owned()));
        (h.node, h.place, h.partner) = ("take".into(), ("ConditionalAccumulator", "acc".into()), Some("put".into()));
        h.says.push(format!("take {} elements", n + 1));
        h.targets.push("take".into());
    }),
    ("a mutex taken twice", |r, h| {
        h.node("m", "MutexV2", &[], json!({}));
        h.node("first", "MutexLock", &["m"], json!({}));
        h.constant("one", json!(1));
        let work = h.chain("work", "one", r.between(1, 4));
        h.node("take", "MutexLock", &["m", "^first", &format!("^{work}")], json!({}));
        h.node("put", "ConsumeMutexLock", &["first", "^take"], json!({}));
        h.node("end", "ConsumeMutexLock", &["take"], json!({}));
        (h.node, h.place, h.partner) = ("take".into(), ("Mutex", "m".into()), Some("put".into()));
        h.says.push("it comes after `take`".into());
        h.targets.extend(["put".into(), "end".into()]);
    }),
    ("an entrance behind somebody who cannot leave", |r, h| {
        let order = json!({"shared_name": "order"});
        h.fifo("q", r.between(1, 9));
        h.node("first", "OrderedEnter", &[], order.clone());
        h.dequeue("inside", "q", &["first"]);
        h.node("leave", "OrderedLeave", &["first", "^inside"], json!({}));
        h.node("take", "OrderedEnter", &["^first"], order);
        (h.node, h.place, h.partner) = ("take".into(), ("Sequence", "order".into()), Some("leave".into()));
        h.says.push("`leave` (OrderedLeave) gives it up, but it comes after `inside`".into());
        h.symmetric = true;
        h.targets.extend(["leave".into(), "take".into()]);
    }),
    ("a second reader behind a first", |r, h| {
        h.queue("q", "FIFOQueueV2", r.between(1, 9), json!({"component_types": ["string"]}));
        h.node("r", "TextLineReaderV2", &[], json!({}));
        h.node("first", "ReaderReadV2", &["r", "q"], json!({}));
        h.node("take", "ReaderReadV2", &["r", "q"], json!({}));
        (h.node, h.place) = ("take".into(), ("Reader", "r".into()));
        h.says.push("for its turn at Reader `r`; `first` has it".into());
        h.says.push("and waits itself to take 1 element of FIFOQueue `q`".into());
        h.others.push("first".into());
        h.targets.push("take".into());
    }),
    ("gradients of a batch that do not come", |r, h| {
        let missing = r.between(2, 9);
        h.typed("batch", "float32", json!([1.5, 2.5]));
        h.typed("index", "int64", json!([[1, 0, 1], [missing, 1, 2]]));
        h.typed("own", "int64", json!(1));
        h.node("take", "UnbatchGrad", &["batch", "index", "batch", "own"], json!({"T": "float32"}));
        (h.node, h.place) = ("take".into(), ("UnbatchGrad", "take".into()));
        h.says.push(format!("the ids {missing} have not given their gradients"));
        h.targets.push("take".into());
    }),
    ("two queues that wait for each other in one run", |r, h| {
        for q in ["q", "p"] {
            h.fifo(q, r.between(1, 9));
        }
        h.dequeue("take", "q", &[]);
        h.dequeue("take_p", "p", &[]);
        h.enqueue("put_p", "p", "take", &[]);
        h.enqueue("put", "q", "take_p", &[]);
        (h.node, h.place, h.partner) = ("take".into(), ("FIFOQueue", "q".into()), Some("put".into()));
        h.symmetric = true;
        h.says.extend(["it comes after `take_p`".into(), "it comes after `take`".into()]);
        h.targets.extend(["put".into(), "put_p".into()]);
    }),
    ("two runs that wait for each other", |r, h| {
        for q in ["q", "p"] {
            h.fifo(q, r.between(1, 9));
        }
        h.dequeue("take", "q", &[]);
        h.dequeue("take_p", "p", &[]);
        h.enqueue("put_p", "p", "take", &[]);
        h.enqueue("put", "q", "take_p", &[]);
        (h.node, h.place, h.partner) = ("take".into(), ("FIFOQueue", "q".into()), Some("put".into()));
        h.says.extend(["it comes after `take_p`, which waits in step".into()]);
        h.targets.push("put_p".into());
        h.others.push("put".into());
    }),
    ("a function that waits, its producer behind the call", |r, h| {
        h.fifo("q", r.between(1, 9));
        h.node(
            "call",
            "StatefulPartitionedCall",
            &["q"],
            json!({"Tin": ["resource"], "Tout": ["int32"], "f": {"func": {"name": "body"}}}),
        );
        h.enqueue("put", "q", "call", &[]);
        h.functions.push(taker("body"));
        (h.node, h.place, h.partner) = ("inner".into(), ("FIFOQueue", "q".into()), Some("put".into()));
        h.says.push("`put` (QueueEnqueueV2) puts into it, but it comes after `inner`".into());
        h.targets.push("put".into());
    }),
    ("a function that would fill the queue behind the dequeue", |r, h| {
        h.fifo("q", r.between(1, 9));
        h.dequeue("take", "q", &[]);
        h.node(
            "call",
            "StatefulPartitionedCall",
            &["q", "take"],
            json!({"Tin": ["resource", "int32"], "Tout": ["int32"], "f": {"func": {"name": "fill"}}}),
        );
        h.functions.push(json!({
            "signature": {"name": "fill", "inputArg": [{"name": "h", "type": "DT_RESOURCE"}, {"name": "x", "type": "DT_INT32"}],
                "outputArg": [{"name": "e", "type": "DT_INT32"}], "isStateful": true},
            "nodeDef": [{"name": "inner", "op": "QueueEnqueueV2", "input": ["h", "x"],
                "attr": {"Tcomponents": {"list": {"type": ["DT_INT32"]}}}}],
            "ret": {"e": "x"}, "controlRet": {"c": "inner"}}));
        (h.node, h.place, h.partner) = ("take".into(), ("FIFOQueue", "q".into()), Some("call".into()));
        h.says.push("`call` (StatefulPartitionedCall) puts into it, but it comes after `take`".into());
        h.targets.push("call".into());
    }),
    ("a loop of functions that takes more than there is", |r, h| {
        let n = r.between(1, 5);
        h.fifo("q", 100);
        h.fill("put", "q", n);
        h.before.push("put".into());
        h.constant("zero", json!(0));
        h.node(
            "loop",
            "While",
            &["zero", "q"],
            json!({"T": ["int32", "resource"], "cond": {"func": {"name": "cond"}}, "body": {"func": {"name": "body"}}}),
        );
        h.functions.push(json!({
            "signature": {"name": "cond", "inputArg": [{"name": "i", "type": "DT_INT32"}, {"name": "h", "type": "DT_RESOURCE"}],
                "outputArg": [{"name": "more", "type": "DT_BOOL"}]},
            "nodeDef": [{"name": "limit", "op": "Const", "attr": {"dtype": {"type": "DT_INT32"},
                    "value": {"tensor": {"dtype": "DT_INT32", "tensorShape": {}, "intVal": [n + 1]}}}},
                {"name": "less", "op": "Less", "input": ["i", "limit:output:0"], "attr": {"T": {"type": "DT_INT32"}}}],
            "ret": {"more": "less:z:0"}}));
        h.functions.push(json!({
            "signature": {"name": "body", "inputArg": [{"name": "i", "type": "DT_INT32"}, {"name": "h", "type": "DT_RESOURCE"}],
                "outputArg": [{"name": "next", "type": "DT_INT32"}, {"name": "q", "type": "DT_RESOURCE"}], "isStateful": true},
            "nodeDef": [{"name": "one", "op": "Const", "attr": {"dtype": {"type": "DT_INT32"},
                    "value": {"tensor": {"dtype": "DT_INT32", "tensorShape": {}, "intVal": [1]}}}},
                {"name": "inner", "op": "QueueDequeueV2", "input": ["h"], "attr": {"component_types": {"list": {"type": ["DT_INT32"]}}}},
                {"name": "sum", "op": "AddV2", "input": ["i", "one:output:0", "^inner"], "attr": {"T": {"type": "DT_INT32"}}}],
            "ret": {"next": "sum:z:0", "q": "h"}}));
        (h.node, h.place, h.partner) = ("inner".into(), ("FIFOQueue", "q".into()), Some("put".into()));
        h.targets.push("loop".into());
    }),
    ("a v1 loop that takes more than there is", |r, h| {
        let n = r.between(1, 5);
        h.fifo("q", 100);
        h.fill("put", "q", n);
        h.before.push("put".into());
        h.constant("zero", json!(0));
        let frame = json!({"frame_name": "loop"});
        h.node("enter", "Enter", &["zero"], frame.clone());
        h.node("enter_q", "Enter", &["q"], json!({"frame_name": "loop", "is_constant": true}));
        h.node("merge", "Merge", &["enter", "next"], json!({}));
        h.node("limit", "Const", &["^merge"], json!({"dtype": "int32", "value": n + 1}));
        h.node("less", "Less", &["merge", "limit"], json!({}));
        h.node("cond", "LoopCond", &["less"], json!({}));
        h.node("switch", "Switch", &["merge", "cond"], json!({}));
        h.node("body", "Identity", &["switch:1"], json!({}));
        h.dequeue("take", "enter_q", &["body"]);
        h.node("one", "Const", &["^body"], json!({"dtype": "int32", "value": 1}));
        h.node("sum", "AddV2", &["body", "one", "^take"], json!({}));
        h.node("next", "NextIteration", &["sum"], json!({}));
        h.node("exit", "Exit", &["switch"], json!({}));
        (h.node, h.place, h.partner) = ("take".into(), ("FIFOQueue", "q".into()), Some("put".into()));
        h.targets.push("exit".into());
    }),
    ("a loop that fills a queue that is emptied after it", |r, h| {
        let capacity = r.between(1, 5);
        h.fifo("q", capacity);
        h.constant("zero", json!(0));
        h.node("enter", "Enter", &["zero"], json!({"frame_name": "loop"}));
        h.node("enter_q", "Enter", &["q"], json!({"frame_name": "loop", "is_constant": true}));
        h.node("merge", "Merge", &["enter", "next"], json!({}));
        h.node("limit", "Const", &["^merge"], json!({"dtype": "int32", "value": capacity + 1}));
        h.node("less", "Less", &["merge", "limit"], json!({}));
        h.node("cond", "LoopCond", &["less"], json!({}));
        h.node("switch", "Switch", &["merge", "cond"], json!({}));
        h.node("body", "Identity", &["switch:1"], json!({}));
        h.enqueue("put", "enter_q", "body", &[]);
        h.node("one", "Const", &["^body"], json!({"dtype": "int32", "value": 1}));
        h.node("sum", "AddV2", &["body", "one", "^put"], json!({}));
        h.node("next", "NextIteration", &["sum"], json!({}));
        h.node("exit", "Exit", &["switch"], json!({}));
        h.dequeue("take", "q", &["exit"]);
        (h.node, h.place, h.partner) = ("put".into(), ("FIFOQueue", "q".into()), Some("take".into()));
        h.says.push("it comes after `put`".into());
        h.targets.push("take".into());
    }),
    ("names that no reader takes", |r, h| {
        let capacity = r.between(1, 5);
        h.queue("q", "FIFOQueueV2", capacity, json!({"component_types": ["string"]}));
        h.typed("names", "string", json!(vec!["x"; capacity as usize + 1]));
        h.node("put", "QueueEnqueueManyV2", &["q", "names"], json!({}));
        h.node("reader", "TextLineReaderV2", &[], json!({}));
        h.node("read", "ReaderReadV2", &["reader", "q", "^put"], json!({}));
        (h.node, h.place, h.partner) = ("put".into(), ("FIFOQueue", "q".into()), Some("read".into()));
        h.says.push("`read` (ReaderReadV2) takes out of it, but it comes after `put`".into());
        h.targets.push("read".into());
    }),
    ("a reader without names", |r, h| {
        h.queue("q", "FIFOQueueV2", r.between(1, 5), json!({"component_types": ["string"]}));
        h.node("reader", "IdentityReaderV2", &[], json!({}));
        h.node("read", "ReaderReadV2", &["reader", "q"], json!({}));
        h.node("put", "QueueEnqueueV2", &["q", "read"], json!({}));
        (h.node, h.place, h.partner) = ("read".into(), ("FIFOQueue", "q".into()), Some("put".into()));
        h.says.push("it comes after `read`".into());
        h.targets.push("put".into());
    }),
    ("an enqueue on another device", |r, h| {
        h.fifo("q", r.between(1, 9));
        h.dequeue("take", "q", &[]);
        let last = h.chain("sum", "take", r.between(1, 6));
        for node in &mut h.nodes {
            if node["op"] == "AddV2" {
                node["device"] = json!("/device:CPU:1");
            }
        }
        h.enqueue("put", "q", &last, &[]);
        (h.node, h.place, h.partner) = ("take".into(), ("FIFOQueue", "q".into()), Some("put".into()));
        h.says.push("it comes after `take`".into());
        h.targets.push("put".into());
    }),
    ("a close that comes too late", |r, h| {
        h.fifo("q", r.between(1, 9));
        h.dequeue("take", "q", &[]);
        h.node("close", "QueueCloseV2", &["q", "^take"], json!({"cancel_pending_enqueues": r.below(2) == 0}));
        (h.node, h.place, h.partner) = ("take".into(), ("FIFOQueue", "q".into()), Some("close".into()));
        h.says.push("closes it, but it comes after `take`".into());
        h.targets.push("close".into());
    }),
    ("a close behind an enqueue that waits", |r, h| {
        let capacity = r.between(1, 9);
        h.fifo("q", capacity);
        h.fill("put", "q", capacity + 1);
        h.node("close", "QueueCloseV2", &["q", "^put"], json!({}));
        h.dequeue("take", "q", &["close"]);
        (h.node, h.place, h.partner) = ("put".into(), ("FIFOQueue", "q".into()), Some("take".into()));
        h.says.push("it comes after `put`".into());
        h.targets.push("take".into());
    }),
];

/// A function that dequeues an element from the queue that it is given.
fn taker(name: &str) -> Value {
    json!({
        "signature": {"name": name, "inputArg": [{"name": "h", "type": "DT_RESOURCE"}],
            "outputArg": [{"name": "e", "type": "DT_INT32"}], "isStateful": true},
        "nodeDef": [{"name": "inner", "op": "QueueDequeueV2", "input": ["h"],
            "attr": {"component_types": {"list": {"type": ["DT_INT32"]}}}}],
        "ret": {"e": "inner:components:0"}})
}

fn session(hang: &Hang, threads: usize) -> Session {
    let graph = json!({"node": hang.nodes, "library": {"function": hang.functions}});
    let graph = read::json(graph.to_string().as_bytes(), &levada::registry()).unwrap_or_else(|e| panic!("{e}"));
    Session::new(graph, SessionOptions { threads, cpus: 2, ..SessionOptions::default() }).unwrap()
}

fn report(error: &Error) -> &Waiting {
    error.report().unwrap_or_else(|| panic!("no report at {error}"))
}

/// Runs the hanging case; returns how the run of the targets ends. A run that it is to meet waits forever by itself, and may be
/// ended before the run of the targets has begun: then both are run again.
fn run(hang: &Hang, threads: usize) -> (Error, Duration) {
    for _ in 0..5 {
        if let (error, took, true) = attempt(hang, threads) {
            return (error, took);
        }
    }
    panic!("the runs of {} never met", hang.node);
}

/// As [`run`], once; whether the runs met.
fn attempt(hang: &Hang, threads: usize) -> (Error, Duration, bool) {
    let session = session(hang, threads);
    for target in &hang.before {
        session.run(&[], &[], &[target]).unwrap_or_else(|e| panic!("{e}"));
    }
    let others: Vec<_> = hang
        .others
        .iter()
        .map(|target| {
            let (own, target) = (session.clone(), target.clone());
            std::thread::spawn(move || own.run(&[], &[], &[&target]).unwrap_err())
        })
        .collect();
    while session.waiting().nodes.len() < others.len() {
        std::thread::yield_now();
    }
    let targets: Vec<&str> = hang.targets.iter().map(String::as_str).collect();
    let start = Instant::now();
    let error = session.run(&[], &[], &targets).unwrap_err();
    let took = start.elapsed();
    // If all runs wait for one another, all are reported.
    drop(session);
    let mut met = true;
    for other in others {
        let error = other.join().unwrap();
        assert_eq!(error.code(), Code::Aborted, "{error}");
        met &= report(&error).nodes.iter().any(|node| node.node == hang.node);
    }
    (error, took, met)
}

#[test]
fn every_way_to_hang_is_reported_at_once_with_its_culprit() {
    const SEEDS: u64 = 4;
    let mut hangs = 0;
    let mut faults = Vec::new();
    for (i, (what, pattern)) in PATTERNS.iter().enumerate() {
        for seed in 0..SEEDS {
            let mut seeds = Seeds(i as u64 * 1000 + seed);
            let mut hang = Hang::default();
            pattern(&mut seeds, &mut hang);
            // Something unrelated, which ends.
            hang.fifo("other", 2);
            hang.constant("two", json!(2));
            hang.enqueue("other_put", "other", "two", &[]);
            hang.dequeue("other_take", "other", &[]);
            let last = hang.chain("other_sum", "other_take", seeds.below(30));
            if seeds.below(2) == 0 {
                hang.targets.extend(["other_put".into(), last]);
            }
            let threads = [1, 2, 4, 1][seed as usize];
            let (error, took) = run(&hang, threads);
            hangs += 1;

            let mut wrong = Vec::new();
            let mut check = |holds: bool, what: &str| {
                if !holds {
                    wrong.push(what.to_owned());
                }
            };
            check(took < Duration::from_secs(1), &format!("took {took:?}"));
            check(error.code() == Code::Aborted, "code");
            check(hang.symmetric || error.fault().node.as_deref() == Some(&*hang.node), "node");
            let waiting = report(&error);
            check(waiting.stalled, "stalled");
            match waiting.nodes.iter().find(|n| n.node == hang.node) {
                None => check(false, "no node"),
                Some(node) => {
                    check((node.resource.kind, &node.resource.name) == (hang.place.0, &hang.place.1), "place");
                    check(node.partners.first().map(|p| &p.node) == hang.partner.as_ref(), "partner");
                }
            }
            let text = format!("{error}");
            for part in &hang.says {
                check(text.contains(part), &format!("does not say {part:?}"));
            }
            if !wrong.is_empty() {
                faults.push(format!("{what}, seed {seed}: {}\n{text}", wrong.join(", ")));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert!(hangs >= 100, "{hangs}");
}

fn queue(b: &mut Builder, name: &str, capacity: i64) -> Output {
    let queue = b.node("FIFOQueueV2").name(name).attr("capacity", capacity).attr("component_types", vec![DType::I64]);
    queue.attr("shapes", vec![PartialShape::scalar()]).add()
}

/// A session with a queue `q` that a runner fills with numbers below `limit`, and then fails or ends; it does not close
/// the queue. `out` dequeues one.
fn with_runner(threads: usize, limit: i64, fails: bool) -> Session {
    let mut b = Builder::new(levada::registry());
    let counter = b.node("VarHandleOp").name("counter").attr("dtype", DType::I64);
    let counter = counter.attr("shape", PartialShape::scalar()).add();
    let zero = b.constant(Tensor::scalar(0i64));
    b.node("AssignVariableOp").name("init").inputs([counter, zero]).attr("dtype", DType::I64).add();
    let number =
        b.node("ResourceCountUpTo").name("count").input(counter).attr("limit", limit).attr("T", DType::I64).add();
    let number = if fails {
        let last = b.constant(Tensor::scalar(limit - 1));
        let small = b.op("Less", &[number, last]);
        let text = b.constant(Tensor::string("too much"));
        let check = b.node("Assert").name("check").input(small).input(text).attr("T", vec![DType::Str]).add();
        b.node("Identity").input(number).after(check).add()
    } else {
        number
    };
    let q = queue(&mut b, "q", 2);
    let put = b.node("QueueEnqueueV2").name("put").inputs([q, number]).attr("Tcomponents", vec![DType::I64]).add();
    // The runner's op need not be the enqueue itself.
    b.node("NoOp").name("enqueue").after(put).add();
    b.node("QueueDequeueV2").name("out").input(q).attr("component_types", vec![DType::I64]).add();
    let runner = QueueRunnerDef {
        queue: "q".to_owned(),
        enqueue: vec!["enqueue".to_owned()],
        close: String::new(),
        cancel: String::new(),
        closed_by: vec![Code::OutOfRange],
    };
    collections::add_queue_runner(b.collections_mut(), &runner).unwrap();
    let session = Session::new(b.finish().unwrap(), SessionOptions { threads, ..SessionOptions::default() }).unwrap();
    session.run(&[], &[], &["init"]).unwrap();
    session
}

fn stalls(session: &Session) -> (WaitingNode, String) {
    loop {
        let start = Instant::now();
        if let Err(error) = session.run(&[], &["out"], &[]) {
            assert!(start.elapsed() < Duration::from_secs(1));
            assert_eq!(error.code(), Code::Aborted, "{error}");
            return (report(&error).nodes[0].clone(), error.to_string());
        }
    }
}

#[test]
fn runners_say_how_they_are() {
    for threads in [1, 2, 4] {
        let (node, text) = stalls(&with_runner(threads, 5, false));
        assert_eq!(node.partners[0].node, "put");
        assert_eq!(node.partners[0].runner, Some(RunnerState::NeverStarted));
        assert!(text.contains("its queue runner was never started") && text.contains("start_queue_runners"), "{text}");

        let session = with_runner(threads, 5, false);
        session.start_queue_runners(&Coordinator::new()).unwrap();
        let (node, text) = stalls(&session);
        assert!(
            matches!(&node.partners[0].runner, Some(RunnerState::Ended(e)) if e.code() == Code::OutOfRange),
            "{text}"
        );
        assert!(text.contains("its queue runner has ended with OUT_OF_RANGE"), "{text}");

        let session = with_runner(threads, 5, true);
        session.start_queue_runners(&Coordinator::new()).unwrap();
        let (_, text) = stalls(&session);
        assert!(text.contains("its queue runner has ended with INVALID_ARGUMENT at `check`"), "{text}");

        let session = with_runner(threads, 1_000_000, false);
        let coordinator = Coordinator::new();
        session.start_queue_runners(&coordinator).unwrap();
        session.run(&[], &["out"], &[]).unwrap();
        coordinator.request_stop();
        let (_, text) = stalls(&session);
        assert!(text.contains("its queue runner was stopped"), "{text}");
    }
}

#[test]
fn between_two_steps_of_a_runner_nobody_is_told_of_a_stall() {
    for threads in [1, 2, 4] {
        for _ in 0..10 {
            let session = with_runner(threads, 200, false);
            session.start_queue_runners(&Coordinator::new()).unwrap();
            for i in 0..200 {
                let out = session.run(&[], &["out"], &[]).unwrap_or_else(|e| panic!("{threads} threads, {i}: {e}"));
                assert_eq!(out[0].item::<i64>().unwrap(), i);
            }
        }
    }
}

#[test]
fn slow_producers_outside_raise_no_alarm() {
    const RUNS: i32 = 500;
    let mut hang = Hang::default();
    hang.fifo("q", 2);
    hang.node("x", "Placeholder", &[], json!({"dtype": "int32"}));
    hang.enqueue("put", "q", "x", &[]);
    hang.dequeue("take", "q", &[]);
    hang.batch("pair", "QueueDequeueManyV2", "q", 2, &[]);
    hang.node(
        "call",
        "StatefulPartitionedCall",
        &["q"],
        json!({"Tin": ["resource"], "Tout": ["int32"], "f": {"func": {"name": "body"}}}),
    );
    hang.functions.push(taker("body"));
    let hang = &hang;
    std::thread::scope(|scope| {
        for (seed, threads) in [1, 2, 4, 1].into_iter().enumerate() {
            for fetch in ["take", "call", "pair"] {
                scope.spawn(move || {
                    let session = session(hang, threads);
                    let producer = session.clone();
                    let per_run = if fetch == "pair" { 2 } else { 1 };
                    let produced = std::thread::spawn(move || {
                        let mut seeds = Seeds(seed as u64);
                        for i in 0..RUNS * per_run {
                            // Mostly immediately, sometimes late, so that either side comes first at times.
                            if seeds.below(4) == 0 {
                                std::thread::sleep(Duration::from_micros(seeds.below(3000)));
                            }
                            producer.run(&[("x", Tensor::scalar(i))], &[], &["put"]).unwrap_or_else(|e| panic!("{e}"));
                        }
                    });
                    for i in 0..RUNS {
                        let out = session.run(&[], &[fetch], &[]).unwrap_or_else(|e| panic!("{fetch} {i}: {e}"));
                        assert_eq!(out[0].slice::<i32>().unwrap()[0], i * per_run);
                    }
                    produced.join().unwrap();
                    // And the end of the producer is noticed.
                    assert_eq!(session.run(&[], &[fetch], &[]).unwrap_err().code(), Code::Aborted);
                });
            }
        }
    });
}
