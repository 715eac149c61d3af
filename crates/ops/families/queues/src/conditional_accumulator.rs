//! The ops on conditional accumulators.

use super::accumulator::{Accumulator, Config, Take};
use crate::handle::{input, set};
use crate::prelude::*;
use crate::variable::resource_name;
use crate::{HANDLE, REFERENCE, scalar};

const REDUCTIONS: &[&str] = &["MEAN", "SUM"];

attrs! {
    /// Creates an accumulator of dense gradients.
    pub struct ConditionalAccumulator {
        /// Element type of the gradients.
        dtype: DType = Attr::dtype("dtype", sets::NUMBERTYPE),
        /// Statically known shape of the gradients.
        shape: PartialShape = Attr::shape("shape"),
        /// Container that holds the accumulator; empty for the default one.
        container: String = Attr::string("container").or_str(""),
        /// Name in the container; empty for the node's name.
        shared_name: String = Attr::string("shared_name").or_str(""),
        /// `MEAN` or `SUM`.
        reduction_type: String = Attr::one_of("reduction_type", REDUCTIONS).or_str("MEAN"),
    }
}

pub static CONDITIONAL_ACCUMULATOR: Def<ConditionalAccumulator> = op("ConditionalAccumulator")
    .outputs(&[REFERENCE])
    .also(&[form("ResourceConditionalAccumulator").outputs(&[HANDLE])])
    .act(Act::Make)
    .shape(infer)
    .kernel(|op, cx| create(op, cx, false));

pub static SPARSE_CONDITIONAL_ACCUMULATOR: Def<ConditionalAccumulator> = op("SparseConditionalAccumulator")
    .doc("Creates an accumulator of sparse gradients, of which only some rows are given.")
    .outputs(&[REFERENCE])
    .act(Act::Make)
    .shape(infer)
    .kernel(|op, cx| create(op, cx, true));

fn infer(_: &ConditionalAccumulator, cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.output_vector(0, Some(2));
    Ok(())
}

fn create(op: &ConditionalAccumulator, cx: &mut Cx<'_, '_>, sparse: bool) -> Result<()> {
    set::<Accumulator>(cx, &op.container, &op.shared_name, |cx| {
        Ok(Config {
            name: resource_name(&op.shared_name, cx).to_owned(),
            dtype: op.dtype,
            shape: op.shape.clone(),
            mean: op.reduction_type == "MEAN",
            sparse,
        })
    })
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

/// Returns the integer in input `i`, which must be a scalar.
fn scalar_input(cx: &Cx<'_, '_>, i: usize, what: &str) -> Result<i64> {
    let tensor = cx.input(i)?;
    match tensor.to_i64s()?.as_slice() {
        [value] if tensor.shape().is_scalar() => Ok(*value),
        _ => Err(Error::invalid(format!("Argument {what} must be scalar, but had bad shape {}", tensor.shape()))),
    }
}

attrs! {
    /// Adds a gradient to an accumulator, unless it belongs to an earlier step.
    pub struct AccumulatorApplyGradient {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::NUMBERTYPE),
    }
}

const STEP: Arg = arg("local_step", is(DType::I64));
const GRADIENT: Arg = arg("gradient", of("dtype"));

pub static ACCUMULATOR_APPLY_GRADIENT: Def<AccumulatorApplyGradient> = op("AccumulatorApplyGradient")
    .inputs(&[REFERENCE, STEP, GRADIENT])
    .also(&[form("ResourceAccumulatorApplyGradient").inputs(&[HANDLE, STEP, GRADIENT])])
    .act(Act::Put)
    .kernel(apply);

fn apply(op: &AccumulatorApplyGradient, cx: &mut Cx<'_, '_>) -> Result<()> {
    let accumulator = input::<Accumulator>(cx, 0)?;
    check(&accumulator, op.dtype, false)?;
    let step = scalar_input(cx, 1, "local_step")?;
    let gradient = cx.take(2)?;
    accumulator.change(
        |sum| {
            if step < sum.step { Ok(()) } else { sum.add(&accumulator.config, gradient, &cx.device.arena) }
        },
    )
}

attrs! {
    /// Takes the sum or mean of the gradients out of an accumulator. Waits until there are `num_required` of them.
    pub struct TakeGradient {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::NUMBERTYPE),
    }
}

const REQUIRED: Arg = arg("num_required", is(DType::I32));

