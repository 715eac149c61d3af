//! GraphDefs from protobuf messages.

use super::cursor::{Cursor, Step};
use super::tensor::{list_name, misplaced, unknown_dtype};
use super::text::Form;
use super::values::from_content;
use crate::attr::{AttrList, AttrValue, Attrs, Func};
use crate::buffer::Buffer;
use crate::check::{Broken, Suspects};
use crate::collections::{Collection, Collections};
use crate::def::{ArgDef, AttrDef, FunctionDef, GraphDef, Library, NodeDef, Signature, Versions};
use crate::dtype::{DType, EdgeType};
use crate::error::{Error, Result};
use crate::meta::Meta;
use crate::object::{EncodedVariant, Variant};
use crate::proto;
use crate::shape::{PartialShape, Shape};
use crate::tensor::{Element, Tensor};
use bytes::Bytes;
use half::{bf16, f16};
use num_complex::{Complex32, Complex64};
use prost::Message;
use std::collections::BTreeMap;
use std::sync::Arc;

type Cx = Cursor<'static>;

/// A graph and the data stored with it.
pub(crate) type Parts = (proto::GraphDef, Collections, Meta);

/// The message in `bytes`.
pub(crate) fn decode(bytes: &[u8]) -> Result<Parts> {
    let error = match proto::GraphDef::decode(bytes) {
        Ok(graph) => return Ok((graph, Collections::new(), Meta::default())),
        Err(error) => error,
    };
    // A SavedModel begins with its schema version, the other messages with submessages.
    if bytes.first() == Some(&0x08) && proto::SavedModel::decode(bytes).is_ok_and(|model| !model.meta_graphs.is_empty())
    {
        return Err(super::recognize::saved_model());
    }
    if let Ok(meta_graph) = proto::MetaGraphDef::decode(bytes)
        && let Some(parts) = parts(meta_graph)
    {
        return Ok(parts);
    }
    if let Some(other) = super::recognize::by_structure(bytes) {
        return Err(other);
    }
    Err(Error::invalid("the bytes are not a serialized GraphDef")
        .expected("a GraphDef in protobuf's binary format")
        .found(error)
        .help("JSON graphs begin with {"))
}

/// Decodes a message of this form.
pub(crate) fn decode_form(bytes: Bytes, form: Form) -> Result<Parts> {
    match form {
        Form::Graph => decode(&bytes),
        Form::MetaGraph => decode_meta_graph(bytes),
        Form::SavedModel => Err(super::recognize::saved_model()),
    }
}

/// Decodes a `MetaGraphDef` only.
pub(crate) fn decode_meta_graph(bytes: Bytes) -> Result<Parts> {
    let wrong = |found: String| {
        Error::invalid("the bytes are not a serialized MetaGraphDef")
            .expected("a MetaGraphDef in protobuf's binary format")
            .found(found)
    };
    let meta_graph = proto::MetaGraphDef::decode(bytes).map_err(|e| wrong(e.to_string()))?;
    parts(meta_graph).ok_or_else(|| wrong("one without a graph".to_owned()))
}

/// The graph of a `MetaGraphDef`, and the data stored with it; `None` if it has no graph.
fn parts(message: proto::MetaGraphDef) -> Option<Parts> {
    let proto::MetaGraphDef { graph_def, saver_def, collection_def, signature_def } = message;
    let known = collection_def.into_iter().filter_map(|(name, c)| Some((name, Collection::from_proto(c)?)));
    Some((graph_def?, known.collect(), Meta::from_proto(signature_def, saver_def)))
}

/// The `TensorProto` in `bytes`.
pub(crate) fn decode_tensor(bytes: &[u8]) -> Result<proto::TensorProto> {
    proto::TensorProto::decode(bytes).map_err(|error| {
        Error::invalid("the bytes are not a serialized tensor")
            .expected("a TensorProto in protobuf's binary format")
            .found(error)
    })
}

/// A GraphDef; parts at fault are left out and recorded.
pub(crate) fn graph(cx: &mut Cx, (graph, collections, meta): Parts, suspects: &mut Suspects) -> GraphDef {
    let mut def = GraphDef { collections, meta, ..GraphDef::default() };
    def.nodes.reserve(graph.node.len());
    for (i, message) in graph.node.into_iter().enumerate() {
        let (node, broken) =
            cx.within(Step::Key("node"), None, |cx| cx.within(Step::Index(i), None, |cx| node(cx, message)));
        if broken != Broken::default() {
            suspects.insert(i, broken);
        }
        def.nodes.push(node);
    }
    let versions = graph.versions.unwrap_or_default();
    def.versions = Versions {
        producer: versions.producer.max(graph.version),
        min_consumer: versions.min_consumer,
        bad_consumers: versions.bad_consumers,
    };
    if let Some(message) = graph.library {
        def.library = cx.within(Step::Key("library"), None, |cx| library(cx, message));
    }
    super::unknown_scalars(&mut def);
    def
}

