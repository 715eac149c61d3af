//! The limits of untrusted graphs: exceeding one is an error that names the node and the limit, and the session stays
//! usable.

use levada::graph::read;
use levada::{Builder, Code, DType, Error, Limit, Limits, Ops, PartialShape, Result, Session, SessionOptions, Tensor};
use serde_json::{Value, json};
use std::time::Duration;

fn options(limits: Limits) -> SessionOptions {
    SessionOptions { threads: 2, ..SessionOptions::untrusted(limits) }
}

/// A session of the graph that `build` builds, beside a node `fine` that always runs.
fn session(limits: Limits, build: impl FnOnce(&mut Builder)) -> Session {
    let mut b = Builder::new(levada::registry());
    build(&mut b);
    let x = b.placeholder("x", DType::I32, PartialShape::scalar());
    Ops::new(&mut b).add_v2(x, x).name("fine").add();
    Session::new(b.finish().unwrap(), options(limits)).unwrap()
}

/// Checks that a run fails by a limit at a node, and that the session stays usable.
fn expect(result: Result<Vec<Tensor>>, limit: Limit, node: &str, session: &Session) -> Error {
    let error = result.unwrap_err();
    assert_eq!(error.fault().limit, Some(limit), "{error}");
    assert_eq!(error.fault().node.as_deref(), Some(node), "{error}");
    let code = if limit == Limit::Time { Code::DeadlineExceeded } else { Code::ResourceExhausted };
    assert_eq!(error.code(), code, "{error}");
    let fine = session.run(&[("x", Tensor::scalar(2i32))], &["fine"], &[]).unwrap();
    assert_eq!(fine[0].item::<i32>().unwrap(), 4);
    error
}

#[test]
fn memory_of_a_run() {
    let limits = Limits { memory_of_step: 1 << 20, ..Limits::default() };
    let session = session(limits, |b| {
        let size = b.placeholder("size", DType::I32, PartialShape::Unknown);
        let o = Ops::new(b);
        let filled = o.fill(size, Tensor::scalar(1f32)).name("fill").add();
        o.sum(filled, Tensor::vector(vec![0i32])).name("sum").add();
    });
    let run = |n: i32| session.run(&[("size", Tensor::vector(vec![n]))], &["sum"], &[]);
    assert_eq!(run(1000).unwrap()[0].item::<f32>().unwrap(), 1000.0);
    expect(run(1 << 28), Limit::MemoryOfStep, "fill", &session);
    let policy = session.env().policy.clone().unwrap();
    assert_eq!(policy.used(), 0, "what a run took is given back");
}

#[test]
fn memory_of_feeds() {
    let session = session(Limits { memory_of_step: 1 << 20, ..Limits::default() }, |b| {
        let y = b.placeholder("y", DType::F32, PartialShape::Unknown);
        Ops::new(b).size(y).name("size").add();
    });
    let large = Tensor::vector(vec![0f32; 1 << 19]);
    expect(session.run(&[("y", large)], &["size"], &[]), Limit::MemoryOfStep, "y", &session);
}

#[test]
fn memory_of_a_session_counts_what_callers_hold() {
    let limits = Limits { memory: 1 << 20, memory_of_step: 1 << 20, ..Limits::default() };
    let session = session(limits, |b| {
        let size = b.placeholder("size", DType::I32, PartialShape::Unknown);
        Ops::new(b).fill(size, Tensor::scalar(1f32)).name("fill").add();
    });
    let run = || session.run(&[("size", Tensor::vector(vec![150_000]))], &["fill"], &[]);
    let held = run().unwrap();
    expect(run(), Limit::Memory, "fill", &session);
    drop(held);
    run().unwrap();
}

#[test]
fn results() {
    let session = session(Limits { output_bytes: 1000, ..Limits::default() }, |b| {
        let size = b.placeholder("size", DType::I32, PartialShape::Unknown);
        Ops::new(b).fill(size, Tensor::scalar(1f64)).name("fill").add();
    });
    let run = |n: i32| session.run(&[("size", Tensor::vector(vec![n]))], &["fill"], &[]);
    run(125).unwrap();
    expect(run(126), Limit::OutputBytes, "fill", &session);
}

