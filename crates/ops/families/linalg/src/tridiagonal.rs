//! `TridiagonalSolve` and `TridiagonalMatMul`: ops on tridiagonal matrices.

use super::matrix::{Field, Matrices, matrix_dims, room, same, with_field};
use super::nodes::{adjoint, part, vector};
use crate::prelude::*;
use levada_ops_core::rules::{Handles, PAD, concat, expand, int};

const DTYPES: &[DType] = &[DType::F64, DType::F32, DType::C64, DType::C128];

attrs! {
    /// Solves tridiagonal systems. The rows of `diagonals` are the superdiagonal, the diagonal and the subdiagonal; the
    /// last element of the first row and the first of the last row are ignored.
    pub struct TridiagonalSolve {
        /// If true, uses partial pivoting.
        partial_pivoting: bool = Attr::bool("partial_pivoting").or_bool(true),
        /// If true, perturbs pivots close to zero instead of returning NaN.
        perturb_singular: bool = Attr::bool("perturb_singular").or_bool(false),
        /// Element type.
        dtype: DType = Attr::dtype("T", DTYPES),
    }
}

pub static TRIDIAGONAL_SOLVE: Def<TridiagonalSolve> = op::<TridiagonalSolve>("TridiagonalSolve")
    .inputs(&[arg("diagonals", of("T")), arg("rhs", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .shape(tridiagonal_solve_shape)
    .gradient(|op, g| {
        let (diagonals, x) = (g.input(0), g.output(0));
        let row = |i: i32| part(diagonals, -2, Some(i), Some(i + 1));
        let transposed = concat(g, &[shifted(row(2), -1, true), row(1), shifted(row(0), -1, false)], -2);
        let db = TRIDIAGONAL_SOLVE.node(g, op, &[transposed, g.dy(0)]);
        let rows = [db * shifted(x, -2, true), db * x, db * shifted(x, -2, false)].map(row_sums);
        vec![(-concat(g, &rows, -2)).into(), db.into()]
    })
    .kernel(tridiagonal_solve)
    .heavy()
    .batch(|op, b| if b.rank(0)? < 2 || b.rank(0)? != b.rank(1)? { None } else { leading(op, b) });

fn tridiagonal_solve_shape(_: &TridiagonalSolve, cx: &mut ShapeCx<'_>) -> Result<()> {
    let (a, b) = (matrix_dims(cx, 0)?, matrix_dims(cx, 1)?);
    if let (Some((a, three, n)), Some((b, rows, k))) = (a, b) {
        same(three, Some(3))?;
        let n = same(n, rows)?;
        let batch = PartialShape::new(a).merge(&PartialShape::new(b))?;
        cx.output(0, batch.concat(&PartialShape::new([n, k])));
    }
    Ok(())
}

fn tridiagonal_solve(op: &TridiagonalSolve, cx: &mut Cx<'_, '_>) -> Result<()> {
    if op.perturb_singular && !op.partial_pivoting {
        return Err(Error::invalid("Setting perturb_singular requires also setting partial_pivoting."));
    }
    let all = Matrices::of(cx, 0)?;
    let right = all.beside(cx, 1)?;
    let (n, k) = (all.cols, right.cols);
    if all.rows != 3 {
        return Err(Error::invalid(format!(
            "Expected diagonals to be provided as a matrix with 3 rows, got {} rows.",
            all.rows
        )));
    }
    if right.rows != n {
        return Err(Error::invalid(format!(
            "Expected the same number of left-hand sides and right-hand sides, got {n} and {}.",
            right.rows
        )));
    }
    let shape = cx.input(1)?.shape().clone();
    with_field!(op.dtype, |T| cx.produce::<T>(0, &shape, |cx, out| {
        let (a, b) = (cx.slice::<T>(0)?, cx.slice::<T>(1)?);
        if out.is_empty() {
            return Ok(());
        }
        all.fill(cx.pool(), out, n as f64 * (k as f64 + 3.0) * 5.0, &|i, _, out| {
            out.copy_from_slice(right.matrix(b, i));
            if !solve(all.matrix(a, i), n, out, k, op.partial_pivoting, op.perturb_singular)? {
                // TensorFlow's standard NaN of a complex type is zero.
                out.fill(if op.dtype.is_complex() { T::zero() } else { T::of(f64::NAN, 0.0) });
            }
            Ok(())
        })
    }))
}

/// The upper triangle left by elimination: per row the pivot and the two elements to its right.
struct Eliminated<T> {
    rows: Vec<[T; 3]>,
    /// Minimum pivot magnitude if smaller pivots are replaced.
    least: Option<f64>,
}

impl<T: Field> Eliminated<T> {
    /// The pivot to divide by; `None` if the matrix is singular.
    fn pivot(&self, pivot: T) -> Option<T> {
        match self.least {
            Some(least) if pivot.modulus() <= least => Some(T::of(if pivot.re() >= 0.0 { least } else { -least }, 0.0)),
            Some(_) => Some(pivot),
            None => (pivot.modulus() > 0.0).then_some(pivot),
        }
    }
}

/// Solves for one matrix; `x` holds the right-hand sides and receives the solutions.
fn solve<T: Field>(a: &[T], n: usize, x: &mut [T], k: usize, pivoting: bool, perturb: bool) -> Result<bool> {
    let (above, main, below) = (&a[..n], &a[n..2 * n], &a[2 * n..3 * n]);
    let least = perturb.then(|| {
        let used = above[..n - 1].iter().chain(main).chain(&below[1..]);
        let most = used.fold(0.0f64, |most, v| most.max(v.modulus()));
        if most == 0.0 { T::TINY } else { T::EPSILON * most }
    });
    let mut upper = Eliminated { rows: room(n, [T::zero(); 3])?, least };
    upper.rows[0] = [main[0], if n > 1 { above[0] } else { T::zero() }, T::zero()];
    for i in 0..n - 1 {
        let next = [below[i + 1], main[i + 1], if i + 2 < n { above[i + 1] } else { T::zero() }];
        let row = upper.rows[i];
        let (head, tail) = x.split_at_mut((i + 1) * k);
        let (x, y) = (&mut head[i * k..], &mut tail[..k]);
        if !pivoting || row[0].modulus() >= next[0].modulus() || row[0].modulus().is_nan() {
            let Some(pivot) = upper.pivot(row[0]) else { return Ok(false) };
            upper.rows[i][0] = pivot;
            let factor = next[0].over(pivot);
            upper.rows[i + 1] = [next[1] - factor * row[1], next[2] - factor * row[2], T::zero()];
            y.iter_mut().zip(x).for_each(|(y, x)| *y -= factor * *x);
        } else {
            let Some(pivot) = upper.pivot(next[0]) else { return Ok(false) };
            let factor = row[0].over(pivot);
            upper.rows[i] = [pivot, next[1], next[2]];
            upper.rows[i + 1] = [row[1] - factor * next[1], row[2] - factor * next[2], T::zero()];
            for (x, y) in x.iter_mut().zip(y) {
                (*x, *y) = (*y, *x - factor * *y);
            }
        }
    }
    let Some(pivot) = upper.pivot(upper.rows[n - 1][0]) else { return Ok(false) };
    upper.rows[n - 1][0] = pivot;
    for i in (0..n).rev() {
        let (head, tail) = x.split_at_mut((i + 1) * k);
        let [pivot, one, two] = upper.rows[i];
        for (c, x) in head[i * k..].iter_mut().enumerate() {
            let mut value = *x;
            if i + 1 < n {
                value -= one * tail[c];
            }
            if i + 2 < n {
                value -= two * tail[k + c];
            }
            *x = value.over(pivot);
        }
    }
    Ok(true)
}

attrs! {
    /// Multiplies tridiagonal matrices, given as their three diagonals (each as a matrix of one row), with `rhs`.
    pub struct TridiagonalMatMul {
        /// Element type.
        dtype: DType = Attr::dtype("T", DTYPES),
    }
}

pub static TRIDIAGONAL_MAT_MUL: Def<TridiagonalMatMul> = op::<TridiagonalMatMul>("TridiagonalMatMul")
    .inputs(&[arg("superdiag", of("T")), arg("maindiag", of("T")), arg("subdiag", of("T")), arg("rhs", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .shape(tridiagonal_mat_mul_shape)
    .gradient(|_, g| {
        let dy = g.dy(0);
        let [above, main, below] = [0, 1, 2].map(|i| adjoint(g.input(i)));
        let x = g.input(3).conj();
        let dx = shifted(above * dy, -2, false) + main * dy + shifted(below * dy, -2, true);
        let [above, main, below] = [shifted(x, -2, true) * dy, x * dy, shifted(x, -2, false) * dy].map(row_sums);
        vec![above.into(), main.into(), below.into(), dx.into()]
    })
    .kernel(tridiagonal_mat_mul)
    .heavy();

fn tridiagonal_mat_mul_shape(_: &TridiagonalMatMul, cx: &mut ShapeCx<'_>) -> Result<()> {
    let mut n = None;
    let mut batch = PartialShape::default();
    for i in 0..3 {
        if let Some((front, one, m)) = matrix_dims(cx, i)? {
            same(one, Some(1))?;
            n = same(n, m)?;
            batch = batch.merge(&PartialShape::new(front))?;
        }
    }
    if let Some((front, m, k)) = matrix_dims(cx, 3)? {
        let batch = batch.merge(&PartialShape::new(front))?;
        cx.output(0, batch.concat(&PartialShape::new([same(n, m)?, k])));
    }
    Ok(())
}

fn tridiagonal_mat_mul(op: &TridiagonalMatMul, cx: &mut Cx<'_, '_>) -> Result<()> {
    let first = Matrices::of(cx, 0)?;
    let others = [first.beside(cx, 1)?, first.beside(cx, 2)?];
    let right = first.beside(cx, 3)?;
    let (n, k) = (right.rows, right.cols);
    for (name, given) in
        ["superdiagonal", "main diagonal", "subdiagonal"].iter().zip([&first].into_iter().chain(&others))
    {
        if (given.rows, given.cols) != (1, n) {
            return Err(Error::invalid(format!("Invalid {name} shape.")));
        }
    }
    let shape = cx.input(3)?.shape().clone();
    with_field!(op.dtype, |T| cx.produce::<T>(0, &shape, |cx, out| {
        let (above, main, below) = (cx.slice::<T>(0)?, cx.slice::<T>(1)?, cx.slice::<T>(2)?);
        let x = cx.slice::<T>(3)?;
        if out.is_empty() {
            return Ok(());
        }
        cx.pool().for_chunks(out, k, k as f64 * 3.0, |skip, rows| {
            for (at, row) in (skip..).zip(rows.chunks_exact_mut(k)) {
                // Row `i` of its matrix; `at` counts the rows of all matrices, and so the elements of the diagonals.
                let i = at % n;
                for (c, out) in row.iter_mut().enumerate() {
                    let mut sum = main[at] * x[at * k + c];
                    if i > 0 {
                        sum += below[at] * x[(at - 1) * k + c];
                    }
                    if i + 1 < n {
                        sum += above[at] * x[(at + 1) * k + c];
                    }
                    *out = sum;
                }
            }
        });
        Ok(())
    }))
}

/// Shifts the elements of `axis` (-1 or -2) by one to the front or the back, inserting zero.
fn shifted(x: V<'_>, axis: i32, to_front: bool) -> V<'_> {
    let g = x.cx();
    let kept = if to_front { part(x, axis, Some(1), None) } else { part(x, axis, None, Some(-1)) };
    let side = if to_front { [0, 1] } else { [1, 0] };
    let mut last = [[0, 0], [0, 0]];
    last[if axis == -1 { 1 } else { 0 }] = side;
    let last = g.ints(&last.concat()).reshape(g.ints(&[2, 2]));
    let others = vector(x.rank_value() - 2.0);
    let zeros = int(g, 0).fill(concat(g, &[others, g.ints(&[2])], 0));
    PAD.call([kept, concat(g, &[zeros, last], 0)])
}

/// The sums of the rows, as matrices of one row.
fn row_sums(x: V<'_>) -> V<'_> {
    let g = x.cx();
    expand(g, x.sum(g.ints(&[-1])), -2)
}
