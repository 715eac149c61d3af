//! The model: what went into the queues and came out, which actors are in a run, and what may be true of both at any
//! time.
//!
//! Operations overlap, so the model tracks bounds: what is certain once an operation has returned, and what is possible
//! since it began.

use crate::places::{Now, Place, Places};
use crate::world::World;
use levada_graph::{Code, Error};
use levada_kernel::CancelToken;
use std::collections::BTreeMap;
use std::time::Instant;

/// A moment, as a number.
type Moment = u64;

/// What an operation may wait for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Act {
    /// Puts `n` elements, numbered from `first`.
    Put { first: usize, n: usize },
    /// Takes elements; with `up_to`, fewer will do once the queue is closed.
    Take { n: usize, up_to: bool },
    /// Moves one element from one queue to the other.
    PassOn,
    /// Closes the queue that elements are put into.
    Close,
    /// Does something at another place.
    Visit(Place),
    /// Nothing.
    Look,
}

/// An operation that is running.
pub(crate) struct Attempt {
    pub(crate) act: Act,
    begin: Moment,
    cancel: Option<usize>,
    deadline: Option<Instant>,
    /// What was true when it began.
    before: Sums,
    places: Now,
    /// True if it had been closed.
    was_closed: bool,
}

/// Counts of elements.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// Certainly put.
    put: usize,
    /// Possibly put at some time.
    offered: usize,
    /// Of these, certainly never put.
    refused: usize,
    /// Taken by runs that have returned.
    taken: usize,
    /// Requested by runs that failed: they may have held them for a while.
    given_up: usize,
}

struct Element {
    begin: Moment,
    /// From when it was certainly in.
    put: Option<Moment>,
    /// From when to when it was taken.
    taken: Option<(Moment, Moment)>,
    /// True if the run that put it failed, so that it may never have been in.
    doubtful: bool,
}

/// The whole state.
pub(crate) struct Book {
    world: World,
    tells: bool,
    /// What is known of the other places.
    pub(crate) places: Places,
    now: Moment,
    elements: Vec<Element>,
    sums: Sums,
    /// Requested by running operations.
    wanted: usize,
    /// Runs that failed while they moved an element: each may have lost it.
    pub(crate) may_be_lost: usize,
    /// Closing of the queue that elements are put into has begun.
    pub(crate) is_closing: bool,
    /// Number of closes that have begun.
    closes: usize,
    /// It has certainly been closed.
    is_closed: bool,
    /// The queue that elements are taken from may be closed for another reason.
    pub(crate) is_stopping: bool,
    pub(crate) is_ending: bool,
    /// Actors that have a session and are not in a run that may wait.
    outside: usize,
    /// The last time there were none.
    all_in: Moment,
    /// Actors that have not ended.
    pub(crate) alive: usize,
    tokens: Vec<(CancelToken, bool)>,
    cancellable: BTreeMap<usize, ()>,
    /// Operations that have returned.
    pub(crate) operations: u64,
    /// A number that differs between different lives.
    pub(crate) digest: u64,
}

impl Book {
    /// `tells`: whether each operation is printed.
    pub(crate) fn of(world: &World, tells: bool) -> Book {
        if tells {
            println!("{world:#?}");
        }
        Book {
            tells,
            places: Places::default(),
            world: world.clone(),
            now: 0,
            elements: Vec::new(),
            sums: Sums::default(),
            wanted: 0,
            may_be_lost: 0,
            is_closing: false,
            closes: 0,
            is_closed: false,
            is_stopping: false,
            is_ending: false,
            outside: world.actors,
            all_in: 0,
            alive: world.actors,
            tokens: Vec::new(),
            cancellable: BTreeMap::new(),
            operations: 0,
            digest: 0,
        }
    }

    fn tick(&mut self) -> Moment {
        self.now += 1;
        self.now
    }

    fn one_less_outside(&mut self) {
        self.outside -= 1;
        if self.outside == 0 {
            self.all_in = self.now;
        }
    }

    /// Reserves the numbers of elements that are about to be put.
    pub(crate) fn offer(&mut self, n: usize) -> usize {
        let (first, begin) = (self.elements.len(), self.tick());
        self.elements.extend((0..n).map(|_| Element { begin, put: None, taken: None, doubtful: false }));
        self.sums.offered += n;
        first
    }

    /// Called when an operation begins.
    pub(crate) fn enter(&mut self, act: Act, cancel: Option<CancelToken>, deadline: Option<Instant>) -> Attempt {
        let begin = self.tick();
        let cancel = cancel.map(|token| {
            self.tokens.push((token, false));
            self.cancellable.insert(self.tokens.len() - 1, ());
            self.tokens.len() - 1
        });
        match act {
            Act::Take { n, .. } => self.wanted += n,
            Act::Close => {
                self.is_closing = true;
                self.closes += 1;
            }
            _ => {}
        }
        if act != Act::Look {
            self.one_less_outside();
        }
        Attempt {
            act,
            begin,
            cancel,
            deadline,
            before: self.sums,
            places: self.places.now(),
            was_closed: self.is_closed,
        }
    }

