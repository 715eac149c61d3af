//! `QuantizedBiasAdd`: adds a quantized bias to a quantized tensor.

use crate::code::{Code, Recode, from_float, greatest};
use crate::prelude::*;
use crate::{QUANTIZED, range, same_and_range, set_range};

attrs! {
    /// Adds the vector `bias` along the last axis of `input`. The result is qint32, with a range that holds every sum.
    pub struct QuantizedBiasAdd {
        /// Quantized type of `input`.
        left: DType = Attr::dtype("T1", QUANTIZED),
        /// Quantized type of `bias`.
        right: DType = Attr::dtype("T2", QUANTIZED),
        /// Quantized type of the output.
        to: DType = Attr::dtype("out_type", QUANTIZED),
    }
}

pub static QUANTIZED_BIAS_ADD: Def<QuantizedBiasAdd> = op::<QuantizedBiasAdd>("QuantizedBiasAdd")
    .inputs(&[
        arg("input", of("T1")),
        arg("bias", of("T2")),
        arg("min_input", is(DType::F32)),
        arg("max_input", is(DType::F32)),
        arg("min_bias", is(DType::F32)),
        arg("max_bias", is(DType::F32)),
    ])
    .outputs(&[arg("output", of("out_type")), arg("min_out", is(DType::F32)), arg("max_out", is(DType::F32))])
    .shape(|op, cx| {
        let depth = cx.rank_at_least(0, 2)?.dim(-1);
        cx.with_rank(1, 1)?.merge(&PartialShape::vector(depth))?;
        same_and_range(op, cx)
    })
    .kernel(|op, cx| match op.left {
        DType::QU8 => add::<u8>(cx),
        _ => add::<i8>(cx),
    })
    .heavy()
    .supports(|op| op.left == op.right && matches!(op.left, DType::QU8 | DType::QI8) && op.to == DType::QI32);

fn add<T: Code>(cx: &mut Cx<'_, '_>) -> Result<()> {
    let (range_a, range_b) = (range(cx, 2)?, range(cx, 4)?);
    let (shape, bias) = (cx.input(0)?.shape().clone(), cx.input(1)?.shape());
    if shape.rank() < 2 || bias.rank() != 1 || shape.last() != bias.first() {
        return Err(Error::invalid("Must provide as many biases as the last dimension of the input tensor")
            .expected("an input of rank 2 at least, and a vector as long as its last dimension")
            .found(format!("{shape} and {bias}")));
    }
    // The sum occupies about the lower 15 bits.
    let largest = greatest(range_a.1, greatest(-range_a.0, greatest(range_b.1, -range_b.0))) * (1 << 17) as f32;
    let to = (-largest, largest);
    let zero = from_float::<i32>(0.0, to);
    let (left, right) = (Recode::new::<T, i32>(range_a, to), Recode::new::<T, i32>(range_b, to));
    cx.produce::<i32>(0, &shape, |cx, out| {
        let bias: Vec<i32> = cx.slice::<T>(1)?.iter().map(|&b| right.call::<T, i32>(b).wrapping_add(zero)).collect();
        let n = bias.len().max(1);
        for (out, codes) in out.chunks_mut(n).zip(cx.slice::<T>(0)?.chunks(n)) {
            for ((out, &code), bias) in out.iter_mut().zip(codes).zip(&bias) {
                *out = left.call::<T, i32>(code).wrapping_add(*bias);
            }
        }
        Ok(())
    })?;
    set_range(cx, to);
    Ok(())
}
