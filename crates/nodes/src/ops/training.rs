// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `training`.

use crate::node::{Input, Node, Ops, common, no_output, one_output};

impl Ops<'_> {
    /// Performs one step of the AdaMax optimizer.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `m`: a reference to a variable of `T`
    /// - `v`: a reference to a variable of `T`
    /// - `beta1_power`: a tensor of `T`
    /// - `lr`: a tensor of `T`
    /// - `beta1`: a tensor of `T`
    /// - `beta2`: a tensor of `T`
    /// - `epsilon`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    ///
    /// It has no gradient.
    pub fn apply_ada_max(&self, var: impl Input, m: impl Input, v: impl Input, beta1_power: impl Input, lr: impl Input, beta1: impl Input, beta2: impl Input, epsilon: impl Input, grad: impl Input) -> ApplyAdaMax<'_> {
        ApplyAdaMax(Node::new(self, "ApplyAdaMax").input(var).input(m).input(v).input(beta1_power).input(lr).input(beta1).input(beta2).input(epsilon).input(grad))
    }

    /// Performs one step of the Adadelta optimizer.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `accum`: a reference to a variable of `T`
    /// - `accum_update`: a reference to a variable of `T`
    /// - `lr`: a tensor of `T`
    /// - `rho`: a tensor of `T`
    /// - `epsilon`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    ///
    /// It has no gradient.
    pub fn apply_adadelta(&self, var: impl Input, accum: impl Input, accum_update: impl Input, lr: impl Input, rho: impl Input, epsilon: impl Input, grad: impl Input) -> ApplyAdadelta<'_> {
        ApplyAdadelta(Node::new(self, "ApplyAdadelta").input(var).input(accum).input(accum_update).input(lr).input(rho).input(epsilon).input(grad))
    }

    /// Performs one step of the Adagrad optimizer.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `accum`: a reference to a variable of `T`
    /// - `lr`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    ///
    /// It has no gradient.
    pub fn apply_adagrad(&self, var: impl Input, accum: impl Input, lr: impl Input, grad: impl Input) -> ApplyAdagrad<'_> {
        ApplyAdagrad(Node::new(self, "ApplyAdagrad").input(var).input(accum).input(lr).input(grad))
    }

    /// Performs one step of the AdagradDA optimizer.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `gradient_accumulator`: a reference to a variable of `T`
    /// - `gradient_squared_accumulator`: a reference to a variable of `T`
    /// - `grad`: a tensor of `T`
    /// - `lr`: a tensor of `T`
    /// - `l1`: a tensor of `T`
    /// - `l2`: a tensor of `T`
    /// - `global_step`: a tensor of int64
    ///
    /// `T` is any number, also quantized.
    ///
    /// It has no gradient.
    pub fn apply_adagrad_da(&self, var: impl Input, gradient_accumulator: impl Input, gradient_squared_accumulator: impl Input, grad: impl Input, lr: impl Input, l1: impl Input, l2: impl Input, global_step: impl Input) -> ApplyAdagradDA<'_> {
        ApplyAdagradDA(Node::new(self, "ApplyAdagradDA").input(var).input(gradient_accumulator).input(gradient_squared_accumulator).input(grad).input(lr).input(l1).input(l2).input(global_step))
    }

    /// Performs one step of the AdagradV2 optimizer.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `accum`: a reference to a variable of `T`
    /// - `lr`: a tensor of `T`
    /// - `epsilon`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    ///
    /// It has no gradient.
    pub fn apply_adagrad_v2(&self, var: impl Input, accum: impl Input, lr: impl Input, epsilon: impl Input, grad: impl Input) -> ApplyAdagradV2<'_> {
        ApplyAdagradV2(Node::new(self, "ApplyAdagradV2").input(var).input(accum).input(lr).input(epsilon).input(grad))
    }

    /// Performs one step of the Adam optimizer.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `m`: a reference to a variable of `T`
    /// - `v`: a reference to a variable of `T`
    /// - `beta1_power`: a tensor of `T`
    /// - `beta2_power`: a tensor of `T`
    /// - `lr`: a tensor of `T`
    /// - `beta1`: a tensor of `T`
    /// - `beta2`: a tensor of `T`
    /// - `epsilon`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    ///
    /// It has no gradient.
    pub fn apply_adam(&self, var: impl Input, m: impl Input, v: impl Input, beta1_power: impl Input, beta2_power: impl Input, lr: impl Input, beta1: impl Input, beta2: impl Input, epsilon: impl Input, grad: impl Input) -> ApplyAdam<'_> {
        ApplyAdam(Node::new(self, "ApplyAdam").input(var).input(m).input(v).input(beta1_power).input(beta2_power).input(lr).input(beta1).input(beta2).input(epsilon).input(grad))
    }

    /// Performs one step of the AddSign optimizer.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `m`: a reference to a variable of `T`
    /// - `lr`: a tensor of `T`
    /// - `alpha`: a tensor of `T`
    /// - `sign_decay`: a tensor of `T`
    /// - `beta`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    ///
    /// It has no gradient.
    pub fn apply_add_sign(&self, var: impl Input, m: impl Input, lr: impl Input, alpha: impl Input, sign_decay: impl Input, beta: impl Input, grad: impl Input) -> ApplyAddSign<'_> {
        ApplyAddSign(Node::new(self, "ApplyAddSign").input(var).input(m).input(lr).input(alpha).input(sign_decay).input(beta).input(grad))
    }

    /// Performs one step of the CenteredRMSProp optimizer.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `mg`: a reference to a variable of `T`
    /// - `ms`: a reference to a variable of `T`
    /// - `mom`: a reference to a variable of `T`
    /// - `lr`: a tensor of `T`
    /// - `rho`: a tensor of `T`
    /// - `momentum`: a tensor of `T`
    /// - `epsilon`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    ///
    /// It has no gradient.
    pub fn apply_centered_rms_prop(&self, var: impl Input, mg: impl Input, ms: impl Input, mom: impl Input, lr: impl Input, rho: impl Input, momentum: impl Input, epsilon: impl Input, grad: impl Input) -> ApplyCenteredRMSProp<'_> {
        ApplyCenteredRMSProp(Node::new(self, "ApplyCenteredRMSProp").input(var).input(mg).input(ms).input(mom).input(lr).input(rho).input(momentum).input(epsilon).input(grad))
    }

    /// Performs one step of the Ftrl optimizer.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `accum`: a reference to a variable of `T`
    /// - `linear`: a reference to a variable of `T`
    /// - `grad`: a tensor of `T`
    /// - `lr`: a tensor of `T`
    /// - `l1`: a tensor of `T`
    /// - `l2`: a tensor of `T`
    /// - `lr_power`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    ///
    /// It has no gradient.
    pub fn apply_ftrl(&self, var: impl Input, accum: impl Input, linear: impl Input, grad: impl Input, lr: impl Input, l1: impl Input, l2: impl Input, lr_power: impl Input) -> ApplyFtrl<'_> {
        ApplyFtrl(Node::new(self, "ApplyFtrl").input(var).input(accum).input(linear).input(grad).input(lr).input(l1).input(l2).input(lr_power))
    }

    /// Performs one step of the FtrlV2 optimizer.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `accum`: a reference to a variable of `T`
    /// - `linear`: a reference to a variable of `T`
    /// - `grad`: a tensor of `T`
    /// - `lr`: a tensor of `T`
    /// - `l1`: a tensor of `T`
    /// - `l2`: a tensor of `T`
    /// - `l2_shrinkage`: a tensor of `T`
    /// - `lr_power`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    ///
    /// It has no gradient.
    pub fn apply_ftrl_v2(&self, var: impl Input, accum: impl Input, linear: impl Input, grad: impl Input, lr: impl Input, l1: impl Input, l2: impl Input, l2_shrinkage: impl Input, lr_power: impl Input) -> ApplyFtrlV2<'_> {
        ApplyFtrlV2(Node::new(self, "ApplyFtrlV2").input(var).input(accum).input(linear).input(grad).input(lr).input(l1).input(l2).input(l2_shrinkage).input(lr_power))
    }

    /// Performs one step of the GradientDescent optimizer.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `alpha`: a tensor of `T`
    /// - `delta`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    ///
    /// It has no gradient.
    pub fn apply_gradient_descent(&self, var: impl Input, alpha: impl Input, delta: impl Input) -> ApplyGradientDescent<'_> {
        ApplyGradientDescent(Node::new(self, "ApplyGradientDescent").input(var).input(alpha).input(delta))
    }

    /// Performs one step of the Momentum optimizer.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `accum`: a reference to a variable of `T`
    /// - `lr`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `momentum`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    ///
    /// It has no gradient.
    pub fn apply_momentum(&self, var: impl Input, accum: impl Input, lr: impl Input, grad: impl Input, momentum: impl Input) -> ApplyMomentum<'_> {
        ApplyMomentum(Node::new(self, "ApplyMomentum").input(var).input(accum).input(lr).input(grad).input(momentum))
    }

    /// Performs one step of the PowerSign optimizer.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `m`: a reference to a variable of `T`
    /// - `lr`: a tensor of `T`
    /// - `logbase`: a tensor of `T`
    /// - `sign_decay`: a tensor of `T`
    /// - `beta`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    ///
    /// It has no gradient.
    pub fn apply_power_sign(&self, var: impl Input, m: impl Input, lr: impl Input, logbase: impl Input, sign_decay: impl Input, beta: impl Input, grad: impl Input) -> ApplyPowerSign<'_> {
        ApplyPowerSign(Node::new(self, "ApplyPowerSign").input(var).input(m).input(lr).input(logbase).input(sign_decay).input(beta).input(grad))
    }

    /// Performs one step of the ProximalAdagrad optimizer.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `accum`: a reference to a variable of `T`
    /// - `lr`: a tensor of `T`
    /// - `l1`: a tensor of `T`
    /// - `l2`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    ///
    /// It has no gradient.
    pub fn apply_proximal_adagrad(&self, var: impl Input, accum: impl Input, lr: impl Input, l1: impl Input, l2: impl Input, grad: impl Input) -> ApplyProximalAdagrad<'_> {
        ApplyProximalAdagrad(Node::new(self, "ApplyProximalAdagrad").input(var).input(accum).input(lr).input(l1).input(l2).input(grad))
    }

    /// Performs one step of the ProximalGradientDescent optimizer.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `alpha`: a tensor of `T`
    /// - `l1`: a tensor of `T`
    /// - `l2`: a tensor of `T`
    /// - `delta`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    ///
    /// It has no gradient.
    pub fn apply_proximal_gradient_descent(&self, var: impl Input, alpha: impl Input, l1: impl Input, l2: impl Input, delta: impl Input) -> ApplyProximalGradientDescent<'_> {
        ApplyProximalGradientDescent(Node::new(self, "ApplyProximalGradientDescent").input(var).input(alpha).input(l1).input(l2).input(delta))
    }

    /// Performs one step of the RMSProp optimizer.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `ms`: a reference to a variable of `T`
    /// - `mom`: a reference to a variable of `T`
    /// - `lr`: a tensor of `T`
    /// - `rho`: a tensor of `T`
    /// - `momentum`: a tensor of `T`
    /// - `epsilon`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    ///
    /// It has no gradient.
    pub fn apply_rms_prop(&self, var: impl Input, ms: impl Input, mom: impl Input, lr: impl Input, rho: impl Input, momentum: impl Input, epsilon: impl Input, grad: impl Input) -> ApplyRMSProp<'_> {
        ApplyRMSProp(Node::new(self, "ApplyRMSProp").input(var).input(ms).input(mom).input(lr).input(rho).input(momentum).input(epsilon).input(grad))
    }

    /// Performs one step of the AdaMax optimizer.
    ///
    /// - `var`: a tensor of resource
    /// - `m`: a tensor of resource
    /// - `v`: a tensor of resource
    /// - `beta1_power`: a tensor of `T`
    /// - `lr`: a tensor of `T`
    /// - `beta1`: a tensor of `T`
    /// - `beta2`: a tensor of `T`
    /// - `epsilon`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn resource_apply_ada_max(&self, var: impl Input, m: impl Input, v: impl Input, beta1_power: impl Input, lr: impl Input, beta1: impl Input, beta2: impl Input, epsilon: impl Input, grad: impl Input) -> ResourceApplyAdaMax<'_> {
        ResourceApplyAdaMax(Node::new(self, "ResourceApplyAdaMax").input(var).input(m).input(v).input(beta1_power).input(lr).input(beta1).input(beta2).input(epsilon).input(grad))
    }

    /// Performs one step of the Adadelta optimizer.
    ///
    /// - `var`: a tensor of resource
    /// - `accum`: a tensor of resource
    /// - `accum_update`: a tensor of resource
    /// - `lr`: a tensor of `T`
    /// - `rho`: a tensor of `T`
    /// - `epsilon`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn resource_apply_adadelta(&self, var: impl Input, accum: impl Input, accum_update: impl Input, lr: impl Input, rho: impl Input, epsilon: impl Input, grad: impl Input) -> ResourceApplyAdadelta<'_> {
        ResourceApplyAdadelta(Node::new(self, "ResourceApplyAdadelta").input(var).input(accum).input(accum_update).input(lr).input(rho).input(epsilon).input(grad))
    }

    /// Performs one step of the Adagrad optimizer.
    ///
    /// - `var`: a tensor of resource
    /// - `accum`: a tensor of resource
    /// - `lr`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn resource_apply_adagrad(&self, var: impl Input, accum: impl Input, lr: impl Input, grad: impl Input) -> ResourceApplyAdagrad<'_> {
        ResourceApplyAdagrad(Node::new(self, "ResourceApplyAdagrad").input(var).input(accum).input(lr).input(grad))
    }

    /// Performs one step of the AdagradDA optimizer.
    ///
    /// - `var`: a tensor of resource
    /// - `gradient_accumulator`: a tensor of resource
    /// - `gradient_squared_accumulator`: a tensor of resource
    /// - `grad`: a tensor of `T`
    /// - `lr`: a tensor of `T`
    /// - `l1`: a tensor of `T`
    /// - `l2`: a tensor of `T`
    /// - `global_step`: a tensor of int64
    ///
    /// `T` is any number, also quantized.
    pub fn resource_apply_adagrad_da(&self, var: impl Input, gradient_accumulator: impl Input, gradient_squared_accumulator: impl Input, grad: impl Input, lr: impl Input, l1: impl Input, l2: impl Input, global_step: impl Input) -> ResourceApplyAdagradDA<'_> {
        ResourceApplyAdagradDA(Node::new(self, "ResourceApplyAdagradDA").input(var).input(gradient_accumulator).input(gradient_squared_accumulator).input(grad).input(lr).input(l1).input(l2).input(global_step))
    }

    /// Performs one step of the AdagradV2 optimizer.
    ///
    /// - `var`: a tensor of resource
    /// - `accum`: a tensor of resource
    /// - `lr`: a tensor of `T`
    /// - `epsilon`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn resource_apply_adagrad_v2(&self, var: impl Input, accum: impl Input, lr: impl Input, epsilon: impl Input, grad: impl Input) -> ResourceApplyAdagradV2<'_> {
        ResourceApplyAdagradV2(Node::new(self, "ResourceApplyAdagradV2").input(var).input(accum).input(lr).input(epsilon).input(grad))
    }

    /// Performs one step of the Adam optimizer.
    ///
    /// - `var`: a tensor of resource
    /// - `m`: a tensor of resource
    /// - `v`: a tensor of resource
    /// - `beta1_power`: a tensor of `T`
    /// - `beta2_power`: a tensor of `T`
    /// - `lr`: a tensor of `T`
    /// - `beta1`: a tensor of `T`
    /// - `beta2`: a tensor of `T`
    /// - `epsilon`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn resource_apply_adam(&self, var: impl Input, m: impl Input, v: impl Input, beta1_power: impl Input, beta2_power: impl Input, lr: impl Input, beta1: impl Input, beta2: impl Input, epsilon: impl Input, grad: impl Input) -> ResourceApplyAdam<'_> {
        ResourceApplyAdam(Node::new(self, "ResourceApplyAdam").input(var).input(m).input(v).input(beta1_power).input(beta2_power).input(lr).input(beta1).input(beta2).input(epsilon).input(grad))
    }

    /// Performs one step of the AdamWithAmsgrad optimizer.
    ///
    /// - `var`: a tensor of resource
    /// - `m`: a tensor of resource
    /// - `v`: a tensor of resource
    /// - `vhat`: a tensor of resource
    /// - `beta1_power`: a tensor of `T`
    /// - `beta2_power`: a tensor of `T`
    /// - `lr`: a tensor of `T`
    /// - `beta1`: a tensor of `T`
    /// - `beta2`: a tensor of `T`
    /// - `epsilon`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn resource_apply_adam_with_amsgrad(&self, var: impl Input, m: impl Input, v: impl Input, vhat: impl Input, beta1_power: impl Input, beta2_power: impl Input, lr: impl Input, beta1: impl Input, beta2: impl Input, epsilon: impl Input, grad: impl Input) -> ResourceApplyAdamWithAmsgrad<'_> {
        ResourceApplyAdamWithAmsgrad(Node::new(self, "ResourceApplyAdamWithAmsgrad").input(var).input(m).input(v).input(vhat).input(beta1_power).input(beta2_power).input(lr).input(beta1).input(beta2).input(epsilon).input(grad))
    }

    /// Performs one step of the AddSign optimizer.
    ///
    /// - `var`: a tensor of resource
    /// - `m`: a tensor of resource
    /// - `lr`: a tensor of `T`
    /// - `alpha`: a tensor of `T`
    /// - `sign_decay`: a tensor of `T`
    /// - `beta`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn resource_apply_add_sign(&self, var: impl Input, m: impl Input, lr: impl Input, alpha: impl Input, sign_decay: impl Input, beta: impl Input, grad: impl Input) -> ResourceApplyAddSign<'_> {
        ResourceApplyAddSign(Node::new(self, "ResourceApplyAddSign").input(var).input(m).input(lr).input(alpha).input(sign_decay).input(beta).input(grad))
    }

    /// Performs one step of the CenteredRMSProp optimizer.
    ///
    /// - `var`: a tensor of resource
    /// - `mg`: a tensor of resource
    /// - `ms`: a tensor of resource
    /// - `mom`: a tensor of resource
    /// - `lr`: a tensor of `T`
    /// - `rho`: a tensor of `T`
    /// - `momentum`: a tensor of `T`
    /// - `epsilon`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn resource_apply_centered_rms_prop(&self, var: impl Input, mg: impl Input, ms: impl Input, mom: impl Input, lr: impl Input, rho: impl Input, momentum: impl Input, epsilon: impl Input, grad: impl Input) -> ResourceApplyCenteredRMSProp<'_> {
        ResourceApplyCenteredRMSProp(Node::new(self, "ResourceApplyCenteredRMSProp").input(var).input(mg).input(ms).input(mom).input(lr).input(rho).input(momentum).input(epsilon).input(grad))
    }

    /// Performs one step of the Ftrl optimizer.
    ///
    /// - `var`: a tensor of resource
    /// - `accum`: a tensor of resource
    /// - `linear`: a tensor of resource
    /// - `grad`: a tensor of `T`
    /// - `lr`: a tensor of `T`
    /// - `l1`: a tensor of `T`
    /// - `l2`: a tensor of `T`
    /// - `lr_power`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn resource_apply_ftrl(&self, var: impl Input, accum: impl Input, linear: impl Input, grad: impl Input, lr: impl Input, l1: impl Input, l2: impl Input, lr_power: impl Input) -> ResourceApplyFtrl<'_> {
        ResourceApplyFtrl(Node::new(self, "ResourceApplyFtrl").input(var).input(accum).input(linear).input(grad).input(lr).input(l1).input(l2).input(lr_power))
    }

    /// Performs one step of the FtrlV2 optimizer.
    ///
    /// - `var`: a tensor of resource
    /// - `accum`: a tensor of resource
    /// - `linear`: a tensor of resource
    /// - `grad`: a tensor of `T`
    /// - `lr`: a tensor of `T`
    /// - `l1`: a tensor of `T`
    /// - `l2`: a tensor of `T`
    /// - `l2_shrinkage`: a tensor of `T`
    /// - `lr_power`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn resource_apply_ftrl_v2(&self, var: impl Input, accum: impl Input, linear: impl Input, grad: impl Input, lr: impl Input, l1: impl Input, l2: impl Input, l2_shrinkage: impl Input, lr_power: impl Input) -> ResourceApplyFtrlV2<'_> {
        ResourceApplyFtrlV2(Node::new(self, "ResourceApplyFtrlV2").input(var).input(accum).input(linear).input(grad).input(lr).input(l1).input(l2).input(l2_shrinkage).input(lr_power))
    }

    /// Performs one step of the GradientDescent optimizer.
    ///
    /// - `var`: a tensor of resource
    /// - `alpha`: a tensor of `T`
    /// - `delta`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn resource_apply_gradient_descent(&self, var: impl Input, alpha: impl Input, delta: impl Input) -> ResourceApplyGradientDescent<'_> {
        ResourceApplyGradientDescent(Node::new(self, "ResourceApplyGradientDescent").input(var).input(alpha).input(delta))
    }

    /// Performs one step of the KerasMomentum optimizer.
    ///
    /// - `var`: a tensor of resource
    /// - `accum`: a tensor of resource
    /// - `lr`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `momentum`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn resource_apply_keras_momentum(&self, var: impl Input, accum: impl Input, lr: impl Input, grad: impl Input, momentum: impl Input) -> ResourceApplyKerasMomentum<'_> {
        ResourceApplyKerasMomentum(Node::new(self, "ResourceApplyKerasMomentum").input(var).input(accum).input(lr).input(grad).input(momentum))
    }

    /// Performs one step of the Momentum optimizer.
    ///
    /// - `var`: a tensor of resource
    /// - `accum`: a tensor of resource
    /// - `lr`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `momentum`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn resource_apply_momentum(&self, var: impl Input, accum: impl Input, lr: impl Input, grad: impl Input, momentum: impl Input) -> ResourceApplyMomentum<'_> {
        ResourceApplyMomentum(Node::new(self, "ResourceApplyMomentum").input(var).input(accum).input(lr).input(grad).input(momentum))
    }

    /// Performs one step of the PowerSign optimizer.
    ///
    /// - `var`: a tensor of resource
    /// - `m`: a tensor of resource
    /// - `lr`: a tensor of `T`
    /// - `logbase`: a tensor of `T`
    /// - `sign_decay`: a tensor of `T`
    /// - `beta`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn resource_apply_power_sign(&self, var: impl Input, m: impl Input, lr: impl Input, logbase: impl Input, sign_decay: impl Input, beta: impl Input, grad: impl Input) -> ResourceApplyPowerSign<'_> {
        ResourceApplyPowerSign(Node::new(self, "ResourceApplyPowerSign").input(var).input(m).input(lr).input(logbase).input(sign_decay).input(beta).input(grad))
    }

    /// Performs one step of the ProximalAdagrad optimizer.
    ///
    /// - `var`: a tensor of resource
    /// - `accum`: a tensor of resource
    /// - `lr`: a tensor of `T`
    /// - `l1`: a tensor of `T`
    /// - `l2`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn resource_apply_proximal_adagrad(&self, var: impl Input, accum: impl Input, lr: impl Input, l1: impl Input, l2: impl Input, grad: impl Input) -> ResourceApplyProximalAdagrad<'_> {
        ResourceApplyProximalAdagrad(Node::new(self, "ResourceApplyProximalAdagrad").input(var).input(accum).input(lr).input(l1).input(l2).input(grad))
    }

    /// Performs one step of the ProximalGradientDescent optimizer.
    ///
    /// - `var`: a tensor of resource
    /// - `alpha`: a tensor of `T`
    /// - `l1`: a tensor of `T`
    /// - `l2`: a tensor of `T`
    /// - `delta`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn resource_apply_proximal_gradient_descent(&self, var: impl Input, alpha: impl Input, l1: impl Input, l2: impl Input, delta: impl Input) -> ResourceApplyProximalGradientDescent<'_> {
        ResourceApplyProximalGradientDescent(Node::new(self, "ResourceApplyProximalGradientDescent").input(var).input(alpha).input(l1).input(l2).input(delta))
    }

    /// Performs one step of the RMSProp optimizer.
    ///
    /// - `var`: a tensor of resource
    /// - `ms`: a tensor of resource
    /// - `mom`: a tensor of resource
    /// - `lr`: a tensor of `T`
    /// - `rho`: a tensor of `T`
    /// - `momentum`: a tensor of `T`
    /// - `epsilon`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    ///
    /// `T` is any number, also quantized.
    pub fn resource_apply_rms_prop(&self, var: impl Input, ms: impl Input, mom: impl Input, lr: impl Input, rho: impl Input, momentum: impl Input, epsilon: impl Input, grad: impl Input) -> ResourceApplyRMSProp<'_> {
        ResourceApplyRMSProp(Node::new(self, "ResourceApplyRMSProp").input(var).input(ms).input(mom).input(lr).input(rho).input(momentum).input(epsilon).input(grad))
    }

    /// Performs one step of the Adadelta optimizer on selected rows.
    ///
    /// - `var`: a tensor of resource
    /// - `accum`: a tensor of resource
    /// - `accum_update`: a tensor of resource
    /// - `lr`: a tensor of `T`
    /// - `rho`: a tensor of `T`
    /// - `epsilon`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn resource_sparse_apply_adadelta(&self, var: impl Input, accum: impl Input, accum_update: impl Input, lr: impl Input, rho: impl Input, epsilon: impl Input, grad: impl Input, indices: impl Input) -> ResourceSparseApplyAdadelta<'_> {
        ResourceSparseApplyAdadelta(Node::new(self, "ResourceSparseApplyAdadelta").input(var).input(accum).input(accum_update).input(lr).input(rho).input(epsilon).input(grad).input(indices))
    }

    /// Performs one step of the Adagrad optimizer on selected rows.
    ///
    /// - `var`: a tensor of resource
    /// - `accum`: a tensor of resource
    /// - `lr`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn resource_sparse_apply_adagrad(&self, var: impl Input, accum: impl Input, lr: impl Input, grad: impl Input, indices: impl Input) -> ResourceSparseApplyAdagrad<'_> {
        ResourceSparseApplyAdagrad(Node::new(self, "ResourceSparseApplyAdagrad").input(var).input(accum).input(lr).input(grad).input(indices))
    }

    /// Performs one step of the AdagradDA optimizer on selected rows.
    ///
    /// - `var`: a tensor of resource
    /// - `gradient_accumulator`: a tensor of resource
    /// - `gradient_squared_accumulator`: a tensor of resource
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `lr`: a tensor of `T`
    /// - `l1`: a tensor of `T`
    /// - `l2`: a tensor of `T`
    /// - `global_step`: a tensor of int64
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn resource_sparse_apply_adagrad_da(&self, var: impl Input, gradient_accumulator: impl Input, gradient_squared_accumulator: impl Input, grad: impl Input, indices: impl Input, lr: impl Input, l1: impl Input, l2: impl Input, global_step: impl Input) -> ResourceSparseApplyAdagradDA<'_> {
        ResourceSparseApplyAdagradDA(Node::new(self, "ResourceSparseApplyAdagradDA").input(var).input(gradient_accumulator).input(gradient_squared_accumulator).input(grad).input(indices).input(lr).input(l1).input(l2).input(global_step))
    }

    /// Performs one step of the AdagradV2 optimizer on selected rows.
    ///
    /// - `var`: a tensor of resource
    /// - `accum`: a tensor of resource
    /// - `lr`: a tensor of `T`
    /// - `epsilon`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn resource_sparse_apply_adagrad_v2(&self, var: impl Input, accum: impl Input, lr: impl Input, epsilon: impl Input, grad: impl Input, indices: impl Input) -> ResourceSparseApplyAdagradV2<'_> {
        ResourceSparseApplyAdagradV2(Node::new(self, "ResourceSparseApplyAdagradV2").input(var).input(accum).input(lr).input(epsilon).input(grad).input(indices))
    }

    /// Performs one step of the CenteredRMSProp optimizer on selected rows.
    ///
    /// - `var`: a tensor of resource
    /// - `mg`: a tensor of resource
    /// - `ms`: a tensor of resource
    /// - `mom`: a tensor of resource
    /// - `lr`: a tensor of `T`
    /// - `rho`: a tensor of `T`
    /// - `momentum`: a tensor of `T`
    /// - `epsilon`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn resource_sparse_apply_centered_rms_prop(&self, var: impl Input, mg: impl Input, ms: impl Input, mom: impl Input, lr: impl Input, rho: impl Input, momentum: impl Input, epsilon: impl Input, grad: impl Input, indices: impl Input) -> ResourceSparseApplyCenteredRMSProp<'_> {
        ResourceSparseApplyCenteredRMSProp(Node::new(self, "ResourceSparseApplyCenteredRMSProp").input(var).input(mg).input(ms).input(mom).input(lr).input(rho).input(momentum).input(epsilon).input(grad).input(indices))
    }

    /// Performs one step of the Ftrl optimizer on selected rows.
    ///
    /// - `var`: a tensor of resource
    /// - `accum`: a tensor of resource
    /// - `linear`: a tensor of resource
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `lr`: a tensor of `T`
    /// - `l1`: a tensor of `T`
    /// - `l2`: a tensor of `T`
    /// - `lr_power`: a tensor of `T`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn resource_sparse_apply_ftrl(&self, var: impl Input, accum: impl Input, linear: impl Input, grad: impl Input, indices: impl Input, lr: impl Input, l1: impl Input, l2: impl Input, lr_power: impl Input) -> ResourceSparseApplyFtrl<'_> {
        ResourceSparseApplyFtrl(Node::new(self, "ResourceSparseApplyFtrl").input(var).input(accum).input(linear).input(grad).input(indices).input(lr).input(l1).input(l2).input(lr_power))
    }

    /// Performs one step of the FtrlV2 optimizer on selected rows.
    ///
    /// - `var`: a tensor of resource
    /// - `accum`: a tensor of resource
    /// - `linear`: a tensor of resource
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `lr`: a tensor of `T`
    /// - `l1`: a tensor of `T`
    /// - `l2`: a tensor of `T`
    /// - `l2_shrinkage`: a tensor of `T`
    /// - `lr_power`: a tensor of `T`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn resource_sparse_apply_ftrl_v2(&self, var: impl Input, accum: impl Input, linear: impl Input, grad: impl Input, indices: impl Input, lr: impl Input, l1: impl Input, l2: impl Input, l2_shrinkage: impl Input, lr_power: impl Input) -> ResourceSparseApplyFtrlV2<'_> {
        ResourceSparseApplyFtrlV2(Node::new(self, "ResourceSparseApplyFtrlV2").input(var).input(accum).input(linear).input(grad).input(indices).input(lr).input(l1).input(l2).input(l2_shrinkage).input(lr_power))
    }

    /// Performs one step of the KerasMomentum optimizer on selected rows.
    ///
    /// - `var`: a tensor of resource
    /// - `accum`: a tensor of resource
    /// - `lr`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `momentum`: a tensor of `T`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn resource_sparse_apply_keras_momentum(&self, var: impl Input, accum: impl Input, lr: impl Input, grad: impl Input, indices: impl Input, momentum: impl Input) -> ResourceSparseApplyKerasMomentum<'_> {
        ResourceSparseApplyKerasMomentum(Node::new(self, "ResourceSparseApplyKerasMomentum").input(var).input(accum).input(lr).input(grad).input(indices).input(momentum))
    }

    /// Performs one step of the Momentum optimizer on selected rows.
    ///
    /// - `var`: a tensor of resource
    /// - `accum`: a tensor of resource
    /// - `lr`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `momentum`: a tensor of `T`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn resource_sparse_apply_momentum(&self, var: impl Input, accum: impl Input, lr: impl Input, grad: impl Input, indices: impl Input, momentum: impl Input) -> ResourceSparseApplyMomentum<'_> {
        ResourceSparseApplyMomentum(Node::new(self, "ResourceSparseApplyMomentum").input(var).input(accum).input(lr).input(grad).input(indices).input(momentum))
    }

    /// Performs one step of the ProximalAdagrad optimizer on selected rows.
    ///
    /// - `var`: a tensor of resource
    /// - `accum`: a tensor of resource
    /// - `lr`: a tensor of `T`
    /// - `l1`: a tensor of `T`
    /// - `l2`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn resource_sparse_apply_proximal_adagrad(&self, var: impl Input, accum: impl Input, lr: impl Input, l1: impl Input, l2: impl Input, grad: impl Input, indices: impl Input) -> ResourceSparseApplyProximalAdagrad<'_> {
        ResourceSparseApplyProximalAdagrad(Node::new(self, "ResourceSparseApplyProximalAdagrad").input(var).input(accum).input(lr).input(l1).input(l2).input(grad).input(indices))
    }

    /// Performs one step of the ProximalGradientDescent optimizer on selected rows.
    ///
    /// - `var`: a tensor of resource
    /// - `alpha`: a tensor of `T`
    /// - `l1`: a tensor of `T`
    /// - `l2`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn resource_sparse_apply_proximal_gradient_descent(&self, var: impl Input, alpha: impl Input, l1: impl Input, l2: impl Input, grad: impl Input, indices: impl Input) -> ResourceSparseApplyProximalGradientDescent<'_> {
        ResourceSparseApplyProximalGradientDescent(Node::new(self, "ResourceSparseApplyProximalGradientDescent").input(var).input(alpha).input(l1).input(l2).input(grad).input(indices))
    }

    /// Performs one step of the RMSProp optimizer on selected rows.
    ///
    /// - `var`: a tensor of resource
    /// - `ms`: a tensor of resource
    /// - `mom`: a tensor of resource
    /// - `lr`: a tensor of `T`
    /// - `rho`: a tensor of `T`
    /// - `momentum`: a tensor of `T`
    /// - `epsilon`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    pub fn resource_sparse_apply_rms_prop(&self, var: impl Input, ms: impl Input, mom: impl Input, lr: impl Input, rho: impl Input, momentum: impl Input, epsilon: impl Input, grad: impl Input, indices: impl Input) -> ResourceSparseApplyRMSProp<'_> {
        ResourceSparseApplyRMSProp(Node::new(self, "ResourceSparseApplyRMSProp").input(var).input(ms).input(mom).input(lr).input(rho).input(momentum).input(epsilon).input(grad).input(indices))
    }

    /// Performs one step of the Adadelta optimizer on selected rows.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `accum`: a reference to a variable of `T`
    /// - `accum_update`: a reference to a variable of `T`
    /// - `lr`: a tensor of `T`
    /// - `rho`: a tensor of `T`
    /// - `epsilon`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    ///
    /// It has no gradient.
    pub fn sparse_apply_adadelta(&self, var: impl Input, accum: impl Input, accum_update: impl Input, lr: impl Input, rho: impl Input, epsilon: impl Input, grad: impl Input, indices: impl Input) -> SparseApplyAdadelta<'_> {
        SparseApplyAdadelta(Node::new(self, "SparseApplyAdadelta").input(var).input(accum).input(accum_update).input(lr).input(rho).input(epsilon).input(grad).input(indices))
    }

    /// Performs one step of the Adagrad optimizer on selected rows.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `accum`: a reference to a variable of `T`
    /// - `lr`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    ///
    /// It has no gradient.
    pub fn sparse_apply_adagrad(&self, var: impl Input, accum: impl Input, lr: impl Input, grad: impl Input, indices: impl Input) -> SparseApplyAdagrad<'_> {
        SparseApplyAdagrad(Node::new(self, "SparseApplyAdagrad").input(var).input(accum).input(lr).input(grad).input(indices))
    }

    /// Performs one step of the AdagradDA optimizer on selected rows.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `gradient_accumulator`: a reference to a variable of `T`
    /// - `gradient_squared_accumulator`: a reference to a variable of `T`
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `lr`: a tensor of `T`
    /// - `l1`: a tensor of `T`
    /// - `l2`: a tensor of `T`
    /// - `global_step`: a tensor of int64
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    ///
    /// It has no gradient.
    pub fn sparse_apply_adagrad_da(&self, var: impl Input, gradient_accumulator: impl Input, gradient_squared_accumulator: impl Input, grad: impl Input, indices: impl Input, lr: impl Input, l1: impl Input, l2: impl Input, global_step: impl Input) -> SparseApplyAdagradDA<'_> {
        SparseApplyAdagradDA(Node::new(self, "SparseApplyAdagradDA").input(var).input(gradient_accumulator).input(gradient_squared_accumulator).input(grad).input(indices).input(lr).input(l1).input(l2).input(global_step))
    }

    /// Performs one step of the AdagradV2 optimizer on selected rows.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `accum`: a reference to a variable of `T`
    /// - `lr`: a tensor of `T`
    /// - `epsilon`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    ///
    /// It has no gradient.
    pub fn sparse_apply_adagrad_v2(&self, var: impl Input, accum: impl Input, lr: impl Input, epsilon: impl Input, grad: impl Input, indices: impl Input) -> SparseApplyAdagradV2<'_> {
        SparseApplyAdagradV2(Node::new(self, "SparseApplyAdagradV2").input(var).input(accum).input(lr).input(epsilon).input(grad).input(indices))
    }

    /// Performs one step of the CenteredRMSProp optimizer on selected rows.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `mg`: a reference to a variable of `T`
    /// - `ms`: a reference to a variable of `T`
    /// - `mom`: a reference to a variable of `T`
    /// - `lr`: a tensor of `T`
    /// - `rho`: a tensor of `T`
    /// - `momentum`: a tensor of `T`
    /// - `epsilon`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    ///
    /// It has no gradient.
    pub fn sparse_apply_centered_rms_prop(&self, var: impl Input, mg: impl Input, ms: impl Input, mom: impl Input, lr: impl Input, rho: impl Input, momentum: impl Input, epsilon: impl Input, grad: impl Input, indices: impl Input) -> SparseApplyCenteredRMSProp<'_> {
        SparseApplyCenteredRMSProp(Node::new(self, "SparseApplyCenteredRMSProp").input(var).input(mg).input(ms).input(mom).input(lr).input(rho).input(momentum).input(epsilon).input(grad).input(indices))
    }

    /// Performs one step of the Ftrl optimizer on selected rows.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `accum`: a reference to a variable of `T`
    /// - `linear`: a reference to a variable of `T`
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `lr`: a tensor of `T`
    /// - `l1`: a tensor of `T`
    /// - `l2`: a tensor of `T`
    /// - `lr_power`: a tensor of `T`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    ///
    /// It has no gradient.
    pub fn sparse_apply_ftrl(&self, var: impl Input, accum: impl Input, linear: impl Input, grad: impl Input, indices: impl Input, lr: impl Input, l1: impl Input, l2: impl Input, lr_power: impl Input) -> SparseApplyFtrl<'_> {
        SparseApplyFtrl(Node::new(self, "SparseApplyFtrl").input(var).input(accum).input(linear).input(grad).input(indices).input(lr).input(l1).input(l2).input(lr_power))
    }

    /// Performs one step of the FtrlV2 optimizer on selected rows.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `accum`: a reference to a variable of `T`
    /// - `linear`: a reference to a variable of `T`
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `lr`: a tensor of `T`
    /// - `l1`: a tensor of `T`
    /// - `l2`: a tensor of `T`
    /// - `l2_shrinkage`: a tensor of `T`
    /// - `lr_power`: a tensor of `T`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    ///
    /// It has no gradient.
    pub fn sparse_apply_ftrl_v2(&self, var: impl Input, accum: impl Input, linear: impl Input, grad: impl Input, indices: impl Input, lr: impl Input, l1: impl Input, l2: impl Input, l2_shrinkage: impl Input, lr_power: impl Input) -> SparseApplyFtrlV2<'_> {
        SparseApplyFtrlV2(Node::new(self, "SparseApplyFtrlV2").input(var).input(accum).input(linear).input(grad).input(indices).input(lr).input(l1).input(l2).input(l2_shrinkage).input(lr_power))
    }

    /// Performs one step of the Momentum optimizer on selected rows.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `accum`: a reference to a variable of `T`
    /// - `lr`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    /// - `momentum`: a tensor of `T`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    ///
    /// It has no gradient.
    pub fn sparse_apply_momentum(&self, var: impl Input, accum: impl Input, lr: impl Input, grad: impl Input, indices: impl Input, momentum: impl Input) -> SparseApplyMomentum<'_> {
        SparseApplyMomentum(Node::new(self, "SparseApplyMomentum").input(var).input(accum).input(lr).input(grad).input(indices).input(momentum))
    }

    /// Performs one step of the ProximalAdagrad optimizer on selected rows.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `accum`: a reference to a variable of `T`
    /// - `lr`: a tensor of `T`
    /// - `l1`: a tensor of `T`
    /// - `l2`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    ///
    /// It has no gradient.
    pub fn sparse_apply_proximal_adagrad(&self, var: impl Input, accum: impl Input, lr: impl Input, l1: impl Input, l2: impl Input, grad: impl Input, indices: impl Input) -> SparseApplyProximalAdagrad<'_> {
        SparseApplyProximalAdagrad(Node::new(self, "SparseApplyProximalAdagrad").input(var).input(accum).input(lr).input(l1).input(l2).input(grad).input(indices))
    }

    /// Performs one step of the ProximalGradientDescent optimizer on selected rows.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `alpha`: a tensor of `T`
    /// - `l1`: a tensor of `T`
    /// - `l2`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    ///
    /// It has no gradient.
    pub fn sparse_apply_proximal_gradient_descent(&self, var: impl Input, alpha: impl Input, l1: impl Input, l2: impl Input, grad: impl Input, indices: impl Input) -> SparseApplyProximalGradientDescent<'_> {
        SparseApplyProximalGradientDescent(Node::new(self, "SparseApplyProximalGradientDescent").input(var).input(alpha).input(l1).input(l2).input(grad).input(indices))
    }

    /// Performs one step of the RMSProp optimizer on selected rows.
    ///
    /// - `var`: a reference to a variable of `T`
    /// - `ms`: a reference to a variable of `T`
    /// - `mom`: a reference to a variable of `T`
    /// - `lr`: a tensor of `T`
    /// - `rho`: a tensor of `T`
    /// - `momentum`: a tensor of `T`
    /// - `epsilon`: a tensor of `T`
    /// - `grad`: a tensor of `T`
    /// - `indices`: a tensor of `Tindices`
    ///
    /// `T` is any number, also quantized. `Tindices` is int32, int64.
    ///
    /// It has no gradient.
    pub fn sparse_apply_rms_prop(&self, var: impl Input, ms: impl Input, mom: impl Input, lr: impl Input, rho: impl Input, momentum: impl Input, epsilon: impl Input, grad: impl Input, indices: impl Input) -> SparseApplyRMSProp<'_> {
        SparseApplyRMSProp(Node::new(self, "SparseApplyRMSProp").input(var).input(ms).input(mom).input(lr).input(rho).input(momentum).input(epsilon).input(grad).input(indices))
    }
}

