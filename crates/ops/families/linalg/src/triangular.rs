//! `MatrixTriangularSolve`, and the triangular solver that other ops use.

use super::matrix::{Field, Matrices, OLD, check_matrices, infer_solve, pairs, with_field};
use super::nodes::{band, of_system, solve_triangle, unbroadcast};
use crate::prelude::*;
use levada_gemm::{self as gemm, Mat, Size};
use levada_kernel::Pool;
use levada_ops_core::vectorized_for;
use std::ops::Range;

/// Rows solved one by one before a product eliminates them from all others.
const BLOCK: usize = 64;
/// Columns of right-hand sides that are solved for together.
const COLUMNS: usize = 128;

/// A triangular matrix of size `n` with row stride `row`.
#[derive(Clone, Copy)]
pub(super) struct Triangle<'a, T> {
    pub data: &'a [T],
    pub row: usize,
    pub n: usize,
    /// If true, the lower triangle is used, otherwise the upper one.
    pub lower: bool,
    /// If true, solves with the conjugate transpose.
    pub adjoint: bool,
    /// If true, the diagonal is taken to be ones.
    pub unit: bool,
}

impl<T: Field> Triangle<'_, T> {
    #[inline]
    fn at(&self, i: usize, j: usize) -> T {
        if self.adjoint { self.data[j * self.row + i].conj() } else { self.data[i * self.row + j] }
    }

    /// The submatrix from element (i, j) on.
    fn from(&self, i: usize, j: usize) -> Mat<'_, T> {
        let (at, row, col) =
            if self.adjoint { (j * self.row + i, 1, self.row) } else { (i * self.row + j, self.row, 1) };
        Mat { data: &self.data[at..], row, col, conj: self.adjoint }
    }

    /// Solves for these rows of `x`, to which the others contribute nothing any more.
    fn solve_rows(&self, pool: &Pool, rows: Range<usize>, x: &mut [T], k: usize) {
        let forward = self.lower != self.adjoint;
        let order = |step: usize| if forward { step } else { rows.len() - 1 - step };
        let x = &mut x[rows.start * k..rows.end * k];
        if k <= COLUMNS {
            let mut all: Vec<&mut [T]> = x.chunks_exact_mut(k).collect();
            return self.solve_part(rows.start, &mut all, order);
        }
        // Threads solve for different columns.
        let width = k.div_ceil(k.div_ceil(COLUMNS));
        let mut parts: Vec<Vec<&mut [T]>> = (0..k.div_ceil(width)).map(|_| Vec::with_capacity(rows.len())).collect();
        for row in x.chunks_exact_mut(k) {
            parts.iter_mut().zip(row.chunks_mut(width)).for_each(|(part, row)| part.push(row));
        }
        let nanos = (rows.len() * rows.len() * width) as f64 * 0.1;
        pool.for_each(parts, nanos, |mut part| self.solve_part(rows.start, &mut part, order));
    }

    /// Solves for some columns of adjacent rows, the first of which has the number `first`, in this order.
    fn solve_part(&self, first: usize, part: &mut [&mut [T]], order: impl Fn(usize) -> usize) {
        vectorized_for!(T, {
            for step in 0..part.len() {
                let i = order(step);
                let row = std::mem::take(&mut part[i]);
                for j in (0..step).map(&order) {
                    let factor = self.at(first + i, first + j);
                    row.iter_mut().zip(&*part[j]).for_each(|(x, s)| *x -= factor * *s);
                }
                if !self.unit {
                    let diagonal = self.at(first + i, first + i);
                    row.iter_mut().for_each(|x| *x = x.over(diagonal));
                }
                part[i] = row;
            }
        });
    }

    /// Replaces the `k` columns of right-hand sides by the solutions.
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
            self.solve_rows(pool, begin..end, x, k);
            done += size;
            if done < n {
                let solved: Vec<T> = x[begin * k..end * k].iter().map(|&v| -v).collect();
                let (first, rest) = if forward { (end, &mut x[end * k..]) } else { (0, &mut x[..begin * k]) };
                let nanos = (size * k) as f64 * 0.1;
                pool.for_chunks(rest, k, nanos, |skip, rows| {
                    let size = Size { m: rows.len() / k, n: k, k: size };
                    let part = self.from(first + skip, begin);
                    // Cannot fail: both matrices are large enough for a product of this size.
                    let _ = gemm::multiply_here(size, part, Mat::new(&solved, k), rows, k, true);
                });
            }
        }
        Ok(())
    }
}

