//! The file `checkpoint` of a directory: its checkpoints, and the latest one.

use crate::disk::{Disk, System};
use crate::files::{directory, failed, index_path, replace};
use levada_graph::{Error, Result};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The checkpoints of a directory, as listed in the file. Paths are kept as they are; relative ones are relative to the
/// directory.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct State {
    /// The latest one.
    pub latest: String,
    /// All of them, the oldest first.
    pub all: Vec<String>,
    /// When each was saved, in seconds since 1970.
    pub times: Vec<f64>,
    /// Time when the last permanently kept one was saved.
    pub last_preserved: Option<f64>,
}

impl State {
    /// The file of the directory that a checkpoint is in.
    pub fn path(directory: &Path) -> PathBuf {
        directory.join("checkpoint")
    }

    /// Reads the file of a directory; `None` if there is none.
    ///
    /// # Errors
    /// `DATA_LOSS` if it is malformed.
    pub fn read(directory: &Path) -> Result<Option<State>> {
        let path = State::path(directory);
        match std::fs::read_to_string(&path) {
            Ok(text) => State::parse(&text).map(Some).map_err(|e| e.in_file(&path.display().to_string())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(&path, &error)),
        }
    }

    /// Parses the text of such a file. Unknown fields are skipped.
    ///
    /// # Errors
    /// `DATA_LOSS` if a line is not in protobuf's text format.
    pub fn parse(text: &str) -> Result<State> {
        let mut state = State::default();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let wrong = || {
                Error::data_loss("a line of the list of checkpoints cannot be read")
                    .line(number + 1)
                    .expected("field: value, as model_checkpoint_path: \"model-1\"")
                    .found(line)
            };
            let (field, value) = line.split_once(':').ok_or_else(wrong)?;
            let value = value.trim();
            let text = || unquote(value).ok_or_else(wrong);
            let number = || value.parse::<f64>().map_err(|_| wrong());
            match field.trim() {
                "model_checkpoint_path" => state.latest = text()?,
                "all_model_checkpoint_paths" => state.all.push(text()?),
                "all_model_checkpoint_timestamps" => state.times.push(number()?),
                "last_preserved_timestamp" => state.last_preserved = Some(number()?),
                _ => {}
            }
        }
        Ok(state)
    }

    /// The text of such a file.
    pub fn text(&self) -> String {
        let mut out = format!("model_checkpoint_path: {}\n", quote(&self.latest));
        for path in &self.all {
            let _ = writeln!(out, "all_model_checkpoint_paths: {}", quote(path));
        }
        for time in &self.times {
            let _ = writeln!(out, "all_model_checkpoint_timestamps: {time:?}");
        }
        if let Some(time) = self.last_preserved {
            let _ = writeln!(out, "last_preserved_timestamp: {time:?}");
        }
        out
    }

    /// Writes the file of a directory.
    ///
    /// # Errors
    /// Any error from writing.
    pub fn write(&self, directory: &Path) -> Result<()> {
        let disk: Arc<dyn Disk> = Arc::new(System);
        self.write_on(&disk, directory)
    }

    /// As [`State::write`], on a file system.
    ///
    /// # Errors
    /// As [`State::write`].
    pub fn write_on(&self, disk: &Arc<dyn Disk>, directory: &Path) -> Result<()> {
        replace(disk, &State::path(directory), self.text().as_bytes())
    }
}

/// The prefix of the latest checkpoint of a directory, according to its file `checkpoint`; `None` if there is none.
///
/// # Errors
/// As [`State::read`].
pub fn latest(directory: &Path) -> Result<Option<PathBuf>> {
    let Some(state) = State::read(directory)? else { return Ok(None) };
    let path = directory.join(&state.latest);
    Ok((!state.latest.is_empty() && (index_path(&path).exists() || path.is_file())).then_some(path))
}

/// The directory that the checkpoint with this prefix is in.
pub fn home(prefix: &Path) -> &Path {
    directory(prefix)
}

fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' | '\'' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The quoted text. Bytes that are escaped by number are decoded as UTF-8.
fn unquote(value: &str) -> Option<String> {
    let mark = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inner = value.strip_prefix(mark)?.strip_suffix(mark)?;
    let (mut out, mut bytes) = (Vec::new(), inner.bytes().peekable());
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        match bytes.next()? {
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            first @ b'0'..=b'7' => {
                let mut number = u32::from(first - b'0');
                for _ in 0..2 {
                    let Some(digit) = bytes.next_if(|b| matches!(b, b'0'..=b'7')) else { break };
                    number = number * 8 + u32::from(digit - b'0');
                }
                out.push(u8::try_from(number).ok()?);
            }
            other => out.push(other),
        }
    }
    String::from_utf8(out).ok()
}
