//! `QuantizedBatchNormWithGlobalNormalization`: batch normalization of quantized tensors, in fixed-point arithmetic.

use crate::QUANTIZED;
use crate::code::{from_float, to_float};
use crate::prelude::*;
use crate::{range, range_outputs, set_range};

attrs! {
    /// Normalizes `t` with one mean and one variance per channel; all inputs are quantized.
    pub struct QuantizedBatchNorm {
        /// Quantized type of the inputs.
        from: DType = Attr::dtype("Tinput", QUANTIZED),
        /// Quantized type of the output.
        to: DType = Attr::dtype("out_type", QUANTIZED),
        /// Added to the variance to avoid division by zero.
        epsilon: f32 = Attr::float("variance_epsilon"),
        /// Whether to multiply the normalized values by `gamma`.
        scale: bool = Attr::bool("scale_after_normalization"),
    }
}

const fn end(name: &'static str) -> Arg {
    arg(name, is(DType::F32))
}

pub static QUANTIZED_BATCH_NORM: Def<QuantizedBatchNorm> =
    op::<QuantizedBatchNorm>("QuantizedBatchNormWithGlobalNormalization")
        .inputs(&[
            arg("t", of("Tinput")),
            end("t_min"),
            end("t_max"),
            arg("m", of("Tinput")),
            end("m_min"),
            end("m_max"),
            arg("v", of("Tinput")),
            end("v_min"),
            end("v_max"),
            arg("beta", of("Tinput")),
            end("beta_min"),
            end("beta_max"),
            arg("gamma", of("Tinput")),
            end("gamma_min"),
            end("gamma_max"),
        ])
        .outputs(&[arg("result", of("out_type")), end("result_min"), end("result_max")])
        .shape(|_, cx| {
            let shape = cx.with_rank(0, 4)?;
            let mut channels = PartialShape::vector(shape.dim(3));
            for i in [3, 6, 9, 12] {
                channels = channels.merge(&cx.with_rank(i, 1)?)?;
            }
            cx.output(0, shape);
            range_outputs(cx);
            Ok(())
        })
        .kernel(normalize)
        .heavy()
        .supports(|op| op.from == DType::QU8 && op.to == DType::QI32);

/// The range of the output, which leaves ten bits for the fraction.
const RANGE: (f32, f32) = (-1_048_576.0, 1_048_576.0);

fn normalize(op: &QuantizedBatchNorm, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = cx.input(0)?.shape().clone();
    if shape.rank() != 4 {
        return Err(Error::invalid("input must be 4-dimensional").found(shape));
    }
    let values = |i: usize| -> Result<Vec<f32>> {
        let found = cx.input(i)?.shape();
        if found.dims() != [shape[3]] {
            let error = Error::invalid(format!("input {i} must have an element for each channel"));
            return Err(error.expected(format!("shape [{}]", shape[3])).found(found));
        }
        let range = range(cx, i + 1)?;
        Ok(cx.slice::<u8>(i)?.iter().map(|&code| to_float(code, range)).collect())
    };
    let (mean, variance, beta, gamma) = (values(3)?, values(6)?, values(9)?, values(12)?);
    let channels: Vec<(i32, i32)> = (0..shape[3])
        .map(|c| {
            let factor = 1.0 / (variance[c] + op.epsilon).sqrt();
            let factor = if op.scale { factor * gamma[c] } else { factor };
            (from_float(factor, RANGE), from_float(-mean[c] * factor + beta[c], RANGE))
        })
        .collect();
    let one = from_float::<i32>(1.0, RANGE);
    let from = range(cx, 1)?;
    cx.produce::<i32>(0, &shape, |cx, out| {
        let n = channels.len().max(1);
        for (out, codes) in out.chunks_mut(n).zip(cx.slice::<u8>(0)?.chunks(n)) {
            for ((out, &code), &(scale, offset)) in out.iter_mut().zip(codes).zip(&channels) {
                let value = from_float::<i32>(to_float(code, from), RANGE);
                *out = (value.wrapping_mul(scale) / one).wrapping_add(offset);
            }
        }
        Ok(())
    })?;
    set_range(cx, RANGE);
    Ok(())
}
