//! Gradients against those that TensorFlow computes, and against finite differences.

use flate2::read::GzDecoder;
use levada::graph::read;
use levada::{Builder, Code, DType, Session, SessionOptions, Shape, Tensor};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

fn cases() -> Vec<Value> {
    lines("cases.jsonl.gz")
}

fn lines(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("gradients").join(file);
    let lines = BufReader::new(GzDecoder::new(File::open(path).unwrap())).lines();
    lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect()
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|v| v.as_str().unwrap().to_owned()).collect()
}

fn tensor(value: &Value) -> Tensor {
    read::tensor_from_json(value).unwrap()
}

/// Why a case differs from TensorFlow.
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
        DType::F16 => tensor.slice::<levada::f16>().unwrap().iter().map(|&v| f64::from(v)).collect(),
        DType::BF16 => tensor.slice::<levada::bf16>().unwrap().iter().map(|&v| f64::from(v)).collect(),
        DType::C64 => {
            tensor.slice::<levada::Complex32>().unwrap().iter().flat_map(|z| [z.re, z.im].map(f64::from)).collect()
        }
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
    let tolerance = match got.dtype() {
        DType::F16 => 2e-2,
        DType::BF16 => 1e-1,
        DType::F32 | DType::C64 => 2e-4,
        _ => 1e-8,
    };
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
    for case in cases.iter().filter(|case| !draws(case)) {
        if let Err(why) = replay(case) {
            failed.push(format!("{}: {why}", case["name"]));
        }
    }
    assert!(failed.is_empty(), "{} of {} failed:\n{}", failed.len(), cases.len(), failed.join("\n"));
}

/// True if random numbers are drawn in calls within a loop: TensorFlow draws different ones.
fn draws(case: &Value) -> bool {
    case["name"].as_str().unwrap().starts_with("loops_of_calls/drawn")
}

#[test]
fn what_a_call_in_a_loop_draws_is_the_same_on_the_way_back() {
    for case in cases().iter().filter(|case| draws(case)) {
        let name = case["name"].as_str().unwrap();
        let graph = serde_json::to_vec(&case["graph"]).unwrap();
        let mut b = Builder::on(read::json(&graph, &levada::registry()).unwrap(), levada::registry());
        let (y, x) = (b.find(&texts(&case["ys"])[0]).unwrap(), b.find("x0:0").unwrap());
        let grad = b.gradients(&[y], &[x]).unwrap_or_else(|e| panic!("{name}: {e}"))[0].unwrap();
        let (y, grad) = (b.name(y), b.name(grad));
        let graph = b.finish().unwrap();
        let at = tensor(&case["feeds"]["x0:0"]);
        // Each session starts the streams of random numbers anew.
        let run = |step: Option<(usize, f64)>| {
            let mut values = at.slice::<f64>().unwrap().to_vec();
            if let Some((i, h)) = step {
                values[i] += h;
            }
            let fed = Tensor::vector(values).reshaped(at.shape().clone()).unwrap();
            let session = Session::new(graph.clone(), SessionOptions::default()).unwrap();
            let all = session.run(&[("x0:0", fed)], &[&y, &grad], &[]).unwrap_or_else(|e| panic!("{name}: {e}"));
            (numbers(&all[0])[0], numbers(&all[1]))
        };
        let exact = run(None).1;
        let scale = exact.iter().fold(1e-3f64, |m, v| m.max(v.abs()));
        for (i, exact) in exact.iter().enumerate() {
            let slope = (run(Some((i, 1e-6))).0 - run(Some((i, -1e-6))).0) / 2e-6;
            assert!(
                (slope - exact).abs() <= 1e-4 * scale,
                "{name}: the finite difference is {slope}, the gradient {exact}"
            );
        }
    }
}

/// Compares a case's gradient with finite differences; `second` differentiates the sum of the gradient's squares
/// instead.
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
    // A second check if the function is smooth, real and has one input.
    cases()
        .iter()
        .filter(|c| c["name"].as_str().unwrap().starts_with("expression/"))
        .for_each(|c| check_slopes(c, false));
}

