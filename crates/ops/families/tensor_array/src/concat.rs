//! `TensorArrayConcatV3`, `TensorArraySplitV3` and their older forms: concatenate elements into a tensor, and the
//! reverse.

use super::gradient::gradient_array;
use super::handle::{FLOW_IN, FLOW_OUT, HANDLE, NAME, REFERENCE, V1, V2, V3, array_input, check_dtype, pass_flow};
use crate::moves::Mover;
use crate::prelude::*;
use crate::rows;
use crate::rules::NONE;

attrs! {
    /// Concatenates the elements along their first axis, and returns their lengths.
    pub struct TensorArrayConcatV3 {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
        /// Statically known shape of the elements without the first axis.
        rest: PartialShape = Attr::shape("element_shape_except0").or_unknown_shape(),
        /// Version of the tensor array ops.
        version: i64 = Attr::int("version").or_int(3),
    }
}

pub static TENSOR_ARRAY_CONCAT_V3: Def<TensorArrayConcatV3> = op::<TensorArrayConcatV3>("TensorArrayConcatV3")
    .store(Store::TakeRows)
    .inputs(&[HANDLE, FLOW_IN])
    .outputs(&[arg("value", of("dtype")), arg("lengths", is(DType::I64))])
    .fixed(V3)
    .also(&[
        form("TensorArrayConcatV2").inputs(&[NAME, FLOW_IN]).fixed(V2),
        form("TensorArrayConcat").inputs(&[REFERENCE, FLOW_IN]).fixed(V1),
    ])
    .stateful()
    .counts("dtype")
    .host_outputs(&[1])
    .shape(|op, cx| {
        cx.output(0, PartialShape::vector(None).concat(&op.rest));
        cx.output_vector(1, None);
        Ok(())
    })
    .gradient(|&TensorArrayConcatV3 { dtype, version, .. }, g| {
        let (grad, flow) = gradient_array(g, version, g.input(1));
        let split = TensorArraySplitV3 { dtype, version };
        vec![NONE, TENSOR_ARRAY_SPLIT_V3.node(g, &split, &[grad, g.dy(0), g.output(1), flow]).into()]
    })
    .kernel(tensor_array_concat::<Cpu>);

/// The kernel of `TensorArrayConcatV3`, on any device that moves elements.
pub fn tensor_array_concat<D: Mover>(op: &TensorArrayConcatV3, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let TensorArrayConcatV3 { dtype, rest, .. } = op;
    let dtype = *dtype;
    let array = array_input(cx)?;
    check_dtype(&array, dtype, "requested")?;
    let n = array.pack_size()?;
    if n == 0 {
        let rest = rest.known().ok_or_else(|| {
            Error::unimplemented(format!(
                "TensorArray has size zero, but element_shape_except0 {rest} is not fully defined. Currently only \
                 static shapes are supported when concatenating zero-size TensorArrays."
            ))
        })?;
        let out = D::zeros(cx, dtype, &rows::batch_shape(0, &rest)?)?;
        cx.set(0, out);
        cx.set(1, Tensor::vector(Vec::<i64>::new()));
        return Ok(());
    }
    let values = array.read(cx, 0..n as i64)?;
    let mut lengths = Vec::with_capacity(n);
    let first = Shape::new(values[0].shape().iter().skip(1).copied())?;
    for (i, value) in values.iter().enumerate() {
        let Some((&length, own)) = value.shape().split_first() else {
            return Err(Error::invalid(format!(
                "Concat saw a scalar shape at index {i} but requires at least vectors.  Did you mean to call pack?"
            )));
        };
        if i == 0 && !rest.accepts(&first) {
            return Err(Error::invalid(format!(
                "TensorArray was passed element_shape_except0 {rest} but index 0 has (excepting dimension 0) shape: \
                 {first} which does not match."
            )));
        }
        if *own != *first {
            return Err(Error::invalid(format!(
                "TensorArray has inconsistent shapes.  Index 0 has (excepting dimension 0) shape: {first} but index {i} \
                 has (excepting dimension 0) shape: {own:?}"
            )));
        }
        lengths.push(length as i64);
    }
    let total = lengths.iter().sum::<i64>() as usize;
    let out = D::join(cx, &values.iter().collect::<Vec<_>>(), 0, &rows::batch_shape(total, &first)?, dtype)?;
    cx.set(0, out);
    cx.set(1, Tensor::vector(lengths));
    Ok(())
}

