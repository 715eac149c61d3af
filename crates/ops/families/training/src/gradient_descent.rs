//! `ApplyGradientDescent`, `ApplyProximalGradientDescent` and their forms.

use crate::adagrad::proximal;
use crate::apply::{Step, by_handle, dense, numbers, reals, rows_by_handle, sparse};
use crate::prelude::*;
use crate::rule::{Facts, Field, Formula, Real, Rule, optimizer};

/// Gradient descent.
pub struct GradientDescent;

impl Rule for GradientDescent {
    const FACTS: Facts = optimizer("GradientDescent", &["var"], &["alpha", "delta"]);
}

impl<F: Field> Formula<F> for GradientDescent {
    #[inline(always)]
    fn apply(v: &mut [F], g: F, n: &[F], _: bool) {
        let &[alpha] = n else { return };
        v[0] -= g * alpha;
    }
}

pub static APPLY_GRADIENT_DESCENT: Def<Step> =
    dense::<GradientDescent>("ApplyGradientDescent", numbers::<GradientDescent>)
        .doc("Performs one step of the GradientDescent optimizer.")
        .also(&[by_handle::<GradientDescent>("ResourceApplyGradientDescent")]);

/// Gradient descent with L1 and L2 regularization, applied by proximal steps.
pub struct ProximalGradientDescent;

impl Rule for ProximalGradientDescent {
    const FACTS: Facts =
        optimizer("ProximalGradientDescent", &["var"], &["alpha", "l1", "l2", "delta"]).rows_have_elements();
}

impl<F: Real> Formula<F> for ProximalGradientDescent {
    #[inline(always)]
    fn apply(v: &mut [F], g: F, n: &[F], _: bool) {
        let &[alpha, l1, l2] = n else { return };
        v[0] = proximal(v[0] - g * alpha, alpha, l1, l2);
    }
}

pub static APPLY_PROXIMAL_GRADIENT_DESCENT: Def<Step> =
    dense::<ProximalGradientDescent>("ApplyProximalGradientDescent", reals::<ProximalGradientDescent>)
        .doc("Performs one step of the ProximalGradientDescent optimizer.")
        .also(&[by_handle::<ProximalGradientDescent>("ResourceApplyProximalGradientDescent")]);

pub static SPARSE_APPLY_PROXIMAL_GRADIENT_DESCENT: Def<Step> =
    sparse::<ProximalGradientDescent>("SparseApplyProximalGradientDescent", reals::<ProximalGradientDescent>)
        .doc("Performs one step of the ProximalGradientDescent optimizer on selected rows.")
        .also(&[rows_by_handle::<ProximalGradientDescent>("ResourceSparseApplyProximalGradientDescent")]);
