//! Batched graphs return the same as running example by example, with a few changed copies of the inputs of a case: the
//! recorded cases of stateless ops, including functions, loops and conditionals, and the gradients of the recorded
//! gradient cases.

use levada::graph::spec::Role;
use levada::graph::{GraphDef, read};
use levada::replay::compare::compare;
use levada::replay::{Case, Expected, read_lines};
use levada::transform::{Batched, batch_for};
use levada::{AttrValue, Builder, Bytes, DType, Graph, PartialShape, Result, Session, SessionOptions, Shape, Tensor};
use levada_tests::recorded;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

const EXAMPLES: usize = 3;

/// A session on one device that all share.
fn session(graph: Graph) -> Session {
    static DEVICES: OnceLock<Vec<Arc<dyn levada::kernel::AnyDevice>>> = OnceLock::new();
    let options = SessionOptions { threads: 1, ..SessionOptions::default() };
    let devices = DEVICES.get_or_init(|| levada::devices(&options)).clone();
    Session::with_devices(graph, devices, options).unwrap()
}

/// Stacks tensors of one shape.
fn stacked(rows: &[Tensor]) -> Option<Tensor> {
    let shape = Shape::new([rows.len()].into_iter().chain(rows[0].shape().iter().copied())).ok()?;
    if rows[0].dtype() == DType::Str {
        let all = rows.iter().flat_map(|row| row.slice::<Bytes>().unwrap().to_vec()).collect::<Vec<Bytes>>();
        return Tensor::from_vec(shape, all).ok();
    }
    let mut all = Tensor::try_zeros(rows[0].dtype(), shape).ok()?;
    let bytes: Vec<u8> = rows.iter().map(|row| row.bytes()).collect::<Option<Vec<_>>>()?.concat();
    let place = all.bytes_mut()?;
    (place.len() == bytes.len()).then(|| place.copy_from_slice(&bytes))?;
    Some(all)
}

/// Another example like this one: scaled if it holds floats, else with permuted elements.
fn changed(tensor: &Tensor, i: usize) -> Option<Tensor> {
    let shape = tensor.shape().clone();
    match tensor.dtype() {
        DType::F32 => {
            let scale = 1.0 + i as f32 / 16.0;
            Tensor::from_vec(shape, tensor.slice::<f32>().ok()?.iter().map(|x| x * scale).collect::<Vec<_>>()).ok()
        }
        DType::F64 => {
            let scale = 1.0 + i as f64 / 16.0;
            Tensor::from_vec(shape, tensor.slice::<f64>().ok()?.iter().map(|x| x * scale).collect::<Vec<_>>()).ok()
        }
        DType::Str => {
            let mut all = tensor.slice::<Bytes>().ok()?.to_vec();
            let len = all.len().max(1);
            all.rotate_left(i % len);
            Tensor::from_vec(shape, all).ok()
        }
        dtype => {
            let mut out = Tensor::try_zeros(dtype, shape).ok()?;
            let mut bytes = tensor.bytes()?.to_vec();
            let elements = tensor.shape().num_elements().max(1);
            let size = bytes.len() / elements;
            (size > 0 && size * elements == bytes.len()).then_some(())?;
            bytes.rotate_left(i % elements * size);
            out.bytes_mut()?.copy_from_slice(&bytes);
            Some(out)
        }
    }
}

/// The statistics of the test.
#[derive(Default)]
struct Found {
    compared: usize,
    /// Number of batched graphs that were differentiated.
    with_gradients: usize,
    of_different_shapes: usize,
    /// Number of comparisons in which an op ran example by example.
    by_example: BTreeMap<String, usize>,
    refused: BTreeMap<String, BTreeSet<String>>,
    wrong: Vec<String>,
    ops: BTreeSet<String>,
}

/// The graph, with the shapes of the feeds.
fn with_shapes(def: &GraphDef, feeds: &[(String, Tensor)]) -> GraphDef {
    let mut def = def.clone();
    for (name, value) in feeds {
        let name = name.strip_suffix(":0").unwrap_or(name);
        if let Some(node) = def.nodes.iter_mut().find(|n| n.name == name && n.op == "Placeholder") {
            node.attrs.set("shape", AttrValue::Shape(PartialShape::from(value.shape())));
        }
    }
    def
}

