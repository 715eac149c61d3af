//! Merges checkpoints without copying their data.

use crate::disk::{Disk, System};
use crate::files::{data_path, directory, failed, index_path};
use crate::proto::BundleEntry;
use crate::reader::{Index, any_file, contents};
use crate::writer::{Shards, write_index};
use levada_graph::{Code, Error, Result};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Merges the checkpoints with the prefixes `from`, whose files it takes over. With `allow_missing`, missing ones are
/// skipped.
///
/// # Errors
/// `NOT_FOUND` if one is missing, `DATA_LOSS` if one is corrupt, `INVALID_ARGUMENT` if two have a tensor of the same
/// name or differ in byte order.
pub fn merge(from: &[PathBuf], to: &Path, allow_missing: bool) -> Result<()> {
    let mut merged: BTreeMap<Vec<u8>, BundleEntry> = BTreeMap::new();
    let (mut files, mut big_endian, mut merged_from) = (Vec::new(), None, Vec::new());
    for prefix in from {
        let path = index_path(prefix);
        let file = match contents(&any_file(), &path) {
            Err(error) if allow_missing && error.code() == Code::NotFound => continue,
            file => file?,
        };
        let index = Index::read(&file).map_err(|e| e.in_file(&path.display().to_string()))?;
        let endianness = index.header.endianness;
        if *big_endian.get_or_insert(endianness) != endianness {
            return Err(Error::invalid("checkpoints of different byte order cannot be merged"));
        }
        let first = files.len();
        let used = used(&index)?;
        files.extend(used.values().map(|shard| data_path(prefix, *shard, index.header.num_shards.max(0) as usize)));
        let numbers: BTreeMap<usize, i32> = used.values().enumerate().map(|(i, s)| (*s, (first + i) as i32)).collect();
        add(&mut merged, index, &numbers)?;
        merged_from.push(prefix);
    }
    let disk: Arc<dyn Disk> = Arc::new(System);
    let home = directory(to);
    disk.make_directory(home).map_err(|e| failed(home, &e))?;
    let before = Shards::of(to);
    let shards = before.count_for(files.len());
    for (number, file) in files.iter().enumerate() {
        let target = data_path(to, number, shards);
        disk.rename(file, &target).map_err(|e| failed(file, &e))?;
    }
    disk.sync_directory(home).map_err(|e| failed(home, &e))?;
    write_index(&disk, to, shards, big_endian == Some(1), &merged)?;
    before.remove(&*disk, to, shards);
    for prefix in merged_from.iter().filter(|prefix| prefix.as_path() != to) {
        // An index without its data is useless.
        let _ = disk.remove(&index_path(prefix));
    }
    Ok(())
}

/// The data files that the entries of a checkpoint use; all of them if it declares them.
fn used(index: &Index) -> Result<BTreeMap<usize, usize>> {
    let mut used = BTreeMap::new();
    let parts = index.parts.values().map(decode).collect::<Result<Vec<_>>>()?;
    for entry in index.tensors.values().filter(|e| e.slices.is_empty()).chain(&parts) {
        let shard = usize::try_from(entry.shard).map_err(|_| Error::data_loss("a negative file number"))?;
        used.insert(shard, shard);
    }
    Ok(used)
}

fn decode(bytes: &bytes::Bytes) -> Result<BundleEntry> {
    prost::Message::decode(bytes.clone()).map_err(|e| Error::data_loss(format!("the entry of a part: {e}")))
}

/// Adds the entries of one checkpoint, with the new numbers of its files.
fn add(merged: &mut BTreeMap<Vec<u8>, BundleEntry>, index: Index, numbers: &BTreeMap<usize, i32>) -> Result<()> {
    let renumbered = |mut entry: BundleEntry| {
        entry.shard = usize::try_from(entry.shard).ok().and_then(|s| numbers.get(&s)).copied().unwrap_or(0);
        entry
    };
    for (name, mut entry) in index.tensors {
        let key = name.clone().into_bytes();
        if entry.slices.is_empty() {
            entry = renumbered(entry);
        }
        match merged.get_mut(&key) {
            None => drop(merged.insert(key, entry)),
            Some(known) if !known.slices.is_empty() && !entry.slices.is_empty() => {
                if (known.dtype, &known.shape) != (entry.dtype, &entry.shape) {
                    return Err(Error::invalid(format!("{name}: its parts are not of one tensor")));
                }
                known.slices.extend(entry.slices);
            }
            Some(_) => return Err(Error::invalid(format!("Adding duplicate key: {name}"))),
        }
    }
    for (key, value) in index.parts {
        merged.insert(key.to_vec(), renumbered(decode(&value)?));
    }
    Ok(())
}
