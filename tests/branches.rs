//! Batches of examples that take different branches and recurse to different depths: the values are those of running
//! one by one, and nothing runs example by example.

use levada::graph::read;
use levada::transform::{Batched, batch_for};
use levada::{DType, Error, Graph, Session, SessionOptions, Shape, Tensor};
use serde_json::{Value, json};
use std::path::Path;
use trees::Forest;

#[allow(dead_code)]
#[path = "../crates/levada/examples/trees_in_batches.rs"]
mod trees;

fn session(graph: &Graph) -> Session {
    Session::new(graph.clone(), SessionOptions { threads: 2, ..SessionOptions::default() }).unwrap()
}

fn graph(value: &Value) -> Graph {
    read::json(value.to_string().as_bytes(), &levada::registry()).unwrap_or_else(|e| panic!("{e}"))
}

fn scalar(name: &str, value: i32) -> Value {
    json!({"name": name, "op": "Const", "attr": {"dtype": {"type": "DT_INT32"},
        "value": {"tensor": {"dtype": "DT_INT32", "tensorShape": {}, "intVal": [value]}}}})
}

fn node(op: &str, name: &str, inputs: &[&str]) -> Value {
    json!({"name": name, "op": op, "input": inputs, "attr": {"T": {"type": "DT_INT32"}}})
}

fn types(count: usize) -> Value {
    json!({"list": {"type": vec!["DT_INT32"; count]}})
}

fn call(name: &str, function: &str, input: &str) -> Value {
    json!({"name": name, "op": "PartitionedCall", "input": [input],
        "attr": {"Tin": types(1), "Tout": types(1), "f": {"func": {"name": function}}}})
}

fn branch(name: &str, condition: &str, [then, other]: [&str; 2]) -> Value {
    json!({"name": name, "op": "StatelessIf", "input": [condition, "n"], "attr": {
        "Tcond": {"type": "DT_BOOL"}, "Tin": types(1), "Tout": types(1),
        "then_branch": {"func": {"name": then}}, "else_branch": {"func": {"name": other}}}})
}

/// A function of one int32.
fn function(name: &str, nodes: &[Value], result: &str) -> Value {
    json!({
        "signature": {"name": name, "inputArg": [{"name": "n", "type": "DT_INT32"}], "outputArg": [{"name": "r", "type": "DT_INT32"}]},
        "nodeDef": nodes, "ret": {"r": result}})
}

/// The graph `y = f(n)`.
fn calling(f: &str, functions: &[Value]) -> Graph {
    let input =
        json!({"name": "n", "op": "Placeholder", "attr": {"dtype": {"type": "DT_INT32"}, "shape": {"shape": {}}}});
    graph(&json!({"node": [input, call("y", f, "n")], "library": {"function": functions}}))
}

/// Batches `y` over `n`, where no node may run example by example, and compares with runs of single examples.
fn check(graph: &Graph, examples: &[i32]) -> Batched {
    let batched = batch_for(graph, &["n"], &["y"]).unwrap();
    assert_eq!(batched.one_by_one, []);
    let single = session(graph);
    let one = |&n: &i32| single.run(&[("n", Tensor::scalar(n))], &["y"], &[]).unwrap()[0].item::<i32>().unwrap();
    let expected: Vec<i32> = examples.iter().map(one).collect();
    let all = session(&batched.graph).run(&[("n", Tensor::vector(examples.to_vec()))], &["y"], &[]).unwrap();
    assert_eq!(all[0].slice::<i32>().unwrap(), expected);
    batched
}

/// `fib(n)`: two recursive calls, which become one.
fn fibonacci() -> Graph {
    let two = [
        scalar("two", 2),
        node("Less", "small", &["n", "two:output:0"]),
        branch("choice", "small:z:0", ["base", "step"]),
    ];
    let step = [
        scalar("one", 1),
        scalar("two", 2),
        node("Sub", "a", &["n", "one:output:0"]),
        node("Sub", "b", &["n", "two:output:0"]),
        call("fa", "fib", "a:z:0"),
        call("fb", "fib", "b:z:0"),
        node("AddV2", "sum", &["fa:output:0", "fb:output:0"]),
    ];
    let functions =
        [function("fib", &two, "choice:output:0"), function("base", &[], "n"), function("step", &step, "sum:z:0")];
    calling("fib", &functions)
}

#[test]
fn recursions_of_different_depths_run_level_by_level() {
    let batched = check(&fibonacci(), &[0, 7, 1, 12, 3, 12, 2]);
    let step = batched.graph.library.functions.iter().find(|f| f.signature.name.starts_with("step_batched")).unwrap();
    let calls = step.nodes.iter().filter(|node| node.op == "PartitionedCall").count();
    assert_eq!(calls, 1, "both calls of fib are one");
    check(&fibonacci(), &[1, 0, 1]);
    check(&fibonacci(), &[9]);
    check(&fibonacci(), &[]);
}

#[test]
fn a_case_parts_the_examples_by_branch() {
    let case = json!({"name": "choice", "op": "StatelessCase", "input": ["n", "n"], "attr": {
        "Tin": types(1), "Tout": types(1),
        "branches": {"list": {"func": [{"name": "twice"}, {"name": "seven"}, {"name": "same"}]}}}});
    let functions = [
        function("pick", &[case], "choice:output:0"),
        function("twice", &[node("AddV2", "sum", &["n", "n"])], "sum:z:0"),
        function("seven", &[scalar("seven", 7)], "seven:output:0"),
        function("same", &[], "n"),
    ];
    let graph = calling("pick", &functions);
    check(&graph, &[0, 1, 2, 3, -1, 1, 0, 2, 900]);
    check(&graph, &[1, 1]);
    check(&graph, &[5]);
}

