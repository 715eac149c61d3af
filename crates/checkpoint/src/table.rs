//! Sorted tables: keys and values in blocks, and an index of the blocks, in the format of LevelDB's tables.

use bytes::Bytes;
use levada_graph::{Error, Result};
use std::collections::BTreeMap;

const MAGIC: u64 = 0xdb47_7524_8b80_fb57;
/// Bytes of the footer at the end of a table.
pub(crate) const FOOTER: usize = 48;
/// Compression type and checksum after a block.
const TRAILER: usize = 5;
/// Types of compression.
const PLAIN: u8 = 0;
const SNAPPY: u8 = 1;
/// Maximum number of bytes that one byte of Snappy's format becomes: the shortest copy of 64 bytes takes three.
const MOST_GROWTH: usize = 22;
/// Size at which a block is full.
const BLOCK: usize = 256 << 10;
/// The interval at which a key of a block is written in full.
const RESTART: usize = 16;

/// The checksum of the format: CRC-32C, rotated and offset so that checksums of checksums work.
pub(crate) fn masked(crc: u32) -> u32 {
    crc.rotate_right(15).wrapping_add(0xa282_ead8)
}

/// Appends a varint.
pub(crate) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Takes a varint off the front; `None` if there is none.
pub(crate) fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for (i, &byte) in bytes.iter().enumerate().take(10) {
        let part = u64::from(byte & 0x7f);
        value |= part.checked_shl(7 * i as u32).filter(|shifted| shifted >> (7 * i) == part)?;
        if byte < 0x80 {
            *bytes = &bytes[i + 1..];
            return Some(value);
        }
    }
    None
}

fn lost(what: &str) -> Error {
    Error::data_loss(format!("the table is corrupt: {what}"))
}

/// True for the bytes of a table, by its footer.
pub(crate) fn is_table(file: &[u8]) -> bool {
    file.len() >= FOOTER && file.ends_with(&MAGIC.to_le_bytes())
}

/// All entries of a table.
///
/// # Errors
/// `DATA_LOSS` if it is corrupt, `UNIMPLEMENTED` if it is compressed by another library than Snappy.
pub(crate) fn read(file: &Bytes) -> Result<BTreeMap<Bytes, Bytes>> {
    if !is_table(file) {
        return Err(lost("it has no table footer"));
    }
    let mut footer = &file[file.len() - FOOTER..];
    let wrong = || lost("its footer");
    let meta = handle(&mut footer).ok_or_else(wrong)?;
    let index = handle(&mut footer).ok_or_else(wrong)?;
    // It has no relevant contents, but is checked as well.
    block(file, meta)?;
    let mut entries = BTreeMap::new();
    for (_, place) in block(file, index)? {
        let place = handle(&mut &place[..]).ok_or_else(|| lost("a bad block handle"))?;
        entries.extend(block(file, place)?);
    }
    Ok(entries)
}

/// The location of a block: its first byte and its length.
fn handle(bytes: &mut &[u8]) -> Option<(u64, u64)> {
    Some((take_varint(bytes)?, take_varint(bytes)?))
}

/// The entries of a block.
fn block(file: &Bytes, (start, length): (u64, u64)) -> Result<Vec<(Bytes, Bytes)>> {
    let place = || {
        let start = usize::try_from(start).ok()?;
        let end = start.checked_add(usize::try_from(length).ok()?)?;
        (end.checked_add(TRAILER)? <= file.len() - FOOTER).then_some((start, end))
    };
    let (start, end) = place().ok_or_else(|| lost("a block past the end of the file"))?;
    let sum = u32::from_le_bytes(file[end + 1..end + TRAILER].try_into().unwrap_or_default());
    if sum != masked(crc32c::crc32c(&file[start..=end])) {
        return Err(lost("a block with a wrong checksum"));
    }
    let block = match file[end] {
        PLAIN => file.slice(start..end),
        SNAPPY => Bytes::from(decompressed(&file[start..end]).ok_or_else(|| lost("a compressed block"))?),
        other => {
            return Err(Error::unimplemented("the compression of a table is not supported")
                .expected("none, or Snappy's (1)")
                .found(other)
                .help("save the checkpoint again with TensorFlow"));
        }
    };
    let restarts = |block: &[u8]| {
        let count = u32::from_le_bytes(*block.last_chunk::<4>()?) as usize;
        block.len().checked_sub(count.checked_add(1)?.checked_mul(4)?)
    };
    let data = restarts(&block).ok_or_else(|| lost("a block without restart points"))?;
    let (mut rest, mut key, mut entries) = (&block[..data], Vec::new(), Vec::new());
    while !rest.is_empty() {
        let entry = entry(&mut rest, &mut key).ok_or_else(|| lost("an entry of a block"))?;
        entries.push((Bytes::copy_from_slice(&key), block.slice_ref(entry)));
    }
    Ok(entries)
}

