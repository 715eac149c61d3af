//! The layout of canonical JSON: one node per line, so that line numbers locate faults and diffs are readable.

use crate::error::{Error, Result};
use crate::proto::{FunctionDef, GraphDef, MetaGraphDef};
use serde::Serialize;
use serde_json::ser::Formatter;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The text of a graph and of the data stored with it.
pub(crate) fn file(file: &MetaGraphDef) -> Result<String> {
    let mut out = Vec::new();
    let written = Lines { out: &mut out, depth: 0, empty: true }.file(file);
    written.map_err(|e| Error::internal(format!("a graph cannot be written as JSON: {e}")))?;
    String::from_utf8(out).map_err(|_| Error::internal("the written JSON is not UTF-8"))
}

/// Writes objects and lists with one line for each member.
struct Lines<'o> {
    out: &'o mut Vec<u8>,
    depth: usize,
    empty: bool,
}

impl Lines<'_> {
    fn file(mut self, file: &MetaGraphDef) -> io::Result<()> {
        let bare = file.collection_def.is_empty() && file.signature_def.is_empty() && file.saver_def.is_none();
        let graph = file.graph_def.as_ref();
        if let (true, Some(graph)) = (bare, graph) {
            self.graph(graph)?;
        } else {
            self.open("{");
            if let Some(graph) = graph {
                self.key("graphDef")?;
                self.graph(graph)?;
            }
            self.field("saverDef", &file.saver_def, file.saver_def.is_none())?;
            self.map("collectionDef", &file.collection_def)?;
            self.map("signatureDef", &file.signature_def)?;
            self.close("}");
        }
        self.out.push(b'\n');
        Ok(())
    }

    /// A map with a line for each entry, unless it is empty.
    fn map(&mut self, key: &str, entries: &BTreeMap<String, impl Serialize>) -> io::Result<()> {
        if entries.is_empty() {
            return Ok(());
        }
        self.key(key)?;
        self.open("{");
        for (name, entry) in entries {
            self.field(name, entry, false)?;
        }
        self.close("}");
        Ok(())
    }

    fn graph(&mut self, graph: &GraphDef) -> io::Result<()> {
        self.open("{");
        if !graph.node.is_empty() {
            self.nodes("node", &graph.node)?;
        }
        if let Some(library) = &graph.library {
            self.key("library")?;
            self.open("{");
            if !library.function.is_empty() {
                self.key("function")?;
                self.open("[");
                for function in &library.function {
                    self.next();
                    self.function(function)?;
                }
                self.close("]");
            }
            self.field("gradient", &library.gradient, library.gradient.is_empty())?;
            let registered = &library.registered_gradients;
            self.field("registeredGradients", registered, registered.is_empty())?;
            self.close("}");
        }
        self.field("versions", &graph.versions, graph.versions.is_none())?;
        self.close("}");
        Ok(())
    }

    fn function(&mut self, function: &FunctionDef) -> io::Result<()> {
        self.open("{");
        self.field("signature", &function.signature, function.signature.is_none())?;
        self.field("attr", &function.attr, function.attr.is_empty())?;
        self.field("argAttr", &function.arg_attr, function.arg_attr.is_empty())?;
        let ids = &function.resource_arg_unique_id;
        self.field("resourceArgUniqueId", ids, ids.is_empty())?;
        if !function.node_def.is_empty() {
            self.nodes("nodeDef", &function.node_def)?;
        }
        self.field("ret", &function.ret, function.ret.is_empty())?;
        self.field("controlRet", &function.control_ret, function.control_ret.is_empty())?;
        self.close("}");
        Ok(())
    }

    fn nodes(&mut self, key: &str, nodes: &[crate::proto::NodeDef]) -> io::Result<()> {
        self.key(key)?;
        self.open("[");
        for node in nodes {
            self.next();
            self.value(node)?;
        }
        self.close("]");
        Ok(())
    }

    fn field(&mut self, key: &str, value: &impl Serialize, absent: bool) -> io::Result<()> {
        if absent {
            return Ok(());
        }
        self.key(key)?;
        self.value(value)
    }

    fn key(&mut self, key: &str) -> io::Result<()> {
        self.next();
        self.value(&key)?;
        self.out.write_all(b": ")
    }

    fn value(&mut self, value: &impl Serialize) -> io::Result<()> {
        value.serialize(&mut serde_json::Serializer::with_formatter(&mut *self.out, Spaced)).map_err(io::Error::from)
    }

    fn open(&mut self, bracket: &str) {
        self.out.extend_from_slice(bracket.as_bytes());
        self.depth += 1;
        self.empty = true;
    }

    fn next(&mut self) {
        if !self.empty {
            self.out.push(b',');
        }
        self.empty = false;
        self.line();
    }

    fn close(&mut self, bracket: &str) {
        self.depth -= 1;
        if !self.empty {
            self.line();
        }
        self.empty = false;
        self.out.extend_from_slice(bracket.as_bytes());
    }

    fn line(&mut self) {
        self.out.push(b'\n');
        self.out.resize(self.out.len() + 2 * self.depth, b' ');
    }
}

/// One line, with a space after each colon and comma.
struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }
    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }
    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}
