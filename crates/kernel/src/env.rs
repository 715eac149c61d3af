//! What surrounds a kernel: the session's state and services ([`Env`]) and the step it belongs to ([`StepCx`]).

use crate::cancel::CancelToken;
use crate::files::Files;
use crate::pool::Pool;
use crate::resources::{Resources, Scope};
use crate::watch::{Telemetry, Watch};
use levada_graph::{Error, Func, Result, Tensor};
use levada_trace::Recorder;
use parking_lot::Mutex;
use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// Where ops such as `Print` write.
pub type Log = dyn Fn(&str) + Send + Sync;

/// State and services of a session, shared by all its steps.
pub struct Env {
    /// The threads.
    pub pool: Arc<Pool>,
    /// Variables, queues and the like.
    pub resources: Arc<Resources>,
    /// Where `Print` and failed assertions write; standard error by default.
    pub log: Arc<Log>,
    /// The files that ops may reach; none by default.
    pub files: Files,
    /// Functions that kernels may call; set once by the session.
    pub functions: OnceLock<Arc<dyn Functions>>,
    /// The steps that wait.
    pub watch: Watch,
    /// Where queues write down how full they are, if they shall.
    pub telemetry: Option<Arc<Telemetry>>,
    /// State of single nodes by node name, such as the position in a random stream. The lock protects the map only.
    nodes: Mutex<HashMap<Arc<str>, Arc<dyn Any + Send + Sync>>>,
}

impl Env {
    /// Surroundings with these threads and resources.
    pub fn new(pool: Arc<Pool>, resources: Arc<Resources>) -> Env {
        Env {
            pool,
            resources,
            log: Arc::new(|text| eprintln!("{text}")),
            files: Files::none(),
            functions: OnceLock::new(),
            watch: Watch::default(),
            telemetry: None,
            nodes: Mutex::default(),
        }
    }

    pub(crate) fn node_state<T: Any + Send + Sync>(&self, node: &Arc<str>, make: impl FnOnce() -> T) -> Result<Arc<T>> {
        let found = {
            let mut nodes = self.nodes.lock();
            match nodes.get(node) {
                Some(found) => found.clone(),
                None => {
                    let made: Arc<dyn Any + Send + Sync> = Arc::new(make());
                    nodes.insert(node.clone(), made.clone());
                    made
                }
            }
        };
        found.downcast().map_err(|_| Error::internal(format!("the state of {node} is of another type")))
    }
}

/// One step: what all its kernels share.
#[derive(Clone)]
pub struct StepCx {
    /// Number of the step in its session, from 1.
    pub id: u64,
    /// Cancels the step.
    pub cancel: CancelToken,
    /// Resources that live as long as the step, such as TensorArrays. Functions share those of the step that calls them.
    pub resources: Arc<Scope>,
    /// How many calls of functions this step is inside of.
    pub depth: u32,
    /// Where the step is traced.
    pub tracing: Option<Tracing>,
    /// The session's state and services.
    pub env: Arc<Env>,
}

impl StepCx {
    /// A step that belongs to no run.
    pub fn alone(env: Arc<Env>) -> StepCx {
        StepCx { id: 0, cancel: CancelToken::new(), resources: Arc::default(), depth: 0, tracing: None, env }
    }
}

/// Where the nodes of a step, and of the functions that it calls, say what they did.
#[derive(Clone)]
pub struct Tracing {
    /// Takes the events.
    pub recorder: Arc<Recorder>,
    /// The functions that the step is inside of, such as `outer/inner`; empty for a step of its own.
    pub function: Arc<str>,
}

/// Receives a function's results.
pub type OnReturn = Box<dyn FnOnce(Result<Vec<Tensor>>) + Send>;

/// Where the nodes of a called function run.
#[derive(Clone, Debug)]
pub struct Site {
    /// Name of the device, as a rule that of the calling node; may be partial.
    pub device: Arc<str>,
    /// True where all nodes run there, whatever they ask for; false where it takes those that ask for nothing else.
    pub all: bool,
}

/// Runs functions of a graph's library.
pub trait Functions: Send + Sync {
    /// Runs `function` at `site` on `args` within the step `caller` and hands its results to `on_return`, before this
    /// returns or later from another thread. Never blocks.
    fn call(&self, function: &Func, site: &Site, args: Vec<Tensor>, caller: &StepCx, on_return: OnReturn);
}
