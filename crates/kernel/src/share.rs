//! How many threads a session of an untrusted graph works on, beside the other sessions of the process.
//!
//! Each session has a [`Share`]. A limited one works on no more threads than its part of the processors: all of them
//! divided by the number of working sessions, itself included, but at least one. Unlimited sessions are only counted.
//! If more threads want to work for a limited session, such as those of several callers, they take turns: a thread that
//! begins a run or continues with a longer node yields to those that have waited, as described in `turns`. Work is
//! never refused: a thread waits only while its run is not over, and only for a bounded time. Sessions that share their
//! state count separately.

use crate::lane;
use crate::turns::Turns;
use parking_lot::Mutex;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::{Duration, Instant};

/// Milliseconds after which an idle session is not counted: longer than the time between the steps of a busy one, or
/// the time it waits for a processor.
const IDLE: u64 = 20;

/// Milliseconds for which a count of working sessions is reused.
const COUNT_AFTER: u64 = 5;

/// How long one thread works before another that waits has its turn: several times the scheduler's time slice.
const TURN: Duration = Duration::from_millis(20);

/// Number of limited sessions. If there are none, nothing is counted. Relaxed, as all here: a slightly stale value does
/// no harm.
static LIMITED: AtomicUsize = AtomicUsize::new(0);

/// The sessions that worked recently.
static WORKING: Mutex<Vec<Arc<State>>> = Mutex::new(Vec::new());

/// How many there were, and when they were counted.
static COUNTED: [AtomicU64; 2] = [AtomicU64::new(1), AtomicU64::new(0)];

/// Milliseconds since the first call in the process.
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
    /// The limited session whose turn this thread has, by the address of its state; 0 for none.
    static TURN_OF: Cell<usize> = const { Cell::new(0) };
}

struct State {
    /// Threads that work for it, or wait for their turn.
    working: AtomicUsize,
    /// When the last one of them ended.
    last: AtomicU64,
    /// True while it is in [`WORKING`].
    listed: AtomicBool,
    /// Which threads may work, if the session is limited.
    turns: Turns,
}

impl Default for State {
    fn default() -> State {
        State {
            working: AtomicUsize::new(0),
            last: AtomicU64::new(0),
            listed: AtomicBool::new(false),
            turns: Turns::of(TURN),
        }
    }
}

impl State {
    fn address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    fn begin_turn(&self) {
        self.turns.begin(part, may_wait);
        TURN_OF.set(self.address());
    }

    fn end_turn(&self) {
        TURN_OF.set(0);
        self.turns.end(part);
    }
}

/// True while this thread's run is not over and other sessions work.
fn may_wait() -> bool {
    sessions() > 1 && lane::scope().is_none_or(|scope| scope.is_on())
}

/// A session's part of the processors.
#[derive(Default)]
pub struct Share {
    state: Arc<State>,
    is_limited: bool,
}

impl Share {
    /// A limited share.
    pub fn limited() -> Share {
        LIMITED.fetch_add(1, Ordering::Relaxed);
        Share { state: Arc::default(), is_limited: true }
    }

    /// This thread works for the session until the returned guard is dropped.
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
        if is_first && self.is_limited {
            self.state.begin_turn();
        }
        Some(Entered { share: self, is_first })
    }

    /// Maximum number of `threads` that may work for the session now, at least one.
    #[inline]
    pub fn of(&self, threads: usize) -> usize {
        if self.is_limited && threads > 1 && !levada_sync::MODELED { threads.min(part()) } else { threads }
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

/// The threads that a limited session may work on.
fn part() -> usize {
    (processors() / sessions()).max(1)
}

/// A thread that works for a session.
pub struct Entered<'a> {
    share: &'a Share,
    /// False if the thread worked for the session already, as in a function that a node calls.
    is_first: bool,
}

impl Entered<'_> {
    /// Ends the turn if other threads wait, or more threads work than the session's part allows, and waits for the
    /// next.
    pub fn take_turns(&mut self) {
        let state = &*self.share.state;
        if TURN_OF.get() != state.address() {
            return;
        }
        state.turns.take_turns(part, may_wait);
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        if !self.is_first {
            return;
        }
        if TURN_OF.get() == self.share.state.address() {
            self.share.state.end_turn();
        }
        WORKS.set(false);
        self.share.state.last.store(now(), Ordering::Relaxed);
        self.share.state.working.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CancelToken, Scope};
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
            // It continues, and finally works alone.
            (0..3).for_each(|_| here.take_turns());
        });
    }

    #[test]
    fn no_more_threads_work_than_the_part_and_all_have_their_turn() {
        let (tenant, other) = (Share::limited(), Share::default());
        let (active, most, done) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        let _working = other.enter();
        let all = 2 * processors();
        thread::scope(|scope| {
            for _ in 0..all {
                scope.spawn(|| {
                    for _ in 0..20 {
                        let mut here = tenant.enter().unwrap();
                        // Sessions are counted now and then.
                        while sessions() < 2 {
                            thread::yield_now();
                        }
                        here.take_turns();
                        most.fetch_max(active.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
                        (0..3).for_each(|_| thread::yield_now());
                        active.fetch_sub(1, Ordering::Relaxed);
                        done.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
        });
        assert_eq!(done.into_inner(), 20 * all);
        assert!(tenant.state.turns.is_free());
        assert!(most.into_inner() <= all);
    }

    #[test]
    fn a_turn_ends_with_a_panic() {
        let (tenant, other) = (Share::limited(), Share::default());
        let _working = other.enter();
        thread::scope(|scope| {
            let panics = scope.spawn(|| {
                let _here = tenant.enter();
                panic!("in the middle of a run");
            });
            assert!(panics.join().is_err());
            scope.spawn(|| drop(tenant.enter()));
        });
        assert!(tenant.state.turns.is_free());
    }

    #[test]
    fn a_run_that_is_over_waits_for_no_turn() {
        // More sessions work than there are processors, so that each may use one thread.
        let tenant = Share::limited();
        let others: Vec<Share> = (0..processors()).map(|_| Share::default()).collect();
        let (has_entered, may_end) = (Barrier::new(others.len() + 2), Barrier::new(others.len() + 2));
        thread::scope(|scope| {
            for share in others.iter().chain([&tenant]) {
                let (has_entered, may_end) = (&has_entered, &may_end);
                scope.spawn(move || {
                    let _working = share.enter();
                    has_entered.wait();
                    may_end.wait();
                });
            }
            has_entered.wait();
            while part() > 1 {
                thread::yield_now();
            }
            let cancel = CancelToken::new();
            let run = Arc::new(Scope::of_run(None, None, &cancel));
            cancel.cancel();
            let begin = Instant::now();
            {
                let _of = lane::enter(Some(run));
                drop(tenant.enter());
            }
            let waited = begin.elapsed();
            may_end.wait();
            assert!(waited < Duration::from_secs(1), "waited for {waited:?}");
        });
        assert!(tenant.state.turns.is_free());
    }
}
