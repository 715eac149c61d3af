//! Tensors: a dtype, a shape, and reference-counted elements.

use crate::bools;
use crate::buffer::{Buffer, Charge, Ledger};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::object::{DeviceMemory, Handle, Variant};
use crate::shape::Shape;
use bytes::Bytes;
use half::{bf16, f16};
use ndarray::{ArrayViewD, ArrayViewMutD, IxDyn};
use num_complex::{Complex32, Complex64};
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Tensors of at most this many bytes store their elements inline.
const INLINE_BYTES: usize = 16;

/// An array of elements of one dtype, row-major. Cloning shares the elements; changing shared ones copies first.
#[derive(Clone)]
pub struct Tensor {
    dtype: DType,
    shape: Shape,
    data: Data,
}

#[derive(Clone)]
enum Data {
    Inline([u64; 2]),
    Bytes { buffer: Arc<Buffer>, offset: usize },
    Strings { items: Arc<Items<Bytes>>, offset: usize },
    Handles { items: Arc<Items<Handle>>, offset: usize },
    Variants { items: Arc<Items<Variant>>, offset: usize },
    Device { memory: Arc<dyn DeviceMemory>, offset: usize },
}

/// Elements that are objects, and their memory charge.
struct Items<T> {
    values: Vec<T>,
    charge: OnceLock<Charge>,
}

impl<T> Items<T> {
    fn shared(values: Vec<T>) -> Arc<Items<T>> {
        Arc::new(Items { values, charge: OnceLock::new() })
    }

    /// Charges the elements to an account, unless they are charged already. `bytes`: bytes per element beyond its own
    /// size.
    fn charge(&self, ledger: &Arc<dyn Ledger>, bytes: impl Fn(&T) -> usize) -> Result<()> {
        let each = |value| size_of::<T>() + bytes(value);
        Charge::once(&self.charge, ledger, || self.values.iter().map(each).fold(0, usize::saturating_add))
    }
}

impl<T: Clone> Clone for Items<T> {
    fn clone(&self) -> Items<T> {
        Items { values: self.values.clone(), charge: OnceLock::new() }
    }
}

fn no_memory(dtype: DType, shape: &Shape) -> Error {
    let size = if dtype.is_plain() { dtype.size() } else { size_of::<Variant>() };
    let bytes = shape.num_elements().saturating_mul(size);
    Error::resource_exhausted(format!("no memory for a tensor of {dtype} and shape {shape}, {bytes} bytes"))
}

/// `n` default elements, or `None` if the allocation fails.
fn try_filled<T: Clone + Default>(n: usize) -> Option<Vec<T>> {
    let mut items = Vec::new();
    items.try_reserve_exact(n).ok()?;
    items.resize(n, T::default());
    Some(items)
}

/// A Rust type of tensor elements.
pub trait Element: Clone + Default + PartialEq + Send + Sync + fmt::Debug + Sized + 'static {
    /// The dtype of tensors of this type.
    const DTYPE: DType;
    #[doc(hidden)]
    fn read(tensor: &Tensor) -> Option<&[Self]>;
    #[doc(hidden)]
    fn write(tensor: &mut Tensor) -> Option<&mut [Self]>;
    #[doc(hidden)]
    fn build(shape: Shape, values: Vec<Self>) -> Tensor;
    /// The elements of an unshared tensor that was made from a vector, without copying; otherwise the tensor.
    #[doc(hidden)]
    fn take(tensor: Tensor) -> Result<Vec<Self>, Tensor>;
}

