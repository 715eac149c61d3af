//! Attr values from JSON: `AttrValue` messages, and the plain values of the short form.

use super::cursor::{Cursor, Step};
use super::json::{Json, Member};
use crate::attr::{AttrKind, AttrList, AttrValue, Attrs, Func};
use crate::dtype::DType;
use crate::error::Error;
use crate::shape::PartialShape;
use bytes::Bytes;

const ONE_OF: [&str; 10] = ["s", "i", "f", "b", "type", "shape", "tensor", "list", "func", "placeholder"];
const LISTS: [&str; 8] = ["s", "i", "f", "b", "type", "shape", "tensor", "func"];

impl<'s> Cursor<'s> {
    /// The value of an attr whose kind the op's spec gives, if the op is known. `dtype` is the dtype of plain tensor
    /// values, if the node gives one. `None` without a fault for an `AttrValue` in which nothing is set.
    pub fn attr_value(&mut self, json: &Json<'s>, kind: Option<AttrKind>, dtype: Option<DType>) -> Option<AttrValue> {
        match json {
            Json::Object(members) if kind == Some(AttrKind::Func) && members.iter().any(|m| m.key == "name") => {
                self.func(json).map(AttrValue::Func)
            }
            Json::Object(members)
                if kind == Some(AttrKind::Tensor) && members.iter().any(|m| m.key == "base64" || m.key == "b64") =>
            {
                self.short_tensor(json, dtype).map(AttrValue::Tensor)
            }
            Json::Object(_) => self.attr_message(json),
            plain => self.plain(plain, kind, dtype),
        }
    }

    /// An `AttrValue`.
    fn attr_message(&mut self, json: &Json<'s>) -> Option<AttrValue> {
        let fields = self.fields(json, "an attr value", &ONE_OF)?;
        let mut set = fields.iter().enumerate().filter_map(|(i, m)| m.map(|m| (i, m)));
        let (i, member) = set.next()?;
        if let Some((_, second)) = set.next() {
            let error = Error::invalid("an attr has one value")
                .found(format!("both {:?} and {:?}", member.key, second.key))
                .help("keep one of the two");
            self.member(second, |cx, _| cx.fault(error));
            return None;
        }
        self.member(member, |cx, json| match ONE_OF[i] {
            "s" => cx.base64(json).map(AttrValue::S),
            "i" => cx.int(json).map(AttrValue::I),
            "f" => cx.f32(json).map(AttrValue::F),
            "b" => cx.bool(json).map(AttrValue::B),
            "type" => cx.edge_type(json).map(AttrValue::Type),
            "shape" => cx.shape(json).map(AttrValue::Shape),
            "tensor" => cx.tensor(json).map(AttrValue::Tensor),
            "list" => cx.attr_list(json).map(AttrValue::List),
            "func" => cx.func(json).map(AttrValue::Func),
            _ => cx.string(json).map(AttrValue::Placeholder),
        })
    }

    /// An `AttrValue.ListValue`.
    fn attr_list(&mut self, json: &Json<'s>) -> Option<AttrList> {
        let fields = self.fields(json, "a list value", &LISTS)?;
        let filled = |m: &&Member<'s>| !matches!(&m.value, Json::Array(items) if items.is_empty());
        let mut set = fields.iter().enumerate().filter_map(|(i, m)| m.filter(|m| filled(m)).map(|m| (i, m)));
        let Some((i, member)) = set.next() else { return Some(AttrList::Empty) };
        if let Some((_, second)) = set.next() {
            let error = Error::invalid("the values of a list are of one kind")
                .found(format!("both {:?} and {:?}", member.key, second.key));
            self.member(second, |cx, _| cx.fault(error));
            return None;
        }
        self.member(member, |cx, json| match LISTS[i] {
            "s" => cx.complete(json, Cursor::base64).map(AttrList::S),
            "i" => cx.complete(json, Cursor::int).map(AttrList::I),
            "f" => cx.complete(json, Cursor::f32).map(AttrList::F),
            "b" => cx.complete(json, Cursor::bool).map(AttrList::B),
            "type" => cx.complete(json, Cursor::edge_type).map(AttrList::Type),
            "shape" => cx.complete(json, Cursor::shape).map(AttrList::Shape),
            "tensor" => cx.complete(json, Cursor::tensor).map(AttrList::Tensor),
            _ => cx.complete(json, Cursor::func).map(AttrList::Func),
        })
    }

    /// A function by its name, or a `NameAttrList`.
    fn func(&mut self, json: &Json<'s>) -> Option<Func> {
        if let Json::Str(name) = json {
            return Some(Func { name: name.to_string(), attrs: Attrs::new() });
        }
        let [name, attr] = self.fields(json, "a function", &["name", "attr"])?;
        let name = match name {
            Some(member) => self.member(member, |cx, json| cx.string(json))?,
            None => String::new(),
        };
        let attrs = match attr {
            Some(member) => self.member(member, |cx, json| cx.attr_map(json))?,
            None => Attrs::new(),
        };
        Some(Func { name, attrs })
    }

