//! `OnnxBytes`: bytes as a string.

use crate::prelude::*;

attrs! {
    /// The elements of a tensor of uint8, in their order, as one string.
    pub struct OnnxBytes {
    }
}

impl Op for OnnxBytes {
    const SPEC: Spec = Spec {
        name: "OnnxBytes",
        inputs: &[arg("x", is(DType::U8))],
        outputs: &[arg("y", is(DType::Str))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl Kernel<Cpu> for OnnxBytes {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let bytes = Tensor::string(cx.slice::<u8>(0)?);
        cx.set(0, bytes);
        Ok(())
    }
}
