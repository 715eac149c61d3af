//! Gradient rules: the interface through which an op's rule sees its node and adds the nodes that compute its
//! gradients.
//!
//! A rule is a function of a [`GradCx`]. It reads the node's inputs, outputs and attrs and the gradients of its
//! outputs, and returns one gradient for each input, or `None` if the output does not depend on the input or is not
//! differentiable with respect to it. Values are [`V`], on which arithmetic adds nodes:
//!
//! ```
//! use levada_graph::grad::{Grad, GradCx};
//!
//! // d(x * x) = 2 x dy
//! fn square(g: &GradCx) -> Vec<Option<Grad>> {
//!     vec![(g.dy(0) * (g.input(0) * 2.0)).into()]
//! }
//! # let _ = square;
//! ```
//!
//! A mistake, such as a node that cannot be added, is kept and reported when the gradients are finished; until then its
//! value is a dummy.

use crate::attr::{AttrValue, Attrs};
use crate::def::NodeDef;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::graph::{Endpoint, Graph, Node, NodeId};
use crate::op::{AnyOp, FromAttr, Registry};
use crate::shape::PartialShape;
use crate::spec::{Primitive, Role};
use crate::tensor::Tensor;
use half::{bf16, f16};
use num_complex::{Complex32, Complex64};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::rc::Rc;
use std::sync::Arc;

/// The attr in a function reference that asks for the function's gradient function: its arguments are those of the
/// function, then the gradients of the results that can have one; its results are the gradients with respect to the
/// arguments that can have one.
pub const GRADIENT: &str = "_gradient";

/// The order of the gradient that the attrs of a function reference ask for; [`GRADIENT`] is that number, or true for
/// 1.
pub fn order(attrs: &crate::attr::Attrs) -> i64 {
    match attrs.get(GRADIENT) {
        Some(AttrValue::I(n)) => *n,
        Some(AttrValue::B(true)) => 1,
        _ => 0,
    }
}

/// One gradient for each input of a node, or none.
pub type Grads = Vec<Option<Grad>>;

/// A gradient rule, which sees the attrs of the node's op.
pub trait Differentiate: Sync {
    /// One gradient for each input of the node, or none.
    fn gradients(&'static self, op: &dyn AnyOp, g: &GradCx) -> Grads;
}

/// The gradient of one value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grad {
    /// A tensor of the value's shape.
    Dense(Endpoint),
    /// Some rows of it; all others are zero (`IndexedSlices`).
    Slices {
        /// The rows.
        values: Endpoint,
        /// Their indices; rows with the same index add up.
        indices: Endpoint,
        /// The shape of the whole tensor.
        shape: Endpoint,
    },
}

impl From<V<'_>> for Option<Grad> {
    fn from(value: V<'_>) -> Option<Grad> {
        Some(Grad::Dense(value.at))
    }
}

/// True for dtypes through which gradients flow.
pub fn is_differentiable(dtype: DType) -> bool {
    use DType::{BF16, C64, C128, F16, F32, F64, Resource, Variant};
    matches!(dtype, F16 | BF16 | F32 | F64 | C64 | C128 | Resource | Variant)
}