macro_rules! plain_elements {
    ($($ty:tt => $dtype:ident),*) => {$(
        impl Element for $ty {
            const DTYPE: DType = DType::$dtype;
            plain_elements!(@slices $ty);
        }
    )*};
    // Not every byte is a valid bool, so vectors of bools are stored as vectors of bytes and cannot be taken back.
    (@slices bool) => {
        #[inline]
        fn read(tensor: &Tensor) -> Option<&[bool]> {
            bools::of(tensor.bytes()?)
        }
        #[inline]
        fn write(tensor: &mut Tensor) -> Option<&mut [bool]> {
            bools::of_mut(tensor.bytes_mut()?)
        }
        fn build(shape: Shape, values: Vec<bool>) -> Tensor {
            Tensor::of_plain(DType::Bool, shape, values.into_iter().map(u8::from).collect())
        }
        fn take(tensor: Tensor) -> Result<Vec<bool>, Tensor> {
            Err(tensor)
        }
    };
    (@slices $ty:ty) => {
        #[inline]
        fn read(tensor: &Tensor) -> Option<&[Self]> {
            bytemuck::try_cast_slice(tensor.bytes()?).ok()
        }
        #[inline]
        fn write(tensor: &mut Tensor) -> Option<&mut [Self]> {
            bytemuck::try_cast_slice_mut(tensor.bytes_mut()?).ok()
        }
        fn build(shape: Shape, values: Vec<Self>) -> Tensor {
            Tensor::of_plain(Self::DTYPE, shape, values)
        }
        fn take(tensor: Tensor) -> Result<Vec<Self>, Tensor> {
            tensor.take_plain()
        }
    };
}

plain_elements! {
    f32 => F32, f64 => F64, i32 => I32, u8 => U8, i16 => I16, i8 => I8, i64 => I64, bool => Bool, u16 => U16,
    u32 => U32, u64 => U64, f16 => F16, bf16 => BF16, Complex32 => C64, Complex64 => C128
}

macro_rules! object_elements {
    ($($ty:ty => $dtype:ident $data:ident),*) => {$(
        impl Element for $ty {
            const DTYPE: DType = DType::$dtype;
            fn read(tensor: &Tensor) -> Option<&[Self]> {
                match &tensor.data {
                    Data::$data { items, offset } => items.values.get(*offset..*offset + tensor.shape.num_elements()),
                    _ => None,
                }
            }
            fn write(tensor: &mut Tensor) -> Option<&mut [Self]> {
                let n = tensor.shape.num_elements();
                match &mut tensor.data {
                    Data::$data { items, offset } => {
                        let items = Arc::make_mut(items);
                        // Their size may change.
                        items.charge.take();
                        items.values.get_mut(*offset..*offset + n)
                    }
                    _ => None,
                }
            }
            fn build(shape: Shape, values: Vec<Self>) -> Tensor {
                Tensor { dtype: Self::DTYPE, shape, data: Data::$data { items: Items::shared(values), offset: 0 } }
            }
            fn take(tensor: Tensor) -> Result<Vec<Self>, Tensor> {
                let Tensor { dtype, shape, data } = tensor;
                match data {
                    Data::$data { items, offset: 0 } if items.values.len() == shape.num_elements() => Arc::try_unwrap(items)
                        .map(|items| items.values)
                        .map_err(|items| Tensor { dtype, shape, data: Data::$data { items, offset: 0 } }),
                    data => Err(Tensor { dtype, shape, data }),
                }
            }
        }
    )*};
}

object_elements! { Bytes => Str Strings, Handle => Resource Handles, Variant => Variant Variants }

impl Tensor {
    /// A tensor of zeros, `false`, empty strings or empty handles.
    pub fn zeros(dtype: DType, shape: Shape) -> Tensor {
        let n = shape.num_elements();
        let data = match dtype {
            DType::Str => Data::Strings { items: Items::shared(vec![Bytes::new(); n]), offset: 0 },
            DType::Resource => Data::Handles { items: Items::shared(vec![Handle::default(); n]), offset: 0 },
            DType::Variant => Data::Variants { items: Items::shared(vec![Variant::default(); n]), offset: 0 },
            _ if n * dtype.size() <= INLINE_BYTES => Data::Inline([0; 2]),
            _ => Data::Bytes { buffer: Arc::new(Buffer::zeroed(n * dtype.size())), offset: 0 },
        };
        Tensor { dtype, shape, data }
    }

    /// As [`Tensor::zeros`], for sizes that come from a graph, a feed or a file.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` if the allocation fails.
    pub fn try_zeros(dtype: DType, shape: Shape) -> Result<Tensor> {
        let n = shape.num_elements();
        let no_memory = || no_memory(dtype, &shape);
        let data = match dtype {
            DType::Str => Data::Strings { items: Items::shared(try_filled(n).ok_or_else(no_memory)?), offset: 0 },
            DType::Resource => Data::Handles { items: Items::shared(try_filled(n).ok_or_else(no_memory)?), offset: 0 },
            DType::Variant => Data::Variants { items: Items::shared(try_filled(n).ok_or_else(no_memory)?), offset: 0 },
            _ if n.saturating_mul(dtype.size()) <= INLINE_BYTES => Data::Inline([0; 2]),
            _ => {
                let bytes = n.checked_mul(dtype.size()).ok_or_else(no_memory)?;
                let buffer = Buffer::try_zeroed(bytes).ok_or_else(no_memory)?;
                Data::Bytes { buffer: Arc::new(buffer), offset: 0 }
            }
        };
        Ok(Tensor { dtype, shape, data })
    }

