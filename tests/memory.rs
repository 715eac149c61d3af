//! Compares the predicted memory of a step with the measured one.

use levada::graph::read;
use levada::memory::{Asked, Report, Why, analyse, measure, within};
use levada::{CallableOptions, DType, Graph, Limits, PartialShape, Session, SessionOptions, Shape, Tensor};
use levada_testkit::dag::dags;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::time::Duration;

/// A session that accounts for memory.
fn session(graph: Graph, threads: usize) -> Session {
    let limits =
        Limits { memory: 8 << 30, memory_of_step: 8 << 30, time: Duration::from_secs(600), ..Limits::default() };
    Session::new(graph, SessionOptions { threads, limits: Some(limits), ..SessionOptions::default() }).unwrap()
}

fn graph(nodes: Value) -> Graph {
    read::json(json!({"node": nodes}).to_string().as_bytes(), &levada::registry()).unwrap()
}

fn asked(feeds: &[(&str, &[i64])], fetches: &[&str]) -> Asked {
    Asked {
        feeds: feeds.iter().map(|(name, dims)| ((*name).to_owned(), PartialShape::from_signed(dims))).collect(),
        fetches: fetches.iter().map(|name| (*name).to_owned()).collect(),
        ..Asked::default()
    }
}

fn host(report: &Report) -> &levada::memory::OfDevice {
    report.devices.iter().find(|d| d.name.ends_with("CPU:0")).unwrap()
}

/// The bound and the measured memory of a step.
fn both(session: &Session, asked: &Asked, feeds: &[Tensor]) -> (u64, u64) {
    let report = analyse(session, asked).unwrap();
    assert!(report.unknown.is_empty(), "{:?}", report.unknown);
    let names = asked.feeds.iter().map(|(name, _)| name.clone()).collect();
    let options = CallableOptions { feeds: names, fetches: asked.fetches.clone(), targets: asked.targets.clone() };
    let callable = session.callable(&options).unwrap();
    let measured = (0..2).map(|_| measure(&callable, feeds).unwrap().unwrap()).max().unwrap();
    (host(&report).bound.bytes, measured)
}

fn zeros(rows: usize, columns: usize) -> Tensor {
    Tensor::try_zeros(DType::F32, Shape::new([rows, columns]).unwrap()).unwrap()
}

fn placeholder(name: &str) -> Value {
    json!({"name": name, "op": "Placeholder", "attr": {"dtype": "float32", "shape": [null, null]}})
}

/// `x` is multiplied by itself in each of at most four branches, whose column sums are added up.
fn branches(count: usize) -> Value {
    let mut nodes = vec![placeholder("x")];
    for i in 0..count {
        nodes.push(json!({"name": format!("wide{i}"), "op": "MatMul", "input": ["x", "x"], "attr": {"transpose_a": i & 1 == 1, "transpose_b": i & 2 == 2}}));
        nodes.push(json!({"name": format!("axis{i}"), "op": "Const", "attr": {"dtype": "int32", "value": 0}}));
        nodes.push(json!({"name": format!("part{i}"), "op": "Sum", "input": [format!("wide{i}"), format!("axis{i}")]}));
    }
    nodes.push(json!({
        "name": "sum", "op": "AddN", "input": (0..count).map(|i| format!("part{i}")).collect::<Vec<_>>()
    }));
    nodes.into()
}

#[test]
fn a_chain_takes_what_was_said() {
    let mut nodes = vec![placeholder("x")];
    for i in 0..6 {
        let before = if i == 0 { "x".to_owned() } else { format!("y{}", i - 1) };
        nodes.push(json!({"name": format!("y{i}"), "op": "MatMul", "input": [before, "x"]}));
    }
    let session = session(graph(nodes.into()), 2);
    let feeds = [zeros(200, 200)];
    let (bound, measured) = both(&session, &asked(&[("x", &[200, 200])], &["y5"]), &feeds);
    assert_eq!(bound, measured);
}

#[test]
fn a_tensor_counts_from_its_maker_to_its_last_consumer() {
    let session = session(graph(branches(4)), 1);
    let report = analyse(&session, &asked(&[("x", &[256, 256])], &["sum"])).unwrap();
    let bound = &host(&report).bound;
    // In some order all branches are wide at the same time; on one thread only one is.
    let wide: Vec<&str> = bound.alive.iter().map(|a| &*a.node).filter(|n| n.starts_with("wide")).collect();
    assert_eq!(wide.len(), 4, "{bound:?}");
    let expected = host(&report).expected.alive.iter().filter(|a| a.node.starts_with("wide")).count();
    assert_eq!(expected, 1);
    assert!(bound.is_exact && bound.alive.iter().all(|a| a.why == Why::Tensor || a.why == Why::Fetch));
}

#[test]
fn control_edges_keep_a_step_within_a_limit() {
    let def = branches(4);
    let session = session(graph(def.clone()), 2);
    let asked = asked(&[("x", &[256, 256])], &["sum"]);
    let report = analyse(&session, &asked).unwrap();
    let device = &host(&report).name;
    let limit = host(&report).bound.bytes - 500_000;
    let plan = within(&session, &asked, device, limit).unwrap().unwrap();
    assert!(plan.bytes <= limit && !plan.edges.is_empty());
    let mut nodes = def;
    for edge in &plan.edges {
        let node = nodes.as_array_mut().unwrap().iter_mut().find(|n| n["name"] == *edge.node).unwrap();
        node["input"].as_array_mut().unwrap().push(format!("^{}", edge.after).into());
    }
    let changed = self::session(graph(nodes), 2);
    let feeds = [zeros(256, 256)];
    let (bound, measured) = both(&changed, &asked, &feeds);
    assert!(measured <= bound && bound <= limit, "{measured} {bound} {limit}");
    // Less memory than one branch takes is impossible.
    assert!(within(&session, &asked, device, host(&report).fixed_bytes(None) + 200_000).unwrap().is_none());
}

