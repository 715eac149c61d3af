//! For tests only: random graphs with known answers, ops that misbehave on purpose, and helpers to run them.
//!
//! [`attacks`] are hostile graphs of every op. [`dag`] makes graphs of integer ops, as proptest strategies that shrink,
//! and computes their results without the runtime, node by node. [`loops`](mod@loops) makes graphs with loops, and
//! [`device`] is a simulated accelerator. [`mutants`] mutates files. [`ops`] has ops that wait, meet, fail and panic,
//! and sessions that know them. [`soak`](mod@soak) sends many elements through a queue while runs are cancelled, and
//! accounts for each of them.

pub mod attacks;
pub mod dag;
pub mod device;
pub mod loops;
pub mod mutants;
pub mod ops;
pub mod soak;

/// The runtime, for tests of the crates that it consists of.
pub use levada;

/// Thread counts to run every executor test with.
pub const WORKERS: [usize; 3] = [1, 2, 8];
