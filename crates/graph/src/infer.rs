//! The context of a shape function: the known shapes and values of a node's inputs, and the shapes of its outputs.

use crate::error::{Error, Result};
use crate::shape::{Dim, PartialShape};
use crate::spec::Spec;
use crate::tensor::Tensor;

/// Inputs and outputs of one node during shape inference.
pub struct ShapeCx<'a> {
    inputs: &'a [PartialShape],
    constants: &'a [Option<&'a Tensor>],
    outputs: &'a mut [PartialShape],
    elements: Vec<PartialShape>,
    spec: Option<&'static Spec>,
}

impl<'a> ShapeCx<'a> {
    /// A context of a node with these inputs. `constants` has the value of each input that is known before the run.
    /// `outputs` has one shape for each output, which the shape function sets.
    pub fn new(
        inputs: &'a [PartialShape],
        constants: &'a [Option<&'a Tensor>],
        outputs: &'a mut [PartialShape],
    ) -> ShapeCx<'a> {
        ShapeCx { inputs, constants, outputs, elements: Vec::new(), spec: None }
    }

    /// Names the op whose shape function runs.
    pub fn set_spec(&mut self, spec: &'static Spec) {
        self.spec = Some(spec);
    }

    /// Adds the shapes of the elements of the resource that input 0 refers to, if known.
    #[must_use]
    pub fn with_elements(mut self, elements: Vec<PartialShape>) -> ShapeCx<'a> {
        self.elements = elements;
        self
    }

    /// Sets the shapes of the outputs to those of the elements of the resource that input 0 refers to, each preceded by
    /// the dimensions `first`. Does nothing if they are unknown.
    pub fn output_elements(&mut self, first: &[Dim]) {
        if self.elements.len() != self.outputs.len() {
            return;
        }
        for (output, element) in self.outputs.iter_mut().zip(&self.elements) {
            *output = PartialShape::new(first.iter().copied()).concat(element);
        }
    }

    /// Number of inputs.
    pub fn num_inputs(&self) -> usize {
        self.inputs.len()
    }

    /// Number of outputs.
    pub fn num_outputs(&self) -> usize {
        self.outputs.len()
    }

    /// The shape of input `i` as far as known; unknown for an input that does not exist.
    pub fn input(&self, i: usize) -> PartialShape {
        self.inputs.get(i).cloned().unwrap_or_default()
    }

    /// The value of input `i`, if it is known before the run.
    pub fn constant(&self, i: usize) -> Option<&'a Tensor> {
        self.constants.get(i).copied().flatten()
    }

    /// The integers in input `i`, if they are known before the run.
    pub fn constant_i64s(&self, i: usize) -> Option<Vec<i64>> {
        self.constant(i).and_then(|t| t.to_i64s().ok())
    }

    /// The shape that the value of input `i` describes, as far as known; its rank is the input's length. A negative
    /// number stands for an unknown size.
    pub fn constant_shape(&self, i: usize) -> PartialShape {
        match self.constant_i64s(i) {
            Some(dims) => PartialShape::from_signed(&dims),
            None => match self.input(i).dim(0) {
                Some(rank) if self.input(i).rank() == Some(1) && rank <= crate::shape::MAX_RANK => {
                    PartialShape::of_rank(rank)
                }
                _ => PartialShape::Unknown,
            },
        }
    }

    /// The shape of input `i`, whose rank must be `rank` if known.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for another rank.
    pub fn with_rank(&self, i: usize, rank: usize) -> Result<PartialShape> {
        let shape = self.input(i);
        match shape.rank() {
            None => Ok(PartialShape::of_rank(rank)),
            Some(r) if r == rank => Ok(shape),
            Some(_) => Err(self.wrong_rank(i, &format!("rank {rank}"), &shape)),
        }
    }

    /// The shape of input `i`, whose rank must be at least `rank` if known.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a lower rank.
    pub fn rank_at_least(&self, i: usize, rank: usize) -> Result<PartialShape> {
        let shape = self.input(i);
        match shape.rank() {
            Some(r) if r < rank => Err(self.wrong_rank(i, &format!("at least rank {rank}"), &shape)),
            _ => Ok(shape),
        }
    }

    fn wrong_rank(&self, i: usize, expected: &str, found: &PartialShape) -> Error {
        Error::invalid(format!("input {i} has the wrong rank")).expected(expected).found(format!("shape {found}"))
    }

    /// Sets the shape of output `i`.
    pub fn output(&mut self, i: usize, shape: PartialShape) {
        if let Some(slot) = self.outputs.get_mut(i) {
            *slot = shape;
        }
    }

    /// Makes output `i` a vector of this size.
    pub fn output_vector(&mut self, i: usize, n: Dim) {
        self.output(i, PartialShape::vector(n));
    }

    /// Makes output `i` a scalar.
    pub fn output_scalar(&mut self, i: usize) {
        self.output(i, PartialShape::scalar());
    }

    /// Makes output `i` a resource handle, or in older forms a reference to two strings.
    pub fn output_handle(&mut self, i: usize) {
        let is_handle = self.spec.and_then(|spec| spec.outputs.get(i)).is_none_or(|arg| !arg.is_ref);
        self.output(i, if is_handle { PartialShape::scalar() } else { PartialShape::vector(Some(2)) });
    }

    /// Gives every output the shape of input `i`.
    pub fn same_as_input(&mut self, i: usize) {
        let shape = self.input(i);
        self.outputs.fill(shape);
    }

    /// Gives output 0 the shape of inputs 0 and 1 broadcast together.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if they cannot be broadcast.
    pub fn broadcast(&mut self) -> Result<()> {
        let shape = self.input(0).broadcast(&self.input(1))?;
        self.output(0, shape);
        Ok(())
    }
}
