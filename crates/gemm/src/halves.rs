//! Products of float16 and of bfloat16, summed in float32 and rounded once.
//!
//! The right factor is [`Packed`], in its own type. The rows of the left factor are [`Lines`]: each is one or several
//! contiguous pieces of memory, so that a convolution reads images in place. If the machine has instructions that
//! multiply and add pairs of bfloat16 ([`Isa::Pairs`]), both factors are read unconverted; otherwise blocks of both are
//! widened while they are in the cache. The order of summation depends only on the sizes.

#[cfg(target_arch = "x86_64")]
mod pairs;
mod singles;

use super::{Finisher, Mat, Size, vector};
use levada_graph::{Error, Result, bf16, f16};
use levada_kernel::Pool;
use levada_ops_core::halves::Half;
use levada_ops_core::vectorized;
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

/// Columns of a vector of pairs.
const VECTOR: usize = 16;
/// Maximum number of columns of a panel.
const PANEL: usize = 4 * VECTOR;
/// Maximum number of rows of a tile.
const ROWS: usize = 12;
/// Columns and rows of a matrix that are widened at a time if the other factor is a vector.
const WIDENED: [usize; 2] = [512, 8];
/// Elements of a piece that are summed at a time: their weights for a panel stay in the nearest cache.
const DEPTH: usize = 256;
/// Bytes of the rows that stay in the cache while they are multiplied with all panels.
const BLOCK: usize = 512 << 10;
/// Minimum and maximum number of rows of a block, except for the last blocks.
const BLOCK_ROWS: [usize; 2] = [48, 240];

/// A 16-bit float type that can be multiplied.
pub trait HalfFactor: Half {
    /// True for the type that machines can multiply in pairs.
    const IN_PAIRS: bool;
    /// Its bits.
    fn bits(self) -> u16;
}

impl HalfFactor for f16 {
    const IN_PAIRS: bool = false;
    #[inline(always)]
    fn bits(self) -> u16 {
        self.to_bits()
    }
}

impl HalfFactor for bf16 {
    const IN_PAIRS: bool = true;
    #[inline(always)]
    fn bits(self) -> u16 {
        self.to_bits()
    }
}

/// Instructions for these products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isa {
    /// AVX512-BF16, for bfloat16.
    #[cfg(target_arch = "x86_64")]
    Pairs,
    /// The instructions for float32.
    Singles,
}

impl Isa {
    /// The ones that this machine has for `T`, fastest first.
    pub fn all<T: HalfFactor>() -> Vec<Isa> {
        let mut all = Vec::new();
        #[cfg(target_arch = "x86_64")]
        if T::IN_PAIRS && pairs::has() {
            all.push(Isa::Pairs);
        }
        all.push(Isa::Singles);
        all
    }

    /// Columns of a vector, and the maximum number of vectors of a panel.
    fn panel(self) -> [usize; 2] {
        match self {
            #[cfg(target_arch = "x86_64")]
            Isa::Pairs => [VECTOR, PANEL / VECTOR],
            Isa::Singles => singles::panel(),
        }
    }
}

/// Pairs of elements for a vector of columns, in one cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u32; VECTOR]);

/// The weights of some columns.
#[derive(Clone, Copy)]
struct Panel {
    /// The first column, and their number.
    first: usize,
    columns: usize,
    vectors: usize,
    /// The number of its first element, counting the columns that pad vectors.
    start: usize,
}

/// A matrix of weights in the order in which they are read.
pub struct Packed<T> {
    panels: Vec<Panel>,
    store: Store<T>,
    pieces: usize,
    depth: usize,
    columns: usize,
}

enum Store<T> {
    /// For each panel, for each piece, for each pair of elements: a line for each vector of columns. If the number of
    /// elements is odd, the last one is paired with zero.
    #[cfg(target_arch = "x86_64")]
    Pairs(Vec<Line>),
    /// For each panel, for each element: its columns.
    Singles(Vec<T>),
}

