//! `EnsureShape`: checks a shape.

use crate::prelude::*;

attrs! {
    /// Gives its input, which must be of the shape `shape`.
    pub struct EnsureShape {
        /// The shape.
        shape: PartialShape = Attr::shape("shape"),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

impl Op for EnsureShape {
    const SPEC: Spec =
        Spec { name: "EnsureShape", inputs: &[arg("input", of("T"))], outputs: &[arg("output", of("T"))], ..Spec::PURE };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        let merged = cx.input(0).merge(&self.shape)?;
        cx.output(0, merged);
        Ok(())
    }
}

impl Kernel<Cpu> for EnsureShape {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let tensor = cx.take(0)?;
        if !self.shape.accepts(tensor.shape()) {
            return Err(Error::invalid(format!(
                "Shape of tensor {} {} is not compatible with expected shape {}.",
                cx.node().name,
                tensor.shape(),
                self.shape
            ))
            .attr("shape"));
        }
        cx.set(0, tensor);
        Ok(())
    }
}
