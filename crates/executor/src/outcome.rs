//! The end of a step: its first error, waiting for it, and the fetched values.

use crate::fire::clear;
use crate::holds::Ended;
use crate::plan::{NodeIx, Span};
use crate::record;
use crate::schedule::Lists;
use crate::step::Step;
use levada_graph::{Code, Error, Result, Tensor};
use levada_kernel::cancel::is_consequence;
use levada_kernel::{Entry, Poll, Tracing};
use levada_sync::atomic::{AtomicU32, Ordering};
use levada_sync::{Condvar, MODELED, Mutex};
use levada_trace::StepTrace;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a caller spins for helpers to finish before it sleeps.
const SPIN: Duration = Duration::from_micros(30);

/// How long it polls for the end of a step that waits for a device before it sleeps: a short step ends before a
/// sleeping thread could wake up.
const PATIENCE: Duration = Duration::from_millis(5);

/// How long a traced step that failed waits for its devices.
const SETTLE_FAILED: Duration = Duration::from_secs(1);

/// Called with the fetched tensors, or why there are none.
pub type OnDone = Box<dyn FnOnce(Result<Vec<Tensor>>, Option<Box<StepTrace>>) + Send>;

#[derive(Default)]
pub(crate) struct Status {
    pub(crate) error: Option<Error>,
    /// The node whose error that is, while nodes before it still run.
    pub(crate) from: Option<NodeIx>,
    /// For the caller that waits for the end, if there is no callback.
    pub(crate) ended: Option<Ended>,
    pub(crate) on_done: Option<OnDone>,
    /// True once the end was reported.
    is_over: bool,
}

/// The end of a step.
pub(crate) struct Outcome {
    /// Nodes from this number on that have not started are dropped: after a failure, all of them.
    limit: AtomicU32,
    /// Protects the error, the end and the callback.
    pub(crate) status: Mutex<Status>,
    /// Notified at the end.
    pub(crate) done: Condvar,
}

impl Default for Outcome {
    fn default() -> Outcome {
        Outcome { limit: AtomicU32::new(NodeIx::MAX), status: Mutex::default(), done: Condvar::new() }
    }
}

impl Outcome {
    /// True once this node may not start any more.
    #[inline]
    pub(crate) fn leaves_out(&self, node: NodeIx) -> bool {
        node >= self.limit.load(Ordering::Relaxed)
    }

    /// True once no node may start any more.
    #[inline]
    pub(crate) fn is_aborted(&self) -> bool {
        self.limit.load(Ordering::SeqCst) == 0
    }

    /// True once some nodes may not start any more.
    #[inline]
    pub(crate) fn is_cut(&self) -> bool {
        self.limit.load(Ordering::SeqCst) != NodeIx::MAX
    }
}

impl Step {
    /// Ends the step with this error of an observed node. Nodes before it may continue, so that of several such errors
    /// the first node's is reported, whichever thread is faster; but not if something waits, which might wait for a
    /// later node.
    pub(crate) fn fail_from(&self, node: NodeIx, error: Error) {
        {
            let mut status = self.outcome.status.lock();
            if status.error.is_none() || status.from.is_some_and(|first| node < first) {
                (status.error, status.from) = (Some(error.clone()), Some(node));
            }
            self.outcome.limit.fetch_min(node.max(1), Ordering::SeqCst);
        }
        // A node that begins to wait from here on ends the step itself.
        if self.plan.has_control_flow || self.is_part || !self.parked.lock().is_empty() {
            self.fail(error);
        }
    }

    /// Ends the step with this error unless it has one already.
    pub(crate) fn fail(&self, error: Error) {
        let error = match self.cx.cancel.reason() {
            Some(reason) if is_consequence(&error) && (!is_consequence(&reason) || reason.fault().report.is_some()) => {
                reason
            }
            _ => error,
        };
        {
            let mut status = self.outcome.status.lock();
            match &status.error {
                // A cancellation caused by another failure is not the root cause.
                Some(first) if !is_consequence(first) || is_consequence(&error) => {}
                Some(_) if self.cx.cancel.reason().is_some() => {}
                _ => status.error = Some(error),
            }
            self.outcome.limit.store(0, Ordering::SeqCst);
        }
        self.cx.cancel.cancel_with(Error::cancelled("another node of the step failed"));
    }

