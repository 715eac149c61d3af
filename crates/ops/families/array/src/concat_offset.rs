//! `ConcatOffset`: the start of each part of a concatenation.

use crate::moves::axis_of;
use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// Returns for each shape the offset at which such a tensor starts when all are concatenated along `concat_dim`.
    pub struct ConcatOffset {
        /// Number of shapes.
        count: i64 = Attr::int("N").at_least(2),
        /// Element type of the shapes.
        index: DType = Attr::dtype("shape_type", sets::INDEX).or_type(DType::I32),
    }
}

pub static CONCAT_OFFSET: Def<ConcatOffset> = op("ConcatOffset")
    .inputs(&[arg("concat_dim", is(DType::I32)), arg("shape", of("shape_type")).times("N")])
    .outputs(&[arg("offset", of("shape_type")).times("N")])
    .counts("shape_type")
    .shape(|_, cx| {
        for i in 0..cx.num_outputs() {
            let shape = cx.with_rank(i + 1, 1)?;
            cx.output(i, shape);
        }
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(concat_offset);

fn concat_offset(op: &ConcatOffset, cx: &mut Cx<'_, '_>) -> Result<()> {
    let dim = cx.input(0)?;
    if !dim.shape().is_scalar() {
        return Err(Error::invalid(format!(
            "Concat dim tensor should be a scalar integer, but got shape {}",
            dim.shape()
        )));
    }
    let dim = i64::from(cx.scalar::<i32>(0)?);
    for i in 1..cx.num_inputs() {
        let shape = cx.input(i)?.shape();
        if shape.rank() != 1 {
            return Err(Error::invalid(format!("input {i} should be a vector, but got shape {shape}")));
        }
    }
    dispatch!(op.index, index, |T| {
        let first = cx.slice::<T>(1)?.to_vec();
        let axis = axis_of(dim, first.len()).ok_or_else(|| {
            Error::invalid(format!("Concat dim is out of range: {dim} vs. {}", first.len()))
        })?;
        let mut at: T = 0;
        for i in 1..cx.num_inputs() {
            let sizes = cx.slice::<T>(i)?;
            if sizes.len() != first.len() {
                return Err(Error::invalid(format!(
                    "input {i} should contain {} elements, but got {}",
                    first.len(),
                    sizes.len()
                )));
            }
            if (0..first.len()).any(|d| d != axis && sizes[d] != first[d]) {
                return Err(Error::invalid(format!(
                    "All dimensions except {axis} must match. Input {} has shape {sizes:?} and doesn't match input 0 \
                     with shape {first:?}.",
                    i - 1
                )));
            }
            let mut offset = vec![0; first.len()];
            offset[axis] = at;
            at = at.wrapping_add(sizes[axis]);
            cx.set(i - 1, Tensor::vector(offset));
        }
        Ok(())
    }, else Err(Error::unimplemented(format!("ConcatOffset of {}", op.index))))
}
