//! The outermost object of a file. Nodes are processed one by one as the text is read, so that a large graph is never
//! held as a tree; everything else is small.

use super::cursor::{Cursor, Step};
use super::json::{Json, Text};
use super::syntax;
use crate::check::{Broken, Suspects};
use crate::def::GraphDef;
use crate::error::{Error, Result};
use crate::op::Registry;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// Members of the surrounding message that are read besides the graph.
const BESIDE: [&str; 6] = ["collectionDef", "collection_def", "signatureDef", "signature_def", "saverDef", "saver_def"];

const FIELDS: [&str; 5] = ["node", "versions", "version", "library", "debug_info"];

/// Reads a GraphDef, collecting its faults.
pub(crate) struct GraphReader<'s, 'r> {
    pub cx: Cursor<'s>,
    pub def: GraphDef,
    pub suspects: Suspects,
    registry: Option<&'r Registry>,
}

impl<'s, 'r> GraphReader<'s, 'r> {
    pub fn new(text: &'s str, registry: Option<&'r Registry>) -> GraphReader<'s, 'r> {
        GraphReader { cx: Cursor::new(text), def: GraphDef::default(), suspects: Suspects::default(), registry }
    }

    /// Reads `part` of the text.
    ///
    /// # Errors
    /// If it is not JSON, or not an object that holds a graph. Other faults are collected.
    pub fn text(&mut self, part: &'s str) -> Result<()> {
        let mut deserializer = serde_json::Deserializer::from_str(part);
        let top = TopSeed(self).deserialize(&mut deserializer).and_then(|top| deserializer.end().map(|()| top));
        let members = match top.map_err(|e| syntax::error(self.cx.map.text(), part, &e))? {
            Top::Object(members) => members,
            Top::Other(what) => {
                return Err(Error::invalid("a graph is a JSON object").expected(r#"{"node": [...]}"#).found(what));
            }
        };
        if let Some(wrapper) = syntax::wrapper(members.iter().map(|(key, _)| &**key))? {
            let mut graph = None;
            for (key, part) in members {
                match (&*key, part) {
                    (key, Part::Raw(raw)) if key == wrapper => graph = Some(raw),
                    (beside, Part::Raw(raw)) if BESIDE.contains(&beside) => {
                        let mark = if let Cow::Borrowed(s) = key { Some(s) } else { None };
                        self.read_member(&key, mark, raw.get())?;
                    }
                    _ => {}
                }
            }
            return graph.map_or(Ok(()), |raw| self.text(raw.get()));
        }
        for (key, part) in members {
            let mark = match &key {
                Cow::Borrowed(s) => Some(*s),
                Cow::Owned(_) => None,
            };
            let not_nodes =
                |what| Error::invalid("the nodes of a graph are not a list").expected("a list of nodes").found(what);
            let repeated = || Error::invalid(format!("duplicate key {key:?}")).help("remove one of the two");
            let raw = match part {
                Part::Nodes(Nodes::Read) => continue,
                Part::Nodes(Nodes::Other(what)) => {
                    self.cx.within(Step::Key(&key), mark, |cx| cx.fault(not_nodes(what)));
                    continue;
                }
                Part::Repeated => {
                    self.cx.within(Step::Key(&key), mark, |cx| cx.fault(repeated()));
                    continue;
                }
                Part::Raw(raw) => raw.get(),
            };
            self.read_member(&key, mark, raw)?;
        }
        Ok(())
    }

    fn read_member(&mut self, key: &str, mark: Option<&str>, raw: &'s str) -> Result<()> {
        let value: Json<'s> = serde_json::from_str(raw).map_err(|e| syntax::error(self.cx.map.text(), raw, &e))?;
        self.cx.map.push_member(key, raw);
        self.member(key, mark, &value);
        Ok(())
    }

    /// Reads a GraphDef that is already a tree.
    pub fn tree(&mut self, json: &Json<'s>) {
        for member in self.cx.entries(json, "a graph").unwrap_or_default() {
            match (&*member.key, &member.value) {
                ("node", Json::Array(items)) => items.iter().for_each(|item| self.node(item)),
                (key, value) => self.member(key, None, value),
            }
        }
    }

    fn node(&mut self, tree: &Json<'s>) {
        let (i, registry) = (self.def.nodes.len(), self.registry);
        let (node, broken) =
            self.cx.within(Step::Key("node"), None, |cx| cx.within(Step::Index(i), None, |cx| cx.node(tree, registry)));
        if broken != Broken::default() {
            self.suspects.insert(i, broken);
        }
        self.def.nodes.push(node);
    }

    /// A member other than the nodes.
    fn member(&mut self, key: &str, mark: Option<&str>, value: &Json<'s>) {
        if value.is_null() {
            return;
        }
        let (def, registry) = (&mut self.def, self.registry);
        self.cx.within(Step::Key(key), mark, |cx| match key {
            "node" => {
                cx.expected::<()>("a list of nodes", "the nodes of a graph are not a list", value);
            }
            "versions" => def.versions = cx.versions(value).unwrap_or_default(),
            "version" => {
                let version = cx.int(value).unwrap_or(0);
                def.versions.producer = def.versions.producer.max(version);
            }
            "library" => def.library = cx.library(value, registry).unwrap_or_default(),
            "debug_info" | "debugInfo" => {}
            // A short form: a graph has no such field, but may be written without the surrounding message.
            "collectionDef" | "collection_def" => def.collections = cx.collections(value).unwrap_or_default(),
            "signatureDef" | "signature_def" => def.meta.signatures = cx.signatures(value).unwrap_or_default(),
            "saverDef" | "saver_def" => def.meta.saver = cx.saver(value),
            other => {
                let error = Error::invalid(format!("a graph has no field {other:?}"));
                cx.fault(match crate::op::nearest(other, FIELDS) {
                    Some(near) => error.help(format!("did you mean {near:?}?")),
                    None => error.expected("node, versions or library"),
                });
            }
        });
    }
}

enum Top<'s> {
    Object(Vec<(Cow<'s, str>, Part<'s>)>),
    Other(&'static str),
}

enum Part<'s> {
    Nodes(Nodes),
    Raw(&'s RawValue),
    Repeated,
}

/// The outcome of reading the nodes.
enum Nodes {
    Read,
    Other(&'static str),
}

/// The remaining methods of a visitor, for plain values of the wrong kind.
macro_rules! others {
    ($other:expr) => {
        fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
            Ok($other("a bool"))
        }
        fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
            Ok($other("a number"))
        }
        fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
            Ok($other("a number"))
        }
        fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
            Ok($other("a number"))
        }
        fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
            Ok($other("a string"))
        }
    };
}

