//! The parts common to nodes of all ops: inputs, attrs, a name, a device, and control inputs.

use levada_builder::{Builder, Output};
use levada_graph::op::FromAttr;
use levada_graph::spec::{Arg, Ty};
use levada_graph::{AttrValue, Bytes, NodeDef, Tensor};
use std::cell::RefCell;

/// Adds nodes to a [`Builder`], with a method for every op.
///
/// It borrows the builder: after its last use the builder can be used again, and another `Ops` made.
pub struct Ops<'b>(RefCell<&'b mut Builder>);

impl<'b> Ops<'b> {
    /// Adds nodes to `builder`.
    pub fn new(builder: &'b mut Builder) -> Ops<'b> {
        Ops(RefCell::new(builder))
    }

    /// A fixed value. Inputs may be tensors too, and are added like this.
    pub fn constant(&self, value: impl Into<Tensor>) -> Output {
        self.0.borrow_mut().constant(value.into())
    }

    /// Names of nodes that `build` adds start with `name/`.
    pub fn scope<R>(&self, name: &str, build: impl FnOnce(&Ops<'b>) -> R) -> R {
        self.0.borrow_mut().open_scope(name);
        let built = build(self);
        self.0.borrow_mut().close_scope();
        built
    }

    /// A node of the op with this name, which may be a custom op of the registry.
    pub fn node(&self, op: &'static str) -> Node<'_> {
        Node::new(self, op)
    }
}

/// Takes a described node. Only [`Ops`] does.
pub trait Target {
    #[doc(hidden)]
    fn accept(&self, node: Node<'_>) -> Outputs;
    #[doc(hidden)]
    fn tensor(&self, value: Tensor) -> Output;
}

impl Target for Ops<'_> {
    fn accept(&self, node: Node<'_>) -> Outputs {
        let mut builder = self.0.borrow_mut();
        let Node { def, inputs, groups, controls, .. } = node;
        let mut adds =
            builder.node(&def.op).name(&def.name).device(&def.device).attrs(def.attrs.clone()).inputs(inputs);
        for before in controls {
            adds = adds.after(before);
        }
        let first = adds.add();
        let Some(op) = builder.registry().get(&def.op) else { return Outputs { first, counts: Vec::new(), next: 0 } };
        // The attrs of an added node give the number of outputs; for a faulty one, the given attrs do.
        let attrs = first.node().map_or(&def.attrs, |id| &builder.graph().node(id).attrs);
        let given = |attr: &str| op.spec.inputs.iter().position(|arg| list_attr(arg) == Some(attr));
        let count = |arg: &Arg| match list_attr(arg) {
            None => 1,
            Some(attr) => match attrs.get(attr) {
                Some(AttrValue::I(n)) => usize::try_from(*n).unwrap_or(0).min(MOST_OF_A_FAULTY_NODE),
                Some(AttrValue::List(list)) => list.len(),
                _ => given(attr).and_then(|i| groups.get(i)).copied().unwrap_or(0),
            },
        };
        Outputs { first, counts: op.spec.outputs.iter().map(count).collect(), next: 0 }
    }

    fn tensor(&self, value: Tensor) -> Output {
        self.constant(value)
    }
}

/// A node with more outputs than this is not added.
const MOST_OF_A_FAULTY_NODE: usize = 1 << 20;

/// The attr that holds the number of tensors of an argument; `None` for one.
fn list_attr(arg: &Arg) -> Option<&'static str> {
    match arg.ty {
        Ty::Each(attr) => Some(attr),
        _ => arg.times,
    }
}

/// A possible input of a node: an output, a description of a node that has one output, or a tensor.
pub trait Input {
    #[doc(hidden)]
    fn output(self, to: &dyn Target) -> Output;
}

impl Input for Output {
    fn output(self, _to: &dyn Target) -> Output {
        self
    }
}

impl Input for &Output {
    fn output(self, _to: &dyn Target) -> Output {
        *self
    }
}

impl Input for Tensor {
    fn output(self, to: &dyn Target) -> Output {
        to.tensor(self)
    }
}

/// A node that is being described, of any op.
#[must_use = "it is no node before it is added"]
pub struct Node<'a> {
    to: &'a dyn Target,
    def: NodeDef,
    inputs: Vec<Output>,
    /// The number of inputs of each argument.
    groups: Vec<usize>,
    controls: Vec<Output>,
}

impl<'a> Node<'a> {
    pub(crate) fn new(to: &'a dyn Target, op: &'static str) -> Node<'a> {
        let def = NodeDef { op: op.to_owned(), ..NodeDef::default() };
        Node { to, def, inputs: Vec::new(), groups: Vec::new(), controls: Vec::new() }
    }