/// A node of [`ApplyAdaMax`](Ops::apply_ada_max) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ApplyAdaMax<'a>(Node<'a>);

impl ApplyAdaMax<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ApplyAdadelta`](Ops::apply_adadelta) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ApplyAdadelta<'a>(Node<'a>);

impl ApplyAdadelta<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ApplyAdagrad`](Ops::apply_adagrad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ApplyAdagrad<'a>(Node<'a>);

impl ApplyAdagrad<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Whether to update the slots. Default: `true`.
    pub fn update_slots(mut self, update_slots: bool) -> Self {
        self.0.set("update_slots", update_slots);
        self
    }
}

/// A node of [`ApplyAdagradDA`](Ops::apply_adagrad_da) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ApplyAdagradDA<'a>(Node<'a>);

impl ApplyAdagradDA<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ApplyAdagradV2`](Ops::apply_adagrad_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ApplyAdagradV2<'a>(Node<'a>);

impl ApplyAdagradV2<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Whether to update the slots. Default: `true`.
    pub fn update_slots(mut self, update_slots: bool) -> Self {
        self.0.set("update_slots", update_slots);
        self
    }
}

/// A node of [`ApplyAdam`](Ops::apply_adam) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ApplyAdam<'a>(Node<'a>);

impl ApplyAdam<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Whether to use Nesterov momentum. Default: `false`.
    pub fn use_nesterov(mut self, use_nesterov: bool) -> Self {
        self.0.set("use_nesterov", use_nesterov);
        self
    }
}

/// A node of [`ApplyAddSign`](Ops::apply_add_sign) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ApplyAddSign<'a>(Node<'a>);

impl ApplyAddSign<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ApplyCenteredRMSProp`](Ops::apply_centered_rms_prop) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ApplyCenteredRMSProp<'a>(Node<'a>);

