//! `ApplyAddSign`, `ApplyPowerSign` and their forms: Bello et al., ICML 2017.

use crate::apply::{Step, by_handle, dense, reals};
use crate::prelude::*;
use crate::rule::{Facts, Formula, Real, Rule, optimizer};

/// AddSign.
pub struct AddSign;

impl Rule for AddSign {
    const FACTS: Facts = optimizer("AddSign", &["var", "m"], &["lr", "alpha", "sign_decay", "beta", "grad"]);
}

impl<F: Real> Formula<F> for AddSign {
    #[inline(always)]
    fn apply(v: &mut [F], g: F, n: &[F], _: bool) {
        let &[lr, alpha, decay, beta] = n else { return };
        v[1] = v[1] * beta + g * (F::one() - beta);
        v[0] -= lr * (alpha + decay * g.sign() * v[1].sign()) * g;
    }
}

pub static APPLY_ADD_SIGN: Def<Step> = dense::<AddSign>("ApplyAddSign", reals::<AddSign>)
    .doc("Performs one step of the AddSign optimizer.")
    .also(&[by_handle::<AddSign>("ResourceApplyAddSign")]);

/// PowerSign.
pub struct PowerSign;

impl Rule for PowerSign {
    const FACTS: Facts = optimizer("PowerSign", &["var", "m"], &["lr", "logbase", "sign_decay", "beta", "grad"]);
}

impl<F: Real> Formula<F> for PowerSign {
    #[inline(always)]
    fn apply(v: &mut [F], g: F, n: &[F], _: bool) {
        let &[lr, logbase, decay, beta] = n else { return };
        v[1] = v[1] * beta + g * (F::one() - beta);
        v[0] -= lr * (logbase * decay * g.sign() * v[1].sign()).exp() * g;
    }
}

pub static APPLY_POWER_SIGN: Def<Step> = dense::<PowerSign>("ApplyPowerSign", reals::<PowerSign>)
    .doc("Performs one step of the PowerSign optimizer.")
    .also(&[by_handle::<PowerSign>("ResourceApplyPowerSign")]);
