//! Errors as exceptions.

use crate::arrays;
use levada::graph::error::Report;
use levada::session::NanOrigin;
use levada::{Code, Error, Waiting};
use pyo3::exceptions::{
    PyKeyboardInterrupt, PyMemoryError, PyNotImplementedError, PyStopIteration, PyTypeError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// An exception that ended a run.
#[derive(Debug)]
pub(crate) struct Raised {
    pub(crate) exception: PyErr,
    /// True if a function that a node called raised it; false if the thread that waited for the run received it.
    pub(crate) in_function: bool,
}

impl Report for Raised {
    fn text(&self) -> String {
        String::new()
    }
}

/// The exception for an error.
pub(crate) fn raise(py: Python<'_>, error: Error) -> PyErr {
    let raised = error.report::<Raised>();
    if let Some(raised) = raised.filter(|raised| !raised.in_function) {
        return raised.exception.clone_ref(py);
    }
    let made = (|| {
        let parts = PyList::empty(py);
        for fault in error.all() {
            parts.append(part(py, fault)?)?;
        }
        py.import("levada.errors")?.call_method1("_of", (parts, error.to_string()))
    })();
    match made {
        Ok(exception) => {
            let exception = PyErr::from_value(exception);
            if let Some(raised) = raised {
                exception.set_cause(py, Some(raised.exception.clone_ref(py)));
            }
            exception
        }
        Err(fault) => fault,
    }
}

fn part<'py>(py: Python<'py>, error: &Error) -> PyResult<Bound<'py, PyDict>> {
    let fault = error.fault();
    let part = PyDict::new(py);
    part.set_item("code", fault.code as i32)?;
    part.set_item("message", &fault.message)?;
    part.set_item("node", &fault.node)?;
    part.set_item("op", &fault.op)?;
    part.set_item("attr", &fault.attr)?;
    part.set_item("expected", &fault.expected)?;
    part.set_item("found", &fault.found)?;
    part.set_item("help", &fault.help)?;
    part.set_item("file", &fault.file)?;
    part.set_item("line", fault.line)?;
    part.set_item("column", fault.column)?;
    part.set_item("path", &fault.path)?;
    part.set_item("limit", fault.limit.map(levada::Limit::name))?;
    part.set_item("nan", error.report::<NanOrigin>().map(|origin| nan(py, origin)).transpose()?)?;
    part.set_item("waiting", error.report::<Waiting>().map(|waiting| waiting.to_json().to_string()))?;
    Ok(part)
}

/// The origin of the first NaN: JSON, the node's input arrays by name, and its result.
fn nan<'py>(py: Python<'py>, origin: &NanOrigin) -> PyResult<(String, Bound<'py, PyDict>, Bound<'py, PyAny>)> {
    let inputs = PyDict::new(py);
    for input in &origin.inputs {
        inputs.set_item(&input.name, arrays::array(py, input.value.clone())?)?;
    }
    let json = levada_cli::reports::nan(origin).to_string();
    Ok((json, inputs, arrays::array(py, origin.result.clone())?))
}

/// The error of a node whose function raised an exception, with TensorFlow's code for it.
pub(crate) fn of_exception(py: Python<'_>, exception: PyErr) -> Error {
    let is = |ty: Bound<'_, pyo3::types::PyType>| exception.is_instance(py, &ty);
    let code = if let Ok(code) = exception.value(py).getattr("_levada_code").and_then(|c| c.extract::<i32>()) {
        Code::from_number(code).unwrap_or(Code::Unknown)
    } else if is(py.get_type::<PyValueError>()) || is(py.get_type::<PyTypeError>()) {
        Code::InvalidArgument
    } else if is(py.get_type::<PyStopIteration>()) {
        Code::OutOfRange
    } else if is(py.get_type::<PyMemoryError>()) {
        Code::ResourceExhausted
    } else if is(py.get_type::<PyNotImplementedError>()) {
        Code::Unimplemented
    } else if is(py.get_type::<PyKeyboardInterrupt>()) {
        Code::Cancelled
    } else {
        Code::Unknown
    };
    let format = || -> PyResult<String> {
        // Before Python 3.12 an exception's traceback has to be set explicitly.
        exception.value(py).call_method1("with_traceback", (exception.traceback(py),))?;
        let traceback = py.import("traceback")?;
        let lines: Vec<String> = traceback.call_method1("format_exception", (exception.value(py),))?.extract()?;
        Ok(lines.concat())
    };
    let text = format().unwrap_or_default();
    let message = format!("{exception}\n{text}");
    Error::new(code, message.trim_end()).with_report(std::sync::Arc::new(Raised { exception, in_function: true }))
}

/// `Result<T, Error>` as `PyResult<T>`.
pub(crate) trait OrRaise<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for levada::Result<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| raise(py, error))
    }
}
