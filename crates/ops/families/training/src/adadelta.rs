//! `ApplyAdadelta` and its forms: Zeiler, 2012.

use crate::apply::{Step, by_handle, dense, numbers, rows_by_handle, sparse};
use crate::prelude::*;
use crate::rule::{Facts, Field, Formula, Rule, optimizer};

/// Adadelta.
pub struct Adadelta;

impl Rule for Adadelta {
    const FACTS: Facts =
        optimizer("Adadelta", &["var", "accum", "accum_update"], &["lr", "rho", "epsilon", "grad"]).checks_rows_first();
}

impl<F: Field> Formula<F> for Adadelta {
    #[inline(always)]
    fn apply(v: &mut [F], g: F, n: &[F], _: bool) {
        let &[lr, rho, epsilon] = n else { return };
        v[1] = v[1] * rho + g * g * (F::one() - rho);
        let update = (v[2] + epsilon).sqrt() * (F::one() / (v[1] + epsilon).sqrt()) * g;
        v[0] -= update * lr;
        v[2] = v[2] * rho + update * update * (F::one() - rho);
    }
}

pub static APPLY_ADADELTA: Def<Step> = dense::<Adadelta>("ApplyAdadelta", numbers::<Adadelta>)
    .doc("Performs one step of the Adadelta optimizer.")
    .also(&[by_handle::<Adadelta>("ResourceApplyAdadelta")]);

pub static SPARSE_APPLY_ADADELTA: Def<Step> = sparse::<Adadelta>("SparseApplyAdadelta", numbers::<Adadelta>)
    .doc("Performs one step of the Adadelta optimizer on selected rows.")
    .also(&[rows_by_handle::<Adadelta>("ResourceSparseApplyAdadelta")]);
