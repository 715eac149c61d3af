//! Stops background work together: queue runners and threads of the caller.

use levada_graph::{Code, Error, Result};
use levada_kernel::CancelToken;
use levada_sync::atomic::{AtomicBool, Ordering};
use levada_sync::{Condvar, Mutex};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

type Callback = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct State {
    /// The error that caused the stop, if any.
    error: Option<Error>,
    /// The running members.
    members: BTreeMap<u64, Running>,
    next: u64,
    on_stop: Vec<Callback>,
}

struct Running {
    name: Arc<str>,
    /// Cancels the member.
    cancel: Option<CancelToken>,
}

struct Shared {
    /// Set once a stop is requested, so that a check costs one load. Written under the lock.
    stopping: AtomicBool,
    /// Protects the members and the outcome. Callbacks run outside of the lock.
    state: Mutex<State>,
    changed: Condvar,
    /// Codes of errors that count as a normal end.
    clean: Vec<Code>,
}

/// Stops background work together. Clones share it.
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
    /// A coordinator for which the end of the input, `OUT_OF_RANGE`, is a normal end.
    pub fn new() -> Coordinator {
        Coordinator::with_clean([Code::OutOfRange])
    }

    /// A coordinator for which errors with these codes request a stop but count as a normal end.
    pub fn with_clean(codes: impl IntoIterator<Item = Code>) -> Coordinator {
        Coordinator(Arc::new(Shared {
            stopping: AtomicBool::new(false),
            state: Mutex::default(),
            changed: Condvar::new(),
            clean: codes.into_iter().collect(),
        }))
    }

    /// True once a stop was requested.
    #[inline]
    pub fn should_stop(&self) -> bool {
        self.0.stopping.load(Ordering::Acquire)
    }

    /// Asks every member to stop.
    pub fn request_stop(&self) {
        self.stop(None);
    }

    /// Asks every member to stop because of `error`. [`Coordinator::join`] fails with the first one; errors after a
    /// stop was requested are its consequences and are dropped.
    pub fn fail(&self, error: Error) {
        self.stop(Some(error).filter(|e| !self.0.clean.contains(&e.code())));
    }

    /// Withdraws the request to stop and forgets the error, so that new members can run, as TensorFlow's `clear_stop`
    /// does. Members that were already asked to stop do not resume.
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

    /// Calls `callback` when a stop is requested, immediately if one already was.
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

    /// Waits until a stop is requested, at most for `timeout`; returns whether it was.
    pub fn wait_for_stop(&self, timeout: Duration) -> bool {
        let until = levada_sync::now().checked_add(timeout);
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

    /// The error that caused the stop.
    pub fn error(&self) -> Option<Error> {
        self.0.state.lock().error.clone()
    }

    /// Registers a member that [`Coordinator::join`] waits for until it is dropped.
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

    /// Names of the running members.
    pub fn running(&self) -> Vec<Arc<str>> {
        self.0.state.lock().members.values().map(|m| m.name.clone()).collect()
    }

    /// Waits until a stop is requested or every member has ended, and from then on at most `grace` for the members to
    /// end. Queue runners that are still running then are cancelled.
    ///
    /// # Errors
    /// The first error; without one `DEADLINE_EXCEEDED`, naming the members that have not ended.
    pub fn join(&self, grace: Duration) -> Result<()> {
        let mut state = self.0.state.lock();
        while !self.should_stop() && !state.members.is_empty() {
            self.0.changed.wait(&mut state);
        }
        drop(state);
        self.request_stop();
        let until = levada_sync::now().checked_add(grace);
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
        let reason = || Error::cancelled("it had not stopped in time after a stop was requested");
        cancels.iter().for_each(|cancel| cancel.cancel_with(reason()));
        match error {
            Some(error) => Err(error),
            None if names.is_empty() => Ok(()),
            None => Err(Error::deadline_exceeded(format!(
                "{} still running {grace:?} after a stop was requested",
                counted(names)
            ))
            .help("check that every queue they wait for has a queue runner, which eventually closes it")),
        }
    }
}

/// Names, with a count for repeated ones: `a, b (3 times) are`.
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

/// A member that the coordinator waits for until this is dropped.
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
