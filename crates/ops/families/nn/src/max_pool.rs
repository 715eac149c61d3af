//! `MaxPool`, `MaxPoolV2` and `MaxPool3D`.

use super::pooling::{Parameters, Pooling, pooling_op};
use super::window::Layout;
use crate::prelude::*;

const TYPES: &[DType] = {
    use DType::*;
    &[F16, BF16, F32, F64, I32, I64, U8, I16, I8, U16, U32, U64, QI8]
};

pooling_op! {
    /// The largest element under each window.
    MaxPool, spatial 2, TYPES, ["input": of("T")], explicit explicit_paddings
}

impl Op for MaxPool {
    const SPEC: Spec = Self::SPEC;

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        self.parameters().shape(cx)
    }
}

impl Kernel<Cpu> for MaxPool {
    const COST: Cost = Cost::Heavy;

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        max_pool(cx, self.dtype, &self.parameters())
    }
}

pooling_op! {
    /// The largest element under each window of volumes.
    MaxPool3D, spatial 3, sets::FLOATS, ["input": of("T")]
}

impl Op for MaxPool3D {
    const SPEC: Spec = Self::SPEC;

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        self.parameters().shape(cx)
    }
}

impl Kernel<Cpu> for MaxPool3D {
    const COST: Cost = Cost::Heavy;

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        max_pool(cx, self.dtype, &self.parameters())
    }
}

attrs! {
    /// The largest element under each window; sizes and strides of windows are inputs.
    pub struct MaxPoolV2 {
        /// Element type.
        dtype: DType = Attr::dtype("T", TYPES).or_type(DType::F32),
        /// `SAME` or `VALID`.
        padding: Bytes = Attr::one_of("padding", &["SAME", "VALID"]),
        /// Order of the axes.
        data_format: Bytes = Attr::one_of("data_format", &["NHWC", "NCHW", "NCHW_VECT_C"]).or_str("NHWC"),
    }
}

impl MaxPoolV2 {
    /// The pooling of images of shape `input` with what the other inputs say.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` or `UNIMPLEMENTED` where the windows do not go with them.
    pub fn pooling(&self, ksize: &Tensor, strides: &Tensor, input: &Shape) -> Result<Pooling> {
        Pooling::new(&self.parameters(&ksize.to_i64s()?, &strides.to_i64s()?), input)
    }

    fn parameters<'a>(&'a self, ksize: &'a [i64], strides: &'a [i64]) -> Parameters<'a> {
        let (padding, data_format) = (&self.padding, &self.data_format);
        Parameters { spatial: 2, ksize, strides, padding, explicit_paddings: &[], data_format }
    }
}

impl Op for MaxPoolV2 {
    const SPEC: Spec = Spec {
        name: "MaxPoolV2",
        inputs: &[arg("input", of("T")), arg("ksize", is(DType::I32)), arg("strides", is(DType::I32))],
        outputs: &[arg("output", of("T"))],
        ..Spec::PURE
    };

    fn shape(&self, cx: &mut ShapeCx<'_>) -> Result<()> {
        let input = cx.with_rank(0, 4)?;
        let shape = match (cx.constant_i64s(1), cx.constant_i64s(2)) {
            (Some(ksize), Some(strides)) => self.parameters(&ksize, &strides).partial(&input)?,
            _ => {
                Layout::of(&self.data_format)?;
                PartialShape::of_rank(4)
            }
        };
        cx.output(0, shape);
        Ok(())
    }
}

impl Kernel<Cpu> for MaxPoolV2 {
    const COST: Cost = Cost::Heavy;
    const HOST_INPUTS: &'static [isize] = &[1, 2];

    fn compute(&self, cx: &mut Cx<'_, '_>) -> Result<()> {
        let (ksize, strides) = (cx.input(1)?.to_i64s()?, cx.input(2)?.to_i64s()?);
        max_pool(cx, self.dtype, &self.parameters(&ksize, &strides))
    }
}

fn max_pool(cx: &mut Cx<'_, '_>, dtype: DType, parameters: &Parameters<'_>) -> Result<()> {
    let pooling = Pooling::new(parameters, cx.input(0)?.shape())?;
    let mut out = cx.alloc(dtype, pooling.output_shape())?;
    let input = cx.input(0)?;
    dispatch!(dtype.storage(), reals, |T| {
        let (input, out) = (input.slice::<T>()?, out.slice_mut::<T>()?);
        if pooling.depth_window > 1 {
            let window = pooling.depth_window;
            cx.pool().for_chunks(out, 1, window as f64, |first, piece| {
                for (o, values) in piece.iter_mut().zip(input[first * window..].chunks_exact(window)) {
                    *o = values.iter().fold(T::LOWEST, |a, &b| larger(a, b));
                }
            });
        } else {
            pixels(cx, &pooling, input, out);
        }
        Ok(())
    }, else Err(Error::unimplemented(format!("max pooling of {dtype} is not supported"))))?;
    cx.set(0, out);
    Ok(())
}

/// The larger of two; `a` where `b` is NaN, so NaN never wins over a number.
#[inline(always)]
fn larger<T: Real>(a: T, b: T) -> T {
    if a < b { b } else { a }
}

