//! Systems of equations with triangular matrices: `MatrixTriangularSolve`, and what other ops solve with.

use levada_gemm::{self as gemm, Mat, Size};
use super::matrix::{Field, infer_solve, pieces, with_field};
use crate::prelude::*;
use levada_kernel::Pool;

/// Rows that are solved one by one before a product takes their part out of all others.
const BLOCK: usize = 64;

/// A triangular matrix of size `n` whose rows start `row` elements apart.
#[derive(Clone, Copy)]
pub(super) struct Triangle<'a, T> {
    pub data: &'a [T],
    pub row: usize,
    pub n: usize,
    /// The part below the diagonal counts, and not the one above.
    pub lower: bool,
    /// Takes the conjugate transpose.
    pub adjoint: bool,
    /// The diagonal is taken for ones.
    pub unit: bool,
}

impl<T: Field> Triangle<'_, T> {
    #[inline]
    fn at(&self, i: usize, j: usize) -> T {
        if self.adjoint { self.data[j * self.row + i].conj() } else { self.data[i * self.row + j] }
    }

    /// The part from element (i, j) on.
    fn from(&self, i: usize, j: usize) -> Mat<'_, T> {
        let (at, row, col) =
            if self.adjoint { (j * self.row + i, 1, self.row) } else { (i * self.row + j, self.row, 1) };
        Mat { data: &self.data[at..], row, col, conj: self.adjoint }
    }

    /// Replaces the right-hand sides, `k` columns, by the solutions.
    pub(super) fn solve(&self, pool: &Pool, x: &mut [T], k: usize) -> Result<()> {
        let n = self.n;
        if n == 0 || k == 0 {
            return Ok(());
        }
        let forward = self.lower != self.adjoint;
        let mut done = 0;
        while done < n {
            let size = BLOCK.min(n - done);
            let (begin, end) = if forward { (done, done + size) } else { (n - done - size, n - done) };
            for step in 0..size {
                let i = if forward { begin + step } else { end - 1 - step };
                let (before, rest) = x.split_at_mut(i * k);
                let (row, after) = rest.split_at_mut(k);
                for j in if forward { begin..i } else { i + 1..end } {
                    let solved = if forward { &before[j * k..][..k] } else { &after[(j - i - 1) * k..][..k] };
                    let factor = self.at(i, j);
                    row.iter_mut().zip(solved).for_each(|(x, s)| *x -= factor * *s);
                }
                if !self.unit {
                    let diagonal = self.at(i, i);
                    row.iter_mut().for_each(|x| *x /= diagonal);
                }
            }
            done += size;
            if done < n {
                let solved: Vec<T> = x[begin * k..end * k].iter().map(|&v| -v).collect();
                let (first, rest) = if forward { (end, &mut x[end * k..]) } else { (0, &mut x[..begin * k]) };
                let nanos = (size * k) as f64 * 0.1;
                pool.for_chunks(rest, k, nanos, |skip, rows| {
                    let size = Size { m: rows.len() / k, n: k, k: size };
                    let part = self.from(first + skip, begin);
                    // The sizes are right: both matrices hold a product of this size.
                    let _ = gemm::multiply_here(size, part, Mat::new(&solved, k), rows, k, true);
                });
            }
        }
        Ok(())
    }
}

attrs! {
    /// Solves `matrix * output = rhs` for triangular matrices; the other axes are broadcast.
    pub struct MatrixTriangularSolve {
        /// The part below the diagonal counts, and not the one above.
        lower: bool = Attr::bool("lower").or_bool(true),
        /// Solves with the conjugate transposes.
        adjoint: bool = Attr::bool("adjoint").or_bool(false),
        /// Element type.
        dtype: DType = Attr::dtype("T", &[DType::BF16, DType::F64, DType::F32, DType::F16, DType::C64, DType::C128]),
    }
}

attrs! {
    /// The name of `MatrixTriangularSolve` in old graphs.
    pub struct BatchMatrixTriangularSolve {
        /// The part below the diagonal counts, and not the one above.
        lower: bool = Attr::bool("lower").or_bool(true),
        /// Solves with the conjugate transposes.
        adjoint: bool = Attr::bool("adjoint").or_bool(false),
        /// Element type.
        dtype: DType = Attr::dtype("T", &[DType::F64, DType::F32]),
    }
}