impl ApplyCenteredRMSProp<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ApplyFtrl`](Ops::apply_ftrl) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ApplyFtrl<'a>(Node<'a>);

impl ApplyFtrl<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Whether the linear term is stored multiplied by the learning rate. Default: `false`.
    pub fn multiply_linear_by_lr(mut self, multiply_linear_by_lr: bool) -> Self {
        self.0.set("multiply_linear_by_lr", multiply_linear_by_lr);
        self
    }
}

/// A node of [`ApplyFtrlV2`](Ops::apply_ftrl_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ApplyFtrlV2<'a>(Node<'a>);

impl ApplyFtrlV2<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Whether the linear term is stored multiplied by the learning rate. Default: `false`.
    pub fn multiply_linear_by_lr(mut self, multiply_linear_by_lr: bool) -> Self {
        self.0.set("multiply_linear_by_lr", multiply_linear_by_lr);
        self
    }
}

/// A node of [`ApplyGradientDescent`](Ops::apply_gradient_descent) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ApplyGradientDescent<'a>(Node<'a>);

impl ApplyGradientDescent<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ApplyMomentum`](Ops::apply_momentum) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ApplyMomentum<'a>(Node<'a>);

impl ApplyMomentum<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Whether to use Nesterov momentum. Default: `false`.
    pub fn use_nesterov(mut self, use_nesterov: bool) -> Self {
        self.0.set("use_nesterov", use_nesterov);
        self
    }
}

