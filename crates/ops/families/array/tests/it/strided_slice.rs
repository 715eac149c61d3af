//! `StridedSlice`.

use levada_ops_array::types::*;
use levada_ops_core::prelude::{Shape, *};
use levada_ops_core::testing::run;

const PLAIN: StridedSlice = StridedSlice {
    dtype: DType::I32,
    index: DType::I32,
    begin_mask: 0,
    end_mask: 0,
    ellipsis_mask: 0,
    new_axis_mask: 0,
    shrink_axis_mask: 0,
};

/// Slices `0..24` in the shape [2, 3, 4].
fn sliced(op: StridedSlice, begin: &[i32], end: &[i32], strides: &[i32]) -> Result<(Vec<usize>, Vec<i32>)> {
    let input = Tensor::from_vec(Shape::new([2, 3, 4])?, (0..24).collect::<Vec<i32>>())?;
    let spec = [begin, end, strides].map(|v| Tensor::vector(v.to_vec()));
    let out = run(STRIDED_SLICE.of(op), std::iter::once(input).chain(spec).collect(), &[DType::I32])?;
    Ok((out[0].shape().to_vec(), out[0].slice::<i32>()?.to_vec()))
}

#[test]
fn an_ellipsis_makes_room_for_what_follows() {
    let op = StridedSlice { ellipsis_mask: 1, new_axis_mask: 2, shrink_axis_mask: 4, ..PLAIN };
    assert_eq!(sliced(op, &[0, 0, -1], &[0, 0, 0], &[1, 1, 1]).unwrap(), (vec![2, 3, 1], vec![3, 7, 11, 15, 19, 23]));
}

#[test]
fn negative_strides_walk_backwards_from_a_masked_begin() {
    let op = StridedSlice { begin_mask: 7, end_mask: 7, ..PLAIN };
    let (shape, values) = sliced(op, &[0; 3], &[0; 3], &[-1, -2, -3]).unwrap();
    assert_eq!((shape, values), (vec![2, 2, 2], vec![23, 20, 15, 12, 11, 8, 3, 0]));
}

#[test]
fn faults_are_errors() {
    let code = |op, b: &[i32], e: &[i32], s: &[i32]| sliced(op, b, e, s).unwrap_err().code();
    assert_eq!(code(PLAIN, &[0], &[1], &[0]), Code::InvalidArgument);
    assert_eq!(code(PLAIN, &[0; 4], &[1; 4], &[1; 4]), Code::InvalidArgument);
    assert_eq!(code(StridedSlice { shrink_axis_mask: 1, ..PLAIN }, &[2], &[3], &[1]), Code::InvalidArgument);
    assert_eq!(code(StridedSlice { ellipsis_mask: 3, ..PLAIN }, &[0, 0], &[1, 1], &[1, 1]), Code::InvalidArgument);
    assert_eq!(sliced(PLAIN, &[5, 0], &[9, i32::MAX], &[i32::MAX, i32::MAX]).unwrap().0, [0, 1, 4]);
}
