//! Graphics processors: the kernels that all backends share, and the interface of a backend.
//!
//! A kernel is an [`ir::Program`] that a [`backend::Backend`] prints in its language ([`print`]), compiles and runs.
//! [`device::GpuDevice`] is the device of a backend: it places its tensors in memory of a [`memory::Pool`] and queues
//! programs; it never waits for them. [`host::Host`] is a backend that interprets programs, for tests on machines
//! without a graphics processor.

pub mod backend;
pub mod blocking;
mod capture;
pub mod clock;
pub mod commands;
mod copies;
pub mod device;
pub mod discovery;
pub mod expressions;
pub mod hazards;
pub mod host;
pub mod host_queues;
pub mod ir;
mod kernels;
pub mod memory;
pub mod print;
mod quick;
pub mod tracks;

pub use backend::{Backend, Launch, Prepared};
pub use blocking::Blocking;
pub use capture::Captures;
pub use clock::Clock;
pub use commands::Command;
pub use device::{Gpu, GpuDevice};
pub use discovery::{Discovery, Processor};
pub use kernels::dtypes;
pub use tracks::Tracks;

/// The names of the ops that have kernels, in order.
pub fn ops() -> Vec<&'static str> {
    let mut names: Vec<_> = kernels::all().map(|entry| entry.op).collect();
    names.sort_unstable();
    names
}
