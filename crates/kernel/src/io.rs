//! What a kernel sees while it computes one node.

use crate::cancel::CancelToken;
use crate::env::{Env, StepCx};
use crate::finite::Sought;
use crate::kernel::AnyKernel;
use crate::pool::Pool;
use crate::scalars::ScalarFunction;
use crate::watch::Wait;
use levada_graph::{DType, Element, Error, PartialShape, Result, Shape, Tensor};
use parking_lot::RwLock;
use std::any::Any;
use std::sync::Arc;

/// A variable: the cell that `Assign` writes and readers read. Empty until first assigned.
#[derive(Debug, Default)]
pub struct Variable {
    /// Name of the variable's node, for messages.
    pub name: String,
    /// Shape it was declared with.
    pub shape: PartialShape,
    /// Protects the value. Readers clone the tensor, which shares its elements; a writer that finds them shared copies.
    pub value: RwLock<Option<Tensor>>,
}

/// What an input slot holds.
#[derive(Clone, Debug, Default)]
pub enum Entry {
    /// Nothing yet, or taken.
    #[default]
    Empty,
    /// A value that was not computed, because a `Switch` took the other branch.
    Dead,
    /// A tensor that belongs to this input.
    Value(Tensor),
    /// A tensor that is kept for the next step; it can be read but not taken.
    Constant(Tensor),
    /// A reference to a variable.
    Ref(Arc<Variable>),
}

impl Entry {
    /// The tensor, if there is one.
    #[inline]
    pub fn tensor(&self) -> Option<&Tensor> {
        match self {
            Entry::Value(t) | Entry::Constant(t) => Some(t),
            _ => None,
        }
    }
}

/// Names of a node, as kernels, traces and errors use them.
#[derive(Clone, Debug)]
pub struct NodeMeta {
    /// Name of the node.
    pub name: Arc<str>,
    /// Name of its op.
    pub op: &'static str,
    /// Full name of its device.
    pub device: Arc<str>,
    /// Dtypes of its outputs.
    pub outputs: Box<[DType]>,
    /// For a node that calls functions, the part of it that is requested; `None` for all.
    pub used: Option<Arc<Used>>,
    /// True within a loop: a step may run the node many times.
    pub in_loop: bool,
}

/// Which parts of a node are requested.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Used {
    /// For each output, whether it is used.
    pub outputs: Box<[bool]>,
    /// Whether a control edge leaves the node.
    pub controls: bool,
}

/// Finishes a node that was deferred.
pub trait Parker {
    /// Returns the one handle with which to finish the node that is computing now; the node waits for `wait` until
    /// then.
    fn park(&mut self, wait: Wait) -> Completion;
    /// A number for the iterations of the loops that the node runs in, the same in every partition of a step; 0 outside
    /// loops.
    fn iteration(&self) -> u64 {
        0
    }
}

/// For nodes that must not be deferred: a completion that is asked for does nothing.
pub struct NeverParks;

impl Parker for NeverParks {
    fn park(&mut self, _: Wait) -> Completion {
        Completion::new(|_| ())
    }
}

/// A node that was deferred.
pub trait Deferred: Send + Sync {
    /// Finishes it; called once.
    fn finish(self: Arc<Self>, outputs: Result<Vec<Entry>>);
    /// Sets what it waits for from now on.
    fn wait_for(&self, wait: Wait);
    /// Reports that this helper, a thread outside the pool, computes it from now on.
    fn began(&self, helper: u32);
}

/// Finishes a deferred node, exactly once. Dropped unfinished, it fails the node.
pub struct Completion(Option<Finish>);

enum Finish {
    Node(Arc<dyn Deferred>),
    Call(Box<dyn FnOnce(Result<Vec<Entry>>) + Send>),
}

impl Finish {
    fn finish(self, outputs: Result<Vec<Entry>>) {
        match self {
            Finish::Node(node) => node.finish(outputs),
            Finish::Call(finish) => finish(outputs),
        }
    }
}

