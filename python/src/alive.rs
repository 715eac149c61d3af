//! Signals, threads and forks of the Python process around a run.

use crate::errors::Raised;
use levada::Error;
use levada::kernel::Ask;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of forks between the loading of the module and this process.
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

/// The process in which an object was made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Process(u64);

impl Process {
    /// This one.
    pub(crate) fn this() -> Process {
        Process(FORKS.load(Ordering::Relaxed))
    }

    /// An error in a forked child: the threads and locks have stayed behind.
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

/// Stands for an unknown number of Python threads that could begin a run: any number.
const UNKNOWN: u64 = u16::MAX as u64;

/// How many Python threads could begin a run. A count is valid until the next run begins: a thread that is blocked in a
/// run starts no threads. The upper bits count runs, the lower 16 threads.
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

    /// True if a thread besides these callers may begin a run.
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

/// Checks signals and counts threads during a run.
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
