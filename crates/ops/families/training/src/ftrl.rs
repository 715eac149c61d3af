//! `ApplyFtrl` and its forms: "follow the regularized leader" (McMahan et al., KDD 2013).

use crate::apply::{Step, by_handle, dense, reals, rows_by_handle, sparse};
use crate::prelude::*;
use crate::rule::{Facts, Flag, Formula, Real, Rule, optimizer};

/// The exponent of the sum of squares that is nearly always used.
const USUAL_POWER: f64 = -0.5;

/// FTRL.
pub struct Ftrl;

impl Rule for Ftrl {
    const FACTS: Facts = optimizer("Ftrl", &["var", "accum", "linear"], &["grad", "lr", "l1", "l2", "lr_power"])
        .flag(Flag::LinearByRate)
        .usually(USUAL_POWER)
        .rows_have_elements()
        .checks_numbers_of_rows();
}

impl<F: Real> Formula<F> for Ftrl {
    #[inline(always)]
    fn apply(v: &mut [F], g: F, n: &[F], linear_by_lr: bool) {
        let &[lr, l1, l2, power] = n else { return };
        ftrl(v, g, lr, [l1, l2, F::zero(), power], linear_by_lr);
    }
}

pub static APPLY_FTRL: Def<Step> = dense::<Ftrl>("ApplyFtrl", reals::<Ftrl>)
    .doc("Performs one step of the Ftrl optimizer.")
    .also(&[by_handle::<Ftrl>("ResourceApplyFtrl")]);

pub static SPARSE_APPLY_FTRL: Def<Step> = sparse::<Ftrl>("SparseApplyFtrl", reals::<Ftrl>)
    .doc("Performs one step of the Ftrl optimizer on selected rows.")
    .also(&[rows_by_handle::<Ftrl>("ResourceSparseApplyFtrl")]);

/// FTRL with a penalty on the magnitude of the variable in each step.
pub struct FtrlV2;

impl Rule for FtrlV2 {
    const FACTS: Facts =
        optimizer("FtrlV2", &["var", "accum", "linear"], &["grad", "lr", "l1", "l2", "l2_shrinkage", "lr_power"])
            .flag(Flag::LinearByRate)
            .usually(USUAL_POWER)
            .rows_have_elements()
            .checks_numbers_of_rows();
}

impl<F: Real> Formula<F> for FtrlV2 {
    #[inline(always)]
    fn apply(v: &mut [F], g: F, n: &[F], linear_by_lr: bool) {
        let &[lr, l1, l2, shrinkage, power] = n else { return };
        ftrl(v, g, lr, [l1, l2, shrinkage, power], linear_by_lr);
    }
}

pub static APPLY_FTRL_V2: Def<Step> = dense::<FtrlV2>("ApplyFtrlV2", reals::<FtrlV2>)
    .doc("Performs one step of the FtrlV2 optimizer.")
    .also(&[by_handle::<FtrlV2>("ResourceApplyFtrlV2")]);

pub static SPARSE_APPLY_FTRL_V2: Def<Step> = sparse::<FtrlV2>("SparseApplyFtrlV2", reals::<FtrlV2>)
    .doc("Performs one step of the FtrlV2 optimizer on selected rows.")
    .also(&[rows_by_handle::<FtrlV2>("ResourceSparseApplyFtrlV2")]);

/// `v` is the variable, the sum of squares and the linear term.
#[inline(always)]
fn ftrl<F: Real>(v: &mut [F], g: F, lr: F, [l1, l2, shrinkage, power]: [F; 4], linear_by_lr: bool) {
    let two = F::one() + F::one();
    let new = v[1] + g * g;
    let g = g + two * shrinkage * v[0];
    let (before, after) = (root(v[1], power), root(new, power));
    if linear_by_lr {
        v[2] += g * lr - (after - before) * v[0];
        let l1 = l1 * lr;
        let linear = v[2];
        v[0] = linear.abs().if_above(l1, || (linear.sign() * l1 - linear) / (after + two * l2 * lr), F::zero);
    } else {
        v[2] += g - (after - before) / lr * v[0];
        let linear = v[2];
        v[0] = linear.abs().if_above(l1, || (linear.sign() * l1 - linear) / (after / lr + two * l2), F::zero);
    }
    v[1] = new;
}

/// Returns `x` to the power of `-power`.
#[inline(always)]
fn root<F: Real>(x: F, power: F) -> F {
    power.if_equal(
        F::from_f64(USUAL_POWER),
        #[inline(always)]
        || x.sqrt(),
        #[inline(always)]
        || x.powf(-power),
    )
}
