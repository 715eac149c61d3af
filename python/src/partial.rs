//! Runs that are fed and fetched from incrementally.

use crate::arrays;
use crate::errors::OrRaise;
use crate::fetches::NameList;
use crate::session::{Inner, Own};
use levada::{PartialRun, RunOptions, Tensor};
use parking_lot::Mutex;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// A run in progress, which ``Session.partial_run`` continues.
#[pyclass(frozen, name = "PartialRun", module = "levada")]
pub(crate) struct PyPartialRun {
    run: Own<Mutex<PartialRun>>,
    session: Arc<Inner>,
}

impl PyPartialRun {
    pub(crate) fn new(
        py: Python<'_>,
        inner: &Arc<Inner>,
        fetches: &Bound<'_, PyAny>,
        feeds: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyPartialRun> {
        let (mut fed, mut fetched) = (NameList::default(), NameList::default());
        if let Some(feeds) = feeds {
            // Feeds are named in the same way as fetches.
            inner.fetches(feeds, &mut fed)?;
        }
        inner.fetches(fetches, &mut fetched)?;
        let session = inner.session(py)?;
        let options = RunOptions { poll: Some(inner.poll()), ..RunOptions::default() };
        let begun = py.detach(move || {
            let (feeds, all) = (fed.all(), fetched.all());
            let graph = session.graph();
            let is_operation = |name: &String| {
                name.starts_with('^') || graph.find(name).is_some_and(|id| graph.node(id).output_types.is_empty())
            };
            let (targets, fetches): (Vec<&String>, Vec<&String>) = all.iter().partition(|name| is_operation(name));
            drop(graph);
            fn texts<'a>(names: impl IntoIterator<Item = &'a String>) -> Vec<&'a str> {
                names.into_iter().map(|name| name.trim_start_matches('^')).collect()
            }
            session.partial_run_setup_with(&options, &texts(&feeds), &texts(fetches), &texts(targets))
        });
        Ok(PyPartialRun { run: Own::new(Mutex::new(begun.or_raise(py)?)), session: inner.clone() })
    }

    pub(crate) fn run<'py>(
        &self,
        py: Python<'py>,
        inner: &Arc<Inner>,
        fetches: &Bound<'py, PyAny>,
        feed_dict: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if !Arc::ptr_eq(&self.session, inner) {
            return Err(PyValueError::new_err("the partial run was begun in another session"));
        }
        let (mut fed, mut fetched) = (NameList::default(), NameList::default());
        let values = feed_dict.map_or(Ok(Vec::new()), |feeds| inner.feeds(feeds, &mut fed))?;
        let tree = inner.fetches(fetches, &mut fetched)?;
        let run = self.run.get().or_raise(py)?;
        let (feeds, asked) = (fed.all(), fetched.all());
        let graph = inner.session(py)?.graph();
        let mut tensors = Vec::with_capacity(values.len());
        for (name, value) in feeds.iter().zip(&values) {
            let dtype = graph.endpoint(name).ok().and_then(|at| graph.endpoint_type(at)).map(|ty| ty.dtype);
            tensors.push(arrays::tensor(value, dtype, false)?);
        }
        drop(graph);
        inner.poll();
        let fetched = py.detach(|| {
            let feeds: Vec<(&str, Tensor)> = feeds.iter().map(String::as_str).zip(tensors).collect();
            // A value that is requested twice is fetched once.
            let mut names: Vec<&str> = Vec::with_capacity(asked.len());
            let mut places = Vec::with_capacity(asked.len());
            let mut known = HashMap::new();
            for name in &asked {
                places.push(*known.entry(name.as_str()).or_insert_with(|| {
                    names.push(name);
                    names.len() - 1
                }));
            }
            let values = run.lock().run(&feeds, &names)?;
            Ok(places.into_iter().map(|at| values[at].clone()).collect::<Vec<Tensor>>())
        });
        let mut fetched: Vec<Option<Tensor>> = fetched.or_raise(py)?.into_iter().map(Some).collect();
        tree.build(py, &mut |at| match fetched.get_mut(at).and_then(Option::take) {
            Some(value) => arrays::array(py, value),
            None => Ok(py.None().into_bound(py)),
        })
    }
}

#[pymethods]
impl PyPartialRun {
    /// True once everything has been fed and fetched, or the run has failed.
    #[getter]
    fn is_over(&self, py: Python<'_>) -> PyResult<bool> {
        let run = self.run.get().or_raise(py)?;
        Ok(py.detach(|| run.lock().is_over()))
    }
}
