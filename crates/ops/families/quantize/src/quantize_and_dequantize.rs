//! `QuantizeAndDequantize` and its later versions: floats rounded to the values of a quantized type.

use crate::code::{greatest, least};
use crate::prelude::*;
use crate::rules::{first, pass};
use num_traits::Float as Base;

attrs! {
    /// Rounds `input` to the values that `num_bits`-bit integers can represent, scaled so that the range from
    /// `input_min` to `input_max` fits and 0 remains exact.
    pub struct QuantizeAndDequantize {
        /// Whether the integers are signed.
        signed: bool = Attr::bool("signed_input").or_bool(true),
        /// Number of bits of an integer, including the sign.
        bits: i64 = Attr::int("num_bits").or_int(8),
        /// Whether the range is given; otherwise it is that of the elements.
        given: bool = Attr::bool("range_given").or_bool(false),
        /// Minimum of the given range.
        min: f32 = Attr::float("input_min").or_float(0.0),
        /// Maximum of the given range.
        max: f32 = Attr::float("input_max").or_float(0.0),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS),
        /// Rounding of halves.
        round: String = Attr::one_of("round_mode", &["HALF_TO_EVEN", "HALF_UP"]).or_str("HALF_TO_EVEN"),
        /// Whether the smallest signed integer is left unused.
        narrow: bool = Attr::bool("narrow_range").or_bool(false),
        /// Axis with one range per index; -1 for a single range.
        axis: i64 = Attr::int("axis").or_int(-1),
        /// Whether gradients are zero outside the range.
        clips: bool = Attr::bool("clips").or_bool(false),
    }
}

const PASSES: &[(&str, AttrDefault)] = &[("clips", AttrDefault::Bool(false))];
const CLIPS: &[(&str, AttrDefault)] = &[("clips", AttrDefault::Bool(true))];
const INPUT: Arg = arg("input", of("T"));
const MIN: Arg = arg("input_min", of("T"));
const MAX: Arg = arg("input_max", of("T"));

pub static QUANTIZE_AND_DEQUANTIZE: Def<QuantizeAndDequantize> = op::<QuantizeAndDequantize>("QuantizeAndDequantize")
    .inputs(&[INPUT])
    .without(&["round_mode", "narrow_range", "axis"])
    .fixed(PASSES)
    .also(&[
        form("QuantizeAndDequantizeV2").inputs(&[INPUT, MIN, MAX]).without(&["input_min", "input_max"]).fixed(PASSES),
        form("QuantizeAndDequantizeV3")
            .inputs(&[INPUT, MIN, MAX, arg("num_bits", is(DType::I32))])
            .attrs(&[Attr::bool("range_given").or_bool(true)])
            .without(&["num_bits", "round_mode", "input_min", "input_max"])
            .fixed(PASSES),
        form("QuantizeAndDequantizeV4").inputs(&[INPUT, MIN, MAX]).without(&["input_min", "input_max"]).fixed(CLIPS),
    ])
    .outputs(&[arg("output", of("T"))])
    .shape(|op, cx| {
        if op.axis < -1 {
            return Err(Error::invalid("axis should be at least -1").attr("axis").found(op.axis));
        }
        if op.axis >= 0 {
            cx.rank_at_least(0, usize::try_from(op.axis).unwrap_or(usize::MAX).saturating_add(1))?;
        }
        let shape = cx.input(0);
        cx.output(0, shape);
        Ok(())
    })
    .gradient(|op, g| {
        if !op.clips {
            return pass(g);
        }
        let attrs = QuantizeAndDequantizeGrad { dtype: op.dtype, axis: op.axis };
        let all = QUANTIZE_AND_DEQUANTIZE_V4_GRAD.node(g, &attrs, &[g.dy(0), g.input(0), g.input(1), g.input(2)]);
        vec![all.into(), all.out(1).into(), all.out(2).into()]
    })
    .kernel(|op, cx| match op.dtype {
        DType::F32 => there_and_back::<f32>(op, cx),
        DType::F64 => there_and_back::<f64>(op, cx),
        dtype => unsupported(cx, dtype),
    })
    .supports(|op| matches!(op.dtype, DType::F32 | DType::F64));

attrs! {
    /// Computes the gradients of `QuantizeAndDequantizeV4`: that of the output where the input is in the range and 0
    /// elsewhere; 0 for the range.
    pub struct QuantizeAndDequantizeGrad {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS),
        /// Axis with one range per index; -1 for a single range.
        axis: i64 = Attr::int("axis").or_int(-1),
    }
}

