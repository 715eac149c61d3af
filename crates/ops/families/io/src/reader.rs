//! Readers: they return the records of one file after another, taking file names from a queue.
//!
//! One op at a time uses the reader; others wait their turn. An op that needs the name of the next file waits on the
//! queue like any dequeue, without holding a thread.

use super::formats::{Format, Source};
use crate::handle::Shared;
use crate::prelude::*;
use crate::wire::{Field, Fields};
use levada_kernel::{CancelToken, Completion, Files, StepCx, Wait};
use levada_ops_queues::monitor::{Observer, State};
use levada_ops_queues::mutex::{Asks, Held, Mutex};
use levada_ops_queues::queue::{Answer, Queue, Want};
use std::sync::Arc;

/// The kind shown for nodes that wait for a reader.
const KIND: &str = "Reader";

/// A reader.
pub(crate) struct Reader {
    pub(super) format: Format,
    /// Held by the op whose turn it is.
    turn: Arc<Mutex>,
    /// Locked briefly by ops that query a count, and by the op whose turn it is while it reads a record.
    work: parking_lot::Mutex<Option<Work>>,
    counts: parking_lot::Mutex<Counts>,
}

/// The file a reader is currently reading.
struct Work {
    source: Source,
    /// Records returned from it.
    given: i64,
    /// The error reading it failed with, which is returned until the reader is reset.
    failed: Option<Error>,
}

/// A reader's counts.
#[derive(Clone, Default, PartialEq, Debug)]
pub(super) struct Counts {
    /// Files started.
    pub(super) started: i64,
    /// Files read to the end.
    pub(super) finished: i64,
    /// Records returned.
    pub(super) produced: i64,
    /// Name of the last file started.
    pub(super) current: Bytes,
}

impl Shared for Reader {
    type Spec = Format;

    fn make(format: Format) -> Result<Reader> {
        let (work, counts) = (parking_lot::Mutex::new(None), parking_lot::Mutex::default());
        Ok(Reader { format, turn: Mutex::free(KIND), work, counts })
    }

    fn check(&self, asked: &Format) -> Result<()> {
        if self.format == *asked {
            return Ok(());
        }
        Err(Error::invalid("a reader with this name but another format already exists")
            .expected(format!("{:?}", self.format))
            .found(format!("{asked:?}")))
    }
}

impl Reader {
    /// The counts so far.
    pub(super) fn counts(&self) -> Counts {
        self.counts.lock().clone()
    }

    /// Resets the reader: no current file, and the given counts.
    pub(super) fn reset(&self, counts: Counts) {
        *self.work.lock() = None;
        *self.counts.lock() = counts;
    }

    /// Records returned from the current file; `None` if there is none.
    pub(super) fn given(&self) -> Option<i64> {
        self.work.lock().as_ref().map(|work| work.given)
    }

    /// Restores the position at which it had the given `counts` and had returned `given` records of the current file.
    ///
    /// # Errors
    /// Errors from opening and reading the file; `DATA_LOSS` if it has fewer records.
    pub(super) fn seek(&self, counts: &Counts, given: Option<i64>, files: &Files) -> Result<()> {
        let work = match given {
            None => None,
            Some(given) => {
                let mut source = self.format.open(files, &counts.current)?;
                for record in 0..given {
                    if source.next()?.is_none() {
                        let name = String::from_utf8_lossy(&counts.current).into_owned();
                        return Err(Error::data_loss(format!("{name} has become shorter since the reader was saved"))
                            .expected(format!("at least {given} records"))
                            .found(record));
                    }
                }
                Some(Work { source, given, failed: None })
            }
        };
        *self.work.lock() = work;
        *self.counts.lock() = counts.clone();
        Ok(())
    }

