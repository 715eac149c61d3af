//! The ops `UniformQuantize`, `UniformDequantize`, `UniformRequantize`, `UniformQuantizedAdd` and
//! `UniformQuantizedClipByValue`.

use crate::affine::{Affine, Multiplier, limits, quantize};
use crate::code::{Code, of_code};
use crate::prelude::*;

const CODES: &[DType] = &[DType::QI8, DType::QU8, DType::QI32];
const FLOAT: &[DType] = &[DType::F32];

attrs! {
    /// Quantizes `input`: divides by `scales`, rounds, and adds `zero_points`.
    pub struct UniformQuantize {
        /// Element type of `input`.
        from: DType = Attr::dtype("Tin", FLOAT),
        /// Quantized type.
        to: DType = Attr::dtype("Tout", CODES),
        /// Quantization axis, with one scale per index; -1 for per-tensor quantization.
        axis: i64 = Attr::int("quantization_axis").or_int(-1),
        /// Smallest quantized value.
        min: i64 = Attr::int("quantization_min_val"),
        /// Largest quantized value.
        max: i64 = Attr::int("quantization_max_val"),
    }
}

const INPUTS: &[Arg] = &[arg("input", of("Tin")), arg("scales", is(DType::F32)), arg("zero_points", is(DType::I32))];

pub static UNIFORM_QUANTIZE: Def<UniformQuantize> = op::<UniformQuantize>("UniformQuantize")
    .inputs(INPUTS)
    .outputs(&[arg("output", of("Tout"))])
    .shape(same)
    .kernel(|op, cx| {
        let limits = limits(op.min, op.max)?;
        let shape = cx.input(0)?.shape().clone();
        of_code!(op.to, |T| cx.produce::<T>(0, &shape, |cx, out| {
            let x = cx.slice::<f32>(0)?;
            Affine::new(cx, 1, &shape, op.axis)?.each(&shape, |piece, scale, zero| {
                let inverse = 1.0 / scale;
                out[piece.clone()].iter_mut().zip(&x[piece]).for_each(|(out, &x)| *out = quantize(x, inverse, zero, limits));
            });
            Ok(())
        }), else unsupported(cx, op.to))
    })
    .heavy();

attrs! {
    /// Dequantizes `input`: subtracts `zero_points` and multiplies by `scales`.
    pub struct UniformDequantize {
        /// Quantized type.
        from: DType = Attr::dtype("Tin", CODES),
        /// Element type of the output.
        to: DType = Attr::dtype("Tout", FLOAT),
        /// Quantization axis, with one scale per index; -1 for per-tensor quantization.
        axis: i64 = Attr::int("quantization_axis").or_int(-1),
        /// Smallest quantized value.
        min: i64 = Attr::int("quantization_min_val"),
        /// Largest quantized value.
        max: i64 = Attr::int("quantization_max_val"),
    }
}

pub static UNIFORM_DEQUANTIZE: Def<UniformDequantize> = op::<UniformDequantize>("UniformDequantize")
    .inputs(INPUTS)
    .outputs(&[arg("output", of("Tout"))])
    .shape(same)
    .kernel(|op, cx| {
        let shape = cx.input(0)?.shape().clone();
        of_code!(op.from, |T| cx.produce::<f32>(0, &shape, |cx, out| {
            let codes = cx.slice::<T>(0)?;
            Affine::new(cx, 1, &shape, op.axis)?.positive()?.each(&shape, |piece, scale, zero| {
                for (out, code) in out[piece.clone()].iter_mut().zip(&codes[piece]) {
                    *out = (code.wide() as i32).wrapping_sub(zero) as f32 * scale;
                }
            });
            Ok(())
        }), else unsupported(cx, op.from))
    })
    .heavy();

/// Output 0 has the shape of input 0.
fn same<A>(_: &A, cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.same_as_input(0);
    Ok(())
}

attrs! {
    /// Requantizes `input` from one scale and zero point to another.
    pub struct UniformRequantize {
        /// Quantized type of `input`.
        from: DType = Attr::dtype("Tin", &[DType::QI8, DType::QI32]),
        /// Quantized type of the output.
        to: DType = Attr::dtype("Tout", &[DType::QI8, DType::QI32]),
        /// Quantization axis of `input`, with one scale per index; -1 for per-tensor quantization.
        from_axis: i64 = Attr::int("input_quantization_axis").or_int(-1),
        /// Smallest quantized value of `input`.
        from_min: i64 = Attr::int("input_quantization_min_val"),
        /// Largest quantized value of `input`.
        from_max: i64 = Attr::int("input_quantization_max_val"),
        /// Quantization axis of the output, with one scale per index; -1 for per-tensor quantization.
        to_axis: i64 = Attr::int("output_quantization_axis").or_int(-1),
        /// Smallest quantized value of the output.
        to_min: i64 = Attr::int("output_quantization_min_val"),
        /// Largest quantized value of the output.
        to_max: i64 = Attr::int("output_quantization_max_val"),
    }
}

