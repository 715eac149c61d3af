//! `Eig`: eigenvalues and eigenvectors of square matrices.

use super::matrix::{Field, Matrices, converted, infer_eigen, pieces, room, with_field, write};
use super::nodes::{adjoint, adjoint_times, diagonal, differences, matrix, solve, times, times_adjoint};
use super::schur;
use crate::prelude::*;
use levada_ops_core::rules::real;

attrs! {
    /// Computes the eigenvalues of square matrices, in no particular order, and the corresponding unit eigenvectors as
    /// columns.
    pub struct Eig {
        /// If true, eigenvectors are computed as well.
        compute_v: bool = Attr::bool("compute_v").or_bool(true),
        /// Element type of the matrices.
        dtype: DType = Attr::dtype("T", &[DType::F32, DType::F64, DType::C64, DType::C128]),
        /// Element type of the results.
        out: DType = Attr::dtype("Tout", &[DType::C64, DType::C128]),
    }
}

pub static EIG: Def<Eig> = op::<Eig>("Eig")
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("e", of("Tout")), arg("v", of("Tout"))])
    .shape(|op, cx| infer_eigen(cx, op.compute_v))
    .gradient(gradient)
    .kernel(eig)
    .heavy()
    .batch(|op, b| if b.rank(0)? < 2 { None } else { leading(op, b) });

fn gradient(op: &Eig, g: &GradCx) -> Grads {
    let mid = matrix(g.dy(0));
    let (v, mid) = if op.compute_v {
        let (e, v) = (g.output(0), g.output(1));
        let vgv = adjoint_times(v, g.dy(1));
        let lengths = matrix(real(diagonal(vgv)).cast(op.out));
        let turned = vgv - times(adjoint_times(v, v), lengths);
        (v, mid + differences(g, e).conj() * turned)
    } else {
        (EIG.node(g, &Eig { compute_v: true, ..op.clone() }, &[g.input(0)]).out(1), mid)
    };
    vec![solve(adjoint(v), times_adjoint(mid, v), false).cast(op.dtype).into()]
}

fn eig(op: &Eig, cx: &mut Cx<'_, '_>) -> Result<()> {
    let expected = if matches!(op.dtype, DType::F32 | DType::C64) { DType::C64 } else { DType::C128 };
    if op.out != expected {
        return Err(Error::invalid(format!("Invalid output dtype {} vs {expected}", op.out)));
    }
    let all = Matrices::square(cx, 0)?;
    let n = all.rows;
    let mut e = cx.alloc(op.out, &all.shape(&[n])?)?;
    let shape = if op.compute_v { all.shape(&[n, n])? } else { Shape::vector(0) };
    let mut v = cx.alloc(op.out, &shape)?;
    let real = matches!(op.dtype, DType::F32 | DType::F64);
    let (mut values, mut vectors) =
        (room(e.num_elements(), Complex64::ZERO)?, room(v.num_elements(), Complex64::ZERO)?);
    with_field!(op.dtype, |T| {
        let from = cx.slice::<T>(0)?;
        let (values, vectors) = (pieces(&mut values, all.count), pieces(&mut vectors, all.count));
        all.each(cx.pool(), all.cubic() * 30.0, &|i, _| {
            let from = all.matrix(from, i);
            if n == 0 {
                return Ok(());
            }
            let found = match real {
                true => of_real(converted(from)?, n, op.compute_v)?,
                false => of_complex(converted(from)?, n, op.compute_v)?,
            };
            let (e, v) = found.ok_or_else(|| {
                Error::invalid("Eigen decomposition was not successful. The input might not be valid.")
            })?;
            values[i].lock().copy_from_slice(&e);
            if op.compute_v {
                super::matrix::transpose(&v, n, &mut vectors[i].lock());
            }
            Ok(())
        })
    })?;
    with_field!(op.out, |T| {
        write(&values, e.slice_mut::<T>()?);
        write(&vectors, v.slice_mut::<T>()?);
        Ok::<(), Error>(())
    })?;
    cx.set(0, e);
    cx.set(1, v);
    Ok(())
}

/// The eigenvalues of a matrix, and its eigenvectors one after another if requested.
type Found = (Vec<Complex64>, Vec<Complex64>);

