//! The recorder: collects a step's events from all of its workers.

use crate::event::{Edge, NodeEvent, StepTrace};
use std::sync::Mutex;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Collects events of one step. A step without a recorder pays nothing but a branch.
pub struct Recorder {
    step_id: u64,
    begin: Instant,
    start_unix_us: u64,
    /// One list for each worker, so that workers do not wait for one another; the lock is for `finish`.
    lanes: Vec<Mutex<Vec<NodeEvent>>>,
}

impl Recorder {
    /// Starts the clock of step `step_id`, which `threads` workers may run.
    pub fn new(step_id: u64, threads: usize) -> Recorder {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Recorder {
            step_id,
            begin: Instant::now(),
            start_unix_us: since_epoch.as_micros() as u64,
            lanes: (0..threads.max(1)).map(|_| Mutex::default()).collect(),
        }
    }

    /// Nanoseconds since the step started.
    #[inline]
    pub fn now(&self) -> u64 {
        self.begin.elapsed().as_nanos() as u64
    }

    /// What one reading takes: the median of some.
    fn clock_ns(&self) -> u64 {
        let mut readings = [0; 64];
        readings.iter_mut().for_each(|r| *r = self.now());
        let mut gaps: Vec<u64> = readings.windows(2).map(|pair| pair[1] - pair[0]).collect();
        gaps.sort_unstable();
        gaps[gaps.len() / 2]
    }

    /// Keeps `event`. Events may come from any thread, also for workers that `new` was not told of.
    pub fn record(&self, event: NodeEvent) {
        let lane = &self.lanes[event.worker as usize % self.lanes.len()];
        lane.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(event);
    }

    /// Ends the step.
    pub fn finish(&self) -> StepTrace {
        self.finish_with(Vec::new)
    }

    /// Ends the step and keeps the edges between its nodes.
    pub fn finish_with(&self, edges: impl FnOnce() -> Vec<Edge>) -> StepTrace {
        let wall_ns = self.now();
        let take = |lane: &Mutex<Vec<NodeEvent>>| {
            std::mem::take(&mut *lane.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
        };
        let mut events: Vec<NodeEvent> = self.lanes.iter().flat_map(take).collect();
        events.sort_by_key(|e| (e.start_ns, e.end_ns));
        StepTrace {
            step_id: self.step_id,
            start_unix_us: self.start_unix_us,
            wall_ns,
            threads: self.lanes.len() as u32,
            clock_ns: self.clock_ns(),
            events,
            edges: edges(),
        }
    }
}
