//! The gradients of `MaxPool`, `MaxPoolV2` and `MaxPool3D`, and the gradients of those.

use super::pooling::{
    ANY_PADDING, PoolAttrs, Pooling, SAME_OR_VALID, by_pieces, given, images, same_shape, volumes, windows,
};
use crate::prelude::*;
use crate::rules::NONE;

const fn t(name: &'static str) -> Arg {
    arg(name, of("T"))
}

const INPUTS: &[Arg] = &[t("orig_input"), t("orig_output"), t("grad")];
const WITH_WINDOWS: &[Arg] =
    &[t("orig_input"), t("orig_output"), t("grad"), arg("ksize", is(DType::I32)), arg("strides", is(DType::I32))];

const IMAGES: &[AttrSpec] = &windows(sets::REALS, 2, SAME_OR_VALID);
const PADDED: &[AttrSpec] = &windows(sets::REALS, 2, ANY_PADDING);
const VOLUMES: &[AttrSpec] = &windows(sets::REALS, 3, SAME_OR_VALID);
const VOLUMES_OF_FLOATS: &[AttrSpec] = &windows(sets::FLOATS, 3, SAME_OR_VALID);
const GIVEN: &[AttrSpec] =
    &[Attr::one_of("padding", SAME_OR_VALID), Attr::one_of("data_format", &["NHWC", "NCHW"]).or_str("NHWC")];

pub static MAX_POOL_GRAD: Def<PoolAttrs> = images("MaxPoolGrad")
    .doc("The gradient of `MaxPool`: each window's gradient goes to its maximum element, the first of equal ones.")
    .attrs(PADDED)
    .without(&["TInput"])
    .inputs(INPUTS)
    .also(&[given("MaxPoolGradV2").doc("As `MaxPoolGrad`, for `MaxPoolV2`.").attrs(GIVEN).inputs(WITH_WINDOWS)])
    .shape(|op, cx| as_input(op, cx, 0))
    .host_inputs(&[3, 4])
    .gradient(|op, g| gradient(&MAX_POOL_GRAD_GRAD, op, g))
    .kernel(first_largest)
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0, 1, 2]));

pub static MAX_POOL_GRAD_GRAD: Def<PoolAttrs> = images("MaxPoolGradGrad")
    .doc("The gradient of `MaxPoolGrad` with respect to `grad`.")
    .attrs(IMAGES)
    .inputs(INPUTS)
    .also(&[given("MaxPoolGradGradV2").doc("As `MaxPoolGradGrad`, for `MaxPoolV2`.").attrs(GIVEN).inputs(WITH_WINDOWS)])
    .shape(|op, cx| as_input(op, cx, 1))
    .host_inputs(&[3, 4])
    .gradient(|op, g| gradient(&MAX_POOL_GRAD, op, g))
    .kernel(pick)
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0, 1, 2]));

pub static MAX_POOL_3D_GRAD: Def<PoolAttrs> = volumes("MaxPool3DGrad")
    .doc("The gradient of `MaxPool3D`: each window's gradient goes to its maximum element, the first of equal ones.")
    .attrs(VOLUMES_OF_FLOATS)
    .without(&["explicit_paddings"])
    .inputs(&[arg("orig_input", of("TInput")), arg("orig_output", of("TInput")), t("grad")])
    .shape(|op, cx| as_input(op, cx, 0))
    .gradient(|op, g| gradient(&MAX_POOL_3D_GRAD_GRAD, op, g))
    .kernel(first_largest)
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0, 1, 2]));

pub static MAX_POOL_3D_GRAD_GRAD: Def<PoolAttrs> = volumes("MaxPool3DGradGrad")
    .doc("The gradient of `MaxPool3DGrad` with respect to `grad`.")
    .attrs(VOLUMES)
    .inputs(INPUTS)
    .shape(|op, cx| as_input(op, cx, 1))
    .gradient(|op, g| gradient(&MAX_POOL_3D_GRAD, &PoolAttrs { images: op.dtype, ..op.clone() }, g))
    .kernel(pick)
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0, 1, 2]));

/// The output has the shape of input `i`.
fn as_input(op: &PoolAttrs, cx: &mut ShapeCx<'_>, i: usize) -> Result<()> {
    let shape = cx.with_rank(i, op.rank())?;
    cx.output(0, shape);
    Ok(())
}

/// The gradients of an op that is linear in its gradient input and otherwise depends only on positions; `back` routes
/// that gradient back to its origin.
fn gradient(back: &'static Def<PoolAttrs>, op: &PoolAttrs, g: &GradCx) -> Grads {
    let mut inputs = g.inputs();
    inputs[2] = g.dy(0);
    let (x, y) = (inputs[0], inputs[1]);
    let back = back.node(g, op, &inputs);
    let mut grads = vec![x.zeros_like().into(), y.zeros_like().into(), back.into()];
    grads.resize(g.num_inputs(), NONE);
    grads
}

/// Finds, for `N` channels from `first` on, which pixel of a window is the maximum, the first of equal ones; if the
/// first pixel is NaN, that one. Returns an index into `pixels`, which must not be empty.
#[inline(always)]
fn find<T: Real, const N: usize>(input: &[T], pixels: &[usize], channels: usize, first: usize) -> [u32; N] {
    let of = |pixel: usize| input[pixel * channels + first..].first_chunk::<N>().unwrap_or_else(|| unreachable!());
    let (mut best, mut places) = (*of(pixels[0]), [0; N]);
    for (number, &pixel) in (1..).zip(&pixels[1..]) {
        let from = of(pixel);
        // Updates go to separate arrays: in-place updates would use masked stores, which are slow to read back.
        let (mut better, mut numbers) = ([T::zero(); N], [0; N]);
        for k in 0..N {
            let larger = best[k] < from[k];
            better[k] = if larger { from[k] } else { best[k] };
            numbers[k] = if larger { number } else { places[k] };
        }
        (best, places) = (better, numbers);
    }
    places
}

