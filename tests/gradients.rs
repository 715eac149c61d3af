//! Gradients against those that TensorFlow computes, and against finite differences.

use flate2::read::GzDecoder;
use levada::graph::read;
use levada::{Builder, Code, DType, Session, SessionOptions, Tensor};
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

fn cases() -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("gradients/cases.jsonl.gz");
    let lines = BufReader::new(GzDecoder::new(File::open(path).unwrap())).lines();
    lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect()
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|v| v.as_str().unwrap().to_owned()).collect()
}

fn tensor(value: &Value) -> Tensor {
    read::tensor_from_json(value).unwrap()
}

/// Why a case does not give what TensorFlow gave.
fn replay(case: &Value) -> Result<(), String> {
    let graph = serde_json::to_vec(&case["graph"]).unwrap();
    let graph = read::json(&graph, &levada::registry()).map_err(|e| e.to_string())?;
    let mut b = Builder::on(graph, levada::registry());
    let find = |b: &Builder, names: &[String]| names.iter().map(|n| b.find(n).unwrap()).collect::<Vec<_>>();
    let (ys, xs) = (find(&b, &texts(&case["ys"])), find(&b, &texts(&case["xs"])));
    let grads = b.gradients(&ys, &xs).map_err(|e| e.to_string())?;
    let expected: Vec<Option<Tensor>> =
        case["expect"].as_array().unwrap().iter().map(|e| (!e.is_null()).then(|| tensor(e))).collect();
    let names: Vec<Option<String>> = grads.iter().map(|g| g.map(|g| b.name(g))).collect();
    let graph = b.finish().map_err(|e| e.to_string())?;
    let init: Vec<String> = graph.names().filter(|n| n.ends_with("/Assign")).map(str::to_owned).collect();
    let session = Session::new(graph, SessionOptions::default()).unwrap();
    let init: Vec<&str> = init.iter().map(String::as_str).collect();
    session.run(&[], &[], &init).map_err(|e| e.to_string())?;
    let feeds: Vec<(String, Tensor)> =
        case["feeds"].as_object().unwrap().iter().map(|(n, v)| (n.clone(), tensor(v))).collect();
    let feeds: Vec<(&str, Tensor)> = feeds.iter().map(|(n, v)| (n.as_str(), v.clone())).collect();
    for (i, (name, expected)) in names.iter().zip(expected).enumerate() {
        match (name, expected) {
            (None, None) => {}
            (Some(name), Some(expected)) => {
                let got = session.run(&feeds, &[name], &[]).map_err(|e| e.to_string())?;
                close(&got[0], &expected).map_err(|why| format!("gradient {i}: {why}"))?;
            }
            (name, expected) => return Err(format!("gradient {i} is {name:?}, expected {expected:?}")),
        }
    }
    Ok(())
}

/// Real and imaginary parts as doubles.
fn numbers(tensor: &Tensor) -> Vec<f64> {
    match tensor.dtype() {
        DType::F32 => tensor.slice::<f32>().unwrap().iter().map(|&v| f64::from(v)).collect(),
        DType::F64 => tensor.slice::<f64>().unwrap().to_vec(),
        DType::C128 => tensor.slice::<levada::graph::Complex64>().unwrap().iter().flat_map(|z| [z.re, z.im]).collect(),
        other => panic!("gradients of type {other}"),
    }
}

fn close(got: &Tensor, expected: &Tensor) -> Result<(), String> {
    if got.dtype() != expected.dtype() || got.shape() != expected.shape() {
        return Err(format!(
            "{:?} {} instead of {:?} {}",
            got.dtype(),
            got.shape(),
            expected.dtype(),
            expected.shape()
        ));
    }
    let tolerance = if got.dtype() == DType::F32 { 2e-4 } else { 1e-8 };
    let (a, b) = (numbers(got), numbers(expected));
    let scale = b.iter().fold(1f64, |m, v| if v.is_finite() { m.max(v.abs()) } else { m });
    for (i, (a, b)) in a.iter().zip(&b).enumerate() {
        if !(a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= tolerance * scale) {
            return Err(format!("element {i} is {a}, expected {b}"));
        }
    }
    Ok(())
}

#[test]
fn gradients_are_those_of_tensorflow() {
    let cases = cases();
    assert!(cases.len() > 300, "{} cases", cases.len());
    let mut failed = Vec::new();
    for case in &cases {
        if let Err(why) = replay(case) {
            failed.push(format!("{}: {why}", case["name"]));
        }
    }
    assert!(failed.is_empty(), "{} of {} failed:\n{}", failed.len(), cases.len(), failed.join("\n"));
}

