//! Primitives of a model checker, with the interfaces of the real ones.

use crate::Alone;
pub use crossbeam::deque::Steal;
#[cfg(loom)]
#[doc(hidden)]
pub use loom as checker;
#[cfg(shuttle)]
#[doc(hidden)]
pub use shuttle as checker;
use std::collections::VecDeque;
use std::fmt;
use std::ops::{Deref, DerefMut, Range};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

pub use checker::sync::atomic;
pub use checker::thread;

/// Thread-local values of a model's threads.
#[macro_export]
macro_rules! thread_local {
    ($($(#[$attr:meta])* $vis:vis static $name:ident: $t:ty = const { $init:expr };)*) => {
        $crate::checker::thread_local! { $($(#[$attr])* $vis static $name: $t = $init;)* }
    };
}

macro_rules! alone {
    ($($atomic:ident: $value:ty),+) => {
        // A read-modify-write returns the newest value; a load may return an old one.
        $(impl Alone for atomic::$atomic {
            type Value = $value;
            fn value(&mut self) -> $value {
                let mut now = self.load(atomic::Ordering::Relaxed);
                while let Err(newer) = self.compare_exchange(now, now, atomic::Ordering::Relaxed, atomic::Ordering::Relaxed) {
                    now = newer;
                }
                now
            }
            fn assign(&mut self, value: $value) {
                self.swap(value, atomic::Ordering::Relaxed);
            }
        })+
    };
}

alone!(AtomicU64: u64, AtomicUsize: usize);

/// A lock.
pub struct Mutex<T>(checker::sync::Mutex<T>);

/// Access to the value that a lock protects.
pub struct MutexGuard<'a, T> {
    /// `None` only while its thread waits at a condition variable.
    guard: Option<checker::sync::MutexGuard<'a, T>>,
}

impl<T> Mutex<T> {
    /// A lock that protects a value.
    pub fn new(value: T) -> Mutex<T> {
        Mutex(checker::sync::Mutex::new(value))
    }

    /// Waits for the lock.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        MutexGuard { guard: Some(self.0.lock().unwrap_or_else(PoisonError::into_inner)) }
    }

    /// The protected value: no other thread can access it now.
    pub fn get_mut(&mut self) -> &mut T {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// The protected value.
    pub fn into_inner(self) -> T {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Default> Default for Mutex<T> {
    fn default() -> Mutex<T> {
        Mutex::new(T::default())
    }
}

impl<T> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Mutex")
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.guard.as_ref().expect("the lock is held")
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.guard.as_mut().expect("the lock is held")
    }
}

/// A lock that any number of threads may hold for reading.
pub struct RwLock<T>(checker::sync::RwLock<T>);

impl<T> RwLock<T> {
    /// A lock that protects a value.
    pub fn new(value: T) -> RwLock<T> {
        RwLock(checker::sync::RwLock::new(value))
    }

    /// Waits for the lock for reading.
    pub fn read(&self) -> checker::sync::RwLockReadGuard<'_, T> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the lock for writing.
    pub fn write(&self) -> checker::sync::RwLockWriteGuard<'_, T> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where threads wait for a change of a value protected by a lock.
#[derive(Default)]
pub struct Condvar(Arc<checker::sync::Condvar>);

/// Why a thread no longer waits.
pub struct WaitTimeoutResult(bool);

impl WaitTimeoutResult {
    /// True if the time was reached.
    pub fn timed_out(&self) -> bool {
        self.0
    }
}

impl Condvar {
    /// A condition variable without waiting threads.
    pub fn new() -> Condvar {
        Condvar::default()
    }

    /// Releases the lock until notified.
    pub fn wait<T>(&self, guard: &mut MutexGuard<'_, T>) {
        let held = guard.guard.take().expect("the lock is held");
        guard.guard = Some(self.0.wait(held).unwrap_or_else(PoisonError::into_inner));
    }

    /// As [`Condvar::wait`], but at most until this time, which [`clock::pass`] advances to.
    pub fn wait_until<T>(&self, guard: &mut MutexGuard<'_, T>, until: Instant) -> WaitTimeoutResult {
        clock::wake_at(until, &self.0);
        if now() < until {
            self.wait(guard);
        }
        WaitTimeoutResult(now() >= until)
    }

    /// Wakes one thread.
    pub fn notify_one(&self) {
        self.0.notify_one();
    }

    /// Wakes all threads.
    pub fn notify_all(&self) {
        self.0.notify_all();
    }
}

/// Runs something once.
#[derive(Default)]
pub struct Once(Mutex<bool>);

impl Once {
    /// A `Once` that has not run yet.
    pub fn new() -> Once {
        Once::default()
    }

    /// Runs it, or waits until it is done.
    pub fn call_once(&self, call: impl FnOnce()) {
        let mut is_done = self.0.lock();
        if !std::mem::replace(&mut *is_done, true) {
            call();
        }
    }
}

/// A list that any thread adds to and takes from.
pub struct Injector<T>(Mutex<VecDeque<T>>);

impl<T> Injector<T> {
    /// An empty list.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Injector<T> {
        Injector(Mutex::default())
    }

    /// Adds an item.
    pub fn push(&self, item: T) {
        self.0.lock().push_back(item);
    }

    /// Takes the oldest item.
    pub fn steal(&self) -> Steal<T> {
        self.0.lock().pop_front().map_or(Steal::Empty, Steal::Success)
    }

    /// True if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.lock().is_empty()
    }
}

/// The time: it passes only when a model says so.
pub fn now() -> Instant {
    clock::now()
}

/// Sleeps until [`clock::pass`] has let this much time pass.
pub fn sleep(time: Duration) {
    let until = now() + time;
    let (lock, alarm) = (Mutex::new(()), Condvar::new());
    let mut guard = lock.lock();
    while !alarm.wait_until(&mut guard, until).timed_out() {}
}

/// The time of a model.
pub mod clock {
    use super::checker::sync::Condvar;
    use std::cell::RefCell;
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    struct Clock {
        now: Instant,
        /// The threads to be woken, and when.
        timers: Vec<(Instant, Arc<Condvar>)>,
    }

    // Belongs to the system thread that runs all threads of the model.
    std::thread_local! {
        static CLOCK: RefCell<Clock> = RefCell::new(Clock { now: Instant::now(), timers: Vec::new() });
    }

    /// The time.
    pub fn now() -> Instant {
        CLOCK.with_borrow(|clock| clock.now)
    }

    /// Forgets all waiting threads: a run of a model begins.
    pub fn start() {
        CLOCK.with_borrow_mut(|clock| clock.timers.clear());
    }

    pub(super) fn wake_at(at: Instant, who: &Arc<Condvar>) {
        CLOCK.with_borrow_mut(|clock| clock.timers.push((at, who.clone())));
    }

    /// Lets this much time pass, and wakes the threads whose time has come.
    pub fn pass(time: Duration) {
        let due: Vec<Arc<Condvar>> = CLOCK.with_borrow_mut(|clock| {
            clock.now += time;
            let now = clock.now;
            clock.timers.extract_if(.., |(at, _)| *at <= now).map(|(_, who)| who).collect()
        });
        due.iter().for_each(|who| who.notify_all());
    }
}

/// Tracks accesses to the cells of an array: loom fails if two threads access one without an order between them.
pub struct Accesses {
    #[cfg(loom)]
    cells: Box<[loom::cell::UnsafeCell<()>]>,
}

#[cfg(loom)]
impl Accesses {
    /// For an array of this length.
    pub fn of(length: usize) -> Accesses {
        Accesses { cells: (0..length).map(|_| loom::cell::UnsafeCell::new(())).collect() }
    }

    /// This thread has exclusive access to a cell now.
    pub fn one(&self, cell: usize) {
        self.cells[cell].with_mut(|_| ());
    }

    /// This thread has exclusive access to these cells now.
    pub fn each(&self, cells: Range<usize>) {
        self.cells[cells].iter().for_each(|cell| cell.with_mut(|_| ()));
    }
}

#[cfg(shuttle)]
impl Accesses {
    /// For an array of this length.
    pub fn of(_: usize) -> Accesses {
        Accesses {}
    }

    /// This thread has exclusive access to a cell now.
    pub fn one(&self, _: usize) {}

    /// This thread has exclusive access to these cells now.
    pub fn each(&self, _: Range<usize>) {}
}
