//! `Const`: a fixed tensor.

use crate::prelude::*;

attrs! {
    /// Gives `value`.
    pub struct Const {
        /// The tensor.
        value: Tensor = Attr::tensor("value"),
        /// Its element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
    }
}

impl Op for Const {
    const SPEC: Spec =
        Spec { name: "Const", outputs: &[arg("output", of("dtype"))], role: Role::Const, ..Spec::PURE };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output(0, PartialShape::from(self.value.shape()));
        Ok(())
    }

    fn constant(&self) -> Option<&Tensor> {
        Some(&self.value)
    }
}

impl Kernel<Cpu> for Const {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        if self.value.dtype() != self.dtype {
            return Err(Error::invalid("the value of a Const is not of its dtype")
                .attr("value")
                .expected(self.dtype.name())
                .found(self.value.dtype().name()));
        }
        cx.set(0, self.value.clone());
        Ok(())
    }
}
