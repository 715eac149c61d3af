//! Records the events of a session.

use crate::digest;
use crate::recording::{Cut, Event, Outcome, Recording, Run, Setup, Turn as Used};
use levada_graph::{DType, Error, Graph, Result, Tensor, write};
use levada_kernel::observe::{Admission, Again, Turn};
use levada_kernel::{Chooser, Outside};
use levada_session::{Begun, Scribe, Session, SessionOptions};
use parking_lot::{Condvar, Mutex};
use smallvec::SmallVec;
use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::thread::{self, ThreadId};
use std::time::Duration;

/// The maximum time that ending a run waits for nodes that use state to return: one of them may itself be waiting for
/// the end.
const PATIENCE: Duration = Duration::from_secs(1);

/// Stands for the number of a place: the node waits for the end of a run.
const CUTTING: u64 = u64::MAX;

thread_local! {
    /// The number of nodes with state that this thread is computing.
    static PASSES: Cell<u32> = const { Cell::new(0) };
}

/// Records a session from its start.
///
/// ```
/// use levada_graph::Graph;
/// use levada_recording::Recorder;
/// use levada_session::{Session, SessionOptions};
/// # fn open(graph: Graph, options: SessionOptions) -> levada_graph::Result<Session> { unimplemented!() }
/// # fn example(graph: Graph) -> levada_graph::Result<()> {
/// let recorder = Recorder::new();
/// let session = open(graph, recorder.attach(SessionOptions::default()))?;
/// session.run(&[], &[], &["init"])?;
/// let recording = recorder.recording(&session)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Recorder(Arc<Notes>);

#[derive(Default)]
struct Notes {
    /// Protects everything that is recorded.
    state: Mutex<State>,
    /// Notified when no node with state is being computed.
    quiet: Condvar,
}

#[derive(Default)]
struct State {
    notes: Recording,
    /// The numbers of places, in the order of first use.
    places: HashMap<u64, u32>,
    /// For each place, whether a node uses it, and the nodes that wait for its release.
    busy: Vec<(bool, Vec<Again>)>,
    /// The places used by nodes in progress, by number.
    passes: HashMap<u64, SmallVec<[u32; 2]>>,
    next: u64,
    threads: HashMap<ThreadId, u32>,
    /// Runs that are being ended but have not ended yet.
    cutting: HashSet<u64>,
    /// Nodes that wait until these have ended.
    blocked: Vec<Again>,
}

impl Recorder {
    /// A recorder of one session.
    pub fn new() -> Recorder {
        Recorder::default()
    }

    /// The same options, for a recorded session.
    pub fn attach(&self, options: SessionOptions) -> SessionOptions {
        self.0.state.lock().notes.setup = Setup {
            threads: options.threads,
            cpus: options.cpus,
            plain: options.plain,
            no_fusion: options.no_fusion,
            soft_placement: options.allow_soft_placement,
        };
        SessionOptions {
            chooser: Some(self.0.clone()),
            values: Some(self.0.clone()),
            scribe: Some(self.0.clone()),
            ..options
        }
    }

    /// The recording so far.
    ///
    /// # Errors
    /// An error if the graph cannot be serialized.
    pub fn recording(&self, session: &Session) -> Result<Recording> {
        let graph = text_of(&session.graph())?;
        let threads = session.env().pool.shares();
        let mut notes = self.0.state.lock().notes.clone();
        notes.setup.threads = threads;
        notes.graph_hash = digest::of_bytes(graph.as_bytes());
        notes.graph = Some(graph);
        Ok(notes)
    }
}

/// A graph in the form stored in recordings.
///
/// # Errors
/// An error if it cannot be serialized.
pub(crate) fn text_of(graph: &Graph) -> Result<String> {
    write::json(&graph.to_def())
}

impl State {
    fn place(&mut self, place: u64) -> u32 {
        let next = self.busy.len() as u32;
        let number = *self.places.entry(place).or_insert(next);
        if number == next {
            self.busy.push((false, Vec::new()));
        }
        number
    }

    fn is_open(&self, run: u64) -> bool {
        self.notes.runs.get(&run).is_some_and(|run| run.outcome == Outcome::Open)
    }
}

impl Notes {
    /// Records what ends a run, once, at a moment when no node uses state.
    fn cut_by(&self, run: u64, reason: &Error, by_node: bool) {
        let mut state = self.state.lock();
        if !state.is_open(run) || !state.cutting.insert(run) {
            return;
        }
        if PASSES.get() == 0 {
            self.quiet.wait_while_for(&mut state, |state| !state.passes.is_empty(), PATIENCE);
        }
        // It may have ended in the meantime.
        if !state.is_open(run) {
            return;
        }
        state.notes.events.push(Event::Cut(Cut { run, by_node, error: reason.clone() }));
    }
}

