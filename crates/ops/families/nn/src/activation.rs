//! Activation functions.

use crate::elementwise::vector_math as vector;
use crate::elementwise::{Map1, unary};
use crate::prelude::*;

pub(super) const SELU_SCALE: f64 = 1.050_700_987_355_480_5;
pub(super) const SELU_SCALE_ALPHA: f64 = 1.758_099_340_847_376_9;

const RELU: &[DType] = &[
    DType::F32,
    DType::F64,
    DType::I32,
    DType::U8,
    DType::I16,
    DType::I8,
    DType::I64,
    DType::BF16,
    DType::U16,
    DType::F16,
    DType::U32,
    DType::U64,
    DType::QI8,
];

unary_ops! {
    /// `x`, or `exp(x) - 1` for negative `x`.
    Elu(features) -> activations: sets::FLOATS, floats FLOATS;
    /// `x`, or 0 for negative `x`.
    Relu(features) -> activations: RELU, reals REALS;
    /// `x`, but at least 0 and at most 6.
    Relu6(features) -> activations: sets::REALS, reals REALS;
    /// [`Elu`] scaled such that means and variances persist through layers.
    Selu(features) -> activations: sets::FLOATS, floats FLOATS;
    /// `log(1 + exp(x))`.
    Softplus(features) -> activations: sets::FLOATS, floats FLOATS;
    /// `x / (1 + |x|)`.
    Softsign(features) -> activations: sets::FLOATS, floats FLOATS;
}

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

attrs! {
    /// `x`, or `alpha * x` for negative `x`.
    pub struct LeakyRelu {
        /// Slope for negative inputs.
        alpha: f32 = Attr::float("alpha").or_float(0.2),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::FLOATS).or_type(DType::F32),
    }
}

impl Op for LeakyRelu {
    const SPEC: Spec = Spec {
        name: "LeakyRelu",
        inputs: &[arg("features", of("T"))],
        outputs: &[arg("activations", of("T"))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        cx.same_as_input(0);
        Ok(())
    }
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

impl Kernel<Cpu> for LeakyRelu {
    fn piecewise(&self) -> Piecewise {
        Piecewise::Broadcast
    }

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        unary::floats(self, self.dtype, cx)
    }
}
