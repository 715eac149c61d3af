//! Recognises the contents of a path: a graph, a model of some kind, or another kind of file, with advice.

use super::cannot_open;
use crate::error::{Error, Result};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The contents of a path that can be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A file that [`read::file`](super::file) reads or refuses: a GraphDef or MetaGraphDef.
    Graph,
    /// A SavedModel, with its directory.
    SavedModel(PathBuf),
    /// An ONNX model.
    Onnx,
}

impl Kind {
    /// Determines the contents of `path` from its name and, unless it is a pipe, its first bytes.
    ///
    /// # Errors
    /// `NOT_FOUND` and the like if it cannot be opened.
    pub fn of(path: impl AsRef<Path>) -> Result<Kind> {
        let path = path.as_ref();
        if path.is_dir() {
            return Ok(match SAVED_MODEL_FILES.iter().any(|file| path.join(file).exists()) {
                true => Kind::SavedModel(path.to_owned()),
                false => Kind::Graph,
            });
        }
        let failed = |e| cannot_open(&path.display().to_string(), &e);
        let mut start = Vec::new();
        // What is read from a pipe is gone.
        if path.metadata().map_err(failed)?.is_file() {
            File::open(path).map_err(failed)?.take(8).read_to_end(&mut start).map_err(failed)?;
        }
        if path.file_name().is_some_and(|name| SAVED_MODEL_FILES.iter().any(|file| name == *file)) {
            let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            return Ok(Kind::SavedModel(directory.unwrap_or(Path::new(".")).to_owned()));
        }
        let named_onnx = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("onnx"));
        Ok(if named_onnx || is_onnx(&start) { Kind::Onnx } else { Kind::Graph })
    }
}

/// A SavedModel's directory contains one of these files.
const SAVED_MODEL_FILES: [&str; 3] = ["saved_model.pb", "saved_model.pbtxt", "saved_model.cpb"];

/// True for the first bytes of an ONNX model: its version, and the field that follows in files written by ONNX's tools.
fn is_onnx(start: &[u8]) -> bool {
    matches!(start, [0x08, 1..=32, 0x12 | 0x1a | 0x3a | 0x42, ..]) && !matches!(start, [0x08, 1, 0x12, ..])
}

