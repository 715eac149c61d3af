//! Replays the recorded cases: `golden/*.jsonl`, recorded by the scripts beside them, and `conformance/`, from
//! TensorFlow's own tests.

use levada::replay::{Limits, Outcome, Row, Suite, Summary, read_lines};
use levada::{Replayer, SessionOptions};
use levada_tests::recorded as files;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;

fn replay(path: &Path, filter: Option<String>, threads: usize) -> Vec<Row> {
    let runtime = Arc::new(Replayer::new(SessionOptions { threads, ..SessionOptions::default() }));
    let jobs = available_parallelism().map_or(1, usize::from);
    let suite = Suite { filter, jobs, limits: Limits::default() };
    suite.run(&runtime, &read_lines(path).unwrap(), &|_| ()).unwrap()
}

/// True for a case that failed once and passes three times in a row: a few sessions read a variable concurrently with a
/// node that updates it, and were recorded when TensorFlow happened to read first.
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

/// Cases that read and write files, by relative names: each finds those of the cases before it.
#[test]
fn cases_with_files_pass() {
    let cases: Vec<PathBuf> = [".jsonl", ".jsonl.gz"].iter().flat_map(|suffix| files("files", suffix)).collect();
    for threads in [1, 4] {
        let folder = std::env::temp_dir().join(format!("levada-golden-files-{}-{threads}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::env::set_current_dir(&folder).unwrap();
        let granted = levada::Files::under([&folder]).unwrap();
        let options = SessionOptions { threads, files: granted, ..SessionOptions::default() };
        let suite = Suite { filter: None, jobs: 1, limits: Limits::default() };
        for file in &cases {
            let lines = read_lines(file).unwrap();
            let rows = suite.run(&Arc::new(Replayer::new(options.clone())), &lines, &|_| ()).unwrap();
            let faults: Vec<_> = rows.iter().filter(|row| !matches!(row.outcome, Outcome::Passed)).collect();
            assert!(!rows.is_empty() && faults.is_empty(), "{threads} threads: {faults:?}");
        }
        std::env::set_current_dir(std::env::temp_dir()).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

/// The number of cases, so that a case cannot disappear unnoticed.
const CONFORMANCE: [(&str, &str); 3] =
    [("data.jsonl.gz", "998"), ("sequential.jsonl.gz", "2,404"), ("threads.jsonl.gz", "42")];

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

/// Ops without a recorded case, and why.
const NOT_RECORDED: [(&str, &[&str]); 11] = [
    (
        "TensorFlow adds it to what it runs, no graph file has it",
        &["_Arg", "_HostRecv", "_HostSend", "_ReadVariablesOp", "_Recv", "_Retval", "_Send", "_SwitchN"],
    ),
    ("ends or calls the process that runs it", &["Abort", "EagerPyFunc", "PyFunc", "PyFuncStateless"]),
    (
        "TensorFlow has no kernel on the CPU",
        &[
            "BatchFFT",
            "BatchFFT2D",
            "BatchFFT3D",
            "BatchIFFT",
            "BatchIFFT2D",
            "BatchIFFT3D",
            "CTCLossV2",
            "Conv2DBackpropFilterV2",
            "Conv2DBackpropInputV2",
            "QuantizedReluX",
            "SegmentMaxV2",
            "SegmentMinV2",
            "SegmentProdV2",
            "SegmentSumV2",
        ],
    ),
    ("fails in most runs of TensorFlow", &["CollectiveAllToAllV2"]),
    (
        "not an op of TensorFlow",
        &[
            "LevadaSparseMatrixPick",
            "OrderedEnqueue",
            "OrderedEnter",
            "OrderedLeave",
            "QueueRestore",
            "QueueRestoreV2",
            "QueueSave",
            "QueueSaveV2",
            "ReaderRestore",
            "ReaderRestoreV2",
            "ReaderSave",
            "ReaderSaveV2",
        ],
    ),
    (
        "reads files: readers.rs",
        &[
            "FixedLengthRecordReader",
            "FixedLengthRecordReaderV2",
            "MatchingFiles",
            "ReadFile",
            "RecordInput",
            "TFRecordReader",
            "TFRecordReaderV2",
            "TextLineReader",
            "TextLineReaderV2",
            "WholeFileReader",
            "WholeFileReaderV2",
        ],
    ),
    (
        "reads and writes checkpoints: saver.rs",
        &["MergeV2Checkpoints", "Restore", "RestoreSlice", "Save", "SaveSlices"],
    ),
    ("reads a vocabulary or a checkpoint: remap.rs", &["GenerateVocabRemapping", "LoadAndRemapMatrix"]),
    (
        "reads a file",
        &[
            "ExperimentalMatchingFilesDataset",
            "ImmutableConst",
            "InitializeTableFromTextFile",
            "InitializeTableFromTextFileV2",
            "MatchingFilesDataset",
        ],
    ),
    (
        "fails in TensorFlow, whatever its inputs",
        &[
            "AnonymousRandomSeedGenerator",
            "DeleteMemoryCache",
            "DeleteRandomSeedGenerator",
            "DeleteSeedGenerator",
            "XlaIf",
        ],
    ),
    (
        "writes events to a file",
        &[
            "CloseSummaryWriter",
            "CreateSummaryFileWriter",
            "FlushSummaryWriter",
            "ImportEvent",
            "WriteAudioSummary",
            "WriteGraphSummary",
            "WriteHistogramSummary",
            "WriteImageSummary",
            "WriteRawProtoSummary",
            "WriteSummary",
        ],
    ),
];

/// Adds the ops of all nodes of a graph in JSON, including functions.
fn add_ops(graph: &Value, ops: &mut BTreeSet<String>) {
    let nodes = |of: &Value, key: &str| of[key].as_array().cloned().unwrap_or_default();
    let functions = nodes(&graph["library"], "function");
    let all = functions.iter().flat_map(|f| nodes(f, "nodeDef")).chain(nodes(graph, "node"));
    ops.extend(all.filter_map(|node| Some(node["op"].as_str()?.to_owned())));
}

#[test]
fn every_op_is_in_a_recorded_case() {
    let mut recorded = BTreeSet::new();
    let folders = [("golden", ".jsonl"), ("files", ".jsonl"), ("conformance", ".jsonl.gz"), ("gradients", ".jsonl.gz")];
    for file in folders.into_iter().flat_map(|(folder, suffix)| files(folder, suffix)) {
        for line in read_lines(&file).unwrap() {
            let case: Value = serde_json::from_str(&line).unwrap();
            add_ops(&case["graph"], &mut recorded);
        }
    }
    let excused: BTreeSet<&str> = NOT_RECORDED.iter().flat_map(|(_, ops)| *ops).copied().collect();
    let registry = levada::registry();
    // Operators of ONNX are recorded with ONNX Runtime: onnx.rs.
    let all = registry.iter().map(|op| op.spec.name);
    let names: BTreeSet<&str> = all.filter(|name| !name.starts_with("Onnx")).collect();
    let missing: Vec<_> = names.iter().filter(|op| !recorded.contains(**op) && !excused.contains(*op)).collect();
    assert!(missing.is_empty(), "in no recorded case: {missing:?}");
    let found: Vec<_> = excused.iter().filter(|op| recorded.contains(**op) || !names.contains(*op)).collect();
    assert!(found.is_empty(), "recorded, or no ops: {found:?}");
}
