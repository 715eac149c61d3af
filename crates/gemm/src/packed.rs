//! Products of float32 whose second factor is packed by panels of columns: by the thread that computes the panel or, if
//! the factor is constant, once for all steps.

#![allow(unsafe_code)]

use super::tile::{Ahead, Aligned, Out, Panels, Piece, Sums, strided};
use super::{Finisher, Mat, Size};
use levada_graph::{Error, Result};
use levada_kernel::Pool;
use levada_kernel::stream::{line, prefetch};
use levada_ops_core::moves::turn;
use std::cell::Cell;
use std::ops::Range;

/// Rows of the second factor that are packed at a time, so that a group of panels of them stays in the second-level
/// cache.
const DEPTH: usize = 1536;
/// Columns of a group: panels that are packed and multiplied together, so that each row of the second factor is read in
/// several whole cache lines.
const TOGETHER: usize = 64;
/// Rows of a tile.
pub(super) const TILE_ROWS: usize = 6;
/// Rows of a result that are computed before the weights change.
const ROWS: usize = 240;
/// Maximum number of rows of a result that a panel is packed for.
const MOST_ROWS: usize = 4096;
/// The same if no panel is packed for them, or if the first factor is packed too, part of which then stays in a cache.
const MOST_NEAR_ROWS: usize = 960;
/// For sums of at most this many products, writing the result costs a considerable part of the time.
const SHORT_DEPTH: usize = 512;
/// Columns of a result for which it pays to pack a first factor whose rows are not contiguous.
const SLAB_COLUMNS: usize = 128;
/// Columns of such a factor that are packed next to each other.
const SLAB_DEPTH: usize = 512;
/// Rows for which the time to pack a panel is negligible.
const PART_ROWS: usize = 192;
/// Packing does not pay for results of fewer rows.
const FEWEST_ROWS: usize = 24;
/// Nor for fewer columns, or for sums of fewer products.
const FEWEST: usize = 16;

/// Elements of a second factor that is too large to be in a cache before the product, or of a result that is too large to
/// stay in one.
const FAR: usize = 1 << 18;
/// Rows of a result, at most, for which panels are prefetched that have been packed before: for more, reading them takes
/// little of the time.
const FETCHED_FOR: usize = 48;
/// Rows of a matrix that are prefetched before they are packed.
const FETCHED_ROWS: usize = 16;

/// A matrix, packed.
pub struct Packed {
    numbers: Aligned<f32>,
    k: usize,
    n: usize,
}

impl Packed {
    /// Packs a matrix of `k` rows and `n` columns.
    ///
    /// # Errors
    /// `INTERNAL` if it exceeds its slice, `RESOURCE_EXHAUSTED` if there is no memory for it.
    pub fn new(pool: &Pool, b: Mat<'_, f32>, (k, n): (usize, usize)) -> Result<Packed> {
        let panels = Panels::of::<f32>();
        if !b.holds(k, n) {
            return Err(Error::internal(format!("a matrix does not hold {k} rows of {n} columns")));
        }
        let no_memory = || Error::resource_exhausted(format!("no memory for a packed matrix of {k} x {n} float32"));
        let numbers = k.checked_mul(panels.width(n)).and_then(Aligned::try_zeros);
        let mut numbers = numbers.ok_or_else(no_memory)?;
        let (mut rest, mut pieces) = (numbers.slice_mut(), Vec::new());
        for group in Group::all(n) {
            let (piece, more) = rest.split_at_mut(k * group.width());
            pieces.push((group, piece));
            rest = more;
        }
        pool.for_chunks(&mut pieces, 1, (k * TOGETHER) as f64 * 0.3, |_, pieces| {
            pieces.iter_mut().for_each(|(group, piece)| group.pack(b, 0..k, piece));
        });
        Ok(Packed { numbers, k, n })
    }

    /// These rows of the panel that starts at column `first`.
    fn panel(&self, first: usize, width: usize, rows: &Range<usize>) -> &[f32] {
        &self.numbers.slice()[first * self.k..][rows.start * width..rows.end * width]
    }

