//! `ScatterUpdate` and its siblings: update rows of a variable at indices.

use crate::prelude::*;
use crate::rules::never;
use crate::variable::{Target, check_dtype};
use levada_graph::spec::AttrSpec;
use levada_ops_core::quotient::Quotient;

attrs! {
    /// The attrs of ops that update rows of a reference variable.
    pub struct ScatterRows {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `indices`.
        index: DType = Attr::dtype("Tindices", sets::INDEX),
        /// Has no effect: the lock is always held.
        use_locking: bool = Attr::bool("use_locking").or_bool(false),
    }
}

const fn by_reference(
    name: &'static str,
    kernel: fn(&ScatterRows, &mut Cx<'_, '_>) -> Result<()>,
    allowed: &'static [AttrSpec],
) -> Def<ScatterRows> {
    op(name)
        .attrs(allowed)
        .inputs(INPUTS)
        .outputs(OUTPUTS)
        .stateful()
        .shape(|_, cx| {
            cx.same_as_input(0);
            Ok(())
        })
        .kernel(kernel)
}

const INPUTS: &[Arg] = &[arg("ref", of("T")).by_ref(), arg("indices", of("Tindices")), arg("updates", of("T"))];
const OUTPUTS: &[Arg] = &[arg("output_ref", of("T")).by_ref()];
const NUMBERS: &[AttrSpec] = &[Attr::dtype("T", sets::NUMBERTYPE)];
const ORDERED: &[AttrSpec] = {
    use DType::*;
    &[Attr::dtype("T", &[F16, BF16, F32, F64, I32, I64])]
};

attrs! {
    /// The attrs of ops that update rows of a resource variable.
    pub struct ResourceScatterRows {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
        /// Element type of `indices`.
        index: DType = Attr::dtype("Tindices", sets::INDEX),
    }
}

const fn by_handle(
    name: &'static str,
    kernel: fn(&ResourceScatterRows, &mut Cx<'_, '_>) -> Result<()>,
    allowed: &'static [AttrSpec],
) -> Def<ResourceScatterRows> {
    op(name).attrs(allowed).inputs(VARIABLE_INPUTS).effect(Effect::Changes).kernel(kernel)
}

const VARIABLE_INPUTS: &[Arg] =
    &[arg("resource", is(DType::Resource)), arg("indices", of("Tindices")), arg("updates", of("dtype"))];
const VARIABLE_NUMBERS: &[AttrSpec] = &[Attr::dtype("dtype", sets::NUMBERTYPE)];

pub static SCATTER_ADD: Def<ScatterRows> = by_reference("ScatterAdd", |_, cx| scatter(cx, Update::Add), NUMBERS)
    .doc("Adds `updates` to rows of a variable.")
    .gradient(|_, g| never(g));

pub static RESOURCE_SCATTER_ADD: Def<ResourceScatterRows> =
    by_handle("ResourceScatterAdd", |_, cx| scatter(cx, Update::Add), VARIABLE_NUMBERS)
        .doc("Adds `updates` to rows of a variable.");

pub static SCATTER_DIV: Def<ScatterRows> = by_reference("ScatterDiv", |_, cx| scatter(cx, Update::Div), NUMBERS)
    .doc("Divides rows of a variable by `updates`.")
    .gradient(|_, g| never(g));

pub static RESOURCE_SCATTER_DIV: Def<ResourceScatterRows> =
    by_handle("ResourceScatterDiv", |_, cx| scatter(cx, Update::Div), VARIABLE_NUMBERS)
        .doc("Divides rows of a variable by `updates`.");

pub static SCATTER_MAX: Def<ScatterRows> = by_reference("ScatterMax", |_, cx| scatter(cx, Update::Max), ORDERED)
    .doc("Replaces rows of a variable by the element-wise maximum of them and `updates`.");

pub static RESOURCE_SCATTER_MAX: Def<ResourceScatterRows> =
    by_handle("ResourceScatterMax", |_, cx| scatter(cx, Update::Max), VARIABLE_NUMBERS)
        .doc("Replaces rows of a variable by the element-wise maximum of them and `updates`.");

