//! CUDA devices as used by sessions: shared, concurrent, short of memory, faulty. Every test runs on stand-ins for
//! CUDA's libraries, in a separate process.

use levada::graph::read;
use levada::kernel::AnyDevice;
use levada::replay::compare::compare;
use levada::trace::{Work, report};
use levada::{Builder, Code, DType, Error, PartialShape, RunOptions, Session, SessionOptions, Shape, Tensor};
use levada_gpu::GpuDevice;
use levada_testkit::dag::dags;
use levada_testkit::loops::{loops, on_devices};
use levada_tests::{allowed, graphics_processors, stand_in};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// True inside; outside this runs the test again on the stand-ins, with these settings.
fn inside(test: &str, settings: &[(&str, &str)]) -> bool {
    stand_in::here_again(&["--exact", test], settings);
    stand_in::inside()
}

fn options() -> SessionOptions {
    SessionOptions {
        threads: 2,
        allow_soft_placement: true,
        timeout: Some(Duration::from_secs(60)),
        ..SessionOptions::default()
    }
}

/// The CPU and all devices, without additional limits.
fn devices() -> Vec<Arc<dyn AnyDevice>> {
    let mut devices = levada::devices(&options());
    for (i, gpu) in graphics_processors().into_iter().enumerate() {
        devices.push(Arc::new(GpuDevice::new(i, gpu.open().unwrap(), Some(u64::MAX))));
    }
    devices
}

/// A tensor in a `.npy` file of the first version.
fn npy(file: &str, dtype: DType, shape: &[usize]) -> Tensor {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../graphs/digits");
    let bytes = std::fs::read(folder.join(file)).unwrap();
    let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    Tensor::from_bytes(dtype, Shape::new(shape.to_vec()).unwrap(), &bytes[start..]).unwrap()
}

fn digits(file: &str, devices: Vec<Arc<dyn AnyDevice>>) -> Session {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../graphs/digits").join(file);
    Session::with_devices(read::file(file, &levada::registry()).unwrap(), devices, options()).unwrap()
}

