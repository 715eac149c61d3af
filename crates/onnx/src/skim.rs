//! Reads a model's file without the elements of large initializers, which stay in the file until they are needed.

use levada_graph::{Error, Result};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};

/// Elements that take fewer bytes are read with the message.
const LARGE: u64 = 1 << 16;

/// Messages that are parsed, and their fields that lead further.
#[derive(Clone, Copy, PartialEq)]
enum Level {
    Model,
    Graph,
    Tensor,
}

impl Level {
    /// The field that leads to large elements, and the message in it.
    fn field(self) -> (u64, Option<Level>) {
        match self {
            Level::Model => (7, Some(Level::Graph)),
            Level::Graph => (5, Some(Level::Tensor)),
            Level::Tensor => (9, None),
        }
    }
}

/// The bytes of the model in a file, in which the elements of large initializers are replaced by external data in the
/// file itself: their location is empty.
///
/// # Errors
/// `INVALID_ARGUMENT` if the bytes are not a message.
pub(crate) fn skim(file: File) -> Result<Vec<u8>> {
    let size = file.metadata().map_err(failed)?.len();
    let mut skimmer = Skimmer { file: BufReader::with_capacity(1 << 16, file), at: 0 };
    let mut out = Vec::new();
    skimmer.message(Level::Model, size, &mut out)?;
    Ok(out)
}

fn failed(error: std::io::Error) -> Error {
    Error::invalid(format!("the file cannot be read: {error}"))
}

fn wrong() -> Error {
    Error::invalid("this is not an ONNX model")
        .expected("a ModelProto in binary form")
        .found("bytes that are not a message")
}

fn put(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn put_bytes(field: u64, bytes: &[u8], out: &mut Vec<u8>) {
    put(field << 3 | 2, out);
    put(bytes.len() as u64, out);
    out.extend_from_slice(bytes);
}

/// An entry of `external_data`.
fn put_entry(key: &str, value: u64, out: &mut Vec<u8>) {
    let mut entry = Vec::new();
    put_bytes(1, key.as_bytes(), &mut entry);
    put_bytes(2, value.to_string().as_bytes(), &mut entry);
    put_bytes(13, &entry, out);
}

struct Skimmer {
    file: BufReader<File>,
    at: u64,
}

impl Skimmer {
    fn varint(&mut self) -> Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = match self.file.fill_buf().map_err(failed)? {
                [byte, ..] => *byte,
                [] => return Err(wrong()),
            };
            self.file.consume(1);
            self.at += 1;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(wrong())
    }

    fn copy(&mut self, length: u64, out: &mut Vec<u8>) -> Result<()> {
        let copied = (&mut self.file).take(length).read_to_end(out).map_err(failed)?;
        self.at += length;
        if copied as u64 == length { Ok(()) } else { Err(wrong()) }
    }

    /// Copies a message that ends at byte `end`.
    fn message(&mut self, level: Level, end: u64, out: &mut Vec<u8>) -> Result<()> {
        let mut elements = None;
        while self.at < end {
            let tag = self.varint()?;
            let length = match tag & 7 {
                0 => {
                    put(tag, out);
                    put(self.varint()?, out);
                    continue;
                }
                1 => 8,
                2 => self.varint()?,
                5 => 4,
                _ => return Err(wrong()),
            };
            let after = self.at.checked_add(length).filter(|after| *after <= end).ok_or_else(wrong)?;
            match (level.field(), tag & 7) {
                ((field, Some(inner)), 2) if tag >> 3 == field && length > LARGE => {
                    let mut message = Vec::new();
                    self.message(inner, after, &mut message)?;
                    put_bytes(field, &message, out);
                }
                ((field, None), 2) if tag >> 3 == field && length > LARGE => {
                    elements = Some((self.at, length));
                    self.file.seek_relative(i64::try_from(length).map_err(|_| wrong())?).map_err(failed)?;
                    self.at = after;
                }
                _ => {
                    put(tag, out);
                    if tag & 7 == 2 {
                        put(length, out);
                    }
                    self.copy(length, out)?;
                }
            }
        }
        if let Some((offset, length)) = elements {
            let mut entry = Vec::new();
            put_bytes(1, b"location", &mut entry);
            put_bytes(2, b"", &mut entry);
            put_bytes(13, &entry, out);
            put_entry("offset", offset, out);
            put_entry("length", length, out);
            put(14 << 3, out);
            put(1, out);
        }
        if self.at == end { Ok(()) } else { Err(wrong()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::{GraphProto, ModelProto, TensorProto};
    use prost::Message;

    #[test]
    fn large_elements_stay_in_the_file() {
        let tensor = |name: &str, n: usize| TensorProto {
            name: name.to_owned(),
            dims: vec![n as i64],
            data_type: 2,
            raw_data: Some(vec![7; n].into()),
            ..TensorProto::default()
        };
        let graph = GraphProto {
            name: "g".to_owned(),
            initializer: vec![tensor("small", 3), tensor("large", 100_000)],
            ..GraphProto::default()
        };
        let model = ModelProto { ir_version: 8, graph: Some(graph), ..ModelProto::default() };
        let path = std::env::temp_dir().join(format!("levada_skim_{}.onnx", std::process::id()));
        std::fs::write(&path, model.encode_to_vec()).unwrap();
        let bytes = skim(File::open(&path).unwrap()).unwrap();
        assert!(bytes.len() < 1000);
        let read = crate::Model::open(&path).unwrap();
        let tensors = &read.proto.graph.as_ref().unwrap().initializer;
        assert_eq!(tensors[0].raw_data.as_deref(), Some(&[7u8; 3][..]));
        assert_eq!(tensors[1].raw_data, None);
        let beside = crate::tensor::Beside::model(&path);
        let (value, _) = crate::tensor::tensor(&tensors[1], &beside).unwrap();
        assert_eq!(value.slice::<u8>().unwrap(), vec![7u8; 100_000]);
        std::fs::write(&path, &model.encode_to_vec()[..50_000]).unwrap();
        assert!(skim(File::open(&path).unwrap()).is_err());
        std::fs::remove_file(&path).unwrap();
    }
}
