//! Matrix products of any element type, with strides, so that transposing costs nothing.
//!
//! [`multiply`] splits one product over the threads of a pool, [`multiply_batch`] many of the same size;
//! [`multiply_here`] stays on the calling thread; [`multiply_finished`] also applies an epilogue. `native` calls the
//! `gemm` crate; `vector` computes products with a vector and products of integers; [`halves`] multiplies 16-bit
//! floats, [`int8`] 8-bit codes.

pub mod columns;
mod ending;
mod finish;
pub mod halves;
pub mod int8;
mod native;
mod out;
mod packed;
mod several;
mod strided;
pub mod tile;
mod vector;
pub mod windows;

pub use ending::Ending;
pub use finish::Finisher;
pub use packed::{Factor, MOST_ALIKE, Packed};

use levada_graph::{Complex32, Complex64, Error, Result, bf16, f16};
use levada_kernel::Pool;
use levada_ops_core::halves::Half;
use levada_ops_core::number::Number;
use std::borrow::Cow;

/// A matrix within `data`: element (i, j) is `data[i * row + j * col]`.
#[derive(Clone, Copy)]
pub struct Mat<'a, T> {
    /// The elements, starting with (0, 0).
    pub data: &'a [T],
    /// Distance between rows.
    pub row: usize,
    /// Distance between columns.
    pub col: usize,
    /// True to read the complex conjugate of every element.
    pub conj: bool,
}

impl<'a, T> Mat<'a, T> {
    /// A row-major matrix with `cols` columns.
    pub fn new(data: &'a [T], cols: usize) -> Mat<'a, T> {
        Mat { data, row: cols, col: 1, conj: false }
    }

    /// The transpose.
    pub fn t(self) -> Mat<'a, T> {
        Mat { row: self.col, col: self.row, ..self }
    }

    /// The transpose if `yes`.
    pub fn t_if(self, yes: bool) -> Mat<'a, T> {
        if yes { self.t() } else { self }
    }

    /// The conjugate transpose if `yes`.
    pub fn adjoint_if(self, yes: bool) -> Mat<'a, T> {
        let conj = self.conj ^ yes;
        Mat { conj, ..self.t_if(yes) }
    }

    /// True if a matrix of this size lies within the data.
    fn holds(&self, rows: usize, cols: usize) -> bool {
        if rows == 0 || cols == 0 {
            return true;
        }
        let last = || (rows - 1).checked_mul(self.row)?.checked_add((cols - 1).checked_mul(self.col)?);
        last().is_some_and(|last| last < self.data.len())
    }
}

/// The size of a product: `m` x `k` times `k` x `n`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Rows of the product.
    pub m: usize,
    /// Columns of the product.
    pub n: usize,
    /// The inner size.
    pub k: usize,
}

impl Size {
    /// The approximate time of the product on one thread, in nanoseconds.
    fn nanos<T>(&self) -> f64 {
        self.m as f64 * self.n as f64 * self.k as f64 * 0.0065 * size_of::<T>() as f64
    }
}

/// An element type that can be multiplied.
pub trait Gemm: Number {
    /// `c = a b`, or `c += a b` if `add`; row `i` of `c` starts at `i * width`. Uses one thread. The sizes have been
    /// checked, and none of them is zero.
    #[doc(hidden)]
    fn block(size: Size, a: Mat<'_, Self>, b: Mat<'_, Self>, c: &mut [Self], width: usize, add: bool);

    /// Same as [`Gemm::block`] with `width` = n and without adding, split over the pool.
    #[doc(hidden)]
    fn parallel(pool: &Pool, size: Size, a: Mat<'_, Self>, b: Mat<'_, Self>, c: &mut [Self]) {
        let Size { m, n, k } = size;
        pool.for_chunks(c, n, size.nanos::<Self>() / m as f64, |first, rows| {
            let part = Mat { data: &a.data[first * a.row..], ..a };
            Self::block(Size { m: rows.len() / n, n, k }, part, b, rows, n, false);
        });
    }
}

