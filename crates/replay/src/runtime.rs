//! The interface that replays need from a runtime.

use crate::case::Config;
use levada_graph::{Result, Tensor};
use std::time::Duration;

/// One step to run.
#[derive(Clone, Debug)]
pub struct Run {
    /// Endpoints to feed, and their values.
    pub feeds: Vec<(String, Tensor)>,
    /// Endpoints to fetch, and operations to run.
    pub fetches: Vec<String>,
    /// Nodes to run.
    pub targets: Vec<String>,
    /// Time after which the step fails with `DEADLINE_EXCEEDED`.
    pub timeout: Option<Duration>,
}

/// Opens sessions on graphs.
pub trait Runtime: Send + Sync + 'static {
    /// Its sessions.
    type Session: Session;

    /// Opens a session on a GraphDef in JSON.
    ///
    /// # Errors
    /// Errors in the graph; `UNIMPLEMENTED` for anything that the runtime does not support.
    fn open(&self, graph: &[u8], config: &Config) -> Result<Self::Session>;
}

/// An open session, used from several threads.
pub trait Session: Send + Sync + 'static {
    /// Runs a step and returns a tensor for each fetch; for a fetch that names an operation, any tensor without
    /// elements.
    ///
    /// # Errors
    /// The error of the step.
    fn run(&self, run: &Run) -> Result<Vec<Tensor>>;

    /// Cancels what is running and refuses further steps.
    fn close(&self);
}
