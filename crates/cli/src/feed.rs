//! Feeds on the command line: `NAME=@file.npy`, `NAME=@file.npz:key`, `NAME=@-`, `NAME=<json>`.

pub use crate::output::write_file;

use crate::npy;
use levada::{Code, DType, Endpoint, Error, Graph, Result, Tensor};
use serde_json::Value;
use std::io::{IsTerminal, Read};
use std::path::Path;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

/// One `--feed`.
#[derive(Clone, Debug, PartialEq)]
pub struct Feed {
    /// Endpoint to feed.
    pub name: String,
    /// Where its value comes from.
    pub source: Source,
}

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A `.npy` file, or an array in a `.npz` file; `-` for standard input.
    File(String),
    /// A JSON value.
    Json(Value),
}

impl FromStr for Feed {
    type Err = String;

    fn from_str(text: &str) -> Result<Feed, String> {
        let Some((name, value)) = text.split_once('=').filter(|(name, _)| !name.is_empty()) else {
            return Err("write NAME=@FILE.npy, NAME=@FILE.npz:KEY or NAME=<json>".to_owned());
        };
        let source = match value.strip_prefix('@') {
            Some("") => return Err("write a file name after the @".to_owned()),
            Some(file) => Source::File(file.to_owned()),
            None => Source::Json(literal(value).map_err(|e| {
                // Suggestions made of the value only help if it was not meant as JSON.
                if value.starts_with(['[', '{', '"']) {
                    return format!("the value is not JSON ({e}); the column counts from after the =");
                }
                format!(
                    "the value is not JSON ({e}); write a list as {name}=[{value}], a string as '{name}=\"{value}\"', a file as {name}=@{value}"
                )
            })?),
        };
        Ok(Feed { name: name.to_owned(), source })
    }
}

/// Parses JSON that may hold NaN, Infinity, inf and the like as Python prints them.
fn literal(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str(text).or_else(|e| serde_json::from_str(&quote_specials(text)).map_err(|_| e))
}

/// Quotes non-finite values, as JSON readers require.
fn quote_specials(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text;
    let mut in_string = false;
    while let Some(c) = rest.chars().next() {
        let word =
            rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_alphabetic() || matches!(c, '+' | '-')).len();
        let length = match (in_string, c) {
            (true, '\\') => rest.chars().take(2).map(char::len_utf8).sum(),
            (_, '"') => {
                in_string = !in_string;
                1
            }
            (false, _) if word > 0 => {
                match special(&rest[..word]) {
                    Some(name) => out.push_str(&format!("\"{name}\"")),
                    None => out.push_str(&rest[..word]),
                }
                rest = &rest[word..];
                continue;
            }
            _ => c.len_utf8(),
        };
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    out
}

/// The JSON name of a non-finite float.
fn special(word: &str) -> Option<&'static str> {
    match word.to_ascii_lowercase().as_str() {
        "nan" | "+nan" | "-nan" => Some("NaN"),
        "inf" | "+inf" | "infinity" | "+infinity" => Some("Infinity"),
        "-inf" | "-infinity" => Some("-Infinity"),
        _ => None,
    }
}

/// The value with other names of non-finite floats replaced by those that are read.
fn with_specials(value: &Value) -> Value {
    match value {
        Value::String(text) => special(text).map_or_else(|| value.clone(), Value::from),
        Value::Array(items) => items.iter().map(with_specials).collect(),
        other => other.clone(),
    }
}

/// Tensors with names, in order.
pub type NamedTensors = Vec<(String, Tensor)>;

/// Loads the values of the feeds of `flag`; with `cast` converts them to the dtype of their endpoint.
///
/// # Errors
/// Every faulty feed.
pub fn load(feeds: &[Feed], graph: &Graph, flag: &str, cast: bool) -> Result<NamedTensors, Vec<Error>> {
    let mut faults = Vec::new();
    let mut loaded = Vec::new();
    for feed in feeds {
        match feed.load(graph, flag, cast) {
            Ok(tensor) => loaded.push((feed.name.clone(), tensor)),
            Err(error) => faults.push(error),
        }
    }
    if faults.is_empty() { Ok(loaded) } else { Err(faults) }
}

impl Feed {
    fn load(&self, graph: &Graph, flag: &str, cast: bool) -> Result<Tensor> {
        let endpoint = graph.endpoint(&self.name).map_err(|mut error| {
            let message = format!("{flag} {}", error.message());
            error.fault_mut().message = message;
            error
        })?;
        let dtype = graph.endpoint_type(endpoint).map(|t| t.dtype);
        let node = graph.node(endpoint.node);
        let here = |e: Error| e.at_node(&node.name, node.op_name());
        if let Some(dtype @ (DType::Resource | DType::Variant)) = dtype {
            return Err(here(Error::invalid(format!("{flag} {}: a {dtype} cannot be given a value", self.name)))
                .help(instead(graph, endpoint, flag)));
        }
        let tensor = match &self.source {
            Source::File(path) => {
                file(path).map_err(|e| here(e.file(format!("{path}, which {flag} {} names", self.name))))?
            }
            Source::Json(value) => {
                let floats = dtype.is_some_and(|d| d.is_float() || d.is_complex());
                let value = if floats { with_specials(value) } else { value.clone() };
                levada::graph::read::tensor_from_plain(&value, dtype)
                    .map_err(|e| here(e.in_file(&format!("{flag} {}", self.name))))?
            }
        };
        match dtype {
            Some(wanted) if wanted != tensor.dtype() && cast => crate::cast::cast(&tensor, wanted).map_err(|mut e| {
                let message = format!("{flag} {}: {}", self.name, e.message());
                e.fault_mut().message = message;
                here(e).help(conversion(wanted))
            }),
            Some(wanted) if wanted != tensor.dtype() => {
                Err(here(Error::invalid(format!("{flag} {} has the wrong dtype", self.name)))
                    .expected(wanted)
                    .found(format!("{} {}", tensor.dtype(), tensor.shape()))
                    .help(format!("--cast converts it; or {}", conversion(wanted))))
            }
            _ => Ok(tensor),
        }
    }
}

