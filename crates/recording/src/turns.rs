//! Delays nodes that use state until it is their turn.

use crate::digest;
use crate::recorder::outcome_of;
use crate::recording::{Cut, Event, Outcome, Recording, Values};
use levada_graph::{Code, Error, Result, Tensor};
use levada_kernel::observe::{Admission, Again, Turn};
use levada_kernel::{CancelToken, Chooser, Outside};
use levada_session::{Begun, Scribe};
use parking_lot::Mutex;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fs::File;
use std::path::Path;

/// Stands for the number of a turn: the recording has none for the node.
const UNKNOWN: u64 = u64::MAX;

/// The turns of a recording, and the progress of the replay.
pub(crate) struct Turns {
    /// Protects everything.
    state: Mutex<State>,
    files: BTreeMap<String, String>,
}

/// An item of the recorded order.
enum Item {
    Node { run: u64, node: std::sync::Arc<str>, places: Vec<u32> },
    Cut(Cut),
}

struct State {
    items: Vec<Item>,
    done: Vec<bool>,
    /// The pending turns of each instance, by number.
    instances: HashMap<u64, VecDeque<u32>>,
    /// The turns at each place, and the number of those that are done.
    places: Vec<(Vec<u32>, usize)>,
    /// All turns before this one are done.
    low: usize,
    /// The turns at which runs are ended, by number.
    cuts: VecDeque<u32>,
    /// True once it is the turn of the first of them.
    cut_is_on: bool,
    /// Delayed nodes, by their turns.
    held: HashMap<u32, Vec<Again>>,
    /// Nodes that were not recorded. They run after all others.
    unknown: Vec<Again>,
    /// The tokens of runs in progress.
    tokens: HashMap<u64, CancelToken>,
    /// The recorded outcomes of the runs that have ended.
    outcomes: HashMap<u64, Outcome>,
    values: HashMap<(u64, String), VecDeque<Result<Vec<Tensor>>>>,
    over: bool,
}

/// Actions to take outside the lock.
#[derive(Default)]
struct Next {
    again: Vec<Again>,
    cancel: Option<(CancelToken, Error)>,
}

impl Next {
    fn go(self) {
        if let Some((token, error)) = self.cancel {
            token.cancel_with(error);
        }
        self.again.into_iter().for_each(|again| again());
    }
}

impl Turns {
    pub(crate) fn of(recording: &Recording) -> Turns {
        let mut state = State {
            items: Vec::new(),
            done: Vec::new(),
            instances: HashMap::new(),
            places: Vec::new(),
            low: 0,
            cuts: VecDeque::new(),
            cut_is_on: false,
            held: HashMap::new(),
            unknown: Vec::new(),
            tokens: HashMap::new(),
            outcomes: HashMap::new(),
            values: queued(&recording.values),
            over: false,
        };
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        for event in &recording.events {
            let number = state.items.len() as u32;
            let item = match event {
                Event::Begin(_) | Event::End(_) => continue,
                Event::Turn(turn) => {
                    state.instances.entry(turn.instance).or_default().push_back(number);
                    let mut places = Vec::with_capacity(turn.places.len());
                    for place in &turn.places {
                        let next = numbers.len() as u32;
                        let place = *numbers.entry(*place).or_insert(next);
                        if place == next {
                            state.places.push((Vec::new(), 0));
                        }
                        state.places[place as usize].0.push(number);
                        places.push(place);
                    }
                    Item::Node { run: turn.run, node: turn.node.clone(), places }
                }
                Event::Cut(cut) => {
                    state.cuts.push_back(number);
                    Item::Cut(cut.clone())
                }
            };
            state.items.push(item);
            state.done.push(false);
        }
        let mut next = Next::default();
        state.advance(&mut next);
        Turns { state: Mutex::new(state), files: recording.files.clone() }
    }

    /// Announces that this run is about to start; ending it from outside cancels the token.
    pub(crate) fn expect(&self, run: u64, token: CancelToken) {
        let mut state = self.state.lock();
        state.tokens.insert(run, token);
        let mut next = Next::default();
        state.cancel_cut(&mut next);
        drop(state);
        next.go();
    }

    /// The outcome of a run.
    pub(crate) fn outcome(&self, run: u64) -> Option<Outcome> {
        self.state.lock().outcomes.get(&run).cloned()
    }

