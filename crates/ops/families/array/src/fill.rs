//! `Fill`: a tensor filled with one value.

use crate::moves::{Mover, is_scalar_like, shape_of_dims};
use crate::prelude::*;
use crate::rules::BROADCAST_TO;
use crate::rules::{NONE, range};

attrs! {
    /// Returns a tensor of shape `dims` whose elements are all `value`.
    pub struct Fill {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `dims`.
        index: DType = Attr::dtype("index_type", sets::INDEX).or_type(DType::I32),
    }
}

pub static FILL: Def<Fill> = op::<Fill>("Fill")
    .inputs(&[arg("dims", of("index_type")), arg("value", of("T"))])
    .outputs(&[arg("output", of("T"))])
    .counts("T")
    .shape(|_, cx| {
        cx.output(0, cx.constant_shape(0));
        Ok(())
    })
    .gradient(|_, g| {
        let dy = g.dy(0);
        vec![NONE, dy.sum(range(g, dy.rank_value())).into()]
    })
    .kernel(fill::<Cpu>)
    .heavy()
    .host_inputs(&[0])
    .batch(|op, b| {
        let rank = b.output_shape(0).rank()?;
        if b.varies(0) || b.rank(1)? > 0 {
            return None;
        }
        let shape = b.concat(&[b.size1().cast(op.index), b.input(0)]);
        b.one(BROADCAST_TO.call([b.widened(1, rank), shape]))
    });

/// The kernel of `Fill`, on any device that moves elements.
pub fn fill<D: Mover>(op: &Fill, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let shape = shape_of_dims(cx.input(0)?, "dims")?;
    let value = cx.input(1)?;
    if !is_scalar_like(value) {
        return Err(Error::invalid(format!("value must represent a scalar, got shape {}", value.shape())));
    }
    let out = D::fill(cx, op.dtype, &shape, value)?;
    cx.set(0, out);
    Ok(())
}
