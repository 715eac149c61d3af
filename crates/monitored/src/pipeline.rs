//! The state of input pipelines: contents of queues, positions of readers, local variables. It is saved next to each
//! checkpoint, so that training continues with the next element.

use levada_builder::{Builder, Output};
use levada_checkpoint::{Reader, Writer, index_path};
use levada_graph::attr::Attrs;
use levada_graph::collections::VariableDef;
use levada_graph::{Act, AttrValue, Code, DType, Graph, PartialShape, Result, Tensor};
use levada_session::Session;
use levada_train::Variable;
use std::path::{Path, PathBuf};

/// State that checkpoints do not include.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsaved {
    /// Name of the node that has the state.
    pub node: String,
    /// Its op.
    pub op: String,
    /// What happens to the state on a restart.
    pub reason: &'static str,
}

/// A tensor of the state: its name in the file, and what to fetch, feed and run.
struct Saved {
    name: String,
    read: String,
    feed: String,
    restore: String,
}

/// Saves and restores the state.
pub(crate) struct Pipeline {
    saved: Vec<Saved>,
    pub(crate) unsaved: Vec<Unsaved>,
}

/// Ops that make readers.
const READERS: [&str; 5] =
    ["FixedLengthRecordReader", "IdentityReader", "TFRecordReader", "TextLineReader", "WholeFileReader"];

/// Ops whose state is lost, and what happens to it.
const LOST: &[(&[&str], &str)] = &[
    (&["Barrier"], "the barrier is empty again"),
    (&["Stage", "MapStage", "OrderedMapStage"], "the staging area is empty again"),
    (
        &["ConditionalAccumulator", "ResourceConditionalAccumulator", "SparseConditionalAccumulator"],
        "gradients that were accumulated are dropped",
    ),
    (
        &[
            "MutableHashTable",
            "MutableHashTableV2",
            "MutableHashTableOfTensors",
            "MutableHashTableOfTensorsV2",
            "MutableDenseHashTable",
            "MutableDenseHashTableV2",
        ],
        "the table has only what initialization gives it, unless the graph's own saver saves it",
    ),
    (&["AddSparseToTensorsMap", "AddManySparseToTensorsMap"], "the map is empty again"),
    (&["TensorArray", "Stack", "StackV2"], "it is empty again"),
];

const RANDOM: &str = "its random numbers start over";

fn base(op: &str) -> &str {
    op.strip_suffix("V2").unwrap_or(op)
}

impl Pipeline {
    /// Adds the nodes that save and restore.
    pub(crate) fn of(b: &mut Builder, locals: &[VariableDef]) -> Result<Pipeline> {
        let mut pipeline = Pipeline { saved: Vec::new(), unsaved: Vec::new() };
        let nodes = b.graph().nodes().map(|(_, node)| (node.name.to_string(), node.spec()));
        let found: Vec<(String, &str, bool)> =
            nodes.map(|(n, spec)| (n, spec.name, spec.act == Some(Act::Make))).collect();
        for (name, op, makes) in found {
            let form = if op.ends_with("V2") { "V2" } else { "" };
            if makes && base(op).ends_with("Queue") {
                let parts = [("state", DType::I64), ("elements", DType::Str)];
                pipeline.add(
                    b,
                    &name,
                    "queue",
                    [&format!("QueueSave{form}"), &format!("QueueRestore{form}")],
                    parts,
                )?;
            } else if READERS.contains(&base(op)) {
                let parts = [("given", DType::I64), ("state", DType::Str)];
                pipeline.add(
                    b,
                    &name,
                    "reader",
                    [&format!("ReaderSave{form}"), &format!("ReaderRestore{form}")],
                    parts,
                )?;
            }
        }
        for def in locals {
            let name = def.variable.strip_suffix(":0").unwrap_or(&def.variable);
            let variable = Variable::find(b, name)?;
            let dtype = variable.dtype(b);
            let feed = b.node("Placeholder").attr("dtype", dtype).attr("shape", PartialShape::Unknown).add();
            let restore = variable.assign(b, feed);
            pipeline.saved.push(Saved {
                name: format!("local_variable/{name}"),
                read: b.name(variable.value),
                feed: b.name(feed),
                restore: b.node_name(restore),
            });
        }
        pipeline.unsaved = unsaved(b.graph());
        Ok(pipeline)
    }