    /// True if such a tensor needs a [`Buffer`]: its elements are plain and do not fit inline.
    pub fn needs_buffer(dtype: DType, shape: &Shape) -> bool {
        dtype.is_plain() && shape.num_elements() * dtype.size() > INLINE_BYTES
    }

    /// A tensor in `buffer`, which must hold exactly its bytes.
    ///
    /// # Errors
    /// `INTERNAL` if the sizes do not match or the dtype is not plain; bool buffers are checked when they are read.
    pub fn from_buffer(dtype: DType, shape: Shape, buffer: Buffer) -> Result<Tensor> {
        if !dtype.is_plain() || buffer.len() != shape.num_elements() * dtype.size() {
            return Err(Error::internal(format!(
                "{} bytes cannot hold a {dtype} tensor of shape {shape}",
                buffer.len()
            )));
        }
        Ok(Tensor { dtype, shape, data: Data::Bytes { buffer: Arc::new(buffer), offset: 0 } })
    }

    /// A tensor in the memory of a device.
    pub fn on_device(dtype: DType, shape: Shape, memory: Arc<dyn DeviceMemory>) -> Tensor {
        Tensor { dtype, shape, data: Data::Device { memory, offset: 0 } }
    }

    /// A tensor from little-endian bytes.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if there are too few or too many bytes, or the dtype is not plain.
    pub fn from_bytes(dtype: DType, shape: Shape, bytes: &[u8]) -> Result<Tensor> {
        let expected = shape.num_elements() * dtype.size();
        if !dtype.is_plain() || bytes.len() != expected {
            return Err(Error::invalid(format!("the bytes do not fill a tensor of {dtype} and shape {shape}"))
                .expected(format!("{expected} bytes"))
                .found(format!("{} bytes", bytes.len())));
        }
        if dtype != DType::Bool && Tensor::needs_buffer(dtype, &shape) {
            let buffer = Buffer::try_copy(bytes).ok_or_else(|| no_memory(dtype, &shape))?;
            return Tensor::from_buffer(dtype, shape, buffer);
        }
        let mut tensor = Tensor::try_zeros(dtype, shape)?;
        let out = tensor.bytes_mut().expect("a plain tensor on the host has bytes");
        match dtype {
            DType::Bool => out.iter_mut().zip(bytes).for_each(|(o, b)| *o = u8::from(*b != 0)),
            _ => out.copy_from_slice(bytes),
        }
        Ok(tensor)
    }

    /// A scalar.
    pub fn scalar<T: Element>(value: T) -> Tensor {
        T::build(Shape::scalar(), vec![value])
    }

    /// A scalar string.
    pub fn string(value: impl AsRef<[u8]>) -> Tensor {
        Tensor::scalar(Bytes::copy_from_slice(value.as_ref()))
    }

    /// A tensor that takes over the memory of `values` if it is large enough and aligned, and copies it otherwise.
    fn of_plain<T: bytemuck::Pod + Send + Sync>(dtype: DType, shape: Shape, values: Vec<T>) -> Tensor {
        let values = match size_of_val(&values[..]) <= INLINE_BYTES {
            true => values,
            false => match Buffer::from_vec(values) {
                Ok(buffer) => {
                    return Tensor { dtype, shape, data: Data::Bytes { buffer: Arc::new(buffer), offset: 0 } };
                }
                Err(values) => values,
            },
        };
        let mut tensor = Tensor::zeros(dtype, shape);
        let bytes = tensor.bytes_mut().expect("a plain tensor on the host has bytes");
        bytes.copy_from_slice(bytemuck::cast_slice(&values));
        tensor
    }

