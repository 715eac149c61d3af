//! `TensorArraySizeV3`, `TensorArrayCloseV3` and their older forms.

use super::handle::{FLOW_IN, HANDLE, NAME, REFERENCE, array_input};
use crate::moves::Mover;
use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// Returns the number of elements.
    pub struct TensorArraySizeV3 {}
}

pub static TENSOR_ARRAY_SIZE_V3: Def<TensorArraySizeV3> = op("TensorArraySizeV3")
    .inputs(&[HANDLE, FLOW_IN])
    .outputs(&[arg("size", is(DType::I32))])
    .also(&[form("TensorArraySizeV2").inputs(&[NAME, FLOW_IN]), form("TensorArraySize").inputs(&[REFERENCE, FLOW_IN])])
    .stateful()
    .host_outputs(&[0])
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(tensor_array_size::<Cpu>);

/// The kernel of `TensorArraySizeV3`, on any device that moves elements.
pub fn tensor_array_size<D: Mover>(_: &TensorArraySizeV3, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let size = array_input(cx)?.size()?;
    cx.set(0, Tensor::scalar(size as i32));
    Ok(())
}

attrs! {
    /// Closes an array and frees its memory.
    pub struct TensorArrayCloseV3 {}
}

pub static TENSOR_ARRAY_CLOSE_V3: Def<TensorArrayCloseV3> = op("TensorArrayCloseV3")
    .inputs(&[HANDLE])
    .also(&[form("TensorArrayCloseV2").inputs(&[NAME]), form("TensorArrayClose").inputs(&[REFERENCE])])
    .stateful()
    .gradient(|_, g| never(g))
    .kernel(tensor_array_close::<Cpu>);

/// The kernel of `TensorArrayCloseV3`, on any device that moves elements.
pub fn tensor_array_close<D: Mover>(_: &TensorArrayCloseV3, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    array_input(cx)?.close();
    Ok(())
}
