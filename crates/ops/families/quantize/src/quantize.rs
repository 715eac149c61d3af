//! `QuantizeV2`: quantizes floats.

use crate::code::{Code, FromFloat, greatest, least, of_code, to_i32};
use crate::prelude::*;
use crate::{QUANTIZED, range_outputs};

attrs! {
    /// Quantizes `input` to `T`. The range from `min_range` to `max_range` is extended to contain zero and to be at
    /// least as wide as `ensure_minimum_range` requires. The outputs `output_min` and `output_max` are the actual
    /// range of `output`.
    pub struct QuantizeV2 {
        /// Quantized type.
        to: DType = Attr::dtype("T", QUANTIZED),
        /// Quantization mode: `MIN_COMBINED` counts from the minimum, `MIN_FIRST` also represents zero exactly, and
        /// `SCALED` scales symmetrically around zero.
        mode: String = Attr::one_of("mode", &["MIN_COMBINED", "MIN_FIRST", "SCALED"]).or_str("MIN_COMBINED"),
        /// Rounding of halves; `HALF_TO_EVEN` only with `SCALED`.
        round: String =
            Attr::one_of("round_mode", &["HALF_AWAY_FROM_ZERO", "HALF_TO_EVEN"]).or_str("HALF_AWAY_FROM_ZERO"),
        /// Whether `SCALED` leaves the smallest quantized value unused.
        narrow: bool = Attr::bool("narrow_range").or_bool(false),
        /// Axis with one range per index; -1 for a single range.
        axis: i64 = Attr::int("axis").or_int(-1),
        /// Minimum width of a range, relative to its ends and to 1.
        ensure: f32 = Attr::float("ensure_minimum_range").or_float(0.01),
    }
}

pub static QUANTIZE_V2: Def<QuantizeV2> = op::<QuantizeV2>("QuantizeV2")
    .inputs(&[arg("input", is(DType::F32)), arg("min_range", is(DType::F32)), arg("max_range", is(DType::F32))])
    .outputs(&[arg("output", of("T")), arg("output_min", is(DType::F32)), arg("output_max", is(DType::F32))])
    .shape(|op, cx| {
        let shape = cx.input(0);
        cx.output(0, shape.clone());
        match usize::try_from(op.axis) {
            Ok(axis) => {
                let depth = cx.rank_at_least(0, axis.saturating_add(1))?.dim(axis as isize);
                let range = cx.with_rank(1, 1)?.merge(&cx.with_rank(2, 1)?)?.merge(&PartialShape::vector(depth))?;
                cx.output(1, range.clone());
                cx.output(2, range);
            }
            Err(_) => range_outputs(cx),
        }
        Ok(())
    })
    .kernel(|op, cx| of_code!(op.to, |T| quantize::<T>(op, cx), else unsupported(cx, op.to)))
    .heavy();