fn images() -> [(&'static str, Tensor); 2] {
    [
        ("images", npy("test_images.npy", DType::F32, &[360, 8, 8, 1])),
        ("labels", npy("test_labels.npy", DType::I64, &[360])),
    ]
}

fn classify(session: &Session) -> Result<Tensor, Error> {
    Ok(session.run(&images(), &["probabilities"], &[])?.remove(0))
}

/// The losses of some training steps.
fn train(session: &Session) -> Vec<f32> {
    let feeds = [
        ("images", npy("batch_images.npy", DType::F32, &[64, 8, 8, 1])),
        ("labels", npy("batch_labels.npy", DType::I64, &[64])),
    ];
    session.run(&[], &[], &["init"]).unwrap();
    (0..6).map(|_| session.run(&feeds, &["loss"], &["train_op"]).unwrap()[0].item().unwrap()).collect()
}

#[test]
fn sessions_of_several_threads_share_a_device() {
    if !inside("sessions_of_several_threads_share_a_device", &[("LEVADA_STAND_IN_SEED", "7")]) {
        return;
    }
    let cpu = || levada::devices(&options());
    let (expected, losses) = (classify(&digits("infer.json", cpu())).unwrap(), train(&digits("train.json", cpu())));
    // One session shared by two threads, and separate sessions on the same device.
    let shared = digits("infer.json", devices());
    std::thread::scope(|scope| {
        for thread in 0..6 {
            let (shared, expected, losses) = (shared.clone(), &expected, &losses);
            scope.spawn(move || {
                if thread % 3 == 2 {
                    let found = train(&digits("train.json", devices()));
                    let near = found.iter().zip(losses).all(|(f, e)| (f - e).abs() <= 1e-4 * e.abs());
                    assert!(near, "{found:?} instead of {losses:?}");
                    return;
                }
                let own = digits("infer.json", devices());
                let session = if thread % 3 == 0 { shared } else { own };
                for _ in 0..4 {
                    assert_eq!(compare(&classify(&session).unwrap(), expected, 1e-4, 1e-4), None);
                }
            });
        }
    });
}

#[test]
fn repeated_steps_are_graphs() {
    if !inside("repeated_steps_are_graphs", &[("LEVADA_STAND_IN_SEED", "3")]) {
        return;
    }
    let losses = train(&digits("train.json", levada::devices(&options())));
    let mut found = levada::devices(&options());
    let gpu = GpuDevice::new(0, graphics_processors()[0].open().unwrap(), Some(u64::MAX));
    let inner = gpu.gpu().clone();
    found.push(Arc::new(gpu));
    let session = digits("train.json", found);
    let near = |found: &[f32]| found.iter().zip(&losses).all(|(f, e)| (f - e).abs() <= 1e-4 * e.abs());
    for _ in 0..2 {
        let found = train(&session);
        assert!(near(&found), "{found:?} instead of {losses:?}");
    }
    let count = |n: &AtomicUsize| n.load(Ordering::Relaxed);
    println!("{:?}", inner.captures);
    assert_eq!(count(&inner.captures.instantiated), count(&inner.captures.recorded));
    assert!(count(&inner.captures.replayed) >= 6, "{:?}", inner.captures);
}

const PLACES: [&str; 3] = ["/cpu:0", "/gpu:0", "/device:GPU:1"];

#[test]
fn random_graphs_run_on_two_devices() {
    let settings = [("LEVADA_STAND_IN_DEVICES", "2"), ("LEVADA_STAND_IN_SEED", "3")];
    if !inside("random_graphs_run_on_two_devices", &settings) {
        return;
    }
    assert_eq!(graphics_processors().len(), 2);
    let with = |graph: &serde_json::Value, devices| {
        let graph = read::json(graph.to_string().as_bytes(), &levada::registry()).unwrap();
        Session::with_devices(graph, devices, options()).unwrap()
    };
    let config = ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config.clone(), |(dag in dags(25, 3), picks in vec(any::<u8>(), 1..30))| {
        let session = with(&on_devices(&dag.json(), &picks, &PLACES), devices());
        let feeds: Vec<(String, Tensor)> = dag.feeds().into_iter().map(|(n, v)| (n, Tensor::vector(v))).collect();
        let feeds: Vec<(&str, Tensor)> = feeds.iter().map(|(n, t)| (n.as_str(), t.clone())).collect();
        let (fetches, targets) = (dag.fetches(), dag.targets());
        let fetches: Vec<&str> = fetches.iter().map(String::as_str).collect();
        let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
        for trace in [false, true] {
            let options = RunOptions { trace, ..RunOptions::default() };
            let (found, metadata) = session.run_with(&options, &feeds, &fetches, &targets).unwrap();
            let found: Vec<Vec<i32>> = found.iter().map(|t| t.slice::<i32>().unwrap().to_vec()).collect();
            prop_assert_eq!(found, dag.expected());
            metadata.trace.iter().for_each(allowed);
        }
    });
    proptest!(config, |(loops in loops(), picks in vec(any::<u8>(), 1..60))| {
        let fetches: Vec<&str> = loops.fetches.iter().map(String::as_str).collect();
        let all = |session: Session| -> Vec<i32> {
            session.run(&[], &fetches, &[]).unwrap().iter().map(|t| t.item().unwrap()).collect()
        };
        let expected = all(with(&loops.graph, levada::devices(&options())));
        prop_assert_eq!(all(with(&on_devices(&loops.graph, &picks, &PLACES), devices())), expected);
    });
}

#[test]
fn traces_have_the_work_of_devices_on_tracks() {
    if !inside("traces_have_the_work_of_devices_on_tracks", &[("LEVADA_STAND_IN_SEED", "5")]) {
        return;
    }
    let session = digits("infer.json", devices());
    let options = RunOptions { trace: true, ..RunOptions::default() };
    for _ in 0..3 {
        let trace = session.run_with(&options, &images(), &["probabilities"], &[]).unwrap().1.trace.unwrap();
        allowed(&trace);
        let gpu = &report::device_times(std::slice::from_ref(&trace))[0];
        assert_eq!((gpu.copies_in.bytes, gpu.copies_out.bytes, gpu.approximate), (360 * 64 * 4, 360 * 10 * 4, false));
        assert!(gpu.busy_ns > 0 && gpu.busy_ns <= trace.wall_ns && gpu.kernels.len() > 3, "{gpu:?}");
        println!("{}", report::devices_text(&[trace]));
    }
}

