//! What optimizers do to variables.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{prelude, variable};

mod rule;

pub use apply::{Update, check_dense, check_sparse, place, together};
pub use rule::{Real, Rule};

family! {
    apply: ApplyAdaMax, ApplyAdadelta, ApplyAdagrad, ApplyAdagradDA, ApplyAdagradV2, ApplyAdam, ApplyAddSign, ApplyCenteredRMSProp, ApplyFtrl, ApplyFtrlV2, ApplyGradientDescent, ApplyMomentum, ApplyPowerSign, ApplyProximalAdagrad, ApplyProximalGradientDescent, ApplyRMSProp, ResourceApplyAdaMax, ResourceApplyAdadelta, ResourceApplyAdagrad, ResourceApplyAdagradDA, ResourceApplyAdagradV2, ResourceApplyAdam, ResourceApplyAdamWithAmsgrad, ResourceApplyAddSign, ResourceApplyCenteredRMSProp, ResourceApplyFtrl, ResourceApplyFtrlV2, ResourceApplyGradientDescent, ResourceApplyKerasMomentum, ResourceApplyMomentum, ResourceApplyPowerSign, ResourceApplyProximalAdagrad, ResourceApplyProximalGradientDescent, ResourceApplyRMSProp, ResourceSparseApplyAdadelta, ResourceSparseApplyAdagrad, ResourceSparseApplyAdagradDA, ResourceSparseApplyAdagradV2, ResourceSparseApplyCenteredRMSProp, ResourceSparseApplyFtrl, ResourceSparseApplyFtrlV2, ResourceSparseApplyKerasMomentum, ResourceSparseApplyMomentum, ResourceSparseApplyProximalAdagrad, ResourceSparseApplyProximalGradientDescent, ResourceSparseApplyRMSProp, SparseApplyAdadelta, SparseApplyAdagrad, SparseApplyAdagradDA, SparseApplyAdagradV2, SparseApplyCenteredRMSProp, SparseApplyFtrl, SparseApplyFtrlV2, SparseApplyMomentum, SparseApplyProximalAdagrad, SparseApplyProximalGradientDescent, SparseApplyRMSProp;
}
