//! The common protocol for waiting: which ops may proceed, in which order, and what happens when waiting ops are
//! cancelled.
//!
//! A resource that ops wait for defines in [`State`] what an op can request and tries to serve requests. A [`Monitor`]
//! keeps the state under a lock together with the waiting ops, first come first served within a lane. An op that
//! cannot be served parks its completion and holds no thread. A change of the state serves the waiting ops, which are
//! finished after the lock is released.

use crate::prelude::*;
use levada_kernel::cancel::Registration;
use levada_kernel::watch::{Ahead, Need, Telemetry, Usage, Waitable, WaitableState};
use levada_kernel::{CancelToken, Completion, Wait};
use levada_sync::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The outcome of an attempt to serve a request.
pub enum Served<A> {
    /// Nothing changed.
    Wait,
    /// The state changed, but the request is not complete.
    Progress,
    /// The request is complete or has failed.
    Done(Result<A>),
}

/// A state that ops wait for.
pub trait State: Send + 'static {
    /// The immutable part; read without the lock.
    type Config: Send + Sync;
    /// A request.
    type Want: Send;
    /// The answer to a request.
    type Answer;
    /// The outputs of an op with an answer.
    type Outputs: IntoIterator<Item = Tensor>;
    /// Number of lanes.
    const LANES: usize;

    /// Returns the lane in which an op with this request waits.
    fn lane(want: &Self::Want) -> usize;

    /// Returns whether only the first op of a lane may be served; otherwise any of them, earlier ones first.
    fn in_order(lane: usize) -> bool {
        let _ = lane;
        true
    }

    /// Serves as much of a request as possible.
    fn serve(&mut self, config: &Self::Config, want: &mut Self::Want) -> Served<Self::Answer>;

    /// Reverts what a cancelled op had received so far.
    fn give_up(&mut self, config: &Self::Config, want: Self::Want) {
        let _ = (config, want);
    }

    /// The outputs of an op with this answer. Runs without the lock.
    ///
    /// # Errors
    /// The error of the op.
    fn outputs(config: &Self::Config, answer: Self::Answer) -> Result<Self::Outputs>;

    /// Returns the error message of a waiting op that is cancelled.
    fn cancelled(want: &Self::Want) -> &'static str;

    /// Returns the kind, size and limits, for reports.
    fn describe(&self, config: &Self::Config) -> WaitableState;

    /// What a waiting op with this request needs.
    fn need(&self, want: &Self::Want) -> Need;

    /// Returns the node that holds what an op waits for, and the number of its step.
    fn holder(&self, want: &Self::Want) -> Option<(Arc<str>, u64)> {
        let _ = want;
        None
    }

    /// What prevents a waiting op from being served, as the end of a sentence.
    fn obstacle(&self, config: &Self::Config, want: &Self::Want) -> Option<String> {
        let _ = (config, want);
        None
    }
}

/// A waiting op.
struct Waiter<W> {
    id: u64,
    node: Arc<str>,
    want: W,
    /// Start of the wait, if telemetry is on.
    since: Option<Instant>,
    done: Completion,
    /// Keeps the registration with the step's cancellation alive.
    listener: Option<Registration>,
}

struct Inner<S: State> {
    state: S,
    /// The waiting ops by lane, in the order of arrival.
    lanes: Box<[VecDeque<Waiter<S::Want>>]>,
    next: u64,
    /// Fill level over time, if telemetry is on.
    usage: Option<Box<Usage>>,
}

/// The telemetry collector and the acting node, if telemetry is on.
pub struct Observer(Option<(Arc<Telemetry>, Arc<str>)>);

impl Observer {
    /// Returns the observer of a node.
    pub fn of(cx: &Cx<'_, '_>) -> Observer {
        Observer::new(&cx.env().telemetry, &cx.node().name)
    }

    /// Returns the observer of the node of this name.
    pub fn new(telemetry: &Option<Arc<Telemetry>>, node: &Arc<str>) -> Observer {
        Observer(telemetry.as_ref().map(|t| (t.clone(), node.clone())))
    }
}

/// Ops that have been served and are to be finished.
type Finished<S> = Vec<(Waiter<<S as State>::Want>, Result<<S as State>::Answer>)>;

/// A state that ops wait for, with the waiting ops.
pub struct Monitor<S: State> {
    /// The immutable part.
    pub config: S::Config,
    /// Protects the state and the waiting ops. Never held while a completion is finished, nor while tensor data is
    /// copied.
    inner: Mutex<Inner<S>>,
}

