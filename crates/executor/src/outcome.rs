//! The end of a step: its first error, waiting for it, and the fetched values.

use crate::fire::clear;
use crate::plan::Span;
use crate::record;
use crate::step::Step;
use levada_graph::{Code, Error, Result, Tensor};
use levada_kernel::cancel::is_consequence;
use levada_kernel::{Entry, Poll, Tracing};
use levada_trace::StepTrace;
use parking_lot::{Condvar, Mutex};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a caller spins for helpers to finish before it sleeps.
const SPIN: Duration = Duration::from_micros(30);

/// How long a traced step that failed waits for its devices.
const SETTLE_FAILED: Duration = Duration::from_secs(1);

/// Called with the fetched tensors, or why there are none.
pub type OnDone = Box<dyn FnOnce(Result<Vec<Tensor>>, Option<StepTrace>) + Send>;

#[derive(Default)]
pub(crate) struct Status {
    pub(crate) error: Option<Error>,
    pub(crate) done: bool,
    pub(crate) on_done: Option<OnDone>,
}

/// The end of a step.
#[derive(Default)]
pub(crate) struct Outcome {
    /// Set on the first error: nodes not yet started are dropped.
    pub(crate) aborted: AtomicBool,
    /// Protects the error, the end and the callback.
    pub(crate) status: Mutex<Status>,
    /// Notified at the end.
    pub(crate) done: Condvar,
}

impl Step {
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
                // What was cancelled because of another failure is not the root cause.
                Some(first) if !is_consequence(first) || is_consequence(&error) => {}
                Some(_) if self.cx.cancel.reason().is_some() => {}
                _ => status.error = Some(error),
            }
            self.outcome.aborted.store(true, Ordering::Release);
        }
        self.cx.cancel.cancel_with(Error::cancelled("another node of the step failed"));
    }

    pub(crate) fn finish(&self) {
        let on_done = {
            let mut status = self.outcome.status.lock();
            status.done = true;
            status.on_done.take()
        };
        self.outcome.done.notify_all();
        if let Some(on_done) = on_done {
            let (result, trace) = self.take_outcome();
            on_done(result, trace);
        }
        // Whoever goes on because of the step's end vouches for itself by now. It may have looked for sleepers while the step
        // was on the list still.
        if let Some(id) = self.listing.over() {
            self.cx.env.watch.leave(id);
            self.cx.env.watch.check();
        }
    }

    /// Waits for the end, or for the deadline and then for the end.
    pub(crate) fn wait(self: &Arc<Self>) {
        let spin_until = Instant::now() + SPIN;
        while self.work.activity.threads() > 0 && Instant::now() < spin_until {
            if self.outcome.status.lock().done {
                return;
            }
            std::hint::spin_loop();
        }
        if self.outcome.status.lock().done {
            return;
        }
        let watch = &self.cx.env.watch;
        let id = watch.enter(self.clone(), true);
        watch.check();
        let in_time = self.sleep();
        watch.leave(id);
        if !in_time {
            // Whoever waits is cancelled and fails the step. Where the last one to wait was served just now the step has
            // done everything, and what was taken out of a queue must not be lost.
            self.cx.cancel.cancel_with(Error::deadline_exceeded("the run passed its deadline"));
            let mut status = self.outcome.status.lock();
            while !status.done {
                self.outcome.done.wait(&mut status);
            }
        }
    }

    /// Sleeps until the end; false where the deadline passed before.
    fn sleep(&self) -> bool {
        let mut status = self.outcome.status.lock();
        let mut report = self.cx.env.watch.report_after().and_then(|after| Instant::now().checked_add(after));
        while !status.done {
            let ask = self.cx.poll.as_ref().map(|poll| poll.due());
            let Some(until) = self.cx.deadline.into_iter().chain(report).chain(ask).min() else {
                self.outcome.done.wait(&mut status);
                continue;
            };
            if self.outcome.done.wait_until(&mut status, until).timed_out() && !status.done {
                if self.cx.deadline == Some(until) {
                    return false;
                }
                drop(status);
                match self.cx.poll.as_ref().filter(|_| ask == Some(until)) {
                    Some(poll) => self.ask(poll),
                    None => {
                        report = None;
                        self.cx.env.watch.report();
                    }
                }
                status = self.outcome.status.lock();
            }
        }
        true
    }

    /// Asks whether to go on waiting.
    pub(crate) fn ask(&self, poll: &Poll) {
        match poll.look() {
            Err(reason) => self.cx.cancel.cancel_with(reason),
            // Who was asked may know better than before who else could act.
            Ok(()) => self.cx.env.watch.check(),
        }
    }

    pub(crate) fn take_outcome(&self) -> (Result<Vec<Tensor>>, Option<StepTrace>) {
        let error = self.outcome.status.lock().error.take();
        // A function's events are its caller's to collect.
        let own = self.cx.tracing.as_ref().filter(|tracing| tracing.function.is_empty());
        let trace = own.map(|tracing| {
            self.settle(tracing, error.as_ref());
            tracing.recorder.finish_with(|| record::edges(&self.plan))
        });
        if let Some(error) = error {
            self.dismantle();
            // What the slots hold ends with the step, before anybody is told: others may wait for that.
            let all = Span { start: 0, end: self.plan.frames[0].slots };
            // SAFETY: as below.
            #[allow(unsafe_code)]
            clear(unsafe { self.root.inputs(all) });
            return (Err(error), trace);
        }
        // SAFETY: the step is done: nobody writes to the fetches' slots any more, and only its owner asks for them.
        #[allow(unsafe_code)]
        let slots = unsafe { self.root.inputs(self.plan.fetches) };
        let names = &self.plan.fetch_names;
        let fetched = slots.iter_mut().zip(names).map(|(slot, name)| fetched(slot, name)).collect();
        (fetched, trace)
    }

    /// Waits for devices to say when they did what the step queued. A step that failed shows what is known by then.
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

    /// Breaks the circles of frames and iterations that an aborted step leaves behind.
    fn dismantle(&self) {
        let children = std::mem::take(&mut *self.root.children.lock());
        children.iter().for_each(|(_, frame)| frame.dismantle());
    }
}

/// Takes a fetched value out of its slot.
pub(crate) fn fetched(slot: &mut Entry, name: &str) -> Result<Tensor> {
    match slot {
        Entry::Constant(tensor) => Ok(tensor.clone()),
        _ => match std::mem::take(slot) {
            Entry::Value(tensor) => Ok(tensor),
            Entry::Ref(cell) => cell.value.read().clone().ok_or_else(|| {
                Error::failed_precondition(format!("Attempting to use uninitialized value {}", cell.name))
            }),
            _ => Err(Error::invalid(format!("Retval for {name} does not have value"))
                .help("it lies on a branch of a conditional that was not taken")),
        },
    }
}
