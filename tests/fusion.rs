//! Fused elementwise nodes return the same as unfused ones, bit by bit, and fail in the same way.

use levada::graph::read;
use levada::{
    AttrValue, Builder, Code, DType, Error, Output, Result, RunOptions, Session, SessionOptions, Shape, StepTrace,
    Tensor,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn session(graph: &Value, options: SessionOptions) -> Session {
    let graph = read::json(graph.to_string().as_bytes(), &levada::registry()).unwrap();
    Session::new(graph, options).unwrap()
}

fn both(graph: &Value, threads: usize) -> [Session; 2] {
    let options = |no_fusion| SessionOptions { threads, no_fusion, ..SessionOptions::default() };
    [session(graph, options(false)), session(graph, options(true))]
}

fn traced(session: &Session, feeds: &[(&str, Tensor)], fetches: &[&str]) -> (Result<Vec<Tensor>>, Option<StepTrace>) {
    let options = RunOptions { trace: true, ..RunOptions::default() };
    match session.run_with(&options, feeds, fetches, &[]) {
        Ok((found, metadata)) => (Ok(found), metadata.trace),
        Err(error) => (Err(error), None),
    }
}

/// The names of the nodes of each event that stands for several.
fn groups(trace: &StepTrace) -> Vec<Vec<&str>> {
    let fused = trace.events.iter().filter(|e| !e.fused.is_empty());
    let mut groups: Vec<Vec<&str>> = fused.map(|e| e.fused.iter().map(|n| &**n).collect()).collect();
    groups.sort();
    groups
}

fn table(dims: &[usize], seed: usize) -> Tensor {
    let shape = Shape::new(dims.iter().copied()).unwrap();
    let value = |i: usize| ((i.wrapping_mul(2_654_435_761).wrapping_add(seed * 977)) >> 7) % 4001;
    let values = (0..shape.num_elements()).map(|i| value(i) as f32 / 500.0 - 4.0).collect();
    Tensor::from_vec(shape, values).unwrap()
}

/// The bits of a tensor, with a single NaN for all: which NaN a sum of two returns depends on the compiler's operand
/// order.
fn bits(tensor: &Tensor) -> Option<Vec<u8>> {
    let one = |x: &f32| if x.is_nan() { f32::NAN } else { *x }.to_ne_bytes();
    let one_double = |x: &f64| if x.is_nan() { f64::NAN } else { *x }.to_ne_bytes();
    match tensor.dtype() {
        DType::F32 => Some(tensor.slice::<f32>().ok()?.iter().flat_map(one).collect()),
        DType::F64 => Some(tensor.slice::<f64>().ok()?.iter().flat_map(one_double).collect()),
        _ => tensor.bytes().map(<[u8]>::to_vec),
    }
}

fn same(a: &[Tensor], b: &[Tensor]) -> bool {
    let equal = |(a, b): (&Tensor, &Tensor)| {
        a.dtype() == b.dtype() && a.shape() == b.shape() && bits(a).is_some() && bits(a) == bits(b)
    };
    a.len() == b.len() && a.iter().zip(b).all(equal)
}

/// The value of `y` for `x` with and without fusion, and the names of fused nodes.
fn compare(graph: &Value, feeds: &[(&str, Tensor)], fetches: &[&str]) -> (Result<Vec<Tensor>>, StepTrace) {
    let [fused, single] = both(graph, 2);
    let expected = single.run(feeds, fetches, &[]);
    let (found, trace) = traced(&fused, feeds, fetches);
    match (&expected, &found) {
        (Ok(expected), Ok(found)) => assert!(same(expected, found), "{expected:?}\n{found:?}"),
        (Err(expected), Err(found)) => assert_eq!(expected.to_string(), found.to_string()),
        (expected, found) => panic!("{expected:?}, but {found:?}"),
    }
    (found, trace.unwrap_or_default())
}

#[test]
fn a_chain_is_one_event_with_the_names_of_all() {
    let graph = json!({"node": [
        {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32"}},
        {"name": "half", "op": "Const", "attr": {"dtype": "float32", "value": 0.5}},
        {"name": "a", "op": "Mul", "input": ["x", "half"]},
        {"name": "b", "op": "Tanh", "input": ["x"]},
        {"name": "c", "op": "Sub", "input": ["a", "b"]},
        {"name": "d", "op": "Mul", "input": ["c", "c"]},
        {"name": "sum", "op": "Sum", "input": ["d", "axes"]},
        {"name": "axes", "op": "Const", "attr": {"dtype": "int32", "value": [0]}},
    ]});
    for n in [3, 100_000] {
        let (_, trace) = compare(&graph, &[("x", table(&[n], 1))], &["sum"]);
        assert_eq!(groups(&trace), [["b", "a", "c", "d"]]);
        let event = trace.events.iter().find(|e| &*e.node == "d").unwrap();
        assert_eq!((&*event.op, event.inputs.len(), event.outputs.len()), ("Mul", 2, 1));
        assert_eq!(trace.num_nodes(), 5);
        // An externally visible value ends a group.
        let (_, trace) = compare(&graph, &[("x", table(&[n], 1))], &["sum", "c"]);
        assert_eq!(groups(&trace), [["b", "a", "c"]]);
        let (_, trace) = compare(&graph, &[("x", table(&[n], 1)), ("b", table(&[n], 2))], &["d", "a"]);
        assert_eq!(groups(&trace), [["c", "d"]]);
    }
}

#[test]
fn inputs_of_other_shapes_are_cut_with_the_output() {
    let shapes: &[&[&[usize]]] = &[
        &[&[70_000], &[], &[1]],
        &[&[300, 1000], &[1000], &[300, 1]],
        &[&[4, 30, 40, 50], &[4, 1, 1, 50], &[30, 1, 50]],
        &[&[4, 1, 40, 50], &[1, 30, 1, 1], &[50]],
        &[&[2, 3, 20_000], &[2, 1, 1], &[1, 3, 1]],
        &[&[50_000, 1], &[1, 3], &[3]],
        &[&[1, 1, 90_000], &[1, 1, 1], &[]],
        &[&[5, 3, 7, 2, 400], &[5, 1, 7, 1, 400], &[3, 1, 2, 1]],
    ];
    let graph = json!({"node": [
        {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32"}},
        {"name": "y", "op": "Placeholder", "attr": {"dtype": "float32"}},
        {"name": "z", "op": "Placeholder", "attr": {"dtype": "float32"}},
        {"name": "yz", "op": "Maximum", "input": ["y", "z"]},
        {"name": "e", "op": "Exp", "input": ["z"]},
        {"name": "a", "op": "Mul", "input": ["x", "yz"]},
        {"name": "b", "op": "Sub", "input": ["a", "e"]},
        {"name": "less", "op": "Less", "input": ["y", "b"]},
        {"name": "out", "op": "SelectV2", "input": ["less", "b", "yz"]},
    ]});
    for shapes in shapes {
        let feeds = [("x", table(shapes[0], 1)), ("y", table(shapes[1], 2)), ("z", table(shapes[2], 3))];
        let (found, trace) = compare(&graph, &feeds, &["out"]);
        found.unwrap();
        assert_eq!(groups(&trace)[0].len(), 6);
    }
}

#[test]
fn errors_are_those_of_the_nodes() {
    let graph = json!({"node": [
        {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32"}},
        {"name": "y", "op": "Placeholder", "attr": {"dtype": "float32"}},
        {"name": "low", "op": "Const", "attr": {"dtype": "float32", "value": [0.0]}},
        {"name": "i", "op": "Cast", "input": ["x"], "attr": {"DstT": "int32"}},
        {"name": "j", "op": "Cast", "input": ["y"], "attr": {"DstT": "int32"}},
        {"name": "quotient", "op": "FloorDiv", "input": ["i", "j"]},
        {"name": "neg", "op": "Neg", "input": ["quotient"]},
        {"name": "gradient", "op": "ReluGrad", "input": ["x", "y"]},
        {"name": "exp", "op": "Exp", "input": ["gradient"]},
        {"name": "clipped", "op": "ClipByValue", "input": ["x", "low", "y"]},
        {"name": "abs", "op": "Abs", "input": ["clipped"]},
    ]});
    let x = || ("x", table(&[100, 1000], 1));
    let fails = |y: Tensor, fetch: &str, node: &str| {
        let error = compare(&graph, &[x(), ("y", y)], &[fetch]).0.unwrap_err();
        assert_eq!(error.code(), Code::InvalidArgument);
        assert!(error.to_string().contains(node), "{error}");
    };
    fails(table(&[100, 1000], 2), "neg", "quotient");
    fails(table(&[100, 999], 2), "neg", "quotient");
    fails(table(&[1000], 2), "exp", "gradient");
    fails(table(&[1, 1], 2), "exp", "gradient");
    fails(table(&[100, 1000], 2), "abs", "clipped");
    fails(table(&[1000], 2), "abs", "clipped");
    let ones = Tensor::from_vec(Shape::new([100, 1000]).unwrap(), vec![3f32; 100_000]).unwrap();
    compare(&graph, &[x(), ("y", ones)], &["neg", "exp"]).0.unwrap();
}

#[test]
fn what_waits_for_a_node_gets_it_alone() {
    let graph = json!({"node": [
        {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32"}},
        {"name": "a", "op": "Neg", "input": ["x"]},
        {"name": "b", "op": "Abs", "input": ["a", "^first"]},
        {"name": "c", "op": "Exp", "input": ["b"]},
        {"name": "first", "op": "NoOp", "input": ["^x"]},
        {"name": "after", "op": "NoOp", "input": ["^a"]},
        {"name": "d", "op": "Neg", "input": ["c", "^after"]},
    ]});
    let (_, trace) = compare(&graph, &[("x", table(&[10], 1))], &["d"]);
    assert_eq!(groups(&trace), [["b", "c", "d"]]);
    levada::trace::check(&trace, &["a", "b", "c", "d", "first", "after"].map(Into::into), &trace.edges).unwrap();
}

#[test]
fn long_chains_are_cut_and_loops_have_groups() {
    let mut nodes = vec![json!({"name": "n0", "op": "Placeholder", "attr": {"dtype": "float32"}})];
    for i in 1..=100 {
        nodes.push(json!({"name": format!("n{i}"), "op": "Sin", "input": [format!("n{}", i - 1)]}));
    }
    let (_, trace) = compare(&json!({"node": nodes}), &[("n0", table(&[10], 1))], &["n100"]);
    assert!(groups(&trace).len() >= 3 && groups(&trace).iter().all(|g| g.len() <= 32));
    assert_eq!(trace.num_nodes(), 100);
    let graph = json!({"node": [
        {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32"}},
        {"name": "zero", "op": "Const", "attr": {"dtype": "int32", "value": 0}},
        {"name": "five", "op": "Const", "attr": {"dtype": "int32", "value": 5}},
        {"name": "enter_i", "op": "Enter", "input": ["zero"], "attr": {"frame_name": "loop"}},
        {"name": "enter_x", "op": "Enter", "input": ["x"], "attr": {"frame_name": "loop"}},
        {"name": "limit", "op": "Enter", "input": ["five"], "attr": {"frame_name": "loop", "is_constant": true}},
        {"name": "i", "op": "Merge", "input": ["enter_i", "next_i"]},
        {"name": "y", "op": "Merge", "input": ["enter_x", "next_y"]},
        {"name": "less", "op": "Less", "input": ["i", "limit"]},
        {"name": "cond", "op": "LoopCond", "input": ["less"]},
        {"name": "switch_i", "op": "Switch", "input": ["i", "cond"]},
        {"name": "switch_y", "op": "Switch", "input": ["y", "cond"]},
        {"name": "one", "op": "Const", "input": ["^switch_i"], "attr": {"dtype": "int32", "value": 1}},
        {"name": "more", "op": "AddV2", "input": ["switch_i:1", "one"]},
        {"name": "sin", "op": "Sin", "input": ["switch_y:1"]},
        {"name": "twice", "op": "AddV2", "input": ["sin", "sin"]},
        {"name": "next_i", "op": "NextIteration", "input": ["more"]},
        {"name": "next_y", "op": "NextIteration", "input": ["twice"]},
        {"name": "exit", "op": "Exit", "input": ["switch_y"]},
        {"name": "out", "op": "Neg", "input": ["exit"]},
        {"name": "end", "op": "Abs", "input": ["out"]},
    ]});
    for n in [1, 70_000] {
        let (_, trace) = compare(&graph, &[("x", table(&[n], 1))], &["end"]);
        let groups = groups(&trace);
        assert_eq!(groups.iter().filter(|g| g[..] == ["sin", "twice"]).count(), 6, "{groups:?}");
        assert_eq!(groups.iter().filter(|g| g[..] == ["out", "end"]).count(), 1);
    }
}

/// Gates that take the pieces of `x` along an axis, with an output for each of their values, and the gradient of it all.
fn gates(axis: i32) -> Value {
    let axis_of =
        |name: &str, axis: i32| json!({"name": name, "op": "Const", "attr": {"dtype": "int32", "value": axis}});
    let placeholder = |name: &str| json!({"name": name, "op": "Placeholder", "attr": {"dtype": "float32"}});
    json!({"node": [
        placeholder("x"),
        placeholder("c"),
        placeholder("dh"),
        axis_of("axis", axis),
        {"name": "one", "op": "Const", "attr": {"dtype": "float32", "value": 1.0}},
        {"name": "split", "op": "Split", "input": ["axis", "x"], "attr": {"num_split": 4}},
        node("f", "AddV2", &["split:2", "one"]),
        node("forget", "Sigmoid", &["f"]),
        node("gate", "Sigmoid", &["split"]),
        node("new", "Tanh", &["split:1"]),
        node("show", "Sigmoid", &["split:3"]),
        node("old", "Mul", &["forget", "c"]),
        node("update", "Mul", &["gate", "new"]),
        node("state", "AddV2", &["old", "update"]),
        node("flat", "Tanh", &["state"]),
        node("h", "Mul", &["show", "flat"]),
        node("d_show", "Mul", &["dh", "flat"]),
        node("d_flat", "Mul", &["dh", "show"]),
        node("d_state", "TanhGrad", &["flat", "d_flat"]),
        node("d_gate", "Mul", &["d_state", "new"]),
        node("d_new", "Mul", &["d_state", "gate"]),
        node("d_forget", "Mul", &["d_state", "c"]),
        node("d_c", "Mul", &["d_state", "forget"]),
        node("d0", "SigmoidGrad", &["gate", "d_gate"]),
        node("d1", "TanhGrad", &["new", "d_new"]),
        node("d2", "SigmoidGrad", &["forget", "d_forget"]),
        node("d3", "SigmoidGrad", &["show", "d_show"]),
        {"name": "dx", "op": "ConcatV2", "input": ["d0", "d1", "d2", "d3", "axis"], "attr": {"N": 4}},
    ]})
}

#[test]
fn cells_of_several_outputs_give_what_their_nodes_give() {
    let run = |axis: i32, x: &[usize], c: &[usize], dh: &[usize]| {
        let feeds = [("x", table(x, 1)), ("c", table(c, 2)), ("dh", table(dh, 3))];
        let (graph, all) = (gates(axis), ["dx", "d_c", "h", "state", "new"]);
        let fetches: [&[&str]; 3] = [&all, &["h"], &["dx"]];
        fetches.map(|fetches| compare(&graph, &feeds, fetches))
    };
    for (axis, x, c) in [
        (1, &[16, 1024][..], &[16, 256][..]),
        (-1, &[3, 4 * 1000], &[3, 1000]),
        (1, &[2000, 4 * 7], &[2000, 7]),
        (3, &[2, 5, 6, 64], &[2, 5, 6, 16]),
        (1, &[6, 4 * 5, 7, 3], &[6, 5, 7, 3]),
        (0, &[4 * 30, 50], &[30, 50]),
        (0, &[4 * 3], &[3]),
        (1, &[2, 4 * 70_000], &[2, 70_000]),
        (1, &[1, 4], &[1, 1]),
        (1, &[0, 8], &[0, 2]),
        (1, &[5, 0], &[5, 0]),
    ] {
        for (found, trace) in run(axis, x, c, c) {
            found.unwrap();
            let cell = groups(&trace).into_iter().find(|group| group.contains(&"split")).unwrap_or_default();
            assert!(cell.contains(&"state"), "{:?}", groups(&trace));
        }
    }
    // Broadcast within a strip and over rows, which the nodes compute.
    for (x, c) in [
        (&[16, 1024][..], &[256][..]),
        (&[16, 1024], &[1, 256]),
        (&[16, 1024], &[16, 1]),
        (&[16, 1024], &[]),
        (&[1, 1024], &[16, 256]),
    ] {
        let feeds = [("x", table(x, 1)), ("c", table(c, 2))];
        compare(&gates(1), &feeds, &["h", "state"]).0.unwrap();
    }
    // What does not fit fails as the nodes do.
    for (axis, x, c) in
        [(1, &[16, 1022][..], &[16, 256][..]), (2, &[16, 1024], &[16, 256]), (1, &[16, 1024], &[16, 255])]
    {
        assert!(run(axis, x, c, &[16, 256]).iter().all(|(found, _)| found.is_err()), "{axis} {x:?} {c:?}");
    }
}

/// A product overflows in the middle of a cell; the search names its node.
#[test]
fn faults_inside_cells_are_found() {
    let full = |dims: &[usize], value: f32| {
        let shape = Shape::new(dims.iter().copied()).unwrap();
        Tensor::from_vec(shape.clone(), vec![value; shape.num_elements()]).unwrap()
    };
    let mut x = full(&[16, 1024], -10.0);
    x.slice_mut::<f32>().unwrap().chunks_mut(1024).for_each(|row| row[768..].fill(10.0));
    let run = |no_fusion, dh: f32| {
        let watch = Some(levada::session::NanWatch::default());
        let options = SessionOptions { threads: 2, no_fusion, watch, ..SessionOptions::default() };
        let feeds = [("x", x.clone()), ("c", full(&[16, 256], 1000.0)), ("dh", full(&[16, 256], dh))];
        session(&gates(1), options).run(&feeds, &["dx", "h"], &[]).map_err(|error| error.to_string())
    };
    for no_fusion in [false, true] {
        assert!(run(no_fusion, 1.0).is_ok());
        let error = run(no_fusion, f32::MAX).unwrap_err();
        assert!(error.contains("d_forget (Mul)"), "{error}");
    }
}

/// A loop in which products with a variable's value alternate, and a sum of products grows whose terms are not used
/// otherwise: `h, sum = tanh(h w w'), sum + h' (h w)`; with `changes`, the variable is halved after each iteration.
fn recurrence(changes: bool) -> Value {
    let of = |name: &str, op: &str, inputs: &[&str], attr: Value| json!({"name": name, "op": op, "input": inputs, "attr": attr});
    let enter = |name: &str, of_what: &str, is_constant: bool| {
        of(name, "Enter", &[of_what], json!({"frame_name": "loop", "is_constant": is_constant}))
    };
    let mut nodes = vec![
        of("x", "Placeholder", &[], json!({"dtype": "float32", "shape": [null, null]})),
        of("start", "Placeholder", &[], json!({"dtype": "float32", "shape": [null, null]})),
        of("value", "Placeholder", &[], json!({"dtype": "float32", "shape": [256, 512]})),
        of("v", "VarHandleOp", &[], json!({"dtype": "float32", "shape": [256, 512], "shared_name": "v"})),
        node("init", "AssignVariableOp", &["v", "value"]),
        of("zero", "Const", &[], json!({"dtype": "int32", "value": 0})),
        of("six", "Const", &[], json!({"dtype": "int32", "value": 6})),
        enter("enter_i", "zero", false),
        enter("enter_h", "x", false),
        enter("enter_sum", "start", false),
        enter("limit", "six", true),
        enter("variable", "v", true),
        node("i", "Merge", &["enter_i", "next_i"]),
        node("h", "Merge", &["enter_h", "next_h"]),
        node("sum", "Merge", &["enter_sum", "next_sum"]),
        node("less", "Less", &["i", "limit"]),
        node("cond", "LoopCond", &["less"]),
        node("switch_i", "Switch", &["i", "cond"]),
        node("switch_h", "Switch", &["h", "cond"]),
        node("switch_sum", "Switch", &["sum", "cond"]),
        of("one", "Const", &["^switch_i"], json!({"dtype": "int32", "value": 1})),
        node("more", "AddV2", &["switch_i:1", "one"]),
        of("w", "ReadVariableOp", &["variable", "^switch_h"], json!({"dtype": "float32"})),
        node("p", "MatMul", &["switch_h:1", "w"]),
        of("q", "MatMul", &["p", "w"], json!({"transpose_b": true})),
        node("tanh", "Tanh", &["q"]),
        of("dw", "MatMul", &["switch_h:1", "p"], json!({"transpose_a": true})),
        node("grown", "AddV2", &["switch_sum:1", "dw"]),
        node("next_i", "NextIteration", &["more"]),
        node("next_sum", "NextIteration", &["grown"]),
        node("exit_h", "Exit", &["switch_h"]),
        node("exit_sum", "Exit", &["switch_sum"]),
        node("y", "Identity", &["exit_h"]),
        node("total", "Identity", &["exit_sum"]),
    ];
    if changes {
        let half = "half";
        nodes.push(of(half, "Const", &["^switch_h"], json!({"dtype": "float32", "value": 0.5})));
        nodes.push(node("less_w", "Mul", &["w", half]));
        nodes.push(of(
            "halve",
            "AssignSubVariableOp",
            &["variable", "less_w", "^p", "^q"],
            json!({"dtype": "float32"}),
        ));
        nodes.push(node("next_h", "NextIteration", &["tanh", "^halve"]));
    } else {
        nodes.push(node("next_h", "NextIteration", &["tanh"]));
    }
    json!({"node": nodes})
}

/// The result of the loop, in f64.
fn recurrence_by_hand(x: &Tensor, value: &Tensor, start: &Tensor, changes: bool) -> [Vec<f64>; 2] {
    let wide = |t: &Tensor| -> Vec<f64> { t.slice::<f32>().unwrap().iter().map(|&x| x.into()).collect() };
    let (mut h, mut w, mut sum) = (wide(x), wide(value), wide(start));
    let rows = h.len() / 256;
    for _ in 0..6 {
        let mut p = vec![0f64; rows * 512];
        for (h, p) in h.chunks(256).zip(p.chunks_mut(512)) {
            h.iter().zip(w.chunks(512)).for_each(|(h, w)| p.iter_mut().zip(w).for_each(|(p, w)| *p += h * w));
        }
        for (h, p) in h.chunks(256).zip(p.chunks(512)) {
            h.iter().zip(sum.chunks_mut(512)).for_each(|(h, sum)| sum.iter_mut().zip(p).for_each(|(s, p)| *s += h * p));
        }
        let row = |p: &[f64]| -> Vec<f64> {
            w.chunks(512).map(|w| p.iter().zip(w).map(|(p, w)| p * w).sum::<f64>().tanh()).collect()
        };
        h = p.chunks(512).flat_map(row).collect();
        if changes {
            w.iter_mut().for_each(|w| *w *= 0.5);
        }
    }
    [h, sum]
}

#[test]
fn factors_that_come_again_in_loops_are_those_of_now() {
    let small = |t: Tensor, by: f32| {
        let values = t.slice::<f32>().unwrap().iter().map(|x| x * by).collect();
        Tensor::from_vec(t.shape().clone(), values).unwrap()
    };
    for (changes, rows) in [(false, 16), (true, 16), (false, 40), (true, 40)] {
        let graph = recurrence(changes);
        let (x, value) = (small(table(&[rows, 256], 1), 0.25), small(table(&[256, 512], 2), 0.01));
        let start = table(&[256, 512], 3);
        let expected = recurrence_by_hand(&x, &value, &start, changes);
        let mut first: Option<Vec<Tensor>> = None;
        for session in [1, 2, 3].into_iter().flat_map(|threads| both(&graph, threads)) {
            for traced_one in [false, true] {
                session.run(&[("value", value.clone())], &[], &["init"]).unwrap();
                let (feeds, fetches) = ([("x", x.clone()), ("start", start.clone())], ["y", "total"]);
                let found = match traced_one {
                    true => traced(&session, &feeds, &fetches).0.unwrap(),
                    false => session.run(&feeds, &fetches, &[]).unwrap(),
                };
                for (found, expected) in found.iter().zip(&expected) {
                    let mut both = found.slice::<f32>().unwrap().iter().zip(expected);
                    assert!(both.all(|(&f, e)| (f64::from(f) - e).abs() < 1e-3), "{rows} rows, changes: {changes}");
                }
                // Whatever is cached, and whichever came first.
                assert!(same(first.get_or_insert_with(|| found.clone()), &found), "{rows} rows, changes: {changes}");
            }
        }
        // The fed value is unchanged.
        assert!(same(&[start], &[table(&[256, 512], 3)]));
    }
}

#[test]
fn sums_of_products_in_loops_are_those_of_every_iteration() {
    let mut graph = recurrence(false);
    let six = graph["node"].as_array_mut().unwrap().iter_mut().find(|node| node["name"] == "six").unwrap();
    *six = json!({"name": "six", "op": "Placeholder", "attr": {"dtype": "int32", "shape": []}});
    let value = table(&[256, 512], 2);
    for (rows, threads) in [(16, 1), (17, 2), (100, 2)] {
        let [fused, single] = both(&graph, threads);
        for session in [&fused, &single] {
            session.run(&[("value", value.clone())], &[], &["init"]).unwrap();
        }
        for iterations in [0i32, 1, 2, 3, 8, 9, 10, 21] {
            let start = table(&[256, 512], 3);
            let feeds = [("x", table(&[rows, 256], 1)), ("start", start.clone()), ("six", Tensor::scalar(iterations))];
            let [found, expected] = [&fused, &single].map(|s| s.run(&feeds, &["y", "total"], &[]).unwrap());
            assert!(same(&found, &expected), "{rows} rows, {iterations} iterations");
            assert_eq!(iterations == 0, same(&found[1..], &[start]));
        }
        // A sum of another shape.
        let feeds = [("x", table(&[rows, 256], 1)), ("start", table(&[1, 512], 3)), ("six", Tensor::scalar(4i32))];
        let [found, expected] = [&fused, &single].map(|s| s.run(&feeds, &["total"], &[]).unwrap());
        assert!(same(&found, &expected));
        let feeds = [("x", table(&[rows, 256], 1)), ("start", table(&[255, 512], 3)), ("six", Tensor::scalar(4i32))];
        let [found, expected] = [&fused, &single].map(|s| s.run(&feeds, &["total"], &[]).unwrap_err().to_string());
        assert_eq!(found, expected);
    }
}

/// A node: name, op, inputs.
fn node(name: &str, op: &str, inputs: &[&str]) -> Value {
    json!({"name": name, "op": op, "input": inputs})
}

fn reduction(name: &str, op: &str, of: &str) -> Value {
    json!({"name": name, "op": op, "input": [of, "axes"], "attr": {"keep_dims": true}})
}

/// A graph of nodes that take `x`, a vector `g`, `axes` and two numbers.
fn by_rows(axes: &[i32], dtype: &str, nodes: Vec<Value>) -> Value {
    let placeholder = |name: &str| json!({"name": name, "op": "Placeholder", "attr": {"dtype": dtype}});
    let number =
        |name: &str, value: f64| json!({"name": name, "op": "Const", "attr": {"dtype": dtype, "value": value}});
    let axes = json!({"name": "axes", "op": "Const", "attr": {"dtype": "int32", "value": axes}});
    let mut all = vec![placeholder("x"), placeholder("g"), number("eps", 1e-5), number("half", 0.5), axes];
    all.extend(nodes);
    json!({"node": all})
}

/// Norms, softmaxes and others written by hand, each with all its nodes; the last one returns `y`.
fn norms() -> Vec<Vec<Value>> {
    let layer = vec![
        reduction("m", "Mean", "x"),
        node("stopped", "StopGradient", &["m"]),
        node("square", "SquaredDifference", &["x", "stopped"]),
        reduction("v", "Mean", "square"),
        node("shifted", "Sub", &["x", "m"]),
        node("v_eps", "AddV2", &["v", "eps"]),
        node("r", "Rsqrt", &["v_eps"]),
        node("normal", "Mul", &["shifted", "r"]),
        node("scaled", "Mul", &["normal", "g"]),
        node("y", "AddV2", &["scaled", "g"]),
    ];
    // As in `tf.nn.batch_normalization`.
    let factored = vec![
        reduction("m", "Mean", "x"),
        node("square", "SquaredDifference", &["x", "m"]),
        reduction("v", "Mean", "square"),
        node("v_eps", "AddV2", &["v", "eps"]),
        node("r", "Rsqrt", &["v_eps"]),
        node("factor", "Mul", &["r", "g"]),
        node("scaled", "Mul", &["x", "factor"]),
        node("moved", "Mul", &["m", "factor"]),
        node("offset", "Sub", &["g", "moved"]),
        node("y", "AddV2", &["scaled", "offset"]),
    ];
    let root_mean_square = vec![
        node("square", "Square", &["x"]),
        reduction("v", "Mean", "square"),
        node("v_eps", "AddV2", &["v", "eps"]),
        node("root", "Sqrt", &["v_eps"]),
        node("normal", "RealDiv", &["x", "root"]),
        node("y", "Mul", &["normal", "g"]),
    ];
    let variance = |of: &str| {
        let deviations = [node("shifted", "Sub", &[of, "m"]), node("square", "Square", &["shifted"])];
        let factor = [reduction("v", "Mean", "square"), node("v_eps", "AddV2", &["eps", "v"])];
        [reduction("m", "Mean", of)].into_iter().chain(deviations).chain(factor)
    };
    let products = |following: Vec<Value>| variance("x").chain(following).collect::<Vec<Value>>();
    let weighted = products(vec![
        node("r", "Rsqrt", &["v_eps"]),
        node("factor", "Mul", &["g", "r"]),
        node("scaled", "Mul", &["factor", "shifted"]),
        node("y", "AddV2", &["g", "scaled"]),
    ]);
    let plain = products(vec![node("r", "Rsqrt", &["v_eps"]), node("y", "Mul", &["shifted", "r"])]);
    let numbered = products(vec![
        node("r", "Rsqrt", &["v_eps"]),
        node("normal", "Mul", &["r", "shifted"]),
        node("scaled", "Mul", &["half", "normal"]),
        node("y", "AddV2", &["scaled", "eps"]),
    ]);
    let quotient = products(vec![
        node("root", "Sqrt", &["v_eps"]),
        node("normal", "RealDiv", &["shifted", "root"]),
        node("y", "AddV2", &["normal", "g"]),
    ]);
    // Not a weight that could be applied later.
    let divided = products(vec![
        node("root", "Sqrt", &["v_eps"]),
        node("divisor", "Mul", &["root", "g"]),
        node("y", "RealDiv", &["shifted", "divisor"]),
    ]);
    let twice = products(vec![
        node("r", "Rsqrt", &["v_eps"]),
        node("factor", "Mul", &["r", "g"]),
        node("normal", "Mul", &["shifted", "factor"]),
        node("y", "Mul", &["normal", "g"]),
    ]);
    let of_sum = [node("sum", "AddV2", &["x", "x"])]
        .into_iter()
        .chain(variance("sum"))
        .chain([
            node("r", "Rsqrt", &["v_eps"]),
            node("normal", "Mul", &["shifted", "r"]),
            node("y", "Mul", &["normal", "g"]),
        ])
        .collect();
    // As in `tf.nn.batch_normalization` without an offset.
    let negated = vec![
        reduction("m", "Mean", "x"),
        node("square", "SquaredDifference", &["m", "x"]),
        reduction("v", "Mean", "square"),
        node("v_eps", "AddV2", &["v", "eps"]),
        node("r", "Rsqrt", &["v_eps"]),
        node("factor", "Mul", &["r", "g"]),
        node("scaled", "Mul", &["x", "factor"]),
        node("negative", "Neg", &["m"]),
        node("moved", "Mul", &["negative", "factor"]),
        node("y", "AddV2", &["scaled", "moved"]),
    ];
    let scaled_by_root = vec![
        node("square", "Mul", &["x", "x"]),
        reduction("v", "Mean", "square"),
        node("v_eps", "AddV2", &["v", "eps"]),
        node("r", "Rsqrt", &["v_eps"]),
        node("normal", "Mul", &["x", "r"]),
        node("scaled", "Mul", &["normal", "g"]),
        node("y", "AddV2", &["scaled", "g"]),
    ];
    let softmax = vec![
        reduction("greatest", "Max", "x"),
        node("shifted", "Sub", &["x", "greatest"]),
        node("e", "Exp", &["shifted"]),
        reduction("sum", "Sum", "e"),
        node("y", "RealDiv", &["e", "sum"]),
    ];
    let log_softmax = vec![
        reduction("greatest", "Max", "x"),
        node("shifted", "Sub", &["x", "greatest"]),
        node("e", "Exp", &["shifted"]),
        reduction("sum", "Sum", "e"),
        node("log", "Log", &["sum"]),
        node("y", "Sub", &["shifted", "log"]),
    ];
    let gated = vec![
        node("t", "Tanh", &["x"]),
        node("a", "Minimum", &["half", "t"]),
        node("b", "Maximum", &["a", "x"]),
        node("c", "Neg", &["b"]),
        node("d", "Mul", &["c", "c"]),
        node("e", "Sub", &["half", "d"]),
        node("f", "RealDiv", &["eps", "e"]),
        node("h", "Abs", &["f"]),
        node("i", "Relu", &["b"]),
        node("j", "Reciprocal", &["h"]),
        node("k", "Erf", &["i"]),
        node("l", "Sigmoid", &["j"]),
        node("y", "AddV2", &["k", "l"]),
    ];
    let distance = vec![
        node("square", "SquaredDifference", &["x", "g"]),
        json!({"name": "y", "op": "Sum", "input": ["square", "axes"]}),
    ];
    let normal = [layer, factored, weighted, plain, numbered, quotient, divided, twice, of_sum, negated];
    let others = [root_mean_square, scaled_by_root, softmax, log_softmax, gated, distance];
    normal.into_iter().chain(others).collect()
}

#[test]
fn norms_and_softmaxes_by_hand_are_one_event() {
    let shapes: &[(&[usize], &[i32])] = &[
        (&[70, 100], &[-1]),
        (&[33, 64], &[1]),
        (&[3, 5, 4096], &[2]),
        (&[1100, 4096], &[-1]),
        (&[1, 5000], &[-1]),
        (&[40, 6, 50], &[-2, -1]),
        (&[40, 6, 50], &[1, 2]),
        (&[2000, 3], &[-1]),
        (&[2, 70_000], &[-1]),
        (&[4, 3], &[-1]),
        (&[0, 100], &[-1]),
        (&[100, 0], &[-1]),
        (&[5000], &[-1]),
        (&[70, 4, 100], &[1]),
    ];
    for nodes in norms() {
        for (dims, axes) in shapes {
            let g = table(&dims[dims.len() - axes.len().min(dims.len())..], 2);
            let graph = by_rows(axes, "float32", nodes.clone());
            let (found, trace) = compare(&graph, &[("x", table(dims, 1)), ("g", g)], &["y"]);
            assert!(found.is_ok(), "{dims:?}: {found:?}");
            let events = groups(&trace);
            assert!(events.len() == 1 && events[0].len() == nodes.len(), "{dims:?}: {events:?}");
        }
    }
}

#[test]
fn powers_by_numbers_that_are_known_are_computed_with_rows() {
    for exponent in [1.0, 2.0, 3.0, 2.5, -1.0, 0.0] {
        for (dims, with) in
            [(&[70usize, 100][..], &[70usize, 100][..]), (&[8, 300], &[300]), (&[5, 4], &[]), (&[0, 100], &[100])]
        {
            let power = json!({"name": "exponent", "op": "Const", "attr": {"dtype": "float32", "value": exponent}});
            let nodes = vec![
                power,
                node("apart", "Sub", &["x", "g"]),
                node("power", "Pow", &["apart", "exponent"]),
                node("scaled", "Mul", &["power", "half"]),
                reduction("y", "Sum", "scaled"),
            ];
            let graph = by_rows(&[-1], "float32", nodes);
            let (found, trace) = compare(&graph, &[("x", table(dims, 1)), ("g", table(with, 2))], &["y"]);
            assert!(found.is_ok(), "{dims:?}: {found:?}");
            let whole: &[&str] = &["apart", "power", "scaled", "y"];
            let is_product = [1.0, 2.0, 3.0].contains(&exponent);
            assert_eq!(groups(&trace).contains(&whole.to_vec()), is_product, "{exponent}: {:?}", groups(&trace));
        }
    }
}

#[test]
fn rows_with_numbers_of_all_kinds() {
    let special = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, f32::MIN_POSITIVE / 4.0, f32::MAX, -1e-30];
    let values: Vec<f32> = (0..30 * 100).map(|i| if i % 7 == 0 { special[i / 7 % 8] } else { i as f32 }).collect();
    let x = Tensor::from_vec(Shape::new([30, 100]).unwrap(), values).unwrap();
    for nodes in norms() {
        let graph = by_rows(&[-1], "float32", nodes);
        let feeds = [("x", x.clone()), ("g", table(&[100], 2))];
        let [fused, single] = both(&graph, 2);
        let [found, expected] = [fused, single].map(|session| session.run(&feeds, &["y"], &[]).unwrap().remove(0));
        // Which of two NaNs their sum returns is unspecified.
        let mut pairs = found.slice::<f32>().unwrap().iter().zip(expected.slice::<f32>().unwrap());
        assert!(pairs.all(|(a, b)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())), "{graph}");
    }
}

/// Conditions are masks while a group is computed strip by strip.
#[test]
fn conditions_in_groups_are_those_of_their_nodes() {
    let cast = |name: &str, of: &str, from: &str, to: &str| json!({"name": name, "op": "Cast", "input": [of], "attr": {"SrcT": from, "DstT": to}});
    let mut nodes: Vec<Value> = ["x", "y", "low", "high"]
        .map(|name| json!({"name": name, "op": "Placeholder", "attr": {"dtype": "float32"}}))
        .into();
    nodes.push(json!({"name": "m", "op": "Placeholder", "attr": {"dtype": "bool"}}));
    nodes.push(json!({"name": "zero", "op": "Const", "attr": {"dtype": "float32", "value": 0.0}}));
    nodes.push(json!({"name": "axes", "op": "Const", "attr": {"dtype": "int32", "value": [-1]}}));
    nodes.extend([
        // Dropout, and its gradient.
        node("kept", "GreaterEqual", &["y", "low"]),
        node("scaled", "Mul", &["x", "high"]),
        node("dropout", "SelectV2", &["kept", "scaled", "zero"]),
        node("back", "Mul", &["x", "high"]),
        node("undropped", "SelectV2", &["m", "back", "zero"]),
        // Both branches, and a condition that is computed.
        node("negative", "Neg", &["x"]),
        node("is_less", "Less", &["x", "y"]),
        node("either", "LogicalOr", &["is_less", "m"]),
        node("chosen", "SelectV2", &["either", "y", "negative"]),
        // Numbers from conditions.
        node("margin", "Sub", &["high", "x"]),
        node("inside", "Greater", &["margin", "zero"]),
        cast("counted", "inside", "bool", "float32"),
        node("hinge", "Mul", &["margin", "counted"]),
        // Conditions as results.
        node("same", "Equal", &["x", "y"]),
        node("other", "NotEqual", &["x", "high"]),
        node("not", "LogicalNot", &["m"]),
        node("both", "LogicalAnd", &["same", "other"]),
        node("all", "LogicalOr", &["both", "not"]),
        node("difference", "Sub", &["x", "y"]),
        cast("differs", "difference", "float32", "bool"),
        node("alike", "LogicalNot", &["differs"]),
        // Bounds, and the gradient of a unit.
        node("sum", "AddV2", &["x", "y"]),
        node("clipped", "ClipByValue", &["sum", "low", "high"]),
        node("shown", "Neg", &["clipped"]),
        node("grown", "Square", &["y"]),
        node("unit", "ReluGrad", &["grown", "x"]),
        node("twice", "AddV2", &["unit", "unit"]),
        // Sums of rows of counts, and conditions of rows.
        node("small", "LessEqual", &["x", "high"]),
        cast("ones", "small", "bool", "float32"),
        reduction("count", "Sum", "ones"),
        node("part", "RealDiv", &["ones", "count"]),
        node("size", "Abs", &["x"]),
        reduction("total", "Sum", "size"),
        node("many", "Greater", &["total", "high"]),
        reduction("largest", "Max", "x"),
        node("is_largest", "Equal", &["x", "largest"]),
    ]);
    let graph = json!({"node": nodes});
    let special = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, 1e-40, f32::MAX, 1.5, -1.5];
    let numbers = |dims: &[usize], seed: usize| {
        let mut numbers = table(dims, seed);
        let some = numbers.slice_mut::<f32>().unwrap().iter_mut().enumerate().filter(|(i, _)| i % 11 == seed);
        some.for_each(|(i, x)| *x = special[(i / 11 + seed) % special.len()]);
        numbers
    };
    let bools = |dims: &[usize]| {
        let shape = Shape::new(dims.iter().copied()).unwrap();
        let values: Vec<bool> = (0..shape.num_elements()).map(|i| (i * i) % 7 < 3).collect();
        Tensor::from_vec(shape, values).unwrap()
    };
    let fetches =
        ["dropout", "undropped", "chosen", "hinge", "all", "alike", "shown", "twice", "part", "many", "is_largest"];
    for (dims, of_mask) in [
        (&[300, 1000][..], &[300, 1000][..]),
        (&[300, 1000], &[1000]),
        (&[300, 1000], &[300, 1]),
        (&[300, 1000], &[]),
        (&[7, 90, 333], &[7, 1, 333]),
        (&[100_003], &[100_003]),
        (&[3, 5], &[3, 5]),
    ] {
        let x = numbers(dims, 1);
        let feeds = [
            ("x", x.clone()),
            ("y", numbers(dims, 2)),
            ("low", Tensor::scalar(-1.5f32)),
            ("high", Tensor::scalar(1.5f32)),
            ("m", bools(of_mask)),
        ];
        for fetch in fetches {
            let (_, trace) = compare(&graph, &feeds, &[fetch]);
            assert!(groups(&trace).iter().any(|group| group.last() == Some(&fetch)), "{fetch} {:?}", groups(&trace));
        }
        compare(&graph, &feeds, &fetches).0.unwrap();
    }
}

/// Several rows are computed at a time if each gives a value.
#[test]
fn values_of_short_rows_are_those_of_their_nodes() {
    let squares = vec![node("s", "Square", &["x"]), reduction("sum", "Sum", "s"), node("y", "Sqrt", &["sum"])];
    let scores = vec![
        node("each", "Sigmoid", &["x"]),
        node("whole", "Sigmoid", &["g"]),
        node("score", "Mul", &["each", "whole"]),
        reduction("y", "Max", "score"),
    ];
    let distances = vec![
        node("doubled", "AddV2", &["g", "g"]),
        node("off", "Sub", &["x", "doubled"]),
        node("grown", "Exp", &["off"]),
        node("scaled", "Mul", &["grown", "half"]),
        reduction("m", "Mean", "scaled"),
        node("more", "AddV2", &["m", "eps"]),
        node("y", "Log", &["more"]),
    ];
    let tests = vec![
        node("above", "Greater", &["x", "g"]),
        json!({"name": "ones", "op": "Cast", "input": ["above"], "attr": {"SrcT": "bool", "DstT": "float32"}}),
        reduction("count", "Sum", "ones"),
        node("y", "GreaterEqual", &["count", "half"]),
    ];
    for nodes in [squares, scores, distances, tests] {
        let graph = by_rows(&[-1], "float32", nodes);
        for (dims, others) in [
            (&[50, 64][..], [&[64][..], &[50, 1], &[]]),
            (&[37, 80], [&[80], &[37, 1], &[1, 80]]),
            (&[1001, 100], [&[1001, 100], &[1001, 1], &[]]),
            (&[7, 30, 96], [&[7, 1, 96], &[7, 1, 1], &[30, 1]]),
            (&[9, 700], [&[700], &[9, 1], &[]]),
            (&[5, 3000], [&[3000], &[5, 1], &[]]),
            (&[3001, 2], [&[2], &[3001, 1], &[]]),
            (&[40, 50, 3], [&[50, 3], &[40, 1, 3], &[]]),
            (&[1500, 4], [&[1500, 4], &[1500, 1], &[1, 4]]),
            (&[700, 5], [&[5], &[700, 1], &[]]),
        ] {
            for of_other in others {
                compare(&graph, &[("x", table(dims, 1)), ("g", table(of_other, 2))], &["y"]).0.unwrap();
            }
        }
    }
}

#[test]
fn functions_of_pairs_of_rows_are_those_of_their_nodes() {
    let apart = |then: &str| vec![node("apart", "Sub", &["g", "x"]), node("each", then, &["apart"])];
    let reduced = |mut nodes: Vec<Value>, op: &str| {
        nodes.push(reduction("sum", op, "each"));
        nodes.extend([node("half_of", "Mul", &["sum", "half"]), node("y", "Exp", &["half_of"])]);
        nodes
    };
    let graphs = [
        reduced(apart("Square"), "Sum"),
        reduced(apart("Abs"), "Mean"),
        reduced(vec![node("each", "SquaredDifference", &["x", "g"])], "Max"),
        reduced(vec![node("each", "Mul", &["x", "g"])], "Min"),
        vec![node("each", "Mul", &["x", "g"]), json!({"name": "y", "op": "Sum", "input": ["each", "axes"]})],
    ];
    for nodes in graphs {
        let graph = by_rows(&[-1], "float32", nodes);
        for (dims, other) in [
            (&[90, 1, 64][..], &[1, 70, 64][..]),
            (&[90, 1, 33], &[70, 33]),
            (&[30, 40], &[30, 40]),
            (&[300, 47], &[47]),
            (&[20, 3, 1, 100], &[3, 9, 100]),
            (&[50, 1, 16], &[40, 16]),
            (&[2, 1, 1500], &[7, 1500]),
        ] {
            compare(&graph, &[("x", table(dims, 1)), ("g", table(other, 2))], &["y"]).0.unwrap();
        }
    }
}

#[test]
fn sums_of_many_inputs_are_those_of_their_nodes() {
    for count in [1, 2, 3, 9, 31, 32, 33] {
        let inputs: Vec<&str> = (0..count).map(|i| ["square", "x", "g", "root"][i % 4]).collect();
        let sum = |name: &str, inputs: &[&str]| json!({"name": name, "op": "AddN", "input": inputs});
        let nodes = vec![
            node("square", "Square", &["x"]),
            node("root", "Sqrt", &["g"]),
            sum("sum", &inputs),
            node("half_sum", "Mul", &["sum", "half"]),
            sum("y", &["half_sum", "sum", "square"]),
        ];
        let graph = by_rows(&[-1], "float32", nodes);
        for (x, g) in [(&[50, 100][..], &[50, 100][..]), (&[40_001], &[40_001]), (&[2, 3], &[2, 3]), (&[9, 64], &[64])]
        {
            let feeds = [("x", table(x, 1)), ("g", table(g, 2))];
            let (found, trace) = compare(&graph, &feeds, &["y"]);
            // Sums are not broadcast; the first one has all its inputs from `square` if there is only one.
            assert_eq!(found.is_ok(), x == g || count <= 2, "{count} of {x:?} and {g:?}");
            let all = ["half_sum", "square", "sum", "y"];
            let names = groups(&trace).concat();
            assert!(x != g || count == 1 || all.iter().all(|name| names.contains(name)), "{count}: {names:?}");
        }
    }
}

#[test]
fn rows_that_are_taken_several_times() {
    let shapes: [(&[usize], &[usize]); 14] = [
        (&[40, 1, 100], &[1, 30, 100]),
        (&[1, 40, 100], &[30, 1, 100]),
        (&[3, 5, 7, 100], &[3, 1, 7, 100]),
        (&[3, 5, 7, 100], &[3, 1, 7, 1]),
        (&[3, 5, 7, 100], &[5, 1, 1]),
        (&[3, 1, 7, 100], &[1, 5, 1, 1]),
        (&[6, 1, 3000], &[1, 5, 3000]),
        (&[4, 1, 9, 10], &[1, 3, 9, 10]),
        (&[40, 1, 20], &[1, 30, 20]),
        (&[0, 5, 100], &[1, 5, 1]),
        (&[4, 9, 9, 8, 8], &[4, 1, 1, 8, 1]),
        (&[2, 50, 4, 32], &[2, 1, 4, 1]),
        (&[40, 6, 3, 32], &[3, 1]),
        (&[5, 3, 90], &[1, 3, 1]),
    ];
    for (x, g) in shapes {
        let nodes = [
            node("apart", "Sub", &["x", "g"]),
            node("squared", "Mul", &["apart", "apart"]),
            node("again", "AddV2", &["squared", "x"]),
        ];
        let last = [
            vec![reduction("d", "Sum", "squared"), node("y", "Sqrt", &["d"])],
            vec![node("t", "Tanh", &["again"]), node("y", "Mul", &["t", "g"])],
            vec![reduction("m", "Max", "again"), node("y", "Sub", &["again", "m"])],
        ];
        for last in last {
            let graph = by_rows(&[-1], "float32", nodes.iter().cloned().chain(last).collect());
            let (found, trace) = compare(&graph, &[("x", table(x, 1)), ("g", table(g, 2))], &["y"]);
            assert!(found.is_ok(), "{x:?} {g:?}: {found:?}");
            assert!(groups(&trace).iter().any(|group| group.len() >= 4), "{x:?} {g:?}: {:?}", groups(&trace));
        }
    }
}

#[test]
fn rows_longer_than_a_piece_are_computed_between_reductions() {
    // A value that a later reduction needs again, one that only its own reduction reads, and one that is reduced after
    // another computation.
    let nodes = vec![
        node("a", "Mul", &["x", "x"]),
        node("b", "Tanh", &["a"]),
        reduction("m", "Mean", "a"),
        node("c", "Sub", &["b", "m"]),
        node("d", "SquaredDifference", &["c", "x"]),
        reduction("v", "Sum", "d"),
        node("e", "AddV2", &["c", "v"]),
        node("f", "Exp", &["b"]),
        reduction("w", "Max", "f"),
        node("h", "Mul", &["e", "a"]),
        node("i", "Sub", &["h", "w"]),
        reduction("u", "Sum", "c"),
        node("y", "AddV2", &["i", "u"]),
    ];
    for dims in [[3, 64], [70, 100], [5, 2048], [5, 2049], [3, 5000], [2, 12_288], [1030, 4096]] {
        let graph = by_rows(&[-1], "float32", nodes.clone());
        let (found, trace) = compare(&graph, &[("x", table(&dims, 1)), ("g", table(&[1], 2))], &["y"]);
        assert!(found.is_ok(), "{dims:?}: {found:?}");
        assert!(groups(&trace).iter().any(|group| group.len() >= 6), "{dims:?}: {:?}", groups(&trace));
    }
}

#[test]
fn groups_of_rows_end_at_what_is_seen_and_at_other_axes() {
    let layer = norms().remove(0);
    let feeds = [("x", table(&[70, 100], 1)), ("g", table(&[100], 2))];
    let graph = by_rows(&[-1], "float32", layer.clone());
    let (_, trace) = compare(&graph, &feeds, &["y", "m"]);
    assert!(!groups(&trace).concat().contains(&"m"));
    let (_, trace) = compare(&graph, &feeds, &["y", "shifted"]);
    assert!(!groups(&trace).concat().contains(&"shifted"));
    // Reductions of outer axes, and of other values.
    let (_, trace) = compare(&by_rows(&[0], "float32", layer.clone()), &feeds, &["y"]);
    assert!(!groups(&trace).concat().contains(&"m"));
    let double = |t: Tensor| {
        let values = t.slice::<f32>().unwrap().iter().map(|&x| f64::from(x)).collect::<Vec<f64>>();
        Tensor::from_vec(t.shape().clone(), values).unwrap()
    };
    let feeds = feeds.map(|(name, tensor)| (name, double(tensor)));
    let (found, trace) = compare(&by_rows(&[-1], "float64", layer.clone()), &feeds, &["y"]);
    assert!(found.is_ok() && !groups(&trace).concat().contains(&"m"));
    // An error names its node.
    let wrong = [("x", table(&[70, 100], 1)), ("g", table(&[33], 2))];
    let (found, _) = compare(&by_rows(&[-1], "float32", layer), &wrong, &["y"]);
    assert!(found.unwrap_err().to_string().contains("scaled"));
}

#[test]
fn memory_of_an_input_becomes_the_output_of_strips() {
    // The memory of `own`, which nothing else needs, but not that of `x`.
    let nodes = vec![
        node("own", "Sin", &["x"]),
        node("a", "Mul", &["own", "half"]),
        node("t", "Tanh", &["own"]),
        node("b", "Sub", &["a", "t"]),
        node("y", "AddV2", &["b", "own"]),
    ];
    let end = json!({"name": "after", "op": "NoOp", "input": ["^own"]});
    let graph = by_rows(&[-1], "float32", nodes.into_iter().chain([end]).collect());
    for n in [1000, 5000, 300_001] {
        compare(&graph, &[("x", table(&[n], 1))], &["y"]).0.unwrap();
    }
    // Larger than the caches.
    compare(&graph, &[("x", table(&[(4 << 20) + 77], 1))], &["y"]).0.unwrap();
}

#[test]
fn memory_of_an_input_becomes_that_of_the_rows_that_are_normalized() {
    for nodes in norms() {
        // The memory of `own`, which nothing else needs.
        let of_own = |mut node: Value| {
            let inputs = node["input"].as_array_mut().unwrap();
            inputs.iter_mut().filter(|input| *input == "x").for_each(|input| *input = json!("own"));
            node
        };
        let own = [node("own", "Sin", &["x"]), json!({"name": "after", "op": "NoOp", "input": ["^own"]})];
        let graph = by_rows(&[-1], "float32", own.into_iter().chain(nodes.into_iter().map(of_own)).collect());
        // Also rows larger than the caches, and rows that do not begin at multiples of a cache line.
        for dims in [[30, 100], [16, 512], [1100, 4100]] {
            compare(&graph, &[("x", table(&dims, 1)), ("g", table(&dims[1..], 2))], &["y"]).0.unwrap();
        }
    }
}

/// A graph of a product and the nodes after it, as `op(inputs)` in order; each node is named by its number.
fn after_product(product: Value, following: &[(&str, &[&str], Value)]) -> (Value, String) {
    let placeholder = |name: &str| json!({"name": name, "op": "Placeholder", "attr": {"dtype": "float32"}});
    let mut nodes: Vec<Value> = ["x", "w", "b", "offset", "mean", "variance", "y"].map(placeholder).into();
    nodes.push(product);
    for (i, (op, inputs, attr)) in following.iter().enumerate() {
        nodes.push(json!({"name": format!("n{i}"), "op": op, "input": inputs, "attr": attr}));
    }
    (json!({"node": nodes}), format!("n{}", following.len() - 1))
}

fn conv(op: &str, strides: i64) -> Value {
    json!({"name": "p", "op": op, "input": ["x", "w"],
        "attr": {"T": "float32", "strides": [1, strides, strides, 1], "padding": "SAME"}})
}

/// A product, the shapes of its inputs and of its output.
type Case = (Value, &'static [usize], &'static [usize], &'static [usize]);

#[test]
fn what_follows_a_product_is_done_with_it() {
    let none = json!({});
    let matmul = || json!({"name": "p", "op": "MatMul", "input": ["x", "w"]});
    let products: [Case; 6] = [
        (matmul(), &[1, 300], &[300, 70], &[1, 70]),
        (matmul(), &[130, 40], &[40, 33], &[130, 33]),
        (conv("Conv2D", 1), &[2, 9, 7, 5], &[3, 3, 5, 20], &[2, 9, 7, 20]),
        (conv("Conv2D", 2), &[1, 40, 41, 16], &[1, 1, 16, 64], &[1, 20, 21, 64]),
        (conv("Conv2D", 1), &[1, 3, 3, 256], &[3, 3, 256, 80], &[1, 3, 3, 80]),
        (conv("DepthwiseConv2dNative", 1), &[2, 12, 13, 24], &[3, 3, 24, 1], &[2, 12, 13, 24]),
    ];
    let leaky = json!({"alpha": 0.25});
    let two = json!({"N": 2});
    let chains: [&[(&str, &[&str], Value)]; 10] = [
        &[("BiasAdd", &["p", "b"], none.clone())],
        &[("AddN", &["y", "p"], two.clone()), ("Relu", &["n0"], none.clone())],
        &[("BiasAdd", &["p", "b"], none.clone()), ("AddN", &["n0", "y"], two)],
        &[("AddV2", &["b", "p"], none.clone()), ("Relu", &["n0"], none.clone())],
        &[
            ("BiasAdd", &["p", "b"], none.clone()),
            ("Add", &["y", "n0"], none.clone()),
            ("Relu6", &["n1"], none.clone()),
        ],
        &[("AddV2", &["p", "y"], none.clone()), ("LeakyRelu", &["n0"], leaky)],
        &[("Elu", &["p"], none.clone())],
        &[("BiasAdd", &["p", "b"], none.clone()), ("Sigmoid", &["n0"], none.clone())],
        &[("BiasAdd", &["p", "b"], none.clone()), ("Tanh", &["n0"], none.clone())],
        &[("BiasAdd", &["p", "b"], none.clone()), ("Sigmoid", &["n0"], none.clone()), ("Mul", &["n1", "n0"], none)],
    ];
    for (product, x, w, y) in &products {
        let channels = *y.last().unwrap();
        for chain in chains {
            let (graph, last) = after_product(product.clone(), chain);
            let feeds = [("x", table(x, 1)), ("w", table(w, 2)), ("b", table(&[channels], 3)), ("y", table(y, 4))];
            let (found, trace) = compare(&graph, &feeds, &[&last]);
            found.unwrap();
            assert_eq!(groups(&trace)[0].len(), chain.len() + 1, "{graph}");
            // Shapes that do not fit fail as in the nodes; broadcasts return the same as the nodes.
            for other in [vec![1], vec![channels], vec![1; y.len() - 1]] {
                let feeds = [("x", table(x, 1)), ("w", table(w, 2)), ("b", table(&[1], 3)), ("y", table(&other, 4))];
                drop(compare(&graph, &feeds, &[&last]));
            }
        }
    }
}

#[test]
fn normalization_after_a_convolution_is_folded_into_it() {
    let norm = json!({"T": "float32", "U": "float32", "is_training": false, "epsilon": 0.001});
    let close = |a: &Tensor, b: &Tensor| {
        let (a, b) = (a.slice::<f32>().unwrap(), b.slice::<f32>().unwrap());
        let largest = a.iter().fold(0f32, |m, v| m.max(v.abs()));
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-6 * largest)
    };
    let cases: [Case; 2] = [
        (conv("Conv2D", 1), &[2, 17, 18, 12], &[3, 3, 12, 40], &[2, 17, 18, 40]),
        (conv("DepthwiseConv2dNative", 2), &[1, 30, 31, 36], &[3, 3, 36, 1], &[1, 15, 16, 36]),
    ];
    for (product, x, w, y) in cases {
        let channels = *y.last().unwrap();
        let inputs: &[&str] = &["n0", "b", "offset", "mean", "variance"];
        let chain = [
            ("BiasAdd", &["p", "offset"][..], json!({})),
            ("FusedBatchNormV3", inputs, norm.clone()),
            ("AddV2", &["n1", "y"], json!({})),
            ("Relu", &["n2"], json!({})),
        ];
        let (graph, last) = after_product(product, &chain);
        let variance: Vec<f32> = (0..channels).map(|c| 0.5 + c as f32 / 8.0).collect();
        let vector = |seed: usize| table(&[channels], seed);
        let feeds = |mean: Tensor| {
            [
                ("x", table(x, 1)),
                ("w", table(w, 2)),
                ("b", vector(3)),
                ("offset", vector(4)),
                ("mean", mean),
                ("variance", Tensor::vector(variance.clone())),
                ("y", table(y, 5)),
            ]
        };
        let [fused, single] = both(&graph, 2);
        let expected = single.run(&feeds(vector(6)), &[&last], &[]).unwrap();
        for _ in 0..2 {
            let (found, trace) = traced(&fused, &feeds(vector(6)), &[&last]);
            assert!(close(&expected[0], &found.unwrap()[0]), "{graph}");
            assert_eq!(groups(&trace.unwrap()), [["p", "n0", "n1", "n2", "n3"]]);
        }
        // The failing node is named.
        let wrong = feeds(table(&[3], 6));
        let errors = [&fused, &single].map(|session| session.run(&wrong, &[&last], &[]).unwrap_err().to_string());
        assert_eq!(errors[0], errors[1]);
        assert!(errors[0].contains("n1"), "{}", errors[0]);
    }
}

#[test]
fn halves_are_rounded_once_after_what_follows_a_product() {
    // The rounding error of rounding after every node, relative to the largest result.
    for (half, tolerance) in [("float16", 4e-3), ("bfloat16", 3e-2)] {
        let norm = json!({"T": half, "U": "float32", "is_training": false, "epsilon": 0.001});
        let conv = |op: &str| {
            json!({"name": "p", "op": op, "input": ["xh", "wh"],
                "attr": {"T": half, "strides": [1, 1, 1, 1], "padding": "SAME"}})
        };
        let matmul = json!({"name": "p", "op": "MatMul", "input": ["xh", "wh"], "attr": {"T": half}});
        let normalized =
            json!({"name": "n0", "op": "FusedBatchNormV3", "input": ["p", "b", "b", "b", "b"], "attr": norm});
        let biased = json!({"name": "n0", "op": "BiasAdd", "input": ["p", "bh"], "attr": {"T": half}});
        type Shapes<'a> = [&'a [usize]; 3];
        let cases: [(Value, &Value, Shapes<'_>); 5] = [
            (conv("Conv2D"), &normalized, [&[2, 17, 18, 12], &[3, 3, 12, 40], &[2, 17, 18, 40]]),
            (conv("Conv2D"), &normalized, [&[1, 5, 6, 3], &[2, 2, 1, 6], &[1, 5, 6, 6]]),
            (conv("DepthwiseConv2dNative"), &normalized, [&[1, 9, 8, 36], &[3, 3, 36, 1], &[1, 9, 8, 36]]),
            (matmul.clone(), &biased, [&[1, 300], &[300, 70], &[1, 70]]),
            (matmul, &biased, [&[33, 40], &[40, 21], &[33, 21]]),
        ];
        for (product, first, [x, w, y]) in cases {
            let mut nodes: Vec<Value> = Vec::new();
            for name in ["x", "w", "y", "b"] {
                let to = format!("{name}h");
                nodes.push(json!({"name": name, "op": "Placeholder", "attr": {"dtype": "float32"}}));
                nodes.push(
                    json!({"name": to, "op": "Cast", "input": [name], "attr": {"SrcT": "float32", "DstT": half}}),
                );
            }
            nodes.extend([product, first.clone()]);
            nodes.push(json!({"name": "n1", "op": "AddV2", "input": ["n0", "yh"], "attr": {"T": half}}));
            nodes.push(json!({"name": "n2", "op": "Relu", "input": ["n1"], "attr": {"T": half}}));
            nodes.push(json!({"name": "z", "op": "Cast", "input": ["n2"], "attr": {"SrcT": half, "DstT": "float32"}}));
            let graph = json!({"node": nodes});
            let vector: Vec<f32> = (0..*y.last().unwrap()).map(|c| 0.5 + (c % 9) as f32 / 8.0).collect();
            let feeds = [("x", table(x, 1)), ("w", table(w, 2)), ("y", table(y, 5)), ("b", Tensor::vector(vector))];
            let [fused, single] = both(&graph, 2);
            let expected = single.run(&feeds, &["z"], &[]).unwrap();
            for _ in 0..2 {
                let (found, trace) = traced(&fused, &feeds, &["z"]);
                let found = found.unwrap();
                let (found, expected) = (found[0].slice::<f32>().unwrap(), expected[0].slice::<f32>().unwrap());
                let largest = expected.iter().fold(0f32, |m, v| m.max(v.abs()));
                let close = |(a, b): (&f32, &f32)| (a - b).abs() <= tolerance * largest;
                assert!(found.len() == expected.len() && found.iter().zip(expected).all(close), "{graph}");
                assert!(groups(&trace.unwrap()).contains(&vec!["p", "n0", "n1", "n2"]), "{graph}");
            }
        }
    }
}

#[test]
fn factors_and_terms_that_are_rows_are_folded_into_a_product() {
    let row = |name: &str, rank: usize, seed: usize| {
        let values = table(&[20], seed).slice::<f32>().unwrap().to_vec();
        let value = (1..rank).fold(json!(values), |inner, _| json!([inner]));
        json!({"name": name, "op": "Const", "attr": {"dtype": "float32", "value": value}})
    };
    let placeholder = |name: &str| json!({"name": name, "op": "Placeholder", "attr": {"dtype": "float32"}});
    let matmul = json!({"name": "p", "op": "MatMul", "input": ["x", "w"]});
    // The rows of the last one have more axes than the product: its result would have another shape.
    let cases: [(Value, usize, &[usize], &[usize]); 4] = [
        (conv("Conv2D", 1), 4, &[2, 9, 7, 5], &[3, 3, 5, 20]),
        (conv("DepthwiseConv2dNative", 1), 4, &[2, 12, 13, 20], &[3, 3, 20, 1]),
        (matmul.clone(), 2, &[30, 40], &[40, 20]),
        (matmul, 3, &[30, 40], &[40, 20]),
    ];
    for (product, rank, x, w) in cases {
        let graph = json!({"node": [
            placeholder("x"), placeholder("w"), row("b", 1, 3), row("scale", rank, 4), row("shift", rank, 5), product,
            {"name": "biased", "op": "BiasAdd", "input": ["p", "b"]},
            {"name": "scaled", "op": "Mul", "input": ["biased", "scale"]},
            {"name": "shifted", "op": "AddV2", "input": ["scaled", "shift"]},
            {"name": "one", "op": "Const", "attr": {"dtype": "float32", "value": 1.0}},
            {"name": "sloped", "op": "Mul", "input": ["one", "shifted"]},
            {"name": "gate", "op": "Sigmoid", "input": ["sloped"]},
            {"name": "swish", "op": "Mul", "input": ["shifted", "gate"]},
            {"name": "list", "op": "IdentityN", "input": ["swish", "shifted", "one"],
             "attr": {"T": ["float32", "float32", "float32"]}},
            {"name": "end", "op": "Neg", "input": ["list"]},
        ]});
        let [fused, single] = both(&graph, 2);
        let feeds = [("x", table(x, 1)), ("w", table(w, 2))];
        let expected = single.run(&feeds, &["end"], &[]).unwrap();
        let (found, trace) = traced(&fused, &feeds, &["end"]);
        let found = found.unwrap();
        assert_eq!(found[0].shape(), expected[0].shape());
        let (a, b) = (expected[0].slice::<f32>().unwrap(), found[0].slice::<f32>().unwrap());
        let largest = a.iter().fold(0f32, |m, v| m.max(v.abs()));
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 2e-6 * largest), "{graph}");
        let trace = trace.unwrap();
        assert_eq!(groups(&trace)[0], ["p", "biased", "scaled", "shifted", "gate", "swish"]);
    }
}

#[test]
fn margins_and_hard_swishes_are_computed_with_convolutions() {
    let placeholder = |name: &str| json!({"name": name, "op": "Placeholder", "attr": {"dtype": "float32"}});
    let number =
        |name: &str, value: f32| json!({"name": name, "op": "Const", "attr": {"dtype": "float32", "value": value}});
    let shapes: [(&str, &[usize]); 2] = [("Conv2D", &[3, 3, 20, 9]), ("DepthwiseConv2dNative", &[3, 3, 20, 1])];
    let margins =
        [[[0, 0], [1, 1], [1, 1], [0, 0]], [[0, 0], [0, 1], [3, 0], [0, 0]], [[0, 0], [0, 0], [4, 5], [0, 0]]];
    for ((op, filter), margin, stride, explicit) in shapes
        .into_iter()
        .flat_map(|shape| margins.map(|margin| (shape, margin)))
        .flat_map(|(shape, margin)| [(1, false), (2, false), (2, true)].map(|(s, e)| (shape, margin, s, e)))
    {
        let padding = if explicit { "EXPLICIT" } else { "VALID" };
        let own = if explicit { vec![0, 0, 1, 0, 0, 2, 0, 0] } else { vec![] };
        let strides = [1, stride, stride, 1];
        let weights = table(filter, 2).slice::<f32>().unwrap().to_vec();
        let graph = json!({"node": [
            placeholder("x"), number("three", 3.0), number("six", 6.0),
            {"name": "numbers", "op": "Const", "attr": {"dtype": "float32", "value": weights}},
            {"name": "sizes", "op": "Const", "attr": {"dtype": "int32", "value": filter}},
            {"name": "w", "op": "Reshape", "input": ["numbers", "sizes"]},
            {"name": "around", "op": "Const", "attr": {"dtype": "int32", "value": margin}},
            {"name": "padded", "op": "Pad", "input": ["x", "around"]},
            {"name": "p", "op": op, "input": ["padded", "w"],
             "attr": {"strides": strides, "padding": padding, "explicit_paddings": own}},
            {"name": "sum", "op": "AddV2", "input": ["p", "three"]},
            {"name": "clipped", "op": "Relu6", "input": ["sum"]},
            {"name": "part", "op": "RealDiv", "input": ["clipped", "six"]},
            {"name": "swish", "op": "Mul", "input": ["part", "p"]},
            {"name": "end", "op": "Neg", "input": ["swish"]},
        ]});
        let [fused, single] = both(&graph, 2);
        let feeds = [("x", table(&[2, 11, 14, 20], 1))];
        let expected = single.run(&feeds, &["end"], &[]).unwrap();
        let (found, trace) = traced(&fused, &feeds, &["end"]);
        let found = found.unwrap();
        assert_eq!(found[0].shape(), expected[0].shape());
        let (a, b) = (expected[0].slice::<f32>().unwrap(), found[0].slice::<f32>().unwrap());
        let largest = a.iter().fold(0f32, |m, v| m.max(v.abs()));
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 2e-6 * largest), "{graph}");
        assert_eq!(groups(&trace.unwrap())[0], ["padded", "p", "sum", "clipped", "part", "swish"]);
        // Invalid arguments of the convolution are reported by the convolution itself.
        let error = fused.run(&[("x", table(&[3, 4], 1))], &["end"], &[]).unwrap_err();
        assert_eq!(error.code(), levada::Code::InvalidArgument, "{error}");
        let again = fused.run(&feeds, &["end"], &[]).unwrap();
        assert_eq!(again[0], found[0]);
    }
}