pub static ACCUMULATOR_TAKE_GRADIENT: Def<TakeGradient> = op("AccumulatorTakeGradient")
    .inputs(&[REFERENCE, REQUIRED])
    .outputs(&[arg("average", of("dtype"))])
    .also(&[form("ResourceAccumulatorTakeGradient").inputs(&[HANDLE, REQUIRED])])
    .act(Act::Take)
    .kernel(|op, cx| take(op, cx, false));

pub static SPARSE_ACCUMULATOR_TAKE_GRADIENT: Def<TakeGradient> = op("SparseAccumulatorTakeGradient")
    .inputs(&[REFERENCE, REQUIRED])
    .outputs(&[arg("indices", is(DType::I64)), arg("values", of("dtype")), arg("shape", is(DType::I64))])
    .act(Act::Take)
    .kernel(|op, cx| take(op, cx, true));

fn take(op: &TakeGradient, cx: &mut Cx<'_, '_>, sparse: bool) -> Result<()> {
    let accumulator = input::<Accumulator>(cx, 0)?;
    check(&accumulator, op.dtype, sparse)?;
    let required = scalar_input(cx, 1, "num_required")?;
    if required <= 0 {
        return Err(Error::invalid(format!("Argument num_required must be > 0, but got {required}")));
    }
    let arena = cx.device.arena.clone();
    accumulator.submit(cx, Take { required, arena })
}

attrs! {
    /// Adds a sparse gradient to an accumulator, unless it belongs to an earlier step.
    pub struct SparseAccumulatorApplyGradient {
        /// Element type.
        dtype: DType = Attr::dtype("dtype", sets::NUMBERTYPE),
        /// Whether `gradient_shape` is the shape of the dense gradient.
        has_known_shape: bool = Attr::bool("has_known_shape"),
    }
}

pub static SPARSE_ACCUMULATOR_APPLY_GRADIENT: Def<SparseAccumulatorApplyGradient> =
    op("SparseAccumulatorApplyGradient")
        .inputs(&[
            arg("handle", is(DType::Str)).by_ref(),
            arg("local_step", is(DType::I64)),
            arg("gradient_indices", is(DType::I64)),
            arg("gradient_values", of("dtype")),
            arg("gradient_shape", is(DType::I64)),
        ])
        .act(Act::Put)
        .kernel(apply_rows);

fn apply_rows(op: &SparseAccumulatorApplyGradient, cx: &mut Cx<'_, '_>) -> Result<()> {
    let accumulator = input::<Accumulator>(cx, 0)?;
    check(&accumulator, op.dtype, true)?;
    let step = scalar_input(cx, 1, "local_step")?;
    let values = cx.take(3)?;
    let (indices, shape) = (cx.input(2)?, cx.input(4)?);
    let shape = op.has_known_shape.then_some(shape);
    accumulator.change(|sum| {
        if step < sum.step {
            return Ok(());
        }
        sum.add_rows(&accumulator.config, indices, values, shape, &cx.device.arena)
    })
}

attrs! {
    /// Returns the number of gradients added since the sum was last taken.
    pub struct AccumulatorNumAccumulated {}
}

pub static ACCUMULATOR_NUM_ACCUMULATED: Def<AccumulatorNumAccumulated> = op("AccumulatorNumAccumulated")
    .inputs(&[REFERENCE])
    .outputs(&[arg("num_accumulated", is(DType::I32))])
    .also(&[form("ResourceAccumulatorNumAccumulated").inputs(&[HANDLE])])
    .stateful()
    .shape(scalar)
    .kernel(|_, cx| {
        let count = input::<Accumulator>(cx, 0)?.look(|sum| sum.count);
        cx.set(0, Tensor::scalar(i32::try_from(count).unwrap_or(i32::MAX)));
        Ok(())
    });

attrs! {
    /// Sets the global step of an accumulator; gradients of earlier steps are dropped.
    pub struct AccumulatorSetGlobalStep {}
}

const NEW_STEP: Arg = arg("new_global_step", is(DType::I64));

pub static ACCUMULATOR_SET_GLOBAL_STEP: Def<AccumulatorSetGlobalStep> = op("AccumulatorSetGlobalStep")
    .inputs(&[REFERENCE, NEW_STEP])
    .also(&[form("ResourceAccumulatorSetGlobalStep").inputs(&[HANDLE, NEW_STEP])])
    .stateful()
    .kernel(|_, cx| {
        let step = scalar_input(cx, 1, "new_global_step")?;
        input::<Accumulator>(cx, 0)?.change(|sum| sum.step = step);
        Ok(())
    });
