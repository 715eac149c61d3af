//! Vulkan, Metal and Direct3D devices, through wgpu.
//!
//! Programs are printed as WGSL. Commands are gathered and submitted in batches; a thread of the device waits for those
//! with callbacks, and sleeps otherwise.
//!
//! There are no float64 elements: the shader languages have no float64 functions beyond arithmetic.

mod adapters;
mod backend;
mod marks;
mod pipelines;
mod queue;
mod scope;
mod waiter;

pub use adapters::discover;
pub use backend::Wgpu;