/// The constants of a graph as inputs.
fn constants(graph: &Graph) -> Vec<(String, Tensor)> {
    let value =
        |(_, node): (_, &levada::graph::graph::Node)| Some((node.name.to_string(), node.op.constant()?.clone()));
    graph.nodes().filter_map(value).take(4).collect()
}

/// The values that must be the same for all examples.
struct Comparison<'a> {
    title: &'a str,
    graph: Graph,
    feeds: Vec<(String, Tensor)>,
    fetches: Vec<&'a str>,
    rtol: f64,
    atol: f64,
}

fn compare_case(case: &Case, found: &Mutex<Found>) -> Option<()> {
    let step = case.steps.first().filter(|_| case.steps.len() == 1 && case.schedule.is_none())?;
    if !matches!(step.expected, Expected::Tensors(_)) {
        return None;
    }
    let comparison = Comparison {
        title: &case.name,
        graph: read::json(case.graph.as_bytes(), &levada::registry()).ok()?,
        feeds: step.run.feeds.clone(),
        fetches: step.run.fetches.iter().map(String::as_str).collect(),
        rtol: case.rtol,
        atol: case.atol,
    };
    compare_graph(comparison, found)
}

fn compare_graph(comparison: Comparison<'_>, found: &Mutex<Found>) -> Option<()> {
    let Comparison { title, graph, feeds, fetches, rtol, atol } = comparison;
    let registry = levada::registry();
    // Random numbers in functions differ in each run.
    let in_functions = graph.library.functions.iter().flat_map(|function| &function.nodes);
    let mut specs = in_functions.filter_map(|node| Some(registry.get(&node.op)?.spec));
    let has_state = graph.nodes().any(|(_, node)| node.op.is_stateful())
        || specs.any(|spec| spec.stateful && spec.role != Role::Call);
    if fetches.is_empty() || has_state || graph.unsupported().is_some() {
        return None;
    }
    let mut inputs: Vec<(String, Tensor)> = feeds.clone();
    if inputs.is_empty() {
        inputs = constants(&graph);
    }
    if inputs.is_empty() {
        return None;
    }
    let def = with_shapes(&graph.to_def(), &feeds);
    let known = Graph::from_def(def, &registry).ok()?;
    let single = session(graph.clone());
    let mut choices: Vec<Vec<usize>> = vec![(0..inputs.len()).collect()];
    if (2..=4).contains(&inputs.len()) {
        choices.extend((0..inputs.len()).map(|i| vec![i]));
    }
    for choice in choices {
        // The examples: changed inputs if they can be run, else the original ones.
        let mut runs: Vec<(Vec<Tensor>, Vec<Tensor>)> = Vec::new();
        for i in 0..EXAMPLES {
            let run = |values: Vec<Tensor>| -> Option<(Vec<Tensor>, Vec<Tensor>)> {
                let mut all: Vec<(&str, Tensor)> = feeds.iter().map(|(n, t)| (n.as_str(), t.clone())).collect();
                for (&input, value) in choice.iter().zip(&values) {
                    let name = inputs[input].0.as_str();
                    all.retain(|(other, _)| *other != name);
                    all.push((name, value.clone()));
                }
                let results = single.run(&all, &fetches, &[]).ok()?;
                Some((values, results))
            };
            let other = choice.iter().map(|&input| changed(&inputs[input].1, i)).collect::<Option<Vec<_>>>();
            let same = || run(choice.iter().map(|&input| inputs[input].1.clone()).collect());
            runs.push(other.and_then(run).or_else(same)?);
        }
        let of_one_shape = |j: usize| {
            let of = |run: &(Vec<Tensor>, Vec<Tensor>)| (run.1[j].dtype(), run.1[j].shape().clone());
            runs.iter().all(|run| of(run) == of(&runs[0]))
                && !matches!(runs[0].1[j].dtype(), DType::Variant | DType::Resource)
        };
        let wanted: Vec<usize> = (0..fetches.len()).filter(|&j| of_one_shape(j)).collect();
        let names: Vec<&str> = choice.iter().map(|&input| inputs[input].0.as_str()).collect();
        let rows: Option<Vec<Tensor>> =
            (0..choice.len()).map(|c| stacked(&runs.iter().map(|run| run.0[c].clone()).collect::<Vec<_>>())).collect();
        let (Some(rows), false) = (rows, wanted.is_empty()) else { continue };
        let title = format!("{title} by {names:?}");
        let outputs: Vec<&str> = wanted.iter().map(|&j| fetches[j]).collect();
        for graph in [&known, &graph] {
            let batched = match batch_for(graph, &names, &outputs) {
                Ok(batched) => batched,
                Err(error) => {
                    let op = error.fault().op.clone().unwrap_or_default();
                    let mut found = found.lock().unwrap();
                    if error.code() == levada::Code::Unimplemented {
                        found.refused.entry(op).or_default().insert(error.to_string());
                    } else {
                        found.wrong.push(format!("{title}: {error}"));
                    }
                    continue;
                }
            };
            let result = run_batched(&batched, &names, &rows, &feeds, &outputs);
            let mut found = found.lock().unwrap();
            found.compared += 1;
            found.ops.extend(graph.nodes().map(|(_, node)| node.op_name().to_owned()));
            for (_, op) in &batched.one_by_one {
                *found.by_example.entry(op.clone()).or_default() += 1;
            }
            let result = match result {
                Ok(result) => result,
                // For instance rows of a sparse tensor, whose parts have different shapes.
                Err(error) if error.to_string().contains("are of different shapes") => {
                    found.of_different_shapes += 1;
                    continue;
                }
                Err(error) => {
                    found.wrong.push(format!("{title}: the batched graph fails: {error}"));
                    continue;
                }
            };
            for (o, &j) in wanted.iter().enumerate() {
                for (i, run) in runs.iter().enumerate() {
                    let row = if batched.varies(fetches[j]) { result[o].row(i) } else { Ok(result[o].clone()) };
                    let rtol = match run.1[j].dtype() {
                        DType::F16 | DType::BF16 => 2e-2,
                        _ => rtol.max(1e-4),
                    };
                    let difference = row.map_or_else(
                        |error| Some(error.to_string()),
                        |row| compare(&row, &run.1[j], rtol, atol.max(1e-5)),
                    );
                    if let Some(difference) = difference {
                        found.wrong.push(format!("{title}: {} of example {i}: {difference}", fetches[j]));
                    }
                }
            }
        }
    }
    Some(())
}