attrs! {
    /// Solves the linear systems `matrix * output = rhs` for triangular matrices; batch axes are broadcast.
    pub struct MatrixTriangularSolve {
        /// If true, the lower triangle is used, otherwise the upper one.
        lower: bool = Attr::bool("lower").or_bool(true),
        /// If true, solves with the conjugate transpose.
        adjoint: bool = Attr::bool("adjoint").or_bool(false),
        /// Element type.
        dtype: DType = Attr::dtype("T", &[DType::BF16, DType::F64, DType::F32, DType::F16, DType::C64, DType::C128]),
        /// Whether batch axes are broadcast.
        broadcast: bool = Attr::bool("broadcast"),
    }
}

pub static MATRIX_TRIANGULAR_SOLVE: Def<MatrixTriangularSolve> = op::<MatrixTriangularSolve>("MatrixTriangularSolve")
    .fixed(&[("broadcast", AttrDefault::Bool(true))])
    .inputs(&[arg("matrix", of("T")), arg("rhs", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .also(&[form("BatchMatrixTriangularSolve")
        .doc("Legacy name of `MatrixTriangularSolve`.")
        .attrs(OLD)
        .fixed(&[("broadcast", AttrDefault::Bool(false))])
        .not_differentiable()])
    .shape(|op, cx| infer_solve(cx, true, op.broadcast))
    .gradient(|op, g| {
        let db = solve_triangle(g.input(0), g.dy(0), op.lower, !op.adjoint);
        let da = of_system(g, op.adjoint, db);
        let da = if op.lower { band(da, -1, 0) } else { band(da, 0, -1) };
        unbroadcast(g, da, db)
    })
    .kernel(matrix_triangular_solve)
    .heavy()
    .supports(|op| !matches!(op.dtype, DType::F16 | DType::BF16))
    .batch(|op, b| if b.rank(0)? < 2 || b.rank(0)? != b.rank(1)? { None } else { leading(op, b) });

/// Solves a system in place, given the matrix and the right-hand sides.
type Solver<'a, T> = dyn Fn(&Pool, &[T], &mut [T]) -> Result<()> + Sync + 'a;

/// The matrices of two inputs with broadcast batch axes.
pub(super) struct Pairs {
    /// Batch axes of the result.
    pub batch: Shape,
    /// The index pairs of matrices that form a system.
    pub at: Vec<(usize, usize)>,
}

impl Pairs {
    pub(super) fn of(a: &Shape, b: &Shape) -> Result<Pairs> {
        check_matrices(a, b)?;
        let front = |s: &Shape| Shape::new(s[..s.rank() - 2].iter().copied());
        let (x, y) = (front(a)?, front(b)?);
        let batch = x.broadcast(&y).map_err(|_| {
            Error::invalid(format!("In[0] and In[1] must have compatible batch dimensions: {a} vs. {b}"))
        })?;
        Ok(Pairs { at: pairs(&x, &y, &batch), batch })
    }

    /// Solves each pair's system: `solve` receives the matrix and the right-hand sides, `n` rows of `k`, and replaces
    /// the latter by the solutions. `nanos`: cost of one.
    pub(super) fn solve<T: Field>(
        &self,
        cx: &Cx<'_, '_>,
        [n, k]: [usize; 2],
        out: &mut [T],
        nanos: f64,
        solve: &Solver<'_, T>,
    ) -> Result<()> {
        let (a, b) = (cx.slice::<T>(0)?, cx.slice::<T>(1)?);
        let shape = cx.input(0)?.shape();
        let size = shape[shape.rank() - 2] * shape[shape.rank() - 1];
        let all = Matrices { batch: Vec::new(), count: self.at.len(), rows: n, cols: n };
        all.fill(cx.pool(), out, nanos, &|i, pool, out| {
            let (x, y) = self.at[i];
            out.copy_from_slice(&b[y * n * k..][..n * k]);
            solve(pool, &a[x * size..][..size], out)
        })
    }
}

fn matrix_triangular_solve(op: &MatrixTriangularSolve, cx: &mut Cx<'_, '_>) -> Result<()> {
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
    with_field!(op.dtype, |T| cx.produce::<T>(0, &shape, |cx, out| {
        let nanos = n as f64 * n as f64 * k as f64 * 0.5 + 100.0;
        pairs.solve(cx, [n, k], out, nanos, &|pool, data: &[T], x| {
            Triangle { data, row: n, n, lower: op.lower, adjoint: op.adjoint, unit: false }.solve(pool, x, k)
        })
    }))
}
