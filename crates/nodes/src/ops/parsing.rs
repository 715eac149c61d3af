// Written by `UPDATE=1 cargo test -p levada --test ops`; do not edit.
//! The ops of the family `parsing`.

use crate::node::{Input, Node, Ops, common, one_output, strings};
use levada_graph::{DType, PartialShape};
use levada_builder::Output;

impl Ops<'_> {
    /// Converts each `Example` from protobuf's JSON mapping to the binary message.
    ///
    /// - `json_examples`: a tensor of string
    ///
    /// It has no gradient.
    pub fn decode_json_example(&self, json_examples: impl Input) -> DecodeJSONExample<'_> {
        DecodeJSONExample(Node::new(self, "DecodeJSONExample").input(json_examples))
    }

    /// Parses a vector of `Example` messages into the features named by the key inputs.
    ///
    /// - `serialized`: a tensor of string
    /// - `names`: a tensor of string
    /// - `sparse_keys`: any number of tensors of string
    /// - `dense_keys`: any number of tensors of string
    /// - `dense_defaults`: any number of tensors of any dtypes
    /// - `sparse_types`: Dtypes of the sparse features. Allowed: float32, string, int64. Length at least 0.
    /// - `dense_shapes`: Shapes of the dense features; the first size may be unknown. Length at least 0.
    ///
    /// `Tdense` is float32, string, int64.
    ///
    /// It has no gradient.
    pub fn parse_example(&self, serialized: impl Input, names: impl Input, sparse_keys: impl IntoIterator<Item = impl Input>, dense_keys: impl IntoIterator<Item = impl Input>, dense_defaults: impl IntoIterator<Item = impl Input>, sparse_types: &[DType], dense_shapes: &[PartialShape]) -> ParseExample<'_> {
        let mut node = Node::new(self, "ParseExample").input(serialized).input(names).list(sparse_keys).list(dense_keys).list(dense_defaults);
        node.set("sparse_types", sparse_types.to_vec());
        node.set("dense_shapes", dense_shapes.to_vec());
        ParseExample(node)
    }

    /// Parses a vector of `Example` messages, or a single one, into the features named by the key inputs.
    ///
    /// - `serialized`: a tensor of string
    /// - `names`: a tensor of string
    /// - `sparse_keys`: a tensor of string
    /// - `dense_keys`: a tensor of string
    /// - `ragged_keys`: a tensor of string
    /// - `dense_defaults`: any number of tensors of any dtypes
    /// - `num_sparse`: Number of sparse features. At least 0.
    /// - `sparse_types`: Dtypes of the sparse features. Allowed: float32, string, int64. Length at least 0.
    /// - `ragged_value_types`: Dtypes of the ragged features. Allowed: float32, string, int64. Length at least 0.
    /// - `ragged_split_types`: Dtypes of the ragged features' row splits. Allowed: int32, int64. Length at least 0.
    /// - `dense_shapes`: Shapes of the dense features; the first size may be unknown. Length at least 0.
    ///
    /// `Tdense` is float32, string, int64.
    ///
    /// It has no gradient.
    pub fn parse_example_v2(&self, serialized: impl Input, names: impl Input, sparse_keys: impl Input, dense_keys: impl Input, ragged_keys: impl Input, dense_defaults: impl IntoIterator<Item = impl Input>, num_sparse: i64, sparse_types: &[DType], ragged_value_types: &[DType], ragged_split_types: &[DType], dense_shapes: &[PartialShape]) -> ParseExampleV2<'_> {
        let mut node = Node::new(self, "ParseExampleV2").input(serialized).input(names).input(sparse_keys).input(dense_keys).input(ragged_keys).list(dense_defaults);
        node.set("num_sparse", num_sparse);
        node.set("sparse_types", sparse_types.to_vec());
        node.set("ragged_value_types", ragged_value_types.to_vec());
        node.set("ragged_split_types", ragged_split_types.to_vec());
        node.set("dense_shapes", dense_shapes.to_vec());
        ParseExampleV2(node)
    }

    /// Parses a vector of `SequenceExample` messages into context features and feature lists.
    ///
    /// - `serialized`: a tensor of string
    /// - `debug_name`: a tensor of string
    /// - `context_dense_defaults`: any number of tensors of any dtypes
    /// - `feature_list_dense_missing_assumed_empty`: Names of the dense feature lists that are treated as empty if missing. Length at least 0.
    /// - `context_sparse_keys`: Names of the sparse context features. Length at least 0.
    /// - `context_dense_keys`: Names of the dense context features. Length at least 0.
    /// - `feature_list_sparse_keys`: Names of the sparse feature lists. Length at least 0.
    /// - `feature_list_dense_keys`: Names of the dense feature lists. Length at least 0.
    ///
    /// `Tcontext_dense` is float32, string, int64.
    ///
    /// It has no gradient.
    pub fn parse_sequence_example(&self, serialized: impl Input, debug_name: impl Input, context_dense_defaults: impl IntoIterator<Item = impl Input>, feature_list_dense_missing_assumed_empty: &[impl AsRef<[u8]>], context_sparse_keys: &[impl AsRef<[u8]>], context_dense_keys: &[impl AsRef<[u8]>], feature_list_sparse_keys: &[impl AsRef<[u8]>], feature_list_dense_keys: &[impl AsRef<[u8]>]) -> ParseSequenceExample<'_> {
        let mut node = Node::new(self, "ParseSequenceExample").input(serialized).input(debug_name).list(context_dense_defaults);
        node.set("feature_list_dense_missing_assumed_empty", strings(feature_list_dense_missing_assumed_empty));
        node.set("context_sparse_keys", strings(context_sparse_keys));
        node.set("context_dense_keys", strings(context_dense_keys));
        node.set("feature_list_sparse_keys", strings(feature_list_sparse_keys));
        node.set("feature_list_dense_keys", strings(feature_list_dense_keys));
        ParseSequenceExample(node)
    }

    /// Parses `SequenceExample` messages into the context features and feature lists named by the key inputs.
    ///
    /// - `serialized`: a tensor of string
    /// - `debug_name`: a tensor of string
    /// - `context_sparse_keys`: a tensor of string
    /// - `context_dense_keys`: a tensor of string
    /// - `context_ragged_keys`: a tensor of string
    /// - `feature_list_sparse_keys`: a tensor of string
    /// - `feature_list_dense_keys`: a tensor of string
    /// - `feature_list_ragged_keys`: a tensor of string
    /// - `feature_list_dense_missing_assumed_empty`: a tensor of bool
    /// - `context_dense_defaults`: any number of tensors of any dtypes
    ///
    /// `Tcontext_dense` is float32, string, int64.
    ///
    /// It has no gradient.
    pub fn parse_sequence_example_v2(&self, serialized: impl Input, debug_name: impl Input, context_sparse_keys: impl Input, context_dense_keys: impl Input, context_ragged_keys: impl Input, feature_list_sparse_keys: impl Input, feature_list_dense_keys: impl Input, feature_list_ragged_keys: impl Input, feature_list_dense_missing_assumed_empty: impl Input, context_dense_defaults: impl IntoIterator<Item = impl Input>) -> ParseSequenceExampleV2<'_> {
        ParseSequenceExampleV2(Node::new(self, "ParseSequenceExampleV2").input(serialized).input(debug_name).input(context_sparse_keys).input(context_dense_keys).input(context_ragged_keys).input(feature_list_sparse_keys).input(feature_list_dense_keys).input(feature_list_ragged_keys).input(feature_list_dense_missing_assumed_empty).list(context_dense_defaults))
    }

    /// Parses a single `Example` message into features.
    ///
    /// - `serialized`: a tensor of string
    /// - `dense_defaults`: any number of tensors of any dtypes
    /// - `num_sparse`: Number of sparse features. At least 0.
    /// - `sparse_keys`: Names of the sparse features. Length at least 0.
    /// - `dense_keys`: Names of the dense features. Length at least 0.
    /// - `sparse_types`: Dtypes of the sparse features. Allowed: float32, string, int64. Length at least 0.
    /// - `dense_shapes`: Shapes of the dense features; the first size may be unknown. Length at least 0.
    ///
    /// `Tdense` is float32, string, int64.
    ///
    /// It has no gradient.
    pub fn parse_single_example(&self, serialized: impl Input, dense_defaults: impl IntoIterator<Item = impl Input>, num_sparse: i64, sparse_keys: &[impl AsRef<[u8]>], dense_keys: &[impl AsRef<[u8]>], sparse_types: &[DType], dense_shapes: &[PartialShape]) -> ParseSingleExample<'_> {
        let mut node = Node::new(self, "ParseSingleExample").input(serialized).list(dense_defaults);
        node.set("num_sparse", num_sparse);
        node.set("sparse_keys", strings(sparse_keys));
        node.set("dense_keys", strings(dense_keys));
        node.set("sparse_types", sparse_types.to_vec());
        node.set("dense_shapes", dense_shapes.to_vec());
        ParseSingleExample(node)
    }

    /// Parses a single `SequenceExample` message into context features and feature lists.
    ///
    /// - `serialized`: a tensor of string
    /// - `feature_list_dense_missing_assumed_empty`: a tensor of string
    /// - `context_sparse_keys`: any number of tensors of string
    /// - `context_dense_keys`: any number of tensors of string
    /// - `feature_list_sparse_keys`: any number of tensors of string
    /// - `feature_list_dense_keys`: any number of tensors of string
    /// - `context_dense_defaults`: any number of tensors of any dtypes
    /// - `debug_name`: a tensor of string
    ///
    /// `Tcontext_dense` is float32, string, int64.
    ///
    /// It has no gradient.
    pub fn parse_single_sequence_example(&self, serialized: impl Input, feature_list_dense_missing_assumed_empty: impl Input, context_sparse_keys: impl IntoIterator<Item = impl Input>, context_dense_keys: impl IntoIterator<Item = impl Input>, feature_list_sparse_keys: impl IntoIterator<Item = impl Input>, feature_list_dense_keys: impl IntoIterator<Item = impl Input>, context_dense_defaults: impl IntoIterator<Item = impl Input>, debug_name: impl Input) -> ParseSingleSequenceExample<'_> {
        ParseSingleSequenceExample(Node::new(self, "ParseSingleSequenceExample").input(serialized).input(feature_list_dense_missing_assumed_empty).list(context_sparse_keys).list(context_dense_keys).list(feature_list_sparse_keys).list(feature_list_dense_keys).list(context_dense_defaults).input(debug_name))
    }

    /// Parses a serialized `TensorProto` message into a tensor.
    ///
    /// - `serialized`: a tensor of string
    /// - `out_type`: Dtype of the tensor. Allowed: any dtype.
    pub fn parse_tensor(&self, serialized: impl Input, out_type: DType) -> ParseTensor<'_> {
        let mut node = Node::new(self, "ParseTensor").input(serialized);
        node.set("out_type", out_type);
        ParseTensor(node)
    }

    /// Serializes a tensor to a `TensorProto` message.
    ///
    /// - `tensor`: a tensor of `T`
    ///
    /// `T` is any dtype.
    pub fn serialize_tensor(&self, tensor: impl Input) -> SerializeTensor<'_> {
        SerializeTensor(Node::new(self, "SerializeTensor").input(tensor))
    }
}

