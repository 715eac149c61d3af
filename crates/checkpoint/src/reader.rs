//! Reads a checkpoint: its contents, and tensors, whole or in parts.

use crate::codec::{Location, decode};
use crate::element::Element;
use crate::files::{data_path, failed, index_path, read_at};
use crate::objects::{self, Objects};
use crate::old::Old;
use crate::ordered::slice_key;
use crate::proto::{BundleEntry, Header, TensorShape};
use crate::slice::{Overlap, Slice};
use crate::source::{Stored, missing};
use crate::table;
use bytes::Bytes;
use levada_graph::{DType, Error, Result, Shape, Tensor};
use prost::Message;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Opens a file, if access is allowed.
pub type Open = Arc<dyn Fn(&Path) -> Result<File> + Send + Sync>;

/// Opens any file.
pub fn any_file() -> Open {
    Arc::new(|path| File::open(path).map_err(|e| failed(path, &e)))
}

/// A tensor of a checkpoint.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Its element type.
    pub dtype: DType,
    /// Its shape.
    pub shape: Shape,
    /// The parts that it is stored in; none if it is stored whole.
    pub slices: Vec<Slice>,
}

/// An open checkpoint. Only the index is in memory; a tensor's data is read on demand.
pub struct Reader {
    prefix: PathBuf,
    tensors: BTreeMap<String, BundleEntry>,
    source: Source,
    /// The object graph, once it has been requested.
    objects: OnceLock<Objects>,
}

enum Source {
    Bundle(Bundle),
    Old(Old),
}

/// A checkpoint of an index and data files.
struct Bundle {
    parts: BTreeMap<Bytes, Bytes>,
    big_endian: bool,
    open: Open,
    /// The data files and their lengths, once they have been needed.
    shards: Vec<OnceLock<(File, u64)>>,
}

fn lost(what: impl Into<String>) -> Error {
    Error::data_loss(what)
}

/// A table's entries for a checkpoint, each of its tensors, and parts of tensors.
pub(crate) struct Index {
    pub header: Header,
    pub tensors: BTreeMap<String, BundleEntry>,
    pub parts: BTreeMap<Bytes, Bytes>,
}

impl Index {
    pub(crate) fn read(file: &Bytes) -> Result<Index> {
        let (mut header, mut tensors, mut parts) = (None, BTreeMap::new(), BTreeMap::new());
        for (key, value) in table::read(file)? {
            match key.first() {
                None => header = Some(Header::decode(value).map_err(|e| lost(format!("its header: {e}")))?),
                // The prefix of the keys of parts.
                Some(0) => drop(parts.insert(key, value)),
                Some(_) => {
                    let name = String::from_utf8_lossy(&key).into_owned();
                    let entry = BundleEntry::decode(value).map_err(|e| lost(format!("the entry of {name}: {e}")))?;
                    tensors.insert(name, entry);
                }
            }
        }
        let header = header.ok_or_else(|| lost("the checkpoint has no header"))?;
        match header.version.as_ref().map_or(0, |v| v.min_consumer) {
            ..=1 => Ok(Index { header, tensors, parts }),
            newer => Err(Error::unimplemented(format!("the checkpoint is for readers of version {newer} and later"))),
        }
    }
}

/// The bytes of a file.
pub(crate) fn contents(open: &Open, path: &Path) -> Result<Bytes> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes).map_err(|e| failed(path, &e))?;
    Ok(bytes.into())
}

/// True for a file with a table footer.
fn is_table(open: &Open, path: &Path) -> bool {
    let mut end = [0; table::FOOTER];
    let read = |file: File| {
        let at = file.metadata().ok()?.len().checked_sub(end.len() as u64)?;
        read_at(&file, &mut end, at).ok()
    };
    open(path).ok().and_then(read).is_some() && table::is_table(&end)
}

pub(crate) fn shape_of(proto: Option<&TensorShape>) -> Result<Shape> {
    let sizes: Vec<i64> = proto.map_or_else(Vec::new, |s| s.dim.iter().map(|d| d.size).collect());
    if proto.is_some_and(|s| s.unknown_rank) {
        return Err(lost("an unknown shape"));
    }
    Shape::from_signed(&sizes).map_err(|e| lost(format!("an invalid shape: {}", e.message())))
}

