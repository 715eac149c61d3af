//! Faulty graphs and their errors: `graphs/bad/NAME.json` and `tests/errors/NAME.txt`.

use levada::graph::read;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Names of the files in a folder with this ending.
fn names(folder: &str, ending: &str) -> BTreeSet<String> {
    let files = fs::read_dir(root().join(folder)).unwrap();
    files.filter_map(|f| f.unwrap().file_name().to_str()?.strip_suffix(ending).map(str::to_owned)).collect()
}

fn report(name: &str) -> levada::Error {
    let bytes = fs::read(root().join(format!("graphs/bad/{name}.json"))).unwrap();
    let result = read::Options::STRICT.bytes(&bytes, &levada::registry());
    result.expect_err(name).in_file(&format!("graphs/bad/{name}.json"))
}

#[test]
fn wrong_graphs_get_these_reports() {
    let bless = std::env::var_os("LEVADA_BLESS").is_some();
    let mut wrong = Vec::new();
    for name in names("graphs/bad", ".json") {
        let path = root().join(format!("tests/errors/{name}.txt"));
        let found = format!("{}\n", report(&name));
        if bless {
            fs::write(&path, &found).unwrap();
        } else if fs::read_to_string(&path).unwrap_or_default() != found {
            wrong.push(format!("{}:\n{found}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_report_has_its_graph() {
    assert_eq!(names("graphs/bad", ".json"), names("tests/errors", ".txt"));
}

#[test]
fn no_fault_causes_another() {
    let error = report("twenty");
    let lines: Vec<usize> = error.all().map(|e| e.fault().line.unwrap()).collect();
    // Each line from the first fault on has one, except nodes that are correct but use faulty ones.
    let expected: Vec<usize> = (7..=28).filter(|line| *line != 26).collect();
    assert_eq!(lines, expected, "{error}");
}