fn run_batched(
    batched: &Batched,
    names: &[&str],
    rows: &[Tensor],
    feeds: &[(String, Tensor)],
    outputs: &[&str],
) -> Result<Vec<Tensor>> {
    let mut all: Vec<(&str, Tensor)> = names.iter().copied().zip(rows.iter().cloned()).collect();
    let rest = feeds.iter().filter(|(name, _)| !names.contains(&name.as_str()));
    let there = |name: &str| batched.graph.find(name.strip_suffix(":0").unwrap_or(name)).is_some();
    all.extend(rest.filter(|(name, _)| there(name)).map(|(name, value)| (name.as_str(), value.clone())));
    session(batched.graph.clone()).run(&all, outputs, &[])
}

/// Why a node may be refused: a branch of version 1 is taken for all examples or for none.
const REFUSED: &str = "of version 1 differs between examples";

/// Calls, loops and conditionals that recorded cases batch.
const CONTROL: &[&str] = &[
    "Enter",
    "Exit",
    "Merge",
    "NextIteration",
    "PartitionedCall",
    "StatelessCase",
    "StatelessIf",
    "StatelessWhile",
    "Switch",
];

/// Calls `compare` with each item, on all processors.
fn for_each<T: Sync>(items: &[T], compare: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    compare(item);
                }
            });
        }
    });
}

impl Found {
    /// Prints the statistics, and fails if a batched graph returned other values.
    fn check(&self) {
        println!("{} comparisons, {} ops", self.compared, self.ops.len());
        println!("{} with results of different shapes", self.of_different_shapes);
        println!("example by example ({}): {:?}", self.by_example.len(), self.by_example);
        println!("refused ({}): {:#?}", self.refused.len(), self.refused);
        let refused: Vec<&String> = self.refused.values().flatten().filter(|why| !why.contains(REFUSED)).collect();
        assert!(self.wrong.is_empty(), "{} of {}\n{}", self.wrong.len(), self.compared, self.wrong.join("\n"));
        assert!(refused.is_empty(), "cannot be batched: {refused:#?}");
    }
}

