//! Replays the recorded cases: `golden/*.jsonl`, recorded by the scripts beside them, and `conformance/`, from
//! TensorFlow's own tests.

use levada::replay::{Limits, Outcome, Row, Suite, Summary, read_lines};
use levada::{Replayer, SessionOptions};
use levada_tests::recorded as files;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;

fn replay(path: &Path, filter: Option<String>, threads: usize) -> Vec<Row> {
    let runtime = Arc::new(Replayer::new(SessionOptions { threads, ..SessionOptions::default() }));
    let jobs = available_parallelism().map_or(1, usize::from);
    let suite = Suite { filter, jobs, limits: Limits::default() };
    suite.run(&runtime, &read_lines(path).unwrap(), &|_| ()).unwrap()
}

/// True for a case that failed once and passes three times in a row: a few sessions read a variable beside a node that
/// updates it, in no order, and were recorded where TensorFlow happened to read first.
fn is_race(file: &Path, name: &str, threads: usize) -> bool {
    (0..3).all(|_| {
        let rows = replay(file, Some(name.to_owned()), threads);
        rows.iter().any(|row| row.name == name && matches!(row.outcome, Outcome::Passed))
    })
}

fn all_pass(files: &[PathBuf], threads: usize) {
    assert!(!files.is_empty());
    let mut faults = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy();
        let rows = replay(file, None, threads);
        println!("{name}, {threads} threads: {}", Summary::of(&rows));
        faults.extend(rows.into_iter().filter_map(|row| match row.outcome {
            Outcome::Passed => None,
            Outcome::Failed(_) if threads > 1 && is_race(file, &row.name, threads) => None,
            Outcome::Failed(why) => Some(format!("{name}: {} failed: {why}", row.name)),
            Outcome::Skipped(why) => Some(format!("{name}: {} needs something: {why}", row.name)),
        }));
    }
    assert!(faults.is_empty(), "{} cases\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn golden_cases_pass_with_one_thread() {
    all_pass(&files("golden", ".jsonl"), 1);
}

#[test]
fn golden_cases_pass_with_several_threads() {
    all_pass(&files("golden", ".jsonl"), 4);
}

/// How many there are, so that a case cannot be lost with its failure.
const CONFORMANCE: [(&str, &str); 2] = [("sequential.jsonl.gz", "2,404"), ("threads.jsonl.gz", "42")];

#[test]
fn conformance_cases_pass() {
    let files = files("conformance", ".jsonl.gz");
    let readme = std::fs::read_to_string(files[0].with_file_name("README.md")).unwrap();
    let counts =
        files.iter().map(|file| (file.file_name().unwrap().to_str().unwrap(), read_lines(file).unwrap().len()));
    let expected = CONFORMANCE.map(|(file, count)| (file, count.replace(',', "").parse().unwrap()));
    assert_eq!(counts.collect::<Vec<_>>(), expected);
    for (file, count) in CONFORMANCE {
        assert!(readme.contains(&format!("`{file}` ({count} cases")), "README.md gives another number for {file}");
    }
    all_pass(&files, 2);
}
