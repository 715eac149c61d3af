//! Schur forms of square matrices: `a = u t u^H`, with `t` upper triangular; for real matrices also with real `u` and
//! 2x2 blocks on the diagonal of `t` for pairs of complex eigenvalues. The order of the eigenvalues, which is
//! arbitrary, is the one in which Eigen's iterations find them.

use super::matrix::{Field, identity, room};
use super::qr::{reflect, reflection};
use crate::prelude::*;

/// A Schur form; both matrices are row-major.
pub(super) struct Schur<T> {
    pub t: Vec<T>,
    pub u: Vec<T>,
    pub n: usize,
}

/// Iterations per row before giving up.
const STEPS: usize = 40;

/// Reduces `t` to Hessenberg form with reflections and accumulates them in `u`.
fn hessenberg<T: Field>(t: &mut [T], n: usize) -> Result<Vec<T>> {
    let mut u = identity::<T>(n)?;
    let mut column = room(n, T::zero())?;
    let mut found = Vec::new();
    for k in 0..n.saturating_sub(1) {
        let x = &mut column[..n - k - 1];
        for (i, v) in x.iter_mut().enumerate() {
            *v = t[(k + 1 + i) * n + k];
        }
        let (tau, beta) = reflection(x);
        t[(k + 1) * n + k] = T::of(beta, 0.0);
        for i in k + 2..n {
            t[i * n + k] = T::zero();
        }
        let v: Vec<T> = x[1..].to_vec();
        left(t, n, k + 1, k + 1..n, tau, &v);
        right(t, n, 0..n, k + 1, tau.conj(), &v);
        found.push((tau, v));
    }
    for (k, (tau, v)) in found.iter().enumerate().rev() {
        left(&mut u, n, k + 1, k + 1..n, tau.conj(), v);
    }
    Ok(u)
}

/// Applies `1 - tau w w^H`, `w = (1, v)`, to rows `first ..` of the given columns.
fn left<T: Field>(t: &mut [T], n: usize, first: usize, columns: std::ops::Range<usize>, tau: T, v: &[T]) {
    if tau.is_zero() || columns.is_empty() {
        return;
    }
    let mut sums: Vec<T> = t[first * n..][columns.clone()].to_vec();
    for (i, v) in v.iter().enumerate() {
        let row = &t[(first + 1 + i) * n..][columns.clone()];
        sums.iter_mut().zip(row).for_each(|(s, x)| *s += v.conj() * *x);
    }
    sums.iter_mut().for_each(|s| *s *= tau);
    t[first * n..][columns.clone()].iter_mut().zip(&sums).for_each(|(x, s)| *x -= *s);
    for (i, v) in v.iter().enumerate() {
        let row = &mut t[(first + 1 + i) * n..][columns.clone()];
        row.iter_mut().zip(&sums).for_each(|(x, s)| *x -= *v * *s);
    }
}

/// Applies the same from the right, with `tau`, to columns `first ..` of the given rows.
fn right<T: Field>(t: &mut [T], n: usize, rows: std::ops::Range<usize>, first: usize, tau: T, v: &[T]) {
    for i in rows {
        let row = &mut t[i * n + first..][..v.len() + 1];
        // The row's conjugate is a column that the adjoint is applied to.
        row.iter_mut().for_each(|x| *x = x.conj());
        reflect(tau.conj(), v, row);
        row.iter_mut().for_each(|x| *x = x.conj());
    }
}

/// A Givens rotation.
#[derive(Clone, Copy)]
struct Givens<T> {
    c: T,
    s: T,
}

