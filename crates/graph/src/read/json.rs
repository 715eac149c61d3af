//! JSON as a tree whose strings still point into the text, so that a fault can report its location.

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// A JSON value.
#[derive(Clone, Debug)]
pub(crate) enum Json<'s> {
    Null,
    Bool(bool),
    Int(i64),
    /// Greater than the maximum i64.
    UInt(u64),
    Float(f64),
    Str(Cow<'s, str>),
    Array(Vec<Json<'s>>),
    Object(Vec<Member<'s>>),
}

/// A member of a JSON object.
#[derive(Clone, Debug)]
pub(crate) struct Member<'s> {
    pub key: Cow<'s, str>,
    pub value: Json<'s>,
}

impl<'s> Json<'s> {
    /// The tree of a `serde_json` value.
    pub fn of(value: &'s serde_json::Value) -> Json<'s> {
        use serde_json::Value as V;
        match value {
            V::Null => Json::Null,
            V::Bool(b) => Json::Bool(*b),
            V::Number(n) => match (n.as_i64(), n.as_u64(), n.as_f64()) {
                (Some(i), ..) => Json::Int(i),
                (_, Some(u), _) => Json::UInt(u),
                (_, _, f) => Json::Float(f.unwrap_or(f64::NAN)),
            },
            V::String(s) => Json::Str(Cow::Borrowed(s)),
            V::Array(items) => Json::Array(items.iter().map(Json::of).collect()),
            V::Object(map) => Json::Object(
                map.iter().map(|(k, v)| Member { key: Cow::Borrowed(k.as_str()), value: Json::of(v) }).collect(),
            ),
        }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Json::Str(s) => Some(s),
            _ => None,
        }
    }

    /// True for null, which proto JSON treats as an absent field.
    pub fn is_null(&self) -> bool {
        matches!(self, Json::Null)
    }

    /// A part of the text that this value contains or begins with, to locate the value.
    pub fn landmark(&self) -> Option<&'s str> {
        match self {
            Json::Str(Cow::Borrowed(s)) => Some(s),
            Json::Array(items) => items.first()?.landmark(),
            Json::Object(members) => members.first()?.landmark(),
            _ => None,
        }
    }
}

impl<'s> Member<'s> {
    /// The key in the text.
    pub fn landmark(&self) -> Option<&'s str> {
        match &self.key {
            Cow::Borrowed(s) => Some(s),
            Cow::Owned(_) => None,
        }
    }
}

impl fmt::Display for Json<'_> {
    /// The value as an error message shows it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Json::Null => f.write_str("null"),
            Json::Bool(v) => write!(f, "{v}"),
            Json::Int(v) => write!(f, "the number {v}"),
            Json::UInt(v) => write!(f, "the number {v}"),
            Json::Float(v) => write!(f, "the number {v:?}"),
            Json::Str(s) if s.chars().count() > 60 => {
                write!(f, "the string {:?}...", s.chars().take(60).collect::<String>())
            }
            Json::Str(s) => write!(f, "the string {s:?}"),
            Json::Array(items) if items.is_empty() => f.write_str("an empty list"),
            Json::Array(items) => {
                write!(f, "a list of {} {}", items.len(), if items.len() == 1 { "value" } else { "values" })
            }
            Json::Object(members) if members.is_empty() => f.write_str("an empty object"),
            Json::Object(members) => {
                let keys: Vec<&str> = members.iter().take(4).map(|m| &*m.key).collect();
                write!(f, "an object with {keys:?}")
            }
        }
    }
}

/// Reads a string, borrowed from the text if it has no escapes.
pub(crate) struct Text<'s>(pub Cow<'s, str>);

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;
        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Text<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E>(self, s: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(s)))
            }
            fn visit_str<E>(self, s: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(s.to_owned())))
            }
        }
        deserializer.deserialize_str(TextVisitor)
    }
}

impl<'de> Deserialize<'de> for Json<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_unit<E>(self) -> Result<Json<'de>, E> {
        Ok(Json::Null)
    }
    fn visit_bool<E>(self, v: bool) -> Result<Json<'de>, E> {
        Ok(Json::Bool(v))
    }
    fn visit_i64<E>(self, v: i64) -> Result<Json<'de>, E> {
        Ok(Json::Int(v))
    }
    fn visit_u64<E>(self, v: u64) -> Result<Json<'de>, E> {
        Ok(i64::try_from(v).map_or(Json::UInt(v), Json::Int))
    }
    fn visit_f64<E: serde::de::Error>(self, v: f64) -> Result<Json<'de>, E> {
        if v.is_finite() { Ok(Json::Float(v)) } else { Err(E::custom("number out of range")) }
    }
    fn visit_borrowed_str<E>(self, s: &'de str) -> Result<Json<'de>, E> {
        Ok(Json::Str(Cow::Borrowed(s)))
    }
    fn visit_str<E>(self, s: &str) -> Result<Json<'de>, E> {
        Ok(Json::Str(Cow::Owned(s.to_owned())))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json<'de>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Json::Array(items))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json<'de>, A::Error> {
        let mut members = Vec::new();
        while let Some(Text(key)) = map.next_key()? {
            members.push(Member { key, value: map.next_value()? });
        }
        if members.len() > u32::MAX as usize {
            return Err(A::Error::custom("an object has too many members"));
        }
        Ok(Json::Object(members))
    }
}
