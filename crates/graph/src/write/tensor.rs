//! Tensors as messages: short ones as lists of values, for people; long ones as bytes.

use super::message::shape;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::object::{EncodedVariant, Variant};
use crate::proto::{TensorProto, VariantTensorDataProto};
use crate::shape::PartialShape;
use crate::tensor::Tensor;
use bytes::Bytes;
use half::{bf16, f16};
use num_complex::{Complex32, Complex64};

/// Tensors of more elements than this are written as bytes.
const LONGEST_LIST: usize = 64;

pub(crate) fn tensor(tensor: &Tensor) -> Result<TensorProto> {
    let mut proto = TensorProto {
        dtype: tensor.dtype().number(),
        tensor_shape: Some(shape(&PartialShape::from(tensor.shape()))),
        ..TensorProto::default()
    };
    if tensor.num_elements() == 0 {
        return Ok(proto);
    }
    match tensor.dtype().storage() {
        DType::Str => {
            let strings = tensor.slice::<Bytes>()?;
            let same = strings.iter().all(|s| *s == strings[0]);
            proto.string_val = if same { strings[..1].to_vec() } else { strings.to_vec() };
        }
        DType::Variant => {
            proto.variant_val = tensor.slice::<Variant>()?.iter().map(variant).collect::<Result<_>>()?;
        }
        DType::Resource => {
            return Err(Error::unimplemented("resource tensors cannot be written to a file"));
        }
        _ => {
            let Some(bytes) = tensor.bytes() else {
                return Err(Error::unimplemented("a tensor in the memory of a device cannot be written to a file")
                    .help("copy it to the host first"));
            };
            if !list(tensor, &mut proto)? {
                proto.tensor_content = Bytes::copy_from_slice(bytes);
            }
        }
    }
    Ok(proto)
}

/// The tensor with its elements as bytes, or one by one if they are objects; nothing is shortened.
pub(crate) fn whole(value: &Tensor) -> Result<TensorProto> {
    let bytes = match value.dtype() {
        DType::Str => None,
        _ => value.bytes(),
    };
    let mut proto = match bytes {
        Some(_) => TensorProto {
            dtype: value.dtype().number(),
            tensor_shape: Some(shape(&PartialShape::from(value.shape()))),
            ..TensorProto::default()
        },
        None => tensor(value)?,
    };
    if let Some(bytes) = bytes {
        proto.tensor_content = Bytes::copy_from_slice(bytes);
    } else if value.dtype() == DType::Str {
        proto.string_val = value.slice::<Bytes>()?.to_vec();
    }
    Ok(proto)
}

/// Writes the values as a list if that is short and exact.
fn list(tensor: &Tensor, proto: &mut TensorProto) -> Result<bool> {
    let n = if repeats(tensor) { 1 } else { tensor.num_elements() };
    if n > LONGEST_LIST {
        return Ok(false);
    }
    macro_rules! write {
        ($field:ident: $ty:ty, $convert:expr) => {
            proto.$field = tensor.slice::<$ty>()?[..n].iter().copied().map($convert).collect()
        };
        ($field:ident: parts of $ty:ty) => {{
            let values = &tensor.slice::<$ty>()?[..n];
            if values.iter().any(|v| v.re.is_nan() || v.im.is_nan()) {
                return Ok(false);
            }
            proto.$field = values.iter().flat_map(|v| [v.re, v.im]).collect()
        }};
        // Text has one NaN, so other NaNs need their bytes.
        ($field:ident: float $ty:ty) => {{
            let values = &tensor.slice::<$ty>()?[..n];
            if values.iter().any(|v| v.is_nan() && v.to_bits() != <$ty>::NAN.to_bits()) {
                return Ok(false);
            }
            proto.$field = values.to_vec()
        }};
    }
    match tensor.dtype().storage() {
        _ if tensor.dtype().is_narrow() => {
            let values = &tensor.slice::<u8>()?[..n];
            match tensor.dtype().is_narrow_float() {
                true => proto.float8_val = Bytes::copy_from_slice(values),
                false => proto.int_val = values.iter().map(|&v| tensor.dtype().narrow_value(v) as i32).collect(),
            }
        }
        DType::F32 => write!(float_val: float f32),
        DType::F64 => write!(double_val: float f64),
        DType::C64 => write!(scomplex_val: parts of Complex32),
        DType::C128 => write!(dcomplex_val: parts of Complex64),
        DType::I32 => write!(int_val: i32, |v| v),
        DType::I16 => write!(int_val: i16, i32::from),
        DType::I8 => write!(int_val: i8, i32::from),
        DType::U16 => write!(int_val: u16, i32::from),
        DType::U8 => write!(int_val: u8, i32::from),
        DType::I64 => write!(int64_val: i64, |v| v),
        DType::U32 => write!(uint32_val: u32, |v| v),
        DType::U64 => write!(uint64_val: u64, |v| v),
        DType::Bool => write!(bool_val: bool, |v| v),
        DType::F16 => write!(half_val: f16, |v: f16| i32::from(v.to_bits())),
        DType::BF16 => write!(half_val: bf16, |v: bf16| i32::from(v.to_bits())),
        _ => return Ok(false),
    }
    Ok(true)
}

/// True if all elements are bitwise identical: one of them is enough, because readers repeat the last.
fn repeats(tensor: &Tensor) -> bool {
    let Some(bytes) = tensor.bytes() else { return false };
    let mut elements = bytes.chunks_exact(tensor.dtype().size().max(1));
    let first = elements.next();
    elements.all(|element| Some(element) == first)
}

fn variant(variant: &Variant) -> Result<VariantTensorDataProto> {
    match variant.get::<EncodedVariant>() {
        Some(encoded) => Ok(VariantTensorDataProto {
            type_name: encoded.type_name.clone(),
            metadata: encoded.metadata.clone(),
            tensors: encoded.tensors.iter().map(tensor).collect::<Result<_>>()?,
        }),
        None if variant.0.is_none() => Ok(VariantTensorDataProto::default()),
        None => Err(Error::unimplemented("this variant cannot be written to a file").found(format!("{variant:?}"))),
    }
}