impl Reader {
    /// Opens the checkpoint with this prefix, or a file of the previous format.
    ///
    /// # Errors
    /// `NOT_FOUND` if there is none, `DATA_LOSS` if it is corrupt.
    pub fn open(prefix: impl AsRef<Path>) -> Result<Reader> {
        Reader::open_with(prefix, any_file())
    }

    /// As [`Reader::open`], through a function that opens files.
    ///
    /// # Errors
    /// As [`Reader::open`], and the errors of the function.
    pub fn open_with(prefix: impl AsRef<Path>, open: Open) -> Result<Reader> {
        let prefix = prefix.as_ref();
        let path = index_path(prefix);
        let file = match contents(&open, &path) {
            Ok(file) => file,
            Err(error) if error.code() == levada_graph::Code::NotFound => {
                return match is_table(&open, prefix) {
                    true => Reader::old(prefix, vec![contents(&open, prefix)?]),
                    false => Err(Error::not_found(format!(
                        "Unsuccessful TensorSliceReader constructor: Failed to find any matching files for {}",
                        prefix.display()
                    ))
                    .help("give the checkpoint's prefix: the name of its .index file without .index")),
                };
            }
            Err(error) => return Err(error),
        };
        let in_file = |e: Error| e.in_file(&path.display().to_string());
        let Index { header, tensors, parts } = Index::read(&file).map_err(in_file)?;
        let count = usize::try_from(header.num_shards).ok().filter(|n| *n <= 1 << 20);
        let count = count.ok_or_else(|| in_file(lost(format!("a checkpoint of {} files", header.num_shards))))?;
        let shards = (0..count).map(|_| OnceLock::new()).collect();
        let bundle = Bundle { parts, big_endian: header.endianness == 1, open, shards };
        Ok(Reader { prefix: prefix.to_owned(), tensors, source: Source::Bundle(bundle), objects: OnceLock::new() })
    }

    /// Opens files of the previous format, which make up one checkpoint.
    ///
    /// # Errors
    /// As [`Reader::open`].
    pub fn open_old(paths: &[PathBuf], open: &Open) -> Result<Reader> {
        let files = paths.iter().map(|path| contents(open, path)).collect::<Result<_>>()?;
        Reader::old(paths.first().map_or(Path::new(""), PathBuf::as_path), files)
    }

    fn old(path: &Path, files: Vec<Bytes>) -> Result<Reader> {
        let (old, tensors) = Old::read(&files).map_err(|e| e.in_file(&path.display().to_string()))?;
        Ok(Reader { prefix: path.to_owned(), tensors, source: Source::Old(old), objects: OnceLock::new() })
    }

    /// The prefix of its files.
    pub fn prefix(&self) -> &Path {
        &self.prefix
    }

    /// Number of its data files.
    pub fn shards(&self) -> usize {
        match &self.source {
            Source::Bundle(bundle) => bundle.shards.len(),
            Source::Old(old) => old.files(),
        }
    }

    /// True for the previous format.
    pub fn is_old(&self) -> bool {
        matches!(self.source, Source::Old(_))
    }

    /// True if its numbers are big endian.
    pub fn is_big_endian(&self) -> bool {
        matches!(&self.source, Source::Bundle(bundle) if bundle.big_endian)
    }

