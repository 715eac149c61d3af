//! Detects stalls: states in which nothing in a session can act any more. A protocol of a few counters and locks.
//!
//! In: what steps and their callers report about themselves. Out: the steps that would sleep forever. It does not know
//! what a step is or where its nodes wait, so `loom` can explore every interleaving of it:
//!
//! ```text
//! .ci/threads loom
//! ```
//!
//! Everything that may still act is counted somewhere at every moment: it is counted in its new place before it leaves
//! the old one:
//!
//! | while | counted by |
//! |---|---|
//! | a thread works on a step, or is about to | the step's [`Activity`] |
//! | a timer, a device or a thread is certain to finish a node | the step's [`Activity`] |
//! | a caller of a session is not inside a sleeping run | the session's count of handles |
//! | a queue runner is between two steps, or ends | the session's count of handles |
//! | a step without a caller has not ended, or its end has not been reported | its [`Listing`], by an entry of the [`Roll`] |
//!
//! Start with [`Roll`], the steps that may sleep; [`Activity`] says whether one does; [`Listing`] puts steps without a
//! caller on the roll and takes them off.
//!
//! ```
//! use levada_stall::{Activity, Roll, Sleeps};
//! use std::sync::Arc;
//!
//! struct Step(Activity);
//! impl Sleeps for Step {
//!     fn sleeps(&self) -> Option<u64> {
//!         self.0.is_idle().then_some(0)
//!     }
//! }
//!
//! let step = Arc::new(Step(Activity::of_one_thread()));
//! let roll = Roll::default();
//! roll.enter(step.clone(), true);
//! assert!(roll.stalled(|_| false).is_none(), "a thread works on it");
//! step.0.leave();
//! assert!(roll.stalled(|_| false).is_some());
//! assert!(roll.stalled(|_callers| true).is_none(), "another caller can act");
//! ```

mod activity;
mod listing;
mod roll;

pub use activity::Activity;
pub use listing::Listing;
pub use roll::{Roll, Sleeps};

use levada_sync::atomic::{AtomicUsize, Ordering};

/// Reads a counter, sequentially consistent. In loom such a load may return an old value, as one that only acquires; a
/// read-modify-write returns the newest value there too.
fn read(counter: &AtomicUsize) -> usize {
    if cfg!(loom) { counter.fetch_add(0, Ordering::SeqCst) } else { counter.load(Ordering::SeqCst) }
}
