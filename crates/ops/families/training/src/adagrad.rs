//! `ApplyAdagrad` and its relatives: Duchi et al., JMLR 2011.

use crate::apply::{Step, by_handle, dense, numbers, reals, rows_by_handle, sparse};
use crate::prelude::*;
use crate::rule::{Facts, Field, Flag, Formula, Real, Rule, optimizer};

/// Adagrad.
pub struct Adagrad;

impl Rule for Adagrad {
    const FACTS: Facts = optimizer("Adagrad", &["var", "accum"], &["lr", "grad"])
        .flag(Flag::UpdateSlots)
        .rows_have_elements()
        .checks_rows_first();
}

impl<F: Field> Formula<F> for Adagrad {
    #[inline(always)]
    fn apply(v: &mut [F], g: F, n: &[F], update_slots: bool) {
        let &[lr] = n else { return };
        if update_slots {
            v[1] += g * g;
        }
        v[0] -= g * lr * (F::one() / v[1].sqrt());
    }
}

pub static APPLY_ADAGRAD: Def<Step> = dense::<Adagrad>("ApplyAdagrad", numbers::<Adagrad>)
    .doc("Performs one step of the Adagrad optimizer.")
    .also(&[by_handle::<Adagrad>("ResourceApplyAdagrad")]);

pub static SPARSE_APPLY_ADAGRAD: Def<Step> = sparse::<Adagrad>("SparseApplyAdagrad", numbers::<Adagrad>)
    .doc("Performs one step of the Adagrad optimizer on selected rows.")
    .also(&[rows_by_handle::<Adagrad>("ResourceSparseApplyAdagrad")]);

/// Adagrad with an epsilon that keeps divisors away from zero.
pub struct AdagradV2;

impl Rule for AdagradV2 {
    const FACTS: Facts = optimizer("AdagradV2", &["var", "accum"], &["lr", "epsilon", "grad"])
        .flag(Flag::UpdateSlots)
        .rows_have_elements()
        .checks_rows_first();
}

impl<F: Field> Formula<F> for AdagradV2 {
    #[inline(always)]
    fn apply(v: &mut [F], g: F, n: &[F], update_slots: bool) {
        let &[lr, epsilon] = n else { return };
        if update_slots {
            v[1] += g * g;
        }
        v[0] -= g * lr / (v[1].sqrt() + epsilon);
    }
}

pub static APPLY_ADAGRAD_V2: Def<Step> = dense::<AdagradV2>("ApplyAdagradV2", numbers::<AdagradV2>)
    .doc("Performs one step of the AdagradV2 optimizer.")
    .also(&[by_handle::<AdagradV2>("ResourceApplyAdagradV2")]);

pub static SPARSE_APPLY_ADAGRAD_V2: Def<Step> = sparse::<AdagradV2>("SparseApplyAdagradV2", numbers::<AdagradV2>)
    .doc("Performs one step of the AdagradV2 optimizer on selected rows.")
    .also(&[rows_by_handle::<AdagradV2>("ResourceSparseApplyAdagradV2")]);

/// Adagrad with L1 and L2 regularization, applied by proximal steps.
pub struct ProximalAdagrad;

impl Rule for ProximalAdagrad {
    const FACTS: Facts = optimizer("ProximalAdagrad", &["var", "accum"], &["lr", "l1", "l2", "grad"])
        .rows_have_elements()
        .checks_numbers();
}

impl<F: Real> Formula<F> for ProximalAdagrad {
    #[inline(always)]
    fn apply(v: &mut [F], g: F, n: &[F], _: bool) {
        let &[lr, l1, l2] = n else { return };
        v[1] += g * g;
        let rate = lr * (F::one() / v[1].sqrt());
        v[0] = proximal(v[0] - g * rate, rate, l1, l2);
    }
}

pub static APPLY_PROXIMAL_ADAGRAD: Def<Step> =
    dense::<ProximalAdagrad>("ApplyProximalAdagrad", reals::<ProximalAdagrad>)
        .doc("Performs one step of the ProximalAdagrad optimizer.")
        .also(&[by_handle::<ProximalAdagrad>("ResourceApplyProximalAdagrad")]);

pub static SPARSE_APPLY_PROXIMAL_ADAGRAD: Def<Step> =
    sparse::<ProximalAdagrad>("SparseApplyProximalAdagrad", reals::<ProximalAdagrad>)
        .doc("Performs one step of the ProximalAdagrad optimizer on selected rows.")
        .also(&[rows_by_handle::<ProximalAdagrad>("ResourceSparseApplyProximalAdagrad")]);

const DUAL_SLOTS: &[&str] = &["var", "gradient_accumulator", "gradient_squared_accumulator"];
const DUAL_INPUTS: &[&str] = &["grad", "lr", "l1", "l2", "global_step"];

/// Adagrad with dual averaging.
pub struct AdagradDA;

impl Rule for AdagradDA {
    const FACTS: Facts = optimizer("AdagradDA", DUAL_SLOTS, DUAL_INPUTS);
}

impl<F: Real> Formula<F> for AdagradDA {
    #[inline(always)]
    fn apply(v: &mut [F], g: F, n: &[F], _: bool) {
        let &[lr, l1, l2, step] = n else { return };
        v[1] += g;
        v[2] += g * g;
        let sum = v[1];
        let sum = l1.if_above(F::zero(), || shrink(sum, l1 * step), || sum);
        v[0] = -lr * sum / (l2 * step * lr + v[2].sqrt());
    }
}

pub static APPLY_ADAGRAD_DA: Def<Step> = dense::<AdagradDA>("ApplyAdagradDA", reals::<AdagradDA>)
    .doc("Performs one step of the AdagradDA optimizer.")
    .also(&[by_handle::<AdagradDA>("ResourceApplyAdagradDA")]);

/// [`AdagradDA`] in the order of operations used for sparse updates.
pub struct AdagradDARows;

impl Rule for AdagradDARows {
    const FACTS: Facts = optimizer("AdagradDARows", DUAL_SLOTS, DUAL_INPUTS).rows_have_elements();
}

impl<F: Real> Formula<F> for AdagradDARows {
    #[inline(always)]
    fn apply(v: &mut [F], g: F, n: &[F], _: bool) {
        let &[lr, l1, l2, step] = n else { return };
        v[1] += g;
        v[2] += g * g;
        let sum = v[1];
        let shrunk = || sum.sign() * (sum.abs() / step - l1).at_least(F::zero());
        let mean = l1.if_above(F::zero(), shrunk, || sum / step);
        v[0] = -mean / (l2 + v[2].sqrt() / (step * lr));
    }
}

pub static SPARSE_APPLY_ADAGRAD_DA: Def<Step> = sparse::<AdagradDARows>("SparseApplyAdagradDA", reals::<AdagradDARows>)
    .doc("Performs one step of the AdagradDA optimizer on selected rows.")
    .also(&[rows_by_handle::<AdagradDARows>("ResourceSparseApplyAdagradDA")]);

/// Returns `x` moved towards 0 by `by`, but not past it.
#[inline(always)]
fn shrink<F: Real>(x: F, by: F) -> F {
    x.sign() * (x.abs() - by).at_least(F::zero())
}

/// Returns a step to `at` with the regularization strengths `l1` and `l2`.
#[inline(always)]
pub(crate) fn proximal<F: Real>(at: F, rate: F, l1: F, l2: F) -> F {
    let at = l1.if_above(F::zero(), || shrink(at, rate * l1), || at);
    at / (F::one() + l2 * rate)
}
