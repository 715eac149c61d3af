//! Quantized operators.

use super::prelude::*;
use crate::cx::GivenAttrs;

pub(crate) const OPERATORS: &[Operator] = &[
    op("ConvInteger", &[10], conv_integer),
    op("DequantizeLinear", &[10, 13, 19, 21, 23, 24, 25, 28], dequantize_linear),
    op("DynamicQuantizeLinear", &[11], dynamic_quantize_linear),
    op("MatMulInteger", &[10], matmul_integer),
    op("QLinearConv", &[10], qlinear_conv),
    op("QLinearMatMul", &[10, 21], qlinear_matmul),
    op("QuantizeLinear", &[10, 13, 19, 21, 23, 24, 25, 28], quantize_linear),
];

/// A scale as a numeric tensor: floats of at most 8 bits become `float32`.
pub(super) fn plain(cx: &mut Cx<'_, '_>, val: &Val) -> Result<Val> {
    let elem = cx.elem(val)?;
    if !elem.is_narrow() {
        return Ok(val.clone());
    }
    let dtype = cx.dtype(val);
    let cast = cx.node("OnnxCast").input(val).attr("SrcT", dtype).attr("DstT", DType::F32);
    Ok(cast.attr("from", i64::from(elem.0)).attr("to", i64::from(Elem::FLOAT.0)).add()?.of_elem(Elem::FLOAT))
}

/// Refuses 8-bit floats, which are stored as integers but are not integers.
fn integers_only(cx: &mut Cx<'_, '_>, vals: &[&Val]) -> Result<()> {
    for val in vals {
        let elem = cx.elem(val)?;
        if elem.is_narrow_float() {
            return Err(Error::unimplemented("products of floats of at most 8 bits are not supported").found(elem));
        }
    }
    Ok(())
}

fn quantize_linear(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, scale, zero) = (cx.input(0)?, cx.input(1)?, cx.optional(2));
    let asked = cx.int_or("output_dtype", 0)?;
    let elem = match &zero {
        Some(zero) => cx.elem(zero)?,
        None if asked != 0 => Elem(i32::try_from(asked).unwrap_or(0)),
        None => Elem::UINT8,
    };
    let dtype = elem.dtype()?;
    let given = cx.given_ints(GivenAttrs::default(), &["axis", "block_size"])?;
    let given = cx.given_flags(given, &["saturate"])?;
    let scale = plain(cx, &scale)?;
    let node = cx.node("OnnxQuantizeLinear").input(&x).input(&scale).maybe("num_y_zero_point", zero.as_ref());
    Ok(vec![node.with(given).attr("T3", dtype).attr("output_dtype", i64::from(elem.0)).add()?.of_elem(elem)])
}

fn dequantize_linear(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, scale, zero) = (cx.input(0)?, cx.input(1)?, cx.optional(2));
    let asked = cx.int_or("output_dtype", 0)?;
    let given = cx.given_ints(GivenAttrs::default(), &["axis", "block_size"])?;
    let (elem, scale) = (cx.elem(&x)?, plain(cx, &scale)?);
    let out = if asked != 0 { Elem(i32::try_from(asked).unwrap_or(0)) } else { cx.elem(&scale)? };
    let node = cx.node("OnnxDequantizeLinear").input(&x).input(&scale).maybe("num_x_zero_point", zero.as_ref());
    let node = node.with(given).attr("T3", out.dtype()?).attr("input_dtype", i64::from(elem.0));
    Ok(vec![node.add()?.of_elem(out)])
}

fn dynamic_quantize_linear(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    cx.node("OnnxDynamicQuantizeLinear").input(&x).all()
}

/// The product of integer matrices minus their zero points, as int32.
pub(super) fn integer_product(
    cx: &mut Cx<'_, '_>,
    (a, b): (&Val, &Val),
    (a_zero, b_zero): (Option<&Val>, Option<&Val>),
) -> Result<Val> {
    integers_only(cx, &[a, b])?;
    let node = cx.node("OnnxMatMulInteger").input(a).input(b);
    let node = node.maybe("num_a_zero_point", a_zero).maybe("num_b_zero_point", b_zero);
    Ok(node.add()?.of_elem(Elem::INT32))
}

