//! Feeds each run.

use crate::hook::{Context, Hook, Request};
use levada_graph::{Result, Tensor};

/// Feeds the values that a function returns to each run: `tf.train.FeedFnHook`.
pub struct FeedWith(Box<Feeds>);

type Feeds = dyn FnMut() -> Result<Vec<(String, Tensor)>>;

impl FeedWith {
    /// Feeds the values that `feeds` returns. Its errors fail the run; `OUT_OF_RANGE` ends training.
    pub fn new(feeds: impl FnMut() -> Result<Vec<(String, Tensor)>> + 'static) -> FeedWith {
        FeedWith(Box::new(feeds))
    }
}

impl Hook for FeedWith {
    fn before_run(&mut self, _: &Context<'_>) -> Result<Request> {
        Ok(Request { feeds: (self.0)()?, ..Request::default() })
    }
}
