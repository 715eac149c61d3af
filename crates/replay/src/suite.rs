//! Replays a whole file of cases, several at a time.

use crate::case::{Case, Title};
use crate::replay::{Limits, Outcome, replay};
use crate::runtime::Runtime;
use flate2::read::MultiGzDecoder;
use levada_graph::{Code, Error, Result};
use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Which cases to replay, and how.
#[derive(Clone, Debug)]
pub struct Suite {
    /// Only cases whose name contains this, or that have an op with this name.
    pub filter: Option<String>,
    /// Number of concurrent cases.
    pub jobs: usize,
    /// Time limits and tolerances.
    pub limits: Limits,
}

/// A case and its outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Name of the case.
    pub name: String,
    /// Its outcome.
    pub outcome: Outcome,
}

/// The number of cases by outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Cases that passed.
    pub passed: usize,
    /// Cases that failed.
    pub failed: usize,
    /// Cases that were skipped.
    pub skipped: usize,
}

impl Summary {
    /// Counts rows.
    pub fn of(rows: &[Row]) -> Summary {
        let count = |wanted: fn(&Outcome) -> bool| rows.iter().filter(|r| wanted(&r.outcome)).count();
        Summary {
            passed: count(|o| matches!(o, Outcome::Passed)),
            failed: count(|o| matches!(o, Outcome::Failed(_))),
            skipped: count(|o| matches!(o, Outcome::Skipped(_))),
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

/// The lines of a file of cases, gzipped or not.
///
/// # Errors
/// `NOT_FOUND` or another error if it cannot be read.
pub fn read_lines(path: &Path) -> Result<Vec<String>> {
    let unreadable = |e: std::io::Error| {
        let code = match e.kind() {
            std::io::ErrorKind::NotFound => Code::NotFound,
            std::io::ErrorKind::PermissionDenied => Code::PermissionDenied,
            _ => Code::DataLoss,
        };
        Error::new(code, format!("the file cannot be read: {e}")).file(path.display())
    };
    let mut file = BufReader::new(File::open(path).map_err(unreadable)?);
    let gzipped = file.fill_buf().map_err(unreadable)?.starts_with(&[0x1f, 0x8b]);
    let mut text = String::new();
    match gzipped {
        true => MultiGzDecoder::new(file).read_to_string(&mut text),
        false => file.read_to_string(&mut text),
    }
    .map_err(unreadable)?;
    Ok(text.lines().filter(|l| !l.trim().is_empty()).map(str::to_owned).collect())
}

impl Suite {
    /// Replays the cases in `lines`, calling `done` after each of them. Rows are in the order of the lines.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` for a line that is not a case, after the others have been replayed.
    pub fn run<R: Runtime>(
        &self,
        runtime: &Arc<R>,
        lines: &[String],
        done: &(dyn Fn(&Row) + Sync),
    ) -> Result<Vec<Row>> {
        let next = AtomicUsize::new(0);
        let rows: Mutex<Vec<(usize, Result<Row>)>> = Mutex::new(Vec::new());
        let work = || {
            loop {
                // Only distributes numbers; the lines themselves do not change.
                let i = next.fetch_add(1, Ordering::Relaxed);
                let Some(line) = lines.get(i) else { break };
                let Some(row) = self.line(runtime, line, i + 1).transpose() else { continue };
                if let Ok(row) = &row {
                    done(row);
                }
                rows.lock().unwrap_or_else(PoisonError::into_inner).push((i, row));
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.jobs.max(1) {
                scope.spawn(work);
            }
            work();
        });
        let mut rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
        rows.sort_by_key(|(i, _)| *i);
        rows.into_iter().map(|(_, row)| row).collect()
    }

    fn line<R: Runtime>(&self, runtime: &Arc<R>, line: &str, number: usize) -> Result<Option<Row>> {
        // Most lines do not contain the text, which is cheaper to check than to parse them.
        if self.filter.as_ref().is_some_and(|text| !line.contains(text.as_str())) {
            return Ok(None);
        }
        let case = match Case::parse(line) {
            Ok(case) => case,
            Err(error) if error.code() == Code::Unimplemented => return Ok(self.unreadable(line, &error)),
            Err(error) => return Err(error.line(number)),
        };
        if self.filter.as_ref().is_some_and(|text| !case.matches(text)) {
            return Ok(None);
        }
        let name = case.name.clone();
        let outcome = replay(runtime, case, &self.limits);
        Ok(Some(Row { name, outcome }))
    }

    /// The row of a case with unreadable tensors.
    fn unreadable(&self, line: &str, error: &Error) -> Option<Row> {
        let title = Title::of(line).filter(|t| self.filter.as_ref().is_none_or(|text| t.matches(text)))?;
        let why: Vec<&str> = error.all().map(Error::message).collect();
        Some(Row { name: title.name, outcome: Outcome::Skipped(why.join("; ")) })
    }
}
