//! `AvgPool` and `AvgPool3D`.

use super::pooling::{Parameters, Pooling, pooling_op};
use crate::prelude::*;

pooling_op! {
    /// The mean of the elements under each window; padding does not count.
    AvgPool, spatial 2, sets::FLOATS, ["value": of("T")]
}

impl Op for AvgPool {
    const SPEC: Spec = Self::SPEC;

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        self.parameters().shape(cx)
    }
}

impl Kernel<Cpu> for AvgPool {
    const COST: Cost = Cost::Heavy;

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        avg_pool(cx, self.dtype, &self.parameters())
    }
}

pooling_op! {
    /// The mean of the elements under each window of volumes; padding does not count.
    AvgPool3D, spatial 3, sets::FLOATS, ["input": of("T")]
}

impl Op for AvgPool3D {
    const SPEC: Spec = Self::SPEC;

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        self.parameters().shape(cx)
    }
}

impl Kernel<Cpu> for AvgPool3D {
    const COST: Cost = Cost::Heavy;

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        avg_pool(cx, self.dtype, &self.parameters())
    }
}

fn avg_pool(cx: &mut Cx<'_, '_>, dtype: DType, parameters: &Parameters<'_>) -> Result<()> {
    let pooling = Pooling::over_pixels(parameters, cx.input(0)?.shape())?;
    let mut out = cx.alloc(dtype, pooling.output_shape())?;
    let input = cx.input(0)?;
    dispatch!(dtype, floats, |T| {
        average::<T>(cx, &pooling, input.slice()?, out.slice_mut()?);
        Ok(())
    }, else Err(Error::unimplemented(format!("average pooling of {dtype} is not supported"))))?;
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
            let op = AvgPool {
                dtype: DType::F32,
                ksize: vec![1, 2, 2, 1],
                strides: vec![1, 2, 2, 1],
                padding: padding.into(),
                data_format: "NHWC".into(),
            };
            let x = Tensor::from_vec(Shape::new([1, 3, 3, 1]).unwrap(), (0..9).map(|i| i as f32).collect()).unwrap();
            assert_eq!(run(op, vec![x], &[DType::F32]).unwrap()[0].slice::<f32>().unwrap(), expected);
        }
    }

    #[test]
    fn halves_are_added_in_f32() {
        let op = AvgPool3D {
            dtype: DType::F16,
            ksize: vec![1, 8, 16, 32, 1],
            strides: vec![1; 5],
            padding: "VALID".into(),
            data_format: "NDHWC".into(),
        };
        let x = Tensor::from_vec(Shape::new([1, 8, 16, 32, 1]).unwrap(), vec![f16::from_f32(3.0); 4096]).unwrap();
        assert_eq!(run(op, vec![x], &[DType::F16]).unwrap()[0].slice::<f16>().unwrap(), [f16::from_f32(3.0)]);
    }
}
