//! `AdjustSaturation`.

use super::hsv::{CHANNELS, adjust_colors, category};
use crate::prelude::*;

attrs! {
    /// Multiplies the saturation of RGB images, which stays between 0 and 1. Hue and value stay.
    pub struct AdjustSaturation {
        /// Element type of the images.
        dtype: DType = Attr::dtype("T", &[DType::F16, DType::F32]).or_type(DType::F32),
    }
}

pub static ADJUST_SATURATION: Def<AdjustSaturation> = op::<AdjustSaturation>("AdjustSaturation")
    .inputs(&[arg("images", of("T")), arg("scale", is(DType::F32))])
    .outputs(&[arg("output", of("T"))])
    .shape(|_, cx| {
        let images = cx.rank_at_least(0, 3)?;
        cx.with_rank(1, 0)?;
        cx.output(0, images);
        Ok(())
    })
    .kernel(adjust_saturation)
    .heavy()
    .host_inputs(&[1])
    .batch(|_, b| if b.rank(0)? < 3 { None } else { levada_ops_core::batch::leading_first(b, 1) });

fn adjust_saturation(op: &AdjustSaturation, cx: &mut Cx<'_, '_>) -> Result<()> {
    adjust_colors(cx, op.dtype, "scale", |rgb, scale| {
        let (h, s, v) = hsv(rgb);
        let scaled = s * scale;
        // NaN becomes 0.
        rgb_of(h, if scaled > 0.0 { scaled.min(1.0) } else { 0.0 }, v)
    })
}

/// Hue, saturation and value of a color.
fn hsv([r, g, b]: [f32; CHANNELS]) -> (f32, f32, f32) {
    // The first of two where one of them is NaN.
    let max = |x: f32, y: f32| if x < y { y } else { x };
    let min = |x: f32, y: f32| if y < x { y } else { x };
    let value = max(r, max(g, b));
    let range = value - min(r, min(g, b));
    let saturation = if value > 0.0 { range / value } else { 0.0 };
    let norm = 1.0 / (6.0 * range);
    let mut hue = if r == value {
        norm * (g - b)
    } else if g == value {
        (f64::from(norm * (b - r)) + 2.0 / 6.0) as f32
    } else {
        (f64::from(norm * (r - g)) + 4.0 / 6.0) as f32
    };
    if range <= 0.0 {
        hue = 0.0;
    }
    if hue < 0.0 {
        hue += 1.0;
    }
    (hue, saturation, value)
}

/// The color of a hue, a saturation and a value.
fn rgb_of(h: f32, s: f32, v: f32) -> [f32; CHANNELS] {
    let c = s * v;
    let m = v - c;
    let turns = h * 6.0;
    let x = c * (1.0 - (turns.rem_euclid(2.0) - 1.0).abs());
    let rgb = match category(turns) {
        0 => [c, x, 0.0],
        1 => [x, c, 0.0],
        2 => [0.0, c, x],
        3 => [0.0, x, c],
        4 => [x, 0.0, c],
        5 => [c, 0.0, x],
        _ => [0.0; CHANNELS],
    };
    rgb.map(|channel| channel + m)
}