impl<T: HalfFactor> Packed<T> {
    /// Packs a matrix of `pieces * depth` rows for the fastest instructions of this machine.
    ///
    /// # Errors
    /// `INTERNAL` if the matrix is smaller than that.
    pub fn new(pool: Option<&Pool>, matrix: Mat<'_, T>, sizes: [usize; 3]) -> Result<Packed<T>> {
        Self::of(Isa::all::<T>()[0], pool, matrix, sizes)
    }

    /// Same as [`Packed::new`], for given instructions, which the machine must have.
    ///
    /// # Errors
    /// The errors of [`Packed::new`].
    pub fn of(
        isa: Isa,
        pool: Option<&Pool>,
        matrix: Mat<'_, T>,
        [pieces, depth, columns]: [usize; 3],
    ) -> Result<Packed<T>> {
        let rows = pieces.checked_mul(depth);
        let Some(rows) = rows.filter(|&rows| matrix.holds(rows, columns)) else {
            return Err(Error::internal("there are fewer weights than their sizes say"));
        };
        let [lanes, most] = isa.panel();
        let mut panels = Vec::new();
        let mut rest = columns.div_ceil(lanes);
        let mut first = 0;
        while rest > 0 {
            // Two panels of about the same size are faster than a full and a narrow one.
            let vectors = if rest > most && rest < 2 * most { rest.div_ceil(2) } else { rest.min(most) };
            let count = (vectors * lanes).min(columns - first);
            panels.push(Panel { first, columns: count, vectors, start: first * rows });
            (rest, first) = (rest - vectors, first + vectors * lanes);
        }
        let store = match isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Pairs => Store::Pairs(in_pairs(pool, matrix, &panels, [pieces, depth])),
            Isa::Singles => Store::Singles(in_rows(pool, matrix, &panels, rows, lanes)),
        };
        Ok(Packed { panels, store, pieces, depth, columns })
    }

    /// The approximate time for a row on one thread, in nanoseconds.
    fn nanos(&self) -> f64 {
        let each = match self.store {
            #[cfg(target_arch = "x86_64")]
            Store::Pairs(_) => 0.01,
            Store::Singles(_) => 0.02,
        };
        (self.pieces * self.depth) as f64 * self.columns as f64 * each + self.columns as f64 * 0.1 + 1.0
    }
}

/// Calls `pack` with each panel and its part of the shared memory, `each` elements per vector.
fn pack<N: Send>(
    pool: Option<&Pool>,
    panels: &[Panel],
    mut out: &mut [N],
    each: usize,
    pack: impl Fn(&Panel, &mut [N]) + Sync + Send,
) {
    let mut parts = Vec::with_capacity(panels.len());
    for panel in panels {
        let (now, rest) = out.split_at_mut(panel.vectors * each);
        parts.push((panel, now));
        out = rest;
    }
    let some = |parts: &mut [(&Panel, &mut [N])]| parts.iter_mut().for_each(|(panel, out)| pack(panel, out));
    match pool {
        Some(pool) => pool.for_chunks(&mut parts, 1, (each * PANEL) as f64 * 0.1, |_, parts| some(parts)),
        None => some(&mut parts),
    }
}

