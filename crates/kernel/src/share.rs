//! How many threads a session of a graph that nobody trusts works on, beside the other sessions of the process.
//!
//! Each session has a [`Share`]. One that is limited works on no more threads than its part of the processors: all of them divided by
//! the number of sessions that work, itself included. The others are only counted. Work is never refused: where there is room for one
//! thread, one works, and more callers than there is room for take turns by pausing. Sessions that share their state count each.

use parking_lot::Mutex;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::{Duration, Instant};

/// Milliseconds after which a session counts no more that does nothing: longer than the time between the steps of one that is busy,
/// or waits for a processor.
const IDLE: u64 = 20;

/// Milliseconds for which the number of sessions that work is taken to stay.
const COUNT_AFTER: u64 = 5;

/// The shortest pause, so that pauses are few, and the longest, so that a run still looks at its deadline.
const PAUSES: [Duration; 2] = [Duration::from_micros(500), Duration::from_millis(50)];

/// Sessions that are limited. Where there are none, nothing is counted. Relaxed, as all here: one that is a little late does no harm.
static LIMITED: AtomicUsize = AtomicUsize::new(0);

/// The sessions that worked of late.
static WORKING: Mutex<Vec<Arc<State>>> = Mutex::new(Vec::new());

/// How many they were, and when they were counted.
static COUNTED: [AtomicU64; 2] = [AtomicU64::new(1), AtomicU64::new(0)];

/// Milliseconds since the process looked first.
fn now() -> u64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_millis() as u64
}

fn processors() -> usize {
    static PROCESSORS: LazyLock<usize> = LazyLock::new(|| thread::available_parallelism().map_or(1, usize::from));
    *PROCESSORS
}

thread_local! {
    /// True while this thread works for a session.
    static WORKS: Cell<bool> = const { Cell::new(false) };
    /// For how long this thread has worked for sessions that are limited since it paused, but for the work that it is at.
    static WORKED: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

#[derive(Default)]
struct State {
    /// Threads that work for it.
    working: AtomicUsize,
    /// When one of them ended last.
    last: AtomicU64,
    /// True while it is in [`WORKING`].
    listed: AtomicBool,
}

/// A session's part of the processors.
#[derive(Default)]
pub struct Share {
    state: Arc<State>,
    is_limited: bool,
}

impl Share {
    /// One that is limited.
    pub fn limited() -> Share {
        LIMITED.fetch_add(1, Ordering::Relaxed);
        Share { state: Arc::default(), is_limited: true }
    }

    /// Until what is returned is dropped, this thread works for the session.
    #[inline]
    pub fn enter(&self) -> Option<Entered<'_>> {
        if levada_sync::MODELED || LIMITED.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let is_first = !WORKS.replace(true);
        if is_first {
            self.state.working.fetch_add(1, Ordering::Relaxed);
            if !self.state.listed.swap(true, Ordering::Relaxed) {
                WORKING.lock().push(self.state.clone());
            }
        }
        Some(Entered { share: self, is_first, since: self.is_limited.then(Instant::now) })
    }

    /// The most of `threads` that may work for the session now, at least one.
    #[inline]
    pub fn of(&self, threads: usize) -> usize {
        if self.is_limited && threads > 1 && !levada_sync::MODELED {
            threads.min((processors() / sessions()).max(1))
        } else {
            threads
        }
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        if self.is_limited {
            LIMITED.fetch_sub(1, Ordering::Relaxed);
        }
        if self.state.listed.load(Ordering::Relaxed) {
            WORKING.lock().retain(|state| !Arc::ptr_eq(state, &self.state));
        }
    }
}

/// The number of sessions that work, at least one.
fn sessions() -> usize {
    let [count, counted] = &COUNTED;
    let now = now();
    if now.saturating_sub(counted.load(Ordering::Relaxed)) >= COUNT_AFTER
        && let Some(mut working) = WORKING.try_lock()
    {
        counted.store(now, Ordering::Relaxed);
        working.retain(|state| {
            let works = state.working.load(Ordering::Relaxed) > 0
                || now.saturating_sub(state.last.load(Ordering::Relaxed)) < IDLE;
            if !works {
                state.listed.store(false, Ordering::Relaxed);
            }
            works
        });
        count.store(working.len().max(1) as u64, Ordering::Relaxed);
    }
    count.load(Ordering::Relaxed).max(1) as usize
}

/// A thread that works for a session.
pub struct Entered<'a> {
    share: &'a Share,
    /// False where the thread worked for a session already, as in a function that a node calls.
    is_first: bool,
    /// Since when it has not paused, where the session is limited.
    since: Option<Instant>,
}

impl Entered<'_> {
    /// Pauses where more threads work for the session than its share, for as long as they are more than that.
    pub fn take_turns(&mut self) {
        let Some(since) = self.since else { return };
        if let Some(pause) = self.share.pause(since.elapsed()) {
            thread::sleep(pause);
        }
        // Nothing is forgotten: what was short of a pause has been added up.
        self.since = Some(Instant::now());
    }
}

impl Share {
    /// How long a thread pauses that has worked for so long beside what has been added up.
    fn pause(&self, more: Duration) -> Option<Duration> {
        let worked = WORKED.get() + more;
        if worked < PAUSES[0] {
            WORKED.set(worked);
            return None;
        }
        WORKED.set(Duration::ZERO);
        let (working, share) = (self.state.working.load(Ordering::Relaxed), (processors() / sessions()).max(1));
        let pause = worked.saturating_mul(working.saturating_sub(share) as u32) / share as u32;
        (working > share).then(|| pause.clamp(PAUSES[0], PAUSES[1]))
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        if !self.is_first {
            return;
        }
        // Callers of steps that are too short to pause within pause between them.
        let pause = self.since.and_then(|since| self.share.pause(since.elapsed()));
        WORKS.set(false);
        self.share.state.last.store(now(), Ordering::Relaxed);
        self.share.state.working.fetch_sub(1, Ordering::Relaxed);
        if let Some(pause) = pause {
            thread::sleep(pause);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    #[test]
    fn a_limited_session_has_its_part_and_the_others_have_all() {
        let (tenant, others) = (Share::limited(), [Share::default(), Share::default(), Share::default()]);
        let all = processors();
        let (has_looked, entered) = (AtomicBool::new(false), Barrier::new(4));
        thread::scope(|scope| {
            for other in &others {
                scope.spawn(|| {
                    let _working = other.enter();
                    entered.wait();
                    while !has_looked.load(Ordering::Relaxed) {
                        thread::yield_now();
                    }
                });
            }
            entered.wait();
            let mut here = tenant.enter().unwrap();
            while sessions() < 4 {
                thread::yield_now();
            }
            assert!(tenant.of(8 * all) <= (all / 4).max(1));
            assert_eq!((tenant.of(1), others[0].of(8 * all)), (1, 8 * all));
            has_looked.store(true, Ordering::Relaxed);
            // It goes on, and works alone at last.
            (0..3).for_each(|_| here.take_turns());
        });
    }

    #[test]
    fn more_threads_than_the_share_pause() {
        let tenant = Share::limited();
        tenant.state.working.store(4 * processors(), Ordering::Relaxed);
        assert_eq!(tenant.pause(PAUSES[0] / 2), None);
        let pause = tenant.pause(PAUSES[0]).unwrap();
        assert!(pause >= PAUSES[0] && pause <= PAUSES[1]);
        tenant.state.working.store(1, Ordering::Relaxed);
        assert_eq!(tenant.pause(2 * PAUSES[0]), None);
    }
}
