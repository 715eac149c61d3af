//! The model of the other places where nodes wait: a staging area, a barrier and an accumulator.

use levada_graph::{Bytes, Tensor};
use std::collections::{BTreeMap, BTreeSet};

/// What a run does there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// Puts a value into the staging area.
    Stage(i64),
    /// Takes one out.
    Unstage,
    /// Inserts one of the components of a barrier's key.
    Insert(i64, i64),
    /// Takes this many complete keys out.
    Meet(usize),
    /// Adds one to the accumulator.
    Add,
    /// Takes the sum of at least this many.
    Total(usize),
}

/// Room in the staging area.
const ROOM: usize = 2;

/// What is certain at some moment.
#[derive(Clone, Copy, Default)]
pub(crate) struct Now {
    staged: usize,
    unstaged: usize,
    complete: usize,
    failed: (usize, usize),
}

/// What was put and taken.
#[derive(Default)]
pub(crate) struct Places {
    /// Values that were to be staged: whether they certainly were, and whether they have been taken.
    staged: Vec<(bool, bool)>,
    /// By key, for each component whether it is certainly in; and whether the key has been taken.
    keys: BTreeMap<i64, ([bool; 2], bool)>,
    /// Components that have been offered.
    offered: BTreeSet<(i64, i64)>,
    /// Numbers of values that runs have begun to unstage and of keys that they have begun to take; then those of runs
    /// that have failed.
    begun: (usize, usize),
    failed: (usize, usize),
    /// Additions: certain and possible ones.
    added: usize,
    maybe_added: usize,
    /// How many of them were taken.
    total: usize,
}

impl Places {
    /// The next value to be staged.
    pub(crate) fn stages(&mut self) -> i64 {
        self.staged.push((false, false));
        self.staged.len() as i64 - 1
    }

    /// A component to be inserted: the second of a key that has one, or the first of another.
    pub(crate) fn inserts(&mut self, number: usize) -> (i64, i64) {
        let incomplete: Vec<(i64, i64)> = self.offered.iter().map(|&(key, c)| (key, 1 - c)).collect();
        let incomplete: Vec<_> = incomplete.into_iter().filter(|other| !self.offered.contains(other)).collect();
        let new = (self.keys.len() as i64, (number % 2) as i64);
        let chosen = if number % 3 > 0 { incomplete.get(number % incomplete.len().max(1)).copied() } else { None };
        let chosen = chosen.unwrap_or(new);
        self.offered.insert(chosen);
        self.keys.entry(chosen.0).or_default();
        chosen
    }

    /// Called when a run begins.
    pub(crate) fn begins(&mut self, place: Place) {
        match place {
            Place::Unstage => self.begun.0 += 1,
            Place::Meet(n) => self.begun.1 += n,
            Place::Add => self.maybe_added += 1,
            Place::Stage(_) | Place::Insert(..) | Place::Total(_) => {}
        }
    }

    /// Called when a run has ended with these results, or has failed.
    ///
    /// # Panics
    /// If that is impossible.
    pub(crate) fn ended(&mut self, place: Place, results: Option<&[Tensor]>) {
        let Some(results) = results else {
            match place {
                Place::Unstage => self.failed.0 += 1,
                Place::Meet(n) => self.failed.1 += n,
                _ => {}
            }
            return;
        };
        let integers = |at: usize| results[at].slice::<i64>().unwrap_or_default().to_vec();
        match place {
            Place::Stage(value) => self.staged[value as usize].0 = true,
            Place::Unstage => {
                let value = integers(0)[0];
                let known = usize::try_from(value).ok().and_then(|at| self.staged.get_mut(at));
                let Some((_, taken)) = known else { panic!("{value} was unstaged and never staged") };
                assert!(!std::mem::replace(taken, true), "{value} was unstaged twice");
            }
            Place::Insert(key, component) => {
                if let Some((parts, _)) = self.keys.get_mut(&key) {
                    parts[component as usize] = true;
                }
            }
            Place::Meet(n) => {
                let keys = results[0].slice::<Bytes>().unwrap_or_default().to_vec();
                assert!(keys.len() == n, "{} keys instead of {n}", keys.len());
                let values = [integers(1), integers(2)];
                for (at, key) in keys.iter().enumerate() {
                    let key: i64 = String::from_utf8_lossy(key).parse().unwrap_or(-1);
                    let parts = [values[0][at], values[1][at]];
                    assert!(parts == [2 * key, 2 * key + 1], "{parts:?} came with {key}");
                    let known = self.keys.get_mut(&key);
                    let Some((_, taken)) = known else { panic!("{key} was taken and never inserted") };
                    assert!(!std::mem::replace(taken, true), "{key} was taken twice");
                }
            }
            Place::Add => self.added += 1,
            Place::Total(n) => {
                let sum = results[0].item::<f64>().unwrap_or(-1.0) as usize;
                assert!(sum >= n, "a sum of {sum} instead of at least {n}");
                self.total += sum;
                assert!(self.total <= self.maybe_added, "{} of {} were taken", self.total, self.maybe_added);
            }
        }
    }

    /// What is certain now.
    pub(crate) fn now(&self) -> Now {
        Now {
            staged: self.staged.iter().filter(|(put, _)| *put).count(),
            unstaged: self.staged.iter().filter(|(_, taken)| *taken).count(),
            complete: self.keys.values().filter(|(parts, _)| *parts == [true, true]).count(),
            failed: self.failed,
        }
    }

    /// True if what a run waits for was certainly there, whatever others that have begun take. `before`: when it began.
    pub(crate) fn was_there(&self, place: Place, before: Now) -> bool {
        match place {
            Place::Unstage => before.staged + before.failed.0 >= self.begun.0,
            Place::Meet(_) => before.complete + before.failed.1 >= self.begun.1,
            Place::Stage(_) => self.staged.len() <= before.unstaged + ROOM,
            Place::Insert(..) | Place::Add => true,
            Place::Total(_) => false,
        }
    }

    /// Checks what must be true when the rest was taken.
    pub(crate) fn close(&self) {
        let lost: Vec<usize> = (0..self.staged.len()).filter(|&at| self.staged[at] == (true, false)).collect();
        assert!(lost.is_empty(), "{lost:?} are lost in the staging area");
        let lost: Vec<i64> =
            self.keys.iter().filter(|(_, known)| **known == ([true, true], false)).map(|(key, _)| *key).collect();
        assert!(lost.is_empty(), "{lost:?} are lost in the barrier");
        assert!(self.total >= self.added, "of {} additions {} were taken", self.added, self.total);
    }
}
