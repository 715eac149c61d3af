//! Gradients of functions expressed in the function's own value `y`.

use super::roots::SQUARE;
use crate::elementwise::binary::FloatsComplex;
use crate::elementwise::{Compute, Elementwise, FLOATS_COMPLEX, binary, series};
use crate::prelude::*;
use num_complex::Complex;
use num_traits::Num;

const INPUTS: &[Arg] = &[arg("y", of("T")), arg("dy", of("T"))];

const fn gradient(name: &'static str, kernel: Compute) -> Def<Elementwise> {
    binary(name, FLOATS_COMPLEX, kernel).inputs(INPUTS).shape(same_as_input).piecewise(|_| Piecewise::Alike)
}

/// Computes from inputs with equal element counts; the output has the shape of the first.
fn compute(op: &Elementwise, cx: &mut Cx<'_, '_>, f: &impl FloatsComplex) -> Result<()> {
    let (y, dy) = (cx.input(0)?.shape(), cx.input(1)?.shape());
    if y.num_elements() != dy.num_elements() {
        return Err(Error::invalid(format!(
            "The two arguments to a cwise op must have same number of elements, got {} and {}",
            y.num_elements(),
            dy.num_elements()
        )));
    }
    if y != dy {
        let shape = y.clone();
        let dy = cx.take(1)?.reshaped(shape)?;
        cx.replace(1, dy);
    }
    binary::floats_complex(f, op.dtype, cx)
}

pub static RECIPROCAL_GRAD: Def<Elementwise> = gradient("ReciprocalGrad", |op, cx| {
    let f = map2! {
        [f32, f64] |y, dy| -y * (y * dy);
        [Complex32, Complex64] |y, dy| -y.conj() * (y.conj() * dy);
    };
    compute(op, cx, &f)
})
.doc("The gradient of `y = 1 / x`, computed from `y`.")
.also(&[form("InvGrad")])
.gradient(|_, g| {
    let (a, b, dy) = (g.input(0).conj(), g.input(1), g.dy(0));
    vec![(dy.conj() * -2.0 * b * a).into(), RECIPROCAL_GRAD.call([a, dy]).into()]
})
.batch(leading);

pub static RSQRT_GRAD: Def<Elementwise> = gradient("RsqrtGrad", |op, cx| {
    let f = map2! {
        [f32, f64] |y, dy| rsqrt_grad(y, dy, -0.5);
        [Complex32, Complex64] |y, dy| rsqrt_grad(y.conj(), dy, -Complex::new(0.5, 0.0));
    };
    compute(op, cx, &f)
})
.doc("The gradient of `y = 1 / sqrt(x)`, computed from `y`.")
.gradient(|_, g| {
    let (a, b, dy) = (g.input(0).conj(), g.input(1), g.dy(0));
    vec![(dy.conj() * -1.5 * b * SQUARE.call([a])).into(), RSQRT_GRAD.call([a, dy]).into()]
})
.batch(leading);

#[inline(always)]
fn rsqrt_grad<T: Num + Copy>(y: T, dy: T, factor: T) -> T {
    if dy.is_zero() { dy } else { factor * (dy * y) * (y * y) }
}

pub static SIGMOID_GRAD: Def<Elementwise> =
    gradient("SigmoidGrad", |op, cx| compute(op, cx, &map2! { [T: Number] |y, dy| dy.mul(y.mul(T::one().sub(y))); }))
        .doc("The gradient of `y = sigmoid(x)`, computed from `y`.")
        .strip(|op| series(op, 0, &[(Basic::Complement, 0), (Basic::Mul, 0), (Basic::Mul, 1)]))
        .gradient(|_, g| {
            let (y, before, dy) = (g.input(0).conj(), g.input(1).conj(), g.dy(0));
            let grown = dy * before;
            vec![(grown - (grown * 2.0) * y).into(), SIGMOID_GRAD.call([y, dy]).into()]
        })
        .batch(leading);

pub static SQRT_GRAD: Def<Elementwise> = gradient("SqrtGrad", |op, cx| {
    let f = map2! {
        [f32, f64] |y, dy| sqrt_grad(y, dy, 0.5);
        [Complex32, Complex64] |y, dy| sqrt_grad(y.conj(), dy, Complex::new(0.5, 0.0));
    };
    compute(op, cx, &f)
})
.doc("The gradient of `y = sqrt(x)`, computed from `y`.")
.gradient(|_, g| {
    let over = g.dy(0) / g.input(0);
    vec![(-(over.conj() * g.output(0))).into(), (over * 0.5).into()]
})
.batch(leading);

#[inline(always)]
fn sqrt_grad<T: Num + Copy>(y: T, dy: T, half: T) -> T {
    if dy.is_zero() { dy } else { half * dy / y }
}

pub static TANH_GRAD: Def<Elementwise> =
    gradient("TanhGrad", |op, cx| compute(op, cx, &map2! { [T: Number] |y, dy| dy.mul(T::one().sub(y.mul(y))); }))
        .doc("The gradient of `y = tanh(x)`, computed from `y`.")
        .strip(|op| series(op, 0, &[(Basic::Square, 0), (Basic::Complement, 0), (Basic::Mul, 1)]))
        .gradient(|_, g| {
            let (y, before, dy) = (g.input(0).conj(), g.input(1).conj(), g.dy(0));
            vec![(dy * -2.0 * before * y).into(), TANH_GRAD.call([y, dy]).into()]
        })
        .batch(leading);
