//! Ops that call functions many times with elements of tensors, for reduction, selection and comparison.
//!
//! [`perform`] runs the work of such an op, written as a future: it resumes when a call returns and never blocks a
//! thread. [`Reducer`] calls a function of scalars once for many elements if all nodes of the function are
//! element-wise, and otherwise once per element.

use crate::moves::Cell;
use crate::prelude::*;
use levada_graph::def::{FunctionDef, Library, NodeDef};
use levada_kernel::{Callee, Completion, Site, StepCx, Wait};
use levada_ops_control::types::{fitting, site};
use parking_lot::Mutex;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

type Results = Result<Vec<Tensor>>;
type Work = Pin<Box<dyn Future<Output = Results> + Send>>;

/// Runs `work`, whose results are the node's outputs.
pub fn perform(cx: &mut Cx<'_, '_>, work: impl Future<Output = Results> + Send + 'static) {
    let expected = cx.node().outputs.clone();
    let work: Work = Box::pin(async move { fitting(work.await?, &expected) });
    let done = cx.defer_for(Wait::Call);
    Arc::new(Task { turns: Mutex::new(Turns::Idle), work: Mutex::new(Some((work, done))) }).wake();
}

/// The work and its completion.
struct Task {
    /// Decides which thread continues the work.
    turns: Mutex<Turns>,
    work: Mutex<Option<(Work, Completion)>>,
}

#[derive(Clone, Copy, PartialEq)]
enum Turns {
    Idle,
    /// A thread is polling.
    Busy,
    /// A thread is polling, and must poll again.
    Again,
}

impl Task {
    /// Runs the work until it has to wait or ends.
    fn turn(self: &Arc<Task>) {
        let mut work = self.work.lock();
        let Some((future, _)) = &mut *work else { return };
        let waker = Waker::from(self.clone());
        if let Poll::Ready(results) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            let ended = work.take();
            drop(work);
            if let Some((_, done)) = ended {
                done.finish(results);
            }
        }
    }
}

impl Wake for Task {
    fn wake(self: Arc<Task>) {
        {
            let mut turns = self.turns.lock();
            if *turns != Turns::Idle {
                *turns = Turns::Again;
                return;
            }
            *turns = Turns::Busy;
        }
        loop {
            self.turn();
            let mut turns = self.turns.lock();
            if *turns == Turns::Busy {
                *turns = Turns::Idle;
                return;
            }
            *turns = Turns::Busy;
        }
    }
}

/// A function, looked up once for many calls.
pub struct Calls {
    callee: Arc<dyn Callee>,
    step: StepCx,
}

impl Calls {
    /// The function, to be called on the node's device.
    pub fn of(cx: &Cx<'_, '_>, function: &Func) -> Result<Calls> {
        let Some(functions) = cx.env().functions.get() else {
            return Err(Error::unimplemented("functions cannot be called here"));
        };
        let site: Site = site(cx, true);
        Ok(Calls { callee: functions.find(function, &site)?, step: cx.step().clone() })
    }

    /// Calls the function.
    pub async fn call(&self, args: Vec<Tensor>) -> Results {
        self.step.resources.meter().map_or(Ok(()), |meter| meter.iteration())?;
        self.step.check()?;
        let answer = Arc::new(Mutex::new(Answer::default()));
        let given = answer.clone();
        self.callee.call(
            args,
            &self.step,
            Box::new(move |results| {
                let mut answer = given.lock();
                answer.results = Some(results);
                let waker = answer.waker.take();
                drop(answer);
                waker.into_iter().for_each(Waker::wake);
            }),
        );
        poll_fn(|cx| {
            let mut answer = answer.lock();
            match answer.results.take() {
                Some(results) => Poll::Ready(results),
                None => {
                    answer.waker = Some(cx.waker().clone());
                    Poll::Pending
                }
            }
        })
        .await
    }
}

/// The results of a call, or the waker of the task that waits for it.
#[derive(Default)]
struct Answer {
    results: Option<Results>,
    waker: Option<Waker>,
}

/// A function of scalars that is called with the elements of vectors.
pub struct Reducer {
    calls: Calls,
    /// Whether the function can be called with whole vectors, because it is element-wise.
    whole: bool,
    results: Vec<DType>,
}

