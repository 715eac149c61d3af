//! Background work: a job on the pool's threads that runs when it is woken and there is something to do.

use crate::dataset::Setup;
use crate::iter::Turn;
use levada_kernel::Background;
use levada_kernel::background::Origin;
use parking_lot::{Mutex, MutexGuard};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::task::{Wake, Waker};

/// What a task does.
pub(crate) trait Work: Send + 'static {
    /// Does as much as possible. Work in progress then wakes the turn's waker, as does a reader that frees space.
    fn work(&mut self, turn: &mut Turn<'_>);
}

/// The state of something that one thread at a time works on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    /// No thread works on it or is scheduled to.
    Idle,
    /// A thread is scheduled to work on it.
    Scheduled,
    /// A thread works on it.
    Running,
    /// A thread works on it, and it was woken in the meantime.
    Again,
}

/// A task. It stops when this is dropped.
pub(crate) struct Task<W: Work>(Arc<Inner<W>>);

struct Inner<W> {
    background: Arc<Background>,
    origin: Origin,
    waker: Waker,
    stopped: AtomicBool,
    /// Protects the phase. Not held while the task works.
    phase: Mutex<Phase>,
    /// Held by the working thread, and by a thread that saves the position.
    work: Mutex<W>,
}

/// Wakes a task if it still exists.
struct Bell<W>(Weak<Inner<W>>);

impl<W: Work> Wake for Bell<W> {
    fn wake(self: Arc<Self>) {
        if let Some(task) = self.0.upgrade() {
            task.wake();
        }
    }
}

impl<W: Work> Task<W> {
    /// Creates a task that does nothing until it is woken.
    pub(crate) fn new(setup: &Setup, work: W) -> Task<W> {
        Task(Arc::new_cyclic(|this| Inner {
            background: setup.background.clone(),
            origin: setup.origin.clone(),
            waker: Waker::from(Arc::new(Bell(this.clone()))),
            stopped: AtomicBool::new(false),
            phase: Mutex::new(Phase::Idle),
            work: Mutex::new(work),
        }))
    }

    /// Wakes the task.
    pub(crate) fn wake(&self) {
        self.0.wake();
    }

    /// Locks the work, unless a thread is working on it.
    pub(crate) fn try_lock(&self) -> Option<MutexGuard<'_, W>> {
        self.0.work.try_lock()
    }

    /// Locks the work, waiting until no thread works on it.
    pub(crate) fn lock(&self) -> MutexGuard<'_, W> {
        self.0.work.lock()
    }
}

impl<W: Work> Drop for Task<W> {
    fn drop(&mut self) {
        self.0.stopped.store(true, Ordering::Release);
    }
}

impl<W: Work> Inner<W> {
    fn wake(self: &Arc<Self>) {
        let mut phase = self.phase.lock();
        match *phase {
            Phase::Idle => {
                *phase = Phase::Scheduled;
                drop(phase);
                self.schedule();
            }
            Phase::Running => *phase = Phase::Again,
            Phase::Scheduled | Phase::Again => {}
        }
    }

    fn schedule(self: &Arc<Self>) {
        let this = self.clone();
        if self.background.spawn(move || this.run()).is_err() {
            // Without threads the session cannot continue, and its runs report it.
            *self.phase.lock() = Phase::Idle;
        }
    }

    fn run(self: &Arc<Self>) {
        loop {
            *self.phase.lock() = Phase::Running;
            if self.stopped.load(Ordering::Acquire) {
                return;
            }
            let mut turn = Turn::new(&self.background, &self.origin, &self.waker);
            self.work.lock().work(&mut turn);
            let over = turn.is_over();
            let mut phase = self.phase.lock();
            match *phase {
                Phase::Again if over => {
                    *phase = Phase::Scheduled;
                    drop(phase);
                    return self.schedule();
                }
                Phase::Again => {}
                _ => {
                    *phase = Phase::Idle;
                    return;
                }
            }
        }
    }
}