/// A node of [`ApplyPowerSign`](Ops::apply_power_sign) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ApplyPowerSign<'a>(Node<'a>);

impl ApplyPowerSign<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ApplyProximalAdagrad`](Ops::apply_proximal_adagrad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ApplyProximalAdagrad<'a>(Node<'a>);

impl ApplyProximalAdagrad<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ApplyProximalGradientDescent`](Ops::apply_proximal_gradient_descent) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ApplyProximalGradientDescent<'a>(Node<'a>);

impl ApplyProximalGradientDescent<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ApplyRMSProp`](Ops::apply_rms_prop) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ApplyRMSProp<'a>(Node<'a>);

impl ApplyRMSProp<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ResourceApplyAdaMax`](Ops::resource_apply_ada_max) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceApplyAdaMax<'a>(Node<'a>);

impl ResourceApplyAdaMax<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ResourceApplyAdadelta`](Ops::resource_apply_adadelta) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceApplyAdadelta<'a>(Node<'a>);

impl ResourceApplyAdadelta<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ResourceApplyAdagrad`](Ops::resource_apply_adagrad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceApplyAdagrad<'a>(Node<'a>);

impl ResourceApplyAdagrad<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Whether to update the slots. Default: `true`.
    pub fn update_slots(mut self, update_slots: bool) -> Self {
        self.0.set("update_slots", update_slots);
        self
    }
}

