//! GPU nodes that run as one, and the recorded regions, return the same as single nodes and as the CPU.

use levada::graph::read;
use levada::kernel::AnyDevice;
use levada::{Builder, DType, Graph, PartialShape, Session, SessionOptions, Shape, Tensor};
use levada_gpu::host::Host;
use levada_gpu::host_queues::HostQueues;
use levada_gpu::print::Language;
use levada_gpu::{Backend, Gpu, GpuDevice};
use levada_testkit::loops::{loops, on_devices};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

fn options(separate_nodes: bool) -> SessionOptions {
    SessionOptions { threads: 2, allow_soft_placement: true, separate_nodes, ..SessionOptions::default() }
}

/// A session with the CPU and an interpreting device, and that device.
fn session(graph: Graph, backend: Arc<dyn Backend>, separate: bool, limit: Option<u64>) -> (Session, Arc<Gpu>) {
    let gpu = GpuDevice::new(0, backend, limit);
    let inner = gpu.gpu().clone();
    let mut devices = levada::devices(&options(separate));
    devices.push(Arc::new(gpu) as Arc<dyn AnyDevice>);
    (Session::with_devices(graph, devices, options(separate)).unwrap(), inner)
}

fn host() -> Arc<dyn Backend> {
    Arc::new(Host::new(Language::Cuda, None))
}

fn replayed(gpu: &Gpu) -> usize {
    gpu.captures.replayed.load(Ordering::Relaxed)
}

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n
    }
}

/// A random graph over rows of three numbers, with a fed number of rows, and variables. All numbers are small integers,
/// so every device computes the same bits. `order`: uses of a variable are in one order.
fn random(seed: u64, order: bool) -> (Graph, Vec<String>, Vec<String>) {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bd1);
    let mut b = Builder::new(levada::registry());
    let vector = |b: &mut Builder, values: [f32; 3]| b.constant(Tensor::vector(values.to_vec()));
    let mut rows: Vec<_> =
        ["x", "y"].map(|n| b.placeholder(n, DType::F32, PartialShape::from_signed(&[-1, 3]))).to_vec();
    let mut flat = vec![vector(&mut b, [1.0, -2.0, 3.0])];
    let axis = b.constant(Tensor::vector(vec![0i32]));
    let one = b.constant(Tensor::scalar(1f32));
    let (low, high) = (b.constant(Tensor::scalar(-8f32)), b.constant(Tensor::scalar(8f32)));
    let mut variables = Vec::new();
    for name in ["u", "v", "w"] {
        let shape = PartialShape::from_signed(&[3]);
        let handle = b
            .node("VarHandleOp")
            .full_name(name)
            .attr("dtype", DType::F32)
            .attr("shape", shape)
            .attr("shared_name", name.to_owned())
            .add();
        let value = vector(&mut b, [rng.below(5) as f32, 1.0, -1.0]);
        let init = b.node("AssignVariableOp").full_name(&format!("init_{name}")).input(handle).input(value).add();
        let _ = init;
        variables.push((handle, Vec::new()));
    }
    let mut targets = Vec::new();
    let nodes = 4 + rng.below(28);
    let clip = |b: &mut Builder, x| {
        let x = b.op("Minimum", &[x, high]);
        b.op("Maximum", &[x, low])
    };
    for k in 0..nodes {
        let on_cpu = rng.below(12) == 0;
        let which = rng.below(10);
        let pick = |rng: &mut Rng, from: &[levada::Output]| from[from.len() - 1 - rng.below(from.len().min(6))];
        match which {
            0..=2 => {
                let (a, c) = (
                    pick(&mut rng, &rows),
                    if rng.below(2) == 0 { pick(&mut rng, &rows) } else { pick(&mut rng, &flat) },
                );
                let op = ["AddV2", "Sub", "Maximum", "Mul"][rng.below(4)];
                let made = b.node(op).input(a).input(c).device(if on_cpu { "/cpu:0" } else { "" }).add();
                rows.push(clip(&mut b, made));
            }
            3 => {
                let (a, c) = (pick(&mut rng, &flat), pick(&mut rng, &flat));
                let made = b.op(["AddV2", "Sub", "Minimum", "Mul"][rng.below(4)], &[a, c]);
                flat.push(clip(&mut b, made));
            }
            4 => {
                let a = pick(&mut rng, &rows);
                let op = ["Neg", "Abs", "Relu", "Identity"][rng.below(4)];
                rows.push(b.node(op).input(a).device(if on_cpu { "/cpu:0" } else { "" }).add());
            }
            5 => {
                let a = pick(&mut rng, &rows);
                let sum = b.op("Sum", &[a, axis]);
                flat.push(clip(&mut b, sum));
            }
            6 => {
                let a = pick(&mut rng, &rows);
                let shape = b.op("Shape", &[a]);
                let other = pick(&mut rng, &rows);
                rows.push(b.op("Reshape", &[other, shape]));
            }
            _ => {
                let v = rng.below(3);
                let delta = pick(&mut rng, &flat);
                let handle = variables[v].0;
                let op = [
                    "ReadVariableOp",
                    "AssignAddVariableOp",
                    "AssignSubVariableOp",
                    "AssignVariableOp",
                    "ResourceApplyGradientDescent",
                ][if order { rng.below(5) } else { [1, 2][rng.below(2)] }];
                let mut node = b.node(op).full_name(&format!("var_{k}")).input(handle);
                node = match op {
                    "ReadVariableOp" => node.attr("dtype", DType::F32),
                    "ResourceApplyGradientDescent" => node.input(one).input(delta),
                    _ => node.input(delta),
                };
                if order {
                    for &before in &variables[v].1 {
                        node = node.after(before);
                    }
                }
                let made = node.add();
                variables[v].1.push(made);
                if op == "ReadVariableOp" {
                    flat.push(clip(&mut b, made));
                } else {
                    targets.push(format!("var_{k}"));
                }
            }
        }
    }
    let mut fetches = Vec::new();
    let made: Vec<_> = rows.iter().chain(&flat).copied().collect();
    for (i, &x) in made.iter().enumerate().rev().step_by(3) {
        fetches.push(format!("out_{i}"));
        b.identity(&format!("out_{i}"), x);
    }
    if order {
        for (i, (handle, before)) in variables.into_iter().enumerate() {
            let mut node =
                b.node("ReadVariableOp").full_name(&format!("last_{i}")).input(handle).attr("dtype", DType::F32);
            for x in before {
                node = node.after(x);
            }
            node.add();
            fetches.push(format!("last_{i}"));
        }
    }
    (b.finish().unwrap(), fetches, targets)
}