    /// True if it is a matrix of `k` rows and `n` columns.
    pub fn is_of(&self, k: usize, n: usize) -> bool {
        (self.k, self.n) == (k, n)
    }
}

/// Panels side by side.
pub(super) struct Group {
    cols: Range<usize>,
    /// The width of each panel, padded to whole vectors.
    widths: Vec<usize>,
}

impl Group {
    /// The groups of `n` columns.
    pub(super) fn all(n: usize) -> Vec<Group> {
        let panels = Panels::of::<f32>();
        let mut groups: Vec<Group> = Vec::new();
        for width in panels.split(n).map(|vectors| vectors * panels.lanes) {
            match groups.last_mut().filter(|last| last.width() + width <= TOGETHER) {
                Some(last) => last.widths.push(width),
                None => {
                    let first = groups.last().map_or(0, |last| last.cols.start + last.width());
                    groups.push(Group { cols: first..first, widths: vec![width] });
                }
            }
        }
        groups.iter_mut().for_each(|group| group.cols.end = n.min(group.cols.start + group.width()));
        groups
    }

    /// The number of columns, padded to whole vectors.
    pub(super) fn width(&self) -> usize {
        self.widths.iter().sum()
    }

    /// The columns of each panel, and its padded width.
    pub(super) fn panels(&self) -> impl Iterator<Item = (Range<usize>, usize)> + '_ {
        self.widths.iter().scan(self.cols.start, |next, &width| {
            let first = *next;
            *next += width;
            Some((first..self.cols.end.min(*next), width))
        })
    }

    /// Writes rows of a matrix panel by panel, and row by row in each.
    pub(super) fn pack(&self, b: Mat<'_, f32>, rows: Range<usize>, out: &mut [f32]) {
        if b.col != 1 {
            let mut rest = out;
            for (cols, width) in self.panels() {
                let (panel, more) = rest.split_at_mut(rows.len() * width);
                pack_columns(b, rows.clone(), cols, panel, width);
                rest = more;
            }
            return;
        }
        for some in (0..rows.len()).step_by(FETCHED_ROWS) {
            let some = some..rows.len().min(some + FETCHED_ROWS);
            // The hardware does not prefetch parts of rows that are far apart.
            for p in some.clone() {
                let next = (rows.start + p + FETCHED_ROWS) * b.row + self.cols.start;
                (0..self.cols.len()).step_by(line::<f32>()).for_each(|j| prefetch(b.data, next + j));
            }
            let mut at = 0;
            for (cols, width) in self.panels() {
                let from = &b.data[(rows.start + some.start) * b.row + cols.start..];
                let to = &mut out[at + some.start * width..][..some.len() * width];
                match width {
                    16 if cols.len() == 16 => copy_rows::<16>(from, b.row, to),
                    64 if cols.len() == 64 => copy_rows::<64>(from, b.row, to),
                    _ => {
                        for (p, to) in to.chunks_exact_mut(width).enumerate() {
                            to[..cols.len()].copy_from_slice(&from[p * b.row..][..cols.len()]);
                        }
                    }
                }
                at += rows.len() * width;
            }
        }
    }
}

/// Writes the first `WIDTH` elements of rows that are `step` apart.
fn copy_rows<const WIDTH: usize>(from: &[f32], step: usize, to: &mut [f32]) {
    for (p, to) in to.as_chunks_mut::<WIDTH>().0.iter_mut().enumerate() {
        to.copy_from_slice(&from[p * step..][..WIDTH]);
    }
}

/// Writes a part of a matrix whose rows are not contiguous row by row, rows `width` apart.
fn pack_columns(b: Mat<'_, f32>, rows: Range<usize>, cols: Range<usize>, out: &mut [f32], width: usize) {
    let start = rows.start * b.row + cols.start * b.col;
    if b.row == 1 {
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
        let from = b.data[start + p * b.row..].iter().step_by(b.col.max(1));
        row.iter_mut().zip(from).take(cols.len()).for_each(|(o, &v)| *o = v);
    }
}