fn conversion(wanted: DType) -> String {
    format!("convert it before saving: array.astype({:?})", wanted.name())
}

/// What to feed instead of a handle.
fn instead(graph: &Graph, handle: Endpoint, flag: &str) -> String {
    let reads = graph.nodes().find(|(_, node)| {
        node.inputs.first() == Some(&handle) && node.output_types.len() == 1 && node.op_name() == "ReadVariableOp"
    });
    match reads {
        Some((_, node)) => format!("feed the value read from it: {flag} {}=...", node.name),
        None => "feed an endpoint that is a number or a string".to_owned(),
    }
}

/// The array in a `.npy` file, or in a `.npz` file behind a colon.
///
/// # Errors
/// A file that cannot be read or holds no array.
pub fn file(path: &str) -> Result<Tensor> {
    // A key may hold colons (an archive that `--out` wrote has keys such as `split:1`); the archive's name ends in
    // .npz.
    let (path, key) = match path.find(".npz:") {
        Some(i) => (&path[..i + 4], Some(&path[i + 5..])),
        None => (path, None),
    };
    let bytes = if path == "-" { standard_input()? } else { read_file(Path::new(path))? };
    if key.is_some() || bytes.starts_with(b"PK") { npy::read_npz(&bytes, key) } else { npy::read(&bytes) }
}

/// Reads standard input.
///
/// # Errors
/// `INVALID_ARGUMENT` if it is a terminal, and when called a second time.
pub fn standard_input() -> Result<Vec<u8>> {
    static TAKEN: AtomicBool = AtomicBool::new(false);
    let mut input = std::io::stdin().lock();
    if TAKEN.swap(true, Ordering::Relaxed) {
        return Err(Error::invalid("standard input can be read only once, but - is given several times")
            .help("give the others as files"));
    }
    if input.is_terminal() {
        return Err(Error::invalid("nothing arrives on standard input").help("levada run - < graph.json"));
    }
    let mut bytes = Vec::new();
    input
        .read_to_end(&mut bytes)
        .map_err(|e| Error::new(Code::Unknown, format!("standard input cannot be read: {e}")))?;
    Ok(bytes)
}

/// The bytes of a file, or of standard input for `-`.
///
/// # Errors
/// As [`read_file`] and [`standard_input`].
pub fn read_input(path: &Path) -> Result<Vec<u8>> {
    if path == Path::new("-") { standard_input() } else { read_file(path) }
}

/// The bytes of a file.
///
/// # Errors
/// `NOT_FOUND`, `PERMISSION_DENIED` and the like, naming the file.
pub fn read_file(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|e| {
        let code = match e.kind() {
            std::io::ErrorKind::NotFound => Code::NotFound,
            std::io::ErrorKind::PermissionDenied => Code::PermissionDenied,
            _ => Code::Unknown,
        };
        Error::new(code, format!("the file cannot be read: {e}")).file(path.display())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_that_are_no_numbers_are_read() {
        let text = r#"[NaN, [-Infinity, 1e5], "NaN \" inf", -inf, true]"#;
        let expected = serde_json::json!(["NaN", ["-Infinity", 1e5], "NaN \" inf", "-Infinity", true]);
        assert_eq!(literal(text).unwrap(), expected);
        assert_eq!(with_specials(&serde_json::json!([["inf"], "nan", 1])), serde_json::json!([["Infinity"], "NaN", 1]));
        for wrong in ["nano", "[NaN", "--inf", "NaNNaN"] {
            literal(wrong).unwrap_err();
        }
    }

    #[test]
    fn feeds_are_files_or_json() {
        let feed = |text: &str| Feed::from_str(text);
        assert_eq!(feed("x=@a.npz:b:0").unwrap().source, Source::File("a.npz:b:0".into()));
        assert_eq!(
            feed("x:1=[1, 2]").unwrap(),
            Feed { name: "x:1".into(), source: Source::Json(serde_json::json!([1, 2])) }
        );
        for wrong in ["x", "=1", "x=@", "x=hello", "x=[1,"] {
            feed(wrong).unwrap_err();
        }
        assert!(feed("x=1, 2").unwrap_err().contains("write a list as x=[1, 2]"));
        let error = feed("x=[1, 1e400]").unwrap_err();
        assert!(error.contains("number out of range") && !error.contains("write a list"), "{error}");
    }
}
