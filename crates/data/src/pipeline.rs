//! The results of a dataset: nodes of a graph, and an iterator of Rust values.

use crate::item::{self, Item};
use levada_builder::Output;
use levada_graph::{Code, Result, Tensor};
use levada_kernel::{Host, HostCall, HostFunction};
use levada_session::{Callable, CallableOptions, Session};
use std::marker::PhantomData;
use std::sync::Arc;

/// A function in Rust that nodes of a pipeline call.
#[derive(Clone)]
pub(crate) struct Hosted {
    pub(crate) token: String,
    pub(crate) function: Arc<dyn HostFunction>,
    /// True if it neither blocks nor takes long.
    pub(crate) brief: bool,
}

/// A function that is shared.
struct SharedFunction(Arc<dyn HostFunction>);

impl HostFunction for SharedFunction {
    fn call(&self, call: HostCall) -> Result<Vec<Tensor>> {
        self.0.call(call)
    }
}

/// A dataset with an iterator, as nodes of a graph.
pub struct Pipeline<T> {
    /// The components of the next element: a run that fetches or needs one takes an element.
    pub components: Vec<Output>,
    /// Starts at the first element. It must run before any is taken.
    pub initializer: Output,
    /// The iterator's handle.
    pub iterator: Output,
    /// Name of the initializer, and of the components.
    pub(crate) names: (String, Vec<String>),
    pub(crate) hosted: Vec<Hosted>,
    pub(crate) of: PhantomData<fn() -> T>,
}

impl<T: Item> Pipeline<T> {
    /// Registers the Rust functions that the pipeline calls with a session: those of [`Session::host`].
    pub fn register(&self, host: &Host) {
        for Hosted { token, function, brief } in &self.hosted {
            let function = SharedFunction(function.clone());
            let _ = if *brief { host.register_brief(token, function) } else { host.register(token, function) };
        }
    }

    /// The elements in a session on the graph, from the first one on.
    ///
    /// # Errors
    /// If the dataset cannot be made.
    pub fn elements(&self, session: &Session) -> Result<Elements<T>> {
        self.register(session.host());
        session.run(&[], &[], &[&self.names.0])?;
        let next = CallableOptions { fetches: self.names.1.clone(), ..CallableOptions::default() };
        Ok(Elements { next: session.callable(&next)?, ended: false, of: PhantomData })
    }
}

/// The elements of a pipeline. An element that fails is an error, and the next one follows.
pub struct Elements<T> {
    next: Callable,
    ended: bool,
    of: PhantomData<fn() -> T>,
}

impl<T> Elements<T> {
    /// The callable that returns the next element.
    pub fn callable(&self) -> &Callable {
        &self.next
    }
}

impl<T: Item> Iterator for Elements<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        if self.ended {
            return None;
        }
        match self.next.run(&[]) {
            Ok(tensors) => Some(item::read(tensors)),
            Err(error) if error.code() == Code::OutOfRange => {
                self.ended = true;
                None
            }
            Err(error) => {
                // After these errors no run returns an element.
                self.ended = matches!(error.code(), Code::Cancelled | Code::FailedPrecondition | Code::Unimplemented);
                Some(Err(error))
            }
        }
    }
}
