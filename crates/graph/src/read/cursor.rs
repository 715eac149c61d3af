//! Walks a JSON tree, collecting faults with their locations instead of stopping at the first.

use super::json::{Json, Member};
use super::source::SourceMap;
use crate::error::Error;
use crate::op::nearest;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// A fault with its location in the file.
pub(crate) struct LocatedFault {
    /// Byte offset, if known.
    pub at: Option<usize>,
    /// Path from the root, as far as known yet.
    pub path: String,
    pub error: Error,
    /// True for an unsupported feature found by the checks.
    pub lack: bool,
}

/// The position of a value within its parent.
#[derive(Clone, Copy)]
pub(crate) enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Key(key) => f.write_str(key),
            Step::Index(i) => write!(f, "[{i}]"),
        }
    }
}

/// Collects faults and interns names while a tree is read.
pub(crate) struct Cursor<'s> {
    pub map: SourceMap<'s>,
    pub faults: Vec<LocatedFault>,
    /// Bytes that tensors of repeated values may still take: a small file must not exhaust the memory.
    pub budget: usize,
    names: HashMap<String, Arc<str>>,
}

impl<'s> Cursor<'s> {
    pub fn new(text: &'s str) -> Cursor<'s> {
        Cursor {
            map: SourceMap::new(text),
            faults: Vec::new(),
            budget: super::values::EXPANSION_LIMIT,
            names: HashMap::new(),
        }
    }

    /// Records a fault of the current value; the callers add its location.
    pub fn fault(&mut self, error: Error) {
        self.faults.push(LocatedFault { at: None, path: String::new(), error, lack: false });
    }

    /// Records that `json` is not what was expected. Always returns `None`.
    pub fn expected<T>(&mut self, what: impl fmt::Display, message: impl Into<String>, json: &Json<'s>) -> Option<T> {
        let at = json.landmark().and_then(|part| self.map.offset(part));
        let error = Error::invalid(message).expected(what).found(json);
        self.faults.push(LocatedFault { at, path: String::new(), error, lack: false });
        None
    }

    /// Runs `read` on a part of the current value; faults in it get its location.
    pub fn within<R>(&mut self, step: Step<'_>, landmark: Option<&str>, read: impl FnOnce(&mut Cursor<'s>) -> R) -> R {
        let before = self.faults.len();
        let result = read(self);
        if self.faults.len() > before {
            let at = landmark.and_then(|part| self.map.offset(part));
            for fault in &mut self.faults[before..] {
                let inner = std::mem::take(&mut fault.path);
                let dot = if inner.is_empty() || inner.starts_with('[') { "" } else { "." };
                fault.path = format!("{step}{dot}{inner}");
                fault.at = fault.at.or(at);
            }
        }
        result
    }

    /// [`Cursor::within`] for a member of an object.
    pub fn member<R>(&mut self, member: &Member<'s>, read: impl FnOnce(&mut Cursor<'s>, &Json<'s>) -> R) -> R {
        self.within(Step::Key(&member.key), member.landmark(), |cx| read(cx, &member.value))
    }

