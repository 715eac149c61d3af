//! Text that is not a JSON graph: reports what is wrong with it and what it may be instead.

use crate::error::{Error, Result};

/// The bytes as text, without a byte order mark.
///
/// # Errors
/// `INVALID_ARGUMENT` if they are not UTF-8.
pub(crate) fn text(bytes: &[u8]) -> Result<&str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) if text.trim().is_empty() => {
            Err(Error::invalid("the file is empty").expected(r#"{"node": [...]}"#).found("nothing"))
        }
        Ok(text) => Ok(text),
        Err(e) => {
            let (line, column) = position(&String::from_utf8_lossy(&bytes[..e.valid_up_to()]));
            let error = Error::invalid("the text is not UTF-8").line(line).column(column);
            Err(match bytes {
                [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => error.help("it looks like UTF-16; save it as UTF-8"),
                _ => error.help("binary graphs end in .pb; JSON graphs are UTF-8"),
            })
        }
    }
}

/// Line and column of the end of `text`, both from 1.
pub(crate) fn position(text: &str) -> (usize, usize) {
    let line = text.bytes().filter(|b| *b == b'\n').count() + 1;
    let column = text.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

/// The error for text that is not JSON; `part` of it was parsed.
pub(crate) fn error(text: &str, part: &str, error: &serde_json::Error) -> Error {
    let lines = part.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
    let start = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    // serde_json counts columns in bytes, and points at the character it could not take or after it.
    let mut offset = (start + lines + error.column().saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    if error.is_eof() {
        offset = start + part.len();
    }
    // An invalid word is refused at its second letter; its beginning is more informative.
    while error.to_string().starts_with("expected ident") && text[..offset].ends_with(char::is_alphanumeric) {
        offset -= text[..offset].chars().next_back().map_or(0, char::len_utf8);
    }
    let rest = &text[offset..];
    let (line, column) = position(&text[..offset]);
    let message = error.to_string();
    let reason = message.rsplit_once(" at line ").map_or(&*message, |(reason, _)| reason);
    let found = match rest.chars().next() {
        None => "the end of the file".to_owned(),
        Some(_) => format!("{:?}", rest.chars().take_while(|c| *c != '\n').take(20).collect::<String>()),
    };
    let fault = Error::invalid(format!("the text is not JSON: {reason}")).line(line).column(column).found(found);
    match hint(text, offset, reason) {
        Some(help) => fault.help(help),
        None => fault,
    }
}

fn hint(text: &str, offset: usize, reason: &str) -> Option<&'static str> {
    let rest = &text[offset..];
    let before = text[..offset].trim_end();
    if !text.trim_start().starts_with(['{', '[']) && text.contains("node {") {
        return Some("this looks like protobuf's text format, which is read as a file or by read::bytes");
    }
    if rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with('#') || before.ends_with('/') {
        return Some("JSON has no comments; remove them");
    }
    if reason.contains("trailing comma") || before.ends_with(',') && rest.starts_with(['}', ']']) {
        return Some("JSON has no comma after the last element; remove it");
    }
    if rest.starts_with('\'') {
        return Some("JSON strings are in double quotes");
    }
    if ["NaN", "Infinity", "-Infinity", "nan", "inf", "-inf"].iter().any(|w| rest.starts_with(w)) {
        return Some(r#"write "NaN", "Infinity" or "-Infinity", in quotes"#);
    }
    if ["True", "False", "None"].iter().any(|w| rest.starts_with(w)) {
        return Some("JSON writes true, false and null");
    }
    if reason.starts_with("EOF") {
        return Some("the file ends too early: was it cut off?");
    }
    if reason.contains("control character") {
        return Some("a string ends on the line where it begins; write a line break as \\n");
    }
    None
}

/// The key of the graph in a message that wraps it, if this is one.
///
/// # Errors
/// `INVALID_ARGUMENT` for messages that hold a graph in an unsupported form.
pub(crate) fn wrapper<'k>(keys: impl Iterator<Item = &'k str> + Clone) -> Result<Option<&'static str>> {
    let has = |name: &str| keys.clone().any(|k| k == name);
    if has("node") {
        return Ok(None);
    }
    for key in ["graphDef", "graph_def"] {
        if has(key) {
            return Ok(Some(key));
        }
    }
    if has("metaGraphs") || has("meta_graphs") {
        return Err(Error::invalid("this is a SavedModel, not a graph")
            .expected("a GraphDef")
            .found("a SavedModel")
            .help("write out the graphDef of one of its metaGraphs"));
    }
    if has("graph") && has("steps") {
        return Err(Error::invalid("this is a recorded session, not a graph")
            .expected("a GraphDef")
            .found("an object with \"graph\" and \"steps\"")
            .help("`levada verify` replays recorded sessions"));
    }
    Ok(None)
}
