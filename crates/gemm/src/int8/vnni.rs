//! Tiles for the instruction that multiplies four codes by four weights and adds the products: `vpdpbusd`.

#![allow(unsafe_code)]

use super::{HALF, Isa, Line, PANEL, Panel, QUAD, ROWS, Whole};
use std::arch::x86_64::{
    __m256i, __m512i, _mm256_dpbusd_avx_epi32, _mm256_load_si256, _mm256_set1_epi32, _mm256_setzero_si256,
    _mm256_storeu_si256, _mm512_dpbusd_epi32, _mm512_load_si512, _mm512_set1_epi32, _mm512_setzero_si512,
    _mm512_storeu_si512,
};

/// True if this machine has the instructions of [`wide`].
pub(super) fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vnni")
}

/// True if this machine has the instructions of [`narrow`].
pub(super) fn has_avx() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("avxvnni")
}

/// The memory of a tile.
#[derive(Clone, Copy)]
struct Memory {
    codes: *const u8,
    /// `pieces` entries for each row.
    starts: *const usize,
    pieces: usize,
    quads: usize,
    lines: *const Line,
    /// [`PANEL`] elements for each row.
    sums: *mut i32,
}

/// Computes the sums of a tile.
pub(super) fn tile(
    whole: &Whole<'_>,
    panel: &Panel<'_>,
    starts: &[usize],
    rows: usize,
    sums: &mut [i32; ROWS * PANEL],
) {
    let (pieces, quads) = (whole.weights.pieces, whole.weights.quads());
    // The preconditions of the kernels below, once for each tile.
    assert!(starts.len() == rows * pieces && panel.lines.len() == panel.halves * pieces * quads);
    let memory = Memory {
        codes: whole.codes.as_ptr(),
        starts: starts.as_ptr(),
        pieces,
        quads,
        lines: panel.lines.as_ptr(),
        sums: sums.as_mut_ptr(),
    };
    macro_rules! rows {
        ($kernel:ident, $halves:literal, $($n:literal)*) => {
            // SAFETY: the machine has the instructions: the weights were packed for them, and `Isa::all` says which it
            // has. All starts are such that `quads` quads from there on are within the codes (`Whole::starts`), the
            // lines are as many as the assertion says, and the sums have room for `ROWS` rows.
            unsafe {
                match rows {
                    $($n => $kernel::<$n, $halves>(memory),)*
                    _ => unreachable!("a tile has at most as many rows as its instructions take"),
                }
            }
        };
    }
    match (whole.weights.isa, panel.halves) {
        (Isa::Avx512, 2) => rows!(wide, 2, 1 2 3 4 5 6 7 8 9 10 11 12),
        (Isa::Avx512, _) => rows!(wide, 1, 1 2 3 4 5 6 7 8 9 10 11 12),
        _ => rows!(narrow, 1, 1 2 3 4 5 6),
    }
}

/// Four codes of a row as one 32-bit value.
///
/// # Safety
/// There are four bytes at `at`.
#[inline(always)]
unsafe fn quad(at: *const u8) -> i32 {
    // SAFETY: this function's contract.
    unsafe { at.cast::<i32>().read_unaligned() }
}

/// A tile of `R` rows and `V` half panels.
///
/// # Safety
/// The machine has AVX512F and AVX512-VNNI. `starts` has `R * pieces` entries; from each on, `quads * QUAD` codes lie
/// in the memory of `codes`. There are `V * pieces * quads` lines, and sums for `R` rows.
#[target_feature(enable = "avx512f,avx512vnni")]
unsafe fn wide<const R: usize, const V: usize>(memory: Memory) {
    let Memory { codes, starts, pieces, quads, mut lines, sums } = memory;
    let mut totals: [[__m512i; V]; R] = [[_mm512_setzero_si512(); V]; R];
    for piece in 0..pieces {
        // SAFETY: `piece` is below `pieces`, and starts are within the codes.
        let rows: [*const u8; R] = std::array::from_fn(|r| unsafe { codes.add(*starts.add(r * pieces + piece)) });
        for q in 0..quads {
            // SAFETY: `V` lines for each quad of each piece; a line is as large and as aligned as a vector.
            let weights: [__m512i; V] = std::array::from_fn(|v| unsafe { _mm512_load_si512(lines.add(v).cast()) });
            // SAFETY: as above; one past the last line at most.
            lines = unsafe { lines.add(V) };
            for r in 0..R {
                // SAFETY: `quads` quads lie at each start.
                let codes = _mm512_set1_epi32(unsafe { quad(rows[r].add(q * QUAD)) });
                for v in 0..V {
                    totals[r][v] = _mm512_dpbusd_epi32(totals[r][v], codes, weights[v]);
                }
            }
        }
    }
    for (r, totals) in totals.iter().enumerate() {
        for (v, &total) in totals.iter().enumerate() {
            // SAFETY: `V` halves of each of `R` rows of sums.
            unsafe { _mm512_storeu_si512(sums.add(r * PANEL + v * HALF).cast(), total) };
        }
    }
}

/// A tile of `R` rows and one half panel, in two vectors.
///
/// # Safety
/// As for [`wide`], with AVX2 and AVX-VNNI; `V` is 1.
#[target_feature(enable = "avx2,avxvnni")]
unsafe fn narrow<const R: usize, const V: usize>(memory: Memory) {
    let Memory { codes, starts, pieces, quads, mut lines, sums } = memory;
    let mut totals: [[__m256i; 2]; R] = [[_mm256_setzero_si256(); 2]; R];
    for piece in 0..pieces {
        // SAFETY: `piece` is below `pieces`, and starts are within the codes.
        let rows: [*const u8; R] = std::array::from_fn(|r| unsafe { codes.add(*starts.add(r * pieces + piece)) });
        for q in 0..quads {
            let line: *const __m256i = lines.cast();
            // SAFETY: a line for each quad of each piece, as large as two vectors and aligned more.
            let weights = unsafe { [_mm256_load_si256(line), _mm256_load_si256(line.add(1))] };
            // SAFETY: as above; one past the last line at most.
            lines = unsafe { lines.add(V) };
            for r in 0..R {
                // SAFETY: `quads` quads lie at each start.
                let codes = _mm256_set1_epi32(unsafe { quad(rows[r].add(q * QUAD)) });
                totals[r] = [0, 1].map(|v| _mm256_dpbusd_avx_epi32(totals[r][v], codes, weights[v]));
            }
        }
    }
    for (r, totals) in totals.iter().enumerate() {
        for (v, &total) in totals.iter().enumerate() {
            // SAFETY: two vectors are half a row of sums.
            unsafe { _mm256_storeu_si256(sums.add(r * PANEL + v * HALF / 2).cast(), total) };
        }
    }
}