/// The bytes of a block that Snappy compressed, as older versions of TensorFlow did.
fn decompressed(block: &[u8]) -> Option<Vec<u8>> {
    let size = snap::raw::decompress_len(block).ok()?;
    if size > block.len().saturating_mul(MOST_GROWTH) {
        return None;
    }
    snap::raw::Decoder::new().decompress_vec(block).ok()
}

/// Takes an entry off the front: returns its value, and replaces the previous key by its own.
fn entry<'b>(rest: &mut &'b [u8], key: &mut Vec<u8>) -> Option<&'b [u8]> {
    let [shared, own, value] = [take_varint(rest)?, take_varint(rest)?, take_varint(rest)?];
    let shared = usize::try_from(shared).ok().filter(|n| *n <= key.len())?;
    let (own, after) = rest.split_at_checked(usize::try_from(own).ok()?)?;
    let (value, after) = after.split_at_checked(usize::try_from(value).ok()?)?;
    key.truncate(shared);
    key.extend_from_slice(own);
    *rest = after;
    Some(value)
}

/// Writes a table. Keys must be added in order.
#[derive(Default)]
pub(crate) struct Builder {
    out: Vec<u8>,
    block: Block,
    index: Block,
    /// The last key and the location of the previous block, until the next key is known.
    pending: Option<(Vec<u8>, (u64, u64))>,
}

impl Builder {
    /// Appends an entry.
    pub(crate) fn add(&mut self, key: &[u8], value: &[u8]) {
        if let Some((last, place)) = self.pending.take() {
            self.index.add(&between(last, key), &places([place]), 1);
        }
        self.block.add(key, value, RESTART);
        if self.block.size() >= BLOCK {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let last = self.block.last.clone();
        let place = write(&mut self.out, std::mem::take(&mut self.block));
        self.pending = Some((last, place));
    }

    /// The bytes of the table.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        if !self.block.out.is_empty() {
            self.flush();
        }
        let meta = write(&mut self.out, Block::default());
        if let Some((last, place)) = self.pending.take() {
            self.index.add(&after(last), &places([place]), 1);
        }
        let index = write(&mut self.out, self.index);
        let mut footer = places([meta, index]);
        footer.resize(FOOTER - 8, 0);
        self.out.extend(footer);
        self.out.extend(MAGIC.to_le_bytes());
        self.out
    }
}

/// Locations of blocks, as stored in an index and the footer.
fn places<const N: usize>(places: [(u64, u64); N]) -> Vec<u8> {
    let mut out = Vec::new();
    for (start, length) in places {
        put_varint(&mut out, start);
        put_varint(&mut out, length);
    }
    out
}

/// Writes a block; returns its location.
fn write(out: &mut Vec<u8>, block: Block) -> (u64, u64) {
    let start = out.len();
    out.extend(block.finish());
    let length = out.len() - start;
    out.push(0);
    let sum = masked(crc32c::crc32c(&out[start..]));
    out.extend(sum.to_le_bytes());
    (start as u64, length as u64)
}

/// A short key that is at least `last` and less than `next`.
fn between(mut last: Vec<u8>, next: &[u8]) -> Vec<u8> {
    let shared = last.iter().zip(next).take_while(|(a, b)| a == b).count();
    if let (Some(&a), Some(&b)) = (last.get(shared), next.get(shared))
        && a < 0xff
        && a + 1 < b
    {
        last.truncate(shared + 1);
        last[shared] += 1;
    }
    last
}

/// A short key that is at least `last`.
fn after(mut last: Vec<u8>) -> Vec<u8> {
    if let Some(at) = last.iter().position(|b| *b != 0xff) {
        last.truncate(at + 1);
        last[at] += 1;
    }
    last
}

/// A block while it is written.
#[derive(Default)]
struct Block {
    out: Vec<u8>,
    last: Vec<u8>,
    restarts: Vec<u32>,
    since: usize,
}

impl Block {
    fn add(&mut self, key: &[u8], value: &[u8], restart: usize) {
        let mut shared = 0;
        if self.out.is_empty() || self.since >= restart {
            self.restarts.push(self.out.len() as u32);
            self.since = 0;
        } else {
            shared = self.last.iter().zip(key).take_while(|(a, b)| a == b).count();
        }
        for length in [shared, key.len() - shared, value.len()] {
            put_varint(&mut self.out, length as u64);
        }
        self.out.extend_from_slice(&key[shared..]);
        self.out.extend_from_slice(value);
        self.last.truncate(shared);
        self.last.extend_from_slice(&key[shared..]);
        self.since += 1;
    }

    fn size(&self) -> usize {
        self.out.len() + 4 * self.restarts.len() + 4
    }

    fn finish(mut self) -> Vec<u8> {
        if self.restarts.is_empty() {
            self.restarts.push(0);
        }
        for restart in &self.restarts {
            self.out.extend(restart.to_le_bytes());
        }
        self.out.extend((self.restarts.len() as u32).to_le_bytes());
        self.out
    }
}