fn matmul_integer(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (a, b) = (cx.input(0)?, cx.input(1)?);
    let (a_zero, b_zero) = (cx.optional(2), cx.optional(3));
    Ok(vec![integer_product(cx, (&a, &b), (a_zero.as_ref(), b_zero.as_ref()))?])
}

/// The attributes of a convolution.
fn windows(cx: &Cx<'_, '_>) -> Result<GivenAttrs> {
    let given = cx.given_int_lists(GivenAttrs::default(), &["dilations", "pads", "strides"])?;
    let given = cx.given_ints(given, &["group"])?;
    cx.given_texts(given, &["auto_pad"])
}

fn conv_integer(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, w) = (cx.input(0)?, cx.input(1)?);
    let (x_zero, w_zero) = (cx.optional(2), cx.optional(3));
    let given = windows(cx)?;
    let node = cx.node("OnnxConvInteger").input(&x).input(&w).with(given);
    let node = node.maybe("num_x_zero_point", x_zero.as_ref()).maybe("num_w_zero_point", w_zero.as_ref());
    Ok(vec![node.add()?.of_elem(Elem::INT32)])
}

/// Quantizes sums of products with `scale` and `zero`; the sums are in units of `unit`.
fn requantize(cx: &mut Cx<'_, '_>, sums: &Val, unit: &Val, scale: &Val, zero: &Val) -> Result<Val> {
    let scale = cx.cast(scale, DType::F32)?;
    let factor = cx.over(unit, &scale)?;
    let elem = cx.elem(zero)?;
    Ok(cx.node("OnnxRequantize").input(sums).input(&factor).input(zero).add()?.of_elem(elem))
}

/// A per-row scale or zero point as a column.
fn column(cx: &mut Cx<'_, '_>, val: &Val) -> Result<Val> {
    if cx.rank(val) == Some(1) && cx.shape(val).dim(0) != Some(1) { cx.expand(val, 1) } else { Ok(val.clone()) }
}

fn qlinear_matmul(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let all = cx.inputs()?;
    let [a, a_scale, a_zero, b, b_scale, b_zero, scale, zero] = &all[..] else {
        return Err(Error::invalid("missing inputs").expected("8 inputs").found(format!("{} inputs", all.len())));
    };
    let sums = integer_product(cx, (a, b), (Some(a_zero), Some(b_zero)))?;
    let (a_scale, b_scale) = (cx.cast(a_scale, DType::F32)?, cx.cast(b_scale, DType::F32)?);
    let a_scale = column(cx, &a_scale)?;
    let unit = cx.times(&a_scale, &b_scale)?;
    let (scale, zero) = (column(cx, scale)?, column(cx, zero)?);
    Ok(vec![requantize(cx, &sums, &unit, &scale, &zero)?])
}

fn qlinear_conv(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, x_scale, x_zero) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    let (w, w_scale, w_zero) = (cx.input(3)?, cx.input(4)?, cx.input(5)?);
    let (scale, zero, bias) = (cx.input(6)?, cx.input(7)?, cx.optional(8));
    integers_only(cx, &[&x, &w])?;
    let given = windows(cx)?;
    let node = cx.node("OnnxConvInteger").input(&x).input(&w).with(given);
    let mut sums = node.maybe("num_x_zero_point", Some(&x_zero)).maybe("num_w_zero_point", Some(&w_zero)).add()?;
    sums = sums.of_elem(Elem::INT32);
    // Per-filter values come before the spatial axes.
    let rank = cx.rank_needed(&w)?;
    let mut filters = vec![-1];
    filters.extend(vec![1; rank - 2]);
    if let Some(bias) = bias {
        let bias = cx.reshape(&bias, &filters)?;
        sums = cx.plus(&sums, &bias)?;
    }
    let w_scale = if cx.shape(&w_scale).num_elements() == Some(1) { w_scale } else { cx.reshape(&w_scale, &filters)? };
    let unit = cx.times(&x_scale, &w_scale)?;
    Ok(vec![requantize(cx, &sums, &unit, &scale, &zero)?])
}