impl Completion {
    /// A completion that calls `finish`.
    pub fn new(finish: impl FnOnce(Result<Vec<Entry>>) + Send + 'static) -> Completion {
        Completion(Some(Finish::Call(Box::new(finish))))
    }

    /// The completion of a node.
    pub fn of(node: Arc<dyn Deferred>) -> Completion {
        Completion(Some(Finish::Node(node)))
    }

    /// Sets what the node waits for from now on.
    pub fn wait_for(&self, wait: Wait) {
        if let Some(Finish::Node(node)) = &self.0 {
            node.wait_for(wait);
        }
    }

    /// Reports that this helper, a thread outside the pool, computes the node from now on: traces show when.
    pub fn began(&self, helper: u32) {
        if let Some(Finish::Node(node)) = &self.0 {
            node.began(helper);
        }
    }

    /// Finishes the node with these outputs or this error. Nodes that become ready run on the executor's threads, never
    /// on this one.
    pub fn finish(self, outputs: Result<Vec<Tensor>>) {
        self.finish_entries(outputs.map(|tensors| tensors.into_iter().map(Entry::Value).collect()));
    }

    /// As [`Completion::finish`], for outputs that may be dead or references.
    pub fn finish_entries(mut self, outputs: Result<Vec<Entry>>) {
        if let Some(finish) = self.0.take() {
            finish.finish(outputs);
        }
    }
}

impl Drop for Completion {
    fn drop(&mut self) {
        if let Some(finish) = self.0.take() {
            finish.finish(Err(Error::internal("an operation was dropped before it finished")));
        }
    }
}

/// Inputs, outputs and context of one node.
pub struct Io<'a> {
    inputs: &'a mut [Entry],
    outputs: &'a mut [Entry],
    node: &'a NodeMeta,
    step: &'a StepCx,
    parker: &'a mut dyn Parker,
    deferred: bool,
    looked: Option<bool>,
    asked: Option<&'a mut Option<ScalarFunction>>,
}

