//! `ParallelConcat`: concatenates tensors of one row each.

use crate::moves::Mover;
use crate::prelude::*;

attrs! {
    /// Concatenates `values`, each of one row, along axis 0.
    pub struct ParallelConcat {
        /// Number of tensors.
        count: i64 = Attr::int("N").at_least(1),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Shape of the result.
        shape: PartialShape = Attr::shape("shape"),
    }
}

pub static PARALLEL_CONCAT: Def<ParallelConcat> = op("ParallelConcat")
    .inputs(&[arg("values", of("T")).times("N")])
    .outputs(&[arg("output", of("T"))])
    .shape(|op: &ParallelConcat, cx| {
        cx.output(0, op.shape.clone());
        Ok(())
    })
    .kernel(parallel_concat)
    .heavy();

fn parallel_concat(op: &ParallelConcat, cx: &mut Cx<'_, '_>) -> Result<()> {
    let parts = cx.inputs_from(0)?;
    let Some(shape) = op.shape.known().filter(|s| s.first() == Some(&parts.len())) else {
        return Err(Error::invalid("Size of first dimension of the shape must be the number of values")
            .attr("shape")
            .found(&op.shape));
    };
    for (i, part) in parts.iter().enumerate() {
        let own = part.shape();
        if own.rank() != shape.rank() || own[0] != 1 || own[1..] != shape[1..] {
            return Err(Error::invalid(format!("values[{i}].shape = {own} is not one row of {shape}")));
        }
    }
    let out = Cpu::join(cx, &parts, 0, &shape, op.dtype)?;
    cx.set(0, out);
    Ok(())
}
