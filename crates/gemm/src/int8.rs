//! Products of uint8 codes and int8 weights, summed in int32: exact, and the same on every machine.
//!
//! The weights are [`Packed`] once for the instructions that this machine has ([`Isa`]). The rows of the other factor
//! are [`Lines`] of codes: each is one or several contiguous pieces of memory, so that a convolution reads images in
//! place. [`multiply`] passes sums tile by tile to a function, which converts them to results while they are in the
//! cache.

#[cfg(target_arch = "x86_64")]
mod vnni;

use levada_graph::{Error, Result};
use levada_kernel::Pool;
use levada_ops_core::vectorized;
use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Columns of a half panel of weights.
const HALF: usize = 16;
/// Maximum number of columns of a panel.
pub const PANEL: usize = 2 * HALF;
/// Codes that are multiplied and added in one instruction.
const QUAD: usize = 4;
/// Maximum number of rows of a tile.
const ROWS: usize = 12;
/// Bytes of the rows that stay in the cache while they are multiplied with all panels.
const BLOCK: usize = 256 << 10;
/// The maximum number of products whose sum cannot overflow int32.
pub const DEEPEST: usize = 65_536;

/// Instructions for these products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isa {
    /// AVX512-VNNI.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// AVX-VNNI.
    #[cfg(target_arch = "x86_64")]
    Avx,
    /// Portable code, compiled for the widest vectors of the machine.
    Portable,
}

impl Isa {
    /// The ones that this machine has, fastest first.
    pub fn all() -> Vec<Isa> {
        let mut all = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            if vnni::has_avx512() {
                all.push(Isa::Avx512);
            }
            if vnni::has_avx() {
                all.push(Isa::Avx);
            }
        }
        all.push(Isa::Portable);
        all
    }

    /// The fastest one that this machine has.
    pub fn best() -> Isa {
        static BEST: OnceLock<Isa> = OnceLock::new();
        *BEST.get_or_init(|| Isa::all()[0])
    }

    /// Columns of a panel.
    fn panel(self) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => PANEL,
            _ => HALF,
        }
    }

    /// Rows of a tile.
    fn rows(self) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => ROWS,
            #[cfg(target_arch = "x86_64")]
            Isa::Avx => 6,
            Isa::Portable => 4,
        }
    }
}

/// The weights of a quad of a half panel, in one cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([i8; HALF * QUAD]);

/// A matrix of weights in the order in which they are read.
pub struct Packed {
    isa: Isa,
    /// Panel after panel: for each piece of a row, for each quad, a line for each half of the panel.
    lines: Vec<Line>,
    sums: Vec<i32>,
    pieces: usize,
    depth: usize,
}

impl Packed {
    /// Packs weights as [`Packed::modular`], for sums that are not to overflow.
    ///
    /// # Errors
    /// `UNIMPLEMENTED` if sums could overflow int32, `INTERNAL` if there are fewer weights than that.
    pub fn new(isa: Isa, weights: &[i8], [pieces, depth, columns]: [usize; 3], row: usize) -> Result<Packed> {
        if pieces.checked_mul(depth).is_none_or(|rows| rows > DEEPEST) {
            return Err(Error::unimplemented("a sum of so many products of codes can leave int32")
                .expected(format!("at most {DEEPEST} products"))
                .found(format!("{pieces} x {depth}")));
        }
        Packed::modular(isa, weights, [pieces, depth, columns], row)
    }

    /// Packs the matrix whose element in row `piece * depth + k` and column `j` is `weights[(piece * depth + k) * row +
    /// j]`. Sums of more than [`DEEPEST`] products are modulo 2 to the power of 32.
    ///
    /// # Errors
    /// `INTERNAL` if there are fewer weights than that.
    pub fn modular(isa: Isa, weights: &[i8], [pieces, depth, columns]: [usize; 3], row: usize) -> Result<Packed> {
        let end = |rows: usize| rows.checked_sub(1)?.checked_mul(row)?.checked_add(columns);
        let rows = pieces.checked_mul(depth);
        let fits = |rows: usize| rows == 0 || columns == 0 || end(rows).is_some_and(|end| end <= weights.len());
        let Some(rows) = rows.filter(|&rows| fits(rows)) else {
            return Err(Error::internal("there are fewer weights than their sizes say"));
        };
        let (quads, halves) = (depth.div_ceil(QUAD), columns.div_ceil(HALF));
        let per_panel = isa.panel() / HALF;
        let mut lines = vec![Line([0; HALF * QUAD]); halves * pieces * quads];
        for half in 0..halves {
            let panel = half / per_panel;
            // The last panel may have fewer halves than the others.
            let width = per_panel.min(halves - panel * per_panel);
            let first = panel * per_panel * pieces * quads + half % per_panel;
            let inside = (columns - half * HALF).min(HALF);
            for piece in 0..pieces {
                for k in 0..depth {
                    let line = &mut lines[first + (piece * quads + k / QUAD) * width].0;
                    let from = &weights[(piece * depth + k) * row + half * HALF..][..inside];
                    for (j, &weight) in from.iter().enumerate() {
                        let place = match isa {
                            Isa::Portable => k % QUAD * HALF + j,
                            #[cfg(target_arch = "x86_64")]
                            _ => j * QUAD + k % QUAD,
                        };
                        line[place] = weight;
                    }
                }
            }
        }
        let mut sums = vec![0i32; columns];
        for k in 0..rows {
            let weights = &weights[k * row..][..columns];
            sums.iter_mut().zip(weights).for_each(|(sum, &weight)| *sum = sum.wrapping_add(i32::from(weight)));
        }
        Ok(Packed { isa, lines, sums, pieces, depth })
    }

