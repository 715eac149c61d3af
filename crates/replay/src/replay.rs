//! Replays one case.

use crate::case::{Case, Expected, Schedule};
use crate::compare::compare;
use crate::runtime::{Run, Runtime, Session};
use crate::schedule;
use levada_graph::{Code, Error, Result, Tensor};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

/// The outcome of a case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Every step returned the expected result.
    Passed,
    /// Failed, with the reason.
    Failed(String),
    /// Skipped because the runtime does not support this.
    Skipped(String),
}

/// Time limits and tolerances.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The time limit of a case.
    pub case: Duration,
    /// How long to wait for a step of a schedule to end before the next event.
    pub head_start: Duration,
    /// The factor for the tolerances of the cases.
    pub tolerance: f64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { case: Duration::from_secs(60), head_start: Duration::from_millis(30), tolerance: 1.0 }
    }
}

/// Replays `case` on a thread of its own. One that takes too long is closed and abandoned.
pub fn replay<R: Runtime>(runtime: &Arc<R>, case: Case, limits: &Limits) -> Outcome {
    let (send, receive) = mpsc::channel();
    let open: Arc<OnceLock<Arc<R::Session>>> = Arc::default();
    let (runtime, slot, limits_there) = (runtime.clone(), open.clone(), *limits);
    let body = move || {
        let outcome = catch_unwind(AssertUnwindSafe(|| session(&*runtime, case, &slot, &limits_there)));
        // The receiver is gone if the case has taken too long.
        let _ = send.send(outcome.unwrap_or_else(|panic| Outcome::Failed(panicked(&*panic))));
    };
    if let Err(error) = thread::Builder::new().name("case".to_owned()).spawn(body) {
        return Outcome::Failed(format!("no thread: {error}"));
    }
    match receive.recv_timeout(limits.case) {
        Ok(outcome) => outcome,
        Err(RecvTimeoutError::Disconnected) => Outcome::Failed("its thread died".to_owned()),
        Err(RecvTimeoutError::Timeout) => {
            if let Some(session) = open.get() {
                session.close();
            }
            Outcome::Failed(format!("not done after {:?}", limits.case))
        }
    }
}

/// Opens the session, runs all steps and compares.
fn session<R: Runtime>(runtime: &R, case: Case, slot: &OnceLock<Arc<R::Session>>, limits: &Limits) -> Outcome {
    let session = match runtime.open(case.graph.as_bytes(), &case.config) {
        Ok(session) => slot.get_or_init(|| Arc::new(session)).clone(),
        // TensorFlow checks the graph in the first step, so it reports an invalid one there.
        Err(error) => {
            let results = case.steps.iter().map(|s| judge_step(&case, limits, s, &Err(error.clone())));
            return first_of(results)
                .unwrap_or(Outcome::Failed(format!("the graph was refused: {}", one_line(&error))));
        }
    };
    let outcome = match &case.schedule {
        None => first_of(case.steps.iter().map(|step| {
            let result = session.run(&with_timeout(&step.run, &case));
            judge_step(&case, limits, step, &result)
        })),
        Some(Schedule::Events(events)) => {
            let results = schedule::events(&session, &case, events, limits.head_start);
            first_of(case.steps.iter().zip(results).map(|(step, result)| match result {
                Some(result) => judge_step(&case, limits, step, &result),
                None => Outcome::Passed,
            }))
        }
        Some(Schedule::Bag(events)) => first_of(std::iter::once(schedule::bag(&session, &case, events))),
    };
    session.close();
    outcome.unwrap_or(Outcome::Passed)
}

pub(crate) fn with_timeout(run: &Run, case: &Case) -> Run {
    let mut run = run.clone();
    run.timeout = run.timeout.or(case.config.operation_timeout);
    run
}

/// The first outcome other than a pass, with the number of its step.
fn first_of(outcomes: impl Iterator<Item = Outcome>) -> Option<Outcome> {
    let mut steps = 0;
    for (i, outcome) in outcomes.enumerate() {
        steps += 1;
        match outcome {
            Outcome::Passed => {}
            Outcome::Failed(why) => return Some(Outcome::Failed(format!("step {i}: {why}"))),
            skipped @ Outcome::Skipped(_) => return Some(skipped),
        }
    }
    (steps > 0).then_some(Outcome::Passed)
}

fn judge_step(case: &Case, limits: &Limits, step: &crate::case::Step, result: &Result<Vec<Tensor>>) -> Outcome {
    match (&step.expected, result) {
        (Expected::Error(code), Err(error)) if error.code() == *code => Outcome::Passed,
        (_, Err(error)) if error.all().any(|e| e.code() == Code::Unimplemented) => Outcome::Skipped(missing(error)),
        (Expected::Error(code), Err(error)) => {
            Outcome::Failed(format!("expected {}, failed with {}", code.name(), one_line(error)))
        }
        (Expected::Error(code), Ok(_)) => Outcome::Failed(format!("expected {}, did not fail", code.name())),
        (Expected::Tensors(_), Err(error)) => Outcome::Failed(format!("failed with {}", one_line(error))),
        (Expected::Tensors(expected), Ok(found)) if expected.len() != found.len() => {
            Outcome::Failed(format!("{} tensors, expected {}", found.len(), expected.len()))
        }
        (Expected::Tensors(expected), Ok(found)) => {
            let pairs = step.run.fetches.iter().zip(found).zip(expected);
            let wrong = pairs.filter_map(|((fetch, found), expected)| {
                // An operation has no value to compare.
                let expected = expected.as_ref()?;
                Some(format!(
                    "{fetch}: {}",
                    compare(found, expected, case.rtol * limits.tolerance, case.atol * limits.tolerance)?
                ))
            });
            let wrong: Vec<String> = wrong.collect();
            if wrong.is_empty() { Outcome::Passed } else { Outcome::Failed(wrong.join("; ")) }
        }
    }
}

/// What an error reports as unsupported, each thing once and with its op.
fn missing(error: &Error) -> String {
    let faults = error.all().filter(|e| e.code() == Code::Unimplemented);
    let names: BTreeSet<String> = faults
        .map(|e| match &e.fault().op {
            Some(op) if !e.message().contains(op) => format!("{op}: {}", e.message()),
            _ => e.message().to_owned(),
        })
        .collect();
    names.into_iter().collect::<Vec<_>>().join("; ")
}

pub(crate) fn one_line(error: &Error) -> String {
    let node = error.fault().node.as_ref().map(|n| format!(" at {n}")).unwrap_or_default();
    let op = error.fault().op.as_ref().map(|op| format!(" ({op})")).unwrap_or_default();
    let more = match error.fault().more.len() {
        0 => String::new(),
        n => format!(", and {n} more"),
    };
    format!("{}{node}{op}: {}{more}", error.code().name(), error.message().replace('\n', " "))
}

pub(crate) fn panicked(panic: &(dyn std::any::Any + Send)) -> String {
    let text =
        panic.downcast_ref::<&str>().map(|s| (*s).to_owned()).or_else(|| panic.downcast_ref::<String>().cloned());
    format!("panicked: {}", text.unwrap_or_else(|| "(no message)".to_owned()))
}
