//! `ApplyAdam` and its siblings: one step of an optimizer on a variable, dense or of some rows, through references or
//! handles. What a step computes is in [`rule`](super::rule); this finds variables and numbers, checks, locks and loops.
//!
//! All variables of a step are locked together, in the order of their addresses, whatever `use_locking` says.

use super::rule::{
    AdaMax, Adadelta, Adagrad, AdagradDA, AdagradDARows, AdagradV2, Adam, AdamWithAmsgrad, AddSign, CenteredRMSProp,
    Ftrl, FtrlRows, FtrlV2, FtrlV2Rows, GradientDescent, KerasMomentum, Momentum, PowerSign, ProximalAdagrad,
    ProximalGradientDescent, RMSProp, Real, Rule,
};
use crate::prelude::*;
use crate::variable::Target;
use smallvec::SmallVec;

/// A variable or slot by reference.
const fn slot(name: &'static str) -> Arg {
    arg(name, of("T")).by_ref()
}

/// A variable or slot by handle.
const fn handle(name: &'static str) -> Arg {
    arg(name, is(DType::Resource))
}

/// One of the other inputs.
const fn input(name: &'static str) -> Arg {
    const fn same(a: &str, b: &str) -> bool {
        let (a, b) = (a.as_bytes(), b.as_bytes());
        let mut i = 0;
        while i < a.len() && i < b.len() && a[i] == b[i] {
            i += 1;
        }
        i == a.len() && i == b.len()
    }
    if same(name, "indices") {
        arg(name, of("Tindices"))
    } else if same(name, "global_step") {
        arg(name, is(DType::I64))
    } else {
        arg(name, of("T"))
    }
}

/// The number of the input of this name.
///
/// # Errors
/// `INTERNAL` where there is none.
pub fn place(spec: &Spec, name: &str) -> Result<usize> {
    let found = spec.inputs.iter().position(|a| a.name == name);
    found.ok_or_else(|| Error::internal(format!("{} has no input {name}", spec.name)))
}

/// An op that is a step of an optimizer.
pub trait Update: Op {
    /// What it computes.
    type Rule: Rule;
    /// Number of variables that it changes: the first inputs.
    const SLOTS: usize;
    /// The optimizer's variant.
    fn flag(&self) -> bool;
}

fn step<R: Rule, const SLOTS: usize>(cx: &mut Cx<'_, '_>, spec: &Spec, flag: bool) -> Result<()> {
    let gradient = place(spec, "grad").or_else(|_| place(spec, "delta"))?;
    let targets: SmallVec<[Target; 4]> = (0..SLOTS).map(|i| Target::of(cx, i)).collect::<Result<_>>()?;
    let mut hyper: SmallVec<[f64; 8]> = SmallVec::new();
    for name in R::HYPER {
        hyper.push(number(cx, place(spec, name)?, name)?);
    }
    R::check(&hyper)?;
    let indices = match place(spec, "indices") {
        Ok(i) => {
            if cx.input(i)?.shape().len() != 1 {
                return Err(Error::invalid("indices must be one-dimensional").found(cx.input(i)?.shape()));
            }
            Some(cx.i64s(i)?)
        }
        Err(_) => None,
    };
    let grad = cx.input(gradient)?;
    let dtype = grad.dtype();
    together(&targets, &mut |values| {
        let bad = check(values, grad, indices.as_deref(), dtype)?;
        if R::ROWS_HAVE_ELEMENTS && indices.is_some() && grad.shape()[1..].contains(&0) {
            return Err(Error::invalid("Inner dimension should be greater than zero.").found(grad.shape()));
        }
        let rows = match (&indices, &bad) {
            (Some(indices), Some(bad)) if R::CHECKS_ROWS_FIRST => return Err(bad.error(indices)),
            (Some(indices), Some(bad)) => Some(&indices[..bad.at]),
            (indices, _) => indices.as_deref(),
        };
        match dtype {
            DType::F32 => run::<R, f32, SLOTS>(cx, values, grad, rows, &hyper, flag)?,
            DType::F64 => run::<R, f64, SLOTS>(cx, values, grad, rows, &hyper, flag)?,
            DType::F16 => run::<R, f16, SLOTS>(cx, values, grad, rows, &hyper, flag)?,
            DType::BF16 => run::<R, bf16, SLOTS>(cx, values, grad, rows, &hyper, flag)?,
            other => return Err(Error::unimplemented(format!("{} for variables of type {other}", spec.name))),
        }
        // The rows before the bad one are changed, as in TensorFlow.
        if let (Some(indices), Some(bad)) = (&indices, bad) {
            return Err(bad.error(indices));
        }
        Ok(())
    })?;
    if let Some(variable) = targets.into_iter().next() {
        variable.forward(cx);
    }
    Ok(())
}

