//! Conclusions from a trace.

mod by_op;
mod causes;
mod critical_path;
mod devices;
mod order;
mod pipelines;
mod queues;
pub(crate) mod table;

pub use by_op::{OpTime, by_op, by_op_table};
pub use causes::Causes;
pub use critical_path::{
    Path, Spent, Stretch, critical_path, critical_path_table, critical_paths, critical_paths_json, critical_paths_text,
};
pub use devices::{CopyTimes, DeviceTimes, device_times, devices_text};
pub use order::{device_order, order};
pub use pipelines::{pipelines_json, pipelines_text};
pub use queues::{Bottleneck, Confidence, Limit, Verdict, advice, bottleneck, queues_json, queues_text, verdict};
