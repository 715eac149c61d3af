//! `RequantizationRange` and `RequantizationRangePerChannel`: the actual range of qint32 tensors.

use crate::QUANTIZED;
use crate::code::{Code, greatest, least, to_float};
use crate::prelude::*;

attrs! {
    /// Computes the actual range of the quantized values of `input`, extended to contain zero.
    pub struct RequantizationRange {
        /// Quantized type.
        dtype: DType = Attr::dtype("Tinput", QUANTIZED),
    }
}

const MIN: Arg = arg("input_min", is(DType::F32));
const MAX: Arg = arg("input_max", is(DType::F32));
const OUTPUTS: &[Arg] = &[arg("output_min", is(DType::F32)), arg("output_max", is(DType::F32))];

pub static REQUANTIZATION_RANGE: Def<RequantizationRange> = op::<RequantizationRange>("RequantizationRange")
    .inputs(&[arg("input", of("Tinput")), MIN, MAX])
    .outputs(OUTPUTS)
    .shape(|_, cx| {
        cx.output_scalar(0);
        cx.output_scalar(1);
        Ok(())
    })
    .kernel(|_, cx| {
        let first = |cx: &Cx<'_, '_>, i: usize| -> Result<f32> {
            let ends = cx.slice::<f32>(i)?;
            ends.first()
                .copied()
                .ok_or_else(|| Error::invalid(format!("input {i}, an end of a range, has no elements")))
        };
        let range = actual_range(cx.slice::<i32>(0)?, (first(cx, 1)?, first(cx, 2)?));
        cx.set(0, Tensor::scalar(range.0));
        cx.set(1, Tensor::scalar(range.1));
        Ok(())
    })
    .supports(|op| op.dtype == DType::QI32);

/// Returns the actual range of codes; its minimum is at most zero.
pub fn actual_range<T: Code>(codes: &[T], range: (f32, f32)) -> (f32, f32) {
    let least_code = codes.iter().copied().min().unwrap_or(T::wrap(T::LARGEST));
    let greatest_code = codes.iter().copied().max().unwrap_or(T::wrap(T::SMALLEST));
    (least(0.0, to_float(least_code, range)), to_float(greatest_code, range))
}

attrs! {
    /// Computes the actual range, symmetric around zero, of `input`, whose channels have separate ranges.
    pub struct RequantizationRangePerChannel {
        /// Quantized type.
        dtype: DType = Attr::dtype("T", QUANTIZED).or_type(DType::QI32),
        /// Upper bound for the maximum of the range.
        clip: f32 = Attr::float("clip_value_max"),
    }
}

pub static REQUANTIZATION_RANGE_PER_CHANNEL: Def<RequantizationRangePerChannel> =
    op::<RequantizationRangePerChannel>("RequantizationRangePerChannel")
        .inputs(&[arg("input", of("T")), MIN, MAX])
        .outputs(OUTPUTS)
        .shape(|_, cx| {
            cx.with_rank(0, 4)?;
            cx.with_rank(1, 1)?;
            cx.with_rank(2, 1)?;
            cx.output_scalar(0);
            cx.output_scalar(1);
            Ok(())
        })
        .kernel(|op, cx| {
            let shape = cx.input(0)?.shape();
            let (mins, maxes) = (cx.input(1)?.shape(), cx.input(2)?.shape());
            let depth = maxes.num_elements();
            if mins.dims() != [depth] {
                return Err(Error::invalid("input_min has incorrect size").expected(depth).found(mins));
            }
            if shape.rank() != 4 || shape[3] != depth || shape.num_elements() == 0 {
                return Err(Error::invalid(
                    "input must be images that have as many channels as input_min has elements",
                )
                .expected(format!("{depth} channels"))
                .found(format!("shape {shape}")));
            }
            let codes = cx.slice::<i32>(0)?;
            let mut most = f32::MIN_POSITIVE;
            let ends = cx.slice::<f32>(1)?.iter().zip(cx.slice::<f32>(2)?);
            for (channel, (&min, &max)) in ends.enumerate() {
                let largest = codes.iter().skip(channel).step_by(depth).map(|c| c.wrapping_abs()).max().unwrap_or(0);
                let scale = greatest(min.abs(), max.abs());
                most = greatest(most, scale * largest as f32 / 2_147_483_648.0);
            }
            if most > op.clip {
                most = op.clip;
            }
            let least = if codes.iter().all(|&c| c >= 0) { 0.0 } else { -most };
            cx.set(0, Tensor::scalar(least));
            cx.set(1, Tensor::scalar(most));
            Ok(())
        })
        .supports(|op| op.dtype == DType::QI32);
