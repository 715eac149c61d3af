//! Builds graphs in Rust, node by node, gradients included.
//!
//! In: ops by name, inputs, attrs. Out: a checked [`Graph`]. It knows only a few ops, for convenience; the crate
//! `nodes` has a method for every op, `train` whole pipelines and optimizers.
//!
//! ```
//! # fn build(registry: std::sync::Arc<levada_graph::Registry>) -> levada_graph::Result<levada_graph::Graph> {
//! let mut b = levada_builder::Builder::new(registry);
//! let x = b.placeholder("x", levada_graph::DType::F32, levada_graph::PartialShape::Unknown);
//! let y = b.mul(x, x);
//! let grads = b.gradients(&[y], &[x])?;
//! assert!(grads[0].is_some());
//! b.finish()
//! # }
//! ```
//!
//! Start with [`Builder`]; nodes are connected by [`Output`]s. `gradients` has the methods that differentiate.

mod gradients;

pub use gradients::dense_gradient;

use levada_compile::infer::infer;
use levada_compile::{Signature, prune};
use levada_graph::attr::Attrs;
use levada_graph::def::NodeDef;
use levada_graph::device::DeviceName;
use levada_graph::op::FromAttr;
use levada_graph::{
    AttrValue, Collections, DType, Endpoint, Error, Graph, NodeId, PartialShape, Registry, Result, Tensor,
};
use std::collections::HashMap;
use std::sync::Arc;

/// Adds nodes to a graph one by one. Names may be left out: a node is then named after its op.
///
/// A mistake does not interrupt building: [`Builder::finish`] reports all of them.
pub struct Builder {
    graph: Graph,
    registry: Arc<Registry>,
    /// How often each name was asked for, to make it unique.
    used: HashMap<String, usize>,
    scope: Vec<String>,
    /// The device scopes for nodes that are added, the innermost last.
    devices: Vec<DeviceScope>,
    faults: Vec<Error>,
}

/// Chooses a node's device; `None` keeps the device that the node asks for.
type DeviceFunction = dyn Fn(&NodeDef) -> Option<String> + Send + Sync;

enum DeviceScope {
    /// Fills in the parts of the device name that the node leaves out.
    Name(DeviceName),
    Function(Box<DeviceFunction>),
}

impl DeviceScope {
    /// Sets the device of a node.
    fn apply(&self, node: &mut NodeDef) {
        match self {
            DeviceScope::Name(name) => {
                // A device name that cannot be parsed is reported when the graph is placed.
                if let Ok(own) = DeviceName::parse(&node.device) {
                    let mut device = name.clone();
                    device.override_with(&own);
                    node.device = device.to_string();
                }
            }
            DeviceScope::Function(choose) => {
                if let Some(device) = choose(node) {
                    node.device = device;
                }
            }
        }
    }
}

/// An output of a node that a [`Builder`] added. After a mistake it is a dummy; using it is not another mistake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Output(Option<Endpoint>);

impl Output {
    /// Another output of the same node.
    pub fn output(self, index: u32) -> Output {
        Output(self.0.map(|e| Endpoint::new(e.node, index)))
    }

    /// The first output of a node.
    pub fn of(node: NodeId) -> Output {
        Output(Some(node.into()))
    }

    /// An output of the graph.
    pub fn at(endpoint: Endpoint) -> Output {
        Output(Some(endpoint))
    }

    /// The endpoint in the graph; `None` after a mistake.
    pub fn endpoint(self) -> Option<Endpoint> {
        self.0
    }

    /// Number of the node; `None` after a mistake.
    pub fn node(self) -> Option<NodeId> {
        self.0.map(|e| e.node)
    }
}

impl Builder {
    /// A builder that starts from an empty graph.
    pub fn new(registry: Arc<Registry>) -> Builder {
        Builder::on(Graph::new(), registry)
    }

    /// A builder that adds to `graph`.
    pub fn on(graph: Graph, registry: Arc<Registry>) -> Builder {
        Builder { graph, registry, used: HashMap::new(), scope: Vec::new(), devices: Vec::new(), faults: Vec::new() }
    }

    /// Names of nodes added by `build` start with `name/`.
    pub fn scope<R>(&mut self, name: &str, build: impl FnOnce(&mut Builder) -> R) -> R {
        self.open_scope(name);
        let built = build(self);
        self.close_scope();
        built
    }

    /// Names of nodes that are added from now on start with `name/`, until [`Builder::close_scope`].
    pub fn open_scope(&mut self, name: &str) {
        self.scope.push(name.to_owned());
    }

    /// Ends the innermost scope, if one is open.
    pub fn close_scope(&mut self) {
        self.scope.pop();
    }

    /// As [`Builder::scope`], with a numeric suffix if the scope already has nodes. `build` gets the full name of the
    /// scope.
    pub fn new_scope<R>(&mut self, name: &str, build: impl FnOnce(&mut Builder, &str) -> R) -> R {
        let full = self.unique(name);
        let depth = self.scope.len();
        let last = full.rsplit('/').next().unwrap_or(&full).to_owned();
        let before = name.rsplit_once('/').map(|(before, _)| before.to_owned());
        self.scope.extend(before);
        self.scope.push(last);
        let built = build(self, &full);
        self.scope.truncate(depth);
        built
    }

