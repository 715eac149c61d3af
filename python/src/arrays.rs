//! Converts between tensors and arrays, without copying where the layout allows.
//!
//! A fed tensor may share memory with its array only if nothing keeps it beyond the run, since the program owns the
//! array and may change it. A fetched tensor becomes an array around its own memory if that is not shared.

use crate::dtypes;
use crate::errors::OrRaise;
use levada::graph::buffer::{Buffer, Foreign};
use levada::{Bytes, DType, Shape, Tensor};
use numpy::npyffi::flags::{
    NPY_ARRAY_ALIGNED, NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_CARRAY, NPY_ARRAY_FORCECAST, NPY_ARRAY_NOTSWAPPED,
};
use numpy::npyffi::{PY_ARRAY_API, npy_intp};
use numpy::{PyArrayDescr, PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::PyTypeInfo;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use std::ptr;

/// Arrays of fewer bytes are copied, which takes less time than keeping them.
const WORTH_SHARING: usize = 16 << 10;
/// Tensors of at most this many bytes are copied into arrays.
const WORTH_WRAPPING: usize = 4 << 10;

/// A tensor outside of NumPy: passed from one run to another, or a handle. It can be fed, and ``numpy()`` returns it as
/// an array.
#[pyclass(frozen, name = "Tensor", module = "levada")]
pub(crate) struct PyTensor(pub(crate) Tensor);

#[pymethods]
impl PyTensor {
    /// A tensor of these elements.
    #[new]
    #[pyo3(signature = (value, dtype=None))]
    fn new(value: &Bound<'_, PyAny>, dtype: Option<&Bound<'_, PyAny>>) -> PyResult<PyTensor> {
        tensor(value, dtype.map(dtypes::named).transpose()?, false).map(PyTensor)
    }

    /// Name of the dtype, such as ``"float32"``.
    #[getter]
    fn dtype(&self) -> &'static str {
        self.0.dtype().name()
    }

    /// The shape.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.shape().dims())
    }

    /// The elements as an array, or as a NumPy scalar.
    fn numpy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.0.dtype() {
            DType::Resource | DType::Variant => {
                Err(PyTypeError::new_err(format!("a {} has no elements that an array could hold", self.0.dtype())))
            }
            _ => array(py, self.0.clone()),
        }
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err("the elements of a tensor are copied into the array"));
        }
        let made = self.numpy(py)?;
        let numpy = py.import("numpy")?;
        numpy.call_method1("asarray", (made, dtype))
    }

    fn __repr__(&self) -> String {
        format!("<levada.Tensor {}>", self.0)
    }
}

/// The tensor of `value`, with `dtype` or the dtype that NumPy infers. With `share` it may use the array's memory.
pub(crate) fn tensor(value: &Bound<'_, PyAny>, dtype: Option<DType>, share: bool) -> PyResult<Tensor> {
    if let Ok(array) = value.cast::<PyUntypedArray>() {
        return of_array(array, dtype, share);
    }
    if let Some(scalar) = dtype.and_then(|dtype| scalar(value, dtype).transpose()) {
        return scalar;
    }
    if let Ok(tensor) = value.cast_exact::<PyTensor>() {
        return Ok(tensor.get().0.clone());
    }
    let py = value.py();
    let exported = match value.hasattr(intern!(py, "__dlpack__"))? {
        // An object that cannot be exported may still be convertible to an array.
        true => py.import("levada._dlpack")?.call_method1("array", (value,)).ok().filter(|array| !array.is_none()),
        false => None,
    };
    let array = match &exported {
        Some(array) => array.clone(),
        None => plain(value, dtype)?,
    };
    of_array(array.cast::<PyUntypedArray>()?, dtype, share && exported.is_some())
}

/// The array that NumPy makes from a value of another type.
fn plain<'py>(value: &Bound<'py, PyAny>, dtype: Option<DType>) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    let asarray = py.import("numpy")?.getattr("asarray")?;
    let Some(dtype) = dtype else {
        let found = asarray.call1((value,))?;
        // Otherwise a list of strings would become fixed-width strings as long as the longest.
        let kind = found.cast::<PyUntypedArray>()?.dtype().kind();
        return if matches!(kind, b'S' | b'U') { asarray.call1((value, py.get_type::<PyAny>())) } else { Ok(found) };
    };
    match dtype {
        DType::Resource | DType::Variant => {
            Err(PyTypeError::new_err(format!("a {dtype} can only be fed a levada.Tensor that was fetched")))
        }
        _ => asarray.call1((value, dtypes::descr(py, dtypes::converted(dtype))?)),
    }
}