impl<S: State> Inner<S> {
    /// Serves waiting ops until none can make progress.
    fn flush(&mut self, config: &S::Config, finished: &mut Finished<S>) {
        loop {
            let mut progress = false;
            for lane in 0..S::LANES {
                let mut at = 0;
                while let Some(waiter) = self.lanes[lane].get_mut(at) {
                    match self.state.serve(config, &mut waiter.want) {
                        Served::Done(result) => {
                            progress = true;
                            if let Some(waiter) = self.lanes[lane].remove(at) {
                                finished.push((waiter, result));
                            }
                            continue;
                        }
                        Served::Progress => progress = true,
                        Served::Wait => {}
                    }
                    if S::in_order(lane) {
                        break;
                    }
                    at += 1;
                }
            }
            if !progress || self.lanes.iter().all(VecDeque::is_empty) {
                break;
            }
        }
    }

    /// Records the fill level.
    fn observe(&mut self, config: &S::Config, finished: &Finished<S>) {
        if let Some(usage) = &mut self.usage {
            let now = Instant::now();
            let state = self.state.describe(config);
            usage.resize(now, state.size, state.capacity);
            for (waiter, _) in finished {
                usage.acted(&waiter.node, waiter.since.map_or(Duration::ZERO, |since| now - since));
            }
        }
    }

    /// Finds a waiting op; ids ascend within a lane.
    fn find(&self, id: u64) -> Option<(usize, usize)> {
        self.lanes
            .iter()
            .enumerate()
            .find_map(|(lane, waiters)| Some((lane, waiters.binary_search_by_key(&id, |w| w.id).ok()?)))
    }
}

impl<S: State> Monitor<S> {
    /// Returns a monitor of this state, with no waiters.
    pub fn new(config: S::Config, state: S) -> Monitor<S> {
        let lanes = (0..S::LANES).map(|_| VecDeque::new()).collect();
        Monitor { config, inner: Mutex::new(Inner { state, lanes, next: 0, usage: None }) }
    }

    /// Reads the state.
    pub fn look<R>(&self, look: impl FnOnce(&S) -> R) -> R {
        look(&self.inner.lock().state)
    }

    /// Reads the state and the requests of the waiting ops: lane by lane, in the order of arrival.
    pub fn survey<R>(&self, look: impl FnOnce(&S, Vec<&S::Want>) -> R) -> R {
        let inner = self.inner.lock();
        look(&inner.state, inner.lanes.iter().flatten().map(|waiter| &waiter.want).collect())
    }

    /// Changes the state and serves the waiting ops.
    pub fn change<R>(&self, change: impl FnOnce(&mut S) -> R) -> R {
        let mut finished = Finished::<S>::new();
        let mut inner = self.inner.lock();
        let result = change(&mut inner.state);
        inner.flush(&self.config, &mut finished);
        inner.observe(&self.config, &finished);
        drop(inner);
        self.finish(finished);
        result
    }

    /// Serves the request of the node of `cx`, now or later.
    ///
    /// # Errors
    /// If the request is served immediately and fails.
    pub fn submit(self: &Arc<Self>, cx: &mut Cx<'_, '_>, want: S::Want) -> Result<()> {
        let observer = Observer::of(cx);
        let wait = |wait| (cx.node().name.clone(), cx.cancel().clone(), cx.defer_for(wait));
        let Some(answer) = self.ask(want, observer, wait) else { return Ok(()) };
        for (i, tensor) in S::outputs(&self.config, answer?)?.into_iter().enumerate() {
            cx.set(i, tensor);
        }
        Ok(())
    }

    /// Serves a request. Returns `None` if it must wait: `wait` is then called with what it waits for, and returns the
    /// waiting node, its cancellation token, and the completion to finish later with the answer's outputs.
    pub fn ask(
        self: &Arc<Self>,
        mut want: S::Want,
        observer: Observer,
        wait: impl FnOnce(Wait) -> (Arc<str>, CancelToken, Completion),
    ) -> Option<Result<S::Answer>> {
        let mut finished = Finished::<S>::new();
        let mut inner = self.inner.lock();
        if let (Some((telemetry, _)), None) = (&observer.0, &inner.usage) {
            inner.usage = Some(Box::new(Usage::new(inner.state.describe(&self.config).size)));
            let this: Arc<dyn Waitable> = self.clone();
            telemetry.add(Arc::downgrade(&this));
        }
        let lane = S::lane(&want);
        let first = inner.lanes[lane].is_empty() || !S::in_order(lane);
        let served = if first { inner.state.serve(&self.config, &mut want) } else { Served::Wait };
        let moved = !matches!(served, Served::Wait);
        if let Served::Done(result) = served {
            if inner.lanes.iter().any(|l| !l.is_empty()) {
                inner.flush(&self.config, &mut finished);
            }
            inner.observe(&self.config, &finished);
            if let (Some((_, node)), Some(usage)) = (&observer.0, &mut inner.usage) {
                usage.acted(node, Duration::ZERO);
            }
            drop(inner);
            self.finish(finished);
            return Some(result);
        }
        let id = inner.next;
        inner.next += 1;
        let (node, cancel, done) = wait(Wait::On(self.clone(), id));
        let since = inner.usage.is_some().then(Instant::now);
        inner.lanes[lane].push_back(Waiter { id, node, want, since, done, listener: None });
        if moved {
            inner.flush(&self.config, &mut finished);
            inner.observe(&self.config, &finished);
        }
        let waits = inner.find(id).is_some();
        drop(inner);
        self.finish(finished);
        if waits {
            let this = self.clone();
            let listener = cancel.on_cancel(move |_| this.cancel(id));
            self.keep(id, listener);
        }
        None
    }

