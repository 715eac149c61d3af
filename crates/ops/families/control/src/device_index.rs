//! `DeviceIndex`: which of several kinds of device a node is on.

use crate::prelude::*;

attrs! {
    /// The position of the type of the node's device in a list, the length of the list where it is not there.
    pub struct DeviceIndex {
        /// Types of devices.
        names: Vec<Bytes> = Attr::strings("device_names"),
    }
}

pub static DEVICE_INDEX: Def<DeviceIndex> = op("DeviceIndex")
    .outputs(&[arg("index", is(DType::I32))])
    .stateful()
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .kernel(device_index);

fn device_index(op: &DeviceIndex, cx: &mut Cx<'_, '_>) -> Result<()> {
    let device = &cx.node().device;
    // Full names end in "/device:TYPE:number".
    let kind = device.rsplit('/').next().and_then(|last| last.split(':').nth(1)).unwrap_or_default();
    let found = op.names.iter().position(|name| **name == *kind.as_bytes());
    let index = found.unwrap_or(op.names.len());
    cx.set(0, Tensor::scalar(index as i32));
    Ok(())
}