/// A node of [`ResourceApplyAdagradDA`](Ops::resource_apply_adagrad_da) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceApplyAdagradDA<'a>(Node<'a>);

impl ResourceApplyAdagradDA<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ResourceApplyAdagradV2`](Ops::resource_apply_adagrad_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceApplyAdagradV2<'a>(Node<'a>);

impl ResourceApplyAdagradV2<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Whether to update the slots. Default: `true`.
    pub fn update_slots(mut self, update_slots: bool) -> Self {
        self.0.set("update_slots", update_slots);
        self
    }
}

/// A node of [`ResourceApplyAdam`](Ops::resource_apply_adam) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceApplyAdam<'a>(Node<'a>);

impl ResourceApplyAdam<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Whether to use Nesterov momentum. Default: `false`.
    pub fn use_nesterov(mut self, use_nesterov: bool) -> Self {
        self.0.set("use_nesterov", use_nesterov);
        self
    }
}

/// A node of [`ResourceApplyAdamWithAmsgrad`](Ops::resource_apply_adam_with_amsgrad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceApplyAdamWithAmsgrad<'a>(Node<'a>);

impl ResourceApplyAdamWithAmsgrad<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ResourceApplyAddSign`](Ops::resource_apply_add_sign) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceApplyAddSign<'a>(Node<'a>);

