//! `levada bench` with several callers, signatures in turn, and queue runners.

mod common;
use common::{failure, folder, json, stdout, written};

const CONTROL: [&str; 6] = ["bench", "graphs/control.json", "--feed", "x=[1, 2]", "--fetch", "last"];
const QUEUE: &str = r#"{"node": [
    {"name": "q", "op": "FIFOQueueV2", "attr": {"component_types": ["int32"], "shapes": [[]], "capacity": 2}},
    {"name": "v", "op": "Placeholder", "attr": {"dtype": "int32", "shape": []}},
    {"name": "fill", "op": "QueueEnqueueV2", "input": ["q", "v"]},
    {"name": "take", "op": "QueueDequeueV2", "input": ["q"], "attr": {"component_types": ["int32"]}}]}"#;

#[test]
fn each_number_of_callers_is_measured() {
    let args = [&CONTROL[..], &["--callers", "3", "--steps", "20"]].concat();
    let text = stdout(&args);
    assert!(text.starts_with("callers  runs/s  times one"), "{text}");
    assert!(text.contains("callers at once") || text.contains("Do not run this graph in parallel"), "{text}");

    let object = json(&[&args[..], &["--json"]].concat());
    let levels = object["callers"].as_array().unwrap();
    assert_eq!(levels.len(), 3);
    for (level, callers) in levels.iter().zip(1u64..) {
        assert_eq!((level["callers"].as_u64(), level["runs"].as_u64()), (Some(callers), Some(20 * callers)));
        let at = |key: &str| level[key].as_f64().unwrap();
        assert!(at("min_us") <= at("median_us") && at("median_us") <= at("p90_us"), "{level}");
        assert!(at("p90_us") <= at("p99_us") && at("p99_us") <= at("max_us"), "{level}");
        assert!(at("runs_per_s") > 0.0 && at("times_one") > 0.0, "{level}");
    }
    assert_eq!(levels[0]["times_one"], 1.0);
    assert!((1..=3).contains(&object["best_callers"].as_u64().unwrap()) && object["advice"].is_string());
}

/// One run alone would find the queue empty, or full, and wait forever.
#[test]
fn two_signatures_take_turns() {
    let queue = written(&folder("turns"), "queue.json", QUEUE);
    let base = ["bench", &queue, "--feed", "v=7", "--target", "fill", "--also-fetch", "take", "--steps", "30"];
    let text = stdout(&base);
    for row in ["step", "also", "both"] {
        assert!(text.lines().any(|line| line.starts_with(row)), "{text}");
    }
    let object = json(&[&base[..], &["--json"]].concat());
    assert_eq!(
        (&object["runs"], &object["also"]["runs"], &object["both"]["runs"]),
        (&30.into(), &30.into(), &30.into())
    );
    assert!(object["both"]["min_us"].as_f64() >= object["also"]["min_us"].as_f64());

    // With more callers than the queue has room for, some wait for others.
    let object = json(&[&base[..], &["--callers", "4", "--json"]].concat());
    assert_eq!(object["callers"][3]["runs"], 120);

    let (code, error) = failure(&["bench", &queue, "--feed", "v=7", "--target", "fill", "--also-feed", "v=7"]);
    assert!(code == 1 && error.contains("--also-fetch"), "{error}");
    let (code, error) = failure(&["bench", &queue, "--feed", "v=7", "--target", "fill", "--also-fetch", "tak"]);
    assert!(code == 1 && error.contains("did you mean \"take\"?"), "{error}");
}

#[test]
fn queue_runners_fill_queues_until_the_input_ends() {
    let base = [
        "bench",
        "graphs/pipeline/tfrecords.json",
        "--queue-runners",
        "--allow-files",
        "graphs/pipeline",
        "--fetch",
        "rows",
    ];
    let object = json(&[&base[..], &["--steps", "4", "--json"]].concat());
    assert!(object["runs"].as_u64().unwrap() <= 4, "{object}");
    let (code, error) = failure(&[&CONTROL[..], &["--queue-runners"]].concat());
    assert!(code == 1 && error.contains("no queue runners"), "{error}");
}
