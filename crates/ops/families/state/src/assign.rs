//! `Assign` and `AssignVariableOp`: assign a value to a variable.

use crate::prelude::*;
use crate::rules::never;
use crate::variable::{Target, check_dtype};

attrs! {
    /// Assigns `value` to a reference variable.
    pub struct Assign {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Whether the shape must stay the same.
        validate_shape: bool = Attr::bool("validate_shape").or_bool(true),
        /// Has no effect: the lock is always held.
        use_locking: bool = Attr::bool("use_locking").or_bool(true),
    }
}

pub static ASSIGN: Def<Assign> = op::<Assign>("Assign")
    .inputs(&[arg("ref", of("T")).by_ref(), arg("value", of("T"))])
    .outputs(&[arg("output_ref", of("T")).by_ref()])
    .stateful()
    .shape(|op, cx| {
        let shape = if op.validate_shape { cx.input(0).merge(&cx.input(1))? } else { cx.input(1) };
        cx.output(0, shape);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(assign);

fn assign(op: &Assign, cx: &mut Cx<'_, '_>) -> Result<()> {
    let target = Target::of(cx, 0)?;
    let new = cx.take(1)?;
    let mut value = target.cell.value.write();
    let expected = match value.as_ref() {
        Some(old) => old.shape().into(),
        // Without a value, a variable of unknown shape counts as a scalar.
        None if target.cell.shape.rank().is_none() => PartialShape::scalar(),
        None => target.cell.shape.clone(),
    };
    if op.validate_shape && !expected.accepts(new.shape()) {
        return Err(Error::invalid(format!(
            "Assign requires shapes of both tensors to match. lhs shape= {expected} rhs shape= {}",
            new.shape()
        )));
    }
    let old = value.replace(new);
    drop(value);
    drop(old);
    target.forward(cx);
    Ok(())
}

attrs! {
    /// Assigns `value` to a resource variable.
    pub struct AssignVariableOp {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
        /// Whether the shape must stay the same.
        validate_shape: bool = Attr::bool("validate_shape").or_bool(false),
    }
}

pub static ASSIGN_VARIABLE_OP: Def<AssignVariableOp> = op("AssignVariableOp")
    .inputs(&[arg("resource", is(DType::Resource)), arg("value", of("dtype"))])
    .effect(Effect::Changes)
    .kernel(assign_variable_op);

fn assign_variable_op(op: &AssignVariableOp, cx: &mut Cx<'_, '_>) -> Result<()> {
    let target = Target::of(cx, 0)?;
    let new = cx.take(1)?;
    let mut value = target.cell.value.write();
    if let Some(old) = value.as_ref() {
        check_dtype("assign", old.dtype(), new.dtype())?;
        if op.validate_shape && old.shape() != new.shape() {
            return Err(Error::invalid(format!(
                "Trying to assign to variable with tensor with wrong shape. Expected {} got {}",
                old.shape(),
                new.shape()
            )));
        }
    }
    let old = value.replace(new);
    drop(value);
    drop(old);
    Ok(())
}
