//! Levada runs TensorFlow-style dataflow graphs: load a GraphDef, feed tensors, fetch tensors, and see the order in
//! which nodes ran. TensorFlow itself is not needed; graphs have the semantics of `tf.compat.v1.Session`.
//!
//! ```
//! use levada::{Builder, DType, Ops, Session, SessionOptions, Tensor};
//!
//! let mut b = Builder::new(levada::registry());
//! let o = Ops::new(&mut b);
//! let x = o.placeholder(DType::F32).name("x").add();
//! o.add_v2(x, x).name("y").add();
//!
//! let session = Session::new(b.finish()?, SessionOptions::default())?;
//! let y = session.run(&[("x", Tensor::scalar(2f32))], &["y"], &[])?;
//! assert_eq!(y[0].item::<f32>()?, 4.0);
//! # Ok::<(), levada::Error>(())
//! ```
//!
//! `cargo run --example NAME -p levada` runs the examples in `examples/`: `load_and_run`, `build_a_graph`, `arrays`,
//! `train`, `monitored`, `queues_with_runners`, `devices`, `traces`, `callables`, `grow`. This crate only re-exports
//! other crates: each of its modules is one of them and documents its part.
//!
//! # Load
//!
//! [`graph::read`] takes JSON as `json_format.MessageToJson(graph.as_graph_def())` prints it, binary `GraphDef`s and
//! `MetaGraphDef`s, and a short form of the JSON for people. It reports every fault of a file with its location. The
//! [`registry`] holds the ops that nodes may use; [`families`] lists them.
//!
//! ```
//! use levada::graph::read;
//!
//! let text = br#"{"node": [
//!     {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32"}},
//!     {"name": "y", "op": "Neg", "input": ["x"]}]}"#;
//! let graph = read::json(text, &levada::registry())?;          // read::file takes a path, and any of the forms
//! assert_eq!(graph.len(), 2);
//!
//! let faults = read::json(br#"{"node": [{"name": "y", "op": "Nag", "input": ["x"]}]}"#,
//! &levada::registry()).unwrap_err(); assert!(faults.to_string().contains("Neg"));
//! # Ok::<(), levada::Error>(())
//! ```
//!
//! [`open`] takes the path of a graph in any form or of a SavedModel's directory. [`load`] also makes a session in
//! which the model's variables and tables are initialized, and a [`Signature`] calls the model by the names of its
//! arguments:
//!
//! ```no_run
//! use levada::{OpenOptions, SessionOptions, Tensor};
//!
//! let model = levada::load("model", &OpenOptions::default(), SessionOptions::default())?;
//! let outputs = model.signature("serving_default")?.run(&[("x", Tensor::vector(vec![1f32, 2.0]))])?;
//! println!("{:?}", outputs["y"]);
//! # Ok::<(), levada::Error>(())
//! ```
//!
//! # Run, feed, fetch
//!
//! [`Session::run`](session::Session::run) takes feeds, fetches and targets. Feeds and fetches are endpoints: `node`,
//! or `node:1` for an output other than the first. Any endpoint may be fed; nodes that only it depends on do not run
//! then. Targets are nodes to run without fetching anything. Variables, queues and tables keep their state from run to
//! run.
//!
//! Prepare a step that runs often as a [`Callable`]. [`RunOptions`] sets a timeout, a [`CancelToken`] and tracing;
//! [`SessionOptions`] sets threads, devices, memory and files.
//!
//! ```
//! # use levada::{CallableOptions, Session, SessionOptions, Tensor, graph::read};
//! # let text = br#"{"node": [
//! #     {"name": "x", "op": "Placeholder", "attr": {"dtype": "float32"}},
//! #     {"name": "y", "op": "Neg", "input": ["x"]}]}"#;
//! # let graph = read::json(text, &levada::registry())?;
//! let session = Session::new(graph, SessionOptions { threads: 2, ..SessionOptions::default() })?;
//! let negate = session.callable(&CallableOptions::new(["x"], ["y"], []))?;
//! for i in 0..3 {
//!     let y = negate.run(&[Tensor::scalar(i as f32)])?;
//!     assert_eq!(y[0].item::<f32>()?, -(i as f32));
//! }
//! # Ok::<(), levada::Error>(())
//! ```
//!
//! # Tensors
//!
//! A [`Tensor`] has a dtype, a shape and elements that its clones share. Arrays of [`ndarray`] convert to tensors and
//! back; the elements of row-major arrays are moved, not copied. [`Tensor::view`] and [`Tensor::view_mut`] never copy.
//!
//! ```
//! use levada::Tensor;
//! use levada::ndarray::{Array2, array};
//!
//! let mut t = Tensor::from(array![[1f32, 2.0], [3.0, 4.0]]);
//! assert_eq!(t.view::<f32>()?.sum(), 10.0);
//! t.view_mut::<f32>()?.expect("no other tensor shares the elements")[[0, 0]] = 5.0;
//! let a: Array2<f32> = t.try_into()?;
//! assert_eq!(a[[0, 0]], 5.0);
//! # Ok::<(), levada::Error>(())
//! ```
//!
//! # Build
//!
//! A [`Builder`] adds nodes to a graph. [`Ops`] has a method for every op: inputs and required attrs are arguments,
//! other attrs have setters, and multiple outputs have names; see [`ops`]. A mistake does not interrupt building:
//! [`Builder::finish`] reports all of them. [`graph::write`] writes graphs that TensorFlow reads.
//!
//! ```
//! use levada::{Builder, DType, Ops, Tensor};
//!
//! let mut b = Builder::new(levada::registry());
//! let o = Ops::new(&mut b);
//! let x = o.placeholder(DType::F32).shape([-1, 10]).name("x").add();
//! let best = o.top_k_v2(o.softmax(x), Tensor::scalar(3i32)).sorted(true).name("best").add();
//! o.identity(best.indices).name("where").add();
//! assert!(b.finish()?.find("where").is_some());
//! # Ok::<(), levada::Error>(())
//! ```
//!
//! # Train
//!
//! [`Builder::gradients`] adds the nodes that compute gradients; [`train::minimize`] also adds those of an optimizer. A
//! training step is a run with the optimizer's node as target.
//!
//! ```
//! use levada::train::{self, Minimize, Optimizer};
//! use levada::{Builder, Ops, Session, SessionOptions, Tensor};
//!
//! let mut b = Builder::new(levada::registry());
//! let start = b.constant(Tensor::scalar(5f32));
//! let w = train::variable(&mut b, "w", start);
//! let loss = Ops::new(&mut b).square(w.value).name("loss").add();
//! let options = Minimize { name: "train_op".to_owned(), ..Minimize::default() };
//! train::minimize(&mut b, loss, &Optimizer::gradient_descent(0.25), &options)?;
//! let init = train::global_variables_initializer(&mut b);
//! let init = b.node_name(init);
//!
//! let session = Session::new(b.finish()?, SessionOptions::default())?;
//! session.run(&[], &[], &[&init])?;
//! for _ in 0..20 {
//!     session.run(&[], &[], &["train_op"])?;
//! }
//! assert!(session.run(&[], &["loss"], &[])?[0].item::<f32>()? < 1e-6);
//! # Ok::<(), levada::Error>(())
//! ```
//!
//! [`Monitored`] makes a session that is initialized or restored, calls hooks around its runs (checkpoints, logs, a
//! guard against NaN, summaries), and recovers from its latest checkpoint after a failure, including the contents of
//! its queues.
//!
//! ```
//! use levada::monitored::hooks::{Every, SaveCheckpoints, StopAtStep};
//! use levada::{Builder, Monitored, SessionOptions, Tensor, train};
//!
//! let mut b = Builder::new(levada::registry());
//! let step = train::global_step(&mut b);
//! let one = b.constant(Tensor::scalar(1i64));
//! let count = step.assign_add(&mut b, one);
//! let count = b.node_name(count);
//!
//! let folder = std::env::temp_dir().join(format!("levada-guide-{}", std::process::id()));
//! let session = Monitored::new(b.finish()?, levada::registry(), levada::opener(SessionOptions::default()))
//!     .checkpoint_dir(&folder)
//!     .hook(StopAtStep::at(20))
//!     .hook(SaveCheckpoints::new(&folder, Every::Steps(10)))
//!     .start()?;
//! session.train(|session| session.run(&[], &[], &[&count]).map(drop))?;
//! assert!(levada::checkpoint::latest(&folder)?.expect("training has saved it").ends_with("model.ckpt-20"));
//! # std::fs::remove_dir_all(folder).unwrap();
//! # Ok::<(), levada::Error>(())
//! ```
//!
//! # Queues
//!
//! Queues, readers and queue runners are part of a graph. [`train`] has TensorFlow's builders of input pipelines
//! (`batch`, `shuffle_batch`, `string_input_producer` and their siblings); `start_queue_runners` starts the runners,
//! and a [`Coordinator`] stops them together. A stalled run fails immediately and says which nodes wait for what.
//!
//! ```
//! use levada::train::{self, Batch, Producer};
//! use levada::{Builder, Coordinator, DType, Ops, Session, SessionOptions, Tensor};
//! use std::time::Duration;
//!
//! let mut b = Builder::new(levada::registry());
//! let limit = b.constant(Tensor::scalar(6i32));
//! let numbers = train::range_input_producer(&mut b, limit, &Producer { shuffle: false, ..Producer::default() });
//! let number = Ops::new(&mut b).queue_dequeue_v2(numbers, &[DType::I32]).add();
//! let batch = train::batch(&mut b, &number, &Batch::of(4));
//! let batch = b.name(batch[0]);
//!
//! let session = Session::new(b.finish()?, SessionOptions::default())?;
//! let coordinator = Coordinator::new();
//! session.start_queue_runners(&coordinator)?;
//! assert_eq!(session.run(&[], &[&batch], &[])?[0].slice::<i32>()?, [0, 1, 2, 3]);
//! assert_eq!(session.run(&[], &[&batch], &[])?[0].slice::<i32>()?, [4, 5, 0, 1]);
//! coordinator.request_stop();
//! coordinator.join(Duration::from_secs(10))?;
//! # Ok::<(), levada::Error>(())
//! ```
//!
//! # Datasets
//!
//! [`data::Dataset`] describes an input pipeline as `tf.data` does, with functions written in Rust or built of nodes.
//! Its elements are available as Rust values or as nodes of a graph.
//!
//! ```
//! use levada::SessionOptions;
//! use levada::data::{Calls, Dataset};
//!
//! let squares = Dataset::range(10).map(|x| x * x).filter(|x| x % 2 == 0);
//! let batches = squares.map_nodes::<i64>(Calls::parallel(2), |b, x| vec![b.add(x[0], x[0])]).batch(2);
//! let open = levada::opener(SessionOptions::default());
//! let batches: Vec<Vec<i64>> = batches.read(levada::registry(), open)?.collect::<Result<_, _>>()?;
//! assert_eq!(batches, [vec![0, 8], vec![32, 72], vec![128]]);
//! # Ok::<(), levada::Error>(())
//! ```
//!
//! # Devices
//!
//! [`SessionOptions::cpus`] and [`SessionOptions::gpus`] set the devices of a session; [`gpus`] lists the available
//! GPUs, with the features `cuda` (NVIDIA) and `wgpu` (Vulkan, Metal, Direct3D 12). Nodes ask for devices by name, and
//! [`placer`] places them, explains why, and finds conflicting constraints.
//!
//! ```
//! use levada::{Builder, DType, Ops, Session, SessionOptions, Tensor};
//!
//! let mut b = Builder::new(levada::registry());
//! let o = Ops::new(&mut b);
//! let x = o.placeholder(DType::F32).name("x").add();
//! o.exp(x).device("/cpu:1").name("y").add();
//! let session = Session::new(b.finish()?, SessionOptions { cpus: 2, ..SessionOptions::default() })?;
//! assert_eq!(session.run(&[("x", Tensor::scalar(0f32))], &["y"], &[])?[0].item::<f32>()?, 1.0);
//! # Ok::<(), levada::Error>(())
//! ```
//!
//! # Traces
//!
//! A traced run returns a [`StepTrace`]: which node ran when, on which device and worker. [`trace::export`] writes it
//! for other programs, such as Perfetto; [`trace::report`] has the order of the nodes, the critical path and the time
//! by op; [`trace::check`](fn@trace::check) checks it against the graph's edges.
//!
//! ```
//! use levada::{Builder, Ops, RunOptions, Session, SessionOptions, Tensor, trace};
//!
//! let mut b = Builder::new(levada::registry());
//! Ops::new(&mut b).neg(Tensor::scalar(1f32)).name("y").add();
//! let session = Session::new(b.finish()?, SessionOptions { plain: true, ..SessionOptions::default() })?;
//! let traced = RunOptions { trace: true, ..RunOptions::default() };
//! let (_, metadata) = session.run_with(&traced, &[], &["y"], &[])?;
//! let step = metadata.trace.expect("the options ask for it");
//! assert!(trace::report::order(&step).contains("Neg"));
//! # Ok::<(), levada::Error>(())
//! ```
//!
//! # Errors
//!
//! An [`Error`] has TensorFlow's [`Code`] for programs and a sentence for people and, where they apply, the node, its
//! op, the attr, the expected and the actual value, a suggested fix, and the location in the file. A run fails with its
//! first error; the session stays usable.
//!
//! ```
//! use levada::{Builder, Code, DType, Ops, Session, SessionOptions, Tensor};
//!
//! let mut b = Builder::new(levada::registry());
//! let o = Ops::new(&mut b);
//! let x = o.placeholder(DType::I32).name("x").add();
//! o.div(Tensor::scalar(1i32), x).name("y").add();
//! let session = Session::new(b.finish()?, SessionOptions::default())?;
//! let error = session.run(&[("x", Tensor::scalar(0i32))], &["y"], &[]).unwrap_err();
//! assert_eq!(error.code(), Code::InvalidArgument);
//! assert_eq!(error.fault().node.as_deref(), Some("y"));
//! # Ok::<(), levada::Error>(())
//! ```
//!
//! # Threads
//!
//! Any number of runs proceed concurrently. Give each thread its own clone of a [`Session`] or [`Callable`], which is
//! cheap, so that a session knows which threads could still act on its queues; [`SharedSession`] is for a `static`. All
//! runs share [`SessionOptions::threads`]; with one thread, nodes run in the same order each time.
//!
//! ```
//! use levada::{Builder, DType, Ops, Session, SessionOptions, Tensor};
//!
//! let mut b = Builder::new(levada::registry());
//! let o = Ops::new(&mut b);
//! let x = o.placeholder(DType::I64).name("x").add();
//! o.mul(x, x).name("y").add();
//! let session = Session::new(b.finish()?, SessionOptions::default())?;
//! std::thread::scope(|scope| {
//!     for i in 0..4 {
//!         let session = session.clone();
//!         scope.spawn(move || {
//!             let y = session.run(&[("x", Tensor::scalar(i))], &["y"], &[]).unwrap();
//!             assert_eq!(y[0].item::<i64>().unwrap(), i * i);
//!         });
//!     }
//! });
//! # Ok::<(), levada::Error>(())
//! ```
//!
//! # Untrusted input
//!
//! Whatever a graph or a feed contains, the outcome is a value or an [`Error`]. A graph can access only files in
//! directories that [`SessionOptions::files`] grants, by default none. [`SessionOptions::untrusted`] sets [`Limits`]
//! for an untrusted graph: on memory, time, nodes, iterations, recursion, queues, strings and results.
//!
//! ```
//! use levada::{Builder, Code, DType, Limit, Limits, Ops, Session, SessionOptions, Tensor};
//!
//! let mut b = Builder::new(levada::registry());
//! let o = Ops::new(&mut b);
//! o.read_file(Tensor::string("/etc/hostname")).name("text").add();
//! let size = o.placeholder(DType::I32).name("size").add();
//! o.fill(size, Tensor::scalar(0f32)).name("large").add();
//! let limits = Limits { memory_of_step: 1 << 20, ..Limits::default() };
//! let session = Session::new(b.finish()?, SessionOptions::untrusted(limits))?;
//! assert_eq!(session.run(&[], &["text"], &[]).unwrap_err().code(), Code::PermissionDenied);
//! let error = session.run(&[("size", Tensor::vector(vec![1 << 30]))], &["large"], &[]).unwrap_err();
//! assert_eq!(error.fault().limit, Some(Limit::MemoryOfStep));
//! # Ok::<(), levada::Error>(())
//! ```