attrs! {
    /// Splits a tensor along its first axis into pieces of the given lengths, and writes them to the elements.
    pub struct TensorArraySplitV3 {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Version of the tensor array ops.
        version: i64 = Attr::int("version").or_int(3),
    }
}

const VALUE: Arg = arg("value", of("T"));
const LENGTHS: Arg = arg("lengths", is(DType::I64));

pub static TENSOR_ARRAY_SPLIT_V3: Def<TensorArraySplitV3> = op::<TensorArraySplitV3>("TensorArraySplitV3")
    .store(Store::PutRows(1))
    .inputs(&[HANDLE, VALUE, LENGTHS, FLOW_IN])
    .outputs(&[FLOW_OUT])
    .fixed(V3)
    .also(&[
        form("TensorArraySplitV2").inputs(&[NAME, VALUE, LENGTHS, FLOW_IN]).fixed(V2),
        form("TensorArraySplit").inputs(&[REFERENCE, VALUE, LENGTHS, FLOW_IN]).fixed(V1),
    ])
    .stateful()
    .counts("T")
    .host_inputs(&[2])
    .shape(|_, cx| {
        cx.with_rank(2, 1)?;
        cx.output_scalar(0);
        Ok(())
    })
    .gradient(|&TensorArraySplitV3 { dtype, version }, g| {
        let dy = g.dy(0);
        let (grad, flow) = gradient_array(g, version, dy);
        let concat = TensorArrayConcatV3 { dtype, rest: PartialShape::Unknown, version };
        let dx = TENSOR_ARRAY_CONCAT_V3.node(g, &concat, &[grad, flow]);
        vec![NONE, dx.into(), NONE, dy.into()]
    })
    .kernel(tensor_array_split::<Cpu>);

/// The kernel of `TensorArraySplitV3`, on any device that moves elements.
pub fn tensor_array_split<D: Mover>(op: &TensorArraySplitV3, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let array = array_input(cx)?;
    check_dtype(&array, op.dtype, "is trying to write")?;
    let (value, lengths) = (cx.take(1)?, cx.input(2)?);
    if lengths.shape().rank() != 1 {
        return Err(Error::invalid(format!("Expected lengths to be a vector, received shape: {}", lengths.shape())));
    }
    let Some(&rows) = value.shape().first() else {
        return Err(Error::invalid("Expected value to be at least a vector, but received shape: []"));
    };
    let wrong_sum = |sum: i128| {
        Error::invalid(format!(
            "Expected sum of lengths to be equal to values.shape[0], but sum of lengths is {sum} and value's shape is: {}",
            value.shape()
        ))
    };
    let lengths = lengths.slice::<i64>()?;
    let sum = lengths.iter().map(|&n| i128::from(n)).sum::<i128>();
    if sum != rows as i128 || lengths.iter().any(|&n| n < 0) {
        return Err(wrong_sum(sum));
    }
    let (size, dynamic) = (array.size()?, array.is_dynamic());
    if lengths.len() != size && !(dynamic && lengths.len() > size) {
        return Err(Error::invalid(format!(
            "TensorArray's size is not equal to the size of lengths ({size} vs. {}), and the TensorArray is not marked \
             as dynamically resizeable.",
            lengths.len()
        )));
    }
    array.mark(lengths.len());
    let mut end = 0;
    let parts = lengths.iter().enumerate().map(|(i, &n)| {
        let start = end;
        end += n as usize;
        Ok((i as i64, value.rows(start..end)?))
    });
    array.write(cx, parts)?;
    pass_flow(cx, 3, 0)
}
