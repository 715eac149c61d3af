//! The test cases of the `onnx` package: a sample in this repository, or with `ONNX_CASES=DIR` all those that
//! `tests/onnx/record.py DIR` has written; `ONNX_FILTER` selects among them. Failures are listed by operator.

use flate2::read::GzDecoder;
use levada::onnx::proto::{OptionalProto, SequenceProto, TensorProto};
use levada::onnx::tensor::{Beside, tensor};
use levada::onnx::{Model, Type};
use levada::{
    Builder, Code, Complex64, DType, Ops, Output, PartialShape, RunOptions, Session, SessionOptions, Tensor, bf16, f16,
};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The files of a case by their path in it.
type Files = BTreeMap<String, Vec<u8>>;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/onnx/sample.bin.gz");

/// Cases whose values depend on numpy's random numbers, on another JPEG decoder, or on unsupported image formats.
const LEFT_OUT: &[&str] = &[
    "test_image_decoder_decode_jpeg2k_rgb",
    "test_image_decoder_decode_jpeg_bgr",
    "test_image_decoder_decode_jpeg_grayscale",
    "test_image_decoder_decode_jpeg_rgb",
    "test_image_decoder_decode_pnm_rgb",
    "test_image_decoder_decode_tiff_rgb",
    "test_image_decoder_decode_webp_rgb",
    "test_bernoulli",
    "test_bernoulli_double",
    "test_bernoulli_double_expanded",
    "test_bernoulli_expanded",
    "test_bernoulli_seed",
    "test_bernoulli_seed_expanded",
    "test_training_dropout",
    "test_training_dropout_default",
    "test_training_dropout_default_mask",
    "test_training_dropout_mask",
];

/// Models of domains other than the standard one, with the results of ONNX Runtime; `runtime.py` writes them.
const RUNTIME: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/onnx/runtime.bin.gz");

fn packed(file: &str) -> BTreeMap<String, Files> {
    let mut bytes = Vec::new();
    GzDecoder::new(std::fs::File::open(file).unwrap()).read_to_end(&mut bytes).unwrap();
    let mut cases: BTreeMap<String, Files> = BTreeMap::new();
    let mut rest = &bytes[..];
    let mut part = || {
        let (length, after) = rest.split_at(4);
        let (part, after) = after.split_at(u32::from_le_bytes(length.try_into().unwrap()) as usize);
        rest = after;
        (part.to_vec(), rest.is_empty())
    };
    loop {
        let (path, _) = part();
        let (data, is_last) = part();
        let path = String::from_utf8(path).unwrap();
        let name = path.find("/model.onnx").or(path.find("/tolerance")).or_else(|| path.rsplit_once('/')?.0.rfind('/'));
        let (case, file) = path.split_at(name.unwrap());
        cases.entry(case.to_owned()).or_default().insert(file[1..].to_owned(), data);
        if is_last {
            return cases;
        }
    }
}

fn collect(dir: &Path, prefix: &str, into: &mut Files) {
    for entry in std::fs::read_dir(dir).unwrap().map(Result::unwrap) {
        let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        match entry.path().is_dir() {
            true => collect(&entry.path(), &format!("{name}/"), into),
            false => drop(into.insert(name, std::fs::read(entry.path()).unwrap())),
        }
    }
}

fn in_directory(dir: &Path, prefix: &str, filter: &str, into: &mut BTreeMap<String, Files>) {
    for entry in std::fs::read_dir(dir).unwrap().map(Result::unwrap).filter(|e| e.path().is_dir()) {
        let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if !entry.path().join("model.onnx").exists() {
            in_directory(&entry.path(), &format!("{name}/"), filter, into);
        } else if name.contains(filter) {
            collect(&entry.path(), "", into.entry(name).or_default());
        }
    }
}

/// A value of a data set.
#[derive(Debug)]
enum Value {
    Tensor(Tensor),
    Sequence(Vec<Tensor>),
    Missing,
}

