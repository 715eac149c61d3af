//! Sends many elements through one queue, from several producers to several consumers, while runs are cancelled and miss
//! their deadlines at random, and accounts for every element.
//!
//! Requirements on the queue: a run that succeeds has put or taken everything; a run that fails has taken nothing, and
//! has put nothing or, of several elements, the first few, as in TensorFlow; and if a queue keeps the order, each
//! consumer gets each producer's elements in order.

use levada::graph::read;
use levada::{Callable, CallableOptions, CancelToken, Code, Error, RunOptions, Session, SessionOptions, Tensor};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// Options of a soak test.
#[derive(Clone, Debug)]
pub struct Soak {
    /// Kind of the queue: `FIFOQueue`, `RandomShuffleQueue`, `PaddingFIFOQueue`.
    pub kind: String,
    /// Total number of elements.
    pub elements: u64,
    /// Number of producer threads.
    pub producers: u64,
    /// Number of consumer threads.
    pub consumers: u64,
    /// Threads of the session.
    pub threads: usize,
    /// Capacity of the queue.
    pub capacity: u64,
    /// Maximum number of elements of one run.
    pub batch: u64,
    /// One in this number of runs is cancelled or has a short deadline.
    pub disturb: u64,
    /// Random seed.
    pub seed: u64,
}

impl Default for Soak {
    fn default() -> Soak {
        Soak {
            kind: "FIFOQueue".to_owned(),
            elements: 100_000,
            producers: 8,
            consumers: 8,
            threads: 2,
            capacity: 64,
            batch: 16,
            disturb: 16,
            seed: 1,
        }
    }
}

/// The outcome of a soak test.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// How long it took.
    pub took: Duration,
    /// Runs that succeeded.
    pub runs: u64,
    /// Runs that were cancelled.
    pub cancelled: u64,
    /// Runs that missed their deadline.
    pub late: u64,
    /// Elements that failed runs did not enqueue.
    pub not_put: u64,
    /// Elements that were enqueued and never dequeued.
    pub lost: u64,
    /// Elements that were dequeued twice.
    pub doubled: u64,
    /// Elements that overtook another one of the same producer.
    pub overtaken: u64,
}

impl Outcome {
    /// True if every element was dequeued once, and in order if the queue keeps it.
    pub fn is_clean(&self) -> bool {
        self.lost + self.doubled + self.overtaken == 0
    }

    fn add(&mut self, other: &Outcome) {
        self.runs += other.runs;
        self.cancelled += other.cancelled;
        self.late += other.late;
        self.doubled += other.doubled;
        self.overtaken += other.overtaken;
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} runs, {} cancelled, {} late in {:.2} s; {} not put, {} lost, {} doubled, {} overtaken",
            self.runs,
            self.cancelled,
            self.late,
            self.took.as_secs_f64(),
            self.not_put,
            self.lost,
            self.doubled,
            self.overtaken
        )
    }
}

/// Random numbers from a seed (SplitMix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n.max(1)
    }
}

/// A producer or a consumer.
struct Worker<'a> {
    soak: &'a Soak,
    chance: Chance,
    one: Callable,
    many: Callable,
    /// Cancels the tokens that are sent to it, after their delay.
    canceller: Sender<(CancelToken, Duration)>,
    outcome: Outcome,
    /// First element and number of those that failed runs of several may have enqueued.
    unsure: Vec<(u64, u64)>,
}

