//! Random numbers, and dropout.

use super::constant::{converted, dtype_or};
use super::prelude::*;

pub(crate) const OPERATORS: &[Operator] = &[
    op("Bernoulli", &[15, 22], bernoulli),
    op("Dropout", &[1, 6, 7, 10, 12, 13, 22], dropout),
    op("Multinomial", &[7, 22], multinomial),
    op("RandomNormal", &[1, 22], |cx| random(cx, false, true)),
    op("RandomNormalLike", &[1, 22], |cx| random(cx, true, true)),
    op("RandomUniform", &[1, 22], |cx| random(cx, false, false)),
    op("RandomUniformLike", &[1, 22], |cx| random(cx, true, false)),
];

/// Samples of a standard distribution: uniform in `[0, 1)`, or normal.
fn standard(cx: &mut Cx<'_, '_>, shape: &Val, dtype: DType, normal: bool) -> Result<Val> {
    let seed = match cx.int("seed") {
        Ok(seed) => seed,
        Err(_) => cx.float("seed")?.map(|seed| i64::from(seed.to_bits())),
    };
    let name = if normal { "RandomStandardNormal" } else { "RandomUniform" };
    let node = cx.node(name).input(shape).attr("dtype", dtype);
    // Without a seed every run differs.
    let node = match seed {
        Some(seed) => node.attr("seed", seed).attr("seed2", 1i64),
        None => node,
    };
    Ok(node.add()?.of_elem(Elem::of(dtype)))
}

fn random(cx: &mut Cx<'_, '_>, like: bool, normal: bool) -> Result<Vec<Val>> {
    let (shape, elem) = match like {
        true => {
            let x = cx.input(0)?;
            let elem = cx.elem(&x)?;
            (cx.shape_of(&x)?, elem)
        }
        false => {
            let shape = cx.ints("shape")?.ok_or_else(|| Error::invalid("missing attribute shape").attr("shape"))?;
            (cx.i64s(&shape)?, Elem::FLOAT)
        }
    };
    let elem = dtype_or(cx, elem)?;
    let dtype = elem.dtype()?;
    if !dtype.is_float() {
        return Err(Error::unimplemented(format!("random numbers of type {elem} are not supported")));
    }
    let (scale, offset) = match normal {
        true => (f64::from(cx.float_or("scale", 1.0)?), f64::from(cx.float_or("mean", 0.0)?)),
        false => {
            let (low, high) = (f64::from(cx.float_or("low", 0.0)?), f64::from(cx.float_or("high", 1.0)?));
            (high - low, low)
        }
    };
    let y = standard(cx, &shape, dtype, normal)?;
    let y = cx.times_number(&y, scale)?;
    Ok(vec![cx.plus_number(&y, offset)?])
}

fn bernoulli(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let (elem, dtype) = (cx.elem(&x)?, cx.dtype(&x));
    let elem = dtype_or(cx, elem)?;
    let shape = cx.shape_of(&x)?;
    let uniform = standard(cx, &shape, dtype, false)?;
    let drawn = cx.op("Less", &[&uniform, &x])?.of_elem(Elem::BOOL);
    Ok(vec![converted(cx, &drawn, elem)?])
}

fn multinomial(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let count = cx.int_or("sample_size", 1)?;
    let elem = dtype_or(cx, Elem::INT32)?;
    let count = cx.i32(count)?;
    let seed = cx.float("seed")?;
    let node = cx.node("Multinomial").input(&x).input(&count).attr("output_dtype", elem.dtype()?);
    let node = match seed {
        Some(seed) => node.attr("seed", i64::from(seed.to_bits())).attr("seed2", 1i64),
        None => node,
    };
    Ok(vec![node.add()?.of_elem(elem)])
}

fn dropout(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let dtype = cx.dtype(&x);
    let training = cx.optional(2).filter(|_| cx.version >= 12);
    let is_training = match &training {
        None => Some(false),
        Some(training) => cx.constant_of(training).and_then(|t| t.item::<bool>().ok()),
    };
    if is_training == Some(false) {
        let y = cx.op("Identity", &[&x])?;
        if !cx.wants(1) {
            return Ok(vec![y]);
        }
        let shape = cx.shape_of(&x)?;
        let all = cx.constant(Tensor::scalar(true))?;
        let mask = cx.op("Fill", &[&shape, &all])?.of_elem(Elem::BOOL);
        // In old versions the mask has the type of the input.
        return Ok(vec![y, if cx.version < 10 { cx.cast(&mask, dtype)? } else { mask }]);
    }
    let training = training.ok_or_else(|| Error::internal("a node that trains says so"))?;
    let training = cx.reshape(&training, &[])?;
    let ratio = match cx.optional(1) {
        Some(ratio) => {
            let ratio = cx.reshape(&ratio, &[])?;
            cx.cast(&ratio, dtype)?
        }
        None => cx.scalar(dtype, 0.5)?,
    };
    let shape = cx.shape_of(&x)?;
    let uniform = standard(cx, &shape, dtype, false)?;
    let kept = cx.op("GreaterEqual", &[&uniform, &ratio])?;
    let off = cx.op("LogicalNot", &[&training])?;
    let kept = cx.op("LogicalOr", &[&kept, &off])?.of_elem(Elem::BOOL);
    let one = cx.scalar(dtype, 1.0)?;
    let rest = cx.minus(&one, &ratio)?;
    let scale = cx.op("SelectV2", &[&training, &rest, &one])?.of_elem(Elem::of(dtype));
    let (scaled, zero) = (cx.over(&x, &scale)?, cx.op("ZerosLike", &[&x])?);
    let y = cx.op("SelectV2", &[&kept, &scaled, &zero])?.like(&x);
    let known = cx.shape(&x);
    cx.set_shape(&y, known);
    Ok(vec![y, kept])
}
