//! `MaxPool`, `MaxPoolV2` and `MaxPool3D`.

use super::max_pool_grad::{MAX_POOL_3D_GRAD, MAX_POOL_GRAD};
use super::pooling::{
    ANY_PADDING, MAX_POOL_TYPES, PoolAttrs, Pooling, SAME_OR_VALID, by_pieces, given, images, shape, volumes, windows,
};
use crate::prelude::*;
use crate::rules::first;

const IMAGES: &[AttrSpec] = &windows(MAX_POOL_TYPES, 2, ANY_PADDING);
const VOLUMES: &[AttrSpec] = &windows(sets::FLOATS, 3, SAME_OR_VALID);

pub static MAX_POOL: Def<PoolAttrs> = images("MaxPool")
    .doc("Max pooling over images.")
    .attrs(IMAGES)
    .without(&["TInput"])
    .inputs(&[arg("input", of("T"))])
    .also(&[given("MaxPoolV2")
        .doc("Max pooling over images, with window sizes and strides given as inputs.")
        .attrs(&[Attr::one_of("padding", SAME_OR_VALID)])
        .inputs(&[arg("input", of("T")), arg("ksize", is(DType::I32)), arg("strides", is(DType::I32))])])
    .shape(shape)
    .host_inputs(&[1, 2])
    .gradient(|op, g| {
        let mut inputs = vec![g.input(0), g.output(0), g.dy(0)];
        inputs.extend((1..g.num_inputs()).map(|i| g.input(i)));
        first(g, MAX_POOL_GRAD.node(g, op, &inputs))
    })
    .kernel(max_pool)
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0]));

pub static MAX_POOL_3D: Def<PoolAttrs> = volumes("MaxPool3D")
    .doc("Max pooling over volumes.")
    .attrs(VOLUMES)
    .inputs(&[arg("input", of("T"))])
    .shape(shape)
    .gradient(|op, g| {
        let attrs = PoolAttrs { images: op.dtype, ..op.clone() };
        first(g, MAX_POOL_3D_GRAD.node(g, &attrs, &[g.input(0), g.output(0), g.dy(0)]))
    })
    .kernel(max_pool)
    .heavy()
    .batch(|_, b| levada_ops_core::batch::fold_rows(b, &[0]));

fn max_pool(op: &PoolAttrs, cx: &mut Cx<'_, '_>) -> Result<()> {
    let input = cx.input(0)?;
    let pooling = op.pooling(cx, input.shape())?;
    let mut out = cx.alloc(op.dtype, pooling.output_shape())?;
    dispatch!(op.dtype.storage(), reals, |T| {
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
    }, else unsupported(cx, op.dtype))?;
    cx.set(0, out);
    Ok(())
}

/// The larger of two; `a` if `b` is NaN, so NaN never wins over a number.
#[inline(always)]
fn larger<T: Real>(a: T, b: T) -> T {
    if a < b { b } else { a }
}

/// The maxima of `N` channels, from `first` on, over the pixels of a run of windows.
#[inline(always)]
fn largest<T: Real, const N: usize>(input: &[T], channels: usize, pixels: &[usize], out: &mut [T], first: usize) {
    let mut largest = [T::LOWEST; N];
    for pixel in pixels {
        let Some(from) = input[pixel * channels + first..].first_chunk::<N>() else { return };
        for k in 0..N {
            largest[k] = larger(largest[k], from[k]);
        }
    }
    out[first..first + N].copy_from_slice(&largest);
}

fn pixels<T: Real>(cx: &Cx<'_, '_>, pooling: &Pooling, input: &[T], out: &mut [T]) {
    let channels = pooling.channels;
    cx.pool().for_chunks(out, channels, pooling.nanos::<T>(), |first, piece| {
        let windows = first..first + piece.len() / channels.max(1);
        vectorized_for!(T, {
            pooling.for_runs(
                windows,
                #[inline(always)]
                |window, run, pixels| {
                    let out = &mut piece[(window - first) * channels..][..run * channels];
                    by_pieces!(out.len(), |first, N| largest::<_, N>(input, channels, pixels, out, first));
                },
            );
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::run_on;
    use levada_kernel::Bound;

    fn op(ksize: [i64; 4], strides: [i64; 4], padding: &'static str, format: &'static str) -> Bound<PoolAttrs> {
        MAX_POOL.of(PoolAttrs {
            ksize: ksize.to_vec(),
            strides: strides.to_vec(),
            data_format: format.into(),
            explicit_paddings: if padding == "EXPLICIT" { vec![0, 0, 1, 0, 0, 1, 0, 0] } else { Vec::new() },
            ..PoolAttrs::of_images([1, 1], [1, 1], padding)
        })
    }

    fn numbers(dims: [usize; 4]) -> Tensor {
        let shape = Shape::new(dims).unwrap();
        let values = (0..shape.num_elements()).map(|i| ((i * 31) % 17) as f32 - 8.0).collect();
        Tensor::from_vec(shape, values).unwrap()
    }

    #[test]
    fn windows_give_their_largest_element() {
        for (padding, before) in [("VALID", [0, 0]), ("SAME", [0, 0]), ("EXPLICIT", [1, 0])] {
            for threads in [1, 3] {
                let [n, h, w, c] = [2, 5, 6, 3];
                let x = numbers([n, h, w, c]);
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
        let x = numbers([2, 3, 4, 4]);
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
        let fails = |op: Bound<PoolAttrs>, x: [usize; 4], code: Code| {
            assert_eq!(run_on(1, op, vec![numbers(x)], &[DType::F32]).unwrap_err().code(), code);
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
