//! What is recorded.

use levada_graph::{Error, Result, Tensor};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// How the session was opened that was recorded, as far as plans depend on it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Setup {
    /// Threads of the session, for which kernels divided their work.
    pub threads: usize,
    /// Number of CPU devices; 0 for one.
    pub cpus: usize,
    /// `SessionOptions::plain`
    pub plain: bool,
    /// `SessionOptions::no_fusion`
    pub no_fusion: bool,
    /// `SessionOptions::allow_soft_placement`
    pub soft_placement: bool,
}

/// What a run ended with.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// The SHA-256 of each tensor that it fetched; `None` for handles and variants.
    Fetched(Vec<Option<String>>),
    /// It failed.
    Failed(Error),
    /// The recording ended before it did.
    Open,
}

/// A run.
#[derive(Clone, Debug)]
pub struct Run {
    /// A number of the thread that began it.
    pub thread: u32,
    /// The node that a queue runner ran with it.
    pub runner: Option<String>,
    /// Names and values of its feeds.
    pub feeds: Vec<(String, Tensor)>,
    /// Endpoints and operations that it fetched.
    pub fetches: Vec<String>,
    /// Nodes that it ran.
    pub targets: Vec<String>,
    /// What it ended with.
    pub outcome: Outcome,
}

/// What happened in a session. All that happened is in the order in which it did.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// The run of this number began.
    Begin(u64),
    /// It ended.
    End(u64),
    /// A node used state.
    Turn(Turn),
    /// Something ended a run.
    Cut(Cut),
}

/// A node that used state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// A number of the node, its step and its iteration.
    pub instance: u64,
    /// Number of the run that it was in or worked for.
    pub run: u64,
    /// The node.
    pub node: Arc<str>,
    /// Numbers of the state that it used.
    pub places: Vec<u32>,
}

/// Something that ended a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Cut {
    /// Number of the run.
    pub run: u64,
    /// True for a node of the run, which fails again; else this was a deadline, a cancellation or a stall.
    pub by_node: bool,
    /// The error.
    pub error: Error,
}

/// A value from outside: by the number of the node that asked for it, and its kind.
pub type Values = HashMap<(u64, String), Vec<Result<Vec<Tensor>>>>;

/// The runs of a session from its beginning.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// How the session was opened.
    pub setup: Setup,
    /// The SHA-256 of [`Recording::graph`].
    pub graph_hash: String,
    /// The graph as JSON; `None` where it is to be found elsewhere.
    pub graph: Option<String>,
    /// Runs by number.
    pub runs: BTreeMap<u64, Run>,
    /// What happened.
    pub events: Vec<Event>,
    /// Values from outside, each time one was asked for.
    pub values: Values,
    /// The SHA-256 of files that were read, by path.
    pub files: BTreeMap<String, String>,
}

impl Recording {
    /// Leaves the graph out: whoever replays it has to bring one with the same hash.
    pub fn without_graph(mut self) -> Recording {
        self.graph = None;
        self
    }

    /// How often nodes used state.
    pub fn num_turns(&self) -> usize {
        self.events.iter().filter(|event| matches!(event, Event::Turn(_))).count()
    }
}
