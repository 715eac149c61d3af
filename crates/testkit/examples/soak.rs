//! Sends elements through a queue while runs are cancelled at random, and accounts for every one of them:
//!
//! ```text
//! cargo run --release -p levada-testkit --example soak -- --elements 10000000 --producers 8 --consumers 8
//! ```

use levada_testkit::soak::{Soak, soak};
use std::process::ExitCode;

const USAGE: &str = "soak [--kind FIFOQueue|RandomShuffleQueue|PaddingFIFOQueue] [--elements N] [--producers N] \
[--consumers N] [--threads N] [--capacity N] [--batch N] [--disturb N] [--seed N]";

fn options() -> Option<Soak> {
    let mut options = Soak { elements: 10_000_000, ..Soak::default() };
    let mut args = std::env::args().skip(1);
    while let Some(flag) = args.next() {
        let value = args.next()?;
        if flag == "--kind" {
            options.kind = value;
            continue;
        }
        let number: u64 = value.parse().ok()?;
        match flag.as_str() {
            "--elements" => options.elements = number,
            "--producers" => options.producers = number.max(1),
            "--consumers" => options.consumers = number.max(1),
            "--threads" => options.threads = number as usize,
            "--capacity" => options.capacity = number.max(1),
            "--batch" => options.batch = number.max(1),
            "--disturb" => options.disturb = number,
            "--seed" => options.seed = number,
            _ => return None,
        }
    }
    Some(options)
}

fn main() -> ExitCode {
    let Some(options) = options() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match soak(&options) {
        Ok(outcome) => {
            let rate = options.elements as f64 / outcome.took.as_secs_f64();
            println!("{}: {} elements, {outcome}; {rate:.0} elements/s", options.kind, options.elements);
            if outcome.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
