//! Access to single elements of lists, and their length and element shape: `TensorListGetItem`, `TensorListSetItem`,
//! `TensorListLength`, `TensorListElementShape`, `TensorListResize`.

use super::create::reserved;
use super::list::{TensorList, change_list, check_len, list, scalar, strict};
use crate::moves::Mover;
use crate::prelude::*;
use crate::rules::{Handles, NONE, never};
use crate::variant_tensors::constant_shape;
use crate::{LIST, scalar_output};

attrs! {
    /// Returns an element of a list; zeros if it is uninitialized.
    pub struct TensorListGetItem {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
        /// Type of the shape.
        index: DType = Attr::dtype("Tshape", sets::INDEX).or_type(DType::I32),
    }
}

pub static TENSOR_LIST_GET_ITEM: Def<TensorListGetItem> = op::<TensorListGetItem>("TensorListGetItem")
    .inputs(&[LIST, arg("index", is(DType::I32)), arg("element_shape", of("Tshape"))])
    .outputs(&[arg("item", of("element_dtype"))])
    .counts("element_dtype")
    .host_inputs(&[1, 2])
    .shape(|_, cx| {
        let shape = constant_shape(cx, 2);
        cx.output(0, shape);
        Ok(())
    })
    .gradient(|op, g| {
        let (list, index, dy) = (g.input(0), g.input(1), g.dy(0));
        let set = TensorListSetItem { dtype: op.dtype, resize: false };
        vec![TENSOR_LIST_SET_ITEM.node(g, &set, &[reserved(list, op.dtype), index, dy]).into(), NONE, NONE]
    })
    .kernel(tensor_list_get_item::<Cpu>);

/// The kernel of `TensorListGetItem`, on any device that moves elements.
pub fn tensor_list_get_item<D: Mover>(op: &TensorListGetItem, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let list = list(cx, 0)?;
    list.check_dtype(op.dtype)?;
    let at = list.position(scalar(cx, 1, "index")?, "access")?;
    let item = match &list.items[at] {
        Some(item) => item.clone(),
        None => {
            let asked = list.asked_shape(cx, 2)?;
            list.unset(cx, TensorList::infer(asked, &list.items)?)?
        }
    };
    cx.set(0, item);
    Ok(())
}

attrs! {
    /// Returns a list with one element replaced.
    pub struct TensorListSetItem {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
        /// Whether to extend a list that is too short.
        resize: bool = Attr::bool("resize_if_index_out_of_bounds").or_bool(false),
    }
}

pub static TENSOR_LIST_SET_ITEM: Def<TensorListSetItem> = op::<TensorListSetItem>("TensorListSetItem")
    .inputs(&[LIST, arg("index", is(DType::I32)), arg("item", of("element_dtype"))])
    .outputs(&[arg("output_handle", is(DType::Variant))])
    .counts("element_dtype")
    .host_inputs(&[1])
    .shape(scalar_output)
    .gradient(|op, g| {
        let Some(dy) = g.known_dy(0) else { return never(g) };
        let (index, item) = (g.input(1), g.input(2));
        let set = TensorListSetItem { dtype: op.dtype, resize: false };
        let rest = TENSOR_LIST_SET_ITEM.node(g, &set, &[dy, index, item.zeros_like()]);
        // If the op extended the list, the gradient is cut back to the original length.
        let rest = if op.resize { resized(rest, length(g.input(0))) } else { rest };
        let get = TensorListGetItem { dtype: op.dtype, index: DType::I32 };
        vec![rest.into(), NONE, TENSOR_LIST_GET_ITEM.node(g, &get, &[dy, index, item.dims()]).into()]
    })
    .kernel(tensor_list_set_item::<Cpu>);

/// The kernel of `TensorListSetItem`, on any device that moves elements.
pub fn tensor_list_set_item<D: Mover>(op: &TensorListSetItem, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let found = list(cx, 0)?;
    found.check_dtype(op.dtype)?;
    let index = strict(cx, 1, "index")?;
    let at = match usize::try_from(index) {
        Ok(at) if op.resize => at,
        _ => found.position(index, "modify")?,
    };
    check_len(D::arena(cx), (at + 1).saturating_sub(found.items.len()))?;
    found.check_item(cx.input(2)?)?;
    let item = cx.take(2)?;
    change_list(cx, |list| {
        if at >= list.items.len() {
            list.items.resize(at + 1, None);
        }
        list.items[at] = Some(item);
        Ok(())
    })
}

