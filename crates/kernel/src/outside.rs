//! Values that come from outside of a graph: seeds that nobody gave, the time, results of functions of the program. A session may
//! have an [`Outside`] that notes them, or gives those that were noted elsewhere.

use levada_graph::{Code, Error, Result, Tensor};
use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

/// Notes values from outside, or knows them.
pub trait Outside: Send + Sync {
    /// The value of this kind that is known for a node's instance; `None` where it is to be found and noted.
    fn recall(&self, instance: u64, kind: &'static str) -> Option<Result<Vec<Tensor>>>;

    /// This is the value.
    fn note(&self, instance: u64, kind: &'static str, value: &Result<Vec<Tensor>>);

    /// A file is about to be read.
    ///
    /// # Errors
    /// Where it is not the file that it should be.
    fn opens(&self, path: &Path) -> Result<()>;
}

levada_sync::thread_local! {
    /// The node that this thread computes, in sessions with an [`Outside`].
    static CURRENT: RefCell<Option<Caller>> = const { RefCell::new(None) };
}

/// A node that asks for values from outside.
#[derive(Clone)]
pub struct Caller {
    outside: Arc<dyn Outside>,
    instance: u64,
}

impl Caller {
    /// The node that this thread computes; `None` where nobody wants to know.
    pub fn current() -> Option<Caller> {
        CURRENT.with(|current| current.borrow().clone())
    }

    /// [`Outside::recall`]
    pub fn recall(&self, kind: &'static str) -> Option<Result<Vec<Tensor>>> {
        self.outside.recall(self.instance, kind)
    }

    /// [`Outside::note`]
    pub fn note(&self, kind: &'static str, value: &Result<Vec<Tensor>>) {
        self.outside.note(self.instance, kind, value);
    }
}

/// Until it is dropped this thread computes a node.
#[must_use]
pub struct Entered(Option<Caller>);

/// This thread computes this node of a session with this [`Outside`] until what is returned is dropped.
pub fn enter(outside: &Arc<dyn Outside>, instance: u64) -> Entered {
    let caller = Caller { outside: outside.clone(), instance };
    Entered(CURRENT.with(|current| current.replace(Some(caller))))
}

impl Drop for Entered {
    fn drop(&mut self) {
        drop(CURRENT.with(|current| current.replace(self.0.take())));
    }
}

/// The value that `find` finds, which is noted, or the one that was noted.
///
/// # Errors
/// What `find` fails with; `DATA_LOSS` where another number of values was noted.
pub fn value(kind: &'static str, find: impl FnOnce() -> Result<Tensor>) -> Result<Tensor> {
    let Some(caller) = Caller::current() else { return find() };
    match caller.recall(kind) {
        Some(values) => values?.into_iter().next().ok_or_else(|| {
            Error::new(Code::DataLoss, format!("a recording has no value of the kind {kind} where there must be one"))
        }),
        None => {
            let found = find();
            caller.note(kind, &found.clone().map(|tensor| vec![tensor]));
            found
        }
    }
}

/// 64 bits that nobody can foretell.
pub fn entropy() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    // std seeds its hashers from the system's entropy.
    let draw = || RandomState::new().build_hasher().finish();
    let drawn = value("seed", || Ok(Tensor::scalar(draw())));
    drawn.and_then(|seed| seed.item()).unwrap_or_else(|_| draw())
}
