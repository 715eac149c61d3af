//! `GetSessionHandle`, `GetSessionTensor` and `DeleteSessionTensor`: tensors that stay in the session between runs.

use crate::prelude::*;
use levada_graph::Handle;
use levada_kernel::SessionTensors;

attrs! {
    /// Keeps a tensor in the session where the run fetches its handle, which is text.
    pub struct GetSessionHandle {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

impl Op for GetSessionHandle {
    const SPEC: Spec = Spec {
        name: "GetSessionHandle",
        inputs: &[arg("value", of("T"))],
        outputs: &[arg("handle", is(DType::Str))],
        ..Spec::STATEFUL
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl Kernel<Cpu> for GetSessionHandle {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let handle = add(cx)?;
        cx.set(0, Tensor::string(handle));
        Ok(())
    }
}

attrs! {
    /// Keeps a tensor in the session where the run fetches its handle, which is that of a resource.
    pub struct GetSessionHandleV2 {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

impl Op for GetSessionHandleV2 {
    const SPEC: Spec = Spec {
        name: "GetSessionHandleV2",
        inputs: &[arg("value", of("T"))],
        outputs: &[arg("handle", is(DType::Resource))],
        ..Spec::STATEFUL
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl Kernel<Cpu> for GetSessionHandleV2 {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let name = add(cx)?.into();
        cx.set(0, Tensor::scalar(Handle { container: SessionTensors::CONTAINER.into(), name, object: None }));
        Ok(())
    }
}

/// Gives the tensor on input 0 a handle.
fn add(cx: &mut Cx<'_, '_>) -> Result<String> {
    let value = cx.take(0)?;
    let node = cx.node();
    cx.env().tensors.add(cx.step().id, &node.name, &node.device, value)
}

attrs! {
    /// The tensor that a handle stands for.
    pub struct GetSessionTensor {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
    }
}

impl Op for GetSessionTensor {
    const SPEC: Spec = Spec {
        name: "GetSessionTensor",
        inputs: &[arg("handle", is(DType::Str))],
        outputs: &[arg("value", of("dtype"))],
        ..Spec::STATEFUL
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.with_rank(0, 0)?;
        Ok(())
    }
}

impl Kernel<Cpu> for GetSessionTensor {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let tensor = cx.env().tensors.get(&handle(cx)?)?;
        if tensor.dtype() != self.dtype {
            return Err(Error::internal(format!(
                "Output 0 of type {} does not match declared output type {}",
                tensor.dtype(),
                self.dtype
            ))
            .attr("dtype")
            .help("the attr dtype must be the type of the tensor that the handle stands for"));
        }
        cx.set(0, tensor);
        Ok(())
    }
}

attrs! {
    /// Forgets the tensor that a handle stands for.
    pub struct DeleteSessionTensor {}
}

impl Op for DeleteSessionTensor {
    const SPEC: Spec =
        Spec { name: "DeleteSessionTensor", inputs: &[arg("handle", is(DType::Str))], ..Spec::STATEFUL };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.with_rank(0, 0)?;
        Ok(())
    }
}

impl Kernel<Cpu> for DeleteSessionTensor {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        cx.env().tensors.remove(&handle(cx)?)
    }
}

/// The handle on input 0.
fn handle(cx: &Cx<'_, '_>) -> Result<String> {
    let handle = cx.input(0)?;
    match handle.slice::<Bytes>()? {
        [text] => Ok(String::from_utf8_lossy(text).into_owned()),
        _ => Err(Error::invalid("a handle must be a scalar").expected("a scalar").found(format!("shape {}", handle.shape()))),
    }
}