#[test]
fn recorded_cases_give_the_same_batched_as_one_by_one() {
    let filter = std::env::var("FILTER").unwrap_or_default();
    let files = [recorded("golden", ".jsonl"), recorded("conformance", ".jsonl.gz")].concat();
    let lines: Vec<String> = files.iter().flat_map(|file| read_lines(file).unwrap()).collect();
    let found = Mutex::new(Found::default());
    for_each(&lines, |line| {
        if let Ok(case) = Case::parse(line)
            && case.name.contains(&filter)
        {
            compare_case(&case, &found);
        }
    });
    let found = found.into_inner().unwrap();
    found.check();
    if filter.is_empty() {
        let missing: Vec<&&str> = CONTROL.iter().filter(|op| !found.ops.contains(**op)).collect();
        assert!(missing.is_empty(), "no case batches {missing:?}");
    }
}

/// The gradients of one example's graph, for a batch of examples.
fn compare_gradients(case: &Value, found: &Mutex<Found>) -> Option<()> {
    let texts =
        |key: &str| -> Vec<&str> { case[key].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect() };
    let graph = read::json(&serde_json::to_vec(&case["graph"]).unwrap(), &levada::registry()).ok()?;
    let mut b = Builder::on(graph, levada::registry());
    let [ys, xs] = ["ys", "xs"].map(|key| texts(key).iter().map(|n| b.find(n).unwrap()).collect::<Vec<_>>());
    let gradients = b.gradients(&ys, &xs).ok()?;
    let fetches: Vec<String> = gradients.iter().flatten().map(|&gradient| b.name(gradient)).collect();
    let feeds = case["feeds"].as_object().unwrap().iter();
    let comparison = Comparison {
        title: case["name"].as_str().unwrap(),
        feeds: feeds.map(|(name, value)| (name.clone(), read::tensor_from_json(value).unwrap())).collect(),
        fetches: fetches.iter().map(String::as_str).collect(),
        graph: b.finish().unwrap(),
        rtol: 1e-3,
        atol: 1e-4,
    };
    compare_graph(comparison, found)
}

#[test]
fn gradients_of_each_example_are_those_of_one_by_one() {
    let filter = std::env::var("FILTER").unwrap_or_default();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("gradients/cases.jsonl.gz");
    let lines: Vec<String> = read_lines(&file).unwrap();
    let found = Mutex::new(Found::default());
    for_each(&lines, |line| {
        let case: Value = serde_json::from_str(line).unwrap();
        if case["name"].as_str().unwrap().contains(&filter) {
            compare_gradients(&case, &found);
        }
    });
    let found = found.into_inner().unwrap();
    found.check();
    assert!(found.compared > 0 || !filter.is_empty(), "no gradient was batched");
}

