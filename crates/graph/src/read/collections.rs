//! Collections from JSON: as in a `MetaGraphDef`, or in the short form, a list of names or of queue runners.

use super::cursor::Cursor;
use super::json::Json;
use crate::collections::{Collection, Collections, QueueRunnerDef};
use crate::error::{Code, Error};
use prost::bytes::Bytes;

const LIST: &[&str; 1] = &["value"];
const RUNNER: &[&str; 5] =
    &["queue_name", "enqueue_op_name", "close_op_name", "cancel_op_name", "queue_closed_exception_types"];
const KINDS: &[&str; 5] = &["node_list", "bytes_list", "int64_list", "float_list", "any_list"];

impl<'s> Cursor<'s> {
    /// Collections by name.
    pub fn collections(&mut self, json: &Json<'s>) -> Option<Collections> {
        let mut collections = Collections::new();
        for member in self.entries(json, "collectionDef")? {
            if let Some(collection) = self.member(member, Cursor::collection) {
                collections.insert(member.key.to_string(), collection);
            }
        }
        Some(collections)
    }

    fn collection(&mut self, json: &Json<'s>) -> Option<Collection> {
        match json {
            Json::Array(items) if items.iter().all(|i| matches!(i, Json::Object(_))) && !items.is_empty() => {
                self.list(json, "queue runners", Cursor::queue_runner).map(Collection::Bytes)
            }
            Json::Array(_) => self.list(json, "names", Cursor::string).map(Collection::Nodes),
            _ => {
                let fields = self.fields(json, "a collection", KINDS)?;
                let (kind, member) = fields.iter().enumerate().find_map(|(i, f)| f.map(|m| (i, m)))?;
                self.member(member, |cx, json| {
                    // The contents of an Any cannot be read without its schema, and nothing here needs them.
                    if kind == 4 {
                        return None;
                    }
                    let [values] = cx.fields(json, "a collection", LIST)?;
                    let empty = Json::Array(Vec::new());
                    let values = values.map_or(&empty, |m| &m.value);
                    match kind {
                        0 => cx.list(values, "names", Cursor::string).map(Collection::Nodes),
                        1 => cx.list(values, "base64", Cursor::message).map(Collection::Bytes),
                        2 => cx.list(values, "ints", Cursor::int).map(Collection::Ints),
                        _ => cx.list(values, "floats", Cursor::f32).map(Collection::Floats),
                    }
                })
            }
        }
    }

    /// Bytes in base64, or a queue runner as an object.
    fn message(&mut self, json: &Json<'s>) -> Option<Bytes> {
        match json {
            Json::Object(_) => self.queue_runner(json),
            _ => self.base64(json),
        }
    }

    fn queue_runner(&mut self, json: &Json<'s>) -> Option<Bytes> {
        let [queue, enqueue, close, cancel, codes] = self.fields(json, "a queue runner", RUNNER)?;
        let mut text = |member: Option<&super::json::Member<'s>>| match member {
            Some(member) => self.member(member, Cursor::string),
            None => Some(String::new()),
        };
        let (queue, close, cancel) = (text(queue)?, text(close)?, text(cancel)?);
        let enqueue = match enqueue {
            Some(member) => self.member(member, |cx, json| cx.list(json, "names", Cursor::string))?,
            None => Vec::new(),
        };
        let closed_by = match codes {
            Some(member) => self.member(member, |cx, json| cx.list(json, "status codes", Cursor::code))?,
            None => vec![Code::OutOfRange],
        };
        Some(QueueRunnerDef { queue, enqueue, close, cancel, closed_by }.encode())
    }

    fn code(&mut self, json: &Json<'s>) -> Option<Code> {
        let found = match json {
            Json::Str(name) => Code::parse(name),
            other => super::cursor::whole(other).and_then(|n| Code::from_number(i32::try_from(n).ok()?)),
        };
        if found.is_none() {
            self.fault(Error::invalid("this is not a status code").expected("OUT_OF_RANGE and the like").found(json));
        }
        found
    }
}
