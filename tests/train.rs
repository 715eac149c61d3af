//! The builders of input pipelines: the graphs that TensorFlow's builders make, and their results.

use levada::graph::{collections, read};
use levada::train::{self, Batch, Item, Producer, Shuffle, SparseOutput};
use levada::{
    Builder, Code, Coordinator, DType, Files, GraphDef, Output, PartialShape, Session, SessionOptions, Tensor,
};
use levada_testkit::WORKERS;
use std::collections::BTreeMap;
use std::time::Duration;

const GRACE: Duration = Duration::from_secs(20);

fn placeholder(b: &mut Builder, name: &str, dtype: DType, shape: &[i64]) -> Output {
    b.placeholder(name, dtype, PartialShape::from_signed(shape))
}

fn x(b: &mut Builder) -> Output {
    placeholder(b, "x", DType::F32, &[3])
}

fn z(b: &mut Builder) -> Output {
    placeholder(b, "z", DType::F32, &[3])
}

fn rows(b: &mut Builder) -> Output {
    placeholder(b, "rows", DType::F32, &[5, 2])
}

fn ragged(b: &mut Builder) -> Output {
    placeholder(b, "ragged", DType::I64, &[-1])
}

fn keep(b: &mut Builder, shape: &[i64]) -> Output {
    placeholder(b, "keep", DType::Bool, shape)
}

fn sparse(b: &mut Builder, name: &str) -> SparseOutput {
    SparseOutput {
        indices: placeholder(b, &format!("{name}/indices"), DType::I64, &[-1, 2]),
        values: placeholder(b, &format!("{name}/values"), DType::F32, &[-1]),
        dense_shape: placeholder(b, &format!("{name}/shape"), DType::I64, &[2]),
    }
}

