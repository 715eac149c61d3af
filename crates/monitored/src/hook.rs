//! Hooks: callbacks before, between and after the runs of a session.

use crate::saving::Saving;
use crate::scaffold::Parts;
use crate::stop::Stop;
use levada_builder::Builder;
use levada_graph::{Error, Result, Tensor};
use levada_session::{Coordinator, RunMetadata, Session};
use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Something that is done before, between and after the runs of a [`MonitoredSession`](crate::MonitoredSession), in the
/// order of TensorFlow's `SessionRunHook`:
///
/// ```text
/// begin                                 once, while the graph may still grow
/// after_create_session                  for each session: again after each restart
///     before_run, after_run             for each run; after_run not where the run fails
/// end                                   once, where the session is closed and nothing has failed
/// ```
///
/// Of several hooks each is called in the order in which they were added.
pub trait Hook {
    /// The graph is about to be complete; nodes may be added to it.
    ///
    /// # Errors
    /// If the graph lacks what the hook needs.
    fn begin(&mut self, graph: &mut Builder) -> Result<()> {
        let _ = graph;
        Ok(())
    }

    /// A session has been made, its variables have values, and its queue runners run.
    ///
    /// # Errors
    /// What the session then fails with.
    fn after_create_session(&mut self, at: &Context<'_>) -> Result<()> {
        let _ = at;
        Ok(())
    }

    /// A run is about to begin. Returns what to add to it.
    ///
    /// # Errors
    /// What the run then fails with.
    fn before_run(&mut self, at: &Context<'_>) -> Result<Request> {
        let _ = at;
        Ok(Request::default())
    }

    /// A run has succeeded. `values` are those of the hook's own fetches.
    ///
    /// # Errors
    /// What the run then fails with.
    fn after_run(&mut self, at: &Context<'_>, values: &Values<'_>) -> Result<()> {
        let _ = (at, values);
        Ok(())
    }

    /// The session is about to be closed.
    ///
    /// # Errors
    /// What closing then fails with.
    fn end(&mut self, at: &Context<'_>) -> Result<()> {
        let _ = at;
        Ok(())
    }
}

/// What a hook adds to a run.
#[derive(Clone, Default, Debug)]
pub struct Request {
    /// Endpoints whose values [`Hook::after_run`] gets.
    pub fetches: Vec<String>,
    /// Endpoints and their values. Neither the caller nor another hook may feed them.
    pub feeds: Vec<(String, Tensor)>,
    /// Records which node ran when and where.
    pub trace: bool,
    /// A limit for the run's time; of several the longest counts.
    pub timeout: Option<Duration>,
}

impl Request {
    /// Wants these endpoints.
    pub fn fetch<S: Into<String>>(fetches: impl IntoIterator<Item = S>) -> Request {
        Request { fetches: fetches.into_iter().map(Into::into).collect(), ..Request::default() }
    }
}

/// The results of a run.
pub struct Values<'a> {
    /// The values of the hook's own fetches, in order.
    pub fetched: &'a [Tensor],
    /// The metadata of the run.
    pub metadata: &'a RunMetadata,
}

/// A hook's view of the session.
pub struct Context<'a> {
    pub(crate) session: &'a Session,
    pub(crate) coordinator: &'a Coordinator,
    pub(crate) parts: &'a Parts,
    pub(crate) saving: &'a Saving,
    pub(crate) stop: &'a Cell<bool>,
    pub(crate) asked: &'a Stop,
}

impl Context<'_> {
    /// The session. Runs of it call no hooks.
    pub fn session(&self) -> &Session {
        self.session
    }

    /// What stops the queue runners.
    pub fn coordinator(&self) -> &Coordinator {
        self.coordinator
    }

    /// Lets [`MonitoredSession::should_stop`](crate::MonitoredSession::should_stop) be true once this run is over.
    pub fn request_stop(&self) {
        self.stop.set(true);
    }

    /// True if a stop was asked for.
    pub fn stop_requested(&self) -> bool {
        self.stop.get() || self.coordinator.should_stop() || self.asked.is_requested()
    }

    /// Endpoint of the counter of steps, where the graph has one.
    pub fn global_step_endpoint(&self) -> Option<&str> {
        self.parts.global_step.as_deref()
    }

    /// The counter of steps as it is now.
    ///
    /// # Errors
    /// `FAILED_PRECONDITION` if the graph has none.
    pub fn global_step(&self) -> Result<i64> {
        let endpoint = self.global_step_endpoint().ok_or_else(no_global_step)?;
        let value = self.session.run(&[], &[endpoint], &[])?;
        step_of(&value[0])
    }

    /// Endpoint of all summaries of the graph together, where it has some.
    pub fn summary_endpoint(&self) -> Option<&str> {
        self.parts.summary.as_deref()
    }

    /// Saves the session to `prefix-step`: variables, and of the input what can be saved. Gives the checkpoint's
    /// prefix.
    ///
    /// # Errors
    /// Any error from saving.
    pub fn save(&self, prefix: &Path, step: i64) -> Result<PathBuf> {
        self.saving.save(self.session, prefix, step)
    }

    /// Waits until all checkpoints are in their files.
    ///
    /// # Errors
    /// What writing one of them has failed with.
    pub fn finish_saving(&self) -> Result<()> {
        self.saving.finish()
    }

    /// Writes a line to the log of the session.
    pub fn log(&self, text: &str) {
        (self.session.env().log)(&format!("{text}\n"));
    }
}

/// The number that a counter of steps holds.
pub(crate) fn step_of(value: &Tensor) -> Result<i64> {
    match value.to_i64s()?[..] {
        [step] => Ok(step),
        _ => Err(Error::invalid("the counter of steps is not one number").found(format!("shape {}", value.shape()))),
    }
}

pub(crate) fn no_global_step() -> Error {
    Error::failed_precondition("the graph has no counter of steps")
        .help("make one with train::global_step before the optimizer, which counts it up")
}
