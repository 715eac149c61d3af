//! The queue runners of a graph, for the duration of a `levada run`.

use crate::prepare::Prepared;
use levada::graph::collections;
use levada::{Coordinator, Error, Result};
use std::time::Duration;

/// The time that runners have to end.
const GRACE: Duration = Duration::from_secs(10);

/// Collections of nodes to run once before the runners start: variables first, then what may need them.
pub const INIT: [&str; 3] = ["init_op", "local_init_op", "table_initializer"];

/// Started queue runners.
pub struct Runners(Coordinator);

impl Runners {
    /// Runs the graph's own initializers, except those in `ran`, then `between`, and starts the runners.
    ///
    /// # Errors
    /// What is wrong with the runners, or `NOT_FOUND` if there are none; the errors of `between`.
    pub fn start(prepared: &Prepared, ran: &[String], between: impl FnOnce() -> Result<()>) -> Result<Runners> {
        let session = prepared.callable.session();
        let graph = session.graph();
        for collection in INIT {
            let nodes = collections::nodes(&graph.collections, collection).iter();
            let nodes: Vec<String> = nodes.filter(|n| !ran.contains(n)).cloned().collect();
            if !nodes.is_empty() {
                prepared.run_once(&nodes)?;
            }
        }
        between()?;
        let coordinator = Coordinator::new();
        if session.start_queue_runners(&coordinator)? == 0 {
            return Err(Error::not_found("the graph has no queue runners")
                .help("the collection \"queue_runners\" of the graph has none; leave out --queue-runners"));
        }
        Ok(Runners(coordinator))
    }

    /// The error that stopped them, if any.
    pub fn fault(&self) -> Option<Error> {
        self.0.error()
    }

    /// Stops them.
    ///
    /// # Errors
    /// The first error of a runner, or that one does not end.
    pub fn stop(self) -> Result<()> {
        self.0.request_stop();
        self.0.join(GRACE)
    }
}
