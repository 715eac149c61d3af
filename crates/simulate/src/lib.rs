//! Whole sessions, simulated: threads that put, take, close, cancel, miss deadlines, start and stop queue runners and
//! end their session, under a scheduler and a clock that are determined by a seed, and checked against a model after
//! each operation.
//!
//! ```text
//! .ci/threads simulate --seconds 60
//! .ci/threads simulate --seed 17
//! ```
//!
//! [`live`] is one life of a session. `docs/concurrency.md` says what holds in it. The crate is empty unless it is
//! built with `--cfg shuttle`: its threads and its time are those of `levada-sync` then.

#[cfg(shuttle)]
mod book;
#[cfg(shuttle)]
mod dice;
#[cfg(shuttle)]
mod life;
#[cfg(shuttle)]
mod places;
#[cfg(shuttle)]
mod world;

#[cfg(shuttle)]
pub use life::{Lived, live};

#[cfg(all(test, shuttle))]
mod models;
