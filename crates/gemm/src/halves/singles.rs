//! Tiles of widened rows and weights, using the machine's float32 vectors.

use super::{Block, DEPTH, HalfFactor, PANEL};
use pulp::{Arch, Simd, WithSimd};

/// Columns of a vector on this machine, and the maximum number of vectors of a panel.
pub(super) fn panel() -> [usize; 2] {
    struct Ask;
    impl WithSimd for Ask {
        type Output = [usize; 2];
        #[inline(always)]
        fn with_simd<S: Simd>(self, _: S) -> [usize; 2] {
            [S::F32_LANES, if S::REGISTER_COUNT >= 32 { 4 } else { 2 }]
        }
    }
    Arch::new().dispatch(Ask)
}

/// Computes the sums of a block of rows and a panel of this many vectors, whose weights come first in `weights`.
/// Returns the distance between rows of sums.
pub(super) fn panel_of<T: HalfFactor>(
    vectors: usize,
    weights: &[T],
    depth: usize,
    block: &Block,
    sums: &mut Vec<f32>,
) -> usize {
    Arch::new().dispatch(Sums { vectors, weights, depth, block, sums })
}

struct Sums<'a, T> {
    vectors: usize,
    weights: &'a [T],
    depth: usize,
    block: &'a Block,
    sums: &'a mut Vec<f32>,
}

/// Weights of a block of elements, widened.
#[repr(C, align(64))]
struct Wide([f32; DEPTH / 2 * PANEL]);

impl<T: HalfFactor> WithSimd for Sums<'_, T> {
    type Output = usize;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> usize {
        match self.vectors {
            1 => self.run::<S, 8, 4, 1>(simd),
            2 if S::REGISTER_COUNT < 32 => self.run::<S, 5, 2, 2>(simd),
            2 => self.run::<S, 8, 4, 2>(simd),
            3 => self.run::<S, 8, 4, 3>(simd),
            _ => self.run::<S, 6, 3, 4>(simd),
        }
    }
}

impl<T: HalfFactor> Sums<'_, T> {
    /// Uses tiles of `MANY` rows, and of `FEW` for the last ones if that is enough.
    #[inline(always)]
    fn run<S: Simd, const MANY: usize, const FEW: usize, const V: usize>(self, simd: S) -> usize {
        let Sums { weights, depth, block, sums, .. } = self;
        let width = V * S::F32_LANES;
        sums.clear();
        sums.resize((block.rows + MANY) * width, 0.0);
        let mut buffer = Wide([0.0; DEPTH / 2 * PANEL]);
        let rest = block.rows % MANY;
        let full = block.rows - if rest > FEW { 0 } else { rest };
        let mut k = 0;
        while k < depth {
            let count = (DEPTH / 2).min(depth - k);
            let wide = &mut buffer.0[..count * width];
            T::to_singles(&weights[k * width..][..count * width], wide);
            let wide = S::as_simd_f32s(wide).0.as_chunks::<V>().0;
            let mut row = 0;
            while row < block.rows {
                let rows = (&block.wide[row * depth..], block.rows - row, k);
                let sums = &mut sums[row * width..];
                if row < full {
                    tile::<S, MANY, V>(simd, rows, depth, wide, sums);
                    row += MANY;
                } else {
                    tile::<S, FEW, V>(simd, rows, depth, wide, sums);
                    row += FEW;
                }
            }
            k += count;
        }
        width
    }
}

/// Adds to the sums of a tile, starting at element `k` of its rows, which are `depth` apart.
#[inline(always)]
fn tile<S: Simd, const R: usize, const V: usize>(
    simd: S,
    (rows, count, k): (&[f32], usize, usize),
    depth: usize,
    weights: &[[S::f32s; V]],
    sums: &mut [f32],
) {
    let mut lines: [&[f32]; R] = [&[]; R];
    for r in 0..R {
        // Rows past the last one repeat it; their sums are discarded.
        lines[r] = &rows[r.min(count - 1) * depth + k..][..weights.len()];
    }
    let mut totals = [[simd.splat_f32s(0.0); V]; R];
    for (k, w) in weights.iter().enumerate() {
        for r in 0..R {
            let x = simd.splat_f32s(lines[r][k]);
            for v in 0..V {
                totals[r][v] = simd.mul_add_e_f32s(x, w[v], totals[r][v]);
            }
        }
    }
    let sums = S::as_mut_simd_f32s(sums).0;
    for r in 0..R {
        for v in 0..V {
            sums[r * V + v] = simd.add_f32s(sums[r * V + v], totals[r][v]);
        }
    }
}