/// A node of [`DecodeJSONExample`](Ops::decode_json_example) that is being described.
#[must_use = "it is no node before it is added"]
pub struct DecodeJSONExample<'a>(Node<'a>);

/// A node of [`ParseExample`](Ops::parse_example) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ParseExample<'a>(Node<'a>);

impl ParseExample<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> ParseExampleOutputs {
        let mut outputs = self.0.outputs();
        ParseExampleOutputs { sparse_indices: outputs.list(), sparse_values: outputs.list(), sparse_shapes: outputs.list(), dense_values: outputs.list() }
    }
}

/// The outputs of [`ParseExample`](Ops::parse_example).
#[derive(Clone, Debug)]
pub struct ParseExampleOutputs {
    /// Any number of tensors of int64.
    pub sparse_indices: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub sparse_values: Vec<Output>,
    /// Any number of tensors of int64.
    pub sparse_shapes: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub dense_values: Vec<Output>,
}

/// A node of [`ParseExampleV2`](Ops::parse_example_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ParseExampleV2<'a>(Node<'a>);

impl ParseExampleV2<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> ParseExampleV2Outputs {
        let mut outputs = self.0.outputs();
        ParseExampleV2Outputs { sparse_indices: outputs.list(), sparse_values: outputs.list(), sparse_shapes: outputs.list(), dense_values: outputs.list(), ragged_values: outputs.list(), ragged_row_splits: outputs.list() }
    }
}

