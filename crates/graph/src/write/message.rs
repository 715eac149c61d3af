//! GraphDefs as messages of the schema.

use super::tensor::tensor;
use crate::attr::{AttrList, AttrValue, Attrs, Func};
use crate::def::{ArgDef, AttrDef, FunctionDef, GraphDef, Library, NodeDef, Signature, Versions};
use crate::error::{Error, Result};
use crate::proto;
use crate::shape::PartialShape;
use std::collections::BTreeMap;

fn graph(def: &GraphDef) -> Result<proto::GraphDef> {
    Ok(proto::GraphDef {
        node: def.nodes.iter().map(node).collect::<Result<_>>()?,
        library: match &def.library {
            library if *library == Library::default() => None,
            library => Some(proto::FunctionDefLibrary {
                function: library.functions.iter().map(function).collect::<Result<_>>()?,
                gradient: library.gradients.iter().map(gradient).collect(),
                registered_gradients: library.registered_gradients.iter().map(registered).collect(),
            }),
        },
        version: 0,
        versions: match &def.versions {
            versions if *versions == Versions::default() => None,
            versions => Some(proto::VersionDef {
                producer: versions.producer,
                min_consumer: versions.min_consumer,
                bad_consumers: versions.bad_consumers.clone(),
            }),
        },
    })
}

/// A graph and the data stored with it.
pub(crate) fn file(def: &GraphDef) -> Result<proto::MetaGraphDef> {
    Ok(proto::MetaGraphDef {
        graph_def: Some(graph(def)?),
        saver_def: def.meta.saver_to_proto(),
        collection_def: def.collections.iter().map(|(name, c)| (name.clone(), c.to_proto())).collect(),
        signature_def: def.meta.signatures_to_proto()?,
    })
}

fn gradient((function, gradient): &(String, String)) -> proto::GradientDef {
    proto::GradientDef { function_name: function.clone(), gradient_func: gradient.clone() }
}

fn registered((op_type, gradient): &(String, String)) -> proto::RegisteredGradient {
    proto::RegisteredGradient { gradient_func: gradient.clone(), registered_op_type: op_type.clone() }
}

fn node(def: &NodeDef) -> Result<proto::NodeDef> {
    Ok(proto::NodeDef {
        name: def.name.clone(),
        op: def.op.clone(),
        input: def.inputs.clone(),
        device: def.device.clone(),
        attr: attrs(&def.attrs).map_err(|e| e.at_node(&def.name, &def.op))?,
    })
}

fn attrs(attrs: &Attrs) -> Result<BTreeMap<String, proto::AttrValue>> {
    attrs.iter().map(|(name, v)| Ok((name.to_string(), value(v).map_err(|e| named(e, name))?))).collect()
}

fn named(error: Error, attr: &str) -> Error {
    if error.fault().attr.is_none() { error.attr(attr) } else { error }
}

fn value(value: &AttrValue) -> Result<proto::AttrValue> {
    use proto::Value as V;
    Ok(proto::AttrValue {
        value: Some(match value {
            AttrValue::S(v) => V::S(v.clone()),
            AttrValue::I(v) => V::I(*v),
            AttrValue::F(v) => V::F(*v),
            AttrValue::B(v) => V::B(*v),
            AttrValue::Type(v) => V::Type(v.number()),
            AttrValue::Shape(v) => V::Shape(shape(v)),
            AttrValue::Tensor(v) => V::Tensor(tensor(v)?),
            AttrValue::Func(v) => V::Func(func(v)?),
            AttrValue::Placeholder(v) => V::Placeholder(v.clone()),
            AttrValue::List(list) => {
                let mut out = proto::ListValue::default();
                match list {
                    AttrList::Empty => {}
                    AttrList::S(v) => out.s = v.clone(),
                    AttrList::I(v) => out.i = v.clone(),
                    AttrList::F(v) => out.f = v.clone(),
                    AttrList::B(v) => out.b = v.clone(),
                    AttrList::Type(v) => out.r#type = v.iter().map(|t| t.number()).collect(),
                    AttrList::Shape(v) => out.shape = v.iter().map(shape).collect(),
                    AttrList::Tensor(v) => out.tensor = v.iter().map(tensor).collect::<Result<_>>()?,
                    AttrList::Func(v) => out.func = v.iter().map(func).collect::<Result<_>>()?,
                }
                V::List(out)
            }
        }),
    })
}

fn func(func: &Func) -> Result<proto::NameAttrList> {
    Ok(proto::NameAttrList { name: func.name.clone(), attr: attrs(&func.attrs)? })
}

/// A shape, with -1 for unknown sizes.
pub(crate) fn shape(shape: &PartialShape) -> proto::TensorShapeProto {
    match shape.dims() {
        None => proto::TensorShapeProto { dim: Vec::new(), unknown_rank: true },
        Some(dims) => proto::TensorShapeProto {
            dim: dims.iter().map(|d| proto::Dim { size: d.map_or(-1, |d| d as i64) }).collect(),
            unknown_rank: false,
        },
    }
}

fn function(def: &FunctionDef) -> Result<proto::FunctionDef> {
    let arg_attrs = |(&number, a): (&u32, &Attrs)| Ok((number, proto::ArgAttrs { attr: attrs(a)? }));
    Ok(proto::FunctionDef {
        signature: Some(signature(&def.signature)?),
        attr: attrs(&def.attrs)?,
        arg_attr: def.arg_attrs.iter().map(arg_attrs).collect::<Result<_>>()?,
        resource_arg_unique_id: def.resource_arg_unique_ids.clone(),
        node_def: def.nodes.iter().map(node).collect::<Result<_>>()?,
        ret: def.ret.clone(),
        control_ret: def.control_ret.clone(),
    })
}

fn signature(def: &Signature) -> Result<proto::OpDef> {
    Ok(proto::OpDef {
        name: def.name.clone(),
        input_arg: def.inputs.iter().map(arg).collect(),
        output_arg: def.outputs.iter().map(arg).collect(),
        control_output: def.control_outputs.clone(),
        attr: def.attrs.iter().map(attr).collect::<Result<_>>()?,
        summary: def.summary.clone(),
        description: def.description.clone(),
        is_stateful: def.is_stateful,
    })
}

fn arg(def: &ArgDef) -> proto::ArgDef {
    proto::ArgDef {
        name: def.name.clone(),
        description: def.description.clone(),
        r#type: def.ty.map_or(0, |ty| ty.number()),
        type_attr: def.type_attr.clone(),
        number_attr: def.number_attr.clone(),
        type_list_attr: def.type_list_attr.clone(),
        is_ref: def.is_ref,
    }
}

fn attr(def: &AttrDef) -> Result<proto::AttrDef> {
    Ok(proto::AttrDef {
        name: def.name.clone(),
        r#type: def.kind.clone(),
        default_value: def.default.as_ref().map(value).transpose()?,
        description: def.description.clone(),
        has_minimum: def.minimum.is_some(),
        minimum: def.minimum.unwrap_or(0),
        allowed_values: def.allowed.as_ref().map(value).transpose()?,
    })
}