    /// Reads records of the current file until there are `wanted`; returns whether the op is done. Errors persist.
    fn advance(&self, wanted: usize, records: &mut Vec<(Bytes, Bytes)>) -> Result<bool> {
        let mut slot = self.work.lock();
        let Some(work) = &mut *slot else { return Ok(false) };
        if let Some(error) = &work.failed {
            return Err(error.clone());
        }
        let before = records.len();
        let given = |records: &Vec<_>| (records.len() - before) as i64;
        let result = loop {
            if records.len() >= wanted {
                break Ok(false);
            }
            match work.source.next() {
                Ok(Some(record)) => records.push(record),
                Ok(None) => break Ok(true),
                Err(error) => break Err(error),
            }
        };
        let mut counts = self.counts.lock();
        counts.produced += given(records);
        work.given += given(records);
        match result {
            Ok(at_end) => {
                if at_end || work.source.is_done() {
                    counts.finished = counts.started;
                    *slot = None;
                    return Ok(!records.is_empty());
                }
                Ok(true)
            }
            Err(error) => {
                work.failed = Some(error.clone());
                Err(error)
            }
        }
    }
}

/// What an op does with the reader on its turn.
pub(super) enum Task {
    /// Reads one record.
    Read(Arc<Queue>),
    /// Reads up to this many records, or fewer if the file ends first.
    ReadUpTo(Arc<Queue>, usize),
    /// Resets the reader.
    Reset,
    /// Serializes the state.
    Serialize,
    /// Restores these counts.
    Restore(Counts),
}

/// A pending op on a reader.
struct Job {
    reader: Arc<Reader>,
    task: Task,
    node: Arc<str>,
    step: StepCx,
    records: Vec<(Bytes, Bytes)>,
    done: Completion,
    /// The turn, once granted; passed on when dropped.
    turn: Vec<Entry>,
}

/// Runs `task` when it is this node's turn.
pub(super) fn submit(cx: &mut Cx<'_, '_>, reader: Arc<Reader>, task: Task) {
    let (node, step) = (cx.node().name.clone(), cx.step().clone());
    let job = Job { reader, task, node: node.clone(), step, records: Vec::new(), done: cx.defer(), turn: Vec::new() };
    let turn = job.reader.turn.clone();
    let want = Asks::of(&turn, &node, job.step.id);
    let mut job = Some(job);
    let answer = turn.ask(want, Observer::new(&None, &node), |at| {
        wait(&mut job, at, |mut job, turn| match turn {
            Ok(turn) => {
                job.turn = turn;
                job.go();
            }
            Err(error) => job.done.finish(Err(error)),
        })
    });
    if let (Some(answer), Some(mut job)) = (answer, job) {
        match answer.and_then(|lock| Held::outputs(&KIND, lock)) {
            Ok(turn) => {
                job.turn = turn.into_iter().map(Entry::Value).collect();
                job.go();
            }
            Err(error) => job.done.finish(Err(error)),
        }
    }
}

/// Resumes a job later, on a pool thread.
fn wait(
    job: &mut Option<Job>,
    at: Wait,
    then: impl FnOnce(Job, Result<Vec<Entry>>) + Send + 'static,
) -> (Arc<str>, CancelToken, Completion) {
    let Some(job) = job.take() else {
        return ("".into(), CancelToken::new(), Completion::new(|_| ()));
    };
    job.done.wait_for(at);
    let (node, cancel, env) = (job.node.clone(), job.step.cancel.clone(), job.step.env.clone());
    let resume = move |result| {
        job.done.wait_for(Wait::External);
        // A job that cannot be spawned is dropped, which fails its node.
        let _ = env.pool.spawn(move || then(job, result));
    };
    (node, cancel, Completion::new(resume))
}

impl Job {
    fn end(self, result: Result<Vec<Tensor>>) {
        // Passes the turn on before this node's consumers run.
        drop(self.turn);
        self.done.finish(result);
    }

    fn go(self) {
        let (queue, wanted) = match &self.task {
            Task::Read(queue) => (queue.clone(), 1),
            Task::ReadUpTo(queue, n) => (queue.clone(), *n),
            Task::Reset => {
                self.reader.reset(Counts::default());
                return self.end(Ok(Vec::new()));
            }
            Task::Serialize => {
                let state = self.reader.counts().serialize();
                return self.end(Ok(vec![Tensor::scalar(state)]));
            }
            Task::Restore(counts) => {
                self.reader.reset(counts.clone());
                return self.end(Ok(Vec::new()));
            }
        };
        self.read(&queue, wanted);
    }

