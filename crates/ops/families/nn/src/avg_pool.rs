//! `AvgPool` and `AvgPool3D`.

use super::avg_pool_grad::{AVG_POOL_3D_GRAD, AVG_POOL_GRAD};
use super::pooling::{PoolAttrs, Pooling, SAME_OR_VALID, images, shape, volumes, windows};
use crate::prelude::*;
use crate::rules::first;

pub(super) const AVERAGED: &[AttrSpec] = &windows(sets::FLOATS, 2, SAME_OR_VALID);
pub(super) const AVERAGED_3D: &[AttrSpec] = &windows(sets::FLOATS, 3, SAME_OR_VALID);

pub static AVG_POOL: Def<PoolAttrs> = images("AvgPool")
    .doc("The mean of the elements under each window; padding does not count.")
    .attrs(AVERAGED)
    .inputs(&[arg("value", of("T"))])
    .shape(shape)
    .gradient(|op, g| first(g, AVG_POOL_GRAD.node(g, op, &[g.input(0).shape_value(), g.dy(0)])))
    .kernel(avg_pool)
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0]));

pub static AVG_POOL_3D: Def<PoolAttrs> = volumes("AvgPool3D")
    .doc("The mean of the elements under each window of volumes; padding does not count.")
    .attrs(AVERAGED_3D)
    .inputs(&[arg("input", of("T"))])
    .shape(shape)
    .gradient(|op, g| first(g, AVG_POOL_3D_GRAD.node(g, op, &[g.input(0).shape_value(), g.dy(0)])))
    .kernel(avg_pool)
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0]));

fn avg_pool(op: &PoolAttrs, cx: &mut Cx<'_, '_>) -> Result<()> {
    let input = cx.input(0)?;
    let pooling = op.over_pixels(cx, input.shape())?;
    let mut out = cx.alloc(op.dtype, pooling.output_shape())?;
    dispatch!(op.dtype, floats, |T| {
        average::<T>(cx, &pooling, input.slice()?, out.slice_mut()?);
        Ok(())
    }, else unsupported(cx, op.dtype))?;
    cx.set(0, out);
    Ok(())
}

fn average<T: Float>(cx: &Cx<'_, '_>, pooling: &Pooling, input: &[T], out: &mut [T]) {
    let channels = pooling.channels;
    let nanos = (pooling.window() * channels) as f64 * 0.15 + 10.0;
    cx.pool().for_chunks(out, channels, nanos, |first, piece| {
        let mut sums = vec![<T::Base>::zero(); channels];
        vectorized_for!(T, {
            for (i, out) in piece.chunks_exact_mut(channels).enumerate() {
                sums.fill(<T::Base>::zero());
                pooling.each_pixel(first + i, |pixel| {
                    let from = &input[pixel * channels..][..channels];
                    sums.iter_mut().zip(from).for_each(|(s, &v)| *s = *s + v.base());
                });
                let count = <T::Base>::from_usize(pooling.count(first + i));
                out.iter_mut().zip(&sums).for_each(|(o, &s)| *o = T::of_base(s / count));
            }
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run;

    #[test]
    fn padding_does_not_count() {
        for (padding, expected) in [("SAME", vec![2.0, 3.5, 6.5, 8.0]), ("VALID", vec![2.0])] {
            let op = AVG_POOL.of(PoolAttrs::of_images([2, 2], [2, 2], padding));
            let x = Tensor::from_vec(Shape::new([1, 3, 3, 1]).unwrap(), (0..9).map(|i| i as f32).collect()).unwrap();
            assert_eq!(run(op, vec![x], &[DType::F32]).unwrap()[0].slice::<f32>().unwrap(), expected);
        }
    }

    #[test]
    fn halves_are_added_in_f32() {
        let op = AVG_POOL_3D.of(PoolAttrs { dtype: DType::F16, ..PoolAttrs::of_volumes([8, 16, 32], "VALID") });
        let x = Tensor::from_vec(Shape::new([1, 8, 16, 32, 1]).unwrap(), vec![f16::from_f32(3.0); 4096]).unwrap();
        assert_eq!(run(op, vec![x], &[DType::F16]).unwrap()[0].slice::<f16>().unwrap(), [f16::from_f32(3.0)]);
    }
}
