//! `DecodeJSONExample`: converts JSON examples to the binary messages that the other ops of the family parse.

use crate::prelude::*;
use serde_json::Value;

attrs! {
    /// Converts each `Example` from protobuf's JSON mapping to the binary message.
    pub struct DecodeJSONExample {}
}

pub static DECODE_JSON_EXAMPLE: Def<DecodeJSONExample> = op("DecodeJSONExample")
    .inputs(&[arg("json_examples", is(DType::Str))])
    .outputs(&[arg("binary_examples", is(DType::Str))])
    .shape(|_, cx| {
        cx.same_as_input(0);
        Ok(())
    })
    .kernel(decode_json_example);

fn decode_json_example(_: &DecodeJSONExample, cx: &mut Cx<'_, '_>) -> Result<()> {
    let input = cx.input(0)?;
    let convert = |(i, text): (usize, &Bytes)| {
        let value: Value = serde_json::from_slice(text).map_err(|e| wrong(i, &e.to_string()))?;
        example(&value).map(Bytes::from).ok_or_else(|| wrong(i, "it is not an Example"))
    };
    let messages: Vec<Bytes> = input.slice::<Bytes>()?.iter().enumerate().map(convert).collect::<Result<_>>()?;
    let output = Tensor::from_vec(input.shape().clone(), messages)?;
    cx.set(0, output);
    Ok(())
}

fn wrong(i: usize, why: &str) -> Error {
    Error::invalid(format!("Error while parsing JSON: {why}")).found(format!("example {i}"))
}

/// A member under either of its names; null counts as missing.
fn member<'v>(value: &'v Value, names: [&str; 2]) -> Option<&'v Value> {
    names.iter().find_map(|name| value.get(name)).filter(|v| !v.is_null())
}

/// `Some` if an object has no members other than these.
fn only(value: &Value, names: &[&str]) -> Option<()> {
    value.as_object()?.keys().all(|key| names.contains(&key.as_str())).then_some(())
}

fn field(out: &mut Vec<u8>, number: u8, bytes: &[u8]) {
    out.push(number << 3 | 2);
    varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn example(value: &Value) -> Option<Vec<u8>> {
    only(value, &["features"])?;
    let mut out = Vec::new();
    if let Some(features) = member(value, ["features"; 2]) {
        only(features, &["feature"])?;
        let mut map = Vec::new();
        for (name, value) in
            member(features, ["feature"; 2]).map_or(Some(vec![]), |f| Some(f.as_object()?.iter().collect()))?
        {
            let mut entry = Vec::new();
            field(&mut entry, 1, name.as_bytes());
            field(&mut entry, 2, &feature(value)?);
            field(&mut map, 1, &entry);
        }
        field(&mut out, 1, &map);
    }
    Some(out)
}

fn feature(value: &Value) -> Option<Vec<u8>> {
    only(value, &["bytesList", "bytes_list", "floatList", "float_list", "int64List", "int64_list"])?;
    let mut out = Vec::new();
    let kinds: [([&str; 2], u8); 3] =
        [(["bytesList", "bytes_list"], 1), (["floatList", "float_list"], 2), (["int64List", "int64_list"], 3)];
    for (names, number) in kinds {
        let Some(list) = member(value, names) else { continue };
        only(list, &["value"])?;
        let values = member(list, ["value"; 2]).map_or(Some(&[][..]), |v| Some(v.as_array()?.as_slice()))?;
        let mut list_bytes = Vec::new();
        match number {
            1 => values.iter().try_for_each(|v| {
                field(&mut list_bytes, 1, &base64(v.as_str()?)?);
                Some(())
            })?,
            // Value by value, as TensorFlow writes them here.
            2 => values.iter().try_for_each(|v| {
                list_bytes.push(0x0d);
                list_bytes.extend_from_slice(&float(v)?.to_le_bytes());
                Some(())
            })?,
            _ => values.iter().try_for_each(|v| {
                list_bytes.push(0x08);
                varint(&mut list_bytes, int(v)? as u64);
                Some(())
            })?,
        }
        field(&mut out, number, &list_bytes);
    }
    Some(out)
}

fn float(value: &Value) -> Option<f32> {
    match value {
        Value::String(text) => match text.as_str() {
            "NaN" => Some(f32::NAN),
            "Infinity" => Some(f32::INFINITY),
            "-Infinity" => Some(f32::NEG_INFINITY),
            digits => digits.parse().ok(),
        },
        number => number.as_f64().map(|v| v as f32),
    }
}

fn int(value: &Value) -> Option<i64> {
    match value {
        Value::String(digits) => digits.parse().ok(),
        number => number.as_i64().or_else(|| number.as_f64().filter(|v| v.fract() == 0.0).map(|v| v as i64)),
    }
}

/// Decodes base64, in either alphabet, padded or not.
fn base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=').as_bytes();
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for group in text.chunks(4) {
        let mut bits = 0u32;
        for byte in group {
            let six = match byte {
                b'A'..=b'Z' => byte - b'A',
                b'a'..=b'z' => byte - b'a' + 26,
                b'0'..=b'9' => byte - b'0' + 52,
                b'+' | b'-' => 62,
                b'/' | b'_' => 63,
                _ => return None,
            };
            bits = bits << 6 | u32::from(six);
        }
        match group.len() {
            4 => out.extend_from_slice(&bits.to_be_bytes()[1..]),
            3 => out.extend_from_slice(&(bits << 6).to_be_bytes()[1..3]),
            2 => out.extend_from_slice(&(bits << 12).to_be_bytes()[1..2]),
            _ => return None,
        }
    }
    Some(out)
}
