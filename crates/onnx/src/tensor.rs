//! Tensors of a file: in the message itself, or in an external file.

use crate::proto::{SparseTensorProto, TensorProto};
use crate::types::Elem;
use bytes::Bytes;
use levada_graph::{DType, Element, Error, Result, Shape, Tensor, bf16, f16};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};

/// The location of a model's external data: its directory or, with an empty location, its own file.
#[derive(Clone, Debug, Default)]
pub struct Beside(Option<PathBuf>);

impl Beside {
    /// The location next to the model at `path`.
    pub fn model(path: &Path) -> Beside {
        Beside(Some(path.to_owned()))
    }

    /// A file in the directory: `location` is relative and cannot leave the directory, not even through links.
    fn open(&self, location: &str) -> Result<File> {
        let Some(model) = &self.0 else {
            return Err(Error::invalid("a tensor is in an external file, but the model was not read from a file")
                .found(location)
                .help("read the model by its path"));
        };
        let parent = model.parent().filter(|p| !p.as_os_str().is_empty());
        let dir = parent.unwrap_or(Path::new("."));
        let outside = || {
            Error::new(levada_graph::Code::PermissionDenied, "a tensor's file is not in the directory of the model")
                .expected("a relative path in the model's directory")
                .found(format!("{location:?}"))
        };
        let relative = Path::new(location);
        let plain = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        if !relative.components().all(plain) {
            return Err(outside());
        }
        let failed = |e: std::io::Error| {
            let error = match e.kind() {
                std::io::ErrorKind::NotFound => Error::not_found("the file of a tensor does not exist"),
                _ => Error::invalid(format!("the file of a tensor cannot be read: {e}")),
            };
            error.found(dir.join(relative).display())
        };
        if location.is_empty() {
            return File::open(model).map_err(failed);
        }
        let real = dir.join(relative).canonicalize().map_err(failed)?;
        if !real.starts_with(dir.canonicalize().map_err(failed)?) {
            return Err(outside());
        }
        File::open(real).map_err(failed)
    }
}

/// The tensor that a message describes, and its element type. Elements without a dtype in Levada are unpacked, one per
/// byte.
///
/// # Errors
/// `INVALID_ARGUMENT` if the message contradicts itself, and the errors of the file that holds the elements.
pub fn tensor(proto: &TensorProto, beside: &Beside) -> Result<(Tensor, Elem)> {
    let named = |e: Error| if proto.name.is_empty() { e } else { e.node(&proto.name) };
    read(proto, beside).map_err(named)
}

fn read(proto: &TensorProto, beside: &Beside) -> Result<(Tensor, Elem)> {
    let elem = Elem(proto.data_type);
    let dtype = elem.dtype()?;
    let shape = Shape::from_signed(&proto.dims)?;
    if proto.data_location == 1 {
        return Ok((external(proto, elem, dtype, shape, beside)?, elem));
    }
    if dtype == DType::Str {
        return Ok((filled(shape, proto.string_data.clone())?, elem));
    }
    if let Some(raw) = &proto.raw_data {
        if bits(elem) < 8 {
            return Ok((unpack(elem, dtype, shape, raw)?, elem));
        }
        return Ok((Tensor::from_bytes(dtype, shape, raw)?, elem));
    }
    Ok((typed(proto, elem, dtype, shape)?, elem))
}

/// A tensor with exactly the elements of its shape.
fn filled<T: Element>(shape: Shape, values: Vec<T>) -> Result<Tensor> {
    let (expected, found) = (shape.num_elements(), values.len());
    Tensor::from_vec(shape, values).map_err(|_| {
        Error::invalid("the elements of a tensor do not fill its shape")
            .expected(format!("{expected} elements"))
            .found(format!("{found} elements"))
    })
}

