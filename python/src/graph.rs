//! Graphs: read from various sources, and extended.

use crate::build;
use crate::errors::{OrRaise, raise};
use crate::reports::{Exploring, Shown};
use levada::graph::{read, write};
use levada::{Builder, DType, Error, GraphDef, Model, OpenOptions};
use parking_lot::Mutex;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyType};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A dataflow graph.
#[pyclass(frozen, subclass, name = "Graph", module = "levada._levada")]
pub(crate) struct PyGraph {
    pub(crate) state: Mutex<State>,
    /// Number of nodes, for sessions that follow the graph as it grows.
    len: AtomicUsize,
}

pub(crate) struct State {
    pub(crate) builder: Builder,
    /// The other parts of a SavedModel.
    pub(crate) saved: Option<levada::saved_model::Model>,
    /// Endpoints by the names that an ONNX model gives its values.
    values: Endpoints,
}

/// Names of tensors by their aliases.
type Endpoints = BTreeMap<String, String>;

/// The source of a graph as bytes or text.
pub(crate) enum Source {
    Path(PathBuf),
    Bytes(Vec<u8>),
}

impl Source {
    /// Reads `source`: a path, JSON text, bytes of a GraphDef, or a TensorFlow object.
    pub(crate) fn of(source: &Bound<'_, PyAny>) -> PyResult<Source> {
        let py = source.py();
        if let Ok(bytes) = source.cast::<PyBytes>() {
            return Ok(Source::Bytes(bytes.as_bytes().to_vec()));
        }
        if let Ok(text) = source.cast::<PyString>() {
            let text = text.to_str()?;
            let is_json = text.trim_start().starts_with('{');
            return Ok(if is_json { Source::Bytes(text.as_bytes().to_vec()) } else { Source::Path(text.into()) });
        }
        if source.hasattr(intern!(py, "__fspath__"))? {
            return source.extract().map(Source::Path);
        }
        let def = match source.hasattr(intern!(py, "as_graph_def"))? {
            true => source.call_method0(intern!(py, "as_graph_def"))?,
            false => source.clone(),
        };
        if def.hasattr(intern!(py, "SerializeToString"))? {
            return def.call_method0(intern!(py, "SerializeToString"))?.extract().map(Source::Bytes);
        }
        let ty = source.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "{ty} is no graph: give a path, JSON text, the bytes of a GraphDef, or a tf.Graph or GraphDef"
        )))
    }

    /// The nodes and functions, unchecked.
    pub(crate) fn def(self, py: Python<'_>) -> PyResult<GraphDef> {
        let registry = levada::registry();
        py.detach(|| match self {
            Source::Bytes(bytes) => read::parse(&bytes, Some(&registry)),
            Source::Path(path) => read::file(path, &registry).map(|graph| graph.to_def()),
        })
        .or_raise(py)
    }

    fn open(self, py: Python<'_>, options: &OpenOptions) -> PyResult<Model> {
        let registry = levada::registry();
        py.detach(|| match self {
            Source::Path(path) => levada::open(path, options),
            Source::Bytes(_) if options.tags.is_some() => {
                Err(Error::invalid("only a SavedModel has tags").help("leave out the tags"))
            }
            Source::Bytes(bytes) => {
                let graph = read::Options { strict: options.strict }.bytes(&bytes, &registry)?;
                Ok(Model { graph, kind: read::Kind::Graph, saved: None, values: BTreeMap::new() })
            }
        })
        .or_raise(py)
    }
}

#[pymethods]
impl PyGraph {
    #[new]
    #[pyo3(signature = (source=None, *, tags=None, strict=false))]
    fn new(source: Option<&Bound<'_, PyAny>>, tags: Option<Vec<String>>, strict: bool) -> PyResult<PyGraph> {
        let Some(source) = source else {
            return Ok(PyGraph::on(Builder::new(levada::registry()), None, BTreeMap::new()));
        };
        let model = Source::of(source)?.open(source.py(), &OpenOptions { strict, tags })?;
        Ok(PyGraph::on(Builder::on(model.graph, levada::registry()), model.saved, model.values))
    }

