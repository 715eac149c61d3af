//! The session: how it is created, runs, recovers and ends.

use crate::hook::{Context, Hook, Request, Values};
use crate::pipeline::Unsaved;
use crate::saving::{Saving, clean};
use crate::scaffold::{Parts, Scaffold};
use crate::stop::{Stop, Watch};
use levada_builder::Builder;
use levada_checkpoint::latest;
use levada_graph::{Code, Error, Graph, Registry, Result, Tensor};
use levada_session::{Coordinator, RunMetadata, RunOptions, Session, Waiting};
use levada_train::SaverOptions;
use std::cell::Cell;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// Opens a session on a graph.
pub type Open = dyn Fn(Graph) -> Result<Session>;

/// Options for creating a [`MonitoredSession`].
pub struct Monitored {
    graph: Graph,
    registry: Arc<Registry>,
    open: Box<Open>,
    scaffold: Scaffold,
    hooks: Vec<Box<dyn Hook>>,
    rules: Rules,
    stop: Stop,
}

/// True for errors after which a new session continues.
type Recovers = dyn Fn(&Error) -> bool;

/// The settings that stay the same across restarts.
struct Rules {
    checkpoint_dir: Option<PathBuf>,
    checkpoint: Option<PathBuf>,
    saver: SaverOptions,
    input: bool,
    restarts: usize,
    recovers: Option<Box<Recovers>>,
    grace: Duration,
}

impl Monitored {
    /// A monitored session on `graph`, whose ops are in `registry`. `open` opens a session on a graph: once at first,
    /// and again for each restart.
    pub fn new(graph: Graph, registry: Arc<Registry>, open: impl Fn(Graph) -> Result<Session> + 'static) -> Monitored {
        let rules = Rules {
            checkpoint_dir: None,
            checkpoint: None,
            saver: SaverOptions::default(),
            input: true,
            restarts: 10,
            recovers: None,
            grace: Duration::from_secs(120),
        };
        let (scaffold, stop) = (Scaffold::default(), Stop::new());
        Monitored { graph, registry, open: Box::new(open), scaffold, hooks: Vec::new(), rules, stop }
    }

    /// Restores the latest checkpoint in this directory, if it has one, at first and after each restart.
    /// [`SaveCheckpoints`](crate::hooks::SaveCheckpoints) saves there.
    #[must_use]
    pub fn checkpoint_dir(mut self, directory: impl Into<PathBuf>) -> Monitored {
        self.rules.checkpoint_dir = Some(directory.into());
        self
    }

    /// Restores the checkpoint with this prefix if the checkpoint directory has none.
    #[must_use]
    pub fn checkpoint(mut self, prefix: impl Into<PathBuf>) -> Monitored {
        self.rules.checkpoint = Some(prefix.into());
        self
    }

    /// Sets what the session needs before its first step.
    #[must_use]
    pub fn scaffold(mut self, scaffold: Scaffold) -> Monitored {
        self.scaffold = scaffold;
        self
    }

    /// Adds a hook after those added before.
    #[must_use]
    pub fn hook(mut self, hook: impl Hook + 'static) -> Monitored {
        self.hooks.push(Box::new(hook));
        self
    }

    /// Sets how checkpoints are saved.
    #[must_use]
    pub fn saver(mut self, options: SaverOptions) -> Monitored {
        self.rules.saver = options;
        self
    }

    /// Excludes the input state from what is restored: queues start empty, and readers and local variables start over,
    /// as in TensorFlow.
    #[must_use]
    pub fn fresh_input(mut self) -> Monitored {
        self.rules.input = false;
        self
    }

    /// Lets this request a stop of the session.
    #[must_use]
    pub fn stop(mut self, stop: &Stop) -> Monitored {
        self.stop = stop.clone();
        self
    }

    /// How often the session is restarted without a successful run in between; 10 times by default. 0 for never.
    #[must_use]
    pub fn restarts(mut self, most: usize) -> Monitored {
        self.rules.restarts = most;
        self
    }

