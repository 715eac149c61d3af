//! Makes tables fit a terminal by eliding the middle of long cells in the widest columns. Output to a pipe or a file is
//! not changed.

use crate::term::terminal_width;

/// No column gets narrower.
const LEAST: usize = 16;
/// Stands for elided text.
const GAP: &str = "...";

/// The text, with its tables fitted to the terminal if standard output is one.
pub fn fit(text: &str) -> String {
    match terminal_width() {
        Some(width) => fit_to(text, width),
        None => text.to_owned(),
    }
}

/// The text with tables of at most `width` columns, as far as possible. Tables are consecutive lines whose columns are
/// at least two spaces apart.
fn fit_to(text: &str, width: usize) -> String {
    let lines: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
    let mut out = String::with_capacity(text.len());
    for block in lines.split_inclusive(|line| line.is_empty()) {
        let columns = columns(block);
        let longest = block.iter().map(Vec::len).max().unwrap_or(0);
        if longest <= width || columns.len() < 2 || block.len() < 2 {
            block.iter().for_each(|line| push(&mut out, line.iter().copied()));
            continue;
        }
        let widths = narrowed(&columns, longest - width);
        for line in block {
            let mut fitted: Vec<char> = Vec::with_capacity(width);
            for (i, (&(start, end), &narrow)) in columns.iter().zip(&widths).enumerate() {
                let gap = if i == 0 { start } else { start - columns[i - 1].1 };
                fitted.extend(std::iter::repeat_n(' ', gap));
                let cell = &line[start.min(line.len())..end.min(line.len())];
                fitted.extend(cut(cell, end - start, narrow));
            }
            push(&mut out, fitted.into_iter());
        }
    }
    out
}

fn push(out: &mut String, line: impl Iterator<Item = char>) {
    let line: String = line.collect();
    out.push_str(line.trim_end());
    out.push('\n');
}

/// Where columns begin and end: they are separated by two adjacent places that are blank in every line.
fn columns(block: &[Vec<char>]) -> Vec<(usize, usize)> {
    let longest = block.iter().map(Vec::len).max().unwrap_or(0);
    let blank = |at: usize| block.iter().all(|line| line.get(at).is_none_or(|c| *c == ' '));
    let mut columns: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while at < longest {
        if blank(at) {
            at += 1;
            continue;
        }
        let start = at;
        while at < longest && !(blank(at) && (at + 1 >= longest || blank(at + 1))) {
            at += 1;
        }
        columns.push((start, at));
    }
    columns
}

/// Widths of columns reduced by `excess` in total, the widest first.
fn narrowed(columns: &[(usize, usize)], mut excess: usize) -> Vec<usize> {
    let mut widths: Vec<usize> = columns.iter().map(|(start, end)| end - start).collect();
    while excess > 0 {
        let Some(widest) = (0..widths.len()).filter(|&i| widths[i] > LEAST).max_by_key(|&i| widths[i]) else { break };
        widths[widest] -= 1;
        excess -= 1;
    }
    widths
}

/// A cell of a narrowed column: blanks are removed first, then the middle.
fn cut(cell: &[char], full: usize, narrow: usize) -> Vec<char> {
    let left = cell.iter().take_while(|c| **c == ' ').count();
    let text: Vec<char> = cell.iter().skip(left).copied().collect();
    let text: Vec<char> = text.iter().collect::<String>().trim_end().chars().collect();
    let text = if text.len() <= narrow { text } else { middle_out(&text, narrow) };
    // A column is right-aligned if its cells end at its end.
    let to_the_right = left > 0 && cell.len() == full;
    let padding = narrow - text.len();
    let before = if to_the_right { padding } else { left.min(padding) };
    let mut out: Vec<char> = std::iter::repeat_n(' ', before).chain(text).collect();
    out.resize(narrow, ' ');
    out
}

fn middle_out(text: &[char], width: usize) -> Vec<char> {
    let kept = width.saturating_sub(GAP.len());
    // The end of a name is more specific than its beginning.
    let tail = kept.div_ceil(2);
    text[..kept - tail].iter().copied().chain(GAP.chars()).chain(text[text.len() - tail..].iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "\
\x20 took us  node                                      op
     12.5  tower/block_1/conv_1/very_long_name/Conv  Conv2D
      3.0  x                                         Placeholder

2 nodes in all, and a line of words that is longer than any width asked for here
";

    #[test]
    fn the_widest_column_loses_its_middle() {
        let fitted = fit_to(TABLE, 48);
        let row = |a: &str, b: &str, c: &str| format!("{a:>9}  {b:<24}  {c}\n");
        let expected = row("took us", "node", "op")
            + &row("12.5", "tower/bloc...g_name/Conv", "Conv2D")
            + &row("3.0", "x", "Placeholder");
        assert_eq!(fitted, expected + "\n" + TABLE.lines().last().unwrap_or_default() + "\n");
        assert!(fitted.lines().take(3).all(|line| line.chars().count() <= 48));
    }

    #[test]
    fn what_fits_stays_as_it_is() {
        assert_eq!(fit_to(TABLE, 80), TABLE);
        assert_eq!(fit_to("a\n\n\nb\n", 1), "a\n\n\nb\n");
        assert_eq!(fit_to("", 40), "");
    }
}