fn library(cx: &mut Cx, library: proto::FunctionDefLibrary) -> Library {
    let functions = library.function.into_iter().enumerate().map(|(i, message)| {
        cx.within(Step::Key("function"), None, |cx| cx.within(Step::Index(i), None, |cx| function(cx, message)))
    });
    Library {
        functions: functions.collect(),
        gradients: library.gradient.into_iter().map(|g| (g.function_name, g.gradient_func)).collect(),
        registered_gradients: library
            .registered_gradients
            .into_iter()
            .map(|g| (g.registered_op_type, g.gradient_func))
            .collect(),
    }
}

fn function(cx: &mut Cx, message: proto::FunctionDef) -> FunctionDef {
    let signature = message.signature.unwrap_or_default();
    if signature.name.is_empty() {
        cx.fault(Error::invalid("the function has no name").help("add \"name\" to its signature"));
    }
    let arg_attrs = message.arg_attr.into_iter().map(|(n, a)| (n, attrs(cx, a.attr, &mut Vec::new())));
    FunctionDef {
        arg_attrs: arg_attrs.collect(),
        signature: cx.within(Step::Key("signature"), None, |cx| self::signature(cx, signature)),
        attrs: attrs(cx, message.attr, &mut Vec::new()),
        resource_arg_unique_ids: message.resource_arg_unique_id,
        nodes: message
            .node_def
            .into_iter()
            .enumerate()
            .map(|(i, message)| {
                cx.within(Step::Key("nodeDef"), None, |cx| {
                    cx.within(Step::Index(i), None, |cx| {
                        let (def, _) = node(cx, message);
                        cx.function_node_name(&def);
                        def
                    })
                })
            })
            .collect(),
        ret: message.ret,
        control_ret: message.control_ret,
    }
}

fn signature(cx: &mut Cx, message: proto::OpDef) -> Signature {
    Signature {
        name: message.name,
        inputs: message.input_arg.into_iter().map(|m| arg(cx, m)).collect(),
        outputs: message.output_arg.into_iter().map(|m| arg(cx, m)).collect(),
        control_outputs: message.control_output,
        attrs: message.attr.into_iter().map(|m| attr_def(cx, m)).collect(),
        is_stateful: message.is_stateful,
        summary: message.summary,
        description: message.description,
    }
}

fn arg(cx: &mut Cx, message: proto::ArgDef) -> ArgDef {
    ArgDef {
        name: message.name,
        description: message.description,
        ty: if message.r#type == 0 { None } else { edge_type(cx, message.r#type) },
        type_attr: message.type_attr,
        number_attr: message.number_attr,
        type_list_attr: message.type_list_attr,
        is_ref: message.is_ref,
    }
}

fn attr_def(cx: &mut Cx, message: proto::AttrDef) -> AttrDef {
    AttrDef {
        name: message.name,
        kind: message.r#type,
        default: message.default_value.and_then(|v| value(cx, v)),
        description: message.description,
        minimum: message.has_minimum.then_some(message.minimum),
        allowed: message.allowed_values.and_then(|v| value(cx, v)),
    }
}

fn node(cx: &mut Cx, message: proto::NodeDef) -> (NodeDef, Broken) {
    let mut broken = Broken { name: message.name.is_empty(), op: message.op.is_empty(), ..Broken::default() };
    let before = cx.faults.len();
    let attrs = cx.within(Step::Key("attr"), None, |cx| attrs(cx, message.attr, &mut broken.attrs));
    let def = NodeDef { name: message.name, op: message.op, inputs: message.input, device: message.device, attrs };
    cx.name_node(before, &def, &broken);
    (def, broken)
}

/// Attrs; the names of those at fault are added to `broken`.
fn attrs(cx: &mut Cx, map: BTreeMap<String, proto::AttrValue>, broken: &mut Vec<Arc<str>>) -> Attrs {
    let mut pairs = Vec::with_capacity(map.len());
    for (name, message) in map {
        let before = cx.faults.len();
        let shared = cx.intern(&name);
        let value = cx.within(Step::Key(&name), None, |cx| value(cx, message));
        for fault in &mut cx.faults[before..] {
            fault.error.fault_mut().attr.get_or_insert_with(|| name.clone());
        }
        match value {
            Some(value) => pairs.push((shared, value)),
            None if cx.faults.len() > before => broken.push(shared),
            None => {}
        }
    }
    pairs.into_iter().collect()
}

