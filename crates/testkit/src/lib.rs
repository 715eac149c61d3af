//! For tests only: random graphs with known answers, ops that misbehave on purpose, and what to run them with.
//!
//! [`attacks`] are hostile graphs of every op. [`dag`] makes graphs of integer ops, as proptest strategies that shrink, and computes what they give without the
//! runtime: one node after the other. [`loops`](mod@loops) makes graphs with loops, and
//! [`device`] is an accelerator that is none. [`mutants`] changes files. [`ops`] has ops that wait, meet, fail and panic, and sessions that know them.
//! [`soak`](mod@soak) sends many elements through a queue while runs are cancelled, and accounts for each of them.

pub mod attacks;
pub mod dag;
pub mod device;
pub mod loops;
pub mod mutants;
pub mod ops;
pub mod soak;

/// The runtime, for tests of crates that it is made of.
pub use levada;

/// Thread counts to run every executor test with.
pub const WORKERS: [usize; 3] = [1, 2, 8];