fn quantize<T: Code>(op: &QuantizeV2, cx: &mut Cx<'_, '_>) -> Result<()> {
    if op.round == "HALF_TO_EVEN" && op.mode != "SCALED" {
        let error = Error::invalid("Round mode 'HALF_TO_EVEN' is only supported for mode 'SCALED'").attr("round_mode");
        return Err(error.found(format!("mode {}", op.mode)));
    }
    let shape = cx.input(0)?.shape().clone();
    let axis = usize::try_from(op.axis).ok();
    let (channels, after) = match axis {
        None if op.axis == -1 => (1, shape.num_elements()),
        Some(axis) if axis < shape.rank() => (shape[axis], shape[axis + 1..].iter().product()),
        _ => return Err(Error::invalid(format!("the shape {shape} has no axis {}", op.axis)).attr("axis")),
    };
    let ends = cx.input(1)?.shape().clone();
    for i in [1, 2] {
        let found = cx.input(i)?.shape();
        if found.num_elements() != channels || (axis.is_some() && found.rank() != 1) {
            return Err(Error::invalid(
                "min_range and max_range must have as many elements as input on the quantization axis",
            )
            .expected(channels)
            .found(found));
        }
    }
    let mut ranges = Vec::with_capacity(channels);
    let mut scales = Vec::with_capacity(channels);
    for (&min, &max) in cx.slice::<f32>(1)?.iter().zip(cx.slice::<f32>(2)?) {
        if max < min {
            let error = Error::invalid("input_max_range must be larger than input_min_range");
            return Err(error.found(format!("{min} to {max}")));
        }
        let epsilon = greatest(1.0, greatest(min.abs(), max.abs())) * op.ensure;
        let low = least(0.0, min);
        let high = greatest(0.0, greatest(max, low + epsilon));
        let scale = Scale::new::<T>(op, low, high);
        ranges.push((scale.min, scale.max));
        scales.push(scale);
    }
    if axis.is_some() && channels != 1 && op.mode == "MIN_FIRST" {
        return Err(Error::unimplemented("MIN_FIRST mode is not implemented for QuantizeV2 with axis != -1")
            .attr("mode")
            .help("use SCALED or MIN_COMBINED"));
    }
    cx.produce::<T>(0, &shape, |cx, out| {
        let x = cx.slice::<f32>(0)?;
        if channels == 1 {
            cx.pool().for_chunks(out, 1, 0.5, |first, out| vectorized!(scales[0].fill(&x[first..][..out.len()], out)));
            return Ok(());
        }
        for (i, (out, x)) in out.chunks_mut(after.max(1)).zip(x.chunks(after.max(1))).enumerate() {
            scales[i % channels].fill(x, out);
        }
        Ok(())
    })?;
    let ends = if channels == 1 { Shape::scalar() } else { ends };
    let (mins, maxes) = ranges.into_iter().unzip();
    cx.set(1, Tensor::from_vec(ends.clone(), mins)?);
    cx.set(2, Tensor::from_vec(ends, maxes)?);
    Ok(())
}

/// How the values of a range are quantized.
struct Scale {
    min: f32,
    max: f32,
    scale: f32,
    how: How,
}

enum How {
    /// Counted from the minimum, in codes of a signed type or of an unsigned one.
    Combined {
        half: Option<f32>,
    },
    First(FromFloat),
    Scaled {
        even: bool,
    },
}

impl Scale {
    fn new<T: Code>(op: &QuantizeV2, min: f32, max: f32) -> Scale {
        match op.mode.as_str() {
            "MIN_COMBINED" => {
                let half = (T::SMALLEST < 0).then_some((T::STEPS as f64 / 2.0) as f32);
                let scale = ((T::STEPS - 1) as f64 / f64::from(max - min)) as f32;
                Scale { min, max, scale, how: How::Combined { half } }
            }
            "MIN_FIRST" => Scale { min, max, scale: 0.0, how: How::First(FromFloat::new::<T>((min, max))) },
            _ => {
                let (lowest, highest) = ((T::SMALLEST + i64::from(op.narrow)) as f32, T::LARGEST as f32);
                let side = |end: f32, of: f32| if end * of > 0.0 { end / of } else { f32::MAX };
                let scale = least(side(lowest, min), side(highest, max));
                let how = How::Scaled { even: op.round == "HALF_TO_EVEN" };
                // TensorFlow's threads flush denormals to zero.
                let normal = |v: f32| if v.is_normal() { v } else { 0.0 };
                Scale { min: normal(lowest / scale), max: normal(highest / scale), scale, how }
            }
        }
    }

    #[inline(always)]
    fn fill<T: Code>(&self, x: &[f32], out: &mut [T]) {
        let clamp = |x: f32| greatest(least(x, self.max), self.min);
        let code = |x: f32| T::wrap(to_i32(x).into());
        let pairs = out.iter_mut().zip(x);
        match self.how {
            How::Combined { half: Some(half) } => {
                pairs.for_each(|(out, &x)| *out = code(((clamp(x) - self.min) * self.scale - half).round()));
            }
            How::Combined { half: None } => {
                pairs.for_each(|(out, &x)| *out = code((clamp(x) - self.min) * self.scale + 0.5));
            }
            How::First(from) => pairs.for_each(|(out, &x)| *out = from.call(x)),
            How::Scaled { even: true } => {
                pairs.for_each(|(out, &x)| *out = code((clamp(x) * self.scale).round_ties_even()));
            }
            How::Scaled { even: false } => pairs.for_each(|(out, &x)| *out = code((clamp(x) * self.scale).round())),
        }
    }
}