impl<T: Field> Givens<T> {
    /// The rotation whose adjoint maps (p, q) to a multiple of the first axis.
    fn new(p: T, q: T) -> (Givens<T>, T) {
        let real = |x: f64| T::of(x, 0.0);
        if q.is_zero() {
            let c = real(if p.re() < 0.0 { -1.0 } else { 1.0 });
            return (Givens { c, s: T::zero() }, c * p);
        }
        if p.is_zero() {
            let size = q.modulus();
            return (Givens { c: T::zero(), s: -q / real(size) }, real(size));
        }
        let (p_size, q_size) = (p.re().abs() + p.im().abs(), q.re().abs() + q.im().abs());
        let sign = if p.re() < 0.0 { -1.0 } else { 1.0 };
        if p_size < q_size {
            let u = sign * p.modulus().hypot(q.modulus());
            let (size, phase) = (p.modulus(), p / real(p.modulus()));
            return (Givens { c: real(size / u), s: -phase.conj() * (q / real(u)) }, phase * real(u));
        }
        let (ps, qs) = (p / real(p_size), q / real(p_size));
        let (p2, q2) = (ps.square(), qs.square());
        let u = sign * (1.0 + q2 / p2).sqrt();
        let c = 1.0 / u;
        (Givens { c: real(c), s: -qs * ps.conj() * real(c / p2) }, p * real(u))
    }

    /// Applies the adjoint to rows `i` and `i + 1`, from column `from` on.
    fn adjoint_left(self, t: &mut [T], n: usize, i: usize, from: usize) {
        let (head, tail) = t.split_at_mut((i + 1) * n);
        for (x, y) in head[i * n + from..].iter_mut().zip(&mut tail[from..n]) {
            (*x, *y) = (self.c.conj() * *x - self.s.conj() * *y, self.s * *x + self.c * *y);
        }
    }

    /// Applies the rotation to columns `i` and `i + 1` of the first `rows` rows.
    fn right(self, t: &mut [T], n: usize, i: usize, rows: usize) {
        for row in t.chunks_exact_mut(n).take(rows) {
            let (x, y) = (row[i], row[i + 1]);
            (row[i], row[i + 1]) = (self.c * x - self.s * y, self.s.conj() * x + self.c.conj() * y);
        }
    }
}

fn size1(v: Complex64) -> f64 {
    v.re.abs() + v.im.abs()
}

/// The Schur form of a complex matrix; `None` if the iteration does not converge, as with non-finite elements.
pub(super) fn complex(mut t: Vec<Complex64>, n: usize) -> Result<Option<Schur<Complex64>>> {
    if !t.iter().all(|v| v.finite()) {
        return Ok(None);
    }
    if n <= 1 {
        return Ok(Some(Schur { u: identity(n)?, t, n }));
    }
    let mut u = hessenberg(&mut t, n)?;
    let negligible = |t: &mut [Complex64], i: usize| {
        let beside = size1(t[i * n + i]) + size1(t[(i + 1) * n + i + 1]);
        let small = size1(t[(i + 1) * n + i]) <= beside * f64::EPSILON;
        if small {
            t[(i + 1) * n + i] = Complex64::ZERO;
        }
        small
    };
    let (mut last, mut iteration, mut total) = (n - 1, 0, 0);
    loop {
        while last > 0 && negligible(&mut t, last - 1) {
            iteration = 0;
            last -= 1;
        }
        if last == 0 {
            return Ok(Some(Schur { t, u, n }));
        }
        iteration += 1;
        total += 1;
        if total > STEPS * n {
            return Ok(None);
        }
        let mut first = last - 1;
        while first > 0 && !negligible(&mut t, first - 1) {
            first -= 1;
        }
        let shift = complex_shift(&t, n, last, iteration);
        let (rotation, _) = Givens::new(t[first * n + first] - shift, t[(first + 1) * n + first]);
        rotation.adjoint_left(&mut t, n, first, first);
        rotation.right(&mut t, n, first, (first + 2).min(last) + 1);
        rotation.right(&mut u, n, first, n);
        for i in first + 1..last {
            let (rotation, size) = Givens::new(t[i * n + i - 1], t[(i + 1) * n + i - 1]);
            t[i * n + i - 1] = size;
            t[(i + 1) * n + i - 1] = Complex64::ZERO;
            rotation.adjoint_left(&mut t, n, i, i);
            rotation.right(&mut t, n, i, (i + 2).min(last) + 1);
            rotation.right(&mut u, n, i, n);
        }
    }
}

