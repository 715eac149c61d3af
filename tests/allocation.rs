//! If the system refuses memory for a tensor, the run fails with an error, and the session can run again: each large
//! allocation of a run is refused in turn.

#![expect(unsafe_code, reason = "an allocator that refuses")]

use levada::graph::read;
use levada::{Builder, Code, DType, Output, PartialShape, Result, Session, SessionOptions, Tensor};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Smaller allocations are never refused: those whose size a graph or a feed determines are larger.
const LARGE: usize = 1 << 20;

/// Large allocations until one is refused; `usize::MAX` for never.
static LEFT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// The system's allocator, except that it refuses one allocation.
struct Refusing;

#[global_allocator]
static ALLOCATOR: Refusing = Refusing;

fn refuses(bytes: usize) -> bool {
    let count = |left: usize| (left != usize::MAX).then(|| left.wrapping_sub(1));
    bytes >= LARGE && LEFT.fetch_update(Ordering::Relaxed, Ordering::Relaxed, count) == Ok(0)
}

// SAFETY: memory comes from the system's allocator, or there is none.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of this method, which is the system's.
        if refuses(layout.size()) { std::ptr::null_mut() } else { unsafe { System.alloc(layout) } }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        if refuses(layout.size()) { std::ptr::null_mut() } else { unsafe { System.alloc_zeroed(layout) } }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        if refuses(size) { std::ptr::null_mut() } else { unsafe { System.realloc(memory, layout, size) } }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Elements along each axis of the matrices.
const N: i32 = 1024;

type Build = fn(&mut Builder, Output) -> Output;

/// A node of `op` with these inputs followed by a constant.
fn with(b: &mut Builder, op: &str, inputs: &[Output], last: Tensor) -> Output {
    let last = b.constant(last);
    b.node(op).inputs(inputs.iter().copied()).input(last).add()
}

/// Graphs by name, on a matrix that is fed.
const GRAPHS: [(&str, Build); 13] = [
    ("Neg", |b, x| b.node("Neg").input(x).add()),
    ("AddV2", |b, x| b.node("AddV2").inputs([x, x]).add()),
    ("MatMul", |b, x| b.node("MatMul").inputs([x, x]).add()),
    ("Transpose", |b, x| with(b, "Transpose", &[x], Tensor::vector(vec![1i32, 0]))),
    ("Tile", |b, x| with(b, "Tile", &[x], Tensor::vector(vec![2i32, 2]))),
    ("Fill", |b, x| {
        let shape = b.node("Shape").input(x).add();
        with(b, "Fill", &[shape], Tensor::scalar(1f32))
    }),
    ("ConcatV2", |b, x| with(b, "ConcatV2", &[x, x], Tensor::scalar(0i32))),
    ("Pack", |b, x| b.node("Pack").inputs([x, x]).add()),
    ("Gather", |b, x| with(b, "Gather", &[x], Tensor::vector((0..N).rev().collect::<Vec<i32>>()))),
    ("Softmax", |b, x| b.node("Softmax").input(x).add()),
    ("Cumsum", |b, x| with(b, "Cumsum", &[x], Tensor::scalar(0i32))),
    ("Cast", |b, x| b.node("Cast").input(x).attr("DstT", DType::F64).add()),
    ("ReverseV2", |b, x| with(b, "ReverseV2", &[x], Tensor::vector(vec![1i32]))),
];

/// Held by a test that refuses allocations, since the allocator is shared by the process.
static TURN: Mutex<()> = Mutex::new(());

fn matrix() -> Tensor {
    let shape = levada::Shape::new([N as usize, N as usize]).unwrap();
    Tensor::from_vec(shape, (0..N * N).map(|i| (i % 7) as f32).collect()).unwrap()
}