struct TopSeed<'a, 's, 'r>(&'a mut GraphReader<'s, 'r>);

impl<'de> DeserializeSeed<'de> for TopSeed<'_, 'de, '_> {
    type Value = Top<'de>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Top<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for TopSeed<'_, 'de, '_> {
    type Value = Top<'de>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Top<'de>, A::Error> {
        let mut members: Vec<(Cow<'de, str>, Part<'de>)> = Vec::new();
        while let Some(Text(key)) = map.next_key()? {
            let part = if members.iter().any(|(k, _)| *k == key) {
                map.next_value::<IgnoredAny>()?;
                Part::Repeated
            } else if key == "node" {
                if let Cow::Borrowed(key) = key {
                    self.0.cx.map.set_nodes(key);
                }
                Part::Nodes(map.next_value_seed(NodesSeed(self.0))?)
            } else {
                Part::Raw(map.next_value()?)
            };
            members.push((key, part));
        }
        Ok(Top::Object(members))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Top<'de>, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Top::Other("a list"))
    }
    fn visit_unit<E>(self) -> Result<Top<'de>, E> {
        Ok(Top::Other("null"))
    }
    others!(Top::Other);
}

struct NodesSeed<'a, 's, 'r>(&'a mut GraphReader<'s, 'r>);

impl<'de> DeserializeSeed<'de> for NodesSeed<'_, 'de, '_> {
    type Value = Nodes;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Nodes, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for NodesSeed<'_, 'de, '_> {
    type Value = Nodes;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of nodes")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Nodes, A::Error> {
        while let Some(tree) = seq.next_element::<Json<'de>>()? {
            self.0.node(&tree);
        }
        Ok(Nodes::Read)
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Nodes, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Nodes::Other("an object"))
    }
    fn visit_unit<E>(self) -> Result<Nodes, E> {
        Ok(Nodes::Read)
    }
    others!(Nodes::Other);
}
