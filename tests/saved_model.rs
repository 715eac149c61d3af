//! SavedModels that TensorFlow wrote: loaded, called by signature, and compared with what TensorFlow makes of them.

use flate2::read::GzDecoder;
use levada::graph::read::tensor_from_json;
use levada::{Code, DType, Files, OpenOptions, SessionOptions, Tensor};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Where results differ by what the order of additions makes of it.
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
    fs::write(directory.join("saved_model.pbtxt"), "saved_model_schema_version: 1").unwrap();
    assert_eq!(levada::open(&directory, &options).err().unwrap().code(), Code::Unimplemented);
}
