//! `DevicePlacementOp`: says where it runs.

use crate::prelude::*;

attrs! {
    /// The full name of the device that this node runs on. TensorFlow has it for tests of its placer.
    pub struct DevicePlacementOp {}
}

impl Op for DevicePlacementOp {
    const SPEC: Spec =
        Spec { name: "DevicePlacementOp", outputs: &[arg("device", is(DType::Str))], ..Spec::STATEFUL };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl Kernel<Cpu> for DevicePlacementOp {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let name = Bytes::from(cx.node().device.as_bytes().to_vec());
        cx.set(0, Tensor::scalar(name));
        Ok(())
    }
}
