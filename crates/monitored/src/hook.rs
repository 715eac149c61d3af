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

/// A callback before, between and after the runs of a [`MonitoredSession`](crate::MonitoredSession), in the order of
/// TensorFlow's `SessionRunHook`:
///
/// ```text
/// begin                                 once, while the graph may still grow
/// after_create_session                  for each session: again after each restart
///     before_run, after_run             for each run; after_run not where the run fails
/// end                                   once, where the session is closed and nothing has failed
/// ```
///
/// Several hooks are called in the order in which they were added.
pub trait Hook {
    /// Called before the graph is complete; the hook may add nodes to it.
    ///
    /// # Errors
    /// If the graph lacks what the hook needs.
    fn begin(&mut self, graph: &mut Builder) -> Result<()> {
        let _ = graph;
        Ok(())
    }

    /// Called after a session was created, its variables initialized and its queue runners started.
    ///
    /// # Errors
    /// Fails the session.
    fn after_create_session(&mut self, at: &Context<'_>) -> Result<()> {
        let _ = at;
        Ok(())
    }

    /// Called before a run. Returns what to add to it.
    ///
    /// # Errors
    /// Fails the run.
    fn before_run(&mut self, at: &Context<'_>) -> Result<Request> {
        let _ = at;
        Ok(Request::default())
    }

    /// Called after a run succeeded. `values` are those of the hook's own fetches.
    ///
    /// # Errors
    /// Fails the run.
    fn after_run(&mut self, at: &Context<'_>, values: &Values<'_>) -> Result<()> {
        let _ = (at, values);
        Ok(())
    }

    /// Called before the session is closed.
    ///
    /// # Errors
    /// Fails the close.
    fn end(&mut self, at: &Context<'_>) -> Result<()> {
        let _ = at;
        Ok(())
    }
}

/// A hook's additions to a run.
#[derive(Clone, Default, Debug)]
pub struct Request {
    /// Endpoints whose values are passed to [`Hook::after_run`].
    pub fetches: Vec<String>,
    /// Endpoints to feed, and their values. Neither the caller nor another hook may feed them.
    pub feeds: Vec<(String, Tensor)>,
    /// True to record which node ran when and where.
    pub trace: bool,
    /// A time limit for the run; the longest of several applies.
    pub timeout: Option<Duration>,
}

impl Request {
    /// Requests these endpoints.
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
    /// The session. Its runs call no hooks.
    pub fn session(&self) -> &Session {
        self.session
    }

    /// The coordinator, which stops the queue runners.
    pub fn coordinator(&self) -> &Coordinator {
        self.coordinator
    }

    /// Makes [`MonitoredSession::should_stop`](crate::MonitoredSession::should_stop) true after this run.
    pub fn request_stop(&self) {
        self.stop.set(true);
    }

    /// True if a stop was requested.
    pub fn stop_requested(&self) -> bool {
        self.stop.get() || self.coordinator.should_stop() || self.asked.is_requested()
    }

    /// The endpoint of the global step, if the graph has one.
    pub fn global_step_endpoint(&self) -> Option<&str> {
        self.parts.global_step.as_deref()
    }

    /// The current global step.
    ///
    /// # Errors
    /// `FAILED_PRECONDITION` if the graph has none.
    pub fn global_step(&self) -> Result<i64> {
        let endpoint = self.global_step_endpoint().ok_or_else(no_global_step)?;
        let value = self.session.run(&[], &[endpoint], &[])?;
        step_of(&value[0])
    }

    /// The endpoint of all summaries of the graph combined, if it has any.
    pub fn summary_endpoint(&self) -> Option<&str> {
        self.parts.summary.as_deref()
    }

    /// Saves the session to `prefix-step`: the variables, and the input state that can be saved. Returns the
    /// checkpoint's prefix.
    ///
    /// # Errors
    /// Any error from saving.
    pub fn save(&self, prefix: &Path, step: i64) -> Result<PathBuf> {
        self.saving.save(self.session, prefix, step)
    }

    /// Waits until all checkpoints are in their files.
    ///
    /// # Errors
    /// The error of writing one of them.
    pub fn finish_saving(&self) -> Result<()> {
        self.saving.finish()
    }

    /// Writes a line to the log of the session.
    pub fn log(&self, text: &str) {
        (self.session.env().log)(&format!("{text}\n"));
    }
}

/// The value of a global step.
pub(crate) fn step_of(value: &Tensor) -> Result<i64> {
    match value.to_i64s()?[..] {
        [step] => Ok(step),
        _ => Err(Error::invalid("the global step is not a scalar").found(format!("shape {}", value.shape()))),
    }
}

pub(crate) fn no_global_step() -> Error {
    Error::failed_precondition("the graph has no global step")
        .help("create one with train::global_step before the optimizer, which increments it")
}
