//! Whether anything of a step goes on.

use crate::sync::{AtomicUsize, Ordering, read};

/// Who works on a step, and what is sure to come back to it. Sequentially consistent: who looks for sleepers reads several
/// counters that others change in a certain order.
#[derive(Debug)]
pub struct Activity {
    /// Threads that work on the step or are about to.
    threads: AtomicUsize,
    /// Nodes that wait for something outside of the step that is sure to come.
    sure: AtomicUsize,
}

impl Activity {
    /// Of a step that the calling thread is about to work on.
    pub fn of_one_thread() -> Activity {
        Activity { threads: AtomicUsize::new(1), sure: AtomicUsize::new(0) }
    }

    /// How many threads work on it, for decisions that need not be exact.
    #[inline]
    pub fn threads(&self) -> usize {
        self.threads.load(Ordering::Relaxed)
    }

    /// Counts one more thread; false where there are `most` already.
    pub fn join(&self, most: usize) -> bool {
        let room = |n: usize| (n < most).then_some(n + 1);
        self.threads.fetch_update(Ordering::SeqCst, Ordering::SeqCst, room).is_ok()
    }

    /// Counts one thread fewer; true where it was the last. Work that is shared before this must be looked for after it.
    pub fn leave(&self) -> bool {
        self.threads.fetch_sub(1, Ordering::SeqCst) == 1
    }

    /// One more node is sure to come back.
    pub fn expect(&self) {
        self.sure.fetch_add(1, Ordering::SeqCst);
    }

    /// One of them is back, and a thread that goes on with it has joined; or it waits for something else from now on.
    pub fn expect_no_more(&self) {
        self.sure.fetch_sub(1, Ordering::SeqCst);
    }

    /// True where no thread works on it and nothing is sure to come back.
    pub fn is_idle(&self) -> bool {
        read(&self.threads) == 0 && read(&self.sure) == 0
    }
}
