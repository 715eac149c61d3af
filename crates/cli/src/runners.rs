//! The queue runners of a graph, for the time of a `levada run`.

use crate::prepare::Prepared;
use levada::graph::collections;
use levada::{Coordinator, Error, Result};
use std::time::Duration;

/// How long runners get to end.
const GRACE: Duration = Duration::from_secs(10);

/// Collections of nodes to run once before the runners start: variables first, then what may need them.
pub const INIT: [&str; 3] = ["init_op", "local_init_op", "table_initializer"];

/// Queue runners that were started.
pub struct Runners(Coordinator);

impl Runners {
    /// Runs what the graph itself says is to be run once, as far as it is not in `ran` already, then `between`, and
    /// starts the runners.
    ///
    /// # Errors
    /// What is wrong with the runners, or `NOT_FOUND` if there are none; what `between` fails with.
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

    /// Why they stopped, where that was a fault.
    pub fn fault(&self) -> Option<Error> {
        self.0.error()
    }

    /// Stops them.
    ///
    /// # Errors
    /// The first fault of one, or that one does not end.
    pub fn stop(self) -> Result<()> {
        self.0.request_stop();
        self.0.join(GRACE)
    }
}
