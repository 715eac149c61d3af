//! The `levada` command: runs, inspects, checks and measures graphs from a terminal.
//!
//! Every verb is a file of this name: it takes its [`args`] and writes to standard output. What is wrong with a graph, a
//! feed or a run goes to standard error with exit code 1; wrong usage is clap's, with exit code 2.

mod args;
mod bench;
mod devices;
mod feed;
mod gradients;
mod inspect;
mod npy;
mod place;
mod prepare;
mod run;
mod runners;
mod show;
mod trace;
mod verify;
mod waiting;

use args::{Cli, Verb};
use clap::Parser;
use std::io::Write;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let done = match Cli::parse().verb {
        Verb::Run(args) => waiting::keep(&args.step, run::run(&args)),
        Verb::Inspect(args) => inspect::inspect(&args),
        Verb::Place(args) => place::place(&args),
        Verb::Verify(args) => verify::verify(&args),
        Verb::Bench(args) => waiting::keep(&args.step, bench::bench(&args)),
        Verb::Gradients(args) => gradients::gradients(&args),
        Verb::Devices => devices::devices(),
        Verb::Trace(args) => trace::trace(&args),
    };
    match done {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes to standard output. A reader that has seen enough (`| head`) is no fault.
fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if written.is_err() {
        std::process::exit(0);
    }
}
