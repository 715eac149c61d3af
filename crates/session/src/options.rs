//! Options of sessions and runs, and the metadata of a run.

use crate::finite::NanWatch;
use crate::scribe::Scribe;
use levada_kernel::env::Log;
use levada_kernel::{Ask, CancelToken, Chooser, Files, Host, Limits, Observer, Resources};
use levada_placer::Placer;
use levada_trace::StepTrace;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Returns whether anything else may still act on the session, given the number of callers with sleeping runs.
pub type Outside = dyn Fn(usize) -> bool + Send + Sync;

/// How a session runs its graph.
#[derive(Clone, Default)]
pub struct SessionOptions {
    /// Number of threads; 0 for one per core. With 1, nodes run in the same order in every run.
    pub threads: usize,
    /// The number of threads that kernels divide their work for; 0 for that of [`SessionOptions::threads`]. It
    /// determines the order of summation: with the same value, results are bitwise identical on any number of threads.
    pub divided_for: usize,
    /// Number of CPU devices, which share the threads; 0 for one.
    pub cpus: usize,
    /// Number of GPUs; 0 for none. If the machine has fewer, all of them are used.
    pub gpus: usize,
    /// Bytes that tensors may take on each GPU; 0 for all of its memory.
    pub gpu_memory_limit: usize,
    /// Waits for the device after every node on a GPU, so that its errors name the node that caused them. Slow.
    pub gpu_blocking: bool,
    /// Lets products and convolutions of float32 on CUDA devices round their factors to TF32 (10 bits of mantissa),
    /// which tensor cores multiply much faster. Sums stay float32.
    pub gpu_tf32: bool,
    /// Only devices that match one of these names, such as `["/gpu:1"]`, and the first CPU are used; empty for all.
    pub device_filters: Vec<String>,
    /// Soft placement: a node whose device does not exist or has no kernel for it runs elsewhere.
    pub allow_soft_placement: bool,
    /// How to choose among the devices that the graph allows.
    pub placer: Placer,
    /// Every run fails with `DEADLINE_EXCEEDED` after this time unless its own options set another.
    pub timeout: Option<Duration>,
    /// Runs the nodes of the graph as they are: no constant folding, no merging of duplicates, no fusion, and no
    /// convolutions by minimal filtering, as with `no_fusion`.
    pub plain: bool,
    /// Turns off the fusion of nodes, and convolutions by minimal filtering (Winograd): each op is then computed as it
    /// is defined.
    pub no_fusion: bool,
    /// Ends a run at the first node that makes a NaN or an infinity out of finite inputs; the error's
    /// [report](levada_graph::Error::report) is a [`NanOrigin`](crate::NanOrigin).
    pub watch: Option<NanWatch>,
    /// Observes the nodes that run.
    pub observer: Option<Arc<dyn Observer>>,
    /// Chooses the order of nodes.
    pub chooser: Option<Arc<dyn Chooser>>,
    /// Records values that come from outside of the graph, such as seeds and the time, or replays them.
    pub values: Option<Arc<dyn levada_kernel::Outside>>,
    /// Is notified of all runs. Such a session refuses partial runs.
    pub scribe: Option<Arc<dyn Scribe>>,
    /// Runs the nodes on GPUs one by one: no regions and no recorded command graphs.
    pub separate_nodes: bool,
    /// Bytes that tensors may take on the CPU; 0 for no limit below the machine's memory.
    pub memory_limit: usize,
    /// Bytes that the function calls of a run may keep while they are in progress, besides their tensors; it bounds
    /// recursion. 0 for an eighth of the machine's memory, at most 1 GiB. A call that would exceed it fails with
    /// `RESOURCE_EXHAUSTED`.
    pub call_memory: usize,
    /// True if only runs in progress act on the session's queues: a run in which everything waits then fails
    /// immediately even if other clones of the session or callables exist.
    pub closed_world: bool,
    /// In a closed world, returns whether another run may still begin, for instance from another thread of the program.
    /// It must not call the session. It is called again after each poll of a sleeping caller: [`RunOptions::poll`].
    pub outside: Option<Arc<Outside>>,
    /// A run that waits longer than this reports once to [`SessionOptions::log`] which nodes wait for what.
    pub report_waits_after: Option<Duration>,
    /// Records how full queues are and the work of the stages of input pipelines:
    /// [`Session::queue_usage`](crate::Session::queue_usage),
    /// [`Session::pipeline_traces`](crate::Session::pipeline_traces).
    pub telemetry: bool,
    /// The maximum number of plans that the session keeps, one for each set of feeds, fetches and targets; 0 for 1,000.
    /// Beyond that the least recently used ones are dropped, and compiled again when needed. Callables keep theirs.
    pub plan_limit: usize,
    /// Limits on the resources of runs, for an untrusted graph: [`SessionOptions::untrusted`]. The session then calls
    /// no functions of the program, whatever [`SessionOptions::host`] says.
    pub limits: Option<Limits>,
    /// For tests: a seed from which ready nodes run in a random order, on random threads and with pauses. The results
    /// of a graph must not depend on it.
    pub disorder: Option<u64>,
    /// State to share with other sessions; `None` for its own state.
    pub resources: Option<Arc<Resources>>,
    /// Receives the output of `Print` and similar ops, one call per text; `None` for standard error.
    pub log: Option<Arc<Log>>,
    /// The files that ops may reach; none by default.
    pub files: Files,
    /// The functions of the program that nodes may call; `None` for none until some are registered.
    pub host: Option<Arc<Host>>,
}