impl<'a> Io<'a> {
    /// The view of one node. `outputs` has one empty entry for each output.
    pub fn new(
        inputs: &'a mut [Entry],
        outputs: &'a mut [Entry],
        node: &'a NodeMeta,
        step: &'a StepCx,
        parker: &'a mut dyn Parker,
    ) -> Io<'a> {
        Io { inputs, outputs, node, step, parker, deferred: false, looked: None, asked: None }
    }

    /// Number of inputs.
    #[inline]
    pub fn num_inputs(&self) -> usize {
        self.inputs.len()
    }

    /// Number of outputs.
    #[inline]
    pub fn num_outputs(&self) -> usize {
        self.outputs.len()
    }

    /// Input `i`. References to variables have been read before a kernel that asks for values runs.
    ///
    /// # Errors
    /// `INTERNAL` for an input that does not exist or was taken.
    #[inline]
    pub fn input(&self, i: usize) -> Result<&Tensor> {
        match self.inputs.get(i).and_then(Entry::tensor) {
            Some(tensor) => Ok(tensor),
            None => Err(no_input(i)),
        }
    }

    /// Every input from `first` on.
    ///
    /// # Errors
    /// As [`Io::input`].
    pub fn inputs_from(&self, first: usize) -> Result<Vec<&Tensor>> {
        (first..self.inputs.len()).map(|i| self.input(i)).collect()
    }

    /// The elements of input `i`.
    ///
    /// # Errors
    /// As [`Io::input`] and [`Tensor::slice`].
    #[inline]
    pub fn slice<T: Element>(&self, i: usize) -> Result<&[T]> {
        self.input(i)?.slice()
    }

    /// Input `i`, which must be a scalar (or, as TensorFlow's kernels allow, hold one element).
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for another shape, and as [`Io::input`].
    pub fn scalar<T: Element>(&self, i: usize) -> Result<T> {
        self.input(i)?.item()
    }

    /// The integers (int32, int64 or narrower) of input `i`, in row-major order.
    ///
    /// # Errors
    /// As [`Io::input`] and [`Tensor::to_i64s`].
    pub fn i64s(&self, i: usize) -> Result<Vec<i64>> {
        self.input(i)?.to_i64s()
    }

    /// Takes input `i` away: the kernel owns it and may change it in place if [`Tensor::is_unique`]. Constants are
    /// shared instead.
    ///
    /// # Errors
    /// As [`Io::input`].
    #[inline]
    pub fn take(&mut self, i: usize) -> Result<Tensor> {
        match self.inputs.get_mut(i) {
            Some(Entry::Constant(tensor)) => Ok(tensor.clone()),
            Some(entry @ Entry::Value(_)) => match std::mem::take(entry) {
                Entry::Value(tensor) => Ok(tensor),
                _ => Err(no_input(i)),
            },
            _ => Err(no_input(i)),
        }
    }

    /// Takes input `i` for reuse as the output, if its elements are not shared, have the size of this dtype and are as
    /// many as `shape` has. The result has that dtype and shape; its elements are still the input's.
    #[inline]
    pub fn forward(&mut self, i: usize, dtype: DType, shape: &Shape) -> Option<Tensor> {
        let Some(entry @ Entry::Value(_)) = self.inputs.get_mut(i) else { return None };
        let Entry::Value(tensor) = entry else { return None };
        let fits = dtype.is_plain()
            && tensor.dtype().size() == dtype.size()
            && tensor.num_elements() == shape.num_elements()
            && tensor.device_memory().is_none()
            && tensor.is_unique();
        if !fits {
            return None;
        }
        let Entry::Value(mut tensor) = std::mem::take(entry) else { return None };
        if tensor.dtype() != dtype {
            tensor = tensor.reinterpreted(dtype).ok()?;
        }
        if tensor.shape() != shape {
            tensor = tensor.reshaped(shape.clone()).ok()?;
        }
        Some(tensor)
    }

    /// True if the kernel is asked for its function of scalars: [`Io::answer`]. There are no inputs and no outputs
    /// then. A kernel that does not check this fails, which means that it has no such function.
    #[inline]
    pub fn is_asked(&self) -> bool {
        self.asked.is_some()
    }

    /// Sets what the kernel computes when all its inputs are scalars: the same bits as otherwise.
    pub fn answer(&mut self, function: Option<ScalarFunction>) {
        if let Some(asked) = &mut self.asked {
            **asked = function;
        }
    }

    /// Asks the kernel of a node for its function of scalars.
    pub(crate) fn ask(kernel: &dyn AnyKernel, node: &NodeMeta, step: &StepCx) -> Option<ScalarFunction> {
        let (mut function, mut parker) = (None, NeverParks);
        let mut io = Io::new(&mut [], &mut [], node, step, &mut parker);
        io.asked = Some(&mut function);
        kernel.compute(&mut io).ok()?;
        function
    }

    /// The raw entry of input `i`, for control flow and reference inputs.
    pub fn entry(&mut self, i: usize) -> Option<&mut Entry> {
        self.inputs.get_mut(i)
    }

    /// Replaces input `i` with another tensor. A constant stays a constant.
    pub fn replace(&mut self, i: usize, tensor: Tensor) {
        match self.inputs.get_mut(i) {
            Some(Entry::Constant(constant)) => *constant = tensor,
            Some(entry) => *entry = Entry::Value(tensor),
            None => {}
        }
    }

    /// The variable that input `i` refers to.
    ///
    /// # Errors
    /// `INTERNAL` if the input is not a reference.
    pub fn ref_input(&self, i: usize) -> Result<&Arc<Variable>> {
        self.referred(i).ok_or_else(|| Error::internal(format!("input {i} is not a reference to a variable")))
    }

    /// The variable that input `i` refers to, if it is a reference.
    #[inline]
    pub fn referred(&self, i: usize) -> Option<&Arc<Variable>> {
        match self.inputs.get(i) {
            Some(Entry::Ref(cell)) => Some(cell),
            _ => None,
        }
    }

    /// Sets output `i`.
    #[inline]
    pub fn set(&mut self, i: usize, tensor: Tensor) {
        self.set_entry(i, Entry::Value(tensor));
    }

    /// Sets output `i` to a value, a reference or dead.
    #[inline]
    pub fn set_entry(&mut self, i: usize, entry: Entry) {
        if let Some(output) = self.outputs.get_mut(i) {
            *output = entry;
        }
    }

    /// The raw entry of output `i`, for kernels that wrap others.
    pub fn output_entry(&mut self, i: usize) -> Option<&mut Entry> {
        self.outputs.get_mut(i)
    }

    /// The dtype of output `i` in the graph.
    pub fn output_dtype(&self, i: usize) -> Option<DType> {
        self.node.outputs.get(i).copied()
    }

    /// What is searched for in the outputs of nodes, if anything: a kernel may search its results while they are in a
    /// cache.
    pub fn sought(&self) -> Option<Sought> {
        self.step.env.observer.as_ref().and_then(|observer| observer.seeks())
    }

    /// Reports that the kernel has searched all its outputs and the variables it changed, and whether these, or its
    /// intermediate results, hold what is sought.
    pub fn set_looked(&mut self, found: bool) {
        self.looked = Some(found);
    }

    /// What the kernel has found, if it has searched.
    pub fn looked(&self) -> Option<bool> {
        self.looked
    }

    /// Names of this node.
    pub fn node(&self) -> &NodeMeta {
        self.node
    }

    /// The step.
    pub fn step(&self) -> &StepCx {
        self.step
    }

    /// The session's state and services.
    pub fn env(&self) -> &Env {
        &self.step.env
    }

    /// The threads.
    #[inline]
    pub fn pool(&self) -> &Pool {
        &self.step.env.pool
    }

    /// The step's cancellation.
    pub fn cancel(&self) -> &CancelToken {
        &self.step.cancel
    }

    /// State that this node keeps from step to step in its session, made on first use.
    ///
    /// # Errors
    /// `INTERNAL` if the node's state is of another type.
    pub fn node_state<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Result<Arc<T>> {
        self.step.env.node_state(self.step.scope, &self.node.name, make)
    }

    /// Computes a node that is part of this one.
    ///
    /// # Errors
    /// The kernel's error, and `INTERNAL` if it defers.
    pub(crate) fn compute_part(
        &mut self,
        kernel: &dyn AnyKernel,
        inputs: &mut [Entry],
        outputs: &mut [Entry],
        node: &NodeMeta,
    ) -> Result<()> {
        let mut io = Io::new(inputs, outputs, node, self.step, &mut *self.parker);
        kernel.compute(&mut io)?;
        match io.deferred {
            true => Err(Error::internal("a part of a node cannot finish later than the node")),
            false => Ok(()),
        }
    }

    /// Computes with the first inputs only, as another node that computes output 0.
    pub(crate) fn with_first_inputs<R>(
        &mut self,
        count: usize,
        node: &NodeMeta,
        compute: impl FnOnce(&mut Io<'_>) -> R,
    ) -> R {
        let count = count.min(self.inputs.len());
        compute(&mut Io::new(&mut self.inputs[..count], self.outputs, node, self.step, &mut *self.parker))
    }

    /// Lets this node finish later, on an event outside the step that is certain to happen: pass the completion to that
    /// event and return `Ok(())`. First take the inputs that are needed later; they are gone when the kernel returns.
    pub fn defer(&mut self) -> Completion {
        self.defer_for(Wait::External)
    }

    /// As [`Io::defer`], for a node that waits for `wait`.
    pub fn defer_for(&mut self, wait: Wait) -> Completion {
        self.deferred = true;
        self.parker.park(wait)
    }

    /// A number for the iterations of the loops that this node runs in: [`Parker::iteration`].
    pub fn iteration(&self) -> u64 {
        self.parker.iteration()
    }

    /// True once [`Io::defer`] was called.
    #[inline]
    pub fn is_deferred(&self) -> bool {
        self.deferred
    }
}

#[cold]
fn no_input(i: usize) -> Error {
    Error::internal(format!("missing input {i}"))
}