#[test]
fn memory_that_the_driver_does_not_have_is_an_error_of_the_node() {
    let settings = [("LEVADA_STAND_IN_MEMORY", "100000000")];
    if !inside("memory_that_the_driver_does_not_have_is_an_error_of_the_node", &settings) {
        return;
    }
    let mut b = Builder::new(levada::registry());
    let x = b.placeholder("x", DType::F32, PartialShape::from_signed(&[-1]));
    let twice = b.add(x, x);
    b.identity("twice", twice);
    let session = Session::with_devices(b.finish().unwrap(), devices(), options()).unwrap();
    let run = |n: usize| session.run(&[("x", Tensor::vector(vec![1.5f32; n]))], &["twice"], &[]);
    for _ in 0..3 {
        assert_eq!(run(1000).unwrap()[0].slice::<f32>().unwrap(), [3f32; 1000]);
        for elements in [14_000_000, 30_000_000] {
            let error = run(elements).unwrap_err();
            assert_eq!(error.code(), Code::ResourceExhausted, "{error}");
            assert!(error.to_string().contains("device:GPU:0"), "{error}");
        }
        // All of the memory, once the caches are released.
        run(7_000_000).unwrap();
        run(6_000_000).unwrap();
    }
}

#[test]
fn a_fault_names_nodes_and_the_device_is_lost() {
    const TEST: &str = "a_fault_names_nodes_and_the_device_is_lost";
    for fault in ["launch:1", "launch:40", "copy:1", "copy:3"] {
        if !inside(TEST, &[("LEVADA_STAND_IN_FAIL", fault)]) {
            continue;
        }
        let session = digits("infer.json", devices());
        let error = (0..10).find_map(|_| classify(&session).err()).expect("it fails");
        assert_eq!(error.code(), Code::Unavailable, "{error}");
        assert!(error.to_string().contains("is lost: CUDA: an illegal memory access"), "{error}");
        if std::env::var("LEVADA_STAND_IN_FAIL").unwrap().starts_with("launch") {
            assert!(error.to_string().contains("the nodes that were running"), "{error}");
        }
        for session in [session, digits("infer.json", devices())] {
            let again = classify(&session).unwrap_err();
            assert_eq!(again.code(), Code::Unavailable, "{again}");
            assert!(again.to_string().contains("is lost"), "{again}");
        }
        // The CPU still works.
        classify(&digits("infer.json", levada::devices(&options()))).unwrap();
        return;
    }
}

/// The first run queues its launches one by one; the second is recorded, and work that cannot be captured is still
/// queued.
#[test]
fn a_launch_that_is_refused_fails_its_run_alone() {
    const TEST: &str = "a_launch_that_is_refused_fails_its_run_alone";
    const IN_FIRST: &str = "refuse:5";
    const IN_RECORDING: &str = "refuse:25";
    for fault in [IN_FIRST, IN_RECORDING] {
        if !inside(TEST, &[("LEVADA_STAND_IN_FAIL", fault)]) {
            continue;
        }
        let fails = std::env::var("LEVADA_STAND_IN_FAIL").unwrap() == IN_FIRST;
        let expected = classify(&digits("infer.json", levada::devices(&options()))).unwrap();
        let session = digits("infer.json", devices());
        let runs: Vec<_> = (0..12).map(|_| classify(&session)).collect();
        let errors: Vec<&Error> = runs.iter().filter_map(|run| run.as_ref().err()).collect();
        assert_eq!(errors.len(), usize::from(fails), "{errors:?}");
        for error in errors {
            assert_eq!(error.code(), Code::Internal, "{error}");
            assert!(error.to_string().contains("too many resources"), "{error}");
        }
        for found in runs.iter().flatten() {
            assert_eq!(compare(found, &expected, 1e-4, 1e-4), None);
        }
        return;
    }
}

/// One convolution: height and width of images and of the filter, strides and dilations; channels, filters, groups.
struct Case {
    images: [usize; 2],
    window: [usize; 2],
    strides: [usize; 2],
    dilations: [usize; 2],
    channels: [usize; 3],
    /// `SAME`, `VALID` or explicit padding of height and width.
    padding: Padding,
}

#[derive(Clone, Copy)]
enum Padding {
    Same,
    Valid,
    Explicit([usize; 4]),
}

