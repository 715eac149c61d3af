//! GPUs of this machine as seen by a user. On machines without one there is little to test.

use levada::graph::read;
use levada::kernel::AnyDevice;
use levada::replay::compare::compare;
use levada::replay::read_lines;
use levada::{Builder, Code, DType, PartialShape, RunOptions, Session, SessionOptions, Shape, Tensor};
use levada_gpu::host::Host;
use levada_gpu::host_queues::HostQueues;
use levada_gpu::print::Language;
use levada_gpu::{GpuDevice, Processor};
use levada_tests::{allowed, graphics_processors, stand_in};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn options() -> SessionOptions {
    SessionOptions { threads: 2, allow_soft_placement: true, ..SessionOptions::default() }
}

/// The CPU and this GPU, whose tensors take at most `limit` bytes.
fn with(gpu: &dyn Processor, limit: Option<u64>) -> Vec<Arc<dyn AnyDevice>> {
    let mut devices = levada::devices(&options());
    devices.push(Arc::new(GpuDevice::new(0, gpu.open().unwrap(), limit)));
    devices
}

/// A tensor in a `.npy` file of the first version.
fn npy(file: &str, dtype: DType, shape: &[usize]) -> Tensor {
    let bytes = std::fs::read(root().join("graphs/digits").join(file)).unwrap();
    let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    Tensor::from_bytes(dtype, Shape::new(shape.to_vec()).unwrap(), &bytes[start..]).unwrap()
}

/// Sessions of a graph on the CPU only and with this GPU.
fn sessions(file: &str, gpu: &dyn Processor) -> [Session; 2] {
    let graph = || read::file(root().join("graphs/digits").join(file), &levada::registry()).unwrap();
    [Session::new(graph(), options()).unwrap(), Session::with_devices(graph(), with(gpu, None), options()).unwrap()]
}

/// Runs a step with a trace; counts the nodes on each kind of device.
fn traced(session: &Session, feeds: &[(&str, Tensor)], fetches: &[&str], targets: &[&str]) -> BTreeMap<String, usize> {
    let options = RunOptions { trace: true, ..RunOptions::default() };
    let (_, metadata) = session.run_with(&options, feeds, fetches, targets).unwrap();
    let mut counts = BTreeMap::new();
    for event in metadata.trace.unwrap().events {
        let kind = if event.device.contains("GPU") { "GPU" } else { "CPU" };
        *counts.entry(kind.to_owned()).or_default() += event.nodes().len();
        if kind == "CPU" {
            *counts.entry(format!("CPU {}", event.op)).or_default() += 1;
        }
    }
    counts
}

#[test]
fn all_of_this_on_the_stand_in_for_cuda() {
    stand_in::here_again(&[], &[]);
}

#[test]
fn digits_are_classified_as_on_the_cpu() {
    for gpu in graphics_processors() {
        let [cpu, both] = sessions("infer.json", gpu);
        let feeds = [
            ("images", npy("test_images.npy", DType::F32, &[360, 8, 8, 1])),
            ("labels", npy("test_labels.npy", DType::I64, &[360])),
        ];
        let fetches = ["logits", "probabilities", "predictions", "accuracy", "confusion"];
        let expected = cpu.run(&feeds, &fetches, &[]).unwrap();
        for _ in 0..2 {
            let found = both.run(&feeds, &fetches, &[]).unwrap();
            for ((name, found), expected) in fetches.iter().zip(&found).zip(&expected) {
                assert_eq!(compare(found, expected, 1e-4, 1e-4), None, "{name} on {}", gpu.info().name);
            }
        }
        let counts = traced(&both, &feeds, &fetches, &[]);
        println!("{}: {counts:?}", gpu.info().name);
        assert!(counts["GPU"] > 0);
    }
}

/// Checks the device events of a traced step of the digits graph: all of its work is there, on tracks, in order and
/// within the step.
fn tracks(session: &Session, name: &str, count: usize) {
    let images = npy("test_images.npy", DType::F32, &[360, 8, 8, 1]);
    let images = images.slice::<f32>().unwrap()[..count * 64].to_vec();
    let labels = npy("test_labels.npy", DType::I64, &[360]).slice::<i64>().unwrap()[..count].to_vec();
    let images = Tensor::from_vec(Shape::new([count, 8, 8, 1]).unwrap(), images).unwrap();
    let feeds = [("images", images), ("labels", Tensor::vector(labels))];
    let options = RunOptions { trace: true, ..RunOptions::default() };
    for _ in 0..3 {
        let (_, metadata) = session.run_with(&options, &feeds, &["probabilities", "accuracy"], &[]).unwrap();
        let trace = metadata.trace.unwrap();
        allowed(&trace);
        let all = levada::trace::report::device_times(std::slice::from_ref(&trace));
        let gpu = &all[0];
        assert_eq!((all.len(), gpu.streams > 0), (1, true), "{name}");
        assert!(gpu.copies_in.bytes >= count as u64 * 64 * 4, "{name}: {gpu:?}");
        assert!(gpu.copies_out.bytes >= count as u64 * 10 * 4, "{name}: {gpu:?}");
        assert!(gpu.busy_ns > 0 && gpu.busy_ns <= trace.wall_ns, "{name}: {gpu:?}");
        assert!(gpu.kernels.len() > 3 && gpu.kernels.iter().all(|k| k.2 <= gpu.compute_ns), "{name}: {gpu:?}");
        println!("{name}: {}", levada::trace::report::devices_text(&[trace]));
    }
}

