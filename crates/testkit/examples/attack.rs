//! Attacks every op with hostile graphs, in processes with little memory, and prints what it found and how many it ran:
//!
//! ```text
//! cargo run --release -p levada-testkit --example attack -- --seeds 0..100 --kilobytes 1000000 --filter Queue
//! cargo run --release -p levada-testkit --example attack -- --seeds 0..10000 --cases tests/golden/data.jsonl
//! cargo run --release -p levada-testkit --example attack -- --show 17 --filter QueueEnqueueV2
//! ```
//!
//! With `--cases`, which may be given several times, each seed changes parts of a recorded session; `--filter` then
//! selects lines that contain its text. `--policy` selects the limits of sessions: `tight` ones, the `default` ones for
//! untrusted graphs, or only the `deadline` of a run.

use levada_testkit::attacks::{Attack, Hunt, Policy, child, child_with, hunt, recorded};
use std::process::{Command, ExitCode};

const USAGE: &str = "attack [--seeds FIRST..END] [--filter TEXT] [--kilobytes N] [--policy tight|default|deadline] \
[--cases FILE]... [--show SEED]";

/// The recorded cases of these files that contain `filter`.
fn lines(files: &[String], filter: &str) -> Vec<String> {
    let mut lines = recorded::cases(files).unwrap_or_else(|error| {
        eprintln!("{error}");
        std::process::exit(2);
    });
    lines.retain(|line| line.contains(filter));
    lines
}

fn main() -> ExitCode {
    let mut hunted = Hunt { filter: String::new(), first: 0, end: 10, kilobytes: 6_000_000, policy: Policy::Tight };
    let (mut skip, mut show, mut cases) = (None, None, Vec::new());
    let args: Vec<String> = std::env::args().skip(1).collect();
    for pair in args.chunks(2) {
        let [flag, value] = pair else {
            eprintln!("{USAGE}");
            return ExitCode::FAILURE;
        };
        let number = value.parse::<u64>().ok();
        match (flag.as_str(), number, value.split_once("..")) {
            ("--seeds", _, Some((first, end))) => {
                (hunted.first, hunted.end) = (first.parse().unwrap_or(0), end.parse().unwrap_or(0));
            }
            ("--filter", ..) => hunted.filter = value.clone(),
            ("--cases", ..) => cases.push(value.clone()),
            ("--policy", ..) if Policy::named(value).is_some() => {
                hunted.policy = Policy::named(value).unwrap_or(hunted.policy);
            }
            ("--kilobytes", Some(n), _) => hunted.kilobytes = n,
            ("--skip", Some(n), _) => skip = Some(n),
            ("--show", Some(n), _) => show = Some(n),
            _ => {
                eprintln!("{USAGE}");
                return ExitCode::FAILURE;
            }
        }
    }
    if let (Some(seed), false) = (show, cases.is_empty()) {
        let line = recorded::mutant(&lines(&cases, &hunted.filter), seed);
        println!("{line}");
        println!("{:?}", recorded::run(&line, hunted.policy));
        return ExitCode::SUCCESS;
    }
    if let Some(seed) = show {
        let registry = levada_testkit::levada::registry();
        if let Some(op) = registry.get(&hunted.filter) {
            let attack = Attack::new(op, seed);
            println!("feeds: {:#?}\ninit: {:?}\n{:#?}", attack.feeds, attack.init, attack.graph.nodes);
            println!("{:?}", attack.run(hunted.policy));
        }
        return ExitCode::SUCCESS;
    }
    if let (Some(skip), false) = (skip, cases.is_empty()) {
        let (lines, policy) = (lines(&cases, &hunted.filter), hunted.policy);
        let mutants = (hunted.first..hunted.end).map(|seed| {
            let lines = &lines;
            ("mutant", seed, move || recorded::run(&recorded::mutant(lines, seed), policy))
        });
        child_with(skip, mutants);
        return ExitCode::SUCCESS;
    }
    if let Some(skip) = skip {
        child(&hunted, skip);
        return ExitCode::SUCCESS;
    }
    let exe = std::env::current_exe().unwrap_or_default();
    let (found, [refused, failed, ran]) = hunt(&hunted, |hunted, skip| {
        let Hunt { filter, first, end, kilobytes, policy } = hunted;
        let mut command = Command::new("sh");
        let limit = if *kilobytes > 0 { format!("ulimit -v {kilobytes}; ") } else { String::new() };
        command.arg("-c").arg(format!("{limit}exec \"$0\" \"$@\"")).arg(&exe);
        command.args(["--seeds", &format!("{first}..{end}"), "--skip", &skip.to_string(), "--policy", policy.name()]);
        command.args(cases.iter().flat_map(|file| ["--cases", file]));
        if !filter.is_empty() {
            command.args(["--filter", filter]);
        }
        command
    });
    for fault in &found {
        println!("{} {}: {}", fault.op, fault.seed, fault.fault);
    }
    let all = refused + failed + ran + found.len() as u64;
    println!("{all} executions: {refused} refused, {failed} failed with an error, {ran} ran, {} faults", found.len());
    if found.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