    /// A token to cancel, of those whose runs are running.
    pub(crate) fn cancel_one(&mut self, number: usize) -> Option<CancelToken> {
        let at = *self.cancellable.keys().nth(number % self.cancellable.len().max(1))?;
        self.cancellable.remove(&at);
        self.tokens[at].1 = true;
        Some(self.tokens[at].0.clone())
    }

    /// Called when an operation has returned these values.
    ///
    /// # Panics
    /// If that is impossible.
    pub(crate) fn leave(&mut self, attempt: &Attempt, result: Result<&[i64], &Error>) {
        let end = self.tick();
        self.operations += 1;
        if let Some(token) = attempt.cancel {
            self.cancellable.remove(&token);
        }
        if attempt.act != Act::Look {
            self.outside += 1;
        }
        if self.tells {
            match result {
                Ok(values) => println!("{:5} to {end:5}: {:?}: {values:?}", attempt.begin, attempt.act),
                Err(error) => println!("{:5} to {end:5}: {:?}: {}", attempt.begin, attempt.act, error.message()),
            }
        }
        let code = result.err().map_or(0, |error| 1 + error.code() as u64);
        self.digest = (self.digest.rotate_left(5) ^ (code << 32 | result.map_or(0, |v| v.len() as u64))) ^ end;
        if let Act::Take { n, .. } = attempt.act {
            self.wanted -= n;
        }
        match result {
            Ok(values) => self.succeeded(attempt, values, end),
            Err(error) => self.failed(attempt, error),
        }
        let (held, room) = (self.sums.put.saturating_sub(self.sums.taken + self.wanted), self.world.capacity);
        let room = if self.world.passes_on { 2 * room + self.in_passing() } else { room };
        assert!(held <= room + self.sums.given_up, "{held} elements are in, and there is room for {room}");
    }

    /// The maximum number of elements that are on their way between the queues, or lost there.
    fn in_passing(&self) -> usize {
        self.world.actors + self.may_be_lost + self.world.runner
    }

    fn succeeded(&mut self, attempt: &Attempt, values: &[i64], end: Moment) {
        match attempt.act {
            Act::Put { first, n } => {
                assert!(!attempt.was_closed, "an element came into a closed queue");
                self.elements[first..first + n].iter_mut().for_each(|element| element.put = Some(end));
                self.sums.put += n;
            }
            Act::Take { n, up_to } => {
                let enough =
                    values.len() == n || up_to && !values.is_empty() && values.len() < n && self.may_be_closed();
                assert!(enough, "{} elements instead of {n}", values.len());
                self.took(values, attempt.begin, end);
            }
            Act::Close => self.is_closed = true,
            Act::PassOn | Act::Visit(_) | Act::Look => {}
        }
    }

    /// Checks that what is taken is what was put, once; and what one run took, in its order.
    pub(crate) fn took(&mut self, values: &[i64], begin: Moment, end: Moment) {
        for &value in values {
            let element = usize::try_from(value).ok().and_then(|at| self.elements.get_mut(at));
            let Some(element) = element else { panic!("{value} was taken and never put") };
            assert!(element.taken.is_none(), "{value} was taken twice");
            element.taken = Some((begin, end));
        }
        self.sums.taken += values.len();
        if self.world.keeps_order() {
            for pair in values.windows(2) {
                let [a, b] = [pair[0], pair[1]].map(|value| &self.elements[value as usize]);
                assert!(b.put.is_none_or(|put| a.begin <= put), "{} came out behind {}", pair[1], pair[0]);
            }
        }
    }

    /// Records the rest of the elements, taken when nothing else acts.
    pub(crate) fn drained(&mut self, values: &[i64]) {
        let now = self.tick();
        if self.tells {
            println!("{now:5}: what is left: {values:?}");
        }
        self.took(values, now, now);
    }

    fn may_be_closed(&self) -> bool {
        self.is_closing || self.is_stopping || self.is_ending
    }

    fn failed(&mut self, attempt: &Attempt, error: &Error) {
        match attempt.act {
            Act::Put { first, n } => {
                self.elements[first..first + n].iter_mut().for_each(|element| element.doubtful = true);
                // A single element is not in; of several, the first ones may be.
                if n == 1 {
                    self.sums.refused += 1;
                }
            }
            Act::Take { n, .. } => self.sums.given_up += n,
            Act::PassOn => self.may_be_lost += 1,
            Act::Close | Act::Visit(_) | Act::Look => {}
        }
        let is_cancelled = attempt.cancel.is_some_and(|token| self.tokens[token].1);
        let is_late = attempt.deadline.is_some_and(|deadline| levada_sync::now() >= deadline);
        let may = match error.code() {
            _ if error.fault().report.is_some() => {
                self.stalled(attempt, error);
                (error.code() == Code::DeadlineExceeded) == attempt.deadline.is_some()
            }
            Code::DeadlineExceeded => is_late,
            Code::Cancelled => {
                let is_closed = match attempt.act {
                    Act::Put { .. } => self.is_closing,
                    Act::PassOn => self.may_be_closed(),
                    Act::Close => self.closes > 1,
                    _ => false,
                };
                is_cancelled || self.is_ending || is_closed
            }
            Code::OutOfRange => match attempt.act {
                Act::Take { n, up_to } => {
                    let least = if up_to { 1 } else { n };
                    let left = self.left_at_least(attempt);
                    assert!(self.world.passes_on || left < least, "out of range, with {left} elements for {least}");
                    self.may_be_closed()
                }
                Act::PassOn => self.may_be_closed(),
                _ => false,
            },
            _ => false,
        };
        assert!(may, "{:?} cannot fail so: {error}", attempt.act);
    }

