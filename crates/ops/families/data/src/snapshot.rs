//! Datasets in directories, as TensorFlow has them: `snapshot.metadata`, and for each run a directory with one for each shard, in
//! which files of records have the components of elements, one after the other.

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

/// The version of the layout in which elements are records.
const VERSION: u64 = 2;
/// The most shards that are written at a time.
const MOST_SHARDS: usize = 512;

/// How the records are compressed.
///
/// # Errors
/// `INVALID_ARGUMENT` for an unknown name, `UNIMPLEMENTED` for one that is not supported.
pub(crate) fn compression(name: &[u8]) -> Result<Compression> {
    String::from_utf8_lossy(name).parse()
}

/// What `snapshot.metadata` says.
#[derive(Debug)]
pub(crate) struct Metadata {
    /// Name of the run's directory.
    run: String,
    dtypes: Vec<DType>,
    /// How many elements there are, where that is known.
    pub(crate) elements: i64,
}

fn varint(to: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

impl Metadata {
    /// What `directory` holds.
    ///
    /// # Errors
    /// `NOT_FOUND` where there is nothing, `DATA_LOSS` where it is corrupt.
    pub(crate) fn read(files: &Files, directory: &str) -> Result<Metadata> {
        let path = Path::new(directory).join("snapshot.metadata");
        let bytes = files.read(&path).map_err(|error| match error.code() {
            Code::NotFound => Error::not_found(format!("Could not find metadata file [{}]", path.display())),
            _ => error,
        })?;
        let corrupt = || Error::data_loss(format!("{} is corrupt", path.display()));
        let (mut run, mut dtypes, mut elements, mut version) = (String::new(), Vec::new(), UNKNOWN, 0);
        for (number, values) in crate::options::fields(&bytes).ok_or_else(corrupt)? {
            for value in values {
                match number {
                    2 => run = String::from_utf8_lossy(value.content).into_owned(),
                    4 => version = value.number,
                    5 => {
                        for &dtype in value.content {
                            dtypes.push(DType::from_number(i32::from(dtype)).ok_or_else(corrupt)?);
                        }
                    }
                    6 => elements = value.number as i64,
                    _ => {}
                }
            }
        }
        if version != VERSION {
            return Err(Error::unimplemented(format!("a dataset that was written in the layout of version {version}"))
                .expected(format!("version {VERSION}"))
                .help("write it without compression by snappy"));
        }
        if run.is_empty() || run.contains(['/', '\\']) || run.starts_with('.') {
            return Err(corrupt());
        }
        Ok(Metadata { run, dtypes, elements })
    }

    fn write(&self, files: &Files, directory: &str, ended: bool) -> Result<()> {
        let mut bytes = vec![2 << 3 | 2];
        varint(&mut bytes, self.run.len() as u64);
        bytes.extend_from_slice(self.run.as_bytes());
        bytes.push(3 << 3);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_micros() as u64);
        varint(&mut bytes, now);
        bytes.extend([4 << 3, VERSION as u8, 5 << 3 | 2]);
        varint(&mut bytes, self.dtypes.len() as u64);
        bytes.extend(self.dtypes.iter().map(|dtype| dtype.number() as u8));
        bytes.push(6 << 3);
        varint(&mut bytes, self.elements as u64);
        if ended {
            // Field 1000.
            bytes.extend([0xc0, 0x3e, 1]);
        }
        let path = Path::new(directory).join("snapshot.metadata");
        let whole = files.resolve(&path)?;
        let part = whole.with_extension("metadata.tmp");
        // Whoever reads it meanwhile finds the old one or the new one.
        let made = whole.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&part, bytes));
        made.and_then(|()| fs::rename(&part, &whole)).map_err(|error| failed(&path, &error))
    }

    /// Checks that elements are of these dtypes.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` where they are not.
    pub(crate) fn check(&self, types: &[DType]) -> Result<()> {
        if self.dtypes.is_empty() || self.dtypes == types {
            return Ok(());
        }
        Err(Error::invalid("the dataset was saved with elements of other dtypes")
            .expected(format!("{types:?}"))
            .found(format!("{:?}", self.dtypes)))
    }

    /// The directories of its shards, in their order.
    ///
    /// # Errors
    /// Where they cannot be listed.
    pub(crate) fn shards(&self, files: &Files, directory: &str) -> Result<Vec<PathBuf>> {
        let run = Path::new(directory).join(&self.run);
        let mut names: Vec<_> = files.list(&run)?;
        names.retain(|name| Path::new(name).extension().is_some_and(|extension| extension == "shard"));
        names.sort();
        Ok(names.into_iter().map(|name| run.join(name)).collect())
    }
}

/// Writes elements to shards of a directory.
pub(crate) struct Saving {
    files: Files,
    directory: String,
    compression: Compression,
    metadata: Metadata,
    shards: BTreeMap<i64, Writer<File>>,
}

