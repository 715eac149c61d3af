//! Systems of equations, decompositions and functions of matrices.

use super::{Grads, NONE, concat, expand, never};
use levada_graph::grad::{GradCx, Rule, V, attr};
use levada_graph::{DType, Error, Tensor};

fn product<'g>(a: V<'g>, b: V<'g>, adj_a: bool, adj_b: bool) -> V<'g> {
    a.cx().node("BatchMatMulV2", &[a, b], &[attr("adj_x", adj_a), attr("adj_y", adj_b)])
}

fn times<'g>(a: V<'g>, b: V<'g>) -> V<'g> {
    product(a, b, false, false)
}

fn is_complex(x: V<'_>) -> bool {
    matches!(x.dtype(), DType::C64 | DType::C128)
}

/// With the last two axes exchanged.
fn transpose(x: V<'_>) -> V<'_> {
    let g = x.cx();
    let order = match x.rank() {
        Some(rank) => {
            let mut order: Vec<i32> = (0..rank as i32).collect();
            if rank >= 2 {
                order.swap(rank - 2, rank - 1);
            }
            g.ints(&order)
        }
        None => {
            let rank = x.op("Rank");
            let order = super::range(g, rank);
            let front = g.op("Slice", &[order, g.ints(&[0]), (rank - 2.0).reshape(g.ints(&[1]))]);
            let last = [(rank - 1.0).reshape(g.ints(&[1])), (rank - 2.0).reshape(g.ints(&[1]))];
            concat(g, &[front, last[0], last[1]], 0)
        }
    };
    g.op("Transpose", &[x, order])
}

fn adjoint(x: V<'_>) -> V<'_> {
    transpose(x).conj()
}

/// What lies further below or above the diagonal than this is set to zero; -1 keeps all.
fn band(x: V<'_>, lower: i64, upper: i64) -> V<'_> {
    let g = x.cx();
    g.op("MatrixBandPart", &[x, g.constant(Tensor::scalar(lower)), g.constant(Tensor::scalar(upper))])
}

fn diagonal(x: V<'_>) -> V<'_> {
    x.op("MatrixDiagPart")
}

fn matrix(diagonal: V<'_>) -> V<'_> {
    diagonal.op("MatrixDiag")
}

fn with_diagonal<'g>(x: V<'g>, diagonal: V<'g>) -> V<'g> {
    x.cx().op("MatrixSetDiag", &[x, diagonal])
}

/// The part of `axis` (-1 or -2) from `begin` to `end`, each where given.
fn part<'g>(x: V<'g>, axis: i32, begin: Option<i32>, end: Option<i32>) -> V<'g> {
    let g = x.cx();
    let at = if axis == -1 { 2 } else { 1 };
    let (mut from, mut to) = ([0; 3], [0; 3]);
    from[at] = begin.unwrap_or(0);
    to[at] = end.unwrap_or(0);
    let mask = |given: bool| if given { 6i64 & !(1 << at) } else { 6 };
    g.node(
        "StridedSlice",
        &[x, g.ints(&from), g.ints(&to), g.ints(&[1, 1, 1])],
        &[
            attr("ellipsis_mask", 1i64),
            attr("begin_mask", mask(begin.is_some())),
            attr("end_mask", mask(end.is_some())),
        ],
    )
}

/// Elements of `axis` (-1 or -2) moved by one to the front or to the back; zero comes in.
fn shifted(x: V<'_>, axis: i32, to_front: bool) -> V<'_> {
    let g = x.cx();
    let kept = if to_front { part(x, axis, Some(1), None) } else { part(x, axis, None, Some(-1)) };
    let side = if to_front { [0, 1] } else { [1, 0] };
    let mut last = [[0, 0], [0, 0]];
    last[if axis == -1 { 1 } else { 0 }] = side;
    let last = last.concat();
    let last = g.ints(&last).reshape(g.ints(&[2, 2]));
    let others = (x.rank_value() - 2.0).reshape(g.ints(&[1]));
    let zeros = g.op("Fill", &[concat(g, &[others, g.ints(&[2])], 0), g.constant(Tensor::scalar(0i32))]);
    g.op("Pad", &[kept, concat(g, &[zeros, last], 0)])
}

/// `x / (x^2 + tiny)`, which is zero and not infinite where `x` is zero.
fn reciprocal(x: V<'_>) -> V<'_> {
    x * (x * x + 1e-20).op("Reciprocal")
}

/// `1 / (v_j - v_i)` for the elements of a vector, zero for `i = j`.
fn differences<'g>(g: &'g GradCx, v: V<'g>) -> V<'g> {
    with_diagonal(reciprocal(expand(g, v, -2) - expand(g, v, -1)), v.zeros_like())
}

fn solve<'g>(a: V<'g>, b: V<'g>, adjoint: bool) -> V<'g> {
    a.cx().node("MatrixSolve", &[a, b], &[attr("adjoint", adjoint)])
}

fn triangular<'g>(a: V<'g>, b: V<'g>, lower: bool, adjoint: bool) -> V<'g> {
    a.cx().node("MatrixTriangularSolve", &[a, b], &[attr("lower", lower), attr("adjoint", adjoint)])
}

/// Identities of the size of square matrices.
fn eye_like(x: V<'_>) -> V<'_> {
    matrix(diagonal(x).ones_like())
}

fn unable(g: &GradCx, why: &str) -> Grads {
    g.fail(Error::unimplemented(format!("the gradient of {} {why}", g.op_name())));
    never(g)
}

/// The sizes of matrices, where they are known.
fn sizes(x: V<'_>) -> Option<(usize, usize)> {
    match x.shape().dims()? {
        [.., rows, cols] => rows.zip(*cols),
        _ => None,
    }
}

fn inverse(g: &GradCx) -> Grads {
    let (y, adjoint) = (g.output(0), g.flag("adjoint"));
    vec![(-product(y, product(g.dy(0), y, adjoint, !adjoint), !adjoint, false)).into()]
}

/// A number for each matrix as one that multiplies it.
fn for_each<'g>(g: &'g GradCx, x: V<'g>) -> V<'g> {
    expand(g, expand(g, x, -1), -1)
}

fn determinant(g: &GradCx) -> Grads {
    let inverse = g.node("MatrixInverse", &[g.input(0)], &[attr("adjoint", true)]);
    vec![(for_each(g, g.dy(0) * g.output(0)) * inverse).into()]
}

fn log_determinant(g: &GradCx) -> Grads {
    let inverse = g.node("MatrixInverse", &[g.input(0)], &[attr("adjoint", true)]);
    vec![(for_each(g, g.dy(1)) * inverse).into()]
}

/// Solves `r d + d r = dy` with a system that has all elements of `d` as unknowns.
fn square_root(g: &GradCx) -> Grads {
    let (r, dy) = (g.output(0), g.dy(0));
    let shape = r.shape_value();
    let rank = shape.op("Size");
    let front = g.op("Slice", &[shape, g.ints(&[0]), (rank - 2.0).reshape(g.ints(&[1]))]);
    let order = g.op("Slice", &[shape, (rank - 1.0).reshape(g.ints(&[1])), g.ints(&[1])]);
    let unknowns = order * order;
    let both = concat(g, &[front, unknowns, unknowns], 0);
    let kronecker = |a: V<'_>, b: V<'_>| {
        let (a, b) = (g.value(a.at), g.value(b.at));
        let (a, b) = (expand(g, expand(g, a, -1), -3), expand(g, expand(g, b, -2), -4));
        g.value((a * b).reshape(both).at)
    };
    let eye = eye_like(r);
    let system = kronecker(eye, transpose(r)) + kronecker(r, eye);
    let given = transpose(dy).reshape(concat(g, &[front, unknowns, g.ints(&[1])], 0));
    vec![transpose(solve(system, given, false).reshape(shape)).into()]
}

fn cholesky(g: &GradCx) -> Grads {
    let (l, dy) = (g.output(0), g.dy(0));
    let inverse = triangular(l, eye_like(l), true, false);
    let middle = product(l, dy, true, false);
    let middle = band(with_diagonal(middle, diagonal(middle) * 0.5), -1, 0);
    let da = times(product(inverse, middle, true, false), inverse);
    vec![((da + adjoint(da)) * 0.5).into()]
}

/// `x r^-H` for upper triangular `r`.
fn over_adjoint<'g>(x: V<'g>, r: V<'g>) -> V<'g> {
    adjoint(triangular(r, adjoint(x), false, false))
}

/// For matrices with no more columns than rows.
fn qr_deep<'g>(q: V<'g>, r: V<'g>, dq: V<'g>, dr: V<'g>) -> V<'g> {
    let g = q.cx();
    let (qdq, rdr) = (product(q, dq, true, false), product(r, dr, false, true));
    let lower = band((qdq - adjoint(qdq)) + (rdr - adjoint(rdr)), -1, 0);
    let from_r = times(q, dr + over_adjoint(lower, r));
    let from_q = over_adjoint(dq - times(q, qdq), r);
    let sum = from_r + from_q;
    if !is_complex(q) {
        return sum;
    }
    let m = diagonal(rdr - adjoint(qdq));
    let real = if q.dtype() == DType::C64 { DType::F32 } else { DType::F64 };
    let imaginary = m - g.node("Real", &[m], &[attr("Tout", real)]).cast(q.dtype());
    sum + over_adjoint(times(q, matrix(imaginary.conj())), r)
}

fn qr(g: &GradCx) -> Grads {
    let (a, q, r) = (g.input(0), g.output(0), g.output(1));
    let (dq, dr) = (g.dy(0), g.dy(1));
    let (Some((q_rows, q_cols)), Some((r_rows, r_cols))) = (sizes(q), sizes(r)) else {
        return unable(g, "of matrices of unknown sizes");
    };
    if r_rows > r_cols && q_rows == q_cols {
        return unable(g, "with full_matrices of matrices with more rows than columns");
    }
    if q_rows >= r_cols {
        return vec![qr_deep(q, r, dq, dr).into()];
    }
    let m = Some(q_rows as i32);
    let (y, u) = (part(a, -1, m, None), part(r, -1, None, m));
    let (dv, du) = (part(dr, -1, m, None), part(dr, -1, None, m));
    let dx = qr_deep(q, u, dq + product(y, dv, false, true), du);
    vec![concat(g, &[dx, times(q, dv)], -1).into()]
}

/// The gradient by the matrix from that by the right-hand sides.
fn of_matrix<'g>(g: &'g GradCx, db: V<'g>) -> V<'g> {
    let x = g.output(0);
    let (left, right) = if g.flag("adjoint") { (x, db) } else { (db, x) };
    -product(left, right, false, true)
}

fn matrix_solve(g: &GradCx) -> Grads {
    let db = solve(g.input(0), g.dy(0), !g.flag("adjoint"));
    vec![of_matrix(g, db).into(), db.into()]
}

/// The gradients of inputs whose axes in front of the matrices were broadcast.
fn unbroadcast<'g>(g: &'g GradCx, da: V<'g>, db: V<'g>) -> Grads {
    let (a, b) = (g.input(0), g.input(1));
    let batch = |v: V<'_>| v.shape().dims().map(|d| d[..d.len().saturating_sub(2)].to_vec());
    match (batch(a), batch(b)) {
        (Some(x), Some(y)) if x == y && x.iter().all(Option::is_some) => vec![da.into(), db.into()],
        _ => {
            let front = |shape: V<'_>| {
                let shape = g.value(shape.at);
                let n = (shape.op("Size") - 2.0).reshape(g.ints(&[1]));
                g.op("Slice", &[shape, g.ints(&[0]), n])
            };
            let (sa, sb) = (a.shape_value(), b.shape_value());
            let axes = g.op("BroadcastGradientArgs", &[front(sa), front(sb)]);
            vec![da.sum(axes).reshape(sa).into(), db.sum(axes.out(1)).reshape(sb).into()]
        }
    }
}

fn triangular_solve(g: &GradCx) -> Grads {
    let lower = g.flag("lower");
    let db = triangular(g.input(0), g.dy(0), lower, !g.flag("adjoint"));
    let da = of_matrix(g, db);
    let da = if lower { band(da, -1, 0) } else { band(da, 0, -1) };
    unbroadcast(g, da, db)
}

fn banded_solve(g: &GradCx) -> Grads {
    let (a, lower) = (g.input(0), g.flag("lower"));
    let attrs = [attr("lower", lower), attr("adjoint", !g.flag("adjoint"))];
    let db = g.node("BandedTriangularSolve", &[a, g.dy(0)], &attrs);
    let shape = a.shape_value();
    let rows = (shape.op("Size") - 2.0).reshape(g.ints(&[1]));
    let most = g.op("Slice", &[shape, rows, g.ints(&[1])]) - 1.0;
    let k = if lower { [-most, g.ints(&[0])] } else { [g.ints(&[0]), most] };
    let da = of_matrix(g, db);
    let attrs = [attr("align", "LEFT_RIGHT".to_owned())];
    let da = g.node("MatrixDiagPartV3", &[da, concat(g, &k, 0), da.like(0.0)], &attrs);
    unbroadcast(g, da, db)
}

fn solve_ls(g: &GradCx) -> Grads {
    if !g.flag("fast") {
        return unable(g, "without fast");
    }
    let (a, b, dy, x) = (g.input(0), g.input(1), g.dy(0), g.output(0));
    let Some((rows, cols)) = sizes(a) else { return unable(g, "of matrices of unknown sizes") };
    let over = rows >= cols;
    let gram = product(a, a, over, !over);
    let gram = gram + eye_like(gram) * g.input(2).cast(a.dtype());
    let l = gram.op("Cholesky");
    let solved = |b: V<'_>| {
        let b = triangular(g.value(l.at), g.value(b.at), true, false);
        triangular(l, b, true, true)
    };
    if over {
        let z = solved(dy);
        let xz = product(x, z, false, true);
        let da = product(b, z, false, true) - times(a, xz + transpose(xz));
        return vec![da.into(), times(a, z).into(), NONE];
    }
    let db = solved(times(a, dy));
    let inner = solved(b);
    let one = -times(db, product(inner, a, true, false));
    let two = product(inner, dy - product(a, db, true, false), false, true);
    vec![(one + two).into(), db.into(), NONE]
}

fn eig(g: &GradCx) -> Grads {
    let (a, de) = (g.input(0), g.dy(0));
    let mid = matrix(de);
    let (v, mid) = if g.flag("compute_v") {
        let (e, v) = (g.output(0), g.output(1));
        let vgv = product(v, g.dy(1), true, false);
        let real = if v.dtype() == DType::C64 { DType::F32 } else { DType::F64 };
        let lengths = matrix(g.node("Real", &[diagonal(vgv)], &[attr("Tout", real)]).cast(v.dtype()));
        let turned = vgv - times(product(v, v, true, false), lengths);
        (v, mid + differences(g, e).conj() * turned)
    } else {
        let all = g.node("Eig", &[a], &[attr("compute_v", true), attr("Tout", de.dtype())]);
        (all.out(1), mid)
    };
    vec![solve(adjoint(v), product(mid, v, false, true), false).cast(a.dtype()).into()]
}

fn self_adjoint_eig(g: &GradCx) -> Grads {
    let mid = matrix(g.dy(0));
    let (v, mid) = if g.flag("compute_v") {
        let v = g.output(1);
        (v, mid + differences(g, g.output(0)) * product(v, g.dy(1), true, false))
    } else {
        (g.node("SelfAdjointEigV2", &[g.input(0)], &[attr("compute_v", true)]).out(1), mid)
    };
    let da = times(v, product(mid, v, false, true));
    // Only the lower triangle counts.
    let da = band(da + adjoint(da), -1, 0);
    vec![with_diagonal(da, diagonal(da) * 0.5).into()]
}

fn svd(g: &GradCx) -> Grads {
    let (a, ds) = (g.input(0), matrix(g.dy(0)));
    if !g.flag("compute_uv") {
        let all = g.node("Svd", &[a], &[attr("compute_uv", true)]);
        return vec![times(all.out(1), product(ds, all.out(2), false, true)).into()];
    }
    let Some((mut m, mut n)) = sizes(a) else { return unable(g, "of matrices of unknown sizes") };
    let full = g.flag("full_matrices");
    if full && m.abs_diff(n) > 1 {
        return unable(g, "with full_matrices of matrices whose sizes differ by more than one");
    }
    let (s, mut u, mut v, mut du, mut dv) = (g.output(0), g.output(1), g.output(2), g.dy(1), g.dy(2));
    let deep = m > n;
    if deep {
        // The gradient of the conjugate transpose.
        std::mem::swap(&mut m, &mut n);
        std::mem::swap(&mut u, &mut v);
        std::mem::swap(&mut du, &mut dv);
    }
    let singular = matrix(s);
    let f = differences(g, s * s);
    let first = Some(m as i32);
    let (v1, dv1) = if full { (part(v, -1, None, first), part(dv, -1, None, first)) } else { (v, dv) };
    let (udu, vdv) = (product(u, du, true, false), product(v1, dv1, true, false));
    let (fu, fv) = (f * udu, f * vdv);
    let inner = ds + times(fu + adjoint(fu), singular) + times(singular, fv + adjoint(fv));
    let mut da = times(u, product(inner, v1, false, true));
    let inverse = matrix(reciprocal(s));
    if m != n {
        let mut outside = adjoint(dv1) - product(product(dv1, v1, true, false), v1, false, true);
        if full {
            let (v2, dv2) = (part(v, -1, first, None), part(dv, -1, first, None));
            outside = outside - product(product(v1, dv2, true, false), v2, false, true);
        }
        da = da + times(times(u, inverse), outside);
    }
    if is_complex(a) {
        let l = matrix(diagonal(vdv));
        let turned = times(inverse, adjoint(l) - l);
        da = da + times(u, product(turned, v1, false, true)) * 0.5;
    }
    vec![if deep { adjoint(da) } else { da }.into()]
}

fn tridiagonal_mat_mul(g: &GradCx) -> Grads {
    let dy = g.dy(0);
    let [above, main, below] = [0, 1, 2].map(|i| adjoint(g.input(i)));
    let x = g.input(3).conj();
    let last = |v: V<'_>| expand(g, g.value(v.at).sum(g.ints(&[-1])), -2);
    let dx = shifted(above * dy, -2, false) + main * dy + shifted(below * dy, -2, true);
    vec![
        last(shifted(x, -2, true) * dy).into(),
        last(x * dy).into(),
        last(shifted(x, -2, false) * dy).into(),
        dx.into(),
    ]
}

fn tridiagonal_solve(g: &GradCx) -> Grads {
    let (diagonals, x) = (g.input(0), g.output(0));
    let row = |i: i32| part(diagonals, -2, Some(i), Some(i + 1));
    let transposed = concat(g, &[shifted(row(2), -1, true), row(1), shifted(row(0), -1, false)], -2);
    let attrs = g.same(&["partial_pivoting", "perturb_singular"]);
    let db = g.node("TridiagonalSolve", &[transposed, g.dy(0)], &attrs);
    let last = |v: V<'_>| expand(g, g.value(v.at).sum(g.ints(&[-1])), -2);
    let rows = [last(db * shifted(x, -2, true)), last(db * x), last(db * shifted(x, -2, false))];
    vec![(-concat(g, &rows, -2)).into(), db.into()]
}

pub(super) fn rule(op: &str) -> Option<Rule> {
    Some(match op {
        "BandedTriangularSolve" => banded_solve,
        "Cholesky" => cholesky,
        "Eig" => eig,
        "LogMatrixDeterminant" => log_determinant,
        "MatrixDeterminant" => determinant,
        "MatrixInverse" => inverse,
        "MatrixSolve" => matrix_solve,
        "MatrixSolveLs" => solve_ls,
        "MatrixSquareRoot" => square_root,
        "MatrixTriangularSolve" => triangular_solve,
        "Qr" => qr,
        "SelfAdjointEigV2" => self_adjoint_eig,
        "Svd" => svd,
        "TridiagonalMatMul" => tridiagonal_mat_mul,
        "TridiagonalSolve" => tridiagonal_solve,
        _ => return None,
    })
}
