//! Convolutions and their gradients, compared with the naive loop.

use levada_ops_convolution::types::*;
use levada_ops_core::images::swap;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::run_on;

/// A two-dimensional convolution.
#[derive(Clone, Debug)]
struct Case {
    dtype: DType,
    input: [usize; 4],
    filter: [usize; 4],
    strides: [i64; 2],
    dilations: [i64; 2],
    padding: &'static str,
    explicit: [i64; 4],
}

fn numbers(shape: &[usize], seed: usize) -> Tensor {
    let shape = Shape::new(shape.iter().copied()).unwrap();
    let values = (0..shape.num_elements()).map(|i| ((i * 7 + seed * 5 + i / 11) % 9) as f64 - 4.0).collect();
    Tensor::from_vec(shape, values).unwrap()
}

fn cast(tensor: &Tensor, dtype: DType) -> Tensor {
    let values = tensor.slice::<f64>().unwrap();
    dispatch!(dtype, reals, |T| {
        let values = values.iter().map(|&v| <T as Real>::from_f64(v)).collect::<Vec<T>>();
        Tensor::from_vec(tensor.shape().clone(), values).unwrap()
    }, else unreachable!())
}

fn widen(tensor: &Tensor) -> Vec<f64> {
    dispatch!(tensor.dtype(), reals, |T| {
        tensor.slice::<T>().unwrap().iter().map(|v| Real::to_f64(*v)).collect()
    }, else unreachable!())
}

impl Case {
    fn attrs(&self, first: bool) -> Conv2D {
        let list = |v: [i64; 2]| if first { vec![1, 1, v[0], v[1]] } else { vec![1, v[0], v[1], 1] };
        let [t, b, l, r] = self.explicit;
        let pads = if first { vec![0, 0, 0, 0, t, b, l, r] } else { vec![0, 0, t, b, l, r, 0, 0] };
        Conv2D {
            dtype: self.dtype,
            strides: list(self.strides),
            use_cudnn_on_gpu: true,
            padding: self.padding.into(),
            explicit_paddings: if self.padding == "EXPLICIT" { pads } else { Vec::new() },
            data_format: if first { "NCHW" } else { "NHWC" }.into(),
            dilations: list(self.dilations),
        }
    }

    fn shape(&self, last: [usize; 4], first: bool) -> Vec<usize> {
        let [n, h, w, c] = last;
        if first { vec![n, c, h, w] } else { vec![n, h, w, c] }
    }

    /// Calls `f` with the indices into input, filter and result for every product of the convolution.
    fn products(&self, mut f: impl FnMut(usize, usize, usize)) -> Vec<usize> {
        let (input, filter) = (Shape::new(self.input).unwrap(), Shape::new(self.filter).unwrap());
        let convolution = self.attrs(false).convolution(&input, &filter).unwrap();
        let [_, ah, aw] = convolution.axes;
        let ([n, ih, iw, ic], [kh, kw, fc, oc]) = (self.input, self.filter);
        let each_out = oc / convolution.groups.max(1);
        for b in 0..n {
            for oh in 0..ah.output {
                for ow in 0..aw.output {
                    for o in 0..oc {
                        for y in 0..kh {
                            for x in 0..kw {
                                let h = ah.start(oh) + (y * ah.dilation) as isize;
                                let w = aw.start(ow) + (x * aw.dilation) as isize;
                                if h < 0 || w < 0 || h >= ih as isize || w >= iw as isize {
                                    continue;
                                }
                                for c in 0..fc {
                                    let channel = o / each_out * fc + c;
                                    let input = ((b * ih + h as usize) * iw + w as usize) * ic + channel;
                                    let filter = ((y * kw + x) * fc + c) * oc + o;
                                    f(input, filter, ((b * ah.output + oh) * aw.output + ow) * oc + o);
                                }
                            }
                        }
                    }
                }
            }
        }
        vec![n, ah.output, aw.output, oc]
    }

    fn swapped(tensor: &Tensor, first: bool) -> Tensor {
        if !first {
            return tensor.clone();
        }
        let d = tensor.shape().dims().to_vec();
        let mut out = vec![0f64; tensor.num_elements()];
        swap(&levada_kernel::Pool::new(1), tensor.slice::<f64>().unwrap(), &mut out, d[1] * d[2], d[3]);
        Tensor::from_vec(Shape::new([d[0], d[3], d[1], d[2]]).unwrap(), out).unwrap()
    }