    /// Also restarts after errors for which `recovers` is true, besides `ABORTED` and `UNAVAILABLE`.
    #[must_use]
    pub fn recover_if(mut self, recovers: impl Fn(&Error) -> bool + 'static) -> Monitored {
        self.rules.recovers = Some(Box::new(recovers));
        self
    }

    /// How long the queue runners have to end when the session is closed; 120 seconds by default.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Monitored {
        self.rules.grace = grace;
        self
    }

    /// Calls the hooks' `begin`, completes the graph, and creates the first session.
    ///
    /// # Errors
    /// Any error of a hook, of initialization or of a checkpoint.
    pub fn start(self) -> Result<MonitoredSession> {
        let Monitored { graph, registry, open, scaffold, mut hooks, rules, stop } = self;
        let mut b = Builder::on(graph, registry);
        for hook in &mut hooks {
            hook.begin(&mut b)?;
        }
        let parts = Rc::new(Parts::of(&mut b, &scaffold)?);
        let graph = b.finish()?;
        let watch = Watch::new(&stop, GRACE);
        let mut session = MonitoredSession {
            graph,
            open,
            scaffold,
            parts,
            hooks,
            rules,
            stop,
            watch,
            stopping: Cell::new(false),
            failures: 0,
            live: None,
        };
        session.revive()?;
        Ok(session)
    }
}

/// How long a run may continue once a stop was requested.
const GRACE: Duration = Duration::from_secs(2);

/// A session that is initialized or restored, calls hooks around its runs, and is restarted from the latest checkpoint
/// if a run fails for a reason other than the graph: TensorFlow's `MonitoredSession`.
pub struct MonitoredSession {
    graph: Graph,
    open: Box<Open>,
    scaffold: Scaffold,
    parts: Rc<Parts>,
    hooks: Vec<Box<dyn Hook>>,
    rules: Rules,
    stop: Stop,
    watch: Watch,
    stopping: Cell<bool>,
    /// Restarts since the last successful run.
    failures: usize,
    live: Option<Live>,
}

/// A session until its restart.
struct Live {
    session: Session,
    coordinator: Coordinator,
    saving: Saving,
}

impl MonitoredSession {
    /// True once a hook, a queue runner or a [`Stop`] has requested a stop, or a queue runner has failed.
    pub fn should_stop(&self) -> bool {
        if self.stopping.get() || self.stop.is_requested() {
            return true;
        }
        match &self.live {
            Some(live) if live.coordinator.should_stop() => {
                // The next run restarts the session.
                !live.coordinator.error().is_some_and(|error| self.recovers(&error))
            }
            _ => false,
        }
    }

    /// Runs what the fetches and targets need, as [`Session::run`] does, and what the hooks request. If that fails with
    /// `ABORTED` or `UNAVAILABLE`, or an error accepted by [`Monitored::recover_if`], creates a new session, restores
    /// the latest checkpoint and tries again.
    ///
    /// # Errors
    /// `FAILED_PRECONDITION` once the session should stop; the error of a hook or of the run.
    pub fn run(&mut self, feeds: &[(&str, Tensor)], fetches: &[&str], targets: &[&str]) -> Result<Vec<Tensor>> {
        if self.should_stop() {
            return Err(Error::failed_precondition("Run called even after should_stop requested.")
                .help("check should_stop before each run, or use MonitoredSession::train"));
        }
        loop {
            let result = match self.revive() {
                Ok(()) => self.attempt(feeds, fetches, targets),
                Err(error) => return Err(error),
            };
            match result {
                Ok(values) => {
                    self.failures = 0;
                    return Ok(values);
                }
                Err(error) => self.give_up_on(error)?,
            }
        }
    }

    /// Runs `step` until the session should stop or the input ends (`OUT_OF_RANGE`), and closes the session.
    ///
    /// # Errors
    /// The error of `step`, in which case the hooks' `end` is not called; otherwise the error of
    /// [`MonitoredSession::close`].
    pub fn train(mut self, mut step: impl FnMut(&mut MonitoredSession) -> Result<()>) -> Result<()> {
        while !self.should_stop() {
            match step(&mut self) {
                Ok(()) => {}
                Err(error) if error.code() == Code::OutOfRange => break,
                // The run was ended because it would have waited forever.
                Err(error) if error.code() == Code::Cancelled && self.stop.is_requested() => break,
                Err(error) => return Err(error),
            }
        }
        self.close()
    }

