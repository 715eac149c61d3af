//! `Batch`: one of the runs that contribute to a batch receives the whole batch, the others receive empty tensors.

use super::batcher::{Asked, Batcher, Done, Limits, Task, slice, task_inputs};
use super::pending::Pending;
use super::resource_of;
use crate::prelude::*;
use crate::variable::container_here;
use levada_kernel::Arena;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

attrs! {
    /// Concatenates the tensors of several runs along axis 0. The run that arrived last receives the batch and an index
    /// of which rows belong to which run; the others receive tensors without rows. `Unbatch` returns each run its own
    /// rows.
    pub struct Batch {
        /// Number of batches processed concurrently; ignored, since there is no processing.
        threads: i64 = Attr::int("num_batch_threads"),
        /// Maximum number of rows in a batch.
        max_batch_size: i64 = Attr::int("max_batch_size"),
        /// Maximum number of queued batches.
        max_enqueued_batches: i64 = Attr::int("max_enqueued_batches").or_int(10),
        /// Maximum time that the first run waits for others, in microseconds.
        timeout: i64 = Attr::int("batch_timeout_micros"),
        /// Allowed batch sizes, to which batches are padded; empty for any size.
        sizes: Vec<i64> = Attr::ints("allowed_batch_sizes").or_ints(&[]),
        /// In TensorFlow, the timeout of the gradient.
        grad_timeout: i64 = Attr::int("grad_timeout_micros"),
        /// Container of the state that the runs share; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name of the state within the container.
        shared_name: String = Attr::string("shared_name").or_str(""),
        /// Only runs of nodes with the same queue name are batched together.
        queue: String = Attr::string("batching_queue").or_str(""),
        /// Dtypes of the tensors.
        types: Vec<DType> = Attr::dtypes("T", sets::ANY).at_least(1),
    }
}

pub static BATCH: Def<Batch> = op("Batch")
    .inputs(&[arg("in_tensors", each("T"))])
    .outputs(&[arg("batched_tensors", each("T")), arg("batch_index", is(DType::I64)), arg("id", is(DType::I64))])
    .stateful()
    .kernel(batch);

fn batch(op: &Batch, cx: &mut Cx<'_, '_>) -> Result<()> {
    let asked = Asked {
        threads: op.threads,
        max_batch: op.max_batch_size,
        max_enqueued: op.max_enqueued_batches,
        timeout_micros: op.timeout,
        sizes: &op.sizes,
        split: false,
    };
    let limits = Limits::of(&asked, cx.pool().threads())?;
    let name = format!("{}/{}", resource_of(cx, &op.shared_name), op.queue);
    let make = || Ok(Arc::new(Batcher::new(limits, emit)));
    let batcher =
        cx.env().resources.get_or_create::<Arc<Batcher<Waiting>>>(&container_here(&op.container, cx), &name, make)?;
    let (inputs, rows) = task_inputs(cx, op.types.len())?;
    if rows == 0 {
        for i in 0..cx.num_outputs() {
            let dtype = op.types.get(i).copied().unwrap_or(DType::I64);
            cx.set(i, Tensor::zeros(dtype, Shape::vector(0)));
        }
        return Ok(());
    }
    let (id, arena) = (NEXT_ID.fetch_add(1, Ordering::Relaxed), cx.device.arena.clone());
    let done = Pending::of(cx);
    let failed = done.clone();
    let task = |_: &[usize]| Ok(vec![Task { inputs, rows, from: Waiting { id, arena, done } }]);
    let added = batcher.add(rows, task);
    if let Err(error) = added {
        failed.finish(Err(error));
    }
    Ok(())
}

/// A run that is waiting for its batch.
pub(super) struct Waiting {
    id: i64,
    arena: Arc<Arena>,
    done: Arc<Pending>,
}

/// Needs no ordering: the ids only have to be unique.
static NEXT_ID: AtomicI64 = AtomicI64::new(1);

/// Hands the batch to the run that arrived last.
fn emit(batch: Vec<Task<Waiting>>, batcher: &Arc<Batcher<Waiting>>, _done: Done<Waiting>) {
    let Some(last) = batch.last() else { return };
    let arena = last.from.arena.clone();
    let joined = batcher.join(&batch, &arena);
    let mut at = 0;
    let mut index = Vec::with_capacity(3 * batch.len());
    for task in &batch {
        index.extend([task.from.id, at, at + task.rows as i64]);
        at += task.rows as i64;
    }
    // A run that was cancelled in the meantime cannot pass the batch on.
    let receiver = batch.iter().rposition(|task| task.from.done.waits()).unwrap_or(batch.len() - 1);
    let n = batch.len();
    for (i, Task { inputs, from, .. }) in batch.into_iter().enumerate() {
        let outputs = joined.clone().and_then(|(tensors, _)| {
            let (mut outputs, rows, index) = match i == receiver {
                true => (tensors, n, index.clone()),
                false => (inputs.iter().map(|t| slice(t, 0, 0, &arena)).collect::<Result<_>>()?, 0, Vec::new()),
            };
            outputs.push(Tensor::from_vec(Shape::new([rows, 3])?, index)?);
            outputs.push(Tensor::scalar(from.id));
            Ok(outputs)
        });
        from.done.finish(outputs);
    }
}