macro_rules! native {
    ($($ty:ty),*) => {$(
        impl Gemm for $ty {
            fn block(size: Size, a: Mat<'_, Self>, b: Mat<'_, Self>, c: &mut [Self], width: usize, add: bool) {
                if !add && vector::product(None, size, a, b, c, width, None) {
                    return;
                }
                native::gemm(None, size, a, b, (c, width), add, None);
            }
            fn parallel(pool: &Pool, size: Size, a: Mat<'_, Self>, b: Mat<'_, Self>, c: &mut [Self]) {
                if vector::product(Some(pool), size, a, b, c, size.n, None) {
                    return;
                }
                native::gemm(Some(pool), size, a, b, (c, size.n), false, None);
            }
        }
    )*};
}

native!(f64, Complex32, Complex64);

impl Gemm for f32 {
    fn block(size: Size, a: Mat<'_, f32>, b: Mat<'_, f32>, c: &mut [f32], width: usize, add: bool) {
        if add || !vector::product(None, size, a, b, c, width, None) {
            of_singles(None, size, (a, b), (c, width), add, None);
        }
    }

    fn parallel(pool: &Pool, size: Size, a: Mat<'_, f32>, b: Mat<'_, f32>, c: &mut [f32]) {
        if size.k >= 2 * DEPTH && size.m * size.n <= FEW_RESULTS {
            return by_depth(pool, size, a, b, c);
        }
        if !vector::product(Some(pool), size, a, b, c, size.n, None) {
            of_singles(Some(pool), size, (a, b), (c, size.n), false, None);
        }
    }
}

/// The inner size of the partial products that are summed for a product with few results and a large inner size, as in
/// gradients of small layers over many examples. It does not depend on the number of threads.
const DEPTH: usize = 1 << 14;
const FEW_RESULTS: usize = 1 << 10;

fn by_depth(pool: &Pool, size: Size, a: Mat<'_, f32>, b: Mat<'_, f32>, c: &mut [f32]) {
    let Size { m, n, k } = size;
    let mut sums = vec![0f32; k.div_ceil(DEPTH) * m * n];
    // Few results for the amount of data that is read.
    let nanos = Size { k: DEPTH, ..size }.nanos::<f32>() + (DEPTH * (m + n)) as f64 * 0.5;
    pool.for_chunks(&mut sums, m * n, nanos, |first, piece| {
        for (part, out) in (first..).zip(piece.chunks_exact_mut(m * n)) {
            let from = part * DEPTH;
            let (a, b) = (Mat { data: &a.data[from * a.col..], ..a }, Mat { data: &b.data[from * b.row..], ..b });
            f32::block(Size { k: DEPTH.min(k - from), ..size }, a, b, out, n, false);
        }
    });
    let (first, rest) = sums.split_at(m * n);
    c.copy_from_slice(first);
    for sums in rest.chunks_exact(m * n) {
        c.iter_mut().zip(sums).for_each(|(c, sum)| *c += sum);
    }
}

fn of_singles(
    pool: Option<&Pool>,
    size: Size,
    (a, b): (Mat<'_, f32>, Mat<'_, f32>),
    c: (&mut [f32], usize),
    add: bool,
    finisher: Option<&Finisher<'_>>,
) {
    match finisher {
        _ if packed::pays(size, &a, &b) => packed::product(pool, size, a, Factor::Matrix(b), c, add, finisher),
        Some(finisher) => native::gemm(pool, size, a, b, c, add, Some(&finisher.then())),
        None => native::gemm(pool, size, a, b, c, add, None),
    }
}

macro_rules! of_halves {
    ($($ty:ty),*) => {$(
        impl Gemm for $ty {
            fn block(size: Size, a: Mat<'_, Self>, b: Mat<'_, Self>, c: &mut [Self], width: usize, add: bool) {
                halves::product(None, size, (a, b), (c, width), add, None);
            }
            fn parallel(pool: &Pool, size: Size, a: Mat<'_, Self>, b: Mat<'_, Self>, c: &mut [Self]) {
                halves::product(Some(pool), size, (a, b), (c, size.n), false, None);
            }
        }

        impl Finished for $ty {
            fn finished(pool: &Pool, size: Size, factors: (Mat<'_, Self>, Mat<'_, Self>), c: &mut [Self], finisher: &Finisher<'_>) {
                if size.k == 0 {
                    for (row, c) in c.chunks_exact_mut(size.n).enumerate() {
                        let mut sums = vec![0f32; size.n];
                        finisher.part(row, 0, &mut sums);
                        Self::from_singles(&sums, c);
                    }
                    return;
                }
                halves::product(Some(pool), size, factors, (c, size.n), false, Some(finisher));
            }
        }
    )*};
}

