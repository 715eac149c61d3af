//! Shapes of outputs, from the ops' own shape functions.

use levada_graph::infer::ShapeCx;
use levada_graph::{AnyOp, Error, PartialShape, Result, Shape, Tensor};
use levada_kernel::Io;

/// The shapes of the outputs, from those of the inputs and the values of the inputs on the host.
///
/// # Errors
/// What the shape function finds wrong; `INTERNAL` where it leaves a shape open.
pub(crate) fn outputs(op: &dyn AnyOp, io: &Io<'_>) -> Result<Vec<Shape>> {
    let tensors = io.inputs_from(0)?;
    let inputs: Vec<PartialShape> = tensors.iter().map(|t| PartialShape::from(t.shape())).collect();
    let constants: Vec<Option<&Tensor>> = tensors.iter().map(|t| t.device_memory().is_none().then_some(*t)).collect();
    let mut outputs = vec![PartialShape::Unknown; io.num_outputs()];
    op.shape(&mut ShapeCx::new(&inputs, &constants, &mut outputs))?;
    let known = |shape: &PartialShape| {
        shape.known().ok_or_else(|| Error::internal(format!("the shape {shape} of an output stays open")))
    };
    outputs.iter().map(known).collect()
}
