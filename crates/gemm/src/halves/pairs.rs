//! Tiles for the instruction that multiplies two bfloat16 by two others and adds the products to a float32:
//! `vdpbf16ps`. It treats denormals as zero.

#![allow(unsafe_code)]

use super::{Block, DEPTH, HalfFactor, Line, ROWS, VECTOR};
use std::arch::x86_64::{
    __m512, __m512bh, __m512i, _mm512_add_ps, _mm512_dpbf16_ps, _mm512_load_si512, _mm512_loadu_ps, _mm512_set1_epi32,
    _mm512_setzero_ps, _mm512_storeu_ps,
};

/// True if this machine has the instruction.
pub(super) fn has() -> bool {
    is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bf16")
}

/// The memory of a tile.
#[derive(Clone, Copy)]
struct Memory {
    elements: *const u16,
    /// The start of the piece in each row, `pieces` entries apart.
    starts: *const usize,
    pieces: usize,
    pairs: usize,
    /// True if an unpaired element follows the pairs.
    odd: bool,
    lines: *const Line,
    sums: *mut f32,
    /// True to start new sums, false to add to the existing ones.
    begins: bool,
}

/// Computes the sums of a block of rows and a panel.
pub(super) fn panel<T: HalfFactor>(
    elements: &[T],
    [pieces, depth]: [usize; 2],
    vectors: usize,
    lines: &[Line],
    block: &Block,
    sums: &mut [f32],
) {
    const { assert!(size_of::<T>() == size_of::<u16>() && align_of::<T>() == align_of::<u16>()) };
    let pairs = depth.div_ceil(2);
    if pieces * pairs == 0 {
        sums.fill(0.0);
        return;
    }
    // The preconditions of the kernels below, once for each panel.
    assert!(block.starts.len() == block.rows * pieces && lines.len() == pieces * pairs * vectors);
    assert!(block.starts.iter().all(|&start| start + depth <= elements.len()));
    assert!(sums.len() >= block.rows * vectors * VECTOR && has());
    let most = match vectors {
        4 => 6,
        3 => 8,
        _ => ROWS,
    };
    // Tiles of nearly equal height: a low one takes nearly as long as a high one.
    let tiles = block.rows.div_ceil(most);
    for piece in 0..pieces {
        for first in (0..depth).step_by(DEPTH) {
            let count = DEPTH.min(depth - first);
            let lines = &lines[(piece * pairs + first / 2) * vectors..][..count.div_ceil(2) * vectors];
            let mut row = 0;
            for tile in 0..tiles {
                let rows = (block.rows - row).div_ceil(tiles - tile);
                let memory = Memory {
                    elements: elements[first..].as_ptr().cast(),
                    starts: block.starts[row * pieces + piece..].as_ptr(),
                    pieces,
                    pairs: count / 2,
                    odd: count % 2 == 1,
                    lines: lines.as_ptr(),
                    sums: sums[row * vectors * VECTOR..].as_mut_ptr(),
                    begins: piece == 0 && first == 0,
                };
                macro_rules! rows {
                    ($vectors:literal, $($n:literal)*) => {
                        // SAFETY: as asserted above, the machine has the instructions, `count` elements lie at
                        // `first` from each start on, there is a line for each vector of each pair, and there are sums
                        // for all rows of the block, of which these are some.
                        unsafe {
                            match rows {
                                $($n => sums_of::<$n, $vectors>(memory),)*
                                _ => unreachable!("a tile has at most as many rows as its panel takes"),
                            }
                        }
                    };
                }
                match vectors {
                    4 => rows!(4, 1 2 3 4 5 6),
                    3 => rows!(3, 1 2 3 4 5 6 7 8),
                    2 => rows!(2, 1 2 3 4 5 6 7 8 9 10 11 12),
                    1 => rows!(1, 1 2 3 4 5 6 7 8 9 10 11 12),
                    _ => unreachable!("a panel has at most four vectors"),
                }
                row += rows;
            }
        }
    }
}

/// Sums of `R` rows and `V` vectors.
///
/// # Safety
/// The machine has AVX512F and AVX512-BF16. From each of `R` starts, `pieces` apart, `2 * pairs` elements lie in the
/// memory of `elements`, and one more if `odd`. There are `V` lines for each pair, the one of the last element
/// included, and `R * V` vectors of sums, which are initialised.
#[target_feature(enable = "avx512f,avx512bf16")]
unsafe fn sums_of<const R: usize, const V: usize>(memory: Memory) {
    let Memory { elements, starts, pieces, pairs, odd, mut lines, sums, begins } = memory;
    // SAFETY: the starts and the elements exist.
    let rows: [*const u16; R] = std::array::from_fn(|r| unsafe { elements.add(*starts.add(r * pieces)) });
    let mut totals: [[__m512; V]; R] = [[_mm512_setzero_ps(); V]; R];
    let bits = |vector: __m512i| -> __m512bh {
        // SAFETY: both are 64 bytes, and all bits are bfloat16.
        unsafe { std::mem::transmute(vector) }
    };
    for p in 0..pairs {
        // SAFETY: `V` lines for each pair; a line is as large and as aligned as a vector.
        let weights: [__m512bh; V] = std::array::from_fn(|v| unsafe { bits(_mm512_load_si512(lines.add(v).cast())) });
        // SAFETY: as above; one past the last line at most.
        lines = unsafe { lines.add(V) };
        for r in 0..R {
            // SAFETY: a pair lies there.
            let pair = unsafe { rows[r].add(2 * p).cast::<i32>().read_unaligned() };
            let pair = bits(_mm512_set1_epi32(pair));
            for v in 0..V {
                totals[r][v] = _mm512_dpbf16_ps(totals[r][v], pair, weights[v]);
            }
        }
    }
    if odd {
        // SAFETY: as above.
        let weights: [__m512bh; V] = std::array::from_fn(|v| unsafe { bits(_mm512_load_si512(lines.add(v).cast())) });
        for r in 0..R {
            // SAFETY: one more element lies there. It is paired with zero, as in the lines.
            let last = bits(_mm512_set1_epi32(i32::from(unsafe { *rows[r].add(2 * pairs) })));
            for v in 0..V {
                totals[r][v] = _mm512_dpbf16_ps(totals[r][v], last, weights[v]);
            }
        }
    }
    for (r, totals) in totals.iter().enumerate() {
        for (v, &total) in totals.iter().enumerate() {
            // SAFETY: `V` vectors of each of `R` rows of sums.
            unsafe {
                let at = sums.add((r * V + v) * VECTOR);
                let before = if begins { _mm512_setzero_ps() } else { _mm512_loadu_ps(at) };
                _mm512_storeu_ps(at, _mm512_add_ps(before, total));
            }
        }
    }
}
