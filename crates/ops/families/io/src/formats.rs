//! Record formats: a file, a line, a fixed number of bytes, a TFRecord, or the file's own name.

use crate::prelude::*;
use levada_kernel::Files;
use levada_kernel::files::{failed, read_line};
use levada_records::{Compression, Reader as Records};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// Bytes read from a file at a time.
const BUFFER: usize = 1 << 18;

/// A record's key and the record.
pub(super) type Record = (Bytes, Bytes);

/// What a reader treats as a record.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Format {
    /// The file's name.
    Identity,
    /// The whole file.
    Whole,
    /// A line.
    Lines { skip: i64 },
    /// `record` bytes, starting every `hop` bytes.
    Fixed { header: usize, record: usize, footer: usize, hop: usize, compression: Compression },
    /// A TFRecord.
    Records { compression: Compression },
}

impl Format {
    /// The op name of a reader with this format.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Format::Identity => "IdentityReader",
            Format::Whole => "WholeFileReader",
            Format::Lines { .. } => "TextLineReader",
            Format::Fixed { .. } => "FixedLengthRecordReader",
            Format::Records { .. } => "TFRecordReader",
        }
    }

    /// True if a reader's state consists only of its counts.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self, Format::Identity | Format::Whole)
    }

    /// Opens a file.
    ///
    /// # Errors
    /// Errors from opening the file and from reading what precedes its records.
    pub(super) fn open(&self, files: &Files, name: &Bytes) -> Result<Source> {
        let path = String::from_utf8_lossy(name).into_owned();
        let open = || Ok(BufReader::with_capacity(BUFFER, files.open(&path)?));
        let state = match self {
            Format::Identity => State::Once(Some(name.clone())),
            Format::Whole => State::Once(Some(Bytes::from(files.read(&path)?))),
            &Format::Lines { skip } => {
                let (mut lines, mut number) = (open()?, 0);
                while number < skip && line(&mut lines, &path)?.is_some() {
                    number += 1;
                }
                State::Lines { lines, number: skip.max(0) }
            }
            &Format::Fixed { header, record, footer, hop, compression } => {
                let file = open()?;
                let size = file.get_ref().metadata().map_or(0, |m| m.len());
                let mut bytes = Window::new(compression.decode(file), path.clone());
                if bytes.fill(header)? < header || bytes.skip(header)? || bytes.fill(footer)? < footer {
                    return Err(Error::out_of_range(format!("{path}: reached end of file"))
                        .found(format!("{size} bytes, fewer than there are before and behind the records")));
                }
                State::Fixed { bytes, number: 0, record, footer, hop }
            }
            Format::Records { compression } => State::Records(Records::new(open()?, *compression)),
        };
        Ok(Source { name: name.clone(), path, state })
    }
}

/// A file being read.
pub(super) struct Source {
    /// The file's name, as it was dequeued.
    pub(super) name: Bytes,
    path: String,
    state: State,
}

enum State {
    Once(Option<Bytes>),
    Lines { lines: BufReader<std::fs::File>, number: i64 },
    Fixed { bytes: Window, number: u64, record: usize, footer: usize, hop: usize },
    Records(Records<Box<dyn Read + Send>>),
}

impl Source {
    fn key(&self, number: impl std::fmt::Display) -> Bytes {
        let mut key = self.name.to_vec();
        key.extend(format!(":{number}").bytes());
        Bytes::from(key)
    }

    /// True if the file is known to be exhausted without reading further.
    pub(super) fn is_done(&self) -> bool {
        matches!(self.state, State::Once(None))
    }

    /// Returns the next record, or `None` at the end of the file.
    ///
    /// # Errors
    /// Errors from reading the file.
    pub(super) fn next(&mut self) -> Result<Option<Record>> {
        let (number, value) = match &mut self.state {
            State::Once(value) => return Ok(value.take().map(|value| (self.name.clone(), value))),
            State::Lines { lines, number } => match line(lines, &self.path)? {
                Some(value) => {
                    *number += 1;
                    (*number as u64, value)
                }
                None => return Ok(None),
            },
            State::Fixed { bytes, number, record, footer, hop } => {
                if *number > 0 && bytes.skip(*hop)? {
                    return Ok(None);
                }
                let wanted = record.saturating_add(*footer);
                if bytes.fill(wanted)? < wanted {
                    return Ok(None);
                }
                *number += 1;
                (*number - 1, bytes.held[..*record].to_vec())
            }
            State::Records(records) => {
                let offset = records.offset();
                match records.read().map_err(|e| named(e, &self.path))? {
                    Some(value) => (offset, value),
                    None => return Ok(None),
                }
            }
        };
        Ok(Some((self.key(number), Bytes::from(value))))
    }
}

fn named(mut error: Error, path: &str) -> Error {
    let message = format!("{path}: {}", error.message());
    error.fault_mut().message = message;
    error
}

/// Returns the next line, without its line ending.
fn line(lines: &mut impl BufRead, path: &str) -> Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    read_line(lines, &mut line, |e| failed(Path::new(path), e))?;
    let ended = line.pop_if(|last| *last == b'\n').is_some();
    line.pop_if(|last| *last == b'\r');
    Ok(if ended || !line.is_empty() { Some(line) } else { None })
}

/// A read-ahead buffer.
struct Window {
    read: Box<dyn Read + Send>,
    path: String,
    held: Vec<u8>,
}

impl Window {
    fn new(read: Box<dyn Read + Send>, path: String) -> Window {
        Window { read, path, held: Vec::new() }
    }

    fn failed(&self, error: &std::io::Error) -> Error {
        match error.kind() {
            std::io::ErrorKind::InvalidData | std::io::ErrorKind::InvalidInput | std::io::ErrorKind::UnexpectedEof => {
                Error::new(Code::DataLoss, format!("{}: {error}", self.path))
            }
            _ => failed(Path::new(&self.path), error),
        }
    }

    /// Buffers `n` bytes, or as many as are left; returns how many.
    fn fill(&mut self, n: usize) -> Result<usize> {
        if let Some(more) = n.checked_sub(self.held.len()) {
            let read = (&mut self.read).take(more as u64).read_to_end(&mut self.held);
            read.map_err(|e| self.failed(&e))?;
        }
        Ok(self.held.len().min(n))
    }

    /// Skips `n` bytes; returns true if there are fewer.
    fn skip(&mut self, n: usize) -> Result<bool> {
        if n <= self.held.len() {
            self.held.drain(..n);
            return Ok(false);
        }
        let more = (n - self.held.len()) as u64;
        self.held.clear();
        let skipped = std::io::copy(&mut (&mut self.read).take(more), &mut std::io::sink());
        Ok(skipped.map_err(|e| self.failed(&e))? < more)
    }
}