/// A graph with the convolution and its gradients on the CPU and on the device, on fed float32 values that are cast to
/// `dtype`, and the shapes of its feeds.
fn convolutions(case: &Case, first: bool, dtype: &str) -> (serde_json::Value, [Vec<usize>; 3]) {
    let [channels, filters, groups] = case.channels;
    let shape = |channels: usize, [height, width]: [usize; 2]| match first {
        true => vec![3, channels, height, width],
        false => vec![3, height, width, channels],
    };
    let places = |[y, x]: [usize; 2], other: usize| match first {
        true => [other, other, y, x],
        false => [other, y, x, other],
    };
    let ints = |values: &[usize]| json!({"list": {"i": values.iter().map(usize::to_string).collect::<Vec<_>>()}});
    let (padding, explicit) = match case.padding {
        Padding::Same => ("U0FNRQ==", Vec::new()),
        Padding::Valid => ("VkFMSUQ=", Vec::new()),
        Padding::Explicit([top, bottom, left, right]) => (
            "RVhQTElDSVQ=",
            if first { vec![0, 0, 0, 0, top, bottom, left, right] } else { vec![0, 0, top, bottom, left, right, 0, 0] },
        ),
    };
    let output = std::array::from_fn(|i| {
        let span = (case.window[i] - 1) * case.dilations[i] + 1;
        match case.padding {
            Padding::Same => case.images[i].div_ceil(case.strides[i]),
            Padding::Valid => (case.images[i] - span) / case.strides[i] + 1,
            Padding::Explicit(p) => (case.images[i] + p[2 * i] + p[2 * i + 1] - span) / case.strides[i] + 1,
        }
    });
    let attrs = json!({
        "T": {"type": dtype},
        "data_format": {"s": if first { "TkNIVw==" } else { "TkhXQw==" }},
        "dilations": ints(&places(case.dilations, 1)),
        "strides": ints(&places(case.strides, 1)),
        "padding": {"s": padding},
        "explicit_paddings": ints(&explicit),
        "use_cudnn_on_gpu": {"b": true},
    });
    let filter = vec![case.window[0], case.window[1], channels / groups, filters];
    let shapes = [shape(channels, case.images), filter, shape(filters, output)];
    let mut nodes = Vec::new();
    let cast = |name: &str, from: &str, to: &str, input: &str| {
        let attr = json!({"SrcT": {"type": from}, "DstT": {"type": to}, "Truncate": {"b": false}});
        json!({"name": name, "op": "Cast", "input": [input], "device": "/cpu:0", "attr": attr})
    };
    for (name, shape) in ["x", "w", "y"].iter().zip(&shapes) {
        let given = format!("given_{name}");
        let dims: Vec<_> = shape.iter().map(|n| json!({"size": n.to_string()})).collect();
        let attr = json!({"dtype": {"type": "DT_FLOAT"}, "shape": {"shape": {"dim": dims}}});
        nodes.push(json!({"name": given, "op": "Placeholder", "device": "/cpu:0", "attr": attr}));
        nodes.push(cast(name, "DT_FLOAT", dtype, &given));
        let attr = json!({"T": {"type": dtype}, "out_type": {"type": "DT_INT32"}});
        nodes.push(
            json!({"name": format!("shape_{name}"), "op": "Shape", "input": [name], "device": "/cpu:0", "attr": attr}),
        );
    }
    for device in ["cpu", "gpu"] {
        for (op, inputs) in [
            ("Conv2D", vec!["x", "w"]),
            ("Conv2DBackpropInput", vec!["shape_x", "w", "y"]),
            ("Conv2DBackpropFilter", vec!["x", "shape_w", "y"]),
        ] {
            let (name, place) = (format!("{device}_{op}"), format!("/{device}:0"));
            nodes.push(json!({"name": name, "op": op, "input": inputs, "device": place, "attr": attrs}));
            nodes.push(cast(&format!("{name}_out"), dtype, "DT_FLOAT", &name));
        }
    }
    (json!({"node": nodes, "versions": {"producer": 1000}}), shapes)
}

