//! The cost of the parts of a run: `cargo bench -p levada-tests --bench micro [-- PART]`.
//!
//! `reader` reads graphs, `compile` makes the plan of a first step, `step` runs graphs with trivial kernels on one
//! thread, and `kernels` runs one node on one thread. `-- --help` lists the options of the runner.

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use levada::graph::{read, write};
use levada::{
    Builder, Callable, CallableOptions, DType, Graph, Output, PartialShape, Session, SessionOptions, Shape, Tensor,
};

fn main() {
    divan::main();
}

/// The next of a fixed sequence of numbers below `below`.
fn next(state: &mut u64, below: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % below
}

fn known(dims: &[i64]) -> PartialShape {
    PartialShape::from_signed(dims)
}

/// A graph with a placeholder `x` and an identity `y` of the result of `build` on it.
fn graph(dtype: DType, shape: PartialShape, build: impl FnOnce(&mut Builder, Output) -> Output) -> Graph {
    let mut b = Builder::new(levada::registry());
    let x = b.placeholder("x", dtype, shape);
    let y = build(&mut b, x);
    b.identity("y", y);
    b.finish().expect("the graph is sound")
}

/// Scalars added one after the other.
fn chain(nodes: usize) -> Graph {
    graph(DType::F32, PartialShape::scalar(), |b, x| (0..nodes).fold(x, |y, _| b.add(y, x)))
}

/// Scalars of a random graph: each node adds or compares two of the hundred before it.
fn random(nodes: usize) -> Graph {
    graph(DType::F32, PartialShape::scalar(), |b, x| {
        let (mut all, mut state) = (vec![x], 7);
        for i in 0..nodes {
            let mut one = || all[all.len() - 1 - next(&mut state, all.len().min(100))];
            let pair = [one(), one()];
            all.push(b.op(["AddV2", "Sub", "Maximum", "Minimum"][i % 4], &pair));
        }
        all[nodes]
    })
}

/// Vectors of a length unknown before the run; each node adds two of them.
fn vectors(nodes: usize) -> Graph {
    graph(DType::F32, known(&[-1]), |b, x| {
        let (mut all, mut state) = (vec![x], 7);
        for _ in 0..nodes {
            let mut one = || all[all.len() - 1 - next(&mut state, all.len().min(100))];
            let pair = [one(), one()];
            all.push(b.add(pair[0], pair[1]));
        }
        all[nodes]
    })
}

/// Nodes that only order others, in rows of ten, each of which waits for the whole previous row.
fn controls(nodes: usize) -> Graph {
    graph(DType::F32, PartialShape::scalar(), |b, x| {
        let mut row: Vec<Output> = Vec::new();
        for _ in 0..nodes / 10 {
            let before = row.clone();
            let no_op = |b: &mut Builder| before.iter().fold(b.node("NoOp"), |node, &before| node.after(before)).add();
            row = (0..10).map(|_| no_op(b)).collect();
        }
        row.iter().fold(b.node("Neg").input(x), |node, &before| node.after(before)).add()
    })
}

fn session(graph: Graph, options: SessionOptions) -> Session {
    Session::new(graph, SessionOptions { threads: 1, ..options }).expect("the session opens")
}

fn callable(session: &Session) -> Callable {
    session.callable(&CallableOptions::new(["x"], ["y"], [])).expect("the step is prepared")
}

/// Runs `x -> y` repeatedly.
fn steps(bencher: Bencher<'_, '_>, graph: Graph, x: Tensor) {
    let session = session(graph, SessionOptions::default());
    let callable = callable(&session);
    bencher.bench_local(|| callable.run(std::slice::from_ref(&x)).expect("the step runs"));
}

mod reader {
    use super::*;

    #[divan::bench(args = [100, 10_000])]
    fn json(bencher: Bencher<'_, '_>, nodes: usize) {
        let text = write::json(&random(nodes).to_def()).expect("the graph can be written");
        let registry = levada::registry();
        bencher
            .counter(BytesCount::of_slice(text.as_bytes()))
            .bench_local(|| read::json(text.as_bytes(), &registry).expect("the graph can be read"));
    }

    #[divan::bench(args = [100, 10_000])]
    fn pb(bencher: Bencher<'_, '_>, nodes: usize) {
        let bytes = write::pb(&random(nodes).to_def()).expect("the graph can be written");
        let registry = levada::registry();
        bencher
            .counter(BytesCount::of_slice(&bytes))
            .bench_local(|| read::pb(&bytes, &registry).expect("the graph can be read"));
    }
}

mod compile {
    use super::*;

    const NODES: usize = 2_000;

    /// Prepares the first step of a new session. Opening the session is not counted.
    fn prepare(bencher: Bencher<'_, '_>, make: fn(usize) -> Graph, options: fn() -> SessionOptions) {
        let graph = make(NODES);
        bencher
            .counter(ItemsCount::new(NODES))
            .with_inputs(|| session(graph.clone(), options()))
            .bench_local_values(|session| (callable(&session), session));
    }

    #[divan::bench(args = [("chain", chain as fn(usize) -> Graph), ("random", random), ("vectors", vectors), ("controls", controls)])]
    fn all_passes(bencher: Bencher<'_, '_>, (_, make): &(&str, fn(usize) -> Graph)) {
        prepare(bencher, *make, SessionOptions::default);
    }

