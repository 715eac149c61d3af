//! A run that is prepared once and called often.

use crate::holder::Holder;
use crate::names;
use crate::options::{RunMetadata, RunOptions};
use crate::session::{Ran, Session};
use levada_executor::Plan;
use levada_graph::{Result, Tensor};
use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::Arc;

/// The feeds, fetches and targets of a [`Callable`].
#[derive(Clone, Debug, Default)]
pub struct CallableOptions {
    /// Endpoints that each call feeds, in order.
    pub feeds: Vec<String>,
    /// Endpoints whose values each call returns, in order, and operations to run: see [`Session::run`].
    pub fetches: Vec<String>,
    /// Nodes that each call runs.
    pub targets: Vec<String>,
}

impl CallableOptions {
    /// With these feeds, fetches and targets.
    pub fn new<S: Into<String>>(
        feeds: impl IntoIterator<Item = S>,
        fetches: impl IntoIterator<Item = S>,
        targets: impl IntoIterator<Item = S>,
    ) -> CallableOptions {
        CallableOptions {
            feeds: feeds.into_iter().map(Into::into).collect(),
            fetches: fetches.into_iter().map(Into::into).collect(),
            targets: targets.into_iter().map(Into::into).collect(),
        }
    }
}

/// A run that is prepared once and called often. Give each thread its own clone, as with a [`Session`]: if the program
/// has no other thread, a callable and the session that made it are assumed to be on the same thread until they are
/// used on several.
#[derive(Clone)]
pub struct Callable {
    pub(crate) session: Holder,
    pub(crate) plan: Arc<Plan>,
    /// The positions of the operations among the fetches.
    pub(crate) operations: Arc<[usize]>,
    pub(crate) asked: Arc<CallableOptions>,
    pub(crate) one_thread: PhantomData<Cell<()>>,
}

impl Callable {
    /// Runs with these values for the feeds, in order; returns the fetches, in order.
    ///
    /// # Errors
    /// As [`Session::run`].
    pub fn run(&self, feeds: &[Tensor]) -> Result<Vec<Tensor>> {
        self.step(&RunOptions::default(), feeds).result
    }

    /// As [`Callable::run`], with options; also returns the metadata of the run, whether it succeeds or not.
    pub fn run_with(&self, options: &RunOptions, feeds: &[Tensor]) -> (Result<Vec<Tensor>>, RunMetadata) {
        let Ran { result, step_id, trace } = self.step(options, feeds);
        (result, RunMetadata { step_id, trace: trace.map(|trace| *trace) })
    }

    fn step(&self, options: &RunOptions, feeds: &[Tensor]) -> Ran {
        let asked = || (*self.asked).clone();
        let ran = self.session.on_this_thread().step(&self.plan, feeds.to_vec(), options, &asked);
        Ran { result: ran.result.map(|tensors| names::spread(tensors, &self.operations)), ..ran }
    }

    /// True if the fetch at this index is an operation, which is run and has no value.
    pub fn is_operation(&self, fetch: usize) -> bool {
        self.operations.contains(&fetch)
    }

    /// The plan, for inspection.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// A session on the same graph and state.
    pub fn session(&self) -> Session {
        Session::held(self.session.clone())
    }
}
