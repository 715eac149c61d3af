//! A step that is fed and fetched in several calls: for each feed, a node waits, without a thread, for its value; for
//! each fetch, a node keeps its value until it is fetched.

use crate::feeds::check_feed;
use crate::outcome::fetched;
use crate::plan::Plan;
use crate::step::{Step, StepOptions, start_with};
use levada_graph::{Error, Result, Tensor};
use levada_kernel::cancel::Registration;
use levada_kernel::watch::{ParkedNode, Sleeper};
use levada_kernel::{AnyKernel, Ask, Completion, Cost, Env, Io, Poll, Wait};
use levada_stall::Sleeps;
use levada_sync::{Condvar, Mutex};
use levada_trace::StepTrace;
use std::sync::Arc;
use std::time::Instant;

/// The name of the exchange among the resources of a step.
const NAME: &str = "partial run";

/// The op of feeds' nodes, for traces.
pub const FEED_OP: &str = "Feed";
/// The op of fetches' nodes, for traces.
pub const FETCH_OP: &str = "Fetch";

enum Feed {
    Unfed,
    /// Its node waits for it.
    Awaited(Completion),
    /// Its node has not run yet.
    Given(Tensor),
    Done,
}

enum Fetched {
    Pending,
    Here(Result<Tensor>),
    Taken,
}

struct State {
    feeds: Vec<Feed>,
    fetches: Vec<Fetched>,
    ended: Option<(Result<()>, Option<Box<StepTrace>>)>,
}

/// Where the caller of a partial run and its nodes meet.
struct Exchange {
    /// Protects what has been fed and fetched, and how the run ended. Completions are finished outside of it.
    state: Mutex<State>,
    changed: Condvar,
}

impl Exchange {
    fn of(io: &Io<'_>) -> Result<Arc<Exchange>> {
        let found = io.step().resources.get::<Exchange>("", NAME);
        found.ok_or_else(|| Error::internal("a feed of a partial run is in another step"))
    }

    fn lay_up(&self, fetch: usize, value: Result<Tensor>) {
        self.state.lock().fetches[fetch] = Fetched::Here(value);
        self.changed.notify_all();
    }

    fn end(&self, result: Result<()>, trace: Option<Box<StepTrace>>) {
        self.state.lock().ended = Some((result, trace));
        self.changed.notify_all();
    }

    /// Finishes the nodes that wait for feeds that will not come.
    fn give_up(&self, reason: &Error) {
        let awaited: Vec<Feed> = {
            let mut state = self.state.lock();
            let waits = state.feeds.iter_mut().filter(|feed| matches!(feed, Feed::Awaited(_)));
            waits.map(|feed| std::mem::replace(feed, Feed::Done)).collect()
        };
        for feed in awaited {
            if let Feed::Awaited(done) = feed {
                done.finish(Err(reason.clone()));
            }
        }
    }
}

impl State {
    fn has(&self, fetches: &[usize]) -> bool {
        self.ended.is_some() || fetches.iter().all(|&i| !matches!(self.fetches[i], Fetched::Pending))
    }
}

/// The kernel of the node that a feed of a partial run becomes.
pub struct FeedKernel(pub usize);

impl AnyKernel for FeedKernel {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        let exchange = Exchange::of(io)?;
        let mut state = exchange.state.lock();
        // A value fed after a cancellation is not used, however late this node runs: `feed` takes the lock first.
        if let Some(reason) = io.cancel().reason() {
            return Err(reason);
        }
        match std::mem::replace(&mut state.feeds[self.0], Feed::Done) {
            Feed::Given(tensor) => io.set(0, tensor),
            _ => state.feeds[self.0] = Feed::Awaited(io.defer_for(Wait::Feed)),
        }
        drop(state);
        // A cancellation before the deferral found nothing to finish.
        if let Some(reason) = io.cancel().reason() {
            exchange.give_up(&reason);
        }
        Ok(())
    }
    fn cost(&self) -> Cost {
        Cost::Cheap
    }
}

/// The kernel of the node that a fetch of a partial run becomes.
pub struct FetchKernel {
    /// Number of the fetch.
    pub fetch: usize,
    /// Its name.
    pub name: Arc<str>,
}

