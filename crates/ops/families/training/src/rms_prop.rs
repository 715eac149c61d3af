//! `ApplyRMSProp`, `ApplyCenteredRMSProp` and their forms: Tieleman and Hinton, 2012.

use crate::apply::{Step, by_handle, dense, numbers, rows_by_handle, sparse};
use crate::prelude::*;
use crate::rule::{Facts, Field, Formula, Rule, optimizer};

/// RMSProp.
pub struct RMSProp;

impl Rule for RMSProp {
    const FACTS: Facts = optimizer("RMSProp", &["var", "ms", "mom"], INPUTS).checks_rows_first();
}

const INPUTS: &[&str] = &["lr", "rho", "momentum", "epsilon", "grad"];

impl<F: Field> Formula<F> for RMSProp {
    #[inline(always)]
    fn apply(v: &mut [F], g: F, n: &[F], _: bool) {
        let &[lr, rho, momentum, epsilon] = n else { return };
        v[1] = v[1] + (g * g - v[1]) * (F::one() - rho);
        v[2] = v[2] * momentum + g * lr * (F::one() / (v[1] + epsilon).sqrt());
        v[0] -= v[2];
    }
}

pub static APPLY_RMS_PROP: Def<Step> = dense::<RMSProp>("ApplyRMSProp", numbers::<RMSProp>)
    .doc("Performs one step of the RMSProp optimizer.")
    .also(&[by_handle::<RMSProp>("ResourceApplyRMSProp")]);

pub static SPARSE_APPLY_RMS_PROP: Def<Step> = sparse::<RMSProp>("SparseApplyRMSProp", numbers::<RMSProp>)
    .doc("Performs one step of the RMSProp optimizer on selected rows.")
    .also(&[rows_by_handle::<RMSProp>("ResourceSparseApplyRMSProp")]);

/// RMSProp normalized by the variance of the gradients.
pub struct CenteredRMSProp;

impl Rule for CenteredRMSProp {
    const FACTS: Facts = optimizer("CenteredRMSProp", &["var", "mg", "ms", "mom"], INPUTS).checks_rows_first();
}

impl<F: Field> Formula<F> for CenteredRMSProp {
    #[inline(always)]
    fn apply(v: &mut [F], g: F, n: &[F], _: bool) {
        let &[lr, rho, momentum, epsilon] = n else { return };
        v[2] = v[2] + (g * g - v[2]) * (F::one() - rho);
        v[1] = v[1] + (g - v[1]) * (F::one() - rho);
        let spread = v[2] - v[1] * v[1] + epsilon;
        v[3] = v[3] * momentum + g * lr * (F::one() / spread.sqrt());
        v[0] -= v[3];
    }
}

pub static APPLY_CENTERED_RMS_PROP: Def<Step> =
    dense::<CenteredRMSProp>("ApplyCenteredRMSProp", numbers::<CenteredRMSProp>)
        .doc("Performs one step of the CenteredRMSProp optimizer.")
        .also(&[by_handle::<CenteredRMSProp>("ResourceApplyCenteredRMSProp")]);

pub static SPARSE_APPLY_CENTERED_RMS_PROP: Def<Step> =
    sparse::<CenteredRMSProp>("SparseApplyCenteredRMSProp", numbers::<CenteredRMSProp>)
        .doc("Performs one step of the CenteredRMSProp optimizer on selected rows.")
        .also(&[rows_by_handle::<CenteredRMSProp>("ResourceSparseApplyCenteredRMSProp")]);
