//! Names of TensorFlow's ops, to tell an op that is not implemented here from a typing slip.

use crate::error::Error;
use crate::op::Registry;

/// Every op of TensorFlow 2.21's public registry, one a line, in order; `!` marks those with state or side effects.
/// Written by `known_ops.py`.
static NAMES: &str = include_str!("known_ops.txt");

/// The line of an op of TensorFlow.
fn find(name: &str) -> Option<&'static str> {
    NAMES.lines().find(|line| line.strip_suffix('!').unwrap_or(line) == name)
}

/// True for an op of TensorFlow with state or side effects, and for one that is not TensorFlow's: of that nothing is known.
pub(crate) fn is_stateful(name: &str) -> bool {
    find(name).is_none_or(|line| line.ends_with('!'))
}

/// The error for an op that the registry does not have.
pub fn unknown_op(registry: &Registry, name: &str) -> Error {
    if let Some(feature) = registry.missing_feature(name) {
        let error =
            Error::unimplemented(format!("the op {name} is left out of this build, which lacks the feature {feature}"));
        return error.op(name).help(format!("build with `--features {feature}`"));
    }
    let error = Error::unimplemented(format!("the op {name} is not supported")).op(name);
    if find(name).is_some() {
        let error =
            error.found(concat!("an op of TensorFlow that levada ", env!("CARGO_PKG_VERSION"), " does not implement"));
        return error.help(advice(name));
    }
    let error = error.found(format!("{name:?}, which is not an op of TensorFlow either"));
    match registry.nearest(name) {
        Some(near) => error.help(format!("did you mean {near:?}?")),
        None => error.help(
            "an op of a library of its own cannot run here; feed what it gives (--feed NODE:OUTPUT=...), or fetch what does \
             not need it",
        ),
    }
}

/// What can be done instead, by family of ops: parts of their names, and advice.
const ADVICE: &[(&[&str], &str)] = &[
    (
        &["SqlDataset", "LMDBDataset"],
        "databases are not read: write the rows to a file of records (TFRecordDataset) or of text (TextLineDataset)",
    ),
    (
        &["DataService", "RegisterDataset", "ListSnapshotChunks"],
        "it needs tf.data service: give each worker its part with AutoShardDataset or ShardDataset",
    ),
    (
        &["Dataset", "Iterator", "DeleteMemoryCache", "SeedGenerator"],
        "docs/data.md lists the parts of tf.data that there are; feed what the iterator gives (--feed NODE:OUTPUT=@batch.npy)",
    ),
    (
        &["LoadAndRemap", "VocabRemapping"],
        "restore the variables under the names that they have in the checkpoint (RestoreV2), or feed the values",
    ),
    (&["SummaryDb", "Summaries"], "leave it out of what is fetched: summaries are written to files of events only"),
    (
        &["TPU", "Xla", "_Tpu", "Infeed", "Outfeed"],
        "it is for TPUs or XLA only: export the graph as it was before it was rewritten for them",
    ),
    (
        &["Collective", "Nccl"],
        "it needs other processes: export the graph of a single one, without a distribution strategy",
    ),
    (
        &["Mkl", "_Fused", "TRT", "Cudnn", "Fpga"],
        "it is what an optimizer put in place of plain ops: export the graph before it is optimized",
    ),
];

/// What to do about an op of TensorFlow that is not implemented.
fn advice(name: &str) -> String {
    let family = ADVICE.iter().find(|(parts, _)| parts.iter().any(|part| name.contains(part)));
    match family {
        Some((_, advice)) => (*advice).to_owned(),
        None => {
            "feed what it gives (--feed NODE:OUTPUT=@value.npy), or fetch what does not need it; docs/adding-an-op.md shows \
             how an op is added"
                .to_owned()
        }
    }
}
