//! Tensors that are kept in a session between its runs, by handle: what `GetSessionHandle` and related ops work on.

use levada_graph::{Error, Result, Tensor};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A tensor that a run has given a handle.
struct New {
    node: Arc<str>,
    handle: String,
    tensor: Tensor,
}

#[derive(Default)]
struct State {
    next: u64,
    kept: HashMap<String, Tensor>,
    /// By the number of the step.
    new: HashMap<u64, Vec<New>>,
}

/// Tensors by handle. A handle is `node;number;device`, as in TensorFlow. A tensor that a run has given a handle is
/// kept only if the run fetches the handle from the node that made it.
#[derive(Default)]
pub struct SessionTensors {
    /// Protects the maps and the next number.
    state: Mutex<State>,
    /// Mirrors the number of steps in `new`, so that runs without handles need no lock.
    steps: AtomicUsize,
}

impl SessionTensors {
    /// The container of resource handles that are handles of tensors.
    pub const CONTAINER: &str = "TensorHandle";

    /// Gives a tensor of a step a handle.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the node has already done so in this step, as in a loop.
    pub fn add(&self, step: u64, node: &Arc<str>, device: &str, tensor: Tensor) -> Result<String> {
        let mut guard = self.state.lock();
        let state = &mut *guard;
        let handle = state.handle(node, device);
        let new = state.new.entry(step).or_default();
        if new.iter().any(|n| n.node == *node) {
            return Err(Error::invalid(format!("Failed to add a tensor with name '{node}' to the tensor store."))
                .help("a node can make one handle in a run; does it run in a loop?"));
        }
        new.push(New { node: node.clone(), handle: handle.clone(), tensor });
        self.steps.store(state.new.len(), Ordering::Release);
        Ok(handle)
    }

    /// Keeps a tensor that was not made by a run.
    pub fn put(&self, name: &str, device: &str, tensor: Tensor) -> String {
        let mut state = self.state.lock();
        let handle = state.handle(name, device);
        state.kept.insert(handle.clone(), tensor);
        handle
    }

    /// Keeps the tensors that a step gave handles at nodes that it fetched.
    pub fn keep(&self, step: u64, is_fetched: impl Fn(&str) -> bool) {
        if self.steps.load(Ordering::Acquire) == 0 {
            return;
        }
        let mut guard = self.state.lock();
        let State { new, kept, .. } = &mut *guard;
        let fetched = new.get_mut(&step).into_iter().flat_map(|new| new.extract_if(.., |n| is_fetched(&n.node)));
        kept.extend(fetched.map(|n| (n.handle, n.tensor)));
    }

    /// Drops the tensors that a step gave handles and did not fetch.
    pub fn end(&self, step: u64) {
        if self.steps.load(Ordering::Acquire) == 0 {
            return;
        }
        let mut state = self.state.lock();
        let dropped = state.new.remove(&step);
        self.steps.store(state.new.len(), Ordering::Release);
        drop(state);
        drop(dropped);
    }

    /// The tensor with this handle.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if there is none.
    pub fn get(&self, handle: &str) -> Result<Tensor> {
        self.state.lock().kept.get(handle).cloned().ok_or_else(|| absent(handle))
    }

    /// Forgets the tensor with this handle.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if there is none.
    pub fn remove(&self, handle: &str) -> Result<()> {
        let removed = self.state.lock().kept.remove(handle);
        removed.map(drop).ok_or_else(|| {
            Error::invalid(format!("Failed to delete a tensor with handle '{handle}' in the session store."))
                .help("the tensor does not exist; was it deleted before?")
        })
    }

    /// The number of tensors kept.
    pub fn len(&self) -> usize {
        self.state.lock().kept.len()
    }

    /// True if no tensors are kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl State {
    fn handle(&mut self, node: &str, device: &str) -> String {
        let number = self.next;
        self.next += 1;
        format!("{node};{number};{device}")
    }
}

fn absent(handle: &str) -> Error {
    Error::invalid(format!("The tensor with handle '{handle}' is not in the session store."))
        .help("a handle is good in its session, from the run that fetched it until it is deleted")
}