/// The outputs of [`ParseExampleV2`](Ops::parse_example_v2).
#[derive(Clone, Debug)]
pub struct ParseExampleV2Outputs {
    /// Any number of tensors of int64.
    pub sparse_indices: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub sparse_values: Vec<Output>,
    /// Any number of tensors of int64.
    pub sparse_shapes: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub dense_values: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub ragged_values: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub ragged_row_splits: Vec<Output>,
}

/// A node of [`ParseSequenceExample`](Ops::parse_sequence_example) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ParseSequenceExample<'a>(Node<'a>);

impl ParseSequenceExample<'_> {
    /// Number of sparse context features. At least 0. Default: `0`.
    pub fn ncontext_sparse(mut self, ncontext_sparse: i64) -> Self {
        self.0.set("Ncontext_sparse", ncontext_sparse);
        self
    }

    /// Number of dense context features. At least 0. Default: `0`.
    pub fn ncontext_dense(mut self, ncontext_dense: i64) -> Self {
        self.0.set("Ncontext_dense", ncontext_dense);
        self
    }

    /// Number of sparse feature lists. At least 0. Default: `0`.
    pub fn nfeature_list_sparse(mut self, nfeature_list_sparse: i64) -> Self {
        self.0.set("Nfeature_list_sparse", nfeature_list_sparse);
        self
    }

    /// Number of dense feature lists. At least 0. Default: `0`.
    pub fn nfeature_list_dense(mut self, nfeature_list_dense: i64) -> Self {
        self.0.set("Nfeature_list_dense", nfeature_list_dense);
        self
    }

    /// Dtypes of the sparse context features. Allowed: float32, string, int64. Length at least 0. Default: none.
    pub fn context_sparse_types(mut self, context_sparse_types: &[DType]) -> Self {
        self.0.set("context_sparse_types", context_sparse_types.to_vec());
        self
    }

    /// Dtypes of the dense feature lists. Allowed: float32, string, int64. Length at least 0. Default: none.
    pub fn feature_list_dense_types(mut self, feature_list_dense_types: &[DType]) -> Self {
        self.0.set("feature_list_dense_types", feature_list_dense_types.to_vec());
        self
    }

    /// Shapes of the dense context features. Length at least 0. Default: none.
    pub fn context_dense_shapes(mut self, context_dense_shapes: &[PartialShape]) -> Self {
        self.0.set("context_dense_shapes", context_dense_shapes.to_vec());
        self
    }

    /// Dtypes of the sparse feature lists. Allowed: float32, string, int64. Length at least 0. Default: none.
    pub fn feature_list_sparse_types(mut self, feature_list_sparse_types: &[DType]) -> Self {
        self.0.set("feature_list_sparse_types", feature_list_sparse_types.to_vec());
        self
    }

    /// Shapes of one step of the dense feature lists. Length at least 0. Default: none.
    pub fn feature_list_dense_shapes(mut self, feature_list_dense_shapes: &[PartialShape]) -> Self {
        self.0.set("feature_list_dense_shapes", feature_list_dense_shapes.to_vec());
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> ParseSequenceExampleOutputs {
        let mut outputs = self.0.outputs();
        ParseSequenceExampleOutputs { context_sparse_indices: outputs.list(), context_sparse_values: outputs.list(), context_sparse_shapes: outputs.list(), context_dense_values: outputs.list(), feature_list_sparse_indices: outputs.list(), feature_list_sparse_values: outputs.list(), feature_list_sparse_shapes: outputs.list(), feature_list_dense_values: outputs.list(), feature_list_dense_lengths: outputs.list() }
    }
}