impl SessionOptions {
    /// Options for an untrusted graph: its runs are bounded by `limits`, and it has no access to files or functions of
    /// the program. Other fields may be set as usual; the graph can fill any directory that it is granted.
    ///
    /// ```
    /// use levada_kernel::Limits;
    /// use levada_session::SessionOptions;
    /// let options = SessionOptions { threads: 2, ..SessionOptions::untrusted(Limits::default()) };
    /// assert_eq!(options.memory_limit, Limits::default().memory);
    /// ```
    pub fn untrusted(limits: Limits) -> SessionOptions {
        SessionOptions {
            memory_limit: limits.memory,
            gpu_memory_limit: limits.memory,
            timeout: Some(limits.time),
            limits: Some(limits),
            ..SessionOptions::default()
        }
    }
}

impl fmt::Debug for SessionOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionOptions")
            .field("threads", &self.threads)
            .field("divided_for", &self.divided_for)
            .field("cpus", &self.cpus)
            .field("gpus", &self.gpus)
            .field("allow_soft_placement", &self.allow_soft_placement)
            .field("timeout", &self.timeout)
            .field("plain", &self.plain)
            .field("no_fusion", &self.no_fusion)
            .field("watch", &self.watch)
            .field("separate_nodes", &self.separate_nodes)
            .field("closed_world", &self.closed_world)
            .field("report_waits_after", &self.report_waits_after)
            .field("telemetry", &self.telemetry)
            .field("plan_limit", &self.plan_limit)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// Options of a single run.
#[derive(Clone, Default)]
pub struct RunOptions {
    /// Records which node ran when and where.
    pub trace: bool,
    /// Fails with `DEADLINE_EXCEEDED` after this time.
    pub timeout: Option<Duration>,
    /// Cancels the run when it is cancelled.
    pub cancel: Option<CancelToken>,
    /// Called on the calling thread about every 50 ms, between nodes and while it waits, for a program that has to
    /// check for signals. An error ends the run.
    pub poll: Option<Arc<Ask>>,
    /// The number of the step, to repeat a recorded one; `None` for the next. No two steps of a session may have the
    /// same number.
    pub number: Option<u64>,
}

/// The metadata of a run.
#[derive(Clone, Debug, Default)]
pub struct RunMetadata {
    /// Number of the step in its session, from 1.
    pub step_id: u64,
    /// The trace, if [`RunOptions::trace`] is set.
    pub trace: Option<StepTrace>,
}