    /// Nodes added by `build` ask for `device`, which fills in the parts that their own device names leave out: in
    /// `/job:worker` a node for `/gpu:1` asks for `/job:worker/device:GPU:1`.
    pub fn on_device<R>(&mut self, device: &str, build: impl FnOnce(&mut Builder) -> R) -> R {
        match DeviceName::parse(device) {
            Ok(name) => self.within(DeviceScope::Name(name), build),
            Err(fault) => {
                self.faults.push(fault);
                build(self)
            }
        }
    }

    /// Nodes added by `build` ask for the device that `choose` returns for them; `None` keeps their own. It sees the
    /// node with its name, op and attrs, and with the device that inner scopes and functions set.
    ///
    /// ```
    /// # use levada_builder::Builder;
    /// # fn build(b: &mut Builder) {
    /// // Variables on the CPU, all else on the first GPU.
    /// let device = |node: &levada_graph::def::NodeDef| {
    ///     Some(if node.op.starts_with("Var") { "/cpu:0" } else { "/gpu:0" }.to_owned())
    /// };
    /// b.choosing_devices(device, |b| b.op("VarHandleOp", &[]));
    /// # }
    /// ```
    pub fn choosing_devices<R>(
        &mut self,
        choose: impl Fn(&NodeDef) -> Option<String> + Send + Sync + 'static,
        build: impl FnOnce(&mut Builder) -> R,
    ) -> R {
        self.within(DeviceScope::Function(Box::new(choose)), build)
    }

    fn within<R>(&mut self, scope: DeviceScope, build: impl FnOnce(&mut Builder) -> R) -> R {
        let depth = self.devices.len();
        self.devices.push(scope);
        let built = build(self);
        self.devices.truncate(depth);
        built
    }

    /// Adds nodes as if no scope were open.
    pub fn outside<R>(&mut self, build: impl FnOnce(&mut Builder) -> R) -> R {
        let scope = std::mem::take(&mut self.scope);
        let built = build(self);
        self.scope = scope;
        built
    }

    /// Records a mistake, which [`Builder::finish`] reports. Returns a dummy output.
    pub fn fault(&mut self, fault: Error) -> Output {
        self.faults.push(fault);
        Output(None)
    }

    /// All mistakes since the builder was made or since the last call, as one error.
    pub fn take_faults(&mut self) -> Option<Error> {
        Error::join(std::mem::take(&mut self.faults))
    }

    /// The output with this name, `node` or `node:1`, of an existing node.
    ///
    /// # Errors
    /// `NOT_FOUND` if there is none.
    pub fn find(&self, name: &str) -> Result<Output> {
        self.graph.endpoint(name).map(Output::at)
    }

    /// The ops that nodes may use.
    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    /// The graph so far.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The graph so far, mutable.
    pub fn graph_mut(&mut self) -> &mut Graph {
        &mut self.graph
    }

    /// The dtype of an output; `None` after a mistake.
    pub fn dtype(&self, output: Output) -> Option<DType> {
        let endpoint = output.0?;
        self.graph.node(endpoint.node).output_types.get(endpoint.output as usize).map(|ty| ty.dtype)
    }

    /// The shape of an output, as far as known.
    pub fn shape(&self, output: Output) -> PartialShape {
        let Some(endpoint) = output.0 else { return PartialShape::Unknown };
        let signature = Signature { fetches: vec![endpoint], ..Signature::default() };
        prune(&self.graph, &signature).map(|p| infer(&self.graph, &p).0.get(endpoint)).unwrap_or_default()
    }

    /// The name of an output: `node` or `node:1`; empty after a mistake.
    pub fn name(&self, output: Output) -> String {
        output.0.map(|e| self.graph.endpoint_name(e)).unwrap_or_default()
    }

    /// The name of an output's node; empty after a mistake.
    pub fn node_name(&self, output: Output) -> String {
        output.0.map(|e| self.graph.node(e.node).name.to_string()).unwrap_or_default()
    }

    /// The name of an output, or of the node if it has no outputs, as TensorFlow's `Tensor.name` and `Operation.name`
    /// return it.
    pub fn target(&self, output: Output) -> String {
        match output.0 {
            Some(e) if !self.graph.node(e.node).output_types.is_empty() => {
                format!("{}:{}", self.graph.node(e.node).name, e.output)
            }
            _ => self.node_name(output),
        }
    }