fn sequence(proto: &SequenceProto) -> Result<Value, String> {
    let one = |proto: &TensorProto| tensor(proto, &Beside::default()).map(|(t, _)| t).map_err(|e| e.to_string());
    proto.tensor_values.iter().map(one).collect::<Result<_, _>>().map(Value::Sequence)
}

fn value(bytes: &[u8], ty: &Type) -> Result<Value, String> {
    use prost::Message;
    let text = |e: prost::DecodeError| e.to_string();
    match ty {
        Type::Sequence(_) => sequence(&SequenceProto::decode(bytes).map_err(text)?),
        Type::Optional(_) => {
            let proto = OptionalProto::decode(bytes).map_err(text)?;
            match (&proto.tensor_value, &proto.sequence_value) {
                (Some(proto), _) => Ok(Value::Tensor(tensor(proto, &Beside::default()).map_err(|e| e.to_string())?.0)),
                (None, Some(proto)) => sequence(proto),
                (None, None) => Ok(Value::Missing),
            }
        }
        _ => {
            let proto = TensorProto::decode(bytes).map_err(text)?;
            tensor(&proto, &Beside::default()).map(|(t, _)| Value::Tensor(t)).map_err(|e| e.to_string())
        }
    }
}

fn f64s(tensor: &Tensor) -> Option<Vec<Complex64>> {
    let real = |v: Vec<f64>| v.into_iter().map(|v| Complex64::new(v, 0.0)).collect();
    Some(match tensor.dtype() {
        DType::F32 => real(tensor.slice::<f32>().ok()?.iter().map(|&v| v.into()).collect()),
        DType::F64 => real(tensor.slice::<f64>().ok()?.to_vec()),
        DType::F16 => real(tensor.slice::<f16>().ok()?.iter().map(|v| v.to_f64()).collect()),
        DType::BF16 => real(tensor.slice::<bf16>().ok()?.iter().map(|v| v.to_f64()).collect()),
        DType::C64 => {
            tensor.slice::<levada::Complex32>().ok()?.iter().map(|v| Complex64::new(v.re.into(), v.im.into())).collect()
        }
        DType::C128 => tensor.slice::<Complex64>().ok()?.to_vec(),
        _ => return None,
    })
}

/// As numpy's `assert_allclose` compares.
fn compare(found: &Tensor, expected: &Tensor, rtol: f64, atol: f64) -> Result<(), String> {
    if found.dtype() != expected.dtype() || found.shape() != expected.shape() {
        let what = |t: &Tensor| format!("{}{}", t.dtype(), t.shape());
        return Err(format!("found {}, expected {}", what(found), what(expected)));
    }
    let (Some(a), Some(b)) = (f64s(found), f64s(expected)) else {
        return if found == expected { Ok(()) } else { Err(format!("found {found}\n    expected {expected}")) };
    };
    // A 16-bit number has no more precision than that.
    let rtol = match found.dtype() {
        DType::F16 => rtol.max(2e-3),
        DType::BF16 => rtol.max(1.6e-2),
        _ => rtol,
    };
    let close = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= atol + rtol * b.abs();
    match a.iter().zip(&b).position(|(a, b)| !close(a.re, b.re) || !close(a.im, b.im)) {
        None => Ok(()),
        Some(i) => {
            Err(format!("element {i} is {}, expected {}\n    found {found}\n    expected {expected}", a[i], b[i]))
        }
    }
}

enum Outcome {
    Passed,
    Unsupported(String),
    Failed(String),
}

fn run(files: &Files) -> Outcome {
    match try_run(files) {
        Ok(()) => Outcome::Passed,
        Err((Some(Code::Unimplemented), why)) => Outcome::Unsupported(why),
        Err((_, why)) => Outcome::Failed(why),
    }
}