impl Worker<'_> {
    /// How the next run is disturbed, if it is.
    fn options(&mut self) -> RunOptions {
        let mut options = RunOptions::default();
        if self.soak.disturb == 0 || self.chance.below(self.soak.disturb) > 0 {
            return options;
        }
        let after = Duration::from_micros(self.chance.below(300));
        if self.chance.below(2) == 0 {
            options.timeout = Some(after + Duration::from_micros(1));
        } else {
            let token = CancelToken::new();
            options.cancel = Some(token.clone());
            // Once everything is over there is no receiver, and nothing needs to be cancelled.
            let _ = self.canceller.send((token, after));
        }
        options
    }

    /// Runs; `None` if the run was cancelled or late, and so has to be repeated.
    fn run(&mut self, many: bool, feeds: &[Tensor]) -> Result<Option<Vec<Tensor>>, Error> {
        let options = self.options();
        let disturbed = options.timeout.is_some() || options.cancel.is_some();
        let callable = if many { &self.many } else { &self.one };
        match callable.run_with(&options, feeds).0 {
            Ok(tensors) => {
                self.outcome.runs += 1;
                Ok(Some(tensors))
            }
            Err(error) if disturbed && error.code() == Code::Cancelled => {
                self.outcome.cancelled += 1;
                Ok(None)
            }
            Err(error) if disturbed && error.code() == Code::DeadlineExceeded => {
                self.outcome.late += 1;
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn produce(&mut self, from: u64, to: u64) -> Result<(), Error> {
        let mut next = from;
        while next < to {
            let n = (1 + self.chance.below(self.soak.batch)).min(to - next);
            let many = n > 1 || self.chance.below(2) == 0;
            let feed = match many {
                true => Tensor::vector((next..next + n).map(|v| v as i64).collect::<Vec<_>>()),
                false => Tensor::scalar(next as i64),
            };
            let is_done = self.run(many, &[feed])?.is_some();
            // Enqueueing an element again that may be there already would duplicate it.
            if !is_done && many && n > 1 {
                self.unsure.push((next, n));
            }
            if is_done || (many && n > 1) {
                next += n;
            }
        }
        Ok(())
    }

    /// Dequeues until the queue has ended.
    fn consume(&mut self, seen: &[AtomicU64], stop: &AtomicBool) -> Result<(), Error> {
        let keeps_order = self.soak.kind != "RandomShuffleQueue";
        let share = self.soak.elements.div_ceil(self.soak.producers).max(1);
        let mut last = vec![None; self.soak.producers as usize];
        let mut singly = false;
        while !stop.load(Ordering::Relaxed) {
            let n = 1 + self.chance.below(self.soak.batch.min(self.soak.capacity));
            let many = !singly && n > 1;
            let feeds: &[Tensor] = if many { &[Tensor::scalar(n as i32)] } else { &[] };
            let tensors = match self.run(many, feeds) {
                Ok(Some(tensors)) => tensors,
                Ok(None) => continue,
                // There may be fewer elements left than requested.
                Err(error) if error.code() == Code::OutOfRange && many => {
                    singly = true;
                    continue;
                }
                Err(error) if error.code() == Code::OutOfRange => break,
                Err(error) => return Err(error),
            };
            for &element in tensors[0].slice::<i64>()? {
                let element = element as u64;
                let bit = 1 << (element % 64);
                if seen[(element / 64) as usize].fetch_or(bit, Ordering::Relaxed) & bit != 0 {
                    self.outcome.doubled += 1;
                }
                let last = &mut last[(element / share) as usize];
                if keeps_order && last.is_some_and(|last| last > element) {
                    self.outcome.overtaken += 1;
                }
                *last = Some(element);
            }
        }
        Ok(())
    }
}

fn session(soak: &Soak) -> Result<Session, Error> {
    let Soak { kind, capacity, .. } = soak;
    let graph = format!(
        r#"{{"node": [
        {{"name": "q", "op": "{kind}V2", "attr": {{"component_types": ["int64"], "shapes": [[]], "capacity": {capacity}}}}},
        {{"name": "x", "op": "Placeholder", "attr": {{"dtype": "int64"}}}},
        {{"name": "n", "op": "Placeholder", "attr": {{"dtype": "int32", "shape": []}}}},
        {{"name": "put", "op": "QueueEnqueueV2", "input": ["q", "x"]}},
        {{"name": "put_many", "op": "QueueEnqueueManyV2", "input": ["q", "x"]}},
        {{"name": "take", "op": "QueueDequeueV2", "input": ["q"], "attr": {{"component_types": ["int64"]}}}},
        {{"name": "take_many", "op": "QueueDequeueManyV2", "input": ["q", "n"], "attr": {{"component_types": ["int64"]}}}},
        {{"name": "size", "op": "QueueSizeV2", "input": ["q"]}},
        {{"name": "close", "op": "QueueCloseV2", "input": ["q"]}}]}}"#
    );
    let graph = read::json(graph.as_bytes(), &levada::registry())?;
    Session::new(graph, SessionOptions { threads: soak.threads, ..SessionOptions::default() })
}

