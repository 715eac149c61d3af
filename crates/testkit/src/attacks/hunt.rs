//! Runs many attacks in child processes.

use super::{Attack, Fault, Outcome, Policy};
use levada::graph::op::OpDef;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// How long an attack may take in total, including sessions and comparisons.
const PATIENCE: Duration = Duration::from_secs(60);

/// Which attacks to run.
#[derive(Clone, Debug)]
pub struct Hunt {
    /// A part of the names of the ops; empty for all.
    pub filter: String,
    /// The first seed of each op.
    pub first: u64,
    /// The seed after the last one.
    pub end: u64,
    /// Kilobytes of address space of a process; 0 for no limit.
    pub kilobytes: u64,
    /// The limits of the sessions.
    pub policy: Policy,
}

/// An attack that found something.
#[derive(Clone, Debug)]
pub struct Found {
    /// The op.
    pub op: String,
    /// The seed.
    pub seed: u64,
    /// What it found.
    pub fault: String,
}

/// The ops that a hunt covers, in the same order in every process.
fn ops(filter: &str) -> Vec<OpDef> {
    let registry = levada::registry();
    let mut ops: Vec<OpDef> = registry.iter().filter(|op| op.spec.name.contains(filter)).copied().collect();
    ops.sort_by_key(|op| op.spec.name);
    ops
}

/// Runs the attacks, in order, from number `skip` on, and prints which one begins and its outcome on standard output.
pub fn child(hunt: &Hunt, skip: u64) {
    let ops = ops(&hunt.filter);
    let attacks = (hunt.first..hunt.end).flat_map(|seed| ops.iter().map(move |op| (op.spec.name, seed, op)));
    let policy = hunt.policy;
    child_with(skip, attacks.map(|(name, seed, op)| (name, seed, move || Attack::new(op, seed).run(policy))));
}

/// As [`child`], for any attacks: each has a name and a seed.
pub fn child_with<'a, A: FnOnce() -> Result<Outcome, Fault>>(
    skip: u64,
    attacks: impl Iterator<Item = (&'a str, u64, A)>,
) {
    let mut out = std::io::stdout().lock();
    for (number, (name, seed, attack)) in (1u64..).zip(attacks) {
        if number <= skip {
            continue;
        }
        // Stop if the parent has ended.
        if writeln!(out, "#begin {number} {name} {seed}").and_then(|()| out.flush()).is_err() {
            return;
        }
        let said = match attack() {
            Ok(Outcome::Refused) => "#refused".to_owned(),
            Ok(Outcome::Failed) => "#failed".to_owned(),
            Ok(Outcome::Ran) => "#ran".to_owned(),
            Err(fault) => format!("#fault {}", fault.replace('\n', " ")),
        };
        if writeln!(out, "{said}").is_err() {
            return;
        }
    }
    let _ = writeln!(out, "#end");
}

fn start(command: &mut Command) -> Option<(Child, Receiver<String>)> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let lines = BufReader::new(child.stdout.take()?);
    let (send, receive) = channel();
    std::thread::spawn(move || {
        for line in lines.lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                return;
            }
        }
    });
    Some((child, receive))
}

/// Runs the attacks in processes that `command` starts: it takes the hunt and the number of attacks to skip, and the
/// process calls [`child`]. Returns the findings and the numbers of attacks that were refused, failed and ran. If a
/// process ends or does not answer, that is a fault of its current attack, and the next process continues after it.
pub fn hunt(hunt: &Hunt, command: impl Fn(&Hunt, u64) -> Command) -> (Vec<Found>, [u64; 3]) {
    let (mut found, mut counts, mut skip) = (Vec::new(), [0; 3], 0);
    loop {
        let Some((mut child, lines)) = start(&mut command(hunt, skip)) else {
            found.push(Found { op: String::new(), seed: 0, fault: "a process cannot be started".to_owned() });
            return (found, counts);
        };
        let mut at: Option<(u64, String, u64)> = None;
        let why = loop {
            let line = match lines.recv_timeout(PATIENCE) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => break "does not end".to_owned(),
                Err(RecvTimeoutError::Disconnected) => {
                    let status = child.wait().map_or_else(|e| e.to_string(), |status| status.to_string());
                    break format!("the process ended: {status}");
                }
            };
            // The test harness may write in front of the first line.
            let said = line.find('#').map_or("", |i| &line[i..]);
            match said.split_whitespace().collect::<Vec<_>>()[..] {
                ["#begin", number, op, seed] => {
                    at = Some((number.parse().unwrap_or(0), op.to_owned(), seed.parse().unwrap_or(0)));
                }
                ["#refused"] => counts[0] += 1,
                ["#failed"] => counts[1] += 1,
                ["#ran"] => counts[2] += 1,
                ["#fault", ..] => {
                    if let Some((_, op, seed)) = &at {
                        found.push(Found { op: op.clone(), seed: *seed, fault: said[7..].to_owned() });
                    }
                }
                ["#end"] => {
                    let _ = child.wait();
                    return (found, counts);
                }
                _ => {}
            }
        };
        let _ = child.kill();
        let _ = child.wait();
        let Some((number, op, seed)) = at else {
            found.push(Found { op: String::new(), seed: 0, fault: format!("nothing was run: {why}") });
            return (found, counts);
        };
        found.push(Found { op, seed, fault: why });
        skip = number;
    }
}
