//! Batch rules: how an op that processes one example is extended to process many.
//!
//! In a batched graph a value is either the same for all examples or has one part for each, along a leading axis. The
//! rule of an op is a function of a [`BatchCx`]: it sees which inputs of the node are of which kind, adds nodes that
//! compute the outputs for all examples, and returns the kind of each output. Values are those of gradient rules,
//! [`V`].
//!
//! ```
//! use levada_graph::batch::{BatchCx, Batched};
//!
//! // The transposed matrix of each example: the first axis stays where it is.
//! fn transposed(b: &BatchCx<'_>) -> Batched {
//!     let order = b.g().ints(&[0, 2, 1]);
//!     b.all(b.g().op("Transpose", &[b.input(0), order]))
//! }
//! # let _ = transposed;
//! ```
//!
//! A rule that does not handle a node returns `None`; the node then runs example by example, which is always correct.

use crate::attr::AttrValue;
use crate::dtype::DType;
use crate::grad::{GradCx, V, attr};
use crate::graph::Endpoint;
use crate::op::AnyOp;
use crate::shape::{Dim, PartialShape};

/// A value of a batched graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lanes {
    /// The endpoint.
    pub at: Endpoint,
    /// True if it has one part for each example, along the first axis; false if it is the same for all.
    pub varies: bool,
}

impl Lanes {
    /// A value with one part for each example.
    pub fn each(value: V<'_>) -> Lanes {
        Lanes { at: value.at, varies: true }
    }

    /// A value that is the same for all examples.
    pub fn same(value: V<'_>) -> Lanes {
        Lanes { at: value.at, varies: false }
    }
}

/// The result of a rule: every output of the node; `None` if it does not handle the node.
pub type Batched = Option<Vec<Lanes>>;

/// A batch rule, which sees the attrs of the node's op.
pub trait Vectorize: Sync {
    /// Every output of the node, for all examples.
    fn batch(&'static self, op: &dyn AnyOp, b: &BatchCx<'_>) -> Batched;
}

/// The view that a rule has of its node.
pub struct BatchCx<'g> {
    g: &'g GradCx,
    inputs: Vec<Lanes>,
    outputs: Vec<PartialShape>,
    shapes: Vec<PartialShape>,
}