/// A place in which nodes cannot simply be added next to their inputs: the body of a loop.
pub trait Inside {
    /// Adds a node and returns its first output.
    fn node(&self, cx: &GradCx, op: &str, inputs: &[Endpoint], attrs: &[(&'static str, AttrValue)]) -> Endpoint;
}

struct State {
    graph: Graph,
    /// The node whose rule runs.
    node: NodeId,
    /// The gradients of its outputs.
    dys: Vec<Option<Endpoint>>,
    /// Names of new nodes start with this.
    scope: String,
    /// The number of requests for each name.
    used: HashMap<String, usize>,
    fault: Option<Error>,
    inside: Option<Rc<dyn Inside>>,
}

/// The view that a rule has of its node, and the means to add nodes.
pub struct GradCx {
    registry: Arc<Registry>,
    /// Distinguishes resources of these gradients from those of others.
    source: String,
    shapes: Box<dyn Fn(Endpoint) -> PartialShape>,
    state: RefCell<State>,
}

/// A value in the graph: a node's output.
#[derive(Clone, Copy)]
pub struct V<'g> {
    cx: &'g GradCx,
    /// The endpoint.
    pub at: Endpoint,
}

/// An attr for [`GradCx::node`].
pub fn attr<T: FromAttr>(name: &'static str, value: T) -> (&'static str, AttrValue) {
    (name, value.to_attr())
}

/// True for an `Enter` whose value is the same in every iteration.
pub fn is_constant(node: &Node) -> bool {
    node.attrs.get("is_constant").is_some_and(|value| *value == AttrValue::B(true))
}

/// A scalar of a numeric type; `None` for other types.
pub fn scalar(dtype: DType, value: f64) -> Option<Tensor> {
    Some(match dtype {
        DType::F16 => Tensor::scalar(f16::from_f64(value)),
        DType::BF16 => Tensor::scalar(bf16::from_f64(value)),
        DType::F32 => Tensor::scalar(value as f32),
        DType::F64 => Tensor::scalar(value),
        DType::C64 => Tensor::scalar(Complex32::new(value as f32, 0.0)),
        DType::C128 => Tensor::scalar(Complex64::new(value, 0.0)),
        DType::I32 => Tensor::scalar(value as i32),
        DType::I64 => Tensor::scalar(value as i64),
        _ => return None,
    })
}

impl GradCx {
    /// A context that adds to `graph`. `shapes` returns the known shapes of the existing nodes.
    pub fn new(graph: Graph, registry: Arc<Registry>, shapes: impl Fn(Endpoint) -> PartialShape + 'static) -> GradCx {
        let state = State {
            graph,
            node: NodeId::new(0),
            dys: Vec::new(),
            scope: String::new(),
            used: HashMap::new(),
            fault: None,
            inside: None,
        };
        GradCx { registry, source: "gradients".to_owned(), shapes: Box::new(shapes), state: RefCell::new(state) }
    }

    /// The same context with another name for resources that belong to these gradients only.
    #[must_use]
    pub fn named(mut self, source: &str) -> GradCx {
        source.clone_into(&mut self.source);
        self
    }

    /// The name for resources that belong to these gradients only, such as the tensor arrays that hold them.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Makes `inside` add the nodes from now on.
    pub fn set_inside(&self, inside: Option<Rc<dyn Inside>>) {
        self.state.borrow_mut().inside = inside;
    }

    /// Runs a node's rule with these gradients of its outputs. New nodes are named under `scope`.
    ///
    /// # Errors
    /// The mistakes of the rule in adding nodes.
    pub fn apply(
        &self,
        rule: &'static dyn Differentiate,
        node: NodeId,
        dys: Vec<Option<Endpoint>>,
        scope: &str,
    ) -> Result<Grads> {
        {
            let mut state = self.state.borrow_mut();
            (state.node, state.dys) = (node, dys);
            scope.clone_into(&mut state.scope);
        }
        let op = self.here(|n| n.op.clone());
        let grads = rule.gradients(&*op, self);
        match self.state.borrow_mut().fault.take() {
            Some(error) => Err(error),
            None => Ok(grads),
        }
    }

    /// As [`GradCx::apply`], for nodes that do not belong to a rule.
    ///
    /// # Errors
    /// As [`GradCx::apply`].
    pub fn build<R>(&self, scope: &str, build: impl FnOnce(&GradCx) -> R) -> Result<R> {
        scope.clone_into(&mut self.state.borrow_mut().scope);
        let built = build(self);
        match self.state.borrow_mut().fault.take() {
            Some(error) => Err(error),
            None => Ok(built),
        }
    }

    /// As [`GradCx::build`], for a node with another kind of rule; [`GradCx::again`] adds a node like it.
    ///
    /// # Errors
    /// As [`GradCx::apply`].
    pub fn visit<R>(&self, node: NodeId, scope: &str, build: impl FnOnce(&GradCx) -> R) -> Result<R> {
        self.state.borrow_mut().node = node;
        self.build(scope, build)
    }

    /// A node like the visited one, with some attrs changed; its first output.
    pub fn again<'g>(&'g self, inputs: &[V<'g>], changed: &[(&'static str, AttrValue)]) -> V<'g> {
        let (op, mut attrs) = self.here(|node| {
            let mut attrs = node.attrs.clone();
            node.op.encode().iter().for_each(|(name, value)| drop(attrs.set(name.clone(), value.clone())));
            (node.op_name().to_owned(), attrs)
        });
        for (name, value) in changed {
            attrs.set(*name, value.clone());
        }
        let inputs: Vec<Endpoint> = inputs.iter().map(|v| v.at).collect();
        self.value(self.add_node(&op, &inputs, attrs))
    }

    /// The graph with the added nodes.
    pub fn finish(self) -> Graph {
        self.state.into_inner().graph
    }

    /// Gives access to the graph.
    pub fn look<R>(&self, look: impl FnOnce(&Graph) -> R) -> R {
        look(&self.state.borrow().graph)
    }

    /// Changes existing parts of the graph, such as a loop that must keep values for its gradient.
    pub fn change<R>(&self, change: impl FnOnce(&mut Graph) -> R) -> R {
        change(&mut self.state.borrow_mut().graph)
    }

    /// Records a mistake.
    pub fn fail(&self, error: Error) {
        let mut state = self.state.borrow_mut();
        let node = state.graph.node(state.node);
        let error = error.at_node(&node.name, node.op_name());
        state.fault.get_or_insert(error);
    }

    fn here<R>(&self, look: impl FnOnce(&crate::graph::Node) -> R) -> R {
        let state = self.state.borrow();
        look(state.graph.node(state.node))
    }

    /// An endpoint of the graph as a value.
    pub fn value(&self, at: Endpoint) -> V<'_> {
        V { cx: self, at }
    }

    /// The node that is differentiated.
    pub fn node_id(&self) -> NodeId {
        self.state.borrow().node
    }

    /// Number of its inputs.
    pub fn num_inputs(&self) -> usize {
        self.here(|n| n.inputs.len())
    }

    /// Number of its outputs.
    pub fn num_outputs(&self) -> usize {
        self.here(|n| n.output_types.len())
    }

    /// Its input `i`.
    pub fn input(&self, i: usize) -> V<'_> {
        let found = self.here(|n| n.inputs.get(i).copied());
        self.value(found.unwrap_or_else(|| {
            self.fail(Error::internal(format!("the gradient rule asks for the missing input {i}")));
            Endpoint::new(self.node_id(), 0)
        }))
    }

    /// All its inputs.
    pub fn inputs(&self) -> Vec<V<'_>> {
        (0..self.num_inputs()).map(|i| self.input(i)).collect()
    }

    /// Its output `i`.
    pub fn output(&self, i: usize) -> V<'_> {
        self.value(Endpoint::new(self.node_id(), i as u32))
    }

    /// The gradient of its output `i`; zeros if nothing depends on it.
    pub fn dy(&self, i: usize) -> V<'_> {
        match self.known_dy(i) {
            Some(dy) => dy,
            None => self.output(i).zeros_like(),
        }
    }

    /// The gradient of its output `i`, if anything depends on it.
    pub fn known_dy(&self, i: usize) -> Option<V<'_>> {
        let dy = self.state.borrow().dys.get(i).copied().flatten();
        dy.map(|at| self.value(at))
    }

    /// An attr of the node, or its default; `None` if the op has no attr with this name and kind.
    pub fn attr<T: FromAttr>(&self, name: &str) -> Option<T> {
        let value = self.here(|n| n.op.encode().get(name).cloned().or_else(|| n.attrs.get(name).cloned()));
        value.as_ref().and_then(T::from_attr)
    }

    /// A bool attr; false if the op does not have it.
    pub fn flag(&self, name: &str) -> bool {
        self.attr(name).unwrap_or(false)
    }

    /// The attrs with these names, to copy to another node.
    pub fn same(&self, names: &[&'static str]) -> Vec<(&'static str, AttrValue)> {
        let all = self.here(|n| n.op.encode());
        names.iter().filter_map(|name| Some((*name, all.get(name)?.clone()))).collect()
    }

    /// Name of the node's op.
    pub fn op_name(&self) -> &'static str {
        self.here(|n| n.spec().name)
    }

    /// A node of any op with these inputs, and its first output.
    pub fn op<'g>(&'g self, op: &str, inputs: &[V<'g>]) -> V<'g> {
        self.node(op, inputs, &[])
    }

    /// A node of any op with these inputs and attrs, and its first output.
    pub fn node<'g>(&'g self, op: &str, inputs: &[V<'g>], attrs: &[(&'static str, AttrValue)]) -> V<'g> {
        let inputs: Vec<Endpoint> = inputs.iter().map(|v| v.at).collect();
        let inside = self.state.borrow().inside.clone();
        self.value(match inside {
            Some(inside) => inside.node(self, op, &inputs, attrs),
            None => self.add(op, &inputs, attrs),
        })
    }

    /// A node of the op that implements this primitive, with these inputs and attrs; its first output.
    pub fn primitive<'g>(
        &'g self,
        primitive: Primitive,
        inputs: &[V<'g>],
        attrs: &[(&'static str, AttrValue)],
    ) -> V<'g> {
        match self.registry.primitive(primitive) {
            Some(op) => self.node(op, inputs, attrs),
            None => {
                self.fail(Error::unimplemented(format!(
                    "the registry has no op for the gradient primitive {primitive:?}"
                )));
                self.value(Endpoint::new(self.node_id(), 0))
            }
        }
    }

    /// A node with exactly these inputs, wherever nodes are added; its first output.
    pub fn add(&self, op: &str, inputs: &[Endpoint], attrs: &[(&'static str, AttrValue)]) -> Endpoint {
        self.add_node(op, inputs, attrs.iter().cloned().collect())
    }

    fn add_node(&self, op: &str, inputs: &[Endpoint], attrs: Attrs) -> Endpoint {
        let mut state = self.state.borrow_mut();
        let state = &mut *state;
        if state.fault.is_some() {
            return Endpoint::new(state.node, 0);
        }
        let base = if state.scope.is_empty() { op.to_owned() } else { format!("{}/{op}", state.scope) };
        let count = state.used.entry(base.clone()).or_insert(0);
        let name = loop {
            let name = if *count == 0 { base.clone() } else { format!("{base}_{count}") };
            *count += 1;
            if state.graph.find(&name).is_none() {
                break name;
            }
        };
        let device = match state.node.index() < state.graph.len() {
            true => state.graph.node(state.node).device.clone(),
            false => String::new(),
        };
        let def = NodeDef { name, op: op.to_owned(), device, attrs, ..NodeDef::default() };
        match state.graph.add_with(&self.registry, &def, inputs.to_vec(), Vec::new()) {
            Ok(id) => Endpoint::from(id),
            Err(error) => {
                state.fault = Some(error);
                Endpoint::new(state.node, 0)
            }
        }
    }

    /// Closes a loop: sets the second input of `merge` to `next`.
    pub fn close(&self, merge: NodeId, next: Endpoint) {
        let mut state = self.state.borrow_mut();
        if state.fault.is_none()
            && let Err(error) = state.graph.set_input(merge, 1, next)
        {
            state.fault = Some(error);
        }
    }

    /// A fixed value.
    pub fn constant(&self, value: Tensor) -> V<'_> {
        self.primitive(Primitive::Const, &[], &[attr("dtype", value.dtype()), attr("value", value)])
    }

    /// A fixed scalar of a numeric type.
    pub fn scalar(&self, dtype: DType, value: f64) -> V<'_> {
        let tensor = scalar(dtype, value).unwrap_or_else(|| {
            self.fail(Error::internal(format!("gradients cannot make a scalar of type {dtype}")));
            Tensor::scalar(value)
        });
        self.constant(tensor)
    }

    /// A fixed vector of int32.
    pub fn ints(&self, values: &[i32]) -> V<'_> {
        self.constant(Tensor::vector(values.to_vec()))
    }

    /// The gradients of the two inputs of an op that broadcasts them, from those of the broadcast inputs.
    pub fn unbroadcast(&self, dx: V<'_>, dy: V<'_>) -> Vec<Option<Grad>> {
        let (x, y) = (self.input(0), self.input(1));
        let (sx, sy) = (x.shape(), y.shape());
        if sx.known().is_some() && sx.known() == sy.known() {
            return vec![dx.into(), dy.into()];
        }
        let (shape_x, shape_y) = (x.shape_value(), y.shape_value());
        let axes = self.primitive(Primitive::BroadcastGradientArgs, &[shape_x, shape_y], &[]);
        vec![dx.sum(axes).reshape(shape_x).into(), dy.sum(axes.out(1)).reshape(shape_y).into()]
    }
}