    /// Adds nodes and functions, from anything that ``Graph`` accepts. Inputs may name existing nodes.
    fn extend(&self, source: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = source.py();
        let def = Source::of(source)?.def(py)?;
        self.change(py, |state| state.builder.graph_mut().extend(def, &levada::registry()).map(drop))
    }

    /// Adds a node: op, inputs, attrs, name, device, and nodes that run before it. Returns its name and the dtypes of
    /// its outputs.
    fn _node(&self, py: Python<'_>, node: build::Description<'_>) -> PyResult<(String, Vec<&'static str>)> {
        let node = build::Described::of(node)?;
        self.change(py, |state| node.add(state))
    }

    /// The dtype of a tensor.
    fn _dtype(&self, py: Python<'_>, name: &str) -> PyResult<Option<&'static str>> {
        self.change(py, |state| state.builder.find(name).map(|output| state.builder.dtype(output).map(DType::name)))
    }

    /// The shape of a tensor as far as known.
    fn _shape(&self, py: Python<'_>, name: &str) -> PyResult<Option<Vec<Option<usize>>>> {
        self.change(py, |state| {
            let shape = state.builder.find(name).map(|output| state.builder.shape(output))?;
            Ok(shape.dims().map(<[_]>::to_vec))
        })
    }

    /// Op, inputs, device and dtypes of the outputs of a node.
    fn _describe(&self, py: Python<'_>, name: &str) -> PyResult<(String, Vec<String>, String, Vec<&'static str>)> {
        self.change(py, |state| {
            let graph = state.builder.graph();
            let found = graph.find(name).ok_or_else(|| graph.unknown_node(&format!("the node {name}"), name))?;
            let node = graph.node(found);
            let inputs = node.inputs.iter().map(|&input| format!("{}:{}", graph.node(input.node).name, input.output));
            let control = node.control_inputs.iter().map(|&before| format!("^{}", graph.node(before).name));
            let types = node.output_types.iter().map(|ty| ty.dtype.name()).collect();
            Ok((node.op_name().to_owned(), inputs.chain(control).collect(), node.device.clone(), types))
        })
    }

    /// Enters a scope that prefixes names of nodes with `name/`, or, with None, leaves the innermost one.
    fn _scope(&self, name: Option<&str>) {
        let mut state = self.state.lock();
        match name {
            Some(name) => state.builder.open_scope(name),
            None => state.builder.close_scope(),
        }
    }

    /// The gradients of the sum of `ys` with respect to each of `xs`.
    fn _gradients(
        &self,
        py: Python<'_>,
        ys: Vec<String>,
        xs: Vec<String>,
        grad_ys: Vec<Option<String>>,
        stop: Vec<String>,
        name: Option<String>,
    ) -> PyResult<Vec<Option<String>>> {
        self.change(py, |state| build::gradients(state, &ys, &xs, &grad_ys, &stop, name))
    }

    /// A variable.
    fn _variable(&self, py: Python<'_>, name: &str, initial: &str, trainable: bool) -> PyResult<build::VariableNames> {
        self.change(py, |state| build::variable(state, name, initial, trainable))
    }

    /// Changes a variable.
    fn _update(&self, py: Python<'_>, how: &str, variable: &str, values: Vec<String>) -> PyResult<String> {
        self.change(py, |state| build::update(state, how, variable, &values))
    }

    /// The counter of training steps.
    fn _global_step(&self, py: Python<'_>) -> PyResult<build::VariableNames> {
        self.change(py, build::global_step)
    }

    /// The variables that optimizers change.
    fn _trainable_variables(&self, py: Python<'_>) -> PyResult<Vec<build::VariableNames>> {
        self.change(py, build::trainable_variables)
    }

    /// A node that initializes every variable.
    fn _initializer(&self, py: Python<'_>, local: bool) -> PyResult<String> {
        self.change(py, |state| build::initializer(state, local))
    }

    /// A node that performs a training step.
    #[pyo3(signature = (kind, numbers, *, loss, variables, global_step, clip_norm, name))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn _minimize(
        &self,
        py: Python<'_>,
        kind: &str,
        numbers: &Bound<'_, PyDict>,
        loss: String,
        variables: Vec<String>,
        global_step: Option<String>,
        clip_norm: Option<f64>,
        name: Option<String>,
    ) -> PyResult<String> {
        let numbers = build::Numbers::of(numbers)?;
        let goal = build::Goal { loss, variables, global_step, clip_norm, name };
        self.change(py, |state| build::minimize(state, kind, &numbers, &goal))
    }

