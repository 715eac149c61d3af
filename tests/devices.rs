//! Graphs on several CPU devices return the same as on one, and one transfer carries a tensor to all its consumers
//! there.

use levada::graph::read;
use levada::{Builder, Code, NodeDef, RunOptions, Session, SessionOptions, StepTrace, Tensor};
use levada_testkit::WORKERS;
use levada_testkit::dag::{Dag, dags};
use levada_testkit::loops::{loops, on_devices};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const CPUS: [&str; 3] = ["/cpu:0", "/cpu:1", "/device:CPU:2"];

fn open(graph: &Value, cpus: usize, threads: usize, plain: bool) -> Session {
    let graph = read::json(graph.to_string().as_bytes(), &levada::registry()).unwrap();
    Session::new(
        graph,
        SessionOptions { cpus, threads, plain, timeout: Some(Duration::from_secs(20)), ..SessionOptions::default() },
    )
    .unwrap()
}

fn run_dag(dag: &Dag, session: &Session) -> Vec<Vec<i32>> {
    let feeds: Vec<(String, Tensor)> = dag.feeds().into_iter().map(|(n, v)| (n, Tensor::vector(v))).collect();
    let feeds: Vec<(&str, Tensor)> = feeds.iter().map(|(n, t)| (n.as_str(), t.clone())).collect();
    let (fetches, targets) = (dag.fetches(), dag.targets());
    let fetches: Vec<&str> = fetches.iter().map(String::as_str).collect();
    let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
    let found = session.run(&feeds, &fetches, &targets).unwrap();
    found.iter().map(|t| t.slice::<i32>().unwrap().to_vec()).collect()
}

