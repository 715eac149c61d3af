//! `ScatterUpdate` and its siblings: rows of a variable changed at indices.

use crate::prelude::*;
use crate::variable::{Target, check_dtype};

/// What becomes of an element that is there and one that comes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Update {
    Replace,
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Max,
}

/// Division as the scatter ops do it; `None` for integers divided by zero.
trait Quotient: Sized {
    fn quotient(self, other: Self) -> Option<Self>;
}

macro_rules! quotients {
    ($($int:ty),*; $($float:ty),*) => {
        $(impl Quotient for $int {
            fn quotient(self, other: Self) -> Option<Self> {
                (other != 0).then(|| self.wrapping_div(other))
            }
        })*
        $(impl Quotient for $float {
            fn quotient(self, other: Self) -> Option<Self> {
                Some(self / other)
            }
        })*
    };
}

quotients!(i8, i16, i32, i64, u8, u16, u32, u64; f32, f64, f16, bf16, Complex32, Complex64);

/// Changes the rows of the variable on input 0 at the indices on input 1 by the updates on input 2.
fn scatter(cx: &mut Cx<'_, '_>, update: Update) -> Result<()> {
    let target = Target::of(cx, 0)?;
    let indices = cx.i64s(1)?;
    let (index_shape, updates) = (cx.input(1)?.shape(), cx.input(2)?);
    target.update(|value| {
        check_rows(&target, value, index_shape, updates)?;
        rows(value, &indices, updates, update)
    })?;
    target.forward(cx);
    Ok(())
}

/// Checks that `updates` has a row, or one element for all, of the variable's value for each index.
///
/// # Errors
/// `INVALID_ARGUMENT` where it has not.
pub fn check_rows(target: &Target, value: &Tensor, index_shape: &Shape, updates: &Tensor) -> Result<()> {
    check_dtype("assign", value.dtype(), updates.dtype())?;
    if value.shape().is_scalar() && (target.is_ref || !updates.shape().is_scalar()) {
        return Err(Error::invalid("params must be at least 1-D, got shape []"));
    }
    let fits = updates.shape().is_scalar()
        || updates.shape().iter().eq(index_shape.iter().chain(value.shape().iter().skip(1)));
    if !fits {
        return Err(Error::invalid(format!(
            "Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], got \
             updates.shape {}, indices.shape {index_shape}, params.shape {}",
            updates.shape(),
            value.shape()
        )));
    }
    Ok(())
}

fn rows(value: &mut Tensor, indices: &[i64], updates: &Tensor, update: Update) -> Result<()> {
    let dtype = value.dtype();
    let unknown = || Err(Error::unimplemented(format!("this scatter into a variable of type {dtype}")));
    match update {
        Update::Replace => {
            dispatch!(dtype, any, |T| each::<T>(value, indices, updates, |v, u| { v.clone_from(u); true }), else unknown())
        }
        Update::Add => {
            dispatch!(dtype, numbers, |T| each::<T>(value, indices, updates, |v, u| { *v = Number::add(*v, *u); true }),
                else unknown())
        }
        Update::Sub => {
            dispatch!(dtype, numbers, |T| each::<T>(value, indices, updates, |v, u| { *v = Number::sub(*v, *u); true }),
                else unknown())
        }
        Update::Mul => {
            dispatch!(dtype, numbers, |T| each::<T>(value, indices, updates, |v, u| { *v = Number::mul(*v, *u); true }),
                else unknown())
        }
        Update::Div => dispatch!(dtype, numbers, |T| each::<T>(value, indices, updates, |v, u| {
            v.quotient(*u).map(|q| *v = q).is_some()
        }), else unknown()),
        Update::Min => {
            dispatch!(dtype, reals, |T| each::<T>(value, indices, updates, |v, u| { if *u < *v { *v = *u } true }),
                else unknown())
        }
        Update::Max => {
            dispatch!(dtype, reals, |T| each::<T>(value, indices, updates, |v, u| { if *u > *v { *v = *u } true }),
                else unknown())
        }
    }
}