#[cfg(target_arch = "x86_64")]
fn in_pairs<T: HalfFactor>(
    pool: Option<&Pool>,
    matrix: Mat<'_, T>,
    panels: &[Panel],
    [pieces, depth]: [usize; 2],
) -> Vec<Line> {
    let pairs = depth.div_ceil(2);
    let vectors: usize = panels.iter().map(|panel| panel.vectors).sum();
    let mut lines = vec![Line([0; VECTOR]); vectors * pieces * pairs];
    pack(pool, panels, &mut lines, pieces * pairs, |panel, lines| {
        for (i, lines) in lines.chunks_exact_mut(panel.vectors).enumerate() {
            let k = i % pairs * 2;
            let at = (i / pairs * depth + k) * matrix.row;
            let last = k + 1 == depth;
            for (v, line) in lines.iter_mut().enumerate() {
                let column = panel.first + v * VECTOR;
                let some = (panel.first + panel.columns - column).min(VECTOR);
                if matrix.col == 1 && some == VECTOR && !last {
                    let low: &[T; VECTOR] = matrix.data[at + column..].first_chunk().expect("the matrix holds them");
                    let high = &matrix.data[at + matrix.row + column..];
                    let high: &[T; VECTOR] = high.first_chunk().expect("the matrix holds them");
                    for ((both, low), high) in line.0.iter_mut().zip(low).zip(high) {
                        *both = u32::from(low.bits()) | u32::from(high.bits()) << 16;
                    }
                    continue;
                }
                for (j, both) in line.0[..some].iter_mut().enumerate() {
                    let low = &matrix.data[at + (column + j) * matrix.col..];
                    let high = if last { 0 } else { low[matrix.row].bits() };
                    *both = u32::from(low[0].bits()) | u32::from(high) << 16;
                }
            }
        }
    });
    lines
}

fn in_rows<T: HalfFactor>(
    pool: Option<&Pool>,
    matrix: Mat<'_, T>,
    panels: &[Panel],
    rows: usize,
    lanes: usize,
) -> Vec<T> {
    let vectors: usize = panels.iter().map(|panel| panel.vectors).sum();
    let mut packed = vec![T::zero(); vectors * lanes * rows];
    pack(pool, panels, &mut packed, lanes * rows, |panel, out| {
        for (k, out) in out.chunks_exact_mut(panel.vectors * lanes).enumerate() {
            let from = &matrix.data[k * matrix.row + panel.first * matrix.col..];
            if matrix.col == 1 {
                out[..panel.columns].copy_from_slice(&from[..panel.columns]);
            } else {
                out[..panel.columns].iter_mut().zip(from.iter().step_by(matrix.col)).for_each(|(o, &v)| *o = v);
            }
        }
    });
    packed
}

/// The rows of a matrix, given by where each piece of each row begins.
pub struct Lines<'a, T, F> {
    /// The elements.
    pub elements: &'a [T],
    /// Number of rows.
    pub rows: usize,
    /// Writes the offsets of a row's pieces.
    pub starts: F,
}

/// The destination of a product.
pub struct Place<'a, T> {
    /// The rows, starting with the first.
    pub out: &'a mut [T],
    /// Distance between rows.
    pub width: usize,
    /// The offset of the columns in a row.
    pub column: usize,
    /// True to add to the existing values.
    pub add: bool,
    /// The epilogue of the product, whose rows then have `width` elements.
    pub finisher: Option<&'a Finisher<'a>>,
}

/// Multiplies, using all threads of the pool if there is one.
///
/// # Errors
/// `INTERNAL` if a row exceeds the elements, or the results do not fit.
pub fn multiply<T: HalfFactor>(
    pool: Option<&Pool>,
    lines: &Lines<'_, T, impl Fn(usize, &mut [usize]) + Sync>,
    weights: &Packed<T>,
    place: Place<'_, T>,
) -> Result<()> {
    let (m, n) = (lines.rows, weights.columns);
    let Place { out, width, column, add, finisher } = place;
    let fits = width.checked_sub(n).is_some_and(|rest| column <= rest)
        && m.checked_sub(1).is_none_or(|rows| {
            rows.checked_mul(width).and_then(|at| at.checked_add(column + n)).is_some_and(|all| all <= out.len())
        });
    if !fits {
        return Err(Error::internal("a product does not fit into its results"));
    }
    if m == 0 || n == 0 {
        return Ok(());
    }
    let whole = Whole { elements: lines.elements, weights, column, add, finisher, left: AtomicBool::new(false) };
    // The last row may end after its columns.
    let end = out.len().min(m * width);
    let out = &mut out[..end];
    let Some(pool) = pool else {
        whole.rows(lines, 0, m, out, width);
        return whole.done();
    };
    let nanos = m as f64 * weights.nanos() / weights.panels.len() as f64;
    let heavy = n > m && !add;
    if pool.shares() == 1 || end < m * width {
        whole.rows(lines, 0, m, out, width);
    } else if !heavy || pool.parts(weights.panels.len(), nanos) == 1 {
        pool.for_chunks(out, width, weights.nanos(), |first, piece| {
            whole.rows(lines, first, piece.len() / width, piece, width);
        });
    } else {
        // Few rows and many weights: each thread takes panels, so that it reads only their weights.
        whole.by_panels(pool, lines, m, nanos, (out, width));
    }
    whole.done()
}

