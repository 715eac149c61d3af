//! `OneHot`: indices as one-hot vectors.

use crate::moves::Mover;
use crate::prelude::*;
use crate::rules::never;

attrs! {
    /// Adds a new axis `axis` of size `depth` that holds `on_value` at the position given by the index and `off_value`
    /// elsewhere.
    pub struct OneHot {
        /// Position of the new axis; -1 for the last.
        axis: i64 = Attr::int("axis").or_int(-1),
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `indices`.
        index: DType = Attr::dtype("TI", &[DType::U8, DType::I8, DType::I32, DType::I64]).or_type(DType::I64),
    }
}

impl OneHot {
    fn at(&self, rank: usize) -> Result<usize> {
        match usize::try_from(self.axis) {
            Ok(axis) if axis <= rank => Ok(axis),
            _ if self.axis == -1 => Ok(rank),
            _ => Err(Error::invalid(format!(
                "Expected axis to be -1 or between [0, {}).  But received: {}",
                rank + 1,
                self.axis
            ))
            .attr("axis")),
        }
    }
}

pub static ONE_HOT: Def<OneHot> = op::<OneHot>("OneHot")
    .keeps_finite()
    .inputs(&[
        arg("indices", of("TI")),
        arg("depth", is(DType::I32)),
        arg("on_value", of("T")),
        arg("off_value", of("T")),
    ])
    .outputs(&[arg("output", of("T"))])
    .shape(shape)
    .gradient(|_, g| never(g))
    .kernel(one_hot::<Cpu>)
    .heavy()
    .host_inputs(&[1])
    .batch(|op, b| {
        if b.any_varies(1..4) {
            return None;
        }
        let axis = if op.axis == -1 { -1 } else { axis_behind(op.axis, Some(b.rank(0)? + 1))? };
        b.one(b.again_with(&b.inputs(), &[("axis", AttrValue::I(axis))]))
    });

fn shape(op: &OneHot, cx: &mut ShapeCx<'_>) -> Result<()> {
    let indices = cx.input(0);
    let Some(dims) = indices.dims() else { return Ok(()) };
    let at = op.at(dims.len())?;
    let depth = match cx.constant_i64s(1).as_deref() {
        Some([depth]) => usize::try_from(*depth).ok(),
        _ => None,
    };
    cx.output(0, PartialShape::new(dims[..at].iter().chain([&depth]).chain(&dims[at..]).copied()));
    Ok(())
}

/// The kernel of `OneHot`, on any device that moves elements.
pub fn one_hot<D: Mover>(op: &OneHot, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let indices = cx.input(0)?;
    let dims = indices.shape().dims();
    let at = op.at(dims.len())?;
    for (i, name) in [(1, "depth"), (2, "on_value"), (3, "off_value")] {
        let shape = cx.input(i)?.shape();
        if !shape.is_scalar() {
            return Err(Error::invalid(format!("{name} must be a scalar, but got: {shape}")));
        }
    }
    let depth = cx.scalar::<i32>(1)?;
    let depth =
        usize::try_from(depth).map_err(|_| Error::invalid(format!("depth must be non-negative, got: {depth}")))?;
    let shape = Shape::new(dims[..at].iter().chain([&depth]).chain(&dims[at..]).copied())?;
    let inner: usize = dims[at..].iter().product();
    let out = D::one_hot(cx, indices, cx.input(2)?, cx.input(3)?, &shape, depth, inner)?;
    cx.set(0, out);
    Ok(())
}
