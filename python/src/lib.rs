//! The extension module of the Python package: graphs, sessions, arrays in and out, errors as exceptions, and the
//! `levada` command.
//!
//! Start with `session`: everything else supports runs. `arrays` converts between tensors and NumPy arrays, `fetches`
//! flattens and rebuilds nested fetches, `errors` raises, `host` calls back, `alive` handles signals, threads and
//! forks.

mod alive;
mod arrays;
mod build;
mod dtypes;
mod errors;
mod fetches;
mod graph;
mod host;
mod options;
mod partial;
mod placement;
mod reports;
mod session;
mod trace;
mod train;

use pyo3::prelude::*;
use std::ffi::OsString;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Runs the `levada` command with these arguments, the first of which is the program's name; returns its exit code.
#[pyfunction]
fn command(py: Python<'_>, args: Vec<OsString>) -> u8 {
    let code = py.detach(move || levada_cli::main(args));
    // An `ExitCode` can only be compared.
    (0..=u8::MAX).find(|&number| ExitCode::from(number) == code).unwrap_or(u8::MAX)
}

#[pymodule(gil_used = false)]
fn _levada(m: &Bound<'_, PyModule>) -> PyResult<()> {
    alive::watch_forks();
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add_function(wrap_pyfunction!(command, m)?)?;
    m.add_function(wrap_pyfunction!(build::op_specs, m)?)?;
    m.add_function(wrap_pyfunction!(fetches::register_conversion, m)?)?;
    m.add_class::<arrays::PyTensor>()?;
    m.add_class::<graph::PyGraph>()?;
    m.add_class::<options::PyRunMetadata>()?;
    m.add_class::<options::PyRunOptions>()?;
    m.add_class::<partial::PyPartialRun>()?;
    m.add_class::<session::PyCallable>()?;
    m.add_class::<session::PySession>()?;
    m.add_class::<trace::PyTrace>()?;
    m.add_class::<train::PyCoordinator>()?;
    m.add_class::<train::PySaver>()?;
    Ok(())
}
