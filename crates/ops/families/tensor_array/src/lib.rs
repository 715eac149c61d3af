//! Arrays of tensors that live as long as a step, as used in loops.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{moves, prelude, rows, rules, variable};

mod array;
mod handle;

family! {
    concat = TENSOR_ARRAY_CONCAT_V3, TENSOR_ARRAY_SPLIT_V3;
    create = TENSOR_ARRAY_V3;
    element = TENSOR_ARRAY_READ_V3, TENSOR_ARRAY_WRITE_V3;
    gradient = TENSOR_ARRAY_GRAD_V3, TENSOR_ARRAY_GRAD_WITH_SHAPE;
    pack = TENSOR_ARRAY_GATHER_V3, TENSOR_ARRAY_PACK, TENSOR_ARRAY_SCATTER_V3, TENSOR_ARRAY_UNPACK;
    size = TENSOR_ARRAY_CLOSE_V3, TENSOR_ARRAY_SIZE_V3;
}
