//! `DatasetToGraph`, `DatasetFromGraph`, `DatasetFingerprint`: datasets as graphs of the nodes that created them.

use crate::dataset::{DATASET, INPUT, Node, Source, input, scalar, scalar_output};
use crate::hash::fingerprint;
use crate::made::{self, MOST_DEEP, element_attrs};
use crate::prelude::*;
use levada_graph::attr::Attrs;
use levada_graph::def::{FunctionDef, Library};
use levada_graph::{AttrList, GraphDef, NodeDef, read, write};
use levada_kernel::NodeMeta;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

attrs! {
    /// Serializes a dataset as a graph in protobuf's binary format, from which `DatasetFromGraph` recreates it.
    pub struct DatasetToGraph {
        /// Not used.
        allowed: Vec<String> = Attr::strings("stateful_whitelist").or_empty(),
        /// Not used.
        stateful: bool = Attr::bool("allow_stateful").or_bool(false),
        /// Not used: the nodes have no devices.
        strip: bool = Attr::bool("strip_device_assignment").or_bool(false),
    }
}

const GRAPH: &[Arg] = &[arg("graph", is(DType::Str))];

pub static DATASET_TO_GRAPH: Def<DatasetToGraph> = op("DatasetToGraph")
    .inputs(&[INPUT])
    .outputs(GRAPH)
    .shape(scalar_output)
    .kernel(|_: &DatasetToGraph, cx| to_graph(cx));

attrs! {
    /// Serializes a dataset as a graph in protobuf's binary format, from which `DatasetFromGraph` recreates it.
    pub struct DatasetToGraphV2 {
        /// Not used: state belongs to the session.
        policy: i64 = Attr::int("external_state_policy").or_int(0),
        /// Not used: the nodes have no devices.
        strip: bool = Attr::bool("strip_device_assignment").or_bool(false),
    }
}

pub static DATASET_TO_GRAPH_V2: Def<DatasetToGraphV2> = op("DatasetToGraphV2")
    .inputs(&[INPUT])
    .outputs(GRAPH)
    .shape(scalar_output)
    .kernel(|_: &DatasetToGraphV2, cx| to_graph(cx));

fn to_graph(cx: &mut Cx<'_, '_>) -> Result<()> {
    let mut writer = Writer { library: library(cx), ..Writer::default() };
    let last = writer.whole(&input(cx, 0)?)?;
    writer.graph.nodes.push(NodeDef {
        name: "dataset".to_owned(),
        op: "_Retval".to_owned(),
        inputs: vec![last],
        attrs: [("T", AttrValue::Type(DType::Variant.into())), ("index", AttrValue::I(0))].into_iter().collect(),
        ..NodeDef::default()
    });
    let graph = write::pb(&writer.graph)?;
    cx.set(0, Tensor::scalar(Bytes::from(graph)));
    Ok(())
}

attrs! {
    /// Returns a number that is the same for datasets created in the same way.
    pub struct DatasetFingerprint {}
}

pub static DATASET_FINGERPRINT: Def<DatasetFingerprint> = op("DatasetFingerprint")
    .inputs(&[INPUT])
    .outputs(&[arg("fingerprint", is(DType::U64))])
    .shape(scalar_output)
    .kernel(|_: &DatasetFingerprint, cx| {
        let number = fingerprint_of(cx, &input(cx, 0)?)?;
        cx.set(0, Tensor::scalar(number));
        Ok(())
    });

/// Returns a number that is the same for datasets created in the same way.
///
/// # Errors
/// `RESOURCE_EXHAUSTED` if the dataset is made of too many others.
pub(crate) fn fingerprint_of(cx: &Cx<'_, '_>, source: &Source) -> Result<u64> {
    let mut writer = Writer { library: library(cx), nameless: true, ..Writer::default() };
    writer.whole(source)?;
    Ok(fingerprint(&write::pb(&writer.graph)?))
}

fn library(cx: &Cx<'_, '_>) -> Arc<Library> {
    cx.env().functions.get().map(|functions| functions.library()).unwrap_or_default()
}

