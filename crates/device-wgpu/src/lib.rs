//! Vulkan, Metal and Direct3D devices, through wgpu.
//!
//! Programs are printed as WGSL. What is asked of a device is gathered and submitted in batches; a thread of the device
//! waits for those that somebody wants to hear of, and sleeps otherwise.
//!
//! There are no float64 elements: the shader languages have no functions of such numbers beyond arithmetic.

mod adapters;
mod backend;
mod marks;
mod pipelines;
mod queue;
mod scope;
mod waiter;

pub use adapters::discover;
pub use backend::Wgpu;
