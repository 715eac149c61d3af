//! `WrapDatasetVariant`, `UnwrapDatasetVariant`: datasets in transit between devices.

use crate::dataset::{Source, input, scalar_output};
use crate::prelude::*;
use levada_graph::{Variant, VariantValue};

/// A wrapped dataset, which other ops do not accept as a dataset.
#[derive(Clone, Debug)]
pub(crate) struct Wrapped(pub(crate) Source);

impl VariantValue for Wrapped {
    fn type_name(&self) -> &'static str {
        "tensorflow::WrappedDatasetVariantWrapper"
    }
}

attrs! {
    /// Wraps a dataset so that it may be copied between devices.
    pub struct WrapDatasetVariant {}
}

pub static WRAP_DATASET_VARIANT: Def<WrapDatasetVariant> =
    op("WrapDatasetVariant").inputs(INPUTS).outputs(OUTPUTS).shape(scalar_output).kernel(
        |_: &WrapDatasetVariant, cx| {
            let source = input(cx, 0)?;
            cx.set(0, Tensor::scalar(Variant::new(Wrapped(source))));
            Ok(())
        },
    );

attrs! {
    /// Returns the wrapped dataset.
    pub struct UnwrapDatasetVariant {}
}

pub static UNWRAP_DATASET_VARIANT: Def<UnwrapDatasetVariant> =
    op("UnwrapDatasetVariant").inputs(INPUTS).outputs(OUTPUTS).shape(scalar_output).kernel(
        |_: &UnwrapDatasetVariant, cx| {
            let handle = cx.input(0)?;
            let wrapped = match handle.shape().is_scalar() {
                true => handle.slice::<Variant>()?.first().and_then(Variant::get::<Wrapped>),
                false => None,
            };
            let Some(Wrapped(source)) = wrapped else {
                return Err(Error::invalid("Tensor must be a WrappedDatasetVariant."));
            };
            let source = source.tensor();
            cx.set(0, source);
            Ok(())
        },
    );

const INPUTS: &[Arg] = &[arg("input_handle", is(DType::Variant))];
const OUTPUTS: &[Arg] = &[arg("output_handle", is(DType::Variant))];
