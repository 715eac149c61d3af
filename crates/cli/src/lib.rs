//! The `levada` command: runs, inspects, checks and measures graphs from a terminal.
//!
//! Each verb has a file of its name: it takes its [`args`] and writes to standard output. Errors of a graph, a feed or
//! a run go to standard error with exit code 1; clap reports wrong usage, with exit code 2. If the reader of standard
//! output is gone, the exit code is that of a command ended by SIGPIPE.

mod advice;
mod archive;
mod args;
mod batch;
mod batches;
mod bench;
mod cast;
mod checkpoint;
mod checks;
mod compare;
mod convert;
mod data;
mod devices;
mod elements;
mod examples;
mod explore;
mod feed;
mod fit;
mod freeze;
mod gradients;
mod inspect;
mod interrupt;
mod lacking;
mod lint;
mod memory;
mod model;
mod nan;
mod npy;
mod output;
mod place;
mod plain;
mod prepare;
mod quantize;
mod quiet;
mod record;
mod replay;
pub mod reports;
mod restore;
mod results;
mod run;
mod runners;
mod shell;
mod show;
mod spool;
mod steps;
mod summaries;
mod term;
mod time;
mod trace;
mod verify;
mod view;
mod waiting;
mod wrap;

use args::{Cli, Verb};
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};
use std::ffi::OsString;
use std::process::ExitCode;
use term::print;

/// Runs the command with these arguments; the first is the name of the program.
pub fn main(args: Vec<OsString>) -> ExitCode {
    let done = match parse(args).verb {
        Verb::Run(args) => waiting::keep(&args.step, run::run(&args)),
        Verb::Inspect(args) => inspect::inspect(&args),
        Verb::Lint(args) => lint::lint(&args),
        Verb::Memory(args) => memory::memory(&args),
        Verb::Time(args) => time::time(&args),
        Verb::Compare(args) => compare::compare(&args),
        Verb::Explore(args) => explore::explore(&args),
        Verb::Record(args) => waiting::keep(&args.run.step, record::record(&args)),
        Verb::Replay(args) => replay::replay(&args),
        Verb::Data(args) => data::data(&args),
        Verb::Place(args) => place::place(&args),
        Verb::Verify(args) => verify::verify(&args),
        Verb::Bench(args) => waiting::keep(&args.step, bench::bench(&args)),
        Verb::Gradients(args) => gradients::gradients(&args),
        Verb::Batch(args) => batch::batch(&args),
        Verb::Freeze(args) => freeze::freeze(&args),
        Verb::Quantize(args) => quantize::quantize(&args),
        Verb::Checkpoint(args) => checkpoint::checkpoint(&args),
        Verb::Convert(args) => convert::convert(&args),
        Verb::Devices(args) => devices::devices(&args),
        Verb::Trace(args) => trace::trace(&args),
        Verb::View(args) => view::view(&args),
        Verb::Examples(args) => examples::examples(&args),
        Verb::Completions(args) => shell::completions(&args),
        Verb::Man(args) => shell::man(&args),
    };
    match done.and_then(|code| term::failed().map_or(Ok(code), Err)) {
        Ok(code) if code == ExitCode::SUCCESS && term::reader_is_gone() => term::PIPE_CLOSED.into(),
        Ok(code) => code,
        Err(error) => {
            term::note(&term::error(&error));
            ExitCode::FAILURE
        }
    }
}

/// Parses the command line. The text of `--version` lists the devices, so it is built only on demand.
fn parse(args: Vec<OsString>) -> Cli {
    let mut command = Cli::command();
    if args.get(1).is_some_and(|arg| arg == "--version") {
        command = command.long_version(shell::long_version());
    }
    let matches = command.try_get_matches_from(args).unwrap_or_else(|error| match error.kind() {
        ErrorKind::DisplayHelp => {
            let width = term::terminal_width().map_or(wrap::WIDTH, |columns| columns.min(wrap::WIDTH));
            print(&wrap::wrap(&error.render().ansi().to_string(), width));
            std::process::exit(0);
        }
        _ => error.exit(),
    });
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}
