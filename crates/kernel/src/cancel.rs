//! Cancellation: a token that a step's owner triggers once, and that everything in the step can check or listen to.

use levada_graph::{Code, Error};
use levada_sync::Mutex;
use levada_sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

type Callback = Box<dyn FnOnce(&Error) + Send>;

#[derive(Default)]
struct State {
    /// Mirrors `reason` being set, so that a check costs one load. Written under the lock of `listeners`.
    cancelled: AtomicBool,
    /// Protects the reason and the listeners; callbacks run outside of it.
    listeners: Mutex<Listeners>,
    parent: Option<Parent>,
}

/// The token whose cancellation also cancels another.
struct Parent {
    token: CancelToken,
    /// The other token's number among the children, or [`UNATTACHED`]. Written under the lock of the parent's
    /// listeners.
    number: AtomicUsize,
}

/// The number of a token that is not among its parent's children: most tokens of runs have no listeners, so that it is
/// enough to look at the parent. Only the last token of a chain is unattached.
const UNATTACHED: usize = usize::MAX;

#[derive(Default)]
struct Listeners {
    reason: Option<Error>,
    next: u64,
    callbacks: BTreeMap<u64, Callback>,
    children: Children,
}

/// The tokens that are cancelled with another, each under its own number. The memory is kept for the next ones.
#[derive(Default)]
struct Children {
    all: Vec<Option<Weak<State>>>,
    free: Vec<usize>,
}

impl Children {
    /// Adds a child and returns its number.
    fn add(&mut self, child: Weak<State>) -> usize {
        let number = self.free.pop().unwrap_or(self.all.len());
        if number == self.all.len() {
            self.all.push(None);
        }
        self.all[number] = Some(child);
        number
    }

    /// Removes a child, unless all have been taken.
    fn remove(&mut self, number: usize) -> Option<Weak<State>> {
        let child = self.all.get_mut(number)?.take();
        if child.is_some() {
            self.free.push(number);
        }
        child
    }
}

impl Drop for State {
    /// Removes it from the parent. If this was the parent's last holder, the parent is dropped too, iteratively: tokens
    /// of nested calls form a chain as long as the calls are deep.
    fn drop(&mut self) {
        let mut parent = self.parent.take();
        while let Some(Parent { token: CancelToken(state), number }) = parent {
            let number = number.load(Ordering::Acquire);
            if number != UNATTACHED {
                let weak = state.listeners.lock().children.remove(number);
                drop(weak);
            }
            parent = Arc::into_inner(state).and_then(|mut state| state.parent.take());
        }
    }
}

/// A token that can be cancelled once. Clones share it.
#[derive(Clone, Default)]
pub struct CancelToken(Arc<State>);

impl CancelToken {
    /// A token that is not cancelled.
    pub fn new() -> CancelToken {
        CancelToken::default()
    }

    /// A new token that is cancelled with this one.
    pub fn child(&self) -> CancelToken {
        self.attach();
        let parent = Parent { token: self.clone(), number: AtomicUsize::new(UNATTACHED) };
        let (cancelled, listeners) = (AtomicBool::new(false), Mutex::default());
        CancelToken(Arc::new(State { cancelled, listeners, parent: Some(parent) }))
    }

    /// Adds it to its parent's children, or cancels it if the parent has been cancelled.
    fn attach(&self) {
        let Some(parent) = &self.0.parent else { return };
        if parent.number.load(Ordering::Acquire) != UNATTACHED {
            return;
        }
        let mut listeners = parent.token.0.listeners.lock();
        match listeners.reason.clone() {
            Some(reason) => {
                drop(listeners);
                self.cancel_with(reason);
            }
            // Another thread may have come first.
            None if parent.number.load(Ordering::Relaxed) != UNATTACHED => {}
            None => parent.number.store(listeners.children.add(Arc::downgrade(&self.0)), Ordering::Release),
        }
    }

    /// The parent, if it has been cancelled and will not cancel this one itself.
    fn cancelled_parent(&self) -> Option<&State> {
        let parent = self.0.parent.as_ref()?;
        let (state, is_unattached) = (&*parent.token.0, parent.number.load(Ordering::Acquire) == UNATTACHED);
        (is_unattached && state.cancelled.load(Ordering::Acquire)).then_some(state)
    }

    /// Why its parent was cancelled, if this one inherits that.
    fn inherited(&self) -> Option<Error> {
        self.cancelled_parent()?.listeners.lock().reason.clone()
    }

    /// Cancels with code `CANCELLED`.
    pub fn cancel(&self) {
        self.cancel_with(Error::cancelled("the run was cancelled"));
    }

    /// Cancels for this reason; only the first one counts. Calls every listener on this thread.
    pub fn cancel_with(&self, reason: Error) {
        let reason = self.inherited().unwrap_or(reason);
        let mut open = vec![self.0.clone()];
        while let Some(state) = open.pop() {
            let (callbacks, children) = {
                let mut listeners = state.listeners.lock();
                if listeners.reason.is_some() {
                    continue;
                }
                listeners.reason = Some(reason.clone());
                state.cancelled.store(true, Ordering::Release);
                (std::mem::take(&mut listeners.callbacks), std::mem::take(&mut listeners.children))
            };
            open.extend(children.all.iter().flatten().filter_map(Weak::upgrade));
            for callback in callbacks.into_values() {
                callback(&reason);
            }
        }
    }

