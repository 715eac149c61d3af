//! Quantization after training, of networks that TensorFlow ran in floats: `quantization/nets.py`.

use levada::graph::{read, write};
use levada::replay::{Case, Expected, read_lines};
use levada::transform::quantize::Report;
use levada::transform::{Feeds, Options, Quantized, Ranges, quantize};
use levada::{Code, DType, Graph, Result, Session, SessionOptions, Tensor};
use std::path::Path;

fn case(name: &str) -> Case {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("quantization/nets.jsonl");
    let cases = read_lines(&file).unwrap().into_iter().map(|line| Case::parse(&line).unwrap());
    cases.into_iter().find(|case| case.name == name).unwrap()
}

fn graph(case: &Case) -> Graph {
    read::Options::default().bytes(case.graph.as_bytes(), &levada::registry()).unwrap()
}

fn feeds(case: &Case) -> Vec<Feeds> {
    case.steps.iter().map(|step| step.run.feeds.clone()).collect()
}

fn fetches(case: &Case) -> Vec<&str> {
    case.steps[0].run.fetches.iter().map(String::as_str).collect()
}

fn options(threads: usize) -> SessionOptions {
    SessionOptions { threads, ..SessionOptions::default() }
}

fn quantized(case: &Case, options: &Options) -> Result<Quantized> {
    quantize(&graph(case), &feeds(case), &fetches(case), options, &levada::opener(self::options(2)))
}

fn run(graph: Graph, threads: usize, case: &Case) -> Vec<Vec<Tensor>> {
    let session = Session::new(graph, options(threads)).unwrap();
    let run = |feeds: Feeds| {
        let feeds: Vec<(&str, Tensor)> = feeds.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
        session.run(&feeds, &fetches(case), &[]).unwrap()
    };
    feeds(case).into_iter().map(run).collect()
}

fn built(quantized: &Quantized) -> Graph {
    Graph::from_def(quantized.def.clone(), &levada::registry()).unwrap()
}

/// Signal-to-error ratio in decibels, relative to TensorFlow's results in floats.
fn sqnr(case: &Case, fetch: usize, found: &[Vec<Tensor>]) -> f64 {
    let (mut power, mut noise) = (0.0, 0.0);
    for (step, found) in case.steps.iter().zip(found) {
        let Expected::Tensors(expected) = &step.expected else { panic!("a recorded net does not fail") };
        let expected = expected[fetch].as_ref().unwrap();
        assert_eq!(expected.shape(), found[fetch].shape());
        for (e, f) in expected.slice::<f32>().unwrap().iter().zip(found[fetch].slice::<f32>().unwrap()) {
            power += f64::from(*e).powi(2);
            noise += f64::from(e - f).powi(2);
        }
    }
    10.0 * (power / noise).log10()
}

fn count(quantized: &Quantized, op: &str) -> usize {
    quantized.def.nodes.iter().filter(|node| node.op == op).count()
}

#[test]
fn quantized_nets_are_close_to_tensorflows() {
    let all = [Ranges::MinMax, Ranges::Percentile(99.99), Ranges::LeastSquares];
    for (name, least) in [("residual", 25.0), ("mobile", 20.0), ("rows", 30.0), ("mixed", 25.0)] {
        let case = case(name);
        for ranges in all {
            let quantized = quantized(&case, &Options { ranges, ..Options::default() }).unwrap();
            let found = run(built(&quantized), 2, &case);
            for (i, fetch) in fetches(&case).iter().enumerate() {
                if found[0][i].dtype() != DType::F32 {
                    continue;
                }
                let sqnr = sqnr(&case, i, &found);
                // Values clamped to a range have large errors.
                let least = if ranges == Ranges::MinMax { least } else { least / 2.0 };
                assert!(sqnr > least, "{name} {ranges:?} {fetch}: {sqnr:.1} dB");
                let reported = quantized.report.fetches[i].loss.unwrap().sqnr_db;
                assert!((reported - sqnr).abs() < 0.1, "{name} {fetch}: {sqnr:.2} dB, reported {reported:.2}");
            }
        }
    }
}

#[test]
fn results_do_not_depend_on_threads_or_files() {
    for name in ["residual", "mobile", "rows", "mixed"] {
        let case = case(name);
        let quantized = quantized(&case, &Options::default()).unwrap();
        let expected = run(built(&quantized), 1, &case);
        let bytes = [write::pb(&quantized.def).unwrap(), write::json(&quantized.def).unwrap().into_bytes()];
        for bytes in bytes {
            let graph = read::Options { strict: true }.bytes(&bytes, &levada::registry()).unwrap();
            for (found, expected) in run(graph, 3, &case).iter().flatten().zip(expected.iter().flatten()) {
                assert_eq!(found.bytes(), expected.bytes(), "{name}");
            }
        }
    }
}

