//! The activation functions that recurrent cells apply to their gates.

use crate::base::Base;
use crate::prelude::*;

/// An activation function with its parameters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Activation {
    kind: Kind,
    alpha: f64,
    beta: f64,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Affine,
    Elu,
    HardSigmoid,
    LeakyRelu,
    Relu,
    ScaledTanh,
    Sigmoid,
    Softplus,
    Softsign,
    Tanh,
    ThresholdedRelu,
}

/// Lowercase name, function, default alpha and default beta; `None` if the function has no such parameter.
const KNOWN: &[(&str, Kind, Option<f64>, Option<f64>)] = &[
    ("affine", Kind::Affine, Some(1.0), Some(0.0)),
    ("elu", Kind::Elu, Some(1.0), None),
    ("hardsigmoid", Kind::HardSigmoid, Some(0.2), Some(0.5)),
    ("leakyrelu", Kind::LeakyRelu, Some(0.01), None),
    ("relu", Kind::Relu, None, None),
    ("scaledtanh", Kind::ScaledTanh, Some(1.0), Some(1.0)),
    ("sigmoid", Kind::Sigmoid, None, None),
    ("softplus", Kind::Softplus, None, None),
    ("softsign", Kind::Softsign, None, None),
    ("tanh", Kind::Tanh, None, None),
    ("thresholdedrelu", Kind::ThresholdedRelu, Some(1.0), None),
];

impl Activation {
    /// Returns the functions with these names, or `default` if there are none. Each takes its parameters, if any, from
    /// the lists in order.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the number of names is not `count`, or a name is unknown.
    pub(crate) fn list(
        names: &[String],
        default: &[&str],
        count: usize,
        alpha: &[f32],
        beta: &[f32],
    ) -> Result<Vec<Activation>> {
        let names: Vec<String> = match names.is_empty() {
            true => default.iter().cycle().take(count).map(|name| (*name).to_owned()).collect(),
            false => names.iter().map(|name| name.to_lowercase()).collect(),
        };
        if names.len() != count {
            return Err(Error::invalid("each gate and direction has one activation")
                .attr("activations")
                .expected(format!("{count} names"))
                .found(format!("{} names", names.len())));
        }
        let (mut alphas, mut betas) = (alpha.iter(), beta.iter());
        let mut found = |name: &String| {
            let &(_, kind, alpha, beta) = KNOWN.iter().find(|known| known.0 == name).ok_or_else(|| {
                Error::invalid(format!("unknown activation {name:?}"))
                    .attr("activations")
                    .expected(KNOWN.iter().map(|known| known.0).collect::<Vec<_>>().join(", "))
            })?;
            let next = |default: Option<f64>, given: &mut std::slice::Iter<'_, f32>| {
                default.map_or(0.0, |default| given.next().map_or(default, |&v| f64::from(v)))
            };
            Ok(Activation { kind, alpha: next(alpha, &mut alphas), beta: next(beta, &mut betas) })
        };
        names.iter().map(&mut found).collect()
    }

    /// Replaces numbers by the function's values.
    pub(crate) fn each<B: Base>(&self, all: &mut [B]) {
        match self.kind {
            Kind::Sigmoid => B::sigmoids(all),
            Kind::Tanh => B::tanhs(all),
            _ => all.iter_mut().for_each(|x| *x = self.of(*x)),
        }
    }

    /// Evaluates the function at `x`.
    pub(crate) fn of<B: Base>(&self, x: B) -> B {
        let (zero, one, alpha, beta) = (B::of(0.0), B::of(1.0), B::of(self.alpha), B::of(self.beta));
        match self.kind {
            Kind::Affine => alpha * x + beta,
            Kind::Elu if x < zero => alpha * x.exp_m1(),
            Kind::Elu => x,
            Kind::HardSigmoid => (alpha * x + beta).max(zero).min(one),
            Kind::LeakyRelu if x < zero => alpha * x,
            Kind::LeakyRelu => x,
            Kind::Relu => x.max(zero),
            Kind::ScaledTanh => alpha * (beta * x).tanh(),
            Kind::Sigmoid => one / (one + (-x).exp()),
            Kind::Softplus => x.max(zero) + (-x.abs()).exp().ln_1p(),
            Kind::Softsign => x / (one + x.abs()),
            Kind::Tanh => x.tanh(),
            Kind::ThresholdedRelu if x > alpha => x,
            Kind::ThresholdedRelu => zero,
        }
    }
}