/// `None` without a fault for a value in which nothing is set.
fn value(cx: &mut Cx, message: proto::AttrValue) -> Option<AttrValue> {
    use proto::Value as V;
    Some(match message.value? {
        V::S(v) => AttrValue::S(v),
        V::I(v) => AttrValue::I(v),
        V::F(v) => AttrValue::F(v),
        V::B(v) => AttrValue::B(v),
        V::Type(v) => AttrValue::Type(edge_type(cx, v)?),
        V::Shape(v) => AttrValue::Shape(shape(cx, v)?),
        V::Tensor(v) => AttrValue::Tensor(tensor(cx, v)?),
        V::Placeholder(v) => AttrValue::Placeholder(v),
        V::Func(v) => AttrValue::Func(func(cx, v)?),
        V::List(v) => AttrValue::List(list(cx, v)?),
    })
}

fn list(cx: &mut Cx, message: proto::ListValue) -> Option<AttrList> {
    let kinds = [
        !message.s.is_empty(),
        !message.i.is_empty(),
        !message.f.is_empty(),
        !message.b.is_empty(),
        !message.r#type.is_empty(),
        !message.shape.is_empty(),
        !message.tensor.is_empty(),
        !message.func.is_empty(),
    ];
    if kinds.iter().filter(|set| **set).count() > 1 {
        cx.fault(Error::invalid("the values of a list are of one kind"));
        return None;
    }
    fn each<T, U>(cx: &mut Cx, items: Vec<T>, mut read: impl FnMut(&mut Cx, T) -> Option<U>) -> Option<Vec<U>> {
        items.into_iter().map(|item| read(cx, item)).collect()
    }
    Some(match kinds.iter().position(|set| *set) {
        None => AttrList::Empty,
        Some(0) => AttrList::S(message.s),
        Some(1) => AttrList::I(message.i),
        Some(2) => AttrList::F(message.f),
        Some(3) => AttrList::B(message.b),
        Some(4) => AttrList::Type(each(cx, message.r#type, edge_type)?),
        Some(5) => AttrList::Shape(each(cx, message.shape, shape)?),
        Some(6) => AttrList::Tensor(each(cx, message.tensor, tensor)?),
        Some(_) => AttrList::Func(each(cx, message.func, func)?),
    })
}

fn func(cx: &mut Cx, message: proto::NameAttrList) -> Option<Func> {
    let mut broken = Vec::new();
    let attrs = attrs(cx, message.attr, &mut broken);
    broken.is_empty().then_some(Func { name: message.name, attrs })
}

fn edge_type(cx: &mut Cx, number: i32) -> Option<EdgeType> {
    let ty = EdgeType::from_number(number);
    if ty.is_none() {
        cx.fault(unknown_dtype(number));
    }
    ty
}

fn shape(cx: &mut Cx, message: proto::TensorShapeProto) -> Option<PartialShape> {
    if message.unknown_rank {
        return Some(PartialShape::Unknown);
    }
    if let Some(dim) = message.dim.iter().find(|d| d.size < -1) {
        cx.fault(Error::invalid("a size is negative").expected("a size, or -1 for an unknown one").found(dim.size));
        return None;
    }
    Some(PartialShape::new(message.dim.iter().map(|d| usize::try_from(d.size).ok())))
}

/// As [`from_content`], in the memory of `content` if nothing else uses it.
fn of_content(dtype: DType, shape: Shape, content: Bytes) -> Result<Tensor> {
    // Other values than 0 and 1 are not booleans.
    let is_ready = Tensor::needs_buffer(dtype, &shape) && dtype != DType::Bool;
    if !is_ready || content.len() != shape.num_elements() * dtype.size() || !content.is_unique() {
        return from_content(dtype, shape, &content);
    }
    match Buffer::from_vec(Vec::from(content)) {
        Ok(buffer) => Tensor::from_buffer(dtype, shape, buffer),
        Err(content) => from_content(dtype, shape, &content),
    }
}

pub(crate) fn tensor(cx: &mut Cx, message: proto::TensorProto) -> Option<Tensor> {
    let dtype = edge_type(cx, message.dtype)?;
    if dtype.is_ref {
        cx.fault(Error::invalid("a tensor holds values, not references").found(dtype));
        return None;
    }
    let dtype = dtype.dtype;
    let partial = shape(cx, message.tensor_shape.unwrap_or_default())?;
    let shape = cx.full_shape(&partial)?;
    if !message.tensor_content.is_empty() {
        let content = match dtype {
            DType::Resource | DType::Variant => {
                Err(Error::unimplemented(format!("{dtype} tensors in tensorContent are not supported")))
            }
            _ => of_content(dtype, shape, message.tensor_content),
        };
        return cx.done(content);
    }
    let lists = [
        ("half_val", message.half_val.is_empty()),
        ("float_val", message.float_val.is_empty()),
        ("double_val", message.double_val.is_empty()),
        ("int_val", message.int_val.is_empty()),
        ("string_val", message.string_val.is_empty()),
        ("scomplex_val", message.scomplex_val.is_empty()),
        ("int64_val", message.int64_val.is_empty()),
        ("bool_val", message.bool_val.is_empty()),
        ("dcomplex_val", message.dcomplex_val.is_empty()),
        ("resource_handle_val", message.resource_handle_val.is_empty()),
        ("variant_val", message.variant_val.is_empty()),
        ("uint32_val", message.uint32_val.is_empty()),
        ("uint64_val", message.uint64_val.is_empty()),
        ("float8_val", message.float8_val.is_empty()),
    ];
    if let Some((name, _)) = lists.iter().find(|(name, empty)| !empty && *name != list_name(dtype)) {
        cx.fault(misplaced(dtype, name));
        return None;
    }
    fn with<T, U: Element>(cx: &mut Cx, d: DType, shape: Shape, v: Vec<T>, read: impl Fn(T) -> U) -> Option<Tensor> {
        cx.filled(d, shape, v.into_iter().map(read).collect())
    }
    match dtype.storage() {
        _ if dtype.is_narrow_float() => cx.filled(dtype, shape, message.float8_val.into()),
        DType::F32 => cx.filled(dtype, shape, message.float_val),
        DType::F64 => cx.filled(dtype, shape, message.double_val),
        DType::I32 => cx.filled(dtype, shape, message.int_val),
        DType::I16 => with(cx, dtype, shape, message.int_val, |v| v as i16),
        DType::I8 => with(cx, dtype, shape, message.int_val, |v| v as i8),
        DType::U16 => with(cx, dtype, shape, message.int_val, |v| v as u16),
        DType::U8 => with(cx, dtype, shape, message.int_val, |v| dtype.masked(v as u8)),
        DType::I64 => cx.filled(dtype, shape, message.int64_val),
        DType::U32 => cx.filled(dtype, shape, message.uint32_val),
        DType::U64 => cx.filled(dtype, shape, message.uint64_val),
        DType::Bool => cx.filled(dtype, shape, message.bool_val),
        DType::Str => cx.filled(dtype, shape, message.string_val),
        DType::F16 => with(cx, dtype, shape, message.half_val, |v| f16::from_bits(v as u16)),
        DType::BF16 => with(cx, dtype, shape, message.half_val, |v| bf16::from_bits(v as u16)),
        DType::C64 => {
            let pairs = message.scomplex_val.chunks_exact(2).map(|p| Complex32::new(p[0], p[1])).collect();
            cx.filled(dtype, shape, pairs)
        }
        DType::C128 => {
            let pairs = message.dcomplex_val.chunks_exact(2).map(|p| Complex64::new(p[0], p[1])).collect();
            cx.filled(dtype, shape, pairs)
        }
        DType::Variant => {
            let items: Option<Vec<Variant>> = message.variant_val.into_iter().map(|v| variant(cx, v)).collect();
            cx.filled(dtype, shape, items?)
        }
        _ if message.resource_handle_val.is_empty() && shape.num_elements() == 0 => Some(Tensor::zeros(dtype, shape)),
        _ => {
            cx.fault(Error::unimplemented(format!("{dtype} tensors in a file are not supported")));
            None
        }
    }
}

fn variant(cx: &mut Cx, message: proto::VariantTensorDataProto) -> Option<Variant> {
    let tensors: Option<Vec<Tensor>> = message.tensors.into_iter().map(|t| tensor(cx, t)).collect();
    let (type_name, metadata, tensors) = (message.type_name, message.metadata, tensors?);
    if type_name.is_empty() {
        return Some(Variant::default());
    }
    Some(Variant::new(EncodedVariant { type_name, metadata, tensors }))
}
