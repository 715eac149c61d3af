//! Asks a monitored session to stop from outside.

use levada_graph::Error;
use levada_kernel::CancelToken;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How soon a request is answered.
const ATTENTION: Duration = Duration::from_millis(50);

/// Asks a monitored session to stop: it ends after the run under way, and its hooks end as usual, so that its state is
/// saved. Clones share the request.
///
/// The library handles no signals by itself. A program that wants SIGTERM to save and stop hands the flag to what
/// handles them, such as `signal_hook::flag::register(SIGTERM, stop.flag())`.
#[derive(Clone, Default, Debug)]
pub struct Stop {
    asked: Arc<AtomicBool>,
}

impl Stop {
    /// A request that has not been made yet.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Asks.
    pub fn request(&self) {
        self.asked.store(true, Ordering::Relaxed);
    }

    /// True once a stop was requested.
    pub fn is_requested(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// The flag that asks when it is true: an atomic, so that a signal handler may set it.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.asked.clone()
    }

    /// A request that `flag` makes.
    pub fn of(flag: Arc<AtomicBool>) -> Stop {
        Stop { asked: flag }
    }
}

/// Cancels the run under way some time after a stop was requested, since it may wait forever.
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
                cancel.cancel_with(Error::cancelled("the run was under way when a stop was asked for"));
            }
        };
        // Where the system has no thread for it, the run that is under way ends by itself.
        let _ = std::thread::Builder::new().name("levada-stop".to_owned()).spawn(ends);
        watch
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
    }
}
