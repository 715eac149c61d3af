//! Locations in a file: byte offsets to lines, and nodes to byte offsets.

use super::json::Json;
use serde_json::value::RawValue;
use std::cell::OnceCell;

/// The locations of the parts of a GraphDef in the JSON text it was read from.
#[derive(Clone, Debug, Default)]
pub struct SourceMap<'s> {
    text: &'s str,
    /// Byte offset after the key of the nodes.
    nodes: Option<usize>,
    /// Byte offset of each node; computed only once there is a fault.
    starts: OnceCell<Vec<usize>>,
    lines: OnceCell<Vec<usize>>,
    members: Vec<(String, usize)>,
}

impl<'s> SourceMap<'s> {
    pub(crate) fn new(text: &'s str) -> SourceMap<'s> {
        SourceMap { text, ..SourceMap::default() }
    }

    /// The text.
    pub(crate) fn text(&self) -> &'s str {
        self.text
    }

    /// Records that the list of nodes follows this key.
    pub(crate) fn set_nodes(&mut self, key: &'s str) {
        self.nodes = self.offset(key).map(|offset| offset + key.len());
    }

    /// Records the location of the value of another member of the outermost object.
    pub(crate) fn push_member(&mut self, key: &str, value: &'s str) {
        let offset = self.offset(value).unwrap_or(0);
        self.members.push((key.to_owned(), offset));
    }

    /// Byte offset of `part`, if it is a part of the text.
    pub(crate) fn offset(&self, part: &str) -> Option<usize> {
        let offset = (part.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize)?;
        (offset + part.len() <= self.text.len()).then_some(offset)
    }

    /// Line and column of a byte offset, both from 1. Columns count characters, or bytes far into a long line.
    pub fn position(&self, offset: usize) -> (usize, usize) {
        let lines = self.lines.get_or_init(|| {
            let newlines = self.text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1);
            std::iter::once(0).chain(newlines).collect()
        });
        let line = lines.partition_point(|&start| start <= offset);
        let start = lines[line - 1];
        let before = if offset - start < 1 << 12 { self.text.get(start..offset) } else { None };
        let column = before.map_or(offset - start, |s| s.chars().count());
        (line, column + 1)
    }

    /// Byte offset of the part that `path` names: `node[3].attr.ksize`, `node[3].input[1]`, `versions.minConsumer`.
    pub fn find(&self, path: &str) -> Option<usize> {
        if let Some(indexed) = path.strip_prefix("node[") {
            let (index, rest) = indexed.split_once(']')?;
            let start = *self.starts().get(index.parse::<usize>().ok()?)?;
            return self.within(start, rest.strip_prefix('.').unwrap_or(rest));
        }
        let (key, rest) = path.split_once('.').unwrap_or((path, ""));
        let (_, start) = self.members.iter().find(|(k, _)| k == key)?;
        self.within(*start, rest)
    }

    /// Byte offsets of the nodes.
    fn starts(&self) -> &[usize] {
        self.starts.get_or_init(|| {
            let find = || -> Option<Vec<usize>> {
                let behind = self.text.get(self.nodes?..)?;
                let list = &behind[behind.find('[')?..];
                let mut list = serde_json::Deserializer::from_str(list);
                let nodes: Vec<&RawValue> = serde::Deserialize::deserialize(&mut list).ok()?;
                nodes.iter().map(|raw| self.offset(raw.get())).collect()
            };
            find().unwrap_or_default()
        })
    }

    /// Byte offset of the part that `path` names in the value at `start`. The value is parsed again: faults are rare.
    fn within(&self, start: usize, path: &str) -> Option<usize> {
        let inner = || -> Option<usize> {
            let mut part = serde_json::Deserializer::from_str(self.text.get(start..)?);
            let tree = <Json<'_> as serde::Deserialize>::deserialize(&mut part).ok()?;
            self.offset(find(&tree, path)?)
        };
        Some(inner().unwrap_or(start))
    }
}

/// The key, or for list elements the value, that `path` names.
fn find<'s>(tree: &Json<'s>, path: &str) -> Option<&'s str> {
    let (mut at, mut mark) = (tree, None);
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(indexed) = rest.strip_prefix('[') {
            let (index, after) = indexed.split_once(']')?;
            let Json::Array(items) = at else { return mark };
            at = items.get(index.parse::<usize>().ok()?)?;
            mark = at.landmark().or(mark);
            rest = after.strip_prefix('.').unwrap_or(after);
        } else {
            let Json::Object(members) = at else { return mark };
            // The names of attrs may contain dots.
            let longest = members.iter().filter(|m| {
                rest.strip_prefix(&*m.key).is_some_and(|after| after.is_empty() || after.starts_with(['.', '[']))
            });
            let Some(member) = longest.max_by_key(|m| m.key.len()) else { return mark };
            at = &member.value;
            mark = member.landmark().or(mark);
            let after = &rest[member.key.len()..];
            rest = after.strip_prefix('.').unwrap_or(after);
        }
    }
    mark
}