pub static UNIFORM_REQUANTIZE: Def<UniformRequantize> = op::<UniformRequantize>("UniformRequantize")
    .inputs(&[
        arg("input", of("Tin")),
        arg("input_scales", is(DType::F32)),
        arg("input_zero_points", is(DType::I32)),
        arg("output_scales", is(DType::F32)),
        arg("output_zero_points", is(DType::I32)),
    ])
    .outputs(&[arg("output", of("Tout"))])
    .shape(same)
    .kernel(|op, cx| match op.from {
        DType::QI8 => requantize::<i8>(op, cx),
        _ => requantize::<i32>(op, cx),
    })
    .heavy()
    .supports(|op| op.to == DType::QI8);

fn requantize<T: Code>(op: &UniformRequantize, cx: &mut Cx<'_, '_>) -> Result<()> {
    if op.from_axis >= 0 && op.to_axis >= 0 && op.from_axis != op.to_axis {
        return Err(Error::invalid("input_quantization_axis and output_quantization_axis must be the same")
            .attr("output_quantization_axis")
            .expected(op.from_axis)
            .found(op.to_axis));
    }
    let limits = limits(op.to_min, op.to_max)?;
    let shape = cx.input(0)?.shape().clone();
    cx.produce::<i8>(0, &shape, |cx, out| {
        let from = Affine::new(cx, 1, &shape, op.from_axis)?.positive()?;
        let to = Affine::new(cx, 3, &shape, op.to_axis)?.positive()?;
        recode(&shape, cx.slice::<T>(0)?, &from, &to, limits, out)
    })
}

/// Requantizes codes from the scales of `from` to those of `to`.
fn recode<A: Code, B: Code>(
    shape: &Shape,
    codes: &[A],
    from: &Affine<'_>,
    to: &Affine<'_>,
    limits: [i32; 2],
    out: &mut [B],
) -> Result<()> {
    let by = if from.axis.is_some() { from } else { to };
    let one = |all: &[f32], channel: usize| all[if all.len() == 1 { 0 } else { channel }];
    let multipliers: Vec<Multiplier> = (0..by.scales.len())
        .map(|c| Multiplier::new(f64::from(one(from.scales, c)) / f64::from(one(to.scales, c))))
        .collect::<Result<_>>()?;
    let mut channel = 0;
    by.each(shape, |piece, _, _| {
        let zero = |all: &[i32]| all[if all.len() == 1 { 0 } else { channel }];
        let (zero_from, zero_to, multiplier) = (zero(from.zeros), zero(to.zeros), multipliers[channel]);
        for (out, code) in out[piece.clone()].iter_mut().zip(&codes[piece]) {
            *out = multiplier.code((code.wide() as i32).wrapping_sub(zero_from), zero_to, limits);
        }
        channel = (channel + 1) % multipliers.len();
    });
    Ok(())
}

attrs! {
    /// Adds `lhs` and `rhs`, both qint32, with broadcasting, and quantizes the sum with the output's scale and zero
    /// point.
    pub struct UniformQuantizedAdd {
        /// Quantization axis of `lhs`, with one scale per index; -1 for per-tensor quantization.
        lhs_axis: i64 = Attr::int("lhs_quantization_axis").or_int(-1),
        /// Smallest quantized value of `lhs`.
        lhs_min: i64 = Attr::int("lhs_quantization_min_val"),
        /// Largest quantized value of `lhs`.
        lhs_max: i64 = Attr::int("lhs_quantization_max_val"),
        /// Quantization axis of `rhs`, with one scale per index; -1 for per-tensor quantization.
        rhs_axis: i64 = Attr::int("rhs_quantization_axis").or_int(-1),
        /// Smallest quantized value of `rhs`.
        rhs_min: i64 = Attr::int("rhs_quantization_min_val"),
        /// Largest quantized value of `rhs`.
        rhs_max: i64 = Attr::int("rhs_quantization_max_val"),
        /// Quantization axis of the output, with one scale per index; -1 for per-tensor quantization.
        axis: i64 = Attr::int("output_quantization_axis").or_int(-1),
        /// Smallest quantized value of the output.
        min: i64 = Attr::int("output_quantization_min_val"),
        /// Largest quantized value of the output.
        max: i64 = Attr::int("output_quantization_max_val"),
        /// Quantized type.
        dtype: DType = Attr::dtype("T", &[DType::QI32]),
    }
}

pub static UNIFORM_QUANTIZED_ADD: Def<UniformQuantizedAdd> = op::<UniformQuantizedAdd>("UniformQuantizedAdd")
    .inputs(&[
        arg("lhs", of("T")),
        arg("rhs", of("T")),
        arg("lhs_scales", is(DType::F32)),
        arg("lhs_zero_points", is(DType::I32)),
        arg("rhs_scales", is(DType::F32)),
        arg("rhs_zero_points", is(DType::I32)),
        arg("output_scales", is(DType::F32)),
        arg("output_zero_points", is(DType::I32)),
    ])
    .outputs(&[arg("output", of("T"))])
    .shape(|_, cx| cx.broadcast())
    .kernel(add)
    .heavy();

