//! Sessions and prepared runs.

use crate::alive::{Process, Threads, ask};
use crate::errors::{OrRaise, raise};
use crate::fetches::{NameList, Names, Tree, conversion};
use crate::graph::{PyGraph, Source};
use crate::options::{PyRunMetadata, PyRunOptions, seconds};
use crate::partial::PyPartialRun;
use crate::reports::Shown;
use crate::{arrays, host, placement};
use levada::graph::spec::Effect;
use levada::kernel::Ask;
use levada::session::Callable;
use levada::{
    CallableOptions, DType, Error, Files, Limits, Placer, RunMetadata, Session, SessionOptions, SharedSession, Tensor,
};
use parking_lot::Mutex;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyTuple};
use std::collections::HashMap;
use std::mem::ManuallyDrop;
use std::path::PathBuf;
use std::sync::Arc;

/// Number of prepared runs that are kept.
const MOST_PREPARED: usize = 1000;

/// A value that must not be dropped in a forked child: the threads that would end it do not exist there, and locks may
/// be held forever.
pub(crate) struct Own<T> {
    process: Process,
    value: ManuallyDrop<T>,
}

impl<T> Own<T> {
    pub(crate) fn new(value: T) -> Own<T> {
        Own { process: Process::this(), value: ManuallyDrop::new(value) }
    }

    /// The value, if this is the process that made it.
    pub(crate) fn get(&self) -> levada::Result<&T> {
        self.process.check().map(|()| &*self.value)
    }
}

impl<T> Drop for Own<T> {
    fn drop(&mut self) {
        if self.process.check().is_ok() {
            // SAFETY: this is the only place that drops it, and nobody can reach it any more.
            #[allow(unsafe_code)]
            unsafe {
                ManuallyDrop::drop(&mut self.value);
            }
        }
    }
}

/// A prepared run.
pub(crate) struct Prepared {
    callable: Own<Mutex<Callable>>,
    feeds: Vec<DType>,
    /// True if nothing keeps the fed values beyond the run.
    share: bool,
    /// For each fetch whether it is an operation, which has no value.
    operations: Vec<bool>,
}

impl Prepared {
    fn new(session: &levada::session::Session, options: &CallableOptions) -> levada::Result<Prepared> {
        let callable = session.callable(options)?;
        let feeds = callable.plan().feeds.iter().map(|feed| feed.dtype).collect();
        let operations = (0..options.fetches.len()).map(|fetch| callable.is_operation(fetch)).collect();
        let graph = session.graph();
        let keeps = |name: &Arc<str>| {
            let node = graph.find(name).map(|id| graph.node(id));
            node.is_some_and(|node| {
                node.op.is_stateful() && !matches!(node.spec().effect, Some(Effect::Reads | Effect::Own))
            })
        };
        let share = !callable.plan().names.iter().flat_map(|names| names.all()).any(keeps);
        Ok(Prepared { callable: Own::new(Mutex::new(callable)), feeds, share, operations })
    }

    /// The value of a feed as a tensor.
    fn tensor(&self, at: usize, value: &Bound<'_, PyAny>) -> PyResult<Tensor> {
        arrays::tensor(value, self.feeds.get(at).copied(), self.share)
    }

    /// Runs without holding the GIL.
    fn run(
        &self,
        py: Python<'_>,
        inner: &Inner,
        options: PyRunOptions,
        feeds: Vec<Tensor>,
    ) -> PyResult<(Vec<Tensor>, RunMetadata)> {
        let callable = self.callable.get().or_raise(py)?.lock().clone();
        let options = options.native(inner.ask.clone());
        inner.threads.begin();
        let (result, metadata) = py.detach(move || callable.run_with(&options, &feeds));
        result.map(|values| (values, metadata)).map_err(|error| raise(py, error))
    }

    /// The fetched values in the structure of the fetches.
    fn build<'py>(&self, py: Python<'py>, tree: &Tree, values: Vec<Tensor>) -> PyResult<Bound<'py, PyAny>> {
        let mut values: Vec<Option<Tensor>> = values.into_iter().map(Some).collect();
        tree.build(py, &mut |at| match values.get_mut(at).and_then(Option::take) {
            Some(value) if !self.operations.get(at).copied().unwrap_or(false) => arrays::array(py, value),
            _ => Ok(py.None().into_bound(py)),
        })
    }
}

