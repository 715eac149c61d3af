//! A life of a session: actors whose operations are determined by a seed, and a director that lets time pass and
//! cancels runs.

use crate::book::{Act, Attempt, Book};
use crate::dice::Dice;
use crate::places::Place;
use crate::world::{World, said};
use levada_graph::{Bytes, Code, Error, Result, Tensor, read};
use levada_kernel::CancelToken;
use levada_session::{CallableOptions, Coordinator, RunOptions, Session};
use levada_sync::{clock, simulate, thread};
use std::fmt;
use std::ops::AddAssign;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Maximum number of steps of the threads of a life.
const MOST_STEPS: usize = 3_000_000;

/// How often the director acts without any progress before it reports that something waits forever.
const PATIENCE: usize = 4000;

/// Totals of lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lived {
    /// Lives.
    pub lives: u64,
    /// Operations of their actors, each of which was checked.
    pub operations: u64,
    /// Steps of threads, between any two of which another thread may have run.
    pub steps: u64,
    /// A number that differs between different lives.
    pub digest: u64,
}

impl AddAssign for Lived {
    fn add_assign(&mut self, other: Lived) {
        self.lives += other.lives;
        self.operations += other.operations;
        self.steps += other.steps;
        self.digest = self.digest.rotate_left(7) ^ other.digest;
    }
}

impl fmt::Display for Lived {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} lives, {} operations, {} steps of threads", self.lives, self.operations, self.steps)
    }
}

/// Simulates the life for this seed; `tells`: prints what happens.
///
/// # Panics
/// If the session does something impossible according to the model, if its threads all sleep, and if something waits
/// forever.
pub fn live(seed: u64, tells: bool) -> Lived {
    let world = World::of(seed);
    let book = Arc::new(Mutex::new(Book::of(&world, tells)));
    let kept = book.clone();
    let steps = simulate(seed, MOST_STEPS, move || direct(seed, &world, &book));
    let book = lock(&kept);
    Lived { lives: 1, operations: book.operations, steps, digest: book.digest }
}

/// Never held during calls into the session.
fn lock(book: &Mutex<Book>) -> MutexGuard<'_, Book> {
    book.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins the life, lets time pass, cancels runs, and looks at the rest.
fn direct(seed: u64, world: &World, book: &Arc<Mutex<Book>>) {
    let session = world.session().unwrap_or_else(|error| panic!("{error}"));
    let env = Arc::downgrade(session.env());
    let actors: Vec<_> = (0..world.actors)
        .map(|number| {
            let (world, book, session) = (world.clone(), book.clone(), session.clone());
            let dice = Dice::of(seed, 2 + number as u64);
            let actor = Actor { world, book, session, dice, number, extended: 0 };
            thread::spawn(move || actor.act())
        })
        .collect();
    drop(session);
    let (mut dice, mut quiet, mut known) = (Dice::of(seed, 1), 0, 0);
    while lock(book).alive > 0 {
        match dice.below(8) {
            0 | 1 => clock::pass(Duration::from_micros(1 << dice.below(16))),
            2 => {
                let token = lock(book).cancel_one(dice.below(8));
                if let Some(token) = token {
                    token.cancel();
                }
            }
            _ => {}
        }
        let operations = lock(book).operations;
        quiet = if operations == known { quiet + 1 } else { 0 };
        known = operations;
        assert!(quiet < PATIENCE, "something waits forever, and no stall is reported");
        thread::yield_now();
    }
    actors.into_iter().for_each(|actor| actor.join().expect("an actor ends"));
    // Workers of the pool may be about to drop it.
    for _ in 0..PATIENCE {
        if env.strong_count() == 0 {
            return;
        }
        thread::yield_now();
    }
    panic!("something of the session outlives it");
}

struct Actor {
    world: World,
    book: Arc<Mutex<Book>>,
    session: Session,
    dice: Dice,
    number: usize,
    /// Nodes it has added to the graph.
    extended: usize,
}

