//! Opens sessions for recorded cases.

use crate::{RunOptions, Session, SessionOptions, SharedSession};
use levada_graph::graph::Node;
use levada_graph::spec::Role;
use levada_graph::{AttrValue, Endpoint, Error, Graph, NodeId, Result, Tensor, read};
use levada_kernel::AnyDevice;
use levada_recording::Recorder;
use levada_replay::{Config, Run, Runtime};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Opens a session for each recorded case: the runtime that [`levada_replay`] needs.
pub struct Replayer {
    options: SessionOptions,
    elsewhere: Option<Elsewhere>,
    recordings: Option<Arc<Recordings>>,
}

/// Where the sessions of cases are recorded.
struct Recordings {
    folder: PathBuf,
    /// The number of recordings.
    count: AtomicUsize,
    /// Errors of writing. The lock protects the list.
    faults: Mutex<Vec<Error>>,
}

/// The device that nodes are tried on.
#[derive(Clone)]
struct Elsewhere {
    devices: Vec<Arc<dyn AnyDevice>>,
    name: String,
    /// The number of nodes that ran there, and of all nodes that ran.
    ran: Arc<(AtomicUsize, AtomicUsize)>,
}

impl Replayer {
    /// Sessions with these options, modified as each case requires.
    pub fn new(options: SessionOptions) -> Replayer {
        Replayer { options, elsewhere: None, recordings: None }
    }

    /// Sessions that have these devices besides the CPUs, in which every node without a device request runs on the
    /// device called `name` if that has a kernel for it. Constant folding is off, so that everything runs.
    pub fn on_device(options: SessionOptions, devices: Vec<Arc<dyn AnyDevice>>, name: &str) -> Replayer {
        let elsewhere = Elsewhere { devices, name: name.to_owned(), ran: Arc::default() };
        let options = SessionOptions { plain: true, ..options };
        Replayer { options, elsewhere: Some(elsewhere), recordings: None }
    }

    /// Records the session of every case, each in a file in `folder`: `0001.recording` and so on.
    pub fn recorded(self, folder: &Path) -> Replayer {
        let recordings = Recordings { folder: folder.to_owned(), count: AtomicUsize::new(0), faults: Mutex::default() };
        Replayer { recordings: Some(Arc::new(recordings)), ..self }
    }

    /// How many sessions were recorded.
    ///
    /// # Errors
    /// The errors of writing them.
    pub fn recordings(&self) -> Result<usize> {
        let Some(recordings) = &self.recordings else { return Ok(0) };
        match Error::join(std::mem::take(&mut *recordings.faults.lock().unwrap_or_else(PoisonError::into_inner))) {
            Some(error) => Err(error),
            None => Ok(recordings.count.load(Ordering::Relaxed)),
        }
    }

    /// The number of nodes that ran on the device of [`Replayer::on_device`], and the number that ran on any device.
    pub fn ran(&self) -> (usize, usize) {
        self.elsewhere.as_ref().map_or((0, 0), |e| (e.ran.0.load(Ordering::Relaxed), e.ran.1.load(Ordering::Relaxed)))
    }
}

impl Runtime for Replayer {
    type Session = Replayed;

    fn open(&self, graph: &[u8], config: &Config) -> Result<Replayed> {
        let mut graph = read::json(graph, &crate::registry())?;
        let options = SessionOptions {
            cpus: config.cpu_devices.unwrap_or(self.options.cpus),
            allow_soft_placement: config.allow_soft_placement || self.options.allow_soft_placement,
            timeout: config.operation_timeout.or(self.options.timeout),
            ..self.options.clone()
        };
        let recorder = self.recordings.as_ref().map(|recordings| (Recorder::new(), recordings.clone()));
        let options = match &recorder {
            Some((recorder, _)) => recorder.attach(options),
            None => options,
        };
        let session = match &self.elsewhere {
            Some(elsewhere) if !names_devices(&graph) => {
                let movable = movable(&graph);
                for id in graph.ids() {
                    let device = if movable.contains(&id) { &elsewhere.name } else { "/device:CPU:0" };
                    graph.node_mut(id).device = device.to_owned();
                }
                let options = SessionOptions { allow_soft_placement: true, ..options };
                let devices = crate::devices(&options).into_iter().chain(elsewhere.devices.iter().cloned()).collect();
                Session::with_devices(graph, devices, options)?
            }
            _ => Session::new(graph, options)?,
        };
        Ok(Replayed { session: session.share(), elsewhere: self.elsewhere.clone(), recorder })
    }
}

