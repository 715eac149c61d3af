//! The batcher: collects tasks of several runs until a batch is full or its first task times out.

use super::timer;
use crate::prelude::*;
use crate::rows;
use levada_kernel::Arena;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Limits of a batcher.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Limits {
    /// Maximum number of rows in a task.
    pub(super) task: usize,
    /// Maximum number of rows in a batch.
    pub(super) batch: usize,
    /// Whether tasks are split to fit.
    pub(super) split: bool,
    /// Allowed batch sizes, to which batches are padded; empty for any size.
    pub(super) sizes: Vec<usize>,
    /// Maximum time that the first task of a batch waits.
    pub(super) timeout: Duration,
    /// Maximum number of queued batches, including the open one.
    pub(super) waiting: usize,
    /// Maximum number of batches processed concurrently.
    pub(super) running: usize,
}

/// The attrs that both batching ops have in common.
pub(super) struct Asked<'a> {
    pub(super) threads: i64,
    pub(super) max_batch: i64,
    pub(super) max_enqueued: i64,
    pub(super) timeout_micros: i64,
    pub(super) sizes: &'a [i64],
    pub(super) split: bool,
}

impl Limits {
    /// Derives the limits from the attrs.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if they are inconsistent.
    pub(super) fn of(asked: &Asked<'_>, cores: usize) -> Result<Limits> {
        let count = |name: &'static str, n: i64| {
            usize::try_from(n)
                .ok()
                .filter(|&n| n > 0)
                .ok_or_else(|| Error::invalid(format!("{name} must be positive; was {n}")).attr(name))
        };
        let task = count("max_batch_size", asked.max_batch)?;
        let sizes: Vec<usize> = asked.sizes.iter().map(|&n| count("allowed_batch_sizes", n)).collect::<Result<_>>()?;
        if sizes.windows(2).any(|w| w[0] >= w[1]) {
            return Err(Error::invalid("allowed_batch_sizes entries must be monotonically increasing"));
        }
        let last = sizes.last().copied().unwrap_or(task);
        if if asked.split { last > task } else { last != task } {
            return Err(Error::invalid(format!(
                "the final entry of allowed_batch_sizes, {last}, does not fit max_batch_size, {task}"
            )));
        }
        Ok(Limits {
            task,
            batch: last,
            split: asked.split,
            sizes,
            timeout: Duration::from_micros(u64::try_from(asked.timeout_micros).unwrap_or(0)),
            waiting: usize::try_from(asked.max_enqueued).unwrap_or(0).max(1),
            running: usize::try_from(asked.threads).ok().filter(|&n| n > 0).unwrap_or(cores),
        })
    }

    /// Number of padding rows for a batch of `n` rows.
    fn padding(&self, n: usize) -> usize {
        self.sizes.iter().find(|&&size| size >= n).map_or(0, |size| size - n)
    }
}

/// The input of one run to a batch, or a part of it.
pub(super) struct Task<T> {
    pub(super) inputs: Vec<Tensor>,
    pub(super) rows: usize,
    /// Where the results go.
    pub(super) from: T,
}

/// Processes a batch; dropping `done` allows the next one to start.
pub(super) type Work<T> = fn(Vec<Task<T>>, &Arc<Batcher<T>>, done: Done<T>);

/// Collects tasks into batches.
pub(super) struct Batcher<T: Send + 'static> {
    pub(super) limits: Limits,
    work: Work<T>,
    /// Protects the batches; not held while a batch is processed.
    inner: Mutex<Inner<T>>,
}

struct Inner<T> {
    /// Full batches, waiting to be processed.
    full: VecDeque<Vec<Task<T>>>,
    /// The open batch, its number of rows, and the time at which it is closed.
    open: Vec<Task<T>>,
    rows: usize,
    until: Instant,
    running: usize,
}

/// Held while a batch is processed.
pub(super) struct Done<T: Send + 'static>(Arc<Batcher<T>>);

impl<T: Send + 'static> Drop for Done<T> {
    fn drop(&mut self) {
        self.0.inner.lock().running -= 1;
        self.0.start();
    }
}

impl<T: Send + 'static> Inner<T> {
    fn close(&mut self) {
        self.rows = 0;
        let open = std::mem::take(&mut self.open);
        self.full.push_back(open);
    }
}