/// State shared by a session and its callables.
pub(crate) struct Inner {
    session: Own<SharedSession>,
    threads: Arc<Threads>,
    ask: Arc<Ask>,
    /// Prepared runs by the names of feeds and fetches.
    prepared: Mutex<HashMap<String, Arc<Prepared>>>,
    pub(crate) names: Names,
    /// The graph that it follows, and how many of its nodes it has.
    graph: Py<PyGraph>,
    synced: Mutex<Synced>,
    placer: Placer,
    pub(crate) soft_placement: bool,
}

/// How far a session follows its graph.
struct Synced {
    /// The number of the graph's nodes that it has.
    nodes: usize,
    /// True if it also has other nodes.
    extended: bool,
}

impl Inner {
    /// The session, with all current nodes of its graph.
    pub(crate) fn session(&self, py: Python<'_>) -> PyResult<levada::session::Session> {
        let session = self.session.get().or_raise(py)?.session();
        let graph = self.graph.get();
        let mut synced = self.synced.lock();
        if graph.len() == synced.nodes {
            return Ok(session);
        }
        let state = graph.state.lock();
        let grown =
            if synced.extended { Err(state.builder.graph().to_def()) } else { Ok(state.builder.graph().clone()) };
        drop(state);
        let known = synced.nodes;
        // The GIL stays held, since threads that wait for the lock may hold it.
        let (len, done) = match grown {
            // Changes by gradients to an existing loop are adopted too.
            Ok(graph) => (graph.len(), session.grow(|_, _| Ok(graph)).map(|()| session)),
            Err(mut def) => {
                let len = def.nodes.len();
                def.nodes.drain(..known);
                (len, session.extend(def).map(|()| session))
            }
        };
        if done.is_ok() {
            synced.nodes = len;
        }
        // An exception is made by Python code, which may wait for another thread.
        drop(synced);
        done.or_raise(py)
    }

    /// Notes that the session has nodes that its graph lacks.
    pub(crate) fn has_grown(&self) {
        self.synced.lock().extended = true;
    }

    /// The options of a run.
    pub(crate) fn poll(&self) -> Arc<Ask> {
        self.threads.begin();
        self.ask.clone()
    }

    /// Splits feeds into names, and values in the same order.
    pub(crate) fn feeds<'py>(
        &self,
        feeds: &Bound<'py, PyAny>,
        list: &mut NameList,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let mut values = Vec::new();
        let mut add = |key: &Bound<'py, PyAny>, value: Bound<'py, PyAny>| -> PyResult<()> {
            match conversion(key, 1)? {
                None => {
                    self.names.push(key, list)?;
                    values.push(value);
                }
                Some(function) => {
                    for pair in function.call1((key, value))?.try_iter()? {
                        let (key, value): (Bound<'py, PyAny>, Bound<'py, PyAny>) = pair?.extract()?;
                        self.names.push(&key, list)?;
                        values.push(value);
                    }
                }
            }
            Ok(())
        };
        if let Ok(feeds) = feeds.cast::<PyDict>() {
            for (key, value) in feeds.iter() {
                add(&key, value)?;
            }
            return Ok(values);
        }
        let wrong = |_| PyTypeError::new_err("feed_dict must be a mapping from names or tensors to values");
        for pair in feeds.cast::<PyMapping>().map_err(PyErr::from).map_err(wrong)?.items()?.iter() {
            let (key, value): (Bound<'py, PyAny>, Bound<'py, PyAny>) = pair.extract()?;
            add(&key, value)?;
        }
        Ok(values)
    }

    /// Flattens fetches.
    pub(crate) fn fetches(&self, fetches: &Bound<'_, PyAny>, list: &mut NameList) -> PyResult<Tree> {
        self.names.fetches(fetches, list)
    }

    fn prepare(&self, py: Python<'_>, feeds: &NameList, fetches: &NameList) -> PyResult<Arc<Prepared>> {
        let mut key = String::with_capacity(64);
        feeds.key(&mut key);
        fetches.key(&mut key);
        if let Some(prepared) = self.prepared.lock().get(&key) {
            return Ok(prepared.clone());
        }
        let session = self.session(py)?;
        let options = CallableOptions { feeds: feeds.all(), fetches: fetches.all(), targets: Vec::new() };
        let prepared = py.detach(move || Prepared::new(&session, &options).map(Arc::new)).or_raise(py)?;
        let mut all = self.prepared.lock();
        let dropped = if all.len() >= MOST_PREPARED { std::mem::take(&mut *all) } else { HashMap::new() };
        all.insert(key, prepared.clone());
        drop(all);
        drop(dropped);
        Ok(prepared)
    }
}

