//! Matrix products of any element type, with strides, so that transposing costs nothing.
//!
//! [`multiply`] splits one product over the threads of a pool, [`multiply_batch`] many of the same size;
//! [`multiply_here`] stays on the calling thread; [`multiply_finished`] also applies an epilogue. `native` calls the
//! `gemm` crate; `vector` computes products with a vector and products of integers; [`halves`] multiplies 16-bit
//! floats, [`int8`] 8-bit codes.

mod finish;
pub mod halves;
pub mod int8;
mod native;
mod out;
mod packed;
mod strided;
pub mod tile;
mod vector;
pub mod windows;

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
    then: Then<'_, f32>,
) {
    match packed::pays(size, &a, &b) {
        true => packed::product(pool, size, a, Factor::Matrix(b), c, add, then),
        false => native::gemm(pool, size, a, b, c, add, then),
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

/// Called with each finished part of a row of a product: the row, the first column, and the elements.
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
        let then: Then<'_, f32> = Some(&|row, col, part| finisher.part(row, col, part));
        if !vector::product(Some(pool), size, a, b, c, size.n, then) {
            of_singles(Some(pool), size, (a, b), (c, size.n), false, then);
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
    let part = |row: usize, col: usize, part: &mut [f32]| {
        if let Some(finisher) = finisher {
            finisher.part(row, col, part);
        }
    };
    packed::product(Some(pool), size, a, b, (c, n), false, finisher.is_some().then_some(&part));
    Ok(())
}

/// `c += a b`, row-major, split over the pool if that pays: each element is added to once, when its sum is complete.
/// Returns false, with nothing changed, if the product would be computed by another algorithm.
///
/// # Errors
/// The errors of [`multiply`].
pub fn add_product(pool: &Pool, size: Size, (a, b): (Mat<'_, f32>, Mat<'_, f32>), c: &mut [f32]) -> Result<bool> {
    check(size, &a, &b, c.len(), size.n)?;
    let is_so = size.k <= packed::MOST_AT_ONCE && packed::pays(size, &a, &b);
    if is_so {
        packed::product(Some(pool), size, a, Factor::Matrix(b), (c, size.n), true, None);
    }
    Ok(is_so)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Small integers, so that every order of summation gives the same result.
    fn numbers<T: Number>(n: usize, seed: usize) -> Vec<T> {
        (0..n).map(|i| T::from_usize((i * 7 + seed * 3 + i / 5) % 5)).collect()
    }

    fn at<T: Copy>(a: &Mat<'_, T>, i: usize, j: usize) -> T {
        a.data[i * a.row + j * a.col]
    }

    fn compare<T: Gemm>(pool: &Pool, size: Size, strides: [usize; 4], width: usize) {
        let Size { m, n, k } = size;
        let [ar, ac, br, bc] = strides;
        let a_data = numbers::<T>(m * ar + k * ac + 1, 1);
        let b_data = numbers::<T>(k * br + n * bc + 1, 2);
        let a = Mat { data: &a_data[..], row: ar, col: ac, conj: false };
        let b = Mat { data: &b_data[..], row: br, col: bc, conj: false };
        let mut sums = vec![T::Wide::zero(); m * n];
        for i in 0..m {
            for j in 0..n {
                let product = |p| at(&a, i, p).widen().mul(at(&b, p, j).widen());
                sums[i * n + j] = (0..k).fold(T::Wide::zero(), |sum, p| sum.add(product(p)));
            }
        }
        let expected: Vec<T> = sums.iter().map(|&sum| T::narrow(sum)).collect();
        let mut c = numbers::<T>(m * n, 3);
        multiply(pool, size, a, b, &mut c).unwrap();
        assert_eq!(c, expected, "{size:?} {strides:?}");
        // On this thread, added to existing values, in wider rows.
        let before = numbers::<T>(m * width + n, 4);
        let mut wide = before.clone();
        multiply_here(size, a, b, &mut wide, width, true).unwrap();
        for i in 0..m {
            for j in 0..width {
                let mut value = before[i * width + j];
                if j < n {
                    value = T::narrow(value.widen().add(sums[i * n + j]));
                }
                assert_eq!(wide[i * width + j], value, "{size:?} {strides:?} at {i},{j}");
            }
        }
        let mut again = numbers::<T>(3 * m * n, 5);
        multiply_batch(pool, size, &mut again, |_| (a, b)).unwrap();
        again.chunks_exact((m * n).max(1)).for_each(|c| assert_eq!(c, expected));
    }

    fn compare_all<T: Gemm>() {
        let pool = Pool::new(2);
        for m in [0, 1, 2, 7, 33] {
            for n in [0, 1, 3, 65] {
                for k in [0, 1, 4, 37] {
                    let size = Size { m, n, k };
                    compare::<T>(&pool, size, [k, 1, n, 1], n);
                    compare::<T>(&pool, size, [1, m, 1, k], n + 3);
                    compare::<T>(&pool, size, [2 * k + 1, 2, 3, 3 * k + 5], n + 1);
                    compare::<T>(&pool, size, [0, 1, 0, 1], n);
                }
            }
        }
        compare::<T>(&pool, Size { m: 130, n: 70, k: 300 }, [300, 1, 1, 300], 70);
        compare::<T>(&pool, Size { m: 33, n: 600, k: 70 }, [70, 1, 1, 75], 601);
        compare::<T>(&pool, Size { m: 1, n: 700, k: 900 }, [900, 1, 700, 1], 700);
        compare::<T>(&pool, Size { m: 1, n: 700, k: 900 }, [900, 1, 1, 900], 700);
        compare::<T>(&pool, Size { m: 700, n: 1, k: 900 }, [900, 1, 1, 1], 1);
    }

    #[test]
    fn products_equal_the_naive_loop() {
        compare_all::<f32>();
        compare_all::<f64>();
        compare_all::<Complex32>();
        compare_all::<Complex64>();
        compare_all::<i32>();
        compare_all::<i8>();
    }

    #[test]
    fn products_with_a_vector_or_of_a_large_inner_size_equal_the_naive_loop() {
        for threads in [1, 2] {
            let pool = Pool::new(threads);
            for k in [1, 2, 3, 4, 5, 15, 16, 40, 127, 128, 200] {
                compare::<f32>(&pool, Size { m: 70, n: 1, k }, [k, 1, 1, 1], 1);
                compare::<f32>(&pool, Size { m: 1, n: 70, k }, [k, 1, 1, k + 1], 70);
                compare::<f64>(&pool, Size { m: 70, n: 1, k }, [1, 70, 1, 1], 1);
            }
            for (n, k) in [(1, 3), (2, 1), (3, 3), (3, 4), (4, 2), (4, 4)] {
                for m in [5, 16, 47, 5000] {
                    compare::<f32>(&pool, Size { m, n, k }, [k, 1, n, 1], n);
                    compare::<f64>(&pool, Size { m, n, k }, [k, 1, 1, k], n);
                    compare::<f32>(&pool, Size { m, n, k }, [k, 1, n, 1], n + 1);
                }
            }
            compare::<f32>(&pool, Size { m: 3, n: 5, k: 40_000 }, [1, 3, 5, 1], 5);
            compare::<f32>(&pool, Size { m: 1, n: 6, k: 2 * DEPTH + 1 }, [2 * DEPTH + 1, 1, 6, 1], 6);
        }
    }

    /// First factors that are packed by slabs, with an incomplete last slab and more columns than are packed side by
    /// side, and a large one that is not.
    #[test]
    fn products_of_transposed_and_large_first_factors_equal_the_naive_loop() {
        let pool = Pool::new(2);
        compare::<f32>(&pool, Size { m: 131, n: 150, k: 300 }, [1, 131, 150, 1], 151);
        compare::<f32>(&pool, Size { m: 50, n: 130, k: 40 }, [82, 2, 1, 40], 130);
        compare::<f32>(&pool, Size { m: 250, n: 520, k: 600 }, [1, 250, 520, 1], 520);
        compare::<f32>(&pool, Size { m: 65, n: 515, k: 1700 }, [1, 66, 1, 1700], 515);
        // Zeros except for a few values: a naive loop would take long.
        let size = Size { m: 1401, n: 1030, k: 1600 };
        let (mut a, b) = (vec![0f32; size.m * size.k], numbers::<f32>(size.k * size.n, 2));
        let places = |i: usize| [i % size.k, (i * 37 + 11) % size.k, (i * 101 + 1590) % size.k];
        (0..size.m).for_each(|i| places(i).into_iter().for_each(|p| a[i * size.k + p] += (1 + i % 3) as f32));
        let mut found = vec![0f32; size.m * size.n];
        multiply(&pool, size, Mat::new(&a, size.k), Mat::new(&b, size.n), &mut found).unwrap();
        for (i, row) in found.chunks_exact(size.n).enumerate() {
            let expected =
                |j: usize| places(i).into_iter().map(|p| (1 + i % 3) as f32 * b[p * size.n + j]).sum::<f32>();
            assert!(row.iter().enumerate().all(|(j, &sum)| sum == expected(j)), "row {i}");
        }
    }

    #[test]
    fn products_with_a_packed_factor_are_finished_as_others() {
        for (m, n, k, threads) in
            [(2, 20, 16, 1), (37, 100, 70, 2), (300, 70, 33, 2), (450, 600, 620, 3), (25, 48, 1600, 2)]
        {
            let pool = Pool::new(threads);
            let (a, b) = (numbers::<f32>(m * k, 1), numbers::<f32>(k * n, 2));
            let (shift, addend) = (numbers::<f32>(n, 3), numbers::<f32>(m * n, 4));
            let shape = levada_graph::Shape::new([m, n]).unwrap();
            let addend = levada_graph::Tensor::from_vec(shape.clone(), addend).unwrap();
            let finish = levada_kernel::Finish { shift: Some(&shift), addend: Some(&addend), ..Default::default() };
            let finisher = Finisher::new(&finish, &shape, levada_graph::DType::F32).unwrap();
            let size = Size { m, n, k };
            let mut expected = vec![0f32; m * n];
            multiply(&pool, size, Mat::new(&a, k), Mat::new(&b, n), &mut expected).unwrap();
            finisher.all(&pool, &mut expected);
            let packed = Packed::new(&pool, Mat::new(&b, n), (k, n)).unwrap();
            let mut found = vec![0f32; m * n];
            let factor = |factor| (Mat::new(&a, k), factor);
            multiply_packed(&pool, size, factor(Factor::Packed(&packed)), &mut found, Some(&finisher)).unwrap();
            assert!(found == expected, "{size:?}, packed");
            multiply_packed(&pool, size, factor(Factor::Matrix(Mat::new(&b, n))), &mut found, Some(&finisher)).unwrap();
            assert!(found == expected, "{size:?}, by panels");
            multiply_finished(&pool, size, (Mat::new(&a, k), Mat::new(&b, n)), &mut found, &finisher).unwrap();
            assert!(found == expected, "{size:?}");
        }
        assert!(Packed::new(&Pool::new(1), Mat::new(&[0f32; 5], 3), (2, 3)).is_err());
    }

    /// Values that are rounded: sums differ if they are added in another order.
    #[test]
    fn sums_are_added_in_one_order() {
        let draw = |n: usize, seed: usize| -> Vec<f32> {
            (0..n).map(|i| ((i * 7919 + seed * 104_729) % 1013) as f32 / 517.0 - 1.0).collect()
        };
        for (m, n, k, threads) in [(3, 100, MOST_ALIKE, 1), (30, 130, 70, 2), (500, 300, 512, 2), (64, 48, 16, 3)] {
            let (pool, size) = (Pool::new(threads), Size { m, n, k });
            let (a, b, before) = (draw(m * k, 1), draw(k * n, 2), draw(m * n, 3));
            for (a, b) in [(Mat::new(&a, k), Mat::new(&b, n)), (Mat::new(&a, m).t(), Mat::new(&b, k).t())] {
                let packed = Packed::new(&pool, b, (k, n)).unwrap();
                let (mut one, mut other) = (vec![0f32; m * n], vec![0f32; m * n]);
                multiply_packed(&pool, size, (a, Factor::Packed(&packed)), &mut one, None).unwrap();
                multiply_packed(&pool, size, (a, Factor::Matrix(b)), &mut other, None).unwrap();
                assert!(one == other, "{size:?}");
                let mut sum = before.clone();
                let is_added = add_product(&pool, size, (a, b), &mut sum).unwrap();
                assert_eq!(is_added, m >= 24 && k <= 512);
                if is_added {
                    multiply(&pool, size, a, b, &mut one).unwrap();
                    assert!(sum.iter().zip(&before).zip(&one).all(|((&sum, &c), &ab)| sum == c + ab), "{size:?}");
                }
            }
        }
    }

    #[test]
    fn half_products_equal_the_naive_loop() {
        compare_all::<f16>();
        compare_all::<bf16>();
    }

    #[test]
    fn half_products_add_in_f32() {
        let pool = Pool::new(2);
        let (a, b) = (vec![f16::ONE; 3 * 5000], vec![f16::ONE; 5000 * 2]);
        let mut c = vec![f16::ZERO; 6];
        multiply(&pool, Size { m: 3, n: 2, k: 5000 }, Mat::new(&a, 5000), Mat::new(&b, 2), &mut c).unwrap();
        assert_eq!(c, vec![f16::from_f32(5000.0); 6]);
        let (a, b) = (vec![bf16::ONE; 512], vec![bf16::ONE; 512]);
        let mut c = vec![bf16::ZERO; 1];
        multiply(&pool, Size { m: 1, n: 1, k: 512 }, Mat::new(&a, 512), Mat::new(&b, 1), &mut c).unwrap();
        assert_eq!(c, [bf16::from_f32(512.0)]);
    }

    #[test]
    fn conjugates_are_read() {
        let i = Complex32::new(0.0, 1.0);
        let (a, b) = (vec![i; 4], vec![Complex32::new(1.0, 1.0); 4]);
        let pool = Pool::new(1);
        for (m, n) in [(2, 2), (1, 2), (2, 1)] {
            let size = Size { m, n, k: 2 };
            let mut c = vec![Complex32::default(); m * n];
            multiply(&pool, size, Mat::new(&a, 2).adjoint_if(true), Mat::new(&b, n), &mut c).unwrap();
            assert_eq!(c, vec![Complex32::new(2.0, -2.0); m * n]);
            multiply(&pool, size, Mat::new(&a, 2), Mat { conj: true, ..Mat::new(&b, n) }, &mut c).unwrap();
            assert_eq!(c, vec![Complex32::new(2.0, 2.0); m * n]);
        }
    }

    #[test]
    fn matrices_that_are_too_small_are_refused() {
        let a = [1f32; 6];
        let mut c = [0f32; 4];
        let pool = Pool::new(1);
        let size = Size { m: 2, n: 2, k: 3 };
        assert!(multiply(&pool, size, Mat::new(&a, 3), Mat::new(&a, 2), &mut c).is_ok());
        assert!(multiply(&pool, size, Mat::new(&a[..5], 3), Mat::new(&a, 2), &mut c).is_err());
        assert!(multiply(&pool, size, Mat::new(&a, 3), Mat::new(&a[1..], 2), &mut c).is_err());
        assert!(multiply(&pool, size, Mat::new(&a, 3), Mat::new(&a, 2), &mut c[..3]).is_err());
        let huge = Mat { data: &a[..], row: usize::MAX, col: 1, conj: false };
        assert!(multiply_here(size, huge, Mat::new(&a, 2), &mut c, 2, false).is_err());
    }
}
