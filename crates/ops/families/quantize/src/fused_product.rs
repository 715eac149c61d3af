//! 8-bit quantized products fused with what follows them: a bias, ReLU, requantization.
//!
//! A code of such a product stands for itself times a factor, that of the larger end of the range. Zero is always code
//! 0.

use crate::code::greatest;
use crate::prelude::*;
use crate::{QUANTIZED, set_range};

/// The ranges of an operand: one for the tensor or one per channel.
pub struct Scales {
    mins: Vec<f32>,
    maxes: Vec<f32>,
}

impl Scales {
    /// Returns the ranges in inputs `i` and `i + 1`: scalars, or vectors with one element for each of `channels`.
    pub fn input(cx: &Cx<'_, '_>, i: usize, channels: usize) -> Result<Scales> {
        let (mins, maxes) = (cx.slice::<f32>(i)?.to_vec(), cx.slice::<f32>(i + 1)?.to_vec());
        if mins.len() != maxes.len() || (mins.len() != 1 && mins.len() != channels) {
            return Err(Error::invalid(format!(
                "inputs {i} and {} must be the ends of one range, or of one for each channel",
                i + 1
            ))
            .expected(format!("1 or {channels} elements"))
            .found(format!("{} and {}", mins.len(), maxes.len())));
        }
        Ok(Scales { mins, maxes })
    }

    fn of<T>(values: &[T], channel: usize) -> &T {
        values.get(channel).unwrap_or(&values[0])
    }

    /// Returns the value of one code step: the larger end of the range divided by the largest code.
    fn factor(&self, dtype: DType, channel: usize) -> f32 {
        let largest = if dtype == DType::QU8 { 255.0 } else { 127.0 };
        greatest(Scales::of(&self.mins, channel).abs(), Scales::of(&self.maxes, channel).abs()) / largest
    }

    /// Returns the value of one code step in a range covered by all codes except the one without a negation.
    fn level(&self, dtype: DType, channel: usize) -> f32 {
        let codes = if dtype == DType::QU8 { 255.0 } else { 254.0 };
        (Scales::of(&self.maxes, channel) - Scales::of(&self.mins, channel)) / codes
    }
}

/// How the sums of products are turned into outputs.
#[derive(Clone, Copy)]
pub struct After {
    /// Types of the operands.
    pub types: [DType; 2],
    /// Type of the output.
    pub to: DType,
    /// The input that holds the bias.
    pub bias: Option<usize>,
    /// The first input of the range of the first operand, followed by that of the second and of the output.
    pub ranges: usize,
    /// Whether ReLU is applied.
    pub relu: bool,
}

