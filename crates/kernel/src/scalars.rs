//! Scalars without tensors around them: what the nodes of a group hand to each other where all their tensors are scalars.

use levada_graph::{DType, Element, Tensor};
use std::any::Any;

/// A scalar of a dtype that is computed so.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scalar {
    Bool(bool),
    I32(i32),
    I64(i64),
    F32(f32),
    F64(f64),
}

/// The value, where `A` is `B`.
#[inline(always)]
fn same<A: Any + Copy, B: Any + Copy>(value: A) -> Option<B> {
    (&value as &dyn Any).downcast_ref().copied()
}

impl Scalar {
    /// `None` for other types than those above.
    #[inline(always)]
    pub(crate) fn of<T: Element + Copy>(value: T) -> Option<Scalar> {
        match T::DTYPE {
            DType::Bool => same(value).map(Scalar::Bool),
            DType::I32 => same(value).map(Scalar::I32),
            DType::I64 => same(value).map(Scalar::I64),
            DType::F32 => same(value).map(Scalar::F32),
            DType::F64 => same(value).map(Scalar::F64),
            _ => None,
        }
    }

    /// The value; `None` for another type than it has.
    #[inline(always)]
    pub(crate) fn get<T: Element + Copy>(self) -> Option<T> {
        match self {
            Scalar::Bool(value) => same(value),
            Scalar::I32(value) => same(value),
            Scalar::I64(value) => same(value),
            Scalar::F32(value) => same(value),
            Scalar::F64(value) => same(value),
        }
    }

    /// The value of a scalar tensor on the host; `None` for other tensors and dtypes.
    #[inline]
    pub(crate) fn read(tensor: &Tensor) -> Option<Scalar> {
        fn first<T: Element + Copy>(tensor: &Tensor) -> Option<T> {
            tensor.slice::<T>().ok()?.first().copied()
        }
        if !tensor.shape().is_scalar() {
            return None;
        }
        match tensor.dtype() {
            DType::Bool => first(tensor).map(Scalar::Bool),
            DType::I32 => first(tensor).map(Scalar::I32),
            DType::I64 => first(tensor).map(Scalar::I64),
            DType::F32 => first(tensor).map(Scalar::F32),
            DType::F64 => first(tensor).map(Scalar::F64),
            _ => None,
        }
    }

    /// As a tensor.
    #[inline]
    pub(crate) fn tensor(self) -> Tensor {
        match self {
            Scalar::Bool(value) => Tensor::scalar(value),
            Scalar::I32(value) => Tensor::scalar(value),
            Scalar::I64(value) => Tensor::scalar(value),
            Scalar::F32(value) => Tensor::scalar(value),
            Scalar::F64(value) => Tensor::scalar(value),
        }
    }
}

/// The input and, once it is there, the output of a node without tensors.
pub(crate) struct Bare<'a> {
    pub(crate) inputs: &'a [Scalar],
    pub(crate) output: Option<Scalar>,
}
