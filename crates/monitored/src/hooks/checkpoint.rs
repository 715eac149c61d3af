//! Saves checkpoints.

use super::timer::{Every, Timer};
use crate::hook::{Context, Hook};
use levada_graph::{Result, write};
use levada_summary::{Event, SessionStatus, Writer};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Saves a checkpoint when a session starts, at intervals of steps or time, and at the end:
/// `tf.train.CheckpointSaverHook`. Files are written while steps continue.
pub struct SaveCheckpoints {
    prefix: PathBuf,
    timer: Timer,
    events: Option<Arc<Writer>>,
    begun: bool,
}

impl SaveCheckpoints {
    /// Saves to `directory/model.ckpt-STEP`.
    pub fn new(directory: impl AsRef<Path>, every: Every) -> SaveCheckpoints {
        let prefix = directory.as_ref().join("model.ckpt");
        SaveCheckpoints { prefix, timer: Timer::new(every), events: None, begun: false }
    }

    /// Saves to `directory/name-STEP`.
    #[must_use]
    pub fn name(mut self, name: &str) -> SaveCheckpoints {
        self.prefix.set_file_name(name);
        self
    }

    /// Also writes the graph and each checkpoint's path to an event file.
    #[must_use]
    pub fn events(mut self, writer: Arc<Writer>) -> SaveCheckpoints {
        self.events = Some(writer);
        self
    }

    fn save(&mut self, at: &Context<'_>, step: i64) -> Result<()> {
        at.save(&self.prefix, step)?;
        self.timer.start(step);
        match &self.events {
            Some(events) => {
                let path = self.prefix.to_string_lossy();
                events.event(step, Event::SessionLog(SessionStatus::Checkpoint, &path))
            }
            None => Ok(()),
        }
    }
}

impl Hook for SaveCheckpoints {
    fn after_create_session(&mut self, at: &Context<'_>) -> Result<()> {
        let step = at.global_step()?;
        if let (Some(events), false) = (&self.events, self.begun) {
            let mut def = at.session().graph().to_def();
            let is_meta = !def.collections.is_empty() || !def.meta.is_empty();
            let meta = if is_meta { Some(write::pb(&def)?) } else { None };
            def.collections.clear();
            def.meta = Default::default();
            events.event(0, Event::Graph(&write::pb(&def)?))?;
            if let Some(meta) = meta {
                events.event(0, Event::MetaGraph(&meta))?;
            }
        }
        self.begun = true;
        self.save(at, step)
    }

    fn after_run(&mut self, at: &Context<'_>, _: &crate::Values<'_>) -> Result<()> {
        let step = at.global_step()?;
        if self.timer.is_due(step) { self.save(at, step) } else { Ok(()) }
    }

    fn end(&mut self, at: &Context<'_>) -> Result<()> {
        let step = at.global_step()?;
        if self.timer.last() != Some(step) {
            self.save(at, step)?;
        }
        at.finish_saving()?;
        self.events.as_ref().map_or(Ok(()), |events| events.flush())
    }
}