#[test]
fn zeros_around_images_are_multiplied_with_weights_that_are_infinite() {
    let graph = json!({"node": [
        {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32"}},
        {"name": "huge", "op": "Const", "attr": {"dtype": "float32", "value": [[[[1e38]]], [[[1.0]]]]}},
        {"name": "w", "op": "Mul", "input": ["huge", "huge"]},
        {"name": "around", "op": "Const", "attr": {"dtype": "int32", "value": [[0, 0], [1, 1], [0, 0], [0, 0]]}},
        {"name": "padded", "op": "Pad", "input": ["x", "around"]},
        {"name": "y", "op": "DepthwiseConv2dNative", "input": ["padded", "w"],
         "attr": {"strides": [1, 1, 1, 1], "padding": "VALID"}},
    ]});
    let x = Tensor::from_vec(levada::Shape::new([1, 2, 1, 1]).unwrap(), vec![1f32, 2.0]).unwrap();
    for session in both(&graph, 1) {
        let found = session.run(&[("x", x.clone())], &["y"], &[]).unwrap();
        let found = found[0].slice::<f32>().unwrap();
        assert!(found[0].is_nan() && found[1..] == [f32::INFINITY, f32::INFINITY], "{found:?}");
    }
}

/// A chain of functions on values of this dtype; a comparison or a cast ends it.
fn chain_of_numbers(dtype: &str) -> Value {
    let mut nodes: Vec<Value> =
        ["x", "y"].map(|name| json!({"name": name, "op": "Placeholder", "attr": {"dtype": dtype, "shape": []}})).into();
    let mut last = "x".to_owned();
    let two = ["AddV2", "Maximum", "Sub", "Minimum", "Mul", "SquaredDifference", "AddN", "Maximum"];
    let one = ["Neg", "Abs", "Relu", "Square", "Neg", "Sign", "Neg"];
    for (i, op) in two.into_iter().zip(one.into_iter().cycle()).flat_map(|(two, one)| [two, one]).enumerate() {
        let (name, is_sum) = (format!("n{i}"), op == "AddN");
        let inputs = match op {
            _ if is_sum => vec![last, "y".to_owned(), "x".to_owned()],
            _ if two.contains(&op) => vec![last, "y".to_owned()],
            _ => vec![last],
        };
        nodes.push(json!({"name": name, "op": op, "input": inputs}));
        last = name;
    }
    nodes.push(json!({"name": "test", "op": "Less", "input": [last, "x"]}));
    json!({"node": nodes})
}

fn scalars_agree<T: levada::Element + Copy>(dtype: &str, values: &[T]) {
    let graph = chain_of_numbers(dtype);
    let [fused, single] = both(&graph, 1);
    let fetches: Vec<String> = (0..16).map(|i| format!("n{i}")).chain(["test".to_owned()]).collect();
    for (x, y) in values.iter().flat_map(|x| values.iter().map(move |y| (x, y))) {
        for fetch in &fetches {
            let feeds = [("x", Tensor::scalar(*x)), ("y", Tensor::scalar(*y))];
            let [found, expected] =
                [&fused, &single].map(|session| session.run(&feeds, &[fetch.as_str()], &[]).unwrap());
            assert!(same(&found, &expected), "{fetch} of {x:?} and {y:?}: {found:?}, not {expected:?}");
        }
    }
}

#[test]
fn groups_of_scalars_give_what_their_nodes_give() {
    scalars_agree(
        "float32",
        &[0.0f32, -0.0, 1.5, -2.5e30, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MIN_POSITIVE],
    );
    scalars_agree("float64", &[0.0f64, -0.0, 1.5, -2.5e300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY]);
    scalars_agree("int32", &[0i32, 3, -7, i32::MIN, i32::MAX]);
    scalars_agree("int64", &[0i64, 3, -7, i64::MIN, i64::MAX]);
}

/// A random graph of elementwise nodes: numbers select ops and inputs.
fn random(picks: &[[u8; 5]], dead: bool, device: &str) -> (Value, Vec<String>) {
    const DTYPES: [&str; 9] =
        ["float32", "float32", "float64", "half", "bfloat16", "int32", "int64", "int16", "complex64"];
    let mut nodes: Vec<Value> = ["x", "row", "column", "scalar"]
        .map(|n| json!({"name": n, "op": "Placeholder", "attr": {"dtype": "float32"}}))
        .into();
    nodes.push(json!({"name": "taken", "op": "Placeholder", "attr": {"dtype": "bool"}}));
    nodes.push(json!({"name": "zero", "op": "Const", "attr": {"dtype": "float32", "value": 0.25}}));
    nodes.push(json!({"name": "switch", "op": "Switch", "input": ["x", "taken"]}));
    let first = if dead { "switch:1" } else { "x" };
    let mut values: Vec<(String, &str)> =
        [first, "row", "column", "scalar", "zero"].map(|n| (n.to_owned(), "float32")).into();
    for (i, &[op, a, b, c, extra]) in picks.iter().enumerate() {
        let name = format!("n{i}");
        // Mostly the newest nodes, so that there are chains.
        let pick = |p: u8| {
            let back = (p as usize % 16).min(p as usize / 16) % values.len();
            values[values.len() - 1 - back].clone()
        };
        let (x, ty) = pick(a);
        let of_type = |p: u8, ty: &str| {
            let fits: Vec<&(String, &str)> = values.iter().filter(|v| v.1 == ty).collect();
            fits.get(fits.len().wrapping_sub(1 + p as usize % fits.len().max(1))).map_or(x.clone(), |v| v.0.clone())
        };
        let (y, z) = (of_type(b, ty), of_type(c, ty));
        let is_float = matches!(ty, "float32" | "float64" | "half" | "bfloat16");
        let to = DTYPES[b as usize % DTYPES.len()];
        let (op, mut inputs, out, attr) = match (op % 12, ty) {
            (0, _) if ty != "complex64" && !(ty != "bool" && to == "complex64" && !is_float) => {
                ("Cast", vec![x], to, json!({"SrcT": ty, "DstT": to}))
            }
            (_, "bool") => match op % 3 {
                0 => ("LogicalNot", vec![x], "bool", json!({})),
                1 => ("LogicalAnd", vec![x, y], "bool", json!({})),
                _ => ("SelectV2", vec![x.clone(), of_type(b, "float32"), of_type(c, "float32")], "float32", json!({})),
            },
            (1, _) => ("Neg", vec![x], ty, json!({})),
            (2, _) if is_float => (["Tanh", "Exp", "Sigmoid", "Sqrt"][b as usize % 4], vec![x], ty, json!({})),
            (2, _) => ("Square", vec![x], ty, json!({})),
            (3, _) if ty != "complex64" => (["Relu", "Abs"][b as usize % 2], vec![x], ty, json!({})),
            (4, _) => ("AddV2", vec![x, y], ty, json!({})),
            (5, _) => ("Mul", vec![x, y], ty, json!({})),
            (6, _) if ty != "complex64" => (["Maximum", "Minimum"][c as usize % 2], vec![x, y], ty, json!({})),
            (7, _) if ty != "complex64" => (["Less", "GreaterEqual"][c as usize % 2], vec![x, y], "bool", json!({})),
            (8, _) if is_float => (["RealDiv", "SquaredDifference"][c as usize % 2], vec![x, y], ty, json!({})),
            (9, _) if ty != "complex64" => ("ClipByValue", vec![x, y, z], ty, json!({})),
            (10, _) if is_float => (["ReluGrad", "TanhGrad"][c as usize % 2], vec![x, y], ty, json!({})),
            (11, _) => ("AddN", vec![x.clone(), y, x], ty, json!({"N": 3})),
            _ => ("Sub", vec![x, y], ty, json!({})),
        };
        if extra > 230 && i > 2 {
            inputs.push(format!("^n{}", extra as usize % i));
        }
        let mut node = json!({"name": name, "op": op, "input": inputs, "device": device});
        if attr != json!({}) {
            node["attr"] = attr;
        }
        nodes.push(node);
        values.push((name, out));
    }
    let last = values.last().unwrap().0.clone();
    let mut fetches = vec![last.clone()];
    let some = picks.iter().enumerate().filter(|(_, p)| p[4] % 16 == 3);
    fetches.extend(some.map(|(i, _)| format!("n{i}")));
    if dead {
        nodes.push(json!({"name": "on", "op": "Identity", "input": ["switch:1"]}));
        nodes.push(json!({"name": "end", "op": "Cast", "input": [last.clone(), "^on"],
            "attr": {"SrcT": values.last().unwrap().1, "DstT": "float32"}}));
        nodes.push(json!({"name": "merge", "op": "Merge", "input": ["end", "switch:0"]}));
        nodes.push(json!({"name": "result", "op": "Neg", "input": ["merge"]}));
        fetches.push("result".to_owned());
    }
    (json!({"node": nodes}), fetches)
}

/// Tensors for the placeholders of a random graph.
fn random_feeds(shapes: [&[usize]; 3], taken: bool) -> [(&'static str, Tensor); 5] {
    [
        ("x", table(shapes[0], 1)),
        ("row", table(shapes[1], 2)),
        ("column", table(shapes[2], 3)),
        ("scalar", table(&[], 4)),
        ("taken", Tensor::scalar(taken)),
    ]
}

/// Fetches separately, so that a failing one does not hide the others, and all together.
fn check_random(
    (graph, fetches): &(Value, Vec<String>),
    feeds: &[(&str, Tensor)],
    [fused, single]: &[Session; 2],
    agree: fn(&[Tensor], &[Tensor]) -> bool,
) {
    let outcome = |found: Result<Vec<Tensor>>| found.map_err(|e: Error| e.code());
    let all: Vec<&str> = fetches.iter().map(String::as_str).collect();
    let each = all.iter().map(std::slice::from_ref).chain([&all[..]]);
    for fetches in each {
        let expected = outcome(single.run(feeds, fetches, &[]));
        for _ in 0..2 {
            let found = outcome(fused.run(feeds, fetches, &[]));
            let equal = match (&expected, &found) {
                (Ok(a), Ok(b)) => agree(a, b),
                (a, b) => a.is_err() && a.as_ref().err() == b.as_ref().err(),
            };
            assert!(equal, "{fetches:?} of {graph}: {expected:?}, but {found:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn random_graphs_give_what_they_give_node_by_node(
        picks in prop::collection::vec(any::<[u8; 5]>(), 1..24),
        shapes in 0usize..7,
        dead in any::<bool>(),
        taken in any::<bool>(),
    ) {
        let shapes: [&[usize]; 3] = match shapes {
            0 => [&[3, 4], &[4], &[3, 1]],
            1 => [&[41_000], &[1], &[]],
            2 => [&[50, 1024], &[1024], &[50, 1]],
            3 => [&[3, 20, 700], &[20, 1], &[3, 1, 1]],
            4 => [&[7, 6000], &[7, 6000], &[7, 1]],
            5 => [&[], &[], &[]],
            _ => [&[0, 5], &[5], &[1, 1]],
        };
        let graph = random(&picks, dead, "");
        for threads in [1, 2] {
            check_random(&graph, &random_feeds(shapes, taken), &both(&graph.0, threads), same);
        }
    }
}

/// A random graph of scalars of several dtypes, and names to fetch: nodes take external values directly and outputs of
/// an `Unpack`, in which groups that run as one are found.
fn random_scalars(seed: u64) -> (Value, Vec<String>) {
    let mut state = seed;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let mut nodes = vec![
        json!({"name": "v", "op": "Placeholder", "attr": {"dtype": "float32", "shape": [3]}}),
        json!({"name": "n", "op": "Placeholder", "attr": {"dtype": "int32", "shape": []}}),
        json!({"name": "c", "op": "Const", "attr": {"dtype": "int64", "value": 3}}),
        json!({"name": "u", "op": "Unpack", "input": ["v"], "attr": {"num": 3}}),
    ];
    let mut known: Vec<(String, &str)> = ["u", "u:1", "u:2"].map(|name| (name.to_owned(), "float32")).into();
    known.extend([("n".to_owned(), "int32"), ("c".to_owned(), "int64")]);
    for i in 0..40 {
        let (a, dtype) = known[below(known.len())].clone();
        let others: Vec<&str> = known.iter().filter(|(_, d)| *d == dtype).map(|(name, _)| name.as_str()).collect();
        let b = others[below(others.len())];
        let flag = known.iter().rev().find(|(_, d)| *d == "bool").map(|(name, _)| name.clone());
        let (op, inputs, attr, gives) = match (below(8), dtype, flag) {
            (0, _, Some(flag)) => ("SelectV2", json!([flag, a, b]), json!({}), dtype),
            (1, ..) => ("Identity", json!([a]), json!({}), dtype),
            (2, _, _) => {
                let to = ["float32", "float64", "int32", "int64"][below(4)];
                ("Cast", json!([a]), json!({"DstT": to}), to)
            }
            (_, "bool", _) => (["LogicalAnd", "LogicalOr"][below(2)], json!([a, b]), json!({}), dtype),
            (3, ..) => ("Less", json!([a, b]), json!({}), "bool"),
            (4, ..) => (["Neg", "Abs"][below(2)], json!([a]), json!({}), dtype),
            (5, ..) if below(4) == 0 => ("FloorDiv", json!([a, b]), json!({}), dtype),
            _ => (["AddV2", "Sub", "Maximum", "Mul"][below(4)], json!([a, b]), json!({}), dtype),
        };
        let name = format!("s{i}");
        nodes.push(json!({"name": name, "op": op, "input": inputs, "attr": attr}));
        known.push((name, gives));
    }
    let fetches = (0..6).map(|_| known[5 + below(40)].0.clone()).collect();
    (json!({"node": nodes}), fetches)
}

#[test]
fn scalars_that_become_ready_together_give_what_they_give_one_by_one() {
    let (mut fine, mut failed) = (0, 0);
    for seed in 0..120 {
        let (graph, fetches) = random_scalars(seed);
        let fetches: Vec<&str> = fetches.iter().map(String::as_str).collect();
        let [fused, single] = both(&graph, 1);
        for n in [5, 0] {
            let feeds = [("v", Tensor::vector(vec![0.5f32, -2.0, f32::NAN])), ("n", Tensor::scalar(n))];
            match (single.run(&feeds, &fetches, &[]), fused.run(&feeds, &fetches, &[])) {
                (Ok(expected), Ok(found)) => {
                    assert!(same(&expected, &found), "{seed}: {expected:?}\n{found:?}");
                    fine += 1;
                }
                // If several nodes fail, any of them is named.
                (Err(expected), Err(found)) => {
                    assert_eq!(expected.code(), found.code(), "{seed}");
                    assert!([&expected, &found].iter().all(|e| e.to_string().contains("FloorDiv")), "{found}");
                    failed += 1;
                }
                (expected, found) => panic!("{seed}: {expected:?}, but {found:?}"),
            }
        }
    }
    assert!(fine > 150 && failed > 10, "{fine} {failed}");
}

#[test]
fn types_that_are_not_plain_stay_alone() {
    let graph = json!({"node": [
        {"name": "x", "op": "Placeholder", "attr": {"dtype": "string"}},
        {"name": "a", "op": "Add", "input": ["x", "x"]},
        {"name": "b", "op": "Add", "input": ["a", "x"]},
    ]});
    let (fused, trace) = traced(&both(&graph, 1)[0], &[("x", Tensor::string("ab"))], &["b"]);
    assert_eq!(fused.unwrap()[0], Tensor::string("ababab"));
    assert_eq!((groups(&trace.unwrap()).len(), DType::Str.is_plain()), (0, false));
}

mod graphics {
    use super::*;
    use levada::kernel::AnyDevice;
    use levada::replay::compare::compare;
    use levada_gpu::GpuDevice;
    use levada_gpu::backend::Backend;
    use levada_gpu::host::Host;
    use levada_gpu::print::Language;
    use std::sync::Arc;

    const GPU: &str = "/device:GPU:0";

    /// The interpreters of programs.
    fn hosts() -> [Arc<dyn Backend>; 2] {
        [Language::Wgsl, Language::Cuda].map(|language| Arc::new(Host::new(language, None)) as Arc<dyn Backend>)
    }

    fn both(graph: &Value, backend: &Arc<dyn Backend>) -> [Session; 2] {
        [false, true].map(|no_fusion| {
            let graph = read::json(graph.to_string().as_bytes(), &levada::registry()).unwrap();
            let options =
                SessionOptions { threads: 1, no_fusion, allow_soft_placement: true, ..SessionOptions::default() };
            let mut devices: Vec<Arc<dyn AnyDevice>> = levada::devices(&options);
            devices.push(Arc::new(GpuDevice::new(0, backend.clone(), None)));
            Session::with_devices(graph, devices, options).unwrap()
        })
    }

    /// Equal numbers; NaNs may differ in their bits.
    fn equal(a: &[Tensor], b: &[Tensor]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| compare(a, b, 0.0, 0.0).is_none())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

        #[test]
        fn programs_of_groups_give_what_those_of_nodes_give(
            picks in prop::collection::vec(any::<[u8; 5]>(), 1..24),
            shapes in 0usize..4,
            dead in any::<bool>(),
            taken in any::<bool>(),
        ) {
            let shapes: [&[usize]; 3] = match shapes {
                0 => [&[3, 4], &[4], &[3, 1]],
                1 => [&[300], &[1], &[]],
                2 => [&[3, 5, 7], &[5, 1], &[3, 1, 1]],
                _ => [&[0, 5], &[5], &[1, 1]],
            };
            let graph = random(&picks, dead, GPU);
            for backend in hosts() {
                check_random(&graph, &random_feeds(shapes, taken), &both(&graph.0, &backend), equal);
            }
        }
    }

    #[test]
    fn a_chain_is_one_program() {
        let mut nodes = vec![json!({"name": "x", "op": "Placeholder", "attr": {"dtype": "float32"}})];
        let mut last = "x".to_owned();
        for (i, (op, with)) in [
            ("Mul", 1.5),
            ("AddV2", 0.25),
            ("Relu", 0.0),
            ("Mul", 2.0),
            ("Sub", 0.125),
            ("Abs", 0.0),
            ("Mul", 0.5),
            ("Maximum", 0.1),
            ("Minimum", 3.0),
            ("Sqrt", 0.0),
            ("AddV2", 7.0),
        ]
        .into_iter()
        .enumerate()
        {
            let name = format!("n{i}");
            let mut input = vec![last];
            if with != 0.0 {
                nodes
                    .push(json!({"name": format!("c{i}"), "op": "Const", "attr": {"dtype": "float32", "value": with}}));
                input.push(format!("c{i}"));
            }
            nodes.push(json!({"name": name, "op": op, "input": input, "device": GPU}));
            last = name;
        }
        let graph = json!({"node": nodes});
        let found = levada_tests::graphics_processors().into_iter().map(|found| found.open().unwrap());
        for backend in hosts().into_iter().chain(found) {
            let [fused, single] = both(&graph, &backend);
            let feeds = [("x", table(&[60, 50], 1))];
            let (found, trace) = traced(&fused, &feeds, &["n10"]);
            let trace = trace.unwrap();
            let events: Vec<usize> = trace
                .events
                .iter()
                .filter(|e| e.device.contains("GPU") && !e.op.starts_with('_'))
                .map(|e| e.nodes().len())
                .collect();
            assert_eq!(events, [11]);
            let expected = single.run(&feeds, &["n10"], &[]).unwrap();
            assert_eq!(compare(&found.unwrap()[0], &expected[0], 1e-5, 1e-6), None);
        }
    }
}

/// TensorFlow has no CPU kernel of `_FusedBatchNormEx` as a reference; the separate ops define the result.
#[test]
fn a_fused_batch_norm_gives_what_its_ops_give() {
    let x: Vec<f32> = (0..24).map(|i| (i * 7 % 11) as f32 - 5.0).collect();
    let side: Vec<f32> = (0..24).map(|i| (i * 5 % 13) as f32 - 6.0).collect();
    let tensor = |v: &[f32]| Tensor::from_vec(Shape::new([2, 2, 2, 3]).unwrap(), v.to_vec()).unwrap();
    for (format, training) in [("NHWC", false), ("NHWC", true), ("NCHW", false)] {
        let mut b = Builder::new(levada::registry());
        let channels = if format == "NHWC" { 3 } else { 2 };
        let inputs: Vec<_> = [tensor(&x), tensor(&side)].into_iter().map(|v| b.constant(v)).collect();
        let vectors: Vec<_> = (1..=4).map(|i| b.constant(Tensor::vector(vec![0.5 * i as f32; channels]))).collect();
        let norm = |b: &mut Builder, op: &str, more: &[(&str, AttrValue)], sides: &[Output]| {
            let node = b.node(op).name(op).input(inputs[0]).inputs(vectors.clone()).inputs(sides.to_vec());
            let node = node.attr("is_training", training).attr_value("data_format", AttrValue::S(format.into()));
            more.iter().fold(node, |node, (name, value)| node.attr_value(name, value.clone())).add()
        };
        let plain = norm(&mut b, "FusedBatchNormV3", &[], &[]);
        let sum = b.add(plain, inputs[1]);
        let parts = b.op("Relu", &[sum]);
        let attrs = [("num_side_inputs", AttrValue::I(1)), ("activation_mode", AttrValue::S("Relu".into()))];
        let whole = norm(&mut b, "_FusedBatchNormEx", &attrs, &inputs[1..]);
        let pairs = [(parts, whole), (plain.output(1), whole.output(1)), (plain.output(2), whole.output(2))];
        let names: Vec<String> = pairs.iter().flat_map(|&(a, b)| [a, b]).map(|o| b.name(o)).collect();
        let session = Session::new(b.finish().unwrap(), SessionOptions::default()).unwrap();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let found = session.run(&[], &names, &[]).unwrap();
        assert!(found.chunks_exact(2).all(|pair| pair[0] == pair[1]), "{format}, training {training}: {found:?}");
    }
}

/// Attention by a graph: queries, keys and values of `[batch, positions, heads, size]`, with their heads brought forward where `moved`.
fn attention(dtype: &str, moved: bool, between: &[Value]) -> Value {
    let mut nodes = vec![
        json!({"name": "q", "op": "Placeholder", "attr": {"dtype": dtype}}),
        json!({"name": "k", "op": "Placeholder", "attr": {"dtype": dtype}}),
        json!({"name": "v", "op": "Placeholder", "attr": {"dtype": dtype}}),
        json!({"name": "m", "op": "Placeholder", "attr": {"dtype": dtype}}),
        json!({"name": "scale", "op": "Const", "attr": {"dtype": dtype, "value": 0.125}}),
        json!({"name": "perm", "op": "Const", "attr": {"dtype": "int32", "value": [0, 2, 1, 3]}}),
    ];
    nodes.extend_from_slice(between);
    let last = between.last().map_or("scores", |node| node["name"].as_str().unwrap());
    nodes.push(json!({"name": "weights", "op": "Softmax", "input": [last]}));
    match moved {
        true => {
            for name in ["q", "k", "v"] {
                nodes.push(json!({"name": format!("{name}_heads"), "op": "Transpose", "input": [name, "perm"]}));
            }
            let attr = json!({"adj_y": true});
            nodes.push(json!({"name": "scores", "op": "BatchMatMulV2", "input": ["q_heads", "k_heads"], "attr": attr}));
            nodes.push(json!({"name": "sums", "op": "BatchMatMulV2", "input": ["weights", "v_heads"]}));
            nodes.push(json!({"name": "y", "op": "Transpose", "input": ["sums", "perm"]}));
        }
        false => {
            let attr = |equation: &str| json!({"equation": equation, "N": 2});
            let (first, second) = (attr("aecd,abcd->acbe"), attr("acbe,aecd->abcd"));
            nodes.push(json!({"name": "scores", "op": "Einsum", "input": ["k", "q"], "attr": first}));
            nodes.push(json!({"name": "y", "op": "Einsum", "input": ["weights", "v"], "attr": second}));
        }
    }
    json!({"node": nodes})
}

#[test]
fn attention_tile_by_tile_gives_the_bits_of_its_nodes() {
    let scaled = json!({"name": "scaled", "op": "Mul", "input": ["scores", "scale"]});
    let masked = json!({"name": "masked", "op": "AddV2", "input": ["m", "scaled"]});
    let wide = json!({"name": "wide", "op": "Maximum", "input": ["masked", "scale"]});
    let between: [&[Value]; 3] = [&[], std::slice::from_ref(&scaled), &[scaled.clone(), masked, wide]];
    // Batch, positions of queries and of keys, heads, size.
    let sizes = [
        [2, 150, 160, 3, 8],
        [1, 600, 300, 2, 16],
        [1, 1000, 70, 1, 5],
        [3, 1, 900, 40, 4],
        [5, 64, 64, 4, 24],
        [0, 8, 8, 2, 4],
    ];
    for (i, [batch, positions, keys, heads, size]) in sizes.into_iter().enumerate() {
        for (moved, between) in [(true, between[i % 3]), (false, between[(i + 1) % 3]), (true, between[2])] {
            for mask in [&[batch, 1, 1, keys][..], &[positions, keys], &[1, heads, positions, 1]] {
                let graph = attention("float32", moved, between);
                let queries = table(&[batch, positions, heads, size], 1);
                let (k, v) = (table(&[batch, keys, heads, size], 2), table(&[batch, keys, heads, size], 3));
                let (found, trace) =
                    compare(&graph, &[("q", queries), ("k", k), ("v", v), ("m", table(mask, 4))], &["y"]);
                assert_eq!(found.unwrap()[0].shape().dims(), [batch, positions, heads, size]);
                let members = groups(&trace).into_iter().find(|group| group.contains(&"weights")).unwrap();
                assert_eq!(members.len(), between.len() + if moved { 7 } else { 3 });
            }
        }
    }
}

#[test]
fn attention_fails_as_its_nodes_do() {
    let masked = json!({"name": "masked", "op": "AddV2", "input": ["scores", "m"]});
    // Inputs of one shape only: not even where a tile would have that shape.
    let summed = json!({"name": "summed", "op": "AddN", "input": ["scores", "m"], "attr": {"N": 2}});
    let scaled = json!({"name": "scaled", "op": "Mul", "input": ["summed", "scale"]});
    for moved in [true, false] {
        for between in [std::slice::from_ref(&summed), &[summed.clone(), scaled.clone()]] {
            let graph = attention("float32", moved, between);
            let x = table(&[2, 128, 4, 16], 1);
            for (mask, fits) in [([1, 4, 128, 128], false), ([2, 1, 128, 128], false), ([2, 4, 128, 128], true)] {
                let feeds = [("q", x.clone()), ("k", x.clone()), ("v", x.clone()), ("m", table(&mask, 3))];
                let (found, _) = compare(&graph, &feeds, &["y"]);
                assert_eq!(found.is_ok(), fits);
            }
        }
        let graph = attention("float32", moved, std::slice::from_ref(&masked));
        let feeds = |keys: &[usize], mask: &[usize]| {
            let x = table(&[2, 128, 4, 16], 1);
            [("q", x.clone()), ("k", table(keys, 2)), ("v", x), ("m", table(mask, 3))]
        };
        for (keys, mask) in [([2, 128, 4, 8], &[128][..]), ([2, 50, 4, 16], &[1]), ([2, 128, 4, 16], &[3, 128])] {
            let (found, _) = compare(&graph, &feeds(&keys, mask), &["y"]);
            assert_eq!(found.unwrap_err().code(), Code::InvalidArgument);
        }
        let (found, _) = compare(&graph, &feeds(&[2, 128, 4, 16], &[128]), &["y"]);
        assert!(found.is_ok());
    }
}
