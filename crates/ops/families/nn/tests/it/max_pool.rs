//! `MaxPool`, `MaxPoolV2` and `MaxPool3D`.

use crate::pooling::of_images;
use levada_kernel::Bound;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::run_on;
use levada_ops_nn::PoolAttrs;
use levada_ops_nn::types::*;

fn op(ksize: [i64; 4], strides: [i64; 4], padding: &'static str, format: &'static str) -> Bound<PoolAttrs> {
    MAX_POOL.of(PoolAttrs {
        ksize: ksize.to_vec(),
        strides: strides.to_vec(),
        data_format: format.into(),
        explicit_paddings: if padding == "EXPLICIT" { vec![0, 0, 1, 0, 0, 1, 0, 0] } else { Vec::new() },
        ..of_images([1, 1], [1, 1], padding)
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
            let got = run_on(threads, op([1, 2, 3, 1], [1, 2, 3, 1], padding, "NHWC"), vec![x.clone()], &[DType::F32]);
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
