//! `CSVDataset`: the records of CSV files.

use crate::dataset::{DATASET, Dataset, Setup, Tuple, UNKNOWN, make, scalar, scalar_output};
use crate::files::lost;
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver};
use crate::prelude::*;
use levada_kernel::Files;
use levada_ops_core::text::parse::Parse;
use levada_records::Compression;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::task::{Poll, ready};

attrs! {
    /// Reads the records of CSV files, with a component for each column.
    pub struct CSVDataset {
        /// Dtypes of the columns.
        types: Vec<DType> = Attr::dtypes("output_types", &[
            DType::F32, DType::F64, DType::I32, DType::I64, DType::Str,
        ]).at_least(1),
        /// Shapes of the columns.
        shapes: Vec<PartialShape> = Attr::shapes("output_shapes").at_least(1),
    }
}

const INPUTS: &[Arg] = &[
    arg("filenames", is(DType::Str)),
    arg("compression_type", is(DType::Str)),
    arg("buffer_size", is(DType::I64)),
    arg("header", is(DType::Bool)),
    arg("field_delim", is(DType::Str)),
    arg("use_quote_delim", is(DType::Bool)),
    arg("na_value", is(DType::Str)),
    arg("select_cols", is(DType::I64)),
    arg("record_defaults", each("output_types")),
];
const WITH_EXCLUDED: &[Arg] = &[
    INPUTS[0],
    INPUTS[1],
    INPUTS[2],
    INPUTS[3],
    INPUTS[4],
    INPUTS[5],
    INPUTS[6],
    INPUTS[7],
    INPUTS[8],
    arg("exclude_cols", is(DType::I64)),
];

pub static CSV_DATASET: Def<CSVDataset> = op("CSVDataset")
    .inputs(INPUTS)
    .outputs(DATASET)
    .also(&[form("CSVDatasetV2").inputs(WITH_EXCLUDED), form("ExperimentalCSVDataset")])
    .stateful()
    .shape(scalar_output)
    .kernel(csv_dataset);

/// Maximum size of the read-ahead buffer of a file, in bytes.
const MOST_BUFFERED: usize = 1 << 24;

fn csv_dataset(op: &CSVDataset, cx: &mut Cx<'_, '_>) -> Result<()> {
    let names = cx.input(0)?;
    if names.shape().rank() > 1 {
        return Err(
            Error::invalid("`filenames` must be a scalar or a vector.").found(format!("shape {}", names.shape()))
        );
    }
    let names = names.slice::<Bytes>()?.to_vec();
    let compression: Bytes = scalar(cx, 1, "compression_type")?;
    let compression = match &*compression {
        b"" => Compression::None,
        b"ZLIB" => Compression::Zlib,
        b"GZIP" => Compression::Gzip,
        other => {
            let other = String::from_utf8_lossy(other);
            return Err(Error::invalid(format!("Unsupported compression_type: {other}.")));
        }
    };
    let defaults: Vec<Tensor> = (0..op.types.len()).map(|i| cx.input(8 + i).cloned()).collect::<Result<_>>()?;
    for (i, default) in defaults.iter().enumerate() {
        if default.shape().rank() > 1 {
            return Err(Error::invalid("Each record default should be at most rank 1"));
        }
        if default.num_elements() > 1 {
            return Err(Error::invalid(format!(
                "There should only be 1 default per field but field {i} has {}",
                default.num_elements()
            )));
        }
    }
    let selected = columns(cx, 7, "select_cols")?;
    let excluded = if cx.num_inputs() > 8 + op.types.len() {
        columns(cx, 8 + op.types.len(), "exclude_cols")?
    } else {
        Vec::new()
    };
    let buffer: i64 = scalar(cx, 2, "buffer_size")?;
    let buffer = usize::try_from(buffer)
        .ok()
        .filter(|size| *size > 0)
        .ok_or_else(|| Error::invalid("buffer_size should be positive").found(buffer))?;
    let delimiter: Bytes = scalar(cx, 4, "field_delim")?;
    let [delimiter] = *delimiter else { return Err(Error::invalid("field_delim should be only 1 char")) };
    if !selected.is_empty() && selected.len() != op.types.len() {
        return Err(Error::invalid("select_cols should match output size"));
    }
    if !selected.is_empty() && !excluded.is_empty() {
        return Err(Error::invalid("Either select_cols or exclude_cols should be empty"));
    }
    let format = Format {
        compression,
        buffer: buffer.min(MOST_BUFFERED),
        header: scalar(cx, 3, "header")?,
        delimiter,
        quotes: scalar(cx, 5, "use_quote_delim")?,
        missing: scalar(cx, 6, "na_value")?,
        selected,
        excluded,
        types: op.types.clone(),
        defaults,
    };
    let files = cx.env().files.clone();
    make(cx, op.types.clone(), op.shapes.clone(), Csv(Arc::new(Parts { names, files, format })))
}

