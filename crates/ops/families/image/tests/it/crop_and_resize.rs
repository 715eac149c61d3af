//! `CropAndResize` and its gradients.

use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;
use levada_ops_image::types::*;

#[test]
fn boxes_are_cut_out() {
    let image = Tensor::from_vec(Shape::new([1, 2, 2, 1]).unwrap(), vec![1f32, 2.0, 3.0, 4.0]).unwrap();
    let boxes = |c: [f32; 4]| Tensor::from_vec(Shape::new([1, 4]).unwrap(), c.to_vec()).unwrap();
    let crop = |boxes: Tensor, number: i32, h: i32, w: i32, extrapolation_value: f32| {
        let op =
            CROP_AND_RESIZE.of(CropAndResize { dtype: DType::F32, method: "bilinear".into(), extrapolation_value });
        let inputs = vec![image.clone(), boxes, Tensor::vector(vec![number]), Tensor::vector(vec![h, w])];
        run(op, inputs, &[DType::F32])
    };
    let whole = crop(boxes([0.0, 0.0, 1.0, 1.0]), 0, 3, 3, 0.0).unwrap();
    assert_eq!(whole[0].slice::<f32>().unwrap(), [1.0, 1.5, 2.0, 2.0, 2.5, 3.0, 3.0, 3.5, 4.0]);
    let outside = crop(boxes([0.0, 0.0, 2.0, 1.0]), 0, 2, 2, -1.0).unwrap();
    assert_eq!(outside[0].slice::<f32>().unwrap(), [1.0, 2.0, -1.0, -1.0]);
    let nowhere = crop(boxes([f32::NAN; 4]), 0, 1, 1, 7.0).unwrap();
    assert_eq!(nowhere[0].slice::<f32>().unwrap(), [7.0]);
    let invalid = |r: Result<Vec<Tensor>>| assert_eq!(r.unwrap_err().code(), Code::InvalidArgument);
    for number in [1, -1] {
        let error = crop(boxes([0.0; 4]), number, 1, 1, 0.0).unwrap_err();
        assert_eq!(error.code(), Code::OutOfRange);
    }
    invalid(crop(boxes([0.0; 4]), 0, 0, 1, 0.0));
    invalid(crop(Tensor::vector(vec![0f32; 4]), 0, 1, 1, 0.0));
}