    /// How many elements this run must have found, whatever others took meanwhile.
    fn left_at_least(&self, attempt: &Attempt) -> usize {
        let given_up = self.sums.given_up - attempt.before.given_up;
        // Its own are among those that were given up.
        let own = if let Act::Take { n, .. } = attempt.act { n } else { 0 };
        attempt.before.put.saturating_sub(self.sums.taken + self.wanted + given_up - own)
    }

    /// The maximum number of elements that were in or about to come in while this run was running.
    fn in_at_most(&self, attempt: &Attempt) -> usize {
        self.sums.offered - attempt.before.refused - attempt.before.taken
    }

    /// Checks a reported stall: each actor that could have acted was in a run that waited, and what this one waits for
    /// was missing.
    fn stalled(&self, attempt: &Attempt, error: &Error) {
        assert!(attempt.act != Act::Look, "an operation that never waits is reported as waiting: {error}");
        if !self.world.closed_world {
            assert!(self.all_in >= attempt.begin, "others could have acted: {error}");
        }
        if let Act::Visit(place) = attempt.act {
            assert!(!self.places.was_there(place, attempt.places), "what {place:?} needs was there: {error}");
        }
        if self.world.passes_on {
            return;
        }
        match attempt.act {
            Act::Take { n, .. } => {
                let left = self.left_at_least(attempt);
                assert!(left < n + self.world.stay, "{left} elements are there for {n}: {error}");
            }
            Act::Put { .. } => {
                let most = self.in_at_most(attempt);
                assert!(most > self.world.capacity || self.is_closing, "there is room: {error}");
            }
            _ => {}
        }
    }

    /// Checks an observed size.
    pub(crate) fn saw_size(&self, attempt: &Attempt, size: usize) {
        let World { capacity, passes_on, .. } = self.world;
        assert!(size <= capacity + self.sums.given_up, "{size} elements, and there is room for {capacity}");
        if !passes_on {
            let least = attempt
                .before
                .put
                .saturating_sub(self.sums.taken + self.wanted + self.sums.given_up - attempt.before.given_up);
            let most = self.in_at_most(attempt);
            assert!((least..=most).contains(&size), "{size} elements, and there are {least} to {most}");
        }
    }

    /// Called when an actor has ended; true for the last one, which keeps its session to look at the rest.
    pub(crate) fn ended(&mut self) -> bool {
        self.tick();
        self.alive -= 1;
        self.one_less_outside();
        self.alive == 0
    }

    /// Checks what must be true at the end. `is_drained`: all elements that were in have been taken.
    pub(crate) fn close(&self, is_drained: bool) {
        assert!(self.wanted == 0 && self.cancellable.is_empty(), "an operation has not returned");
        if is_drained {
            let lost: Vec<usize> = (0..self.elements.len())
                .filter(|&at| self.elements[at].put.is_some() && self.elements[at].taken.is_none())
                .collect();
            assert!(lost.len() <= self.may_be_lost, "{lost:?} are lost, of which {} may be", self.may_be_lost);
        }
        if self.world.keeps_order() {
            self.check_order();
        }
    }

    /// Checks that an element that was in before another one came did not come out after it, where that is certain.
    fn check_order(&self) {
        let mut by_put: Vec<(Moment, usize)> =
            self.elements.iter().enumerate().filter_map(|(at, element)| Some((element.put?, at))).collect();
        by_put.sort_unstable();
        let mut by_begin: Vec<(Moment, usize)> =
            self.elements.iter().enumerate().map(|(at, element)| (element.begin, at)).collect();
        by_begin.sort_unstable();
        let (mut next, mut latest) = (0, (0, 0));
        for (begin, at) in by_begin {
            while let Some(&(_, earlier)) = by_put.get(next).filter(|(put, _)| *put < begin) {
                if let Some((taken, _)) = self.elements[earlier].taken {
                    latest = latest.max((taken, earlier));
                }
                next += 1;
            }
            if let Some((_, end)) = self.elements[at].taken {
                assert!(latest.0 <= end, "{} was put before {at} and came out behind it", latest.1);
            }
        }
    }
}
