//! `PlaceholderV2`: name of `Placeholder` in a few old graphs.

use crate::prelude::*;

attrs! {
    /// A tensor that must be fed.
    pub struct PlaceholderV2 {
        /// Element type of the fed tensor.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
        /// Shape of the fed tensor.
        shape: PartialShape = Attr::shape("shape"),
    }
}

pub static PLACEHOLDER_V2: Def<PlaceholderV2> = op("PlaceholderV2")
    .outputs(&[arg("output", of("dtype"))])
    .role(Role::Placeholder)
    .shape(|op: &PlaceholderV2, cx| {
        cx.output(0, op.shape.clone());
        Ok(())
    })
    .kernel(|op, cx| {
        let name = &cx.node().name;
        Err(Error::invalid(format!(
            "You must feed a value for placeholder tensor '{name}' with dtype {} and shape {}",
            op.dtype, op.shape
        )))
    });
