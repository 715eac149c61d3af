//! The parts of a `MetaGraphDef` besides graph and collections: signatures, and the nodes that save and restore the
//! graph.

use crate::dtype::{DType, EdgeType};
use crate::error::Result;
use crate::proto;
use crate::shape::PartialShape;
use crate::tensor::Tensor;
use bytes::Bytes;
use std::collections::BTreeMap;

/// Signatures by name, and the saver. A plain GraphDef has neither.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Meta {
    /// Named ways to call the graph, such as `serving_default`.
    pub signatures: BTreeMap<String, SignatureDef>,
    /// The nodes that save and restore its variables.
    pub saver: Option<SaverDef>,
}

impl Meta {
    /// True if there are neither signatures nor a saver.
    pub fn is_empty(&self) -> bool {
        self.signatures.is_empty() && self.saver.is_none()
    }
}

/// A way to call a graph: the endpoints to feed and to fetch, by name.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SignatureDef {
    /// Endpoints to feed, by the signature's own names.
    pub inputs: BTreeMap<String, TensorDef>,
    /// Endpoints to fetch.
    pub outputs: BTreeMap<String, TensorDef>,
    /// The kind of signature, such as `tensorflow/serving/predict`.
    pub method: String,
    /// Values of inputs that need not be fed.
    pub defaults: BTreeMap<String, Tensor>,
}

/// A tensor of a signature (`TensorInfo`).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TensorDef {
    /// Its endpoint, such as `logits:0`; empty for sparse and composite tensors, which are several endpoints.
    pub endpoint: String,
    /// Its dtype, if the file specifies a known one.
    pub dtype: Option<EdgeType>,
    /// Its shape as far as the file specifies it.
    pub shape: PartialShape,
    /// The component tensors of a sparse tensor (`indices`, `values`, `dense_shape`) or of another composite one (`0`,
    /// `1`, ...).
    pub parts: Vec<(String, TensorDef)>,
    /// The message `TypeSpecProto` of a composite tensor that is not a plain sparse one.
    pub type_spec: Option<Bytes>,
}

/// The nodes that save and restore variables.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SaverDef {
    /// Endpoint to feed with the path of the checkpoint.
    pub filename: String,
    /// Endpoint to fetch for saving.
    pub save: String,
    /// Node to run for restoring.
    pub restore: String,
}

impl Meta {
    pub(crate) fn from_proto(
        signatures: BTreeMap<String, proto::SignatureDef>,
        saver: Option<proto::SaverDef>,
    ) -> Meta {
        let tensors = |infos: BTreeMap<String, proto::TensorInfo>| {
            infos.into_iter().map(|(name, info)| (name, TensorDef::from_proto(info))).collect()
        };
        let signature = |(name, message): (String, proto::SignatureDef)| {
            let (inputs, outputs) = (tensors(message.inputs), tensors(message.outputs));
            let default = |(name, proto)| Some((name, crate::read::tensor_from_proto(proto).ok()?));
            let defaults = message.defaults.into_iter().filter_map(default).collect();
            (name, SignatureDef { inputs, outputs, method: message.method_name, defaults })
        };
        let saver = saver.map(|message| SaverDef {
            filename: message.filename_tensor_name,
            save: message.save_tensor_name,
            restore: message.restore_op_name,
        });
        Meta { signatures: signatures.into_iter().map(signature).collect(), saver }
    }

    pub(crate) fn signatures_to_proto(&self) -> Result<BTreeMap<String, proto::SignatureDef>> {
        let tensors = |defs: &BTreeMap<String, TensorDef>| {
            defs.iter().map(|(name, def)| (name.clone(), def.to_proto())).collect()
        };
        let signature = |(name, def): (&String, &SignatureDef)| {
            let (inputs, outputs) = (tensors(&def.inputs), tensors(&def.outputs));
            let default =
                |(name, tensor): (&String, &Tensor)| Ok((name.clone(), crate::write::tensor_to_proto(tensor)?));
            let defaults = def.defaults.iter().map(default).collect::<Result<_>>()?;
            Ok((name.clone(), proto::SignatureDef { inputs, outputs, method_name: def.method.clone(), defaults }))
        };
        self.signatures.iter().map(signature).collect()
    }

    pub(crate) fn saver_to_proto(&self) -> Option<proto::SaverDef> {
        self.saver.as_ref().map(|saver| proto::SaverDef {
            filename_tensor_name: saver.filename.clone(),
            save_tensor_name: saver.save.clone(),
            restore_op_name: saver.restore.clone(),
        })
    }
}

impl TensorDef {
    /// An invalid size counts as unknown: a signature is a description, and no run depends on it.
    fn from_proto(info: proto::TensorInfo) -> TensorDef {
        let shape = match info.tensor_shape {
            Some(shape) if !shape.unknown_rank => {
                PartialShape::new(shape.dim.iter().map(|dim| usize::try_from(dim.size).ok()))
            }
            _ => PartialShape::Unknown,
        };
        let (endpoint, dtype) = (info.name, EdgeType::from_number(info.dtype));
        let def = TensorDef { endpoint, dtype, shape, ..TensorDef::default() };
        match (info.coo_sparse, info.composite_tensor) {
            (Some(sparse), _) => {
                def.sparse(sparse.indices_tensor_name, sparse.values_tensor_name, sparse.dense_shape_tensor_name)
            }
            (None, Some(composite)) => {
                let part = |(i, info): (usize, proto::TensorInfo)| (i.to_string(), TensorDef::from_proto(info));
                let parts = composite.components.into_iter().enumerate().map(part).collect();
                TensorDef { parts, type_spec: composite.type_spec, ..def }
            }
            (None, None) => def,
        }
    }

    /// A sparse tensor with these three endpoints.
    pub(crate) fn sparse(self, indices: String, values: String, dense_shape: String) -> TensorDef {
        let rank = self.shape.rank();
        let part = |name: &str, endpoint, dtype: Option<EdgeType>, shape: [Option<usize>; 2], rank: usize| {
            let shape = PartialShape::new(shape[..rank].iter().copied());
            (name.to_owned(), TensorDef { endpoint, dtype, shape, ..TensorDef::default() })
        };
        let long = Some(DType::I64.value());
        let parts = vec![
            part("indices", indices, long, [None, rank], 2),
            part("values", values, self.dtype, [None; 2], 1),
            part("dense_shape", dense_shape, long, [rank, None], 1),
        ];
        TensorDef { parts, ..self }
    }

    fn to_proto(&self) -> proto::TensorInfo {
        proto::TensorInfo {
            name: self.endpoint.clone(),
            dtype: self.dtype.map_or(0, |dtype| dtype.number()),
            tensor_shape: Some(crate::write::shape(&self.shape)),
            coo_sparse: self.coo_sparse(),
            composite_tensor: self.type_spec.as_ref().map(|type_spec| proto::CompositeTensor {
                type_spec: Some(type_spec.clone()),
                components: self.parts.iter().map(|(_, part)| part.to_proto()).collect(),
            }),
        }
    }

    fn coo_sparse(&self) -> Option<proto::CooSparse> {
        let endpoint = |name: &str| Some(self.parts.iter().find(|(part, _)| part == name)?.1.endpoint.clone());
        Some(proto::CooSparse {
            values_tensor_name: endpoint("values")?,
            indices_tensor_name: endpoint("indices")?,
            dense_shape_tensor_name: endpoint("dense_shape")?,
        })
    }
}
