//! A model as stored in its file: its contents, and its conversion to a graph.

use crate::import::{Imported, import};
use crate::proto::{GraphProto, ModelProto, ValueInfoProto};
use crate::skim::skim;
use crate::table::STANDARD;
use crate::tensor::Beside;
use crate::types::{Elem, Type};
use bytes::Bytes;
use levada_graph::{Error, PartialShape, Registry, Result};
use prost::Message;
use std::collections::BTreeMap;
use std::path::Path;

/// A model that was read, not yet converted.
#[derive(Clone, Debug)]
pub struct Model {
    /// The message.
    pub proto: ModelProto,
    beside: Beside,
    file: Option<String>,
}

/// A tensor stored with a model.
#[derive(Clone, PartialEq, Debug)]
pub struct Initializer {
    /// Its name.
    pub name: String,
    /// Type of its elements.
    pub elem: Elem,
    /// Sizes of its axes, as stored.
    pub dims: Vec<i64>,
    /// The external data file that holds it.
    pub location: Option<String>,
}

impl Initializer {
    /// The bytes that its elements take in memory; `None` for strings, and for invalid sizes.
    pub fn num_bytes(&self) -> Option<u64> {
        let size = self.elem.dtype().ok().map(|dtype| dtype.size() as u64).filter(|size| *size > 0)?;
        self.dims.iter().try_fold(size, |n, &dim| n.checked_mul(u64::try_from(dim).ok()?))
    }
}

/// The name of a value with its type and shape, if the file specifies them.
pub type Declared = (String, Option<(Type, PartialShape)>);

impl Model {
    /// Reads the model in a file. External data and large initializers are read when the model is converted, from
    /// the file's directory and from the file itself.
    ///
    /// # Errors
    /// `NOT_FOUND` and the like for the file, `INVALID_ARGUMENT` if it is not a model.
    pub fn open(path: impl AsRef<Path>) -> Result<Model> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let file = std::fs::File::open(path).map_err(|e| {
            let error = match e.kind() {
                std::io::ErrorKind::NotFound => Error::not_found("the file does not exist"),
                _ => Error::invalid(format!("the file cannot be read: {e}")),
            };
            error.file(&name)
        })?;
        let model = skim(file).and_then(Model::parse).map_err(|e| e.in_file(&name))?;
        Ok(Model { beside: Beside::model(path), file: Some(name), ..model })
    }

    /// Reads a model from memory. It cannot have external data.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the bytes are not a model.
    pub fn parse(bytes: impl Into<Bytes>) -> Result<Model> {
        let wrong = |found: String| {
            Error::invalid("this is not an ONNX model").expected("a ModelProto in binary form").found(found)
        };
        let proto = ModelProto::decode(bytes.into()).map_err(|e| wrong(e.to_string()))?;
        if proto.graph.is_none() {
            return Err(wrong("a message without a graph".to_owned()));
        }
        Ok(Model { proto, beside: Beside::default(), file: None })
    }

    /// The model as a graph of these ops.
    ///
    /// # Errors
    /// Every fault of the model in one error, and `UNIMPLEMENTED` with every node whose operator is not supported.
    pub fn graph(&self, registry: &Registry) -> Result<Imported> {
        let imported = import(&self.proto, &self.beside, registry);
        imported.map_err(|e| match &self.file {
            Some(file) => e.in_file(file),
            None => e,
        })
    }

    fn main(&self) -> Option<&GraphProto> {
        self.proto.graph.as_ref()
    }

    /// The operator sets and their versions, by domain.
    pub fn opsets(&self) -> BTreeMap<String, i64> {
        let sets = self.proto.opset_import.iter();
        sets.map(|set| (if set.domain.is_empty() { STANDARD } else { &set.domain }.to_owned(), set.version)).collect()
    }

    /// The inputs to feed.
    pub fn inputs(&self) -> Vec<Declared> {
        let Some(graph) = self.main() else { return Vec::new() };
        let initializers: std::collections::HashSet<&str> = graph.initializer.iter().map(|t| &t.name[..]).collect();
        graph.input.iter().filter(|input| !initializers.contains(&input.name[..])).map(declared).collect()
    }

    /// The outputs.
    pub fn outputs(&self) -> Vec<Declared> {
        self.main().map(|graph| graph.output.iter().map(declared).collect()).unwrap_or_default()
    }

    /// The tensors stored with the model.
    pub fn initializers(&self) -> Vec<Initializer> {
        let initializer = |proto: &crate::proto::TensorProto| Initializer {
            name: proto.name.clone(),
            elem: Elem(proto.data_type),
            dims: proto.dims.clone(),
            location: proto
                .external_data
                .iter()
                .find(|e| e.key == "location" && !e.value.is_empty())
                .map(|e| e.value.clone()),
        };
        self.main().map(|graph| graph.initializer.iter().map(initializer).collect()).unwrap_or_default()
    }

    /// The names of the model's own functions, with their domains.
    pub fn functions(&self) -> Vec<String> {
        self.proto.functions.iter().map(|f| format!("{}.{}", f.domain, f.name)).collect()
    }

    /// The number of uses of each operator, in the graph, its subgraphs and the functions, by domain and name.
    pub fn operators(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        let functions = self.proto.functions.iter().flat_map(|f| &f.node);
        for node in self.main().into_iter().flat_map(|graph| &graph.node).chain(functions) {
            count(node, &mut counts);
        }
        counts
    }
}

fn count(node: &crate::proto::NodeProto, counts: &mut BTreeMap<String, usize>) {
    let domain = if node.domain.is_empty() { STANDARD } else { &node.domain };
    *counts.entry(format!("{domain}.{}", node.op_type)).or_default() += 1;
    let graphs = node.attribute.iter().flat_map(|attr| attr.g.iter().chain(&attr.graphs));
    graphs.flat_map(|graph| &graph.node).for_each(|inner| count(inner, counts));
}

fn declared(info: &ValueInfoProto) -> Declared {
    (info.name.clone(), info.r#type.as_ref().and_then(|proto| Type::of_proto(proto).ok()))
}