pub mod gpus;
mod open;
mod replayer;
pub mod transform;

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

pub use levada_builder::{Builder, NodeBuilder, Output};
pub use levada_checkpoint as checkpoint;
pub use levada_compare as compare;
pub use levada_compile as compile;
pub use levada_data as data;
pub use levada_executor as executor;
pub use levada_explore as explore;
pub use levada_gradients as gradients;
pub use levada_graph as graph;
pub use levada_kernel as kernel;
pub use levada_lint as lint;
pub use levada_memory as memory;
pub use levada_monitored as monitored;
pub use levada_nodes as ops;
pub use levada_nodes::Ops;
#[cfg(feature = "onnx")]
pub use levada_onnx as onnx;
pub use levada_placer as placer;
pub use levada_placer::Placer;
pub use levada_recording as recording;
pub use levada_records as records;
pub use levada_replay as replay;
pub use levada_saved_model as saved_model;
pub use levada_session as session;
pub use levada_summary as summary;
pub use levada_trace as trace;
pub use levada_train as train;
pub use levada_view as view;
pub use ndarray;

pub use levada_graph::def::{GraphDef, NodeDef};
pub use levada_graph::{
    AttrValue, Bytes, Code, Complex32, Complex64, DType, Element, Endpoint, Error, Graph, Limit, PartialShape,
    QueueRunnerDef, Registry, Result, Shape, Tensor, bf16, f16,
};
pub use levada_kernel::{CancelToken, Files, Limits};
pub use levada_monitored::{Monitored, MonitoredSession};
pub use levada_saved_model::Signature;
pub use levada_session::{
    Callable, CallableOptions, Coordinator, Member, PartialRun, RunMetadata, RunOptions, RunnerStatus, SessionOptions,
    SharedSession, TensorHandle, Waiting,
};
pub use levada_trace::StepTrace;
pub use open::{Loaded, Model, OpenOptions, load, open};
pub use replayer::Replayer;

