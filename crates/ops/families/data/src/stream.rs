//! A pipeline that ops request elements from: who is waiting and who is working.
//!
//! The first op to request an element drives the pipeline on its own thread. If the element is pending, the op is
//! parked, and a job resumes the pipeline once it is woken. An element that arrives after its op was cancelled is kept
//! for the next one.

use crate::dataset::{Setup, Source, Tuple};
use crate::iter::{Iter, Turn};
use crate::meter::Meter;
use crate::options::warm_start;
use crate::position::{Saved, Saver};
use crate::prelude::*;
use crate::task::Phase;
use levada_kernel::background::Origin;
use levada_kernel::cancel::Registration;
use levada_kernel::{Background, Completion, OwnState, StateScope, StepCx, Wait};
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Weak};
use std::task::{Poll, Wake, Waker};
use std::time::Instant;

/// What an op requests.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    Next,
    Position,
}

/// The answer to a request.
enum Answer {
    Next(Option<Tuple>),
    Position(Vec<Tensor>),
}

type Outputs = Box<dyn FnOnce(Result<Answer>) -> Result<Vec<Tensor>> + Send>;

/// A waiting op.
struct Waiter {
    id: u64,
    want: Want,
    origin: Origin,
    outputs: Outputs,
    done: Completion,
    /// When the request was made, if the pipeline is metered.
    asked: Option<Instant>,
    /// Keeps the pipeline alive while an op waits for it, even if its iterator is given another dataset.
    stream: Arc<Stream>,
    /// Keeps the cancellation callback registered.
    listener: Option<Registration>,
}

impl Waiter {
    fn finish(self, answer: Result<Answer>) {
        let Waiter { outputs, done, asked, stream, listener, .. } = self;
        stream.gives(&answer, asked, true);
        drop(listener);
        done.finish(outputs(answer));
        drop(stream);
    }
}

struct State {
    phase: Phase,
    /// In order of arrival.
    waiters: VecDeque<Waiter>,
    /// Elements whose ops were cancelled.
    kept: VecDeque<Result<Option<Tuple>>>,
    next: u64,
}

/// A pipeline.
pub(crate) struct Stream {
    background: Arc<Background>,
    waker: Waker,
    /// Protects the waiters and the phase. Not held while the iterator is polled or an op is completed.
    state: Mutex<State>,
    /// The costs, if the pipeline is metered.
    meter: Option<Arc<Meter>>,
    /// Held by the working thread.
    iter: Mutex<Box<dyn Iter>>,
}

/// Wakes a stream if it still exists.
struct Bell(Weak<Stream>);

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        if let Some(stream) = self.0.upgrade() {
            stream.wake();
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.background.cancel_token().cancel_with(Error::cancelled("the iterator has been deleted"));
    }
}

impl Stream {
    /// Creates a pipeline in the session of `step`, which runs until the session ends; `state` is that of its functions.
    ///
    /// # Errors
    /// Those of `make`, which creates its iterator.
    pub(crate) fn new(
        step: &StepCx,
        state: Arc<OwnState>,
        make: impl FnOnce(&Setup) -> Result<Box<dyn Iter>>,
    ) -> Result<Arc<Stream>> {
        Stream::within(Background::with_own_state(&step.env, step.env.closed.child(), state), step, None, make)
    }

    fn within(
        background: Arc<Background>,
        step: &StepCx,
        meter: Option<Arc<Meter>>,
        make: impl FnOnce(&Setup) -> Result<Box<dyn Iter>>,
    ) -> Result<Arc<Stream>> {
        let iter = make(&Setup::root(background.clone(), Origin::of(step)).metered(meter.clone()))?;
        let state = State { phase: Phase::Idle, waiters: VecDeque::new(), kept: VecDeque::new(), next: 0 };
        Ok(Arc::new_cyclic(|this| Stream {
            background,
            waker: Waker::from(Arc::new(Bell(this.clone()))),
            state: Mutex::new(state),
            meter,
            iter: Mutex::new(iter),
        }))
    }

