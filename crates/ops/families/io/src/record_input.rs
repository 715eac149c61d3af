//! `RecordInput`: an endless stream of file records in random order.

use crate::prelude::*;
use levada_kernel::Files;
use levada_ops_core::philox::{Philox, Singles};
use levada_records::{Compression, Reader};
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

attrs! {
    /// Returns the next `batch_size` records of the TFRecord files matching a pattern, in random order; every record is
    /// returned once per epoch.
    pub struct RecordInput {
        /// Comma-separated glob patterns of the files.
        pattern: Bytes = Attr::string("file_pattern"),
        /// Seed of the random order.
        seed: i64 = Attr::int("file_random_seed").or_int(301),
        /// Fraction of the shuffled files that is moved from the front to the end of the reading order.
        shift: f32 = Attr::float("file_shuffle_shift_ratio").or_float(0.0),
        /// Number of records buffered for random sampling.
        buffer: i64 = Attr::int("file_buffer_size").or_int(10_000),
        /// Number of files read in turn.
        parallelism: i64 = Attr::int("file_parallelism").or_int(16),
        /// Number of records to return.
        batch: i64 = Attr::int("batch_size").or_int(32),
        /// `ZLIB`, `GZIP`, or empty for uncompressed files.
        compression: Bytes = Attr::string("compression_type").or_str(""),
    }
}

pub static RECORD_INPUT: Def<RecordInput> = op("RecordInput")
    .outputs(&[arg("records", is(DType::Str))])
    .effect(Effect::Own)
    .shape(|op: &RecordInput, cx| {
        cx.output_vector(0, usize::try_from(op.batch).ok());
        Ok(())
    })
    .kernel(next_batch)
    .heavy();

type Source = Reader<Box<dyn Read + Send>>;

/// The remainder of an epoch.
struct Records {
    epoch: u64,
    lots: Singles,
    /// Files not yet opened.
    files: VecDeque<PathBuf>,
    /// Files being read in turn.
    open: VecDeque<Source>,
    buffer: Vec<Bytes>,
    /// Whether this epoch has returned a record.
    gave_any: bool,
    /// The error reading failed with, which every later read returns.
    failed: Option<Error>,
}

fn next_batch(op: &RecordInput, cx: &mut Cx<'_, '_>) -> Result<()> {
    let wrong =
        |name: &'static str, value: i64| Error::invalid(format!("{name} must not be negative")).attr(name).found(value);
    let batch = usize::try_from(op.batch).map_err(|_| wrong("batch_size", op.batch))?;
    if op.parallelism < 0 {
        return Err(wrong("file_parallelism", op.parallelism));
    }
    let compression =
        String::from_utf8_lossy(&op.compression).parse().map_err(|error: Error| error.attr("compression_type"))?;
    let records = cx.node_state(|| Mutex::new(Records::new(op)))?;
    let mut records = records.lock();
    cx.produce::<Bytes>(0, &Shape::new([batch])?, |cx, out| {
        for out in out {
            cx.step().check()?;
            *out = records.next(op, &cx.env().files, compression)?;
        }
        Ok(())
    })
}

impl Records {
    fn new(op: &RecordInput) -> Records {
        Records {
            epoch: 0,
            lots: Philox::seeded(op.seed as u64, 0).singles(),
            files: VecDeque::new(),
            open: VecDeque::new(),
            buffer: Vec::new(),
            gave_any: true,
            failed: None,
        }
    }

    fn next(&mut self, op: &RecordInput, files: &Files, compression: Compression) -> Result<Bytes> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let record = self.draw(op, files, compression);
        self.failed = record.as_ref().err().cloned();
        record
    }

    fn draw(&mut self, op: &RecordInput, files: &Files, compression: Compression) -> Result<Bytes> {
        let size = usize::try_from(op.buffer).unwrap_or(0).max(1);
        loop {
            while self.buffer.len() < size && self.read(op, files, compression)? {}
            if !self.buffer.is_empty() {
                self.gave_any = true;
                let place = self.lots.below_u64(self.buffer.len() as u64) as usize;
                return Ok(self.buffer.swap_remove(place));
            }
            if !self.gave_any {
                return Err(Error::not_found(format!("the files at {} hold no records", pattern(op))));
            }
            self.begin(op, files)?;
        }
    }

    /// Starts the next epoch.
    fn begin(&mut self, op: &RecordInput, files: &Files) -> Result<()> {
        self.epoch += 1;
        self.gave_any = false;
        let mut found = Vec::new();
        for part in pattern(op).split(',') {
            found.extend(files.matching(Path::new(part))?);
        }
        if found.is_empty() {
            return Err(Error::not_found(format!("Found no files at {}", pattern(op))));
        }
        self.lots = Philox::seeded(op.seed as u64, self.epoch).singles();
        for i in (1..found.len()).rev() {
            found.swap(i, self.lots.below_u64(i as u64 + 1) as usize);
        }
        if (0.0..1.0).contains(&op.shift) {
            let shift = (op.shift * found.len() as f32) as usize;
            found.rotate_left(shift);
        }
        self.files = found.into();
        Ok(())
    }

    /// Reads one record into the buffer; returns false at the end of the epoch.
    fn read(&mut self, op: &RecordInput, files: &Files, compression: Compression) -> Result<bool> {
        let turns = usize::try_from(op.parallelism).unwrap_or(0).max(1);
        loop {
            while self.open.len() < turns
                && let Some(path) = self.files.pop_front()
            {
                let file: BufReader<File> = BufReader::new(files.open(&path)?);
                self.open.push_back(Reader::new(file, compression));
            }
            let Some(mut source) = self.open.pop_front() else { return Ok(false) };
            if let Some(record) = source.read()? {
                self.open.push_back(source);
                self.buffer.push(Bytes::from(record));
                return Ok(true);
            }
        }
    }
}

fn pattern(op: &RecordInput) -> String {
    String::from_utf8_lossy(&op.pattern).into_owned()
}
