//! The gradients of `MaxPool`, `MaxPoolV2` and `MaxPool3D`, and the gradients of those.

use super::pooling::{Parameters, Pooling, pooling_op, same_shape};
use crate::prelude::*;

macro_rules! with_inputs {
    ($($(#[doc = $doc:literal])* $name:ident, $kernel:ident, $shape_input:literal;)*) => {$(
        attrs! {
            $(#[doc = $doc])*
            pub struct $name {
                /// Element type.
                dtype: DType = Attr::dtype("T", sets::REALS).or_type(DType::F32),
                /// `SAME` or `VALID`.
                padding: Bytes = Attr::one_of("padding", &["SAME", "VALID"]),
                /// Order of the axes.
                data_format: Bytes = Attr::one_of("data_format", &["NHWC", "NCHW"]).or_str("NHWC"),
            }
        }

        impl $name {
            /// The pooling of images of shape `input` with what the other inputs say.
            ///
            /// # Errors
            /// `INVALID_ARGUMENT` or `UNIMPLEMENTED` where the windows do not go with them.
            pub fn pooling(&self, ksize: &Tensor, strides: &Tensor, input: &Shape) -> Result<Pooling> {
                let (ksize, strides) = (ksize.to_i64s()?, strides.to_i64s()?);
                Pooling::new(&self.parameters(&ksize, &strides), input)
            }

            fn parameters<'a>(&'a self, ksize: &'a [i64], strides: &'a [i64]) -> Parameters<'a> {
                let (padding, data_format) = (&self.padding, &self.data_format);
                Parameters { spatial: 2, ksize, strides, padding, explicit_paddings: &[], data_format }
            }
        }

        impl Op for $name {
            const SPEC: Spec = Spec {
                name: stringify!($name),
                inputs: &[
                    arg("orig_input", of("T")),
                    arg("orig_output", of("T")),
                    arg("grad", of("T")),
                    arg("ksize", is(DType::I32)),
                    arg("strides", is(DType::I32)),
                ],
                outputs: &[arg("output", of("T"))],
                ..Spec::PURE
            };

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                let shape = cx.with_rank($shape_input, 4)?;
                cx.output(0, shape);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;
            const HOST_INPUTS: &'static [isize] = &[3, 4];

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                let (ksize, strides) = (cx.input(3)?.to_i64s()?, cx.input(4)?.to_i64s()?);
                $kernel(cx, self.dtype, &self.parameters(&ksize, &strides))
            }
        }
    )*};
}

macro_rules! with_attrs {
    ($($name:ident, $kernel:ident, $rank:literal, $shape_input:literal;)*) => {$(
        impl Op for $name {
            const SPEC: Spec = Self::SPEC;

            fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
                let shape = cx.with_rank($shape_input, $rank)?;
                cx.output(0, shape);
                Ok(())
            }
        }

        impl Kernel<Cpu> for $name {
            const COST: Cost = Cost::Heavy;

            fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
                $kernel(cx, self.dtype, &self.parameters())
            }
        }
    )*};
}

pooling_op! {
    /// The gradient of a `MaxPool`: each window's goes to its largest element, the first of several.
    MaxPoolGrad, spatial 2, sets::REALS, ["orig_input": of("T"), "orig_output": of("T"), "grad": of("T")],
    explicit explicit_paddings
}

pooling_op! {
    /// The gradient of a `MaxPoolGrad` by the gradient that it takes.
    MaxPoolGradGrad, spatial 2, sets::REALS, ["orig_input": of("T"), "orig_output": of("T"), "grad": of("T")]
}

pooling_op! {
    /// The gradient of a `MaxPool3D`: each window's goes to its largest element, the first of several.
    MaxPool3DGrad, spatial 3, sets::FLOATS,
    ["orig_input": of("TInput"), "orig_output": of("TInput"), "grad": of("T")], input_type "TInput"
}

pooling_op! {
    /// The gradient of a `MaxPool3DGrad` by the gradient that it takes.
    MaxPool3DGradGrad, spatial 3, sets::REALS, ["orig_input": of("T"), "orig_output": of("T"), "grad": of("T")]
}

with_attrs! {
    MaxPoolGrad, first_largest, 4, 0;
    MaxPoolGradGrad, pick, 4, 1;
    MaxPool3DGrad, first_largest, 5, 0;
    MaxPool3DGradGrad, pick, 5, 1;
}

