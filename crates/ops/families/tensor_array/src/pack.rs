//! `TensorArrayGatherV3`, `TensorArrayScatterV3` and their older forms: stack elements into a tensor, and the reverse.

use super::gradient::gradient_array;
use super::handle::{FLOW_IN, FLOW_OUT, HANDLE, NAME, REFERENCE, V1, V2, V3, array_input, check_dtype, pass_flow};
use crate::moves::Mover;
use crate::prelude::*;
use crate::rows;
use crate::rules::NONE;

const INDICES: Arg = arg("indices", is(DType::I32));
const VALUE: Arg = arg("value", of("T"));

attrs! {
    /// Stacks the elements with the given indices along a new first axis.
    pub struct TensorArrayGatherV3 {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
        /// Statically known shape of the elements.
        element_shape: PartialShape = Attr::shape("element_shape").or_unknown_shape(),
        /// Version of the tensor array ops.
        version: i64 = Attr::int("version").or_int(3),
    }
}

pub static TENSOR_ARRAY_GATHER_V3: Def<TensorArrayGatherV3> = op::<TensorArrayGatherV3>("TensorArrayGatherV3")
    .store(Store::TakeRows)
    .inputs(&[HANDLE, INDICES, FLOW_IN])
    .outputs(&[arg("value", of("dtype"))])
    .fixed(V3)
    .also(&[
        form("TensorArrayGatherV2").inputs(&[NAME, INDICES, FLOW_IN]).fixed(V2),
        form("TensorArrayGather").inputs(&[REFERENCE, INDICES, FLOW_IN]).fixed(V1),
    ])
    .stateful()
    .counts("dtype")
    .host_inputs(&[1])
    .shape(|op, cx| {
        let n = cx.with_rank(1, 1)?;
        cx.output(0, n.concat(&op.element_shape));
        Ok(())
    })
    .gradient(|&TensorArrayGatherV3 { dtype, version, .. }, g| {
        let (grad, flow) = gradient_array(g, version, g.input(2));
        let scatter = TensorArrayScatterV3 { dtype, version };
        let scattered = TENSOR_ARRAY_SCATTER_V3.node(g, &scatter, &[grad, g.input(1), g.dy(0), flow]);
        vec![NONE, NONE, scattered.into()]
    })
    .kernel(tensor_array_gather::<Cpu>);

/// The kernel of `TensorArrayGatherV3`, on any device that moves elements.
pub fn tensor_array_gather<D: Mover>(op: &TensorArrayGatherV3, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let indices = indices(cx)?;
    gather(cx, op.dtype, &op.element_shape, Some(indices))
}

attrs! {
    /// Stacks all elements along a new first axis.
    pub struct TensorArrayPack {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::ANY),
        /// Statically known shape of the elements.
        element_shape: PartialShape = Attr::shape("element_shape").or_unknown_shape(),
    }
}

pub static TENSOR_ARRAY_PACK: Def<TensorArrayPack> = op("TensorArrayPack")
    .store(Store::TakeRows)
    .inputs(&[REFERENCE, FLOW_IN])
    .outputs(&[arg("value", of("dtype"))])
    .stateful()
    .kernel(|op, cx| gather(cx, op.dtype, &op.element_shape, None));

attrs! {
    /// Writes the rows of a tensor to the elements with the given indices.
    pub struct TensorArrayScatterV3 {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Version of the tensor array ops.
        version: i64 = Attr::int("version").or_int(3),
    }
}

pub static TENSOR_ARRAY_SCATTER_V3: Def<TensorArrayScatterV3> = op::<TensorArrayScatterV3>("TensorArrayScatterV3")
    .store(Store::PutRows(2))
    .inputs(&[HANDLE, INDICES, VALUE, FLOW_IN])
    .outputs(&[FLOW_OUT])
    .fixed(V3)
    .also(&[
        form("TensorArrayScatterV2").inputs(&[NAME, INDICES, VALUE, FLOW_IN]).fixed(V2),
        form("TensorArrayScatter").inputs(&[REFERENCE, INDICES, VALUE, FLOW_IN]).fixed(V1),
    ])
    .stateful()
    .counts("T")
    .host_inputs(&[1])
    .shape(|_, cx| {
        cx.with_rank(1, 1)?;
        cx.output_scalar(0);
        Ok(())
    })
    .gradient(|&TensorArrayScatterV3 { dtype, version }, g| {
        let dy = g.dy(0);
        let (grad, flow) = gradient_array(g, version, dy);
        let gather = TensorArrayGatherV3 { dtype, element_shape: PartialShape::Unknown, version };
        let dx = TENSOR_ARRAY_GATHER_V3.node(g, &gather, &[grad, g.input(1), flow]);
        vec![NONE, NONE, dx.into(), dy.into()]
    })
    .kernel(tensor_array_scatter::<Cpu>);

