//! `Empty`: a tensor with unspecified contents.

use crate::moves::shape_of_dims;
use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// Returns a tensor of shape `shape`. Its elements are zero whether or not `init` is set, so that runs are
    /// reproducible.
    pub struct Empty {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
        /// Whether the elements must be zero.
        init: bool = Attr::bool("init").or_bool(false),
    }
}

pub static EMPTY: Def<Empty> = op("Empty")
    .inputs(&[arg("shape", is(DType::I32))])
    .outputs(&[arg("output", of("dtype"))])
    .stateful()
    .shape(|_, cx| {
        cx.output(0, cx.constant_shape(0));
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(empty);

fn empty(op: &Empty, cx: &mut Cx<'_, '_>) -> Result<()> {
    if cx.input(0)?.shape().rank() != 1 {
        return Err(Error::invalid(format!("shape must be a vector of int32, got shape {}", cx.input(0)?.shape())));
    }
    let out = cx.zeros(op.dtype, &shape_of_dims(cx.input(0)?, "shape")?)?;
    cx.set(0, out);
    Ok(())
}
