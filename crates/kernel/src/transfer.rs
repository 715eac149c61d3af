//! Sending and receiving: how a value gets from one device to another within a step.
//!
//! A send passes its input on to the receives that wait for it. A receive brings the value into the memory of its
//! device: where both ends share the host's memory nothing is copied.

use crate::device::{AnyDevice, OnCopied};
use crate::io::{Entry, Io};
use crate::kernel::{AnyKernel, Cost};
use crate::lane;
use levada_graph::{DType, Error, Result, Shape, Tensor, Variant};
use levada_trace::Origin;
use parking_lot::Mutex;
use std::sync::Arc;

/// Name of the op of a send in traces and partitioned graphs.
pub const SEND: &str = "_Send";
/// Name of the op of a receive.
pub const RECV: &str = "_Recv";

/// A device's memory, or the host's.
pub type Memory = Option<Arc<dyn AnyDevice>>;

/// Passes its input on; without an input, for a control edge, an empty tensor.
pub struct SendKernel;

impl AnyKernel for SendKernel {
    #[inline]
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        let value = match io.entry(0) {
            None => Entry::Value(nothing()),
            Some(entry) => match entry {
                Entry::Constant(tensor) => Entry::Value(tensor.clone()),
                other => std::mem::take(other),
            },
        };
        io.set_entry(0, value);
        Ok(())
    }
    fn cost(&self) -> Cost {
        Cost::Cheap
    }
    fn hands_on(&self) -> bool {
        true
    }
}

fn nothing() -> Tensor {
    Tensor::zeros(levada_graph::DType::F32, Shape::vector(0))
}

/// Brings its input into the memory `to`.
pub struct RecvKernel {
    /// Where the value is; `None` for the host's memory.
    pub from: Memory,
    /// Where it is needed; `None` for the host's memory.
    pub to: Memory,
    /// True if no value is transferred, only that the sender has run.
    pub control: bool,
}

impl AnyKernel for RecvKernel {
    #[inline]
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        if self.hands_on() {
            let value = match io.entry(0) {
                Some(Entry::Constant(tensor)) => Entry::Value(tensor.clone()),
                Some(other) => std::mem::take(other),
                None => return Err(Error::internal("a receive has no input")),
            };
            io.set_entry(0, value);
            return Ok(());
        }
        let tensor = io.take(0)?;
        let done = io.defer();
        let finish: OnCopied = Box::new(move |copied| done.finish(copied.map(|t| vec![t])));
        if self.control {
            let from = self.from.as_ref().and_then(|d| d.memory());
            return match from {
                Some(from) => {
                    from.when_passed(Box::new(move |passed| finish(passed.map(|()| tensor))));
                    Ok(())
                }
                None => Err(Error::internal("a device without memory of its own sends from it")),
            };
        }
        transfer(self.from.as_ref(), self.to.as_ref(), tensor, finish);
        Ok(())
    }
    fn cost(&self) -> Cost {
        if self.from.is_none() && self.to.is_none() { Cost::Cheap } else { Cost::Heavy }
    }
    #[inline]
    fn hands_on(&self) -> bool {
        self.from.is_none() && (self.to.is_none() || self.control)
    }
}

/// Copies `tensor` from one memory to another; `None` is the host's.
pub fn transfer(from: Option<&Arc<dyn AnyDevice>>, to: Option<&Arc<dyn AnyDevice>>, tensor: Tensor, done: OnCopied) {
    if tensor.dtype() == DType::Variant {
        return transfer_objects(from, to, tensor, done);
    }
    // The contents of a device's variables may come from nodes elsewhere.
    if tensor.device_memory().zip(to).is_some_and(|((memory, _), to)| memory.device() == &**to.name()) {
        return done(Ok(tensor));
    }
    // A tensor without device memory is on the host whatever was expected, for instance one without elements.
    let from = from.filter(|_| tensor.device_memory().is_some());
    let source = from.and_then(|d| d.memory());
    let target = to.and_then(|d| d.memory());
    match (from, source, target) {
        (Some(device), Some(source), Some(target)) => match target.copy_from_peer(&**device, tensor.clone(), done) {
            Ok(()) => {}
            Err(done) => {
                // Both copies are of one node and step, on whatever thread the second one is queued.
                let (to, origin, scope) = (to.cloned(), Origin::current(), lane::scope());
                source.copy_out(
                    tensor,
                    Box::new(move |copied| match (copied, to.as_ref().and_then(|d| d.memory())) {
                        (Ok(tensor), Some(target)) => {
                            let _node = origin.map(Origin::enter);
                            let _step = lane::enter(scope);
                            target.copy_in(tensor, done);
                        }
                        (other, _) => done(other),
                    }),
                );
            }
        },
        (_, Some(source), None) => source.copy_out(tensor, done),
        (_, None, Some(target)) => target.copy_in(tensor, done),
        (None, Some(_), Some(target)) => target.copy_in(tensor, done),
        (_, None, None) => done(Ok(tensor)),
    }
}

