// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `ragged`.

use crate::node::{Input, Node, Ops, common, one_output, string, strings};
use levada_graph::DType;
use levada_builder::Output;

impl Ops<'_> {
    /// Wraps the component tensors of a composite tensor in a variant.
    ///
    /// - `components`: any number of tensors of any dtypes
    /// - `metadata`: Type of the composite tensor; has no effect here.
    ///
    /// `Tcomponents` is any dtype.
    pub fn composite_tensor_variant_from_components(&self, components: impl IntoIterator<Item = impl Input>, metadata: impl AsRef<[u8]>) -> CompositeTensorVariantFromComponents<'_> {
        let mut node = Node::new(self, "CompositeTensorVariantFromComponents").list(components);
        node.set("metadata", string(metadata));
        CompositeTensorVariantFromComponents(node)
    }

    /// Returns the component tensors of the composite tensor in a variant.
    ///
    /// - `encoded`: a tensor of variant
    /// - `metadata`: Type of the composite tensor; has no effect here.
    /// - `tcomponents`: Element types of the tensors. Allowed: any dtype. Length at least 0.
    pub fn composite_tensor_variant_to_components(&self, encoded: impl Input, metadata: impl AsRef<[u8]>, tcomponents: &[DType]) -> CompositeTensorVariantToComponents<'_> {
        let mut node = Node::new(self, "CompositeTensorVariantToComponents").input(encoded);
        node.set("metadata", string(metadata));
        node.set("Tcomponents", tcomponents.to_vec());
        CompositeTensorVariantToComponents(node)
    }

    /// Gathers the rows of a ragged tensor at `indices`.
    ///
    /// - `params_nested_splits`: any number of tensors of `Tsplits`
    /// - `params_dense_values`: a tensor of `Tvalues`
    /// - `indices`: a tensor of `Tindices`
    /// - `output_ragged_rank`: Number of ragged axes of the result. At least 0.
    ///
    /// `Tvalues` is any dtype. `Tindices` is int32, int64. `Tsplits` is int32, int64.
    pub fn ragged_gather(&self, params_nested_splits: impl IntoIterator<Item = impl Input>, params_dense_values: impl Input, indices: impl Input, output_ragged_rank: i64) -> RaggedGather<'_> {
        let mut node = Node::new(self, "RaggedGather").list(params_nested_splits).input(params_dense_values).input(indices);
        node.set("OUTPUT_RAGGED_RANK", output_ragged_rank);
        RaggedGather(node)
    }

    /// Returns for each row the values from `starts` up to, but not including, `limits` in steps of `deltas`.
    ///
    /// - `starts`: a tensor of `T`
    /// - `limits`: a tensor of `T`
    /// - `deltas`: a tensor of `T`
    ///
    /// `T` is float32, float64, int32, int64, bfloat16.
    pub fn ragged_range(&self, starts: impl Input, limits: impl Input, deltas: impl Input) -> RaggedRange<'_> {
        RaggedRange(Node::new(self, "RaggedRange").input(starts).input(limits).input(deltas))
    }

    /// Stacks the ragged tensors in variants along the axes of the variants.
    ///
    /// - `encoded_ragged`: a tensor of variant
    /// - `input_ragged_rank`: Number of ragged axes of each; -1 to infer it. At least -1.
    /// - `output_ragged_rank`: Number of ragged axes of the result. At least 0.
    /// - `tvalues`: Element type. Allowed: any dtype.
    pub fn ragged_tensor_from_variant(&self, encoded_ragged: impl Input, input_ragged_rank: i64, output_ragged_rank: i64, tvalues: DType) -> RaggedTensorFromVariant<'_> {
        let mut node = Node::new(self, "RaggedTensorFromVariant").input(encoded_ragged);
        node.set("input_ragged_rank", input_ragged_rank);
        node.set("output_ragged_rank", output_ragged_rank);
        node.set("Tvalues", tvalues);
        RaggedTensorFromVariant(node)
    }

    /// Converts a ragged tensor to a sparse one, whose sizes are those of the longest rows.
    ///
    /// - `rt_nested_splits`: any number of tensors of `Tsplits`
    /// - `rt_dense_values`: a tensor of `T`
    ///
    /// `T` is any dtype. `Tsplits` is int32, int64.
    pub fn ragged_tensor_to_sparse(&self, rt_nested_splits: impl IntoIterator<Item = impl Input>, rt_dense_values: impl Input) -> RaggedTensorToSparse<'_> {
        RaggedTensorToSparse(Node::new(self, "RaggedTensorToSparse").list(rt_nested_splits).input(rt_dense_values))
    }

    /// Converts a ragged tensor to a dense one: rows are truncated, or padded with `default_value`, to the sizes in `shape` or to those of the longest rows.
    ///
    /// - `shape`: a tensor of `Tshape`
    /// - `values`: a tensor of `T`
    /// - `default_value`: a tensor of `T`
    /// - `row_partition_tensors`: any number of tensors of `Tindex`
    /// - `row_partition_types`: Kind of each partition: `FIRST_DIM_SIZE`, `VALUE_ROWIDS` or `ROW_SPLITS`.
    ///
    /// `T` is any dtype. `Tindex` is int32, int64. `Tshape` is int32, int64.
    pub fn ragged_tensor_to_tensor(&self, shape: impl Input, values: impl Input, default_value: impl Input, row_partition_tensors: impl IntoIterator<Item = impl Input>, row_partition_types: &[impl AsRef<[u8]>]) -> RaggedTensorToTensor<'_> {
        let mut node = Node::new(self, "RaggedTensorToTensor").input(shape).input(values).input(default_value).list(row_partition_tensors);
        node.set("row_partition_types", strings(row_partition_types));
        RaggedTensorToTensor(node)
    }

    /// Encodes a ragged tensor as a variant, or each of its rows as one.
    ///
    /// - `rt_nested_splits`: any number of tensors of `Tsplits`
    /// - `rt_dense_values`: a tensor of `Tvalues`
    /// - `batched_input`: Whether to encode each row as a variant.
    ///
    /// `Tvalues` is any dtype. `Tsplits` is int32, int64.
    pub fn ragged_tensor_to_variant(&self, rt_nested_splits: impl IntoIterator<Item = impl Input>, rt_dense_values: impl Input, batched_input: bool) -> RaggedTensorToVariant<'_> {
        let mut node = Node::new(self, "RaggedTensorToVariant").list(rt_nested_splits).input(rt_dense_values);
        node.set("batched_input", batched_input);
        RaggedTensorToVariant(node)
    }

    /// Computes the gradient of `RaggedTensorToVariant` with respect to the values.
    ///
    /// - `encoded_ragged_grad`: a tensor of variant
    /// - `row_splits`: a tensor of `Tsplits`
    /// - `dense_values_shape`: a tensor of int32
    /// - `tvalues`: Element type. Allowed: any dtype.
    ///
    /// `Tsplits` is int32, int64.
    ///
    /// It has no gradient.
    pub fn ragged_tensor_to_variant_gradient(&self, encoded_ragged_grad: impl Input, row_splits: impl Input, dense_values_shape: impl Input, tvalues: DType) -> RaggedTensorToVariantGradient<'_> {
        let mut node = Node::new(self, "RaggedTensorToVariantGradient").input(encoded_ragged_grad).input(row_splits).input(dense_values_shape);
        node.set("Tvalues", tvalues);
        RaggedTensorToVariantGradient(node)
    }
}

