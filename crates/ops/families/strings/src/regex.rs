//! Regular expressions in RE2's syntax, matched by the `regex` crate, whose engine has the same guarantees.
//!
//! The two differ in the meaning of classes such as `\d` (RE2: ASCII only), in a few escapes, and in what they refuse.
//! A pattern is translated before it is compiled.

use super::elementwise::LOOK_EVERY;
use crate::prelude::*;
use parking_lot::Mutex;
use regex::bytes::{Captures, Regex, RegexBuilder};
use std::sync::Arc;

/// Maximum repetition count in RE2.
const MOST_REPETITIONS: u32 = 1000;

/// The general categories supported by RE2, besides those of [`Translator::property`].
const CATEGORIES: &[&str] = &[
    "Cc", "Cf", "Co", "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N", "Nd", "Nl", "No", "P", "Pc", "Pd",
    "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk", "Sm", "So", "Z", "Zl", "Zp", "Zs",
];

fn invalid(pattern: &[u8], why: &str) -> Error {
    Error::invalid(format!("Invalid pattern: {}, error: {why}", String::from_utf8_lossy(pattern)))
}

/// Compiles `pattern`; with `whole`, it must match the whole string.
pub(super) fn compile(pattern: &[u8], whole: bool) -> Result<Regex> {
    let text = std::str::from_utf8(pattern).map_err(|_| invalid(pattern, "invalid UTF-8"))?;
    let translated = Translator { chars: text.chars().collect(), at: 0, out: String::new() }
        .run()
        .map_err(|why| invalid(pattern, &why))?;
    let anchored = if whole { format!(r"\A(?:{translated})\z") } else { translated };
    RegexBuilder::new(&anchored).build().map_err(|e| match e {
        regex::Error::CompiledTooBig(_) => invalid(pattern, "pattern too large - compile failed"),
        other => invalid(pattern, &other.to_string()),
    })
}

/// The last pattern that a node compiled, which is usually the next one too.
#[derive(Default)]
pub(super) struct Compiled(Mutex<Option<(Bytes, Arc<Regex>)>>);

impl Compiled {
    /// Returns the compiled `pattern`.
    pub(super) fn get(&self, pattern: &Bytes, whole: bool) -> Result<Arc<Regex>> {
        if let Some((last, regex)) = &*self.0.lock()
            && last == pattern
        {
            return Ok(regex.clone());
        }
        let regex = Arc::new(compile(pattern, whole)?);
        *self.0.lock() = Some((pattern.clone(), regex.clone()));
        Ok(regex)
    }
}

struct Translator {
    chars: Vec<char>,
    at: usize,
    out: String,
}

impl Translator {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn take(&mut self) -> Option<char> {
        let c = self.peek(0);
        self.at += 1;
        c
    }

    fn literal(&mut self, c: char) {
        self.out.push_str(&regex::escape(c.encode_utf8(&mut [0; 4])));
    }

    fn run(mut self) -> Result<String, String> {
        let mut repeated = false;
        while let Some(c) = self.take() {
            let is_repetition = match c {
                '*' | '+' | '?' => true,
                '{' => self.bounds()?,
                _ => false,
            };
            if is_repetition {
                if repeated {
                    return Err("bad repetition operator".to_owned());
                }
                if c != '{' {
                    self.out.push(c);
                }
                if self.peek(0) == Some('?') {
                    self.at += 1;
                    self.out.push('?');
                }
                repeated = true;
                continue;
            }
            repeated = false;
            match c {
                '\\' => self.escape(false)?,
                '[' => self.class()?,
                '{' | '}' => self.literal(c),
                '(' => self.group()?,
                _ => self.out.push(c),
            }
        }
        Ok(self.out)
    }

    /// After `{`: writes a repetition and returns true, or changes nothing and returns false if it is none.
    fn bounds(&mut self) -> Result<bool, String> {
        let Some(length) = self.chars[self.at..].iter().position(|c| *c == '}') else { return Ok(false) };
        let inside: String = self.chars[self.at..self.at + length].iter().collect();
        let (least, most) = inside.split_once(',').map_or((&*inside, None), |(a, b)| (a, Some(b)));
        let number = |s: &str| s.bytes().all(|b| b.is_ascii_digit()).then(|| s.parse::<u32>().unwrap_or(u32::MAX));
        if least.is_empty() || number(least).is_none() || most.is_some_and(|m| number(m).is_none()) {
            return Ok(false);
        }
        let bounds = [Some(least), most.filter(|m| !m.is_empty())];
        if bounds.into_iter().flatten().filter_map(number).any(|n| n > MOST_REPETITIONS) {
            return Err(format!("invalid repetition size: {{{inside}}}"));
        }
        self.out.push_str(&format!("{{{inside}}}"));
        self.at += length + 1;
        Ok(true)
    }