/// Variants whose tensors are being copied.
struct Pending {
    tensor: Tensor,
    copies: Vec<Option<Tensor>>,
    left: usize,
    error: Option<Error>,
    done: Option<OnCopied>,
}

impl Pending {
    /// Returns the variants with the copies in them.
    fn finish(&mut self) -> Result<Tensor> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let mut copies = self.copies.drain(..).flatten();
        let mut moved = Vec::with_capacity(self.tensor.num_elements());
        for variant in self.tensor.slice::<Variant>()? {
            let tensors: Vec<Tensor> = match &variant.0 {
                Some(value) => copies.by_ref().take(value.tensors().len()).collect(),
                None => Vec::new(),
            };
            let with = variant.0.as_ref().filter(|_| !tensors.is_empty()).and_then(|value| value.with_tensors(tensors));
            moved.push(with.unwrap_or_else(|| variant.clone()));
        }
        Tensor::from_vec(self.tensor.shape().clone(), moved)
    }
}

/// Copies the tensors in variants.
fn transfer_objects(
    from: Option<&Arc<dyn AnyDevice>>,
    to: Option<&Arc<dyn AnyDevice>>,
    tensor: Tensor,
    done: OnCopied,
) {
    let variants = match tensor.slice::<Variant>() {
        Ok(variants) => variants,
        Err(error) => return done(Err(error)),
    };
    let inner: Vec<Tensor> = variants.iter().filter_map(|v| v.0.as_ref()).flat_map(|v| v.tensors()).collect();
    if inner.is_empty() {
        return done(Ok(tensor));
    }
    let count = inner.len();
    let pending = Pending { tensor, copies: vec![None; count], left: count, error: None, done: Some(done) };
    // Protects the results of copies that end on several threads.
    let pending = Arc::new(Mutex::new(pending));
    for (i, tensor) in inner.into_iter().enumerate() {
        let pending = pending.clone();
        let arrived: OnCopied = Box::new(move |copied| {
            let mut state = pending.lock();
            match copied {
                Ok(copy) => state.copies[i] = Some(copy),
                Err(error) => state.error = Some(error),
            }
            state.left -= 1;
            if state.left > 0 {
                return;
            }
            let (result, done) = (state.finish(), state.done.take());
            drop(state);
            if let Some(done) = done {
                done(result);
            }
        });
        let is_kept = tensor.dtype() == DType::I32 && tensor.device_memory().is_none();
        let fits = |to: &&Arc<dyn AnyDevice>| to.memory().is_none_or(|memory| memory.has(tensor.dtype()));
        match tensor.dtype() {
            DType::Variant => transfer(from, to, tensor, arrived),
            dtype if dtype.is_plain() && !is_kept => transfer(from, to.filter(fits), tensor, arrived),
            _ => arrived(Ok(tensor)),
        }
    }
}

/// As [`transfer`], but waits for the copy. Not for threads that run steps.
///
/// # Errors
/// What the copy fails with.
pub fn transfer_now(
    from: Option<&Arc<dyn AnyDevice>>,
    to: Option<&Arc<dyn AnyDevice>>,
    tensor: Tensor,
) -> Result<Tensor> {
    let (send, receive) = std::sync::mpsc::channel();
    transfer(from, to, tensor, Box::new(move |copied| drop(send.send(copied))));
    receive.recv().map_err(|_| Error::internal("a copy was abandoned"))?
}
