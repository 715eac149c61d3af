//! Datasets that check or measure how others are computed: the dataset as it is.

use crate::dataset::{DATASET, INPUT, Plain, scalar, scalar_output};
use crate::options::pass;
use crate::prelude::*;

const NO_METADATA: &[&str] = &["metadata"];
const TRANSFORMATIONS: Arg = arg("transformations", is(DType::Str));

pub static ASSERT_NEXT_DATASET: Def<Plain> = op("AssertNextDataset")
    .doc("A dataset whose next transformations TensorFlow's optimizer should have made these, which is not checked.")
    .inputs(&[INPUT, TRANSFORMATIONS])
    .outputs(DATASET)
    .without(NO_METADATA)
    .also(&[form("ExperimentalAssertNextDataset"), form("AssertPrevDataset")])
    .shape(scalar_output)
    .kernel(pass);

pub static NON_SERIALIZABLE_DATASET: Def<Plain> = op("NonSerializableDataset")
    .doc("A dataset that TensorFlow cannot write to a graph.")
    .inputs(&[INPUT])
    .outputs(DATASET)
    .without(NO_METADATA)
    .also(&[form("ExperimentalNonSerializableDataset")])
    .shape(scalar_output)
    .kernel(pass);

pub static SLEEP_DATASET: Def<Plain> = op("SleepDataset")
    .doc("A dataset whose elements TensorFlow gives `sleep_microseconds` late, to try what that does; here they come at once.")
    .inputs(&[INPUT, arg("sleep_microseconds", is(DType::I64))])
    .outputs(DATASET)
    .without(NO_METADATA)
    .also(&[form("ExperimentalSleepDataset")])
    .shape(scalar_output)
    .kernel(|op, cx| {
        scalar::<i64>(cx, 1, "sleep_microseconds")?;
        pass(op, cx)
    });

pub static LATENCY_STATS_DATASET: Def<Plain> = op("LatencyStatsDataset")
    .doc("A dataset of which a collector of statistics should get the time of each element, which it does not.")
    .inputs(&[INPUT, arg("tag", is(DType::Str))])
    .outputs(DATASET)
    .without(NO_METADATA)
    .also(&[
        form("ExperimentalLatencyStatsDataset"),
        form("BytesProducedStatsDataset").doc(
            "A dataset of which a collector of statistics should get the size of each element, which it does not.",
        ),
        form("ExperimentalBytesProducedStatsDataset").doc(
            "A dataset of which a collector of statistics should get the size of each element, which it does not.",
        ),
    ])
    .shape(scalar_output)
    .kernel(|op, cx| {
        scalar::<Bytes>(cx, 1, "tag")?;
        pass(op, cx)
    });
