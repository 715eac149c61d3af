//! Notifications about the runs of a session, for recordings.

use crate::callable::CallableOptions;
use levada_graph::{Result, Tensor};

/// A run that begins.
pub struct Begun<'a> {
    /// Number of its step.
    pub id: u64,
    /// Its feeds, fetches and targets.
    pub asked: &'a CallableOptions,
    /// The values of its feeds, in order.
    pub feeds: &'a [Tensor],
    /// The node that a queue runner runs with it.
    pub runner: Option<&'a str>,
}

/// Is notified of every run of a session except partial runs, which such a session refuses.
pub trait Scribe: Send + Sync {
    /// A run begins. Called on the thread of the caller unless a queue runner begins the run.
    ///
    /// # Errors
    /// If the run cannot begin.
    fn begins(&self, run: &Begun<'_>) -> Result<()>;

    /// The run has ended, with the fetched tensors; operations have none.
    fn ended(&self, id: u64, result: &Result<Vec<Tensor>>);
}
