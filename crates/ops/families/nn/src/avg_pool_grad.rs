//! The gradients of `AvgPool` and `AvgPool3D`.

use super::convolution::shape_from;
use super::pooling::{Parameters, Pooling, pooling_op};
use crate::prelude::*;

pooling_op! {
    /// The gradient of an `AvgPool`.
    AvgPoolGrad, spatial 2, sets::FLOATS, ["orig_input_shape": is(DType::I32), "grad": of("T")]
}

pooling_op! {
    /// The gradient of an `AvgPool3D`.
    AvgPool3DGrad, spatial 3, sets::FLOATS, ["orig_input_shape": is(DType::I32), "grad": of("T")]
}

macro_rules! gradients {
    ($($name:ident, $rank:literal;)*) => {$(
        impl Op for $name {
            const SPEC: Spec = Self::SPEC;

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                cx.with_rank(1, $rank)?;
                let shape = cx.constant_shape(0).merge(&PartialShape::of_rank($rank))?;
                cx.output(0, shape);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;
            const HOST_INPUTS: &'static [isize] = &[0];

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                avg_pool_grad(cx, self.dtype, &self.parameters())
            }
        }
    )*};
}

gradients! {
    AvgPoolGrad, 4;
    AvgPool3DGrad, 5;
}

fn avg_pool_grad(cx: &mut Cx<'_, '_>, dtype: DType, parameters: &Parameters<'_>) -> Result<()> {
    let shape = shape_from(cx.input(0)?, "orig_input_shape")?;
    let pooling = Pooling::over_pixels(parameters, &shape)?;
    let grad = cx.input(1)?;
    pooling.check_output(grad, "grad")?;
    let mut out = cx.alloc(dtype, &shape)?;
    let channels = pooling.channels;
    dispatch!(dtype, floats, |T| {
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
    }, else Err(Error::unimplemented(format!("average pooling of {dtype} is not supported"))))?;
    cx.set(0, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{run, run_on};

    fn op(padding: &'static str) -> AvgPoolGrad {
        AvgPoolGrad {
            dtype: DType::F32,
            ksize: vec![1, 2, 2, 1],
            strides: vec![1, 2, 2, 1],
            padding: padding.into(),
            data_format: "NHWC".into(),
        }
    }

    fn images(dims: [usize; 4]) -> Tensor {
        let shape = Shape::new(dims).unwrap();
        let values = (0..shape.num_elements()).map(|i| i as f32 + 1.0).collect();
        Tensor::from_vec(shape, values).unwrap()
    }

    #[test]
    fn every_element_gets_its_part() {
        let sizes = || Tensor::vector(vec![1, 3, 3, 1]);
        let out = run_on(2, op("SAME"), vec![sizes(), images([1, 2, 2, 1])], &[DType::F32]).unwrap();
        assert_eq!(out[0].slice::<f32>().unwrap(), [0.25, 0.25, 1.0, 0.25, 0.25, 1.0, 1.5, 1.5, 4.0]);
        let out = run(op("VALID"), vec![sizes(), images([1, 1, 1, 1])], &[DType::F32]).unwrap();
        assert_eq!(out[0].slice::<f32>().unwrap(), [0.25, 0.25, 0.0, 0.25, 0.25, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn wrong_sizes_are_refused() {
        for sizes in [vec![1, 3, 3], vec![1, 3, -3, 1], vec![2, 3, 3, 1], vec![i32::MAX; 4], vec![1, 4, 4, 1]] {
            let inputs = vec![Tensor::vector(sizes), images([1, 1, 1, 1])];
            assert_eq!(run(op("VALID"), inputs, &[DType::F32]).unwrap_err().code(), Code::InvalidArgument);
        }
    }
}
