//! The tokens of protobuf's text format.

use crate::error::{Error, Result};
use crate::read::syntax::position;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token<'t> {
    /// A name, or the value of an enum.
    Word(&'t str),
    /// A number without its sign.
    Number(&'t str),
    /// A string literal, unescaped.
    Text(Vec<u8>),
    /// A punctuation mark.
    Mark(u8),
    End,
}

impl Token<'_> {
    pub fn integer(&self) -> Option<i128> {
        let Token::Number(text) = self else { return None };
        let digits = |radix, digits: &str| i128::from_str_radix(digits, radix).ok();
        if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            return digits(16, hex);
        }
        match text.strip_prefix('0').filter(|rest| !rest.is_empty()) {
            Some(octal) => digits(8, octal),
            None => digits(10, text),
        }
    }

    pub fn float(&self) -> Option<f64> {
        match self {
            Token::Word(word) => match &*word.to_ascii_lowercase() {
                "inf" | "infinity" => Some(f64::INFINITY),
                "nan" => Some(f64::NAN),
                _ => None,
            },
            Token::Number(text) => match text.strip_suffix(['f', 'F']).unwrap_or(text).parse() {
                Ok(number) => Some(number),
                Err(_) => self.integer().map(|n| n as f64),
            },
            _ => None,
        }
    }
}

/// True for the characters of names.
pub(super) fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// What follows white space and comments.
pub(super) fn after_blanks(mut text: &[u8]) -> &[u8] {
    loop {
        text = text.trim_ascii_start();
        if text.first() != Some(&b'#') {
            return text;
        }
        let end = text.iter().position(|b| *b == b'\n').unwrap_or(text.len());
        text = &text[end..];
    }
}

