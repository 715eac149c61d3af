//! Writes the previous format, for graphs that save in it.

use crate::disk::{Disk, System};
use crate::files::replace;
use crate::ordered::slice_key;
use crate::proto::{SavedMeta, SavedSlice, SavedTensor, SavedTensorSlices, Versions, shape_proto};
use crate::slice::Slice;
use crate::table::{Builder, put_varint};
use bytes::Bytes;
use levada_graph::{DType, Error, Result, Shape, Tensor, bf16, f16};
use prost::Message;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Writes a checkpoint of one file, which is held in memory until it is written.
#[derive(Default)]
pub struct OldWriter {
    tensors: Vec<SavedTensor>,
    parts: BTreeMap<Vec<u8>, Vec<u8>>,
}

impl OldWriter {
    /// Adds part of a tensor whose full shape is `whole`.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the tensor does not have the part's shape or the part exists already, `UNIMPLEMENTED` for
    /// a tensor that cannot be stored in a file.
    pub fn add_slice(&mut self, name: &str, whole: &Shape, slice: &Slice, tensor: &Tensor) -> Result<()> {
        if slice.shape_in(whole)? != *tensor.shape() {
            return Err(Error::invalid(format!("{name}: the tensor is not of the shape of the part {slice}"))
                .expected(slice.shape_in(whole)?)
                .found(tensor.shape()));
        }
        let most = most_bytes(tensor)?;
        if most > LONGEST {
            return Err(Error::invalid(format!(
                "Tensor slice is too large to serialize (conservative estimate: {most} bytes)"
            ))
            .help("save slices of it, or use SaveV2, whose format holds tensors of any size"));
        }
        let (shape, dtype) = (Some(shape_proto(whole)), tensor.dtype().number());
        let data = SavedSlice { name: name.to_owned(), slice: Some(slice.to_proto()), data: values(tensor)?.into() };
        let value = SavedTensorSlices { meta: None, data: Some(data) }.encode_to_vec();
        match self.tensors.iter_mut().find(|t| t.name == name) {
            Some(known) if (&known.shape, known.dtype) != (&shape, dtype) => {
                return Err(Error::invalid(format!("{name}: its parts are not of one tensor")));
            }
            Some(known) => known.slice.push(slice.to_proto()),
            None => {
                let slice = vec![slice.to_proto()];
                self.tensors.push(SavedTensor { name: name.to_owned(), shape, dtype, slice });
            }
        }
        match self.parts.insert(slice_key(name, slice), value) {
            Some(_) => Err(Error::invalid(format!("Adding duplicate key: {name}, part {slice}"))),
            None => Ok(()),
        }
    }

    /// Writes the file. An existing one stays until the new one is completely on disk.
    ///
    /// # Errors
    /// Any error from writing.
    pub fn write(self, path: &Path) -> Result<()> {
        let versions = Some(Versions { producer: 1, min_consumer: 0 });
        let meta = Some(SavedMeta { tensor: self.tensors, versions });
        let mut table = Builder::default();
        table.add(b"", &SavedTensorSlices { meta, data: None }.encode_to_vec());
        for (key, value) in &self.parts {
            table.add(key, value);
        }
        let disk: Arc<dyn Disk> = Arc::new(System);
        replace(&disk, path, &table.finish())
    }
}

/// The maximum length of a message, and every slice is one.
const LONGEST: u64 = 1 << 31;

/// An upper bound on the bytes of the message of a slice.
fn most_bytes(tensor: &Tensor) -> Result<u64> {
    let each = match tensor.dtype().storage() {
        _ if tensor.dtype().is_narrow_float() => 1,
        DType::Bool => 1,
        DType::U8 => 2,
        DType::F16 | DType::BF16 | DType::U16 => 3,
        DType::F32 => 4,
        DType::F64 | DType::C64 => 8,
        DType::C128 => 16,
        // Varints, and lengths of strings.
        _ => 10,
    };
    let strings = match tensor.dtype() {
        DType::Str => tensor.slice::<Bytes>()?.iter().map(|s| s.len() as u64).sum(),
        _ => 0,
    };
    Ok((tensor.num_elements() as u64).saturating_mul(each).saturating_add(strings).saturating_add(1 << 10))
}

/// A field with bytes, or with packed numbers.
fn field(number: u64, content: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(content.len() + 12);
    put_varint(&mut out, number << 3 | 2);
    put_varint(&mut out, content.len() as u64);
    out.extend_from_slice(content);
    out
}

/// Only the elements, as a `TensorProto` holds them one by one.
fn values(tensor: &Tensor) -> Result<Vec<u8>> {
    if tensor.num_elements() == 0 {
        return Ok(Vec::new());
    }
    let raw = |number: u64| Ok(field(number, tensor.bytes().unwrap_or_default()));
    let varints = |number: u64, values: Vec<u64>| {
        let mut out = Vec::new();
        values.into_iter().for_each(|value| put_varint(&mut out, value));
        Ok(field(number, &out))
    };
    let integers = || tensor.to_i64s().map(|values| values.into_iter().map(|v| v as u64).collect());
    match tensor.dtype().storage() {
        _ if tensor.dtype().is_narrow_float() => raw(18),
        DType::F32 => raw(5),
        DType::F64 => raw(6),
        DType::C64 => raw(9),
        DType::C128 => raw(12),
        DType::I32 | DType::I16 | DType::I8 | DType::U16 | DType::U8 => varints(7, integers()?),
        DType::I64 => varints(10, integers()?),
        DType::Bool => raw(11),
        DType::F16 => varints(13, tensor.slice::<f16>()?.iter().map(|v| u64::from(v.to_bits())).collect()),
        DType::BF16 => varints(13, tensor.slice::<bf16>()?.iter().map(|v| u64::from(v.to_bits())).collect()),
        DType::U32 => varints(16, integers()?),
        DType::U64 => varints(17, tensor.slice::<u64>()?.to_vec()),
        DType::Str => Ok(tensor.slice::<Bytes>()?.iter().flat_map(|s| field(8, s)).collect()),
        dtype => Err(Error::unimplemented(format!("a {dtype} tensor cannot be saved in this format"))
            .help("use SaveV2, whose format supports it")),
    }
}
