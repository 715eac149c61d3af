//! Pixels of resized images as weighted sums of source pixels, and the transpose of that mapping.

use super::scale::Resize;
use crate::prelude::*;
use levada_kernel::Pool;

/// Expands a loop over channels in which `$channels` is a constant for the most common channel counts.
macro_rules! for_channels {
    ($channels:ident, $body:expr) => {
        match $channels {
            1 => {
                let $channels = 1;
                $body
            }
            3 => {
                let $channels = 3;
                $body
            }
            $channels => $body,
        }
    };
}
pub(crate) use for_channels;

/// The input pixels of an axis that an output pixel is summed from, in ascending order, and their weights.
#[derive(Clone, Copy)]
pub struct Taps<const N: usize> {
    pub at: [usize; N],
    pub weights: [f32; N],
}

/// Accumulates in each pixel of `out`, the images before resizing, the contributions of the pixels of `resized` that
/// were computed from it: `weigh` of an element and the weights by height and width, always in the order of those
/// pixels. The pixels in `rows` and `columns` must never descend.
pub fn gather<T: Real, U: Real, const N: usize>(
    pool: &Pool,
    resize: &Resize,
    [rows, columns]: [&[Taps<N>]; 2],
    resized: &[U],
    out: &mut [T],
    weigh: impl Fn(U, f32, f32) -> T + Sync,
) {
    let &Resize { channels, height, width, .. } = resize;
    let (line, from_line) = (width.input * channels, width.output * channels);
    let nanos = line as f64 * 0.2 + (from_line * N * N) as f64 * (height.output as f64 / height.input as f64) * 0.2;
    pool.for_chunks(out, line, nanos, |first, piece| {
        vectorized_for!(T, {
            for (i, out) in piece.chunks_exact_mut(line).enumerate() {
                out.fill(T::zero());
                let (n, y) = ((first + i) / height.input, (first + i) % height.input);
                let start = rows.partition_point(|row| row.at[N - 1] < y);
                let end = rows.partition_point(|row| row.at[0] <= y);
                for (row, from) in rows[start..end].iter().zip(start..) {
                    let from = &resized[(n * height.output + from) * from_line..][..from_line];
                    for_channels!(channels, {
                        for (column, from) in columns.iter().zip(from.chunks_exact(channels)) {
                            for (_, v) in row.at.into_iter().zip(row.weights).filter(|&(at, _)| at == y) {
                                for (x, h) in column.at.into_iter().zip(column.weights) {
                                    let to = &mut out[x * channels..][..channels];
                                    to.iter_mut().zip(from).for_each(|(o, &g)| *o = o.add(weigh(g, v, h)));
                                }
                            }
                        }
                    });
                }
            }
        });
    });
}
