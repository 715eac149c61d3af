//! The cache of `CacheDataset` with a file name: elements in a file.
//!
//! The file is a checkpoint, as in TensorFlow. The first iterator that reaches the end of the dataset completes it;
//! until then its elements are in a temporary file, and a lock file tells others that it is being written.

use crate::dataset::{Dataset, Setup, Source, Tuple};
use crate::encoding::{decode, encode};
use crate::iter::{Iter, Next, Turn};
use crate::position::{Saved, Saver, broken};
use crate::prelude::*;
use levada_checkpoint::reader::Open;
use levada_checkpoint::{Reader, Writer, index_path, merge};
use levada_kernel::Files;
use levada_kernel::files::failed;
use std::fs::{self, OpenOptions};
use std::path::PathBuf;
use std::sync::Arc;
use std::task::{Poll, ready};

/// Maximum number of elements in a file.
const MOST: u64 = 10_000_000;

/// A dataset cached in a file.
pub(crate) struct FileCache {
    source: Source,
    place: Arc<Place>,
}

struct Place {
    /// Prefix of its file names, as given.
    name: String,
    files: Files,
    components: usize,
}

impl FileCache {
    pub(crate) fn new(source: Source, name: &[u8], files: Files) -> FileCache {
        let name = String::from_utf8_lossy(name).into_owned();
        let place = Place { name, files, components: source.types.len() };
        FileCache { source, place: Arc::new(place) }
    }
}

impl Place {
    /// The resolved name with a suffix.
    fn path(&self, suffix: &str) -> Result<PathBuf> {
        self.files.resolve(format!("{}{suffix}", self.name))
    }

    fn shard(&self, shard: u64) -> Result<PathBuf> {
        self.path(&format!("_{shard}"))
    }

    fn lock(&self, shard: u64) -> Result<PathBuf> {
        self.path(&format!("_{shard}.lockfile"))
    }

    fn is_complete(&self) -> Result<bool> {
        Ok(index_path(&self.path("")?).exists())
    }

    /// The name of a component in the checkpoint.
    fn key(&self, element: u64, component: usize) -> String {
        let digits = self.components.to_string().len();
        format!("{element:>7}_{component:>digits$}")
    }

    fn open(&self) -> Result<Reader> {
        let files = self.files.clone();
        let open: Open = Arc::new(move |path| files.open(path));
        Reader::open_with(self.path("")?, open)
    }
}

impl Dataset for FileCache {
    fn kind(&self) -> &'static str {
        "FileCache"
    }

    fn cardinality(&self) -> i64 {
        self.source.cardinality()
    }

    fn iterator(&self, setup: Setup) -> Result<Box<dyn Iter>> {
        let state = match self.place.is_complete()? {
            true => State::Reads(self.place.open()?),
            false => State::Writes(Writing::new(setup.make(&self.source)?)),
        };
        Ok(Box::new(FileCacheIter { place: self.place.clone(), next: 0, state }))
    }
}

enum State {
    /// Returns the elements in the file.
    Reads(Reader),
    /// Returns the elements of the input and writes them.
    Writes(Writing),
    /// Everything is written.
    Ended,
}

struct Writing {
    input: Box<dyn Iter>,
    /// Number of temporary files written, which are merged in the end.
    shards: u64,
    writer: Option<Writer>,
    /// Lock file of the file being written; removed when this is dropped.
    lock: Option<PathBuf>,
}

impl Drop for Writing {
    fn drop(&mut self) {
        if let Some(lock) = self.lock.take() {
            // A lock file that cannot be removed is reported by the next iterator that finds it.
            let _ = fs::remove_file(lock);
        }
    }
}

impl Writing {
    fn new(input: Box<dyn Iter>) -> Writing {
        Writing { input, shards: 0, writer: None, lock: None }
    }

