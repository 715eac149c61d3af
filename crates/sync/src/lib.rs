//! The primitives of shared memory: locks, atomics, work lists, threads and time.
//!
//! In a usual build these are those of `parking_lot`, `crossbeam` and the standard library, merely re-exported. With
//! `--cfg loom` or `--cfg shuttle` they are those of a model checker, which runs the same code under many or all
//! schedules; tests of the crates that use this one are the models. `docs/concurrency.md` says what they prove.
//!
//! Locks that are held briefly, and under which nothing of this crate is used, need not be of this crate: no schedule
//! can distinguish them from no lock at all.

#[cfg(any(loom, shuttle))]
mod explore;
#[cfg(any(loom, shuttle))]
mod model;
#[cfg(not(any(loom, shuttle)))]
mod real;
#[cfg(shuttle)]
mod simulate;

#[cfg(any(loom, shuttle))]
pub use explore::explore;
#[cfg(any(loom, shuttle))]
pub use model::*;
#[cfg(not(any(loom, shuttle)))]
pub use real::*;
#[cfg(shuttle)]
pub use simulate::simulate;

/// True if a model checker runs the threads: nothing is gained by spinning there, and loops that spin never end.
pub const MODELED: bool = cfg!(any(loom, shuttle));

/// A number that no other thread of the process has, from 1.
pub fn this_thread() -> u64 {
    // Only a count: no schedule depends on it.
    static LAST: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    crate::thread_local! {
        static NUMBER: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
    }
    NUMBER.with(|number| {
        if number.get() == 0 {
            number.set(LAST.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1);
        }
        number.get()
    })
}

/// An atomic that no other thread can access now.
pub trait Alone {
    /// The type of its value.
    type Value;
    /// Returns its value.
    fn value(&mut self) -> Self::Value;
    /// Sets its value.
    fn assign(&mut self, value: Self::Value);
}