/// The outputs of [`ParseSequenceExample`](Ops::parse_sequence_example).
#[derive(Clone, Debug)]
pub struct ParseSequenceExampleOutputs {
    /// Any number of tensors of int64.
    pub context_sparse_indices: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub context_sparse_values: Vec<Output>,
    /// Any number of tensors of int64.
    pub context_sparse_shapes: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub context_dense_values: Vec<Output>,
    /// Any number of tensors of int64.
    pub feature_list_sparse_indices: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub feature_list_sparse_values: Vec<Output>,
    /// Any number of tensors of int64.
    pub feature_list_sparse_shapes: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub feature_list_dense_values: Vec<Output>,
    /// Any number of tensors of int64.
    pub feature_list_dense_lengths: Vec<Output>,
}

/// A node of [`ParseSequenceExampleV2`](Ops::parse_sequence_example_v2) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ParseSequenceExampleV2<'a>(Node<'a>);

impl ParseSequenceExampleV2<'_> {
    /// Number of sparse context features. At least 0. Default: `0`.
    pub fn ncontext_sparse(mut self, ncontext_sparse: i64) -> Self {
        self.0.set("Ncontext_sparse", ncontext_sparse);
        self
    }

    /// Dtypes of the sparse context features. Allowed: float32, string, int64. Length at least 0. Default: none.
    pub fn context_sparse_types(mut self, context_sparse_types: &[DType]) -> Self {
        self.0.set("context_sparse_types", context_sparse_types.to_vec());
        self
    }

    /// Dtypes of the ragged context features. Allowed: float32, string, int64. Length at least 0. Default: none.
    pub fn context_ragged_value_types(mut self, context_ragged_value_types: &[DType]) -> Self {
        self.0.set("context_ragged_value_types", context_ragged_value_types.to_vec());
        self
    }

    /// Dtypes of the ragged context features' row splits. Allowed: int32, int64. Length at least 0. Default: none.
    pub fn context_ragged_split_types(mut self, context_ragged_split_types: &[DType]) -> Self {
        self.0.set("context_ragged_split_types", context_ragged_split_types.to_vec());
        self
    }

    /// Shapes of the dense context features. Length at least 0. Default: none.
    pub fn context_dense_shapes(mut self, context_dense_shapes: &[PartialShape]) -> Self {
        self.0.set("context_dense_shapes", context_dense_shapes.to_vec());
        self
    }

    /// Number of sparse feature lists. At least 0. Default: `0`.
    pub fn nfeature_list_sparse(mut self, nfeature_list_sparse: i64) -> Self {
        self.0.set("Nfeature_list_sparse", nfeature_list_sparse);
        self
    }

    /// Number of dense feature lists. At least 0. Default: `0`.
    pub fn nfeature_list_dense(mut self, nfeature_list_dense: i64) -> Self {
        self.0.set("Nfeature_list_dense", nfeature_list_dense);
        self
    }

    /// Dtypes of the dense feature lists. Allowed: float32, string, int64. Length at least 0. Default: none.
    pub fn feature_list_dense_types(mut self, feature_list_dense_types: &[DType]) -> Self {
        self.0.set("feature_list_dense_types", feature_list_dense_types.to_vec());
        self
    }

    /// Dtypes of the sparse feature lists. Allowed: float32, string, int64. Length at least 0. Default: none.
    pub fn feature_list_sparse_types(mut self, feature_list_sparse_types: &[DType]) -> Self {
        self.0.set("feature_list_sparse_types", feature_list_sparse_types.to_vec());
        self
    }

    /// Dtypes of the ragged feature lists. Allowed: float32, string, int64. Length at least 0. Default: none.
    pub fn feature_list_ragged_value_types(mut self, feature_list_ragged_value_types: &[DType]) -> Self {
        self.0.set("feature_list_ragged_value_types", feature_list_ragged_value_types.to_vec());
        self
    }

    /// Dtypes of the ragged feature lists' row splits. Allowed: int32, int64. Length at least 0. Default: none.
    pub fn feature_list_ragged_split_types(mut self, feature_list_ragged_split_types: &[DType]) -> Self {
        self.0.set("feature_list_ragged_split_types", feature_list_ragged_split_types.to_vec());
        self
    }

    /// Shapes of one step of the dense feature lists. Length at least 0. Default: none.
    pub fn feature_list_dense_shapes(mut self, feature_list_dense_shapes: &[PartialShape]) -> Self {
        self.0.set("feature_list_dense_shapes", feature_list_dense_shapes.to_vec());
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> ParseSequenceExampleV2Outputs {
        let mut outputs = self.0.outputs();
        ParseSequenceExampleV2Outputs { context_sparse_indices: outputs.list(), context_sparse_values: outputs.list(), context_sparse_shapes: outputs.list(), context_dense_values: outputs.list(), context_ragged_values: outputs.list(), context_ragged_row_splits: outputs.list(), feature_list_sparse_indices: outputs.list(), feature_list_sparse_values: outputs.list(), feature_list_sparse_shapes: outputs.list(), feature_list_dense_values: outputs.list(), feature_list_dense_lengths: outputs.list(), feature_list_ragged_values: outputs.list(), feature_list_ragged_outer_splits: outputs.list(), feature_list_ragged_inner_splits: outputs.list() }
    }
}

