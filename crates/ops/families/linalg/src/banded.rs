//! `BandedTriangularSolve`: linear systems with banded triangular matrices.

use super::matrix::{Field, matrix_dims, same, with_field};
use super::nodes::{of_system, unbroadcast, vector};
use super::triangular::Pairs;
use crate::prelude::*;
use levada_ops_core::rules::{Handles, MATRIX_DIAG_PART_V3, SLICE, attr, concat};

attrs! {
    /// Solves `matrix * output = rhs`, where the rows of `matrix` are the diagonals of triangular matrices: the main
    /// diagonal first and the subdiagonals after it if `lower`, otherwise the main diagonal last. Column `j` holds the
    /// elements of matrix row `j`.
    pub struct BandedTriangularSolve {
        /// If true, the other diagonals lie below the main one.
        lower: bool = Attr::bool("lower").or_bool(true),
        /// If true, solves with the conjugate transpose.
        adjoint: bool = Attr::bool("adjoint").or_bool(false),
        /// Element type.
        dtype: DType = Attr::dtype("T", super::matrix::MATRIX),
    }
}

pub static BANDED_TRIANGULAR_SOLVE: Def<BandedTriangularSolve> = op::<BandedTriangularSolve>("BandedTriangularSolve")
    .inputs(&[arg("matrix", of("T")), arg("rhs", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .shape(shape)
    .gradient(gradient)
    .kernel(banded_triangular_solve)
    .heavy()
    .supports(|op| op.dtype != DType::F16)
    .batch(|op, b| if b.rank(0)? < 2 || b.rank(0)? != b.rank(1)? { None } else { leading(op, b) });

fn shape(_: &BandedTriangularSolve, cx: &mut ShapeCx<'_>) -> Result<()> {
    let (a, b) = (matrix_dims(cx, 0)?, matrix_dims(cx, 1)?);
    if let (Some((a, _, n)), Some((b, rows, k))) = (a, b) {
        let n = same(n, rows)?;
        let batch = PartialShape::new(a).broadcast(&PartialShape::new(b))?;
        cx.output(0, batch.concat(&PartialShape::new([n, k])));
    }
    Ok(())
}

fn gradient(op: &BandedTriangularSolve, g: &GradCx) -> Grads {
    let a = g.input(0);
    let reversed = BandedTriangularSolve { adjoint: !op.adjoint, ..op.clone() };
    let db = BANDED_TRIANGULAR_SOLVE.node(g, &reversed, &[a, g.dy(0)]);
    let shape = a.shape_value();
    let most = SLICE.call([shape, vector(shape.size() - 2.0), g.ints(&[1])]) - 1.0;
    let k = if op.lower { [-most, g.ints(&[0])] } else { [g.ints(&[0]), most] };
    let da = of_system(g, op.adjoint, db);
    let align = attr("align", "LEFT_RIGHT".to_owned());
    let da = MATRIX_DIAG_PART_V3.node(g, &[da, concat(g, &k, 0), da.like(0.0)], &[align]);
    unbroadcast(g, da, db)
}

fn banded_triangular_solve(op: &BandedTriangularSolve, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (a, b) = (cx.input(0)?.shape().clone(), cx.input(1)?.shape().clone());
    let pairs = Pairs::of(&a, &b)?;
    for (i, shape) in [&a, &b].into_iter().enumerate() {
        if shape.num_elements() == 0 {
            return Err(Error::invalid(format!("In[{i}] must not be an empty tensor: shape {shape}")));
        }
    }
    let (bands, n) = (a[a.rank() - 2], a[a.rank() - 1]);
    let (rows, k) = (b[b.rank() - 2], b[b.rank() - 1]);
    if n != rows {
        return Err(Error::invalid(format!("In[0] mismatch In[1] shape: {n} vs. {rows}: {a} {b}")));
    }
    let shape = Shape::new(pairs.batch.iter().copied().chain([n, k]))?;
    with_field!(op.dtype, |T| cx.produce::<T>(0, &shape, |cx, out| {
        let nanos = n as f64 * bands as f64 * k as f64 + 100.0;
        pairs.solve(cx, [n, k], out, nanos, &|_, a: &[T], x| solve(a, n, bands, op.lower, op.adjoint, x, k))
    }))
}

/// Solves for one matrix of size `n` with `bands` diagonals; `x` holds the right-hand sides and receives the solutions.
fn solve<T: Field>(a: &[T], n: usize, bands: usize, lower: bool, adjoint: bool, x: &mut [T], k: usize) -> Result<()> {
    let main = if lower { 0 } else { bands - 1 };
    if !a[main * n..][..n].iter().all(|d| d.modulus() > 0.0) {
        return Err(Error::invalid("Input matrix is not invertible."));
    }
    // The element of diagonal `d` (0 is the main one) in row `i`.
    let at = |d: usize, i: usize| a[if lower { d } else { bands - 1 - d } * n + i];
    let reach = bands.min(n) - 1;
    let forward = lower != adjoint;
    for step in 0..n {
        let i = if forward { step } else { n - 1 - step };
        for d in 1..=reach.min(step) {
            let j = if forward { i - d } else { i + d };
            let factor = if adjoint { at(d, j).conj() } else { at(d, i) };
            let (low, high) = (i.min(j) * k, i.max(j) * k);
            let (head, tail) = x.split_at_mut(high);
            let (low, high) = (&mut head[low..][..k], &mut tail[..k]);
            let (to, from) = if i < j { (low, high) } else { (high, low) };
            to.iter_mut().zip(from).for_each(|(x, s)| *x -= factor * *s);
        }
        let diagonal = if adjoint { at(0, i).conj() } else { at(0, i) };
        x[i * k..][..k].iter_mut().for_each(|x| *x = x.over(diagonal));
    }
    Ok(())
}
