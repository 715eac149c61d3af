//! The previous format: a table whose values are tensors.

use crate::ordered::slice_key;
use crate::proto::{BundleEntry, SavedTensorSlices, shape_proto};
use crate::reader::shape_of;
use crate::slice::Slice;
use crate::table::{self, put_varint};
use bytes::Bytes;
use levada_graph::{DType, Error, Result, Shape, Tensor, read};
use prost::Message;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The tables of a checkpoint.
pub(crate) struct Old(Vec<BTreeMap<Bytes, Bytes>>);

fn lost(what: impl Into<String>) -> Error {
    Error::data_loss(what)
}

impl Old {
    /// Reads the tables and their metadata of tensors.
    pub(crate) fn read(files: &[Bytes]) -> Result<(Old, BTreeMap<String, BundleEntry>)> {
        let tables = files.iter().map(table::read).collect::<Result<Vec<_>>>()?;
        let mut tensors = BTreeMap::new();
        for table in &tables {
            let value = table.get(&b""[..]).ok_or_else(|| lost("the checkpoint has no list of its tensors"))?;
            let decoded = SavedTensorSlices::decode(value.clone());
            let meta = decoded.map_err(|e| lost(format!("the list of its tensors: {e}")))?.meta.unwrap_or_default();
            for saved in meta.tensor {
                let entry = BundleEntry {
                    dtype: saved.dtype,
                    shape: saved.shape,
                    slices: saved.slice,
                    ..BundleEntry::default()
                };
                match tensors.entry(saved.name) {
                    Entry::Vacant(vacant) => drop(vacant.insert(entry)),
                    Entry::Occupied(mut known)
                        if shape_of(known.get().shape.as_ref())? == shape_of(entry.shape.as_ref())? =>
                    {
                        known.get_mut().slices.extend(entry.slices);
                    }
                    Entry::Occupied(known) => {
                        return Err(lost(format!("{}: parts of tensors of different shapes", known.key())));
                    }
                }
            }
        }
        Ok((Old(tables), tensors))
    }

    pub(crate) fn files(&self) -> usize {
        self.0.len()
    }

    /// Bytes that a part of a tensor takes.
    pub(crate) fn size(&self, name: &str, part: &Slice) -> u64 {
        let key = slice_key(name, part);
        self.0.iter().find_map(|table| table.get(&key[..])).map_or(0, |value| value.len() as u64)
    }

    /// The part of a tensor that is stored as one piece.
    pub(crate) fn part(&self, name: &str, dtype: DType, shape: Shape, part: &Slice) -> Result<Tensor> {
        let key = slice_key(name, part);
        let value = self.0.iter().find_map(|table| table.get(&key[..]));
        let value = value.ok_or_else(|| lost(format!("the part {part} has no entry")))?;
        let saved = SavedTensorSlices::decode(value.clone()).map_err(|e| lost(e.to_string()))?;
        let saved = saved.data.filter(|d| d.name == name).ok_or_else(|| lost("the entry is of another tensor"))?;
        // Only the elements are stored. Each takes at least a byte, which bounds the allocation.
        if shape.num_elements() > saved.data.len() {
            return Err(lost("the tensor has more elements than bytes"));
        }
        let dims = shape_proto(&shape).encode_to_vec();
        let mut message = vec![0x08];
        put_varint(&mut message, dtype.number() as u64);
        message.push(0x12);
        put_varint(&mut message, dims.len() as u64);
        message.extend(dims);
        message.extend_from_slice(&saved.data);
        let tensor = read::tensor_from_pb(&message).map_err(|e| lost(format!("its elements: {}", e.message())))?;
        match tensor.dtype() == dtype && *tensor.shape() == shape {
            true => Ok(tensor),
            false => Err(lost("its elements are not of its dtype and shape")),
        }
    }
}
