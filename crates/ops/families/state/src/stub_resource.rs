//! `StubResourceHandleOp` and `ResourceCreateOp`: a resource that holds nothing. TensorFlow has it for tests of resources.

use crate::variable::{container_here, handle_input, resource_name};
use crate::prelude::*;
use levada_graph::Handle;
use std::sync::Arc;

/// Nothing.
struct Stub;

attrs! {
    /// The handle of a resource that holds nothing and is not there before it is created.
    pub struct StubResourceHandleOp {
        /// Container that holds it; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name in the container; empty for the node's.
        shared_name: String = Attr::string("shared_name").or_str(""),
    }
}

impl Op for StubResourceHandleOp {
    const SPEC: Spec =
        Spec { name: "StubResourceHandleOp", outputs: &[arg("resource", is(DType::Resource))], ..Spec::STATEFUL };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.output_scalar(0);
        Ok(())
    }
}

impl Kernel<Cpu> for StubResourceHandleOp {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let name = resource_name(&self.shared_name, cx).into();
        let handle = Handle { container: (&*container_here(&self.container, cx)).into(), name, object: None };
        cx.set(0, Tensor::scalar(handle));
        Ok(())
    }
}

attrs! {
    /// Creates a resource that holds nothing.
    pub struct ResourceCreateOp {}
}

impl Op for ResourceCreateOp {
    const SPEC: Spec =
        Spec { name: "ResourceCreateOp", inputs: &[arg("resource", is(DType::Resource))], ..Spec::STATEFUL };
}

impl Kernel<Cpu> for ResourceCreateOp {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let handle = handle_input(cx, 0)?;
        if cx.env().resources.insert_new(&handle.container, &handle.name, Arc::new(Stub)) {
            return Ok(());
        }
        Err(Error::already_exists(format!("Resource {}/{} already exists.", handle.container, handle.name)))
    }
}
