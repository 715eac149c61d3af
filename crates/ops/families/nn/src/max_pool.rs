//! `MaxPool`, `MaxPoolV2` and `MaxPool3D`.

use super::max_pool_grad::{MAX_POOL_3D_GRAD, MAX_POOL_GRAD};
use super::pooling::{
    ANY_PADDING, MAX_POOL_TYPES, PoolAttrs, Pooling, SAME_OR_VALID, by_pieces, given, images, shape, volumes, windows,
};
use crate::prelude::*;
use crate::rules::first;

const IMAGES: &[AttrSpec] = &windows(MAX_POOL_TYPES, 2, ANY_PADDING);
const VOLUMES: &[AttrSpec] = &windows(sets::FLOATS, 3, SAME_OR_VALID);

pub static MAX_POOL: Def<PoolAttrs> = images("MaxPool")
    .doc("Max pooling over images.")
    .attrs(IMAGES)
    .without(&["TInput"])
    .inputs(&[arg("input", of("T"))])
    .also(&[given("MaxPoolV2")
        .doc("Max pooling over images, with window sizes and strides given as inputs.")
        .attrs(&[Attr::one_of("padding", SAME_OR_VALID)])
        .inputs(&[arg("input", of("T")), arg("ksize", is(DType::I32)), arg("strides", is(DType::I32))])])
    .shape(shape)
    .host_inputs(&[1, 2])
    .gradient(|op, g| {
        let mut inputs = vec![g.input(0), g.output(0), g.dy(0)];
        inputs.extend((1..g.num_inputs()).map(|i| g.input(i)));
        first(g, MAX_POOL_GRAD.node(g, op, &inputs))
    })
    .kernel(max_pool)
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0]));

pub static MAX_POOL_3D: Def<PoolAttrs> = volumes("MaxPool3D")
    .doc("Max pooling over volumes.")
    .attrs(VOLUMES)
    .inputs(&[arg("input", of("T"))])
    .shape(shape)
    .gradient(|op, g| {
        let attrs = PoolAttrs { images: op.dtype, ..op.clone() };
        first(g, MAX_POOL_3D_GRAD.node(g, &attrs, &[g.input(0), g.output(0), g.dy(0)]))
    })
    .kernel(max_pool)
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0]));

fn max_pool(op: &PoolAttrs, cx: &mut Cx<'_, '_>) -> Result<()> {
    let input = cx.input(0)?;
    let pooling = op.pooling(cx, input.shape())?;
    let mut out = cx.alloc(op.dtype, pooling.output_shape())?;
    dispatch!(op.dtype.storage(), reals, |T| {
        let (input, out) = (input.slice::<T>()?, out.slice_mut::<T>()?);
        if pooling.depth_window > 1 {
            let window = pooling.depth_window;
            cx.pool().for_chunks(out, 1, window as f64, |first, piece| {
                for (o, values) in piece.iter_mut().zip(input[first * window..].chunks_exact(window)) {
                    *o = values.iter().fold(T::LOWEST, |a, &b| larger(a, b));
                }
            });
        } else {
            pixels(cx, &pooling, input, out);
        }
        Ok(())
    }, else unsupported(cx, op.dtype))?;
    cx.set(0, out);
    Ok(())
}

/// The larger of two; `a` if `b` is NaN, so NaN never wins over a number.
#[inline(always)]
fn larger<T: Real>(a: T, b: T) -> T {
    if a < b { b } else { a }
}

/// The maxima of `N` channels, from `first` on, over the pixels of a run of windows.
#[inline(always)]
fn largest<T: Real, const N: usize>(input: &[T], channels: usize, pixels: &[usize], out: &mut [T], first: usize) {
    let mut largest = [T::LOWEST; N];
    for pixel in pixels {
        let Some(from) = input[pixel * channels + first..].first_chunk::<N>() else { return };
        for k in 0..N {
            largest[k] = larger(largest[k], from[k]);
        }
    }
    out[first..first + N].copy_from_slice(&largest);
}

fn pixels<T: Real>(cx: &Cx<'_, '_>, pooling: &Pooling, input: &[T], out: &mut [T]) {
    let channels = pooling.channels;
    cx.pool().for_chunks(out, channels, pooling.nanos::<T>(), |first, piece| {
        let windows = first..first + piece.len() / channels.max(1);
        vectorized_for!(T, {
            pooling.for_runs(
                windows,
                #[inline(always)]
                |window, run, pixels| {
                    let out = &mut piece[(window - first) * channels..][..run * channels];
                    by_pieces!(out.len(), |first, N| largest::<_, N>(input, channels, pixels, out, first));
                },
            );
        });
    });
}
