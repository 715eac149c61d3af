// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `batching`.

use crate::node::{Input, Node, Ops, common, one_output, string};
use levada_graph::{DType, Func};
use levada_builder::Output;

impl Ops<'_> {
    /// Concatenates the tensors of several runs along axis 0. The run that arrived last receives the batch and an index of which rows belong to which run; the others receive tensors without rows. `Unbatch` returns each run its own rows.
    ///
    /// - `in_tensors`: any number of tensors of any dtypes
    /// - `num_batch_threads`: Number of batches processed concurrently; ignored, since there is no processing.
    /// - `max_batch_size`: Maximum number of rows in a batch.
    /// - `batch_timeout_micros`: Maximum time that the first run waits for others, in microseconds.
    /// - `grad_timeout_micros`: In TensorFlow, the timeout of the gradient.
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn batch(&self, in_tensors: impl IntoIterator<Item = impl Input>, num_batch_threads: i64, max_batch_size: i64, batch_timeout_micros: i64, grad_timeout_micros: i64) -> Batch<'_> {
        let mut node = Node::new(self, "Batch").list(in_tensors);
        node.set("num_batch_threads", num_batch_threads);
        node.set("max_batch_size", max_batch_size);
        node.set("batch_timeout_micros", batch_timeout_micros);
        node.set("grad_timeout_micros", grad_timeout_micros);
        Batch(node)
    }

    /// Concatenates the rows of several runs, calls a function once for all of them, and returns each run its rows of the results.
    ///
    /// - `in_tensors`: any number of tensors of any dtypes
    /// - `captured_tensors`: any number of tensors of any dtypes
    /// - `f`: The function to call.
    /// - `num_batch_threads`: Number of concurrent calls.
    /// - `max_batch_size`: Maximum number of rows in a batch, or in a run if large runs are split.
    /// - `batch_timeout_micros`: Maximum time that the first run waits for others, in microseconds.
    /// - `tout`: Dtypes of the results. Allowed: any dtype. Length at least 1.
    ///
    /// `Tin` is any dtype. `Tcaptured` is any dtype.
    pub fn batch_function(&self, in_tensors: impl IntoIterator<Item = impl Input>, captured_tensors: impl IntoIterator<Item = impl Input>, f: impl Into<Func>, num_batch_threads: i64, max_batch_size: i64, batch_timeout_micros: i64, tout: &[DType]) -> BatchFunction<'_> {
        let mut node = Node::new(self, "BatchFunction").list(in_tensors).list(captured_tensors);
        node.set("f", Into::<Func>::into(f));
        node.set("num_batch_threads", num_batch_threads);
        node.set("max_batch_size", max_batch_size);
        node.set("batch_timeout_micros", batch_timeout_micros);
        node.set("Tout", tout.to_vec());
        BatchFunction(node)
    }

    /// Returns each run its own rows of a batch, whichever run holds the batch.
    ///
    /// - `batched_tensor`: a tensor of `T`
    /// - `batch_index`: a tensor of int64
    /// - `id`: a tensor of int64
    /// - `timeout_micros`: How long a run waits for its rows, and rows wait for their run, in microseconds.
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn unbatch(&self, batched_tensor: impl Input, batch_index: impl Input, id: impl Input, timeout_micros: i64) -> Unbatch<'_> {
        let mut node = Node::new(self, "Unbatch").input(batched_tensor).input(batch_index).input(id);
        node.set("timeout_micros", timeout_micros);
        Unbatch(node)
    }

    /// Concatenates the gradients of the rows that `Unbatch` returned to several runs; the run that held the batch receives them.
    ///
    /// - `original_input`: a tensor of `T`
    /// - `batch_index`: a tensor of int64
    /// - `grad`: a tensor of `T`
    /// - `id`: a tensor of int64
    ///
    /// `T` is any dtype.
    ///
    /// It has no gradient.
    pub fn unbatch_grad(&self, original_input: impl Input, batch_index: impl Input, grad: impl Input, id: impl Input) -> UnbatchGrad<'_> {
        UnbatchGrad(Node::new(self, "UnbatchGrad").input(original_input).input(batch_index).input(grad).input(id))
    }
}

/// A node of [`Batch`](Ops::batch) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Batch<'a>(Node<'a>);

impl Batch<'_> {
    /// Maximum number of queued batches. Default: `10`.
    pub fn max_enqueued_batches(mut self, max_enqueued_batches: i64) -> Self {
        self.0.set("max_enqueued_batches", max_enqueued_batches);
        self
    }

    /// Allowed batch sizes, to which batches are padded; empty for any size. Default: `[]`.
    pub fn allowed_batch_sizes(mut self, allowed_batch_sizes: &[i64]) -> Self {
        self.0.set("allowed_batch_sizes", allowed_batch_sizes.to_vec());
        self
    }

    /// Container of the state that the runs share; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name of the state within the container. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Only runs of nodes with the same queue name are batched together. Default: `""`.
    pub fn batching_queue(mut self, batching_queue: impl AsRef<[u8]>) -> Self {
        self.0.set("batching_queue", string(batching_queue));
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> BatchOutputs {
        let mut outputs = self.0.outputs();
        BatchOutputs { batched_tensors: outputs.list(), batch_index: outputs.one(), id: outputs.one() }
    }
}

