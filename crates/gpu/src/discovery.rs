//! What graphics processors a machine has, and why a backend finds none.

use crate::backend::Backend;
use levada_graph::Result;
use std::fmt;
use std::sync::Arc;

/// What kind of processor it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A card with memory of its own.
    Discrete,
    /// One that shares the host's memory.
    Integrated,
    /// One of a virtual machine, or of a kind that its driver does not tell.
    Other,
    /// The CPU, that does as if it were one.
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
    /// Its name, as its driver has it.
    pub name: String,
    /// The interface that it is reached through: `CUDA`, `Vulkan`, `Metal`, `DX12`.
    pub interface: &'static str,
    /// Its driver, with its version.
    pub driver: String,
    /// What kind it is.
    pub kind: Kind,
    /// Bytes of its memory, where that can be known.
    pub memory: Option<u64>,
    /// Where it is on the machine's bus, as `0000:01:00.0`: backends that find one processor twice tell it by this.
    pub bus: Option<String>,
}

/// A processor that was found.
pub trait Processor: Send + Sync {
    /// What it is.
    fn info(&self) -> &Info;

    /// Opens it. Whoever opens it again while it is open gets the same device with another handle.
    ///
    /// # Errors
    /// What its driver says.
    fn open(&self) -> Result<Arc<dyn Backend>>;
}

/// A library that a backend uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Library {
    /// Its name.
    pub name: &'static str,
    /// Its version; `None` where it is not installed.
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
    /// The libraries that it uses where they are installed.
    pub libraries: Vec<Library>,
}

impl Discovery {
    /// Of a backend that found nothing, and why.
    pub fn none(backend: &'static str, why: impl Into<String>) -> Discovery {
        Discovery { backend, found: Vec::new(), absence: Some(why.into()), libraries: Vec::new() }
    }
}
