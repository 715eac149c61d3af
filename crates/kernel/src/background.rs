//! Work of a session that belongs to no step: what an input pipeline computes ahead of its consumers.
//!
//! A [`Background`] calls functions and runs jobs on the pool's threads. While any of its work is under way it is on
//! the watch's list without a caller, and it is asleep when each of its calls is: so a pipeline that works ahead raises
//! no false alarm, and one that waits forever is found.

use crate::cancel::CancelToken;
use crate::env::{Callee, Env, OnReturn, OwnState, Site, StateScope, StepCx, Tracing};
use crate::resources::Scope;
use crate::watch::{ParkedNode, Sleeper};
use levada_graph::{Error, Func, Result, Tensor};
use levada_stall::{Activity, Sleeps};
use levada_sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

/// First number of backgrounds, so that none is that of a step.
const FIRST: u64 = 1 << 63;

/// Work that belongs to no step.
pub struct Background {
    number: u64,
    cancel: CancelToken,
    env: Weak<Env>,
    state: StateScope,
    /// Dropped once its calls have ended, if it is the last one with this state.
    _own: Option<Arc<OwnState>>,
    /// The scope that its calls wait in.
    scope: Arc<Scope>,
    /// The jobs that run or are about to.
    jobs: Activity,
    /// Held while it enters the watch's list, so that its number there is known before it leaves.
    listed: Mutex<Listed>,
}

#[derive(Default)]
struct Listed {
    /// Calls and jobs that have not ended.
    under_way: usize,
    /// Its number on the watch's list.
    id: Option<u64>,
}

/// The origin of a call, for traces and limits.
#[derive(Clone)]
pub struct Origin {
    /// Number of the step.
    pub step: u64,
    /// Nesting depth of its function calls.
    pub depth: u32,
    /// How it is traced.
    pub tracing: Option<Tracing>,
    /// [`StepCx::line`] of the steps it calls.
    pub line: u64,
}

impl Origin {
    /// The origin of calls from a step.
    pub fn of(step: &StepCx) -> Origin {
        Origin { step: step.id, depth: step.depth, tracing: step.tracing.clone(), line: step.line }
    }

    /// The same, for work that continues after the step has ended.
    pub fn later(&self) -> Origin {
        Origin { step: self.step, depth: 0, tracing: None, line: self.line }
    }
}

impl Background {
    /// Work in the session of `env`, which `cancel` cancels. `state`: where the nodes of its functions keep their
    /// state.
    pub fn new(env: &Arc<Env>, cancel: CancelToken, state: StateScope) -> Arc<Background> {
        Background::with(env, cancel, state, None)
    }

    /// Like [`Background::new`], for functions whose nodes have a state of their own.
    pub fn with_own_state(env: &Arc<Env>, cancel: CancelToken, state: Arc<OwnState>) -> Arc<Background> {
        Background::with(env, cancel, state.scope(), Some(state))
    }

    fn with(env: &Arc<Env>, cancel: CancelToken, state: StateScope, own: Option<Arc<OwnState>>) -> Arc<Background> {
        static NEXT: AtomicU64 = AtomicU64::new(FIRST);
        let jobs = Activity::of_one_thread();
        jobs.leave();
        Arc::new(Background {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            cancel,
            env: Arc::downgrade(env),
            state,
            _own: own,
            scope: Arc::new(env.scope()),
            jobs,
            listed: Mutex::default(),
        })
    }

    /// The token that cancels it.
    pub fn cancel_token(&self) -> &CancelToken {
        &self.cancel
    }

    /// The session's state and services; `None` once the session has ended.
    pub fn env(&self) -> Option<Arc<Env>> {
        self.env.upgrade()
    }

    /// Looks up `function`, to be run at `site` many times.
    ///
    /// # Errors
    /// If it cannot be run; `CANCELLED` once the session has ended.
    pub fn find(&self, function: &Func, site: &Site) -> Result<Arc<dyn Callee>> {
        let env = self.env.upgrade().ok_or_else(|| Error::cancelled("the session has ended"))?;
        let functions = env.functions.get().cloned();
        functions.ok_or_else(|| Error::unimplemented("functions cannot be called here"))?.find(function, site)
    }