/// The outputs of [`ParseSequenceExampleV2`](Ops::parse_sequence_example_v2).
#[derive(Clone, Debug)]
pub struct ParseSequenceExampleV2Outputs {
    /// Any number of tensors of int64.
    pub context_sparse_indices: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub context_sparse_values: Vec<Output>,
    /// Any number of tensors of int64.
    pub context_sparse_shapes: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub context_dense_values: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub context_ragged_values: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub context_ragged_row_splits: Vec<Output>,
    /// Any number of tensors of int64.
    pub feature_list_sparse_indices: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub feature_list_sparse_values: Vec<Output>,
    /// Any number of tensors of int64.
    pub feature_list_sparse_shapes: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub feature_list_dense_values: Vec<Output>,
    /// Any number of tensors of int64.
    pub feature_list_dense_lengths: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub feature_list_ragged_values: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub feature_list_ragged_outer_splits: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub feature_list_ragged_inner_splits: Vec<Output>,
}

/// A node of [`ParseSingleExample`](Ops::parse_single_example) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ParseSingleExample<'a>(Node<'a>);

impl ParseSingleExample<'_> {
    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> ParseSingleExampleOutputs {
        let mut outputs = self.0.outputs();
        ParseSingleExampleOutputs { sparse_indices: outputs.list(), sparse_values: outputs.list(), sparse_shapes: outputs.list(), dense_values: outputs.list() }
    }
}

