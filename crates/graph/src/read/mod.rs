//! Reads GraphDefs: JSON and protobuf in, checked graphs or every fault of the file out.
//!
//! ```
//! use levada_graph::read;
//! let error = read::parse_json(br#"{"node": [{"name": "a", "op": "NoOp", "inputs": []}]}"#, None).unwrap_err();
//! assert_eq!(error.fault().help.as_deref(), Some("did you mean \"input\"?"));
//! ```

mod attr;
mod base64;
mod collections;
mod cursor;
mod json;
mod meta;
mod node;
mod pb;
mod recognize;
mod short;
mod source;
mod stream;
mod syntax;
pub(crate) mod tensor;
mod text;
mod top;
pub(crate) mod values;

pub use recognize::Kind;
pub use source::SourceMap;

use crate::attr::AttrValue;
use crate::check::{Checked, Fault, Outside, Suspects};
use crate::def::GraphDef;
use crate::error::{Error, Result};
use crate::graph::Graph;
use crate::op::Registry;
use crate::shape::PartialShape;
use crate::tensor::Tensor;
use bytes::Bytes;
use cursor::{Cursor, LocatedFault};
use json::Json;
use std::collections::HashMap;
use std::path::Path;
use top::GraphReader;

/// How a graph is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Refuses a graph that contains anything unsupported, whether or not a run reaches it. Otherwise unsupported nodes
    /// are kept in the graph ([`Graph::unsupported`]), and runs that reach them fail.
    pub strict: bool,
}

impl Options {
    /// [`Options::strict`].
    pub const STRICT: Options = Options { strict: true };

    /// [`bytes`] with these options.
    ///
    /// # Errors
    /// Every fault in one error.
    pub fn bytes(self, bytes: &[u8], registry: &Registry) -> Result<Graph> {
        recognize(bytes)?;
        if is_json(bytes) {
            return self.json(bytes, registry);
        }
        self.message(message(bytes)?, registry)
    }

    /// [`file`] with these options.
    ///
    /// # Errors
    /// As [`file`].
    pub fn file(self, path: impl AsRef<Path>, registry: &Registry) -> Result<Graph> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let graph = match stream::graph(path) {
            Some(message) => self.message(message, registry),
            None => self.bytes(&load(path)?, registry),
        };
        let mut graph = graph.map_err(|e| recognize::by_path(path).unwrap_or(e).in_file(&name))?;
        graph.name_file(&name);
        Ok(graph)
    }

    /// [`json`] with these options.
    ///
    /// # Errors
    /// Every fault of the text in one error, with lines.
    pub fn json(self, text: &[u8], registry: &Registry) -> Result<Graph> {
        let parsed = parse_text(text, Some(registry))?;
        self.checked(parsed.def, registry, &parsed.suspects, parsed.cx.faults, Some(&parsed.cx.map))
    }

    /// [`pb`] with these options.
    ///
    /// # Errors
    /// Every fault in one error.
    pub fn pb(self, bytes: &[u8], registry: &Registry) -> Result<Graph> {
        self.message(pb::decode(bytes)?, registry)
    }

    fn message(self, message: pb::Parts, registry: &Registry) -> Result<Graph> {
        let (mut cx, mut suspects) = (Cursor::new(""), Suspects::default());
        let def = pb::graph(&mut cx, message, &mut suspects);
        self.checked(def, registry, &suspects, cx.faults, None)
    }

    /// Reads and checks a `MetaGraphDef` in protobuf's binary format. `edit` may change the graph before it is
    /// checked.
    ///
    /// # Errors
    /// Every fault in one error.
    pub fn meta_graph(
        self,
        bytes: Bytes,
        registry: &Registry,
        edit: impl FnOnce(&mut GraphDef) -> Result<()>,
    ) -> Result<Graph> {
        let (mut cx, mut suspects) = (Cursor::new(""), Suspects::default());
        let mut def = pb::graph(&mut cx, pb::decode_meta_graph(bytes)?, &mut suspects);
        edit(&mut def)?;
        self.checked(def, registry, &suspects, cx.faults, None)
    }

    fn checked(
        self,
        def: GraphDef,
        registry: &Registry,
        suspects: &Suspects,
        found: Vec<LocatedFault>,
        map: Option<&SourceMap<'_>>,
    ) -> Result<Graph> {
        // The unreadable parts of a library must not be reported as missing.
        let any_function = found.iter().any(|found| found.path.starts_with("library"));
        let outside = Outside { any_function, ..Outside::default() };
        let checked = crate::check::check(def, registry, suspects, outside);
        settle(checked, found, map, self.strict).map(Checked::into_graph)
    }
}

