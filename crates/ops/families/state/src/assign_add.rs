//! `AssignAdd`, `AssignSub` and their resource forms: a variable changed by a value of its shape.

use crate::prelude::*;
use crate::variable::{Target, check_dtype};

/// Checks that `delta` can be added to or subtracted from the value of a variable.
///
/// # Errors
/// `INVALID_ARGUMENT` where dtype or shape is another.
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

/// Changes the variable on input 0 by the value on input 1.
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

fn add<T: Number, const SUB: bool>(cx: &Cx<'_, '_>, value: &mut Tensor, delta: &Tensor) -> Result<()> {
    #[inline(always)]
    fn call<T: Number, const SUB: bool>(x: T, y: T) -> T {
        if SUB { x.sub(y) } else { x.add(y) }
    }
    let delta = delta.slice::<T>()?;
    if value.is_unique() {
        let value = value.slice_mut::<T>()?;
        vectorized_for!(T, value.iter_mut().zip(delta).for_each(|(v, &d)| *v = call::<T, SUB>(*v, d)));
    } else {
        let mut new = cx.alloc(value.dtype(), value.shape())?;
        let (old, out) = (value.slice::<T>()?, new.slice_mut::<T>()?);
        vectorized_for!(T, {
            out.iter_mut().zip(old).zip(delta).for_each(|((o, &v), &d)| *o = call::<T, SUB>(v, d))
        });
        *value = new;
    }
    Ok(())
}

macro_rules! updates {
    ($($(#[doc = $doc:literal])* $name:ident, $resource:ident, $sub:literal;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
                /// Without meaning: the lock is always held.
                use_locking: bool = Attr::bool("use_locking").or_bool(false),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("ref", of("T")).by_ref(), arg("value", of("T"))],
                outputs: &[arg("output_ref", of("T")).by_ref()],
                ..Spec::STATEFUL
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                let shape = cx.input(0).merge(&cx.input(1))?;
                cx.output(0, shape);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                update::<$sub>(cx)
            }
        }

        attrs! {
            $(#[doc = $doc])*
            pub struct $resource {
                /// Element type.
                dtype: DType = Attr::dtype("dtype", sets::ANY),
            }
        }

        impl Op for $resource {
            const SPEC: Spec = Spec {
                name: stringify!($resource),
                inputs: &[arg("resource", is(DType::Resource)), arg("value", of("dtype"))],
                effect: Some(Effect::Changes),
                ..Spec::STATEFUL
            };
        }

        impl Kernel<Cpu> for $resource {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                update::<$sub>(cx)
            }
        }
    )*};
}

updates! {
    /// Adds a value to a variable.
    AssignAdd, AssignAddVariableOp, false;
    /// Subtracts a value from a variable.
    AssignSub, AssignSubVariableOp, true;
}