fn build(name: &str, b: &mut Builder) {
    let (four, ordinary) = (Batch::of(4), Producer::default());
    let hundred = Batch { capacity: 100, ..Batch::of(4) };
    let shuffle = Shuffle { min_after_dequeue: 10, seed: None };
    match name {
        "batch" => {
            let tensors = [x(b), placeholder(b, "y", DType::I64, &[])];
            train::batch(b, &tensors, &Batch { num_threads: 3, ..four });
        }
        "batch_twice" => {
            let x = x(b);
            train::batch(b, &[x], &four);
            let z = z(b);
            train::batch(b, &[z], &Batch { enqueue_many: true, capacity: 7, ..Batch::of(2) });
        }
        "batch_pad" => {
            let options = Batch {
                dynamic_pad: true,
                allow_smaller_final_batch: true,
                shared_name: "shared".into(),
                name: "named".into(),
                ..four
            };
            let ragged = ragged(b);
            train::batch(b, &[ragged], &options);
        }
        "batch_shapes" => {
            let any = b.placeholder("any", DType::I32, PartialShape::Unknown);
            train::batch(b, &[any], &Batch { shapes: Some(vec![PartialShape::from_signed(&[2, 2])]), ..four });
        }
        "batch_join" => {
            let lists = [vec![x(b)], vec![z(b)]];
            train::batch_join(b, &lists, &four);
        }
        "maybe_batch" => {
            let (x, keep) = (x(b), keep(b, &[]));
            train::maybe_batch(b, &[x], keep, &four);
        }
        "maybe_batch_rows" => {
            let (rows, keep) = (rows(b), keep(b, &[5]));
            train::maybe_batch(b, &[rows], keep, &Batch { enqueue_many: true, ..four });
        }
        "maybe_batch_join" => {
            let (lists, keep) = ([vec![x(b)], vec![z(b)]], keep(b, &[]));
            train::maybe_batch_join(b, &lists, keep, &four);
        }
        "shuffle_batch" => {
            let x = x(b);
            train::shuffle_batch(b, &[x], Shuffle { seed: Some(7), ..shuffle }, &Batch { num_threads: 2, ..hundred });
        }
        "shuffle_batch_join" => {
            let lists = [vec![x(b)], vec![z(b)]];
            train::shuffle_batch_join(b, &lists, shuffle, &Batch { allow_smaller_final_batch: true, ..hundred });
        }
        "maybe_shuffle_batch" => {
            let (x, keep) = (x(b), keep(b, &[]));
            train::maybe_shuffle_batch(b, &[x], keep, shuffle, &hundred);
        }
        "maybe_shuffle_batch_join" => {
            let (lists, keep) = ([vec![x(b)], vec![z(b)]], keep(b, &[]));
            train::maybe_shuffle_batch_join(b, &lists, keep, shuffle, &hundred);
        }
        "batch_sparse" => {
            let items = [Item::Sparse(sparse(b, "s")), x(b).into()];
            train::batch(b, &items, &four);
        }
        "batch_sparse_rows" => {
            let items = [rows(b).into(), Item::Sparse(sparse(b, "s"))];
            let options = Batch { enqueue_many: true, num_threads: 2, name: "named".into(), ..four };
            train::batch(b, &items, &options);
        }
        "batch_join_sparse" => {
            let lists = ["s", "t"].map(|name| vec![Item::Sparse(sparse(b, name))]);
            train::batch_join(b, &lists, &Batch { dynamic_pad: true, ..four });
        }
        "maybe_batch_sparse" => {
            let (items, keep) = ([Item::Sparse(sparse(b, "s")), x(b).into()], keep(b, &[]));
            train::maybe_batch(b, &items, keep, &four);
        }
        "maybe_batch_sparse_many" => {
            let (items, keep) = ([Item::Sparse(sparse(b, "s"))], keep(b, &[]));
            train::maybe_batch(b, &items, keep, &Batch { enqueue_many: true, ..four });
        }
        "maybe_batch_sparse_rows" => {
            let (items, keep) = ([Item::Sparse(sparse(b, "s")), rows(b).into()], keep(b, &[5]));
            train::maybe_batch(b, &items, keep, &Batch { enqueue_many: true, ..four });
        }
        "shuffle_batch_sparse" => {
            let items = [Item::Sparse(sparse(b, "s"))];
            train::shuffle_batch(b, &items, Shuffle { seed: Some(7), ..shuffle }, &hundred);
        }
        "maybe_shuffle_batch_join_sparse" => {
            let lists = [vec![Item::Sparse(sparse(b, "s")), x(b).into()], vec![sparse(b, "t").into(), z(b).into()]];
            let keep = keep(b, &[]);
            train::maybe_shuffle_batch_join(b, &lists, keep, shuffle, &hundred);
        }
        "input_producer" => {
            let rows = rows(b);
            let options = Producer { shuffle: false, capacity: 5, summary_name: "full".into(), ..ordinary };
            train::input_producer(b, rows, &options);
        }
        "input_producer_named" => {
            let ragged = ragged(b);
            let options = Producer { num_epochs: Some(3), seed: Some(1), name: "named".into(), ..ordinary };
            train::input_producer(b, ragged, &options);
        }
        "string_input_producer" => {
            let strings = placeholder(b, "strings", DType::Str, &[2]);
            train::string_input_producer(b, strings, &Producer { num_epochs: Some(2), seed: Some(3), ..ordinary });
        }
        "string_input_producer_any" => {
            let strings = placeholder(b, "strings", DType::Str, &[-1]);
            train::string_input_producer(b, strings, &Producer { shuffle: false, ..ordinary });
        }
        "range_input_producer" => {
            let limit = placeholder(b, "limit", DType::I32, &[]);
            train::range_input_producer(b, limit, &Producer { num_epochs: Some(1), ..ordinary });
        }
        "slice_input_producer" => {
            let tensors = [rows(b), placeholder(b, "y", DType::I64, &[5])];
            train::slice_input_producer(b, &tensors, &Producer { num_epochs: Some(1), ..ordinary });
        }
        "slice_input_producer_any" => {
            let ragged = ragged(b);
            train::slice_input_producer(b, &[ragged], &Producer { shuffle: false, ..ordinary });
        }
        "limit_epochs" => {
            let x = x(b);
            train::limit_epochs(b, x, Some(2), "");
        }
        "match_filenames_once" => {
            let pattern = placeholder(b, "pattern", DType::Str, &[]);
            train::match_filenames_once(b, pattern, "");
        }
        other => panic!("{other} is recorded, but not built here"),
    }
}

/// The nodes as lines, sorted by name, without what the test does not compare.
fn lines(mut def: GraphDef) -> Vec<String> {
    const IGNORED: [&str; 4] = ["allowed_devices", "debug_name", "_has_manual_control_dependencies", "_output_shapes"];
    def.nodes.sort_by(|a, b| a.name.cmp(&b.name));
    let lines = def.nodes.into_iter().map(|node| {
        let attrs: BTreeMap<String, String> = node
            .attrs
            .iter()
            .filter(|(name, _)| !IGNORED.contains(&&***name))
            .map(|(name, value)| (name.to_string(), format!("{value:?}")))
            // Masks and the like, which default to 0.
            .filter(|(_, value)| value != "I(0)")
            .collect();
        format!("{} {} {:?} {attrs:?}", node.name, node.op, node.inputs)
    });
    let runners = collections::queue_runners(&def.collections).unwrap().into_iter().map(|r| format!("{r:?}"));
    let variables = collections::variables(&def.collections, "local_variables").unwrap();
    let variables = variables.into_iter().map(|v| format!("{v:?}"));
    let summaries = collections::nodes(&def.collections, "summaries").to_vec();
    lines.chain(runners).chain(variables).chain(summaries).collect()
}

