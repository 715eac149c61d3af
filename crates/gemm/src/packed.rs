//! Products of float32 of which the second factor is packed by panels of columns: by the thread that computes the panel or, where
//! the factor is constant, once for all steps.

#![allow(unsafe_code)]

use super::tile::{Aligned, Out, Panels, Piece, Sums, strided};
use super::{Mat, Size, Then};
use levada_kernel::Pool;
use levada_ops_core::moves::turn;
use std::cell::Cell;
use std::ops::Range;

/// Rows of the second factor that are packed at a time, for a panel of them to stay in a second-level cache.
const DEPTH: usize = 1536;
/// Rows of a result that are computed before the weights change.
const ROWS: usize = 240;
/// Rows of a result for which a panel is packed, at most.
const MOST_ROWS: usize = 960;
/// Rows for which packing a panel takes next to nothing.
const PART_ROWS: usize = 192;
/// Results of fewer rows are not worth packing for.
const FEWEST_ROWS: usize = 24;
/// Nor are those of fewer columns, or of sums of fewer products.
const FEWEST: usize = 16;

/// A matrix, packed.
pub struct Packed {
    numbers: Aligned<f32>,
    k: usize,
    n: usize,
}

impl Packed {
    /// Packs a matrix of `k` rows and `n` columns. `None` where it lies beyond its slice.
    pub fn new(pool: &Pool, b: Mat<'_, f32>, (k, n): (usize, usize)) -> Option<Packed> {
        let panels = Panels::of::<f32>();
        let len = k.checked_mul(panels.width(n)).filter(|_| b.holds(k, n))?;
        let mut numbers = Aligned::zeros(len);
        let (mut rest, mut pieces) = (numbers.slice_mut(), Vec::new());
        for (first, width) in columns(n) {
            let (piece, more) = rest.split_at_mut(k * width);
            pieces.push((first, width, piece));
            rest = more;
        }
        pool.for_chunks(&mut pieces, 1, (k * panels.lanes) as f64, |_, pieces| {
            for (first, width, piece) in pieces {
                pack(b, 0..k, *first..n.min(*first + *width), piece, *width);
            }
        });
        Some(Packed { numbers, k, n })
    }

    /// The panel from column `first` on.
    fn panel(&self, first: usize, width: usize) -> &[f32] {
        &self.numbers.slice()[first * self.k..][..width * self.k]
    }

    /// True where it is a matrix of `k` rows and `n` columns.
    pub fn is_of(&self, k: usize, n: usize) -> bool {
        (self.k, self.n) == (k, n)
    }
}

/// The first column and the width of each panel of `n` columns.
fn columns(n: usize) -> impl Iterator<Item = (usize, usize)> {
    let panels = Panels::of::<f32>();
    panels.split(n).scan(0, move |first, vectors| {
        let at = *first;
        *first += vectors * panels.lanes;
        Some((at, vectors * panels.lanes))
    })
}

/// Writes a part of a matrix row by row, rows `width` apart.
fn pack(b: Mat<'_, f32>, rows: Range<usize>, cols: Range<usize>, out: &mut [f32], width: usize) {
    let start = rows.start * b.row + cols.start * b.col;
    if b.row == 1 && b.col > 1 {
        let sides = (rows.len() / 8 * 8, cols.len() / 8 * 8);
        let words = bytemuck::cast_slice_mut(out);
        let turned = turn(bytemuck::cast_slice(b.data), (start, b.col), sides, words, width);
        let sides = if turned { sides } else { (0, 0) };
        for p in 0..rows.len() {
            let first = if p < sides.0 { sides.1 } else { 0 };
            for j in first..cols.len() {
                out[p * width + j] = b.data[start + p + j * b.col];
            }
        }
        return;
    }
    for (p, row) in out.chunks_exact_mut(width).take(rows.len()).enumerate() {
        let from = &b.data[start + p * b.row..];
        match b.col {
            1 => row[..cols.len()].copy_from_slice(&from[..cols.len()]),
            step => row.iter_mut().zip(from.iter().step_by(step.max(1))).take(cols.len()).for_each(|(o, &v)| *o = v),
        }
    }
}