/// The kernel of `TensorArrayScatterV3`, on any device that moves elements.
pub fn tensor_array_scatter<D: Mover>(op: &TensorArrayScatterV3, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let indices = indices(cx)?;
    scatter(cx, op.dtype, 2, Some(indices))?;
    pass_flow(cx, 3, 0)
}

attrs! {
    /// Writes the rows of a tensor to the elements.
    pub struct TensorArrayUnpack {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
    }
}

pub static TENSOR_ARRAY_UNPACK: Def<TensorArrayUnpack> = op("TensorArrayUnpack")
    .store(Store::PutRows(1))
    .inputs(&[REFERENCE, VALUE, FLOW_IN])
    .outputs(&[FLOW_OUT])
    .stateful()
    .shape(|_, cx| {
        cx.output_scalar(0);
        Ok(())
    })
    .kernel(|op, cx| {
        scatter(cx, op.dtype, 1, None)?;
        pass_flow(cx, 2, 0)
    });

/// Returns the indices in input 1.
fn indices<D: Mover>(cx: &KernelCx<'_, '_, D>) -> Result<Vec<i64>> {
    let indices = cx.input(1)?;
    if indices.shape().rank() != 1 {
        return Err(Error::invalid(format!(
            "Expected indices to be a vector, but received shape: {}",
            indices.shape()
        )));
    }
    Ok(indices.slice::<i32>()?.iter().map(|&i| i64::from(i)).collect())
}

/// Sets output 0 to the stacked elements with these indices; `None` for all.
fn gather<D: Mover>(
    cx: &mut KernelCx<'_, '_, D>,
    dtype: DType,
    element_shape: &PartialShape,
    indices: Option<Vec<i64>>,
) -> Result<()> {
    let array = array_input(cx)?;
    check_dtype(&array, dtype, "requested")?;
    array.refine_shape(element_shape)?;
    let indices = match indices {
        Some(indices) => indices,
        None => (0..array.pack_size()? as i64).collect(),
    };
    if indices.is_empty() {
        let shape = element_shape.known().ok_or_else(|| {
            Error::unimplemented(format!(
                "TensorArray has size zero, but element shape {element_shape} is not fully defined. Currently only \
                 static shapes are supported when packing zero-size TensorArrays."
            ))
        })?;
        let out = D::zeros(cx, dtype, &rows::batch_shape(0, &shape)?)?;
        cx.set(0, out);
        return Ok(());
    }
    let values = array.read(cx, indices.into_iter())?;
    let shape = values[0].shape();
    if !element_shape.accepts(shape) {
        return Err(Error::invalid(format!(
            "TensorArray was passed element_shape {element_shape} which does not match the Tensor at index 0: {shape}"
        )));
    }
    if let Some(i) = values.iter().position(|v| v.shape() != shape) {
        return Err(Error::invalid(format!(
            "TensorArray has inconsistent shapes.  Index 0 has shape: {shape} but index {i} has shape: {}",
            values[i].shape()
        )));
    }
    let out = D::join(cx, &values.iter().collect::<Vec<_>>(), 0, &rows::batch_shape(values.len(), shape)?, dtype)?;
    cx.set(0, out);
    Ok(())
}

/// Writes the rows of input `value` to the elements with these indices; `None` for all.
fn scatter<D: Mover>(
    cx: &mut KernelCx<'_, '_, D>,
    dtype: DType,
    value: usize,
    indices: Option<Vec<i64>>,
) -> Result<()> {
    let array = array_input(cx)?;
    check_dtype(&array, dtype, "is trying to write")?;
    let value = cx.take(value)?;
    let Some(&n) = value.shape().first() else {
        return Err(Error::invalid("Input value for unpack must be at least a vector but received shape: []"));
    };
    let (size, dynamic) = (array.size()?, array.is_dynamic());
    let indices = match indices {
        Some(indices) => {
            if indices.len() != n {
                return Err(Error::invalid(format!(
                    "Expected len(indices) == values.shape[0], but saw: {} vs. {n}",
                    indices.len()
                )));
            }
            if let Some(max) = indices.iter().max().filter(|&&max| !dynamic && max >= size as i64) {
                return Err(Error::invalid(format!("Max scatter index must be < array size ({max} vs. {size})")));
            }
            indices
        }
        None => {
            if n != size && !(dynamic && n > size) {
                return Err(Error::invalid(format!(
                    "Input value must have first dimension equal to the array size ({n} vs. {size})"
                )));
            }
            array.mark(n);
            (0..n as i64).collect()
        }
    };
    array.write(cx, indices.iter().enumerate().map(|(i, &at)| Ok((at, value.row(i)?))))
}
