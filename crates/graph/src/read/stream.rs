//! Reads the message of a large file without ever holding the file: the elements of large tensors go from the file
//! straight into the memory that their tensors keep.

use super::pb::Parts;
use super::text::Form;
use super::{is_json, recognize};
use crate::collections::Collections;
use crate::meta::Meta;
use crate::proto;
use bytes::{Buf, Bytes};
use prost::Message;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Files of fewer bytes are read at once.
const LARGE: u64 = 1 << 20;

/// Bytes read at a time, except the elements of large tensors.
const PIECE: usize = 1 << 16;

/// The `GraphDef` in a large file in protobuf's binary format; `None` for any other file, which the caller reads and
/// names the fault of.
pub(super) fn graph(path: &Path) -> Option<Parts> {
    // A pipe must not be opened twice.
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    let file = File::open(path).ok()?;
    let size = file.metadata().ok()?.len();
    if size < LARGE {
        return None;
    }
    Some((decode(file, size)?, Collections::new(), Meta::default()))
}

/// The `GraphDef` in the `size` bytes of `source`.
fn decode(source: impl Read, size: u64) -> Option<proto::GraphDef> {
    let mut stream = Stream { source, left: usize::try_from(size).ok()?, piece: Vec::new(), at: 0, failed: false };
    stream.refill();
    let start = stream.chunk();
    if is_json(start) || Form::of(start).is_some() || recognize::by_mark(start).is_some() {
        return None;
    }
    let graph = proto::GraphDef::decode(&mut stream).ok()?;
    // The message ends where the source does, or another reader is to say what is wrong.
    let ended = stream.source.read(&mut [0]).is_ok_and(|n| n == 0);
    (ended && !stream.failed).then_some(graph)
}

/// The bytes of a source, which are read as they are asked for. If it fails or ends early, zeros follow.
struct Stream<R> {
    source: R,
    /// Number of bytes after the piece.
    left: usize,
    piece: Vec<u8>,
    /// Position in the piece.
    at: usize,
    failed: bool,
}

impl<R: Read> Stream<R> {
    /// Reads the next piece if this one is used up.
    fn refill(&mut self) {
        if self.at == self.piece.len() {
            let mut piece = std::mem::take(&mut self.piece);
            piece.clear();
            self.at = 0;
            let len = PIECE.min(self.left);
            if self.read(&mut piece, len).is_err() {
                self.failed = true;
                piece.resize(len, 0);
            }
            self.piece = piece;
        }
    }

    /// Appends the next `len` bytes to `out`.
    fn read(&mut self, out: &mut Vec<u8>, len: usize) -> io::Result<()> {
        self.left -= len;
        out.try_reserve_exact(len)?;
        match self.source.by_ref().take(len as u64).read_to_end(out)? {
            read if read == len => Ok(()),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

impl<R: Read> Buf for Stream<R> {
    fn remaining(&self) -> usize {
        self.piece.len() - self.at + self.left
    }

    fn chunk(&self) -> &[u8] {
        &self.piece[self.at..]
    }

    fn advance(&mut self, mut n: usize) {
        assert!(n <= self.remaining(), "no more bytes");
        while n > 0 {
            let step = n.min(self.piece.len() - self.at);
            self.at += step;
            n -= step;
            self.refill();
        }
    }

    /// Reads what is not in the piece directly. Fewer bytes if the source fails.
    fn copy_to_bytes(&mut self, len: usize) -> Bytes {
        assert!(len <= self.remaining(), "no more bytes");
        let here = len.min(self.piece.len() - self.at);
        let mut out = Vec::new();
        let reserved = out.try_reserve_exact(len).map_err(io::Error::from);
        if reserved.is_ok() {
            out.extend_from_slice(&self.piece[self.at..self.at + here]);
        }
        self.at += here;
        self.failed |= reserved.and(self.read(&mut out, len - here)).is_err();
        self.refill();
        Bytes::from(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::{AttrValue, GraphDef, NodeDef, TensorProto, Value};

    /// A graph with elements in a large tensor and in small ones.
    fn message() -> (GraphDef, Vec<u8>) {
        let node = |i: usize| {
            let tensor_content = (0..if i == 3 { 3 * PIECE } else { 10 * i }).map(|b| b as u8).collect();
            let value = Value::Tensor(TensorProto { dtype: 4, tensor_content, ..TensorProto::default() });
            NodeDef {
                name: format!("node{i}"),
                op: "Const".repeat(i),
                attr: [("value".to_owned(), AttrValue { value: Some(value) })].into(),
                ..NodeDef::default()
            }
        };
        let graph = GraphDef { node: (0..400).map(node).collect(), ..GraphDef::default() };
        let bytes = graph.encode_to_vec();
        (graph, bytes)
    }

    /// A source that gives a few bytes at a time, and fails at the end if asked to.
    struct Slow<'a>(&'a [u8], bool);

    impl Read for Slow<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let n = out.len().min(1001);
            match self.0.read(&mut out[..n])? {
                0 if self.1 => Err(io::ErrorKind::Other.into()),
                n => Ok(n),
            }
        }
    }

    #[test]
    fn a_stream_is_the_message() {
        let (graph, bytes) = message();
        assert!(bytes.len() > 4 * PIECE);
        assert!(decode(&bytes[..], bytes.len() as u64) == Some(graph.clone()));
        assert!(decode(Slow(&bytes, false), bytes.len() as u64) == Some(graph));
    }

    #[test]
    fn sources_that_fail_or_change_are_left_to_the_caller() {
        let (_, bytes) = message();
        for end in (0..bytes.len()).step_by(997) {
            assert!(decode(&bytes[..end], bytes.len() as u64).is_none());
            assert!(decode(Slow(&bytes[..end], true), bytes.len() as u64).is_none());
            assert!(decode(&bytes[..], end as u64).is_none());
        }
    }
}
