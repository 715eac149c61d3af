//! `GetSessionHandle`, `GetSessionTensor` and `DeleteSessionTensor`: tensors kept in the session between runs.

use crate::prelude::*;
use crate::rules::never;
use levada_graph::Handle;
use levada_kernel::SessionTensors;

attrs! {
    /// Keeps a tensor in the session if the run fetches its handle, a string.
    pub struct GetSessionHandle {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static GET_SESSION_HANDLE: Def<GetSessionHandle> = op("GetSessionHandle")
    .inputs(&[arg("value", of("T"))])
    .outputs(&[arg("handle", is(DType::Str))])
    .also(&[form("GetSessionHandleV2")
        .doc("Keeps a tensor in the session if the run fetches its handle, a resource.")
        .outputs(&[arg("handle", is(DType::Resource))])])
    .stateful()
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(|_, cx| {
        let name = add(cx)?;
        let handle = match cx.output_dtype(0) {
            Some(DType::Str) => Tensor::string(name),
            _ => {
                Tensor::scalar(Handle { container: SessionTensors::CONTAINER.into(), name: name.into(), object: None })
            }
        };
        cx.set(0, handle);
        Ok(())
    });

/// Creates a handle for the tensor in input 0.
fn add(cx: &mut Cx<'_, '_>) -> Result<String> {
    let value = cx.take(0)?;
    let node = cx.node();
    cx.env().tensors.add(cx.step().id, &node.name, &node.device, value)
}

attrs! {
    /// Returns the tensor of a handle.
    pub struct GetSessionTensor {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
    }
}

pub static GET_SESSION_TENSOR: Def<GetSessionTensor> = op("GetSessionTensor")
    .inputs(&[arg("handle", is(DType::Str))])
    .outputs(&[arg("value", of("dtype"))])
    .stateful()
    .shape(|_, cx| {
        cx.with_rank(0, 0)?;
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(get_session_tensor);

fn get_session_tensor(op: &GetSessionTensor, cx: &mut Cx<'_, '_>) -> Result<()> {
    let tensor = cx.env().tensors.get(&handle(cx)?)?;
    if tensor.dtype() != op.dtype {
        return Err(Error::internal(format!(
            "Output 0 of type {} does not match declared output type {}",
            tensor.dtype(),
            op.dtype
        ))
        .attr("dtype")
        .help("the attr dtype must be the dtype of the tensor behind the handle"));
    }
    cx.set(0, tensor);
    Ok(())
}

attrs! {
    /// Deletes the tensor of a handle.
    pub struct DeleteSessionTensor {}
}

pub static DELETE_SESSION_TENSOR: Def<DeleteSessionTensor> = op("DeleteSessionTensor")
    .inputs(&[arg("handle", is(DType::Str))])
    .stateful()
    .shape(|_, cx| {
        cx.with_rank(0, 0)?;
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(|_, cx| cx.env().tensors.remove(&handle(cx)?));

/// Returns the handle in input 0.
fn handle(cx: &Cx<'_, '_>) -> Result<String> {
    let handle = cx.input(0)?;
    match handle.slice::<Bytes>()? {
        [text] => Ok(String::from_utf8_lossy(text).into_owned()),
        _ => Err(Error::invalid("a handle must be a scalar")
            .expected("a scalar")
            .found(format!("shape {}", handle.shape()))),
    }
}