/// The tensor of a single number, bool or string; `None` for anything else.
fn scalar(value: &Bound<'_, PyAny>, dtype: DType) -> PyResult<Option<Tensor>> {
    macro_rules! int {
        ($ty:ty) => {
            Tensor::scalar(value.extract::<$ty>()?)
        };
    }
    Ok(Some(if let Ok(float) = value.cast_exact::<PyFloat>() {
        match dtype {
            DType::F32 => Tensor::scalar(float.value() as f32),
            DType::F64 => Tensor::scalar(float.value()),
            _ => return Ok(None),
        }
    } else if let Ok(truth) = value.cast_exact::<PyBool>() {
        match dtype {
            DType::Bool => Tensor::scalar(truth.is_true()),
            _ => return Ok(None),
        }
    } else if value.cast_exact::<PyInt>().is_ok() {
        match dtype {
            DType::F32 => Tensor::scalar(value.extract::<f64>()? as f32),
            DType::F64 => Tensor::scalar(value.extract::<f64>()?),
            DType::I8 => int!(i8),
            DType::I16 => int!(i16),
            DType::I32 => int!(i32),
            DType::I64 => int!(i64),
            DType::U8 => int!(u8),
            DType::U16 => int!(u16),
            DType::U32 => int!(u32),
            DType::U64 => int!(u64),
            _ => return Ok(None),
        }
    } else if dtype == DType::Str && (value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>()) {
        Tensor::scalar(text(value)?)
    } else {
        return Ok(None);
    }))
}

/// The bytes of a string.
fn text(value: &Bound<'_, PyAny>) -> PyResult<Bytes> {
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(Bytes::copy_from_slice(bytes.as_bytes()));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Bytes::copy_from_slice(text.to_str()?.as_bytes()));
    }
    Err(PyTypeError::new_err(format!("expected str or bytes, found {}", value.get_type().name()?)))
}

fn of_array(array: &Bound<'_, PyUntypedArray>, dtype: Option<DType>, share: bool) -> PyResult<Tensor> {
    let py = array.py();
    let dtype = match dtype {
        Some(dtype) => dtype,
        None => dtypes::of_descr(&array.dtype())?,
    };
    let shape = Shape::new(array.shape().iter().copied()).or_raise(py)?;
    match dtype {
        DType::Str => return strings(array, shape),
        DType::Resource | DType::Variant => return handle(array, dtype),
        _ => {}
    }
    let own = array.dtype();
    let wanted = dtypes::descr(py, dtype)?;
    let fits = own.is(wanted)
        || own.is_equiv_to(wanted)
        || (dtype.is_quantized() && own.is_equiv_to(dtypes::descr(py, dtype.storage())?));
    if fits && array.is_c_contiguous() && array.is_aligned() {
        return of_memory(array, dtype, shape, share);
    }
    // A record of one field is converted from the field's value, by the same rules.
    let target = dtypes::descr(py, dtypes::converted(dtype))?;
    let flags = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED | NPY_ARRAY_NOTSWAPPED | NPY_ARRAY_FORCECAST;
    // SAFETY: the array is one, and the function takes the reference to the dtype that is made for it.
    #[allow(unsafe_code)]
    let converted = unsafe {
        let descr = target.clone().into_dtype_ptr();
        let made = PY_ARRAY_API.PyArray_FromAny(py, array.as_ptr(), descr, 0, 0, flags, ptr::null_mut());
        Bound::from_owned_ptr_or_err(py, made)?
    };
    // The array is not shared, unless it is the original one.
    let is_new = !converted.is(array);
    of_memory(converted.cast::<PyUntypedArray>()?, dtype, shape, share || is_new)
}

/// The tensor of an array with the same elements in the same order.
fn of_memory(array: &Bound<'_, PyUntypedArray>, dtype: DType, shape: Shape, share: bool) -> PyResult<Tensor> {
    let py = array.py();
    let lent = Lent::of(array);
    // Not every byte is a valid bool.
    if share && lent.len >= WORTH_SHARING && dtype != DType::Bool {
        return match Buffer::foreign(Box::new(lent)) {
            Ok(buffer) => Tensor::from_buffer(dtype, shape, buffer).or_raise(py),
            Err(lent) => Tensor::from_bytes(dtype, shape, lent.bytes()).or_raise(py),
        };
    }
    Tensor::from_bytes(dtype, shape, lent.bytes()).or_raise(py)
}