/// A tensor whose elements are in the field for their type.
fn typed(proto: &TensorProto, elem: Elem, dtype: DType, shape: Shape) -> Result<Tensor> {
    if bits(elem) < 8 {
        let bytes: Vec<u8> = proto.int32_data.iter().map(|&word| word as u8).collect();
        return unpack(elem, dtype, shape, &bytes);
    }
    let words = &proto.int32_data;
    match dtype {
        DType::F32 => filled(shape, proto.float_data.clone()),
        DType::F64 => filled(shape, proto.double_data.clone()),
        DType::I64 => filled(shape, proto.int64_data.clone()),
        DType::U64 => filled(shape, proto.uint64_data.clone()),
        DType::U32 => filled(shape, proto.uint64_data.iter().map(|&v| v as u32).collect()),
        DType::I32 => filled(shape, words.clone()),
        DType::I16 => filled(shape, words.iter().map(|&v| v as i16).collect()),
        DType::U16 => filled(shape, words.iter().map(|&v| v as u16).collect()),
        DType::I8 => filled(shape, words.iter().map(|&v| v as i8).collect()),
        DType::U8 => filled(shape, words.iter().map(|&v| v as u8).collect()),
        DType::Bool => filled(shape, words.iter().map(|&v| v != 0).collect()),
        DType::F16 => filled(shape, words.iter().map(|&v| f16::from_bits(v as u16)).collect()),
        DType::BF16 => filled(shape, words.iter().map(|&v| bf16::from_bits(v as u16)).collect()),
        DType::C64 => {
            let parts = proto.float_data.chunks_exact(2);
            filled(shape, parts.map(|p| levada_graph::Complex32::new(p[0], p[1])).collect())
        }
        DType::C128 => {
            let parts = proto.double_data.chunks_exact(2);
            filled(shape, parts.map(|p| levada_graph::Complex64::new(p[0], p[1])).collect())
        }
        other => Err(Error::unimplemented(format!("constants of type {other} are not supported"))),
    }
}

/// Bits per element in a file; 8 for those that take whole bytes.
fn bits(elem: Elem) -> usize {
    match elem {
        Elem::UINT4 | Elem::INT4 | Elem::FLOAT4E2M1 => 4,
        Elem::UINT2 | Elem::INT2 => 2,
        Elem::FLOAT6E2M3 | Elem::FLOAT6E3M2 => 6,
        _ => 8,
    }
}

/// Bytes that the elements of a shape take in a file.
fn packed(elem: Elem, dtype: DType, shape: &Shape) -> usize {
    match bits(elem) {
        8 => shape.num_elements() * dtype.size(),
        bits => (shape.num_elements() * bits).div_ceil(8),
    }
}

/// Unpacks elements of fewer than 8 bits, the first in the lowest bits.
fn unpack(elem: Elem, dtype: DType, shape: Shape, bytes: &[u8]) -> Result<Tensor> {
    let (bits, expected) = (bits(elem), packed(elem, dtype, &shape));
    if bytes.len() != expected {
        return Err(Error::invalid(format!("the bytes do not fill a tensor of {elem} and shape {shape}"))
            .expected(format!("{expected} bytes"))
            .found(format!("{} bytes", bytes.len())));
    }
    let mask = (1u16 << bits) - 1;
    let code = |i: usize| {
        let at = i * bits;
        let next = bytes.get(at / 8 + 1).copied().unwrap_or_default();
        let word = u16::from(bytes[at / 8]) | u16::from(next) << 8;
        ((word >> (at % 8)) & mask) as u8
    };
    let codes = (0..shape.num_elements()).map(code);
    match dtype {
        DType::I8 => {
            let unused = 8 - bits;
            filled(shape, codes.map(|c| ((c << unused) as i8) >> unused).collect())
        }
        _ => filled(shape, codes.collect()),
    }
}