/// `c = a b` or, if `add`, `c += a b`, followed by the epilogue. Row `i` of `c` starts at `i * width`. The sizes have
/// been checked, and none of them is zero.
pub(super) fn product<T: HalfFactor>(
    pool: Option<&Pool>,
    Size { m, n, k }: Size,
    (a, b): (Mat<'_, T>, Mat<'_, T>),
    (c, width): (&mut [T], usize),
    add: bool,
    finisher: Option<&Finisher<'_>>,
) {
    if m == 1 && !add {
        return times_matrix(pool, &vector_of(a, k), b, &mut c[..n], &|at, sums| {
            if let Some(finisher) = finisher {
                finisher.part(0, at, sums);
            }
        });
    }
    if n == 1 && width == 1 && !add {
        return times_matrix(pool, &vector_of(b.t(), k), a.t(), &mut c[..m], &|at, sums| {
            if let Some(finisher) = finisher {
                // Each row of the result has one column.
                sums.chunks_mut(1).enumerate().for_each(|(i, sum)| finisher.part(at + i, 0, sum));
            }
        });
    }
    let (elements, row) = in_lines(pool, a, m, k);
    let lines =
        Lines { elements: &elements, rows: m, starts: |row_number: usize, s: &mut [usize]| s[0] = row_number * row };
    let place = Place { out: c, width, column: 0, add, finisher };
    let packed = Packed::new(pool, b, [1, k, n]);
    packed.and_then(|packed| multiply(pool, &lines, &packed, place)).expect("the matrices hold the product");
}

/// The elements of a matrix with contiguous rows, and the distance between rows.
fn in_lines<'a, T: HalfFactor>(pool: Option<&Pool>, a: Mat<'a, T>, rows: usize, cols: usize) -> (Cow<'a, [T]>, usize) {
    const SIDE: usize = 16;
    if a.col == 1 {
        return (Cow::Borrowed(a.data), a.row);
    }
    let mut out = vec![T::zero(); rows * cols];
    let fill = |first: usize, out: &mut [T]| {
        for (i, out) in out.chunks_mut(SIDE * cols).enumerate() {
            let from = &a.data[(first + i * SIDE) * a.row..];
            for j in 0..cols {
                let column = from[j * a.col..].iter().step_by(a.row.max(1));
                if a.row == 0 {
                    out.iter_mut().skip(j).step_by(cols).for_each(|o| *o = from[j * a.col]);
                } else {
                    out.iter_mut().skip(j).step_by(cols).zip(column).for_each(|(o, &v)| *o = v);
                }
            }
        }
    };
    match pool {
        Some(pool) => pool.for_chunks(&mut out, cols, cols as f64, fill),
        None => fill(0, &mut out),
    }
    (Cow::Owned(out), cols)
}

/// The first row of a matrix, widened.
fn vector_of<T: HalfFactor>(a: Mat<'_, T>, k: usize) -> Vec<f32> {
    if a.col == 1 {
        return T::singles(&a.data[..k]);
    }
    (0..k).map(|i| a.data[i * a.col].widen()).collect()
}

