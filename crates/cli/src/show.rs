//! Tensors and tables for people.

use levada::Tensor;
use levada::graph::{Bytes, dispatch};

/// Columns of text, each as wide as its widest cell. `align` has `l` or `r` for each column.
pub fn table<const N: usize>(align: &str, rows: &[[String; N]]) -> String {
    let widths: [usize; N] = std::array::from_fn(|i| rows.iter().map(|r| r[i].chars().count()).max().unwrap_or(0));
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (i, (cell, side)) in row.iter().zip(align.chars()).enumerate() {
            let width = widths[i];
            let gap = if i == 0 { "" } else { "  " };
            match side {
                'r' => line.push_str(&format!("{gap}{cell:>width$}")),
                _ => line.push_str(&format!("{gap}{cell:<width$}")),
            }
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Named tensors: name, type and value, small matrices row by row, a text of several lines line by line.
pub fn tensors(named: &[(String, Tensor)]) -> String {
    let width = named.iter().map(|(n, _)| n.chars().count()).max().unwrap_or(0);
    let type_of = |t: &Tensor| format!("{}{}", t.dtype(), t.shape());
    let type_width = named.iter().map(|(_, t)| type_of(t).chars().count()).max().unwrap_or(0);
    let mut out = String::new();
    for (name, tensor) in named {
        let line = format!("{name:<width$}  {:<type_width$}", type_of(tensor));
        match matrix(tensor).or_else(|| lines(tensor)) {
            Some(rows) => out.push_str(&format!("{}\n{rows}", line.trim_end())),
            None => out.push_str(&format!("{line}  {}\n", value(tensor))),
        }
    }
    out
}

/// The value of a tensor in one line; the middle of long axes is left out.
pub fn value(tensor: &Tensor) -> String {
    let cells = match cells(tensor) {
        Some(cells) => cells,
        None => return format!("<{}>", tensor.dtype()),
    };
    nested(tensor.shape(), &cells, 0)
}

fn nested(dims: &[usize], cells: &[String], base: usize) -> String {
    let Some((&n, inner)) = dims.split_first() else { return cells[base].clone() };
    let (limit, edge) = if inner.is_empty() { (16, 4) } else { (4, 2) };
    let stride: usize = inner.iter().product();
    let mut parts = Vec::new();
    for i in 0..n {
        if n > limit && (edge..n - edge).contains(&i) {
            if i == edge {
                parts.push("...".to_owned());
            }
            continue;
        }
        parts.push(nested(inner, cells, base + i * stride));
    }
    format!("[{}]", parts.join(", "))
}

/// A matrix that fits a screen as aligned rows.
fn matrix(tensor: &Tensor) -> Option<String> {
    let &[rows, columns] = tensor.shape().dims() else { return None };
    if rows < 2 || columns < 2 || rows > 40 || columns > 20 {
        return None;
    }
    let cells = cells(tensor)?;
    let width = cells.iter().map(|c| c.chars().count()).max().unwrap_or(0);
    if columns * (width + 2) > 118 {
        return None;
    }
    let line = |row: &[String]| row.iter().map(|c| format!("  {c:>width$}")).collect::<String>() + "\n";
    Some(cells.chunks(columns).map(line).collect())
}

/// A single string of several lines, with whatever else is not printable escaped.
fn lines(tensor: &Tensor) -> Option<String> {
    let [text] = tensor.slice::<Bytes>().ok()? else { return None };
    let text = String::from_utf8_lossy(text);
    let shown = |c: char| if c.is_control() && c != '\t' { c.escape_default().to_string() } else { c.to_string() };
    let line = |line: &str| format!("  {}", line.chars().map(shown).collect::<String>()).trim_end().to_owned() + "\n";
    text.trim_end().contains('\n').then(|| text.trim_end().split('\n').map(line).collect())
}

/// The elements as text. `None` for tensors without elements to show.
fn cells(tensor: &Tensor) -> Option<Vec<String>> {
    if let Ok(strings) = tensor.slice::<Bytes>() {
        return Some(strings.iter().map(|s| format!("{:?}", String::from_utf8_lossy(s))).collect());
    }
    dispatch!(tensor.dtype(), plain, |T| {
        Some(tensor.slice::<T>().ok()?.iter().map(|v| format!("{v:?}")).collect())
    }, else None)
}

/// A duration with three digits that count: `3.21 ms`.
pub fn time(ns: f64) -> String {
    let (value, unit) = match ns {
        n if n < 1e3 => (n, "ns"),
        n if n < 1e6 => (n / 1e3, "us"),
        n if n < 1e9 => (n / 1e6, "ms"),
        n => (n / 1e9, "s"),
    };
    let digits = match value {
        v if v < 10.0 => 2,
        v if v < 100.0 => 1,
        _ => 0,
    };
    format!("{value:.digits$} {unit}")
}

/// `1 node`, `2 nodes`.
pub fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use levada::Shape;

    #[test]
    fn tensors_are_shortened_and_small_matrices_aligned() {
        let counts = Tensor::from_vec(Shape::new([2, 2]).unwrap(), vec![31i32, 0, 2, 138]).unwrap();
        let long = Tensor::vector((0..100i64).collect());
        let named =
            [("confusion".to_owned(), counts), ("ids:1".to_owned(), long), ("loss".to_owned(), Tensor::scalar(0.5f32))];
        let expected = "\
confusion  int32[2,2]
   31    0
    2  138
ids:1      int64[100]  [0, 1, 2, 3, ..., 96, 97, 98, 99]
loss       float32[]   0.5
";
        assert_eq!(tensors(&named), expected);
        let cube = Tensor::zeros(levada::DType::U8, Shape::new([9, 1, 1]).unwrap());
        assert_eq!(value(&cube), "[[[0]], [[0]], ..., [[0]], [[0]]]");
        assert_eq!(value(&Tensor::string("a\"b")), r#""a\"b""#);
        let poem = [("poem".to_owned(), Tensor::string("a\n\n\x1b\"b\"\n"))];
        assert_eq!(tensors(&poem), "poem  string[]\n  a\n\n  \\u{1b}\"b\"\n");
    }

    #[test]
    fn times_have_three_digits() {
        let texts = [5.0, 1_234.0, 12_345_678.0, 123_456_789.0, 2.5e9].map(time);
        assert_eq!(texts, ["5.00 ns", "1.23 us", "12.3 ms", "123 ms", "2.50 s"]);
    }
}