pub static QUANTIZE_AND_DEQUANTIZE_V4_GRAD: Def<QuantizeAndDequantizeGrad> =
    op::<QuantizeAndDequantizeGrad>("QuantizeAndDequantizeV4Grad")
        .inputs(&[arg("gradients", of("T")), INPUT, MIN, MAX])
        .outputs(&[
            arg("input_backprop", of("T")),
            arg("input_min_backprop", of("T")),
            arg("input_max_backprop", of("T")),
        ])
        .shape(|_, cx| {
            let shape = cx.input(0).merge(&cx.input(1))?;
            let range = cx.input(2).merge(&cx.input(3))?;
            cx.output(0, shape);
            cx.output(1, range.clone());
            cx.output(2, range);
            Ok(())
        })
        .gradient(|op, g| {
            // The gradients of the range are zeros; TensorFlow's own rule fails.
            first(g, QUANTIZE_AND_DEQUANTIZE_V4_GRAD.node(g, op, &[g.dy(0), g.input(1), g.input(2), g.input(3)]))
        })
        .kernel(|op, cx| match op.dtype {
            DType::F32 => clipped::<f32>(op, cx),
            DType::F64 => clipped::<f64>(op, cx),
            dtype => unsupported(cx, dtype),
        })
        .supports(|op| matches!(op.dtype, DType::F32 | DType::F64));

/// A tensor as `[before, channels, after]`, with one range per channel.
struct Split {
    channels: usize,
    after: usize,
}

impl Split {
    fn new(shape: &Shape, axis: i64) -> Result<Split> {
        let count = |dims: &[usize]| dims.iter().product::<usize>();
        let inside = usize::try_from(axis).ok().filter(|&axis| axis < shape.rank());
        match inside {
            _ if axis == -1 => Ok(Split { channels: 1, after: shape.num_elements() }),
            Some(axis) => Ok(Split { channels: shape[axis], after: count(&shape[axis + 1..]) }),
            None => Err(Error::invalid(format!("the shape {shape} has no axis {axis}")).attr("axis")),
        }
    }

    /// Calls `f` with each channel and contiguous pieces of its elements.
    fn each<T>(&self, elements: &[T], mut f: impl FnMut(usize, &[T])) {
        let pieces = elements.chunks(self.after.max(1)).enumerate();
        pieces.for_each(|(i, piece)| f(i % self.channels, piece));
    }
}

/// Returns the ranges in inputs `at` and `at + 1`, one per channel.
fn ends<T: Element + Base>(cx: &Cx<'_, '_>, at: usize, split: &Split, axis: i64) -> Result<Vec<(T, T)>> {
    for i in [at, at + 1] {
        let shape = cx.input(i)?.shape();
        let fits = match axis {
            // The form with the number of bits as an input takes vectors of one element too.
            -1 => shape.is_scalar() || cx.num_inputs() == 4 && at == 1 && shape.num_elements() == 1,
            _ => shape.dims() == [split.channels],
        };
        if !fits {
            let expected = if axis == -1 { "a scalar" } else { "a vector with an element for each index of the axis" };
            return Err(Error::invalid("input_min or input_max has incorrect size").expected(expected).found(shape));
        }
    }
    let (mins, maxes) = (cx.slice::<T>(at)?, cx.slice::<T>(at + 1)?);
    Ok(mins.iter().copied().zip(maxes.iter().copied()).collect())
}

/// How the elements of a channel are rounded.
#[derive(Clone, Copy)]
struct Scale<T> {
    min: T,
    max: T,
    scale: T,
    inverse: T,
}

