//! Readable descriptions of constants: values, a summary, a histogram, a picture.

use levada_graph::{Bytes, Tensor};
use serde_json::{Value, json};

/// Constants of up to this many elements are shown in full.
const SHOWN: usize = 64;
/// The maximum number of elements that are examined in larger tensors.
const LOOKED_AT: usize = 1 << 20;
/// Number of columns of a histogram.
const BINS: usize = 32;
/// Maximum side length of a picture, in pixels.
const SIDE: usize = 48;
/// Maximum number of bytes of a text that are shown.
const TEXT: usize = 200;

/// The description of a constant on the page. Large constants get a picture only with `with_picture`.
pub fn describe(tensor: &Tensor, numbers: &dyn Fn(&Tensor) -> Option<Vec<f64>>, with_picture: bool) -> Value {
    let n = tensor.num_elements();
    let mut out = json!({"dtype": tensor.dtype().name(), "shape": tensor.shape().dims(), "bytes": tensor.num_bytes()});
    if let Ok(texts) = tensor.slice::<Bytes>() {
        out["texts"] = texts.iter().take(SHOWN).map(|text| Value::from(shown(text))).collect();
        return out;
    }
    let looked_at = match n {
        n if n > LOOKED_AT => tensor.part(0, levada_graph::Shape::vector(LOOKED_AT)).ok(),
        _ => Some(tensor.clone()),
    };
    let Some(values) = looked_at.as_ref().and_then(numbers) else { return out };
    if n <= SHOWN {
        out["values"] = values.iter().map(|&v| number(v)).collect();
        return out;
    }
    let finite = || values.iter().copied().filter(|v| v.is_finite());
    let (low, high) = finite().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    let count = finite().count();
    out["looked_at"] = json!(values.len());
    out["not_finite"] = json!(values.len() - count);
    if count == 0 {
        return out;
    }
    let mean = finite().sum::<f64>() / count as f64;
    let variance = finite().map(|v| (v - mean).powi(2)).sum::<f64>() / count as f64;
    let at = |v: f64, parts: usize| (((v - low) / (high - low)) * parts as f64) as usize;
    let mut bins = vec![0u64; BINS];
    for v in finite() {
        bins[if high > low { at(v, BINS).min(BINS - 1) } else { 0 }] += 1;
    }
    out["first"] = values.iter().take(8).map(|&v| number(v)).collect();
    out["min"] = number(low);
    out["max"] = number(high);
    out["mean"] = number(mean);
    out["std"] = number(variance.sqrt());
    out["zeros"] = json!(finite().filter(|&v| v == 0.0).count());
    out["bins"] = json!(bins);
    if with_picture
        && high > low
        && let Some((width, height)) = sides(tensor.shape().dims(), values.len())
    {
        let (across, down) = (width.min(SIDE), height.min(SIDE));
        let level = |y: usize, x: usize| {
            let v = values[(y * height / down) * width + x * width / across];
            if v.is_finite() { at(v, 255).min(255) as u8 } else { 0 }
        };
        let pixels: Vec<u8> =
            (0..down).flat_map(|y| (0..across).map(move |x| (y, x))).map(|(y, x)| level(y, x)).collect();
        let pixels = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, pixels);
        out["picture"] = json!({"width": across, "height": down, "pixels": pixels});
    }
    out
}

/// Width and height of a picture of a tensor: its last axis by all others.
fn sides(dims: &[usize], values: usize) -> Option<(usize, usize)> {
    let &width = dims.last().filter(|_| dims.len() >= 2)?;
    let height = values.checked_div(width)?;
    (width >= 2 && height >= 2).then_some((width, height))
}

/// A number as JSON; values that are not finite as text.
fn number(v: f64) -> Value {
    if v.is_finite() { json!(v) } else { Value::from(v.to_string()) }
}

/// The beginning of a byte string, as text.
pub fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(TEXT)]);
    if bytes.len() > TEXT { format!("{text}… ({} bytes)", bytes.len()) } else { text.into_owned() }
}
