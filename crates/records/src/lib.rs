//! Reads and writes TFRecord files: sequences of byte strings, each with its length and two checksums.
//!
//! In: bytes of a file, plain or compressed. Out: records, or an error. It knows no graph and opens no file.
//!
//! ```
//! use levada_records::{Compression, Reader, Writer};
//! let mut writer = Writer::new(Vec::new(), Compression::Gzip);
//! writer.write(b"one")?;
//! writer.write(b"two")?;
//! let file = writer.finish()?;
//!
//! let mut reader = Reader::new(&file[..], Compression::Gzip);
//! assert_eq!(reader.read()?.as_deref(), Some(&b"one"[..]));
//! assert_eq!(reader.read()?.as_deref(), Some(&b"two"[..]));
//! assert_eq!(reader.read()?, None);
//! # Ok::<(), levada_graph::Error>(())
//! ```

mod snappy;

use flate2::read::{MultiGzDecoder, ZlibDecoder};
use flate2::write::{GzEncoder, ZlibEncoder};
use levada_graph::{Code, Error, Result};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::str::FromStr;

/// How a file is compressed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Compression {
    /// No compression.
    #[default]
    None,
    /// A zlib stream.
    Zlib,
    /// A gzip stream.
    Gzip,
    /// Snappy blocks, each preceded by its length.
    Snappy,
}

impl FromStr for Compression {
    type Err = Error;

    /// Reads TensorFlow's names: the empty string, `ZLIB`, `GZIP`, `SNAPPY`.
    fn from_str(name: &str) -> Result<Compression> {
        match name {
            "" => Ok(Compression::None),
            "ZLIB" => Ok(Compression::Zlib),
            "GZIP" => Ok(Compression::Gzip),
            "SNAPPY" => Ok(Compression::Snappy),
            other => Err(Error::invalid("unknown compression type")
                .expected("ZLIB, GZIP, SNAPPY or the empty string")
                .found(format!("{other:?}"))),
        }
    }
}

impl Compression {
    /// Decompresses what `read` reads.
    pub fn decode<'r, R: Read + Send + 'r>(self, read: R) -> Box<dyn Read + Send + 'r> {
        match self {
            Compression::None => Box::new(read),
            Compression::Zlib => Box::new(ZlibDecoder::new(read)),
            Compression::Gzip => Box::new(MultiGzDecoder::new(read)),
            Compression::Snappy => Box::new(snappy::Blocks::new(read)),
        }
    }
}

/// Length of a record, eight bytes, and the checksum of these.
const HEADER: usize = 12;
/// The checksum behind a record.
const FOOTER: usize = 4;

/// The checksum of the format: CRC-32C, rotated and offset so that checksums of checksums are meaningful.
pub fn checksum(bytes: &[u8]) -> u32 {
    crc32c::crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8)
}

/// Reads records one after the other.
pub struct Reader<R> {
    read: R,
    offset: u64,
    /// The error that reading failed with; every later call fails with it.
    failed: Option<Error>,
}

impl<'r> Reader<Box<dyn Read + Send + 'r>> {
    /// Reads the records of a file. Files should be buffered.
    pub fn new<R: Read + Send + 'r>(read: R, compression: Compression) -> Self {
        Reader { read: compression.decode(read), offset: 0, failed: None }
    }
}

impl<R: Read> Reader<R> {
    /// Where the next record begins, in bytes of the decompressed file.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The next record; `None` at the end. As in TensorFlow a file may end within a record's length.
    ///
    /// # Errors
    /// `DATA_LOSS` if a checksum is wrong or the file ends within a record; else the error of reading the file.
    pub fn read(&mut self) -> Result<Option<Vec<u8>>> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let record = self.next();
        self.failed = record.as_ref().err().cloned();
        record
    }

    fn next(&mut self) -> Result<Option<Vec<u8>>> {
        let mut header = [0; HEADER];
        if fill(&mut self.read, &mut header).map_err(failed)? < HEADER {
            return Ok(None);
        }
        let (length, sum) = header.split_at(8);
        if checksum(length) != word(sum) {
            return Err(self.lost("corrupted record"));
        }
        let length = u64::from_le_bytes(length.try_into().unwrap_or_default());
        // The memory grows with what is read, so that a wrong length costs nothing.
        let mut record = Vec::new();
        let taken = (&mut self.read).take(length).read_to_end(&mut record).map_err(failed)?;
        let mut footer = [0; FOOTER];
        if taken as u64 != length || fill(&mut self.read, &mut footer).map_err(failed)? < FOOTER {
            return Err(self.lost("truncated record"));
        }
        if checksum(&record) != word(&footer) {
            return Err(self.lost("corrupted record"));
        }
        self.offset += (HEADER + FOOTER) as u64 + length;
        Ok(Some(record))
    }

    fn lost(&self, what: &str) -> Error {
        Error::new(Code::DataLoss, format!("{what} at {}", self.offset))
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Vec<u8>>;

    /// The next record; `None` after the first error.
    fn next(&mut self) -> Option<Result<Vec<u8>>> {
        if self.failed.is_some() { None } else { self.read().transpose() }
    }
}

fn word(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(bytes.try_into().unwrap_or_default())
}

