//! Work of a thread outside the pool: it does parts itself, and workers that come in time do others.
//!
//! Rayon would hand all of it to a worker and let the caller sleep: for a product of some 50 microseconds this takes as
//! long as the second thread saves.

#![allow(unsafe_code)]

use parking_lot::Mutex;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// How long a caller checks whether the parts of others are done before it sleeps.
const LOOK: Duration = Duration::from_micros(20);

/// Parts of work. A thread that takes a part does it before the caller continues.
struct Divided {
    work: &'static (dyn Fn(usize) + Sync),
    parts: usize,
    /// For each thread that may help, the caller first, the next of its own parts that has not been taken: consecutive
    /// parts are done by the same thread, as they were for the op before, and so are mostly in that thread's caches.
    next: Box<[AtomicUsize]>,
    /// Helpers that have come.
    came: AtomicUsize,
    /// Parts that are done.
    done: AtomicUsize,
    caller: Thread,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl Divided {
    /// As thread `number` of those that may help, does its own parts, then those of others; returns true if it did the
    /// last outstanding one.
    fn take(&self, number: usize) -> bool {
        let threads = self.next.len();
        let mut is_last = false;
        for owner in (number..threads).chain(0..number) {
            let end = (owner + 1) * self.parts / threads;
            loop {
                let part = self.next[owner].fetch_add(1, Ordering::Relaxed);
                if part >= end {
                    break;
                }
                if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (self.work)(part))) {
                    *self.panic.lock() = Some(panic);
                }
                // The caller, which reads this, sees what the part has written.
                is_last = self.done.fetch_add(1, Ordering::AcqRel) + 1 == self.parts;
            }
        }
        is_last
    }

    /// True if all parts are done.
    fn is_done(&self) -> bool {
        self.done.load(Ordering::Acquire) == self.parts
    }
}

/// Calls `work` with every number below `parts`, on this thread and wherever `helpers` calls of `spawn` run their jobs,
/// except those that come too late. A panic of `work` is resumed here once all parts are done.
pub(crate) fn run(
    parts: usize,
    helpers: usize,
    work: &(dyn Fn(usize) + Sync),
    spawn: impl Fn(Box<dyn FnOnce() + Send>),
) {
    // SAFETY: only the lifetime changes. `work` is called for a part below `parts`, and this function, for whose
    // duration `work` is borrowed, does not return (nor unwind, as calls of `work` are caught) before every such part
    // is done. A helper that comes later finds no part, and does not use it.
    let work = unsafe { std::mem::transmute::<&(dyn Fn(usize) + Sync), &'static (dyn Fn(usize) + Sync)>(work) };
    let next = (0..=helpers).map(|owner| AtomicUsize::new(owner * parts / (helpers + 1))).collect();
    let (came, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let divided =
        Arc::new(Divided { work, parts, next, came, done, caller: thread::current(), panic: Mutex::new(None) });
    for _ in 0..helpers {
        let divided = divided.clone();
        spawn(Box::new(move || {
            if divided.take(1 + divided.came.fetch_add(1, Ordering::Relaxed)) {
                divided.caller.unpark();
            }
        }));
    }
    divided.take(0);
    let looks = Instant::now();
    while !divided.is_done() {
        if looks.elapsed() < LOOK {
            std::hint::spin_loop();
        } else {
            thread::park();
        }
    }
    if let Some(panic) = divided.panic.lock().take() {
        resume_unwind(panic);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    /// Runs work with helpers that are threads.
    fn run_threads(parts: usize, helpers: usize, work: &(dyn Fn(usize) + Sync)) {
        run(parts, helpers, work, |job| drop(thread::spawn(job)));
    }

    #[test]
    fn every_part_is_done_once_before_the_caller_goes_on() {
        for (parts, helpers) in [(0, 1), (1, 3), (2, 0), (7, 2), (100, 3)] {
            for round in 0..50 {
                let counts: Vec<AtomicUsize> = (0..parts).map(|_| AtomicUsize::new(0)).collect();
                let work = |part: usize| {
                    if (part + round).is_multiple_of(5) {
                        thread::sleep(Duration::from_micros(60));
                    }
                    counts[part].fetch_add(1, Ordering::Relaxed);
                };
                run_threads(parts, helpers, &work);
                assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == 1));
            }
        }
    }

    #[test]
    fn who_comes_too_late_does_nothing() {
        let late = Mutex::new(Vec::new());
        let sum = AtomicUsize::new(0);
        let add = |part: usize| {
            sum.fetch_add(part, Ordering::Relaxed);
        };
        run(10, 2, &add, |job| late.lock().push(job));
        assert_eq!(sum.load(Ordering::Relaxed), 45);
        late.into_inner().into_iter().for_each(|job| job());
        assert_eq!(sum.load(Ordering::Relaxed), 45);
    }

    #[test]
    fn a_panic_of_a_helper_reaches_the_caller_after_all_parts() {
        let ((tell, told), done) = (channel(), AtomicUsize::new(0));
        let (told, caller) = (Mutex::new(told), thread::current().id());
        let work = |part: usize| {
            if thread::current().id() == caller {
                // Until a helper has had its part.
                told.lock().recv().unwrap();
            }
            done.fetch_add(1, Ordering::Relaxed);
            if thread::current().id() != caller {
                tell.send(()).unwrap();
                panic!("part {part}");
            }
        };
        let caught = catch_unwind(AssertUnwindSafe(|| run_threads(2, 1, &work)));
        let message = *caught.unwrap_err().downcast::<String>().unwrap();
        assert!(message.starts_with("part ") && done.load(Ordering::Relaxed) == 2, "{message}");
    }
}
