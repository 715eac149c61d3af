//! Queue runners: they enqueue until their input ends. Each enqueue is a step that restarts itself, so thousands of
//! runners need no threads of their own.

use crate::coordinator::{Coordinator, Member};
use crate::session::{Active, Inner, Session};
use crate::waiting::own_name;
use levada_executor::Plan;
use levada_graph::Act;
use levada_graph::collections::queue_runners;
use levada_graph::graph::split_endpoint;
use levada_graph::{Error, QueueRunnerDef, Result};
use levada_kernel::CancelToken;
use levada_sync::Mutex;
use levada_sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

/// How often a runner enqueues before it yields its thread.
const ROUNDS: usize = 32;

/// The queue runners that were started in a session.
pub(crate) type Runners = Mutex<Vec<Arc<Record>>>;

/// Holds the enqueues that wait while queue runners are paused.
#[derive(Default)]
pub(crate) struct Gate(Mutex<GateState>);

#[derive(Default)]
struct GateState {
    /// Number of pauses in force.
    pauses: usize,
    waiting: Vec<Arc<Enqueue>>,
}

/// While this exists, the queue runners of a session begin no step.
pub struct Paused {
    session: Arc<Inner>,
    /// The holder of the pause may still act, so a wait meanwhile is not a stall.
    _active: Active,
}

impl Drop for Paused {
    fn drop(&mut self) {
        let mut held = self.session.gate.0.lock();
        held.pauses -= 1;
        let resumed = if held.pauses == 0 { std::mem::take(&mut held.waiting) } else { Vec::new() };
        drop(held);
        resumed.into_iter().for_each(Enqueue::resume);
    }
}

/// How often to check whether the runners have paused.
const ATTENTION: Duration = Duration::from_micros(200);

/// The state of a queue runner.
#[derive(Clone, PartialEq, Debug)]
pub struct RunnerStatus {
    /// The definition of the runner.
    pub def: QueueRunnerDef,
    /// How many of its enqueues are still running.
    pub running: usize,
    /// The first error of one of its enqueues; the end of the input counts.
    pub ended_with: Option<Error>,
}

impl Session {
    /// Starts the queue runners in the graph's collections that are not running yet; returns how many. `coordinator`
    /// stops them.
    ///
    /// # Errors
    /// Every fault of the runners; none has been started then.
    pub fn start_queue_runners(&self, coordinator: &Coordinator) -> Result<usize> {
        self.start_these(queue_runners(&self.graph().collections)?, coordinator)
    }

    /// Starts a queue runner unless it is running.
    ///
    /// # Errors
    /// The fault of the runner.
    pub fn start_queue_runner(&self, runner: &QueueRunnerDef, coordinator: &Coordinator) -> Result<()> {
        self.start_these(vec![runner.clone()], coordinator).map(drop)
    }

    /// Pauses the queue runners of this session until the result is dropped: each has ended its step, or waits in it
    /// for room in a queue. Elements in flight are then only in waiting nodes: a runner that waits for an element in
    /// the middle of a step gets it first if another runner produces it. Other runs of the session continue and may
    /// change queues meanwhile.
    ///
    /// # Errors
    /// `DEADLINE_EXCEEDED` if the runners do not pause within `timeout`; they continue then.
    pub fn pause_queue_runners(&self, timeout: Duration) -> Result<Paused> {
        let inner = self.inner.shared();
        let paused = Paused { _active: Active::of(&inner), session: inner };
        paused.session.gate.0.lock().pauses += 1;
        let until = levada_sync::now().checked_add(timeout);
        loop {
            if !paused.session.runners_rest() {
                if until.is_some_and(|until| levada_sync::now() >= until) {
                    return Err(Error::deadline_exceeded(format!(
                        "the queue runners did not pause within {timeout:?}"
                    ))
                    .help("one of their steps takes longer, or other threads are running steps of the session"));
                }
                levada_sync::sleep(ATTENTION);
            } else if !paused.session.feed_runners() {
                return Ok(paused);
            }
        }
    }

    /// The states of the queue runners that this session started.
    pub fn queue_runners(&self) -> Vec<RunnerStatus> {
        self.inner.runners.lock().iter().map(|runner| runner.status()).collect()
    }

    fn start_these(&self, defs: Vec<QueueRunnerDef>, coordinator: &Coordinator) -> Result<usize> {
        let is_running = |def: &QueueRunnerDef| {
            let runners = self.inner.runners.lock();
            runners.iter().any(|r| r.def == *def && r.running.load(Ordering::Acquire) > 0)
        };
        let mut faults = Vec::new();
        let mut runners = Vec::new();
        for def in defs.into_iter().filter(|def| !is_running(def)) {
            match Runner::new(&self.inner.shared(), def, coordinator) {
                Ok(runner) => runners.push(runner),
                Err(error) => faults.push(error),
            }
        }
        if let Some(error) = Error::join(faults) {
            return Err(error);
        }
        let started = runners.len();
        for (runner, plans) in runners {
            let mut known = self.inner.runners.lock();
            known.retain(|r| r.def != runner.record.def);
            known.push(runner.record.clone());
            drop(known);
            runner.start(plans);
        }
        Ok(started)
    }
}

