//! SavedModels on the command line: run by signature, inspected, frozen.

mod common;
use common::{failure, folder, has, json, stdout};
use levada::saved_model::Export;
use levada::{Builder, DType, Ops, Session, SessionOptions, Tensor, train};
use std::path::Path;

/// A model with two signatures: `double` multiplies by a variable, `sum` adds it.
fn model(folder: &Path) -> String {
    let mut b = Builder::new(levada::registry());
    let x = Ops::new(&mut b).placeholder(DType::F32).shape([-1]).name("x").add();
    let start = b.constant(Tensor::scalar(2f32));
    let w = train::variable(&mut b, "w", start);
    let product = b.mul(x, w.value);
    b.identity("product", product);
    let sum = b.add(x, w.value);
    b.identity("total", sum);
    let init = train::global_variables_initializer(&mut b);
    let init = b.node_name(init);
    let session = Session::new(b.finish().unwrap(), SessionOptions::default()).unwrap();
    session.run(&[], &[], &[&init]).unwrap();
    let directory = folder.join("model");
    let export = Export::new().tags(["serve", "tiny"]);
    let export = export.signature("double", &[("values", "x")], &[("doubled", "product")]);
    export.signature("sum", &[("values", "x")], &[("total", "total")]).write(&session, &directory).unwrap();
    directory.to_str().unwrap().to_owned()
}

#[test]
fn signatures_are_run_by_the_names_of_their_arguments() {
    let model = model(&folder("signatures"));
    let run = |args: &[&str]| stdout(&[&["run", &model][..], args].concat());
    let text = run(&["--signature", "double", "--feed", "values=[1, 2]"]);
    assert!(has(&text, "doubled float32[2] [2.0, 4.0]"), "{text}");
    let text = run(&["--signature", "sum", "--feed", "values=[1]", "--fetch", "total,product", "--tag", "tiny,serve"]);
    assert!(has(&text, "total float32[1] [3.0]") && has(&text, "product float32[1] [2.0]"), "{text}");
    let text = run(&["--feed", "x=[1]", "--fetch", "product"]);
    assert!(has(&text, "product float32[1] [2.0]"), "{text}");
    let (code, text) = failure(&["run", &model, "--feed", "values=[1]"]);
    assert!(code == 1 && text.contains("several signatures") && text.contains("double, sum"), "{text}");
    let (code, text) = failure(&["run", &model, "--signature", "double"]);
    assert!(code == 1 && text.contains("no value for values") && text.contains("--feed 'values="), "{text}");
    let (code, text) = failure(&["run", &model, "--signature", "doubled", "--tag", "serve"]);
    assert!(code == 1 && text.contains("MetaGraphs with serve,tiny"), "{text}");
}

#[test]
fn models_are_listed() {
    let model = model(&folder("listed"));
    let text = stdout(&["inspect", &model]);
    for line in ["tiny", "feed values float32[?] x:0", "w float32[] 4 B"] {
        assert!(has(&text, line), "{line} is not in\n{text}");
    }
    let all = json(&["inspect", &model, "--json"]);
    assert_eq!(all["tags"], serde_json::json!(["serve", "tiny"]));
    assert_eq!(all["checkpoint"][0]["bytes"], 4);
    assert_eq!(all["signatures"].as_array().unwrap().len(), 2);
}

#[test]
fn models_are_frozen() {
    let folder = folder("frozen");
    let model = model(&folder);
    for name in ["frozen.pb", "frozen.json"] {
        let out = folder.join(name);
        let out = out.to_str().unwrap();
        let text = stdout(&["freeze", &model, out, "--signature", "double"]);
        assert!(has(&text, "feed values: x:0") && has(&text, "fetch doubled: product:0"), "{text}");
        let text = stdout(&["run", out, "--feed", "x=[1, 2]", "--fetch", "product"]);
        assert!(has(&text, "product float32[2] [2.0, 4.0]"), "{text}");
        assert_eq!(json(&["inspect", out, "--json"])["variables"], serde_json::json!([]));
    }
}
