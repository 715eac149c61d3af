//! Runs graphs: feeds, fetches, targets, cached plans, state from run to run.
//!
//! In: a checked [`Graph`](levada_graph::Graph), the ops' registry and devices. Out: fetched tensors. This crate knows
//! no op library and no kind of device; the facade crate brings them together.
//!
//! Start with [`Session`]; [`Callable`] is a run prepared once, [`PartialRun`] a run that is fed step by step,
//! [`TensorHandle`] stands for a tensor kept in the session; [`options`] has the options and metadata of runs;
//! [`Waiting`] reports which nodes wait for what. [`Coordinator`] stops background work, such as queue runners,
//! together. [`NanWatch`] selects the check for NaNs, and [`NanOrigin`] describes the first node that makes one. A
//! [`Scribe`] is notified of all runs.

mod callable;
mod coordinator;
mod finite;
mod handles;
mod holder;
mod library;
mod names;
pub mod options;
mod partial;
mod placing;
mod plans;
mod queue_runner;
mod scribe;
mod session;
mod telemetry;
#[cfg(test)]
mod tests;
pub mod waiting;

pub use callable::{Callable, CallableOptions};
pub use coordinator::{Coordinator, Member};
pub use finite::{Made, NanInput, NanOrigin, NanWatch};
pub use handles::TensorHandle;
pub use options::{RunMetadata, RunOptions, SessionOptions};
pub use partial::PartialRun;
pub use placing::estimate;
pub use queue_runner::{Paused, RunnerStatus};
pub use scribe::{Begun, Scribe};
pub use session::{Session, SharedSession};
pub use waiting::Waiting;