fn feeds(step: usize) -> [(&'static str, Tensor); 2] {
    let rows = [1, 2, 5, 2, 0, 1][step % 6];
    let number = |i: usize| ((i * 7 + step * 3) % 9) as f32 - 4.0;
    let make = |by: usize| {
        Tensor::from_vec(Shape::new([rows, 3]).unwrap(), (0..rows * 3).map(|i| number(i * by)).collect()).unwrap()
    };
    [("x", make(1)), ("y", make(5))]
}

fn names(all: &[String]) -> Vec<&str> {
    all.iter().map(String::as_str).collect()
}

fn numbers(tensors: &[Tensor]) -> Vec<(Vec<usize>, Vec<f32>)> {
    tensors.iter().map(|t| (t.shape().to_vec(), t.slice::<f32>().unwrap().to_vec())).collect()
}

#[test]
fn random_graphs_with_variables_give_what_they_give_on_the_cpu() {
    let (mut repeated, mut recorded) = (0, 0);
    for seed in 0..150 {
        let (graph, fetches, targets) = random(seed, true);
        let cpu = Session::new(random(seed, true).0, options(false)).unwrap();
        let queues = Arc::new(HostQueues::new(Language::Cuda, None, 2, seed, Duration::from_micros(20)));
        let backend: Arc<dyn Backend> = if seed % 3 == 0 { queues } else { host() };
        let (both, gpu) = session(graph, backend, false, None);
        let init = ["init_u", "init_v", "init_w"];
        cpu.run(&[], &[], &init).unwrap();
        both.run(&[], &[], &init).unwrap();
        let mut held = Vec::new();
        for step in 0..24 {
            let feeds = feeds(step);
            let expected = cpu.run(&feeds, &names(&fetches), &names(&targets)).unwrap();
            let found = both.run(&feeds, &names(&fetches), &names(&targets)).unwrap();
            assert_eq!(numbers(&found), numbers(&expected), "seed {seed}, step {step}");
            held.push((found, numbers(&expected)));
        }
        for (found, expected) in held {
            assert_eq!(numbers(&found), expected, "seed {seed}: what was fetched changed");
        }
        repeated += replayed(&gpu);
        recorded += gpu.captures.recorded.load(Ordering::Relaxed);
    }
    println!("{recorded} recordings, repeated {repeated} times");
    assert!(repeated > 500);
}

#[test]
fn several_callers_add_up_what_one_does() {
    for seed in 0..24 {
        let (graph, fetches, targets) = random(seed, false);
        let (one, _) = session(random(seed, false).0, host(), true, None);
        let queues = Arc::new(HostQueues::new(Language::Cuda, None, 3, seed, Duration::from_micros(50)));
        let backend: Arc<dyn Backend> = if seed % 2 == 0 { queues } else { host() };
        let (both, _) = session(graph, backend, false, None);
        for session in [&one, &both] {
            session.run(&[], &[], &["init_u", "init_v", "init_w"]).unwrap();
        }
        let fetch = names(&fetches);
        let run = |session: &Session, step: usize| session.run(&feeds(step), &fetch, &names(&targets)).unwrap();
        let expected: Vec<_> = (0..24).map(|step| numbers(&run(&one, step))).collect();
        std::thread::scope(|scope| {
            for caller in 0..4 {
                let (both, run, expected) = (both.clone(), &run, &expected);
                scope.spawn(move || {
                    for step in (0..24).filter(|s| s % 4 == caller) {
                        assert_eq!(numbers(&run(&both, step)), expected[step], "seed {seed}, step {step}");
                    }
                });
            }
        });
        let totals = |session: &Session| {
            let graph = session.graph();
            let mut b = Builder::on((*graph).clone(), levada::registry());
            let reads: Vec<String> = ["u", "v", "w"].iter().map(|v| format!("total_{v}")).collect();
            for (name, read) in ["u", "v", "w"].iter().zip(&reads) {
                let handle = b.find(name).unwrap();
                b.node("ReadVariableOp").full_name(read).input(handle).attr("dtype", DType::F32).add();
            }
            let grown = b.finish().unwrap();
            session.grow(|_, _| Ok(grown.clone())).unwrap();
            numbers(&session.run(&[], &names(&reads), &[]).unwrap())
        };
        assert_eq!(totals(&both), totals(&one), "seed {seed}");
    }
}

#[test]
fn digits_are_learned_from_recordings_as_on_the_cpu() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../graphs/digits");
    let graph = || read::file(root.join("train.json"), &levada::registry()).unwrap();
    let npy = |file: &str| {
        let bytes = std::fs::read(root.join(file)).unwrap();
        let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        bytes[start..].to_vec()
    };
    let (images, labels) = (npy("batch_images.npy"), npy("batch_labels.npy"));
    let feeds = |step: usize| {
        let count = [4, 2][step / 5 % 2];
        let image = Tensor::from_bytes(DType::F32, Shape::new([count, 8, 8, 1]).unwrap(), &images[..count * 256]);
        let label = Tensor::from_bytes(DType::I64, Shape::new([count]).unwrap(), &labels[..count * 8]);
        [("images", image.unwrap()), ("labels", label.unwrap())]
    };
    let cpu = Session::new(graph(), options(false)).unwrap();
    let (both, gpu) = session(graph(), host(), false, None);
    cpu.run(&[], &[], &["init"]).unwrap();
    both.run(&[], &[], &["init"]).unwrap();
    for step in 0..15 {
        let loss = |s: &Session| s.run(&feeds(step), &["loss"], &["train_op"]).unwrap()[0].item::<f32>().unwrap();
        let (expected, found) = (loss(&cpu), loss(&both));
        assert!((found - expected).abs() <= 1e-4 * expected.abs(), "step {step}: {found}, the CPU {expected}");
    }
    println!("{:?}", gpu.captures);
    // For two shapes, each is run once, recorded once, and then repeated.
    assert!(replayed(&gpu) >= 10);
    assert!(gpu.captures.recorded.load(Ordering::Relaxed) <= 4);
}