    /// Reads each element of a list. `None` if it is not a list; elements at fault are left out.
    pub fn list<T>(
        &mut self,
        json: &Json<'s>,
        what: &str,
        mut read: impl FnMut(&mut Cursor<'s>, &Json<'s>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let Json::Array(items) = json else {
            return self.expected(format!("a list of {what}"), "this is not a list", json);
        };
        let mut values = Vec::with_capacity(items.len());
        for (i, item) in items.iter().enumerate() {
            values.extend(self.within(Step::Index(i), item.landmark(), |cx| read(cx, item)));
        }
        Some(values)
    }

    /// The members of a message by field. `names` are the original field names; lowerCamelCase is accepted too, null
    /// means absent. Unknown and duplicate fields are faults. `None` if `json` is not an object.
    pub fn fields<'j, const N: usize>(
        &mut self,
        json: &'j Json<'s>,
        what: &str,
        names: &'static [&'static str; N],
    ) -> Option<[Option<&'j Member<'s>>; N]> {
        let Json::Object(members) = json else {
            return self.expected("an object", format!("{what} is a JSON object"), json);
        };
        let mut fields = [None; N];
        for member in members {
            let Some(i) = names.iter().position(|name| is_field(&member.key, name)) else {
                let near = nearest(&member.key, names.iter().copied()).map(camel);
                let mut error = Error::invalid(format!("{what} has no field {:?}", member.key));
                error = match near {
                    Some(near) => error.help(format!("did you mean {near:?}?")),
                    None => error.expected(format!("one of {}", names.map(camel).join(", "))),
                };
                self.member(member, |cx, _| cx.fault(error));
                continue;
            };
            if fields[i].is_some() {
                self.repeated(member);
            } else {
                fields[i] = Some(member);
            }
        }
        Some(fields.map(|field: Option<&Member<'s>>| field.filter(|m| !m.value.is_null())))
    }

    /// The members of a map, without duplicate keys; null members are left out.
    pub fn entries<'j>(&mut self, json: &'j Json<'s>, what: &str) -> Option<Vec<&'j Member<'s>>> {
        let Json::Object(members) = json else {
            return self.expected("an object", format!("{what} is a JSON object"), json);
        };
        let mut entries: Vec<&Member<'s>> = members.iter().collect();
        entries.sort_by(|a, b| a.key.cmp(&b.key));
        for pair in entries.windows(2) {
            if pair[0].key == pair[1].key {
                self.repeated(pair[1]);
            }
        }
        entries.dedup_by(|later, first| later.key == first.key);
        entries.retain(|m| !m.value.is_null());
        Some(entries)
    }

    fn repeated(&mut self, member: &Member<'s>) {
        let error = Error::invalid(format!("duplicate key {:?}", member.key))
            .help("remove one of the two, or give it another name");
        self.member(member, |cx, _| cx.fault(error));
    }

    /// A shared copy of a name.
    pub fn intern(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.names.get(name) {
            return known.clone();
        }
        let shared: Arc<str> = name.into();
        // Names that differ from node to node would only fill the table.
        if self.names.len() < 4096 {
            self.names.insert(name.to_owned(), shared.clone());
        }
        shared
    }

    /// A string.
    pub fn string(&mut self, json: &Json<'s>) -> Option<String> {
        match json {
            Json::Str(s) => Some(s.to_string()),
            other => self.expected("a string", "this is not a string", other),
        }
    }

    /// A bool.
    pub fn bool(&mut self, json: &Json<'s>) -> Option<bool> {
        match json {
            Json::Bool(b) => Some(*b),
            other => self.expected("true or false", "this is not a bool", other),
        }
    }

    /// An integer that fits `T`: a number, or a string of digits.
    pub fn int<T: TryFrom<i128>>(&mut self, json: &Json<'s>) -> Option<T> {
        let value = whole(json);
        match value.map(T::try_from) {
            Some(Ok(value)) => Some(value),
            Some(Err(_)) => self.expected(
                format!("a number that fits {}", std::any::type_name::<T>().replace('i', "int").replace('u', "uint")),
                "the number is too large or too small",
                json,
            ),
            None => self.expected("an int", "this is not an int", json),
        }
    }

    /// A 64-bit float: a number, or a string that holds one, `NaN`, `Infinity` or `-Infinity`.
    pub fn f64(&mut self, json: &Json<'s>) -> Option<f64> {
        match number(json) {
            Some(value) => Some(value),
            None => self.expected("a float", "this is not a float", json),
        }
    }

    /// As [`Cursor::f64`], within the range of a 32-bit float.
    pub fn f32(&mut self, json: &Json<'s>) -> Option<f32> {
        let wide = self.f64(json)?;
        let value = wide as f32;
        if value.is_infinite() && wide.is_finite() {
            return self.expected("a number that fits float32", "the number is too large for float32", json);
        }
        Some(value)
    }
}

/// The value as an integer, if it is one.
pub(crate) fn whole(json: &Json<'_>) -> Option<i128> {
    match json {
        Json::Int(i) => Some(i128::from(*i)),
        Json::UInt(u) => Some(i128::from(*u)),
        Json::Float(f) if f.fract() == 0.0 && f.abs() < 1e30 => Some(*f as i128),
        Json::Str(s) => s.parse().ok(),
        _ => None,
    }
}

/// The value as a float, if it is one.
pub(crate) fn number(json: &Json<'_>) -> Option<f64> {
    match json {
        Json::Int(i) => Some(*i as f64),
        Json::UInt(u) => Some(*u as f64),
        Json::Float(f) => Some(*f),
        Json::Str(s) => match &**s {
            "NaN" => Some(f64::NAN),
            "Infinity" => Some(f64::INFINITY),
            "-Infinity" => Some(f64::NEG_INFINITY),
            digits if digits.starts_with(|c: char| c.is_ascii_digit() || c == '-') => digits.parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

/// True if `key` is the field `name` (`tensor_shape`) or its lowerCamelCase form.
fn is_field(key: &str, name: &str) -> bool {
    if key == name {
        return true;
    }
    if !name.contains('_') {
        return false;
    }
    let (mut key, mut upper) = (key.bytes(), false);
    for byte in name.bytes() {
        if byte == b'_' {
            upper = true;
            continue;
        }
        let want = if upper { byte.to_ascii_uppercase() } else { byte };
        upper = false;
        if key.next() != Some(want) {
            return false;
        }
    }
    key.next().is_none()
}

/// The lowerCamelCase form of a field name.
pub(crate) fn camel(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut upper = false;
    for c in name.chars() {
        match c {
            '_' => upper = true,
            c if upper => {
                out.push(c.to_ascii_uppercase());
                upper = false;
            }
            c => out.push(c),
        }
    }
    out
}
