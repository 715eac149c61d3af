//! Flattens arbitrarily nested fetches into names, and rebuilds the structure from the values.

use parking_lot::Mutex;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyList, PyMapping, PyString, PyTuple, PyType};
use std::collections::HashMap;

/// Separates the names of one list.
const NEXT: char = '\u{1f}';

/// Names by the objects that have them, which are kept alive. An object's name does not change. The lock protects the
/// map, and is never held while Python code runs.
#[derive(Default)]
pub(crate) struct Names(Mutex<HashMap<usize, (Py<PyAny>, String)>>);

/// Number of names that are kept.
const MOST_NAMES: usize = 10_000;

/// Names of feeds or fetches in one text.
#[derive(Default)]
pub(crate) struct NameList {
    text: String,
    count: usize,
}

impl NameList {
    fn push(&mut self, name: &str) -> usize {
        if self.count > 0 {
            self.text.push(NEXT);
        }
        self.text.push_str(name);
        self.count += 1;
        self.count - 1
    }

    /// The names.
    pub(crate) fn all(&self) -> Vec<String> {
        if self.count == 0 { Vec::new() } else { self.text.split(NEXT).map(str::to_owned).collect() }
    }

    /// Adds the text that distinguishes these names from all others.
    pub(crate) fn key(&self, key: &mut String) {
        key.push_str(&self.text);
        key.push(if self.count == 0 { '\u{1d}' } else { '\u{1e}' });
    }
}

/// How the structure is rebuilt from fetched values.
pub(crate) enum Tree {
    None,
    Leaf(usize),
    List(Vec<Tree>),
    Tuple(Vec<Tree>),
    /// A named tuple, or another class whose constructor takes the values one by one.
    Call(Py<PyType>, Vec<Tree>),
    Dict(Py<PyType>, Vec<(Py<PyAny>, Tree)>),
    /// The result of a function of the values of other fetches.
    Made(Py<PyAny>, Box<Tree>),
}

/// Types with the functions that convert their values to fetches and to feeds.
static CONVERSIONS: PyOnceLock<Py<PyDict>> = PyOnceLock::new();

fn conversions(py: Python<'_>) -> &Bound<'_, PyDict> {
    CONVERSIONS.get_or_init(py, || PyDict::new(py).unbind()).bind(py)
}

/// Registers how values of `type` are fetched and fed.
///
/// ``fetch(value)`` returns fetches, nested in any way, and a function that makes the result from their values;
/// ``feed(key, value)`` returns pairs of a key and a value to feed in place of this pair.
#[pyfunction]
#[pyo3(signature = (r#type, fetch=None, feed=None))]
pub(crate) fn register_conversion(
    r#type: &Bound<'_, PyType>,
    fetch: Option<Bound<'_, PyAny>>,
    feed: Option<Bound<'_, PyAny>>,
) -> PyResult<()> {
    conversions(r#type.py()).set_item(r#type, (fetch, feed))
}

/// The functions registered for the type of `value` or a base class of it: function 0 fetches, function 1 feeds.
pub(crate) fn conversion<'py>(value: &Bound<'py, PyAny>, which: usize) -> PyResult<Option<Bound<'py, PyAny>>> {
    let all = conversions(value.py());
    if all.is_empty() || value.is_instance_of::<PyString>() {
        return Ok(None);
    }
    for ty in value.get_type().mro().iter() {
        if let Some(found) = all.get_item(ty)? {
            let function = found.get_item(which)?;
            return Ok(Some(function).filter(|function| !function.is_none()));
        }
    }
    Ok(None)
}

impl Names {
    /// Adds `value` if it is a name, or its name if it has one, as that of a fetch or of a feed.
    pub(crate) fn push(&self, value: &Bound<'_, PyAny>, list: &mut NameList) -> PyResult<usize> {
        if let Ok(text) = value.cast::<PyString>() {
            return Ok(list.push(text.to_str()?));
        }
        if let Some((_, name)) = self.0.lock().get(&value.as_ptr().addr()) {
            return Ok(list.push(name));
        }
        let name = name_of(value)?;
        let at = list.push(&name);
        let mut names = self.0.lock();
        let dropped = if names.len() >= MOST_NAMES { std::mem::take(&mut *names) } else { HashMap::new() };
        let before = names.insert(value.as_ptr().addr(), (value.clone().unbind(), name));
        drop(names);
        drop((dropped, before));
        Ok(at)
    }

