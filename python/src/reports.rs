//! The reports of the command's verbs for the program's sessions and graphs: JSON and text.

use crate::arrays;
use crate::errors::OrRaise;
use crate::fetches::{NameList, Names};
use crate::graph::PyGraph;
use crate::session::{PySession, files};
use levada::compile::Signature;
use levada::memory::{Asked, analyse};
use levada::{CallableOptions, Error, Graph, Model, PartialShape, RunOptions, SessionOptions, Tensor};
use levada_cli::reports::{self, StepOf, Told};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// JSON and text.
pub(crate) type Shown = (String, String);

/// Number of warm-up steps before those that are measured or traced.
const WARM: usize = 3;
/// Number of traced steps.
const TRACED: usize = 5;

fn shown((json, text): Told) -> Shown {
    (json.to_string(), text)
}

/// The fetches and targets of a run.
#[derive(Default)]
struct Wanted {
    fetches: Vec<String>,
    targets: Vec<String>,
}

impl Wanted {
    /// Fetches in the forms that a run takes.
    fn of(names: &Names, fetches: &Bound<'_, PyAny>) -> PyResult<Wanted> {
        let mut list = NameList::default();
        names.fetches(fetches, &mut list)?;
        let mut wanted = Wanted::default();
        for name in list.all() {
            match name.strip_prefix('^') {
                Some(operation) => wanted.targets.push(operation.to_owned()),
                None => wanted.fetches.push(name),
            }
        }
        Ok(wanted)
    }
}

/// Names and values of feeds.
fn feeds(names: &Names, dtypes: &Graph, given: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, Tensor)>> {
    let mut list = NameList::default();
    let mut values = Vec::new();
    for (key, value) in given.into_iter().flatten() {
        names.push(&key, &mut list)?;
        values.push(value);
    }
    let dtype = |name: &str| dtypes.endpoint(name).ok().and_then(|endpoint| dtypes.endpoint_type(endpoint));
    let tensor = |(name, value): (String, Bound<'_, PyAny>)| {
        let tensor = arrays::tensor(&value, dtype(&name).map(|ty| ty.dtype), false)?;
        Ok((name, tensor))
    };
    list.all().into_iter().zip(values).map(tensor).collect()
}

impl PySession {
    /// The memory of a run.
    pub(crate) fn look_at_memory(
        &self,
        py: Python<'_>,
        fetches: &Bound<'_, PyAny>,
        shapes: Vec<(Bound<'_, PyAny>, Vec<Option<usize>>)>,
        threads: usize,
    ) -> PyResult<Shown> {
        let wanted = Wanted::of(&self.0.names, fetches)?;
        let mut list = NameList::default();
        for (key, _) in &shapes {
            self.0.names.push(key, &mut list)?;
        }
        let feeds = list.all().into_iter().zip(shapes).map(|(name, (_, dims))| (name, PartialShape::new(dims)));
        let Wanted { fetches, targets } = wanted;
        let mut asked = Asked { feeds: feeds.collect(), fetches, targets, threads };
        let session = self.0.session(py)?;
        let report = py.detach(move || {
            asked.complete(&session)?;
            analyse(&session, &asked)
        });
        report.map(|report| shown(reports::memory(&report))).or_raise(py)
    }

    /// Where another session, or values from elsewhere, differ from this one.
    pub(crate) fn look_at_differences(
        &self,
        py: Python<'_>,
        other: &Bound<'_, PyAny>,
        fetches: &Bound<'_, PyAny>,
        fed: Option<&Bound<'_, PyDict>>,
        tolerance: levada::compare::Tolerance,
    ) -> PyResult<Shown> {
        let first = self.0.session(py)?;
        let Wanted { fetches, targets } = Wanted::of(&self.0.names, fetches)?;
        if let Some(target) = targets.first() {
            let error = Error::invalid(format!("{target} is an operation, which gives nothing to compare"));
            return Err(error.help("fetch tensors")).or_raise(py);
        }
        let feeds = feeds(&self.0.names, &first.graph(), fed)?;
        let options = levada::compare::Options { feeds, fetches, tolerance };
        let report = match other.cast::<PySession>() {
            Ok(other) => {
                let second = other.get().0.session(py)?;
                py.detach(move || levada::compare::sessions(&first, &second, &options))
            }
            Err(_) => {
                let mut values = BTreeMap::new();
                for (name, value) in other.cast::<PyDict>()?.iter() {
                    values.insert(name.extract::<String>()?, arrays::tensor(&value, None, false)?);
                }
                py.detach(move || levada::compare::tensors(&first, &values, &options))
            }
        };
        report.map(|report| shown(reports::comparison(&report))).or_raise(py)
    }

    /// Runs a step several times, and predicts its time on other thread counts.
    pub(crate) fn look_at_time(
        &self,
        py: Python<'_>,
        fetches: &Bound<'_, PyAny>,
        fed: Option<&Bound<'_, PyDict>>,
        threads: Vec<usize>,
        steps: usize,
    ) -> PyResult<Shown> {
        let session = self.0.session(py)?;
        let Wanted { fetches, targets } = Wanted::of(&self.0.names, fetches)?;
        let (names, values): (Vec<String>, Vec<Tensor>) =
            feeds(&self.0.names, &session.graph(), fed)?.into_iter().unzip();
        let shapes = names.iter().cloned().zip(values.iter().map(|value| value.shape().dims().to_vec())).collect();
        let step = StepOf { fetches: fetches.clone(), targets: targets.clone(), feeds: shapes };
        let (poll, soft) = (self.0.poll(), self.0.soft_placement);
        let told = py.detach(move || {
            let callable = session.callable(&CallableOptions { feeds: names, fetches, targets })?;
            let run = |trace| {
                let options = RunOptions { trace, poll: Some(poll.clone()), ..RunOptions::default() };
                let clock = Instant::now();
                let (result, metadata) = callable.run_with(&options, &values);
                result.map(|_| (clock.elapsed().as_nanos() as f64, metadata.trace))
            };
            (0..WARM).try_for_each(|_| run(false).map(drop))?;
            let mut times = (0..steps.max(1)).map(|_| Ok(run(false)?.0)).collect::<levada::Result<Vec<f64>>>()?;
            times.sort_by(f64::total_cmp);
            let traced = (0..TRACED).map(|_| Ok(run(true)?.1)).collect::<levada::Result<Vec<_>>>()?;
            let traced: Vec<_> = traced.into_iter().flatten().collect();
            reports::times(&session, &step, (&traced, times[times.len() / 2]), &threads, soft)
        });
        told.map(shown).or_raise(py)
    }
}

/// The arguments of `Graph.explore`.
#[derive(FromPyObject)]
pub(crate) struct Exploring<'py> {
    #[pyo3(item)]
    fetches: Bound<'py, PyAny>,
    #[pyo3(item)]
    feeds: Option<Bound<'py, PyDict>>,
    #[pyo3(item)]
    init: Bound<'py, PyAny>,
    #[pyo3(item)]
    orders: usize,
    #[pyo3(item)]
    seed: u64,
    #[pyo3(item)]
    timeout: f64,
    #[pyo3(item)]
    files: Option<Bound<'py, PyAny>>,
}