/// Goes through the indices in order; what comes before a wrong one has been done, as in TensorFlow.
fn each<T: Element>(
    value: &mut Tensor,
    indices: &[i64],
    updates: &Tensor,
    change: impl Fn(&mut T, &T) -> bool,
) -> Result<()> {
    each_row::<T>(value, indices, updates, &|row, update| row.iter_mut().zip(update).all(|(v, u)| change(v, u)))
}

fn each_row<T: Element>(
    value: &mut Tensor,
    indices: &[i64],
    updates: &Tensor,
    change: &dyn Fn(&mut [T], &[T]) -> bool,
) -> Result<()> {
    // A scalar passes for one row of one element.
    let (limit, row) = match value.shape().first() {
        Some(&limit) => (limit, value.shape()[1..].iter().product::<usize>()),
        None => (1, 1),
    };
    let all = updates.slice::<T>()?;
    let one = updates.shape().is_scalar();
    let value = value.slice_mut::<T>()?;
    for (i, &index) in indices.iter().enumerate() {
        let Some(at) = usize::try_from(index).ok().filter(|&at| at < limit) else {
            return Err(Error::invalid(format!("indices[{i}] = {index} is not in [0, {limit})")));
        };
        let target = &mut value[at * row..(at + 1) * row];
        let done = match one {
            true => target.iter_mut().all(|v| change(std::slice::from_mut(v), all)),
            false => change(target, &all[i * row..(i + 1) * row]),
        };
        if !done {
            return Err(Error::invalid("Integer division by zero"));
        }
    }
    Ok(())
}

macro_rules! scatters {
    ($($(#[doc = $doc:literal])* $name:ident($ref_dtypes:expr), $resource:ident($dtypes:expr), $update:ident;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", $ref_dtypes),
                /// Element type of `indices`.
                index: DType = Attr::dtype("Tindices", sets::INDEX),
                /// Without meaning: the lock is always held.
                use_locking: bool = Attr::bool("use_locking").or_bool(false),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("ref", of("T")).by_ref(), arg("indices", of("Tindices")), arg("updates", of("T"))],
                outputs: &[arg("output_ref", of("T")).by_ref()],
                ..Spec::STATEFUL
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.same_as_input(0);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                scatter(cx, Update::$update)
            }
        }

        attrs! {
            $(#[doc = $doc])*
            pub struct $resource {
                /// Element type.
                dtype: DType = Attr::dtype("dtype", $dtypes),
                /// Element type of `indices`.
                index: DType = Attr::dtype("Tindices", sets::INDEX),
            }
        }

        impl Op for $resource {
            const SPEC: Spec = Spec {
                name: stringify!($resource),
                inputs: &[
                    arg("resource", is(DType::Resource)),
                    arg("indices", of("Tindices")),
                    arg("updates", of("dtype")),
                ],
                effect: Some(Effect::Changes),
                ..Spec::STATEFUL
            };
        }

        impl Kernel<Cpu> for $resource {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                scatter(cx, Update::$update)
            }
        }
    )*};
}

/// What reference variables of `ScatterMin` and `ScatterMax` may hold.
const ORDERED: &[DType] = &[DType::F16, DType::BF16, DType::F32, DType::F64, DType::I32, DType::I64];

scatters! {
    /// Adds to rows of a variable.
    ScatterAdd(sets::NUMBERTYPE), ResourceScatterAdd(sets::NUMBERTYPE), Add;
    /// Divides rows of a variable.
    ScatterDiv(sets::NUMBERTYPE), ResourceScatterDiv(sets::NUMBERTYPE), Div;
    /// Makes elements of rows of a variable no less than the updates.
    ScatterMax(ORDERED), ResourceScatterMax(sets::NUMBERTYPE), Max;
    /// Makes elements of rows of a variable no more than the updates.
    ScatterMin(ORDERED), ResourceScatterMin(sets::NUMBERTYPE), Min;
    /// Multiplies rows of a variable.
    ScatterMul(sets::NUMBERTYPE), ResourceScatterMul(sets::NUMBERTYPE), Mul;
    /// Subtracts from rows of a variable.
    ScatterSub(sets::NUMBERTYPE), ResourceScatterSub(sets::NUMBERTYPE), Sub;
    /// Replaces rows of a variable.
    ScatterUpdate(sets::ANY), ResourceScatterUpdate(sets::ANY), Replace;
}