/// Every op of the library in this build.
pub fn registry() -> Arc<Registry> {
    static REGISTRY: OnceLock<Arc<Registry>> = OnceLock::new();
    REGISTRY.get_or_init(|| Arc::new(Registry::new(levada_ops::ops()).leaving_out(levada_ops::left_out()))).clone()
}

/// The families of the library's ops by name, and the ops of each.
pub fn families() -> impl Iterator<Item = (&'static str, Vec<graph::OpDef>)> {
    let registry = registry();
    levada_ops::families().iter().map(move |(family, ops)| {
        (*family, ops().iter().filter_map(|entry| registry.get(entry.def.spec.name).copied()).collect())
    })
}

/// The CPU kernel of every op of the library.
pub fn kernels() -> impl Iterator<Item = kernel::KernelEntry<kernel::Cpu>> {
    levada_ops::all().map(|entry| entry.cpu)
}

/// The devices that the options ask for, after their filters, without GPUs that the machine lacks or that cannot be
/// opened; [`gpus::check`] reports those.
pub fn devices(options: &SessionOptions) -> Vec<Arc<dyn kernel::AnyDevice>> {
    let arena = match options.memory_limit {
        0 => kernel::Arena::for_this_machine(),
        limit => kernel::Arena::new(limit, limit / 2),
    };
    let filters: Vec<_> =
        options.device_filters.iter().filter_map(|f| graph::device::DeviceName::parse(f).ok()).collect();
    let is_wanted = |device: &Arc<dyn kernel::AnyDevice>| {
        let name = graph::device::DeviceName::parse(device.name()).unwrap_or_default();
        options.device_filters.is_empty()
            || name == graph::device::DeviceName::local("CPU", 0)
            || filters.iter().any(|filter| filter.matches(&name))
    };
    let cpu = |i| -> Arc<dyn kernel::AnyDevice> { Arc::new(kernel::CpuDevice::new(i, arena.clone(), kernels())) };
    let gpus = gpus::open_for(options).unwrap_or_default();
    (0..options.cpus.max(1)).map(cpu).chain(gpus).filter(is_wanted).collect()
}

/// A session with the whole op library: a [`session::Session`] with constructors.
#[derive(Clone)]
pub struct Session(session::Session);

impl Session {
    /// A session on `graph`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a device filter that is not the name of a device.
    pub fn new(graph: Graph, options: SessionOptions) -> Result<Session> {
        for filter in &options.device_filters {
            graph::device::DeviceName::parse(filter)?;
        }
        let devices = devices(&options);
        Session::with_devices(graph, devices, options)
    }

    /// A session on `graph` with these devices; the first must be a CPU.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if two devices have the same name.
    pub fn with_devices(
        graph: Graph,
        devices: Vec<Arc<dyn kernel::AnyDevice>>,
        options: SessionOptions,
    ) -> Result<Session> {
        Ok(Session(session::Session::with_devices(graph, registry(), devices, options)?))
    }
}

/// A function that opens sessions with these options on the same devices, for [`Monitored::new`].
pub fn opener(options: SessionOptions) -> impl Fn(Graph) -> Result<session::Session> {
    let devices = devices(&options);
    move |graph| Session::with_devices(graph, devices.clone(), options.clone()).map(|session| session.0)
}

impl Deref for Session {
    type Target = session::Session;
    fn deref(&self) -> &session::Session {
        &self.0
    }
}