#[test]
fn convolutions_by_the_library_are_those_of_the_cpu() {
    if !inside("convolutions_by_the_library_are_those_of_the_cpu", &[]) {
        return;
    }
    let plain = Case {
        images: [9, 8],
        window: [3, 3],
        strides: [1, 1],
        dilations: [1, 1],
        channels: [5, 7, 1],
        padding: Padding::Same,
    };
    // The number of the three that the library supports.
    let cases = [
        (Case { ..plain }, 3),
        (Case { padding: Padding::Valid, window: [1, 1], ..plain }, 3),
        (Case { padding: Padding::Valid, strides: [2, 3], ..plain }, 3),
        (Case { strides: [2, 2], images: [8, 8], ..plain }, 3),
        (Case { strides: [2, 2], images: [14, 13], window: [7, 7], ..plain }, 3),
        (Case { dilations: [2, 3], ..plain }, 3),
        (Case { window: [2, 4], ..plain }, 3),
        (Case { channels: [6, 4, 2], ..plain }, 3),
        (Case { channels: [6, 9, 3], strides: [2, 1], window: [4, 3], ..plain }, 3),
        (Case { padding: Padding::Explicit([2, 0, 1, 3]), strides: [2, 2], ..plain }, 3),
        (Case { padding: Padding::Explicit([1, 1, 2, 2]), window: [3, 2], ..plain }, 3),
        // Images whose edge no window reaches.
        (Case { padding: Padding::Valid, strides: [4, 5], window: [2, 2], ..plain }, 3),
        (Case { strides: [3, 3], window: [1, 1], ..plain }, 3),
        (Case { channels: [4, 8, 4], ..plain }, 0),
        (Case { channels: [1, 1, 1], ..plain }, 3),
    ];
    for (number, (case, by_library)) in cases.iter().enumerate() {
        for first in [false, true] {
            for (dtype, tolerance) in [("DT_FLOAT", 2e-5), ("DT_HALF", 4e-3), ("DT_BFLOAT16", 3e-2)] {
                let (graph, shapes) = convolutions(case, first, dtype);
                let graph = read::json(graph.to_string().as_bytes(), &levada::registry()).unwrap();
                let session = Session::with_devices(graph, devices(), options()).unwrap();
                let mut feeds = Vec::new();
                for (i, (name, shape)) in ["given_x", "given_w", "given_y"].into_iter().zip(&shapes).enumerate() {
                    // Values that are not exact in floats of fewer bits.
                    let value = |n: usize| (((n + 7 * i) * 7919 % 1013) as f32 / 1013.0 - 0.5) * (1.0 + 1e-4);
                    let values = (0..shape.iter().product()).map(value).collect();
                    feeds.push((name, Tensor::from_vec(Shape::new(shape.clone()).unwrap(), values).unwrap()));
                }
                let outputs = ["Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter"];
                let fetches: Vec<String> =
                    ["cpu", "gpu"].iter().flat_map(|d| outputs.iter().map(move |o| format!("{d}_{o}_out"))).collect();
                let fetches: Vec<&str> = fetches.iter().map(String::as_str).collect();
                for trace in [false, true] {
                    let options = RunOptions { trace, ..RunOptions::default() };
                    let (found, metadata) = session.run_with(&options, &feeds, &fetches, &[]).unwrap();
                    for i in 0..3 {
                        let difference = compare(&found[3 + i], &found[i], tolerance, tolerance);
                        assert_eq!(difference, None, "case {number}, {dtype}, channels first: {first}, {}", outputs[i]);
                    }
                    if let Some(trace) = metadata.trace {
                        let named = |e: &&levada::trace::DeviceEvent| matches!(&e.work, Work::Kernel { name } if name == "cuDNN");
                        let count = trace.device_events.iter().filter(named).count();
                        assert_eq!(count, *by_library, "case {number}, {dtype}, channels first: {first}");
                    }
                }
            }
        }
    }
}

