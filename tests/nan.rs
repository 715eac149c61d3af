//! The node that produces the first NaN is named, in graphs built by TensorFlow; `nan/graphs.py` made them.

use flate2::read::GzDecoder;
use levada::graph::spec::{Arg, Ty};
use levada::graph::{Complex32, read};
use levada::kernel::observe::{Kept, Ran};
use levada::session::{Made, NanOrigin, NanWatch};
use levada::{Builder, DType, Error, Graph, PartialShape, Session, SessionOptions, Shape, Tensor, f16};

use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader};

fn cases() -> Vec<Value> {
    let file = File::open(concat!(env!("CARGO_MANIFEST_DIR"), "/nan/graphs.jsonl.gz")).unwrap();
    BufReader::new(GzDecoder::new(file)).lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect()
}

fn names(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().map(|name| name.as_str().unwrap()).collect()
}

fn numbers(value: &Value, shape: &mut Vec<usize>, depth: usize, out: &mut Vec<f64>) {
    match value {
        Value::Array(items) => {
            if shape.len() == depth {
                shape.push(items.len());
            }
            items.iter().for_each(|item| numbers(item, shape, depth + 1, out));
        }
        number => out.push(number.as_f64().unwrap()),
    }
}

fn tensor(feed: &Value) -> Tensor {
    let (mut shape, mut values) = (Vec::new(), Vec::new());
    numbers(&feed["value"], &mut shape, 0, &mut values);
    let of = |shape: &[usize]| Shape::new(shape.iter().copied()).unwrap();
    match feed["dtype"].as_str().unwrap() {
        "float16" => Tensor::from_vec(of(&shape), values.iter().map(|v| f16::from_f64(*v)).collect::<Vec<_>>()),
        "float32" => Tensor::from_vec(of(&shape), values.iter().map(|v| *v as f32).collect::<Vec<_>>()),
        "float64" => Tensor::from_vec(of(&shape), values),
        "complex64" => {
            let pairs = values.chunks(2).map(|p| Complex32::new(p[0] as f32, p[1] as f32)).collect::<Vec<_>>();
            Tensor::from_vec(of(&shape[..1]), pairs)
        }
        other => panic!("{other}"),
    }
    .unwrap()
}

fn graph(case: &Value) -> Graph {
    read::json(case["graph"].to_string().as_bytes(), &levada::registry()).unwrap()
}

/// The results of a case under these options.
fn run(case: &Value, options: SessionOptions) -> Result<Vec<Tensor>, Error> {
    let session = Session::new(graph(case), options).unwrap();
    if let Some(init) = case["init"].as_str() {
        session.run(&[], &[], &[init])?;
    }
    let feeds: Vec<(&str, Tensor)> =
        case["feeds"].as_object().unwrap().iter().map(|(name, feed)| (name.as_str(), tensor(feed))).collect();
    session.run(&feeds, &names(&case["fetches"]), &names(&case["targets"]))
}

fn watched(watch: NanWatch) -> SessionOptions {
    SessionOptions { watch: Some(watch), threads: 2, ..SessionOptions::default() }
}

