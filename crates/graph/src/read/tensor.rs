//! `TensorProto`, `TensorShapeProto` and dtypes from JSON.

use super::base64::{decode, decode_into};
use super::cursor::{Cursor, Step, camel};
use super::json::{Json, Member};
use super::values::{fill, from_content};
use crate::dispatch;
use crate::dtype::{DType, EdgeType};
use crate::error::{Error, Result};
use crate::object::{EncodedVariant, Variant};
use crate::shape::{PartialShape, Shape};
use crate::tensor::{Element, Tensor};
use bytes::Bytes;
use half::{bf16, f16};
use num_complex::{Complex32, Complex64};

/// The error for a number that is not a supported dtype.
pub(crate) fn unknown_dtype(number: i32) -> Error {
    match number {
        0 => Error::invalid("DT_INVALID is not a dtype"),
        _ => Error::invalid(format!("{number} is not the number of a dtype")),
    }
}

impl<'s> Cursor<'s> {
    /// A dtype, possibly of references, by name or number.
    pub fn edge_type(&mut self, json: &Json<'s>) -> Option<EdgeType> {
        let found = match json {
            Json::Str(name) => EdgeType::parse(name).or_else(|| name.parse().ok().and_then(EdgeType::from_number)),
            Json::Int(n) => i32::try_from(*n).ok().and_then(EdgeType::from_number),
            _ => return self.expected("a dtype such as \"float32\"", "this is not a dtype", json),
        };
        if found.is_some() {
            return found;
        }
        let error = match json {
            Json::Int(number) => unknown_dtype(*number as i32),
            _ => {
                let name = json.as_str().unwrap_or_default();
                let names = DType::ALL.iter().flat_map(|d| [d.name(), d.proto_name()]);
                let error = Error::invalid(format!("there is no dtype {name:?}"));
                match crate::op::nearest(name, names) {
                    Some(near) => error.help(format!("did you mean {near:?}?")),
                    None => error.expected("a dtype such as \"float32\" or \"DT_FLOAT\""),
                }
            }
        };
        self.fault(error);
        None
    }

    /// A dtype of values.
    pub fn dtype(&mut self, json: &Json<'s>) -> Option<DType> {
        let ty = self.edge_type(json)?;
        if ty.is_ref {
            return self.expected("a dtype of values", "a tensor holds values, not references", json);
        }
        Some(ty.dtype)
    }

    /// A `TensorShapeProto`.
    pub fn shape(&mut self, json: &Json<'s>) -> Option<PartialShape> {
        let [dim, unknown_rank] = self.fields(json, "a shape", &["dim", "unknown_rank"])?;
        if let Some(flag) = unknown_rank
            && self.member(flag, |cx, json| cx.bool(json))?
        {
            return Some(PartialShape::Unknown);
        }
        let Some(dim) = dim else { return Some(PartialShape::scalar()) };
        let before = self.faults.len();
        let sizes = self.member(dim, |cx, json| {
            cx.list(json, "sizes", |cx, json| {
                let [size, _name] = cx.fields(json, "a dim", &["size", "name"])?;
                let Some(size) = size else { return Some(Some(0)) };
                cx.member(size, |cx, json| cx.dim(json))
            })
        })?;
        (self.faults.len() == before).then(|| PartialShape::new(sizes))
    }

    /// A size, -1 for an unknown one.
    pub fn dim(&mut self, json: &Json<'s>) -> Option<Option<usize>> {
        let size: i64 = self.int(json)?;
        match size {
            -1 => Some(None),
            size if size < -1 => self.expected("a size, or -1 for an unknown one", "a size is negative", json),
            size => Some(Some(size as usize)),
        }
    }

    /// Bytes in base64, with either alphabet, padded or not.
    pub fn base64(&mut self, json: &Json<'s>) -> Option<Bytes> {
        let Json::Str(text) = json else {
            return self.expected("base64 in a string", "these are not bytes in base64", json);
        };
        match decode(text) {
            Some(bytes) => Some(bytes.into()),
            None => {
                let error = Error::invalid("the bytes are not in base64")
                    .found(json)
                    .help("encode the bytes in base64, or write text as a plain string in place of the object");
                self.fault(error);
                None
            }
        }
    }

    /// A `TensorProto`.
    pub fn tensor(&mut self, json: &Json<'s>) -> Option<Tensor> {
        let fields = self.fields(json, "a tensor", &FIELDS)?;
        let dtype = match fields[DTYPE] {
            Some(member) => self.member(member, |cx, json| cx.dtype(json))?,
            None => {
                self.fault(Error::invalid("the tensor has no dtype").help("add \"dtype\": \"DT_FLOAT\" or the like"));
                return None;
            }
        };
        let shape = match fields[SHAPE] {
            None => Shape::scalar(),
            Some(member) => self.member(member, |cx, json| {
                let partial = cx.shape(json)?;
                cx.full_shape(&partial)
            })?,
        };
        if let Some(member) = fields[CONTENT].filter(|m| m.value.as_str() != Some("")) {
            return self.member(member, |cx, json| cx.content(dtype, shape, json));
        }
        self.typed_list(dtype, shape, &fields)
    }

