//! Access to elements of lists by index: `TensorListGather`, `TensorListScatter`, `TensorListScatterV2`,
//! `TensorListScatterIntoExistingList`.

use super::element::{element_shape, length};
use super::list::{TensorList, change_list, check_len, list, scalar, set_list, stack};
use crate::moves::Mover;
use crate::prelude::*;
use crate::rules::{Handles, NONE, UNIQUE, UNSORTED_SEGMENT_SUM, first, never};
use crate::variant_tensors::{constant_shape, described_shape};
use crate::{LIST, scalar_output};

attrs! {
    /// Stacks the elements of a list at the given indices along a new first axis.
    pub struct TensorListGather {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
    }
}

pub static TENSOR_LIST_GATHER: Def<TensorListGather> = op::<TensorListGather>("TensorListGather")
    .inputs(&[LIST, arg("indices", is(DType::I32)), arg("element_shape", is(DType::I32))])
    .outputs(&[arg("values", of("element_dtype"))])
    .counts("element_dtype")
    .host_inputs(&[1, 2])
    .shape(|_, cx| {
        let n = cx.input(1).num_elements();
        let shape = PartialShape::vector(n).concat(&constant_shape(cx, 2));
        cx.output(0, shape);
        Ok(())
    })
    .gradient(|op, g| {
        let (list, attrs) = (g.input(0), TensorListScatterV2 { dtype: op.dtype, index: DType::I32 });
        // The elements at the indices receive the gradients of the rows, summed for duplicates; all others receive
        // none.
        let places = g.input(1).apply(UNIQUE);
        let sums = UNSORTED_SEGMENT_SUM.call([g.dy(0), places.out(1), places.size()]);
        let inputs = [sums, places, element_shape(list), length(list)];
        vec![TENSOR_LIST_SCATTER_V2.node(g, &attrs, &inputs).into(), NONE, NONE]
    })
    .kernel(tensor_list_gather::<Cpu>);

/// The kernel of `TensorListGather`, on any device that moves elements.
pub fn tensor_list_gather<D: Mover>(op: &TensorListGather, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let list = list(cx, 0)?;
    list.check_dtype(op.dtype)?;
    let asked = list.asked_shape(cx, 2)?;
    let indices = cx.slice::<i32>(1)?;
    let mut items = Vec::with_capacity(indices.len());
    for &index in indices {
        items.push(&list.items[list.position(index, "gather")?]);
    }
    let shape = TensorList::infer(asked, items.iter().copied())?;
    let shape = shape.known().ok_or_else(|| {
        Error::invalid(format!(
            "Tried to gather uninitialized tensors from a list with non-fully-defined element_shape: {shape}"
        ))
    })?;
    let values = stack(cx, op.dtype, &shape, &items)?;
    cx.set(0, values);
    Ok(())
}

const TENSOR: Arg = arg("tensor", of("element_dtype"));
const INDICES: Arg = arg("indices", is(DType::I32));
const ELEMENT_SHAPE: Arg = arg("element_shape", of("shape_type"));

attrs! {
    /// Creates a list of the given length with the rows of a tensor at the given indices.
    pub struct TensorListScatterV2 {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
        /// Type of the shape.
        index: DType = Attr::dtype("shape_type", sets::INDEX),
    }
}

pub static TENSOR_LIST_SCATTER_V2: Def<TensorListScatterV2> = op("TensorListScatterV2")
    .inputs(&[TENSOR, INDICES, ELEMENT_SHAPE, arg("num_elements", is(DType::I32))])
    .outputs(&[arg("output_handle", is(DType::Variant))])
    .also(&[form("TensorListScatter")
        .doc("Creates a list with the rows of a tensor at the given indices, as long as the indices require.")
        .inputs(&[TENSOR, INDICES, ELEMENT_SHAPE])])
    .counts("element_dtype")
    .host_inputs(&[1, 2, 3])
    .shape(scalar_output)
    .gradient(|_, g| {
        let Some(dy) = g.known_dy(0) else { return never(g) };
        first(g, scattered(dy, g.input(1), g.input(0)))
    })
    .kernel(tensor_list_scatter_v2::<Cpu>);