#[test]
fn traces_have_the_work_of_devices_on_tracks() {
    for gpu in graphics_processors() {
        let [_, both] = sessions("infer.json", gpu);
        tracks(&both, &gpu.info().name, 360);
    }
}

#[test]
fn traces_have_the_work_of_devices_with_several_queues_on_tracks() {
    let graph = read::file(root().join("graphs/digits/infer.json"), &levada::registry()).unwrap();
    let mut devices = levada::devices(&options());
    let queues = HostQueues::new(Language::Cuda, None, 3, 1, Duration::from_millis(1));
    devices.push(Arc::new(GpuDevice::new(0, Arc::new(queues), None)));
    let session = Session::with_devices(graph, devices, options()).unwrap();
    tracks(&session, "interpreter with queues", 2);
}

#[test]
fn traces_have_the_work_of_interpreted_devices_on_tracks() {
    let graph = read::file(root().join("graphs/digits/infer.json"), &levada::registry()).unwrap();
    let mut devices = levada::devices(&options());
    devices.push(Arc::new(GpuDevice::new(0, Arc::new(Host::new(Language::Wgsl, None)), None)));
    let session = Session::with_devices(graph, devices, options()).unwrap();
    tracks(&session, "interpreter", 3);
}

#[test]
fn digits_are_learned_as_on_the_cpu() {
    for gpu in graphics_processors() {
        let sessions = sessions("train.json", gpu);
        let feeds = [
            ("images", npy("batch_images.npy", DType::F32, &[64, 8, 8, 1])),
            ("labels", npy("batch_labels.npy", DType::I64, &[64])),
        ];
        let losses = sessions.each_ref().map(|session| {
            session.run(&[], &[], &["init"]).unwrap();
            let step = || session.run(&feeds, &["loss"], &["train_op"]).unwrap()[0].item::<f32>().unwrap();
            (0..20).map(|_| step()).collect::<Vec<f32>>()
        });
        for (step, (expected, found)) in losses[0].iter().zip(&losses[1]).enumerate() {
            assert!((found - expected).abs() <= 1e-4 * expected.abs(), "step {step}: {found}, the CPU {expected}");
        }
        let counts = traced(&sessions[1], &feeds, &["loss"], &["train_op"]);
        println!("{}: {counts:?}", gpu.info().name);
        assert!(counts["GPU"] > 0);
    }
}

#[test]
fn memory_that_runs_out_names_the_node_and_the_session_stays_usable() {
    for gpu in graphics_processors() {
        let mut b = Builder::new(levada::registry());
        let x = b.placeholder("x", DType::F32, PartialShape::from_signed(&[-1]));
        let twice = b.add(x, x);
        b.identity("twice", twice);
        let session = Session::with_devices(b.finish().unwrap(), with(gpu, Some(1 << 20)), options()).unwrap();
        let run = |n: usize| session.run(&[("x", Tensor::vector(vec![1.5f32; n]))], &["twice"], &[]);
        for _ in 0..3 {
            assert_eq!(run(10).unwrap()[0].slice::<f32>().unwrap(), [3f32; 10]);
            let error = run(1 << 20).unwrap_err();
            assert_eq!(error.code(), Code::ResourceExhausted, "{error}");
            assert!(error.to_string().contains("device:GPU:0"), "{error}");
        }
        assert_eq!(run(1000).unwrap()[0].slice::<f32>().unwrap(), [3f32; 1000]);
    }
}

#[test]
fn options_ask_for_graphics_processors() {
    let found = graphics_processors().len();
    let count =
        |gpus| levada::devices(&SessionOptions { gpus, ..options() }).iter().filter(|d| d.kind() == "GPU").count();
    assert_eq!([count(0), count(1), count(64)], [0, found.min(1), found]);
    let check = levada::gpus::check(&SessionOptions { gpus: found + 1, ..options() });
    assert_eq!(check.unwrap_err().code(), Code::Unavailable);
    assert!(levada::gpus::backends().iter().all(|b| b.found.is_empty() == b.absence.is_some()));
}

/// A recorded session of a pipeline that ends on a GPU.
fn pipeline(name: &str, devices: Vec<Arc<dyn AnyDevice>>) -> Session {
    let file = root().join("tests/golden/data_devices.jsonl");
    let line = read_lines(&file).unwrap().into_iter().find(|line| line.starts_with(&format!("{{\"name\":\"{name}\"")));
    let case: serde_json::Value = serde_json::from_str(&line.unwrap()).unwrap();
    let graph = read::json(case["graph"].to_string().as_bytes(), &levada::registry()).unwrap();
    Session::with_devices(graph, devices, SessionOptions { telemetry: true, ..options() }).unwrap()
}

