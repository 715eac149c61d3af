//! Values that come from outside a graph: seeds that were not given, the time, results of functions of the program. A
//! session may have an [`Outside`] that records them, or supplies those that were recorded elsewhere.

use levada_graph::{Code, Error, Result, Tensor};
use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

/// Records values from outside, or supplies recorded ones.
pub trait Outside: Send + Sync {
    /// The recorded value of this kind for a node's instance; `None` if it has to be determined and recorded.
    fn recall(&self, instance: u64, kind: &'static str) -> Option<Result<Vec<Tensor>>>;

    /// Records this value.
    fn note(&self, instance: u64, kind: &'static str, value: &Result<Vec<Tensor>>);

    /// Called before a file is read.
    ///
    /// # Errors
    /// If it is not the expected file.
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
    /// The node that this thread computes; `None` if values are neither recorded nor supplied.
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

/// Guard: while it exists, this thread computes a node.
#[must_use]
pub struct Entered(Option<Caller>);

/// This thread computes this node of a session with this [`Outside`] until the returned guard is dropped.
pub fn enter(outside: &Arc<dyn Outside>, instance: u64) -> Entered {
    let caller = Caller { outside: outside.clone(), instance };
    Entered(CURRENT.with(|current| current.replace(Some(caller))))
}

impl Drop for Entered {
    fn drop(&mut self) {
        drop(CURRENT.with(|current| current.replace(self.0.take())));
    }
}

/// The recorded value, or else the one that `find` returns, which is recorded.
///
/// # Errors
/// What `find` fails with; `DATA_LOSS` if a different number of values was recorded.
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

/// 64 unpredictable bits.
pub fn entropy() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    // std seeds its hashers from the system's entropy.
    let draw = || RandomState::new().build_hasher().finish();
    let drawn = value("seed", || Ok(Tensor::scalar(draw())));
    drawn.and_then(|seed| seed.item()).unwrap_or_else(|_| draw())
}