    fn check(&self, threads: usize, first: bool) {
        let dtype = self.dtype;
        let (x, f) = (numbers(&self.input, 1), numbers(&self.filter, 2));
        let (xs, fs) = (x.slice::<f64>().unwrap(), f.slice::<f64>().unwrap());
        let out_shape = self.products(|_, _, _| ());
        let dy = numbers(&out_shape, 3);
        let dys = dy.slice::<f64>().unwrap();
        let (mut y, mut dx, mut df) = (vec![0.0; dys.len()], vec![0.0; xs.len()], vec![0.0; fs.len()]);
        self.products(|i, k, o| {
            y[o] += xs[i] * fs[k];
            dx[i] += dys[o] * fs[k];
            df[k] += xs[i] * dys[o];
        });
        let wrap = |dims: &[usize], v: Vec<f64>| {
            let shape = Shape::new(dims.iter().copied()).unwrap();
            cast(&Self::swapped(&Tensor::from_vec(shape, v).unwrap(), first), dtype)
        };
        let (y, dx) = (wrap(&out_shape, y), wrap(&self.input, dx));
        let df = cast(&Tensor::from_vec(f.shape().clone(), df).unwrap(), dtype);
        let (x, dy) = (cast(&Self::swapped(&x, first), dtype), cast(&Self::swapped(&dy, first), dtype));
        let f = cast(&f, dtype);
        let attrs = self.attrs(first);
        let sizes = |dims: &[usize]| Tensor::vector(dims.iter().map(|&d| d as i32).collect());
        let close = |what: &str, got: Result<Vec<Tensor>>, expected: &Tensor| {
            let got = &got.unwrap()[0];
            assert_eq!((got.dtype(), got.shape()), (expected.dtype(), expected.shape()), "{what} {self:?}");
            let equal = widen(got).iter().zip(widen(expected)).all(|(a, b)| (a - b).abs() <= 4e-3 * b.abs());
            assert!(equal, "{what} {threads} {first} {self:?}\n{got}\n{expected}");
        };
        close("forward", run_on(threads, CONV2D.of(attrs.clone()), vec![x.clone(), f.clone()], &[dtype]), &y);
        let inputs = vec![sizes(&self.shape(self.input, first)), f.clone(), dy.clone()];
        close("input", run_on(threads, CONV2D_BACKPROP_INPUT.of(attrs.clone()), inputs, &[dtype]), &dx);
        let inputs = vec![x, sizes(&self.filter), dy];
        close("filter", run_on(threads, CONV2D_BACKPROP_FILTER.of(attrs), inputs, &[dtype]), &df);
    }
}

fn case(input: [usize; 4], filter: [usize; 4], padding: &'static str) -> Case {
    let (strides, dilations) = ([1, 1], [1, 1]);
    Case { dtype: DType::F64, input, filter, strides, dilations, padding, explicit: [0; 4] }
}