    /// A node of any op. Finish it with [`NodeBuilder::add`].
    pub fn node(&mut self, op: &str) -> NodeBuilder<'_> {
        let def = NodeDef { op: op.to_owned(), ..NodeDef::default() };
        NodeBuilder { builder: self, def, inputs: Vec::new(), controls: Vec::new(), is_named: false }
    }

    /// A node of any op with these inputs.
    pub fn op(&mut self, op: &str, inputs: &[Output]) -> Output {
        let node = self.node(op);
        inputs.iter().fold(node, |node, &input| node.input(input)).add()
    }

    /// A value that is fed.
    pub fn placeholder(&mut self, name: &str, dtype: DType, shape: PartialShape) -> Output {
        self.node("Placeholder").name(name).attr("dtype", dtype).attr("shape", shape).add()
    }

    /// A fixed value.
    pub fn constant(&mut self, value: Tensor) -> Output {
        self.node("Const").attr("dtype", value.dtype()).attr("value", value).add()
    }

    /// `x + y`, broadcast.
    pub fn add(&mut self, x: Output, y: Output) -> Output {
        self.op("AddV2", &[x, y])
    }

    /// `x - y`, broadcast.
    pub fn sub(&mut self, x: Output, y: Output) -> Output {
        self.op("Sub", &[x, y])
    }

    /// `x * y`, broadcast.
    pub fn mul(&mut self, x: Output, y: Output) -> Output {
        self.op("Mul", &[x, y])
    }

    /// Product of two matrices.
    pub fn matmul(&mut self, a: Output, b: Output) -> Output {
        self.op("MatMul", &[a, b])
    }

    /// `x`, under a name of its own.
    pub fn identity(&mut self, name: &str, x: Output) -> Output {
        self.node("Identity").name(name).input(x).add()
    }

    /// The collections stored with the graph in a file, such as queue runners.
    pub fn collections_mut(&mut self) -> &mut Collections {
        &mut self.graph.collections
    }

    /// The graph.
    ///
    /// # Errors
    /// Every mistake made since the builder was made.
    pub fn finish(self) -> Result<Graph> {
        match Error::join(self.faults) {
            Some(error) => Err(error),
            None => Ok(self.graph),
        }
    }

    fn unique(&mut self, wish: &str) -> String {
        let base = self.scope.iter().map(String::as_str).chain([wish]).collect::<Vec<_>>().join("/");
        let count = self.used.entry(base.clone()).or_insert(0);
        loop {
            let name = if *count == 0 { base.clone() } else { format!("{base}_{count}") };
            *count += 1;
            if self.graph.find(&name).is_none() {
                return name;
            }
        }
    }
}

/// A node that is being described.
pub struct NodeBuilder<'a> {
    builder: &'a mut Builder,
    def: NodeDef,
    inputs: Vec<Output>,
    controls: Vec<Output>,
    /// True if the name is the full name and not yet taken.
    is_named: bool,
}

impl NodeBuilder<'_> {
    /// Sets the name, with a suffix `_1`, `_2` if it is taken.
    #[must_use]
    pub fn name(mut self, name: &str) -> Self {
        self.def.name = name.to_owned();
        self
    }

    /// Sets the full name, scopes included: the name that [`Builder::new_scope`] returned.
    #[must_use]
    pub fn full_name(mut self, name: &str) -> Self {
        self.def.name = name.to_owned();
        self.is_named = true;
        self
    }

    /// Adds an input.
    #[must_use]
    pub fn input(mut self, input: Output) -> Self {
        self.inputs.push(input);
        self
    }

    /// Adds inputs.
    #[must_use]
    pub fn inputs(mut self, inputs: impl IntoIterator<Item = Output>) -> Self {
        self.inputs.extend(inputs);
        self
    }

    /// Makes it run only after the node of `before`.
    #[must_use]
    pub fn after(mut self, before: Output) -> Self {
        self.controls.push(before);
        self
    }

    /// Sets an attr.
    #[must_use]
    pub fn attr(mut self, name: &str, value: impl FromAttr) -> Self {
        self.def.attrs.set(name, value.to_attr());
        self
    }

    /// Sets an attr to any value.
    #[must_use]
    pub fn attr_value(mut self, name: &str, value: AttrValue) -> Self {
        self.def.attrs.set(name, value);
        self
    }

    /// Sets all attrs.
    #[must_use]
    pub fn attrs(mut self, attrs: Attrs) -> Self {
        self.def.attrs = attrs;
        self
    }

    /// Asks for a device.
    #[must_use]
    pub fn device(mut self, device: &str) -> Self {
        self.def.device = device.to_owned();
        self
    }

    /// Adds the node to the graph; returns its first output.
    pub fn add(self) -> Output {
        let NodeBuilder { builder, mut def, inputs, controls, is_named } = self;
        let inputs: Option<Vec<Endpoint>> = inputs.into_iter().map(|o| o.0).collect();
        let controls: Option<Vec<NodeId>> = controls.into_iter().map(Output::node).collect();
        let (Some(inputs), Some(controls)) = (inputs, controls) else { return Output(None) };
        if !is_named {
            let wish = if def.name.is_empty() { def.op.clone() } else { std::mem::take(&mut def.name) };
            def.name = builder.unique(&wish);
        }
        builder.devices.iter().rev().for_each(|scope| scope.apply(&mut def));
        match builder.graph.add_with(&builder.registry, &def, inputs, controls) {
            Ok(id) => Output(Some(id.into())),
            Err(fault) => {
                builder.faults.push(fault);
                Output(None)
            }
        }
    }
}
