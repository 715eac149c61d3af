//! Ends together what runs on its own: queue runners, and threads of the caller's.

use levada_graph::{Code, Error, Result};
use levada_kernel::CancelToken;
use parking_lot::{Condvar, Mutex};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

type Callback = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct State {
    /// Why it stopped, where that was a fault.
    error: Option<Error>,
    /// Who runs.
    members: BTreeMap<u64, Running>,
    next: u64,
    on_stop: Vec<Callback>,
}

struct Running {
    name: Arc<str>,
    /// Ends it by force.
    cancel: Option<CancelToken>,
}

struct Shared {
    /// Mirrors that a stop was asked for, so that looking costs one load. Written under the lock.
    stopping: AtomicBool,
    /// Protects who runs and how it ended. Callbacks run outside of it.
    state: Mutex<State>,
    changed: Condvar,
    /// Codes of errors that are no fault.
    clean: Vec<Code>,
}

/// Ends together what runs on its own. Clones share it.
///
/// ```
/// use levada_session::Coordinator;
/// use std::time::Duration;
/// let coordinator = Coordinator::new();
/// let member = coordinator.register("my thread");
/// let thread = std::thread::spawn(move || {
///     while !member.should_stop() {
///         std::thread::yield_now();
///     }
/// });
/// coordinator.request_stop();
/// coordinator.join(Duration::from_secs(10)).unwrap();
/// # thread.join().unwrap();
/// ```
#[derive(Clone)]
pub struct Coordinator(Arc<Shared>);

impl Default for Coordinator {
    fn default() -> Coordinator {
        Coordinator::new()
    }
}

impl Coordinator {
    /// A coordinator for which the end of the input, `OUT_OF_RANGE`, is no fault.
    pub fn new() -> Coordinator {
        Coordinator::with_clean([Code::OutOfRange])
    }

    /// A coordinator for which errors with these codes ask for a stop, but are no fault.
    pub fn with_clean(codes: impl IntoIterator<Item = Code>) -> Coordinator {
        Coordinator(Arc::new(Shared {
            stopping: AtomicBool::new(false),
            state: Mutex::default(),
            changed: Condvar::new(),
            clean: codes.into_iter().collect(),
        }))
    }

    /// True once everybody should stop.
    #[inline]
    pub fn should_stop(&self) -> bool {
        self.0.stopping.load(Ordering::Acquire)
    }

    /// Asks everybody to stop.
    pub fn request_stop(&self) {
        self.stop(None);
    }

    /// Asks everybody to stop because of `error`. The first one is what [`Coordinator::join`] fails with; errors that
    /// come after a stop was asked for are its consequences and are dropped.
    pub fn fail(&self, error: Error) {
        self.stop(Some(error).filter(|e| !self.0.clean.contains(&e.code())));
    }

    /// Takes back that a stop was asked for, and forgets the fault, so that others can run: what TensorFlow's `clear_stop`
    /// does. Those that were asked before do not come back.
    pub fn clear_stop(&self) {
        let mut state = self.0.state.lock();
        state.error = None;
        self.0.stopping.store(false, Ordering::Release);
    }

    fn stop(&self, error: Option<Error>) {
        let callbacks = {
            let mut state = self.0.state.lock();
            if self.0.stopping.swap(true, Ordering::AcqRel) {
                return;
            }
            state.error = error;
            std::mem::take(&mut state.on_stop)
        };
        self.0.changed.notify_all();
        callbacks.into_iter().for_each(|callback| callback());
    }

    /// Calls `callback` when a stop is asked for, at once if that was before.
    pub fn on_stop(&self, callback: impl FnOnce() + Send + 'static) {
        {
            let mut state = self.0.state.lock();
            if !self.should_stop() {
                state.on_stop.push(Box::new(callback));
                return;
            }
        }
        callback();
    }