impl Inner {
    /// True if each step in progress waits at a queue or the like, and nothing else is running.
    fn runners_rest(&self) -> bool {
        let look = || -> Option<Vec<(u64, u64)>> {
            // The pause itself counts as one.
            let others = self.running.load(Ordering::SeqCst) > self.gate.0.lock().pauses;
            let steps = if others { return None } else { self.env.watch.steps() };
            steps.iter().map(|step| Some((step.number(), step.sleeps()?))).collect()
        };
        // A step may wake another and fall asleep between two looks. If two looks agree, all steps slept in between.
        look().is_some_and(|first| look() == Some(first))
    }

    /// Lets the runners of the queues at which a step waits for elements enqueue once; false if there are none.
    fn feed_runners(&self) -> bool {
        let parked = self.env.watch.steps().into_iter().flat_map(|step| step.parked());
        let hungry = parked.filter(|p| p.resource.need(p.waiter).is_some_and(|need| need.act == Act::Take));
        let hungry: HashSet<String> = hungry.map(|p| p.resource.state().name).collect();
        if hungry.is_empty() {
            return false;
        }
        let graph = self.graph();
        let feeds = |enqueue: &mut Arc<Enqueue>| {
            let queue = &enqueue.runner.record.def.queue;
            let queue = graph.find(split_endpoint(queue).0).map(|id| own_name(&graph, id));
            queue.is_some_and(|queue| hungry.contains(&queue))
        };
        let fed: Vec<Arc<Enqueue>> = self.gate.0.lock().waiting.extract_if(.., feeds).collect();
        let any = !fed.is_empty();
        for enqueue in fed {
            enqueue.pass.store(true, Ordering::Release);
            enqueue.resume();
        }
        any
    }
}

/// The progress of a queue runner.
pub(crate) struct Record {
    def: QueueRunnerDef,
    /// How many of its enqueues are still running.
    running: AtomicUsize,
    ended_with: Mutex<Option<Error>>,
}

impl Record {
    pub(crate) fn status(&self) -> RunnerStatus {
        RunnerStatus {
            def: self.def.clone(),
            running: self.running.load(Ordering::Acquire),
            ended_with: self.ended_with.lock().clone(),
        }
    }
}

/// A queue runner that was started.
struct Runner {
    record: Arc<Record>,
    session: Arc<Inner>,
    coordinator: Coordinator,
    close: Option<Arc<Plan>>,
    cancel: Option<Arc<Plan>>,
}

impl Runner {
    fn new(
        session: &Arc<Inner>,
        def: QueueRunnerDef,
        coordinator: &Coordinator,
    ) -> Result<(Arc<Runner>, Vec<Arc<Plan>>)> {
        let plan = |target: &String| session.plan(&[target]);
        let optional = |target: &String| if target.is_empty() { Ok(None) } else { plan(target).map(Some) };
        let of_runner = |error: Error| error.help(format!("it is listed in the queue runner of {:?}", def.queue));
        let plans = def.enqueue.iter().map(plan).collect::<Result<Vec<_>>>().map_err(of_runner)?;
        let (close, cancel) = (optional(&def.close).map_err(of_runner)?, optional(&def.cancel).map_err(of_runner)?);
        let record = Arc::new(Record { running: AtomicUsize::new(plans.len()), ended_with: Mutex::default(), def });
        let runner = Runner { record, session: session.clone(), coordinator: coordinator.clone(), close, cancel };
        Ok((Arc::new(runner), plans))
    }

    fn start(self: Arc<Self>, plans: Vec<Arc<Plan>>) {
        let enqueues: Vec<Arc<Enqueue>> = plans
            .into_iter()
            .zip(&self.record.def.enqueue)
            .map(|(plan, name)| {
                let cancel = self.session.closed.child();
                let member = self.coordinator.enter(name.as_str().into(), Some(cancel.clone()));
                Arc::new(Enqueue {
                    runner: self.clone(),
                    name: name.as_str().into(),
                    plan,
                    cancel,
                    member: Mutex::new(Some(member)),
                    phase: AtomicU8::new(RETURNED),
                    pass: AtomicBool::new(false),
                    result: Mutex::default(),
                })
            })
            .collect();
        if let Some(cancel) = &self.cancel {
            let (runner, cancel) = (self.clone(), cancel.clone());
            self.coordinator.on_stop(move || runner.once(&cancel, &runner.record.def.cancel, "to cancel"));
        }
        enqueues.into_iter().for_each(Enqueue::resume);
    }

