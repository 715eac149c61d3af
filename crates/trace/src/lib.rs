//! Traces of steps: events, their recorder, exporters, and reports.
//!
//! In: one [`NodeEvent`] for every node that ran, from the executor. Out: a [`StepTrace`], which [`export`] writes in
//! formats of other programs, [`file`](mod@file) stores on disk, [`report`] summarizes as the order of nodes, the
//! critical path and the time by op, and [`check`](fn@check) verifies against the graph's edges. The work of devices
//! with queues of their own is recorded as [`DeviceEvent`]s, on the tracks of [`device`] and in the step's clock. Queue
//! occupancy is recorded alongside the steps as [`QueueTrace`]s, with advice in [`report`]. [`PipelineTrace`]s describe
//! the stages of input pipelines, with a model of their rate in [`pipeline`]. This crate knows no plan and no graph:
//! edges are pairs of names.
//!
//! ```
//! use levada_trace::{Recorder, NodeEvent, check};
//! let recorder = Recorder::new(1, 1);
//! for name in ["a", "b"] {
//!     let ready_ns = recorder.now();
//!     let start_ns = recorder.now();
//!     let event = NodeEvent { ready_ns, start_ns, end_ns: recorder.now(), ..NodeEvent::new(name.into(), "NoOp") };
//!     recorder.record(event);
//! }
//! let trace = recorder.finish();
//! let edges = [("a".into(), "b".into())];
//! check(&trace, &["a".into(), "b".into()], &edges).unwrap();
//! ```

pub mod check;
pub mod device;
pub mod event;
pub mod export;
pub mod file;
pub mod pipeline;
pub mod queue;
pub mod recorder;
pub mod report;

pub use check::{Violation, check};
pub use device::{DeviceEvent, Origin, Stamp, Track, Work};
pub use event::{Awaited, Edge, Iteration, NodeEvent, Pause, StepTrace, TensorDescription};
pub use file::Trace;
pub use pipeline::{PipelineTrace, StageTrace};
pub use queue::{QueueAct, QueueActor, QueueTrace, Workers};
pub use recorder::{Recorder, unix_ns};
