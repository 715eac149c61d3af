//! Ops on the ends of lists: `TensorListPushBack`, `TensorListPushBackBatch`, `TensorListPopBack`,
//! `TensorListConcatLists`.

use super::create::reserved;
use super::list::{TensorList, change_list, check_len, list};
use crate::moves::Mover;
use crate::prelude::*;
use crate::rules::{Handles, NONE, never};
use crate::variant_tensors::{constant_shape, not_a};
use crate::{LIST, scalar_output};
use levada_graph::Variant;

attrs! {
    /// Appends an element to a list.
    pub struct TensorListPushBack {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
    }
}

pub static TENSOR_LIST_PUSH_BACK: Def<TensorListPushBack> = op::<TensorListPushBack>("TensorListPushBack")
    .inputs(&[LIST, arg("tensor", of("element_dtype"))])
    .outputs(&[arg("output_handle", is(DType::Variant))])
    .counts("element_dtype")
    .shape(scalar_output)
    .gradient(|op, g| {
        let Some(dy) = g.known_dy(0) else { return never(g) };
        let attrs = TensorListPopBack { dtype: op.dtype };
        let popped = TENSOR_LIST_POP_BACK.node(g, &attrs, &[dy, g.input(1).dims()]);
        vec![popped.into(), popped.out(1).into()]
    })
    .kernel(tensor_list_push_back::<Cpu>);

/// The kernel of `TensorListPushBack`, on any device that moves elements.
pub fn tensor_list_push_back<D: Mover>(op: &TensorListPushBack, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let found = list(cx, 0)?;
    found.check_item(cx.input(1)?)?;
    found.check_dtype(op.dtype)?;
    if let Some(max) = found.max.filter(|&max| found.items.len() >= max) {
        return Err(Error::invalid(format!(
            "Tried to push item into a full list list size: {} max_num_elements: {max}",
            found.items.len()
        )));
    }
    let item = cx.take(1)?;
    change_list(cx, |list| {
        list.items.push(Some(item));
        Ok(())
    })
}

attrs! {
    /// Appends the rows of a tensor to lists, one row to each.
    pub struct TensorListPushBackBatch {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
    }
}

pub static TENSOR_LIST_PUSH_BACK_BATCH: Def<TensorListPushBackBatch> = op("TensorListPushBackBatch")
    .inputs(&[arg("input_handles", is(DType::Variant)), arg("tensor", of("element_dtype"))])
    .outputs(&[arg("output_handles", is(DType::Variant))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(tensor_list_push_back_batch::<Cpu>);

/// The kernel of `TensorListPushBackBatch`, on any device that moves elements.
pub fn tensor_list_push_back_batch<D: Mover>(op: &TensorListPushBackBatch, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let (lists, rows) = (cx.input(0)?, cx.input(1)?);
    let Some(&n) = rows.shape().first() else {
        return Err(Error::invalid("Expected tensor to be at least a vector, but saw shape: []"));
    };
    if lists.shape().dims() != [n] {
        return Err(Error::invalid(format!(
            "Expected tensor.shape[0] == input_handles.size, but saw {n} vs. {}",
            lists.shape()
        )));
    }
    let mut pushed = Vec::with_capacity(n);
    for (i, held) in lists.slice::<Variant>()?.iter().enumerate() {
        let list = held.get::<TensorList>().ok_or_else(|| not_a("list", Some(held)))?;
        list.check_dtype(op.dtype)?;
        let row = rows.row(i)?;
        if !list.shape.accepts(row.shape()) {
            return Err(Error::invalid(format!(
                "Tried to append a tensor with incompatible shape to a list at index {i}. Op element shape: {} list shape: {}",
                row.shape(),
                list.shape
            )));
        }
        list.check_item(&row)?;
        let mut list = list.clone();
        list.items.push(Some(row));
        pushed.push(Variant::new(list));
    }
    cx.set(0, Tensor::vector(pushed));
    Ok(())
}

attrs! {
    /// Removes the last element of a list; returns the list and the element.
    pub struct TensorListPopBack {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
    }
}

pub static TENSOR_LIST_POP_BACK: Def<TensorListPopBack> = op::<TensorListPopBack>("TensorListPopBack")
    .inputs(&[LIST, arg("element_shape", is(DType::I32))])
    .outputs(&[arg("output_handle", is(DType::Variant)), arg("tensor", of("element_dtype"))])
    .counts("element_dtype")
    .host_inputs(&[1])
    .shape(|_, cx| {
        cx.output_scalar(0);
        let shape = constant_shape(cx, 1);
        cx.output(1, shape);
        Ok(())
    })
    .gradient(|op, g| {
        let list = g.known_dy(0).unwrap_or_else(|| reserved(g.output(0), op.dtype));
        let item = g.known_dy(1).unwrap_or_else(|| g.output(1).zeros_like());
        vec![TENSOR_LIST_PUSH_BACK.node(g, &TensorListPushBack { dtype: op.dtype }, &[list, item]).into(), NONE]
    })
    .kernel(tensor_list_pop_back::<Cpu>);

/// The kernel of `TensorListPopBack`, on any device that moves elements.
pub fn tensor_list_pop_back<D: Mover>(op: &TensorListPopBack, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let found = list(cx, 0)?;
    found.check_dtype(op.dtype)?;
    let item = match found.items.last() {
        None => return Err(Error::invalid("Trying to pop from an empty list.")),
        Some(Some(item)) => item.clone(),
        Some(None) => found.unset(cx, found.asked_shape(cx, 1)?)?,
    };
    change_list(cx, |list| {
        list.items.pop();
        Ok(())
    })?;
    cx.set(1, item);
    Ok(())
}

attrs! {
    /// Concatenates pairs of lists.
    pub struct TensorListConcatLists {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
    }
}

pub static TENSOR_LIST_CONCAT_LISTS: Def<TensorListConcatLists> = op("TensorListConcatLists")
    .inputs(&[arg("input_a", is(DType::Variant)), arg("input_b", is(DType::Variant))])
    .outputs(&[arg("output", is(DType::Variant))])
    .counts("element_dtype")
    .shape(|_, cx| {
        let shape = cx.input(0).merge(&cx.input(1))?;
        cx.output(0, shape);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(tensor_list_concat_lists::<Cpu>);

/// The kernel of `TensorListConcatLists`, on any device that moves elements.
pub fn tensor_list_concat_lists<D: Mover>(op: &TensorListConcatLists, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let (a, b) = (cx.input(0)?, cx.input(1)?);
    if a.shape() != b.shape() {
        return Err(Error::invalid(format!(
            "Incompatible input TensorList tensor shapes: {} vs. {}",
            a.shape(),
            b.shape()
        )));
    }
    let mut joined = Vec::with_capacity(a.num_elements());
    for (a, b) in a.slice::<Variant>()?.iter().zip(b.slice::<Variant>()?) {
        let first = a.get::<TensorList>().ok_or_else(|| not_a("list", Some(a)))?;
        let second = b.get::<TensorList>().ok_or_else(|| not_a("list", Some(b)))?;
        first.check_dtype(op.dtype)?;
        second.check_dtype(op.dtype)?;
        if first.shape != second.shape {
            return Err(Error::invalid(format!(
                "input_a and input_b TensorList element shapes are not identical: {} vs. {}",
                first.shape, second.shape
            )));
        }
        check_len(D::arena(cx), first.items.len() + second.items.len())?;
        let mut list = first.clone();
        list.items.extend_from_slice(&second.items);
        joined.push(Variant::new(list));
    }
    let joined = Tensor::from_vec(a.shape().clone(), joined)?;
    cx.set(0, joined);
    Ok(())
}