impl AnyKernel for FetchKernel {
    fn compute(&self, io: &mut Io<'_>) -> Result<()> {
        let value = match io.entry(0) {
            Some(entry) => fetched(entry, self.fetch, &self.name),
            None => Err(Error::internal("a fetch has no input")),
        };
        Exchange::of(io)?.lay_up(self.fetch, value);
        Ok(())
    }
    fn cost(&self) -> Cost {
        Cost::Cheap
    }
}

/// A step that is running, is fed and is fetched from. Dropping it cancels the step.
pub struct PartialStep {
    step: Arc<Step>,
    exchange: Arc<Exchange>,
    _listening: Registration,
}

impl PartialStep {
    /// Starts a step of a plan that was made for a partial run, on the pool's threads.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` if the system cannot start threads.
    pub fn start(plan: &Arc<Plan>, env: &Arc<Env>, options: &StepOptions) -> Result<PartialStep> {
        let state = State {
            feeds: plan.later.iter().map(|_| Feed::Unfed).collect(),
            fetches: plan.fetch_names.iter().map(|_| Fetched::Pending).collect(),
            ended: None,
        };
        let exchange = Arc::new(Exchange { state: Mutex::new(state), changed: Condvar::new() });
        let (told, shared) = (exchange.clone(), exchange.clone());
        let mut listening = None;
        let on_done = Box::new(move |result: Result<Vec<Tensor>>, trace| told.end(result.map(drop), trace));
        let step = start_with(plan, env, options, on_done, |step| {
            step.cx.resources.insert("", NAME, shared.clone());
            listening = Some(step.cx.cancel.on_cancel(move |reason| shared.give_up(reason)));
        })?;
        let listening = listening.ok_or_else(|| Error::internal("a partial run was not set up"))?;
        Ok(PartialStep { step, exchange, _listening: listening })
    }

    /// Checks a value for a feed.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a dtype or shape that does not fit.
    pub fn check(&self, feed: usize, value: &Tensor) -> Result<()> {
        check_feed(&self.step.plan.later[feed], value)
    }

    /// Sets the value of a feed. The caller has checked it, and calls this once for each feed.
    pub fn feed(&self, feed: usize, value: Tensor) {
        let mut state = self.exchange.state.lock();
        match std::mem::replace(&mut state.feeds[feed], Feed::Done) {
            Feed::Unfed => state.feeds[feed] = Feed::Given(value),
            Feed::Awaited(done) => {
                drop(state);
                done.finish(Ok(vec![value]));
            }
            Feed::Given(_) | Feed::Done => {}
        }
    }

    /// The fetches that depend on one of these feeds.
    pub fn behind(&self, feeds: &[usize]) -> Vec<usize> {
        let plan = &self.step.plan;
        let (first_feed, first_fetch) = (plan.first_partial as usize, plan.first_partial as usize + plan.later.len());
        let mut found = vec![false; plan.nodes.len()];
        let mut open: Vec<usize> = feeds.iter().map(|feed| first_feed + feed).collect();
        while let Some(at) = open.pop() {
            for to in plan.after(&plan.nodes[at]) {
                if !std::mem::replace(&mut found[to as usize], true) {
                    open.push(to as usize);
                }
            }
        }
        (0..plan.fetch_names.len()).filter(|fetch| found[first_fetch + fetch]).collect()
    }

    /// Waits for the values of these fetches, each of which is requested once. `poll` is called now and then; its error
    /// ends the step.
    ///
    /// # Errors
    /// The error of the step; `DEADLINE_EXCEEDED` once `deadline` has passed, which ends the step.
    pub fn fetch(&self, fetches: &[usize], deadline: Option<Instant>, poll: Option<Arc<Ask>>) -> Result<Vec<Tensor>> {
        let wanted: Arc<[usize]> = fetches.into();
        self.wait(deadline, poll, wanted.clone(), move |state| state.has(&wanted));
        let mut state = self.exchange.state.lock();
        if let Some((Err(error), _)) = &state.ended {
            return Err(error.clone());
        }
        let take = |&fetch: &usize| match std::mem::replace(&mut state.fetches[fetch], Fetched::Taken) {
            Fetched::Here(value) => value,
            _ => Err(Error::internal("a fetch of a partial run has no value")),
        };
        fetches.iter().map(take).collect()
    }

