//! Functions of square matrices: logarithm, square root and exponential, computed in double precision.

use super::eig::real_values;
use super::lu::factor;
use super::matrix::{Field, Matrices, Square, converted, room, square, with_field, write};
use super::nodes::{eye_like, front, solve, transpose, vector};
use super::schur::{self, Schur};
use super::triangular::Triangle;
use crate::prelude::*;
use levada_gemm::{self as gemm, Gemm, Mat, Size};
use levada_kernel::Pool;
use levada_ops_core::rules::{Handles, SLICE, concat, expand};

pub static MATRIX_LOGARITHM: Def<Square> =
    square("MatrixLogarithm", "The principal logarithm of square matrices.", |op, cx| match op.dtype {
        DType::C64 => each::<Complex32>(cx, log),
        _ => each::<Complex64>(cx, log),
    })
    .attrs(&[Attr::dtype("T", &[DType::C64, DType::C128])])
    .batch(|op, b| if b.rank(0)? < 2 { None } else { leading(op, b) });

pub static MATRIX_SQUARE_ROOT: Def<Square> = square(
    "MatrixSquareRoot",
    "The principal square root of square matrices, whose eigenvalues have positive real parts; NaN if there is none.",
    |op, cx| match op.dtype {
        DType::F32 => each::<f32>(cx, real_root),
        DType::F64 => each::<f64>(cx, real_root),
        DType::C64 => each::<Complex32>(cx, root),
        _ => each::<Complex64>(cx, root),
    },
)
.gradient(square_root_gradient)
.batch(|op, b| if b.rank(0)? < 2 { None } else { leading(op, b) });

pub static MATRIX_EXPONENTIAL: Def<Square> =
    square("MatrixExponential", "The exponential of square matrices.", |op, cx| {
        with_field!(op.dtype, |T| each::<T>(cx, exp))
    })
    .batch(|op, b| if b.rank(0)? < 2 { None } else { leading(op, b) });

/// Sets every matrix of the output to the result of `f` in double precision, or to NaN if `f` returns `None`.
fn each<T: Field>(
    cx: &mut Cx<'_, '_>,
    f: impl Fn(&Pool, Vec<T::Double>, usize) -> Result<Option<Vec<T::Double>>> + Sync,
) -> Result<()> {
    let all = Matrices::square(cx, 0)?;
    let (n, shape) = (all.rows, cx.input(0)?.shape().clone());
    cx.produce::<T>(0, &shape, |cx, out| {
        let from = cx.slice::<T>(0)?;
        all.fill(cx.pool(), out, all.cubic() * 40.0, &|i, pool, out| {
            let from: Vec<T::Double> = converted(all.matrix(from, i))?;
            let found = if n > 0 && from.iter().all(|v| v.finite()) { f(pool, from, n)? } else { None };
            match found {
                Some(found) => write(&found, out),
                None => out.fill(T::of(f64::NAN, f64::NAN)),
            }
            Ok(())
        })
    })
}

/// Solves `r d + d r = dy` as a linear system in all elements of `d`.
fn square_root_gradient(_: &Square, g: &GradCx) -> Grads {
    let (r, dy) = (g.output(0), g.dy(0));
    let shape = r.shape_value();
    let front = front(shape);
    let order = SLICE.call([shape, vector(shape.size() - 1.0), g.ints(&[1])]);
    let unknowns = order * order;
    let both = concat(g, &[front, unknowns, unknowns], 0);
    let eye = eye_like(r);
    let system = kronecker(eye, transpose(r), both) + kronecker(r, eye, both);
    let given = transpose(dy).reshape(concat(g, &[front, unknowns, g.ints(&[1])], 0));
    vec![transpose(solve(system, given, false).reshape(shape)).into()]
}

/// The Kronecker products of matrices, reshaped to `shape`.
fn kronecker<'g>(a: V<'g>, b: V<'g>, shape: V<'g>) -> V<'g> {
    let g = a.cx();
    let (a, b) = (expand(g, expand(g, a, -1), -3), expand(g, expand(g, b, -2), -4));
    (a * b).reshape(shape)
}