/// Reads ascending column indices.
fn columns(cx: &Cx<'_, '_>, i: usize, name: &str) -> Result<Vec<u64>> {
    if cx.input(i)?.shape().rank() != 1 {
        return Err(Error::invalid(format!("`{name}` must be a vector.")));
    }
    let all = cx.i64s(i)?;
    if all.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Err(Error::invalid(format!("{name} should be strictly increasing indices")));
    }
    let negative = || Error::invalid(format!("{name} should be non-negative indices"));
    all.into_iter().map(|column| u64::try_from(column).map_err(|_| negative())).collect()
}

struct Format {
    compression: Compression,
    buffer: usize,
    /// Whether the first record of a file is a header.
    header: bool,
    delimiter: u8,
    /// Whether fields may be quoted.
    quotes: bool,
    /// The string that marks a missing field, in addition to the empty one.
    missing: Bytes,
    /// The columns to read; if empty, all but the excluded ones.
    selected: Vec<u64>,
    excluded: Vec<u64>,
    types: Vec<DType>,
    /// Defaults of the columns; empty for a required column.
    defaults: Vec<Tensor>,
}

struct Parts {
    names: Vec<Bytes>,
    files: Files,
    format: Format,
}

struct Csv(Arc<Parts>);

impl Dataset for Csv {
    fn kind(&self) -> &'static str {
        "CSV"
    }

    fn may_read(&self) -> bool {
        true
    }

    fn cardinality(&self) -> i64 {
        UNKNOWN
    }

    fn iterator(&self, _: Setup) -> Result<Box<dyn Iter>> {
        Ok(Box::new(CsvIter { of: self.0.clone(), file: 0, read: 0, open: None }))
    }
}

struct CsvIter {
    of: Arc<Parts>,
    /// The current file, or the next one if none is open.
    file: usize,
    /// Number of its records read, including those that failed.
    read: u64,
    open: Option<Source>,
}

impl CsvIter {
    /// Returns the next record of the file; `None` at its end.
    fn record(&mut self, name: &Path) -> Result<Option<Tuple>> {
        let format = &self.of.format;
        let open = match &mut self.open {
            Some(open) => open,
            none => {
                let file = BufReader::with_capacity(format.buffer, self.of.files.open(name)?);
                let read = format.compression.decode(file);
                let open = none.insert(Source(BufReader::with_capacity(format.buffer, read)));
                if format.header && !matches!(format.record(open, name, false), Ok(Some(_))) {
                    return Err(Error::invalid("Can't read header of file"));
                }
                for _ in 0..self.read {
                    let _ = format.record(open, name, false)?;
                }
                open
            }
        };
        let record = format.record(open, name, true);
        if !matches!(record, Ok(None)) {
            self.read += 1;
        }
        record
    }
}

impl Iter for CsvIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        while let Some(name) = self.of.names.get(self.file) {
            let name = String::from_utf8_lossy(name).into_owned();
            if let Some(record) = self.record(Path::new(&name))? {
                return Poll::Ready(Ok(Some(record)));
            }
            (self.file, self.read, self.open) = (self.file + 1, 0, None);
            ready!(turn.pass());
        }
        Poll::Ready(Ok(None))
    }

    fn save(&mut self, _: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        to.count(self.file);
        to.int(self.read as i64);
        Poll::Ready(Ok(()))
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        (self.file, self.read) = (from.count()?, from.int()? as u64);
        Ok(())
    }
}

/// The bytes of a file.
struct Source(BufReader<Box<dyn Read + Send>>);

impl Source {
    /// Peeks at the next byte; `None` at the end.
    fn look(&mut self, name: &Path) -> Result<Option<u8>> {
        self.0.fill_buf().map(|bytes| bytes.first().copied()).map_err(|error| lost(name, &error))
    }

    fn next(&mut self, name: &Path) -> Result<Option<u8>> {
        let byte = self.look(name)?;
        self.0.consume(usize::from(byte.is_some()));
        Ok(byte)
    }
}

/// What terminates a field.
#[derive(PartialEq)]
enum End {
    Field,
    Record,
}

