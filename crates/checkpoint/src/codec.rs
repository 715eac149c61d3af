//! Encoding and checksums of the elements of a tensor.

use crate::files::{failed, read_at};
use crate::proto::VariantData;
use crate::table::{masked, put_varint, take_varint};
use bytes::Bytes;
use levada_graph::{DType, EncodedVariant, Error, Result, Shape, Tensor, Variant, read, write};
use prost::Message;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// Bytes that are read or byte-swapped at a time, so that they are still in the CPU cache for their checksum.
const PIECE: usize = 1 << 18;

/// The location of the elements, from the index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Location {
    pub shard: usize,
    pub offset: u64,
    pub size: u64,
    pub crc32c: u32,
}

/// Size in bytes of the unit of an element that is byte-swapped.
fn word(dtype: DType) -> usize {
    if dtype.is_complex() { dtype.size() / 2 } else { dtype.size() }
}

fn turn(bytes: &mut [u8], dtype: DType) {
    match word(dtype) {
        0 | 1 => {}
        word => bytes.chunks_exact_mut(word).for_each(<[u8]>::reverse),
    }
}

fn lost(what: impl Into<String>) -> Error {
    Error::data_loss(what)
}

/// A running checksum, and the number of bytes that it covers.
struct Summed<'w, W> {
    write: &'w mut W,
    size: u64,
    crc: u32,
}

impl<W: Write> Summed<'_, W> {
    /// Writes bytes, and adds different ones to the checksum.
    fn put_as(&mut self, bytes: &[u8], summed: &[u8]) -> io::Result<()> {
        self.crc = crc32c::crc32c_append(self.crc, summed);
        self.size += bytes.len() as u64;
        self.write.write_all(bytes)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.put_as(bytes, bytes)
    }

    /// Writes a length; the checksum covers its numeric form.
    fn put_length(&mut self, length: u64, summed: &[u8]) -> io::Result<()> {
        let mut bytes = Vec::new();
        put_varint(&mut bytes, length);
        self.put_as(&bytes, summed)
    }
}

/// The form of a length that the checksum of strings covers.
fn short_length(length: u64, big_endian: bool) -> Vec<u8> {
    match u32::try_from(length) {
        Ok(short) if big_endian => short.to_be_bytes().to_vec(),
        Ok(short) => short.to_le_bytes().to_vec(),
        Err(_) => long_length(length, big_endian).to_vec(),
    }
}

fn long_length(length: u64, big_endian: bool) -> [u8; 8] {
    if big_endian { length.to_be_bytes() } else { length.to_le_bytes() }
}

/// Why elements cannot be written.
pub(crate) enum Fault {
    Tensor(Error),
    File(io::Error),
}

