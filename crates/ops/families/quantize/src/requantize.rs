//! `Requantize`, `RequantizePerChannel` and `QuantizeDownAndShrinkRange`: requantization from 32 to 8 bits.

use super::requantization_range::actual_range;
use crate::code::{Code, Narrow, Recode, greatest};
use crate::prelude::*;
use crate::{QUANTIZED, range, same_and_range, set_range};

attrs! {
    /// Requantizes `input` to the range from `requested_output_min` to `requested_output_max`.
    pub struct Requantize {
        /// Quantized type of `input`.
        from: DType = Attr::dtype("Tinput", QUANTIZED),
        /// Quantized type of `output`.
        to: DType = Attr::dtype("out_type", QUANTIZED),
    }
}

const INPUT: Arg = arg("input", of("Tinput"));
const MIN: Arg = arg("input_min", is(DType::F32));
const MAX: Arg = arg("input_max", is(DType::F32));
const REQUESTED_MIN: Arg = arg("requested_output_min", is(DType::F32));
const REQUESTED_MAX: Arg = arg("requested_output_max", is(DType::F32));
const OUTPUTS: &[Arg] =
    &[arg("output", of("out_type")), arg("output_min", is(DType::F32)), arg("output_max", is(DType::F32))];

pub static REQUANTIZE: Def<Requantize> = op::<Requantize>("Requantize")
    .inputs(&[INPUT, MIN, MAX, REQUESTED_MIN, REQUESTED_MAX])
    .outputs(OUTPUTS)
    .shape(same_and_range)
    .kernel(|op, cx| {
        let (from, to) = (range(cx, 1)?, range(cx, 3)?);
        if !(to.0 <= 0.0 && to.1 >= to.0) {
            return Err(Error::invalid("the requested range must not begin above 0, nor end before it begins")
                .found(format!("{} to {}", to.0, to.1)));
        }
        recode(op.to, cx, from, to)?;
        set_range(cx, to);
        Ok(())
    })
    .heavy()
    .supports(|op| op.from == DType::QI32 && matches!(op.to, DType::QI8 | DType::QU8));

pub static QUANTIZE_DOWN_AND_SHRINK_RANGE: Def<Requantize> = op::<Requantize>("QuantizeDownAndShrinkRange")
    .doc("Requantizes `input` to the range of its actual values, extended to contain zero.")
    .inputs(&[INPUT, MIN, MAX])
    .outputs(OUTPUTS)
    .shape(same_and_range)
    .kernel(|op, cx| {
        let from = range(cx, 1)?;
        let to = actual_range(cx.slice::<i32>(0)?, from);
        recode(op.to, cx, from, to)?;
        set_range(cx, to);
        Ok(())
    })
    .heavy()
    .supports(|op| op.from == DType::QI32 && op.to == DType::QU8);

/// Sets output 0 to input 0 requantized to another range.
fn recode(dtype: DType, cx: &mut Cx<'_, '_>, from: (f32, f32), to: (f32, f32)) -> Result<()> {
    let shape = cx.input(0)?.shape().clone();
    if dtype == DType::QU8 {
        let narrow = Narrow::new(from, to);
        return fill(cx, &shape, |code| narrow.call(code));
    }
    let recode = Recode::new::<i32, i8>(from, to);
    fill(cx, &shape, |code| recode.call::<i32, i8>(code))
}

fn fill<T: Code>(cx: &mut Cx<'_, '_>, shape: &Shape, each: impl Fn(i32) -> T) -> Result<()> {
    cx.produce::<T>(0, shape, |cx, out| {
        out.iter_mut().zip(cx.slice::<i32>(0)?).for_each(|(out, &code)| *out = each(code));
        Ok(())
    })
}

attrs! {
    /// Requantizes `input`, whose channels have separate ranges, to the range from `requested_output_min` to
    /// `requested_output_max`, scaled by whichever is further from 0.
    pub struct RequantizePerChannel {
        /// Quantized type of `input`.
        from: DType = Attr::dtype("T", QUANTIZED).or_type(DType::QI32),
        /// Quantized type of `output`.
        to: DType = Attr::dtype("out_type", QUANTIZED).or_type(DType::QU8),
    }
}

pub static REQUANTIZE_PER_CHANNEL: Def<RequantizePerChannel> = op::<RequantizePerChannel>("RequantizePerChannel")
    .inputs(&[arg("input", of("T")), MIN, MAX, REQUESTED_MIN, REQUESTED_MAX])
    .outputs(OUTPUTS)
    .shape(|_, cx| {
        cx.with_rank(1, 1)?;
        cx.with_rank(2, 1)?;
        same_and_range(&(), cx)
    })
    .kernel(|op, cx| {
        let shape = cx.input(0)?.shape().clone();
        let (mins, maxes) = (cx.slice::<f32>(1)?, cx.slice::<f32>(2)?);
        let requested = (cx.scalar::<f32>(3)?, cx.scalar::<f32>(4)?);
        if mins.len() != maxes.len() {
            return Err(Error::invalid("input_max has incorrect size").expected(mins.len()).found(maxes.len()));
        }
        if !matches!(shape.rank(), 4 | 5) || mins.len() != 1 && shape.last() != Some(&mins.len()) {
            return Err(Error::invalid(
                "input must be images or volumes that have as many channels as input_min has elements",
            )
            .expected(format!("{} channels", mins.len()))
            .found(format!("shape {shape}")));
        }
        if op.to == DType::QI8 && !(requested.0 < 0.0) {
            return Err(Error::invalid("requested_output_min must be negative if out_type is qint8").found(requested.0));
        }
        let largest = greatest(requested.0.abs(), requested.1.abs());
        let factor = if op.to == DType::QI8 { 127.0 } else { 255.0 };
        let scale = |(min, max): (&f32, &f32)| factor * (greatest(min.abs(), max.abs()) / largest / 2_147_483_648.0);
        let scales: Vec<f32> = mins.iter().zip(maxes).map(scale).collect();
        match op.to {
            DType::QI8 => by_channel::<i8>(cx, &shape, &scales)?,
            _ => by_channel::<u8>(cx, &shape, &scales)?,
        }
        set_range(cx, requested);
        Ok(())
    })
    .heavy()
    .supports(|op| op.from == DType::QI32 && matches!(op.to, DType::QI8 | DType::QU8));

fn by_channel<T: Code>(cx: &mut Cx<'_, '_>, shape: &Shape, scales: &[f32]) -> Result<()> {
    cx.produce::<T>(0, shape, |cx, out| {
        let pieces = out.chunks_mut(scales.len().max(1)).zip(cx.slice::<i32>(0)?.chunks(scales.len().max(1)));
        for (out, codes) in pieces {
            for ((out, &code), scale) in out.iter_mut().zip(codes).zip(scales) {
                let value = (code as f32 * scale).round_ties_even();
                *out = T::wrap(value.clamp(T::SMALLEST as f32, T::LARGEST as f32) as i64);
            }
        }
        Ok(())
    })
}
