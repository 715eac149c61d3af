//! `RGBToHSV` and `HSVToRGB`, and code shared by the ops that adjust colors.

use crate::prelude::*;
use crate::rules::{GREATER, Handles, LOGICAL_AND, PACK, SQUARE, UNPACK, first, never};
use levada_ops_core::vectorized_for;

/// Channels of a color.
pub(crate) const CHANNELS: usize = 3;

/// Checks that `shape` is that of one or more images.
///
/// # Errors
/// `INVALID_ARGUMENT` if it is not.
pub(crate) fn check_images(shape: &Shape) -> Result<()> {
    if shape.rank() < 3 {
        return Err(Error::invalid(format!("input must be at least 3-D, got shape {shape}")));
    }
    Ok(())
}

/// The value of the scalar named `what`.
///
/// # Errors
/// `INVALID_ARGUMENT` if it is not a scalar.
pub(crate) fn factor(tensor: &Tensor, what: &str) -> Result<f32> {
    if !tensor.shape().is_scalar() {
        return Err(Error::invalid(format!("{what} must be scalar: {}", tensor.shape())));
    }
    tensor.item()
}

/// The scalar on input 1, named `what`, by which the colors of the images on input 0 are adjusted.
///
/// # Errors
/// `INVALID_ARGUMENT` if the inputs are not RGB images and a scalar.
pub(crate) fn adjustment(cx: &Cx<'_, '_>, what: &str) -> Result<f32> {
    let shape = cx.input(0)?.shape();
    check_images(shape)?;
    let factor = factor(cx.input(1)?, what)?;
    let channels = shape[shape.rank() - 1];
    if channels != CHANNELS {
        return Err(Error::invalid(format!("input must have 3 channels but instead has {channels} channels")));
    }
    Ok(factor)
}

/// Sets output 0 to input 0 with `f` applied to every color. A branch-free `f` is vectorized over several colors.
pub(crate) fn adjust_colors(
    cx: &mut Cx<'_, '_>,
    dtype: DType,
    f: impl Fn([f32; CHANNELS]) -> [f32; CHANNELS] + Sync + Send,
) -> Result<()> {
    let shape = cx.input(0)?.shape().clone();
    dispatch!(dtype, floats, |T| map_colors::<T>(
        cx,
        &shape,
        #[inline(always)]
        |color| f(color.map(|v| v.to_f64() as f32)).map(|v| T::from_f64(f64::from(v)))
    ), else unsupported(cx, dtype))
}

/// Number of colors computed together.
const BLOCK: usize = 64;

/// Sets output 0 to input 0 with `f` applied to every three elements.
fn map_colors<T: Float>(
    cx: &mut Cx<'_, '_>,
    shape: &Shape,
    f: impl Fn([T; CHANNELS]) -> [T; CHANNELS] + Sync + Send,
) -> Result<()> {
    cx.produce::<T>(0, shape, |cx, out| {
        let input = cx.slice::<T>(0)?;
        cx.pool().for_chunks(out, CHANNELS, 4.0, |first, piece| {
            let colors = &input[first * CHANNELS..][..piece.len()];
            vectorized_for!(T, {
                for (out, colors) in piece.chunks_mut(BLOCK * CHANNELS).zip(colors.chunks(BLOCK * CHANNELS)) {
                    // One channel after another, since vector loads with a stride of three are expensive.
                    let mut planes = [[T::from_f64(0.0); BLOCK]; CHANNELS];
                    for (i, color) in colors.chunks_exact(CHANNELS).enumerate() {
                        for (plane, &channel) in planes.iter_mut().zip(color) {
                            plane[i] = channel;
                        }
                    }
                    for i in 0..BLOCK {
                        let color = f([planes[0][i], planes[1][i], planes[2][i]]);
                        for (plane, channel) in planes.iter_mut().zip(color) {
                            plane[i] = channel;
                        }
                    }
                    for (i, color) in out.chunks_exact_mut(CHANNELS).enumerate() {
                        for (plane, channel) in planes.iter().zip(color) {
                            *channel = plane[i];
                        }
                    }
                }
            });
        });
        Ok(())
    })
}