    /// The shape of a tensor, which must be fully known.
    pub fn full_shape(&mut self, partial: &PartialShape) -> Option<Shape> {
        let dims: Option<Vec<usize>> = partial.dims().and_then(|dims| dims.iter().copied().collect());
        let shape = match dims {
            Some(dims) => Shape::new(dims),
            None => Err(Error::invalid("the shape of a tensor is not known in full")
                .expected("only sizes of 0 or more")
                .found(partial)),
        };
        self.done(shape)
    }

    /// The value; an error is recorded as a fault.
    pub fn done<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|error| self.fault(error)).ok()
    }

    fn content(&mut self, dtype: DType, shape: Shape, json: &Json<'s>) -> Option<Tensor> {
        let Json::Str(text) = json else {
            return self.expected("base64 in a string", "these are not bytes in base64", json);
        };
        if !dtype.is_plain() || dtype == DType::Bool {
            let bytes = self.base64(json)?;
            return self.plain_or_string(dtype, shape, &bytes);
        }
        // Large weights: decode directly into the tensor once the sizes are known to match.
        let expected = shape.num_elements() * dtype.size();
        let unpadded = text.trim_end_matches('=');
        if unpadded.len() / 4 * 3 + (unpadded.len() % 4).saturating_sub(1) != expected {
            let bytes = self.base64(json)?;
            return self.plain_or_string(dtype, shape, &bytes);
        }
        let mut tensor = Tensor::zeros(dtype, shape.clone());
        if tensor.bytes_mut().is_some_and(|out| decode_into(text, out)) {
            return Some(tensor);
        }
        let bytes = self.base64(json)?;
        self.plain_or_string(dtype, shape, &bytes)
    }

    fn plain_or_string(&mut self, dtype: DType, shape: Shape, bytes: &[u8]) -> Option<Tensor> {
        self.done(match dtype {
            DType::Resource | DType::Variant => {
                Err(Error::unimplemented(format!("{dtype} tensors in tensorContent are not supported")))
            }
            _ => from_content(dtype, shape, bytes),
        })
    }

    fn typed_list(&mut self, dtype: DType, shape: Shape, fields: &Fields<'_, 's>) -> Option<Tensor> {
        let used = FIELDS.iter().position(|f| *f == list_name(dtype)).expect("every list is a field");
        let filled = |m: &&Member<'s>| !matches!(&m.value, Json::Array(items) if items.is_empty());
        for (i, member) in fields.iter().enumerate().skip(CONTENT + 1).filter(|(i, _)| *i != used) {
            if let Some(member) = member.filter(|m| filled(m)) {
                self.member(member, |cx, _| cx.fault(misplaced(dtype, FIELDS[i])));
                return None;
            }
        }
        let Some(member) = fields[used] else {
            return dispatch!(dtype, any, |T| self.filled(dtype, shape, Vec::<T>::new()), else None);
        };
        self.member(member, |cx, json| match dtype.storage() {
            _ if dtype.is_narrow_float() => {
                let bytes = cx.base64(json)?;
                cx.filled(dtype, shape, bytes.into())
            }
            DType::F32 => cx.listed(dtype, shape, json, Cursor::f32),
            DType::F64 => cx.listed(dtype, shape, json, Cursor::f64),
            DType::I32 => cx.listed(dtype, shape, json, Cursor::int::<i32>),
            DType::I16 => cx.listed(dtype, shape, json, |cx, v| cx.int::<i32>(v).map(|v| v as i16)),
            DType::I8 => cx.listed(dtype, shape, json, |cx, v| cx.int::<i32>(v).map(|v| v as i8)),
            DType::U16 => cx.listed(dtype, shape, json, |cx, v| cx.int::<i32>(v).map(|v| v as u16)),
            DType::U8 => cx.listed(dtype, shape, json, |cx, v| cx.int::<i32>(v).map(|v| dtype.masked(v as u8))),
            DType::I64 => cx.listed(dtype, shape, json, Cursor::int::<i64>),
            DType::U32 => cx.listed(dtype, shape, json, Cursor::int::<u32>),
            DType::U64 => cx.listed(dtype, shape, json, Cursor::int::<u64>),
            DType::Bool => cx.listed(dtype, shape, json, Cursor::bool),
            DType::Str => cx.listed(dtype, shape, json, Cursor::base64),
            DType::F16 => cx.listed(dtype, shape, json, |cx, v| cx.int::<i32>(v).map(|v| f16::from_bits(v as u16))),
            DType::BF16 => cx.listed(dtype, shape, json, |cx, v| cx.int::<i32>(v).map(|v| bf16::from_bits(v as u16))),
            DType::C64 => {
                let parts = cx.complete(json, Cursor::f32)?;
                cx.filled(dtype, shape, parts.chunks_exact(2).map(|p| Complex32::new(p[0], p[1])).collect())
            }
            DType::C128 => {
                let parts = cx.complete(json, Cursor::f64)?;
                cx.filled(dtype, shape, parts.chunks_exact(2).map(|p| Complex64::new(p[0], p[1])).collect())
            }
            DType::Variant => cx.listed(dtype, shape, json, Cursor::variant),
            _ => {
                cx.fault(Error::unimplemented(format!("{dtype} tensors in a file are not supported")));
                None
            }
        })
    }

    /// The elements of a list, or `None` if one of them is at fault.
    pub fn complete<T>(
        &mut self,
        json: &Json<'s>,
        read: impl FnMut(&mut Cursor<'s>, &Json<'s>) -> Option<T>,
    ) -> Option<Vec<T>> {
        let values = self.list(json, "values", read)?;
        matches!(json, Json::Array(items) if items.len() == values.len()).then_some(values)
    }

    fn listed<T: Element>(
        &mut self,
        dtype: DType,
        shape: Shape,
        json: &Json<'s>,
        read: impl FnMut(&mut Cursor<'s>, &Json<'s>) -> Option<T>,
    ) -> Option<Tensor> {
        let values = self.complete(json, read)?;
        self.filled(dtype, shape, values)
    }

    /// A tensor of these values, with the last one repeated.
    pub fn filled<T: Element>(&mut self, dtype: DType, shape: Shape, values: Vec<T>) -> Option<Tensor> {
        let mut budget = self.budget;
        let tensor = fill(dtype, shape, values, &mut budget);
        self.budget = budget;
        self.done(tensor)
    }

    fn variant(&mut self, json: &Json<'s>) -> Option<Variant> {
        let [name, metadata, tensors] = self.fields(json, "a variant", &["type_name", "metadata", "tensors"])?;
        let type_name = match name {
            Some(member) => self.member(member, |cx, json| cx.string(json))?,
            None => String::new(),
        };
        let metadata = match metadata {
            Some(member) => self.member(member, |cx, json| cx.base64(json))?,
            None => Bytes::new(),
        };
        let tensors = match tensors {
            Some(member) => self.member(member, |cx, json| cx.complete(json, Cursor::tensor))?,
            None => Vec::new(),
        };
        if type_name.is_empty() {
            return Some(Variant::default());
        }
        Some(Variant::new(EncodedVariant { type_name, metadata, tensors }))
    }
}