impl<'g> BatchCx<'g> {
    /// The context of the node that `g` is at. `inputs` are its inputs in the batched graph, of which at least one
    /// varies; `shapes` and `outputs` are the known shapes of inputs and outputs for one example.
    pub fn new(
        g: &'g GradCx,
        inputs: Vec<Lanes>,
        shapes: Vec<PartialShape>,
        outputs: Vec<PartialShape>,
    ) -> BatchCx<'g> {
        BatchCx { g, inputs, outputs, shapes }
    }

    /// The context in which nodes are added.
    pub fn g(&self) -> &'g GradCx {
        self.g
    }

    /// Number of the node's inputs.
    pub fn num_inputs(&self) -> usize {
        self.inputs.len()
    }

    /// Number of the node's outputs.
    pub fn num_outputs(&self) -> usize {
        self.outputs.len()
    }

    /// True if input `i` has one part for each example.
    pub fn varies(&self, i: usize) -> bool {
        self.inputs.get(i).is_some_and(|input| input.varies)
    }

    /// True if any of these inputs has one part for each example.
    pub fn any_varies(&self, inputs: impl IntoIterator<Item = usize>) -> bool {
        inputs.into_iter().any(|i| self.varies(i))
    }

    /// Input `i` as it is in the batched graph.
    pub fn input(&self, i: usize) -> V<'g> {
        match self.inputs.get(i) {
            Some(input) => self.g.value(input.at),
            None => self.g.input(i),
        }
    }

    /// All inputs as they are in the batched graph.
    pub fn inputs(&self) -> Vec<V<'g>> {
        (0..self.num_inputs()).map(|i| self.input(i)).collect()
    }

    /// The shape of input `i` for one example, as far as known.
    pub fn shape(&self, i: usize) -> PartialShape {
        self.shapes.get(i).cloned().unwrap_or_default()
    }

    /// The rank of input `i` for one example, if known.
    pub fn rank(&self, i: usize) -> Option<usize> {
        self.shape(i).rank()
    }

    /// The shape of output `i` for one example, as far as known.
    pub fn output_shape(&self, i: usize) -> PartialShape {
        self.outputs.get(i).cloned().unwrap_or_default()
    }

    /// The integers in input `i`, if they are fixed and the same for all examples.
    pub fn fixed_ints(&self, i: usize) -> Option<Vec<i64>> {
        if self.varies(i) { None } else { self.input(i).fixed_ints() }
    }

    /// The number of examples, a scalar of int32.
    pub fn size(&self) -> V<'g> {
        let first = self.inputs.iter().find(|input| input.varies);
        let from = first.map_or_else(|| self.input(0), |input| self.g.value(input.at));
        self.dims(from).slice1(0, 1).reshape(self.g.ints(&[]))
    }

    /// The number of examples, a vector of one int32.
    pub fn size1(&self) -> V<'g> {
        self.size().reshape(self.g.ints(&[1]))
    }

    /// The shape of a value at run time, a vector of int32.
    pub fn dims(&self, value: V<'g>) -> V<'g> {
        self.g.primitive(crate::spec::Primitive::Shape, &[value], &[])
    }

    /// The shape of input `i` for one example at run time, a vector of int32.
    pub fn example_dims(&self, i: usize) -> V<'g> {
        let dims = self.dims(self.input(i));
        if self.varies(i) { dims.slice1(1, -1) } else { dims }
    }

    /// Concatenates vectors of int32.
    pub fn concat(&self, parts: &[V<'g>]) -> V<'g> {
        let mut inputs = parts.to_vec();
        inputs.push(self.g.scalar(DType::I32, 0.0));
        self.g.node("ConcatV2", &inputs, &[attr("N", parts.len() as i64)])
    }

    /// Input `i` with one part for each example, repeated if it is the same for all.
    pub fn each(&self, i: usize) -> V<'g> {
        let input = self.input(i);
        if self.varies(i) { input } else { self.repeat(input) }
    }

    /// Repeats a value that is the same for all examples, once for each.
    pub fn repeat(&self, value: V<'g>) -> V<'g> {
        let dims = match value.shape().known() {
            Some(shape) if shape.is_scalar() => self.size1(),
            _ => self.concat(&[self.size1(), self.dims(value)]),
        };
        self.g.op("BroadcastTo", &[value, dims])
    }

    /// Input `i` with `axes` axes of size 1 inserted after the example axis.
    pub fn widened(&self, i: usize, axes: usize) -> V<'g> {
        let input = self.input(i);
        if axes == 0 || !self.varies(i) {
            return input;
        }
        let known = self.shape(i).dims().map(<[Dim]>::to_vec);
        let sizes = known.and_then(|dims| dims.iter().map(|d| i32::try_from((*d)?).ok()).collect::<Option<Vec<i32>>>());
        let ones = vec![1; axes];
        match sizes {
            Some(sizes) => {
                let all: Vec<i32> = [-1].into_iter().chain(ones).chain(sizes.iter().copied()).collect();
                // Without elements the size cannot be inferred from the others.
                if sizes.contains(&0) {
                    return input.reshape(self.concat(&[self.size1(), self.g.ints(&all[1..])]));
                }
                input.reshape(self.g.ints(&all))
            }
            None => {
                let dims = self.dims(input);
                input.reshape(self.concat(&[dims.slice1(0, 1), self.g.ints(&ones), dims.slice1(1, -1)]))
            }
        }
    }

    /// A node of the same op, with the same attrs, on these inputs; its first output.
    pub fn again(&self, inputs: &[V<'g>]) -> V<'g> {
        self.g.again(inputs, &[])
    }

    /// A node of the same op on these inputs, with these attrs in place of its own; its first output.
    pub fn again_with(&self, inputs: &[V<'g>], attrs: &[(&'static str, AttrValue)]) -> V<'g> {
        self.g.again(inputs, attrs)
    }

    /// All outputs of the node whose first output is `value`, with one part for each example.
    pub fn all(&self, value: V<'g>) -> Batched {
        Some((0..self.num_outputs()).map(|i| Lanes::each(value.out(i))).collect())
    }

    /// One output, with one part for each example.
    pub fn one(&self, value: V<'g>) -> Batched {
        Some(vec![Lanes::each(value)])
    }

    /// One output, the same for all examples.
    pub fn same(&self, value: V<'g>) -> Batched {
        Some(vec![Lanes::same(value)])
    }
}