/// A node of [`CompositeTensorVariantFromComponents`](Ops::composite_tensor_variant_from_components) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CompositeTensorVariantFromComponents<'a>(Node<'a>);

/// A node of [`CompositeTensorVariantToComponents`](Ops::composite_tensor_variant_to_components) that is being described.
#[must_use = "it is no node before it is added"]
pub struct CompositeTensorVariantToComponents<'a>(Node<'a>);

impl CompositeTensorVariantToComponents<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> Vec<Output> {
        let mut outputs = self.0.outputs();
        outputs.list()
    }
}

/// A node of [`RaggedGather`](Ops::ragged_gather) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RaggedGather<'a>(Node<'a>);

impl RaggedGather<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> RaggedGatherOutputs {
        let mut outputs = self.0.outputs();
        RaggedGatherOutputs { output_nested_splits: outputs.list(), output_dense_values: outputs.one() }
    }
}

/// The outputs of [`RaggedGather`](Ops::ragged_gather).
#[derive(Clone, Debug)]
pub struct RaggedGatherOutputs {
    /// Any number of tensors of `Tsplits`.
    pub output_nested_splits: Vec<Output>,
    /// A tensor of `Tvalues`.
    pub output_dense_values: Output,
}

/// A node of [`RaggedRange`](Ops::ragged_range) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RaggedRange<'a>(Node<'a>);

