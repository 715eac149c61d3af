//! Several products with short sums, added one after the other to the same results: a few rows of these stay in registers
//! until all products have been added.

use super::out::Out;
use super::packed::{Group, Scratch, TILE_ROWS, pack_slab};
use super::tile::{Lanes, Panels, dispatch};
use super::{Mat, Size};
use levada_kernel::Pool;
use pulp::{Simd, WithSimd};
use std::ops::Range;

/// Rows whose results and sums are in registers at the same time.
const ROWS: usize = 3;
/// Elements of the weights of a panel that stay in the first-level cache.
const NEAR: usize = 8192;
/// Elements of what is packed, at most, for which the memory is kept for the next time.
const KEPT: usize = 1 << 20;
/// Rows of results that are computed before the weights change; whole slabs.
const NEAR_ROWS: usize = 40 * TILE_ROWS;

/// What is packed for a product: some rows of the first factor, or a group of columns of the second one.
enum Task<'a> {
    Slab(Mat<'a, f32>, Range<usize>, &'a mut [f32]),
    Columns(Mat<'a, f32>, &'a Group, &'a mut [f32]),
}

impl Task<'_> {
    fn run(&mut self, k: usize) {
        match self {
            Task::Slab(a, rows, out) if rows.len() == TILE_ROWS => pack_slab::<TILE_ROWS>(*a, rows.start, 0..k, out),
            Task::Slab(a, rows, out) => {
                out.fill(0.0);
                for (p, out) in out.as_chunks_mut::<TILE_ROWS>().0.iter_mut().enumerate() {
                    rows.clone().zip(out).for_each(|(row, out)| *out = a.data[row * a.row + p * a.col]);
                }
            }
            Task::Columns(b, group, out) => group.pack(*b, 0..k, out),
        }
    }
}

/// The number of products whose weights for a panel stay in the first-level cache together.
fn together(k: usize) -> usize {
    let panels = Panels::of::<f32>();
    NEAR / (k * panels.most * panels.lanes).max(1)
}

/// True if several products of this size are added faster than one after the other.
pub(super) fn pays(Size { m, n, k }: Size) -> bool {
    m > 0 && n > 0 && k > 0 && Panels::of::<f32>().lanes > 1 && together(k) > 1
}

/// Adds the products of all factors to `c`, which is of their size and row-major. False, with nothing changed, if that is better done
/// one product after the other.
///
/// # Panics
/// If a matrix does not lie within its slice.
pub(super) fn add(
    pool: &Pool,
    Size { m, n, k }: Size,
    factors: &[(Mat<'_, f32>, Mat<'_, f32>)],
    c: &mut [f32],
) -> bool {
    if factors.len() < 2 || !pays(Size { m, n, k }) {
        return false;
    }
    let (lanes, together) = (Panels::of::<f32>().lanes, together(k));
    let (groups, height) = (Group::all(n), m.next_multiple_of(TILE_ROWS));
    let wide: usize = groups.iter().map(Group::width).sum();
    let Some(mut scratch) = (height + wide).checked_mul(k * factors.len()).and_then(Scratch::try_take) else {
        return false;
    };
    let (firsts, seconds) = scratch.numbers().split_at_mut(height * k * factors.len());
    let mut tasks = Vec::new();
    for (&(a, b), (first, second)) in
        factors.iter().zip(firsts.chunks_exact_mut(height * k).zip(seconds.chunks_exact_mut(wide * k)))
    {
        let slabs = first.chunks_exact_mut(TILE_ROWS * k).zip((0..m).step_by(TILE_ROWS));
        tasks.extend(slabs.map(|(out, top)| Task::Slab(a, top..m.min(top + TILE_ROWS), out)));
        let mut rest = second;
        for group in &groups {
            let (out, more) = rest.split_at_mut(group.width() * k);
            tasks.push(Task::Columns(b, group, out));
            rest = more;
        }
    }
    pool.for_chunks(&mut tasks, 1, (TILE_ROWS * k) as f64 * 0.4, |_, tasks| {
        tasks.iter_mut().for_each(|task| task.run(k))
    });
    let (firsts, seconds) = (&*firsts, &*seconds);
    let block = |first_row: usize, c: &mut [f32]| {
        for (cols, width) in groups.iter().flat_map(Group::panels) {
            for some in (0..factors.len()).step_by(together).map(|first| first..factors.len().min(first + together)) {
                let product = |p: usize| {
                    let slabs = firsts[(p * height + first_row) * k..].as_chunks().0;
                    (slabs, &seconds[p * wide * k + cols.start * k..][..width * k])
                };
                let (products, vectors, columns) = (some.map(product).collect(), width / lanes, cols.len());
                let (rows, out) = (c.len() / n, Out::from(&mut c[cols.start..]));
                dispatch::<f32, _>(Several { products, depth: k, vectors, columns, out, width: n, rows });
            }
        }
    };
    let nanos = Size { m: TILE_ROWS, n, k }.nanos::<f32>() * factors.len() as f64;
    pool.for_chunks(c, TILE_ROWS * n, nanos, |at, c| {
        let blocks = c.chunks_mut(NEAR_ROWS * n).enumerate();
        blocks.for_each(|(i, c)| block(at * TILE_ROWS + i * NEAR_ROWS, c));
    });
    if scratch.numbers().len() <= KEPT {
        scratch.put_back();
    }
    true
}

