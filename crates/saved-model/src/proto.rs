//! The messages of a SavedModel, as far as they are used, with their public field numbers. The graph of a MetaGraph
//! stays serialized, for [`levada_graph::read`].

use prost::bytes::Bytes;
use prost::{Message, Oneof};
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, Message)]
pub struct SavedModel {
    #[prost(int64, tag = "1")]
    pub schema_version: i64,
    /// Each a `MetaGraphDef`.
    #[prost(bytes = "bytes", repeated, tag = "2")]
    pub meta_graphs: Vec<Bytes>,
}

/// The fields of a `MetaGraphDef` that the graph's own reader does not read.
#[derive(Clone, PartialEq, Message)]
pub struct Beside {
    #[prost(message, optional, tag = "1")]
    pub meta_info: Option<MetaInfo>,
    #[prost(btree_map = "string, message", tag = "4")]
    pub collections: BTreeMap<String, AnyCollection>,
    #[prost(message, repeated, tag = "6")]
    pub assets: Vec<AssetFile>,
    #[prost(message, optional, tag = "7")]
    pub objects: Option<ObjectGraph>,
}

#[derive(Clone, PartialEq, Message)]
pub struct MetaInfo {
    #[prost(string, tag = "1")]
    pub meta_graph_version: String,
    #[prost(string, repeated, tag = "4")]
    pub tags: Vec<String>,
    #[prost(string, tag = "5")]
    pub tensorflow_version: String,
    #[prost(bool, tag = "7")]
    pub stripped_default_attrs: bool,
}

#[derive(Clone, PartialEq, Message)]
pub struct AssetFile {
    #[prost(message, optional, tag = "1")]
    pub tensor: Option<TensorName>,
    #[prost(string, tag = "2")]
    pub filename: String,
}

/// `TensorInfo`, of which only the name is used.
#[derive(Clone, PartialEq, Message)]
pub struct TensorName {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(int32, tag = "2")]
    pub dtype: i32,
    #[prost(message, optional, tag = "3")]
    pub shape: Option<TensorShape>,
}

/// A collection, decoded only if it holds messages of any type.
#[derive(Clone, PartialEq, Message)]
pub struct AnyCollection {
    #[prost(message, optional, tag = "5")]
    pub list: Option<AnyList>,
}

#[derive(Clone, PartialEq, Message)]
pub struct AnyList {
    #[prost(message, repeated, tag = "1")]
    pub values: Vec<Any>,
}

/// A message of any type.
#[derive(Clone, PartialEq, Message)]
pub struct Any {
    #[prost(string, tag = "1")]
    pub type_url: String,
    #[prost(bytes = "bytes", tag = "2")]
    pub value: Bytes,
}

