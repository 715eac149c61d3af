//! The file of a SavedModel, and the MetaGraph in it with the requested tags.

use crate::proto::{Beside, MetaInfo, SavedModel};
use bytes::Bytes;
use levada_graph::{Code, Error, Result};
use levada_kernel::files::failed;
use prost::Message;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The tags of each MetaGraph of the SavedModel in `directory`.
///
/// # Errors
/// `NOT_FOUND` if there is none, `DATA_LOSS` if its file is corrupt.
pub fn tag_sets(directory: impl AsRef<Path>) -> Result<Vec<Vec<String>>> {
    let all = meta_graphs(directory.as_ref())?;
    Ok(all.into_iter().map(|(_, beside)| tags(&beside)).collect())
}

pub(crate) fn tags(beside: &Beside) -> Vec<String> {
    beside.meta_info.as_ref().map_or_else(Vec::new, |info: &MetaInfo| info.tags.clone())
}

/// The MetaGraph with these tags, as a serialized `MetaGraphDef` and as the decoded fields; without tags the only one,
/// or the one for serving.
pub(crate) fn meta_graph(directory: &Path, asked: Option<&[String]>) -> Result<(Bytes, Beside)> {
    let all = meta_graphs(directory)?;
    let sets: Vec<Vec<String>> = all.iter().map(|(_, beside)| tags(beside)).collect();
    let same = |set: &[String], asked: &[String]| {
        set.iter().all(|t| asked.contains(t)) && asked.iter().all(|t| set.contains(t))
    };
    let serve = ["serve".to_owned()];
    let found = match (asked, sets.len()) {
        (Some(asked), _) => sets.iter().position(|set| same(set, asked)),
        (None, 1) => Some(0),
        (None, _) => sets.iter().position(|set| same(set, &serve)),
    };
    if let Some(found) = found
        && let Some(one) = all.into_iter().nth(found)
    {
        return Ok(one);
    }
    let name = |set: &Vec<String>| if set.is_empty() { "no tags".to_owned() } else { set.join(",") };
    let listed = sets.iter().map(name).collect::<Vec<_>>().join("; ");
    let message = match asked {
        Some(asked) => format!("the SavedModel has no MetaGraph with the tags {}", asked.join(",")),
        None => "the SavedModel has several MetaGraphs and none whose only tag is serve".to_owned(),
    };
    let error = Error::not_found(message).file(directory.display()).found(format!("MetaGraphs with {listed}"));
    Err(error.help("ask for one by all of its tags: --tag TAG,TAG on the command line, `tags` in the options"))
}

/// Every MetaGraph. The bytes are slices of the file, which is in memory once.
fn meta_graphs(directory: &Path) -> Result<Vec<(Bytes, Beside)>> {
    let mut path = directory.join("saved_model.pb");
    let bytes = match fs::read(&path) {
        Ok(bytes) => Bytes::from(bytes),
        Err(e) if e.kind() == ErrorKind::NotFound && directory.join("saved_model.pbtxt").exists() => {
            path = directory.join("saved_model.pbtxt");
            let text = fs::read(&path).map_err(|e| failed(&path, &e))?;
            let binary = levada_graph::read::saved_model_from_text(&text);
            Bytes::from(binary.map_err(|e| e.in_file(&path.display().to_string()))?)
        }
        Err(e) => {
            let error = failed(&path, &e);
            let split = directory.join("saved_model.cpb");
            return Err(match error.code() == Code::NotFound && split.exists() {
                true => Error::unimplemented("a SavedModel in saved_model.cpb is not read")
                    .file(split.display())
                    .expected("saved_model.pb")
                    .help("load it with TensorFlow and save it again: tf.saved_model.save writes saved_model.pb"),
                false => error,
            });
        }
    };
    let named = |e: Error| e.in_file(&path.display().to_string());
    let corrupt = |e: prost::DecodeError| {
        named(Error::data_loss("the file is not a SavedModel").expected("the message SavedModel").found(e))
    };
    let model = SavedModel::decode(bytes).map_err(corrupt)?;
    if model.schema_version > 1 {
        return Err(named(
            Error::unimplemented("the SavedModel is of a later schema")
                .expected("version 1")
                .found(model.schema_version),
        ));
    }
    if model.meta_graphs.is_empty() {
        return Err(named(Error::data_loss("the SavedModel has no MetaGraph")));
    }
    let read = |bytes: Bytes| Ok((bytes.clone(), Beside::decode(bytes).map_err(corrupt)?));
    model.meta_graphs.into_iter().map(read).collect()
}
