//! Tensors as readable text. The elements to show are chosen before anything is formatted.

use crate::term;
use levada::graph::{Bytes, Complex32, Complex64, Handle, Variant, bf16, f16};
use levada::{DType, Tensor};

/// Maximum number of matrix rows shown, and how many at each end of a longer matrix.
const ROWS: (usize, usize) = (40, 5);
/// Maximum number of text lines shown.
const LINES: usize = 200;
/// Maximum number of elements of an axis shown, and how many at each end of a longer one: for the last axis and for
/// those before it. If the text does not fit in the line, the next entry is tried.
const FITS: [[(usize, usize); 2]; 4] = [[(16, 4), (4, 2)], [(8, 3), (4, 2)], [(4, 2), (2, 1)], [(2, 1), (2, 1)]];
/// Characters shown of a string that is one of several.
const STRING: usize = 40;

/// Named tensors: name, type and value; matrices row by row, multi-line text line by line.
pub fn tensors(named: &[(String, Tensor)], width: usize) -> String {
    let type_of = |t: &Tensor| format!("{}{}", t.dtype(), t.shape());
    let names = named.iter().map(|(n, _)| term::columns(n)).max().unwrap_or(0);
    let types = named.iter().map(|(_, t)| type_of(t).len()).max().unwrap_or(0);
    let mut out = String::new();
    for (name, tensor) in named {
        let padding = " ".repeat(names - term::columns(name));
        let line = format!("{name}{padding}  {:<types$}", type_of(tensor));
        match matrix(tensor, width).or_else(|| lines(tensor, width)) {
            Some(rows) => out.push_str(&format!("{}\n{rows}", line.trim_end())),
            None => {
                let room = width.saturating_sub(term::columns(&line) + 2).max(20);
                out.push_str(&format!("{line}  {}\n", value(tensor, room)));
            }
        }
    }
    out
}

/// The value of a tensor in one line of at most `width` columns; the middle of long axes is elided.
pub fn value(tensor: &Tensor, width: usize) -> String {
    let mut text = String::new();
    for [last, others] in FITS {
        let mut indices = Vec::new();
        choose(tensor.shape(), 0, last, others, &mut indices);
        let room = if tensor.num_elements() == 1 { width } else { STRING };
        text = nested(tensor.shape(), last, others, &mut cells(tensor, &indices, room).into_iter());
        if term::columns(&text) <= width {
            return text;
        }
    }
    term::cut(&text, width)
}

/// The positions on an axis of `n` elements that are shown, and after how many of them the rest is elided.
fn shown(n: usize, (limit, edge): (usize, usize)) -> (Vec<usize>, Option<usize>) {
    match n > limit {
        true => ((0..edge).chain(n - edge..n).collect(), Some(edge)),
        false => ((0..n).collect(), None),
    }
}

type Limit = (usize, usize);

/// Appends the indices of the elements that are shown, in order.
fn choose(dims: &[usize], base: usize, last: Limit, others: Limit, indices: &mut Vec<usize>) {
    let Some((&n, inner)) = dims.split_first() else { return indices.push(base) };
    let stride: usize = inner.iter().product();
    for i in shown(n, if inner.is_empty() { last } else { others }).0 {
        choose(inner, base + i * stride, last, others, indices);
    }
}

fn nested(dims: &[usize], last: Limit, others: Limit, cells: &mut impl Iterator<Item = String>) -> String {
    let Some((&n, inner)) = dims.split_first() else { return cells.next().unwrap_or_default() };
    let (positions, gap) = shown(n, if inner.is_empty() { last } else { others });
    let mut parts = Vec::new();
    for i in 0..positions.len() {
        if gap == Some(i) {
            parts.push("...".to_owned());
        }
        parts.push(nested(inner, last, others, cells));
    }
    format!("[{}]", parts.join(", "))
}

