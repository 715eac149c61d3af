//! Places the nodes of a session's graph and functions.

use crate::options::SessionOptions;
use levada_compile::known::Known;
use levada_compile::{Placement, Signature, prune};
use levada_graph::device::DeviceName;
use levada_graph::function::Instance;
use levada_graph::graph::Node;
use levada_graph::{AttrValue, DType, Endpoint, Error, Graph, Handle, NodeId, Result, Tensor};
use levada_kernel::{AnyDevice, Site};
use levada_placer::groups::is_shared_state;
use levada_placer::{Cluster, Costs, Placer, Request, conflicts, place_by, refusal_error};
use std::collections::HashMap;
use std::sync::Arc;

/// The devices of a session, and how it chooses among them.
pub(crate) struct Placing {
    pub(crate) devices: Vec<Arc<dyn AnyDevice>>,
    cluster: Cluster,
    soft: bool,
    placer: Placer,
    /// True if a device keeps values in its own memory.
    has_memory: bool,
}

/// The devices of the resources among arguments, as pairs of argument index and device number.
pub(crate) type Homes = Vec<(u32, u32)>;

/// Device numbers of a graph's nodes; empty where all are on the first.
pub(crate) type Devices = Arc<Vec<u32>>;

impl Placing {
    pub(crate) fn new(devices: Vec<Arc<dyn AnyDevice>>, options: &SessionOptions) -> Result<Placing> {
        let threads = match options.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let cluster = Cluster::of(&devices, threads)?;
        let has_memory = devices.iter().any(|d| d.memory().is_some());
        Ok(Placing { devices, cluster, soft: options.allow_soft_placement, placer: options.placer, has_memory })
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

    /// The devices of the resources among the arguments of a call, if values may be in a device's own memory: only
    /// nodes on that device can use them.
    pub(crate) fn homes(&self, args: &[Tensor]) -> Homes {
        if !self.has_memory {
            return Homes::default();
        }
        let home = |arg: &Tensor| {
            let [handle] = arg.slice::<Handle>().ok()? else { return None };
            match handle.device() {
                Some(device) => self.devices.iter().position(|d| **d.name() == *device),
                None => Some(self.default() as usize),
            }
        };
        let homes = args.iter().map(|arg| (arg.dtype() == DType::Resource).then(|| home(arg)).flatten());
        homes.enumerate().filter_map(|(i, home)| Some((i as u32, home? as u32))).collect()
    }

    /// Places the body of a function that is called at a device, by TensorFlow's rule. `all`: all of it runs there, as
    /// far as there are kernels. Nodes that use a resource are placed with it.
    ///
    /// # Errors
    /// As [`Placing::place`]; `UNIMPLEMENTED` if a node uses a resource in the memory of a device that has no kernel
    /// for it.
    pub(crate) fn place_function(
        &self,
        function: &mut Instance,
        device: u32,
        all: bool,
        homes: &Homes,
    ) -> Result<Devices> {
        let Instance { graph, args, .. } = function;
        if all {
            if self.devices.len() == 1 {
                return Ok(Devices::default());
            }
            for id in graph.ids().collect::<Vec<_>>() {
                let node = graph.node_mut(id);
                node.device.clear();
                node.device.push_str(self.devices[device as usize].name());
            }
        }
        for &(i, home) in homes.iter() {
            if let Some(arg) = args.get(i as usize) {
                graph.node_mut(arg.node).device = self.devices[home as usize].name().to_string();
            }
        }
        let placed = self.place_with(graph, device, all || self.soft, Placer::FirstFit)?;
        for &(i, home) in homes.iter() {
            if let Some(arg) = args.get(i as usize).filter(|_| self.devices[home as usize].memory().is_some()) {
                self.check_users(graph, arg.node, home, &placed)?;
            }
        }
        Ok(placed)
    }

    /// # Errors
    /// If a node that uses the resource of `arg`, which is in a device's memory, is placed elsewhere.
    fn check_users(&self, graph: &Graph, arg: NodeId, home: u32, placed: &Devices) -> Result<()> {
        // A node with a function attr passes the handle to that function.
        let has_function = |node: &Node| node.attrs.iter().any(|(_, value)| matches!(value, AttrValue::Func(_)));
        for (id, node) in graph.nodes().filter(|(_, node)| !has_function(node)) {
            let uses = |(i, input): (usize, &Endpoint)| input.node == arg && is_shared_state(node, i);
            if node.inputs.iter().enumerate().any(uses) && self.placement(placed).number(id) != home {
                let name = self.devices[home as usize].name();
                let error =
                    Error::unimplemented(format!("{name} has no kernel for it, but holds the resource that it uses"));
                return Err(error
                    .at_node(&node.name, node.op_name())
                    .help("put the resource on a CPU, with tf.device"));
            }
        }
        Ok(())
    }

    /// The number of the device at which a function is called.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for an invalid name, `INTERNAL`, as in TensorFlow, for a device that does not exist.
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

    /// The first CPU, for nodes that could run on any CPU.
    fn default(&self) -> u32 {
        self.devices.iter().position(|d| d.kind() == "CPU").unwrap_or(0) as u32
    }
}

/// Estimates costs from the known shapes of the whole graph.
pub fn estimate(graph: &Graph, devices: &[Arc<dyn AnyDevice>]) -> Costs {
    let signature = Signature { targets: graph.ids().collect(), ..Signature::default() };
    let known = prune(graph, &signature).map(|pruned| Known::on(devices, graph, &pruned, &HashMap::new()));
    let known = known.unwrap_or_default();
    Costs::estimate(graph, &|endpoint| known.shape(endpoint))
}