#[test]
fn convolutions_equal_the_naive_loop() {
    let base = case([2, 7, 6, 4], [3, 2, 4, 6], "SAME");
    let cases = [
        base.clone(),
        Case { padding: "VALID", ..base.clone() },
        Case { strides: [2, 3], ..base.clone() },
        Case { strides: [3, 1], padding: "VALID", ..base.clone() },
        Case { strides: [4, 4], ..base.clone() },
        Case { dilations: [2, 3], ..base.clone() },
        Case { dilations: [3, 2], strides: [2, 2], ..base.clone() },
        Case { padding: "EXPLICIT", explicit: [3, 1, 0, 5], strides: [2, 1], ..base.clone() },
        case([2, 5, 5, 4], [1, 1, 4, 3], "VALID"),
        Case { strides: [2, 2], ..case([2, 5, 5, 4], [1, 1, 4, 3], "SAME") },
        case([1, 5, 5, 4], [3, 3, 2, 6], "SAME"),
        Case { strides: [2, 1], ..case([2, 5, 4, 6], [2, 3, 2, 9], "SAME") },
        case([2, 5, 5, 4], [1, 1, 2, 6], "SAME"),
        case([2, 6, 5, 5], [3, 3, 1, 5], "SAME"),
        Case { strides: [2, 2], dilations: [1, 2], ..case([2, 6, 5, 3], [3, 3, 1, 6], "SAME") },
        case([1, 6, 5, 40], [3, 3, 1, 40], "SAME"),
        case([2, 4, 30, 19], [3, 3, 1, 38], "SAME"),
        Case { strides: [2, 2], ..case([2, 5, 31, 21], [5, 5, 1, 63], "SAME") },
        Case { strides: [2, 1], ..case([1, 5, 40, 67], [3, 3, 1, 67], "VALID") },
        Case { strides: [3, 3], ..case([1, 8, 9, 5], [2, 2, 1, 10], "SAME") },
        Case { strides: [1, 2], dilations: [2, 1], ..case([1, 5, 150, 7], [2, 4, 1, 7], "SAME") },
        Case {
            padding: "EXPLICIT",
            explicit: [1, 2, 40, 3],
            strides: [1, 2],
            ..case([1, 3, 4, 17], [2, 3, 1, 34], "SAME")
        },
        Case { padding: "EXPLICIT", explicit: [0, 0, 2, 50], ..case([1, 3, 4, 18], [2, 3, 1, 54], "SAME") },
        case([2, 6, 5, 6], [3, 3, 6, 5], "SAME"),
        Case { strides: [2, 1], dilations: [1, 2], ..case([1, 9, 7, 9], [3, 3, 9, 5], "SAME") },
        case([1, 2, 2, 3], [5, 5, 3, 2], "SAME"),
        case([0, 5, 5, 4], [3, 3, 4, 4], "SAME"),
        Case { padding: "EXPLICIT", explicit: [0, 0, 2, 2], ..case([1, 5, 0, 8], [3, 3, 2, 8], "SAME") },
        Case { padding: "EXPLICIT", explicit: [9, 9, 1, 0], ..case([2, 0, 5, 4], [3, 3, 4, 4], "SAME") },
        Case { padding: "EXPLICIT", explicit: [4, 0, 1, 0], ..case([2, 0, 5, 3], [3, 3, 1, 6], "SAME") },
        case([1, 2, 5, 4], [3, 3, 4, 4], "VALID"),
        case([1, 1, 900, 2], [1, 5, 2, 3], "SAME"),
        case([40, 5, 6, 3], [3, 3, 3, 34], "SAME"),
        case([40, 5, 6, 3], [3, 3, 3, 34], "VALID"),
        Case { strides: [2, 2], ..case([150, 5, 6, 8], [3, 3, 8, 5], "SAME") },
        Case { strides: [2, 1], dilations: [1, 2], ..case([150, 5, 5, 8], [3, 3, 4, 6], "SAME") },
        case([2, 6, 5, 20], [3, 2, 20, 2], "SAME"),
        case([2, 7, 6, 80], [3, 2, 4, 80], "SAME"),
        case([2, 7, 6, 80], [3, 2, 2, 80], "SAME"),
        case([2, 7, 9, 50], [2, 3, 5, 20], "SAME"),
        Case { strides: [1, 2], ..case([2, 7, 9, 33], [2, 3, 3, 22], "SAME") },
        case([2, 5, 40, 3], [3, 5, 1, 6], "SAME"),
        case([1, 5, 23, 6], [3, 5, 2, 3], "VALID"),
        Case { dilations: [2, 3], ..case([2, 6, 31, 10], [3, 2, 2, 5], "SAME") },
        Case { strides: [2, 3], ..case([2, 7, 9, 24], [3, 3, 3, 16], "SAME") },
        Case { strides: [3, 1], dilations: [1, 2], ..case([1, 9, 7, 10], [2, 3, 2, 15], "VALID") },
        Case { padding: "EXPLICIT", explicit: [3, 1, 0, 5], ..case([1, 4, 9, 6], [4, 3, 2, 3], "SAME") },
        Case { dilations: [2, 3], ..case([1, 6, 17, 2], [3, 2, 1, 4], "SAME") },
        case([2, 6, 5, 1], [5, 3, 1, 20], "SAME"),
        Case { strides: [2, 3], ..case([2, 7, 8, 2], [5, 3, 2, 17], "SAME") },
        Case { strides: [1, 2], dilations: [2, 1], ..case([60, 7, 8, 8], [3, 3, 4, 40], "SAME") },
        Case { padding: "EXPLICIT", explicit: [3, 1, 0, 5], ..case([150, 4, 4, 9], [2, 3, 9, 18], "SAME") },
        Case {
            padding: "EXPLICIT",
            explicit: [3, 1, 4, 0],
            strides: [3, 2],
            ..case([200, 4, 4, 4], [2, 3, 2, 6], "SAME")
        },
    ];
    for case in &cases {
        for (threads, first) in [(1, false), (3, false), (2, true)] {
            case.check(threads, first);
        }
    }
    for dtype in [DType::F32, DType::F16, DType::BF16, DType::I32] {
        for case in [
            &base, &cases[2], &cases[8], &cases[13], &cases[16], &cases[17], &cases[18], &cases[19], &cases[20],
            &cases[29], &cases[32], &cases[33], &cases[34], &cases[35],
        ] {
            Case { dtype, ..case.clone() }.check(1, false);
        }
    }
}