/// The second factor.
#[derive(Clone, Copy)]
pub(super) enum Factor<'a> {
    /// As it is.
    Matrix(Mat<'a, f32>),
    /// Packed before.
    Packed(&'a Packed),
}

/// True where packing a matrix for one product of this size pays.
pub(super) fn pays(size: Size, a: &Mat<'_, f32>, b: &Mat<'_, f32>) -> bool {
    let Size { m, n, k } = size;
    m >= FEWEST_ROWS && n >= FEWEST && k >= FEWEST && a.row > 0 && a.col > 0 && b.row > 0 && b.col > 0
}

/// The start of the result, which the parts of a product share; each writes a rectangle of its own.
struct Start(*mut f32);

// SAFETY: it is only used within `product` below, where no two parts touch the same element, and the parts end before the
// exclusive borrow that the pointer comes from.
unsafe impl Send for Start {}
// SAFETY: as above.
unsafe impl Sync for Start {}

/// `c = a b`, or `c += a b` where `add`. Row `i` of `c` starts at `i * width`. With a pool it is split over its threads.
/// `then` is called with each part of a row that is done.
///
/// # Panics
/// If a matrix does not lie within its slice.
pub(super) fn product(
    pool: Option<&Pool>,
    size: Size,
    a: Mat<'_, f32>,
    b: Factor<'_>,
    (c, width): (&mut [f32], usize),
    add: bool,
    then: Then<'_, f32>,
) {
    let Size { m, n, k } = size;
    if m == 0 || n == 0 {
        return;
    }
    match b {
        Factor::Matrix(b) => assert!(b.holds(k, n), "the second factor lies within its slice"),
        Factor::Packed(b) => assert!(b.is_of(k, n), "the second factor is of the product's size"),
    }
    assert!(a.holds(m, k), "the first factor lies within its slice");
    assert!(width >= n, "rows of the result do not overlap");
    let last = (m - 1).checked_mul(width).and_then(|x| x.checked_add(n));
    assert!(last.is_some_and(|last| last <= c.len()), "the result lies within its slice");
    let start = Start(c.as_mut_ptr());
    let depth = match b {
        Factor::Matrix(_) => k.div_ceil(k.div_ceil(DEPTH)),
        Factor::Packed(_) => k,
    };
    let pieces: Vec<Vec<Piece>> = (0..k).step_by(depth).map(|first| strided(depth.min(k - first), a.col)).collect();
    let panels: Vec<(usize, usize)> = columns(n).collect();
    let threads = pool.map_or(1, Pool::shares);
    // As few parts of rows as are needed for each thread to have several jobs: fewer of them where packing weighs more.
    let for_each = |jobs: usize, rows: usize| (jobs * threads).div_ceil(panels.len()).min(m.div_ceil(rows));
    let parts = m.div_ceil(MOST_ROWS).max(for_each(4, PART_ROWS)).max(for_each(2, FEWEST_ROWS));
    let parts = if threads == 1 { m.div_ceil(MOST_ROWS) } else { parts };
    let each = m.div_ceil(parts).next_multiple_of(6).min(m);
    let parts = m.div_ceil(each);
    let start = &start;
    let job = |job: usize, Scratch(packed): &mut Scratch, places: &mut Places| {
        let (part, (first, wide)) = (job / panels.len(), panels[job % panels.len()]);
        let rows = part * each..((part + 1) * each).min(m);
        let cols = first..n.min(first + wide);
        for (block, pieces) in pieces.iter().enumerate() {
            let inner = block * depth..k.min((block + 1) * depth);
            let weights = match b {
                Factor::Matrix(b) => {
                    let packed = &mut packed.slice_mut()[..inner.len() * wide];
                    pack(b, inner.clone(), cols.clone(), packed, wide);
                    &*packed
                }
                Factor::Packed(b) => b.panel(first, wide),
            };
            for top in rows.clone().step_by(ROWS) {
                let some = top..(top + ROWS).min(rows.end);
                // SAFETY: (i, j) with i < m and j < n lies within `c`, as asserted above. `c` is borrowed mutably for this whole
                // function, and the rectangles of different jobs are disjoint.
                let out =
                    unsafe { Out::shared(start.0.add(top * width + first), (some.len() - 1) * width + cols.len()) };
                let (starts, places) = places.of(some.len(), a.row, width);
                let from = &a.data[top * a.row + inner.start * a.col..];
                let (depth, panels, columns, add) = (inner.len(), Panels::of::<f32>(), cols.len(), add || block > 0);
                Sums { from, starts, pieces, weights, depth, panels, columns, out, places, add }.run();
                let Some(then) = then.filter(|_| inner.end == k) else { continue };
                for i in some {
                    // SAFETY: as above; `Sums` is done.
                    let row = unsafe { std::slice::from_raw_parts_mut(start.0.add(i * width + first), cols.len()) };
                    then(i, first, row);
                }
            }
        }
    };
    let wide = panels.iter().map(|p| p.1).max().unwrap_or(0);
    let len = if matches!(b, Factor::Matrix(_)) { depth * wide } else { 0 };
    let jobs = |range: Range<usize>| {
        let mut scratch = Scratch::take(len);
        let mut places = Places::default();
        range.for_each(|i| job(i, &mut scratch, &mut places));
        scratch.put_back();
    };
    let count = parts * panels.len();
    match pool {
        Some(pool) => pool.for_ranges(count, size.nanos::<f32>() / count as f64, jobs),
        None => jobs(0..count),
    }
}

/// A packed panel.
struct Scratch(Aligned<f32>);

thread_local! {
    /// What this thread used last: clearing new memory would take as long as some products do.
    static LAST: Cell<Option<Scratch>> = const { Cell::new(None) };
}

impl Scratch {
    /// At least so many numbers of any value.
    fn take(len: usize) -> Scratch {
        LAST.take().filter(|last| last.0.slice().len() >= len).unwrap_or_else(|| Scratch(Aligned::zeros(len)))
    }

    fn put_back(self) {
        LAST.set(Some(self));
    }
}

/// Where rows of a factor and of sums begin.
#[derive(Default)]
struct Places {
    starts: Vec<usize>,
    sums: Vec<usize>,
    steps: (usize, usize),
}

impl Places {
    fn of(&mut self, rows: usize, step: usize, width: usize) -> (&[usize], &[usize]) {
        if self.steps != (step, width) {
            self.starts.clear();
            self.sums.clear();
            self.steps = (step, width);
        }
        self.starts.extend((self.starts.len()..rows).map(|i| i * step));
        self.sums.extend((self.sums.len()..rows).map(|i| i * width));
        (&self.starts[..rows], &self.sums[..rows])
    }
}