of_halves!(f16, bf16);

macro_rules! integers {
    ($($ty:ty),*) => {$(
        impl Gemm for $ty {
            fn block(size: Size, a: Mat<'_, Self>, b: Mat<'_, Self>, c: &mut [Self], width: usize, add: bool) {
                vector::by_rows(size, a, b, c, width, add);
            }
        }
    )*};
}

integers!(i8, i16, i32, i64, u8, u16, u32, u64);

fn check<T>(size: Size, a: &Mat<'_, T>, b: &Mat<'_, T>, c: usize, width: usize) -> Result<()> {
    let Size { m, n, k } = size;
    let c_fits =
        width >= n && (m == 0 || (m - 1).checked_mul(width).and_then(|x| x.checked_add(n)).is_some_and(|x| x <= c));
    if c_fits && a.holds(m, k) && b.holds(k, n) {
        return Ok(());
    }
    Err(Error::internal(format!("matrices do not hold a product of {m} x {k} and {k} x {n}")))
}

/// `c = a b`, row-major, split over the pool if that pays.
///
/// # Errors
/// `INTERNAL` if the matrices are smaller than `size`.
pub fn multiply<T: Gemm>(pool: &Pool, size: Size, a: Mat<'_, T>, b: Mat<'_, T>, c: &mut [T]) -> Result<()> {
    check(size, &a, &b, c.len(), size.n)?;
    let c = &mut c[..size.m * size.n];
    if size.k == 0 {
        c.fill(T::zero());
    } else if !c.is_empty() {
        T::parallel(pool, size, a, b, c);
    }
    Ok(())
}

/// Called with each finished part of a product: the row, the first column, and the elements of a part of the row or of
/// several whole rows.
type Then<'a, T> = Option<&'a (dyn Fn(usize, usize, &mut [T]) + Sync)>;

/// An element type whose products can have an epilogue.
pub trait Finished: Gemm {
    /// `c = a b` followed by the epilogue. The sizes have been checked, and only the inner one may be zero.
    #[doc(hidden)]
    fn finished(
        pool: &Pool,
        size: Size,
        factors: (Mat<'_, Self>, Mat<'_, Self>),
        c: &mut [Self],
        finisher: &Finisher<'_>,
    );
}

impl Finished for f32 {
    fn finished(pool: &Pool, size: Size, (a, b): (Mat<'_, f32>, Mat<'_, f32>), c: &mut [f32], finisher: &Finisher<'_>) {
        if size.k == 0 {
            c.fill(0.0);
            return finisher.all(pool, c);
        }
        if !vector::product(Some(pool), size, a, b, c, size.n, Some(&finisher.then())) {
            of_singles(Some(pool), size, (a, b), (c, size.n), false, Some(finisher));
        }
    }
}

/// `c = a b`, row-major, followed by the epilogue; works by panels of a factor that was packed before or is packed for
/// this product. Split over the pool if that pays.
///
/// # Errors
/// The errors of [`multiply`].
pub fn multiply_packed(
    pool: &Pool,
    size: Size,
    (a, b): (Mat<'_, f32>, Factor<'_>),
    c: &mut [f32],
    finisher: Option<&Finisher<'_>>,
) -> Result<()> {
    let Size { m, n, k } = size;
    let holds = match b {
        Factor::Matrix(b) => b.holds(k, n),
        Factor::Packed(b) => b.is_of(k, n),
    };
    if c.len() < m * n || !a.holds(m, k) || !holds {
        return Err(Error::internal(format!("matrices do not hold a product of {m} x {k} and {k} x {n}")));
    }
    let c = &mut c[..m * n];
    if k == 0 {
        c.fill(0.0);
        finisher.filter(|_| m * n > 0).inspect(|finisher| finisher.all(pool, c));
        return Ok(());
    }
    packed::product(Some(pool), size, a, b, (c, n), false, finisher);
    Ok(())
}

/// True if [`add_products`] computes products of this size as [`multiply`] does: elsewhere their bits may differ.
pub fn adds(size: Size, a: &Mat<'_, f32>, b: &Mat<'_, f32>) -> bool {
    size.k <= packed::MOST_AT_ONCE && packed::pays(size, a, b)
}