impl Saving {
    /// # Errors
    /// Where nothing can be written there.
    pub(crate) fn begin(files: &Files, directory: &str, compression: Compression, types: &[DType]) -> Result<Saving> {
        let run = crate::philox::entropy().to_string();
        let metadata = Metadata { run, dtypes: types.to_vec(), elements: 0 };
        metadata.write(files, directory, false)?;
        let (files, directory) = (files.clone(), directory.to_owned());
        Ok(Saving { files, directory, compression, metadata, shards: BTreeMap::new() })
    }

    /// Adds an element to a shard.
    ///
    /// # Errors
    /// `UNIMPLEMENTED` for what no file can hold, and what writing fails with.
    pub(crate) fn add(&mut self, shard: i64, element: &[Tensor]) -> Result<()> {
        if !self.shards.contains_key(&shard) {
            if shard < 0 {
                return Err(Error::invalid("the number of a shard is negative").found(shard));
            }
            if self.shards.len() >= MOST_SHARDS {
                return Err(Error::resource_exhausted("a dataset is saved in too many shards")
                    .expected(format!("at most {MOST_SHARDS}")));
            }
            let name = format!("{}/{}/{shard:08}.shard", self.directory, self.metadata.run);
            let directory = self.files.resolve(&name)?;
            let path = directory.join("00000000.snapshot");
            let made = fs::create_dir_all(&directory).and_then(|()| File::create(&path));
            let file = made.map_err(|error| failed(&path, &error))?;
            self.shards.insert(shard, Writer::new(file, self.compression));
        }
        if let Some(writer) = self.shards.get_mut(&shard) {
            for component in encode(element, 0)? {
                writer.write(&write::tensor_to_pb(&component)?)?;
            }
        }
        self.metadata.elements += 1;
        Ok(())
    }

    /// Ends the files, and says that all is there.
    ///
    /// # Errors
    /// What writing fails with.
    pub(crate) fn end(&mut self) -> Result<()> {
        for writer in std::mem::take(&mut self.shards).into_values() {
            writer.finish()?.sync_all().map_err(|error| failed(Path::new(&self.directory), &error))?;
        }
        self.metadata.write(&self.files, &self.directory, true)
    }
}

/// The elements of a shard.
pub(crate) struct Shard(Arc<Parts>);

struct Parts {
    directory: PathBuf,
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
        let parts = Parts { directory, files: files.clone(), compression, types: types.to_vec() };
        Source::new(types, shapes, Shard(Arc::new(parts)))
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
        ]);
        true
    }

    fn cardinality(&self) -> i64 {
        UNKNOWN
    }

    fn iterator(&self, _: Setup) -> Result<Box<dyn Iter>> {
        Ok(Box::new(ShardIter { of: self.0.clone(), file: 0, given: 0, open: None }))
    }
}

/// The shard that [`Dataset::encode`] wrote down.
///
/// # Errors
/// `DATA_LOSS` where it was none.
pub(crate) fn decode_shard(
    types: &[DType],
    shapes: &[PartialShape],
    from: &mut Saved,
    files: &Files,
) -> Result<Source> {
    let [directory, compression] = &from.element()?[..] else { return Err(broken()) };
    let directory: Bytes = directory.item().map_err(|_| broken())?;
    let compression = [Compression::None, Compression::Zlib, Compression::Gzip]
        .into_iter()
        .find(|kind| compression.item::<i64>().is_ok_and(|number| number == *kind as i64))
        .ok_or_else(broken)?;
    let directory = PathBuf::from(String::from_utf8_lossy(&directory).into_owned());
    Ok(Shard::source(directory, files, compression, types, shapes))
}

struct ShardIter {
    of: Arc<Parts>,
    /// Number of the file that is read, or read next.
    file: u64,
    /// Elements of it that were given.
    given: u64,
    open: Option<Reader<Box<dyn Read + Send>>>,
}

impl Parts {
    /// The next element of a file; `None` at its end.
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
                return Err(Error::data_loss(format!("{} has a component of another dtype", path.display()))
                    .expected(dtype)
                    .found(component.dtype()));
            }
            element.push(component);
        }
        decode(&element, &self.files, 0).map(Some)
    }
}

impl ShardIter {
    /// The next element; `None` at the end of the last file.
    fn next(&mut self) -> Result<Option<Tuple>> {
        loop {
            let path = self.of.directory.join(format!("{:08}.snapshot", self.file));
            if self.open.is_none() {
                if !self.of.files.exists(&path)? {
                    return Ok(None);
                }
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
        to.int(self.file as i64);
        to.int(self.given as i64);
        Poll::Ready(Ok(()))
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        (self.file, self.given) = (from.int()? as u64, from.int()? as u64);
        Ok(())
    }
}
