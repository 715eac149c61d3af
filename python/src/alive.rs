//! Signals, threads and forks: what a run has to know of the Python around it.

use crate::errors::Raised;
use levada::Error;
use levada::kernel::Ask;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How often this process has been a child of a fork since the module was loaded.
static FORKS: AtomicU64 = AtomicU64::new(0);

/// Counts forks from now on.
pub(crate) fn watch_forks() {
    #[cfg(unix)]
    {
        extern "C" fn forked() {
            FORKS.fetch_add(1, Ordering::Relaxed);
        }
        // SAFETY: the function only adds to a number, which may be done in a child that has one thread of many.
        #[allow(unsafe_code)]
        unsafe {
            libc::pthread_atfork(None, None, Some(forked));
        }
    }
}

/// The process that something was made in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Process(u64);

impl Process {
    /// This one.
    pub(crate) fn this() -> Process {
        Process(FORKS.load(Ordering::Relaxed))
    }

    /// An error where this process is another one: its threads and locks have stayed behind.
    pub(crate) fn check(self) -> levada::Result<()> {
        if self == Process::this() {
            return Ok(());
        }
        Err(Error::failed_precondition(
            "the session was made before the process was forked, and its threads have stayed behind",
        )
        .help(
            "make a session in the child, or start processes with multiprocessing's method \"spawn\" or \"forkserver\"",
        ))
    }
}

/// The number of Python's threads that could begin a run where it is not known: any number.
const UNKNOWN: u64 = u16::MAX as u64;

/// How many of Python's threads could begin a run. What was counted holds until the next run begins: whoever is asleep in
/// a run starts no thread. The upper bits count runs, the lower 16 threads.
pub(crate) struct Threads(AtomicU64);

impl Default for Threads {
    fn default() -> Threads {
        Threads(AtomicU64::new(UNKNOWN))
    }
}

impl Threads {
    /// A run begins: its thread may have started others.
    pub(crate) fn begin(&self) {
        let _ = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |old| Some(((old >> 16) + 1) << 16 | UNKNOWN));
    }

    /// True where somebody besides so many callers may begin a run.
    pub(crate) fn more_than(&self, callers: usize) -> bool {
        let counted = self.0.load(Ordering::SeqCst) & UNKNOWN;
        counted == UNKNOWN || counted > callers as u64
    }

    fn count(&self, py: Python<'_>) -> PyResult<()> {
        let before = self.0.load(Ordering::SeqCst);
        let counted: u64 = py.import("levada._threads")?.call_method0("count")?.extract()?;
        let after = (before >> 16) << 16 | counted.min(UNKNOWN);
        let _ = self.0.compare_exchange(before, after, Ordering::SeqCst, Ordering::SeqCst);
        Ok(())
    }
}

/// Looks at signals and counts threads while a run goes on.
pub(crate) fn ask(threads: Option<Arc<Threads>>) -> Arc<Ask> {
    Arc::new(move || {
        let asked = Python::try_attach(|py| {
            py.check_signals()?;
            threads.as_ref().map_or(Ok(()), |threads| threads.count(py))
        });
        match asked {
            Some(Err(exception)) => Err(Error::cancelled("the run was interrupted")
                .with_report(Arc::new(Raised { exception, in_function: false }))),
            Some(Ok(())) => Ok(()),
            None => Err(Error::cancelled("the interpreter ends")),
        }
    })
}
