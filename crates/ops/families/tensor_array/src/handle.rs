//! How ops refer to a tensor array: version 3 by a handle, version 2 by a string tensor with its container and name,
//! version 1 by a reference to such a tensor.

use super::array::TensorArray;
use crate::prelude::*;
use crate::variable::resource_input;
use levada_graph::Handle;
use levada_graph::spec::Ty;
use levada_kernel::Io;
use levada_ops_core::handle::{named, named_input};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The container of arrays, as it appears in their handles.
pub(super) const ARRAYS: &str = "_tensor_arrays";
/// The container of gradient arrays.
pub(super) const GRADIENTS: &str = "_tensor_array_grads";

/// The array of an op of version 3.
pub(super) const HANDLE: Arg = arg("handle", is(DType::Resource));
/// The array of an op of version 2: its container and name.
pub(super) const NAME: Arg = arg("handle", is(DType::Str));
/// The array of an op of version 1.
pub(super) const REFERENCE: Arg = NAME.by_ref();

/// The type of a flow: a meaningless number that orders the ops on an array.
pub(super) const FLOW: Ty = is(DType::F32);
/// The flow from the previous op on the array.
pub(super) const FLOW_IN: Arg = arg("flow_in", FLOW);
/// The flow to the next op on the array.
pub(super) const FLOW_OUT: Arg = arg("flow_out", FLOW);

/// The field `version` of ops of version 1.
pub(super) const V1: &[(&str, AttrDefault)] = &[("version", AttrDefault::Int(1))];
/// The field `version` of ops of version 2.
pub(super) const V2: &[(&str, AttrDefault)] = &[("version", AttrDefault::Int(2))];
/// The field `version` of ops of version 3.
pub(super) const V3: &[(&str, AttrDefault)] = &[("version", AttrDefault::Int(3))];

/// Returns the array that input 0 refers to.
///
/// # Errors
/// `NOT_FOUND` if there is none.
pub(super) fn array_input(cx: &Io<'_>) -> Result<Arc<TensorArray>> {
    if cx.referred(0).is_none() && cx.input(0)?.dtype() == DType::Resource {
        return resource_input(cx, 0);
    }
    let (container, name) = named_input(cx, 0)?;
    let found = cx.step().resources.get::<TensorArray>(&container, &name);
    found.ok_or_else(|| Error::not_found(format!("Container {container} has no TensorArray {name} in this step")))
}

/// Sets output 0 to the handle of an array, in the form of this version.
pub(super) fn set_array(cx: &mut Io<'_>, container: &str, array: Arc<TensorArray>, version: i64) {
    let name = array.name.clone();
    if version < 3 {
        cx.step().resources.insert_new(container, &name, array.clone());
    }
    match version {
        1 => cx.set_entry(0, Entry::Ref(named(container, &name))),
        2 => {
            let words = [container, &name].map(|s| Bytes::copy_from_slice(s.as_bytes()));
            cx.set(0, Tensor::vector(words.to_vec()));
        }
        _ => {
            let handle = Handle { container: container.into(), name: name.into(), object: Some(array) };
            cx.set(0, Tensor::scalar(handle));
        }
    }
}

/// Returns a name that is unique among the arrays of the session.
pub(super) fn unique_name(cx: &Io<'_>, given: &str) -> Result<String> {
    let base = if given.is_empty() { &cx.node().name } else { given };
    // Only has to differ for every array.
    let number = cx.node_state(|| AtomicU64::new(0))?.fetch_add(1, Ordering::Relaxed);
    Ok(match cx.step().scope.id {
        0 => format!("{base}_{number}"),
        scope => format!("{base}@{scope:x}_{number}"),
    })
}

/// Checks the array's dtype against the op's.
pub(super) fn check_dtype(array: &TensorArray, dtype: DType, doing: &str) -> Result<()> {
    if array.dtype == dtype {
        return Ok(());
    }
    Err(Error::invalid(format!("TensorArray dtype is {} but Op {doing} dtype {dtype}.", array.dtype)))
}

/// Forwards the flow from input `i` to output `o`.
pub(super) fn pass_flow(cx: &mut Io<'_>, i: usize, o: usize) -> Result<()> {
    let flow = cx.take(i)?;
    cx.set(o, flow);
    Ok(())
}
