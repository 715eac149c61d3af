//! `DeviceIndex`: the position of a node's device type in a list.

use crate::prelude::*;

attrs! {
    /// Returns the position of the node's device type in `device_names`, or the length of the list if it is not in
    /// there.
    pub struct DeviceIndex {
        /// Device types.
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