    /// Starts writing, unless already started.
    fn begin(&mut self, place: &Place) -> Result<()> {
        if self.lock.is_some() {
            return Ok(());
        }
        let (shard, lock) = (place.shard(self.shards)?, place.lock(self.shards)?);
        if index_path(&shard).exists() {
            return Err(Error::already_exists(format!(
                "Existing cache files found: {}. To continue delete them.",
                index_path(&shard).display()
            )));
        }
        match OpenOptions::new().write(true).create_new(true).open(&lock) {
            Ok(_) => self.lock = Some(lock),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                return Err(Error::already_exists(format!(
                    "There appears to be a concurrent caching iterator running - cache lockfile already exists \
                     ('{}'). If you are sure no other running computations are using this cache prefix, delete the \
                     lockfile and re-initialize the iterator.",
                    lock.display()
                )));
            }
            Err(error) => return Err(failed(&lock, &error)),
        }
        self.writer = Some(Writer::create(shard)?);
        Ok(())
    }

    /// Finishes the file being written. Its lock stays until all files are merged.
    fn end_shard(&mut self) -> Result<()> {
        if let Some(writer) = self.writer.take() {
            writer.finish()?;
            self.lock = None;
            self.shards += 1;
        }
        Ok(())
    }

    fn end(&mut self, place: &Place) -> Result<()> {
        self.end_shard()?;
        let shards = (0..self.shards).map(|shard| place.shard(shard)).collect::<Result<Vec<PathBuf>>>()?;
        merge(&shards, &place.path("")?, false)?;
        for shard in 0..self.shards {
            let _ = fs::remove_file(place.lock(shard)?);
        }
        Ok(())
    }
}

struct FileCacheIter {
    place: Arc<Place>,
    /// Index of the next element.
    next: u64,
    state: State,
}

impl FileCacheIter {
    fn read(&mut self) -> Result<Option<Tuple>> {
        let State::Reads(reader) = &self.state else { return Ok(None) };
        if !reader.contains(&self.place.key(self.next, 0)) {
            return Ok(None);
        }
        let components = (0..self.place.components).map(|i| reader.read(&self.place.key(self.next, i)));
        let element = decode(&components.collect::<Result<Vec<Tensor>>>()?, &self.place.files, 0)?;
        self.next += 1;
        Ok(Some(element))
    }
}

impl Iter for FileCacheIter {
    fn poll(&mut self, turn: &mut Turn<'_>) -> Next {
        let State::Writes(writing) = &mut self.state else { return Poll::Ready(self.read()) };
        writing.begin(&self.place)?;
        let Some(element) = ready!(writing.input.poll(turn))? else {
            writing.end(&self.place)?;
            self.state = State::Ended;
            return Poll::Ready(Ok(None));
        };
        if self.next >= MOST {
            return Poll::Ready(Err(Error::invalid(format!(
                "Upstream iterator is producing more than {MOST} items, which is more than the cache limit."
            ))));
        }
        if element.len() != self.place.components {
            return Poll::Ready(Err(Error::internal("Upstream iterator returned invalid number of tensors.")
                .expected(self.place.components)
                .found(element.len())));
        }
        if let Some(writer) = &mut writing.writer {
            for (i, component) in encode(&element, 0)?.iter().enumerate() {
                writer.add(&self.place.key(self.next, i), component)?;
            }
        }
        self.next += 1;
        Poll::Ready(Ok(Some(element)))
    }

    fn save(&mut self, turn: &mut Turn<'_>, to: &mut Saver) -> Poll<Result<()>> {
        match &mut self.state {
            State::Reads(_) | State::Ended => {
                to.int(matches!(self.state, State::Ended));
                to.int(self.next as i64);
                Poll::Ready(Ok(()))
            }
            State::Writes(writing) => {
                let mut input = Saver::default();
                ready!(writing.input.save(turn, &mut input))?;
                writing.end_shard()?;
                to.int(2);
                to.int(self.next as i64);
                to.int(writing.shards as i64);
                to.nested(input);
                Poll::Ready(Ok(()))
            }
        }
    }

    fn restore(&mut self, from: &mut Saved) -> Result<()> {
        let (state, next) = (from.int()?, from.int()? as u64);
        self.next = next;
        match (state, &mut self.state) {
            (1, _) => self.state = State::Ended,
            // If everything has been written in the meantime, the file has the same elements.
            (0 | 2, State::Reads(_)) => {}
            (2, State::Writes(writing)) => {
                writing.shards = from.int()? as u64;
                return writing.input.restore(&mut from.nested()?);
            }
            (0, _) => {
                return Err(Error::not_found(format!(
                    "the cache {} that the iterator was reading from does not exist",
                    self.place.name
                ))
                .help("restore it with the checkpoint, or begin at the first element"));
            }
            _ => return Err(broken()),
        }
        Ok(())
    }
}
