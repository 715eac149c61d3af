//! Decides which device each node of a graph runs on, and explains why.
//!
//! In: a checked graph, the devices, and which of them have kernels for a node. Out: a device for every node with the
//! rules that led there, or the conflicting constraints. This crate knows no op by name, no plan and no executor.
//!
//! Reading order: [`target`] has the devices; [`groups`] finds the nodes that must share one;
//! [`first_fit`](mod@first_fit) is TensorFlow's rule; [`explain`](mod@explain) explains the device of a node, and
//! [`conflict`] why a graph cannot be placed. [`cluster`] and [`cost`] describe devices and work,
//! [`simulate`](mod@simulate) runs a placed graph on them, and [`cost_based`] places by that model.

pub mod cluster;
pub mod conflict;
pub mod constraint;
pub mod cost;
pub mod cost_based;
pub mod explain;
pub mod first_fit;
pub mod groups;
pub mod order;
mod picture;
pub mod problem;
pub mod report;
pub mod schedule;
mod search;
pub mod simulate;
pub mod split;
pub mod target;

pub use cluster::{Cluster, DeviceSpec, Link};
pub use conflict::{Conflict, Edit, conflicts, refusal_error};
pub use constraint::Constraint;
pub use cost::{Costs, Measured};
pub use cost_based::{Placed, Placer, place_by, place_step, solve};
pub use explain::{Explanation, explain};
pub use first_fit::{NOWHERE, Placement, Rule, first_fit};
pub use groups::{Groups, Refusal, Request};
pub use problem::Problem;
pub use simulate::{Simulation, simulate};
pub use split::split;
pub use target::{Kinds, Target, Targets};
