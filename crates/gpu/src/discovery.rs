//! The graphics processors of a machine, and why a backend finds none.

use crate::backend::Backend;
use levada_graph::Result;
use std::fmt;
use std::sync::Arc;

/// The kind of a processor.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A card with memory of its own.
    Discrete,
    /// A processor that shares the host's memory.
    Integrated,
    /// A virtual machine's processor, or one whose driver does not report its kind.
    Other,
    /// A software implementation on the CPU.
    Software,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Discrete => "discrete",
            Kind::Integrated => "integrated",
            Kind::Other => "other",
            Kind::Software => "software",
        })
    }
}

/// What is known of a processor before it is opened.
#[derive(Clone, Debug)]
pub struct Info {
    /// Its name, as reported by its driver.
    pub name: String,
    /// The interface used to access it: `CUDA`, `Vulkan`, `Metal`, `DX12`.
    pub interface: &'static str,
    /// Its driver, with its version.
    pub driver: String,
    /// What kind it is.
    pub kind: Kind,
    /// Bytes of its memory, if known.
    pub memory: Option<u64>,
    /// Its address on the machine's bus, such as `0000:01:00.0`, by which two backends identify the same processor.
    pub bus: Option<String>,
}

/// A processor that was found.
pub trait Processor: Send + Sync {
    /// What it is.
    fn info(&self) -> &Info;

    /// Opens it. Opening it again while it is open returns another handle to the same device.
    ///
    /// # Errors
    /// The driver's error.
    fn open(&self) -> Result<Arc<dyn Backend>>;
}

/// A library that a backend uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Library {
    /// Its name.
    pub name: &'static str,
    /// Its version; `None` if it is not installed.
    pub version: Option<String>,
}

/// What a backend found, once for the process.
pub struct Discovery {
    /// The backend: `cuda`, `wgpu`.
    pub backend: &'static str,
    /// The processors, the best first.
    pub found: Vec<Arc<dyn Processor>>,
    /// Why there are none.
    pub absence: Option<String>,
    /// The libraries that it uses if they are installed.
    pub libraries: Vec<Library>,
}

impl Discovery {
    /// For a backend that found nothing, and why.
    pub fn none(backend: &'static str, why: impl Into<String>) -> Discovery {
        Discovery { backend, found: Vec::new(), absence: Some(why.into()), libraries: Vec::new() }
    }
}