    /// The vector that the tensor was made from, if it is not shared.
    fn take_plain<T: bytemuck::Pod>(mut self) -> Result<Vec<T>, Tensor> {
        let len = self.num_elements() * self.dtype.size();
        match &mut self.data {
            Data::Bytes { buffer, offset: 0 } if buffer.len() == len => {
                match Arc::get_mut(buffer).and_then(Buffer::take_vec) {
                    Some(vector) => Ok(vector),
                    None => Err(self),
                }
            }
            _ => Err(self),
        }
    }

    /// A tensor of these elements in row-major order. It takes over their memory, unless more than a quarter of it is
    /// spare.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if their number does not match the shape.
    pub fn from_vec<T: Element>(shape: Shape, values: Vec<T>) -> Result<Tensor> {
        if shape.num_elements() != values.len() {
            return Err(Error::invalid(format!("{} elements do not fill the shape {shape}", values.len())));
        }
        Ok(T::build(shape, values))
    }

    /// A vector of these elements.
    pub fn vector<T: Element>(values: Vec<T>) -> Tensor {
        T::build(Shape::vector(values.len()), values)
    }

    /// The element type.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The shape.
    #[inline]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Number of elements.
    #[inline]
    pub fn num_elements(&self) -> usize {
        self.shape.num_elements()
    }

    /// Bytes that the elements take; for strings the sum of their lengths.
    pub fn num_bytes(&self) -> usize {
        match <Bytes as Element>::read(self) {
            Some(strings) => strings.iter().map(Bytes::len).sum(),
            None => self.num_elements() * self.dtype.size(),
        }
    }

    /// Charges the memory of the elements to an account until the last tensor that shares them is dropped, unless it is
    /// charged already. Inline elements and those in the memory of a device are not counted; neither are the tensors
    /// within variants.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED` if a limit would be exceeded.
    pub fn charge(&self, ledger: &Arc<dyn Ledger>) -> Result<()> {
        match &self.data {
            Data::Inline(_) | Data::Device { .. } => Ok(()),
            Data::Bytes { buffer, .. } => buffer.charge(ledger),
            Data::Strings { items, .. } => items.charge(ledger, Bytes::len),
            Data::Handles { items, .. } => items.charge(ledger, |_| 0),
            Data::Variants { items, .. } => items.charge(ledger, Variant::held),
        }
    }

    /// The elements.
    ///
    /// # Errors
    /// `INTERNAL` if the dtype is not `T`'s, or the elements are in the memory of a device.
    #[inline]
    pub fn slice<T: Element>(&self) -> Result<&[T]> {
        if self.dtype.storage() == T::DTYPE
            && let Some(slice) = <T as Element>::read(self)
        {
            return Ok(slice);
        }
        Err(self.not_a(T::DTYPE))
    }

    /// The elements, mutable; copied first if another tensor shares them.
    ///
    /// # Errors
    /// As [`Tensor::slice`].
    #[inline]
    pub fn slice_mut<T: Element>(&mut self) -> Result<&mut [T]> {
        if self.dtype.storage() != T::DTYPE || matches!(self.data, Data::Device { .. }) {
            return Err(self.not_a(T::DTYPE));
        }
        let bytes = self.num_elements().saturating_mul(self.dtype.size());
        let is_plain = matches!(self.data, Data::Bytes { .. });
        T::write(self).ok_or_else(|| Tensor::not_writable(is_plain, bytes))
    }

    #[cold]
    fn not_writable(is_plain: bool, bytes: usize) -> Error {
        match is_plain {
            true => Error::resource_exhausted(format!("no memory for a copy of a tensor of {bytes} bytes")),
            false => Error::internal("a tensor holds elements that are not of its dtype"),
        }
    }

    #[cold]
    fn not_a(&self, dtype: DType) -> Error {
        match &self.data {
            Data::Device { memory, .. } => {
                Error::internal(format!("a {} tensor is in the memory of {}", self.dtype, memory.device()))
            }
            _ => Error::invalid(format!("expected a tensor of type {dtype}, found {}", self.dtype)),
        }
    }