/// Runs `change` on the values of variables that all are locked meanwhile.
///
/// # Errors
/// `INVALID_ARGUMENT` for a variable that is there twice, what TensorFlow gives for one without a value, and what `change`
/// fails with.
pub fn together(targets: &[Target], change: &mut dyn FnMut(&mut [&mut Tensor]) -> Result<()>) -> Result<()> {
    let mut order: SmallVec<[usize; 4]> = (0..targets.len()).collect();
    let address = |i: usize| std::ptr::from_ref(&*targets[i].cell).addr();
    order.sort_by_key(|&i| address(i));
    if order.windows(2).any(|w| address(w[0]) == address(w[1])) {
        return Err(Error::invalid("the variable and its slots must be different variables"));
    }
    let mut guards: SmallVec<[_; 4]> = order.iter().map(|&i| (i, targets[i].cell.value.write())).collect();
    guards.sort_by_key(|(i, _)| *i);
    let mut values: SmallVec<[&mut Tensor; 4]> = SmallVec::new();
    for ((_, guard), target) in guards.iter_mut().zip(targets) {
        values.push(guard.as_mut().ok_or_else(|| unset(target))?);
    }
    change(&mut values)
}

/// Checks that a variable, its slots and a gradient of its shape go together.
///
/// # Errors
/// `INVALID_ARGUMENT` where they do not.
pub fn check_dense(values: &[&mut Tensor], grad: &Tensor) -> Result<()> {
    check(values, grad, None, grad.dtype()).map(drop)
}

/// The number on input `i`.
fn number(cx: &Cx<'_, '_>, i: usize, name: &str) -> Result<f64> {
    let value = cx.input(i)?;
    if !value.shape().is_scalar() {
        return Err(Error::invalid(format!("{name} is not a scalar: {}", value.shape())));
    }
    Ok(match value.dtype() {
        DType::F32 => f64::from(value.item::<f32>()?),
        DType::F64 => value.item::<f64>()?,
        DType::F16 => value.item::<f16>()?.to_f64(),
        DType::BF16 => value.item::<bf16>()?.to_f64(),
        DType::I64 => value.item::<i64>()? as f64,
        other => return Err(Error::unimplemented(format!("training with numbers of type {other}"))),
    })
}

#[cold]
fn unset(target: &Target) -> Error {
    let name = &target.cell.name;
    let error = match target.is_ref {
        true => Error::failed_precondition(format!("Attempting to use uninitialized variables: {name}")),
        false => Error::internal(format!("Invalid variable reference: {name} has no value")),
    };
    error.help("run the variable's initializer first, for instance with --init")
}

/// An index of a row that the variable does not have.
struct Bad {
    at: usize,
    rows: usize,
}

impl Bad {
    fn error(&self, indices: &[i64]) -> Error {
        let Bad { at, rows } = self;
        Error::invalid(format!("Index {} at offset {at} in indices is out of range", indices[*at]))
            .expected(format!("below {rows}"))
    }
}

/// Checks what can be checked before anything changes, and looks for the first index that is out of range.
fn check(values: &[&mut Tensor], grad: &Tensor, indices: Option<&[i64]>, dtype: DType) -> Result<Option<Bad>> {
    check_shapes(values, grad, indices.map(<[i64]>::len), dtype)?;
    let (Some(indices), Some(variable)) = (indices, values.first()) else { return Ok(None) };
    let rows = variable.shape()[0];
    let bad = indices.iter().position(|i| usize::try_from(*i).map_or(true, |i| i >= rows));
    Ok(bad.map(|at| Bad { at, rows }))
}

