//! Writes a checkpoint. An existing one stays intact until the new one is completely on disk.

use crate::codec::encode;
use crate::disk::{Append, Disk, System};
use crate::element::Element;
use crate::files::{Temporary, data_path, failed, index_path, replace};
use crate::ordered::slice_key;
use crate::proto::{BundleEntry, Header, Versions, shape_proto};
use crate::reader::{Index, any_file, contents};
use crate::slice::Slice;
use crate::table::Builder;
use levada_graph::{Error, Result, Shape, Tensor};
use prost::Message;
use std::collections::BTreeMap;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes that are collected before they are written.
const BUFFER: usize = 1 << 20;

/// Writes a checkpoint, tensor by tensor. It appears at its path in [`Writer::finish`].
pub struct Writer {
    disk: Arc<dyn Disk>,
    prefix: PathBuf,
    temporary: Temporary,
    data: BufWriter<Append>,
    offset: u64,
    big_endian: bool,
    entries: Entries,
}

impl Writer {
    /// Begins the checkpoint with this prefix, and creates its directory.
    ///
    /// # Errors
    /// If its files cannot be created.
    pub fn create(prefix: impl AsRef<Path>) -> Result<Writer> {
        Writer::create_on(Arc::new(System), prefix)
    }

    /// As [`Writer::create`], on a file system.
    ///
    /// # Errors
    /// As [`Writer::create`].
    pub fn create_on(disk: Arc<dyn Disk>, prefix: impl AsRef<Path>) -> Result<Writer> {
        let prefix = prefix.as_ref().to_owned();
        let (temporary, file) = Temporary::create(&disk, &data_path(&prefix, 0, 1))?;
        let data = BufWriter::with_capacity(BUFFER, Append::to(file));
        Ok(Writer { disk, prefix, temporary, data, offset: 0, big_endian: false, entries: Entries::default() })
    }

    /// Writes numbers in big endian, for readers on such machines. Call it before anything is added.
    #[must_use]
    pub fn big_endian(mut self) -> Writer {
        self.big_endian = true;
        self
    }

    /// Adds a tensor.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a name that is empty or taken, `UNIMPLEMENTED` for a tensor that cannot be stored in a
    /// file, and the errors of writing.
    pub fn add(&mut self, name: &str, tensor: &Tensor) -> Result<()> {
        let key = self.entries.whole(name)?;
        let entry = self.write(name, tensor)?;
        self.entries.0.insert(key, entry);
        Ok(())
    }

    /// Adds a tensor of a type that graphs do not support, given as bytes.
    ///
    /// # Errors
    /// As [`Writer::add`]; `INVALID_ARGUMENT` for a wrong number of bytes, `UNIMPLEMENTED` for a type that checkpoints
    /// do not support.
    pub fn add_raw(&mut self, name: &str, element: Element, shape: &Shape, bytes: &Tensor) -> Result<()> {
        let key = self.entries.whole(name)?;
        let number = element.number().ok_or_else(|| {
            Error::unimplemented(format!("{name} cannot be in a checkpoint: it has elements of type {element}"))
        })?;
        if element.bytes(shape) != bytes.bytes().map(|b| b.len() as u64) {
            return Err(Error::invalid(format!("{name}: these are not the bytes of {element}{shape}")));
        }
        let entry = self.write(name, bytes)?;
        self.entries.0.insert(key, BundleEntry { dtype: number, shape: Some(shape_proto(shape)), ..entry });
        Ok(())
    }

    /// Adds part of a tensor whose full shape is `whole`.
    ///
    /// # Errors
    /// As [`Writer::add`]; `INVALID_ARGUMENT` if the tensor does not have the part's shape or another part belongs to a
    /// different whole.
    pub fn add_slice(&mut self, name: &str, whole: &Shape, slice: &Slice, tensor: &Tensor) -> Result<()> {
        let key = self.entries.part(name, whole, slice, tensor)?;
        let entry = self.write(name, tensor)?;
        self.entries.0.insert(key, entry);
        Ok(())
    }

    fn write(&mut self, name: &str, tensor: &Tensor) -> Result<BundleEntry> {
        let encoded = encode(tensor, self.big_endian, &mut self.data);
        let (size, crc32c) = encoded.map_err(|fault| fault.of(name, &self.prefix))?;
        let offset = self.offset;
        self.offset += size;
        Ok(entry_of(tensor, offset, size, crc32c))
    }

    /// Waits until everything is on disk and puts it in place. Until then, and on failure, an existing checkpoint
    /// stays.
    ///
    /// # Errors
    /// Any error from writing.
    pub fn finish(self) -> Result<()> {
        let Writer { disk, prefix, temporary, data, big_endian, entries, .. } = self;
        let written = data.into_inner().map_err(|e| e.into_error()).and_then(|data| data.file.sync());
        written.map_err(|e| failed(&prefix, &e))?;
        place(&disk, &prefix, temporary, big_endian, &entries)
    }
}

