//! Graphs in protobuf's text format (`.pbtxt`), in which `tf.io.write_graph` and training sessions write them: converted
//! to the binary format, which is then read like any other.
//!
//! The format: <https://protobuf.dev/reference/protobuf/textformat-spec/>.

mod schema;
mod tokens;

use crate::dtype::EdgeType;
use crate::error::{Error, Result};
use prost::encoding::{WireType, encode_key, encode_varint};
use schema::{ANY, ANY_TYPES, GRAPH_DEF, Kind, META_GRAPH_DEF, Message, SAVED_MODEL};
use tokens::{Token, Tokens};

/// Messages are nested at most this deeply, as in protobuf's own readers.
const DEPTH: usize = 100;

/// A message that is read in text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Graph,
    MetaGraph,
    SavedModel,
}

impl Form {
    fn message(self) -> &'static Message {
        match self {
            Form::Graph => &GRAPH_DEF,
            Form::MetaGraph => &META_GRAPH_DEF,
            Form::SavedModel => &SAVED_MODEL,
        }
    }

    /// The message that `bytes` hold in text, by the name of the first field.
    pub fn of(bytes: &[u8]) -> Option<Form> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let start = tokens::after_blanks(bytes);
        let end = start.iter().position(|b| !tokens::is_letter(*b))?;
        let (name, rest) = start.split_at(end);
        if !matches!(tokens::after_blanks(rest).first(), Some(b':' | b'{' | b'<')) {
            return None;
        }
        let has = |form: &Form| form.message().fields.iter().any(|(field, ..)| field.as_bytes() == name);
        [Form::Graph, Form::MetaGraph, Form::SavedModel].into_iter().find(has)
    }
}

/// A message in text, in binary.
///
/// # Errors
/// `INVALID_ARGUMENT`, with line and column, for text that is not such a message.
pub(crate) fn to_binary(bytes: &[u8], form: Form) -> Result<Vec<u8>> {
    let mut reader = Reader { tokens: Tokens::new(super::syntax::text(bytes)?), depth: 0 };
    let mut out = Vec::with_capacity(bytes.len() / 2);
    reader.fields(form.message(), None, &mut out)?;
    Ok(out)
}

struct Reader<'t> {
    tokens: Tokens<'t>,
    depth: usize,
}

impl<'t> Reader<'t> {
    /// The fields of a message up to `end`, or to the end of the text.
    fn fields(&mut self, message: &Message, end: Option<u8>, out: &mut Vec<u8>) -> Result<()> {
        loop {
            let (at, name) = match self.tokens.next()? {
                (_, Token::Mark(mark)) if Some(mark) == end => return Ok(()),
                (_, Token::End) if end.is_none() => return Ok(()),
                (at, Token::Word(name)) => (at, name),
                (at, Token::Mark(b'[')) if std::ptr::eq(message, &ANY) => {
                    self.any(at, out)?;
                    continue;
                }
                (at, other) => return Err(self.tokens.error(at, "the name of a field", &other)),
            };
            let found = message.fields.iter().find(|(field, ..)| *field == name);
            let Some(&(_, number, kind)) = found else {
                let error = Error::invalid(format!("{} has no field {name}", message.name));
                let error = self.tokens.place(error, at);
                let near = crate::op::nearest(name, message.fields.iter().map(|(field, ..)| *field));
                return Err(match near {
                    Some(near) => error.help(format!("did you mean {near:?}?")),
                    None => error,
                });
            };
            if let Kind::Unsupported = kind {
                let error = Error::unimplemented(format!("the field {name} is not read in protobuf's text format"));
                return Err(self.tokens.place(error, at).help("write the file in binary form with TensorFlow"));
            }
            self.values(kind, number, out)?;
            self.tokens.skip(b",;");
        }
    }

    /// A message of any type, whose type stands in brackets before it. Those of types that are not read stay empty.
    fn any(&mut self, at: usize, out: &mut Vec<u8>) -> Result<()> {
        let url = self.tokens.type_url(at)?;
        let name = url.rsplit('/').next().unwrap_or(url);
        let known = ANY_TYPES.iter().find(|message| name.strip_prefix("tensorflow.") == Some(message.name));
        put_bytes(1, url.as_bytes(), out);
        let has_colon = self.tokens.skip(b":");
        self.value(known.map_or(Kind::Skipped, |message| Kind::Of(message)), 2, has_colon, out)?;
        self.tokens.skip(b",;");
        Ok(())
    }

    /// What follows the name of a field: a value, or a list of values.
    fn values(&mut self, kind: Kind, number: u32, out: &mut Vec<u8>) -> Result<()> {
        let has_colon = self.tokens.skip(b":");
        // Only messages may go without the colon.
        let may_be_list = has_colon || matches!(kind, Kind::Of(_) | Kind::Skipped);
        if may_be_list && self.tokens.skip(b"[") {
            if self.tokens.skip(b"]") {
                return Ok(());
            }
            loop {
                self.value(kind, number, true, out)?;
                if !self.tokens.skip(b",") {
                    return self.tokens.expect(b']');
                }
            }
        }
        self.value(kind, number, has_colon, out)
    }

