//! Counts what keeps a step from ending.

use crate::activation::Ready;
use levada_sync::atomic::{AtomicUsize, Ordering};

/// Keeps a step from ending: there is one for each thread with a list of nodes, each list that waits for a thread, and
/// each deferred node. It must be given back; a step with a lost hold never ends.
#[must_use]
pub(crate) struct Hold(());

/// Proof that the step has ended: no thread fires nodes of it or will. The holder of this token may access what its
/// nodes shared.
#[must_use]
pub(crate) struct Ended(());

/// Counts the holds on a step. Giving one back releases the work done under it to the thread that gives back the last.
pub(crate) struct Holds(AtomicUsize);

impl Holds {
    /// The count of a new step, and its first hold.
    pub(crate) fn new() -> (Holds, Hold) {
        (Holds(AtomicUsize::new(1)), Hold(()))
    }

    /// One more, while the given one is known not to be given back.
    pub(crate) fn another(&self, _: &Hold) -> Hold {
        self.0.fetch_add(1, Ordering::Relaxed);
        Hold(())
    }

    /// Gives a hold back, with the list of nodes that it was for, which must be empty.
    pub(crate) fn give_back(&self, _: Hold, list: &[Ready]) -> Option<Ended> {
        assert!(list.is_empty(), "nodes are left when their hold is given back");
        let before = self.0.fetch_sub(1, Ordering::AcqRel);
        debug_assert!(before > 0, "a hold is given back that nobody has");
        (before == 1).then_some(Ended(()))
    }

    /// True once all are given back. Sequentially consistent, for the watch.
    pub(crate) fn are_gone(&self) -> bool {
        self.0.load(Ordering::SeqCst) == 0
    }
}
