//! `ApplyMomentum`, `ResourceApplyKerasMomentum` and their forms: gradient descent with momentum.

use crate::apply::{Step, by_handle, dense, dense_by_handle, numbers, rows_by_handle, sparse, sparse_by_handle};
use crate::prelude::*;
use crate::rule::{Facts, Field, Flag, Formula, Rule, optimizer};

/// Momentum; the learning rate is applied to the accumulated gradients.
pub struct Momentum;

impl Rule for Momentum {
    const FACTS: Facts = optimizer("Momentum", &["var", "accum"], INPUTS).flag(Flag::Nesterov);
}

const INPUTS: &[&str] = &["lr", "grad", "momentum"];

impl<F: Field> Formula<F> for Momentum {
    #[inline(always)]
    fn apply(v: &mut [F], g: F, n: &[F], nesterov: bool) {
        let &[lr, momentum] = n else { return };
        v[1] = v[1] * momentum + g;
        v[0] -= if nesterov { g * lr + v[1] * momentum * lr } else { v[1] * lr };
    }
}

pub static APPLY_MOMENTUM: Def<Step> = dense::<Momentum>("ApplyMomentum", numbers::<Momentum>)
    .doc("Performs one step of the Momentum optimizer.")
    .also(&[by_handle::<Momentum>("ResourceApplyMomentum")]);

pub static SPARSE_APPLY_MOMENTUM: Def<Step> = sparse::<Momentum>("SparseApplyMomentum", numbers::<Momentum>)
    .doc("Performs one step of the Momentum optimizer on selected rows.")
    .also(&[rows_by_handle::<Momentum>("ResourceSparseApplyMomentum")]);

/// Momentum as in Keras; the learning rate is applied before gradients are accumulated.
pub struct KerasMomentum;

impl Rule for KerasMomentum {
    const FACTS: Facts = optimizer("KerasMomentum", &["var", "accum"], INPUTS).flag(Flag::Nesterov);
}

impl<F: Field> Formula<F> for KerasMomentum {
    #[inline(always)]
    fn apply(v: &mut [F], g: F, n: &[F], nesterov: bool) {
        let &[lr, momentum] = n else { return };
        v[1] = v[1] * momentum - g * lr;
        v[0] += if nesterov { v[1] * momentum - g * lr } else { v[1] };
    }
}

pub static APPLY_KERAS_MOMENTUM: Def<Step> =
    dense_by_handle::<KerasMomentum>("ResourceApplyKerasMomentum", numbers::<KerasMomentum>)
        .doc("Performs one step of the KerasMomentum optimizer.");

pub static SPARSE_APPLY_KERAS_MOMENTUM: Def<Step> =
    sparse_by_handle::<KerasMomentum>("ResourceSparseApplyKerasMomentum", numbers::<KerasMomentum>)
        .doc("Performs one step of the KerasMomentum optimizer on selected rows.");