/// How to get a graph out of a Keras model.
const KERAS: &str = "freeze it with TensorFlow, which puts the values of the variables into the graph:
  import tensorflow as tf
  from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2 as freeze
  model = tf.keras.models.load_model(\"FILE\")
  step = tf.function(model).get_concrete_function([tf.TensorSpec(t.shape, t.dtype) for t in model.inputs])
  open(\"model.pb\", \"wb\").write(freeze(step).graph.as_graph_def().SerializeToString())";
/// How to open a SavedModel.
const SAVED_MODEL: &str = "open its directory, with levada::open or as `levada run DIR --signature NAME`";
/// What to load instead of a checkpoint.
const CHECKPOINT: &str = "it holds values of variables only: load the graph (the .meta file beside it, or a .pb)";
/// The supported formats.
const EXPECTED: &str = "a GraphDef or MetaGraphDef: JSON, .pb, .meta or .pbtxt";
/// What to do with arrays.
const ARRAYS: &str = "it holds arrays: feed them to a graph with --feed NAME=@FILE";

fn other(what: &str, help: impl std::fmt::Display) -> Error {
    Error::invalid(format!("this is {what}, not a graph")).expected(EXPECTED).found(what).help(help)
}

/// The error for bytes with the header or trailer of another kind of file.
pub(crate) fn by_mark(bytes: &[u8]) -> Option<Error> {
    let begins = |mark: &[u8]| bytes.starts_with(mark);
    // Names in archives are near the beginning of the entries, so nothing needs to be unpacked.
    let holds = |name: &[u8]| bytes.windows(name.len()).any(|part| part == name);
    if begins(b"\x89HDF\r\n\x1a\n") {
        return Some(other("an HDF5 file, such as Keras writes", KERAS));
    }
    if begins(b"PK\x03\x04") || begins(b"PK\x05\x06") {
        return Some(match () {
            () if holds(b"model.weights.h5") => other("a Keras model (.keras)", KERAS),
            () if holds(b"data.pkl") => {
                other("a PyTorch model", "Levada runs graphs of TensorFlow; export the model from TensorFlow")
            }
            () if holds(b".npy") => other("an archive of arrays (.npz)", ARRAYS),
            () if holds(b"saved_model.pb") => other("a packed SavedModel", format!("unpack it; then {SAVED_MODEL}")),
            () => other("a zip archive", "unpack it and load the graph that is in it"),
        });
    }
    if begins(b"\x1f\x8b") {
        return Some(other("a gzip archive", "unpack it first: gunzip FILE"));
    }
    if begins(b"\x93NUMPY") {
        return Some(other("an array (.npy)", ARRAYS));
    }
    if bytes.get(4..8) == Some(b"TFL3") {
        return Some(other(
            "a TensorFlow Lite model (.tflite)",
            "load the graph that it was converted from; the model has lost what training needs",
        ));
    }
    // The footer of an SSTable.
    if bytes.ends_with(&[0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb]) {
        return Some(other("a checkpoint's index, or a checkpoint of the first format", CHECKPOINT));
    }
    let text = bytes.trim_ascii_start();
    if text.starts_with(b"model_checkpoint_path:") {
        return Some(other("a list of checkpoints (checkpoint)", CHECKPOINT));
    }
    None
}

/// The error for bytes that are not a GraphDef either: what else they may be.
pub(crate) fn by_structure(bytes: &[u8]) -> Option<Error> {
    if let [0x80, 2..=5, ..] = bytes
        && bytes.ends_with(b".")
    {
        return Some(other(
            "a Python pickle",
            "export the graph with tf.compat.v1.train.export_meta_graph(\"model.meta\")",
        ));
    }
    let length = |at: usize| Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?));
    let header = length(0)?;
    if bytes.get(8) == Some(&b'{') && header <= bytes.len() as u64 - 8 {
        return Some(other("a file of tensors (.safetensors)", "it holds values only: load the graph that uses them"));
    }
    if records(bytes, length) {
        let end = bytes.len().min(256);
        return Some(match bytes[..end].windows(12).any(|part| part == b"brain.Event:") {
            true => other(
                "a log of summaries (events.out.tfevents)",
                "look at it with TensorBoard; load the .meta file beside it",
            ),
            false => other("a file of records (TFRecord)", "a graph reads it: see docs/pipelines.md"),
        });
    }
    is_onnx(bytes).then(|| other("an ONNX model (.onnx)", "open it with levada::open"))
}

/// True if the bytes are a sequence of records: a length, its checksum, the data, their checksum.
fn records(bytes: &[u8], length: impl Fn(usize) -> Option<u64>) -> bool {
    let mut at = 0usize;
    while at < bytes.len() {
        let next = length(at).and_then(|n| usize::try_from(n).ok()).and_then(|n| at.checked_add(16)?.checked_add(n));
        match next {
            Some(next) if next <= bytes.len() => at = next,
            _ => return false,
        }
    }
    true
}

/// The error for a path that is not a graph judging by its type or name.
pub(crate) fn by_path(path: &Path) -> Option<Error> {
    if path.is_dir() {
        return Some(match SAVED_MODEL_FILES.iter().any(|file| path.join(file).exists()) {
            true => other("the directory of a SavedModel", SAVED_MODEL),
            false => other("a directory", "name the graph's file in it: .json, .pb or .meta"),
        });
    }
    let name = path.file_name()?.to_str()?;
    let part = name.rsplit_once(".data-")?.1;
    let is_shard = part.split_once("-of-").is_some_and(|(i, n)| i.parse::<u32>().is_ok() && n.parse::<u32>().is_ok());
    is_shard.then(|| other("the values of a checkpoint (.data-00000-of-00001)", CHECKPOINT))
}

/// The error for a SavedModel's own file.
pub(crate) fn saved_model() -> Error {
    other("a SavedModel (saved_model.pb)", SAVED_MODEL)
}
