//! `AdjustHue`.

use super::hsv::{CHANNELS, adjust_colors, adjustment};
use crate::prelude::*;

attrs! {
    /// Rotates the hue of RGB images by `delta`, where 1.0 is a full turn. Saturation and value are preserved.
    pub struct AdjustHue {
        /// Element type of the images.
        dtype: DType = Attr::dtype("T", &[DType::F16, DType::F32]).or_type(DType::F32),
    }
}

pub static ADJUST_HUE: Def<AdjustHue> = op::<AdjustHue>("AdjustHue")
    .inputs(&[arg("images", of("T")), arg("delta", is(DType::F32))])
    .outputs(&[arg("output", of("T"))])
    .shape(|_, cx| {
        let images = cx.rank_at_least(0, 3)?;
        cx.with_rank(1, 0)?;
        cx.output(0, images);
        Ok(())
    })
    .kernel(adjust_hue)
    .heavy()
    .host_inputs(&[1])
    .batch(|_, b| if b.rank(0)? < 3 { None } else { levada_ops_core::batch::leading_first(b, 1) });

fn adjust_hue(op: &AdjustHue, cx: &mut Cx<'_, '_>) -> Result<()> {
    let delta = adjustment(cx, "delta")?;
    if delta.abs() <= 1.0 {
        adjust_colors(
            cx,
            op.dtype,
            #[inline(always)]
            |color| turn::<false>(color, delta),
        )
    } else {
        adjust_colors(cx, op.dtype, |color| turn::<true>(color, delta))
    }
}

/// The color with its hue rotated by `delta`, which is at most a full turn unless `FAR`. The function contains neither
/// branches nor calls, so that loops over it vectorize.
#[inline(always)]
fn turn<const FAR: bool>(color: [f32; CHANNELS], delta: f32) -> [f32; CHANNELS] {
    let (hue, low, high) = hue_and_range(color);
    // Exactly the result of repeatedly adding or subtracting 6.0.
    let hue = hue + delta * 6.0;
    let hue = if FAR { hue % 6.0 } else { hue };
    let hue = if hue >= 6.0 { hue - 6.0 } else { hue };
    let hue = if hue < 0.0 { hue + 6.0 } else { hue };
    let hue = if hue >= 6.0 { hue - 6.0 } else { hue };
    // NaN falls in the last sector.
    let [first, second, third, fourth, fifth] = [1.0, 2.0, 3.0, 4.0, 5.0].map(|end| hue < end);
    let pick = |in_first: f32, in_second: f32, in_third: f32, in_fourth: f32, in_fifth: f32, in_sixth: f32| {
        let late = if fifth { in_fifth } else { in_sixth };
        let late = if fourth { in_fourth } else { late };
        let early = if second { in_second } else { in_third };
        let early = if first { in_first } else { early };
        if third { early } else { late }
    };
    let part = hue - pick(0.0, 1.0, 2.0, 3.0, 4.0, 5.0);
    let back = 1.0 - part;
    let middle = low + pick(part, back, part, back, part, back) * (high - low);
    [
        pick(high, middle, low, low, middle, high),
        pick(middle, high, high, middle, low, low),
        pick(low, low, middle, high, high, middle),
    ]
}

/// The hue of a color, from 0.0 to 6.0, and its minimum and maximum channel.
#[inline(always)]
fn hue_and_range([r, g, b]: [f32; CHANNELS]) -> (f32, f32, f32) {
    // The comparisons determine how NaN propagates.
    let rises = r < g;
    let (low, high) = (if rises { r } else { g }, if rises { g } else { r });
    let (below, above) = (b < low, b > high);
    let middle = if above { high } else { b };
    let middle = if below { low } else { middle };
    let sector = |below_at: f32, above_at: f32, between: f32| {
        let other = if above { above_at } else { between };
        if below { below_at } else { other }
    };
    let from = if rises { sector(1.0, 3.0, 2.0) } else { sector(0.0, 4.0, 5.0) };
    let falls = if rises { below | above } else { !(below | above) };
    let (low, high) = (if below { b } else { low }, if above { b } else { high });
    let part = (middle - low) / (high - low);
    let part = if falls { 1.0 - part } else { part };
    (if high == low { 0.0 } else { from + part }, low, high)
}
