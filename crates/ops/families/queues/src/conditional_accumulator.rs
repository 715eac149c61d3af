//! The ops on conditional accumulators.

use super::accumulator::{Accumulator, Config, Take};
use crate::handle::{input, set_handle, set_reference};
use crate::prelude::*;
use crate::variable::resource_name;

const REDUCTIONS: &[&str] = &["MEAN", "SUM"];

macro_rules! creates {
    ($($(#[doc = $doc:literal])* $name:ident, $sparse:literal, $output:expr, $set:ident;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type of the gradients.
                dtype: DType = Attr::dtype("dtype", sets::NUMBERTYPE),
                /// Their shape, as far as it is known.
                shape: PartialShape = Attr::shape("shape"),
                /// Container that holds the accumulator; empty for the default one.
                container: String = Attr::string("container").or_str(""),
                /// Name in the container; empty for the node's.
                shared_name: String = Attr::string("shared_name").or_str(""),
                /// `MEAN` or `SUM`.
                reduction_type: String = Attr::one_of("reduction_type", REDUCTIONS).or_str("MEAN"),
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec { name: stringify!($name), outputs: &[$output], act: Some(Act::Make), ..Spec::STATEFUL };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.output_vector(0, Some(2));
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let config = Config {
                    name: resource_name(&self.shared_name, cx).to_owned(),
                    dtype: self.dtype,
                    shape: self.shape.clone(),
                    mean: self.reduction_type == "MEAN",
                    sparse: $sparse,
                };
                $set::<Accumulator>(cx, &self.container, &self.shared_name, config)
            }
        }
    )*};
}

creates! {
    /// Adds up gradients.
    ConditionalAccumulator, false, arg("handle", is(DType::Str)).by_ref(), set_reference;
    /// Adds up gradients.
    ResourceConditionalAccumulator, false, arg("handle", is(DType::Resource)), set_handle;
    /// Adds up gradients of which some rows are given.
    SparseConditionalAccumulator, true, arg("handle", is(DType::Str)).by_ref(), set_reference;
}

fn check(accumulator: &Accumulator, dtype: DType, sparse: bool) -> Result<()> {
    let config = &accumulator.config;
    if config.dtype != dtype {
        return Err(Error::invalid(format!("Expected gradients of type {}, got {dtype}", config.dtype)).attr("dtype"));
    }
    if config.sparse != sparse {
        return Err(Error::invalid(format!("the conditional accumulator '{}' is of the other kind", config.name)));
    }
    Ok(())
}

/// The int on input `i`, which must be a scalar.
fn scalar(cx: &Cx<'_, '_>, i: usize, what: &str) -> Result<i64> {
    let tensor = cx.input(i)?;
    match tensor.to_i64s()?.as_slice() {
        [value] if tensor.shape().is_scalar() => Ok(*value),
        _ => Err(Error::invalid(format!("Argument {what} must be scalar, but had bad shape {}", tensor.shape()))),
    }
}

macro_rules! dense {
    ($($handle:expr => $apply:ident, $take:ident;)*) => {$(
        attrs! {
            /// Adds a gradient, unless it is of an earlier step.
            pub struct $apply {
                /// Element type.
                dtype: DType = Attr::dtype("dtype", sets::NUMBERTYPE),
            }
        }

        impl Op for $apply {
            const SPEC: Spec = Spec {
                name: stringify!($apply),
                inputs: &[$handle, arg("local_step", is(DType::I64)), arg("gradient", of("dtype"))],
                act: Some(Act::Put),
                ..Spec::STATEFUL
            };
        }

        impl Kernel<Cpu> for $apply {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let accumulator = input::<Accumulator>(cx, 0)?;
                check(&accumulator, self.dtype, false)?;
                let step = scalar(cx, 1, "local_step")?;
                let gradient = cx.take(2)?;
                accumulator.change(|sum| {
                    if step < sum.step { Ok(()) } else { sum.add(&accumulator.config, gradient, &cx.device.arena) }
                })
            }
        }

        attrs! {
            /// The sum or mean of the gradients, once there are `num_required`.
            pub struct $take {
                /// Element type.
                dtype: DType = Attr::dtype("dtype", sets::NUMBERTYPE),
            }
        }

        impl Op for $take {
            const SPEC: Spec = Spec {
                name: stringify!($take),
                inputs: &[$handle, arg("num_required", is(DType::I32))],
                outputs: &[arg("average", of("dtype"))],
                act: Some(Act::Take),
                ..Spec::STATEFUL
            };
        }

        impl Kernel<Cpu> for $take {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                take(cx, self.dtype, false)
            }
        }
    )*};
}