#[test]
fn conditionals_within_branches_part_them_again() {
    let more = |name: &str, than: i32| [scalar("limit", than), node("Greater", name, &["n", "limit:output:0"])];
    let outer = [&more("above", 0)[..], &[branch("choice", "above:z:0", ["inner", "negative"])]].concat();
    let inner = [&more("large", 10)[..], &[branch("choice", "large:z:0", ["square", "negative"])]].concat();
    let functions = [
        function("outer", &outer, "choice:output:0"),
        function("inner", &inner, "choice:output:0"),
        function("square", &[node("Mul", "product", &["n", "n"])], "product:z:0"),
        function("negative", &[node("Neg", "less", &["n"])], "less:y:0"),
    ];
    check(&calling("outer", &functions), &[11, -3, 4, 0, 12, 1, -9]);
}

/// Branches whose results have different shapes have no common tensor for all examples.
#[test]
fn results_of_different_shapes_are_refused() {
    let pair =
        json!({"name": "pair", "op": "Pack", "input": ["n", "n"], "attr": {"T": {"type": "DT_INT32"}, "N": {"i": 2}}});
    let positive = [
        scalar("zero", 0),
        node("Greater", "above", &["n", "zero:output:0"]),
        branch("choice", "above:z:0", ["pair", "one"]),
    ];
    let one =
        [json!({"name": "one", "op": "Pack", "input": ["n"], "attr": {"T": {"type": "DT_INT32"}, "N": {"i": 1}}})];
    let functions = [
        function("pick", &positive, "choice:output:0"),
        function("pair", &[pair], "pair:output:0"),
        function("one", &one, "one:output:0"),
    ];
    let batched = batch_for(&calling("pick", &functions), &["n"], &["y"]).unwrap();
    let session = session(&batched.graph);
    let run = |n: Vec<i32>| session.run(&[("n", Tensor::vector(n))], &["y"], &[]);
    assert_eq!(run(vec![3, 4]).unwrap()[0].shape().dims(), [2, 2]);
    assert!(run(vec![3, -4]).is_err());
}

fn network() -> Graph {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../graphs/tree/infer.json");
    read::file(path, &levada::registry()).unwrap()
}

#[test]
fn trees_of_any_shape_are_one_batch() -> Result<(), Error> {
    let (graph, forest) = (network(), Forest::of(40, 12));
    let batched = batch_for(&graph, &["sub"], &["value", "probability"])?;
    assert_eq!(batched.one_by_one, []);
    let calls = |op: &str| batched.graph.library.functions.iter().flat_map(|f| &f.nodes).filter(|n| n.op == op).count();
    assert_eq!((calls("MapDefun"), calls("StatelessCase")), (0, 1));
    let arrays = forest.arrays();
    let feeds = |root: Tensor| {
        let mut feeds: Vec<(&str, Tensor)> = arrays.to_vec();
        feeds.push(("sub", root));
        feeds
    };
    let all =
        session(&batched.graph).run(&feeds(Tensor::vector(forest.roots.clone())), &["value", "probability"], &[])?;
    assert_eq!(all[0].shape(), &Shape::new([40, 16])?);
    let single = session(&graph);
    for (i, &root) in forest.roots.iter().enumerate() {
        let one = single.run(&feeds(Tensor::scalar(root)), &["value", "probability"], &[])?;
        let together = &all[0].slice::<f32>()?[i * 16..][..16];
        for (a, b) in one[0].slice::<f32>()?.iter().zip(together).chain([(&one[1].item()?, &all[1].slice()?[i])]) {
            assert!((a - b).abs() <= 1e-5, "tree {i}: {a} {b}");
        }
    }
    Ok(())
}

/// The sum of the results of all trees is differentiated with respect to the weights.
#[test]
fn batches_of_trees_have_gradients() -> Result<(), Error> {
    let (graph, forest) = (network(), Forest::of(6, 4));
    let batched = batch_for(&graph, &["sub"], &["probability"])?;
    let gradient = |graph: Graph| -> Result<(Graph, Vec<String>), Error> {
        let mut b = levada::Builder::on(graph, levada::registry());
        let by = ["weights", "biases", "words"].map(|name| b.find(name)).into_iter().collect::<Result<Vec<_>, _>>()?;
        let of = b.find("probability")?;
        let names = b.gradients(&[of], &by)?.into_iter().map(|g| b.name(g.unwrap())).collect();
        Ok((b.finish()?, names))
    };
    let arrays = forest.arrays();
    let run = |session: &Session, names: &[String], root: Tensor| {
        let mut feeds: Vec<(&str, Tensor)> = arrays.to_vec();
        feeds.push(("sub", root));
        session.run(&feeds, &names.iter().map(String::as_str).collect::<Vec<_>>(), &[])
    };
    let (whole, names) = gradient(batched.graph)?;
    let all = run(&session(&whole), &names, Tensor::vector(forest.roots.clone()))?;
    let (one, names) = gradient(graph)?;
    let single = session(&one);
    let mut sums: Vec<Vec<f32>> = all.iter().map(|t| vec![0.0; t.num_elements()]).collect();
    for &root in &forest.roots {
        for (sum, part) in sums.iter_mut().zip(run(&single, &names, Tensor::scalar(root))?) {
            assert_eq!(part.dtype(), DType::F32);
            sum.iter_mut().zip(part.slice::<f32>()?).for_each(|(sum, part)| *sum += part);
        }
    }
    for (sum, all) in sums.iter().zip(&all) {
        for (a, b) in sum.iter().zip(all.slice::<f32>()?) {
            assert!((a - b).abs() <= 1e-4, "{a} {b}");
        }
    }
    Ok(())
}