/// The index of a checkpoint that is being written, by key.
#[derive(Default)]
pub(crate) struct Entries(pub BTreeMap<Vec<u8>, BundleEntry>);

impl Entries {
    /// The key for a tensor.
    pub(crate) fn whole(&self, name: &str) -> Result<Vec<u8>> {
        check_name(name)?;
        match self.0.contains_key(name.as_bytes()) {
            true => Err(Error::invalid(format!("Adding duplicate key: {name}"))),
            false => Ok(name.into()),
        }
    }

    /// The key for part of a tensor whose full shape is `whole`; the part gets its own entry.
    pub(crate) fn part(&mut self, name: &str, whole: &Shape, slice: &Slice, tensor: &Tensor) -> Result<Vec<u8>> {
        if slice.shape_in(whole)? != *tensor.shape() {
            return Err(Error::invalid(format!("{name}: the tensor is not of the shape of the part {slice}"))
                .expected(slice.shape_in(whole)?)
                .found(tensor.shape()));
        }
        if slice.is_all_of(whole) {
            return self.whole(name);
        }
        check_name(name)?;
        let new =
            BundleEntry { dtype: tensor.dtype().number(), shape: Some(shape_proto(whole)), ..BundleEntry::default() };
        let known = self.0.get(name.as_bytes()).unwrap_or(&new);
        if (known.dtype, &known.shape) != (new.dtype, &new.shape) || (known != &new && known.slices.is_empty()) {
            return Err(Error::invalid(format!("{name}: its parts are not of one tensor")));
        }
        let key = slice_key(name, slice);
        if self.0.contains_key(&key) {
            return Err(Error::invalid(format!("Adding duplicate key: {name}, part {slice}")));
        }
        self.0.entry(name.into()).or_insert(new).slices.push(slice.to_proto());
        Ok(key)
    }
}

/// The entry of a tensor in the only data file.
pub(crate) fn entry_of(tensor: &Tensor, offset: u64, size: u64, crc32c: u32) -> BundleEntry {
    BundleEntry {
        dtype: tensor.dtype().number(),
        shape: Some(shape_proto(tensor.shape())),
        shard: 0,
        offset: offset as i64,
        size: size as i64,
        crc32c,
        slices: Vec::new(),
    }
}

/// Puts a checkpoint in place whose data is completely on disk.
pub(crate) fn place(
    disk: &Arc<dyn Disk>,
    prefix: &Path,
    temporary: Temporary,
    big_endian: bool,
    entries: &Entries,
) -> Result<()> {
    let before = Shards::of(prefix);
    let shards = before.count_for(1);
    temporary.place(&data_path(prefix, 0, shards))?;
    write_index(disk, prefix, shards, big_endian, &entries.0)?;
    before.remove(&**disk, prefix, shards);
    Ok(())
}

fn check_name(name: &str) -> Result<()> {
    match name.as_bytes() {
        [] => Err(Error::invalid("a tensor in a checkpoint needs a name")),
        [0, ..] => Err(Error::invalid("the name of a tensor in a checkpoint does not begin with a zero")),
        _ => Ok(()),
    }
}

/// Writes the index of a checkpoint, which puts it in place.
pub(crate) fn write_index(
    disk: &Arc<dyn Disk>,
    prefix: &Path,
    shards: usize,
    big_endian: bool,
    entries: &BTreeMap<Vec<u8>, BundleEntry>,
) -> Result<()> {
    let version = Some(Versions { producer: 1, min_consumer: 0 });
    let header = Header { num_shards: shards as i32, endianness: i32::from(big_endian), version };
    let mut table = Builder::default();
    table.add(b"", &header.encode_to_vec());
    for (key, entry) in entries {
        table.add(key, &entry.encode_to_vec());
    }
    replace(disk, &index_path(prefix), &table.finish())
}

/// The data files of the checkpoint that the new one replaces: their number, which is part of their names.
pub(crate) struct Shards(Option<usize>);

impl Shards {
    pub(crate) fn of(prefix: &Path) -> Shards {
        let index = contents(&any_file(), &index_path(prefix)).and_then(|file| Index::read(&file));
        Shards(index.ok().and_then(|index| usize::try_from(index.header.num_shards).ok()))
    }

    /// The number of files that a new checkpoint of `count` files declares: different from that of the previous one, so
    /// that their data files have different names and the index determines which of them is present. Declared files
    /// from which nothing is read are never looked for.
    pub(crate) fn count_for(&self, count: usize) -> usize {
        count + usize::from(self.0 == Some(count))
    }

    /// Removes the data of the replaced checkpoint.
    pub(crate) fn remove(&self, disk: &dyn Disk, prefix: &Path, new: usize) {
        let Some(count) = self.0.filter(|count| *count != new) else { return };
        for shard in 0..count {
            // Files that cannot be removed only take space.
            let _ = disk.remove(&data_path(prefix, shard, count));
        }
    }
}
