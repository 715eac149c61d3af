//! `AssignAdd`, `AssignSub` and their resource forms: add a value of the same shape to a variable, or subtract it.

use crate::prelude::*;
use crate::rules::never;
use crate::variable::{Target, check_dtype};

attrs! {
    /// The attrs of ops that add to or subtract from a reference variable.
    pub struct AssignAdd {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
        /// Has no effect: the lock is always held.
        use_locking: bool = Attr::bool("use_locking").or_bool(false),
    }
}

const fn by_reference(name: &'static str, kernel: fn(&AssignAdd, &mut Cx<'_, '_>) -> Result<()>) -> Def<AssignAdd> {
    op(name)
        .inputs(INPUTS)
        .outputs(OUTPUTS)
        .stateful()
        .shape(|_, cx| {
            let shape = cx.input(0).merge(&cx.input(1))?;
            cx.output(0, shape);
            Ok(())
        })
        .gradient(|_, g| never(g))
        .kernel(kernel)
}

const INPUTS: &[Arg] = &[arg("ref", of("T")).by_ref(), arg("value", of("T"))];
const OUTPUTS: &[Arg] = &[arg("output_ref", of("T")).by_ref()];

pub static ASSIGN_ADD: Def<AssignAdd> =
    by_reference("AssignAdd", |_, cx| update::<false>(cx)).doc("Adds a value to a variable.");

pub static ASSIGN_SUB: Def<AssignAdd> =
    by_reference("AssignSub", |_, cx| update::<true>(cx)).doc("Subtracts a value from a variable.");

attrs! {
    /// The attrs of ops that add to or subtract from a resource variable.
    pub struct AssignAddVariableOp {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
    }
}

const fn by_handle(
    name: &'static str,
    kernel: fn(&AssignAddVariableOp, &mut Cx<'_, '_>) -> Result<()>,
) -> Def<AssignAddVariableOp> {
    op(name).inputs(VARIABLE_INPUTS).effect(Effect::Changes).kernel(kernel)
}

const VARIABLE_INPUTS: &[Arg] = &[arg("resource", is(DType::Resource)), arg("value", of("dtype"))];

pub static ASSIGN_ADD_VARIABLE_OP: Def<AssignAddVariableOp> =
    by_handle("AssignAddVariableOp", |_, cx| update::<false>(cx)).doc("Adds a value to a variable.");

pub static ASSIGN_SUB_VARIABLE_OP: Def<AssignAddVariableOp> =
    by_handle("AssignSubVariableOp", |_, cx| update::<true>(cx)).doc("Subtracts a value from a variable.");

/// Checks that `delta` can be added to or subtracted from the value of a variable.
///
/// # Errors
/// `INVALID_ARGUMENT` if its dtype or shape differs.
pub fn check_addend(value: &Tensor, delta: &Tensor) -> Result<()> {
    if value.dtype() != delta.dtype() {
        check_dtype("assign", value.dtype(), delta.dtype())?;
    }
    if value.shape() != delta.shape() {
        return Err(Error::invalid(format!(
            "Cannot update variable with shape {} using a Tensor with shape {}, shapes must be equal.",
            value.shape(),
            delta.shape()
        )));
    }
    Ok(())
}

/// Adds the value in input 1 to the variable in input 0, or subtracts it.
fn update<const SUB: bool>(cx: &mut Cx<'_, '_>) -> Result<()> {
    let target = Target::of(cx, 0)?;
    let delta = cx.take(1)?;
    target.update(|value| {
        check_addend(value, &delta)?;
        dispatch!(value.dtype(), numbers, |T| add::<T, SUB>(cx, value, &delta),
            else Err(Error::unimplemented(format!("adding to a variable of type {}", value.dtype()))))
    })?;
    target.forward(cx);
    Ok(())
}

/// Number of elements that one thread updates at a time.
const PIECE: usize = 1 << 14;

/// Time that a piece takes, in nanoseconds.
const NANOS: f64 = 0.5 * PIECE as f64;

fn add<T: Number, const SUB: bool>(cx: &Cx<'_, '_>, value: &mut Tensor, delta: &Tensor) -> Result<()> {
    #[inline(always)]
    fn call<T: Number, const SUB: bool>(x: T, y: T) -> T {
        if SUB { x.sub(y) } else { x.add(y) }
    }
    let delta = delta.slice::<T>()?;
    if value.is_unique() {
        let pieces = value.slice_mut::<T>()?.chunks_mut(PIECE).zip(delta.chunks(PIECE));
        cx.pool().for_each(pieces, NANOS, |(values, delta)| {
            let pairs = values.iter_mut().zip(delta);
            vectorized_for!(T, pairs.for_each(|(v, &d)| *v = call::<T, SUB>(*v, d)));
        });
    } else {
        let mut new = cx.alloc(value.dtype(), value.shape())?;
        let pieces = value.slice::<T>()?.chunks(PIECE).zip(delta.chunks(PIECE));
        cx.pool().for_each(new.slice_mut::<T>()?.chunks_mut(PIECE).zip(pieces), NANOS, |(sums, (old, delta))| {
            let sums = sums.iter_mut().zip(old).zip(delta);
            vectorized_for!(T, sums.for_each(|((o, &v), &d)| *o = call::<T, SUB>(v, d)));
        });
        *value = new;
    }
    Ok(())
}