/// Reads and checks a graph in JSON.
///
/// # Errors
/// Every fault of the text in one error, with lines.
pub fn json(text: &[u8], registry: &Registry) -> Result<Graph> {
    Options::default().json(text, registry)
}

/// Reads and checks a graph in protobuf's binary format.
///
/// # Errors
/// Every fault in one error.
pub fn pb(bytes: &[u8], registry: &Registry) -> Result<Graph> {
    Options::default().pb(bytes, registry)
}

/// The checked nodes, with locations for unsupported features; or every fault, found by reading and by checking.
/// Unsupported features are faults only if `strict` asks for that, or if there are other faults.
pub(crate) fn settle(
    checked: Result<Checked, Vec<Fault>>,
    mut found: Vec<LocatedFault>,
    map: Option<&SourceMap<'_>>,
    strict: bool,
) -> Result<Checked> {
    let (checked, more) = match checked {
        Ok(mut checked) => {
            let lacks = std::mem::take(&mut checked.lacks);
            (Some(checked), lacks)
        }
        Err(faults) => (None, faults),
    };
    found.extend(more.into_iter().map(LocatedFault::from));
    let refused = found.iter().any(|found| strict || !found.lack());
    let errors = placed(found, map);
    match (checked, refused) {
        (Some(mut checked), false) => {
            let mut of_nodes: HashMap<usize, Vec<Error>> = HashMap::new();
            for error in errors {
                of_nodes.entry(node_number(error.fault().path.as_deref().unwrap_or_default())).or_default().push(error);
            }
            checked.attach(of_nodes);
            Ok(checked)
        }
        _ => Err(Error::join(errors).unwrap_or_else(|| Error::internal("a graph was refused without a reason"))),
    }
}

/// Reads and checks a graph in any format.
///
/// # Errors
/// Every fault in one error.
pub fn bytes(bytes: &[u8], registry: &Registry) -> Result<Graph> {
    Options::default().bytes(bytes, registry)
}

/// Reads a GraphDef in any format without checking its nodes.
///
/// # Errors
/// As [`parse_json`] and [`parse_pb`].
pub fn parse(bytes: &[u8], registry: Option<&Registry>) -> Result<GraphDef> {
    recognize(bytes)?;
    if is_json(bytes) { parse_json(bytes, registry).map(|(def, _)| def) } else { parsed(message(bytes)?) }
}

/// The message in `bytes`, in protobuf's binary or text format.
fn message(bytes: &[u8]) -> Result<pb::Parts> {
    match text::Form::of(bytes) {
        Some(form) => pb::decode_form(text::to_binary(bytes, form)?.into(), form),
        None => pb::decode(bytes),
    }
}

/// Refuses bytes that are certainly not a graph.
fn recognize(bytes: &[u8]) -> Result<()> {
    recognize::by_mark(bytes).map_or(Ok(()), Err)
}

/// The bytes of a graph's file.
fn load(path: &Path) -> Result<Vec<u8>> {
    let name = path.display().to_string();
    std::fs::read(path).map_err(|e| match recognize::by_path(path) {
        Some(other) => other.in_file(&name),
        None => cannot_open(&name, &e),
    })
}

/// True for text, unless it is in protobuf's text format. Binary graphs have control characters near their beginning, text never does: every node begins with
/// tags and lengths below 32.
fn is_json(bytes: &[u8]) -> bool {
    if text::Form::of(bytes).is_some() {
        return false;
    }
    let start = &bytes[..bytes.len().min(256)];
    matches!(start, [0xef, 0xbb, 0xbf, ..] | [0xff, 0xfe, ..] | [0xfe, 0xff, ..])
        || start.iter().all(|b| *b >= b' ' || matches!(b, b'\t' | b'\n' | b'\r'))
}

