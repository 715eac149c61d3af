//! Turns of threads: no more of them work at a time than may, and those that wait get their turns in order.
//!
//! A thread that ends or interrupts its work passes its turn on if the turn has lasted long enough, and wakes only the
//! thread that gets it. A thread that ends its work before that keeps the turn for the session: it mostly comes back
//! immediately, as a caller of small steps does, and the scheduler of the system favours threads that have slept, so
//! that threads which relieve each other often get more of the processors than one that works all the time. If nothing
//! has worked for the session between two looks of the first waiting thread, it takes the turn itself.

use levada_sync::{Condvar, Mutex, MutexGuard};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often the first waiting thread looks whether the turn is free. Each look takes a processor from those that work.
const LOOK: Duration = Duration::from_millis(10);

/// How often those after it check whether their runs are over.
const LOOK_LATER: Duration = Duration::from_millis(50);

/// How long a thread waits while no turn ends before it continues without one: the threads that have their turns may be
/// waiting in a kernel for what it does.
const PATIENCE: Duration = Duration::from_secs(5);

/// The turns of a session's threads.
pub(crate) struct Turns {
    /// How long a turn lasts if one thread works at a time; if several do, this is divided by their number.
    lasts: Duration,
    /// Protects the sets of working and of waiting threads.
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Threads that work.
    active: usize,
    /// Those that wait, by their numbers, and what wakes each. One that has been removed has its turn.
    queue: VecDeque<(u64, Arc<Condvar>)>,
    next: u64,
    /// When a waiting thread last got its turn.
    began: Option<Instant>,
    /// How often work began, and how often it had at the last look of the first waiting thread.
    begun: u64,
    seen: u64,
}

impl State {
    fn begin(&mut self) {
        self.active += 1;
        self.begun += 1;
    }

    /// Gives the turn to the first waiting thread.
    fn pass_on(&mut self, now: Instant) {
        if let Some((_, wake)) = self.queue.pop_front() {
            self.begin();
            self.began = Some(now);
            wake.notify_one();
        }
    }

    /// Gives the turn to the first waiting thread if nothing has begun or worked since the last call.
    fn look(&mut self, part: usize, now: Instant) {
        if self.active < part && self.seen == self.begun {
            self.pass_on(now);
        }
        self.seen = self.begun;
    }
}

impl Turns {
    /// The turns of a session for which nothing works.
    pub(crate) fn of(lasts: Duration) -> Turns {
        Turns { lasts, state: Mutex::new(State::default()) }
    }

    /// Waits until this thread may work: as one of at most `part`, or because it must not wait any longer.
    pub(crate) fn begin(&self, part: impl Fn() -> usize, may_wait: impl Fn() -> bool) {
        let mut state = self.state.lock();
        let most = part();
        if state.active < most && (state.queue.is_empty() || !self.has_lasted(&state, most)) {
            state.begin();
            return;
        }
        self.wait(state, part, may_wait);
    }

    /// Ends the work of this thread.
    pub(crate) fn end(&self, part: impl Fn() -> usize) {
        let mut state = self.state.lock();
        state.active -= 1;
        if !state.queue.is_empty() {
            self.relieve(&mut state, part());
        }
    }

    /// Interrupts the work of this thread if others wait and its turn has lasted long enough, or if more threads work
    /// than may.
    pub(crate) fn take_turns(&self, part: impl Fn() -> usize, may_wait: impl Fn() -> bool) {
        let mut state = self.state.lock();
        let most = part();
        if state.active > most || !state.queue.is_empty() && self.has_lasted(&state, most) {
            state.active -= 1;
            self.relieve(&mut state, most);
            self.wait(state, part, may_wait);
        }
    }

    /// True if no thread works and none waits.
    #[cfg(test)]
    pub(crate) fn is_free(&self) -> bool {
        let state = self.state.lock();
        state.active == 0 && state.queue.is_empty()
    }

    fn has_lasted(&self, state: &State, part: usize) -> bool {
        state.began.is_none_or(|began| (levada_sync::now() - began) * part as u32 >= self.lasts)
    }

    /// Passes on the turn of a thread that has stopped working, if the turn has lasted long enough.
    fn relieve(&self, state: &mut State, part: usize) {
        if state.active < part && self.has_lasted(state, part) {
            state.pass_on(levada_sync::now());
        }
    }

    fn wait(&self, mut state: MutexGuard<'_, State>, part: impl Fn() -> usize, may_wait: impl Fn() -> bool) {
        let (number, wake, since) = (state.next, Arc::new(Condvar::new()), levada_sync::now());
        state.next += 1;
        state.queue.push_back((number, wake.clone()));
        loop {
            let now = levada_sync::now();
            if state.queue.front().is_some_and(|(first, _)| *first == number) {
                state.look(part(), now);
            }
            let Some(place) = state.queue.iter().position(|(other, _)| *other == number) else { return };
            let waits = now - state.began.map_or(since, |began| began.max(since)) < PATIENCE;
            if !(waits && may_wait()) {
                state.queue.remove(place);
                state.begin();
                return;
            }
            wake.wait_until(&mut state, now + if place == 0 { LOOK } else { LOOK_LATER });
        }
    }
}