with_inputs! {
    /// As `MaxPoolGrad`, for a `MaxPoolV2`.
    MaxPoolGradV2, first_largest, 0;
    /// As `MaxPoolGradGrad`, for a `MaxPoolV2`.
    MaxPoolGradGradV2, pick, 1;
}

fn unsupported(dtype: DType) -> Error {
    Error::unimplemented(format!("gradients of max pooling of {dtype} are not supported"))
}

/// Finds for every channel of a window the pixel that is the largest, the first of several; what a window that starts
/// with NaN keeps is that NaN. Gives its number in `places` and itself in `best`; false for windows without pixels.
#[inline(always)]
fn find<T: Real>(pooling: &Pooling, input: &[T], window: usize, best: &mut [T], places: &mut [u32]) -> bool {
    let channels = best.len();
    let mut some = false;
    let mut number = 0;
    pooling.each_pixel(window, |pixel| {
        let from = &input[pixel * channels..][..channels];
        if some {
            for ((best, place), &v) in best.iter_mut().zip(places.iter_mut()).zip(from) {
                let larger = *best < v;
                *best = if larger { v } else { *best };
                *place = if larger { number } else { *place };
            }
        } else {
            best.copy_from_slice(from);
            places.fill(0);
            some = true;
        }
        number += 1;
    });
    some
}

/// For every window and channel the number of the element that is the largest, as [`find`] finds it. -1 for windows
/// without elements.
pub(crate) fn largest<T: Real>(cx: &Cx<'_, '_>, pooling: &Pooling, input: &[T], out: &mut [i64]) {
    let channels = pooling.channels;
    let nanos = (pooling.window() * channels) as f64 * 0.2 + channels as f64 + 10.0;
    cx.pool().for_chunks(out, channels, nanos, |first, piece| {
        let (mut best, mut places) = (vec![T::zero(); channels], vec![0; channels]);
        let mut pixels = Vec::new();
        vectorized_for!(T, {
                for (i, out) in piece.chunks_exact_mut(channels).enumerate() {
                    pixels.clear();
                    pooling.each_pixel(first + i, |pixel| pixels.push(pixel));
                    if !find(pooling, input, first + i, &mut best, &mut places) {
                        out.fill(-1);
                        continue;
                    }
                    for (c, (o, &place)) in out.iter_mut().zip(&places).enumerate() {
                        *o = (pixels[place as usize] * channels + c) as i64;
                    }
                }
            });
    });
}

fn first_largest(cx: &mut Cx<'_, '_>, dtype: DType, parameters: &Parameters<'_>) -> Result<()> {
    let (input, grad) = (cx.input(0)?, cx.input(2)?);
    let pooling = Pooling::over_pixels(parameters, input.shape())?;
    pooling.check_output(cx.input(1)?, "orig_output")?;
    pooling.check_output(grad, "grad")?;
    let mut out = cx.alloc(dtype, input.shape())?;
    let channels = pooling.channels;
    let pixels: usize = pooling.axes.iter().map(|a| a.input).product();
    let windows: usize = pooling.axes.iter().map(|a| a.output).product();
    dispatch!(dtype, reals, |T| {
        let (input, grad) = (input.slice::<T>()?, grad.slice::<T>()?);
        let nanos = (windows * pooling.window() * channels) as f64 * 0.4;
        // Windows overlap, but not those of two images.
        cx.pool().for_chunks(out.slice_mut::<T>()?, pixels * channels, nanos, |first, piece| {
            let (mut best, mut places) = (vec![T::zero(); channels], vec![0; channels]);
            vectorized_for!(T, {
                    for (i, out) in piece.chunks_exact_mut(pixels * channels).enumerate() {
                        let image = first + i;
                        out.fill(T::zero());
                        for window in image * windows..(image + 1) * windows {
                            find(&pooling, input, window, &mut best, &mut places);
                            let grad = &grad[window * channels..][..channels];
                            let mut number = 0;
                            pooling.each_pixel(window, |pixel| {
                                let out = &mut out[(pixel - image * pixels) * channels..][..channels];
                                for (o, (&place, &g)) in out.iter_mut().zip(places.iter().zip(grad)) {
                                    *o = o.add(if place == number { g } else { T::zero() });
                                }
                                number += 1;
                            });
                        }
                    }
                });
        });
        Ok(())
    }, else Err(unsupported(dtype)))?;
    cx.set(0, out);
    Ok(())
}