impl RaggedRange<'_> {
    /// Element type of the splits. Allowed: int32, int64. Default: int64.
    pub fn tsplits(mut self, tsplits: DType) -> Self {
        self.0.set("Tsplits", tsplits);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> RaggedRangeOutputs {
        let mut outputs = self.0.outputs();
        RaggedRangeOutputs { rt_nested_splits: outputs.one(), rt_dense_values: outputs.one() }
    }
}

/// The outputs of [`RaggedRange`](Ops::ragged_range).
#[derive(Clone, Copy, Debug)]
pub struct RaggedRangeOutputs {
    /// A tensor of `Tsplits`.
    pub rt_nested_splits: Output,
    /// A tensor of `T`.
    pub rt_dense_values: Output,
}

/// A node of [`RaggedTensorFromVariant`](Ops::ragged_tensor_from_variant) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RaggedTensorFromVariant<'a>(Node<'a>);

impl RaggedTensorFromVariant<'_> {
    /// Element type of the splits. Allowed: int32, int64. Default: int64.
    pub fn tsplits(mut self, tsplits: DType) -> Self {
        self.0.set("Tsplits", tsplits);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> RaggedTensorFromVariantOutputs {
        let mut outputs = self.0.outputs();
        RaggedTensorFromVariantOutputs { output_nested_splits: outputs.list(), output_dense_values: outputs.one() }
    }
}

/// The outputs of [`RaggedTensorFromVariant`](Ops::ragged_tensor_from_variant).
#[derive(Clone, Debug)]
pub struct RaggedTensorFromVariantOutputs {
    /// Any number of tensors of `Tsplits`.
    pub output_nested_splits: Vec<Output>,
    /// A tensor of `Tvalues`.
    pub output_dense_values: Output,
}

/// A node of [`RaggedTensorToSparse`](Ops::ragged_tensor_to_sparse) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RaggedTensorToSparse<'a>(Node<'a>);

impl RaggedTensorToSparse<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> RaggedTensorToSparseOutputs {
        let mut outputs = self.0.outputs();
        RaggedTensorToSparseOutputs { sparse_indices: outputs.one(), sparse_values: outputs.one(), sparse_dense_shape: outputs.one() }
    }
}

/// The outputs of [`RaggedTensorToSparse`](Ops::ragged_tensor_to_sparse).
#[derive(Clone, Copy, Debug)]
pub struct RaggedTensorToSparseOutputs {
    /// A tensor of int64.
    pub sparse_indices: Output,
    /// A tensor of `T`.
    pub sparse_values: Output,
    /// A tensor of int64.
    pub sparse_dense_shape: Output,
}

/// A node of [`RaggedTensorToTensor`](Ops::ragged_tensor_to_tensor) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RaggedTensorToTensor<'a>(Node<'a>);

/// A node of [`RaggedTensorToVariant`](Ops::ragged_tensor_to_variant) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RaggedTensorToVariant<'a>(Node<'a>);

/// A node of [`RaggedTensorToVariantGradient`](Ops::ragged_tensor_to_variant_gradient) that is being described.
#[must_use = "it is no node before it is added"]
pub struct RaggedTensorToVariantGradient<'a>(Node<'a>);

common! {
    CompositeTensorVariantFromComponents
    CompositeTensorVariantToComponents
    RaggedGather
    RaggedRange
    RaggedTensorFromVariant
    RaggedTensorToSparse
    RaggedTensorToTensor
    RaggedTensorToVariant
    RaggedTensorToVariantGradient
}

one_output! {
    CompositeTensorVariantFromComponents
    RaggedTensorToTensor
    RaggedTensorToVariant
    RaggedTensorToVariantGradient
}
