//! Sessions for recorded cases.

use crate::{RunOptions, Session, SessionOptions, SharedSession};
use levada_graph::{Result, Tensor, read};
use levada_replay::{Config, Run, Runtime};

/// Opens a session for each recorded case; what [`levada_replay`] needs of a runtime.
pub struct Replayer {
    options: SessionOptions,
}

impl Replayer {
    /// Sessions with these options, changed as each case asks for.
    pub fn new(options: SessionOptions) -> Replayer {
        Replayer { options }
    }
}

impl Runtime for Replayer {
    type Session = Replayed;

    fn open(&self, graph: &[u8], config: &Config) -> Result<Replayed> {
        let graph = read::json(graph, &crate::registry())?;
        let options = SessionOptions {
            cpus: config.cpu_devices.unwrap_or(self.options.cpus),
            allow_soft_placement: config.allow_soft_placement || self.options.allow_soft_placement,
            timeout: config.operation_timeout.or(self.options.timeout),
            ..self.options.clone()
        };
        Ok(Replayed(Session::new(graph, options)?.share()))
    }
}

/// A session that is open for a recorded case.
pub struct Replayed(SharedSession);

impl levada_replay::Session for Replayed {
    fn run(&self, run: &Run) -> Result<Vec<Tensor>> {
        let feeds: Vec<(&str, Tensor)> = run.feeds.iter().map(|(n, t)| (n.as_str(), t.clone())).collect();
        let fetches: Vec<&str> = run.fetches.iter().map(String::as_str).collect();
        let targets: Vec<&str> = run.targets.iter().map(String::as_str).collect();
        let options = RunOptions { timeout: run.timeout, ..RunOptions::default() };
        self.0.session().run_with(&options, &feeds, &fetches, &targets).map(|(tensors, _)| tensors)
    }

    fn close(&self) {
        self.0.session().close();
    }
}