    /// Calls the hooks' `end`, stops the queue runners, and closes the session.
    ///
    /// # Errors
    /// The error of a hook, or else of a queue runner.
    pub fn close(mut self) -> Result<()> {
        let Some(live) = self.live.take() else { return Ok(()) };
        let at = live.context(&self.parts, &self.stopping, &self.stop);
        let ended = self.hooks.iter_mut().try_for_each(|hook| hook.end(&at)).and_then(|()| live.saving.finish());
        live.coordinator.request_stop();
        let joined = match live.coordinator.join(self.rules.grace) {
            // As in TensorFlow, runners that do not end in time are abandoned.
            Err(error) if error.code() == Code::DeadlineExceeded => Ok(()),
            joined => joined,
        };
        live.session.close();
        ended.and(joined)
    }

    /// The current session; its runs call no hooks. `None` after a restart has failed.
    pub fn session(&self) -> Option<&Session> {
        self.live.as_ref().map(|live| &live.session)
    }

    /// The state that checkpoints lack, by node: it starts over on a restart.
    pub fn unsaved(&self) -> &[Unsaved] {
        &self.parts.pipeline.unsaved
    }

    fn recovers(&self, error: &Error) -> bool {
        // A stalled run is an error in the graph.
        let stalled = error.report::<Waiting>().is_some();
        let lost = matches!(error.code(), Code::Aborted | Code::Unavailable) && !stalled;
        lost || self.rules.recovers.as_ref().is_some_and(|recovers| recovers(error))
    }

    /// Drops the session because of `error`, so that a new one is created.
    ///
    /// # Errors
    /// `error`, if a restart does not help after it or has been tried often enough.
    fn give_up_on(&mut self, error: Error) -> Result<()> {
        if !self.recovers(&error) || self.failures >= self.rules.restarts {
            return Err(error);
        }
        self.failures += 1;
        if let Some(live) = self.live.take() {
            (live.session.env().log)(&format!("the session is restarted: {error}\n"));
            live.abandon();
        }
        Ok(())
    }

    /// Creates a session if there is none.
    fn revive(&mut self) -> Result<()> {
        while self.live.is_none() {
            match self.create() {
                Ok(live) => self.live = Some(live),
                Err(error) => self.give_up_on(error)?,
            }
        }
        Ok(())
    }

    fn create(&mut self) -> Result<Live> {
        let session = (self.open)(self.graph.clone())?;
        let saving = Saving::new(&session, &self.parts, self.rules.saver.clone())?;
        self.initialize(&session, &saving)?;
        // As in TensorFlow, every error of a queue runner that does not close its queue counts.
        let live = Live { session, coordinator: Coordinator::with_clean([]), saving };
        let started = live.session.start_queue_runners(&live.coordinator).map(drop);
        let begun = started.and_then(|()| {
            let at = live.context(&self.parts, &self.stopping, &self.stop);
            self.hooks.iter_mut().try_for_each(|hook| hook.after_create_session(&at))
        });
        match begun {
            Ok(()) => Ok(live),
            Err(error) => {
                live.abandon();
                Err(error)
            }
        }
    }

    /// Initializes everything, or restores it from a checkpoint.
    fn initialize(&self, session: &Session, saving: &Saving) -> Result<()> {
        let mut checkpoint = None;
        if let Some(directory) = &self.rules.checkpoint_dir {
            checkpoint = latest(directory)?;
            clean(directory);
        }
        let checkpoint = checkpoint.or_else(|| self.rules.checkpoint.clone());
        let run = |nodes: &[String], feeds: &[(String, Tensor)]| {
            let nodes: Vec<&str> = nodes.iter().map(String::as_str).collect();
            let feeds: Vec<(&str, Tensor)> = feeds.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
            if nodes.is_empty() { Ok(()) } else { session.run(&feeds, &[], &nodes).map(drop) }
        };
        match &checkpoint {
            Some(prefix) => saving.restore(session, prefix)?,
            None => {
                run(&self.parts.init, &self.scaffold.init_feeds)?;
                if let Some(init) = &self.scaffold.init_fn {
                    init(session)?;
                }
            }
        }
        self.parts.ready_for_local_init.check(session, "ready for local_init")?;
        run(&self.parts.local_init, &[])?;
        self.parts.ready.check(session, "ready")?;
        if let (Some(prefix), true) = (&checkpoint, self.rules.input) {
            self.parts.pipeline.restore(session, prefix)?;
        }
        Ok(())
    }

