//! `TensorListConcat`, `TensorListConcatV2` and `TensorListSplit`: concatenate the elements of a list, and the
//! reverse.

use super::element::element_shape;
use super::list::{TensorList, check_len, join, list, merged, set_list};
use crate::moves::Mover;
use crate::prelude::*;
use crate::rules::{Handles, NONE, concat, first, never};
use crate::variant_tensors::{constant_shape, described_shape};
use crate::{LIST, scalar_output};

attrs! {
    /// Concatenates the elements of a list along their first axis, and returns their lengths.
    pub struct TensorListConcat {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
        /// Statically known shape of the elements.
        shape: PartialShape = Attr::shape("element_shape").or_unknown_shape(),
    }
}

pub static TENSOR_LIST_CONCAT: Def<TensorListConcat> = op::<TensorListConcat>("TensorListConcat")
    .inputs(&[LIST])
    .outputs(&[arg("tensor", of("element_dtype")), arg("lengths", is(DType::I64))])
    .counts("element_dtype")
    .host_outputs(&[1])
    .shape(|op, cx| {
        cx.output(0, PartialShape::vector(None).concat(&rest_of(&op.shape)));
        cx.output_vector(1, None);
        Ok(())
    })
    .gradient(|op, g| first(g, split(op.dtype, g)))
    .kernel(tensor_list_concat::<Cpu>);

/// The kernel of `TensorListConcat`, on any device that moves elements.
pub fn tensor_list_concat<D: Mover>(op: &TensorListConcat, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    if op.shape.rank() == Some(0) {
        return Err(Error::invalid("element_shape must not be empty").attr("element_shape"));
    }
    // The attr does not describe the first axis.
    if op.shape.rank() == Some(0) {
        return Err(Error::invalid("element_shape must not be empty"));
    }
    let rest = rest_of(&op.shape);
    let asked = if op.shape.rank().is_some() { PartialShape::vector(None).concat(&rest) } else { rest };
    join_items(cx, op.dtype, asked, &[])
}

attrs! {
    /// Concatenates the elements of a list along their first axis, and returns their lengths. Uninitialized elements
    /// are zeros of the lengths in `leading_dims`.
    pub struct TensorListConcatV2 {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
        /// Type of the shape.
        index: DType = Attr::dtype("shape_type", sets::INDEX),
    }
}

pub static TENSOR_LIST_CONCAT_V2: Def<TensorListConcatV2> = op::<TensorListConcatV2>("TensorListConcatV2")
    .inputs(&[LIST, arg("element_shape", of("shape_type")), arg("leading_dims", is(DType::I64))])
    .outputs(&[arg("tensor", of("element_dtype")), arg("lengths", is(DType::I64))])
    .counts("element_dtype")
    .host_inputs(&[1, 2])
    .host_outputs(&[1])
    .shape(|_, cx| {
        let rest = rest_of(&constant_shape(cx, 1));
        cx.output(0, PartialShape::vector(None).concat(&rest));
        cx.output_vector(1, None);
        Ok(())
    })
    .gradient(|op, g| first(g, split(op.dtype, g)))
    .kernel(tensor_list_concat_v2::<Cpu>);

/// The kernel of `TensorListConcatV2`, on any device that moves elements.
pub fn tensor_list_concat_v2<D: Mover>(op: &TensorListConcatV2, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let list = list(cx, 0)?;
    list.check_dtype(op.dtype)?;
    let asked = list.asked_shape(cx, 1)?;
    if asked.rank() == Some(0) {
        return Err(Error::invalid("Concat requires elements to be at least vectors, found scalars instead."));
    }
    let leading = cx.slice::<i64>(2)?.to_vec();
    join_items(cx, op.dtype, asked, &leading)
}

fn join_items<D: Mover>(
    cx: &mut KernelCx<'_, '_, D>,
    dtype: DType,
    asked: PartialShape,
    leading: &[i64],
) -> Result<()> {
    let list = list(cx, 0)?;
    list.check_dtype(dtype)?;
    let first = asked.dim(0);
    let mut rest = rest_of(&asked);
    if list.items.is_empty() && rest.known().is_none() {
        return Err(Error::invalid(format!(
            "All except the first dimension must be fully defined when concating an empty tensor list. element_shape: \
             {asked}"
        )));
    }
    // The length of uninitialized elements, if all others have the same length.
    let mut common: Option<Dim> = None;
    for (i, item) in list.items.iter().enumerate() {
        let Some(item) = item else { continue };
        let Some((&length, own)) = item.shape().split_first() else {
            return Err(Error::invalid(format!(
                "Concat saw a scalar shape at index {i} but requires at least vectors."
            )));
        };
        rest = merged(&rest, &PartialShape::new(own.iter().map(|&d| Some(d))))?;
        if first.is_some_and(|first| first != length) {
            return Err(Error::invalid(format!(
                "First entry of element_shape input does not match the first dim of list element at index: {i} \
                 Expected: {first:?} Actual: {length}"
            )));
        }
        common = match common {
            None => Some(Some(length)),
            Some(c) => Some(c.filter(|&c| c == length)),
        };
    }
    let default = first.or(common.flatten());
    let rest = rest.known().ok_or_else(|| {
        Error::invalid(format!(
            "Trying to concat list with only uninitialized tensors but element_shape_except_first_dim is not fully \
             defined: {rest}"
        ))
    })?;
    let mut lengths = Vec::with_capacity(list.items.len());
    for (i, item) in list.items.iter().enumerate() {
        let length = match (item, leading.get(i), default) {
            (Some(item), _, _) => item.shape()[0],
            (None, Some(&length), _) => usize::try_from(length)
                .map_err(|_| Error::invalid(format!("leading_dims[{i}] is negative: {length}")))?,
            (None, None, Some(length)) => length,
            (None, None, None) => {
                return Err(Error::invalid(format!(
                    "List contains uninitialized tensor at index {i} but leading_dims has only {} elements.",
                    leading.len()
                )));
            }
        };
        lengths.push(length);
    }
    let long = || Error::invalid("the elements are too long in total");
    let total = lengths.iter().try_fold(0usize, |sum, &n| sum.checked_add(n)).ok_or_else(long)?;
    let with = |n: usize| Shape::new(std::iter::once(n).chain(rest.iter().copied()));
    let whole = with(total)?;
    let mut parts = Vec::with_capacity(lengths.len());
    for (item, &length) in list.items.iter().zip(&lengths) {
        parts.push(match item {
            Some(item) => Ok(item),
            None => Err(with(length)?),
        });
    }
    let joined = join(cx, dtype, whole, parts.into_iter())?;
    cx.set(0, joined);
    cx.set(1, Tensor::vector(lengths.into_iter().map(|n| n as i64).collect()));
    Ok(())
}

