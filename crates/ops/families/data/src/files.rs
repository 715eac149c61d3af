//! `TextLineDataset`, `FixedLengthRecordDataset`, `TFRecordDataset`: the contents of files.

use crate::dataset::{DATASET, Dataset, Setup, UNKNOWN, make, scalar, scalar_output};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use levada_kernel::Files;
use levada_kernel::files::{failed, read_line};
use levada_records::{Compression, Reader};
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::Path;
use std::sync::Arc;
use std::task::Poll;

attrs! {
    /// The attrs of datasets that read files.
    pub struct FileDataset {
        /// Not used.
        metadata: Bytes = Attr::string("metadata").or_str(""),
    }
}

const FILENAMES: Arg = arg("filenames", is(DType::Str));
const COMPRESSION: Arg = arg("compression_type", is(DType::Str));
const BUFFER: Arg = arg("buffer_size", is(DType::I64));
const HEADER: Arg = arg("header_bytes", is(DType::I64));
const RECORD: Arg = arg("record_bytes", is(DType::I64));
const FOOTER: Arg = arg("footer_bytes", is(DType::I64));

pub static TEXT_LINE_DATASET: Def<FileDataset> = op("TextLineDataset")
    .doc("Reads the lines of files, without line ends.")
    .inputs(&[FILENAMES, COMPRESSION, BUFFER])
    .outputs(DATASET)
    .stateful()
    .shape(scalar_output)
    .kernel(|_, cx| {
        let compression = compression_of_bytes(cx, 1)?;
        let buffer = buffer(cx, 2)?;
        records(cx, "TextLine", Format::Lines { compression, buffer }, None)
    });

pub static FIXED_LENGTH_RECORD_DATASET: Def<FileDataset> = op("FixedLengthRecordDataset")
    .doc("Reads the records of files, each of `record_bytes` bytes, skipping the header and footer of each file.")
    .inputs(&[FILENAMES, HEADER, RECORD, FOOTER, BUFFER])
    .outputs(DATASET)
    .also(&[form("FixedLengthRecordDatasetV2").inputs(&[FILENAMES, HEADER, RECORD, FOOTER, BUFFER, COMPRESSION])])
    .stateful()
    .shape(scalar_output)
    .kernel(|_, cx| {
        let bytes = |i: usize, name: &str| -> Result<u64> {
            let value: i64 = scalar(cx, i, name)?;
            u64::try_from(value).map_err(|_| Error::invalid(format!("{name} must be >= 0")).found(value))
        };
        let (header, record, footer) =
            (bytes(1, "header_bytes")?, bytes(2, "record_bytes")?, bytes(3, "footer_bytes")?);
        if record == 0 {
            return Err(Error::invalid("record_bytes must be > 0").found(record));
        }
        let compression = if cx.num_inputs() > 5 { compression_of_bytes(cx, 5)? } else { Compression::None };
        let buffer = buffer(cx, 4)?;
        records(cx, "FixedLengthRecord", Format::Fixed { header, record, footer, compression, buffer }, None)
    });

pub static TF_RECORD_DATASET: Def<FileDataset> = op("TFRecordDataset")
    .doc("Reads the records of TFRecord files.")
    .inputs(&[FILENAMES, COMPRESSION, BUFFER])
    .outputs(DATASET)
    .also(&[form("TFRecordDatasetV2").inputs(&[FILENAMES, COMPRESSION, BUFFER, arg("byte_offsets", is(DType::I64))])])
    .stateful()
    .shape(scalar_output)
    .kernel(|_, cx| {
        let compression = compression(cx, 1)?;
        let buffer = buffer(cx, 2)?;
        let offsets = if cx.num_inputs() > 3 { Some(cx.i64s(3)?) } else { None };
        records(cx, "TFRecord", Format::Records { compression, buffer }, offsets)
    });

/// Maximum size of the read-ahead buffer of a file, in bytes.
const MOST_BUFFERED: usize = 1 << 24;
/// Default size of the read-ahead buffer, in bytes.
const BUFFERED: usize = 1 << 18;

fn compression(cx: &Cx<'_, '_>, i: usize) -> Result<Compression> {
    let name: Bytes = scalar(cx, i, "compression_type")?;
    let name = String::from_utf8_lossy(&name).into_owned();
    name.parse().map_err(|_| Error::invalid(format!("Unsupported compression_type: {name}.")))
}