#[cfg(all(test, any(loom, shuttle)))]
mod models {
    //! What holds under every schedule: no more threads work than may, each has its turn, and none is left over when
    //! all have ended. Time stands still, so a sleeping thread is woken by one that passes a turn on, or never.

    use super::Turns;
    use levada_sync::atomic::{AtomicUsize, Ordering::SeqCst};
    use levada_sync::{clock, explore, thread};
    use std::sync::Arc;
    use std::time::Duration;

    /// Turns that count the working threads.
    struct Counted {
        turns: Turns,
        working: AtomicUsize,
        part: AtomicUsize,
        /// 1 once runs are cancelled.
        over: AtomicUsize,
    }

    impl Counted {
        fn of(lasts: Duration, part: usize) -> Arc<Counted> {
            let turns = Turns::of(lasts);
            let [working, part, over] = [0, part, 0].map(AtomicUsize::new);
            Arc::new(Counted { turns, working, part, over })
        }

        fn part(&self) -> usize {
            self.part.fetch_add(0, SeqCst)
        }

        fn may_wait(&self) -> bool {
            self.over.fetch_add(0, SeqCst) == 0
        }

        fn begin(&self) {
            self.turns.begin(|| self.part(), || self.may_wait());
            let others = self.working.fetch_add(1, SeqCst);
            assert!(others < self.part() || !self.may_wait(), "more threads work than may");
        }

        fn take_turns(&self) {
            self.working.fetch_sub(1, SeqCst);
            self.turns.take_turns(|| self.part(), || self.may_wait());
            self.working.fetch_add(1, SeqCst);
        }

        fn end(&self) {
            self.working.fetch_sub(1, SeqCst);
            self.turns.end(|| self.part());
        }

        /// What the first waiting thread does when its time has come.
        fn look(&self) {
            self.turns.state.lock().look(self.part(), levada_sync::now());
        }

        fn is_free(&self) -> bool {
            self.turns.is_free()
        }
    }

    const LONG: Duration = Duration::from_secs(1);

    #[test]
    fn each_thread_has_its_turn_and_wakes_the_next() {
        explore(|| {
            let counted = Counted::of(Duration::ZERO, 1);
            let others = [(); 2].map(|()| {
                let there = counted.clone();
                thread::spawn(move || {
                    there.begin();
                    there.end();
                })
            });
            counted.begin();
            counted.end();
            others.into_iter().for_each(|other| other.join().unwrap());
            assert!(counted.is_free());
        });
    }

    #[test]
    fn threads_in_the_middle_of_their_work_relieve_each_other() {
        explore(|| {
            let counted = Counted::of(Duration::ZERO, 1);
            let there = counted.clone();
            let works = |counted: &Counted| {
                counted.begin();
                counted.take_turns();
                counted.end();
            };
            let other = thread::spawn(move || works(&there));
            works(&counted);
            other.join().unwrap();
            assert!(counted.is_free());
        });
    }

    #[test]
    fn where_fewer_may_work_one_waits_until_the_other_has_ended() {
        explore(|| {
            let counted = Counted::of(Duration::ZERO, 2);
            counted.begin();
            let there = counted.clone();
            let other = thread::spawn(move || {
                there.begin();
                there.part.fetch_sub(1, SeqCst);
                there.take_turns();
                there.end();
            });
            counted.take_turns();
            counted.end();
            other.join().unwrap();
            assert!(counted.is_free());
        });
    }

    #[test]
    fn a_turn_that_nobody_uses_goes_to_the_first_that_waits() {
        explore(|| {
            let counted = Counted::of(LONG, 1);
            // A turn has just begun, and has not lasted long enough to be passed on.
            counted.turns.state.lock().began = Some(levada_sync::now());
            let there = counted.clone();
            let comes_back = thread::spawn(move || {
                for _ in 0..2 {
                    there.begin();
                    there.end();
                }
            });
            let there = counted.clone();
            let comes_once = thread::spawn(move || {
                there.begin();
                there.end();
            });
            for _ in 0..3 {
                counted.look();
            }
            counted.over.swap(1, SeqCst);
            clock::pass(LONG);
            comes_back.join().unwrap();
            comes_once.join().unwrap();
            assert!(counted.is_free());
        });
    }

    #[test]
    fn a_thread_whose_run_is_over_leaves_as_it_is_given_its_turn() {
        explore(|| {
            let counted = Counted::of(Duration::ZERO, 1);
            counted.begin();
            let there = counted.clone();
            let waits = thread::spawn(move || {
                there.begin();
                there.end();
            });
            let there = counted.clone();
            let cancels = thread::spawn(move || {
                there.over.swap(1, SeqCst);
                clock::pass(super::LOOK);
            });
            counted.end();
            waits.join().unwrap();
            cancels.join().unwrap();
            assert!(counted.is_free());
        });
    }
}