    /// Keeps a listener for as long as its op waits.
    fn keep(&self, id: u64, listener: Registration) {
        let mut inner = self.inner.lock();
        let unused = match inner.find(id) {
            Some((lane, at)) => {
                inner.lanes[lane][at].listener = Some(listener);
                None
            }
            None => Some(listener),
        };
        // Dropping a listener takes the token's lock, so this one must have been released.
        drop(inner);
        drop(unused);
    }

    /// Cancels one waiting op.
    fn cancel(&self, id: u64) {
        let mut finished = Finished::<S>::new();
        let mut inner = self.inner.lock();
        let Some((lane, at)) = inner.find(id) else { return };
        let Some(Waiter { want, done, listener, .. }) = inner.lanes[lane].remove(at) else { return };
        let message = S::cancelled(&want);
        inner.state.give_up(&self.config, want);
        inner.flush(&self.config, &mut finished);
        inner.observe(&self.config, &finished);
        drop(inner);
        self.finish(finished);
        done.finish(Err(Error::cancelled(message)));
        drop(listener);
    }

    /// Changes the state and cancels all waiting ops of a lane, with code `CANCELLED`.
    pub fn cancel_lane(&self, lane: usize, change: impl FnOnce(&mut S)) {
        let mut finished = Finished::<S>::new();
        let mut inner = self.inner.lock();
        change(&mut inner.state);
        let cancelled = std::mem::take(&mut inner.lanes[lane]);
        inner.flush(&self.config, &mut finished);
        inner.observe(&self.config, &finished);
        drop(inner);
        for waiter in cancelled {
            let message = S::cancelled(&waiter.want);
            waiter.done.finish(Err(Error::cancelled(message)));
        }
        self.finish(finished);
    }

    fn finish(&self, finished: Finished<S>) {
        for (waiter, result) in finished {
            let Waiter { done, listener, .. } = waiter;
            drop(listener);
            let outputs = result.and_then(|answer| S::outputs(&self.config, answer));
            done.finish(outputs.map(|outputs| outputs.into_iter().collect()));
        }
    }
}

impl<S: State> Waitable for Monitor<S> {
    fn state(&self) -> WaitableState {
        self.look(|state| state.describe(&self.config))
    }

    fn need(&self, waiter: u64) -> Option<Need> {
        let inner = self.inner.lock();
        let (lane, at) = inner.find(waiter)?;
        Some(inner.state.need(&inner.lanes[lane][at].want))
    }

    fn ahead(&self, waiter: u64) -> Option<Ahead> {
        let inner = self.inner.lock();
        let (lane, at) = inner.find(waiter)?;
        if let Some((node, step)) = inner.state.holder(&inner.lanes[lane][at].want) {
            return Some(Ahead { node, step: Some(step), has_it: true });
        }
        let first = inner.lanes[lane].front().filter(|_| at > 0 && S::in_order(lane))?;
        Some(Ahead { node: first.node.clone(), step: None, has_it: false })
    }

    fn obstacle(&self, waiter: u64) -> Option<String> {
        let inner = self.inner.lock();
        let (lane, at) = inner.find(waiter)?;
        inner.state.obstacle(&self.config, &inner.lanes[lane][at].want)
    }

    fn usage(&self) -> Option<Usage> {
        let mut inner = self.inner.lock();
        inner.observe(&self.config, &Finished::<S>::new());
        let mut usage = inner.usage.as_deref()?.clone();
        // Ops that are still waiting count with their time so far.
        for waiter in inner.lanes.iter().flatten() {
            usage.acted(&waiter.node, waiter.since.map_or(Duration::ZERO, |since| usage.until - since));
        }
        Some(usage)
    }
}