    /// Reports the end: to the callback, or to the caller that waits.
    pub(crate) fn finish(&self, ended: Ended) {
        let on_done = {
            let mut status = self.outcome.status.lock();
            let was_over = std::mem::replace(&mut status.is_over, true);
            debug_assert!(!was_over, "the end of a step is reported twice");
            status.on_done.take()
        };
        match on_done {
            Some(on_done) => {
                self.note_time();
                let (result, trace) = self.take_outcome(ended);
                on_done(result, trace);
            }
            None => {
                self.outcome.status.lock().ended = Some(ended);
                self.outcome.done.notify_all();
            }
        }
        // What continues because of the step's end has been counted already. It may have checked for a stall while the
        // step was still on the list.
        if let Some(id) = self.listing.over() {
            self.cx.env.watch.leave(id);
            self.cx.env.watch.check();
        }
    }

    /// Waits for the end, or for the deadline and then for the end. Meanwhile it works with these lists if it is
    /// called.
    pub(crate) fn wait(self: &Arc<Self>, lists: &mut Lists) -> Ended {
        let caller = &self.work.caller;
        let mut work = || {
            let (emptied, ended) = self.drain_as_caller(std::mem::take(lists), None);
            *lists = emptied;
            ended
        };
        let mut start = Instant::now();
        caller.attend();
        let patience = || match (self.work.activity.expects(), self.work.activity.threads()) {
            (true, _) => PATIENCE,
            (false, 0) => Duration::ZERO,
            (false, _) => SPIN,
        };
        loop {
            let spent = start.elapsed();
            if MODELED || spent >= patience() {
                break;
            }
            if self.has_ended() {
                break;
            }
            match spent < SPIN {
                _ if caller.is_called() => {
                    if let Some(ended) = work() {
                        return ended;
                    }
                    start = Instant::now();
                    caller.attend();
                }
                true => std::hint::spin_loop(),
                false => std::thread::yield_now(),
            }
        }
        let ended = if caller.leave() { work() } else { None };
        if let Some(ended) = ended.or_else(|| self.take_end()) {
            return ended;
        }
        let watch = &self.cx.env.watch;
        let id = watch.enter(self.clone(), true);
        watch.check();
        let ended = self.sleep();
        watch.leave(id);
        if let Some(ended) = ended {
            return ended;
        }
        // Waiting nodes are cancelled and fail the step. If the last of them was served just now, the step has done
        // everything, and what it took out of a queue must not be lost.
        let error = self.cx.past_deadline();
        self.cut(&error);
        self.cx.cancel.cancel_with(error);
        let mut status = self.outcome.status.lock();
        loop {
            if let Some(ended) = status.ended.take() {
                return ended;
            }
            self.outcome.done.wait(&mut status);
        }
    }

    fn has_ended(&self) -> bool {
        self.outcome.status.lock().ended.is_some()
    }

    fn take_end(&self) -> Option<Ended> {
        self.outcome.status.lock().ended.take()
    }

    /// Sleeps until the end; `None` if the deadline passed before.
    fn sleep(&self) -> Option<Ended> {
        let mut status = self.outcome.status.lock();
        let at = |after: Option<Duration>| levada_sync::now().checked_add(after?);
        let watch = &self.cx.env.watch;
        let (mut report, mut again) = (at(watch.report_after()), at(watch.asks_again()));
        loop {
            if let Some(ended) = status.ended.take() {
                return Some(ended);
            }
            let ask = self.cx.poll.as_ref().map(|poll| poll.due());
            let Some(until) = self.cx.deadline.into_iter().chain(report).chain(again).chain(ask).min() else {
                self.outcome.done.wait(&mut status);
                continue;
            };
            if self.outcome.done.wait_until(&mut status, until).timed_out() && status.ended.is_none() {
                if self.cx.deadline == Some(until) {
                    return None;
                }
                drop(status);
                match self.cx.poll.as_ref().filter(|_| ask == Some(until)) {
                    Some(poll) => self.ask(poll),
                    None if again == Some(until) => {
                        again = at(watch.asks_again());
                        watch.check();
                    }
                    None => {
                        report = None;
                        watch.report();
                    }
                }
                status = self.outcome.status.lock();
            }
        }
    }

