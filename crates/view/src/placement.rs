//! Placements in the format of `levada place --json`.

use levada_graph::{Error, Result};
use serde_json::Value;
use std::collections::HashMap;

/// The device of a node, and why.
pub struct Place<'a> {
    pub device: &'a str,
    pub why: String,
}

/// Reads the places of nodes, by name.
pub fn read(json: &Value) -> Result<HashMap<&str, Place<'_>>> {
    let what = || {
        Error::invalid("this is not a placement")
            .expected("an object with \"placer\" and \"nodes\"")
            .help("`levada place GRAPH --json` writes one")
    };
    let nodes =
        json.get("nodes").filter(|_| json.get("placer").is_some()).and_then(Value::as_array).ok_or_else(what)?;
    let text = |node: &'_ Value, key: &str| node.get(key).and_then(Value::as_str).map(str::to_owned);
    let place = |node: &'_ Value| {
        let mut why = text(node, "why").unwrap_or_default();
        for unmet in node.get("unmet").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
            why = format!("{why}; {unmet}");
        }
        why
    };
    nodes
        .iter()
        .map(|node| {
            let name = node.get("name").and_then(Value::as_str).ok_or_else(what)?;
            let device = node.get("device").and_then(Value::as_str).ok_or_else(what)?;
            Ok((name, Place { device, why: place(node) }))
        })
        .collect()
}
