//! `BatchFunction`: calls a function once for the rows of several runs.

use super::batcher::{Asked, Batcher, Done, Limits, Task, slice, task_inputs};
use super::pending::Pending;
use super::resource_of;
use crate::prelude::*;
use crate::rows;
use crate::variable::container_here;
use levada_kernel::{Arena, Env, Site, StepCx};
use levada_ops_control::call::{fitting, run, site};
use parking_lot::Mutex;
use std::sync::Arc;

attrs! {
    /// Concatenates the rows of several runs, calls a function once for all of them, and returns each run its rows of
    /// the results.
    pub struct BatchFunction {
        /// The function to call.
        function: Func = Attr::func("f"),
        /// Number of concurrent calls.
        threads: i64 = Attr::int("num_batch_threads"),
        /// Maximum number of rows in a batch, or in a run if large runs are split.
        max_batch_size: i64 = Attr::int("max_batch_size"),
        /// Maximum time that the first run waits for others, in microseconds.
        timeout: i64 = Attr::int("batch_timeout_micros"),
        /// Maximum number of queued batches.
        max_enqueued_batches: i64 = Attr::int("max_enqueued_batches").or_int(10),
        /// Allowed batch sizes, to which batches are padded; empty for any size.
        sizes: Vec<i64> = Attr::ints("allowed_batch_sizes").or_ints(&[]),
        /// Container of the state that the runs share; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name of the state within the container.
        shared_name: String = Attr::string("shared_name").or_str(""),
        /// Only runs of nodes with the same queue name are batched together.
        queue: String = Attr::string("batching_queue").or_str(""),
        /// Not used: all runs have the same priority.
        low_size: i64 = Attr::int("low_priority_max_batch_size").or_int(0),
        /// Not used.
        low_timeout: i64 = Attr::int("low_priority_batch_timeout_micros").or_int(0),
        /// Not used.
        low_sizes: Vec<i64> = Attr::ints("low_priority_allowed_batch_sizes").or_ints(&[]),
        /// Not used.
        low_enqueued: i64 = Attr::int("low_priority_max_enqueued_batches").or_int(0),
        /// Not used.
        mixed: String = Attr::string("mixed_priority_policy").or_str("low_priority_padding_with_max_batch_size"),
        /// Not used: batches are always padded.
        padding: String = Attr::string("batch_padding_policy").or_str("PAD_UP"),
        /// Dtypes of the batched tensors.
        inputs: Vec<DType> = Attr::dtypes("Tin", sets::ANY).at_least(1),
        /// Dtypes of the captured tensors, which are passed to the function unbatched.
        captured: Vec<DType> = Attr::dtypes("Tcaptured", sets::ANY),
        /// Dtypes of the results.
        outputs: Vec<DType> = Attr::dtypes("Tout", sets::ANY).at_least(1),
        /// Whether to split runs with more rows than a batch.
        split: bool = Attr::bool("enable_large_batch_splitting").or_bool(false),
    }
}

pub static BATCH_FUNCTION: Def<BatchFunction> = op("BatchFunction")
    .inputs(&[arg("in_tensors", each("Tin")), arg("captured_tensors", each("Tcaptured"))])
    .outputs(&[arg("out_tensors", each("Tout"))])
    .stateful()
    .role(Role::Call)
    .kernel(batch_function);

fn batch_function(op: &BatchFunction, cx: &mut Cx<'_, '_>) -> Result<()> {
    let asked = Asked {
        threads: op.threads,
        max_batch: op.max_batch_size,
        max_enqueued: op.max_enqueued_batches,
        timeout_micros: op.timeout,
        sizes: &op.sizes,
        split: op.split,
    };
    let limits = Limits::of(&asked, cx.pool().threads())?;
    let name = format!("{}/{}", resource_of(cx, &op.shared_name), op.queue);
    let make = || Ok(Arc::new(Batcher::new(limits, call)));
    let batcher =
        cx.env().resources.get_or_create::<Arc<Batcher<Part>>>(&container_here(&op.container, cx), &name, make)?;
    let n = op.inputs.len();
    let (inputs, rows) = task_inputs(cx, n)?;
    let captured: Arc<[Tensor]> = (n..cx.num_inputs()).map(|i| cx.take(i)).collect::<Result<_>>()?;
    if rows == 0 {
        for (i, &dtype) in op.outputs.iter().enumerate() {
            cx.set(i, Tensor::zeros(dtype, Shape::vector(0)));
        }
        return Ok(());
    }
    let (arena, env, site) = (cx.device.arena.clone(), cx.step().env.clone(), site(cx, true));
    let run = Arc::new(Run { parts: Mutex::default(), done: Pending::of(cx), arena: arena.clone() });
    let types: Arc<[DType]> = op.outputs.as_slice().into();
    let added = batcher.add(rows, |sizes| {
        *run.parts.lock() = vec![None; sizes.len()];
        let mut at = 0;
        let part = |(number, &size): (usize, &usize)| {
            let inputs = match sizes {
                [_] => inputs.clone(),
                _ => inputs.iter().map(|t| slice(t, at, size, &arena)).collect::<Result<_>>()?,
            };
            at += size;
            let (captured, function, site) = (captured.clone(), op.function.clone(), site.clone());
            let from =
                Part { run: run.clone(), number, captured, function, site, types: types.clone(), env: env.clone() };
            Ok(Task { inputs, rows: size, from })
        };
        sizes.iter().enumerate().map(part).collect()
    });
    if let Err(error) = added {
        run.finish(0, Err(error));
    }
    Ok(())
}