#[test]
fn recordings_are_given_back_where_memory_is_short() {
    let mut b = Builder::new(levada::registry());
    let x = b.placeholder("x", DType::F32, PartialShape::from_signed(&[-1]));
    let twice = b.add(x, x);
    let more = b.mul(twice, x);
    b.identity("more", more);
    let gpu = GpuDevice::new(0, host(), Some(1 << 20));
    let inner = gpu.gpu().clone();
    let mut devices = levada::devices(&options(false));
    devices.push(Arc::new(gpu));
    // With the two as one node there would be memory enough.
    let options = SessionOptions { no_fusion: true, ..options(false) };
    let (session, gpu) = (Session::with_devices(b.finish().unwrap(), devices, options).unwrap(), inner);
    let run = |n: usize| session.run(&[("x", Tensor::vector(vec![2f32; n]))], &["more"], &[]);
    for _ in 0..4 {
        assert_eq!(run(10_000).unwrap()[0].slice::<f32>().unwrap(), vec![8f32; 10_000]);
    }
    let kept = gpu.pool.used().0;
    assert!(replayed(&gpu) == 2 && kept > 0);
    // The rest would be too little.
    assert_eq!(run(120_000).unwrap()[0].slice::<f32>().unwrap(), vec![8f32; 120_000]);
    assert!(gpu.pool.used().0 < kept);
    assert!(run(300_000).is_err());
    assert_eq!(run(10_000).unwrap()[0].slice::<f32>().unwrap(), vec![8f32; 10_000]);
    drop(session);
}

