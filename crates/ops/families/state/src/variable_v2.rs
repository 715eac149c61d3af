//! `VariableV2` and `Variable`: reference variables.

use crate::prelude::*;
use crate::rules::never;
use crate::variable::{Legacy, container_here, resource_name, unset};
use std::sync::Arc;

attrs! {
    /// Returns a reference to a variable, which lives as long as its container.
    pub struct VariableV2 {
        /// Shape of the value.
        shape: PartialShape = Attr::shape("shape"),
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
        /// Container that holds the variable; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name in the container; empty for the node's name.
        shared_name: String = Attr::string("shared_name").or_str(""),
    }
}

pub static VARIABLE_V2: Def<VariableV2> = variable("VariableV2").shape(|op, cx| {
    cx.output(0, op.shape.clone());
    Ok(())
});

pub static VARIABLE: Def<VariableV2> = variable("Variable")
    .doc("The original version of [`VariableV2`]: a shape without axes means an unknown shape.")
    .shape(|op, cx| {
        cx.output(0, if op.shape.rank() == Some(0) { PartialShape::Unknown } else { op.shape.clone() });
        Ok(())
    });

const fn variable(name: &'static str) -> Def<VariableV2> {
    op(name).outputs(REFERENCE).stateful().gradient(|_, g| never(g)).kernel(make)
}

const REFERENCE: &[Arg] = &[arg("ref", of("dtype")).by_ref()];

fn make(op: &VariableV2, cx: &mut Cx<'_, '_>) -> Result<()> {
    let name = resource_name(&op.shared_name, cx);
    let make = || {
        let mut cell = unset(&cx.node().name, &op.shape);
        // A tensor without elements needs no initialization.
        if let Some(shape) = op.shape.known().filter(|s| s.num_elements() == 0) {
            *cell.value.get_mut() = Some(Tensor::zeros(op.dtype, shape));
        }
        Ok(Legacy(Arc::new(cell)))
    };
    let variable = cx.env().resources.get_or_create::<Legacy>(&container_here(&op.container, cx), name, make)?;
    cx.set_entry(0, Entry::Ref(variable.0.clone()));
    Ok(())
}