/// A run that is waiting for its results.
struct Run {
    /// Results of its parts, as far as they have arrived.
    parts: Mutex<Vec<Option<Vec<Tensor>>>>,
    done: Arc<Pending>,
    arena: Arc<Arena>,
}

/// The part of a run that is in a batch, and how to call the function.
pub(super) struct Part {
    run: Arc<Run>,
    number: usize,
    captured: Arc<[Tensor]>,
    function: Func,
    site: Site,
    types: Arc<[DType]>,
    env: Arc<Env>,
}

impl Run {
    /// Records the result of part `number`, or fails the run.
    fn finish(&self, number: usize, outputs: Result<Vec<Tensor>>) {
        let outputs = outputs.and_then(|outputs| {
            let mut parts = self.parts.lock();
            parts[number] = Some(outputs);
            if parts.iter().any(Option::is_none) {
                return Ok(None);
            }
            let mut parts: Vec<Vec<Tensor>> = parts.iter_mut().filter_map(Option::take).collect();
            match parts.len() {
                1 => Ok(parts.pop()),
                _ => self.join(&parts).map(Some),
            }
        });
        let outputs = match outputs {
            Ok(None) => return,
            Ok(Some(outputs)) => Ok(outputs),
            Err(error) => Err(error),
        };
        self.done.finish(outputs);
    }

    fn join(&self, parts: &[Vec<Tensor>]) -> Result<Vec<Tensor>> {
        let one = |i: usize| {
            let pieces = || parts.iter().map(|part| &part[i]);
            let rows: usize = pieces().map(|t| t.shape()[0]).sum();
            let first = &parts[0][i];
            let shape = Shape::new(std::iter::once(rows).chain(first.shape()[1..].iter().copied()))?;
            rows::join(&self.arena, first.dtype(), shape, pieces())
        };
        (0..parts[0].len()).map(one).collect()
    }
}

/// Calls the function for a batch.
fn call(batch: Vec<Task<Part>>, batcher: &Arc<Batcher<Part>>, done: Done<Part>) {
    let Some(last) = batch.last() else { return };
    let (arena, types, site) = (last.from.run.arena.clone(), last.from.types.clone(), last.from.site.clone());
    let (function, captured, env) = (last.from.function.clone(), last.from.captured.clone(), last.from.env.clone());
    let (args, padding) = match batcher.join(&batch, &arena) {
        Ok(joined) => joined,
        Err(error) => {
            batch.into_iter().for_each(|task| task.from.run.finish(task.from.number, Err(error.clone())));
            return;
        }
    };
    let args = args.into_iter().chain(captured.iter().cloned()).collect();
    // The call belongs to all of the runs, so cancelling one of them must not cancel it.
    run(&function, &site, args, &StepCx::alone(env), move |results| {
        let rows: usize = batch.iter().map(|task| task.rows).sum();
        let results = results.and_then(|results| {
            let results = fitting(results, &types)?;
            for result in &results {
                match result.shape().first() {
                    None => return Err(Error::failed_precondition("Batched output tensor has 0 dimensions")),
                    Some(&n) if n != rows + padding => {
                        return Err(Error::failed_precondition(format!(
                            "Batched output tensor's 0th dimension does not equal the sum of the 0th dimension sizes of \
                             the input tensors: {n}; batch size: {rows}; padding size: {padding}"
                        )));
                    }
                    Some(_) => {}
                }
            }
            Ok(results)
        });
        let alone = batch.len() == 1 && padding == 0;
        let mut at = 0;
        for Task { rows, from, .. } in batch {
            let own = results.clone().and_then(|all| match alone {
                true => Ok(all),
                false => all.iter().map(|t| slice(t, at, rows, &arena)).collect(),
            });
            at += rows;
            from.run.finish(from.number, own);
        }
        drop(done);
    });
}