/// A matrix in aligned rows, cut to the width.
fn matrix(tensor: &Tensor, width: usize) -> Option<String> {
    let &[rows, columns] = tensor.shape().dims() else { return None };
    if rows < 2 || columns < 2 {
        return None;
    }
    let (rows, gap) = shown(rows, ROWS);
    // A column takes at least three places, so of very many only those at the ends can fit.
    let most = width / 3;
    let (tried, _) = shown(columns, (most.max(2), (most / 2).max(1)));
    let indices: Vec<usize> = rows.iter().flat_map(|r| tried.iter().map(move |c| r * columns + c)).collect();
    let cells = cells(tensor, &indices, STRING);
    let widths: Vec<usize> = (0..tried.len())
        .map(|i| cells.iter().skip(i).step_by(tried.len()).map(|c| term::columns(c)).max())
        .map(|w| w.unwrap_or(0))
        .collect();
    // As many as fit, from both ends.
    let fits = |left: usize, right: usize| {
        let kept = widths[..left].iter().chain(&widths[widths.len() - right..]).map(|w| w + 2).sum::<usize>();
        kept + if left + right < columns { 5 } else { 0 } <= width
    };
    let count = (2..=tried.len()).rev().find(|&k| fits(k.div_ceil(2), k / 2)).unwrap_or(2);
    let (left, right) = (count.div_ceil(2), count / 2);
    let mut out = String::new();
    for (i, row) in cells.chunks(tried.len()).enumerate() {
        if gap == Some(i) {
            out.push_str("  ...\n");
        }
        for (j, (cell, width)) in row.iter().zip(&widths).enumerate() {
            if j == left && left + right < columns {
                out.push_str("  ...");
            }
            if j < left || j >= tried.len() - right {
                out.push_str(&format!("  {}{cell}", " ".repeat(width - term::columns(cell))));
            }
        }
        out.push('\n');
    }
    Some(out)
}

/// A single string of several lines, with other unprintable characters escaped.
fn lines(tensor: &Tensor, width: usize) -> Option<String> {
    let [text] = tensor.slice::<Bytes>().ok()? else { return None };
    let text = std::str::from_utf8(text).ok()?.trim_end();
    let shown = |c: char| if c.is_control() && c != '\t' { c.escape_default().to_string() } else { c.to_string() };
    let line = |line: &str| {
        let line: String = line.chars().take(4 * width).map(shown).collect();
        format!("  {}", term::cut(&line, width.saturating_sub(2))).trim_end().to_owned() + "\n"
    };
    let all = text.split('\n').count();
    let mut out: String = text.split('\n').take(LINES).map(line).collect();
    if all > LINES {
        out.push_str(&format!("  ... and {} more lines\n", all - LINES));
    }
    (all > 1).then_some(out)
}

/// The elements at these indices as text; floats all with the same number of digits.
fn cells(tensor: &Tensor, indices: &[usize], room: usize) -> Vec<String> {
    fn each<T: levada::graph::Element>(tensor: &Tensor, indices: &[usize], text: impl Fn(&T) -> String) -> Vec<String> {
        tensor.slice::<T>().map_or_else(|_| Vec::new(), |all| indices.iter().map(|&i| text(&all[i])).collect())
    }
    fn reals<T: levada::graph::Element>(
        tensor: &Tensor,
        indices: &[usize],
        digits: usize,
        read: impl Fn(&T) -> (f64, String),
    ) -> Vec<String> {
        let Ok(all) = tensor.slice::<T>() else { return Vec::new() };
        let (values, shortest): (Vec<f64>, Vec<String>) = indices.iter().map(|&i| read(&all[i])).unzip();
        if let ([value], [text]) = (&values[..], &shortest[..]) {
            return vec![if value.is_finite() { text.clone() } else { special(*value) }];
        }
        let notation = Notation::of(&values, digits, 1);
        values.iter().map(|&v| notation.text(v)).collect()
    }
    fn complex<T: levada::graph::Element>(
        tensor: &Tensor,
        indices: &[usize],
        digits: usize,
        read: impl Fn(&T) -> (f64, f64),
    ) -> Vec<String> {
        let Ok(all) = tensor.slice::<T>() else { return Vec::new() };
        let parts: Vec<f64> = indices.iter().map(|&i| read(&all[i])).flat_map(|(re, im)| [re, im]).collect();
        let notation = Notation::of(&parts, digits, 0);
        let text = |part: &[f64]| {
            let sign = if part[1].is_sign_negative() && !part[1].is_nan() { "-" } else { "+" };
            format!("{}{sign}{}j", notation.text(part[0]), notation.text(part[1].abs()))
        };
        parts.chunks_exact(2).map(text).collect()
    }
    let wide = tensor.widened();
    let tensor = wide.as_ref().unwrap_or(tensor);
    match tensor.dtype().storage() {
        DType::F32 => reals(tensor, indices, 8, |v: &f32| (shortest_f64(*v), format!("{v:?}"))),
        DType::F64 => reals(tensor, indices, 9, |v: &f64| (*v, format!("{v:?}"))),
        DType::F16 => reals(tensor, indices, 5, |v: &f16| (v.to_f64(), format!("{:?}", v.to_f32()))),
        DType::BF16 => reals(tensor, indices, 4, |v: &bf16| (v.to_f64(), format!("{:?}", v.to_f32()))),
        DType::C64 => complex(tensor, indices, 8, |v: &Complex32| (shortest_f64(v.re), shortest_f64(v.im))),
        DType::C128 => complex(tensor, indices, 9, |v: &Complex64| (v.re, v.im)),
        DType::Str => each(tensor, indices, |s: &Bytes| string(s, room)),
        DType::Resource => each(tensor, indices, handle),
        DType::Variant => each(tensor, indices, variant),
        _ => {
            levada::graph::dispatch!(tensor.dtype(), plain, |T| each(tensor, indices, |v: &T| format!("{v:?}")), else {
                vec![format!("<{}>", tensor.dtype()); indices.len()]
            })
        }
    }
}