    /// The sum of the weights of each column.
    pub fn sums(&self) -> &[i32] {
        &self.sums
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.sums.len()
    }

    fn quads(&self) -> usize {
        self.depth.div_ceil(QUAD)
    }

    /// The weights of a panel, and its columns.
    fn panel(&self, panel: usize) -> Panel<'_> {
        let first = panel * self.isa.panel();
        let columns = (self.columns() - first).min(self.isa.panel());
        let halves = columns.div_ceil(HALF);
        let each = self.pieces * self.quads();
        Panel { lines: &self.lines[first / HALF * each..][..halves * each], halves, first, columns }
    }

    fn panels(&self) -> usize {
        self.columns().div_ceil(self.isa.panel())
    }

    /// The approximate time for a row on one thread, in nanoseconds.
    fn nanos(&self) -> f64 {
        let products = self.pieces as f64 * self.depth as f64 * self.columns() as f64;
        let each = if self.isa == Isa::Portable { 0.04 } else { 0.004 };
        products * each + self.columns() as f64 * 0.05 + 1.0
    }
}

struct Panel<'a> {
    lines: &'a [Line],
    halves: usize,
    first: usize,
    columns: usize,
}

/// The rows of a matrix of codes, given by where each piece of each row begins. Codes beyond the depth of a piece, up
/// to a multiple of 4, are read and have no effect.
pub struct Lines<'a, F> {
    /// The codes.
    pub codes: &'a [u8],
    /// Number of rows.
    pub rows: usize,
    /// Writes the offsets of a row's pieces.
    pub starts: F,
}

/// Sums of a tile: row `i` begins at `i * PANEL`.
pub struct Tile<'a> {
    /// The sums.
    pub sums: &'a [i32],
    /// Number of the first row.
    pub row: usize,
    /// Number of rows.
    pub rows: usize,
    /// Number of the first column.
    pub column: usize,
    /// Number of columns.
    pub columns: usize,
}

/// A matrix of results within wider rows.
pub struct Place<'a, T> {
    /// The rows, starting with the first.
    pub out: &'a mut [T],
    /// Distance between rows.
    pub width: usize,
    /// The offset of the columns in a row.
    pub column: usize,
}