    /// Lets every node run as soon as it is ready, from now on.
    pub(crate) fn release(&self) {
        let mut state = self.state.lock();
        state.over = true;
        let mut next = Next::default();
        next.again.extend(state.held.drain().flat_map(|(_, held)| held));
        next.again.append(&mut state.unknown);
        drop(state);
        next.go();
    }

    /// The number of pending turns.
    pub(crate) fn left_over(&self) -> usize {
        let state = self.state.lock();
        state.items.iter().zip(&state.done).filter(|(item, done)| matches!(item, Item::Node { .. }) && !**done).count()
    }
}

fn queued(values: &Values) -> HashMap<(u64, String), VecDeque<Result<Vec<Tensor>>>> {
    values.iter().map(|(key, values)| (key.clone(), values.iter().cloned().collect())).collect()
}

impl State {
    /// Marks the first pending turn of an instance as arrived.
    fn take(&mut self, instance: u64) {
        if let Some(turns) = self.instances.get_mut(&instance) {
            turns.pop_front();
        }
    }

    /// True if all turns before this one at its places are done, and so is any earlier end of a run.
    fn is_next(&self, number: u32) -> bool {
        let Item::Node { places, .. } = &self.items[number as usize] else { return false };
        self.cuts.front().is_none_or(|cut| *cut > number)
            && places.iter().all(|place| {
                let (turns, at) = &self.places[*place as usize];
                turns.get(*at) == Some(&number)
            })
    }

    fn finish(&mut self, number: u32, next: &mut Next) {
        if std::mem::replace(&mut self.done[number as usize], true) {
            return;
        }
        let places = match &self.items[number as usize] {
            Item::Node { places, .. } => places.clone(),
            Item::Cut(_) => Vec::new(),
        };
        for place in places {
            self.skip_done(place as usize);
            let (turns, at) = &self.places[place as usize];
            if let Some(&first) = turns.get(*at) {
                self.wake(first, next);
            }
        }
        self.advance(next);
    }

    fn skip_done(&mut self, place: usize) {
        let (turns, at) = &mut self.places[place];
        while turns.get(*at).is_some_and(|turn| self.done[*turn as usize]) {
            *at += 1;
        }
    }

    fn wake(&mut self, number: u32, next: &mut Next) {
        if self.held.contains_key(&number) && self.is_next(number) {
            next.again.extend(self.held.remove(&number).unwrap_or_default());
        }
    }

    /// Advances to the first turn that is not done.
    fn advance(&mut self, next: &mut Next) {
        while self.done.get(self.low) == Some(&true) {
            self.low += 1;
        }
        let mut cut_done = false;
        while self.cuts.front().is_some_and(|cut| self.done[*cut as usize]) {
            self.cuts.pop_front();
            (self.cut_is_on, cut_done) = (false, true);
        }
        if cut_done {
            let held: Vec<u32> = self.held.keys().copied().collect();
            held.into_iter().for_each(|number| self.wake(number, next));
        }
        if !self.cut_is_on && self.cuts.front().is_some_and(|cut| *cut as usize == self.low) {
            self.cut_is_on = true;
            self.cancel_cut(next);
        }
        if self.low == self.items.len() {
            next.again.append(&mut self.unknown);
        }
    }

    /// Ends the run whose end is due, if it has started.
    fn cancel_cut(&mut self, next: &mut Next) {
        let Some(&number) = self.cuts.front().filter(|_| self.cut_is_on) else { return };
        let Item::Cut(cut) = &self.items[number as usize] else { return };
        if cut.by_node {
            next.again.extend(self.held.remove(&number).unwrap_or_default());
        } else if let Some(token) = self.tokens.get(&cut.run) {
            next.cancel = Some((token.clone(), cut.error.clone()));
        }
    }

    /// The pending turn at which this run is ended, if any.
    fn cut_of(&self, run: u64) -> Option<u32> {
        let ends = |number: &&u32| matches!(&self.items[**number as usize], Item::Cut(cut) if cut.run == run);
        self.cuts.iter().find(ends).copied()
    }
}