/// The limits for an untrusted graph: the defaults for True, or with the overrides of a dict; `None` for False.
fn limits(value: &Bound<'_, PyAny>) -> PyResult<Option<Limits>> {
    let mut limits = Limits::default();
    if let Ok(is_untrusted) = value.extract::<bool>() {
        return Ok(is_untrusted.then_some(limits));
    }
    let wrong = |_| PyTypeError::new_err("untrusted is True, False, or a dict of limits");
    for (name, value) in value.cast::<PyDict>().map_err(PyErr::from).map_err(wrong)?.iter() {
        let name: String = name.extract()?;
        match name.as_str() {
            "memory" => limits.memory = value.extract()?,
            "memory_of_step" => limits.memory_of_step = value.extract()?,
            "time" => limits.time = seconds(value.extract()?)?,
            "processor_time" => limits.processor_time = seconds(value.extract()?)?,
            "nodes" => limits.nodes = value.extract()?,
            "iterations" => limits.iterations = value.extract()?,
            "depth" => limits.depth = value.extract()?,
            "queue_elements" => limits.queue_elements = value.extract()?,
            "string_bytes" => limits.string_bytes = value.extract()?,
            "output_bytes" => limits.output_bytes = value.extract()?,
            _ => {
                let known: Vec<&str> = levada::Limit::ALL.iter().map(|limit| limit.name()).collect();
                return Err(PyValueError::new_err(format!("there is no limit {name:?}: {}", known.join(", "))));
            }
        }
    }
    Ok(Some(limits))
}

/// Runs a graph, any number of times and from any number of threads, and keeps the state of its variables and queues from
/// run to run.
#[pyclass(frozen, subclass, weakref, name = "Session", module = "levada._levada")]
pub(crate) struct PySession(pub(crate) Arc<Inner>);

/// Numbers of devices: `cpu:2,gpu:1`, or `{"cpu": 2, "gpu": 1}`.
fn devices(value: Option<&Bound<'_, PyAny>>) -> PyResult<(usize, usize)> {
    let Some(value) = value else { return Ok((1, 0)) };
    let (mut cpus, mut gpus) = (0, 0);
    let mut set = |kind: &str, count: usize| match kind.to_ascii_lowercase().as_str() {
        "cpu" => {
            cpus = count;
            Ok(())
        }
        "gpu" => {
            gpus = count;
            Ok(())
        }
        _ => Err(PyValueError::new_err(format!("there are no devices of kind {kind:?}: write \"cpu:2,gpu:1\""))),
    };
    if let Ok(text) = value.extract::<String>() {
        for part in text.split(',') {
            let (kind, count) = part.trim().split_once(':').unwrap_or((part.trim(), "1"));
            let count = count
                .parse()
                .map_err(|_| PyValueError::new_err(format!("{part:?} is not a valid number of devices")))?;
            set(kind, count)?;
        }
    } else {
        let counts: HashMap<String, usize> = value.extract()?;
        counts.iter().try_for_each(|(kind, &count)| set(kind, count))?;
    }
    Ok((cpus, gpus))
}

pub(crate) fn files(value: Option<&Bound<'_, PyAny>>) -> PyResult<Files> {
    let Some(value) = value else { return Ok(Files::none()) };
    let directories: Vec<PathBuf> = match value.extract::<PathBuf>() {
        Ok(one) => vec![one],
        Err(_) => value.extract()?,
    };
    Files::under(directories).or_raise(value.py())
}