    #[divan::bench]
    fn without_fusion(bencher: Bencher<'_, '_>) {
        prepare(bencher, random, || SessionOptions { no_fusion: true, ..SessionOptions::default() });
    }

    #[divan::bench]
    fn without_passes(bencher: Bencher<'_, '_>) {
        prepare(bencher, random, || SessionOptions { plain: true, ..SessionOptions::default() });
    }
}

mod step {
    use super::*;

    #[divan::bench]
    fn tiny(bencher: Bencher<'_, '_>) {
        steps(bencher, chain(1), Tensor::scalar(1f32));
    }

    #[divan::bench(args = [100, 10_000])]
    fn chain_of_scalars(bencher: Bencher<'_, '_>, nodes: usize) {
        steps(bencher.counter(ItemsCount::new(nodes)), chain(nodes), Tensor::scalar(1f32));
    }

    #[divan::bench(args = [100, 10_000])]
    fn random_scalars(bencher: Bencher<'_, '_>, nodes: usize) {
        steps(bencher.counter(ItemsCount::new(nodes)), random(nodes), Tensor::scalar(1f32));
    }

    #[divan::bench(args = [100, 10_000])]
    fn random_vectors(bencher: Bencher<'_, '_>, nodes: usize) {
        steps(bencher.counter(ItemsCount::new(nodes)), vectors(nodes), Tensor::vector(vec![1f32; 4]));
    }

    #[divan::bench(args = [100, 10_000])]
    fn control_edges(bencher: Bencher<'_, '_>, nodes: usize) {
        steps(bencher.counter(ItemsCount::new(nodes)), controls(nodes), Tensor::scalar(1f32));
    }

    #[divan::bench]
    fn queue(bencher: Bencher<'_, '_>) {
        let graph = graph(DType::F32, PartialShape::scalar(), |b, x| {
            let kinds = vec![DType::F32];
            let queue = b.node("FIFOQueueV2").attr("component_types", kinds.clone()).add();
            let put = b.node("QueueEnqueueV2").input(queue).input(x).add();
            b.node("QueueDequeueV2").input(queue).attr("component_types", kinds).after(put).add()
        });
        steps(bencher, graph, Tensor::scalar(1f32));
    }
}

mod kernels {
    use super::*;

    fn floats(dims: &[usize]) -> Tensor {
        let count = dims.iter().product();
        let mut state = 7;
        let values = (0..count).map(|_| next(&mut state, 2_000) as f32 / 1_000.0 - 1.0).collect();
        Tensor::from_vec(Shape::new(dims.iter().copied()).expect("the shape fits"), values).expect("the shape fits")
    }

    /// One node on floats of a shape; throughput is in bytes of its input.
    fn node(bencher: Bencher<'_, '_>, dims: &[usize], build: impl FnOnce(&mut Builder, Output) -> Output) {
        let x = floats(dims);
        let shape: Vec<i64> = dims.iter().map(|&dim| dim as i64).collect();
        let graph = graph(DType::F32, known(&shape), build);
        steps(bencher.counter(BytesCount::new(x.num_bytes())), graph, x);
    }

    #[divan::bench(args = ["Neg", "Exp", "Tanh", "Erf", "Sigmoid", "Sqrt", "Softmax"])]
    fn unary(bencher: Bencher<'_, '_>, op: &str) {
        node(bencher, &[512, 512], |b, x| b.op(op, &[x]));
    }

    #[divan::bench(args = [0, 1])]
    fn sum(bencher: Bencher<'_, '_>, axis: i32) {
        node(bencher, &[1024, 1024], |b, x| {
            let axis = b.constant(Tensor::scalar(axis));
            b.op("Sum", &[x, axis])
        });
    }

    #[divan::bench]
    fn transpose(bencher: Bencher<'_, '_>) {
        node(bencher, &[1024, 1024], |b, x| {
            let order = b.constant(Tensor::vector(vec![1i32, 0]));
            b.op("Transpose", &[x, order])
        });
    }

    #[divan::bench(args = [1, 16, 64, 256, 512])]
    fn matmul(bencher: Bencher<'_, '_>, rows: usize) {
        // Throughput in multiply-adds, not bytes.
        let bencher = bencher.counter(ItemsCount::new(rows * 512 * 512));
        node(bencher, &[rows, 512], |b, x| {
            let weights = b.constant(floats(&[512, 512]));
            b.matmul(x, weights)
        });
    }

    #[divan::bench(args = [(56, 64), (28, 128), (14, 256), (7, 512)])]
    fn conv_3x3(bencher: Bencher<'_, '_>, (size, channels): (usize, usize)) {
        let bencher = bencher.counter(ItemsCount::new(size * size * channels * channels * 9));
        node(bencher, &[1, size, size, channels], |b, x| {
            let filter = b.constant(floats(&[3, 3, channels, channels]));
            let node = b.node("Conv2D").input(x).input(filter);
            node.attr("strides", vec![1i64; 4]).attr("padding", "SAME".to_owned()).add()
        });
    }
}