#[derive(Clone, PartialEq, Message)]
pub struct ObjectGraph {
    #[prost(message, repeated, tag = "1")]
    pub nodes: Vec<Object>,
    #[prost(btree_map = "string, message", tag = "2")]
    pub concrete_functions: BTreeMap<String, ConcreteFunction>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Object {
    #[prost(message, repeated, tag = "1")]
    pub children: Vec<Child>,
    #[prost(oneof = "Kind", tags = "5, 6, 7, 8, 9, 10, 12")]
    pub kind: Option<Kind>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Child {
    #[prost(int32, tag = "1")]
    pub node: i32,
    #[prost(string, tag = "2")]
    pub name: String,
}

#[derive(Clone, PartialEq, Oneof)]
pub enum Kind {
    #[prost(message, tag = "5")]
    Asset(Asset),
    #[prost(message, tag = "6")]
    Function(Function),
    #[prost(message, tag = "7")]
    Variable(Variable),
    #[prost(message, tag = "8")]
    Bare(Bare),
    #[prost(message, tag = "9")]
    Constant(Constant),
    #[prost(message, tag = "10")]
    Resource(Resource),
    #[prost(message, tag = "12")]
    Captured(Captured),
}

#[derive(Clone, PartialEq, Message)]
pub struct Asset {
    #[prost(int32, tag = "1")]
    pub index: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct Function {
    #[prost(string, repeated, tag = "1")]
    pub concrete: Vec<String>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Variable {
    #[prost(int32, tag = "1")]
    pub dtype: i32,
    #[prost(string, tag = "6")]
    pub name: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct Bare {
    #[prost(string, tag = "1")]
    pub concrete: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct Constant {
    #[prost(string, tag = "1")]
    pub operation: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct Resource {}

#[derive(Clone, PartialEq, Message)]
pub struct Captured {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(string, tag = "2")]
    pub concrete: String,
}

#[derive(Clone, PartialEq, Message)]
pub struct ConcreteFunction {
    #[prost(int32, repeated, tag = "2")]
    pub bound_inputs: Vec<i32>,
    #[prost(message, optional, tag = "3")]
    pub inputs: Option<Structured>,
    #[prost(message, optional, tag = "4")]
    pub outputs: Option<Structured>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Structured {
    #[prost(oneof = "Value", tags = "33, 34, 35, 51, 52, 53, 54")]
    pub value: Option<Value>,
}

/// The values of a structure; those that are not tensors are omitted.
#[derive(Clone, PartialEq, Oneof)]
pub enum Value {
    #[prost(message, tag = "33")]
    Tensor(TensorSpec),
    #[prost(message, tag = "34")]
    Composite(TypeSpec),
    #[prost(message, tag = "35")]
    Bounded(TensorSpec),
    #[prost(message, tag = "51")]
    List(Items),
    #[prost(message, tag = "52")]
    Tuple(Items),
    #[prost(message, tag = "53")]
    Dict(Fields),
    #[prost(message, tag = "54")]
    Named(NamedItems),
}

#[derive(Clone, PartialEq, Message)]
pub struct TensorSpec {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, optional, tag = "2")]
    pub shape: Option<TensorShape>,
    #[prost(int32, tag = "3")]
    pub dtype: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct TypeSpec {
    #[prost(int32, tag = "4")]
    pub num_flat_components: i32,
}

#[derive(Clone, PartialEq, Message)]
pub struct Items {
    #[prost(message, repeated, tag = "1")]
    pub values: Vec<Structured>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Fields {
    #[prost(btree_map = "string, message", tag = "1")]
    pub fields: BTreeMap<String, Structured>,
}

#[derive(Clone, PartialEq, Message)]
pub struct NamedItems {
    #[prost(message, repeated, tag = "2")]
    pub values: Vec<Pair>,
}

#[derive(Clone, PartialEq, Message)]
pub struct Pair {
    #[prost(string, tag = "1")]
    pub key: String,
    #[prost(message, optional, tag = "2")]
    pub value: Option<Structured>,
}

#[derive(Clone, PartialEq, Message)]
pub struct TensorShape {
    #[prost(message, repeated, tag = "2")]
    pub dim: Vec<Dim>,
    #[prost(bool, tag = "3")]
    pub unknown_rank: bool,
}

#[derive(Clone, PartialEq, Message)]
pub struct Dim {
    #[prost(int64, tag = "1")]
    pub size: i64,
}
/// The fields that a written SavedModel adds to the `MetaGraphDef` of the graph's own writer: concatenated messages of
/// the same type are read as one.
#[derive(Clone, PartialEq, Message)]
pub struct MetaGraphAdditions {
    #[prost(message, optional, tag = "1")]
    pub meta_info: Option<MetaInfo>,
    #[prost(message, optional, tag = "3")]
    pub saver: Option<SaverVersion>,
    #[prost(message, repeated, tag = "6")]
    pub assets: Vec<AssetFile>,
}

#[derive(Clone, PartialEq, Message)]
pub struct SaverVersion {
    #[prost(int32, tag = "4")]
    pub max_to_keep: i32,
    /// 2 for the format of an index and files of data.
    #[prost(int32, tag = "7")]
    pub version: i32,
}

/// A `MetaGraphDef` of a graph alone.
#[derive(Clone, PartialEq, Message)]
pub struct GraphOnly {
    #[prost(bytes = "vec", tag = "2")]
    pub graph: Vec<u8>,
}