#[test]
fn strings_that_double() {
    let limits = Limits { string_bytes: 1 << 20, ..Limits::default() };
    let session = session(limits, |b| {
        let text = b.placeholder("text", DType::Str, PartialShape::scalar());
        let mut joined = text;
        for i in 0..60 {
            joined = b.node("StringJoin").name(&format!("join{i}")).inputs([joined, joined]).add();
        }
        let mut replaced = text;
        for i in 0..60 {
            let node = b.node("StaticRegexReplace").name(&format!("replace{i}")).input(replaced);
            replaced = node.attr("pattern", "a".to_owned()).attr("rewrite", "aa".to_owned()).add();
        }
        let numbers = b.constant(Tensor::vector(vec![1i32; 8]));
        let wide = b.node("AsString").name("wide").input(numbers);
        wide.attr("width", i64::from(i32::MAX)).add();
    });
    let run = |fetch: &str| session.run(&[("text", Tensor::string("a"))], &[fetch], &[]);
    assert_eq!(run("join3").unwrap()[0].num_bytes(), 16);
    // 2^20 bytes are allowed, the join of number 20 has 2^21.
    expect(run("join59"), Limit::StringBytes, "join20", &session);
    expect(run("replace59"), Limit::StringBytes, "replace20", &session);
    expect(run("wide"), Limit::StringBytes, "wide", &session);
}

#[test]
fn elements_of_queues() {
    let session = session(Limits { queue_elements: 100, ..Limits::default() }, |b| {
        let queue = b.node("FIFOQueueV2").name("queue").attr("component_types", vec![DType::I32]).add();
        let many = b.placeholder("many", DType::I32, PartialShape::Unknown);
        b.node("QueueEnqueueManyV2").name("fill").inputs([queue, many]).add();
    });
    let run = |n: usize| session.run(&[("many", Tensor::vector(vec![1i32; n]))], &[], &["fill"]);
    run(60).unwrap();
    expect(run(60), Limit::QueueElements, "fill", &session);
    run(40).unwrap();
}

/// The graph of a loop `while i < limit: i += 1` as control flow of version 1, with the result `out`.
fn endless() -> Value {
    let i32 = || json!({"type": "DT_INT32"});
    let constant = |name: &str, value: i32| {
        json!({"name": name, "op": "Const", "attr": {"dtype": i32(),
            "value": {"tensor": {"dtype": "DT_INT32", "tensorShape": {}, "intVal": [value]}}}})
    };
    let enter = |name: &str, of: &str, constant: bool| {
        json!({"name": name, "op": "Enter", "input": [of],
            "attr": {"T": i32(), "frame_name": {"s": "bG9vcA=="}, "is_constant": {"b": constant}}})
    };
    let node =
        |name: &str, op: &str, input: &[&str]| json!({"name": name, "op": op, "input": input, "attr": {"T": i32()}});
    json!({"node": [
        constant("zero", 0), constant("one", 1),
        {"name": "limit", "op": "Placeholder", "attr": {"dtype": i32()}},
        enter("start", "zero", false), enter("step", "one", true), enter("end", "limit", true),
        {"name": "merge", "op": "Merge", "input": ["start", "next"], "attr": {"T": i32(), "N": {"i": "2"}}},
        node("less", "Less", &["merge", "end"]),
        {"name": "cond", "op": "LoopCond", "input": ["less"]},
        node("switch", "Switch", &["merge", "cond"]),
        node("add", "AddV2", &["switch:1", "step"]),
        node("next", "NextIteration", &["add"]),
        node("out", "Exit", &["switch"]),
        node("fine", "AddV2", &["x", "x"]),
        {"name": "x", "op": "Placeholder", "attr": {"dtype": i32()}},
    ]})
}

