//! `TemporaryVariable` and `DestroyTemporaryVariable`: variables that exist during part of a step.

use crate::prelude::*;
use crate::variable::{Legacy, Target, resource_name};
use levada_kernel::io::Variable;
use parking_lot::RwLock;
use std::sync::Arc;

attrs! {
    /// Creates a variable filled with zeros, which exists until the end of the step, and returns a reference to it.
    pub struct TemporaryVariable {
        /// Shape of the value.
        shape: PartialShape = Attr::shape("shape"),
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
        /// Name in the step; empty for the node's name.
        var_name: String = Attr::string("var_name").or_str(""),
    }
}

pub static TEMPORARY_VARIABLE: Def<TemporaryVariable> = op("TemporaryVariable")
    .outputs(&[arg("ref", of("dtype")).by_ref()])
    .stateful()
    .shape(|op: &TemporaryVariable, cx| {
        cx.output(0, op.shape.clone());
        Ok(())
    })
    .kernel(temporary_variable);

fn temporary_variable(op: &TemporaryVariable, cx: &mut Cx<'_, '_>) -> Result<()> {
    let Some(shape) = op.shape.known() else {
        return Err(Error::invalid("a temporary variable needs a shape that is fully known")
            .attr("shape")
            .found(&op.shape));
    };
    let name = resource_name(&op.var_name, cx);
    let value = RwLock::new(Some(cx.zeros(op.dtype, &shape)?));
    let cell = Arc::new(Variable { name: name.to_owned(), shape: op.shape.clone(), value });
    if !cx.step().resources.insert_new("", name, Arc::new(Legacy(cell.clone()))) {
        return Err(Error::already_exists(format!("the temporary variable {name} already exists in this step")));
    }
    cx.set_entry(0, Entry::Ref(cell));
    Ok(())
}

attrs! {
    /// Destroys a temporary variable and returns its value.
    pub struct DestroyTemporaryVariable {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Name in the step.
        var_name: String = Attr::string("var_name"),
    }
}

pub static DESTROY_TEMPORARY_VARIABLE: Def<DestroyTemporaryVariable> = op("DestroyTemporaryVariable")
    .inputs(&[arg("ref", of("T")).by_ref()])
    .outputs(&[arg("value", of("T"))])
    .stateful()
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(destroy_temporary_variable);

fn destroy_temporary_variable(op: &DestroyTemporaryVariable, cx: &mut Cx<'_, '_>) -> Result<()> {
    let value = Target::of(cx, 0)?.read()?;
    if cx.step().resources.remove::<Legacy>("", &op.var_name).is_none() {
        return Err(
            Error::not_found(format!("there is no temporary variable {} in this step", op.var_name)).attr("var_name")
        );
    }
    cx.set(0, value);
    Ok(())
}