fn try_run(files: &Files) -> Result<(), (Option<Code>, String)> {
    let failed = |e: levada::Error| (Some(e.code()), e.to_string());
    let text = |e: String| (None, e);
    let model = Model::parse(files["model.onnx"].clone()).map_err(failed)?;
    let imported = model.graph(&levada::registry()).map_err(failed)?;
    let tolerance = String::from_utf8_lossy(&files["tolerance"]).into_owned();
    let mut tolerance = tolerance.split(' ').map(|t| t.parse::<f64>().unwrap());
    let (rtol, atol) = (tolerance.next().unwrap(), tolerance.next().unwrap());
    let options = SessionOptions { threads: 1, ..SessionOptions::default() };
    let session = Session::new(imported.graph.clone(), options).map_err(failed)?;
    for set in 0.. {
        if !files.keys().any(|path| path.starts_with(&format!("{set}/"))) {
            return if set == 0 { Err(text("there is no data".to_owned())) } else { Ok(()) };
        }
        let mut feeds = Vec::new();
        for (i, input) in imported.inputs.iter().enumerate() {
            let Some(bytes) = files.get(&format!("{set}/input_{i}.pb")) else { continue };
            let value = match value(bytes, &input.ty).map_err(text)? {
                Value::Tensor(tensor) if !matches!(input.ty, Type::Optional(_)) => tensor,
                other => variant(other, &input.ty).map_err(text)?,
            };
            feeds.push((input.endpoint.as_str(), value));
        }
        let fetches: Vec<&str> = imported.outputs.iter().map(|output| output.endpoint.as_str()).collect();
        let found = session.run(&feeds, &fetches, &[]).map_err(failed)?;
        for (i, (output, found)) in imported.outputs.iter().zip(&found).enumerate() {
            let Some(bytes) = files.get(&format!("{set}/output_{i}.pb")) else { continue };
            let expected = value(bytes, &output.ty).map_err(text)?;
            check(found, &expected, &output.ty, rtol, atol)
                .map_err(|why| text(format!("output {}: {why}", output.name)))?;
        }
    }
    Ok(())
}

