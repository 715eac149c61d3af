//! What a SavedModel holds beside its graph: tags, functions of its objects, variables, assets.

use super::beside::tensor;
use super::section::{Section, bytes};
use super::state::shape_json;
use levada::Result;
use levada::checkpoint::Reader;
use levada::graph::meta::TensorDef;
use levada::graph::read::Kind;
use levada::saved_model::{Function, Survey};
use serde_json::{Value, json};
use std::path::Path;

/// The contents of the SavedModel at a path; `None` if there is none.
///
/// # Errors
/// What is wrong with its file; for tags that no MetaGraph has, the available ones.
pub fn survey(path: &Path, tags: &[String]) -> Result<Option<Survey>> {
    match Kind::of(path) {
        Ok(Kind::SavedModel(directory)) => {
            let tags = (!tags.is_empty()).then_some(tags);
            Survey::of(directory, &levada::registry(), tags).map(Some)
        }
        // What is wrong with the path is reported when it is read.
        _ => Ok(None),
    }
}

/// Everything beside the graph.
///
/// # Errors
/// What is wrong with the files of the variables.
pub fn sections(survey: &Survey) -> Result<Vec<Section>> {
    let tags = survey.tags.iter().map(|tag| ([tag.clone(), String::new(), String::new()], json!(tag)));
    let assets = survey.assets.iter().map(|asset| {
        let size = std::fs::metadata(&asset.path).ok().map(|metadata| metadata.len());
        let text = size.map_or_else(|| "missing".to_owned(), bytes);
        let json = json!({"name": asset.name, "bytes": size, "endpoint": asset.endpoint});
        ([asset.name.clone(), text, asset.endpoint.clone()], json)
    });
    let mut sections = vec![Section::list("tags", "tags", tags.collect()), functions(&survey.functions)];
    if let Some(prefix) = survey.checkpoint() {
        sections.push(values(&Reader::open(prefix)?)?);
    }
    sections.push(Section::list("assets", "assets", assets.collect()));
    Ok(sections)
}

/// Functions that `--signature` can also name.
fn functions(functions: &[Function]) -> Section {
    let (mut rows, mut json) = (Vec::new(), Vec::new());
    for function in functions {
        rows.push([function.name.clone(), String::new(), String::new()]);
        for (what, side) in [("feed", &function.inputs), ("fetch", &function.outputs)] {
            rows.extend(side.iter().map(|(name, def)| [format!("  {what} {name}"), tensor(def), String::new()]));
        }
        json.push(json!({
            "name": function.name, "inputs": arguments(&function.inputs), "outputs": arguments(&function.outputs),
        }));
    }
    let title = "functions of saved objects (--signature)".to_owned();
    Section { key: "object_functions", title, rows, json: json.into() }
}

fn arguments(side: &[(String, TensorDef)]) -> Vec<Value> {
    let one = |(name, def): &(String, TensorDef)| json!({"name": name, "dtype": def.dtype.map(|dtype| dtype.to_string()), "shape": shape_json(&def.shape)});
    side.iter().map(one).collect()
}

/// The values of variables, with their sizes.
fn values(reader: &Reader) -> Result<Section> {
    let mut items = Vec::new();
    let mut total = 0u64;
    for name in reader.names() {
        let entry = reader.entry(name)?;
        let plain = entry.dtype.is_plain().then(|| entry.shape.num_elements() as u64 * entry.dtype.size() as u64);
        total = total.saturating_add(plain.unwrap_or(0));
        let sizes = entry.shape.dims().to_vec();
        let json = json!({"name": name, "dtype": entry.dtype.to_string(), "shape": sizes, "bytes": plain});
        let size = plain.map_or_else(String::new, bytes);
        items.push(([name.to_owned(), format!("{}{}", entry.dtype, entry.shape), size], json));
    }
    let title = format!("values of variables: {}", bytes(total));
    Ok(Section::list("checkpoint", title, items))
}