/// A queue of rows, a pipeline of them, functions and a loop, on a matrix `x` that is fed.
const SESSION: &str = r#"{"node": [
    {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32", "shape": [1024, 1024]}},
    {"name": "n", "op": "Const", "attr": {"dtype": "int32", "value": 1024}},
    {"name": "q", "op": "FIFOQueueV2", "attr": {"component_types": ["float32"], "shapes": [[1024]], "capacity": 4096}},
    {"name": "put", "op": "QueueEnqueueManyV2", "input": ["q", "x"]},
    {"name": "take", "op": "QueueDequeueManyV2", "input": ["q", "n"], "attr": {"component_types": ["float32"]}},
    {"name": "rows", "op": "TensorSliceDataset", "input": ["x"],
     "attr": {"Toutput_types": ["float32"], "output_shapes": [[1024]]}},
    {"name": "size", "op": "Const", "attr": {"dtype": "int64", "value": 1024}},
    {"name": "no", "op": "Const", "attr": {"dtype": "bool", "value": false}},
    {"name": "batch", "op": "BatchDatasetV2", "input": ["rows", "size", "no"],
     "attr": {"output_types": ["float32"], "output_shapes": [[null, 1024]]}},
    {"name": "iterator", "op": "IteratorV2",
     "attr": {"shared_name": "i", "container": "", "output_types": ["float32"], "output_shapes": [[null, 1024]]}},
    {"name": "begin", "op": "MakeIterator", "input": ["batch", "iterator"]},
    {"name": "next", "op": "IteratorGetNext", "input": ["iterator"],
     "attr": {"output_types": ["float32"], "output_shapes": [[null, 1024]]}},
    {"name": "zero", "op": "Const", "attr": {"dtype": "int32", "value": 0}},
    {"name": "called", "op": "PartitionedCall", "input": ["x"],
     "attr": {"Tin": ["float32"], "Tout": ["float32"], "f": {"func": {"name": "twice"}}}},
    {"name": "repeated", "op": "While", "input": ["zero", "x"], "attr": {"T": ["int32", "float32"],
     "cond": {"func": {"name": "is_less"}}, "body": {"func": {"name": "squares"}}}}],
  "library": {"function": [
    {"signature": {"name": "twice", "inputArg": [{"name": "x", "type": "DT_FLOAT"}],
      "outputArg": [{"name": "y", "type": "DT_FLOAT"}]},
     "nodeDef": [{"name": "sum", "op": "AddV2", "input": ["x", "x"], "attr": {"T": {"type": "DT_FLOAT"}}}],
     "ret": {"y": "sum:z:0"}},
    {"signature": {"name": "is_less", "inputArg": [{"name": "i", "type": "DT_INT32"}, {"name": "x", "type": "DT_FLOAT"}],
      "outputArg": [{"name": "less", "type": "DT_BOOL"}]},
     "nodeDef": [
      {"name": "two", "op": "Const", "attr": {"dtype": {"type": "DT_INT32"},
       "value": {"tensor": {"dtype": "DT_INT32", "tensorShape": {}, "intVal": [2]}}}},
      {"name": "compare", "op": "Less", "input": ["i", "two:output:0"], "attr": {"T": {"type": "DT_INT32"}}}],
     "ret": {"less": "compare:z:0"}},
    {"signature": {"name": "squares", "inputArg": [{"name": "i", "type": "DT_INT32"}, {"name": "x", "type": "DT_FLOAT"}],
      "outputArg": [{"name": "j", "type": "DT_INT32"}, {"name": "y", "type": "DT_FLOAT"}]},
     "nodeDef": [
      {"name": "one", "op": "Const", "attr": {"dtype": {"type": "DT_INT32"},
       "value": {"tensor": {"dtype": "DT_INT32", "tensorShape": {}, "intVal": [1]}}}},
      {"name": "more", "op": "AddV2", "input": ["i", "one:output:0"], "attr": {"T": {"type": "DT_INT32"}}},
      {"name": "square", "op": "Mul", "input": ["x", "x"], "attr": {"T": {"type": "DT_FLOAT"}}}],
     "ret": {"j": "more:z:0", "y": "square:z:0"}}]}}"#;

/// Steps by name: what the first runs, and what the second fetches.
const STEPS: [(&str, &str, &str); 4] = [
    ("a queue", "put", "take"),
    ("a pipeline", "begin", "next"),
    ("a call", "", "called"),
    ("a loop of functions", "", "repeated:1"),
];

#[test]
fn a_refused_allocation_in_a_queue_a_pipeline_or_a_function_is_an_error() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let x = matrix();
    for (name, target, fetch) in STEPS {
        let mut refused = 0;
        for k in 0.. {
            let graph = read::json(SESSION.as_bytes(), &levada::registry()).unwrap();
            let session = Session::new(graph, SessionOptions { threads: 1, ..SessionOptions::default() }).unwrap();
            let run = || -> Result<Tensor> {
                let feeds = [("x", x.clone())];
                if !target.is_empty() {
                    session.run(&feeds, &[], &[target])?;
                }
                // The feed is only for the first step.
                let feeds = if target.is_empty() { &feeds[..] } else { &[] };
                Ok(session.run(feeds, &[fetch], &[])?.remove(0))
            };
            LEFT.store(k, Ordering::Relaxed);
            let result = run();
            // Negative if an allocation was refused.
            let was_refused = LEFT.swap(usize::MAX, Ordering::Relaxed) > k;
            match result {
                Err(error) => assert_eq!(error.code(), Code::ResourceExhausted, "{name}, allocation {k}: {error}"),
                Ok(_) if !was_refused => break,
                Ok(_) => {}
            }
            refused += 1;
            let again = run().unwrap_or_else(|error| panic!("{name} after allocation {k}: {error}"));
            assert_eq!(again.shape().dims(), x.shape().dims(), "{name} after allocation {k}");
        }
        println!("{name}: {refused} allocations refused in turn");
        assert!(refused > 0, "{name} allocates nothing large");
    }
}

#[test]
fn a_refused_allocation_is_an_error_and_the_session_goes_on() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let x = Tensor::from_vec(levada::Shape::new([N as usize, N as usize]).unwrap(), vec![0.5f32; (N * N) as usize]);
    let x = x.unwrap();
    for (name, build) in GRAPHS {
        let mut refused = 0;
        for k in 0.. {
            let mut b = Builder::new(levada::registry());
            let input = b.placeholder("x", DType::F32, PartialShape::Unknown);
            let y = build(&mut b, input);
            let y = b.name(y);
            let options = SessionOptions { threads: 1, ..SessionOptions::default() };
            let session = Session::new(b.finish().unwrap(), options).unwrap();
            let run = || session.run(&[("x", x.clone())], &[&y], &[]);
            LEFT.store(k, Ordering::Relaxed);
            let result = run();
            // Negative if an allocation was refused.
            let was_refused = LEFT.swap(usize::MAX, Ordering::Relaxed) > k;
            match result {
                Err(error) => assert_eq!(error.code(), Code::ResourceExhausted, "{name}, allocation {k}: {error}"),
                Ok(_) if !was_refused => break,
                Ok(_) => {}
            }
            refused += 1;
            run().unwrap_or_else(|error| panic!("{name} after allocation {k}: {error}"));
        }
        println!("{name}: {refused} allocations refused in turn");
        assert!(refused > 0, "{name} allocates nothing large");
    }
}