    /// Waits until every node has run, which requires that all feeds are given. The first caller gets the trace.
    ///
    /// # Errors
    /// As [`PartialStep::fetch`].
    pub fn end(&self, deadline: Option<Instant>, poll: Option<Arc<Ask>>) -> (Result<()>, Option<Box<StepTrace>>) {
        self.wait(deadline, poll, Arc::from([]), |state| state.ended.is_some());
        let mut state = self.exchange.state.lock();
        match &mut state.ended {
            Some((result, trace)) => (result.clone(), trace.take()),
            None => (Err(Error::internal("a partial run has not ended")), None),
        }
    }

    /// Ends the step with this error, unless it has ended.
    pub fn cancel(&self, reason: Error) {
        self.step.fail(reason);
    }

    fn wait(
        &self,
        deadline: Option<Instant>,
        poll: Option<Arc<Ask>>,
        wanted: Arc<[usize]>,
        is_there: impl Fn(&State) -> bool,
    ) {
        if is_there(&self.exchange.state.lock()) {
            return;
        }
        let watch = &self.step.cx.env.watch;
        let (step, exchange) = (self.step.clone(), self.exchange.clone());
        let id = watch.enter(Arc::new(Caller { step, exchange, wanted, timed: deadline.is_some() }), true);
        watch.check();
        let mut state = self.exchange.state.lock();
        let poll = poll.map(Poll::new);
        while !is_there(&state) {
            // Once cancelled it ends without a further cancellation.
            let deadline = deadline.filter(|_| state.ended.is_none() && !self.step.cx.cancel.is_cancelled());
            if deadline.is_some_and(|deadline| levada_sync::now() >= deadline) {
                drop(state);
                self.step.fail(self.step.cx.past_deadline());
                state = self.exchange.state.lock();
                continue;
            }
            let ask = poll.as_ref().map(Poll::due);
            match deadline.into_iter().chain(ask).min() {
                None => self.exchange.changed.wait(&mut state),
                Some(until) => {
                    let timed_out = self.exchange.changed.wait_until(&mut state, until).timed_out();
                    if timed_out && let Some(poll) = poll.as_ref().filter(|_| ask == Some(until)) {
                        drop(state);
                        self.step.ask(poll);
                        state = self.exchange.state.lock();
                    }
                }
            }
        }
        drop(state);
        watch.leave(id);
    }
}

impl Drop for PartialStep {
    fn drop(&mut self) {
        self.step.fail(Error::cancelled("the partial run was dropped"));
    }
}

/// A caller that waits for some of a step's fetches.
struct Caller {
    step: Arc<Step>,
    exchange: Arc<Exchange>,
    wanted: Arc<[usize]>,
    timed: bool,
}

impl Sleeps for Caller {
    fn sleeps(&self) -> Option<u64> {
        // What it waits for may have arrived, but it has not noticed yet.
        let asleep = {
            let state = self.exchange.state.lock();
            state.ended.is_none() && (self.wanted.is_empty() || !state.has(&self.wanted))
        };
        if asleep { self.step.sleeps() } else { None }
    }
}

impl Sleeper for Caller {
    fn number(&self) -> u64 {
        self.step.number()
    }
    fn parked(&self) -> Vec<ParkedNode> {
        self.step.parked()
    }
    fn calling(&self) -> Vec<Arc<str>> {
        self.step.calling()
    }
    fn unfed(&self) -> Vec<Arc<str>> {
        self.step.unfed()
    }
    fn behind(&self, node: &str) -> Vec<Arc<str>> {
        self.step.behind(node)
    }
    fn nodes(&self) -> Vec<Arc<str>> {
        self.step.nodes()
    }
    fn fail(&self, error: Error) {
        self.step.fail(error);
    }
    fn has_deadline(&self) -> bool {
        self.timed
    }
}
