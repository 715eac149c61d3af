//! `Squeeze`: removes axes of size 1.

use crate::moves::axis_of;
use crate::prelude::*;
use crate::rules::first;
use levada_graph::grad::attr;

attrs! {
    /// Removes the axes `squeeze_dims`, which must be of size 1; if none are given, all axes of size 1.
    pub struct Squeeze {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// The axes; negative ones count from the end.
        axes: Vec<i64> = Attr::ints("squeeze_dims").or_empty(),
    }
}

pub static SQUEEZE: Def<Squeeze> = op::<Squeeze>("Squeeze")
    .keeps_finite()
    .inputs(&[arg("input", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .counts("T")
    .shape(shape)
    .gradient(|_, g| first(g, g.dy(0).reshape_as(g.input(0))))
    .kernel(squeeze)
    .batch(|op, b| {
        let axes: Vec<i64> = if op.axes.is_empty() {
            let shape = b.shape(0).known()?;
            (0i64..).zip(shape.iter()).filter(|(_, size)| **size == 1).map(|(axis, _)| axis + 1).collect()
        } else {
            op.axes.iter().map(|&axis| axis_behind(axis, b.rank(0))).collect::<Option<Vec<i64>>>()?
        };
        if axes.is_empty() {
            return b.one(b.input(0));
        }
        b.one(b.again_with(&b.inputs(), &[attr("squeeze_dims", axes)]))
    });

impl Squeeze {
    fn dropped(&self, rank: usize) -> Result<Vec<bool>> {
        let mut dropped = vec![false; rank];
        for &axis in &self.axes {
            let at = axis_of(axis, rank).ok_or_else(|| {
                Error::invalid(format!("Tried to squeeze dim index {axis} for tensor with {rank} dimensions."))
                    .attr("squeeze_dims")
            })?;
            dropped[at] = true;
        }
        Ok(dropped)
    }

    fn too_large(&self, axis: usize, size: usize) -> Error {
        Error::invalid(format!("Can not squeeze dim[{axis}], expected a dimension of 1, got {size}"))
            .attr("squeeze_dims")
    }
}

fn shape(op: &Squeeze, cx: &mut ShapeCx<'_>) -> Result<()> {
    let input = cx.input(0);
    let Some(dims) = input.dims() else { return Ok(()) };
    if op.axes.is_empty() {
        if dims.iter().all(Option::is_some) {
            cx.output(0, PartialShape::new(dims.iter().copied().filter(|d| *d != Some(1))));
        }
        return Ok(());
    }
    let dropped = op.dropped(dims.len())?;
    let mut kept = Vec::new();
    for (i, &dim) in dims.iter().enumerate() {
        match (dropped[i], dim) {
            (false, _) => kept.push(dim),
            (true, Some(size)) if size != 1 => return Err(op.too_large(i, size)),
            _ => (),
        }
    }
    cx.output(0, PartialShape::new(kept));
    Ok(())
}

fn squeeze(op: &Squeeze, cx: &mut Cx<'_, '_>) -> Result<()> {
    let dims = cx.input(0)?.shape().dims();
    let dropped = op.dropped(dims.len())?;
    let mut kept = Vec::with_capacity(dims.len());
    for (i, &size) in dims.iter().enumerate() {
        if op.axes.is_empty() {
            kept.extend((size != 1).then_some(size));
        } else if !dropped[i] {
            kept.push(size);
        } else if size != 1 {
            return Err(op.too_large(i, size));
        }
    }
    let out = cx.take(0)?.reshaped(Shape::new(kept)?)?;
    cx.set(0, out);
    Ok(())
}
