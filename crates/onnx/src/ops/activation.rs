//! Activation functions.

use super::elementwise::unary;
use super::prelude::*;

pub(crate) const OPERATORS: &[Operator] = &[
    op("Celu", &[12, 28], celu),
    op("Elu", &[1, 6, 22], elu),
    op("Gelu", &[20], gelu),
    op("HardSigmoid", &[1, 6, 22], hard_sigmoid),
    op("HardSwish", &[14, 22], hard_swish),
    op("LeakyRelu", &[1, 6, 16], leaky_relu),
    op("Mish", &[18, 22], mish),
    op("PRelu", &[1, 6, 7, 9, 16], prelu),
    op("Relu", &[1, 6, 13, 14], relu),
    op("Selu", &[1, 6, 22], selu),
    op("Shrink", &[9], shrink),
    op("Sigmoid", &[1, 6, 13], |cx| unary(cx, "Sigmoid")),
    op("Softplus", &[1, 22], |cx| unary(cx, "Softplus")),
    op("Softsign", &[1, 22], |cx| unary(cx, "Softsign")),
    op("SwiGLU", &[28], swiglu),
    op("Swish", &[24], swish),
    op("ThresholdedRelu", &[1, 10, 22], thresholded_relu),
];

/// `condition ? x : y`, all of the shape of `x`.
pub(super) fn choose(cx: &mut Cx<'_, '_>, condition: &Val, x: &Val, y: &Val) -> Result<Val> {
    Ok(cx.op("SelectV2", &[condition, x, y])?.like(x))
}

fn relu(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    unary(cx, "Relu")
}

fn leaky_relu(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let alpha = cx.float_or("alpha", 0.01)?;
    Ok(vec![cx.node("LeakyRelu").input(&x).attr("alpha", alpha).add()?])
}

fn prelu(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, mut slope) = (cx.input(0)?, cx.input(1)?);
    if cx.version < 7 && cx.rank(&slope) == Some(1) && cx.shape(&slope).dim(0) != Some(1) {
        // One slope per channel.
        for _ in 2..cx.rank_needed(&x)? {
            slope = cx.expand(&slope, -1)?;
        }
    }
    let zero = cx.scalar_like(&x, 0.0)?;
    let (is_negative, below) = (cx.op("Less", &[&x, &zero])?, cx.times(&slope, &x)?);
    Ok(vec![choose(cx, &is_negative, &below, &x)?])
}

/// `scale * (exp(x) - 1)` for negative `x`, otherwise `above * x`.
fn exponential(cx: &mut Cx<'_, '_>, x: &Val, scale: f64, above: f64) -> Result<Val> {
    let zero = cx.scalar_like(x, 0.0)?;
    let is_negative = cx.op("Less", &[x, &zero])?;
    let below = cx.op("Expm1", &[x])?;
    let below = cx.times_number(&below, scale)?;
    let above = if above == 1.0 { x.clone() } else { cx.times_number(x, above)? };
    choose(cx, &is_negative, &below, &above)
}

fn elu(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let alpha = cx.float_or("alpha", 1.0)?;
    Ok(vec![if alpha == 1.0 { cx.op("Elu", &[&x])? } else { exponential(cx, &x, alpha.into(), 1.0)? }])
}

fn selu(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let old = cx.version < 6;
    let alpha = cx.float_or("alpha", if old { 1.6732 } else { 1.673_263_2 })?;
    let gamma = cx.float_or("gamma", if old { 1.0507 } else { 1.050_701 })?;
    Ok(vec![exponential(cx, &x, f64::from(alpha) * f64::from(gamma), gamma.into())?])
}

fn celu(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let alpha = f64::from(cx.float_or("alpha", 1.0)?);
    let zero = cx.scalar_like(&x, 0.0)?;
    let is_negative = cx.op("Less", &[&x, &zero])?;
    let scaled = cx.times_number(&x, 1.0 / alpha)?;
    let below = cx.op("Expm1", &[&scaled])?;
    let below = cx.times_number(&below, alpha)?;
    Ok(vec![choose(cx, &is_negative, &below, &x)?])
}

/// `max(0, min(1, alpha * x + beta))`
fn hard(cx: &mut Cx<'_, '_>, x: &Val, alpha: f64, beta: f64) -> Result<Val> {
    if (alpha - 1.0 / 6.0).abs() < 1e-6 && beta == 0.5 && cx.dtype(x).is_float() {
        let shifted = cx.plus_number(x, 3.0)?;
        let (clipped, six) = (cx.op("Relu6", &[&shifted])?, cx.scalar_like(x, 6.0)?);
        return cx.over(&clipped, &six);
    }
    let scaled = cx.times_number(x, alpha)?;
    let shifted = cx.plus_number(&scaled, beta)?;
    let (zero, one) = (cx.scalar_like(x, 0.0)?, cx.scalar_like(x, 1.0)?);
    let low = cx.op("Minimum", &[&shifted, &one])?;
    cx.op("Maximum", &[&low, &zero])
}

