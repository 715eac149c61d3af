//! `TensorListStack` and `TensorListFromTensor`: convert lists to tensors, and the reverse.

use super::element::element_shape;
use super::list::{TensorList, list, set_list, stack};
use crate::moves::Mover;
use crate::prelude::*;
use crate::rules::{Handles, NONE, never};
use crate::variant_tensors::{constant_shape, described_shape};
use crate::{LIST, scalar_output};

attrs! {
    /// Stacks all elements of a list along a new first axis.
    pub struct TensorListStack {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
        /// Required number of elements; -1 for any.
        count: i64 = Attr::int("num_elements").or_int(-1),
    }
}

pub static TENSOR_LIST_STACK: Def<TensorListStack> = op::<TensorListStack>("TensorListStack")
    .inputs(&[LIST, arg("element_shape", is(DType::I32))])
    .outputs(&[arg("tensor", of("element_dtype"))])
    .counts("element_dtype")
    .host_inputs(&[1])
    .shape(|op, cx| {
        let count = usize::try_from(op.count).ok();
        let shape = PartialShape::vector(count).concat(&constant_shape(cx, 1));
        cx.output(0, shape);
        Ok(())
    })
    .gradient(|op, g| {
        let attrs = TensorListFromTensor { dtype: op.dtype, index: DType::I32 };
        vec![TENSOR_LIST_FROM_TENSOR.node(g, &attrs, &[g.dy(0), element_shape(g.input(0))]).into(), NONE]
    })
    .kernel(tensor_list_stack::<Cpu>);

/// The kernel of `TensorListStack`, on any device that moves elements.
pub fn tensor_list_stack<D: Mover>(op: &TensorListStack, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let list = list(cx, 0)?;
    list.check_dtype(op.dtype)?;
    let n = list.items.len();
    if op.count != -1 && usize::try_from(op.count) != Ok(n) {
        return Err(Error::invalid(format!(
            "Operation expected a list with {} elements but got a list with {n} elements.",
            op.count
        )));
    }
    let asked = list.asked_shape(cx, 1)?;
    if n == 0 && asked.known().is_none() {
        return Err(Error::invalid(format!(
            "Tried to stack elements of an empty list with non-fully-defined element_shape: {asked}"
        )));
    }
    let shape = TensorList::infer(asked, &list.items)?;
    let shape = shape.known().ok_or_else(|| {
        Error::invalid(format!(
            "Tried to stack list which only contains uninitialized tensors and has a non-fully-defined \
             element_shape: {shape}"
        ))
    })?;
    let items: Vec<&Option<Tensor>> = list.items.iter().collect();
    let stacked = stack(cx, op.dtype, &shape, &items)?;
    cx.set(0, stacked);
    Ok(())
}

attrs! {
    /// Creates a list of the rows of a tensor.
    pub struct TensorListFromTensor {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
        /// Type of the shape.
        index: DType = Attr::dtype("shape_type", sets::INDEX),
    }
}

pub static TENSOR_LIST_FROM_TENSOR: Def<TensorListFromTensor> = op::<TensorListFromTensor>("TensorListFromTensor")
    .inputs(&[arg("tensor", of("element_dtype")), arg("element_shape", of("shape_type"))])
    .outputs(&[arg("output_handle", is(DType::Variant))])
    .counts("element_dtype")
    .host_inputs(&[1])
    .shape(scalar_output)
    .gradient(|op, g| {
        let Some(dy) = g.known_dy(0) else { return never(g) };
        let x = g.input(0);
        let count = x.shape().dim(0).and_then(|n| i64::try_from(n).ok()).unwrap_or(-1);
        let attrs = TensorListStack { dtype: op.dtype, count };
        vec![TENSOR_LIST_STACK.node(g, &attrs, &[dy, x.dims().slice1(1, -1)]).into(), NONE]
    })
    .kernel(tensor_list_from_tensor::<Cpu>);

/// The kernel of `TensorListFromTensor`, on any device that moves elements.
pub fn tensor_list_from_tensor<D: Mover>(op: &TensorListFromTensor, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let tensor = cx.input(0)?;
    let Some((&n, row)) = tensor.shape().split_first() else {
        return Err(Error::invalid("Tensor must be at least a vector, but saw shape: []"));
    };
    let shape = described_shape(cx.input(1)?)?;
    let row = Shape::new(row.iter().copied())?;
    if !shape.accepts(&row) {
        return Err(Error::invalid(format!("Specified a list with shape {shape} from a tensor with shape {row}")));
    }
    super::list::check_len(D::arena(cx), n)?;
    let items = (0..n).map(|i| tensor.row(i).map(Some)).collect::<Result<_>>()?;
    set_list(cx, TensorList::new(op.dtype, shape, items));
    Ok(())
}
