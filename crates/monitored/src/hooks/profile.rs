//! Traces some of the steps.

use super::timer::{Every, Timer};
use crate::hook::{Context, Hook, Request, Values};
use levada_graph::{Code, Error, Result};
use levada_summary::{Event, Writer, run_metadata};
use levada_trace::export::chrome;
use std::path::PathBuf;
use std::sync::Arc;

/// Traces a step at intervals of steps or time, and writes it to `timeline-STEP.json`, which Chrome and Perfetto can
/// open: `tf.train.ProfilerHook`.
pub struct Profile {
    directory: PathBuf,
    timer: Timer,
    writer: Option<Arc<Writer>>,
    next: Option<i64>,
    due: bool,
}

impl Profile {
    /// Writes to this directory.
    pub fn new(directory: impl Into<PathBuf>, every: Every) -> Profile {
        Profile { directory: directory.into(), timer: Timer::new(every), writer: None, next: None, due: false }
    }

    /// Also writes the traces to an event file, in the form that TensorBoard shows with the graph.
    #[must_use]
    pub fn events(mut self, writer: Arc<Writer>) -> Profile {
        self.writer = Some(writer);
        self
    }
}

impl Hook for Profile {
    fn before_run(&mut self, _: &Context<'_>) -> Result<Request> {
        // As in TensorFlow, the first step is not traced.
        self.due = self.next.is_some_and(|next| self.timer.is_due(next));
        Ok(Request { trace: self.due, ..Request::default() })
    }

    fn after_run(&mut self, at: &Context<'_>, values: &Values<'_>) -> Result<()> {
        let step = at.global_step()?;
        if self.next.is_none() {
            self.timer.start(step);
        }
        self.next = Some(step.saturating_add(1));
        let Some(trace) = values.metadata.trace.as_ref().filter(|_| self.due) else { return Ok(()) };
        self.timer.start(step);
        let path = self.directory.join(format!("timeline-{step}.json"));
        let text = chrome(std::slice::from_ref(trace), &[]);
        std::fs::create_dir_all(&self.directory)
            .and_then(|()| std::fs::write(&path, text))
            .map_err(|e| Error::new(Code::Unknown, format!("{}: {e}", path.display())))?;
        match &self.writer {
            Some(writer) => writer.event(step, Event::RunMetadata(&format!("step_{step}"), &run_metadata(trace))),
            None => Ok(()),
        }
    }

    fn end(&mut self, _: &Context<'_>) -> Result<()> {
        self.writer.as_ref().map_or(Ok(()), |writer| writer.flush())
    }
}