/// The size of nearly equal parts of `all`, none larger than `most`.
fn evenly(all: usize, most: usize) -> usize {
    all.div_ceil(all.div_ceil(most).max(1)).max(1)
}

/// The maximum number of products in a sum for which the order of summation does not depend on whether a factor was
/// packed before.
pub const MOST_ALIKE: usize = DEPTH;
/// The maximum number of products in a sum that is complete before it is written.
pub(super) const MOST_AT_ONCE: usize = SLAB_DEPTH;

/// The second factor.
#[derive(Clone, Copy)]
pub enum Factor<'a> {
    /// Unpacked.
    Matrix(Mat<'a, f32>),
    /// Packed before.
    Packed(&'a Packed),
}

/// True if packing a matrix for a single product of this size pays.
pub(super) fn pays(size: Size, a: &Mat<'_, f32>, b: &Mat<'_, f32>) -> bool {
    let Size { m, n, k } = size;
    m >= FEWEST_ROWS && n >= FEWEST && k >= FEWEST && a.row > 0 && a.col > 0 && b.row > 0 && b.col > 0
}

/// A first factor whose rows are not contiguous, packed by slabs of as many rows as a tile has, one block of columns
/// after another: the elements of a column of a slab are contiguous, and so are the slabs of a block, so that tiles
/// read a single stream.
struct Slabs {
    numbers: Aligned<f32>,
    /// Rows of a slab.
    rows: usize,
    /// The number of rows, including those that pad the last slab.
    height: usize,
}

impl Slabs {
    /// Packs a matrix of `m` rows and `k` columns, by blocks of `depth` columns; `None` if there is no memory for it.
    fn of(pool: Option<&Pool>, (m, k): (usize, usize), a: Mat<'_, f32>, depth: usize) -> Option<Slabs> {
        let rows = TILE_ROWS;
        let height = m.next_multiple_of(rows);
        let mut numbers = Aligned::try_zeros(height.checked_mul(k)?)?;
        let (mut rest, mut slabs) = (numbers.slice_mut(), Vec::new());
        for start in (0..k).step_by(depth) {
            let cols = start..k.min(start + depth);
            for top in (0..m).step_by(rows) {
                let (slab, more) = rest.split_at_mut(rows * cols.len());
                slabs.push((top, cols.clone(), slab));
                rest = more;
            }
        }
        let pack = |slabs: &mut [(usize, Range<usize>, &mut [f32])]| {
            for (top, cols, slab) in slabs {
                match m - *top >= rows {
                    true => pack_slab::<TILE_ROWS>(a, *top, cols.clone(), slab),
                    false => (*top..m).zip(0..rows).for_each(|(row, i)| {
                        for (p, out) in cols.clone().zip(slab.chunks_exact_mut(rows)) {
                            out[i] = a.data[row * a.row + p * a.col];
                        }
                    }),
                }
            }
        };
        match pool {
            Some(pool) => pool.for_chunks(&mut slabs, 1, (rows * depth) as f64 * 0.4, |_, slabs| pack(slabs)),
            None => pack(&mut slabs),
        }
        Some(Slabs { numbers, rows, height })
    }
}

/// Writes columns of `ROWS` rows of a matrix one after the other.
pub(super) fn pack_slab<const ROWS: usize>(a: Mat<'_, f32>, top: usize, cols: Range<usize>, slab: &mut [f32]) {
    for (p, out) in cols.zip(slab.as_chunks_mut::<ROWS>().0) {
        let from = &a.data[top * a.row + p * a.col..];
        match a.row {
            1 => out.copy_from_slice(&from[..ROWS]),
            row => (0..ROWS).for_each(|i| out[i] = from[i * row]),
        }
    }
}

/// The start of the result, which the parts of a product share; each writes a rectangle of its own.
struct Start(*mut f32);

// SAFETY: it is only used within `product` below, where no two parts touch the same element, and the parts end before
// the exclusive borrow that the pointer comes from.
unsafe impl Send for Start {}
// SAFETY: as above.
unsafe impl Sync for Start {}

/// `c = a b`, or `c += a b` if `add`. Row `i` of `c` starts at `i * width`. If there is a pool, the work is split over
/// its threads. The finisher is applied to each part of a row once its sums are complete.
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
    finisher: Option<&Finisher<'_>>,
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
    let is_slabbed = a.col > 1 && n >= SLAB_COLUMNS;
    let slabs = if is_slabbed { Slabs::of(pool, (m, k), a, evenly(k, SLAB_DEPTH)) } else { None };
    let depth = match b {
        _ if slabs.is_some() => evenly(k, SLAB_DEPTH),
        Factor::Matrix(_) => evenly(k, DEPTH),
        Factor::Packed(_) => k,
    };
    let (numbers, tile, step) = match &slabs {
        Some(slabs) => (slabs.numbers.slice(), slabs.rows, slabs.rows),
        None => (a.data, TILE_ROWS, a.col),
    };
    // Short sums write more than they read: a part of a large result stays in the second-level cache until all its columns
    // are written.
    let writes_much = k <= SHORT_DEPTH && m * n >= FAR;
    let most_rows = match b {
        Factor::Packed(_) if writes_much => ROWS,
        Factor::Matrix(_) if slabs.is_none() && !writes_much => MOST_ROWS,
        _ => MOST_NEAR_ROWS,
    };
    let place = |row: usize, inner: &Range<usize>| match &slabs {
        Some(slabs) => inner.start * slabs.height + row / slabs.rows * slabs.rows * inner.len() + row % slabs.rows,
        None => row * a.row + inner.start * a.col,
    };
    let block = |first: usize| {
        let inner = first..k.min(first + depth);
        let starts: Vec<usize> = (0..m.min(ROWS)).map(|row| place(row, &inner) - place(0, &inner)).collect();
        let pieces = strided(inner.len(), step);
        (inner, starts, pieces)
    };
    let blocks: Vec<(Range<usize>, Vec<usize>, Vec<Piece>)> = (0..k).step_by(depth).map(block).collect();
    let places: Vec<usize> = (0..m.min(ROWS)).map(|row| row * width).collect();
    // If a tile's sums are complete, they can be finished in registers.
    let is_whole = !add && matches!(&blocks[..], [(_, _, pieces)] if pieces.len() == 1);
    let ending = finisher.filter(|_| is_whole).and_then(Finisher::ending);
    let finisher = finisher.filter(|_| ending.is_none());
    let groups = Group::all(n);
    let threads = pool.map_or(1, Pool::shares);
    // The smallest number of row parts that gives each thread several jobs: fewer if packing weighs more.
    let for_each = |jobs: usize, rows: usize| (jobs * threads).div_ceil(groups.len()).min(m.div_ceil(rows));
    let parts = m.div_ceil(most_rows).max(for_each(4, PART_ROWS)).max(for_each(2, FEWEST_ROWS));
    let parts = if threads == 1 { m.div_ceil(most_rows) } else { parts };
    let each = m.div_ceil(parts).next_multiple_of(tile).min(m);
    let parts = m.div_ceil(each);
    let start = &start;
    // The memory to read for a block of a group, to pack it or, for a few rows, to multiply it: it is prefetched while the
    // block before it is computed.
    let ahead = |group: usize, block: usize| {
        let (group, inner) = (&groups[group], &blocks[block].0);
        if k * n < FAR || group.widths != [Ahead::<f32>::LINES * line::<f32>()] {
            return None;
        }
        let (numbers, row) = match b {
            Factor::Matrix(b) if b.col == 1 => (b.data.get(inner.start * b.row + group.cols.start..)?, b.row),
            // Each thread's part of a smaller factor stays in its second-level cache from one product to the next.
            Factor::Packed(b) if m <= FETCHED_FOR && k * n > FAR * threads => {
                (b.panel(group.cols.start, group.width(), inner), group.width())
            }
            _ => return None,
        };
        Some(Ahead { numbers, row, rows: inner.len() })
    };
    let job = |job: usize, is_last: bool, Scratch(packed): &mut Scratch| {
        let (part, group) = (job / groups.len(), &groups[job % groups.len()]);
        let rows = part * each..((part + 1) * each).min(m);
        for (block, (inner, starts, pieces)) in blocks.iter().enumerate() {
            if let Factor::Matrix(b) = b {
                group.pack(b, inner.clone(), packed.slice_mut());
            }
            let mut ahead = match block + 1 < blocks.len() {
                true => ahead(job % groups.len(), block + 1),
                false if is_last => None,
                false => ahead((job + 1) % groups.len(), 0),
            };
            for top in rows.clone().step_by(ROWS) {
                let some = top..(top + ROWS).min(rows.end);
                let (starts, places) = (&starts[..some.len()], &places[..some.len()]);
                let from = &numbers[place(top, inner)..];
                for (cols, wide) in group.panels() {
                    let weights = match b {
                        Factor::Matrix(_) => {
                            &packed.slice()[(cols.start - group.cols.start) * inner.len()..][..inner.len() * wide]
                        }
                        Factor::Packed(b) => b.panel(cols.start, wide, inner),
                    };
                    // SAFETY: (i, j) with i < m and j < n lies within `c`, as asserted above. `c` is borrowed mutably
                    // for this whole function, and the rectangles of different jobs are disjoint.
                    let out = unsafe {
                        Out::shared(start.0.add(top * width + cols.start), (some.len() - 1) * width + cols.len())
                    };
                    let (depth, panels, columns, add) =
                        (inner.len(), Panels::of::<f32>(), cols.len(), add || block > 0);
                    let ahead = ahead.take();
                    let ending = ending.map(|ending| ending.of(cols));
                    Sums { from, starts, pieces, weights, depth, panels, columns, out, places, add, ahead, ending }
                        .run();
                }
                let Some(finisher) = finisher.filter(|_| inner.end == k) else { continue };
                for i in some {
                    // SAFETY: as above; `Sums` is done.
                    let row = unsafe {
                        std::slice::from_raw_parts_mut(start.0.add(i * width + group.cols.start), group.cols.len())
                    };
                    finisher.part(i, group.cols.start, row);
                }
            }
        }
    };
    let wide = groups.iter().map(Group::width).max().unwrap_or(0);
    let len = if matches!(b, Factor::Matrix(_)) { depth * wide } else { 0 };
    let jobs = |range: Range<usize>| {
        let mut scratch = Scratch::take(len);
        range.clone().for_each(|i| job(i, i + 1 == range.end, &mut scratch));
        scratch.put_back();
    };
    let count = parts * groups.len();
    match pool {
        Some(pool) => pool.for_ranges(count, size.nanos::<f32>() / count as f64, jobs),
        None => jobs(0..count),
    }
}

/// Memory for what is packed.
pub(super) struct Scratch(Aligned<f32>);

thread_local! {
    /// This thread's last buffer: clearing new memory would take as long as some products do.
    static LAST: Cell<Option<Scratch>> = const { Cell::new(None) };
}

impl Scratch {
    /// A buffer of at least this many elements, with arbitrary values.
    fn take(len: usize) -> Scratch {
        LAST.take().filter(|last| last.0.slice().len() >= len).unwrap_or_else(|| Scratch(Aligned::zeros(len)))
    }

    /// The same; `None` if there is no memory for it.
    pub(super) fn try_take(len: usize) -> Option<Scratch> {
        LAST.take().filter(|last| last.0.slice().len() >= len).or_else(|| Aligned::try_zeros(len).map(Scratch))
    }

    /// The buffer.
    pub(super) fn numbers(&mut self) -> &mut [f32] {
        self.0.slice_mut()
    }

    pub(super) fn put_back(self) {
        LAST.set(Some(self));
    }
}