attrs! {
    /// Splits a tensor along its first axis into pieces of the given lengths, and returns them as a list.
    pub struct TensorListSplit {
        /// Element type.
        dtype: DType = Attr::dtype("element_dtype", sets::ANY),
        /// Type of the shape.
        index: DType = Attr::dtype("shape_type", sets::INDEX),
    }
}

pub static TENSOR_LIST_SPLIT: Def<TensorListSplit> = op::<TensorListSplit>("TensorListSplit")
    .inputs(&[
        arg("tensor", of("element_dtype")),
        arg("element_shape", of("shape_type")),
        arg("lengths", is(DType::I64)),
    ])
    .outputs(&[arg("output_handle", is(DType::Variant))])
    .counts("element_dtype")
    .host_inputs(&[1, 2])
    .shape(scalar_output)
    .gradient(|op, g| {
        let Some(dy) = g.known_dy(0) else { return never(g) };
        let rest = g.input(0).dims().slice1(1, -1);
        let shape = concat(g, &[g.ints(&[-1]), rest], 0);
        let attrs = TensorListConcatV2 { dtype: op.dtype, index: DType::I32 };
        vec![TENSOR_LIST_CONCAT_V2.node(g, &attrs, &[dy, shape, g.input(2)]).into(), NONE, NONE]
    })
    .kernel(tensor_list_split::<Cpu>);

/// The kernel of `TensorListSplit`, on any device that moves elements.
pub fn tensor_list_split<D: Mover>(op: &TensorListSplit, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let (tensor, lengths) = (cx.input(0)?, cx.input(2)?);
    let shape = described_shape(cx.input(1)?)?;
    if shape.rank() == Some(0) {
        return Err(Error::invalid("TensorListSplit requires element_shape to be at least of rank 1, but saw: []"));
    }
    if lengths.shape().rank() != 1 {
        return Err(Error::invalid(format!("Expected lengths to be a vector, received shape: {}", lengths.shape())));
    }
    let Some((&n, row)) = tensor.shape().split_first() else {
        return Err(Error::invalid("Tensor must be at least a vector, but saw shape: []"));
    };
    let rest = rest_of(&shape);
    if !rest.accepts(&Shape::new(row.iter().copied())?) {
        return Err(Error::invalid(format!(
            "tensor shape {} is not compatible with element_shape {shape}",
            tensor.shape()
        )));
    }
    let lengths = lengths.slice::<i64>()?;
    check_len(D::arena(cx), lengths.len())?;
    let (mut items, mut at) = (Vec::with_capacity(lengths.len()), 0);
    for &length in lengths {
        let length =
            usize::try_from(length).map_err(|_| Error::invalid(format!("Invalid value in lengths: {length}")))?;
        let end = length.checked_add(at).filter(|&end| end <= n).ok_or_else(|| {
            let end = at.saturating_add(length);
            Error::invalid(format!("Attempting to slice [{at}, {end}] from tensor with length {n}"))
        })?;
        items.push(Some(tensor.rows(at..end)?));
        at = end;
    }
    if at != n {
        return Err(Error::invalid(format!("Unused values in tensor. Length of tensor: {n} Values used: {at}")));
    }
    set_list(cx, TensorList::new(op.dtype, shape, items));
    Ok(())
}

/// Returns the gradient of the concatenated list of the node being differentiated.
fn split(dtype: DType, g: &GradCx) -> V<'_> {
    let attrs = TensorListSplit { dtype, index: DType::I32 };
    TENSOR_LIST_SPLIT.node(g, &attrs, &[g.dy(0), element_shape(g.input(0)), g.output(1)])
}

/// Returns the known shape of an element without the first axis.
fn rest_of(shape: &PartialShape) -> PartialShape {
    shape.dims().map_or(PartialShape::Unknown, |dims| PartialShape::new(dims.iter().skip(1).copied()))
}
