//! `SoftmaxCrossEntropyWithLogits` and `SparseSoftmaxCrossEntropyWithLogits`.

use DType::*;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::run_on;
use levada_ops_nn::types::*;

fn matrix(rows: usize, cols: usize, values: &[f32]) -> Tensor {
    Tensor::from_vec(Shape::new([rows, cols]).unwrap(), values.to_vec()).unwrap()
}

fn close(a: &Tensor, b: &[f32]) {
    let a = a.slice::<f32>().unwrap();
    assert!(a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5), "{a:?} {b:?}");
}

#[test]
fn dense_labels_are_broadcast() {
    let op = || SOFTMAX_CROSS_ENTROPY_WITH_LOGITS.of(SoftmaxCrossEntropyWithLogits { dtype: F32 });
    let features = matrix(2, 3, &[1., 2., 3., 1., 1., 1.]);
    let out = run_on(2, op(), vec![features.clone(), matrix(1, 3, &[0., 0., 1.])], &[F32, F32]).unwrap();
    close(&out[0], &[0.407_606, 1.098_612]);
    close(&out[1], &[0.090_031, 0.244_728, -0.334_759, 0.333_333, 0.333_333, -0.666_667]);
    let vector = Tensor::vector(vec![0f32, 0., 1.]);
    close(&run_on(1, op(), vec![features, vector], &[F32, F32]).unwrap()[0], &[0.407_606, 1.098_612]);
    let wrong = vec![matrix(2, 3, &[0.; 6]), matrix(3, 3, &[0.; 9])];
    assert_eq!(run_on(1, op(), wrong, &[F32, F32]).unwrap_err().code(), Code::InvalidArgument);
}

#[test]
fn sparse_labels() {
    let run = |labels: &[i32]| {
        let op = SparseSoftmaxCrossEntropyWithLogits { dtype: F32, labels: I32 };
        let op = SPARSE_SOFTMAX_CROSS_ENTROPY_WITH_LOGITS.of(op);
        let features = matrix(2, 3, &[1., 2., 3., f32::NEG_INFINITY, 0., 1.]);
        run_on(2, op, vec![features, Tensor::vector(labels.to_vec())], &[F32, F32])
    };
    let out = run(&[2, 2]).unwrap();
    close(&out[0], &[0.407_606, 0.313_262]);
    close(&out[1], &[0.090_031, 0.244_728, -0.334_759, 0., 0.268_941, -0.268_941]);
    for wrong in [&[0, 3][..], &[-1, 0], &[0]] {
        assert_eq!(run(wrong).unwrap_err().code(), Code::InvalidArgument);
    }
}
