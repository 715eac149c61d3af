//! Runs something at the end.

use crate::hook::{Context, Hook};
use levada_graph::{Result, Tensor};
use std::cell::RefCell;
use std::rc::Rc;

/// Fetches endpoints when the session is closed: `tf.train.FinalOpsHook`.
pub struct FinalOps {
    fetches: Vec<String>,
    feeds: Vec<(String, Tensor)>,
    values: FinalValues,
}

/// The values that [`FinalOps`] fetched.
#[derive(Clone, Default)]
pub struct FinalValues(Rc<RefCell<Option<Vec<Tensor>>>>);

impl FinalValues {
    /// The values in the order of the fetches, after the session was closed.
    pub fn get(&self) -> Option<Vec<Tensor>> {
        self.0.borrow().clone()
    }
}

impl FinalOps {
    /// Fetches these endpoints, and runs these operations. The second result holds the values.
    pub fn new<S: Into<String>>(fetches: impl IntoIterator<Item = S>) -> (FinalOps, FinalValues) {
        let values = FinalValues::default();
        let fetches = fetches.into_iter().map(Into::into).collect();
        (FinalOps { fetches, feeds: Vec::new(), values: values.clone() }, values)
    }

    /// Feeds these values.
    #[must_use]
    pub fn feed(mut self, endpoint: impl Into<String>, value: Tensor) -> FinalOps {
        self.feeds.push((endpoint.into(), value));
        self
    }
}

impl Hook for FinalOps {
    fn end(&mut self, at: &Context<'_>) -> Result<()> {
        let fetches: Vec<&str> = self.fetches.iter().map(String::as_str).collect();
        let feeds: Vec<(&str, Tensor)> =
            self.feeds.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        let values = at.session().run(&feeds, &fetches, &[])?;
        *self.values.0.borrow_mut() = Some(values);
        Ok(())
    }
}
