//! Gradients of the activation functions.

use super::activation::{LeakyRelu, SELU_SCALE, SELU_SCALE_ALPHA};
use crate::elementwise::binary::{Floats, Reals};
use crate::elementwise::{Compute, Elementwise, FLOATS, Map2, REALS, binary, series, vector_math, wide_math};
use crate::prelude::*;
use crate::rules::Handles;

const BY_INPUT: &[Arg] = &[arg("gradients", of("T")), arg("features", of("T"))];
const BY_OUTPUT: &[Arg] = &[arg("gradients", of("T")), arg("outputs", of("T"))];
const OUTPUTS: &[Arg] = &[arg("backprops", of("T"))];

const fn gradient(
    name: &'static str,
    inputs: &'static [Arg],
    attrs: &'static [AttrSpec],
    kernel: Compute,
) -> Def<Elementwise> {
    binary(name, attrs, kernel).inputs(inputs).outputs(OUTPUTS).shape(alike).piecewise(|_| Piecewise::Alike)
}

/// Infers the common shape of both inputs.
fn alike<A>(_: &A, cx: &mut ShapeCx<'_>) -> Result<()> {
    let merged = cx.input(0).merge(&cx.input(1))?;
    cx.output(0, merged);
    Ok(())
}

/// Fails if the gradient and the forward value have different shapes.
fn same_shape(cx: &Cx<'_, '_>) -> Result<()> {
    let (gradients, value) = (cx.input(0)?.shape(), cx.input(1)?.shape());
    if gradients == value {
        return Ok(());
    }
    Err(Error::invalid(format!("Inputs must have the same size and shape. Input 0: {gradients} != input 1: {value}")))
}

fn floats(op: &Elementwise, cx: &mut Cx<'_, '_>, f: &impl Floats) -> Result<()> {
    same_shape(cx)?;
    binary::floats(f, op.dtype, cx)
}

fn reals(op: &Elementwise, cx: &mut Cx<'_, '_>, f: &impl Reals) -> Result<()> {
    same_shape(cx)?;
    binary::reals(f, op.dtype, cx)
}

pub static ELU_GRAD: Def<Elementwise> = gradient("EluGrad", BY_OUTPUT, FLOATS, |op, cx| {
    let f = map2! {
        [f32, f64] |gradient, y| if y < 0.0 { (y + 1.0) * gradient } else { gradient };
    };
    floats(op, cx, &f)
})
.doc("The gradient of `Elu`, computed from its output.")
.gradient(|_, g| exponential(g, &ELU_GRAD))
.batch(leading);

pub static SELU_GRAD: Def<Elementwise> = gradient("SeluGrad", BY_OUTPUT, FLOATS, |op, cx| {
    let f = map2! {
        [f32] |gradient, y| gradient * if y < 0.0 { y + SELU_SCALE_ALPHA as f32 } else { SELU_SCALE as f32 };
        [f64] |gradient, y| gradient * if y < 0.0 { y + SELU_SCALE_ALPHA } else { SELU_SCALE };
    };
    floats(op, cx, &f)
})
.doc("The gradient of `Selu`, computed from its output.")
.gradient(|_, g| exponential(g, &SELU_GRAD))
.batch(leading);

/// The gradient rule of a function that is exponential below 0.
fn exponential(g: &GradCx, def: &'static Def<Elementwise>) -> Grads {
    let (before, y, dy) = (g.input(0), g.input(1), g.dy(0));
    let below = y.less(y.like(0.0));
    vec![def.call([dy, y]).into(), (dy * before).where_true(below).into()]
}

