//! Whether anything in a step is running or certain to run.

use crate::read;
use levada_sync::atomic::{AtomicUsize, Ordering};

/// Counts the threads that work on a step, and its nodes that are certain to finish. Sequentially consistent: the check
/// for a stall reads several counters that other threads change in a fixed order.
#[derive(Debug)]
pub struct Activity {
    /// Threads that work on the step or are about to.
    threads: AtomicUsize,
    /// Nodes that wait for an event outside the step that is certain to happen.
    expected: AtomicUsize,
}

impl Activity {
    /// For a step that the calling thread is about to work on.
    pub fn of_one_thread() -> Activity {
        Activity { threads: AtomicUsize::new(1), expected: AtomicUsize::new(0) }
    }

    /// Number of threads that work on it, for decisions that need not be exact.
    #[inline]
    pub fn threads(&self) -> usize {
        self.threads.load(Ordering::Relaxed)
    }

    /// Counts one more thread; false if the maximum `most` has been reached.
    pub fn join(&self, most: usize) -> bool {
        let room = |n: usize| (n < most).then_some(n + 1);
        self.threads.fetch_update(Ordering::SeqCst, Ordering::SeqCst, room).is_ok()
    }

    /// Counts one thread fewer; true if it was the last. After this, the caller must check again for shared work.
    pub fn leave(&self) -> bool {
        self.threads.fetch_sub(1, Ordering::SeqCst) == 1
    }

    /// Counts one more node that is certain to finish.
    pub fn expect(&self) {
        self.expected.fetch_add(1, Ordering::SeqCst);
    }

    /// Counts one such node fewer: it has finished and a thread that continues with it has joined, or it now waits for
    /// something else.
    pub fn expect_no_more(&self) {
        self.expected.fetch_sub(1, Ordering::SeqCst);
    }

    /// True if a node is certain to finish, with the help of something outside.
    pub fn expects(&self) -> bool {
        read(&self.expected) > 0
    }

    /// True if no thread works on it and no node is certain to finish.
    pub fn is_idle(&self) -> bool {
        read(&self.threads) == 0 && read(&self.expected) == 0
    }
}
