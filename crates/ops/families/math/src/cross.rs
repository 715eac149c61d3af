//! `Cross`: the cross product of 3-element vectors.

use crate::prelude::*;

attrs! {
    /// The cross product of the 3-element vectors along the last axis.
    pub struct Cross {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::REALS),
    }
}

pub static CROSS: Def<Cross> = op::<Cross>("Cross")
    .inputs(&[arg("a", of("T")), arg("b", of("T"))])
    .outputs(&[arg("product", of("T"))])
    .shape(|_, cx| {
        let shape = cx.rank_at_least(0, 1)?.merge(&cx.rank_at_least(1, 1)?)?;
        if let Some([.., last]) = shape.dims() {
            PartialShape::vector(*last).merge(&PartialShape::vector(Some(3)))?;
        }
        cx.output(0, shape);
        Ok(())
    })
    .gradient(|op, g| {
        let (a, b, dy) = (g.input(0), g.input(1), g.dy(0));
        vec![CROSS.node(g, op, &[b, dy]).into(), CROSS.node(g, op, &[dy, a]).into()]
    })
    .kernel(|op, cx| dispatch!(op.dtype, reals, |T| cross::<T>(cx), else unsupported(cx, op.dtype)))
    .batch(|op, b| if b.rank(0)? < 1 || b.rank(0)? != b.rank(1)? { None } else { leading(op, b) });

fn cross<T: Real>(cx: &mut Cx<'_, '_>) -> Result<()> {
    let (shape, other) = (cx.input(0)?.shape().clone(), cx.input(1)?.shape());
    if shape != *other {
        return Err(Error::invalid(format!("Both inputs must be of same shape: {shape} vs. {other}")));
    }
    match shape.last() {
        None => return Err(Error::invalid("Input must be at least 1D").found("a scalar")),
        Some(3) => {}
        Some(size) => {
            return Err(Error::failed_precondition("Cross-products are only defined for 3-element vectors").found(size));
        }
    }
    cx.produce::<T>(0, &shape, |cx, out| {
        let (a, b) = (cx.slice::<T>(0)?, cx.slice::<T>(1)?);
        cx.pool().for_chunks(out, 3, 5.0, |first, out| {
            let vectors = a[3 * first..].chunks_exact(3).zip(b[3 * first..].chunks_exact(3));
            for (out, (a, b)) in out.chunks_exact_mut(3).zip(vectors) {
                let minor = |i: usize, j: usize| a[i].mul(b[j]).sub(a[j].mul(b[i]));
                out.copy_from_slice(&[minor(1, 2), minor(2, 0), minor(0, 1)]);
            }
        });
        Ok(())
    })
}
