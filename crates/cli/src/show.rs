//! Tables, times and counts as readable text.

use crate::term;

/// Columns of text, each as wide as its widest cell. `align` has `l` or `r` for each column.
pub fn table<const N: usize>(align: &str, rows: &[[String; N]]) -> String {
    let widths: [usize; N] = std::array::from_fn(|i| rows.iter().map(|r| term::columns(&r[i])).max().unwrap_or(0));
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (i, (cell, side)) in row.iter().zip(align.chars()).enumerate() {
            let padding = " ".repeat(widths[i] - term::columns(cell));
            let gap = if i == 0 { "" } else { "  " };
            match side {
                'r' => line.push_str(&format!("{gap}{padding}{cell}")),
                _ => line.push_str(&format!("{gap}{cell}{padding}")),
            }
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// A duration with three significant digits: `3.21 ms`.
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

    #[test]
    fn times_have_three_digits() {
        let texts = [5.0, 1_234.0, 12_345_678.0, 123_456_789.0, 2.5e9].map(time);
        assert_eq!(texts, ["5.00 ns", "1.23 us", "12.3 ms", "123 ms", "2.50 s"]);
    }
}