impl Format {
    /// Returns the next record; `None` at the end of the file. An error is returned only after the whole record has
    /// been consumed, so that the next one can be read. Without `reads` the fields are skipped.
    fn record(&self, source: &mut Source, name: &Path, reads: bool) -> Result<Option<Tuple>> {
        if source.look(name)?.is_none() {
            return Ok(None);
        }
        let (mut element, mut fault) = (Tuple::new(), None);
        let (mut selected, mut excluded) = (self.selected.iter().peekable(), self.excluded.iter().peekable());
        for column in 0.. {
            let out = excluded.next_if_eq(&&column).is_some();
            let is_selected = self.selected.is_empty() || selected.next_if_eq(&&column).is_some();
            let mut field = Vec::new();
            let (end, why) = self.field(source, name, &mut field)?;
            if reads && is_selected && !out && fault.is_none() {
                let value = why.map_or_else(|| self.value(&field, element.len()), Err);
                value.map_or_else(|error| fault = Some(error), |value| element.push(value));
            } else if reads {
                fault = fault.or(why);
            }
            if end == End::Record {
                break;
            }
        }
        match fault {
            Some(fault) => Err(fault),
            None if reads && element.len() != self.types.len() => {
                Err(Error::invalid(format!("Expect {} fields but have {} in record", self.types.len(), element.len())))
            }
            None => Ok(Some(element)),
        }
    }

    /// Reads a field; returns what terminates it and any error in it.
    fn field(&self, source: &mut Source, name: &Path, field: &mut Vec<u8>) -> Result<(End, Option<Error>)> {
        if self.quotes && source.look(name)? == Some(b'"') {
            source.next(name)?;
            return self.quoted(source, name, field);
        }
        let mut fault = None;
        loop {
            match source.next(name)? {
                None => return Ok((End::Record, fault)),
                Some(byte) if byte == self.delimiter => return Ok((End::Field, fault)),
                Some(byte @ (b'\n' | b'\r')) => {
                    self.end_line(byte, source, name)?;
                    return Ok((End::Record, fault));
                }
                Some(byte) => {
                    if self.quotes && byte == b'"' {
                        fault = Some(Error::invalid("Unquoted fields cannot have quotes inside"));
                    }
                    field.push(byte);
                }
            }
        }
    }

    /// Reads the rest of a field after its opening quote.
    fn quoted(&self, source: &mut Source, name: &Path, field: &mut Vec<u8>) -> Result<(End, Option<Error>)> {
        let mut fault = None;
        loop {
            match source.next(name)? {
                None => return Err(Error::invalid("Reached end of file without closing quoted field in record")),
                Some(b'"') => match source.next(name)? {
                    None => return Ok((End::Record, fault)),
                    Some(byte) if byte == self.delimiter => return Ok((End::Field, fault)),
                    Some(byte @ (b'\n' | b'\r')) => {
                        self.end_line(byte, source, name)?;
                        return Ok((End::Record, fault));
                    }
                    Some(b'"') => field.push(b'"'),
                    Some(_) => {
                        fault = Some(Error::invalid("Quote inside a string has to be escaped by another quote"));
                    }
                },
                Some(byte) => field.push(byte),
            }
        }
    }

    /// Treats a carriage return followed by a line feed as one line end.
    fn end_line(&self, byte: u8, source: &mut Source, name: &Path) -> Result<()> {
        if byte == b'\r' && source.look(name)? == Some(b'\n') {
            source.next(name)?;
        }
        Ok(())
    }

    /// Parses the value of a field as component `i`.
    fn value(&self, field: &[u8], i: usize) -> Result<Tensor> {
        let Some(&dtype) = self.types.get(i) else {
            return Err(Error::invalid(format!("Expect {} fields but have more in record", self.types.len())));
        };
        if field.is_empty() || field == self.missing {
            return match self.defaults[i].num_elements() {
                1 => self.defaults[i].clone().reshaped(Shape::scalar()),
                _ => Err(Error::invalid(format!("Field {i} is required but missing in record!"))),
            };
        }
        fn number<T: Element + Parse>(field: &[u8], i: usize, dtype: &str) -> Result<Tensor> {
            T::parse(field).map(Tensor::scalar).ok_or_else(|| {
                let field = String::from_utf8_lossy(field);
                Error::invalid(format!("Field {i} in record is not a valid {dtype}: {field}"))
            })
        }
        match dtype {
            DType::I32 => number::<i32>(field, i, "int32"),
            DType::I64 => number::<i64>(field, i, "int64"),
            DType::F32 => number::<f32>(field, i, "float"),
            DType::F64 => number::<f64>(field, i, "double"),
            DType::Str => Ok(Tensor::scalar(Bytes::copy_from_slice(field))),
            other => Err(Error::invalid(format!("csv: data type {other} not supported in field {i}"))),
        }
    }
}