fn of_complex(a: Vec<Complex64>, n: usize, vectors: bool) -> Result<Option<Found>> {
    let Some(schur) = schur::complex(a, n)? else { return Ok(None) };
    let values: Vec<Complex64> = schur.t.iter().step_by(n + 1).copied().collect();
    let mut found = Vec::new();
    if vectors {
        let norm = schur.t.iter().map(|v| v.norm_sqr()).sum::<f64>().sqrt();
        let mut x = room(n, Complex64::ZERO)?;
        found = room(n * n, Complex64::ZERO)?;
        for (k, out) in found.chunks_exact_mut(n).enumerate() {
            x[k] = Complex64::ONE;
            for i in (0..k).rev() {
                let row = &schur.t[i * n..][..n];
                let sum: Complex64 = (i + 1..=k).map(|j| row[j] * x[j]).sum();
                let mut apart = row[i] - values[k];
                if apart == Complex64::ZERO {
                    apart.re = f64::EPSILON * norm;
                }
                x[i] = -sum / apart;
            }
            product(&schur.u, n, &x[..=k], out);
        }
    }
    // Eigen sorts these by absolute value.
    let mut order: Vec<usize> = (0..n).collect();
    for i in 0..n {
        let least =
            (i..n).fold(i, |least, j| if values[order[j]].norm() < values[order[least]].norm() { j } else { least });
        order.swap(i, least);
    }
    let sorted = order.iter().flat_map(|&k| found.get(k * n..(k + 1) * n).unwrap_or_default()).copied().collect();
    Ok(Some((order.iter().map(|&k| values[k]).collect(), sorted)))
}

/// `out = u x`, normalized to length 1; `x` may be shorter than `n`.
fn product<T: Field>(u: &[T], n: usize, x: &[Complex64], out: &mut [Complex64]) {
    let mut norm = 0.0;
    for (row, out) in u.chunks_exact(n).zip(out.iter_mut()) {
        *out = row.iter().zip(x).map(|(u, x)| Complex64::new(u.re(), u.im()) * x).sum();
        norm += out.norm_sqr();
    }
    let norm = norm.sqrt();
    if norm > 0.0 {
        out.iter_mut().for_each(|v| *v /= norm);
    }
}

/// Eigenvalues of the blocks of a real Schur form; the first of a pair has the positive imaginary part.
pub(super) fn real_values(t: &[f64], n: usize) -> Vec<Complex64> {
    let mut values = Vec::with_capacity(n);
    while values.len() < n {
        let i = values.len();
        if i + 1 == n || t[(i + 1) * n + i] == 0.0 {
            values.push(Complex64::new(t[i * n + i], 0.0));
            continue;
        }
        let (a, b, c, d) = (t[i * n + i], t[i * n + i + 1], t[(i + 1) * n + i], t[(i + 1) * n + i + 1]);
        let p = 0.5 * (a - d);
        let z = (p * p + b * c).abs().sqrt();
        values.extend([Complex64::new(d + p, z), Complex64::new(d + p, -z)]);
    }
    values
}

fn of_real(a: Vec<f64>, n: usize, vectors: bool) -> Result<Option<Found>> {
    let Some(schur) = schur::real(a, n)? else { return Ok(None) };
    let values = real_values(&schur.t, n);
    if !vectors {
        return Ok(Some((values, Vec::new())));
    }
    let t = |i: usize, j: usize| schur.t[i * n + j];
    let norm: f64 = schur.t.iter().map(|v| v.abs()).sum::<f64>().max(f64::MIN_POSITIVE);
    let mut found = room(n * n, Complex64::ZERO)?;
    let mut x = room(n, Complex64::ZERO)?;
    for k in 0..n {
        let value = values[k];
        if value.im < 0.0 {
            let (head, tail) = found.split_at_mut(k * n);
            tail[..n].iter_mut().zip(&head[(k - 1) * n..]).for_each(|(to, from)| *to = from.conj());
            continue;
        }
        let top = if value.im > 0.0 {
            // The block's second row: c x0 + (d - value) x1 = 0.
            x[k + 1] = Complex64::I;
            x[k] = -(t(k + 1, k + 1) - value) * x[k + 1] / t(k + 1, k);
            k + 1
        } else {
            x[k] = Complex64::ONE;
            k
        };
        let sum = |x: &[Complex64], i: usize, from: usize| (from..=top).map(|j| x[j] * t(i, j)).sum::<Complex64>();
        let mut left = k;
        while left > 0 {
            let i = left - 1;
            let guard = |v: Complex64| if v == Complex64::ZERO { Complex64::new(f64::EPSILON * norm, 0.0) } else { v };
            if i > 0 && t(i, i - 1) != 0.0 {
                // Two rows at a time.
                let (r, s) = (-sum(&x, i - 1, i + 1), -sum(&x, i, i + 1));
                let (a, b, c, d) = (t(i - 1, i - 1) - value, t(i - 1, i), t(i, i - 1), t(i, i) - value);
                let det = guard(a * d - b * c);
                (x[i - 1], x[i]) = ((r * d - s * b) / det, (a * s - r * c) / det);
                left -= 2;
            } else {
                x[i] = -sum(&x, i, i + 1) / guard(t(i, i) - value);
                left -= 1;
            }
            // Rescales values that grow too large; only the direction matters.
            let most = x[left..=top].iter().fold(0.0f64, |most, v| most.max(v.norm()));
            if most > 1e100 {
                x[left..=top].iter_mut().for_each(|v| *v /= most);
            }
        }
        product(&schur.u, n, &x[..=top], &mut found[k * n..][..n]);
    }
    Ok(Some((values, found)))
}
