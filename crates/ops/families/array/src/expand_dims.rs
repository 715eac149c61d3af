//! `ExpandDims`: inserts an axis of size 1.

use crate::moves::axis_of;
use crate::prelude::*;
use crate::rules::first;

attrs! {
    /// Inserts an axis of size 1 before axis `dim`; a negative `dim` counts from the end of the result.
    pub struct ExpandDims {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `dim`.
        index: DType = Attr::dtype("Tdim", sets::INDEX).or_type(DType::I32),
    }
}

pub static EXPAND_DIMS: Def<ExpandDims> = op::<ExpandDims>("ExpandDims")
    .keeps_finite()
    .inputs(&[arg("input", of("T")), arg("dim", of("Tdim"))])
    .outputs(&[arg("output", of("T"))])
    .counts("T")
    .shape(|_, cx| {
        let input = cx.input(0);
        let Some(dims) = input.dims() else { return Ok(()) };
        let shape = match cx.constant_i64s(1).as_deref() {
            Some([dim]) => {
                let at = position(*dim, dims.len())?;
                PartialShape::new(dims[..at].iter().copied().chain([Some(1)]).chain(dims[at..].iter().copied()))
            }
            _ => PartialShape::of_rank(dims.len() + 1),
        };
        cx.output(0, shape);
        Ok(())
    })
    .host_inputs(&[1])
    .gradient(|_, g| first(g, g.dy(0).reshape_as(g.input(0))))
    .kernel(|_, cx| {
        let dim = cx.i64s(1)?;
        let [dim] = dim[..] else { return Err(Error::invalid("'dim' must be a tensor with a single value")) };
        let dims = cx.input(0)?.shape().dims();
        let at = position(dim, dims.len())?;
        let shape = Shape::new(dims[..at].iter().copied().chain([1]).chain(dims[at..].iter().copied()))?;
        let out = cx.take(0)?.reshaped(shape)?;
        cx.set(0, out);
        Ok(())
    })
    .batch(|_, b| b.one(b.again(&[b.input(0), axes_behind(b, 1, 0, 1)?])));

fn position(dim: i64, rank: usize) -> Result<usize> {
    axis_of(dim, rank + 1)
        .ok_or_else(|| Error::invalid(format!("Tried to expand dim index {dim} for tensor with {rank} dimensions")))
}
