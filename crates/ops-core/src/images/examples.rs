//! Batch rules for ops whose filters or statistics differ between examples: the channels of all examples become the
//! channels of one convolution, with one group per example, or of one normalization.

use crate::prelude::*;

/// Returns the channel axis of images in this format, and their rank.
fn channels(format: &[u8]) -> (usize, usize) {
    (if format.get(1) == Some(&b'C') { 1 } else { format.len() - 1 }, format.len())
}

/// Merges the example axis into axis `axis`, of `rank`, in front of it.
fn joined<'g>(b: &BatchCx<'g>, value: V<'g>, (axis, rank): (usize, usize)) -> V<'g> {
    let order: Vec<i32> = (1..=axis).chain([0]).chain(axis + 1..=rank).map(|i| i as i32).collect();
    let moved = if axis == 0 { value } else { b.g().op("Transpose", &[value, b.g().ints(&order)]) };
    let dims = b.dims(moved);
    let at = axis as i32;
    let both = dims.slice1(at, 2).prod().reshape(b.g().ints(&[1]));
    moved.reshape(b.concat(&[dims.slice1(0, at), both, dims.slice1(at + 2, -1)]))
}

/// Returns the reverse of [`joined`].
fn parted<'g>(b: &BatchCx<'g>, value: V<'g>, (axis, rank): (usize, usize)) -> V<'g> {
    let (dims, at) = (b.dims(value), axis as i32);
    let each = b.g().op("FloorDiv", &[dims.slice1(at, 1), b.size1()]);
    let apart = value.reshape(b.concat(&[dims.slice1(0, at), b.size1(), each, dims.slice1(at + 1, -1)]));
    let order: Vec<i32> = [axis].into_iter().chain(0..axis).chain(axis + 1..=rank).map(|i| i as i32).collect();
    if axis == 0 { apart } else { b.g().op("Transpose", &[apart, b.g().ints(&order)]) }
}

/// Sizes for one example, enlarged for all examples.
fn larger<'g>(b: &BatchCx<'g>, sizes: V<'g>, (axis, rank): (usize, usize)) -> V<'g> {
    let ones = |count: usize| b.g().ints(&vec![1; count]);
    sizes * b.concat(&[ones(axis), b.size1(), ones(rank - axis - 1)]).cast(sizes.dtype())
}

/// The rule of a convolution of images in this format with filters that vary and are stacked along their axis
/// `filters`.
pub fn convolution(b: &BatchCx<'_>, format: &[u8], filters: usize) -> Batched {
    let images = channels(format);
    let out = b.again(&[joined(b, b.each(0), images), joined(b, b.each(1), (filters, images.1))]);
    b.one(parted(b, out, images))
}

/// Like [`convolution`], for the gradient of the images: the inputs are their sizes, the filter and the result's
/// gradient.
pub fn convolution_input(b: &BatchCx<'_>, format: &[u8], filters: usize) -> Batched {
    let images = channels(format);
    if b.varies(0) || b.shape(0).dim(0) != Some(images.1) {
        return None;
    }
    let sizes = larger(b, b.input(0), images);
    let filter = joined(b, b.each(1), (filters, images.1));
    let out = b.again(&[sizes, filter, joined(b, b.each(2), images)]);
    b.one(parted(b, out, images))
}

/// Like [`convolution`], for the gradient of the filter: the inputs are the images, the filter's sizes and the
/// result's gradient.
pub fn convolution_filter(b: &BatchCx<'_>, format: &[u8], filters: usize) -> Batched {
    let images = channels(format);
    if b.varies(1) {
        return None;
    }
    let sizes = larger(b, b.input(1), (filters, images.1));
    let out = b.again(&[joined(b, b.each(0), images), sizes, joined(b, b.each(2), images)]);
    b.one(parted(b, out, (filters, images.1)))
}

/// The rule of a normalization of channels or of its gradient. The first `images` inputs and the first output are
/// images in this format. The following inputs, except for unused ones according to `whole`, and the following
/// `vectors` outputs have one value per channel. Any further outputs are the same for all examples.
pub fn normalization(
    b: &BatchCx<'_>,
    format: &[u8],
    (images, vectors): (usize, usize),
    whole: impl Fn(usize) -> bool,
) -> Batched {
    let axes = channels(format);
    if (0..b.num_inputs()).any(|i| whole(i) && b.varies(i)) {
        return None;
    }
    let input = |i: usize| match i {
        i if i < images => joined(b, b.each(i), axes),
        i if whole(i) => b.input(i),
        i => joined(b, b.each(i), (0, 1)),
    };
    let inputs: Vec<V<'_>> = (0..b.num_inputs()).map(input).collect();
    let out = b.again(&inputs);
    let output = |i: usize| match i {
        0 => Lanes::each(parted(b, out, axes)),
        i if i <= vectors => Lanes::each(parted(b, out.out(i), (0, 1))),
        i => Lanes::same(out.out(i)),
    };
    Some((0..b.num_outputs()).map(output).collect())
}