impl Reducer {
    /// The function, which must return scalars of the types `results`.
    pub fn of(cx: &Cx<'_, '_>, function: &Func, results: Vec<DType>) -> Result<Reducer> {
        let library = cx.env().functions.get().map(|functions| functions.library());
        let body = library.as_ref().and_then(|library| library.function(&function.name));
        let whole = match (&library, body) {
            (Some(library), Some(body)) => is_elementwise(cx, library, body),
            _ => false,
        };
        Ok(Reducer { calls: Calls::of(cx, function)?, whole, results })
    }

    /// Returns the results of the function for each element of the vectors `args`, which have equal lengths.
    pub async fn each(&self, args: Vec<Tensor>) -> Results {
        let count = args.first().map_or(0, Tensor::num_elements);
        let shape = Shape::vector(count);
        if self.whole && count > 0 {
            let results = fitting(self.calls.call(args).await?, &self.results)?;
            // A result that does not depend on the arguments is a single scalar.
            return results.into_iter().map(|result| spread(result, &shape)).collect();
        }
        let mut all: Vec<Tensor> =
            self.results.iter().map(|&dtype| Tensor::try_zeros(dtype, shape.clone())).collect::<Result<_>>()?;
        for i in 0..count {
            let args = args.iter().map(|arg| arg.part(i, Shape::scalar())).collect::<Result<_>>()?;
            let results = fitting(self.calls.call(args).await?, &self.results)?;
            for (all, result) in all.iter_mut().zip(&results) {
                if !result.shape().is_scalar() {
                    return Err(Error::invalid("a function of scalars must return scalars")
                        .found(format!("shape {}", result.shape())));
                }
                cells!(result.dtype(), |T| T::cells_mut(all)?[i] = T::cells(result)?[0].clone());
            }
        }
        Ok(all)
    }
}

/// Broadcasts `tensor` to `shape` if it is a scalar.
///
/// # Errors
/// `INVALID_ARGUMENT` for a tensor of another shape.
pub fn spread(tensor: Tensor, shape: &Shape) -> Result<Tensor> {
    if tensor.shape() == shape {
        return Ok(tensor);
    }
    if tensor.num_elements() != 1 {
        return Err(
            Error::invalid("a function of scalars must return scalars").found(format!("shape {}", tensor.shape()))
        );
    }
    let mut out = Tensor::try_zeros(tensor.dtype(), shape.clone())?;
    cells!(tensor.dtype(), |T| {
        let value = &T::cells(&tensor)?[0];
        T::cells_mut(&mut out)?.fill(value.clone());
    });
    Ok(out)
}

/// Returns whether every node of a function computes each element of its outputs from one element of each input,
/// whatever their shape.
fn is_elementwise(cx: &Cx<'_, '_>, library: &Library, body: &FunctionDef) -> bool {
    let ops = levada_ops_math::ops();
    let device = Arc::new(Cpu { arena: cx.device.arena.clone() });
    let is_one = |node: &NodeDef| match node.op.as_str() {
        "Identity" | "NoOp" => true,
        "Const" => matches!(node.attrs.get("value"), Some(AttrValue::Tensor(value)) if value.num_elements() == 1),
        name if library.function(name).is_some() => false,
        name => ops.iter().find(|entry| entry.def.spec.name == name).is_some_and(|entry| {
            let op = entry.def.decode(&node.attrs).ok();
            let kernel = op.and_then(|op| entry.cpu.make(&op, &device));
            kernel.is_some_and(|kernel| kernel.piecewise() == Piecewise::Broadcast)
        }),
    };
    body.nodes.iter().all(is_one)
}

/// Gathers the elements of `tensor` at these positions into a vector.
pub fn take(tensor: &Tensor, places: &[usize]) -> Result<Tensor> {
    let mut out = Tensor::try_zeros(tensor.dtype(), Shape::vector(places.len()))?;
    cells!(tensor.dtype(), |T| {
        let from = T::cells(tensor)?;
        T::cells_mut(&mut out)?.iter_mut().zip(places).for_each(|(out, &at)| *out = from[at].clone());
    });
    Ok(out)
}

/// Sets the elements of `tensor` at these positions.
pub fn put(tensor: &mut Tensor, places: &[usize], values: &Tensor) -> Result<()> {
    cells!(tensor.dtype(), |T| {
        let values = T::cells(values)?;
        let to = T::cells_mut(tensor)?;
        places.iter().zip(values).for_each(|(&at, value)| to[at] = value.clone());
    });
    Ok(())
}
