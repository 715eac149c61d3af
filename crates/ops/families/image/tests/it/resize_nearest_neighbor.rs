//! `ResizeNearestNeighbor` and its gradient.

use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;
use levada_ops_image::scale::Resizing;
use levada_ops_image::types::*;

#[test]
fn gradients_come_back_where_pixels_came_from() {
    let images =
        |h: usize, w: usize, values: Vec<i32>| Tensor::from_vec(Shape::new([1, h, w, 1]).unwrap(), values).unwrap();
    let attrs = |align_corners, half_pixel_centers| Resizing { dtype: DType::I32, align_corners, half_pixel_centers };
    let op = |corners, half| RESIZE_NEAREST_NEIGHBOR.of(attrs(corners, half));
    let size = || Tensor::vector(vec![2, 4]);
    let resize = |corners, half| {
        let out = run(op(corners, half), vec![images(2, 3, (1..7).collect()), size()], &[DType::I32]).unwrap();
        out[0].slice::<i32>().unwrap().to_vec()
    };
    assert_eq!(resize(false, false), [1, 1, 2, 3, 4, 4, 5, 6]);
    assert_eq!(resize(true, false), [1, 2, 2, 3, 4, 5, 5, 6]);
    assert_eq!(resize(false, true), [1, 2, 2, 3, 4, 5, 5, 6]);
    let grad = RESIZE_NEAREST_NEIGHBOR_GRAD.of(attrs(false, false));
    let back = run(grad, vec![images(2, 4, (1..9).collect()), Tensor::vector(vec![2, 3])], &[DType::I32]).unwrap();
    assert_eq!(back[0].slice::<i32>().unwrap(), [3, 3, 4, 11, 7, 8]);
    for wrong in [Tensor::vector(vec![0, 4]), Tensor::vector(vec![2]), Tensor::vector(vec![-1, 2])] {
        let error = run(op(false, false), vec![images(2, 3, (1..7).collect()), wrong], &[DType::I32]).unwrap_err();
        assert_eq!(error.code(), Code::InvalidArgument);
    }
}
