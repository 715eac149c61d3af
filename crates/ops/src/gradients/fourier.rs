//! Fourier transforms.

use super::{Grads, NONE, concat, range};
use levada_graph::DType;
use levada_graph::grad::{GradCx, Rule, V, attr};

/// The last `n` elements of a vector.
fn tail<'g>(g: &'g GradCx, vector: V<'g>, n: i32) -> V<'g> {
    let begin = (vector.op("Size") - f64::from(n)).reshape(g.ints(&[1]));
    g.op("Slice", &[vector, begin, g.ints(&[-1])])
}

/// Zeros after the elements of the last axes of `x`: as many as the vector says.
fn pad<'g>(g: &'g GradCx, x: V<'g>, after: V<'g>, axes: i32) -> V<'g> {
    let others = (x.rank_value() - f64::from(axes)).reshape(g.ints(&[1]));
    let zeros = g.op("Fill", &[others, g.constant(levada_graph::Tensor::scalar(0i32))]);
    let after = concat(g, &[zeros, after], 0);
    let paddings = g.node("Pack", &[after.zeros_like(), after], &[attr("axis", 1i64)]);
    g.op("Pad", &[x, paddings])
}

fn padded_to<'g>(g: &'g GradCx, x: V<'g>, like: V<'g>, axes: i32) -> V<'g> {
    let missing = tail(g, like.shape_value(), axes) - tail(g, x.shape_value(), axes);
    pad(g, x, missing, axes)
}

fn of_parts(complex: DType) -> DType {
    if complex == DType::C64 { DType::F32 } else { DType::F64 }
}

/// Elements that one transform takes, as a number of type `dtype`.
fn size<'g>(g: &'g GradCx, x: V<'g>, axes: i32, dtype: DType) -> V<'g> {
    tail(g, x.shape_value(), axes).prod().cast(dtype)
}

fn name(inverse: bool, real: bool, axes: i32) -> &'static str {
    match (real, inverse, axes) {
        (false, false, 1) => "FFT",
        (false, false, 2) => "FFT2D",
        (false, false, _) => "FFT3D",
        (false, true, 1) => "IFFT",
        (false, true, 2) => "IFFT2D",
        (false, true, _) => "IFFT3D",
        (true, _, 1) => "RFFT",
        (true, _, 2) => "RFFT2D",
        (true, _, _) => "RFFT3D",
    }
}

fn forward<const AXES: i32>(g: &GradCx) -> Grads {
    let dy = g.dy(0);
    vec![(g.op(name(true, false, AXES), &[dy]) * size(g, dy, AXES, dy.dtype())).into()]
}

fn inverse<const AXES: i32>(g: &GradCx) -> Grads {
    let dy = g.dy(0);
    vec![(g.op(name(false, false, AXES), &[dy]) / size(g, dy, AXES, dy.dtype())).into()]
}

/// The half that is left out has no gradient; the rest is that of the complex transform.
fn real_forward<const AXES: i32>(g: &GradCx) -> Grads {
    let (x, lengths, dy) = (g.input(0), g.input(1), g.dy(0));
    let missing = tail(g, lengths, 1) - tail(g, dy.shape_value(), 1);
    let whole = pad(g, dy, missing, 1);
    let sum = g.op(name(true, false, AXES), &[whole]) * size(g, whole, AXES, dy.dtype());
    let dx = g.node("Real", &[sum], &[attr("Tout", x.dtype())]);
    vec![padded_to(g, dx, x, AXES).into(), NONE]
}

/// All but the first element and the middle one of an even length stand for their conjugates as well.
fn real_inverse<const AXES: i32>(g: &GradCx) -> Grads {
    let (x, lengths, dy) = (g.input(0), g.input(1), g.dy(0));
    let real = of_parts(x.dtype());
    let found = g.node(name(false, true, AXES), &[dy, lengths], &[attr("Tcomplex", x.dtype())]);
    let count = tail(g, found.shape_value(), 1).reshape(g.ints(&[]));
    let (k, n) = (range(g, count), tail(g, lengths, 1));
    let is = |a: V<'_>, b: V<'_>| g.value(g.op("Equal", &[g.value(a.at), g.value(b.at)]).at).cast(real);
    let single = is(k, k.zeros_like()) + is(k * 2.0, n);
    let mask = (single.like(2.0) - single) / size(g, dy, AXES, real);
    vec![padded_to(g, found * mask.cast(x.dtype()), x, AXES).into(), NONE]
}

pub(super) fn rule(op: &str) -> Option<Rule> {
    Some(match op {
        "FFT" => forward::<1>,
        "FFT2D" => forward::<2>,
        "FFT3D" => forward::<3>,
        "IFFT" => inverse::<1>,
        "IFFT2D" => inverse::<2>,
        "IFFT3D" => inverse::<3>,
        "RFFT" => real_forward::<1>,
        "RFFT2D" => real_forward::<2>,
        "IRFFT" => real_inverse::<1>,
        "IRFFT2D" => real_inverse::<2>,
        _ => return None,
    })
}
