//! Operands of any real dtype as `f32` or `f64`, so that a kernel is compiled twice rather than once per dtype.

use crate::prelude::*;
use levada_gemm::Gemm;
use levada_ops_core::elementwise::{vector_math, wide_math};
use std::borrow::Cow;

/// The types that kernels compute in.
pub(crate) trait Base: Gemm + num_traits::Float {
    /// Converts a value, rounding if necessary.
    fn of(value: f64) -> Self;
    fn wide(self) -> f64;
    /// Replaces numbers by `1 / (1 + e^-x)`.
    fn sigmoids(all: &mut [Self]);
    /// Replaces numbers by their hyperbolic tangents.
    fn tanhs(all: &mut [Self]);
}

impl Base for f32 {
    fn of(value: f64) -> f32 {
        value as f32
    }
    fn wide(self) -> f64 {
        f64::from(self)
    }
    fn sigmoids(all: &mut [f32]) {
        vectorized!(all.iter_mut().for_each(|x| *x = vector_math::sigmoid(*x)));
    }
    fn tanhs(all: &mut [f32]) {
        vectorized!(all.iter_mut().for_each(|x| *x = vector_math::tanh(*x)));
    }
}

impl Base for f64 {
    fn of(value: f64) -> f64 {
        value
    }
    fn wide(self) -> f64 {
        self
    }
    fn sigmoids(all: &mut [f64]) {
        vectorized!(all.iter_mut().for_each(|x| *x = wide_math::sigmoid(*x)));
    }
    fn tanhs(all: &mut [f64]) {
        vectorized!(all.iter_mut().for_each(|x| *x = wide_math::tanh(*x)));
    }
}

/// Evaluates a body with the type that elements of a dtype are computed in: `f64` for those that `f32` cannot
/// represent.
macro_rules! in_base {
    ($dtype:expr, |$B:ident| $body:expr) => {
        match $dtype {
            DType::F64 | DType::I64 | DType::U64 | DType::I32 | DType::U32 => {
                type $B = f64;
                $body
            }
            _ => {
                type $B = f32;
                $body
            }
        }
    };
}

/// The elements of a tensor of real numbers or booleans.
///
/// # Errors
/// `UNIMPLEMENTED` for other dtypes.
pub(crate) fn read<B: Base>(tensor: &Tensor) -> Result<Cow<'_, [B]>> {
    if tensor.dtype() == B::DTYPE {
        return Ok(Cow::Borrowed(tensor.slice::<B>()?));
    }
    if tensor.dtype() == DType::Bool {
        return Ok(Cow::Owned(tensor.slice::<bool>()?.iter().map(|&v| B::of(f64::from(u8::from(v)))).collect()));
    }
    dispatch!(tensor.dtype(), reals, |T| {
        Ok(Cow::Owned(tensor.slice::<T>()?.iter().map(|v| B::of(v.to_f64())).collect()))
    }, else Err(Error::unimplemented(format!("elements of dtype {} are not supported here", tensor.dtype()))))
}

/// Creates a tensor of `dtype` from these elements; integers are truncated and saturate.
///
/// # Errors
/// `UNIMPLEMENTED` for dtypes that are not real, `RESOURCE_EXHAUSTED` if memory runs out.
pub(crate) fn write<B: Base>(cx: &Cx<'_, '_>, dtype: DType, shape: &Shape, values: Vec<B>) -> Result<Tensor> {
    if dtype == B::DTYPE {
        return Tensor::from_vec(shape.clone(), values);
    }
    let mut out = cx.alloc(dtype, shape)?;
    if out.num_elements() != values.len() {
        return Err(Error::internal(format!("{} elements do not fill the shape {shape}", values.len())));
    }
    dispatch!(dtype, reals, |T| {
        out.slice_mut::<T>()?.iter_mut().zip(&values).for_each(|(o, v)| *o = T::from_f64(v.wide()));
    }, else return Err(Error::unimplemented(format!("elements of dtype {dtype} are not supported here"))));
    Ok(out)
}

/// Allocates a zeroed work buffer after checking the arena's memory limit.
///
/// # Errors
/// `RESOURCE_EXHAUSTED` if there is not enough memory.
pub(crate) fn buffer<B: Base>(cx: &Cx<'_, '_>, len: usize) -> Result<Vec<B>> {
    cx.device.arena.check(len.saturating_mul(size_of::<B>()))?;
    Ok(vec![B::of(0.0); len])
}

/// The product of sizes.
///
/// # Errors
/// `INVALID_ARGUMENT` if it overflows.
pub(crate) fn product(sizes: &[usize]) -> Result<usize> {
    Ok(Shape::new(sizes.iter().copied())?.num_elements())
}

