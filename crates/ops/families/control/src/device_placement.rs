//! `DevicePlacementOp`: reports where it runs.

use crate::prelude::*;

attrs! {
    /// Returns the full name of the device that this node runs on. TensorFlow uses it to test its placer.
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