fn complex_shift(t: &[Complex64], n: usize, last: usize, iteration: usize) -> Complex64 {
    let at = |i: usize, j: usize| t[i * n + j];
    if (iteration == 10 || iteration == 20) && last > 1 {
        let size = at(last, last - 1).re.abs() + at(last - 1, last - 2).re.abs();
        return Complex64::new(size, 0.0);
    }
    let (a, b, c, d) = (at(last - 1, last - 1), at(last - 1, last), at(last, last - 1), at(last, last));
    let norm = a.norm() + b.norm() + c.norm() + d.norm();
    let (a, b, c, d) = (a / norm, b / norm, c / norm, d / norm);
    let (product, half) = (b * c, a - d);
    let root = (half * half + product * 4.0).sqrt();
    let (det, trace) = (a * d - product, a + d);
    let (mut one, mut two) = ((trace + root) * 0.5, (trace - root) * 0.5);
    if size1(one) > size1(two) {
        two = det / one;
    } else if size1(two) != 0.0 {
        one = det / two;
    }
    if size1(one - d) < size1(two - d) { one * norm } else { two * norm }
}

/// The Schur form of a real matrix; `None` as in [`complex`].
pub(super) fn real(mut t: Vec<f64>, n: usize) -> Result<Option<Schur<f64>>> {
    if !t.iter().all(|v| v.is_finite()) {
        return Ok(None);
    }
    let scale = t.iter().fold(0.0f64, |most, v| most.max(v.abs()));
    if scale < f64::MIN_POSITIVE || n == 0 {
        return Ok(Some(Schur { t: room(n * n, 0.0)?, u: identity(n)?, n }));
    }
    t.iter_mut().for_each(|v| *v /= scale);
    let mut u = hessenberg(&mut t, n)?;
    let norm: f64 = t.iter().map(|v| v.abs()).sum();
    let least = (norm * f64::EPSILON * f64::EPSILON).max(f64::MIN_POSITIVE);
    let (mut left_over, mut iteration, mut total, mut moved) = (n, 0, 0, 0.0);
    while left_over > 0 {
        let last = left_over - 1;
        let mut first = last;
        while first > 0 {
            let beside = t[(first - 1) * n + first - 1].abs() + t[first * n + first].abs();
            if t[first * n + first - 1].abs() <= (beside * f64::EPSILON).max(least) {
                break;
            }
            first -= 1;
        }
        if first == last {
            t[last * n + last] += moved;
            if last > 0 {
                t[last * n + last - 1] = 0.0;
            }
            left_over -= 1;
            iteration = 0;
        } else if first + 1 == last {
            split_two(&mut t, &mut u, n, last, moved);
            left_over -= 2;
            iteration = 0;
        } else {
            let shift = real_shift(&mut t, n, last, iteration, &mut moved);
            iteration += 1;
            total += 1;
            if total > STEPS * n {
                return Ok(None);
            }
            francis(&mut t, &mut u, n, first, last, shift);
        }
    }
    t.iter_mut().for_each(|v| *v *= scale);
    Ok(Some(Schur { t, u, n }))
}

/// Triangularizes a 2x2 block with real eigenvalues.
fn split_two(t: &mut [f64], u: &mut [f64], n: usize, last: usize, moved: f64) {
    let at = |i: usize, j: usize| i * n + j;
    let before = last - 1;
    let p = 0.5 * (t[at(before, before)] - t[at(last, last)]);
    let q = p * p + t[at(last, before)] * t[at(before, last)];
    t[at(last, last)] += moved;
    t[at(before, before)] += moved;
    if q >= 0.0 {
        let z = q.sqrt();
        let (rotation, _) = Givens::new(if p >= 0.0 { p + z } else { p - z }, t[at(last, before)]);
        rotation.adjoint_left(t, n, before, before);
        rotation.right(t, n, before, last + 1);
        rotation.right(u, n, before, n);
        t[at(last, before)] = 0.0;
    }
    if before > 0 {
        t[at(before, before - 1)] = 0.0;
    }
}

