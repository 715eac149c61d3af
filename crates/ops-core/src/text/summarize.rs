//! The first elements of a tensor as text, for `Assert`, `Print` and `StringFormat`.

use super::printf::{short_f32, short_f64};
use crate::prelude::*;

/// Returns a tensor in the format of `Assert` and `Print`: at most `limit` elements (all if negative), row by row in
/// brackets, without outer brackets.
pub fn flat(tensor: &Tensor, limit: i64) -> Result<Vec<u8>> {
    let total = tensor.num_elements();
    let limit = usize::try_from(limit).map_or(total, |l| l.min(total));
    let Some(element) = writer(tensor, false)? else { return Ok(opaque(total, limit, false)) };
    let mut out = Vec::new();
    if tensor.shape().is_scalar() {
        if limit > 0 {
            element(&mut out, 0);
        }
    } else {
        rows(&mut out, tensor.shape(), true, limit, &mut 0, &element);
    }
    if total > limit {
        out.extend_from_slice(b"...");
    }
    Ok(out)
}

/// Returns the name of a dtype in TensorFlow's texts: `float`, `double`, `half`, and otherwise the same as here.
pub fn plain_name(dtype: DType) -> &'static str {
    match dtype {
        DType::F32 => "float",
        DType::F64 => "double",
        DType::F16 => "half",
        other => other.name(),
    }
}

/// Number of elements shown in the description of a tensor.
const DESCRIBED: i64 = 3;

/// TensorFlow's description of a tensor inside other values; `None` if its elements are neither numbers nor text.
pub fn described(tensor: &Tensor) -> Option<String> {
    let values = match tensor.slice::<levada_graph::Variant>() {
        Ok([variant]) => format!("<{}>", variant.0.as_ref()?.summary()?),
        Ok(_) => return None,
        Err(_) => String::from_utf8_lossy(&flat(tensor, DESCRIBED).ok()?).into_owned(),
    };
    let dims: Vec<String> = tensor.shape().iter().map(usize::to_string).collect();
    Some(format!("Tensor<type: {} shape: [{}] values: {values}>", plain_name(tensor.dtype()), dims.join(",")))
}

fn rows(
    out: &mut Vec<u8>,
    dims: &[usize],
    outermost: bool,
    limit: usize,
    next: &mut usize,
    element: &dyn Fn(&mut Vec<u8>, usize),
) {
    let Some((&n, inner)) = dims.split_first() else { return };
    if *next >= limit {
        return;
    }
    if inner.is_empty() {
        for i in 0..n {
            if *next >= limit {
                if !outermost {
                    out.extend_from_slice(b"...");
                }
                return;
            }
            if i > 0 {
                out.push(b' ');
            }
            element(out, *next);
            *next += 1;
        }
        return;
    }
    for _ in 0..n {
        let open = *next < limit;
        if open {
            out.push(b'[');
        }
        rows(out, inner, false, limit, next, element);
        if open {
            out.push(b']');
        } else {
            return;
        }
    }
}

/// Returns a tensor in the format of `StringFormat`: the first and last `ends` elements of each axis (all if
/// negative), with brackets and line breaks like NumPy.
pub fn nested(tensor: &Tensor, ends: i64) -> Result<Vec<u8>> {
    let total = tensor.num_elements();
    let limit = usize::try_from(ends).map_or(total, |l| l.min(total));
    let scalar = tensor.shape().is_scalar();
    let Some(element) = writer(tensor, true)? else { return Ok(opaque(total, limit, !scalar)) };
    let mut out = Vec::new();
    if scalar {
        if limit > 0 {
            element(&mut out, 0);
        } else {
            out.extend_from_slice(b"...");
        }
    } else {
        axis(&mut out, tensor.shape(), 0, limit, 0, &element);
    }
    Ok(out)
}

fn axis(
    out: &mut Vec<u8>,
    shape: &[usize],
    depth: usize,
    ends: usize,
    first: usize,
    element: &dyn Fn(&mut Vec<u8>, usize),
) {
    let Some((&n, inner)) = shape[depth..].split_first() else { return element(out, first) };
    let stride: usize = inner.iter().product();
    out.push(b'[');
    for i in 0..n.min(ends) {
        if i > 0 {
            spacing(out, depth, shape.len());
        }
        axis(out, shape, depth + 1, ends, first + stride * i, element);
    }
    if n > 2 * ends {
        spacing(out, depth, shape.len());
        out.extend_from_slice(b"...");
    }
    for i in ends.max(n.saturating_sub(ends))..n {
        spacing(out, depth, shape.len());
        axis(out, shape, depth + 1, ends, first + stride * i, element);
    }
    out.push(b']');
}