impl After {
    /// Computes the output of shape `shape`, whose last axis has `channels`, from the sum of products for each
    /// element.
    pub fn finish(&self, cx: &mut Cx<'_, '_>, shape: &Shape, sums: &[i32], channels: usize) -> Result<()> {
        let (a, b) = (Scales::input(cx, self.ranges, 1)?, Scales::input(cx, self.ranges + 2, channels)?);
        let factor = |channel: usize| a.factor(self.types[0], 0) * b.factor(self.types[1], channel);
        let factors: Vec<f32> = (0..channels).map(factor).collect();
        let (bias, real_bias) = self.bias(cx, channels)?;
        let sum = |i: usize| sums[i].wrapping_add(bias[i % channels]);
        let least = if self.relu { 0.0 } else { f32::NEG_INFINITY };
        // Converts a result to a multiple of `unit`.
        let scaled = |unit: f32| {
            let scales: Vec<f32> = factors.iter().map(|factor| factor / unit).collect();
            let terms: Vec<f32> = real_bias.iter().map(|bias| bias / unit).collect();
            let relu = least;
            // Fused multiply-add: rounded once.
            move |i: usize, sum: i32| {
                let (sum, scale, term) = (sum as f32, scales[i % channels], terms[i % channels]);
                ((f64::from(sum) * f64::from(scale) + f64::from(term)) as f32).max(relu)
            }
        };
        let indices = 0..sums.len();
        if self.to == DType::QI32 {
            let widest = factors.iter().fold(0.0, |most, &factor| greatest(most, factor));
            let whole = b.mins.len() == 1 && real_bias.iter().all(|bias| *bias == 0.0);
            let (of, low) = (scaled(widest), if self.relu { 0 } else { i32::MIN });
            // All channels use the scale of the widest one.
            let code = |i: usize| if whole { sum(i).max(low) } else { of(i, sum(i)).round_ties_even() as i32 };
            cx.produce::<i32>(0, shape, |_, out| {
                out.iter_mut().zip(indices).for_each(|(out, i)| *out = code(i));
                Ok(())
            })?;
            let level = |channel: usize| a.level(self.types[0], 0) * b.level(self.types[1], channel);
            let ends: Vec<f32> = (0..b.mins.len()).map(|channel| level(channel) * i32::MAX as f32).collect();
            let is_scalar = cx.input(self.ranges + 2)?.shape().is_scalar();
            let tensor = |ends: Vec<f32>| if is_scalar { Tensor::scalar(ends[0]) } else { Tensor::vector(ends) };
            cx.set(1, tensor(ends.iter().map(|end| -end).collect()));
            cx.set(2, tensor(ends));
            return Ok(());
        }
        let (min, max) = (cx.scalar::<f32>(self.ranges + 4)?, cx.scalar::<f32>(self.ranges + 5)?);
        if self.to == DType::F32 {
            let of = scaled(1.0);
            return cx.produce::<f32>(0, shape, |_, out| {
                out.iter_mut().zip(indices).for_each(|(out, i)| *out = of(i, sum(i)));
                Ok(())
            });
        }
        let (lowest, largest) = if self.to == DType::QU8 { (0.0, 255.0) } else { (-128.0, 127.0) };
        let of = scaled(greatest(min.abs(), max.abs()) / largest);
        let codes = indices.map(|i| of(i, sum(i)).round_ties_even().clamp(lowest, largest));
        match self.to {
            DType::QU8 => cx.produce::<u8>(0, shape, |_, out| {
                out.iter_mut().zip(codes).for_each(|(out, code)| *out = code as u8);
                Ok(())
            })?,
            _ => cx.produce::<i8>(0, shape, |_, out| {
                out.iter_mut().zip(codes).for_each(|(out, code)| *out = code as i8);
                Ok(())
            })?,
        }
        set_range(cx, (min, max));
        Ok(())
    }

    /// Returns the bias as codes of the sums and as floats; one of the two is all zeros.
    fn bias(&self, cx: &Cx<'_, '_>, channels: usize) -> Result<(Vec<i32>, Vec<f32>)> {
        let none = (vec![0; channels], vec![0.0; channels]);
        let Some(i) = self.bias else { return Ok(none) };
        let bias = cx.input(i)?;
        if bias.num_elements() != channels {
            return Err(Error::invalid("bias must have an element for each channel")
                .expected(format!("{channels} elements"))
                .found(format!("shape {}", bias.shape())));
        }
        match bias.dtype() {
            DType::F32 => Ok((none.0, bias.slice::<f32>()?.to_vec())),
            _ => Ok((bias.slice::<i32>()?.to_vec(), none.1)),
        }
    }
}

/// Returns the codes of input `i`, of 8 bits, as integers.
pub fn codes(cx: &Cx<'_, '_>, i: usize) -> Result<Vec<i32>> {
    let input = cx.input(i)?;
    match input.dtype() {
        DType::QU8 => Ok(input.slice::<u8>()?.iter().map(|&code| code.into()).collect()),
        DType::QI8 => Ok(input.slice::<i8>()?.iter().map(|&code| code.into()).collect()),
        dtype => Err(Error::unimplemented("products of codes of more than 8 bits").found(dtype)),
    }
}

