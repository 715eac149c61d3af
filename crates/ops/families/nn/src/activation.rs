//! Activation functions.

use super::activation_grad::{
    ELU_GRAD, LEAKY_RELU_GRAD, RELU_GRAD, RELU6_GRAD, SELU_GRAD, SOFTPLUS_GRAD, SOFTSIGN_GRAD,
};
use crate::elementwise::vector_math as vector;
use crate::elementwise::{Map1, group, unary};
use crate::prelude::*;
use crate::rules::first;

pub(super) const SELU_SCALE: f64 = 1.050_700_987_355_480_5;
pub(super) const SELU_SCALE_ALPHA: f64 = 1.758_099_340_847_376_9;

const RELU_TYPES: &[DType] = {
    use DType::*;
    &[F32, F64, I32, U8, I16, I8, I64, BF16, U16, F16, U32, U64, QI8]
};

attrs! {
    /// The attrs of activation functions and their gradients.
    pub struct Activation {
        /// Element type.
        dtype: DType = Attr::dtype("T", RELU_TYPES),
    }
}

pub(super) const FLOATS: &[AttrSpec] = &[Attr::dtype("T", sets::FLOATS)];
pub(super) const REALS: &[AttrSpec] = &[Attr::dtype("T", sets::REALS)];

const FEATURES: &[Arg] = &[arg("features", of("T"))];
const ACTIVATIONS: &[Arg] = &[arg("activations", of("T"))];

const fn activation<A: OpAttrs>(name: &'static str, kernel: fn(&A, &mut Cx<'_, '_>) -> Result<()>) -> Def<A> {
    op(name)
        .inputs(FEATURES)
        .outputs(ACTIVATIONS)
        .shape(|_, cx| {
            cx.same_as_input(0);
            Ok(())
        })
        .kernel(kernel)
        .piecewise(|_| Piecewise::Broadcast)
}

pub static ELU: Def<Activation> = activation("Elu", |op: &Activation, cx| unary::floats(&Elu, op.dtype, cx))
    .doc("`x`, or `exp(x) - 1` for negative `x`.")
    .attrs(FLOATS)
    .gradient(|op, g| first(g, ELU_GRAD.node(g, op, &[g.dy(0), g.output(0)])));

pub static RELU: Def<Activation> = activation("Relu", |op: &Activation, cx| unary::reals(&Relu, op.dtype, cx))
    .doc("`x`, or 0 for negative `x`.")
    .supports(|op| group::REALS.contains(&op.dtype))
    .gradient(|op, g| first(g, RELU_GRAD.node(g, op, &[g.dy(0), g.output(0)])));

pub static RELU6: Def<Activation> = activation("Relu6", |op: &Activation, cx| unary::reals(&Relu6, op.dtype, cx))
    .doc("`x`, but at least 0 and at most 6.")
    .attrs(REALS)
    .gradient(|op, g| first(g, RELU6_GRAD.node(g, op, &[g.dy(0), g.output(0)])));

pub static SELU: Def<Activation> = activation("Selu", |op: &Activation, cx| unary::floats(&Selu, op.dtype, cx))
    .doc("[`Elu`] scaled such that means and variances persist through layers.")
    .attrs(FLOATS)
    .gradient(|op, g| first(g, SELU_GRAD.node(g, op, &[g.dy(0), g.output(0)])));

pub static SOFTPLUS: Def<Activation> =
    activation("Softplus", |op: &Activation, cx| unary::floats(&Softplus, op.dtype, cx))
        .doc("`log(1 + exp(x))`.")
        .attrs(FLOATS)
        .gradient(|op, g| first(g, SOFTPLUS_GRAD.node(g, op, &[g.dy(0), g.input(0)])));

pub static SOFTSIGN: Def<Activation> =
    activation("Softsign", |op: &Activation, cx| unary::floats(&Softsign, op.dtype, cx))
        .doc("`x / (1 + |x|)`.")
        .attrs(FLOATS)
        .gradient(|op, g| first(g, SOFTSIGN_GRAD.node(g, op, &[g.dy(0), g.input(0)])));

attrs! {
    /// `x`, or `alpha * x` for negative `x`.
    pub struct LeakyRelu {
        /// Slope for negative inputs.
        alpha: f32 = Attr::float("alpha").or_float(0.2),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS).or_type(DType::F32),
    }
}

pub static LEAKY_RELU: Def<LeakyRelu> = activation("LeakyRelu", |op: &LeakyRelu, cx| unary::floats(op, op.dtype, cx))
    .gradient(|op, g| first(g, LEAKY_RELU_GRAD.node(g, op, &[g.dy(0), g.input(0)])));

struct Elu;
struct Relu;
struct Relu6;
struct Selu;
struct Softplus;
struct Softsign;

impl<T: Real> Map1<T> for Relu {
    type Out = T;
    #[inline(always)]
    fn call(&self, x: T) -> T {
        if x < T::zero() { T::zero() } else { x }
    }
}

impl<T: Real> Map1<T> for Relu6 {
    type Out = T;
    #[inline(always)]
    fn call(&self, x: T) -> T {
        let six = T::from_usize(6);
        let x = if x < T::zero() { T::zero() } else { x };
        if x > six { six } else { x }
    }
}

map1! {
    Elu: [f32] |x| if x < 0.0 { vector::exp_m1(x) } else { x };
    Elu: [f64] @ 5.0 |x| if x < 0.0 { x.exp_m1() } else { x };
    Selu: [f32] |x| if x < 0.0 { SELU_SCALE_ALPHA as f32 * vector::exp_m1(x) } else { SELU_SCALE as f32 * x };
    Selu: [f64] @ 5.0 |x| if x < 0.0 { SELU_SCALE_ALPHA * x.exp_m1() } else { SELU_SCALE * x };
    Softplus: [f32] |x| vector::softplus(x);
    Softplus: [f64] @ 10.0 |x| (if x < 0.0 { 0.0 } else { x }) + (-x.abs()).exp().ln_1p();
    Softsign: [f32, f64] |x| x / (1.0 + x.abs());
}

impl Map1<f32> for LeakyRelu {
    type Out = f32;
    #[inline(always)]
    fn call(&self, x: f32) -> f32 {
        if x > 0.0 { x } else { self.alpha * x }
    }
}

impl Map1<f64> for LeakyRelu {
    type Out = f64;
    #[inline(always)]
    fn call(&self, x: f64) -> f64 {
        if x > 0.0 { x } else { f64::from(self.alpha) * x }
    }
}
