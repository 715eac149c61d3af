//! `Const`: a constant tensor.

use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// Returns the constant `value`.
    pub struct Const {
        /// The tensor.
        value: Tensor = Attr::tensor("value"),
        /// Element type of the tensor.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
    }
}

pub static CONST: Def<Const> = op("Const")
    .outputs(&[arg("output", of("dtype"))])
    .role(Role::Const)
    .primitive(Primitive::Const)
    .shape(|op: &Const, cx| {
        cx.output(0, PartialShape::from(op.value.shape()));
        Ok(())
    })
    .constant(|op| Some(&op.value))
    .gradient(|_, g| never(g))
    .kernel(const_op);

fn const_op(op: &Const, cx: &mut Cx<'_, '_>) -> Result<()> {
    if op.value.dtype() != op.dtype {
        return Err(Error::invalid("the value of a Const is not of its dtype")
            .attr("value")
            .expected(op.dtype.name())
            .found(op.value.dtype().name()));
    }
    cx.set(0, op.value.clone());
    Ok(())
}
