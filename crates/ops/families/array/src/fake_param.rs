//! `FakeParam`: a value of a branch that the other branches have.

use crate::prelude::*;

attrs! {
    /// Stands for a result that only another branch of a conditional has, and that nobody looks at.
    pub struct FakeParam {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
        /// Its shape, as far as it is known; sizes that are not known are zero.
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
