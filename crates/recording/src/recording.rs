//! The contents of a recording.

use levada_graph::{Error, Result, Tensor};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// How the recorded session was opened, as far as plans depend on it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Setup {
    /// Threads of the session, which determine how kernels divide their work.
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

/// The result of a run.
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
    /// A number for the thread that started it.
    pub thread: u32,
    /// The node that a queue runner ran in it.
    pub runner: Option<String>,
    /// Names and values of its feeds.
    pub feeds: Vec<(String, Tensor)>,
    /// Fetched endpoints and operations.
    pub fetches: Vec<String>,
    /// Target nodes.
    pub targets: Vec<String>,
    /// The result.
    pub outcome: Outcome,
}

/// An event in a session. Events are in the order in which they happened.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// The run with this number started.
    Begin(u64),
    /// The run with this number ended.
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
    /// Number of the run that it belonged to or worked for.
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
    /// True for a node of the run, which will fail again; otherwise it was a deadline, a cancellation or a stall.
    pub by_node: bool,
    /// The error.
    pub error: Error,
}

/// Values from outside, by the number of the requesting node and the kind of the value.
pub type Values = HashMap<(u64, String), Vec<Result<Vec<Tensor>>>>;

/// The runs of a session from its start.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// How the session was opened.
    pub setup: Setup,
    /// The SHA-256 of [`Recording::graph`].
    pub graph_hash: String,
    /// The graph as JSON; `None` if it is stored elsewhere.
    pub graph: Option<String>,
    /// Runs by number.
    pub runs: BTreeMap<u64, Run>,
    /// The events.
    pub events: Vec<Event>,
    /// Values from outside, one entry per request.
    pub values: Values,
    /// The SHA-256 of files that were read, by path.
    pub files: BTreeMap<String, String>,
}

impl Recording {
    /// Omits the graph: a replay then needs a graph with the same hash.
    pub fn without_graph(mut self) -> Recording {
        self.graph = None;
        self
    }

    /// How often nodes used state.
    pub fn num_turns(&self) -> usize {
        self.events.iter().filter(|event| matches!(event, Event::Turn(_))).count()
    }
}
