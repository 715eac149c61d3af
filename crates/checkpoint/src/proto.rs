//! The messages of the format, with their public field numbers.

use levada_graph::Shape;
use prost::Message;
use prost::bytes::Bytes;

/// The index entry of the checkpoint, under the empty key.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Header {
    #[prost(int32, tag = "1")]
    pub num_shards: i32,
    /// 0 for little endian, 1 for big endian.
    #[prost(int32, tag = "2")]
    pub endianness: i32,
    #[prost(message, optional, tag = "3")]
    pub version: Option<Versions>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Versions {
    #[prost(int32, tag = "1")]
    pub producer: i32,
    #[prost(int32, tag = "2")]
    pub min_consumer: i32,
}

/// The index entry of a tensor.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct BundleEntry {
    #[prost(int32, tag = "1")]
    pub dtype: i32,
    #[prost(message, optional, tag = "2")]
    pub shape: Option<TensorShape>,
    #[prost(int32, tag = "3")]
    pub shard: i32,
    #[prost(int64, tag = "4")]
    pub offset: i64,
    #[prost(int64, tag = "5")]
    pub size: i64,
    #[prost(fixed32, tag = "6")]
    pub crc32c: u32,
    #[prost(message, repeated, tag = "7")]
    pub slices: Vec<TensorSlice>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct TensorShape {
    #[prost(message, repeated, tag = "2")]
    pub dim: Vec<Dim>,
    #[prost(bool, tag = "3")]
    pub unknown_rank: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Dim {
    #[prost(int64, tag = "1")]
    pub size: i64,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct TensorSlice {
    #[prost(message, repeated, tag = "1")]
    pub extent: Vec<Extent>,
}

/// Part of an axis; the whole axis without a length.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Extent {
    #[prost(int64, tag = "1")]
    pub start: i64,
    #[prost(int64, optional, tag = "2")]
    pub length: Option<i64>,
}

/// A variant. Its tensors are `TensorProto`s.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct VariantData {
    #[prost(string, tag = "1")]
    pub type_name: String,
    #[prost(bytes = "bytes", tag = "2")]
    pub metadata: Bytes,
    #[prost(bytes = "bytes", repeated, tag = "3")]
    pub tensors: Vec<Bytes>,
}

/// A value in the table of a checkpoint of the first format.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct SavedTensorSlices {
    #[prost(message, optional, tag = "1")]
    pub meta: Option<SavedMeta>,
    #[prost(message, optional, tag = "2")]
    pub data: Option<SavedSlice>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct SavedMeta {
    #[prost(message, repeated, tag = "1")]
    pub tensor: Vec<SavedTensor>,
    #[prost(message, optional, tag = "2")]
    pub versions: Option<Versions>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct SavedTensor {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, optional, tag = "2")]
    pub shape: Option<TensorShape>,
    #[prost(int32, tag = "3")]
    pub dtype: i32,
    #[prost(message, repeated, tag = "4")]
    pub slice: Vec<TensorSlice>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct SavedSlice {
    #[prost(string, tag = "1")]
    pub name: String,
    #[prost(message, optional, tag = "2")]
    pub slice: Option<TensorSlice>,
    /// A `TensorProto` without dtype and shape.
    #[prost(bytes = "bytes", tag = "3")]
    pub data: Bytes,
}

pub(crate) fn shape_proto(shape: &Shape) -> TensorShape {
    TensorShape { dim: shape.dims().iter().map(|&d| Dim { size: d as i64 }).collect(), unknown_rank: false }
}