#[test]
fn sizes_that_are_not_known_are_named() {
    let session = session(graph(branches(1)), 1);
    let report = analyse(&session, &asked(&[("x", &[-1, 256])], &["sum"])).unwrap();
    let names: Vec<&str> = report.unknown.iter().map(|u| &*u.node).collect();
    assert_eq!(names, ["x", "wide0"], "{:?}", report.unknown);
}

#[test]
fn the_example_graphs_take_no_more_than_was_said() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../graphs/");
    let graph = read::file(std::path::Path::new(&format!("{folder}short.json")), &levada::registry()).unwrap();
    let session = session(graph, 2);
    let mut asked = Asked::default();
    asked.feeds.push(("x".to_owned(), PartialShape::from_signed(&[100, 4])));
    asked.fetches.push("class".to_owned());
    asked.complete(&session).unwrap();
    let feeds = [zeros(100, 4)];
    let (bound, measured) = both(&session, &asked, &feeds);
    assert!(measured <= bound && bound * 10 <= measured * 13, "{measured} {bound}");
}

/// A sum over the iterations of a loop, each of which computes a product independent of the others: `start`, and a hundred times
/// `x` transposed by itself.
fn sum_of_products() -> Value {
    let enter = |name: &str, input: &str, constant: bool| {
        let attr = json!({"frame_name": "loop", "is_constant": constant, "parallel_iterations": 32});
        json!({"name": name, "op": "Enter", "input": [input], "attr": attr})
    };
    let node = |name: &str, op: &str, input: &[&str]| json!({"name": name, "op": op, "input": input});
    let number =
        |name: &str, value: i32| json!({"name": name, "op": "Const", "attr": {"dtype": "int32", "value": value}});
    json!([
        placeholder("x"),
        placeholder("start"),
        number("zero", 0),
        number("one", 1),
        number("rounds", 100),
        enter("i", "zero", false),
        enter("sum", "start", false),
        enter("x_in", "x", true),
        enter("one_in", "one", true),
        enter("rounds_in", "rounds", true),
        node("i_now", "Merge", &["i", "i_next"]),
        node("sum_now", "Merge", &["sum", "sum_next"]),
        node("less", "Less", &["i_now", "rounds_in"]),
        node("goes_on", "LoopCond", &["less"]),
        node("i_switch", "Switch", &["i_now", "goes_on"]),
        node("sum_switch", "Switch", &["sum_now", "goes_on"]),
        {"name": "scale", "op": "Cast", "input": ["i_switch:1"], "attr": {"SrcT": "int32", "DstT": "float32"}},
        node("scaled", "Mul", &["x_in", "scale"]),
        {"name": "product", "op": "MatMul", "input": ["scaled", "x_in"], "attr": {"transpose_a": true}},
        node("added", "AddV2", &["sum_switch:1", "product"]),
        node("i_more", "AddV2", &["i_switch:1", "one_in"]),
        node("sum_next", "NextIteration", &["added"]),
        node("i_next", "NextIteration", &["i_more"]),
        node("y", "Exit", &["sum_switch"]),
    ])
}

#[test]
fn what_iterations_make_does_not_pile_up() {
    let size = 128;
    let matrix = 4 * (size * size) as u64;
    for threads in [1, 2, 4] {
        let session = session(graph(sum_of_products()), threads);
        let asked = asked(&[("x", &[size as i64, size as i64]), ("start", &[size as i64, size as i64])], &["y"]);
        let (bound, measured) = both(&session, &asked, &[zeros(size, size), zeros(size, size)]);
        assert!(measured <= bound, "{threads} threads: {measured} of {bound}");
        // Two matrices for each iteration that may be in flight and one more, the sum, and the feeds.
        let most = (2 * (threads as u64 + 2) + 5) * matrix * 5 / 4;
        assert!(bound <= most, "{threads} threads: {bound} of {most}");
    }
}

#[test]
fn factors_that_a_sum_keeps_are_within_the_bound() {
    for (threads, rows) in [(1, 16), (2, 16), (2, 60)] {
        let session = session(graph(sum_of_products()), threads);
        let asked = asked(&[("x", &[rows, 512]), ("start", &[512, 512])], &["y"]);
        let (bound, measured) = both(&session, &asked, &[zeros(rows as usize, 512), zeros(512, 512)]);
        assert!(measured <= bound, "{threads} threads: {measured} of {bound}");
        let (matrix, factors) = (4 * 512 * 512, 8 * rows as u64 * 512);
        // The feed, the product and the sum of each iteration that may be in flight, its factor, and those that are kept.
        let most = (1 + 2 * (threads as u64 + 2)) * matrix + (threads as u64 + 4) * factors + 8 * factors;
        assert!(bound <= most * 5 / 4, "{threads} threads: {bound} of {most}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn random_graphs_take_no_more_than_the_bound(dag in dags(40, 400), threads in 1usize..4) {
        let graph = read::json(dag.json().to_string().as_bytes(), &levada::registry()).unwrap();
        let session = session(graph, threads);
        let feeds: Vec<(String, Tensor)> = dag.feeds().into_iter().map(|(n, v)| (n, Tensor::vector(v))).collect();
        let asked = Asked {
            feeds: feeds.iter().map(|(n, t)| (n.clone(), t.shape().into())).collect(),
            fetches: dag.fetches(),
            targets: dag.targets(),
            threads,
        };
        let values: Vec<Tensor> = feeds.into_iter().map(|(_, t)| t).collect();
        let (bound, measured) = both(&session, &asked, &values);
        prop_assert!(measured <= bound, "{} {}", measured, bound);
    }
}
