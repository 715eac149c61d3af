//! Ragged tensors: values, and for each ragged axis where its rows begin and end in what is below it. Ragged and other
//! composite tensors in variants.

#[macro_use]
extern crate levada_ops_core;

use levada_ops_core::{coo, moves, prelude, variant_tensors};

mod rows;
mod variant;

family! {
    composite: CompositeTensorVariantFromComponents, CompositeTensorVariantToComponents;
    from_variant: RaggedTensorFromVariant;
    gather: RaggedGather;
    range: RaggedRange;
    to_sparse: RaggedTensorToSparse;
    to_tensor: RaggedTensorToTensor;
    to_variant: RaggedTensorToVariant, RaggedTensorToVariantGradient;
}
