//! `FakeQuantWithMinMaxArgs`, `FakeQuantWithMinMaxVars`, `FakeQuantWithMinMaxVarsPerChannel` and their gradients:
//! floats rounded to the nearest quantized value.

use crate::code::{greatest, least};
use crate::prelude::*;
use crate::rules::{first, never};

attrs! {
    /// The attrs of fake quantization with a fixed range.
    pub struct FakeQuantArgs {
        /// Minimum of the range.
        min: f32 = Attr::float("min").or_float(-6.0),
        /// Maximum of the range.
        max: f32 = Attr::float("max").or_float(6.0),
        /// Number of bits of a quantized value, 2 to 16.
        bits: i64 = Attr::int("num_bits").or_int(8),
        /// Whether the smallest quantized value is left unused.
        narrow: bool = Attr::bool("narrow_range").or_bool(false),
    }
}

attrs! {
    /// The attrs of fake quantization with ranges that are inputs.
    pub struct FakeQuantVars {
        /// Number of bits of a quantized value, 2 to 16.
        bits: i64 = Attr::int("num_bits").or_int(8),
        /// Whether the smallest quantized value is left unused.
        narrow: bool = Attr::bool("narrow_range").or_bool(false),
        /// Whether each channel has its own range.
        channels: bool = Attr::bool("channels").or_bool(false),
    }
}