    /// Attrs whose kinds no spec gives. `None` if one is at fault.
    pub fn attr_map(&mut self, json: &Json<'s>) -> Option<Attrs> {
        let before = self.faults.len();
        let mut pairs = Vec::new();
        for member in self.entries(json, "the attrs")? {
            if let Some(value) = self.member(member, |cx, json| cx.attr_value(json, None, None)) {
                pairs.push((self.intern(&member.key), value));
            }
        }
        (self.faults.len() == before).then(|| pairs.into_iter().collect())
    }

    /// A plain value. A value that is not of the expected kind is read as the kind it looks like; the check against the
    /// spec reports that it is of the wrong kind.
    fn plain(&mut self, json: &Json<'s>, kind: Option<AttrKind>, dtype: Option<DType>) -> Option<AttrValue> {
        use AttrKind as K;
        let text = |json: &Json<'s>| json.as_str().map(|s| Bytes::copy_from_slice(s.as_bytes()));
        match (kind, json) {
            (Some(K::Tensor), json) => self.short_tensor(json, dtype).map(AttrValue::Tensor),
            (Some(K::Type), Json::Str(_)) => self.edge_type(json).map(AttrValue::Type),
            (Some(K::Shape), Json::Array(_)) => self.short_shape(json).map(AttrValue::Shape),
            (Some(K::Func), Json::Str(_)) => self.func(json).map(AttrValue::Func),
            (Some(K::F), Json::Int(_) | Json::UInt(_) | Json::Float(_)) => self.f32(json).map(AttrValue::F),
            (Some(K::F), Json::Str(s)) if matches!(&**s, "NaN" | "Infinity" | "-Infinity") => {
                self.f32(json).map(AttrValue::F)
            }
            (Some(K::I), Json::Int(_) | Json::UInt(_) | Json::Float(_)) if super::cursor::whole(json).is_some() => {
                self.int(json).map(AttrValue::I)
            }
            (Some(kind), Json::Array(items)) if kind.is_list() => {
                if items.is_empty() {
                    return Some(AttrValue::List(AttrList::Empty));
                }
                let list = match kind {
                    K::ListI => self.complete(json, Cursor::int).map(AttrList::I),
                    K::ListF => self.complete(json, Cursor::f32).map(AttrList::F),
                    K::ListB => self.complete(json, Cursor::bool).map(AttrList::B),
                    K::ListType => self.complete(json, Cursor::edge_type).map(AttrList::Type),
                    K::ListShape => self.complete(json, Cursor::short_shape).map(AttrList::Shape),
                    K::ListTensor => self.complete(json, |cx, json| cx.any_tensor(json, dtype)).map(AttrList::Tensor),
                    K::ListFunc => self.complete(json, Cursor::func).map(AttrList::Func),
                    _ => self
                        .complete(json, |cx, json| match text(json) {
                            Some(text) => Some(text),
                            None => cx.expected("a string", "this is not a string", json),
                        })
                        .map(AttrList::S),
                };
                list.map(AttrValue::List)
            }
            (_, Json::Array(_)) => self.guessed_list(json).map(AttrValue::List),
            (_, Json::Str(_)) => text(json).map(AttrValue::S),
            (_, Json::Bool(b)) => Some(AttrValue::B(*b)),
            (_, Json::Float(_)) => self.f32(json).map(AttrValue::F),
            (_, Json::Int(_) | Json::UInt(_)) => self.int(json).map(AttrValue::I),
            (_, Json::Null | Json::Object(_)) => self.expected("a value", "this is not the value of an attr", json),
        }
    }

    fn any_tensor(&mut self, json: &Json<'s>, dtype: Option<DType>) -> Option<crate::Tensor> {
        match json {
            Json::Object(_) => self.tensor(json),
            plain => self.short_tensor(plain, dtype),
        }
    }

    /// A list whose kind its first element determines.
    fn guessed_list(&mut self, json: &Json<'s>) -> Option<AttrList> {
        let Json::Array(items) = json else { return None };
        match items.first() {
            None => Some(AttrList::Empty),
            Some(Json::Bool(_)) => self.complete(json, Cursor::bool).map(AttrList::B),
            Some(Json::Str(_)) => {
                self.complete(json, |cx, json| cx.string(json).map(|s| Bytes::from(s.into_bytes()))).map(AttrList::S)
            }
            Some(_) if items.iter().any(|v| matches!(v, Json::Float(_))) => {
                self.complete(json, Cursor::f32).map(AttrList::F)
            }
            Some(_) => self.complete(json, Cursor::int).map(AttrList::I),
        }
    }

    /// A shape as a list of sizes: null or -1 for an unknown one. Null for a shape of unknown rank.
    fn short_shape(&mut self, json: &Json<'s>) -> Option<PartialShape> {
        match json {
            Json::Null => Some(PartialShape::Unknown),
            Json::Object(_) => self.shape(json),
            Json::Array(items) => {
                let mut dims = Vec::with_capacity(items.len());
                for (i, item) in items.iter().enumerate() {
                    let dim = match item {
                        Json::Null => Some(None),
                        item => self.within(Step::Index(i), item.landmark(), |cx| cx.dim(item)),
                    };
                    dims.push(dim?);
                }
                Some(PartialShape::new(dims))
            }
            other => self.expected("a list of sizes such as [null, 64]", "this is not a shape", other),
        }
    }
}