fn cancel_them(tokens: &Receiver<(CancelToken, Duration)>) {
    for (mut token, mut after) in tokens {
        // The canceller must not fall behind: the runs to be cancelled would be over.
        for next in tokens.try_iter() {
            token.cancel();
            (token, after) = next;
        }
        if after > Duration::from_micros(100) {
            std::thread::sleep(after);
        }
        token.cancel();
    }
}

/// Runs a soak test.
///
/// # Errors
/// The error of an undisturbed run.
pub fn soak(soak: &Soak) -> Result<Outcome, Error> {
    let session = session(soak)?;
    let seen: Vec<AtomicU64> = (0..soak.elements.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
    let share = soak.elements.div_ceil(soak.producers.max(1)).max(1);
    let stop = AtomicBool::new(false);
    let (canceller, tokens) = channel();
    let worker = |seed: u64, puts: bool| -> Result<Worker<'_>, Error> {
        let (one, many, feed) = if puts { ("put", "put_many", "x") } else { ("take", "take_many", "n") };
        let callable = |node: &str, feeds: &[&str]| {
            let (fetch, target) = if puts { (None, Some(node)) } else { (Some(node), None) };
            session.callable(&CallableOptions::new(feeds.iter().copied(), fetch, target))
        };
        Ok(Worker {
            soak,
            chance: Chance(soak.seed.wrapping_mul(1_000_003).wrapping_add(seed)),
            one: callable(one, if puts { &["x"] } else { &[] })?,
            many: callable(many, &[feed])?,
            canceller: canceller.clone(),
            outcome: Outcome::default(),
            unsure: Vec::new(),
        })
    };
    let producers = (0..soak.producers).map(|i| worker(i, true)).collect::<Result<Vec<_>, _>>()?;
    let consumers = (0..soak.consumers).map(|i| worker(1000 + i, false)).collect::<Result<Vec<_>, _>>()?;
    drop(canceller);
    let start = Instant::now();
    let mut outcome = Outcome::default();
    let mut fault = None;
    let mut unsure = Vec::new();
    std::thread::scope(|scope| {
        scope.spawn(move || cancel_them(&tokens));
        let (seen, stop) = (&seen, &stop);
        let producers: Vec<_> = (0..)
            .zip(producers)
            .map(|(i, mut worker)| {
                scope.spawn(move || {
                    let (from, to) = (i * share, ((i + 1) * share).min(soak.elements));
                    let done = worker.produce(from, to);
                    (done, worker.outcome, worker.unsure)
                })
            })
            .collect();
        let consumers: Vec<_> = consumers
            .into_iter()
            .map(|mut worker| {
                scope.spawn(move || {
                    let done = worker.consume(seen, stop);
                    (done, worker.outcome, worker.unsure)
                })
            })
            .collect();
        let panicked = |_| (Err(Error::internal("a worker panicked")), Outcome::default(), Vec::new());
        let mut take_in = |(done, part, may_be): (Result<(), Error>, Outcome, Vec<(u64, u64)>)| {
            outcome.add(&part);
            unsure.extend(may_be);
            if let Err(error) = done {
                fault.get_or_insert(error);
                stop.store(true, Ordering::Relaxed);
            }
        };
        for thread in producers {
            take_in(thread.join().unwrap_or_else(panicked));
        }
        if let Err(error) = session.run(&[], &[], &["close"]) {
            take_in((Err(error), Outcome::default(), Vec::new()));
            session.close();
        }
        for thread in consumers {
            take_in(thread.join().unwrap_or_else(panicked));
        }
    });
    if let Some(error) = fault {
        return Err(error);
    }
    outcome.took = start.elapsed();
    let came = |element: u64| seen[(element / 64) as usize].load(Ordering::Relaxed) >> (element % 64) & 1 == 1;
    for (first, n) in unsure {
        let put = (first..first + n).take_while(|&element| came(element)).count() as u64;
        outcome.not_put += n - put;
        outcome.overtaken += (first + put..first + n).filter(|&element| came(element)).count() as u64;
    }
    let all: u64 = seen.iter().map(|bits| u64::from(bits.load(Ordering::Relaxed).count_ones())).sum();
    outcome.lost = soak.elements.saturating_sub(all + outcome.not_put);
    Ok(outcome)
}