// A product rather than a select, so that an infinite gradient of an inactive unit yields NaN, as in TensorFlow.
pub static RELU_GRAD: Def<Elementwise> = gradient("ReluGrad", BY_INPUT, REALS, |op, cx| {
    let f = map2! {
        [T: Real] |gradient, x| gradient.mul(if x > T::zero() { T::one() } else { T::zero() });
    };
    reals(op, cx, &f)
})
.keeps_finite()
.doc("The gradient of `Relu`, computed from its input or output.")
.strip(|op| series(op, 1, &[(Basic::Positive, 0), (Basic::Unit, 0), (Basic::Mul, 0)]))
.gradient(|_, g| vec![RELU_GRAD.call([g.dy(0), g.input(1)]).into(), g.input(1).zeros_like().into()])
.batch(leading);

pub static RELU6_GRAD: Def<Elementwise> = gradient("Relu6Grad", BY_INPUT, REALS, |op, cx| {
    let f = map2! {
        [T: Real] |gradient, x| {
            gradient.mul(if x > T::zero() && x < T::from_usize(6) { T::one() } else { T::zero() })
        };
    };
    reals(op, cx, &f)
})
.keeps_finite()
.doc("The gradient of `Relu6`, computed from its input or output.")
.gradient(|_, g| vec![RELU6_GRAD.call([g.dy(0), g.input(1)]).into(), g.input(1).zeros_like().into()])
.batch(leading);

pub static SOFTPLUS_GRAD: Def<Elementwise> = gradient("SoftplusGrad", BY_INPUT, FLOATS, |op, cx| {
    let f = map2! {
        [f32] @ 0.5, wide |gradient, x| gradient / (vector_math::exp(-x) + 1.0);
        [f64] @ 1.5, wide |gradient, x| gradient / (wide_math::exp(-x) + 1.0);
    };
    floats(op, cx, &f)
})
.doc("The gradient of `Softplus`, computed from its input.")
.gradient(|_, g| {
    let (before, x, dy) = (g.input(0), g.input(1), g.dy(0));
    vec![SOFTPLUS_GRAD.call([dy, x]).into(), (dy * before / ((-x).exp() + 2.0 + x.exp())).into()]
})
.batch(leading);

pub static SOFTSIGN_GRAD: Def<Elementwise> = gradient("SoftsignGrad", BY_INPUT, FLOATS, |op, cx| {
    let f = map2! {
        [f32, f64] |gradient, x| {
            let size = 1.0 + x.abs();
            gradient / (size * size)
        };
    };
    floats(op, cx, &f)
})
.doc("The gradient of `Softsign`, computed from its input.")
.gradient(|_, g| {
    let (before, x, dy) = (g.input(0), g.input(1), g.dy(0));
    let over = x.abs() + 1.0;
    let bend = (dy * before * x.sign() * -2.0) / (over * over * over);
    vec![SOFTSIGN_GRAD.call([dy, x]).into(), bend.into()]
})
.batch(leading);

pub static LEAKY_RELU_GRAD: Def<LeakyRelu> = op::<LeakyRelu>("LeakyReluGrad")
    .doc("The gradient of `LeakyRelu`, computed from its input.")
    .attrs(&[Attr::dtype("T", sets::FLOATS)])
    .inputs(BY_INPUT)
    .outputs(OUTPUTS)
    .shape(alike)
    .gradient(|op, g| {
        let x = g.input(1);
        vec![LEAKY_RELU_GRAD.node(g, op, &[g.dy(0), x]).into(), x.zeros_like().into()]
    })
    .kernel(|op, cx| {
        same_shape(cx)?;
        binary::floats(op, op.dtype, cx)
    })
    .piecewise(|_| Piecewise::Alike)
    .batch(leading);

impl Map2<f32> for LeakyRelu {
    type Out = f32;
    #[inline(always)]
    fn call(&self, gradient: f32, x: f32) -> f32 {
        if x > 0.0 { gradient } else { self.alpha * gradient }
    }
}

impl Map2<f64> for LeakyRelu {
    type Out = f64;
    #[inline(always)]
    fn call(&self, gradient: f64, x: f64) -> f64 {
        if x > 0.0 { gradient } else { f64::from(self.alpha) * gradient }
    }
}
