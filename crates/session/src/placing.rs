//! Places the nodes of a session's graph and functions.

use crate::options::SessionOptions;
use levada_compile::known::Known;
use levada_compile::{Placement, Signature, prune};
use levada_graph::device::DeviceName;
use levada_graph::graph::Node;
use levada_graph::{Error, Graph, NodeId, Result};
use levada_kernel::{AnyDevice, Site};
use levada_placer::{Cluster, Costs, Placer, Request, conflicts, place_by, refusal_error};
use std::collections::HashMap;
use std::sync::Arc;

/// The devices of a session, and how it chooses among them.
pub(crate) struct Placing {
    pub(crate) devices: Vec<Arc<dyn AnyDevice>>,
    cluster: Cluster,
    soft: bool,
    placer: Placer,
}

/// Device numbers of a graph's nodes; empty where all are on the first.
pub(crate) type Devices = Arc<Vec<u32>>;

impl Placing {
    pub(crate) fn new(devices: Vec<Arc<dyn AnyDevice>>, options: &SessionOptions) -> Result<Placing> {
        let threads = match options.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let cluster = Cluster::of(&devices, threads)?;
        Ok(Placing { devices, cluster, soft: options.allow_soft_placement, placer: options.placer })
    }

    /// The devices, for compiling.
    pub(crate) fn placement<'a>(&'a self, device: &'a Devices) -> Placement<'a> {
        Placement { devices: &self.devices, device }
    }

    /// Places every node of a graph.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if its constraints contradict each other or a device does not exist.
    pub(crate) fn place(&self, graph: &Graph) -> Result<Devices> {
        self.place_with(graph, self.default(), self.soft, self.placer)
    }

    /// Places the nodes of a graph from number `first` on, by TensorFlow's rule. The others stay where they are.
    ///
    /// # Errors
    /// As [`Placing::place`].
    pub(crate) fn place_more(&self, graph: &Graph, first: usize, devices: &mut Devices) -> Result<()> {
        let is_free = |id: NodeId| graph.node(id).device.is_empty();
        if self.devices.len() == 1 && (first..graph.len()).map(NodeId::new).all(is_free) {
            return Ok(());
        }
        let place = |id: NodeId| self.devices[self.placement(devices).number(id) as usize].name().to_string();
        let (tail, numbers) = graph.tail(first, place);
        let placed = self.place_with(&tail, self.default(), self.soft, Placer::FirstFit)?;
        if self.devices.len() > 1 {
            let new = numbers.iter().zip(placed.iter()).filter(|(id, _)| id.index() >= first);
            Arc::make_mut(devices).extend(new.map(|(_, device)| *device));
        }
        Ok(())
    }

    /// Places the body of a function that is called at a device, by TensorFlow's rule. `all`: all of it runs there, as
    /// far as there are kernels.
    ///
    /// # Errors
    /// As [`Placing::place`].
    pub(crate) fn place_function(&self, graph: &mut Graph, device: u32, all: bool) -> Result<Devices> {
        if !all {
            return self.place_with(graph, device, self.soft, Placer::FirstFit);
        }
        if self.devices.len() == 1 {
            return Ok(Devices::default());
        }
        for id in graph.ids().collect::<Vec<_>>() {
            let node = graph.node_mut(id);
            node.device.clear();
            node.device.push_str(self.devices[device as usize].name());
        }
        self.place_with(graph, device, true, Placer::FirstFit)
    }

    /// The number of the device at which a function is called.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a name that is none, `INTERNAL`, as in TensorFlow, for a device that does not exist.
    pub(crate) fn site(&self, site: &Site) -> Result<u32> {
        if let Some(known) = self.devices.iter().position(|d| **d.name() == *site.device) {
            return Ok(known as u32);
        }
        let name = DeviceName::parse(&site.device)?;
        self.cluster.targets.find(&name).ok_or_else(|| {
            let available = self.cluster.targets.names().collect::<Vec<_>>().join(", ");
            Error::internal(format!("a function cannot be run on the device {:?}", &*site.device))
                .expected(format!("one of [{available}]"))
        })
    }

    fn place_with(&self, graph: &Graph, default: u32, soft: bool, placer: Placer) -> Result<Devices> {
        if self.devices.len() == 1 && graph.nodes().all(|(_, n)| n.device.is_empty()) {
            return Ok(Devices::default());
        }
        let targets = &self.cluster.targets;
        let supports = |node: &Node| targets.supporting(&self.devices, node);
        let request = Request { graph, targets, supports: &supports, soft, default };
        let costs = match placer {
            Placer::FirstFit => Costs::default(),
            _ => estimate(graph, &self.devices),
        };
        match place_by(placer, &request, &self.cluster, &costs) {
            Ok(placed) if self.devices.len() > 1 => Ok(placed.placement.device.into()),
            Ok(_) => Ok(Devices::default()),
            Err(refusal) if refusal.nodes.is_empty() => Err(refusal.error),
            Err(refusal) => Err(refusal_error(&request, refusal.error, &conflicts(&request))),
        }
    }

    /// The first CPU: nodes that could go anywhere on the CPU go there.
    fn default(&self) -> u32 {
        self.devices.iter().position(|d| d.kind() == "CPU").unwrap_or(0) as u32
    }
}

/// Costs from what is known of the shapes of the whole graph.
pub fn estimate(graph: &Graph, devices: &[Arc<dyn AnyDevice>]) -> Costs {
    let signature = Signature { targets: graph.ids().collect(), ..Signature::default() };
    let known = prune(graph, &signature).map(|pruned| Known::on(devices, graph, &pruned, &HashMap::new()));
    let known = known.unwrap_or_default();
    Costs::estimate(graph, &|endpoint| known.shape(endpoint))
}
