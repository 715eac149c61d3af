//! Requests a stop of a monitored session from outside.

use levada_graph::Error;
use levada_kernel::CancelToken;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The maximum delay until a request is noticed.
const ATTENTION: Duration = Duration::from_millis(50);

/// Requests a stop of a monitored session: it ends after the current run, and its hooks end as usual, so that its state
/// is saved. Clones share the request.
///
/// The library handles no signals. A program in which SIGTERM should save and stop registers the flag with a signal
/// handler, such as `signal_hook::flag::register(SIGTERM, stop.flag())`.
#[derive(Clone, Default, Debug)]
pub struct Stop {
    asked: Arc<AtomicBool>,
}

impl Stop {
    /// A new handle, without a request.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Requests the stop.
    pub fn request(&self) {
        self.asked.store(true, Ordering::Relaxed);
    }

    /// True once a stop was requested.
    pub fn is_requested(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// The flag that requests a stop when it is true: an atomic, so that a signal handler may set it.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.asked.clone()
    }

    /// A handle that uses `flag`.
    pub fn of(flag: Arc<AtomicBool>) -> Stop {
        Stop { asked: flag }
    }
}

/// Cancels the current run some time after a stop was requested, since it may wait forever.
pub(crate) struct Watch {
    done: Arc<AtomicBool>,
    pub(crate) cancel: CancelToken,
}

impl Watch {
    pub(crate) fn new(stop: &Stop, grace: Duration) -> Watch {
        let watch = Watch { done: Arc::default(), cancel: CancelToken::new() };
        let (stop, done, cancel) = (stop.clone(), watch.done.clone(), watch.cancel.clone());
        let patience = move |until: &dyn Fn() -> bool| {
            while !until() {
                if done.load(Ordering::Relaxed) {
                    return false;
                }
                std::thread::sleep(ATTENTION);
            }
            true
        };
        let ends = move || {
            if !patience(&|| stop.is_requested()) {
                return;
            }
            let asked = std::time::Instant::now();
            if patience(&|| asked.elapsed() >= grace) {
                cancel.cancel_with(Error::cancelled("the run was in progress when a stop was requested"));
            }
        };
        // If the system has no thread for it, the current run is not cancelled.
        let _ = std::thread::Builder::new().name("levada-stop".to_owned()).spawn(ends);
        watch
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
    }
}