/// The results of a node for these values.
fn made(inputs: &[Tensor], node: impl FnOnce(&Ops<'_>, Vec<Output>) -> Output) -> Result<Tensor, String> {
    let mut builder = Builder::new(levada::registry());
    let o = Ops::new(&mut builder);
    let names: Vec<String> = (0..inputs.len()).map(|i| format!("x{i}")).collect();
    let placeholder = |(x, name): (&Tensor, &String)| o.placeholder(x.dtype()).name(name).add();
    let y = node(&o, inputs.iter().zip(&names).map(placeholder).collect());
    o.identity(y).name("y").add();
    let graph = builder.finish().map_err(|e| e.to_string())?;
    let session = Session::new(graph, SessionOptions::default()).map_err(|e| e.to_string())?;
    let feeds: Vec<(&str, Tensor)> = names.iter().map(String::as_str).zip(inputs.iter().cloned()).collect();
    Ok(session.run(&feeds, &["y"], &[]).map_err(|e| e.to_string())?.swap_remove(0))
}

/// A sequence or an optional value.
fn variant(value: Value, ty: &Type) -> Result<Tensor, String> {
    let inner = match (&value, ty) {
        (Value::Missing, _) => return made(&[], |o, _| o.optional_none().add()),
        (Value::Tensor(tensor), _) => tensor.clone(),
        (Value::Sequence(items), Type::Sequence(of)) if items.is_empty() => {
            let dtype = of.dtype().map_err(|e| e.to_string())?;
            return made(&[], |o, _| o.onnx_sequence_empty(dtype).add());
        }
        (Value::Sequence(items), _) => made(items, |o, all| o.onnx_sequence_construct(all).add())?,
    };
    match ty {
        Type::Optional(_) => made(&[inner], |o, all| o.optional_from_value(all).add()),
        _ => Ok(inner),
    }
}

fn check(found: &Tensor, expected: &Value, ty: &Type, rtol: f64, atol: f64) -> Result<(), String> {
    let of = match (expected, ty) {
        (Value::Tensor(expected), Type::Tensor(_)) => return compare(found, expected, rtol, atol),
        (expected, Type::Optional(of)) => {
            let there = made(std::slice::from_ref(found), |o, all| o.optional_has_value(all[0]).add())?;
            if there.item::<bool>() != Ok(!matches!(expected, Value::Missing)) {
                return Err(format!("found a value: {there}, expected {expected:?}"));
            }
            if matches!(expected, Value::Missing) {
                return Ok(());
            }
            let (dtype, any) = (of.dtype().map_err(|e| e.to_string())?, PartialShape::Unknown);
            let get = |o: &Ops<'_>, all: Vec<Output>| o.optional_get_value(all[0], &[dtype], &[any]).add().remove(0);
            let inner = made(std::slice::from_ref(found), get)?;
            return check(&inner, expected, of, rtol, atol);
        }
        (Value::Sequence(_), Type::Sequence(of)) => of.dtype().map_err(|e| e.to_string())?,
        _ => return Err(format!("values of type {ty} are not compared")),
    };
    let Value::Sequence(items) = expected else { return Err("no sequence is expected".to_owned()) };
    let length = made(std::slice::from_ref(found), |o, all| o.onnx_sequence_length(all[0]).add())?;
    if length.to_i64s().ok() != Some(vec![items.len() as i64]) {
        return Err(format!("found {length} items, expected {}", items.len()));
    }
    for (i, item) in items.iter().enumerate() {
        let at = Tensor::scalar(i as i64);
        let one = made(&[found.clone(), at], |o, all| o.onnx_sequence_at(all[0], all[1], of).add())?;
        compare(&one, item, rtol, atol)?;
    }
    Ok(())
}

fn operators(files: &Files) -> String {
    let model = Model::parse(files["model.onnx"].clone());
    let names = model.map(|model| model.operators().into_keys().collect::<Vec<_>>()).unwrap_or_default();
    names.join(" ").replace("ai.onnx.", "")
}

#[test]
fn cases_of_the_onnx_package() {
    let filter = std::env::var("ONNX_FILTER").unwrap_or_default();
    let cases = match std::env::var("ONNX_CASES") {
        Ok(dir) => {
            let mut cases = BTreeMap::new();
            in_directory(Path::new(&dir), "", &filter, &mut cases);
            cases
        }
        Err(_) => packed(SAMPLE),
    };
    run_all(cases);
}

#[test]
fn cases_of_onnx_runtime() {
    run_all(packed(RUNTIME));
}

/// Runs cases and lists those that fail.
fn run_all(cases: BTreeMap<String, Files>) {
    let cases: Vec<(String, Files)> = cases.into_iter().filter(|(name, _)| !LEFT_OUT.contains(&&name[..])).collect();
    assert!(!cases.is_empty());
    let (next, results) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((name, files)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(files)));
                    let outcome = outcome.unwrap_or_else(|_| Outcome::Failed("it panics".to_owned()));
                    results.lock().unwrap().insert(name.clone(), (operators(files), outcome));
                }
            });
        }
    });
    let results = results.into_inner().unwrap();
    let mut by_operator: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    let mut all = [0; 3];
    for (name, (operators, outcome)) in &results {
        let column = match outcome {
            Outcome::Passed => 0,
            Outcome::Unsupported(why) => {
                println!("UNSUPPORTED {name} [{operators}]: {}", why.replace('\n', "\n    "));
                1
            }
            Outcome::Failed(why) => {
                println!("FAILED {name} [{operators}]: {}", why.replace('\n', "\n    "));
                2
            }
        };
        by_operator.entry(operators).or_default()[column] += 1;
        all[column] += 1;
    }
    for (operators, [passed, unsupported, failed]) in &by_operator {
        if unsupported + failed > 0 {
            println!("{passed:5} passed {unsupported:5} unsupported {failed:5} failed  {operators}");
        }
    }
    let [passed, unsupported, failed] = all;
    println!("{passed} passed, {unsupported} unsupported, {failed} failed");
    assert_eq!(unsupported + failed, 0);
}

