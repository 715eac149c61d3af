//! `StubResourceHandleOp` and `ResourceCreateOp`: an empty resource, which TensorFlow has for tests of resources.

use crate::prelude::*;
use crate::variable::{container_here, handle_input, resource_name};
use levada_graph::Handle;
use std::sync::Arc;

/// An empty resource.
struct Stub;

attrs! {
    /// Returns the handle of an empty resource, which does not exist before it is created.
    pub struct StubResourceHandleOp {
        /// Container that holds it; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name in the container; empty for the node's name.
        shared_name: String = Attr::string("shared_name").or_str(""),
    }
}

pub static STUB_RESOURCE_HANDLE_OP: Def<StubResourceHandleOp> = op("StubResourceHandleOp")
    .outputs(&[arg("resource", is(DType::Resource))])
    .stateful()
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .kernel(stub_resource_handle_op);

fn stub_resource_handle_op(op: &StubResourceHandleOp, cx: &mut Cx<'_, '_>) -> Result<()> {
    let name = resource_name(&op.shared_name, cx).into();
    let handle = Handle { container: (&*container_here(&op.container, cx)).into(), name, object: None };
    cx.set(0, Tensor::scalar(handle));
    Ok(())
}

attrs! {
    /// Creates an empty resource.
    pub struct ResourceCreateOp {}
}

pub static RESOURCE_CREATE_OP: Def<ResourceCreateOp> =
    op("ResourceCreateOp").inputs(&[arg("resource", is(DType::Resource))]).stateful().kernel(resource_create_op);

fn resource_create_op(_: &ResourceCreateOp, cx: &mut Cx<'_, '_>) -> Result<()> {
    let handle = handle_input(cx, 0)?;
    if cx.env().resources.insert_new(&handle.container, &handle.name, Arc::new(Stub)) {
        return Ok(());
    }
    Err(Error::already_exists(format!("Resource {}/{} already exists.", handle.container, handle.name)))
}