    /// Waits until a stop is asked for, at most for this time; says whether it was.
    pub fn wait_for_stop(&self, timeout: Duration) -> bool {
        let until = Instant::now().checked_add(timeout);
        let mut state = self.0.state.lock();
        while !self.should_stop() {
            match until {
                None => self.0.changed.wait(&mut state),
                Some(until) => {
                    if self.0.changed.wait_until(&mut state, until).timed_out() {
                        break;
                    }
                }
            }
        }
        self.should_stop()
    }

    /// The fault because of which everybody stops.
    pub fn error(&self) -> Option<Error> {
        self.0.state.lock().error.clone()
    }

    /// Adds somebody to those that [`Coordinator::join`] waits for, until the member is dropped.
    pub fn register(&self, name: impl Into<Arc<str>>) -> Member {
        self.enter(name.into(), None)
    }

    pub(crate) fn enter(&self, name: Arc<str>, cancel: Option<CancelToken>) -> Member {
        let mut state = self.0.state.lock();
        let id = state.next;
        state.next += 1;
        state.members.insert(id, Running { name, cancel });
        Member { coordinator: self.clone(), id }
    }

    /// Names of those that run.
    pub fn running(&self) -> Vec<Arc<str>> {
        self.0.state.lock().members.values().map(|m| m.name.clone()).collect()
    }

    /// Waits until a stop is asked for or everybody has ended, and from then on at most `grace` until everybody has.
    /// Queue runners that have not ended by then are cancelled.
    ///
    /// # Errors
    /// The first fault; without one `DEADLINE_EXCEEDED`, naming those that have not ended.
    pub fn join(&self, grace: Duration) -> Result<()> {
        let mut state = self.0.state.lock();
        while !self.should_stop() && !state.members.is_empty() {
            self.0.changed.wait(&mut state);
        }
        drop(state);
        self.request_stop();
        let until = Instant::now().checked_add(grace);
        let mut state = self.0.state.lock();
        while !state.members.is_empty() {
            match until {
                None => self.0.changed.wait(&mut state),
                Some(until) => {
                    if self.0.changed.wait_until(&mut state, until).timed_out() {
                        break;
                    }
                }
            }
        }
        let names: Vec<Arc<str>> = state.members.values().map(|m| m.name.clone()).collect();
        let cancels: Vec<CancelToken> = state.members.values().filter_map(|m| m.cancel.clone()).collect();
        let error = state.error.clone();
        drop(state);
        let reason = || Error::cancelled("it had not ended in time after a stop was asked for");
        cancels.iter().for_each(|cancel| cancel.cancel_with(reason()));
        match error {
            Some(error) => Err(error),
            None if names.is_empty() => Ok(()),
            None => Err(Error::deadline_exceeded(format!(
                "{} still running {grace:?} after a stop was asked for",
                counted(names)
            ))
            .help("check that every queue that they wait for has a queue runner, which closes it in the end")),
        }
    }
}

/// Names with how often each stands there: `a, b (3 times) are`.
fn counted(names: Vec<Arc<str>>) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    let mut counts: BTreeMap<Arc<str>, usize> = BTreeMap::new();
    names.into_iter().for_each(|name| *counts.entry(name).or_default() += 1);
    let named = |(name, n): (Arc<str>, usize)| if n == 1 { name.to_string() } else { format!("{name} ({n} times)") };
    let shown: Vec<String> = counts.clone().into_iter().take(20).map(named).collect();
    match counts.len() - shown.len() {
        0 => format!("{} {verb}", shown.join(", ")),
        more => format!("{} and {more} more {verb}", shown.join(", ")),
    }
}

/// Somebody that a coordinator waits for, until this is dropped.
pub struct Member {
    coordinator: Coordinator,
    id: u64,
}

impl Member {
    /// As [`Coordinator::should_stop`].
    pub fn should_stop(&self) -> bool {
        self.coordinator.should_stop()
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.coordinator.0.state.lock().members.remove(&self.id);
        self.coordinator.0.changed.notify_all();
    }
}