fn spacing(out: &mut Vec<u8>, depth: usize, rank: usize) {
    if depth + 1 == rank {
        out.push(b' ');
        return;
    }
    out.resize(out.len() + rank - depth - 1, b'\n');
    out.resize(out.len() + depth + 1, b' ');
}

/// Elements without a text form.
fn opaque(total: usize, limit: usize, brackets: bool) -> Vec<u8> {
    let mut out = vec!["?"; limit].join(" ");
    if total > limit {
        out.push_str("...");
    }
    if brackets { format!("[{out}]").into_bytes() } else { out.into_bytes() }
}

type Writer<'a> = Box<dyn Fn(&mut Vec<u8>, usize) + 'a>;

/// The function that writes one element; `None` for dtypes whose elements are shown as `?`.
fn writer(tensor: &Tensor, quoted: bool) -> Result<Option<Writer<'_>>> {
    fn with<'a, T: Element>(tensor: &'a Tensor, text: impl Fn(&T) -> String + 'a) -> Result<Option<Writer<'a>>> {
        let items = tensor.slice::<T>()?;
        Ok(Some(Box::new(move |out, i| out.extend_from_slice(text(&items[i]).as_bytes()))))
    }
    match tensor.dtype() {
        DType::F32 => with::<f32>(tensor, |v| short_f32(*v)),
        DType::F64 => with::<f64>(tensor, |v| short_f64(*v)),
        DType::F16 => with::<f16>(tensor, |v| short_f32(v.to_f32())),
        DType::BF16 => with::<bf16>(tensor, |v| short_f32(v.to_f32())),
        DType::Bool => with::<bool>(tensor, |v| u8::from(*v).to_string()),
        DType::Str => {
            let items = tensor.slice::<Bytes>()?;
            Ok(Some(Box::new(move |out, i| {
                let quote: &[u8] = if quoted { b"\"" } else { b"" };
                out.extend_from_slice(quote);
                escape(out, &items[i]);
                out.extend_from_slice(quote);
            })))
        }
        DType::C64 | DType::C128 | DType::Resource | DType::Variant => Ok(None),
        narrow if narrow.is_narrow() => with::<u8>(tensor, move |&v| short_f32(narrow.narrow_value(v))),
        integer => dispatch!(integer.storage(), integers, |T| with::<T>(tensor, |v| v.to_string()), else Ok(None)),
    }
}

/// Escapes as in C, except that bytes from 0x80 on are unchanged.
fn escape(out: &mut Vec<u8>, bytes: &[u8]) {
    for &byte in bytes {
        match byte {
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'"' | b'\'' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            0..0x20 | 0x7f => out.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
            _ => out.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counting(dims: &[usize]) -> Tensor {
        let shape = Shape::new(dims.iter().copied()).unwrap();
        let n = shape.num_elements() as i32;
        Tensor::from_vec(shape, (0..n).collect()).unwrap()
    }

    #[test]
    fn nested_text_keeps_the_ends_of_every_axis() {
        let cases: &[(i64, &[usize], &str)] = &[
            (-1, &[], "0"),
            (0, &[], "..."),
            (3, &[7], "[0 1 2 ... 4 5 6]"),
            (0, &[5], "[ ...]"),
            (1, &[2, 3], "[[0 ... 2]\n [3 ... 5]]"),
            (3, &[0], "[]"),
            (3, &[2, 0], "[\n ...]"),
            (1, &[4, 5, 3], "[[[0 ... 2]\n  ...\n  [12 ... 14]]\n\n ...\n\n [[45 ... 47]\n  ...\n  [57 ... 59]]]"),
        ];
        for (ends, dims, expected) in cases {
            assert_eq!(String::from_utf8(nested(&counting(dims), *ends).unwrap()).unwrap(), *expected);
        }
        let text = Tensor::vector(vec![Bytes::from_static(b"a\n\"\xe2\x82\xac'\0\\\x01")]);
        assert_eq!(nested(&text, 3).unwrap(), b"[\"a\\n\\\"\xe2\x82\xac\\'\\000\\\\\\001\"]");
    }

    #[test]
    fn flat_text_stops_at_the_limit() {
        let cases: &[(i64, &[usize], &str)] =
            &[(3, &[7], "0 1 2..."), (-1, &[2, 2], "[0 1][2 3]"), (3, &[2, 2], "[0 1][2...]..."), (0, &[2], "...")];
        for (limit, dims, expected) in cases {
            assert_eq!(String::from_utf8(flat(&counting(dims), *limit).unwrap()).unwrap(), *expected);
        }
    }
}