fn of_json(graph: &Value, limits: Limits) -> Session {
    let graph = read::json(graph.to_string().as_bytes(), &levada::registry()).unwrap_or_else(|e| panic!("{e}"));
    Session::new(graph, options(limits)).unwrap()
}

fn count(session: &Session, limit: i32) -> Result<Vec<Tensor>> {
    session.run(&[("limit", Tensor::scalar(limit))], &["out"], &[])
}

#[test]
fn iterations() {
    let session = of_json(&endless(), Limits { iterations: 1000, ..Limits::default() });
    assert_eq!(count(&session, 1000).unwrap()[0].item::<i32>().unwrap(), 1000);
    expect(count(&session, 2000), Limit::Iterations, "next", &session);
}

#[test]
fn nodes() {
    let session = of_json(&endless(), Limits { nodes: 1000, ..Limits::default() });
    count(&session, 10).unwrap();
    let error = count(&session, 100_000).unwrap_err();
    assert_eq!((error.fault().limit, error.fault().node.is_some()), (Some(Limit::Nodes), true), "{error}");
    count(&session, 10).unwrap();
}

#[test]
fn time() {
    let session = of_json(&endless(), Limits { time: Duration::from_millis(200), ..Limits::default() });
    let error = count(&session, i32::MAX).unwrap_err();
    assert_eq!((error.code(), error.fault().limit), (Code::DeadlineExceeded, Some(Limit::Time)), "{error}");
    count(&session, 10).unwrap();
}

/// `y = f0(x)`, where each function calls the next twice, and the last returns its argument.
fn doubling(levels: usize) -> Value {
    let types = || json!({"list": {"type": ["DT_INT32"]}});
    let call = |name: &str, function: usize, input: &str| {
        json!({"name": name, "op": "PartitionedCall", "input": [input],
            "attr": {"Tin": types(), "Tout": types(), "f": {"func": {"name": format!("f{function}")}}}})
    };
    let signature = |i: usize| {
        json!({"name": format!("f{i}"), "inputArg": [{"name": "n", "type": "DT_INT32"}],
            "outputArg": [{"name": "r", "type": "DT_INT32"}]})
    };
    let functions = (0..levels).map(|i| {
        json!({"signature": signature(i), "nodeDef": [call("a", i + 1, "n"), call("b", i + 1, "a:output:0")],
            "ret": {"r": "b:output:0"}})
    });
    let last = json!({"signature": signature(levels), "nodeDef": [], "ret": {"r": "n"}});
    let functions: Vec<Value> = functions.chain([last]).collect();
    let i32 = || json!({"type": "DT_INT32"});
    json!({"node": [
        {"name": "x", "op": "Placeholder", "attr": {"dtype": i32()}},
        call("y", 0, "x"),
        {"name": "fine", "op": "AddV2", "input": ["x", "x"], "attr": {"T": i32()}},
    ], "library": {"function": functions}})
}

#[test]
fn functions_that_double() {
    let x = || [("x", Tensor::scalar(1i32))];
    let session = of_json(&doubling(60), Limits { nodes: 5000, ..Limits::default() });
    let error = session.run(&x(), &["y"], &[]).unwrap_err();
    assert_eq!(error.fault().limit, Some(Limit::Nodes), "{error}");
    session.run(&x(), &["fine"], &[]).unwrap();
    let session = of_json(&doubling(60), Limits { depth: 50, ..Limits::default() });
    let error = session.run(&x(), &["y"], &[]).unwrap_err();
    assert_eq!(error.fault().limit, Some(Limit::Depth), "{error}");
    let session = of_json(&doubling(5), Limits::default());
    assert_eq!(session.run(&x(), &["y"], &[]).unwrap()[0].item::<i32>().unwrap(), 1);
}