/// For every window and channel the index of the maximum element, as found by [`find`]; -1 for empty windows.
pub(crate) fn largest<T: Real>(cx: &Cx<'_, '_>, pooling: &Pooling, input: &[T], out: &mut [i64]) {
    #[inline(always)]
    fn piece<T: Real, const N: usize>(input: &[T], pixels: &[usize], out: &mut [i64], first: usize) {
        let channels = out.len();
        let places = find::<T, N>(input, pixels, channels, first);
        for (k, place) in places.into_iter().enumerate() {
            out[first + k] = (pixels[place as usize] * channels + first + k) as i64;
        }
    }
    let channels = pooling.channels;
    let nanos = (pooling.window() * channels) as f64 * 0.2 + channels as f64 + 10.0;
    cx.pool().for_chunks(out, channels, nanos, |first, part| {
        let windows = first..first + part.len() / channels.max(1);
        vectorized_for!(T, {
            pooling.for_windows(
                windows,
                #[inline(always)]
                |window, pixels| {
                    let out = &mut part[(window - first) * channels..][..channels];
                    match pixels {
                        [] => out.fill(-1),
                        _ => by_pieces!(channels, |first, N| piece::<_, N>(input, pixels, out, first)),
                    }
                },
            );
        });
    });
}

/// Adds the gradients of `N` channels of a window to those of its pixels. `origin` is the index of the first pixel of
/// `out`.
#[inline(always)]
fn give<T: Real, const N: usize>(
    (input, grad): (&[T], &[T]),
    pixels: &[usize],
    (out, origin): (&mut [T], usize),
    first: usize,
) {
    let channels = grad.len();
    let places = find::<T, N>(input, pixels, channels, first);
    let Some(grad) = grad[first..].first_chunk::<N>() else { return };
    for (number, &pixel) in (0..).zip(pixels) {
        let Some(out) = out[(pixel - origin) * channels + first..].first_chunk_mut::<N>() else { return };
        for k in 0..N {
            out[k] = out[k].add(if places[k] == number { grad[k] } else { T::zero() });
        }
    }
}

fn first_largest(op: &PoolAttrs, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (input, grad) = (cx.input(0)?, cx.input(2)?);
    let pooling = op.over_pixels(cx, input.shape())?;
    pooling.check_output(cx.input(1)?, "orig_output")?;
    pooling.check_output(grad, "grad")?;
    let mut out = cx.alloc(op.dtype, input.shape())?;
    let channels = pooling.channels;
    let pixels: usize = pooling.axes.iter().map(|a| a.input).product();
    let windows: usize = pooling.axes.iter().map(|a| a.output).product();
    dispatch!(op.dtype, reals, |T| {
        let (input, grad) = (input.slice::<T>()?, grad.slice::<T>()?);
        let nanos = (windows * pooling.window() * channels) as f64 * 0.4;
        // Windows of one image may overlap, but never those of two images.
        cx.pool().for_chunks(out.slice_mut::<T>()?, pixels * channels, nanos, |first, part| {
            vectorized_for!(T, {
                for (image, out) in (first..).zip(part.chunks_exact_mut(pixels * channels)) {
                    out.fill(T::zero());
                    pooling.for_windows(
                        image * windows..(image + 1) * windows,
                        #[inline(always)]
                        |window, under| {
                            let grad = &grad[window * channels..][..channels];
                            if !under.is_empty() {
                                by_pieces!(channels, |first, N| give::<_, N>(
                                    (input, grad),
                                    under,
                                    (&mut *out, image * pixels),
                                    first
                                ));
                            }
                        },
                    );
                }
            });
        });
        Ok(())
    }, else unsupported(cx, op.dtype))?;
    cx.set(0, out);
    Ok(())
}

/// For every window the value of `grad` at the first element equal to the window's result; 0 if there is none.
fn pick(op: &PoolAttrs, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (input, output, grad) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    let pooling = op.over_pixels(cx, input.shape())?;
    pooling.check_output(output, "orig_output")?;
    same_shape(grad, input.shape(), "grad")?;
    let mut out = cx.alloc(op.dtype, pooling.output_shape())?;
    let channels = pooling.channels;
    let nanos = (pooling.window() * channels) as f64 + 10.0;
    dispatch!(op.dtype, reals, |T| {
        let (input, output, grad) = (input.slice::<T>()?, output.slice::<T>()?, grad.slice::<T>()?);
        cx.pool().for_chunks(out.slice_mut::<T>()?, channels, nanos, |first, piece| {
            let mut found = vec![false; channels];
            for (i, out) in piece.chunks_exact_mut(channels).enumerate() {
                out.fill(T::zero());
                found.fill(false);
                let y = &output[(first + i) * channels..][..channels];
                pooling.each_pixel(first + i, |pixel| {
                    let range = pixel * channels..(pixel + 1) * channels;
                    let terms = input[range.clone()].iter().zip(&grad[range]).zip(y);
                    for ((o, found), ((x, g), y)) in out.iter_mut().zip(&mut found).zip(terms) {
                        if !*found && x == y {
                            (*o, *found) = (*g, true);
                        }
                    }
                });
            }
        });
        Ok(())
    }, else unsupported(cx, op.dtype))?;
    cx.set(0, out);
    Ok(())
}
