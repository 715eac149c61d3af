//! `levada batch`: the graph that it writes, what it says, and what it refuses.

mod common;
use common::{failure, folder, has, json, root, stdout};

#[test]
fn trees_are_batched_and_run() {
    let folder = folder("batch");
    let graph = root().join("graphs/tree/infer.json").to_str().unwrap().to_owned();
    let trees = ["left=[-1, -1, 0, -1, 2, -1]", "right=[-1, -1, 1, -1, 3, -1]", "token=[1, 2, -1, 0, -1, 1]"];
    let fed = |graph: &str, root: &str| -> serde_json::Value {
        let mut args = vec!["run", graph, "--feed", root, "--fetch", "probability", "--json"];
        trees.iter().for_each(|tree| args.extend(["--feed", tree]));
        json(&args)["fetch"]["probability"].clone()
    };
    let single: Vec<f64> = ["sub=4", "sub=5"].map(|root| fed(&graph, root).as_f64().unwrap()).to_vec();
    for out in ["trees.json", "trees.pb"] {
        let out = folder.join(out).to_str().unwrap().to_owned();
        let text = stdout(&["batch", &graph, "--by", "sub", "--fetch", "probability,weights", "-o", &out]);
        assert!(has(&text, "probability one for each example") && has(&text, "weights the same for all"), "{text}");
        let all: Vec<f64> = serde_json::from_value(fed(&out, "sub=[4, 5]")).unwrap();
        assert!(all.iter().zip(&single).all(|(a, b)| (a - b).abs() < 1e-5), "{all:?} {single:?}");
    }
    let out = folder.join("trees.pb").to_str().unwrap().to_owned();
    let report = json(&["batch", &graph, "--by", "sub", "--fetch", "value", "-o", &out, "--json"]);
    assert_eq!(report["varies"], serde_json::json!(["value"]));
    assert_eq!((&report["one_by_one"], &report["refused"]), (&serde_json::json!([]), &serde_json::json!([])));
}

#[test]
fn wrong_names_are_refused() {
    let folder = folder("batch_faults");
    let graph = root().join("graphs/tree/infer.json").to_str().unwrap().to_owned();
    let out = folder.join("out.pb").to_str().unwrap().to_owned();
    for names in [["--by", "subb", "--fetch", "value"], ["--by", "sub", "--fetch", "values"]] {
        let (code, text) = failure(&[&["batch", &graph, "-o", &out][..], &names].concat());
        assert!(code == 1 && text.contains("infer.json") && text.contains("not"), "{code} {text}");
    }
    assert!(!std::path::Path::new(&out).exists());
}
