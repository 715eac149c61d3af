//! Values in variants: lists of tensors, maps of tensors, optionals; and the ops on them.
//!
//! They are values, not resources: an op that modifies one returns a new one. The old one is modified in place if it
//! is not shared, so that a loop that passes a list through its iterations does not copy it.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{flow, moves, prelude, rows, rules, variant_tensors};
use prelude::*;

pub mod encoding;
mod list;

family! {
    concat = TENSOR_LIST_CONCAT, TENSOR_LIST_CONCAT_V2, TENSOR_LIST_SPLIT;
    create = EMPTY_TENSOR_LIST, TENSOR_LIST_RESERVE;
    element = TENSOR_LIST_ELEMENT_SHAPE, TENSOR_LIST_GET_ITEM, TENSOR_LIST_LENGTH, TENSOR_LIST_RESIZE,
        TENSOR_LIST_SET_ITEM;
    map = EMPTY_TENSOR_MAP, TENSOR_MAP_ERASE, TENSOR_MAP_HAS_KEY, TENSOR_MAP_INSERT, TENSOR_MAP_LOOKUP, TENSOR_MAP_SIZE,
        TENSOR_MAP_STACK_KEYS;
    optional = OPTIONAL_FROM_VALUE, OPTIONAL_GET_VALUE, OPTIONAL_HAS_VALUE, OPTIONAL_NONE;
    push = TENSOR_LIST_CONCAT_LISTS, TENSOR_LIST_POP_BACK, TENSOR_LIST_PUSH_BACK, TENSOR_LIST_PUSH_BACK_BATCH;
    scatter = TENSOR_LIST_GATHER, TENSOR_LIST_SCATTER_INTO_EXISTING_LIST, TENSOR_LIST_SCATTER_V2;
    stack = TENSOR_LIST_FROM_TENSOR, TENSOR_LIST_STACK;
}

pub use optional::optional;

/// A list.
const LIST: Arg = arg("input_handle", is(DType::Variant));

/// The first output is a scalar.
fn scalar_output<A>(_: &A, cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.output_scalar(0);
    Ok(())
}
