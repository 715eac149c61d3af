//! Arrays convert to tensors and back, with every element type and layout; elements that can be moved are not copied.

use levada_graph::{Bytes, Code, Complex32, Complex64, DType, Element, Shape, Tensor, bf16, f16};
use ndarray::{Array, Array0, Array1, Array2, Array3, ArrayD, IxDyn, arr0, array, s};

/// There and back: copied and moved, as views and mutable views.
fn goes<T: Element>(values: Vec<T>, dtype: DType) {
    let array = Array2::from_shape_vec((2, values.len() / 2), values.clone()).unwrap();
    let mut tensor = Tensor::from(array.clone());
    assert_eq!((tensor.dtype(), tensor.shape().dims()), (dtype, array.shape()));
    assert_eq!(tensor.view::<T>().unwrap(), array.view().into_dyn());
    assert_eq!(Tensor::from(array.view()), tensor);
    tensor.view_mut::<T>().unwrap().unwrap().swap([0, 0], [1, 0]);
    let mut swapped = array.clone();
    swapped.swap([0, 0], [1, 0]);
    assert_eq!(Array2::<T>::try_from(tensor.clone()).unwrap(), swapped);
    assert_eq!(ArrayD::<T>::try_from(tensor.clone()).unwrap(), swapped.clone().into_dyn());
    // In another order than the tensor's: the last axis first.
    let turned = Tensor::from(array.clone().reversed_axes());
    assert_eq!(turned.view::<T>().unwrap(), array.t().into_dyn());
    assert_eq!(tensor.into_vec::<T>().unwrap(), swapped.into_raw_vec_and_offset().0);
}

#[test]
fn every_element_type_goes_there_and_back() {
    fn numbers<T: Element>(from: impl Fn(u8) -> T, dtype: DType) {
        goes((0..40).map(&from).collect(), dtype);
        // Few enough to be stored inline.
        goes((0..2).map(&from).collect(), dtype);
    }
    numbers(f32::from, DType::F32);
    numbers(f64::from, DType::F64);
    numbers(|v| f16::from_f32(v.into()), DType::F16);
    numbers(|v| bf16::from_f32(v.into()), DType::BF16);
    numbers(|v| Complex32::new(v.into(), -1.0), DType::C64);
    numbers(|v| Complex64::new(1.0, v.into()), DType::C128);
    numbers(|v| v as i8, DType::I8);
    numbers(i16::from, DType::I16);
    numbers(i32::from, DType::I32);
    numbers(i64::from, DType::I64);
    numbers(|v| v, DType::U8);
    numbers(u16::from, DType::U16);
    numbers(u32::from, DType::U32);
    numbers(u64::from, DType::U64);
    numbers(|v| v % 3 == 0, DType::Bool);
    numbers(|v| Bytes::from(v.to_string()), DType::Str);
}

#[test]
fn memory_is_moved_where_it_can_be() {
    let array = Array1::<f32>::zeros(1000);
    let address = array.as_ptr();
    let tensor = Tensor::from(array);
    assert_eq!(tensor.slice::<f32>().unwrap().as_ptr(), address);
    // Shared elements are copied, those of the last tensor are not.
    let shared = tensor.clone();
    let copied = shared.into_vec::<f32>().unwrap();
    assert_ne!(copied.as_ptr(), address);
    let moved = tensor.into_vec::<f32>().unwrap();
    assert_eq!(moved.as_ptr(), address);

    // A large amount of spare memory is not kept.
    let mut values = Vec::with_capacity(1000);
    values.extend([1i64; 500]);
    let address = values.as_ptr();
    let tensor = Tensor::vector(values);
    assert_ne!(tensor.slice::<i64>().unwrap().as_ptr(), address);
}

