//! SavedModels written by TensorFlow: loaded, called by signature, and compared with TensorFlow's results.

use flate2::read::GzDecoder;
use levada::graph::meta::TensorDef;
use levada::graph::read::tensor_from_json;
use levada::graph::write;
use levada::saved_model::Export;
use levada::saved_model::signature::endpoints;
use levada::{
    Builder, Bytes, Code, DType, Files, OpenOptions, Ops, PartialShape, Session, SessionOptions, Shape, Tensor, train,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Where results differ because of the order of additions.
const TOLERANCE: f64 = 2e-5;

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("saved_model")
}

/// A copy of a model in a directory of `test`, with its file unpacked.
fn unpacked(test: &str, model: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("saved_model").join(test).join(model);
    let _ = fs::remove_dir_all(&directory);
    copy(&data().join(model), &directory);
    directory
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in from.read_dir().unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else if path.extension().is_some_and(|e| e == "gz") {
            let mut bytes = Vec::new();
            GzDecoder::new(File::open(&path).unwrap()).read_to_end(&mut bytes).unwrap();
            fs::write(target.with_extension(""), bytes).unwrap();
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

fn tensors(json: &Value) -> BTreeMap<String, Tensor> {
    let all = json.as_object().unwrap();
    all.iter().map(|(name, value)| (name.clone(), tensor_from_json(value).unwrap())).collect()
}

fn cases() -> Vec<Value> {
    serde_json::from_str(&fs::read_to_string(data().join("expected.json")).unwrap()).unwrap()
}

fn tags(case: &Value) -> Option<Vec<String>> {
    case["tags"].as_array().map(|tags| tags.iter().map(|t| t.as_str().unwrap().to_owned()).collect())
}

fn assert_close(what: &str, found: &Tensor, expected: &Tensor) {
    assert_eq!((found.dtype(), found.shape()), (expected.dtype(), expected.shape()), "{what}");
    if expected.dtype() != DType::F32 {
        assert_eq!(found, expected, "{what}");
        return;
    }
    for (a, b) in found.slice::<f32>().unwrap().iter().zip(expected.slice::<f32>().unwrap()) {
        let (a, b) = (f64::from(*a), f64::from(*b));
        assert!((a - b).abs() <= TOLERANCE * (1.0 + b.abs()), "{what}: {a} where TensorFlow has {b}");
    }
}

#[test]
fn models_give_what_tensorflow_makes_of_them() {
    let cases = cases();
    assert!(cases.len() > 15);
    for case in &cases {
        let (model, signature) = (case["model"].as_str().unwrap(), case["signature"].as_str().unwrap());
        let directory = unpacked("equal", model);
        let options = OpenOptions { tags: tags(case), ..OpenOptions::default() };
        let what = format!("{model}, {signature}");
        let loaded = levada::load(&directory, &options, SessionOptions { threads: 2, ..SessionOptions::default() });
        let loaded = loaded.unwrap_or_else(|e| panic!("{what}: {e}"));
        let prepared = loaded.signature(signature).unwrap_or_else(|e| panic!("{what}: {e}"));
        let feeds = tensors(&case["feeds"]);
        let feeds: Vec<(&str, Tensor)> = feeds.iter().map(|(name, tensor)| (name.as_str(), tensor.clone())).collect();
        let found = prepared.run(&feeds).unwrap_or_else(|e| panic!("{what}: {e}"));
        let expected = tensors(&case["outputs"]);
        assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{what}");
        for (name, value) in &expected {
            assert_close(&format!("{what}, {name}"), &found[name], value);
        }
    }
}

#[test]
fn frozen_models_give_the_same_without_variables() {
    for case in &cases() {
        let (model, signature) = (case["model"].as_str().unwrap(), case["signature"].as_str().unwrap());
        let what = format!("{model}, {signature}");
        let directory = unpacked("freeze", model);
        let options = OpenOptions { tags: tags(case), ..OpenOptions::default() };
        let mut opened = levada::open(&directory, &options).unwrap();
        let (_, def) = opened.signature(Some(signature)).unwrap();
        let init = opened.saved.as_ref().unwrap().init_op().map(str::to_owned);
        let session = opened.session(SessionOptions { threads: 2, ..SessionOptions::default() }).unwrap();
        let names = |side| endpoints(side).into_iter().map(|(_, def)| def.endpoint.clone()).collect::<Vec<_>>();
        let (inputs, outputs) = (names(&def.inputs), names(&def.outputs));
        let frozen = levada::saved_model::freeze(&session, &inputs, &outputs, init.as_deref());
        if signature == "add.0" {
            assert_eq!(frozen.unwrap_err().code(), Code::Unimplemented);
            continue;
        }
        let frozen = frozen.unwrap_or_else(|e| panic!("{what}: {e}"));
        let bytes = levada::graph::write::pb(&frozen.def).unwrap();
        let graph = levada::graph::read::pb(&bytes, &levada::registry()).unwrap_or_else(|e| panic!("{what}: {e}"));
        assert!(graph.nodes().all(|(_, node)| !node.op_name().starts_with("Var")), "{what}");
        let files = Files::none().and_read(&directory).unwrap();
        let session = Session::new(graph, SessionOptions { files, ..SessionOptions::default() }).unwrap();
        session.run(&[], &[], &frozen.init.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
        let feeds = tensors(&case["feeds"]);
        let feeds = endpoints(&def.inputs).into_iter().map(|(name, def)| (def.endpoint.as_str(), feeds[&name].clone()));
        let feeds: Vec<(&str, Tensor)> = feeds.collect();
        let fetches: Vec<&str> = outputs.iter().map(String::as_str).collect();
        let found = session.run(&feeds, &fetches, &[]).unwrap_or_else(|e| panic!("{what}: {e}"));
        for ((name, value), found) in tensors(&case["outputs"]).iter().zip(&found) {
            assert_close(&format!("{what}, {name}"), found, value);
        }
    }
}

/// A session with variables of both kinds and a table from a file.
fn trained(directory: &Path) -> (Session, PathBuf) {
    fs::create_dir_all(directory).unwrap();
    let words = directory.join("words.txt");
    fs::write(&words, "cat\ndog\n").unwrap();
    let mut b = Builder::new(levada::registry());
    let o = Ops::new(&mut b);
    let x = o.placeholder(DType::F32).shape([-1, 2]).name("x").add();
    let text = o.placeholder(DType::Str).shape([-1]).name("words").add();
    let path = o.const_(Tensor::string(words.display().to_string()), DType::Str).name("path").add();
    let table = o.hash_table_v2(DType::Str, DType::I64).shared_name("table").name("table").add();
    o.initialize_table_from_text_file_v2(table, path, -2i64, -1i64).name("init_tables").add();
    o.lookup_table_find_v2(table, text, Tensor::scalar(-1i64)).name("ids").add();
    let start = b.constant(Tensor::vector(vec![2f32, 3.0]));
    let w = train::variable(&mut b, "w", start);
    let product = b.mul(x, w.value);
    let old = b
        .node("VariableV2")
        .full_name("old")
        .attr("dtype", DType::F32)
        .attr("shape", PartialShape::from_signed(&[2]))
        .add();
    let set = b.node("Assign").full_name("set").inputs([old, start]).add();
    let sum = b.add(product, old);
    b.identity("y", sum);
    let init = train::global_variables_initializer(&mut b);
    let (init, set) = (b.node_name(init), b.node_name(set));
    let files = Files::under([directory]).unwrap();
    let session = Session::new(b.finish().unwrap(), SessionOptions { files, ..SessionOptions::default() }).unwrap();
    session.run(&[], &[], &[&init, &set, "init_tables"]).unwrap();
    (session, words)
}

#[test]
fn what_is_written_is_loaded_again() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("saved_model").join("written");
    let _ = fs::remove_dir_all(&directory);
    let (session, words) = trained(&directory);
    let model = directory.join("model");
    let export = Export::new()
        .signature("serving_default", &[("x", "x")], &[("y", "y")])
        .signature("ids", &[("words", "words")], &[("ids", "ids")])
        .asset("path", &words)
        .init_op("init_tables");
    export.write(&session, &model).unwrap();
    assert_eq!(export.write(&session, &model).unwrap_err().code(), Code::AlreadyExists);
    fs::remove_file(words).unwrap();
    let loaded = levada::load(&model, &OpenOptions::default(), SessionOptions::default()).unwrap();
    let x = Tensor::from_vec(Shape::new([1, 2]).unwrap(), vec![1f32, 10.0]).unwrap();
    let y = loaded.default_signature().unwrap().run(&[("x", x)]).unwrap();
    assert_eq!(y["y"].slice::<f32>().unwrap(), [4.0, 33.0]);
    let text = Tensor::from_vec(Shape::new([2]).unwrap(), vec![Bytes::from("dog"), Bytes::from("bird")]).unwrap();
    let ids = loaded.signature("ids").unwrap().run(&[("words", text)]).unwrap();
    assert_eq!(ids["ids"].slice::<i64>().unwrap(), [1, -1]);
    let missing = Export::new().signature("s", &[("x", "nowhere")], &[]);
    assert_eq!(missing.write(&session, directory.join("other")).unwrap_err().code(), Code::NotFound);
    assert!(!directory.join("other").exists());
}

#[test]
fn what_was_loaded_is_written_and_loaded_again() {
    let directory = unpacked("again", "signatures");
    let model = levada::open(&directory, &OpenOptions::default()).unwrap();
    let (signatures, saved) = (model.graph.meta.signatures.clone(), model.saved.clone().unwrap());
    let session = model.session(SessionOptions::default()).unwrap();
    let mut export = Export::new();
    for (name, def) in signatures.iter().filter(|(name, _)| !name.starts_with("__")) {
        fn pairs(side: &BTreeMap<String, TensorDef>) -> Vec<(&str, &str)> {
            side.iter().map(|(name, def)| (name.as_str(), def.endpoint.as_str())).collect()
        }
        export = export.signature(name, &pairs(&def.inputs), &pairs(&def.outputs));
    }
    for asset in &saved.assets {
        export = export.asset(&asset.endpoint, &asset.path);
    }
    let again = directory.with_file_name("written");
    let _ = fs::remove_dir_all(&again);
    export.init_op(saved.init_op().unwrap()).write(&session, &again).unwrap();
    let loaded = levada::load(&again, &OpenOptions::default(), SessionOptions::default()).unwrap();
    for case in cases().iter().filter(|case| case["model"] == "signatures") {
        let name = case["signature"].as_str().unwrap();
        let feeds = tensors(&case["feeds"]);
        let feeds: Vec<(&str, Tensor)> = feeds.iter().map(|(name, tensor)| (name.as_str(), tensor.clone())).collect();
        let found = loaded.signature(name).unwrap().run(&feeds).unwrap();
        for (output, value) in &tensors(&case["outputs"]) {
            assert_close(&format!("{name}, {output}"), &found[output], value);
        }
    }
}

#[test]
fn tags_and_signatures_that_are_missing_are_told_with_those_there_are() {
    let directory = unpacked("missing", "tf1_tags");
    let open = |tags: Option<&[&str]>| {
        let tags = tags.map(|tags| tags.iter().map(|t| (*t).to_owned()).collect());
        levada::open(&directory, &OpenOptions { tags, ..OpenOptions::default() })
    };
    for tags in [None, Some(&["serve"][..]), Some(&["train", "gpu"])] {
        let error = open(tags).err().unwrap();
        assert_eq!(error.code(), Code::NotFound);
        assert_eq!(error.fault().found.as_deref(), Some("MetaGraphs with train; serve,gpu"));
    }
    let mut model = open(Some(&["gpu", "serve"])).unwrap();
    let error = model.signature(Some("summ")).unwrap_err();
    assert_eq!(error.fault().help.as_deref(), Some("did you mean \"sum\"?"));
    assert_eq!(model.signature(None).unwrap().0, "serving_default");
    assert_eq!(levada::saved_model::tag_sets(&directory).unwrap(), [vec!["train"], vec!["serve", "gpu"]]);
}

#[test]
fn arguments_are_checked_all_at_once() {
    let directory = unpacked("arguments", "tf1_simple");
    let loaded = levada::load(&directory, &OpenOptions::default(), SessionOptions::default()).unwrap();
    let signature = loaded.default_signature().unwrap();
    let wrong = signature.run(&[("X", Tensor::scalar(1f32)), ("y", Tensor::scalar(1f32))]).unwrap_err().to_string();
    assert!(
        wrong.contains("no argument \"X\"")
            && wrong.contains("no argument \"y\"")
            && wrong.contains("lacks its argument x")
    );
    let error = signature.run(&[("x", Tensor::vector(vec![1f32]))]).unwrap_err();
    assert_eq!(error.fault().expected.as_deref(), Some("float32[?,4]"));
    let error = signature.run(&[("x", Tensor::vector(vec![1i32]))]).unwrap_err();
    assert!(error.message().contains("wrong dtype"), "{error}");
}

#[test]
fn a_model_reaches_its_own_files_only_and_only_to_read_them() {
    let directory = unpacked("files", "functions");
    let loaded = levada::load(&directory, &OpenOptions::default(), SessionOptions::default()).unwrap();
    let files = &loaded.session().env().files;
    assert!(files.read(directory.join("assets/words.txt")).is_ok());
    let denied = |result: Result<(), levada::Error>| assert_eq!(result.unwrap_err().code(), Code::PermissionDenied);
    denied(files.read(data().join("make.py")).map(drop));
    denied(files.write(directory.join("assets/words.txt"), b"cat"));
    let granted = SessionOptions { files: Files::under([data()]).unwrap(), ..SessionOptions::default() };
    let loaded = levada::load(&directory, &OpenOptions::default(), granted).unwrap();
    assert!(loaded.session().env().files.read(data().join("make.py")).is_ok());
}

#[test]
fn functions_share_the_state_of_their_variables() {
    let directory = unpacked("state", "functions");
    let loaded = levada::load(&directory, &OpenOptions::default(), SessionOptions::default()).unwrap();
    let one = |name: &str| {
        let x = Tensor::vector(vec![1f32, 2.0, 3.0, 4.0]);
        loaded.signature(name).unwrap().run(&[("x", x)]).unwrap()["sum"].slice::<f32>().unwrap().to_vec()
    };
    assert_eq!(one("add.0"), [1.5, 2.5, 3.5, 4.5]);
    assert_eq!(one("add.0"), [2.5, 4.5, 6.5, 8.5]);
    assert_eq!(one("add.1"), [1.5, 2.5, 3.5, 4.5]);
}

#[test]
fn corrupt_files_are_errors() {
    let directory = unpacked("corrupt", "tf1_simple");
    let file = directory.join("saved_model.pb");
    let whole = fs::read(&file).unwrap();
    let options = OpenOptions::default();
    for end in (0..whole.len()).step_by(97) {
        fs::write(&file, &whole[..end]).unwrap();
        levada::load(&directory, &options, SessionOptions { threads: 1, ..SessionOptions::default() }).err();
    }
    fs::write(&file, b"").unwrap();
    assert_eq!(levada::open(&directory, &options).err().unwrap().code(), Code::DataLoss);
    fs::write(&file, &whole).unwrap();
    fs::remove_file(&file).unwrap();
    fs::write(directory.join("saved_model.pbtxt"), "saved_model_schema_version: 1 meta_graphs {").unwrap();
    let error = levada::open(&directory, &options).err().unwrap();
    assert_eq!((error.code(), error.fault().line, error.fault().column), (Code::InvalidArgument, Some(1), Some(44)));
    fs::remove_file(directory.join("saved_model.pbtxt")).unwrap();
    fs::write(directory.join("saved_model.cpb"), "").unwrap();
    assert_eq!(levada::open(&directory, &options).err().unwrap().code(), Code::Unimplemented);
}

/// `tests/meta/text.py` wrote the texts.
#[test]
fn the_model_may_be_text() {
    // The second has assets: messages of any type in a collection. The graph holds the paths of their files.
    for name in ["tf1_partitioned", "tf1_tables"] {
        let directory = unpacked("text", name);
        let graph = || {
            let model = levada::open(&directory, &OpenOptions::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
            write::pb(&model.graph.to_def()).unwrap()
        };
        let binary = graph();
        fs::remove_file(directory.join("saved_model.pb")).unwrap();
        let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("meta/{name}.pbtxt.gz"));
        let mut bytes = Vec::new();
        GzDecoder::new(File::open(packed).unwrap()).read_to_end(&mut bytes).unwrap();
        fs::write(directory.join("saved_model.pbtxt"), bytes).unwrap();
        assert!(binary == graph(), "{name}");
    }
}
