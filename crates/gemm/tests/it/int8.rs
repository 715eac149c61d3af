//! Products of 8-bit codes.

use levada_gemm::int8::*;
use levada_kernel::Pool;

fn numbers(n: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // The extreme codes are more frequent than others.
        match state >> 60 {
            0 => 255,
            1 => 0,
            2 => 128,
            _ => (state >> 40) as u8,
        }
    };
    (0..n).map(next).collect()
}

fn copy(tile: &Tile<'_>, out: &mut [i32], width: usize) {
    for i in 0..tile.rows {
        out[i * width..][..tile.columns].copy_from_slice(&tile.sums[i * PANEL..][..tile.columns]);
    }
}

/// Rows of overlapping pieces, as in a convolution, with results in wider rows.
fn check(isa: Isa, threads: usize, m: usize, [pieces, depth, n]: [usize; 3]) {
    let pool = Pool::new(threads);
    let stride = 3;
    let start = |row: usize, piece: usize| row * stride + piece * (depth + 1);
    let codes = numbers((m.max(1) - 1) * stride + pieces * (depth + 1) + depth + 4, 1);
    let weights: Vec<i8> = numbers(pieces * depth * (n + 2), 2).into_iter().map(|w| w as i8).collect();
    let packed = Packed::new(isa, &weights, [pieces, depth, n], n + 2).unwrap();
    let lines = Lines {
        codes: &codes[..],
        rows: m,
        starts: |row: usize, out: &mut [usize]| {
            out.iter_mut().enumerate().for_each(|(piece, out)| *out = start(row, piece));
        },
    };
    let width = n + 5;
    let mut out = vec![-7; m * width];
    multiply(&pool, &lines, &packed, Place { out: &mut out, width, column: 2 }, &copy).unwrap();
    for i in 0..m {
        for j in 0..width {
            let sum = (0..pieces * depth).map(|k| {
                let (piece, k) = (k / depth, k % depth);
                let weight = weights[(piece * depth + k) * (n + 2) + j - 2];
                i32::from(codes[start(i, piece) + k]) * i32::from(weight)
            });
            let expected = if (2..n + 2).contains(&j) { sum.sum() } else { -7 };
            assert_eq!(out[i * width + j], expected, "{isa:?} {m} x {pieces} x {depth} x {n} at {i},{j}");
        }
    }
    for (j, &sum) in packed.sums().iter().enumerate() {
        assert_eq!(sum, (0..pieces * depth).map(|k| i32::from(weights[k * (n + 2) + j])).sum::<i32>());
    }
}

#[test]
fn all_instructions_give_the_same_sums() {
    for isa in Isa::all() {
        for m in [0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 25] {
            for n in [0, 1, 15, 16, 17, 31, 32, 33, 70] {
                for (pieces, depth) in [(1, 1), (1, 4), (3, 7), (2, 0), (5, 12)] {
                    check(isa, 1, m, [pieces, depth, n]);
                }
            }
        }
        check(isa, 2, 7, [9, 64, 300]);
        check(isa, 2, 500, [3, 21, 40]);
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let weights = vec![1i8; 64];
    assert!(Packed::new(Isa::Portable, &weights, [1, 65, 1], 1).is_err());
    assert!(Packed::new(Isa::Portable, &[], [2, DEEPEST, 0], 0).is_err());
    assert!(Packed::modular(Isa::Portable, &[], [2, DEEPEST, 0], 0).is_ok());
    assert!(Packed::modular(Isa::Portable, &weights, [1, 65, 1], 1).is_err());
    assert!(Packed::modular(Isa::Portable, &weights, [1, 3, 1], usize::MAX).is_err());
    assert!(Packed::new(Isa::Portable, &[], [usize::MAX, 2, 0], 0).is_err());
    let pool = Pool::new(1);
    for isa in Isa::all() {
        let packed = Packed::new(isa, &weights, [1, 8, 8], 8).unwrap();
        let codes = [0u8; 16];
        let run = |first: usize, out: &mut [i32]| {
            let lines = Lines { codes: &codes, rows: 2, starts: |row: usize, s: &mut [usize]| s[0] = first + row };
            multiply(&pool, &lines, &packed, Place { out, width: 8, column: 0 }, &copy)
        };
        assert!(run(7, &mut [0; 16]).is_ok());
        assert!(run(8, &mut [0; 16]).is_err());
        assert!(run(0, &mut [0; 15]).is_err());
    }
}

#[test]
fn sums_of_any_number_of_products_are_modular() {
    let depth = 2 * DEEPEST;
    let (codes, weights) = (vec![255u8; depth], vec![-128i8; depth]);
    for isa in Isa::all() {
        let packed = Packed::modular(isa, &weights, [1, depth, 1], 1).unwrap();
        let lines = Lines { codes: &codes, rows: 1, starts: |_: usize, starts: &mut [usize]| starts[0] = 0 };
        let mut out = [0];
        multiply(&Pool::new(1), &lines, &packed, Place { out: &mut out, width: 1, column: 0 }, &copy).unwrap();
        assert_eq!(out, [(0..depth).fold(0i32, |sum, _| sum.wrapping_sub(255 * 128))], "{isa:?}");
    }
}
