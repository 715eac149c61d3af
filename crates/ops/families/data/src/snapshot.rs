//! Datasets in directories, in TensorFlow's layout: `snapshot.metadata`, and for each run a directory with one
//! subdirectory per shard, whose files of records hold the components of elements, one after the other.

use crate::dataset::{Dataset, Setup, Source, Tuple, UNKNOWN};
use crate::encoding::{decode, encode};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver, broken};
use crate::prelude::*;
use levada_graph::{read, write};
use levada_kernel::Files;
use levada_kernel::files::failed;
use levada_records::{Compression, Reader, Writer};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::task::Poll;
use std::time::{SystemTime, UNIX_EPOCH};

/// Version of the layout that stores elements as records.
const VERSION: u64 = 2;
/// Maximum number of shards written at a time.
const MOST_SHARDS: usize = 512;

/// Parses the compression of records.
///
/// # Errors
/// `INVALID_ARGUMENT` for an unknown name, `UNIMPLEMENTED` for one that is not supported.
pub(crate) fn compression(name: &[u8]) -> Result<Compression> {
    String::from_utf8_lossy(name).parse()
}

/// The contents of `snapshot.metadata`.
#[derive(Debug)]
pub(crate) struct Metadata {
    /// Name of the run's directory.
    run: String,
    dtypes: Vec<DType>,
    /// The number of elements, if it is known.
    pub(crate) elements: i64,
    /// Fingerprint of the dataset, if several datasets may be written below one directory.
    hash: Option<u64>,
    /// Whether everything has been written.
    pub(crate) finalized: bool,
    /// When the run started, in microseconds.
    pub(crate) began: u64,
}

/// Number of the field that records that everything has been written.
const FINALIZED: u64 = 1000;

/// The current time in microseconds.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_micros() as u64)
}

fn varint(to: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

impl Metadata {
    /// Reads the metadata in `directory`.
    ///
    /// # Errors
    /// `NOT_FOUND` if there is none, `DATA_LOSS` if it is corrupt.
    pub(crate) fn read(files: &Files, directory: &str) -> Result<Metadata> {
        let path = Path::new(directory).join("snapshot.metadata");
        let bytes = files.read(&path).map_err(|error| match error.code() {
            Code::NotFound => Error::not_found(format!("Could not find metadata file [{}]", path.display())),
            _ => error,
        })?;
        let corrupt = || Error::data_loss(format!("{} is corrupt", path.display()));
        let (mut run, mut dtypes, mut elements, mut version) = (String::new(), Vec::new(), UNKNOWN, 0);
        let (mut finalized, mut began) = (false, 0);
        for (number, values) in crate::options::fields(&bytes).ok_or_else(corrupt)? {
            for value in values {
                match number {
                    2 => run = String::from_utf8_lossy(value.content).into_owned(),
                    3 => began = value.number,
                    4 => version = value.number,
                    5 => {
                        for &dtype in value.content {
                            dtypes.push(DType::from_number(i32::from(dtype)).ok_or_else(corrupt)?);
                        }
                    }
                    6 => elements = value.number as i64,
                    FINALIZED => finalized = value.number != 0,
                    _ => {}
                }
            }
        }
        if version != VERSION {
            return Err(Error::unimplemented(format!("a dataset that was written in the layout of version {version}"))
                .expected(format!("version {VERSION}"))
                .help("write it again, with this version of the program or with TensorFlow's SnapshotDatasetV2"));
        }
        if run.is_empty() || run.contains(['/', '\\']) || run.starts_with('.') {
            return Err(corrupt());
        }
        Ok(Metadata { run, dtypes, elements, hash: None, finalized, began })
    }

    fn write(&self, files: &Files, directory: &str, ended: bool) -> Result<()> {
        let mut bytes = Vec::new();
        if let Some(hash) = self.hash {
            let hash = hash.to_string();
            bytes.extend([1 << 3 | 2, hash.len() as u8]);
            bytes.extend_from_slice(hash.as_bytes());
        }
        bytes.push(2 << 3 | 2);
        varint(&mut bytes, self.run.len() as u64);
        bytes.extend_from_slice(self.run.as_bytes());
        bytes.push(3 << 3);
        varint(&mut bytes, self.began);
        bytes.extend([4 << 3, VERSION as u8, 5 << 3 | 2]);
        varint(&mut bytes, self.dtypes.len() as u64);
        bytes.extend(self.dtypes.iter().map(|dtype| dtype.number() as u8));
        bytes.push(6 << 3);
        varint(&mut bytes, self.elements as u64);
        if ended {
            varint(&mut bytes, FINALIZED << 3);
            bytes.push(1);
        }
        let path = Path::new(directory).join("snapshot.metadata");
        let whole = files.resolve(&path)?;
        let part = whole.with_extension("metadata.tmp");
        // A concurrent reader finds either the old metadata or the new one.
        let made = whole.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&part, bytes));
        made.and_then(|()| fs::rename(&part, &whole)).map_err(|error| failed(&path, &error))
    }

    /// Checks that elements have these dtypes.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` otherwise.
    pub(crate) fn check(&self, types: &[DType]) -> Result<()> {
        if self.dtypes.is_empty() || self.dtypes == types {
            return Ok(());
        }
        Err(Error::invalid("the dataset was saved with elements of different dtypes")
            .expected(format!("{types:?}"))
            .found(format!("{:?}", self.dtypes)))
    }

    /// The directory of its run.
    pub(crate) fn run(&self, directory: &str) -> PathBuf {
        Path::new(directory).join(&self.run)
    }

    /// Returns the directories of its shards, in order.
    ///
    /// # Errors
    /// If they cannot be listed.
    pub(crate) fn shards(&self, files: &Files, directory: &str) -> Result<Vec<PathBuf>> {
        let run = self.run(directory);
        let mut names: Vec<_> = files.list(&run)?;
        names.retain(|name| Path::new(name).extension().is_some_and(|extension| extension == "shard"));
        names.sort();
        Ok(names.into_iter().map(|name| run.join(name)).collect())
    }
}

