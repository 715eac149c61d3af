//! The devices of this machine, as every backend reports its own.

use crate::{Cuda, devices};
use levada_gpu::discovery::{Info, Kind, Library};
use levada_gpu::{Backend, Discovery};
use levada_graph::Result;
use parking_lot::Mutex;
use std::sync::Arc;

struct Card {
    info: Info,
    ordinal: usize,
    /// It stays open once it has been opened.
    open: Mutex<Option<Arc<Cuda>>>,
}

impl levada_gpu::Processor for Card {
    fn info(&self) -> &Info {
        &self.info
    }

    fn open(&self) -> Result<Arc<dyn Backend>> {
        let mut open = self.open.lock();
        if let Some(cuda) = &*open {
            return Ok(cuda.clone());
        }
        let cuda = Arc::new(Cuda::open(self.ordinal)?);
        *open = Some(cuda.clone());
        Ok(cuda)
    }
}

/// What is installed besides the driver; empty if there is no driver.
fn libraries() -> Vec<Library> {
    if !crate::is_present(crate::Library::Driver) {
        return Vec::new();
    }
    let library = |name, version| Library { name, version };
    vec![
        library("NVRTC", crate::compile::version()),
        library("cuBLASLt", crate::blas::version()),
        library("cuDNN", crate::cudnn::version()),
    ]
}

/// The devices of this machine, or why there are none.
pub fn discover() -> Discovery {
    let found = match devices() {
        Ok(found) => found,
        Err(error) => return Discovery { libraries: libraries(), ..Discovery::none("cuda", error.message()) },
    };
    let card = |found: crate::DeviceProperties| -> Arc<dyn levada_gpu::Processor> {
        let info = Info {
            name: found.name,
            interface: "CUDA",
            driver: format!("for CUDA {}", found.driver),
            kind: Kind::Discrete,
            memory: Some(found.memory),
            bus: None,
        };
        Arc::new(Card { info, ordinal: found.ordinal, open: Mutex::default() })
    };
    Discovery { backend: "cuda", found: found.into_iter().map(card).collect(), absence: None, libraries: libraries() }
}
