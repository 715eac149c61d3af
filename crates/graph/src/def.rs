//! A GraphDef as plain data: the contents of a file, checked for syntax only.

use crate::attr::Attrs;
use crate::collections::Collections;
use crate::dtype::EdgeType;
use crate::meta::Meta;
use std::collections::BTreeMap;

/// A graph as a file describes it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GraphDef {
    /// Nodes in the order of the file.
    pub nodes: Vec<NodeDef>,
    /// Versions of the writer.
    pub versions: Versions,
    /// Functions.
    pub library: Library,
    /// Collections stored with the graph.
    pub collections: Collections,
    /// Signatures and saver.
    pub meta: Meta,
}

/// A node as a file describes it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct NodeDef {
    /// Unique name.
    pub name: String,
    /// Name of the op, or of a function.
    pub op: String,
    /// `node`, `node:output` and, for control edges, `^node`. In functions `node:argument:index`.
    pub inputs: Vec<String>,
    /// Requested device; empty for any.
    pub device: String,
    /// Attrs.
    pub attrs: Attrs,
}

/// Versions of a graph.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Versions {
    /// Version of the writer.
    pub producer: i32,
    /// Oldest reader that understands the graph.
    pub min_consumer: i32,
    /// Readers that must not read it.
    pub bad_consumers: Vec<i32>,
}

/// Functions that nodes of a graph call.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Library {
    /// Functions in the order of the file.
    pub functions: Vec<FunctionDef>,
    /// Gradient functions: (function, its gradient).
    pub gradients: Vec<(String, String)>,
    /// Gradient functions of the ops that nodes name in `_gradient_op_type`: (op type, function).
    pub registered_gradients: Vec<(String, String)>,
}

impl Library {
    /// The function named `name`.
    pub fn function(&self, name: &str) -> Option<&FunctionDef> {
        self.functions.iter().find(|f| f.signature.name == name)
    }
}

/// A function: a graph with parameters.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FunctionDef {
    /// Name, parameters and results.
    pub signature: Signature,
    /// The function's own attrs.
    pub attrs: Attrs,
    /// Attrs of parameters, by number.
    pub arg_attrs: BTreeMap<u32, Attrs>,
    /// Ids of resource parameters that stand for the same resource, by parameter number.
    pub resource_arg_unique_ids: BTreeMap<u32, u32>,
    /// Body.
    pub nodes: Vec<NodeDef>,
    /// Result name to `node:argument:index` or parameter name.
    pub ret: BTreeMap<String, String>,
    /// Control output name to node.
    pub control_ret: BTreeMap<String, String>,
}

/// The signature of a function (`OpDef`).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Signature {
    /// Name.
    pub name: String,
    /// Parameters.
    pub inputs: Vec<ArgDef>,
    /// Results.
    pub outputs: Vec<ArgDef>,
    /// Control outputs.
    pub control_outputs: Vec<String>,
    /// Attrs that make the function polymorphic.
    pub attrs: Vec<AttrDef>,
    /// True for functions with state or side effects.
    pub is_stateful: bool,
    /// One-line summary.
    pub summary: String,
    /// Long description.
    pub description: String,
}

/// A parameter or result of a function (`OpDef.ArgDef`).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ArgDef {
    /// Name.
    pub name: String,
    /// Description.
    pub description: String,
    /// Its type, if fixed.
    pub ty: Option<EdgeType>,
    /// Attr that holds its dtype.
    pub type_attr: String,
    /// Attr that holds the number of tensors.
    pub number_attr: String,
    /// Attr that lists the dtypes.
    pub type_list_attr: String,
    /// True for a reference to a variable.
    pub is_ref: bool,
}

/// An attr of a function (`OpDef.AttrDef`).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct AttrDef {
    /// Name.
    pub name: String,
    /// Kind, as the schema writes it: `type`, `int`, `list(string)`.
    pub kind: String,
    /// Value used when a call gives none.
    pub default: Option<crate::attr::AttrValue>,
    /// Description.
    pub description: String,
    /// Minimum value, if any.
    pub minimum: Option<i64>,
    /// Allowed values.
    pub allowed: Option<crate::attr::AttrValue>,
}