#[test]
fn graphs_are_those_that_tensorflow_builds() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/train/pipelines.json")).unwrap();
    let recorded: BTreeMap<String, serde_json::Value> = serde_json::from_str(&text).unwrap();
    let registry = levada::registry();
    let mut faults = Vec::new();
    for (name, meta) in &recorded {
        let expected = read::json(meta.to_string().as_bytes(), &registry).unwrap().to_def();
        let mut b = Builder::new(registry.clone());
        build(name, &mut b);
        let (expected, found) = (lines(expected), lines(b.finish().unwrap().to_def()));
        let missing = expected.iter().filter(|l| !found.contains(l)).map(|l| format!("{name}: - {l}"));
        let more = found.iter().filter(|l| !expected.contains(l)).map(|l| format!("{name}: + {l}"));
        faults.extend(missing.chain(more));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert_eq!(recorded.len(), 29);
}

fn session(threads: usize, files: Files, build: impl FnOnce(&mut Builder)) -> Session {
    let mut b = Builder::new(levada::registry());
    build(&mut b);
    let options = SessionOptions { threads, files, ..SessionOptions::default() };
    let session = Session::new(b.finish().unwrap(), options).unwrap();
    if session.graph().find("init").is_some() {
        session.run(&[], &[], &["init"]).unwrap();
    }
    session
}

/// All values of `fetch` until the end of the input.
fn all(session: &Session, fetch: &str) -> Vec<Tensor> {
    let coordinator = Coordinator::new();
    session.start_queue_runners(&coordinator).unwrap();
    let mut values = Vec::new();
    let error = loop {
        match session.run(&[], &[fetch], &[]) {
            Ok(mut value) => values.push(value.remove(0)),
            Err(error) => break error,
        }
    };
    coordinator.join(GRACE).unwrap();
    assert_eq!(error.code(), Code::OutOfRange, "{error}");
    values
}

fn ints(values: &[Tensor]) -> Vec<i32> {
    values.iter().flat_map(|v| v.slice::<i32>().unwrap().to_vec()).collect()
}

#[test]
fn each_epoch_brings_everything_once() {
    for threads in WORKERS {
        let session = session(threads, Files::none(), |b| {
            let limit = b.constant(Tensor::scalar(50i32));
            let queue = train::range_input_producer(b, limit, &Producer { num_epochs: Some(2), ..Producer::default() });
            let number = b.node("QueueDequeueV2").input(queue).attr("component_types", vec![DType::I32]).add();
            let batch = Batch { num_threads: 3, allow_smaller_final_batch: true, ..Batch::of(7) };
            train::batch(b, &[number], &batch);
            train::local_variables_initializer(b);
        });
        let batches = all(&session, "batch");
        assert_eq!(batches.len(), 15);
        let mut values = ints(&batches);
        values.sort_unstable();
        assert!(values.iter().copied().eq((0..100).map(|i| i / 2)));
    }
}

/// Sparse vectors of 3 with the numbers 0 to 11 at 0 and, plus 100, at 2; the odd ones only if `odd`.
fn sparse_batches(threads: usize, odd: bool, ordered: bool) -> Vec<Tensor> {
    let session = session(threads, Files::none(), |b| {
        let limit = b.constant(Tensor::scalar(12i32));
        let options = Producer { num_epochs: Some(1), shuffle: false, ..Producer::default() };
        let queue = train::range_input_producer(b, limit, &options);
        let number = b.node("QueueDequeueV2").input(queue).attr("component_types", vec![DType::I32]).add();
        let [zero, two] = [vec![0i32, 100], vec![2]].map(|values| b.constant(Tensor::vector(values)));
        let two = b.node("Squeeze").input(two).add();
        let rest = b.op("FloorMod", &[number, two]);
        let keep = b.node("Cast").input(rest).attr("DstT", DType::Bool).add();
        let sparse = SparseOutput {
            indices: b.constant(Tensor::from_vec(levada::Shape::new([2, 1]).unwrap(), vec![0i64, 2]).unwrap()),
            values: b.add(number, zero),
            dense_shape: b.constant(Tensor::vector(vec![3i64])),
        };
        let options = Batch { num_threads: 2, ordered, ..Batch::of(3) };
        let items = [Item::Sparse(sparse), number.into()];
        let batch = match odd {
            false => train::batch(b, &items, &options),
            true => train::maybe_batch(b, &items, keep, &options),
        };
        let [Item::Sparse(sparse), Item::Dense(dense)] = batch[..] else { panic!("{batch:?}") };
        b.identity("values", sparse.values);
        b.identity("dense", dense);
        b.identity("indices", sparse.indices);
        b.identity("shape", sparse.dense_shape);
        train::local_variables_initializer(b);
    });
    let coordinator = Coordinator::new();
    session.start_queue_runners(&coordinator).unwrap();
    let mut values = Vec::new();
    while let Ok(batch) = session.run(&[], &["values", "dense", "indices", "shape"], &[]) {
        assert_eq!(batch[2].slice::<i64>().unwrap(), [0, 0, 0, 2, 1, 0, 1, 2, 2, 0, 2, 2]);
        assert_eq!(batch[3].slice::<i64>().unwrap(), [3, 3]);
        let (sparse, dense) = (batch[0].slice::<i32>().unwrap(), batch[1].slice::<i32>().unwrap());
        assert_eq!(sparse, dense.iter().flat_map(|&n| [n, n + 100]).collect::<Vec<i32>>());
        values.push(batch[1].clone());
    }
    coordinator.join(GRACE).unwrap();
    values
}

