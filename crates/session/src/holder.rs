//! The handles that can run steps of a session, and which threads use them: what the watch for stalls counts.

use crate::session::Inner;
use levada_sync::atomic::{AtomicU64, Ordering};
use levada_sync::{Mutex, this_thread};
use std::ops::Deref;
use std::sync::Arc;

/// The number of threads that are distinguished among the users of one handle: beyond it they count as many.
const MOST_THREADS: usize = 8;

/// A handle that can run steps of a session.
pub(crate) struct Holder {
    inner: Arc<Inner>,
    place: Arc<Place>,
}

/// A session and the callables made of it, which count as one handle while one thread uses them, and otherwise as one
/// for each thread.
struct Place {
    /// Protects the members and their threads.
    users: Mutex<Users>,
    /// The thread that uses them, if it is the only one; else 0. Written under the lock.
    only: AtomicU64,
}

struct Users {
    members: usize,
    /// Numbers of the threads that use them.
    threads: Vec<u64>,
}

impl Clone for Holder {
    fn clone(&self) -> Holder {
        self.inner.handles.fetch_add(1, Ordering::SeqCst);
        Holder::new(self.inner.clone())
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        let mut users = self.place.users.lock();
        users.members -= 1;
        match users.members {
            0 => self.inner.handles.fetch_sub(users.threads.len(), Ordering::SeqCst),
            _ => self.inner.beside.fetch_sub(1, Ordering::SeqCst),
        };
        drop(users);
        // It may have been the last handle that could have woken the waiting steps.
        self.inner.env.watch.check();
    }
}

impl Holder {
    /// A handle that is already counted.
    pub(crate) fn new(inner: Arc<Inner>) -> Holder {
        let this = this_thread();
        let users = Mutex::new(Users { members: 1, threads: vec![this] });
        Holder { inner, place: Arc::new(Place { users, only: AtomicU64::new(this) }) }
    }

    /// Another handle on the same thread.
    pub(crate) fn beside(&self) -> Holder {
        self.inner.beside.fetch_add(1, Ordering::SeqCst);
        self.place.users.lock().members += 1;
        Holder { inner: self.inner.clone(), place: self.place.clone() }
    }

    /// Notes that this thread uses the handle.
    pub(crate) fn on_this_thread(&self) -> &Inner {
        let this = this_thread();
        if self.place.only.load(Ordering::Relaxed) == this {
            return &self.inner;
        }
        let mut users = self.place.users.lock();
        if users.members == 1 {
            self.inner.handles.fetch_sub(users.threads.len() - 1, Ordering::SeqCst);
            users.threads.clear();
            users.threads.push(this);
        } else if users.threads.len() < MOST_THREADS && !users.threads.contains(&this) {
            self.inner.handles.fetch_add(1, Ordering::SeqCst);
            users.threads.push(this);
        }
        self.place.only.store(if users.threads.len() == 1 { this } else { 0 }, Ordering::Relaxed);
        &self.inner
    }

    pub(crate) fn shared(&self) -> Arc<Inner> {
        self.inner.clone()
    }
}

impl Deref for Holder {
    type Target = Inner;
    fn deref(&self) -> &Inner {
        &self.inner
    }
}
