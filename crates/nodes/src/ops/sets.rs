// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `sets`.

use crate::node::{Input, Node, Ops, common, one_output, string};
use levada_builder::Output;

impl Ops<'_> {
    /// Computes the difference, intersection or union of sets along the last axis of two dense tensors.
    ///
    /// - `set1`: a tensor of `T`
    /// - `set2`: a tensor of `T`
    /// - `set_operation`: `a-b`, `b-a`, `intersection` or `union`.
    ///
    /// `T` is int32, uint8, int16, int8, string, int64, uint16.
    pub fn dense_to_dense_set_operation(&self, set1: impl Input, set2: impl Input, set_operation: impl AsRef<[u8]>) -> DenseToDenseSetOperation<'_> {
        let mut node = Node::new(self, "DenseToDenseSetOperation").input(set1).input(set2);
        node.set("set_operation", string(set_operation));
        DenseToDenseSetOperation(node)
    }

    /// Computes the difference, intersection or union of sets along the last axis of a dense and a sparse tensor.
    ///
    /// - `set1`: a tensor of `T`
    /// - `set2_indices`: a tensor of int64
    /// - `set2_values`: a tensor of `T`
    /// - `set2_shape`: a tensor of int64
    /// - `set_operation`: `a-b`, `b-a`, `intersection` or `union`.
    ///
    /// `T` is int32, uint8, int16, int8, string, int64, uint16.
    pub fn dense_to_sparse_set_operation(&self, set1: impl Input, set2_indices: impl Input, set2_values: impl Input, set2_shape: impl Input, set_operation: impl AsRef<[u8]>) -> DenseToSparseSetOperation<'_> {
        let mut node = Node::new(self, "DenseToSparseSetOperation").input(set1).input(set2_indices).input(set2_values).input(set2_shape);
        node.set("set_operation", string(set_operation));
        DenseToSparseSetOperation(node)
    }

    /// Returns the number of distinct values along the last axis of a sparse tensor.
    ///
    /// - `set_indices`: a tensor of int64
    /// - `set_values`: a tensor of `T`
    /// - `set_shape`: a tensor of int64
    ///
    /// `T` is int32, uint8, int16, int8, string, int64, uint16.
    pub fn set_size(&self, set_indices: impl Input, set_values: impl Input, set_shape: impl Input) -> SetSize<'_> {
        SetSize(Node::new(self, "SetSize").input(set_indices).input(set_values).input(set_shape))
    }

    /// Computes the difference, intersection or union of sets along the last axis of two sparse tensors.
    ///
    /// - `set1_indices`: a tensor of int64
    /// - `set1_values`: a tensor of `T`
    /// - `set1_shape`: a tensor of int64
    /// - `set2_indices`: a tensor of int64
    /// - `set2_values`: a tensor of `T`
    /// - `set2_shape`: a tensor of int64
    /// - `set_operation`: `a-b`, `b-a`, `intersection` or `union`.
    ///
    /// `T` is int32, uint8, int16, int8, string, int64, uint16.
    pub fn sparse_to_sparse_set_operation(&self, set1_indices: impl Input, set1_values: impl Input, set1_shape: impl Input, set2_indices: impl Input, set2_values: impl Input, set2_shape: impl Input, set_operation: impl AsRef<[u8]>) -> SparseToSparseSetOperation<'_> {
        let mut node = Node::new(self, "SparseToSparseSetOperation").input(set1_indices).input(set1_values).input(set1_shape).input(set2_indices).input(set2_values).input(set2_shape);
        node.set("set_operation", string(set_operation));
        SparseToSparseSetOperation(node)
    }
}

/// A node of [`DenseToDenseSetOperation`](Ops::dense_to_dense_set_operation) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DenseToDenseSetOperation<'a>(Node<'a>);

impl DenseToDenseSetOperation<'_> {
    /// Whether to check that indices are sorted and in bounds. Default: `true`.
    pub fn validate_indices(mut self, validate_indices: bool) -> Self {
        self.0.set("validate_indices", validate_indices);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> DenseToDenseSetOperationOutputs {
        let mut outputs = self.0.outputs();
        DenseToDenseSetOperationOutputs { result_indices: outputs.one(), result_values: outputs.one(), result_shape: outputs.one() }
    }
}

/// The outputs of [`DenseToDenseSetOperation`](Ops::dense_to_dense_set_operation).
#[derive(Clone, Copy, Debug)]
pub struct DenseToDenseSetOperationOutputs {
    /// A tensor of int64.
    pub result_indices: Output,
    /// A tensor of `T`.
    pub result_values: Output,
    /// A tensor of int64.
    pub result_shape: Output,
}

/// A node of [`DenseToSparseSetOperation`](Ops::dense_to_sparse_set_operation) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DenseToSparseSetOperation<'a>(Node<'a>);

impl DenseToSparseSetOperation<'_> {
    /// Whether to check that indices are sorted and in bounds. Default: `true`.
    pub fn validate_indices(mut self, validate_indices: bool) -> Self {
        self.0.set("validate_indices", validate_indices);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> DenseToSparseSetOperationOutputs {
        let mut outputs = self.0.outputs();
        DenseToSparseSetOperationOutputs { result_indices: outputs.one(), result_values: outputs.one(), result_shape: outputs.one() }
    }
}

/// The outputs of [`DenseToSparseSetOperation`](Ops::dense_to_sparse_set_operation).
#[derive(Clone, Copy, Debug)]
pub struct DenseToSparseSetOperationOutputs {
    /// A tensor of int64.
    pub result_indices: Output,
    /// A tensor of `T`.
    pub result_values: Output,
    /// A tensor of int64.
    pub result_shape: Output,
}

/// A node of [`SetSize`](Ops::set_size) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SetSize<'a>(Node<'a>);

impl SetSize<'_> {
    /// Whether to check that the indices are sorted and in bounds. Default: `true`.
    pub fn validate_indices(mut self, validate_indices: bool) -> Self {
        self.0.set("validate_indices", validate_indices);
        self
    }
}

/// A node of [`SparseToSparseSetOperation`](Ops::sparse_to_sparse_set_operation) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SparseToSparseSetOperation<'a>(Node<'a>);

impl SparseToSparseSetOperation<'_> {
    /// Whether to check that indices are sorted and in bounds. Default: `true`.
    pub fn validate_indices(mut self, validate_indices: bool) -> Self {
        self.0.set("validate_indices", validate_indices);
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> SparseToSparseSetOperationOutputs {
        let mut outputs = self.0.outputs();
        SparseToSparseSetOperationOutputs { result_indices: outputs.one(), result_values: outputs.one(), result_shape: outputs.one() }
    }
}

/// The outputs of [`SparseToSparseSetOperation`](Ops::sparse_to_sparse_set_operation).
#[derive(Clone, Copy, Debug)]
pub struct SparseToSparseSetOperationOutputs {
    /// A tensor of int64.
    pub result_indices: Output,
    /// A tensor of `T`.
    pub result_values: Output,
    /// A tensor of int64.
    pub result_shape: Output,
}

common! {
    DenseToDenseSetOperation
    DenseToSparseSetOperation
    SetSize
    SparseToSparseSetOperation
}

one_output! {
    SetSize
}
