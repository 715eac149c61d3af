//! `ApplyAdam` and its relatives: Kingma and Ba, ICLR 2015; AMSGrad of Reddi et al., ICLR 2018.

use crate::apply::{Step, by_handle, dense, dense_by_handle, numbers, reals};
use crate::prelude::*;
use crate::rule::{Facts, Field, Flag, Formula, Real, Rule, optimizer};

/// Adam.
pub struct Adam;

impl Rule for Adam {
    const FACTS: Facts = optimizer("Adam", &["var", "m", "v"], INPUTS).flag(Flag::Nesterov);
}

const INPUTS: &[&str] = &["beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon", "grad"];

impl<F: Field> Formula<F> for Adam {
    #[inline(always)]
    fn apply(v: &mut [F], g: F, n: &[F], nesterov: bool) {
        let &[power1, power2, lr, beta1, beta2, epsilon] = n else { return };
        let alpha = lr * (F::one() - power2).sqrt() / (F::one() - power1);
        moments(v, g, beta1, beta2);
        let m = if nesterov { g * (F::one() - beta1) + beta1 * v[1] } else { v[1] };
        v[0] -= m * alpha / (v[2].sqrt() + epsilon);
    }
}

pub static APPLY_ADAM: Def<Step> = dense::<Adam>("ApplyAdam", numbers::<Adam>)
    .doc("Performs one step of the Adam optimizer.")
    .also(&[by_handle::<Adam>("ResourceApplyAdam")]);

/// Adam divided by the maximum second moment so far.
pub struct AdamWithAmsgrad;

impl Rule for AdamWithAmsgrad {
    const FACTS: Facts = optimizer("AdamWithAmsgrad", &["var", "m", "v", "vhat"], INPUTS);
}

impl<F: Real> Formula<F> for AdamWithAmsgrad {
    #[inline(always)]
    fn apply(v: &mut [F], g: F, n: &[F], _: bool) {
        let &[power1, power2, lr, beta1, beta2, epsilon] = n else { return };
        let alpha = lr * (F::one() - power2).sqrt() / (F::one() - power1);
        moments(v, g, beta1, beta2);
        v[3] = v[3].at_least(v[2]);
        v[0] -= v[1] * alpha / (v[3].sqrt() + epsilon);
    }
}

pub static APPLY_ADAM_WITH_AMSGRAD: Def<Step> =
    dense_by_handle::<AdamWithAmsgrad>("ResourceApplyAdamWithAmsgrad", reals::<AdamWithAmsgrad>)
        .doc("Performs one step of the AdamWithAmsgrad optimizer.");

/// The moments of Adam.
#[inline(always)]
fn moments<F: Field>(v: &mut [F], g: F, beta1: F, beta2: F) {
    let (m, s) = (v[1], v[2]);
    v[1] = m + (g - m) * (F::one() - beta1);
    v[2] = s + (g * g - s) * (F::one() - beta2);
}

/// Adam with the infinity norm.
pub struct AdaMax;

impl Rule for AdaMax {
    const FACTS: Facts =
        optimizer("AdaMax", &["var", "m", "v"], &["beta1_power", "lr", "beta1", "beta2", "epsilon", "grad"]);
}

impl<F: Real> Formula<F> for AdaMax {
    #[inline(always)]
    fn apply(v: &mut [F], g: F, n: &[F], _: bool) {
        let &[power1, lr, beta1, beta2, epsilon] = n else { return };
        v[1] = v[1] + (g - v[1]) * (F::one() - beta1);
        v[2] = (beta2 * v[2]).at_least(g.abs());
        v[0] -= lr / (F::one() - power1) * (v[1] / (v[2] + epsilon));
    }
}

pub static APPLY_ADA_MAX: Def<Step> = dense::<AdaMax>("ApplyAdaMax", reals::<AdaMax>)
    .doc("Performs one step of the AdaMax optimizer.")
    .also(&[by_handle::<AdaMax>("ResourceApplyAdaMax")]);
