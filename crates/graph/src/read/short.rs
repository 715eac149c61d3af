//! Tensors in the short form: nested lists of plain values.

use super::cursor::{Cursor, Step, number, whole};
use super::json::Json;
use crate::dtype::DType;
use crate::error::Error;
use crate::shape::Shape;
use crate::tensor::{Element, Tensor};
use bytes::Bytes;
use half::{bf16, f16};
use num_complex::{Complex32, Complex64};

impl<'s> Cursor<'s> {
    /// A tensor from nested lists. Without a dtype: bool, string, int32 for whole numbers, else float32.
    pub fn short_tensor(&mut self, json: &Json<'s>, dtype: Option<DType>) -> Option<Tensor> {
        let mut dims = Vec::new();
        let mut level = json;
        while let Json::Array(items) = level {
            dims.push(items.len());
            match items.first() {
                Some(first) => level = first,
                None => break,
            }
        }
        let mut leaves = Vec::new();
        self.flatten(json, &dims, &mut leaves)?;
        let shape = self.done(Shape::new(dims))?;
        let dtype = dtype.unwrap_or_else(|| default_dtype(&leaves));
        match dtype.storage() {
            _ if dtype.is_narrow_float() => {
                self.leaves(dtype, shape, &leaves, |cx, v| cx.f64(v).map(|v| dtype.narrow_byte(v)))
            }
            _ if dtype.is_narrow() => self.leaves(dtype, shape, &leaves, |cx, v| {
                let value = cx.int::<i32>(v)?;
                let byte = dtype.narrow_byte(value.into());
                match dtype.narrow_value(byte) as i32 == value {
                    true => Some(byte),
                    false => cx.expected(format!("{dtype} values"), "the number is too large or too small", v),
                }
            }),
            DType::F32 => self.leaves(dtype, shape, &leaves, Cursor::f32),
            DType::F64 => self.leaves(dtype, shape, &leaves, Cursor::f64),
            DType::F16 => self.leaves(dtype, shape, &leaves, |cx, v| cx.f64(v).map(f16::from_f64)),
            DType::BF16 => self.leaves(dtype, shape, &leaves, |cx, v| cx.f64(v).map(bf16::from_f64)),
            DType::I8 => self.leaves(dtype, shape, &leaves, Cursor::int::<i8>),
            DType::I16 => self.leaves(dtype, shape, &leaves, Cursor::int::<i16>),
            DType::I32 => self.leaves(dtype, shape, &leaves, Cursor::int::<i32>),
            DType::I64 => self.leaves(dtype, shape, &leaves, Cursor::int::<i64>),
            DType::U8 => self.leaves(dtype, shape, &leaves, Cursor::int::<u8>),
            DType::U16 => self.leaves(dtype, shape, &leaves, Cursor::int::<u16>),
            DType::U32 => self.leaves(dtype, shape, &leaves, Cursor::int::<u32>),
            DType::U64 => self.leaves(dtype, shape, &leaves, Cursor::int::<u64>),
            DType::Bool => self.leaves(dtype, shape, &leaves, Cursor::bool),
            DType::Str => self.leaves(dtype, shape, &leaves, Cursor::text_or_bytes),
            DType::C64 => self
                .leaves(dtype, shape, &leaves, |cx, v| cx.complex(v).map(|c| Complex32::new(c.re as f32, c.im as f32))),
            DType::C128 => self.leaves(dtype, shape, &leaves, Cursor::complex),
            _ => {
                self.fault(Error::unimplemented(format!("{dtype} tensors in a file are not supported")));
                None
            }
        }
    }

    /// Appends the leaves in row-major order; a fault if the sizes of the lists do not match `dims`.
    fn flatten<'j>(&mut self, json: &'j Json<'s>, dims: &[usize], leaves: &mut Vec<&'j Json<'s>>) -> Option<()> {
        match (json, dims.split_first()) {
            (Json::Array(items), Some((&n, inner))) if items.len() == n => {
                for (i, item) in items.iter().enumerate() {
                    self.within(Step::Index(i), item.landmark(), |cx| cx.flatten(item, inner, leaves))?;
                }
                Some(())
            }
            (Json::Array(_), None) => self.expected("a value", "the lists are nested to different depths", json),
            (_, Some((&n, _))) => {
                let values = if n == 1 { "value" } else { "values" };
                self.expected(
                    format!("a list of {n} {values}, as before"),
                    "the lists of one level differ in length",
                    json,
                )
            }
            (leaf, None) => {
                leaves.push(leaf);
                Some(())
            }
        }
    }

    fn leaves<T: Element>(
        &mut self,
        dtype: DType,
        shape: Shape,
        leaves: &[&Json<'s>],
        mut read: impl FnMut(&mut Cursor<'s>, &Json<'s>) -> Option<T>,
    ) -> Option<Tensor> {
        let before = self.faults.len();
        let mut values = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            match read(self, leaf) {
                Some(value) => values.push(value),
                None => {
                    // One wrong value per tensor is enough to report.
                    self.faults.truncate(before + 1);
                    if let Some(fault) = self.faults.last_mut() {
                        let expected = format!("{dtype} values");
                        fault.error = fault.error.clone().expected(expected);
                        if dtype == DType::I32 && whole(leaf).is_some() {
                            fault.error = fault.error.clone().help("write \"dtype\": \"int64\"");
                        }
                    }
                    return None;
                }
            }
        }
        self.filled(dtype, shape, values)
    }

    /// A string: text, or bytes as `{"base64": "..."}`, which TensorFlow Serving calls `b64`.
    fn text_or_bytes(&mut self, json: &Json<'s>) -> Option<Bytes> {
        if !matches!(json, Json::Object(_)) {
            return self.string(json).map(|text| Bytes::from(text.into_bytes()));
        }
        let [long, short] = self.fields(json, "a string", &["base64", "b64"])?;
        match long.or(short) {
            Some(member) => self.member(member, Cursor::base64),
            None => self.expected("text, or {\"base64\": \"...\"}", "this is not a string", json),
        }
    }

    /// A complex number: a real one, or text such as `1.5-2j`.
    fn complex(&mut self, json: &Json<'s>) -> Option<Complex64> {
        if let Some(re) = number(json) {
            return Some(Complex64::new(re, 0.0));
        }
        let parsed = json.as_str().and_then(|s| s.parse::<Complex64>().ok());
        match parsed {
            Some(value) => Some(value),
            None => self.expected("a number, or text such as \"1.5-2j\"", "this is not a complex number", json),
        }
    }
}

fn default_dtype(leaves: &[&Json<'_>]) -> DType {
    match leaves.first() {
        Some(Json::Bool(_)) => DType::Bool,
        Some(Json::Str(_) | Json::Object(_)) => DType::Str,
        Some(_) if leaves.iter().all(|v| matches!(v, Json::Int(_) | Json::UInt(_))) => DType::I32,
        _ => DType::F32,
    }
}