pub static FAKE_QUANT_WITH_MIN_MAX_ARGS: Def<FakeQuantArgs> = op::<FakeQuantArgs>("FakeQuantWithMinMaxArgs")
    .doc(
        "Clamps `inputs` to the range from `min` to `max`, shifted so that zero is exact, and rounds them to \
        `num_bits`-bit quantized values.",
    )
    .inputs(&[arg("inputs", is(DType::F32))])
    .outputs(&[arg("outputs", is(DType::F32))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .gradient(|op, g| first(g, FAKE_QUANT_WITH_MIN_MAX_ARGS_GRADIENT.node(g, op, &[g.dy(0), g.input(0)])))
    .kernel(|op, cx| {
        let nudged = op.nudged()?;
        let shape = cx.input(0)?.shape().clone();
        cx.produce::<f32>(0, &shape, |cx, out| {
            let x = cx.slice::<f32>(0)?;
            cx.pool().for_chunks(out, 1, 0.5, |first, out| {
                vectorized!(nudged.write(out, &x[first..], Nudged::multiplied));
            });
            Ok(())
        })
    })
    .batch(elementwise);

pub static FAKE_QUANT_WITH_MIN_MAX_ARGS_GRADIENT: Def<FakeQuantArgs> = op::<FakeQuantArgs>(
    "FakeQuantWithMinMaxArgsGradient",
)
.doc("Computes the gradient of `FakeQuantWithMinMaxArgs`: `gradients` where `inputs` is in the range, 0 elsewhere.")
.inputs(&[arg("gradients", is(DType::F32)), arg("inputs", is(DType::F32))])
.outputs(&[arg("backprops", is(DType::F32))])
.shape(|_, cx| {
    let shape = cx.input(0).merge(&cx.input(1))?;
    cx.output(0, shape);
    Ok(())
})
.gradient(|_, g| never(g))
.kernel(|op, cx| {
    let nudged = op.nudged()?;
    let shape = same_shape(cx)?;
    cx.produce::<f32>(0, &shape, |cx, out| {
        let (dy, x) = (cx.slice::<f32>(0)?, cx.slice::<f32>(1)?);
        cx.pool().for_chunks(out, 1, 0.5, |first, out| vectorized!(nudged.pass(out, &dy[first..], &x[first..])));
        Ok(())
    })
})
.batch(leading);

const VARS: &[Arg] = &[arg("inputs", is(DType::F32)), arg("min", is(DType::F32)), arg("max", is(DType::F32))];
const VARS_GRADIENT: &[Arg] = &[
    arg("gradients", is(DType::F32)),
    arg("inputs", is(DType::F32)),
    arg("min", is(DType::F32)),
    arg("max", is(DType::F32)),
];

pub static FAKE_QUANT_WITH_MIN_MAX_VARS: Def<FakeQuantVars> = op::<FakeQuantVars>("FakeQuantWithMinMaxVars")
    .doc(
        "Clamps `inputs` to the range from `min` to `max`, shifted so that zero is exact, and rounds them to \
        `num_bits`-bit quantized values.",
    )
    .fixed(&[("channels", AttrDefault::Bool(false))])
    .also(&[form("FakeQuantWithMinMaxVarsPerChannel")
        .doc("Like `FakeQuantWithMinMaxVars`, with one range per index of the last axis.")
        .fixed(&[("channels", AttrDefault::Bool(true))])])
    .inputs(VARS)
    .outputs(&[arg("outputs", is(DType::F32))])
    .shape(|op, cx| {
        ranges(op, cx, 0)?;
        cx.same_as_input(0);
        Ok(())
    })
    .gradient(|op, g| {
        let name =
            if op.channels { "FakeQuantWithMinMaxVarsPerChannelGradient" } else { "FakeQuantWithMinMaxVarsGradient" };
        let inputs = [g.dy(0), g.input(0), g.input(1), g.input(2)];
        let all = g.node(name, &inputs, &g.same(&["num_bits", "narrow_range"]));
        vec![all.into(), all.out(1).into(), all.out(2).into()]
    })
    .kernel(|op, cx| {
        let nudged = op.nudged(cx, 0, 1)?;
        let shape = cx.input(0)?.shape().clone();
        cx.produce::<f32>(0, &shape, |cx, out| {
            let x = cx.slice::<f32>(0)?;
            let width = nudged.len().max(1);
            match &nudged[..] {
                [one] if !op.channels => cx.pool().for_chunks(out, 1, 0.7, |first, out| {
                    vectorized!(one.write(out, &x[first..], Nudged::divided));
                }),
                all => cx.pool().for_chunks(out, width, 2.0 * width as f64, |first, out| {
                    for (out, x) in out.chunks_mut(width).zip(x[first * width..].chunks(width)) {
                        out.iter_mut().zip(x).zip(all).for_each(|((out, &x), range)| *out = range.multiplied(x));
                    }
                }),
            }
            Ok(())
        })
    })
    .batch(levada_ops_core::batch::first_alone);

pub static FAKE_QUANT_WITH_MIN_MAX_VARS_GRADIENT: Def<FakeQuantVars> =
    op::<FakeQuantVars>("FakeQuantWithMinMaxVarsGradient")
        .doc(
            "Computes the gradients of `FakeQuantWithMinMaxVars`; that of `min` is the sum of the gradients where the \
        inputs are below the range, that of `max` where they are above.",
        )
        .fixed(&[("channels", AttrDefault::Bool(false))])
        .also(&[form("FakeQuantWithMinMaxVarsPerChannelGradient")
            .doc("Computes the gradients of `FakeQuantWithMinMaxVarsPerChannel`.")
            .fixed(&[("channels", AttrDefault::Bool(true))])])
        .inputs(VARS_GRADIENT)
        .outputs(&[
            arg("backprops_wrt_input", is(DType::F32)),
            arg("backprop_wrt_min", is(DType::F32)),
            arg("backprop_wrt_max", is(DType::F32)),
        ])
        .shape(|op, cx| {
            let range = ranges(op, cx, 1)?;
            let shape = cx.input(0).merge(&cx.input(1))?;
            cx.output(0, shape);
            cx.output(1, range.clone());
            cx.output(2, range);
            Ok(())
        })
        .gradient(|_, g| never(g))
        .kernel(|op, cx| {
            let shape = same_shape(cx)?;
            let nudged = op.nudged(cx, 1, 2)?;
            let ends = cx.input(2)?.shape().clone();
            let (mut below, mut above) = (vec![0f32; nudged.len()], vec![0f32; nudged.len()]);
            cx.produce::<f32>(0, &shape, |cx, out| {
                let (dy, x) = (cx.slice::<f32>(0)?, cx.slice::<f32>(1)?);
                if let ([range], [below], [above]) = (&nudged[..], &mut below[..], &mut above[..]) {
                    vectorized!(range.pass(out, dy, x));
                    let sums = vectorized!(range.outside(dy, x));
                    [*below, *above] = sums;
                    return Ok(());
                }
                let n = nudged.len().max(1);
                for (i, ((out, &dy), &x)) in out.iter_mut().zip(dy).zip(x).enumerate() {
                    let range = &nudged[i % n];
                    *out = dy * range.inside(x);
                    below[i % n] += dy * range.below(x);
                    above[i % n] += dy * range.above(x);
                }
                Ok(())
            })?;
            cx.set(1, Tensor::from_vec(ends.clone(), below)?);
            cx.set(2, Tensor::from_vec(ends, above)?);
            Ok(())
        });

/// A range shifted so that zero is one of the quantized values.
#[derive(Clone, Copy)]
struct Nudged {
    min: f32,
    max: f32,
    scale: f32,
    /// Number of codes per unit.
    inverse: f32,
    /// The code of zero, counted from the smallest.
    zero: f32,
    /// Whether the range is from zero to zero, which in TensorFlow maps every value to zero and blocks no gradient.
    is_zero: bool,
}

impl Nudged {
    fn new(min: f32, max: f32, bits: u32, narrow: bool) -> Nudged {
        let (lowest, highest) = (f32::from(narrow), ((1u32 << bits) - 1) as f32);
        let scale = (max - min) / (highest - lowest);
        let zero = lowest - min / scale;
        let zero = match zero {
            zero if zero < lowest => lowest,
            zero if zero > highest => highest,
            // NaN, from a range of zero width, becomes code 0.
            zero => f32::from(zero.round() as u16),
        };
        let (low, high) = ((lowest - zero) * scale, (highest - zero) * scale);
        let is_zero = min == 0.0 && max == 0.0;
        let inverse = (highest - lowest) / (max - min);
        Nudged { min: low, max: high, scale, inverse, zero: (-low * (1.0 / scale) + 0.5).floor(), is_zero }
    }

    #[inline(always)]
    fn clamp(&self, x: f32) -> f32 {
        greatest(least(x, self.max), self.min)
    }

    /// Returns the nearest quantized value. The result for a tie depends on how the arithmetic rounds: TensorFlow
    /// divides where the range is a scalar input, and multiplies where it is an attr or per channel.
    #[inline(always)]
    fn divided(&self, x: f32) -> f32 {
        self.of_code((self.clamp(x) - self.min) / self.scale)
    }

    /// Like [`Nudged::divided`], but multiplies.
    #[inline(always)]
    fn multiplied(&self, x: f32) -> f32 {
        self.of_code((self.clamp(x) - self.min) * self.inverse)
    }

    #[inline(always)]
    fn of_code(&self, code: f32) -> f32 {
        if self.is_zero { 0.0 } else { (code - self.zero + 0.5).floor() * self.scale }
    }

    #[inline(always)]
    fn inside(&self, x: f32) -> f32 {
        f32::from(self.is_zero | ((x >= self.min) & (x <= self.max)))
    }

    #[inline(always)]
    fn below(&self, x: f32) -> f32 {
        f32::from(!self.is_zero & (x < self.min))
    }

    #[inline(always)]
    fn above(&self, x: f32) -> f32 {
        f32::from(!self.is_zero & (x > self.max))
    }

    /// Writes the quantized values of `x`. By value here and below, so that writes cannot change the range.
    #[inline(always)]
    fn write(self, out: &mut [f32], x: &[f32], nearest: impl Fn(&Nudged, f32) -> f32) {
        for (out, &x) in out.iter_mut().zip(x) {
            *out = nearest(&self, x);
        }
    }

    /// Writes the gradients of the values in the range, and zeros for others.
    #[inline(always)]
    fn pass(self, out: &mut [f32], dy: &[f32], x: &[f32]) {
        for ((out, &dy), &x) in out.iter_mut().zip(dy).zip(x) {
            *out = dy * self.inside(x);
        }
    }

    /// Returns the sums of the gradients of the values below and above the range.
    #[inline(always)]
    fn outside(self, dy: &[f32], x: &[f32]) -> [f32; 2] {
        const LANES: usize = 16;
        let mut sums = [[0f32; LANES]; 2];
        for (dy, x) in dy.chunks(LANES).zip(x.chunks(LANES)) {
            for (i, (&dy, &x)) in dy.iter().zip(x).enumerate() {
                sums[0][i] += dy * self.below(x);
                sums[1][i] += dy * self.above(x);
            }
        }
        sums.map(|lanes| lanes.iter().sum())
    }
}

fn bits(bits: i64) -> Result<u32> {
    match bits {
        2..=16 => Ok(bits as u32),
        _ => Err(Error::invalid("num_bits must be between 2 and 16, inclusive").attr("num_bits").found(bits)),
    }
}

impl FakeQuantArgs {
    fn nudged(&self) -> Result<Nudged> {
        if self.min < self.max {
            return Ok(Nudged::new(self.min, self.max, bits(self.bits)?, self.narrow));
        }
        let error = Error::invalid("min has to be smaller than max").attr("min");
        Err(error.found(format!("{} to {}", self.min, self.max)))
    }
}

impl FakeQuantVars {
    /// Returns the ranges of input `input`, one per channel or a single one, from inputs `at` and `at + 1`.
    fn nudged(&self, cx: &Cx<'_, '_>, input: usize, at: usize) -> Result<Vec<Nudged>> {
        let (bits, shape) = (bits(self.bits)?, cx.input(input)?.shape());
        let (mins, maxes) = (cx.input(at)?, cx.input(at + 1)?);
        for ends in [mins, maxes] {
            let fits = match (self.channels, shape.last()) {
                (false, _) => ends.shape().is_scalar(),
                (true, Some(&depth)) => ends.shape().dims() == [depth],
                (true, None) => false,
            };
            if !fits {
                let expected = if self.channels { "a vector with an element for each channel" } else { "a scalar" };
                let error = Error::invalid("min or max has incorrect size").expected(expected);
                return Err(error.found(format!("shape {} for inputs of shape {shape}", ends.shape())));
            }
        }
        let ends = mins.slice::<f32>()?.iter().zip(maxes.slice::<f32>()?);
        Ok(ends.map(|(&min, &max)| Nudged::new(min, max, bits, self.narrow)).collect())
    }
}

/// Returns the statically known shape of the ends of the ranges, inputs `input + 1` and `input + 2`.
fn ranges(op: &FakeQuantVars, cx: &ShapeCx<'_>, input: usize) -> Result<PartialShape> {
    if !op.channels {
        cx.with_rank(input + 1, 0)?;
        return cx.with_rank(input + 2, 0);
    }
    let depth = cx.rank_at_least(input, 1)?.dim(-1);
    let ends = cx.with_rank(input + 1, 1)?.merge(&cx.with_rank(input + 2, 1)?)?;
    ends.merge(&PartialShape::vector(depth))
}

/// Returns the shape of inputs 0 and 1, which must be equal.
fn same_shape(cx: &Cx<'_, '_>) -> Result<Shape> {
    let (dy, x) = (cx.input(0)?.shape(), cx.input(1)?.shape());
    if dy == x {
        return Ok(x.clone());
    }
    Err(Error::invalid("gradient and input must be the same size").expected(x).found(dy))
}