/// Checks that a gradient of some rows fits the variable and its slots.
///
/// # Errors
/// `INVALID_ARGUMENT` where it does not.
pub fn check_sparse<R: Rule>(values: &[&mut Tensor], grad: &Tensor, indices: &Shape) -> Result<()> {
    if indices.len() != 1 {
        return Err(Error::invalid("indices must be one-dimensional").found(indices));
    }
    check_shapes(values, grad, Some(indices.num_elements()), grad.dtype())?;
    if R::ROWS_HAVE_ELEMENTS && grad.shape()[1..].contains(&0) {
        return Err(Error::invalid("Inner dimension should be greater than zero.").found(grad.shape()));
    }
    Ok(())
}

fn check_shapes(values: &[&mut Tensor], grad: &Tensor, indices: Option<usize>, dtype: DType) -> Result<()> {
    let Some(variable) = values.first() else { return Err(Error::internal("an update without a variable")) };
    for value in values {
        if value.dtype() != dtype {
            return Err(Error::invalid("the variable and the gradient have different types")
                .expected(dtype)
                .found(value.dtype()));
        }
        if value.shape() != variable.shape() {
            return Err(Error::invalid(format!(
                "var and its slots do not have the same shape: {} {}",
                variable.shape(),
                value.shape()
            )));
        }
    }
    let Some(indices) = indices else {
        if variable.shape() != grad.shape() {
            return Err(Error::invalid(format!(
                "var and grad do not have the same shape {} {}",
                variable.shape(),
                grad.shape()
            )));
        }
        return Ok(());
    };
    if variable.shape().is_scalar() {
        return Err(Error::invalid("var must be at least 1 dimensional"));
    }
    if grad.shape().first() != Some(&indices) {
        return Err(Error::invalid("grad must be the same size as indices in the first dimension.")
            .expected(indices)
            .found(grad.shape()));
    }
    if grad.shape()[1..] != variable.shape()[1..] {
        return Err(Error::invalid(format!(
            "var and grad must match in dimension 1 and higher, got {} and {}",
            variable.shape(),
            grad.shape()
        )));
    }
    Ok(())
}

fn run<R: Rule, F: Real + Element, const SLOTS: usize>(
    cx: &Cx<'_, '_>,
    values: &mut [&mut Tensor],
    grad: &Tensor,
    indices: Option<&[i64]>,
    hyper: &[f64],
    flag: bool,
) -> Result<()> {
    for value in values.iter_mut() {
        if value.is_unique() {
            continue;
        }
        let mut own = cx.alloc(value.dtype(), value.shape())?;
        own.slice_mut::<F>()?.clone_from_slice(value.slice::<F>()?);
        **value = own;
    }
    let h: SmallVec<[F; 8]> = hyper.iter().map(|&v| F::from_f64(v)).collect();
    let g = grad.slice::<F>()?;
    let mut slots: SmallVec<[&mut [F]; 4]> = values.iter_mut().map(|v| v.slice_mut::<F>()).collect::<Result<_>>()?;
    let Some(indices) = indices else {
        each::<R, F, SLOTS>(&mut slots, g, &h, flag);
        return Ok(());
    };
    let width: usize = grad.shape()[1..].iter().product();
    for (row, &index) in indices.iter().enumerate() {
        let at = index as usize * width;
        let mut rows: SmallVec<[&mut [F]; 4]> = slots.iter_mut().map(|s| &mut s[at..at + width]).collect();
        each::<R, F, SLOTS>(&mut rows, &g[row * width..(row + 1) * width], &h, flag);
    }
    Ok(())
}

#[inline(never)]
fn each<R: Rule, F: Real, const SLOTS: usize>(slots: &mut [&mut [F]], g: &[F], h: &[F], flag: bool) {
    if const { !F::WIDE } {
        return change::<R, F, SLOTS>(slots, g, h, flag);
    }
    vectorized!(change::<R, F, SLOTS>(slots, g, h, flag));
}

