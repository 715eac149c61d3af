//! Writes summaries.

use super::timer::{Every, Timer};
use crate::hook::{Context, Hook, Request, Values, no_global_step};
use levada_graph::{Bytes, Result};
use levada_summary::{Event, SessionStatus, Writer};
use std::sync::Arc;

/// Writes summaries to an event file at intervals of steps or time: `tf.train.SummarySaverHook`.
pub struct SaveSummaries {
    writer: Arc<Writer>,
    timer: Timer,
    endpoints: Option<Vec<String>>,
    /// The step after the last one; `None` before the first.
    next: Option<i64>,
    due: bool,
}

impl SaveSummaries {
    /// Writes all summaries of the graph: [`Context::summary_endpoint`].
    pub fn new(writer: Arc<Writer>, every: Every) -> SaveSummaries {
        SaveSummaries { writer, timer: Timer::new(every), endpoints: None, next: None, due: false }
    }

    /// Writes the summaries from these endpoints.
    #[must_use]
    pub fn of<S: Into<String>>(mut self, endpoints: impl IntoIterator<Item = S>) -> SaveSummaries {
        self.endpoints = Some(endpoints.into_iter().map(Into::into).collect());
        self
    }
}

impl Hook for SaveSummaries {
    fn before_run(&mut self, at: &Context<'_>) -> Result<Request> {
        at.global_step_endpoint().ok_or_else(no_global_step)?;
        self.due = self.next.is_none_or(|next| self.timer.is_due(next));
        Ok(match &self.endpoints {
            Some(endpoints) if self.due => Request::fetch(endpoints),
            None if self.due => Request::fetch(at.summary_endpoint()),
            _ => Request::default(),
        })
    }

    fn after_run(&mut self, at: &Context<'_>, values: &Values<'_>) -> Result<()> {
        let step = at.global_step()?;
        if self.next.is_none() {
            self.writer.event(step, Event::SessionLog(SessionStatus::Start, ""))?;
        }
        if self.due {
            self.timer.start(step);
            for value in values.fetched {
                for message in value.slice::<Bytes>()? {
                    self.writer.event(step, Event::Summary(message))?;
                }
            }
        }
        self.next = Some(step.saturating_add(1));
        Ok(())
    }

    fn end(&mut self, _: &Context<'_>) -> Result<()> {
        self.writer.flush()
    }
}
