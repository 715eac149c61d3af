//! Cancellation: a token that a step's owner triggers once, and that everything in the step can check or listen to.

use levada_graph::{Code, Error};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

type Callback = Box<dyn FnOnce(&Error) + Send>;

#[derive(Default)]
struct State {
    /// Mirrors `reason` being set, so that a check costs one load. Written under the lock of `listeners`.
    cancelled: AtomicBool,
    /// Protects the reason and who is to be told; callbacks run outside of it.
    listeners: Mutex<Listeners>,
    /// A token whose cancellation is this one's too.
    parent: Option<CancelToken>,
}

#[derive(Default)]
struct Listeners {
    reason: Option<Error>,
    next: u64,
    callbacks: BTreeMap<u64, Callback>,
}

/// A token that can be cancelled once. Clones share it.
#[derive(Clone, Default)]
pub struct CancelToken(Arc<State>);

impl CancelToken {
    /// A token that is not cancelled.
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// A token of its own that is cancelled with this one.
    pub fn child(&self) -> CancelToken {
        CancelToken(Arc::new(State { parent: Some(self.clone()), ..State::default() }))
    }

    /// Cancels with code `CANCELLED`.
    pub fn cancel(&self) {
        self.cancel_with(Error::cancelled("the run was cancelled"));
    }

    /// Cancels for this reason; only the first one counts. Calls every listener on this thread.
    pub fn cancel_with(&self, reason: Error) {
        let callbacks = {
            let mut listeners = self.0.listeners.lock();
            if listeners.reason.is_some() {
                return;
            }
            listeners.reason = Some(reason.clone());
            self.0.cancelled.store(true, Ordering::Release);
            std::mem::take(&mut listeners.callbacks)
        };
        for callback in callbacks.into_values() {
            callback(&reason);
        }
    }

    /// True once cancelled.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Acquire) || self.0.parent.as_ref().is_some_and(CancelToken::is_cancelled)
    }

    /// Why it was cancelled.
    pub fn reason(&self) -> Option<Error> {
        if !self.is_cancelled() {
            return None;
        }
        let own = self.0.listeners.lock().reason.clone();
        own.or_else(|| self.0.parent.as_ref().and_then(CancelToken::reason))
    }

    /// An error once cancelled; for loops in long kernels.
    ///
    /// # Errors
    /// The reason.
    pub fn check(&self) -> Result<(), Error> {
        match self.reason() {
            Some(reason) => Err(reason),
            None => Ok(()),
        }
    }

    /// True if this is the only holder of the token, so that only its parent can cancel it.
    pub fn is_private(&mut self) -> bool {
        Arc::get_mut(&mut self.0).is_some()
    }

    /// Calls `callback` on cancellation, at once if that has happened already; once, even where both this token and its
    /// parent are cancelled. Dropping the registration takes the callback back.
    pub fn on_cancel(&self, callback: impl FnOnce(&Error) + Send + 'static) -> Registration {
        let Some(parent) = &self.0.parent else {
            return Registration { own: self.listen(Box::new(callback)), parent: None };
        };
        let shared = Arc::new(Mutex::new(Some(callback)));
        let call = |shared: Arc<Mutex<Option<_>>>| -> Callback {
            Box::new(move |reason: &Error| {
                let callback = shared.lock().take();
                if let Some(callback) = callback {
                    let callback: Box<dyn FnOnce(&Error) + Send> = Box::new(callback);
                    callback(reason);
                }
            })
        };
        let through_parent = parent.on_cancel(call(shared.clone()));
        Registration { own: self.listen(call(shared)), parent: Some(Box::new(through_parent)) }
    }

    fn listen(&self, callback: Callback) -> Option<Listening> {
        let mut listeners = self.0.listeners.lock();
        if let Some(reason) = listeners.reason.clone() {
            drop(listeners);
            callback(&reason);
            return None;
        }
        let id = listeners.next;
        listeners.next += 1;
        listeners.callbacks.insert(id, callback);
        Some(Listening { token: self.clone(), id })
    }
}

/// A callback that waits for cancellation.
pub struct Registration {
    #[expect(dead_code, reason = "held for its drop")]
    own: Option<Listening>,
    #[expect(dead_code, reason = "held for its drop")]
    parent: Option<Box<Registration>>,
}

struct Listening {
    token: CancelToken,
    id: u64,
}

impl Drop for Listening {
    fn drop(&mut self) {
        // The callback is dropped outside of the lock: it may hold the last reference to anything.
        let taken = self.token.0.listeners.lock().callbacks.remove(&self.id);
        drop(taken);
    }
}

/// True for the codes of errors that follow from another: a cancelled node is never the root cause.
pub fn is_consequence(error: &Error) -> bool {
    error.code() == Code::Cancelled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listeners_hear_once_unless_they_left() {
        let token = CancelToken::new();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let listen = |name: &'static str| {
            let heard = heard.clone();
            token.on_cancel(move |_| heard.lock().push(name))
        };
        let _stays = listen("stays");
        drop(listen("leaves"));
        token.cancel();
        token.cancel();
        let _late = listen("late");
        assert_eq!(*heard.lock(), ["stays", "late"]);
        assert_eq!(token.check().unwrap_err().code(), Code::Cancelled);
    }
}