#[test]
fn lists_that_share_their_elements_add_up_to_lists_that_share_theirs() {
    let session = session(Limits { memory_of_step: 16 << 20, ..Limits::default() }, |b| {
        // 1,024 elements of 1 MiB that share one string.
        let element = b.placeholder("element", DType::F32, PartialShape::Unknown);
        let (shape, most) = (b.constant(Tensor::vector(vec![-1i32])), b.constant(Tensor::scalar(-1i32)));
        let empty = b.node("EmptyTensorList").name("empty").inputs([shape, most]);
        let empty = empty.attr("element_dtype", DType::F32).add();
        let pushed = b.node("TensorListPushBack").inputs([empty, element]);
        let mut list = pushed.attr("element_dtype", DType::F32).add();
        for _ in 0..10 {
            let joined = b.node("TensorListConcatLists").inputs([list, list]);
            list = joined.attr("element_dtype", DType::F32).add();
        }
        let sum = b.node("AddN").name("sum").inputs([list, list]).attr("N", 2i64).add();
        let zeros = b.node("ZerosLike").name("zeros").input(sum).add();
        b.node("TensorListLength").name("length").input(zeros).add();
    });
    let element = Tensor::vector(vec![1f32; 1 << 18]);
    let length = session.run(&[("element", element)], &["length"], &[]).unwrap();
    assert_eq!(length[0].item::<i32>().unwrap(), 1024);
}

#[test]
fn no_files_and_no_functions_of_the_program() {
    let host = levada::kernel::Host::default();
    host.register("f", |call: levada::kernel::HostCall| Ok(call.inputs));
    let mut b = Builder::new(levada::registry());
    Ops::new(&mut b).read_file(Tensor::string("/etc/hostname")).name("file").add();
    let x = b.constant(Tensor::scalar(1f32));
    let call = b.node("PyFunc").name("call").input(x).attr("token", "f".to_owned());
    call.attr("Tin", vec![DType::F32]).attr("Tout", vec![DType::F32]).add();
    let options = SessionOptions { host: Some(host.into()), ..options(Limits::default()) };
    let session = Session::new(b.finish().unwrap(), options).unwrap();
    for fetch in ["file", "call"] {
        assert_eq!(session.run(&[], &[fetch], &[]).unwrap_err().code(), Code::PermissionDenied, "{fetch}");
    }
}

#[test]
fn sizes_that_are_few_numbers_but_many_rows() {
    // One element, with the maximum number of columns: its transpose has the same number of rows.
    let graph = json!({"node": [
        {"name": "at", "op": "Const", "attr": {"dtype": "int64", "value": [[0, 1]]}},
        {"name": "values", "op": "Const", "attr": {"dtype": "float32", "value": [1]}},
        {"name": "sizes", "op": "Placeholder", "attr": {"dtype": "int64"}},
        {"name": "csr", "op": "SparseTensorToCSRSparseMatrix", "input": ["at", "values", "sizes"]},
        {"name": "turned", "op": "SparseMatrixTranspose", "input": ["csr"], "attr": {"type": "float32"}},
        {"name": "count", "op": "SparseMatrixNNZ", "input": ["turned"]},
        {"name": "order", "op": "SparseMatrixOrderingAMD", "input": ["csr"]},
    ]});
    let limits = Limits { memory: 256 << 20, memory_of_step: 256 << 20, ..Limits::default() };
    let session = of_json(&graph, limits);
    let run = |sizes: [i64; 2], fetch: &str| {
        session.run(&[("sizes", Tensor::vector(sizes.to_vec()))], &[fetch], &[]).map(|found| found[0].clone())
    };
    assert_eq!(run([4, 5], "count").unwrap().item::<i32>().unwrap(), 1);
    for (sizes, fetch) in [([4, i32::MAX.into()], "count"), ([1 << 24, 1 << 24], "order")] {
        let error = run(sizes, fetch).unwrap_err();
        assert_eq!(error.code(), Code::ResourceExhausted, "{error}");
    }
    // The maximum number of layers, none of which is computed.
    let graph = json!({"node": [
        {"name": "layers", "op": "Const", "attr": {"dtype": "int32", "value": i32::MAX}},
        {"name": "one", "op": "Const", "attr": {"dtype": "int32", "value": 1}},
        {"name": "params", "op": "Const", "attr": {"dtype": "float32", "value": [1, 2]}},
        {"name": "parts", "op": "CudnnRNNParamsToCanonical", "input": ["layers", "one", "one", "params"],
            "attr": {"num_params": 8}},
        {"name": "size", "op": "CudnnRNNParamsSize", "input": ["layers", "one", "one"], "attr": {"T": "float32", "S": "int64"}},
    ]});
    let session = of_json(&graph, Limits::default());
    let error = session.run(&[], &["parts"], &[]).unwrap_err();
    assert_eq!(error.code(), Code::InvalidArgument, "{error}");
    // Of each layer the four gates of an LSTM have two matrices of one element and two biases.
    let size = session.run(&[], &["size"], &[]).unwrap();
    assert_eq!(size[0].slice::<i64>().unwrap(), [16 * i64::from(i32::MAX)]);
}