pub(super) struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Tokens<'t> {
    pub fn new(text: &'t str) -> Tokens<'t> {
        Tokens { text, at: 0 }
    }

    /// An error at a byte of the text.
    pub fn place(&self, error: Error, at: usize) -> Error {
        let (line, column) = position(&self.text[..at]);
        error.line(line).column(column)
    }

    /// The error for another token than the expected one.
    pub fn error(&self, at: usize, expected: &str, found: &Token<'_>) -> Error {
        let found = match found {
            Token::Word(text) | Token::Number(text) => format!("{text:?}"),
            Token::Text(_) => "text in quotes".to_owned(),
            Token::Mark(mark) => format!("{:?}", char::from(*mark)),
            Token::End => "the end of the file".to_owned(),
        };
        let error = Error::invalid("the text is not a graph in protobuf's text format").expected(expected).found(found);
        self.place(error, at)
    }

    fn peek(&mut self) -> Option<u8> {
        let rest = after_blanks(&self.text.as_bytes()[self.at..]);
        self.at = self.text.len() - rest.len();
        rest.first().copied()
    }

    /// Takes one of these marks if it is next.
    pub fn skip(&mut self, marks: &[u8]) -> bool {
        let is_next = self.peek().is_some_and(|next| marks.contains(&next));
        self.at += usize::from(is_next);
        is_next
    }

    pub fn expect(&mut self, mark: u8) -> Result<()> {
        match self.next()? {
            (_, Token::Mark(found)) if found == mark => Ok(()),
            (at, found) => Err(self.error(at, &format!("{:?}", char::from(mark)), &found)),
        }
    }

    /// The type of a message of any type, whose opening bracket at `open` has been read.
    pub fn type_url(&mut self, open: usize) -> Result<&'t str> {
        let rest = &self.text[self.at..];
        match rest.find(|c: char| !(c.is_ascii_alphanumeric() || c.is_ascii_whitespace() || "._/-%~+".contains(c))) {
            Some(end) if rest.as_bytes()[end] == b']' => {
                self.at += end + 1;
                Ok(rest[..end].trim_ascii())
            }
            _ => Err(self.place(Error::invalid("a type in brackets has no end"), open)),
        }
    }

    /// A string literal if it is next.
    pub fn text(&mut self) -> Result<Option<Vec<u8>>> {
        match self.peek() {
            Some(quote @ (b'"' | b'\'')) => self.literal(quote).map(Some),
            _ => Ok(None),
        }
    }

    /// The next token and its first byte.
    pub fn next(&mut self) -> Result<(usize, Token<'t>)> {
        let Some(first) = self.peek() else { return Ok((self.at, Token::End)) };
        let start = self.at;
        let bytes = self.text.as_bytes();
        let until = |part: &dyn Fn(usize) -> bool| (start..bytes.len()).find(|&i| !part(i)).unwrap_or(bytes.len());
        let token = match first {
            b'"' | b'\'' => Token::Text(self.literal(first)?),
            b'0'..=b'9' | b'.' => {
                // The sign of an exponent belongs to the number.
                let sign = |i: usize| matches!(bytes[i], b'+' | b'-') && matches!(bytes[i - 1], b'e' | b'E');
                self.at = until(&|i| is_letter(bytes[i]) || bytes[i] == b'.' || i > start && sign(i));
                Token::Number(&self.text[start..self.at])
            }
            _ if is_letter(first) => {
                self.at = until(&|i| is_letter(bytes[i]));
                Token::Word(&self.text[start..self.at])
            }
            _ if first.is_ascii() => {
                self.at += 1;
                Token::Mark(first)
            }
            _ => {
                let found = self.text[start..].chars().next().map_or_else(String::new, |c| format!("{c:?}"));
                let error = Error::invalid("the text is not a graph in protobuf's text format").found(found);
                return Err(self.place(error, start));
            }
        };
        Ok((start, token))
    }

    /// A string literal, whose opening quote is next, unescaped.
    fn literal(&mut self, quote: u8) -> Result<Vec<u8>> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut out = Vec::new();
        let mut at = start + 1;
        let unfinished = |this: &Self, what: &str, at| Err(this.place(Error::invalid(what), at));
        loop {
            // Bytes up to the next quote or escape are taken at once.
            let plain = bytes[at..].iter().position(|b| matches!(*b, b'\\' | b'\n') || *b == quote);
            let Some(plain) = plain else { return unfinished(self, "a string has no end", start) };
            out.extend_from_slice(&bytes[at..at + plain]);
            at += plain;
            match bytes[at] {
                b'\n' => return unfinished(self, "a string has no end on its line", start),
                b'\\' => {
                    let (escaped, length) = match escape(&bytes[at + 1..]) {
                        Some(found) => found,
                        None => return unfinished(self, "an escape sequence of a string is invalid", at),
                    };
                    out.extend_from_slice(&escaped.0[..escaped.1]);
                    at += 1 + length;
                }
                _ => {
                    self.at = at + 1;
                    return Ok(out);
                }
            }
        }
    }
}

/// The bytes for what follows a backslash (and their number), and the number of characters that it takes.
fn escape(text: &[u8]) -> Option<(([u8; 4], usize), usize)> {
    let one = |byte: u8| ([byte, 0, 0, 0], 1);
    let digits = |radix: u32, from: usize, most: usize| {
        let end = text.len().min(from + most);
        let digits = text[from..end].iter().take_while(|b| char::from(**b).is_digit(radix)).count();
        let value =
            std::str::from_utf8(&text[from..from + digits]).ok().and_then(|d| u32::from_str_radix(d, radix).ok());
        value.map(|value| (value, digits))
    };
    let simple = match *text.first()? {
        b'a' => 7,
        b'b' => 8,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 11,
        b'f' => 12,
        b'r' => b'\r',
        same @ (b'\\' | b'\'' | b'"' | b'?') => same,
        b'0'..=b'7' => {
            let (value, length) = digits(8, 0, 3)?;
            return Some((one(u8::try_from(value).ok()?), length));
        }
        b'x' | b'X' => {
            let (value, length) = digits(16, 1, 2)?;
            return Some((one(u8::try_from(value).ok()?), 1 + length));
        }
        kind @ (b'u' | b'U') => {
            let wanted = if kind == b'u' { 4 } else { 8 };
            let (value, length) = digits(16, 1, wanted).filter(|(_, length)| *length == wanted)?;
            let mut out = [0; 4];
            let length_in_bytes = char::from_u32(value)?.encode_utf8(&mut out).len();
            return Some(((out, length_in_bytes), 1 + length));
        }
        _ => return None,
    };
    Some((one(simple), 1))
}