/// The matrices of two inputs whose other axes are broadcast.
pub(super) struct Pairs {
    /// Axes of the result without the last two.
    pub batch: Shape,
    /// Which two matrices belong together.
    pub at: Vec<(usize, usize)>,
}

impl Pairs {
    pub(super) fn of(a: &Shape, b: &Shape) -> Result<Pairs> {
        for (i, s) in [a, b].into_iter().enumerate() {
            if s.rank() < 2 {
                return Err(Error::invalid(format!("In[{i}] ndims must be >= 2: {}", s.rank())));
            }
        }
        let front = |s: &Shape| Shape::new(s[..s.rank() - 2].iter().copied());
        let (x, y) = (front(a)?, front(b)?);
        let batch = x.broadcast(&y).map_err(|_| {
            Error::invalid(format!("In[0] and In[1] must have compatible batch dimensions: {a} vs. {b}"))
        })?;
        let strides = |s: &Shape| {
            let (strides, skip) = (s.strides(), batch.rank() - s.rank());
            let stride = |i: usize| if i < skip || s[i - skip] == 1 { 0 } else { strides[i - skip] };
            (0..batch.rank()).map(stride).collect::<Vec<_>>()
        };
        let (xs, ys) = (strides(&x), strides(&y));
        let pair = |i: usize| {
            let (mut rest, mut at) = (i, (0, 0));
            for axis in (0..batch.rank()).rev() {
                let index = rest % batch[axis];
                rest /= batch[axis];
                at = (at.0 + index * xs[axis], at.1 + index * ys[axis]);
            }
            at
        };
        let count = batch.num_elements();
        Ok(Pairs { at: (0..count).map(pair).collect(), batch })
    }
}

fn compute(cx: &mut Cx<'_, '_>, dtype: DType, lower: bool, adjoint: bool) -> Result<()> {
    let (a, b) = (cx.input(0)?.shape().clone(), cx.input(1)?.shape().clone());
    let pairs = Pairs::of(&a, &b)?;
    let (rows, n) = (a[a.rank() - 2], a[a.rank() - 1]);
    let (inner, k) = (b[b.rank() - 2], b[b.rank() - 1]);
    if rows != n {
        return Err(Error::invalid(format!("In[0] matrices in the last dimensions must be square ({n} =/= {rows})")));
    }
    if n != inner {
        return Err(Error::invalid(format!("In[0] mismatch In[1] shape: {n} vs. {inner}: {a} {b}")));
    }
    let shape = Shape::new(pairs.batch.iter().copied().chain([n, k]))?;
    let mut out = cx.alloc(dtype, &shape)?;
    with_field!(dtype, |T| {
        let (a, b) = (cx.slice::<T>(0)?, cx.slice::<T>(1)?);
        let out = pieces(out.slice_mut::<T>()?, pairs.at.len());
        let all = super::matrix::Matrices { batch: Vec::new(), count: out.len(), rows: n, cols: n };
        all.each(cx.pool(), n as f64 * n as f64 * k as f64 * 0.5 + 100.0, &|i, pool| {
            let (x, y) = pairs.at[i];
            let mut out = out[i].lock();
            out.copy_from_slice(&b[y * n * k..][..n * k]);
            let data = &a[x * n * n..][..n * n];
            Triangle { data, row: n, n, lower, adjoint, unit: false }.solve(pool, &mut out, k)
        })
    })?;
    cx.set(0, out);
    Ok(())
}

macro_rules! ops {
    ($($name:ident, $broadcast:literal;)*) => {$(
        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("matrix", of("T")), arg("rhs", of("T"))],
                outputs: &[arg("output", of("T"))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                infer_solve(cx, true, $broadcast)
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn supports(&self) -> bool {
                !matches!(self.dtype, DType::F16 | DType::BF16)
            }

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                compute(cx, self.dtype, self.lower, self.adjoint)
            }
        }
    )*};
}

ops! {
    MatrixTriangularSolve, true;
    BatchMatrixTriangularSolve, false;
}