impl Chooser for Turns {
    fn admit(&self, turn: &Turn<'_>) -> Admission {
        let mut state = self.state.lock();
        if state.over {
            return Admission::Free;
        }
        let number = state.instances.get(&turn.instance).and_then(|turns| turns.front().copied());
        match number {
            Some(number) if state.done[number as usize] => {
                state.take(turn.instance);
                Admission::Free
            }
            Some(number) if state.is_next(number) => {
                state.take(turn.instance);
                Admission::Now(u64::from(number))
            }
            Some(number) => Admission::Later(u64::from(number)),
            None if state.low == state.items.len() => Admission::Free,
            None => Admission::Later(UNKNOWN),
        }
    }

    fn wait(&self, ticket: u64, again: Again) {
        let mut state = self.state.lock();
        let is_all_done = state.low == state.items.len();
        match u32::try_from(ticket) {
            _ if state.over => {}
            Err(_) if is_all_done => {}
            Err(_) => return state.unknown.push(again),
            Ok(number) => {
                let is_on = match &state.items[number as usize] {
                    Item::Node { .. } => state.is_next(number),
                    Item::Cut(_) => state.cut_is_on && state.cuts.front() == Some(&number),
                };
                if !is_on && !state.done[number as usize] {
                    return state.held.entry(number).or_default().push(again);
                }
            }
        }
        drop(state);
        again();
    }

    fn left(&self, pass: u64) {
        let mut next = Next::default();
        self.state.lock().finish(pass as u32, &mut next);
        next.go();
    }

    fn fails(&self, run: u64, _: &Error) -> Admission {
        let state = self.state.lock();
        match state.cut_of(run) {
            Some(number) if !(state.over || state.cut_is_on && state.cuts.front() == Some(&number)) => {
                Admission::Later(u64::from(number))
            }
            _ => Admission::Free,
        }
    }

    fn stuck(&self) -> Option<Error> {
        let state = self.state.lock();
        if state.held.is_empty() && state.unknown.is_empty() {
            return None;
        }
        let next = match state.items.get(state.low)? {
            Item::Node { run, node, .. } => format!("{node} of run {run} to run"),
            Item::Cut(cut) => format!("run {} to end", cut.run),
        };
        let held = state.held.keys().filter_map(|number| match &state.items[*number as usize] {
            Item::Node { node, .. } => Some(&**node),
            Item::Cut(_) => None,
        });
        let mut held: Vec<&str> = held.take(8).collect();
        held.sort_unstable();
        let error = Error::new(Code::FailedPrecondition, "the replay diverges from the recording")
            .expected(next)
            .help("a replay needs the same version of Levada and the same kind of processor");
        Some(if held.is_empty() {
            error
        } else {
            error.found(format!("only later ones are ready: {}", held.join(", ")))
        })
    }
}

impl Outside for Turns {
    fn recall(&self, instance: u64, kind: &'static str) -> Option<Result<Vec<Tensor>>> {
        self.state.lock().values.get_mut(&(instance, kind.to_owned()))?.pop_front()
    }

    fn note(&self, _: u64, _: &'static str, _: &Result<Vec<Tensor>>) {}

    fn opens(&self, path: &Path) -> Result<()> {
        let Some(recorded) = self.files.get(&path.display().to_string()) else { return Ok(()) };
        let Ok(found) = File::open(path).and_then(digest::of_reader) else { return Ok(()) };
        if found == *recorded {
            return Ok(());
        }
        Err(Error::failed_precondition(format!("the file {} has changed since it was recorded", path.display()))
            .expected(format!("SHA-256 {recorded}"))
            .found(found)
            .help("restore the file that was read when the session was recorded"))
    }
}

impl Scribe for Turns {
    fn begins(&self, _: &Begun<'_>) -> Result<()> {
        Ok(())
    }

    fn ended(&self, id: u64, result: &Result<Vec<Tensor>>) {
        let mut next = Next::default();
        let mut state = self.state.lock();
        state.outcomes.insert(id, outcome_of(result));
        state.tokens.remove(&id);
        if let Some(cut) = state.cut_of(id) {
            state.finish(cut, &mut next);
        }
        if result.is_err() {
            let left = (0..state.items.len() as u32).filter(|number| {
                matches!(&state.items[*number as usize], Item::Node { run, .. } if *run == id)
                    && !state.done[*number as usize]
            });
            let left: Vec<u32> = left.collect();
            left.into_iter().for_each(|number| state.finish(number, &mut next));
        }
        drop(state);
        next.go();
    }
}