    fn read(mut self, queue: &Arc<Queue>, wanted: usize) {
        loop {
            if self.records.len() >= wanted {
                return self.deliver();
            }
            if let Err(error) = self.step.cancel.check() {
                return self.end(Err(error));
            }
            match self.reader.advance(wanted, &mut self.records) {
                Ok(true) => return self.deliver(),
                Ok(false) => {}
                Err(error) => return self.end(Err(error)),
            }
            let observer = Observer::new(&self.step.env.telemetry, &self.node);
            let mut job = Some(self);
            let next = queue.clone();
            let answer = queue.ask(Want::Dequeue, observer, |at| {
                wait(&mut job, at, move |job, element| {
                    let element = element.map(|e| e.iter().filter_map(|e| e.tensor().cloned()).collect::<Vec<_>>());
                    match element.and_then(|e| job.begin(&e)) {
                        Ok(()) => job.read(&next, wanted),
                        Err(error) => job.end(Err(error)),
                    }
                })
            });
            let (Some(answer), Some(back)) = (answer, job) else { return };
            self = back;
            let begun = answer.and_then(|answer| match answer {
                Answer::Element(element) => self.begin(&element),
                _ => Err(Error::internal("a queue returned something other than an element")),
            });
            if let Err(error) = begun {
                return self.end(Err(error));
            }
        }
    }

    /// Opens the file whose name was dequeued.
    fn begin(&self, element: &[Tensor]) -> Result<()> {
        let [name] = element else {
            return Err(Error::invalid("Expected single component queue"));
        };
        if name.dtype() != DType::Str {
            return Err(Error::invalid("Expected queue with single string component"));
        }
        let [name] = name.slice::<Bytes>()? else {
            return Err(Error::invalid("Expected to dequeue a one-element string tensor"));
        };
        self.reader.counts.lock().current = name.clone();
        let source = self.reader.format.open(&self.step.env.files, name)?;
        self.reader.counts.lock().started += 1;
        *self.reader.work.lock() = Some(Work { source, given: 0, failed: None });
        Ok(())
    }

    fn deliver(mut self) {
        let records = std::mem::take(&mut self.records);
        let (keys, values): (Vec<Bytes>, Vec<Bytes>) = records.into_iter().unzip();
        let outputs = match self.task {
            Task::Read(_) => {
                [keys, values].into_iter().filter_map(|v| v.into_iter().next()).map(Tensor::scalar).collect()
            }
            _ => vec![Tensor::vector(keys), Tensor::vector(values)],
        };
        self.end(Ok(outputs));
    }
}

impl Counts {
    /// Serializes to the message `ReaderBaseState`.
    pub(super) fn serialize(&self) -> Bytes {
        let mut out = Vec::new();
        for (tag, count) in [(0x08, self.started), (0x10, self.finished), (0x18, self.produced)] {
            if count != 0 {
                out.push(tag);
                varint(&mut out, count as u64);
            }
        }
        if !self.current.is_empty() {
            out.push(0x22);
            varint(&mut out, self.current.len() as u64);
            out.extend_from_slice(&self.current);
        }
        Bytes::from(out)
    }

    /// Parses the message `ReaderBaseState`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the bytes are not such a message or its numbers are invalid.
    pub(super) fn parse(bytes: &[u8], reader: &str) -> Result<Counts> {
        let mut counts = Counts::default();
        let mut fields = Fields(bytes);
        let no_state = || Error::invalid(format!("Could not parse state for {reader}"));
        while let Some((number, field)) = fields.next().map_err(|_| no_state())? {
            match (number, field) {
                (1, Field::Varint(n)) => counts.started = n as i64,
                (2, Field::Varint(n)) => counts.finished = n as i64,
                (3, Field::Varint(n)) => counts.produced = n as i64,
                (4, Field::Bytes(name)) => counts.current = Bytes::copy_from_slice(name),
                (1..=4, _) => return Err(no_state()),
                _ => {}
            }
        }
        if counts.started < 0 || counts.finished < 0 || counts.produced < 0 {
            return Err(Error::invalid(format!("Unexpected negative value when restoring in {reader}")));
        }
        Ok(counts)
    }

    /// Checks that these are the counts of a reader with no current file.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if more files have been started than finished.
    pub(super) fn check_finished(self, reader: &str) -> Result<Counts> {
        if self.started > self.finished {
            return Err(Error::invalid(format!("Inconsistent work started vs. finished when restoring in {reader}"))
                .found(format!("{} > {}", self.started, self.finished)));
        }
        Ok(self)
    }
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