#[test]
fn loops_have_second_derivatives() {
    let smooth = |case: &&Value| {
        let name = case["name"].as_str().unwrap();
        name.starts_with("loops_v") && !["stopped", "softmax"].iter().any(|other| name.ends_with(other))
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

/// A case of rules.jsonl.gz with its gradients.
struct Rule {
    session: Session,
    feeds: Vec<(String, Tensor)>,
    xs: Vec<String>,
    /// The values to differentiate first and second, and their gradients.
    orders: Vec<(String, Vec<Option<String>>)>,
    /// The ops of the differentiated values.
    ops: BTreeSet<String>,
}

impl Rule {
    fn new(case: &Value) -> Result<Rule, String> {
        let text = |e: levada::Error| e.to_string();
        let graph = serde_json::to_vec(&case["graph"]).unwrap();
        let graph = read::json(&graph, &levada::registry()).map_err(text)?;
        let init: Vec<String> = graph.names().filter(|n| n.ends_with("/Assign")).map(str::to_owned).collect();
        let mut b = Builder::on(graph, levada::registry());
        let xs = texts(&case["xs"]);
        let by: Vec<_> = xs.iter().map(|n| b.find(n).unwrap()).collect();
        let (mut orders, mut ops) = (Vec::new(), BTreeSet::new());
        let mut y = b.find(case["y"].as_str().unwrap()).unwrap();
        for _ in 0..if case.get("second").is_some() { 2 } else { 1 } {
            ops.extend(b.graph().nodes().map(|(_, node)| node.op_name().to_owned()));
            let grads = b.gradients(&[y], &by).map_err(text)?;
            orders.push((b.name(y), grads.iter().map(|g| g.map(|g| b.name(g))).collect()));
            let squares: Vec<_> = grads.iter().flatten().map(|&g| sum_of_squares(&mut b, g)).collect();
            if squares.is_empty() {
                break;
            }
            let n = squares.len() as i64;
            y = b.node("AddN").inputs(squares).attr("N", n).add();
        }
        let session = Session::new(b.finish().map_err(text)?, SessionOptions::default()).map_err(text)?;
        session.run(&[], &[], &init.iter().map(String::as_str).collect::<Vec<_>>()).map_err(text)?;
        let feeds = case["feeds"].as_object().unwrap().iter().map(|(n, v)| (n.clone(), tensor(v))).collect();
        Ok(Rule { session, feeds, xs, orders, ops })
    }

    fn run(&self, fetches: &[&str], moved: Option<(&str, Tensor)>) -> Result<Vec<Tensor>, String> {
        let value = |(n, v): &(String, Tensor)| match &moved {
            Some((name, moved)) if n == name => moved.clone(),
            _ => v.clone(),
        };
        let feeds: Vec<_> = self.feeds.iter().map(|feed| (feed.0.as_str(), value(feed))).collect();
        self.session.run(&feeds, fetches, &[]).map_err(|e| e.to_string())
    }

    /// Compares the gradient of `y` with respect to the fed `x` with a finite difference along a direction, if the
    /// values are doubles.
    fn check_slope(&self, y: &str, x: &str, grad: &Tensor) -> Result<(), String> {
        let Some((_, at)) = self.feeds.iter().find(|(n, _)| n == x) else { return Ok(()) };
        if !matches!(at.dtype(), DType::F64 | DType::C128) {
            return Ok(());
        }
        let direction: Vec<f64> = (0..numbers(at).len()).map(|i| (i as f64 * 1.7 + 0.3).cos()).collect();
        let moved = |h: f64| -> Result<f64, String> {
            let values: Vec<f64> = numbers(at).iter().zip(&direction).map(|(v, d)| v + d * h).collect();
            let moved = match at.dtype() {
                DType::F64 => Tensor::vector(values),
                _ => Tensor::vector(values.chunks(2).map(|z| levada::Complex64::new(z[0], z[1])).collect::<Vec<_>>()),
            };
            let y = self.run(&[y], Some((x, moved.reshaped(at.shape().clone()).unwrap())))?;
            Ok(numbers(&y[0])[0])
        };
        let h = 1e-6;
        let slope = (moved(h)? - moved(-h)?) / (2.0 * h);
        let grad = numbers(grad);
        let exact: f64 = grad.iter().zip(&direction).map(|(g, d)| g * d).sum();
        let scale = grad.iter().fold(1f64, |m, v| m.max(v.abs()));
        match (slope - exact).abs() <= 2e-5 * scale * (grad.len() as f64).sqrt() {
            true => Ok(()),
            false => Err(format!("the finite difference is {slope}, the gradient {exact}")),
        }
    }
}

/// The sum of the squares of the absolute values, as a double.
fn sum_of_squares(b: &mut Builder, x: levada::Output) -> levada::Output {
    let complex = match b.dtype(x) {
        Some(DType::C64) => Some(DType::F32),
        Some(DType::C128) => Some(DType::F64),
        _ => None,
    };
    let square = match complex {
        None => b.op("Mul", &[x, x]),
        Some(part) => {
            let conjugate = b.op("Conj", &[x]);
            let product = b.op("Mul", &[x, conjugate]);
            b.node("Real").input(product).attr("Tout", part).add()
        }
    };
    let (rank, zero, one) =
        (b.op("Rank", &[square]), b.constant(Tensor::scalar(0i32)), b.constant(Tensor::scalar(1i32)));
    let axes = b.op("Range", &[zero, rank, one]);
    let sum = b.op("Sum", &[square, axes]);
    b.node("Cast").input(sum).attr("DstT", DType::F64).add()
}

/// Why the gradients of a case are not those of TensorFlow or of finite differences.
fn check_rule(case: &Value, ops: &mut BTreeSet<String>) -> Result<(), String> {
    let rule = Rule::new(case)?;
    ops.extend(rule.ops.iter().cloned());
    let smooth = case.get("rough").is_none();
    for (order, (y, grads)) in rule.orders.iter().enumerate() {
        let of = ["the gradient", "the second gradient"][order];
        let names: Vec<&str> = grads.iter().flatten().map(String::as_str).collect();
        let mut values = rule.run(&names, None)?.into_iter();
        let expected = case.get(["first", "second"][order]);
        for (i, (x, grad)) in rule.xs.iter().zip(grads).enumerate() {
            let got = grad.as_ref().and_then(|_| values.next());
            let expected = expected.map(|all| &all[i]);
            let known = expected.filter(|e| !e.is_null());
            match (&got, known) {
                (Some(got), Some(known)) => close(got, &tensor(known)).map_err(|why| format!("{of} by {x}: {why}"))?,
                (None, Some(_)) => return Err(format!("{of} by {x} is none")),
                (None, None) => {}
                // TensorFlow treats some as constant that are not.
                (Some(_), None) => {}
            }
            if let Some(got) = got.filter(|_| smooth || expected.is_some() && known.is_none()) {
                rule.check_slope(y, x, &got).map_err(|why| format!("{of} by {x}: {why}"))?;
            }
        }
    }
    Ok(())
}

/// Adds the ops of all nodes of a graph in JSON, including functions.
fn add_ops(graph: &Value, ops: &mut BTreeSet<String>) {
    let nodes = |of: &Value, key: &str| of[key].as_array().cloned().unwrap_or_default();
    let functions = nodes(&graph["library"], "function");
    let all = functions.iter().flat_map(|f| nodes(f, "nodeDef")).chain(nodes(graph, "node"));
    ops.extend(all.filter_map(|node| Some(node["op"].as_str()?.to_owned())));
}

#[test]
fn every_rule_gives_what_tensorflow_and_finite_differences_give() {
    let cases = lines("rules.jsonl.gz");
    let mut ops = BTreeSet::new();
    let failed: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            check_rule(case, &mut ops).err().map(|why| format!("{}: {why}", case["name"].as_str().unwrap()))
        })
        .collect();
    assert!(failed.is_empty(), "{} of {} failed:\n{}", failed.len(), cases.len(), failed.join("\n"));

    // Everything that TensorFlow differentiates is in a case.
    self::cases().iter().for_each(|case| add_ops(&case["graph"], &mut ops));
    let registry = levada::registry();
    let known = registered().into_iter().filter(|(op, known)| *known && registry.get(op).is_some());
    let missing: Vec<String> =
        known.map(|(op, _)| op).filter(|op| !ops.contains(op) && !WITHOUT_CASE.contains(&op.as_str())).collect();
    assert!(missing.is_empty(), "no case differentiates {missing:?}");
}