    /// Creates the pipeline of a dataset, which lives as long as the session, starting at a position if one is given.
    /// `name` is the iterator's name, `device` the full name of its device.
    ///
    /// # Errors
    /// If there can be no iterator of it, or the position belongs to another dataset.
    pub(crate) fn of(
        step: &StepCx,
        (name, device): (&str, &Arc<str>),
        source: &Source,
        state: Arc<OwnState>,
        position: Option<Vec<Tensor>>,
    ) -> Result<Arc<Stream>> {
        let mut kept = VecDeque::new();
        let telemetry = &step.env.telemetry;
        let is_metered = telemetry.is_some() || source.tuned;
        let meter = is_metered.then(|| Meter::new(name, step.env.pool.threads(), source.budget()));
        if let (Some(telemetry), Some(meter)) = (telemetry, &meter) {
            telemetry.add_pipeline(meter.clone());
        }
        let background = Background::with_own_state(&step.env, step.env.closed.child(), state);
        let stream = Stream::within(background, step, meter, |setup| {
            let setup = setup.on(device).under(&source.options);
            let setup = setup.warm(position.is_none() && warm_start(&source.options));
            let mut iter = setup.make(source)?;
            if let Some(position) = position {
                let mut saved = Saved::new(position);
                for _ in 0..saved.count()? {
                    kept.push_back(restore_result(&mut saved)?);
                }
                iter.restore(&mut saved)?;
            }
            Ok(iter)
        })?;
        stream.state.lock().kept = kept;
        Ok(stream)
    }

    /// Requests the single element of the iterator created by `make`, within the step of `cx`. `outputs` converts it to
    /// the node's outputs.
    ///
    /// # Errors
    /// If the pipeline fails before this returns.
    pub(crate) fn once(
        cx: &mut Cx<'_, '_>,
        make: impl FnOnce(&Setup) -> Result<Box<dyn Iter>>,
        outputs: impl FnOnce(Option<Tuple>) -> Result<Vec<Tensor>> + Send + 'static,
    ) -> Result<()> {
        let step = cx.step();
        let state = StateScope { is_closed: true, ..step.scope };
        Stream::element(Background::new(&step.env, step.cancel.child(), state), cx, make, outputs)
    }

    /// Like [`Stream::once`], with a new state for the functions.
    ///
    /// # Errors
    /// If the pipeline fails before this returns.
    pub(crate) fn once_anew(
        cx: &mut Cx<'_, '_>,
        make: impl FnOnce(&Setup) -> Result<Box<dyn Iter>>,
        outputs: impl FnOnce(Option<Tuple>) -> Result<Vec<Tensor>> + Send + 'static,
    ) -> Result<()> {
        let step = cx.step();
        let state = Arc::new(OwnState::new(&step.env));
        Stream::element(Background::with_own_state(&step.env, step.cancel.child(), state), cx, make, outputs)
    }

    fn element(
        background: Arc<Background>,
        cx: &mut Cx<'_, '_>,
        make: impl FnOnce(&Setup) -> Result<Box<dyn Iter>>,
        outputs: impl FnOnce(Option<Tuple>) -> Result<Vec<Tensor>> + Send + 'static,
    ) -> Result<()> {
        let stream = Stream::within(background, cx.step(), None, make)?;
        stream.next(cx, move |element| outputs(element?))
    }

    /// Requests the next element; `outputs` converts it to the node's outputs, before this returns or later.
    ///
    /// # Errors
    /// If the pipeline fails before this returns.
    pub(crate) fn next(
        self: &Arc<Self>,
        cx: &mut Cx<'_, '_>,
        outputs: impl FnOnce(Result<Option<Tuple>>) -> Result<Vec<Tensor>> + Send + 'static,
    ) -> Result<()> {
        let outputs = move |answer: Result<Answer>| match answer {
            Ok(Answer::Next(element)) => outputs(Ok(element)),
            Ok(Answer::Position(_)) => Err(Error::internal("asked for an element and got a position")),
            Err(error) => outputs(Err(error)),
        };
        self.ask(cx, Want::Next, Box::new(outputs))
    }

