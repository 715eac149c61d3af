//! The terminal: its width, its colours, and writing to it.
//!
//! Colours are written to a terminal, and elsewhere if `CLICOLOR_FORCE` is set; `NO_COLOR` and `CLICOLOR=0` turn them
//! off. Output to a pipe or a file does not depend on the width of a terminal.

use levada::{Code, Error};
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::Mutex;

/// Width of lines without a terminal.
const PLAIN_WIDTH: usize = 110;
/// Terminal widths outside this range are clamped.
const WIDTHS: std::ops::RangeInclusive<usize> = 40..=400;
/// Exit code of a command whose reader is gone: 128 plus the number of SIGPIPE, as in shells.
pub const PIPE_CLOSED: u8 = 141;

/// The first error of writing to standard output; nothing is written after it.
static FAILED: Mutex<Option<io::Error>> = Mutex::new(None);

/// The style of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// What is wrong.
    Error,
    /// What to look at first.
    Strong,
    /// A location, or a label before a text.
    Label,
    /// What to do about it.
    Help,
}

/// The text in this style. Write it with [`print`] or [`note`], which drop the style where colours are off.
pub fn styled(style: Style, text: &str) -> String {
    let code = match style {
        Style::Error => "1;31",
        Style::Strong => "1",
        Style::Label => "1;34",
        Style::Help => "1;32",
    };
    format!("\x1b[{code}m{text}\x1b[0m")
}

/// Width of the terminal, if standard output is one.
pub fn terminal_width() -> Option<usize> {
    let (_, columns) = console::Term::stdout().size_checked().filter(|_| io::stdout().is_terminal())?;
    Some(usize::from(columns)).filter(|&columns| columns > 0)
}

/// Columns that a line on standard output may take.
pub fn width() -> usize {
    terminal_width().map_or(PLAIN_WIDTH, |width| width.clamp(*WIDTHS.start(), *WIDTHS.end()))
}

/// Columns that a text takes on a terminal: wide characters take two.
pub fn columns(text: &str) -> usize {
    console::measure_text_width(text)
}

/// The text, truncated to `width` columns with an ellipsis if it is longer.
pub fn cut(text: &str, width: usize) -> String {
    console::truncate_str(text, width, "...").into_owned()
}

/// Writes to standard output. Errors show in [`failed`] and [`reader_is_gone`].
pub fn print(text: &str) {
    let mut failed = FAILED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if failed.is_some() {
        return;
    }
    let mut out = anstream::stdout().lock();
    *failed = out.write_all(text.as_bytes()).and_then(|()| out.flush()).err();
}

/// Writes to standard error, ignoring errors.
pub fn note(text: &str) {
    let mut out = anstream::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// True if the reader of standard output has gone, as `head` does when it has seen enough.
pub fn reader_is_gone() -> bool {
    FAILED.lock().is_ok_and(|failed| failed.as_ref().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe))
}

/// The error of writing to standard output, unless its reader closed it.
pub fn failed() -> Option<Error> {
    let failed = FAILED.lock().ok()?;
    let error = failed.as_ref().filter(|e| e.kind() != ErrorKind::BrokenPipe)?;
    let code = match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Code::ResourceExhausted,
        _ => Code::Unknown,
    };
    Some(Error::new(code, format!("standard output cannot be written: {error}")))
}

/// An error in the same colours as usage errors.
pub fn error(error: &Error) -> String {
    let line = |line: &str| -> String {
        if line.starts_with("error[") {
            let (kind, text) = line.split_once(": ").unwrap_or((line, ""));
            return format!("{}: {}", styled(Style::Error, kind), styled(Style::Strong, text));
        }
        for (label, style) in [
            ("-->", Style::Label),
            ("node:", Style::Label),
            ("attr:", Style::Label),
            ("expected:", Style::Label),
            ("found:", Style::Label),
            ("help:", Style::Help),
        ] {
            if let Some(rest) = line.strip_prefix("  ").and_then(|l| l.strip_prefix(label)) {
                return format!("  {}{rest}", styled(style, label));
            }
        }
        line.to_owned()
    };
    error.to_string().lines().map(|l| line(l) + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_coloured_by_their_parts() {
        let text = error(&Error::invalid("no: good").expected("better").help("try again"));
        let plain = "error[invalid argument]: no: good\n  expected: better\n  help:     try again\n";
        assert_eq!(console::strip_ansi_codes(&text), plain);
        assert!(text.starts_with("\x1b[1;31merror[invalid argument]\x1b[0m: \x1b[1mno: good\x1b[0m\n"));
        assert!(text.contains("  \x1b[1;32mhelp:\x1b[0m     try again"));
    }

    #[test]
    fn texts_are_cut_by_the_columns_that_they_take() {
        assert_eq!(columns("日本"), 4);
        assert_eq!(cut("abcdefgh", 6), "abc...");
        assert_eq!(cut("abc", 3), "abc");
    }
}