#[test]
fn parts_of_arrays_and_tensors_are_themselves() {
    let array = Array3::from_shape_fn((4, 3, 2), |(i, j, k)| (100 * i + 10 * j + k) as i32);
    let part = array.clone().slice_move(s![1..3, .., 1]);
    assert_eq!(Tensor::from(part).slice::<i32>().unwrap(), [101, 111, 121, 201, 211, 221]);
    let rows = array.clone().slice_move(s![2.., .., ..]);
    let tensor = Tensor::from(rows);
    assert_eq!(tensor.slice::<i32>().unwrap(), array.slice(s![2.., .., ..]).as_slice().unwrap());
    let row = tensor.row(1).unwrap();
    assert_eq!(Array2::<i32>::try_from(row).unwrap(), array.slice(s![3, .., ..]));
    let reversed = array.clone().slice_move(s![..;-1, 0, 0]);
    assert_eq!(Tensor::from(reversed).slice::<i32>().unwrap(), [300, 200, 100, 0]);
}

#[test]
fn empty_and_scalar_arrays_go_too() {
    let empty = Tensor::from(Array2::<f64>::zeros((3, 0)));
    assert_eq!(empty.shape().dims(), [3, 0]);
    assert_eq!(Array2::<f64>::try_from(empty).unwrap().shape(), [3, 0]);
    let scalar = Tensor::from(arr0(7u8));
    assert!(scalar.shape().is_scalar());
    assert_eq!(Array0::<u8>::try_from(scalar).unwrap().into_scalar(), 7);
    assert_eq!(Tensor::from(Array1::<bool>::from_vec(vec![])).num_elements(), 0);
}

#[test]
fn texts_go_in_as_bytes() {
    let expected = Tensor::vector(vec![Bytes::from("a"), Bytes::from("naïve")]);
    assert_eq!(Tensor::from(array!["a", "naïve"]), expected);
    assert_eq!(Tensor::from(array!["a".to_owned(), "naïve".to_owned()]), expected);
}

#[test]
fn quantized_dtypes_are_viewed_as_what_stores_them() {
    let tensor = Tensor::vector(vec![-1i8, 5]).reinterpreted(DType::QI8).unwrap();
    assert_eq!(tensor.view::<i8>().unwrap()[[1]], 5);
    assert_eq!(Array1::<i8>::try_from(tensor).unwrap(), array![-1, 5]);
}

#[test]
fn elements_are_changed_through_views_of_unshared_tensors_only() {
    let mut tensor = Tensor::from(Array2::<f32>::zeros((20, 20)));
    let shared = tensor.clone();
    assert!(tensor.view_mut::<f32>().unwrap().is_none());
    let row = shared.row(3).unwrap();
    drop(shared);
    assert!(tensor.view_mut::<f32>().unwrap().is_none(), "a row shares the elements");
    drop(row);
    let mut view = tensor.view_mut::<f32>().unwrap().unwrap();
    view.indexed_iter_mut().for_each(|(at, v)| *v = at[1] as f32);
    assert_eq!(tensor.row(19).unwrap().slice::<f32>().unwrap()[7], 7.0);
}

#[test]
fn what_does_not_fit_is_an_error() {
    let mut tensor = Tensor::from(array![[1f32, 2.0]]);
    let code = |result: Result<(), levada_graph::Error>| result.unwrap_err().code();
    assert_eq!(code(tensor.view_mut::<f64>().map(drop)), Code::InvalidArgument);
    assert_eq!(code(tensor.clone().into_vec::<i32>().map(drop)), Code::InvalidArgument);
    assert_eq!(code(Array2::<i32>::try_from(tensor.clone()).map(drop)), Code::InvalidArgument);
    let rank = Array1::<f32>::try_from(tensor).unwrap_err();
    assert_eq!(rank.code(), Code::InvalidArgument);
    assert!(rank.to_string().contains("[1,2]") && rank.to_string().contains("1 axes"), "{rank}");
    let deep = Array::<u8, _>::zeros(IxDyn(&[1; 255]));
    assert_eq!(code(Tensor::from_array(deep).map(drop)), Code::InvalidArgument);
    assert!(Tensor::from_vec(Shape::new([3]).unwrap(), vec![0u8; 2]).is_err());
}