/// The outputs of [`Batch`](Ops::batch).
#[derive(Clone, Debug)]
pub struct BatchOutputs {
    /// Any number of tensors of any dtypes.
    pub batched_tensors: Vec<Output>,
    /// A tensor of int64.
    pub batch_index: Output,
    /// A tensor of int64.
    pub id: Output,
}

/// A node of [`BatchFunction`](Ops::batch_function) that is being described.
#[must_use = "it is no node before it is added"]
pub struct BatchFunction<'a>(Node<'a>);

impl BatchFunction<'_> {
    /// Maximum number of queued batches. Default: `10`.
    pub fn max_enqueued_batches(mut self, max_enqueued_batches: i64) -> Self {
        self.0.set("max_enqueued_batches", max_enqueued_batches);
        self
    }

    /// Allowed batch sizes, to which batches are padded; empty for any size. Default: `[]`.
    pub fn allowed_batch_sizes(mut self, allowed_batch_sizes: &[i64]) -> Self {
        self.0.set("allowed_batch_sizes", allowed_batch_sizes.to_vec());
        self
    }

    /// Container of the state that the runs share; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name of the state within the container. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }

    /// Only runs of nodes with the same queue name are batched together. Default: `""`.
    pub fn batching_queue(mut self, batching_queue: impl AsRef<[u8]>) -> Self {
        self.0.set("batching_queue", string(batching_queue));
        self
    }

    /// Not used: all runs have the same priority. Default: `0`.
    pub fn low_priority_max_batch_size(mut self, low_priority_max_batch_size: i64) -> Self {
        self.0.set("low_priority_max_batch_size", low_priority_max_batch_size);
        self
    }

    /// Not used. Default: `0`.
    pub fn low_priority_batch_timeout_micros(mut self, low_priority_batch_timeout_micros: i64) -> Self {
        self.0.set("low_priority_batch_timeout_micros", low_priority_batch_timeout_micros);
        self
    }

    /// Not used. Default: `[]`.
    pub fn low_priority_allowed_batch_sizes(mut self, low_priority_allowed_batch_sizes: &[i64]) -> Self {
        self.0.set("low_priority_allowed_batch_sizes", low_priority_allowed_batch_sizes.to_vec());
        self
    }

    /// Not used. Default: `0`.
    pub fn low_priority_max_enqueued_batches(mut self, low_priority_max_enqueued_batches: i64) -> Self {
        self.0.set("low_priority_max_enqueued_batches", low_priority_max_enqueued_batches);
        self
    }

    /// Not used. Default: `"low_priority_padding_with_max_batch_size"`.
    pub fn mixed_priority_policy(mut self, mixed_priority_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("mixed_priority_policy", string(mixed_priority_policy));
        self
    }

    /// Not used: batches are always padded. Default: `"PAD_UP"`.
    pub fn batch_padding_policy(mut self, batch_padding_policy: impl AsRef<[u8]>) -> Self {
        self.0.set("batch_padding_policy", string(batch_padding_policy));
        self
    }

    /// Whether to split runs with more rows than a batch. Default: `false`.
    pub fn enable_large_batch_splitting(mut self, enable_large_batch_splitting: bool) -> Self {
        self.0.set("enable_large_batch_splitting", enable_large_batch_splitting);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`Unbatch`](Ops::unbatch) that is being described.
#[must_use = "it is no node before it is added"]
pub struct Unbatch<'a>(Node<'a>);

impl Unbatch<'_> {
    /// Container of the state that the runs share; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name of the state within the container. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

/// A node of [`UnbatchGrad`](Ops::unbatch_grad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct UnbatchGrad<'a>(Node<'a>);

impl UnbatchGrad<'_> {
    /// Container of the state that the runs share; empty for the default one. Default: `""`.
    pub fn container(mut self, container: impl AsRef<[u8]>) -> Self {
        self.0.set("container", string(container));
        self
    }

    /// Name of the state within the container. Default: `""`.
    pub fn shared_name(mut self, shared_name: impl AsRef<[u8]>) -> Self {
        self.0.set("shared_name", string(shared_name));
        self
    }
}

common! {
    Batch
    BatchFunction
    Unbatch
    UnbatchGrad
}

one_output! {
    Unbatch
    UnbatchGrad
}
