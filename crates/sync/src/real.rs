//! The real primitives.

use crate::Alone;
pub use crossbeam::deque::{Injector, Steal};
pub use parking_lot::{Condvar, Mutex, MutexGuard, RwLock};
use std::ops::Range;
pub use std::sync::{Once, atomic};
pub use std::thread::{self, sleep};
pub use std::thread_local;
use std::time::Instant;

macro_rules! alone {
    ($($atomic:ident: $value:ty),+) => {
        $(impl Alone for atomic::$atomic {
            type Value = $value;
            #[inline]
            fn value(&mut self) -> $value {
                *self.get_mut()
            }
            #[inline]
            fn assign(&mut self, value: $value) {
                *self.get_mut() = value;
            }
        })+
    };
}

alone!(AtomicU64: u64, AtomicUsize: usize);

/// The time.
#[inline]
pub fn now() -> Instant {
    Instant::now()
}

/// Tracks accesses to the cells of an array, for model checkers: does nothing here.
pub struct Accesses;

impl Accesses {
    /// For an array of this length.
    #[inline]
    pub fn of(_: usize) -> Accesses {
        Accesses
    }

    /// This thread has exclusive access to a cell now.
    #[inline]
    pub fn one(&self, _: usize) {}

    /// This thread has exclusive access to these cells now.
    #[inline]
    pub fn each(&self, _: Range<usize>) {}
}