    /// A run with the hooks.
    fn attempt(&mut self, feeds: &[(&str, Tensor)], fetches: &[&str], targets: &[&str]) -> Result<Vec<Tensor>> {
        let Some(live) = &self.live else { return Err(Error::internal("a monitored session has no session")) };
        if let Some(cause) = live.coordinator.error().filter(|cause| self.recovers(cause)) {
            return Err(cause);
        }
        let at = live.context(&self.parts, &self.stopping, &self.stop);
        let result = hooked(&at, &mut self.hooks, &self.watch, feeds, fetches, targets);
        result.map_err(|error| match live.coordinator.error() {
            // The queue runner's error is the cause, if it is recoverable.
            Some(cause) if !self.recovers(&error) && self.recovers(&cause) => cause,
            _ => error,
        })
    }
}

fn hooked(
    at: &Context<'_>,
    hooks: &mut [Box<dyn Hook>],
    watch: &Watch,
    feeds: &[(&str, Tensor)],
    fetches: &[&str],
    targets: &[&str],
) -> Result<Vec<Tensor>> {
    let requests: Vec<Request> = hooks.iter_mut().map(|hook| hook.before_run(at)).collect::<Result<_>>()?;
    let mut all_feeds = feeds.to_vec();
    for (name, value) in requests.iter().flat_map(|request| &request.feeds) {
        if let Some(at) = all_feeds.iter().position(|(known, _)| same(known, name)) {
            let whose = if at < feeds.len() { "by a hook and by the caller" } else { "by two hooks" };
            return Err(Error::invalid(format!("{name} is fed {whose}")));
        }
        all_feeds.push((name, value.clone()));
    }
    let wanted = requests.iter().flat_map(|request| &request.fetches).map(String::as_str);
    let all_fetches: Vec<&str> = fetches.iter().copied().chain(wanted).collect();
    let options = RunOptions {
        trace: requests.iter().any(|request| request.trace),
        timeout: requests.iter().filter_map(|request| request.timeout).max(),
        cancel: Some(watch.cancel.clone()),
        ..RunOptions::default()
    };
    let (mut values, metadata): (Vec<Tensor>, RunMetadata) =
        at.session.run_with(&options, &all_feeds, &all_fetches, targets)?;
    let wanted = values.split_off(fetches.len());
    let mut rest = &wanted[..];
    for (hook, request) in hooks.iter_mut().zip(&requests) {
        let (fetched, after) = rest.split_at(request.fetches.len());
        rest = after;
        hook.after_run(at, &Values { fetched, metadata: &metadata })?;
    }
    Ok(values)
}

/// True if two names refer to the same endpoint.
fn same(a: &str, b: &str) -> bool {
    a.strip_suffix(":0").unwrap_or(a) == b.strip_suffix(":0").unwrap_or(b)
}

impl Live {
    fn context<'a>(&'a self, parts: &'a Parts, stop: &'a Cell<bool>, asked: &'a Stop) -> Context<'a> {
        let Live { session, coordinator, saving } = self;
        Context { session, coordinator, parts, saving, stop, asked }
    }

    /// Ends it without saving.
    fn abandon(self) {
        self.coordinator.request_stop();
        self.session.close();
        // They have been cancelled, for a known reason.
        let _ = self.coordinator.join(Duration::from_secs(10));
    }
}

impl Drop for MonitoredSession {
    fn drop(&mut self) {
        if let Some(live) = self.live.take() {
            live.abandon();
        }
    }
}