/// Where and how elements are written.
pub(crate) struct Target {
    pub(crate) files: Files,
    pub(crate) directory: String,
    pub(crate) compression: Compression,
    /// Fingerprint of the dataset, for the metadata.
    pub(crate) hash: Option<u64>,
    /// Whether the files of a run are directly in its directory, rather than in those of shards.
    pub(crate) flat: bool,
    /// Size of elements in bytes after which a new file is started.
    pub(crate) file_size: u64,
    /// Name of the run, if it is given.
    pub(crate) run: Option<String>,
}

/// Writes elements to shards in a directory.
pub(crate) struct Saving {
    target: Target,
    metadata: Metadata,
    /// Number of the current files.
    number: u64,
    /// The files, and the size of the elements written to each.
    shards: BTreeMap<i64, (Writer<File>, u64)>,
}

impl Saving {
    /// # Errors
    /// If nothing can be written there.
    pub(crate) fn begin(mut target: Target, types: &[DType]) -> Result<Saving> {
        let run = target.run.take().unwrap_or_else(|| crate::philox::entropy().to_string());
        let saving = Saving::of(target, run, types);
        saving.metadata.write(&saving.target.files, &saving.target.directory, false)?;
        Ok(saving)
    }

    fn of(target: Target, run: String, types: &[DType]) -> Saving {
        let (dtypes, hash) = (types.to_vec(), target.hash);
        let metadata = Metadata { run, dtypes, elements: 0, hash, finalized: false, began: now() };
        Saving { target, metadata, number: 0, shards: BTreeMap::new() }
    }

    /// Adds an element to a shard.
    ///
    /// # Errors
    /// `UNIMPLEMENTED` for values that no file can hold, and errors of writing.
    pub(crate) fn add(&mut self, shard: i64, element: &[Tensor]) -> Result<()> {
        if self.target.flat && self.shards.get(&shard).is_some_and(|(_, bytes)| *bytes > self.target.file_size) {
            self.end_files()?;
        }
        if !self.shards.contains_key(&shard) {
            let file = self.file(shard)?;
            self.shards.insert(shard, (Writer::new(file, self.target.compression), 0));
        }
        if let Some((writer, bytes)) = self.shards.get_mut(&shard) {
            for component in encode(element, 0)? {
                let record = write::tensor_to_pb(&component)?;
                *bytes += record.len() as u64;
                writer.write(&record)?;
            }
        }
        self.metadata.elements += 1;
        Ok(())
    }