#[inline(always)]
fn change<R: Rule, F: Real, const SLOTS: usize>(slots: &mut [&mut [F]], g: &[F], h: &[F], flag: bool) {
    // Each number of slots has a loop of its own, which becomes vector code.
    match slots {
        [a] if const { SLOTS == 1 } => {
            for (a, &g) in a.iter_mut().zip(g) {
                let mut v = [*a];
                R::apply(&mut v, g, h, flag);
                [*a] = v;
            }
        }
        [a, b] if const { SLOTS == 2 } => {
            for ((a, b), &g) in a.iter_mut().zip(b.iter_mut()).zip(g) {
                let mut v = [*a, *b];
                R::apply(&mut v, g, h, flag);
                [*a, *b] = v;
            }
        }
        [a, b, c] if const { SLOTS == 3 } => {
            for (((a, b), c), &g) in a.iter_mut().zip(b.iter_mut()).zip(c.iter_mut()).zip(g) {
                let mut v = [*a, *b, *c];
                R::apply(&mut v, g, h, flag);
                [*a, *b, *c] = v;
            }
        }
        [a, b, c, d] if const { SLOTS == 4 } => {
            for ((((a, b), c), d), &g) in a.iter_mut().zip(b.iter_mut()).zip(c.iter_mut()).zip(d.iter_mut()).zip(g) {
                let mut v = [*a, *b, *c, *d];
                R::apply(&mut v, g, h, flag);
                [*a, *b, *c, *d] = v;
            }
        }
        _ => {}
    }
}

macro_rules! updates {
    ($($rule:ident: $($name:ident($form:ident $sparsity:ident [$($slot:literal),+] $($input:literal),+
       $(; $flag:ident = $default:literal)?)),+;)*) => {
        $($(updates!(@$sparsity $rule, $name, $form, [$($slot),+], [$($input),+], [$($flag, $default)?]);)+)*
    };
    (@dense $rule:ident, $name:ident, $form:ident, [$($slot:literal),+], [$($input:literal),+], [$($flag:ident, $default:literal)?]) => {
        attrs! {
            #[doc = concat!("A step of the optimizer ", stringify!($rule), ".")]
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
                /// Without meaning: the locks are always held.
                use_locking: bool = Attr::bool("use_locking").or_bool(false),
                $(
                    /// The optimizer's variant.
                    $flag: bool = Attr::bool(stringify!($flag)).or_bool($default),
                )?
            }
        }
        updates!(@op dense $rule, $name, $form, [$($slot),+], [$($input),+], [$($flag)?]);
    };
    (@sparse $rule:ident, $name:ident, $form:ident, [$($slot:literal),+], [$($input:literal),+], [$($flag:ident, $default:literal)?]) => {
        attrs! {
            #[doc = concat!("A step of the optimizer ", stringify!($rule), " on some rows.")]
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", sets::NUMBERTYPE),
                /// Type of the indices.
                index: DType = Attr::dtype("Tindices", sets::INDEX),
                /// Without meaning: the locks are always held.
                use_locking: bool = Attr::bool("use_locking").or_bool(false),
                $(
                    /// The optimizer's variant.
                    $flag: bool = Attr::bool(stringify!($flag)).or_bool($default),
                )?
            }
        }
        updates!(@op sparse $rule, $name, $form, [$($slot),+], [$($input),+], [$($flag)?]);
    };
    (@effect dense) => { Some(Effect::Changes) };
    (@effect sparse) => { None };
    (@op $sparsity:ident $rule:ident, $name:ident, slot, [$($slot:literal),+], [$($input:literal),+], [$($flag:ident)?]) => {
        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[$(slot($slot),)+ $(input($input)),+],
                outputs: &[arg("out", of("T")).by_ref()],
                ..Spec::STATEFUL
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.same_as_input(0);
                Ok(())
            }
        }
        updates!(@kernel $rule, $name, [$($slot),+], [$($flag)?]);
    };
    (@op $sparsity:ident $rule:ident, $name:ident, handle, [$($slot:literal),+], [$($input:literal),+], [$($flag:ident)?]) => {
        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[$(handle($slot),)+ $(input($input)),+],
                effect: updates!(@effect $sparsity),
                ..Spec::STATEFUL
            };
        }
        updates!(@kernel $rule, $name, [$($slot),+], [$($flag)?]);
    };
    (@kernel $rule:ident, $name:ident, [$($slot:literal),+], [$($flag:ident)?]) => {
        impl Update for $name {
            type Rule = $rule;
            const SLOTS: usize = [$($slot),+].len();
            fn flag(&self) -> bool {
                false $(|| self.$flag)?
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                step::<$rule, { <$name as Update>::SLOTS }>(cx, &<$name as Op>::SPEC, self.flag())
            }
        }
    };
}