/// Reads as much of a graph in any format as possible, for callers that also want its faults: the GraphDef without
/// the parts at fault, and the checked graph or every fault.
///
/// # Errors
/// If there is no graph at all: the bytes are not JSON, or not a GraphDef.
pub fn survey(bytes: &[u8], registry: &Registry) -> Result<(GraphDef, Result<Graph>)> {
    recognize(bytes)?;
    if is_json(bytes) {
        let parsed = parse_text(bytes, Some(registry))?;
        let (suspects, faults) = (parsed.suspects, parsed.cx.faults);
        let graph = Options::default().checked(parsed.def.clone(), registry, &suspects, faults, Some(&parsed.cx.map));
        return Ok((parsed.def, graph));
    }
    Ok(survey_message(message(bytes)?, registry))
}

fn survey_message(message: pb::Parts, registry: &Registry) -> (GraphDef, Result<Graph>) {
    let (mut cx, mut suspects) = (Cursor::new(""), Suspects::default());
    let def = pb::graph(&mut cx, message, &mut suspects);
    let graph = Options::default().checked(def.clone(), registry, &suspects, cx.faults, None);
    (def, graph)
}

/// [`survey`] for a `MetaGraphDef` in protobuf's binary format.
///
/// # Errors
/// If the bytes are not a `MetaGraphDef`.
pub fn survey_meta_graph(bytes: Bytes, registry: &Registry) -> Result<(GraphDef, Result<Graph>)> {
    Ok(survey_message(pb::decode_meta_graph(bytes)?, registry))
}

/// [`survey`] for a file.
///
/// # Errors
/// As [`survey`]; `NOT_FOUND` and the like if it cannot be opened.
pub fn survey_file(path: impl AsRef<Path>, registry: &Registry) -> Result<(GraphDef, Result<Graph>)> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let surveyed = match stream::graph(path) {
        Some(message) => Ok(survey_message(message, registry)),
        None => survey(&load(path)?, registry),
    };
    let (def, graph) = surveyed.map_err(|e| recognize::by_path(path).unwrap_or(e).in_file(&name))?;
    let named = |mut graph: Graph| {
        graph.name_file(&name);
        graph
    };
    Ok((def, graph.map(named).map_err(|e| e.in_file(&name))))
}

/// Reads and checks the graph in a file, JSON or protobuf (binary or text).
///
/// # Errors
/// `NOT_FOUND` and the like if it cannot be opened, otherwise every fault of the file in one error.
pub fn file(path: impl AsRef<Path>, registry: &Registry) -> Result<Graph> {
    Options::default().file(path, registry)
}

fn cannot_open(name: &str, error: &std::io::Error) -> Error {
    use std::io::ErrorKind as K;
    let code = match error.kind() {
        K::NotFound => crate::Code::NotFound,
        K::PermissionDenied => crate::Code::PermissionDenied,
        _ => crate::Code::Unknown,
    };
    Error::new(code, format!("the file cannot be read: {error}")).file(name)
}

/// Reads a GraphDef in JSON without checking its nodes. The registry determines the kinds of the plain values of the
/// short form; without one their kinds are guessed.
///
/// # Errors
/// Every fault of syntax and of values.
pub fn parse_json<'s>(text: &'s [u8], registry: Option<&Registry>) -> Result<(GraphDef, SourceMap<'s>)> {
    let parsed = parse_text(text, registry)?;
    match report(parsed.cx.faults, Some(&parsed.cx.map)) {
        Some(error) => Err(error),
        None => Ok((parsed.def, parsed.cx.map)),
    }
}

/// Reads a GraphDef in protobuf's binary format without checking its nodes.
///
/// # Errors
/// Every fault of values, or that the bytes are not a GraphDef.
pub fn parse_pb(bytes: &[u8]) -> Result<GraphDef> {
    parsed(pb::decode(bytes)?)
}

fn parsed(message: pb::Parts) -> Result<GraphDef> {
    let mut cx = Cursor::new("");
    let def = pb::graph(&mut cx, message, &mut Suspects::default());
    match report(cx.faults, None) {
        Some(error) => Err(error),
        None => Ok(def),
    }
}

/// [`parse_json`] for a value that serde_json has read.
///
/// # Errors
/// As [`parse_json`], without lines.
pub fn def_from_value(value: &serde_json::Value, registry: Option<&Registry>) -> Result<GraphDef> {
    let mut reader = GraphReader::new("", registry);
    reader.tree(&Json::of(value));
    match report(reader.cx.faults, None) {
        Some(error) => Err(error),
        None => Ok(reader.def),
    }
}