#[test]
fn narrow_groups_equal_the_naive_loop() {
    let base = case([2, 9, 61, 32], [3, 3, 8, 32], "SAME");
    let of = |input: usize, channels: usize, groups: usize| Case {
        input: [1, 9, 47, input],
        filter: [3, 3, input / groups, channels],
        ..base.clone()
    };
    let cases = [
        base.clone(),
        Case { strides: [2, 2], ..base.clone() },
        Case { strides: [1, 3], ..base.clone() },
        Case { dilations: [2, 3], padding: "VALID", ..base.clone() },
        Case { filter: [5, 1, 8, 32], strides: [3, 2], ..base.clone() },
        Case { filter: [1, 7, 8, 32], ..base.clone() },
        Case { padding: "EXPLICIT", explicit: [0, 11, 70, 5], ..base.clone() },
        of(64, 64, 16),
        of(40, 40, 5),
        of(12, 48, 6),
        of(48, 24, 12),
        of(64, 32, 4),
        of(32, 32, 32),
        of(34, 51, 17),
        of(1, 1, 1),
        Case { input: [2, 9, 150, 1], dilations: [2, 3], ..of(1, 1, 1) },
        Case { strides: [2, 1], padding: "VALID", ..of(1, 1, 1) },
        Case { filter: [1, 31, 1, 1], padding: "EXPLICIT", explicit: [0, 1, 70, 5], ..of(1, 1, 1) },
        Case { filter: [33, 32, 1, 1], ..of(1, 1, 1) },
    ];
    for case in &cases {
        for (dtype, threads, first) in [(DType::F32, 1, false), (DType::F32, 3, true), (DType::F64, 2, false)] {
            Case { dtype, ..case.clone() }.check(threads, first);
        }
    }
}

/// Depthwise convolutions of few channels, whose windows are computed in strips of several rows.
#[test]
fn strips_of_few_channels() {
    let mut cases = Vec::new();
    for (i, channels) in [1, 3, 11, 16, 22, 44, 88].into_iter().enumerate() {
        let of = |height, width, window: [usize; 2], padding| {
            case([2, height, width, channels], [window[0], window[1], 1, channels], padding)
        };
        let margins = [[0, 3, 2, 0], [5, 0, 0, 9]][i % 2];
        cases.extend([
            of(1, 1, [3, 3], "SAME"),
            of(7, 7, [5, 5], "SAME"),
            of(5, 30, [3, 4], "VALID"),
            of(70, 3, [7, 1], "SAME"),
            of(4, 70, [1, 7], "SAME"),
            of(90, 40, [3, 3], "SAME"),
            Case { strides: [3, 1], ..of(40, 9, [5, 3], "SAME") },
            Case { strides: [2, 1], dilations: [1, 2], ..of(11, 9, [2, 3], "VALID") },
            Case { dilations: [3, 2], ..of(11, 9, [3, 3], "SAME") },
            Case { explicit: margins, ..of(6, 8, [4, 3], "EXPLICIT") },
        ]);
    }
    for case in &cases {
        for (dtype, threads) in [(DType::F32, 1), (DType::F32, 3), (DType::F64, 2), (DType::BF16, 1)] {
            // Sums that bfloat16 can represent.
            if dtype != DType::BF16 || case.filter[0] * case.filter[1] < 10 {
                Case { dtype, ..case.clone() }.check(threads, false);
            }
        }
    }
}

/// Depthwise convolutions whose windows are computed by columns, of 7, 4, 2 or 1 rows.
#[test]
fn columns_of_windows() {
    let mut cases = Vec::new();
    for (i, channels) in [16, 24, 33, 48, 80].into_iter().enumerate() {
        let of = |height, width, window: [usize; 2], padding| {
            case([2, height, width, channels], [window[0], window[1], 1, channels], padding)
        };
        for (j, height) in [1, 2, 3, 5, 6, 9, 13, 16].into_iter().enumerate() {
            let window = [[3, 3], [5, 5], [7, 7], [3, 5], [7, 2]][(i + j) % 5];
            let strides = [[1, 1], [2, 2], [2, 1], [1, 3]][(i + j) % 4];
            cases.push(of(height, 9, window, "SAME"));
            cases.push(Case { strides, ..of(height, 5 + j, window, "SAME") });
        }
        // Windows in the padding only, and beyond half of it.
        let margins = [[9, 0, 0, 11], [0, 12, 13, 0], [4, 4, 4, 4]][i % 3];
        cases.extend([
            Case { explicit: margins, ..of(4, 6, [3, 3], "EXPLICIT") },
            Case { explicit: margins, strides: [2, 2], ..of(5, 4, [3, 3], "EXPLICIT") },
            Case { dilations: [1, 2], ..of(8, 9, [5, 3], "SAME") },
            of(20, 8, [7, 3], "VALID"),
            Case { strides: [2, 2], ..of(21, 9, [7, 7], "VALID") },
        ]);
    }
    for case in &cases {
        for (dtype, threads) in [(DType::F32, 1), (DType::F32, 3)] {
            Case { dtype, ..case.clone() }.check(threads, false);
        }
    }
}