    fn add(
        &mut self,
        b: &mut Builder,
        name: &str,
        kind: &str,
        [save, restore]: [&str; 2],
        parts: [(&str, DType); 2],
    ) -> Result<()> {
        let handle = b.find(name)?;
        let saved = b.op(save, &[handle]);
        let feeds: Vec<Output> =
            parts.iter().map(|(_, dtype)| b.node("Placeholder").attr("dtype", *dtype).add()).collect();
        let restored = b.op(restore, &[handle, feeds[0], feeds[1]]);
        for (i, (part, _)) in parts.iter().enumerate() {
            self.saved.push(Saved {
                name: format!("{kind}/{name}/{part}"),
                read: b.name(saved.output(i as u32)),
                feed: b.name(feeds[i]),
                restore: b.node_name(restored),
            });
        }
        Ok(())
    }

    /// True if there is nothing to save.
    pub(crate) fn is_empty(&self) -> bool {
        self.saved.is_empty()
    }

    /// Saves the state next to the checkpoint with this prefix. The queue runners must be paused.
    pub(crate) fn save(&self, session: &Session, prefix: &Path) -> Result<()> {
        let reads: Vec<&str> = self.saved.iter().map(|s| s.read.as_str()).collect();
        let values = session.run(&[], &reads, &[])?;
        let mut writer = Writer::create(beside(prefix))?;
        for (saved, value) in self.saved.iter().zip(&values) {
            writer.add(&saved.name, value)?;
        }
        writer.finish()
    }

    /// Restores the state saved next to a checkpoint; returns whether there was any. State that the file lacks is left
    /// unchanged.
    pub(crate) fn restore(&self, session: &Session, prefix: &Path) -> Result<bool> {
        let path = beside(prefix);
        if self.is_empty() || !index_path(&path).exists() {
            return Ok(false);
        }
        let reader = Reader::open(&path)?;
        let mut feeds: Vec<(&str, Tensor)> = Vec::new();
        let mut targets: Vec<&str> = Vec::new();
        for saved in &self.saved {
            match reader.read(&saved.name) {
                Ok(value) => {
                    feeds.push((&saved.feed, value));
                    targets.push(&saved.restore);
                }
                Err(error) if error.code() == Code::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        targets.dedup();
        session.run(&feeds, &[], &targets)?;
        Ok(true)
    }
}

/// The prefix of the state's files.
pub(crate) fn beside(prefix: &Path) -> PathBuf {
    let mut path = prefix.as_os_str().to_owned();
    path.push(".pipeline");
    PathBuf::from(path)
}

/// State that is lost on a restart.
fn unsaved(graph: &Graph) -> Vec<Unsaved> {
    let mut all = Vec::new();
    for (_, node) in graph.nodes() {
        if let Some(reason) = lost(node.spec().name, node.spec().stateful, &node.attrs) {
            all.push(Unsaved { node: node.name.to_string(), op: node.spec().name.to_owned(), reason });
        }
    }
    for function in &graph.library.functions {
        for node in &function.nodes {
            let makes = base(&node.op).ends_with("Queue") || READERS.contains(&base(&node.op));
            let seeded = ["seed", "seed2"].iter().any(|name| node.attrs.get(name).is_some());
            let reason = match makes {
                true => Some("it is made inside a function, and starts over"),
                false => lost(&node.op, seeded, &node.attrs),
            };
            if let Some(reason) = reason {
                let name = format!("{}/{}", function.signature.name, node.name);
                all.push(Unsaved { node: name, op: node.op.clone(), reason });
            }
        }
    }
    all
}

fn lost(op: &str, stateful: bool, attrs: &Attrs) -> Option<&'static str> {
    if let Some((_, reason)) = LOST.iter().find(|(ops, _)| ops.contains(&op)) {
        return Some(reason);
    }
    let makes_queue = base(op).ends_with("Queue");
    let is_seed = |name: &str| matches!(attrs.get(name), Some(AttrValue::I(seed)) if *seed != 0);
    (stateful && !makes_queue && (is_seed("seed") || is_seed("seed2"))).then_some(RANDOM)
}