updates! {
    AdaMax: ApplyAdaMax(slot dense ["var", "m", "v"] "beta1_power", "lr", "beta1", "beta2", "epsilon", "grad"),
        ResourceApplyAdaMax(handle dense ["var", "m", "v"] "beta1_power", "lr", "beta1", "beta2", "epsilon", "grad");
    Adadelta: ApplyAdadelta(slot dense ["var", "accum", "accum_update"] "lr", "rho", "epsilon", "grad"),
        ResourceApplyAdadelta(handle dense ["var", "accum", "accum_update"] "lr", "rho", "epsilon", "grad"),
        ResourceSparseApplyAdadelta(handle sparse ["var", "accum", "accum_update"] "lr", "rho", "epsilon", "grad", "indices"),
        SparseApplyAdadelta(slot sparse ["var", "accum", "accum_update"] "lr", "rho", "epsilon", "grad", "indices");
    Adagrad: ApplyAdagrad(slot dense ["var", "accum"] "lr", "grad"; update_slots = true),
        ResourceApplyAdagrad(handle dense ["var", "accum"] "lr", "grad"; update_slots = true),
        ResourceSparseApplyAdagrad(handle sparse ["var", "accum"] "lr", "grad", "indices"; update_slots = true),
        SparseApplyAdagrad(slot sparse ["var", "accum"] "lr", "grad", "indices"; update_slots = true);
    AdagradDA: ApplyAdagradDA(slot dense ["var", "gradient_accumulator", "gradient_squared_accumulator"] "grad", "lr", "l1", "l2", "global_step"),
        ResourceApplyAdagradDA(handle dense ["var", "gradient_accumulator", "gradient_squared_accumulator"] "grad", "lr", "l1", "l2", "global_step");
    AdagradDARows: ResourceSparseApplyAdagradDA(handle sparse ["var", "gradient_accumulator", "gradient_squared_accumulator"] "grad", "indices", "lr", "l1", "l2", "global_step"),
        SparseApplyAdagradDA(slot sparse ["var", "gradient_accumulator", "gradient_squared_accumulator"] "grad", "indices", "lr", "l1", "l2", "global_step");
    AdagradV2: ApplyAdagradV2(slot dense ["var", "accum"] "lr", "epsilon", "grad"; update_slots = true),
        ResourceApplyAdagradV2(handle dense ["var", "accum"] "lr", "epsilon", "grad"; update_slots = true),
        ResourceSparseApplyAdagradV2(handle sparse ["var", "accum"] "lr", "epsilon", "grad", "indices"; update_slots = true),
        SparseApplyAdagradV2(slot sparse ["var", "accum"] "lr", "epsilon", "grad", "indices"; update_slots = true);
    Adam: ApplyAdam(slot dense ["var", "m", "v"] "beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon", "grad"; use_nesterov = false),
        ResourceApplyAdam(handle dense ["var", "m", "v"] "beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon", "grad"; use_nesterov = false);
    AdamWithAmsgrad: ResourceApplyAdamWithAmsgrad(handle dense ["var", "m", "v", "vhat"] "beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon", "grad");
    AddSign: ApplyAddSign(slot dense ["var", "m"] "lr", "alpha", "sign_decay", "beta", "grad"),
        ResourceApplyAddSign(handle dense ["var", "m"] "lr", "alpha", "sign_decay", "beta", "grad");
    CenteredRMSProp: ApplyCenteredRMSProp(slot dense ["var", "mg", "ms", "mom"] "lr", "rho", "momentum", "epsilon", "grad"),
        ResourceApplyCenteredRMSProp(handle dense ["var", "mg", "ms", "mom"] "lr", "rho", "momentum", "epsilon", "grad"),
        ResourceSparseApplyCenteredRMSProp(handle sparse ["var", "mg", "ms", "mom"] "lr", "rho", "momentum", "epsilon", "grad", "indices"),
        SparseApplyCenteredRMSProp(slot sparse ["var", "mg", "ms", "mom"] "lr", "rho", "momentum", "epsilon", "grad", "indices");
    Ftrl: ApplyFtrl(slot dense ["var", "accum", "linear"] "grad", "lr", "l1", "l2", "lr_power"; multiply_linear_by_lr = false),
        ResourceApplyFtrl(handle dense ["var", "accum", "linear"] "grad", "lr", "l1", "l2", "lr_power"; multiply_linear_by_lr = false);
    FtrlRows: ResourceSparseApplyFtrl(handle sparse ["var", "accum", "linear"] "grad", "indices", "lr", "l1", "l2", "lr_power"; multiply_linear_by_lr = false),
        SparseApplyFtrl(slot sparse ["var", "accum", "linear"] "grad", "indices", "lr", "l1", "l2", "lr_power"; multiply_linear_by_lr = false);
    FtrlV2: ApplyFtrlV2(slot dense ["var", "accum", "linear"] "grad", "lr", "l1", "l2", "l2_shrinkage", "lr_power"; multiply_linear_by_lr = false),
        ResourceApplyFtrlV2(handle dense ["var", "accum", "linear"] "grad", "lr", "l1", "l2", "l2_shrinkage", "lr_power"; multiply_linear_by_lr = false);
    FtrlV2Rows: ResourceSparseApplyFtrlV2(handle sparse ["var", "accum", "linear"] "grad", "indices", "lr", "l1", "l2", "l2_shrinkage", "lr_power"; multiply_linear_by_lr = false),
        SparseApplyFtrlV2(slot sparse ["var", "accum", "linear"] "grad", "indices", "lr", "l1", "l2", "l2_shrinkage", "lr_power"; multiply_linear_by_lr = false);
    GradientDescent: ApplyGradientDescent(slot dense ["var"] "alpha", "delta"),
        ResourceApplyGradientDescent(handle dense ["var"] "alpha", "delta");
    KerasMomentum: ResourceApplyKerasMomentum(handle dense ["var", "accum"] "lr", "grad", "momentum"; use_nesterov = false),
        ResourceSparseApplyKerasMomentum(handle sparse ["var", "accum"] "lr", "grad", "indices", "momentum"; use_nesterov = false);
    Momentum: ApplyMomentum(slot dense ["var", "accum"] "lr", "grad", "momentum"; use_nesterov = false),
        ResourceApplyMomentum(handle dense ["var", "accum"] "lr", "grad", "momentum"; use_nesterov = false),
        ResourceSparseApplyMomentum(handle sparse ["var", "accum"] "lr", "grad", "indices", "momentum"; use_nesterov = false),
        SparseApplyMomentum(slot sparse ["var", "accum"] "lr", "grad", "indices", "momentum"; use_nesterov = false);
    PowerSign: ApplyPowerSign(slot dense ["var", "m"] "lr", "logbase", "sign_decay", "beta", "grad"),
        ResourceApplyPowerSign(handle dense ["var", "m"] "lr", "logbase", "sign_decay", "beta", "grad");
    ProximalAdagrad: ApplyProximalAdagrad(slot dense ["var", "accum"] "lr", "l1", "l2", "grad"),
        ResourceApplyProximalAdagrad(handle dense ["var", "accum"] "lr", "l1", "l2", "grad"),
        ResourceSparseApplyProximalAdagrad(handle sparse ["var", "accum"] "lr", "l1", "l2", "grad", "indices"),
        SparseApplyProximalAdagrad(slot sparse ["var", "accum"] "lr", "l1", "l2", "grad", "indices");
    ProximalGradientDescent: ApplyProximalGradientDescent(slot dense ["var"] "alpha", "l1", "l2", "delta"),
        ResourceApplyProximalGradientDescent(handle dense ["var"] "alpha", "l1", "l2", "delta"),
        ResourceSparseApplyProximalGradientDescent(handle sparse ["var"] "alpha", "l1", "l2", "grad", "indices"),
        SparseApplyProximalGradientDescent(slot sparse ["var"] "alpha", "l1", "l2", "grad", "indices");
    RMSProp: ApplyRMSProp(slot dense ["var", "ms", "mom"] "lr", "rho", "momentum", "epsilon", "grad"),
        ResourceApplyRMSProp(handle dense ["var", "ms", "mom"] "lr", "rho", "momentum", "epsilon", "grad"),
        ResourceSparseApplyRMSProp(handle sparse ["var", "ms", "mom"] "lr", "rho", "momentum", "epsilon", "grad", "indices"),
        SparseApplyRMSProp(slot sparse ["var", "ms", "mom"] "lr", "rho", "momentum", "epsilon", "grad", "indices");
}