attrs! {
    /// The attrs of color space conversions.
    pub struct Conversion {
        /// Element type of the images.
        dtype: DType = Attr::dtype("T", sets::FLOATS).or_type(DType::F32),
    }
}

const IMAGES: &[Arg] = &[arg("images", of("T"))];
const OUTPUT: &[Arg] = &[arg("output", of("T"))];

const fn conversion(name: &'static str, kernel: fn(&Conversion, &mut Cx<'_, '_>) -> Result<()>) -> Def<Conversion> {
    op(name)
        .inputs(IMAGES)
        .outputs(OUTPUT)
        .shape(|_, cx| {
            let images = cx.rank_at_least(0, 1)?;
            let shape = match images.dims() {
                Some([outer @ .., last]) => {
                    PartialShape::vector(*last).merge(&PartialShape::vector(Some(CHANNELS)))?;
                    PartialShape::new(outer.iter().copied().chain([Some(CHANNELS)]))
                }
                _ => images,
            };
            cx.output(0, shape);
            Ok(())
        })
        .kernel(kernel)
        .heavy()
}

pub static RGB_TO_HSV: Def<Conversion> = conversion("RGBToHSV", |op, cx| {
    let shape = shape_of_colors(cx)?;
    dispatch!(op.dtype, floats, |T| map_colors::<T>(cx, &shape, hsv), else unsupported(cx, op.dtype))
})
.doc("Converts colors from red, green and blue to hue, saturation and value, all between 0 and 1.")
.gradient(gradient_of_hsv)
.batch(|op, b| if b.rank(0)? < 1 { None } else { leading(op, b) });

pub static HSV_TO_RGB: Def<Conversion> = conversion("HSVToRGB", |op, cx| {
    let shape = shape_of_colors(cx)?;
    dispatch!(op.dtype, floats, |T| map_colors::<T>(cx, &shape, rgb), else unsupported(cx, op.dtype))
})
.doc("Converts colors from hue, saturation and value, all between 0 and 1, to red, green and blue.")
.gradient(|_, g| never(g))
.batch(|op, b| if b.rank(0)? < 1 { None } else { leading(op, b) });

/// The gradient of hue, saturation and value with respect to red, green and blue. Among equal channels the first counts
/// as the maximum and the last as the minimum.
fn gradient_of_hsv(_: &Conversion, g: &GradCx) -> Grads {
    let channels = |v: V<'_>| {
        let attrs = [("num", AttrValue::I(CHANNELS as i64)), ("axis", AttrValue::I(-1))];
        let parts = UNPACK.node(g, &[g.value(v.at)], &attrs);
        [parts, parts.out(1), parts.out(2)]
    };
    let colors @ [red, green, blue] = channels(g.input(0));
    let [dh, ds, dv] = channels(g.dy(0));
    let both = |(op, a, b): (&str, V<'_>, V<'_>), (op2, c, d): (&str, V<'_>, V<'_>)| {
        let test = |op: &str, a: V<'_>, b: V<'_>| g.op(op, &[g.value(a.at), g.value(b.at)]);
        LOGICAL_AND.call([test(op, a, b), test(op2, c, d)]).cast(red.dtype())
    };
    let greatest = [
        both(("GreaterEqual", red, green), ("GreaterEqual", red, blue)),
        both(("Greater", green, red), ("GreaterEqual", green, blue)),
        both(("Greater", blue, red), ("Greater", blue, green)),
    ];
    let least = [
        both(("Less", red, green), ("Less", red, blue)),
        both(("LessEqual", green, red), ("Less", green, blue)),
        both(("LessEqual", blue, red), ("LessEqual", blue, green)),
    ];
    let value = channels(g.output(0))[2];
    let low = red * least[0] + green * least[1] + blue * least[2];
    let range = value - low;
    // The hue is a sixth of `turn / range`, offset by the sector of the maximum channel.
    let turn = (green - blue) * greatest[0] + (blue - red) * greatest[1] + (red - green) * greatest[2];
    let dx: Vec<V<'_>> = (0..CHANNELS)
        .map(|i| {
            let of_turn = greatest[(i + 2) % 3] - greatest[(i + 1) % 3];
            let of_range = greatest[i] - least[i];
            let hue = (of_turn.div_no_nan(range) - (turn * of_range).div_no_nan(range.apply(SQUARE))) * (1.0 / 6.0);
            let saturation = of_range.div_no_nan(value) - (range * greatest[i]).div_no_nan(value.apply(SQUARE));
            let positive = GREATER.call([colors[i], colors[i].like(0.0)]).cast(red.dtype());
            dh * hue + ds * saturation * positive + dv * greatest[i]
        })
        .collect();
    let attrs = [("N", AttrValue::I(CHANNELS as i64)), ("axis", AttrValue::I(-1))];
    first(g, PACK.node(g, &dx, &attrs))
}