/// A few filters for each of few channels, which are applied one after the other.
#[test]
fn planes_of_few_channels() {
    let mut cases = Vec::new();
    for (channels, multiplier) in [(1, 2), (1, 3), (1, 4), (1, 5), (3, 2), (16, 2), (33, 3)] {
        let of = |height, width, window: [usize; 2], padding| {
            case([2, height, width, channels], [window[0], window[1], 1, channels * multiplier], padding)
        };
        cases.extend([
            of(1, 1, [3, 3], "SAME"),
            of(40, 31, [3, 3], "SAME"),
            of(9, 50, [5, 2], "VALID"),
            Case { strides: [2, 1], ..of(11, 9, [3, 3], "SAME") },
            Case { strides: [2, 2], dilations: [1, 2], ..of(11, 9, [3, 3], "SAME") },
            Case { explicit: [5, 0, 0, 9], ..of(6, 8, [4, 3], "EXPLICIT") },
        ]);
    }
    for case in &cases {
        for (dtype, threads, first) in
            [(DType::F32, 1, false), (DType::F32, 3, true), (DType::F64, 2, false), (DType::BF16, 2, false)]
        {
            Case { dtype, ..case.clone() }.check(threads, first);
        }
    }
}

#[test]
fn wrong_shapes_are_refused() {
    let op = |strides: [i64; 4]| {
        let attrs = case([1, 5, 5, 3], [3, 3, 3, 4], "VALID").attrs(false);
        CONV2D.of(Conv2D { dtype: DType::F32, strides: strides.to_vec(), ..attrs })
    };
    let zeros = |dims: &[usize]| Tensor::zeros(DType::F32, Shape::new(dims.iter().copied()).unwrap());
    let fails = |strides: [i64; 4], x: &[usize], f: &[usize], code: Code| {
        let error = run_on(1, op(strides), vec![zeros(x), zeros(f)], &[DType::F32]).unwrap_err();
        assert_eq!(error.code(), code, "{strides:?} {x:?} {f:?}");
    };
    use Code::{InvalidArgument, Unimplemented};
    fails([1; 4], &[1, 5, 5, 4], &[3, 3, 3, 4], InvalidArgument);
    fails([1; 4], &[1, 5, 5, 4], &[3, 3, 2, 3], InvalidArgument);
    fails([1; 4], &[1, 5, 5], &[3, 3, 2, 3], InvalidArgument);
    fails([1; 4], &[1, 5, 5, 3], &[3, 3, 0, 4], InvalidArgument);
    fails([1; 4], &[1, 5, 5, 3], &[0, 3, 3, 4], InvalidArgument);
    fails([1, 2, 2, 1], &[1, 1, 1, 3], &[5, 5, 3, 4], InvalidArgument);
    fails([1, 0, 1, 1], &[1, 5, 5, 3], &[3, 3, 3, 4], InvalidArgument);
    fails([2, 1, 1, 1], &[1, 5, 5, 3], &[3, 3, 3, 4], Unimplemented);
    let empty = run_on(1, op([1; 4]), vec![zeros(&[1, 5, 5, 3]), zeros(&[3, 3, 3, 0])], &[DType::F32]).unwrap();
    assert_eq!(empty[0].shape().dims(), [1, 3, 3, 0]);
}

#[test]
fn depthwise_filters_are_groups() {
    let case = Case { dtype: DType::F32, ..case([2, 5, 6, 3], [3, 2, 1, 6], "SAME") };
    let (x, f) = (cast(&numbers(&case.input, 1), DType::F32), cast(&numbers(&case.filter, 2), DType::F32));
    let Conv2D { dtype, strides, padding, explicit_paddings, data_format, dilations, .. } = case.attrs(false);
    let depthwise = DepthwiseConv2D { dtype, strides, padding, explicit_paddings, data_format, dilations };
    let expected = run_on(1, CONV2D.of(case.attrs(false)), vec![x.clone(), f.clone()], &[DType::F32]).unwrap();
    let f = f.reshaped(Shape::new([3, 2, 3, 2]).unwrap()).unwrap();
    let depthwise = DEPTHWISE_CONV2D_NATIVE.of(depthwise);
    assert_eq!(run_on(1, depthwise, vec![x, f], &[DType::F32]).unwrap(), expected);
}
