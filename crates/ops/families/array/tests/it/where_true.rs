//! `Where`.

use levada_ops_array::types::*;
use levada_ops_core::prelude::{Shape, *};
use levada_ops_core::testing::run_on;

#[test]
fn places_are_in_row_major_order() {
    for dims in [&[7][..], &[3, 5], &[40, 30, 50], &[2, 1, 3, 20_000]] {
        let shape = Shape::new(dims.iter().copied()).unwrap();
        let values: Vec<i32> = (0..shape.num_elements()).map(|i| i32::from(i * i % 7 < 3)).collect();
        let expected: Vec<i64> = (0..values.len())
            .filter(|&i| values[i] != 0)
            .flat_map(|i| {
                shape.strides().into_iter().zip(dims).map(move |(s, d)| (i / s % d) as i64).collect::<Vec<_>>()
            })
            .collect();
        let tensor = Tensor::from_vec(shape, values).unwrap();
        for threads in [1, 2] {
            let found = run_on(threads, WHERE.of(Where { dtype: DType::I32 }), vec![tensor.clone()], &[DType::I64]);
            assert_eq!(found.unwrap()[0].slice::<i64>().unwrap(), expected);
        }
    }
}
