//! Resampling of images, and operators of object detectors.

use super::prelude::*;
use crate::cx::GivenAttrs;

pub(crate) const OPERATORS: &[Operator] = &[
    op("Col2Im", &[18], col2im),
    op("DeformConv", &[19, 22], deform_conv),
    op("GridSample", &[16, 20, 22], grid_sample),
    op("NonMaxSuppression", &[10, 11], non_max_suppression),
    op("Resize", &[10, 11, 13, 18, 19], resize),
    op("Upsample", &[7, 9, 10], upsample),
];

fn floats(cx: &mut Cx<'_, '_>, values: Vec<f32>) -> Result<Val> {
    cx.constant(Tensor::vector(values))
}

fn resize(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    if cx.version < 11 {
        let scales = cx.input(1)?;
        return simple(cx, &x, &scales);
    }
    let given = cx.given_texts(
        GivenAttrs::default(),
        &["coordinate_transformation_mode", "keep_aspect_ratio_policy", "mode", "nearest_mode"],
    )?;
    let given = cx.given_flags(given, &["antialias", "exclude_outside"])?;
    let given = cx.given_floats(given, &["cubic_coeff_a", "extrapolation_value"])?;
    let given = cx.given_int_lists(given, &["axes"])?;
    let float = |cx: &mut Cx<'_, '_>, i: usize| match cx.optional(i) {
        Some(val) => cx.cast(&val, DType::F32),
        None => floats(cx, Vec::new()),
    };
    let (roi, scales) = (float(cx, 1)?, float(cx, 2)?);
    let sizes = match cx.optional(3) {
        Some(sizes) => cx.cast(&sizes, DType::I64)?,
        None => cx.i64s(&[])?,
    };
    Ok(vec![cx.node("OnnxResize").input(&x).input(&roi).input(&scales).input(&sizes).with(given).add()?])
}

fn upsample(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let x = cx.input(0)?;
    let scales = match cx.version {
        9.. => cx.input(1)?,
        _ => {
            let scales = cx.floats("scales")?;
            let scales = scales.ok_or_else(|| Error::invalid("missing attribute scales").attr("scales"))?;
            floats(cx, scales)?
        }
    };
    simple(cx, &x, &scales)
}

/// Resampling in versions before the coordinate modes.
fn simple(cx: &mut Cx<'_, '_>, x: &Val, scales: &Val) -> Result<Vec<Val>> {
    let mode = cx.text_or("mode", "nearest")?;
    let mode = if mode == "nearest" { "nearest" } else { "linear" };
    let (roi, sizes) = (floats(cx, Vec::new())?, cx.i64s(&[])?);
    let node = cx.node("OnnxResize").input(x).input(&roi).input(scales).input(&sizes);
    let node = node.text("mode", mode).text("coordinate_transformation_mode", "asymmetric");
    Ok(vec![node.text("nearest_mode", "floor").add()?])
}

fn grid_sample(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, grid) = (cx.input(0)?, cx.input(1)?);
    let given = cx.given_texts(GivenAttrs::default(), &["mode", "padding_mode"])?;
    let given = cx.given_flags(given, &["align_corners"])?;
    Ok(vec![cx.node("OnnxGridSample").input(&x).input(&grid).with(given).add()?])
}

fn col2im(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, image, block) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    let given = cx.given_int_lists(GivenAttrs::default(), &["dilations", "pads", "strides"])?;
    Ok(vec![cx.node("OnnxCol2Im").input(&x).input(&image).input(&block).with(given).add()?])
}

fn deform_conv(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (x, w, offset) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    let (bias, mask) = (cx.optional(3), cx.optional(4));
    let given = cx.given_int_lists(GivenAttrs::default(), &["dilations", "pads", "strides"])?;
    let given = cx.given_ints(given, &["group", "offset_group"])?;
    let node = cx.node("OnnxDeformConv").input(&x).input(&w).input(&offset).with(given);
    Ok(vec![node.maybe("num_B", bias.as_ref()).maybe("num_mask", mask.as_ref()).add()?])
}

fn non_max_suppression(cx: &mut Cx<'_, '_>) -> Result<Vec<Val>> {
    let (boxes, scores) = (cx.input(0)?, cx.input(1)?);
    let most = match cx.optional(2) {
        Some(most) => most,
        None => cx.i64s(&[])?,
    };
    let threshold = |cx: &mut Cx<'_, '_>, i: usize| match cx.optional(i) {
        Some(val) => Ok(val),
        None => floats(cx, Vec::new()),
    };
    let (iou, score) = (threshold(cx, 3)?, threshold(cx, 4)?);
    let given = cx.given_ints(GivenAttrs::default(), &["center_point_box"])?;
    let node = cx.node("OnnxNonMaxSuppression").inputs([&boxes, &scores, &most, &iou, &score]);
    Ok(vec![node.with(given).add()?.of_elem(Elem::INT64)])
}
