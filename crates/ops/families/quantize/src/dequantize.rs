//! `Dequantize`: converts quantized values to floats.

use crate::QUANTIZED;
use crate::code::{Code, ToFloat, greatest, of_code};
use crate::prelude::*;

attrs! {
    /// Converts the quantized values of `input` to floats in the range from `min_range` to `max_range`.
    pub struct Dequantize {
        /// Quantized type.
        from: DType = Attr::dtype("T", QUANTIZED),
        /// Quantization mode, as in `QuantizeV2`.
        mode: String = Attr::one_of("mode", &["MIN_COMBINED", "MIN_FIRST", "SCALED"]).or_str("MIN_COMBINED"),
        /// Whether `SCALED` left the smallest quantized value unused.
        narrow: bool = Attr::bool("narrow_range").or_bool(false),
        /// Axis with one range per index; -1 for a single range.
        axis: i64 = Attr::int("axis").or_int(-1),
        /// Element type of the output.
        to: DType = Attr::dtype("dtype", &[DType::BF16, DType::F32]).or_type(DType::F32),
    }
}

pub static DEQUANTIZE: Def<Dequantize> = op::<Dequantize>("Dequantize")
    .inputs(&[arg("input", of("T")), arg("min_range", is(DType::F32)), arg("max_range", is(DType::F32))])
    .outputs(&[arg("output", of("dtype"))])
    .shape(|op, cx| {
        if let Ok(axis) = usize::try_from(op.axis) {
            let depth = cx.rank_at_least(0, axis.saturating_add(1))?.dim(axis as isize);
            cx.with_rank(1, 1)?.merge(&cx.with_rank(2, 1)?)?.merge(&PartialShape::vector(depth))?;
        }
        let shape = cx.input(0);
        cx.output(0, shape);
        Ok(())
    })
    .kernel(|op, cx| of_code!(op.from, |T| dequantize::<T>(op, cx), else unsupported(cx, op.from)))
    .heavy();

fn dequantize<T: Code>(op: &Dequantize, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = cx.input(0)?.shape().clone();
    let (channels, after) = match usize::try_from(op.axis) {
        Err(_) => (1, shape.num_elements()),
        Ok(axis) if axis < shape.rank() => (shape[axis], shape[axis + 1..].iter().product()),
        Ok(axis) => return Err(Error::invalid(format!("the shape {shape} has no axis {axis}")).attr("axis")),
    };
    for i in [1, 2] {
        let found = cx.input(i)?.shape();
        if found.num_elements() != channels {
            return Err(Error::invalid(
                "min_range and max_range must have as many elements as input on the dequantization axis",
            )
            .expected(channels)
            .found(found));
        }
    }
    if channels != 1 && op.mode == "MIN_FIRST" {
        return Err(Error::unimplemented("MIN_FIRST mode is not implemented for Dequantize with axis != -1")
            .attr("mode")
            .help("use SCALED or MIN_COMBINED"));
    }
    let ends = cx.slice::<f32>(1)?.iter().zip(cx.slice::<f32>(2)?);
    let scales: Vec<Scale> = ends.map(|(&min, &max)| Scale::new::<T>(op, min, max)).collect();
    fn fill<T: Code, F>(codes: &[T], out: &mut [F], after: usize, scales: &[Scale], cast: impl Fn(f32) -> F) {
        for (i, (out, codes)) in out.chunks_mut(after.max(1)).zip(codes.chunks(after.max(1))).enumerate() {
            let scale = &scales[i % scales.len()];
            out.iter_mut().zip(codes).for_each(|(out, &code)| *out = cast(scale.call(code)));
        }
    }
    match op.to {
        DType::BF16 => cx.produce::<bf16>(0, &shape, |cx, out| {
            fill(cx.slice::<T>(0)?, out, after, &scales, bf16::from_f32);
            Ok(())
        }),
        _ => cx.produce::<f32>(0, &shape, |cx, out| {
            fill(cx.slice::<T>(0)?, out, after, &scales, |v| v);
            Ok(())
        }),
    }
}

/// How the codes of a range are converted to values.
enum Scale {
    Combined { half: f32, scale: f32, min: f32 },
    First(ToFloat),
    Scaled(f32),
}

impl Scale {
    fn new<T: Code>(op: &Dequantize, min: f32, max: f32) -> Scale {
        let (lowest, highest) = (T::SMALLEST as f32, T::LARGEST as f32);
        match op.mode.as_str() {
            "MIN_COMBINED" => {
                let half = if T::SMALLEST < 0 { (highest - lowest + 1.0) / 2.0 } else { 0.0 };
                Scale::Combined { half, scale: (max - min) / (highest - lowest), min }
            }
            "MIN_FIRST" => Scale::First(ToFloat::new::<T>((min, max))),
            _ if T::SMALLEST == 0 => Scale::Scaled(max / highest),
            _ => {
                let lowest = (T::SMALLEST + i64::from(op.narrow)) as f32;
                Scale::Scaled(greatest(min / lowest, max / highest))
            }
        }
    }

    #[inline(always)]
    fn call<T: Code>(&self, code: T) -> f32 {
        let wide = code.wide() as f32;
        match *self {
            Scale::Combined { half, scale, min } => (wide + half) * scale + min,
            Scale::First(to) => to.call(code),
            Scale::Scaled(scale) => wide * scale,
        }
    }
}
