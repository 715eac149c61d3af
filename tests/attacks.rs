//! Hostile graphs, made for every op from its spec, in processes with little memory: none ends its process, hangs or
//! panics.

use levada_testkit::attacks::{Hunt, Policy, child, hunt};
use std::env;
use std::process::Command;

/// The environment variable with the part of a hunt that a process runs.
const PART: &str = "LEVADA_ATTACKS";

/// Kilobytes of address space of a process.
const KILOBYTES: u64 = 3_000_000;

/// Regression tests: attacks that found a fault.
const FOUND: [(&str, u64); 5] = [
    // One kernel ran for seconds past the deadline.
    ("Polygamma", 1),
    ("Maximum", 9),
    // A copy of a broadcast value, outside of the arena.
    ("SoftmaxCrossEntropyWithLogits", 15),
    // A table as long as an axis of an empty tensor.
    ("ReduceJoin", 465_001),
    // Fewer shapes than result types.
    ("OptionsDataset", 525_001),
];

fn run(hunted: &Hunt) {
    let (found, [refused, failed, ran]) = hunt(hunted, |Hunt { filter, first, end, kilobytes, .. }, skip| {
        let mut command = Command::new("sh");
        let limit = if cfg!(target_os = "linux") { format!("ulimit -v {kilobytes}; ") } else { String::new() };
        command.arg("-c").arg(format!("{limit}exec \"$0\" \"$@\"")).arg(env::current_exe().unwrap());
        command.args(["--exact", "one_process", "--nocapture", "--test-threads", "1"]);
        command.env(PART, format!("{first},{end},{kilobytes},{skip},{filter}"));
        command
    });
    let all = refused + failed + ran;
    println!("{all} executions: {refused} refused, {failed} failed with an error, {ran} ran");
    assert!(found.is_empty(), "{found:#?}");
    assert!(failed + ran > 0, "nothing was run");
}

/// Runs as a process of a hunt if requested.
#[test]
fn one_process() {
    let Ok(part) = env::var(PART) else { return };
    let mut fields = part.splitn(5, ',');
    let mut number = || fields.next().unwrap().parse::<u64>().unwrap();
    let [first, end, kilobytes, skip] = [(); 4].map(|()| number());
    child(&Hunt { filter: fields.next().unwrap().to_owned(), first, end, kilobytes, policy: Policy::Tight }, skip);
}

#[test]
fn every_op_survives() {
    // For more, see the example `attack` of the crate `testkit`.
    std::thread::scope(|scope| {
        for first in 0..2 {
            let end = first + 1;
            let hunted = Hunt { filter: String::new(), first, end, kilobytes: KILOBYTES, policy: Policy::Tight };
            scope.spawn(move || run(&hunted));
        }
    });
}

#[test]
fn what_was_found_is_mended() {
    for (op, seed) in FOUND {
        let hunted =
            Hunt { filter: op.to_owned(), first: seed, end: seed + 1, kilobytes: KILOBYTES / 2, policy: Policy::Tight };
        run(&hunted);
    }
}