/// True if a graph itself specifies where its nodes run.
fn names_devices(graph: &Graph) -> bool {
    graph.nodes().any(|(_, node)| !node.device.is_empty())
        || graph.library.functions.iter().any(|f| f.nodes.iter().any(|n| !n.device.is_empty()))
}

/// Nodes that may run on another device without changing the result: none that may see a reference to a variable, since
/// another device would see a copy, and none that share a resource by name, since each device has its own.
fn movable(graph: &Graph) -> HashSet<NodeId> {
    // References pass through ops that pass values on, around loops too.
    let mut refs: HashSet<NodeId> = HashSet::new();
    loop {
        let before = refs.len();
        for (id, node) in graph.nodes() {
            let is_ref = |e: &Endpoint| graph.endpoint_type(*e).is_some_and(|t| t.is_ref);
            let passed = |e: &Endpoint| {
                let from = graph.node(e.node).spec();
                refs.contains(&e.node) && (from.forwards || !matches!(from.role, Role::Plain))
            };
            if node.output_types.iter().any(|t| t.is_ref) || node.inputs.iter().any(|e| is_ref(e) || passed(e)) {
                refs.insert(id);
            }
        }
        if refs.len() == before {
            break;
        }
    }
    // Resources with the same name are the same resource on one device only.
    let mut names: HashMap<String, usize> = HashMap::new();
    let name = |node: &Node| match node.op.encode().get("shared_name") {
        Some(AttrValue::S(name)) if !name.is_empty() => Some(String::from_utf8_lossy(name).into_owned()),
        _ => None,
    };
    for (_, node) in graph.nodes() {
        if let Some(name) = name(node) {
            *names.entry(name).or_default() += 1;
        }
    }
    let shared = |node: &Node| name(node).is_some_and(|n| names.get(&n).is_some_and(|&count| count > 1));
    graph.nodes().filter(|(id, node)| !refs.contains(id) && !shared(node)).map(|(id, _)| id).collect()
}

/// A session that is open for a recorded case.
pub struct Replayed {
    session: SharedSession,
    elsewhere: Option<Elsewhere>,
    recorder: Option<(Recorder, Arc<Recordings>)>,
}

impl Drop for Replayed {
    fn drop(&mut self) {
        let Some((recorder, recordings)) = &self.recorder else { return };
        let number = recordings.count.fetch_add(1, Ordering::Relaxed) + 1;
        let path = recordings.folder.join(format!("{number:04}.recording"));
        let recording = recorder.recording(&self.session.session());
        if let Err(error) = recording.and_then(|recording| levada_recording::file::write(&path, &recording)) {
            recordings.faults.lock().unwrap_or_else(PoisonError::into_inner).push(error);
        }
    }
}

impl levada_replay::Session for Replayed {
    fn run(&self, run: &Run) -> Result<Vec<Tensor>> {
        let feeds: Vec<(&str, Tensor)> = run.feeds.iter().map(|(n, t)| (n.as_str(), t.clone())).collect();
        let fetches: Vec<&str> = run.fetches.iter().map(String::as_str).collect();
        let targets: Vec<&str> = run.targets.iter().map(String::as_str).collect();
        let options = RunOptions { timeout: run.timeout, trace: self.elsewhere.is_some(), ..RunOptions::default() };
        let (tensors, metadata) = self.session.session().run_with(&options, &feeds, &fetches, &targets)?;
        if let (Some(elsewhere), Some(trace)) = (&self.elsewhere, metadata.trace) {
            let there = trace.events.iter().filter(|n| n.device.ends_with(&elsewhere.name));
            elsewhere.ran.0.fetch_add(there.map(|n| n.nodes().len()).sum(), Ordering::Relaxed);
            elsewhere.ran.1.fetch_add(trace.num_nodes(), Ordering::Relaxed);
        }
        Ok(tensors)
    }

    fn close(&self) {
        self.session.session().close();
    }
}
