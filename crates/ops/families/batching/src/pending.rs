//! A node that waits for others' runs.

use crate::prelude::*;
use levada_kernel::cancel::Registration;
use levada_kernel::{Completion, Wait};
use parking_lot::Mutex;
use std::sync::Arc;

/// Finishes a node, once: with its outputs or because its run was cancelled.
pub(super) struct Pending {
    done: Mutex<Option<Completion>>,
    /// Held so that the run's cancellation is heard.
    listener: Mutex<Option<Registration>>,
}

impl Pending {
    /// Defers the node of `cx`, for something that is certain to happen.
    pub(super) fn of(cx: &mut Cx<'_, '_>) -> Arc<Pending> {
        Pending::at(cx, Wait::External)
    }

    /// Defers the node of `cx`, which waits for this.
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

    /// True as long as nothing has finished it.
    pub(super) fn waits(&self) -> bool {
        self.done.lock().is_some()
    }

    fn end(&self, outputs: Result<Vec<Tensor>>) {
        let done = self.done.lock().take();
        if let Some(done) = done {
            done.finish(outputs);
        }
    }

    /// Finishes the node unless that has happened.
    pub(super) fn finish(&self, outputs: Result<Vec<Tensor>>) {
        let listener = self.listener.lock().take();
        drop(listener);
        self.end(outputs);
    }
}