    /// Creates a new file of a shard.
    fn file(&self, shard: i64) -> Result<File> {
        if shard < 0 {
            return Err(Error::invalid("the number of a shard is negative").found(shard));
        }
        if self.shards.len() >= MOST_SHARDS {
            return Err(Error::resource_exhausted("a dataset is saved in too many shards")
                .expected(format!("at most {MOST_SHARDS}")));
        }
        let mut directory = self.metadata.run(&self.target.directory);
        if !self.target.flat {
            directory.push(format!("{shard:08}.shard"));
        }
        let directory = self.target.files.resolve(&directory)?;
        let path = directory.join(format!("{:08}.snapshot", self.number));
        let made = fs::create_dir_all(&directory).and_then(|()| File::create(&path));
        made.map_err(|error| failed(&path, &error))
    }

    /// Finishes the current files; further elements go to new ones.
    fn end_files(&mut self) -> Result<()> {
        for (writer, _) in std::mem::take(&mut self.shards).into_values() {
            writer.finish()?.sync_all().map_err(|error| failed(Path::new(&self.target.directory), &error))?;
        }
        self.number += 1;
        Ok(())
    }

    /// Finishes the files and marks the metadata as complete.
    ///
    /// # Errors
    /// Errors of writing.
    pub(crate) fn end(&mut self) -> Result<()> {
        self.end_files()?;
        self.metadata.write(&self.target.files, &self.target.directory, true)
    }

    /// Saves the position, after finishing the files written so far.
    ///
    /// # Errors
    /// Errors of writing.
    pub(crate) fn save(&mut self, to: &mut Saver) -> Result<()> {
        self.end_files()?;
        to.element(&[Tensor::string(self.metadata.run.clone())]);
        to.int(self.number as i64);
        to.int(self.metadata.elements);
        Ok(())
    }

    /// Resumes from a position saved by [`Saving::save`].
    ///
    /// # Errors
    /// `DATA_LOSS` if the data is invalid, and errors of reading the directory.
    pub(crate) fn restore(target: Target, types: &[DType], from: &mut Saved) -> Result<Saving> {
        let [run] = &from.element()?[..] else { return Err(broken()) };
        let run: Bytes = run.item().map_err(|_| broken())?;
        let run = String::from_utf8_lossy(&run).into_owned();
        if run.is_empty() || run.contains(['/', '\\']) || run.starts_with('.') {
            return Err(broken());
        }
        let mut saving = Saving::of(target, run, types);
        (saving.number, saving.metadata.elements) = (from.int()? as u64, from.int()?);
        Ok(saving)
    }
}

/// The elements of a shard.
pub(crate) struct Shard(Arc<Parts>);

struct Parts {
    /// A directory of files, or a file.
    directory: PathBuf,
    /// Number of elements to skip.
    start: u64,
    /// Whether the files are read in random order.
    shuffled: bool,
    files: Files,
    compression: Compression,
    types: Vec<DType>,
}

impl Shard {
    pub(crate) fn source(
        directory: PathBuf,
        files: &Files,
        compression: Compression,
        types: &[DType],
        shapes: &[PartialShape],
    ) -> Source {
        Source::new(types, shapes, Shard::new(directory, 0, files, compression, types))
    }

    /// Returns the elements of the files in a directory, or of a file, starting at element `start`.
    pub(crate) fn new(
        directory: PathBuf,
        start: u64,
        files: &Files,
        compression: Compression,
        types: &[DType],
    ) -> Shard {
        let types = types.to_vec();
        Shard(Arc::new(Parts { directory, start, shuffled: false, files: files.clone(), compression, types }))
    }

    /// Returns the same elements, file by file in random order.
    pub(crate) fn shuffled(self) -> Shard {
        let Parts { directory, start, files, compression, types, .. } = &*self.0;
        let (directory, files, types) = (directory.clone(), files.clone(), types.clone());
        Shard(Arc::new(Parts { directory, start: *start, shuffled: true, files, compression: *compression, types }))
    }
}

impl Dataset for Shard {
    fn kind(&self) -> &'static str {
        "SnapshotDatasetReader"
    }

    fn encode(&self, to: &mut Saver) -> bool {
        to.element(&[
            Tensor::string(self.0.directory.to_string_lossy().into_owned()),
            Tensor::scalar(self.0.compression as i64),
            Tensor::scalar(self.0.start as i64),
        ]);
        !self.0.shuffled
    }

    fn cardinality(&self) -> i64 {
        UNKNOWN
    }

    fn iterator(&self, _: Setup) -> Result<Box<dyn Iter>> {
        let names = self.0.names()?;
        let mut iter = ShardIter { of: self.0.clone(), names, file: 0, given: 0, open: None };
        for _ in 0..self.0.start {
            iter.next()?;
        }
        Ok(Box::new(iter))
    }
}