fn hard_sigmoid(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let (alpha, beta) = (cx.float_or("alpha", 0.2)?, cx.float_or("beta", 0.5)?);
    Ok(vec![hard(cx, &x, alpha.into(), beta.into())?])
}

fn hard_swish(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    Ok(vec![hard_swish_of(cx, &x)?])
}

/// `x * (relu6(x + 3) / 6)`
fn hard_swish_of(cx: &mut Cx<'_, '_>, x: &Val) -> Result<Val> {
    let gate = hard(cx, x, 1.0 / 6.0, 0.5)?;
    cx.times(x, &gate)
}

/// The hard swish that a sixth of a product is, if one factor is `relu6(x + 3)` and the other is `x`.
pub(super) fn sixth(cx: &mut Cx<'_, '_>, product: &Val) -> Result<Option<Val>> {
    let factors = cx.made_by(product, "Mul").unwrap_or_default();
    for (x, gate) in factors.iter().zip(factors.iter().rev()) {
        let sum = cx.made_by(gate, "Relu6").and_then(|inputs| cx.made_by(inputs.first()?, "AddV2"));
        let Some([a, b]) = sum.as_deref() else { continue };
        let other = if a.at() == x.at() { b } else { a };
        if [a, b].iter().any(|term| term.at() == x.at()) && cx.number_of(other) == Some(3.0) {
            return hard_swish_of(cx, x).map(Some);
        }
    }
    Ok(None)
}

/// `x * sigmoid(alpha * x)`
fn gated(cx: &mut Cx<'_, '_>, x: &Val) -> Result<Val> {
    let alpha = cx.float_or("alpha", 1.0)?;
    let scaled = if alpha == 1.0 { x.clone() } else { cx.times_number(x, alpha.into())? };
    let gate = cx.op("Sigmoid", &[&scaled])?;
    cx.times(x, &gate)
}

fn swish(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    Ok(vec![gated(cx, &x)?])
}

fn swiglu(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (gate, value) = (cx.input(0)?, cx.input(1)?);
    let gate = gated(cx, &gate)?;
    Ok(vec![cx.times(&gate, &value)?])
}

fn mish(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let soft = cx.op("Softplus", &[&x])?;
    let gate = cx.op("Tanh", &[&soft])?;
    Ok(vec![cx.times(&x, &gate)?])
}

/// The Gaussian error linear unit: exact, or with the tanh approximation.
pub(super) fn gelu_of(cx: &mut Cx<'_, '_>, x: &Val, by_tanh: bool) -> Result<Val> {
    let gate = match by_tanh {
        false => {
            let scaled = cx.times_number(x, std::f64::consts::FRAC_1_SQRT_2)?;
            cx.op("Erf", &[&scaled])?
        }
        true => {
            let square = cx.times(x, x)?;
            let factor = cx.times_number(&square, 0.044715)?;
            let factor = cx.plus_number(&factor, 1.0)?;
            let inner = cx.times(x, &factor)?;
            let inner = cx.times_number(&inner, (2.0 / std::f64::consts::PI).sqrt())?;
            cx.op("Tanh", &[&inner])?
        }
    };
    let gate = cx.plus_number(&gate, 1.0)?;
    let half = cx.times_number(x, 0.5)?;
    cx.times(&half, &gate)
}

fn gelu(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let by_tanh = cx.text_or("approximate", "none")? == "tanh";
    Ok(vec![gelu_of(cx, &x, by_tanh)?])
}

fn shrink(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let (bias, lambd) = (f64::from(cx.float_or("bias", 0.0)?), f64::from(cx.float_or("lambd", 0.5)?));
    // Integers are compared as floats.
    let dtype = cx.dtype(&x);
    let wide = if dtype.is_integer() { cx.cast(&x, DType::F64)? } else { x };
    let (low, high) = (cx.scalar_like(&wide, -lambd)?, cx.scalar_like(&wide, lambd)?);
    let (below, above) = (cx.op("Less", &[&wide, &low])?, cx.op("Greater", &[&wide, &high])?);
    let (up, down) = (cx.plus_number(&wide, bias)?, cx.plus_number(&wide, -bias)?);
    let zero = cx.op("ZerosLike", &[&wide])?;
    let inner = choose(cx, &above, &down, &zero)?;
    let y = choose(cx, &below, &up, &inner)?;
    Ok(vec![cx.cast(&y, dtype)?])
}

fn thresholded_relu(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let alpha = cx.float_or("alpha", 1.0)?;
    let alpha = cx.scalar_like(&x, alpha.into())?;
    let (above, zero) = (cx.op("Greater", &[&x, &alpha])?, cx.op("ZerosLike", &[&x])?);
    Ok(vec![choose(cx, &above, &x, &zero)?])
}