#[test]
fn sparse_tensors_go_through_queues() {
    for threads in WORKERS {
        for ordered in [false, true] {
            for odd in [false, true] {
                let mut values = ints(&sparse_batches(threads, odd, ordered));
                if !ordered {
                    values.sort_unstable();
                }
                let expected = (0..12).filter(|n| !odd || n % 2 == 1);
                assert!(values.iter().copied().eq(expected), "{threads} {ordered} {odd}: {values:?}");
            }
        }
    }
}

#[test]
fn what_is_not_kept_is_left_out() {
    for ordered in [false, true] {
        let session = session(2, Files::none(), |b| {
            let limit = b.constant(Tensor::scalar(100i32));
            let options = Producer { num_epochs: Some(1), shuffle: false, ..Producer::default() };
            let queue = train::range_input_producer(b, limit, &options);
            let number = b.node("QueueDequeueV2").input(queue).attr("component_types", vec![DType::I32]).add();
            let two = b.constant(Tensor::scalar(2i32));
            let rest = b.op("FloorMod", &[number, two]);
            let odd = b.node("Cast").input(rest).attr("DstT", DType::Bool).add();
            train::maybe_batch(b, &[number], odd, &Batch { num_threads: 4, ordered, ..Batch::of(10) });
            train::local_variables_initializer(b);
        });
        let mut values = ints(&all(&session, "batch"));
        if !ordered {
            values.sort_unstable();
        }
        assert!(values.iter().copied().eq((0..50).map(|i| 2 * i + 1)), "{values:?}");
    }
}

#[test]
fn ordered_batches_are_the_same_for_any_number_of_threads() {
    let run = |threads: usize, runners: usize, shuffled: bool, lists: usize| {
        let session = session(threads, Files::none(), |b| {
            let limit = b.constant(Tensor::scalar(300i32));
            let options = Producer { num_epochs: Some(2), seed: Some(5), ..Producer::default() };
            let queue = train::range_input_producer(b, limit, &options);
            let lists: Vec<Vec<Output>> = (0..lists)
                .map(|_| {
                    let number = b.node("QueueDequeueV2").input(queue).attr("component_types", vec![DType::I32]).add();
                    let range = b.constant(Tensor::scalar(1000i32));
                    let shape = b.constant(Tensor::vector(Vec::<i32>::new()));
                    let zero = b.constant(Tensor::scalar(0i32));
                    let random = b.node("RandomUniformInt").inputs([shape, zero, range]).attr("seed", 3i64).add();
                    vec![number, random]
                })
                .collect();
            let batch = Batch { num_threads: runners, ordered: true, name: "out".into(), ..Batch::of(10) };
            let shuffle = Shuffle { min_after_dequeue: 5, seed: Some(9) };
            let out = match (shuffled, lists.len()) {
                (false, 1) => train::batch(b, &lists[0], &batch),
                (true, 1) => train::shuffle_batch(b, &lists[0], shuffle, &batch),
                (false, _) => train::batch_join(b, &lists, &batch),
                (true, _) => train::shuffle_batch_join(b, &lists, shuffle, &batch),
            };
            let pair = b.node("Pack").name("pair").inputs(out).add();
            let _ = pair;
            train::local_variables_initializer(b);
        });
        ints(&all(&session, "pair"))
    };
    for shuffled in [false, true] {
        let expected = run(1, 1, shuffled, 1);
        assert_eq!(expected.len(), 1200);
        for (threads, runners) in [(1, 4), (2, 2), (4, 16), (8, 3)] {
            assert!(run(threads, runners, shuffled, 1) == expected, "{threads} threads, {runners} runners");
        }
        let expected = run(1, 1, shuffled, 3);
        for threads in [1, 2, 8] {
            assert!(run(threads, 1, shuffled, 3) == expected, "{threads} threads, 3 lists");
        }
    }
}
