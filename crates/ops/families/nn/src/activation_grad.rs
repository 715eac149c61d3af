//! Gradients of the activation functions.

use super::activation::{Activation, FLOATS, LeakyRelu, REALS, SELU_SCALE, SELU_SCALE_ALPHA};
use crate::elementwise::{Map2, binary};
use crate::prelude::*;

const FEATURES: &[Arg] = &[arg("gradients", of("T")), arg("features", of("T"))];
const OUTPUTS: &[Arg] = &[arg("gradients", of("T")), arg("outputs", of("T"))];
const BACKPROPS: &[Arg] = &[arg("backprops", of("T"))];

/// The gradient of an activation function, by its input or its output.
const fn gradient<A: OpAttrs>(
    name: &'static str,
    inputs: &'static [Arg],
    kernel: fn(&A, &mut Cx<'_, '_>) -> Result<()>,
) -> Def<A> {
    op(name)
        .inputs(inputs)
        .outputs(BACKPROPS)
        .shape(|_, cx| {
            let merged = cx.input(0).merge(&cx.input(1))?;
            cx.output(0, merged);
            Ok(())
        })
        .kernel(kernel)
        .piecewise(|_| Piecewise::Alike)
}

pub static ELU_GRAD: Def<Activation> =
    gradient("EluGrad", OUTPUTS, |op: &Activation, cx| floats(&EluGrad, op.dtype, cx))
        .doc("The gradient of `Elu`, by its output.")
        .attrs(FLOATS)
        .gradient(|op, g| exponential(&ELU_GRAD, op, g));

pub static LEAKY_RELU_GRAD: Def<LeakyRelu> =
    gradient("LeakyReluGrad", FEATURES, |op: &LeakyRelu, cx| floats(op, op.dtype, cx))
        .doc("The gradient of `LeakyRelu`, by its input.")
        .attrs(FLOATS)
        .gradient(|op, g| linear(&LEAKY_RELU_GRAD, op, g));

pub static RELU6_GRAD: Def<Activation> =
    gradient("Relu6Grad", FEATURES, |op: &Activation, cx| reals(&Relu6Grad, op.dtype, cx))
        .doc("The gradient of `Relu6`, by its input or output.")
        .attrs(REALS)
        .gradient(|op, g| linear(&RELU6_GRAD, op, g));

pub static RELU_GRAD: Def<Activation> =
    gradient("ReluGrad", FEATURES, |op: &Activation, cx| reals(&ReluGrad, op.dtype, cx))
        .doc("The gradient of `Relu`, by its input or output.")
        .attrs(REALS)
        .gradient(|op, g| linear(&RELU_GRAD, op, g));

pub static SELU_GRAD: Def<Activation> =
    gradient("SeluGrad", OUTPUTS, |op: &Activation, cx| floats(&SeluGrad, op.dtype, cx))
        .doc("The gradient of `Selu`, by its output.")
        .attrs(FLOATS)
        .gradient(|op, g| exponential(&SELU_GRAD, op, g));

pub static SOFTPLUS_GRAD: Def<Activation> =
    gradient("SoftplusGrad", FEATURES, |op: &Activation, cx| floats(&SoftplusGrad, op.dtype, cx))
        .doc("The gradient of `Softplus`, by its input.")
        .attrs(FLOATS)
        .gradient(|op, g| {
            let (before, x, dy) = (g.input(0), g.input(1), g.dy(0));
            let slope = dy * before / ((-x).op("Exp") + 2.0 + x.op("Exp"));
            vec![SOFTPLUS_GRAD.node(g, op, &[dy, x]).into(), slope.into()]
        });

pub static SOFTSIGN_GRAD: Def<Activation> =
    gradient("SoftsignGrad", FEATURES, |op: &Activation, cx| floats(&SoftsignGrad, op.dtype, cx))
        .doc("The gradient of `Softsign`, by its input.")
        .attrs(FLOATS)
    .gradient(|op, g| {
            let (before, x, dy) = (g.input(0), g.input(1), g.dy(0));
            let over = x.op("Abs") + 1.0;
            let bend = (dy * before * x.op("Sign") * -2.0) / (over * over * over);
            vec![SOFTSIGN_GRAD.node(g, op, &[dy, x]).into(), bend.into()]
        });

/// The gradients of an op whose slope is the same on each side of a corner.
fn linear<A: OpAttrs>(def: &'static Def<A>, op: &A, g: &GradCx) -> Grads {
    let x = g.input(1);
    vec![def.node(g, op, &[g.dy(0), x]).into(), x.zeros_like().into()]
}

/// The gradients of an op whose slope grows with the output where that is negative.
fn exponential<A: OpAttrs>(def: &'static Def<A>, op: &A, g: &GradCx) -> Grads {
    let (before, y, dy) = (g.input(0), g.input(1), g.dy(0));
    let below = g.op("Less", &[y, y.like(0.0)]);
    vec![def.node(g, op, &[dy, y]).into(), (dy * before).where_true(below).into()]
}

/// Fails where gradient and forward value are of different shapes.
fn same_shape(cx: &Cx<'_, '_>) -> Result<()> {
    let (gradients, value) = (cx.input(0)?.shape(), cx.input(1)?.shape());
    if gradients == value {
        return Ok(());
    }
    Err(Error::invalid(format!(
        "Inputs must have the same size and shape. Input 0: {gradients} != input 1: {value}"
    )))
}

fn floats(f: &impl binary::Floats, dtype: DType, cx: &mut Cx<'_, '_>) -> Result<()> {
    same_shape(cx)?;
    binary::floats(f, dtype, cx)
}

fn reals(f: &impl binary::Reals, dtype: DType, cx: &mut Cx<'_, '_>) -> Result<()> {
    same_shape(cx)?;
    binary::reals(f, dtype, cx)
}

struct EluGrad;
struct Relu6Grad;
struct ReluGrad;
struct SeluGrad;
struct SoftplusGrad;
struct SoftsignGrad;

// A product rather than a choice, so that an infinite gradient of an inactive unit gives NaN, as in TensorFlow.
impl<T: Real> Map2<T> for ReluGrad {
    type Out = T;
    #[inline(always)]
    fn call(&self, gradient: T, x: T) -> T {
        gradient.mul(if x > T::zero() { T::one() } else { T::zero() })
    }
}

impl<T: Real> Map2<T> for Relu6Grad {
    type Out = T;
    #[inline(always)]
    fn call(&self, gradient: T, x: T) -> T {
        gradient.mul(if x > T::zero() && x < T::from_usize(6) { T::one() } else { T::zero() })
    }
}

map2! {
    EluGrad: [f32, f64] |gradient, y| if y < 0.0 { (y + 1.0) * gradient } else { gradient };
    SeluGrad: [f32] |gradient, y| {
        gradient * if y < 0.0 { y + SELU_SCALE_ALPHA as f32 } else { SELU_SCALE as f32 }
    };
    SeluGrad: [f64] |gradient, y| gradient * if y < 0.0 { y + SELU_SCALE_ALPHA } else { SELU_SCALE };
    SoftplusGrad: [f32, f64] @ 5.0 |gradient, x| gradient / ((-x).exp() + 1.0);
    SoftsignGrad: [f32, f64] |gradient, x| {
        let size = 1.0 + x.abs();
        gradient / (size * size)
    };
}

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