/// Writes datasets to a graph.
#[derive(Default)]
struct Writer {
    library: Arc<Library>,
    graph: GraphDef,
    /// Node names of datasets.
    names: HashMap<*const Node, String>,
    /// Functions that are, or will be, in the graph, with their names there.
    functions: HashMap<String, String>,
    /// Functions still to be written.
    left: Vec<String>,
    /// Whether the graph is only hashed, and names that make no difference, such as those of functions, are omitted.
    nameless: bool,
}

impl Writer {
    /// Writes a dataset and the functions that it calls; returns the name of its node.
    fn whole(&mut self, source: &Source) -> Result<String> {
        let mut last = self.dataset(source, 0)?;
        if !source.options.is_empty() {
            let mut attrs = element_attrs(&source.types, source.shapes.to_vec());
            attrs.set("serialized_options", AttrValue::S(source.options.clone()));
            last = self.node("OptionsDataset", attrs, vec![last]);
        }
        while let Some(name) = self.left.pop() {
            if let Some(function) = self.library.clone().function(&name) {
                let function = self.function(function);
                self.graph.library.functions.push(function);
            }
        }
        Ok(last)
    }

    fn node(&mut self, op: &str, attrs: Attrs, inputs: Vec<String>) -> String {
        let name = format!("{op}/_{}", self.graph.nodes.len());
        let (name, op) = (name.clone(), op.to_owned());
        self.graph.nodes.push(NodeDef { name: name.clone(), op, inputs, attrs, ..NodeDef::default() });
        name
    }

    fn dataset(&mut self, source: &Source, depth: u32) -> Result<String> {
        if let Some(name) = self.names.get(&source.identity()) {
            return Ok(name.clone());
        }
        if depth >= MOST_DEEP {
            return Err(Error::resource_exhausted("a dataset is made of too many others")
                .expected(format!("a nesting depth of at most {MOST_DEEP}")));
        }
        let Some(made) = &source.made else {
            if self.nameless {
                return Ok(self.node(&format!("{source:?}"), Attrs::new(), Vec::new()));
            }
            return Err(Error::unimplemented(format!("a {source:?} that is an element cannot be written to a graph")));
        };
        let mut inputs = Vec::new();
        for input in source.inputs() {
            inputs.push(match Source::of(&input) {
                Ok(dataset) => self.dataset(&dataset, depth + 1)?,
                Err(_) => self.constant(&input, &made.node)?,
            });
        }
        let mut attrs = Attrs::new();
        for (name, value) in made.attrs.iter() {
            if self.nameless && &**name == "metadata" {
                continue;
            }
            attrs.set(name.clone(), self.value(value));
        }
        let name = self.node(made.node.op, attrs, inputs);
        self.names.insert(source.identity(), name.clone());
        Ok(name)
    }

    fn constant(&mut self, tensor: &Tensor, of: &NodeMeta) -> Result<String> {
        let dtype = tensor.dtype();
        let value = match dtype {
            DType::Variant | DType::Resource if self.nameless => Tensor::scalar(0_i64),
            DType::Variant | DType::Resource => {
                return Err(Error::unimplemented("a dataset that is made of a resource cannot be written to a graph")
                    .at_node(&of.name, of.op)
                    .found(format!("a {dtype}")));
            }
            _ => tensor.clone(),
        };
        let attrs = [("dtype", AttrValue::Type(dtype.into())), ("value", AttrValue::Tensor(value))];
        Ok(self.node("Const", attrs.into_iter().collect(), Vec::new()))
    }

    /// Returns an attr, registering the functions in it.
    fn value(&mut self, value: &AttrValue) -> AttrValue {
        match value {
            AttrValue::Func(function) => AttrValue::Func(self.called(function)),
            AttrValue::List(AttrList::Func(functions)) => {
                AttrValue::List(AttrList::Func(functions.iter().map(|function| self.called(function)).collect()))
            }
            other => other.clone(),
        }
    }

    fn called(&mut self, function: &Func) -> Func {
        let attrs = function.attrs.iter().map(|(name, value)| (name.clone(), self.value(value))).collect();
        Func { name: self.name(&function.name), attrs }
    }

    /// Returns the name of a function in the graph.
    fn name(&mut self, name: &str) -> String {
        if let Some(there) = self.functions.get(name) {
            return there.clone();
        }
        if self.library.function(name).is_none() {
            return name.to_owned();
        }
        let there = if self.nameless { format!("function_{}", self.functions.len()) } else { name.to_owned() };
        self.functions.insert(name.to_owned(), there.clone());
        self.left.push(name.to_owned());
        there
    }