fn add(op: &UniformQuantizedAdd, cx: &mut Cx<'_, '_>) -> Result<()> {
    let limits = limits(op.min, op.max)?;
    let (left, right) = (cx.input(0)?.shape().clone(), cx.input(1)?.shape().clone());
    let shape = left.broadcast(&right)?;
    for (axis, of) in [(op.lhs_axis, &left), (op.rhs_axis, &right)] {
        let from_end = |axis: i64, shape: &Shape| shape.rank() as i64 - axis;
        if axis >= 0 && op.axis >= 0 && from_end(axis, of) != from_end(op.axis, &shape) {
            let error = Error::invalid("the quantization axes of an operand and the output must match");
            return Err(error.attr("output_quantization_axis").expected(axis).found(op.axis));
        }
    }
    cx.produce::<i32>(0, &shape, |cx, out| {
        let to = Affine::new(cx, 6, &shape, op.axis)?.positive()?;
        let zeros = vec![0; to.zeros.len()];
        let operand = |i: usize, of: &Shape, axis: i64| -> Result<Vec<i32>> {
            let from = Affine::new(cx, 2 + 2 * i, of, axis)?.positive()?;
            // The output's axis as an axis of the operand.
            let own = match op.axis {
                -1 => None,
                out_axis => usize::try_from(out_axis - (shape.rank() as i64 - of.rank() as i64)).ok(),
            };
            let fits = own.is_none_or(|axis| of[axis] == to.scales.len());
            if (op.axis >= 0 && own.is_none()) || !fits {
                return Err(Error::invalid("an operand must have the quantization axis of the output in full")
                    .expected(format!("{} indices", to.scales.len()))
                    .found(format!("shape {of}")));
            }
            let to = Affine { scales: to.scales, zeros: &zeros, axis: own };
            let mut codes = vec![0i32; of.num_elements()];
            recode(of, cx.slice::<i32>(i)?, &from, &to, [i32::MIN, i32::MAX], &mut codes)?;
            Ok(codes)
        };
        let (x, y) = (operand(0, &left, op.lhs_axis)?, operand(1, &right, op.rhs_axis)?);
        let steps = |of: &Shape| -> Vec<usize> {
            let (strides, skip) = (of.strides(), shape.rank() - of.rank());
            (0..shape.rank()).map(|d| if d < skip || of[d - skip] == 1 { 0 } else { strides[d - skip] }).collect()
        };
        let (steps_x, steps_y, strides) = (steps(&left), steps(&right), shape.strides());
        for (at, out) in out.iter_mut().enumerate() {
            let (mut i, mut j, mut rest, mut channel) = (0, 0, at, 0);
            for d in 0..shape.rank() {
                let place = rest / strides[d].max(1);
                rest %= strides[d].max(1);
                (i, j) = (i + place * steps_x[d], j + place * steps_y[d]);
                if to.axis == Some(d) {
                    channel = place;
                }
            }
            let sum = x[i].wrapping_add(y[j]).wrapping_add(to.zeros[channel]);
            *out = sum.min(limits[1]).max(limits[0]);
        }
        Ok(())
    })
}

attrs! {
    /// Clamps `operand` to the quantized values from `min` to `max`.
    pub struct UniformQuantizedClipByValue {
        /// Quantized type.
        dtype: DType = Attr::dtype("T", &[DType::QI32]),
        /// Quantization axis, with one scale per index; -1 for per-tensor quantization.
        axis: i64 = Attr::int("quantization_axis").or_int(-1),
        /// Smallest quantized value.
        min: i64 = Attr::int("quantization_min_val"),
        /// Largest quantized value.
        max: i64 = Attr::int("quantization_max_val"),
    }
}

pub static UNIFORM_QUANTIZED_CLIP_BY_VALUE: Def<UniformQuantizedClipByValue> =
    op::<UniformQuantizedClipByValue>("UniformQuantizedClipByValue")
        .inputs(&[
            arg("operand", of("T")),
            arg("min", of("T")),
            arg("max", of("T")),
            arg("scales", is(DType::F32)),
            arg("zero_points", is(DType::I32)),
        ])
        .outputs(&[arg("output", of("T"))])
        .shape(same)
        .kernel(|op, cx| {
            let shape = cx.input(0)?.shape().clone();
            cx.produce::<i32>(0, &shape, |cx, out| {
                let affine = Affine::new(cx, 3, &shape, op.axis)?;
                for i in [1, 2] {
                    if cx.input(i)?.shape() != cx.input(3)?.shape() {
                        let error = Error::invalid("min and max must have the shape of scales and zero_points");
                        return Err(error.expected(cx.input(3)?.shape()).found(cx.input(i)?.shape()));
                    }
                }
                let (codes, mins, maxes) = (cx.slice::<i32>(0)?, cx.slice::<i32>(1)?, cx.slice::<i32>(2)?);
                let mut channel = 0;
                affine.each(&shape, |piece, _, _| {
                    for (out, &code) in out[piece.clone()].iter_mut().zip(&codes[piece]) {
                        *out = code.max(mins[channel]).min(maxes[channel]);
                    }
                    channel = (channel + 1) % mins.len();
                });
                Ok(())
            })
        });
