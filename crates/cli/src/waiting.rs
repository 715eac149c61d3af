//! The report of a stalled run.

use crate::args::StepArgs;
use crate::feed::write_file;
use levada::{Result, Waiting};
use std::process::ExitCode;

/// Writes which nodes waited for what if `--waiting` is given and the run failed because of a stall.
///
/// # Errors
/// The run's, or that the file cannot be written.
pub fn keep(args: &StepArgs, done: Result<ExitCode>) -> Result<ExitCode> {
    let Err(error) = &done else { return done };
    if let (Some(path), Some(waiting)) = (&args.waiting, error.report::<Waiting>()) {
        let text = match path.extension().is_some_and(|e| e == "dot" || e == "gv") {
            true => waiting.to_dot(),
            false => format!("{:#}\n", waiting.to_json()),
        };
        write_file(path, text.as_bytes())?;
    }
    done
}