#[test]
fn the_node_that_made_it_is_named_and_no_other() {
    let (mut named, mut clean) = (0, 0);
    let mut faults = Vec::new();
    for case in cases() {
        let name = case["name"].as_str().unwrap();
        for (infinities, no_fusion) in [(true, false), (true, true), (false, false)] {
            let watch = NanWatch { infinities, brought: false };
            let result = run(&case, SessionOptions { no_fusion, ..watched(watch) });
            let expected = case["node"].as_str().filter(|_| infinities || case["nan_only"] == true);
            match (expected, &result) {
                (None, Ok(_)) => clean += 1,
                // Whether a NaN follows from an infinity depends on the rest of the graph.
                (None, Err(_)) if case["node"].is_string() => clean += 1,
                (Some(node), Err(error)) => match error.report::<NanOrigin>() {
                    Some(origin) if origin.node == node => {
                        named += 1;
                        check(&case, origin, &mut faults);
                    }
                    Some(origin) => faults.push(format!("{name}: {} instead of {node}", origin.node)),
                    None => faults.push(format!("{name}: {error}")),
                },
                (Some(node), Ok(_)) => faults.push(format!("{name} ({infinities}, {no_fusion}): not {node}")),
                (None, Err(error)) => faults.push(format!("{name}: {error}")),
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(named >= 120 && clean >= 10, "{named} named, {clean} clean");
}

/// Other parts of the report.
fn check(case: &Value, origin: &NanOrigin, faults: &mut Vec<String>) {
    let name = case["name"].as_str().unwrap();
    let mut fault = |what: &str| faults.push(format!("{name}: {what}: {origin:?}"));
    let inputs = origin.inputs.iter().all(|input| !input.name.starts_with("input "));
    if !inputs {
        fault("an input without a name");
    }
    if origin.path.last() != Some(&origin.node) || origin.path.len() < 2 {
        fault("the path does not lead there");
    }
    if !origin.device.ends_with("CPU:0") || origin.found.nans + origin.found.infinities == 0 {
        fault("no device, or nothing found");
    }
    let variable = case["variable"].as_str();
    match (&origin.made, variable) {
        (Made::Variable(found), Some(variable)) if found == variable => {}
        (Made::Output(0), None) => {}
        _ => fault("another result"),
    }
    let iteration = case["iteration"].as_u64();
    if origin.iterations.last().map(|(_, n)| *n) != iteration && !(iteration.is_none() && origin.iterations.is_empty())
    {
        fault("another iteration");
    }
    let function = origin.function.as_deref().unwrap_or_default();
    if case["function"].as_str().is_some_and(|part| !function.contains(part)) {
        fault("another function");
    }
}

#[test]
fn what_feeds_and_variables_bring_is_found_where_that_is_asked_for() {
    let cases = cases();
    let of = |name: &str| cases.iter().find(|case| case["name"] == name).unwrap();
    let brought = NanWatch { infinities: true, brought: true };
    let origin = |case: &Value| run(case, watched(brought)).unwrap_err().report::<NanOrigin>().unwrap().clone();
    assert_eq!((origin(of("masked")).made, &*origin(of("masked")).node), (Made::Constant, "mask"));
    assert_eq!((origin(of("fed")).made, &*origin(of("fed")).node), (Made::Constant, "w/Initializer/Const"));
    // The variable was assigned in a session that was not watched.
    let resources = std::sync::Arc::new(levada::kernel::Resources::new());
    let shared = |options| SessionOptions { resources: Some(resources.clone()), ..options };
    Session::new(graph(of("fed")), shared(SessionOptions::default())).unwrap().run(&[], &[], &["init"]).unwrap();
    let session = Session::new(graph(of("fed")), shared(watched(brought))).unwrap();
    let error = session.run(&[("x", Tensor::vector(vec![1f32, 2.0]))], &["y"], &[]).unwrap_err();
    let variable = error.report::<NanOrigin>().unwrap();
    assert!(!variable.is_computed && variable.path[0] == "w", "{variable:?}");
    let mut case = of("loop").clone();
    case["feeds"]["x"]["value"] = serde_json::json!(1e39);
    let fed = origin(&case);
    assert_eq!((fed.made, &*fed.node), (Made::Feed, "x"));
}

#[test]
fn of_several_the_first_in_the_order_of_the_graph_is_told_on_any_number_of_threads() {
    let node =
        |name: &str, op: &str, input: &str| format!(r#"{{"name": "{name}", "op": "{op}", "input": ["{input}"]}}"#);
    let mut nodes = vec![r#"{"name": "x", "op": "Placeholder", "attr": {"dtype": "float32"}}"#.to_owned()];
    for i in 0..16 {
        nodes.push(node(&format!("before{i}"), "Tanh", "x"));
        nodes.push(node(&format!("fault{i}"), "Log", &format!("before{i}")));
    }
    let text = format!(r#"{{"node": [{}]}}"#, nodes.join(","));
    let names: Vec<String> = (0..16).map(|i| format!("fault{i}")).collect();
    let fetches: Vec<&str> = names.iter().map(String::as_str).collect();
    let told = |threads: usize| {
        let options =
            SessionOptions { threads, no_fusion: true, disorder: Some(threads as u64), ..watched(NanWatch::default()) };
        let session = Session::new(read::json(text.as_bytes(), &levada::registry()).unwrap(), options).unwrap();
        let x = Tensor::vector(vec![-1f32; 1 << 12]);
        let error = session.run(&[("x", x)], &fetches, &[]).unwrap_err();
        error.report::<NanOrigin>().unwrap().node.clone()
    };
    let first = told(1);
    for threads in [1, 2, 4].repeat(8) {
        assert_eq!(told(threads), first);
    }
}

/// All tuples of `n` of these values: for each position its values.
fn tuples(values: &[f32], n: usize) -> Vec<Vec<f32>> {
    let all = values.len().pow(n as u32);
    (0..n).map(|place| (0..all).map(|i| values[i / values.len().pow(place as u32) % values.len()]).collect()).collect()
}

/// The results of an op for these inputs, each a vector; `None` if it takes other inputs.
fn elementwise(op: &str, inputs: &[Vec<f32>]) -> Option<Vec<f32>> {
    let mut b = Builder::new(levada::registry());
    let names: Vec<String> = (0..inputs.len()).map(|i| format!("x{i}")).collect();
    let x: Vec<_> = names.iter().map(|name| b.placeholder(name, DType::F32, PartialShape::Unknown)).collect();
    b.node(op).name("y").inputs(x).attr("T", DType::F32).add();
    let session = Session::new(b.finish().ok()?, SessionOptions { threads: 1, ..SessionOptions::default() }).ok()?;
    let feeds: Vec<(&str, Tensor)> =
        names.iter().zip(inputs).map(|(name, values)| (&**name, Tensor::vector(values.clone()))).collect();
    let y = session.run(&feeds, &["y"], &[]).ok()?.remove(0);
    (y.shape().num_elements() == inputs[0].len()).then(|| y.slice::<f32>().unwrap().to_vec())
}

#[test]
fn ops_do_with_what_is_not_finite_what_they_say() {
    let finite =
        [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1e-45, -1e-45, f32::MIN_POSITIVE, 88.0, -104.0, 1e30, f32::MAX, f32::MIN];
    let others = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    let all = [&finite[..], &others].concat();
    let (mut keep, mut spread) = (0, 0);
    for op in levada::registry().iter() {
        let (spec, of_t) = (op.spec, |arg: &Arg| arg.ty == Ty::Of("T"));
        if !(spec.keeps_finite || spec.spreads) || !spec.inputs.iter().chain(spec.outputs).all(of_t) {
            continue;
        }
        let n = spec.inputs.iter().map(|arg| if arg.times.is_some() { 2 } else { 1 }).sum();
        if let (true, Some(y)) = (spec.keeps_finite, elementwise(spec.name, &tuples(&finite, n))) {
            keep += 1;
            assert!(y.iter().all(|y| y.is_finite()), "{} makes something of finite numbers", spec.name);
        }
        let inputs = tuples(&all, n);
        let Some(y) = elementwise(spec.name, &inputs).filter(|_| spec.spreads) else { continue };
        spread += 1;
        for (i, y) in y.iter().enumerate() {
            let given: Vec<f32> = inputs.iter().map(|x| x[i]).collect();
            let shows = !y.is_finite() || given.iter().all(|x| x.is_finite());
            assert!(shows && (y.is_nan() || !given.iter().any(|x| x.is_nan())), "{} {given:?}: {y}", spec.name);
        }
    }
    assert!(keep >= 14 && spread >= 11, "{keep} keep, {spread} spread");
}

/// Counts checked values.
#[derive(Default)]
struct Count(std::sync::atomic::AtomicUsize);

impl levada::kernel::Observer for Count {
    fn starts(
        &self,
        _: &levada::kernel::Nature,
        _: &[levada::kernel::Entry],
        _: &levada::kernel::StepCx,
    ) -> Option<Kept> {
        Some(Kept::default())
    }

    fn ran(&self, _: &Ran<'_>) -> Result<(), Error> {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Ok(())
    }
}

#[test]
fn an_observer_sees_nodes_and_excludes_a_watch() {
    let case = cases().into_iter().find(|case| case["name"] == "masked").unwrap();
    let count = std::sync::Arc::new(Count::default());
    let options = SessionOptions { observer: Some(count.clone()), plain: true, ..SessionOptions::default() };
    run(&case, options.clone()).unwrap();
    assert!(count.0.load(std::sync::atomic::Ordering::Relaxed) >= 3);
    let both = SessionOptions { watch: Some(NanWatch::default()), ..options };
    assert!(Session::new(graph(&case), both).is_err());
}
