//! The messages of the GraphDef schema, with their public field numbers and their JSON mapping.
//!
//! Fields that do not affect what a graph computes (debug information, full types) are omitted; protobuf skips them.

use crate::dtype::EdgeType;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use prost::bytes::Bytes;
use prost::{Message, Oneof};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GraphDef {
    #[prost(message, repeated, tag = "1")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub node: Vec<NodeDef>,
    #[prost(message, optional, tag = "2")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub library: Option<FunctionDefLibrary>,
    #[prost(int32, tag = "3")]
    #[serde(skip_serializing_if = "is_default")]
    pub version: i32,
    #[prost(message, optional, tag = "4")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub versions: Option<VersionDef>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NodeDef {
    #[prost(string, tag = "1")]
    #[serde(skip_serializing_if = "is_default")]
    pub name: String,
    #[prost(string, tag = "2")]
    #[serde(skip_serializing_if = "is_default")]
    pub op: String,
    #[prost(string, repeated, tag = "3")]
    #[serde(skip_serializing_if = "is_default")]
    pub input: Vec<String>,
    #[prost(string, tag = "4")]
    #[serde(skip_serializing_if = "is_default")]
    pub device: String,
    #[prost(btree_map = "string, message", tag = "5")]
    #[serde(skip_serializing_if = "is_default")]
    pub attr: BTreeMap<String, AttrValue>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VersionDef {
    #[prost(int32, tag = "1")]
    #[serde(skip_serializing_if = "is_default")]
    pub producer: i32,
    #[prost(int32, tag = "2")]
    #[serde(skip_serializing_if = "is_default")]
    pub min_consumer: i32,
    #[prost(int32, repeated, tag = "3")]
    #[serde(skip_serializing_if = "is_default")]
    pub bad_consumers: Vec<i32>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct AttrValue {
    #[prost(oneof = "Value", tags = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10")]
    pub value: Option<Value>,
}

// One value is read at a time, so the size of the largest variant does not matter.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, PartialEq, Oneof, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Value {
    #[prost(message, tag = "1")]
    List(ListValue),
    #[prost(bytes = "bytes", tag = "2")]
    S(#[serde(serialize_with = "base64")] Bytes),
    #[prost(int64, tag = "3")]
    I(#[serde(serialize_with = "digits")] i64),
    #[prost(float, tag = "4")]
    F(#[serde(serialize_with = "float")] f32),
    #[prost(bool, tag = "5")]
    B(bool),
    #[prost(int32, tag = "6")]
    Type(#[serde(serialize_with = "dtype")] i32),
    #[prost(message, tag = "7")]
    Shape(TensorShapeProto),
    #[prost(message, tag = "8")]
    Tensor(TensorProto),
    #[prost(string, tag = "9")]
    Placeholder(String),
    #[prost(message, tag = "10")]
    Func(NameAttrList),
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListValue {
    #[prost(bytes = "bytes", repeated, tag = "2")]
    #[serde(skip_serializing_if = "is_default", serialize_with = "base64s")]
    pub s: Vec<Bytes>,
    #[prost(int64, repeated, tag = "3")]
    #[serde(skip_serializing_if = "is_default", serialize_with = "all_digits")]
    pub i: Vec<i64>,
    #[prost(float, repeated, tag = "4")]
    #[serde(skip_serializing_if = "is_default", serialize_with = "floats")]
    pub f: Vec<f32>,
    #[prost(bool, repeated, tag = "5")]
    #[serde(skip_serializing_if = "is_default")]
    pub b: Vec<bool>,
    #[prost(int32, repeated, tag = "6")]
    #[serde(skip_serializing_if = "is_default", serialize_with = "dtypes")]
    pub r#type: Vec<i32>,
    #[prost(message, repeated, tag = "7")]
    #[serde(skip_serializing_if = "is_default")]
    pub shape: Vec<TensorShapeProto>,
    #[prost(message, repeated, tag = "8")]
    #[serde(skip_serializing_if = "is_default")]
    pub tensor: Vec<TensorProto>,
    #[prost(message, repeated, tag = "9")]
    #[serde(skip_serializing_if = "is_default")]
    pub func: Vec<NameAttrList>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NameAttrList {
    #[prost(string, tag = "1")]
    #[serde(skip_serializing_if = "is_default")]
    pub name: String,
    #[prost(btree_map = "string, message", tag = "2")]
    #[serde(skip_serializing_if = "is_default")]
    pub attr: BTreeMap<String, AttrValue>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TensorShapeProto {
    #[prost(message, repeated, tag = "2")]
    #[serde(skip_serializing_if = "is_default")]
    pub dim: Vec<Dim>,
    #[prost(bool, tag = "3")]
    #[serde(skip_serializing_if = "is_default")]
    pub unknown_rank: bool,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Dim {
    #[prost(int64, tag = "1")]
    #[serde(serialize_with = "digits")]
    pub size: i64,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TensorProto {
    #[prost(int32, tag = "1")]
    #[serde(serialize_with = "dtype")]
    pub dtype: i32,
    #[prost(message, optional, tag = "2")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tensor_shape: Option<TensorShapeProto>,
    #[prost(bytes = "bytes", tag = "4")]
    #[serde(skip_serializing_if = "is_default", serialize_with = "base64")]
    pub tensor_content: Bytes,
    #[prost(int32, repeated, tag = "13")]
    #[serde(skip_serializing_if = "is_default")]
    pub half_val: Vec<i32>,
    #[prost(float, repeated, tag = "5")]
    #[serde(skip_serializing_if = "is_default", serialize_with = "floats")]
    pub float_val: Vec<f32>,
    #[prost(double, repeated, tag = "6")]
    #[serde(skip_serializing_if = "is_default", serialize_with = "floats")]
    pub double_val: Vec<f64>,
    #[prost(int32, repeated, tag = "7")]
    #[serde(skip_serializing_if = "is_default")]
    pub int_val: Vec<i32>,
    #[prost(bytes = "bytes", repeated, tag = "8")]
    #[serde(skip_serializing_if = "is_default", serialize_with = "base64s")]
    pub string_val: Vec<Bytes>,
    #[prost(float, repeated, tag = "9")]
    #[serde(skip_serializing_if = "is_default", serialize_with = "floats")]
    pub scomplex_val: Vec<f32>,
    #[prost(int64, repeated, tag = "10")]
    #[serde(skip_serializing_if = "is_default", serialize_with = "all_digits")]
    pub int64_val: Vec<i64>,
    #[prost(bool, repeated, tag = "11")]
    #[serde(skip_serializing_if = "is_default")]
    pub bool_val: Vec<bool>,
    #[prost(double, repeated, tag = "12")]
    #[serde(skip_serializing_if = "is_default", serialize_with = "floats")]
    pub dcomplex_val: Vec<f64>,
    #[prost(message, repeated, tag = "14")]
    #[serde(skip)]
    pub resource_handle_val: Vec<ResourceHandleProto>,
    #[prost(message, repeated, tag = "15")]
    #[serde(skip_serializing_if = "is_default")]
    pub variant_val: Vec<VariantTensorDataProto>,
    #[prost(uint32, repeated, tag = "16")]
    #[serde(skip_serializing_if = "is_default")]
    pub uint32_val: Vec<u32>,
    #[prost(uint64, repeated, tag = "17")]
    #[serde(skip_serializing_if = "is_default", serialize_with = "all_digits")]
    pub uint64_val: Vec<u64>,
    #[prost(bytes = "bytes", tag = "18")]
    #[serde(skip_serializing_if = "is_default", serialize_with = "base64")]
    pub float8_val: Bytes,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VariantTensorDataProto {
    #[prost(string, tag = "1")]
    #[serde(skip_serializing_if = "is_default")]
    pub type_name: String,
    #[prost(bytes = "bytes", tag = "2")]
    #[serde(skip_serializing_if = "is_default", serialize_with = "base64")]
    pub metadata: Bytes,
    #[prost(message, repeated, tag = "3")]
    #[serde(skip_serializing_if = "is_default")]
    pub tensors: Vec<TensorProto>,
}

/// Recognised but never used: handles do not outlive their session.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ResourceHandleProto {
    #[prost(string, tag = "3")]
    pub name: String,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FunctionDefLibrary {
    #[prost(message, repeated, tag = "1")]
    #[serde(skip_serializing_if = "is_default")]
    pub function: Vec<FunctionDef>,
    #[prost(message, repeated, tag = "2")]
    #[serde(skip_serializing_if = "is_default")]
    pub gradient: Vec<GradientDef>,
    #[prost(message, repeated, tag = "3")]
    #[serde(skip_serializing_if = "is_default")]
    pub registered_gradients: Vec<RegisteredGradient>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RegisteredGradient {
    #[prost(string, tag = "1")]
    #[serde(skip_serializing_if = "is_default")]
    pub gradient_func: String,
    #[prost(string, tag = "2")]
    #[serde(skip_serializing_if = "is_default")]
    pub registered_op_type: String,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FunctionDef {
    #[prost(message, optional, tag = "1")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<OpDef>,
    #[prost(btree_map = "string, message", tag = "5")]
    #[serde(skip_serializing_if = "is_default")]
    pub attr: BTreeMap<String, AttrValue>,
    #[prost(btree_map = "uint32, message", tag = "7")]
    #[serde(skip_serializing_if = "is_default")]
    pub arg_attr: BTreeMap<u32, ArgAttrs>,
    #[prost(btree_map = "uint32, uint32", tag = "8")]
    #[serde(skip_serializing_if = "is_default")]
    pub resource_arg_unique_id: BTreeMap<u32, u32>,
    #[prost(message, repeated, tag = "3")]
    #[serde(skip_serializing_if = "is_default")]
    pub node_def: Vec<NodeDef>,
    #[prost(btree_map = "string, string", tag = "4")]
    #[serde(skip_serializing_if = "is_default")]
    pub ret: BTreeMap<String, String>,
    #[prost(btree_map = "string, string", tag = "6")]
    #[serde(skip_serializing_if = "is_default")]
    pub control_ret: BTreeMap<String, String>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ArgAttrs {
    #[prost(btree_map = "string, message", tag = "1")]
    #[serde(skip_serializing_if = "is_default")]
    pub attr: BTreeMap<String, AttrValue>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GradientDef {
    #[prost(string, tag = "1")]
    #[serde(skip_serializing_if = "is_default")]
    pub function_name: String,
    #[prost(string, tag = "2")]
    #[serde(skip_serializing_if = "is_default")]
    pub gradient_func: String,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OpDef {
    #[prost(string, tag = "1")]
    #[serde(skip_serializing_if = "is_default")]
    pub name: String,
    #[prost(message, repeated, tag = "2")]
    #[serde(skip_serializing_if = "is_default")]
    pub input_arg: Vec<ArgDef>,
    #[prost(message, repeated, tag = "3")]
    #[serde(skip_serializing_if = "is_default")]
    pub output_arg: Vec<ArgDef>,
    #[prost(string, repeated, tag = "20")]
    #[serde(skip_serializing_if = "is_default")]
    pub control_output: Vec<String>,
    #[prost(message, repeated, tag = "4")]
    #[serde(skip_serializing_if = "is_default")]
    pub attr: Vec<AttrDef>,
    #[prost(string, tag = "5")]
    #[serde(skip_serializing_if = "is_default")]
    pub summary: String,
    #[prost(string, tag = "6")]
    #[serde(skip_serializing_if = "is_default")]
    pub description: String,
    #[prost(bool, tag = "17")]
    #[serde(skip_serializing_if = "is_default")]
    pub is_stateful: bool,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ArgDef {
    #[prost(string, tag = "1")]
    #[serde(skip_serializing_if = "is_default")]
    pub name: String,
    #[prost(string, tag = "2")]
    #[serde(skip_serializing_if = "is_default")]
    pub description: String,
    #[prost(int32, tag = "3")]
    #[serde(skip_serializing_if = "is_default", serialize_with = "dtype")]
    pub r#type: i32,
    #[prost(string, tag = "4")]
    #[serde(skip_serializing_if = "is_default")]
    pub type_attr: String,
    #[prost(string, tag = "5")]
    #[serde(skip_serializing_if = "is_default")]
    pub number_attr: String,
    #[prost(string, tag = "6")]
    #[serde(skip_serializing_if = "is_default")]
    pub type_list_attr: String,
    #[prost(bool, tag = "16")]
    #[serde(skip_serializing_if = "is_default")]
    pub is_ref: bool,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AttrDef {
    #[prost(string, tag = "1")]
    #[serde(skip_serializing_if = "is_default")]
    pub name: String,
    #[prost(string, tag = "2")]
    #[serde(skip_serializing_if = "is_default")]
    pub r#type: String,
    #[prost(message, optional, tag = "3")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_value: Option<AttrValue>,
    #[prost(string, tag = "4")]
    #[serde(skip_serializing_if = "is_default")]
    pub description: String,
    #[prost(bool, tag = "5")]
    #[serde(skip_serializing_if = "is_default")]
    pub has_minimum: bool,
    #[prost(int64, tag = "6")]
    #[serde(skip_serializing_if = "is_default", serialize_with = "digits")]
    pub minimum: i64,
    #[prost(message, optional, tag = "7")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed_values: Option<AttrValue>,
}

/// A graph with the model data around it.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct MetaGraphDef {
    #[prost(message, optional, tag = "2")]
    pub graph_def: Option<GraphDef>,
    #[prost(message, optional, tag = "3")]
    pub saver_def: Option<SaverDef>,
    #[prost(btree_map = "string, message", tag = "4")]
    pub collection_def: BTreeMap<String, CollectionDef>,
    #[prost(btree_map = "string, message", tag = "5")]
    pub signature_def: BTreeMap<String, SignatureDef>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SaverDef {
    #[prost(string, tag = "1")]
    #[serde(skip_serializing_if = "is_default")]
    pub filename_tensor_name: String,
    #[prost(string, tag = "2")]
    #[serde(skip_serializing_if = "is_default")]
    pub save_tensor_name: String,
    #[prost(string, tag = "3")]
    #[serde(skip_serializing_if = "is_default")]
    pub restore_op_name: String,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SignatureDef {
    #[prost(btree_map = "string, message", tag = "1")]
    #[serde(skip_serializing_if = "is_default")]
    pub inputs: BTreeMap<String, TensorInfo>,
    #[prost(btree_map = "string, message", tag = "2")]
    #[serde(skip_serializing_if = "is_default")]
    pub outputs: BTreeMap<String, TensorInfo>,
    #[prost(string, tag = "3")]
    #[serde(skip_serializing_if = "is_default")]
    pub method_name: String,
    #[prost(btree_map = "string, message", tag = "4")]
    #[serde(skip_serializing_if = "is_default")]
    pub defaults: BTreeMap<String, TensorProto>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TensorInfo {
    #[prost(string, tag = "1")]
    #[serde(skip_serializing_if = "is_default")]
    pub name: String,
    #[prost(int32, tag = "2")]
    #[serde(skip_serializing_if = "is_default", serialize_with = "dtype")]
    pub dtype: i32,
    #[prost(message, optional, tag = "3")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tensor_shape: Option<TensorShapeProto>,
    #[prost(message, optional, tag = "4")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coo_sparse: Option<CooSparse>,
    #[prost(message, optional, tag = "5")]
    #[serde(skip)]
    pub composite_tensor: Option<CompositeTensor>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CooSparse {
    #[prost(string, tag = "1")]
    pub values_tensor_name: String,
    #[prost(string, tag = "2")]
    pub indices_tensor_name: String,
    #[prost(string, tag = "3")]
    pub dense_shape_tensor_name: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct CompositeTensor {
    #[prost(bytes = "bytes", optional, tag = "1")]
    pub type_spec: Option<Bytes>,
    #[prost(message, repeated, tag = "2")]
    pub components: Vec<TensorInfo>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct CollectionDef {
    #[prost(oneof = "CollectionKind", tags = "1, 2, 3, 4")]
    pub kind: Option<CollectionKind>,
}

#[derive(Clone, PartialEq, Oneof, Serialize)]
pub(crate) enum CollectionKind {
    #[prost(message, tag = "1")]
    #[serde(rename = "nodeList")]
    Nodes(NodeList),
    #[prost(message, tag = "2")]
    #[serde(rename = "bytesList")]
    Bytes(BytesList),
    #[prost(message, tag = "3")]
    #[serde(rename = "int64List")]
    Ints(Int64List),
    #[prost(message, tag = "4")]
    #[serde(rename = "floatList")]
    Floats(FloatList),
}

#[derive(Clone, PartialEq, Message, Serialize)]
pub(crate) struct NodeList {
    #[prost(string, repeated, tag = "1")]
    #[serde(skip_serializing_if = "is_default")]
    pub value: Vec<String>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
pub(crate) struct BytesList {
    #[prost(bytes = "bytes", repeated, tag = "1")]
    #[serde(skip_serializing_if = "is_default", serialize_with = "base64s")]
    pub value: Vec<Bytes>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
pub(crate) struct Int64List {
    #[prost(int64, repeated, tag = "1")]
    #[serde(skip_serializing_if = "is_default", serialize_with = "all_digits")]
    pub value: Vec<i64>,
}

#[derive(Clone, PartialEq, Message, Serialize)]
pub(crate) struct FloatList {
    #[prost(float, repeated, tag = "1")]
    #[serde(skip_serializing_if = "is_default", serialize_with = "floats")]
    pub value: Vec<f32>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct QueueRunnerDef {
    #[prost(string, tag = "1")]
    pub queue_name: String,
    #[prost(string, repeated, tag = "2")]
    pub enqueue_op_name: Vec<String>,
    #[prost(string, tag = "3")]
    pub close_op_name: String,
    #[prost(string, tag = "4")]
    pub cancel_op_name: String,
    #[prost(int32, repeated, tag = "5")]
    pub queue_closed_exception_types: Vec<i32>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct VariableDef {
    #[prost(string, tag = "1")]
    pub variable_name: String,
    #[prost(string, tag = "2")]
    pub initializer_name: String,
    #[prost(string, tag = "3")]
    pub snapshot_name: String,
    #[prost(bool, tag = "5")]
    pub is_resource: bool,
    #[prost(string, tag = "6")]
    pub initial_value_name: String,
    #[prost(bool, tag = "7")]
    pub trainable: bool,
}

impl Serialize for CollectionDef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.kind {
            Some(kind) => kind.serialize(serializer),
            None => serializer.serialize_map(Some(0))?.end(),
        }
    }
}

/// Only to be recognised.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct SavedModel {
    #[prost(int64, tag = "1")]
    pub schema_version: i64,
    #[prost(message, repeated, tag = "2")]
    pub meta_graphs: Vec<MetaGraphDef>,
}

impl Serialize for AttrValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.value {
            Some(value) => value.serialize(serializer),
            None => serializer.serialize_map(Some(0))?.end(),
        }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// 64-bit integers are strings in JSON, whose numbers are doubles.
fn digits<S: Serializer>(value: &i64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

fn base64<S: Serializer>(bytes: &Bytes, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&STANDARD.encode(bytes))
}

fn float<S: Serializer, F: Float>(value: &F, serializer: S) -> Result<S::Ok, S::Error> {
    Number(*value).serialize(serializer)
}

fn dtype<S: Serializer>(number: &i32, serializer: S) -> Result<S::Ok, S::Error> {
    match EdgeType::from_number(*number) {
        Some(ty) => serializer.serialize_str(&ty.proto_name()),
        None => serializer.serialize_i32(*number),
    }
}

fn sequence<S: Serializer, T, U: Serialize>(
    values: &[T],
    wrap: impl Fn(&T) -> U,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut seq = serializer.serialize_seq(Some(values.len()))?;
    for value in values {
        seq.serialize_element(&wrap(value))?;
    }
    seq.end()
}

fn all_digits<S: Serializer, T: ToString>(values: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    sequence(values, T::to_string, serializer)
}

fn base64s<S: Serializer>(values: &[Bytes], serializer: S) -> Result<S::Ok, S::Error> {
    sequence(values, |v| STANDARD.encode(v), serializer)
}

fn floats<S: Serializer, F: Float>(values: &[F], serializer: S) -> Result<S::Ok, S::Error> {
    sequence(values, |v| Number(*v), serializer)
}

fn dtypes<S: Serializer>(values: &[i32], serializer: S) -> Result<S::Ok, S::Error> {
    struct Name(i32);
    impl Serialize for Name {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            dtype(&self.0, serializer)
        }
    }
    sequence(values, |v| Name(*v), serializer)
}

/// A float as proto JSON writes it: the shortest digits that round-trip, names for non-finite values.
struct Number<F>(F);

trait Float: Copy + Serialize + Into<f64> {}
impl Float for f32 {}
impl Float for f64 {}

impl<F: Float> Serialize for Number<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.into() {
            v if v.is_nan() => serializer.serialize_str("NaN"),
            f64::INFINITY => serializer.serialize_str("Infinity"),
            f64::NEG_INFINITY => serializer.serialize_str("-Infinity"),
            // The shortest digits of the maximum f32 exceed it, which protobuf's reader refuses.
            v if v.abs() == f64::from(f32::MAX) => serializer.serialize_f64(v),
            _ => self.0.serialize(serializer),
        }
    }
}
