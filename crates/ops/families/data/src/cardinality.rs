//! `DatasetCardinality`: how many elements a dataset has.

use crate::dataset::{INPUT, input, scalar_output};
use crate::prelude::*;

attrs! {
    /// The number of elements of a dataset; -1 for one without an end, -2 where that is not known.
    pub struct DatasetCardinality {
        /// Not used: what is not known is not computed.
        options: Bytes = Attr::string("cardinality_options").or_str(""),
    }
}

pub static DATASET_CARDINALITY: Def<DatasetCardinality> = op("DatasetCardinality")
    .inputs(&[INPUT])
    .outputs(&[arg("cardinality", is(DType::I64))])
    .also(&[form("ExperimentalDatasetCardinality").without(&["cardinality_options"])])
    .shape(scalar_output)
    .kernel(|_: &DatasetCardinality, cx| {
        let cardinality = input(cx, 0)?.cardinality();
        cx.set(0, Tensor::scalar(cardinality));
        Ok(())
    });
