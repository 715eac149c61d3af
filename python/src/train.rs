//! Savers, and queue runners with their coordinator.

use crate::arrays;
use crate::errors::OrRaise;
use crate::options::seconds;
use crate::session::{Own, PySession};
use levada::session::Coordinator;
use levada::train::{Keep, Saver};
use levada::{Code, Error};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::path::PathBuf;

/// Saves the variables of a session, restores them, and keeps the latest checkpoints of a directory, in TensorFlow's format.
///
/// Args:
///     session: the session. The graph needs no nodes for saving.
///     max_to_keep: how many of the latest checkpoints are kept; 0 for all.
///     keep_checkpoint_every_n_hours: how often one is kept permanently.
#[pyclass(frozen, name = "Saver", module = "levada.train")]
pub(crate) struct PySaver {
    saver: Own<Saver>,
    session: Py<PySession>,
}

#[pymethods]
impl PySaver {
    #[new]
    #[pyo3(signature = (session, *, max_to_keep=5, keep_checkpoint_every_n_hours=None))]
    fn new(
        py: Python<'_>,
        session: Py<PySession>,
        max_to_keep: usize,
        keep_checkpoint_every_n_hours: Option<f64>,
    ) -> PyResult<PySaver> {
        let native = session.get().0.session(py)?;
        let every = keep_checkpoint_every_n_hours.map(|hours| seconds(hours * 3600.0)).transpose()?;
        let saver = py.detach(move || Saver::new(&native, Keep { max: max_to_keep, every })).or_raise(py)?;
        session.get().0.has_grown();
        Ok(PySaver { saver: Own::new(saver), session })
    }

    /// Saves the variables to ``prefix``, or ``prefix-step``; returns the actual prefix.
    #[pyo3(signature = (prefix, step=None))]
    fn save(&self, py: Python<'_>, prefix: PathBuf, step: Option<i64>) -> PyResult<PathBuf> {
        let (saver, session) = (self.saver.get().or_raise(py)?, self.session.get().0.session(py)?);
        py.detach(move || saver.save(&session, prefix, step)).or_raise(py)
    }

    /// Restores the variables from a TensorFlow checkpoint, or a file of safetensors or NumPy arrays.
    fn restore(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let (saver, session) = (self.saver.get().or_raise(py)?, self.session.get().0.session(py)?);
        py.detach(move || saver.restore(&session, path)).or_raise(py)
    }

    /// Restores the variables from the latest checkpoint of a directory; returns its prefix, or None if there is none.
    fn restore_latest(&self, py: Python<'_>, directory: PathBuf) -> PyResult<Option<PathBuf>> {
        let (saver, session) = (self.saver.get().or_raise(py)?, self.session.get().0.session(py)?);
        py.detach(move || saver.restore_latest(&session, directory)).or_raise(py)
    }

    /// The values of the variables by their names in a checkpoint.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (saver, session) = (self.saver.get().or_raise(py)?, self.session.get().0.session(py)?);
        let values = py.detach(move || saver.values(&session)).or_raise(py)?;
        let made = PyDict::new(py);
        for (name, value) in values {
            made.set_item(name, arrays::array(py, value)?)?;
        }
        Ok(made)
    }
}

/// Stops queue runners, and threads that check ``should_stop()``, together.
///
/// A ``with`` statement stops everything at its end, and raises the error with which one of them failed.
#[pyclass(frozen, name = "Coordinator", module = "levada.train")]
pub(crate) struct PyCoordinator(Own<Coordinator>);

/// How long stopped threads and runners may take to end.
const GRACE: f64 = 120.0;

#[pymethods]
impl PyCoordinator {
    #[new]
    fn new() -> PyCoordinator {
        PyCoordinator(Own::new(Coordinator::new()))
    }

    /// True once everything should stop.
    fn should_stop(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.0.get().or_raise(py)?.should_stop())
    }

    /// Requests all to stop; ``join`` raises the exception if one is given.
    #[pyo3(signature = (exception=None))]
    fn request_stop(&self, py: Python<'_>, exception: Option<Bound<'_, PyAny>>) -> PyResult<()> {
        let coordinator = self.0.get().or_raise(py)?;
        match exception.filter(|exception| !exception.is_none()) {
            None => coordinator.request_stop(),
            Some(exception) => {
                let exception = PyErr::from_value(exception);
                let error = Error::new(Code::Unknown, exception.to_string());
                let raised = crate::errors::Raised { exception, in_function: false };
                coordinator.fail(error.with_report(std::sync::Arc::new(raised)));
            }
        }
        Ok(())
    }

    /// Waits until all have stopped, for at most this many seconds; raises the error of the first one that failed.
    #[pyo3(signature = (stop_grace_period=GRACE))]
    fn join(&self, py: Python<'_>, stop_grace_period: f64) -> PyResult<()> {
        let (coordinator, grace) = (self.0.get().or_raise(py)?, seconds(stop_grace_period)?);
        py.detach(|| coordinator.join(grace)).or_raise(py)
    }

    /// Starts the queue runners of the session's graph; returns their number.
    fn start_queue_runners(&self, py: Python<'_>, session: &Bound<'_, PySession>) -> PyResult<usize> {
        let (coordinator, session) = (self.0.get().or_raise(py)?, session.get().0.session(py)?);
        py.detach(move || session.start_queue_runners(coordinator)).or_raise(py)
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*error))]
    fn __exit__(&self, py: Python<'_>, error: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.0.get().or_raise(py)?.request_stop();
        let joined = self.join(py, GRACE);
        // The exception that ends the block takes precedence over errors that follow from it.
        if error.get_item(0).is_ok_and(|kind| !kind.is_none()) { Ok(()) } else { joined }
    }
}
