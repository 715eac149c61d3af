//! Conclusions from a trace.

mod by_op;
mod critical_path;
mod devices;
mod order;
mod pipelines;
mod queues;
pub(crate) mod table;

pub use by_op::{OpTime, by_op, by_op_table};
pub use critical_path::{critical_path, critical_path_table};
pub use devices::{CopyTimes, DeviceTimes, device_times, devices_text};
pub use order::{device_order, order};
pub use pipelines::{pipelines_json, pipelines_text};
pub use queues::{Verdict, advice, queues_text, verdict};