impl Fault {
    /// The error for the tensor of this name, in a file of the checkpoint with this prefix.
    pub(crate) fn of(self, name: &str, prefix: &Path) -> Error {
        match self {
            Fault::File(error) => failed(prefix, &error),
            Fault::Tensor(mut error) => {
                error.fault_mut().message = format!("{name}: {}", error.fault().message);
                error
            }
        }
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Fault {
        Fault::File(error)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Tensor(error)
    }
}

/// Writes the elements of a tensor; returns their size in bytes and their checksum.
pub(crate) fn encode(tensor: &Tensor, big_endian: bool, to: &mut impl Write) -> Result<(u64, u32), Fault> {
    let mut out = Summed { write: to, size: 0, crc: 0 };
    match (tensor.dtype(), tensor.bytes()) {
        (_, Some(bytes)) => {
            for piece in bytes.chunks(PIECE) {
                match big_endian {
                    false => out.put(piece)?,
                    true => {
                        let mut piece = piece.to_vec();
                        turn(&mut piece, tensor.dtype());
                        out.put(&piece)?;
                    }
                }
            }
        }
        (DType::Str, None) => {
            let strings = tensor.slice::<Bytes>()?;
            for string in strings {
                let length = string.len() as u64;
                out.put_length(length, &short_length(length, big_endian))?;
            }
            put_sum(&mut out, big_endian)?;
            for string in strings {
                out.put(string)?;
            }
        }
        (DType::Variant, None) => {
            for variant in tensor.slice::<Variant>()? {
                let message = variant_message(variant)?;
                out.put_length(message.len() as u64, &long_length(message.len() as u64, big_endian))?;
                out.put(&message)?;
                put_sum(&mut out, big_endian)?;
            }
        }
        (dtype, None) => {
            let why =
                if dtype == DType::Resource { "resources have no value to keep" } else { "it is not on the host" };
            let error = Error::unimplemented(format!("a {dtype} tensor cannot be saved: {why}"));
            return Err(error.into());
        }
    }
    Ok((out.size, masked(out.crc)))
}

/// Writes the checksum so far, which becomes part of the checksummed data.
fn put_sum<W: Write>(out: &mut Summed<'_, W>, big_endian: bool) -> io::Result<()> {
    let sum = masked(out.crc);
    out.put(&if big_endian { sum.to_be_bytes() } else { sum.to_le_bytes() })
}

fn variant_message(variant: &Variant) -> Result<Vec<u8>> {
    let data = match variant.get::<EncodedVariant>() {
        Some(encoded) => VariantData {
            type_name: encoded.type_name.clone(),
            metadata: encoded.metadata.clone(),
            tensors: encoded.tensors.iter().map(|t| Ok(write::tensor_to_pb(t)?.into())).collect::<Result<_>>()?,
        },
        None if variant.0.is_none() => VariantData::default(),
        None => {
            return Err(Error::unimplemented("this variant cannot be saved").found(format!("{variant:?}")));
        }
    };
    Ok(data.encode_to_vec())
}

/// Reads the elements of a tensor and checks them.
///
/// # Errors
/// `DATA_LOSS` if they differ from what was written.
pub(crate) fn decode(
    file: &File,
    length: u64,
    dtype: DType,
    shape: Shape,
    location: Location,
    big_endian: bool,
) -> Result<Tensor> {
    if location.offset.checked_add(location.size).is_none_or(|end| end > length) {
        return Err(lost("the file ends before the tensor does")
            .expected(format!("{} bytes from byte {} on", location.size, location.offset))
            .found(format!("a file of {length} bytes")));
    }
    let elements = shape.num_elements() as u64;
    if dtype.is_plain() {
        let expected = elements * dtype.size() as u64;
        if location.size != expected {
            return Err(lost("the size of the tensor does not match its elements")
                .expected(format!("{expected} bytes for {dtype}{shape}"))
                .found(format!("{} bytes", location.size)));
        }
        let mut tensor = Tensor::try_zeros(dtype, shape)?;
        plain(file, &mut tensor, location, big_endian)?;
        return Ok(tensor);
    }
    // Every element takes at least a byte, so the allocation is bounded by the length of the file.
    if elements > location.size {
        return Err(lost("the tensor has more elements than bytes"));
    }
    let mut data = vec![0; location.size as usize];
    read_at(file, &mut data, location.offset).map_err(unreadable)?;
    let data = Bytes::from(data);
    match dtype {
        DType::Str => Tensor::from_vec(shape, strings(&data, elements as usize, location.crc32c, big_endian)?),
        DType::Variant => Tensor::from_vec(shape, variants(&data, elements as usize, location.crc32c, big_endian)?),
        _ => Err(lost(format!("a {dtype} tensor cannot be in a checkpoint"))),
    }
}

fn unreadable(error: io::Error) -> Error {
    lost(format!("the data cannot be read: {error}"))
}

fn plain(file: &File, tensor: &mut Tensor, location: Location, big_endian: bool) -> Result<()> {
    let dtype = tensor.dtype();
    let bytes = tensor.bytes_mut().ok_or_else(|| Error::internal("a plain tensor without bytes"))?;
    let (mut crc, mut offset) = (0, location.offset);
    for piece in bytes.chunks_mut(PIECE) {
        read_at(file, piece, offset).map_err(unreadable)?;
        crc = crc32c::crc32c_append(crc, piece);
        offset += piece.len() as u64;
        if big_endian {
            turn(piece, dtype);
        }
        if dtype == DType::Bool {
            piece.iter_mut().for_each(|b| *b = u8::from(*b != 0));
        }
    }
    check(crc, location.crc32c)
}

fn check(crc: u32, stored: u32) -> Result<()> {
    if masked(crc) == stored {
        return Ok(());
    }
    Err(lost("Checksum does not match")
        .expected(format!("{stored:#010x}, as stored"))
        .found(format!("{:#010x}, of the bytes that were read", masked(crc))))
}

/// Takes a checksum off the front and checks it.
fn take_sum(rest: &mut &[u8], crc: &mut u32, big_endian: bool) -> Result<()> {
    let (sum, after) = rest.split_first_chunk::<4>().ok_or_else(|| lost("a checksum is missing"))?;
    check(*crc, if big_endian { u32::from_be_bytes(*sum) } else { u32::from_le_bytes(*sum) })?;
    *crc = crc32c::crc32c_append(*crc, sum);
    *rest = after;
    Ok(())
}

fn take_length(rest: &mut &[u8]) -> Result<u64> {
    take_varint(rest).ok_or_else(|| lost("a length is missing"))
}

fn strings(data: &Bytes, count: usize, stored: u32, big_endian: bool) -> Result<Vec<Bytes>> {
    let (mut rest, mut crc, mut lengths) = (&data[..], 0, Vec::with_capacity(count));
    for _ in 0..count {
        let length = take_length(&mut rest)?;
        crc = crc32c::crc32c_append(crc, &short_length(length, big_endian));
        lengths.push(length);
    }
    take_sum(&mut rest, &mut crc, big_endian)?;
    let mut at = data.len() - rest.len();
    let total = lengths.iter().try_fold(0u64, |sum, n| sum.checked_add(*n));
    if total != Some(rest.len() as u64) {
        return Err(lost("the total length of the strings is wrong"));
    }
    check(crc32c::crc32c_append(crc, rest), stored)?;
    let string = |length: u64| {
        let start = at;
        at += length as usize;
        data.slice(start..at)
    };
    Ok(lengths.into_iter().map(string).collect())
}

fn variants(data: &Bytes, count: usize, stored: u32, big_endian: bool) -> Result<Vec<Variant>> {
    let (mut rest, mut crc, mut found) = (&data[..], 0, Vec::with_capacity(count));
    for _ in 0..count {
        let length = take_length(&mut rest)?;
        crc = crc32c::crc32c_append(crc, &long_length(length, big_endian));
        let split = usize::try_from(length).ok().and_then(|n| rest.split_at_checked(n));
        let (message, after) = split.ok_or_else(|| lost("a variant extends past the end"))?;
        crc = crc32c::crc32c_append(crc, message);
        rest = after;
        take_sum(&mut rest, &mut crc, big_endian)?;
        found.push(variant(message)?);
    }
    check(crc, stored)?;
    Ok(found)
}

fn variant(message: &[u8]) -> Result<Variant> {
    let data = VariantData::decode(message).map_err(|e| lost(format!("a variant cannot be read: {e}")))?;
    if data.type_name.is_empty() && data.tensors.is_empty() {
        return Ok(Variant::default());
    }
    let tensors = data.tensors.iter().map(|t| read::tensor_from_pb(t)).collect::<Result<_>>()?;
    Ok(Variant::new(EncodedVariant { type_name: data.type_name, metadata: data.metadata, tensors }))
}
