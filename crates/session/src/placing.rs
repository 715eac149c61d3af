//! Where the nodes of a session's graphs go.

use crate::options::SessionOptions;
use levada_compile::Places;
use levada_graph::{Graph, Result};
use levada_kernel::AnyDevice;
use levada_placer::{Request, Targets, conflicts, first_fit, refusal_error};
use std::sync::Arc;

/// The devices of a session, and how it chooses among them.
pub(crate) struct Placing {
    pub(crate) devices: Vec<Arc<dyn AnyDevice>>,
    targets: Targets,
    soft: bool,
}

/// Device numbers of a graph's nodes; empty where all are on the first.
pub(crate) type Devices = Arc<[u32]>;

impl Placing {
    pub(crate) fn new(devices: Vec<Arc<dyn AnyDevice>>, options: &SessionOptions) -> Result<Placing> {
        let targets = Targets::of(&devices)?;
        Ok(Placing { devices, targets, soft: options.allow_soft_placement })
    }

    /// The devices, for compiling.
    pub(crate) fn places<'a>(&'a self, device: &'a Devices) -> Places<'a> {
        Places { devices: &self.devices, device }
    }

    /// Places every node of a graph.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` where its constraints contradict each other or a device does not exist.
    pub(crate) fn place(&self, graph: &Graph) -> Result<Devices> {
        if self.devices.len() == 1 && graph.nodes().all(|(_, n)| n.device.is_empty()) {
            return Ok(Arc::from([]));
        }
        let supports = |node: &levada_graph::graph::Node| self.targets.supporting(&self.devices, node);
        let request =
            Request { graph, targets: &self.targets, supports: &supports, soft: self.soft, default: self.default() };
        match first_fit(&request) {
            Ok((placement, _)) if self.devices.len() > 1 => Ok(placement.device.into()),
            Ok(_) => Ok(Arc::from([])),
            Err(refusal) => Err(refusal_error(&request, refusal.error, &conflicts(&request))),
        }
    }

    /// The first CPU: nodes that could go anywhere on the CPU go there.
    fn default(&self) -> u32 {
        self.devices.iter().position(|d| d.kind() == "CPU").unwrap_or(0) as u32
    }
}