impl<T: Send + 'static> Batcher<T> {
    pub(super) fn new(limits: Limits, work: Work<T>) -> Batcher<T> {
        let inner = Inner { full: VecDeque::new(), open: Vec::new(), rows: 0, until: Instant::now(), running: 0 };
        Batcher { limits, work, inner: Mutex::new(inner) }
    }

    /// The sizes of the parts that a task of `rows` rows is split into.
    fn parts(&self, rows: usize, gathered: usize) -> Vec<usize> {
        let room = self.limits.batch - gathered.min(self.limits.batch);
        let mut parts = Vec::new();
        let mut left = rows;
        if !self.limits.split || rows <= room {
            return vec![rows];
        }
        if room > 0 {
            parts.push(room);
            left -= room;
        }
        while left > 0 {
            let part = left.min(self.limits.batch);
            parts.push(part);
            left -= part;
        }
        parts
    }

    /// Adds the task of one run; `make` creates its parts, given their sizes.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the task is too large, `UNAVAILABLE` if too many batches are queued.
    pub(super) fn add(
        self: &Arc<Self>,
        rows: usize,
        make: impl FnOnce(&[usize]) -> Result<Vec<Task<T>>>,
    ) -> Result<()> {
        let limits = &self.limits;
        if rows > limits.task {
            return Err(Error::invalid(format!(
                "Task size {rows} is larger than maximum input batch size {}",
                limits.task
            )));
        }
        let mut inner = self.inner.lock();
        let parts = self.parts(rows, inner.rows);
        let mut gathered = inner.rows;
        let mut batches = inner.full.len() + usize::from(!inner.open.is_empty());
        for &part in &parts {
            if gathered == 0 || gathered + part > limits.batch {
                batches += 1;
                gathered = 0;
            }
            gathered += part;
        }
        if batches > limits.waiting {
            return Err(Error::new(
                Code::Unavailable,
                "The batch scheduling queue to which this task was submitted is full; currently too many batches wait",
            ));
        }
        let mut starts = false;
        for task in make(&parts)? {
            if !inner.open.is_empty() && inner.rows + task.rows > limits.batch {
                inner.close();
            }
            if inner.open.is_empty() {
                inner.until = Instant::now() + limits.timeout;
                starts = true;
            }
            inner.rows += task.rows;
            inner.open.push(task);
            if inner.rows == limits.batch {
                inner.close();
            }
        }
        let until = (starts && !inner.open.is_empty() && !limits.timeout.is_zero()).then_some(inner.until);
        drop(inner);
        if let Some(until) = until {
            let this = self.clone();
            timer::at(until, move || this.start());
        }
        self.start();
        Ok(())
    }

    /// Starts processing as many batches as the limits allow.
    fn start(self: &Arc<Self>) {
        loop {
            let mut inner = self.inner.lock();
            if inner.running >= self.limits.running {
                return;
            }
            if inner.full.is_empty() && !inner.open.is_empty() && inner.until <= Instant::now() {
                inner.close();
            }
            let Some(batch) = inner.full.pop_front() else { return };
            inner.running += 1;
            drop(inner);
            (self.work)(batch, self, Done(self.clone()));
        }
    }

    /// Concatenates the inputs of a batch, padded with copies of the first row; also returns the number of padding
    /// rows.
    pub(super) fn join(&self, batch: &[Task<T>], arena: &Arc<Arena>) -> Result<(Vec<Tensor>, usize)> {
        let rows: usize = batch.iter().map(|task| task.rows).sum();
        let padding = self.limits.padding(rows);
        let first = &batch[0].inputs;
        let joined = (0..first.len()).map(|i| {
            let row = || first[i].shape()[1..].iter().copied();
            let shape = Shape::new(std::iter::once(rows + padding).chain(row()))?;
            if let Some(other) = batch.iter().find(|task| !task.inputs[i].shape()[1..].iter().copied().eq(row())) {
                return Err(Error::invalid(format!(
                    "Dimensions of inputs should match: shape[0] = {} vs. shape[1] = {}",
                    first[i].shape(),
                    other.inputs[i].shape()
                )));
            }
            if batch.len() == 1 && padding == 0 {
                return Ok(first[i].clone());
            }
            let pad = if padding > 0 { Some(first[i].row(0)?) } else { None };
            let parts = batch.iter().map(|task| &task.inputs[i]).chain(pad.iter().cycle().take(padding));
            rows::join(arena, first[i].dtype(), shape, parts)
        });
        Ok((joined.collect::<Result<_>>()?, padding))
    }
}

/// Returns the tensors that a run contributes to a batch, and their number of rows.
pub(super) fn task_inputs(cx: &mut Cx<'_, '_>, n: usize) -> Result<(Vec<Tensor>, usize)> {
    let inputs: Vec<Tensor> = (0..n).map(|i| cx.take(i)).collect::<Result<_>>()?;
    let shapes = || inputs.iter().map(|t| t.shape().to_string()).collect::<Vec<_>>().join(", ");
    let mut rows = None;
    for tensor in &inputs {
        let Some(&first) = tensor.shape().first() else {
            return Err(Error::invalid("Batching input tensors must have at least one dimension").found(shapes()));
        };
        if *rows.get_or_insert(first) != first {
            return Err(Error::invalid(
                "Batching input tensors supplied in a given op invocation must have equal 0th-dimension size",
            )
            .found(shapes()));
        }
    }
    Ok((inputs, rows.unwrap_or(0)))
}

/// Returns rows `from..from + n` of a tensor.
pub(super) fn slice(tensor: &Tensor, from: usize, n: usize, arena: &Arc<Arena>) -> Result<Tensor> {
    let shape = Shape::new(std::iter::once(n).chain(tensor.shape().iter().skip(1).copied()))?;
    let rows: Vec<Tensor> = (from..from + n).map(|i| tensor.row(i)).collect::<Result<_>>()?;
    rows::join(arena, tensor.dtype(), shape, rows.iter())
}