/// The memory of an array, which is kept alive.
struct Lent {
    _array: Py<PyUntypedArray>,
    data: *const u8,
    len: usize,
}

// SAFETY: the memory is the array's, which this keeps, and nothing is ever written to it from here.
#[allow(unsafe_code)]
unsafe impl Send for Lent {}
// SAFETY: as above.
#[allow(unsafe_code)]
unsafe impl Sync for Lent {}

impl Lent {
    /// Of a contiguous array.
    fn of(array: &Bound<'_, PyUntypedArray>) -> Lent {
        let len = array.len() * array.dtype().itemsize();
        // SAFETY: the pointer is that of an array, whose first field it reads.
        #[allow(unsafe_code)]
        let data = unsafe { (*array.as_array_ptr()).fields.data }.cast_const().cast::<u8>();
        let data = if len == 0 { ptr::NonNull::<u128>::dangling().as_ptr().cast::<u8>() } else { data.cast_mut() };
        Lent { _array: array.clone().unbind(), data, len }
    }
}

impl Foreign for Lent {
    fn bytes(&self) -> &[u8] {
        // SAFETY: a contiguous array has `len` bytes there as long as it lives. A program that changes the array while a run
        // reads it gets what it asks for: NumPy's own functions make no other promise.
        #[allow(unsafe_code)]
        unsafe {
            std::slice::from_raw_parts(self.data, self.len)
        }
    }
}

/// The tensor of an array of strings.
fn strings(array: &Bound<'_, PyUntypedArray>, shape: Shape) -> PyResult<Tensor> {
    let py = array.py();
    let flat = array.call_method0(intern!(py, "ravel"))?.call_method0(intern!(py, "tolist"))?;
    let items: Vec<Bytes> = flat.cast::<PyList>()?.iter().map(|item| text(&item)).collect::<PyResult<_>>()?;
    Tensor::from_vec(shape, items).or_raise(py)
}

/// The tensor of an array of handles.
fn handle(array: &Bound<'_, PyUntypedArray>, dtype: DType) -> PyResult<Tensor> {
    let item = array.call_method0("item").ok();
    match item.as_ref().and_then(|item| item.cast_exact::<PyTensor>().ok()) {
        Some(tensor) => Ok(tensor.get().0.clone()),
        None => Err(PyTypeError::new_err(format!("a {dtype} can only be fed a levada.Tensor that was fetched"))),
    }
}

