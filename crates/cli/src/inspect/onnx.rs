//! The contents of an ONNX model before its conversion to a graph of ops.

use super::section::{Section, bytes};
use super::state::shape_json;
use levada::onnx::Model;
use levada::onnx::model::Declared;
use serde_json::{Value, json};

/// Everything in the model's file.
pub fn sections(model: &Model) -> Vec<Section> {
    let proto = &model.proto;
    let mut about = vec![("IR version", proto.ir_version.to_string())];
    let producer = format!("{} {}", proto.producer_name, proto.producer_version);
    about.push(("producer", producer.trim().to_owned()));
    about.push(("domain", proto.domain.clone()));
    about.push(("graph", proto.graph.as_ref().map(|graph| graph.name.clone()).unwrap_or_default()));
    about.extend(proto.metadata_props.iter().map(|entry| (&entry.key[..], entry.value.clone())));
    let about = about.into_iter().filter(|(_, text)| !text.is_empty()).map(|(key, text)| {
        let json = json!({"key": key, "value": text});
        ([key.to_owned(), text, String::new()], json)
    });
    let opsets = model.opsets().into_iter().map(|(domain, version)| {
        let json = json!({"domain": domain, "version": version});
        ([domain, version.to_string(), String::new()], json)
    });
    let functions =
        model.functions().into_iter().map(|name| ([name.clone(), String::new(), String::new()], json!(name)));
    let operators = model.operators().into_iter().map(|(name, n)| {
        let json = json!({"operator": name, "nodes": n});
        ([name, n.to_string(), String::new()], json)
    });
    vec![
        Section::list("model", "model", about.collect()),
        Section::list("opsets", "operator sets", opsets.collect()),
        values("model_inputs", "model inputs", model.inputs()),
        values("model_outputs", "model outputs", model.outputs()),
        initializers(model),
        Section::list("model_functions", "model functions", functions.collect()),
        Section::list("operators", "operators", operators.collect()),
    ]
}

fn values(key: &'static str, title: &str, values: Vec<Declared>) -> Section {
    let item = |(name, declared): Declared| -> ([String; 3], Value) {
        let text = declared.as_ref().map(|(ty, shape)| format!("{ty}{shape}")).unwrap_or_default();
        let json = match &declared {
            Some((ty, shape)) => json!({"name": name, "type": ty.to_string(), "shape": shape_json(shape)}),
            None => json!({"name": name, "type": null, "shape": null}),
        };
        ([name, text, String::new()], json)
    };
    Section::list(key, title, values.into_iter().map(item).collect())
}

fn initializers(model: &Model) -> Section {
    let all = model.initializers();
    let total = all.iter().filter_map(|one| one.num_bytes()).fold(0u64, u64::saturating_add);
    let items = all.into_iter().map(|one| {
        let size = one.num_bytes();
        let json = json!({
            "name": one.name, "type": one.elem.to_string(), "shape": one.dims, "bytes": size, "file": one.location,
        });
        let dims: Vec<String> = one.dims.iter().map(ToString::to_string).collect();
        let place = one.location.map(|file| format!(" in {file}")).unwrap_or_default();
        let text = format!("{}[{}]", one.elem, dims.join(","));
        ([one.name, text, format!("{}{place}", size.map(bytes).unwrap_or_default())], json)
    });
    Section::list("initializers", format!("initializers: {}", bytes(total)), items.collect())
}
