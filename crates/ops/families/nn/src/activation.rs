//! Activation functions.

use super::activation_grad::{
    ELU_GRAD, LEAKY_RELU_GRAD, RELU_GRAD, RELU6_GRAD, SELU_GRAD, SOFTPLUS_GRAD, SOFTSIGN_GRAD,
};
use crate::elementwise::vector_math as vector;
use crate::elementwise::wide_math as wide;
use crate::elementwise::{Compute, Elementwise, FLOATS, Map1, REALS, basic, each, unary};
use crate::prelude::*;
use crate::rules::{first, one};

pub(super) const SELU_SCALE: f64 = 1.050_700_987_355_480_5;
pub(super) const SELU_SCALE_ALPHA: f64 = 1.758_099_340_847_376_9;

const FEATURES: &[Arg] = &[arg("features", of("T"))];
const ACTIVATIONS: &[Arg] = &[arg("activations", of("T"))];

const fn activation(name: &'static str, attrs: &'static [AttrSpec], kernel: Compute) -> Def<Elementwise> {
    unary(name, attrs, kernel).inputs(FEATURES).outputs(ACTIVATIONS)
}

pub static ELU: Def<Elementwise> = activation("Elu", FLOATS, |op, cx| {
    let elu = map1! {
        [f32] @ 0.4, wide |x| if x < 0.0 { vector::exp_m1(x) } else { x };
        [f64] @ 1.0, wide |x| if x < 0.0 { wide::exp_m1(x) } else { x };
    };
    unary::floats(&elu, op.dtype, cx)
})
.epilogue(|op| Epilogue::is_for(op.dtype).then_some(Epilogue::Function(Function::Elu)))
.doc("The exponential linear unit: `x`, or `exp(x) - 1` for negative `x`.")
.gradient(|_, g| one(g, |dy, _, y| ELU_GRAD.call([dy, y])));

pub static RELU: Def<Elementwise> = activation(
    "Relu",
    &[Attr::dtype("T", {
        use DType::*;
        &[F32, F64, I32, U8, I16, I8, I64, BF16, U16, F16, U32, U64, QI8]
    })],
    |op, cx| {
        let relu = map1! {
            [T: Real] |x| if x < T::zero() { T::zero() } else { x };
        };
        unary::reals(&relu, op.dtype, cx)
    },
)
.epilogue(|op| Epilogue::is_for(op.dtype).then_some(Epilogue::Function(Function::Relu)))
.keeps_finite()
.strip(|op| basic(op, Basic::Relu))
.doc("The rectified linear unit `max(x, 0)`.")
.gradient(|_, g| one(g, |dy, _, y| RELU_GRAD.call([dy, y])))
.supports(|op| sets::REALS.contains(&op.dtype));

pub static RELU6: Def<Elementwise> = activation("Relu6", REALS, |op, cx| {
    let relu6 = map1! {
        [T: Real] |x| {
            let six = T::from_usize(6);
            let x = if x < T::zero() { T::zero() } else { x };
            if x > six { six } else { x }
        };
    };
    unary::reals(&relu6, op.dtype, cx)
})
.epilogue(|op| Epilogue::is_for(op.dtype).then_some(Epilogue::Function(Function::Relu6)))
.keeps_finite()
.doc("The rectified linear unit capped at 6: `min(max(x, 0), 6)`.")
.gradient(|_, g| one(g, |dy, _, y| RELU6_GRAD.call([dy, y])));

pub static SELU: Def<Elementwise> = activation("Selu", FLOATS, |op, cx| {
    let selu = map1! {
        [f32] @ 0.4, wide |x| if x < 0.0 { SELU_SCALE_ALPHA as f32 * vector::exp_m1(x) } else { SELU_SCALE as f32 * x };
        [f64] @ 1.0, wide |x| if x < 0.0 { SELU_SCALE_ALPHA * wide::exp_m1(x) } else { SELU_SCALE * x };
    };
    unary::floats(&selu, op.dtype, cx)
})
.doc("[`Elu`] scaled so that mean and variance are preserved across layers.")
.gradient(|_, g| one(g, |dy, _, y| SELU_GRAD.call([dy, y])));

pub static SOFTPLUS: Def<Elementwise> = activation("Softplus", FLOATS, |op, cx| {
    let softplus = map1! {
        [f32] @ 1.0, wide |x| vector::softplus(x);
        [f64] @ 3.5, wide |x| wide::softplus(x);
    };
    unary::floats(&softplus, op.dtype, cx)
})
.strip(|op| each(op, |x, out| unary::each(&map1! { [f32] |x| vector::softplus(x); }, x, out)))
.doc("`log(1 + exp(x))`.")
.gradient(|_, g| one(g, |dy, x, _| SOFTPLUS_GRAD.call([dy, x])));

pub static SOFTSIGN: Def<Elementwise> = activation("Softsign", FLOATS, |op, cx| {
    unary::floats(&map1! { [f32, f64] |x| x / (1.0 + x.abs()); }, op.dtype, cx)
})
.doc("`x / (1 + |x|)`.")
.gradient(|_, g| one(g, |dy, x, _| SOFTSIGN_GRAD.call([dy, x])));

attrs! {
    /// The leaky rectified linear unit: `x`, or `alpha * x` for negative `x`.
    pub struct LeakyRelu {
        /// Slope for negative inputs.
        alpha: f32 = Attr::float("alpha").or_float(0.2),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS).or_type(DType::F32),
    }
}

pub static LEAKY_RELU: Def<LeakyRelu> = op::<LeakyRelu>("LeakyRelu")
    .inputs(FEATURES)
    .outputs(ACTIVATIONS)
    .shape(same_as_input)
    .gradient(|op, g| first(g, LEAKY_RELU_GRAD.node(g, op, &[g.dy(0), g.input(0)])))
    .kernel(|op, cx| unary::floats(op, op.dtype, cx))
    .piecewise(|_| Piecewise::Broadcast)
    .epilogue(|op| Epilogue::is_for(op.dtype).then_some(Epilogue::Function(Function::LeakyRelu(op.alpha))))
    .batch(elementwise);

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