impl Actor {
    fn book(&self) -> MutexGuard<'_, Book> {
        lock(&self.book)
    }

    fn act(mut self) {
        let coordinator = Coordinator::new();
        let runs = self.number == 0 && self.world.runner > 0;
        if runs {
            self.start_runner(&coordinator);
        }
        for _ in 0..self.world.operations {
            self.operate();
            if runs && self.dice.once_in(16) {
                self.disturb_runner(&coordinator);
            }
        }
        if runs {
            self.stop_runner(&coordinator);
        }
        if self.book().ended() {
            self.drain();
        }
    }

    fn start_runner(&mut self, coordinator: &Coordinator) {
        self.book().may_be_lost += self.world.runner;
        let started = self.session.start_queue_runner(&self.world.runner_def(), coordinator);
        assert!(started.is_ok(), "{}", said(started));
    }

    fn disturb_runner(&mut self, coordinator: &Coordinator) {
        if self.dice.once_in(2) {
            let paused = self.session.pause_queue_runners(Duration::from_millis(5));
            self.operate_briefly();
            drop(paused);
        } else {
            self.stop_runner(coordinator);
            coordinator.clear_stop();
            self.start_runner(coordinator);
        }
        self.book().operations += 1;
    }

    fn stop_runner(&mut self, coordinator: &Coordinator) {
        self.book().is_stopping = true;
        coordinator.request_stop();
        let joined = coordinator.join(Duration::from_millis(self.dice.below(20) as u64));
        let may = match &joined {
            Ok(()) => true,
            Err(error) => match error.code() {
                // The members were cancelled, and will end.
                Code::DeadlineExceeded => true,
                Code::Cancelled => true,
                _ => false,
            },
        };
        assert!(may, "the runner ended with {}", said(joined));
        let ended = coordinator.join(Duration::from_secs(3600));
        let in_time = ended.as_ref().err().is_none_or(|error| error.code() != Code::DeadlineExceeded);
        assert!(in_time, "the runner does not end: {}", said(ended));
        self.book().operations += 1;
    }

    /// The disturbances of the next run.
    fn options(&mut self) -> RunOptions {
        let mut options = RunOptions::default();
        if self.dice.once_in(self.world.cancels) {
            options.cancel = Some(CancelToken::new());
        }
        options.trace = self.dice.once_in(self.world.traces);
        if self.dice.once_in(self.world.deadlines) {
            options.timeout = Some(Duration::from_micros(1 << self.dice.below(16)));
        }
        options
    }

    /// Runs something, and records it in the book.
    fn run(
        &mut self,
        act: Act,
        feeds: &[(&str, Tensor)],
        fetches: &[&str],
        targets: &[&str],
    ) -> (Attempt, Vec<Tensor>) {
        let options = self.options();
        // The run sets its deadline later than this, and never earlier.
        let deadline = options.timeout.map(|timeout| levada_sync::now() + timeout);
        let attempt = self.book().enter(act, options.cancel.clone(), deadline);
        // A callable counts as a handle beside the session's for as long as it exists: no stall is reported meanwhile.
        let is_callable = (act == Act::Look || deadline.is_some()) && self.dice.once_in(self.world.callables);
        let result = match is_callable {
            true => self.call(&options, feeds, fetches, targets),
            false => self.session.run_with(&options, feeds, fetches, targets).map(|(tensors, _)| tensors),
        };
        let values: Result<Vec<i64>> = result.as_ref().map_err(Error::clone).map(|tensors| match act {
            Act::Take { .. } => components(tensors),
            _ => Vec::new(),
        });
        if let Act::Visit(place) = act {
            self.book().places.ended(place, result.as_deref().ok());
        }
        self.book().leave(&attempt, values.as_deref());
        (attempt, result.unwrap_or_default())
    }

    /// Prepares a run and calls it.
    fn call(
        &self,
        options: &RunOptions,
        feeds: &[(&str, Tensor)],
        fetches: &[&str],
        targets: &[&str],
    ) -> Result<Vec<Tensor>> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let names: Vec<&str> = feeds.iter().map(|(name, _)| *name).collect();
        let asked = CallableOptions { feeds: owned(&names), fetches: owned(fetches), targets: owned(targets) };
        let callable = self.session.callable(&asked)?;
        let values: Vec<Tensor> = feeds.iter().map(|(_, value)| value.clone()).collect();
        callable.run_with(options, &values).0
    }

    fn operate(&mut self) {
        if self.dice.once_in(self.world.closes) {
            let now = self.dice.once_in(2);
            self.run(Act::Close, &[], &[], &[if now { "close_now" } else { "close" }]);
            return;
        }
        if self.dice.once_in(self.world.ends) {
            self.book().is_ending = true;
            self.session.close();
            self.book().operations += 1;
            return;
        }
        if self.world.places && self.dice.once_in(4) {
            self.visit();
            return;
        }
        match self.dice.below(16) {
            0..=3 => self.put(1),
            4 | 5 => self.put_many(),
            6 | 7 => self.take("take"),
            8 => self.take("take_in_call"),
            9 => self.take_many("take_many", false),
            10 => self.take_many("take_up_to", true),
            11 if self.world.passes_on => drop(self.run(Act::PassOn, &[], &[], &["pass_on"])),
            12 => self.compute(),
            13 => self.compute_in_parts(),
            _ => self.operate_briefly(),
        }
    }

    /// Does something that does not wait.
    fn operate_briefly(&mut self) {
        match self.dice.below(6) {
            0..=2 => {
                let (attempt, sizes) = self.run(Act::Look, &[], &["size"], &[]);
                if let Some(size) = sizes.first() {
                    let size = size.item::<i32>().unwrap_or(-1);
                    self.book().saw_size(&attempt, usize::try_from(size).unwrap_or(usize::MAX));
                }
            }
            3 => drop(self.run(Act::Look, &[], &["is_closed"], &[])),
            4 => {
                // It looks at steps that others are about to end.
                let _ = self.session.waiting().to_string();
                self.book().operations += 1;
            }
            _ => self.extend(),
        }
    }

    fn put(&mut self, n: usize) {
        let first = self.book().offer(n);
        self.run(Act::Put { first, n }, &[("x", Tensor::scalar(first as i64))], &[], &["put"]);
    }

    fn put_many(&mut self) {
        let n = 1 + self.dice.below(self.world.capacity + 1);
        let first = self.book().offer(n);
        let values: Vec<i64> = (first..first + n).map(|value| value as i64).collect();
        self.run(Act::Put { first, n }, &[("x", Tensor::vector(values))], &[], &["put_many"]);
    }

    fn take(&mut self, node: &str) {
        let second = format!("{node}:1");
        let fetches: &[&str] = if self.world.pairs { &[node, &second] } else { &[node] };
        self.run(Act::Take { n: 1, up_to: false }, &[], fetches, &[]);
    }

    fn take_many(&mut self, node: &str, up_to: bool) {
        let n = 1 + self.dice.below(self.world.capacity);
        let second = format!("{node}:1");
        let fetches: &[&str] = if self.world.pairs { &[node, &second] } else { &[node] };
        self.run(Act::Take { n, up_to }, &[("n", Tensor::scalar(n as i32))], fetches, &[]);
    }

    /// Does something at one of the other places where nodes wait.
    fn visit(&mut self) {
        let n = 1 + self.dice.below(3);
        let of_n = [("n", Tensor::scalar(n as i32))];
        match self.dice.below(7) {
            0 => {
                let value = self.book().places.stages();
                self.wait(Place::Stage(value), &[("x", Tensor::scalar(value))], &[], &["stage"]);
            }
            1 => self.wait(Place::Unstage, &[], &["unstage"], &[]),
            2 | 3 => {
                let number = self.dice.below(1000);
                let (key, component) = self.book().places.inserts(number);
                let name = Tensor::vector(vec![Bytes::from(key.to_string().into_bytes())]);
                let feeds = [("key", name), ("values", Tensor::vector(vec![2 * key + component]))];
                let node = if component == 0 { "insert_0" } else { "insert_1" };
                self.wait(Place::Insert(key, component), &feeds, &[], &[node]);
            }
            4 => self.wait(Place::Meet(n), &of_n, &["meet:1", "meet:2", "meet:3"], &[]),
            5 => self.wait(Place::Add, &[], &[], &["add"]),
            _ => self.wait(Place::Total(n), &of_n, &["total"], &[]),
        }
    }

    fn wait(&mut self, place: Place, feeds: &[(&str, Tensor)], fetches: &[&str], targets: &[&str]) {
        self.book().places.begins(place);
        self.run(Act::Visit(place), feeds, fetches, targets);
    }

    fn extend(&mut self) {
        let (number, value, at) = (self.number, self.dice.below(1000) as i64, self.extended);
        self.extended += 1;
        let name = format!("extra_{number}_{at}");
        let text = format!(
            r#"{{"node": [{{"name": "{name}", "op": "Const", "attr": {{"dtype": "int64", "value": {value}}}}}]}}"#
        );
        let (def, _) =
            read::parse_json(text.as_bytes(), Some(self.session.registry())).unwrap_or_else(|error| panic!("{error}"));
        let extended = self.session.extend(def);
        assert!(extended.is_ok(), "{}", said(extended));
        let (_, tensors) = self.run(Act::Look, &[], &[&name], &[]);
        let read = tensors.first().map(|tensor| tensor.item::<i64>().unwrap_or(-1));
        assert!(read.is_none_or(|read| read == value), "{name} is {read:?}, not {value}");
    }

    fn compute(&mut self) {
        let (a, b, p) = (self.dice.below(6) as i64, self.dice.below(100) as i64, self.dice.once_in(2));
        let feeds = [("a", Tensor::scalar(a)), ("b", Tensor::scalar(b)), ("p", Tensor::scalar(p))];
        let all = ["sums", "either", "counted", "repeated", "doubled_in_call"];
        let (_, tensors) = self.run(Act::Look, &feeds, &all, &[]);
        let values: Vec<i64> = tensors.iter().map(|tensor| tensor.item::<i64>().unwrap_or(-1)).collect();
        let expected = [(a + b) * (a - b) + 2 * a, if p { 2 * a } else { a }, a, a, 2 * a];
        assert!(values.is_empty() || values == expected, "{values:?}, not {expected:?}");
    }

    /// The same sums in a partial run, which may be dropped before its end.
    fn compute_in_parts(&mut self) {
        let (a, b) = (self.dice.below(6) as i64, self.dice.below(100) as i64);
        let options = self.options();
        let cancel = options.cancel.clone();
        let attempt = self.book().enter(Act::Look, cancel, None);
        let mut may_be_late = false;
        let result = (|| -> Result<()> {
            let mut run = self.session.partial_run_setup_with(&options, &["a", "b"], &["twice", "sums"], &[])?;
            may_be_late = options.timeout.is_some();
            let twice = run.run(&[("a", Tensor::scalar(a))], &["twice"])?;
            assert_eq!(twice[0].item::<i64>()?, 2 * a, "a part of a run");
            if self.dice.once_in(4) {
                return Ok(());
            }
            let sums = run.run(&[("b", Tensor::scalar(b))], &["sums"])?;
            assert_eq!(sums[0].item::<i64>()?, (a + b) * (a - b) + 2 * a, "the rest of a run");
            assert!(run.is_over(), "everything has been fed and fetched");
            Ok(())
        })();
        // Each part has a deadline of its own, which the book does not know.
        let result = match result {
            Err(error) if may_be_late && error.code() == Code::DeadlineExceeded => Ok(()),
            result => result,
        };
        self.book().leave(&attempt, result.as_ref().map(|()| &[][..]));
    }

    /// The last actor takes the rest, and nothing waits.
    fn drain(&mut self) {
        let is_ending = self.book().is_ending;
        if !is_ending {
            let waits = self.session.waiting();
            assert!(waits.is_empty(), "a step is left: {waits}");
            for (close, take) in [("close", "rest"), ("close_r", "take_up_to")] {
                // It may be closed already.
                let closed = self.session.run(&[], &[], &[close]);
                let is_closed = closed.as_ref().err().is_none_or(|error| error.code() == Code::Cancelled);
                assert!(is_closed, "{}", said(closed));
                if take == "take_up_to" && !self.world.passes_on {
                    continue;
                }
                let second = format!("{take}:1");
                let fetches: &[&str] = if self.world.pairs { &[take, &second] } else { &[take] };
                // A priority queue returns a batch only once all of it is there.
                loop {
                    match self.session.run(&[("n", Tensor::scalar(1000))], fetches, &[]) {
                        Ok(tensors) => self.book().drained(&components(&tensors)),
                        Err(error) if error.code() == Code::OutOfRange => break,
                        Err(error) => panic!("what is left cannot be taken: {error}"),
                    }
                }
            }
        }
        if !is_ending && self.world.places {
            self.clear();
        }
        self.book().close(!is_ending);
    }

    /// Takes the rest at the other places.
    fn clear(&mut self) {
        let size = |session: &Session, node: &str| {
            let size = session.run(&[], &[node], &[]).and_then(|sizes| sizes[0].item::<i32>());
            size.unwrap_or_else(|error| panic!("{node}: {error}"))
        };
        for (node, place) in [("staged", Place::Unstage), ("met", Place::Meet(1)), ("added", Place::Total(1))] {
            while size(&self.session, node) > 0 {
                let (fetches, n): (&[&str], i32) = match place {
                    Place::Unstage => (&["unstage"], 1),
                    Place::Meet(_) => (&["meet:1", "meet:2", "meet:3"], 1),
                    _ => (&["total"], 1),
                };
                self.book().places.begins(place);
                let feeds: &[(&str, Tensor)] = if place == Place::Unstage { &[] } else { &[("n", Tensor::scalar(n))] };
                let tensors = self.session.run(feeds, fetches, &[]).unwrap_or_else(|error| panic!("{error}"));
                self.book().places.ended(place, Some(&tensors));
            }
        }
        self.book().places.close();
    }
}

/// The first components of the elements that were taken.
///
/// # Panics
/// If the second ones do not match.
fn components(tensors: &[Tensor]) -> Vec<i64> {
    let all: Vec<Vec<i64>> = tensors.iter().map(|t| t.slice::<i64>().unwrap_or_default().to_vec()).collect();
    if let [first, second] = &all[..] {
        let negated: Vec<i64> = second.iter().map(|value| -value).collect();
        assert!(*first == negated, "{first:?} came with {second:?}");
    }
    all.into_iter().next().unwrap_or_default()
}
