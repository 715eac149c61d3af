//! Writes GraphDefs: canonical JSON, which is stable under loading and saving, and protobuf.
//!
//! ```
//! use levada_graph::def::{GraphDef, NodeDef};
//! use levada_graph::{read, write};
//! let def = GraphDef { nodes: vec![NodeDef { name: "a".into(), op: "NoOp".into(), ..Default::default() }], ..Default::default() };
//! let text = write::json(&def).unwrap();
//! assert_eq!(text, "{\n  \"node\": [\n    {\"name\": \"a\", \"op\": \"NoOp\"}\n  ]\n}\n");
//! assert_eq!(read::parse_json(text.as_bytes(), None).unwrap().0, def);
//! ```

mod message;
mod spaced;
mod tensor;

pub(crate) use message::shape;

use crate::def::GraphDef;
use crate::error::{Error, Result};
use crate::proto;
use crate::tensor::Tensor;
use prost::Message;

/// A GraphDef as JSON: proto JSON mapping, fields in a fixed order, attrs sorted by name, one node per line. If there
/// are collections, the text is that of a MetaGraphDef.
///
/// # Errors
/// `UNIMPLEMENTED` for tensors that cannot be stored in a file: resources, variants, memory of a device.
pub fn json(def: &GraphDef) -> Result<String> {
    spaced::file(&message::file(def)?)
}

/// A GraphDef, or a MetaGraphDef if there are collections, signatures or a saver, as binary protobuf.
///
/// # Errors
/// As [`json`].
pub fn pb(def: &GraphDef) -> Result<Vec<u8>> {
    Ok(match message::file(def)? {
        proto::MetaGraphDef { graph_def: Some(graph), .. } if is_bare(def) => graph.encode_to_vec(),
        meta => meta.encode_to_vec(),
    })
}

/// True if no other data is stored with the graph.
fn is_bare(def: &GraphDef) -> bool {
    def.collections.is_empty() && def.meta.is_empty()
}

/// A tensor as binary `TensorProto`, with its elements as bytes, strings one by one.
///
/// # Errors
/// As [`json`].
pub fn tensor_to_pb(tensor: &Tensor) -> Result<Vec<u8>> {
    Ok(tensor::whole(tensor)?.encode_to_vec())
}

/// A tensor as a `TensorProto` message.
pub(crate) fn tensor_to_proto(tensor: &Tensor) -> Result<proto::TensorProto> {
    tensor::whole(tensor)
}

/// A tensor as `TensorProto` in JSON.
///
/// # Errors
/// As [`json`].
pub fn tensor_to_json(tensor: &Tensor) -> Result<serde_json::Value> {
    let proto: proto::TensorProto = tensor::tensor(tensor)?;
    serde_json::to_value(&proto).map_err(|e| Error::internal(format!("a tensor cannot be written as JSON: {e}")))
}
