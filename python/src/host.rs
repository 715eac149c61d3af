//! Python functions that nodes call.

use crate::{arrays, errors};
use levada::kernel::{Host, HostCall, HostFunction};
use levada::{Error, Tensor};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// A callable that takes and returns arrays.
pub(crate) struct Function(pub(crate) Py<PyAny>);

impl HostFunction for Function {
    fn call(&self, call: HostCall) -> levada::Result<Vec<Tensor>> {
        let HostCall { inputs, outputs, .. } = call;
        let called = Python::try_attach(|py| {
            let result = arrays::call(py, self.0.bind(py), inputs, None);
            result
                .and_then(|value| arrays::results(&value, &outputs))
                .map_err(|raised| errors::of_exception(py, raised))
        });
        called.unwrap_or_else(|| Err(Error::cancelled("the interpreter ends")))
    }
}

/// Registers functions: a dict of them by token, or a callable that returns the function of a token, or None.
pub(crate) fn grant(host: &Host, functions: &Bound<'_, PyAny>) -> PyResult<()> {
    if let Ok(functions) = functions.cast::<PyDict>() {
        for (token, function) in functions.iter() {
            host.register(token.extract::<String>()?, Function(function.unbind()));
        }
        return Ok(());
    }
    if !functions.is_callable() {
        return Err(PyTypeError::new_err(
            "host_functions is a dict of functions by token, or a function that finds them",
        ));
    }
    let find = functions.clone().unbind();
    host.set_finder(Arc::new(move |token: &str| {
        Python::try_attach(|py| {
            let found = find.call1(py, (token,)).ok().filter(|found| !found.is_none(py))?;
            Some(Arc::new(Function(found)) as Arc<dyn HostFunction>)
        })
        .flatten()
    }));
    Ok(())
}

/// A log that passes the output of `Print` and the like to a function.
pub(crate) fn log(write: Py<PyAny>) -> Arc<levada::kernel::env::Log> {
    Arc::new(move |text: &str| {
        Python::try_attach(|py| {
            if let Err(error) = write.call1(py, (text,)) {
                error.write_unraisable(py, None);
            }
        });
    })
}