/// The outputs of [`ParseSingleExample`](Ops::parse_single_example).
#[derive(Clone, Debug)]
pub struct ParseSingleExampleOutputs {
    /// Any number of tensors of int64.
    pub sparse_indices: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub sparse_values: Vec<Output>,
    /// Any number of tensors of int64.
    pub sparse_shapes: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub dense_values: Vec<Output>,
}

/// A node of [`ParseSingleSequenceExample`](Ops::parse_single_sequence_example) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ParseSingleSequenceExample<'a>(Node<'a>);

impl ParseSingleSequenceExample<'_> {
    /// Dtypes of the sparse context features. Allowed: float32, string, int64. Length at least 0. Default: none.
    pub fn context_sparse_types(mut self, context_sparse_types: &[DType]) -> Self {
        self.0.set("context_sparse_types", context_sparse_types.to_vec());
        self
    }

    /// Dtypes of the dense feature lists. Allowed: float32, string, int64. Length at least 0. Default: none.
    pub fn feature_list_dense_types(mut self, feature_list_dense_types: &[DType]) -> Self {
        self.0.set("feature_list_dense_types", feature_list_dense_types.to_vec());
        self
    }

    /// Shapes of the dense context features. Length at least 0. Default: none.
    pub fn context_dense_shapes(mut self, context_dense_shapes: &[PartialShape]) -> Self {
        self.0.set("context_dense_shapes", context_dense_shapes.to_vec());
        self
    }

    /// Dtypes of the sparse feature lists. Allowed: float32, string, int64. Length at least 0. Default: none.
    pub fn feature_list_sparse_types(mut self, feature_list_sparse_types: &[DType]) -> Self {
        self.0.set("feature_list_sparse_types", feature_list_sparse_types.to_vec());
        self
    }

    /// Shapes of one step of the dense feature lists. Length at least 0. Default: none.
    pub fn feature_list_dense_shapes(mut self, feature_list_dense_shapes: &[PartialShape]) -> Self {
        self.0.set("feature_list_dense_shapes", feature_list_dense_shapes.to_vec());
        self
    }

    /// Adds the node to the graph; returns its outputs.
    pub fn add(self) -> ParseSingleSequenceExampleOutputs {
        let mut outputs = self.0.outputs();
        ParseSingleSequenceExampleOutputs { context_sparse_indices: outputs.list(), context_sparse_values: outputs.list(), context_sparse_shapes: outputs.list(), context_dense_values: outputs.list(), feature_list_sparse_indices: outputs.list(), feature_list_sparse_values: outputs.list(), feature_list_sparse_shapes: outputs.list(), feature_list_dense_values: outputs.list() }
    }
}

