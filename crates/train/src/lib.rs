//! Training and its input pipelines: builders that expand to plain nodes, named and wired as by TensorFlow's
//! `tf.compat.v1.train`, and to queue runners in the graph's collections.
//!
//! ```
//! use levada_builder::{Builder, Output};
//! use levada_train as train;
//! # fn pipeline(b: &mut Builder, files: Output) {
//! let names = train::string_input_producer(b, files, &train::Producer { num_epochs: Some(2), ..train::Producer::default() });
//! let reader = b.node("TextLineReaderV2").add();
//! let line = b.op("ReaderReadV2", &[reader, names]).output(1);
//! let lines = train::batch(b, &[line], &train::Batch { num_threads: 4, ..train::Batch::of(32) });
//! train::local_variables_initializer(b);
//! # let _ = lines;
//! # }
//! ```
//!
//! A training step is also a node:
//!
//! ```
//! use levada_builder::{Builder, Output};
//! use levada_train as train;
//! # fn training(b: &mut Builder, loss: Output) -> Result<(), levada_graph::Error> {
//! let step = train::global_step(b);
//! let rate = train::exponential_decay(b, 0.1, step.value, 1000.0, 0.96, true);
//! let options = train::Minimize { global_step: Some(step), clip_norm: Some(5.0), ..train::Minimize::default() };
//! let train_op = train::minimize(b, loss, &train::Optimizer::adam(rate), &options)?;
//! let init = train::global_variables_initializer(b);
//! # let _ = (train_op, init);
//! # Ok(())
//! # }
//! ```
//!
//! [`Batch::ordered`] is not in TensorFlow: batches are then the same, in the same order, for any number of threads.
//! [`order_queues`] does the same for a graph that was built elsewhere.

mod average;
mod batch;
mod clip;
mod decay;
mod imported;
mod kept;
mod optimizer;
mod ordered;
mod producer;
mod restoring;
mod saved;
mod saver;
mod sparse;
mod variable;

pub use average::ExponentialMovingAverage;
pub use clip::{clip_by_global_norm, clip_by_norm, global_norm};
pub use decay::{
    cosine_decay, exponential_decay, inverse_time_decay, natural_exp_decay, piecewise_constant, polynomial_decay,
};
pub use imported::order_queues;
pub use kept::Keep;
pub use optimizer::{Gradient, Minimize, Optimizer, Rate, apply_gradients, compute_gradients, minimize};
pub use restoring::{RestoreOptions, Restored};
pub use saver::{Saver, SaverOptions};
pub use variable::{
    Variable, global_step, global_variables_initializer, local_variables_initializer, trainable_variables,
    untrained_variable, variable,
};

pub use batch::{
    Batch, Shuffle, batch, batch_join, maybe_batch, maybe_batch_join, maybe_shuffle_batch, maybe_shuffle_batch_join,
    shuffle_batch, shuffle_batch_join,
};
pub use sparse::{Batched, Item, SparseOutput};

pub use producer::{
    Producer, input_producer, limit_epochs, match_filenames_once, range_input_producer, slice_input_producer,
    string_input_producer,
};

pub use levada_checkpoint::latest as latest_checkpoint;

use levada_builder::{Builder, Output};
use levada_graph::collections::{add_node, add_queue_runner};
use levada_graph::{Code, DType, PartialShape, QueueRunnerDef, Tensor};

/// The default graph seed of TensorFlow, which is combined with an op's own seed.
const GRAPH_SEED: i64 = 87_654_321;

/// The attrs `seed` and `seed2` for the seed of one op.
fn seeds(seed: Option<i64>) -> (i64, i64) {
    seed.map_or((0, 0), |seed| (GRAPH_SEED, seed))
}

/// A queue while it is built.
struct Queue {
    handle: Output,
    /// The last part of its name, with which the names of its ops begin.
    name: String,
}

impl Queue {
    fn of(b: &Builder, handle: Output) -> Queue {
        let name = b.node_name(handle);
        Queue { handle, name: name.rsplit('/').next().unwrap_or_default().to_owned() }
    }

    fn types(b: &Builder, tensors: &[Output]) -> Vec<DType> {
        tensors.iter().filter_map(|t| b.dtype(*t)).collect()
    }

    fn enqueue(&self, b: &mut Builder, tensors: &[Output], many: bool) -> Output {
        let (op, end) = if many { ("QueueEnqueueManyV2", "EnqueueMany") } else { ("QueueEnqueueV2", "enqueue") };
        let types = Queue::types(b, tensors);
        let name = format!("{}_{end}", self.name);
        let node = b.node(op).name(&name).input(self.handle).inputs(tensors.iter().copied());
        node.attr("Tcomponents", types).attr("timeout_ms", -1i64).add()
    }

    /// Adds a runner of these enqueues, and the ops that close the queue.
    fn runner(&self, b: &mut Builder, enqueues: &[Output], cancel: Option<Output>) {
        let name = format!("{}_Close", self.name);
        let close = |b: &mut Builder, pending: bool| {
            b.node("QueueCloseV2").name(&name).input(self.handle).attr("cancel_pending_enqueues", pending).add()
        };
        let ended = close(b, false);
        let cancelled = cancel.unwrap_or_else(|| close(b, true));
        let runner = QueueRunnerDef {
            queue: b.node_name(self.handle),
            enqueue: enqueues.iter().map(|e| b.target(*e)).collect(),
            close: b.node_name(ended),
            cancel: b.node_name(cancelled),
            closed_by: vec![Code::OutOfRange],
        };
        if let Err(fault) = add_queue_runner(b.collections_mut(), &runner) {
            b.fault(fault);
        }
    }

    fn size(&self, b: &mut Builder) -> Output {
        b.node("QueueSizeV2").name(&format!("{}_Size", self.name)).input(self.handle).add()
    }
}

/// Adds a summary named `name` of the fraction of a queue that is full: `size` of `capacity`.
fn fullness(b: &mut Builder, scope: &str, name: &str, size: Output, capacity: i64) {
    let size = b.node("Cast").name("Cast").input(size).attr("DstT", DType::F32).attr("Truncate", false).add();
    let part = (1.0 / capacity as f64) as f32;
    let part = b.node("Const").name("mul/y").attr("dtype", DType::F32).attr("value", Tensor::scalar(part)).add();
    let share = b.node("Mul").name("mul").inputs([size, part]).add();
    let tag = Tensor::string(format!("{scope}/{name}"));
    let tags = b.node("Const").name(&format!("{name}/tags")).attr("dtype", DType::Str).attr("value", tag).add();
    let summary = b.node("ScalarSummary").name(name).inputs([tags, share]).add();
    let endpoint = format!("{}:0", b.node_name(summary));
    if let Err(fault) = add_node(b.collections_mut(), "summaries", &endpoint) {
        b.fault(fault);
    }
}

/// The shape of one element of a batch with this shape.
fn row(shape: &PartialShape) -> PartialShape {
    match shape.dims() {
        Some([_, rest @ ..]) => PartialShape::new(rest.iter().copied()),
        _ => PartialShape::Unknown,
    }
}
