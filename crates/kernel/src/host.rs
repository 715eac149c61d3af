//! Functions of the program around a session, which nodes call by tokens: as `PyFunc` and related ops do.
//!
//! A function is registered under a token, by which nodes call it. A graph from elsewhere can only call functions that
//! were registered for its session. Functions may take long and may block: they run on threads of their own and occupy
//! none of the pool's, except those registered as brief.
//!
//! ```
//! use levada_graph::Tensor;
//! use levada_kernel::{Host, HostCall};
//!
//! let host = Host::default();
//! host.register("double", |call: HostCall| Ok(vec![Tensor::scalar(2.0 * call.inputs[0].item::<f32>()?)]));
//! assert!(host.find("double").is_ok());
//! assert!(host.find("triple").is_err());
//! ```

use crate::cancel::CancelToken;
use levada_graph::{Code, DType, Error, Result, Tensor};
use parking_lot::{Condvar, Mutex, RwLock};
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Suffix of a function's token that makes the token of its gradient function: from the arguments, followed by the
/// gradients of the differentiable results, that function returns the gradients with respect to the differentiable
/// arguments.
pub const GRADIENT: &str = ":gradient";

/// How long a thread waits for the next call before it ends.
const IDLE: Duration = Duration::from_secs(10);

/// A call of a function.
pub struct HostCall {
    /// The token.
    pub token: Arc<str>,
    /// Name of the node that calls.
    pub node: Arc<str>,
    /// Its op.
    pub op: &'static str,
    /// The device that the node is placed on.
    pub device: Arc<str>,
    /// The arguments.
    pub inputs: Vec<Tensor>,
    /// Types of the results.
    pub outputs: Vec<DType>,
    /// Cancelled with the calling step, which does not wait for a function that is still running then.
    pub cancel: CancelToken,
}

/// A function that nodes call.
pub trait HostFunction: Send + Sync {
    /// Calls it: one result for each of [`HostCall::outputs`].
    ///
    /// # Errors
    /// Whatever the function fails with; the step fails with it.
    fn call(&self, call: HostCall) -> Result<Vec<Tensor>>;

    /// True if it neither blocks nor takes long: then it is called on the node's thread.
    fn is_brief(&self) -> bool {
        false
    }
}

/// A function that neither blocks nor takes long.
struct Brief<F>(F);

impl<F: HostFunction> HostFunction for Brief<F> {
    fn call(&self, call: HostCall) -> Result<Vec<Tensor>> {
        self.0.call(call)
    }

    fn is_brief(&self) -> bool {
        true
    }
}

impl<F: Fn(HostCall) -> Result<Vec<Tensor>> + Send + Sync> HostFunction for F {
    fn call(&self, call: HostCall) -> Result<Vec<Tensor>> {
        self(call)
    }
}

/// Finds functions that were not registered.
pub type Finder = dyn Fn(&str) -> Option<Arc<dyn HostFunction>> + Send + Sync;

/// Receives the number of the thread that it runs on, from 0.
type Job = Box<dyn FnOnce(u32) + Send>;

/// The functions that the nodes of a session may call, and the threads that run them.
#[derive(Default)]
pub struct Host {
    functions: RwLock<HashMap<String, Arc<dyn HostFunction>>>,
    finder: RwLock<Option<Arc<Finder>>>,
    threads: Arc<Threads>,
}

/// Calls that wait for a thread. Protects the list and the number of idle threads.
#[derive(Default)]
struct Threads {
    state: Mutex<State>,
    called: Condvar,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    idle: usize,
    /// The numbers of the existing threads.
    numbers: BTreeSet<u32>,
}

impl Host {
    /// Registers a function under a token; returns the one that was registered under it before.
    pub fn register(
        &self,
        token: impl Into<String>,
        function: impl HostFunction + 'static,
    ) -> Option<Arc<dyn HostFunction>> {
        self.functions.write().insert(token.into(), Arc::new(function))
    }

    /// As [`Host::register`], for a function that neither blocks nor takes long: it is called on the session's threads,
    /// which costs less than handing the call to a separate thread.
    pub fn register_brief(
        &self,
        token: impl Into<String>,
        function: impl HostFunction + 'static,
    ) -> Option<Arc<dyn HostFunction>> {
        self.register(token, Brief(function))
    }