/// A `SavedModel` in protobuf's text format, in its binary format.
///
/// # Errors
/// `INVALID_ARGUMENT`, with line and column, for text that is not such a message; `UNIMPLEMENTED` for one with an object
/// graph.
pub fn saved_model_from_text(bytes: &[u8]) -> Result<Vec<u8>> {
    text::to_binary(bytes, text::Form::SavedModel)
}

/// Reads a `TensorProto` in JSON.
///
/// # Errors
/// Every fault of the value.
pub fn tensor_from_json(value: &serde_json::Value) -> Result<Tensor> {
    tensor::standalone(&Json::of(value), Cursor::tensor)
}

/// Reads a `TensorProto` in binary.
///
/// # Errors
/// `INVALID_ARGUMENT` if the bytes are not such a message, and every fault of the value.
pub fn tensor_from_pb(bytes: &[u8]) -> Result<Tensor> {
    tensor_from_proto(pb::decode_tensor(bytes)?)
}

/// The tensor of a `TensorProto` message.
pub(crate) fn tensor_from_proto(proto: crate::proto::TensorProto) -> Result<Tensor> {
    tensor::reading(|cx| pb::tensor(cx, proto))
}

/// Reads a tensor in the short form: nested lists of plain values, of this dtype or of the one they look like.
///
/// # Errors
/// Every fault of the value.
pub fn tensor_from_plain(value: &serde_json::Value, dtype: Option<crate::DType>) -> Result<Tensor> {
    tensor::standalone(&Json::of(value), |cx, json| cx.short_tensor(json, dtype))
}

/// Joins all faults into one error, in the order of the file.
fn report(faults: Vec<LocatedFault>, map: Option<&SourceMap<'_>>) -> Option<Error> {
    Error::join(placed(faults, map))
}

/// The faults with their locations, in the order of the file.
fn placed(mut faults: Vec<LocatedFault>, map: Option<&SourceMap<'_>>) -> Vec<Error> {
    if let Some(map) = map {
        for fault in &mut faults {
            fault.at = fault.at.or_else(|| map.find(&fault.path));
        }
    }
    faults.sort_by_key(|fault| match map {
        Some(_) => fault.at.unwrap_or(usize::MAX),
        None => node_number(&fault.path),
    });
    let placed = faults.into_iter().map(|fault| {
        let error = if fault.path.is_empty() { fault.error } else { fault.error.path(fault.path) };
        match (fault.at, map) {
            (Some(at), Some(map)) => {
                let (line, column) = map.position(at);
                error.line(line).column(column)
            }
            _ => error,
        }
    });
    placed.collect()
}

/// The number in `node[3].attr`; without a text, the order of the nodes replaces that of the lines.
fn node_number(path: &str) -> usize {
    let digits = path.strip_prefix("node[").and_then(|rest| rest.split_once(']'));
    digits.and_then(|(digits, _)| digits.parse().ok()).unwrap_or(usize::MAX)
}

impl From<Fault> for LocatedFault {
    fn from(Fault { node, path, error, lack }: Fault) -> LocatedFault {
        let dot = if path.is_empty() { "" } else { "." };
        let path = node.map_or_else(|| path.clone(), |node| format!("node[{node}]{dot}{path}"));
        LocatedFault { at: None, path, error, lack }
    }
}

impl LocatedFault {
    /// True if it is an unsupported feature rather than a fault of the file.
    fn lack(&self) -> bool {
        let unread = self.error.code() == crate::Code::Unimplemented && self.path.starts_with("node[");
        self.lack || unread
    }
}

/// Reads as much as possible; fails only if the text is not a JSON object that holds a graph.
fn parse_text<'s, 'r>(bytes: &'s [u8], registry: Option<&'r Registry>) -> Result<GraphReader<'s, 'r>> {
    let text = syntax::text(bytes)?;
    let mut reader = GraphReader::new(text, registry);
    reader.text(text)?;
    unknown_scalars(&mut reader.def);
    Ok(reader)
}

/// Before version 24 the shape `[]` of a placeholder meant that its shape was unknown.
fn unknown_scalars(def: &mut GraphDef) {
    if !(1..24).contains(&def.versions.producer) {
        return;
    }
    for node in def.nodes.iter_mut().filter(|node| node.op == "Placeholder") {
        if matches!(node.attrs.get("shape"), Some(AttrValue::Shape(shape)) if shape.rank() == Some(0)) {
            node.attrs.set("shape", AttrValue::Shape(PartialShape::Unknown));
        }
    }
}