dense! {
    arg("handle", is(DType::Str)).by_ref() => AccumulatorApplyGradient, AccumulatorTakeGradient;
    arg("handle", is(DType::Resource)) => ResourceAccumulatorApplyGradient, ResourceAccumulatorTakeGradient;
}

fn take(cx: &mut Cx<'_, '_>, dtype: DType, sparse: bool) -> Result<()> {
    let accumulator = input::<Accumulator>(cx, 0)?;
    check(&accumulator, dtype, sparse)?;
    let required = scalar(cx, 1, "num_required")?;
    if required <= 0 {
        return Err(Error::invalid(format!("Argument num_required must be > 0, but got {required}")));
    }
    let arena = cx.device.arena.clone();
    accumulator.submit(cx, Take { required, arena })
}

attrs! {
    /// Adds the rows of a gradient, unless it is of an earlier step.
    pub struct SparseAccumulatorApplyGradient {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::NUMBERTYPE),
        /// True where `gradient_shape` says the shape of the whole.
        has_known_shape: bool = Attr::bool("has_known_shape"),
    }
}

impl Op for SparseAccumulatorApplyGradient {
    const SPEC: Spec = Spec {
        name: "SparseAccumulatorApplyGradient",
        inputs: &[
            arg("handle", is(DType::Str)).by_ref(),
            arg("local_step", is(DType::I64)),
            arg("gradient_indices", is(DType::I64)),
            arg("gradient_values", of("dtype")),
            arg("gradient_shape", is(DType::I64)),
        ],
        act: Some(Act::Put),
        ..Spec::STATEFUL
    };
}

impl Kernel<Cpu> for SparseAccumulatorApplyGradient {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let accumulator = input::<Accumulator>(cx, 0)?;
        check(&accumulator, self.dtype, true)?;
        let step = scalar(cx, 1, "local_step")?;
        let values = cx.take(3)?;
        let (indices, shape) = (cx.input(2)?, cx.input(4)?);
        let shape = self.has_known_shape.then_some(shape);
        accumulator.change(|sum| {
            if step < sum.step {
                return Ok(());
            }
            sum.add_rows(&accumulator.config, indices, values, shape, &cx.device.arena)
        })
    }
}

attrs! {
    /// The sum or mean of the gradients, once there are `num_required`.
    pub struct SparseAccumulatorTakeGradient {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::NUMBERTYPE),
    }
}

impl Op for SparseAccumulatorTakeGradient {
    const SPEC: Spec = Spec {
        name: "SparseAccumulatorTakeGradient",
        inputs: &[arg("handle", is(DType::Str)).by_ref(), arg("num_required", is(DType::I32))],
        outputs: &[arg("indices", is(DType::I64)), arg("values", of("dtype")), arg("shape", is(DType::I64))],
        act: Some(Act::Take),
        ..Spec::STATEFUL
    };
}

impl Kernel<Cpu> for SparseAccumulatorTakeGradient {
    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        take(cx, self.dtype, true)
    }
}

macro_rules! looks {
    ($($handle:expr => $count:ident, $step:ident;)*) => {$(
        attrs! {
            /// How many gradients have been added since the sum was last taken.
            pub struct $count {}
        }

        impl Op for $count {
            const SPEC: Spec = Spec {
                name: stringify!($count),
                inputs: &[$handle],
                outputs: &[arg("num_accumulated", is(DType::I32))],
                ..Spec::STATEFUL
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.output_scalar(0);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $count {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let count = input::<Accumulator>(cx, 0)?.look(|sum| sum.count);
                cx.set(0, Tensor::scalar(i32::try_from(count).unwrap_or(i32::MAX)));
                Ok(())
            }
        }

        attrs! {
            /// Sets the step; gradients of earlier steps are dropped.
            pub struct $step {}
        }

        impl Op for $step {
            const SPEC: Spec = Spec {
                name: stringify!($step),
                inputs: &[$handle, arg("new_global_step", is(DType::I64))],
                ..Spec::STATEFUL
            };
        }

        impl Kernel<Cpu> for $step {
            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let step = scalar(cx, 1, "new_global_step")?;
                input::<Accumulator>(cx, 0)?.change(|sum| sum.step = step);
                Ok(())
            }
        }
    )*};
}

looks! {
    arg("handle", is(DType::Str)).by_ref() => AccumulatorNumAccumulated, AccumulatorSetGlobalStep;
    arg("handle", is(DType::Resource)) => ResourceAccumulatorNumAccumulated, ResourceAccumulatorSetGlobalStep;
}