/// The shape of input 0, whose last axis must hold the channels of a color.
fn shape_of_colors(cx: &Cx<'_, '_>) -> Result<Shape> {
    let shape = cx.input(0)?.shape();
    match shape.dims().last() {
        None => Err(Error::invalid("input must be at least 1D")),
        Some(&CHANNELS) => Ok(shape.clone()),
        Some(channels) => {
            Err(Error::failed_precondition(format!("input must have 3 channels but input has {channels} channels")))
        }
    }
}

/// A number of the type that `T` is computed in.
#[inline(always)]
fn base<T: Float>(value: f64) -> T::Base {
    T::from_f64(value).base()
}

/// A result rounded to `T`: halves round after every operation.
#[inline(always)]
fn rounded<T: Float>(value: T::Base) -> T::Base {
    T::of_base(value).base()
}

#[inline(always)]
fn hsv<T: Float>(color: [T; CHANNELS]) -> [T; CHANNELS] {
    let round = rounded::<T>;
    let [zero, one, sixth] = [0.0, 1.0, 1.0 / 6.0].map(base::<T>);
    let [third, two_thirds] = [1.0 / 3.0, 2.0 / 3.0].map(base::<T>);
    let [r, g, b] = color.map(T::base);
    // Returns the second argument if either is NaN.
    let max = |x: T::Base, y: T::Base| if x > y { x } else { y };
    let min = |x: T::Base, y: T::Base| if x < y { x } else { y };
    let value = max(max(r, g), b);
    let range = round(value - min(min(r, g), b));
    let saturation = if value > zero { range / value } else { zero };
    let norm = round(round(one / range) * sixth);
    let hue = if r == value {
        norm * round(g - b)
    } else if g == value {
        round(norm * round(b - r)) + third
    } else {
        round(norm * round(r - g)) + two_thirds
    };
    // NaN has no hue.
    let hue = if range > zero { round(hue) } else { zero };
    let hue = if hue < zero { hue + one } else { hue };
    [hue, saturation, value].map(T::of_base)
}

#[inline(always)]
fn rgb<T: Float>(color: [T; CHANNELS]) -> [T; CHANNELS] {
    let round = rounded::<T>;
    let [zero, one, two, three, four, six] = [0.0, 1.0, 2.0, 3.0, 4.0, 6.0].map(base::<T>);
    let [h, s, v] = color.map(T::base);
    let turns = round(h * six);
    let away = |from: T::Base| {
        let distance = round(turns - from);
        if distance < zero { zero - distance } else { distance }
    };
    // NaN is preserved.
    let clamped = |x: T::Base| {
        let x = if x < zero { zero } else { x };
        if x > one { one } else { x }
    };
    let parts = [away(three) - one, two - away(two), two - away(four)];
    let rest = round(one - s);
    parts.map(|part| T::of_base(round(rest + round(s * round(clamped(part)))) * v))
}
