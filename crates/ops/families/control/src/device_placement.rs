//! `DevicePlacementOp`: says where it runs.

use crate::prelude::*;

attrs! {
    /// The full name of the device that this node runs on. TensorFlow has it for tests of its placer.
    pub struct DevicePlacementOp {}
}

pub static DEVICE_PLACEMENT_OP: Def<DevicePlacementOp> = op("DevicePlacementOp")
    .outputs(&[arg("device", is(DType::Str))])
    .stateful()
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .kernel(device_placement_op);

fn device_placement_op(_: &DevicePlacementOp, cx: &mut Cx<'_, '_>) -> Result<()> {
    let name = Bytes::from(cx.node().device.as_bytes().to_vec());
    cx.set(0, Tensor::scalar(name));
    Ok(())
}