    /// Runs a step that closes the queue and ignores its result: the queue may be closed already.
    fn once(self: &Arc<Self>, plan: &Arc<Plan>, target: &str, what: &str) {
        let name = format!("{} ({what})", self.record.def.queue);
        let member = self.coordinator.enter(name.as_str().into(), None);
        let (runner, plan, target) = (self.clone(), plan.clone(), target.to_owned());
        let active = Active::of(&self.session);
        let job = move || {
            runner.session.begin(&plan, (&target, None), runner.session.closed.child(), move |_| drop(member));
            drop(active);
        };
        // Without a thread the session cannot recover, and its runs report it.
        let _ = levada_executor::spawn(&self.session.env, job);
    }
}

/// A step is in progress: the call that runs it has not returned, and the step has not ended.
const UNDER_WAY: u8 = 0;
/// The call has returned: the thread that ends the step continues.
const RETURNED: u8 = 1;
/// The step has ended: the call continues when it returns.
const ENDED: u8 = 2;

/// One of a runner's enqueues, which runs repeatedly.
struct Enqueue {
    runner: Arc<Runner>,
    /// Name of the node that it runs.
    name: Arc<str>,
    plan: Arc<Plan>,
    cancel: CancelToken,
    /// The member that the coordinator waits for.
    member: Mutex<Option<Member>>,
    /// Which of the two comes second: the return of the call that runs the step, or the step's end.
    phase: AtomicU8,
    /// True if it may run a step although the runners are paused.
    pass: AtomicBool,
    /// The result of the last step until it is handled.
    result: Mutex<Option<Result<()>>>,
}

impl Enqueue {
    /// Schedules it on the session's threads, behind the work that is queued there.
    fn resume(self: Arc<Self>) {
        let (this, active) = (self.clone(), Active::of(&self.runner.session));
        let turn = move || {
            if this.run() {
                this.resume();
            }
            // From here on its step, which is on the watch's list, shows whether it sleeps.
            drop(active);
        };
        if let Err(error) = levada_executor::spawn(&self.runner.session.env, turn) {
            self.end(Some(error));
        }
    }

    /// Runs up to [`ROUNDS`] steps; true if it could continue immediately.
    fn run(self: &Arc<Self>) -> bool {
        if !self.goes_on() {
            return false;
        }
        for _ in 0..ROUNDS {
            if self.runner.coordinator.should_stop() {
                self.end(None);
                return false;
            }
            if self.is_held() {
                return false;
            }
            self.phase.store(UNDER_WAY, Ordering::Release);
            let this = self.clone();
            let session = &self.runner.session;
            session.begin(&self.plan, (&self.name, Some(&self.name)), self.cancel.clone(), move |result| {
                this.step_ended(result)
            });
            if self.phase.swap(RETURNED, Ordering::AcqRel) == UNDER_WAY || !self.goes_on() {
                return false;
            }
        }
        true
    }

    /// Parks it until the runners resume if they are paused; returns whether it did.
    fn is_held(self: &Arc<Self>) -> bool {
        let mut held = self.runner.session.gate.0.lock();
        let waits = held.pauses > 0 && !self.pass.swap(false, Ordering::AcqRel);
        if waits {
            held.waiting.push(self.clone());
        }
        waits
    }

    fn step_ended(self: Arc<Self>, result: Result<()>) {
        *self.result.lock() = Some(result);
        if self.phase.swap(ENDED, Ordering::AcqRel) == RETURNED {
            self.resume();
        }
    }

    /// Handles the result of the last step; true if another step follows.
    fn goes_on(self: &Arc<Self>) -> bool {
        match self.result.lock().take() {
            None | Some(Ok(())) => true,
            Some(Err(error)) => {
                self.end(Some(error));
                false
            }
        }
    }

    /// Ends it. The last enqueue to reach the end of the input closes the queue.
    fn end(&self, error: Option<Error>) {
        let runner = &self.runner;
        if let Some(error) = &error {
            runner.record.ended_with.lock().get_or_insert_with(|| error.clone());
        }
        let last = runner.record.running.fetch_sub(1, Ordering::AcqRel) == 1;
        match error {
            Some(error) if runner.record.def.closed_by.contains(&error.code()) => {
                if let (true, Some(close)) = (last, &runner.close) {
                    runner.once(close, &runner.record.def.close, "to close");
                }
            }
            Some(_) if runner.session.closed.is_cancelled() => runner.coordinator.request_stop(),
            Some(error) => runner.coordinator.fail(error),
            None => {}
        }
        drop(self.member.lock().take());
    }
}
