//! `TensorArrayWriteV3`, `TensorArrayReadV3` and their older forms: access single elements.

use super::gradient::gradient_array;
use super::handle::{FLOW_IN, FLOW_OUT, HANDLE, NAME, REFERENCE, V1, V2, V3, array_input, check_dtype, pass_flow};
use crate::moves::Mover;
use crate::prelude::*;
use crate::rules::NONE;

const INDEX: Arg = arg("index", is(DType::I32));
const VALUE: Arg = arg("value", of("T"));

/// Returns the index in input 1.
fn index<D: Mover>(cx: &KernelCx<'_, '_, D>) -> Result<i64> {
    let index = cx.input(1)?;
    if !index.shape().is_scalar() {
        return Err(Error::invalid(format!("TensorArray index must be scalar, but had shape: {}", index.shape())));
    }
    index.item::<i32>().map(i64::from)
}

attrs! {
    /// Writes an element. A gradient array sums the values written to an element.
    pub struct TensorArrayWriteV3 {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Version of the tensor array ops.
        version: i64 = Attr::int("version").or_int(3),
    }
}

pub static TENSOR_ARRAY_WRITE_V3: Def<TensorArrayWriteV3> = op::<TensorArrayWriteV3>("TensorArrayWriteV3")
    .store(Store::Put(2))
    .inputs(&[HANDLE, INDEX, VALUE, FLOW_IN])
    .outputs(&[FLOW_OUT])
    .fixed(V3)
    .also(&[
        form("TensorArrayWriteV2").inputs(&[NAME, INDEX, VALUE, FLOW_IN]).fixed(V2),
        form("TensorArrayWrite").inputs(&[REFERENCE, INDEX, VALUE, FLOW_IN]).fixed(V1),
    ])
    .stateful()
    .counts("T")
    .host_inputs(&[1])
    .shape(|_, cx| {
        cx.with_rank(1, 0)?;
        cx.output_scalar(0);
        Ok(())
    })
    .gradient(|&TensorArrayWriteV3 { dtype, version }, g| {
        let dy = g.dy(0);
        let (grad, flow) = gradient_array(g, version, dy);
        let read = TensorArrayReadV3 { dtype, version };
        let dx = TENSOR_ARRAY_READ_V3.node(g, &read, &[grad, g.input(1), flow]);
        vec![NONE, NONE, dx.into(), dy.into()]
    })
    .kernel(tensor_array_write::<Cpu>);

/// The kernel of `TensorArrayWriteV3`, on any device that moves elements.
pub fn tensor_array_write<D: Mover>(op: &TensorArrayWriteV3, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let array = array_input(cx)?;
    let index = index(cx)?;
    check_dtype(&array, op.dtype, "is trying to write")?;
    let value = cx.take(2)?;
    array.write(cx, std::iter::once(Ok((index, value))))?;
    pass_flow(cx, 3, 0)
}

attrs! {
    /// Reads an element.
    pub struct TensorArrayReadV3 {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
        /// Version of the tensor array ops.
        version: i64 = Attr::int("version").or_int(3),
    }
}

pub static TENSOR_ARRAY_READ_V3: Def<TensorArrayReadV3> = op::<TensorArrayReadV3>("TensorArrayReadV3")
    .store(Store::Take)
    .inputs(&[HANDLE, INDEX, FLOW_IN])
    .outputs(&[arg("value", of("dtype"))])
    .fixed(V3)
    .also(&[
        form("TensorArrayReadV2").inputs(&[NAME, INDEX, FLOW_IN]).fixed(V2),
        form("TensorArrayRead").inputs(&[REFERENCE, INDEX, FLOW_IN]).fixed(V1),
    ])
    .stateful()
    .counts("dtype")
    .host_inputs(&[1])
    .shape(|_, cx| cx.with_rank(1, 0).map(drop))
    .gradient(|&TensorArrayReadV3 { dtype, version }, g| {
        let (grad, flow) = gradient_array(g, version, g.input(2));
        let write = TensorArrayWriteV3 { dtype, version };
        let written = TENSOR_ARRAY_WRITE_V3.node(g, &write, &[grad, g.input(1), g.dy(0), flow]);
        vec![NONE, NONE, written.into()]
    })
    .kernel(tensor_array_read::<Cpu>);

/// The kernel of `TensorArrayReadV3`, on any device that moves elements.
pub fn tensor_array_read<D: Mover>(op: &TensorArrayReadV3, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let array = array_input(cx)?;
    let index = index(cx)?;
    check_dtype(&array, op.dtype, "requested")?;
    if let Some(value) = array.read(cx, std::iter::once(index))?.pop() {
        cx.set(0, value);
    }
    Ok(())
}
