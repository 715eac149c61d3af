//! Converts `ndarray` arrays to tensors and back, and shows what is copied.
//!
//! ```text
//! cargo run --example arrays -p levada
//! ```

use levada::graph::{Bytes, f16};
use levada::{DType, Result, Tensor};
use ndarray::{Array1, Array2, Axis, array, s};

/// Runs the example; tests call it too.
pub fn main() -> Result<()> {
    // The tensor takes over the memory of a row-major array: the address stays the same.
    let array = Array2::from_shape_fn((3, 4), |(i, j)| (10 * i + j) as f32);
    let address = array.as_ptr();
    let mut tensor = Tensor::from(array);
    println!("{tensor}, copied: {}", tensor.slice::<f32>()?.as_ptr() != address);

    // Views never copy.
    let sums = tensor.view::<f32>()?.sum_axis(Axis(1));
    println!("sums of rows: {sums}");

    // A mutable view exists only if no other tensor shares the elements.
    let shared = tensor.clone();
    assert!(tensor.view_mut::<f32>()?.is_none());
    drop(shared);
    tensor.view_mut::<f32>()?.expect("it is the only one").slice_mut(s![.., 0]).fill(-1.0);
    println!("{tensor}");

    // Back to an array: without copying if the tensor was made from one and nothing else shares it.
    let back: Array2<f32> = tensor.try_into()?;
    assert_eq!((back.as_ptr(), back[[2, 0]]), (address, -1.0));

    // Every dtype works: bools, halves, complex numbers, strings.
    let halves = Tensor::from(array![f16::from_f32(0.5), f16::ONE]);
    let flags = Tensor::from(array![[true, false], [false, true]]);
    let names = Tensor::from(array!["one", "two"]);
    println!("{halves}\n{flags}\n{names}");
    assert_eq!((halves.dtype(), flags.dtype(), names.dtype()), (DType::F16, DType::Bool, DType::Str));
    assert_eq!(names.view::<Bytes>()?[[1]], "two");

    // A wrong dtype or rank is an error that says so.
    println!("{}", Array1::<i64>::try_from(halves).unwrap_err());
    println!("{}", Array1::<bool>::try_from(flags).unwrap_err());
    Ok(())
}
