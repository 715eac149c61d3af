//! `TensorArrayV3` and its older forms: create arrays.

use super::array::{Make, TensorArray};
use super::handle::{ARRAYS, FLOW, HANDLE, NAME, REFERENCE, V1, V2, V3, set_array, unique_name};
use crate::moves::Mover;
use crate::prelude::*;
use crate::rules::never;
use std::sync::Arc;

attrs! {
    /// Creates an array of tensors.
    pub struct TensorArrayV3 {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
        /// Statically known shape of the elements.
        element_shape: PartialShape = Attr::shape("element_shape").or_unknown_shape(),
        /// Whether writing past the end grows the array.
        dynamic_size: bool = Attr::bool("dynamic_size").or_bool(false),
        /// Whether an element can be read only once.
        clear_after_read: bool = Attr::bool("clear_after_read").or_bool(true),
        /// Whether all elements have the shape of the first.
        identical_element_shapes: bool = Attr::bool("identical_element_shapes").or_bool(false),
        /// Name for messages; empty for the node's name.
        tensor_array_name: String = Attr::string("tensor_array_name").or_str(""),
        /// Version of the tensor array ops.
        version: i64 = Attr::int("version").or_int(3),
    }
}

pub static TENSOR_ARRAY_V3: Def<TensorArrayV3> = op::<TensorArrayV3>("TensorArrayV3")
    .store(Store::Make)
    .inputs(&[arg("size", is(DType::I32))])
    .outputs(&[HANDLE, arg("flow", FLOW)])
    .fixed(V3)
    .also(&[
        form("TensorArrayV2").outputs(&[NAME]).without(&["identical_element_shapes"]).fixed(V2),
        form("TensorArray").outputs(&[REFERENCE]).without(&["identical_element_shapes"]).fixed(V1),
    ])
    .stateful()
    .counts("dtype")
    .host_inputs(&[0])
    .shape(|op, cx| {
        cx.with_rank(0, 0)?;
        cx.output(0, if op.version == 3 { PartialShape::scalar() } else { PartialShape::vector(Some(2)) });
        cx.output_scalar(1);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(tensor_array::<Cpu>);

/// The kernel of `TensorArrayV3`, on any device that moves elements.
pub fn tensor_array<D: Mover>(op: &TensorArrayV3, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let size = cx.input(0)?;
    if !size.shape().is_scalar() {
        return Err(Error::invalid(format!("TensorArray size must be scalar, but had shape: {}", size.shape())));
    }
    let size = size.item::<i32>()?;
    let size = usize::try_from(size).map_err(|_| Error::invalid(format!("Size should be >= 0, not {size}.")))?;
    let make = Make {
        name: unique_name(cx, &op.tensor_array_name)?,
        dtype: op.dtype,
        size,
        shape: op.element_shape.clone(),
        dynamic: op.dynamic_size,
        clear_after_read: op.clear_after_read,
        identical_shapes: op.identical_element_shapes,
    };
    let array = TensorArray::new(D::arena(cx), make)?;
    set_array(cx, ARRAYS, Arc::new(array), op.version);
    let flow = D::zeros(cx, DType::F32, &Shape::scalar())?;
    cx.set(1, flow);
    Ok(())
}
