//! `FakeParam`: a placeholder for a value that only another branch of a conditional produces.

use crate::prelude::*;

attrs! {
    /// Stands in for a result that only another branch of a conditional produces; its value is never used.
    pub struct FakeParam {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
        /// The shape, as far as it is known; unknown sizes are taken as zero.
        shape: PartialShape = Attr::shape("shape"),
    }
}

pub static FAKE_PARAM: Def<FakeParam> = op("FakeParam")
    .outputs(&[arg("output", of("dtype"))])
    .shape(|op: &FakeParam, cx| {
        cx.output(0, op.shape.clone());
        Ok(())
    })
    .kernel(|op, cx| {
        let shape = match op.shape.dims() {
            Some(dims) => Shape::new(dims.iter().map(|dim| dim.unwrap_or(0)))?,
            None => Shape::scalar(),
        };
        let tensor = cx.zeros(op.dtype, &shape)?;
        cx.set(0, tensor);
        Ok(())
    });
