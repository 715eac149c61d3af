//! `levada quantize`: the graph that it writes, what it says, and what it refuses.

mod common;
use common::{failure, folder, has, json, levada, stdout, written};

/// A product with a bias and an activation, and a product that is not quantized.
const GRAPH: &str = r#"{"node": [
    {"name": "x", "op": "Placeholder", "attr": {"dtype": {"type": "DT_FLOAT"}}},
    {"name": "w", "op": "Const", "attr": {"dtype": {"type": "DT_FLOAT"}, "value": {"tensor": {"dtype": "DT_FLOAT",
        "tensorShape": {"dim": [{"size": "3"}, {"size": "2"}]}, "floatVal": [0.5, -1.0, 0.25, 2.0, -0.75, 1.5]}}}},
    {"name": "b", "op": "Const", "attr": {"dtype": {"type": "DT_FLOAT"}, "value": {"tensor": {"dtype": "DT_FLOAT",
        "tensorShape": {"dim": [{"size": "2"}]}, "floatVal": [0.5, -0.5]}}}},
    {"name": "product", "op": "MatMul", "input": ["x", "w"], "attr": {"T": {"type": "DT_FLOAT"}}},
    {"name": "sum", "op": "BiasAdd", "input": ["product", "b"], "attr": {"T": {"type": "DT_FLOAT"}}},
    {"name": "y", "op": "Relu", "input": ["sum"], "attr": {"T": {"type": "DT_FLOAT"}}},
    {"name": "square", "op": "MatMul", "input": ["y", "y"],
        "attr": {"T": {"type": "DT_FLOAT"}, "transpose_b": {"b": true}}}]}"#;

const ROWS: &str = "x=[[1, 2, 3], [-1, 0.5, 2], [0, 1, -2], [3, -1, 0.5]]";

#[test]
fn a_graph_is_quantized_and_run() {
    let folder = folder("quantize");
    let graph = written(&folder, "graph.json", GRAPH);
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let feeds = path("feeds.npz");
    stdout(&["run", &graph, "--feed", ROWS, "--fetch", "x", "--out", &feeds, "--quiet"]);
    for (out, more) in
        [("out.pb", vec![]), ("out.json", vec!["--batch", "3"]), ("p.json", vec!["--ranges", "percentile"])]
    {
        let out = path(out);
        let mut args = vec!["quantize", &graph, "--calibrate", &feeds, "--fetch", "y,square", "-o", &out];
        args.extend(more);
        let text = stdout(&args);
        assert!(has(&text, "layer gives max error mean error SQNR dB cosine"), "{text}");
        assert!(text.contains("square  MatMul  its weights are not constant"), "{text}");
        assert!(text.contains("1 layer in 8-bit integers"), "{text}");
        let values = |graph: &str| -> Vec<f64> {
            let rows = json(&["run", graph, "--feed", ROWS, "--fetch", "y", "--json"])["fetch"]["y"].clone();
            let rows: Vec<Vec<f64>> = serde_json::from_value(rows).unwrap();
            rows.concat()
        };
        let pairs = || values(&out).into_iter().zip(values(&graph));
        assert!(pairs().all(|(found, exact)| (found - exact).abs() < 0.05), "{:?}", pairs().collect::<Vec<_>>());
        let listed = stdout(&["inspect", &out]);
        assert!(listed.contains("LevadaQuantizedMatMul"), "{listed}");
    }
    let report = json(&["quantize", &graph, "--calibrate", &feeds, "--fetch", "y", "-o", &path("out.pb"), "--json"]);
    let layer = &report["layers"][0];
    assert_eq!(
        (&layer["node"], &layer["output"], &layer["gives_codes"]),
        (&"product".into(), &"y".into(), &false.into())
    );
    assert!(layer["sqnr_db"].as_f64().unwrap() > 30.0 && layer["cosine"].as_f64().unwrap() > 0.999, "{layer}");
    assert_eq!((&report["fetches"][0]["name"], &report["version"]), (&"y".into(), &1.into()));
    assert_eq!(report["left"], serde_json::json!([]));
}

#[test]
fn faults_are_named() {
    let folder = folder("quantize_faults");
    let graph = written(&folder, "graph.json", GRAPH);
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (feeds, scalar, out) = (path("feeds.npz"), path("scalar.npz"), path("out.pb"));
    stdout(&["run", &graph, "--feed", ROWS, "--fetch", "x", "--out", &feeds, "--quiet"]);
    stdout(&["run", &graph, "--feed", "x=1", "--fetch", "x", "--out", &scalar, "--quiet"]);
    let fails = |more: &[&str]| {
        let (code, text) = failure(&[&["quantize", &graph, "-o", &out][..], more].concat());
        assert_eq!(code, 1, "{text}");
        text
    };
    assert!(fails(&["--calibrate", "nowhere.npz", "--fetch", "y"]).contains("nowhere.npz"));
    assert!(fails(&["--calibrate", &feeds, "--fetch", "z"]).contains("z is not in the graph"));
    let text = fails(&["--calibrate", &scalar, "--fetch", "y", "--batch", "2"]);
    assert!(text.contains("x is a scalar and has no rows"), "{text}");
    let text = fails(&["--calibrate", &feeds, "--fetch", "y", "--keep", "product"]);
    assert!(text.contains("no layer of the graph can be quantized"), "{text}");
    let text = fails(&["--calibrate", &feeds, "--fetch", "y", "--ranges", "percentile", "--percentile", "3"]);
    assert!(text.contains("not a percentile"), "{text}");
    assert!(!std::path::Path::new(&out).exists());
    assert_eq!(levada(&["quantize", &graph]).status.code(), Some(2));
}