impl<'g> V<'g> {
    /// The context that it belongs to.
    pub fn cx(self) -> &'g GradCx {
        self.cx
    }

    /// Another output of the same node.
    #[must_use]
    pub fn out(self, i: usize) -> V<'g> {
        V { cx: self.cx, at: Endpoint::new(self.at.node, i as u32) }
    }

    /// Its element type.
    pub fn dtype(self) -> DType {
        self.cx.look(|g| g.endpoint_type(self.at)).map_or(DType::F32, |ty| ty.dtype)
    }

    /// Its shape as far as known before the run.
    pub fn shape(self) -> PartialShape {
        match self.cx.look(|g| g.node(self.at.node).op.constant().map(|t| t.shape().clone())) {
            Some(shape) => PartialShape::from(&shape),
            None => (self.cx.shapes)(self.at),
        }
    }

    /// Its value, if fixed.
    pub fn fixed(self) -> Option<Tensor> {
        self.cx.look(|graph| {
            let mut node = graph.node(self.at.node);
            // Skips nodes that only pass a value on, also into a loop.
            while node.spec().forwards || (node.spec().role == Role::Enter && is_constant(node)) {
                node = graph.node(node.inputs.first()?.node);
            }
            node.op.constant().cloned()
        })
    }

    /// The integers in it, if they are fixed.
    pub fn fixed_ints(self) -> Option<Vec<i64>> {
        self.fixed().and_then(|t| t.to_i64s().ok())
    }

    /// Applies the elementwise function `op` to it.
    #[must_use]
    pub fn op(self, op: &str) -> V<'g> {
        self.cx.op(op, &[self])
    }

    fn one(self, primitive: Primitive) -> V<'g> {
        self.cx.primitive(primitive, &[self], &[])
    }

    /// Its shape as a vector of int32.
    #[must_use]
    pub fn shape_value(self) -> V<'g> {
        match self.shape().known().and_then(|s| s.iter().map(|&d| i32::try_from(d).ok()).collect::<Option<Vec<i32>>>())
        {
            Some(dims) => self.cx.ints(&dims),
            None => self.one(Primitive::Shape),
        }
    }

    /// Zeros of its shape and type.
    #[must_use]
    pub fn zeros_like(self) -> V<'g> {
        self.one(Primitive::ZerosLike)
    }

    /// Ones of its shape and type.
    #[must_use]
    pub fn ones_like(self) -> V<'g> {
        self.one(Primitive::OnesLike)
    }

    /// Its sum over `axes`.
    #[must_use]
    pub fn sum(self, axes: V<'g>) -> V<'g> {
        self.cx.primitive(Primitive::Sum, &[self, axes], &[])
    }

    /// Its sum over `axes`, which are kept with size 1.
    #[must_use]
    pub fn sum_keep(self, axes: V<'g>) -> V<'g> {
        self.cx.primitive(Primitive::Sum, &[self, axes], &[attr("keep_dims", true)])
    }

    /// Its elements in another shape.
    #[must_use]
    pub fn reshape(self, shape: V<'g>) -> V<'g> {
        self.cx.primitive(Primitive::Reshape, &[self, shape], &[])
    }

    /// Its elements in the shape of `other`.
    #[must_use]
    pub fn reshape_as(self, other: V<'g>) -> V<'g> {
        self.reshape(other.shape_value())
    }

    /// As another type.
    #[must_use]
    pub fn cast(self, dtype: DType) -> V<'g> {
        if self.dtype() == dtype {
            return self;
        }
        self.cx.primitive(Primitive::Cast, &[self], &[attr("DstT", dtype)])
    }

    /// Its complex conjugate; itself if it is real.
    #[must_use]
    pub fn conj(self) -> V<'g> {
        if matches!(self.dtype(), DType::C64 | DType::C128) { self.one(Primitive::Conj) } else { self }
    }

    /// A scalar of its type.
    #[must_use]
    pub fn like(self, value: f64) -> V<'g> {
        self.cx.scalar(self.dtype(), value)
    }

    /// Its rank, if known.
    pub fn rank(self) -> Option<usize> {
        self.shape().rank()
    }

    /// Its rank as a scalar of int32.
    #[must_use]
    pub fn rank_value(self) -> V<'g> {
        match self.rank() {
            Some(rank) => self.cx.constant(Tensor::scalar(rank as i32)),
            None => self.one(Primitive::Rank),
        }
    }

    /// The product of the elements of a vector.
    #[must_use]
    pub fn prod(self) -> V<'g> {
        self.cx.primitive(Primitive::Prod, &[self, self.cx.ints(&[0])], &[])
    }

    /// `self` where `condition` is true, zeros elsewhere.
    #[must_use]
    pub fn where_true(self, condition: V<'g>) -> V<'g> {
        let zeros = self.zeros_like();
        self.cx.primitive(Primitive::Select, &[condition, self, zeros], &[])
    }

    /// A slice of a vector: `size` elements (-1 for the rest) from `begin`.
    #[must_use]
    pub fn slice1(self, begin: i32, size: i32) -> V<'g> {
        self.cx.primitive(Primitive::Slice, &[self, self.cx.ints(&[begin]), self.cx.ints(&[size])], &[])
    }
}

macro_rules! arithmetic {
    ($($trait:ident, $method:ident;)*) => {$(
        impl<'g> $trait for V<'g> {
            type Output = V<'g>;
            fn $method(self, other: V<'g>) -> V<'g> {
                self.cx.primitive(Primitive::$trait, &[self, other], &[])
            }
        }

        impl<'g> $trait<f64> for V<'g> {
            type Output = V<'g>;
            fn $method(self, other: f64) -> V<'g> {
                let other = self.like(other);
                self.cx.primitive(Primitive::$trait, &[self, other], &[])
            }
        }
    )*};
}

arithmetic! {
    Add, add;
    Sub, sub;
    Mul, mul;
    Div, div;
}

impl<'g> Neg for V<'g> {
    type Output = V<'g>;
    fn neg(self) -> V<'g> {
        self.one(Primitive::Neg)
    }
}
