//! `OnnxBytes`: bytes as a string.

use crate::prelude::*;

attrs! {
    /// Concatenates the elements of a uint8 tensor, in order, into one string.
    pub struct OnnxBytes {
    }
}

pub static ONNX_BYTES: Def<OnnxBytes> = op("OnnxBytes")
    .inputs(&[arg("x", is(DType::U8))])
    .outputs(&[arg("y", is(DType::Str))])
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .kernel(onnx_bytes);

fn onnx_bytes(_: &OnnxBytes, cx: &mut Cx<'_, '_>) -> Result<()> {
    let bytes = Tensor::string(cx.slice::<u8>(0)?);
    cx.set(0, bytes);
    Ok(())
}
