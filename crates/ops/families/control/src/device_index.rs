//! `DeviceIndex`: which of several kinds of device a node is on.

use crate::prelude::*;

attrs! {
    /// The position of the type of the node's device in a list, the length of the list where it is not there.
    pub struct DeviceIndex {
        /// Types of devices.
        names: Vec<Bytes> = Attr::strings("device_names"),
    }
}

impl Op for DeviceIndex {
    const SPEC: Spec = Spec { name: "DeviceIndex", outputs: &[arg("index", is(DType::I32))], ..Spec::STATEFUL };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl Kernel<Cpu> for DeviceIndex {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let device = &cx.node().device;
        // Full names end in "/device:TYPE:number".
        let kind = device.rsplit('/').next().and_then(|last| last.split(':').nth(1)).unwrap_or_default();
        let found = self.names.iter().position(|name| **name == *kind.as_bytes());
        let index = found.unwrap_or(self.names.len());
        cx.set(0, Tensor::scalar(index as i32));
        Ok(())
    }
}