/// The outputs of [`ParseSingleSequenceExample`](Ops::parse_single_sequence_example).
#[derive(Clone, Debug)]
pub struct ParseSingleSequenceExampleOutputs {
    /// Any number of tensors of int64.
    pub context_sparse_indices: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub context_sparse_values: Vec<Output>,
    /// Any number of tensors of int64.
    pub context_sparse_shapes: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub context_dense_values: Vec<Output>,
    /// Any number of tensors of int64.
    pub feature_list_sparse_indices: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub feature_list_sparse_values: Vec<Output>,
    /// Any number of tensors of int64.
    pub feature_list_sparse_shapes: Vec<Output>,
    /// Any number of tensors of any dtypes.
    pub feature_list_dense_values: Vec<Output>,
}

/// A node of [`ParseTensor`](Ops::parse_tensor) that is being described.
#[must_use = "it is no node before it is added"]
pub struct ParseTensor<'a>(Node<'a>);

/// A node of [`SerializeTensor`](Ops::serialize_tensor) that is being described.
#[must_use = "it is no node before it is added"]
pub struct SerializeTensor<'a>(Node<'a>);

common! {
    DecodeJSONExample
    ParseExample
    ParseExampleV2
    ParseSequenceExample
    ParseSequenceExampleV2
    ParseSingleExample
    ParseSingleSequenceExample
    ParseTensor
    SerializeTensor
}

one_output! {
    DecodeJSONExample
    ParseTensor
    SerializeTensor
}