/// Compares a case's gradient with finite differences; `second` differentiates the sum of the gradient's squares instead.
fn check_slopes(case: &Value, second: bool) {
    let name = case["name"].as_str().unwrap();
    let graph = serde_json::to_vec(&case["graph"]).unwrap();
    let mut b = Builder::on(read::json(&graph, &levada::registry()).unwrap(), levada::registry());
    let mut y = b.find(&texts(&case["ys"])[0]).unwrap();
    let x = b.find("x0:0").unwrap();
    if second {
        let first = b.gradients(&[y], &[x]).unwrap()[0].unwrap();
        y = b.node("L2Loss").input(first).add();
    }
    let Some(grad) = b.gradients(&[y], &[x]).unwrap_or_else(|e| panic!("{name}: {e}"))[0] else { return };
    let (y, grad) = (b.name(y), b.name(grad));
    let graph = b.finish().unwrap();
    let init: Vec<String> = graph.names().filter(|n| n.ends_with("/Assign")).map(str::to_owned).collect();
    let session = Session::new(graph, SessionOptions::default()).unwrap();
    session.run(&[], &[], &init.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
    let feeds: Vec<(String, Tensor)> =
        case["feeds"].as_object().unwrap().iter().map(|(n, v)| (n.clone(), tensor(v))).collect();
    let run = |fetch: &str, step: Option<(usize, f64)>| -> Vec<f64> {
        let fed = feeds.iter().map(|(n, v)| match step {
            Some((i, h)) if n == "x0:0" => {
                let mut values = v.slice::<f64>().unwrap().to_vec();
                values[i] += h;
                (n.as_str(), Tensor::vector(values).reshaped(v.shape().clone()).unwrap())
            }
            _ => (n.as_str(), v.clone()),
        });
        numbers(&session.run(&fed.collect::<Vec<_>>(), &[fetch], &[]).unwrap_or_else(|e| panic!("{name}: {e}"))[0])
    };
    let exact = run(&grad, None);
    let h = 1e-6;
    let scale = exact.iter().fold(1f64, |m, v| m.max(v.abs()));
    let wrong = (0..exact.len()).filter(|&i| {
        let slope = (run(&y, Some((i, h)))[0] - run(&y, Some((i, -h)))[0]) / (2.0 * h);
        (slope - exact[i]).abs() > 1e-4 * scale
    });
    // A kink may lie within a step.
    assert!(wrong.count() <= 1, "{name}");
}

#[test]
fn gradients_agree_with_finite_differences() {
    // A second look at what is smooth, real and of one input.
    cases()
        .iter()
        .filter(|c| c["name"].as_str().unwrap().starts_with("expression/"))
        .for_each(|c| check_slopes(c, false));
}

#[test]
fn loops_have_second_derivatives() {
    let smooth = |case: &&Value| {
        let name = case["name"].as_str().unwrap();
        name.starts_with("loops_") && !["stopped", "softmax"].iter().any(|other| name.ends_with(other))
    };
    cases().iter().filter(smooth).for_each(|c| check_slopes(c, true));
}

#[test]
fn what_has_no_gradient_is_named() {
    let mut b = Builder::new(levada::registry());
    let x = b.placeholder("x", DType::F32, levada::PartialShape::vector(Some(3)));
    let y = b.node("NextAfter").input(x).input(x).add();
    let independent = b.placeholder("z", DType::F32, levada::PartialShape::scalar());
    let grads = b.gradients(&[y], &[x, independent]).unwrap();
    assert!(grads[0].is_some() && grads[1].is_none());
    let matrix = b.placeholder("matrix", DType::F32, levada::PartialShape::Unknown);
    let lost = b.node("Lu").name("lost").input(matrix).add();
    let error = b.gradients(&[lost], &[matrix]).unwrap_err();
    assert_eq!(error.fault().node.as_deref(), Some("lost"), "{error}");
    assert_eq!(error.fault().op.as_deref(), Some("Lu"));
}

#[test]
fn gradients_that_nodes_name_are_those_registered_under_the_names() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("gradients/named.json");
    let cases: Value = serde_json::from_reader(File::open(path).unwrap()).unwrap();
    for (name, case) in cases.as_object().unwrap() {
        let graph = read::json(&serde_json::to_vec(&case["graph"]).unwrap(), &levada::registry()).unwrap();
        let mut b = Builder::on(graph, levada::registry());
        let (z, x) = (b.find("z").unwrap(), b.find("x").unwrap());
        let gradient = b.gradients(&[z], &[x]).unwrap_or_else(|e| panic!("{name}: {e}"))[0].unwrap();
        let gradient = b.name(gradient);
        let session = Session::new(b.finish().unwrap(), SessionOptions::default()).unwrap();
        let got = session.run(&[("x", tensor(&case["x"]))], &[&gradient], &[]).unwrap();
        close(&got[0], &tensor(&case["gradient"])).unwrap_or_else(|why| panic!("{name}: {why}"));
    }
    let mut graph = cases["Triple"]["graph"].clone();
    graph["library"]["registeredGradients"][0]["registeredOpType"] = "Other".into();
    let graph = read::json(&serde_json::to_vec(&graph).unwrap(), &levada::registry()).unwrap();
    let mut b = Builder::on(graph, levada::registry());
    let (z, x) = (b.find("z").unwrap(), b.find("x").unwrap());
    let error = b.gradients(&[z], &[x]).unwrap_err();
    assert_eq!((error.code(), error.fault().attr.as_deref()), (Code::NotFound, Some("_gradient_op_type")));
    assert_eq!(error.fault().node.as_deref(), Some("named"));
}
