//! dtypes of tensors and of NumPy's arrays.

use levada::DType;
use numpy::{PyArrayDescr, PyArrayDescrMethods};
use pyo3::exceptions::{PyImportError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyList;

/// NumPy dtypes by the numbers of tensor dtypes.
static DESCRS: [PyOnceLock<Py<PyArrayDescr>>; DType::ALL.len() + 1] =
    [const { PyOnceLock::new() }; DType::ALL.len() + 1];

/// The NumPy dtype for arrays of these elements. Quantized integers are records of one field, as in TensorFlow; strings
/// are objects; types that NumPy lacks are those of ml_dtypes.
pub(crate) fn descr<'py>(py: Python<'py>, dtype: DType) -> PyResult<&'py Bound<'py, PyArrayDescr>> {
    let known =
        DESCRS.get(dtype.number() as usize).ok_or_else(|| PyTypeError::new_err(format!("no array holds {dtype}")))?;
    known.get_or_try_init(py, || made(py, dtype)).map(|descr| descr.bind(py))
}

fn made(py: Python<'_>, dtype: DType) -> PyResult<Py<PyArrayDescr>> {
    let made = match dtype {
        DType::Resource | DType::Variant => {
            return Err(PyTypeError::new_err(format!("no array holds {dtype} elements")));
        }
        DType::Str => PyArrayDescr::new(py, "O")?,
        _ if dtype.is_quantized() => PyArrayDescr::new(py, PyList::new(py, [(dtype.name(), dtype.storage().name())])?)?,
        _ if dtype == DType::BF16 || dtype.is_narrow() => {
            let module = py.import("ml_dtypes").map_err(|_| {
                PyImportError::new_err(format!(
                    "NumPy has no {dtype} of its own: install ml_dtypes (pip install levada[ml_dtypes])"
                ))
            })?;
            PyArrayDescr::new(py, module.getattr(dtype.name())?)?
        }
        _ => PyArrayDescr::new(py, dtype.name())?,
    };
    Ok(made.unbind())
}

/// The dtype that arrays are converted to: for a record the integer type of its field.
pub(crate) fn converted(dtype: DType) -> DType {
    if dtype.is_quantized() { dtype.storage() } else { dtype }
}

/// The tensor dtype for the elements of such arrays.
pub(crate) fn of_descr(descr: &Bound<'_, PyArrayDescr>) -> PyResult<DType> {
    use DType::*;
    let found = match (descr.kind(), descr.itemsize()) {
        (b'f', 2) => Some(F16),
        (b'f', 4) => Some(F32),
        (b'f', 8) => Some(F64),
        (b'i', 1) => Some(I8),
        (b'i', 2) => Some(I16),
        (b'i', 4) => Some(I32),
        (b'i', 8) => Some(I64),
        (b'u', 1) => Some(U8),
        (b'u', 2) => Some(U16),
        (b'u', 4) => Some(U32),
        (b'u', 8) => Some(U64),
        (b'c', 8) => Some(C64),
        (b'c', 16) => Some(C128),
        (b'b', 1) => Some(Bool),
        (b'S' | b'U' | b'O' | b'T', _) => Some(Str),
        _ => match descr.names().as_deref() {
            Some([name]) => DType::parse(name).filter(|dtype| dtype.is_quantized()),
            // A type of ml_dtypes.
            _ => descr.typeobj().name().ok().and_then(|name| DType::parse(&name.to_string())),
        },
    };
    found.ok_or_else(|| PyTypeError::new_err(format!("tensors cannot hold elements of dtype {descr}")))
}

/// The dtype that `value` names: `"float32"`, a NumPy dtype or scalar type, or an object with such a name or with
/// TensorFlow's number.
pub(crate) fn named(value: &Bound<'_, PyAny>) -> PyResult<DType> {
    let unknown = || PyTypeError::new_err(format!("{value} is not a dtype"));
    if let Ok(name) = value.extract::<String>()
        && let Some(dtype) = DType::parse(&name)
    {
        return Ok(dtype);
    }
    if let Ok(number) = value.getattr("as_datatype_enum").and_then(|number| number.extract::<i32>()) {
        return DType::from_number(number % 100).ok_or_else(unknown);
    }
    if let Ok(number) = value.extract::<i32>() {
        return DType::from_number(number % 100).ok_or_else(unknown);
    }
    let py = value.py();
    if value.is(py.get_type::<pyo3::types::PyString>()) || value.is(py.get_type::<pyo3::types::PyBytes>()) {
        return Ok(DType::Str);
    }
    of_descr(&PyArrayDescr::new(py, value).map_err(|_| unknown())?)
}
