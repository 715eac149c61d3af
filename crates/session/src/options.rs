//! How a session runs, and what a run tells besides its results.

use levada_kernel::env::Log;
use levada_kernel::{Ask, CancelToken, Files, Host, Resources};
use levada_placer::Placer;
use levada_trace::StepTrace;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Whether anybody besides so many callers, whose runs sleep, may still act on a session.
pub type Outside = dyn Fn(usize) -> bool + Send + Sync;

/// How a session runs its graph.
#[derive(Clone, Default)]
pub struct SessionOptions {
    /// Number of threads; 0 for one per core. With 1 the order of nodes is the same in every run.
    pub threads: usize,
    /// Number of CPU devices, which share the threads; 0 for one.
    pub cpus: usize,
    /// Number of GPUs; 0 for none. Where the machine has fewer, there are as many as it has.
    pub gpus: usize,
    /// Bytes that tensors may take on each GPU; 0 for what it has.
    pub gpu_memory_limit: usize,
    /// Waits after every node on a GPU, so that an error of the device is that of the node that it comes from. Slow.
    pub gpu_blocking: bool,
    /// Only devices that one of these names fits take part, as in `["/gpu:1"]`, and the first CPU in any case; none for all.
    pub device_filters: Vec<String>,
    /// Lets a node whose device does not exist or has no kernel for it run elsewhere.
    pub allow_soft_placement: bool,
    /// How to choose among devices where the graph leaves a choice.
    pub placer: Placer,
    /// Every run fails with `DEADLINE_EXCEEDED` after this time unless its own options say otherwise.
    pub timeout: Option<Duration>,
    /// Runs nodes as the graph has them: no folding of constants, no merging of duplicates, no computing of several as one.
    pub plain: bool,
    /// Computes every elementwise node by itself, rather than chains and trees of them as one.
    pub no_fusion: bool,
    /// Runs nodes of GPUs one by one: never several as one, and nothing is recorded to be repeated.
    pub separate_nodes: bool,
    /// Bytes that tensors may take on the CPU; 0 for what the machine has.
    pub memory_limit: usize,
    /// Bytes that calls of functions inside one another may keep, besides their tensors: how deep a recursion may go; 0 for an
    /// eighth of the machine's memory, or 1 GiB where that is less. A call that would keep more fails with
    /// `RESOURCE_EXHAUSTED`.
    pub call_memory: usize,
    /// True where the caller says that nobody acts on the session's queues but in runs that are under way: then a run in
    /// which everything waits fails at once even where other clones of the session or callables exist.
    pub closed_world: bool,
    /// In a closed world, whether somebody may begin a run after all, such as another thread of the program. It must not
    /// call the session. It is asked again whenever one of the sleeping callers was polled: [`RunOptions::poll`].
    pub outside: Option<Arc<Outside>>,
    /// A run that waits for longer than this writes who waits for what to [`SessionOptions::log`], once.
    pub report_waits_after: Option<Duration>,
    /// Records how full queues are: [`Session::queue_usage`](crate::Session::queue_usage).
    pub telemetry: bool,
    /// The most plans that the session keeps, one for each set of feeds, fetches and targets that was run; 0 for 1,000.
    /// Beyond that those that were not used for longest are dropped, to be made anew when they are asked for. Callables
    /// keep theirs.
    pub plan_limit: usize,
    /// State to share with other sessions; `None` for state of its own.
    pub resources: Option<Arc<Resources>>,
    /// Where `Print` and the like write, one call for each text; `None` for standard error.
    pub log: Option<Arc<Log>>,
    /// The files that ops may reach; none by default.
    pub files: Files,
    /// The functions of the program that nodes may call; `None` for none until some are registered.
    pub host: Option<Arc<Host>>,
}

impl fmt::Debug for SessionOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionOptions")
            .field("threads", &self.threads)
            .field("cpus", &self.cpus)
            .field("gpus", &self.gpus)
            .field("allow_soft_placement", &self.allow_soft_placement)
            .field("timeout", &self.timeout)
            .field("plain", &self.plain)
            .field("no_fusion", &self.no_fusion)
            .field("separate_nodes", &self.separate_nodes)
            .field("closed_world", &self.closed_world)
            .field("report_waits_after", &self.report_waits_after)
            .field("telemetry", &self.telemetry)
            .field("plan_limit", &self.plan_limit)
            .finish_non_exhaustive()
    }
}

/// How to run once.
#[derive(Clone, Default)]
pub struct RunOptions {
    /// Records which node ran when and where.
    pub trace: bool,
    /// Fails with `DEADLINE_EXCEEDED` after this time.
    pub timeout: Option<Duration>,
    /// Cancels the run when it is cancelled.
    pub cancel: Option<CancelToken>,
    /// Asked on the calling thread about every 50 ms whether to go on, between nodes and while it waits: for a program
    /// that has to look at signals. An error ends the run.
    pub poll: Option<Arc<Ask>>,
}

/// What a run tells besides its results.
#[derive(Clone, Debug, Default)]
pub struct RunMetadata {
    /// Number of the step in its session, from 1.
    pub step_id: u64,
    /// What ran when, where [`RunOptions::trace`] asked for it.
    pub trace: Option<StepTrace>,
}
