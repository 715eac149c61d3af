//! `levada record`

use crate::args::RecordArgs;
use crate::{output, run, show};
use levada::recording::{Recorder, file};
use levada::session::Session;
use levada::{Error, Result};
use std::process::ExitCode;

/// Runs steps as `run` does, and writes a recording of them, including failed ones.
///
/// # Errors
/// As [`run::run`], and if the recording cannot be written.
pub fn record(args: &RecordArgs) -> Result<ExitCode> {
    if args.run.step.devices.gpus > 0 {
        return Err(Error::unimplemented("runs on GPUs cannot be recorded").help("leave out --devices"));
    }
    output::check("--recording", &args.recording)?;
    let recorder = Recorder::new();
    let keep = |session: &Session| {
        let recording = recorder.recording(session)?;
        let recording = if args.without_graph { recording.without_graph() } else { recording };
        file::write(&args.recording, &recording)?;
        let (runs, turns) = (show::count(recording.runs.len(), "run"), show::count(recording.num_turns(), "use"));
        let path = args.recording.display();
        Ok(format!("recording of {runs} with {turns} of state in {path}: `levada replay {path}`\n"))
    };
    run::with(&args.run, Some((&recorder, &keep)))
}
