//! Runs graphs: feeds, fetches, targets, cached plans, state from run to run.
//!
//! In: a checked [`Graph`](levada_graph::Graph), the ops' registry and devices. Out: fetched tensors. This crate knows no op
//! library and no kind of device; the facade crate brings them together.
//!
//! Start with [`Session`]; [`Callable`] is a run prepared once, [`PartialRun`] one that is fed bit by bit, [`TensorHandle`]
//! stands for a tensor that stays in the session; [`options`] says how to run and what a run tells;
//! [`Waiting`] who waits for what.
//! [`Coordinator`] ends what runs on its own, such as queue runners, together.

mod callable;
mod coordinator;
mod handles;
mod library;
mod names;
pub mod options;
mod partial;
mod placing;
mod plans;
mod queue_runner;
mod session;
mod telemetry;
pub mod waiting;

pub use callable::{Callable, CallableOptions};
pub use coordinator::{Coordinator, Member};
pub use handles::TensorHandle;
pub use options::{RunMetadata, RunOptions, SessionOptions};
pub use partial::PartialRun;
pub use queue_runner::{Paused, RunnerStatus};
pub use session::{Session, SharedSession};
pub use waiting::Waiting;
