//! Every so many steps, or every so often.

use std::time::{Duration, Instant};

/// When something is done again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Every {
    /// Every so many steps.
    Steps(u64),
    /// Every so often.
    Time(Duration),
}

/// Says when it is time again: TensorFlow's `SecondOrStepTimer`.
#[derive(Debug)]
pub struct Timer {
    every: Every,
    last: Option<(i64, Instant)>,
}

impl Timer {
    /// One that is due at once.
    pub fn new(every: Every) -> Timer {
        Timer { every, last: None }
    }

    /// True if it is time at this step.
    pub fn is_due(&self, step: i64) -> bool {
        match (self.last, self.every) {
            (None, _) => true,
            (Some((last, _)), _) if last == step => false,
            (Some((last, _)), Every::Steps(n)) => step >= last.saturating_add(i64::try_from(n).unwrap_or(i64::MAX)),
            (Some((_, last)), Every::Time(time)) => last.elapsed() >= time,
        }
    }

    /// Counts from this step on. Gives the time and the steps since it did so before.
    pub fn start(&mut self, step: i64) -> Option<(Duration, i64)> {
        let before = self.last.replace((step, Instant::now()));
        before.map(|(last, when)| (when.elapsed(), step - last))
    }

    /// The step from which it counts.
    pub fn last(&self) -> Option<i64> {
        self.last.map(|(step, _)| step)
    }
}
