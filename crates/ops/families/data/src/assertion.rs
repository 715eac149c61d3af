//! The assertions of `AssertPrevDataset`: a `NameAttrList` message in protobuf text format.

use crate::prelude::*;

/// The name of an op, and attrs.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Assertion {
    pub(crate) name: String,
    /// The attrs; `None` for message values, which are not compared.
    pub(crate) attrs: Vec<(String, Option<AttrValue>)>,
}

impl Assertion {
    /// Parses an assertion; `None` if the text is not one.
    pub(crate) fn parse(text: &str) -> Option<Assertion> {
        let words = words(text)?;
        let mut rest = &words[..];
        let mut found = Assertion::default();
        while let Some((field, after)) = rest.split_first() {
            match (field, after) {
                (Word::Plain("name"), [Word::Plain(":"), Word::Quoted(name), after @ ..]) => {
                    found.name = String::from_utf8(name.clone()).ok()?;
                    rest = after;
                }
                (Word::Plain("attr"), _) => {
                    let (within, after) = block(after)?;
                    found.attrs.push(attr(within)?);
                    rest = after;
                }
                _ => return None,
            }
        }
        Some(found)
    }
}

/// Parses the key and the value of an attr.
fn attr(mut rest: &[Word<'_>]) -> Option<(String, Option<AttrValue>)> {
    let (mut key, mut value) = (String::new(), None);
    while let Some((field, after)) = rest.split_first() {
        match (field, after) {
            (Word::Plain("key"), [Word::Plain(":"), Word::Quoted(name), after @ ..]) => {
                key = String::from_utf8(name.clone()).ok()?;
                rest = after;
            }
            (Word::Plain("value"), _) => {
                let (within, after) = block(after)?;
                value = scalar(within);
                rest = after;
            }
            _ => return None,
        }
    }
    Some((key, value))
}

/// Parses the value in the block of an attr, unless it is a message.
fn scalar(words: &[Word<'_>]) -> Option<AttrValue> {
    match words {
        [Word::Plain("s"), Word::Plain(":"), Word::Quoted(text)] => Some(AttrValue::S(text.clone().into())),
        [Word::Plain(kind), Word::Plain(":"), Word::Plain(value)] => match *kind {
            "i" => value.parse().ok().map(AttrValue::I),
            "f" => value.parse().ok().map(AttrValue::F),
            "b" => value.parse().ok().map(AttrValue::B),
            _ => None,
        },
        _ => None,
    }
}

/// Splits off a leading block in braces: returns the words inside and those after it.
fn block<'a, 'w>(words: &'a [Word<'w>]) -> Option<(&'a [Word<'w>], &'a [Word<'w>])> {
    let words = words.strip_prefix(&[Word::Plain(":")]).unwrap_or(words);
    let mut open = 0u32;
    for (i, word) in words.iter().enumerate() {
        match word {
            Word::Plain("{") => open += 1,
            Word::Plain("}") => open = open.checked_sub(1)?,
            _ => {}
        }
        if open == 0 {
            return Some((words.get(1..i)?, &words[i + 1..])).filter(|_| i > 0);
        }
    }
    None
}

#[derive(Debug, PartialEq)]
enum Word<'a> {
    Plain(&'a str),
    Quoted(Vec<u8>),
}

fn words(text: &str) -> Option<Vec<Word<'_>>> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let size = match first {
            '"' | '\'' => {
                let (string, size) = quoted(rest, first)?;
                words.push(Word::Quoted(string));
                size
            }
            '{' | '}' | ':' => {
                words.push(Word::Plain(&rest[..1]));
                1
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || "{}:\"'".contains(c);
                let size = rest.find(ends).unwrap_or(rest.len());
                words.push(Word::Plain(&rest[..size]));
                size
            }
        };
        rest = rest[size..].trim_start();
    }
    Some(words)
}

/// Parses the string at the start of a text; also returns its length including the quotes.
fn quoted(text: &str, quote: char) -> Option<(Vec<u8>, usize)> {
    let mut string = Vec::new();
    let mut bytes = text.bytes().enumerate().skip(1).peekable();
    while let Some((i, byte)) = bytes.next() {
        match byte {
            b'\\' => string.push(match bytes.next()?.1 {
                b'n' => b'\n',
                b't' => b'\t',
                b'r' => b'\r',
                digit @ b'0'..=b'7' => {
                    let mut value = u32::from(digit - b'0');
                    for _ in 0..2 {
                        let Some((_, next)) = bytes.next_if(|(_, next)| matches!(next, b'0'..=b'7')) else { break };
                        value = value * 8 + u32::from(next - b'0');
                    }
                    u8::try_from(value).ok()?
                }
                other => other,
            }),
            end if end == quote as u8 => return Some((string, i + 1)),
            other => string.push(other),
        }
    }
    None
}