/// Like [`compression`], for files that do not hold records.
fn compression_of_bytes(cx: &Cx<'_, '_>, i: usize) -> Result<Compression> {
    match compression(cx, i)? {
        Compression::Snappy => Err(Error::invalid("Unsupported compression_type: SNAPPY.")),
        other => Ok(other),
    }
}

fn buffer(cx: &Cx<'_, '_>, i: usize) -> Result<usize> {
    let size: i64 = scalar(cx, i, "buffer_size")?;
    match usize::try_from(size) {
        Ok(size) if size > 0 => Ok(size.min(MOST_BUFFERED)),
        Ok(_) => Ok(BUFFERED),
        // Autotuning uses the default.
        Err(_) if size == -1 => Ok(BUFFERED),
        Err(_) => Err(Error::invalid("`buffer_size` must be >= 0 (0 == default)").found(size)),
    }
}

/// Sets the output to a dataset of the records of the files named by input 0.
fn records(cx: &mut Cx<'_, '_>, kind: &'static str, format: Format, offsets: Option<Vec<i64>>) -> Result<()> {
    let names = cx.input(0)?;
    if names.shape().rank() > 1 {
        return Err(
            Error::invalid("`filenames` must be a scalar or a vector.").found(format!("shape {}", names.shape()))
        );
    }
    let names = names.slice::<Bytes>()?.to_vec();
    let offsets = match offsets {
        None => vec![0; names.len()],
        Some(offsets) if offsets.len() != names.len() => {
            return Err(Error::invalid("`byte_offsets` must be of the same size as `filenames`").found(format!(
                "{} and {}",
                offsets.len(),
                names.len()
            )));
        }
        Some(offsets) => offsets
            .into_iter()
            .map(|at| u64::try_from(at).map_err(|_| Error::invalid("`byte_offsets` must be >= 0").found(at)))
            .collect::<Result<_>>()?,
    };
    let files = names.into_iter().zip(offsets).collect();
    let access = cx.env().files.clone();
    make(cx, vec![DType::Str], vec![PartialShape::scalar()], Records(Arc::new(Parts { kind, format, files, access })))
}

/// The record format.
enum Format {
    Lines { compression: Compression, buffer: usize },
    Fixed { header: u64, record: u64, footer: u64, compression: Compression, buffer: usize },
    Records { compression: Compression, buffer: usize },
}

struct Parts {
    kind: &'static str,
    format: Format,
    /// File names, and the offsets to start at.
    files: Vec<(Bytes, u64)>,
    access: Files,
}

struct Records(Arc<Parts>);

impl Dataset for Records {
    fn kind(&self) -> &'static str {
        self.0.kind
    }

    fn may_read(&self) -> bool {
        true
    }

    fn cardinality(&self) -> i64 {
        UNKNOWN
    }

    fn iterator(&self, _: Setup) -> Result<Box<dyn Iter>> {
        Ok(Box::new(RecordsIter { of: self.0.clone(), file: 0, given: 0, open: None }))
    }
}

struct RecordsIter {
    of: Arc<Parts>,
    /// The current file, or the next one if none is open.
    file: usize,
    /// Number of its records returned so far.
    given: u64,
    open: Option<Open>,
}

/// An open file.
enum Open {
    Lines(Box<dyn BufRead + Send>),
    Fixed(Fixed),
    Records(Reader<Box<dyn Read + Send>>),
}

struct Fixed {
    read: Box<dyn Read + Send>,
    record: u64,
    footer: u64,
    /// What was read past the last record: the footer, or the start of the next record.
    ahead: Vec<u8>,
}