fn pixels<T: Real>(cx: &Cx<'_, '_>, pooling: &Pooling, input: &[T], out: &mut [T]) {
    let channels = pooling.channels;
    let nanos = (pooling.window() * channels) as f64 * 0.1 + 5.0;
    cx.pool().for_chunks(out, channels, nanos, |first, piece| {
        vectorized_for!(T, {
                for (i, out) in piece.chunks_exact_mut(channels).enumerate() {
                    if channels == 1 {
                        let mut largest = T::LOWEST;
                        pooling.each_pixel(first + i, |pixel| largest = larger(largest, input[pixel]));
                        out[0] = largest;
                        continue;
                    }
                    out.fill(T::LOWEST);
                    pooling.each_pixel(first + i, |pixel| {
                        let from = &input[pixel * channels..][..channels];
                        out.iter_mut().zip(from).for_each(|(o, &v)| *o = larger(*o, v));
                    });
                }
            });
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run_on;

    fn op(ksize: [i64; 4], strides: [i64; 4], padding: &str, format: &str) -> MaxPool {
        MaxPool {
            dtype: DType::F32,
            ksize: ksize.to_vec(),
            strides: strides.to_vec(),
            padding: Bytes::copy_from_slice(padding.as_bytes()),
            data_format: Bytes::copy_from_slice(format.as_bytes()),
            explicit_paddings: if padding == "EXPLICIT" { vec![0, 0, 1, 0, 0, 1, 0, 0] } else { Vec::new() },
        }
    }

    fn images(dims: [usize; 4]) -> Tensor {
        let shape = Shape::new(dims).unwrap();
        let values = (0..shape.num_elements()).map(|i| ((i * 31) % 17) as f32 - 8.0).collect();
        Tensor::from_vec(shape, values).unwrap()
    }

    #[test]
    fn windows_give_their_largest_element() {
        for (padding, before) in [("VALID", [0, 0]), ("SAME", [0, 0]), ("EXPLICIT", [1, 0])] {
            for threads in [1, 3] {
                let [n, h, w, c] = [2, 5, 6, 3];
                let x = images([n, h, w, c]);
                let got =
                    run_on(threads, op([1, 2, 3, 1], [1, 2, 3, 1], padding, "NHWC"), vec![x.clone()], &[DType::F32]);
                let got = &got.unwrap()[0];
                let (x, shape) = (x.slice::<f32>().unwrap(), got.shape().clone());
                let expected = match padding {
                    "VALID" => [n, 2, 2, c],
                    "SAME" => [n, 3, 2, c],
                    _ => [n, 3, 2, c],
                };
                assert_eq!(shape.dims(), expected);
                for (i, &value) in got.slice::<f32>().unwrap().iter().enumerate() {
                    let (ch, rest) = (i % c, i / c);
                    let (ow, rest) = (rest % shape[2], rest / shape[2]);
                    let (oh, b) = (rest % shape[1], rest / shape[1]);
                    let mut largest = f32::MIN;
                    for y in 0..2 {
                        for z in 0..3 {
                            let (y, z) = (oh * 2 + y, ow * 3 + z);
                            if y < before[0] || z < before[1] || y - before[0] >= h || z - before[1] >= w {
                                continue;
                            }
                            largest = largest.max(x[((b * h + y - before[0]) * w + z - before[1]) * c + ch]);
                        }
                    }
                    assert_eq!(value, largest);
                }
            }
        }
    }

    #[test]
    fn channels_may_come_first_and_be_pooled() {
        let x = images([2, 3, 4, 4]);
        let first = run_on(1, op([1, 1, 2, 2], [1, 1, 2, 2], "VALID", "NCHW"), vec![x.clone()], &[DType::F32]).unwrap();
        let single = x.clone().reshaped(Shape::new([6, 4, 4, 1]).unwrap()).unwrap();
        let last = run_on(1, op([1, 2, 2, 1], [1, 2, 2, 1], "VALID", "NHWC"), vec![single], &[DType::F32]).unwrap();
        assert_eq!(first[0].slice::<f32>().unwrap(), last[0].slice::<f32>().unwrap());
        let depth = run_on(1, op([1, 1, 1, 2], [1, 1, 1, 2], "VALID", "NHWC"), vec![x.clone()], &[DType::F32]).unwrap();
        assert_eq!(depth[0].shape().dims(), [2, 3, 4, 2]);
        let expected: Vec<f32> = x.slice::<f32>().unwrap().chunks(2).map(|v| v[0].max(v[1])).collect();
        assert_eq!(depth[0].slice::<f32>().unwrap(), expected);
    }

    #[test]
    fn wrong_windows_are_refused() {
        let fails = |op: MaxPool, x: [usize; 4], code: Code| {
            assert_eq!(run_on(1, op, vec![images(x)], &[DType::F32]).unwrap_err().code(), code);
        };
        let x = [2, 4, 4, 4];
        fails(op([2, 1, 1, 1], [1; 4], "VALID", "NHWC"), x, Code::Unimplemented);
        fails(op([1, 2, 2, 2], [1, 1, 1, 2], "VALID", "NHWC"), x, Code::Unimplemented);
        fails(op([1, 1, 1, 3], [1, 1, 1, 3], "VALID", "NHWC"), x, Code::Unimplemented);
        fails(op([1, 0, 2, 1], [1; 4], "VALID", "NHWC"), x, Code::InvalidArgument);
        fails(op([1, 2, 2, 1], [1, 0, 1, 1], "VALID", "NHWC"), x, Code::InvalidArgument);
        fails(op([1, 1, 2, 1], [1; 4], "EXPLICIT", "NHWC"), x, Code::InvalidArgument);
        fails(op([1, 9, 2, 1], [1; 4], "VALID", "NHWC"), x, Code::InvalidArgument);
    }
}
