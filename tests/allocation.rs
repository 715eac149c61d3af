//! Where the system refuses memory for a tensor, the run fails with an error, and the session runs the next one: each large
//! allocation of a run is refused in turn.

#![expect(unsafe_code, reason = "an allocator that refuses")]

use levada::{Builder, Code, DType, Output, PartialShape, Session, SessionOptions, Tensor};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Allocations of fewer bytes are never refused: those whose size a graph or a feed decides are larger.
const LARGE: usize = 1 << 20;

/// Large allocations until one is refused; `usize::MAX` for never.
static LEFT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// The system's allocator, which refuses one allocation.
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

/// A node of `op` with these inputs and a constant behind them.
fn with(b: &mut Builder, op: &str, inputs: &[Output], last: Tensor) -> Output {
    let last = b.constant(last);
    b.node(op).inputs(inputs.iter().copied()).input(last).add()
}

/// Graphs by name, of a matrix that is fed.
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

#[test]
fn a_refused_allocation_is_an_error_and_the_session_goes_on() {
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
            // Below zero where one was refused.
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
