//! The steps that may sleep, and whether all of them do.

use crate::read;
use levada_sync::Mutex;
use levada_sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

/// A step that may sleep.
pub trait Sleeps {
    /// `None` while anything in it runs or is certain to run; else how often a node of it has been woken so far. That
    /// number must be read first, and must grow before a thread joins to continue with the woken node.
    fn sleeps(&self) -> Option<u64>;
}

struct Entry<S: ?Sized> {
    id: u64,
    caller: bool,
    step: Arc<S>,
}

struct List<S: ?Sized> {
    next: u64,
    entries: Vec<Entry<S>>,
}

/// The steps of a session that may sleep: those whose callers sleep, and those without a caller.
pub struct Roll<S: ?Sized> {
    /// Protects the list. Held during the check for a stall, so that no step enters or leaves meanwhile.
    list: Mutex<List<S>>,
    /// Its length, readable without the lock.
    len: AtomicUsize,
}

impl<S: ?Sized> Default for Roll<S> {
    fn default() -> Roll<S> {
        Roll { list: Mutex::new(List { next: 0, entries: Vec::new() }), len: AtomicUsize::new(0) }
    }
}

impl<S: Sleeps + ?Sized> Roll<S> {
    /// Puts a step on the list; `caller` is true if a thread sleeps until it ends. Returns its number there.
    pub fn enter(&self, step: Arc<S>, caller: bool) -> u64 {
        let mut list = self.list.lock();
        let id = list.next;
        list.next += 1;
        list.entries.push(Entry { id, caller, step });
        self.len.fetch_add(1, Ordering::SeqCst);
        id
    }

    /// Takes a step off the list.
    pub fn leave(&self, id: u64) {
        let mut list = self.list.lock();
        let at = list.entries.iter().position(|e| e.id == id);
        let entry = at.map(|at| list.entries.swap_remove(at));
        self.len.fetch_sub(usize::from(entry.is_some()), Ordering::SeqCst);
        drop(list);
        drop(entry);
    }

    /// The steps on the list.
    pub fn steps(&self) -> Vec<Arc<S>> {
        self.list.lock().entries.iter().map(|e| e.step.clone()).collect()
    }

    /// True if the list is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        read(&self.len) == 0
    }

    /// The listed steps and whether they have callers, if at least one has, all sleep, and `outside`, given the number
    /// of callers, returns that nothing else can act. Call it whenever a listed step may have fallen asleep or left,
    /// and when something that could have woken one is gone.
    pub fn stalled(&self, outside: impl Fn(usize) -> bool) -> Option<Vec<(Arc<S>, bool)>> {
        let mut list = self.list.lock();
        let callers = list.entries.iter().filter(|e| e.caller).count();
        if callers == 0 || outside(callers) {
            return None;
        }
        // A step may wake another and fall asleep between two checks. If two rounds see the same, all slept in between.
        let mut before = Vec::with_capacity(list.entries.len());
        for i in 0..list.entries.len() {
            match list.entries[i].step.sleeps() {
                Some(wakes) => before.push(wakes),
                None => {
                    // It is likely to be awake next time too.
                    list.entries.swap(0, i);
                    return None;
                }
            }
        }
        let same = list.entries.iter().zip(&before).all(|(e, wakes)| e.step.sleeps() == Some(*wakes));
        if !same || outside(callers) {
            return None;
        }
        Some(list.entries.iter().map(|e| (e.step.clone(), e.caller)).collect())
    }
}
