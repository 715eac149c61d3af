//! `AdjustHue`.

use super::hsv::{CHANNELS, adjust_colors, category};
use crate::prelude::*;

attrs! {
    /// Turns the hue of RGB images: 1.0 is a whole turn. Lightness and saturation stay.
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
    .kernel(|op: &AdjustHue, cx| adjust_colors(cx, op.dtype, "delta", turn))
    .heavy()
    .host_inputs(&[1])
    .batch(|_, b| if b.rank(0)? < 3 { None } else { levada_ops_core::batch::leading_first(b, 1) });

/// The color with its hue turned by `delta`.
fn turn(rgb: [f32; CHANNELS], delta: f32) -> [f32; CHANNELS] {
    let (hue, low, high) = hue_and_range(rgb);
    // Exactly what adding or taking away 6.0 again and again gives.
    let mut hue = (hue + delta * 6.0) % 6.0;
    if hue < 0.0 {
        hue += 6.0;
    }
    if hue >= 6.0 {
        hue -= 6.0;
    }
    let sector = category(hue);
    let part = hue - sector as f32;
    let part = if sector & 1 == 0 { part } else { 1.0 - part };
    let middle = low + part * (high - low);
    match sector {
        0 => [high, middle, low],
        1 => [middle, high, low],
        2 => [low, high, middle],
        3 => [low, middle, high],
        4 => [middle, low, high],
        _ => [high, low, middle],
    }
}

/// The hue of a color, from 0.0 to 6.0, and its lowest and its highest channel.
fn hue_and_range([r, g, b]: [f32; CHANNELS]) -> (f32, f32, f32) {
    // The comparisons decide what becomes of NaN.
    let (low, middle, high, sector) = if r < g {
        if b < r {
            (b, r, g, 1)
        } else if b > g {
            (r, g, b, 3)
        } else {
            (r, b, g, 2)
        }
    } else if b < g {
        (b, g, r, 0)
    } else if b > r {
        (g, r, b, 4)
    } else {
        (g, b, r, 5)
    };
    if high == low {
        return (0.0, low, high);
    }
    let part = (middle - low) / (high - low);
    (sector as f32 + if sector & 1 == 0 { part } else { 1.0 - part }, low, high)
}
