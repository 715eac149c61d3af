//! Arrays and lists of tensors: the elements are in the device's memory, their containers on the host.

use super::entry::{self, Cx, fits_all};
use crate::device::Gpu;
use levada_graph::spec::{Arg, Ty};
use levada_graph::{AnyOp, AttrValue, DType, Result};
use levada_kernel::def::{Cell, CellOfDef, OpAttrs};
use levada_kernel::{Def, KernelEntry};
use levada_ops::types::*;
use std::sync::Arc;

static CELLS: &[&dyn CellOfDef<Gpu>] = &[
    &held(&EMPTY_TENSOR_LIST, empty_tensor_list),
    &held(&TENSOR_ARRAY_CLOSE_V3, tensor_array_close),
    &held(&TENSOR_ARRAY_CONCAT_V3, tensor_array_concat),
    &held(&TENSOR_ARRAY_GATHER_V3, tensor_array_gather),
    &held(&TENSOR_ARRAY_GRAD_V3, tensor_array_grad),
    &held(&TENSOR_ARRAY_READ_V3, tensor_array_read),
    &held(&TENSOR_ARRAY_SCATTER_V3, tensor_array_scatter),
    &held(&TENSOR_ARRAY_SIZE_V3, tensor_array_size),
    &held(&TENSOR_ARRAY_SPLIT_V3, tensor_array_split),
    &held(&TENSOR_ARRAY_WRITE_V3, tensor_array_write),
    &held(&TENSOR_ARRAY_GRAD_WITH_SHAPE, tensor_array_grad_with_shape),
    &held(&TENSOR_ARRAY_V3, tensor_array),
    &held(&TENSOR_LIST_CONCAT, tensor_list_concat),
    &held(&TENSOR_LIST_CONCAT_LISTS, tensor_list_concat_lists),
    &held(&TENSOR_LIST_CONCAT_V2, tensor_list_concat_v2),
    &held(&TENSOR_LIST_ELEMENT_SHAPE, tensor_list_element_shape),
    &held(&TENSOR_LIST_FROM_TENSOR, tensor_list_from_tensor),
    &held(&TENSOR_LIST_GATHER, tensor_list_gather),
    &held(&TENSOR_LIST_GET_ITEM, tensor_list_get_item),
    &held(&TENSOR_LIST_LENGTH, tensor_list_length),
    &held(&TENSOR_LIST_POP_BACK, tensor_list_pop_back),
    &held(&TENSOR_LIST_PUSH_BACK, tensor_list_push_back),
    &held(&TENSOR_LIST_RESERVE, tensor_list_reserve),
    &held(&TENSOR_LIST_RESIZE, tensor_list_resize),
    &held(&TENSOR_LIST_SCATTER_INTO_EXISTING_LIST, tensor_list_scatter_into_existing_list),
    &held(&TENSOR_LIST_SCATTER_V2, tensor_list_scatter_v2),
    &held(&TENSOR_LIST_SET_ITEM, tensor_list_set_item),
    &held(&TENSOR_LIST_SPLIT, tensor_list_split),
    &held(&TENSOR_LIST_STACK, tensor_list_stack),
];

/// The kernel entries of this module.
pub(super) fn entries() -> impl Iterator<Item = KernelEntry<Gpu>> {
    entry::entries(CELLS)
}

/// The kernel of a definition, for nodes whose elements are of a dtype that the device supports.
const fn held<A: OpAttrs>(def: &'static Def<A>, compute: fn(&A, &mut Cx<'_, '_>) -> Result<()>) -> Cell<Gpu, A> {
    Cell::new(def, holds, compute)
}

fn holds(op: &Arc<dyn AnyOp>, gpu: &Gpu, _: &[isize], _: &[isize]) -> bool {
    let is_plain = |value: &AttrValue| !matches!(value, AttrValue::Type(ty) if !ty.dtype.is_plain());
    // The older forms of an op have strings that name the array.
    let is_name = |arg: &Arg| arg.ty == Ty::Is(DType::Str);
    let spec = op.spec();
    let is_named = spec.inputs.iter().chain(spec.outputs).any(is_name);
    fits_all(op, gpu) && !is_named && op.encode().iter().all(|(_, value)| is_plain(value))
}
