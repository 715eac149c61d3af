//! Atomics and locks: the standard library's, or those of loom for models.

#[cfg(loom)]
pub(crate) use loom::sync::{
    Mutex, MutexGuard,
    atomic::{AtomicUsize, Ordering},
};
use std::sync::PoisonError;
#[cfg(not(loom))]
pub(crate) use std::sync::{
    Mutex, MutexGuard,
    atomic::{AtomicUsize, Ordering},
};

/// Locks, also after a panic elsewhere: what the locks of this crate protect is whole at all times.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reads a counter, sequentially consistent. To loom such a load may be old, as one that only acquires; what changes a counter
/// reads the newest value there too.
pub(crate) fn read(counter: &AtomicUsize) -> usize {
    if cfg!(loom) { counter.fetch_add(0, Ordering::SeqCst) } else { counter.load(Ordering::SeqCst) }
}
