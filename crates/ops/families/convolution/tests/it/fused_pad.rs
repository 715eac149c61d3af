//! `FusedPadConv2D` and `FusedResizeAndPadConv2D`.

use levada_ops_convolution::types::*;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::run;

#[test]
fn the_images_of_a_batch_do_not_see_each_other() {
    let op = |resizes| FusedPad {
        dtype: DType::F32,
        corners: false,
        mode: "REFLECT".to_owned(),
        strides: vec![1; 4],
        padding: Bytes::from_static(b"VALID"),
        resizes,
    };
    let tensor = |dims: [usize; 4], first: usize| {
        let count: usize = dims.iter().product();
        let values: Vec<f32> = (first..first + count).map(|i| ((i * 37) % 19) as f32 - 9.0).collect();
        Tensor::from_vec(Shape::new(dims).unwrap(), values).unwrap()
    };
    let filter = tensor([2, 3, 2, 3], 5);
    let paddings = Tensor::vector(vec![0, 0, 1, 2, 2, 0, 0, 0]).reshaped(Shape::new([4, 2]).unwrap()).unwrap();
    for resizes in [false, true] {
        let convolved = |images: Tensor| {
            let mut inputs = vec![images, paddings.clone(), filter.clone()];
            if resizes {
                inputs.insert(1, Tensor::vector(vec![5, 4]));
            }
            let def = if resizes { &FUSED_RESIZE_AND_PAD_CONV2D } else { &FUSED_PAD_CONV2D };
            run(def.of(op(resizes)), inputs, &[DType::F32]).unwrap().remove(0)
        };
        let whole = convolved(tensor([2, 3, 4, 2], 0));
        let parts = [0, 24].map(|first| convolved(tensor([1, 3, 4, 2], first)));
        let parts: Vec<f32> = parts.iter().flat_map(|part| part.slice::<f32>().unwrap().to_vec()).collect();
        assert_eq!(whole.slice::<f32>().unwrap(), parts);
    }
}
