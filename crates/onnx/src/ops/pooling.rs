//! Pooling.

use super::prelude::*;
use crate::cx::GivenAttrs;

pub(crate) const OPERATORS: &[Operator] = &[
    op("AveragePool", &[1, 7, 10, 11, 19, 22], average_pool),
    op("GlobalAveragePool", &[1, 22], |cx| global(cx, "Mean")),
    op("GlobalLpPool", &[1, 2, 22], global_lp_pool),
    op("GlobalMaxPool", &[1, 22], |cx| global(cx, "Max")),
    op("LpPool", &[1, 2, 11, 18, 22], lp_pool),
    op("MaxPool", &[1, 8, 10, 11, 12, 22], max_pool),
    op("MaxRoiPool", &[1, 22], max_roi_pool),
    op("MaxUnpool", &[9, 11, 22], max_unpool),
    op("RoiAlign", &[10, 16, 22], roi_align),
];

/// The attributes of windows.
fn windows(cx: &Cx<'_, '_>) -> Result<GivenAttrs> {
    let given = cx.given_int_lists(GivenAttrs::default(), &["kernel_shape", "strides", "dilations", "pads"])?;
    let given = cx.given_flags(given, &["ceil_mode"])?;
    cx.given_texts(given, &["auto_pad"])
}

fn max_pool(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let given = cx.given_ints(windows(cx)?, &["storage_order"])?;
    let indices = i64::from(cx.wants(1));
    cx.node("OnnxMaxPool").input(&x).with(given).attr("num_Indices", indices).all()
}

fn average_pool(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let given = cx.given_flags(windows(cx)?, &["count_include_pad"])?;
    Ok(vec![cx.node("OnnxAveragePool").input(&x).with(given).add()?])
}

fn lp_pool(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let p = norm(cx)?;
    let given = windows(cx)?;
    Ok(vec![cx.node("OnnxLpPool").input(&x).with(given).attr("p", p).add()?])
}

/// The order of the norm, which is a float in the first version.
fn norm(cx: &Cx<'_, '_>) -> Result<i64> {
    if cx.version >= 2 {
        return cx.int_or("p", 2);
    }
    let p = cx.float_or("p", 2.0)?;
    if p.fract() == 0.0 && p >= 1.0 {
        return Ok(p as i64);
    }
    Err(Error::unimplemented("fractional norms are not supported").attr("p").found(p))
}

/// The spatial axes of a tensor.
fn spatial(cx: &mut Cx<'_, '_>, x: &Val) -> Result<Vec<i64>> {
    Ok((2..cx.rank_needed(x)? as i64).collect())
}

fn global(cx: &mut Cx<'_, '_>, op: &'static str) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let axes = spatial(cx, &x)?;
    Ok(vec![cx.reduce(op, &x, &axes, true)?])
}

fn global_lp_pool(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let (p, axes) = (norm(cx)?, spatial(cx, &x)?);
    let x = cx.op("Abs", &[&x])?;
    let exponent = cx.scalar_like(&x, p as f64)?;
    let powers = cx.op("Pow", &[&x, &exponent])?;
    let sum = cx.reduce("Sum", &powers, &axes, true)?;
    let root = cx.scalar_like(&x, 1.0 / p as f64)?;
    Ok(vec![cx.op("Pow", &[&sum, &root])?])
}

fn max_unpool(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, places) = (cx.input(0)?, cx.input(1)?);
    let shape = match cx.optional(2) {
        Some(shape) => shape,
        None => cx.i64s(&[])?,
    };
    let given = cx.given_int_lists(GivenAttrs::default(), &["kernel_shape", "strides", "pads"])?;
    Ok(vec![cx.node("OnnxMaxUnpool").input(&x).input(&places).input(&shape).with(given).add()?])
}

fn max_roi_pool(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, rois) = (cx.input(0)?, cx.input(1)?);
    let given = cx.given_int_lists(GivenAttrs::default(), &["pooled_shape"])?;
    let given = cx.given_floats(given, &["spatial_scale"])?;
    Ok(vec![cx.node("OnnxMaxRoiPool").input(&x).input(&rois).with(given).add()?])
}

fn roi_align(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, rois, images) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    let given = cx.given_texts(GivenAttrs::default(), &["mode"])?;
    let given = cx.given_floats(given, &["spatial_scale"])?;
    let given = cx.given_ints(given, &["output_height", "output_width", "sampling_ratio"])?;
    let default = if cx.version < 16 { "output_half_pixel" } else { "half_pixel" };
    let mode = cx.text_or("coordinate_transformation_mode", default)?;
    let node = cx.node("OnnxRoiAlign").input(&x).input(&rois).input(&images).with(given);
    Ok(vec![node.text("coordinate_transformation_mode", &mode).add()?])
}