    /// Flattens fetches.
    pub(crate) fn fetches(&self, value: &Bound<'_, PyAny>, list: &mut NameList) -> PyResult<Tree> {
        let py = value.py();
        if value.is_instance_of::<PyString>() {
            return Ok(Tree::Leaf(self.push(value, list)?));
        }
        if value.is_none() {
            return Ok(Tree::None);
        }
        // Objects with a known name are looked up before their type is checked.
        if let Some((_, name)) = self.0.lock().get(&value.as_ptr().addr()) {
            return Ok(Tree::Leaf(list.push(name)));
        }
        if let Ok(items) = value.cast::<PyList>() {
            return Ok(Tree::List(items.iter().map(|item| self.fetches(&item, list)).collect::<PyResult<_>>()?));
        }
        if let Ok(items) = value.cast::<PyTuple>() {
            let trees = items.iter().map(|item| self.fetches(&item, list)).collect::<PyResult<_>>()?;
            let is_named = !value.is_exact_instance_of::<PyTuple>() && value.hasattr(intern!(py, "_fields"))?;
            return Ok(if is_named { Tree::Call(value.get_type().unbind(), trees) } else { Tree::Tuple(trees) });
        }
        if let Some(function) = conversion(value, 0)? {
            let (fetches, make): (Bound<'_, PyAny>, Bound<'_, PyAny>) = function.call1((value,))?.extract()?;
            return Ok(Tree::Made(make.unbind(), Box::new(self.fetches(&fetches, list)?)));
        }
        if let Ok(items) = value.cast::<PyMapping>() {
            let mut trees = Vec::with_capacity(items.len()?);
            for pair in items.items()?.iter() {
                let (key, item): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
                trees.push((key.unbind(), self.fetches(&item, list)?));
            }
            return Ok(Tree::Dict(value.get_type().unbind(), trees));
        }
        if value.get_type().hasattr(intern!(py, "__attrs_attrs__"))? {
            let mut trees = Vec::new();
            for attribute in value.get_type().getattr(intern!(py, "__attrs_attrs__"))?.try_iter()? {
                let name: String = attribute?.getattr(intern!(py, "name"))?.extract()?;
                trees.push(self.fetches(&value.getattr(name.as_str())?, list)?);
            }
            return Ok(Tree::Call(value.get_type().unbind(), trees));
        }
        Ok(Tree::Leaf(self.push(value, list)?))
    }
}

/// The name of an object: of a tensor or variable, or of an operation, which has `^` before it.
fn name_of(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = value.py();
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(String::from_utf8_lossy(bytes.as_bytes()).into_owned());
    }
    // TensorFlow variables and other objects that stand for a tensor.
    let element = match value.hasattr(intern!(py, "_as_graph_element"))? {
        true => value.call_method0(intern!(py, "_as_graph_element"))?,
        false => value.clone(),
    };
    let name = element.getattr(intern!(py, "name")).and_then(|name| name.extract::<String>()).map_err(|_| {
        let ty = value.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!(
            "{ty} is neither a name nor an object with a name: name a tensor (\"node:0\") or an operation, or give what has such a name"
        ))
    })?;
    let is_operation = !name.contains(':') && element.hasattr(intern!(py, "outputs"))?;
    Ok(if is_operation { format!("^{name}") } else { name })
}

impl Tree {
    /// Rebuilds the structure; each value is requested as often as it was fetched.
    pub(crate) fn build<'py>(
        &self,
        py: Python<'py>,
        value: &mut dyn FnMut(usize) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let all = |trees: &[Tree], value: &mut dyn FnMut(usize) -> PyResult<Bound<'py, PyAny>>| {
            trees.iter().map(|tree| tree.build(py, value)).collect::<PyResult<Vec<_>>>()
        };
        Ok(match self {
            Tree::None => py.None().into_bound(py),
            Tree::Leaf(at) => value(*at)?,
            Tree::List(trees) => PyList::new(py, all(trees, value)?)?.into_any(),
            Tree::Tuple(trees) => PyTuple::new(py, all(trees, value)?)?.into_any(),
            Tree::Call(ty, trees) => ty.bind(py).call1(PyTuple::new(py, all(trees, value)?)?)?,
            Tree::Dict(ty, trees) => {
                let made = PyDict::new(py);
                for (key, tree) in trees {
                    made.set_item(key, tree.build(py, value)?)?;
                }
                // A mapping of another class may need more than its items; then the result is a dict.
                match ty.bind(py).is(py.get_type::<PyDict>()) {
                    true => made.into_any(),
                    false => ty.bind(py).call1((&made,)).unwrap_or(made.into_any()),
                }
            }
            Tree::Made(make, tree) => make.bind(py).call1((tree.build(py, value)?,))?,
        })
    }
}
