//! `AvgPool` and `AvgPool3D`.

use super::avg_pool_grad::{AVG_POOL_3D_GRAD, AVG_POOL_GRAD};
use super::pooling::{PoolAttrs, Pooling, SAME_OR_VALID, by_pieces, images, shape, volumes, windows};
use crate::prelude::*;
use crate::rules::first;

pub(super) const AVERAGED: &[AttrSpec] = &windows(sets::FLOATS, 2, SAME_OR_VALID);
pub(super) const AVERAGED_3D: &[AttrSpec] = &windows(sets::FLOATS, 3, SAME_OR_VALID);

pub static AVG_POOL: Def<PoolAttrs> = images("AvgPool")
    .doc("Average pooling over images: the mean of each window; padding is excluded.")
    .attrs(AVERAGED)
    .inputs(&[arg("value", of("T"))])
    .shape(shape)
    .gradient(|op, g| first(g, AVG_POOL_GRAD.node(g, op, &[g.input(0).shape_value(), g.dy(0)])))
    .kernel(avg_pool)
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0]));

pub static AVG_POOL_3D: Def<PoolAttrs> = volumes("AvgPool3D")
    .doc("Average pooling over volumes: the mean of each window; padding is excluded.")
    .attrs(AVERAGED_3D)
    .inputs(&[arg("input", of("T"))])
    .shape(shape)
    .gradient(|op, g| first(g, AVG_POOL_3D_GRAD.node(g, op, &[g.input(0).shape_value(), g.dy(0)])))
    .kernel(avg_pool)
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0]));

fn avg_pool(op: &PoolAttrs, cx: &mut Cx<'_, '_>) -> Result<()> {
    let input = cx.input(0)?;
    let pooling = op.over_pixels(cx, input.shape())?;
    let mut out = cx.alloc(op.dtype, pooling.output_shape())?;
    dispatch!(op.dtype, floats, |T| {
        average::<T>(cx, &pooling, input.slice()?, out.slice_mut()?);
        Ok(())
    }, else unsupported(cx, op.dtype))?;
    cx.set(0, out);
    Ok(())
}

/// Larger windows are summed line by line, since channel pieces would be read from too many places.
const FEW_PIXELS: usize = 64;
/// Runs of windows over pixels with fewer channels are always summed by pieces, since most of a piece is reread.
const FEW_CHANNELS: usize = 32;

fn average<T: Float>(cx: &Cx<'_, '_>, pooling: &Pooling, input: &[T], out: &mut [T]) {
    let channels = pooling.channels;
    cx.pool().for_chunks(out, channels, pooling.nanos::<T>(), |first, piece| {
        let mut sums = vec![<T::Base>::zero(); channels];
        let windows = first..first + piece.len() / channels.max(1);
        vectorized_for!(T, {
            pooling.for_runs(
                windows,
                #[inline(always)]
                |window, run, pixels| {
                    let out = &mut piece[(window - first) * channels..][..run * channels];
                    if pixels.len() <= FEW_PIXELS || channels < FEW_CHANNELS && out.len() >= FEW_CHANNELS {
                        by_pieces!(out.len(), |first, N| mean::<_, N>(input, channels, pixels, out, first));
                        return;
                    }
                    for (right, out) in out.chunks_exact_mut(channels).enumerate() {
                        sums.fill(<T::Base>::zero());
                        for pixel in pixels {
                            let from = &input[(pixel + right) * channels..][..channels];
                            for (sum, &x) in sums.iter_mut().zip(from) {
                                *sum = *sum + x.base();
                            }
                        }
                        let count = <T::Base>::from_usize(pixels.len());
                        for (out, &sum) in out.iter_mut().zip(&sums) {
                            *out = T::of_base(sum / count);
                        }
                    }
                },
            );
        });
    });
}

/// The means of `N` channels, from `first` on, over the pixels of a run of windows.
#[inline(always)]
fn mean<T: Float, const N: usize>(input: &[T], channels: usize, pixels: &[usize], out: &mut [T], first: usize) {
    let mut sums = [<T::Base>::zero(); N];
    for pixel in pixels {
        let Some(from) = input[pixel * channels + first..].first_chunk::<N>() else { return };
        let mut next = sums;
        for k in 0..N {
            next[k] = sums[k] + from[k].base();
        }
        sums = next;
    }
    let count = <T::Base>::from_usize(pixels.len());
    for (out, sum) in out[first..][..N].iter_mut().zip(sums) {
        *out = T::of_base(sum / count);
    }
}
