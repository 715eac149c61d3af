//! `EmptyTensorList` and `TensorListReserve`.

use super::element::{element_shape, length};
use super::list::{TensorList, set_list, size, strict};
use crate::moves::Mover;
use crate::prelude::*;
use crate::rules::never;
use crate::scalar_output;
use crate::variant_tensors::described_shape;

attrs! {
    /// Creates an empty list.
    pub struct EmptyTensorList {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
        /// Type of the shape.
        index: DType = Attr::dtype("shape_type", sets::INDEX),
    }
}

pub static EMPTY_TENSOR_LIST: Def<EmptyTensorList> = op("EmptyTensorList")
    .inputs(&[arg("element_shape", of("shape_type")), arg("max_num_elements", is(DType::I32))])
    .outputs(&[arg("handle", is(DType::Variant))])
    .counts("element_dtype")
    .host_inputs(&[0, 1])
    .shape(scalar_output)
    .gradient(|_, g| never(g))
    .kernel(empty_tensor_list::<Cpu>);

/// The kernel of `EmptyTensorList`, on any device that moves elements.
pub fn empty_tensor_list<D: Mover>(op: &EmptyTensorList, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let max = strict(cx, 1, "max_num_elements")?;
    let shape = described_shape(cx.input(0)?)?;
    let mut list = TensorList::new(op.dtype, shape, Vec::new());
    list.max = usize::try_from(max).ok();
    set_list(cx, list);
    Ok(())
}

attrs! {
    /// Creates a list of uninitialized elements.
    pub struct TensorListReserve {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
        /// Type of the shape.
        index: DType = Attr::dtype("shape_type", sets::INDEX),
    }
}

pub static TENSOR_LIST_RESERVE: Def<TensorListReserve> = op("TensorListReserve")
    .inputs(&[arg("element_shape", of("shape_type")), arg("num_elements", is(DType::I32))])
    .outputs(&[arg("handle", is(DType::Variant))])
    .counts("element_dtype")
    .host_inputs(&[0, 1])
    .shape(scalar_output)
    .gradient(|_, g| never(g))
    .kernel(tensor_list_reserve::<Cpu>);

/// The kernel of `TensorListReserve`, on any device that moves elements.
pub fn tensor_list_reserve<D: Mover>(op: &TensorListReserve, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let shape = described_shape(cx.input(0)?)?;
    let n = size(cx, 1, "num_elements to reserve")?;
    set_list(cx, TensorList::new(op.dtype, shape, vec![None; n]));
    Ok(())
}

/// Returns a list of uninitialized elements of dtype `dtype`, as long as the list `like`.
pub(super) fn reserved<'g>(like: V<'g>, dtype: DType) -> V<'g> {
    let attrs = TensorListReserve { dtype, index: DType::I32 };
    TENSOR_LIST_RESERVE.node(like.cx(), &attrs, &[element_shape(like), length(like)])
}