/// Ops that TensorFlow registers but through which no graph is differentiated: old ones, and some whose gradient is an
/// error. Also XLA's, which TensorFlow only runs in compiled functions.
const WITHOUT_CASE: [&str; 22] = [
    "ArgMax",
    "ArgMin",
    "BlockLSTMV2",
    "CTCLoss",
    "CTCLossV2",
    "Case",
    "Cross",
    "DebugGradientIdentity",
    "EagerPyFunc",
    "InvGrad",
    "LoopCond",
    "PreventGradient",
    "RefEnter",
    "RefExit",
    "RefMerge",
    "RefNextIteration",
    "SparseDenseCwiseAdd",
    "SparseSparseMaximum",
    "SparseSparseMinimum",
    "TruncateDiv",
    "XlaEinsum",
    "XlaSharding",
];

#[test]
fn the_gradients_of_xla_s_ops_are_those_of_their_equals() {
    let mut b = Builder::new(levada::registry());
    let matrix = |rows: usize, columns: usize| {
        let values: Vec<f32> = (0..rows * columns).map(|i| (i as f32 * 0.7).sin()).collect();
        Tensor::from_vec(Shape::new([rows, columns]).unwrap(), values).unwrap()
    };
    let (x, y) = (b.constant(matrix(2, 3)), b.constant(matrix(4, 3)));
    let equation = || "ij,kj->ki".to_owned();
    let plain = b.node("Einsum").input(x).input(y).attr("equation", equation()).attr("T", DType::F32).add();
    let xla = b.node("XlaEinsum").input(x).input(y).attr("equation", equation()).attr("T", DType::F32).add();
    let xla = b.node("XlaSharding").input(xla).attr("T", DType::F32).add();
    let [plain, xla] = [plain, xla].map(|z| {
        let z = b.node("Tanh").input(z).attr("T", DType::F32).add();
        let grads = b.gradients(&[z], &[x, y]).unwrap();
        grads.into_iter().map(|grad| b.name(grad.unwrap())).collect::<Vec<String>>()
    });
    let session = Session::new(b.finish().unwrap(), SessionOptions::default()).unwrap();
    let values = |names: &[String]| {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let grads = session.run(&[], &names, &[]).unwrap();
        grads.iter().flat_map(|grad| grad.slice::<f32>().unwrap().to_vec()).collect::<Vec<f32>>()
    };
    let (plain, xla) = (values(&plain), values(&xla));
    assert!(plain.len() == 18 && plain.iter().any(|v| *v != 0.0));
    assert!(plain.iter().zip(&xla).all(|(a, b)| (a - b).abs() < 1e-6), "{plain:?} {xla:?}");
}

/// TensorFlow's registry of gradients: true for ops that have one, false for those that are treated as constant.
fn registered() -> BTreeMap<String, bool> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("gradients/registry.json");
    serde_json::from_reader(File::open(path).unwrap()).unwrap()
}

#[test]
fn whatever_tensorflow_differentiates_has_a_rule() {
    let registry = levada::registry();
    let missing: Vec<String> = registered()
        .into_keys()
        .filter(|op| {
            let plain = |def: &&levada::graph::OpDef| def.spec.role == levada::graph::spec::Role::Plain;
            // TensorFlow registers the first to say that they have none; gradients never reach queues and host
            // functions.
            !["SparseSparseMaximum", "SparseSparseMinimum", "PyFunc", "PyFuncStateless"].contains(&op.as_str())
                && !op.starts_with("Queue")
                && registry.get(op).filter(plain).is_some_and(|def| def.grad.is_none())
        })
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