/// The graph of one example, batched and then differentiated: each row of the gradient is the gradient of one example.
fn compare_gradients_of_batches(case: &Value, found: &Mutex<Found>) -> Option<()> {
    let texts = |key: &str| -> Vec<String> {
        case[key].as_array().unwrap().iter().map(|v| v.as_str().unwrap().to_owned()).collect()
    };
    let (title, ys, xs) = (case["name"].as_str().unwrap(), texts("ys"), texts("xs"));
    let registry = levada::registry();
    let graph = read::json(&serde_json::to_vec(&case["graph"]).unwrap(), &registry).ok()?;
    let in_functions = graph.library.functions.iter().flat_map(|function| &function.nodes);
    let mut specs = in_functions.filter_map(|node| Some(registry.get(&node.op)?.spec));
    if graph.nodes().any(|(_, node)| node.op.is_stateful()) || specs.any(|s| s.stateful && s.role != Role::Call) {
        return None;
    }
    let feeds: Vec<(String, Tensor)> = case["feeds"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, value)| (name.clone(), read::tensor_from_json(value).unwrap()))
        .collect();
    let fed = |name: &String| feeds.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone());
    let values: Vec<Tensor> = xs.iter().map(fed).collect::<Option<_>>()?;
    let rest: Vec<(&str, Tensor)> =
        feeds.iter().filter(|(name, _)| !xs.contains(name)).map(|(n, v)| (n.as_str(), v.clone())).collect();
    let differentiated = |graph: Graph| -> Result<(Graph, Vec<String>)> {
        let mut b = Builder::on(graph, levada::registry());
        let [ys, xs] = [&ys, &xs].map(|all| all.iter().map(|name| b.find(name)).collect::<Result<Vec<_>>>());
        let gradients = b.gradients(&ys?, &xs?)?;
        let names = gradients.into_iter().map(|g| g.map(|g| b.name(g)));
        let names = names.collect::<Option<Vec<_>>>().ok_or_else(|| levada::Error::invalid("no gradient"))?;
        Ok((b.finish()?, names))
    };
    let (one, gradients) = differentiated(graph.clone()).ok()?;
    let one = session(one);
    let fetches: Vec<&str> = gradients.iter().map(String::as_str).collect();
    let mut runs: Vec<(Vec<Tensor>, Vec<Tensor>)> = Vec::new();
    for i in 0..EXAMPLES {
        let example = values.iter().map(|value| changed(value, i)).collect::<Option<Vec<_>>>()?;
        let all: Vec<_> = xs.iter().map(String::as_str).zip(example.iter().cloned()).chain(rest.clone()).collect();
        runs.push((example, one.run(&all, &fetches, &[]).ok()?));
    }
    let known = Graph::from_def(with_shapes(&graph.to_def(), &feeds), &registry).ok()?;
    let names: Vec<&str> = xs.iter().map(String::as_str).collect();
    let outputs: Vec<&str> = ys.iter().map(String::as_str).collect();
    let Ok(batched) = batch_for(&known, &names, &outputs) else { return None };
    let rows = (0..xs.len()).map(|x| stacked(&runs.iter().map(|run| run.0[x].clone()).collect::<Vec<_>>()));
    let rows = rows.collect::<Option<Vec<_>>>()?;
    let by_example: BTreeSet<&String> = batched.one_by_one.iter().map(|(_, op)| op).collect();
    // Gradients of per-example lists are not added up.
    if by_example.iter().any(|op| op.starts_with("TensorList") || op.starts_with("TensorMap")) {
        return None;
    }
    let result = differentiated(batched.graph.clone()).and_then(|(graph, gradients)| {
        let there = |name: &str| graph.find(name.strip_suffix(":0").unwrap_or(name)).is_some();
        let rest = rest.iter().filter(|(name, _)| there(name)).cloned();
        let all: Vec<_> = names.iter().copied().zip(rows.iter().cloned()).chain(rest).collect();
        session(graph).run(&all, &gradients.iter().map(String::as_str).collect::<Vec<_>>(), &[])
    });
    let mut found = found.lock().unwrap();
    found.compared += 1;
    by_example.iter().for_each(|op| *found.by_example.entry((*op).clone()).or_default() += 1);
    let result = match result {
        Ok(result) => result,
        // In the function of an op that runs example by example, shapes are unknown.
        Err(error) if error.code() == levada::Code::Unimplemented => {
            println!("{title}, by example {by_example:?}: {error}");
            return None;
        }
        Err(error) => {
            found.wrong.push(format!("{title}, by example {by_example:?}: {error}"));
            return None;
        }
    };
    found.with_gradients += 1;
    for (x, gradient) in result.iter().enumerate() {
        for (i, run) in runs.iter().enumerate() {
            let difference =
                gradient.row(i).map_or_else(|e| Some(e.to_string()), |row| compare(&row, &run.1[x], 1e-3, 1e-4));
            if let Some(difference) = difference {
                found
                    .wrong
                    .push(format!("{title}: gradient {x} of example {i}, by example {by_example:?}: {difference}"));
            }
        }
    }
    Some(())
}

#[test]
fn gradients_of_batches_have_those_of_each_example_as_rows() {
    let filter = std::env::var("FILTER").unwrap_or_default();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("gradients/cases.jsonl.gz");
    let lines: Vec<String> = read_lines(&file).unwrap();
    let found = Mutex::new(Found::default());
    for_each(&lines, |line| {
        let case: Value = serde_json::from_str(line).unwrap();
        if case["name"].as_str().unwrap().contains(&filter) {
            compare_gradients_of_batches(&case, &found);
        }
    });
    let found = found.into_inner().unwrap();
    found.check();
    println!("{} of {} were differentiated", found.with_gradients, found.compared);
    let most = found.with_gradients * 50 >= found.compared * 49;
    assert!(most && !found.by_example.is_empty() || !filter.is_empty(), "batches that cannot be differentiated");
}
