//! Functions of scalars without tensors around them: the nodes of a group pass each other bits if all their tensors are
//! scalars of dtypes that fit into a register.

use levada_graph::{DType, Element, Shape, Tensor};
use smallvec::SmallVec;
use std::any::Any;

/// True for a dtype that a register can hold.
pub const fn fits_register(dtype: DType) -> bool {
    matches!(dtype, DType::Bool | DType::I32 | DType::I64 | DType::F32 | DType::F64)
}

/// The value, if `A` is `B`.
#[inline(always)]
fn same<A: Any + Copy, B: Any + Copy>(value: A) -> Option<B> {
    (&value as &dyn Any).downcast_ref().copied()
}

/// The bits of a value of a type that fits into a register; 0 for any other type.
#[inline(always)]
fn to_bits<T: Element + Copy>(value: T) -> u64 {
    let bits = match T::DTYPE {
        DType::Bool => same(value).map(|value: bool| value.into()),
        DType::I32 => same(value).map(|value: i32| value.cast_unsigned().into()),
        DType::I64 => same(value).map(|value: i64| value.cast_unsigned()),
        DType::F32 => same(value).map(|value: f32| value.to_bits().into()),
        DType::F64 => same(value).map(f64::to_bits),
        _ => None,
    };
    bits.unwrap_or_default()
}

/// The value with these bits, as returned by [`to_bits`].
#[inline(always)]
fn from_bits<T: Element + Copy>(bits: u64) -> T {
    let value = match T::DTYPE {
        DType::Bool => same(bits != 0),
        DType::I32 => same((bits as u32).cast_signed()),
        DType::I64 => same(bits.cast_signed()),
        DType::F32 => same(f32::from_bits(bits as u32)),
        DType::F64 => same(f64::from_bits(bits)),
        _ => None,
    };
    value.unwrap_or_default()
}

/// Calls `$body` with the type of `$dtype` as `$T`, or `$else` for one that does not fit into a register.
macro_rules! for_dtype {
    ($dtype:expr, |$T:ident| $body:expr, else $else:expr) => {
        for_dtype!(@arms $dtype, $T, $body, $else, Bool bool, I32 i32, I64 i64, F32 f32, F64 f64)
    };
    (@arms $dtype:expr, $T:ident, $body:expr, $else:expr, $($v:ident $ty:ty),*) => {
        match $dtype {
            $(DType::$v => {
                type $T = $ty;
                $body
            })*
            _ => $else,
        }
    };
}

/// The bits of a scalar tensor of this dtype on the host; `None` for any other tensor, and for a dtype that does not
/// fit.
#[inline]
pub fn read(tensor: &Tensor, dtype: DType) -> Option<u64> {
    if tensor.dtype() != dtype || !tensor.shape().is_scalar() {
        return None;
    }
    for_dtype!(dtype, |T| tensor.slice::<T>().ok()?.first().copied().map(to_bits), else None)
}

/// A scalar of a dtype that fits into a register, as a tensor.
#[inline]
pub fn tensor(dtype: DType, bits: u64) -> Tensor {
    for_dtype!(dtype, |T| Tensor::scalar(from_bits::<T>(bits)), else Tensor::zeros(dtype, Shape::scalar()))
}

/// Scalars of a dtype that fits into a register, as a vector.
pub(crate) fn vector(dtype: DType, bits: impl ExactSizeIterator<Item = u64>) -> levada_graph::Result<Tensor> {
    let shape = Shape::vector(bits.len());
    for_dtype!(dtype, |T| Tensor::from_vec(shape, bits.map(from_bits::<T>).collect()), else Ok(Tensor::zeros(dtype, shape)))
}

/// A function of scalars of one dtype: what a kernel computes when all its inputs are scalars.
pub struct ScalarFunction {
    /// The dtype of its arguments.
    pub takes: DType,
    /// The dtype of its result.
    pub gives: DType,
    /// The function.
    pub call: Call,
}

/// A function of the bits of scalars.
pub enum Call {
    /// Of one scalar.
    One(Box<dyn Fn(u64) -> u64 + Send + Sync>),
    /// Of two scalars.
    Two(Box<dyn Fn(u64, u64) -> u64 + Send + Sync>),
    /// Of any number of scalars.
    Any(OfAll),
}

/// A function of the bits of any number of scalars.
type OfAll = Box<dyn Fn(&[u64]) -> u64 + Send + Sync>;