impl ResourceApplyAddSign<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ResourceApplyCenteredRMSProp`](Ops::resource_apply_centered_rms_prop) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceApplyCenteredRMSProp<'a>(Node<'a>);

impl ResourceApplyCenteredRMSProp<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ResourceApplyFtrl`](Ops::resource_apply_ftrl) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceApplyFtrl<'a>(Node<'a>);

impl ResourceApplyFtrl<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Whether the linear term is stored multiplied by the learning rate. Default: `false`.
    pub fn multiply_linear_by_lr(mut self, multiply_linear_by_lr: bool) -> Self {
        self.0.set("multiply_linear_by_lr", multiply_linear_by_lr);
        self
    }
}

/// A node of [`ResourceApplyFtrlV2`](Ops::resource_apply_ftrl_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceApplyFtrlV2<'a>(Node<'a>);

impl ResourceApplyFtrlV2<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Whether the linear term is stored multiplied by the learning rate. Default: `false`.
    pub fn multiply_linear_by_lr(mut self, multiply_linear_by_lr: bool) -> Self {
        self.0.set("multiply_linear_by_lr", multiply_linear_by_lr);
        self
    }
}

/// A node of [`ResourceApplyGradientDescent`](Ops::resource_apply_gradient_descent) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceApplyGradientDescent<'a>(Node<'a>);