fn multiply<T: Gemm>(pool: &Pool, a: &[T], b: &[T], n: usize) -> Result<Vec<T>> {
    let mut c = room(n * n, T::zero())?;
    gemm::multiply(pool, Size { m: n, n, k: n }, Mat::new(a, n), Mat::new(b, n), &mut c)?;
    Ok(c)
}

/// `u t u^H`.
fn back(pool: &Pool, schur: &Schur<Complex64>, t: &[Complex64]) -> Result<Vec<Complex64>> {
    let n = schur.n;
    let left = multiply(pool, &schur.u, t, n)?;
    let mut out = room(n * n, Complex64::ZERO)?;
    gemm::multiply(pool, Size { m: n, n, k: n }, Mat::new(&left, n), Mat::new(&schur.u, n).adjoint_if(true), &mut out)?;
    Ok(out)
}

/// The square root of an upper triangular matrix.
fn triangle_root(t: &[Complex64], n: usize) -> Result<Vec<Complex64>> {
    let mut r = room(n * n, Complex64::ZERO)?;
    for j in 0..n {
        r[j * n + j] = t[j * n + j].sqrt();
        for i in (0..j).rev() {
            let sum: Complex64 = (i + 1..j).map(|k| r[i * n + k] * r[k * n + j]).sum();
            r[i * n + j] = (t[i * n + j] - sum) / (r[i * n + i] + r[j * n + j]);
        }
    }
    Ok(r)
}

fn upper(t: &mut [Complex64], n: usize) {
    for (i, row) in t.chunks_exact_mut(n).enumerate() {
        row[..i].fill(Complex64::ZERO);
    }
}

fn real_root(pool: &Pool, a: Vec<f64>, n: usize) -> Result<Option<Vec<f64>>> {
    let Some(schur) = schur::real(a.clone(), n)? else { return Ok(None) };
    if real_values(&schur.t, n).iter().any(|v| v.im == 0.0 && v.re < 0.0) {
        return Ok(None);
    }
    let found = root(pool, converted(&a)?, n)?;
    found.map(|found| converted::<Complex64, f64>(&found)).transpose()
}

fn root(pool: &Pool, a: Vec<Complex64>, n: usize) -> Result<Option<Vec<Complex64>>> {
    let Some(mut schur) = schur::complex(a, n)? else { return Ok(None) };
    upper(&mut schur.t, n);
    let found = triangle_root(&schur.t, n)?;
    back(pool, &schur, &found).map(Some)
}

/// Nodes and weights of the seven-point Gauss-Legendre quadrature from 0 to 1.
const QUADRATURE: [(f64, f64); 7] = [
    (0.025446043828620736, 0.06474248308443485),
    (0.12923440720030278, 0.13985269574463834),
    (0.2970774243113014, 0.19091502525255946),
    (0.5, 0.2089795918367347),
    (0.7029225756886985, 0.19091502525255946),
    (0.8707655927996972, 0.13985269574463834),
    (0.9745539561713793, 0.06474248308443485),
];

/// The logarithm by repeated square roots of the triangle until it is close to the identity.
fn log(pool: &Pool, a: Vec<Complex64>, n: usize) -> Result<Option<Vec<Complex64>>> {
    let Some(mut schur) = schur::complex(a, n)? else { return Ok(None) };
    upper(&mut schur.t, n);
    let values: Vec<Complex64> = schur.t.iter().step_by(n + 1).copied().collect();
    if values.contains(&Complex64::ZERO) {
        return Ok(None);
    }
    let mut t = schur.t.clone();
    let mut roots = 0;
    loop {
        t.iter_mut().step_by(n + 1).for_each(|v| *v -= 1.0);
        let norm = (0..n).map(|j| (0..=j).map(|i| t[i * n + j].norm()).sum::<f64>()).fold(0.0, f64::max);
        if norm < 0.25 {
            break;
        }
        roots += 1;
        // Finite values of any magnitude are close to 1 after fewer roots.
        if roots > 100 || norm.is_nan() {
            return Ok(None);
        }
        t.iter_mut().step_by(n + 1).for_each(|v| *v += 1.0);
        t = triangle_root(&t, n)?;
    }
    // log(1 + x) is the integral of x / (1 + s x) over s from 0 to 1.
    let mut sum = room(n * n, Complex64::ZERO)?;
    for (place, weight) in QUADRATURE {
        let mut below: Vec<Complex64> = t.iter().map(|v| v * place).collect();
        below.iter_mut().step_by(n + 1).for_each(|v| *v += 1.0);
        let mut x = t.clone();
        let below = Triangle { data: &below, row: n, n, lower: false, adjoint: false, unit: false };
        below.solve(pool, &mut x, n)?;
        sum.iter_mut().zip(&x).for_each(|(sum, x)| *sum += x * weight);
    }
    let times = 2f64.powi(roots);
    sum.iter_mut().for_each(|v| *v *= times);
    sum.iter_mut().step_by(n + 1).zip(&values).for_each(|(v, value)| *v = value.ln());
    upper(&mut sum, n);
    back(pool, &schur, &sum).map(Some)
}