attrs! {
    /// Multiplies two quantized matrices, fused with what follows.
    pub struct QuantizedMatMulWithBias {
        /// Quantized type of `a`.
        left: DType = Attr::dtype("T1", QUANTIZED),
        /// Quantized type of `b`.
        right: DType = Attr::dtype("T2", QUANTIZED),
        /// Type of the bias.
        bias: DType = Attr::dtype("Tbias", &[DType::F32, DType::QI32]).or_type(DType::F32),
        /// Type of the output.
        to: DType = Attr::dtype("Toutput", &[DType::QI8, DType::QU8, DType::QI32, DType::QI16, DType::QU16, DType::F32]).or_type(DType::QI32),
        /// Whether `a` was to be transposed before multiplication; it is not.
        transpose_a: bool = Attr::bool("transpose_a").or_bool(false),
        /// Whether `b` was to be transposed before multiplication; it is not.
        transpose_b: bool = Attr::bool("transpose_b").or_bool(false),
        /// Quantization mode of `a`: `MIN_FIRST`, which requires a range that begins at 0, or `SCALED`.
        mode: String = Attr::one_of("input_quant_mode", &["MIN_FIRST", "SCALED"]).or_str("MIN_FIRST"),
        /// Whether negative results are replaced by zero (ReLU).
        relu: bool = Attr::bool("relu").or_bool(false),
    }
}

const A: Arg = arg("a", of("T1"));
const B: Arg = arg("b", of("T2"));
const BIAS: Arg = arg("bias", of("Tbias"));
const FLOAT_BIAS: Arg = arg("bias", is(DType::F32));
const MIN_A: Arg = arg("min_a", is(DType::F32));
const MAX_A: Arg = arg("max_a", is(DType::F32));
const MIN_B: Arg = arg("min_b", is(DType::F32));
const MAX_B: Arg = arg("max_b", is(DType::F32));
const MIN_OUT: Arg = arg("min_freezed_output", is(DType::F32));
const MAX_OUT: Arg = arg("max_freezed_output", is(DType::F32));
const OUT: Arg = arg("out", of("Toutput"));
const RANGE: [Arg; 2] = [arg("min_out", is(DType::F32)), arg("max_out", is(DType::F32))];
const TO_ANY: AttrSpec = Attr::dtype("Toutput", QUANTIZED).or_type(DType::QI32);
const TO_SMALL: AttrSpec = Attr::dtype("Toutput", QUANTIZED).or_type(DType::QU8);
const ANY_BIAS: AttrSpec = Attr::dtype("Tbias", &[DType::F32, DType::QI32]);
const PLAIN: (&str, AttrDefault) = ("relu", AttrDefault::Bool(false));
const RELU: (&str, AttrDefault) = ("relu", AttrDefault::Bool(true));
const REQUANTIZED: &[Arg] = &[A, B, BIAS, MIN_A, MAX_A, MIN_B, MAX_B, MIN_OUT, MAX_OUT];