attrs! {
    /// Returns the number of elements of a list.
    pub struct TensorListLength {}
}

pub static TENSOR_LIST_LENGTH: Def<TensorListLength> = op("TensorListLength")
    .inputs(&[LIST])
    .outputs(&[arg("length", is(DType::I32))])
    .host_outputs(&[0])
    .shape(scalar_output)
    .gradient(|_, g| never(g))
    .kernel(tensor_list_length::<Cpu>);

/// The kernel of `TensorListLength`, on any device that moves elements.
pub fn tensor_list_length<D: Mover>(_: &TensorListLength, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let n = list(cx, 0)?.items.len();
    cx.set(0, Tensor::scalar(i32::try_from(n).unwrap_or(i32::MAX)));
    Ok(())
}

/// Returns the number of elements of a list.
pub(super) fn length(list: V<'_>) -> V<'_> {
    TENSOR_LIST_LENGTH.node(list.cx(), &TensorListLength {}, &[list])
}

attrs! {
    /// Returns the known shape of a list's elements, with -1 for unknown sizes.
    pub struct TensorListElementShape {
        /// Type of the shape.
        index: DType = Attr::dtype("shape_type", sets::INDEX),
    }
}

pub static TENSOR_LIST_ELEMENT_SHAPE: Def<TensorListElementShape> = op("TensorListElementShape")
    .inputs(&[LIST])
    .outputs(&[arg("element_shape", of("shape_type"))])
    .host_outputs(&[0])
    .gradient(|_, g| never(g))
    .kernel(tensor_list_element_shape::<Cpu>);

/// The kernel of `TensorListElementShape`, on any device that moves elements.
pub fn tensor_list_element_shape<D: Mover>(op: &TensorListElementShape, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let dims = list(cx, 0)?.shape.dims().map(|dims| dims.iter().map(|d| d.map_or(-1, |d| d as i64)).collect());
    let dims: Option<Vec<i64>> = dims;
    let shape = match (dims, op.index) {
        (None, DType::I32) => Tensor::scalar(-1i32),
        (None, _) => Tensor::scalar(-1i64),
        (Some(dims), DType::I32) => Tensor::vector(dims.into_iter().map(|d| d as i32).collect()),
        (Some(dims), _) => Tensor::vector(dims),
    };
    cx.set(0, shape);
    Ok(())
}

/// Returns the known shape of a list's elements.
pub(super) fn element_shape(list: V<'_>) -> V<'_> {
    TENSOR_LIST_ELEMENT_SHAPE.node(list.cx(), &TensorListElementShape { index: DType::I32 }, &[list])
}

attrs! {
    /// Truncates a list, or extends it with uninitialized elements.
    pub struct TensorListResize {}
}

pub static TENSOR_LIST_RESIZE: Def<TensorListResize> = op("TensorListResize")
    .inputs(&[LIST, arg("size", is(DType::I32))])
    .outputs(&[arg("output_handle", is(DType::Variant))])
    .host_inputs(&[1])
    .shape(scalar_output)
    .gradient(|_, g| {
        let Some(dy) = g.known_dy(0) else { return never(g) };
        vec![resized(dy, length(g.input(0))).into(), NONE]
    })
    .kernel(tensor_list_resize::<Cpu>);

/// The kernel of `TensorListResize`, on any device that moves elements.
pub fn tensor_list_resize<D: Mover>(_: &TensorListResize, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    list(cx, 0)?;
    let asked = strict(cx, 1, "size of a list")?;
    let n = usize::try_from(asked)
        .map_err(|_| Error::invalid(format!("TensorListSlice expects size to be non-negative. Got: {asked}")))?;
    check_len(D::arena(cx), n)?;
    change_list(cx, |list| {
        list.items.resize(n, None);
        Ok(())
    })
}

fn resized<'g>(list: V<'g>, n: V<'g>) -> V<'g> {
    TENSOR_LIST_RESIZE.node(list.cx(), &TensorListResize {}, &[list, n])
}
