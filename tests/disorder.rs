//! The recorded cases return the same with ready nodes in any order, on any threads, with any pauses.

use levada::replay::{Limits, Outcome, Suite, Summary, read_lines};
use levada::{Replayer, SessionOptions};
use levada_tests::recorded;
use std::sync::Arc;
use std::thread::available_parallelism;

/// Runs the cases under orders of this seed; the names of those that fail.
fn replay(seed: u64, threads: usize) -> Vec<String> {
    let mut failed = Vec::new();
    for file in recorded("golden", ".jsonl") {
        let options = SessionOptions { threads, disorder: Some(seed), ..SessionOptions::default() };
        let suite =
            Suite { filter: None, jobs: available_parallelism().map_or(1, usize::from), limits: Limits::default() };
        let rows = suite.run(&Arc::new(Replayer::new(options)), &read_lines(&file).unwrap(), &|_| ()).unwrap();
        println!("{}, seed {seed}, {threads} threads: {}", file.display(), Summary::of(&rows));
        failed.extend(rows.into_iter().filter_map(|row| match row.outcome {
            Outcome::Failed(why) => Some(format!("{} with seed {seed}: {why}", row.name)),
            Outcome::Passed | Outcome::Skipped(_) => None,
        }));
    }
    failed
}

#[test]
fn results_do_not_depend_on_the_order_on_one_thread() {
    let failed = replay(1, 1);
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn results_do_not_depend_on_the_order_on_several_threads() {
    let failed: Vec<String> = [(2, 2), (3, 5)].into_iter().flat_map(|(seed, threads)| replay(seed, threads)).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}
