//! Levada runs TensorFlow-style dataflow graphs: load a GraphDef, feed tensors, fetch tensors, and see in which order
//! things ran.
//!
//! ```
//! use levada::{Builder, DType, PartialShape, Session, SessionOptions, Tensor};
//!
//! let mut b = Builder::new(levada::registry());
//! let x = b.placeholder("x", DType::F32, PartialShape::scalar());
//! let y = b.add(x, x);
//! b.identity("y", y);
//!
//! let session = Session::new(b.finish()?, SessionOptions::default())?;
//! let y = session.run(&[("x", Tensor::scalar(2f32))], &["y"], &[])?;
//! assert_eq!(y[0].item::<f32>()?, 4.0);
//! # Ok::<(), levada::Error>(())
//! ```
//!
//! This crate only brings the others together: the graph and its reader, the op library, the CPU device, the session.

pub mod gpus;
mod replayer;

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

pub use levada_compile as compile;
pub use levada_executor as executor;
pub use levada_graph as graph;
pub use levada_kernel as kernel;
pub use levada_placer as placer;
pub use levada_placer::Placer;
pub use levada_records as records;
pub use levada_replay as replay;
pub use levada_session as session;
pub use levada_trace as trace;

pub use levada_graph::def::{GraphDef, NodeDef};
pub use levada_graph::{
    AttrValue, Code, DType, Endpoint, Error, Graph, PartialShape, QueueRunnerDef, Registry, Result, Shape, Tensor,
};
pub use levada_kernel::{CancelToken, Files};
pub use levada_session::train;
pub use levada_session::{
    Builder, Callable, CallableOptions, Coordinator, Output, RunMetadata, RunOptions, SessionOptions, SharedSession,
    Waiting,
};
pub use levada_trace::StepTrace;
pub use replayer::Replayer;

/// Every op of the library.
pub fn registry() -> Arc<Registry> {
    static REGISTRY: OnceLock<Arc<Registry>> = OnceLock::new();
    REGISTRY.get_or_init(|| Arc::new(Registry::new(levada_ops::ops()))).clone()
}

/// The CPU kernel of every op of the library.
pub fn kernels() -> impl Iterator<Item = kernel::KernelEntry<kernel::Cpu>> {
    levada_ops::all().map(|entry| entry.cpu)
}

/// The devices that the options ask for, but no GPUs that the machine lacks or that cannot be opened; [`gpus::check`] tells
/// of those.
pub fn devices(options: &SessionOptions) -> Vec<Arc<dyn kernel::AnyDevice>> {
    let arena = match options.memory_limit {
        0 => kernel::Arena::for_this_machine(),
        limit => kernel::Arena::new(limit, limit / 2),
    };
    let cpu = |i| -> Arc<dyn kernel::AnyDevice> { Arc::new(kernel::CpuDevice::new(i, arena.clone(), kernels())) };
    let gpus = gpus::open_for(options).unwrap_or_default();
    (0..options.cpus.max(1)).map(cpu).chain(gpus).collect()
}

/// A session with the whole op library: [`session::Session`] and how to make one.
#[derive(Clone)]
pub struct Session(session::Session);

impl Session {
    /// A session on `graph`.
    ///
    /// # Errors
    /// None that the options can cause; a session with devices of one's own may have two of one name.
    pub fn new(graph: Graph, options: SessionOptions) -> Result<Session> {
        let devices = devices(&options);
        Session::with_devices(graph, devices, options)
    }

    /// A session on `graph` with these devices, of which the first must be a CPU.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` where two devices have one name.
    pub fn with_devices(
        graph: Graph,
        devices: Vec<Arc<dyn kernel::AnyDevice>>,
        options: SessionOptions,
    ) -> Result<Session> {
        Ok(Session(session::Session::with_devices(graph, registry(), devices, options)?))
    }
}

impl Deref for Session {
    type Target = session::Session;
    fn deref(&self) -> &session::Session {
        &self.0
    }
}
