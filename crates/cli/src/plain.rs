//! Elements of tensors for programs: as JSON and as cells of a table, with all significant digits.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use levada::Tensor;
use levada::graph::{Bytes, Complex32, Complex64, Handle, Variant, bf16, dispatch, f16};

/// Appends a tensor as nested JSON lists; a scalar as a plain value. Non-finite floats are the strings that feeds
/// accept too, complex numbers are pairs, strings that are not UTF-8 are objects with their bytes in base64, and
/// handles and variants are null.
pub fn json(tensor: &Tensor, out: &mut String) {
    let wide = tensor.widened();
    let tensor = wide.as_ref().unwrap_or(tensor);
    dispatch!(tensor.dtype(), any, |T| match tensor.slice::<T>() {
        Ok(elements) => nested(tensor.shape(), &mut elements.iter(), out),
        Err(_) => out.push_str("null"),
    }, else out.push_str("null"))
}

fn nested<'t, T: Plain + 't>(dims: &[usize], elements: &mut impl Iterator<Item = &'t T>, out: &mut String) {
    match dims.split_first() {
        None => match elements.next() {
            Some(element) => element.json(out),
            None => out.push_str("null"),
        },
        Some((&n, inner)) => {
            out.push('[');
            for i in 0..n {
                if i > 0 {
                    out.push_str(", ");
                }
                nested(inner, elements, out);
            }
            out.push(']');
        }
    }
}

/// Appends `{"a": 1, "b": [2, 3]}`; names without a tensor are null. A name may occur several times, and the last
/// counts.
pub fn object<'a>(named: impl IntoIterator<Item = (&'a str, Option<&'a Tensor>)>, out: &mut String) {
    out.push('{');
    for (i, (name, tensor)) in named.into_iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        out.push_str(&quoted(name));
        out.push_str(": ");
        match tensor {
            Some(tensor) => json(tensor, out),
            None => out.push_str("null"),
        }
    }
    out.push('}');
}

/// Appends the cells of elements `from..to` of a tensor, each after a comma.
pub fn cells(tensor: &Tensor, from: usize, to: usize, out: &mut String) {
    let wide = tensor.widened();
    let tensor = wide.as_ref().unwrap_or(tensor);
    dispatch!(tensor.dtype(), any, |T| {
        for element in tensor.slice::<T>().ok().and_then(|all| all.get(from..to)).unwrap_or_default() {
            out.push(',');
            out.push_str(&cell(&element.text()));
        }
    }, else ())
}

/// A cell of a table, quoted if necessary.
pub fn cell(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

/// A string in JSON.
pub fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// An element.
trait Plain {
    /// Appends it as JSON.
    fn json(&self, out: &mut String);
    /// Returns it as the text of a cell.
    fn text(&self) -> String;
}

macro_rules! as_display {
    ($($T:ty),*) => {
        $(impl Plain for $T {
            fn json(&self, out: &mut String) { out.push_str(&self.to_string()); }
            fn text(&self) -> String { self.to_string() }
        })*
    };
}

macro_rules! as_float {
    ($($T:ty, $wide:expr;)*) => {
        $(impl Plain for $T {
            fn json(&self, out: &mut String) {
                let wide = $wide(*self);
                match wide {
                    v if v.is_nan() => out.push_str("\"NaN\""),
                    v if v.is_infinite() => out.push_str(if v > 0.0 { "\"Infinity\"" } else { "\"-Infinity\"" }),
                    // Debug prints the shortest digits that round-trip, with an exponent where that is shorter.
                    v => out.push_str(&format!("{v:?}")),
                }
            }
            fn text(&self) -> String {
                let wide = $wide(*self);
                if wide.is_nan() { "nan".to_owned() } else { format!("{wide:?}") }
            }
        })*
    };
}

as_display!(bool, i8, i16, i32, i64, u8, u16, u32, u64);
as_float! {
    f32, std::convert::identity;
    f64, std::convert::identity;
    f16, f16::to_f32;
    bf16, bf16::to_f32;
}

macro_rules! as_pair {
    ($($T:ty),*) => {
        $(impl Plain for $T {
            fn json(&self, out: &mut String) {
                out.push('[');
                self.re.json(out);
                out.push_str(", ");
                self.im.json(out);
                out.push(']');
            }
            fn text(&self) -> String {
                let (re, im) = (self.re.text(), self.im.text());
                let sign = if im.starts_with('-') { "" } else { "+" };
                format!("{re}{sign}{im}j")
            }
        })*
    };
}
as_pair!(Complex32, Complex64);

impl Plain for Bytes {
    fn json(&self, out: &mut String) {
        match std::str::from_utf8(self) {
            Ok(text) => out.push_str(&quoted(text)),
            Err(_) => out.push_str(&format!("{{\"base64\": \"{}\"}}", BASE64_STANDARD.encode(self))),
        }
    }

    fn text(&self) -> String {
        std::str::from_utf8(self).map_or_else(|_| self.escape_ascii().to_string(), str::to_owned)
    }
}

macro_rules! without_value {
    ($($T:ty),*) => {
        $(impl Plain for $T {
            fn json(&self, out: &mut String) { out.push_str("null"); }
            fn text(&self) -> String { String::new() }
        })*
    };
}
without_value!(Handle, Variant);

#[cfg(test)]
mod tests {
    use super::*;
    use levada::Shape;

    #[test]
    fn elements_are_json_and_cells() {
        let nan = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.1, 1e-30, 3.0];
        let cases: [(Tensor, &str, &str); 8] = [
            (Tensor::scalar(0.1f32), "0.1", ",0.1"),
            (
                Tensor::vector(nan.to_vec()),
                r#"["NaN", "Infinity", "-Infinity", 0.1, 1e-30, 3.0]"#,
                ",nan,inf,-inf,0.1,1e-30,3.0",
            ),
            (Tensor::vector(vec![bf16::from_f32(1.5), bf16::NAN]), r#"[1.5, "NaN"]"#, ",1.5,nan"),
            (Tensor::scalar(Complex32::new(1.0, -2.5)), "[1.0, -2.5]", ",1.0-2.5j"),
            (Tensor::string("a \"b\",\nü"), r#""a \"b\",\nü""#, ",\"a \"\"b\"\",\nü\""),
            (Tensor::scalar(Bytes::from_static(b"\xff\x00")), r#"{"base64": "/wA="}"#, ",\\xff\\x00"),
            (Tensor::from_vec(Shape::new([2, 0]).unwrap(), Vec::<i64>::new()).unwrap(), "[[], []]", ""),
            (Tensor::vector(vec![i64::MIN, 7]), "[-9223372036854775808, 7]", ",-9223372036854775808,7"),
        ];
        for (tensor, expected, expected_cells) in cases {
            let (mut text, mut table) = (String::new(), String::new());
            json(&tensor, &mut text);
            cells(&tensor, 0, tensor.num_elements(), &mut table);
            assert_eq!((text.as_str(), table.as_str()), (expected, expected_cells));
            serde_json::from_str::<serde_json::Value>(&text).unwrap();
        }
    }
}
