//! Graph-building helpers for the gradient rules of matrix ops.

use super::batch_mat_mul::{BATCH_MAT_MUL, BatchMatMul};
use super::solve::{MATRIX_SOLVE, MatrixSolve};
use super::triangular::{MATRIX_TRIANGULAR_SOLVE, MatrixTriangularSolve};
use crate::prelude::*;
use levada_ops_core::rules::{
    Handles, MATRIX_BAND_PART, MATRIX_DIAG, MATRIX_DIAG_PART, MATRIX_SET_DIAG, RECIPROCAL, SLICE, STRIDED_SLICE, attr,
    concat, expand, never, range,
};

/// The matrix product, with the conjugate transpose of each factor that `adjoint` selects.
pub(super) fn product<'g>(a: V<'g>, b: V<'g>, adjoint: [bool; 2]) -> V<'g> {
    let [adj_x, adj_y] = adjoint;
    let op = BatchMatMul { dtype: a.dtype(), adj_x, adj_y, grad_x: false, grad_y: false, broadcast: true };
    BATCH_MAT_MUL.node(a.cx(), &op, &[a, b])
}

/// The matrix product.
pub(super) fn times<'g>(a: V<'g>, b: V<'g>) -> V<'g> {
    product(a, b, [false, false])
}

/// `a^H b`.
pub(super) fn adjoint_times<'g>(a: V<'g>, b: V<'g>) -> V<'g> {
    product(a, b, [true, false])
}

/// `a b^H`.
pub(super) fn times_adjoint<'g>(a: V<'g>, b: V<'g>) -> V<'g> {
    product(a, b, [false, true])
}

/// The gradients of `a` and `b` from that of their product, in which the flags mark transposed factors. `product`
/// builds such products.
pub(super) fn of_factors<'g>(
    [a, b, dy]: [V<'g>; 3],
    [left, right]: [bool; 2],
    product: impl Fn(V<'g>, V<'g>, [bool; 2]) -> V<'g>,
) -> [V<'g>; 2] {
    let da = if left { product(b, dy, [right, true]) } else { product(dy, b, [false, !right]) };
    let db = if right { product(dy, a, [true, left]) } else { product(a, dy, [!left, false]) };
    [da, db]
}

/// Reduces the gradients of two inputs over broadcast batch axes.
pub(super) fn unbroadcast<'g>(g: &'g GradCx, da: V<'g>, db: V<'g>) -> Grads {
    let (a, b) = (g.input(0), g.input(1));
    let batch = |v: V<'_>| v.shape().dims().map(|d| d[..d.len().saturating_sub(2)].to_vec());
    match (batch(a), batch(b)) {
        (Some(x), Some(y)) if x == y && x.iter().all(Option::is_some) => vec![da.into(), db.into()],
        _ => {
            let (sa, sb) = (a.shape_value(), b.shape_value());
            let axes = g.primitive(Primitive::BroadcastGradientArgs, &[front(sa), front(sb)], &[]);
            vec![da.sum(axes).reshape(sa).into(), db.sum(axes.out(1)).reshape(sb).into()]
        }
    }
}