pub static SCATTER_MIN: Def<ScatterRows> = by_reference("ScatterMin", |_, cx| scatter(cx, Update::Min), ORDERED)
    .doc("Replaces rows of a variable by the element-wise minimum of them and `updates`.");

pub static RESOURCE_SCATTER_MIN: Def<ResourceScatterRows> =
    by_handle("ResourceScatterMin", |_, cx| scatter(cx, Update::Min), VARIABLE_NUMBERS)
        .doc("Replaces rows of a variable by the element-wise minimum of them and `updates`.");

pub static SCATTER_MUL: Def<ScatterRows> = by_reference("ScatterMul", |_, cx| scatter(cx, Update::Mul), NUMBERS)
    .doc("Multiplies rows of a variable by `updates`.")
    .gradient(|_, g| never(g));

pub static RESOURCE_SCATTER_MUL: Def<ResourceScatterRows> =
    by_handle("ResourceScatterMul", |_, cx| scatter(cx, Update::Mul), VARIABLE_NUMBERS)
        .doc("Multiplies rows of a variable by `updates`.");

pub static SCATTER_SUB: Def<ScatterRows> = by_reference("ScatterSub", |_, cx| scatter(cx, Update::Sub), NUMBERS)
    .doc("Subtracts `updates` from rows of a variable.")
    .gradient(|_, g| never(g));

pub static RESOURCE_SCATTER_SUB: Def<ResourceScatterRows> =
    by_handle("ResourceScatterSub", |_, cx| scatter(cx, Update::Sub), VARIABLE_NUMBERS)
        .doc("Subtracts `updates` from rows of a variable.");

pub static SCATTER_UPDATE: Def<ScatterRows> = by_reference("ScatterUpdate", |_, cx| scatter(cx, Update::Replace), &[])
    .doc("Replaces rows of a variable by `updates`.");

pub static RESOURCE_SCATTER_UPDATE: Def<ResourceScatterRows> =
    by_handle("ResourceScatterUpdate", |_, cx| scatter(cx, Update::Replace), &[])
        .doc("Replaces rows of a variable by `updates`.");

/// How an element is combined with its update.
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

/// Division as in the scatter ops; `None` for integer division by zero.
trait Divided: Sized {
    fn divided(self, other: Self) -> Option<Self>;
}

macro_rules! divisions {
    ($($int:ty),*; $($float:ty),*) => {
        $(impl Divided for $int {
            fn divided(self, other: Self) -> Option<Self> {
                (other != 0).then(|| self.wrapping_div(other))
            }
        })*
        $(impl Divided for $float {
            fn divided(self, other: Self) -> Option<Self> {
                Some(self.over(other))
            }
        })*
    };
}

divisions!(i8, i16, i32, i64, u8, u16, u32, u64; f32, f64, f16, bf16, Complex32, Complex64);

/// Updates the rows of the variable in input 0 at the indices in input 1 with input 2.
fn scatter(cx: &mut Cx<'_, '_>, update: Update) -> Result<()> {
    let target = Target::of(cx, 0)?;
    let indices = cx.i64s(1)?;
    let (index_shape, updates) = (cx.input(1)?.shape(), cx.input(2)?);
    target.update(|value| {
        check_rows(&target, value, index_shape, updates)?;
        if update == Update::Div && !target.is_ref && has_zeros(updates)? {
            return Err(Error::invalid("updates must not contain 0"));
        }
        rows(value, &indices, updates, update)
    })?;
    target.forward(cx);
    Ok(())
}

/// Returns whether any number is zero.
fn has_zeros(updates: &Tensor) -> Result<bool> {
    dispatch!(updates.dtype(), numbers, |T| Ok(updates.slice::<T>()?.contains(&T::default())), else Ok(false))
}

/// Checks that `updates` has one row of the variable's value per index, or is a scalar for all.
///
/// # Errors
/// `INVALID_ARGUMENT` otherwise.
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
            v.divided(*u).map(|q| *v = q).is_some()
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

/// Processes the indices in order; updates before an invalid index have been applied, as in TensorFlow.
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
    // A scalar counts as one row of one element.
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
