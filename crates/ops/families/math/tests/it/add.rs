//! `Add` and `AddV2`.

use levada_ops_core::elementwise::Elementwise;
use levada_ops_core::prelude::*;
use levada_ops_core::testing::{run, run_on};
use levada_ops_math::types::*;

fn add(x: Tensor, y: Tensor) -> Result<Tensor> {
    let dtype = x.dtype();
    Ok(run(ADD_V2.of(Elementwise { dtype }), vec![x, y], &[dtype])?.remove(0))
}

#[test]
fn scalars_vectors_and_broadcasts() {
    assert_eq!(add(Tensor::scalar(1f32), Tensor::scalar(2f32)).unwrap(), Tensor::scalar(3f32));
    assert_eq!(add(Tensor::scalar(i32::MAX), Tensor::scalar(1i32)).unwrap(), Tensor::scalar(i32::MIN));
    let v = |n: usize| Tensor::vector((0..n).map(|i| i as f32).collect());
    let doubled = Tensor::vector((0..1000).map(|i| 2.0 * i as f32).collect());
    assert_eq!(add(v(1000), v(1000)).unwrap(), doubled);
    let column = v(3).reshaped(Shape::new([3, 1]).unwrap()).unwrap();
    let table = Tensor::from_vec(Shape::new([3, 2]).unwrap(), vec![0f32, 1., 1., 2., 2., 3.]).unwrap();
    assert_eq!(add(column.clone(), v(2)).unwrap(), table);
    assert_eq!(add(v(0), Tensor::scalar(1f32)).unwrap(), v(0));
    assert_eq!(add(v(2), v(3)).unwrap_err().code(), Code::InvalidArgument);
    let halves = |x: f32| Tensor::vector(vec![f16::from_f32(x); 5]);
    assert_eq!(add(halves(1.5), halves(2.0)).unwrap(), halves(3.5));
}

#[test]
fn memory_of_an_input_becomes_the_output() {
    let v = Tensor::vector(vec![1f32; 1000]);
    let (kept, address) = (v.clone(), |t: &Tensor| t.bytes().unwrap().as_ptr() as usize);
    let owned = Tensor::vector(vec![2f32; 1000]);
    let before = address(&owned);
    for inputs in [vec![owned, v.clone()], vec![v, Tensor::vector(vec![2f32; 1000])]] {
        let there = inputs.iter().any(|t| address(t) == before);
        let out = run(ADD_V2.of(Elementwise { dtype: DType::F32 }), inputs, &[DType::F32]).unwrap().remove(0);
        assert!(!there || address(&out) == before);
        assert_eq!(out, Tensor::vector(vec![3f32; 1000]));
    }
    assert_eq!(kept, Tensor::vector(vec![1f32; 1000]));
}

#[test]
fn threads_do_not_change_the_result() {
    let n = 300_000;
    let x: Vec<i32> = (0..n).collect();
    let shape = Shape::new([300, 1000]).unwrap();
    let table = Tensor::from_vec(shape, x.clone()).unwrap();
    let row = Tensor::vector(x[..1000].to_vec());
    let op = || ADD_V2.of(Elementwise { dtype: DType::I32 });
    let one = run_on(1, op(), vec![table.clone(), row.clone()], &[DType::I32]).unwrap();
    let four = run_on(4, op(), vec![table, row], &[DType::I32]).unwrap();
    assert_eq!(one, four);
    assert_eq!(one[0].slice::<i32>().unwrap()[12_345], 12_345 + 345);
}

#[test]
fn strings_are_joined() {
    let x = Tensor::vector(vec![Bytes::from("a"), Bytes::from("b")]);
    let op = ADD_V2.called("Add", Elementwise { dtype: DType::Str }).unwrap();
    let z = run(op, vec![x, Tensor::string("c")], &[DType::Str]).unwrap();
    assert_eq!(z[0], Tensor::vector(vec![Bytes::from("ac"), Bytes::from("bc")]));
}