/// Restores a shard written by [`Dataset::encode`].
///
/// # Errors
/// `DATA_LOSS` if the data is invalid.
pub(crate) fn decode_shard(
    types: &[DType],
    shapes: &[PartialShape],
    from: &mut Saved,
    files: &Files,
) -> Result<Source> {
    let [directory, compression, start] = &from.element()?[..] else { return Err(broken()) };
    let directory: Bytes = directory.item().map_err(|_| broken())?;
    let start = start.item::<i64>().map_err(|_| broken())?.max(0) as u64;
    let compression = [Compression::None, Compression::Zlib, Compression::Gzip, Compression::Snappy]
        .into_iter()
        .find(|kind| compression.item::<i64>().is_ok_and(|number| number == *kind as i64))
        .ok_or_else(broken)?;
    let directory = PathBuf::from(String::from_utf8_lossy(&directory).into_owned());
    Ok(Source::new(types, shapes, Shard::new(directory, start, files, compression, types)))
}

struct ShardIter {
    of: Arc<Parts>,
    /// Names of its files, in the order in which they are read; one empty name for a file that is not in a directory.
    names: Vec<String>,
    /// The current file, or the next one if none is open.
    file: usize,
    /// Number of its elements returned so far.
    given: u64,
    open: Option<Reader<Box<dyn Read + Send>>>,
}

impl Parts {
    /// Returns the names of the files.
    fn names(&self) -> Result<Vec<String>> {
        if !self.files.resolve(&self.directory)?.is_dir() {
            return Ok(vec![String::new()]);
        }
        let names = self.files.list(&self.directory)?.into_iter().filter_map(|name| name.into_string().ok());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(".snapshot")).collect();
        names.sort();
        if self.shuffled {
            for i in 1..names.len() {
                names.swap(i, (crate::philox::entropy() % (i as u64 + 1)) as usize);
            }
        }
        Ok(names)
    }

    /// Returns the next element of a file; `None` at its end.
    fn element(&self, reader: &mut Reader<Box<dyn Read + Send>>, path: &Path) -> Result<Option<Tuple>> {
        let mut element = Tuple::new();
        for &dtype in &self.types {
            let Some(record) = reader.read()? else {
                return match element.is_empty() {
                    true => Ok(None),
                    false => Err(Error::data_loss(format!("{} ends within an element", path.display()))),
                };
            };
            let component = read::tensor_from_pb(&record)?;
            if component.dtype() != dtype {
                return Err(Error::data_loss(format!("{} has a component of a different dtype", path.display()))
                    .expected(dtype)
                    .found(component.dtype()));
            }
            element.push(component);
        }
        decode(&element, &self.files, 0).map(Some)
    }
}

impl ShardIter {
    /// Returns the next element; `None` at the end of the last file.
    fn next(&mut self) -> Result<Option<Tuple>> {
        loop {
            let path = match self.names.get(self.file) {
                None => return Ok(None),
                Some(name) if name.is_empty() => self.of.directory.clone(),
                Some(name) => self.of.directory.join(name),
            };
            if self.open.is_none() {
                let file: Box<dyn Read + Send> = Box::new(BufReader::new(self.of.files.open(&path)?));
                let mut reader = Reader::new(file, self.of.compression);
                for _ in 0..self.given {
                    self.of.element(&mut reader, &path)?;
                }
                self.open = Some(reader);
            }
            let Some(reader) = &mut self.open else { return Ok(None) };
            if let Some(element) = self.of.element(reader, &path)? {
                self.given += 1;
                return Ok(Some(element));
            }
            (self.file, self.given, self.open) = (self.file + 1, 0, None);
        }
    }
}

impl Iter for ShardIter {
    fn poll(&mut self, _: &mut Turn<'_>) -> Next {
        Poll::Ready(self.next())
    }

    fn save(&mut self, _: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        let names = self.names.iter().map(|name| Bytes::from(name.clone())).collect();
        to.element(&[Tensor::from_vec(Shape::new([self.names.len()])?, names)?]);
        to.count(self.file);
        to.int(self.given as i64);
        Poll::Ready(Ok(()))
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        let [names] = &from.element()?[..] else { return Err(broken()) };
        let names = names.slice::<Bytes>().map_err(|_| broken())?;
        self.names = names.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        if self.names.iter().any(|name| name.contains(['/', '\\'])) {
            return Err(broken());
        }
        (self.file, self.given, self.open) = (from.count()?, from.int()? as u64, None);
        Ok(())
    }
}
