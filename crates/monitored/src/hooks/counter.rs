//! Measures speed.

use super::timer::{Every, Timer};
use crate::hook::{Context, Hook};
use levada_graph::Result;
use levada_summary::{Summary, Writer};
use std::sync::Arc;

/// The summary tag of the speed.
const TAG: &str = "global_step/sec";

/// Logs the number of steps per second: `tf.train.StepCounterHook`.
pub struct CountSteps {
    timer: Timer,
    writer: Option<Arc<Writer>>,
}

impl CountSteps {
    /// Logs the speed at this interval.
    pub fn new(every: Every) -> CountSteps {
        CountSteps { timer: Timer::new(every), writer: None }
    }

    /// Also writes it to an event file.
    #[must_use]
    pub fn events(mut self, writer: Arc<Writer>) -> CountSteps {
        self.writer = Some(writer);
        self
    }
}

impl Hook for CountSteps {
    fn after_run(&mut self, at: &Context<'_>, _: &crate::Values<'_>) -> Result<()> {
        let step = at.global_step()?;
        if !self.timer.is_due(step) {
            return Ok(());
        }
        let Some((time, steps)) = self.timer.start(step) else { return Ok(()) };
        let speed = steps as f64 / time.as_secs_f64().max(f64::MIN_POSITIVE);
        at.log(&format!("{TAG}: {speed:.6}"));
        match &self.writer {
            Some(writer) => {
                let mut summary = Summary::default();
                summary.scalar(TAG, speed as f32);
                writer.summary(step, &summary)
            }
            None => Ok(()),
        }
    }

    fn end(&mut self, _: &Context<'_>) -> Result<()> {
        self.writer.as_ref().map_or(Ok(()), |writer| writer.flush())
    }
}
