//! Runs a recording again.

use crate::digest;
use crate::recorder::text_of;
use crate::recording::{Event, Outcome, Recording, Run};
use crate::stop::{Stop, Until};
use crate::turns::Turns;
use levada_graph::{Code, Error, Graph, Registry, Result, Tensor, read};
use levada_kernel::{CancelToken, Files};
use levada_session::{RunOptions, Session, SessionOptions, SharedSession};
use parking_lot::{Condvar, Mutex};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;

/// How to replay.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// Number of threads; 0 for the recorded number.
    pub threads: usize,
    /// A node to stop at, as soon as it has run.
    pub until: Option<String>,
    /// Restricts `until` to the run with this number.
    pub run: Option<u64>,
    /// The files that ops may access.
    pub files: Files,
}

/// A difference from the recording.
#[derive(Clone, PartialEq, Debug)]
pub struct Change {
    /// Number of the run.
    pub run: u64,
    /// The fetched endpoint that differs; `None` if the difference is whether the run fails.
    pub fetch: Option<String>,
    /// A description, as a sentence.
    pub what: String,
}

/// The result of a replay.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Runs that were repeated to the end.
    pub runs: usize,
    /// How often nodes used state in the recording.
    pub turns: usize,
    /// The number of these that were not repeated.
    pub turns_left: usize,
    /// Tensors whose bits were compared.
    pub compared: usize,
    /// The differences.
    pub changes: Vec<Change>,
    /// Where it stopped, if that was requested.
    pub stopped: Option<Stop>,
    /// The fetched tensors, by number of the run.
    pub fetched: Vec<(u64, Vec<Tensor>)>,
}

/// Opens a session on a graph.
pub type Open<'a> = &'a dyn Fn(Graph, SessionOptions) -> Result<Session>;

/// A run for a thread.
struct Job {
    number: u64,
    run: Run,
    cancel: CancelToken,
}

/// The results of the runs. The lock protects them; the condition is notified when a run ends.
#[derive(Default)]
struct Board {
    state: Mutex<Progress>,
    ended: Condvar,
}

#[derive(Default)]
struct Progress {
    results: HashMap<u64, Result<Vec<Tensor>>>,
    /// Runs that threads are about to start, are running, or have not reported.
    under_way: usize,
    /// True while the next run waits for another one to end.
    waits: bool,
    /// The run that it waits for.
    awaited: u64,
    /// Idle threads.
    idle: Vec<usize>,
}

/// Repeats all runs of a recording, each started after the runs that had ended before it, and compares their results.
///
/// # Errors
/// `INVALID_ARGUMENT` if the graph is not the recorded one or is missing, or for errors in the graph; `NOT_FOUND` if
/// the node to stop at does not run.
pub fn replay(
    recording: &Recording,
    graph: Option<Graph>,
    registry: &Registry,
    request: &Replay,
    open: Open<'_>,
) -> Result<Report> {
    let graph = graph_of(recording, graph, registry)?;
    let turns = Arc::new(Turns::of(recording));
    let board = Arc::new(Board::default());
    let until = request.until.as_ref().map(|node| Arc::new(Until::new(node, request.run)));
    let setup = &recording.setup;
    let asking = board.clone();
    let options = SessionOptions {
        threads: if request.threads == 0 { setup.threads } else { request.threads },
        divided_for: setup.threads,
        cpus: setup.cpus,
        plain: setup.plain,
        no_fusion: setup.no_fusion,
        allow_soft_placement: setup.soft_placement,
        files: request.files.clone(),
        closed_world: true,
        outside: Some(Arc::new(move |callers| {
            let state = asking.state.lock();
            !state.waits || state.under_way > callers
        })),
        chooser: Some(turns.clone()),
        values: Some(turns.clone()),
        scribe: Some(turns.clone()),
        observer: until.clone().map(|until| until as _),
        log: Some(Arc::new(|_: &str| ())),
        ..SessionOptions::default()
    };
    let session = open(graph, options)?;
    let shared = session.share();
    let mut threads: Vec<Sender<Job>> = Vec::new();
    let is_stopped = || until.as_ref().is_some_and(|until| until.found().is_some());
    for event in &recording.events {
        if is_stopped() {
            break;
        }
        match event {
            Event::Begin(number) => {
                let Some(run) = recording.runs.get(number) else { continue };
                let cancel = CancelToken::new();
                turns.expect(*number, cancel.clone());
                let thread = match board.begin() {
                    Some(idle) => idle,
                    None => {
                        threads.push(work(&shared, &board, threads.len())?);
                        threads.len() - 1
                    }
                };
                let job = Job { number: *number, run: run.clone(), cancel };
                if let Err(job) = threads[thread].send(job) {
                    board.post(job.0.number, thread, Err(Error::internal("the thread of the run has died")));
                }
            }
            Event::End(number) => board.wait(*number, &is_stopped),
            Event::Turn(_) | Event::Cut(_) => {}
        }
    }
    let turns_left = turns.left_over();
    session.close();
    turns.release();
    drop(threads);
    let stopped = until.as_ref().and_then(|until| until.found());
    if let (Some(node), None) = (&request.until, &stopped) {
        return Err(not_found(node, request.run, &session.graph()));
    }
    let mut report = Report { turns: recording.num_turns(), turns_left, stopped, ..Report::default() };
    if report.stopped.is_none() {
        judge(recording, &turns, &board, &mut report);
    }
    Ok(report)
}