pub static QUANTIZED_MAT_MUL_WITH_BIAS: Def<QuantizedMatMulWithBias> =
    op::<QuantizedMatMulWithBias>("QuantizedMatMulWithBias")
        .doc("Multiplies two quantized matrices and adds a bias.")
        .inputs(&[A, B, BIAS, MIN_A, MAX_A, MIN_B, MAX_B])
        .outputs(&[OUT, RANGE[0], RANGE[1]])
        .attrs(&[TO_ANY, ANY_BIAS])
        .fixed(&[PLAIN])
        .also(&[
            form("QuantizedMatMulWithBiasAndRelu")
                .doc("Multiplies two quantized matrices, adds a bias and applies ReLU.")
                .inputs(&[A, B, FLOAT_BIAS, MIN_A, MAX_A, MIN_B, MAX_B])
                .without(&["Tbias"])
                .attrs(&[TO_ANY])
                .fixed(&[RELU]),
            form("QuantizedMatMulWithBiasAndRequantize")
                .doc("Multiplies two quantized matrices, adds a bias and requantizes the result.")
                .inputs(REQUANTIZED)
                .attrs(&[TO_SMALL, ANY_BIAS])
                .fixed(&[PLAIN]),
            form("QuantizedMatMulWithBiasAndReluAndRequantize")
                .doc("Multiplies two quantized matrices, adds a bias, applies ReLU and requantizes the result.")
                .inputs(REQUANTIZED)
                .attrs(&[TO_SMALL, ANY_BIAS])
                .fixed(&[RELU]),
            form("QuantizedMatMulWithBiasAndDequantize")
                .doc("Multiplies two quantized matrices, adds a bias and dequantizes the result.")
                .inputs(REQUANTIZED)
                .outputs(&[OUT])
                .attrs(&[Attr::dtype("Toutput", &[DType::F32]), ANY_BIAS])
                .fixed(&[PLAIN]),
        ])
        .shape(|op, cx| {
            let (a, b) = (cx.with_rank(0, 2)?, cx.with_rank(1, 2)?);
            let pick = |shape: &PartialShape, swapped: bool, i: isize| shape.dim(if swapped { 1 - i } else { i });
            PartialShape::vector(pick(&a, op.transpose_a, 1)).merge(&PartialShape::vector(pick(
                &b,
                op.transpose_b,
                0,
            )))?;
            // The kernel does not transpose.
            let size = |shape: &PartialShape, swapped: bool, i: isize| shape.dim(i).filter(|_| !swapped);
            cx.output(0, PartialShape::new([size(&a, op.transpose_a, 0), size(&b, op.transpose_b, 1)]));
            (1..cx.num_outputs()).for_each(|i| cx.output_scalar(i));
            Ok(())
        })
        .kernel(matmul)
        .heavy()
        .supports(|op| {
            (op.left, op.right) == (DType::QU8, DType::QI8)
                && matches!(op.to, DType::QI32 | DType::QU8 | DType::QI8 | DType::F32)
        });

fn matmul(op: &QuantizedMatMulWithBias, cx: &mut Cx<'_, '_>) -> Result<()> {
    // As in TensorFlow, nothing is transposed whatever the attrs say.
    let sizes = |i: usize| match cx.input(i)?.shape().dims() {
        &[rows, columns] => Ok((rows, columns)),
        _ => Err(Error::invalid(format!("In[{i}] is not a matrix")).found(cx.input(i)?.shape())),
    };
    let ((m, k), (inner, n)) = (sizes(0)?, sizes(1)?);
    for i in 3..cx.num_inputs() {
        if !cx.input(i)?.shape().is_scalar() {
            return Err(Error::invalid(format!("input {i} must be a scalar")).found(cx.input(i)?.shape()));
        }
    }
    if k != inner {
        return Err(Error::invalid("Matrix size-incompatible").expected(format!("an inner size of {k}")).found(inner));
    }
    if op.mode == "MIN_FIRST" && cx.scalar::<f32>(3)? < 0.0 {
        return Err(Error::unimplemented(
            "products of codes whose range begins below 0, with input_quant_mode MIN_FIRST",
        )
        .attr("input_quant_mode")
        .found(cx.scalar::<f32>(3)?));
    }
    let shape = Shape::new([m, n])?;
    cx.device.arena.check(shape.num_elements().saturating_add(m * k).saturating_add(k * n).saturating_mul(4))?;
    let (a, b) = (codes(cx, 0)?, codes(cx, 1)?);
    let mut sums = vec![0i32; shape.num_elements()];
    if n > 0 {
        cx.pool().for_chunks(&mut sums, n, (n * k) as f64 * 0.3, |first, rows| {
            for (i, row) in rows.chunks_exact_mut(n).enumerate() {
                for l in 0..k {
                    let x = a[(first + i) * k + l];
                    row.iter_mut().zip(&b[l * n..]).for_each(|(sum, b)| *sum = sum.wrapping_add(x * b));
                }
            }
        });
    }
    let after = After { types: [op.left, op.right], to: op.to, bias: Some(2), ranges: 3, relu: op.relu };
    after.finish(cx, &shape, &sums, n)
}
