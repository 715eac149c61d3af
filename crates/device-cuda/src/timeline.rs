//! What has been queued for computing, numbered, and events that say how far the device has come.

use cudarc::driver::{CudaEvent, CudaStream, DriverError};
use levada_graph::Error;
use std::collections::VecDeque;
use std::sync::Arc;

/// Work between two events that are recorded for good measure.
const BETWEEN: u64 = 32;
/// Events that are kept.
const MARKS: usize = 64;
/// Nodes that are named where something went wrong.
const RECENT: usize = 8;

/// The work of a stream.
#[derive(Default)]
pub(crate) struct Timeline {
    /// Number of the last piece of work; the first has number 1.
    pub(crate) last: u64,
    /// Events and the work that had been queued when they were recorded, in order.
    marks: VecDeque<(u64, Arc<CudaEvent>)>,
    /// Names of the nodes whose work was queued last.
    recent: VecDeque<Arc<str>>,
    /// What went wrong first. From then on the device takes nothing.
    pub(crate) fault: Option<Error>,
}

impl Timeline {
    /// One more piece of work was queued; gives its number.
    pub(crate) fn queued(&mut self, stream: &CudaStream, node: Option<&Arc<str>>) -> Result<u64, DriverError> {
        self.last += 1;
        if let Some(node) = node {
            if self.recent.len() == RECENT {
                self.recent.pop_front();
            }
            self.recent.push_back(node.clone());
        }
        if self.last.is_multiple_of(BETWEEN) {
            self.mark(stream)?;
        }
        Ok(self.last)
    }

    fn mark(&mut self, stream: &CudaStream) -> Result<Arc<CudaEvent>, DriverError> {
        let event = Arc::new(stream.record_event(None)?);
        if self.marks.len() == MARKS {
            self.marks.pop_front();
        }
        self.marks.push_back((self.last, event.clone()));
        Ok(event)
    }

    /// An event after work number `number`, the earliest there is; `None` for no work.
    pub(crate) fn after(&mut self, stream: &CudaStream, number: u64) -> Result<Option<Arc<CudaEvent>>, DriverError> {
        if number == 0 {
            return Ok(None);
        }
        let at = self.marks.partition_point(|m| m.0 < number);
        match self.marks.get(at) {
            Some((_, event)) => Ok(Some(event.clone())),
            None => self.mark(stream).map(Some),
        }
    }

    /// The nodes that were queued last, for an error.
    pub(crate) fn recent(&self) -> String {
        let names: Vec<&str> = self.recent.iter().map(|n| &**n).collect();
        names.join(", ")
    }
}
