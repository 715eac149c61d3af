//! `ParseTensor` and `SerializeTensor`: tensors as protobuf messages.

use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// Parses a serialized `TensorProto` message into a tensor.
    pub struct ParseTensor {
        /// Dtype of the tensor.
        out_type: DType = Attr::dtype("out_type", sets::ANY),
    }
}

pub static PARSE_TENSOR: Def<ParseTensor> = op("ParseTensor")
    .inputs(&[arg("serialized", is(DType::Str))])
    .outputs(&[arg("output", of("out_type"))])
    .gradient(|_, g| never(g))
    .kernel(parse_tensor);

fn parse_tensor(op: &ParseTensor, cx: &mut Cx<'_, '_>) -> Result<()> {
    let serialized = cx.input(0)?;
    if !serialized.shape().is_scalar() {
        let shape = serialized.shape();
        return Err(Error::invalid(format!("Expected `serialized` to be a scalar, got shape: {shape}")));
    }
    let tensor = levada_graph::read::tensor_from_pb(&serialized.item::<Bytes>()?)?;
    if tensor.dtype() != op.out_type {
        return Err(Error::invalid(format!(
            "Type mismatch between parsed tensor ({}) and dtype ({})",
            tensor.dtype(),
            op.out_type
        )));
    }
    cx.set(0, tensor);
    Ok(())
}

attrs! {
    /// Serializes a tensor to a `TensorProto` message.
    pub struct SerializeTensor {
        /// Dtype of the tensor.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static SERIALIZE_TENSOR: Def<SerializeTensor> = op("SerializeTensor")
    .inputs(&[arg("tensor", of("T"))])
    .outputs(&[arg("serialized", is(DType::Str))])
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(serialize_tensor);

fn serialize_tensor(_: &SerializeTensor, cx: &mut Cx<'_, '_>) -> Result<()> {
    let message = levada_graph::write::tensor_to_pb(cx.input(0)?)?;
    cx.set(0, Tensor::scalar(Bytes::from(message)));
    Ok(())
}