    /// After `(`: accepts the groups that RE2 supports.
    fn group(&mut self) -> Result<(), String> {
        self.out.push('(');
        if self.peek(0) != Some('?') {
            return Ok(());
        }
        self.at += 1;
        self.out.push('?');
        let named = self.peek(0) == Some('P') || self.peek(0) == Some('<') && !matches!(self.peek(1), Some('=' | '!'));
        if named {
            return Ok(());
        }
        while let Some(c) = self.take() {
            self.out.push(c);
            match c {
                'i' | 'm' | 's' | 'U' | '-' => {}
                ':' | ')' => return Ok(()),
                other => return Err(format!("invalid perl operator: (?{other}")),
            }
        }
        Err("missing )".to_owned())
    }

    /// After `[`: a class, in which more characters are special in Rust than in RE2.
    fn class(&mut self) -> Result<(), String> {
        self.out.push('[');
        if self.peek(0) == Some('^') {
            self.at += 1;
            self.out.push('^');
        }
        let mut first = true;
        loop {
            match self.take().ok_or("missing ]")? {
                ']' if !first => break,
                '[' if self.peek(0) == Some(':') => {
                    let name: String = self.chars[self.at - 1..].iter().take_while(|c| **c != ']').collect();
                    self.at += name.chars().count();
                    self.out.push_str(&name);
                    self.out.push(']');
                }
                '\\' => self.escape(true)?,
                c @ ('[' | ']' | '&' | '~') => {
                    self.out.push('\\');
                    self.out.push(c);
                }
                '-' if first || self.peek(0) == Some(']') => self.out.push_str(r"\-"),
                c => self.out.push(c),
            }
            first = false;
        }
        self.out.push(']');
        Ok(())
    }

    /// After a backslash, inside or outside a class.
    fn escape(&mut self, in_class: bool) -> Result<(), String> {
        let c = self.take().ok_or("trailing \\")?;
        let class = match c {
            'd' => Some("0-9"),
            'w' => Some("0-9A-Za-z_"),
            's' => Some(r"\t\n\x0C\r "),
            _ => None,
        };
        if let Some(members) = class {
            self.out.push_str(&if in_class { members.to_owned() } else { format!("[{members}]") });
            return Ok(());
        }
        match c {
            'D' => self.out.push_str("[^0-9]"),
            'W' => self.out.push_str("[^0-9A-Za-z_]"),
            'S' => self.out.push_str(r"[^\t\n\x0C\r ]"),
            'b' | 'B' if !in_class => self.out.push_str(&format!(r"(?-u:\{c})")),
            'A' | 'z' if !in_class => self.out.push_str(&format!(r"\{c}")),
            'C' if !in_class => self.out.push_str("(?s-u:.)"),
            'Q' if !in_class => {
                while let Some(c) = self.take() {
                    if c == '\\' && self.peek(0) == Some('E') {
                        self.at += 1;
                        break;
                    }
                    self.literal(c);
                }
            }
            'p' | 'P' => self.property(c == 'P')?,
            'a' | 'f' | 't' | 'n' | 'r' | 'v' | 'x' => {
                self.out.push('\\');
                self.out.push(c);
                // The braces of `\x{41}` belong to the escape.
                let braced = c == 'x' && self.peek(0) == Some('{');
                let length =
                    self.chars[self.at..].iter().position(|c| *c == '}').filter(|_| braced).map_or(0, |end| end + 1);
                self.out.extend(&self.chars[self.at..self.at + length]);
                self.at += length;
            }
            '0'..='7' => self.octal(c)?,
            _ if c.is_ascii() && !c.is_ascii_alphanumeric() => self.literal(c),
            _ => return Err(format!("invalid escape sequence: \\{c}")),
        }
        Ok(())
    }

