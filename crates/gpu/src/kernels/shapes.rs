//! Shapes of outputs, from the ops' own shape functions.

use levada_graph::infer::ShapeCx;
use levada_graph::{AnyOp, Error, PartialShape, Result, Shape, Tensor};
use levada_kernel::def::OpAttrs;
use levada_kernel::{Def, Io};

/// The shapes of the outputs, from those of the inputs and the values of the inputs on the host.
///
/// # Errors
/// The shape function's error; `INTERNAL` if it leaves a shape unknown.
pub(crate) fn outputs(op: &dyn AnyOp, io: &Io<'_>) -> Result<Vec<Shape>> {
    infer(io, |cx| op.shape(cx))
}

/// As [`outputs`], for a node of `def` with these attrs.
///
/// # Errors
/// As [`outputs`].
pub(crate) fn outputs_of<A: OpAttrs>(def: &'static Def<A>, attrs: &A, io: &Io<'_>) -> Result<Vec<Shape>> {
    infer(io, |cx| def.infer(io.node().op, attrs, cx))
}

/// The shape of the first output of a node of `def` with these attrs.
///
/// # Errors
/// As [`outputs`].
pub(crate) fn output_of<A: OpAttrs>(def: &'static Def<A>, attrs: &A, io: &Io<'_>) -> Result<Shape> {
    Ok(outputs_of(def, attrs, io)?.into_iter().next().unwrap_or_default())
}

fn infer(io: &Io<'_>, shape: impl FnOnce(&mut ShapeCx<'_>) -> Result<()>) -> Result<Vec<Shape>> {
    let tensors = io.inputs_from(0)?;
    let inputs: Vec<PartialShape> = tensors.iter().map(|t| PartialShape::from(t.shape())).collect();
    let constants: Vec<Option<&Tensor>> = tensors.iter().map(|t| t.device_memory().is_none().then_some(*t)).collect();
    let mut outputs = vec![PartialShape::Unknown; io.num_outputs()];
    shape(&mut ShapeCx::new(&inputs, &constants, &mut outputs))?;
    let known = |shape: &PartialShape| {
        shape.known().ok_or_else(|| Error::internal(format!("the shape {shape} of an output stays open")))
    };
    outputs.iter().map(known).collect()
}
