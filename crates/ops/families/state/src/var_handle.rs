//! `VarHandleOp` and ops that query a resource variable without reading it.

use crate::prelude::*;
use crate::rules::never;
use crate::variable::{Target, Variable, container_here, handle_input, resource_name, unset};
use levada_graph::Handle;
use std::sync::Arc;

attrs! {
    /// Returns a handle to a resource variable, which has no value until it is assigned.
    pub struct VarHandleOp {
        /// Container that holds the variable; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name in the container; empty for the node's name.
        shared_name: String = Attr::string("shared_name").or_str(""),
        /// Name for diagnostics.
        debug_name: String = Attr::string("debug_name").or_str(""),
        /// Element type of the value.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
        /// Shape of the value.
        shape: PartialShape = Attr::shape("shape"),
        /// Devices that may hold the value; empty for all.
        allowed_devices: Vec<String> = Attr::strings("allowed_devices").or_empty(),
    }
}

/// The shared name that requests a separate handle in every run.
const ANONYMOUS: &str = "cd2c89b7-88b7-44c8-ad83-06c2a9158347";

pub static VAR_HANDLE_OP: Def<VarHandleOp> = op("VarHandleOp")
    .outputs(&[arg("resource", is(DType::Resource))])
    .effect(Effect::Own)
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .host_outputs(&[0])
    .gradient(|_, g| never(g))
    .kernel(var_handle_op);

fn var_handle_op(op: &VarHandleOp, cx: &mut Cx<'_, '_>) -> Result<()> {
    let node = &cx.node().name;
    if op.shared_name == ANONYMOUS {
        let object: Arc<Variable> = Arc::new(unset(node, &op.shape));
        let container = container_here("", cx).into();
        let handle = Handle { container, name: node.clone(), object: Some(object) };
        cx.set(0, Tensor::scalar(handle));
        return Ok(());
    }
    let name = resource_name(&op.shared_name, cx);
    let container = container_here(&op.container, cx);
    let handle = cx.env().resources.handle::<Variable>(&container, name, || Ok(unset(name, &op.shape)))?;
    cx.set(0, handle);
    Ok(())
}

attrs! {
    /// Returns whether a resource variable is initialized.
    pub struct VarIsInitializedOp {}
}

pub static VAR_IS_INITIALIZED_OP: Def<VarIsInitializedOp> = op("VarIsInitializedOp")
    .inputs(&[arg("resource", is(DType::Resource))])
    .outputs(&[arg("is_initialized", is(DType::Bool))])
    .effect(Effect::Own)
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .host_outputs(&[0])
    .gradient(|_, g| never(g))
    .kernel(|_, cx| {
        let set = match Target::of(cx, 0) {
            Ok(target) => target.cell.value.read().is_some(),
            Err(error) if error.code() == Code::NotFound => false,
            Err(error) => return Err(error),
        };
        cx.set(0, Tensor::scalar(set));
        Ok(())
    });

attrs! {
    /// Returns the shape of a resource variable's value.
    pub struct VariableShape {
        /// Element type of the result.
        output: DType = Attr::dtype("out_type", sets::INDEX).or_type(DType::I32),
    }
}

pub static VARIABLE_SHAPE: Def<VariableShape> = op("VariableShape")
    .inputs(&[arg("input", is(DType::Resource))])
    .outputs(&[arg("output", of("out_type"))])
    .effect(Effect::Reads)
    .shape(|_, cx| {
        cx.output_vector(0, None);
        Ok(())
    })
    .host_outputs(&[0])
    .gradient(|_, g| never(g))
    .kernel(variable_shape);

fn variable_shape(op: &VariableShape, cx: &mut Cx<'_, '_>) -> Result<()> {
    let target = Target::of(cx, 0)?;
    let dims = match &*target.cell.value.read() {
        Some(value) => value.shape().to_signed(),
        None => return Err(target.unset()),
    };
    let out = match op.output {
        DType::I64 => Tensor::vector(dims),
        _ => {
            let narrow = |d: i64| i32::try_from(d).map_err(|_| Error::invalid(format!("{d} does not fit into int32")));
            Tensor::vector(dims.into_iter().map(narrow).collect::<Result<Vec<i32>>>()?)
        }
    };
    cx.set(0, out);
    Ok(())
}

attrs! {
    /// Removes a resource from its container and destroys it; a variable can be assigned again.
    pub struct DestroyResourceOp {
        /// Whether to ignore a missing resource instead of failing.
        ignore_lookup_error: bool = Attr::bool("ignore_lookup_error").or_bool(true),
    }
}

pub static DESTROY_RESOURCE_OP: Def<DestroyResourceOp> =
    op("DestroyResourceOp").inputs(&[arg("resource", is(DType::Resource))]).stateful().kernel(|op, cx| {
        let destroyed = match Target::of(cx, 0) {
            // The variable itself is kept for existing handles; only its value is removed.
            Ok(target) => target.cell.value.write().take().is_some(),
            Err(_) => cx.env().resources.remove_handle(handle_input(cx, 0)?),
        };
        if !destroyed && !op.ignore_lookup_error {
            let handle = handle_input(cx, 0)?;
            return Err(Error::not_found(format!("Resource {}/{} does not exist.", handle.container, handle.name)));
        }
        Ok(())
    });
