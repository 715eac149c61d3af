//! Stops at a step.

use crate::hook::{Context, Hook, Request, Values, no_global_step, step_of};
use levada_graph::Result;

/// Requests a stop after a number of steps, or at a step: `tf.train.StopAtStepHook`.
pub struct StopAtStep {
    steps: i64,
    last: Option<i64>,
}

impl StopAtStep {
    /// Stops when the global step has reached `step`.
    pub fn at(step: i64) -> StopAtStep {
        StopAtStep { steps: 0, last: Some(step) }
    }

    /// Stops after this many steps, counted from the start of the first session.
    pub fn after(steps: i64) -> StopAtStep {
        StopAtStep { steps, last: None }
    }
}

impl Hook for StopAtStep {
    fn after_create_session(&mut self, at: &Context<'_>) -> Result<()> {
        if self.last.is_none() {
            self.last = Some(at.global_step()?.saturating_add(self.steps));
        }
        Ok(())
    }

    fn before_run(&mut self, at: &Context<'_>) -> Result<Request> {
        Ok(Request::fetch([at.global_step_endpoint().ok_or_else(no_global_step)?]))
    }

    fn after_run(&mut self, at: &Context<'_>, values: &Values<'_>) -> Result<()> {
        // The value may be from before or after the step's increment.
        let reached = |step: i64| self.last.is_some_and(|last| step >= last);
        if reached(step_of(&values.fetched[0])?.saturating_add(1)) && reached(at.global_step()?) {
            at.request_stop();
        }
        Ok(())
    }
}