/// The batch axes of a shape.
pub(super) fn front(shape: V<'_>) -> V<'_> {
    let g = shape.cx();
    SLICE.call([shape, g.ints(&[0]), vector(shape.size() - 2.0)])
}

/// Reshapes a scalar to a vector of one element.
pub(super) fn vector(x: V<'_>) -> V<'_> {
    x.reshape(x.cx().ints(&[1]))
}

pub(super) fn is_complex(x: V<'_>) -> bool {
    matches!(x.dtype(), DType::C64 | DType::C128)
}

/// Exchanges the last two axes.
pub(super) fn transpose(x: V<'_>) -> V<'_> {
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
            let rank = x.rank_found();
            let front = SLICE.call([range(g, rank), g.ints(&[0]), vector(rank - 2.0)]);
            concat(g, &[front, vector(rank - 1.0), vector(rank - 2.0)], 0)
        }
    };
    x.transpose(order)
}

pub(super) fn adjoint(x: V<'_>) -> V<'_> {
    transpose(x).conj()
}

/// Zeros elements more than `lower` below or `upper` above the diagonal; -1 keeps all.
pub(super) fn band(x: V<'_>, lower: i64, upper: i64) -> V<'_> {
    let g = x.cx();
    MATRIX_BAND_PART.call([x, g.constant(Tensor::scalar(lower)), g.constant(Tensor::scalar(upper))])
}

pub(super) fn diagonal(x: V<'_>) -> V<'_> {
    MATRIX_DIAG_PART.call([x])
}

/// The matrices with this diagonal and zeros elsewhere.
pub(super) fn matrix(diagonal: V<'_>) -> V<'_> {
    MATRIX_DIAG.call([diagonal])
}

pub(super) fn with_diagonal<'g>(x: V<'g>, diagonal: V<'g>) -> V<'g> {
    MATRIX_SET_DIAG.call([x, diagonal])
}

/// Identity matrices of the size of `x`.
pub(super) fn eye_like(x: V<'_>) -> V<'_> {
    matrix(diagonal(x).ones_like())
}

/// The range `begin` to `end` of `axis` (-1 or -2); both bounds are optional.
pub(super) fn part<'g>(x: V<'g>, axis: i32, begin: Option<i32>, end: Option<i32>) -> V<'g> {
    let g = x.cx();
    let at = if axis == -1 { 2 } else { 1 };
    let (mut from, mut to) = ([0; 3], [0; 3]);
    from[at] = begin.unwrap_or(0);
    to[at] = end.unwrap_or(0);
    let mask = |given: bool| if given { 6i64 & !(1 << at) } else { 6 };
    let masks =
        [attr("begin_mask", mask(begin.is_some())), attr("end_mask", mask(end.is_some())), attr("ellipsis_mask", 1i64)];
    STRIDED_SLICE.node(g, &[x, g.ints(&from), g.ints(&to), g.ints(&[1, 1, 1])], &masks)
}

/// `x / (x^2 + tiny)`, which is zero rather than infinite if `x` is zero.
pub(super) fn reciprocal(x: V<'_>) -> V<'_> {
    x * RECIPROCAL.call([x * x + 1e-20])
}

/// `1 / (v_j - v_i)` for the elements of a vector, zero for `i = j`.
pub(super) fn differences<'g>(g: &'g GradCx, v: V<'g>) -> V<'g> {
    with_diagonal(reciprocal(expand(g, v, -2) - expand(g, v, -1)), v.zeros_like())
}

/// The solutions of `a x = b`, with the conjugate transpose of `a` if `adjoint`.
pub(super) fn solve<'g>(a: V<'g>, b: V<'g>, adjoint: bool) -> V<'g> {
    MATRIX_SOLVE.node(a.cx(), &MatrixSolve { adjoint, dtype: a.dtype() }, &[a, b])
}

/// As [`solve`], for triangular matrices.
pub(super) fn solve_triangle<'g>(a: V<'g>, b: V<'g>, lower: bool, adjoint: bool) -> V<'g> {
    let op = MatrixTriangularSolve { lower, adjoint, dtype: a.dtype(), broadcast: true };
    MATRIX_TRIANGULAR_SOLVE.node(a.cx(), &op, &[a, b])
}

/// The gradient of the matrices of the system the node solves, from that of the right-hand sides.
pub(super) fn of_system<'g>(g: &'g GradCx, adjoint: bool, db: V<'g>) -> V<'g> {
    let x = g.output(0);
    let (left, right) = if adjoint { (x, db) } else { (db, x) };
    -times_adjoint(left, right)
}

/// The matrix dimensions, if statically known.
pub(super) fn sizes(x: V<'_>) -> Option<(usize, usize)> {
    match x.shape().dims()? {
        [.., rows, cols] => rows.zip(*cols),
        _ => None,
    }
}

/// Fails with the case in which the op's gradient is not implemented.
pub(super) fn unable(g: &GradCx, why: &str) -> Grads {
    g.fail(Error::unimplemented(format!("the gradient of {} {why}", g.op_name())));
    never(g)
}
