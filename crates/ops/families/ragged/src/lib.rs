//! Ragged tensors: values, and for each ragged axis the splits that divide the axis below it into rows. Ragged and
//! other composite tensors in variants.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{coo, moves, prelude, rules, variant_tensors};

pub use variant::Ragged;

pub mod encoding;
mod rows;
mod variant;

family! {
    composite = COMPOSITE_TENSOR_VARIANT_FROM_COMPONENTS, COMPOSITE_TENSOR_VARIANT_TO_COMPONENTS;
    from_variant = RAGGED_TENSOR_FROM_VARIANT;
    gather = RAGGED_GATHER;
    range = RAGGED_RANGE;
    to_sparse = RAGGED_TENSOR_TO_SPARSE;
    to_tensor = RAGGED_TENSOR_TO_TENSOR;
    to_variant = RAGGED_TENSOR_TO_VARIANT, RAGGED_TENSOR_TO_VARIANT_GRADIENT;
}
