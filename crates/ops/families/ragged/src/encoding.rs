//! Ragged and composite tensors encoded as plain tensors, for storage of elements in files.

use crate::Ragged;
use crate::composite::Composite;
use crate::prelude::*;
use levada_graph::{EncodedVariant, Variant};

const RAGGED: &str = "levada::RaggedTensor";
const COMPOSITE: &str = "levada::CompositeTensor";

/// Returns the tensors of a ragged or composite tensor; `None` for other values.
pub fn encode(value: &Variant) -> Option<EncodedVariant> {
    let (name, tensors) = if let Some(Ragged { splits, values }) = value.get() {
        (RAGGED, splits.iter().chain([values]).cloned().collect())
    } else {
        (COMPOSITE, value.get::<Composite>()?.components.clone())
    };
    Some(EncodedVariant { type_name: name.to_owned(), metadata: Bytes::new(), tensors })
}

/// Returns the value that [`encode`] encoded; `None` for other encodings.
pub fn decode(encoded: &EncodedVariant) -> Option<Variant> {
    match encoded.type_name.as_str() {
        RAGGED => {
            let (values, splits) = encoded.tensors.split_last()?;
            Some(Variant::new(Ragged { splits: splits.to_vec(), values: values.clone() }))
        }
        COMPOSITE => Some(Variant::new(Composite { components: encoded.tensors.clone() })),
        _ => None,
    }
}
