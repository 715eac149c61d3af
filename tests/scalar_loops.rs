//! Loops whose values are all scalars run on bare numbers: they return the same as node by node, end with their step,
//! and allocate nothing for an iteration.

#![expect(unsafe_code, reason = "an allocator that counts")]

use levada::graph::read;
use levada::{CancelToken, Code, Error, RunOptions, Session, SessionOptions, Tensor};
use serde_json::{Value, json};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::time::Duration;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, which counts the allocations of each thread.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: memory comes from the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract of this method, which is the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// A node of a body: its name, op and inputs, and attrs besides those that follow from the inputs.
type Node<'a> = (&'a str, &'a str, &'a [&'a str], Value);

/// `while less(i, limit): i, x = i + one, body(i, x)`: within `body`, `i` and `x` are the values and `c` a constant of
/// the loop; its node `new` is the next `x`. `limit`, `x0` and `c0` are fed, as `dtype`; `last` and `count` are the
/// loop's results.
fn session(dtype: &str, body: &[Node<'_>]) -> Session {
    let node = |name: &str, op: &str, input: &[&str], attr: Value| json!({"name": name, "op": op, "input": input, "attr": attr});
    let enter = |name: &str, of: &str, constant: bool| {
        node(name, "Enter", &[of], json!({"frame_name": "loop", "is_constant": constant, "parallel_iterations": 10}))
    };
    let fed = |name: &str, dtype: &str| node(name, "Placeholder", &[], json!({"dtype": dtype}));
    let mut nodes = vec![
        fed("limit", "int32"),
        fed("x0", dtype),
        fed("c0", dtype),
        node("zero", "Const", &[], json!({"dtype": "int32", "value": 0})),
        node("one", "Const", &[], json!({"dtype": "int32", "value": 1})),
        enter("step", "one", true),
        enter("end", "limit", true),
        enter("c", "c0", true),
        enter("start", "zero", false),
        enter("enter", "x0", false),
        node("merge_i", "Merge", &["start", "next_i"], json!({})),
        node("merge_x", "Merge", &["enter", "next_x"], json!({})),
        node("less", "Less", &["merge_i", "end"], json!({})),
        node("cond", "LoopCond", &["less"], json!({})),
        node("switch_i", "Switch", &["merge_i", "cond"], json!({})),
        node("switch_x", "Switch", &["merge_x", "cond"], json!({})),
        node("i", "Identity", &["switch_i:1"], json!({})),
        node("x", "Identity", &["switch_x:1"], json!({})),
        node("add", "AddV2", &["i", "step"], json!({})),
        node("next_i", "NextIteration", &["add"], json!({})),
        node("next_x", "NextIteration", &["new"], json!({})),
        node("count", "Exit", &["switch_i"], json!({})),
        node("last", "Exit", &["switch_x"], json!({})),
    ];
    nodes.extend(body.iter().map(|(name, op, input, attr)| node(name, op, input, attr.clone())));
    let text = json!({"node": nodes}).to_string();
    let graph = read::json(text.as_bytes(), &levada::registry()).unwrap_or_else(|error| panic!("{error}"));
    Session::new(graph, SessionOptions { threads: 1, ..SessionOptions::default() }).unwrap()
}

/// The results of the loop: `x` and the number of iterations.
fn run(session: &Session, options: &RunOptions, limit: i32, x: Tensor, c: Tensor) -> Result<(Tensor, i32), Error> {
    let feeds = [("limit", Tensor::scalar(limit)), ("x0", x), ("c0", c)];
    let (outputs, _) = session.run_with(options, &feeds, &["last", "count"], &[])?;
    Ok((outputs[0].clone(), outputs[1].item().unwrap()))
}

/// The results of the loop if its nodes run one by one.
fn run_traced(session: &Session, limit: i32, x: Tensor, c: Tensor) -> (Tensor, i32) {
    run(session, &RunOptions { trace: true, ..RunOptions::default() }, limit, x, c).unwrap()
}

/// The allocations of a run.
fn allocations(session: &Session, limit: i32, x: &Tensor, c: &Tensor) -> usize {
    let before = ALLOCATIONS.get();
    run(session, &RunOptions::default(), limit, x.clone(), c.clone()).unwrap();
    ALLOCATIONS.get() - before
}

/// The loop gives the same as node by node, and an iteration allocates nothing.
fn check(dtype: &str, body: &[Node<'_>], x: Tensor, c: Tensor) {
    let session = session(dtype, body);
    for limit in [-3, 0, 1, 2, 77, 600] {
        let (value, count) = run(&session, &RunOptions::default(), limit, x.clone(), c.clone()).unwrap();
        let (expected, _) = run_traced(&session, limit, x.clone(), c.clone());
        assert_eq!(
            (format!("{value:?}"), count),
            (format!("{expected:?}"), limit.max(0)),
            "{dtype}, {limit} iterations"
        );
    }
    let (few, many) = (allocations(&session, 10, &x, &c), allocations(&session, 10_000, &x, &c));
    assert_eq!(few, many, "{dtype}: allocations of 10 and of 10,000 iterations");
}

#[test]
fn numbers_of_each_dtype() {
    let none = json!({});
    let arithmetic: &[Node<'_>] = &[
        ("square", "Mul", &["x", "c"], none.clone()),
        ("less_c", "Sub", &["square", "c"], none.clone()),
        ("new", "Maximum", &["less_c", "x"], none.clone()),
    ];
    check("int32", arithmetic, Tensor::scalar(3i32), Tensor::scalar(7i32));
    check("int64", arithmetic, Tensor::scalar(-3i64), Tensor::scalar(7i64));
    check("float32", arithmetic, Tensor::scalar(0.3f32), Tensor::scalar(1.01f32));
    check("float64", arithmetic, Tensor::scalar(f64::NAN), Tensor::scalar(1.01f64));
    let functions: &[Node<'_>] = &[
        ("sine", "Sin", &["x"], none.clone()),
        ("quotient", "RealDiv", &["sine", "c"], none.clone()),
        ("greater", "Greater", &["quotient", "x"], none.clone()),
        ("new", "SelectV2", &["greater", "quotient", "sine"], none.clone()),
    ];
    // A select takes two dtypes, so this one runs on tensors.
    let mixed = session("float64", functions);
    let (value, _) = run(&mixed, &RunOptions::default(), 50, Tensor::scalar(2f64), Tensor::scalar(0.5f64)).unwrap();
    let (expected, _) = run_traced(&mixed, 50, Tensor::scalar(2f64), Tensor::scalar(0.5f64));
    assert_eq!(format!("{value:?}"), format!("{expected:?}"));
}

#[test]
fn booleans() {
    let body: &[Node<'_>] = &[("not", "LogicalNot", &["x"], json!({})), ("new", "LogicalOr", &["not", "c"], json!({}))];
    check("bool", body, Tensor::scalar(true), Tensor::scalar(false));
}

#[test]
fn a_loop_of_vectors_and_one_of_scalars_share_a_plan() {
    let session = session("float32", &[("new", "AddV2", &["x", "c"], json!({}))]);
    for _ in 0..2 {
        let (sum, _) = run(&session, &RunOptions::default(), 3, Tensor::scalar(1f32), Tensor::scalar(2f32)).unwrap();
        assert_eq!(sum.item::<f32>().unwrap(), 7.0);
        let vector = Tensor::vector(vec![1f32, -1.0]);
        let (sum, _) = run(&session, &RunOptions::default(), 3, vector, Tensor::scalar(2f32)).unwrap();
        assert_eq!(sum.slice::<f32>().unwrap(), [7.0, 5.0]);
    }
}

#[test]
fn an_error_names_its_node_and_the_session_goes_on() {
    let session = session(
        "int32",
        &[
            ("quotient", "FloorDiv", &["c", "x"], json!({})),
            ("after", "Identity", &["step", "^quotient"], json!({})),
            ("new", "Sub", &["x", "after"], json!({})),
        ],
    );
    let start = |limit| run(&session, &RunOptions::default(), limit, Tensor::scalar(3i32), Tensor::scalar(1i32));
    start(3).unwrap();
    let error = start(4).unwrap_err();
    assert_eq!((error.code(), error.fault().node.as_deref()), (Code::InvalidArgument, Some("quotient")), "{error}");
    let (value, count) = start(2).unwrap();
    assert_eq!((value.item::<i32>().unwrap(), count), (1, 2));
}

#[test]
fn an_endless_loop_ends_with_its_step() {
    let session = session("int32", &[("new", "AddV2", &["x", "c"], json!({}))]);
    // At least half a second of iterations.
    let endless = |options: &RunOptions| run(&session, options, i32::MAX, Tensor::scalar(0i32), Tensor::scalar(1i32));
    let options = RunOptions { timeout: Some(Duration::from_millis(50)), ..RunOptions::default() };
    assert_eq!(endless(&options).unwrap_err().code(), Code::DeadlineExceeded);
    let token = CancelToken::new();
    std::thread::scope(|scope| {
        let canceller = token.clone();
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            canceller.cancel();
        });
        let options = RunOptions { cancel: Some(token), ..RunOptions::default() };
        assert_eq!(endless(&options).unwrap_err().code(), Code::Cancelled);
    });
    let (sum, _) = run(&session, &RunOptions::default(), 5, Tensor::scalar(0i32), Tensor::scalar(3i32)).unwrap();
    assert_eq!(sum.item::<i32>().unwrap(), 15);
}