type Fields<'j, 's> = [Option<&'j Member<'s>>; FIELDS.len()];

const FIELDS: [&str; 18] = [
    "dtype",
    "tensor_shape",
    "version_number",
    "tensor_content",
    "half_val",
    "float_val",
    "double_val",
    "int_val",
    "string_val",
    "scomplex_val",
    "int64_val",
    "bool_val",
    "dcomplex_val",
    "resource_handle_val",
    "variant_val",
    "uint32_val",
    "uint64_val",
    "float8_val",
];
const DTYPE: usize = 0;
const SHAPE: usize = 1;
const CONTENT: usize = 3;

/// The field that holds the values of a dtype.
pub(crate) fn list_name(dtype: DType) -> &'static str {
    match dtype.storage() {
        DType::F16 | DType::BF16 => "half_val",
        _ if dtype.is_narrow_float() => "float8_val",
        DType::F32 => "float_val",
        DType::F64 => "double_val",
        DType::Str => "string_val",
        DType::C64 => "scomplex_val",
        DType::I64 => "int64_val",
        DType::Bool => "bool_val",
        DType::C128 => "dcomplex_val",
        DType::Resource => "resource_handle_val",
        DType::Variant => "variant_val",
        DType::U32 => "uint32_val",
        DType::U64 => "uint64_val",
        _ => "int_val",
    }
}

/// The error for values in a field that a tensor of this dtype does not use.
pub(crate) fn misplaced(dtype: DType, field: &str) -> Error {
    Error::invalid(format!("the values of a tensor of {dtype} are in the wrong field"))
        .expected(camel(list_name(dtype)))
        .found(camel(field))
}

/// Runs `read` on a standalone value; returns all its faults in one error.
pub(crate) fn standalone<'s, T>(
    json: &Json<'s>,
    read: impl FnOnce(&mut Cursor<'s>, &Json<'s>) -> Option<T>,
) -> Result<T> {
    reading(|cx| read(cx, json))
}

/// Runs `read` with its own cursor; returns all its faults in one error.
pub(crate) fn reading<'s, T>(read: impl FnOnce(&mut Cursor<'s>) -> Option<T>) -> Result<T> {
    let mut cx = Cursor::new("");
    let value = cx.within(Step::Key("value"), None, read);
    match (value, cx.faults.is_empty()) {
        (Some(value), true) => Ok(value),
        _ => {
            let faults = cx.faults.into_iter().map(|f| f.error.path(f.path)).collect();
            Err(Error::join(faults).unwrap_or_else(|| Error::internal("a value was refused without a reason")))
        }
    }
}