fn real_shift(t: &mut [f64], n: usize, last: usize, iteration: usize, moved: &mut f64) -> [f64; 3] {
    let at = |i: usize, j: usize| i * n + j;
    let before = last - 1;
    let mut shift = [t[at(last, last)], t[at(before, before)], t[at(last, before)] * t[at(before, last)]];
    let mut subtract = |t: &mut [f64], by: f64| {
        *moved += by;
        (0..=last).for_each(|i| t[at(i, i)] -= by);
    };
    if iteration == 10 {
        subtract(t, shift[0]);
        let s = t[at(last, before)].abs() + t[at(before, before - 1)].abs();
        shift = [0.75 * s, 0.75 * s, -0.4375 * s * s];
    }
    if iteration == 30 {
        let half = (shift[1] - shift[0]) / 2.0;
        let s = half * half + shift[2];
        if s > 0.0 {
            let root = if shift[1] < shift[0] { -s.sqrt() } else { s.sqrt() };
            let s = shift[0] - shift[2] / (root + half);
            subtract(t, s);
            shift = [0.964; 3];
        }
    }
    shift
}

/// One double step with implicit shifts on the rows `first ..= last`.
fn francis(t: &mut [f64], u: &mut [f64], n: usize, first: usize, last: usize, shift: [f64; 3]) {
    let at = |i: usize, j: usize| i * n + j;
    let mut start = last - 2;
    let mut v;
    loop {
        let middle = t[at(start, start)];
        let (r, s) = (shift[0] - middle, shift[1] - middle);
        v = [
            (r * s - shift[2]) / t[at(start + 1, start)] + t[at(start, start + 1)],
            t[at(start + 1, start + 1)] - middle - r - s,
            t[at(start + 2, start + 1)],
        ];
        if start == first {
            break;
        }
        let small = t[at(start, start - 1)] * (v[1].abs() + v[2].abs());
        let beside = t[at(start - 1, start - 1)].abs() + middle.abs() + t[at(start + 1, start + 1)].abs();
        if small.abs() < f64::EPSILON * v[0] * beside {
            break;
        }
        start -= 1;
    }
    for k in start..=last - 2 {
        let begins = k == start;
        let mut x = if begins { v } else { [t[at(k, k - 1)], t[at(k + 1, k - 1)], t[at(k + 2, k - 1)]] };
        let (tau, beta) = reflection(&mut x);
        if beta != 0.0 {
            if begins && k > first {
                t[at(k, k - 1)] = -t[at(k, k - 1)];
            } else if !begins {
                t[at(k, k - 1)] = beta;
            }
            left(t, n, k, k..n, tau, &x[1..]);
            right(t, n, 0..last.min(k + 3) + 1, k, tau, &x[1..]);
            right(u, n, 0..n, k, tau, &x[1..]);
        }
    }
    let k = last - 1;
    let mut x = [t[at(k, k - 1)], t[at(last, k - 1)]];
    let (tau, beta) = reflection(&mut x);
    if beta != 0.0 {
        t[at(k, k - 1)] = beta;
        left(t, n, k, k..n, tau, &x[1..]);
        right(t, n, 0..last + 1, k, tau, &x[1..]);
        right(u, n, 0..n, k, tau, &x[1..]);
    }
    for i in start + 2..=last {
        t[at(i, i - 2)] = 0.0;
        if i > start + 2 {
            t[at(i, i - 3)] = 0.0;
        }
    }
}
