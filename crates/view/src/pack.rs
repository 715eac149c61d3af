//! Formats of the page's data: columns of variable-length integers, plain or deflated, in base64; string tables; JSON
//! and text embedded in HTML.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;

/// A column of unsigned numbers, seven bits per byte, lowest bits first.
#[derive(Default)]
pub struct Column(Vec<u8>);

impl Column {
    pub fn push(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.0.push(n as u8 | 0x80);
            n >>= 7;
        }
        self.0.push(n as u8);
    }

    /// Adds a number that may be negative: the sign is the lowest bit.
    pub fn push_signed(&mut self, n: i64) {
        self.push(((n << 1) ^ (n >> 63)) as u64);
    }
}

/// Named columns, one after the other.
#[derive(Default)]
pub struct Columns {
    bytes: Vec<u8>,
    directory: Vec<Value>,
}

impl Columns {
    /// Adds a column of `count` numbers.
    pub fn add(&mut self, name: &str, count: usize, column: Column) {
        self.directory.push(json!([name, self.bytes.len(), column.0.len(), count]));
        self.bytes.extend(column.0);
    }

    /// Name, first byte, byte length and count of numbers of every column.
    pub fn directory(&self) -> &[Value] {
        &self.directory
    }

    pub fn append_base64(&self, page: &mut String) {
        STANDARD.encode_string(&self.bytes, page);
    }

    pub fn append_deflated(&self, page: &mut String) {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(4));
        let packed = encoder.write_all(&self.bytes).and_then(|()| encoder.finish());
        STANDARD.encode_string(packed.expect("memory takes everything"), page);
    }
}

/// Interned texts, by number.
#[derive(Default)]
pub struct Texts {
    numbers: HashMap<Arc<str>, u64>,
    texts: Vec<Arc<str>>,
}

impl Texts {
    pub fn number(&mut self, text: &str) -> u64 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let (number, text) = (self.texts.len() as u64, Arc::<str>::from(text));
        self.texts.push(text.clone());
        self.numbers.insert(text, number);
        number
    }

    pub fn json(&self) -> Value {
        self.texts.iter().map(|text| Value::from(&**text)).collect()
    }
}

/// JSON that can be embedded in a script element: no `<`, and none of the characters that end lines in scripts.
pub fn json(value: &Value) -> String {
    let text = value.to_string();
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            c => out.push(c),
        }
    }
    out
}

/// Escapes text for HTML.
pub fn text(text: &str) -> String {
    let shown = text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c });
    let mut out = String::new();
    for c in shown {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_as_many_bytes_as_they_need() {
        let mut column = Column::default();
        for n in [0, 127, 128, u64::MAX] {
            column.push(n);
        }
        column.push_signed(-1);
        column.push_signed(i64::MIN);
        assert_eq!(column.0[..4], [0, 127, 128, 1]);
        assert_eq!(column.0.len(), 4 + 10 + 1 + 10);
    }

    #[test]
    fn nothing_in_the_data_ends_a_script() {
        let hostile = json!(["</script><script>alert(1)</script>", "<!--", "]]>", "\u{2028}\0\u{1b}"]);
        let text = json(&hostile);
        assert!(!text.contains(['<', '>', '\u{2028}', '\0', '\u{1b}']), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), hostile);
        assert_eq!(super::text("<a&\"\n>"), "&lt;a&amp;&quot;\u{fffd}&gt;");
    }
}