/// The kernel of `TensorListScatterV2`, on any device that moves elements.
pub fn tensor_list_scatter_v2<D: Mover>(op: &TensorListScatterV2, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let count = if cx.num_inputs() > 3 { scalar(cx, 3, "num_elements")? } else { -1 };
    if count < -1 {
        return Err(Error::invalid(format!("TensorListScatter expects num_elements >= -1, found: {count}")));
    }
    let shape = described_shape(cx.input(2)?)?;
    let rows = rows(cx, 0, 1, &shape)?;
    let mut items = Vec::new();
    if let Ok(count) = usize::try_from(count) {
        if let Some((at, _)) = rows.iter().find(|(at, _)| *at >= count) {
            return Err(Error::invalid(format!(
                "TensorListScatter: Trying to scatter at index {at} in list with size {count}"
            )));
        }
        check_len(D::arena(cx), count)?;
        items = vec![None; count];
    }
    place(&mut items, rows);
    set_list(cx, TensorList::new(op.dtype, shape, items));
    Ok(())
}

attrs! {
    /// Replaces the elements of a list at the given indices by the rows of a tensor.
    pub struct TensorListScatterIntoExistingList {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
    }
}

pub static TENSOR_LIST_SCATTER_INTO_EXISTING_LIST: Def<TensorListScatterIntoExistingList> =
    op::<TensorListScatterIntoExistingList>("TensorListScatterIntoExistingList")
        .inputs(&[LIST, arg("tensor", of("element_dtype")), arg("indices", is(DType::I32))])
        .outputs(&[arg("output_handle", is(DType::Variant))])
        .counts("element_dtype")
        .host_inputs(&[2])
        .shape(scalar_output)
        .gradient(|op, g| {
            let Some(dy) = g.known_dy(0) else { return never(g) };
            let (tensor, indices) = (g.input(1), g.input(2));
            let list = TENSOR_LIST_SCATTER_INTO_EXISTING_LIST.node(g, op, &[dy, tensor.zeros_like(), indices]);
            vec![list.into(), scattered(dy, indices, tensor).into(), NONE]
        })
        .kernel(tensor_list_scatter_into_existing_list::<Cpu>);

/// The kernel of `TensorListScatterIntoExistingList`, on any device that moves elements.
pub fn tensor_list_scatter_into_existing_list<D: Mover>(
    op: &TensorListScatterIntoExistingList,
    cx: &mut KernelCx<'_, '_, D>,
) -> Result<()> {
    let found = list(cx, 0)?;
    found.check_dtype(op.dtype)?;
    let indices = cx.input(2)?.shape();
    if indices.len() != 1 {
        return Err(Error::invalid(format!("Expected indices to be a vector, but received shape: {indices}")));
    }
    // TensorFlow does not check the rows against the list's shape either.
    let rows = rows(cx, 1, 2, &PartialShape::Unknown)?;
    change_list(cx, |list| {
        place(&mut list.items, rows);
        Ok(())
    })
}

/// Returns the gradient of the rows written to `indices` of a list, from the gradient of the list.
fn scattered<'g>(dy: V<'g>, indices: V<'g>, tensor: V<'g>) -> V<'g> {
    let attrs = TensorListGather { dtype: tensor.dtype() };
    TENSOR_LIST_GATHER.node(dy.cx(), &attrs, &[dy, indices, tensor.dims().slice1(1, -1)])
}

/// Returns the rows of input `tensor` with their positions from input `indices`.
fn rows<D: Mover>(
    cx: &KernelCx<'_, '_, D>,
    tensor: usize,
    indices: usize,
    shape: &PartialShape,
) -> Result<Vec<(usize, Tensor)>> {
    let (tensor, indices) = (cx.input(tensor)?, cx.slice::<i32>(indices)?);
    let Some((&n, row)) = tensor.shape().split_first() else {
        return Err(Error::invalid("Tensor must be at least a vector, but saw shape: []"));
    };
    let row = Shape::new(row.iter().copied())?;
    if !shape.accepts(&row) {
        return Err(Error::invalid(format!("Specified a list with shape {shape} from a tensor with shape {row}")));
    }
    if indices.len() != n {
        return Err(Error::invalid(format!(
            "Invalid number of rows in input tensor. Expected: {} Actual: {n}",
            indices.len()
        )));
    }
    let place = |(i, &index): (usize, &i32)| {
        let at = usize::try_from(index)
            .map_err(|_| Error::invalid("Indices in TensorListScatter must all be non-negative."))?;
        Ok((at, tensor.row(i)?))
    };
    let rows: Vec<(usize, Tensor)> = indices.iter().enumerate().map(place).collect::<Result<_>>()?;
    check_len(D::arena(cx), rows.iter().map(|(at, _)| at + 1).max().unwrap_or(0))?;
    Ok(rows)
}

fn place(items: &mut Vec<Option<Tensor>>, rows: Vec<(usize, Tensor)>) {
    let needed = rows.iter().map(|(at, _)| at + 1).max().unwrap_or(0);
    if needed > items.len() {
        items.resize(needed, None);
    }
    for (at, row) in rows {
        items[at] = Some(row);
    }
}
