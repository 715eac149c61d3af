//! What threads share memory with: locks, atomics, lists of work, threads and time.
//!
//! In a usual build these are those of `parking_lot`, `crossbeam` and the standard library, re-exported and nothing else. With
//! `--cfg loom` or `--cfg shuttle` they are those of a model checker, which runs the same code under many or all schedules; tests
//! of the crates that use this one are the models. `docs/concurrency.md` says what they prove.
//!
//! Locks that are held for a moment, and under which nothing of this crate is used, need not be of this crate: no schedule
//! tells them from no lock at all.

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

/// True where a model checker runs the threads: nothing is gained by spinning there, and loops that spin never end.
pub const MODELED: bool = cfg!(any(loom, shuttle));

/// An atomic that no other thread knows now.
pub trait Alone {
    /// What it holds.
    type Value;
    /// What it holds now.
    fn value(&mut self) -> Self::Value;
    /// Gives it another value.
    fn assign(&mut self, value: Self::Value);
}