    /// True once cancelled.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Acquire) || self.cancelled_parent().is_some()
    }

    /// Why it was cancelled.
    pub fn reason(&self) -> Option<Error> {
        if !self.0.cancelled.load(Ordering::Acquire) {
            // From here on it is this token's reason, whoever cancels it now. No listener is called: there is none.
            self.cancel_with(self.inherited()?);
        }
        self.0.listeners.lock().reason.clone()
    }

    /// Returns an error once cancelled; for loops in long kernels.
    ///
    /// # Errors
    /// The reason.
    pub fn check(&self) -> Result<(), Error> {
        match self.reason() {
            Some(reason) => Err(reason),
            None => Ok(()),
        }
    }

    /// Calls `callback` on cancellation, or immediately if that has already happened. Dropping the registration removes
    /// the callback.
    pub fn on_cancel(&self, callback: impl FnOnce(&Error) + Send + 'static) -> Registration {
        self.attach();
        let mut listeners = self.0.listeners.lock();
        if let Some(reason) = listeners.reason.clone() {
            drop(listeners);
            callback(&reason);
            return Registration(None);
        }
        let id = listeners.next;
        listeners.next += 1;
        listeners.callbacks.insert(id, Box::new(callback));
        Registration(Some(Listening { token: self.clone(), id }))
    }
}

/// A callback that waits for cancellation.
pub struct Registration(#[expect(dead_code, reason = "held for its drop")] Option<Listening>);

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

/// True for the codes of errors that are consequences of others: a cancelled node is never the root cause.
pub fn is_consequence(error: &Error) -> bool {
    error.code() == Code::Cancelled
}

#[cfg(all(test, loom))]
mod models {
    //! What holds under every schedule: a listener hears once, whether it comes before or after a cancellation, and a
    //! token has one reason.

    use super::*;
    use levada_sync::atomic::AtomicUsize;
    use levada_sync::{explore, thread};

    /// Adds a listener that counts.
    fn listen(token: &CancelToken, heard: &Arc<AtomicUsize>) -> impl FnOnce() -> Registration + Send + 'static {
        let (token, heard) = (token.clone(), heard.clone());
        move || {
            token.on_cancel(move |_| {
                heard.fetch_add(1, Ordering::SeqCst);
            })
        }
    }

    #[test]
    fn a_child_gets_a_listener_while_its_parent_is_cancelled() {
        explore(|| {
            let parent = CancelToken::new();
            let child = parent.child();
            let heard = Arc::new(AtomicUsize::new(0));
            let listens = thread::spawn(listen(&child, &heard));
            parent.cancel();
            let _registration = listens.join().unwrap();
            assert_eq!(heard.load(Ordering::SeqCst), 1);
            assert!(child.is_cancelled() && child.reason().is_some());
        });
    }

    #[test]
    fn two_threads_listen_to_a_child() {
        explore(|| {
            let parent = CancelToken::new();
            let child = parent.child();
            let heard = Arc::new(AtomicUsize::new(0));
            let other = thread::spawn(listen(&child, &heard));
            let _registrations = (listen(&child, &heard)(), other.join().unwrap());
            parent.cancel();
            assert_eq!(heard.load(Ordering::SeqCst), 2);
        });
    }

    #[test]
    fn a_child_keeps_its_reason_while_its_parent_is_cancelled() {
        explore(|| {
            let parent = CancelToken::new();
            let child = parent.child();
            let of_child = child.clone();
            let cancels = thread::spawn(move || of_child.cancel_with(Error::aborted("only the child")));
            let of_parent = parent.clone();
            let also = thread::spawn(move || of_parent.cancel());
            let first = child.reason();
            cancels.join().unwrap();
            also.join().unwrap();
            let last = child.reason().map(|reason| reason.code());
            assert!(first.is_none_or(|first| Some(first.code()) == last));
        });
    }
}

#[cfg(all(test, not(any(loom, shuttle))))]
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

    #[test]
    fn children_are_cancelled_with_their_parent_and_not_the_other_way_round() {
        let parent = CancelToken::new();
        let (first, second) = (parent.child(), parent.child());
        first.cancel_with(Error::aborted("only this one"));
        assert_eq!((parent.is_cancelled(), second.is_cancelled()), (false, false));
        let heard = Arc::new(Mutex::new(0));
        let _listening = [&first, &second].map(|token| {
            let heard = heard.clone();
            token.on_cancel(move |_| *heard.lock() += 1)
        });
        parent.cancel();
        assert_eq!(*heard.lock(), 2);
        let code = |token: &CancelToken| token.reason().map(|reason| reason.code());
        assert_eq!([code(&first), code(&second)], [Some(Code::Aborted), Some(Code::Cancelled)]);
        assert_eq!(code(&parent.child().child()), Some(Code::Cancelled));
    }

    #[test]
    fn a_long_chain_is_cancelled_and_dropped_without_nesting() {
        let root = CancelToken::new();
        let mut last = root.child();
        for _ in 0..200_000 {
            last = last.child();
        }
        root.cancel();
        assert!(last.is_cancelled());
        drop((root, last));
    }
}
