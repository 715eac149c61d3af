//! Wrong graphs: each fault is reported once, at its line, and causes no others.

mod common;

use common::{faults, nodes, read};
use levada_graph::Code;

#[test]
fn each_fault_stands_alone() {
    let x = r#"{"name": "x", "op": "Placeholder", "attr": {"dtype": "float32", "shape": [2, 2]}}"#;
    let i = r#"{"name": "i", "op": "Const", "attr": {"dtype": "int32", "value": [[1, 2], [3, 4]]}}"#;
    let cases = [
        (r#"{"name": "a", "op": "Relu", "input": ["y"]}"#, "an input names no node of the graph"),
        (r#"{"name": "a", "op": "Relu", "input": ["x:1"]}"#, "x has no such output"),
        (r#"{"name": "a", "op": "Relu", "input": ["^x", "x"]}"#, "a data input follows a control input"),
        (r#"{"name": "a", "op": "Relu", "input": ["x", "^nobody"]}"#, "an input names no node of the graph"),
        (r#"{"name": "a", "op": "Relu", "input": []}"#, "Relu takes 1 input"),
        (r#"{"name": "a", "op": "Relu", "input": ["x", "x"]}"#, "Relu takes 1 input"),
        (r#"{"name": "a", "op": "NoOp", "input": ["x"]}"#, "NoOp takes no inputs"),
        (r#"{"name": "a", "op": "AddV2", "input": ["x", "i"]}"#, "input 1 (y) of AddV2 has the wrong type"),
        (
            r#"{"name": "a", "op": "AddV2", "input": ["x", "x"], "attr": {"T": "int32"}}"#,
            "the attr T of AddV2 is not the dtype of its inputs",
        ),
        (r#"{"name": "a", "op": "Relu", "input": ["i"]}"#, "Relu does not take inputs of this type"),
        (r#"{"name": "a", "op": "Rellu", "input": ["x"]}"#, "the op Rellu is not supported"),
        (r#"{"name": "x", "op": "Relu", "input": ["x"]}"#, "two nodes are named x"),
        (r#"{"name": "a b", "op": "Relu", "input": ["x"]}"#, "\"a b\" is not a legal name for a node"),
        (r#"{"name": "_a", "op": "Relu", "input": ["x"]}"#, "\"_a\" is not a legal name for a node"),
        (r#"{"op": "Relu", "input": ["x"]}"#, "the node has no name"),
        (r#"{"name": "a", "input": ["x"]}"#, "the node has no op"),
        (r#"{"name": "a", "op": "Relu", "inputs": ["x"]}"#, "a node has no field \"inputs\""),
        (r#"{"name": "a", "op": "Relu", "input": "x"}"#, "this is not a list"),
        (r#"{"name": "a", "op": "Relu", "input": ["x"], "input": ["x"]}"#, "duplicate key \"input\""),
        (r#"{"name": "a", "op": "Cast", "input": ["x"]}"#, "the attr DstT is missing"),
        (
            r#"{"name": "a", "op": "Cast", "input": ["x"], "attr": {"DstT": 7.5}}"#,
            "the attr DstT of Cast is not a dtype",
        ),
        (
            r#"{"name": "a", "op": "Cast", "input": ["x"], "attr": {"DstT": "floot32"}}"#,
            "there is no dtype \"floot32\"",
        ),
        (
            r#"{"name": "a", "op": "Cast", "input": ["x"], "attr": {"DstT": {"type": 77}}}"#,
            "77 is not the number of a dtype",
        ),
        (
            r#"{"name": "a", "op": "MatMul", "input": ["x", "x"], "attr": {"transpos_a": true}}"#,
            "MatMul has no attr transpos_a",
        ),
        (
            r#"{"name": "a", "op": "MatMul", "input": ["x", "x"], "attr": {"transpose_a": "yes"}}"#,
            "the attr transpose_a of MatMul is not a bool",
        ),
        (
            r#"{"name": "a", "op": "MatMul", "input": ["x", "x"], "attr": {"transpose_a": {"b": 1}}}"#,
            "this is not a bool",
        ),
        (
            r#"{"name": "a", "op": "BiasAdd", "input": ["x", "x"], "attr": {"data_format": "NCWH"}}"#,
            "the attr data_format of BiasAdd has an invalid value",
        ),
        (
            r#"{"name": "a", "op": "BiasAdd", "input": ["x", "x"], "attr": {"data_format": {"s": "NCHW"}}}"#,
            "the attr data_format of BiasAdd has an invalid value",
        ),
        (
            r#"{"name": "a", "op": "BiasAdd", "input": ["x", "x"], "attr": {"data_format": {"s": "!"}}}"#,
            "the bytes are not in base64",
        ),
        (
            r#"{"name": "a", "op": "MaxPool", "input": ["x"], "attr": {"ksize": 2, "strides": [1, 2, 2, 1], "padding": "SAME"}}"#,
            "the attr ksize of MaxPool is not a list of ints",
        ),
        (
            r#"{"name": "a", "op": "MaxPool", "input": ["x"], "attr": {"ksize": [2, 2], "strides": [1, 2, 2, 1], "padding": "SAME"}}"#,
            "the attr ksize of MaxPool is too short",
        ),
        (
            r#"{"name": "a", "op": "MaxPool", "input": ["x"], "attr": {"ksize": [1, 2.5, 2, 1], "strides": [1, 2, 2, 1], "padding": "SAME"}}"#,
            "this is not an int",
        ),
        (r#"{"name": "a", "op": "AddN", "input": ["x", "x"], "attr": {"N": 3}}"#, "AddN takes 3 inputs"),
        (
            r#"{"name": "a", "op": "AddN", "input": ["x", "x"], "attr": {"N": 1000000000000}}"#,
            "AddN takes 1000000000000 inputs",
        ),
        (
            r#"{"name": "a", "op": "Unpack", "input": ["x"], "attr": {"num": 1000000000000}}"#,
            "Unpack has too many outputs",
        ),
        (
            r#"{"name": "a", "op": "Unpack", "input": ["x"], "attr": {"num": -1}}"#,
            "the attr num of Unpack has an invalid value",
        ),
        (r#"{"name": "a", "op": "AddN", "input": []}"#, "AddN takes at least 1 input"),
        (r#"{"name": "a", "op": "AddN", "input": ["x", "i"]}"#, "input 1 (inputs) of AddN has the wrong type"),
        (
            r#"{"name": "a", "op": "IdentityN", "input": ["x", "i"], "attr": {"T": ["float32"]}}"#,
            "IdentityN takes 1 input",
        ),
        (
            r#"{"name": "a", "op": "IdentityN", "input": ["x", "i"], "attr": {"T": ["float32", "int64"]}}"#,
            "input 1 (input) of IdentityN has the wrong type",
        ),
        (r#"{"name": "a", "op": "Assign", "input": ["x", "x"]}"#, "input 0 (ref) of Assign has the wrong type"),
        (r#"{"name": "a", "op": "Switch", "input": ["x", "x"]}"#, "input 1 (pred) of Switch has the wrong type"),
        (
            r#"{"name": "a", "op": "Identity", "input": ["x"], "attr": {"T": "float32_ref"}}"#,
            "the attr T of Identity names a dtype of references",
        ),
        (
            r#"{"name": "a", "op": "Identity", "input": ["x"], "attr": {"_class": ["loc:@y"]}}"#,
            "the node is colocated with y, which is not in the graph",
        ),
        (
            r#"{"name": "a", "op": "Identity", "input": ["x"], "attr": {"T": {"type": 1, "i": 2}}}"#,
            "an attr has one value",
        ),
        (
            r#"{"name": "a", "op": "Const", "attr": {"value": [[1, 2], [3]]}}"#,
            "the lists of one level differ in length",
        ),
        (r#"{"name": "a", "op": "Const", "attr": {"value": [[1, 2], 3]}}"#, "the lists of one level differ in length"),
        (r#"{"name": "a", "op": "Const", "attr": {"value": [1, [2]]}}"#, "the lists are nested to different depths"),
        (r#"{"name": "a", "op": "Const", "attr": {"value": [1, "b"]}}"#, "this is not a float"),
        (
            r#"{"name": "a", "op": "Const", "attr": {"dtype": "int8", "value": [1, 300]}}"#,
            "the number is too large or too small",
        ),
        (r#"{"name": "a", "op": "Const", "attr": {"value": 3000000000}}"#, "the number is too large or too small"),
        (r#"{"name": "a", "op": "Const", "attr": {"dtype": "float32"}}"#, "the attr value is missing"),
        (
            r#"{"name": "a", "op": "Const", "attr": {"dtype": "int32", "value": {"tensor": {"dtype": "DT_FLOAT", "floatVal": [1]}}}}"#,
            "the dtype of the attr value differs from the attr dtype",
        ),
        (
            r#"{"name": "a", "op": "Const", "attr": {"dtype": "int32", "value": {"tensor": {"dtype": "DT_INT32", "tensorShape": {"dim": [{"size": 3}]}, "tensorContent": "AAAA"}}}}"#,
            "the bytes do not fill a tensor of int32 and shape [3]",
        ),
        (
            r#"{"name": "a", "op": "Const", "attr": {"dtype": "int32", "value": {"tensor": {"dtype": "DT_INT32", "floatVal": [3]}}}}"#,
            "the values of a tensor of int32 are in the wrong field",
        ),
        (
            r#"{"name": "a", "op": "Const", "attr": {"dtype": "int32", "value": {"tensor": {"dtype": "DT_INT32", "tensorShape": {"dim": [{"size": "1000000000000000"}]}, "intVal": [3]}}}}"#,
            "a tensor of int32 and shape [1000000000000000] is too large",
        ),
        (
            r#"{"name": "a", "op": "Const", "attr": {"dtype": "int32", "value": {"tensor": {"dtype": "DT_INT32", "tensorShape": {"dim": [{"size": "1000000000000000"}, {"size": "1000000000000000"}]}, "intVal": [3]}}}}"#,
            "the shape [1000000000000000, 1000000000000000] has too many elements",
        ),
        (r#"{"name": "a", "op": "Placeholder", "attr": {"dtype": "float32", "shape": [-2]}}"#, "a size is negative"),
        (
            r#"{"name": "a", "op": "Placeholder", "attr": {"dtype": "float32", "shape": {"shape": {"dim": [{"siz": 1}]}}}}"#,
            "a dim has no field \"siz\"",
        ),
        (r#"{"name": "a", "op": "Relu", "input": ["a"]}"#, "the nodes form a cycle that no loop closes"),
        (r#"{"name": "a", "op": "NoOp", "input": ["^a"]}"#, "the nodes form a cycle that no loop closes"),
        (r#"{"name": "a", "op": 7, "input": ["x"]}"#, "this is not a string"),
        (r#"7"#, "a node is a JSON object"),
        (
            r#"{"name": "a", "op": "Enter", "input": ["x"], "attr": {"frame_name": "f", "parallel_iterations": {"i": "many"}}}"#,
            "this is not an int",
        ),
    ];
    for (line, message) in cases {
        let users = [
            r#"{"name": "user", "op": "Relu", "input": ["a"]}"#,
            r#"{"name": "user2", "op": "AddV2", "input": ["user", "x"]}"#,
        ];
        // A consumer of a node at fault is not at fault.
        let named = line.contains("\"name\": \"a\"") && !line.contains("NoOp");
        let mut lines = vec![x, i, line];
        lines.extend(if named { &users[..] } else { &[] });
        assert_eq!(faults(nodes(&lines)), [format!("4: {message}")], "{line}");
    }
}

#[test]
fn text_that_is_not_json() {
    let cases = [
        ("", "the file is empty", None),
        ("  \n", "the file is empty", None),
        ("[1]", "a graph is a JSON object", None),
        ("{\"node\": 3}", "the nodes of a graph are not a list", None),
        ("{\"nodes\": []}", "a graph has no field \"nodes\"", Some("did you mean \"node\"?")),
        ("{\"node\": [], \"node\": []}", "duplicate key \"node\"", Some("remove one of the two")),
        (
            "{\n  // mine\n  \"node\": []}",
            "the text is not JSON: key must be a string",
            Some("JSON has no comments; remove them"),
        ),
        (
            "{\"node\": [1, ]}",
            "the text is not JSON: trailing comma",
            Some("JSON has no comma after the last element; remove it"),
        ),
        (
            "{\"node\": [",
            "the text is not JSON: EOF while parsing a list",
            Some("the file ends too early: was it cut off?"),
        ),
        ("{'node': []}", "the text is not JSON: key must be a string", Some("JSON strings are in double quotes")),
        (
            "{\"node\": [NaN]}",
            "the text is not JSON: expected value",
            Some("write \"NaN\", \"Infinity\" or \"-Infinity\", in quotes"),
        ),
        ("{\"node\": [True]}", "the text is not JSON: expected value", Some("JSON writes true, false and null")),
        (
            "node {\n  name: \"x\"\n}",
            "the text is not JSON: expected ident",
            Some("this looks like protobuf's text format, which is read as a file or by read::bytes"),
        ),
        ("{\"node\": []} x", "the text is not JSON: trailing characters", None),
        (
            "{\"metaGraphs\": []}",
            "this is a SavedModel, not a graph",
            Some("write out the graphDef of one of its metaGraphs"),
        ),
        (
            "{\"graph\": {}, \"steps\": []}",
            "this is a recorded session, not a graph",
            Some("`levada verify` replays recorded sessions"),
        ),
    ];
    for (text, message, help) in cases {
        let error = read(text).unwrap_err();
        assert_eq!((error.message(), error.fault().help.as_deref()), (message, help), "{text}");
        assert_eq!(error.code(), Code::InvalidArgument);
    }
    let error = read("{\n  \"node\": [\n    {\"name\": \"é\",, \"op\": \"NoOp\"}\n  ]\n}").unwrap_err();
    assert_eq!((error.fault().line, error.fault().column), (Some(3), Some(18)));
    let error = levada_graph::read::json(b"{\"node\": [\n\xff]}", &common::registry()).unwrap_err();
    assert_eq!((error.message(), error.fault().line), ("the text is not UTF-8", Some(2)));
}

#[test]
fn lone_surrogates_and_huge_numbers_are_faults_of_syntax() {
    let error = nodes(&[r#"{"name": "a", "op": "NoOp"}"#, r#"{"name": "\ud800", "op": "NoOp"}"#]).unwrap_err();
    assert_eq!(error.fault().line, Some(3), "{error}");
    let error = nodes(&[r#"{"name": "a", "op": "Const", "attr": {"value": 1e999}}"#]).unwrap_err();
    assert_eq!(error.message(), "the text is not JSON: number out of range");
}

#[test]
fn cycles_are_named_once_and_their_users_are_checked() {
    let lines = [
        r#"{"name": "a", "op": "Identity", "input": ["c"], "attr": {"T": "float32"}}"#,
        r#"{"name": "b", "op": "Identity", "input": ["a"], "attr": {"T": "float32"}}"#,
        r#"{"name": "c", "op": "Identity", "input": ["b"], "attr": {"T": "float32"}}"#,
        r#"{"name": "d", "op": "Identity", "input": ["c"]}"#,
        r#"{"name": "e", "op": "Relu", "input": ["d", "nobody"]}"#,
        r#"{"name": "f", "op": "NoOp", "input": ["^g"]}"#,
        r#"{"name": "g", "op": "NoOp", "input": ["^f", "^d"]}"#,
    ];
    let error = nodes(&lines).unwrap_err();
    let found: Vec<_> = error.all().map(|e| (e.fault().line.unwrap(), e.fault().found.clone().unwrap())).collect();
    assert_eq!(
        found,
        [
            (2, "a -> b -> c -> a".to_owned()),
            (6, "2 inputs".to_owned()),
            (6, "\"nobody\"".to_owned()),
            (7, "f -> g -> f".to_owned())
        ]
    );
}

#[test]
fn loops_close_through_next_iteration_and_merge() {
    let body = |back: &str| {
        vec![
            r#"{"name": "next", "op": "NextIteration", "input": ["body"]}"#.to_owned(),
            r#"{"name": "zero", "op": "Const", "attr": {"value": 0.0}}"#.to_owned(),
            r#"{"name": "enter", "op": "Enter", "input": ["zero"], "attr": {"frame_name": "w"}}"#.to_owned(),
            format!(r#"{{"name": "merge", "op": "Merge", "input": ["{back}", "enter"]}}"#),
            r#"{"name": "less", "op": "Less", "input": ["merge", "merge"]}"#.to_owned(),
            r#"{"name": "cond", "op": "LoopCond", "input": ["less"]}"#.to_owned(),
            r#"{"name": "switch", "op": "Switch", "input": ["merge", "cond"]}"#.to_owned(),
            r#"{"name": "body", "op": "Identity", "input": ["switch:1"]}"#.to_owned(),
            r#"{"name": "exit", "op": "Exit", "input": ["switch"]}"#.to_owned(),
        ]
    };
    let lines = body("next");
    let graph = nodes(&lines.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
    assert_eq!(common::attr(&graph, "merge", "T"), r#"{"type": "DT_FLOAT"}"#);
    assert_eq!(common::attr(&graph, "merge", "N"), r#"{"i": "2"}"#);
    assert_eq!(common::attr(&graph, "exit", "T"), r#"{"type": "DT_FLOAT"}"#);
    let lines = body("next:1");
    let wrong = faults(nodes(&lines.iter().map(String::as_str).collect::<Vec<_>>()));
    assert_eq!(wrong, ["5: next has no such output"]);
    let lines = body("body");
    let wrong = faults(nodes(&lines.iter().map(String::as_str).collect::<Vec<_>>()));
    assert_eq!(wrong, ["5: the nodes form a cycle that no loop closes"]);
}

#[test]
fn a_cycle_through_unsupported_ops_is_not_called_one() {
    let lines =
        [r#"{"name": "a", "op": "MyMerge", "input": ["b"]}"#, r#"{"name": "b", "op": "Identity", "input": ["a"]}"#];
    assert_eq!(faults(nodes(&lines)), ["2: the op MyMerge is not supported"]);
}

#[test]
fn an_op_that_the_build_leaves_out_is_told_with_its_feature() {
    let registry = common::registry().leaving_out([("FFT", "fft")]);
    let error = levada_graph::graph::unknown_op(&registry, "FFT");
    assert_eq!(error.code(), Code::Unimplemented);
    assert_eq!(error.message(), "the op FFT is left out of this build, which lacks the feature fft");
    assert_eq!(error.fault().help.as_deref(), Some("build with `--features fft`"));
}

#[test]
fn functions_are_kept_and_called() {
    let text = r#"{
      "node": [{"name": "a", "op": "f"}, {"name": "b", "op": "g"}],
      "library": {"function": [
        {"signature": {"name": "f"}, "nodeDef": [{"name": "b c", "op": "NoOp"}]},
        {"signature": {"name": "g", "inputArg": [{"name": "x", "typeAttr": "T"}], "attr": [{"name": "T", "type": "type"}]}}
      ]}
    }"#;
    let error = read(text).unwrap_err();
    let found: Vec<_> = error.all().map(|e| (e.code(), e.fault().path.clone().unwrap())).collect();
    assert_eq!(
        found,
        [
            (Code::Unimplemented, "node[0].op".to_owned()),
            (Code::InvalidArgument, "node[1].op".to_owned()),
            (Code::InvalidArgument, "library.function[0].nodeDef[0].name".to_owned())
        ]
    );
}

#[test]
fn versions_are_checked() {
    let wrong = faults(read("{\"versions\": {\"producer\": 9999,\n\"minConsumer\": 9999}}"));
    assert_eq!(wrong, ["2: the graph needs a newer reader"]);
    let wrong = faults(read(r#"{"versions": {"producer": 9999, "badConsumers": [1, 2474]}}"#));
    assert_eq!(wrong, ["1: the graph says that readers of this version must not read it"]);
}

#[test]
fn a_node_may_wait_for_very_many() {
    let mut lines: Vec<String> = (0..50_000).map(|i| format!(r#"{{"name": "n{i}", "op": "NoOp"}}"#)).collect();
    let waits: Vec<String> = (0..100_000).map(|i| format!("\"^n{}\"", i % 50_000)).collect();
    lines.push(format!(r#"{{"name": "all", "op": "NoOp", "input": [{}]}}"#, waits.join(",")));
    let start = std::time::Instant::now();
    let graph = nodes(&lines.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
    assert_eq!(graph.node(graph.find("all").unwrap()).control_inputs.len(), 50_000);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn many_faults_do_not_take_long() {
    let lines: Vec<String> =
        (0..20_000).map(|i| format!(r#"{{"name": "n{i}", "op": "Reluu", "input": ["m{i}"]}}"#)).collect();
    let start = std::time::Instant::now();
    let error = nodes(&lines.iter().map(String::as_str).collect::<Vec<_>>()).unwrap_err();
    assert_eq!(error.all().count(), 40_000);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
