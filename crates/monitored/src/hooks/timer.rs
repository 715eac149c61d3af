//! Intervals of steps or time.

use std::time::{Duration, Instant};

/// The interval between two actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Every {
    /// This many steps.
    Steps(u64),
    /// This much time.
    Time(Duration),
}

/// Decides when an action is due: TensorFlow's `SecondOrStepTimer`.
#[derive(Debug)]
pub struct Timer {
    every: Every,
    last: Option<(i64, Instant)>,
}

impl Timer {
    /// A timer that is due immediately.
    pub fn new(every: Every) -> Timer {
        Timer { every, last: None }
    }

    /// True if the action is due at this step.
    pub fn is_due(&self, step: i64) -> bool {
        match (self.last, self.every) {
            (None, _) => true,
            (Some((last, _)), _) if last == step => false,
            (Some((last, _)), Every::Steps(n)) => step >= last.saturating_add(i64::try_from(n).unwrap_or(i64::MAX)),
            (Some((_, last)), Every::Time(time)) => last.elapsed() >= time,
        }
    }

    /// Restarts the interval at this step. Returns the time and the steps since the last restart.
    pub fn start(&mut self, step: i64) -> Option<(Duration, i64)> {
        let before = self.last.replace((step, Instant::now()));
        before.map(|(last, when)| (when.elapsed(), step - last))
    }

    /// The step of the last restart.
    pub fn last(&self) -> Option<i64> {
        self.last.map(|(step, _)| step)
    }
}