#[pymethods]
impl PySession {
    #[new]
    #[pyo3(signature = (
        graph, *, devices=None, threads=0, soft_placement=false, placer=None, timeout=None, plain=false, fusion=true,
        memory_limit=0, gpu_memory_limit=0, files=None, host_functions=None, on_stall="raise", report_waits=None,
        telemetry=false, log=None, untrusted=None, watch=None,
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        py: Python<'_>,
        graph: &Bound<'_, PyAny>,
        devices: Option<&Bound<'_, PyAny>>,
        threads: usize,
        soft_placement: bool,
        placer: Option<&str>,
        timeout: Option<f64>,
        plain: bool,
        fusion: bool,
        memory_limit: usize,
        gpu_memory_limit: usize,
        files: Option<&Bound<'_, PyAny>>,
        host_functions: Option<&Bound<'_, PyAny>>,
        on_stall: &str,
        report_waits: Option<f64>,
        telemetry: bool,
        log: Option<Py<PyAny>>,
        untrusted: Option<&Bound<'_, PyAny>>,
        watch: Option<&str>,
    ) -> PyResult<PySession> {
        let closed_world = match on_stall {
            "raise" => true,
            "wait" => false,
            _ => return Err(PyValueError::new_err("on_stall is \"raise\" or \"wait\"")),
        };
        let graph = match graph.cast::<PyGraph>() {
            Ok(graph) => graph.clone().unbind(),
            Err(_) => {
                let made = py.import("levada")?.getattr("Graph")?.call1((graph,))?;
                made.cast_into::<PyGraph>().map_err(PyErr::from)?.unbind()
            }
        };
        let (cpus, gpus) = self::devices(devices)?;
        let placer = placer.map_or(Ok(Placer::default()), str::parse).map_err(PyValueError::new_err)?;
        let known = Arc::new(Threads::default());
        let outside = known.clone();
        let host = Arc::new(levada::kernel::Host::default());
        if let Some(functions) = host_functions {
            host::grant(&host, functions)?;
        }
        let base = untrusted.map_or(Ok(None), limits)?.map_or_else(SessionOptions::default, SessionOptions::untrusted);
        let or_base = |asked: usize, base: usize| if asked == 0 { base } else { asked };
        let options = SessionOptions {
            threads,
            cpus,
            gpus,
            allow_soft_placement: soft_placement,
            placer,
            timeout: timeout.map(seconds).transpose()?,
            watch: watch.map(levada_cli::reports::watch).transpose().map_err(PyValueError::new_err)?,
            plain,
            no_fusion: !fusion,
            memory_limit: or_base(memory_limit, base.memory_limit),
            gpu_memory_limit: or_base(gpu_memory_limit, base.gpu_memory_limit),
            files: self::files(files)?,
            host: Some(host),
            closed_world,
            outside: Some(Arc::new(move |callers| outside.more_than(callers))),
            report_waits_after: report_waits.map(seconds).transpose()?,
            telemetry,
            log: log.map(host::log),
            ..base
        };
        let state = graph.get().state.lock();
        let (native, saved) = (state.builder.graph().clone(), state.saved.clone());
        drop(state);
        let len = native.len();
        let made = py.detach(|| {
            if !soft_placement {
                levada::gpus::check(&options)?;
            }
            let model = levada::Model {
                graph: native,
                kind: levada::graph::read::Kind::Graph,
                saved,
                values: Default::default(),
            };
            model.session(options).map(|session: Session| session.share())
        });
        let inner = Inner {
            session: Own::new(made.or_raise(py)?),
            ask: ask(closed_world.then(|| known.clone())),
            threads: known,
            prepared: Mutex::default(),
            names: Names::default(),
            graph,
            synced: Mutex::new(Synced { nodes: len, extended: false }),
            placer,
            soft_placement,
        };
        Ok(PySession(Arc::new(inner)))
    }

    /// Runs the nodes that the fetches need and returns their values, nested as the fetches are.
    ///
    /// Args:
    ///     fetches: a name (``"node"``, ``"node:1"``), an object with a ``name`` such as a TensorFlow tensor, None, or
    ///         lists, tuples, named tuples and dicts of fetches. An operation is run, and its result is None.
    ///     feed_dict: values by names or objects with names. A value becomes an array of the tensor's dtype, unless it is one.
    ///     options: a ``RunOptions``.
    ///     run_metadata: a ``RunMetadata`` to fill in.
    ///
    /// Raises:
    ///     levada.errors.OpError: what went wrong, where, and what to do.
    #[pyo3(signature = (fetches, feed_dict=None, options=None, run_metadata=None))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        fetches: &Bound<'py, PyAny>,
        feed_dict: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyAny>>,
        run_metadata: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let inner = &*self.0;
        let (mut fed, mut fetched) = (NameList::default(), NameList::default());
        let values = feed_dict.map_or(Ok(Vec::new()), |feeds| inner.feeds(feeds, &mut fed))?;
        let tree = inner.fetches(fetches, &mut fetched)?;
        let prepared = inner.prepare(py, &fed, &fetched)?;
        let tensor = |(at, value): (usize, &Bound<'py, PyAny>)| prepared.tensor(at, value);
        let feeds: Vec<Tensor> = values.iter().enumerate().map(tensor).collect::<PyResult<_>>()?;
        let (values, metadata) = prepared.run(py, inner, PyRunOptions::of(options)?, feeds)?;
        PyRunMetadata::fill(run_metadata, metadata)?;
        prepared.build(py, &tree, values)
    }

    /// Prepares a run that is called often. The callable takes the values of ``feed_list`` in order and returns what
    /// ``run`` returns.
    #[pyo3(signature = (fetches, feed_list=None, accept_options=false))]
    fn make_callable(
        &self,
        py: Python<'_>,
        fetches: &Bound<'_, PyAny>,
        feed_list: Option<&Bound<'_, PyAny>>,
        accept_options: bool,
    ) -> PyResult<PyCallable> {
        let (mut fed, mut fetched) = (NameList::default(), NameList::default());
        if let Some(feeds) = feed_list {
            for feed in feeds.try_iter()? {
                self.0.names.push(&feed?, &mut fed)?;
            }
        }
        let tree = self.0.fetches(fetches, &mut fetched)?;
        let prepared = self.0.prepare(py, &fed, &fetched)?;
        Ok(PyCallable { inner: self.0.clone(), prepared, tree, accept_options })
    }

    /// Begins a run that is fed and fetched from incrementally, with ``partial_run``.
    #[pyo3(signature = (fetches, feeds=None))]
    fn partial_run_setup(
        &self,
        py: Python<'_>,
        fetches: &Bound<'_, PyAny>,
        feeds: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyPartialRun> {
        PyPartialRun::new(py, &self.0, fetches, feeds)
    }

    /// Continues a run that ``partial_run_setup`` began: feeds some of its feeds and returns some of its fetches.
    #[pyo3(signature = (handle, fetches, feed_dict=None))]
    fn partial_run<'py>(
        &self,
        py: Python<'py>,
        handle: &Bound<'py, PyPartialRun>,
        fetches: &Bound<'py, PyAny>,
        feed_dict: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        handle.get().run(py, &self.0, fetches, feed_dict)
    }

    /// Adds nodes and functions to the session's graph, from anything that ``Graph`` accepts. Runs in progress and
    /// callables are not affected.
    fn extend(&self, source: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = source.py();
        let def = Source::of(source)?.def(py)?;
        let session = self.0.session(py)?;
        py.detach(move || session.extend(def)).or_raise(py)?;
        self.0.has_grown();
        Ok(())
    }

    /// Cancels all runs and refuses new ones.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let session = self.0.session.get().or_raise(py)?.session();
        py.detach(move || session.close());
        Ok(())
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, py: Python<'_>, _error: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.close(py)
    }

    /// The graph. The session follows it as it grows.
    #[getter]
    fn graph(&self, py: Python<'_>) -> Py<PyGraph> {
        self.0.graph.clone_ref(py)
    }

    /// The names of the devices.
    #[getter]
    fn devices(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let session = self.0.session.get().or_raise(py)?.session();
        Ok(session.devices().iter().map(|device| device.name().to_string()).collect())
    }

    /// True for a node that the session has.
    fn __contains__(&self, py: Python<'_>, name: &str) -> PyResult<bool> {
        Ok(self.0.session(py)?.graph().find(name).is_some())
    }

    /// Lets ``PyFunc``, ``PyFuncStateless`` and ``EagerPyFunc`` nodes with this token call ``function``. It takes
    /// arrays and returns an array for each result of the node.
    fn register(&self, py: Python<'_>, token: String, function: Py<PyAny>) -> PyResult<()> {
        let session = self.0.session.get().or_raise(py)?.session();
        session.host().register(token, host::Function(function));
        Ok(())
    }

    /// Removes the function of a token.
    fn unregister(&self, py: Python<'_>, token: &str) -> PyResult<()> {
        let session = self.0.session.get().or_raise(py)?.session();
        session.host().remove(token);
        Ok(())
    }

    /// Which nodes of runs in progress wait, for what, and which nodes could end the wait: JSON.
    fn _waiting(&self, py: Python<'_>) -> PyResult<(String, String)> {
        let waiting = self.0.session.get().or_raise(py)?.session().waiting();
        Ok((waiting.to_json().to_string(), waiting.to_string()))
    }

    /// Where the nodes are, why, and their costs: JSON, a table, and a picture.
    fn _placement(&self, py: Python<'_>) -> PyResult<placement::Shown> {
        let session = self.0.session(py)?;
        let (placer, soft) = (self.0.placer, self.0.soft_placement);
        py.detach(move || placement::placement(&session, &session.graph(), placer, soft)).or_raise(py)
    }

    /// The memory of a run, from the shapes of its feeds: JSON and text.
    fn _memory(
        &self,
        py: Python<'_>,
        fetches: &Bound<'_, PyAny>,
        shapes: Vec<(Bound<'_, PyAny>, Vec<Option<usize>>)>,
        threads: usize,
    ) -> PyResult<Shown> {
        self.look_at_memory(py, fetches, shapes, threads)
    }

    /// Where another session, or values by name, differ: JSON and text.
    fn _compare(
        &self,
        py: Python<'_>,
        other: &Bound<'_, PyAny>,
        fetches: &Bound<'_, PyAny>,
        feeds: Option<&Bound<'_, PyDict>>,
        rtol: f64,
        atol: f64,
    ) -> PyResult<Shown> {
        self.look_at_differences(py, other, fetches, feeds, levada::compare::Tolerance { rtol, atol })
    }

    /// The predicted time of a step on other thread counts: JSON and text.
    fn _time(
        &self,
        py: Python<'_>,
        fetches: &Bound<'_, PyAny>,
        feeds: Option<&Bound<'_, PyDict>>,
        threads: Vec<usize>,
        steps: usize,
    ) -> PyResult<Shown> {
        self.look_at_time(py, fetches, feeds, threads, steps)
    }

    /// How full queues were, if the session was made with ``telemetry=True``: JSON.
    fn _queues(&self, py: Python<'_>) -> PyResult<(String, String)> {
        let session = self.0.session.get().or_raise(py)?.session();
        let (queues, workers) = (session.queue_traces(), session.workers());
        let json =
            serde_json::to_string(&queues).map_err(|e| Error::internal(format!("queues cannot be written: {e}")));
        Ok((json.or_raise(py)?, levada::trace::report::queues_text(&queues, workers.as_ref())))
    }
}

