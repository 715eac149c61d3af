//! Products of matrices of 8-bit codes, each with an offset: the code of zero.

use crate::prelude::*;
use levada_kernel::Pool;
use std::borrow::Cow;

/// An 8-bit code.
pub trait Small: Element + Copy {
    /// Returns the code as a wider integer.
    fn wide(self) -> i16;
}

impl Small for u8 {
    #[inline(always)]
    fn wide(self) -> i16 {
        self.into()
    }
}

impl Small for i8 {
    #[inline(always)]
    fn wide(self) -> i16 {
        self.into()
    }
}

/// Number of rows of the other factor that a row is multiplied with at the same time.
const ROWS: usize = 4;

/// The rows of a matrix of codes, as 16-bit integers, and the code of zero.
pub struct Rows<'a> {
    codes: Cow<'a, [i16]>,
    depth: usize,
    sums: Vec<i32>,
    zero: i32,
}

impl<'a> Rows<'a> {
    /// Returns the rows of a `rows` by `depth` matrix of codes; with `transposed`, the codes are those of its
    /// transpose.
    pub fn new<T: Small>(codes: &[T], transposed: bool, [rows, depth]: [usize; 2], zero: i32) -> Rows<'a> {
        let codes = if transposed {
            let mut out = vec![0; rows * depth];
            for (k, codes) in codes.chunks_exact(rows.max(1)).take(depth).enumerate() {
                for (row, &code) in codes.iter().enumerate() {
                    out[row * depth + k] = code.wide();
                }
            }
            out
        } else {
            codes[..rows * depth].iter().map(|&code| code.wide()).collect()
        };
        Rows::of(codes.into(), depth, zero)
    }

    /// Rows of `depth` codes.
    pub fn of(codes: Cow<'a, [i16]>, depth: usize, zero: i32) -> Rows<'a> {
        let sum = |row: &[i16]| row.iter().fold(0i32, |sum, &code| sum.wrapping_add(code.into()));
        let sums = codes.chunks_exact(depth.max(1)).map(sum).collect();
        Rows { codes, depth, sums, zero }
    }
}

/// Sets `out[i, j]`, with one row for each of `a`, to the sum of products of row `i` of `a` and row `j` of `b`, both
/// less their zeros. Sums wrap.
pub fn multiply(pool: &Pool, a: &Rows<'_>, b: &Rows<'_>, n: usize, out: &mut [i32]) {
    let k = a.depth;
    if n == 0 || k == 0 {
        return out.fill(0);
    }
    // The sum of products of differences is the sum of products, less the terms with the zeros.
    let constant = (k as i32).wrapping_mul(a.zero).wrapping_mul(b.zero);
    pool.for_chunks(out, n, (k * n) as f64 * 0.1, |first, out| {
        vectorized!({
            for (i, out) in out.chunks_exact_mut(n).enumerate() {
                let row = &a.codes[(first + i) * k..][..k];
                let base = constant.wrapping_sub(a.sums[first + i].wrapping_mul(b.zero));
                for (j, out) in out.chunks_mut(ROWS).enumerate() {
                    let columns = &b.codes[j * ROWS * k..];
                    let mut totals = [0i32; ROWS];
                    match out.len() {
                        ROWS => totals = dot_several(row, columns),
                        few => (0..few).for_each(|c| totals[c] = dot(row, &columns[c * k..][..k])),
                    }
                    let sums = &b.sums[j * ROWS..];
                    for ((out, total), sum) in out.iter_mut().zip(totals).zip(sums) {
                        *out = total.wrapping_add(base).wrapping_sub(sum.wrapping_mul(a.zero));
                    }
                }
            }
        });
    });
}

#[inline(always)]
fn dot(a: &[i16], b: &[i16]) -> i32 {
    a.iter().zip(b).fold(0i32, |sum, (&a, &b)| sum.wrapping_add(i32::from(a) * i32::from(b)))
}

#[inline(always)]
fn dot_several(row: &[i16], columns: &[i16]) -> [i32; ROWS] {
    let k = row.len();
    let [b0, b1, b2, b3] = [0, 1, 2, 3].map(|c| &columns[c * k..][..k]);
    let mut sums = [0i32; ROWS];
    for i in 0..k {
        let a = i32::from(row[i]);
        sums[0] = sums[0].wrapping_add(a * i32::from(b0[i]));
        sums[1] = sums[1].wrapping_add(a * i32::from(b1[i]));
        sums[2] = sums[2].wrapping_add(a * i32::from(b2[i]));
        sums[3] = sums[3].wrapping_add(a * i32::from(b3[i]));
    }
    sums
}