    /// The elements as an n-dimensional view.
    ///
    /// # Errors
    /// As [`Tensor::slice`].
    pub fn view<T: Element>(&self) -> Result<ArrayViewD<'_, T>> {
        ArrayViewD::from_shape(IxDyn(&self.shape), self.slice()?)
            .map_err(|e| Error::internal(format!("a tensor of shape {} has no view: {e}", self.shape)))
    }

    /// The elements as a mutable n-dimensional view; `None` if another tensor shares them, since they would have to be
    /// copied first. [`Tensor::slice_mut`] does that.
    ///
    /// ```
    /// use levada_graph::{Shape, Tensor};
    /// use ndarray::Axis;
    /// let mut t = Tensor::from_vec(Shape::new([2, 3])?, vec![0f32; 6])?;
    /// t.view_mut::<f32>()?.expect("no other tensor shares it").index_axis_mut(Axis(0), 1).fill(7.0);
    /// assert_eq!(t.row(1)?.slice::<f32>()?, [7.0; 3]);
    ///
    /// let shared = t.clone();
    /// assert!(t.view_mut::<f32>()?.is_none());
    /// # drop(shared);
    /// # Ok::<(), levada_graph::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Tensor::slice`].
    pub fn view_mut<T: Element>(&mut self) -> Result<Option<ArrayViewMutD<'_, T>>> {
        self.slice::<T>()?;
        if !self.is_unique() {
            return Ok(None);
        }
        let (dims, shape) = (IxDyn(&self.shape), self.shape.clone());
        ArrayViewMutD::from_shape(dims, self.slice_mut()?)
            .map(Some)
            .map_err(|e| Error::internal(format!("a tensor of shape {shape} has no view: {e}")))
    }

    /// The elements in row-major order. Not copied if the tensor was made from a vector of them and is not shared.
    ///
    /// # Errors
    /// As [`Tensor::slice`].
    pub fn into_vec<T: Element>(self) -> Result<Vec<T>> {
        self.slice::<T>()?;
        T::take(self).or_else(|tensor| tensor.slice::<T>().map(<[T]>::to_vec))
    }

    /// The element of a tensor that has exactly one.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for another number of elements, and as [`Tensor::slice`].
    pub fn item<T: Element>(&self) -> Result<T> {
        match self.slice::<T>()? {
            [value] => Ok(value.clone()),
            _ => Err(Error::invalid(format!("expected one element, found a tensor of shape {}", self.shape))),
        }
    }

    /// Integers of any width as i64, in row-major order.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for other dtypes, `RESOURCE_EXHAUSTED` if the allocation fails.
    pub fn to_i64s(&self) -> Result<Vec<i64>> {
        fn widen<T: Element + Copy + TryInto<i64>>(t: &Tensor) -> Result<Vec<i64>> {
            let from = t.slice::<T>()?;
            let mut wide = Vec::new();
            let none = |_| Error::resource_exhausted(format!("no memory for {} integers", from.len()));
            wide.try_reserve_exact(from.len()).map_err(none)?;
            for &v in from {
                wide.push(v.try_into().map_err(|_| Error::invalid("an integer does not fit into int64"))?);
            }
            Ok(wide)
        }
        match self.dtype.storage() {
            _ if self.dtype.is_narrow() => match self.widened() {
                Some(wide) if wide.dtype != DType::F32 => wide.to_i64s(),
                _ => Err(Error::invalid(format!("expected integers, found {}", self.dtype))),
            },
            DType::I64 => widen::<i64>(self),
            DType::I32 => widen::<i32>(self),
            DType::I16 => widen::<i16>(self),
            DType::I8 => widen::<i8>(self),
            DType::U8 => widen::<u8>(self),
            DType::U16 => widen::<u16>(self),
            DType::U32 => widen::<u32>(self),
            DType::U64 => widen::<u64>(self),
            other => Err(Error::invalid(format!("expected integers, found {other}"))),
        }
    }

    /// The raw bytes of a plain tensor on the host.
    #[inline]
    pub fn bytes(&self) -> Option<&[u8]> {
        let len = self.shape.num_elements() * self.dtype.size();
        match &self.data {
            Data::Inline(words) => Some(&bytemuck::bytes_of(words)[..len]),
            Data::Bytes { buffer, offset } => Some(&buffer.bytes()[*offset..*offset + len]),
            _ => None,
        }
    }

    /// The raw bytes of a plain tensor on the host, mutable; copied first if another tensor shares them. `None` also if
    /// the allocation of the copy fails.
    #[inline]
    pub fn bytes_mut(&mut self) -> Option<&mut [u8]> {
        let len = self.shape.num_elements() * self.dtype.size();
        match &mut self.data {
            Data::Inline(words) => Some(&mut bytemuck::bytes_of_mut(words)[..len]),
            Data::Bytes { buffer, offset } => {
                if Arc::get_mut(buffer).is_none() {
                    let mut copy = Buffer::try_zeroed(len)?;
                    copy.bytes_mut().copy_from_slice(&buffer.bytes()[*offset..*offset + len]);
                    (*buffer, *offset) = (Arc::new(copy), 0);
                }
                let buffer = Arc::get_mut(buffer).expect("nobody else holds a buffer that was just made");
                Some(&mut buffer.bytes_mut()[*offset..*offset + len])
            }
            _ => None,
        }
    }

    /// True if this and `other` are the same elements in the same memory, with the same shape.
    pub fn is_same(&self, other: &Tensor) -> bool {
        let shared = match (&self.data, &other.data) {
            (Data::Bytes { buffer: a, offset: i }, Data::Bytes { buffer: b, offset: j }) => Arc::ptr_eq(a, b) && i == j,
            (Data::Strings { items: a, offset: i }, Data::Strings { items: b, offset: j }) => {
                Arc::ptr_eq(a, b) && i == j
            }
            (Data::Handles { items: a, offset: i }, Data::Handles { items: b, offset: j }) => {
                Arc::ptr_eq(a, b) && i == j
            }
            (Data::Variants { items: a, offset: i }, Data::Variants { items: b, offset: j }) => {
                Arc::ptr_eq(a, b) && i == j
            }
            _ => false,
        };
        shared && self.dtype == other.dtype && self.shape == other.shape
    }

    /// True if the elements are in memory owned by other code: [`Buffer::foreign`].
    pub fn is_foreign(&self) -> bool {
        matches!(&self.data, Data::Bytes { buffer, .. } if buffer.is_foreign())
    }

    /// The device memory and the byte offset in it, for a tensor on a device.
    pub fn device_memory(&self) -> Option<(&Arc<dyn DeviceMemory>, usize)> {
        match &self.data {
            Data::Device { memory, offset } => Some((memory, *offset)),
            _ => None,
        }
    }

    /// True if no other tensor shares the elements and no other code owns them, so that they can be changed without
    /// copying.
    pub fn is_unique(&mut self) -> bool {
        match &mut self.data {
            Data::Inline(_) => true,
            Data::Bytes { buffer, .. } => Arc::get_mut(buffer).is_some_and(|buffer| !buffer.is_foreign()),
            Data::Strings { items, .. } => Arc::get_mut(items).is_some(),
            Data::Handles { items, .. } => Arc::get_mut(items).is_some(),
            Data::Variants { items, .. } => Arc::get_mut(items).is_some(),
            Data::Device { memory, .. } => Arc::get_mut(memory).is_some(),
        }
    }

    /// The same elements in another shape.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the number of elements differs.
    pub fn reshaped(mut self, shape: Shape) -> Result<Tensor> {
        if shape.num_elements() != self.num_elements() {
            return Err(Error::invalid(format!(
                "a tensor of shape {} with {} elements cannot take the shape {shape}",
                self.shape,
                self.num_elements()
            )));
        }
        self.shape = shape;
        Ok(self)
    }

    /// The same bytes read as another dtype of the same element size (`qint8` and `int8`, `float32` and `int32`).
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the element sizes differ or one of the dtypes is not plain.
    pub fn reinterpreted(mut self, dtype: DType) -> Result<Tensor> {
        if !dtype.is_plain() || dtype.size() != self.dtype.size() {
            return Err(Error::invalid(format!("{} elements cannot be read as {dtype}", self.dtype)));
        }
        self.dtype = dtype;
        Ok(self)
    }

    /// The values of a tensor of a [narrow](DType::is_narrow) dtype: floats as float32, integers as int8 or uint8.
    /// `None` for other dtypes, and for a tensor on a device.
    pub fn widened(&self) -> Option<Tensor> {
        let bytes = self.bytes().filter(|_| self.dtype.is_narrow())?;
        let values = bytes.iter().map(|&b| self.dtype.narrow_value(b));
        let shape = self.shape.clone();
        Some(match self.dtype.wide() {
            DType::F32 => f32::build(shape, values.collect()),
            DType::I8 => i8::build(shape, values.map(|v| v as i8).collect()),
            _ => u8::build(shape, values.map(|v| v as u8).collect()),
        })
    }

    /// Rows `range` of the first axis. Shares the elements.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a scalar or a range past the end.
    pub fn rows(&self, range: Range<usize>) -> Result<Tensor> {
        if self.shape.is_scalar() || range.start > range.end || range.end > self.shape[0] {
            return Err(Error::invalid(format!("rows {range:?} of a tensor of shape {} do not exist", self.shape)));
        }
        let row = self.shape[1..].iter().product::<usize>();
        let shape = Shape::new(std::iter::once(range.len()).chain(self.shape[1..].iter().copied()))?;
        self.part(range.start * row, shape)
    }

    /// A tensor of shape `shape` made of the elements from index `skip` on. Shares the elements.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if it extends past the end.
    pub fn part(&self, skip: usize, shape: Shape) -> Result<Tensor> {
        if skip.checked_add(shape.num_elements()).is_none_or(|end| end > self.num_elements()) {
            return Err(Error::invalid(format!(
                "a tensor of shape {} has no part of shape {shape} from element {skip} on",
                self.shape
            )));
        }
        let bytes = shape.num_elements() * self.dtype.size();
        let mut data = self.data.clone();
        match &mut data {
            Data::Inline(words) => {
                let mut moved = [0u64; 2];
                let from = skip * self.dtype.size();
                bytemuck::bytes_of_mut(&mut moved)[..bytes]
                    .copy_from_slice(&bytemuck::bytes_of(words)[from..from + bytes]);
                *words = moved;
            }
            Data::Bytes { offset, .. } | Data::Device { offset, .. } => *offset += skip * self.dtype.size(),
            Data::Strings { offset, .. } | Data::Handles { offset, .. } | Data::Variants { offset, .. } => {
                *offset += skip;
            }
        }
        Ok(Tensor { dtype: self.dtype, shape, data })
    }

    /// Row `i` of the first axis, without that axis. Shares the elements.
    ///
    /// # Errors
    /// As [`Tensor::rows`].
    pub fn row(&self, i: usize) -> Result<Tensor> {
        let mut row = self.rows(i..i + 1)?;
        row.shape = Shape::new(row.shape[1..].iter().copied())?;
        Ok(row)
    }
}

