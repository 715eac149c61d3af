//! Options of a run, and its metadata.

use crate::trace::PyTrace;
use levada::RunMetadata;
use parking_lot::Mutex;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// Options of one run.
///
/// Args:
///     trace: record which node ran when and where, for ``RunMetadata.trace``.
///     timeout: seconds after which the run fails with ``DeadlineExceededError``.
#[pyclass(frozen, name = "RunOptions", module = "levada")]
#[derive(Clone, Copy, Default)]
pub(crate) struct PyRunOptions {
    #[pyo3(get)]
    trace: bool,
    timeout: Option<Duration>,
}

/// A time in seconds.
pub(crate) fn seconds(seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| PyValueError::new_err(format!("{seconds} is not a valid number of seconds")))
}

#[pymethods]
impl PyRunOptions {
    #[new]
    #[pyo3(signature = (*, trace=false, timeout=None))]
    fn new(trace: bool, timeout: Option<f64>) -> PyResult<PyRunOptions> {
        Ok(PyRunOptions { trace, timeout: timeout.map(seconds).transpose()? })
    }

    /// Seconds after which the run fails.
    #[getter]
    fn timeout(&self) -> Option<f64> {
        self.timeout.map(|timeout| timeout.as_secs_f64())
    }

    fn __repr__(&self) -> String {
        let trace = if self.trace { "True" } else { "False" };
        let timeout = self.timeout.map_or_else(|| "None".to_owned(), |timeout| timeout.as_secs_f64().to_string());
        format!("RunOptions(trace={trace}, timeout={timeout})")
    }
}

impl PyRunOptions {
    /// These options, or those of a TensorFlow `RunOptions`.
    pub(crate) fn of(options: Option<&Bound<'_, PyAny>>) -> PyResult<PyRunOptions> {
        let Some(options) = options else { return Ok(PyRunOptions::default()) };
        if let Ok(own) = options.cast::<PyRunOptions>() {
            return Ok(*own.get());
        }
        let wrong = |_| PyTypeError::new_err("options must be a levada.RunOptions, or a TensorFlow RunOptions");
        let level: i32 = options.getattr("trace_level").map_err(wrong)?.extract()?;
        let timeout: u64 = options.getattr("timeout_in_ms").map_err(wrong)?.extract::<i64>()?.try_into().unwrap_or(0);
        Ok(PyRunOptions { trace: level > 0, timeout: (timeout > 0).then(|| Duration::from_millis(timeout)) })
    }

    /// For a run that checks whether to continue.
    pub(crate) fn native(self, poll: Arc<levada::kernel::Ask>) -> levada::RunOptions {
        levada::RunOptions {
            trace: self.trace,
            timeout: self.timeout,
            poll: Some(poll),
            ..levada::RunOptions::default()
        }
    }
}

/// Information about a run besides its results: pass one to ``Session.run`` as ``run_metadata``.
#[pyclass(frozen, name = "RunMetadata", module = "levada")]
#[derive(Default)]
pub(crate) struct PyRunMetadata(Mutex<(u64, Option<Arc<levada::StepTrace>>)>);

#[pymethods]
impl PyRunMetadata {
    #[new]
    fn new() -> PyRunMetadata {
        PyRunMetadata::default()
    }

    /// Number of the step in its session, from 1; 0 before a run has filled this in.
    #[getter]
    fn step_id(&self) -> u64 {
        self.0.lock().0
    }

    /// The trace of the run if the options asked for one, else None.
    #[getter]
    fn trace(&self) -> Option<PyTrace> {
        self.0.lock().1.clone().map(PyTrace)
    }

    fn __repr__(&self) -> String {
        let state = self.0.lock();
        format!("<levada.RunMetadata of step {}{}>", state.0, if state.1.is_some() { ", traced" } else { "" })
    }
}

impl PyRunMetadata {
    /// Fills in the metadata of a run.
    pub(crate) fn fill(into: Option<&Bound<'_, PyAny>>, metadata: RunMetadata) -> PyResult<()> {
        let Some(into) = into else { return Ok(()) };
        let own = into
            .cast::<PyRunMetadata>()
            .map_err(|_| PyTypeError::new_err("run_metadata must be a levada.RunMetadata"))?;
        *own.get().0.lock() = (metadata.step_id, metadata.trace.map(Arc::new));
        Ok(())
    }
}