    /// Gives an argument that is one tensor.
    pub fn input(mut self, input: impl Input) -> Node<'a> {
        let input = input.output(self.to);
        self.push(&[input]);
        self
    }

    /// Gives an argument that is a list of tensors.
    pub fn list(mut self, inputs: impl IntoIterator<Item = impl Input>) -> Node<'a> {
        let inputs: Vec<Output> = inputs.into_iter().map(|input| input.output(self.to)).collect();
        self.push(&inputs);
        self
    }

    fn push(&mut self, inputs: &[Output]) {
        self.inputs.extend(inputs);
        self.groups.push(inputs.len());
    }

    /// Sets an attr.
    pub fn attr(mut self, name: &'static str, value: impl FromAttr) -> Node<'a> {
        self.set(name, value);
        self
    }

    /// Sets the name, with a suffix `_1`, `_2` if it is taken.
    pub fn name(mut self, name: &str) -> Node<'a> {
        self.rename(name);
        self
    }

    /// Asks for a device.
    pub fn device(mut self, device: &str) -> Node<'a> {
        self.place(device);
        self
    }

    /// Makes it run only after the node of `before`.
    pub fn after(mut self, before: Output) -> Node<'a> {
        self.wait_for(before);
        self
    }

    /// Adds it to the graph; returns its first output.
    pub fn add(self) -> Output {
        self.outputs().first
    }

    pub(crate) fn set(&mut self, name: &'static str, value: impl FromAttr) {
        self.def.attrs.set(name, value.to_attr());
    }

    pub(crate) fn rename(&mut self, name: &str) {
        name.clone_into(&mut self.def.name);
    }

    pub(crate) fn place(&mut self, device: &str) {
        device.clone_into(&mut self.def.device);
    }

    pub(crate) fn wait_for(&mut self, before: Output) {
        self.controls.push(before);
    }

    /// Adds it to the graph.
    pub(crate) fn outputs(self) -> Outputs {
        self.to.accept(self)
    }
}

/// The outputs of a node, argument by argument.
pub struct Outputs {
    first: Output,
    counts: Vec<usize>,
    next: usize,
}

impl Outputs {
    /// The outputs of the next argument.
    pub(crate) fn list(&mut self) -> Vec<Output> {
        let before: usize = self.counts[..self.next.min(self.counts.len())].iter().sum();
        let count = self.counts.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        (before..before + count).map(|i| self.first.output(i as u32)).collect()
    }

    /// The output of the next argument, which is one tensor.
    pub(crate) fn one(&mut self) -> Output {
        let before: usize = self.counts[..self.next.min(self.counts.len())].iter().sum();
        self.next += 1;
        self.first.output(before as u32)
    }
}

/// A byte string for an attr.
pub(crate) fn string(value: impl AsRef<[u8]>) -> Bytes {
    Bytes::copy_from_slice(value.as_ref())
}

/// Byte strings for an attr.
pub(crate) fn strings(values: &[impl AsRef<[u8]>]) -> Vec<Bytes> {
    values.iter().map(string).collect()
}

/// Methods common to every description of a node. One with one output is also an input.
macro_rules! common {
    ($($name:ident)*) => {$(
        impl $name<'_> {
            /// Sets the name of the node, with a suffix `_1`, `_2` if it is taken.
            pub fn name(mut self, name: &str) -> Self {
                self.0.rename(name);
                self
            }

            /// Asks for a device.
            pub fn device(mut self, device: &str) -> Self {
                self.0.place(device);
                self
            }

            /// Makes the node run only after the node of `before`.
            pub fn after(mut self, before: levada_builder::Output) -> Self {
                self.0.wait_for(before);
                self
            }
        }
    )*};
}
pub(crate) use common;

/// Additional methods of a description of a node with one output.
macro_rules! one_output {
    ($($name:ident)*) => {$(
        impl $name<'_> {
            /// Adds the node to the graph; returns its output.
            pub fn add(self) -> levada_builder::Output {
                self.0.add()
            }
        }

        impl crate::node::Input for $name<'_> {
            fn output(self, _to: &dyn crate::node::Target) -> levada_builder::Output {
                self.0.add()
            }
        }
    )*};
}
pub(crate) use one_output;

/// Additional methods of a description of a node without outputs.
macro_rules! no_output {
    ($($name:ident)*) => {$(
        impl $name<'_> {
            /// Adds the node to the graph. It has no outputs: the result identifies the node, for `after` and as a
            /// target.
            pub fn add(self) -> levada_builder::Output {
                self.0.add()
            }
        }
    )*};
}
pub(crate) use no_output;