/// The dimensions of input `i`, named `name`, which must have `N` axes.
///
/// # Errors
/// `INVALID_ARGUMENT` for any other rank.
pub(crate) fn sizes<const N: usize>(cx: &Cx<'_, '_>, i: usize, name: &str) -> Result<[usize; N]> {
    let found = cx.input(i)?.shape();
    <[usize; N]>::try_from(found.dims())
        .map_err(|_| Error::invalid(format!("{name} has the wrong rank")).expected(format!("rank {N}")).found(found))
}

/// Checks the shape of input `i`, named `name`.
///
/// # Errors
/// `INVALID_ARGUMENT` for any other shape.
pub(crate) fn check(cx: &Cx<'_, '_>, i: usize, name: &str, dims: &[usize]) -> Result<()> {
    let found = cx.input(i)?.shape();
    if found.dims() == dims {
        return Ok(());
    }
    Err(Error::invalid(format!("{name} has the wrong shape")).expected(format!("{dims:?}")).found(found))
}

/// Locates optional inputs, whose count (0 or 1) is given by an attr.
pub(crate) struct Inputs {
    next: usize,
}

impl Inputs {
    /// Optional inputs starting at index `first`.
    pub(crate) fn from(first: usize) -> Inputs {
        Inputs { next: first }
    }

    /// The index of the next optional input, if it is given.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the attr `attr` asks for more than one.
    pub(crate) fn optional(&mut self, attr: &str, count: i64) -> Result<Option<usize>> {
        match count {
            0 => Ok(None),
            1 => {
                self.next += 1;
                Ok(Some(self.next - 1))
            }
            _ => Err(Error::invalid(format!("{attr} must be the number of times that an optional input is given"))
                .attr(attr)
                .expected("0 or 1")
                .found(count)),
        }
    }
}

/// Resolves a position on an axis of size `n`; negative positions count from the end.
///
/// # Errors
/// `INVALID_ARGUMENT` if it is out of range.
pub(crate) fn axis_of(axis: i64, n: usize) -> Result<usize> {
    let at = if axis < 0 { axis.saturating_add(n as i64) } else { axis };
    usize::try_from(at).ok().filter(|&at| at < n).ok_or_else(|| {
        Error::invalid("the axis does not exist").attr("axis").expected(format!("-{n} to {}", n as i64 - 1)).found(axis)
    })
}

/// The values of an attr with one value per spatial axis; `default` for each axis if it is empty.
///
/// # Errors
/// `INVALID_ARGUMENT` if the number of values is wrong, or a value is below `least`.
pub(crate) fn per_axis(attr: &str, values: &[i64], rank: usize, default: usize, least: i64) -> Result<Vec<usize>> {
    if values.is_empty() {
        return Ok(vec![default; rank]);
    }
    if values.len() != rank {
        return Err(Error::invalid(format!("{attr} must give a number for each spatial axis"))
            .attr(attr)
            .expected(format!("{rank} numbers"))
            .found(format!("{values:?}")));
    }
    let one = |&v: &i64| {
        usize::try_from(v).ok().filter(|_| v >= least).ok_or_else(|| {
            Error::invalid(format!("{attr} has an invalid value"))
                .attr(attr)
                .expected(format!("at least {least}"))
                .found(v)
        })
    };
    values.iter().map(one).collect()
}

/// For each element of `shape`, in order, the index of the corresponding element of `part`, which broadcasts to
/// `shape`.
///
/// # Errors
/// `INVALID_ARGUMENT` if it does not.
pub(crate) fn broadcast(part: &Shape, shape: &Shape) -> Result<impl Iterator<Item = usize> + use<>> {
    if part.broadcast(shape)? != *shape {
        return Err(Error::invalid("an input does not broadcast to the others").expected(shape).found(part));
    }
    let skip = shape.rank() - part.rank();
    let strides: Vec<usize> =
        (0..shape.rank()).map(|i| if i < skip || part[i - skip] == 1 { 0 } else { part.strides()[i - skip] }).collect();
    let (dims, mut at) = (shape.dims().to_vec(), vec![0usize; shape.rank()]);
    let mut place = 0;
    Ok((0..shape.num_elements()).map(move |_| {
        let here = place;
        for i in (0..dims.len()).rev() {
            at[i] += 1;
            place += strides[i];
            if at[i] < dims[i] {
                break;
            }
            place -= strides[i] * dims[i];
            at[i] = 0;
        }
        here
    }))
}