#[test]
fn codes_stay_codes_between_layers() {
    let residual = quantized(&case("residual"), &Options::default()).unwrap();
    assert_eq!(count(&residual, "LevadaQuantizedConv2D"), 6);
    assert_eq!(count(&residual, "LevadaQuantizedMatMul"), 1);
    assert_eq!(count(&residual, "QuantizedMaxPool"), 1);
    // The images, and the means before the product.
    assert_eq!(count(&residual, "QuantizeV2"), 2);
    // The means are computed in floats, which the last layer returns.
    assert_eq!(count(&residual, "Dequantize"), 0);
    for op in ["Conv2D", "BiasAdd", "FusedBatchNormV3", "Relu", "AddV2", "Pad", "MatMul"] {
        assert_eq!(count(&residual, op), 0, "{op}");
    }
    let with_codes = |q: &Quantized| q.report.layers.iter().filter(|layer| layer.gives_codes).count();
    assert_eq!(with_codes(&residual), 5);
    let mobile = quantized(&case("mobile"), &Options::default()).unwrap();
    assert_eq!(count(&mobile, "LevadaQuantizedDepthwiseConv2D"), 2);
    assert_eq!(count(&mobile, "LevadaQuantizedConv2D"), 6);
    assert_eq!(count(&mobile, "LevadaQuantizedMatMul"), 2);
    let rows = quantized(&case("rows"), &Options::default()).unwrap();
    assert_eq!(count(&rows, "LevadaQuantizedMatMul"), 3);
    // Codes are transposed and reshaped.
    assert_eq!((count(&rows, "QuantizeV2"), count(&rows, "Dequantize")), (1, 0));
    // A control dependency on constants does not keep them.
    assert!(rows.def.nodes.iter().all(|node| node.name != "weights"));
    assert_eq!((count(&rows, "Mul"), count(&rows, "Sub"), count(&rows, "AddV2")), (0, 0, 0));
}

fn reasons(report: &Report) -> Vec<(&str, &str)> {
    report.left.iter().map(|left| (left.node.as_str(), left.reason.as_str())).collect()
}

#[test]
fn what_is_left_in_floats_is_said() {
    let quantized = quantized(&case("mixed"), &Options::default()).unwrap();
    let reasons = reasons(&quantized.report);
    let layers: Vec<&str> = quantized.report.layers.iter().map(|layer| layer.node.as_str()).collect();
    assert_eq!(layers, ["first"], "{reasons:?}");
    for (node, reason) in [
        ("cond/within", "it is in or after a branch or a loop of version 1"),
        ("wide", "it does not compute in float32"),
        ("left", "its weights are not constant"),
        ("both", "its weights are not constant"),
    ] {
        assert!(reasons.contains(&(node, reason)), "{node} is not in {reasons:?}");
    }
}

#[test]
fn layers_may_stay_in_floats() {
    let case = case("residual");
    let keep = vec!["wide".to_owned(), "product".to_owned()];
    let quantized = quantized(&case, &Options { keep, ..Options::default() }).unwrap();
    assert_eq!(count(&quantized, "LevadaQuantizedConv2D"), 5);
    assert_eq!((count(&quantized, "Conv2D"), count(&quantized, "MatMul")), (1, 1));
    assert_eq!(
        reasons(&quantized.report),
        [("wide", "it is kept in floats on request"), ("product", "it is kept in floats on request")]
    );
    assert!(sqnr(&case, 0, &run(built(&quantized), 2, &case)) > 25.0);
}

#[test]
fn what_cannot_be_done_is_refused() {
    let case = case("rows");
    let (graph, feeds) = (graph(&case), feeds(&case));
    let open = levada::opener(options(1));
    let fails = |calibration: &[Feeds], fetches: &[&str], options: &Options| {
        quantize(&graph, calibration, fetches, options, &open).unwrap_err()
    };
    let with = |ranges| Options { ranges, ..Options::default() };
    let fetch = fetches(&case);
    assert!(fails(&[], &fetch, &Options::default()).message().contains("no feeds"));
    for percent in [f64::NAN, 50.0, 100.1] {
        assert!(fails(&feeds, &fetch, &with(Ranges::Percentile(percent))).message().contains("percentile"));
    }
    assert_eq!(fails(&feeds, &["nowhere"], &Options::default()).code(), Code::NotFound);
    let keep = |names: &[&str]| Options { keep: names.iter().map(|&n| n.to_owned()).collect(), ..Options::default() };
    assert_eq!(fails(&feeds, &fetch, &keep(&["nowhere"])).code(), Code::NotFound);
    let none = fails(&feeds, &fetch, &keep(&["first", "second", "third"]));
    assert!(
        none.message().contains("no layer") && none.to_string().contains("it is kept in floats on request"),
        "{none}"
    );
    let mut wrong = feeds.clone();
    wrong[1][0].1.slice_mut::<f32>().unwrap()[3] = f32::NAN;
    assert!(fails(&wrong, &fetch, &Options::default()).message().contains("not finite"));
    let unknown = vec![vec![("nowhere".to_owned(), Tensor::scalar(1f32))]];
    assert_eq!(fails(&unknown, &fetch, &Options::default()).code(), Code::NotFound);
}