    /// Asks whether to continue waiting.
    pub(crate) fn ask(&self, poll: &Poll) {
        match poll.look() {
            Err(reason) => {
                self.cut(&reason);
                self.cx.cancel.cancel_with(reason);
            }
            // The answer may have changed what else can act.
            Ok(()) => self.cx.env.watch.check(),
        }
    }

    /// The result of the step: the fetched tensors or the error, and the trace.
    pub(crate) fn take_outcome(&self, mut ended: Ended) -> (Result<Vec<Tensor>>, Option<Box<StepTrace>>) {
        let error = if self.outcome.is_cut() { self.outcome.status.lock().error.take() } else { None };
        // The events of a function are collected by its caller.
        let own = self.cx.tracing.as_ref().filter(|tracing| tracing.function.is_empty());
        let trace = own.map(|tracing| {
            self.settle(tracing, error.as_ref());
            Box::new(tracing.recorder.finish_with(|| record::edges(&self.plan)))
        });
        if let Some(error) = error {
            self.dismantle();
            // The contents of the slots are dropped with the step, before its end is reported: others may wait for
            // that.
            let all = Span { start: 0, end: self.plan.frames[0].slots };
            clear(self.root().slots_at_end(&mut ended, all));
            return (Err(error), trace);
        }
        let slots = self.root().slots_at_end(&mut ended, self.plan.fetches);
        let names = &self.plan.fetch_names;
        self.read_in_turn(slots);
        let mut tensors = Vec::with_capacity(slots.len());
        for (at, (slot, name)) in slots.iter_mut().zip(names).enumerate() {
            match fetched(slot, at, name) {
                Ok(tensor) => tensors.push(tensor),
                Err(error) => return (Err(error), trace),
            }
        }
        (Ok(tensors), trace)
    }

    /// Waits for devices to report when they executed what the step queued. A failed step shows what is known by then.
    fn settle(&self, tracing: &Tracing, error: Option<&Error>) {
        let recorder = &tracing.recorder;
        match error.map(Error::code) {
            None => {
                let waiting = recorder.clone();
                let _listening = self.cx.cancel.on_cancel(move |_| waiting.give_up());
                recorder.settle(self.cx.deadline);
            }
            Some(Code::Cancelled | Code::DeadlineExceeded) => recorder.settle(Some(Instant::now())),
            Some(_) => {
                let limit = Instant::now() + SETTLE_FAILED;
                recorder.settle(Some(self.cx.deadline.map_or(limit, |d| d.min(limit))));
            }
        }
    }

    /// Breaks the reference cycles of frames and iterations that an aborted step leaves behind.
    fn dismantle(&self) {
        let children = std::mem::take(&mut *self.root().children.lock());
        children.iter().for_each(|(_, frame)| frame.dismantle());
    }
}

/// Takes a fetched value out of its slot; `at` is the index of the fetch and `name` its name.
pub(crate) fn fetched(slot: &mut Entry, at: usize, name: &str) -> Result<Tensor> {
    match slot {
        Entry::Constant(tensor) => Ok(tensor.clone()),
        _ => match std::mem::take(slot) {
            Entry::Value(tensor) => Ok(tensor),
            Entry::Ref(cell) => cell.value.read().clone().ok_or_else(|| {
                Error::failed_precondition(format!("Attempting to use uninitialized value {}", cell.name))
            }),
            _ => Err(Error::invalid(format!("Retval[{at}] does not have value"))
                .help(format!("{name} is on a branch of a conditional that was not taken"))),
        },
    }
}
