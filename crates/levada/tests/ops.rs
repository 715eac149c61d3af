//! The methods of `levada::Ops` and the list of ops in the documentation match the ops' specs. With `UPDATE=1` they are
//! written.

mod generate;

use generate::{methods, table};
use levada::graph::OpDef;
use std::path::{Path, PathBuf};

const UPDATE: &str = "UPDATE=1 cargo test -p levada --test ops";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The families with the ops that users build graphs of: those whose names begin with an underscore are internal.
fn families() -> Vec<(&'static str, Vec<OpDef>)> {
    let public = |(family, mut ops): (&'static str, Vec<OpDef>)| {
        ops.retain(|op| !op.spec.name.starts_with('_'));
        ops.sort_by_key(|op| op.spec.name);
        (family, ops)
    };
    levada::families().map(public).collect()
}

/// Compares the files with their expected contents; returns the names of those that differ, which are rewritten on
/// request.
fn stale(files: Vec<(String, String)>) -> Vec<String> {
    let update = std::env::var_os("UPDATE").is_some();
    let differs = |(file, expected): &(String, String)| {
        std::fs::read_to_string(root().join(file)).is_ok_and(|found| found == *expected)
    };
    let mut stale: Vec<String> = Vec::new();
    for (file, text) in files.into_iter().filter(|file| !differs(file)) {
        if update {
            std::fs::write(root().join(&file), text).unwrap();
        } else {
            stale.push(file);
        }
    }
    stale
}

#[test]
fn every_op_has_a_method() {
    let folder = "crates/nodes/src/ops";
    let families = families();
    let mut files = vec![(format!("{folder}/mod.rs"), methods::index(&families))];
    files.extend(families.iter().map(|(family, ops)| (format!("{folder}/{family}.rs"), methods::family(family, ops))));
    let known: Vec<String> = files.iter().map(|(file, _)| file.clone()).collect();
    let stale = stale(files);
    assert!(stale.is_empty(), "not what the ops' specs say: {}; {UPDATE} writes them", stale.join(", "));
    for entry in root().join(folder).read_dir().unwrap() {
        let name = format!("{folder}/{}", entry.unwrap().file_name().to_string_lossy());
        assert!(known.contains(&name), "{name} is of no family");
    }
}

#[test]
fn documentation_lists_every_op() {
    let stale = stale(vec![("docs/ops.md".to_owned(), table::page(&families()))]);
    assert!(stale.is_empty(), "docs/ops.md is not what the ops' specs say; {UPDATE} writes it");
}

/// The documentation of every method describes its op.
#[test]
fn every_op_and_attr_says_what_it_is() {
    let silent: Vec<String> = families()
        .iter()
        .flat_map(|(_, ops)| ops)
        .flat_map(|op| {
            let attrs = op.attrs.iter().filter(|a| a.doc.trim().is_empty());
            let op_itself = op.doc.trim().is_empty().then(|| op.spec.name.to_owned());
            op_itself.into_iter().chain(attrs.map(|a| format!("{}.{}", op.spec.name, a.name)))
        })
        .collect();
    assert!(silent.is_empty(), "without a doc comment: {}", silent.join(", "));
}