impl Parts {
    fn open(&self, file: usize) -> Result<Open> {
        let (name, offset) = &self.files[file];
        let name = String::from_utf8_lossy(name);
        let path = Path::new(&*name);
        let plain = |buffer: usize| Ok(BufReader::with_capacity(buffer, self.access.open(path)?));
        match self.format {
            Format::Lines { compression: Compression::None, buffer } => Ok(Open::Lines(Box::new(plain(buffer)?))),
            Format::Lines { compression, buffer } => {
                Ok(Open::Lines(Box::new(BufReader::with_capacity(buffer, compression.decode(plain(buffer)?)))))
            }
            Format::Records { compression, buffer } => {
                let mut file = plain(buffer)?;
                let skipped = std::io::copy(&mut (&mut file).take(*offset), &mut std::io::sink());
                skipped.map_err(|error| failed(path, &error))?;
                Ok(Open::Records(Reader::new(file, compression)))
            }
            Format::Fixed { header, record, footer, compression, buffer } => {
                let file = plain(buffer)?;
                if compression == Compression::None {
                    let size = file.get_ref().metadata().map_err(|error| failed(path, &error))?.len();
                    let body = size.checked_sub(header.saturating_add(footer));
                    if body.is_none_or(|body| body % record != 0) {
                        let body = body.map_or_else(|| "less".to_owned(), |body| format!("{body} bytes"));
                        return Err(Error::invalid(format!(
                            "Excluding the header ({header} bytes) and footer ({footer} bytes), input file \"{name}\" \
                             has body length {body}, which is not an exact multiple of the record length ({record} \
                             bytes)."
                        )));
                    }
                }
                let mut fixed = Fixed { read: compression.decode(file), record, footer, ahead: Vec::new() };
                let skipped = std::io::copy(&mut (&mut fixed.read).take(header), &mut std::io::sink());
                if skipped.map_err(|error| lost(path, &error))? < header {
                    return Err(Error::out_of_range(format!("\"{name}\" ends within its header")));
                }
                Ok(Open::Fixed(fixed))
            }
        }
    }
}

/// The error for a file that cannot be read any further.
pub(crate) fn lost(path: &Path, error: &std::io::Error) -> Error {
    match error.kind() {
        ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::UnexpectedEof => {
            Error::data_loss(format!("{}: {error}", path.display()))
        }
        _ => failed(path, error),
    }
}

impl Open {
    /// Returns the next record; `None` at the end of the file.
    fn next(&mut self, path: &Path) -> Result<Option<Vec<u8>>> {
        match self {
            Open::Lines(lines) => {
                let mut line = Vec::new();
                read_line(lines, &mut line, |error| lost(path, error))?;
                let ended = line.pop_if(|last| *last == b'\n').is_some();
                line.pop_if(|last| *last == b'\r');
                Ok(if ended || !line.is_empty() { Some(line) } else { None })
            }
            Open::Fixed(fixed) => fixed.next(path),
            Open::Records(records) => records.read().map_err(|mut error| {
                let message = format!("{}: {}", path.display(), error.message());
                error.fault_mut().message = message;
                error
            }),
        }
    }
}

impl Fixed {
    fn next(&mut self, path: &Path) -> Result<Option<Vec<u8>>> {
        // It is a record only if at least the footer follows it.
        let wanted = self.record.saturating_add(self.footer);
        let more = wanted.saturating_sub(self.ahead.len() as u64);
        (&mut self.read).take(more).read_to_end(&mut self.ahead).map_err(|error| lost(path, &error))?;
        if (self.ahead.len() as u64) < wanted {
            let left = (self.ahead.len() as u64).saturating_sub(self.footer);
            return match left {
                0 => Ok(None),
                _ => Err(Error::data_loss(format!(
                    "{}: the last record has {left} bytes, not {}",
                    path.display(),
                    self.record
                ))),
            };
        }
        let ahead = self.ahead.split_off(self.record as usize);
        Ok(Some(std::mem::replace(&mut self.ahead, ahead)))
    }
}

impl Iter for RecordsIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        while self.file < self.of.files.len() {
            let name = String::from_utf8_lossy(&self.of.files[self.file].0).into_owned();
            let record = self.next(Path::new(&name));
            match record {
                Ok(Some(record)) => {
                    self.given += 1;
                    return Poll::Ready(Ok(Some(vec![Tensor::scalar(Bytes::from(record))])));
                }
                Ok(None) => {}
                Err(error) => {
                    // The rest of the file is skipped.
                    (self.file, self.given, self.open) = (self.file + 1, 0, None);
                    return Poll::Ready(Err(error));
                }
            }
            (self.file, self.given, self.open) = (self.file + 1, 0, None);
            std::task::ready!(turn.pass());
        }
        Poll::Ready(Ok(None))
    }

    fn save(&mut self, _: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.count(self.file);
        to.int(self.given as i64);
        Poll::Ready(Ok(()))
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        (self.file, self.given) = (from.count()?, from.int()? as u64);
        Ok(())
    }
}

impl RecordsIter {
    /// Returns the next record of the file, opening it first if necessary.
    fn next(&mut self, path: &Path) -> Result<Option<Vec<u8>>> {
        if self.open.is_none() {
            let mut open = self.of.open(self.file)?;
            for _ in 0..self.given {
                open.next(path)?;
            }
            self.open = Some(open);
        }
        self.open.as_mut().map_or(Ok(None), |open| open.next(path))
    }
}