    /// Requests the position; `outputs` converts it to the node's outputs, before this returns or later.
    ///
    /// # Errors
    /// If the pipeline fails before this returns.
    pub(crate) fn position(
        self: &Arc<Self>,
        cx: &mut Cx<'_, '_>,
        outputs: impl FnOnce(Vec<Tensor>) -> Result<Vec<Tensor>> + Send + 'static,
    ) -> Result<()> {
        let outputs = move |answer: Result<Answer>| match answer? {
            Answer::Position(position) => outputs(position),
            Answer::Next(_) => Err(Error::internal("asked for a position and got an element")),
        };
        self.ask(cx, Want::Position, Box::new(outputs))
    }

    /// Records an answer to a request made at this time.
    fn gives(&self, answer: &Result<Answer>, asked: Option<Instant>, waited: bool) {
        if let (Ok(Answer::Next(Some(_))), Some(meter), Some(asked)) = (answer, &self.meter, asked) {
            meter.gives(asked, waited);
        }
    }

    fn ask(self: &Arc<Self>, cx: &mut Cx<'_, '_>, want: Want, outputs: Outputs) -> Result<()> {
        let asked = self.meter.as_ref().map(|meter| meter.asks());
        let outputs = (outputs, asked);
        let origin = Origin::of(cx.step());
        let mut state = self.state.lock();
        if state.phase != Phase::Idle || !state.waiters.is_empty() {
            return self.wait(state, cx, want, origin, outputs);
        }
        state.phase = Phase::Running;
        drop(state);
        loop {
            let mut turn = Turn::new(&self.background, &origin, &self.waker);
            let answer = match self.attempt(want, &mut turn) {
                Poll::Ready(answer) => answer,
                Poll::Pending => {
                    let mut state = self.state.lock();
                    if state.phase != Phase::Again {
                        state.phase = Phase::Idle;
                        return self.wait(state, cx, want, origin, outputs);
                    }
                    state.phase = Phase::Running;
                    drop(state);
                    let step = cx.step();
                    match step.check().and_then(|()| step.poll.as_ref().map_or(Ok(()), |poll| poll.look())) {
                        Ok(()) => continue,
                        Err(error) => Err(error),
                    }
                }
            };
            self.gives(&answer, asked, false);
            self.leave();
            // Work started ahead continues independently.
            self.background.settle();
            for (i, tensor) in (outputs.0)(answer)?.into_iter().enumerate() {
                cx.set(i, tensor);
            }
            return Ok(());
        }
    }

    /// Parks an op.
    fn wait(
        self: &Arc<Self>,
        mut state: parking_lot::MutexGuard<'_, State>,
        cx: &mut Cx<'_, '_>,
        want: Want,
        origin: Origin,
        (outputs, asked): (Outputs, Option<Instant>),
    ) -> Result<()> {
        let id = state.next;
        state.next += 1;
        let origin = Origin { depth: 0, ..origin };
        let cancel = cx.cancel().clone();
        let done = cx.defer_for(Wait::Call);
        state.waiters.push_back(Waiter {
            id,
            want,
            origin,
            outputs,
            done,
            asked,
            stream: self.clone(),
            listener: None,
        });
        drop(state);
        self.background.settle();
        let this = Arc::downgrade(self);
        let listener = cancel.on_cancel(move |_| {
            if let Some(stream) = this.upgrade() {
                stream.cancel(id);
            }
        });
        let mut state = self.state.lock();
        let unused = match state.waiters.iter_mut().find(|waiter| waiter.id == id) {
            Some(waiter) => waiter.listener.replace(listener),
            None => Some(listener),
        };
        // Dropping a listener takes the token's lock, so this one's must be free.
        drop(state);
        drop(unused);
        Ok(())
    }

    /// Completes a waiting op that was cancelled.
    fn cancel(&self, id: u64) {
        let mut state = self.state.lock();
        let at = state.waiters.iter().position(|waiter| waiter.id == id);
        let waiter = at.and_then(|at| state.waiters.remove(at));
        drop(state);
        if let Some(waiter) = waiter {
            waiter.finish(Err(Error::cancelled("GetNext was cancelled")));
        }
    }