impl<T: Base> Scale<T> {
    /// Returns the largest scale at which the range fits the integers.
    fn new((min, max): (T, T), op: &QuantizeAndDequantize, bits: u32) -> Result<Scale<T>> {
        let number = |n: i64| T::from(n).ok_or_else(|| Error::internal("an integer cannot be converted to a float"));
        let (lowest, highest) = match op.signed {
            true => (i64::from(op.narrow) - (1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1),
            false => (0, ((1u64 << bits) - 1) as i64),
        };
        let (lowest, highest) = (number(lowest)?, number(highest)?);
        let side = |end: T, of: T| if end * of > T::zero() { end / of } else { T::max_value() };
        let (below, above) = (side(lowest, min), side(highest, max));
        Ok(if below < above {
            let inverse = min / lowest;
            Scale { min, max: highest * inverse, scale: below, inverse }
        } else {
            let inverse = max / highest;
            Scale { min: lowest * inverse, max, scale: above, inverse }
        })
    }
}

fn there_and_back<T: Element + Base>(op: &QuantizeAndDequantize, cx: &mut Cx<'_, '_>) -> Result<()> {
    let bits = if cx.num_inputs() == 4 {
        if !cx.input(3)?.shape().is_scalar() {
            return Err(Error::invalid("num_bits is not a scalar").expected("a scalar").found(cx.input(3)?.shape()));
        }
        i64::from(cx.scalar::<i32>(3)?)
    } else {
        op.bits
    };
    if bits <= 0 || bits >= if op.signed { 62 } else { 63 } {
        return Err(Error::invalid("num_bits is out of range").attr("num_bits").found(bits));
    }
    let shape = cx.input(0)?.shape().clone();
    let split = Split::new(&shape, op.axis)?;
    let single = |v: f32| T::from(v).ok_or_else(|| Error::internal("a float cannot be converted to the element type"));
    let ranges = match (op.given, cx.num_inputs()) {
        (true, 1) => vec![(single(op.min)?, single(op.max)?)],
        (true, _) => ends::<T>(cx, 1, &split, op.axis)?,
        (false, _) => {
            let mut ranges = vec![(T::infinity(), T::neg_infinity()); split.channels];
            split.each(cx.slice::<T>(0)?, |channel, piece| {
                let (min, max) = &mut ranges[channel];
                for &x in piece {
                    (*min, *max) = (least(*min, x), greatest(*max, x));
                }
            });
            ranges
        }
    };
    // TensorFlow does not check the ranges of channels.
    if let [(min, max)] = ranges[..]
        && op.given
        && op.axis == -1
        && !(min <= max)
    {
        return Err(Error::invalid("Invalid range: input_min is larger than input_max"));
    }
    let scales: Vec<Scale<T>> =
        ranges.iter().map(|&range| Scale::new(range, op, bits as u32)).collect::<Result<_>>()?;
    let (given, up) = (op.given, op.round == "HALF_UP");
    cx.produce::<T>(0, &shape, |cx, out| {
        let mut rest = out;
        split.each(cx.slice::<T>(0)?, |channel, x| {
            let (out, after) = std::mem::take(&mut rest).split_at_mut(x.len());
            rest = after;
            let by = scales[channel];
            cx.pool().for_chunks(out, 1, 0.7, |first, out| {
                vectorized!(by.write(out, &x[first..], given, up));
            });
        });
        Ok(())
    })
}

impl<T: Base> Scale<T> {
    /// By value, so that writes cannot change the scale.
    #[inline(always)]
    fn write(self, out: &mut [T], x: &[T], given: bool, up: bool) {
        let half = T::one() / (T::one() + T::one());
        for (out, &x) in out.iter_mut().zip(x) {
            let x = if given { greatest(least(x, self.max), self.min) } else { x };
            let x = x * self.scale;
            *out = if up { (x + half).floor() } else { even(x) } * self.inverse;
        }
    }
}

/// Returns the nearest integer, rounding halves to even.
#[inline(always)]
fn even<T: Base>(x: T) -> T {
    let half = T::one() / (T::one() + T::one());
    // Adding this to a value of small magnitude rounds it to an integer; values of large magnitude are integers.
    let round = (T::one() + half) / T::epsilon();
    let rounded = ((x.abs() + round) - round).copysign(x);
    if x.abs() < half / T::epsilon() { rounded } else { x }
}

fn clipped<T: Element + Base>(op: &QuantizeAndDequantizeGrad, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (dy, shape) = (cx.input(0)?.shape().clone(), cx.input(1)?.shape().clone());
    if dy != shape {
        return Err(Error::invalid("gradient and input must be the same size").expected(shape).found(dy));
    }
    let split = Split::new(&shape, op.axis)?;
    let ranges = ends::<T>(cx, 2, &split, op.axis)?;
    cx.produce::<T>(0, &shape, |cx, out| {
        let dy = cx.slice::<T>(0)?;
        let mut at = 0;
        split.each(cx.slice::<T>(1)?, |channel, piece| {
            let (min, max) = ranges[channel];
            for ((out, &dy), &x) in out[at..].iter_mut().zip(&dy[at..]).zip(piece) {
                let inside = x >= min && x <= max;
                *out = dy * if inside { T::one() } else { T::zero() };
            }
            at += piece.len();
        });
        Ok(())
    })?;
    for i in [1, 2] {
        let zeros = cx.zeros(op.dtype, &cx.input(2)?.shape().clone())?;
        cx.set(i, zeros);
    }
    Ok(())
}