/// The operators as listed on the page.
fn listed() -> String {
    let mut text = String::new();
    let families = levada::onnx::table::families();
    let mut domains: Vec<&str> = families.iter().flat_map(|(_, all)| all.iter().map(|one| one.domain)).collect();
    // The standard domain is the first.
    domains.sort_by_key(|domain| (*domain != levada::onnx::table::STANDARD, *domain));
    domains.dedup();
    for domain in domains {
        text.push_str(&format!(
            "\n### {domain}\n\n| family | operators, with the versions that changed them |\n|---|---|\n"
        ));
        for (family, operators) in families {
            let of_domain = operators.iter().filter(|one| one.domain == domain);
            let names: Vec<String> = of_domain
                .map(|one| {
                    let since: Vec<String> = one.since.iter().map(ToString::to_string).collect();
                    format!("{} {}", one.name, since.join("/"))
                })
                .collect();
            if !names.is_empty() {
                text.push_str(&format!("| {family} | {} |\n", names.join(", ")));
            }
        }
    }
    text
}

#[test]
fn the_page_lists_every_operator() {
    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/onnx.md");
    let page = std::fs::read_to_string(PAGE).unwrap();
    let (_, after) = page.split_once("<!-- operators:").unwrap();
    let (mark, _) = after.split_once("-->\n").unwrap();
    let head = &page[..page.len() - after.len() + mark.len() + "-->\n".len()];
    let wanted = format!("{head}{}", listed());
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(PAGE, &wanted).unwrap();
    }
    assert_eq!(std::fs::read_to_string(PAGE).unwrap(), wanted, "UPDATE=1 cargo test -p levada-tests --test onnx");
}

#[test]
fn no_operator_is_listed_twice() {
    let mut seen = std::collections::BTreeSet::new();
    for one in levada::onnx::table::families().iter().flat_map(|(_, all)| *all) {
        assert!(seen.insert((one.domain, one.name)), "{}.{}", one.domain, one.name);
        assert!(one.since.is_sorted() && !one.since.is_empty(), "{}", one.name);
    }
}

