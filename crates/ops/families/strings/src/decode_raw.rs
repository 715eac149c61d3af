//! `DecodeRaw` and `DecodePaddedRaw`: reinterpret the bytes of strings as numbers.

use crate::prelude::*;
use crate::rules::never;

/// Returns an empty buffer with capacity for `total` bytes.
fn reserved(total: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(total)
        .map_err(|_| Error::resource_exhausted(format!("no memory for {total} bytes of numbers")))?;
    Ok(bytes)
}

/// Returns a tensor of shape `shape` whose elements are stored in `bytes`, in little- or big-endian order.
fn elements(dtype: DType, shape: Shape, mut bytes: Vec<u8>, little_endian: bool) -> Result<Tensor> {
    if !little_endian {
        // The parts of complex numbers are swapped separately.
        let word = if dtype.is_complex() { dtype.size() / 2 } else { dtype.size() };
        bytes.chunks_exact_mut(word).for_each(<[u8]>::reverse);
    }
    Tensor::from_bytes(dtype, shape, &bytes)
}

attrs! {
    /// Reinterprets the bytes of each string as numbers; all strings must be equally long.
    pub struct DecodeRaw {
        /// Element type of the output.
        out_type: DType = Attr::dtype("out_type", &[
            DType::F16, DType::F32, DType::F64, DType::I32, DType::U16, DType::U8, DType::I16, DType::I8, DType::I64,
            DType::C64, DType::C128, DType::Bool, DType::BF16,
        ]),
        /// Whether the values are little-endian.
        little_endian: bool = Attr::bool("little_endian").or_bool(true),
    }
}

pub static DECODE_RAW: Def<DecodeRaw> = op("DecodeRaw")
    .inputs(&[arg("bytes", is(DType::Str))])
    .outputs(&[arg("output", of("out_type"))])
    .shape(|_, cx| {
        let shape = cx.input(0).concat(&PartialShape::vector(None));
        cx.output(0, shape);
        Ok(())
    })
    .gradient(|_, g| never(g))
    .kernel(decode_raw);

fn decode_raw(op: &DecodeRaw, cx: &mut Cx<'_, '_>) -> Result<()> {
    let input = cx.input(0)?;
    let strings = input.slice::<Bytes>()?;
    let length = strings.first().map_or(0, Bytes::len);
    if let Some((i, other)) = strings.iter().enumerate().find(|(_, s)| s.len() != length) {
        return Err(Error::invalid(format!(
            "DecodeRaw requires input strings to all be the same size, but element {i} has size {length} != {}",
            other.len()
        )));
    }
    let size = op.out_type.size();
    if length % size != 0 {
        return Err(Error::invalid(format!(
            "Input to DecodeRaw has length {length} that is not a multiple of {size}, the size of {}",
            op.out_type
        )));
    }
    let shape = Shape::new(input.shape().iter().copied().chain([length / size]))?;
    let mut bytes = reserved(length.saturating_mul(strings.len()))?;
    strings.iter().for_each(|s| bytes.extend_from_slice(s));
    let output = elements(op.out_type, shape, bytes, op.little_endian)?;
    cx.set(0, output);
    Ok(())
}

attrs! {
    /// Reinterprets the first `fixed_length` bytes of each string as numbers; shorter strings are padded with zeros.
    pub struct DecodePaddedRaw {
        /// Element type of the output.
        out_type: DType = Attr::dtype("out_type", &[
            DType::F16, DType::F32, DType::F64, DType::I32, DType::U16, DType::U8, DType::I16, DType::I8, DType::I64,
            DType::BF16,
        ]),
        /// Whether the values are little-endian.
        little_endian: bool = Attr::bool("little_endian").or_bool(true),
    }
}

pub static DECODE_PADDED_RAW: Def<DecodePaddedRaw> = op("DecodePaddedRaw")
    .inputs(&[arg("input_bytes", is(DType::Str)), arg("fixed_length", is(DType::I32))])
    .outputs(&[arg("output", of("out_type"))])
    .shape(decode_padded_raw_shape)
    .gradient(|_, g| never(g))
    .kernel(decode_padded_raw);

fn decode_padded_raw_shape(op: &DecodePaddedRaw, cx: &mut ShapeCx<'_>) -> Result<()> {
    cx.with_rank(1, 0)?;
    let length = cx.constant_i64s(1).and_then(|n| usize::try_from(*n.first()?).ok());
    let width = length.filter(|l| l % op.out_type.size() == 0).map(|l| l / op.out_type.size());
    let shape = cx.input(0).concat(&PartialShape::vector(width));
    cx.output(0, shape);
    Ok(())
}

fn decode_padded_raw(op: &DecodePaddedRaw, cx: &mut Cx<'_, '_>) -> Result<()> {
    let (input, fixed) = (cx.input(0)?, cx.input(1)?);
    if !fixed.shape().is_scalar() {
        return Err(Error::invalid(format!("fixed_length must be scalar, got shape {}", fixed.shape())));
    }
    let fixed = fixed.item::<i32>()?;
    let length = usize::try_from(fixed).ok().filter(|l| *l > 0);
    let length = length.ok_or_else(|| Error::invalid(format!("fixed_length ({fixed}) must be greater than zero.")))?;
    let size = op.out_type.size();
    if length % size != 0 {
        return Err(Error::invalid(format!(
            "fixed_length ({length}) must be a multiple of the size of out_type ({size})"
        )));
    }
    let shape = Shape::new(input.shape().iter().copied().chain([length / size]))?;
    let total = shape.num_elements() * size;
    let mut bytes = reserved(total)?;
    bytes.resize(total, 0);
    for (place, string) in bytes.chunks_exact_mut(length).zip(input.slice::<Bytes>()?) {
        let kept = string.len().min(length);
        place[..kept].copy_from_slice(&string[..kept]);
    }
    let output = elements(op.out_type, shape, bytes, op.little_endian)?;
    cx.set(0, output);
    Ok(())
}