    /// Batches of the elements of one pipeline, or of several.
    fn _batch(&self, py: Python<'_>, lists: Vec<Vec<String>>, options: &Bound<'_, PyDict>) -> PyResult<Vec<String>> {
        let options = build::Batching::of(options)?;
        self.change(py, |state| build::batch(state, &lists, &options))
    }

    /// A queue of rows, strings or numbers.
    fn _produce(
        &self,
        py: Python<'_>,
        kind: &str,
        inputs: Vec<String>,
        options: &Bound<'_, PyDict>,
    ) -> PyResult<Vec<String>> {
        let options = build::producer(options)?;
        self.change(py, |state| build::produce(state, kind, &inputs, &options))
    }

    /// Races, stalls and waste in the graph, or in one run of it: JSON and text.
    fn _lint(&self, py: Python<'_>, fetches: &Bound<'_, PyAny>, feeds: Vec<Bound<'_, PyAny>>) -> PyResult<Shown> {
        self.look_at_races(py, fetches, feeds)
    }

    /// What depends on the order of nodes: JSON and text.
    fn _explore(&self, py: Python<'_>, asked: Exploring<'_>) -> PyResult<Shown> {
        self.look_at_orders(py, asked)
    }

    /// The names of the nodes, in the order in which they were added.
    #[getter]
    fn nodes(&self) -> Vec<String> {
        self.state.lock().builder.graph().nodes().map(|(_, node)| node.name.to_string()).collect()
    }

    /// The signatures of the file: by name the tensors of its inputs and of its outputs, by their names.
    #[getter]
    fn signatures(&self) -> BTreeMap<String, (Endpoints, Endpoints)> {
        let tensors = |defs: &BTreeMap<String, levada::graph::meta::TensorDef>| -> Endpoints {
            defs.iter().map(|(name, def)| (name.clone(), def.endpoint.clone())).collect()
        };
        let state = self.state.lock();
        let all = &state.builder.graph().meta.signatures;
        all.iter().map(|(name, def)| (name.clone(), (tensors(&def.inputs), tensors(&def.outputs)))).collect()
    }

    /// The tensors by the names that an ONNX model gives its values; empty for any other graph.
    #[getter]
    fn values(&self) -> BTreeMap<String, String> {
        self.state.lock().values.clone()
    }

    /// The bytes of the GraphDef, which TensorFlow reads.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let def = self.state.lock().builder.graph().to_def();
        Ok(PyBytes::new(py, &write::pb(&def).or_raise(py)?))
    }

    /// The GraphDef as JSON.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        let def = self.state.lock().builder.graph().to_def();
        write::json(&def).or_raise(py)
    }

    fn __len__(&self) -> usize {
        self.len()
    }

    fn __contains__(&self, name: &str) -> bool {
        self.state.lock().builder.graph().find(name).is_some()
    }

    #[classmethod]
    fn __class_getitem__(cls: &Bound<'_, PyType>, _item: &Bound<'_, PyAny>) -> Py<PyType> {
        cls.clone().unbind()
    }

    fn __repr__(&self) -> String {
        format!("<levada.Graph of {} nodes>", self.len())
    }
}

impl PyGraph {
    fn on(builder: Builder, saved: Option<levada::saved_model::Model>, values: Endpoints) -> PyGraph {
        let len = AtomicUsize::new(builder.graph().len());
        PyGraph { state: Mutex::new(State { builder, saved, values }), len }
    }

    /// Number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.len.load(Ordering::Acquire)
    }

    /// Changes the graph.
    pub(crate) fn change<T>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut State) -> levada::Result<T>,
    ) -> PyResult<T> {
        let mut state = self.state.lock();
        let changed = change(&mut state);
        self.len.store(state.builder.graph().len(), Ordering::Release);
        drop(state);
        changed.map_err(|error| raise(py, error))
    }
}