    /// Runs a function on `args` for `origin` and hands its results to `on_return`, before this returns or later from
    /// another thread. The thread that calls belongs to a step or to a job, and calls [`Background::settle`] before it
    /// leaves that.
    pub fn call(
        self: &Arc<Self>,
        function: &dyn Callee,
        args: Vec<Tensor>,
        origin: &Origin,
        on_return: impl FnOnce(Result<Vec<Tensor>>) + Send + 'static,
    ) {
        let Some(env) = self.env.upgrade() else {
            return on_return(Err(Error::cancelled("the session has ended")));
        };
        let step = StepCx {
            id: origin.step,
            cancel: self.cancel.clone(),
            deadline: None,
            resources: Arc::new(Scope::within(self.scope.clone())),
            depth: origin.depth,
            tracing: origin.tracing.clone(),
            within: None,
            scope: self.state,
            line: origin.line,
            poll: None,
            env,
        };
        self.listed.lock().under_way += 1;
        let this = self.clone();
        let on_return: OnReturn = Box::new(move |results| {
            on_return(results);
            this.end();
        });
        function.call(args, &step, on_return);
    }

    /// Runs `job` on one of the pool's threads, after the work that is queued there. It must not block.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` if the system cannot start threads, `CANCELLED` once the session has ended; `job` is
    /// dropped.
    pub fn spawn(self: &Arc<Self>, job: impl FnOnce() + Send + 'static) -> Result<()> {
        let env = self.env.upgrade().ok_or_else(|| Error::cancelled("the session has ended"))?;
        let functions = env.functions.get().cloned();
        let functions = functions.ok_or_else(|| Error::unimplemented("no work can run in the background here"))?;
        // Awake before the requester of the job can leave.
        self.scope.wake();
        self.jobs.expect();
        self.listed.lock().under_way += 1;
        self.settle();
        let running = Running(self.clone());
        functions.spawn(Box::new(move || {
            let running = running;
            job();
            drop(running);
        }))
    }

    /// The calling thread leaves the step or job it belongs to: from here on, the calls under way are counted on their
    /// own.
    pub fn settle(self: &Arc<Self>) {
        let mut listed = self.listed.lock();
        if listed.under_way > 0
            && listed.id.is_none()
            && let Some(env) = self.env.upgrade()
        {
            listed.id = Some(env.watch.enter(self.clone(), false));
        }
    }

    /// Ends a call or a job, after what continues because of it has been counted.
    fn end(&self) {
        let mut listed = self.listed.lock();
        listed.under_way -= 1;
        let left = if listed.under_way == 0 { listed.id.take() } else { None };
        drop(listed);
        if let (Some(id), Some(env)) = (left, self.env.upgrade()) {
            env.watch.leave(id);
            env.watch.check();
        }
    }
}

/// A job that runs or is about to.
struct Running(Arc<Background>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.jobs.expect_no_more();
        self.0.end();
        if let Some(env) = self.0.env.upgrade() {
            env.watch.check();
        }
    }
}

impl Sleeps for Background {
    fn sleeps(&self) -> Option<u64> {
        let wakes = self.scope.wakes();
        (self.jobs.is_idle() && self.scope.all_sleep()).then_some(wakes)
    }
}

impl Sleeper for Background {
    fn number(&self) -> u64 {
        self.number
    }

    fn parked(&self) -> Vec<ParkedNode> {
        self.scope.members().iter().flat_map(|member| member.parked()).collect()
    }

    fn calling(&self) -> Vec<Arc<str>> {
        Vec::new()
    }

    fn behind(&self, node: &str) -> Vec<Arc<str>> {
        self.scope.members().iter().flat_map(|member| member.behind(node)).collect()
    }

    fn nodes(&self) -> Vec<Arc<str>> {
        self.scope.members().iter().flat_map(|member| member.nodes()).collect()
    }

    fn fail(&self, error: Error) {
        self.cancel.cancel_with(error);
    }

    fn has_deadline(&self) -> bool {
        false
    }
}
