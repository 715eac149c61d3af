//! Lanes: which queue of a device the work of a step goes into.
//!
//! A device may have several queues that run concurrently. Each running step has a lane, a small number that no other
//! running step has, as long as there are few enough; the step's device work goes into the queue of that number, modulo
//! the device's queues. A step takes its lane when a device first asks for it, and returns it when it has ended. The
//! functions that it calls share it.

use crate::limits::Meter;
use crate::resources::Scope;
use crate::subnormals::{self, Chosen};
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

levada_sync::thread_local! {
    /// The step that this thread works on.
    static CURRENT: RefCell<Option<Arc<Scope>>> = const { RefCell::new(None) };
    /// True while this thread changes state.
    static WHOLE: Cell<bool> = const { Cell::new(false) };
}

/// The lanes in use, as bits. Sessions share devices, so there is one set for all of them.
static TAKEN: AtomicU64 = AtomicU64::new(0);

/// A lane that a step holds.
#[derive(Debug)]
pub(crate) struct Lane {
    number: u32,
    /// False if there were more steps than lanes.
    own: bool,
}

impl Lane {
    /// Takes the lowest free lane.
    pub(crate) fn take() -> Lane {
        let free = |taken: u64| (taken != u64::MAX).then(|| taken | (taken + 1));
        match TAKEN.fetch_update(Ordering::AcqRel, Ordering::Relaxed, free) {
            Ok(taken) => Lane { number: taken.trailing_ones(), own: true },
            Err(_) => {
                static NEXT: AtomicUsize = AtomicUsize::new(0);
                Lane { number: (NEXT.fetch_add(1, Ordering::Relaxed) % 64) as u32, own: false }
            }
        }
    }

    pub(crate) fn number(&self) -> usize {
        self.number as usize
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        if self.own {
            TAKEN.fetch_and(!(1 << self.number), Ordering::AcqRel);
        }
    }
}

/// Guard: while it exists, this thread works on a step.
#[must_use]
pub struct Entered {
    /// What it worked on before.
    outer: Option<Arc<Scope>>,
    _flushed: Chosen,
}

/// Work that this thread submits to devices belongs to the step with this scope, or to none, and subnormal numbers are
/// zeros on this thread, until the returned guard is dropped.
pub fn enter(scope: Option<Arc<Scope>>) -> Entered {
    Entered { outer: CURRENT.with(|current| current.replace(scope)), _flushed: subnormals::flush() }
}

impl Drop for Entered {
    fn drop(&mut self) {
        drop(CURRENT.with(|current| current.replace(self.outer.take())));
    }
}

/// The step that this thread works on, to continue it on another thread.
pub fn scope() -> Option<Arc<Scope>> {
    CURRENT.with(|current| current.borrow().clone())
}

/// Guard: while it exists, it determines whether this thread completes its work even if its run is over.
#[must_use]
pub struct Whole(bool);

/// Work of this thread changes state and is not skipped when its run is over, until the returned guard is dropped.
pub fn whole() -> Whole {
    Whole(WHOLE.with(|whole| whole.replace(true)))
}

/// Work of this thread is skipped when its run is over, until the returned guard is dropped, although the kernel may
/// change state: the state has already been changed, and the computed values go into outputs only.
pub fn only_outputs() -> Whole {
    Whole(WHOLE.with(|whole| whole.replace(false)))
}

impl Drop for Whole {
    fn drop(&mut self) {
        WHOLE.with(|whole| whole.set(self.0));
    }
}

/// The step whose end also ends the work of this thread; `None` outside of steps and for work that changes state.
pub fn scope_of_work() -> Option<Arc<Scope>> {
    if WHOLE.with(Cell::get) { None } else { scope() }
}

/// The meter of the step that this thread works on, if the step is limited.
#[inline]
pub fn meter() -> Option<Arc<Meter>> {
    CURRENT.with(|current| current.borrow().as_ref()?.meter().cloned())
}

/// The lane of the step that this thread works on; `None` outside of steps.
#[inline]
pub fn current() -> Option<usize> {
    CURRENT.with(|current| current.borrow().as_ref().map(|scope| scope.lane()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_have_lanes_of_their_own_and_give_them_back() {
        assert_eq!(current(), None);
        let (a, b) = (Arc::new(Scope::default()), Arc::new(Scope::default()));
        let outer = enter(Some(a.clone()));
        let first = current().unwrap();
        {
            let _inner = enter(Some(b.clone()));
            assert_ne!(current(), Some(first));
            let _none = enter(None);
            assert_eq!(current(), None);
        }
        assert_eq!((current(), a.lane()), (Some(first), first));
        drop(outer);
        assert_eq!(current(), None);
        let many: Vec<Scope> = (0..70).map(|_| Scope::default()).collect();
        assert!(many.iter().all(|s| s.lane() < 64));
        drop((a, many));
        let free = Scope::default();
        assert!(free.lane() < 63 && free.lane() != b.lane());
    }
}