    fn function(&mut self, function: &FunctionDef) -> FunctionDef {
        let mut function = function.clone();
        for node in &mut function.nodes {
            node.op = self.name(&node.op);
            node.attrs = node.attrs.iter().map(|(name, value)| (name.clone(), self.value(value))).collect();
        }
        function.signature.name = self.name(&function.signature.name);
        if self.nameless {
            function.attrs = Attrs::new();
            function.arg_attrs = BTreeMap::new();
        }
        function
    }
}

attrs! {
    /// Recreates a dataset from a graph written by `DatasetToGraph`.
    pub struct DatasetFromGraph {}
}

pub static DATASET_FROM_GRAPH: Def<DatasetFromGraph> =
    op("DatasetFromGraph").inputs(&[arg("graph_def", is(DType::Str))]).outputs(DATASET).shape(scalar_output).kernel(
        |_: &DatasetFromGraph, cx| {
            let bytes: Bytes = scalar(cx, 0, "graph_def")?;
            let graph = read::parse_pb(&bytes)?;
            let last = graph.nodes.iter().find(|node| node.op == "_Retval").and_then(|node| node.inputs.first());
            let last = last.ok_or_else(|| Error::not_found("the graph of a dataset has no node _Retval"))?;
            if let Some(functions) = cx.env().functions.get() {
                functions.add(graph.library.functions.clone())?;
            }
            let nodes = graph.nodes.iter().map(|node| (node.name.as_str(), node)).collect();
            let mut reader = Reader { cx, nodes, made: HashMap::new(), open: HashSet::new() };
            let dataset = reader.tensor(last)?;
            let dataset = Source::of(&dataset)?.tensor();
            cx.set(0, dataset);
            Ok(())
        },
    );

/// Evaluates a graph.
struct Reader<'g, 'a, 'b, 'c> {
    cx: &'a Cx<'b, 'c>,
    nodes: HashMap<&'g str, &'g NodeDef>,
    made: HashMap<&'g str, Tensor>,
    /// Nodes whose inputs are being evaluated.
    open: HashSet<&'g str>,
}

impl<'g> Reader<'g, '_, '_, '_> {
    fn tensor(&mut self, input: &str) -> Result<Tensor> {
        let name = input.strip_suffix(":0").unwrap_or(input);
        let node = *self.nodes.get(name).ok_or_else(|| Error::invalid(format!("the graph has no node {name}")))?;
        if let Some(made) = self.made.get(node.name.as_str()) {
            return Ok(made.clone());
        }
        if self.open.len() > MOST_DEEP as usize + 1 || !self.open.insert(&node.name) {
            return Err(Error::invalid("the nodes of a dataset's graph form a cycle or too long a chain")
                .at_node(&node.name, &node.op)
                .expected(format!("at most {MOST_DEEP}")));
        }
        let mut inputs = Vec::new();
        for input in node.inputs.iter().filter(|input| !input.starts_with('^')) {
            inputs.push(self.tensor(input)?);
        }
        let made = match (node.op.as_str(), node.attrs.get("value")) {
            ("Const", Some(AttrValue::Tensor(value))) => value.clone(),
            _ => self.dataset(node, inputs)?.tensor(),
        };
        self.open.remove(node.name.as_str());
        self.made.insert(&node.name, made.clone());
        Ok(made)
    }

    fn dataset(&self, node: &NodeDef, inputs: Vec<Tensor>) -> Result<Source> {
        let ops = crate::ops();
        let entry = ops.iter().find(|entry| entry.def.spec.name == node.op);
        let is_dataset = |def: &OpDef| matches!(def.spec.outputs, [out] if out.name == "handle");
        let Some(entry) = entry.filter(|entry| is_dataset(&entry.def)) else {
            return Err(Error::unimplemented("a node of a dataset's graph is neither a constant nor a dataset")
                .at_node(&node.name, &node.op));
        };
        let meta = NodeMeta {
            name: node.name.as_str().into(),
            op: entry.def.spec.name,
            device: self.cx.node().device.clone(),
            outputs: [DType::Variant].into(),
            used: None,
            in_loop: false,
        };
        made::make(self.cx, &meta, &node.attrs, inputs)
    }
}