/// Reads until `buffer` is full or the file ends.
fn fill(read: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match read.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// The error for a file that cannot be read or written any further.
fn failed(error: io::Error) -> Error {
    let code = match error.kind() {
        ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::UnexpectedEof => Code::DataLoss,
        ErrorKind::StorageFull => Code::ResourceExhausted,
        _ => Code::Unknown,
    };
    Error::new(code, format!("the records cannot be read or written: {error}"))
}

enum Sink<W: Write> {
    Plain(BufWriter<W>),
    Zlib(ZlibEncoder<BufWriter<W>>),
    Gzip(GzEncoder<BufWriter<W>>),
    Snappy(Box<snappy::Blocker<BufWriter<W>>>),
}

/// Writes records one after the other. [`Writer::finish`] ends the file.
pub struct Writer<W: Write> {
    sink: Sink<W>,
}

impl<W: Write> Writer<W> {
    /// Writes the records of a new file.
    pub fn new(write: W, compression: Compression) -> Writer<W> {
        let (write, level) = (BufWriter::new(write), flate2::Compression::default());
        let sink = match compression {
            Compression::None => Sink::Plain(write),
            Compression::Zlib => Sink::Zlib(ZlibEncoder::new(write, level)),
            Compression::Gzip => Sink::Gzip(GzEncoder::new(write, level)),
            Compression::Snappy => Sink::Snappy(Box::new(snappy::Blocker::new(write))),
        };
        Writer { sink }
    }

    /// Adds a record.
    ///
    /// # Errors
    /// The error of writing.
    pub fn write(&mut self, record: &[u8]) -> Result<()> {
        let length = (record.len() as u64).to_le_bytes();
        let parts = [&length, &checksum(&length).to_le_bytes()[..], record, &checksum(record).to_le_bytes()];
        let sink: &mut dyn Write = match &mut self.sink {
            Sink::Plain(sink) => sink,
            Sink::Zlib(sink) => sink,
            Sink::Gzip(sink) => sink,
            Sink::Snappy(sink) => sink.as_mut(),
        };
        parts.into_iter().try_for_each(|part| sink.write_all(part)).map_err(failed)
    }

    /// Passes everything written so far on to the file.
    ///
    /// # Errors
    /// The error of writing.
    pub fn flush(&mut self) -> Result<()> {
        let sink: &mut dyn Write = match &mut self.sink {
            Sink::Plain(sink) => sink,
            Sink::Zlib(sink) => sink,
            Sink::Gzip(sink) => sink,
            Sink::Snappy(sink) => sink.as_mut(),
        };
        sink.flush().map_err(failed)
    }

    /// Ends the file and returns it.
    ///
    /// # Errors
    /// The error of writing.
    pub fn finish(self) -> Result<W> {
        let write = match self.sink {
            Sink::Plain(sink) => sink,
            Sink::Zlib(sink) => sink.finish().map_err(failed)?,
            Sink::Gzip(sink) => sink.finish().map_err(failed)?,
            Sink::Snappy(sink) => sink.finish().map_err(failed)?,
        };
        write.into_inner().map_err(|e| failed(e.into_error()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(compression: Compression) -> Vec<u8> {
        let mut writer = Writer::new(Vec::new(), compression);
        for record in [&b"one"[..], b"", b"three"] {
            writer.write(record).unwrap();
        }
        writer.finish().unwrap()
    }

    #[test]
    fn the_bytes_are_those_that_tensorflow_writes() {
        let mut writer = Writer::new(Vec::new(), Compression::None);
        writer.write(b"one").unwrap();
        let recorded = [3, 0, 0, 0, 0, 0, 0, 0, 176, 153, 73, 14, 111, 110, 101, 1, 64, 85, 8];
        assert_eq!(writer.finish().unwrap(), recorded);
    }

    #[test]
    fn what_is_written_is_read() {
        for compression in [Compression::None, Compression::Zlib, Compression::Gzip, Compression::Snappy] {
            let file = written(compression);
            let mut reader = Reader::new(&file[..], compression);
            let offsets: Vec<u64> = std::iter::from_fn(|| {
                let offset = reader.offset();
                reader.read().unwrap().map(|_| offset)
            })
            .collect();
            assert_eq!(offsets, [0, 19, 35]);
        }
    }

    #[test]
    fn large_records_are_blocks_of_snappy() {
        let record: Vec<u8> = (0..1_000_000_u32).map(|i| (i.wrapping_mul(i) >> 7) as u8).collect();
        let mut writer = Writer::new(Vec::new(), Compression::Snappy);
        writer.write(b"small").unwrap();
        writer.write(&record).unwrap();
        let file = writer.finish().unwrap();
        let mut reader = Reader::new(&file[..], Compression::Snappy);
        assert_eq!(reader.read().unwrap().as_deref(), Some(&b"small"[..]));
        assert_eq!(reader.read().unwrap(), Some(record));
        assert_eq!(reader.read().unwrap(), None);
    }

    #[test]
    fn what_is_no_snappy_is_noticed() {
        let file = written(Compression::Snappy);
        for at in 0..file.len() {
            for wrong in [0, 0x7f, 0xff] {
                let mut wrong_file = file.clone();
                wrong_file[at] = wrong;
                let read: Result<Vec<_>> = Reader::new(&wrong_file[..], Compression::Snappy).collect();
                assert!(wrong_file == file || read.is_err(), "byte {at}");
            }
        }
    }

    #[test]
    fn faults_are_noticed_wherever_they_are() {
        let file = written(Compression::None);
        for at in 0..file.len() {
            let mut wrong = file.clone();
            wrong[at] ^= 1;
            let read: Result<Vec<_>> = Reader::new(&wrong[..], Compression::None).collect();
            assert_eq!(read.unwrap_err().code(), Code::DataLoss, "byte {at}");
        }
        for cut in 1..file.len() {
            let mut reader = Reader::new(&file[..cut], Compression::None);
            while let Ok(Some(_)) = reader.read() {}
            let _ = reader.read();
        }
    }
}