/// A model of one graph, of operator set 13.
fn model(nodes: Vec<levada::onnx::proto::NodeProto>, output: &str) -> Model {
    use levada::onnx::proto::{GraphProto, ModelProto, OperatorSetIdProto, TypeProto, ValueInfoProto, type_proto};
    use prost::Message;
    let tensor = type_proto::Tensor { elem_type: 1, shape: None };
    let ty = TypeProto { value: Some(type_proto::Value::Tensor(tensor)) };
    let value = |name: &str| ValueInfoProto { name: name.to_owned(), r#type: Some(ty.clone()) };
    let graph =
        GraphProto { node: nodes, input: vec![value("x")], output: vec![value(output)], ..GraphProto::default() };
    let opset_import = vec![OperatorSetIdProto { domain: String::new(), version: 13 }];
    let proto = ModelProto { ir_version: 8, graph: Some(graph), opset_import, ..ModelProto::default() };
    Model::parse(proto.encode_to_vec()).unwrap()
}

fn node(op: &str, name: &str, input: &[&str], output: &str) -> levada::onnx::proto::NodeProto {
    levada::onnx::proto::NodeProto {
        op_type: op.to_owned(),
        name: name.to_owned(),
        input: input.iter().map(|&name| name.to_owned()).collect(),
        output: vec![output.to_owned()],
        ..Default::default()
    }
}

#[test]
fn all_that_is_not_supported_is_told_at_once() {
    let foreign = |op, name, input, output| levada::onnx::proto::NodeProto {
        domain: "there".to_owned(),
        ..node(op, name, &[input], output)
    };
    let nodes = vec![
        foreign("First", "one", "x", "a"),
        // It depends on the previous one and is not at fault.
        node("Relu", "", &["a"], "b"),
        foreign("Second", "", "x", "c"),
        node("Add", "sum", &["b", "c"], "y"),
    ];
    let error = model(nodes, "y").graph(&levada::registry()).unwrap_err();
    let told: Vec<String> = error.all().map(|e| format!("{:?} {:?}", e.fault().node, e.fault().op)).collect();
    assert_eq!(error.code(), Code::Unimplemented);
    assert_eq!(told, [r#"Some("one") Some("there.First, version 1")"#, r#"Some("c") Some("there.Second, version 1")"#]);
}

#[test]
fn nodes_are_named_after_those_of_the_model() {
    let nodes = vec![
        node("Relu", "/layer/onnx::Relu", &["x"], "a"),
        node("Relu", "", &["a"], "hidden value"),
        node("Relu", "y", &["hidden value"], "b"),
        node("Relu", "last", &["b"], "y"),
    ];
    let imported = model(nodes, "y").graph(&levada::registry()).unwrap();
    let names: Vec<&str> = imported.graph.nodes().map(|(_, node)| &*node.name).collect();
    assert_eq!(names, ["x", "layer/onnx__Relu", "hidden_value", "y_1", "last", "y"]);
    assert_eq!(imported.endpoints["hidden value"], "hidden_value");
    assert_eq!(imported.graph.meta.signatures[levada::onnx::SIGNATURE].outputs["y"].endpoint, "y:0");
    let session = Session::new(imported.graph, SessionOptions::default()).unwrap();
    let y = session.run(&[("x", Tensor::vector(vec![-1f32, 2.0]))], &["y"], &[]).unwrap();
    assert_eq!(y[0].slice::<f32>().unwrap(), [0.0, 2.0]);
}

/// Networks are computed with the channels of images last; all values of the model can still be fetched and fed.
#[test]
fn images_are_transposed_only_where_they_are_seen() {
    let cases = packed(RUNTIME);
    let files = &cases["images_residual"];
    let imported = Model::parse(files["model.onnx"].clone()).unwrap().graph(&levada::registry()).unwrap();
    let Ok(Value::Tensor(x)) = value(&files["0/input_0.pb"], &imported.inputs[0].ty) else { panic!("x is a tensor") };
    let (x, y) = ((&*imported.inputs[0].endpoint, x), &*imported.outputs[1].endpoint);
    let pooled = &*imported.endpoints["MaxPool_3_0"];
    let session = Session::new(imported.graph.clone(), SessionOptions::default()).unwrap();
    let run = |feeds: &[(&str, Tensor)], fetches: &[&str]| {
        let options = RunOptions { trace: true, ..RunOptions::default() };
        let (found, metadata) = session.run_with(&options, feeds, fetches, &[]).unwrap();
        let ops = metadata.trace.unwrap().events.iter().map(|event| event.op.to_string()).collect::<Vec<_>>();
        (found, ops.iter().filter(|op| op.starts_with("Transpose")).count())
    };
    let (whole, transposes) = run(std::slice::from_ref(&x), &[y]);
    // The input, and images of one pixel before they are flattened.
    assert!(transposes <= 2, "{transposes} transposes");
    let (seen, _) = run(&[x], &[pooled, y]);
    assert_eq!(whole[0], seen[1]);
    assert_eq!(seen[0].shape().dims()[1], 8);
    let (again, _) = run(&[(pooled, seen[0].clone())], &[y]);
    assert_eq!(again[0], whole[0]);
    let nothing = Tensor::zeros(DType::F32, seen[0].shape().clone());
    assert_ne!(run(&[(pooled, nothing)], &[y]).0[0], whole[0]);
}

#[test]
fn what_is_wrong_with_a_model_is_an_error() {
    let code = |nodes| model(nodes, "y").graph(&levada::registry()).unwrap_err().code();
    // A value without a producer, and nodes that form a cycle.
    assert_eq!(code(vec![node("Relu", "", &["nowhere"], "y")]), Code::InvalidArgument);
    assert_eq!(code(vec![node("Relu", "", &["b"], "y"), node("Relu", "", &["y"], "b")]), Code::InvalidArgument);
    assert_eq!(code(vec![node("Add", "", &["x"], "y")]), Code::InvalidArgument);
    assert_eq!(code(Vec::new()), Code::InvalidArgument);
    for bytes in [&b"\x08\x07\x3a\xff\xff\xff\xff\x0f"[..], b"\x3a\x00\x3a", b"", b"\xff"] {
        assert_eq!(Model::parse(bytes.to_vec()).unwrap_err().code(), Code::InvalidArgument);
    }
}

#[test]
fn tensors_of_hostile_sizes_are_refused() {
    let read =
        |proto: TensorProto| tensor(&proto, &Beside::model(Path::new("/nowhere/model.onnx"))).unwrap_err().code();
    let base = TensorProto { data_type: 1, dims: vec![1 << 40, 1 << 10], ..TensorProto::default() };
    assert_eq!(read(base.clone()), Code::InvalidArgument);
    assert_eq!(read(TensorProto { dims: vec![i64::MAX, 8], ..base.clone() }), Code::InvalidArgument);
    assert_eq!(read(TensorProto { dims: vec![-1], ..base.clone() }), Code::InvalidArgument);
    assert_eq!(read(TensorProto { data_type: 99, dims: vec![1], ..base.clone() }), Code::InvalidArgument);
    assert_eq!(read(TensorProto { raw_data: Some(vec![0; 7].into()), dims: vec![2], ..base }), Code::InvalidArgument);
}

#[test]
fn external_data_stays_in_the_directory_of_the_model() {
    use levada::onnx::proto::StringStringEntryProto;
    let dir = std::env::temp_dir().join(format!("levada_onnx_{}", std::process::id()));
    std::fs::create_dir_all(dir.join("inner")).unwrap();
    std::fs::write(dir.join("outside"), [0; 64]).unwrap();
    std::fs::write(dir.join("inner/data"), (0..16).flat_map(|i| (i as f32).to_le_bytes()).collect::<Vec<u8>>())
        .unwrap();
    let beside = Beside::model(&dir.join("inner/model.onnx"));
    let read = |location: &str, offset: &str| {
        let entry = |key: &str, value: &str| StringStringEntryProto { key: key.to_owned(), value: value.to_owned() };
        let external_data = vec![entry("location", location), entry("offset", offset)];
        let proto = TensorProto { data_type: 1, dims: vec![4], data_location: 1, external_data, ..Default::default() };
        tensor(&proto, &beside).map(|(t, _)| t.into_vec::<f32>().unwrap()).map_err(|e| e.code())
    };
    assert_eq!(read("data", "16"), Ok(vec![4.0, 5.0, 6.0, 7.0]));
    assert_eq!(read("./data", "0"), Ok(vec![0.0, 1.0, 2.0, 3.0]));
    assert_eq!(read("data", "60"), Err(Code::DataLoss));
    assert_eq!(read("data", "18446744073709551615"), Err(Code::DataLoss));
    assert_eq!(read("missing", "0"), Err(Code::NotFound));
    assert_eq!(read("../outside", "0"), Err(Code::PermissionDenied));
    assert_eq!(read(dir.join("outside").to_str().unwrap(), "0"), Err(Code::PermissionDenied));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(dir.join("outside"), dir.join("inner/link")).unwrap();
        assert_eq!(read("link", "0"), Err(Code::PermissionDenied));
    }
    std::fs::remove_dir_all(dir).unwrap();
}
