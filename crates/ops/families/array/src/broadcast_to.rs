//! `BroadcastTo`: broadcasts a tensor to a shape.

use super::broadcast_args::BROADCAST_GRADIENT_ARGS;
use crate::moves::{Axis, Layout, Mover, rearrange, shape_of_dims};
use crate::prelude::*;
use crate::rules::{Handles, first};

attrs! {
    /// Broadcasts `input` to the shape `shape`.
    pub struct BroadcastTo {
        /// Element type.
        dtype: DType = Attr::dtype("T", sets::ANY),
        /// Element type of `shape`.
        index: DType = Attr::dtype("Tidx", sets::INDEX).or_type(DType::I32),
    }
}

pub static BROADCAST_TO: Def<BroadcastTo> = op::<BroadcastTo>("BroadcastTo")
    .keeps_finite()
    .inputs(&[arg("input", of("T")), arg("shape", of("Tidx"))])
    .outputs(&[arg("output", of("T"))])
    .shape(|_, cx| {
        cx.output(0, cx.constant_shape(1));
        Ok(())
    })
    .gradient(|_, g| {
        let shape = g.input(0).shape_value();
        let axes = BROADCAST_GRADIENT_ARGS.call([shape, g.input(1).cast(DType::I32)]);
        first(g, g.dy(0).sum(axes).reshape(shape))
    })
    .kernel(broadcast_to::<Cpu>)
    .heavy()
    .host_inputs(&[1])
    .batch(|op, b| {
        if b.varies(1) {
            return None;
        }
        let all = b.output_shape(0).rank().or_else(|| b.shape(1).dim(0));
        let input = match (b.rank(0), all) {
            (Some(rank), Some(all)) if rank > all => return None,
            (Some(rank), Some(all)) => b.widened(0, all - rank),
            _ => {
                let dims = b.example_dims(0);
                let added = (b.input(1).size() - dims.size()).reshape(b.g().ints(&[1]));
                let ones = b.g().scalar(DType::I32, 1.0).fill(added);
                b.input(0).reshape(b.concat(&[b.size1(), ones, dims]))
            }
        };
        let shape = b.concat(&[b.size1().cast(op.index), b.input(1)]);
        b.one(b.again(&[input, shape]))
    });

/// The kernel of `BroadcastTo`, on any device that moves elements.
pub fn broadcast_to<D: Mover>(_: &BroadcastTo, cx: &mut KernelCx<'_, '_, D>) -> Result<()> {
    let (input, sizes) = (cx.input(0)?, cx.input(1)?);
    if sizes.shape().rank() != 1 {
        return Err(Error::invalid(format!("shape must be a vector of {{int32,int64}}, got shape {}", sizes.shape())));
    }
    let whole = shape_of_dims(sizes, "shape")?;
    let shape = input.shape();
    let Some(added) = whole.rank().checked_sub(shape.rank()) else {
        return Err(Error::invalid(format!(
            "Rank of input ({}) must be no greater than rank of output shape ({}).",
            shape.rank(),
            whole.rank()
        )));
    };
    let fits = shape.iter().zip(&whole[added..]).all(|(&d, &n)| d == n || d == 1);
    let out = if *shape == whole {
        cx.take(0)?
    } else if !fits {
        return Err(Error::invalid(format!("Incompatible shapes: {shape} vs. {whole}")));
    } else {
        let repeated = whole[..added].iter().map(|&n| Axis::strided(n, 0, 0));
        let axes = whole[added..].iter().zip(shape.iter().zip(shape.strides()));
        let kept = axes.map(|(&n, (&d, s))| Axis::strided(n, 0, if d == n { s as isize } else { 0 }));
        rearrange(cx, input, &Layout::new(repeated.chain(kept)), &whole, None)?
    };
    cx.set(0, out);
    Ok(())
}
