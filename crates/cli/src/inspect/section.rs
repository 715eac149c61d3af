//! A list of things of one kind, as text and as JSON.

use crate::show;
use serde_json::{Map, Value};

/// A list of things of one kind.
pub struct Section {
    /// Key in the JSON object.
    pub key: &'static str,
    /// Heading in the text.
    pub title: String,
    /// One or more rows for each thing.
    pub rows: Vec<[String; 3]>,
    /// The same as data.
    pub json: Value,
}

impl Section {
    /// A list with one JSON element per row.
    pub fn list(key: &'static str, title: impl Into<String>, items: Vec<([String; 3], Value)>) -> Section {
        let (rows, json): (Vec<_>, Vec<Value>) = items.into_iter().unzip();
        Section { key, title: title.into(), rows, json: json.into() }
    }
}

/// The sections that are not empty, at most `most` rows of each.
pub fn text(sections: &[Section], most: usize) -> String {
    let mut out = String::new();
    for section in sections.iter().filter(|s| !s.rows.is_empty()) {
        let shown: Vec<[String; 3]> =
            section.rows.iter().take(most).map(|[a, b, c]| [format!("  {a}"), b.clone(), c.clone()]).collect();
        out.push_str(&format!("\n{}\n{}", section.title, show::table("lll", &shown)));
        if section.rows.len() > most {
            out.push_str(&format!("  ... and {} more: --all shows them\n", section.rows.len() - most));
        }
    }
    out
}

/// The sections as members of an object.
pub fn json(sections: Vec<Section>) -> Map<String, Value> {
    sections.into_iter().map(|section| (section.key.to_owned(), section.json)).collect()
}

/// `512 B`, `31.4 kB`, `1.20 GB`.
pub fn bytes(n: u64) -> String {
    let n = n as f64;
    match n {
        n if n < 1e3 => format!("{n} B"),
        n if n < 1e6 => format!("{:.1} kB", n / 1e3),
        n if n < 1e9 => format!("{:.1} MB", n / 1e6),
        n => format!("{:.2} GB", n / 1e9),
    }
}
