//! Waits for a step.

use crate::hook::{Context, Hook, Request};
use levada_graph::Result;
use std::time::Duration;

/// How often the global step is checked.
const INTERVAL: Duration = Duration::from_millis(500);

/// Delays the first run until the global step has reached a step; another session on the same resources increments it:
/// `tf.train.GlobalStepWaiterHook`.
pub struct WaitForStep {
    step: i64,
    reached: bool,
}

impl WaitForStep {
    /// Waits for this step.
    pub fn new(step: i64) -> WaitForStep {
        WaitForStep { step, reached: step <= 0 }
    }
}

impl Hook for WaitForStep {
    fn before_run(&mut self, at: &Context<'_>) -> Result<Request> {
        while !self.reached {
            let step = at.global_step()?;
            self.reached = step >= self.step;
            if !self.reached {
                if at.stop_requested() {
                    break;
                }
                at.log(&format!(
                    "Waiting for global step {} before starting training. Current step is {step}.",
                    self.step
                ));
                std::thread::sleep(INTERVAL);
            }
        }
        Ok(Request::default())
    }
}
