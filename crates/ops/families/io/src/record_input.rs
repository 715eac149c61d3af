//! `RecordInput`: records of files in random order, again and again.

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
    /// The next `batch_size` records of the TFRecord files that a pattern matches, in random order; all of them before any comes
    /// again.
    pub struct RecordInput {
        /// The files: patterns with commas between them.
        pattern: Bytes = Attr::string("file_pattern"),
        /// The seed of the order.
        seed: i64 = Attr::int("file_random_seed").or_int(301),
        /// The part of the files that is read last instead of first, once they are shuffled.
        shift: f32 = Attr::float("file_shuffle_shift_ratio").or_float(0.0),
        /// How many records are kept to draw from.
        buffer: i64 = Attr::int("file_buffer_size").or_int(10_000),
        /// How many files are read by turns.
        parallelism: i64 = Attr::int("file_parallelism").or_int(16),
        /// How many records to give.
        batch: i64 = Attr::int("batch_size").or_int(32),
        /// `ZLIB`, `GZIP`, or empty for files that are not compressed.
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

/// What is left of an epoch.
struct Records {
    epoch: u64,
    lots: Singles,
    /// Files that are not open yet.
    files: VecDeque<PathBuf>,
    /// Files that are read by turns.
    open: VecDeque<Source>,
    buffer: Vec<Bytes>,
    /// Whether this epoch gave a record.
    gave_any: bool,
    /// What reading failed with; it fails with this ever after.
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

    /// Begins the next epoch.
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

    /// Reads one record into the buffer; false at the end of the epoch.
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