    /// Tries once to answer a request.
    fn attempt(&self, want: Want, turn: &mut Turn<'_>) -> Poll<Result<Answer>> {
        if want == Want::Next
            && let Some(kept) = self.state.lock().kept.pop_front()
        {
            return Poll::Ready(kept.map(Answer::Next));
        }
        let mut iter = self.iter.lock();
        let tried = catch_unwind(AssertUnwindSafe(|| match want {
            Want::Next => iter.poll(turn).map_ok(Answer::Next),
            Want::Position => {
                let mut saver = Saver::default();
                let state = self.state.lock();
                saver.count(state.kept.len());
                state.kept.iter().for_each(|kept| save_result(&mut saver, kept));
                drop(state);
                iter.save(turn, &mut saver).map_ok(|()| Answer::Position(saver.into_values()))
            }
        }));
        tried.unwrap_or_else(|_| Poll::Ready(Err(Error::internal("a dataset panicked"))))
    }

    /// Ends the working thread's turn; ops that arrived in the meantime are served by a job.
    fn leave(self: &Arc<Self>) {
        let mut state = self.state.lock();
        if state.waiters.is_empty() {
            state.phase = Phase::Idle;
            return;
        }
        state.phase = Phase::Scheduled;
        drop(state);
        self.schedule();
    }

    fn wake(self: &Arc<Self>) {
        let mut state = self.state.lock();
        match state.phase {
            Phase::Idle if !state.waiters.is_empty() => {
                state.phase = Phase::Scheduled;
                drop(state);
                self.schedule();
            }
            Phase::Running => state.phase = Phase::Again,
            Phase::Idle | Phase::Scheduled | Phase::Again => {}
        }
    }

    fn schedule(self: &Arc<Self>) {
        let this = self.clone();
        if let Err(error) = self.background.spawn(move || this.run()) {
            let mut state = self.state.lock();
            state.phase = Phase::Idle;
            let waiters = std::mem::take(&mut state.waiters);
            drop(state);
            waiters.into_iter().for_each(|waiter| waiter.finish(Err(error.clone())));
        }
    }

    /// Works for the waiting ops.
    fn run(self: &Arc<Self>) {
        loop {
            let (want, origin) = {
                let mut state = self.state.lock();
                let Some(first) = state.waiters.front() else {
                    state.phase = Phase::Idle;
                    return;
                };
                let first = (first.want, first.origin.clone());
                state.phase = Phase::Running;
                first
            };
            let mut turn = Turn::new(&self.background, &origin, &self.waker);
            let answer = self.attempt(want, &mut turn);
            let over = turn.is_over();
            let mut state = self.state.lock();
            match answer {
                Poll::Ready(answer) => {
                    // The op that asked may have been cancelled in the meantime.
                    if state.waiters.front().is_some_and(|waiter| waiter.want == want)
                        && let Some(waiter) = state.waiters.pop_front()
                    {
                        drop(state);
                        waiter.finish(answer);
                    } else {
                        match answer {
                            Ok(Answer::Next(element)) => state.kept.push_back(Ok(element)),
                            Err(error) if want == Want::Next => state.kept.push_back(Err(error)),
                            _ => {}
                        }
                    }
                }
                Poll::Pending if state.phase == Phase::Again && over => {
                    state.phase = Phase::Scheduled;
                    drop(state);
                    return self.schedule();
                }
                Poll::Pending if state.phase == Phase::Again => {}
                Poll::Pending => {
                    state.phase = Phase::Idle;
                    return;
                }
            }
        }
    }
}

/// Saves the result of an iterator.
pub(crate) fn save_result(to: &mut Saver, result: &Result<Option<Tuple>>) {
    match result {
        Ok(None) => to.int(0),
        Ok(Some(element)) => {
            to.int(1);
            to.element(element);
        }
        Err(error) => {
            to.int(2);
            to.error(error);
        }
    }
}

/// Restores the result of an iterator.
///
/// # Errors
/// `DATA_LOSS` if the data is invalid.
pub(crate) fn restore_result(from: &mut Saved) -> Result<Result<Option<Tuple>>> {
    match from.int()? {
        0 => Ok(Ok(None)),
        1 => Ok(Ok(Some(from.element()?))),
        2 => Ok(Err(from.error()?)),
        _ => Err(crate::position::broken()),
    }
}
