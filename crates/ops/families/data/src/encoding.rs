//! Serialization of positions and elements as tensors that files can hold.

use crate::compress::Compressed;
use crate::dataset::{Node, Source};
use crate::position::{Saved, Saver, broken};
use crate::prelude::*;
use crate::wrap::Wrapped;
use crate::{range, snapshot, tensor, tensor_slice, window};
use levada_graph::{EncodedVariant, Variant};
use levada_kernel::Files;
use levada_ops_ragged::encoding as ragged;
use levada_ops_sparse::encode as encode_sparse;
use levada_ops_variants::encoding as variants;

/// Type name of a position in a dataset. The number is the version of its layout.
const POSITION: &str = "levada::IteratorPosition 1";
const COMPRESSED: &str = "levada::CompressedElement";
const WRAPPED: &str = "levada::WrappedDataset";
const DATASET: &str = "levada::Dataset";

/// Maximum nesting depth of values.
const MOST_NESTED: u32 = 128;

/// Encodes a position as a variant that files can hold.
///
/// # Errors
/// `RESOURCE_EXHAUSTED` if its elements are nested too deep.
pub(crate) fn encode_position(position: Vec<Tensor>) -> Result<Variant> {
    let (type_name, metadata) = (POSITION.to_owned(), Bytes::new());
    Ok(Variant::new(EncodedVariant { type_name, metadata, tensors: encode(&position, 0)? }))
}

/// Decodes the position in a variant.
///
/// # Errors
/// `INVALID_ARGUMENT` if there is none, `UNIMPLEMENTED` for one written by TensorFlow, `DATA_LOSS` for a corrupt one.
pub(crate) fn decode_position(variant: &Variant, files: &Files) -> Result<Vec<Tensor>> {
    match variant.get::<EncodedVariant>() {
        Some(found) if found.type_name == POSITION => decode(&found.tensors, files, 0),
        Some(found) if found.type_name == "tensorflow::Iterator" => {
            Err(Error::unimplemented("this iterator position was written by TensorFlow and cannot be read")
                .help("restore the rest of the checkpoint without it, and begin at the first element"))
        }
        Some(found) => {
            Err(Error::invalid("this is not a position returned by SerializeIterator").found(&found.type_name))
        }
        None => {
            Err(Error::invalid("this is not a position returned by SerializeIterator").found(format!("{variant:?}")))
        }
    }
}

/// Encodes tensors, including everything that their variants hold. A value that has no such form stays as it is, for
/// use within the process.
///
/// # Errors
/// `RESOURCE_EXHAUSTED` if values are nested too deep.
pub(crate) fn encode(tensors: &[Tensor], depth: u32) -> Result<Vec<Tensor>> {
    each_variant(tensors, depth, |variant| {
        let found = if let Some(Compressed(parts)) = variant.get() {
            EncodedVariant { type_name: COMPRESSED.to_owned(), metadata: Bytes::new(), tensors: parts.clone() }
        } else if let Some(Wrapped(source)) = variant.get() {
            let (type_name, metadata) = (WRAPPED.to_owned(), Bytes::new());
            EncodedVariant { type_name, metadata, tensors: vec![source.tensor()] }
        } else if let Some((kind, tensors)) = variant.get::<Node>().and_then(encode_dataset) {
            EncodedVariant { type_name: DATASET.to_owned(), metadata: Bytes::from(kind), tensors }
        } else {
            let found =
                variants::encode(variant).or_else(|| ragged::encode(variant)).or_else(|| encode_sparse(variant));
            match found {
                Some(found) => found,
                None => return Ok(variant.clone()),
            }
        };
        Ok(Variant::new(EncodedVariant { tensors: encode(&found.tensors, depth + 1)?, ..found }))
    })
}

/// Inverse of [`encode`]; decoded file datasets read from `files`.
///
/// # Errors
/// `DATA_LOSS` if the data is invalid, `RESOURCE_EXHAUSTED` if values are nested too deep.
pub(crate) fn decode(tensors: &[Tensor], files: &Files, depth: u32) -> Result<Vec<Tensor>> {
    each_variant(tensors, depth, |variant| {
        let Some(found) = variant.get::<EncodedVariant>() else { return Ok(variant.clone()) };
        let tensors = decode(&found.tensors, files, depth + 1)?;
        let decoded = match (found.type_name.as_str(), &tensors[..]) {
            (COMPRESSED, _) => Some(Variant::new(Compressed(tensors))),
            (WRAPPED, [dataset]) => Some(Variant::new(Wrapped(Source::of(dataset).map_err(|_| broken())?))),
            (DATASET, _) => Some(decode_dataset(&found.metadata, tensors, files)?.into_variant()),
            (name, _) => {
                let ours = name.starts_with("levada::");
                let found = EncodedVariant { tensors, ..found.clone() };
                match variants::decode(&found).or_else(|| ragged::decode(&found)) {
                    None if !ours => Some(Variant::new(found)),
                    decoded => decoded,
                }
            }
        };
        decoded.ok_or_else(broken)
    })
}

/// Encodes a dataset element as its kind and tensors; `None` if it cannot be serialized.
fn encode_dataset(node: &Node) -> Option<(&'static str, Vec<Tensor>)> {
    let (kind, parts) = node.encode()?;
    let mut to = Saver::default();
    to.count(node.types.len());
    for (dtype, shape) in node.types.iter().zip(node.shapes.iter()) {
        to.int(dtype.number());
        to.int(shape.rank().map_or(-1, |rank| rank as i64));
        shape.dims().unwrap_or_default().iter().for_each(|size| to.int(size.map_or(-1, |size| size as i64)));
    }
    to.nested(parts);
    Some((kind, to.into_values()))
}

/// Inverse of [`encode_dataset`].
fn decode_dataset(kind: &[u8], tensors: Vec<Tensor>, files: &Files) -> Result<Source> {
    let mut from = Saved::new(tensors);
    let (mut types, mut shapes) = (Vec::new(), Vec::new());
    for _ in 0..from.count()? {
        types.push(i32::try_from(from.int()?).ok().and_then(DType::from_number).ok_or_else(broken)?);
        shapes.push(match usize::try_from(from.int()?) {
            Err(_) => PartialShape::Unknown,
            Ok(rank) => PartialShape::from_signed(&(0..rank).map(|_| from.int()).collect::<Result<Vec<i64>>>()?),
        });
    }
    let parts = &mut from.nested()?;
    match kind {
        b"FromTensor" => tensor::decode(&types, &shapes, parts),
        b"Range" => range::decode(&types, &shapes, parts),
        b"SnapshotDatasetReader" => snapshot::decode_shard(&types, &shapes, parts, files),
        b"TensorSlice" => tensor_slice::decode(&types, &shapes, parts),
        b"Window" => window::decode(&types, &shapes, parts),
        _ => Err(broken()),
    }
}

/// Applies `change` to every variant of the tensors.
fn each_variant(tensors: &[Tensor], depth: u32, change: impl Fn(&Variant) -> Result<Variant>) -> Result<Vec<Tensor>> {
    if depth > MOST_NESTED {
        return Err(Error::resource_exhausted("an element holds values nested too deeply")
            .expected(format!("at most {MOST_NESTED} levels")));
    }
    let one = |tensor: &Tensor| match tensor.dtype() {
        DType::Variant => {
            let values = tensor.slice::<Variant>()?.iter().map(&change).collect::<Result<Vec<Variant>>>()?;
            Tensor::from_vec(tensor.shape().clone(), values)
        }
        _ => Ok(tensor.clone()),
    };
    tensors.iter().map(one).collect()
}
