//! Streams of snappy blocks, as TensorFlow writes them: each block is preceded by the number of its compressed bytes,
//! four bytes in big-endian order.

use snap::raw::{Decoder, Encoder, decompress_len};
use std::io::{self, ErrorKind, Read, Write};

/// Bytes of a block before compression. TensorFlow reads no larger ones.
const BLOCK: usize = 256 << 10;
/// Maximum number of bytes that one compressed byte becomes: the shortest copy of 64 bytes takes three.
const MOST_GROWTH: usize = 22;

/// Decompresses a stream.
pub(crate) struct Blocks<R> {
    read: R,
    block: Vec<u8>,
    /// How much of the block has been read.
    at: usize,
    decoder: Decoder,
}

impl<R: Read> Blocks<R> {
    pub(crate) fn new(read: R) -> Blocks<R> {
        Blocks { read, block: Vec::new(), at: 0, decoder: Decoder::new() }
    }

    /// Reads the next block; false at the end of the stream.
    fn next(&mut self) -> io::Result<bool> {
        let mut length = [0; 4];
        match crate::fill(&mut self.read, &mut length)? {
            0 => return Ok(false),
            4 => {}
            _ => return Err(ErrorKind::UnexpectedEof.into()),
        }
        let length = u32::from_be_bytes(length) as usize;
        // The memory grows with what is read, so that a wrong length costs nothing.
        let mut compressed = Vec::new();
        if (&mut self.read).take(length as u64).read_to_end(&mut compressed)? < length {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let broken = |error: snap::Error| io::Error::new(ErrorKind::InvalidData, error);
        let size = decompress_len(&compressed).map_err(broken)?;
        if size > compressed.len().saturating_mul(MOST_GROWTH) {
            return Err(io::Error::new(ErrorKind::InvalidData, "a block that snappy compressed is too short"));
        }
        self.block.resize(size, 0);
        self.at = 0;
        self.decoder.decompress(&compressed, &mut self.block).map_err(broken)?;
        Ok(true)
    }
}

impl<R: Read> Read for Blocks<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        while self.at == self.block.len() {
            if to.is_empty() || !self.next()? {
                return Ok(0);
            }
        }
        let n = to.len().min(self.block.len() - self.at);
        to[..n].copy_from_slice(&self.block[self.at..self.at + n]);
        self.at += n;
        Ok(n)
    }
}

/// Compresses a stream.
pub(crate) struct Blocker<W> {
    write: W,
    block: Vec<u8>,
    encoder: Encoder,
}

impl<W: Write> Blocker<W> {
    pub(crate) fn new(write: W) -> Blocker<W> {
        Blocker { write, block: Vec::new(), encoder: Encoder::new() }
    }

    /// Writes the current block, if there is anything in it.
    fn end_block(&mut self) -> io::Result<()> {
        if self.block.is_empty() {
            return Ok(());
        }
        let compressed = self.encoder.compress_vec(&self.block).map_err(io::Error::other)?;
        self.block.clear();
        self.write.write_all(&(compressed.len() as u32).to_be_bytes())?;
        self.write.write_all(&compressed)
    }

    /// Ends the stream and returns the underlying writer.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.end_block()?;
        Ok(self.write)
    }
}

impl<W: Write> Write for Blocker<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.block.len() == BLOCK {
            self.end_block()?;
        }
        let n = bytes.len().min(BLOCK - self.block.len());
        self.block.extend_from_slice(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.end_block()?;
        self.write.flush()
    }
}