fn graph_of(recording: &Recording, given: Option<Graph>, registry: &Registry) -> Result<Graph> {
    match (given, &recording.graph) {
        (Some(graph), _) => {
            let found = digest::of_bytes(text_of(&graph)?.as_bytes());
            if found == recording.graph_hash {
                return Ok(graph);
            }
            Err(Error::invalid("this is not the graph that was recorded")
                .expected(format!("the SHA-256 {}", recording.graph_hash))
                .found(found))
        }
        (None, Some(text)) => read::json(text.as_bytes(), registry),
        (None, None) => Err(Error::invalid("the recording does not contain its graph")
            .expected(format!("a graph with the SHA-256 {}", recording.graph_hash))
            .help("name it: --graph FILE")),
    }
}

fn not_found(node: &str, run: Option<u64>, graph: &Graph) -> Error {
    let where_to = run.map(|run| format!(" of run {run}")).unwrap_or_default();
    match graph.find(node) {
        None => graph.unknown_node(node, node),
        Some(_) => Error::new(Code::NotFound, format!("the replay{where_to} does not reach {node}"))
            .help("constants are computed before a run, and duplicates only once: name a node that uses its value"),
    }
}

/// Starts a thread that executes the jobs it is sent.
fn work(session: &SharedSession, board: &Arc<Board>, thread: usize) -> Result<Sender<Job>> {
    let (send, receive) = mpsc::channel::<Job>();
    let (session, board) = (session.clone(), board.clone());
    let works = move || {
        // While a handle of this thread is idle, the board decides whether a run may start.
        for Job { number, run, cancel } in receive {
            let options = RunOptions {
                cancel: Some(cancel),
                number: Some(number),
                poll: Some(Arc::new(|| Ok(()))),
                ..RunOptions::default()
            };
            let feeds: Vec<(&str, Tensor)> = run.feeds.iter().map(|(n, t)| (n.as_str(), t.clone())).collect();
            fn names(all: &[String]) -> Vec<&str> {
                all.iter().map(String::as_str).collect()
            }
            let result = session.session().run_with(&options, &feeds, &names(&run.fetches), &names(&run.targets));
            board.post(number, thread, result.map(|(tensors, _)| tensors));
        }
    };
    let started = thread::Builder::new().name("levada-replay".to_owned()).spawn(works);
    started.map_err(|e| Error::resource_exhausted(format!("cannot start a thread for a run: {e}")))?;
    Ok(send)
}

impl Board {
    /// Registers the start of a run; returns the thread for it, or `None` for a new one.
    fn begin(&self) -> Option<usize> {
        let mut state = self.state.lock();
        state.under_way += 1;
        state.idle.pop()
    }

    fn post(&self, number: u64, thread: usize, result: Result<Vec<Tensor>>) {
        let mut state = self.state.lock();
        state.idle.push(thread);
        state.results.insert(number, result);
        state.under_way -= 1;
        if state.waits && state.awaited == number {
            state.waits = false;
        }
        self.ended.notify_all();
    }

    /// Waits for the end of a run, or for the end of the replay.
    fn wait(&self, number: u64, is_stopped: &dyn Fn() -> bool) {
        let mut state = self.state.lock();
        while !state.results.contains_key(&number) && !is_stopped() {
            (state.waits, state.awaited) = (true, number);
            self.ended.wait(&mut state);
        }
        state.waits = false;
    }
}

/// Compares the results of the runs with the recorded ones.
fn judge(recording: &Recording, turns: &Turns, board: &Board, report: &mut Report) {
    let mut state = board.state.lock();
    for (number, run) in &recording.runs {
        let change = |fetch: Option<String>, what: String| Change { run: *number, fetch, what };
        let found = turns.outcome(*number);
        let result = state.results.remove(number);
        match (&run.outcome, found) {
            (Outcome::Open, _) => continue,
            (Outcome::Fetched(expected), Some(Outcome::Fetched(found))) => {
                report.compared += expected.iter().flatten().count();
                let all = expected.len();
                for (i, (expected, found)) in expected.iter().zip(&found).enumerate() {
                    if expected.is_some() && expected != found {
                        report.changes.push(change(Some(endpoint(run, i, all)), "has different bits".to_owned()));
                    }
                }
            }
            (Outcome::Failed(expected), Some(Outcome::Failed(found))) => {
                if expected.code() != found.code() {
                    let what = format!("failed with {}, now with {}", expected.code().name(), found.code().name());
                    report.changes.push(change(None, format!("{what}: {}", found.message())));
                }
            }
            (Outcome::Fetched(_), Some(Outcome::Failed(error))) => {
                let what = format!("succeeded, and now fails with {}: {}", error.code().name(), error.message());
                report.changes.push(change(None, what));
            }
            (Outcome::Failed(error), Some(Outcome::Fetched(_))) => {
                let what = format!("failed with {}, and now succeeds", error.code().name());
                report.changes.push(change(None, what));
            }
            (_, Some(Outcome::Open) | None) => {
                let why = match &result {
                    Some(Err(error)) => error.message().to_owned(),
                    _ => "it does not end".to_owned(),
                };
                report.changes.push(change(None, format!("did not run: {why}")));
            }
        }
        report.runs += 1;
        if let Some(Ok(tensors)) = result {
            report.fetched.push((*number, tensors));
        }
    }
}

/// The name of a fetched tensor: that of the fetch if no fetch is an operation, otherwise its number.
fn endpoint(run: &Run, number: usize, tensors: usize) -> String {
    let name = run.fetches.get(number).filter(|_| run.fetches.len() == tensors);
    name.cloned().unwrap_or_else(|| format!("tensor {number}"))
}
