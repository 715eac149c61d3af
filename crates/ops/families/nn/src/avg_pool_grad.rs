//! The gradients of `AvgPool` and `AvgPool3D`.

use super::avg_pool::{AVERAGED, AVERAGED_3D, AVG_POOL, AVG_POOL_3D};
use super::pooling::{PoolAttrs, images, volumes};
use crate::prelude::*;
use crate::rules::NONE;
use levada_ops_core::images::window::shape_from;

const INPUTS: &[Arg] = &[arg("orig_input_shape", is(DType::I32)), arg("grad", of("T"))];

pub static AVG_POOL_GRAD: Def<PoolAttrs> = images("AvgPoolGrad")
    .doc("The gradient of `AvgPool`.")
    .attrs(AVERAGED)
    .inputs(INPUTS)
    .shape(shape)
    .gradient(|op, g| vec![NONE, AVG_POOL.node(g, op, &[g.dy(0)]).into()])
    .host_inputs(&[0])
    .kernel(avg_pool_grad)
    .heavy()
    .batch(|_, b| {
        if b.varies(0) {
            return None;
        }
        let sizes = b.input(0);
        let all = b.concat(&[sizes.slice1(0, 1) * b.size1(), sizes.slice1(1, -1)]);
        let dx = b.again(&[all, levada_ops_core::batch::folded(b, b.input(1))]);
        b.one(levada_ops_core::batch::unfolded(b, dx, sizes.slice1(0, 1)))
    });

pub static AVG_POOL_3D_GRAD: Def<PoolAttrs> = volumes("AvgPool3DGrad")
    .doc("The gradient of `AvgPool3D`.")
    .attrs(AVERAGED_3D)
    .inputs(INPUTS)
    .shape(shape)
    .gradient(|op, g| vec![NONE, AVG_POOL_3D.node(g, op, &[g.dy(0)]).into()])
    .host_inputs(&[0])
    .kernel(avg_pool_grad)
    .heavy()
    .batch(|_, b| {
        if b.varies(0) {
            return None;
        }
        let sizes = b.input(0);
        let all = b.concat(&[sizes.slice1(0, 1) * b.size1(), sizes.slice1(1, -1)]);
        let dx = b.again(&[all, levada_ops_core::batch::folded(b, b.input(1))]);
        b.one(levada_ops_core::batch::unfolded(b, dx, sizes.slice1(0, 1)))
    });

fn shape(op: &PoolAttrs, cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.with_rank(1, op.rank())?;
    let shape = cx.constant_shape(0).merge(&PartialShape::of_rank(op.rank()))?;
    cx.output(0, shape);
    Ok(())
}

fn avg_pool_grad(op: &PoolAttrs, cx: &mut Cx<'_, '_>) -> Result<()> {
    let shape = shape_from(cx.input(0)?, "orig_input_shape")?;
    let pooling = op.over_pixels(cx, &shape)?;
    let grad = cx.input(1)?;
    pooling.check_output(grad, "grad")?;
    let mut out = cx.alloc(op.dtype, &shape)?;
    let channels = pooling.channels;
    dispatch!(op.dtype, floats, |T| {
        let grad = grad.slice::<T>()?;
        cx.pool().for_chunks(out.slice_mut::<T>()?, channels, channels as f64 * 0.5 + 20.0, |first, piece| {
            let mut sums = vec![<T as Float>::Base::zero(); channels];
            vectorized_for!(T, {
                for (i, out) in piece.chunks_exact_mut(channels).enumerate() {
                    sums.fill(<T as Float>::Base::zero());
                    pooling.each_window(first + i, |window| {
                        let part = <T as Float>::Base::one() / <T as Float>::Base::from_usize(pooling.count(window));
                        let from = &grad[window * channels..][..channels];
                        sums.iter_mut().zip(from).for_each(|(s, g)| *s += g.base() * part);
                    });
                    out.iter_mut().zip(&sums).for_each(|(o, &s)| *o = T::of_base(s));
                }
            });
        });
        Ok(())
    }, else unsupported(cx, op.dtype))?;
    cx.set(0, out);
    Ok(())
}