/// Runs `$body` with `$T` as the Rust type of `$dtype`, for dtypes of the named group: `any` (every dtype), `plain`
/// (all but strings, resources, variants), `numbers`, `reals` (no complex), `floats`, `floats_complex`, `integers`,
/// `index` (int32, int64). Other dtypes evaluate the `else` expression. In `any` and `plain`, quantized and narrow
/// types use their storage type.
///
/// ```
/// use levada_graph::{dispatch, DType, Error, Element};
/// let size = |d: DType| -> Result<usize, Error> {
///     dispatch!(d, numbers, |T| Ok(size_of::<T>()), else Err(Error::invalid("not a number")))
/// };
/// assert_eq!(size(DType::F32).unwrap(), 4);
/// assert!(size(DType::Str).is_err());
/// ```
#[macro_export]
macro_rules! dispatch {
    (@go $d:expr, $T:ident, $body:expr, $else:expr, [$($v:ident $ty:ty),*]) => {
        match $d {
            $($crate::DType::$v => { type $T = $ty; $body })*
            #[allow(unreachable_patterns)]
            _ => $else,
        }
    };
    ($d:expr, any, |$T:ident| $body:expr, else $else:expr) => {
        $crate::dispatch!(@go $d.storage(), $T, $body, $else, [F32 f32, F64 f64, I32 i32, U8 u8, I16 i16, I8 i8, I64 i64,
            Bool bool, U16 u16, U32 u32, U64 u64, F16 $crate::f16, BF16 $crate::bf16, C64 $crate::Complex32,
            C128 $crate::Complex64, Str $crate::Bytes, Resource $crate::Handle, Variant $crate::Variant])
    };
    ($d:expr, plain, |$T:ident| $body:expr, else $else:expr) => {
        $crate::dispatch!(@go $d.storage(), $T, $body, $else, [F32 f32, F64 f64, I32 i32, U8 u8, I16 i16, I8 i8, I64 i64,
            Bool bool, U16 u16, U32 u32, U64 u64, F16 $crate::f16, BF16 $crate::bf16, C64 $crate::Complex32,
            C128 $crate::Complex64])
    };
    ($d:expr, numbers, |$T:ident| $body:expr, else $else:expr) => {
        $crate::dispatch!(@go $d, $T, $body, $else, [F32 f32, F64 f64, I32 i32, U8 u8, I16 i16, I8 i8, I64 i64,
            U16 u16, U32 u32, U64 u64, F16 $crate::f16, BF16 $crate::bf16, C64 $crate::Complex32,
            C128 $crate::Complex64])
    };
    ($d:expr, reals, |$T:ident| $body:expr, else $else:expr) => {
        $crate::dispatch!(@go $d, $T, $body, $else, [F32 f32, F64 f64, I32 i32, U8 u8, I16 i16, I8 i8, I64 i64,
            U16 u16, U32 u32, U64 u64, F16 $crate::f16, BF16 $crate::bf16])
    };
    ($d:expr, floats_complex, |$T:ident| $body:expr, else $else:expr) => {
        $crate::dispatch!(@go $d, $T, $body, $else, [F32 f32, F64 f64, F16 $crate::f16, BF16 $crate::bf16,
            C64 $crate::Complex32, C128 $crate::Complex64])
    };
    ($d:expr, floats, |$T:ident| $body:expr, else $else:expr) => {
        $crate::dispatch!(@go $d, $T, $body, $else, [F32 f32, F64 f64, F16 $crate::f16, BF16 $crate::bf16])
    };
    ($d:expr, integers, |$T:ident| $body:expr, else $else:expr) => {
        $crate::dispatch!(@go $d, $T, $body, $else, [I32 i32, U8 u8, I16 i16, I8 i8, I64 i64, U16 u16, U32 u32, U64 u64])
    };
    ($d:expr, index, |$T:ident| $body:expr, else $else:expr) => {
        $crate::dispatch!(@go $d, $T, $body, $else, [I32 i32, I64 i64])
    };
}

