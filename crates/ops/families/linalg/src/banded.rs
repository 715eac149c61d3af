//! `BandedTriangularSolve`: systems of equations with triangular matrices of which only a band is there.

use super::matrix::{Field, Matrices, matrix_dims, pieces, same, with_field};
use super::triangular::Pairs;
use crate::prelude::*;

attrs! {
    /// Solves `matrix * output = rhs` where `matrix` holds the diagonals of triangular matrices as rows: the main one
    /// first and those below it after it where `lower`, else the main one last. Column `j` is of row `j` of the matrix.
    pub struct BandedTriangularSolve {
        /// The diagonals lie below the main one.
        lower: bool = Attr::bool("lower").or_bool(true),
        /// Solves with the conjugate transposes.
        adjoint: bool = Attr::bool("adjoint").or_bool(false),
        /// Element type.
        dtype: DType = Attr::dtype("T", super::matrix::MATRIX),
    }
}

pub static BANDED_TRIANGULAR_SOLVE: Def<BandedTriangularSolve> = op("BandedTriangularSolve")
    .inputs(&[arg("matrix", of("T")), arg("rhs", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .shape(shape)
    .kernel(banded_triangular_solve)
    .heavy()
    .supports(|op| op.dtype != DType::F16);

fn shape(_: &BandedTriangularSolve, cx: &mut ShapeCx<'_>) -> Result<()> {
    let (a, b) = (matrix_dims(cx, 0)?, matrix_dims(cx, 1)?);
    if let (Some((a, _, n)), Some((b, rows, k))) = (a, b) {
        let n = same(n, rows)?;
        let batch = PartialShape::new(a).broadcast(&PartialShape::new(b))?;
        cx.output(0, batch.concat(&PartialShape::new([n, k])));
    }
    Ok(())
}

fn banded_triangular_solve(op: &BandedTriangularSolve, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (a, b) = (cx.input(0)?.shape().clone(), cx.input(1)?.shape().clone());
    let pairs = Pairs::of(&a, &b)?;
    for (i, shape) in [&a, &b].into_iter().enumerate() {
        if shape.num_elements() == 0 && (i == 0 || shape[shape.rank() - 1] != 0) {
            return Err(Error::invalid(format!("In[{i}] must not be an empty tensor: shape {shape}")));
        }
    }
    let (bands, n) = (a[a.rank() - 2], a[a.rank() - 1]);
    let (rows, k) = (b[b.rank() - 2], b[b.rank() - 1]);
    if n != rows {
        return Err(Error::invalid(format!("In[0] mismatch In[1] shape: {n} vs. {rows}: {a} {b}")));
    }
    let shape = Shape::new(pairs.batch.iter().copied().chain([n, k]))?;
    let mut out = cx.alloc(op.dtype, &shape)?;
    with_field!(op.dtype, |T| {
        let (a, b) = (cx.slice::<T>(0)?, cx.slice::<T>(1)?);
        let out = pieces(out.slice_mut::<T>()?, pairs.at.len());
        let all = Matrices { batch: Vec::new(), count: out.len(), rows: n, cols: n };
        all.each(cx.pool(), n as f64 * bands as f64 * k as f64 + 100.0, &|i, _| {
            let (x, y) = pairs.at[i];
            let mut out = out[i].lock();
            out.copy_from_slice(&b[y * n * k..][..n * k]);
            solve(&a[x * n * bands..][..n * bands], n, bands, op.lower, op.adjoint, &mut out, k)
        })
    })?;
    cx.set(0, out);
    Ok(())
}

/// Solves for one matrix of `bands` diagonals and size `n`; `x` are the right-hand sides, then the solutions.
fn solve<T: Field>(a: &[T], n: usize, bands: usize, lower: bool, adjoint: bool, x: &mut [T], k: usize) -> Result<()> {
    let main = if lower { 0 } else { bands - 1 };
    if !a[main * n..][..n].iter().all(|d| d.modulus() > 0.0) {
        return Err(Error::invalid("Input matrix is not invertible."));
    }
    // Element of diagonal `d` (0 is the main one) in row `i`.
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
        x[i * k..][..k].iter_mut().for_each(|x| *x /= diagonal);
    }
    Ok(())
}

