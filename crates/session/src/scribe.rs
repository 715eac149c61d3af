//! Who is told of the runs of a session: for recordings.

use crate::callable::CallableOptions;
use levada_graph::{Result, Tensor};

/// A run that begins.
pub struct Begun<'a> {
    /// Number of its step.
    pub id: u64,
    /// What it feeds, fetches and runs.
    pub asked: &'a CallableOptions,
    /// The values of its feeds, in order.
    pub feeds: &'a [Tensor],
    /// The node that a queue runner runs with it.
    pub runner: Option<&'a str>,
}

/// Is told of every run of a session but for partial runs, which such a session refuses.
pub trait Scribe: Send + Sync {
    /// A run begins, on the thread that calls this unless a queue runner begins it.
    ///
    /// # Errors
    /// Where it cannot begin.
    fn begins(&self, run: &Begun<'_>) -> Result<()>;

    /// It has ended: with the tensors that it fetches, operations aside.
    fn ended(&self, id: u64, result: &Result<Vec<Tensor>>);
}