/// The elements that the stage of this kind of the only pipeline has produced, once they are `n`.
fn given(session: &Session, kind: &str, n: u64) -> u64 {
    for _ in 0..10_000 {
        let pipelines = session.pipeline_traces();
        let stage = pipelines[0].stages.iter().find(|stage| stage.kind == kind);
        let given = stage.unwrap_or_else(|| panic!("no {kind} in {pipelines:?}")).elements;
        if given >= n {
            return given;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("{kind} does not work ahead");
}

/// Elements are copied to the device before the step that takes them, which then copies nothing.
fn copied_ahead(devices: Vec<Arc<dyn AnyDevice>>) {
    let session = pipeline("prefetch_to_device/gpu/product", devices);
    session.run(&[], &[], &["MakeIterator"]).unwrap();
    let options = RunOptions { trace: true, ..RunOptions::default() };
    for i in 0..5u64 {
        let (found, metadata) = session.run_with(&options, &[], &["MatMul:0"], &[]).unwrap();
        assert_eq!(found[0].slice::<f32>().unwrap(), [(2 * i * i) as f32; 4]);
        let trace = metadata.trace.unwrap();
        allowed(&trace);
        if i > 0 {
            let times = levada::trace::report::device_times(std::slice::from_ref(&trace));
            assert_eq!(times[0].copies_in.bytes, 0, "{times:?}");
        }
        // Those that fit in the buffer of two, out of five.
        given(&session, "CopyToDevice", (i + 3).min(5));
    }
    let error = session.run(&[], &["MatMul:0"], &[]).unwrap_err();
    assert_eq!(error.code(), Code::OutOfRange, "{error}");
    let text = levada::trace::report::pipelines_text(&session.pipeline_traces());
    assert!(text.contains("CopyToDevice (ahead)"), "{text}");
}

#[test]
fn elements_are_on_the_device_before_they_are_asked_for() {
    for gpu in graphics_processors() {
        copied_ahead(with(gpu, None));
    }
    let with = |backend: Arc<dyn levada_gpu::Backend>| {
        let mut devices = levada::devices(&options());
        devices.push(Arc::new(GpuDevice::new(0, backend, None)));
        devices
    };
    copied_ahead(with(Arc::new(Host::new(Language::Wgsl, None))));
    let queues = HostQueues::new(Language::Cuda, None, 3, 1, Duration::from_millis(1));
    copied_ahead(with(Arc::new(queues)));
}

#[test]
fn what_only_orders_nodes_of_a_device_is_there() {
    let float = json!({"type": "DT_FLOAT"});
    let node = |name: &str, op: &str, inputs: &[&str], attrs: &[&str]| {
        let attrs: serde_json::Map<_, _> = attrs.iter().map(|&attr| (attr.to_owned(), float.clone())).collect();
        json!({"name": name, "op": op, "input": inputs, "attr": attrs})
    };
    let graph = json!({"node": [
        node("x", "Placeholder", &[], &["dtype"]),
        node("a", "Neg", &["x"], &["T"]),
        node("text", "AsString", &["x"], &["T"]),
        node("between", "NoOp", &["^a"], &[]),
        node("mixed", "NoOp", &["^a", "^text"], &[]),
        node("b", "Neg", &["a", "^between", "^mixed"], &["T"]),
        node("end", "NoOp", &["^b"], &[]),
    ]});
    let graph = read::json(graph.to_string().as_bytes(), &levada::registry()).unwrap();
    let mut devices = levada::devices(&options());
    devices.push(Arc::new(GpuDevice::new(0, Arc::new(Host::new(Language::Cuda, None)), None)));
    let session = Session::with_devices(graph, devices, options()).unwrap();
    let run = RunOptions { trace: true, ..RunOptions::default() };
    let (values, metadata) = session.run_with(&run, &[("x", Tensor::scalar(2f32))], &["b"], &["end"]).unwrap();
    assert_eq!(values[0].item::<f32>().unwrap(), 2.0);
    let events = metadata.trace.unwrap().events;
    let is_on_gpu = |name: &str| events.iter().find(|event| *event.node == *name).unwrap().device.contains("GPU");
    assert_eq!(["a", "between", "mixed", "b", "end"].map(is_on_gpu), [true, true, false, true, false]);
}

#[test]
fn iterators_are_on_the_cpu_unless_a_device_is_asked_for() {
    let mut b = Builder::new(levada::registry());
    let pipeline = levada::data::Dataset::range(4).batch(2).iterator(&mut b, "numbers");
    let next = b.name(pipeline.components[0]);
    let mut devices = levada::devices(&options());
    devices.push(Arc::new(GpuDevice::new(0, Arc::new(Host::new(Language::Wgsl, None)), None)));
    let session = Session::with_devices(b.finish().unwrap(), devices, options()).unwrap();
    session.run(&[], &[], &["numbers/init"]).unwrap();
    let counts = traced(&session, &[], &[&next], &[]);
    assert_eq!((counts.get("GPU"), counts["CPU IteratorGetNext"]), (None, 1), "{counts:?}");
}