/// The product of a row vector and a matrix, which is widened block by block. `then` gets sums and the column of the
/// first.
fn times_matrix<T: HalfFactor>(
    pool: Option<&Pool>,
    x: &[f32],
    b: Mat<'_, T>,
    y: &mut [T],
    then: &(dyn Fn(usize, &mut [f32]) + Sync),
) {
    const COLUMNS: usize = WIDENED[0];
    let fill = |first: usize, y: &mut [T]| {
        let mut wide = [0f32; WIDENED[0] * WIDENED[1]];
        let mut column = Vec::new();
        for (i, y) in y.chunks_mut(COLUMNS).enumerate() {
            let first = first + i * COLUMNS;
            let mut sums = [0f32; COLUMNS];
            let sums = &mut sums[..y.len()];
            if b.col == 1 {
                for (p, x) in x.chunks(WIDENED[1]).enumerate() {
                    for (r, wide) in wide.chunks_exact_mut(COLUMNS).take(x.len()).enumerate() {
                        T::to_singles(&b.data[(p * WIDENED[1] + r) * b.row + first..][..y.len()], wide);
                    }
                    vectorized!(vector::add_rows_piece(x, &wide, COLUMNS, sums));
                }
            } else {
                for (j, sum) in sums.iter_mut().enumerate() {
                    let from = &b.data[(first + j) * b.col..];
                    if b.row == 1 {
                        column.resize(x.len(), 0.0);
                        T::to_singles(&from[..x.len()], &mut column);
                    } else {
                        column.clear();
                        column.extend((0..x.len()).map(|p| from[p * b.row].widen()));
                    }
                    *sum = vectorized!(vector::dot(x, &column));
                }
            }
            then(first, sums);
            T::from_singles(sums, y);
        }
    };
    match pool {
        // Memory bandwidth is about 20 bytes per nanosecond and core.
        Some(pool) => pool.for_chunks(y, 1, (x.len() * size_of::<T>()) as f64 * 0.05, fill),
        None => fill(0, y),
    }
}

/// A product whose sizes have been checked.
struct Whole<'a, T> {
    elements: &'a [T],
    weights: &'a Packed<T>,
    column: usize,
    add: bool,
    finisher: Option<&'a Finisher<'a>>,
    /// Set if a row exceeds the elements; read after all threads are done, which orders it.
    left: AtomicBool,
}

/// Some rows, ready to be multiplied.
struct Block {
    /// Number of the first.
    first: usize,
    rows: usize,
    /// For elements that are read in place: the offset of each piece of each row.
    starts: Vec<usize>,
    /// Otherwise: all elements, widened.
    wide: Vec<f32>,
}

