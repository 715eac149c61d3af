//! A node whose completion depends on other runs.

use crate::prelude::*;
use levada_kernel::cancel::Registration;
use levada_kernel::{Completion, Wait};
use parking_lot::Mutex;
use std::sync::Arc;

/// Completes a node exactly once: with its outputs, or with an error if its run is cancelled.
pub(super) struct Pending {
    done: Mutex<Option<Completion>>,
    /// Keeps the cancellation callback registered.
    listener: Mutex<Option<Registration>>,
}

impl Pending {
    /// Defers the node of `cx` until an event that is certain to happen.
    pub(super) fn of(cx: &mut Cx<'_, '_>) -> Arc<Pending> {
        Pending::at(cx, Wait::External)
    }

    /// Defers the node of `cx`, which waits for `wait`.
    pub(super) fn at(cx: &mut Cx<'_, '_>, wait: Wait) -> Arc<Pending> {
        let done = Mutex::new(Some(cx.defer_for(wait)));
        let pending = Arc::new(Pending { done, listener: Mutex::default() });
        let weak = Arc::downgrade(&pending);
        let listener = cx.cancel().on_cancel(move |reason| {
            if let Some(pending) = weak.upgrade() {
                pending.end(Err(reason.clone()));
            }
        });
        *pending.listener.lock() = Some(listener);
        pending
    }

    /// Whether the node has not been completed yet.
    pub(super) fn waits(&self) -> bool {
        self.done.lock().is_some()
    }

    fn end(&self, outputs: Result<Vec<Tensor>>) {
        let done = self.done.lock().take();
        if let Some(done) = done {
            done.finish(outputs);
        }
    }

    /// Completes the node unless it is already completed.
    pub(super) fn finish(&self, outputs: Result<Vec<Tensor>>) {
        let listener = self.listener.lock().take();
        drop(listener);
        self.end(outputs);
    }
}
