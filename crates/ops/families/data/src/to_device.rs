//! Moves elements to the memory of the device that reads them, before it requests them.
//!
//! A `GeneratorDataset` on a device with memory of its own, which `prefetch_to_device` produces, marks its elements as
//! wanted there. A `PrefetchDataset` after it copies them as they arrive, if the iterator that reads it is on that
//! device too. All other elements stay in the host's memory.

use crate::dataset::{Source, Tuple};
use crate::function::Reply;
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use levada_kernel::transfer::transfer;
use levada_kernel::watch::{ParkedNode, Sleeper};
use levada_kernel::{AnyDevice, Callee, OnReturn, StepCx};
use levada_stall::Sleeps;
use parking_lot::Mutex;
use std::sync::Arc;
use std::task::{Poll, ready};

/// Returns the dataset in a scalar, with its elements wanted in the memory of a device.
///
/// # Errors
/// `INVALID_ARGUMENT` if it does not hold a dataset.
pub fn to_device(dataset: &Tensor, device: &Arc<dyn AnyDevice>) -> Result<Tensor> {
    Ok(Source::of(dataset)?.wanted_on(device.clone()).tensor())
}

/// Receives copied tensors.
pub type OnBrought = Box<dyn FnOnce(Result<Vec<Tensor>>) + Send>;

/// Copies tensors to the memory of a device, except those that it cannot hold; calls `done` with all of them, before
/// this returns or later.
pub fn bring(tensors: Vec<Tensor>, device: &Arc<dyn AnyDevice>, done: OnBrought) {
    let goes = |tensor: &Tensor| {
        let has = |dtype| device.memory().is_some_and(|memory| memory.has(dtype));
        tensor.dtype() == DType::Variant || tensor.dtype().is_plain() && has(tensor.dtype())
    };
    let going: Vec<(usize, Tensor)> =
        tensors.iter().enumerate().filter(|(_, tensor)| goes(tensor)).map(|(i, tensor)| (i, tensor.clone())).collect();
    if going.is_empty() {
        return done(Ok(tensors));
    }
    let left = going.len();
    // Protects the results of copies that finish on several threads.
    let brought = Arc::new(Mutex::new(Brought { result: Ok(tensors), left, done: Some(done) }));
    for (i, tensor) in going {
        let brought = brought.clone();
        transfer(None, Some(device), tensor, Box::new(move |copied| Brought::arrived(&brought, i, copied)));
    }
}

struct Brought {
    result: Result<Vec<Tensor>>,
    left: usize,
    done: Option<OnBrought>,
}

impl Brought {
    fn arrived(this: &Mutex<Brought>, i: usize, copied: Result<Tensor>) {
        let mut state = this.lock();
        match (copied, &mut state.result) {
            (Ok(copy), Ok(tensors)) => tensors[i] = copy,
            (Err(error), result @ Ok(_)) => *result = Err(error),
            (_, Err(_)) => {}
        }
        state.left -= 1;
        if state.left > 0 {
            return;
        }
        let (result, done) = (std::mem::replace(&mut state.result, Ok(Vec::new())), state.done.take());
        drop(state);
        if let Some(done) = done {
            done(result);
        }
    }
}

/// Copies its arguments.
struct Copies(Arc<dyn AnyDevice>);

impl Callee for Copies {
    fn call(&self, args: Tuple, caller: &StepCx, on_return: OnReturn) {
        let under_way: Arc<dyn Sleeper> = Arc::new(UnderWay);
        caller.resources.join(Arc::downgrade(&under_way));
        let done = move |copied| {
            on_return(copied);
            drop(under_way);
        };
        bring(args, &self.0, Box::new(done));
    }
}

/// A copy in progress, which finishes without further calls.
struct UnderWay;

impl Sleeps for UnderWay {
    fn sleeps(&self) -> Option<u64> {
        None
    }
}

impl Sleeper for UnderWay {
    fn number(&self) -> u64 {
        0
    }
    fn parked(&self) -> Vec<ParkedNode> {
        Vec::new()
    }
    fn calling(&self) -> Vec<Arc<str>> {
        Vec::new()
    }
    fn behind(&self, _: &str) -> Vec<Arc<str>> {
        Vec::new()
    }
    fn nodes(&self) -> Vec<Arc<str>> {
        Vec::new()
    }
    fn fail(&self, _: Error) {}
    fn has_deadline(&self) -> bool {
        false
    }
}

/// Copies the elements of an iterator to the memory of a device.
pub(crate) struct ToDevice {
    input: Box<dyn Iter>,
    device: Arc<dyn AnyDevice>,
    /// The copy in progress.
    copy: Option<Reply>,
}

impl ToDevice {
    pub(crate) fn new(input: Box<dyn Iter>, device: Arc<dyn AnyDevice>) -> ToDevice {
        ToDevice { input, device, copy: None }
    }
}

impl Iter for ToDevice {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        let copy = match &self.copy {
            Some(copy) => copy,
            None => {
                let Some(element) = ready!(self.input.poll(turn))? else { return Poll::Ready(Ok(None)) };
                let reply = Reply::default();
                let filled = reply.clone();
                turn.background.call(&Copies(self.device.clone()), element, turn.origin, move |copy| filled.fill(copy));
                self.copy.insert(reply)
            }
        };
        let copied = ready!(copy.poll(turn.waker));
        self.copy = None;
        Poll::Ready(copied.map(Some))
    }

    fn save(&mut self, _: &mut Turn<'_>, _: &mut Saver) -> Poll<Result<()>> {
        Poll::Ready(Err(Error::unimplemented(
            "the position of an iterator whose elements are on a device cannot be saved",
        )))
    }

    fn restore(&mut self, _: &mut Saved) -> Result<()> {
        Err(Error::unimplemented("the position of an iterator whose elements are on a device cannot be restored"))
    }
}

/// Checks that a node can read an element: it must be on the node's device, or in the host's memory.
///
/// # Errors
/// `UNIMPLEMENTED` for an element in the memory of another device.
pub(crate) fn check_place(element: &[Tensor], reader: &str) -> Result<()> {
    let elsewhere = |tensor: &Tensor| {
        let (memory, _) = tensor.device_memory()?;
        (memory.device() != reader).then(|| memory.device().to_owned())
    };
    match element.iter().find_map(elsewhere) {
        None => Ok(()),
        Some(device) => Err(Error::unimplemented("the elements of the iterator are in the memory of another device")
            .expected(format!("a node on {device}"))
            .found(format!("one on {reader}"))
            .help("place the node that requests the next element on the device of its iterator")),
    }
}