impl<T: HalfFactor> Whole<'_, T> {
    fn done(self) -> Result<()> {
        if self.left.into_inner() { Err(Error::internal("a row leaves its elements")) } else { Ok(()) }
    }

    fn by_panels(
        &self,
        pool: &Pool,
        lines: &Lines<'_, T, impl Fn(usize, &mut [usize]) + Sync>,
        m: usize,
        nanos: f64,
        (out, width): (&mut [T], usize),
    ) {
        let Some(block) = self.block(lines, 0, m, Block { first: 0, rows: 0, starts: Vec::new(), wide: Vec::new() })
        else {
            return;
        };
        let mut made = vec![T::zero(); m * self.weights.columns];
        let (mut rest, mut parts) = (&mut made[..], Vec::with_capacity(self.weights.panels.len()));
        for panel in &self.weights.panels {
            let (now, more) = rest.split_at_mut(m * panel.columns);
            parts.push((panel, now));
            rest = more;
        }
        pool.for_chunks(&mut parts, 1, nanos, |_, parts| {
            let mut sums = Vec::new();
            for (panel, out) in parts {
                self.panel(panel, &block, &mut sums, (out, panel.columns));
            }
        });
        for (panel, made) in parts {
            let rows = out.chunks_mut(width).zip(made.chunks_exact(panel.columns));
            rows.for_each(|(out, made)| out[self.column + panel.first..][..panel.columns].copy_from_slice(made));
        }
    }

    fn rows(
        &self,
        lines: &Lines<'_, T, impl Fn(usize, &mut [usize])>,
        first: usize,
        rows: usize,
        out: &mut [T],
        width: usize,
    ) {
        let bytes = (self.weights.pieces * self.weights.depth).max(1) * size_of::<f32>();
        let most = (BLOCK / bytes).clamp(BLOCK_ROWS[0], BLOCK_ROWS[1]);
        // Blocks of nearly equal height.
        let blocks = rows.div_ceil(most);
        let mut block = Block { first, rows: 0, starts: Vec::new(), wide: Vec::new() };
        let mut sums = Vec::new();
        let mut at = 0;
        for i in 0..blocks {
            let count = (rows - at).div_ceil(blocks - i);
            let Some(now) = self.block(lines, first + at, count, block) else { return };
            block = now;
            for panel in &self.weights.panels {
                let out = &mut out[at * width + self.column + panel.first..];
                self.panel(panel, &block, &mut sums, (out, width));
            }
            at += count;
        }
    }

    /// Prepares some rows, reusing the memory of a block. `None` if a row exceeds the elements.
    fn block(
        &self,
        lines: &Lines<'_, T, impl Fn(usize, &mut [usize])>,
        first: usize,
        rows: usize,
        block: Block,
    ) -> Option<Block> {
        let Block { mut starts, mut wide, .. } = block;
        let (pieces, depth) = (self.weights.pieces, self.weights.depth);
        starts.clear();
        starts.resize(rows * pieces, 0);
        if pieces > 0 {
            starts.chunks_exact_mut(pieces).enumerate().for_each(|(i, starts)| (lines.starts)(first + i, starts));
        }
        let last = self.elements.len().checked_sub(depth);
        if starts.iter().max().is_some_and(|max| last.is_none_or(|last| *max > last)) {
            self.left.store(true, Ordering::Relaxed);
            return None;
        }
        if matches!(self.weights.store, Store::Singles(_)) && depth > 0 {
            wide.resize(rows * pieces * depth, 0.0);
            for (wide, &start) in wide.chunks_exact_mut(depth).zip(&starts) {
                T::to_singles(&self.elements[start..][..depth], wide);
            }
        }
        Some(Block { first, rows, starts, wide })
    }

    /// Multiplies rows with a panel. The results begin at `out`, in rows of this width.
    fn panel(&self, panel: &Panel, block: &Block, sums: &mut Vec<f32>, (out, width): (&mut [T], usize)) {
        let stride = match &self.weights.store {
            #[cfg(target_arch = "x86_64")]
            Store::Pairs(lines) => {
                let stride = panel.vectors * VECTOR;
                sums.resize((block.rows + ROWS) * stride, 0.0);
                let each = self.weights.pieces * self.weights.depth.div_ceil(2);
                // Panels are whole vectors, so the columns before this one are whole vectors too.
                let lines = &lines[panel.first / VECTOR * each..][..panel.vectors * each];
                pairs::panel(
                    self.elements,
                    [self.weights.pieces, self.weights.depth],
                    panel.vectors,
                    lines,
                    block,
                    sums,
                );
                stride
            }
            Store::Singles(weights) => {
                let depth = self.weights.pieces * self.weights.depth;
                singles::panel_of(panel.vectors, &weights[panel.start..], depth, block, sums)
            }
        };
        for i in 0..block.rows {
            let (sums, out) = (&mut sums[i * stride..][..panel.columns], &mut out[i * width..][..panel.columns]);
            if self.add {
                let mut before = [0f32; PANEL];
                T::to_singles(out, &mut before);
                sums.iter_mut().zip(&before).for_each(|(s, b)| *s += b);
            }
            if let Some(finisher) = self.finisher {
                finisher.part(block.first + i, self.column + panel.first, sums);
            }
            T::from_singles(sums, out);
        }
    }
}