/// A first factor by slabs, and the weights of the second one for a panel of columns.
type Product<'a> = (&'a [[f32; TILE_ROWS]], &'a [f32]);

/// The work for a panel of columns.
struct Several<'a> {
    products: Vec<Product<'a>>,
    /// Elements of a sum.
    depth: usize,
    /// Vectors of the panel, and the number of columns that these hold.
    vectors: usize,
    columns: usize,
    /// The results, and the elements from row to row.
    out: Out<'a, f32>,
    width: usize,
    rows: usize,
}

impl Several<'_> {
    #[inline(always)]
    fn panel<S: Simd, const N: usize>(&mut self, simd: S) {
        const { assert!(TILE_ROWS == 2 * ROWS) };
        let whole = (N - 1) * size_of::<S::f32s>() / size_of::<f32>();
        for top in (0..self.rows).step_by(ROWS) {
            let mut results = [[simd.splat_f32s(0.0); N]; ROWS];
            for (i, result) in results.iter_mut().enumerate().take(self.rows - top) {
                let (vectors, rest) = self.out.row((top + i) * self.width, self.columns).split_at(whole);
                let vectors = f32::vectors::<S>(vectors);
                (0..N - 1).for_each(|v| result[v] = vectors[v]);
                result[N - 1] = f32::load_part(simd, rest);
            }
            for (slabs, weights) in &self.products {
                let slab = &slabs[top / TILE_ROWS * self.depth..][..self.depth];
                let weights = f32::vectors::<S>(weights).as_chunks().0;
                let sums = match top % TILE_ROWS {
                    0 => sums::<S, N, 0>(simd, slab, weights),
                    _ => sums::<S, N, ROWS>(simd, slab, weights),
                };
                for i in 0..ROWS {
                    (0..N).for_each(|v| results[i][v] = simd.add_f32s(results[i][v], sums[i][v]));
                }
            }
            for (i, result) in results.iter().enumerate().take(self.rows - top) {
                let (vectors, rest) = self.out.row((top + i) * self.width, self.columns).split_at_mut(whole);
                let vectors = f32::vectors_mut::<S>(vectors);
                (0..N - 1).for_each(|v| vectors[v] = result[v]);
                f32::store_part(simd, rest, result[N - 1]);
            }
        }
    }
}

/// The sums of the rows of each slab from `FIRST` on.
#[inline(always)]
fn sums<S: Simd, const N: usize, const FIRST: usize>(
    simd: S,
    slab: &[[f32; TILE_ROWS]],
    weights: &[[S::f32s; N]],
) -> [[S::f32s; N]; ROWS] {
    let mut sums = [[simd.splat_f32s(0.0); N]; ROWS];
    for (x, w) in slab.iter().zip(weights) {
        for i in 0..ROWS {
            let x = simd.splat_f32s(x[FIRST + i]);
            (0..N).for_each(|v| sums[i][v] = simd.mul_add_e_f32s(x, w[v], sums[i][v]));
        }
    }
    sums
}

impl WithSimd for Several<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        // Without many registers a panel has at most two vectors.
        match self.vectors {
            1 => self.panel::<S, 1>(simd),
            3 if const { S::REGISTER_COUNT >= 32 } => self.panel::<S, 3>(simd),
            4 if const { S::REGISTER_COUNT >= 32 } => self.panel::<S, 4>(simd),
            _ => self.panel::<S, 2>(simd),
        }
    }
}