impl PartialEq for Tensor {
    /// Same dtype, shape and elements; NaN differs from NaN.
    fn eq(&self, other: &Tensor) -> bool {
        if let (Some(wide), Some(other_wide)) = (self.widened(), other.widened()) {
            return self.dtype == other.dtype && wide == other_wide;
        }
        self.dtype == other.dtype
            && self.shape == other.shape
            && dispatch!(self.dtype, any, |T| <T as Element>::read(self) == <T as Element>::read(other), else false)
    }
}

impl fmt::Display for Tensor {
    /// `float32[2,3] [[1, 2, 3], [4, 5, 6]]`, with the middle of long axes elided.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn axis(
            f: &mut fmt::Formatter<'_>,
            dims: &[usize],
            base: usize,
            item: &dyn Fn(&mut fmt::Formatter<'_>, usize) -> fmt::Result,
        ) -> fmt::Result {
            let Some((&n, inner)) = dims.split_first() else { return item(f, base) };
            let stride: usize = inner.iter().product();
            f.write_str("[")?;
            for i in 0..n {
                if n > 8 && i == 3 {
                    f.write_str(", ...")?;
                }
                if n > 8 && (3..n - 3).contains(&i) {
                    continue;
                }
                if i > 0 {
                    f.write_str(", ")?;
                }
                axis(f, inner, base + i * stride, item)?;
            }
            f.write_str("]")
        }
        write!(f, "{}{} ", self.dtype, self.shape)?;
        if let Data::Device { memory, .. } = &self.data {
            return write!(f, "<on {}>", memory.device());
        }
        if let Ok(strings) = self.slice::<Bytes>() {
            return axis(f, &self.shape, 0, &|f, i| write!(f, "{:?}", String::from_utf8_lossy(&strings[i])));
        }
        let wide = self.widened();
        let numbers = wide.as_ref().unwrap_or(self);
        dispatch!(numbers.dtype, any, |T| {
            let Some(items) = <T as Element>::read(numbers) else { return f.write_str("<unreadable>") };
            axis(f, &self.shape, 0, &|f, i| write!(f, "{:?}", items[i]))
        }, else Ok(()))
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