    /// Names of its tensors, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tensors.keys().map(String::as_str)
    }

    /// True if it has a tensor with this name.
    pub fn contains(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }

    /// The index entry of a tensor, even if graphs do not support its type.
    ///
    /// # Errors
    /// `NOT_FOUND` if there is none with this name, `DATA_LOSS` if its entry is corrupt.
    pub fn stored(&self, name: &str) -> Result<Stored> {
        let proto = self.tensors.get(name).ok_or_else(|| missing(self, name))?;
        let element = Element::from_number(proto.dtype).ok_or_else(|| {
            let number = proto.dtype;
            Error::unimplemented(format!("{name} has elements of a type that is not supported, number {number}"))
        })?;
        let in_entry = |e: Error| lost(format!("{name}: {}", e.message()));
        let shape = shape_of(proto.shape.as_ref()).map_err(in_entry)?;
        let slices: Option<Vec<Slice>> = proto.slices.iter().map(Slice::from_proto).collect();
        let slices = slices.ok_or_else(|| lost(format!("{name}: an invalid part")))?;
        slices.iter().try_for_each(|s| s.ranges(&shape).map(drop)).map_err(in_entry)?;
        let bytes = match &self.source {
            Source::Old(old) => slices.iter().map(|slice| old.size(name, slice)).sum(),
            Source::Bundle(_) if slices.is_empty() => u64::try_from(proto.size).unwrap_or(0),
            Source::Bundle(bundle) => slices.iter().map(|slice| bundle.size(name, slice)).sum(),
        };
        Ok(Stored { element, shape, slices, bytes })
    }

    /// The metadata of a tensor.
    ///
    /// # Errors
    /// As [`Reader::stored`]; `UNIMPLEMENTED` for a type that graphs do not support.
    pub fn entry(&self, name: &str) -> Result<Entry> {
        let stored = self.stored(name)?;
        Ok(Entry { dtype: stored.element.dtype(name)?, shape: stored.shape, slices: stored.slices })
    }

    /// The object graph, which checkpoints of TensorFlow 2 have; `None` if there is none.
    ///
    /// # Errors
    /// `DATA_LOSS` if it is corrupt.
    pub fn objects(&self) -> Result<Option<&Objects>> {
        if !self.contains(objects::KEY) {
            return Ok(None);
        }
        if self.objects.get().is_none() {
            let tensor = self.read(objects::KEY)?;
            let decoded = Objects::decode(&tensor.item::<Bytes>()?)?;
            let _ = self.objects.set(decoded);
        }
        Ok(self.objects.get())
    }

    /// The bytes of a tensor whose type graphs do not support, as a vector of uint8: those of its elements in order,
    /// little endian.
    ///
    /// # Errors
    /// As [`Reader::read`]; `UNIMPLEMENTED` if it is stored in parts.
    pub fn read_raw(&self, name: &str) -> Result<Tensor> {
        let stored = self.stored(name)?;
        let size = stored.element.bytes(&stored.shape);
        let (Some(size), Source::Bundle(bundle), true) = (size, &self.source, stored.slices.is_empty()) else {
            return Err(Error::unimplemented(format!("{name} has no bytes of its own to read")));
        };
        let size = usize::try_from(size).map_err(|_| lost(format!("{name} is too large")))?;
        // All of these types take at most a byte.
        bundle.bytes(&self.prefix, self.tensors.get(name), size).map_err(|mut e| {
            e.fault_mut().message = format!("{name}: {}", e.fault().message);
            e
        })
    }

    /// A tensor.
    ///
    /// # Errors
    /// As [`Reader::entry`]; `DATA_LOSS` if its data is corrupt.
    pub fn read(&self, name: &str) -> Result<Tensor> {
        let entry = self.entry(name)?;
        let all = Slice::full(entry.shape.rank());
        self.part(name, entry, &all)
    }

    /// Part of a tensor. Of a tensor stored in parts, only those that overlap it are read.
    ///
    /// # Errors
    /// As [`Reader::read`]; `INVALID_ARGUMENT` if it has no such part.
    pub fn read_slice(&self, name: &str, slice: &Slice) -> Result<Tensor> {
        let entry = self.entry(name)?;
        self.part(name, entry, slice)
    }

    fn part(&self, name: &str, entry: Entry, slice: &Slice) -> Result<Tensor> {
        let named = |mut e: Error| {
            e.fault_mut().message = format!("{name}: {}", e.fault().message);
            e
        };
        let wanted = slice.ranges(&entry.shape).map_err(named)?;
        let shape = slice.shape_in(&entry.shape)?;
        let whole = [Slice::full(entry.shape.rank())];
        let stored = if entry.slices.is_empty() { &whole[..] } else { &entry.slices };
        let mut overlaps = Vec::new();
        for part in stored {
            let ranges = part.ranges(&entry.shape)?;
            if ranges == wanted {
                return self.one_piece(name, &entry, part).map_err(named);
            }
            overlaps.extend(Overlap::of(&ranges, &wanted).map(|overlap| (part, overlap)));
        }
        let covered = overlaps.iter().try_fold(0usize, |sum, (_, overlap)| sum.checked_add(overlap.len()));
        if covered != Some(shape.num_elements()) {
            return Err(lost(format!("{name}: the stored parts do not cover the part {slice}"))
                .expected(format!("{} elements", shape.num_elements()))
                .found(format!("{} elements", covered.unwrap_or(usize::MAX))));
        }
        let mut read = Vec::with_capacity(overlaps.len());
        for (part, overlap) in overlaps {
            read.push((self.one_piece(name, &entry, part).map_err(named)?, overlap));
        }
        let mut tensor = Tensor::try_zeros(entry.dtype, shape).map_err(named)?;
        for (part, overlap) in read {
            overlap.copy(&part, &mut tensor).map_err(named)?;
        }
        Ok(tensor)
    }

    /// Reads a tensor or part that is stored as one piece.
    fn one_piece(&self, name: &str, entry: &Entry, part: &Slice) -> Result<Tensor> {
        let shape = part.shape_in(&entry.shape)?;
        let bundle = match &self.source {
            Source::Old(old) => return old.part(name, entry.dtype, shape, part),
            Source::Bundle(bundle) => bundle,
        };
        if entry.slices.is_empty() {
            return bundle.piece(&self.prefix, self.tensors.get(name), entry.dtype, shape);
        }
        let found = bundle.parts.get(&slice_key(name, part)[..]);
        let proto = found.map(|b| BundleEntry::decode(b.clone()).map_err(|e| lost(e.to_string()))).transpose()?;
        bundle.piece(&self.prefix, proto.as_ref(), entry.dtype, shape)
    }
}