impl PyGraph {
    /// Races, stalls and waste.
    pub(crate) fn look_at_races(
        &self,
        py: Python<'_>,
        fetches: &Bound<'_, PyAny>,
        fed: Vec<Bound<'_, PyAny>>,
    ) -> PyResult<Shown> {
        let names = Names::default();
        let wanted = Wanted::of(&names, fetches)?;
        let mut list = NameList::default();
        for key in &fed {
            names.push(key, &mut list)?;
        }
        let graph = self.state.lock().builder.graph().clone();
        let findings = py.detach(|| {
            let run = signature(&graph, &wanted, &list.all())?;
            levada::lint::lint(&graph, &levada::registry(), run.as_ref())
        });
        findings.map(|findings| shown(reports::findings(&findings))).or_raise(py)
    }

    /// Finds the results that depend on the order of nodes.
    pub(crate) fn look_at_orders(&self, py: Python<'_>, asked: Exploring<'_>) -> PyResult<Shown> {
        let names = Names::default();
        let wanted = Wanted::of(&names, &asked.fetches)?;
        let init = Wanted::of(&names, &asked.init)?;
        let state = self.state.lock();
        let (graph, saved) = (state.builder.graph().clone(), state.saved.clone());
        drop(state);
        let feeds = feeds(&names, &graph, asked.feeds.as_ref())?;
        let init: Vec<String> = init.fetches.into_iter().chain(init.targets).collect();
        let init_feeds = needed(&graph, &init, &feeds).or_raise(py)?;
        let request = levada::explore::Request {
            feeds,
            fetches: wanted.fetches,
            targets: wanted.targets,
            init,
            init_feeds,
            orders: asked.orders,
            seed: asked.seed,
            timeout: Some(Duration::try_from_secs_f64(asked.timeout).unwrap_or(Duration::MAX)),
        };
        let files = files(asked.files.as_ref())?;
        let report = py.detach(|| {
            let open = |graph, options: SessionOptions| {
                let (kind, saved) = (levada::graph::read::Kind::Graph, saved.clone());
                let model = Model { graph, kind, saved, values: Default::default() };
                model.session(SessionOptions { files: files.clone(), ..options }).map(|session| (*session).clone())
            };
            levada::explore::explore(graph, &levada::registry(), &request, &open)
        });
        report.map(|report| shown(reports::exploration(&report))).or_raise(py)
    }
}

/// The feeds that these nodes need.
fn needed(graph: &Graph, nodes: &[String], feeds: &[(String, Tensor)]) -> levada::Result<Vec<(String, Tensor)>> {
    let names: Vec<String> = feeds.iter().map(|(name, _)| name.clone()).collect();
    let wanted = Wanted { targets: nodes.to_vec(), ..Wanted::default() };
    let Some(signature) = signature(graph, &wanted, &names)? else { return Ok(Vec::new()) };
    let pruned = levada::compile::prune(graph, &signature)?;
    let used = |name: &String| {
        graph.endpoint(name).is_ok_and(|fed| {
            pruned.order.iter().any(|&id| graph.node(id).inputs.contains(&fed)) || signature.targets.contains(&fed.node)
        })
    };
    Ok(feeds.iter().filter(|(name, _)| used(name)).cloned().collect())
}

/// The requested run; `None` if nothing is requested.
fn signature(graph: &Graph, wanted: &Wanted, feeds: &[String]) -> levada::Result<Option<Signature>> {
    let mut signature = Signature::default();
    let operation = |name: &str| graph.find(name).filter(|&id| graph.node(id).output_types.is_empty());
    for name in &wanted.fetches {
        match operation(name) {
            Some(id) => signature.targets.push(id),
            None => signature.fetches.push(graph.endpoint(name)?),
        }
    }
    for name in &wanted.targets {
        signature.targets.push(graph.find(name).ok_or_else(|| graph.unknown_node(name, name))?);
    }
    signature.feeds = feeds.iter().map(|name| graph.endpoint(name)).collect::<levada::Result<_>>()?;
    Ok((!signature.fetches.is_empty() || !signature.targets.is_empty()).then_some(signature))
}
