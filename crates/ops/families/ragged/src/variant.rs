//! Ragged tensors in variants.

use crate::prelude::*;
use crate::variant_tensors::{add, zeros_like};
use levada_graph::{Variant, VariantValue};
use levada_ops_core::text::summarize::plain_name;

/// A ragged tensor.
#[derive(Clone, Debug)]
pub struct Ragged {
    /// The row splits, outermost axis first.
    pub splits: Vec<Tensor>,
    /// The values of the innermost rows.
    pub values: Tensor,
}

impl VariantValue for Ragged {
    fn type_name(&self) -> &'static str {
        "RaggedTensorVariant"
    }

    fn summary(&self) -> Option<String> {
        let splits = self.splits.last().map_or("INVALID", |splits| plain_name(splits.dtype()));
        let (dtype, rank) = (plain_name(self.values.dtype()), self.splits.len());
        Some(format!("RaggedTensorVariant(dtype={dtype}, ragged_rank={rank}, splits_dtype={splits}"))
    }

    fn zeros_like(&self) -> Result<Variant> {
        Ok(Variant::new(Ragged { splits: self.splits.clone(), values: zeros_like(&self.values)? }))
    }

    fn add(&self, other: &Variant) -> Result<Variant> {
        let Some(other) = other.get::<Ragged>() else {
            return Err(Error::invalid("Can't add a RaggedTensorVariant and something else."));
        };
        if self.values.dtype() != other.values.dtype() {
            return Err(Error::invalid("Can't add RaggedTensorVariants of different dtypes. "));
        }
        if self.splits.len() != other.splits.len() {
            return Err(Error::invalid("Can't add RaggedTensorVariants of different ragged rank. "));
        }
        if self.splits != other.splits {
            return Err(Error::invalid("Can't add RaggedTensorVariants with different row_splits. "));
        }
        Ok(Variant::new(Ragged { splits: self.splits.clone(), values: add(&self.values, &other.values)? }))
    }
}

/// Returns the ragged tensors in a tensor of variants.
///
/// # Errors
/// `INVALID_ARGUMENT` if an element is something else.
pub(super) fn all(tensor: &Tensor) -> Result<Vec<&Ragged>> {
    let held = tensor.slice::<Variant>()?.iter().enumerate();
    held.map(|(i, variant)| {
        variant.get().ok_or_else(|| {
            Error::invalid(format!("Input Variant element at index {i} doesn't hold a RaggedTensorVariant"))
                .found(format!("{variant:?}"))
        })
    })
    .collect()
}