impl Bundle {
    fn piece(&self, prefix: &Path, entry: Option<&BundleEntry>, dtype: DType, shape: Shape) -> Result<Tensor> {
        let entry = entry.ok_or_else(|| lost("a part has no entry"))?;
        if entry.dtype != dtype.number() || shape_of(entry.shape.as_ref())? != shape {
            return Err(lost("the entry of a part is not of its dtype and shape"));
        }
        self.decode(prefix, entry, dtype, shape)
    }

    /// The bytes of a tensor.
    fn bytes(&self, prefix: &Path, entry: Option<&BundleEntry>, size: usize) -> Result<Tensor> {
        let entry = entry.ok_or_else(|| lost("it has no entry"))?;
        self.decode(prefix, entry, DType::U8, Shape::vector(size))
    }

    /// Bytes that a part takes in its file.
    fn size(&self, name: &str, part: &Slice) -> u64 {
        let entry = self.parts.get(&slice_key(name, part)[..]).and_then(|b| BundleEntry::decode(b.clone()).ok());
        entry.and_then(|entry| u64::try_from(entry.size).ok()).unwrap_or(0)
    }

    fn decode(&self, prefix: &Path, entry: &BundleEntry, dtype: DType, shape: Shape) -> Result<Tensor> {
        let place = || {
            let shard = usize::try_from(entry.shard).ok().filter(|s| *s < self.shards.len())?;
            let (offset, size) = (u64::try_from(entry.offset).ok()?, u64::try_from(entry.size).ok()?);
            Some(Location { shard, offset, size, crc32c: entry.crc32c })
        };
        let place = place().ok_or_else(|| lost("its location is invalid"))?;
        let path = data_path(prefix, place.shard, self.shards.len());
        let cell = &self.shards[place.shard];
        let (file, length) = match cell.get() {
            Some(opened) => opened,
            None => {
                let file = (self.open)(&path)?;
                let length = file.metadata().map_err(|e| failed(&path, &e))?.len();
                cell.get_or_init(|| (file, length))
            }
        };
        decode(file, *length, dtype, shape, place, self.big_endian).map_err(|e| e.in_file(&path.display().to_string()))
    }
}