/// True if [`add_products`] is faster with several products of this size than with one after the other.
pub fn adds_several(size: Size) -> bool {
    several::pays(size)
}

/// `c += a b` for one pair of factors after the other, row-major, split over the pool if that pays. Each element of `c` is
/// added to once for each pair, when its sum is complete.
///
/// # Errors
/// The errors of [`multiply`].
pub fn add_products(pool: &Pool, size: Size, factors: &[(Mat<'_, f32>, Mat<'_, f32>)], c: &mut [f32]) -> Result<()> {
    factors.iter().try_for_each(|(a, b)| check(size, a, b, c.len(), size.n))?;
    let c = &mut c[..size.m * size.n];
    if !several::add(pool, size, factors, c) {
        for &(a, b) in factors {
            packed::product(Some(pool), size, a, Factor::Matrix(b), (c, size.n), true, None);
        }
    }
    Ok(())
}

/// `c = a b`, row-major, followed by the epilogue; split over the pool if that pays.
///
/// # Errors
/// The errors of [`multiply`].
pub fn multiply_finished<T: Finished>(
    pool: &Pool,
    size: Size,
    (a, b): (Mat<'_, T>, Mat<'_, T>),
    c: &mut [T],
    finisher: &Finisher<'_>,
) -> Result<()> {
    check(size, &a, &b, c.len(), size.n)?;
    let c = &mut c[..size.m * size.n];
    if !c.is_empty() {
        T::finished(pool, size, (a, b), c, finisher);
    }
    Ok(())
}

/// `c = a b`, or `c += a b` if `add`, on this thread. Row `i` of `c` starts at `i * width`.
///
/// # Errors
/// The errors of [`multiply`].
pub fn multiply_here<T: Gemm>(
    size: Size,
    a: Mat<'_, T>,
    b: Mat<'_, T>,
    c: &mut [T],
    width: usize,
    add: bool,
) -> Result<()> {
    check(size, &a, &b, c.len(), width)?;
    if size.m == 0 || size.n == 0 {
        return Ok(());
    }
    if size.k > 0 {
        T::block(size, a, b, c, width, add);
    } else if !add {
        c.chunks_mut(width).take(size.m).for_each(|row| row[..size.n].fill(T::zero()));
    }
    Ok(())
}

/// Products of the same size, one after the other in `c`: `pairs(i)` returns the factors of product `i`.
///
/// # Errors
/// The errors of [`multiply`].
pub fn multiply_batch<'a, T: Gemm>(
    pool: &Pool,
    size: Size,
    c: &mut [T],
    pairs: impl Fn(usize) -> (Mat<'a, T>, Mat<'a, T>) + Sync + Send,
) -> Result<()> {
    let each = size.m * size.n;
    if each == 0 {
        return Ok(());
    }
    let batches = c.len() / each;
    for i in 0..batches {
        let (a, b) = pairs(i);
        check(size, &a, &b, each, size.n)?;
    }
    if size.k == 0 {
        c.fill(T::zero());
    } else if batches >= 2 * pool.shares() || size.nanos::<T>() < 100_000.0 {
        pool.for_chunks(c, each, size.nanos::<T>() + 100.0, |first, piece| {
            for (i, c) in piece.chunks_exact_mut(each).enumerate() {
                let (a, b) = pairs(first + i);
                T::block(size, a, b, c, size.n, false);
            }
        });
    } else {
        for (i, c) in c.chunks_exact_mut(each).enumerate() {
            let (a, b) = pairs(i);
            T::parallel(pool, size, a, b, c);
        }
    }
    Ok(())
}

/// The elements of a matrix, row-major; borrowed if they already are.
fn rows_of<'a, T: Number>(a: Mat<'a, T>, rows: usize, cols: usize) -> Cow<'a, [T]> {
    if a.col == 1 && a.row == cols {
        return Cow::Borrowed(&a.data[..rows * cols]);
    }
    let mut out = Vec::with_capacity(rows * cols);
    for i in 0..rows {
        out.extend((0..cols).map(|j| a.data[i * a.row + j * a.col]));
    }
    Cow::Owned(out)
}