impl Chooser for Notes {
    fn admit(&self, turn: &Turn<'_>) -> Admission {
        let places = turn.places();
        let mut state = self.state.lock();
        if !state.cutting.is_empty() {
            return Admission::Later(CUTTING);
        }
        let places: SmallVec<[u32; 2]> = places.iter().map(|place| state.place(*place)).collect();
        if let Some(busy) = places.iter().find(|place| state.busy[**place as usize].0) {
            return Admission::Later(u64::from(*busy));
        }
        places.iter().for_each(|place| state.busy[*place as usize].0 = true);
        let used =
            Used { instance: turn.instance, run: turn.step.id, node: turn.node.name.clone(), places: places.to_vec() };
        state.notes.events.push(Event::Turn(used));
        let number = state.next;
        state.next += 1;
        state.passes.insert(number, places);
        PASSES.set(PASSES.get() + 1);
        Admission::Now(number)
    }

    fn wait(&self, ticket: u64, again: Again) {
        let mut state = self.state.lock();
        if ticket == CUTTING {
            if !state.cutting.is_empty() {
                return state.blocked.push(again);
            }
        } else if let Some((true, waiting)) = state.busy.get_mut(ticket as usize) {
            return waiting.push(again);
        }
        drop(state);
        again();
    }

    fn left(&self, pass: u64) {
        PASSES.set(PASSES.get().saturating_sub(1));
        let mut state = self.state.lock();
        let mut freed = Vec::new();
        for place in state.passes.remove(&pass).unwrap_or_default() {
            let (busy, waiting) = &mut state.busy[place as usize];
            *busy = false;
            freed.append(waiting);
        }
        if state.passes.is_empty() {
            self.quiet.notify_all();
        }
        drop(state);
        freed.into_iter().for_each(|again| again());
    }

    fn cut(&self, run: u64, reason: &Error) {
        self.cut_by(run, reason, false);
    }

    fn fails(&self, run: u64, reason: &Error) -> Admission {
        self.cut_by(run, reason, true);
        Admission::Free
    }
}

impl Outside for Notes {
    fn recall(&self, _: u64, _: &'static str) -> Option<Result<Vec<Tensor>>> {
        None
    }

    fn note(&self, instance: u64, kind: &'static str, value: &Result<Vec<Tensor>>) {
        let mut state = self.state.lock();
        state.notes.values.entry((instance, kind.to_owned())).or_default().push(value.clone());
    }

    fn opens(&self, path: &Path) -> Result<()> {
        let name = path.display().to_string();
        if self.state.lock().notes.files.contains_key(&name) {
            return Ok(());
        }
        // A file that cannot be read here cannot be read by its user either, who reports it.
        if let Ok(hash) = File::open(path).and_then(digest::of_reader) {
            self.state.lock().notes.files.entry(name).or_insert(hash);
        }
        Ok(())
    }
}

impl Scribe for Notes {
    fn begins(&self, run: &Begun<'_>) -> Result<()> {
        let opaque = |tensor: &&Tensor| matches!(tensor.dtype(), DType::Resource | DType::Variant);
        if let Some((name, tensor)) = run.asked.feeds.iter().zip(run.feeds).find(|(_, tensor)| opaque(tensor)) {
            return Err(Error::unimplemented(format!("a feed of dtype {} cannot be recorded", tensor.dtype()))
                .node(name)
                .help("feed a value, not a handle"));
        }
        let mut state = self.state.lock();
        let next = state.threads.len() as u32;
        let thread = *state.threads.entry(thread::current().id()).or_insert(next);
        state.notes.events.push(Event::Begin(run.id));
        state.notes.runs.insert(
            run.id,
            Run {
                thread,
                runner: run.runner.map(str::to_owned),
                feeds: run.asked.feeds.iter().cloned().zip(run.feeds.iter().cloned()).collect(),
                fetches: run.asked.fetches.clone(),
                targets: run.asked.targets.clone(),
                outcome: Outcome::Open,
            },
        );
        Ok(())
    }

    fn ended(&self, id: u64, result: &Result<Vec<Tensor>>) {
        let outcome = outcome_of(result);
        let mut state = self.state.lock();
        if let Some(run) = state.notes.runs.get_mut(&id) {
            run.outcome = outcome;
        }
        state.notes.events.push(Event::End(id));
        state.cutting.remove(&id);
        let blocked = if state.cutting.is_empty() { std::mem::take(&mut state.blocked) } else { Vec::new() };
        drop(state);
        blocked.into_iter().for_each(|again| again());
    }
}

pub(crate) fn outcome_of(result: &Result<Vec<Tensor>>) -> Outcome {
    match result {
        Ok(tensors) => Outcome::Fetched(tensors.iter().map(digest::of_tensor).collect()),
        Err(error) => Outcome::Failed(error.clone()),
    }
}