/// A run that is prepared once and called often.
#[pyclass(frozen, name = "Callable", module = "levada")]
pub(crate) struct PyCallable {
    inner: Arc<Inner>,
    prepared: Arc<Prepared>,
    tree: Tree,
    accept_options: bool,
}

#[pymethods]
impl PyCallable {
    #[pyo3(signature = (*feeds, options=None, run_metadata=None))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        feeds: &Bound<'py, PyTuple>,
        options: Option<&Bound<'py, PyAny>>,
        run_metadata: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if !self.accept_options && (options.is_some() || run_metadata.is_some()) {
            return Err(PyTypeError::new_err("this callable was made without accept_options=True"));
        }
        let expected = self.prepared.feeds.len();
        if feeds.len() != expected {
            return Err(PyTypeError::new_err(format!(
                "the callable takes {expected} values, {} were given",
                feeds.len()
            )));
        }
        let mut tensors = Vec::with_capacity(expected);
        for (at, value) in feeds.iter_borrowed().enumerate() {
            tensors.push(self.prepared.tensor(at, &value)?);
        }
        let options = if options.is_none() { PyRunOptions::default() } else { PyRunOptions::of(options)? };
        let (values, metadata) = self.prepared.run(py, &self.inner, options, tensors)?;
        PyRunMetadata::fill(run_metadata, metadata)?;
        self.prepared.build(py, &self.tree, values)
    }

    fn __repr__(&self) -> String {
        let (feeds, fetches) = (self.prepared.feeds.len(), self.prepared.operations.len());
        format!("<levada.Callable of {feeds} feeds and {fetches} fetches>")
    }
}
