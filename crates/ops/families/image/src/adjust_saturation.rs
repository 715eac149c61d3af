//! `AdjustSaturation`.

use super::hsv::{CHANNELS, adjust_colors, adjustment};
use crate::prelude::*;

attrs! {
    /// Multiplies the saturation of RGB images by `scale`, clipped to the range 0 to 1. Hue and value are preserved.
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
    let scale = adjustment(cx, "scale")?;
    adjust_colors(
        cx,
        op.dtype,
        #[inline(always)]
        |color| {
            let (h, s, v) = hsv(color);
            let scaled = s * scale;
            // NaN becomes 0.
            rgb_of(h, if scaled > 0.0 { scaled.min(1.0) } else { 0.0 }, v)
        },
    )
}

/// Hue, saturation and value of a color, without branches, so that loops over it vectorize.
#[inline(always)]
fn hsv([r, g, b]: [f32; CHANNELS]) -> (f32, f32, f32) {
    // Returns the first argument if either is NaN.
    let max = |x: f32, y: f32| if x < y { y } else { x };
    let min = |x: f32, y: f32| if y < x { y } else { x };
    let value = max(r, max(g, b));
    let range = value - min(r, min(g, b));
    let saturation = if value > 0.0 { range / value } else { 0.0 };
    let norm = 1.0 / (6.0 * range);
    let after = |turn: f32, third: f64| (f64::from(norm * turn) + third / 3.0) as f32;
    let hue = if g == value { after(b - r, 1.0) } else { after(r - g, 2.0) };
    let hue = if r == value { norm * (g - b) } else { hue };
    let hue = if range <= 0.0 { 0.0 } else { hue };
    let hue = if hue < 0.0 { hue + 1.0 } else { hue };
    (hue, saturation, value)
}

/// The RGB color for a hue from 0.0 to 1.0, a saturation and a value.
#[inline(always)]
fn rgb_of(h: f32, s: f32, v: f32) -> [f32; CHANNELS] {
    let c = s * v;
    let m = v - c;
    let turns = h * 6.0;
    let [first, second, third, fourth, fifth, sixth] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0].map(|end| turns < end);
    let pick = |in_first: f32, in_second: f32, in_third: f32, in_fourth: f32, in_fifth: f32, in_sixth: f32| {
        // The end of the turn and NaN fall in no sector.
        let late = if sixth { in_sixth } else { 0.0 };
        let late = if fifth { in_fifth } else { late };
        let late = if fourth { in_fourth } else { late };
        let early = if second { in_second } else { in_third };
        let early = if first { in_first } else { early };
        if third { early } else { late }
    };
    let pairs = if second { 0.0 } else { 2.0 };
    let pairs = if fourth { pairs } else { 4.0 };
    let pairs = if turns >= 6.0 { 6.0 } else { pairs };
    let x = c * (1.0 - (turns - pairs - 1.0).abs());
    let parts = [pick(c, x, 0.0, 0.0, x, c), pick(x, c, c, x, 0.0, 0.0), pick(0.0, 0.0, x, c, c, x)];
    parts.map(|channel| channel + m)
}