/// The double whose shortest decimal is that of the float: 0.1 rather than 0.10000000149.
fn shortest_f64(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}

/// How the floats of one tensor are written, so that they can be compared.
enum Notation {
    /// With this many digits after the point.
    Fixed(usize),
    /// With this many digits after the mantissa's point.
    Exponent(usize),
}

impl Notation {
    /// With as many digits as the values have, but at most `digits` significant ones, and at least `least` decimals.
    fn of(values: &[f64], digits: usize, least: usize) -> Notation {
        let finite = || values.iter().copied().filter(|v| v.is_finite() && *v != 0.0);
        let greatest = finite().fold(0.0, |m: f64, v| m.max(v.abs()));
        let smallest = finite().fold(f64::INFINITY, |m, v| m.min(v.abs()));
        let decimals = |text: String| {
            let mantissa = text.split('e').next().unwrap_or_default();
            mantissa.split_once('.').map_or(0, |(_, digits)| digits.len())
        };
        // A very small number begins with hundreds of zeros, so its decimals are not counted.
        let needed =
            if smallest < 1e-12 { usize::MAX } else { finite().map(|v| decimals(v.to_string())).max().unwrap_or(0) };
        let whole = if greatest >= 1.0 { greatest.log10().floor() as usize + 1 } else { 1 };
        let room = digits.saturating_sub(whole);
        if greatest >= 1e8 || (smallest < 1e-4 && needed > room) {
            let needed = finite().map(|v| decimals(format!("{v:e}"))).max().unwrap_or(0);
            return Notation::Exponent(needed.min(digits.saturating_sub(3)));
        }
        Notation::Fixed(needed.min(room).max(least))
    }

    fn text(&self, value: f64) -> String {
        match self {
            _ if !value.is_finite() => special(value),
            Notation::Fixed(decimals) => format!("{value:.decimals$}"),
            Notation::Exponent(decimals) => format!("{value:.decimals$e}"),
        }
    }
}

/// `nan`, `inf`, `-inf`.
fn special(value: f64) -> String {
    match value {
        v if v.is_nan() => "nan".to_owned(),
        v if v > 0.0 => "inf".to_owned(),
        _ => "-inf".to_owned(),
    }
}

/// A quoted string with escapes, in at most about `room` columns; with its length if it is truncated.
fn string(bytes: &[u8], room: usize) -> String {
    let quoted = |part: &[u8]| match std::str::from_utf8(part) {
        Ok(text) => {
            text.chars().map(|c| if c == '\'' { "'".to_owned() } else { c.escape_debug().to_string() }).collect()
        }
        Err(_) => part.escape_ascii().to_string().replace("\\'", "'"),
    };
    let mut part = &bytes[..bytes.len().min(room)];
    // Truncation does not split a character.
    if let (true, Err(e)) = (part.len() < bytes.len(), std::str::from_utf8(part))
        && e.error_len().is_none()
    {
        part = &part[..e.valid_up_to()];
    }
    let text: String = quoted(part);
    let whole = part.len() == bytes.len();
    let ending = format!("... ({} bytes)", bytes.len());
    let room = room.saturating_sub(if whole { 2 } else { 2 + ending.len() }).max(8);
    match whole && term::columns(&text) <= room {
        true => format!("\"{text}\""),
        false => format!("\"{}\"{ending}", console::truncate_str(&text, room, "")),
    }
}

fn handle(handle: &Handle) -> String {
    match &*handle.container {
        "" => format!("<resource {}>", handle.name),
        container => format!("<resource {} in container {container}>", handle.name),
    }
}