#[test]
fn values_on_the_host_and_errors_are_those_of_the_nodes() {
    let mut b = Builder::new(levada::registry());
    let x = b.placeholder("x", DType::F32, PartialShape::Unknown);
    let shape = b.placeholder("shape", DType::I32, PartialShape::Unknown);
    let twice = b.add(x, x);
    let reshaped = b.node("Reshape").full_name("reshaped").input(twice).input(shape).add();
    let y = b.op("Neg", &[reshaped]);
    b.identity("y", y);
    let (session, gpu) = session(b.finish().unwrap(), host(), false, None);
    let run = |shape: &[i32]| {
        let feeds = [("x", Tensor::vector(vec![1f32; 6])), ("shape", Tensor::vector(shape.to_vec()))];
        session.run(&feeds, &["y"], &[])
    };
    for _ in 0..4 {
        for shape in [[2, 3], [3, 2], [6, 1]] {
            let found = run(&shape).unwrap();
            assert_eq!(found[0].shape().to_vec(), shape.map(|n| n as usize));
            assert_eq!(found[0].slice::<f32>().unwrap(), [-2f32; 6]);
        }
        let error = run(&[4, 2]).unwrap_err();
        assert!(error.to_string().contains("reshaped"), "{error}");
    }
    assert_eq!(replayed(&gpu), 6);
}

/// `x` goes through a layer in each iteration of the loop, and through one of its two branches; `call` does the same in
/// a function.
fn layers() -> Graph {
    let node = |name: &str, op: &str, input: &[&str], attr: Value| json!({"name": name, "op": op, "input": input, "attr": attr});
    let layer = |x: &str, weights: &str, name: &str| {
        vec![
            node(&format!("{name}/product"), "MatMul", &[x, weights], json!({"T": "float32"})),
            node(
                &format!("{name}/sum"),
                "Sum",
                &[&format!("{name}/product"), "axis"],
                json!({"T": "float32", "keep_dims": true}),
            ),
            node(
                &format!("{name}/less"),
                "Sub",
                &[&format!("{name}/product"), &format!("{name}/sum")],
                json!({"T": "float32"}),
            ),
            node(name, "Tanh", &[&format!("{name}/less")], json!({"T": "float32"})),
        ]
    };
    let weights: Vec<f64> = (0..16).map(|i| f64::from(i) * 0.1 - 0.8).collect();
    let weights: Vec<&[f64]> = weights.chunks(4).collect();
    let scalar = |name: &str, value: i32| node(name, "Const", &[], json!({"dtype": "int32", "value": value}));
    let frame = || json!({"frame_name": "loop", "is_constant": false});
    let invariant = || json!({"frame_name": "loop", "is_constant": true});
    let mut nodes = vec![
        node("x", "Placeholder", &[], json!({"dtype": "float32", "shape": [2, 4]})),
        node("n", "Placeholder", &[], json!({"dtype": "int32", "shape": []})),
        node("which", "Placeholder", &[], json!({"dtype": "bool", "shape": []})),
        node("w", "Placeholder", &[], json!({"dtype": "float32", "shape": [4, 4]})),
        node("weights", "Const", &[], json!({"dtype": "float32", "value": weights})),
        scalar("axis", 1),
        scalar("zero", 0),
        node("i/start", "Enter", &["zero"], frame()),
        node("x/start", "Enter", &["x"], frame()),
        node("w/each", "Enter", &["w"], invariant()),
        node("n/each", "Enter", &["n"], invariant()),
        node("one/each", "Enter", &["axis"], invariant()),
        node("i", "Merge", &["i/start", "i/next"], json!({})),
        node("h", "Merge", &["x/start", "h/next"], json!({})),
        node("less", "Less", &["i", "n/each"], json!({"T": "int32"})),
        node("goes", "LoopCond", &["less"], json!({})),
        node("i/switch", "Switch", &["i", "goes"], json!({})),
        node("h/switch", "Switch", &["h", "goes"], json!({})),
        node("i/more", "AddV2", &["i/switch:1", "one/each"], json!({"T": "int32"})),
        node("i/next", "NextIteration", &["i/more"], json!({})),
        node("h/next", "NextIteration", &["layer"], json!({})),
        node("looped", "Exit", &["h/switch"], json!({})),
        node("switch", "Switch", &["looped", "which"], json!({})),
        node("one_of", "Merge", &["no", "yes"], json!({})),
        node("called", "PartitionedCall", &["x"], json!({"Tin": ["float32"], "Tout": ["float32"], "f": {"func": "f"}})),
    ];
    let mut body = layer("h/switch:1", "w/each", "layer");
    body[1]["input"][1] = "one/each".into();
    nodes.extend(body);
    nodes.extend(layer("switch", "weights", "no"));
    nodes.extend(layer("switch:1", "w", "yes"));
    let inner = vec![
        json!({"name": "weights", "op": "Const", "attr": {"dtype": "float32", "value": weights}}),
        json!({"name": "product", "op": "MatMul", "input": ["x", "weights:output:0"], "attr": {"T": "float32"}}),
        json!({"name": "sum", "op": "Softmax", "input": ["product:product:0"], "attr": {"T": "float32"}}),
        json!({"name": "out", "op": "Tanh", "input": ["sum:softmax:0"], "attr": {"T": "float32"}}),
    ];
    let function = json!({
        "signature": {"name": "f", "input_arg": [{"name": "x", "type": "float32"}], "output_arg": [{"name": "y", "type": "float32"}]},
        "node_def": inner, "ret": {"y": "out:y:0"}
    });
    let graph = json!({"node": nodes, "library": {"function": [function]}});
    read::json(&serde_json::to_vec(&graph).unwrap(), &levada::registry()).unwrap()
}

