//! Crates depend on each other in one direction only; the tables of `docs/architecture.md` say how.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The crates that every family of ops may depend on.
const OF_FAMILIES: [&str; 3] = ["levada-graph", "levada-kernel", "levada-ops-core"];

/// A row of the tables: the permitted dependencies of a crate, and the external crates that only it may use.
struct Row {
    allowed: BTreeSet<String>,
    owns: BTreeSet<String>,
}

fn words(cell: &str) -> impl Iterator<Item = &str> {
    cell.split(',').map(str::trim).filter(|word| !word.is_empty() && *word != "–")
}

fn package(name: &str) -> String {
    if name == "levada" { name.to_owned() } else { format!("levada-{}", name.replace('_', "-")) }
}

/// The rows by package.
fn tables() -> BTreeMap<String, Row> {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/architecture.md")).unwrap();
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let mut families = Vec::new();
    let mut in_families = false;
    for line in page.lines() {
        in_families |= line.starts_with("| family |");
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let ["", name, _, depends, owns, ""] = cells[..] else { continue };
        let Some(name) = name.strip_prefix('`').and_then(|n| n.strip_suffix('`')) else { continue };
        let mut allowed: BTreeSet<String> = words(depends).filter(|w| *w != "every family").map(package).collect();
        let mut name = package(name);
        if in_families {
            allowed.extend(OF_FAMILIES.map(str::to_owned));
            name = name.replace("levada-", "levada-ops-");
            families.push(name.clone());
        }
        rows.insert(name, Row { allowed, owns: words(owns).map(str::to_owned).collect() });
    }
    rows.get_mut("levada-ops").expect("a row for ops").allowed.extend(families);
    rows
}

fn dependencies(of: &Value) -> impl Iterator<Item = (&str, bool)> {
    let all = of["dependencies"].as_array().map(Vec::as_slice).unwrap_or_default();
    all.iter().filter_map(|d| Some((d["name"].as_str()?, d["kind"] == "dev")))
}

fn packages() -> BTreeMap<String, Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap().clone();
    packages.into_iter().map(|p| (p["name"].as_str().unwrap().to_owned(), p)).collect()
}

#[test]
fn no_crate_depends_on_one_that_it_must_not_know() {
    let (packages, tables) = (packages(), tables());
    let mut faults = Vec::new();
    for (name, package) in &packages {
        let Some(row) = tables.get(name) else {
            faults.push(format!("{name} is not in the tables"));
            continue;
        };
        for (dependency, is_dev) in dependencies(package).filter(|(d, _)| packages.contains_key(*d)) {
            let for_tests = is_dev && (dependency == "levada-testkit" || dependency == name);
            if !row.allowed.contains(dependency) && !for_tests {
                faults.push(format!("{name} must not depend on {dependency}"));
            }
        }
    }
    faults.extend(tables.keys().filter(|name| !packages.contains_key(*name)).map(|name| format!("there is no {name}")));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn outside_crates_stay_with_their_owner() {
    let (packages, tables) = (packages(), tables());
    let owned: BTreeSet<&String> = tables.values().flat_map(|row| &row.owns).collect();
    let mut faults = Vec::new();
    for (name, package) in &packages {
        let own = tables.get(name).map(|row| &row.owns);
        for (dependency, is_dev) in dependencies(package) {
            let is_owned = owned.contains(&dependency.to_owned());
            if is_owned && !is_dev && !own.is_some_and(|own| own.contains(dependency)) {
                faults.push(format!("{name} must not depend on {dependency}, which is another's"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Libraries without unit tests have `test = false`, which saves a build of each.
#[test]
fn no_unit_test_is_left_out() {
    let mut faults = Vec::new();
    for (name, package) in &packages() {
        let roots = package["targets"].as_array().unwrap().iter().filter(|target| target["test"] == false);
        let mut roots = roots.map(|target| Path::new(target["src_path"].as_str().unwrap()));
        let Some(root) = roots.find(|root| root.ends_with("src/lib.rs")) else { continue };
        let has_tests = |file: &PathBuf| std::fs::read_to_string(file).unwrap().contains("#[test]");
        let mut open: Vec<PathBuf> = root.parent().map(Path::to_owned).into_iter().collect();
        while let Some(folder) = open.pop() {
            let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
            open.extend(folders);
            let tested = files.iter().filter(|path| path.extension().is_some_and(|e| e == "rs")).find(|f| has_tests(f));
            faults.extend(tested.map(|file| format!("{name} has `test = false`, but {} has tests", file.display())));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The description that users see of a crate before they use it.
#[test]
fn published_crates_say_what_they_are() {
    let is_published = |package: &Value| package["publish"] != serde_json::json!([]);
    let mut faults = Vec::new();
    for (name, package) in packages().iter().filter(|(_, package)| is_published(package)) {
        for field in ["description", "license", "readme"] {
            if package[field].as_str().is_none_or(str::is_empty) {
                faults.push(format!("{name} has no {field}"));
            }
        }
        for field in ["keywords", "categories"] {
            let count = package[field].as_array().map_or(0, Vec::len);
            if !(1..=5).contains(&count) {
                faults.push(format!("{name} has {count} {field}; between 1 and 5 are allowed"));
            }
        }
        if package["metadata"]["docs"]["rs"]["all-features"] != true {
            faults.push(format!("{name} does not say that docs.rs is to document all features"));
        }
    }
    assert!(faults.is_empty(), "{}\nthe table [package] of crates/records/Cargo.toml has them", faults.join("\n"));
}