/// A tensor whose elements are in an external file; read directly into the tensor's memory.
fn external(proto: &TensorProto, elem: Elem, dtype: DType, shape: Shape, beside: &Beside) -> Result<Tensor> {
    let entry = |key: &str| proto.external_data.iter().find(|e| e.key == key).map(|e| e.value.as_str());
    let number = |key: &str| match entry(key) {
        None => Ok(None),
        Some(text) => text.parse::<u64>().map(Some).map_err(|_| {
            Error::invalid(format!("the {key} of a tensor's data is not a number")).expected("bytes").found(text)
        }),
    };
    if !dtype.is_plain() {
        return Err(Error::invalid("strings cannot be in an external file"));
    }
    let location = entry("location").ok_or_else(|| Error::invalid("a tensor's data has no location"))?;
    let needed = packed(elem, dtype, &shape) as u64;
    let offset = number("offset")?.unwrap_or(0);
    if let Some(length) = number("length")?.filter(|&length| length != needed) {
        return Err(Error::invalid(format!("the length of a tensor's data is not that of {elem} and shape {shape}"))
            .expected(format!("{needed} bytes"))
            .found(format!("{length} bytes")));
    }
    let mut file = beside.open(location)?;
    let failed = |e: std::io::Error| Error::invalid(format!("cannot read {location}: {e}"));
    let size = file.metadata().map_err(failed)?.len();
    if offset.checked_add(needed).is_none_or(|end| end > size) {
        return Err(Error::new(levada_graph::Code::DataLoss, "a tensor's data goes past the end of its file")
            .expected(format!("{needed} bytes from byte {offset} on"))
            .found(format!("{location} of {size} bytes")));
    }
    file.seek(SeekFrom::Start(offset)).map_err(failed)?;
    if bits(elem) < 8 || dtype == DType::Bool {
        let mut bytes = vec![0; needed as usize];
        file.read_exact(&mut bytes).map_err(failed)?;
        return if dtype == DType::Bool {
            Tensor::from_bytes(dtype, shape, &bytes)
        } else {
            unpack(elem, dtype, shape, &bytes)
        };
    }
    let mut tensor = Tensor::try_zeros(dtype, shape)?;
    let memory = tensor.bytes_mut().ok_or_else(|| Error::internal("a plain tensor has no bytes"))?;
    file.read_exact(memory).map_err(failed)?;
    Ok(tensor)
}

/// Maximum size in bytes of a sparse tensor after conversion to dense.
const MOST_FILLED_IN: usize = 1 << 30;

/// A sparse tensor converted to dense.
///
/// # Errors
/// As [`tensor`]; `RESOURCE_EXHAUSTED` for a shape that takes more than a gigabyte.
pub fn filled_in(proto: &SparseTensorProto, beside: &Beside) -> Result<(Tensor, Elem)> {
    let missing = |what: &str| Error::invalid(format!("a sparse tensor has no {what}"));
    let (values, elem) = tensor(proto.values.as_ref().ok_or_else(|| missing("values"))?, beside)?;
    let (indices, _) = tensor(proto.indices.as_ref().ok_or_else(|| missing("indices"))?, beside)?;
    let shape = Shape::from_signed(&proto.dims)?;
    if shape.num_elements().saturating_mul(values.dtype().size().max(1)) > MOST_FILLED_IN {
        return Err(Error::resource_exhausted(format!("a sparse tensor of shape {shape} takes too much memory")));
    }
    let (n, rank, places) = (values.num_elements(), shape.rank(), indices.to_i64s()?);
    let wrong = || Error::invalid("the indices of a sparse tensor do not fit its values").found(indices.shape());
    let flat: Vec<usize> = match indices.shape().dims() {
        [count] if *count == n => {
            places.iter().map(|&at| usize::try_from(at).map_err(|_| wrong())).collect::<Result<_>>()?
        }
        [count, axes] if *count == n && *axes == rank => {
            let strides = shape.strides();
            let place = |row: &[i64]| {
                let inside = row.iter().zip(shape.iter()).all(|(&i, &size)| i >= 0 && (i as usize) < size);
                let at = || row.iter().zip(&strides).map(|(&i, &stride)| i as usize * stride).sum();
                inside.then(at).ok_or_else(wrong)
            };
            match rank {
                0 => vec![0; n],
                _ => places.chunks_exact(rank).map(place).collect::<Result<_>>()?,
            }
        }
        _ => return Err(wrong()),
    };
    let mut filled = Tensor::try_zeros(values.dtype(), shape)?;
    levada_graph::dispatch!(values.dtype(), any, |T| {
        let from = values.slice::<T>()?;
        let to = filled.slice_mut::<T>()?;
        for (value, &at) in from.iter().zip(&flat) {
            to.get_mut(at).ok_or_else(wrong)?.clone_from(value);
        }
        Ok(())
    }, else Err(Error::unimplemented("sparse tensors of this type are not supported")))?;
    Ok((filled, elem))
}

/// The strings of an attribute, which should be UTF-8.
pub(crate) fn text(bytes: &Bytes) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
