//! How many of several tasks work at a time.

use crate::parallel_map::Now;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use std::task::Waker;

/// Lets so many tasks work at a time.
pub(crate) struct Permits {
    most: Now,
    /// Protects who works and who waits. Held for moments, and never while anything is woken.
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    working: usize,
    /// Those that wait, with their numbers.
    waiting: VecDeque<(u64, Waker)>,
    next: u64,
}

impl Permits {
    pub(crate) fn new(most: Now) -> Arc<Permits> {
        Arc::new(Permits { most, state: Mutex::default() })
    }

    /// How many may work now.
    pub(crate) fn most(&self) -> usize {
        self.most.get()
    }

    /// A permit for one more task, which it does not hold yet.
    pub(crate) fn one(self: &Arc<Permits>) -> Permit {
        let mut state = self.state.lock();
        state.next += 1;
        Permit { of: self.clone(), number: state.next, held: false, queued: false }
    }

    /// Lets the one that waits longest try, if one may.
    fn pass_on(&self) {
        let mut state = self.state.lock();
        let next = if state.working < self.most.get() { state.waiting.pop_front() } else { None };
        drop(state);
        if let Some((_, waker)) = next {
            waker.wake();
        }
    }
}

/// What one task needs to work.
pub(crate) struct Permit {
    of: Arc<Permits>,
    number: u64,
    held: bool,
    /// True where it waits, or was told to try and has not.
    queued: bool,
}

impl Permit {
    /// Whether the task may work. If not, it is woken to ask again; before others if it `is_asked` for an element.
    pub(crate) fn take(&mut self, is_asked: bool, waker: &Waker) -> bool {
        if self.held {
            return true;
        }
        let mut state = self.of.state.lock();
        state.waiting.retain(|(number, _)| *number != self.number);
        if state.working < self.of.most.get() {
            state.working += 1;
            (self.held, self.queued) = (true, false);
            return true;
        }
        let one = (self.number, waker.clone());
        if is_asked {
            state.waiting.push_front(one)
        } else {
            state.waiting.push_back(one)
        }
        self.queued = true;
        false
    }

    /// Gives it up if others wait for theirs.
    pub(crate) fn share(&mut self) {
        if self.held && !self.of.state.lock().waiting.is_empty() {
            self.leave();
        }
    }

    /// Gives it up.
    pub(crate) fn leave(&mut self) {
        if std::mem::take(&mut self.held) {
            self.of.state.lock().working -= 1;
        } else if !self.queued {
            return;
        }
        if std::mem::take(&mut self.queued) {
            self.of.state.lock().waiting.retain(|(number, _)| *number != self.number);
        }
        self.of.pass_on();
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.leave();
    }
}