/// For every window what is in `grad` where the window's first element is that equals its result; 0 where none does.
fn pick(cx: &mut Cx<'_, '_>, dtype: DType, parameters: &Parameters<'_>) -> Result<()> {
    let (input, output, grad) = (cx.input(0)?, cx.input(1)?, cx.input(2)?);
    let pooling = Pooling::over_pixels(parameters, input.shape())?;
    pooling.check_output(output, "orig_output")?;
    same_shape(grad, input.shape(), "grad")?;
    let mut out = cx.alloc(dtype, pooling.output_shape())?;
    let channels = pooling.channels;
    let nanos = (pooling.window() * channels) as f64 + 10.0;
    dispatch!(dtype, reals, |T| {
        let (input, output, grad) = (input.slice::<T>()?, output.slice::<T>()?, grad.slice::<T>()?);
        cx.pool().for_chunks(out.slice_mut::<T>()?, channels, nanos, |first, piece| {
            let mut found = vec![false; channels];
            for (i, out) in piece.chunks_exact_mut(channels).enumerate() {
                out.fill(T::zero());
                found.fill(false);
                let y = &output[(first + i) * channels..][..channels];
                pooling.each_pixel(first + i, |pixel| {
                    let range = pixel * channels..(pixel + 1) * channels;
                    let terms = input[range.clone()].iter().zip(&grad[range]).zip(y);
                    for ((o, found), ((x, g), y)) in out.iter_mut().zip(&mut found).zip(terms) {
                        if !*found && x == y {
                            (*o, *found) = (*g, true);
                        }
                    }
                });
            }
        });
        Ok(())
    }, else Err(unsupported(dtype)))?;
    cx.set(0, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{run, run_on};

    fn op(size: i64, stride: i64) -> MaxPoolGrad {
        MaxPoolGrad {
            dtype: DType::F32,
            ksize: vec![1, size, size, 1],
            strides: vec![1, stride, stride, 1],
            padding: "VALID".into(),
            data_format: "NHWC".into(),
            explicit_paddings: Vec::new(),
        }
    }

    fn images(dims: [usize; 4], values: &[f32]) -> Tensor {
        Tensor::from_vec(Shape::new(dims).unwrap(), values.to_vec()).unwrap()
    }

    #[test]
    fn the_first_largest_gets_the_gradient() {
        let (zeros, ones) = (images([1, 4, 4, 1], &[0.0; 16]), images([1, 2, 2, 1], &[1.0, 2.0, 3.0, 4.0]));
        let out = run(op(2, 2), vec![zeros.clone(), ones.clone(), ones.clone()], &[DType::F32]).unwrap();
        let expected = [1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        assert_eq!(out[0].slice::<f32>().unwrap(), expected);
        let rising: Vec<f32> = (0..32).map(|i| i as f32).collect();
        let two = images([2, 4, 4, 1], &rising);
        let grad = images([2, 2, 2, 1], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        let out = run_on(2, op(3, 1), vec![two, grad.clone(), grad], &[DType::F32]).unwrap();
        let out = out[0].slice::<f32>().unwrap();
        assert_eq!([out[10], out[11], out[14], out[15]], [1.0, 2.0, 3.0, 4.0]);
        assert_eq!([out[26], out[27], out[30], out[31]], [5.0, 6.0, 7.0, 8.0]);
        let wrong = images([1, 3, 2, 1], &[0.0; 6]);
        let error = run(op(2, 2), vec![zeros, ones, wrong], &[DType::F32]).unwrap_err();
        assert_eq!(error.code(), Code::InvalidArgument);
    }

    #[test]
    fn volumes_give_it_to_the_first_as_well() {
        let op = MaxPool3DGrad {
            dtype: DType::F32,
            input_type: DType::F32,
            ksize: vec![1, 1, 1, 2, 1],
            strides: vec![1; 5],
            padding: "VALID".into(),
            data_format: "NDHWC".into(),
        };
        let volume =
            |n: usize, values: &[f32]| Tensor::from_vec(Shape::new([1, 1, 1, n, 1]).unwrap(), values.to_vec()).unwrap();
        let inputs = vec![volume(3, &[5.0, 5.0, 2.0]), volume(2, &[5.0, 5.0]), volume(2, &[1.0, 10.0])];
        assert_eq!(run(op, inputs, &[DType::F32]).unwrap()[0].slice::<f32>().unwrap(), [1.0, 10.0, 0.0]);
    }
}