    /// Removes the function registered under a token.
    pub fn remove(&self, token: &str) -> Option<Arc<dyn HostFunction>> {
        self.functions.write().remove(token)
    }

    /// The tokens of the registered functions, sorted.
    pub fn tokens(&self) -> Vec<String> {
        let mut tokens: Vec<String> = self.functions.read().keys().cloned().collect();
        tokens.sort();
        tokens
    }

    /// Sets what finds functions that were not registered.
    pub fn set_finder(&self, finder: Arc<Finder>) {
        *self.finder.write() = Some(finder);
    }

    /// The function registered under a token.
    ///
    /// # Errors
    /// `PERMISSION_DENIED` if there is none.
    pub fn find(&self, token: &str) -> Result<Arc<dyn HostFunction>> {
        if let Some(function) = self.functions.read().get(token) {
            return Ok(function.clone());
        }
        let finder = self.finder.read().clone();
        finder.and_then(|find| find(token)).ok_or_else(|| {
            Error::new(Code::PermissionDenied, format!("no function is registered under the token {token:?}"))
                .help("a graph calls only functions that its session was given: register one under this token")
        })
    }

    /// Runs `job` on a thread that it may block, and passes it the number of that thread.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` if the system cannot start a thread; `job` is dropped.
    pub fn spawn(&self, job: impl FnOnce(u32) + Send + 'static) -> Result<()> {
        let mut state = self.threads.state.lock();
        state.jobs.push_back(Box::new(job));
        if state.jobs.len() <= state.idle {
            self.threads.called.notify_one();
            return Ok(());
        }
        let number = (0..).find(|number| !state.numbers.contains(number)).unwrap_or(u32::MAX);
        state.numbers.insert(number);
        let threads = self.threads.clone();
        let name = format!("levada-host-{number}");
        if thread::Builder::new().name(name).spawn(move || threads.work(number)).is_err() {
            state.numbers.remove(&number);
            // The next free thread would take the job, but there may never be one.
            let job = state.jobs.pop_back();
            drop(state);
            drop(job);
            return Err(Error::resource_exhausted("cannot start a thread for a function that a node calls"));
        }
        Ok(())
    }
}

impl Threads {
    /// Runs jobs until there have been none for [`IDLE`].
    fn work(&self, number: u32) {
        let mut state = self.state.lock();
        loop {
            while let Some(job) = state.jobs.pop_front() {
                drop(state);
                job(number);
                state = self.state.lock();
            }
            state.idle += 1;
            let waited = self.called.wait_for(&mut state, IDLE);
            state.idle -= 1;
            if waited.timed_out() && state.jobs.is_empty() {
                state.numbers.remove(&number);
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn jobs_that_block_each_have_a_thread() {
        let host = Host::default();
        let (first, second) = (mpsc::channel(), mpsc::channel());
        let (done, all_done) = mpsc::channel();
        // Each waits for the other.
        for (to, from) in [(first.0, second.1), (second.0, first.1)] {
            let done = done.clone();
            host.spawn(move |_| {
                to.send(()).unwrap();
                from.recv().unwrap();
                done.send(()).unwrap();
            })
            .unwrap();
        }
        for _ in 0..2 {
            all_done.recv_timeout(Duration::from_secs(60)).unwrap();
        }
        let again = done.clone();
        host.spawn(move |_| again.send(()).unwrap()).unwrap();
        all_done.recv_timeout(Duration::from_secs(60)).unwrap();
    }

    #[test]
    fn a_finder_finds_what_was_not_registered() {
        let host = Host::default();
        assert_eq!(host.find("a").err().unwrap().code(), Code::PermissionDenied);
        host.set_finder(Arc::new(|token: &str| {
            let function: Arc<dyn HostFunction> = Arc::new(|_: HostCall| Ok(Vec::new()));
            (token == "a").then_some(function)
        }));
        assert!(host.find("a").is_ok() && host.find("b").is_err());
        host.register("b", |_: HostCall| Ok(Vec::new()));
        assert_eq!(host.tokens(), ["b"]);
        assert!(host.find("b").is_ok() && host.remove("b").is_some() && host.find("b").is_err());
    }
}
