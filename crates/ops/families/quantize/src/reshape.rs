//! `QuantizedReshape`: reshapes a quantized tensor.

use crate::prelude::*;
use crate::{range_outputs, set_range};

attrs! {
    /// Reshapes `tensor` to `shape`, in which one size may be -1 and is inferred from the others. The range is
    /// unchanged.
    pub struct QuantizedReshape {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `shape`.
        index: DType = Attr::dtype("Tshape", sets::INDEX).or_type(DType::I32),
    }
}

pub static QUANTIZED_RESHAPE: Def<QuantizedReshape> = op::<QuantizedReshape>("QuantizedReshape")
    .inputs(&[
        arg("tensor", of("T")),
        arg("shape", of("Tshape")),
        arg("input_min", is(DType::F32)),
        arg("input_max", is(DType::F32)),
    ])
    .outputs(&[arg("output", of("T")), arg("output_min", is(DType::F32)), arg("output_max", is(DType::F32))])
    .shape(|_, cx| {
        let shape = match (cx.input(0).known(), cx.constant_i64s(1)) {
            (Some(input), Some(sizes)) => PartialShape::from(&levada_ops_array::reshaped(&input, &sizes)?),
            _ => cx.constant_shape(1),
        };
        cx.output(0, shape);
        range_outputs(cx);
        Ok(())
    })
    .host_inputs(&[1])
    .kernel(|_, cx| {
        if cx.input(1)?.shape().rank() != 1 {
            return Err(Error::invalid("shape must be a vector").found(cx.input(1)?.shape()));
        }
        let range = (cx.scalar(2)?, cx.scalar(3)?);
        let shape = levada_ops_array::reshaped(cx.input(0)?.shape(), &cx.i64s(1)?)?;
        let tensor = cx.take(0)?.reshaped(shape)?;
        cx.set(0, tensor);
        set_range(cx, range);
        Ok(())
    })
    .supports(|op| matches!(op.dtype, DType::QU8 | DType::QI32));
