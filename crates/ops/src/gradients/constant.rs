//! Ops that TensorFlow takes for constant, so that what goes through them has no gradient.

use super::never;
use levada_graph::grad::Rule;

const CONSTANT: &[&str] = &[
    "AsString",
    "Assert",
    "AudioSummary",
    "AudioSummaryV2",
    "DecodeBase64",
    "DecodePaddedRaw",
    "DecodeRaw",
    "EncodeBase64",
    "FixedLengthRecordReader",
    "GenerateVocabRemapping",
    "HistogramSummary",
    "IdentityReader",
    "ImageSummary",
    "LoadAndRemapMatrix",
    "MergeSummary",
    "ParseTensor",
    "RandomIndexShuffle",
    "ReaderNumRecordsProduced",
    "ReaderNumWorkUnitsCompleted",
    "ReaderRead",
    "ReaderReadUpTo",
    "ReaderReset",
    "ReaderRestoreState",
    "ReaderSerializeState",
    "ReduceJoin",
    "RegexReplace",
    "ScalarSummary",
    "SerializeTensor",
    "StatelessMultinomial",
    "StatelessRandomBinomial",
    "StatelessRandomPoisson",
    "StatelessRandomUniformFullInt",
    "StatelessRandomUniformFullIntV2",
    "StatelessRandomUniformInt",
    "StatelessRandomUniformIntV2",
    "StatelessTruncatedNormalV2",
    "StringJoin",
    "StringSplit",
    "StringToHashBucket",
    "StringToHashBucketFast",
    "StringToHashBucketStrong",
    "StringToNumber",
    "TFRecordReader",
    "TensorSummary",
    "TensorSummaryV2",
    "TextLineReader",
    "Timestamp",
    "WholeFileReader",
];

pub(super) fn rule(op: &str) -> Option<Rule> {
    CONSTANT.contains(&op).then_some(never as Rule)
}