impl ResourceApplyGradientDescent<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ResourceApplyKerasMomentum`](Ops::resource_apply_keras_momentum) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceApplyKerasMomentum<'a>(Node<'a>);

impl ResourceApplyKerasMomentum<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Whether to use Nesterov momentum. Default: `false`.
    pub fn use_nesterov(mut self, use_nesterov: bool) -> Self {
        self.0.set("use_nesterov", use_nesterov);
        self
    }
}

/// A node of [`ResourceApplyMomentum`](Ops::resource_apply_momentum) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceApplyMomentum<'a>(Node<'a>);

impl ResourceApplyMomentum<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Whether to use Nesterov momentum. Default: `false`.
    pub fn use_nesterov(mut self, use_nesterov: bool) -> Self {
        self.0.set("use_nesterov", use_nesterov);
        self
    }
}

/// A node of [`ResourceApplyPowerSign`](Ops::resource_apply_power_sign) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceApplyPowerSign<'a>(Node<'a>);

impl ResourceApplyPowerSign<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ResourceApplyProximalAdagrad`](Ops::resource_apply_proximal_adagrad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceApplyProximalAdagrad<'a>(Node<'a>);

impl ResourceApplyProximalAdagrad<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ResourceApplyProximalGradientDescent`](Ops::resource_apply_proximal_gradient_descent) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceApplyProximalGradientDescent<'a>(Node<'a>);

impl ResourceApplyProximalGradientDescent<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ResourceApplyRMSProp`](Ops::resource_apply_rms_prop) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceApplyRMSProp<'a>(Node<'a>);

impl ResourceApplyRMSProp<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ResourceSparseApplyAdadelta`](Ops::resource_sparse_apply_adadelta) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceSparseApplyAdadelta<'a>(Node<'a>);

impl ResourceSparseApplyAdadelta<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ResourceSparseApplyAdagrad`](Ops::resource_sparse_apply_adagrad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceSparseApplyAdagrad<'a>(Node<'a>);

impl ResourceSparseApplyAdagrad<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Whether to update the slots. Default: `true`.
    pub fn update_slots(mut self, update_slots: bool) -> Self {
        self.0.set("update_slots", update_slots);
        self
    }
}

/// A node of [`ResourceSparseApplyAdagradDA`](Ops::resource_sparse_apply_adagrad_da) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceSparseApplyAdagradDA<'a>(Node<'a>);

impl ResourceSparseApplyAdagradDA<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ResourceSparseApplyAdagradV2`](Ops::resource_sparse_apply_adagrad_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceSparseApplyAdagradV2<'a>(Node<'a>);

impl ResourceSparseApplyAdagradV2<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Whether to update the slots. Default: `true`.
    pub fn update_slots(mut self, update_slots: bool) -> Self {
        self.0.set("update_slots", update_slots);
        self
    }
}

/// A node of [`ResourceSparseApplyCenteredRMSProp`](Ops::resource_sparse_apply_centered_rms_prop) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceSparseApplyCenteredRMSProp<'a>(Node<'a>);

impl ResourceSparseApplyCenteredRMSProp<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ResourceSparseApplyFtrl`](Ops::resource_sparse_apply_ftrl) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceSparseApplyFtrl<'a>(Node<'a>);

impl ResourceSparseApplyFtrl<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Whether the linear term is stored multiplied by the learning rate. Default: `false`.
    pub fn multiply_linear_by_lr(mut self, multiply_linear_by_lr: bool) -> Self {
        self.0.set("multiply_linear_by_lr", multiply_linear_by_lr);
        self
    }
}

/// A node of [`ResourceSparseApplyFtrlV2`](Ops::resource_sparse_apply_ftrl_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceSparseApplyFtrlV2<'a>(Node<'a>);

impl ResourceSparseApplyFtrlV2<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Whether the linear term is stored multiplied by the learning rate. Default: `false`.
    pub fn multiply_linear_by_lr(mut self, multiply_linear_by_lr: bool) -> Self {
        self.0.set("multiply_linear_by_lr", multiply_linear_by_lr);
        self
    }
}

/// A node of [`ResourceSparseApplyKerasMomentum`](Ops::resource_sparse_apply_keras_momentum) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceSparseApplyKerasMomentum<'a>(Node<'a>);

impl ResourceSparseApplyKerasMomentum<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Whether to use Nesterov momentum. Default: `false`.
    pub fn use_nesterov(mut self, use_nesterov: bool) -> Self {
        self.0.set("use_nesterov", use_nesterov);
        self
    }
}

/// A node of [`ResourceSparseApplyMomentum`](Ops::resource_sparse_apply_momentum) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceSparseApplyMomentum<'a>(Node<'a>);

impl ResourceSparseApplyMomentum<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Whether to use Nesterov momentum. Default: `false`.
    pub fn use_nesterov(mut self, use_nesterov: bool) -> Self {
        self.0.set("use_nesterov", use_nesterov);
        self
    }
}

/// A node of [`ResourceSparseApplyProximalAdagrad`](Ops::resource_sparse_apply_proximal_adagrad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceSparseApplyProximalAdagrad<'a>(Node<'a>);