    /// After `\p` or `\P`: the characters of a general category or a script.
    fn property(&mut self, mut negated: bool) -> Result<(), String> {
        let start = self.at - 2;
        let braced = self.peek(0) == Some('{');
        let length = match braced {
            true => self.chars[self.at..].iter().position(|c| *c == '}').map(|end| end + 1),
            false => self.peek(0).map(|_| 1),
        };
        let end = length.map(|length| self.at + length);
        let text: String = self.chars[start..end.unwrap_or(self.chars.len())].iter().collect();
        let wrong = || format!("invalid character class range: {text}");
        self.at = end.ok_or_else(wrong)?;
        let name = text[2..].trim_start_matches('{').trim_end_matches('}');
        let name = match name.strip_prefix('^') {
            Some(name) if braced => {
                negated = !negated;
                name
            }
            _ => name,
        };
        let is_script = name.len() > 2 && name.starts_with(|c: char| c.is_ascii_uppercase());
        let class = match name {
            "Any" => r"\x{0}-\x{10FFFF}".to_owned(),
            // Strings contain no surrogates.
            "Cs" => {
                negated = !negated;
                r"\x{0}-\x{10FFFF}".to_owned()
            }
            // RE2 excludes unassigned characters.
            "C" => r"\p{gc=Cc}\p{gc=Cf}\p{gc=Co}".to_owned(),
            _ if CATEGORIES.contains(&name) => format!(r"\p{{gc={name}}}"),
            _ if is_script && name.chars().all(|c| c.is_ascii_alphabetic() || c == '_') => format!(r"\p{{sc={name}}}"),
            _ => return Err(wrong()),
        };
        self.out.push_str(&format!("[{}{class}]", if negated { "^" } else { "" }));
        Ok(())
    }

    /// Up to three octal digits; a single one other than 0 would be a backreference, which RE2 does not support.
    fn octal(&mut self, first: char) -> Result<(), String> {
        let mut digits = first.to_string();
        while let Some(c @ '0'..='7') = self.peek(0) {
            if digits.len() == 3 {
                break;
            }
            digits.push(c);
            self.at += 1;
        }
        if first != '0' && digits.len() == 1 {
            return Err(format!("invalid escape sequence: \\{first}"));
        }
        let value = u32::from_str_radix(&digits, 8).map_err(|e| e.to_string())?;
        self.out.push_str(&format!(r"\x{{{value:X}}}"));
        Ok(())
    }
}

/// The replacement of a match: text, and groups by index.
pub(super) struct Rewrite {
    parts: Vec<Part>,
    /// False if a backslash precedes something other than a digit or a backslash; the parts end there.
    complete: bool,
}

enum Part {
    Text(Vec<u8>),
    Group(usize),
}

impl Rewrite {
    pub(super) fn new(rewrite: &[u8]) -> Rewrite {
        let mut parts = Vec::new();
        let mut text = Vec::new();
        let mut complete = true;
        let mut bytes = rewrite.iter();
        while let Some(&byte) = bytes.next() {
            if byte != b'\\' {
                text.push(byte);
                continue;
            }
            match bytes.next() {
                Some(digit @ b'0'..=b'9') => {
                    parts.push(Part::Text(std::mem::take(&mut text)));
                    parts.push(Part::Group(usize::from(digit - b'0')));
                }
                Some(b'\\') => text.push(b'\\'),
                _ => {
                    complete = false;
                    break;
                }
            }
        }
        parts.push(Part::Text(text));
        Rewrite { parts, complete }
    }

    fn largest_group(&self) -> usize {
        let group = |p: &Part| if let Part::Group(g) = p { *g } else { 0 };
        self.parts.iter().map(group).max().unwrap_or(0)
    }

    /// Returns the number of bytes that [`Rewrite::expand`] adds.
    fn len(&self, captures: &Captures<'_>) -> usize {
        let len = |part: &Part| match part {
            Part::Text(text) => text.len(),
            Part::Group(g) => captures.get(*g).map_or(0, |m| m.len()),
        };
        self.parts.iter().map(len).fold(0, usize::saturating_add)
    }

    fn expand(&self, captures: &Captures<'_>, out: &mut Vec<u8>) {
        for part in &self.parts {
            match part {
                Part::Text(text) => out.extend_from_slice(text),
                Part::Group(g) => out.extend_from_slice(captures.get(*g).map_or(b"", |m| m.as_bytes())),
            }
        }
    }
}