    fn value(&mut self, kind: Kind, number: u32, has_colon: bool, out: &mut Vec<u8>) -> Result<()> {
        let (at, token) = self.tokens.next()?;
        if let Token::Mark(open @ (b'{' | b'<')) = token {
            let end = if open == b'{' { b'}' } else { b'>' };
            self.depth += 1;
            if self.depth > DEPTH {
                return Err(self.tokens.place(Error::invalid("the messages are nested too deeply"), at));
            }
            match kind {
                Kind::Of(message) => {
                    let mut inner = Vec::new();
                    self.fields(message, Some(end), &mut inner)?;
                    put_bytes(number, &inner, out);
                }
                Kind::Skipped => self.skip_message(end)?,
                _ => return Err(self.tokens.error(at, describe(kind), &token)),
            }
            self.depth -= 1;
            return Ok(());
        }
        if let (false, false) = (has_colon, matches!(kind, Kind::Of(_))) {
            return Err(self.tokens.error(at, "a colon", &token));
        }
        if let Kind::Skipped = kind {
            return self.skip_scalar(at, token);
        }
        let negative = matches!(token, Token::Mark(b'-'));
        let (_, scalar) = if negative { self.tokens.next()? } else { (at, token.clone()) };
        let wrong = |this: &Self, found: &Token<'t>| this.tokens.error(at, describe(kind), found);
        match kind {
            Kind::Bytes | Kind::Text if !negative => {
                let Token::Text(mut bytes) = scalar else { return Err(wrong(self, &scalar)) };
                while let Some(more) = self.tokens.text()? {
                    bytes.extend(more);
                }
                if matches!(kind, Kind::Text) && std::str::from_utf8(&bytes).is_err() {
                    return Err(self.tokens.place(Error::invalid("the text is not UTF-8"), at));
                }
                put_bytes(number, &bytes, out);
            }
            Kind::Float | Kind::Double => {
                let value = scalar.float().ok_or_else(|| wrong(self, &scalar))?;
                let value = if negative { -value } else { value };
                if let Kind::Float = kind {
                    encode_key(number, WireType::ThirtyTwoBit, out);
                    out.extend((value as f32).to_le_bytes());
                } else {
                    encode_key(number, WireType::SixtyFourBit, out);
                    out.extend(value.to_le_bytes());
                }
            }
            _ => {
                let value = match (kind, &scalar) {
                    (Kind::Bool, Token::Word("true" | "True" | "t")) if !negative => Some(1),
                    (Kind::Bool, Token::Word("false" | "False" | "f")) if !negative => Some(0),
                    (Kind::Type, Token::Word(name)) if !negative => type_number(name),
                    _ => scalar.integer().map(|n| if negative { -n } else { n }),
                };
                let within = |n: &i128| match kind {
                    Kind::Bool => (0..=1).contains(n),
                    Kind::Int32 | Kind::Type => i32::try_from(*n).is_ok(),
                    Kind::Int64 => i64::try_from(*n).is_ok(),
                    Kind::UInt32 => u32::try_from(*n).is_ok(),
                    Kind::UInt64 => u64::try_from(*n).is_ok(),
                    _ => false,
                };
                let value = value.filter(within).ok_or_else(|| wrong(self, &scalar))?;
                encode_key(number, WireType::Varint, out);
                // Negative numbers are sign-extended to 64 bits.
                encode_varint(value as u64, out);
            }
        }
        Ok(())
    }

    /// The rest of a message that is not needed.
    fn skip_message(&mut self, end: u8) -> Result<()> {
        let mut open = vec![end];
        while let Some(&end) = open.last() {
            match self.tokens.next()? {
                (_, Token::Mark(mark)) if mark == end => drop(open.pop()),
                (_, Token::Mark(b'{')) => open.push(b'}'),
                (_, Token::Mark(b'<')) => open.push(b'>'),
                (_, Token::Mark(b'[')) => open.push(b']'),
                (at, token @ (Token::End | Token::Mark(b'}' | b'>' | b']'))) => {
                    return Err(self.tokens.error(at, &format!("{:?}", char::from(end)), &token));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn skip_scalar(&mut self, at: usize, token: Token<'t>) -> Result<()> {
        match token {
            Token::Mark(b'-') => drop(self.tokens.next()?),
            Token::Text(_) => while self.tokens.text()?.is_some() {},
            Token::Word(_) | Token::Number(_) => {}
            token => return Err(self.tokens.error(at, "a value", &token)),
        }
        Ok(())
    }
}

/// The number of a dtype in the enum.
fn type_number(name: &str) -> Option<i128> {
    if name == "DT_INVALID" {
        return Some(0);
    }
    let edge = EdgeType::parse(name)?;
    Some(i128::from(edge.dtype.number()) + if edge.is_ref { 100 } else { 0 })
}

fn describe(kind: Kind) -> &'static str {
    match kind {
        Kind::Text | Kind::Bytes => "text in quotes",
        Kind::Bool => "true or false",
        Kind::Int32 => "an int32",
        Kind::Int64 => "an int64",
        Kind::UInt32 => "a uint32",
        Kind::UInt64 => "a uint64",
        Kind::Float | Kind::Double => "a number",
        Kind::Type => "a dtype such as DT_FLOAT",
        Kind::Of(_) => "a message in braces",
        Kind::Skipped | Kind::Unsupported => "a value",
    }
}

fn put_bytes(number: u32, bytes: &[u8], out: &mut Vec<u8>) {
    encode_key(number, WireType::LengthDelimited, out);
    encode_varint(bytes.len() as u64, out);
    out.extend(bytes);
}