#[test]
fn many_rounds_of_a_cipher() {
    let graph = json!({"node": [
        {"name": "index", "op": "Placeholder", "attr": {"dtype": "int64"}},
        {"name": "seed", "op": "Const", "attr": {"dtype": "int64", "value": [1, 2, 3]}},
        {"name": "most", "op": "Const", "attr": {"dtype": "int64", "value": 1_000_000}},
        {"name": "to", "op": "RandomIndexShuffle", "input": ["index", "seed", "most"], "attr": {"rounds": 1 << 20}},
    ]});
    let session = of_json(&graph, Limits { time: Duration::from_millis(200), ..Limits::default() });
    let begin = std::time::Instant::now();
    let index = Tensor::vector((0..100_000i64).collect::<Vec<_>>());
    let error = session.run(&[("index", index)], &["to"], &[]).unwrap_err();
    assert_eq!(error.code(), Code::DeadlineExceeded, "{error}");
    // All of them would take many minutes.
    assert!(begin.elapsed() < Duration::from_secs(60));
}

#[test]
fn lines_of_no_images() {
    let session = session(Limits { memory: 1 << 30, ..Limits::default() }, |b| {
        let images = b.placeholder("images", DType::F32, PartialShape::Unknown);
        Ops::new(b).resize_area(images, Tensor::vector(vec![3i32, 3])).name("resized").add();
    });
    let none = Tensor::from_vec(levada::Shape::new([0, 2, 1 << 31, 1]).unwrap(), Vec::<f32>::new()).unwrap();
    let resized = session.run(&[("images", none)], &["resized"], &[]).unwrap();
    assert_eq!(resized[0].shape().dims(), [0, 3, 3, 1]);
}

#[test]
fn a_beam_that_keeps_every_sequence() {
    let limits = Limits { memory: 1 << 28, time: Duration::from_millis(200), ..Limits::default() };
    let session = of_json(
        &json!({"node": [
            {"name": "x", "op": "Placeholder", "attr": {"dtype": "int32", "shape": []}},
            {"name": "fine", "op": "AddV2", "input": ["x", "x"]},
            {"name": "scores", "op": "Placeholder", "attr": {"dtype": "float32", "shape": [30, 1, 8]}},
            {"name": "steps", "op": "Const", "attr": {"dtype": "int32", "value": [30]}},
            {"name": "read", "op": "CTCBeamSearchDecoder", "input": ["scores", "steps"],
             "attr": {"beam_width": 1i64 << 40, "top_paths": 1}}]}),
        limits,
    );
    let scores = (0..30 * 8).map(|i| (i * 37 % 101) as f32 / 101.0).collect();
    let scores = Tensor::from_vec(levada::Shape::new([30, 1, 8]).unwrap(), scores).unwrap();
    let error = session.run(&[("scores", scores)], &["read"], &[]).unwrap_err();
    assert!(matches!(error.code(), Code::DeadlineExceeded | Code::ResourceExhausted), "{error}");
}