/// Multiplies, and calls `finish` to write the results of each tile: it gets the results starting at the tile's first
/// row and column, and the distance between rows. Work is split over the pool.
///
/// # Errors
/// `INTERNAL` if a row exceeds the codes, or the results do not fit.
pub fn multiply<T: Copy + Default + Send>(
    pool: &Pool,
    lines: &Lines<'_, impl Fn(usize, &mut [usize]) + Sync>,
    weights: &Packed,
    place: Place<'_, T>,
    finish: &(impl Fn(&Tile<'_>, &mut [T], usize) + Sync),
) -> Result<()> {
    let (m, n) = (lines.rows, weights.columns());
    let fits = place.width.checked_sub(n).is_some_and(|rest| place.column <= rest)
        && m.checked_mul(place.width).is_some_and(|all| all <= place.out.len());
    if !fits {
        return Err(Error::internal("a product of codes does not fit into its results"));
    }
    if m == 0 || n == 0 {
        return Ok(());
    }
    let whole = Whole { codes: lines.codes, weights, left: AtomicBool::new(false) };
    let Place { out, width, column } = place;
    let out = &mut out[..m * width];
    let nanos = m as f64 * weights.nanos() / weights.panels() as f64;
    let heavy = weights.lines.len() * size_of::<Line>() > m * weights.pieces * weights.depth;
    if pool.shares() == 1 || !heavy || pool.parts(weights.panels(), nanos) == 1 {
        pool.for_chunks(out, width, weights.nanos(), |first, piece| {
            whole.rows(lines, first, piece.len() / width, &mut piece[column..], width, finish);
        });
        return whole.done();
    }
    // Few rows and many weights: each thread takes panels, so that it reads only their weights.
    let each = weights.isa.panel();
    let mut made = vec![T::default(); weights.panels() * m * each];
    let mut starts = Vec::new();
    if whole.starts(lines, 0..m, &mut starts) {
        pool.for_chunks(&mut made, m * each, nanos, |first, piece| {
            for (i, out) in piece.chunks_exact_mut(m * each).enumerate() {
                whole.panel(&weights.panel(first + i), 0, &starts, m, (out, each), finish);
            }
        });
    }
    for (panel, made) in made.chunks_exact(m * each).enumerate() {
        let count = each.min(n - panel * each);
        for (out, made) in out.chunks_exact_mut(width).zip(made.chunks_exact(each)) {
            out[column + panel * each..][..count].copy_from_slice(&made[..count]);
        }
    }
    whole.done()
}

/// A product whose sizes have been checked.
struct Whole<'a> {
    codes: &'a [u8],
    weights: &'a Packed,
    /// Set if a row exceeds the codes; read after all threads are done, which orders it.
    left: AtomicBool,
}

impl Whole<'_> {
    fn done(self) -> Result<()> {
        if self.left.into_inner() { Err(Error::internal("a row of codes leaves them")) } else { Ok(()) }
    }

    /// Writes where all pieces of some rows begin. False if one exceeds the codes.
    fn starts(
        &self,
        lines: &Lines<'_, impl Fn(usize, &mut [usize])>,
        rows: Range<usize>,
        starts: &mut Vec<usize>,
    ) -> bool {
        let pieces = self.weights.pieces;
        starts.clear();
        starts.resize(rows.len() * pieces, 0);
        if pieces > 0 {
            starts.chunks_exact_mut(pieces).zip(rows).for_each(|(starts, row)| (lines.starts)(row, starts));
        }
        let last = self.codes.len().checked_sub(self.weights.quads() * QUAD);
        let inside = starts.iter().max().is_none_or(|max| last.is_some_and(|last| *max <= last));
        if !inside {
            self.left.store(true, Ordering::Relaxed);
        }
        inside
    }

    fn rows<T>(
        &self,
        lines: &Lines<'_, impl Fn(usize, &mut [usize])>,
        first: usize,
        rows: usize,
        out: &mut [T],
        width: usize,
        finish: &impl Fn(&Tile<'_>, &mut [T], usize),
    ) {
        let tile = self.weights.isa.rows();
        let bytes = (self.weights.pieces * self.weights.depth).max(1);
        let block = (BLOCK / bytes / tile).max(1) * tile;
        let mut starts = Vec::new();
        let mut at = 0;
        while at < rows {
            let count = block.min(rows - at);
            if !self.starts(lines, first + at..first + at + count, &mut starts) {
                return;
            }
            for panel in 0..self.weights.panels() {
                let panel = self.weights.panel(panel);
                let out = &mut out[at * width + panel.first..];
                self.panel(&panel, first + at, &starts, count, (out, width), finish);
            }
            at += count;
        }
    }

    /// Multiplies `rows` rows from `first` on, which begin at `starts`, with a panel. The results begin at `out`, in
    /// rows of this width.
    fn panel<T>(
        &self,
        panel: &Panel<'_>,
        first: usize,
        starts: &[usize],
        rows: usize,
        (out, width): (&mut [T], usize),
        finish: &impl Fn(&Tile<'_>, &mut [T], usize),
    ) {
        let mut sums = [0i32; ROWS * PANEL];
        let pieces = self.weights.pieces;
        // Tiles of nearly equal height: a low one takes nearly as long as a high one.
        let tiles = rows.div_ceil(self.weights.isa.rows());
        let mut row = 0;
        for tile in 0..tiles {
            let count = (rows - row).div_ceil(tiles - tile);
            self.tile(panel, &starts[row * pieces..][..count * pieces], count, &mut sums);
            let tile = Tile { sums: &sums, row: first + row, rows: count, column: panel.first, columns: panel.columns };
            finish(&tile, &mut out[row * width..], width);
            row += count;
        }
    }

    /// Computes the sums of a tile. Rows of `quads` quads from `starts` on lie within the codes.
    fn tile(&self, panel: &Panel<'_>, starts: &[usize], rows: usize, sums: &mut [i32; ROWS * PANEL]) {
        match self.weights.isa {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 | Isa::Avx => vnni::tile(self, panel, starts, rows, sums),
            Isa::Portable => vectorized!(match rows {
                1 => self.portable::<1>(panel, starts, sums),
                2 => self.portable::<2>(panel, starts, sums),
                3 => self.portable::<3>(panel, starts, sums),
                _ => self.portable::<4>(panel, starts, sums),
            }),
        }
    }

    #[inline(always)]
    fn portable<const R: usize>(&self, panel: &Panel<'_>, starts: &[usize], sums: &mut [i32; ROWS * PANEL]) {
        let (pieces, quads) = (self.weights.pieces, self.weights.quads());
        let mut totals = [[0i32; HALF]; R];
        for piece in 0..pieces {
            let rows: [&[u8]; R] = std::array::from_fn(|r| &self.codes[starts[r * pieces + piece]..][..quads * QUAD]);
            for (quad, line) in panel.lines[piece * quads..][..quads].iter().enumerate() {
                for (k, weights) in line.0.as_chunks::<HALF>().0.iter().enumerate() {
                    for r in 0..R {
                        // Products of 8-bit codes fit into 16 bits.
                        let code = i16::from(rows[r][quad * QUAD + k]);
                        for j in 0..HALF {
                            totals[r][j] = totals[r][j].wrapping_add(i32::from(code * i16::from(weights[j])));
                        }
                    }
                }
            }
        }
        for (sums, totals) in sums.chunks_exact_mut(PANEL).zip(&totals) {
            sums[..HALF].copy_from_slice(totals);
        }
    }
}