impl Call {
    /// The result for these arguments; 0 for a wrong number of arguments.
    #[inline]
    pub fn of(&self, given: &[u64]) -> u64 {
        match (self, given) {
            (Call::One(f), &[x]) => f(x),
            (Call::Two(f), &[x, y]) => f(x, y),
            (Call::Any(f), given) => f(given),
            _ => 0,
        }
    }
}

impl ScalarFunction {
    /// A function of one scalar; `None` if a type does not fit into a register.
    pub fn one<A: Element + Copy, R: Element + Copy>(
        f: impl Fn(A) -> R + Send + Sync + 'static,
    ) -> Option<ScalarFunction> {
        if const { !fits_register(A::DTYPE) || !fits_register(R::DTYPE) } {
            return None;
        }
        let call = Call::One(Box::new(move |x| to_bits(f(from_bits(x)))));
        Some(ScalarFunction { takes: A::DTYPE, gives: R::DTYPE, call })
    }

    /// A function of two scalars; `None` if a type does not fit into a register.
    pub fn two<A: Element + Copy, R: Element + Copy>(
        f: impl Fn(A, A) -> R + Send + Sync + 'static,
    ) -> Option<ScalarFunction> {
        if const { !fits_register(A::DTYPE) || !fits_register(R::DTYPE) } {
            return None;
        }
        let call = Call::Two(Box::new(move |x, y| to_bits(f(from_bits(x), from_bits(y)))));
        Some(ScalarFunction { takes: A::DTYPE, gives: R::DTYPE, call })
    }

    /// A function of any number of scalars, which it gets by index; `None` if the type does not fit into a register.
    pub fn any<T: Element + Copy>(
        f: impl Fn(&dyn Fn(usize) -> Option<T>) -> Option<T> + Send + Sync + 'static,
    ) -> Option<ScalarFunction> {
        if const { !fits_register(T::DTYPE) } {
            return None;
        }
        let call = move |given: &[u64]| f(&|i| given.get(i).copied().map(from_bits)).map_or(0, to_bits);
        Some(ScalarFunction { takes: T::DTYPE, gives: T::DTYPE, call: Call::Any(Box::new(call)) })
    }

    /// True if it can be called with arguments of these dtypes.
    pub fn fits(&self, mut given: impl ExactSizeIterator<Item = DType>) -> bool {
        let count = match self.call {
            Call::One(_) => 1,
            Call::Two(_) => 2,
            Call::Any(_) => given.len(),
        };
        given.len() == count && given.all(|dtype| dtype == self.takes)
    }
}

/// Functions of scalars that use each other's results.
pub(crate) struct Composed {
    /// The dtypes of the arguments.
    pub(crate) takes: Box<[DType]>,
    /// The dtype of the last result.
    pub(crate) gives: DType,
    steps: Box<[(Call, SmallVec<[u32; 2]>)]>,
}

impl Composed {
    /// Functions, each with the indices of its operands: the arguments, then the results of the functions before it.
    /// `None` if the dtypes do not fit.
    pub(crate) fn new(
        arguments: usize,
        steps: impl IntoIterator<Item = (ScalarFunction, SmallVec<[u32; 2]>)>,
    ) -> Option<Composed> {
        let mut dtypes: Vec<Option<DType>> = vec![None; arguments];
        let mut calls = Vec::new();
        for (function, from) in steps {
            for &at in &from {
                dtypes.get_mut(at as usize)?.get_or_insert(function.takes);
            }
            let given: Option<SmallVec<[DType; 4]>> = from.iter().map(|&at| dtypes[at as usize]).collect();
            if !function.fits(given?.into_iter()) {
                return None;
            }
            dtypes.push(Some(function.gives));
            calls.push((function.call, from));
        }
        let gives = (*dtypes.last()?)?;
        dtypes.truncate(arguments);
        Some(Composed { takes: dtypes.into_iter().collect::<Option<_>>()?, gives, steps: calls.into() })
    }

    /// Computes the last result.
    pub(crate) fn of(&self, arguments: impl IntoIterator<Item = u64>) -> u64 {
        let mut values: SmallVec<[u64; 32]> = arguments.into_iter().collect();
        let mut given: SmallVec<[u64; 8]> = SmallVec::new();
        for (call, from) in &self.steps {
            given.clear();
            given.extend(from.iter().map(|&at| values[at as usize]));
            values.push(call.of(&given));
        }
        values.last().copied().unwrap_or_default()
    }
}