fn fetch_all(session: &Session, fetches: &[String]) -> Vec<i32> {
    let fetches: Vec<&str> = fetches.iter().map(String::as_str).collect();
    session.run(&[], &fetches, &[]).unwrap().iter().map(|t| t.item::<i32>().unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn random_graphs_on_random_devices(dag in dags(40, 3), picks in vec(any::<u8>(), 1..40)) {
        let expected = dag.expected();
        let graph = on_devices(&dag.json(), &picks, &CPUS);
        for threads in WORKERS {
            for plain in [true, false] {
                let session = open(&graph, 3, threads, plain);
                for _ in 0..2 {
                    prop_assert_eq!(&run_dag(&dag, &session), &expected);
                }
            }
        }
    }

    #[test]
    fn random_loops_across_devices(loops in loops(), picks in vec(any::<u8>(), 1..60)) {
        let expected = fetch_all(&open(&loops.graph, 1, 1, true), &loops.fetches);
        let graph = on_devices(&loops.graph, &picks, &CPUS);
        for threads in WORKERS {
            let session = open(&graph, 3, threads, threads == 2);
            prop_assert_eq!(&fetch_all(&session, &loops.fetches), &expected);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn random_graphs_of_large_tensors(dag in dags(60, 30_000), picks in vec(any::<u8>(), 1..40)) {
        let graph = on_devices(&dag.json(), &picks, &CPUS);
        prop_assert_eq!(run_dag(&dag, &open(&graph, 3, 2, false)), dag.expected());
    }
}

fn traced(session: &Session, fetches: &[&str], targets: &[&str]) -> (Vec<Tensor>, StepTrace) {
    let options = RunOptions { trace: true, ..RunOptions::default() };
    let (found, metadata) = session.run_with(&options, &[], fetches, targets).unwrap();
    (found, metadata.trace.unwrap())
}

fn count(trace: &StepTrace, op: &str) -> usize {
    trace.events.iter().filter(|e| e.op == op).count()
}

#[test]
fn a_tensor_goes_once_to_every_device_that_needs_it() {
    let graph = json!({"node": [
        {"name": "a", "op": "RandomUniform", "input": ["n"], "device": "/cpu:0", "attr": {"dtype": "float32", "seed": 1}},
        {"name": "n", "op": "Const", "attr": {"dtype": "int32", "value": [4]}},
        {"name": "b", "op": "Neg", "input": ["a"], "device": "/cpu:1"},
        {"name": "c", "op": "Exp", "input": ["a", "^b"], "device": "/cpu:1"},
        {"name": "d", "op": "Abs", "input": ["a"], "device": "/cpu:1"},
        {"name": "e", "op": "AddN", "input": ["b", "c", "d"], "device": "/cpu:0"},
        {"name": "f", "op": "NoOp", "input": ["^c", "^e"], "device": "/cpu:0"},
    ]});
    let session = open(&graph, 2, 2, false);
    let (found, trace) = traced(&session, &["e"], &["f"]);
    assert_eq!(found[0].num_elements(), 4);
    // a to cpu:1; b, c and d to cpu:0; the fact that c has run to cpu:0.
    assert_eq!((count(&trace, "_Send"), count(&trace, "_Recv")), (5, 5));
    let sends: Vec<(&str, &str)> =
        trace.events.iter().filter(|e| e.op == "_Send").map(|e| (&*e.node, &*e.device)).collect();
    assert_eq!(sends.iter().filter(|(n, _)| n.starts_with("a/")).count(), 1, "{sends:?}");
    let names: Vec<Arc<str>> = trace.events.iter().flat_map(|e| e.nodes().iter().cloned()).collect();
    levada::trace::check(&trace, &names, &trace.edges).unwrap();
}

#[test]
fn a_queue_on_one_device_feeds_consumers_on_the_other() {
    let graph = json!({"node": [
        {"name": "q", "op": "FIFOQueueV2", "device": "/cpu:1", "attr": {"component_types": ["float32"], "capacity": 3}},
        {"name": "x", "op": "Const", "attr": {"dtype": "float32", "value": 5}},
        {"name": "put", "op": "QueueEnqueueV2", "input": ["q", "x"], "attr": {"Tcomponents": ["float32"]}},
        {"name": "get", "op": "QueueDequeueV2", "input": ["q"], "attr": {"component_types": ["float32"]}},
        {"name": "y", "op": "Neg", "input": ["get"], "device": "/cpu:0"},
        {"name": "z", "op": "Neg", "input": ["get"], "device": "/cpu:0"},
        {"name": "sum", "op": "AddV2", "input": ["y", "z"], "device": "/cpu:0"},
    ]});
    let session = open(&graph, 2, 2, false);
    for _ in 0..3 {
        let (found, trace) = traced(&session, &["sum"], &["put"]);
        assert_eq!(found[0].item::<f32>().unwrap(), -10.0);
        let device = |node: &str| {
            let is_it = |e: &&levada::trace::NodeEvent| e.nodes().iter().any(|n| **n == *node);
            trace.events.iter().find(is_it).unwrap().device.to_string()
        };
        assert!(device("put").ends_with("CPU:1") && device("get").ends_with("CPU:1") && device("y").ends_with("CPU:0"));
        assert_eq!((count(&trace, "_Send"), count(&trace, "_Recv")), (1, 1));
    }
}

#[test]
fn dead_values_cross_borders() {
    let graph = json!({"node": [
        {"name": "p", "op": "Placeholder", "attr": {"dtype": "bool", "shape": []}},
        {"name": "x", "op": "Const", "attr": {"dtype": "float32", "value": 3}},
        {"name": "s", "op": "Switch", "input": ["x", "p"], "device": "/cpu:0"},
        {"name": "yes", "op": "Neg", "input": ["s:1"], "device": "/cpu:1"},
        {"name": "no", "op": "Exp", "input": ["s"], "device": "/cpu:2"},
        {"name": "m", "op": "Merge", "input": ["no", "yes"], "device": "/cpu:1"},
        {"name": "t", "op": "NoOp", "input": ["^yes"], "device": "/cpu:2"},
        {"name": "c", "op": "Identity", "input": ["x", "^t"], "device": "/cpu:0"},
    ]});
    let session = open(&graph, 3, 2, false);
    let run = |p: bool, fetch: &str| session.run(&[("p", Tensor::scalar(p))], &[fetch], &[]);
    assert_eq!(run(true, "m").unwrap()[0].item::<f32>().unwrap(), -3.0);
    assert!((run(false, "m").unwrap()[0].item::<f32>().unwrap() - 3f32.exp()).abs() < 1e-4);
    assert_eq!(run(true, "c").unwrap()[0].item::<f32>().unwrap(), 3.0);
    // The dependency was on a node that does not run.
    assert_eq!(run(false, "c").unwrap_err().code(), Code::InvalidArgument);
}

#[test]
fn an_error_on_one_device_ends_the_step_on_all() {
    let graph = json!({"node": [
        {"name": "one", "op": "Const", "attr": {"dtype": "int32", "value": 1}},
        {"name": "zero", "op": "Placeholder", "attr": {"dtype": "int32", "shape": []}},
        {"name": "bad", "op": "FloorDiv", "input": ["one", "zero"], "device": "/cpu:1"},
        {"name": "q", "op": "FIFOQueueV2", "device": "/cpu:0", "attr": {"component_types": ["float32"]}},
        {"name": "get", "op": "QueueDequeueV2", "input": ["q"], "attr": {"component_types": ["float32"]}},
        {"name": "y", "op": "Neg", "input": ["bad"], "device": "/cpu:0"},
    ]});
    let session = open(&graph, 2, 2, false);
    let error = session.run(&[("zero", Tensor::scalar(0i32))], &["y", "get"], &[]).unwrap_err();
    assert_eq!((error.code(), error.fault().node.as_deref()), (Code::InvalidArgument, Some("bad")));
}

/// The partitions of a placed graph in one graph on one device, where sends and receives meet at the step's rendezvous.
fn partitioned(graph: &Value, cpus: usize) -> levada::Graph {
    use levada::placer::{Request, Targets, first_fit, split};
    let graph = read::json(graph.to_string().as_bytes(), &levada::registry()).unwrap();
    let devices = levada::devices(&SessionOptions { cpus, ..SessionOptions::default() });
    let targets = Targets::of(&devices).unwrap();
    let supports = |node: &levada::graph::graph::Node| targets.supporting(&devices, node);
    let request = Request { graph: &graph, targets: &targets, supports: &supports, soft: false, default: 0 };
    let (placement, _) = first_fit(&request).map_err(|r| r.error).unwrap();
    let mut all = levada::GraphDef::default();
    for (device, part) in split(&graph, &targets, &placement).unwrap() {
        assert!(part.nodes.iter().all(|n| n.device == device));
        // A partition is a separate graph: its nodes only take inputs from it.
        levada::Graph::from_def(part.clone(), &levada::registry()).unwrap();
        all.nodes.extend(part.nodes);
    }
    all.nodes.iter_mut().for_each(|n| n.device.clear());
    levada::Graph::from_def(all, &levada::registry()).unwrap()
}

fn sends(graph: &levada::Graph) -> Vec<String> {
    graph.nodes().filter(|(_, n)| n.op_name() == "_Send").map(|(_, n)| n.name.to_string()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn partitions_together_are_the_graph(dag in dags(30, 3), picks in vec(any::<u8>(), 1..40)) {
        // A feed replaces a node only in the whole graph.
        let dag = Dag { feeds: Vec::new(), ..dag };
        let graph = partitioned(&on_devices(&dag.json(), &picks, &CPUS), 3);
        let targets: Vec<String> = dag.targets().into_iter().chain(sends(&graph)).collect();
        let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
        let feeds: Vec<(String, Tensor)> = dag.feeds().into_iter().map(|(n, v)| (n, Tensor::vector(v))).collect();
        let feeds: Vec<(&str, Tensor)> = feeds.iter().map(|(n, t)| (n.as_str(), t.clone())).collect();
        let fetches = dag.fetches();
        let fetches: Vec<&str> = fetches.iter().map(String::as_str).collect();
        let session = Session::new(graph, SessionOptions { timeout: Some(Duration::from_secs(20)), ..SessionOptions::default() }).unwrap();
        // A placeholder without a feed cannot be sent: every placeholder of these graphs is fed.
        let found = session.run(&feeds, &fetches, &targets).unwrap();
        let found: Vec<Vec<i32>> = found.iter().map(|t| t.slice::<i32>().unwrap().to_vec()).collect();
        prop_assert_eq!(found, dag.expected());
    }

    #[test]
    fn partitions_of_loops_together_are_the_graph(loops in loops(), picks in vec(any::<u8>(), 1..60)) {
        let expected = fetch_all(&open(&loops.graph, 1, 1, true), &loops.fetches);
        let graph = partitioned(&on_devices(&loops.graph, &picks, &CPUS), 3);
        let targets = sends(&graph);
        let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
        let fetches: Vec<&str> = loops.fetches.iter().map(String::as_str).collect();
        for threads in [1, 2] {
            let options = SessionOptions { threads, timeout: Some(Duration::from_secs(20)), ..SessionOptions::default() };
            let session = Session::new(graph.clone(), options).unwrap();
            let found = session.run(&[], &fetches, &targets).unwrap();
            let found: Vec<i32> = found.iter().map(|t| t.item::<i32>().unwrap()).collect();
            prop_assert_eq!(&found, &expected);
        }
    }
}

mod accelerators {
    use super::*;
    use levada::graph::Graph;
    use levada::kernel::AnyDevice;
    use levada_gpu::GpuDevice;
    use levada_gpu::host_queues::HostQueues;
    use levada_gpu::print::Language;
    use levada_testkit::device::TestDevice;
    use levada_tests::allowed;

    const DEVICES: [&str; 3] = ["/cpu:0", "/gpu:0", "/device:GPU:1"];

    fn machine(seed: u64) -> (Vec<Arc<TestDevice>>, Vec<Arc<dyn AnyDevice>>) {
        let delay = Duration::from_micros(seed % 3 * 15);
        let gpu = |i: usize| match seed % 4 {
            0 => TestDevice::with_copy_queues(i, seed + i as u64, delay, delay),
            _ => TestDevice::new(i, seed + i as u64, delay),
        };
        let gpus: Vec<Arc<TestDevice>> = (0..2).map(|i| Arc::new(gpu(i))).collect();
        let mut devices = levada::devices(&SessionOptions::default());
        for gpu in &gpus {
            devices.push(gpu.clone());
        }
        (gpus, devices)
    }

    fn session(
        graph: Graph,
        devices: Vec<Arc<dyn AnyDevice>>,
        threads: usize,
        plain: bool,
    ) -> levada::session::Session {
        let options = SessionOptions {
            threads,
            plain,
            allow_soft_placement: true,
            timeout: Some(Duration::from_secs(20)),
            ..SessionOptions::default()
        };
        levada::session::Session::with_devices(graph, levada::registry(), devices, options).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

        #[test]
        fn random_graphs_on_two_accelerators(dag in dags(25, 3), picks in vec(any::<u8>(), 1..30), seed in 0..1000u64) {
            let graph = on_devices(&dag.json(), &picks, &DEVICES);
            let graph = read::json(graph.to_string().as_bytes(), &levada::registry()).unwrap();
            let (gpus, devices) = machine(seed);
            let session = session(graph, devices, 1 + seed as usize % 2, seed % 5 > 0);
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
                if let Some(trace) = metadata.trace {
                    allowed(&trace);
                }
            }
            for gpu in gpus {
                gpu.synchronize().unwrap();
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

        /// The same on two GPUs with several queues each, with several concurrent steps.
        #[test]
        fn steps_at_once_on_two_graphics_processors(dag in dags(25, 3), picks in vec(any::<u8>(), 1..30), seed in 0..1000u64) {
            let graph = on_devices(&dag.json(), &picks, &DEVICES);
            let graph = read::json(graph.to_string().as_bytes(), &levada::registry()).unwrap();
            let mut devices = levada::devices(&SessionOptions::default());
            for i in 0..2 {
                let lanes = 1 + (seed as usize + i) % 3;
                let delay = Duration::from_micros(seed % 3 * 15);
                let backend = HostQueues::new(Language::Cuda, None, lanes, seed + i as u64, delay);
                devices.push(Arc::new(GpuDevice::new(i, Arc::new(backend), None)));
            }
            let session = session(graph, devices.clone(), 1 + seed as usize % 2, seed % 5 > 0);
            let feeds: Vec<(String, Tensor)> = dag.feeds().into_iter().map(|(n, v)| (n, Tensor::vector(v))).collect();
            let feeds: Vec<(&str, Tensor)> = feeds.iter().map(|(n, t)| (n.as_str(), t.clone())).collect();
            let (fetches, targets) = (dag.fetches(), dag.targets());
            let fetches: Vec<&str> = fetches.iter().map(String::as_str).collect();
            let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
            let found: Vec<Vec<Tensor>> = std::thread::scope(|scope| {
                let run = |session: levada::session::Session| {
                    let (feeds, fetches, targets) = (&feeds, &fetches, &targets);
                    scope.spawn(move || [(); 2].map(|()| session.run(feeds, fetches, targets).unwrap()))
                };
                let runs: Vec<_> = (0..3).map(|_| run(session.clone())).collect();
                runs.into_iter().flat_map(|run| run.join().unwrap()).collect()
            });
            for found in found {
                let found: Vec<Vec<i32>> = found.iter().map(|t| t.slice::<i32>().unwrap().to_vec()).collect();
                prop_assert_eq!(found, dag.expected());
            }
            for device in devices {
                device.synchronize().unwrap();
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

        #[test]
        fn random_loops_on_two_accelerators(loops in loops(), picks in vec(any::<u8>(), 1..60), seed in 0..1000u64) {
            let expected = fetch_all(&open(&loops.graph, 1, 1, true), &loops.fetches);
            let graph = on_devices(&loops.graph, &picks, &DEVICES);
            let graph = read::json(graph.to_string().as_bytes(), &levada::registry()).unwrap();
            let (gpus, devices) = machine(seed);
            let session = session(graph, devices, 1 + seed as usize % 2, seed % 5 > 0);
            let fetches: Vec<&str> = loops.fetches.iter().map(String::as_str).collect();
            let found = session.run(&[], &fetches, &[]).unwrap();
            let found: Vec<i32> = found.iter().map(|t| t.item::<i32>().unwrap()).collect();
            prop_assert_eq!(found, expected);
            for gpu in gpus {
                gpu.synchronize().unwrap();
            }
        }
    }

    /// A trace of a graph whose feeds are copied to a device with much work, which takes some milliseconds.
    fn traced_copies(gpu: TestDevice) -> StepTrace {
        let mut nodes = Vec::new();
        let mut sum = Vec::new();
        for i in 0..8 {
            nodes.push(
                json!({"name": format!("x{i}"), "op": "Placeholder", "attr": {"dtype": "float32", "shape": [1000]}}),
            );
            let mut before = format!("x{i}");
            for op in ["Neg", "Exp", "Abs"] {
                nodes.push(json!({"name": format!("{op}{i}"), "op": op, "input": [before], "device": "/gpu:0"}));
                before = format!("{op}{i}");
            }
            sum.push(before);
        }
        nodes.push(json!({"name": "sum", "op": "AddN", "input": sum, "device": "/gpu:0"}));
        let graph = read::json(json!({"node": nodes}).to_string().as_bytes(), &levada::registry()).unwrap();
        let mut devices = levada::devices(&SessionOptions::default());
        devices.push(Arc::new(gpu));
        let session = session(graph, devices, 1, true);
        let options = RunOptions { trace: true, ..RunOptions::default() };
        let names: Vec<String> = (0..8).map(|i| format!("x{i}")).collect();
        let feeds: Vec<(&str, Tensor)> = names.iter().map(|n| (&**n, Tensor::vector(vec![0f32; 1000]))).collect();
        let (found, metadata) = session.run_with(&options, &feeds, &["sum"], &[]).unwrap();
        assert_eq!(found[0].slice::<f32>().unwrap(), [8f32; 1000]);
        let trace = metadata.trace.unwrap();
        allowed(&trace);
        trace
    }

    #[test]
    fn traces_show_copies_beside_kernels() {
        let delay = Duration::from_millis(2);
        let trace = traced_copies(TestDevice::with_copy_queues(0, 1, delay, delay));
        let gpu = &levada::trace::report::device_times(std::slice::from_ref(&trace))[0];
        assert_eq!((gpu.copies_in.copies, gpu.copies_in.bytes), (8, 32_000));
        assert_eq!((gpu.copies_out.copies, gpu.copies_out.bytes), (1, 4_000));
        assert_eq!(gpu.kernels.iter().map(|k| k.1).sum::<usize>(), 25);
        assert!(gpu.overlap_ns > 0 && gpu.queueing_max_ns > 0 && gpu.deepest > 1, "{gpu:?}");
        assert!(gpu.busy_ns <= trace.wall_ns && gpu.busy_ns < gpu.compute_ns + gpu.copying_ns, "{gpu:?}");
        // Nodes end when they are queued: most of the time is spent on the device.
        let nodes = trace.events.iter().filter(|e| e.device.contains("GPU")).map(|e| e.duration_ns()).sum::<u64>();
        assert!(nodes < gpu.compute_ns, "{nodes} {gpu:?}");

        // With one queue nothing overlaps.
        let trace = traced_copies(TestDevice::new(0, 1, delay));
        let gpu = &levada::trace::report::device_times(&[trace])[0];
        assert_eq!((gpu.overlap_ns, gpu.copies_in.copies), (0, 8));
    }

    #[test]
    fn a_step_whose_deadline_passes_does_not_wait_for_its_devices() {
        let graph = json!({"node": [
            {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32", "shape": [4]}},
            {"name": "a", "op": "Neg", "input": ["x"], "device": "/gpu:0"},
        ]});
        let graph = read::json(graph.to_string().as_bytes(), &levada::registry()).unwrap();
        let mut devices = levada::devices(&SessionOptions::default());
        // The queue is busy with something else for seconds.
        let gpu = Arc::new(TestDevice::with_copy_queues(0, 1, Duration::ZERO, Duration::ZERO));
        devices.push(gpu.clone());
        let session = session(graph, devices, 1, true);
        gpu.pause(Duration::from_secs(3));
        let timeout = Some(Duration::from_millis(100));
        let options = RunOptions { trace: true, timeout, ..RunOptions::default() };
        let start = std::time::Instant::now();
        let feeds = [("x", Tensor::vector(vec![0f32; 4]))];
        let (_, metadata) = session.run_with(&options, &feeds, &[], &["a"]).unwrap();
        assert!(start.elapsed() < Duration::from_secs(2));
        assert_eq!(metadata.trace.unwrap().device_events_lost, 1);
    }

    #[test]
    fn a_device_that_is_lost_in_the_middle_of_a_step_ends_it() {
        let mut nodes = vec![json!({"name": "n0", "op": "Placeholder", "attr": {"dtype": "float32", "shape": [4]}})];
        for node in 1..40 {
            let (name, before) = (format!("n{node}"), format!("n{}", node - 1));
            let device = if node % 3 == 0 { "/cpu:0" } else { "/gpu:0" };
            nodes.push(json!({"name": name, "op": "Neg", "input": [before], "device": device}));
        }
        for threads in WORKERS {
            let graph = read::json(json!({"node": nodes}).to_string().as_bytes(), &levada::registry()).unwrap();
            let mut devices = levada::devices(&SessionOptions::default());
            let gpu = Arc::new(TestDevice::new(0, 1, Duration::from_millis(2)));
            devices.push(gpu.clone());
            let session = session(graph, devices, threads, true);
            let feeds = [("n0", Tensor::vector(vec![1f32; 4]))];
            session.run(&feeds, &["n39"], &[]).unwrap();
            let (_, ran) = gpu.counts();
            let loses = std::thread::spawn(move || {
                while gpu.counts().1 < ran + 5 {
                    std::thread::yield_now();
                }
                gpu.lose();
            });
            // An error well before the deadline, in this run and in the next one.
            for _ in 0..2 {
                let error = session.run(&feeds, &["n39"], &[]).unwrap_err();
                assert!(matches!(error.code(), Code::Internal | Code::Cancelled), "{error}");
            }
            loses.join().unwrap();
            assert_eq!(session.run(&feeds, &["n0"], &[]).unwrap()[0].slice::<f32>().unwrap(), [1.0; 4]);
        }
    }

    #[test]
    fn a_tensor_is_copied_once_to_each_accelerator() {
        let graph = json!({"node": [
            {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32", "shape": [4]}},
            {"name": "a", "op": "Neg", "input": ["x"], "device": "/gpu:0"},
            {"name": "b", "op": "Exp", "input": ["x"], "device": "/gpu:0"},
            {"name": "c", "op": "AddV2", "input": ["a", "b"], "device": "/gpu:1"},
            {"name": "d", "op": "Mul", "input": ["a", "c"], "device": "/gpu:1"},
            {"name": "e", "op": "Identity", "input": ["d"], "device": "/cpu:0"},
        ]});
        let graph = read::json(graph.to_string().as_bytes(), &levada::registry()).unwrap();
        let (gpus, devices) = machine(1);
        let session = session(graph, devices, 2, false);
        let found = session.run(&[("x", Tensor::vector(vec![0f32, 1.0, 2.0, 3.0]))], &["e"], &[]).unwrap();
        let expected: Vec<f32> = [0f32, 1.0, 2.0, 3.0].iter().map(|x| -x * (-x + x.exp())).collect();
        for (found, expected) in found[0].slice::<f32>().unwrap().iter().zip(expected) {
            assert!((found - expected).abs() < 1e-4);
        }
        // x in, a and b out; a and b in, d out.
        assert_eq!((gpus[0].counts(), gpus[1].counts()), ((3, 2), (3, 2)));
    }
}

/// The requested device of each node, by name.
fn asked(graph: &levada::Graph) -> Vec<(String, String)> {
    graph.nodes().map(|(_, node)| (node.name.to_string(), node.device.clone())).collect()
}

#[test]
fn scopes_and_functions_choose_the_devices_of_nodes() {
    let mut b = Builder::new(levada::registry());
    b.on_device("/job:worker/task:1", |b| {
        b.node("NoOp").name("scope").add();
        b.node("NoOp").name("own").device("/cpu:1").add();
        b.on_device("/job:ps/cpu:0", |b| b.node("NoOp").name("inner").add());
        let function = |node: &NodeDef| (node.op == "NoOp").then(|| format!("/cpu:{}", node.name.len()));
        b.choosing_devices(function, |b| {
            b.node("NoOp").name("by").add();
            b.constant(Tensor::scalar(1));
        });
    });
    b.node("NoOp").name("outside").add();
    let graph = b.finish().unwrap();
    let expected = [
        ("scope", "/job:worker/task:1"),
        ("own", "/job:worker/task:1/device:CPU:1"),
        ("inner", "/job:ps/task:1/device:CPU:0"),
        ("by", "/job:worker/task:1/device:CPU:2"),
        ("Const", "/job:worker/task:1"),
        ("outside", ""),
    ];
    assert_eq!(asked(&graph), expected.map(|(name, device)| (name.to_owned(), device.to_owned())));

    let mut b = Builder::new(levada::registry());
    b.on_device("nowhere/at/all", |b| b.node("NoOp").add());
    assert_eq!(b.finish().unwrap_err().code(), Code::InvalidArgument);
}

#[test]
fn devices_that_no_filter_fits_are_not_there() {
    let open = |filters: &[&str], device: &str| {
        let graph = json!({"node": [{"name": "n", "op": "NoOp", "device": device}]});
        let graph = read::json(graph.to_string().as_bytes(), &levada::registry()).unwrap();
        let device_filters = filters.iter().map(|&f| f.to_owned()).collect();
        Session::new(graph, SessionOptions { cpus: 4, device_filters, ..SessionOptions::default() })
    };
    let runs = |filters: &[&str], device: &str| open(filters, device).unwrap().run(&[], &[], &["n"]).is_ok();
    assert!(runs(&[], "/cpu:3") && runs(&["/cpu:1", "/cpu:3"], "/cpu:3"));
    assert!(runs(&["/cpu:3"], "/cpu:0") && runs(&["/job:localhost"], "/cpu:2"));
    assert!(!runs(&["/cpu:1", "/cpu:3"], "/cpu:2") && !runs(&["/job:worker"], "/cpu:1"));
    assert_eq!(open(&["what"], "").err().map(|e| e.code()), Some(Code::InvalidArgument));
}
