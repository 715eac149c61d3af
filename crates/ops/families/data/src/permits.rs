//! Limits how many tasks work concurrently.

use crate::parallel_map::Now;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use std::task::Waker;

/// Allows a limited number of tasks to work concurrently.
pub(crate) struct Permits {
    most: Now,
    /// Protects the sets of working and waiting tasks. Held only briefly, and never while anything is woken.
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    working: usize,
    /// The waiting tasks, with their numbers.
    waiting: VecDeque<(u64, Waker)>,
    next: u64,
}

impl Permits {
    pub(crate) fn new(most: Now) -> Arc<Permits> {
        Arc::new(Permits { most, state: Mutex::default() })
    }

    /// The current limit.
    pub(crate) fn most(&self) -> usize {
        self.most.get()
    }

    /// Creates the permit of one more task, which is not acquired yet.
    pub(crate) fn one(self: &Arc<Permits>) -> Permit {
        let mut state = self.state.lock();
        state.next += 1;
        Permit { of: self.clone(), number: state.next, held: false, queued: false }
    }

    /// Wakes the task that has waited longest, if the limit allows it to work.
    fn pass_on(&self) {
        let mut state = self.state.lock();
        let next = if state.working < self.most.get() { state.waiting.pop_front() } else { None };
        drop(state);
        if let Some((_, waker)) = next {
            waker.wake();
        }
    }
}

/// A task's permission to work.
pub(crate) struct Permit {
    of: Arc<Permits>,
    number: u64,
    held: bool,
    /// Whether it is waiting, or was woken and has not tried again.
    queued: bool,
}

impl Permit {
    /// Tries to acquire the permit. If that fails, the task is woken to try again, before others if it `is_asked` for
    /// an element.
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

    /// Releases the permit if others are waiting.
    pub(crate) fn share(&mut self) {
        if self.held && !self.of.state.lock().waiting.is_empty() {
            self.leave();
        }
    }

    /// Releases the permit.
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