/// Coefficients of the degree-13 Padé approximant of the exponential.
const PADE: [f64; 14] = [
    64764752532480000.0,
    32382376266240000.0,
    7771770303897600.0,
    1187353796428800.0,
    129060195264000.0,
    10559470521600.0,
    670442572800.0,
    33522128640.0,
    1323241920.0,
    40840800.0,
    960960.0,
    16380.0,
    182.0,
    1.0,
];

/// The exponential by scaling and squaring: an approximant of the matrix divided by a power of two, then repeated
/// squaring.
fn exp<T: Field>(pool: &Pool, mut a: Vec<T>, n: usize) -> Result<Option<Vec<T>>> {
    let norm = (0..n).map(|j| a[j..].iter().step_by(n).map(|v| v.modulus()).sum::<f64>()).fold(0.0, f64::max);
    let squarings = if norm > 5.37 { (norm / 5.37).log2().ceil().clamp(0.0, 1100.0) as i32 } else { 0 };
    let scale = |v: f64| T::of(v, 0.0);
    for _ in 0..squarings {
        a.iter_mut().for_each(|v| *v *= scale(0.5));
    }
    let a2 = multiply(pool, &a, &a, n)?;
    let a4 = multiply(pool, &a2, &a2, n)?;
    let a6 = multiply(pool, &a4, &a2, n)?;
    let combine = |c: [f64; 4]| -> Vec<T> {
        let mut sum: Vec<T> = a2.iter().map(|&v| v * scale(c[1])).collect();
        sum.iter_mut().zip(&a4).zip(&a6).for_each(|((s, &x), &y)| *s += x * scale(c[2]) + y * scale(c[3]));
        sum.iter_mut().step_by(n + 1).for_each(|v| *v += scale(c[0]));
        sum
    };
    let add = |mut x: Vec<T>, y: &[T]| {
        x.iter_mut().zip(y).for_each(|(x, y)| *x += *y);
        x
    };
    let p = &PADE;
    let odd = multiply(pool, &a6, &combine([0.0, p[9], p[11], p[13]]), n)?;
    let u = multiply(pool, &a, &add(odd, &combine([p[1], p[3], p[5], p[7]])), n)?;
    let even = multiply(pool, &a6, &combine([0.0, p[8], p[10], p[12]]), n)?;
    let v = add(even, &combine([p[0], p[2], p[4], p[6]]));
    let mut below: Vec<T> = v.iter().zip(&u).map(|(&v, &u)| v - u).collect();
    let above = add(v, &u);
    let mut rows = room(n, 0usize)?;
    factor(pool, &mut below, n, &mut rows)?;
    let mut x = room(n * n, T::zero())?;
    for (to, &row) in x.chunks_exact_mut(n).zip(&rows) {
        to.copy_from_slice(&above[row * n..][..n]);
    }
    let lower = Triangle { data: &below, row: n, n, lower: true, adjoint: false, unit: true };
    lower.solve(pool, &mut x, n)?;
    Triangle { lower: false, unit: false, ..lower }.solve(pool, &mut x, n)?;
    for _ in 0..squarings {
        x = multiply(pool, &x, &x, n)?;
    }
    Ok(Some(x))
}