/// The array of a tensor; for a scalar tensor a NumPy scalar, or bytes.
pub(crate) fn array(py: Python<'_>, mut tensor: Tensor) -> PyResult<Bound<'_, PyAny>> {
    let dtype = tensor.dtype();
    match dtype {
        DType::Str => return string_array(py, &tensor),
        DType::Resource | DType::Variant => return Ok(Bound::new(py, PyTensor(tensor))?.into_any()),
        _ => {}
    }
    let descr = dtypes::descr(py, dtype)?;
    let rank = tensor.shape().rank();
    let elements = |bytes: Option<&[u8]>| {
        bytes.map(|bytes| (bytes.as_ptr().cast_mut(), bytes.len())).ok_or_else(|| {
            PyValueError::new_err("the elements of a tensor that was fetched are not in the host's memory")
        })
    };
    let (data, len) = elements(tensor.bytes())?;
    if rank == 0 {
        // SAFETY: there is one element of this dtype, which is copied.
        #[allow(unsafe_code)]
        return unsafe {
            let made = PY_ARRAY_API.PyArray_Scalar(py, data.cast(), descr.as_dtype_ptr(), ptr::null_mut());
            Bound::from_owned_ptr_or_err(py, made)
        };
    }
    if len <= WORTH_WRAPPING || !tensor.is_unique() {
        let made = new_array(py, descr, tensor.shape().dims(), None)?;
        // SAFETY: the array is new, contiguous, of the same dtype and shape, and so as long.
        #[allow(unsafe_code)]
        unsafe {
            let target = (*made.cast::<PyUntypedArray>()?.as_array_ptr()).fields.data;
            ptr::copy_nonoverlapping(data, target.cast(), len);
        }
        return Ok(made);
    }
    let dims: Vec<usize> = tensor.shape().dims().to_vec();
    // Through a unique reference, so that it may be written to.
    let data = tensor.bytes_mut().map_or(ptr::null_mut(), <[u8]>::as_mut_ptr);
    let owner = Bound::new(py, PyTensorMemory { _tensor: tensor })?;
    let made = new_array(py, descr, &dims, Some(data))?;
    // SAFETY: the array reads and writes memory of the tensor, which nobody else holds and which stays where it is as long
    // as the owner lives. The array takes the reference to the owner.
    #[allow(unsafe_code)]
    let failed =
        unsafe { PY_ARRAY_API.PyArray_SetBaseObject(py, made.as_ptr().cast(), owner.into_any().into_ptr()) != 0 };
    if failed { Err(PyErr::fetch(py)) } else { Ok(made) }
}

/// The owner of the memory of an array that wraps a tensor.
#[pyclass(frozen, name = "TensorMemory", module = "levada._levada")]
struct PyTensorMemory {
    _tensor: Tensor,
}

/// An array of this dtype and shape: in this memory, or in its own uninitialized memory.
fn new_array<'py>(
    py: Python<'py>,
    descr: &Bound<'py, PyArrayDescr>,
    dims: &[usize],
    data: Option<*mut u8>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut dims: Vec<npy_intp> = dims.iter().map(|&dim| dim as npy_intp).collect();
    let (data, flags) = data.map_or((ptr::null_mut(), 0), |data| (data, NPY_ARRAY_CARRAY));
    // SAFETY: as many sizes as axes; the function takes the reference to the dtype that is made for it.
    #[allow(unsafe_code)]
    unsafe {
        let ty = PyUntypedArray::type_object_raw(py);
        let (descr, rank) = (descr.clone().into_dtype_ptr(), dims.len() as i32);
        let dims = dims.as_mut_ptr();
        let made = PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            ty,
            descr,
            rank,
            dims,
            ptr::null_mut(),
            data.cast(),
            flags,
            ptr::null_mut(),
        );
        Bound::from_owned_ptr_or_err(py, made)
    }
}

fn string_array<'py>(py: Python<'py>, tensor: &Tensor) -> PyResult<Bound<'py, PyAny>> {
    let items = tensor.slice::<Bytes>().or_raise(py)?;
    if let ([item], true) = (items, tensor.shape().is_scalar()) {
        return Ok(PyBytes::new(py, item).into_any());
    }
    let items: Vec<Py<PyAny>> = items.iter().map(|item| PyBytes::new(py, item).into_any().unbind()).collect();
    let flat = numpy::PyArray1::from_vec(py, items);
    flat.call_method1(intern!(py, "reshape"), (PyTuple::new(py, tensor.shape().dims())?,))
}

/// The tensors returned by a function that a node called.
pub(crate) fn results(value: &Bound<'_, PyAny>, types: &[DType]) -> PyResult<Vec<Tensor>> {
    let values: Vec<Bound<'_, PyAny>> = if value.is_none() && types.is_empty() {
        Vec::new()
    } else if let Ok(list) = value.cast::<PyList>() {
        // A list may be one array, or one value for each result.
        if types.len() == 1 && list.len() != 1 { vec![value.clone()] } else { list.iter().collect() }
    } else if let Ok(tuple) = value.cast::<PyTuple>() {
        tuple.iter().collect()
    } else {
        vec![value.clone()]
    };
    let convert = |(i, value): (usize, &Bound<'_, PyAny>)| {
        // An array determines its dtype; other values are converted to the expected dtype.
        let is_typed = value.cast::<PyUntypedArray>().is_ok() || value.hasattr("dtype")?;
        tensor(value, if is_typed { None } else { types.get(i).copied() }, false)
    };
    values.iter().enumerate().map(convert).collect()
}

/// Calls `function` with `inputs` as arrays.
pub(crate) fn call<'py>(
    py: Python<'py>,
    function: &Bound<'py, PyAny>,
    inputs: Vec<Tensor>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let arguments: Vec<Bound<'_, PyAny>> = inputs.into_iter().map(|input| array(py, input)).collect::<PyResult<_>>()?;
    function.call(PyTuple::new(py, arguments)?, keywords)
}
