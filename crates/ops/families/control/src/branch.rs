//! `If`, `StatelessIf`, `Case`, `StatelessCase`: run one of several functions.

use super::call::{call, site_of_flow, take_inputs};
use crate::flow::declared;
use crate::prelude::*;

/// What a tensor says as a condition: a scalar whether it is not zero or not empty, another tensor whether it has
/// elements.
pub(crate) fn is_true(tensor: &Tensor) -> Result<bool> {
    if !tensor.shape().is_scalar() {
        return Ok(tensor.num_elements() > 0);
    }
    match tensor.dtype() {
        DType::Bool => tensor.item::<bool>(),
        DType::Str => Ok(!tensor.item::<Bytes>()?.is_empty()),
        // Kernels know these types only.
        dtype @ (DType::F32 | DType::F64 | DType::U8 | DType::I8 | DType::I16 | DType::I32 | DType::I64) => {
            dispatch!(dtype, reals, |T| Ok(tensor.item::<T>()? != T::zero()),
                else Err(Error::internal(format!("{dtype} is not a number"))))
        }
        dtype => Err(Error::invalid(format!("{dtype} cannot be a condition"))),
    }
}

/// What a tensor says to a switch, which knows booleans only.
pub(crate) fn is_switched(tensor: &Tensor) -> Result<bool> {
    match (tensor.dtype(), tensor.shape().is_scalar()) {
        (DType::Bool, true) => tensor.item::<bool>(),
        (DType::Bool, false) => {
            let shape = tensor.shape();
            Err(Error::invalid(format!("The second input must be a scalar, but it has shape {shape}")))
        }
        (dtype, _) => Err(Error::invalid(format!("{dtype} cannot be a condition here")).expected("bool")),
    }
}

macro_rules! ifs {
    ($($(#[doc = $doc:literal])* $name:ident($base:ident);)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Type of the condition.
                cond: DType = Attr::dtype("Tcond", sets::ANY),
                /// Types of the arguments.
                inputs: Vec<DType> = Attr::dtypes("Tin", sets::ANY),
                /// Types of the results.
                outputs: Vec<DType> = Attr::dtypes("Tout", sets::ANY),
                /// The function for true.
                then_branch: Func = Attr::func("then_branch"),
                /// The function for false.
                else_branch: Func = Attr::func("else_branch"),
                /// Shapes of the results.
                output_shapes: Vec<PartialShape> = Attr::shapes("output_shapes").or_empty(),
                /// True where TensorFlow would make it part of the graph around it, so that nodes of the functions may
                /// have devices of their own.
                lowered: bool = Attr::bool("_lower_using_switch_merge").or_bool(false),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("cond", of("Tcond")), arg("input", each("Tin"))],
                outputs: &[arg("output", each("Tout"))],
                role: Role::Call,
                ..Spec::$base
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                declared(cx, &self.output_shapes);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let site = site_of_flow(cx, self.lowered);
                let is_taken = match site.inlined {
                    Some(_) => is_switched(cx.input(0)?)?,
                    None => is_true(cx.input(0)?)?,
                };
                let branch = if is_taken { &self.then_branch } else { &self.else_branch };
                let args = take_inputs(cx, 1)?;
                call(cx, branch, site, args)
            }
        }
    )*};
}

ifs! {
    /// Runs one of two functions.
    If(STATEFUL);
    /// Runs one of two functions without side effects.
    StatelessIf(PURE);
}

macro_rules! cases {
    ($($(#[doc = $doc:literal])* $name:ident($base:ident);)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Types of the arguments.
                inputs: Vec<DType> = Attr::dtypes("Tin", sets::ANY),
                /// Types of the results.
                outputs: Vec<DType> = Attr::dtypes("Tout", sets::ANY),
                /// The functions.
                branches: Vec<Func> = Attr::funcs("branches").at_least(1),
                /// Shapes of the results.
                output_shapes: Vec<PartialShape> = Attr::shapes("output_shapes").or_empty(),
                /// True where TensorFlow would make it part of the graph around it, so that nodes of the functions may
                /// have devices of their own.
                lowered: bool = Attr::bool("_lower_using_switch_merge").or_bool(false),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[arg("branch_index", is(DType::I32)), arg("input", each("Tin"))],
                outputs: &[arg("output", each("Tout"))],
                role: Role::Call,
                ..Spec::$base
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                declared(cx, &self.output_shapes);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let shape = cx.input(0)?.shape();
                if !shape.is_scalar() {
                    return Err(Error::invalid(format!("branch_index must be a scalar, but it has shape {shape}")));
                }
                let index = cx.scalar::<i32>(0)?;
                // An index out of range stands for the last branch.
                let last = self.branches.len().saturating_sub(1);
                let branch = usize::try_from(index).map_or(last, |i| i.min(last));
                let args = take_inputs(cx, 1)?;
                let site = site_of_flow(cx, self.lowered);
                match self.branches.get(branch) {
                    Some(function) => call(cx, function, site, args),
                    None => Err(Error::invalid("there are no branches")),
                }
            }
        }
    )*};
}

cases! {
    /// Runs the function whose number is given, the last for numbers that none has.
    Case(STATEFUL);
    /// [`Case`] for functions without side effects.
    StatelessCase(PURE);
}