impl ResourceSparseApplyProximalAdagrad<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ResourceSparseApplyProximalGradientDescent`](Ops::resource_sparse_apply_proximal_gradient_descent) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceSparseApplyProximalGradientDescent<'a>(Node<'a>);

impl ResourceSparseApplyProximalGradientDescent<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`ResourceSparseApplyRMSProp`](Ops::resource_sparse_apply_rms_prop) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ResourceSparseApplyRMSProp<'a>(Node<'a>);

impl ResourceSparseApplyRMSProp<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`SparseApplyAdadelta`](Ops::sparse_apply_adadelta) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseApplyAdadelta<'a>(Node<'a>);

impl SparseApplyAdadelta<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`SparseApplyAdagrad`](Ops::sparse_apply_adagrad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseApplyAdagrad<'a>(Node<'a>);

impl SparseApplyAdagrad<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Whether to update the slots. Default: `true`.
    pub fn update_slots(mut self, update_slots: bool) -> Self {
        self.0.set("update_slots", update_slots);
        self
    }
}

/// A node of [`SparseApplyAdagradDA`](Ops::sparse_apply_adagrad_da) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseApplyAdagradDA<'a>(Node<'a>);

impl SparseApplyAdagradDA<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`SparseApplyAdagradV2`](Ops::sparse_apply_adagrad_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseApplyAdagradV2<'a>(Node<'a>);

impl SparseApplyAdagradV2<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Whether to update the slots. Default: `true`.
    pub fn update_slots(mut self, update_slots: bool) -> Self {
        self.0.set("update_slots", update_slots);
        self
    }
}

/// A node of [`SparseApplyCenteredRMSProp`](Ops::sparse_apply_centered_rms_prop) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseApplyCenteredRMSProp<'a>(Node<'a>);

impl SparseApplyCenteredRMSProp<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`SparseApplyFtrl`](Ops::sparse_apply_ftrl) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseApplyFtrl<'a>(Node<'a>);

impl SparseApplyFtrl<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Whether the linear term is stored multiplied by the learning rate. Default: `false`.
    pub fn multiply_linear_by_lr(mut self, multiply_linear_by_lr: bool) -> Self {
        self.0.set("multiply_linear_by_lr", multiply_linear_by_lr);
        self
    }
}

/// A node of [`SparseApplyFtrlV2`](Ops::sparse_apply_ftrl_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseApplyFtrlV2<'a>(Node<'a>);

impl SparseApplyFtrlV2<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Whether the linear term is stored multiplied by the learning rate. Default: `false`.
    pub fn multiply_linear_by_lr(mut self, multiply_linear_by_lr: bool) -> Self {
        self.0.set("multiply_linear_by_lr", multiply_linear_by_lr);
        self
    }
}

/// A node of [`SparseApplyMomentum`](Ops::sparse_apply_momentum) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseApplyMomentum<'a>(Node<'a>);

impl SparseApplyMomentum<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }

    /// Whether to use Nesterov momentum. Default: `false`.
    pub fn use_nesterov(mut self, use_nesterov: bool) -> Self {
        self.0.set("use_nesterov", use_nesterov);
        self
    }
}

/// A node of [`SparseApplyProximalAdagrad`](Ops::sparse_apply_proximal_adagrad) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseApplyProximalAdagrad<'a>(Node<'a>);

impl SparseApplyProximalAdagrad<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`SparseApplyProximalGradientDescent`](Ops::sparse_apply_proximal_gradient_descent) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseApplyProximalGradientDescent<'a>(Node<'a>);

impl SparseApplyProximalGradientDescent<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

/// A node of [`SparseApplyRMSProp`](Ops::sparse_apply_rms_prop) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseApplyRMSProp<'a>(Node<'a>);

impl SparseApplyRMSProp<'_> {
    /// Has no effect: the locks are always held. Default: `false`.
    pub fn use_locking(mut self, use_locking: bool) -> Self {
        self.0.set("use_locking", use_locking);
        self
    }
}

common! {
    ApplyAdaMax
    ApplyAdadelta
    ApplyAdagrad
    ApplyAdagradDA
    ApplyAdagradV2
    ApplyAdam
    ApplyAddSign
    ApplyCenteredRMSProp
    ApplyFtrl
    ApplyFtrlV2
    ApplyGradientDescent
    ApplyMomentum
    ApplyPowerSign
    ApplyProximalAdagrad
    ApplyProximalGradientDescent
    ApplyRMSProp
    ResourceApplyAdaMax
    ResourceApplyAdadelta
    ResourceApplyAdagrad
    ResourceApplyAdagradDA
    ResourceApplyAdagradV2
    ResourceApplyAdam
    ResourceApplyAdamWithAmsgrad
    ResourceApplyAddSign
    ResourceApplyCenteredRMSProp
    ResourceApplyFtrl
    ResourceApplyFtrlV2
    ResourceApplyGradientDescent
    ResourceApplyKerasMomentum
    ResourceApplyMomentum
    ResourceApplyPowerSign
    ResourceApplyProximalAdagrad
    ResourceApplyProximalGradientDescent
    ResourceApplyRMSProp
    ResourceSparseApplyAdadelta
    ResourceSparseApplyAdagrad
    ResourceSparseApplyAdagradDA
    ResourceSparseApplyAdagradV2
    ResourceSparseApplyCenteredRMSProp
    ResourceSparseApplyFtrl
    ResourceSparseApplyFtrlV2
    ResourceSparseApplyKerasMomentum
    ResourceSparseApplyMomentum
    ResourceSparseApplyProximalAdagrad
    ResourceSparseApplyProximalGradientDescent
    ResourceSparseApplyRMSProp
    SparseApplyAdadelta
    SparseApplyAdagrad
    SparseApplyAdagradDA
    SparseApplyAdagradV2
    SparseApplyCenteredRMSProp
    SparseApplyFtrl
    SparseApplyFtrlV2
    SparseApplyMomentum
    SparseApplyProximalAdagrad
    SparseApplyProximalGradientDescent
    SparseApplyRMSProp
}

no_output! {
    ResourceApplyAdaMax
    ResourceApplyAdadelta
    ResourceApplyAdagrad
    ResourceApplyAdagradDA
    ResourceApplyAdagradV2
    ResourceApplyAdam
    ResourceApplyAdamWithAmsgrad
    ResourceApplyAddSign
    ResourceApplyCenteredRMSProp
    ResourceApplyFtrl
    ResourceApplyFtrlV2
    ResourceApplyGradientDescent
    ResourceApplyKerasMomentum
    ResourceApplyMomentum
    ResourceApplyPowerSign
    ResourceApplyProximalAdagrad
    ResourceApplyProximalGradientDescent
    ResourceApplyRMSProp
    ResourceSparseApplyAdadelta
    ResourceSparseApplyAdagrad
    ResourceSparseApplyAdagradDA
    ResourceSparseApplyAdagradV2
    ResourceSparseApplyCenteredRMSProp
    ResourceSparseApplyFtrl
    ResourceSparseApplyFtrlV2
    ResourceSparseApplyKerasMomentum
    ResourceSparseApplyMomentum
    ResourceSparseApplyProximalAdagrad
    ResourceSparseApplyProximalGradientDescent
    ResourceSparseApplyRMSProp
}

one_output! {
    ApplyAdaMax
    ApplyAdadelta
    ApplyAdagrad
    ApplyAdagradDA
    ApplyAdagradV2
    ApplyAdam
    ApplyAddSign
    ApplyCenteredRMSProp
    ApplyFtrl
    ApplyFtrlV2
    ApplyGradientDescent
    ApplyMomentum
    ApplyPowerSign
    ApplyProximalAdagrad
    ApplyProximalGradientDescent
    ApplyRMSProp
    SparseApplyAdadelta
    SparseApplyAdagrad
    SparseApplyAdagradDA
    SparseApplyAdagradV2
    SparseApplyCenteredRMSProp
    SparseApplyFtrl
    SparseApplyFtrlV2
    SparseApplyMomentum
    SparseApplyProximalAdagrad
    SparseApplyProximalGradientDescent
    SparseApplyRMSProp
}