/// Replaces the first match, or all matches, in `string`. A rewrite that refers to a missing group changes nothing,
/// nor does an incomplete one if only the first match is replaced. `room` is called now and then to check that there
/// is memory for that many bytes.
pub(super) fn replace(
    regex: &Regex,
    string: &Bytes,
    rewrite: &Rewrite,
    all: bool,
    room: impl Fn(usize) -> Result<()>,
) -> Result<Bytes> {
    if rewrite.largest_group() >= regex.captures_len() || !all && !rewrite.complete {
        return Ok(string.clone());
    }
    let mut asked = LOOK_EVERY;
    let mut out = Vec::new();
    let (mut at, mut last_end, mut found) = (0, None, false);
    while at <= string.len() {
        let Some(captures) = regex.captures_at(string, at) else { break };
        let Some(whole) = captures.get(0) else { break };
        out.extend_from_slice(&string[at..whole.start()]);
        if whole.is_empty() && last_end == Some(whole.start()) {
            // An empty match directly after another does not count; continue after the next character.
            let next = whole.start() + character_length(&string[whole.start()..]);
            out.extend_from_slice(&string[whole.start()..next.min(string.len())]);
            at = next;
            continue;
        }
        let len = out.len().saturating_add(rewrite.len(&captures));
        if len > asked {
            room(len.saturating_add(string.len()))?;
            asked = len + LOOK_EVERY;
        }
        rewrite.expand(&captures, &mut out);
        found = true;
        at = whole.end();
        last_end = Some(at);
        if !all {
            break;
        }
    }
    if !found {
        return Ok(string.clone());
    }
    out.extend_from_slice(string.get(at..).unwrap_or_default());
    Ok(Bytes::from(out))
}

/// Returns the number of bytes of the character that `s` starts with; 1 if it is invalid.
fn character_length(s: &[u8]) -> usize {
    let start = &s[..s.len().min(4)];
    match start.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next()) {
        Some(c) => c.len_utf8(),
        None => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(text: &str, pattern: &str, rewrite: &str) -> Result<String> {
        let regex = compile(pattern.as_bytes(), false)?;
        let (text, rewrite) = (Bytes::from(text.to_owned()), Rewrite::new(rewrite.as_bytes()));
        let out = replace(&regex, &text, &rewrite, true, |_| Ok(()))?;
        Ok(String::from_utf8(out.to_vec()).unwrap())
    }

    #[test]
    fn patterns_mean_what_re2_takes_them_for() {
        let cases = [
            ("aaa", "a", "b", "bbb"),
            ("abc", "", "-", "-a-b-c-"),
            ("a€c", "x*", "-", "-a-€-c-"),
            ("abc", "(b)(c)", r"\2\1", "acb"),
            ("abc", "(b)", r"\2", "abc"),
            ("abc", "b", r"\\", r"a\c"),
            ("abc", "b", r"x\q", "axc"),
            ("a.b", r"\Q.\E", "x", "axb"),
            ("aéb", r"\w", "x", "xéx"),
            ("a1b", r"[\d\s]", "x", "axb"),
            ("٣a", r"\d", "x", "٣a"),
            ("a{b", "{", "x", "axb"),
            ("ab", "a{,2}", "x", "ab"),
            ("a&&b", "[&&b]", "x", "axxx"),
            ("a[b", "[[b]", "x", "axx"),
            ("a-b", r"[\w-]", "x", "xxx"),
            ("ab", r"\C", "x", "xx"),
            ("aAé", r"[\x{41}-\x{5A}\x{e9}]|\x61", "x", "xxx"),
            ("é", r"\xe9", "x", "x"),
            ("a b", r"\b", "|", "|a| |b|"),
            ("ſ", "(?i)s", "x", "x"),
            ("a<b", r"\<", "x", "axb"),
            ("a_b", r"\_", "x", "axb"),
            ("abab", "(?P<n>a)b", r"\1", "aa"),
            ("abc", "[[:alpha:]]", "x", "xxx"),
            ("]a", "[]a]", "x", "xx"),
        ];
        for (text, pattern, rewrite, expected) in cases {
            assert_eq!(replaced(text, pattern, rewrite).unwrap(), expected, "{pattern}");
        }
    }

    #[test]
    fn what_re2_refuses_is_refused() {
        for pattern in ["(b", "b**", "a{1001}", "(?x)a", "(?=a)", r"\1", "a|*", "[a", r"a\", r"\h"] {
            assert_eq!(replaced("ab", pattern, "x").unwrap_err().code(), Code::InvalidArgument, "{pattern}");
        }
    }
}