/// A product and a convolution on the device and on the CPU: the differences of both, relative to the largest result.
fn library_differences(tf32: bool) -> [f32; 2] {
    let gpu = GpuDevice::new(0, graphics_processors()[0].open().unwrap(), None).with_tf32(tf32);
    let mut all = levada::devices(&options());
    all.push(Arc::new(gpu));
    let node = |name: &str, op: &str, inputs: [&str; 2], device: &str, attrs: serde_json::Value| json!({"name": name, "op": op, "input": inputs, "device": device, "attr": attrs});
    let placeholder = |name: &str| json!({"name": name, "op": "Placeholder", "attr": {"dtype": "float32"}});
    let strides = || json!({"T": "float32", "strides": [1, 1, 1, 1], "padding": "SAME"});
    let mut nodes = ["a", "b", "x", "w"].map(placeholder).to_vec();
    for device in ["cpu", "gpu"] {
        let place = format!("/{device}:0");
        nodes.push(node(&format!("{device}_product"), "MatMul", ["a", "b"], &place, json!({"T": "float32"})));
        nodes.push(node(&format!("{device}_convolution"), "Conv2D", ["x", "w"], &place, strides()));
    }
    let graph = json!({"node": nodes}).to_string();
    let graph = read::json(graph.as_bytes(), &levada::registry()).unwrap();
    let session = Session::with_devices(graph, all, options()).unwrap();
    let tensor = |shape: &[usize]| {
        let values = (0..shape.iter().product::<usize>()).map(|n| (n * 7919 % 1013) as f32 / 1013.0 - 0.5).collect();
        Tensor::from_vec(Shape::new(shape.to_vec()).unwrap(), values).unwrap()
    };
    let feeds = [
        ("a", tensor(&[16, 32])),
        ("b", tensor(&[32, 16])),
        ("x", tensor(&[1, 8, 8, 8])),
        ("w", tensor(&[3, 3, 8, 8])),
    ];
    ["product", "convolution"].map(|what| {
        let names = ["cpu", "gpu"].map(|device| format!("{device}_{what}"));
        let all = session.run(&feeds, &[&names[0], &names[1]], &[]).unwrap();
        let [cpu, gpu] = [0, 1].map(|i| all[i].slice::<f32>().unwrap());
        let largest = cpu.iter().fold(0f32, |most, v| most.max(v.abs()));
        cpu.iter().zip(gpu).fold(0f32, |most, (a, b)| most.max((a - b).abs())) / largest
    })
}

#[test]
fn factors_are_rounded_where_that_is_asked_for_only() {
    if !inside("factors_are_rounded_where_that_is_asked_for_only", &[]) {
        return;
    }
    assert!(library_differences(false).iter().all(|d| *d < 1e-6));
    let rounded = library_differences(true);
    assert!(rounded.iter().all(|d| (1e-6..2e-3).contains(d)), "{rounded:?}");
}

#[test]
fn what_libraries_refuse_when_they_are_to_do_it_programs_do() {
    if inside("what_libraries_refuse_when_they_are_to_do_it_programs_do", &[("LEVADA_STAND_IN_REFUSE", "1")]) {
        assert!(library_differences(false).iter().all(|d| *d < 1e-6));
    }
}

#[test]
fn programs_are_compiled_for_older_drivers_and_by_older_compilers() {
    const TEST: &str = "programs_are_compiled_for_older_drivers_and_by_older_compilers";
    for setting in ["LEVADA_STAND_IN_OLD=1", "LEVADA_STAND_IN_NEWEST=80"] {
        if inside(TEST, &[setting.split_once('=').unwrap()]) {
            assert_eq!(classify(&digits("infer.json", devices())).unwrap().shape().dims(), [360, 10]);
        }
    }
}

#[test]
fn what_others_took_and_what_libraries_need_is_not_for_tensors() {
    const TEST: &str = "what_others_took_and_what_libraries_need_is_not_for_tensors";
    if !inside(TEST, &[("LEVADA_STAND_IN_MEMORY", "1000000000"), ("LEVADA_STAND_IN_TAKEN", "400000000")]) {
        return;
    }
    let gpu = GpuDevice::new(0, graphics_processors()[0].open().unwrap(), None);
    let pool = gpu.gpu().pool.clone();
    assert_eq!(pool.limit(), 540_000_000);
    let mut all = levada::devices(&options());
    all.push(Arc::new(gpu));
    classify(&digits("infer.json", all)).unwrap();
    assert!(pool.limit() < 540_000_000 - (32 << 20), "{}", pool.limit());
}

#[test]
fn libraries_are_listed_with_their_versions() {
    if !inside("libraries_are_listed_with_their_versions", &[]) {
        return;
    }
    let cuda = levada::gpus::backends().iter().find(|b| b.backend == "cuda").unwrap();
    let versions = cuda.libraries.iter().map(|l| format!("{} {}", l.name, l.version.as_deref().unwrap_or("none")));
    assert_eq!(versions.collect::<Vec<_>>(), ["NVRTC 13.0", "cuBLASLt 13.0.2", "cuDNN 9.21.0"]);
}