fn variant(variant: &Variant) -> String {
    variant.0.as_ref().map_or_else(|| "<empty variant>".to_owned(), |v| format!("<variant {}>", v.type_name()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use levada::Shape;

    fn tensor<T: levada::graph::Element>(dims: &[usize], values: Vec<T>) -> Tensor {
        Tensor::from_vec(Shape::new(dims.iter().copied()).unwrap(), values).unwrap()
    }

    #[test]
    fn tensors_are_shortened_and_matrices_aligned() {
        let named = [
            ("confusion".to_owned(), tensor(&[2, 2], vec![31i32, 0, 2, 138])),
            ("ids:1".to_owned(), Tensor::vector((0..100i64).collect())),
            ("loss".to_owned(), Tensor::scalar(0.5f32)),
        ];
        let expected = "\
confusion  int32[2,2]
  31    0
   2  138
ids:1      int64[100]  [0, 1, 2, 3, ..., 96, 97, 98, 99]
loss       float32[]   0.5
";
        assert_eq!(tensors(&named, 110), expected);
        let poem = [("poem".to_owned(), Tensor::string("a\n\n\x1b\"b\"\n"))];
        assert_eq!(tensors(&poem, 110), "poem  string[]\n  a\n\n  \\u{1b}\"b\"\n");
        let narrow = tensor(&[2, 9], (0..18i32).collect());
        let shown = tensors(&[("m".to_owned(), narrow)], 22);
        assert_eq!(shown, "m  int32[2,9]\n  0   1  ...   7   8\n  9  10  ...  16  17\n");
    }

    #[test]
    fn elements_are_written_as_their_dtype_asks() {
        let complex = |re, im| Complex64::new(re, im);
        let cases: [(Tensor, &str); 17] = [
            (tensor(&[9, 1, 1], vec![0u8; 9]), "[[[0]], [[0]], ..., [[0]], [[0]]]"),
            (Tensor::vector(vec![12f32, 23.0]), "[12.0, 23.0]"),
            (Tensor::vector(vec![0.1f32, 0.25, f32::NAN, f32::NEG_INFINITY]), "[0.10, 0.25, nan, -inf]"),
            (Tensor::vector(vec![1.0f32 / 3.0, 100.0]), "[0.33333, 100.00000]"),
            (Tensor::vector(vec![1e-30f32, 1.0]), "[1e-30, 1e0]"),
            (Tensor::vector(vec![1.5e10f64, 2.0]), "[1.5e10, 2.0e0]"),
            (Tensor::vector(vec![f16::from_f32(0.1), f16::from_f32(2.0)]), "[0.1000, 2.0000]"),
            (Tensor::scalar(bf16::from_f32(1.5)), "1.5"),
            (Tensor::scalar(f32::NAN), "nan"),
            (Tensor::vector(vec![complex(1.0, 2.0), complex(0.5, -1.25)]), "[1.00+2.00j, 0.50-1.25j]"),
            (Tensor::scalar(complex(1.0, f64::NAN)), "1+nanj"),
            (Tensor::vector(vec![true, false]), "[true, false]"),
            (Tensor::string("a\"b\n'ü"), r#""a\"b\n'ü""#),
            (Tensor::scalar(Bytes::from_static(b"\xff\x00a")), r#""\xff\x00a""#),
            (
                Tensor::vector(vec![Bytes::from("x".repeat(1000)); 2]),
                r#"["xxxxxxxxxxxxxxxxxxxxxx"... (1000 bytes), "xxxxxxxxxxxxxxxxxxxxxx"... (1000 bytes)]"#,
            ),
            (Tensor::scalar(Handle { name: "w".into(), ..Handle::default() }), "<resource w>"),
            (Tensor::vector(Vec::<f32>::new()), "[]"),
        ];
        for (tensor, expected) in cases {
            assert_eq!(value(&tensor, 110), expected);
        }
    }

    #[test]
    fn lines_are_no_wider_than_asked_for() {
        let wide = Tensor::vector((0..16).map(|i| f64::from(i) / 7.0).collect());
        let long = Tensor::string("word ".repeat(10_000));
        let large = tensor(&[3000, 300], vec![0.123f32; 900_000]);
        for width in [60, 110] {
            let named = ["a", "b", "c"].map(str::to_owned).into_iter().zip([wide.clone(), long.clone(), large.clone()]);
            let text = tensors(&named.collect::<Vec<_>>(), width);
            assert!(text.lines().all(|l| term::columns(l) <= width) && text.lines().count() == 14, "{text}");
        }
    }
}
