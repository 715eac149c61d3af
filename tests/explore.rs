//! Planted races are found by running other orders, and graphs without races return the same in all of them;
//! `explore/graphs.py` made them.

use flate2::read::GzDecoder;
use levada::explore::{Place, Report, Request, explore};
use levada::graph::read;
use levada::{Session, Shape, Tensor};
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::time::Duration;

fn names(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(|name| name.as_str().unwrap().to_owned()).collect()
}

/// A scalar, or a matrix.
fn tensor(value: &Value) -> Tensor {
    let Some(rows) = value.as_array() else { return Tensor::scalar(value.as_f64().unwrap() as f32) };
    let all: Vec<f32> =
        rows.iter().flat_map(|row| row.as_array().unwrap()).map(|v| v.as_f64().unwrap() as f32).collect();
    Tensor::from_vec(Shape::new([rows.len(), all.len() / rows.len()]).unwrap(), all).unwrap()
}

fn explored(case: &Value, orders: usize) -> Report {
    let registry = levada::registry();
    let graph = read::json(case["graph"].to_string().as_bytes(), &registry).unwrap();
    let feeds = case["feeds"].as_object().unwrap().iter().map(|(name, value)| (name.clone(), tensor(value)));
    let request = Request {
        feeds: feeds.collect(),
        fetches: names(&case["fetches"]),
        targets: names(&case["targets"]),
        init: case["init"].as_str().map(str::to_owned).into_iter().collect(),
        init_feeds: Vec::new(),
        orders,
        seed: 1,
        timeout: Some(Duration::from_secs(20)),
    };
    let open = |graph, options| Session::new(graph, options).map(|session| (*session).clone());
    let report = explore(graph, &registry, &request, &open);
    report.unwrap_or_else(|error| panic!("{}: {error}", case["name"]))
}

fn cases() -> Vec<Value> {
    let file = File::open(concat!(env!("CARGO_MANIFEST_DIR"), "/explore/graphs.jsonl.gz")).unwrap();
    BufReader::new(GzDecoder::new(file)).lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect()
}

#[test]
fn planted_races_are_found_and_nothing_else_is() {
    let (mut faults, mut races, mut clean) = (Vec::new(), 0, 0);
    for case in cases() {
        let report = explored(&case, 40);
        let name = &case["name"];
        if !report.unsteady.is_empty() {
            faults.push(format!("{name}: {:?} differ in equal runs", report.unsteady));
        }
        match (case["race"] == true, report.differences.as_slice()) {
            (true, []) => faults.push(format!("{name}: nothing in {} orders", report.orders)),
            (true, found) => {
                races += 1;
                let all = |found: &levada::explore::Difference| {
                    !found.changes.is_empty() && found.usual != found.other && found.pair.is_some()
                };
                if !found.iter().any(all) {
                    faults.push(format!("{name}: no pair, or the orders are the same: {found:?}"));
                }
            }
            (false, []) => clean += 1,
            (false, found) => faults.push(format!("{name}: {found:?}")),
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(races >= 33 && clean >= 35, "{races} races, {clean} clean");
}

#[test]
fn the_report_says_what_differs_and_where_that_begins() {
    let cases = cases();
    let of = |name: &str| explored(cases.iter().find(|case| case["name"] == name).unwrap(), 100);
    let read = of("read_beside_update_resource");
    let difference = &read.differences[0];
    assert_eq!(difference.changes.iter().map(|c| c.place.clone()).collect::<Vec<_>>(), [Place::Fetch("y".to_owned())]);
    assert!(read.is_complete && difference.first.as_ref().unwrap().node.ends_with("ReadVariableOp"), "{read:?}");
    let queue = of("two_enqueues");
    let place = Place::Queue("fifo_queue".to_owned());
    assert!(queue.differences.iter().any(|d| d.changes.iter().any(|c| c.place == place)), "{queue:?}");
    assert!(of("two_enqueues_in_order").is_complete);
}
