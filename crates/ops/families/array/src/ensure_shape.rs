//! `EnsureShape`: checks a tensor's shape.

use crate::prelude::*;
use crate::rules::pass;
use levada_graph::grad::attr;

attrs! {
    /// Returns its input; fails if the input's shape is not compatible with `shape`.
    pub struct EnsureShape {
        /// The required shape.
        shape: PartialShape = Attr::shape("shape"),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static ENSURE_SHAPE: Def<EnsureShape> = op::<EnsureShape>("EnsureShape")
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .shape(|op: &EnsureShape, cx| {
        let merged = cx.input(0).merge(&op.shape)?;
        cx.output(0, merged);
        Ok(())
    })
    .gradient(|_, g| pass(g))
    .kernel(ensure_shape)
    .batch(|op, b| {
        let shape = PartialShape::vector(None).concat(&op.shape);
        b.one(b.again_with(&b.inputs(), &[attr("shape", shape)]))
    });

fn ensure_shape(op: &EnsureShape, cx: &mut Cx<'_, '_>) -> Result<()> {
    let tensor = cx.take(0)?;
    if !op.shape.accepts(tensor.shape()) {
        return Err(Error::invalid(format!(
            "Shape of tensor {} {} is not compatible with expected shape {}.",
            cx.node().name,
            tensor.shape(),
            op.shape
        ))
        .attr("shape"));
    }
    cx.set(0, tensor);
    Ok(())
}