#[test]
fn bodies_of_loops_branches_and_functions_are_recorded() {
    let cpu = Session::new(layers(), options(false)).unwrap();
    for (fetch, times) in [("looped", 4), ("one_of", 4), ("called", 1)] {
        let (both, gpu) = session(layers(), host(), false, None);
        for step in 0..6 {
            let numbers = |n: usize| (0..n).map(|i| ((i * 7 + step * 3) % 11) as f32 * 0.1 - 0.5).collect::<Vec<f32>>();
            let matrix = |rows: usize| Tensor::from_vec(Shape::new([rows, 4]).unwrap(), numbers(rows * 4)).unwrap();
            let feeds = [
                ("x", matrix(2)),
                ("w", matrix(4)),
                ("n", Tensor::scalar(times)),
                ("which", Tensor::scalar(step % 2 == 0)),
            ];
            let run = |s: &Session| s.run(&feeds, &[fetch], &[]).unwrap()[0].slice::<f32>().unwrap().to_vec();
            let (expected, found) = (run(&cpu), run(&both));
            let near = found.iter().zip(&expected).all(|(f, e)| (f - e).abs() <= 1e-5);
            assert!(near, "{fetch} in step {step}: {found:?}, the CPU {expected:?}");
        }
        assert!(replayed(&gpu) > 0, "{fetch}: {:?}", gpu.captures);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn random_loops_give_what_they_give_on_the_cpu(loops in loops(), picks in vec(any::<u8>(), 1..60)) {
        let graph = on_devices(&loops.graph, &picks, &["/gpu:0", "/gpu:0", "/gpu:0", "/cpu:0"]);
        let graph = || read::json(&serde_json::to_vec(&graph).unwrap(), &levada::registry()).unwrap();
        let cpu = Session::new(graph(), options(false)).unwrap();
        let (both, _) = session(graph(), host(), false, None);
        let fetches: Vec<&str> = loops.fetches.iter().map(String::as_str).collect();
        let run = |s: &Session| -> Vec<Vec<i32>> {
            let all = s.run(&[], &fetches, &[]).unwrap();
            all.iter().map(|t| t.slice::<i32>().unwrap().to_vec()).collect()
        };
        let expected = run(&cpu);
        for _ in 0..3 {
            prop_assert_eq!(run(&both), expected.clone());
        }
    }
}
