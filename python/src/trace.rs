//! Traces of runs.

use crate::errors::OrRaise;
use levada::trace::{export, report};
use levada::{Error, StepTrace};
use pyo3::prelude::*;
use std::sync::Arc;

/// Which node of a run ran when, on which device and thread.
#[pyclass(frozen, name = "Trace", module = "levada")]
pub(crate) struct PyTrace(pub(crate) Arc<StepTrace>);

#[pymethods]
impl PyTrace {
    /// Number of the step in its session, from 1.
    #[getter]
    fn step_id(&self) -> u64 {
        self.0.step_id
    }

    /// Nanoseconds that the step took.
    #[getter]
    fn wall_ns(&self) -> u64 {
        self.0.wall_ns
    }

    /// The complete trace, as JSON.
    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        serde_json::to_string(&*self.0)
            .map_err(|e| Error::internal(format!("the trace cannot be written: {e}")))
            .or_raise(py)
    }

    /// As JSON for Perfetto (ui.perfetto.dev) and chrome://tracing.
    fn to_chrome(&self) -> String {
        export::chrome(std::slice::from_ref(&self.0), &[])
    }

    /// As the JSON of TensorFlow's ``StepStats``.
    fn to_step_stats(&self) -> String {
        export::step_stats(&self.0)
    }

    /// The nodes by start, one per line.
    fn order(&self) -> String {
        report::order(&self.0)
    }

    /// The chain of nodes that the step's time depends on, as a table.
    fn critical_path(&self) -> String {
        report::critical_path_table(&report::critical_path(&self.0))
    }

    /// Times by op, as a table.
    fn by_op(&self) -> String {
        report::by_op_table(std::slice::from_ref(&self.0))
    }

    /// The events, by start, as dicts: ``node``, ``op``, ``device``, ``worker``, ``ready_ns``, ``start_ns``, ``end_ns``
    /// and more.
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.to_json(py)?,))?.get_item("events")
    }

    fn _repr_html_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("levada._shown")?.call_method1("trace_html", (self.events(py)?, self.0.wall_ns))
    }

    fn __len__(&self) -> usize {
        self.0.events.len()
    }

    fn __repr__(&self) -> String {
        let (nodes, ms) = (self.0.num_nodes(), self.0.wall_ns as f64 / 1e6);
        format!("<levada.Trace of step {}: {nodes} nodes in {ms:.3} ms>", self.0.step_id)
    }
}
